//===- Database.h - SQLite and PostgreSQL with errors as values -------------------------------===//
//
// A store is a file (SQLite), or a schema of a PostgreSQL server (`postgresql://…`, or what follows
// libpq's rules behind it). Both get the same statements: parameters are `?` or `?1`, types those of
// SQLite; what has no common form is a function of Database.
//
// Invariants
//  - A connection to a server that is lost is made again (Patience), and the statement runs again,
//    or the whole transaction: whoever writes outside of one must not mind that.
//  - A read that fails for good looks like no rows; failure() says so afterwards.
//  - No message holds a password.
//
//===------------------------------------------------------------------------------------------===//
#ifndef FUZZ_STORE_DATABASE_H
#define FUZZ_STORE_DATABASE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace tilesmith::fuzz {

/// A statement of one kind of database.
class Cursor {
public:
  virtual ~Cursor() = default;
  virtual void bind(int64_t value) = 0;
  virtual void bind(double value) = 0;
  virtual void bind(llvm::StringRef text) = 0;
  virtual void bindBlob(llvm::StringRef bytes) = 0;
  virtual bool step() = 0;
  virtual int64_t integer(int column) const = 0;
  virtual double real(int column) const = 0;
  virtual std::string text(int column) const = 0;
  /// The first error so far; empty: none.
  virtual std::string error() const = 0;
};

/// An open database of one kind.
class Connection {
public:
  virtual ~Connection() = default;
  virtual std::unique_ptr<Cursor> prepare(const char *sql) = 0;
  virtual llvm::Error execute(const std::string &sql) = 0;
  virtual llvm::Error transact(llvm::function_ref<llvm::Error()> inside) = 0;
  virtual llvm::Error beginWriting() = 0;
  virtual std::string define(llvm::StringRef sql) const = 0;
  virtual int64_t version() = 0;
  virtual std::string setVersion(int64_t version) const = 0;
  virtual llvm::Error lockSchema() = 0;
  virtual bool isServer() const = 0;
  virtual llvm::Error hold(int64_t number) = 0;

  std::string failure; ///< of the first read that failed
};

/// One prepared statement; parameters are bound in order, then step() gives rows.
class Statement {
public:
  Statement(Connection &connection, const char *sql)
      : connection(connection), cursor(connection.prepare(sql)) {}
  ~Statement();
  Statement(const Statement &) = delete;
  Statement &operator=(const Statement &) = delete;

  Statement &bind(int64_t value) { return cursor->bind(value), *this; }
  Statement &bind(uint64_t value) { return bind(static_cast<int64_t>(value)); }
  Statement &bind(int value) { return bind(static_cast<int64_t>(value)); }
  Statement &bind(double value) { return cursor->bind(value), *this; }
  Statement &bind(llvm::StringRef text) { return cursor->bind(text), *this; }
  Statement &bindBlob(llvm::StringRef bytes) { return cursor->bindBlob(bytes), *this; }

  /// True while there is a row.
  bool step() { return cursor->step(); }
  int64_t integer(int column) const { return cursor->integer(column); }
  double real(int column) const { return cursor->real(column); }
  std::string text(int column) const { return cursor->text(column); }

  /// Runs to the end; the first error of preparing, binding or stepping.
  llvm::Error run();

private:
  Connection &connection;
  std::unique_ptr<Cursor> cursor;
  bool isAnswered = false; ///< run() has passed on what went wrong
};

/// How long a server may be away.
struct Patience {
  double seconds = 600;
  std::function<bool()> hurry;                  ///< true: a tenth of it is enough
  std::function<void(const std::string &)> say; ///< told once for each time that it is away
};

class Database {
public:
  /// `create` is for files: a server's database exists, and its schema is the store's business.
  static llvm::Expected<Database> open(const std::string &where, bool create);
  static Patience &patience();

  Statement prepare(const char *sql) const { return Statement(*connection, sql); }
  /// Several statements without parameters.
  llvm::Error execute(const std::string &sql) const { return connection->execute(sql); }
  /// All that `inside` writes, or nothing of it. It may run several times. Inside of another one it
  /// is part of that.
  llvm::Error transact(llvm::function_ref<llvm::Error()> inside) const {
    return connection->transact(inside);
  }

  /// Once what is there is known to be a store: before, not a byte may change.
  llvm::Error beginWriting() const { return connection->beginWriting(); }
  /// Definitions of tables, in the words of this kind of database.
  std::string define(llvm::StringRef sql) const { return connection->define(sql); }
  /// Number of the schema; 0: none.
  int64_t version() const { return connection->version(); }
  std::string setVersion(int64_t version) const { return connection->setVersion(version); }
  /// Until the transaction ends nobody else changes the schema.
  llvm::Error lockSchema() const { return connection->lockSchema(); }
  bool isServer() const { return connection->isServer(); }
  /// On a server: keeps the number of something until this process ends. Error: who has it.
  llvm::Error hold(int64_t number) const { return connection->hold(number); }
  /// The database's own clock, as a term in seconds: those of its clients may differ.
  const char *now() const;
  /// Behind a SELECT inside of a statement that changes what it selects: rows that others are about
  /// to change are passed over. A file has one writer at a time.
  const char *skipLocked() const { return isServer() ? " FOR UPDATE SKIP LOCKED" : ""; }
  /// Until the transaction ends nobody else has this number (a file has one writer at a time).
  llvm::Error lockWithin(int64_t number) const;
  /// A query for the names of all tables of the store.
  const char *tables() const;
  const std::string &failure() const { return connection->failure; }

private:
  explicit Database(std::unique_ptr<Connection> connection) : connection(std::move(connection)) {}
  std::unique_ptr<Connection> connection;
};

/// Whether a store of this name is on a server.
bool isServerUrl(llvm::StringRef where);
/// The same name without a password, for messages.
std::string withoutPassword(llvm::StringRef where);
/// Remembers the password that an address holds, for addresses that hold none.
void rememberPassword(const std::string &url);

// What Database::open chooses from.
llvm::Expected<std::unique_ptr<Connection>> openSqlite(const std::string &path, bool create);
llvm::Expected<std::unique_ptr<Connection>> openPostgres(const std::string &url);

} // namespace tilesmith::fuzz

#endif // FUZZ_STORE_DATABASE_H
