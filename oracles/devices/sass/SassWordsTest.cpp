//===- SassWordsTest.cpp - forms that ptxas makes of no PTX that we know, word by word ---------===//
//
// tileiras compiles with a ptxas that uses forms which the public one makes of no PTX: conversions
// by uniform registers, predicates of bytes. A program of such words is put in the place of a stored
// kernel's code; what it leaves is compared with a function. Words are built field by field, as the
// vendor's disassembler spells them. One file, though long: a list of words, each with its function.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/devices/sass/SassWords.h"
#include "oracles/devices/emulator/Numeric.h"
#include "oracles/devices/sass/Cubin.h"
#include "oracles/devices/sass/Execute.h"
#include "oracles/devices/sass/Instruction.h"
#include "oracles/devices/sass/Machine.h"
#include "oracles/devices/sass/Sass.h"
#include "oracles/devices/sass/SassTestSupport.h"

#include "llvm/Support/FormatVariadic.h"

#include "gmock/gmock.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <initializer_list>

using namespace tilesmith;
using namespace tilesmith::sass;

namespace {

// ---- the frame: arguments to registers, a result to memory ----

/// Argument `in` is at 0x380 of bank 0, `out`, `m` and `n` behind it; LDC.64 R2 and LDCU.64 UR4.
constexpr unsigned kOut = 0x388, kNumbers = 0x390, kUniform = 0xff;
Word outToR2() {
  return word(0xb82, {{16, 8, 2}, {24, 8, kRZ}, {40, 14, kOut / 4}, {73, 3, 5}});
}
Word numbersToUR4() {
  return word(0x7ac, {{16, 8, 4}, {24, 8, kUniform}, {37, 17, kNumbers}, {73, 3, 5}, {91, 1, 1}});
}

/// The result of a program that leaves it in R4 and R5, of two numbers in UR4 and UR5.
std::string run(std::vector<Word> body, uint32_t m, uint32_t n, uint64_t &result,
                llvm::StringRef stored = "chips.sm_120.O3.cubin") {
  std::vector<uint8_t> file = readBytes(corpusFile(stored));
  std::vector<Word> program = {outToR2(), numbersToUR4()};
  program.insert(program.end(), body.begin(), body.end());
  program.push_back(store64());
  program.push_back(exitWord());
  if (std::string problem = putProgram(file, program); !problem.empty())
    return problem;
  auto loaded = Program::create(file);
  if (!loaded)
    return llvm::toString(loaded.takeError());
  uint64_t out[32] = {};
  (*loaded)->addRange(out, sizeof out, "out");
  LaunchConfig config;
  config.block = {32, 1, 1};
  config.maxInstructions = 10'000;
  const Report report = (*loaded)->launch(
      "k", config, {argument(uint64_t{0}), argument(&out[0]), argument(m), argument(n)});
  result = out[0];
  return report.ok() ? "" : report.message;
}

/// A word under test, which leaves its result in UR8 and UR9, and its value.
struct Uniform {
  const char *spelled;
  std::vector<Word> words;
  uint64_t (*expected)(uint32_t m, uint32_t n);
};

uint32_t toFormat(uint32_t bits, const emulator::Format &format, emulator::Round round,
                  bool saturates) {
  return static_cast<uint32_t>(
      emulator::encode(emulator::decode(bits, emulator::kF32), format, round, saturates));
}

/// UF2FP.SATFINITE.*.F32.PACK_AB_MERGE_C UR8, UR4, UR5, URc
Word packBytes(bool e4m3, unsigned c) {
  return word(0x2ba, {{16, 8, 8},
                      {24, 8, 4},
                      {32, 8, 5},
                      {64, 8, c},
                      {75, 1, e4m3},
                      {76, 3, 6},
                      {79, 13, 0x1848}});
}
/// UF2F.F16.F32 and UF2F.BF16.F32: UR8, UR4
Word narrow(unsigned type, unsigned round) {
  return word(0x25b,
              {{16, 8, 8}, {32, 8, 4}, {75, 3, type}, {78, 2, round}, {84, 3, 2}, {91, 1, 1}});
}
/// UF2FP.F16.F32.PACK_AB and UF2FP.BF16.F32.PACK_AB: UR8, UR4, UR5
Word packHalves(bool f16, unsigned round) {
  return word(0x2ba, {{16, 8, 8},
                      {24, 8, 4},
                      {32, 8, 5},
                      {64, 8, kUniform},
                      {75, 1, f16},
                      {79, 2, round},
                      {85, 1, 1},
                      {91, 1, 1}});
}
/// UI2F of so many bytes (0: 1, 1: 2, 2: 4) of UR4: UR8
Word fromInteger(bool isSigned, unsigned size, unsigned part) {
  return word(0x25a, {{16, 8, 8},
                      {32, 8, 4},
                      {60, 2, part},
                      {74, 1, isSigned},
                      {75, 3, 2},
                      {84, 2, size},
                      {91, 1, 1}});
}
/// A float operation of UR4 and UR5, with UPT or !UPT: UR8
Word floats(unsigned opcode, std::initializer_list<Field> fields) {
  Word of = word(opcode, {{16, 8, 8}, {24, 8, 4}, {32, 8, 5}, {87, 3, 7}, {91, 1, 1}});
  for (auto [bit, width, value] : fields)
    (bit < 64 ? of.low : of.high) |= value << bit % 64;
  return of;
}
Word selectBy2() { // UFSEL UR8, UR4, UR5, UP2
  return word(0x251, {{16, 8, 8}, {24, 8, 4}, {32, 8, 5}, {87, 3, 2}, {91, 1, 1}});
}
float toFloat(uint32_t bits) {
  return std::bit_cast<float>(bits);
}
const Uniform kUniforms[] = {
    {"UF2FP.SATFINITE.F32.PACK_AB_MERGE_C.E4M3",
     {packBytes(true, kUniform)},
     [](uint32_t m, uint32_t n) {
       return uint64_t{toFormat(m, emulator::kE4M3, emulator::Round::Nearest, true) << 8 |
                       toFormat(n, emulator::kE4M3, emulator::Round::Nearest, true)};
     }},
    {"UF2FP.SATFINITE.F32.PACK_AB_MERGE_C.E5M2",
     {packBytes(false, 5)},
     [](uint32_t m, uint32_t n) {
       return uint64_t{n << 16 | toFormat(m, emulator::kE5M2, emulator::Round::Nearest, true) << 8 |
                       toFormat(n, emulator::kE5M2, emulator::Round::Nearest, true)};
     }},
    {"UFADD UR8,UR4,UR5",
     {word(0x254, {{16, 8, 8}, {24, 8, 4}, {64, 8, 5}, {91, 1, 1}})},
     [](uint32_t m, uint32_t n) {
       return uint64_t{std::bit_cast<uint32_t>(std::bit_cast<float>(m) + std::bit_cast<float>(n))};
     }},
    {"UFADD UR8,-UR4,f:0xc37ff000",
     {word(0x454, {{16, 8, 8}, {24, 8, 4}, {32, 32, 0xc37ff000}, {72, 1, 1}, {91, 1, 1}})},
     [](uint32_t m, uint32_t) {
       return uint64_t{std::bit_cast<uint32_t>(-255.9375f - std::bit_cast<float>(m))};
     }},
    {"UF2F.F16.F32.RP",
     {narrow(1, 2)},
     [](uint32_t m, uint32_t) {
       return uint64_t{toFormat(m, emulator::kF16, emulator::Round::Up, false)};
     }},
    {"UF2F.BF16.F32",
     {narrow(4, 0)},
     [](uint32_t m, uint32_t) {
       return uint64_t{toFormat(m, emulator::kBF16, emulator::Round::Nearest, false)};
     }},
    {"UF2FP.F16.F32.PACK_AB",
     {packHalves(true, 0)},
     [](uint32_t m, uint32_t n) {
       return uint64_t{toFormat(m, emulator::kF16, emulator::Round::Nearest, false) << 16 |
                       toFormat(n, emulator::kF16, emulator::Round::Nearest, false)};
     }},
    {"UF2FP.BF16.F32.PACK_AB.RZ",
     {packHalves(false, 3)},
     [](uint32_t m, uint32_t n) {
       return uint64_t{toFormat(m, emulator::kBF16, emulator::Round::Zero, false) << 16 |
                       toFormat(n, emulator::kBF16, emulator::Round::Zero, false)};
     }},
    {"UF2FP.TF32.F32.PACK_B UR8,UR4",
     {word(0x2ba, {{16, 8, 8},
                   {24, 8, kUniform},
                   {32, 8, 4},
                   {64, 8, kUniform},
                   {75, 4, 0xb},
                   {85, 1, 1},
                   {89, 3, 5}})},
     [](uint32_t m, uint32_t) {
       return uint64_t{toFormat(m, emulator::kTF32, emulator::Round::Nearest, false) << 13};
     }},
    {"UI2F.S.8.F32.B1 UR8,UR4",
     {fromInteger(true, 0, 1)},
     [](uint32_t m, uint32_t) {
       return uint64_t{std::bit_cast<uint32_t>(static_cast<float>(static_cast<int8_t>(m >> 8)))};
     }},
    {"UI2F.U.16.F32.H1 UR8,UR4",
     {fromInteger(false, 1, 1)},
     [](uint32_t m, uint32_t) {
       return uint64_t{std::bit_cast<uint32_t>(static_cast<float>(m >> 16))};
     }},
    {"UI2F.S.32.F32 UR8,UR4",
     {fromInteger(true, 2, 0)},
     [](uint32_t m, uint32_t) {
       return uint64_t{std::bit_cast<uint32_t>(static_cast<float>(static_cast<int32_t>(m)))};
     }},
    {"UFMNMX UR8,UR4,UR5,!UPT",
     {floats(0x250, {{90, 1, 1}})},
     [](uint32_t m, uint32_t n) { return uint64_t{toFloat(m) > toFloat(n) ? m : n}; }},
    {"UFSEL UR8,UR4,UR5,!UPT",
     {floats(0x251, {{90, 1, 1}})},
     [](uint32_t, uint32_t n) { return uint64_t{n}; }},
    {"UFSET.BF.LT.AND UR8,UR4,|UR5|,UPT",
     {floats(0x252, {{76, 4, 1}, {62, 1, 1}})},
     [](uint32_t m, uint32_t n) {
       return uint64_t{toFloat(m) < toFloat(n & 0x7fffffff) ? 0x3f800000u : 0u};
     }},
    {"UFSETP.GT.AND UP2,UPT,UR4,UR5,UPT",
     {word(0x253,
           {{24, 8, 4}, {32, 8, 5}, {76, 4, 4}, {81, 3, 2}, {84, 3, 7}, {87, 3, 7}, {91, 1, 1}}),
      selectBy2()},
     [](uint32_t m, uint32_t n) { return uint64_t{toFloat(m) > toFloat(n) ? m : n}; }},
    {"UFFMA UR8,UR4,UR5,-UR4",
     {word(0x255, {{16, 8, 8}, {24, 8, 4}, {32, 8, 5}, {64, 8, 4}, {75, 1, 1}, {91, 1, 1}})},
     [](uint32_t m, uint32_t n) {
       return uint64_t{std::bit_cast<uint32_t>(std::fma(toFloat(m), toFloat(n), -toFloat(m)))};
     }},
    {"UVIMNMX.S32.RELU UR8,UR4,0x40000000,UPT",
     {word(0x84a, {{16, 8, 8},
                   {24, 8, 4},
                   {32, 32, 0x40000000},
                   {72, 2, 1},
                   {76, 1, 1},
                   {81, 6, 0x3f},
                   {87, 3, 7},
                   {91, 1, 1}})},
     [](uint32_t m, uint32_t) { return uint64_t{m >> 31 ? 0 : std::min(m, 0x40000000u)}; }},
    {"UIMAD.HI.U32 UR8,UPT,UR4,UR5,UR4,!UPT", // the third source is the pair UR4, UR5
     {word(0x2a6, {{16, 8, 8}, {24, 8, 4}, {32, 8, 5}, {64, 8, 4}, {81, 3, 7}, {87, 5, 31}})},
     [](uint32_t m, uint32_t n) { return (uint64_t{m} * n + (uint64_t{n} << 32 | m)) >> 32; }},
    {"UFRND.F32.F32.FLOOR UR8,UR4",
     {word(0x25d, {{16, 8, 8}, {32, 8, 4}, {75, 3, 2}, {78, 2, 1}, {84, 3, 2}, {91, 1, 1}})},
     [](uint32_t m, uint32_t) {
       return uint64_t{std::bit_cast<uint32_t>(std::floor(toFloat(m)))};
     }},
};

constexpr uint32_t kNumberPairs[][2] = {{0x3f99999a, 0xc2c80000}, {0x47c35000, 0x3a83126f},
                                        {0x80000000, 0x33000001}, {0x40490fdb, 0xbf800000},
                                        {0x3f9e0003, 0x44800001}, {0x42f70000, 0xc77fe000}};

std::vector<std::string> checkUniforms() {
  std::vector<std::string> wrong;
  for (const Uniform &form : kUniforms)
    for (auto [m, n] : kNumberPairs) {
      std::vector<Word> body = form.words;
      body.push_back(moveUniform(4, 8));
      body.push_back(moveImmediate(5, 0));
      uint64_t found = 0;
      const std::string why = run(body, m, n, found);
      const uint64_t want = form.expected(m, n);
      if (!why.empty() || found != want)
        wrong.push_back(llvm::formatv("{0} of {1:x}, {2:x}: expected {3:x}, found {4:x} {5}",
                                      form.spelled, m, n, want, found, why));
    }
  return wrong;
}

TEST(SassWordsTest, ConversionsByUniformRegisters) {
  for (const Uniform &form : kUniforms)
    if (auto instruction = decode(form.words.front(), 0, 120))
      EXPECT_THAT(print(*instruction), testing::StartsWith(form.spelled));
    else
      ADD_FAILURE() << llvm::toString(instruction.takeError());
  EXPECT_THAT(checkUniforms(), testing::IsEmpty());
}

// ---- predicates of bytes ----

/// R2P PR, R6.Bb, mask, and one bit of R4 for each predicate; UR2UP and USEL likewise, in UR8.
std::vector<Word> predicatesOfByte(bool uniform, unsigned byte, unsigned mask) {
  std::vector<Word> words;
  constexpr unsigned kValues = 4;
  if (uniform) {
    words.push_back(word(0x884, {{24, 8, kValues}, {32, 32, mask}, {76, 2, byte}, {91, 1, 1}}));
    words.push_back(moveImmediate(4, 0));
    for (unsigned p = 0; p < 7; ++p) {
      // USEL UR8, UR5, 0, UPp, where UR5 is all ones; a bit of it is added.
      words.push_back(word(0x887, {{16, 8, 8}, {24, 8, 5}, {32, 32, 0}, {87, 3, p}, {91, 1, 1}}));
      words.push_back(moveUniform(6, 8));
      words.push_back(word(0x812, {{16, 8, 6},
                                   {24, 8, 6},
                                   {32, 32, 1u << p},
                                   {64, 8, kRZ},
                                   {72, 8, 0xc0},
                                   {81, 3, 7},
                                   {87, 4, 15}}));
      words.push_back(word(0x212, {{16, 8, 4},
                                   {24, 8, 4},
                                   {32, 8, 6},
                                   {64, 8, kRZ},
                                   {72, 8, 0xfc},
                                   {81, 3, 7},
                                   {87, 4, 15}}));
    }
  } else {
    words.push_back(moveUniform(6, kValues));
    words.push_back(word(0x804, {{24, 8, 6}, {32, 32, mask}, {76, 2, byte}}));
    words.push_back(moveImmediate(4, 0));
    for (unsigned p = 0; p < 7; ++p) {
      // @Pp LOP3.LUT R4, R4, 1 << p, RZ, 0xfc
      Word set = word(0x812, {{16, 8, 4},
                              {24, 8, 4},
                              {32, 32, 1u << p},
                              {64, 8, kRZ},
                              {72, 8, 0xfc},
                              {81, 3, 7},
                              {87, 4, 15}});
      set.low = (set.low & ~uint64_t{0xf000}) | p << 12;
      words.push_back(set);
    }
  }
  words.push_back(moveImmediate(5, 0));
  return words;
}

std::vector<std::string> checkPredicates(bool uniform) {
  std::vector<std::string> wrong;
  for (unsigned byte = 0; byte < 4; ++byte)
    for (uint32_t values : {0x2b5d6a17u, 0xd4a295e8u}) {
      uint64_t found = 0;
      const std::string why = run(predicatesOfByte(uniform, byte, 0x7f), values, 0xffffffff, found);
      const uint64_t want = values >> (8 * byte) & 0x7f;
      if (!why.empty() || found != want)
        wrong.push_back(llvm::formatv("byte {0} of {1:x}: expected {2:x}, found {3:x} {4}", byte,
                                      values, want, found, why));
    }
  return wrong;
}

TEST(SassWordsTest, PredicatesOfBytes) {
  for (bool uniform : {false, true})
    EXPECT_THAT(checkPredicates(uniform), testing::IsEmpty()) << (uniform ? "UR2UP" : "R2P");
}

// ---- choices and branches by uniform predicates ----

std::vector<std::string> checkChoices() {
  std::vector<std::string> wrong;
  auto expect = [&](const char *what, const std::vector<Word> &body, uint64_t want) {
    uint64_t found = 0;
    constexpr uint32_t kM = 0x12345678, kN = 0x9abcdef0;
    const std::string why = run(body, kM, kN, found);
    if (!why.empty() || found != want)
      wrong.push_back(
          llvm::formatv("{0}: expected {1:x}, found {2:x} {3}", what, want, found, why));
  };
  constexpr uint64_t kPair = 0x9abcdef012345678, kOther = 0xfffffffff2345678;
  for (bool holds : {false, true}) {
    const Word compare = equals(0, holds ? 0x12345678 : 1);
    // USEL.64 UR8, UR4, -0xdcba988, UP0; the immediate has 33 bits.
    expect(
        "USEL.64 with an immediate",
        {compare,
         word(0x487,
              {{16, 8, 8}, {24, 8, 4}, {32, 32, 0xf2345678}, {64, 1, 1}, {87, 3, 0}, {91, 1, 1}}),
         moveUniform(4, 8), moveUniform(5, 9)},
        holds ? kPair : kOther);
    // USEL.64 UR8, UR4, UR10, !UP0, of the same two words the other way round
    expect("USEL.64 of registers",
           {compare, word(0xc82, {{16, 8, 10}, {32, 8, 5}, {91, 1, 1}}),
            word(0xc82, {{16, 8, 11}, {32, 8, 4}, {91, 1, 1}}),
            word(0xc87, {{16, 8, 8}, {24, 8, 4}, {32, 8, 10}, {87, 3, 0}, {90, 1, 1}, {91, 1, 1}}),
            moveUniform(4, 8), moveUniform(5, 9)},
           holds ? 0x123456789abcdef0 : kPair);
    // BRA.U UP0 over one word
    for (bool negated : {false, true}) {
      Word branch = word(
          0x547, {{24, 3, 0}, {27, 1, negated}, {32, 2, 1}, {16, 8, 4}, {87, 4, 7}, {91, 1, 1}});
      expect("BRA.U",
             {compare, moveImmediate(4, 1), moveImmediate(5, 0), branch, moveImmediate(4, 2)},
             holds != negated ? 1 : 2);
    }
  }
  return wrong;
}

TEST(SassWordsTest, ChoicesAndBranchesByUniformPredicates) {
  EXPECT_THAT(checkChoices(), testing::IsEmpty());
}

// The time in two registers, of which the second is the upper half.
TEST(SassWordsTest, TheTimeInUniformRegisters) {
  constexpr unsigned kTime = 0x52; // SR_GLOBALTIMERLO
  auto time = [](bool wide) { return word(0x8cb, {{16, 8, 8}, {72, 8, kTime}, {80, 1, wide}}); };
  auto instruction = decode(time(true), 0, 120);
  ASSERT_TRUE(bool(instruction)) << llvm::toString(instruction.takeError());
  EXPECT_EQ(print(*instruction), "CS2UR UR8,SR_GLOBALTIMERLO");
  constexpr uint32_t kBefore = 0x77; // no time: a step is a microsecond
  for (bool wide : {false, true}) {
    uint64_t found = 0;
    EXPECT_EQ(run({word(0x882, {{16, 8, 8}, {32, 32, kBefore}}),
                   word(0x882, {{16, 8, 9}, {32, 32, kBefore}}), time(wide), moveUniform(4, 8),
                   moveUniform(5, 9)},
                  0, 0, found),
              "");
    EXPECT_EQ(static_cast<uint32_t>(found) % 1000, 0u) << "in nanoseconds";
    EXPECT_EQ(found >> 32 == kBefore, !wide);
  }
}

// ATOMG.E.ADD.STRONG.GPU PT, R4, [R6.64+UR8], R10, twice: the uniform pair is the base, as in code that writes tensor maps.
TEST(SassWordsTest, AtomicsAtAUniformBase) {
  const auto toUniform = [](unsigned to, unsigned from) { // R2UR
    return word(0x2ca, {{16, 8, to}, {24, 8, from}, {81, 3, 7}});
  };
  const Word add = word(0x9a8, {{16, 8, 4},
                                {24, 8, 6},
                                {32, 8, 10},
                                {63, 1, 1},
                                {64, 8, 8},
                                {72, 1, 1},
                                {77, 4, 7},
                                {81, 3, 7},
                                {84, 3, 1},
                                {91, 1, 1}});
  auto instruction = decode(add, 0, 120);
  ASSERT_TRUE(bool(instruction)) << llvm::toString(instruction.takeError());
  EXPECT_EQ(print(*instruction), "ATOMG.E.ADD.STRONG.GPU PT,R4,[R6+UR8],R10");
  constexpr uint32_t kAddend = 1001;
  uint64_t found = 0;
  EXPECT_EQ(run({toUniform(8, 2), toUniform(9, 3), moveImmediate(6, 0), moveImmediate(7, 0),
                 moveUniform(10, 4), add, add, moveImmediate(5, 0)},
                kAddend, 0, found),
            "");
  EXPECT_EQ(found, 63 * kAddend) << "of all lanes once, and of 31 again";
}

// ---- a barrier of two groups at once ----

// Lanes 16 to 31 wait at B11 for all, while the others, as in a function that a call has brought them to, meet there in between.
TEST(SassWordsTest, ABarrierThatAFunctionBorrows) {
  constexpr unsigned kAll = 8, kHalf = 9;
  const std::vector<Word> body = {
      word(0x919, {{16, 8, 6}}), // S2R R6, SR_LANEID; ISETP.LT.U32 P0, R6, 16
      word(0x80c, {{24, 8, 6}, {32, 32, 16}, {68, 3, 7}, {76, 3, 1}, {84, 3, 7}, {87, 3, 7}}),
      lanesToMeet(0),
      saved(kAll, 0),
      guarded(branch(6), 0),
      restored(11, kAll),
      reconverged(11),
      word(0x806, {{16, 8, 4}, {72, 2, 1}, {81, 3, 7}, {87, 3, 7}}), // VOTE.ANY R4, PT, PT
      moveImmediate(5, 0),
      store64(),
      exitWord(),
      lanesToMeet(0),
      saved(kHalf, 0),
      restored(11, kHalf),
      reconverged(11),
      branch(-11)};
  uint64_t found = 0;
  EXPECT_EQ(run(body, 0, 0, found), "");
  EXPECT_EQ(found, 0xffffffff) << "all lanes are together";
}

// Two comparisons of doubles leave one predicate in order; who reads it waits for both scoreboards.
TEST(SassWordsTest, DoublesLeaveTheirResultsInOrder) {
  const auto compare = [](uint64_t scoreboard) { // DSETP.GE.AND P2, PT, R18, -5.6875, PT
    return Word{0xc016c0001200742a, 0x0000020003f46000 | scoreboard << 46};
  };
  const auto move = [](unsigned guard, uint64_t waits) {
    Word move = guarded(moveImmediate(4, 1), guard);
    move.high |= waits << 52;
    return move;
  };
  const Word low = moveImmediate(18, 0), high = moveImmediate(19, 0), zero = moveImmediate(4, 0),
             upper = moveImmediate(5, 0);
  uint64_t found = 0;
  EXPECT_EQ(run({low, high, zero, upper, compare(1), compare(2), move(2, 6)}, 0, 0, found), "");
  EXPECT_EQ(found, 1u);
  EXPECT_THAT(run({low, high, zero, upper, compare(1), compare(2), move(2, 2)}, 0, 0, found),
              testing::HasSubstr("P2 is read before the instruction"));
}

// sm_103 multiplies bytes slowly, one product behind the other: each has read its operands before a
// later one leaves its result, and nobody but a product may overwrite them without a wait.
TEST(SassWordsTest, ProductsOfBytesReadTheirOperandsInOrder) {
  const auto product = [](unsigned to, unsigned added) { // IMMA.16832.S8.S8 to, R8, R12, added
    return word(0x237, {{16, 8, to},
                        {24, 8, 8},
                        {32, 8, 12},
                        {64, 8, added},
                        {74, 3, 7},
                        {78, 1, 1},
                        {85, 2, 2},
                        {105, 4, 2},
                        {113, 3, 1}});
  };
  std::vector<Word> body;
  for (unsigned n = 8; n < 14; ++n)
    body.push_back(moveImmediate(n, 0x01010101));
  for (unsigned n = 16; n < 20; ++n)
    body.push_back(moveImmediate(n, 0));
  body.push_back(product(20, 16));
  std::vector<Word> overwritten = body;
  body.push_back(product(8, 20));
  body.push_back(word(0x202, {{16, 8, 4}, {32, 8, 8}, {72, 4, 15}, {116, 6, 2}})); // MOV R4, R8
  body.push_back(moveImmediate(5, 0));
  uint64_t found = 0;
  EXPECT_EQ(run(body, 0, 0, found), "");
  EXPECT_EQ(found, 64u);
  overwritten.push_back(moveImmediate(8, 0));
  EXPECT_THAT(run(overwritten, 0, 0, found),
              testing::HasSubstr("R8 is written before the instruction"));
}

// Each row with a wrong function: the programs above must show it.
/// FHADD2 R4, R6, R8 or, of a single float, RZ: two halves in R6 to the floats in R8 and R9. An upper
/// half or lower one, sign and all.
std::string addHalves(unsigned type, bool single, uint64_t &result) {
  const bool bfloat = type == 2;
  const emulator::Format &format = bfloat ? emulator::kBF16 : emulator::kF16;
  const auto halves =
      static_cast<uint32_t>(emulator::encode(1.5, format) | emulator::encode(-0.25, format) << 16);
  return run({moveImmediate(6, halves), moveImmediate(8, std::bit_cast<uint32_t>(16777216.0f)),
              moveImmediate(9, std::bit_cast<uint32_t>(3.0f)),
              word(0x64b, {{16, 8, 4},
                           {24, 8, 6},
                           {32, 8, single ? unsigned(kRZ) : 8u},
                           {84, 2, single ? 2u : 0u},
                           {87, 2, type}})},
             0, 0, result, "chips.sm_107.O3.cubin");
}

uint64_t floats(float low, float high) {
  return std::bit_cast<uint32_t>(low) | uint64_t{std::bit_cast<uint32_t>(high)} << 32;
}

// sm_107: one rounding to f32, each half to its own float.
TEST(SassWordsTest, HalvesAreAddedToPairsOfFloats) {
  for (unsigned type : {1u, 2u}) {
    uint64_t pair = 0, single = 0;
    EXPECT_EQ(addHalves(type, false, pair), "");
    EXPECT_EQ(pair, floats(16777218.0f, 2.75f)) << type;
    EXPECT_EQ(addHalves(type, true, single), "");
    EXPECT_EQ(single, floats(1.5f, -0.25f)) << type;
    PlantedRow planted("FHADD2", [](Warp &w, const Instruction &i) {
      Instruction j = i; // the other type of halves
      j.mods[0] ^= 3;
      executeFhadd2(w, j);
    });
    EXPECT_EQ(addHalves(type, true, single), "");
    EXPECT_NE(single, floats(1.5f, -0.25f)) << type;
  }
  uint64_t none;
  EXPECT_THAT(addHalves(3, false, none), testing::HasSubstr("FHADD2"));
}

TEST(SassWordsTest, AWrongFunctionInARowShows) {
  const auto uniforms = [] { return checkUniforms(); };
  const auto registers = [] { return checkPredicates(false); };
  const auto uniformPredicates = [] { return checkPredicates(true); };
  struct Planted {
    const char *name, *what;
    Execute wrong;
    std::vector<std::string> (*check)();
  };
  const Planted kPlanted[] = {
      {"UF2FP.SATFINITE.F32.PACK_AB_MERGE_C", "bytes change places",
       executeChanged<executeF2fp8, [](Instruction &j) { std::swap(j.ops[1], j.ops[2]); }>,
       uniforms},
      {"UFADD", "without a sign",
       executeChanged<executeFadd, [](Instruction &j) { j.ops[1].negative = false; }>, uniforms},
      {"UF2F", "rounded to nearest",
       executeChanged<executeF2f, [](Instruction &j) { j.mods[3] = 0; }>, uniforms},
      {"UF2FP.BF16.F32.PACK_AB", "of another type",
       executeChanged<executeF2fp, [](Instruction &j) { j.mods[0] = 0; }>, uniforms},
      {"UI2F", "the lowest byte", executeChanged<executeI2f, [](Instruction &j) { j.mods[4] = 0; }>,
       uniforms},
      {"UFSETP", "the other way round",
       executeChanged<executeFsetp, [](Instruction &j) { std::swap(j.ops[2], j.ops[3]); }>,
       uniforms},
      {"UFFMA", "without a sign",
       executeChanged<executeFfma, [](Instruction &j) { j.ops[3].negative = false; }>, uniforms},
      {"R2P", "the lowest byte", executeChanged<executeR2P, [](Instruction &j) { j.mods[0] = 0; }>,
       registers},
      {"UR2UP", "the next byte",
       executeChanged<executeR2P, [](Instruction &j) { j.mods[0] = (j.mods[0] + 1) & 3; }>,
       uniformPredicates},
      {"USEL.64", "the low half alone",
       [](Warp &w, const Instruction &i) {
         executeSel64(w, i);
         w.u[i.ops[0].index + 1] = 0;
       },
       checkChoices},
      {"USEL.64", "the other one",
       executeChanged<executeSel64, [](Instruction &j) { j.ops[3].negative = !j.ops[3].negative; }>,
       checkChoices},
      {"BRA.U", "never taken", [](Warp &, const Instruction &) {}, checkChoices},
  };
  for (const Planted &planted : kPlanted) {
    PlantedRow row(planted.name, planted.wrong);
    EXPECT_THAT(planted.check(), testing::Not(testing::IsEmpty()))
        << planted.name << ": " << planted.what;
  }
}

} // namespace
