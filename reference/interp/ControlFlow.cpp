//===- ControlFlow.cpp - structured control flow ----------------------------------------------===//
//
// Ops with regions push frames; terminators pop them and hand their operands to whom they belong:
// `yield` to the enclosing if (or to runBody, for reduce and scan), `continue` and `break` to the
// innermost loop, `return` ends the block.
//
// A `for` compares before each iteration; a step of zero or less is undefined; a branch, bound or
// step that is unspecified, or a next value that does not fit its type, stops the run as
// inconclusive.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/dialect/CudaTile/IR/CudaTile.h"
#include "reference/interp/Registry.h"

using namespace tilesmith;
using namespace tilesmith::reference;
using namespace tilesmith::cuda_tile;

namespace {

llvm::SmallVector<Value> operandsOf(BlockContext &context, mlir::ValueRange operands) {
  llvm::SmallVector<Value> values;
  for (mlir::Value v : operands)
    values.push_back(context.get(v));
  return values;
}

void setResults(BlockContext &context, mlir::Operation *op, llvm::ArrayRef<Value> values) {
  assert(op->getNumResults() == values.size());
  for (auto [result, value] : llvm::zip(op->getResults(), values))
    context.set(result, value);
}

/// [spec: flow-if, flow-decided]
Status evalIf(BlockContext &context, IfOp op) {
  uint64_t condition;
  TILESMITH_TRY(context.scalar(op.getCondition(), "branch", condition));
  mlir::Region &region = condition ? op.getThenRegion() : op.getElseRegion();
  if (!region.empty())
    context.push(op, region.front(), {});
  return Status::success();
}

/// [spec: flow-yield]
Status evalYield(BlockContext &context, YieldOp op) {
  Frame frame = context.stack().back();
  context.stack().pop_back();
  if (mlir::isa<IfOp>(frame.owner))
    setResults(context, frame.owner, operandsOf(context, op->getOperands()));
  return Status::success(); // reduce and scan: runBody reads the operands
}

Tile inductionTile(BlockContext &context, ForOp op, __int128 value) {
  ElementType type = *elementTypeOf(op.getLowerBound().getType());
  return Tile::scalar(type, static_cast<uint64_t>(value) & maskOf(type));
}

/// Starts the next iteration with the given carried values, or leaves the loop with them.
void iterate(BlockContext &context, ForOp op, const ForState &state,
             llvm::ArrayRef<Value> carried) {
  if (state.value >= state.upper) {
    setResults(context, op, carried);
    return;
  }
  llvm::SmallVector<Value> arguments;
  arguments.push_back(inductionTile(context, op, state.value));
  arguments.append(carried.begin(), carried.end());
  context.push(op, op.getRegion().front(), arguments);
  context.stack().back().induction = state;
}

/// [spec: flow-for, flow-for-step, flow-decided]
Status evalFor(BlockContext &context, ForOp op) {
  uint64_t lower, upper, step;
  TILESMITH_TRY(context.scalar(op.getLowerBound(), "loop-bound", lower));
  TILESMITH_TRY(context.scalar(op.getUpperBound(), "loop-bound", upper));
  TILESMITH_TRY(context.scalar(op.getStep(), "loop-step", step));
  ElementType type = *elementTypeOf(op.getLowerBound().getType());
  auto extend = [&](uint64_t bits) -> __int128 {
    return op.getUnsignedCmp() ? static_cast<__int128>(unsignedValue(type, bits))
                               : static_cast<__int128>(signedValue(type, bits));
  };
  ForState state{extend(lower), extend(upper), extend(step)};
  if (state.step <= 0)
    return undefined("loop-step", "step of the loop is " +
                                      llvm::Twine(static_cast<int64_t>(state.step)) +
                                      ", expected a positive number");
  iterate(context, op, state, operandsOf(context, op.getInitValues()));
  return Status::success();
}

/// [spec: flow-loop]
Status evalLoop(BlockContext &context, LoopOp op) {
  context.push(op, op.getRegion().front(), operandsOf(context, op.getInitValues()));
  return Status::success();
}

/// Pops frames up to and including the innermost loop and returns its frame.
Frame popLoop(BlockContext &context) {
  while (true) {
    Frame frame = context.stack().back();
    context.stack().pop_back();
    if (mlir::isa<ForOp, LoopOp>(frame.owner))
      return frame;
  }
}

/// [spec: flow-for-wrap]
Status step(ForOp op, ForState &state) {
  ElementType type = *elementTypeOf(op.getLowerBound().getType());
  __int128 bits = static_cast<__int128>(maskOf(type));
  state.value += state.step;
  if (state.value > (op.getUnsignedCmp() ? bits : bits >> 1))
    return inconclusive("loop-edge", "the induction variable leaves its type before the bound of "
                                     "the loop is reached");
  return Status::success();
}

/// [spec: flow-continue]
Status evalContinue(BlockContext &context, ContinueOp op) {
  llvm::SmallVector<Value> carried = operandsOf(context, op->getOperands());
  Frame frame = popLoop(context);
  if (auto loop = mlir::dyn_cast<ForOp>(frame.owner)) {
    TILESMITH_TRY(step(loop, frame.induction));
    iterate(context, loop, frame.induction, carried);
    return Status::success();
  }
  context.push(frame.owner, *frame.block, carried);
  return Status::success();
}

/// [spec: flow-break]
Status evalBreak(BlockContext &context, BreakOp op) {
  llvm::SmallVector<Value> results = operandsOf(context, op->getOperands());
  setResults(context, popLoop(context).owner, results);
  return Status::success();
}

/// [spec: flow-return]
Status evalReturn(BlockContext &context, ReturnOp op) {
  context.stack().clear();
  return Status::success();
}

/// [spec: assert-traps, assert-decided]
Status evalAssert(BlockContext &context, AssertOp op) {
  const Tile &condition = context.tile(op.getCondition());
  for (size_t i = 0; i < condition.size(); ++i) {
    if (condition.state(i) != State::Known)
      return inconclusive("unspecified-assert",
                          "condition of an assertion depends on an unspecified value");
    if (condition.bits()[i] == 0)
      return Status::make(Stop::Reason::Trapped, "assert", op.getMessage());
  }
  return Status::success();
}

} // namespace

void tilesmith::reference::registerControlFlowEvaluators(Registry &r) {
  r.family("control flow");
  r.add<IfOp, evalIf>();
  r.add<YieldOp, evalYield>();
  r.add<ForOp, evalFor>();
  r.add<LoopOp, evalLoop>();
  r.add<ContinueOp, evalContinue>();
  r.add<BreakOp, evalBreak>();
  r.add<ReturnOp, evalReturn>();
  r.add<AssertOp, evalAssert>();
}
