//===- Control.cpp - scf, calls and region terminators ----------------------------------------===//
//
// Ops with regions push frames; a terminator pops its frame and hands its operands to whom they
// belong. A branch, bound or step that is Unknown, or an induction variable that leaves its type,
// stops the run as inconclusive.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/engines/tileaa/Machine.h"

#include "compiler/dialect/TileAA/IR/TileAA.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace tilesmith;
using namespace tilesmith::oracles::tileaa_engine;
using namespace mlir;

namespace {

Frame popFrame(Machine &machine) {
  Frame frame = machine.stack().back();
  machine.stack().pop_back();
  return frame;
}

Status evalIf(Machine &machine, scf::IfOp op) {
  uint64_t condition;
  TILESMITH_TRY(machine.scalar(op.getCondition(), "branch", condition));
  Region &region = condition ? op.getThenRegion() : op.getElseRegion();
  if (!region.empty())
    machine.push(op, region.front(), {});
  return Status::success();
}

/// Starts the next iteration, or leaves the loop with the carried values.
void iterate(Machine &machine, scf::ForOp op, const Frame &state,
             ArrayRef<Machine::Value> carried) {
  if (state.value >= state.upper)
    return machine.setAll(op.getResults(), carried);
  ElementType type = *elementTypeOf(op.getLowerBound().getType());
  SmallVector<Machine::Value> arguments{
      Tile::scalar(type, static_cast<uint64_t>(state.value) & reference::maskOf(type))};
  arguments.append(carried.begin(), carried.end());
  machine.push(op, *op.getBody(), arguments);
  Frame &frame = machine.stack().back();
  frame.value = state.value;
  frame.upper = state.upper;
  frame.step = state.step;
}

Status evalFor(Machine &machine, scf::ForOp op) {
  uint64_t lower, upper, step;
  TILESMITH_TRY(machine.scalar(op.getLowerBound(), "loop-bound", lower));
  TILESMITH_TRY(machine.scalar(op.getUpperBound(), "loop-bound", upper));
  TILESMITH_TRY(machine.scalar(op.getStep(), "loop-step", step));
  ElementType type = *elementTypeOf(op.getLowerBound().getType());
  auto extend = [&](uint64_t bits) -> __int128 {
    return op.getUnsignedCmp() ? static_cast<__int128>(bits)
                               : static_cast<__int128>(reference::signedValue(type, bits));
  };
  Frame state{};
  state.value = extend(lower);
  state.upper = extend(upper);
  state.step = extend(step);
  if (state.step <= 0)
    return reference::undefined("loop-step", "step of a loop is not positive");
  iterate(machine, op, state, machine.values(op.getInitArgs()));
  return Status::success();
}

Status evalWhile(Machine &machine, scf::WhileOp op) {
  machine.push(op, *op.getBeforeBody(), machine.values(op.getInits()));
  return Status::success();
}

Status evalCondition(Machine &machine, scf::ConditionOp op) {
  uint64_t condition;
  TILESMITH_TRY(machine.scalar(op.getCondition(), "branch", condition));
  SmallVector<Machine::Value> values = machine.values(op.getArgs());
  auto loop = cast<scf::WhileOp>(popFrame(machine).owner);
  if (condition)
    machine.push(loop, *loop.getAfterBody(), values);
  else
    machine.setAll(loop.getResults(), values);
  return Status::success();
}

Status evalYield(Machine &machine, scf::YieldOp op) {
  SmallVector<Machine::Value> values = machine.values(op.getOperands());
  Frame frame = popFrame(machine);
  if (auto loop = dyn_cast<scf::ForOp>(frame.owner)) {
    ElementType type = *elementTypeOf(loop.getLowerBound().getType());
    __int128 bits = static_cast<__int128>(reference::maskOf(type));
    frame.value += frame.step;
    if (frame.value > (loop.getUnsignedCmp() ? bits : bits >> 1))
      return reference::inconclusive("loop-edge", "an induction variable leaves its type");
    iterate(machine, loop, frame, values);
  } else if (auto loop = dyn_cast<scf::WhileOp>(frame.owner)) {
    machine.push(loop, *loop.getBeforeBody(), values);
  } else {
    machine.setAll(frame.owner->getResults(), values);
  }
  return Status::success();
}

/// Ends a body of reduce, scan or generate (runBody reads the operands) or a pragma.
Status evalTileYield(Machine &machine, tileaa::YieldOp op) {
  SmallVector<Machine::Value> values = machine.values(op.getOperands());
  Frame frame = popFrame(machine);
  if (isa<tileaa::PragmaOp>(frame.owner))
    machine.setAll(frame.owner->getResults(), values);
  else if (isa<tileaa::ExecuteOp>(frame.owner))
    machine.endAgent();
  return Status::success();
}

/// Directives change no values; operands become the block arguments, if there are any.
Status evalPragma(Machine &machine, tileaa::PragmaOp op) {
  Block &body = op.getBody().front();
  machine.push(op, body, machine.values(op.getOperands().take_front(body.getNumArguments())));
  return Status::success();
}

Status evalReturn(Machine &machine, tileaa::ReturnOp op) {
  SmallVector<Machine::Value> values = machine.values(op.getOperands());
  // A return ends its function from any depth; a called one hands its values to the call.
  while (!machine.stack().empty()) {
    Frame frame = popFrame(machine);
    if (isa<tileaa::CallOp, tileaa::PluginOp>(frame.owner)) {
      machine.setAll(frame.owner->getResults(), values);
      break;
    }
    if (isa<tileaa::FuncOp>(frame.owner))
      break;
  }
  return Status::success();
}

/// Ends a function that was entered directly; its operands stay readable.
Status evalFuncReturn(Machine &machine, func::ReturnOp) {
  machine.stack().clear();
  return Status::success();
}

Status evalCall(Machine &machine, tileaa::CallOp op) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<tileaa::FuncOp>(op, op.getCalleeAttr());
  if (!callee || callee.isExternal())
    return reference::unsupported("call of something that has no body");
  if (machine.stack().size() > 1000)
    return reference::inconclusive("call-depth", "calls nest too deeply");
  machine.push(op, callee.getBody().front(), machine.values(op.getOperands()));
  return Status::success();
}

} // namespace

void tilesmith::oracles::tileaa_engine::registerControl(OpTable &t) {
  t.add<scf::IfOp, evalIf>();
  t.add<scf::ForOp, evalFor>();
  t.add<scf::WhileOp, evalWhile>();
  t.add<scf::ConditionOp, evalCondition>();
  t.add<scf::YieldOp, evalYield>();
  t.add<tileaa::YieldOp, evalTileYield>();
  t.add<tileaa::PragmaOp, evalPragma>();
  t.add<tileaa::ReturnOp, evalReturn>();
  t.add<func::ReturnOp, evalFuncReturn>();
  t.add<tileaa::CallOp, evalCall>();
  t.addWithout(
      "scf", "execute_region forall forall.in_parallel index_switch parallel reduce reduce.return",
      "no cuda_tile op is converted to it");
}
