//===- EditTools.h - what the families of edits share (private) -------------------------------===//
#ifndef GENERATORS_MUTATE_EDITTOOLS_H
#define GENERATORS_MUTATE_EDITTOOLS_H

#include "generators/mutate/Edits.h"

#include "mlir/IR/Builders.h"

namespace tilesmith::generators {

/// One of the ops of type OpT that `fits`, outside the bodies of reductions; null if there is none.
template <typename OpT, typename FitsT>
OpT drawOp(cuda_tile::ModuleOp module, ChoiceStream &stream, FitsT fits) {
  std::vector<OpT> found;
  module->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    if (llvm::isa<cuda_tile::ReduceOp, cuda_tile::ScanOp>(op))
      return mlir::WalkResult::skip();
    if (auto typed = llvm::dyn_cast<OpT>(op); typed && fits(typed))
      found.push_back(typed);
    return mlir::WalkResult::advance();
  });
  if (found.empty())
    return OpT();
  return found[stream.below(found.size())];
}

/// Any op; null if none fits.
template <typename FitsT>
mlir::Operation *drawAnyOp(cuda_tile::ModuleOp module, ChoiceStream &stream, FitsT fits) {
  std::vector<mlir::Operation *> found;
  module->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    if (llvm::isa<cuda_tile::ReduceOp, cuda_tile::ScanOp>(op))
      return mlir::WalkResult::skip();
    if (fits(op))
      found.push_back(op);
    return mlir::WalkResult::advance();
  });
  return found.empty() ? nullptr : found[stream.below(found.size())];
}

/// The case with up to `count` edits of the registry, verified.
llvm::Expected<testcase::TestCase> applyDrawn(llvm::ArrayRef<Edit> registry,
                                              const testcase::TestCase &testCase,
                                              ChoiceStream &stream, unsigned count,
                                              mlir::MLIRContext &context, llvm::StringRef only);

/// Same result for every execution, no effect, and one tile result that can be selected and cut.
bool isElementwise(mlir::Operation *op);

/// Has no effect and cannot go wrong wherever it is executed.
bool mayRunAnywhere(mlir::Operation *op);

mlir::Value integerConstant(mlir::OpBuilder &builder, mlir::Location loc, cuda_tile::TileType type,
                            int64_t value);

cuda_tile::TileType scalarOf(mlir::Type element);

/// A scalar made a tile of this shape.
mlir::Value spread(mlir::OpBuilder &builder, mlir::Value scalar, llvm::ArrayRef<int64_t> shape);

/// Values of the block that stand in front of `op` and have a type that `fits`.
template <typename FitsT> std::vector<mlir::Value> valuesBefore(mlir::Operation *op, FitsT fits) {
  std::vector<mlir::Value> values;
  for (mlir::Value argument : op->getBlock()->getArguments())
    if (fits(argument.getType()))
      values.push_back(argument);
  for (mlir::Operation &earlier : *op->getBlock()) {
    if (&earlier == op)
      break;
    for (mlir::Value result : earlier.getResults())
      if (fits(result.getType()))
        values.push_back(result);
  }
  return values;
}

} // namespace tilesmith::generators

#endif // GENERATORS_MUTATE_EDITTOOLS_H
