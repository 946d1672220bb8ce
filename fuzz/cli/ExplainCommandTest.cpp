//===- ExplainCommandTest.cpp - rules of the specification on the command line ----------------===//
#include "fuzz/cli/CommandTest.h"

using namespace tilesmith::fuzz;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

namespace {

using Explain = CommandTest;

TEST_F(Explain, ARuleComesWithItsPageAndPlaces) {
  Outcome outcome = run({"explain", "int-divi-by-zero"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.output, StartsWith("[int-divi-by-zero]  reference/semantics/integer.md:"));
  EXPECT_THAT(outcome.output, HasSubstr("a divisor 0 of `divi` or `remi` is undefined"));
  EXPECT_THAT(outcome.output, HasSubstr("implemented:\n    reference/interp/Integer.cpp:"));
  EXPECT_THAT(outcome.output, HasSubstr("    reference/interp/test/ops/divi.txt:1"));
}

TEST_F(Explain, LabelsAreTakenAsMessagesPrintThem) {
  Outcome outcome = run({"explain", "[view-index]", "mma_rank"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.output, HasSubstr("reference/interp/View.cpp:"));
  EXPECT_THAT(outcome.output, HasSubstr("compiler/dialect/CudaTile/test/arithmetic-invalid.mlir:"));
}

TEST_F(Explain, AnUnknownLabelNamesItsNeighbours) {
  Outcome outcome = run({"explain", "view-indices"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.output,
              AllOf(HasSubstr("no rule is called 'view-indices'"), HasSubstr("view-index")));
  EXPECT_EQ(run({"explain"}).code, 2);
}

TEST_F(Explain, LabelsAreListedByPrefix) {
  Outcome outcome = run({"explain", "--list", "bound-"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.output, AllOf(HasSubstr("bound-addf  "), Not(HasSubstr("int-add"))));
  EXPECT_EQ(run({"explain", "--list", "nothing-"}).code, 2);
}

} // namespace
