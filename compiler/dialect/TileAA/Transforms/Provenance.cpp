//===- Provenance.cpp - addresses followed to their objects -----------------------------------===//
#include "compiler/dialect/TileAA/Transforms/Provenance.h"

#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/support/Plants.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tilesmith::tileaa {

//===------------------------------------------------------------------------------------------===//
// Values carried by structured control flow
//===------------------------------------------------------------------------------------------===//

static SmallVector<Value> sourcesOfArgument(BlockArgument argument) {
  Operation *parent = argument.getOwner()->getParentOp();
  unsigned index = argument.getArgNumber();
  if (auto loop = llvm::dyn_cast<scf::ForOp>(parent)) {
    if (index == 0)
      return {};
    return {loop.getInitArgs()[index - 1], loop.getBody()->getTerminator()->getOperand(index - 1)};
  }
  if (auto loop = llvm::dyn_cast<scf::WhileOp>(parent)) {
    if (argument.getOwner()->getParent() == &loop.getBefore())
      return TILESMITH_PLANT("alias-while-keeps-its-start")
                 ? SmallVector<Value>{loop.getInits()[index]}
                 : SmallVector<Value>{loop.getInits()[index],
                                      loop.getYieldOp().getResults()[index]};
    return {loop.getConditionOp().getArgs()[index]};
  }
  return {};
}

/// Values that may be this value: init and yields of a loop-carried argument or result, yields of
/// an if; empty when the value is defined by an op that computes it.
static SmallVector<Value> getCarriedSources(Value value) {
  if (auto argument = llvm::dyn_cast<BlockArgument>(value))
    return sourcesOfArgument(argument);
  auto result = llvm::cast<OpResult>(value);
  unsigned index = result.getResultNumber();
  Operation *op = result.getOwner();
  if (auto branch = llvm::dyn_cast<scf::IfOp>(op))
    return {branch.thenYield()->getOperand(index), branch.elseYield()->getOperand(index)};
  if (auto loop = llvm::dyn_cast<scf::ForOp>(op)) {
    if (TILESMITH_PLANT("alias-loop-keeps-its-start"))
      return {loop.getInitArgs()[index]};
    return {loop.getInitArgs()[index], loop.getBody()->getTerminator()->getOperand(index)};
  }
  if (auto loop = llvm::dyn_cast<scf::WhileOp>(op))
    return {loop.getConditionOp().getArgs()[index]};
  if (auto select = llvm::dyn_cast<arith::SelectOp>(op)) {
    if (TILESMITH_PLANT("alias-select-follows-true"))
      return {select.getTrueValue()};
    return {select.getTrueValue(), select.getFalseValue()};
  }
  return {};
}

//===------------------------------------------------------------------------------------------===//
// Provenance
//===------------------------------------------------------------------------------------------===//

/// Operands that carry the address through shape ops and assumptions.
static SmallVector<Value> addressOperands(Operation *op) {
  if (auto alias = llvm::dyn_cast<AliasOpInterface>(op))
    return alias.getProvenance();
  if (llvm::isa<AssumeOp, SplatOp, BroadcastOp, ExpandDimsOp, ViewOp, PermuteOp, ExtractOp,
                ExtractSliceOp>(op))
    return {op->getOperand(0)};
  if (auto cat = llvm::dyn_cast<CatOp>(op))
    return {cat.getLhs(), cat.getRhs()};
  return {};
}

const Provenance &ProvenanceAnalysis::getProvenance(Value address) {
  if (auto it = provenance.find(address); it != provenance.end())
    return it->second;
  Provenance found;
  llvm::SmallSetVector<Value, 16> work;
  work.insert(address);
  for (size_t i = 0; i < work.size(); ++i) {
    Value value = work[i];
    SmallVector<Value> sources = getCarriedSources(value);
    Operation *op = value.getDefiningOp();
    if (sources.empty() && op && !llvm::isa<IntToPtrOp, AllocaOp, GetGlobalOp>(op))
      sources = addressOperands(op);
    work.insert(sources.begin(), sources.end());
    if (!sources.empty())
      continue;
    bool isRoot = !op ? value.getParentRegion()->getParentOp() == function
                      : llvm::isa<AllocaOp, GetGlobalOp>(op);
    if (isRoot)
      found.roots.insert(value);
    else
      found.unknown = true;
  }
  return provenance[address] = std::move(found);
}

} // namespace tilesmith::tileaa
