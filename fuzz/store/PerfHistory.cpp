//===- PerfHistory.cpp - what compiled code cost, build by build ------------------------------===//
//
// The store keeps rows as text: what a figure is and when it is worse is the business of
// oracles/performance.
//
//===------------------------------------------------------------------------------------------===//
#include "fuzz/store/Store.h"

using namespace tilesmith;
using namespace tilesmith::fuzz;

llvm::Error Store::addPerf(const PerfBuild &build, const std::string &key, const std::string &row) {
  if (llvm::Error error = database
                              .prepare("INSERT INTO perfbuilds (build, host, at) "
                                       "VALUES (?, ?, ?) ON CONFLICT DO NOTHING")
                              .bind(build.build)
                              .bind(build.host)
                              .bind(build.at)
                              .run())
    return error;
  return database
      .prepare("INSERT INTO perf (build, key, row) VALUES (?, ?, ?) "
               "ON CONFLICT (build, key) DO UPDATE SET row = excluded.row")
      .bind(build.build)
      .bind(key)
      .bind(row)
      .run();
}

std::vector<PerfBuild> Store::perfBuilds() const {
  std::vector<PerfBuild> result;
  Statement statement =
      database.prepare("SELECT build, host, at, accepted, isrelease FROM perfbuilds "
                       "ORDER BY at, build");
  while (statement.step())
    result.push_back({statement.text(0), statement.text(1), statement.text(2), statement.text(3),
                      statement.integer(4) != 0});
  return result;
}

std::vector<std::string> Store::perfRows(const std::string &build) const {
  std::vector<std::string> result;
  Statement statement = database.prepare("SELECT row FROM perf WHERE build = ? ORDER BY key");
  statement.bind(build);
  while (statement.step())
    result.push_back(statement.text(0));
  return result;
}

llvm::Error Store::acceptPerf(const std::string &build, const std::string &reason,
                              llvm::StringRef at) {
  return database.prepare("UPDATE perfbuilds SET accepted = ?, accepted_at = ? WHERE build = ?")
      .bind(reason)
      .bind(at)
      .bind(build)
      .run();
}

llvm::Error Store::markRelease(const std::string &build) {
  return database.prepare("UPDATE perfbuilds SET isrelease = 1 WHERE build = ?").bind(build).run();
}

std::string Store::perfAccepted(const std::string &build) const {
  Statement statement = database.prepare("SELECT accepted FROM perfbuilds WHERE build = ?");
  statement.bind(build);
  return statement.step() ? statement.text(0) : "";
}
