//===- CostModel.cpp - clocks of a block under each way of filling its pipelines --------------===//
#include "compiler/dialect/TileAS/Transforms/CostModel.h"

#include "compiler/dialect/TileAS/IR/TensorBox.h"
#include "compiler/dialect/TileAS/IR/TensorCoreAtom.h"
#include "compiler/dialect/TileAS/IR/WarpgroupAtom.h"
#include "compiler/dialect/TileAS/Transforms/BlocksTogether.h"
#include "compiler/dialect/TileAS/Transforms/Multicast.h"
#include "compiler/dialect/TileAS/Transforms/OverlapProducts.h"
#include "compiler/dialect/TileAS/Transforms/PipelineLoop.h"
#include "compiler/dialect/TileAS/Transforms/ScaledProducts.h"
#include "compiler/dialect/TileAS/Transforms/Schedule.h"
#include "compiler/dialect/TileAS/Transforms/TensorMemoryProducts.h"

#include "mlir/IR/Matchers.h"

#include <cmath>

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas;

namespace {

// Read off our code for the kernels of corpus/perf (PERFORMANCE.md).
constexpr int64_t kInstructionsPerCopy = 20;       ///< cp.async with its address
constexpr int64_t kInstructionsPerTensorCopy = 40; ///< of one tile, waits and its other way too
constexpr int64_t kInstructionsPerLoop = 30;
constexpr int64_t kInstructionsPerProduct = 5;  ///< an asynchronous one, with its descriptors
constexpr int64_t kInstructionsPerExchange = 2; ///< of a register, through shared memory
constexpr int64_t kInstructionsPerMeeting =
    30; ///< around a product in tensor memory of a loop that uses it
constexpr int64_t kInstructionsPerShuffles = 20;
constexpr int64_t kSetUpInstructions = 500;
constexpr int64_t kWordsBeside = 36; ///< registers for addresses, counters and statistics

// Assumptions that a device is to confirm.
constexpr double kIssueOfOneWarp = 0.5; ///< dependent instructions wait for each other
constexpr double kBarrierClocks = 60;
constexpr double kSetUpClocks = 1500, kMapClocks = 500;
constexpr int64_t kAssumedTrips = 32; ///< of a loop whose bounds are not constant

std::optional<int64_t> tripCount(scf::ForOp loop) {
  APInt lower, upper, step;
  if (!matchPattern(loop.getLowerBound(), m_ConstantInt(&lower)) ||
      !matchPattern(loop.getUpperBound(), m_ConstantInt(&upper)) ||
      !matchPattern(loop.getStep(), m_ConstantInt(&step)) || !step.isStrictlyPositive())
    return std::nullopt;
  return std::max<int64_t>(
      0, llvm::divideCeil(upper.getSExtValue() - lower.getSExtValue(), step.getSExtValue()));
}

/// Registers of a thread.
int64_t wordsOf(Type type) {
  auto tile = dyn_cast<RankedTensorType>(type);
  if (!tile || !tile.getElementType().isIntOrFloat())
    return 0;
  int64_t bits = std::max<int64_t>(8, tile.getElementType().getIntOrFloatBitWidth());
  return llvm::divideCeil(getLayout(tile).getNumRegisters() * bits, 32);
}

/// Instructions of a thread for an operation that is no product and no asynchronous copy.
int64_t instructionsOf(Operation *op) {
  if (op->getNumResults() != 1 || !isa<RankedTensorType>(op->getResult(0).getType()))
    return op->getNumRegions() || op->getNumResults() != 1 ? 0 : 1;
  if (isa<ViewOp, PermuteOp, BroadcastOp>(op) || op->hasTrait<OpTrait::ConstantLike>())
    return 0;
  int64_t registers =
      getLayout(cast<RankedTensorType>(op->getResult(0).getType())).getNumRegisters();
  if (auto convert = dyn_cast<ConvertLayoutOp>(op)) {
    // What is read from a ring in the layout that is wanted counts with the product.
    Operation *source = convert.getSource().getDefiningOp();
    return source && isScheduledCopy(source) ? 0 : kInstructionsPerExchange * registers;
  }
  return registers;
}

/// The loop changes the sum by this product only.
bool isCarried(DotOp dot, scf::ForOp loop) {
  auto carried = dyn_cast<BlockArgument>(dot.getAcc());
  return carried && carried.getOwner() == loop.getBody() && carried != loop.getInductionVar() &&
         carried.hasOneUse() && dot.getResult().hasOneUse() &&
         loop.getYieldedValues()[carried.getArgNumber() - loop.getNumInductionVars()] ==
             dot.getResult();
}

/// Only warps of their own can copy for it ahead of the loop around.
bool isNested(scf::ForOp loop) {
  auto around = dyn_cast<scf::ForOp>(loop->getParentOp());
  return around && isa<tileaa::FuncOp>(around->getParentOp());
}

/// The operands of a block-scaled product that tensor cores take as they are.
std::optional<ScaledOperands> scaledAsTheyAre(DotOp dot, const target::GpuTarget &gpu,
                                              unsigned warps) {
  std::optional<ScaledOperands> operands = scaledOperands(dot);
  if (!operands || !gpu.has(target::Feature::Tcgen05) || !scaledAtom(dot, *operands, warps))
    return std::nullopt;
  for (Value value :
       {operands->lhs.data, operands->rhs.data, operands->lhs.scales, operands->rhs.scales})
    if (!value.getDefiningOp() || !isScheduledCopy(value.getDefiningOp()))
      return std::nullopt;
  return operands;
}

/// In slots as the product wants it, where tensor copies round.
bool isCopied(Value operand) {
  while (isa_and_present<ConvertLayoutOp, tileaa::FpToFpOp>(operand.getDefiningOp())) {
    if (auto narrow = operand.getDefiningOp<tileaa::FpToFpOp>();
        narrow && !isa<FloatTF32Type>(cast<RankedTensorType>(operand.getType()).getElementType()))
      return false;
    operand = operand.getDefiningOp()->getOperand(0);
  }
  return operand.getDefiningOp() && isScheduledCopy(operand.getDefiningOp());
}

} // namespace

bool tileas::mayUseTensorCopy(Operation *load, scf::ForOp loop) {
  auto tiled = dyn_cast<TiledLoadOp>(load);
  if (!tiled || !allowsTma(load) || !(isa<tileaa::FuncOp>(loop->getParentOp()) || isNested(loop)))
    return false;
  int64_t bits = cast<RankedTensorType>(load->getResult(0).getType()).getElementTypeBitWidth();
  Operation *view = tiled.getView().getDefiningOp();
  if (bits < 8 || !view || !isa<tileaa::FuncOp>(view->getParentOp()))
    return false;
  auto memory = dyn_cast<tileaa::MemRefType>(view->getOperand(0).getType());
  return memory && llvm::all_of(memory.getStrides(), [&](int64_t stride) {
           return ShapedType::isDynamic(stride) || stride == 1 ||
                  (stride > 0 && stride * bits / 8 % 16 == 0);
         });
}

int64_t tileas::registerBudget(int64_t warps, int64_t producers, int64_t producerRegisters,
                               int64_t blocks) {
  int64_t average = target::kRegistersPerSM / blocks / (32 * (warps + producers)) / 8 * 8;
  if (average > 248)
    return target::kMaxRegistersPerThread;
  if (!producers || average <= producerRegisters || warps % 4 || producers % 4)
    return average;
  int64_t left = (warps + producers) * average - producers * producerRegisters;
  return std::min<int64_t>(left / warps / 8 * 8, 240);
}

void CostModel::addProduct(LoopWork &work, DotOp dot, scf::ForOp loop) const {
  auto acc = cast<RankedTensorType>(dot.getAcc().getType());
  auto lhs = cast<RankedTensorType>(dot.getLhs().getType());
  if (acc.getRank() != 2 || !dot.getAtom()) {
    work.instructions += wordsOf(acc) * lhs.getShape().back();
    return;
  }
  int64_t m = acc.getDimSize(0), n = acc.getDimSize(1), k = lhs.getDimSize(1);
  if (auto scaled = scaledAsTheyAre(dot, gpu, warps)) {
    TensorMemoryShape shape = *tensorMemoryShape(m, n, warps);
    work.tensor += 2.0 * m * n * k / (rates.tensorFlops * 2);
    // Scales of a step of four blocks are copied for 128 rows or columns at a time.
    work.instructions += kInstructionsPerProduct *
                         (shape.blocks() * (k / 32) + (m + n) / 128 * llvm::divideCeil(k, 128));
    work.readBytes += (m + n) * (k + k / kScaledBlock);
    work.inFlightBulk |= isCarried(dot, loop);
    return;
  }
  int64_t bytes = bufferElementBytes(lhs.getElementType());
  work.tensor += 2.0 * m * n * k / (rates.tensorFlops * 2 / bytes);
  bool inSlots = isCopied(dot.getLhs()) && isCopied(dot.getRhs()), carried = isCarried(dot, loop);
  const WarpgroupAtom *warpgroup = findWarpgroupAtom(lhs.getElementType(), acc.getElementType(),
                                                     dot.getSignedLhs(), dot.getSignedRhs());
  if (gpu.has(target::Feature::Wgmma) && warpgroup && warpgroupShape(m, n, warps)) {
    WarpgroupShape shape = *warpgroupShape(m, n, warps);
    work.instructions +=
        kInstructionsPerProduct * shape.stepsM() * shape.stepsN() * (k / warpgroup->k);
    work.readBytes += m / 64 * ((inSlots ? 64 : 0) + n) * k * bytes;
    bool flies = annotations(loop).getLateReleaseAttrHelper().isAttrPresent(loop);
    work.inFlight |= flies && carried && inSlots;
    work.inFlightBulk |= flies && carried && inSlots;
    return;
  }
  const TensorCoreAtom *atom = findTensorCoreAtom(lhs.getElementType(), acc.getElementType(),
                                                  dot.getSignedLhs(), dot.getSignedRhs());
  if (gpu.has(target::Feature::Tcgen05) && atom && tensorMemoryShape(m, n, warps) &&
      (inSlots || dot->getParentOp() == loop)) {
    TensorMemoryShape shape = *tensorMemoryShape(m, n, warps);
    int64_t issued = kInstructionsPerProduct * shape.blocks() * (k / atom->k());
    work.instructions += issued;
    work.issued += issued;
    work.readBytes += (m + n) * k * bytes;
    work.inFlightBulk |= inSlots && carried;
    if (!inSlots || !carried)
      work.instructions += kInstructionsPerMeeting;
    return;
  }
  const MmaAtom *mma = findMmaAtom(*dot.getAtom());
  int64_t perWarp = mma ? m * n * k / (mma->m * mma->n * mma->k) / warps : 0;
  work.instructions += perWarp + perWarp / 4; // fragments come four at a time
  work.readBytes += std::lround(std::sqrt(double(warps))) * (m + n) * k * bytes;
}

LoopWork CostModel::workOf(scf::ForOp loop) const {
  LoopWork work;
  work.trips = tripCount(loop);
  work.instructions = kInstructionsPerLoop;
  const int64_t cluster = clusterBlocks(loop->getParentOfType<tileaa::FuncOp>());
  int64_t sums = 0;
  for (Type type : loop.getResultTypes())
    work.words += wordsOf(type);
  // Sums in tensor memory come to registers when others have left them.
  if (gpu.has(target::Feature::Tcgen05))
    for (auto dot : loop.getOps<DotOp>())
      if (dot.getAtom() && carriedSum(dot)) {
        work.words -= wordsOf(dot.getResult().getType());
        sums = std::max(sums, wordsOf(dot.getResult().getType()));
      }
  llvm::SmallPtrSet<Operation *, 16> folded, scales;
  loop->walk([&](DotOp dot) {
    if (auto scaled = scaledAsTheyAre(dot, gpu, warps)) {
      folded.insert_range(scaled->chain);
      scales.insert({scaled->lhs.scales.getDefiningOp(), scaled->rhs.scales.getDefiningOp()});
    }
  });
  loop->walk([&](Operation *op) {
    if (op == loop || folded.contains(op))
      return;
    if (auto dot = dyn_cast<DotOp>(op)) {
      addProduct(work, dot, loop);
      // Warpgroups add to what the loop carries where it is.
      const bool isInPlace = gpu.has(target::Feature::Wgmma) && carriedSum(dot);
      if (!isCarried(dot, loop) && !isInPlace)
        sums = std::max(sums, wordsOf(dot.getResult().getType()));
      return;
    }
    if (isScheduledCopy(op)) {
      auto tile = cast<RankedTensorType>(op->getResult(0).getType());
      int64_t bytes = tile.getNumElements() * bufferElementBytes(tile.getElementType());
      int64_t vector = annotations(op).getScheduleAttrHelper().getAttr(op).getCopyVector();
      int64_t copies =
          llvm::divideCeil(tile.getNumElements() / std::max<int64_t>(vector, 1), 32 * warps);
      work.fillBytes += bytes;
      work.copies += copies;
      if (!scales.contains(op) && mayUseTensorCopy(op, loop)) {
        work.tensorCopyable += copies;
        ++work.maps;
        if (cluster > 1 && castsFast(gpu) && sameInCluster(addressOperands(op)))
          work.spared += bytes - bytes / cluster;
      }
      return;
    }
    work.instructions += instructionsOf(op);
    if (!isMemoryEffectFree(op) || op->getNumRegions())
      return;
    if (op->getName().getStringRef().ends_with("reduce"))
      work.instructions += kInstructionsPerShuffles;
  });
  work.runsAhead = mayRunAhead(loop, gpu);
  // As tileas-materialize-schedule leaves warps for products.
  if (!work.runsAhead || work.tensorCopyable < work.copies)
    work.issued = 0;
  work.words += sums + kWordsBeside;
  return work;
}

CostModel::CostModel(tileaa::FuncOp function, const target::GpuTarget &gpu)
    : gpu(gpu), rates(target::machineRates(gpu)), warps(std::max<int64_t>(warpsOf(function), 1)),
      blocks(blocksTogether(function)) {
  function->walk([&](scf::ForOp loop) {
    IntegerAttr stages = annotations(loop).getNumStagesAttrHelper().getAttr(loop);
    if (!stages)
      return;
    loops.push_back(workOf(loop));
    nested |= isNested(loop);
    single |= stages.getInt() == 1;
  });
}

Prediction CostModel::iteration(const LoopWork &work, Fill fill) const {
  int64_t copies = fill == Fill::Plain  ? work.copies
                   : fill == Fill::Bulk ? work.copies - work.tensorCopyable
                                        : 0;
  int64_t budget = fill == Fill::Specialised
                       ? registerBudget(warps, kProducerWarps, kProducerRegisters, blocks)
                       : registerBudget(warps, 0, 0, blocks);
  double spilled = std::max<int64_t>(0, work.words - budget) * 2;
  Prediction result;
  result.instructions = work.instructions + kInstructionsPerCopy * copies + spilled;
  if (fill == Fill::Specialised)
    result.instructions -= work.issued;
  if (fill == Fill::Bulk)
    result.instructions += kInstructionsPerTensorCopy * work.maps;
  double issue = result.instructions * std::max(warps / rates.issue, 1 / kIssueOfOneWarp);
  bool flies = fill == Fill::Plain
                   ? work.inFlight
                   : work.inFlightBulk || (fill == Fill::Specialised && work.runsAhead);
  auto consider = [&](double clocks, llvm::StringLiteral pipe) {
    if (clocks <= result.clocks)
      return;
    result.clocks = clocks;
    result.pipe = pipe;
  };
  consider(work.tensor, "tensor cores");
  if (!flies)
    consider(work.tensor + issue, "products and instructions in turn");
  consider(issue, "instructions");
  consider((work.fillBytes + work.readBytes) / rates.sharedBytes + spilled * warps,
           "shared memory");
  consider((work.fillBytes - (fill == Fill::Plain ? 0 : work.spared)) / rates.l2Bytes,
           "second cache");
  if (fill == Fill::Specialised)
    consider((work.copies - work.tensorCopyable) * warps / kProducerWarps * kInstructionsPerCopy /
                 kIssueOfOneWarp,
             "producers");
  if (fill == Fill::Plain)
    result.clocks += kBarrierClocks;
  return result;
}

Prediction CostModel::predict(Fill fill) const {
  Prediction prediction;
  unsigned maps = 0;
  for (const LoopWork &work : loops) {
    Prediction one = iteration(work, fill);
    int64_t trips = work.trips.value_or(kAssumedTrips);
    prediction.clocks += one.clocks * trips;
    prediction.instructions += one.instructions * trips;
    if (prediction.pipe.empty())
      prediction.pipe = one.pipe;
    maps += work.maps;
  }
  if (fill != Fill::Plain) {
    prediction.clocks += kSetUpClocks + kMapClocks * maps;
    prediction.instructions += kSetUpInstructions;
  }
  return prediction;
}
