//===- CommandTest.h - a fixture that runs the built tilesmith --------------------------------===//
//
// Each test has a folder of its own, which is removed behind it. Standard output and standard error
// of the command come back as one text.
//
//===------------------------------------------------------------------------------------------===//
#ifndef FUZZ_CLI_COMMANDTEST_H
#define FUZZ_CLI_COMMANDTEST_H

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <optional>
#include <string>
#include <vector>

namespace tilesmith::fuzz {

struct Outcome {
  int code;
  std::string output;
};

/// `path` below the root of the sources.
inline std::string sourceFolder(const std::string &path) {
  const char *source = std::getenv("TILESMITH_SOURCE_DIR");
  return std::string(source ? source : ".") + "/" + path;
}
inline std::string corpusFolder(const std::string &path) {
  return sourceFolder("corpus/" + path);
}

class CommandTest : public testing::Test {
protected:
  void SetUp() override {
    llvm::SmallString<128> path;
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("tilesmith-command", path));
    directory = path.str().str();
  }
  void TearDown() override { llvm::sys::fs::remove_directories(directory); }

  Outcome run(std::vector<std::string> arguments) {
    return runProgram(toolPath("tilesmith"), std::move(arguments));
  }

  Outcome runProgram(const std::string &tool, std::vector<std::string> arguments) {
    std::string log = directory + "/log";
    llvm::sys::fs::remove(log); // else the end of a longer one before would stay
    arguments.insert(arguments.begin(), tool);
    std::vector<llvm::StringRef> refs(arguments.begin(), arguments.end());
    std::optional<llvm::StringRef> redirects[] = {"", log, log};
    int code =
        llvm::sys::ExecuteAndWait(tool, refs, std::nullopt, redirects, /*SecondsToWait=*/300);
    auto buffer = llvm::MemoryBuffer::getFile(log);
    return {code, buffer ? (*buffer)->getBuffer().str() : ""};
  }

  /// The test lies in build/<preset>/tests, the tools in build/<preset>/bin.
  static std::string toolPath(const std::string &name) {
    std::string self =
        llvm::sys::fs::getMainExecutable("tests", reinterpret_cast<void *>(&sourceFolder));
    return llvm::sys::path::parent_path(llvm::sys::path::parent_path(self)).str() + "/bin/" + name;
  }

  std::string directory;
};

} // namespace tilesmith::fuzz

#endif // FUZZ_CLI_COMMANDTEST_H
