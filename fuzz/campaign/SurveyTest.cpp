//===- SurveyTest.cpp -------------------------------------------------------------------------===//
#include "fuzz/campaign/Survey.h"
#include "fuzz/campaign/Mutation.h"
#include "fuzz/campaign/OpFaults.h"
#include "fuzz/campaign/RewriteTable.h"

#include "compiler/bytecode/BytecodeReader.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/Verifier.h"

#include "llvm/Support/MemoryBuffer.h"

#include "gtest/gtest.h"

#include <cstdlib>
#include <set>

using namespace tilesmith;
using namespace tilesmith::fuzz;

namespace {

TEST(Mutation, VerifiesAndChangesTheModule) {
  generators::ProgramGenerator generator;
  for (uint64_t i = 0; i < 100; ++i) {
    generators::ChoiceStream choices = generators::streamOfCase(31, i);
    testcase::TestCase testCase = llvm::cantFail(generator.generate(choices, "case"));
    const testcase::ModuleFile &file = testCase.launches[0].modules[0];
    mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
    auto module = llvm::cantFail(
        bytecode::readBytecode(llvm::toStringRef(llvm::ArrayRef(file.bytes)), &context));
    std::string before, after;
    llvm::raw_string_ostream(before) << *module;
    generators::ChoiceStream stream = generators::ChoiceStream::fromSeed(i);
    ASSERT_TRUE(mutateOneOp(*module, stream).has_value());
    llvm::raw_string_ostream(after) << *module;
    EXPECT_NE(before, after);
    EXPECT_TRUE(mlir::succeeded(mlir::verify(*module))) << after;
  }
}

// Generated kernels are worth running: what they compute is seen. `tilesmith generate
// --distribution` measures more of them.
TEST(Survey, EightInTenMutationsShow) {
  generators::ProgramGenerator generator;
  Survey survey;
  for (uint64_t i = 0; i < 200; ++i) {
    generators::ChoiceStream stream = generators::streamOfCase(32, i);
    auto testCase = generator.generate(stream, generators::nameOfCase(32, i));
    ASSERT_TRUE(static_cast<bool>(testCase)) << llvm::toString(testCase.takeError());
    auto figures = measureKernel(*testCase);
    ASSERT_TRUE(static_cast<bool>(figures)) << llvm::toString(figures.takeError());
    survey.add(*figures);
  }
  std::string text;
  llvm::raw_string_ostream out(text);
  survey.print(out);
  EXPECT_GE(survey.mutationsThatShow(), 80) << text;
}

/// Adds kernels to a table with floors, and prints it.
template <typename Table> std::string checkFloors(Table &table, uint64_t kernels) {
  generators::ProgramGenerator generator;
  for (uint64_t i = 0; i < kernels; ++i) {
    generators::ChoiceStream stream = generators::streamOfCase(1, i);
    auto testCase = generator.generate(stream, generators::nameOfCase(1, i));
    llvm::Error error = testCase ? table.add(*testCase) : testCase.takeError();
    if (error) {
      ADD_FAILURE() << llvm::toString(std::move(error));
      break;
    }
  }
  std::string text;
  llvm::raw_string_ostream out(text);
  table.print(out);
  EXPECT_EQ(table.problems(), std::vector<std::string>()) << text;
  return text;
}

// A wrong rounding, zero or scale is seen by what kernels leave. `tilesmith generate --faults --seed 1
// --count 1000` prints the table.
TEST(OpFaults, ShowInTheirShareOfTheKernels) {
  FaultTable table;
  checkFloors(table, 1000);
}

// Every pattern and fold of the compiler fires on generated kernels, or says why it cannot. The
// stored table has the same rows; its counts are those of the day when it was printed: `tilesmith
// generate --rewrites --seed 1 --count 2000 > fuzz/campaign/rewrites.txt`.
TEST(RewriteTable, EveryRewriteFiresAsOftenAsItsFloorSays) {
  RewriteTable table;
  const std::string text = checkFloors(table, 2000); // some are rare: more kernels, less chance

  // `PASS/NAME floor N`, or with a reason; figures without a floor come and go.
  auto rowsOf = [](llvm::StringRef lines) {
    std::set<std::string> rows;
    llvm::SmallVector<llvm::StringRef> all;
    lines.split(all, '\n');
    for (llvm::StringRef line : all) {
      auto [name, rest] = line.drop_front(std::min<size_t>(line.size(), 8)).split("  ");
      if (name.contains('/') && !rest.trim().empty())
        rows.insert((name + ": " + rest.trim()).str());
    }
    return rows;
  };
  const char *root = std::getenv("TILESMITH_SOURCE_DIR");
  ASSERT_NE(root, nullptr) << "ctest sets it";
  auto stored = llvm::MemoryBuffer::getFile(std::string(root) + "/fuzz/campaign/rewrites.txt");
  ASSERT_TRUE(static_cast<bool>(stored)) << stored.getError().message();
  EXPECT_GE(rowsOf(text).size(), 40u);
  EXPECT_EQ(rowsOf((*stored)->getBuffer()), rowsOf(text));
}

} // namespace
