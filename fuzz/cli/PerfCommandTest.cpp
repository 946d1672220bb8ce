//===- PerfCommandTest.cpp - the performance oracle as a command ------------------------------===//
#include "fuzz/cli/CommandTest.h"

#include <filesystem>
#include <fstream>
#include <sstream>

using namespace tilesmith::fuzz;
using testing::HasSubstr;
using testing::Not;

namespace {

class Perf : public CommandTest {
protected:
  std::string baseline() const { return directory + "/base.jsonl"; }
  std::string read(const std::string &path) {
    std::stringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }
  /// Measures without ptxas, which a machine may or may not have.
  Outcome perf(const std::string &name, std::vector<std::string> more = {}) {
    std::vector<std::string> words{"perf", corpusFolder(name), "--baseline=" + baseline(),
                                   "--ptxas=false"};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  }
};

// Agreeing: the same compiler against its own figures, for all three targets.
TEST_F(Perf, TheSameCompilerIsUnchanged) {
  Outcome first = perf("frontends/softmax_f32", {"--update"});
  EXPECT_EQ(first.code, 0) << first.output;
  EXPECT_THAT(first.output, HasSubstr("wrote 3 rows"));
  Outcome again = perf("frontends/softmax_f32");
  EXPECT_EQ(again.code, 0) << again.output;
  EXPECT_THAT(again.output, HasSubstr("3 rows: 3 unchanged, 0 changed"));
  // Again stored, the same file.
  std::string before = read(baseline());
  EXPECT_THAT(before, HasSubstr("\"emulator/instructions\""));
  EXPECT_THAT(before, HasSubstr("\"ptx/instructions\""));
  EXPECT_EQ(perf("frontends/softmax_f32", {"--update", "--emulator=false"}).code, 0);
  // The same code keeps what was not measured this time (but for what the compilation cost).
  EXPECT_THAT(read(baseline()), HasSubstr("\"emulator/instructions\""));
}

// Planted: the optional passes left out; results stay right, so no other oracle sees it.
TEST_F(Perf, MissingPassesAreARegression) {
  EXPECT_EQ(perf("planted/mma-drops-k-step", {"--update"}).code, 0);
  Outcome worse = perf("planted/mma-drops-k-step", {"--opt-bisect-limit=0"});
  EXPECT_EQ(worse.code, 1) << worse.output;
  EXPECT_THAT(worse.output, HasSubstr("  worse\n"));
  EXPECT_THAT(worse.output, HasSubstr("ptx/instructions"));
  EXPECT_THAT(worse.output, Not(HasSubstr(" 0 worse")));
  // The other way round is an improvement.
  EXPECT_EQ(perf("planted/mma-drops-k-step", {"--opt-bisect-limit=0", "--update"}).code, 0);
  EXPECT_EQ(perf("planted/mma-drops-k-step").code, 0);
}

// What only reads makes no store, and says when there is nothing to read.
TEST_F(Perf, AStoreWithoutRowsIsAnErrorAndAMissingOneStaysMissing) {
  for (const char *question : {"--compare=a,b", "--bisect=ptx/instructions"}) {
    Outcome missing = run({"perf", "--db=" + directory + "/none.db", question});
    EXPECT_EQ(missing.code, 2) << missing.output;
    EXPECT_THAT(missing.output, HasSubstr("none.db"));
    EXPECT_FALSE(std::filesystem::exists(directory + "/none.db"));
  }
  Outcome campaign = run(
      {"fuzz", "--db=" + directory + "/s.db", "--seed=1", "--count=1", "-o", directory + "/found"});
  ASSERT_EQ(campaign.code, 0) << campaign.output;
  for (const char *question : {"--compare=a,b", "--bisect=ptx/instructions"}) {
    Outcome empty = run({"perf", "--db=" + directory + "/s.db", question});
    EXPECT_EQ(empty.code, 2) << empty.output;
    EXPECT_THAT(empty.output,
                HasSubstr("expected a store with rows of `tilesmith perf`, found none"));
  }
}

// Builds in a store: worse than the one before is an alarm until somebody accepts it; steps that no
// gate sees show against a release.
TEST_F(Perf, AStoreComparesBuildsAndKnowsWhatWasAccepted) {
  auto build = [&](const std::string &name, std::vector<std::string> more = {}) {
    std::vector<std::string> words{"perf",
                                   corpusFolder("planted/mma-drops-k-step"),
                                   "--db=" + directory + "/s.db",
                                   "--build=" + name,
                                   "--gpus=sm_90",
                                   "--ptxas=false"};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  };
  const std::string slow = "--opt-bisect-limit=0";
  Outcome first = build("1.0");
  EXPECT_EQ(first.code, 0) << first.output;
  EXPECT_THAT(first.output, HasSubstr("1 without a stored row"));
  Outcome same = build("a");
  EXPECT_EQ(same.code, 0) << same.output;
  EXPECT_THAT(same.output, HasSubstr("compared with build 1.0\n"));
  EXPECT_THAT(same.output, HasSubstr("1 rows: 1 unchanged"));
  Outcome worse = build("b", {slow});
  EXPECT_EQ(worse.code, 1) << worse.output;
  EXPECT_THAT(worse.output, HasSubstr("compared with build a\n"));
  EXPECT_EQ(build("b", {slow}).code, 1) << "again the same";
  EXPECT_EQ(build("b", {slow, "--accept=nobody"}).code, 2);
  EXPECT_EQ(build("b", {slow, "--accept=me: passes are off"}).code, 0);
  Outcome accepted = build("b", {slow});
  EXPECT_EQ(accepted.code, 0) << accepted.output;
  EXPECT_THAT(accepted.output, HasSubstr("accepted: me: passes are off"));
  EXPECT_EQ(build("c", {slow}).code, 0) << "not worse than the build before";
  EXPECT_EQ(build("c", {slow, "--since=1.0"}).code, 1) << "but than the release";
  EXPECT_EQ(build("c", {slow, "--since=none"}).code, 2);
  auto compare = [&](const std::string &builds) {
    return run({"perf", "--db=" + directory + "/s.db", "--compare=" + builds});
  };
  EXPECT_EQ(compare("1.0,c").code, 1);
  EXPECT_EQ(compare("c,1.0").code, 0);
  EXPECT_EQ(compare("1.0,b").code, 0) << "accepted";
  Outcome unknown = compare("1.0,x");
  EXPECT_EQ(unknown.code, 2);
  EXPECT_THAT(unknown.output, HasSubstr("expected a build of the store (1.0, a, b, c), found 'x'"));
  EXPECT_EQ(compare("1.0").code, 2);
  EXPECT_EQ(run({"report", "--db=" + directory + "/s.db", "-o", directory + "/r.html"}).code, 0);
  EXPECT_THAT(read(directory + "/r.html"),
              testing::ContainsRegex("\"s[0-9-]* sm_90 -O3\",\"emulator/instructions\""));
  EXPECT_THAT(read(directory + "/r.html"), HasSubstr("b: code: "));
  EXPECT_THAT(read(directory + "/r.html"), HasSubstr("(accepted): me: passes are off"));
  // For other programs.
  EXPECT_EQ(run({"report", "--db=" + directory + "/s.db", "-o", directory + "/r.bench.json", "-o",
                 directory + "/r.csv", "-o", directory + "/r.json"})
                .code,
            0);
  EXPECT_THAT(read(directory + "/r.bench.json"),
              testing::ContainsRegex("\"name\": \"s[0-9-]* sm_90 -O3 ptx/instructions\""));
  EXPECT_THAT(read(directory + "/r.csv"),
              testing::ContainsRegex("^time,build,\"s[0-9-]* sm_90 -O3 [^\n]*\n20[0-9:T-]*\\+00:00,"
                                     "\"1.0\",[0-9]"));
  EXPECT_THAT(read(directory + "/r.json"), HasSubstr("\"cause\": \"code\""));
  EXPECT_EQ(run({"perf", "--db=" + directory + "/s.db", "--bisect=ptx/instructions"}).code, 0);
  EXPECT_THAT(run({"perf", "--db=" + directory + "/s.db", "--bisect=ptx/instructions"}).output,
              HasSubstr("build b: "));
  EXPECT_EQ(run({"perf", "--db=" + directory + "/s.db", "--bisect=none"}).code, 2);
  EXPECT_EQ(run({"report", "--bench=" + sourceFolder("corpus/performance.jsonl"), "-o",
                 directory + "/x.csv"})
                .code,
            2)
      << "no builds";
}

// The cost of a compilation has a spread once it is measured several times; a figure is blamed on the
// pass that raised it.
TEST_F(Perf, CostsHaveASpreadAndPassesAreNamed) {
  Outcome twice = perf("planted/mma-drops-k-step", {"--update", "--gpus=sm_90", "--repeat=3"});
  EXPECT_EQ(twice.code, 0) << twice.output;
  EXPECT_THAT(read(baseline()), HasSubstr("\"compile/sigma\""));
  EXPECT_EQ(perf("planted/mma-drops-k-step", {"--repeat=0"}).code, 2);
  Outcome beside = perf("planted/mma-drops-k-step", {"--update", "--gpus=sm_90", "--repeat=2",
                                                     "--reference=" + toolPath("tilesmith")});
  EXPECT_EQ(beside.code, 0) << beside.output;
  EXPECT_THAT(read(baseline()), HasSubstr("\"compile/reference\""));
  EXPECT_EQ(perf("planted/mma-drops-k-step", {"--gpus=sm_90", "--reference=/nonexistent"}).code, 2);
  Outcome passes = run({"perf", corpusFolder("planted/mma-drops-k-step"), "--gpus=sm_90",
                        "--bisect=emulator/instructions"});
  EXPECT_EQ(passes.code, 0) << passes.output;
  EXPECT_THAT(passes.output, testing::AllOf(HasSubstr("no optional pass"), HasSubstr("tileas-"),
                                            HasSubstr("raised most by: ")));
  EXPECT_EQ(run({"perf", corpusFolder("planted/mma-drops-k-step"), "--bisect=none"}).code, 2);
}

// Inconclusive: nothing is stored for what is asked, or its figures come from a tool that is not
// here.
TEST_F(Perf, WithoutARowNothingIsSaid) {
  EXPECT_EQ(perf("frontends/softmax_f32", {"--update", "--gpus=sm_90"}).code, 0);
  Outcome none = perf("frontends/softmax_f32", {"--gpus=sm_80"});
  EXPECT_EQ(none.code, 3) << none.output;
  EXPECT_THAT(none.output, HasSubstr("no stored row"));
  Outcome level = perf("frontends/softmax_f32", {"--gpus=sm_90", "-O1"});
  EXPECT_EQ(level.code, 3) << level.output;
  std::string text = read(baseline());
  size_t at = text.find("\"ptx/");
  ASSERT_NE(at, std::string::npos);
  std::ofstream(baseline()) << text.substr(0, at) + "\"ptxas/registers\":1," + text.substr(at);
  Outcome tool = perf("frontends/softmax_f32", {"--gpus=sm_90"});
  EXPECT_EQ(tool.code, 0) << tool.output;
  EXPECT_THAT(tool.output, HasSubstr("note: not compared: ptxas/*"));
}

// Two days with a GPU as ci/gpu-day leaves them: one kernel is 4 % slower in every round, one a little
// in some, one faster; one has too few rounds and one a wrong result.
TEST_F(Perf, TimesOfAGpuAreComparedByRank) {
  auto day = [&](const std::string &name, const std::map<std::string, std::vector<double>> &times,
                 const std::string &device = "H200") {
    std::ofstream raw(directory + "/" + name);
    for (size_t round = 0; round < 5; ++round)
      for (const auto &[kernel, rounds] : times)
        if (round < rounds.size())
          raw << R"({"case": ")" << kernel << R"(", "way": "auto", "folder": "x", "gpu": "sm_90", )"
              << R"("round": )" << round << R"(, "clocks": null, "detail": "", "device": ")"
              << device << R"(", "verdict": ")" << (rounds[round] > 0 ? "agree" : "disagree")
              << R"(", "median_ms": )" << rounds[round] << "}\n";
    return "--times=" + directory + "/" + name;
  };
  const std::string first = day("1", {{"slower", {1.00, 1.01, 1.02, 1.01, 1.00}},
                                      {"noise", {2.0, 2.4, 2.1, 2.2, 2.3}},
                                      {"faster", {4.0, 4.1, 4.0, 4.1, 4.2}},
                                      {"few", {1, 1, 1}}}),
                    second = day("2", {{"slower", {1.05, 1.04, 1.06, 1.05, 1.04}},
                                       {"noise", {2.1, 2.4, 2.2, 2.0, 2.5}},
                                       {"faster", {3.0, 3.1, 3.0, 3.1, 3.2}},
                                       {"few", {9, 9, 9}},
                                       {"wrong", {1, 0, 1}}});
  auto keep = [&](const std::string &times, const std::string &build,
                  std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"perf", "--db=" + directory + "/t.db", times, "--build=" + build});
    return run(more);
  };
  Outcome one = keep(first, "1");
  EXPECT_EQ(one.code, 0) << one.output;
  EXPECT_THAT(one.output,
              HasSubstr("4 rows: 0 unchanged, 0 changed and nothing worse, 0 worse, 4"));
  Outcome two = keep(second, "2");
  EXPECT_EQ(two.code, 1) << two.output;
  EXPECT_THAT(two.output, testing::ContainsRegex("slower.auto +sm_90 +-O3 worse\n +gpu/nanoseconds "
                                                 "+1010000 -> +1050000  worse"));
  EXPECT_THAT(two.output, testing::ContainsRegex("noise.auto +sm_90 +-O3 unchanged"));
  EXPECT_THAT(two.output, testing::ContainsRegex("faster.auto +sm_90 +-O3 faster"));
  EXPECT_THAT(two.output, testing::ContainsRegex("few.auto +sm_90 +-O3 unchanged"));
  EXPECT_THAT(two.output, HasSubstr("wrong.auto sm_90 has a wrong result, and so no time"));
  Outcome page = run({"report", "--db=" + directory + "/t.db", "-o", directory + "/t.json"});
  EXPECT_EQ(page.code, 0) << page.output;
  EXPECT_THAT(read(directory + "/t.json"),
              testing::ContainsRegex("\"cause\": ?\"gpu time\"[^}]*slower.auto"));
  // Against itself, and on another device.
  EXPECT_EQ(keep(second, "3", {"--since=2"}).code, 1) << "a wrong result is one on every day";
  Outcome other = keep(day("4", {{"slower", {9, 9, 9, 9, 9}}}, "B200"), "4");
  EXPECT_EQ(other.code, 0) << other.output;
  EXPECT_THAT(other.output, HasSubstr("times of another device are not compared"));
  std::ofstream(directory + "/bad") << "{}\n";
  EXPECT_EQ(keep("--times=" + directory + "/bad", "5").code, 2);
  EXPECT_EQ(run({"perf", first}).code, 2) << "without a store";
}

TEST_F(Perf, BadInputEndsWithTwoAndChangesNothing) {
  EXPECT_EQ(run({"perf"}).code, 2);
  EXPECT_EQ(run({"perf", "/nonexistent"}).code, 2);
  EXPECT_EQ(run({"perf", corpusFolder("frontends/softmax_f32"), "--update"}).code, 2);
  EXPECT_EQ(perf("frontends/softmax_f32").code, 2) << "a baseline that is not there";
  EXPECT_EQ(perf("frontends/softmax_f32", {"--update", "--gpus=sm_1"}).code, 2);
  EXPECT_FALSE(std::filesystem::exists(baseline()));
  std::ofstream(baseline()) << "{\"case\": 1}\n";
  Outcome bad = perf("frontends/softmax_f32", {"--update"});
  EXPECT_EQ(bad.code, 2) << bad.output;
  EXPECT_THAT(bad.output, HasSubstr("line 1: expected an object with case, gpu, O, code"));
  EXPECT_EQ(read(baseline()), "{\"case\": 1}\n");
}

// Counters of machine code; a compiler that is not there is said and does not stop ours.
TEST_F(Perf, MachineCodeIsCountedByPipe) {
  const std::string folder = corpusFolder("frontends/softmax_f32");
  EXPECT_EQ(run({"perf", folder, "--engine=emulator"}).code, 2);
  EXPECT_EQ(run({"perf", folder, "--external-compiler=/nonexistent"}).code, 2);
  const std::string store = "--db=" + directory + "/m.db";
  Outcome counted = run({"perf", folder, "--engine=sass", "--gpus=sm_90", "-o", baseline(), store,
                         "--external-compiler=/nonexistent"});
  EXPECT_THAT(counted.output,
              HasSubstr("external: not counted: engine external@/nonexistent: cannot execute"));
  if (counted.code == 3) {
    ASSERT_THAT(counted.output, HasSubstr("ptxas not found"));
    GTEST_SKIP() << counted.output;
  }
  EXPECT_EQ(counted.code, 0) << counted.output;
  EXPECT_THAT(counted.output, HasSubstr("1 of 1 rows counted"));
  EXPECT_THAT(counted.output, HasSubstr("pipe_special"));
  EXPECT_THAT(
      counted.output,
      testing::ContainsRegex("machine: of a row compile [0-9.]+ ms, decode [0-9.]+ ms, execute "
                             "[0-9.]+ ms, ptxas [0-9.]+ ms: [0-9.]+ rows a second"));
  EXPECT_THAT(read(baseline()), HasSubstr("\"machine/global_sectors\""));
  EXPECT_EQ(run({"report", store, "-o", directory + "/m.html"}).code, 0);
  EXPECT_THAT(read(directory + "/m.html"), HasSubstr("id=\"machine-code\""));
}

// What the repository stores: every case of the frontends for each target.
TEST_F(Perf, TheStoredBaselineIsWhole) {
  std::string rows = read(sourceFolder("corpus/performance.jsonl"));
  for (const auto &entry : std::filesystem::directory_iterator(corpusFolder("frontends")))
    if (entry.is_directory())
      for (const char *gpu : {"sm_80", "sm_90", "sm_100"})
        EXPECT_THAT(rows, testing::ContainsRegex("\"case\":\"" + entry.path().filename().string() +
                                                 "\".*\"gpu\":\"" + gpu + "\""));
}

} // namespace
