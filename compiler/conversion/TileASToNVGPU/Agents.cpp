//===- Agents.cpp - agent_switch, and tile blocks that take the work of others ----------------===//
//
// An agent is a range of warps; its code meets at hardware barrier 1, 2, ... according to its
// number. Barrier 0 stays that of the block and is not used inside of agents. Each has a scratch area
// of its own, behind that of the agents before it. One whose region is empty may issue the products of
// others (IssuingWarps.cpp).
//
// A memory token between agents is an mbarrier of the block's pool: each thread of the agent that
// makes it arrives, the agent that stands behind it waits for the phase. Each is used once.
//
// cancel_next_program_id: one thread asks, everybody waits for the answer of 16 bytes in shared
// memory. A barrier in front keeps the answer before until all have read it.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/conversion/TileASToNVGPU/Mbarriers.h"
#include "compiler/conversion/TileASToNVGPU/MemoryAccess.h"
#include "compiler/conversion/TileASToNVGPU/Tcgen05.h"
#include "compiler/support/Plants.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas_to_nvgpu;

namespace {

LogicalResult emitAgentSwitch(Emitter &e, Operation *op) {
  auto agents = cast<tileas::AgentSwitchOp>(op);
  OpBuilder::InsertionGuard guard(e.builder);
  unsigned first = 0;
  // What a thread starts with, if that is known: agents below it give registers up.
  IntegerAttr start =
      tileas::annotations(op).getMaxRegsAttrHelper().getAttr(op->getParentOfType<tileaa::FuncOp>());
  int64_t scratchBefore = e.scratchFloor;
  // The budget of a thread, rounded up to what the hardware allots.
  auto takeBudget = [&](unsigned number) {
    int32_t wanted = agents.getMaxRegs()[number];
    if (!wanted)
      return;
    int32_t registers = std::clamp(8 * ((wanted + 7) / 8), 24, 256);
    bool decreases = start ? registers < start.getInt() : number != 0;
    auto action =
        decreases ? NVVM::SetMaxRegisterAction::decrease : NVVM::SetMaxRegisterAction::increase;
    NVVM::SetMaxRegisterOp::create(e.builder, e.loc, registers, action);
  };
  bool hasBudget = false;
  for (auto [number, region] : llvm::enumerate(agents.getAgents())) {
    unsigned warps = agents.getNumWarps()[number];
    // Warps of this agent, and of those behind it.
    bool isLast = number + 1 == agents.getAgents().size();
    // All warps of a group of four execute the same instruction.
    bool together = !isLast && (first + warps) % 4 != 0 &&
                    agents.getMaxRegs()[number] == agents.getMaxRegs()[number + 1];
    if (together && !hasBudget) {
      takeBudget(number);
      hasBudget = true;
    }
    OpBuilder::InsertPoint rest;
    if (!isLast) {
      Value mine = arith::CmpIOp::create(e.builder, e.loc, arith::CmpIPredicate::ult, e.warpIndex(),
                                         e.i32(first + warps));
      auto branch = scf::IfOp::create(e.builder, e.loc, mine, /*withElseRegion=*/true);
      rest = OpBuilder(branch.getElseRegion().front().getTerminator()).saveInsertionPoint();
      e.builder.setInsertionPoint(branch.getThenRegion().front().getTerminator());
    }
    if (!hasBudget)
      takeBudget(number);
    hasBudget = together;
    auto body = [&]() -> LogicalResult {
      if (failed(e.emitBlock(region.front())))
        return failure();
      return emitIssuesOf(e, agents, number);
    };
    if (failed(e.emitAgent(number, first, warps, body)))
      return failure();
    e.scratchFloor = e.sharedBytes;
    if (!isLast)
      e.builder.restoreInsertionPoint(rest);
    first += warps;
  }
  e.scratchFloor = scratchBefore;
  return success();
}

LogicalResult emitCancel(Emitter &e, Operation *op) {
  OpBuilder &b = e.builder;
  Value response = e.barrierWord(op, e.i32(0)), barrier = e.barrierWord(op, e.i32(2));
  Value rounds = e.makeCounter();
  Value round = e.load(rounds, b.getI32Type());
  e.store(e.add(round, e.i32(1)), rounds);
  fenceAsyncProxy(e);
  e.barrier();
  e.when(firstThread(e), [&] {
    Value isNew = arith::CmpIOp::create(b, e.loc, arith::CmpIPredicate::eq, round, e.i32(0));
    e.when(isNew, [&] {
      initMbarrier(e, barrier, 1);
      NVVM::FenceMbarrierInitOp::create(b, e.loc);
      fenceAsyncProxy(e);
    });
    arriveExpectingBytes(e, barrier, 16);
    NVVM::ClusterLaunchControlTryCancelOp::create(b, e.loc, false, response, barrier);
  });
  e.barrier(); // the barrier exists
  waitParity(e, barrier, arith::TruncIOp::create(b, e.loc, b.getI1Type(), round));
  e.setScalar(op->getResult(0),
              LLVM::LoadOp::create(b, e.loc, b.getIntegerType(128), response, 16));
  return success();
}

//===- memory tokens ------------------------------------------------------------------------------//

LogicalResult emitInitTokens(Emitter &e, Operation *op) {
  auto tokens = cast<tileas::InitMemTokensOp>(op);
  e.when(firstThread(e), [&] {
    for (auto [slot, arrivals] : llvm::enumerate(tokens.getProducers()))
      initMbarrier(e, e.barrierWord(op, e.i32(slot)), arrivals);
    NVVM::FenceMbarrierInitOp::create(e.builder, e.loc);
  });
  e.barrier();
  // In the first phase, whose parity is 0.
  for (auto [slot, handle] : llvm::enumerate(tokens.getHandles()))
    e.setScalar(handle, e.i32(slot << 1));
  return success();
}

Value tokenBarrier(Emitter &e, Value handle) {
  return e.barrierWord(handle.getDefiningOp(),
                       arith::ShRUIOp::create(e.builder, e.loc, e.scalar(handle), e.i32(1)));
}

LogicalResult emitArriveToken(Emitter &e, Operation *op) {
  auto arrive = cast<tileas::ArriveMemTokenOp>(op);
  // Bulk copies that stand behind the token read through the other proxy.
  if (!TILESMITH_PLANT("token-arrive-without-proxy-fence"))
    NVVM::FenceProxyOp::create(
        e.builder, e.loc, NVVM::ProxyKindAttr::get(e.builder.getContext(), NVVM::ProxyKind::async),
        {});
  arriveAt(e, tokenBarrier(e, arrive.getHandle()));
  return success();
}

LogicalResult emitWaitToken(Emitter &e, Operation *op) {
  Value handle = cast<tileas::WaitMemTokenOp>(op).getHandle();
  Value parity = arith::TruncIOp::create(e.builder, e.loc, e.builder.getI1Type(), e.scalar(handle));
  if (!TILESMITH_PLANT("token-wait-dropped"))
    waitParity(e, tokenBarrier(e, handle), parity);
  return success();
}

//===- program ids --------------------------------------------------------------------------------//

Value query(Emitter &e, Value response, Type type, NVVM::ClusterLaunchControlQueryType what) {
  return NVVM::ClusterLaunchControlQueryCancelOp::create(
      e.builder, e.loc, type,
      NVVM::ClusterLaunchControlQueryTypeAttr::get(e.builder.getContext(), what), response);
}

LogicalResult emitIsValid(Emitter &e, Operation *op) {
  e.setScalar(op->getResult(0), query(e, e.scalar(op->getOperand(0)), e.builder.getI1Type(),
                                      NVVM::ClusterLaunchControlQueryType::IS_CANCELED));
  return success();
}

LogicalResult emitAxis(Emitter &e, Operation *op) {
  using Query = NVVM::ClusterLaunchControlQueryType;
  static constexpr Query kAxes[] = {Query::GET_FIRST_CTA_ID_X, Query::GET_FIRST_CTA_ID_Y,
                                    Query::GET_FIRST_CTA_ID_Z};
  auto axis = cast<tileas::ProgramIdAxisOp>(op).getAxis();
  if (TILESMITH_PLANT("persistent-block-of-first-axis"))
    axis = 0;
  e.setScalar(op->getResult(0),
              query(e, e.scalar(op->getOperand(0)), e.builder.getI32Type(), kAxes[axis % 3]));
  return success();
}

} // namespace

void tileas_to_nvgpu::registerAgents(HandlerTable &table) {
  table.operations.add<tileas::AgentSwitchOp>(emitAgentSwitch);
  table.operations.add<tileas::InitMemTokensOp>(emitInitTokens);
  table.operations.add<tileas::ArriveMemTokenOp>(emitArriveToken);
  table.operations.add<tileas::WaitMemTokenOp>(emitWaitToken);
  table.operations.add<tileas::CancelNextProgramIdOp>(emitCancel);
  table.operations.add<tileas::ProgramIdAxisOp>(emitAxis);
  table.operations.add<tileaa::IsValidProgramIdOp>(emitIsValid);
}
