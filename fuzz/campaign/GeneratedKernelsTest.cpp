//===- GeneratedKernelsTest.cpp ---------------------------------------------------------------===//
//
// The promise of the generators, confirmed by the reference: no undefined behaviour, nothing left
// open.
//
//===------------------------------------------------------------------------------------------===//
#include "generators/program/ProgramGenerator.h"
#include "oracles/differential/Differential.h"

#include "gtest/gtest.h"

using namespace tilesmith;

TEST(GeneratedKernels, TwoHundredRunOnTheReferenceWithoutUndefinedBehaviour) {
  generators::ProgramGenerator generator;
  auto engines = llvm::cantFail(oracles::createEngines("reference"));
  for (uint64_t i = 0; i < 200; ++i) {
    generators::ChoiceStream stream = generators::streamOfCase(77, i);
    auto testCase = generator.generate(stream, generators::nameOfCase(77, i));
    ASSERT_TRUE(static_cast<bool>(testCase)) << llvm::toString(testCase.takeError());
    auto report = oracles::judgeModule(*testCase, testCase->versions().front(), engines, {});
    EXPECT_TRUE(report.verdict.isAgree()) << testCase->name << ": " << report.verdict.str();
  }
}
