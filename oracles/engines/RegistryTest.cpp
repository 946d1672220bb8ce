//===- RegistryTest.cpp - every engine runs a good case and refuses a broken one --------------===//
#include "oracles/engines/Engine.h"

#include "llvm/ADT/STLExtras.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <cstdlib>
#include <set>

using namespace tilesmith;
using namespace tilesmith::oracles;

namespace {

using Status = EngineResult::Status;

testcase::TestCase stored(const char *name) {
  const char *source = std::getenv("TILESMITH_SOURCE_DIR");
  return llvm::cantFail(
      testcase::loadTestCase(std::string(source ? source : ".") + "/corpus/" + name));
}

EngineResult run(const EngineEntry &entry, const testcase::TestCase &testCase) {
  return entry.create()->run({testCase, testCase.versions().front(), {}});
}

class EveryEngine : public testing::TestWithParam<EngineEntry> {};

TEST_P(EveryEngine, RunsACaseOrIsUnavailable) {
  testcase::TestCase testCase = stored("frontends/scalar_mix"); // compared exactly
  EngineResult result = run(GetParam(), testCase);
  if (result.status == Status::Unavailable) {
    EXPECT_FALSE(result.message.empty()) << "an engine says what it lacks";
    return;
  }
  ASSERT_EQ(result.status, Status::Completed) << result.message;
  ASSERT_EQ(result.buffers.size(), testCase.buffers.size());
  for (auto [got, want] : llvm::zip_equal(result.buffers, testCase.buffers))
    EXPECT_EQ(got.bytes, want.expected());
}

TEST_P(EveryEngine, RefusesABrokenModule) {
  EngineResult result = run(GetParam(), stored("oracles/truncated"));
  EXPECT_TRUE(result.status == Status::Rejected || result.status == Status::Unavailable)
      << toString(result.status).str() << ": " << result.message;
}

TEST_P(EveryEngine, IsNamedAsInTheRegistry) {
  EXPECT_EQ(GetParam().create()->name(), GetParam().name);
  EXPECT_FALSE(GetParam().description.empty());
}

INSTANTIATE_TEST_SUITE_P(All, EveryEngine, testing::ValuesIn(engineRegistry()), [](auto &info) {
  std::string name = info.param.name.str();
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(EngineRegistry, NamesAreUnique) {
  std::set<std::string> names;
  for (const EngineEntry &entry : engineRegistry())
    EXPECT_TRUE(names.insert(entry.name.str()).second) << entry.name.str();
}

} // namespace
