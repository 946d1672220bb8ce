//===- ReducerTest.cpp ------------------------------------------------------------------------===//
#include "fuzz/reduce/Reducer.h"

#include "compiler/support/Plants.h"
#include "fuzz/reduce/Kernel.h"
#include "generators/program/TileAAGenerator.h"

#include "mlir/IR/MLIRContext.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace tilesmith;
using namespace tilesmith::fuzz;

namespace {

testcase::TestCase planted(const std::string &id) {
  const char *source = std::getenv("TILESMITH_SOURCE_DIR");
  return llvm::cantFail(
      testcase::loadTestCase(std::string(source ? source : ".") + "/corpus/planted/" + id));
}

ReduceOptions optionsFor(const std::string &plant) {
  ReduceOptions options;
  options.seconds = 240;
  options.prepare = [plant] { llvm::cantFail(activatePlant(plant)); };
  return options;
}

class PlantedBug : public testing::TestWithParam<const char *> {
protected:
  void SetUp() override {
    if (plantRegistry().empty())
      GTEST_SKIP() << "built without planted bugs (preset dist)";
  }
};

TEST_P(PlantedBug, IsReducedToTwelveOperationsAndKeepsItsSignature) {
  testcase::TestCase original = planted(GetParam());
  auto reduced = reduceCase(original, optionsFor(GetParam()));
  ASSERT_TRUE(static_cast<bool>(reduced)) << llvm::toString(reduced.takeError());
  EXPECT_TRUE(reduced->complete);
  EXPECT_LE(reduced->operationsAfter, 12u) << reduced->text;
  EXPECT_EQ(signatureOf(reduced->verdict), reduced->signature);

  // Small, and about this bug: without it the reduced case passes.
  ForkedJudge healthy({60, 0});
  const std::string version = reduced->testCase.versions().front();
  EXPECT_TRUE(healthy.judge(reduced->testCase, version, {}).verdict.isAgree());
  ForkedJudge faulty({60, 0}, optionsFor(GetParam()).prepare);
  EXPECT_TRUE(faulty.judge(reduced->testCase, version, {}).verdict.isDisagree());
}

/// A program of nv_tileaa keeps the steps that show the bug.
TEST(Reducer, AProgramLosesStepsAndKeepsItsSignature) {
  if (plantRegistry().empty())
    GTEST_SKIP() << "built without planted bugs (preset dist)";
  ReduceOptions options = optionsFor("fold-addf-to-nearest");
  options.judge.engines = "reference,emulator";
  ForkedJudge faulty({60, 0}, options.prepare);
  unsigned found = 0;
  for (uint64_t seed = 0; seed < 40 && !found; ++seed) {
    auto stream = generators::ChoiceStream::fromSeed(seed);
    auto [original, trail] = generators::generateTileAA(stream, "program");
    if (trail.size() < 5 || !faulty.judge(original, "13.1", options.judge).verdict.isDisagree())
      continue;
    ++found;
    auto reduced = reduceCase(original, options);
    ASSERT_TRUE(static_cast<bool>(reduced)) << llvm::toString(reduced.takeError());
    EXPECT_LT(reduced->operationsAfter, reduced->operationsBefore);
    EXPECT_TRUE(faulty.judge(reduced->testCase, "13.1", options.judge).verdict.isDisagree());
    // Of the steps one is left: all others are no longer in the text.
    EXPECT_THAT(reduced->text, testing::HasSubstr("rounding_mode<"));
    EXPECT_THAT(reduced->text, testing::Not(testing::HasSubstr("nv_tileaa.scan")));
    EXPECT_TRUE(
        ForkedJudge({60, 0}).judge(reduced->testCase, "13.1", options.judge).verdict.isAgree());
    // Without its choices nothing of it can be left out.
    original.choices.reset();
    auto refused = reduceCase(original, options);
    ASSERT_FALSE(static_cast<bool>(refused));
    EXPECT_THAT(llvm::toString(refused.takeError()), testing::HasSubstr("beside the choices"));
  }
  EXPECT_EQ(found, 1u);
}

INSTANTIATE_TEST_SUITE_P(All, PlantedBug,
                         testing::Values("atomic-by-every-holder", "store-ignores-mask-tail",
                                         "cmpf-unordered-as-ordered"),
                         [](const testing::TestParamInfo<const char *> &info) {
                           std::string name = info.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(Reducer, GivesTheSameCaseEveryTime) {
  if (plantRegistry().empty())
    GTEST_SKIP() << "built without planted bugs (preset dist)";
  testcase::TestCase original = planted("atomic-umax-as-max");
  auto first = reduceCase(original, optionsFor("atomic-umax-as-max"));
  auto second = reduceCase(original, optionsFor("atomic-umax-as-max"));
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->text, second->text);
  EXPECT_EQ(first->testCase, second->testCase);
  EXPECT_EQ(first->candidates, second->candidates);
}

TEST(Reducer, RefusesACaseThatPasses) {
  auto reduced = reduceCase(planted("store-ignores-mask-tail"), {});
  ASSERT_FALSE(static_cast<bool>(reduced));
  EXPECT_THAT(llvm::toString(reduced.takeError()),
              testing::HasSubstr("expected a case that fails, found: agree"));
}

TEST(Reducer, StopsAtItsTimeLimit) {
  if (plantRegistry().empty())
    GTEST_SKIP() << "built without planted bugs (preset dist)";
  ReduceOptions options = optionsFor("atomic-umax-as-max");
  options.seconds = 0.01;
  auto reduced = reduceCase(planted("atomic-umax-as-max"), options);
  ASSERT_TRUE(static_cast<bool>(reduced)) << llvm::toString(reduced.takeError());
  EXPECT_FALSE(reduced->complete);
  EXPECT_TRUE(reduced->verdict.isDisagree()) << "the last good kernel is kept";
}

class KernelEdits : public testing::Test {
protected:
  void SetUp() override {
    context.getOrLoadDialect<cuda_tile::CudaTileDialect>();
    testCase = planted("reduce-skips-lane-step");
    kernel = llvm::cantFail(Kernel::create(testCase, testCase.versions().front(), context));
  }
  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  testcase::TestCase testCase;
  Kernel kernel;
};

TEST_F(KernelEdits, AClonesEditLeavesTheOriginalAlone) {
  std::string before = kernel.text();
  unsigned count = kernel.operationCount();
  Kernel copy = kernel.clone();
  EXPECT_EQ(copy.operationCount(), count);
  ASSERT_TRUE(copy.dropOperations({count - 1}, Substitute::Zero));
  EXPECT_LT(copy.operationCount(), count);
  EXPECT_EQ(kernel.text(), before);
}

TEST_F(KernelEdits, EverySingleDropVerifiesOrIsRefused) {
  unsigned verified = 0, refused = 0;
  for (size_t i = 0; i < kernel.operationCount(); ++i) {
    Kernel copy = kernel.clone();
    if (!copy.dropOperations({i}, Substitute::Zero))
      continue;
    if (auto result = copy.toTestCase()) {
      ++verified;
    } else {
      llvm::consumeError(result.takeError());
      ++refused;
    }
  }
  EXPECT_GT(verified, 5 * refused);
}

TEST_F(KernelEdits, WhatChangesATypeGoesWithItsUsers) {
  // Of the type of a user's result is only what the operation itself is given.
  unsigned gone = 0;
  for (size_t i = 0; i < kernel.operationCount(); ++i)
    for (unsigned choice = 0; choice < 3; ++choice) {
      Kernel copy = kernel.clone();
      mlir::Operation *op = kernel.operations()[i];
      bool changesType = op->getNumResults() == 1 && !op->getOperands().empty() &&
                         !llvm::is_contained(op->getOperandTypes(), op->getResult(0).getType());
      if (!copy.dropThroughUsers(i, choice))
        continue;
      EXPECT_LE(copy.operationCount(), kernel.operationCount());
      auto result = copy.toTestCase();
      ASSERT_TRUE(static_cast<bool>(result)) << llvm::toString(result.takeError());
      gone += changesType && copy.operationCount() + 1 < kernel.operationCount();
    }
  EXPECT_GT(gone, 0u);
}

TEST_F(KernelEdits, UnusedParametersTakeTheirBuffersWithThem) {
  std::vector<size_t> all;
  for (size_t i = 0; i < kernel.operationCount(); ++i)
    all.push_back(i);
  ASSERT_TRUE(kernel.dropOperations(all, Substitute::Zero));
  ASSERT_TRUE(kernel.dropUnused());
  EXPECT_EQ(kernel.operationCount(), 0u);
  EXPECT_TRUE(kernel.testCase.buffers.empty());
  EXPECT_TRUE(kernel.testCase.launches.front().params.empty());
  auto empty = kernel.toTestCase();
  ASSERT_TRUE(static_cast<bool>(empty)) << llvm::toString(empty.takeError());
}

TEST_F(KernelEdits, HalvingAllExtentsNeedsNoOtherEdit) {
  std::vector<int64_t> before = kernel.extents();
  ASSERT_FALSE(before.empty());
  ASSERT_TRUE(kernel.mapExtents([](int64_t e) { return e > 1 ? e / 2 : e; }));
  EXPECT_EQ(kernel.extents().front(), before.front() / 2);
}

// A module that was to be refused and is accepted: its launch says nothing about parameters.
TEST(Kernel, LaunchesThatDoNotFitTheirEntryAreLeftAlone) {
  testcase::TestCase original = planted("shri-signed-as-logical");
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  for (const char *kernel : {"", "no_such_kernel"}) {
    testcase::TestCase odd = original;
    odd.launches.front().params.clear();
    if (*kernel)
      odd.launches.front().kernel = kernel;
    Kernel edited = llvm::cantFail(Kernel::create(odd, odd.versions().front(), context));
    edited.dropUnused();
    EXPECT_TRUE(edited.testCase.launches.front().params.empty());
    EXPECT_GT(edited.operationCount(), 0u);
  }
}

TEST(Reducer, BytesThatDoNotReadStayAsTheyAre) {
  testcase::TestCase original = planted("shri-signed-as-logical");
  for (testcase::Launch &launch : original.launches)
    for (testcase::ModuleFile &file : launch.modules)
      file.bytes.resize(file.bytes.size() / 2);
  auto reduced = reduceCase(original, {});
  ASSERT_FALSE(static_cast<bool>(reduced));
  EXPECT_THAT(llvm::toString(reduced.takeError()), testing::HasSubstr("does not read"));
}

TEST(Reducer, ACaseThatMustBeRefusedIsNotReduced) {
  testcase::TestCase original = planted("shri-signed-as-logical");
  original.expectReject = testcase::ExpectedRejection{"rule", "", "", ""};
  auto reduced = reduceCase(original, {});
  ASSERT_FALSE(static_cast<bool>(reduced));
  EXPECT_THAT(llvm::toString(reduced.takeError()), testing::HasSubstr("must be refused"));
}

} // namespace
