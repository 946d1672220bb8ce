//===- Database.cpp - SQLite with errors as values --------------------------------------------===//
#include "fuzz/store/Database.h"

#include <sqlite3.h>

using namespace tilesmith::fuzz;

static llvm::Error errorOf(sqlite3 *database) {
  return llvm::createStringError(std::string("store: ") + sqlite3_errmsg(database));
}

Statement::Statement(sqlite3 *database, const char *sql)
    : database(database), status(sqlite3_prepare_v2(database, sql, -1, &statement, nullptr)) {}

Statement::~Statement() {
  sqlite3_finalize(statement);
}

Statement &Statement::bind(int64_t value) {
  if (status == SQLITE_OK)
    status = sqlite3_bind_int64(statement, next++, value);
  return *this;
}

Statement &Statement::bind(double value) {
  if (status == SQLITE_OK)
    status = sqlite3_bind_double(statement, next++, value);
  return *this;
}

Statement &Statement::bind(llvm::StringRef text) {
  if (status == SQLITE_OK)
    status = sqlite3_bind_text64(statement, next++, text.data() ? text.data() : "", text.size(),
                                 SQLITE_TRANSIENT, SQLITE_UTF8);
  return *this;
}

Statement &Statement::bindBlob(llvm::StringRef bytes) {
  if (status == SQLITE_OK)
    status = sqlite3_bind_blob64(statement, next++, bytes.data() ? bytes.data() : "", bytes.size(),
                                 SQLITE_TRANSIENT);
  return *this;
}

bool Statement::step() {
  if (status != SQLITE_OK && status != SQLITE_ROW)
    return false;
  status = sqlite3_step(statement);
  return status == SQLITE_ROW;
}

int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(statement, column);
}

double Statement::real(int column) const {
  return sqlite3_column_double(statement, column);
}

std::string Statement::text(int column) const {
  const void *bytes = sqlite3_column_blob(statement, column);
  auto size = static_cast<size_t>(sqlite3_column_bytes(statement, column));
  return bytes ? std::string(static_cast<const char *>(bytes), size) : std::string();
}

llvm::Error Statement::run() {
  while (step())
    ;
  return status == SQLITE_DONE ? llvm::Error::success() : errorOf(database);
}

void Database::Close::operator()(sqlite3 *database) const {
  sqlite3_close_v2(database);
}

llvm::Expected<Database> Database::open(const std::string &path, bool create) {
  Database result;
  sqlite3 *handle = nullptr;
  int status = sqlite3_open_v2(path.c_str(), &handle,
                               SQLITE_OPEN_READWRITE | (create ? SQLITE_OPEN_CREATE : 0), nullptr);
  result.handle.reset(handle);
  if (status != SQLITE_OK)
    return llvm::createStringError("cannot open the store '" + path +
                                   "': " + (handle ? sqlite3_errmsg(handle) : "no memory"));
  sqlite3_busy_timeout(handle, 30000);
  return result;
}

llvm::Error Database::execute(const char *sql) const {
  if (sqlite3_exec(handle.get(), sql, nullptr, nullptr, nullptr) != SQLITE_OK)
    return errorOf(handle.get());
  return llvm::Error::success();
}
