//===- ExternalEngineTest.cpp - compilers that leave something else than the code asked for ---===//
//
// Whether a compiler may refuse a module is no question of results. One that takes it and leaves
// nothing, no code, or code of another kernel or target is wrong.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/engines/Engine.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include "gmock/gmock.h"

#include <cstdlib>

using namespace tilesmith;
using namespace tilesmith::oracles;
using testing::HasSubstr;

namespace {

using Status = EngineResult::Status;

std::string corpus(const std::string &name) {
  const char *source = std::getenv("TILESMITH_SOURCE_DIR");
  return std::string(source ? source : ".") + "/corpus/" + name;
}

class ExternalEngine : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("external-engine", folder));
  }
  void TearDown() override { llvm::sys::fs::remove_directories(folder); }

  /// What the engine says of a compiler whose script is `commands`, with $out for the cubin.
  EngineResult run(const std::string &commands, const std::string &gpuName = "sm_80") {
    const std::string compiler = (folder + "/compiler").str();
    {
      std::error_code error;
      llvm::raw_fd_ostream script(compiler, error);
      script << "#!/bin/sh\nwhile [ $# -gt 0 ]; do [ \"$1\" = -o ] && out=$2; shift; done\n"
             << commands << '\n';
    }
    EXPECT_FALSE(llvm::sys::fs::setPermissions(compiler, llvm::sys::fs::all_all));
    const testcase::TestCase testCase =
        llvm::cantFail(testcase::loadTestCase(corpus("frontends/scalar_mix")));
    EngineOptions options;
    options.program = compiler;
    options.compile.gpuName = gpuName;
    for (const EngineEntry &entry : engineRegistry())
      if (entry.name == "external")
        return entry.create()->run({testCase, testCase.versions().front(), options});
    return {};
  }

  llvm::SmallString<128> folder;
};

TEST_F(ExternalEngine, MayRefuse) {
  const EngineResult result = run("echo no such type >&2; exit 1");
  EXPECT_EQ(result.status, Status::Unsupported);
  EXPECT_THAT(result.message, HasSubstr("refuses the module: no such type"));
}

TEST_F(ExternalEngine, MustLeaveACubinWhereItSaysThatAllIsWell) {
  EngineResult result = run("exit 0");
  EXPECT_EQ(result.status, Status::Failed);
  EXPECT_THAT(result.message, HasSubstr("left no cubin"));
  result = run(": > $out");
  EXPECT_EQ(result.status, Status::Failed);
  EXPECT_THAT(result.message, HasSubstr("found 0 other bytes"));
}

TEST_F(ExternalEngine, MustLeaveTheKernelForTheTarget) {
  const std::string copy = "cp " + corpus("sass/snippets.sm_80.O3.cubin") + " $out";
  EngineResult result = run(copy, "sm_80");
  EXPECT_EQ(result.status, Status::Failed);
  EXPECT_THAT(result.message, HasSubstr("expected a kernel of the cubin"));
  result = run(copy, "sm_90");
  EXPECT_EQ(result.status, Status::Failed);
  EXPECT_EQ(result.message, "expected code for sm_90, found sm_80");
}

} // namespace
