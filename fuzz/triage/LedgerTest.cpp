//===- LedgerTest.cpp -------------------------------------------------------------------------===//
//
// Leases, and servers that die and come back.
//
//===------------------------------------------------------------------------------------------===//
#include "fuzz/campaign/LeasedCases.h"
#include "fuzz/triage/StoreFixture.h"
#include "fuzz/triage/Triage.h"

#include <atomic>
#include <cstdio>
#include <thread>

using namespace tilesmith;
using namespace tilesmith::fuzz;
using oracles::Verdict;
using testing::HasSubstr;

namespace {

class Leases : public CampaignStore {};

// What a campaign writes survives the death of the server at any moment.
TEST_P(Leases, AServerThatIsKilledIsWaitedFor) {
  if (!isOnServer())
    GTEST_SKIP() << "SQLite has no server that could be killed";
  Store store = open();
  llvm::cantFail(store.begin({1, "O3", 0, 1}));
  for (uint64_t round = 0; round < 3; ++round) {
    llvm::cantFail(store.addCase(2 * round, Verdict::agree()));
    ASSERT_EQ(Server::get().control("kill"), 0);
    std::thread later([] { EXPECT_EQ(Server::get().control("start"), 0); });
    // A transaction, and a read outside of one.
    if (round % 2 == 0)
      EXPECT_EQ(llvm::toString(store.addFinding(
                    2 * round + 1, findingOf(store, 2 * round + 1, kWrong), kWrong, directory)),
                "");
    else
      EXPECT_EQ(store.finishedCases().size(), 3u);
    later.join();
  }
  EXPECT_EQ(store.finishedCases(), (std::set<uint64_t>{0, 1, 2, 4, 5}));
  EXPECT_EQ(store.findings().size(), 2u);
  EXPECT_EQ(store.failure(), "");
}

/// A planned campaign and a worker's view of it.
struct Fleet {
  explicit Fleet(Store opened, const std::string &name, double seconds = 60)
      : store(std::move(opened)), ledger(store, name, seconds) {
    for (const PlannedRun &run : ledger.plannedRuns())
      ledger.choose(run);
  }
  std::optional<Lease> claim(TaskKind kind = TaskKind::Fuzz) {
    return llvm::cantFail(ledger.claim(kind));
  }
  bool write(const Lease &lease, uint64_t index, const Verdict &verdict) {
    return llvm::cantFail(ledger.guarded(lease, [&] {
      return ledger.add({{index, verdict, {{{"addi", "i32"}, 1}}}}, fresh, differing);
    }));
  }
  Store store;
  Ledger ledger;
  Coverage fresh;
  std::vector<std::pair<CaseResult, Verdict::Kind>> differing;
};

void planFor(Store store, uint64_t count, const std::string &build = "1",
             const std::string &role = "") {
  Ledger ledger(store, "planner", 60);
  llvm::cantFail(ledger.plan({1, "O3", 0, 1}, {build, "host", "2026-11-22", count}, "{}", role));
}

TEST_P(Leases, RangesAreClaimedByOneWorkerEach) {
  planFor(open(), 150);
  planFor(open(), 150); // again: nothing comes to it
  Fleet a(open(), "a"), b(open(), "b");
  ASSERT_EQ(a.ledger.plannedRuns().size(), 1u);
  EXPECT_EQ(a.ledger.openTasks(), 3u);
  std::vector<std::optional<Lease>> leases = {a.claim(), b.claim(), a.claim(), b.claim()};
  ASSERT_TRUE(leases[0] && leases[1] && leases[2]);
  EXPECT_FALSE(leases[3]) << "all are leased";
  EXPECT_EQ(std::pair(leases[1]->first, leases[1]->count), std::pair(uint64_t(64), uint64_t(64)));
  EXPECT_EQ(std::pair(leases[2]->first, leases[2]->count), std::pair(uint64_t(128), uint64_t(22)));
  // One is given back, one done, and more cases come to the plan.
  EXPECT_TRUE(llvm::cantFail(a.ledger.leave(*leases[0], /*isDone=*/false)));
  EXPECT_TRUE(llvm::cantFail(b.ledger.leave(*leases[1], /*isDone=*/true)));
  EXPECT_EQ(b.claim()->first, 0u);
  planFor(open(), 200);
  EXPECT_EQ(b.claim()->first, 150u);
  // A campaign that runs by itself keeps off.
  Store alone = open();
  EXPECT_THAT(llvm::toString(alone.begin({1, "O3", 0, 1}, {"1", "h", "now", 200})),
              HasSubstr("expected a campaign that no worker works on, found 3 leased tasks"));
}

TEST_P(Leases, ALeaseThatRanOutWritesNothing) {
  planFor(open(), 64);
  Fleet dead(open(), "dead", 0.2), heir(open(), "heir");
  std::optional<Lease> lost = dead.claim();
  ASSERT_TRUE(lost);
  EXPECT_FALSE(heir.claim());
  EXPECT_TRUE(dead.write(*lost, 0, Verdict::agree()));
  EXPECT_TRUE(dead.write(*lost, 1, Verdict::agree()));
  std::this_thread::sleep_for(std::chrono::milliseconds(400));
  std::optional<Lease> mine = heir.claim();
  ASSERT_TRUE(mine);
  EXPECT_EQ(mine->attempt, 2u);
  EXPECT_GT(mine->token, lost->token);
  EXPECT_EQ(heir.ledger.finishedOf(*mine), (std::set<uint64_t>{0, 1}));
  EXPECT_FALSE(dead.write(*lost, 2, Verdict::agree()));
  EXPECT_FALSE(llvm::cantFail(dead.ledger.leave(*lost, /*isDone=*/true)));
  EXPECT_EQ(heir.ledger.finishedOf(*mine).size(), 2u);
  // Until somebody claims it, a lease that ran out still writes: nothing else would keep its cases.
  Fleet late(open(), "late", 0.2);
  llvm::cantFail(heir.ledger.leave(*mine, /*isDone=*/false));
  std::optional<Lease> again = late.claim();
  std::this_thread::sleep_for(std::chrono::milliseconds(400));
  EXPECT_TRUE(late.write(*again, 2, Verdict::agree()));
}

TEST_P(Leases, ACaseCountsOnceAndMustEndAsBefore) {
  planFor(open(), 64);
  Fleet one(open(), "one");
  std::optional<Lease> lease = one.claim();
  EXPECT_TRUE(one.write(*lease, 5, Verdict::agree()));
  EXPECT_EQ(one.fresh.size(), 1u);
  EXPECT_TRUE(one.write(*lease, 5, Verdict::agree()));
  EXPECT_TRUE(one.fresh.empty()) << "covered once";
  EXPECT_TRUE(one.differing.empty());
  EXPECT_TRUE(one.write(*lease, 5, Verdict::inconclusive("took 120 s")));
  EXPECT_TRUE(one.differing.empty()) << "a limit depends on the machine";
  EXPECT_TRUE(one.write(*lease, 5, kWrong));
  ASSERT_EQ(one.differing.size(), 1u);
  EXPECT_EQ(one.differing.front().second, Verdict::Kind::Agree);
  llvm::cantFail(one.ledger.addFinding(5, findingOf(one.store, 5, kWrong), kWrong, directory));
  EXPECT_EQ(one.store.counts().str(), "0 passed, 1 failed, 0 inconclusive, 0 unavailable");
}

TEST_P(Leases, OneWorkerFilesFindingsThatLookAlike) {
  planFor(open(), 64);
  Fleet a(open(), "a"), b(open(), "b");
  std::optional<Lease> range = a.claim();
  const Verdict other = Verdict::disagree("emulator against reference", "outcome", "trap");
  for (uint64_t i : {0, 1, 2}) {
    const Verdict &verdict = i == 2 ? other : kWrong;
    StoredFinding finding = findingOf(a.store, i, verdict);
    finding.signature = i == 2 ? "other" : "same";
    EXPECT_TRUE(llvm::cantFail(a.ledger.guarded(
        *range, [&] { return a.ledger.addFinding(i, finding, verdict, directory); })));
  }
  EXPECT_TRUE(b.ledger.isReady(TaskKind::Minimise));
  std::optional<Lease> first = a.claim(TaskKind::Minimise), second = b.claim(TaskKind::Minimise);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->subject, a.store.findingId(1, 0));
  EXPECT_EQ(second->subject, a.store.findingId(1, 2)) << "the next one looks like the first";
  EXPECT_FALSE(b.claim(TaskKind::Minimise));
  StoredBug bug;
  bug.id = "b1";
  EXPECT_TRUE(llvm::cantFail(a.ledger.leave(
      *first, /*isDone=*/true, [&] { return a.store.assign(first->subject, bug, "now"); })));
  EXPECT_EQ(b.claim(TaskKind::Minimise)->subject, a.store.findingId(1, 1));
  // A new build has its own run, and judges the bug again.
  planFor(open(), 64, "2");
  Fleet next(open(), "c");
  EXPECT_EQ(next.claim(TaskKind::Progression)->subject, "b1");
  EXPECT_EQ(next.claim()->first, 64u);
}

TEST_P(Leases, CasesToMeasureComeWithThePlan) {
  std::ofstream(directory + "/case.json") << "{}";
  {
    Store store = open();
    Ledger ledger(store, "p", 60);
    llvm::cantFail(ledger.plan({1, "", 0, 1}, {"1", "h", "d", 64}, "{}", ""));
    llvm::cantFail(ledger.planPerf("gemm", directory));
    llvm::cantFail(ledger.planPerf("gemm", directory)); // again: the same
  }
  Fleet worker(open(), "w");
  EXPECT_EQ(worker.ledger.openTasks(), 2u);
  std::optional<Lease> lease = worker.claim(TaskKind::Perf);
  ASSERT_TRUE(lease);
  EXPECT_EQ(lease->subject, "gemm");
  auto files = worker.ledger.inputOf(*lease);
  EXPECT_THAT(files, testing::Contains(std::pair(std::string("case.json"), std::string("{}"))));
  EXPECT_FALSE(worker.claim(TaskKind::Perf));
}

// Ten cases of one bug, nine of which are the same: of those that go nothing is lost but the copies.
TEST_P(Leases, PruningKeepsTheCasesThatCover) {
  const char *source = std::getenv("TILESMITH_SOURCE_DIR");
  const std::string planted = std::string(source ? source : ".") + "/corpus/planted/";
  StoredBug bug, small;
  bug.id = "b1", small.id = "b2";
  {
    Store store = open();
    llvm::cantFail(store.begin({1, "O3", 0, 1}, {"1", "h", "2026-11-01", 64}));
    for (uint64_t i = 0; i < 12; ++i) {
      llvm::cantFail(
          store.addFinding(i, findingOf(store, i, kWrong), kWrong,
                           planted + (i == 6 ? "atomic-umax-as-max" : "addf-zero-folded")));
      llvm::cantFail(store.assign(store.findingId(1, i), i < 10 ? bug : small, "now",
                                  i == 0 ? planted + "addf-zero-folded" : ""));
    }
    llvm::cantFail(store.endRun("2026-11-01"));
  }
  planFor(open(), 64, "2");
  Fleet late(open(), "late", 0.2), worker(open(), "w");
  auto prune = [&](Fleet &fleet, const Lease &lease) {
    const auto dropped =
        llvm::cantFail(Triage(fleet.store, TriageOptions()).prunable(lease.subject));
    return llvm::cantFail(
        fleet.ledger.leave(lease, /*isDone=*/true, [&] { return fleet.store.dropCases(dropped); }));
  };
  std::optional<Lease> lost = late.claim(TaskKind::Prune);
  ASSERT_TRUE(lost);
  EXPECT_EQ(lost->subject, "b1") << "the other has two cases";
  std::this_thread::sleep_for(std::chrono::milliseconds(400));
  std::optional<Lease> mine = worker.claim(TaskKind::Prune);
  ASSERT_TRUE(mine);
  EXPECT_FALSE(prune(late, *lost));
  EXPECT_EQ(worker.store.storedCases("b1").size(), 10u) << "a lost lease drops nothing";
  EXPECT_TRUE(prune(worker, *mine));
  auto id = [&](uint64_t index) { return worker.store.findingId(1, index); };
  EXPECT_EQ(worker.store.storedCases("b1"), (std::vector{id(0), id(6)}));
  EXPECT_EQ(worker.store.storedCases("b2").size(), 2u);
  EXPECT_FALSE(worker.store.smallCase("b1").empty());
  EXPECT_EQ(worker.store.findings().size(), 12u) << "found is found";
  for (const StoredBug &one : worker.store.bugs())
    EXPECT_EQ(one.hits, one.id == "b1" ? 10u : 2u);
  EXPECT_FALSE(worker.claim(TaskKind::Prune));
  // Fixed, and ten runs later.
  llvm::cantFail(worker.store.addEvent("b1", BugEvent::Fixed, "now"));
  for (unsigned build = 3; build < 13; ++build) {
    EXPECT_EQ(llvm::cantFail(Triage(worker.store, TriageOptions()).prunable("b1")).size(), 0u);
    planFor(open(), 64, std::to_string(build));
  }
  EXPECT_EQ(llvm::cantFail(Triage(worker.store, TriageOptions()).prunable("b1")),
            std::vector{id(6)});
}

TEST_P(Leases, AWorkersRoleSeesItsCampaignAndDropsNothing) {
  if (!isOnServer()) {
    Store store = open();
    EXPECT_THAT(llvm::toString(
                    Ledger(store, "p", 60).plan({1, "", 0, 1}, {"1", "h", "d", 64}, "{}", "fleet")),
                HasSubstr("expected a store on a server for --worker-role=fleet"));
    return;
  }
  auto owner = llvm::cantFail(Database::open(where(), false));
  llvm::cantFail(owner.execute("DROP ROLE IF EXISTS fleet; CREATE ROLE fleet LOGIN"));
  {
    Store store = open();
    Ledger ledger(store, "p", 60);
    llvm::cantFail(ledger.plan({7, "secret", 0, 1}, {"1", "h", "d", 64}, "{\"its\": 1}", ""));
  }
  planFor(open(), 64, "1", "fleet");
  std::string theirs = where();
  theirs.replace(theirs.find("tilesmith@"), 10, "fleet@");
  Fleet worker(llvm::cantFail(Store::open(theirs, /*create=*/false)), "w");
  std::vector<PlannedRun> seen = worker.ledger.plannedRuns();
  ASSERT_EQ(seen.size(), 1u);
  EXPECT_EQ(seen.front().options, "O3");
  EXPECT_EQ(worker.store.campaigns().size(), 1u);
  std::optional<Lease> range = worker.claim();
  ASSERT_TRUE(range);
  EXPECT_TRUE(worker.write(*range, 0, Verdict::agree()));
  EXPECT_TRUE(llvm::cantFail(worker.ledger.guarded(*range, [&] {
    return worker.ledger.addFinding(1, findingOf(worker.store, 1, kWrong), kWrong, directory);
  })));
  StoredBug bug;
  bug.id = "b1";
  llvm::cantFail(worker.store.assign(worker.store.findingId(1, 1), bug, "now"));
  llvm::cantFail(worker.ledger.addCoverage({{{"addi", "i32"}, 2}}));
  llvm::cantFail(worker.ledger.addCoverage({{{"addi", "i32"}, 2}}));
  llvm::cantFail(worker.ledger.sign("h", "1", 1, true));
  EXPECT_TRUE(llvm::cantFail(worker.ledger.leave(*range, /*isDone=*/true)));
  llvm::cantFail(worker.ledger.settle());
  llvm::cantFail(worker.store.dropCases({worker.store.findingId(1, 1)}));
  auto database = llvm::cantFail(Database::open(theirs, false));
  for (const char *sql :
       {"DROP TABLE cases", "TRUNCATE cases", "DELETE FROM cases", "DELETE FROM findings",
        "UPDATE plans SET role = 'fleet'", "INSERT INTO plans VALUES (9, '', 1, 'fleet')",
        "UPDATE bugs SET text = ''", "CREATE TABLE more (x BIGINT)",
        "UPDATE campaigns SET seed = 1", "ALTER TABLE plans DISABLE ROW LEVEL SECURITY"})
    EXPECT_THAT(llvm::toString(database.execute(sql)),
                testing::AnyOf(HasSubstr("permission denied"), HasSubstr("must be owner")))
        << sql;
  llvm::cantFail(owner.execute("DROP OWNED BY fleet; DROP ROLE fleet"));
}

// What a worker does beside judging, without the judging: 64 of them, each case of 40 ms a pause. The
// share of their time that the store takes is printed: 0.5 % when the machine is idle.
TEST(Fleets, SixtyFourWorkersShareAStore) {
  if (Server::get().url.empty())
    GTEST_SKIP() << Server::get().reason;
  constexpr unsigned kWorkers = 64, kRanges = 2;
  auto database = llvm::cantFail(Database::open(Server::get().url, false));
  llvm::cantFail(database.execute("CREATE SCHEMA simulation"));
  const std::string where = Server::get().url + "&options=-csearch_path%3Dsimulation";
  planFor(llvm::cantFail(Store::open(where)), 64 * kWorkers * kRanges);
  std::atomic<uint64_t> claims = 0, cases = 0;
  std::atomic<double> waited = 0, all = 0;
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < kWorkers; ++i)
    threads.emplace_back([&, i] {
      Fleet fleet(llvm::cantFail(Store::open(where)), "w" + std::to_string(i));
      Heart heart(llvm::cantFail(Store::open(where)), "w" + std::to_string(i), 60);
      LeasedCases source(fleet.ledger, heart, [&] {
        return fleet.ledger.isReady(TaskKind::Progression) ||
               fleet.ledger.isReady(TaskKind::Minimise);
      });
      // They do not come in step.
      std::this_thread::sleep_for(std::chrono::milliseconds(40 * i));
      const auto start = std::chrono::steady_clock::now();
      while (std::optional<uint64_t> index = source.next()) {
        std::this_thread::sleep_for(std::chrono::milliseconds(40));
        Coverage coverage;
        for (uint64_t pair = 0; pair < 30; ++pair)
          ++coverage[{"op" + std::to_string((*index * 7 + pair) % 300), "f32"}];
        source.add({*index, Verdict::agree(), coverage});
        llvm::cantFail(source.flush(false).takeError());
        ++cases;
      }
      llvm::cantFail(source.flush(true).takeError());
      claims += source.claimed();
      waited += source.storeSeconds();
      all += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(claims, kWorkers * kRanges);
  EXPECT_EQ(cases, 64 * kWorkers * kRanges);
  Store store = llvm::cantFail(Store::open(where));
  EXPECT_EQ(store.counts().passed, 64 * kWorkers * kRanges);
  uint64_t covered = 0;
  for (const auto &[key, count] : store.coverage())
    covered += count;
  EXPECT_EQ(covered, 30 * 64 * kWorkers * kRanges);
  const double share = 100 * waited / all;
  std::printf("64 workers: %.2f %% of their time with the store, %.3f ms a case\n", share,
              1000 * waited / static_cast<double>(cases));
}

// As fast as a server hands out work.
TEST(Fleets, ClaimsInASecond) {
  if (Server::get().url.empty())
    GTEST_SKIP() << Server::get().reason;
  auto database = llvm::cantFail(Database::open(Server::get().url, false));
  llvm::cantFail(database.execute("CREATE SCHEMA claims"));
  const std::string where = Server::get().url + "&options=-csearch_path%3Dclaims";
  planFor(llvm::cantFail(Store::open(where)), 64 * 1000);
  std::mutex mutex;
  std::set<uint64_t> firsts;
  uint64_t claims = 0;
  const auto start = std::chrono::steady_clock::now();
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < 8; ++i)
    threads.emplace_back([&, i] {
      Fleet fleet(llvm::cantFail(Store::open(where)), "w" + std::to_string(i));
      while (std::optional<Lease> lease = fleet.claim()) {
        EXPECT_TRUE(llvm::cantFail(fleet.ledger.leave(*lease, /*isDone=*/true)));
        std::lock_guard lock(mutex);
        ++claims;
        firsts.insert(lease->first);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(claims, 1000u);
  EXPECT_EQ(firsts.size(), 1000u);
  std::printf("%.0f claims a second by 8 workers\n",
              static_cast<double>(claims) /
                  std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
}

INSTANTIATE_TEST_SUITE_P(On, Leases, testing::Values("Sqlite", "Postgres"),
                         [](const auto &info) { return info.param; });

} // namespace
