//===- CostModel.cpp - clocks of a block under each way of filling its pipelines --------------===//
#include "compiler/dialect/TileAS/Transforms/CostModel.h"

#include "compiler/dialect/TileAS/IR/HostTensor.h"
#include "compiler/dialect/TileAS/IR/TensorBox.h"
#include "compiler/dialect/TileAS/IR/TensorCoreAtom.h"
#include "compiler/dialect/TileAS/IR/WarpgroupAtom.h"
#include "compiler/dialect/TileAS/Transforms/BlocksTogether.h"
#include "compiler/dialect/TileAS/Transforms/Multicast.h"
#include "compiler/dialect/TileAS/Transforms/OverlapProducts.h"
#include "compiler/dialect/TileAS/Transforms/PipelineLoop.h"
#include "compiler/dialect/TileAS/Transforms/ScaledProducts.h"
#include "compiler/dialect/TileAS/Transforms/Schedule.h"
#include "compiler/dialect/TileAS/Transforms/SharedOperands.h"
#include "compiler/dialect/TileAS/Transforms/TensorMemoryProducts.h"
#include "compiler/support/Plants.h"

#include "mlir/IR/Matchers.h"

#include <cmath>

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas;

namespace {

// Read off our code for the kernels of corpus/perf (PERFORMANCE.md).
constexpr int64_t kInstructionsPerCopy = 20;          ///< cp.async with its address
constexpr int64_t kInstructionsPerProducersCopy = 24; ///< in a loop that waits, and is not unrolled
constexpr int64_t kInstructionsPerTensorCopy = 40;    ///< of one tile, waits and its other way too
constexpr int64_t kInstructionsPerLoop = 30;
constexpr int64_t kInstructionsPerProduct = 5;  ///< an asynchronous one, with its descriptors
constexpr int64_t kInstructionsPerExchange = 2; ///< of a register, through shared memory
constexpr int64_t kInstructionsPerMeeting =
    30; ///< around a product in tensor memory of a loop that uses it
constexpr int64_t kInstructionsPerShuffles = 20;
constexpr int64_t kSetUpInstructions = 500;
constexpr int64_t kWordsBeside = 36; ///< registers for addresses, counters and statistics

constexpr int64_t kInstructionsPerRounding = 8; ///< of an element: read, rounded, written back

// Fitted to corpus/perf/measured.jsonl and measured-tile-ir.jsonl (H100): agents cost products of 64 x 64 tiles,
// three blocks of which share a multiprocessor, 2.5 us in three waves.
constexpr double kClocksPerInstruction = 3; ///< of one warp: dependent ones wait for each other
constexpr double kSustained = 0.72;         ///< of the peak of tensor cores, within the power limit
constexpr double kRoundTrip = 1600;         ///< clocks from a copy's start to its data
constexpr double kBarrierClocks = 100;
constexpr double kSetUpClocks = 1000, kAgentClocks = 1600;
constexpr double kMapClocks = 2500;        ///< made and fenced by the block itself
constexpr int64_t kAssumedTrips = 64;      ///< of a loop whose bounds are not constant
constexpr int64_t kAssumedTripsAround = 8; ///< of one around another
constexpr int64_t kAssumedDepthBytes =
    8192; ///< or, where that is more, of rows that its products sum

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

/// Elements of operands that come as f32 and are wanted as tf32.
int64_t roundedElements(DotOp dot) {
  int64_t elements = 0;
  for (Value operand : {dot.getLhs(), dot.getRhs()})
    if (auto tile = cast<RankedTensorType>(operand.getType());
        isa<FloatTF32Type>(tile.getElementType()) && isCopied(operand))
      elements += tile.getNumElements();
  return elements;
}

} // namespace

bool tileas::mayUseTensorCopy(Operation *load, scf::ForOp loop, bool hostMaps) {
  auto tiled = dyn_cast<TiledLoadOp>(load);
  if (!tiled || !allowsTma(load) || !(isa<tileaa::FuncOp>(loop->getParentOp()) || isNested(loop)))
    return false;
  int64_t bits = cast<RankedTensorType>(load->getResult(0).getType()).getElementTypeBitWidth();
  Operation *view = tiled.getView().getDefiningOp();
  if (bits < 8 || !mayHaveTensorMap(tiled.getView(), hostMaps))
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
    const TensorCoreAtom &atom = *scaledAtom(dot, *scaled, warps);
    TensorMemoryShape shape = *tensorMemoryShape(m, n, warps);
    int64_t bytes = atom.isPacked() ? k / 2 : k;
    work.tensor += 2.0 * m * n * bytes / (rates.tensorFlops * 2);
    // Scales are copied four columns of tensor memory at a time.
    const int64_t words = llvm::divideCeil(bytes, atom.scaleWord());
    work.instructions +=
        kInstructionsPerProduct *
        (shape.blocks() * (bytes / 32) + (scaleColumns(m, words) + scaleColumns(n, words)) / 4);
    work.readBytes += (m + n) * (bytes + bytes / atom.scaleBlock);
    work.inFlightBulk |= isCarried(dot, loop);
    return;
  }
  int64_t bytes = bufferElementBytes(lhs.getElementType());
  work.depthBytes = std::max(work.depthBytes, k * bytes);
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
    work.rounded += roundedElements(dot) / (32 * warps);
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
  for (auto around = loop->getParentOfType<scf::ForOp>(); around;
       around = around->getParentOfType<scf::ForOp>())
    work.around *= tripCount(around).value_or(kAssumedTripsAround);
  work.instructions = kInstructionsPerLoop;
  const int64_t cluster = clusterBlocks(loop->getParentOfType<tileaa::FuncOp>());
  int64_t sums = 0;
  for (Type type : loop.getResultTypes())
    work.words += wordsOf(type);
  // Sums in tensor memory come to registers when others have left them.
  if (gpu.has(target::Feature::Tcgen05))
    for (auto dot : loop.getOps<DotOp>())
      if (dot.getAtom() && carriedSum(dot, /*mayBeRead=*/true)) {
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
      if (!scales.contains(op) && mayUseTensorCopy(op, loop, hostMaps)) {
        work.tensorCopyable += copies;
        work.views.insert(cast<TiledLoadOp>(op).getView().getDefiningOp());
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
  if (IntegerAttr stages = annotations(loop).getNumStagesAttrHelper().getAttr(loop))
    work.stages = stages.getInt();
  work.late = annotations(loop).getLateReleaseAttrHelper().isAttrPresent(loop);
  work.isFedByThreads = mayFeedByThreads(loop, gpu, hostMaps);
  work.leftBytes = bytesOfSharedLefts(loop);
  work.onlyLoads = isPipelineOfLoads(loop);
  // As tileas-materialize-schedule leaves warps for products.
  if (!work.isFedByThreads && (!work.runsAhead || work.tensorCopyable < work.copies))
    work.issued = 0;
  work.words += sums + kWordsBeside;
  return work;
}

CostModel::CostModel(tileaa::FuncOp function, const target::GpuTarget &gpu, bool hostMaps)
    : hostMaps(hostMaps), gpu(gpu), rates(target::machineRates(gpu)),
      warps(std::max<int64_t>(warpsOf(function), 1)), blocks(blocksTogether(function)) {
  function->walk([&](scf::ForOp loop) {
    IntegerAttr stages = annotations(loop).getNumStagesAttrHelper().getAttr(loop);
    if (!stages)
      return;
    loops.push_back(workOf(loop));
    nested |= isNested(loop);
    single |= stages.getInt() == 1;
  });
}

/// Blocks that fit beside each other without a hint. What threads hold is known of sums in flight, and of tiles
/// that they only load; where they compute more, a block counts as alone.
int64_t CostModel::blocksBeside(const LoopWork &work, Way way, int64_t stages, bool flies) const {
  if (blocks > 1 || (!flies && !work.onlyLoads))
    return blocks;
  const bool isPipeline = !work.onlyLoads || way.tensorCopies;
  const int64_t bytes = isPipeline * stages * work.fillBytes + work.leftBytes + kBarrierBytes,
                threads = 32 * (warps + (way.agents ? kProducerWarps : 0)),
                words = work.words + (work.onlyLoads ? work.fillBytes / (4 * 32 * warps) : 0);
  int64_t fitting = 1;
  while (sharedBytesOfBlock(gpu, fitting + 1) >= bytes &&
         (fitting + 1) * threads * words <= target::kRegistersPerSM)
    ++fitting;
  return fitting;
}

Prediction CostModel::iteration(const LoopWork &work, Way way, int64_t stages) const {
  const bool areFeeding = way.agents && way.tensorCopies && work.isFedByThreads;
  const int64_t copies =
      way.agents && !areFeeding ? 0 : work.copies - (way.tensorCopies ? work.tensorCopyable : 0);
  const int64_t budget = registerBudget(warps, way.agents ? kProducerWarps : 0,
                                        way.agents ? kProducerRegisters : 0, blocks);
  const double spilled = std::max<int64_t>(0, work.words - budget) * 2;
  const bool byItself = (way == Way() ? work.inFlight : work.inFlightBulk) &&
                        (way.tensorCopies || !work.rounded),
             flies = byItself ||
                     (way.agents && way.tensorCopies && (work.runsAhead || work.isFedByThreads));
  const double beside = blocksBeside(work, way, stages, flies);
  Prediction result;
  result.instructions = work.instructions + kInstructionsPerCopy * copies + spilled;
  if (!way.tensorCopies)
    result.instructions += kInstructionsPerRounding * work.rounded;
  if (way.agents && way.tensorCopies)
    result.instructions -= work.issued;
  if (!way.agents && way.tensorCopies)
    result.instructions += kInstructionsPerTensorCopy * int64_t(work.views.size());
  const double issue =
      result.instructions * std::max(beside * warps / rates.issue, kClocksPerInstruction);
  const double tensor = work.tensor / kSustained;
  auto consider = [&](double clocks, llvm::StringLiteral pipe) {
    if (clocks <= result.clocks)
      return;
    result.clocks = clocks;
    result.pipe = pipe;
  };
  consider(beside * tensor, "tensor cores");
  if (!flies)
    consider(tensor / (way.agents ? std::max<int64_t>(1, warps / 4) : 1) + issue,
             "products and instructions in turn");
  consider(issue, "instructions");
  consider(beside * ((work.fillBytes + work.readBytes) / rates.sharedBytes + spilled * warps),
           "shared memory");
  consider(beside * (work.fillBytes - (way.tensorCopies ? work.spared : 0)) / rates.l2Bytes,
           "second cache");
  // Nobody else reads what a loop without products reads.
  if (work.onlyLoads)
    consider(beside * work.fillBytes / rates.dramBytes, "memory");
  consider(kRoundTrip / std::max<double>(0.5, stages - (work.late && stages > 2 ? 2 : 1)),
           "round trips to memory");
  if (way.agents) {
    const int64_t theirs =
        areFeeding ? 0 : work.copies - (way.tensorCopies ? work.tensorCopyable : 0);
    result.producers = theirs * warps / kProducerWarps * kInstructionsPerProducersCopy;
    consider(result.producers * kClocksPerInstruction, "producers");
  }
  if (way == Way())
    result.clocks += work.onlyLoads ? kRoundTrip : kBarrierClocks;
  result.clocks /= beside;
  return result;
}

Prediction CostModel::predict(Way way, int64_t stages) const {
  Prediction prediction;
  llvm::SmallPtrSet<Operation *, 4> views;
  for (const LoopWork &work : loops) {
    Prediction one = iteration(work, way, stages ? std::min(stages, work.stages) : work.stages);
    const int64_t trips =
        work.around *
        work.trips.value_or(
            std::max(kAssumedTrips, work.depthBytes ? kAssumedDepthBytes / work.depthBytes : 0));
    prediction.clocks += one.clocks * trips;
    prediction.instructions += one.instructions * trips;
    prediction.producers += one.producers * trips;
    if (prediction.pipe.empty())
      prediction.pipe = one.pipe;
    views.insert_range(work.views);
  }
  if (way == Way())
    return prediction;
  prediction.clocks += kSetUpClocks + (way.agents ? kAgentClocks : 0);
  prediction.instructions += kSetUpInstructions;
  if (way.tensorCopies && !hostMaps && !TILESMITH_PLANT("cost-maps-for-nothing"))
    prediction.clocks += kMapClocks * views.size();
  return prediction;
}
