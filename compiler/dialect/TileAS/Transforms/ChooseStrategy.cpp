//===- ChooseStrategy.cpp - tileas-choose-strategy --------------------------------------------===//
//
// The strategy `auto`: says for each kernel, by an attribute, whether its pipelines are filled by
// all warps with cp.async (`unspecialize`), by tensor copies (`tensor-map`), or by tensor copies
// that warps of their own start (`warp-specialize tensor-map`). It reads the annotations of
// tileas-generate-schedule and changes nothing else.
//
// No device was there to measure on, so the rule only takes what theory makes hard to lose:
//
//   1. sm_90 or newer, and some loop is pipelined; constant trip counts below kFewTrips do not pay
//      for maps and barriers, which cost each block a few microseconds.
//   2. Tensor copies, when the loads of views of one iteration move at least kManyBytes: a thread
//      starts one copy per panel of up to 32 KiB, where cp.async takes an instruction per 16 bytes,
//      each with its address.
//   3. Warps of their own on top, when the products are warpgroup products (sm_90, at least 64
//      rows, warpgroups of four warps): they read shared memory themselves, so the consumers'
//      registers are accumulators only and four more warps fit beside at most kManyWarps of them. A
//      kernel whose loops or addresses do not allow agents keeps rule 2.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/dialect/TileAS/IR/TileAS.h"
#include "compiler/dialect/TileAS/IR/WarpgroupAtom.h"
#include "compiler/dialect/TileAS/Transforms/Passes.h"
#include "compiler/dialect/TileAS/Transforms/PipelineUses.h"
#include "compiler/dialect/TileAS/Transforms/Schedule.h"
#include "compiler/target/Targets.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas;

namespace tilesmith::tileas {
#define GEN_PASS_DEF_CHOOSESTRATEGYPASS
#include "compiler/dialect/TileAS/Transforms/Passes.h.inc"
} // namespace tilesmith::tileas

namespace {

constexpr int64_t kFewTrips = 8, kManyBytes = 8 * 1024, kManyWarps = 8;

struct Choice {
  bool warpSpecialize, tensorMap;
  StringRef reason;

  StringRef name() const {
    return warpSpecialize ? "warp-specialize tensor-map"
           : tensorMap    ? "tensor-map"
                          : "unspecialize";
  }
};

bool mayUseTensorCopy(Operation *load) {
  return isa<TiledLoadOp>(load) && isScheduledCopy(load) && allowsTma(load) &&
         cast<RankedTensorType>(load->getResult(0).getType()).getElementTypeBitWidth() >= 8;
}

/// Iterations, where bounds and step are constant.
std::optional<int64_t> tripCount(scf::ForOp loop) {
  APInt lower, upper, step;
  if (!matchPattern(loop.getLowerBound(), m_ConstantInt(&lower)) ||
      !matchPattern(loop.getUpperBound(), m_ConstantInt(&upper)) ||
      !matchPattern(loop.getStep(), m_ConstantInt(&step)) || !step.isStrictlyPositive())
    return std::nullopt;
  return (upper.getSExtValue() - lower.getSExtValue()) / step.getSExtValue();
}

/// Whether the product can read its operands from shared memory as a warpgroup.
bool isWarpgroupProduct(DotOp dot, int64_t numWarps) {
  auto acc = cast<RankedTensorType>(dot.getAcc().getType());
  auto lhs = cast<RankedTensorType>(dot.getLhs().getType());
  return dot.getAtom() && acc.getRank() == 2 &&
         findWarpgroupAtom(lhs.getElementType(), acc.getElementType(), dot.getSignedLhs(),
                           dot.getSignedRhs()) &&
         warpgroupShape(acc.getDimSize(0), acc.getDimSize(1), numWarps);
}

Choice choose(tileaa::FuncOp function, const target::GpuTarget &gpu) {
  if (!gpu.has(target::Feature::TensorCopy))
    return {false, false, "the target has no tensor copies"};
  int64_t numWarps = std::max<int64_t>(warpsOf(function), 1);
  bool pipelined = false, isShort = false, isSmall = false, products = false, others = false;
  function->walk([&](scf::ForOp loop) {
    if (!annotations(loop).getNumStagesAttrHelper().isAttrPresent(loop))
      return;
    pipelined = true;
    std::optional<int64_t> trips = tripCount(loop);
    isShort |= trips && *trips < kFewTrips;
    int64_t bytes = 0;
    for (Operation &op : loop.getBody()->without_terminator()) {
      if (mayUseTensorCopy(&op)) {
        auto tile = cast<RankedTensorType>(op.getResult(0).getType());
        bytes += tile.getNumElements() * bufferElementBytes(tile.getElementType());
      }
      if (auto dot = dyn_cast<DotOp>(op))
        (isWarpgroupProduct(dot, numWarps) ? products : others) = true;
    }
    isSmall |= bytes < kManyBytes;
  });
  if (!pipelined)
    return {false, false, "no loop is pipelined"};
  if (isShort)
    return {false, false, "a pipelined loop has few iterations"};
  if (isSmall)
    return {false, false, "views bring less than 8 KiB per iteration"};
  if (!gpu.has(target::Feature::Wgmma) || !products || others)
    return {false, true, "views bring 8 KiB or more per iteration, not all for warpgroup products"};
  if (numWarps > kManyWarps)
    return {false, true, "the kernel has too many warps for producers beside them"};
  return {true, true, "warpgroup products read 8 KiB or more per iteration from shared memory"};
}

struct ChooseStrategy : tileas::impl::ChooseStrategyPassBase<ChooseStrategy> {
  using ChooseStrategyPassBase::ChooseStrategyPassBase;

  void runOnOperation() override {
    const target::GpuTarget &gpu = tileaa::getTarget(getOperation());
    getOperation()->walk([&](tileaa::FuncOp function) {
      Choice choice = choose(function, gpu);
      annotations(function).getStrategyAttrHelper().setAttr(
          function, StrategyAttr::get(&getContext(), choice.warpSpecialize, choice.tensorMap));
      if (remarks)
        function.emitRemark() << "strategy " << choice.name() << ": " << choice.reason;
    });
  }
};

} // namespace
