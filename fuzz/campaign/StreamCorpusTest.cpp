//===- StreamCorpusTest.cpp -------------------------------------------------------------------===//
#include "fuzz/campaign/StreamCorpus.h"
#include "fuzz/campaign/CurveCounter.h"

#include "gtest/gtest.h"

using namespace tilesmith;
using namespace tilesmith::fuzz;

namespace {

using Hashes = std::vector<uint64_t>;

TEST(StreamCorpus, KeepsWhatIsFirstAndForgetsWhatIsShorterElsewhere) {
  StreamCorpus corpus;
  const std::string longer(100, 'a'), other(90, 'b'), half(50, 'c');
  EXPECT_EQ(corpus.add(longer, {1, 2}), (Hashes{1, 2}));
  EXPECT_EQ(corpus.add(other, {1, 2}), Hashes()); // nothing new, hardly shorter
  EXPECT_EQ(corpus.add(other, {2, 3}), (Hashes{3}));
  EXPECT_EQ(corpus.add("", {4}), Hashes()); // no choices: nothing to change
  EXPECT_EQ(corpus.streams(), 2u);
  EXPECT_EQ(corpus.add(half, {1, 2}), (Hashes{1, 2})); // in half the bytes
  EXPECT_EQ(corpus.streams(), 2u);
  EXPECT_EQ(corpus.features(), 3u);
}

TEST(StreamCorpus, DrawsChangedStreamsByItsNumberAlone) {
  StreamCorpus first, second;
  EXPECT_EQ(first.draw(7), std::nullopt);
  for (StreamCorpus *corpus : {&first, &second}) {
    corpus->add(std::string(300, 'x'), {1});
    corpus->add(std::string(200, 'y'), {2});
  }
  std::set<std::string> drawn;
  for (uint64_t i = 0; i < 20; ++i) {
    std::optional<std::string> one = first.draw(i);
    ASSERT_TRUE(one.has_value());
    EXPECT_EQ(one, second.draw(i));
    drawn.insert(*one);
  }
  EXPECT_EQ(drawn.size(), 20u);
}

TEST(StreamCorpus, FeaturesAreRewritesTheirPairsAndWhatStandsBeside) {
  CaseFeatures features;
  features.rewrites = {"a", "b", "c"};
  features.pairs = {"addi i32", "load i8"};
  features.modes = {"addi i32 wrap"};
  // 3 rewrites, 3 pairs of them, 2 operations, each beside 3 rewrites, 1 mode.
  EXPECT_EQ(hashesOf(features).size(), 3u + 3 + 2 + 6 + 1);
}

TEST(CurveCounter, CountsInTheOrderOfNumbers) {
  CaseFeatures ab, b;
  ab.rewrites = {"a", "b"};
  b.rewrites = {"b"};
  const oracles::Verdict good, bad = oracles::Verdict::disagree("what", "where", "how");
  CurveCounter inOrder, reversed;
  inOrder.add(0, b, good);
  inOrder.add(1, ab, bad);
  inOrder.add(2, b, bad);
  reversed.add(2, b, bad);
  EXPECT_TRUE(reversed.sums()[0].empty());
  reversed.add(1, ab, bad);
  reversed.add(0, b, good);
  EXPECT_EQ(inOrder.sums(), reversed.sums());
  EXPECT_EQ(reversed.sums()[0], (std::vector<double>{1, 2, 2}));
  EXPECT_EQ(reversed.sums()[1], (std::vector<double>{0, 1, 1}));
  EXPECT_EQ(reversed.sums()[5], (std::vector<double>{0, 1, 1})); // one signature
}

} // namespace
