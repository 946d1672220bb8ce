//===- SwapPlanTest.cpp - exchanged bits against a simulated warp -----------------------------===//
#include "compiler/support/SwapPlan.h"

#include "gtest/gtest.h"

#include <random>

using namespace tilesmith;

namespace {

/// Registers of all lanes of a warp; each holds the number of its element.
using Warp = std::vector<std::vector<int64_t>>;

Warp fill(const LinearLayout &layout, int64_t warp) {
  Warp result(32);
  for (int64_t lane = 0; lane < 32; ++lane)
    for (int64_t reg = 0; reg < layout.getNumRegisters(); ++reg)
      result[lane].push_back(layout.applyFlat(reg, lane, warp));
  return result;
}

/// What a shuffle with the mask `1 << lane` does to each pair of registers.
void swap(Warp &warp, unsigned reg, unsigned lane) {
  Warp before = warp;
  for (int64_t own = 0; own < 32; ++own)
    for (size_t low = 0; low < warp[own].size(); ++low) {
      const size_t high = low | size_t(1) << reg;
      if (low == high)
        continue;
      const int64_t other = own ^ (int64_t(1) << lane);
      if (own >> lane & 1)
        warp[own][low] = before[other][high];
      else
        warp[own][high] = before[other][low];
    }
}

LinearLayout layoutOf(llvm::ArrayRef<int64_t> bases, unsigned registers) {
  return LinearLayout::fromFlat(bases.take_front(registers), bases.slice(registers, 5),
                                bases.drop_front(registers + 5), {int64_t(1) << bases.size()});
}

TEST(SwapPlan, MovesEveryElementWhereItBelongs) {
  std::mt19937 rng(7);
  unsigned found = 0;
  for (unsigned trial = 0; trial < 400; ++trial) {
    const unsigned registers = 1 + rng() % 4, pairs = 1 + rng() % registers;
    llvm::SmallVector<int64_t> bases;
    for (unsigned bit = 0; bit < registers + 5 + 2; ++bit)
      bases.push_back(int64_t(1) << bit);
    std::shuffle(bases.begin(), bases.end(), rng);
    LinearLayout source = layoutOf(bases, registers);
    for (unsigned pair = 0; pair < pairs; ++pair)
      std::swap(bases[rng() % registers], bases[registers + rng() % 5]);
    std::shuffle(bases.begin(), bases.begin() + registers, rng);
    LinearLayout result = layoutOf(bases, registers);
    std::optional<SwapPlan> plan = planSwaps(source, result);
    if (!plan) // a lane has got the bit of another one
      continue;
    ++found;
    EXPECT_EQ(plan->shuffles, int64_t(plan->swaps.size()) * source.getNumRegisters() / 2);
    for (int64_t warp = 0; warp < 4; ++warp) {
      Warp values = fill(source, warp), wanted = fill(result, warp);
      for (auto [reg, lane] : plan->swaps)
        swap(values, reg, lane);
      for (int64_t lane = 0; lane < 32; ++lane)
        for (auto [reg, at] : llvm::enumerate(plan->registers))
          ASSERT_EQ(values[lane][at], wanted[lane][reg]);
    }
  }
  EXPECT_GT(found, 200u);
}

TEST(SwapPlan, DropsARegisterThatBecomesADuplicate) {
  // The lowest lanes hold the same; afterwards registers do.
  LinearLayout source = LinearLayout::fromFlat({1, 2}, {0, 4, 8, 16, 32}, {64, 128}, {256});
  LinearLayout result = LinearLayout::fromFlat({2}, {1, 4, 8, 16, 32}, {64, 128}, {256});
  std::optional<SwapPlan> plan = planSwaps(source, result);
  ASSERT_TRUE(plan);
  Warp values = fill(source, 3), wanted = fill(result, 3);
  for (auto [reg, lane] : plan->swaps)
    swap(values, reg, lane);
  for (int64_t lane = 0; lane < 32; ++lane)
    for (auto [reg, at] : llvm::enumerate(plan->registers))
      EXPECT_EQ(values[lane][at], wanted[lane][reg]);
}

TEST(SwapPlan, LeavesAloneWhatCrossesWarpsOrPermutesLanes) {
  LinearLayout source = LinearLayout::fromFlat({1, 2}, {4, 8, 16, 32, 64}, {128, 256}, {512});
  EXPECT_FALSE(
      planSwaps(source, LinearLayout::fromFlat({1, 128}, {4, 8, 16, 32, 64}, {2, 256}, {512})));
  EXPECT_FALSE(
      planSwaps(source, LinearLayout::fromFlat({1, 2}, {8, 4, 16, 32, 64}, {128, 256}, {512})));
  EXPECT_FALSE(
      planSwaps(source, LinearLayout::fromFlat({1, 2}, {4, 8, 16, 32, 64}, {128, 256}, {2, 256})));
}

} // namespace
