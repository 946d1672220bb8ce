//===- SpecialFunctionsTest.cpp - approximations and NaN against an H200 ----------------------===//
//
// Digests (CRC-32 of the words, least significant byte first) of what an H200 gave for inputs that
// are named here (2026-11-28).
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/devices/sass/SpecialFunctions.h"

#include "oracles/devices/sass/Sass.h"
#include "oracles/devices/sass/SassTestSupport.h"

#include "llvm/Support/CRC.h"
#include "llvm/Support/FormatVariadic.h"

#include <numeric>

using namespace tilesmith;
using namespace tilesmith::sass;

namespace {

template <typename T> uint32_t digestOf(const std::vector<T> &words) {
  return llvm::crc32({reinterpret_cast<const uint8_t *>(words.data()), words.size() * sizeof(T)});
}

// ---- the functions ----

/// Every 29th of `count` inputs from `first` on; those of sines are multiplied by 1 / (2 pi) as
/// the PTX instruction does.
struct Range {
  SpecialFunction function;
  uint32_t first, count, digest;
};

const Range kRanges[] = {
    {SpecialFunction::Sine, 0x3f000000, 8388608, 0x4fac2eaa},
    {SpecialFunction::Sine, 0x3f800000, 8388608, 0xe098e11d},
    {SpecialFunction::Sine, 0x40800000, 8388608, 0x1585cae1},
    {SpecialFunction::Cosine, 0x3f000000, 8388608, 0xdba30af7},
    {SpecialFunction::Cosine, 0x40000000, 8388608, 0xc44e3378},
    {SpecialFunction::Cosine, 0x40800000, 8388608, 0x8e519ad5},
    {SpecialFunction::Exponential, 0x3f800000, 8388608, 0xc50ad66c},
    {SpecialFunction::Exponential, 0xbf000000, 8388608, 0x6bab3997},
    {SpecialFunction::Logarithm, 0x3f000000, 8388000, 0xc19e66b5},
    {SpecialFunction::Logarithm, 0x3f800578, 8387208, 0x52c41aa5},
    {SpecialFunction::Logarithm, 0x40000000, 8388608, 0x0653a435},
    {SpecialFunction::Reciprocal, 0x3f800000, 8388608, 0x8040c156},
    {SpecialFunction::ReciprocalRoot, 0x3f800000, 16777216, 0xa1650512},
    {SpecialFunction::Root, 0x3f800000, 16777216, 0x2579c7a2},
    {SpecialFunction::Tanh, 0x3d800000, 8388608, 0xe7de28b3},
    {SpecialFunction::Tanh, 0x3f000000, 8388608, 0xa2cb3267},
    {SpecialFunction::Tanh, 0x3f800000, 8388608, 0x3696ba60},
    {SpecialFunction::Tanh, 0x40000000, 8388608, 0xe3ce4dde},
    {SpecialFunction::Tanh, 0x40800000, 8388608, 0x93dacab3},
    {SpecialFunction::ReciprocalHigh, 0x3ff00000, 1048576, 0xe9e79330},
    {SpecialFunction::ReciprocalRootHigh, 0x3ff00000, 2097152, 0x491d55b4},
};

uint32_t turnsOf(uint32_t radians) {
  const double product =
      double{emulator::bitsTo<float>(radians)} * emulator::bitsTo<float>(uint32_t{0x3e22f983});
  return emulator::encode(product, emulator::kF32, emulator::Round::Zero);
}

TEST(SpecialFunctions, AgreeWithAnH200OverBinades) {
  for (const Range &range : kRanges) {
    const bool inTurns =
        range.function == SpecialFunction::Sine || range.function == SpecialFunction::Cosine;
    std::vector<uint32_t> results;
    for (uint32_t k = 0; k < range.count; k += 29) {
      const uint32_t x = range.first + k;
      results.push_back(approximate(range.function, inTurns ? turnsOf(x) : x));
    }
    EXPECT_EQ(digestOf(results), range.digest)
        << llvm::formatv("function {0} from {1:x} on", int(range.function), range.first).str();
  }
}

TEST(SpecialFunctions, RoundedOnceIsNearTheApproximation) {
  for (auto function : {SpecialFunction::Reciprocal, SpecialFunction::ReciprocalRoot,
                        SpecialFunction::Root, SpecialFunction::Exponential})
    for (uint32_t x = 0x3f800000; x < 0x40000000; x += 4099)
      EXPECT_LE(std::abs(static_cast<int32_t>(roundedOnce(function, x) - approximate(function, x))),
                2);
  EXPECT_EQ(roundedOnce(SpecialFunction::Tanh, 0x3f800000), 0x3f42f7d6u);
  EXPECT_EQ(approximate(SpecialFunction::Tanh, 0x3f800000), 0x3f42f848u);
}

// ---- instructions ----

/// `%x` to `%w`, or `%h` in place. Inputs: the eight least numbers of so many signs and exponents, or
/// all numbers of 16 bits (0 exponents).
struct Instructions {
  const char *name, *body;
  unsigned exponents;
  uint32_t digest;
};

const Instructions kInstructions[] = {
    {"sin", "sin.approx.ftz.f32 %w, %x;", 512, 0xb708d256},
    {"cos", "cos.approx.ftz.f32 %w, %x;", 512, 0x8fba1470},
    {"ex2", "ex2.approx.ftz.f32 %w, %x;", 512, 0x50591e3b},
    {"lg2", "lg2.approx.ftz.f32 %w, %x;", 512, 0xce6907ee},
    {"rcp", "rcp.approx.ftz.f32 %w, %x;", 512, 0xbe96de99},
    {"rsqrt", "rsqrt.approx.ftz.f32 %w, %x;", 512, 0x749798e3},
    {"sqrt", "sqrt.approx.ftz.f32 %w, %x;", 512, 0x02177695},
    {"tanh", "tanh.approx.f32 %w, %x;", 512, 0xc5fb2788},
    {"rcp64", "mov.b64 %d, {0, %x}; rcp.approx.ftz.f64 %d, %d; mov.b64 {_, %w}, %d;", 4096,
     0xbf578a73},
    {"rsqrt64", "mov.b64 %d, {0, %x}; rsqrt.approx.ftz.f64 %d, %d; mov.b64 {_, %w}, %d;", 4096,
     0x0bdcc918},
    {"ex2f16", "ex2.approx.f16 %h, %h;", 0, 0xe7ec0591},
    {"tanhf16", "tanh.approx.f16 %h, %h;", 0, 0xd918bd7d},
    {"ex2bf16", "ex2.approx.ftz.bf16 %h, %h;", 0, 0x1aaff67b},
    {"tanhbf16", "tanh.approx.bf16 %h, %h;", 0, 0x040564ea},
    {"ex2f16x2", "ex2.approx.f16x2 %w, %x;", 0, 0x5f92282d},
    {"tanhf16x2", "tanh.approx.f16x2 %w, %x;", 0, 0x52ca4e34},
    {"ex2bf16x2", "ex2.approx.ftz.bf16x2 %w, %x;", 0, 0x33bff16b},
    {"tanhbf16x2", "tanh.approx.bf16x2 %w, %x;", 0, 0xf9e4b0b2},
};

bool isPair(const Instructions &i) {
  return llvm::StringRef(i.name).ends_with("x2");
}

/// A kernel for each: element by element, `width` bytes apart.
std::string kernelOf(llvm::StringRef name, llvm::StringRef body, unsigned in, unsigned out) {
  return llvm::formatv(false,
                       ".visible .entry {0}(.param .u64 in, .param .u64 out) .maxntid 128 {{\n"
                       ".reg .b64 %in, %out, %d, %o; .reg .b32 %x, %w, %t, %n; .reg .b16 %h;\n"
                       ".reg .f64 %a, %b, %c;\n"
                       "ld.param.u64 %in, [in]; ld.param.u64 %out, [out];\n"
                       "cvta.to.global.u64 %in, %in; cvta.to.global.u64 %out, %out;\n"
                       "mov.u32 %t, %tid.x; mov.u32 %n, %ctaid.x; mad.lo.u32 %t, %n, 128, %t;\n"
                       "mul.wide.u32 %o, %t, {1}; add.u64 %in, %in, %o;\n"
                       "mul.wide.u32 %o, %t, {2}; add.u64 %out, %out, %o;\n{3}\nret;\n}\n",
                       name, in, out, body);
}

std::string textFor(llvm::StringRef gpu) {
  std::string text = ".version 8.6\n.target " + gpu.str() + "\n.address_size 64\n";
  for (const Instructions &i : kInstructions) {
    if (gpu == "sm_80" && llvm::StringRef(i.name).contains("bf16"))
      continue;
    const bool half = i.exponents == 0 && !isPair(i);
    text +=
        kernelOf(i.name,
                 std::string("ld.global.b32 %x, [%in];\n") + (half ? "cvt.u16.u32 %h, %x;\n" : "") +
                     i.body + (half ? "\ncvt.u32.u16 %w, %h;" : "") + "\nst.global.b32 [%out], %w;",
                 4, 4);
  }
  return text + kernelOf("fma64",
                         "ld.global.f64 %a, [%in]; ld.global.f64 %b, [%in+8];\n"
                         "ld.global.f64 %c, [%in+16]; fma.rn.f64 %a, %a, %b, %c;\n"
                         "st.global.f64 [%out], %a;",
                         24, 8);
}

template <typename T, typename S>
std::vector<T> run(Program &program, llvm::StringRef kernel, const std::vector<S> &in,
                   size_t count) {
  std::vector<T> out(count);
  program.clearRanges();
  program.addRange(const_cast<S *>(in.data()), in.size() * sizeof(S), "in");
  program.addRange(out.data(), out.size() * sizeof(T), "out");
  LaunchConfig config;
  config.block = {128, 1, 1};
  config.grid = {static_cast<unsigned>(count / 128), 1, 1};
  const Report report =
      program.launch(kernel.str(), config, {argument(in.data()), argument(out.data())});
  EXPECT_TRUE(report.ok()) << kernel.str() << ": " << report.message;
  return out;
}

std::vector<uint32_t> inputsOf(const Instructions &i) {
  std::vector<uint32_t> in;
  const unsigned fraction = i.exponents == 512 ? 23 : 20;
  for (uint32_t k = 0; k < 8 * i.exponents; ++k)
    in.push_back(k / 8 << fraction | k % 8);
  for (uint32_t k = 0; in.size() < 65536 && i.exponents == 0; ++k)
    in.push_back(isPair(i) ? k | (k ^ 0xffff) << 16 : k);
  return in;
}

void checkMeasured(llvm::ArrayRef<uint8_t> cubin) {
  auto program = llvm::cantFail(Program::create(cubin));
  for (const Instructions &i : kInstructions) {
    const std::vector<uint32_t> in = inputsOf(i);
    EXPECT_EQ(digestOf(run<uint32_t>(*program, i.name, in, in.size())), i.digest) << i.name;
  }
}

/// All triples of ten doubles: of which source a NaN is.
void checkNaNOfDoubles(llvm::ArrayRef<uint8_t> cubin) {
  static constexpr uint64_t kValues[] = {
      0x3ff0000000000000, 0x7ff0000000000000, 0xfff0000000000000, 0,
      0x7ff8000000000001, 0xfff8000000000002, 0x7ff0000000000003, 0xfff0000000000004,
      0x7ff8000000000005, 0x8000000000000000};
  auto program = llvm::cantFail(Program::create(cubin));
  std::vector<uint64_t> in(3 * 1024);
  for (unsigned k = 0; k < 1000; ++k) {
    in[3 * k] = kValues[k % 10];
    in[3 * k + 1] = kValues[k / 10 % 10];
    in[3 * k + 2] = kValues[k / 100];
  }
  std::vector<uint64_t> out = run<uint64_t>(*program, "fma64", in, 1024);
  out.resize(1000);
  EXPECT_EQ(digestOf(out), 0xdad3ec87);
}

/// Halves on a chip that was not measured: every one is rounded to nearest.
void checkHalvesRoundedOnce(llvm::ArrayRef<uint8_t> cubin) {
  auto program = llvm::cantFail(Program::create(cubin));
  std::vector<uint32_t> in(32768);
  std::iota(in.begin(), in.end(), 0);
  const std::vector<uint32_t> out = run<uint32_t>(*program, "tanhf16", in, in.size());
  for (uint32_t k = 0; k < 0x7c00; ++k) {
    const double x = emulator::decode(k, emulator::kF16);
    ASSERT_EQ(out[k], emulator::encode(float(std::tanh(x)), emulator::kF16)) << k;
  }
}

TEST(SpecialFunctions, InstructionsGiveWhatAnH200Gives) {
  checkAtBothLevels(textFor("sm_90"), "sm_90", "special.sm_90.O3.cubin", checkMeasured);
}

TEST(SpecialFunctions, NaNOfDoublesIsOfTheSecondThirdOrFirstSource) {
  checkAtBothLevels(textFor("sm_90"), "sm_90", "special.sm_90.O3.cubin", checkNaNOfDoubles);
}

TEST(SpecialFunctions, HalvesOfOtherChipsAreRoundedOnce) {
  checkAtBothLevels(textFor("sm_80"), "sm_80", "special.sm_80.O3.cubin", checkHalvesRoundedOnce);
}

TEST(SpecialFunctions, StoredCubinsRunWithoutCuda) {
  checkMeasured(readBytes(corpusFile("special.sm_90.O3.cubin")));
  checkNaNOfDoubles(readBytes(corpusFile("special.sm_90.O3.cubin")));
  checkHalvesRoundedOnce(readBytes(corpusFile("special.sm_80.O3.cubin")));
}

} // namespace
