//===- EngineOptionsTest.cpp ------------------------------------------------------------------===//
//
// Printing and parsing are inverse: of every option that a command line can set, and of every
// setting behind an '@', alone and in pairs. A new field of one of the structs does not compile
// here until it is compared, too.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/engines/EngineOptions.h"
#include "oracles/engines/EngineSettings.h"

#include "gmock/gmock.h"

#include <set>

using namespace tilesmith;
using namespace tilesmith::oracles;

namespace {

/// Field by field; the three of CompileOptions that only programs set must be as by default.
void expectSame(const EngineOptions &got, const EngineOptions &want) {
  const auto &[compile, profile, seed, emulator, optimizeIR, ptxasLevel, program] = got;
  const auto &[gpuName, optLevel, numWarps, mathLibrary, cudaPath, debugInfo, strategies, fuseFma,
               hostMaps, optBisectLimit, verifyEach, afterStage] = compile;
  const auto &[schedule, detectRaces, counterFile, dumpLowered] = emulator;
  EXPECT_EQ(gpuName, want.compile.gpuName);
  EXPECT_EQ(optLevel, want.compile.optLevel);
  EXPECT_EQ(numWarps, want.compile.numWarps);
  EXPECT_EQ(cudaPath, want.compile.cudaPath);
  EXPECT_EQ(strategies, want.compile.strategies);
  EXPECT_EQ(fuseFma, want.compile.fuseFma);
  EXPECT_EQ(hostMaps, want.compile.hostMaps);
  EXPECT_EQ(optBisectLimit, want.compile.optBisectLimit);
  EXPECT_EQ(profile, want.profile);
  EXPECT_EQ(optimizeIR, want.optimizeIR);
  EXPECT_EQ(ptxasLevel, want.ptxasLevel);
  EXPECT_EQ(seed, want.seed);
  EXPECT_EQ(schedule, want.emulator.schedule);
  EXPECT_EQ(detectRaces, want.emulator.detectRaces);
  EXPECT_EQ(counterFile, want.emulator.counterFile);
  EXPECT_EQ(dumpLowered, want.emulator.dumpLowered);
  EXPECT_EQ(program, want.program);
  EXPECT_EQ(mathLibrary, want.compile.mathLibrary);
  EXPECT_EQ(debugInfo, target::DebugInfo::None);
  EXPECT_FALSE(verifyEach || afterStage);
}

EngineOptions parsed(const std::vector<std::string> &words) {
  EngineOptions options;
  EXPECT_EQ(llvm::toString(parseEngineOptions(words, options)), "");
  return options;
}

TEST(EngineOptions, DefaultsNeedNoWords) {
  EXPECT_THAT(printEngineOptions({}), testing::IsEmpty());
}

TEST(EngineOptions, EveryFieldSurvivesPrintingAndParsing) {
  std::vector<EngineOptions> all(1);
  auto with = [&](auto change) {
    change(all.front()); // all changes together
    change(all.emplace_back());
  };
  with([](EngineOptions &o) { o.compile.optLevel = 1; });
  with([](EngineOptions &o) { o.compile.gpuName = "sm_120"; });
  with([](EngineOptions &o) { o.compile.numWarps = 16; });
  with([](EngineOptions &o) { o.compile.strategies.tma = o.compile.strategies.automatic = true; });
  with([](EngineOptions &o) { o.compile.fuseFma = true; });
  with([](EngineOptions &o) { o.compile.hostMaps = true; });
  with([](EngineOptions &o) { o.compile.optBisectLimit = 7; });
  with([](EngineOptions &o) { o.compile.cudaPath = "/a folder/of 'cuda'=13"; });
  with([](EngineOptions &o) { o.compile.mathLibrary = target::MathLibraryKind::Libclc; });
  with([](EngineOptions &o) { o.profile = "public"; });
  with([](EngineOptions &o) { o.seed = UINT64_MAX; });
  with([](EngineOptions &o) { o.emulator.schedule = "random"; });
  with([](EngineOptions &o) { o.emulator.detectRaces = true; });
  with([](EngineOptions &o) { o.emulator.counterFile = "a,b"; });
  with([](EngineOptions &o) { o.emulator.dumpLowered = true; });
  with([](EngineOptions &o) { o.optimizeIR = true; });
  with([](EngineOptions &o) { o.ptxasLevel = 1; });
  ASSERT_EQ(all.size(), engineOptionTable().size() + 1);
  for (const EngineOptions &options : all) {
    std::vector<std::string> words = printEngineOptions(options);
    SCOPED_TRACE(shellWords(words));
    EXPECT_EQ(words.size(), &options == &all.front() ? engineOptionTable().size() : 1);
    expectSame(parsed(words), options);
  }
}

TEST(EngineOptions, WordsAreThoseOfTheCommandLine) {
  EngineOptions options;
  options.compile.optLevel = 0;
  options.compile.strategies.warpSpecialize = options.compile.strategies.tensorMap = true;
  options.compile.cudaPath = "it's here";
  EXPECT_EQ(shellWords(printEngineOptions(options)),
            " -O0 --strategies=warp-specialize,tensor-map '--cuda-path=it'\\''s here'");
  EXPECT_TRUE(parsed({"--detect-races"}).emulator.detectRaces);
  EXPECT_FALSE(parsed({"--detect-races", "--detect-races=false"}).emulator.detectRaces);
}

TEST(EngineOptions, WhatIsNoOptionIsAnError) {
  EngineOptions options;
  for (const char *word :
       {"-O4", "-Ox", "-O", "--gpu-name=sm_1", "--warps=3", "--warps=0", "--warps=64",
        "--strategies=tma,none", "--opt-bisect-limit=", "--math-library=openlibm", "--profile=13",
        "--seed=-1", "--schedule=sideways", "--nothing=1", "O1", ""}) {
    EXPECT_THAT(llvm::toString(parseEngineOptions({word}, options)),
                testing::AnyOf(testing::StartsWith("expected "), testing::HasSubstr("sm_1")))
        << word;
  }
  expectSame(options, {});
}

TEST(Strategies, SurvivePrintingAndParsing) {
  llvm::SmallVector<llvm::StringRef> names = Strategies::all().names();
  EXPECT_EQ(names.size(), 7u);
  for (unsigned set = 0; set < 1u << names.size(); ++set) {
    Strategies strategies;
    for (size_t i = 0; i < names.size(); ++i)
      if (set >> i & 1)
        EXPECT_TRUE(strategies.enable(names[i]));
    EXPECT_EQ(strategies.any(), set != 0);
    EXPECT_EQ(llvm::cantFail(Strategies::parse(strategies.str())), strategies);
  }
}

TEST(EngineSettings, EveryWordAndEveryPairSurvivesParsingAndPrinting) {
  std::vector<std::string> words = engineSettingWords();
  EXPECT_THAT(words, testing::IsSupersetOf({"O0", "O3", "w1", "w32", "sm_80", "sm_120", "tma",
                                            "warp-specialize", "auto", "draw"}));
  unsigned pairs = 0, refused = 0;
  for (const std::string &a : words) {
    EngineSettings alone = llvm::cantFail(parseEngineSettings(a));
    EXPECT_NE(alone, EngineSettings()) << a;
    EXPECT_EQ(printEngineSettings(alone), a);
    for (const std::string &b : words) {
      auto both = parseEngineSettings(a + ":" + b);
      if (!both) { // two for one setting
        EXPECT_THAT(llvm::toString(both.takeError()), testing::HasSubstr("once")) << a << ":" << b;
        EXPECT_EQ(a.front(), b.front());
        ++refused;
        continue;
      }
      ++pairs;
      std::string text = printEngineSettings(*both);
      EXPECT_TRUE(text == a + ":" + b || text == b + ":" + a) << text;
      EXPECT_EQ(llvm::cantFail(parseEngineSettings(text)), *both) << text;
    }
  }
  EXPECT_GT(pairs, 300u);
  EXPECT_LT(refused, pairs);
}

TEST(EngineSettings, WhatIsNoSettingIsAnError) {
  for (const char *text : {"", "O4", "O", "w3", "w0", "sm_1", "nothing", "O1:", ":O1", "o1"})
    EXPECT_THAT(llvm::toString(parseEngineSettings(text).takeError()),
                testing::StartsWith("expected "))
        << text;
  EXPECT_EQ(llvm::toString(parseEngineSpec("emulator@w3").takeError()),
            "expected O0 to O3, a GPU name, w1 to w32, a strategy, fuse-fma, host-maps, optimized, "
            "ptxas0 to ptxas3, "
            "draw, draw0 "
            "or the path of a program behind the '@', found 'w3' in 'emulator@w3'");
  EXPECT_THAT(llvm::toString(parseEngineSettings("/a/b:/c").takeError()),
              testing::StartsWith("expected "));
}

TEST(EngineSettings, APathIsTheProgramOfTheEngine) {
  EngineSettings settings = llvm::cantFail(parseEngineSettings("/a/tileiras:O2:sm_90"));
  EXPECT_EQ(settings.applyTo({}, "case").program, "/a/tileiras");
  EXPECT_EQ(printEngineSettings(settings), "/a/tileiras:O2:sm_90");
}

TEST(EngineSettings, OfOptionsMakeTheseOptions) {
  for (unsigned i = 0; i < 200; ++i) {
    std::string name = "case_" + std::to_string(i);
    EngineOptions drawn = drawEngineOptions({}, name);
    EngineSettings settings = settingsOf(drawn);
    expectSame(llvm::cantFail(parseEngineSettings(printEngineSettings(settings)))
                   .applyTo({}, "another case"),
               drawn);
  }
}

} // namespace
