//===- MathLibraryTest.cpp - every device math function, run by the emulator ------------------===//
//
// Both math libraries are linked as the compiler does and run on the emulated GPU, function by
// function, against the host's long double functions. The bounds are those that the libraries
// document: CUDA's table of maximum errors, and OpenCL's for libclc. Special values must be exact.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/target/MathLibrary.h"
#include "compiler/target/CudaToolkit.h"
#include "oracles/devices/emulator/Emulator.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SourceMgr.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace tilesmith {
namespace {

using target::MathLibraryKind;

using Unary = long double (*)(long double);
using Binary = long double (*)(long double, long double);

struct Function {
  const char *name;
  Unary unary;
  Binary binary;
  double low, high; // of random arguments
  // largest documented error in ulp: CUDA f32, f64; OpenCL f32, f64
  double cuda[2], clc[2];
};

long double rsqrtl(long double x) {
  return 1 / std::sqrt(x);
}

// The host's functions may take either zero.
long double larger(long double x, long double y) {
  return x == 0 && y == 0 ? (std::signbit(x) ? y : x) : fmaxl(x, y);
}
long double smaller(long double x, long double y) {
  return x == 0 && y == 0 ? (std::signbit(x) ? x : y) : fminl(x, y);
}

constexpr int kExact = 0;
const Function kFunctions[] = {
    {"acos", acosl, nullptr, -1, 1, {2, 2}, {4, 4}},
    {"acosh", acoshl, nullptr, 1, 1e4, {4, 3}, {4, 4}},
    {"asin", asinl, nullptr, -1, 1, {2, 2}, {4, 4}},
    {"asinh", asinhl, nullptr, -1e4, 1e4, {3, 3}, {4, 4}},
    {"atan", atanl, nullptr, -100, 100, {2, 2}, {5, 5}},
    {"atan2", nullptr, atan2l, -10, 10, {3, 2}, {6, 6}},
    {"atanh", atanhl, nullptr, -1, 1, {3, 2}, {5, 5}},
    {"cbrt", cbrtl, nullptr, -1e6, 1e6, {1, 1}, {2, 2}},
    {"ceil", ceill, nullptr, -1e3, 1e3, {kExact, kExact}, {kExact, kExact}},
    {"copysign", nullptr, copysignl, -10, 10, {kExact, kExact}, {kExact, kExact}},
    {"cos", cosl, nullptr, -1e5, 1e5, {2, 2}, {4, 4}},
    {"cosh", coshl, nullptr, -80, 80, {2, 1}, {4, 4}},
    {"erf", erfl, nullptr, -4, 4, {2, 2}, {16, 16}},
    {"exp", expl, nullptr, -80, 80, {2, 1}, {3, 3}},
    {"exp2", exp2l, nullptr, -120, 120, {2, 1}, {3, 3}},
    {"expm1", expm1l, nullptr, -10, 10, {1, 1}, {3, 3}},
    {"fabs", fabsl, nullptr, -1e3, 1e3, {kExact, kExact}, {kExact, kExact}},
    {"floor", floorl, nullptr, -1e3, 1e3, {kExact, kExact}, {kExact, kExact}},
    {"fmax", nullptr, larger, -10, 10, {kExact, kExact}, {kExact, kExact}},
    {"fmin", nullptr, smaller, -10, 10, {kExact, kExact}, {kExact, kExact}},
    {"fmod", nullptr, fmodl, -1e3, 1e3, {kExact, kExact}, {kExact, kExact}},
    {"log", logl, nullptr, 0, 1e5, {1, 1}, {3, 3}},
    {"log10", log10l, nullptr, 0, 1e5, {2, 1}, {3, 3}},
    {"log1p", log1pl, nullptr, -1, 100, {1, 1}, {2, 2}},
    {"log2", log2l, nullptr, 0, 1e5, {1, 1}, {3, 3}},
    {"pow", nullptr, powl, 0, 20, {4, 2}, {16, 16}},
    {"rint", rintl, nullptr, -1e3, 1e3, {kExact, kExact}, {kExact, kExact}},
    {"round", roundl, nullptr, -1e3, 1e3, {kExact, kExact}, {kExact, kExact}},
    {"rsqrt", rsqrtl, nullptr, 0, 1e5, {2, 1}, {2, 2}},
    {"sin", sinl, nullptr, -1e5, 1e5, {2, 2}, {4, 4}},
    {"sinh", sinhl, nullptr, -80, 80, {3, 2}, {4, 4}},
    {"sqrt", sqrtl, nullptr, 0, 1e6, {0.5, 0.5}, {0.5, 0.5}},
    {"tan", tanl, nullptr, -1e5, 1e5, {4, 2}, {5, 5}},
    {"tanh", tanhl, nullptr, -10, 10, {2, 2}, {5, 5}},
    {"trunc", truncl, nullptr, -1e3, 1e3, {kExact, kExact}, {kExact, kExact}},
};

constexpr unsigned kThreads = 256, kBlocks = 4, kCount = kThreads * kBlocks;

llvm::Expected<std::unique_ptr<emulator::Program>>
build(const std::string &name, const std::string &type, unsigned operands, MathLibraryKind kind) {
  const std::string call = operands == 2 ? type + " %a, " + type + " %b" : type + " %a";
  const std::string text =
      llvm::formatv(R"(
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare {0} @{1}({2})
define ptx_kernel void @k(ptr addrspace(1) %x, ptr addrspace(1) %y, ptr addrspace(1) %o) {{
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %f = mul i32 %c, {4}
  %i = add i32 %f, %t
  %px = getelementptr {0}, ptr addrspace(1) %x, i32 %i
  %py = getelementptr {0}, ptr addrspace(1) %y, i32 %i
  %po = getelementptr {0}, ptr addrspace(1) %o, i32 %i
  %a = load {0}, ptr addrspace(1) %px
  %b = load {0}, ptr addrspace(1) %py
  %r = call {0} @{1}({3})
  store {0} %r, ptr addrspace(1) %po
  ret void
}
)",
                    type, name, operands == 2 ? type + ", " + type : type, call, kThreads);
  auto context = std::make_unique<llvm::LLVMContext>();
  llvm::SMDiagnostic error;
  auto module = llvm::parseAssemblyString(text, error, *context);
  if (!module)
    return llvm::createStringError(error.getMessage());
  target::MathLibraryOptions options;
  options.kind = kind;
  auto library = target::linkMathLibrary(*module, options);
  if (!library)
    return library.takeError();
  EXPECT_EQ(*library, target::spelling(kind));
  return emulator::Program::create(std::move(module), std::move(context));
}

/// Distance of `got` from the exact value, in units of the last place of the result.
template <typename T> double ulps(T got, long double exact) {
  const T rounded = static_cast<T>(exact);
  if (std::isnan(rounded) || std::isinf(rounded) || rounded == 0 || exact == 0) {
    if (std::isnan(rounded))
      return std::isnan(got) ? 0 : HUGE_VAL;
    if (got == rounded && std::signbit(got) == std::signbit(rounded))
      return 0;
  }
  if (!std::isfinite(got) && std::isfinite(rounded)) // one step above the largest value
    return std::fabs(rounded) == std::numeric_limits<T>::max() && std::isinf(got) ? 1 : HUGE_VAL;
  if (std::isinf(rounded))
    return std::fabs(got) == std::numeric_limits<T>::max() ? 1 : HUGE_VAL;
  int exponent;
  std::frexp(std::max(std::fabs(static_cast<long double>(rounded)),
                      static_cast<long double>(std::numeric_limits<T>::min())),
             &exponent);
  const long double unit = std::ldexp(1.0L, exponent - std::numeric_limits<T>::digits);
  return static_cast<double>(std::fabs(static_cast<long double>(got) - exact) / unit);
}

template <typename T> void checkFunction(const Function &f, MathLibraryKind kind) {
  constexpr bool isDouble = sizeof(T) == 8;
  const std::string name = std::string("__nv_") + f.name + (isDouble ? "" : "f");
  auto program = build(name, isDouble ? "double" : "float", f.binary ? 2 : 1, kind);
  if (!program) {
    ADD_FAILURE() << name << ": " << llvm::toString(program.takeError());
    return;
  }
  std::mt19937_64 random(17);
  std::uniform_real_distribution<T> values(static_cast<T>(f.low), static_cast<T>(f.high));
  std::vector<T> x(kCount), y(kCount), out(kCount);
  for (unsigned i = 0; i < kCount; ++i)
    x[i] = values(random), y[i] = values(random);
  const T special[] = {T(0),
                       T(-0.0),
                       T(1),
                       T(-1),
                       std::numeric_limits<T>::infinity(),
                       -std::numeric_limits<T>::infinity(),
                       std::numeric_limits<T>::quiet_NaN(),
                       T(0.5),
                       T(2),
                       T(-2.5)};
  const unsigned specials = std::size(special);
  if (f.binary) {
    for (unsigned i = 0; i < specials * specials; ++i)
      x[i] = special[i / specials], y[i] = special[i % specials];
  } else {
    std::copy(std::begin(special), std::end(special), x.begin());
  }
  (*program)->addRange(x.data(), kCount * sizeof(T), "x");
  (*program)->addRange(y.data(), kCount * sizeof(T), "y");
  (*program)->addRange(out.data(), kCount * sizeof(T), "out");
  emulator::LaunchConfig config;
  config.grid[0] = kBlocks, config.block[0] = kThreads;
  const emulator::Report report = (*program)->launch(
      "k", config,
      {emulator::argument(x.data()), emulator::argument(y.data()), emulator::argument(out.data())});
  ASSERT_TRUE(report.ok()) << name << ": " << report.message;
  const double bound = kind == MathLibraryKind::Libclc ? f.clc[isDouble] : f.cuda[isDouble];
  double worst = 0;
  unsigned at = 0;
  for (unsigned i = 0; i < kCount; ++i) {
    const long double exact = f.binary ? f.binary(x[i], y[i]) : f.unary(x[i]);
    const double error = ulps(out[i], exact);
    if (error > worst)
      worst = error, at = i;
  }
  // The bounds are for the difference from the rounded result.
  EXPECT_LE(worst, bound == 0 || bound == 0.5 ? bound : bound + 0.5)
      << name << "(" << x[at] << (f.binary ? ", " + std::to_string(y[at]) : "")
      << ") = " << out[at];
  if (std::getenv("TILESMITH_MATH_TABLE"))
    std::printf("%-14s %8.2f of %.1f ulp\n", name.c_str(), worst, bound);
}

void checkLibrary(MathLibraryKind kind) {
  for (const Function &f : kFunctions) {
    checkFunction<float>(f, kind);
    checkFunction<double>(f, kind);
  }
}

TEST(MathLibraryTest, EveryFunctionOfLibdeviceIsAsAccurateAsDocumented) {
  auto path = target::findLibdevice("");
  if (!path)
    GTEST_SKIP() << "no CUDA here: " << llvm::toString(path.takeError());
  checkLibrary(MathLibraryKind::Libdevice);
}

TEST(MathLibraryTest, EveryFunctionOfLibclcIsAsAccurateAsDocumented) {
  auto path = target::findLibclc();
  if (!path)
    GTEST_SKIP() << llvm::toString(path.takeError());
  checkLibrary(MathLibraryKind::Libclc);
}

// With line tables, declarations have debug information that a definition must not keep.
TEST(MathLibraryTest, ModulesWithLineTablesAreServed) {
  for (MathLibraryKind kind : {MathLibraryKind::Libdevice, MathLibraryKind::Libclc}) {
    auto path = kind == MathLibraryKind::Libclc ? target::findLibclc() : target::findLibdevice("");
    if (!path) { // the tests above say so
      llvm::consumeError(path.takeError());
      continue;
    }
    auto context = std::make_unique<llvm::LLVMContext>();
    llvm::SMDiagnostic error;
    auto module = llvm::parseAssemblyString(R"(
target triple = "nvptx64-nvidia-cuda"
declare !dbg !5 float @__nv_tanhf(float)
define ptx_kernel void @k(ptr addrspace(1) %o) !dbg !4 {
  %x = load float, ptr addrspace(1) %o, !dbg !6
  %r = call float @__nv_tanhf(float %x), !dbg !6
  store float %r, ptr addrspace(1) %o, !dbg !6
  ret void, !dbg !6
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3}
!0 = distinct !DICompileUnit(language: DW_LANG_C, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "kernel.py", directory: "/")
!2 = !DISubroutineType(types: !{})
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "k", file: !1, line: 1, unit: !0, type: !2, spFlags: DISPFlagDefinition)
!5 = !DISubprogram(name: "__nv_tanhf", file: !1, type: !2, spFlags: 0)
!6 = !DILocation(line: 3, column: 1, scope: !4)
)",
                                            error, *context);
    ASSERT_TRUE(module) << error.getMessage().str();
    target::MathLibraryOptions options;
    options.kind = kind;
    ASSERT_EQ(llvm::cantFail(target::linkMathLibrary(*module, options)), target::spelling(kind));
    auto program = emulator::Program::create(std::move(module), std::move(context));
    ASSERT_TRUE(!!program) << llvm::toString(program.takeError());
    float value = 0.5f;
    const emulator::Report report =
        (*program)->launch("k", emulator::LaunchConfig(), {emulator::argument(&value)});
    ASSERT_TRUE(report.ok()) << report.message;
    EXPECT_NEAR(value, std::tanh(0.5), 1e-6);
  }
}

} // namespace
} // namespace tilesmith
