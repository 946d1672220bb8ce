//===- WriteFileTest.cpp - files are written whole or keep what they had ----------------------===//
#include "compiler/support/WriteFile.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

using namespace tilesmith;
namespace fs = std::filesystem;

namespace {

class WriteFile : public testing::Test {
protected:
  void SetUp() override {
    llvm::SmallString<128> path;
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("tilesmith-write", path));
    folder = path.str().str();
  }
  void TearDown() override { fs::remove_all(folder); }

  std::string path(const char *name) const { return folder + "/" + name; }
  std::string read(const char *name) const {
    auto buffer = llvm::MemoryBuffer::getFile(path(name));
    return buffer ? (*buffer)->getBuffer().str() : "missing";
  }
  /// The message, with the folder left out.
  std::string write(const char *name, llvm::StringRef contents) const {
    llvm::Error error = writeFileAtomically(path(name), contents);
    if (!error)
      return "written";
    std::string text = llvm::toString(std::move(error));
    size_t at = text.find(folder);
    return at == std::string::npos ? text : text.erase(at, folder.size() + 1);
  }
  size_t entries() const {
    return static_cast<size_t>(
        std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
  }

  std::string folder;
};

TEST_F(WriteFile, MakesANewFileAndReplacesAnOldOneWithoutLeavingOthers) {
  EXPECT_EQ(write("a", "one"), "written");
  EXPECT_EQ(read("a"), "one");
  EXPECT_EQ(write("a", "second"), "written");
  EXPECT_EQ(read("a"), "second");
  EXPECT_EQ(entries(), 1u);
}

TEST_F(WriteFile, KeepsThePermissionsOfTheFileItReplaces) {
  ASSERT_EQ(write("a", "one"), "written");
  fs::permissions(path("a"), fs::perms::owner_all);
  ASSERT_EQ(write("a", "two"), "written");
  EXPECT_EQ(fs::status(path("a")).permissions(), fs::perms::owner_all);
}

TEST_F(WriteFile, ReplacesWhatALinkPointsTo) {
  ASSERT_EQ(write("a", "one"), "written");
  fs::create_symlink("a", path("link"));
  EXPECT_EQ(write("link", "two"), "written");
  EXPECT_EQ(read("a"), "two");
  EXPECT_TRUE(fs::is_symlink(path("link")));
}

TEST_F(WriteFile, MakesWhatALinkNames) {
  fs::create_directory(path("d"));
  fs::create_symlink("d/second", path("link"));
  fs::create_symlink("a", path("d/second"));
  EXPECT_EQ(write("link", "one"), "written");
  EXPECT_EQ(read("d/a"), "one");
  EXPECT_TRUE(fs::is_symlink(path("link")) && fs::is_symlink(path("d/second")));
  fs::create_symlink("round", path("round"));
  EXPECT_EQ(write("round", "one"), "cannot write 'round': Too many levels of symbolic links");
}

// Root may write anywhere, so that it steps aside.
TEST_F(WriteFile, WritesAnOldFileInAFolderThatTakesNoNewNames) {
  ASSERT_EQ(write("a", "one"), "written");
  fs::permissions(path("a"), fs::perms(0666));
  fs::permissions(folder, fs::perms(0555));
  const uid_t before = geteuid();
  if (before == 0) {
    ASSERT_EQ(seteuid(65534), 0);
  }
  const std::string old = write("a", "two"), fresh = write("b", "two");
  if (before == 0) {
    ASSERT_EQ(seteuid(before), 0);
  }
  fs::permissions(folder, fs::perms(0755));
  EXPECT_EQ(old, "written");
  EXPECT_EQ(read("a"), "two");
  EXPECT_EQ(fresh, "cannot write 'b': Permission denied");
  EXPECT_EQ(entries(), 1u);
}

TEST_F(WriteFile, RefusesAFolderAndAMissingFolder) {
  fs::create_directory(path("d"));
  EXPECT_EQ(llvm::toString(checkOutputFile(path("d"))),
            "cannot write '" + path("d") + "': Is a directory");
  EXPECT_EQ(llvm::toString(checkOutputFile(path("no/x"))),
            "cannot write '" + path("no/x") + "': No such file or directory");
  EXPECT_EQ(write("d", "x"), "cannot write 'd': Is a directory");
  EXPECT_EQ(write("no/x", "x"), "cannot write 'no/x': No such file or directory");
}

// A limit on the size of files stands for a full disk, which also root runs into.
TEST_F(WriteFile, KeepsTheOldBytesWhenTheNewOnesDoNotFit) {
  ASSERT_EQ(write("a", "old"), "written");
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before;
  getrlimit(RLIMIT_FSIZE, &before);
  rlimit small = before;
  small.rlim_cur = 4096;
  setrlimit(RLIMIT_FSIZE, &small);
  std::string replaced = write("a", std::string(10000, 'x')),
              fresh = write("b", std::string(10000, 'x'));
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_EQ(replaced, "cannot write 'a': File too large");
  EXPECT_EQ(fresh, "cannot write 'b': File too large");
  EXPECT_EQ(read("a"), "old");
  EXPECT_EQ(entries(), 1u);
}

TEST_F(WriteFile, TellsOpeningFromWriting) {
  auto stageOf = [](llvm::StringRef path) {
    auto stage = WriteFileError::Stage::Open;
    llvm::handleAllErrors(writeFileAtomically(path, "x"),
                          [&](const WriteFileError &error) { stage = error.getStage(); });
    return stage;
  };
  EXPECT_EQ(stageOf("/dev/full"), WriteFileError::Stage::Write);
  EXPECT_EQ(stageOf(folder), WriteFileError::Stage::Open);
}

TEST_F(WriteFile, NoticesAnOutputThatIsTheInput) {
  ASSERT_EQ(write("a", "one"), "written");
  fs::create_symlink("a", path("link"));
  fs::create_hard_link(path("a"), path("other"));
  for (const char *name : {"a", "link", "other"}) {
    llvm::Error error = checkOutputIsNotInput(path(name), path("a"));
    ASSERT_TRUE(bool(error)) << name;
    EXPECT_EQ(llvm::toString(std::move(error)),
              "expected an output other than the input '" + path("a") + "'");
  }
  EXPECT_FALSE(bool(checkOutputIsNotInput(path("new"), path("a"))));
  EXPECT_FALSE(bool(checkOutputIsNotInput("-", "-")));
  EXPECT_TRUE(bool(checkOutputFile(path("a"), {folder}))) << "a file of an input folder";
  EXPECT_FALSE(bool(checkOutputFile(path("new"), {folder})));
}

} // namespace
