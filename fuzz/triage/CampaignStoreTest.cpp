//===- CampaignStoreTest.cpp ------------------------------------------------------------------===//
//
// The store, the suppressions and the triage of findings, without the command around them.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/support/Plants.h"
#include "fuzz/report/Report.h"
#include "fuzz/triage/Triage.h"
#include "oracles/verdict/Signature.h"
#include "reference/testcase/TestCase.h"

#include "llvm/Support/FileSystem.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <fstream>
#include <thread>

using namespace tilesmith;
using namespace tilesmith::fuzz;
using oracles::Verdict;
using testing::HasSubstr;

namespace {

class CampaignStore : public testing::Test {
protected:
  void SetUp() override {
    llvm::SmallString<128> path;
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("tilesmith-store", path));
    directory = path.str().str();
  }
  void TearDown() override { llvm::sys::fs::remove_directories(directory); }

  Store open(const std::string &name = "a.db") {
    return llvm::cantFail(Store::open(directory + "/" + name));
  }

  std::string directory;
};

StoredFinding findingOf(const Store &store, uint64_t index, const Verdict &verdict) {
  StoredFinding finding;
  finding.id = store.findingId(1, index);
  finding.name = "s1-" + std::to_string(index);
  finding.verdict = verdict.str();
  finding.signature = signatureOf(verdict).str();
  return finding;
}

const Verdict kWrong = Verdict::disagree("emulator against reference", "buffer 1", "1 of 2 differ");

TEST_F(CampaignStore, RemembersWhatWasFinished) {
  {
    Store store = open();
    llvm::cantFail(store.begin({1, "O3", 0, 1}));
    llvm::cantFail(store.addCase(0, Verdict::agree()));
    llvm::cantFail(store.addCase(7, Verdict::inconclusive("budget\nmore")));
    llvm::cantFail(store.addFinding(3, findingOf(store, 3, kWrong), kWrong, directory));
    llvm::cantFail(store.addCoverage({{{"addi", "i32"}, 2}}));
    llvm::cantFail(store.addCoverage({{{"addi", "i32"}, 3}, {{"addf", "f16"}, 1}}));
    llvm::cantFail(store.addSample({1.5, 3, 1, 1, 100}));
  }
  Store store = open();
  EXPECT_EQ(store.onlySeed(), 1u);
  llvm::cantFail(store.begin({1, "O3", 0, 1}));
  EXPECT_EQ(store.finishedCases(), (std::set<uint64_t>{0, 3, 7}));
  EXPECT_EQ(store.counts().str(), "1 passed, 1 failed, 1 inconclusive, 0 unavailable");
  EXPECT_EQ(store.inconclusiveReasons(), (std::map<std::string, uint64_t>{{"budget", 1}}));
  Coverage coverage = store.coverage();
  EXPECT_EQ((coverage[{"addi", "i32"}]), 5u);
  EXPECT_EQ(store.elapsed(), 1.5);
  // Other options are another campaign.
  llvm::cantFail(store.begin({1, "O0", 0, 1}));
  EXPECT_TRUE(store.finishedCases().empty());
}

TEST_F(CampaignStore, IdentifiersDependOnSeedNumberAndOptionsAlone) {
  Store a = open("a.db"), b = open("b.db");
  llvm::cantFail(b.begin({9, "other", 0, 1}));
  llvm::cantFail(a.begin({1, "O3", 0, 1}));
  llvm::cantFail(b.begin({1, "O3", 1, 2}));
  EXPECT_EQ(a.findingId(1, 5), b.findingId(1, 5));
  EXPECT_NE(a.findingId(1, 5), a.findingId(1, 6));
}

TEST_F(CampaignStore, TwoCampaignsMayBeginOneStoreAtOnce) {
  for (int round = 0; round < 20; ++round) {
    std::string path = directory + "/new" + std::to_string(round) + ".db";
    std::string messages[2];
    std::thread threads[2];
    for (int i : {0, 1})
      threads[i] = std::thread([&, i] {
        if (auto store = Store::open(path); !store)
          messages[i] = llvm::toString(store.takeError());
      });
    for (std::thread &thread : threads)
      thread.join();
    EXPECT_EQ(messages[0] + messages[1], "") << round;
  }
}

// The same cases twice ended in "UNIQUE constraint failed".
TEST_F(CampaignStore, OneProcessWorksOnACampaign) {
  Store mine = open();
  llvm::cantFail(mine.begin({1, "O3", 0, 2}));
  auto inChild = [&](CampaignKey key) {
    int ends[2];
    EXPECT_EQ(::pipe(ends), 0);
    if (pid_t child = ::fork(); child != 0) {
      ::close(ends[1]);
      char text[400] = {};
      ssize_t got = 0, size = 0;
      while ((got = ::read(ends[0], text + size, sizeof text - 1 - size)) > 0)
        size += got;
      ::close(ends[0]);
      ::waitpid(child, nullptr, 0);
      return std::string(text);
    }
    std::string said = llvm::toString(open().begin(key));
    (void)!::write(ends[1], said.data(), said.size());
    ::_exit(0);
  };
  EXPECT_THAT(
      inChild({1, "O3", 0, 2}),
      testing::AllOf(HasSubstr("process " + std::to_string(::getpid())), HasSubstr("--shard I/N")));
  EXPECT_EQ(inChild({1, "O3", 1, 2}), "");
  EXPECT_EQ(inChild({1, "O2", 0, 2}), "");
}

TEST_F(CampaignStore, RefusesOtherFilesAndSchemas) {
  std::ofstream(directory + "/text.db") << "this is no database, however long it may be made";
  auto text = Store::open(directory + "/text.db");
  ASSERT_FALSE(static_cast<bool>(text));
  EXPECT_THAT(llvm::toString(text.takeError()), HasSubstr("not a database"));
  auto other = llvm::cantFail(Database::open(directory + "/other.db", true));
  llvm::cantFail(other.execute("CREATE TABLE x (y); PRAGMA user_version = 99"));
  auto newer = Store::open(directory + "/other.db");
  ASSERT_FALSE(static_cast<bool>(newer));
  EXPECT_THAT(llvm::toString(newer.takeError()), HasSubstr("expected a store of schema 1"));
  // Another program's database keeps its bytes: not even the journal mode changes.
  for (const char *version : {"0", "1"}) {
    std::string path = directory + "/foreign" + version + ".db";
    {
      auto foreign = llvm::cantFail(Database::open(path, true));
      llvm::cantFail(foreign.execute(
          (std::string("CREATE TABLE cases (y); PRAGMA user_version = ") + version).c_str()));
    }
    auto bytes = [&] {
      std::ifstream file(path, std::ios::binary);
      return std::string(std::istreambuf_iterator<char>(file), {});
    };
    std::string before = bytes();
    auto opened = Store::open(path);
    ASSERT_FALSE(static_cast<bool>(opened));
    EXPECT_THAT(
        llvm::toString(opened.takeError()),
        HasSubstr(*version == '1' ? "found another database" : "expected a store of schema"));
    EXPECT_EQ(bytes(), before);
  }
  auto missing = Store::open(directory + "/missing.db", /*create=*/false);
  EXPECT_FALSE(static_cast<bool>(missing));
  llvm::consumeError(missing.takeError());
}

TEST_F(CampaignStore, MergingJoinsShardsAndKeepsBugsOnce) {
  StoredBug bug;
  bug.id = "b1";
  bug.pass = "p";
  bug.signature = signatureOf(kWrong).str();
  for (unsigned shard = 0; shard < 2; ++shard) {
    Store store = open("s" + std::to_string(shard) + ".db");
    llvm::cantFail(store.begin({1, "O3", shard, 2}));
    llvm::cantFail(store.addCase(2 + shard, Verdict::agree()));
    llvm::cantFail(store.addFinding(shard, findingOf(store, shard, kWrong), kWrong, directory));
    llvm::cantFail(store.assign(store.findingId(1, shard), bug));
    llvm::cantFail(store.addCoverage({{{"addi", "i32"}, 1}}));
  }
  Store merged = open("m.db");
  llvm::cantFail(merged.merge(directory + "/s0.db"));
  llvm::cantFail(merged.merge(directory + "/s1.db"));
  EXPECT_EQ(merged.counts().str(), "2 passed, 2 failed, 0 inconclusive, 0 unavailable");
  EXPECT_EQ(merged.campaigns().size(), 2u);
  EXPECT_EQ(merged.findings().size(), 2u);
  ASSERT_EQ(merged.bugs().size(), 1u);
  EXPECT_EQ(merged.bugs().front().hits, 2u);
  EXPECT_EQ((merged.coverage()[{"addi", "i32"}]), 2u);
}

TEST(Suppressions, NeedAPatternAndAReason) {
  auto good = parseSuppressions("# comment\n\nptxas*: *crash* => vendor bug 17 # note\n");
  ASSERT_TRUE(static_cast<bool>(good));
  ASSERT_EQ(good->size(), 1u);
  EXPECT_EQ(good->front().pattern, "ptxas*: *crash*");
  EXPECT_EQ(good->front().reason, "vendor bug 17");
  for (const char *bad : {"pattern\n", "pattern =>\n", "=> reason\n", "[ => reason\n"}) {
    auto result = parseSuppressions(bad);
    ASSERT_FALSE(static_cast<bool>(result)) << bad;
    EXPECT_THAT(llvm::toString(result.takeError()), HasSubstr("line 1: expected `PATTERN"));
  }
}

/// The same planted case, found many times.
class Repeated : public CampaignStore {
protected:
  void fill(Store &store, const std::string &plant, uint64_t first, uint64_t count) {
    const char *source = std::getenv("TILESMITH_SOURCE_DIR");
    std::string folder = std::string(source ? source : ".") + "/corpus/planted/" + plant;
    for (uint64_t i = first; i < first + count; ++i)
      llvm::cantFail(store.addFinding(i, findingOf(store, i, kWrong), kWrong, folder));
  }
  TriageOptions optionsFor(const std::string &plant) {
    TriageOptions options;
    options.directory = directory + "/findings";
    options.plants = " --plant=" + plant;
    options.prepare = [plant] { llvm::cantFail(activatePlant(plant)); };
    return options;
  }
};

TEST_F(Repeated, OneBugHitManyTimesIsOneBug) {
  if (plantRegistry().empty())
    GTEST_SKIP() << "built without planted bugs (preset dist)";
  Store store = open();
  llvm::cantFail(store.begin({1, "O3", 0, 1}));
  fill(store, "atomic-umax-as-max", 0, 60);
  unsigned fresh = 0, filed = 0;
  Triage filing(store, optionsFor("atomic-umax-as-max"));
  llvm::cantFail(filing.triageAll([&](const TriagedFinding &one) {
    ++filed;
    fresh += one.isNew;
  }));
  EXPECT_EQ(filed, 60u);
  EXPECT_EQ(fresh, 1u);
  ASSERT_EQ(store.bugs().size(), 1u);
  StoredBug bug = store.bugs().front();
  EXPECT_EQ(bug.hits, 60u);
  EXPECT_EQ(bug.pass, "convert-tileas-to-nvgpu");
  EXPECT_THAT(bug.features, testing::ElementsAre("atomic_red_view_tko"));
  EXPECT_LE(bug.operationsAfter, 12u);
  // The report folder replays.
  std::string folder = directory + "/findings/bug-" + bug.id;
  EXPECT_TRUE(static_cast<bool>(testcase::loadTestCase(folder)));
  EXPECT_EQ(bug.command,
            "tilesmith replay " + folder +
                " --engines=reference,emulator --oracles=differential --plant=atomic-umax-as-max");

  std::string html, json, junit;
  llvm::raw_string_ostream htmlOut(html), jsonOut(json), junitOut(junit);
  writeHtml(htmlOut, store, "a <title>");
  writeJson(jsonOut, store);
  writeJunit(junitOut, store);
  EXPECT_LT(html.size(), 5u << 20);
  EXPECT_THAT(html, HasSubstr("a &lt;title&gt;"));
  EXPECT_THAT(html, HasSubstr("atomic_red_view_tko"));
  EXPECT_THAT(html, testing::Not(HasSubstr("src=")));
  auto value = llvm::json::parse(json);
  ASSERT_TRUE(static_cast<bool>(value));
  EXPECT_EQ(value->getAsObject()->getArray("findings")->size(), 60u);
  EXPECT_THAT(junit, HasSubstr("tests=\"2\" failures=\"1\" skipped=\"0\""));
}

TEST_F(Repeated, AKnownBugIsCountedAndFailsNothing) {
  if (plantRegistry().empty())
    GTEST_SKIP() << "built without planted bugs (preset dist)";
  Store store = open();
  llvm::cantFail(store.begin({1, "O3", 0, 1}));
  fill(store, "cmpf-unordered-as-ordered", 0, 3);
  TriageOptions options = optionsFor("cmpf-unordered-as-ordered");
  options.known = llvm::cantFail(parseSuppressions(
      "convert-cudatile-to-tileaa: emulator against reference, buffer* => planted on purpose"));
  Triage filing(store, options);
  llvm::cantFail(filing.triageAll(
      [&](const TriagedFinding &one) { EXPECT_EQ(one.bug.known, "planted on purpose"); }));
  EXPECT_EQ(store.counts().failed, 0u);
  ASSERT_EQ(store.bugs().size(), 1u);
  EXPECT_EQ(store.bugs().front().hits, 3u);
  // The list changes after the bug was filed.
  TriageOptions without = optionsFor("cmpf-unordered-as-ordered");
  llvm::cantFail(Triage(store, without).applySuppressions());
  EXPECT_EQ(store.counts().failed, 3u);
  EXPECT_EQ(store.bugs().front().known, "");
  llvm::cantFail(filing.applySuppressions());
  EXPECT_EQ(store.counts().failed, 0u);
  EXPECT_EQ(store.bugs().front().known, "planted on purpose");
}

} // namespace
