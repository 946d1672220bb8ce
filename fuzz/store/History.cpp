//===- History.cpp - runs, builds, and the life of a bug --------------------------------------===//
//
// The part of the store that knows time: History.h says what it means.
//
//===------------------------------------------------------------------------------------------===//
#include "fuzz/store/History.h"

#include "fuzz/store/Store.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/xxhash.h"

#include <ctime>
#include <unistd.h>

using namespace tilesmith;
using namespace tilesmith::fuzz;

static constexpr llvm::StringLiteral kEvents[] = {"born", "fixed", "regressed"};

llvm::StringRef tilesmith::fuzz::toString(BugEvent event) {
  return kEvents[static_cast<unsigned>(event)];
}

std::optional<BugEvent> tilesmith::fuzz::parseBugEvent(llvm::StringRef text) {
  for (BugEvent event : {BugEvent::Born, BugEvent::Fixed, BugEvent::Regressed})
    if (toString(event) == text)
      return event;
  return std::nullopt;
}

llvm::StringRef tilesmith::fuzz::toString(BugState state) {
  static constexpr llvm::StringLiteral kStates[] = {"new", "regressed", "open", "known", "fixed"};
  return kStates[static_cast<unsigned>(state)];
}

std::string tilesmith::fuzz::utcNow() {
  std::timespec now = {};
  std::timespec_get(&now, TIME_UTC);
  std::tm parts = {};
  ::gmtime_r(&now.tv_sec, &parts);
  char date[32], text[48];
  std::strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S", &parts);
  std::snprintf(text, sizeof text, "%s.%03dZ", date, static_cast<int>(now.tv_nsec / 1000000));
  return text;
}

std::string tilesmith::fuzz::hostName() {
  char name[256] = {};
  return ::gethostname(name, sizeof name - 1) == 0 ? name : "unknown";
}

std::string tilesmith::fuzz::thisBuild(llvm::StringRef version) {
  static const uint64_t hash = [] {
    auto program = llvm::MemoryBuffer::getFile("/proc/self/exe", /*IsText=*/false,
                                               /*RequiresNullTerminator=*/false);
    return program ? llvm::xxh3_64bits((*program)->getBuffer()) : 0;
  }();
  return (version + "-" + llvm::utohexstr(hash, /*LowerCase=*/true, /*Width=*/16)).str();
}

llvm::Error Store::beginRun(const RunInfo &info) {
  uint64_t behindAll = 0;
  {
    Statement last = database.prepare("SELECT coalesce(max(number) + 1, 0) FROM cases "
                                      "WHERE campaign = ?");
    last.bind(campaign);
    if (last.step())
      behindAll = static_cast<uint64_t>(last.integer(0));
  }
  // Shards agree on where a build begins when they were given the same number of cases.
  Statement planned = database.prepare("SELECT max(first + count) FROM runs WHERE campaign = ? "
                                       "AND count > 0");
  planned.bind(campaign);
  if (planned.step())
    behindAll = std::max(behindAll, static_cast<uint64_t>(planned.integer(0)));
  first = behindAll;
  Statement same = database.prepare("SELECT id, first, ended, (SELECT count(*) FROM plans p WHERE "
                                    "p.run = runs.id) FROM runs WHERE campaign = ? AND build = ? "
                                    "ORDER BY id DESC LIMIT 1");
  same.bind(campaign).bind(info.build);
  if (same.step()) {
    first = static_cast<uint64_t>(same.integer(1));
    if (same.text(2).empty() || same.integer(3)) { // it was killed, or is one of workers
      run = same.integer(0);
      return database
          .prepare("UPDATE runs SET count = CASE WHEN count < ?1 THEN ?1 ELSE count END "
                   "WHERE id = ?2")
          .bind(info.count)
          .bind(run)
          .run();
    }
  }
  if (llvm::Error error = database
                              .prepare("INSERT INTO runs (campaign, build, host, started, ended, "
                                       "first, count) VALUES (?, ?, ?, ?, '', ?, ?) "
                                       "ON CONFLICT DO NOTHING")
                              .bind(campaign)
                              .bind(info.build)
                              .bind(info.host)
                              .bind(info.started)
                              .bind(first)
                              .bind(info.count)
                              .run())
    return error;
  Statement made = database.prepare("SELECT id FROM runs WHERE campaign = ? AND build = ? AND "
                                    "host = ? AND started = ?");
  made.bind(campaign).bind(info.build).bind(info.host).bind(info.started);
  if (!made.step())
    return llvm::createStringError("store: the run was not written");
  run = made.integer(0);
  isFreshRun = true;
  return llvm::Error::success();
}

llvm::Error Store::endRun(llvm::StringRef at) {
  return database.prepare("UPDATE runs SET ended = ? WHERE id = ?").bind(at).bind(run).run();
}

std::vector<StoredRun> Store::runs() const {
  std::vector<StoredRun> result;
  Statement statement = database.prepare(
      "SELECT r.id, r.campaign, r.build, r.host, r.started, r.ended, r.first, count(c.number), "
      "coalesce(sum(CASE WHEN c.verdict = 1 THEN 1 ELSE 0 END), 0) FROM runs r LEFT JOIN cases c "
      "ON c.run = r.id "
      "GROUP BY r.id ORDER BY r.started, r.id");
  while (statement.step())
    result.push_back(
        {statement.integer(0), statement.integer(1), statement.text(2), statement.text(3),
         statement.text(4), statement.text(5), static_cast<uint64_t>(statement.integer(6)),
         static_cast<uint64_t>(statement.integer(7)), static_cast<uint64_t>(statement.integer(8))});
  return result;
}

llvm::Error Store::addEvent(const std::string &bug, BugEvent event, llvm::StringRef at) {
  return database
      .prepare("INSERT INTO events (bug, run, event, at) VALUES (?, ?, ?, ?) "
               "ON CONFLICT DO NOTHING")
      .bind(bug)
      .bind(run)
      .bind(toString(event))
      .bind(at)
      .run();
}

std::map<std::string, std::vector<StoredEvent>> Store::lives() const {
  std::map<std::string, std::vector<StoredEvent>> result;
  Statement statement =
      database.prepare("SELECT e.bug, e.event, e.run, e.at, coalesce(r.build, '') FROM events e "
                       "LEFT JOIN runs r ON r.id = e.run ORDER BY e.at, e.run, e.event");
  while (statement.step())
    if (std::optional<BugEvent> event = parseBugEvent(statement.text(1)))
      result[statement.text(0)].push_back(
          {*event, statement.integer(2), statement.text(3), statement.text(4)});
  return result;
}

std::map<std::string, BugState> Store::states() const {
  // The latest run of each campaign, where it is of the build that ran last.
  std::map<int64_t, int64_t> latestOf;
  std::map<int64_t, std::string> buildOf;
  std::string lastBuild;
  for (const StoredRun &one : runs()) {
    latestOf[one.campaign] = one.id;
    buildOf[one.id] = one.build;
    lastBuild = one.build;
  }
  auto isLatest = [&](int64_t id) {
    if (run != 0)
      return id == run;
    return buildOf[id] == lastBuild &&
           llvm::any_of(latestOf, [&](const auto &entry) { return entry.second == id; });
  };
  std::map<std::string, std::vector<StoredEvent>> all = lives();
  std::map<std::string, BugState> result;
  for (const StoredBug &bug : bugs())
    result[bug.id] = stateOf(all[bug.id], !bug.known.empty(), isLatest);
  return result;
}

std::vector<std::pair<std::string, std::string>> Store::smallCase(const std::string &bug) const {
  std::vector<std::pair<std::string, std::string>> result;
  Statement statement =
      database.prepare("SELECT name, data FROM bugfiles WHERE bug = ? ORDER BY name");
  statement.bind(bug);
  while (statement.step())
    result.emplace_back(statement.text(0), statement.text(1));
  return result;
}

std::vector<std::pair<std::string, std::string>> Store::firstFiles(const std::string &bug) const {
  Statement statement = database.prepare("SELECT id FROM findings WHERE bug = ? ORDER BY run, "
                                         "number LIMIT 1");
  statement.bind(bug);
  if (!statement.step())
    return {};
  return files(statement.text(0));
}

std::vector<std::string> Store::storedCases(const std::string &bug) const {
  std::vector<std::string> result;
  Statement statement = database.prepare(
      "SELECT f.id FROM findings f WHERE f.bug = ? AND EXISTS (SELECT 1 FROM files d WHERE "
      "d.finding = f.id) ORDER BY f.run, f.number");
  statement.bind(bug);
  while (statement.step())
    result.push_back(statement.text(0));
  return result;
}

llvm::Error Store::dropCases(const std::vector<std::string> &findings) {
  return database.transact([&]() -> llvm::Error {
    for (const std::string &finding : findings)
      if (llvm::Error error =
              database.prepare("DELETE FROM files WHERE finding = ?").bind(finding).run())
        return error;
    return llvm::Error::success();
  });
}

uint64_t Store::unfiledFailures() const {
  Statement statement =
      database.prepare("SELECT count(*) FROM findings WHERE run = ? AND bug IS NULL");
  statement.bind(run);
  return statement.step() ? static_cast<uint64_t>(statement.integer(0)) : 0;
}
