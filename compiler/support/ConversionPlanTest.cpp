//===- ConversionPlanTest.cpp - plans against a simulated warp and its banks ------------------===//
#include "compiler/support/ConversionPlan.h"

#include "gtest/gtest.h"

#include <map>
#include <random>
#include <set>

using namespace tilesmith;

namespace {

int64_t applyBases(llvm::ArrayRef<int64_t> bases, int64_t input) {
  int64_t result = 0;
  for (size_t i = 0; i < bases.size(); ++i)
    result ^= input >> i & 1 ? bases[i] : 0;
  return result;
}

/// A bijective layout of 2^(regs+5+warps) elements: a random basis, mostly unit vectors.
LinearLayout randomBijection(std::mt19937 &rng, unsigned regs, unsigned warps,
                             llvm::ArrayRef<int64_t> shape) {
  unsigned bits = regs + 5 + warps;
  llvm::SmallVector<int64_t> bases;
  for (unsigned i = 0; i < bits; ++i)
    bases.push_back(int64_t(1) << i);
  std::shuffle(bases.begin(), bases.end(), rng);
  if (rng() % 2)
    for (int i = 0; i < 6; ++i) {
      unsigned a = rng() % bits, b = rng() % bits;
      if (a != b)
        bases[a] ^= bases[b];
    }
  llvm::ArrayRef<int64_t> list(bases);
  return LinearLayout::fromFlat(list.take_front(regs), list.slice(regs, 5),
                                list.drop_front(regs + 5), shape);
}

/// Passes of the busiest phase, lane by lane, at one register and warp.
int64_t simulatePasses(const OffsetMap &map, int64_t bytes, unsigned vector, int64_t reg,
                       int64_t warp) {
  int64_t access = bytes << vector, lanesPerPhase = access <= 4 ? 32 : access == 8 ? 16 : 8;
  int64_t worst = 0;
  for (int64_t first = 0; first < 32; first += lanesPerPhase) {
    std::map<int64_t, std::set<int64_t>> banks;
    for (int64_t lane = first; lane < first + lanesPerPhase; ++lane) {
      int64_t offset = applyBases(map.registers, reg) ^ applyBases(map.lanes, lane) ^
                       applyBases(map.warps, warp);
      for (int64_t byte = 0; byte < access; ++byte) {
        int64_t word = (offset * bytes + byte) / 4;
        banks[word % 32].insert(word);
      }
    }
    for (auto &[bank, words] : banks)
      worst = std::max<int64_t>(worst, words.size());
  }
  return worst;
}

/// Vector registers really are consecutive in memory and passes are as counted.
void checkAccess(const LinearLayout &layout, const LinearLayout &shared, int64_t bytes) {
  auto map = getOffsetMap(layout, shared);
  ASSERT_TRUE(map);
  auto registers = getVectorRegisters(*map);
  while (!registers.empty() && (bytes << registers.size()) > kMaxAccessBytes)
    registers.pop_back();
  int64_t mask = 0;
  for (unsigned bit : registers)
    mask |= int64_t(1) << bit;
  int64_t counted = countBankPasses(*map, bytes, registers.size());
  for (int64_t warp = 0; warp < layout.getNumWarps(); ++warp)
    for (int64_t reg = 0; reg < layout.getNumRegisters(); ++reg) {
      if (reg & mask)
        continue;
      EXPECT_EQ(simulatePasses(*map, bytes, registers.size(), reg, warp), counted);
      for (int64_t lane = 0; lane < 32; ++lane)
        for (int64_t i = 0; i < int64_t(1) << registers.size(); ++i) {
          int64_t at = reg, first = applyBases(map->registers, reg) ^ applyBases(map->lanes, lane) ^
                                    applyBases(map->warps, warp);
          for (size_t bit = 0; bit < registers.size(); ++bit)
            at |= i >> bit & 1 ? int64_t(1) << registers[bit] : 0;
          EXPECT_EQ(first % (int64_t(1) << registers.size()), 0);
          EXPECT_EQ(shared.applyOffset(first + i), layout.applyFlat(at, lane, warp));
        }
    }
}

TEST(ConversionPlanTest, BankPassesMatchASimulatedWarp) {
  std::mt19937 rng(3);
  for (int i = 0; i < 400; ++i) {
    unsigned regs = rng() % 4, warps = rng() % 3;
    int64_t shape[] = {int64_t(1) << (regs + warps), 32}, bytes = int64_t(1) << rng() % 4;
    LinearLayout layout = randomBijection(rng, regs, warps, shape);
    checkAccess(layout, getHardwareSwizzle(shape, bytes, 0), bytes);
    for (int64_t swizzle : {32, 64, 128})
      if (swizzle <= 32 * bytes)
        checkAccess(layout, getHardwareSwizzle(shape, bytes, swizzle), bytes);
  }
}

TEST(ConversionPlanTest, HardwareSwizzleXorsTheAddressBits) {
  for (int64_t bytes : {1, 2, 4, 8})
    for (int64_t swizzle : {32, 64, 128}) {
      int64_t columns = 256 / bytes, shape[] = {16, columns}, width = swizzle / bytes;
      LinearLayout shared = getHardwareSwizzle(shape, bytes, swizzle);
      EXPECT_TRUE(shared.isSurjective() && shared.isInjective());
      for (int64_t row = 0; row < 16; ++row)
        for (int64_t column = 0; column < columns; ++column) {
          int64_t address = (column / width * 16 * width + row * width + column % width) * bytes;
          address ^= (address >> 3) & (swizzle - 16);
          EXPECT_EQ(shared.applyOffset(address / bytes), row * columns + column);
        }
    }
}

TEST(ConversionPlanTest, SearchedLayoutsAreBijectiveAndFreeOfConflicts) {
  std::mt19937 rng(5);
  for (int i = 0; i < 600; ++i) {
    unsigned regs = rng() % 5, warps = rng() % 3;
    int64_t shape[] = {int64_t(1) << (regs + warps), 32}, bytes = int64_t(1) << rng() % 4;
    LinearLayout from = randomBijection(rng, regs, warps, shape),
                 to = randomBijection(rng, regs, warps, shape);
    LinearLayout shared = searchSharedLayout(from, to, bytes);
    EXPECT_TRUE(shared.isSurjective() && shared.isInjective());
    checkAccess(from, shared, bytes);
    checkAccess(to, shared, bytes);
    // Element by element, both sides are free of conflicts: 5 lane bits fit one row of 4-byte
    // banks.
    if (bytes == 4 && getVectorRegisters(*getOffsetMap(from, shared)).empty() &&
        getVectorRegisters(*getOffsetMap(to, shared)).empty()) {
      EXPECT_EQ(countBankPasses(*getOffsetMap(from, shared), bytes, 0), 1);
      EXPECT_EQ(countBankPasses(*getOffsetMap(to, shared), bytes, 0), 1);
    }
  }
}

TEST(ConversionPlanTest, RoundsAreDecidedByRegisters) {
  // The sums of a 128x128 product on m16n8 fragments, four warps, and the canonical layout.
  LinearLayout fragments = LinearLayout::fromFlat({1, 8 * 128, 16, 32, 64, 32 * 128, 64 * 128},
                                                  {2, 4, 128, 256, 512}, {16 * 128, 8}, {128, 128});
  LinearLayout rows = LinearLayout::rowMajor({128, 128}, 4, 2);
  LinearLayout shared = searchSharedLayout(fragments, rows, 4, 4096);
  EXPECT_TRUE(shared.isSurjective() && shared.isInjective());
  for (const LinearLayout &side : {fragments, rows}) {
    checkAccess(side, shared, 4);
    OffsetMap map = *getOffsetMap(side, shared);
    for (auto &list : {map.lanes, map.warps})
      for (int64_t column : list)
        EXPECT_LT(column, 4096);
  }
}

TEST(ConversionPlanTest, TransposeNeedsASwizzle) {
  // Rows written along lanes, columns read along lanes: 32 passes in row-major order, 1 swizzled.
  LinearLayout rows = LinearLayout::rowMajor({32, 32}, 1, 0),
               columns = LinearLayout::rowMajor({32, 32}, 1, 0).permuteDims({1, 0});
  LinearLayout plain = getHardwareSwizzle({32, 32}, 4, 0);
  EXPECT_EQ(countBankPasses(*getOffsetMap(rows, plain), 4, 0), 1);
  EXPECT_EQ(countBankPasses(*getOffsetMap(columns, plain), 4, 0), 32);
  LinearLayout shared = searchSharedLayout(rows, columns, 4);
  for (const LinearLayout &side : {rows, columns}) {
    OffsetMap map = *getOffsetMap(side, shared);
    unsigned vector = getVectorRegisters(map).size();
    EXPECT_EQ(countBankPasses(map, 4, vector), 1);
  }
  // Of the swizzles of the hardware, the widest spreads a column over most banks.
  EXPECT_EQ(searchHardwareSwizzle(rows, columns, 4), 128);
  EXPECT_EQ(searchHardwareSwizzle(rows, rows, 4), 0);
}

TEST(ConversionPlanTest, ShufflesDeliverEveryElement) {
  std::mt19937 rng(11);
  int planned = 0;
  for (int i = 0; i < 2000; ++i) {
    unsigned regs = rng() % 4, warps = rng() % 2;
    int64_t shape[] = {int64_t(1) << (regs + 5 + warps)};
    LinearLayout src = randomBijection(rng, regs, warps, shape), dst;
    if (rng() % 4) {
      // The same warp bases, registers and lanes mixed.
      llvm::SmallVector<int64_t> bases(src.getFlatBases(InDim::Register));
      bases.append(src.getFlatBases(InDim::Lane).begin(), src.getFlatBases(InDim::Lane).end());
      std::shuffle(bases.begin(), bases.end(), rng);
      if (regs && rng() % 2)
        bases[0] ^= bases[bases.size() - 1];
      llvm::SmallVector<int64_t> last(src.getFlatBases(InDim::Warp));
      if (!last.empty() && rng() % 2)
        last[0] ^= bases[rng() % bases.size()];
      llvm::ArrayRef<int64_t> list(bases);
      dst = LinearLayout::fromFlat(list.take_front(regs), list.drop_front(regs), last, shape);
    } else {
      dst = randomBijection(rng, regs, warps, shape);
    }
    auto plan = planShuffles(src, dst);
    ConversionKind kind = classifyConversion(src, dst);
    EXPECT_EQ(plan.has_value(), kind != ConversionKind::SharedMemory)
        << src.toString() << " -> " << dst.toString();
    if (!plan)
      continue;
    ++planned;
    for (int64_t w = 0; w < src.getNumWarps(); ++w)
      for (int64_t q = 0; q < plan->rounds; ++q) {
        std::vector<int64_t> provided(32);
        for (int64_t l = 0; l < 32; ++l)
          provided[l] =
              src.applyFlat(applyBases(plan->sendRound, q) ^ applyBases(plan->sendLane, l) ^
                                applyBases(plan->sendWarp, w),
                            l, w);
        for (int64_t l = 0; l < 32; ++l) {
          int64_t from = applyBases(plan->fromRound, q) ^ applyBases(plan->fromLane, l) ^
                         applyBases(plan->fromWarp, w);
          EXPECT_EQ(provided[from], dst.applyFlat(q ^ applyBases(plan->keepLane, l), l, w));
        }
      }
  }
  EXPECT_GT(planned, 1000);
}

} // namespace
