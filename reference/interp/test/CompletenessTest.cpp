//===- CompletenessTest.cpp - every op has an evaluator or a reason ---------------------------===//
#include <gtest/gtest.h>

#include "mlir/IR/MLIRContext.h"

#include "compiler/dialect/CudaTile/IR/CudaTile.h"
#include "reference/interp/Registry.h"
#include "reference/interp/RunCase.h"

using namespace tilesmith;
using namespace tilesmith::reference;

namespace {

TEST(CompletenessTest, EveryRegisteredOpHasAnEvaluatorOrAReason) {
  mlir::MLIRContext context;
  loadReferenceDialects(context);
  unsigned evaluated = 0, reasoned = 0;
  std::string table;
  for (mlir::RegisteredOperationName name : context.getRegisteredOperations()) {
    if (name.getDialectNamespace() != "cuda_tile")
      continue;
    const RegistryEntry *entry = Registry::get().lookup(name.getTypeID());
    ASSERT_TRUE(entry) << name.getStringRef().str() << " is not in the table of evaluators";
    ++(entry->evaluate ? evaluated : reasoned);
    if (!entry->evaluate)
      EXPECT_FALSE(entry->reason.empty()) << name.getStringRef().str();
    table += llvm::formatv("| {0} | {1} | {2} |\n", name.stripDialect(), entry->family,
                           entry->evaluate ? "yes" : entry->reason)
                 .str();
  }
  llvm::outs() << "| op | family | evaluated |\n|---|---|---|\n" << table;
  llvm::outs() << evaluated << " ops evaluated, " << reasoned << " without an evaluator\n";
  llvm::outs().flush();
  EXPECT_GT(evaluated, 90u);
}

} // namespace
