//===- ChoiceStreamTest.cpp -------------------------------------------------------------------===//
#include "generators/entropy/ChoiceStream.h"

#include "gtest/gtest.h"

using namespace tilesmith::generators;

namespace {

std::vector<uint64_t> draw(ChoiceStream &stream, unsigned count, uint64_t n) {
  std::vector<uint64_t> result;
  for (unsigned i = 0; i < count; ++i)
    result.push_back(stream.below(n));
  return result;
}

TEST(ChoiceStream, TheSameSeedGivesTheSameAnswers) {
  ChoiceStream a = ChoiceStream::fromSeed(7), b = ChoiceStream::fromSeed(7),
               c = ChoiceStream::fromSeed(8);
  auto first = draw(a, 100, 1000);
  EXPECT_EQ(first, draw(b, 100, 1000));
  EXPECT_NE(first, draw(c, 100, 1000));
}

TEST(ChoiceStream, TheFirstBytesOfASeedAreFixedForEver) {
  ChoiceStream stream = ChoiceStream::fromSeed(0);
  EXPECT_EQ(stream.bits(64), 0xE220A8397B1DCDAFull)
      << "seeds are part of bug reports: never change the PRNG";
}

TEST(ChoiceStream, TheRecordReplaysASeededStream) {
  ChoiceStream seeded = ChoiceStream::fromSeed(3);
  auto first = draw(seeded, 10, 256);
  ChoiceStream inner = seeded.frame(4);
  auto framed = draw(inner, 9, 100);
  auto rest = draw(seeded, 10, 256);
  ChoiceStream replay = ChoiceStream::fromBytes(seeded.recorded());
  EXPECT_EQ(first, draw(replay, 10, 256));
  ChoiceStream innerReplay = replay.frame(4);
  EXPECT_EQ(framed, draw(innerReplay, 9, 100));
  EXPECT_FALSE(replay.exhausted());
  EXPECT_EQ(rest, draw(replay, 10, 256));
  EXPECT_TRUE(replay.exhausted());
}

TEST(ChoiceStream, AnExhaustedStreamAnswersTheSmallestChoice) {
  ChoiceStream stream = ChoiceStream::fromBytes({});
  EXPECT_TRUE(stream.exhausted());
  EXPECT_EQ(stream.below(17), 0u);
  EXPECT_FALSE(stream.chance(99));
  EXPECT_EQ(stream.weighted({3, 5}), 0u);
}

TEST(ChoiceStream, AnEditInsideAFrameLeavesLaterChoicesAlone) {
  std::vector<uint8_t> bytes(32);
  for (unsigned i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<uint8_t>(17 * i + 1);
  auto run = [](const std::vector<uint8_t> &bytes, unsigned questions) {
    ChoiceStream stream = ChoiceStream::fromBytes(bytes);
    ChoiceStream frame = stream.frame(8);
    draw(frame, questions, 100);
    return draw(stream, 8, 100);
  };
  auto expected = run(bytes, 3);
  bytes[2] ^= 0xFF;
  EXPECT_EQ(expected, run(bytes, 20))
      << "not even when the frame asks more questions than it has bytes";
}

TEST(ChoiceStream, AnswersStayInTheirRange) {
  ChoiceStream stream = ChoiceStream::fromSeed(11);
  for (int i = 0; i < 2000; ++i) {
    EXPECT_LT(stream.below(3), 3u);
    int64_t x = stream.between(-5, 5);
    EXPECT_TRUE(x >= -5 && x <= 5);
    EXPECT_LT(stream.bits(5), 32u);
    EXPECT_NE(stream.weighted({1, 0, 1}), 1u);
  }
  EXPECT_FALSE(stream.chance(0));
  EXPECT_TRUE(stream.chance(100));
}

} // namespace
