//===- Ledger.cpp - the work of a fleet, leased to its workers --------------------------------===//
#include "fuzz/store/Ledger.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

using namespace tilesmith;
using namespace tilesmith::fuzz;
using oracles::Verdict;

/// A bug with more stored cases is pruned.
static constexpr unsigned kCasesOfABug = 8;
/// Cases of a range: small campaigns are shared out, large ones claim seldom.
static constexpr uint64_t kSmallestRange = 64, kLargestRange = 256, kWantedRanges = 1024;

llvm::StringRef tilesmith::fuzz::toString(TaskKind kind) {
  static constexpr llvm::StringLiteral kNames[] = {"progression", "minimise", "perf", "fuzz",
                                                   "prune"};
  return kNames[static_cast<unsigned>(kind)];
}

/// What kinds of databases say differently, in one text.
std::string Ledger::sql(llvm::StringRef text) const {
  std::string result = text.str();
  auto fill = [&](llvm::StringRef name, llvm::StringRef by) {
    for (size_t at; (at = result.find(name.str())) != std::string::npos;)
      result.replace(at, name.size(), by.str());
  };
  fill("{now}", store.database.now());
  fill("{skip}", store.database.skipLocked());
  return result;
}

llvm::Error Ledger::addRanges(uint64_t from, uint64_t to) {
  const uint64_t size = std::clamp((to - from) / kWantedRanges, kSmallestRange, kLargestRange);
  return store.database
      .prepare("INSERT INTO tasks (run, kind, first, count, subject, bucket, state, worker, token, "
               "lease_until, attempt) "
               "WITH RECURSIVE ranges (f) AS (SELECT ?2 UNION ALL "
               "SELECT f + ?4 FROM ranges WHERE f + ?4 < ?3) "
               "SELECT ?1, 'fuzz', f, CASE WHEN f + ?4 > ?3 THEN ?3 - f ELSE ?4 END, '', '', 0, "
               "'', 0, 0, 0 FROM ranges WHERE f < ?3 ON CONFLICT DO NOTHING")
      .bind(store.run)
      .bind(from)
      .bind(to)
      .bind(size)
      .run();
}

/// One task for each bug of a query.
llvm::Error Ledger::addForBugs(TaskKind kind, const std::string &bugs) {
  return store.database
      .prepare(
          ("INSERT INTO tasks (run, kind, first, count, subject, bucket, state, worker, token, "
           "lease_until, attempt) SELECT ?, ?, 0, 0, b.id, '', 0, '', 0, 0, 0 FROM bugs b "
           "WHERE b.id IN (" +
           bugs + ") ON CONFLICT DO NOTHING")
              .c_str())
      .bind(store.run)
      .bind(toString(kind))
      .run();
}

llvm::Error Ledger::plan(const CampaignKey &key, const RunInfo &info, const std::string &settings,
                         const std::string &role) {
  const Database &database = store.database;
  return database.transact([&]() -> llvm::Error {
    if (llvm::Error error = database.lockWithin(0))
      return error;
    if (llvm::Error error = store.chooseCampaign(key))
      return error;
    // One plan for a build: more cases, or the same again, come to it.
    uint64_t planned = 0;
    bool isNew = true;
    {
      Statement same = database.prepare(
          "SELECT r.id, r.first, p.planned FROM runs r JOIN plans p ON p.run = r.id "
          "WHERE r.campaign = ? AND r.build = ? ORDER BY r.id DESC LIMIT 1");
      same.bind(store.campaign).bind(info.build);
      if (same.step()) {
        isNew = false;
        store.run = same.integer(0);
        store.first = static_cast<uint64_t>(same.integer(1));
        planned = static_cast<uint64_t>(same.integer(2));
      }
    }
    if (isNew)
      if (llvm::Error error = store.beginRun(info))
        return error;
    if (planned < info.count)
      if (llvm::Error error = addRanges(store.first + planned, store.first + info.count))
        return error;
    if (isNew) {
      if (llvm::Error error = addForBugs(TaskKind::Progression, "SELECT id FROM bugs"))
        return error;
      if (llvm::Error error = addForBugs(
              TaskKind::Prune,
              llvm::formatv("SELECT f.bug FROM findings f WHERE f.bug IS NOT NULL AND EXISTS "
                            "(SELECT 1 FROM files d WHERE d.finding = f.id) GROUP BY f.bug "
                            "HAVING count(*) > {0}",
                            kCasesOfABug)
                  .str()))
        return error;
    }
    if (llvm::Error error =
            database
                .prepare("UPDATE runs SET ended = CASE WHEN ?2 > ?3 THEN '' ELSE ended END, "
                         "count = CASE WHEN count < ?2 THEN ?2 ELSE count END WHERE id = ?1")
                .bind(store.run)
                .bind(info.count)
                .bind(planned)
                .run())
      return error;
    if (llvm::Error error =
            database
                .prepare("INSERT INTO plans (run, settings, planned, role) VALUES (?, ?, ?, ?) "
                         "ON CONFLICT (run) DO UPDATE SET settings = excluded.settings, "
                         "planned = excluded.planned, role = excluded.role")
                .bind(store.run)
                .bind(settings)
                .bind(std::max(planned, info.count))
                .bind(role)
                .run())
      return error;
    return role.empty() ? llvm::Error::success() : allow(role);
  });
}

llvm::Error Ledger::planPerf(const std::string &name, const std::string &directory) {
  return store.database.transact([&]() -> llvm::Error {
    const std::string text =
        llvm::formatv("INSERT INTO inputs (run, subject, name, data) VALUES ({0}, ?, ?, ?) "
                      "ON CONFLICT (run, subject, name) DO UPDATE SET data = excluded.data",
                      store.run);
    if (llvm::Error error = store.addFiles(text.c_str(), name, directory))
      return error;
    return store.database
        .prepare("INSERT INTO tasks (run, kind, first, count, subject, bucket, state, worker, "
                 "token, lease_until, attempt) VALUES (?, 'perf', 0, 0, ?, '', 0, '', 0, 0, 0) "
                 "ON CONFLICT DO NOTHING")
        .bind(store.run)
        .bind(name)
        .run();
  });
}

std::vector<std::pair<std::string, std::string>> Ledger::inputOf(const Lease &lease) const {
  std::vector<std::pair<std::string, std::string>> result;
  Statement statement =
      store.database.prepare("SELECT name, data FROM inputs WHERE run = ? AND subject = ?");
  statement.bind(store.run).bind(lease.subject);
  while (statement.step())
    result.emplace_back(statement.text(0), statement.text(1));
  return result;
}

/// What a worker needs, and no more: it adds, and changes what it must, but drops nothing, and of
/// campaigns it sees those that were planned for its role.
llvm::Error Ledger::allow(const std::string &role) {
  if (!store.database.isServer())
    return llvm::createStringError("expected a store on a server for --worker-role=" + role +
                                   ", found the file '" + store.path + "'");
  if (!llvm::all_of(role, [](char c) { return llvm::isAlnum(c) || c == '_' || c == '-'; }))
    return llvm::createStringError(
        "expected letters, digits, - and _ in the name of a role, found '" + role + "'");
  std::string text;
  for (llvm::StringRef table : {"plans", "campaigns", "tasks", "inputs"})
    text += llvm::formatv("ALTER TABLE {0} ENABLE ROW LEVEL SECURITY; "
                          "DROP POLICY IF EXISTS fleet ON {0}; ",
                          table);
  text += "CREATE POLICY fleet ON plans USING (role = current_user); "
          "CREATE POLICY fleet ON tasks USING (run IN (SELECT run FROM plans)); "
          "CREATE POLICY fleet ON inputs USING (run IN (SELECT run FROM plans)); "
          "CREATE POLICY fleet ON campaigns USING (id IN "
          "(SELECT r.campaign FROM runs r JOIN plans p ON p.run = r.id)); ";
  text += llvm::formatv(
      "DO $$ BEGIN EXECUTE format('GRANT USAGE ON SCHEMA %I TO \"{0}\"', current_schema()); "
      "END $$; "
      "GRANT SELECT ON store_version, plans, campaigns, runs, tasks, inputs, workers, cases, "
      "findings, "
      "files, bugs, bugfiles, events, coverage, samples, perf, perfbuilds, streams TO \"{0}\"; "
      "GRANT INSERT ON tasks, workers, cases, findings, files, bugs, bugfiles, events, coverage, "
      "samples, perf, perfbuilds, streams TO \"{0}\"; "
      "GRANT UPDATE ON tasks, workers, files, bugfiles, coverage, perf TO \"{0}\"; "
      "GRANT DELETE ON files TO \"{0}\"; " // Prune
      "GRANT UPDATE (verdict, reason) ON cases TO \"{0}\"; "
      "GRANT UPDATE (bug) ON findings TO \"{0}\"; "
      "GRANT UPDATE (known) ON bugs TO \"{0}\"; "
      "GRANT UPDATE (ended) ON runs TO \"{0}\";",
      role);
  return store.database.execute(text);
}

std::vector<PlannedRun> Ledger::plannedRuns() const {
  std::vector<PlannedRun> result;
  Statement statement = store.database.prepare(
      "SELECT r.id, r.campaign, c.seed, r.first, r.build, c.options, p.settings, "
      "(SELECT count(*) FROM tasks t WHERE t.run = r.id AND t.state < 2) "
      "FROM plans p JOIN runs r ON r.id = p.run JOIN campaigns c ON c.id = r.campaign "
      "ORDER BY r.id");
  while (statement.step())
    result.push_back(
        {statement.integer(0), statement.integer(1), static_cast<uint64_t>(statement.integer(2)),
         static_cast<uint64_t>(statement.integer(3)), statement.text(4), statement.text(5),
         statement.text(6), static_cast<uint64_t>(statement.integer(7))});
  return result;
}

void Ledger::choose(const PlannedRun &run) {
  store.campaign = run.campaign;
  store.run = run.id;
  store.first = run.first;
  store.options = run.options;
}

bool Ledger::isReady(TaskKind kind) const {
  Statement statement =
      store.database.prepare(sql("SELECT 1 FROM tasks WHERE run = ? AND kind = ? AND (state = 0 OR "
                                 "(state = 1 AND lease_until < {now})) LIMIT 1")
                                 .c_str());
  statement.bind(store.run).bind(toString(kind));
  return statement.step();
}

llvm::Expected<std::optional<Lease>> Ledger::claim(TaskKind kind) {
  const std::string text =
      sql("WITH chosen AS (SELECT t.id FROM tasks t WHERE t.run = ?1 AND t.kind = ?2 AND "
          "(t.state = 0 OR (t.state = 1 AND t.lease_until < {now}))" +
          llvm::StringRef(kind == TaskKind::Minimise
                              ? " AND NOT EXISTS (SELECT 1 FROM tasks o WHERE o.run = t.run AND "
                                "o.kind = t.kind AND o.bucket = t.bucket AND o.state = 1 AND "
                                "o.lease_until >= {now})"
                              : "")
              .str() +
          " ORDER BY t.first, t.id LIMIT 1{skip}) "
          "UPDATE tasks SET state = 1, worker = ?3, token = token + 1, attempt = attempt + 1, "
          "lease_until = {now} + ?4 WHERE id IN (SELECT id FROM chosen) "
          "RETURNING id, token, first, count, subject, attempt");
  std::optional<Lease> lease;
  auto take = [&]() -> llvm::Error {
    lease.reset();
    Statement statement = store.database.prepare(text.c_str());
    statement.bind(store.run).bind(toString(kind)).bind(worker).bind(seconds);
    if (statement.step())
      lease = Lease{statement.integer(0),
                    statement.integer(1),
                    kind,
                    static_cast<uint64_t>(statement.integer(2)),
                    static_cast<uint64_t>(statement.integer(3)),
                    statement.text(4),
                    static_cast<unsigned>(statement.integer(5))};
    return statement.run();
  };
  llvm::Error error =
      kind != TaskKind::Minimise ? take() : store.database.transact([&]() -> llvm::Error {
        // Two at once would not see each other's choice.
        if (llvm::Error locked = store.database.lockWithin(store.run))
          return locked;
        return take();
      });
  if (error)
    return std::move(error);
  return lease;
}

uint64_t Ledger::openTasks() const {
  Statement statement =
      store.database.prepare("SELECT count(*) FROM tasks WHERE run = ? AND state < 2");
  statement.bind(store.run);
  return statement.step() ? static_cast<uint64_t>(statement.integer(0)) : 1;
}

std::set<uint64_t> Ledger::finishedOf(const Lease &lease) const {
  std::set<uint64_t> result;
  Statement statement = store.database.prepare(
      "SELECT number FROM cases WHERE campaign = ? AND number >= ? AND number < ?");
  statement.bind(store.campaign).bind(lease.first).bind(lease.first + lease.count);
  while (statement.step())
    result.insert(static_cast<uint64_t>(statement.integer(0)));
  return result;
}

llvm::Expected<bool> Ledger::guarded(const Lease &lease, llvm::function_ref<llvm::Error()> write) {
  bool holds = false;
  llvm::Error error = store.database.transact([&]() -> llvm::Error {
    {
      Statement fence = store.database.prepare(
          sql("UPDATE tasks SET lease_until = {now} + ? WHERE id = ? AND token = ? AND state = 1 "
              "RETURNING id")
              .c_str());
      fence.bind(seconds).bind(lease.task).bind(lease.token);
      holds = fence.step();
      if (llvm::Error failed = fence.run())
        return failed;
    }
    return holds ? write() : llvm::Error::success();
  });
  if (error)
    return std::move(error);
  return holds;
}

llvm::Error Ledger::beat(const Lease &lease) {
  return guarded(lease, [] { return llvm::Error::success(); }).takeError();
}

llvm::Expected<bool> Ledger::leave(const Lease &lease, bool isDone,
                                   llvm::function_ref<llvm::Error()> last) {
  return guarded(lease, [&]() -> llvm::Error {
    if (llvm::Error error = last())
      return error;
    return store.database.prepare("UPDATE tasks SET state = ? WHERE id = ?")
        .bind(isDone ? 2 : 0)
        .bind(lease.task)
        .run();
  });
}

llvm::Error Ledger::add(const std::vector<CaseResult> &results, Coverage &fresh,
                        std::vector<std::pair<CaseResult, Verdict::Kind>> &differing) {
  fresh.clear();
  differing.clear();
  if (results.empty())
    return llvm::Error::success();
  std::set<uint64_t> added;
  {
    std::string text = "INSERT INTO cases (campaign, number, verdict, reason, run) VALUES ";
    for (size_t i = 0; i < results.size(); ++i)
      text += i ? ", (?, ?, ?, ?, ?)" : "(?, ?, ?, ?, ?)";
    text += " ON CONFLICT DO NOTHING RETURNING number";
    Statement insert = store.database.prepare(text.c_str());
    for (const CaseResult &one : results)
      insert.bind(store.campaign)
          .bind(one.index)
          .bind(static_cast<int64_t>(one.verdict.kind))
          .bind(llvm::StringRef(one.verdict.reason).split('\n').first)
          .bind(store.run);
    while (insert.step())
      added.insert(static_cast<uint64_t>(insert.integer(0)));
    if (llvm::Error error = insert.run())
      return error;
  }
  for (const CaseResult &one : results) {
    if (added.count(one.index)) {
      for (const auto &[key, count] : one.coverage)
        fresh[key] += count;
      continue;
    }
    Statement before =
        store.database.prepare("SELECT verdict FROM cases WHERE campaign = ? AND number = ?");
    before.bind(store.campaign).bind(one.index);
    if (!before.step())
      continue;
    // A known bug is a failure, too.
    const auto kind = static_cast<Verdict::Kind>(before.integer(0) == 4 ? 1 : before.integer(0));
    // Limits of time and memory depend on the machine.
    const bool isLimit = kind == Verdict::Kind::Inconclusive || one.verdict.isInconclusive();
    if (kind != one.verdict.kind && !isLimit)
      differing.emplace_back(one, kind);
  }
  return llvm::Error::success();
}

llvm::Error Ledger::addFinding(uint64_t index, const StoredFinding &finding, const Verdict &verdict,
                               const std::string &directory) {
  return store.database.transact([&]() -> llvm::Error {
    if (llvm::Error error = store.addFinding(index, finding, verdict, directory))
      return error;
    // It may have passed before.
    if (llvm::Error error = store.database
                                .prepare("UPDATE cases SET verdict = 1 WHERE campaign = ? AND "
                                         "number = ? AND verdict NOT IN (1, 4)")
                                .bind(store.campaign)
                                .bind(index)
                                .run())
      return error;
    return store.database
        .prepare("INSERT INTO tasks (run, kind, first, count, subject, bucket, state, worker, "
                 "token, lease_until, attempt) "
                 "VALUES (?, 'minimise', ?, 0, ?, ?, 0, '', 0, 0, 0) ON CONFLICT DO NOTHING")
        .bind(store.run)
        .bind(index)
        .bind(finding.id)
        .bind(finding.signature)
        .run();
  });
}

llvm::Error Ledger::sign(const std::string &host, const std::string &build, uint64_t tasks,
                         bool ends) {
  return store.database
      .prepare(sql("INSERT INTO workers (name, host, build, started, seen, ended, tasks) "
                   "VALUES (?1, ?2, ?3, {now}, {now}, 0, ?4) ON CONFLICT (name) DO UPDATE SET "
                   "seen = excluded.seen, tasks = excluded.tasks, "
                   "ended = CASE WHEN ?5 = 1 THEN excluded.seen ELSE 0 END")
                   .c_str())
      .bind(worker)
      .bind(host)
      .bind(build)
      .bind(tasks)
      .bind(ends ? 1 : 0)
      .run();
}

llvm::Error Ledger::settle() {
  // What the page shows of the rate: a sample in half a minute, by whoever comes first.
  if (llvm::Error error =
          store.database
              .prepare(
                  sql("INSERT INTO samples (campaign, seconds, cases, failed, inconclusive, rss) "
                      "SELECT ?1, {now} - s.at, (SELECT count(*) FROM cases WHERE campaign = ?1), "
                      "(SELECT count(*) FROM cases WHERE campaign = ?1 AND verdict = 1), "
                      "(SELECT count(*) FROM cases WHERE campaign = ?1 AND verdict = 2), 0 "
                      "FROM (SELECT min(started) AS at FROM workers) s WHERE s.at IS NOT NULL AND "
                      "NOT EXISTS (SELECT 1 FROM samples p WHERE p.campaign = ?1 AND "
                      "p.seconds > {now} - s.at - 30)")
                      .c_str())
              .bind(store.campaign)
              .run())
    return error;
  if (openTasks() > 0)
    return llvm::Error::success();
  return store.database.prepare("UPDATE runs SET ended = ? WHERE id = ? AND ended = ''")
      .bind(utcNow())
      .bind(store.run)
      .run();
}
