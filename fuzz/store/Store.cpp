//===- Store.cpp - what a campaign knows ------------------------------------------------------===//
#include "fuzz/store/Store.h"

#include "compiler/support/OutputFolder.h"
#include "oracles/verdict/Signature.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <cerrno>
#include <fcntl.h>
#include <system_error>

using namespace tilesmith;
using namespace tilesmith::fuzz;
using oracles::Verdict;

std::string Store::findingId(uint64_t seed, uint64_t index) const {
  return oracles::stableHash(llvm::formatv("{0}|{1}|{2}", seed, index, options).str());
}

std::optional<uint64_t> Store::onlySeed() const {
  Statement statement = database.prepare("SELECT DISTINCT seed FROM campaigns");
  if (!statement.step())
    return std::nullopt;
  auto seed = static_cast<uint64_t>(statement.integer(0));
  return statement.step() ? std::nullopt : std::optional<uint64_t>(seed);
}

llvm::Error Store::chooseCampaign(const CampaignKey &key) {
  if (llvm::Error error = database
                              .prepare("INSERT INTO campaigns (seed, options, shard, shards) "
                                       "VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING")
                              .bind(key.seed)
                              .bind(key.options)
                              .bind(static_cast<int64_t>(key.shard))
                              .bind(static_cast<int64_t>(key.shards))
                              .run())
    return error;
  Statement statement = database.prepare("SELECT id FROM campaigns WHERE seed = ? AND options = ? "
                                         "AND shard = ? AND shards = ?");
  statement.bind(key.seed).bind(key.options).bind(static_cast<int64_t>(key.shard));
  statement.bind(static_cast<int64_t>(key.shards));
  if (!statement.step())
    return llvm::createStringError("store: the campaign was not written");
  campaign = statement.integer(0);
  options = key.options;
  return llvm::Error::success();
}

llvm::Error Store::begin(const CampaignKey &key, const RunInfo &info) {
  if (llvm::Error error = chooseCampaign(key))
    return error;
  if (llvm::Error error = lockCampaign())
    return error;
  // In one transaction: a read that is still open would keep what it saw, and SQLite writes nothing
  // upon what somebody else has changed since.
  return database.transact([&]() -> llvm::Error {
    Statement leased = database.prepare(
        (std::string("SELECT count(*) FROM tasks t JOIN runs r ON r.id = t.run WHERE "
                     "r.campaign = ? AND t.state = 1 AND t.lease_until >= ") +
         database.now())
            .c_str());
    leased.bind(campaign);
    if (leased.step() && leased.integer(0) > 0)
      return llvm::createStringError(
          llvm::formatv(
              "expected a campaign that no worker works on, found {0} leased tasks in '{1}'",
              leased.integer(0), withoutPassword(path))
              .str());
    return beginRun(info);
  });
}

/// A byte of PATH-lock for each campaign: the system frees it when the process ends, however that
/// happens. Children that a campaign forks do not hold it.
llvm::Error Store::lockCampaign() {
  if (path == ":memory:")
    return llvm::Error::success();
  auto taken = [&](llvm::StringRef by) {
    return llvm::createStringError(
        llvm::formatv("expected a campaign that no other process works on, found {0} at it in "
                      "'{1}': each process takes a part of the cases, --shard I/N",
                      by, withoutPassword(path))
            .str());
  };
  if (database.isServer()) {
    llvm::Error error = database.hold(campaign);
    return error ? taken(llvm::toString(std::move(error))) : llvm::Error::success();
  }
  // Closing any descriptor of a file frees all of its locks: this one stays open.
  static std::map<std::string, int> files;
  auto [entry, isNew] = files.try_emplace(path, -1);
  if (isNew)
    entry->second = ::open((path + "-lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  struct flock range = {};
  range.l_type = F_WRLCK;
  range.l_whence = SEEK_SET;
  range.l_start = campaign;
  range.l_len = 1;
  if (entry->second >= 0 && ::fcntl(entry->second, F_SETLK, &range) == 0)
    return llvm::Error::success();
  if (int code = errno; entry->second < 0 || (code != EAGAIN && code != EACCES))
    return llvm::createStringError("cannot lock '" + path +
                                   "-lock': " + std::generic_category().message(code));
  ::fcntl(entry->second, F_GETLK, &range);
  return taken("process " + std::to_string(range.l_pid));
}

std::set<uint64_t> Store::finishedCases() const {
  std::set<uint64_t> result;
  Statement statement = database.prepare("SELECT number FROM cases WHERE campaign = ?");
  statement.bind(campaign);
  while (statement.step())
    result.insert(result.end(), static_cast<uint64_t>(statement.integer(0)));
  return result;
}

oracles::VerdictCounts Store::counts() const {
  oracles::VerdictCounts result;
  Statement statement = database.prepare("SELECT verdict, count(*) FROM cases WHERE ?1 = 0 OR "
                                         "(campaign = ?1 AND number >= ?2) GROUP BY verdict");
  statement.bind(campaign).bind(first);
  while (statement.step()) {
    auto count = static_cast<uint64_t>(statement.integer(1));
    switch (statement.integer(0)) {
    case 0:
      result.passed += count;
      break;
    case 1:
      result.failed += count;
      break;
    case 2:
      result.inconclusive += count;
      break;
    case 3:
      result.unavailable += count;
      break;
    }
  }
  return result;
}

double Store::elapsed() const {
  Statement statement = database.prepare("SELECT max(seconds) FROM samples WHERE campaign = ?");
  statement.bind(campaign);
  return statement.step() ? statement.real(0) : 0;
}

const char *const Store::kAddCase =
    "INSERT INTO cases (campaign, number, verdict, reason, run) VALUES (?, ?, ?, ?, ?) "
    "ON CONFLICT DO NOTHING";

llvm::Error Store::addCase(uint64_t index, const Verdict &verdict) {
  return database.prepare(kAddCase)
      .bind(campaign)
      .bind(index)
      .bind(static_cast<int64_t>(verdict.kind))
      .bind(llvm::StringRef(verdict.reason).split('\n').first)
      .bind(run)
      .run();
}

/// The files of a case folder, each as a row with its owner.
llvm::Error Store::addFiles(const char *sql, const std::string &owner,
                            const std::string &directory) {
  std::error_code code;
  for (llvm::sys::fs::directory_iterator it(directory, code), end; it != end && !code;
       it.increment(code)) {
    auto buffer = llvm::MemoryBuffer::getFile(it->path());
    if (!buffer || llvm::sys::path::filename(it->path()) == kFolderMark)
      continue;
    if (llvm::Error error = database.prepare(sql)
                                .bind(owner)
                                .bind(llvm::sys::path::filename(it->path()))
                                .bindBlob((*buffer)->getBuffer())
                                .run())
      return error;
  }
  return llvm::Error::success();
}

llvm::Error Store::addFinding(uint64_t index, const StoredFinding &finding, const Verdict &verdict,
                              const std::string &directory) {
  return database.transact([&]() -> llvm::Error {
    if (llvm::Error error = database.prepare(kAddCase)
                                .bind(campaign)
                                .bind(index)
                                .bind(static_cast<int64_t>(verdict.kind))
                                .bind("")
                                .bind(run)
                                .run())
      return error;
    if (llvm::Error error = database
                                .prepare("INSERT INTO findings "
                                         "(id, campaign, number, name, verdict, signature, run) "
                                         "VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING")
                                .bind(finding.id)
                                .bind(campaign)
                                .bind(index)
                                .bind(finding.name)
                                .bind(finding.verdict)
                                .bind(finding.signature)
                                .bind(run)
                                .run())
      return error;
    return addFiles("INSERT INTO files (finding, name, data) VALUES (?, ?, ?) "
                    "ON CONFLICT (finding, name) DO UPDATE SET data = excluded.data",
                    finding.id, directory);
  });
}

llvm::Error Store::addCoverage(const Coverage &more) {
  if (more.empty())
    return llvm::Error::success();
  std::string text = "INSERT INTO coverage (op, type, cases) VALUES ";
  for (size_t i = 0; i < more.size(); ++i)
    text += i ? ", (?, ?, ?)" : "(?, ?, ?)";
  text += " ON CONFLICT (op, type) DO UPDATE SET cases = coverage.cases + excluded.cases";
  Statement statement = database.prepare(text.c_str());
  for (const auto &[key, cases] : more)
    statement.bind(key.first).bind(key.second).bind(cases);
  return statement.run();
}

llvm::Error Store::addSample(const Sample &sample) {
  return database
      .prepare("INSERT INTO samples (campaign, seconds, cases, failed, inconclusive, rss) "
               "VALUES (?, ?, ?, ?, ?, ?)")
      .bind(campaign)
      .bind(sample.seconds)
      .bind(sample.cases)
      .bind(sample.failed)
      .bind(sample.inconclusive)
      .bind(sample.rssKiB)
      .run();
}

static StoredFinding readFinding(const Statement &row) {
  return {row.text(0),
          row.text(1),
          row.text(2),
          row.text(3),
          row.text(4),
          row.text(5),
          static_cast<uint64_t>(row.integer(6)),
          static_cast<uint64_t>(row.integer(7)),
          row.text(8)};
}

std::vector<StoredFinding> Store::findings(bool untriagedOnly) const {
  std::vector<StoredFinding> result;
  Statement statement = database.prepare(
      untriagedOnly
          ? "SELECT f.id, f.name, f.verdict, f.signature, f.bug, '', c.seed, f.number, c.options "
            "FROM findings f JOIN campaigns c ON c.id = f.campaign WHERE f.bug IS NULL "
            "ORDER BY c.seed, f.number"
          : "SELECT f.id, f.name, f.verdict, f.signature, f.bug, coalesce(b.known, ''), c.seed, "
            "f.number, c.options FROM findings f JOIN campaigns c ON c.id = f.campaign "
            "LEFT JOIN bugs b ON b.id = f.bug ORDER BY c.seed, f.number");
  while (statement.step())
    result.push_back(readFinding(statement));
  return result;
}

std::optional<StoredFinding> Store::finding(const std::string &id) const {
  Statement statement = database.prepare(
      "SELECT f.id, f.name, f.verdict, f.signature, f.bug, '', c.seed, f.number, c.options "
      "FROM findings f JOIN campaigns c ON c.id = f.campaign WHERE f.id = ?");
  statement.bind(id);
  if (!statement.step())
    return std::nullopt;
  return readFinding(statement);
}

std::vector<std::pair<std::string, std::string>> Store::files(const std::string &finding) const {
  std::vector<std::pair<std::string, std::string>> result;
  Statement statement =
      database.prepare("SELECT name, data FROM files WHERE finding = ? ORDER BY name");
  statement.bind(finding);
  while (statement.step())
    result.emplace_back(statement.text(0), statement.text(1));
  return result;
}

std::vector<StoredBug> Store::bugs() const {
  std::vector<StoredBug> result;
  Statement statement = database.prepare(
      "SELECT b.id, b.pass, b.blame, b.signature, b.known, b.features, b.text, b.command, "
      "b.before, b.after, b.seconds, count(f.id), min(f.name), b.judge FROM bugs b "
      "LEFT JOIN findings f ON f.bug = b.id GROUP BY b.id ORDER BY count(f.id) DESC, b.id");
  while (statement.step()) {
    StoredBug &bug = result.emplace_back();
    bug.id = statement.text(0);
    bug.pass = statement.text(1);
    bug.blame = statement.text(2);
    bug.signature = statement.text(3);
    bug.known = statement.text(4);
    llvm::SmallVector<llvm::StringRef> words;
    std::string features = statement.text(5);
    llvm::StringRef(features).split(words, ' ', -1, false);
    for (llvm::StringRef word : words)
      bug.features.insert(word.str());
    bug.text = statement.text(6);
    bug.command = statement.text(7);
    bug.operationsBefore = static_cast<unsigned>(statement.integer(8));
    bug.operationsAfter = static_cast<unsigned>(statement.integer(9));
    bug.reduceSeconds = statement.real(10);
    bug.hits = static_cast<uint64_t>(statement.integer(11));
    bug.firstFinding = statement.text(12);
    bug.judge = statement.text(13);
  }
  return result;
}

llvm::Error Store::assign(const std::string &finding, const StoredBug &bug, llvm::StringRef at,
                          const std::string &smallCase) {
  return database.transact([&]() -> llvm::Error {
    if (llvm::Error error =
            database
                .prepare("INSERT INTO bugs (id, pass, blame, signature, known, "
                         "features, text, command, before, after, seconds, judge) "
                         "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING")
                .bind(bug.id)
                .bind(bug.pass)
                .bind(bug.blame)
                .bind(bug.signature)
                .bind(bug.known)
                .bind(llvm::join(bug.features, " "))
                .bind(bug.text)
                .bind(bug.command)
                .bind(static_cast<int64_t>(bug.operationsBefore))
                .bind(static_cast<int64_t>(bug.operationsAfter))
                .bind(bug.reduceSeconds)
                .bind(bug.judge)
                .run())
      return error;
    std::vector<StoredEvent> life = std::move(lives()[bug.id]);
    if (life.empty() || life.back().event == BugEvent::Fixed)
      if (llvm::Error error =
              addEvent(bug.id, life.empty() ? BugEvent::Born : BugEvent::Regressed, at))
        return error;
    if (!smallCase.empty())
      if (llvm::Error error = addFiles("INSERT INTO bugfiles (bug, name, data) VALUES (?, ?, ?) "
                                       "ON CONFLICT (bug, name) DO UPDATE SET data = excluded.data",
                                       bug.id, smallCase))
        return error;
    if (llvm::Error error = database.prepare("UPDATE findings SET bug = ? WHERE id = ?")
                                .bind(bug.id)
                                .bind(finding)
                                .run())
      return error;
    // A known bug is no failure.
    if (bug.known.empty())
      return llvm::Error::success();
    return database
        .prepare("UPDATE cases SET verdict = 4, reason = ? WHERE (campaign, number) IN "
                 "(SELECT campaign, number FROM findings WHERE id = ?)")
        .bind(bug.known)
        .bind(finding)
        .run();
  });
}

llvm::Error Store::setKnown(const std::string &bug, const std::string &reason) {
  return database.transact([&]() -> llvm::Error {
    if (llvm::Error error =
            database.prepare("UPDATE bugs SET known = ? WHERE id = ?").bind(reason).bind(bug).run())
      return error;
    return database
        .prepare("UPDATE cases SET verdict = ?, reason = ? WHERE (campaign, number) IN "
                 "(SELECT campaign, number FROM findings WHERE bug = ?)")
        .bind(static_cast<int64_t>(reason.empty() ? 1 : 4))
        .bind(reason)
        .bind(bug)
        .run();
  });
}

std::map<std::string, uint64_t> tilesmith::fuzz::splitRewrites(Coverage &coverage) {
  std::map<std::string, uint64_t> result;
  for (auto it = coverage.begin(); it != coverage.end();) {
    const auto &[op, name] = it->first;
    if (op != kRewriteFired && op != kRewriteFound) {
      ++it;
      continue;
    }
    result[name] += op == kRewriteFired ? it->second : 0;
    it = coverage.erase(it);
  }
  return result;
}

Coverage Store::coverage() const {
  Coverage result;
  Statement statement = database.prepare("SELECT op, type, cases FROM coverage");
  while (statement.step())
    result[{statement.text(0), statement.text(1)}] = static_cast<uint64_t>(statement.integer(2));
  return result;
}

std::vector<Sample> Store::samples() const {
  std::vector<Sample> result;
  Statement statement = database.prepare("SELECT seconds, cases, failed, inconclusive, rss "
                                         "FROM samples ORDER BY campaign, seconds");
  while (statement.step())
    result.push_back({statement.real(0), static_cast<uint64_t>(statement.integer(1)),
                      static_cast<uint64_t>(statement.integer(2)),
                      static_cast<uint64_t>(statement.integer(3)),
                      static_cast<uint64_t>(statement.integer(4))});
  return result;
}

std::vector<StoredWorker> Store::workers() const {
  std::vector<StoredWorker> result;
  Statement statement =
      database.prepare((std::string("SELECT name, host, build, ") + database.now() +
                        " - seen, CASE WHEN ended > 0 THEN 1 ELSE 0 END, tasks FROM workers ORDER "
                        "BY seen DESC, name")
                           .c_str());
  while (statement.step())
    result.push_back({statement.text(0), statement.text(1), statement.text(2), statement.real(3),
                      statement.integer(4) != 0, static_cast<uint64_t>(statement.integer(5))});
  return result;
}

std::map<std::string, std::map<int64_t, uint64_t>> Store::hits() const {
  std::map<std::string, std::map<int64_t, uint64_t>> result;
  Statement statement = database.prepare(
      "SELECT bug, run, count(*) FROM findings WHERE bug IS NOT NULL GROUP BY bug, run");
  while (statement.step())
    result[statement.text(0)][statement.integer(1)] = static_cast<uint64_t>(statement.integer(2));
  return result;
}

std::vector<CampaignKey> Store::campaigns() const {
  std::vector<CampaignKey> result;
  Statement statement =
      database.prepare("SELECT seed, options, shard, shards FROM campaigns ORDER BY id");
  while (statement.step())
    result.push_back({static_cast<uint64_t>(statement.integer(0)), statement.text(1),
                      static_cast<unsigned>(statement.integer(2)),
                      static_cast<unsigned>(statement.integer(3))});
  return result;
}

std::map<std::string, uint64_t> Store::inconclusiveReasons() const {
  std::map<std::string, uint64_t> result;
  Statement statement = database.prepare("SELECT reason, count(*) FROM cases WHERE verdict = 2 AND "
                                         "(campaign = ?1 OR ?1 = 0) GROUP BY reason");
  statement.bind(campaign);
  while (statement.step())
    result[statement.text(0)] = static_cast<uint64_t>(statement.integer(1));
  return result;
}

llvm::Error Store::merge(const std::string &path) {
  if (isServerUrl(path) || database.isServer())
    return llvm::createStringError("expected stores that are files to merge, found '" +
                                   withoutPassword(isServerUrl(path) ? path : this->path) + "'");
  // Opened first by itself: checks the schema and recovers its log.
  {
    auto other = Store::open(path, /*create=*/false);
    if (!other)
      return other.takeError();
  }
  if (llvm::Error error = database.prepare("ATTACH DATABASE ? AS other").bind(path).run())
    return error;
  llvm::Error error = database.execute(R"(
BEGIN IMMEDIATE;
INSERT OR IGNORE INTO campaigns (seed, options, shard, shards)
  SELECT seed, options, shard, shards FROM other.campaigns;
CREATE TEMP TABLE renumbered AS
  SELECT o.id AS old, c.id AS new FROM other.campaigns o JOIN main.campaigns c
    USING (seed, options, shard, shards);
INSERT OR IGNORE INTO runs (campaign, build, host, started, ended, first, count)
  SELECT c.new, build, host, started, ended, first, count
    FROM other.runs JOIN renumbered c ON c.old = campaign;
CREATE TEMP TABLE reruns AS
  SELECT o.id AS old, m.id AS new FROM other.runs o JOIN renumbered c ON c.old = o.campaign
    JOIN main.runs m ON m.campaign = c.new AND m.build = o.build AND m.host = o.host
      AND m.started = o.started;
INSERT OR IGNORE INTO cases
  SELECT c.new, number, verdict, reason, coalesce(r.new, 0)
    FROM other.cases JOIN renumbered c ON c.old = campaign LEFT JOIN reruns r ON r.old = run;
INSERT OR IGNORE INTO bugs SELECT * FROM other.bugs;
INSERT OR IGNORE INTO bugfiles SELECT * FROM other.bugfiles;
INSERT OR IGNORE INTO events
  SELECT bug, coalesce(r.new, 0), event, at FROM other.events LEFT JOIN reruns r ON r.old = run;
INSERT OR IGNORE INTO findings
  SELECT id, c.new, number, name, verdict, signature, bug, coalesce(r.new, 0)
    FROM other.findings JOIN renumbered c ON c.old = campaign LEFT JOIN reruns r ON r.old = run;
INSERT OR IGNORE INTO files SELECT * FROM other.files;
INSERT INTO coverage SELECT * FROM other.coverage WHERE true
  ON CONFLICT DO UPDATE SET cases = cases + excluded.cases;
INSERT INTO samples SELECT r.new, seconds, cases, failed, inconclusive, rss
  FROM other.samples JOIN renumbered r ON r.old = campaign;
INSERT OR IGNORE INTO perfbuilds SELECT * FROM other.perfbuilds;
INSERT OR IGNORE INTO perf SELECT * FROM other.perf;
DROP TABLE renumbered;
DROP TABLE reruns;
COMMIT;
)");
  if (error)
    llvm::consumeError(database.execute("ROLLBACK"));
  return llvm::joinErrors(std::move(error), database.execute("DETACH DATABASE other"));
}
