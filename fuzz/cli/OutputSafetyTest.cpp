//===- OutputSafetyTest.cpp - no command removes or overwrites what it did not write ----------===//
//
// Every command that writes is pointed at files and folders of a user: it must refuse with exit
// code 2 and one line, or write beside them. A snapshot of all bytes is compared.
//
//===------------------------------------------------------------------------------------------===//
#include "fuzz/cli/CommandTest.h"

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

using namespace tilesmith::fuzz;
using testing::HasSubstr;
namespace fs = std::filesystem;

namespace {

class OutputSafety : public CommandTest {
protected:
  void SetUp() override {
    CommandTest::SetUp();
    fs::copy(corpusFolder("frontends/ew_arith_f32"), in());
    put("user/notes.txt", "mine");
    put("kernel.ll", "define ptx_kernel void @k(ptr addrspace(1) %p) {\n  ret void\n}\n");
    put("times.json", "{\"cpu_ns\": {}}");
    put("text.mlir", "cuda_tile.module @m {\n}\n");
    put("broken.mlir", "cuda_tile.module @m {\n");
  }

  std::string in() const { return directory + "/in"; }
  std::string path(const std::string &name) const { return directory + "/" + name; }
  std::string module() const { return in() + "/ew_arith_f32.v13.3.tileirbc"; }
  void put(const std::string &name, const std::string &contents) const {
    fs::create_directories(fs::path(path(name)).parent_path());
    std::ofstream(path(name)) << contents;
  }
  /// All files below the folder of the test but the log of its commands.
  std::map<std::string, std::string> snapshot() const {
    std::map<std::string, std::string> result;
    for (const auto &entry : fs::recursive_directory_iterator(directory)) {
      std::string name = fs::relative(entry.path(), directory);
      std::stringstream text;
      if (entry.is_regular_file())
        text << std::ifstream(entry.path(), std::ios::binary).rdbuf();
      if (name != "log")
        result[name] = text.str();
    }
    return result;
  }
  /// Expects a refusal in one line that leaves everything as it was.
  void expectRefused(const std::string &tool, const std::vector<std::string> &arguments,
                     const std::string &message) {
    auto before = snapshot();
    Outcome outcome = runProgram(toolPath(tool), arguments);
    EXPECT_EQ(outcome.code, 2) << outcome.output;
    EXPECT_THAT(outcome.output, HasSubstr(message)) << tool << " " << arguments.front();
    EXPECT_EQ(llvm::StringRef(outcome.output).rtrim().count('\n'), 0u) << outcome.output;
    EXPECT_EQ(snapshot(), before) << tool << " " << arguments.front();
  }
};

TEST_F(OutputSafety, FoldersWithForeignFilesAreRefused) {
  const std::string mine = "found 'notes.txt' in it";
  expectRefused("tilesmith", {"reduce", in(), "-o", path("user")}, mine);
  expectRefused("tilesmith", {"bundle", in(), "-o", path("user")}, mine);
  expectRefused("tilesmith", {"run", in(), "-o", path("user")}, mine);
  expectRefused("tilesmith", {"import", module(), "-o", path("user")}, mine);
  expectRefused("tilesmith", {"corpus", in(), "-o", path("user")}, "expected a new folder");
  put("generated/s7-0/notes.txt", "mine");
  expectRefused("tilesmith", {"generate", "--seed=7", "-o", path("generated")}, mine);
  expectRefused("tilesmith", {"generate", "--seed=7", "--invalid", "-o", path("generated")}, mine);
}

TEST_F(OutputSafety, TheInputIsNeverTheOutput) {
  const std::string other = "expected an output other than the input";
  expectRefused("tilesmith", {"reduce", in(), "-o", in()}, "found the input");
  expectRefused("tilesmith", {"reduce", in() + "/case.json", "-o", in()}, "found the input");
  expectRefused("tilesmith", {"bundle", in(), "-o", in()}, "found the input");
  expectRefused("tilesmith", {"run", in(), "-o", in()}, "found the input");
  expectRefused("tilesmith", {"check", in(), "--counters=" + in() + "/case.json"}, other);
  expectRefused("tilesmith", {"perf", in(), "-o", in() + "/case.json"}, other);
  expectRefused("tilesmith", {"perf", in(), "--update", "--baseline=" + in() + "/case.json"},
                other);
  expectRefused("tilesmith",
                {"bench", "--baseline=" + path("times.json"), "-o", path("times.json")}, other);
  expectRefused("tilesmith", {"report", "--bench=" + path("times.json"), "-o", path("times.json")},
                other);
  expectRefused("tilesmith", {"emulate", path("kernel.ll"), "--arg=out:" + path("kernel.ll")},
                other);
  expectRefused("tileiras", {module(), "--gpu-name=sm_90", "--emit=ptx", "-o", module()}, other);
  expectRefused("tile-opt", {path("text.mlir"), "-o", path("text.mlir")}, other);
  expectRefused("tile-translate",
                {"--mlir-to-cudatilebc", path("text.mlir"), "-o", path("text.mlir")}, other);
}

TEST_F(OutputSafety, FoldersAndMissingFoldersAreNoFiles) {
  fs::create_directory(path("d.json"));
  for (const std::string &target : {path("d.json"), path("no/d.json")}) {
    const std::string message = "cannot write '" + target + "'";
    expectRefused("tilesmith", {"perf", in(), "-o", target}, message);
    expectRefused("tilesmith", {"bench", "-o", target}, message);
    expectRefused("tilesmith", {"report", "--bench=" + path("times.json"), "-o", target}, message);
    expectRefused("tilesmith", {"check", in(), "--counters=" + target}, message);
    expectRefused("tilesmith", {"emulate", path("kernel.ll"), "--arg=out:" + target}, message);
    expectRefused("tile-opt", {path("text.mlir"), "-o", target}, message);
    expectRefused("tile-translate", {"--mlir-to-cudatilebc", path("text.mlir"), "-o", target},
                  message);
  }
  expectRefused("tilesmith", {"fuzz", "--count=1", "-o", path("text.mlir")}, "found the file");
}

TEST_F(OutputSafety, PlacesThatAreNoFoldersOfTheirOwnAreRefused) {
  fs::create_directory_symlink("user", path("link"));
  expectRefused("tilesmith", {"reduce", in(), "-o", path("link")}, "found a symbolic link");
  for (const char *target : {".", "..", "/"}) {
    expectRefused("tilesmith", {"reduce", in(), "-o", target}, "found no name of its own");
    expectRefused("tilesmith", {"bundle", in(), "-o", target}, "found no name of its own");
  }
}

TEST_F(OutputSafety, WritingBesideForeignFilesLeavesThem) {
  auto before = snapshot();
  Outcome outcome = run({"generate", "--seed=7", "--count=2", "--text", "-o", path("user")});
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  outcome = run({"generate", "--seed=7", "--count=2", "-o", path("user")});
  EXPECT_EQ(outcome.code, 0) << outcome.output << "what it wrote itself it may replace";
  auto after = snapshot();
  EXPECT_EQ(after.count("user/s7-1/case.json"), 1u);
  EXPECT_EQ(after.count("user/s7-1/kernel.mlir"), 0u);
  for (const auto &[name, contents] : before)
    EXPECT_EQ(after[name], contents) << name;
}

TEST_F(OutputSafety, AFindingWhoseFolderIsTakenDoesNotTakeIt) {
  std::vector<std::string> fuzz = {"fuzz",        "--seed=1",
                                   "--count=100", "--stop-at-first",
                                   "--jobs=1",    "--plant=fma-addend-swapped",
                                   "-o",          path("findings")};
  Outcome outcome = run(fuzz);
  ASSERT_EQ(outcome.code, 1) << outcome.output;
  fs::path taken = fs::directory_iterator(path("findings"))->path();
  std::ofstream(taken / "notes.txt") << "mine";
  auto before = snapshot();
  outcome = run(fuzz);
  EXPECT_EQ(outcome.code, 1) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr("not saved: cannot write folder"));
  EXPECT_EQ(snapshot(), before);
}

TEST_F(OutputSafety, AMergeThatFailsTouchesNothing) {
  put("text.db", "no store, however long this text may be made to be");
  put("all.db-wal", "mine");
  auto before = snapshot();
  Outcome outcome = run({"merge", path("text.db"), "-o", path("all.db")});
  EXPECT_EQ(outcome.code, 2) << outcome.output;
  EXPECT_EQ(snapshot(), before);
}

/// A limit on the size of files stands for a full disk: also root runs into it.
TEST_F(OutputSafety, AFailedWriteLeavesTheOldFile) {
  auto limited = [&](const std::string &tool, const std::string &arguments) {
    auto before = snapshot();
    Outcome outcome =
        runProgram("/bin/sh", {"-c", "ulimit -f 1; exec " + toolPath(tool) + " " + arguments});
    EXPECT_EQ(outcome.code, tool == "tilesmith" ? 2 : 1) << tool << " " << arguments;
    EXPECT_THAT(outcome.output, HasSubstr("File too large")) << tool;
    EXPECT_EQ(snapshot(), before) << tool;
  };
  put("old.ptx", "old");
  put("old.html", "old");
  put("old.mlir", "old");
  limited("tileiras", module() + " --gpu-name=sm_90 --emit=ptx -o " + path("old.ptx"));
  limited("tilesmith", "report --bench=" + path("times.json") + " -o " + path("old.html"));
  limited("tile-translate", "--cudatilebc-to-mlir " + module() + " -o " + path("old.mlir"));
  ASSERT_EQ(run({"generate", "--seed=7", "-o", path("generated")}).code, 0);
  limited("tilesmith", "generate --seed=7 --text -o " + path("generated"));
  limited("tilesmith", "bundle " + in() + " -o " + path("bundle"));
}

TEST_F(OutputSafety, AStoreOnAFullDiskIsNamed) {
  Outcome outcome = runProgram("/bin/sh", {"-c", "ulimit -f 200; exec " + toolPath("tilesmith") +
                                                     " fuzz --seed=1 --count=40 --jobs=1 --db " +
                                                     path("new.db") + " -o " + path("campaign")});
  EXPECT_EQ(outcome.code, 2) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr("error: cannot use the store '"));
  EXPECT_THAT(outcome.output, HasSubstr("new.db': disk I/O error"));
  EXPECT_THAT(outcome.output, Not(HasSubstr("\ncannot use"))) << "each with its prefix";
}

TEST_F(OutputSafety, AFailedRunLeavesTheOldFile) {
  put("old.mlir", "old");
  auto before = snapshot();
  EXPECT_EQ(runProgram(toolPath("tile-opt"), {path("broken.mlir"), "-o", path("old.mlir")}).code,
            1);
  EXPECT_EQ(runProgram(toolPath("tile-translate"),
                       {"--mlir-to-cudatilebc", path("broken.mlir"), "-o", path("old.mlir")})
                .code,
            1);
  EXPECT_EQ(runProgram(toolPath("tile-translate"), {"--help", "-o", path("old.mlir")}).code, 0);
  EXPECT_EQ(snapshot(), before);
}

} // namespace
