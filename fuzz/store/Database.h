//===- Database.h - SQLite with errors as values ----------------------------------------------===//
#ifndef FUZZ_STORE_DATABASE_H
#define FUZZ_STORE_DATABASE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <memory>
#include <string>

struct sqlite3;
struct sqlite3_stmt;

namespace tilesmith::fuzz {

/// One prepared statement; parameters are bound in order, then step() gives rows.
class Statement {
public:
  Statement(sqlite3 *database, const char *sql);
  ~Statement();
  Statement(const Statement &) = delete;
  Statement &operator=(const Statement &) = delete;

  Statement &bind(int64_t value);
  Statement &bind(uint64_t value) { return bind(static_cast<int64_t>(value)); }
  Statement &bind(int value) { return bind(static_cast<int64_t>(value)); }
  Statement &bind(double value);
  Statement &bind(llvm::StringRef text);
  Statement &bindBlob(llvm::StringRef bytes);

  /// True while there is a row.
  bool step();
  int64_t integer(int column) const;
  double real(int column) const;
  std::string text(int column) const;

  /// Runs to the end; the first error of preparing, binding or stepping.
  llvm::Error run();

private:
  sqlite3 *database;
  sqlite3_stmt *statement = nullptr;
  int next = 1, status;
};

class Database {
public:
  static llvm::Expected<Database> open(const std::string &path, bool create);
  Statement prepare(const char *sql) const { return Statement(handle.get(), sql); }
  /// Several statements without parameters.
  llvm::Error execute(const char *sql) const;

private:
  struct Close {
    void operator()(sqlite3 *database) const;
  };
  std::unique_ptr<sqlite3, Close> handle;
};

} // namespace tilesmith::fuzz

#endif // FUZZ_STORE_DATABASE_H
