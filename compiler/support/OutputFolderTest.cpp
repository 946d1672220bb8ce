//===- OutputFolderTest.cpp - a folder replaces only what tilesmith wrote ---------------------===//
#include "compiler/support/OutputFolder.h"

#include "compiler/support/ScratchFolder.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <sstream>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <thread>

using namespace tilesmith;
using testing::HasSubstr;
namespace fs = std::filesystem;

namespace {

/// Every file below a folder with its bytes; links and empty folders by what they are.
using Snapshot = std::map<std::string, std::string>;

class OutputFolders : public testing::Test {
protected:
  void SetUp() override {
    llvm::SmallString<128> path;
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("tilesmith-output", path));
    root = path.str().str();
  }
  void TearDown() override { fs::remove_all(root); }

  std::string path(const std::string &name) const { return root + "/" + name; }
  void put(const std::string &name, const std::string &contents) const {
    fs::create_directories(fs::path(path(name)).parent_path());
    std::ofstream(path(name)) << contents;
  }
  Snapshot snapshot() const {
    Snapshot result;
    for (const auto &entry : fs::recursive_directory_iterator(root)) {
      std::string name = fs::relative(entry.path(), root);
      if (entry.is_symlink()) {
        result[name] = "link to " + fs::read_symlink(entry.path()).string();
      } else if (entry.is_directory()) {
        result[name] = "folder";
      } else {
        std::stringstream text;
        text << std::ifstream(entry.path()).rdbuf();
        result[name] = text.str();
      }
    }
    return result;
  }
  /// Writes a folder with one file; "written" or the message.
  std::string write(const std::string &target, const std::string &contents = "one") const {
    auto folder = OutputFolder::create(target);
    if (!folder)
      return llvm::toString(folder.takeError());
    if (llvm::Error error = folder->write("a", contents))
      return llvm::toString(std::move(error));
    if (llvm::Error error = folder->keep({"later"}))
      return llvm::toString(std::move(error));
    return "written";
  }
  /// Expects a refusal that touches nothing.
  void expectRefused(const std::string &target, const std::string &found) const {
    Snapshot before = snapshot();
    EXPECT_THAT(write(target), HasSubstr("expected a new or empty folder or one that tilesmith "
                                         "wrote, found " +
                                         found));
    EXPECT_EQ(snapshot(), before) << target;
  }

  std::string root;
};

TEST_F(OutputFolders, MakesANewFolderWithTheFoldersAroundItAndFillsAnEmptyOne) {
  fs::create_directory(path("empty"));
  for (const char *name : {"x/y/new", "empty", "slash///"})
    EXPECT_EQ(write(path(name)), "written");
  Snapshot after = snapshot();
  EXPECT_EQ(after["x/y/new/a"], "one");
  EXPECT_EQ(after["empty/a"], "one");
  EXPECT_EQ(after["slash/a"], "one");
  EXPECT_EQ(after.size(), 5u + 3 * 2) << "something else was left";
}

TEST_F(OutputFolders, ReplacesWhatItWroteWithTheSameBytesForTheSameContents) {
  ASSERT_EQ(write(path("d")), "written");
  Snapshot first = snapshot();
  put("d/later", "results");
  ASSERT_EQ(write(path("d"), "two"), "written");
  EXPECT_EQ(snapshot()["d/a"], "two");
  EXPECT_EQ(snapshot().count("d/later"), 0u);
  ASSERT_EQ(write(path("d")), "written");
  EXPECT_EQ(snapshot(), first);
}

TEST_F(OutputFolders, RefusesFoldersWithAnythingOfTheUsers) {
  put("user/notes.txt", "mine");
  expectRefused(path("user"), "'notes.txt' in it");
  put("hidden/.notes", "mine");
  expectRefused(path("hidden"), "'.notes' in it");
  ASSERT_EQ(write(path("added")), "written");
  put("added/notes.txt", "mine");
  expectRefused(path("added"), "'notes.txt' in it, which tilesmith did not write");
  ASSERT_EQ(write(path("folder")), "written");
  fs::create_directory(path("folder/sub"));
  expectRefused(path("folder"), "'sub' in it, which tilesmith did not write");
  ASSERT_EQ(write(path("edited")), "written");
  put("edited/a", "edited");
  expectRefused(path("edited"), "'a' in it changed since tilesmith wrote it");
  put("marked/.tilesmith", "somebody else's file of this name\n");
  put("marked/a", "mine");
  expectRefused(path("marked"), "'a' in it");
}

TEST_F(OutputFolders, RefusesPlacesThatAreNoFoldersOfTheirOwn) {
  put("file", "mine");
  expectRefused(path("file"), "a file");
  ASSERT_EQ(write(path("real")), "written");
  fs::create_directory_symlink("real", path("link"));
  fs::create_directory_symlink("nowhere", path("dangling"));
  expectRefused(path("link"), "a symbolic link");
  expectRefused(path("link/"), "a symbolic link");
  expectRefused(path("dangling"), "a symbolic link");
  for (const char *name : {".", "..", "/", "real/.", "real/.."})
    expectRefused(name[0] == 'r' ? path(name) : name, "no name of its own");
  const fs::path before = fs::current_path();
  fs::current_path(path("real"));
  expectRefused(path("real"), "the current folder or one around it");
  fs::current_path(before);
  llvm::Error error = OutputFolder::check(path("real"), {path("real")});
  EXPECT_THAT(llvm::toString(std::move(error)), HasSubstr("found the input"));
}

TEST_F(OutputFolders, LeavesNothingOfAFolderThatIsNotKept) {
  ASSERT_EQ(write(path("d")), "written");
  Snapshot before = snapshot();
  {
    auto folder = llvm::cantFail(OutputFolder::create(path("d")));
    llvm::cantFail(folder.write("b", "half"));
  }
  EXPECT_EQ(snapshot(), before);
  auto folder = llvm::cantFail(OutputFolder::create(path("d")));
  llvm::cantFail(folder.write("b", "half"));
  removeUnfinishedFolders();
  EXPECT_EQ(snapshot(), before);
}

/// What the handler of `AHandlerRemovesFoldersWhateverItInterrupts` removes.
static const ScratchFolder *interruptedScratch = nullptr;

TEST_F(OutputFolders, AHandlerRemovesFoldersWhateverItInterrupts) {
  for (int round = 0; round < 20; ++round) {
    pid_t child = ::fork();
    if (child == 0) {
      ::alarm(60); // ends a handler that waits for what it interrupted
      ::setenv("TMPDIR", path("").c_str(), 1);
      ScratchFolder scratch;
      interruptedScratch = &scratch;
      auto folder = llvm::cantFail(OutputFolder::create(path("d")));
      llvm::cantFail(folder.write("b", "half"));
      std::thread([] { ::pause(); }).detach(); // without threads there are no locks
      std::signal(SIGVTALRM, [](int) {
        removeUnfinishedFolders();
        interruptedScratch->removeInHandler();
        ::_exit(7);
      });
      itimerval soon = {{0, 0}, {0, 2000}};
      ::setitimer(ITIMER_VIRTUAL, &soon, nullptr);
      for (size_t size = 2000;;
           size = 2000 + size % 30000) { // beyond what a thread keeps for itself
        void *volatile memory[2] = {std::malloc(size), std::malloc(size + 5000)};
        std::free(memory[0]);
        std::free(memory[1]);
      }
    }
    int status = -1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 7) << status;
    EXPECT_EQ(snapshot(), Snapshot());
  }
}

TEST_F(OutputFolders, KeepsTheOldContentsWhenTheNewOnesDoNotFit) {
  ASSERT_EQ(write(path("d")), "written");
  Snapshot before = snapshot();
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit limit;
  getrlimit(RLIMIT_FSIZE, &limit);
  rlimit small = limit;
  small.rlim_cur = 4096;
  setrlimit(RLIMIT_FSIZE, &small);
  std::string message = write(path("d"), std::string(10000, 'x'));
  setrlimit(RLIMIT_FSIZE, &limit);
  EXPECT_THAT(message, HasSubstr("File too large"));
  EXPECT_EQ(snapshot(), before);
}

TEST_F(OutputFolders, NoticesWhatIsAddedWhileItWrites) {
  ASSERT_EQ(write(path("d")), "written");
  auto folder = llvm::cantFail(OutputFolder::create(path("d")));
  llvm::cantFail(folder.write("a", "two"));
  put("d/notes.txt", "mine");
  EXPECT_THAT(llvm::toString(folder.keep()), HasSubstr("found 'notes.txt' in it"));
  EXPECT_EQ(snapshot()["d/a"], "one");
  EXPECT_EQ(snapshot()["d/notes.txt"], "mine");
}

} // namespace
