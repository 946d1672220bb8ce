//===- SassNarrowingTest.cpp - conversions that clamp: .relu and .satfinite -------------------===//
//
// Every conversion of floats that PTX lets clamp at zero or at the largest number, of sm_90 and
// sm_100, through ptxas at two levels; numbers at the ends of the formats, infinities and NaN.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/devices/emulator/Numeric.h"
#include "oracles/devices/sass/Execute.h"
#include "oracles/devices/sass/Machine.h"
#include "oracles/devices/sass/Sass.h"
#include "oracles/devices/sass/SassTestSupport.h"

#include "llvm/Support/FormatVariadic.h"

#include "gmock/gmock.h"

#include <array>
#include <bit>
#include <cmath>

using namespace tilesmith;
using namespace tilesmith::sass;

namespace {

/// What PTX calls a conversion, and how it is written: of %x, or of %y (upper part) and %x, all in words.
struct Form {
  const char *ptx;
  const emulator::Format &from, &to;
  bool pair = true;
  bool blackwell = false; ///< from sm_100 on
};

const emulator::Format &kSingle = emulator::kF32;

const Form kForms[] = {
    {"rn.relu.f16", kSingle, emulator::kF16, false},
    {"rz.relu.f16", kSingle, emulator::kF16, false},
    {"rn.satfinite.f16", kSingle, emulator::kF16, false},
    {"rn.relu.satfinite.f16", kSingle, emulator::kF16, false},
    {"rn.relu.bf16", kSingle, emulator::kBF16, false},
    {"rn.satfinite.bf16", kSingle, emulator::kBF16, false},
    {"rn.relu.satfinite.bf16", kSingle, emulator::kBF16, false},
    {"rn.relu.f16x2", kSingle, emulator::kF16},
    {"rz.relu.f16x2", kSingle, emulator::kF16},
    {"rn.satfinite.f16x2", kSingle, emulator::kF16},
    {"rn.relu.satfinite.f16x2", kSingle, emulator::kF16},
    {"rn.satfinite.bf16x2", kSingle, emulator::kBF16},
    {"rz.relu.bf16x2", kSingle, emulator::kBF16},
    {"rn.relu.satfinite.bf16x2", kSingle, emulator::kBF16},
    {"rn.relu.tf32", kSingle, emulator::kTF32, false},
    {"rz.relu.tf32", kSingle, emulator::kTF32, false},
    {"rn.satfinite.relu.e4m3x2", kSingle, emulator::kE4M3},
    {"rn.satfinite.relu.e5m2x2", kSingle, emulator::kE5M2},
    {"rn.satfinite.relu.e4m3x2", emulator::kF16, emulator::kE4M3},
    {"rn.satfinite.relu.e5m2x2", emulator::kF16, emulator::kE5M2},
    {"rn.relu.f16x2", emulator::kE4M3, emulator::kF16},
    {"rn.relu.f16x2", emulator::kE5M2, emulator::kF16},
    {"rn.satfinite.tf32", kSingle, emulator::kTF32, false, true},
    {"rn.relu.satfinite.tf32", kSingle, emulator::kTF32, false, true},
    {"rz.satfinite.tf32", kSingle, emulator::kTF32, false, true},
    {"rn.satfinite.relu.e2m1x2", kSingle, emulator::kE2M1, true, true},
    {"rn.relu.f16x2", emulator::kE2M1, emulator::kF16, true, true},
};

unsigned bitsOf(const emulator::Format &format) {
  return 1 + format.exponentBits + format.mantissaBits;
}
bool has(const Form &form, llvm::StringRef modifier) {
  return ("." + llvm::StringRef(form.ptx) + ".").str().find(("." + modifier + ".").str()) !=
         std::string::npos;
}

/// One number, as PTX says: NaN is NaN; nothing below +0; nothing beyond the largest number.
uint32_t converted(const Form &form, uint32_t bits) {
  double value = emulator::decode(bits, form.from);
  if (value != value)
    return emulator::encode(value, form.to, emulator::Round::Nearest, true);
  if (has(form, "relu"))
    value = value > 0 ? value : 0.0;
  const double largest = emulator::decode(form.to.maxFinite, form.to);
  if (has(form, "satfinite") && std::fabs(value) > largest)
    value = std::copysign(largest, value);
  return emulator::encode(value, form.to,
                          has(form, "rz") ? emulator::Round::Zero : emulator::Round::Nearest);
}

uint32_t expected(const Form &form, uint32_t x, uint32_t y) {
  const unsigned from = bitsOf(form.from), to = bitsOf(form.to);
  if (&form.to == &emulator::kTF32)
    return (x & 0x7fffffff) > 0x7f800000 ? 0x7fffffff : converted(form, x) << 13;
  if (!form.pair)
    return converted(form, x);
  const uint32_t mask = from == 32 ? ~0u : (1u << from) - 1;
  const uint32_t upper = from == 32 ? y : x >> from & mask;
  return converted(form, x & mask) | converted(form, upper) << to;
}

/// %w = the conversion, by registers of the types that it takes.
std::string instruction(const Form &form) {
  const unsigned from = bitsOf(form.from), to = bitsOf(form.to);
  const bool tf32 = &form.to == &emulator::kTF32;
  const bool wide = tf32 || to == 16;
  const char *result = wide && (tf32 || form.pair) ? "%w" : to == 4 ? "%b" : "%h";
  const std::string type = from == 32                       ? "f32"
                           : &form.from == &emulator::kF16  ? "f16x2"
                           : &form.from == &emulator::kE4M3 ? "e4m3x2"
                           : &form.from == &emulator::kE5M2 ? "e5m2x2"
                                                            : "e2m1x2";
  const char *source = from == 32   ? (form.pair ? "%y, %x" : "%x")
                       : from == 16 ? "%v"
                       : from == 8  ? "%g"
                                    : "%c";
  std::string text =
      "cvt." + std::string(form.ptx) + "." + type + " " + result + ", " + source + ";";
  if (result == std::string("%b"))
    text += " cvt.u32.u8 %w, %b;";
  else if (result == std::string("%h"))
    text += " cvt.u32.u16 %w, %h;";
  return text;
}

std::vector<const Form *> formsOf(bool blackwell) {
  std::vector<const Form *> forms;
  for (const Form &form : kForms)
    if (blackwell || !form.blackwell)
      forms.push_back(&form);
  return forms;
}

std::string text(bool blackwell) {
  const std::vector<const Form *> forms = formsOf(blackwell);
  std::string text = llvm::formatv(
      false,
      ".version 8.7\n.target {0}\n.address_size 64\n"
      ".visible .entry k(.param .u64 in, .param .u64 out) .maxntid 32 {{\n"
      ".reg .b64 %in, %out; .reg .b32 %t, %v, %w; .reg .f32 %x, %y; .reg .b16 %g, %h;\n"
      ".reg .b8 %b, %c; ld.param.u64 %in, [in]; ld.param.u64 %out, [out]; mov.u32 %t, %tid.x;\n"
      "mad.wide.u32 %in, %t, 8, %in; mad.wide.u32 %out, %t, {1}, %out;\n"
      "ld.global.f32 %x, [%in]; ld.global.f32 %y, [%in+4]; mov.b32 %v, %x;\n"
      "cvt.u16.u32 %g, %v; cvt.u8.u16 %c, %g;\n",
      blackwell ? "sm_100a" : "sm_90a", 4 * forms.size());
  for (size_t n = 0; n < forms.size(); ++n)
    text += instruction(*forms[n]) + llvm::formatv(" st.global.b32 [%out+{0}], %w;\n", 4 * n).str();
  return text + "ret; }\n";
}

std::vector<std::string> checkAll(llvm::ArrayRef<uint8_t> cubin, bool blackwell) {
  auto program = Program::create(cubin);
  if (!program)
    return {llvm::toString(program.takeError())};
  static constexpr float kValues[] = {0.0f,
                                      -0.0f,
                                      1.5f,
                                      -1.5f,
                                      65504,
                                      65519,
                                      65520,
                                      -65520,
                                      448,
                                      465,
                                      -500,
                                      57344,
                                      61441,
                                      5.5f,
                                      -7,
                                      0.25f,
                                      3e-8f,
                                      -3e-8f,
                                      1e-40f,
                                      0x1.ffcp9f,
                                      0x1.002p0f,
                                      3.39e38f,
                                      -3.4e38f,
                                      0x1.fffp127f,
                                      INFINITY,
                                      -INFINITY,
                                      NAN,
                                      -NAN,
                                      0x1.fffffep127f,
                                      -0x1.fffffep127f,
                                      0x1.0021p-3f,
                                      6};
  const std::vector<const Form *> forms = formsOf(blackwell);
  std::vector<std::array<uint32_t, 2>> in(32);
  for (unsigned l = 0; l < 32; ++l)
    in[l] = {std::bit_cast<uint32_t>(kValues[l]), std::bit_cast<uint32_t>(kValues[(l + 5) % 32])};
  // Small formats are read from the low bits: let all of them occur.
  for (unsigned l = 0; l < 32; ++l)
    in[l][0] |= (in[l][0] & 0xffff) == 0 && std::isfinite(kValues[l]) ? l * 0x0909 : 0;
  std::vector<uint32_t> out(32 * forms.size());
  (*program)->addRange(in.data(), in.size() * sizeof(in[0]), "in");
  (*program)->addRange(out.data(), out.size() * sizeof(out[0]), "out");
  LaunchConfig config;
  config.block = {32, 1, 1};
  const Report report =
      (*program)->launch("k", config, {argument(in.data()), argument(out.data())});
  if (!report.ok())
    return {report.message};
  std::vector<std::string> wrong;
  for (unsigned l = 0; l < 32; ++l)
    for (size_t n = 0; n < forms.size(); ++n)
      if (const uint32_t want = expected(*forms[n], in[l][0], in[l][1]),
          found = out[l * forms.size() + n];
          found != want)
        wrong.push_back(llvm::formatv("{0} of {1:x}, {2:x}: expected {3:x}, found {4:x}",
                                      instruction(*forms[n]), in[l][0], in[l][1], want, found));
  return wrong;
}

constexpr const char *kStored90 = "narrowing.sm_90.O3.cubin",
                     *kStored100 = "narrowing.sm_100.O3.cubin";

TEST(SassNarrowingTest, HopperClampsAsPtxSays) {
  checkAtBothLevels(text(false), "sm_90a", kStored90, [](llvm::ArrayRef<uint8_t> cubin) {
    EXPECT_THAT(checkAll(cubin, false), testing::IsEmpty());
  });
}
TEST(SassNarrowingTest, BlackwellClampsAsPtxSays) {
  checkAtBothLevels(text(true), "sm_100a", kStored100, [](llvm::ArrayRef<uint8_t> cubin) {
    EXPECT_THAT(checkAll(cubin, true), testing::IsEmpty());
  });
}

TEST(SassNarrowingTest, StoredCubinsRunWithoutCuda) {
  EXPECT_THAT(checkAll(readBytes(corpusFile(kStored90)), false), testing::IsEmpty());
  EXPECT_THAT(checkAll(readBytes(corpusFile(kStored100)), true), testing::IsEmpty());
}

/// The function of a row, without one of its modifiers.
template <Execute execute, unsigned modifier> void without(Warp &w, const Instruction &i) {
  Instruction j = i;
  j.mods[modifier] = 0;
  execute(w, j);
}

// Each row with a wrong function: the stored cubin must show it.
TEST(SassNarrowingTest, AWrongFunctionInARowShows) {
  static constexpr std::pair<const char *, Execute> kPlanted[] = {
      {"F2FP.PACK_AB", without<executeF2fp, 1>},
      {"F2FP.PACK_AB", without<executeF2fp, 3>},
      {"F2FP.F32.MERGE_C", without<executeF2fpHalf, 1>},
      {"F2FP.F32.MERGE_C", without<executeF2fpHalf, 3>},
      {"F2FP.TF32.F32.PACK_B", without<executeF2fpTf32, 1>},
      {"F2FP.TF32.F32.PACK_B", without<executeF2fpTf32, 2>},
      {"F2FP.SATFINITE.F32.PACK_AB_MERGE_C", without<executeF2fp8, 1>},
      {"F2FP.SATFINITE.F16.UNPACK_B_MERGE_C", without<executeF2fp8Half, 1>},
      {"F2FP.F16.UNPACK_B", without<executeF2fpUnpack, 2>},
      {"F2FP.F16.E2M1.UNPACK_B", without<executeF2fpUnpackE2m1, 1>},
      {"F2FP.SATFINITE.E2M1.F32.PACK_AB_MERGE_C", without<executeF2fpE2m1, 0>},
  };
  const std::vector<uint8_t> cubin = readBytes(corpusFile(kStored100));
  for (auto [name, wrong] : kPlanted) {
    PlantedRow planted(name, wrong);
    EXPECT_THAT(checkAll(cubin, true), testing::Not(testing::IsEmpty())) << name;
  }
}

} // namespace
