//===- Schema.cpp - the tables of a store, and its opening ------------------------------------===//
//
// In the words of SQLite, which Database::define takes to those of a server. A schema is only ever
// added to: what an older store lacks is made when it is opened.
//
//===------------------------------------------------------------------------------------------===//
#include "fuzz/store/Store.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tilesmith;
using namespace tilesmith::fuzz;

static constexpr const char *kSchema = R"(
CREATE TABLE IF NOT EXISTS campaigns (
  id INTEGER PRIMARY KEY,
  seed INTEGER NOT NULL, options TEXT NOT NULL, shard INTEGER NOT NULL, shards INTEGER NOT NULL,
  UNIQUE (seed, options, shard, shards));
-- Finished cases; verdict: 0 agree, 1 disagree, 2 inconclusive, 3 unavailable, 4 known bug.
CREATE TABLE IF NOT EXISTS cases (
  campaign INTEGER NOT NULL, number INTEGER NOT NULL, verdict INTEGER NOT NULL, reason TEXT,
  run INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (campaign, number)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS bugs (
  id TEXT PRIMARY KEY, pass TEXT NOT NULL, blame TEXT NOT NULL, signature TEXT NOT NULL,
  known TEXT NOT NULL, features TEXT NOT NULL, text TEXT NOT NULL, command TEXT NOT NULL,
  before INTEGER NOT NULL, after INTEGER NOT NULL, seconds REAL NOT NULL,
  judge TEXT NOT NULL DEFAULT '');
CREATE TABLE IF NOT EXISTS findings (
  id TEXT PRIMARY KEY, campaign INTEGER NOT NULL, number INTEGER NOT NULL, name TEXT NOT NULL,
  verdict TEXT NOT NULL, signature TEXT NOT NULL, bug TEXT REFERENCES bugs (id),
  run INTEGER NOT NULL DEFAULT 0);
CREATE TABLE IF NOT EXISTS files (
  finding TEXT NOT NULL REFERENCES findings (id), name TEXT NOT NULL, data BLOB NOT NULL,
  PRIMARY KEY (finding, name));
CREATE TABLE IF NOT EXISTS coverage (
  op TEXT NOT NULL, type TEXT NOT NULL, cases INTEGER NOT NULL, PRIMARY KEY (op, type));
CREATE TABLE IF NOT EXISTS samples (
  campaign INTEGER NOT NULL, seconds REAL NOT NULL, cases INTEGER NOT NULL,
  failed INTEGER NOT NULL, inconclusive INTEGER NOT NULL, rss INTEGER NOT NULL);
)";

/// What schema 2 has more.
static constexpr const char *kHistorySchema = R"(
CREATE TABLE IF NOT EXISTS runs (
  id INTEGER PRIMARY KEY, campaign INTEGER NOT NULL, build TEXT NOT NULL, host TEXT NOT NULL,
  started TEXT NOT NULL, ended TEXT NOT NULL, first INTEGER NOT NULL, count INTEGER NOT NULL,
  UNIQUE (campaign, build, host, started));
CREATE TABLE IF NOT EXISTS events (
  bug TEXT NOT NULL, run INTEGER NOT NULL, event TEXT NOT NULL, at TEXT NOT NULL,
  PRIMARY KEY (bug, run, event));
CREATE TABLE IF NOT EXISTS bugfiles (
  bug TEXT NOT NULL REFERENCES bugs (id), name TEXT NOT NULL, data BLOB NOT NULL,
  PRIMARY KEY (bug, name));
CREATE TABLE IF NOT EXISTS perfbuilds (
  build TEXT PRIMARY KEY, host TEXT NOT NULL, at TEXT NOT NULL,
  accepted TEXT NOT NULL DEFAULT '', accepted_at TEXT NOT NULL DEFAULT '');
CREATE TABLE IF NOT EXISTS perf (
  build TEXT NOT NULL, key TEXT NOT NULL, row TEXT NOT NULL, PRIMARY KEY (build, key));
)";

/// What schema 3 has more: the work of a fleet (Ledger.h).
static constexpr const char *kFleetSchema = R"(
CREATE TABLE IF NOT EXISTS plans (
  run INTEGER PRIMARY KEY, settings TEXT NOT NULL, planned INTEGER NOT NULL, role TEXT NOT NULL);
-- state: 0 ready, 1 leased, 2 done.
CREATE TABLE IF NOT EXISTS tasks (
  id INTEGER PRIMARY KEY, run INTEGER NOT NULL, kind TEXT NOT NULL, first INTEGER NOT NULL,
  count INTEGER NOT NULL, subject TEXT NOT NULL, bucket TEXT NOT NULL, state INTEGER NOT NULL,
  worker TEXT NOT NULL, token INTEGER NOT NULL, lease_until REAL NOT NULL,
  attempt INTEGER NOT NULL,
  UNIQUE (run, kind, first, subject));
CREATE INDEX IF NOT EXISTS tasks_open ON tasks (run, kind, first) WHERE state < 2;
-- Cases that tasks are about and that no finding has.
CREATE TABLE IF NOT EXISTS inputs (
  run INTEGER NOT NULL, subject TEXT NOT NULL, name TEXT NOT NULL, data BLOB NOT NULL,
  PRIMARY KEY (run, subject, name));
CREATE TABLE IF NOT EXISTS workers (
  name TEXT PRIMARY KEY, host TEXT NOT NULL, build TEXT NOT NULL, started REAL NOT NULL,
  seen REAL NOT NULL, ended REAL NOT NULL, tasks INTEGER NOT NULL);
)";

/// What schema 4 has more: builds that later ones are held to.
static constexpr const char *kReleaseSchema = R"(
ALTER TABLE perfbuilds ADD COLUMN isrelease INTEGER NOT NULL DEFAULT 0;
)";

/// What schema 5 has more: choice streams that reached something new (Streams.cpp).
static constexpr const char *kStreamSchema = R"(
CREATE TABLE IF NOT EXISTS streams (
  id INTEGER PRIMARY KEY, run INTEGER NOT NULL, hash TEXT NOT NULL, choices BLOB NOT NULL,
  features BLOB NOT NULL,
  UNIQUE (run, hash));
)";

/// From schema 1: what was judged so far is a run of each campaign.
static constexpr const char *kFromVersion1 = R"(
ALTER TABLE cases ADD COLUMN run INTEGER NOT NULL DEFAULT 0;
ALTER TABLE findings ADD COLUMN run INTEGER NOT NULL DEFAULT 0;
ALTER TABLE bugs ADD COLUMN judge TEXT NOT NULL DEFAULT '';
INSERT INTO runs (campaign, build, host, started, ended, first, count)
  SELECT id, 'unknown', '', '', 'unknown', 0, 0 FROM campaigns;
UPDATE cases SET run = (SELECT r.id FROM runs r WHERE r.campaign = cases.campaign);
UPDATE findings SET run = (SELECT r.id FROM runs r WHERE r.campaign = findings.campaign);
INSERT INTO events (bug, run, event, at)
  SELECT bug, min(run), 'born', '' FROM findings WHERE bug IS NOT NULL GROUP BY bug;
)";

/// Makes the tables, or takes those of an older schema to the present one; nothing, where another
/// process was faster.
static llvm::Error makeSchema(const Database &database, const std::string &where) {
  int64_t version = 0;
  llvm::Error error = database.transact([&]() -> llvm::Error {
    if (llvm::Error locked = database.lockSchema())
      return locked;
    version = database.version();
    if (version >= Store::schemaVersion)
      return llvm::Error::success();
    std::string sql;
    if (version == 0)
      sql = kSchema;
    if (version <= 1)
      sql += kHistorySchema;
    if (version == 1)
      sql += kFromVersion1;
    if (version <= 2)
      sql += kFleetSchema;
    if (version <= 3)
      sql += kReleaseSchema;
    sql += kStreamSchema;
    return database.execute(database.define(sql) + database.setVersion(Store::schemaVersion));
  });
  if (!error)
    return error;
  return llvm::joinErrors(
      llvm::createStringError(
          version == 0 ? "cannot make a store in '" + withoutPassword(where) + "'"
                       : llvm::formatv("cannot take '{0}' from schema {1} to {2}",
                                       withoutPassword(where), version, Store::schemaVersion)
                             .str()),
      std::move(error));
}

llvm::Expected<Store> Store::open(const std::string &path, bool create) {
  auto database = Database::open(path, create);
  if (!database)
    return database.takeError();
  int64_t tables = 0, ours = 0;
  {
    Statement names = database->prepare(database->tables());
    for (; names.step(); ++tables)
      ours += llvm::is_contained({"campaigns", "cases", "findings", "bugs"}, names.text(0));
    if (llvm::Error error = names.run())
      return error; // no database at all
  }
  // Behind the names: another process may be making the store at this moment.
  const int64_t version = database->version();
  // Before anything is written: the user may have named a database of another program.
  if (tables != 0 && (version < 1 || version > schemaVersion))
    return llvm::createStringError(
        llvm::formatv("expected a store of schema 1 to {0} in '{1}', found {2}", schemaVersion,
                      withoutPassword(path), version)
            .str());
  if (tables != 0 && ours != 4)
    return llvm::createStringError("expected a store of tilesmith in '" + withoutPassword(path) +
                                   "', found another database");
  if (tables == 0 && !create)
    return llvm::createStringError("expected a store in '" + withoutPassword(path) +
                                   "', found an empty database");
  if (llvm::Error error = database->beginWriting())
    return error;
  if (version != schemaVersion)
    if (llvm::Error error = makeSchema(*database, path))
      return error;
  return Store(std::move(*database), path);
}

llvm::Expected<Store> Store::openToRead(const std::string &path) {
  auto database = Database::open(path, /*create=*/false);
  if (!database)
    return database.takeError();
  if (llvm::Error error =
          database->execute(database->isServer() ? "SET default_transaction_read_only = on"
                                                 : "PRAGMA query_only = 1"))
    return error;
  if (const int64_t version = database->version(); version != schemaVersion)
    return llvm::createStringError(
        llvm::formatv("expected a store of schema {0} in '{1}', found {2}: a command that writes "
                      "takes an older one there",
                      schemaVersion, withoutPassword(path), version)
            .str());
  return Store(std::move(*database), path);
}
