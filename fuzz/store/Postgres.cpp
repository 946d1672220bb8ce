//===- Postgres.cpp - a store on a PostgreSQL server ------------------------------------------===//
//
// libpq. Every query is fetched whole when it first steps. What a session keeps is the lock of one
// campaign: it is gone with the process, however that ends, and taken again with a new connection.
//
// A lost connection is made again with growing pauses. What ran outside of a transaction runs again
// then; inside of one everything fails until the transaction begins anew.
//
//===------------------------------------------------------------------------------------------===//
#include "fuzz/store/Database.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <libpq-fe.h>
#include <optional>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace tilesmith::fuzz;

namespace {

/// Types of parameters, from the server's catalogue.
constexpr Oid kBytes = 17, kInteger = 20, kText = 25, kReal = 701;

struct FreeResult {
  void operator()(PGresult *result) const { PQclear(result); }
};
using Result = std::unique_ptr<PGresult, FreeResult>;

bool isGood(const PGresult *result) {
  const ExecStatusType status = PQresultStatus(result);
  return status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK || status == PGRES_EMPTY_QUERY;
}

struct Parameters {
  std::vector<Oid> types;
  std::vector<std::string> values;
};

class PostgresConnection : public Connection {
public:
  PostgresConnection(std::string url, PGconn *handle) : url(std::move(url)), handle(handle) {}
  ~PostgresConnection() override {
    if (::getpid() == owner) // a forked child shares the socket
      PQfinish(handle);
  }

  std::unique_ptr<Cursor> prepare(const char *sql) override;
  llvm::Error execute(const std::string &sql) override {
    Result result = query([&] { return PQexec(handle, sql.c_str()); });
    return isGood(result.get()) ? llvm::Error::success() : llvm::createStringError(lastError);
  }
  llvm::Error transact(llvm::function_ref<llvm::Error()> inside) override;

  llvm::Error beginWriting() override { return llvm::Error::success(); }
  std::string define(llvm::StringRef sql) const override;
  int64_t version() override;
  std::string setVersion(int64_t version) const override {
    return llvm::formatv("CREATE TABLE IF NOT EXISTS store_version (version BIGINT NOT NULL);"
                         "DELETE FROM store_version; INSERT INTO store_version VALUES ({0});",
                         version);
  }
  llvm::Error lockSchema() override {
    return execute("SELECT pg_advisory_xact_lock(hashtext('tilesmith ' || current_schema()))");
  }
  bool isServer() const override { return true; }
  llvm::Error hold(int64_t number) override;

  /// Runs it until it answers, or the server was away for too long.
  Result query(llvm::function_ref<PGresult *()> ask);
  std::string lastError, lastState; ///< of the last query that failed
  PGconn *get() const { return handle; }

private:
  bool isLost() const { return PQstatus(handle) != CONNECTION_OK; }
  bool reconnect();
  /// Empty: it is ours now.
  std::string tryHold(int64_t number);

  std::string url;
  std::optional<int64_t> held;
  PGconn *handle;
  pid_t owner = ::getpid();
  bool isInTransaction = false;
};

class PostgresCursor : public Cursor {
public:
  PostgresCursor(PostgresConnection &connection, std::string sql)
      : connection(connection), sql(std::move(sql)) {}

  void bind(int64_t value) override { add(kInteger, std::to_string(value)); }
  void bind(double value) override { add(kReal, llvm::formatv("{0:e17}", value)); }
  void bind(llvm::StringRef text) override {
    // The server takes UTF-8 without zeros only.
    std::string clean = llvm::json::fixUTF8(text);
    std::replace(clean.begin(), clean.end(), '\0', ' ');
    add(kText, std::move(clean));
  }
  void bindBlob(llvm::StringRef bytes) override {
    add(kBytes, "\\x" + llvm::toHex(bytes, /*LowerCase=*/true));
  }

  bool step() override;
  int64_t integer(int column) const override {
    return std::strtoll(PQgetvalue(rows.get(), row, column), nullptr, 10);
  }
  double real(int column) const override {
    return std::strtod(PQgetvalue(rows.get(), row, column), nullptr);
  }
  std::string text(int column) const override {
    llvm::StringRef value(PQgetvalue(rows.get(), row, column),
                          static_cast<size_t>(PQgetlength(rows.get(), row, column)));
    if (PQftype(rows.get(), column) == kBytes && value.consume_front("\\x"))
      return llvm::fromHex(value);
    return value.str();
  }
  std::string error() const override { return problem; }

private:
  void add(Oid type, std::string value) {
    parameters.types.push_back(type);
    parameters.values.push_back(std::move(value));
  }

  PostgresConnection &connection;
  std::string sql, problem;
  Parameters parameters;
  Result rows;
  int row = -1;
};

std::string rememberedPassword;

PGconn *connectTo(const std::string &url) {
  char host[64] = {};
  ::gethostname(host, sizeof host - 1);
  const std::string name = llvm::formatv("process {0} on {1}", ::getpid(), host);
  // What the address says comes last and counts.
  const std::pair<const char *, const char *> kSettings[] = {
      {"connect_timeout", "10"},
      {"keepalives_idle", "30"},
      {"tcp_user_timeout", "60000"},
      {"client_encoding", "UTF8"},
      {"fallback_application_name", name.c_str()},
      {"password", rememberedPassword.empty() ? nullptr : rememberedPassword.c_str()},
      {"dbname", url.c_str()},
      {nullptr, nullptr}};
  std::vector<const char *> names, values;
  for (const auto &[key, value] : kSettings) {
    names.push_back(key);
    values.push_back(value);
  }
  PGconn *handle = PQconnectdbParams(names.data(), values.data(), /*expand_dbname=*/1);
  PQsetNoticeProcessor(handle, [](void *, const char *) {}, nullptr);
  return handle;
}

bool PostgresConnection::reconnect() {
  using Clock = std::chrono::steady_clock;
  const Patience &patience = Database::patience();
  const Clock::time_point start = Clock::now();
  auto away = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  bool isTold = false;
  for (double pause = 0.1;; pause = std::min(2 * pause, 2.0)) {
    PQfinish(handle);
    handle = connectTo(url);
    if (!isLost()) {
      lastError = held ? tryHold(*held) : "";
      return lastError.empty();
    }
    lastError = "store: " + llvm::StringRef(PQerrorMessage(handle)).trim().str();
    const double limit = patience.seconds * (patience.hurry && patience.hurry() ? 0.1 : 1);
    if (away() + pause > limit)
      return false;
    if (!isTold && patience.say)
      patience.say(llvm::formatv("the database is away, and waited for up to {0:f0} s: {1}", limit,
                                 lastError));
    isTold = true;
    // Not all workers at the same moments.
    const double part = 0.5 + 0.5 * static_cast<double>(::getpid() % 64) / 64;
    std::this_thread::sleep_for(std::chrono::duration<double>(pause * part));
  }
}

std::string PostgresConnection::tryHold(int64_t number) {
  const std::string keys = llvm::formatv("hashtext('tilesmith ' || current_schema()), {0}", number);
  Result got(PQexec(handle, ("SELECT pg_try_advisory_lock(" + keys + ")").c_str()));
  if (!isGood(got.get()))
    return "store: " + llvm::StringRef(PQerrorMessage(handle)).trim().str();
  if (llvm::StringRef(PQgetvalue(got.get(), 0, 0)) == "t")
    return "";
  Result who(PQexec(handle, llvm::formatv("SELECT application_name FROM pg_stat_activity JOIN "
                                          "pg_locks USING (pid) WHERE locktype = 'advisory' AND "
                                          "granted AND objid = {0} AND application_name <> ''",
                                          number)
                                .str()
                                .c_str()));
  const bool isKnown = isGood(who.get()) && PQntuples(who.get()) > 0;
  return isKnown ? PQgetvalue(who.get(), 0, 0) : "another session";
}

llvm::Error PostgresConnection::hold(int64_t number) {
  if (std::string other = tryHold(number); !other.empty())
    return llvm::createStringError(other);
  held = number;
  return llvm::Error::success();
}

Result PostgresConnection::query(llvm::function_ref<PGresult *()> ask) {
  for (;;) {
    Result result(ask());
    if (isGood(result.get()))
      return result;
    lastError = "store: " + llvm::StringRef(PQerrorMessage(handle)).trim().str();
    const char *state = PQresultErrorField(result.get(), PG_DIAG_SQLSTATE);
    lastState = state ? state : "";
    if (!isLost() || isInTransaction || !reconnect())
      return result;
  }
}

llvm::Error PostgresConnection::transact(llvm::function_ref<llvm::Error()> inside) {
  if (isInTransaction)
    return inside();
  constexpr int kAttempts = 20; // where others are met, or the server goes away
  for (int attempt = 1;; ++attempt) {
    if (llvm::Error error = execute("BEGIN"))
      return error;
    isInTransaction = true;
    lastState.clear();
    llvm::Error error = inside();
    if (!error) {
      Result result = query([&] { return PQexec(handle, "COMMIT"); });
      // A transaction in which something failed ends otherwise.
      if (!isGood(result.get()) || llvm::StringRef(PQcmdStatus(result.get())) != "COMMIT")
        error = llvm::createStringError(lastError);
    }
    isInTransaction = false;
    if (!error)
      return error;
    const bool metOthers = lastState == "40001" || lastState == "40P01";
    const bool wasLost = isLost();
    if (!wasLost)
      PQclear(PQexec(handle, "ROLLBACK"));
    if (attempt == kAttempts || !(wasLost ? reconnect() : metOthers))
      return error;
    llvm::consumeError(std::move(error));
  }
}

/// SQLite's types as the server's; texts compare by bytes, as there.
std::string PostgresConnection::define(llvm::StringRef sql) const {
  std::string result;
  for (;;) {
    const size_t at = sql.find_first_of("IRTBW");
    result += sql.take_front(at).str();
    if (at == llvm::StringRef::npos)
      return result;
    const bool isWord =
        at == 0 ? result.empty() || !llvm::isAlnum(result.back()) : !llvm::isAlnum(sql[at - 1]);
    sql = sql.drop_front(at);
    constexpr std::pair<llvm::StringLiteral, llvm::StringLiteral> kWords[] = {
        {"INTEGER PRIMARY KEY", "BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY"},
        {"INTEGER", "BIGINT"},
        {"REAL", "DOUBLE PRECISION"},
        {"TEXT", "TEXT COLLATE \"C\""},
        {"BLOB", "BYTEA"},
        {"WITHOUT ROWID", ""}};
    bool isReplaced = false;
    for (const auto &[theirs, ours] : kWords)
      if (isWord && !isReplaced && sql.starts_with(theirs) &&
          (sql.size() == theirs.size() || !llvm::isAlnum(sql[theirs.size()]))) {
        result += ours.str();
        sql = sql.drop_front(theirs.size());
        isReplaced = true;
      }
    if (!isReplaced) {
      result += sql.front();
      sql = sql.drop_front();
    }
  }
}

int64_t PostgresConnection::version() {
  // Asking for a table that is not there would end a transaction.
  PostgresCursor known(*this, "SELECT count(*) FROM information_schema.tables WHERE "
                              "table_schema = current_schema() AND table_name = 'store_version'");
  if (!known.step() || known.integer(0) == 0)
    return 0;
  PostgresCursor cursor(*this, "SELECT version FROM store_version");
  return cursor.step() ? cursor.integer(0) : 0;
}

std::unique_ptr<Cursor> PostgresConnection::prepare(const char *sql) {
  std::string text;
  int count = 0;
  for (const char *c = sql; *c; ++c) {
    text += *c == '?' ? '$' : *c;
    if (*c == '?' && !llvm::isDigit(c[1]))
      text += std::to_string(++count);
  }
  return std::make_unique<PostgresCursor>(*this, std::move(text));
}

bool PostgresCursor::step() {
  if (!rows && problem.empty()) {
    std::vector<const char *> values;
    for (const std::string &value : parameters.values)
      values.push_back(value.c_str());
    rows = connection.query([&] {
      return PQexecParams(connection.get(), sql.c_str(), static_cast<int>(values.size()),
                          parameters.types.data(), values.data(), nullptr, nullptr, 0);
    });
    if (!isGood(rows.get())) {
      problem = connection.lastError;
      rows.reset();
    }
  }
  return rows && ++row < PQntuples(rows.get());
}

} // namespace

void tilesmith::fuzz::rememberPassword(const std::string &url) {
  PQconninfoOption *options = PQconninfoParse(url.c_str(), nullptr);
  for (const PQconninfoOption *one = options; one && one->keyword; ++one)
    if (llvm::StringRef(one->keyword) == "password" && one->val)
      rememberedPassword = one->val;
  PQconninfoFree(options);
}

llvm::Expected<std::unique_ptr<Connection>> tilesmith::fuzz::openPostgres(const std::string &url) {
  PGconn *handle = connectTo(url);
  auto result = std::make_unique<PostgresConnection>(url, handle);
  const std::string name = withoutPassword(url);
  if (PQstatus(handle) != CONNECTION_OK)
    return llvm::createStringError("cannot open the store '" + name +
                                   "': " + llvm::StringRef(PQerrorMessage(handle)).trim().str());
  constexpr int kOldest = 100000; // identity columns
  if (const int version = PQserverVersion(handle); version < kOldest)
    return llvm::createStringError(
        llvm::formatv("expected a PostgreSQL server of version 10 or newer at '{0}', found {1}",
                      name, version / 10000)
            .str());
  return result;
}
