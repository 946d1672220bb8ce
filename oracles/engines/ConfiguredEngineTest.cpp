//===- ConfiguredEngineTest.cpp ---------------------------------------------------------------===//
#include "oracles/engines/ConfiguredEngine.h"

#include "gmock/gmock.h"

#include <set>

using namespace tilesmith;
using namespace tilesmith::oracles;

namespace {

/// Remembers the options of its last run.
class Probe : public Engine {
public:
  explicit Probe(EngineOptions &seen) : seen(seen) {}
  llvm::StringRef name() const override { return "probe"; }
  EngineResult run(const EngineRequest &request) override {
    seen = request.options;
    return EngineResult::stop(EngineResult::Status::Failed, "failed");
  }

private:
  EngineOptions &seen;
};

EngineResult runWith(llvm::StringRef settings, EngineOptions &seen, std::string caseName = "c") {
  auto engine = configureEngine(std::make_unique<Probe>(seen), ("probe@" + settings).str(),
                                llvm::cantFail(parseEngineSettings(settings)));
  testcase::TestCase testCase;
  testCase.name = std::move(caseName);
  EngineOptions shared;
  shared.emulator.schedule = "lifo";
  EXPECT_EQ(engine->name(), ("probe@" + settings).str());
  return engine->run({testCase, "13.3", shared});
}

TEST(ConfiguredEngine, SettingsWinOverSharedOptions) {
  EngineOptions seen;
  runWith("O0:sm_80:w8", seen);
  EXPECT_EQ(seen.compile.optLevel, 0u);
  EXPECT_EQ(seen.compile.gpuName, "sm_80");
  EXPECT_EQ(seen.compile.numWarps, 8u);
  EXPECT_EQ(seen.emulator.schedule, "lifo");
  runWith("O2", seen);
  EXPECT_EQ(seen.compile.optLevel, 2u);
  EXPECT_EQ(seen.compile.gpuName, "sm_90");
  EXPECT_EQ(seen.compile.numWarps, 4u);
}

TEST(ConfiguredEngine, SwitchesStrategiesOn) {
  EngineOptions seen;
  runWith("sm_100:warp-specialize:dynamic-persistent", seen);
  EXPECT_EQ(seen.compile.gpuName, "sm_100");
  EXPECT_EQ(seen.compile.strategies.str(), "warp-specialize,dynamic-persistent");
  runWith("tma", seen);
  EXPECT_EQ(seen.compile.strategies.str(), "tma");
  runWith("O2", seen);
  EXPECT_EQ(seen.compile.strategies.str(), "");
}

TEST(ConfiguredEngine, DrawsEveryChoiceAndTheSameForTheSameCase) {
  std::set<unsigned> levels, warps;
  std::set<std::string> gpus;
  for (unsigned i = 0; i < 200; ++i) {
    EngineOptions a, b;
    std::string name = "case_" + std::to_string(i);
    EngineResult result = runWith("draw", a, name);
    runWith("draw", b, name);
    EXPECT_EQ(a.compile.optLevel, b.compile.optLevel);
    EXPECT_EQ(a.compile.gpuName, b.compile.gpuName);
    EXPECT_EQ(a.compile.numWarps, b.compile.numWarps);
    EXPECT_EQ(result.message, "failed (" + printEngineSettings(settingsOf(a)) + ")");
    levels.insert(a.compile.optLevel);
    gpus.insert(a.compile.gpuName);
    warps.insert(a.compile.numWarps);
  }
  EXPECT_THAT(levels, testing::ElementsAre(1u, 2u, 3u));
  EXPECT_THAT(gpus, testing::ElementsAre("sm_100", "sm_120", "sm_80", "sm_90"));
  EXPECT_THAT(warps, testing::ElementsAre(1u, 2u, 4u, 8u, 16u));
}

TEST(ConfiguredEngine, DrawsFromLevelZeroWhereAskedAndElseTheSame) {
  unsigned atZero = 0;
  for (unsigned i = 0; i < 10000; ++i) {
    std::string name = "case_" + std::to_string(i);
    EngineOptions from1 = drawEngineOptions({}, name),
                  from0 = drawEngineOptions({}, name, DrawnLevels::FromO0);
    EXPECT_EQ(from1.compile.gpuName, from0.compile.gpuName);
    EXPECT_EQ(from1.compile.numWarps, from0.compile.numWarps);
    atZero += from0.compile.optLevel == 0;
    if (from0.compile.optLevel == 0)
      EXPECT_EQ(from0.compile.strategies.str(), "");
    else
      EXPECT_EQ(printEngineSettings(settingsOf(from0)), printEngineSettings(settingsOf(from1)));
  }
  EXPECT_NEAR(atZero, 2500, 200);
}

TEST(ConfiguredEngine, DrawsTheOptimisedIRForSomeKernels) {
  unsigned count = 0;
  for (unsigned i = 0; i < 10000; ++i)
    count += drawEngineOptions({}, "case_" + std::to_string(i)).optimizeIR;
  EXPECT_NEAR(count, 10000 / 8.0, 200);
}

TEST(ConfiguredEngine, DrawsStrategiesForSomeKernelsOfNewTargets) {
  std::set<std::string> drawn;
  unsigned eligible = 0, count = 0;
  for (unsigned i = 0; i < 10000; ++i) {
    EngineOptions options = drawEngineOptions({}, "case_" + std::to_string(i));
    std::string names = options.compile.strategies.str();
    eligible += options.compile.optLevel == 3 && options.compile.gpuName != "sm_80";
    if (names.empty())
      continue;
    ++count;
    drawn.insert(names);
    EXPECT_EQ(options.compile.optLevel, 3u);
    EXPECT_NE(options.compile.gpuName, "sm_80");
    EXPECT_TRUE(!options.compile.strategies.dynamicPersistent ||
                options.compile.gpuName != "sm_90");
  }
  EXPECT_THAT(drawn, testing::ElementsAre("auto", "dynamic-persistent", "plain", "tensor-map",
                                          "tensor-store", "tensor-store,auto", "tma",
                                          "warp-specialize", "warp-specialize,tensor-map"));
  EXPECT_NEAR(count, eligible / 8.0, eligible / 40.0);
}

// What a case holds, its name says.
TEST(ConfiguredEngine, DrawsTargetsAndTensorMapsForProducts) {
  unsigned maps = 0, loops = 0, scaled = 0, large = 0, ways = 0;
  for (unsigned i = 0; i < 10000; ++i) {
    std::string name = "case_" + std::to_string(i);
    maps += drawEngineOptions({}, name + "-maps").compile.strategies.tensorMap;
    loops += drawEngineOptions({}, name + "-products").compile.gpuName == "sm_90";
    scaled += drawEngineOptions({}, name + "-scaled").compile.gpuName == "sm_120";
    const CompileOptions ofLarge = drawEngineOptions({}, name + "-large").compile;
    large += ofLarge.gpuName == "sm_100";
    ways += ofLarge.gpuName == "sm_100" && ofLarge.strategies.any();
  }
  EXPECT_NEAR(maps, 10000 * 0.75 * (15 / 16.0) * 0.75, 250);
  EXPECT_NEAR(loops, 10000 * (0.75 / 2 + 0.25 / 4), 250);
  EXPECT_NEAR(scaled, 10000 * (0.75 / 2 + 0.25 / 4), 250);
  const double ofTensorMemory = 0.75 * (0.75 + 0.25 / 2) + 0.25 / 4;
  EXPECT_NEAR(large, 10000 * ofTensorMemory, 250);
  EXPECT_NEAR(ways, 10000 * ofTensorMemory * 0.75 * 0.75, 250);
}

// [spec: choice-index-beyond]
TEST(ConfiguredEngine, OnlyCodeOfOtherCompilersKeepsToPublicTextAlone) {
  auto engines =
      llvm::cantFail(createEngines("external@/a/tileiras:sm_90,external,sass@sm_90,emulator"));
  for (auto [engine, isForeign] : llvm::zip(engines, std::vector{true, true, false, false}))
    EXPECT_EQ(engine->keepsToPublicText(), isForeign) << engine->name().str();
}

TEST(ConfiguredEngine, ListsOfEngines) {
  auto engines = createEngines("reference,emulator@O0,emulator@draw");
  ASSERT_TRUE(static_cast<bool>(engines)) << llvm::toString(engines.takeError());
  EXPECT_EQ((*engines)[1]->name(), "emulator@O0");
  for (const char *wrong :
       {"emulator@", "emulator@O4", "emulator@w3", "emulator@O0,emulator@O0", "emulator@O0:nothing",
        "nothing@O0", "emulator@O0:O1", "emulator@tma:tma"}) {
    auto refused = createEngines(wrong);
    EXPECT_FALSE(static_cast<bool>(refused)) << wrong;
    EXPECT_THAT(llvm::toString(refused.takeError()), testing::StartsWith("expected ")) << wrong;
  }
}

} // namespace
