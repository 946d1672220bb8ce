//===- Sqlite.cpp - a store that is a file ----------------------------------------------------===//
#include "fuzz/store/Database.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Path.h"

#include <chrono>
#include <sqlite3.h>
#include <thread>
#include <unistd.h>

using namespace tilesmith::fuzz;

namespace {

/// What SQLite said last, and of which file.
std::string problemOf(sqlite3 *database) {
  const char *path = sqlite3_db_filename(database, "main");
  return std::string("cannot use the store '") + (path ? path : "") +
         "': " + sqlite3_errmsg(database);
}

class SqliteCursor : public Cursor {
public:
  SqliteCursor(sqlite3 *database, const char *sql)
      : database(database), status(sqlite3_prepare_v2(database, sql, -1, &statement, nullptr)) {
    note();
  }
  ~SqliteCursor() override { sqlite3_finalize(statement); }

  void bind(int64_t value) override {
    if (status == SQLITE_OK)
      status = sqlite3_bind_int64(statement, next++, value);
    note();
  }
  void bind(double value) override {
    if (status == SQLITE_OK)
      status = sqlite3_bind_double(statement, next++, value);
    note();
  }
  void bind(llvm::StringRef text) override {
    if (status == SQLITE_OK)
      status = sqlite3_bind_text64(statement, next++, text.data() ? text.data() : "", text.size(),
                                   SQLITE_TRANSIENT, SQLITE_UTF8);
    note();
  }
  void bindBlob(llvm::StringRef bytes) override {
    if (status == SQLITE_OK)
      status = sqlite3_bind_blob64(statement, next++, bytes.data() ? bytes.data() : "",
                                   bytes.size(), SQLITE_TRANSIENT);
    note();
  }

  bool step() override {
    if (status != SQLITE_OK && status != SQLITE_ROW)
      return false;
    if (!sqlite3_stmt_readonly(statement) && sqlite3_get_autocommit(database) && readsElsewhere()) {
      status = SQLITE_MISUSE;
      problem = std::string("store: another read is open at '") + sqlite3_sql(statement) + "'";
      return false;
    }
    status = sqlite3_step(statement);
    note();
    return status == SQLITE_ROW;
  }
  int64_t integer(int column) const override { return sqlite3_column_int64(statement, column); }
  double real(int column) const override { return sqlite3_column_double(statement, column); }
  std::string text(int column) const override {
    const void *bytes = sqlite3_column_blob(statement, column);
    auto size = static_cast<size_t>(sqlite3_column_bytes(statement, column));
    return bytes ? std::string(static_cast<const char *>(bytes), size) : std::string();
  }
  std::string error() const override { return problem; }

private:
  /// Whether another statement of the connection has rows left. Outside of a transaction what it saw
  /// may be out of date, and SQLite then, and only then, refuses to write (SQLITE_BUSY_SNAPSHOT).
  bool readsElsewhere() const {
    for (sqlite3_stmt *s = nullptr; (s = sqlite3_next_stmt(database, s));)
      if (s != statement && sqlite3_stmt_busy(s))
        return true;
    return false;
  }

  void note() {
    if (status != SQLITE_OK && status != SQLITE_ROW && status != SQLITE_DONE && problem.empty())
      problem = problemOf(database);
  }

  sqlite3 *database;
  sqlite3_stmt *statement = nullptr;
  int next = 1, status;
  std::string problem;
};

class SqliteConnection : public Connection {
public:
  explicit SqliteConnection(sqlite3 *database) : database(database) {}
  ~SqliteConnection() override { sqlite3_close_v2(database); }

  std::unique_ptr<Cursor> prepare(const char *sql) override {
    return std::make_unique<SqliteCursor>(database, sql);
  }
  llvm::Error execute(const std::string &sql) override {
    if (sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
      return llvm::createStringError(problemOf(database));
    return llvm::Error::success();
  }
  llvm::Error transact(llvm::function_ref<llvm::Error()> inside) override {
    if (isInTransaction)
      return inside();
    if (llvm::Error error = persistently("BEGIN IMMEDIATE"))
      return error;
    isInTransaction = true;
    llvm::Error error = inside();
    isInTransaction = false;
    if (!error)
      error = execute("COMMIT");
    if (error)
      llvm::consumeError(execute("ROLLBACK"));
    return error;
  }
  llvm::Error beginWriting() override {
    return persistently("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;");
  }

  std::string define(llvm::StringRef sql) const override { return sql.str(); }
  int64_t version() override {
    SqliteCursor cursor(database, "PRAGMA user_version");
    return cursor.step() ? cursor.integer(0) : 0;
  }
  std::string setVersion(int64_t version) const override {
    return "PRAGMA user_version = " + std::to_string(version) + ";";
  }
  // Who begins to write locks all.
  llvm::Error lockSchema() override { return llvm::Error::success(); }
  bool isServer() const override { return false; }
  llvm::Error hold(int64_t) override { return llvm::createStringError("store: no server"); }

private:
  /// Where two connections both wait to write, SQLite fails one at once instead of waiting for the
  /// other: asked again, it finds the work done.
  llvm::Error persistently(const char *sql) {
    constexpr int kAttempts = 200;
    for (int attempt = 1;; ++attempt) {
      llvm::Error error = execute(sql);
      if (!error || attempt == kAttempts)
        return error;
      std::string text = llvm::toString(std::move(error));
      if (!llvm::StringRef(text).contains("locked"))
        return llvm::createStringError(text);
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
  }

  sqlite3 *database;
  bool isInTransaction = false;
};

} // namespace

/// Whether this user may read a store, and neither write it nor the files that SQLite has beside it,
/// without which it opens none that somebody else may write. One that is written at this moment is no
/// such file.
static bool mayOnlyRead(const std::string &path) {
  llvm::SmallString<128> folder = llvm::sys::path::parent_path(path);
  if (folder.empty())
    folder = ".";
  return ::access(path.c_str(), R_OK) == 0 && ::access((path + "-wal").c_str(), F_OK) != 0 &&
         (::access(path.c_str(), W_OK) != 0 || ::access(folder.c_str(), W_OK) != 0);
}

/// The address of a file that nobody changes.
static std::string unchanging(const std::string &path) {
  std::string address = "file:";
  for (char c : path)
    if (llvm::isAlnum(c) || llvm::StringRef("/._-").contains(c))
      address += c;
    else
      address += "%" + llvm::utohexstr(static_cast<unsigned char>(c), false, 2);
  return address + "?immutable=1";
}

llvm::Expected<std::unique_ptr<Connection>> tilesmith::fuzz::openSqlite(const std::string &path,
                                                                        bool create) {
  sqlite3 *handle = nullptr;
  const bool asItIs = !create && mayOnlyRead(path);
  int status = sqlite3_open_v2(asItIs ? unchanging(path).c_str() : path.c_str(), &handle,
                               asItIs ? SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
                                      : SQLITE_OPEN_READWRITE | (create ? SQLITE_OPEN_CREATE : 0),
                               nullptr);
  auto result = std::make_unique<SqliteConnection>(handle);
  if (status != SQLITE_OK)
    return llvm::createStringError("cannot open the store '" + path +
                                   "': " + (handle ? sqlite3_errmsg(handle) : "no memory"));
  sqlite3_busy_timeout(handle, 30000);
  return result;
}
