//===- ControlFlowEdits.cpp - if-conversion, outlining, peeled and split loops ----------------===//
#include "generators/mutate/EditTools.h"

#include "mlir/IR/IRMapping.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace tilesmith;
using namespace tilesmith::generators;

namespace {

bool canSelect(mlir::Type type) {
  auto tile = llvm::dyn_cast<cuda_tile::TileType>(type);
  return tile && (llvm::isa<cuda_tile::PointerType>(tile.getElementType()) ||
                  tile.getElementType().getIntOrFloatBitWidth() != 4);
}

/// Whether the op can be computed whatever the condition is: also whole reductions and products.
bool mayBeSpeculated(mlir::Operation *op) {
  if (llvm::isa<cuda_tile::ReduceOp, cuda_tile::ScanOp>(op)) {
    bool pure = true;
    op->walk([&](mlir::Operation *inner) {
      pure &= inner == op || llvm::isa<cuda_tile::YieldOp>(inner) || mayRunAnywhere(inner);
    });
    return pure;
  }
  return mayRunAnywhere(op) ||
         llvm::isa<cuda_tile::MmaFOp, cuda_tile::MmaIOp, cuda_tile::GetTileBlockIdOp,
                   cuda_tile::GetNumTileBlocksOp, cuda_tile::OffsetOp, cuda_tile::BitcastOp,
                   cuda_tile::SelectOp, cuda_tile::CmpIOp, cuda_tile::CmpFOp>(op);
}

/// Ops of the branch that `value` needs, in order; nothing if one of them may not run anywhere.
std::optional<llvm::SmallVector<mlir::Operation *>> sliceOf(mlir::Region &region,
                                                            mlir::Value value) {
  llvm::SmallPtrSet<mlir::Operation *, 16> wanted;
  llvm::SmallVector<mlir::Value> waiting = {value};
  while (!waiting.empty()) {
    mlir::Value next = waiting.pop_back_val();
    if (!region.isAncestor(next.getParentRegion()))
      continue; // from outside
    mlir::Operation *op = next.getDefiningOp();
    if (!op || op->getParentRegion() != &region || !mayBeSpeculated(op))
      return std::nullopt;
    if (wanted.insert(op).second)
      waiting.append(op->operand_begin(), op->operand_end());
  }
  llvm::SmallVector<mlir::Operation *> slice;
  for (mlir::Operation &op : region.front())
    if (wanted.contains(&op))
      slice.push_back(&op);
  return slice;
}

/// Whether both values of a result can be computed whichever branch runs.
bool isConvertible(cuda_tile::IfOp op, unsigned result) {
  for (mlir::Region *region : {&op.getThenRegion(), &op.getElseRegion()})
    if (!sliceOf(*region, region->front().back().getOperand(result)))
      return false;
  return !op->getResult(result).use_empty() && canSelect(op->getResult(result).getType());
}

/// A result of an `if` becomes a `select`: what both branches yield is computed in front of it.
/// Everything else stays in the branches.
bool convertIf(cuda_tile::ModuleOp module, ChoiceStream &stream) {
  auto op = drawOp<cuda_tile::IfOp>(module, stream, [](cuda_tile::IfOp candidate) {
    if (candidate->getNumResults() == 0 || candidate.getElseRegion().empty())
      return false;
    for (mlir::Region *region : {&candidate.getThenRegion(), &candidate.getElseRegion()})
      if (!llvm::isa<cuda_tile::YieldOp>(region->front().back()))
        return false;
    for (unsigned i = 0; i < candidate->getNumResults(); ++i)
      if (isConvertible(candidate, i))
        return true;
    return false;
  });
  if (!op)
    return false;
  mlir::OpBuilder builder(op);
  for (unsigned i = 0; i < op->getNumResults(); ++i) {
    if (!isConvertible(op, i))
      continue;
    llvm::SmallVector<mlir::Value> arms;
    for (mlir::Region *region : {&op.getThenRegion(), &op.getElseRegion()}) {
      mlir::Value yielded = region->front().back().getOperand(i);
      mlir::IRMapping mapping;
      auto slice = sliceOf(*region, yielded);
      for (mlir::Operation *inner : *slice)
        builder.clone(*inner, mapping);
      arms.push_back(mapping.lookupOrDefault(yielded));
    }
    mlir::Value result = op->getResult(i);
    auto type = llvm::cast<cuda_tile::TileType>(result.getType());
    mlir::Value flags = spread(builder, op.getCondition(), type.getShape());
    result.replaceAllUsesWith(
        cuda_tile::SelectOp::create(builder, op.getLoc(), type, flags, arms[0], arms[1]));
  }
  return true;
}

/// The op in both branches of an `if` of any condition, its result through the yields.
bool outline(cuda_tile::ModuleOp module, ChoiceStream &stream) {
  auto isFlag = [](mlir::Type type) {
    auto tile = llvm::dyn_cast<cuda_tile::TileType>(type);
    return tile && tile.getRank() == 0 && tile.getElementType().isInteger(1);
  };
  mlir::Operation *op = drawAnyOp(module, stream, isElementwise);
  if (!op)
    return false;
  mlir::OpBuilder builder(op);
  mlir::Location loc = op->getLoc();
  std::vector<mlir::Value> flags = valuesBefore(op, isFlag);
  mlir::Value condition;
  if (!flags.empty() && stream.chance(70)) {
    condition = flags[stream.below(flags.size())];
  } else {
    // Odd or even block.
    cuda_tile::TileType index = scalarOf(builder.getI32Type());
    auto block = cuda_tile::GetTileBlockIdOp::create(builder, loc, index, index, index);
    condition = cuda_tile::TruncIOp::create(builder, loc, scalarOf(builder.getI1Type()),
                                            block->getResult(0), cuda_tile::IntegerOverflow::NONE);
  }
  mlir::OperationState state(loc, cuda_tile::IfOp::getOperationName());
  state.addOperands(condition);
  state.addTypes(op->getResultTypes());
  for (int i = 0; i < 2; ++i) {
    mlir::OpBuilder inner(op->getContext());
    inner.setInsertionPointToEnd(&state.addRegion()->emplaceBlock());
    mlir::Operation *copy = inner.clone(*op);
    cuda_tile::YieldOp::create(inner, loc, copy->getResults());
  }
  mlir::Operation *conditional = builder.create(state);
  op->replaceAllUsesWith(conditional->getResults());
  op->erase();
  return true;
}

/// A loop that runs its body to the end every time, over bounds that cannot wrap around.
bool isPlain(cuda_tile::ForOp loop) {
  auto continues = llvm::dyn_cast<cuda_tile::ContinueOp>(loop.getBody()->back());
  if (!continues)
    return false;
  auto constantOf = [](mlir::Value value) -> std::optional<int64_t> {
    auto op = value.getDefiningOp<cuda_tile::ConstantOp>();
    if (!op)
      return std::nullopt;
    return op.getValue().getSplatValue<llvm::APInt>().getSExtValue();
  };
  std::optional<int64_t> low = constantOf(loop.getLowerBound()), step = constantOf(loop.getStep());
  auto type = llvm::cast<cuda_tile::TileType>(loop.getStep().getType());
  if (!low || !step || *low < 0 || *low > 16 || *step < 1 || *step > 4 ||
      type.getElementType().getIntOrFloatBitWidth() < 16)
    return false;
  bool leaves = false;
  loop->walk([&](mlir::Operation *inner) {
    leaves |= llvm::isa<cuda_tile::ContinueOp, cuda_tile::BreakOp, cuda_tile::ReturnOp>(inner) &&
              inner != continues.getOperation() && llvm::isa<cuda_tile::IfOp>(inner->getParentOp());
  });
  return !leaves;
}

mlir::Value addConstant(mlir::OpBuilder &builder, cuda_tile::ForOp loop, int64_t steps) {
  auto type = llvm::cast<cuda_tile::TileType>(loop.getStep().getType());
  mlir::Value value = loop.getLowerBound();
  for (; steps > 0; --steps)
    value = cuda_tile::AddIOp::create(builder, loop.getLoc(), type, value, loop.getStep(),
                                      cuda_tile::IntegerOverflow::NONE);
  return value;
}

cuda_tile::Signedness signednessOf(cuda_tile::ForOp loop) {
  return loop.getUnsignedCmp() ? cuda_tile::Signedness::Unsigned : cuda_tile::Signedness::Signed;
}

/// The first iteration in front of the loop, if there is one.
bool peelLoop(cuda_tile::ModuleOp module, ChoiceStream &stream) {
  auto loop = drawOp<cuda_tile::ForOp>(module, stream, isPlain);
  if (!loop)
    return false;
  mlir::OpBuilder builder(loop);
  mlir::Location loc = loop.getLoc();
  mlir::Value any = cuda_tile::CmpIOp::create(
      builder, loc, scalarOf(builder.getI1Type()), cuda_tile::ComparisonPredicate::LESS_THAN,
      loop.getLowerBound(), loop.getUpperBound(), signednessOf(loop));
  mlir::OperationState state(loc, cuda_tile::IfOp::getOperationName());
  state.addOperands(any);
  state.addTypes(loop->getResultTypes());
  mlir::OpBuilder inner(loop->getContext());
  inner.setInsertionPointToEnd(&state.addRegion()->emplaceBlock());
  mlir::IRMapping mapping;
  mapping.map(loop.getInductionVar(), loop.getLowerBound());
  mapping.map(loop.getRegionIterValues(), loop.getInitValues());
  for (mlir::Operation &op : loop.getBody()->without_terminator())
    inner.clone(op, mapping);
  llvm::SmallVector<mlir::Value> carried;
  for (mlir::Value value : loop.getBody()->back().getOperands())
    carried.push_back(mapping.lookupOrDefault(value));
  cuda_tile::YieldOp::create(inner, loc, carried);
  mlir::Region *otherwise = state.addRegion();
  if (loop->getNumResults()) {
    inner.setInsertionPointToEnd(&otherwise->emplaceBlock());
    cuda_tile::YieldOp::create(inner, loc, loop.getInitValues());
  }
  mlir::Operation *first = builder.create(state);
  mlir::Value next = addConstant(builder, loop, 1);
  loop.getLowerBoundMutable().assign(next);
  loop.getInitValuesMutable().assign(first->getResults());
  return true;
}

/// One loop up to a point between two iterations, and one from there on.
bool splitLoop(cuda_tile::ModuleOp module, ChoiceStream &stream) {
  auto loop = drawOp<cuda_tile::ForOp>(module, stream, isPlain);
  if (!loop)
    return false;
  mlir::OpBuilder builder(loop);
  mlir::Location loc = loop.getLoc();
  auto type = llvm::cast<cuda_tile::TileType>(loop.getStep().getType());
  mlir::Value point = addConstant(builder, loop, static_cast<int64_t>(stream.below(4)));
  mlir::Value middle = cuda_tile::MinIOp::create(builder, loc, type, point, loop.getUpperBound(),
                                                 signednessOf(loop));
  auto head = llvm::cast<cuda_tile::ForOp>(builder.clone(*loop));
  head.getUpperBoundMutable().assign(middle);
  // Where the end comes before the point, the second loop starts at the end.
  loop.getLowerBoundMutable().assign(middle);
  loop.getInitValuesMutable().assign(head->getResults());
  return true;
}

constexpr Edit kEdits[] = {
    {"if-conversion", "an if with a tile result whose values may be computed on both sides",
     convertIf},
    {"outline", "an elementwise op", outline},
    {"peel-loop", "a for with small constant bounds and no early exit", peelLoop},
    {"split-loop", "a for with small constant bounds and no early exit", splitLoop},
};

} // namespace

llvm::ArrayRef<Edit> tilesmith::generators::controlFlowEdits() {
  return kEdits;
}
