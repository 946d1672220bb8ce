//===- Database.cpp - SQLite and PostgreSQL with errors as values -----------------------------===//
#include "fuzz/store/Database.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tilesmith::fuzz;

Statement::~Statement() {
  if (!isAnswered && connection.failure.empty())
    connection.failure = cursor->error();
}

llvm::Error Statement::run() {
  while (step())
    ;
  isAnswered = true;
  if (std::string text = cursor->error(); !text.empty())
    return llvm::createStringError(text);
  return llvm::Error::success();
}

bool tilesmith::fuzz::isServerUrl(llvm::StringRef where) {
  return where.starts_with("postgresql://") || where.starts_with("postgres://");
}

std::string tilesmith::fuzz::withoutPassword(llvm::StringRef where) {
  if (!isServerUrl(where))
    return where.str();
  std::string result = where.str();
  // USER:PASSWORD@ ends before the first slash behind the scheme.
  const size_t begin = result.find("://") + 3, end = result.find('/', begin);
  const size_t at = result.rfind('@', end);
  if (at != std::string::npos && at > begin)
    if (const size_t colon = result.find(':', begin); colon < at)
      result.erase(colon, at - colon);
  // And so does ?password=PASSWORD&…
  llvm::SmallVector<llvm::StringRef> parts;
  const auto [address, parameters] = llvm::StringRef(result).split('?');
  parameters.split(parts, '&', -1, /*KeepEmpty=*/false);
  llvm::erase_if(parts, [](llvm::StringRef part) {
    return part.starts_with("password=") || part.starts_with("sslpassword=");
  });
  return (address + (parts.empty() ? "" : "?") + llvm::join(parts, "&")).str();
}

Patience &Database::patience() {
  static Patience patience;
  return patience;
}

llvm::Expected<Database> Database::open(const std::string &where, bool create) {
  if (const auto [scheme, rest] = llvm::StringRef(where).split("://");
      !rest.empty() && !isServerUrl(where) && !scheme.contains('/'))
    return llvm::createStringError("expected a store that is a file or postgresql://..., found " +
                                   scheme + "://...");
  auto connection = isServerUrl(where) ? openPostgres(where) : openSqlite(where, create);
  if (!connection)
    return connection.takeError();
  return Database(std::move(*connection));
}

const char *Database::tables() const {
  return isServer() ? "SELECT table_name FROM information_schema.tables WHERE "
                      "table_schema = current_schema() AND table_type = 'BASE TABLE'"
                    : "SELECT name FROM sqlite_master WHERE type = 'table'";
}

const char *Database::now() const {
  return isServer() ? "CAST(extract(epoch FROM clock_timestamp()) AS DOUBLE PRECISION)"
                    : "((julianday('now') - 2440587.5) * 86400.0)";
}

llvm::Error Database::lockWithin(int64_t number) const {
  if (!isServer())
    return llvm::Error::success();
  return execute("SELECT pg_advisory_xact_lock(hashtext('tilesmith task ' || current_schema()), " +
                 std::to_string(number) + ")");
}
