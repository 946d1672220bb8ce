//===- SassRowsTest.cpp - rows of the table that no kernel of the other tests has, word by word -===//
//
// Numbers in the text where compilers fold them, registers of a warp, what single chips have (addresses and lanes:
// SassRowsOfLanesTest.cpp). Each program runs on its chip behind a frame that takes a pointer, and what it leaves in R4
// and R5 of each lane is compared.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/devices/sass/SassRows.h"
#include "oracles/devices/sass/Cubin.h"
#include "oracles/devices/sass/Execute.h"
#include "oracles/devices/sass/Sass.h"
#include "oracles/devices/sass/SassTestSupport.h"

#include "llvm/Support/FormatVariadic.h"

#include "gmock/gmock.h"

using namespace tilesmith;
using namespace tilesmith::sass;

namespace {

// ---- the frame ----

std::vector<Word> frame() {
  return {word(0x919, {{16, 8, 0}}), // S2R R0, SR_LANEID
          word(0xb82, {{16, 8, 2}, {24, 8, kRZ}, {40, 14, 0x388 / 4}, {73, 3, 5}}), // LDC.64 R2
          toUniform(6, 2),
          toUniform(7, 3),
          word(0x825, {{16, 8, 2}, // IMAD.WIDE.U32 R2, R0, 8, R2, and the offset alone
                       {24, 8, 0},
                       {32, 32, 8},
                       {64, 8, 2},
                       {81, 3, 7},
                       {87, 3, 7}}),
          word(0x825, {{16, 8, 10}, {24, 8, 0}, {32, 32, 8}, {64, 8, kRZ}, {81, 3, 7}, {87, 3, 7}}),
          moveImmediate(4, 0),
          moveImmediate(5, 0),
          moveImmediate(6, kM),
          moveImmediate(7, kN),
          moveUniformNumber(4, kM),
          moveUniformNumber(5, kN)};
}

/// What is wrong with the results; empty when they are right.
std::string check(const WordRow &row) {
  std::vector<uint8_t> file = readBytes(corpusFile("chips.sm_120.O3.cubin"));
  file[0x31] = static_cast<uint8_t>(row.sm); // the chip in the flags of the header
  std::vector<Word> program = frame();
  program.insert(program.end(), row.words.begin(), row.words.end());
  program.push_back(store64());
  program.push_back(exitWord());
  if (std::string problem = putProgram(file, program); !problem.empty())
    return problem;
  auto loaded = Program::create(file);
  if (!loaded)
    return llvm::toString(loaded.takeError());
  uint64_t memory[64] = {};
  for (unsigned lane = 0; lane < 32; ++lane)
    memory[32 + lane] = dataOf(lane);
  (*loaded)->addRange(memory, sizeof memory, "memory");
  LaunchConfig config;
  config.block = {32, 1, 1};
  config.maxInstructions = 10'000;
  config.dynamicSharedBytes = 4096;
  const Report report = (*loaded)->launch(
      "k", config,
      {argument(uint64_t{0}), argument(&memory[0]), argument(uint32_t{0}), argument(uint32_t{0})});
  if (!report.ok())
    return report.message;
  for (unsigned lane = 0; lane < 32; ++lane)
    if (const uint64_t want = row.expected(lane); memory[lane] != want)
      return llvm::formatv("lane {0}: expected {1:x}, found {2:x}", lane, want, memory[lane]);
  return "";
}

} // namespace

std::vector<std::string> tilesmith::sass::checkRows(const std::vector<WordRow> &rows) {
  std::vector<std::string> wrong;
  for (const WordRow &row : rows) {
    auto instruction = decode(row.words[row.tested], 0, row.sm);
    std::string why = instruction ? "" : llvm::toString(instruction.takeError());
    if (why.empty() && !llvm::StringRef(print(*instruction)).starts_with(row.spelled))
      why = "is " + print(*instruction);
    if (why.empty())
      why = check(row);
    if (!why.empty())
      wrong.push_back(llvm::formatv("{0}, sm_{1}: {2}", row.spelled, row.sm, why));
  }
  return wrong;
}

std::vector<std::string> tilesmith::sass::hiddenRows(llvm::ArrayRef<WrongWordRow> wrong) {
  std::vector<std::string> hidden;
  for (const WrongWordRow &one : wrong) {
    PlantedRow row(one.name, one.wrong);
    if (checkRows(one.rows()).empty())
      hidden.push_back(std::string(one.name) + ": " + one.what);
  }
  return hidden;
}

namespace {

// ---- conversions of numbers in the text ----

constexpr unsigned kF16 = 1, kF32 = 2, kF64 = 3, kBF16 = 4, kNearest = 0, kFloor = 1, kCeil = 2,
                   kTrunc = 3;

/// F2F and FRND R4, number: types as the constants above.
Word convert(unsigned opcode, uint32_t number, unsigned to, unsigned from, unsigned round) {
  return word(opcode, {{16, 8, 4}, {32, 32, number}, {75, 3, to}, {78, 2, round}, {84, 3, from}});
}
/// F2I.S R4, number, of 8 << size bits.
Word toInteger(unsigned opcode, uint32_t number, unsigned size, unsigned from, unsigned round) {
  return word(
      opcode,
      {{16, 8, 4}, {32, 32, number}, {72, 1, 1}, {75, 2, size}, {78, 2, round}, {84, 3, from}});
}

std::vector<WordRow> conversions() {
  constexpr uint32_t kDouble = 0xc05ee000; // the upper half of -123.5
  return {
      {90,
       "F2F.F32.F16.H1 R4,R6",
       {moveImmediate(6, 0xbe003c00),
        word(0x304, {{16, 8, 4}, {32, 8, 6}, {60, 2, 1}, {75, 3, kF32}, {84, 3, kF16}})},
       always(bitsOf(-1.5f)),
       1},
      {90,
       "F2F.F16.F32.RZ R4,f:0x3f803fff",
       {convert(0x904, 0x3f803fff, kF16, kF32, 3)},
       always(0x3c01)},
      {90,
       "F2F.F16.F32 R4,f:0x3f803fff",
       {convert(0x904, 0x3f803fff, kF16, kF32, 0)},
       always(0x3c02)},
      {90,
       "F2F.F32.F64 R4,",
       {convert(0x910, 0xc0091eb8, kF32, kF64, 0)},
       always(bitsOf(static_cast<float>(std::bit_cast<double>(0xc0091eb800000000))))},
      {90,
       "F2F.F64.F32 R4,",
       {convert(0x910, 0xc0490fdb, kF64, kF32, 0)},
       always(bitsOf(double{std::bit_cast<float>(0xc0490fdb)}))},
      {90,
       "F2I.S.32.F32.TRUNC R4,",
       {toInteger(0x905, kM, 2, kF32, kTrunc)},
       always(uint32_t(-123))},
      {90,
       "F2I.S.64.F32.FLOOR R4,",
       {toInteger(0x911, kM, 3, kF32, kFloor)},
       always(uint64_t(-124))},
      {90,
       "F2I.S.32.F64.CEIL R4,",
       {toInteger(0x911, kDouble, 2, kF64, kCeil)},
       always(uint32_t(-123))},
      {90,
       "F2I.S.64.F64.FLOOR R4,",
       {toInteger(0x911, kDouble, 3, kF64, kFloor)},
       always(uint64_t(-124))},
      {90, "FRND.F16.F16.FLOOR R4,", {convert(0x907, 0x3e00, kF16, kF16, kFloor)}, always(0x3c00)},
      {90,
       "FRND.F32.F32 R4,",
       {convert(0x907, 0x40200000, kF32, kF32, kNearest)},
       always(bitsOf(2.0f))},
      {90,
       "FRND.BF16.BF16.CEIL R4,",
       {convert(0x907, 0x4020, kBF16, kBF16, kCeil)},
       always(0x4040)},
      {90,
       "FRND.F64.F64.TRUNC R4,",
       {convert(0x913, 0x40040000, kF64, kF64, kTrunc)},
       always(bitsOf(2.0))},
  };
}

TEST(SassRowsTest, ConversionsOfNumbersInTheText) {
  EXPECT_THAT(checkRows(conversions()), testing::IsEmpty());
}

// ---- floats ----

std::vector<WordRow> floats() {
  const Word one = moveImmediate(6, 0x3fc00000), two = moveImmediate(7, 0xc0000000), // 1.5 and -2
      half = moveImmediate(8, 0x3f000000), unit = moveImmediate(9, 0x3f800000);
  std::vector<WordRow> rows = {
      {80,
       "F2FP.PACK_AB.F16 R4,R6,R7",
       {one, two, word(0x23e, {{16, 8, 4}, {24, 8, 6}, {32, 8, 7}, {64, 8, kRZ}})},
       always(0x3e00c000),
       2},
      {90,
       "HADD2.F32 R4,R6.H1_H1,UR4.H0_H0",
       {moveImmediate(6, 0x41003e00), moveUniformNumber(4, 0x38003400), // 2.5, 1.5; 0.5, 0.25
        word(0xe30,
             {{16, 8, 4}, {24, 8, 6}, {32, 8, 4}, {60, 2, 2}, {74, 2, 3}, {78, 1, 1}, {91, 1, 1}})},
       always(bitsOf(2.75f)),
       2},
      {100,
       "F2FP.BF16.E8.UNPACK_B R4,R6",
       {moveImmediate(6, 0x82817f80), word(0x23e, {{16, 8, 4},
                                                   {24, 8, kRZ},
                                                   {32, 8, 6},
                                                   {64, 8, kRZ},
                                                   {72, 4, 6},
                                                   {76, 5, 1},
                                                   {81, 7, 4},
                                                   {89, 2, 1}})},
       always(0x3f804000),
       1},
      {100,
       "FADD2.PAIR.SINGLE R4,R6,f:0x3e800000",
       {one, two, word(0x44b, {{16, 8, 4}, {24, 8, 6}, {32, 32, 0x3e800000}, {84, 2, 2}})},
       always(bitsOf(1.75f, -1.75f)),
       2},
      {100,
       "FMUL2.PAIR.SINGLE R4,R6,f:0x40400000",
       {one, two, word(0x84a, {{16, 8, 4}, {24, 8, 6}, {32, 32, 0x40400000}, {87, 2, 2}})},
       always(bitsOf(4.5f, -6.0f)),
       2},
      {100,
       "FFMA2.PAIR.SINGLE.PAIR R4,R6,f:0x40400000,R8",
       {one, two, half, unit,
        word(0x849, {{16, 8, 4}, {24, 8, 6}, {32, 32, 0x40400000}, {64, 8, 8}, {87, 2, 2}})},
       always(bitsOf(5.0f, -5.0f)),
       4},
      {89,
       "QMMA.16816.F32.E4M3.E4M3 R4,R12,R16,R8",
       {moveImmediate(12, 0x38383838), moveImmediate(13, 0x38383838), moveImmediate(16, 0x40404040),
        half, unit, moveImmediate(10, 0), moveImmediate(11, 0), // 1 and 2 in bytes
        word(0x27a, {{16, 8, 4}, {24, 8, 12}, {32, 8, 16}, {64, 8, 8}, {74, 1, 1}, {77, 1, 1}})},
       always(bitsOf(32.5f, 33.0f)),
       7},
  };
  return rows;
}

TEST(SassRowsTest, FloatsOfSingleChips) {
  EXPECT_THAT(checkRows(floats()), testing::IsEmpty());
}

// ---- registers of a warp ----

/// ULEA.HI UR8, UR4, UR5, third, 12; `third` takes 8 bits of 64-71.
Word shiftAndAdd(uint64_t third, bool isSigned) {
  return word(0x291, {{16, 8, 8},
                      {24, 8, 4},
                      {32, 8, 5},
                      {64, 8, third},
                      {73, 1, isSigned},
                      {75, 5, 12},
                      {80, 1, 1},
                      {81, 3, 7},
                      {87, 3, 7},
                      {91, 1, 1}});
}
Word selectedBy(unsigned p) { // USEL UR8, UR5, 0, UPp
  return word(0x887, {{16, 8, 8}, {24, 8, 5}, {32, 32, 0}, {87, 3, p}, {91, 1, 1}});
}
Word uniform(unsigned opcode, std::initializer_list<Field> fields) { // UR8, UR4, UR5
  Word of = word(opcode, {{16, 8, 8}, {24, 8, 4}, {32, 8, 5}, {91, 1, 1}});
  for (auto [bit, width, value] : fields)
    (bit < 64 ? of.low : of.high) |= value << bit % 64;
  return of;
}

std::vector<WordRow> uniforms() {
  std::vector<WordRow> rows = {
      {120, "UFMUL UR8,UR4,UR5", ofWarp({uniform(0x256, {{84, 3, 4}})}),
       always(bitsOf(-123.5f * std::bit_cast<float>(kN)))},
      {120, "UF2F.F16.F32 UR8,",
       ofWarp({word(0x85b,
                    {{16, 8, 8}, {32, 32, 0x3f803fff}, {75, 3, kF16}, {84, 3, kF32}, {91, 1, 1}})}),
       always(0x3c02)},
      {120, "UF2I.S.32.F32.TRUNC UR8,UR4",
       ofWarp({word(
           0x25c,
           {{16, 8, 8}, {32, 8, 4}, {72, 1, 1}, {75, 2, 2}, {78, 2, 3}, {84, 3, 2}, {91, 1, 1}})}),
       always(uint32_t(-123))},
      {120, "UI2FP.S.RZ UR8,UR4",
       ofWarp({moveUniformNumber(4, uint32_t(-16777219)), word(0x25e, {{16, 8, 8},
                                                                       {32, 8, 4},
                                                                       {74, 1, 1},
                                                                       {75, 2, 2},
                                                                       {78, 2, 3},
                                                                       {84, 2, 2},
                                                                       {91, 1, 1}})}),
       always(bitsOf(-16777218.0f)), 1},
      {90, "ULEA.HI UR8,UPT,UR4,UR5,UR4", ofWarp({shiftAndAdd(4, false)}),
       always(uint32_t((uint64_t{kM} << 32 | kM) << 12 >> 32) + kN)},
      {90, "ULEA.HI.SX32 UR8,UPT,UR4,UR5", ofWarp({shiftAndAdd(63, true)}),
       always(uint32_t(uint64_t(int64_t{int32_t(kM)}) << 12 >> 32) + kN)},
      {100, "ULEA.HI.SX32 UR8,UPT,UR4,UR5", ofWarp({shiftAndAdd(kURZ, true)}),
       always(uint32_t(uint64_t(int64_t{int32_t(kM)}) << 12 >> 32) + kN)},
      {120, "UMOV.64 UR8,UR4",
       ofWarp({word(0xc82, {{16, 8, 8}, {32, 8, 4}, {80, 1, 1}, {91, 1, 1}})}, true),
       always(uint64_t{kN} << 32 | kM)},
      {90, "UBREV UR8,UR4", ofWarp({word(0x2be, {{16, 8, 8}, {32, 8, 4}, {91, 1, 1}})}),
       always(0x0000ef43)},
      {90, "USGXT UR8,UR4,UR5", ofWarp({moveUniformNumber(5, 18), uniform(0x29a, {{73, 1, 1}})}),
       always(0xffff0000), 1},
      {90, "USGXT.U32 UR8,UR4,UR5", ofWarp({moveUniformNumber(5, 18), uniform(0x29a, {})}),
       always(0x00030000), 1},
      {90, "UBMSK UR8,UR4,UR5",
       ofWarp({moveUniformNumber(4, 7), moveUniformNumber(5, 33), uniform(0x29b, {})}),
       always(0xffffff80), 2},
      {90, "UBMSK.W UR8,UR4,UR5",
       ofWarp({moveUniformNumber(4, 7), moveUniformNumber(5, 33), uniform(0x29b, {{75, 1, 1}})}),
       always(0x80), 2},
      {100,
       "MOV.SPILL R4,UR4",
       {word(0xc02, {{16, 8, 4}, {32, 8, 4}, {72, 4, 15}, {88, 1, 1}, {91, 1, 1}})},
       always(kM)},
  };
  for (bool holds : {false, true}) {
    const Word compare = equals(0, holds ? kM : 1);
    // UPLOP3.LUT UP1, UPT, UP0, UPT, UPT: all three hold
    rows.push_back(
        {90, "UPLOP3.LUT UP1,UPT,UP0,UPT,UPT,0x80",
         ofWarp(
             {compare,
              word(
                  0x89c,
                  {{68, 3, 7}, {72, 5, 0x80 >> 3}, {77, 3, 7}, {81, 3, 1}, {84, 3, 7}, {87, 3, 0}}),
              selectedBy(1)}),
         always(holds ? kN : 0), 1});
    // UP2UR UR8, UPR, UR5, 0x1, to the second byte
    rows.push_back(
        {90, "UP2UR.B1 UR8,UR5,0x1",
         ofWarp(
             {compare, word(0x883, {{16, 8, 8}, {24, 8, 5}, {32, 32, 1}, {76, 2, 1}, {91, 1, 1}})}),
         always(holds ? kN | 0x100 : kN & ~0x100u), 1});
    // UISETP.LT.S64 UP0, UPT, UR4, UR10
    rows.push_back(
        {120, "UISETP.LT.S64.AND UP0,UPT,UR4,UR10",
         ofWarp({moveUniformNumber(10, holds ? kM + 1 : kM - 1), moveUniformNumber(11, kN),
                 word(0x28c, {{24, 8, 4},
                              {32, 8, 10},
                              {68, 4, 7},
                              {73, 1, 1},
                              {76, 3, 1},
                              {80, 1, 1},
                              {81, 3, 0},
                              {84, 3, 7},
                              {87, 3, 7},
                              {91, 1, 1}}),
                 selectedBy(0)}),
         always(holds ? kN : 0), 2});
  }
  return rows;
}

TEST(SassRowsTest, RegistersOfAWarp) {
  EXPECT_THAT(checkRows(uniforms()), testing::IsEmpty());
}

// Words that the vendor's disassembler (13.5) does not know, either.
TEST(SassRowsTest, FormsThatChipsDoNotHave) {
  const Word least = word(
      0x248, {{16, 8, 4}, {24, 8, 6}, {32, 8, 7}, {72, 2, 1}, {81, 3, 7}, {84, 3, 7}, {87, 3, 7}});
  const Word high = uniform(0x2a7, {{64, 6, 63}, {81, 3, 7}, {87, 3, 7}});
  const Word left = word(0x942, {{16, 4, 0}, {72, 2, 2}, {87, 3, 7}}); // BREAK.RECONVERGENT
  EXPECT_EQ(print(llvm::cantFail(decode(least, 0, 100))), "VIMNMX R4,PT,PT,R6,R7,PT");
  for (auto [word, sm] : {std::pair(least, 110u), {high, 90u}, {high, 120u}, {left, 100u}})
    EXPECT_THAT(llvm::toString(decode(word, 0, sm).takeError()),
                testing::HasSubstr("that the table does not have"));
}

TEST(SassRowsTest, AWrongFunctionInARowShows) {
  const WrongWordRow kWrong[] = {
      {"F2I", "rounded to nearest",
       executeChanged<executeF2i, [](Instruction &j) { j.mods[4] = 0; }>, conversions},
      {"FADD2", "without a sign",
       executeChanged<executeFadd2, [](Instruction &j) { j.ops[1].negative = true; }>, floats},
      {"UP2UR", "the lowest byte",
       executeChanged<executeP2R, [](Instruction &j) { j.mods[0] = 0; }>, uniforms},
      {"UBMSK", "places that wrap",
       executeChanged<executeBmsk, [](Instruction &j) { j.mods[0] ^= 1; }>, uniforms},
  };
  EXPECT_THAT(hiddenRows(kWrong), testing::IsEmpty());
}

} // namespace
