//===- GeneratedKernelsTest.cpp ---------------------------------------------------------------===//
//
// The promise of the generators, confirmed by the reference: no undefined behaviour, no data race,
// and hardly a result that the language leaves open.
//
//===------------------------------------------------------------------------------------------===//
#include "generators/program/ProgramGenerator.h"
#include "oracles/differential/Differential.h"
#include "reference/interp/RunCase.h"

#include "mlir/IR/MLIRContext.h"

#include "gtest/gtest.h"

using namespace tilesmith;

namespace {

TEST(GeneratedKernels, RunOnTheReferenceWithoutUndefinedBehaviour) {
  generators::ProgramGenerator generator;
  auto engines = llvm::cantFail(oracles::createEngines("reference"));
  constexpr unsigned kCases = 200;
  unsigned open = 0;
  for (uint64_t i = 0; i < kCases; ++i) {
    generators::ChoiceStream stream = generators::streamOfCase(77, i);
    auto testCase = generator.generate(stream, generators::nameOfCase(77, i));
    ASSERT_TRUE(static_cast<bool>(testCase)) << llvm::toString(testCase.takeError());
    auto report = oracles::judgeModule(*testCase, testCase->versions().front(), engines, {});
    EXPECT_FALSE(report.verdict.isDisagree()) << testCase->name << ": " << report.verdict.str();
    open += report.verdict.isInconclusive();
    EXPECT_EQ(report.verdict.reason.find("undefined"), std::string::npos)
        << testCase->name << ": " << report.verdict.str();
  }
  EXPECT_LE(open * 50, kCases) << "more than two in a hundred are inconclusive";
}

TEST(GeneratedKernels, HaveNoRaces) {
  generators::ProgramGenerator generator;
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  reference::loadReferenceDialects(context);
  reference::RunOptions options;
  options.detectRaces = true;
  for (uint64_t i = 0; i < 100; ++i) {
    generators::ChoiceStream stream = generators::streamOfCase(78, i);
    auto testCase = generator.generate(stream, generators::nameOfCase(78, i));
    ASSERT_TRUE(static_cast<bool>(testCase)) << llvm::toString(testCase.takeError());
    auto result = reference::runCase(*testCase, testCase->versions().front(), context, options);
    ASSERT_TRUE(static_cast<bool>(result)) << llvm::toString(result.takeError());
    // Few hold an assertion that is meant to fail.
    EXPECT_NE(result->outcome.completed(), testCase->traps)
        << testCase->name << ": " << result->outcome.describe();
  }
}

// An assertion that is said to fail is reached by a block, whatever leaves the kernel early.
TEST(GeneratedKernels, TrapWhereTheCaseSaysSo) {
  generators::ProgramGenerator generator;
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  reference::loadReferenceDialects(context);
  generators::GeneratorOptions options;
  options.only = {"early-return", "assert-fails"};
  unsigned trapped = 0, returned = 0;
  for (uint64_t i = 0; i < 400; ++i) {
    generators::ChoiceStream stream = generators::streamOfCase(81, i);
    auto testCase = generator.generate(stream, generators::nameOfCase(81, i), options);
    ASSERT_TRUE(static_cast<bool>(testCase)) << llvm::toString(testCase.takeError());
    if (!testCase->traps)
      continue;
    auto result = reference::runCase(*testCase, testCase->versions().front(), context, {});
    ASSERT_TRUE(static_cast<bool>(result)) << llvm::toString(result.takeError());
    EXPECT_FALSE(result->outcome.completed()) << testCase->name;
    ++trapped;
    returned += llvm::is_contained(testCase->features, "early-return");
  }
  EXPECT_GE(trapped, 40u);
  EXPECT_GE(returned, 20u);
}

/// Whether the bounds leave one number per element; a zero may have either sign.
bool hasPointsOnly(const testcase::Buffer &buffer, const reference::BufferResult &result) {
  if (!result.enclosure)
    return true;
  const testcase::Bytes &low = result.enclosure->low, &high = result.enclosure->high;
  for (size_t i = 0, n = low.size() / testcase::sizeInBytes(buffer.dtype); i < n; ++i) {
    uint64_t from = testcase::readElement(low, buffer.dtype, i),
             to = testcase::readElement(high, buffer.dtype, i);
    if (from != to && testcase::ulpDistance(buffer.dtype, from, to) != 0)
      return false;
  }
  return result.enclosure->vacuousElements == 0;
}

// exact_data: every float that reaches a buffer has one legal value, and the others say nothing.
TEST(GeneratedKernels, OfExactDataHavePointsOnly) {
  generators::ProgramGenerator generator;
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  reference::loadReferenceDialects(context);
  reference::RunOptions options;
  options.domain = reference::Domain::Enclosure;
  unsigned exact = 0, ranges = 0;
  for (uint64_t i = 0; i < 200; ++i) {
    generators::ChoiceStream stream = generators::streamOfCase(79, i);
    auto testCase = generator.generate(stream, generators::nameOfCase(79, i));
    ASSERT_TRUE(static_cast<bool>(testCase)) << llvm::toString(testCase.takeError());
    auto result = reference::runCase(*testCase, testCase->versions().front(), context, options);
    ASSERT_TRUE(static_cast<bool>(result)) << llvm::toString(result.takeError());
    bool points = true;
    for (auto [buffer, left] : llvm::zip(testCase->buffers, result->buffers))
      points &= hasPointsOnly(buffer, left);
    ranges += !points;
    if (testCase->exactData) {
      ++exact;
      EXPECT_TRUE(points) << testCase->name;
    }
  }
  EXPECT_GE(exact, 35u);  // the others compute with approximations or sums of general data
  EXPECT_GE(ranges, 60u); // or the comparison says nothing
}

} // namespace
