//===- DifferentialTest.cpp -------------------------------------------------------------------===//
//
// The oracle is tested with engines made of a function, so that every outcome can be staged: an
// agreeing case, planted bugs and inconclusive ones. The real engines have their tests in fuzz/cli
// (corpus/frontends).
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/differential/Differential.h"

#include <cstring>
#include <limits>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace tilesmith;
using namespace tilesmith::oracles;
using testing::HasSubstr;

namespace {

class StagedEngine : public Engine {
public:
  using Function = std::function<EngineResult(const EngineRequest &)>;
  StagedEngine(std::string name, Function function, bool isForeign = false)
      : engineName(std::move(name)), function(std::move(function)), isForeign(isForeign) {}
  llvm::StringRef name() const override { return engineName; }
  EngineResult run(const EngineRequest &request) override { return function(request); }
  bool keepsToPublicText() const override { return isForeign; }
  EngineOptions variation(EngineOptions options) const override {
    options.emulator.schedule = "lifo";
    return options;
  }

private:
  std::string engineName;
  Function function;
  bool isForeign;
};

/// Buffer 0 is an input [1, 2, 3, 4]; buffer 1 an output that must become [2, 4, 6, 8].
testcase::TestCase doubling() {
  testcase::TestCase testCase;
  testCase.name = "doubling";
  testcase::Buffer in;
  in.dtype = testcase::DataType::U8;
  in.shape = {4};
  in.strides = {1};
  in.data = {1, 2, 3, 4};
  testcase::Buffer out = in;
  out.data = {0, 0, 0, 0};
  out.expect = testcase::Bytes{2, 4, 6, 8};
  testCase.buffers = {in, out};
  testcase::Launch &launch = testCase.launches.emplace_back();
  launch.modules.push_back({"13.3", "m.tileirbc", {}});
  return testCase;
}

EngineResult doubled(const EngineRequest &request) {
  EngineResult result;
  for (const testcase::Buffer &buffer : request.testCase.buffers)
    result.buffers.push_back({buffer.data, {}});
  for (size_t i = 0; i < 4; ++i)
    result.buffers[1].bytes[i] = static_cast<uint8_t>(2 * result.buffers[0].bytes[i]);
  return result;
}

ModuleReport judge(const testcase::TestCase &testCase, StagedEngine::Function a,
                   StagedEngine::Function b) {
  std::vector<std::unique_ptr<Engine>> engines;
  engines.push_back(std::make_unique<StagedEngine>("first", std::move(a)));
  engines.push_back(std::make_unique<StagedEngine>("second", std::move(b)));
  return judgeModule(testCase, "13.3", engines, {});
}

TEST(Differential, EnginesThatDoTheRightThingAgree) {
  ModuleReport report = judge(doubling(), doubled, doubled);
  EXPECT_TRUE(report.verdict.isAgree()) << report.verdict.str();
  EXPECT_EQ(report.engines.size(), 2u);
}

TEST(Differential, AWrongElementIsCaughtAgainstTheExpectation) {
  auto wrong = [](const EngineRequest &request) {
    EngineResult result = doubled(request);
    result.buffers[1].bytes[2] ^= 1;
    return result;
  };
  ModuleReport report = judge(doubling(), doubled, wrong);
  EXPECT_TRUE(report.verdict.isDisagree());
  EXPECT_TRUE(report.engines[0].verdict.isAgree());
  EXPECT_THAT(report.verdict.str(), HasSubstr("second against the stored expectation, buffer 1"));
}

TEST(Differential, WithoutAnExpectationTheEnginesJudgeEachOther) {
  testcase::TestCase testCase = doubling();
  testCase.buffers[1].expect.reset();
  testCase.buffers[1].compare.mode = testcase::Comparison::Mode::Enclosure;
  EXPECT_TRUE(judge(testCase, doubled, doubled).verdict.isAgree());
  auto wrong = [](const EngineRequest &request) {
    EngineResult result = doubled(request);
    result.buffers[1].bytes[0] = 77;
    return result;
  };
  ModuleReport report = judge(testCase, doubled, wrong);
  EXPECT_TRUE(report.verdict.isDisagree());
  EXPECT_THAT(report.verdict.str(), HasSubstr("second against first, buffer 1"));
}

TEST(Differential, AWriteToAnInputIsCaught) {
  auto stray = [](const EngineRequest &request) {
    EngineResult result = doubled(request);
    result.buffers[0].bytes[3] = 0;
    return result;
  };
  EXPECT_THAT(judge(doubling(), doubled, stray).verdict.str(), HasSubstr("buffer 0"));
}

TEST(Differential, ARaceShowsAsAContradictionWithItself) {
  auto racy = [](const EngineRequest &request) {
    EngineResult result = doubled(request);
    if (request.options.emulator.schedule == "lifo")
      result.buffers[1].bytes[1] = 9;
    return result;
  };
  ModuleReport report = judge(doubling(), racy, doubled);
  EXPECT_TRUE(report.verdict.isDisagree());
  EXPECT_THAT(report.verdict.str(), HasSubstr("first against itself"));
}

TEST(Differential, AFailedCompilationIsADisagreement) {
  auto broken = [](const EngineRequest &) {
    return EngineResult::stop(EngineResult::Status::Failed, "no lowering");
  };
  ModuleReport report = judge(doubling(), doubled, broken);
  EXPECT_TRUE(report.verdict.isDisagree());
  EXPECT_THAT(report.verdict.str(), HasSubstr("second failed"));
}

TEST(Differential, UndefinedBehaviourMakesTheModuleInconclusive) {
  auto undefined = [](const EngineRequest &) {
    return EngineResult::stop(EngineResult::Status::Undefined, "division by zero");
  };
  auto wrong = [](const EngineRequest &request) {
    EngineResult result = doubled(request);
    result.buffers[1].bytes[0] = 77;
    return result;
  };
  ModuleReport report = judge(doubling(), undefined, wrong);
  EXPECT_TRUE(report.verdict.isInconclusive()) << report.verdict.str();
}

TEST(Differential, AComparisonOfOpenBytesOnlyIsVacuous) {
  auto open = [](const EngineRequest &request) {
    EngineResult result = doubled(request);
    result.buffers[1].bytes = {9, 9, 9, 9};
    result.buffers[1].ignored = {1, 1, 1, 1};
    return result;
  };
  EXPECT_TRUE(judge(doubling(), open, doubled).verdict.isInconclusive());
}

TEST(Differential, AnUnavailableEngineIsSaidToBe) {
  auto missing = [](const EngineRequest &) {
    return EngineResult::stop(EngineResult::Status::Unavailable, "no GPU");
  };
  ModuleReport report = judge(doubling(), doubled, missing);
  EXPECT_TRUE(report.verdict.isUnavailable());
  EXPECT_TRUE(report.engines[0].verdict.isAgree());
}

TEST(Differential, AnAllowedRefusalPasses) {
  testcase::TestCase testCase = doubling();
  auto refusing = [](const EngineRequest &) {
    return EngineResult::stop(EngineResult::Status::Rejected, "rule");
  };
  EXPECT_TRUE(judge(testCase, refusing, refusing).verdict.isDisagree());
  testCase.mayReject = true;
  EXPECT_TRUE(judge(testCase, refusing, refusing).verdict.isAgree());
}

TEST(Differential, AnExpectedTrapPassesAndAMissingOneFails) {
  testcase::TestCase testCase = doubling();
  testCase.traps = true;
  testCase.message = "out of luck";
  auto trapping = [](const EngineRequest &) {
    return EngineResult::stop(EngineResult::Status::Trapped, "assertion failed: out of luck");
  };
  EXPECT_TRUE(judge(testCase, trapping, trapping).verdict.isAgree());
  EXPECT_TRUE(judge(testCase, doubled, doubled).verdict.isDisagree());
}

// [spec: order-sampled]
TEST(Differential, WhereTheOrderOfAtomicsIsOpenADifferenceProvesNothing) {
  testcase::TestCase testCase = doubling();
  testCase.buffers[1].expect.reset();
  testCase.buffers[1].compare.mode = testcase::Comparison::Mode::Enclosure;
  auto swapped = [](const EngineRequest &request) {
    EngineResult result = doubled(request);
    std::swap(result.buffers[1].bytes[0], result.buffers[1].bytes[1]);
    return result;
  };
  auto tickets = [=](const EngineRequest &request) {
    EngineResult result = request.options.seed % 2 ? swapped(request) : doubled(request);
    result.openOrder = "the order of 'atomic_rmw_tko' at k.py:7:3 is open";
    return result;
  };
  EXPECT_TRUE(judge(testCase, tickets, doubled).verdict.isAgree());
  ModuleReport report = judge(testCase, tickets, swapped);
  EXPECT_TRUE(report.verdict.isInconclusive()) << report.verdict.str();
  EXPECT_THAT(report.verdict.str(), HasSubstr("one of several legal results"));
  EXPECT_THAT(report.verdict.str(), HasSubstr("k.py:7:3"));
  EXPECT_TRUE(judge(testCase, doubled, swapped).verdict.isDisagree());
  // The same for one engine under two schedules; a stored expectation still decides.
  auto changing = [=](const EngineRequest &request) {
    return request.options.emulator.schedule == "lifo" ? swapped(request) : doubled(request);
  };
  EXPECT_TRUE(judge(testCase, tickets, changing).verdict.isInconclusive());
  EXPECT_TRUE(judge(doubling(), tickets, swapped).verdict.isDisagree());
  // What no order changes is compared: a last block that sums up what all blocks left.
  auto counting = [](const EngineRequest &request) {
    EngineResult result = doubled(request);
    result.openOrder = "the order of 'atomic_rmw_tko' at k.py:7:3 is open";
    return result;
  };
  EXPECT_TRUE(judge(testCase, counting, swapped).verdict.isDisagree());
  auto stray = [=](const EngineRequest &request) {
    EngineResult result = swapped(request);
    result.buffers[0].bytes[2] ^= 1;
    return result;
  };
  EXPECT_TRUE(judge(testCase, tickets, stray).verdict.isDisagree());
}

/// A case with one f32 output of four elements that nothing is expected of, judged by enclosures.
testcase::TestCase enclosedOutput() {
  testcase::TestCase testCase = doubling();
  testcase::Buffer &out = testCase.buffers[1];
  out.dtype = testcase::DataType::F32;
  out.data.assign(16, 0);
  out.expect.reset();
  out.compare.mode = testcase::Comparison::Mode::Enclosure;
  return testCase;
}

// [spec: order-open]
TEST(Differential, SumsInMemoryThatRoundDifferentlyAreRightWithinTheirBounds) {
  testcase::TestCase testCase = enclosedOutput();
  auto left = [](const EngineRequest &request, float value) {
    EngineResult result;
    result.buffers.push_back({request.testCase.buffers[0].data, {}});
    testcase::Bytes bytes(16);
    for (int i = 0; i < 4; ++i)
      std::memcpy(bytes.data() + 4 * i, &value, 4);
    result.buffers.push_back({bytes, {}});
    return result;
  };
  // In points an order shows where sums are formed in memory, or other accesses race.
  auto reference = [=](bool sums, bool others) {
    return [=](const EngineRequest &request) {
      EngineResult result = left(request, 1.5f);
      bool points = request.testCase.buffers[1].compare.mode == testcase::Comparison::Mode::Exact;
      if (others || (points && sums))
        result.openOrder = "the order of 'atomic_rmw_tko' at k.py:7:3 is open";
      if (points)
        return result;
      auto bounds = std::make_shared<testcase::Enclosure>();
      bounds->low = bounds->bandLow = left(request, 1).buffers[1].bytes;
      bounds->high = bounds->bandHigh = left(request, 2).buffers[1].bytes;
      bounds->vacuous.assign(16, 0);
      result.buffers[1].enclosure = bounds;
      return result;
    };
  };
  auto verdict = [&](bool sums, bool others, float other, bool asked = true) {
    StagedEngine bounds("bounds", reference(sums, others));
    std::vector<std::unique_ptr<Engine>> engines;
    engines.push_back(std::make_unique<StagedEngine>("one", [=](const EngineRequest &request) {
      return left(request, request.options.emulator.schedule == "lifo" ? other : 1.25f);
    }));
    DifferentialOptions options;
    options.bounds = asked ? &bounds : nullptr;
    return judgeModule(testCase, "13.3", engines, options).verdict;
  };
  EXPECT_TRUE(verdict(true, false, 1.75f).isAgree());
  EXPECT_TRUE(verdict(true, false, 2.25f).isDisagree()) << "outside of the bounds";
  EXPECT_TRUE(verdict(false, false, 1.75f).isDisagree()) << "without such sums: the same bits";
  EXPECT_TRUE(verdict(true, true, 1.75f).isDisagree()) << "more than sums is open";
  EXPECT_TRUE(verdict(true, false, 1.75f, false).isDisagree()) << "nobody knows the bounds";
}

/// One f32 output of four elements, judged by enclosures; the first engine says [1, 2] with a band
/// of [0.5, 2.5], or nothing about elements it calls vacuous.
ModuleReport judgeByBounds(float got, bool vacuous) {
  testcase::TestCase testCase = enclosedOutput();
  auto bytesOf = [](float value) {
    testcase::Bytes bytes(16);
    for (int i = 0; i < 4; ++i)
      std::memcpy(bytes.data() + 4 * i, &value, 4);
    return bytes;
  };
  auto result = [=](const EngineRequest &request, float value) {
    EngineResult r;
    r.buffers.push_back({request.testCase.buffers[0].data, {}});
    r.buffers.push_back({bytesOf(value), {}});
    return r;
  };
  auto bounds = std::make_shared<testcase::Enclosure>();
  bounds->low = bytesOf(1);
  bounds->high = bytesOf(2);
  bounds->bandLow = bytesOf(0.5);
  bounds->bandHigh = bytesOf(2.5);
  bounds->vacuous.assign(16, vacuous);
  return judge(
      testCase,
      [=](const EngineRequest &request) {
        EngineResult r = result(request, 1.5);
        r.buffers[1].enclosure = bounds;
        return r;
      },
      [=](const EngineRequest &request) { return result(request, got); });
}

TEST(Differential, ResultsMustLieInsideTheBoundsOfTheReference) {
  for (float inside : {1.0f, 1.25f, 2.0f})
    EXPECT_TRUE(judgeByBounds(inside, false).verdict.isAgree()) << inside;
  for (float outside : {0.25f, -1.5f, 2.75f, std::numeric_limits<float>::quiet_NaN()})
    EXPECT_TRUE(judgeByBounds(outside, false).verdict.isDisagree()) << outside;
  EXPECT_THAT(judgeByBounds(2.25, false).verdict.str(), HasSubstr("band of an observed bound"));
  EXPECT_THAT(judgeByBounds(1.5, true).verdict.str(), HasSubstr("vacuous"));
  EXPECT_TRUE(judgeByBounds(1.5, true).verdict.isInconclusive());
}

// A stored outcome in mode `enclosure` is one of several: an engine that knows the others decides.
TEST(Differential, BoundsDecideWhereAStoredOutcomeIsOneOfSeveral) {
  testcase::TestCase testCase = doubling();
  testcase::Buffer &out = testCase.buffers[1];
  out.dtype = testcase::DataType::F32;
  out.shape = {1};
  auto bytesOf = [](float value) {
    testcase::Bytes bytes(4);
    std::memcpy(bytes.data(), &value, 4);
    return bytes;
  };
  out.data = bytesOf(0);
  out.expect = bytesOf(1.5);
  out.compare.mode = testcase::Comparison::Mode::Enclosure;
  auto resultOf = [&](float value) {
    EngineResult result;
    result.buffers.push_back({testCase.buffers[0].data, {}});
    result.buffers.push_back({bytesOf(value), {}});
    return result;
  };
  StagedEngine bounds("bounds", [&](const EngineRequest &) {
    EngineResult result = resultOf(1.5);
    auto known = std::make_shared<testcase::Enclosure>();
    known->low = known->bandLow = bytesOf(1);
    known->high = known->bandHigh = bytesOf(2);
    known->vacuous.assign(4, 0);
    result.buffers[1].enclosure = known;
    return result;
  });
  auto verdictOf = [&](float got, Engine *asked) {
    std::vector<std::unique_ptr<Engine>> engines;
    engines.push_back(std::make_unique<StagedEngine>(
        "emulator", [&, got](const EngineRequest &) { return resultOf(got); }));
    DifferentialOptions options;
    options.bounds = asked;
    return judgeModule(testCase, "13.3", engines, options).verdict;
  };
  EXPECT_TRUE(verdictOf(1.5, nullptr).isAgree());
  EXPECT_TRUE(verdictOf(1.75, nullptr).isDisagree());
  EXPECT_TRUE(verdictOf(1.75, &bounds).isAgree());
  EXPECT_TRUE(verdictOf(2.5, &bounds).isDisagree());
}

// What stands in a stored expectation where the language leaves contents open is a placeholder.
TEST(Differential, PlaceholdersOfOpenElementsAreNotCompared) {
  testcase::TestCase testCase = doubling();
  testcase::Buffer &out = testCase.buffers[1];
  EngineResult right;
  right.buffers.push_back({testCase.buffers[0].data, {}});
  right.buffers.push_back({out.expected(), {}});
  out.expect = out.expected();
  (*out.expect)[0] ^= 1;
  auto verdict = [&] {
    std::vector<std::unique_ptr<Engine>> engines;
    engines.push_back(
        std::make_unique<StagedEngine>("emulator", [&](const EngineRequest &) { return right; }));
    return judgeModule(testCase, "13.3", engines, {}).verdict;
  };
  EXPECT_TRUE(verdict().isDisagree());
  out.open.assign(out.byteSize(), 0);
  out.open[0] = 1;
  EXPECT_TRUE(verdict().isAgree()) << verdict().str();
  (*out.expect)[1] ^= 1;
  EXPECT_TRUE(verdict().isDisagree());
}

// A stray access that an engine reports is the kernel's own where the asked engine finds it undefined.
TEST(Differential, AFaultOfAnUndefinedKernelIsNotTheEngines) {
  testcase::TestCase testCase = doubling();
  auto judgedWith = [&](EngineResult::Status known) {
    std::vector<std::unique_ptr<Engine>> engines;
    engines.push_back(std::make_unique<StagedEngine>("emulator", [](const EngineRequest &) {
      return EngineResult::stop(EngineResult::Status::Failed, "reads past buffer 0");
    }));
    StagedEngine asked("asked", [&](const EngineRequest &) {
      EngineResult result = EngineResult::stop(known, "element 9 of 8");
      result.label = "out-of-bounds";
      return result;
    });
    DifferentialOptions options;
    options.bounds = &asked;
    return judgeModule(testCase, "13.3", engines, options).verdict;
  };
  Verdict undefined = judgedWith(EngineResult::Status::Undefined);
  EXPECT_TRUE(undefined.isInconclusive()) << undefined.str();
  EXPECT_EQ(undefined.label, "out-of-bounds");
  EXPECT_TRUE(judgedWith(EngineResult::Status::Inconclusive).isDisagree());
}

// [spec: assume-false]
TEST(Differential, WhereAnAssumptionIsFalseADifferenceProvesNothing) {
  auto assuming = [](const EngineRequest &request) {
    EngineResult result = doubled(request);
    result.falseAssumption = "violated assume: element 0 is 1, no multiple of 16 at k.py:7:3";
    return result;
  };
  auto wrong = [](const EngineRequest &request) {
    EngineResult result = doubled(request);
    result.buffers[1].bytes[0] = 77;
    return result;
  };
  EXPECT_TRUE(judge(doubling(), assuming, doubled).verdict.isAgree());
  Verdict verdict = judge(doubling(), assuming, wrong).verdict;
  EXPECT_TRUE(verdict.isInconclusive()) << verdict.str();
  EXPECT_THAT(verdict.str(), HasSubstr("no multiple of 16 at k.py:7:3; disagree: second"));
  EXPECT_EQ(verdict.label, "violated-assume");
  // The engine that looks takes no advantage of the assumption: its own fault counts.
  auto assumingWrong = [&](const EngineRequest &request) {
    EngineResult result = assuming(request);
    result.buffers[1].bytes[0] = 77;
    return result;
  };
  EXPECT_TRUE(judge(doubling(), assumingWrong, doubled).verdict.isDisagree());
}

// [spec: choice-index-beyond]
TEST(Differential, AnotherCompilerIsHeldToPublicTextAlone) {
  auto extended = [](const EngineRequest &request) {
    EngineResult result = doubled(request);
    result.extension = "index 1 of dimension 0 of a view lies outside of its index space";
    return result;
  };
  auto wrong = [](const EngineRequest &request) {
    EngineResult result = doubled(request);
    result.buffers[1].bytes[0] = 77;
    return result;
  };
  // The first engine interprets; the second runs code of our compiler, or of another one.
  auto judged = [&](StagedEngine::Function first, StagedEngine::Function second, bool isForeign) {
    std::vector<std::unique_ptr<Engine>> engines;
    engines.push_back(std::make_unique<StagedEngine>("first", std::move(first)));
    engines.push_back(std::make_unique<StagedEngine>("second", std::move(second), isForeign));
    return judgeModule(doubling(), "13.3", engines, {}).verdict;
  };
  Verdict verdict = judged(extended, wrong, true);
  EXPECT_TRUE(verdict.isInconclusive()) << verdict.str();
  EXPECT_THAT(verdict.str(), HasSubstr("lies outside of its index space; disagree: second"));
  EXPECT_EQ(verdict.label, "view-index");
  EXPECT_TRUE(judged(extended, doubled, true).isAgree());
  EXPECT_TRUE(judged(extended, wrong, false).isDisagree()) << "ours keeps to the reference";
  EXPECT_TRUE(judged(doubled, wrong, true).isDisagree()) << "nothing of the reference's own is met";

  // Against the stored expectation it is the engine asked for bounds that knows.
  StagedEngine asked("reference", extended);
  DifferentialOptions options;
  options.bounds = &asked;
  std::vector<std::unique_ptr<Engine>> alone;
  alone.push_back(std::make_unique<StagedEngine>("second", wrong, true));
  EXPECT_EQ(judgeModule(doubling(), "13.3", alone, options).verdict.label, "view-index");
}

TEST(Differential, FloatResultsAreCountedByWhatTheirBoundsSay) {
  FloatComparisons ranges = judgeByBounds(1.25, false).floats,
                   nothing = judgeByBounds(1.25, true).floats;
  EXPECT_EQ(ranges.bounded, 4u);
  EXPECT_EQ(ranges.total(), 4u);
  EXPECT_EQ(ranges.medianWidth(), 0x1p23); // from 1 to 2
  EXPECT_EQ(nothing.vacuous, 4u);
  EXPECT_EQ(nothing.total(), 4u);
}

} // namespace
