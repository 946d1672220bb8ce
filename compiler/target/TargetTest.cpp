//===- TargetTest.cpp - gpu.module text to PTX and cubins -------------------------------------===//
//
// Kernels are written by hand, lowered by convert-gpu-to-nvvm, printed for sm_80, sm_90 and sm_100,
// and assembled where ptxas is installed ("ptxas not found" is counted as skipped). One file, though long: every
// kernel goes the same way to PTX, by the helpers in front.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/target/TestSupport.h"

#include "compiler/target/CarriedValues.h"
#include "compiler/target/CudaToolkit.h"
#include "compiler/target/Ptxas.h"
#include "compiler/target/Targets.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace tilesmith::target;
using llvm::StringRef;
using testing::HasSubstr;
using testing::Not;

namespace {

/// y[i] = exp(x[i]) over a loop of four elements per thread.
constexpr char kExpKernel[] = R"(
gpu.module @kernels {
  gpu.func @exp(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>, %n: i32) kernel
      attributes {nvgpu_ext.threads = 128 : i32, nvgpu_ext.shared_bytes = 0 : i32} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c128 = arith.constant 128 : index
    %tid = gpu.thread_id x
    %bid = gpu.block_id x
    %base = arith.muli %bid, %c128 : index
    %first = arith.addi %base, %tid : index
    scf.for %i = %c0 to %c4 step %c1 {
      %offset = arith.muli %i, %c128 : index
      %index = arith.addi %first, %offset : index
      %i32 = arith.index_cast %index : index to i32
      %inside = arith.cmpi slt, %i32, %n : i32
      scf.if %inside {
        %i64 = arith.index_cast %index : index to i64
        %px = llvm.getelementptr %x[%i64] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
        %v = llvm.load %px : !llvm.ptr<1> -> f32
        %e = math.exp %v : f32
        %s = arith.addf %e, %v : f32
        %m = arith.mulf %s, %e : f32
        %a = arith.addf %m, %v : f32
        %py = llvm.getelementptr %y[%i64] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
        llvm.store %a, %py : f32, !llvm.ptr<1>
      }
    }
    gpu.return
  }
})";

TEST(Target, LoopsLoadsStoresAndExpAssembleForAllGpus) {
  for (StringRef gpu : measuredGpus()) {
    for (MathLibraryKind library : {MathLibraryKind::Auto, MathLibraryKind::Libclc}) {
      for (unsigned level : {0u, 3u}) {
        std::string ptx = compileToPTX(kExpKernel, gpu, level, library);
        EXPECT_THAT(ptx, HasSubstr(".reqntid 128"));
        EXPECT_THAT(ptx, HasSubstr(".visible .entry exp("));
        EXPECT_THAT(ptx, HasSubstr("mul.rn.f32"));
        EXPECT_THAT(ptx, HasSubstr("add.rn.f32"));
        EXPECT_THAT(ptx, Not(HasSubstr("__nv")));
        EXPECT_THAT(ptx, HasSubstr(lookupGpuTarget(gpu)->chip.str()));
        expectAssembles(ptx, gpu);
      }
    }
  }
}

TEST(Target, LaunchMetadataNamesThreadsSharedMemoryAndParameters) {
  Compiled compiled(kExpKernel, "sm_90");
  ASSERT_EQ(compiled.device.kernels.size(), 1u);
  const KernelInfo &kernel = compiled.device.kernels.front();
  EXPECT_EQ(kernel.name, "exp");
  EXPECT_EQ(kernel.threads, 128u);
  EXPECT_EQ(kernel.parameters.size(), 3u);
  std::string text;
  llvm::raw_string_ostream(text) << toJSON(compiled.device.kernels, "sm_90");
  EXPECT_EQ(text,
            R"({"gpu":"sm_90","kernels":[{"name":"exp","parameter_bytes":20,"parameters":[)"
            R"({"kind":"pointer","offset":0,"size":8},{"kind":"pointer","offset":8,"size":8},)"
            R"({"kind":"int","offset":16,"size":4}],"shared_bytes":0,"threads":[128,1,1]}]})");
}

/// One kernel whose body computes `%r` of type `result` from %a, %b, %c of type `type`.
std::string scalarKernel(const std::string &type, const std::string &body,
                         const std::string &result) {
  return "gpu.module @m { gpu.func @k(%p: !llvm.ptr<1>, %a: " + type + ", %b: " + type +
         ", %c: " + type + ") kernel attributes {nvgpu_ext.threads = 32 : i32} {\n" + body +
         "\nllvm.store %r, %p : " + result + ", !llvm.ptr<1>\n gpu.return } }";
}

TEST(Target, EveryMathOpAssemblesWithBothLibraries) {
  const char *unary[] = {"exp",   "exp2",  "log",       "log2", "log10", "sin",   "cos",   "tan",
                         "sinh",  "cosh",  "tanh",      "sqrt", "rsqrt", "floor", "ceil",  "absf",
                         "trunc", "round", "roundeven", "erf",  "atan",  "expm1", "log1p", "cbrt"};
  const char *binary[] = {"math.powf",      "math.atan2",    "arith.remf",    "arith.maximumf",
                          "arith.minimumf", "arith.maxnumf", "arith.minnumf", "arith.addf",
                          "arith.mulf",     "arith.subf",    "arith.divf"};
  for (std::string type : {"f16", "bf16", "f32", "f64"}) {
    std::string body;
    for (const char *op : unary)
      body += "%" + std::string(op) + " = math." + op + " %a : " + type +
              "\nllvm.store volatile %" + op + ", %p : " + type + ", !llvm.ptr<1>\n";
    for (const char *op : binary)
      body += "%" + std::string(op) + " = " + op + " %a, %b : " + type + "\nllvm.store volatile %" +
              op + ", %p : " + type + ", !llvm.ptr<1>\n";
    if (type == "f32" || type == "f64") // f16 and bf16 come as f32
      body += "%two = arith.constant 2 : i32\n%fpowi = math.fpowi %a, %two : " + type +
              ", i32\nllvm.store volatile %fpowi, %p : " + type + ", !llvm.ptr<1>\n";
    body += "%r = math.fma %a, %b, %c : " + type;
    for (MathLibraryKind library : {MathLibraryKind::Auto, MathLibraryKind::Libclc}) {
      SCOPED_TRACE(type);
      for (const char *gpu : {"sm_80", "sm_90"})
        expectAssembles(compileToPTX(scalarKernel(type, body, type), gpu, 1, library), gpu);
    }
  }
}

TEST(Target, CallSitesAndFusedLocationsSurvive) {
  // Attribute aliases stand behind the module, so the text is one operation with inline locations.
  const char *text = R"(
gpu.module @m {
  gpu.func @k(%p: !llvm.ptr<1>, %x: f32) kernel attributes {nvgpu_ext.threads = 32 : i32} {
    %a = arith.addf %x, %x : f32 loc(callsite("inner.py":3:1 at "outer.py":7:2))
    %b = arith.mulf %a, %x : f32 loc(fused<"pass">["kern.py":9:3, "kern.py":10:3])
    llvm.store %b, %p : f32, !llvm.ptr<1> loc("named"("kern.py":11:5))
    gpu.return loc(unknown)
  } loc("kern.py":1:1)
})";
  expectAssembles(compileToPTX(text, "sm_90", 3, MathLibraryKind::Auto), "sm_90");
  Compiled compiled(text, "sm_90", MathLibraryKind::Auto, DebugInfo::Lines);
  std::string ptx = compiled.emit(3);
  EXPECT_THAT(ptx, HasSubstr(".loc"));
  EXPECT_THAT(ptx, HasSubstr("kern.py"));
  expectAssembles(ptx, "sm_90");
}

TEST(Target, FmaOfNarrowFloatsRoundsOnce) {
  for (std::string type : {"f16", "bf16"}) {
    std::string ptx = compileToPTX(scalarKernel(type, "%r = math.fma %a, %b, %c : " + type, type),
                                   "sm_80", 3, MathLibraryKind::Libclc);
    EXPECT_THAT(ptx, HasSubstr("fma.rn." + type));
    EXPECT_THAT(ptx, Not(HasSubstr("cvt")));
  }
}

TEST(Target, SquareRootAndDivisionAreIeee) {
  for (MathLibraryKind library : {MathLibraryKind::Auto, MathLibraryKind::Libclc}) {
    EXPECT_THAT(
        compileToPTX(scalarKernel("f32", "%r = math.sqrt %a : f32", "f32"), "sm_90", 3, library),
        HasSubstr("sqrt.rn.f32"));
    EXPECT_THAT(compileToPTX(scalarKernel("f32", "%r = arith.divf %a, %b : f32", "f32"), "sm_90", 3,
                             library),
                HasSubstr("div.rn.f32"));
  }
}

TEST(Target, RemainderWithLibclcGoesThroughDouble) {
  // libclc's f32 fmod treats subnormals as zero.
  std::string ptx = compileToPTX(scalarKernel("f32", "%r = arith.remf %a, %b : f32", "f32"),
                                 "sm_80", 3, MathLibraryKind::Libclc);
  EXPECT_THAT(ptx, HasSubstr("cvt.f64.f32"));
  EXPECT_THAT(ptx, HasSubstr("cvt.rn.f32.f64"));
}

TEST(Target, MaxnumKeepsTheInstructionWithTheDefinedZero) {
  std::string ptx = compileToPTX(scalarKernel("f32", "%r = arith.maxnumf %a, %b : f32", "f32"),
                                 "sm_80", 3, MathLibraryKind::Libclc);
  EXPECT_THAT(ptx, HasSubstr("max.f32"));
  EXPECT_THAT(ptx, Not(HasSubstr("max.NaN")));
}

TEST(Target, MmaSyncIsConvergentAndAssembles) {
  for (std::string type : {"f16", "bf16"}) {
    std::string text = R"(
gpu.module @m {
  gpu.func @mma(%p: !llvm.ptr<1>, %x: TYPE) kernel attributes {nvgpu_ext.threads = 32 : i32} {
    %a = vector.broadcast %x : TYPE to vector<4x2xTYPE>
    %b = vector.broadcast %x : TYPE to vector<2x2xTYPE>
    %c = arith.constant dense<0.0> : vector<2x2xf32>
    %d = nvgpu.mma.sync(%a, %b, %c) {mmaShape = [16, 8, 16]}
        : (vector<4x2xTYPE>, vector<2x2xTYPE>, vector<2x2xf32>) -> vector<2x2xf32>
    %e = vector.extract %d[1, 1] : f32 from vector<2x2xf32>
    llvm.store %e, %p : f32, !llvm.ptr<1>
    gpu.return
  }
})";
    for (size_t at; (at = text.find("TYPE")) != std::string::npos;)
      text.replace(at, 4, type);
    Compiled compiled(text, "sm_80");
    std::string ir;
    llvm::raw_string_ostream(ir) << *compiled.device.module;
    EXPECT_THAT(ir, HasSubstr("convergent"));
    for (StringRef gpu : measuredGpus()) {
      std::string ptx = compileToPTX(text, gpu, 3, MathLibraryKind::Auto);
      EXPECT_THAT(ptx,
                  HasSubstr("mma.sync.aligned.m16n8k16.row.col.f32." + type + "." + type + ".f32"));
      expectAssembles(ptx, gpu);
    }
  }
}

TEST(Target, AsyncCopiesLdmatrixAndBarriersAssemble) {
  const char *text = R"(
!bar = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>
gpu.module @m {
  gpu.func @k(%p: !llvm.ptr<1>, %g: memref<128xf32, 1>, %s: memref<128xf32, 3>, %h: memref<128x128xf16, 3>) kernel
      attributes {nvgpu_ext.threads = 32 : i32} {
    %c = arith.constant 0 : index
    %ticks = arith.constant 1000 : index
    %t = nvgpu.device_async_copy %g[%c], %s[%c], 4 {bypassL1} : memref<128xf32, 1> to memref<128xf32, 3>
    %u = nvgpu.device_async_create_group %t
    nvgpu.device_async_wait %u {numGroups = 0 : i32}
    %v = nvgpu.ldmatrix %h[%c, %c] {numTiles = 4 : i32, transpose = true}
        : memref<128x128xf16, 3> -> vector<4x2xf16>
    %e = vector.extract %v[3, 1] : f16 from vector<4x2xf16>
    llvm.store %e, %p : f16, !llvm.ptr<1>
    %b = nvgpu.mbarrier.create -> !bar
    nvgpu.mbarrier.init %b[%c], %ticks : !bar
    %phase = arith.constant 1 : i1
    nvgpu.mbarrier.try_wait.parity %b[%c], %phase, %ticks : !bar
    gpu.return
  }
})";
  for (const char *gpu : {"sm_90", "sm_100"}) {
    std::string ptx = compileToPTX(text, gpu, 3, MathLibraryKind::Auto);
    for (const char *expected : {"cp.async.cg.shared.global", "cp.async.wait_group",
                                 "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16",
                                 "mbarrier.init.shared", "mbarrier.try_wait.parity.shared"})
      EXPECT_THAT(ptx, HasSubstr(expected));
    expectAssembles(ptx, gpu);
  }
}

TEST(Target, SubgroupReduceIsAButterfly) {
  const char *text = R"(
gpu.module @m {
  gpu.func @reduce(%p: !llvm.ptr<1>, %x: f64, %y: i8) kernel attributes {nvgpu_ext.threads = 32 : i32} {
    %s = gpu.subgroup_reduce add %x : (f64) -> f64
    %m = gpu.subgroup_reduce maxsi %y : (i8) -> i8
    %size = gpu.subgroup_size : index
    %id = gpu.subgroup_id : index
    %n = gpu.num_subgroups : index
    %t0 = arith.addi %size, %id : index
    %t1 = arith.addi %t0, %n : index
    %i = arith.index_cast %t1 : index to i64
    llvm.store volatile %i, %p : i64, !llvm.ptr<1>
    llvm.store volatile %s, %p : f64, !llvm.ptr<1>
    llvm.store volatile %m, %p : i8, !llvm.ptr<1>
    gpu.return
  }
})";
  for (StringRef gpu : measuredGpus()) {
    std::string ptx = compileToPTX(text, gpu, 3, MathLibraryKind::Auto);
    EXPECT_THAT(ptx, HasSubstr("shfl.sync.bfly.b32"));
    expectAssembles(ptx, gpu);
  }
}

TEST(Target, SharedMemoryIsDynamicOrStatic) {
  const char *text = R"(
gpu.module @m {
  llvm.mlir.global external @global_smem() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<0 x i8>
  gpu.func @shared(%p: !llvm.ptr<1>) kernel
      attributes {nvgpu_ext.threads = 64 : i32, nvgpu_ext.shared_bytes = 4096 : i32} {
    %base = llvm.mlir.addressof @global_smem : !llvm.ptr<3>
    %tid = gpu.thread_id x
    %i = arith.index_cast %tid : index to i32
    %a = llvm.getelementptr %base[%i] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    llvm.store %i, %a : i32, !llvm.ptr<3>
    gpu.barrier
    %c63 = arith.constant 63 : i32
    %j = arith.subi %c63, %i : i32
    %b = llvm.getelementptr %base[%j] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %v = llvm.load %b : !llvm.ptr<3> -> i32
    %o = llvm.getelementptr %p[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %v, %o : i32, !llvm.ptr<1>
    gpu.return
  }
})";
  std::string dynamic = compileToPTX(text, "sm_90", 3, MathLibraryKind::Auto);
  EXPECT_THAT(dynamic, HasSubstr(".extern .shared .align 128 .b8 global_smem[]"));
  EXPECT_THAT(dynamic, HasSubstr("bar"));
  expectAssembles(dynamic, "sm_90");
  Compiled compiled(text, "sm_90");
  makeSharedMemoryStatic(*compiled.device.module);
  std::string fixed = compiled.emit(3);
  EXPECT_THAT(fixed, HasSubstr(".shared .align 128 .b8 global_smem[4096]"));
  expectAssembles(fixed, "sm_90");
}

TEST(Target, TileIRKernelsCarryTheLaunchMark) {
  std::string ptx = compileToPTX(kExpKernel, "sm_90", 3, MathLibraryKind::Libclc);
  addTileIRLaunchMark(ptx);
  EXPECT_THAT(ptx, HasSubstr(".version 9.2\n"));
  EXPECT_THAT(ptx, HasSubstr(".reqntid 128, 1, 1\n.language 7\n{"));
  EXPECT_THAT(ptx, Not(HasSubstr(".version 8.6")));
  if (!havePtxas())
    GTEST_SKIP() << "ptxas not found";
  auto version = ptxasVersion(*findPtxas());
  ASSERT_TRUE(bool(version)) << llvm::toString(version.takeError());
  if (*version < kFirstPtxasWithLaunchMark)
    GTEST_SKIP() << "ptxas " << version->first << "." << version->second
                 << " does not know .language";
  expectAssembles(ptx, "sm_90");
}

TEST(Target, IntegersBecomeBF16WithOneRounding) {
  struct Row {
    const char *constant, *conversion, *stored;
  } rows[] = {
      // halfway between 2^24 and its neighbour, plus one: f32 would lose the one and then take the
      // tie to even
      {"16842753 : i32", "arith.sitofp %i : i32 to bf16", "0x4B81"},
      {"-16842753 : i32", "arith.sitofp %i : i32 to bf16", "0xCB81"},
      {"16842752 : i32", "arith.sitofp %i : i32 to bf16", "0x4B80"},
      {"-1 : i32", "arith.uitofp %i : i32 to bf16", "0x4F80"},
      {"-1 : i32", "arith.sitofp %i : i32 to bf16", "0xBF80"},
      {"7 : i32", "arith.sitofp %i : i32 to bf16", "0x40E0"},
      {"1157425104234217473 : i64", "arith.sitofp %i : i64 to bf16", "0x5D81"},
      {"1157425104234217472 : i64", "arith.sitofp %i : i64 to bf16", "0x5D80"},
      {"-1157425104234217473 : i64", "arith.sitofp %i : i64 to bf16", "0xDD81"},
      {"-1 : i64", "arith.uitofp %i : i64 to bf16", "0x5F80"},
      {"-9223372036854775808 : i64", "arith.sitofp %i : i64 to bf16", "0xDF00"},
      {"9007199254740991 : i64", "arith.sitofp %i : i64 to bf16", "0x5A00"},
  };
  for (const Row &row : rows) {
    std::string body =
        "%i = arith.constant " + std::string(row.constant) + "\n%r = " + row.conversion;
    std::string ptx =
        compileToPTX(scalarKernel("f32", body, "bf16"), "sm_80", 3, MathLibraryKind::Libclc);
    uint16_t bits = std::stoul(row.stored, nullptr, 16);
    // LLVM stores the folded constant as a 16-bit move, printed in hexadecimal or as a signed
    // decimal.
    EXPECT_TRUE(llvm::StringRef(ptx).contains_insensitive(row.stored) ||
                llvm::StringRef(ptx).contains(", " + std::to_string(int16_t(bits)) + ";"))
        << row.constant << "\n"
        << ptx;
  }
}

// A detour that is exact: LLVM's optimiser makes one conversion of it, which the backend would do in
// two steps.
TEST(Target, IntegersThatGoThroughF64BecomeBF16WithOneRounding) {
  for (std::string sign : {"s", "u"}) {
    auto compiled = [&](const std::string &gpu) {
      const std::string body =
          "%w = arith." + sign + "itofp %a : i32 to f64\n%r = arith.truncf %w : f64 to bf16";
      return compileToPTX(scalarKernel("i32", body, "bf16"), gpu, 3, MathLibraryKind::Libclc);
    };
    EXPECT_THAT(compiled("sm_80"), testing::AllOf(HasSubstr("cvt.rz.f32." + sign + "32"),
                                                  HasSubstr("cvt.rn.bf16.f32")));
    EXPECT_THAT(compiled("sm_90"), HasSubstr("cvt.rn.bf16." + sign + "32"));
  }
}

// LLVM's optimiser makes one conversion of i1 of what goes through a wider type.
TEST(Target, ASignedBitBecomesMinusOneAsBF16) {
  const std::string direct = "%r = arith.sitofp %a : i1 to bf16",
                    wider = "%w = arith.extsi %a : i1 to i32\n%r = arith.sitofp %w : i32 to bf16",
                    unsignedBit = "%r = arith.uitofp %a : i1 to bf16";
  for (const char *gpu : {"sm_80", "sm_90", "sm_100"})
    for (unsigned level : {0, 3})
      for (const std::string &body : {direct, wider}) {
        const std::string ptx =
            compileToPTX(scalarKernel("i1", body, "bf16"), gpu, level, MathLibraryKind::Libclc);
        EXPECT_THAT(ptx, testing::Not(HasSubstr(", 1, 0,"))) << gpu << level << ptx;
      }
  // What the check looks for is what the backend prints for the number without a sign.
  EXPECT_THAT(
      compileToPTX(scalarKernel("i1", unsignedBit, "bf16"), "sm_90", 3, MathLibraryKind::Libclc),
      HasSubstr(", 1, 0,"));
}

// Halves of words that a vector came in: one instruction each, where no instruction adds them as they are.
TEST(Target, HalvesOfWordsAreWidenedInPlace) {
  auto compiled = [](const std::string &operation, const char *gpu) {
    const std::string body = "%zero = llvm.mlir.constant(0 : i32) : i32\n"
                             "%one = llvm.mlir.constant(1 : i32) : i32\n"
                             "%pair = llvm.load %p : !llvm.ptr<1> -> vector<2xbf16>\n"
                             "%low = llvm.extractelement %pair[%zero : i32] : vector<2xbf16>\n"
                             "%high = llvm.extractelement %pair[%one : i32] : vector<2xbf16>\n"
                             "%x = llvm.fpext %low : bf16 to f32\n"
                             "%y = llvm.fpext %high : bf16 to f32\n"
                             "%r = llvm." +
                             operation + " %x, %y : f32";
    return compileToPTX(scalarKernel("i32", body, "f32"), gpu, 3, MathLibraryKind::Libclc);
  };
  auto inPlace = testing::AllOf(HasSubstr("-65536"), testing::Not(HasSubstr("cvt.f32.bf16")));
  EXPECT_THAT(compiled("fmul", "sm_90"), inPlace);
  EXPECT_THAT(compiled("fadd", "sm_90"), inPlace);
  EXPECT_THAT(compiled("fmul", "sm_100"), inPlace);
  EXPECT_THAT(compiled("fadd", "sm_100"), HasSubstr("cvt.f32.bf16"));
}

// ptxas 13.5 folds what cannot be negative > a negative number to true, also of a NaN.
TEST(Target, MagnitudesAreComparedAsNumbers) {
  auto compiled = [](const std::string &number, const std::string &compare) {
    return compileToPTX(scalarKernel("f32",
                                     "%bound = arith.constant -1.0 : f32\n"
                                     "%zero = arith.constant -0.0 : f32\n" +
                                         number + "\n%r = arith.cmpf " + compare + " : f32",
                                     "i1"),
                        "sm_90", 3, MathLibraryKind::Libclc);
  };
  const std::string magnitude = "%n = math.absf %a : f32", square = "%n = arith.mulf %a, %a : f32",
                    power =
                        "%n = llvm.call_intrinsic \"llvm.nvvm.ex2.approx.ftz\"(%a) : (f32) -> f32";
  const auto asNumber =
      testing::AllOf(HasSubstr("setp.num.f32"), testing::Not(HasSubstr("setp.g")));
  const std::string libdevice = "%n = llvm.call_intrinsic \"llvm.nvvm.fabs\"(%a) : (f32) -> f32",
                    sum = "%m = llvm.call_intrinsic \"llvm.nvvm.fabs\"(%a) : (f32) -> f32\n"
                          "%s = arith.mulf %b, %b : f32\n%n = arith.addf %m, %s : f32";
  for (const std::string &number : {magnitude, square, power, libdevice, sum}) {
    EXPECT_THAT(compiled(number, "ogt, %n, %bound"), asNumber) << number;
    EXPECT_THAT(compiled(number, "olt, %bound, %n"), asNumber) << number;
    EXPECT_THAT(compiled(number, "oge, %n, %bound"), asNumber) << number;
  }
  // -0 is no negative number, and what may be negative is compared.
  EXPECT_THAT(compiled(magnitude, "oge, %n, %zero"), testing::Not(HasSubstr("setp.g")));
  EXPECT_THAT(compiled("%n = arith.addf %a, %b : f32", "ogt, %n, %bound"),
              testing::AnyOf(HasSubstr("setp.gt.f32"), HasSubstr("setp.lt.f32")));
}

// ptxas lets values that a loop sets in some turns share a register where they have none before it.
TEST(Target, ValuesThatALoopSetsInSomeTurnsBeginAsZero) {
  auto compiled = [](const char *before, const char *carried) {
    llvm::LLVMContext context;
    llvm::SMDiagnostic error;
    const std::string text = llvm::formatv(R"(
define ptx_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %turn) {{
entry:
  br label %loop
loop:
  %n = phi i32 [ 0, %entry ], [ %next, %latch ]
  %held = phi i64 [ {0}, %entry ], [ {1}, %latch ]
  %now = icmp eq i32 %n, %turn
  br i1 %now, label %set, label %latch
set:
  %loaded = load volatile i64, ptr addrspace(1) %in
  br label %latch
latch:
  %kept = phi i64 [ %held, %loop ], [ %loaded, %set ]
  %next = add i32 %n, 1
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %more = icmp ult i32 %next, 77
  br i1 %more, label %loop, label %done
done:
  store i64 {1}, ptr addrspace(1) %out
  ret void
}
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
)",
                                           before, carried);
    std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(text, error, context);
    EXPECT_TRUE(module) << error.getMessage().str();
    return module ? llvm::cantFail(emitPTX(*module, "sm_90", 3)) : "";
  };
  for (const char *nothing : {"undef", "poison"})
    EXPECT_THAT(compiled(nothing, "%kept"), testing::ContainsRegex("mov.b64 \t%rd[0-9]+, 0;"));
  // One that every turn sets anew may begin as anything.
  EXPECT_THAT(compiled("poison", "7"), testing::Not(HasSubstr("mov.b64 \t%rd")));
}

/// Function @k of the module once `beginCarriedValues` is done.
std::string beginningOf(const llvm::Twine &text) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic error;
  std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(text.str(), error, context);
  EXPECT_TRUE(module) << error.getMessage().str();
  if (!module)
    return "";
  beginCarriedValues(*module);
  EXPECT_FALSE(llvm::verifyModule(*module, &llvm::errs()));
  std::string printed;
  llvm::raw_string_ostream(printed) << *module->getFunction("k");
  return printed;
}

// The undefined value may reach the head of the loop through a choice or a `freeze`, and go around by one.
TEST(Target, CarriedValuesBeginAsZeroThroughChoicesAndFreeze) {
  auto kernel = [](const char *ahead, const char *begins, const char *back) {
    return llvm::formatv(R"(
define void @k(ptr %in, i1 %c, i64 %x) {{
entry:
  %frozen = freeze i64 undef
  %chosen = select i1 %c, i64 undef, i64 %x
  br i1 %c, label %left, label %loop.ahead
left:
  br label %loop.ahead
loop.ahead:
  %ahead = phi i64 [ {0}, %entry ], [ %x, %left ]
  br label %loop
loop:
  %held = phi i64 [ {1}, %loop.ahead ], [ {2}, %latch ]
  br i1 %c, label %set, label %latch
set:
  %loaded = load volatile i64, ptr %in
  br label %latch
latch:
  %kept = phi i64 [ %held, %loop ], [ %loaded, %set ]
  %still = freeze i64 %kept
  %choice = select i1 %c, i64 %still, i64 %x
  br i1 %c, label %loop, label %done
done:
  store volatile i64 {2}, ptr %in
  ret void
}
)",
                         ahead, begins, back)
        .str();
  };
  auto begun = [&](const char *ahead, const char *begins, const char *back) {
    return beginningOf(kernel(ahead, begins, back));
  };
  EXPECT_THAT(begun("undef", "%ahead", "%kept"), HasSubstr("%ahead = phi i64 [ 0, %entry ]"));
  EXPECT_THAT(begun("poison", "%ahead", "%still"), HasSubstr("%ahead = phi i64 [ 0, %entry ]"));
  EXPECT_THAT(begun("%frozen", "%ahead", "%kept"), HasSubstr("%frozen = freeze i64 0"));
  EXPECT_THAT(begun("1", "%frozen", "%choice"), HasSubstr("%frozen = freeze i64 0"));
  EXPECT_THAT(begun("1", "%chosen", "%kept"), HasSubstr("select i1 %c, i64 0, i64 %x"));
  // A head that every turn sets anew, or nothing undefined that reaches it.
  EXPECT_THAT(begun("undef", "%ahead", "7"), HasSubstr("%ahead = phi i64 [ undef, %entry ]"));
  EXPECT_THAT(begun("undef", "1", "%kept"), HasSubstr("%ahead = phi i64 [ undef, %entry ]"));
}

// 500 heads share a chain of 100,000 choices: no recursion, and each of them is looked at once.
TEST(Target, LongChainsOfChoicesAreFollowedOnce) {
  constexpr int kHeads = 500, kLength = 100000;
  std::string text = "define void @k(i1 %c, i64 %x) {\nentry:\n  br label %loop\nloop:\n";
  for (int head = 0; head < kHeads; ++head)
    text += llvm::formatv("  %h{0} = phi i64 [ undef, %entry ], [ %s{1}, %loop ]\n", head,
                          kLength - 1 - head);
  for (int link = 0; link < kLength; ++link)
    text += llvm::formatv("  %s{0} = select i1 %c, i64 {1}, i64 %x\n", link,
                          link ? "%s" + std::to_string(link - 1) : "%h0");
  const std::string done = beginningOf(text + "  br label %loop\n}\n");
  EXPECT_THAT(done, HasSubstr("%h0 = phi i64 [ 0, %entry ]"));
  EXPECT_THAT(done, HasSubstr("%h499 = phi i64 [ undef, %entry ]")); // nothing comes back of it
}

// ptxas takes the lower 16 bits of a number of 64 (0d3FD0000000000000): zero.
TEST(Target, VariablesOfHalvesBeginAsIntegers) {
  llvm::LLVMContext context;
  llvm::Module module("m", context);
  auto variable = [&](llvm::Type *type, llvm::Constant *begins, const char *name) {
    new llvm::GlobalVariable(module, type, /*isConstant=*/false, llvm::GlobalValue::ExternalLinkage,
                             begins, name, nullptr, llvm::GlobalValue::NotThreadLocal, 1);
  };
  llvm::Type *f16 = llvm::Type::getHalfTy(context), *bf16 = llvm::Type::getBFloatTy(context);
  variable(f16, llvm::ConstantFP::get(f16, 0.25), "quarter");
  variable(bf16, llvm::ConstantFP::get(bf16, -1.0), "less");
  variable(f16, llvm::Constant::getNullValue(f16), "nothing");
  const std::string ptx = llvm::cantFail(emitPTX(module, "sm_90", 0));
  EXPECT_THAT(ptx, HasSubstr("quarter = 13312;")) << ptx; // 0x3400
  EXPECT_THAT(ptx, testing::AnyOf(HasSubstr("less = 49024;"), HasSubstr("less = -16512;"))) << ptx;
  EXPECT_THAT(ptx, testing::Not(HasSubstr("0d"))) << ptx;
}

TEST(Target, KernelNamesThatPTXCannotSpellAreErrors) {
  for (llvm::StringRef name : {"two words", "1st", "_", "a.b", "k\xC3\xA9"}) {
    llvm::LLVMContext context;
    llvm::Module module("m", context);
    auto *function = llvm::Function::Create(
        llvm::FunctionType::get(llvm::Type::getVoidTy(context), /*isVarArg=*/false),
        llvm::GlobalValue::ExternalLinkage, name, module);
    llvm::ReturnInst::Create(context, llvm::BasicBlock::Create(context, "", function));
    EXPECT_THAT(llvm::toString(emitPTX(module, "sm_90", 0).takeError()),
                HasSubstr("is not a PTX identifier"))
        << name.str();
    function->setName("$k_1");
    EXPECT_THAT(llvm::cantFail(emitPTX(module, "sm_90", 0)), HasSubstr("$k_1"));
  }
}

// [spec: atomic-order, model-scope]
TEST(Target, AtomicsSayTheirOrderAndScope) {
  using llvm::AtomicOrdering;
  using llvm::AtomicRMWInst;
  llvm::LLVMContext context;
  llvm::Type *i32 = llvm::Type::getInt32Ty(context), *i64 = llvm::Type::getInt64Ty(context);
  llvm::Type *i8 = llvm::Type::getInt8Ty(context), *i16 = llvm::Type::getInt16Ty(context);
  llvm::Type *f16 = llvm::Type::getHalfTy(context), *bf16 = llvm::Type::getBFloatTy(context);
  llvm::Type *f32 = llvm::Type::getFloatTy(context), *f64 = llvm::Type::getDoubleTy(context);
  const std::tuple<AtomicRMWInst::BinOp, llvm::Type *, const char *> operations[] = {
      {AtomicRMWInst::Add, i32, "add.u32"},
      {AtomicRMWInst::And, i64, "and.b64"},
      {AtomicRMWInst::Or, i32, "or.b32"},
      {AtomicRMWInst::Xor, i32, "xor.b32"},
      {AtomicRMWInst::Max, i64, "max.s64"},
      {AtomicRMWInst::Min, i32, "min.s32"},
      {AtomicRMWInst::UMax, i32, "max.u32"},
      {AtomicRMWInst::UMin, i64, "min.u64"},
      {AtomicRMWInst::Xchg, i32, "exch.b32"},
      {AtomicRMWInst::Xchg, f64, "exch.b64"},
      {AtomicRMWInst::FAdd, f16, "add.noftz.f16"},
      {AtomicRMWInst::FAdd, f32, "add.f32"},
      {AtomicRMWInst::FAdd, bf16, "add.noftz.bf16"},
      {AtomicRMWInst::FAdd, f64, "add.f64"},
      // Bits of a part of a word.
      {AtomicRMWInst::And, i8, "and.b32"},
      {AtomicRMWInst::Or, i8, "or.b32"},
      {AtomicRMWInst::Xor, i16, "xor.b32"}};
  auto emit = [&](AtomicRMWInst::BinOp operation, llvm::Type *type, AtomicOrdering order,
                  const char *scope, const char *gpu) {
    llvm::Module module("m", context);
    auto *pointer = llvm::PointerType::get(context, 1);
    auto *function = llvm::Function::Create(
        llvm::FunctionType::get(llvm::Type::getVoidTy(context), {pointer, type, pointer}, false),
        llvm::GlobalValue::ExternalLinkage, "k", module);
    llvm::IRBuilder<> b(llvm::BasicBlock::Create(context, "", function));
    llvm::Value *old =
        b.CreateAtomicRMW(operation, function->getArg(0), function->getArg(1), llvm::MaybeAlign(),
                          order, context.getOrInsertSyncScopeID(scope));
    b.CreateStore(old, function->getArg(2));
    b.CreateRetVoid();
    return llvm::cantFail(emitPTX(module, gpu, 3));
  };
  for (auto [operation, type, spelling] : operations)
    for (auto [order, word] : {std::pair(AtomicOrdering::Acquire, "acquire"),
                               std::pair(AtomicOrdering::Release, "release"),
                               std::pair(AtomicOrdering::AcquireRelease, "acq_rel")})
      for (auto [scope, tail] : {std::pair("block", "cta"), std::pair("cluster", "cluster"),
                                 std::pair("device", "gpu"), std::pair("", "sys")})
        EXPECT_THAT(emit(operation, type, order, scope, "sm_90"),
                    HasSubstr("atom." + std::string(word) + "." + tail + ".global." + spelling))
            << scope;
  for (auto [operation, type, spelling] : operations)
    EXPECT_THAT(emit(operation, type, AtomicOrdering::Monotonic, "", "sm_90"),
                HasSubstr("atom.relaxed.sys.global." + std::string(spelling)));
  // A loop around a compare-and-exchange where there is no such instruction.
  EXPECT_THAT(emit(AtomicRMWInst::FAdd, bf16, AtomicOrdering::AcquireRelease, "", "sm_80"),
              HasSubstr("atom.acq_rel.sys.global.cas.b"));
}

// The host asks for variables by name. [spec: global-visibility]
TEST(Target, VariablesAreVisibleWherePTXCanSpellTheirNames) {
  for (auto [name, declaration] : {std::pair("table", ".visible .global .align 16 .u32 table = 7;"),
                                   std::pair("a.b", "\n.global .align 16 .u32 a_$_b = 7;")}) {
    llvm::LLVMContext context;
    llvm::Module module("m", context);
    llvm::Type *i32 = llvm::Type::getInt32Ty(context);
    auto *variable = new llvm::GlobalVariable(
        module, i32, /*isConstant=*/false, llvm::GlobalValue::ExternalLinkage,
        llvm::ConstantInt::get(i32, 7), name, nullptr, llvm::GlobalValue::NotThreadLocal, 1);
    variable->setAlignment(llvm::Align(16));
    EXPECT_THAT(llvm::cantFail(emitPTX(module, "sm_90", 0)), HasSubstr(declaration));
  }
}

// LLVM 22 dies of an atomic load whose memory it knows to be constant.
TEST(Target, AtomicLoadsOfConstantsAreSelected) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic diagnostic;
  auto module = llvm::parseAssemblyString(R"(
    target triple = "nvptx64-nvidia-cuda"
    @table = addrspace(1) constant [2 x float] [float 1.0, float 2.0]
    define ptx_kernel void @k(i64 %at, ptr addrspace(1) %to) {
      %p = getelementptr float, ptr addrspace(1) @table, i64 %at
      %x = load atomic float, ptr addrspace(1) %p monotonic, align 4
      store float %x, ptr addrspace(1) %to
      ret void
    })",
                                          diagnostic, context);
  ASSERT_TRUE(module) << diagnostic.getMessage().str();
  EXPECT_THAT(llvm::cantFail(emitPTX(*module, "sm_90", 3)), HasSubstr("ld.relaxed"));
}

TEST(Target, ScaledProductsOfTensorMemoryNeedPTX88) {
  for (const char *kind : {"mma.shared", "mma.tensor", "mma.shared.mxf8f6f4.block_scale"}) {
    llvm::LLVMContext context;
    llvm::Module module("m", context);
    module.getOrInsertFunction(std::string("llvm.nvvm.tcgen05.") + kind,
                               llvm::Type::getVoidTy(context));
    const char *version = llvm::StringRef(kind).contains("scale") ? ".version 8.8" : ".version 8.6";
    EXPECT_THAT(llvm::cantFail(emitPTX(module, "sm_100", 0)), HasSubstr(version)) << kind;
    EXPECT_THAT(llvm::cantFail(emitPTX(module, "sm_110", 0)), HasSubstr(".version 9.0"));
  }
}

TEST(Target, SwizzlesOfLargerPiecesNeedPTX88) {
  llvm::LLVMContext context;
  llvm::Module module("m", context);
  module.getOrInsertFunction("llvm.nvvm.tensormap.replace.swizzle.atomicity.p3",
                             llvm::Type::getVoidTy(context));
  EXPECT_THAT(llvm::cantFail(emitPTX(module, "sm_100", 0)), HasSubstr(".version 8.8"));
}

TEST(Target, PtxasIsLookedForWhereTheUserSays) {
  EXPECT_THAT(llvm::toString(findPtxas("/nowhere").takeError()),
              testing::StrEq("ptxas not found, looked for /nowhere/bin/ptxas"));
}

TEST(Target, PtxasDiagnosticsComeBack) {
  if (!havePtxas())
    GTEST_SKIP() << "ptxas not found";
  llvm::Expected<std::string> cubin = assemblePTX("nonsense", PtxasOptions());
  EXPECT_THAT(llvm::toString(cubin.takeError()), HasSubstr("ptxas failed with exit code"));
}

// The threads that take no part in an atomic would loop among themselves, through barriers of their own.
TEST(Target, TurnsOfLoopsWithBarriersStayTogether) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic diagnostic;
  std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(R"(
@shared = external addrspace(3) global i32
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
define ptx_kernel void @kernel(ptr addrspace(1) %count, ptr addrspace(1) %turns) {
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp eq i32 %thread, 0
  br label %head
head:
  br i1 %first, label %add, label %added
add:
  %old = atomicrmw add ptr addrspace(1) %count, i32 1 monotonic
  br label %added
added:
  %value = phi i32 [ 1, %head ], [ %old, %add ]
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %first, label %write, label %written
write:
  store i32 %value, ptr addrspace(3) @shared
  br label %written
written:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %seen = load i32, ptr addrspace(3) @shared
  %done = icmp sge i32 %seen, 1
  br i1 %done, label %end, label %next
next:
  br i1 %first, label %turn, label %turned
turn:
  %old2 = atomicrmw add ptr addrspace(1) %turns, i32 1 monotonic
  br label %turned
turned:
  br label %head
end:
  ret void
}
)",
                                                                   diagnostic, context);
  ASSERT_TRUE(module) << diagnostic.getMessage().str();
  llvm::cantFail(optimizeForPTX(*module, "sm_90", 3));
  unsigned barriers = 0;
  for (const llvm::BasicBlock &block : *module->getFunction("kernel"))
    for (const llvm::Instruction &instruction : block)
      if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction))
        barriers += call->isConvergent();
  EXPECT_EQ(barriers, 2u);
}

} // namespace
