//===- DynamicPersistent.cpp - tileas-dynamic-persistent --------------------------------------===//
//
// A tile block that has finished takes the work of one that has not started: the hardware cancels
// the launch of that block and says which one it was (sm_100 and newer). Whatever the grid, each of
// its blocks is executed exactly once, so the kernel means the same; it only starts fewer times.
//
//   (x, y, z) = the block's own program id
//   do { the kernel at (x, y, z) } while ((x, y, z) = cancel_next_program_id is valid)
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/dialect/TileAS/IR/TileAS.h"
#include "compiler/dialect/TileAS/Transforms/Passes.h"
#include "compiler/target/Targets.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas;

namespace tilesmith::tileas {
#define GEN_PASS_DEF_DYNAMICPERSISTENTPASS
#include "compiler/dialect/TileAS/Transforms/Passes.h.inc"
} // namespace tilesmith::tileas

namespace {

void makePersistent(tileaa::FuncOp function) {
  Block &entry = function.getBody().front();
  Operation *first = &entry.front(), *terminator = entry.getTerminator();
  Location loc = function.getLoc();
  OpBuilder builder(first);
  Type i32 = builder.getI32Type(), i1 = builder.getI1Type();
  SmallVector<Value> start;
  for (int32_t axis = 0; axis < 3; ++axis)
    start.push_back(tileaa::GetProgramIdOp::create(builder, loc, i32, axis));
  start.push_back(arith::ConstantIntOp::create(builder, loc, i1, 1));
  SmallVector<Type> ids(3, i32), all(ids);
  all.push_back(i1);
  auto loop = scf::WhileOp::create(builder, loc, ids, start);
  Block *before = builder.createBlock(&loop.getBefore(), {}, all, SmallVector<Location>(4, loc));
  scf::ConditionOp::create(builder, loc, before->getArgument(3),
                           before->getArguments().drop_back());
  Block *body = builder.createBlock(&loop.getAfter(), {}, ids, SmallVector<Location>(3, loc));
  body->getOperations().splice(body->end(), entry.getOperations(), std::next(loop->getIterator()),
                               terminator->getIterator());
  body->walk([&](tileaa::GetProgramIdOp op) {
    op.getResult().replaceAllUsesWith(body->getArgument(op.getAxis()));
    op.erase();
  });
  builder.setInsertionPointToEnd(body);
  auto idType = tileaa::ProgramIdType::get(builder.getContext());
  Value next = CancelNextProgramIdOp::create(builder, loc, idType);
  Value valid = tileaa::IsValidProgramIdOp::create(builder, loc, i1, next);
  auto choice = scf::IfOp::create(builder, loc, ids, valid, /*withElseRegion=*/true);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(&choice.getThenRegion().front());
    SmallVector<Value> axes;
    for (int32_t axis = 0; axis < 3; ++axis)
      axes.push_back(ProgramIdAxisOp::create(builder, loc, i32, next, axis));
    scf::YieldOp::create(builder, loc, axes);
    builder.setInsertionPointToEnd(&choice.getElseRegion().front());
    scf::YieldOp::create(builder, loc, ValueRange(body->getArguments()));
  }
  SmallVector<Value> results(choice.getResults());
  results.push_back(valid);
  scf::YieldOp::create(builder, loc, results);
}

struct DynamicPersistent : tileas::impl::DynamicPersistentPassBase<DynamicPersistent> {
  void runOnOperation() override {
    if (!tileaa::getTarget(getOperation()).has(target::Feature::ClusterLaunchControl))
      return;
    SmallVector<tileaa::FuncOp> functions;
    getOperation()->walk([&](tileaa::FuncOp function) { functions.push_back(function); });
    for (tileaa::FuncOp function : functions) {
      if (clusterBlocks(function) > 1)
        continue; // cancelling would take a whole cluster
      bool already = false;
      function->walk([&](CancelNextProgramIdOp) { already = true; });
      bool hasAgents = false;
      function->walk([&](AgentSwitchOp) { hasAgents = true; });
      if (hasAgents)
        continue; // their barriers are made once
      if (already) {
        function.emitWarning("Kernel is already dynamic persistent");
        continue;
      }
      makePersistent(function);
    }
  }
};

} // namespace
