//===- FlowChanges.cpp - loops of other forms, values they carry, early ends -------------------===//
#include "generators/mutate/ChangeTools.h"

#include "llvm/ADT/STLExtras.h"

using namespace tilesmith;
using namespace tilesmith::generators;
using namespace tilesmith::cuda_tile;

namespace {

/// The ends of turns of this loop, its own and those in branches.
llvm::SmallVector<ContinueOp> endsOf(mlir::Operation *loop) {
  llvm::SmallVector<ContinueOp> ends;
  loop->walk([&](ContinueOp end) {
    mlir::Operation *around = end->getParentOp();
    while (!llvm::isa<ForOp, LoopOp>(around))
      around = around->getParentOp();
    if (around == loop)
      ends.push_back(end);
  });
  return ends;
}

/// Two values of one type combined by what all of it keeps: a sum, or a bitwise one.
mlir::Value join(mlir::OpBuilder &b, mlir::Value first, mlir::Value second) {
  auto type = llvm::cast<TileType>(first.getType());
  mlir::MLIRContext *context = b.getContext();
  const bool isFloat = isPlainFloat(type.getElementType());
  if (!isFloat && !type.getElementType().isInteger())
    return {};
  llvm::StringRef name = isFloat                              ? AddFOp::getOperationName()
                         : type.getElementType().isInteger(1) ? XOrIOp::getOperationName()
                                                              : AddIOp::getOperationName();
  mlir::OperationState state(first.getLoc(), name, {first, second}, type);
  if (isFloat)
    state.addAttribute("rounding_mode", RoundingModeAttr::get(context, RoundingMode::NEAREST_EVEN));
  else if (name == AddIOp::getOperationName())
    state.addAttribute("overflow", IntegerOverflowAttr::get(context, IntegerOverflow::NONE));
  return b.create(state)->getResult(0);
}

/// The loop with more carried values; its turns do not hand them on yet. The old one is gone.
ForOp withCarried(ForOp loop, mlir::ValueRange more) {
  mlir::OpBuilder b(loop);
  llvm::SmallVector<mlir::Value> inits(loop.getInitValues());
  llvm::append_range(inits, more);
  auto other = ForOp::create(b, loop->getLoc(), loop.getLowerBound(), loop.getUpperBound(),
                             loop.getStep(), inits, nullptr, loop.getUnsignedCmp());
  mlir::Block &body = *other.getBody();
  body.clear();
  body.getOperations().splice(body.end(), loop.getBody()->getOperations());
  for (auto [before, after] :
       llvm::zip(loop.getBody()->getArguments(), body.getArguments().drop_back(more.size())))
    before.replaceAllUsesWith(after);
  loop->replaceAllUsesWith(other->getResults().drop_back(more.size()));
  loop->erase();
  return other;
}

/// A loop carries one value more, which a statement of its body takes into account.
bool carryMore(ChangedKernel &k) {
  auto loop = drawOp<ForOp>(k.module, k.stream, [](ForOp) { return true; });
  if (!loop)
    return false;
  std::vector<mlir::OpOperand *> uses;
  for (mlir::Operation &op : loop.getBody()->without_terminator())
    for (mlir::OpOperand &operand : op.getOpOperands())
      if (isNumbers(operand.get().getType()))
        uses.push_back(&operand);
  if (uses.empty())
    return false;
  mlir::OpOperand &use = *uses[k.stream.below(uses.size())];
  auto type = llvm::cast<TileType>(use.get().getType());
  if (!isPlainFloat(type.getElementType()) && !type.getElementType().isInteger())
    return false;
  mlir::OpBuilder b(loop);
  mlir::Value init = k.stream.chance(50) ? drawLike(loop, type, k.stream) : mlir::Value();
  if (!init)
    init = splat(b, loop->getLoc(), type, 0);
  ForOp other = withCarried(loop, init);
  mlir::Block &body = *other.getBody();
  mlir::Value carried = body.getArguments().back();
  mlir::OpBuilder inner(use.getOwner());
  const bool isAtStart = k.stream.chance(30);
  use.set(isAtStart ? carried : join(inner, use.get(), carried));
  for (ContinueOp end : endsOf(other)) {
    mlir::OpBuilder at(end);
    mlir::Value next = carried;
    if (end->getParentOp() == other.getOperation()) {
      // By a value of the loop itself, or by any.
      mlir::Value by = drawLike(end, type, k.stream);
      next = by ? (k.stream.chance(70) ? join(at, carried, by) : by) : carried;
    }
    end->insertOperands(end->getNumOperands(), next);
  }
  return true;
}

/// Whether everything that uses a result of `first` stands behind `second` or in it.
bool isUsedBehind(ForOp first, ForOp second) {
  return llvm::all_of(first->getUsers(), [&](mlir::Operation *user) {
    mlir::Operation *here = first->getBlock()->findAncestorOpInBlock(*user);
    return here == second.getOperation() || second->isBeforeInBlock(here);
  });
}

/// The first of two loops of one block runs in each turn of the second, which carries what it leaves.
bool nestLoops(ChangedKernel &k) {
  std::vector<std::pair<ForOp, ForOp>> pairs;
  k.module->walk([&](ForOp first) {
    for (mlir::Operation *op = first->getNextNode(); op; op = op->getNextNode())
      if (auto second = llvm::dyn_cast<ForOp>(op);
          second && isUsedBehind(first, second) &&
          llvm::all_of(first->getResultTypes(), [](mlir::Type type) {
            return isNumbers(type) || llvm::isa<TokenType>(type);
          }))
        pairs.emplace_back(first, second);
  });
  if (pairs.empty())
    return false;
  auto [first, second] = pairs[k.stream.below(pairs.size())];
  // What each turn begins with may be what the one before left.
  const bool goesOn = k.stream.chance(60);
  const size_t before = second->getNumResults();
  ForOp outer = withCarried(second, first.getInitValues());
  first->moveBefore(&outer.getBody()->front());
  auto carried = outer.getRegionIterValues().drop_front(before);
  for (auto [i, result] : llvm::enumerate(first->getResults())) {
    result.replaceUsesWithIf(
        outer->getResult(static_cast<unsigned>(before + i)),
        [&](mlir::OpOperand &use) { return !outer->isProperAncestor(use.getOwner()); });
    if (goesOn)
      first.getInitValuesMutable()[static_cast<unsigned>(i)].set(carried[i]);
  }
  for (ContinueOp end : endsOf(outer))
    end->insertOperands(end->getNumOperands(), first->getResults());
  return true;
}

/// A counted loop as one that is left where its count ends.
bool countByHand(ChangedKernel &k) {
  auto loop = drawOp<ForOp>(k.module, k.stream, [](ForOp) { return true; });
  if (!loop)
    return false;
  mlir::OpBuilder b(loop);
  mlir::Location loc = loop->getLoc();
  mlir::Type index = loop.getLowerBound().getType();
  mlir::Value high = loop.getUpperBound(), step = loop.getStep();
  const auto sign = loop.getUnsignedCmp() ? Signedness::Unsigned : Signedness::Signed;
  mlir::OperationState state(loc, LoopOp::getOperationName());
  state.addOperands(loop.getLowerBound());
  state.addOperands(loop.getInitValues());
  state.addTypes(loop->getResultTypes());
  mlir::Block &body = state.addRegion()->emplaceBlock();
  for (mlir::Value argument : loop.getBody()->getArguments())
    body.addArgument(argument.getType(), loc);
  mlir::Operation *other = b.create(state);
  mlir::OpBuilder inner(loop->getContext());
  inner.setInsertionPointToEnd(&body);
  mlir::Value isOver =
      CmpIOp::create(inner, loc, scalarOf(b.getI1Type()),
                     ComparisonPredicate::GREATER_THAN_OR_EQUAL, body.getArgument(0), high, sign);
  mlir::OperationState leave(loc, IfOp::getOperationName());
  leave.addOperands(isOver);
  mlir::Block &then = leave.addRegion()->emplaceBlock();
  leave.addRegion();
  inner.create(leave);
  mlir::OpBuilder end(loop->getContext());
  end.setInsertionPointToEnd(&then);
  BreakOp::create(end, loc, body.getArguments().drop_front());
  body.getOperations().splice(body.end(), loop.getBody()->getOperations());
  for (auto [before, after] : llvm::zip(loop.getBody()->getArguments(), body.getArguments()))
    before.replaceAllUsesWith(after);
  for (ContinueOp turn : endsOf(other)) {
    mlir::OpBuilder at(turn);
    mlir::Value next =
        AddIOp::create(at, loc, index, body.getArgument(0), step, IntegerOverflow::NONE);
    turn->insertOperands(0, next);
  }
  loop->replaceAllUsesWith(other->getResults());
  loop->erase();
  return true;
}

/// A block computes what several did, one after the other: a loop around all statements, over numbers of blocks.
bool persist(ChangedKernel &k) {
  auto entry = drawOp<EntryOp>(k.module, k.stream, [](EntryOp) { return true; });
  if (!entry)
    return false;
  testcase::Launch *launch = nullptr;
  for (testcase::Launch &candidate : k.testCase.launches)
    if (candidate.kernel == entry.getSymName()) {
      if (launch)
        return false; // of another grid, perhaps
      launch = &candidate;
    }
  if (!launch)
    return false;
  mlir::Block &block = entry.getBody().front();
  mlir::OpBuilder b(entry->getContext());
  b.setInsertionPointToStart(&block);
  mlir::Location loc = entry->getLoc();
  TileType index = scalarOf(b.getI32Type());
  const int64_t blocks = launch->grid[0];
  mlir::Value first = GetTileBlockIdOp::create(b, loc, index, index, index)->getResult(0);
  mlir::Value step = GetNumTileBlocksOp::create(b, loc, index, index, index)->getResult(0);
  mlir::Value end = integerConstant(b, loc, index, blocks);
  auto loop = ForOp::create(b, loc, first, end, step, mlir::ValueRange(), nullptr, false);
  mlir::Operation *last = loop.getBody()->getTerminator();
  while (loop->getNextNode() != block.getTerminator()) {
    // What is the same in every turn may stay in front of it.
    mlir::Operation *op = loop->getNextNode();
    if (llvm::isa<ConstantOp>(op) && k.stream.chance(50))
      op->moveBefore(loop);
    else
      op->moveBefore(last);
  }
  loop->walk([&](mlir::Operation *op) {
    if (llvm::isa<GetTileBlockIdOp>(op))
      op->getResult(0).replaceAllUsesWith(loop.getInductionVar());
    else if (llvm::isa<GetNumTileBlocksOp>(op))
      op->getResult(0).replaceAllUsesWith(end);
  });
  launch->grid[0] = k.stream.chance(60) ? 1 : std::max<int64_t>(1, blocks / 2);
  return true;
}

/// Some blocks end here, or the turn after which a number of the kernel says so.
bool endEarly(ChangedKernel &k) {
  mlir::Operation *op = drawAnyOp(k.module, k.stream, [](mlir::Operation *candidate) {
    return llvm::isa_and_nonnull<EntryOp, LoopOp>(candidate->getParentOp()) &&
           candidate != &candidate->getBlock()->front();
  });
  if (!op)
    return false;
  TileType flag = scalarOf(mlir::IntegerType::get(op->getContext(), 1));
  auto scalars = visibleValues(op, [&](mlir::Type type) {
    auto tile = llvm::dyn_cast<TileType>(type);
    return tile && tile.getRank() == 0 && tile.getElementType().isInteger();
  });
  if (scalars.empty())
    return false;
  mlir::OpBuilder b(op);
  mlir::Value condition = makeLike(b, scalars[k.stream.below(scalars.size())], flag, k.stream);
  mlir::OperationState state(op->getLoc(), IfOp::getOperationName());
  state.addOperands(condition);
  mlir::Block &then = state.addRegion()->emplaceBlock();
  state.addRegion();
  b.create(state);
  mlir::OpBuilder end(op->getContext());
  end.setInsertionPointToEnd(&then);
  ReturnOp::create(end, op->getLoc());
  return true;
}

constexpr Change kChanges[] = {
    {"carry-more", "a counted loop", carryMore},
    {"count-by-hand", "a counted loop", countByHand},
    {"end-early", "a number of one element", endEarly},
    {"nest-loops", "two counted loops of one block", nestLoops},
    {"persist", "an entry that is launched once", persist},
};

} // namespace

llvm::ArrayRef<Change> tilesmith::generators::flowChanges() {
  return kChanges;
}
