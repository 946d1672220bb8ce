//===- CampaignStoreTest.cpp ------------------------------------------------------------------===//
//
// The store, the suppressions and the triage of findings, without the command around them: on files,
// and on a PostgreSQL server that these tests start, where one is installed. One file, though long: the
// server starts once for all of them.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/support/Plants.h"
#include "compiler/support/Rewrites.h"
#include "fuzz/report/Report.h"
#include "fuzz/report/Server.h"
#include "fuzz/triage/StoreFixture.h"
#include "fuzz/triage/Triage.h"
#include "oracles/verdict/Signature.h"
#include "reference/testcase/TestCase.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <arpa/inet.h>
#include <atomic>
#include <fstream>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>

using namespace tilesmith;
using namespace tilesmith::fuzz;
using oracles::Verdict;
using testing::HasSubstr;

namespace {

TEST_P(CampaignStore, RemembersWhatWasFinished) {
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

TEST_P(CampaignStore, IdentifiersDependOnSeedNumberAndOptionsAlone) {
  Store a = open("a.db"), b = open("b.db");
  llvm::cantFail(b.begin({9, "other", 0, 1}));
  llvm::cantFail(a.begin({1, "O3", 0, 1}));
  llvm::cantFail(b.begin({1, "O3", 1, 2}));
  EXPECT_EQ(a.findingId(1, 5), b.findingId(1, 5));
  EXPECT_NE(a.findingId(1, 5), a.findingId(1, 6));
}

TEST_P(CampaignStore, TwoCampaignsMayBeginOneStoreAtOnce) {
  for (int round = 0; round < 20; ++round) {
    const std::string path = where("new" + std::to_string(round) + ".db");
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

// One in thirty campaigns that began beside others ended in "database is locked": a read was open, and
// others had written since. It depends on time, so every such write is refused.
TEST_P(CampaignStore, NothingIsWrittenBesideAnOpenRead) {
  if (isOnServer())
    return;
  auto database = llvm::cantFail(Database::open(where(), true));
  llvm::cantFail(database.execute("CREATE TABLE t (x); INSERT INTO t VALUES (1), (2)"));
  Statement read = database.prepare("SELECT x FROM t");
  EXPECT_TRUE(read.step());
  EXPECT_THAT(llvm::toString(database.prepare("INSERT INTO t VALUES (3)").run()),
              HasSubstr("another read is open"));
  EXPECT_TRUE(read.step());
  EXPECT_FALSE(read.step());
  EXPECT_EQ(llvm::toString(database.prepare("INSERT INTO t VALUES (3)").run()), "");
}

// The same cases twice ended in "UNIQUE constraint failed".
TEST_P(CampaignStore, OneProcessWorksOnACampaign) {
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

TEST_P(CampaignStore, RefusesOtherFilesAndSchemas) {
  if (isOnServer()) {
    auto other = llvm::cantFail(Database::open(where(), true));
    llvm::cantFail(other.execute("CREATE TABLE cases (y BIGINT);" + other.setVersion(99)));
    EXPECT_THAT(llvm::toString(Store::open(where()).takeError()),
                HasSubstr("expected a store of schema 1 to 5"));
    llvm::cantFail(other.execute(other.setVersion(1)));
    EXPECT_THAT(llvm::toString(Store::open(where()).takeError()),
                HasSubstr("found another database"));
    EXPECT_THAT(llvm::toString(Store::open(where("empty"), /*create=*/false).takeError()),
                HasSubstr("found an empty database"));
    return;
  }
  std::ofstream(directory + "/text.db") << "this is no database, however long it may be made";
  auto text = Store::open(directory + "/text.db");
  ASSERT_FALSE(static_cast<bool>(text));
  EXPECT_THAT(llvm::toString(text.takeError()), HasSubstr("not a database"));
  auto other = llvm::cantFail(Database::open(directory + "/other.db", true));
  llvm::cantFail(other.execute("CREATE TABLE x (y); PRAGMA user_version = 99"));
  auto newer = Store::open(directory + "/other.db");
  ASSERT_FALSE(static_cast<bool>(newer));
  EXPECT_THAT(llvm::toString(newer.takeError()), HasSubstr("expected a store of schema 1 to 5"));
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

TEST_P(CampaignStore, MergingJoinsShardsAndKeepsBugsOnce) {
  if (isOnServer()) {
    EXPECT_THAT(llvm::toString(open().merge(where("b"))),
                HasSubstr("expected stores that are files"));
    return;
  }
  StoredBug bug;
  bug.id = "b1";
  bug.pass = "p";
  bug.signature = signatureOf(kWrong).str();
  for (unsigned shard = 0; shard < 2; ++shard) {
    Store store = open("s" + std::to_string(shard) + ".db");
    llvm::cantFail(store.begin({1, "O3", shard, 2}));
    llvm::cantFail(store.addCase(2 + shard, Verdict::agree()));
    llvm::cantFail(store.addFinding(shard, findingOf(store, shard, kWrong), kWrong, directory));
    llvm::cantFail(store.assign(store.findingId(1, shard), bug, "2026-11-22"));
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
  EXPECT_EQ(merged.runs().size(), 2u);
  EXPECT_EQ(merged.runs().front().cases, 2u);
  EXPECT_EQ(merged.lives()["b1"].size(), 2u);
  EXPECT_EQ(merged.states()["b1"], BugState::New);
}

TEST_P(CampaignStore, ABuildBeginsBehindTheCasesOfTheOneBefore) {
  auto begin = [&](const std::string &build, uint64_t count, bool ends) {
    Store store = open();
    static unsigned hour = 10;
    const std::string date = "2026-11-22T" + std::to_string(hour++);
    EXPECT_EQ(llvm::toString(store.begin({1, "O3", 0, 2}, {build, "host", date, count})), "");
    for (uint64_t i = store.firstCase(); i < store.firstCase() + 3; ++i)
      if (!store.finishedCases().count(i))
        llvm::cantFail(store.addCase(i, Verdict::agree()));
    if (ends)
      llvm::cantFail(store.endRun(date));
    return std::pair(store.firstCase(), store.isNewRun());
  };
  EXPECT_EQ(begin("1", 10, false), std::pair(uint64_t(0), true));
  EXPECT_EQ(begin("1", 10, true), std::pair(uint64_t(0), false)) << "the one before was killed";
  EXPECT_EQ(begin("1", 10, true), std::pair(uint64_t(0), true));
  EXPECT_EQ(begin("2", 0, true), std::pair(uint64_t(10), true))
      << "all shards of a build begin at the same number";
  EXPECT_EQ(begin("3", 0, true), std::pair(uint64_t(13), true));
  std::vector<StoredRun> runs = open().runs();
  ASSERT_EQ(runs.size(), 4u);
  EXPECT_EQ(runs[0].build + runs[3].build, "13");
  EXPECT_EQ(runs[0].cases + runs[1].cases + runs[2].cases + runs[3].cases, 9u);
}

TEST_P(CampaignStore, AStoreOfSchema1IsTakenAlong) {
  // As written before there were runs: two cases, one of them a finding with a bug.
  {
    auto old = llvm::cantFail(Database::open(where(), true));
    llvm::cantFail(old.execute(old.define(R"(
CREATE TABLE campaigns (id INTEGER PRIMARY KEY, seed INTEGER NOT NULL, options TEXT NOT NULL,
  shard INTEGER NOT NULL, shards INTEGER NOT NULL, UNIQUE (seed, options, shard, shards));
CREATE TABLE cases (campaign INTEGER NOT NULL, number INTEGER NOT NULL, verdict INTEGER NOT NULL,
  reason TEXT, PRIMARY KEY (campaign, number)) WITHOUT ROWID;
CREATE TABLE bugs (id TEXT PRIMARY KEY, pass TEXT NOT NULL, blame TEXT NOT NULL,
  signature TEXT NOT NULL, known TEXT NOT NULL, features TEXT NOT NULL, text TEXT NOT NULL,
  command TEXT NOT NULL, before INTEGER NOT NULL, after INTEGER NOT NULL, seconds REAL NOT NULL);
CREATE TABLE findings (id TEXT PRIMARY KEY, campaign INTEGER NOT NULL, number INTEGER NOT NULL,
  name TEXT NOT NULL, verdict TEXT NOT NULL, signature TEXT NOT NULL, bug TEXT);
CREATE TABLE files (finding TEXT NOT NULL, name TEXT NOT NULL, data BLOB NOT NULL,
  PRIMARY KEY (finding, name));
CREATE TABLE coverage (op TEXT NOT NULL, type TEXT NOT NULL, cases INTEGER NOT NULL,
  PRIMARY KEY (op, type));
CREATE TABLE samples (campaign INTEGER NOT NULL, seconds REAL NOT NULL, cases INTEGER NOT NULL,
  failed INTEGER NOT NULL, inconclusive INTEGER NOT NULL, rss INTEGER NOT NULL);
INSERT INTO campaigns VALUES (1, 1, 'O3', 0, 1);
INSERT INTO cases VALUES (1, 0, 0, ''), (1, 1, 1, '');
INSERT INTO bugs VALUES ('b1', 'p', 'p', 's', '', '', 't', 'c', 9, 3, 1.5);
INSERT INTO findings VALUES ('f1', 1, 1, 's1-1', 'disagree', 's', 'b1');
)") + old.setVersion(1)));
  }
  Store store = open();
  EXPECT_EQ(store.counts().str(), "1 passed, 1 failed, 0 inconclusive, 0 unavailable");
  ASSERT_EQ(store.runs().size(), 1u);
  EXPECT_EQ(store.runs().front().build, "unknown");
  EXPECT_EQ(store.runs().front().cases, 2u);
  EXPECT_EQ(store.bugs().front().operationsAfter, 3u);
  ASSERT_EQ(store.lives()["b1"].size(), 1u);
  llvm::cantFail(store.begin({1, "O3", 0, 1}, {"now", "host", "2026-11-22", 5}));
  EXPECT_EQ(store.firstCase(), 2u);
  EXPECT_EQ(store.states()["b1"], BugState::Open);
  llvm::cantFail(open().counts().failed == 1 ? llvm::Error::success()
                                             : llvm::createStringError("opened twice"));
}

TEST_P(CampaignStore, WhoReadsChangesNothing) {
  {
    Store store = open();
    llvm::cantFail(store.begin({1, "O3", 0, 1}));
    llvm::cantFail(store.addCase(0, Verdict::agree()));
  }
  Store reader = llvm::cantFail(Store::openToRead(where()));
  EXPECT_EQ(reader.counts().passed, 1u);
  EXPECT_EQ(reader.hits().size() + reader.workers().size(), 0u);
  EXPECT_THAT(llvm::toString(reader.addCoverage({{{"addi", "i32"}, 1}})),
              testing::AnyOf(HasSubstr("readonly"), HasSubstr("read-only")));
  EXPECT_EQ(reader.failure(), "");
  auto database = llvm::cantFail(Database::open(where(), false));
  llvm::cantFail(database.execute(database.setVersion(2)));
  EXPECT_THAT(llvm::toString(Store::openToRead(where()).takeError()),
              testing::AllOf(HasSubstr("expected a store of schema 5"), HasSubstr("found 2")));
}

TEST_P(CampaignStore, AFileThatMayOnlyBeReadIsRead) {
  if (isOnServer())
    GTEST_SKIP() << "a server has roles";
  {
    Store store = open("a ?#%.db");
    llvm::cantFail(store.begin({7, "O3", 0, 1}));
    llvm::cantFail(store.addCase(0, Verdict::agree()));
    llvm::cantFail(store.endRun("now"));
  }
  ASSERT_EQ(::chmod(where("a ?#%.db").c_str(), 0444), 0);
  ASSERT_EQ(::chmod(directory.c_str(), 0555), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    if (::geteuid() == 0 && ::setuid(65534) != 0)
      ::_exit(5);
    auto store = Store::openToRead(where("a ?#%.db"));
    if (!store || store->counts().passed != 1 || store->onlySeed() != 7)
      ::_exit(4);
    auto writing = Store::open(where("a ?#%.db"), /*create=*/false);
    const std::string said =
        llvm::toString(writing ? writing->begin({8, "O3", 0, 1}) : writing.takeError());
    ::_exit(llvm::StringRef(said).contains("readonly") ? 0 : 3);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(::chmod(directory.c_str(), 0755), 0);
  EXPECT_EQ(status, 0) << WEXITSTATUS(status);
}

TEST(RewriteNames, AreToldOnceByAPassAndByEachCase) {
  noteRewrites("pass", {"often", "never"});
  noteRewrite("pass", "often");
  noteRewrite("pass", "often");
  Rewrites first = takeRewrites();
  noteRewrites("pass", {"known already"});
  EXPECT_EQ(first.fired, std::set<std::string>{"pass/often"});
  EXPECT_EQ(first.found, (std::set<std::string>{"pass/never", "pass/often"}));
  EXPECT_TRUE(takeRewrites().found.empty());
  EXPECT_EQ(shortTypeName("(anonymous namespace)::Fold<tilesmith::(anonymous namespace)::A, b::C>"),
            "Fold<A,C>");
}

TEST_P(CampaignStore, RewritesAreBesideTheOperations) {
  Store store = open();
  llvm::cantFail(store.begin({1, "O3", 0, 1}));
  llvm::cantFail(
      store.addCoverage({{{"addi", "i32"}, 2}, {{kRewriteFired.str(), "pass/often"}, 3}}));
  llvm::cantFail(store.addCoverage({{{kRewriteFired.str(), "pass/often"}, 4},
                                    {{kRewriteFound.str(), "pass/often"}, 1},
                                    {{kRewriteFound.str(), "pass/never"}, 1}}));
  Coverage coverage = store.coverage();
  EXPECT_EQ(splitRewrites(coverage),
            (std::map<std::string, uint64_t>{{"pass/never", 0}, {"pass/often", 7}}));
  EXPECT_EQ(coverage.size(), 1u);
  std::string html, json;
  llvm::raw_string_ostream htmlOut(html), jsonOut(json);
  writeHtml(htmlOut, store, "t");
  writeJson(jsonOut, store);
  EXPECT_THAT(html, testing::AllOf(HasSubstr("1 of 2 rewrites"), HasSubstr("never: never fired"),
                                   HasSubstr("often: 7"), HasSubstr("1 pairs of operation")));
  auto value = llvm::json::parse(json);
  ASSERT_TRUE(static_cast<bool>(value));
  EXPECT_EQ(value->getAsObject()->getObject("rewrites")->getInteger("pass/often"), 7);
  EXPECT_EQ(value->getAsObject()->getObject("coverage")->size(), 1u);
}

// Streams come to every run of a build, from wherever they were written, and to no other build.
TEST_P(CampaignStore, StreamsAreExchangedWithinABuild) {
  Store store = open();
  llvm::cantFail(store.begin({1, "O3", 0, 1}, {"A", "host", "now", 0}));
  const std::string choices("\0\xff choices", 10);
  llvm::cantFail(store.addStreams({{choices, {1, ~uint64_t(0) >> 1}}, {"second", {3}}}));
  llvm::cantFail(store.addStreams({{choices, {1}}})); // once is enough
  int64_t after = 0;
  std::vector<StoredStream> read = store.streams(after);
  ASSERT_EQ(read.size(), 2u);
  EXPECT_EQ(read[0].choices, choices);
  EXPECT_EQ(read[0].features, (std::vector<uint64_t>{1, ~uint64_t(0) >> 1}));
  llvm::cantFail(store.endRun("now"));
  llvm::cantFail(store.begin({2, "O3", 0, 1}, {"A", "host", "later", 0}));
  after = 0;
  EXPECT_EQ(store.streams(after).size(), 2u);
  llvm::cantFail(store.begin({3, "O3", 0, 1}, {"B", "host", "later", 0}));
  after = 0;
  EXPECT_TRUE(store.streams(after).empty());
}

TEST(Curves, AreReadAsWrittenAndDrawnBesideEachOther) {
  Curve curve{"", "guided-share=2", {1, 2, 3}, {10, 20}, {{"rewrites", {{1, 2}, {5, 6}, {2, 9}}}}};
  EXPECT_EQ(spreadOf(curve.measures[0], 1).median, 6);
  EXPECT_EQ(spreadOf(curve.measures[0], 0).most, 5);
  llvm::SmallString<128> path;
  ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("tilesmith-curve", "json", path));
  std::ofstream(path.c_str()) << toJson(curve);
  auto read = readCurve(path.str().str());
  ASSERT_TRUE(static_cast<bool>(read)) << llvm::toString(read.takeError());
  EXPECT_EQ(toJson(*read), toJson(curve));
  Store store = llvm::cantFail(Store::open(":memory:"));
  ReportExtras extras;
  extras.curves = {*read, *read};
  extras.curves[1].name = "<other>";
  std::string html;
  llvm::raw_string_ostream out(html);
  writeHtml(out, store, "t", extras);
  EXPECT_THAT(html,
              testing::AllOf(HasSubstr("id=\"curves\""), HasSubstr("3 seeds, 20 cases each"),
                             HasSubstr("&lt;other&gt; median"), HasSubstr("[20,6,2,9,6,2,9]")));
  for (
      llvm::StringRef broken :
      {"", "[]", "{}", R"({"form":2,"options":"","seeds":[1],"cases":[1],"measures":[]})",
       R"({"form":1,"options":"","seeds":[],"cases":[1],"measures":[]})",
       R"({"form":1,"options":"","seeds":[1],"cases":[2,1],"measures":[]})",
       R"({"form":1,"options":"","seeds":[1],"cases":[1],"measures":[{"name":"x","sums":[[]]}]})"}) {
    std::ofstream(path.c_str()) << broken.str();
    auto refused = readCurve(path.str().str());
    EXPECT_FALSE(static_cast<bool>(refused)) << broken.str();
    llvm::consumeError(refused.takeError());
  }
  llvm::sys::fs::remove(path);
}

/// What a server on this machine says to a request.
std::string ask(unsigned port, const std::string &request) {
  const int file = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  std::string answer;
  if (::connect(file, reinterpret_cast<sockaddr *>(&address), sizeof address) == 0 &&
      ::write(file, request.data(), request.size()) > 0) {
    char part[4096];
    for (ssize_t got; (got = ::read(file, part, sizeof part)) > 0;)
      answer.append(part, static_cast<size_t>(got));
  }
  ::close(file);
  return answer;
}

TEST(PageServer, AnswersThisMachineAndReadsOnly) {
  std::atomic<unsigned> port = 0;
  std::atomic<bool> ends = false;
  std::thread server([&] {
    llvm::cantFail(serve(
        0,
        [](const std::string &path) -> llvm::Expected<Page> {
          if (path == "/broken")
            return llvm::createStringError("the database is away");
          return path == "/" ? Page{"<p>here</p>", "text/html"} : Page{};
        },
        [&](unsigned number) { port = number; }, [&] { return ends.load(); }));
  });
  while (port == 0)
    std::this_thread::yield();
  auto get = [&](const std::string &first, const std::string &host) {
    return ask(port, first + " HTTP/1.0\r\nHost: " + host + "\r\n\r\n");
  };
  EXPECT_THAT(get("GET /", "localhost:1"),
              testing::AllOf(HasSubstr(" 200 "), HasSubstr("<p>here</p>"), HasSubstr("nosniff")));
  EXPECT_THAT(get("HEAD /", "127.0.0.1"), testing::Not(HasSubstr("here")));
  EXPECT_THAT(get("GET /../etc/passwd", "127.0.0.1"), HasSubstr(" 404 "));
  EXPECT_THAT(get("POST /", "127.0.0.1"), HasSubstr(" 405 "));
  EXPECT_THAT(get("DELETE /", "127.0.0.1"), HasSubstr(" 405 "));
  EXPECT_THAT(get("GET /broken", "127.0.0.1"),
              testing::AllOf(HasSubstr(" 503 "), HasSubstr("the database is away")));
  EXPECT_THAT(get("GET /", "another.example"), HasSubstr(" 403 "));
  EXPECT_THAT(ask(port, "GET / HTTP/1.0\r\n\r\n"), HasSubstr(" 403 "));
  EXPECT_THAT(llvm::toString(serve(
                  port, [](const std::string &) -> llvm::Expected<Page> { return Page{}; },
                  [](unsigned) {}, [] { return true; })),
              HasSubstr("cannot listen on 127.0.0.1"));
  ends = true;
  server.join();
}

TEST(BugStates, FollowFromTheLife) {
  auto state = [](std::vector<std::pair<BugEvent, int64_t>> events, bool known = false) {
    std::vector<StoredEvent> life;
    for (auto [event, run] : events)
      life.push_back({event, run, "", ""});
    return stateOf(life, known, [](int64_t run) { return run == 3; });
  };
  using enum BugEvent;
  EXPECT_EQ(state({{Born, 3}}), BugState::New);
  EXPECT_EQ(state({{Born, 2}}), BugState::Open);
  EXPECT_EQ(state({{Born, 3}}, true), BugState::Known);
  EXPECT_EQ(state({{Born, 1}, {Fixed, 2}}), BugState::Fixed);
  EXPECT_EQ(state({{Born, 1}, {Fixed, 2}}, true), BugState::Fixed);
  EXPECT_EQ(state({{Born, 1}, {Fixed, 2}, {Regressed, 3}}), BugState::Regressed);
  EXPECT_EQ(state({{Born, 1}, {Fixed, 1}, {Regressed, 2}}), BugState::Open);
  EXPECT_EQ(state({{Born, 1}, {Fixed, 2}, {Regressed, 3}}, true), BugState::Known);
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

TEST_P(Repeated, OneBugHitManyTimesIsOneBug) {
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
  EXPECT_THAT(html, testing::Not(HasSubstr("<script src")));
  EXPECT_THAT(html, testing::Not(HasSubstr("<link")));
  auto value = llvm::json::parse(json);
  ASSERT_TRUE(static_cast<bool>(value));
  EXPECT_EQ(value->getAsObject()->getArray("findings")->size(), 60u);
  EXPECT_THAT(junit, HasSubstr("tests=\"2\" failures=\"1\" skipped=\"0\""));
}

TEST_P(Repeated, AKnownBugIsCountedAndFailsNothing) {
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

// The kernels of others have the operations of a bug that is fixed, too.
TEST_P(Repeated, AFixedBugComesAgainByItsOwnKernelAlone) {
  if (plantRegistry().empty())
    GTEST_SKIP() << "built without planted bugs (preset dist)";
  Store store = open();
  llvm::cantFail(store.begin({1, "O3", 0, 1}, {"1", "h", "2026-11-01", 20}));
  StoredBug old;
  old.id = "old", old.pass = "convert-cudatile-to-tileaa",
  old.signature = signatureOf(kWrong).str();
  for (uint64_t i = 0; i < 25; ++i) {
    fill(store, "cmpf-unordered-as-ordered", i, 1);
    llvm::cantFail(store.assign(store.findingId(1, i), old, "2026-11-01"));
  }
  llvm::cantFail(store.endRun("2026-11-01"));
  llvm::cantFail(store.begin({1, "O3", 0, 1}, {"2", "h", "2026-11-02", 20}));
  llvm::cantFail(store.addEvent("old", BugEvent::Fixed, "2026-11-02"));
  fill(store, "cmpf-unordered-as-ordered", store.firstCase(), 1);
  Triage filing(store, optionsFor("cmpf-unordered-as-ordered"));
  llvm::cantFail(
      filing.triageAll([&](const TriagedFinding &one) { EXPECT_TRUE(one.isNew) << one.bug.id; }));
  EXPECT_EQ(store.states()["old"], BugState::Fixed);
  EXPECT_EQ(store.bugs().size(), 2u);
}

/// What code costs on a night: two steps of exact figures (6: two kernels, 22), one of the cost of a
/// compilation under noise (14), a drift of half a percent a night (15 to 19), and something that
/// got better (25).
void measureNight(Store &store, unsigned night, const std::string &date) {
  uint64_t state = night * 977;
  for (const std::string kernel : {"a", "b", "c"}) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const double noise = static_cast<double>(state >> 40) / (1 << 24) - 0.5; // -0.5 to 0.5
    const double drift = kernel != "b" || night < 15 ? 0 : std::min(night, 19u) - 14;
    const double code =
        (night >= 6 && kernel != "c" ? 2200 : 2000) * (night >= 25 && kernel == "a" ? 0.85 : 1);
    oracles::CodeFigures row{
        kernel,
        "sm_90",
        3,
        kernel + std::to_string(night),
        {{"ptx/instructions", code},
         {"emulator/instructions", 100'000 * (1 + 0.005 * drift)},
         {"emulator/barriers", night >= 22 && kernel == "c" ? 18 : 8},
         {"compile/instructions", 1e8 * (night >= 14 ? 1.04 : 1) * (1 + 0.008 * noise)},
         {"compile/sigma", 0.004}}};
    llvm::cantFail(store.addPerf({"build-" + std::to_string(night), "h", date}, kernel,
                                 llvm::StringRef(oracles::toJsonLine(row)).trim().str()));
  }
  if (night == 10)
    llvm::cantFail(store.markRelease("build-10"));
}

// Thirty nights of thirty builds: five bugs come, one of them known, two go, one comes again; code
// gets worse three times at once and once slowly. The exit codes of `tilesmith fuzz` and `tilesmith
// perf` are those of bugs that are new or have regressed, and of what got worse.
TEST_P(Repeated, AMonthOfNightsNamesEachBugOnItsNight) {
  if (plantRegistry().empty())
    GTEST_SKIP() << "built without planted bugs (preset dist)";
  struct Planned {
    std::string plant;
    unsigned from, to,
        again; ///< nights: there from `from` to `to` (exclusive), and from `again` on
  };
  const Planned kPlan[] = {{"atomic-umax-as-max", 2, 9, 99},
                           {"cmpf-unordered-as-ordered", 5, 12, 21},
                           {"atomic-by-every-holder", 8, 99, 99},
                           {"addf-zero-folded", 17, 99, 99},
                           {"itof-unsigned-as-signed", 25, 99, 99}};
  std::map<std::string, std::string> bugOf; // by plant
  std::string alarms;
  for (unsigned night = 1; night <= 30; ++night) {
    std::vector<std::string> active, fresh;
    for (const Planned &one : kPlan) {
      const bool isThere = (night >= one.from && night < one.to) || night >= one.again;
      if (isThere)
        active.push_back(one.plant);
      if (night == one.from || (isThere && night % 4 == 0))
        fresh.push_back(one.plant); // the campaign meets it
    }
    const std::string date = llvm::formatv("2026-11-{0:2}T01:00:00Z", night);
    Store store = open();
    llvm::cantFail(store.begin({1, "O3", 0, 1}, {"build-" + std::to_string(night), "h", date, 20}));
    TriageOptions options = optionsFor("");
    options.prepare = [&] {
      for (const std::string &plant : active)
        llvm::cantFail(activatePlant(plant));
    };
    options.known = llvm::cantFail(parseSuppressions("*atomic_rmw_tko* => accepted\n"));
    Triage filing(store, options);
    llvm::cantFail(filing.applySuppressions());
    llvm::cantFail(filing.runAgain([](auto &&...) {}));
    for (auto [i, plant] : llvm::enumerate(fresh))
      fill(store, plant, store.firstCase() + i, 1);
    llvm::cantFail(filing.triageAll([&](const TriagedFinding &one) {
      const std::string &plant = fresh[one.finding.index - store.firstCase()];
      if (night == llvm::find_if(kPlan, [&](const Planned &p) { return p.plant == plant; })->from)
        bugOf[plant] = one.bug.id;
      EXPECT_EQ(one.bug.id, bugOf[plant]) << night << ": " << plant;
    }));
    llvm::cantFail(store.addCase(store.firstCase() + 10, Verdict::agree()));
    std::map<std::string, BugState> states = store.states();
    for (const auto &[plant, bug] : bugOf)
      if (states[bug] == BugState::New || states[bug] == BugState::Regressed)
        alarms += llvm::formatv("{0} {1} {2}\n", night, plant, toString(states[bug])).str();
    llvm::cantFail(store.endRun(date));
    measureNight(store, night, date);
    for (const PerfAlert &alert : llvm::cantFail(readPerf(store)).alerts)
      if (alert.build + 1 == night)
        alarms += alert.str(std::to_string(night)) + "\n";
  }
  EXPECT_EQ(alarms,
            "2 atomic-umax-as-max new\n"
            "5 cmpf-unordered-as-ordered new\n"
            "6: code: 2 figures of 2 kernels got worse, most a sm_90 -O3 ptx/instructions 2000 -> "
            "2200\n"
            "14: compile: 3 figures of 3 kernels got worse, most b sm_90 -O3 compile/instructions "
            "99927741 -> 104200561\n"
            "17 addf-zero-folded new\n"
            "19: drift: a figure of 1 kernel got worse, most b sm_90 -O3 emulator/instructions "
            "100000 -> 102500\n"
            "21 cmpf-unordered-as-ordered regressed\n"
            "22: code: a figure of 1 kernel got worse, most c sm_90 -O3 emulator/barriers 8 -> 18\n"
            "25 itof-unsigned-as-signed new\n");
  Store store = open();
  EXPECT_EQ(store.runs().size(), 30u);
  EXPECT_EQ(store.states()[bugOf["atomic-umax-as-max"]], BugState::Fixed);
  std::string html, junit;
  llvm::raw_string_ostream htmlOut(html), junitOut(junit);
  ReportExtras extras;
  extras.perf = llvm::cantFail(readPerf(store));
  writeHtml(htmlOut, store, "month", extras);
  writeJunit(junitOut, store);
  EXPECT_THAT(html, HasSubstr("build-19: drift: "));
  EXPECT_THAT(html, HasSubstr("build-14: compile: 3 figures"));
  // The page has the change point of the compilations' trend.
  EXPECT_THAT(html,
              testing::ContainsRegex("build-14: sm_90 \\(3 kernels\\): (99|100).[0-9] to 10[34]"));
  EXPECT_THAT(html, HasSubstr(" on build build-5; fixed 2"));
  EXPECT_THAT(junit, HasSubstr("tests=\"6\" failures=\"3\" skipped=\"1\""));
}

// The last figures of either, though two builds brought them, and a mean over the kernels.
TEST_P(CampaignStore, ThePageHasMachineCodeBesideThatOfAnotherCompiler) {
  Store store = open();
  auto add = [&](const std::string &build, const std::string &date, const std::string &kernel,
                 std::map<std::string, double> figures, std::map<std::string, std::string> tools) {
    const oracles::CodeFigures row{kernel, "sm_90", 3, "", std::move(figures), std::move(tools)};
    llvm::cantFail(store.addPerf({build, "h", date}, kernel, oracles::toJsonLine(row)));
  };
  add("1", "2026-11-01T00:00:00Z", "a",
      {{"machine/barriers", 8}, {"external/barriers", 16}, {"machine/instructions", 500}},
      {{"external", "other<1>"}});
  add("2", "2026-11-02T00:00:00Z", "a", {{"machine/barriers", 4}}, {});
  add("2", "2026-11-02T00:00:00Z", "b", {{"machine/barriers", 32}, {"external/barriers", 8}},
      {{"external", "other<1>"}});
  std::string html;
  llvm::raw_string_ostream out(html);
  ReportExtras extras;
  extras.perf = llvm::cantFail(readPerf(store));
  writeHtml(out, store, "machine", extras);
  EXPECT_THAT(html, HasSubstr("ours / other&lt;1&gt; (ratio)"));
  EXPECT_THAT(html, HasSubstr("<td class=\"number\">4 / 16 (0.25)</td>"));
  EXPECT_THAT(html, HasSubstr("<td class=\"number bad\">32 / 8 (4.00)</td>"));
  EXPECT_THAT(html, HasSubstr("<td class=\"number\">500</td>"));
  EXPECT_THAT(html, HasSubstr("<td class=\"number\">1.00</td>"));
}

TEST(Addresses, HideTheirPassword) {
  EXPECT_EQ(withoutPassword("postgresql://me:se:c@ret@host:5/db?sslmode=require"),
            "postgresql://me@host:5/db?sslmode=require");
  EXPECT_EQ(withoutPassword("postgresql://me@host:5/db?user=x&password=secret&host=h"),
            "postgresql://me@host:5/db?user=x&host=h");
  EXPECT_EQ(withoutPassword("postgres://host:5432/a:b@c"), "postgres://host:5432/a:b@c");
  EXPECT_EQ(withoutPassword("/a:b@c/store.db"), "/a:b@c/store.db");
  EXPECT_EQ(llvm::toString(Store::open("mysql://me:secret@host/db").takeError()),
            "expected a store that is a file or postgresql://..., found mysql://...");
  for (const char *wrong :
       {"postgresql://me:secret@127.0.0.1:1/db", "postgresql://127.0.0.1:1/?password=secret",
        "postgresql://me:secret@127.0.0.1:x/db", "postgresql://me:secret@/?nonsense=1"}) {
    std::string text = llvm::toString(Store::open(wrong).takeError());
    EXPECT_THAT(text, HasSubstr("cannot open the store 'postgresql://"));
    EXPECT_THAT(text, testing::Not(HasSubstr("secret")));
  }
}

INSTANTIATE_TEST_SUITE_P(On, CampaignStore, testing::Values("Sqlite", "Postgres"),
                         [](const auto &info) { return info.param; });
INSTANTIATE_TEST_SUITE_P(On, Repeated, testing::Values("Sqlite", "Postgres"),
                         [](const auto &info) { return info.param; });

} // namespace
