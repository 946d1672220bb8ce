//===- TokenGraph.cpp - provenance and token reachability -------------------------------------===//
#include "compiler/dialect/TileAA/Transforms/TokenGraph.h"

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
      return {loop.getInits()[index], loop.getYieldOp().getResults()[index]};
    return {loop.getConditionOp().getArgs()[index]};
  }
  return {};
}

SmallVector<Value> getCarriedSources(Value value) {
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
  if (auto select = llvm::dyn_cast<arith::SelectOp>(op))
    return {select.getTrueValue(), select.getFalseValue()};
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

const Provenance &TokenGraph::getProvenance(Value address) {
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

static unsigned aliasScope(Value address) {
  Type type = address.getType();
  if (auto view = llvm::dyn_cast<TiledViewType>(type))
    type = view.getMemref();
  auto memref = llvm::dyn_cast<MemRefType>(type);
  return memref ? memref.getAliasScope() : 0;
}

/// Memory of this program alone; an address that went through memory or an integer counts as
/// unknown anyway.
static bool isFresh(Value root) {
  return root.getDefiningOp<AllocaOp>() != nullptr;
}

/// Addresses of two different globals.
static bool areTwoGlobals(Value a, Value b) {
  auto first = a.getDefiningOp<GetGlobalOp>(), second = b.getDefiningOp<GetGlobalOp>();
  return first && second && first.getName() != second.getName();
}

/// Of two different roots: whether they never point to the same memory. Arguments may.
static bool areDistinct(Value a, Value b) {
  if (TILESMITH_PLANT("alias-arguments-are-distinct") && isa<BlockArgument>(a) &&
      isa<BlockArgument>(b))
    return true;
  return isFresh(a) || isFresh(b) || areTwoGlobals(a, b);
}

bool TokenGraph::mayAlias(Operation *a, Operation *b) {
  auto first = llvm::dyn_cast<MemoryOpInterface>(a), second = llvm::dyn_cast<MemoryOpInterface>(b);
  if (!first || !second)
    return true;
  Value x = first.getAccessedObject(), y = second.getAccessedObject();
  if (unsigned scope = aliasScope(x); scope && aliasScope(y) && scope != aliasScope(y))
    return false;
  // Copies: computing the second answer may move the first in the cache.
  Provenance px = getProvenance(x), py = getProvenance(y);
  if (px.unknown || py.unknown)
    return true;
  for (Value root : px.roots)
    for (Value other : py.roots)
      if (root == other || !areDistinct(root, other))
        return true;
  return false;
}

//===------------------------------------------------------------------------------------------===//
// Order
//===------------------------------------------------------------------------------------------===//

const llvm::SmallSetVector<Operation *, 8> &TokenGraph::getPredecessors(Operation *op) {
  if (auto it = predecessors.find(op); it != predecessors.end())
    return it->second;
  llvm::SmallSetVector<Operation *, 8> found;
  llvm::SmallSetVector<Value, 16> work;
  auto enqueue = [&](Operation *from) {
    if (auto tokens = llvm::dyn_cast<AliasTokenOpInterface>(from))
      for (Value token : tokens.getTokenOperands())
        work.insert(token);
  };
  enqueue(op);
  for (size_t i = 0; i < work.size(); ++i) {
    SmallVector<Value> sources = getCarriedSources(work[i]);
    work.insert(sources.begin(), sources.end());
    Operation *producer = work[i].getDefiningOp();
    if (!producer || !sources.empty())
      continue;
    if (llvm::isa<MemoryOpInterface, PrintOp, GridDependencyOp>(producer))
      found.insert(producer);
    enqueue(producer);
  }
  return predecessors[op] = std::move(found);
}

bool TokenGraph::isOrdered(Operation *before, Operation *after) {
  return getPredecessors(after).contains(before);
}

bool TokenGraph::hasHazard(Operation *before, Operation *after) {
  auto first = llvm::dyn_cast<MemoryOpInterface>(before),
       second = llvm::dyn_cast<MemoryOpInterface>(after);
  if (!first || !second || !isOrdered(before, after))
    return false;
  return (first.writesMemory() || second.writesMemory()) && mayAlias(before, after);
}

} // namespace tilesmith::tileaa
