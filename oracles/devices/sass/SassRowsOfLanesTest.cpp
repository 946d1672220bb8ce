//===- SassRowsOfLanesTest.cpp - addresses and lanes, word by word ----------------------------===//
//
// As SassRowsTest.cpp, of forms of loads, stores and atomics that compilers rarely choose, and of barriers of lanes.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/devices/sass/Execute.h"
#include "oracles/devices/sass/SassRows.h"

#include "gmock/gmock.h"

using namespace tilesmith;
using namespace tilesmith::sass;

namespace {

// ---- addresses ----

/// A load or store of 64 bits at 0x100: of the register pair R2, or of R10 and the uniform pair UR6.
Word access(unsigned opcode, bool isLoad, bool isUniform, bool isGeneric = false) {
  Word of = word(
      opcode, {{24, 8, isUniform ? 10u : 2u}, {40, 24, kData}, {72, 1, 1}, {73, 3, 5}, {84, 3, 1}});
  of.low |= isLoad ? 4ull << 16 : 6ull << 32;
  if (isLoad && !isGeneric)
    of.high |= 7ull << 17;
  if (isUniform)
    (isLoad ? of.low : of.high) |= 6ull << (isLoad ? 32 : 0), of.high |= 1ull << 27;
  return of;
}

/// Atomics of 32 bits at 0x100 by R6; `fields` names the type and what is fixed. Then R5 is what is there.
std::vector<Word> atomically(unsigned opcode, bool isUniform, std::initializer_list<Field> fields) {
  Word of = word(opcode, {{16, 8, 4},
                          {24, 8, isUniform ? 10u : 2u},
                          {32, 8, 6},
                          {40, 23, kData},
                          {72, 1, 1},
                          {77, 4, 7},
                          {81, 3, 7},
                          {84, 3, 1}});
  if (isUniform)
    of.high |= 6 | 1ull << 27, of.low |= 1ull << 63;
  for (auto [bit, width, value] : fields)
    (bit < 64 ? of.low : of.high) |= value << bit % 64;
  Word load = access(0x381, true, false);
  load.low = (load.low & ~0xff0000ull) | 5 << 16;
  load.high = (load.high & ~0xe00ull) | 4 << 9; // 32 bits
  return {moveImmediate(11, 0), of, load};
}

uint64_t sumOf(unsigned lane) {
  const auto old = static_cast<uint32_t>(dataOf(lane));
  return uint64_t{old + kM} << 32 | old;
}
uint64_t floatSumOf(unsigned lane) {
  const auto old = static_cast<uint32_t>(dataOf(lane)); // flushed to zero
  return (lane ? bitsOf(-123.5f) : bitsOf(-123.5f)) << 32 | old;
}
constexpr uint64_t kPair = uint64_t{kN} << 32 | kM;

std::vector<WordRow> addresses() {
  const Word load = access(0x381, true, false);
  return {
      {90, "LDG.E.64 R4,[R2+0x100]", {load}, dataOf},
      {90, "LDG.E.64 R4,[R10+UR6+0x100]", {access(0x981, true, true)}, dataOf},
      {90, "LD.E.64 R4,[R10+UR6+0x100]", {access(0x980, true, true, true)}, dataOf},
      {90, "STG.E.64 [R2+0x100],R6", {access(0x386, false, false), load}, always(kPair)},
      {90, "STG.E.64 [R10+UR6+0x100],R6", {access(0x986, false, true), load}, always(kPair)},
      {90, "ST.E.64 [R10+UR6+0x100],R6", {access(0x985, false, true), load}, always(kPair)},
      {80, "ATOMG.E.ADD.STRONG.GPU PT,R4,[R2+0x100],R6", atomically(0x3a8, false, {}), sumOf, 1},
      {90, "ATOMG.E.ADD.STRONG.GPU PT,R4,[R2+0x100],R6", atomically(0x3a8, false, {}), sumOf, 1},
      {100, "ATOMG.E.ADD.F32.FTZ.RN.STRONG.GPU PT,R4,[R10+UR6+0x100],R6",
       atomically(0x9a3, true, {{73, 4, 9}}), floatSumOf, 1},
      {100, "ATOM.E.ADD.STRONG.GPU PT,R4,[R10+UR6+0x100],R6", atomically(0x98a, true, {}), sumOf,
       1},
      {100, "ATOM.E.ADD.F32.FTZ.RN.STRONG.GPU PT,R4,[R10+UR6+0x100],R6",
       atomically(0x9a2, true, {{73, 4, 9}}), floatSumOf, 1},
      {90, "ATOM.E.ADD.STRONG.GPU PT,R4,[R2+0x100],R6", atomically(0x38a, false, {}), sumOf, 1},
  };
}

TEST(SassRowsOfLanesTest, AddressesInGlobalMemory) {
  EXPECT_THAT(checkRows(addresses()), testing::IsEmpty());
}

// Each lane writes 8 bytes there: the numbers of the bytes.
std::vector<Word> filledShared() {
  return {
      word(0x824, {{16, 8, 6},
                   {24, 8, 0},
                   {32, 32, 0x08080808},
                   {64, 8, kRZ},
                   {81, 3, 7},
                   {87, 3, 7}}), // IMAD
      moveImmediate(8, 0x03020100),
      moveImmediate(9, 0x07060504),
      word(0x210, {{16, 8, 7},
                   {24, 8, 6},
                   {32, 8, 9},
                   {64, 8, kRZ},
                   {77, 4, 15},
                   {81, 3, 7},
                   {84, 3, 7},
                   {87, 4, 15}}), // IADD3
      word(0x210, {{16, 8, 6},
                   {24, 8, 6},
                   {32, 8, 8},
                   {64, 8, kRZ},
                   {77, 4, 15},
                   {81, 3, 7},
                   {84, 3, 7},
                   {87, 4, 15}}),
      word(0x388, {{24, 8, 10}, {32, 8, 6}, {40, 24, kShared}, {73, 3, 5}}), // STS.64
      word(0x824, {{16, 8, 12}, {24, 8, 0}, {32, 32, 16}, {64, 8, kRZ}, {81, 3, 7}, {87, 3, 7}}),
      moveUniformNumber(8, kShared - 0x40)};
}
std::vector<Word> withShared(std::initializer_list<Word> words) {
  std::vector<Word> all = filledShared();
  all.insert(all.end(), words);
  return all;
}

std::vector<WordRow> sharedMatrices() {
  const size_t first = filledShared().size();
  // LDSM at [R12+UR8+0x40]
  auto load = [](std::initializer_list<Field> fields) {
    Word of = word(0x83b, {{16, 8, 4}, {24, 8, 12}, {32, 8, 8}, {40, 24, 0x40}, {91, 1, 1}});
    for (auto [bit, width, value] : fields)
      of.high |= value << (bit - 64);
    return of;
  };
  return {
      {90, "LDSM.16.MT88 R4,[R12+UR8+0x40]", withShared({load({{78, 2, 1}})}),
       [](unsigned lane) {
         // Rows 2 (lane % 4) and the next, column lane / 4, of 8 rows of 16 bytes.
         const unsigned at = 32 * (lane % 4) + 2 * (lane / 4);
         return uint64_t{at | (at + 1) << 8 | (at + 16) << 16 | (at + 17) << 24};
       },
       first},
      {100, "LDSM.8.MT1616 R4,[R12+UR8+0x40]", withShared({load({{75, 3, 7}, {80, 1, 1}})}),
       [](unsigned lane) {
         uint64_t value = 0;
         for (unsigned k = 0; k < 8; ++k)
           value |= uint64_t{16 * (4 * (lane % 4) + k % 4) + 8 * (k / 4) + lane / 4} << 8 * k;
         return value;
       },
       first},
      // STSM.M88 [R12+UR8+0x240], R6, where each lane has its word of the rows; LDS.64 of two of them.
      {90, "STSM.16.M88 [R12+UR8+0x240],R6",
       withShared(
           {word(0x844, {{24, 8, 12}, {32, 8, 6}, {40, 24, 0x240}, {64, 8, 8}, {91, 1, 1}}),
            word(0x824,
                 {{16, 8, 13}, {24, 8, 0}, {32, 32, 4}, {64, 8, kRZ}, {81, 3, 7}, {87, 3, 7}}),
            word(0x984, {{16, 8, 4}, {24, 8, 13}, {40, 24, kShared + 0x200}, {73, 3, 4}})}),
       [](unsigned lane) { return uint64_t{0x08080808 * lane + 0x03020100}; }, first},
  };
}

TEST(SassRowsOfLanesTest, MatricesInSharedMemory) {
  EXPECT_THAT(checkRows(sharedMatrices()), testing::IsEmpty());
}

std::vector<WordRow> localMemory() {
  const Word
      store = word(
          0x987,
          {{24, 8, 10}, {32, 8, 6}, {40, 24, 8}, {64, 8, 8}, {73, 3, 5}, {84, 3, 1}, {91, 1, 1}}),
      load = word(
          0x983,
          {{16, 8, 4}, {24, 8, kRZ}, {32, 8, 8}, {40, 24, 8}, {73, 3, 5}, {84, 3, 1}, {91, 1, 1}});
  const std::vector<Word> words = {moveImmediate(10, 16), moveUniformNumber(8, 16), store,
                                   moveUniformNumber(8, 32), load};
  return {{90, "STL.64 [R10+UR8+0x8],R6", words, always(kPair), 2},
          {90, "LDL.64 R4,[UR8+0x8]", words, always(kPair), 4}};
}

TEST(SassRowsOfLanesTest, LocalMemory) {
  EXPECT_THAT(checkRows(localMemory()), testing::IsEmpty());
}

// ---- lanes and barriers of lanes ----

std::vector<WordRow> lanes() {
  constexpr unsigned kFrame = 12;
  // Lanes 0 to 15 leave the barrier and wait until the others, which meet there without them, have stored that.
  const std::vector<Word> left = {
      word(0x80c, {{24, 8, 0},
                   {32, 32, 16},
                   {68, 3, 7},
                   {76, 3, 1},
                   {84, 3, 7},
                   {87, 3, 7}}), // ISETP.LT.U32 P0, R0, 16
      lanesToMeet(0),
      guarded(word(0x942, {{16, 4, 0}, {87, 3, 7}}), 0), // BREAK
      guarded(branch(4), 0),
      reconverged(0),
      word(0x806, {{16, 8, 4}, {72, 2, 1}, {81, 3, 7}, {87, 3, 7}}), // VOTE.ANY R4, PT, PT
      store64(),
      exitWord(),
      word(0x381, {{16, 8, 4},
                   {24, 8, 2},
                   {40, 24, 128},
                   {72, 1, 1},
                   {73, 3, 4},
                   {77, 4, 10},
                   {81, 3, 7},
                   {84, 3, 1}}), // LDG
      word(0x80c, {{24, 8, 4},
                   {68, 3, 7},
                   {76, 3, 2},
                   {81, 3, 1},
                   {84, 3, 7},
                   {87, 3, 7}}), // ISETP.EQ P1, R4, 0
      guarded(branch(-3), 1)};
  return {
      {100, "@P0 BREAK PT,B0", left, always(0xffff0000), 2},
      {80,
       "BMOV.32.CLEAR B1,B0",
       {word(0x956, {{24, 4, 0}, {32, 32, kN}}), word(0xf55, {{16, 4, 1}, {24, 4, 0}, {84, 1, 1}}),
        word(0x355, {{16, 8, 4}, {24, 4, 1}}), word(0x355, {{16, 8, 5}, {24, 4, 0}})},
       always(kN),
       1},
      {90,
       "BMOV.32.CLEAR R4,B0",
       {restored(0, 6), saved(4, 0), word(0x355, {{16, 8, 5}, {24, 4, 0}})},
       always(kM),
       1},
      {80,
       "BMOV.32 B0,",
       {word(0x956, {{24, 4, 0}, {32, 32, kN}}), word(0x355, {{16, 8, 5}, {24, 4, 0}})},
       always(uint64_t{kN} << 32)},
      {90,
       "LEPC R4,",
       {word(0x94e, {{16, 8, 4}, {24, 8, 0x30}})},
       always(16 * (kFrame + 1) + 0x30)},
      {100,
       "RPCMOV.32 R6",
       {word(0x352, {{32, 8, 6}}), word(0x353, {{16, 8, 5}})},
       always(uint64_t{kM} << 32)},
      {100, "RPCMOV.32 R4", {word(0x352, {{32, 8, 7}}), word(0x353, {{16, 8, 4}})}, always(kN), 1},
  };
}

std::vector<WordRow> barriersInMemory() {
  // Of the first phase: 32 arrivals, of which the copies of each lane are one; what follows takes the count from the low word.
  constexpr uint32_t kPending = 0x80000000u - 32;
  return {
      {80,
       "ARRIVES.LDGSTSBAR.64 [UR8+0x400]",
       {moveImmediate(6, kPending), moveImmediate(7, kPending), moveUniformNumber(8, 16),
        word(0x388, {{24, 8, kRZ}, {32, 8, 6}, {40, 24, kShared + 16}, {73, 3, 5}}), // STS.64
        word(0x9b0,
             {{24, 8, kRZ}, {40, 24, kShared}, {64, 6, 8}, {73, 1, 1}, {75, 1, 1}, {91, 1, 1}}),
        word(0x984, {{16, 8, 4}, {24, 8, kRZ}, {40, 24, kShared + 16}, {73, 3, 5}})}, // LDS.64
       always(uint64_t{kPending | 0x80000000} << 32 | kPending),
       4},
      // The registers are there: UP0 is true.
      {90, "USETMAXREG.TRY_ALLOC.CTAPOOL UP0,0xe8",
       ofWarp({equals(0, 1),
               word(0x9c8, {{32, 16, 0xe8}, {72, 2, 2}, {74, 1, 1}, {81, 3, 0}, {91, 1, 1}}),
               word(0x887, {{16, 8, 8}, {24, 8, 5}, {32, 32, 0}, {87, 3, 0}, {91, 1, 1}})}),
       always(kN), 1},
  };
}

TEST(SassRowsOfLanesTest, BarriersInMemoryAndRegistersOfAPool) {
  EXPECT_THAT(checkRows(barriersInMemory()), testing::IsEmpty());
}

TEST(SassRowsOfLanesTest, LanesAndTheirBarriers) {
  EXPECT_THAT(checkRows(lanes()), testing::IsEmpty());
}

Word branch80(int over) { // BRA before sm_90: the distance has no other bits
  return word(0x947, {{34, 30, static_cast<uint64_t>(int64_t{over} * 4)},
                      {64, 18, over < 0 ? ~uint64_t{0} : 0},
                      {87, 3, 7}});
}

/// Lanes 0 to 15 go by way of code that stands behind, and all meet by the word `meet`: whoever votes then sees who is there.
std::vector<WordRow> meetings() {
  const Word below = word(0x80c, {{24, 8, 0},
                                  {32, 32, 16},
                                  {68, 3, 7},
                                  {76, 3, 1},
                                  {84, 3, 7},
                                  {87, 3, 7}}); // ISETP.LT.U32 P0, R0, 16
  const Word vote =
      word(0x806, {{16, 8, 4}, {72, 2, 1}, {81, 3, 7}, {87, 3, 7}}); // VOTE.ANY R4, PT, PT
  std::vector<WordRow> rows;
  auto add = [&](unsigned sm, const char *spelled, std::vector<Word> front, Word meet) {
    auto jump = [&](int over) {
      return generationOf(sm) == Generation::Ampere ? branch80(over) : branch(over);
    };
    std::vector<Word> words = {moveImmediate(8, ~0u), below};
    words.insert(words.end(), front.begin(), front.end());
    words.push_back(guarded(jump(4), 0));
    const size_t at = words.size();
    words.insert(words.end(), {meet, vote, store64(), exitWord(), jump(-5)});
    rows.push_back({sm, spelled, words, always(~0u), at});
  };
  const Word set = word(0x945, {{16, 4, 0}, {87, 3, 7}}),
             sync = word(0x941, {{16, 4, 0}, {87, 3, 7}}); // BSSY B0, BSYNC B0
  add(80, "BSYNC PT,B0", {set}, sync);
  add(90, "BSYNC PT,B0", {set}, sync);
  add(100, "BSYNC PT,B0", {set}, sync);
  add(100, "BSYNC.RECONVERGENT PT,B0", {lanesToMeet(0)}, reconverged(0));
  add(80, "WARPSYNC R8,PT", {}, word(0x348, {{32, 8, 8}, {87, 3, 7}}));
  add(80, "WARPSYNC.EXCLUSIVE R8,PT", {}, word(0x348, {{32, 8, 8}, {86, 1, 1}, {87, 3, 7}}));
  add(80, "WARPSYNC 0xffffffff,PT", {}, word(0x948, {{32, 32, ~0u}, {87, 3, 7}}));
  add(90, "WARPSYNC.ALL PT", {}, word(0x948, {{87, 3, 7}}));
  add(90, "WARPSYNC.COLLECTIVE R8,PT", {}, word(0x348, {{24, 8, 8}, {86, 1, 1}, {87, 3, 7}}));
  add(90, "WARPSYNC.COLLECTIVE.ALL PT", {}, word(0x948, {{86, 1, 1}, {87, 3, 7}}));
  return rows;
}

TEST(SassRowsOfLanesTest, LanesMeet) {
  EXPECT_THAT(checkRows(meetings()), testing::IsEmpty());
}

// Hints, and waits for what has happened already.
TEST(SassRowsOfLanesTest, WhatLeavesNothing) {
  const std::vector<WordRow> rows = {
      {100, "UVIRTCOUNT.DEALLOC.SMPOOL", {word(0x84c, {{32, 16, 4}})}, always(0)},
      {90, "NANOSLEEP PT,0x64", {word(0x95d, {{32, 32, 100}, {87, 3, 7}})}, always(0)},
      {90, "NANOSLEEP PT,R6", {word(0x35d, {{32, 8, 6}, {87, 3, 7}})}, always(0)},
      {80, "DEPBAR {0}", {word(0x91a, {{32, 6, 1}})}, always(0)},
      {90, "ACQBULK", {word(0x82e, {})}, always(0)},
      {90, "PREEXIT", {word(0x82d, {})}, always(0)},
      {100, "SYNCS.CCTL.IVALL", {word(0x9b1, {})}, always(0)},
      {90,
       "SYNCS.CCTL.IV [UR6+0x8]",
       {word(0x9b1, {{24, 8, kRZ}, {40, 24, 8}, {64, 8, 6}, {91, 1, 1}})},
       always(0)},
      {90, "UTMACCTL.PF UR6", {word(0x9b9, {{24, 8, 6}, {82, 1, 1}, {91, 1, 1}})}, always(0)},
      {100,
       "CCTL.E.C.LDCU.IV.DEEP UR6",
       {word(0x540, {{24, 8, 6}, {79, 1, 1}, {86, 3, 7}, {91, 1, 1}})},
       always(0)},
      {90,
       "UTMAPF.L2.2D UR8,UR6",
       {word(0x5b8, {{24, 8, 6}, {32, 8, 8}, {79, 3, 1}, {91, 1, 1}})},
       always(0)},
      {90, "UBLKPF.L2 UR6,UR8", {word(0x3bc, {{24, 8, 6}, {64, 8, 8}, {91, 1, 1}})}, always(0)},
  };
  EXPECT_THAT(checkRows(rows), testing::IsEmpty());
}

TEST(SassRowsOfLanesTest, AWrongFunctionInARowShows) {
  const WrongWordRow kWrong[] = {
      {"STG.E", "without an offset",
       executeChanged<executeStoreGlobalUniform, [](Instruction &j) { j.ops[0].value = 0; }>,
       addresses},
      {"LDSM.8", "without the uniform register",
       executeChanged<executeLdsmBytes, [](Instruction &j) { j.ops[1].uniform = kURZ; }>,
       sharedMatrices},
      {"LDL", "the same place always",
       executeChanged<executeLoadLocal, [](Instruction &j) { j.ops[1].uniform = kURZ; }>,
       localMemory},
      {"BREAK", "nobody leaves", [](Warp &, const Instruction &) {}, lanes},
      {"BSYNC", "nobody waits", [](Warp &, const Instruction &) {}, meetings},
      {"WARPSYNC.ALL", "nobody waits", [](Warp &, const Instruction &) {}, meetings},
      {"ARRIVES.LDGSTSBAR.64", "nobody arrives", [](Warp &, const Instruction &) {},
       barriersInMemory},
  };
  EXPECT_THAT(hiddenRows(kWrong), testing::IsEmpty());
}

} // namespace
