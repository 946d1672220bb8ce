//===- ConformFixture.h - a small list, a script for a compiler, and its package --------------===//
#ifndef FUZZ_CLI_CONFORMFIXTURE_H
#define FUZZ_CLI_CONFORMFIXTURE_H

#include "compiler/support/WriteFile.h"
#include "fuzz/cli/CommandTest.h"
#include "fuzz/conform/Contract.h"
#include "fuzz/conform/Package.h"

#include "llvm/ADT/STLExtras.h"

namespace tilesmith::fuzz::conform {

namespace json = llvm::json;

// Reads its first argument; `bad` is refused as it must be, `worse` is accepted, though it must
// not.
inline constexpr const char *kCompiler = R"sh(#!/bin/sh
[ "$1" = --version ] && { echo "Cuda compilation tools, release 13.5, V13.5.0"; exit 0; }
case "$(cat "$1")" in
  bad) echo "error: rule" >&2; exit 3 ;;
  crash) kill -SEGV $$ ;;
  mute) echo "error: failed to compile Tile IR program" >&2; exit 5 ;;
  *) printf '\177ELF' > "$5" ;;
esac
)sh";

class ConformTest : public CommandTest {
protected:
  void SetUp() override {
    CommandTest::SetUp();
    compiler.path = write("compiler", kCompiler);
    llvm::sys::fs::setPermissions(compiler.path, llvm::sys::fs::perms::all_all);
    list = {"compiler", "13.5", 1, {}};
    for (auto [id, bytes] : {std::pair{"accept/one", "good"},
                             {"accept/two", "fine"},
                             {"reject/mma_k/1", "bad"},
                             {"reject/mma_m/1", "worse"},
                             {"robust/odd", "odd"}})
      list.rows.push_back({id, "mma_k", "test", archive.add(bytes)});
    const ContractRow &row =
        *llvm::find_if(contractRows(), [](const ContractRow &r) { return r.name == "version"; });
    std::string source =
        "bc " + archive.add("good") + ", probe " + archive.add("probe") + ": " + row.str();
    list.rows.push_back({"cli/version", row.rule.str(), source, sha256(source)});
    lists = directory + "/lists";
    llvm::sys::fs::create_directories(lists + "/13.5");
    write("lists/13.5/compiler.txt", printList(list));
    llvm::cantFail(archive.save(lists + "/modules.zst"));
    package = pack();
  }

  std::string write(const std::string &name, llvm::StringRef contents) {
    std::string path = directory + "/" + name;
    llvm::cantFail(writeFileAtomically(path, contents));
    return path;
  }

  Package pack() {
    Package made;
    for (const Requirement &row : list.rows) {
      std::string scratch = directory + "/scratch";
      llvm::sys::fs::create_directories(scratch);
      made.outputs[row.id] = llvm::cantFail(runCompiler(row, archive, compiler, scratch));
      llvm::sys::fs::remove_directories(scratch);
    }
    made.statement = json::Object{
        {"who", "a test"},
        {"what", "a script"},
        {"side", "compiler"},
        {"version", "13.5"},
        {"profile", "compiler 13.5"},
        {"list_sha256", sha256(printList(list))},
        {"tool", json::Object{{"sha256", sha256(kCompiler)}}},
        {"options", json::Object{{"seconds", 60}, {"runner", ""}}},
    };
    judge(made);
    return made;
  }

  /// What an honest tool writes for these raw outputs.
  void judge(Package &made) {
    made.results = llvm::cantFail(judgePackage(list, archive, false, made.outputs, made.waivers));
    made.statement["counts"] = countStates(made.results);
  }

  Result &result(llvm::StringRef id) {
    return *llvm::find_if(package.results, [&](const Result &r) { return r.id == id; });
  }

  /// Writes the package and verifies it.
  Verification verify(bool again = false) {
    std::string folder = directory + "/package";
    llvm::sys::fs::remove_directories(folder);
    llvm::cantFail(writePackage(package, folder));
    return verifyFolder(again);
  }
  Verification verifyFolder(bool again = false) {
    VerifyOptions options;
    options.lists = lists;
    options.rerunPercent = 100;
    if (again)
      options.tool = compiler.path;
    return verifyPackage(directory + "/package", options);
  }
  /// Expects that the package is refused for a reason with these words.
  void expectInvalid(const char *reason, bool again = false) {
    expectInvalid(reason, verify(again));
  }
  void expectInvalid(const char *reason, const Verification &got) {
    EXPECT_EQ(got.outcome, Verification::Outcome::Invalid);
    EXPECT_THAT(got.reason, testing::HasSubstr(reason));
  }

  CompilerUnderTest compiler;
  RequirementList list;
  Archive archive;
  std::string lists;
  Package package;
};

} // namespace tilesmith::fuzz::conform

#endif // FUZZ_CLI_CONFORMFIXTURE_H
