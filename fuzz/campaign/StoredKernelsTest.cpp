//===- StoredKernelsTest.cpp ------------------------------------------------------------------===//
//
// Kernels near stored ones: the same stream draws the same, each runs on the reference, and what it
// refuses is counted.
//
//===------------------------------------------------------------------------------------------===//
#include "fuzz/campaign/StoredKernels.h"
#include "generators/program/ProgramGenerator.h"
#include "reference/interp/RunCase.h"

#include "gtest/gtest.h"

#include <set>

using namespace tilesmith;

namespace {

TEST(StoredKernels, RunOnTheReference) {
  const char *root = std::getenv("TILESMITH_SOURCE_DIR");
  if (!root)
    GTEST_SKIP() << "needs the source folder in TILESMITH_SOURCE_DIR, as ctest sets it";
  fuzz::StoredKernels kernels({std::string(root) + "/corpus/regressions", "no such folder"});
  ASSERT_GE(kernels.size(), 50u);
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  fuzz::Refusals refusals;
  unsigned drawn = 0;
  std::set<std::string> edits;
  constexpr unsigned kCases = 60;
  for (uint64_t i = 0; i < kCases; ++i) {
    generators::ChoiceStream stream = generators::streamOfCase(71, i), again = stream;
    auto changed = kernels.draw(stream, context, refusals);
    fuzz::Refusals ignored;
    auto same = kernels.draw(again, context, ignored);
    ASSERT_EQ(changed.has_value(), same.has_value());
    if (!changed)
      continue;
    EXPECT_EQ(*changed, *same);
    ++drawn;
    EXPECT_FALSE(changed->edits.empty());
    edits.insert(changed->edits.begin(), changed->edits.end());
    for (const testcase::Buffer &buffer : changed->buffers)
      EXPECT_FALSE(buffer.expect.has_value()) << "what the stored kernel left need not hold";
    auto result = reference::runCase(*changed, changed->versions().front(), context);
    ASSERT_TRUE(static_cast<bool>(result)) << llvm::toString(result.takeError());
    EXPECT_TRUE(result->outcome.completed()) << changed->name;
  }
  unsigned refused = 0;
  for (const auto &[reason, count] : refusals)
    refused += count;
  EXPECT_GE(drawn * 2, kCases);
  EXPECT_GE(edits.size(), 6u);
  EXPECT_GT(refused, 0u) << "changes without care never break a kernel?";
}

// Texts come without arguments; those that are drawn mostly mean something.
TEST(StoredKernels, TextsGetArguments) {
  const char *root = std::getenv("TILESMITH_SOURCE_DIR");
  if (!root)
    GTEST_SKIP() << "needs the source folder in TILESMITH_SOURCE_DIR, as ctest sets it";
  fuzz::StoredKernels kernels({std::string(root) + "/corpus/perf/kinds"});
  ASSERT_GE(kernels.size(), 100u);
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  fuzz::Refusals refusals;
  std::set<std::string> kinds;
  unsigned products = 0;
  for (uint64_t i = 0; i < 40; ++i) {
    generators::ChoiceStream stream = generators::streamOfCase(72, i);
    auto changed = kernels.draw(stream, context, refusals);
    if (!changed)
      continue;
    kinds.insert(changed->name);
    products += !changed->features.empty();
    for (const testcase::Launch &launch : changed->launches)
      for (const testcase::Parameter &parameter : launch.params)
        if (parameter.kind == testcase::Parameter::Kind::Pointer)
          EXPECT_LT(parameter.buffer, changed->buffers.size());
  }
  EXPECT_GE(kinds.size(), 15u);
  EXPECT_GE(products, 15u) << "engines are drawn by what a kernel holds";
}

} // namespace
