//===- InputFileTest.cpp - what has no end is not read ----------------------------------------===//
#include "compiler/support/InputFile.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

using namespace tilesmith;
namespace fs = std::filesystem;

namespace {

class InputFile : public testing::Test {
protected:
  void SetUp() override {
    llvm::SmallString<128> path;
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("tilesmith-read", path));
    folder = path.str().str();
  }
  void TearDown() override { fs::remove_all(folder); }

  /// The bytes, or the message.
  static std::string read(const std::string &path) {
    auto buffer = readInputFile(path);
    return buffer ? (*buffer)->getBuffer().str() : llvm::toString(buffer.takeError());
  }

  std::string folder;
};

TEST_F(InputFile, ReadsFilesAndWhatHasAnEnd) {
  std::ofstream(folder + "/a") << "bytes";
  EXPECT_EQ(read(folder + "/a"), "bytes");
  EXPECT_EQ(read("/dev/null"), "");
}

TEST_F(InputFile, NamesWhatItCannotRead) {
  EXPECT_EQ(read(folder + "/no"), "cannot read '" + folder + "/no': No such file or directory");
  EXPECT_EQ(read(folder), "cannot read '" + folder + "': Is a directory");
  EXPECT_EQ(read(""), "cannot read '': No such file or directory");
}

// [spec: driver-input-end]
TEST_F(InputFile, RefusesDevicesWithoutAnEnd) {
  for (const char *device : {"/dev/zero", "/dev/full", "/dev/urandom"})
    EXPECT_EQ(read(device),
              "cannot read '" + std::string(device) + "': expected a file, found a device");
  fs::create_symlink("/dev/zero", folder + "/link");
  EXPECT_EQ(read(folder + "/link"),
            "cannot read '" + folder + "/link': expected a file, found a device");
}

TEST_F(InputFile, RefusesFilesLargerThanItsLimit) {
  std::ofstream(folder + "/huge").put('x');
  fs::resize_file(folder + "/huge", kMaxInputBytes + 1);
  EXPECT_EQ(read(folder + "/huge"), "cannot read '" + folder +
                                        "/huge': expected at most 4294967296 bytes, found "
                                        "4294967297");
  EXPECT_FALSE(bool(checkInputFile("-")));
}

} // namespace
