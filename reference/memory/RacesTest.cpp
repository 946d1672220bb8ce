//===- RacesTest.cpp - racy patterns and their clean twins ------------------------------------===//
#include "reference/memory/Races.h"

#include <gtest/gtest.h>

using namespace tilesmith::reference;

namespace {

using Order = AccessOrder;
using Scope = AccessScope;

/// One execution; ops are named by the calls, the location is address 1000 of allocation 1000
/// unless said.
class RacesTest : public testing::Test {
protected:
  struct Result {
    bool race = false;
    TokenPtr token;
  };
  Result access(uint32_t block, Order order, Scope scope, bool reads, bool writes, TokenPtr after,
                uint64_t address, unsigned size) {
    auto a = detector.begin(nullptr, block, order, scope, after);
    bool race = detector.touch(a, 1000, address, size, reads, writes).has_value();
    return {race, detector.end(a)};
  }
  Result load(uint32_t block, TokenPtr after = nullptr, Order order = Order::Weak,
              Scope scope = Scope::Device, uint64_t address = 1000, unsigned size = 4) {
    return access(block, order, scope, true, false, after, address, size);
  }
  Result store(uint32_t block, TokenPtr after = nullptr, Order order = Order::Weak,
               Scope scope = Scope::Device, uint64_t address = 1000, unsigned size = 4) {
    return access(block, order, scope, false, true, after, address, size);
  }
  Result update(uint32_t block, TokenPtr after = nullptr, Order order = Order::Relaxed,
                Scope scope = Scope::Device) {
    return access(block, order, scope, true, true, after, 1000, 4);
  }
  RaceDetector detector;
};

// [spec: model-program-order, model-token-order]
TEST_F(RacesTest, ProgramOrderDoesNotOrderButTokensDo) {
  auto l = load(0);
  EXPECT_FALSE(l.race);
  EXPECT_FALSE(store(0, l.token).race);
  RaceDetector fresh;
  std::swap(detector, fresh);
  EXPECT_FALSE(load(0).race);
  EXPECT_TRUE(store(0).race);
}

// [spec: model-token-order, mem-join-tokens]
TEST_F(RacesTest, TokensOrderThroughJoinsAndChains) {
  auto a = store(0), b = load(0, nullptr, Order::Weak, Scope::Device, 1004);
  auto c = load(0, joinTokens(a.token, b.token));
  EXPECT_FALSE(c.race);
  EXPECT_FALSE(store(0, c.token).race);
  EXPECT_TRUE(store(0, b.token).race) << "b does not come after the accesses of 1000";
}

// [spec: model-strong]
TEST_F(RacesTest, TwoBlocksNeedStrongAccesses) {
  EXPECT_FALSE(update(0).race);
  EXPECT_FALSE(update(1).race);
  EXPECT_TRUE(load(2).race) << "a weak read of what others update";
}

// [spec: model-scope, model-block-scope]
TEST_F(RacesTest, BlockScopeDoesNotReachOtherBlocks) {
  EXPECT_FALSE(update(0, nullptr, Order::Relaxed, Scope::Block).race);
  EXPECT_FALSE(update(0, nullptr, Order::Relaxed, Scope::Block).race);
  EXPECT_TRUE(update(1, nullptr, Order::Relaxed, Scope::Block).race);
}

// [spec: model-partial-overlap]
TEST_F(RacesTest, PartialOverlapIsARace) {
  EXPECT_FALSE(store(0, nullptr, Order::Relaxed).race);
  EXPECT_TRUE(load(1, nullptr, Order::Relaxed, Scope::Device, 1000, 8).race);
  EXPECT_FALSE(load(1, nullptr, Order::Relaxed, Scope::Device, 1004, 4).race);
}

// [spec: model-synchronises, model-happens-before]
TEST_F(RacesTest, ReleaseAndAcquireHandOver) {
  auto data = store(0, nullptr, Order::Weak, Scope::Device, 2000);
  auto flag = store(0, data.token, Order::Release);
  auto seen = load(1, nullptr, Order::Acquire);
  EXPECT_FALSE(flag.race || seen.race);
  EXPECT_FALSE(load(1, seen.token, Order::Weak, Scope::Device, 2000).race);
  EXPECT_TRUE(load(1, nullptr, Order::Weak, Scope::Device, 2000).race)
      << "not behind the acquire's token";
}

TEST_F(RacesTest, ARelaxedFlagHandsNothingOver) {
  auto data = store(0, nullptr, Order::Weak, Scope::Device, 2000);
  store(0, data.token, Order::Relaxed);
  auto seen = load(1, nullptr, Order::Acquire);
  EXPECT_TRUE(load(1, seen.token, Order::Weak, Scope::Device, 2000).race);
}

TEST_F(RacesTest, AReleaseWithoutTheDataTokenHandsNothingOver) {
  store(0, nullptr, Order::Weak, Scope::Device, 2000);
  store(0, nullptr, Order::Release);
  auto seen = load(1, nullptr, Order::Acquire);
  EXPECT_TRUE(load(1, seen.token, Order::Weak, Scope::Device, 2000).race);
}

// [spec: model-synchronises]
TEST_F(RacesTest, ReadModifyWritesCarryAReleaseOn) {
  auto data = store(0, nullptr, Order::Weak, Scope::Device, 2000);
  store(0, data.token, Order::Release);
  update(1);
  auto seen = update(2, nullptr, Order::AcquireRelease);
  EXPECT_FALSE(load(2, seen.token, Order::Weak, Scope::Device, 2000).race);
}

TEST_F(RacesTest, CoarserAndFinerAccessesMeet) {
  auto wide = store(0, nullptr, Order::Weak, Scope::Device, 1000, 8);
  EXPECT_FALSE(load(0, wide.token, Order::Weak, Scope::Device, 1006, 2).race);
  EXPECT_TRUE(store(1, nullptr, Order::Weak, Scope::Device, 1006, 1).race);
}

// [spec: race-detector-limits]
TEST_F(RacesTest, BeyondItsLimitsTheDetectorSaysSo) {
  TokenPtr token;
  for (uint32_t i = 0; i < 1u << 20; ++i)
    token = store(0, token).token;
  EXPECT_FALSE(detector.gaveUp());
  EXPECT_FALSE(store(1).race) << "nothing is reported that was not checked";
  EXPECT_TRUE(detector.gaveUp());
}

} // namespace
