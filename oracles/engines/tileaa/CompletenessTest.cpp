//===- CompletenessTest.cpp - every op has an evaluator or a reason ---------------------------===//
#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "oracles/engines/tileaa/Machine.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

#include "gtest/gtest.h"

#include <set>

using namespace tilesmith;
using namespace tilesmith::oracles::tileaa_engine;

namespace {

std::set<std::string> registeredOps(mlir::MLIRContext &context) {
  context.loadDialect<tileaa::TileAADialect, mlir::arith::ArithDialect, mlir::math::MathDialect,
                      mlir::scf::SCFDialect, mlir::ub::UBDialect>();
  std::set<std::string> names;
  for (mlir::RegisteredOperationName name : context.getRegisteredOperations())
    if (llvm::is_contained({"nv_tileaa", "arith", "math", "scf", "ub"}, name.getDialectNamespace()))
      names.insert(name.getStringRef().str());
  return names;
}

TEST(TileAACompleteness, EveryRegisteredOpHasAnEvaluatorOrAReason) {
  mlir::MLIRContext context;
  unsigned evaluated = 0, reasoned = 0;
  for (const std::string &name : registeredOps(context)) {
    const OpEntry *entry = OpTable::get().lookup(name);
    if (!entry) {
      ADD_FAILURE() << name << " has neither an evaluator nor a reason";
      continue;
    }
    evaluated += entry->evaluate != nullptr;
    if (!entry->evaluate) {
      ++reasoned;
      EXPECT_FALSE(entry->reason.empty()) << name;
      std::fprintf(stderr, "%-40s %s\n", name.c_str(), entry->reason.str().c_str());
    }
  }
  std::fprintf(stderr, "%u ops with an evaluator, %u without\n", evaluated, reasoned);
}

TEST(TileAACompleteness, TheTableNamesOnlyOpsThatExist) {
  mlir::MLIRContext context;
  std::set<std::string> names = registeredOps(context);
  for (const auto &entry : OpTable::get().all())
    if (!entry.getKey().starts_with("func."))
      EXPECT_TRUE(names.count(entry.getKey().str())) << entry.getKey().str();
}

} // namespace
