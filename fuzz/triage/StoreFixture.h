//===- StoreFixture.h - tests of stores, on files and on a server -----------------------------===//
//
// The server is one that the test starts, where PostgreSQL is installed; else its tests are skipped.
//
//===------------------------------------------------------------------------------------------===//
#ifndef FUZZ_TRIAGE_STOREFIXTURE_H
#define FUZZ_TRIAGE_STOREFIXTURE_H

#include "fuzz/store/Store.h"
#include "oracles/verdict/Signature.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <fstream>

namespace tilesmith::fuzz {

/// A server for all tests of this process; the reason why there is none.
class Server {
public:
  static Server &get() {
    static Server server;
    return server;
  }
  std::string url, reason;
  int control(const std::string &verb) {
    const char *source = std::getenv("TILESMITH_SOURCE_DIR");
    const std::string said = folder + "/said";
    const int status = std::system((std::string(source ? source : ".") + "/ci/fleet/postgres " +
                                    verb + " " + folder + " >" + said + " 2>&1")
                                       .c_str());
    std::ifstream file(said);
    std::getline(file, status == 0 ? url : reason);
    return status;
  }

private:
  Server() {
    llvm::SmallString<128> path;
    llvm::sys::fs::createUniqueDirectory("tilesmith-server", path);
    folder = path.str().str();
    control("start");
  }
  ~Server() {
    control("stop");
    llvm::sys::fs::remove_directories(folder);
  }
  std::string folder;
};

/// Each test on a file and on a server.
class CampaignStore : public testing::TestWithParam<std::string> {
protected:
  void SetUp() override {
    if (isOnServer() && Server::get().url.empty())
      GTEST_SKIP() << Server::get().reason;
    llvm::SmallString<128> path;
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("tilesmith-store", path));
    directory = path.str().str();
  }
  void TearDown() override { llvm::sys::fs::remove_directories(directory); }
  bool isOnServer() const { return GetParam() == "Postgres"; }

  /// Each store on a server is a schema of its own.
  std::string where(const std::string &name = "a.db") {
    if (!isOnServer())
      return directory + "/" + name;
    std::string schema = (llvm::sys::path::filename(directory) + "-" + name).str();
    auto database = llvm::cantFail(Database::open(Server::get().url, false));
    llvm::cantFail(database.execute("CREATE SCHEMA IF NOT EXISTS \"" + schema + "\""));
    return Server::get().url + "&options=-csearch_path%3D%22" + schema + "%22";
  }
  Store open(const std::string &name = "a.db") { return llvm::cantFail(Store::open(where(name))); }

  std::string directory;
};

inline StoredFinding findingOf(const Store &store, uint64_t index,
                               const oracles::Verdict &verdict) {
  StoredFinding finding;
  finding.id = store.findingId(1, index);
  finding.name = "s1-" + std::to_string(index);
  finding.verdict = verdict.str();
  finding.signature = signatureOf(verdict).str();
  return finding;
}

const oracles::Verdict kWrong =
    oracles::Verdict::disagree("emulator against reference", "buffer 1", "1 of 2 differ");

} // namespace tilesmith::fuzz

#endif // FUZZ_TRIAGE_STOREFIXTURE_H
