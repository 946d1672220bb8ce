//===- GenerateSchedule.cpp - tileas-generate-schedule ----------------------------------------===//
//
// Chooses the loops that become asynchronous pipelines and says so by annotations (Schedule.h);
// nothing is rewritten here, except that a loop whose step is a value counts its turns (CountTurns.h). A loop
// qualifies when a tensor-core product in its body takes an operand from a load of the same body, or computes it from
// several element by element, each of which
//   * is weak, and ordered by its token after nothing in the loop that may write;
//   * has addresses that can be computed iterations ahead: no side effects, no loads but of single numbers, as of a
//     page, that nothing in the loop writes;
//   * can be copied in pieces of 4, 8 or 16 bytes, as far as the facts of nv_tileaa know.
// Stages: as many as fit into shared memory beside the scratch area that the loop needs, up to
// `num-stages`; a latency hint on a load asks for one more than the hint. Loops of kernels without products
// wait for memory alone: up to twice as many, while two blocks fit on a multiprocessor. Where not even two fit, loops of
// several products take one stage on sm_90 and sm_100, which warps of their own fill. Blocks that share a
// multiprocessor (the hint `occupancy`) divide its shared memory. With `deep-rings` small tiles, of which `num-stages`
// do not cover a round trip to memory, have up to twice as many where warps of their own will fill them.
//
// Small tiles of views that come in pieces of 16 bytes, as rows of statistics, move along with them.
//
// With `all-loads`, loads of views that feed no product qualify by the same rules from 2 KiB on; with
// `loads-alone` those of kernels without products.
//
// With `remarks`, every choice and every load of a product that stays synchronous is told.
//
// One file, though long: what a load has to be, and what its stages may take, are asked of one loop at a time.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/dialect/TileAS/IR/TensorBox.h"
#include "compiler/dialect/TileAS/IR/ThroughConversions.h"
#include "compiler/dialect/TileAS/IR/TileAS.h"
#include "compiler/dialect/TileAS/IR/WarpgroupAtom.h"
#include "compiler/dialect/TileAS/Transforms/AccessAlignment.h"
#include "compiler/dialect/TileAS/Transforms/BlocksTogether.h"
#include "compiler/dialect/TileAS/Transforms/ChooseStrategy.h"
#include "compiler/dialect/TileAS/Transforms/ComputedOperands.h"
#include "compiler/dialect/TileAS/Transforms/CostModel.h"
#include "compiler/dialect/TileAS/Transforms/CountTurns.h"
#include "compiler/dialect/TileAS/Transforms/LayoutPatterns.h"
#include "compiler/dialect/TileAS/Transforms/Passes.h"
#include "compiler/dialect/TileAS/Transforms/PipelineLoop.h"
#include "compiler/dialect/TileAS/Transforms/ScaledProducts.h"
#include "compiler/dialect/TileAS/Transforms/SharedOperands.h"
#include "compiler/dialect/TileAS/Transforms/TensorMemoryPlaces.h"
#include "compiler/dialect/TileAS/Transforms/TensorMemoryProducts.h"
#include "compiler/support/Plants.h"
#include "compiler/target/Targets.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas;

namespace tilesmith::tileas {
#define GEN_PASS_DEF_GENERATESCHEDULEPASS
#include "compiler/dialect/TileAS/Transforms/Passes.h.inc"
} // namespace tilesmith::tileas

namespace {

/// With `all-loads`: smaller tiles are not worth a pipeline.
constexpr int64_t kWorthwhileBytes = 2048;
/// Rows and columns that come with the operands of products.
constexpr int64_t kMostRowBytes = 2048, kPieceBytes = 16;
/// Tiles that meet the sums of products, as a bias does, come with the operands where so many stages of all fit.
constexpr int64_t kMostTileBytes = 32 * 1024, kStagesWithTiles = 3;
/// Bytes of a copy.
constexpr int64_t kFewestCopied = 4;
/// Kept free for exchanges between threads inside a pipelined loop.
constexpr int64_t kScratchReserve = target::kStaticSharedBytes;

/// Barriers, and sums that warps pass on, beside the ring of a kernel without products.
constexpr int64_t kBesideRingAlone = 4096;

/// Another stage of small tiles makes a kernel faster by more than this.
constexpr double kWorthAStage = 0.98;

constexpr int64_t kUnlimited = std::numeric_limits<int64_t>::max();

struct Candidate {
  Operation *load;
  int64_t vector; ///< elements per copy
  int64_t bytes;  ///< of one tile
};

/// Which loads of views move into pipelines although they feed no product.
enum class Loads { ofProducts, ofKernelsWithoutProducts, all };

/// Who makes the tensor maps through which tiles may come beside the operands of products.
enum class Maps { none, ofDevice, ofHost };

class LoopScheduler {
public:
  LoopScheduler(scf::ForOp loop, int64_t maxStages, int64_t blocks, Loads loads, Maps maps,
                bool remarks)
      : loop(loop), maxStages(maxStages), blocks(blocks), loads(loads), maps(maps),
        remarks(remarks) {}

  /// Annotates the loop when it qualifies and `available` bytes of shared memory suffice. Returns
  /// the bytes it takes.
  int64_t run(const int64_t total) {
    int64_t available = total;
    for (Operation &op : loop.getBody()->without_terminator()) {
      auto dot = dyn_cast<DotOp>(op);
      if (dot && considerScaled(dot)) {
        scaledProducts.insert(dot);
        continue;
      }
      if (dot && dot.getAtom())
        considerOperands(dot);
    }
    if (loads == Loads::all || (loads == Loads::ofKernelsWithoutProducts && !kernelHasProducts()))
      for (Operation &op : loop.getBody()->without_terminator())
        if (isa<TiledLoadOp>(op) && tileBytes(&op) >= kWorthwhileBytes)
          considerLoad(&op);
    if (!candidates.empty())
      considerRows();
    if (!candidates.empty())
      considerTiles(total - kScratchReserve);
    if (candidates.empty() || !hasPlainBounds())
      return 0;
    int64_t bytes = 0;
    std::optional<int64_t> hinted;
    for (Candidate &candidate : candidates) {
      bytes += llvm::alignTo(candidate.bytes, 1024);
      HintsAttr hints = annotations(candidate.load).getHintsAttrHelper().getAttr(candidate.load);
      if (hints && hints.getLatency())
        hinted = std::clamp<int64_t>(hints.getLatency() + 1, 2, 8);
    }
    auto function = loop->getParentOfType<tileaa::FuncOp>();
    const target::GpuTarget &gpu = tileaa::getTarget(loop->getParentOfType<ModuleOp>());
    const int64_t wanted = hinted.value_or(stagesWithoutHint(gpu, bytes));
    // Left operands in shared memory leave no more than what one exchange needs.
    SmallVector<DotOp> lefts = leftsToShare(loop, gpu);
    const std::optional<int64_t> wholeRows = reserveOfWholeRows();
    int64_t leftBytes = bytesOfLefts(lefts),
            beside = available - leftBytes - wholeRows.value_or(reserve(function));
    if (!lefts.empty() && beside >= 2 * bytes) {
      for (DotOp dot : lefts)
        annotations(dot).getSharedLeftAttrHelper().setAttr(dot, UnitAttr::get(loop.getContext()));
      available = beside;
    } else {
      leftBytes = 0;
      if (blocks > 1) {
        available -= reserve(function);
      } else if (largestExchange()) {
        const int64_t left = available - kScratchReserve;
        available = left < 2 * bytes
                        ? std::max(left, available - wholeRows.value_or(reserveOfOneTile()))
                        : left;
      }
    }
    if (std::optional<int64_t> staged = bytesOfComputed()) {
      const int64_t left = total - *staged, roomy = left - reserve(function);
      available = std::min(available, roomy >= 2 * bytes ? roomy : left);
    }
    int64_t rightBytes = bytesOfOperands(rightsToShare(loop, gpu));
    if (blocks > 1 || available - rightBytes < 2 * bytes)
      rightBytes = 0;
    available -= rightBytes;
    if (const int64_t room = total - bytesOfStaged() - scratchReserve(function);
        blocks == 1 && gpu.has(target::Feature::Tcgen05) && room >= 2 * bytes)
      available = std::min(available, room);
    int64_t fitting = std::max<int64_t>(available, 0) / bytes;
    int64_t stages = std::min(wanted, fitting);
    bool late = stages > 2 && sumStaysInFlight();
    // One stage more makes up for it, unless a second block would have fitted beside this one.
    if (late && fitting > stages && stages < 8 && 2 * stages * bytes > available)
      ++stages;
    if (stages < 2 && oneStageFits(total - scratchReserve(function), bytes, lefts))
      return bytes + bytesOfLefts(lefts);
    if (stages < 2) {
      reject("two stages need " + std::to_string(2 * bytes) + " bytes of shared memory, " +
             std::to_string(available) + " are left");
      return 0;
    }
    annotate(stages);
    if (late)
      annotations(loop).getLateReleaseAttrHelper().setAttr(loop, UnitAttr::get(loop.getContext()));
    return stages * bytes + leftBytes + rightBytes;
  }

private:
  /// Of a loop that waits for memory alone as many as two blocks of a multiprocessor leave each other.
  int64_t stagesWithoutHint(const target::GpuTarget &gpu, int64_t bytes) {
    if (loads != Loads::ofKernelsWithoutProducts || kernelHasProducts())
      return maxStages;
    return std::clamp((sharedBytesOfBlock(gpu, 2) - kBesideRingAlone) / bytes, maxStages,
                      2 * maxStages);
  }

  bool kernelHasProducts() {
    return loop->getParentOfType<tileaa::FuncOp>()
        ->walk([](DotOp) { return WalkResult::interrupt(); })
        .wasInterrupted();
  }

  bool isMadeOutside(Value value) {
    return !loop->isAncestor(throughConversions(value).getParentRegion()->getParentOp());
  }

  /// Warps of their own can fill a single stage of each tile while the tiles of other products are read:
  /// every load has a ring of its own, which is given back behind its last read (StageLives.h).
  bool oneStageFits(int64_t available, int64_t bytes, ArrayRef<DotOp> lefts) {
    const target::GpuTarget &gpu = tileaa::getTarget(loop->getParentOfType<ModuleOp>());
    SmallVector<DotOp> dots(loop.getBody()->getOps<DotOp>()), staged(lefts);
    if (gpu.has(target::Feature::Tcgen05))
      llvm::copy_if(dots, std::back_inserter(staged),
                    [&](DotOp dot) { return isMadeOutside(dot.getLhs()); });
    if (!(gpu.has(target::Feature::Wgmma) || gpu.has(target::Feature::Tcgen05)) ||
        dots.size() < 2 || candidates.size() < 2 || bytes + bytesOfLefts(staged) > available)
      return false;
    for (DotOp dot : lefts)
      annotations(dot).getSharedLeftAttrHelper().setAttr(dot, UnitAttr::get(loop.getContext()));
    annotate(1);
    return true;
  }

  void remark(Operation *op, const Twine &text) {
    if (remarks)
      op->emitRemark() << text;
  }

  /// The whole loop stays as it is, and every load that could have moved says why.
  void reject(const std::string &reason) {
    remark(loop, "not pipelined: " + Twine(reason));
    for (Candidate &candidate : candidates)
      stays(candidate.load, reason);
  }

  static void stays(Operation *load, StringRef reason) {
    annotations(load).getNotPipelinedAttrHelper().setAttr(
        load, StringAttr::get(load->getContext(), reason));
  }

  void consider(DotOp dot, Value operand, int64_t mostElements = kUnlimited) {
    while (isa_and_present<ConvertLayoutOp, tileaa::FpToFpOp>(operand.getDefiningOp()))
      operand = operand.getDefiningOp()->getOperand(0);
    SmallVector<Operation *> loads = loadsBehind(operand, loop.getBody());
    if (Operation *op = operand.getDefiningOp(); loads.empty() && op && loop->isProperAncestor(op))
      remark(dot, "operand is not loaded asynchronously: it is computed by '" +
                      op->getName().getStringRef() + "'");
    for (Operation *load : loads)
      considerLoad(load, mostElements);
  }

  /// The loop computes the operand from what it loads; one that it only converts is none.
  bool isComputed(Value operand) {
    while (isa_and_present<ConvertLayoutOp, PermuteOp, tileaa::FpToFpOp>(operand.getDefiningOp()))
      operand = operand.getDefiningOp()->getOperand(0);
    return !isa_and_present<LoadOp, TiledLoadOp, GatherLoadOp>(operand.getDefiningOp()) &&
           !loadsBehind(operand, loop.getBody()).empty();
  }

  /// Shared memory from which products read operands that the loop computes from its loads: right ones,
  /// in tensor memory also left ones of few rows. nullopt where there are no such operands.
  std::optional<int64_t> bytesOfComputed() {
    const target::GpuTarget &gpu = tileaa::getTarget(loop->getParentOfType<ModuleOp>());
    const bool inTensorMemory = gpu.has(target::Feature::Tcgen05);
    std::optional<int64_t> bytes;
    for (auto dot : loop.getBody()->getOps<DotOp>())
      for (Value operand : {dot.getLhs(), dot.getRhs()}) {
        if (!dot.getAtom() || scaledProducts.contains(dot) || !isComputed(operand))
          continue;
        auto type = cast<RankedTensorType>(operand.getType());
        const bool isStaged =
            operand == dot.getRhs() || (inTensorMemory && type.getDimSize(0) < 128);
        const int64_t own =
            isStaged && (inTensorMemory || gpu.has(target::Feature::Wgmma))
                ? llvm::alignTo(type.getNumElements() * bufferElementBytes(type.getElementType()),
                                1024)
                : 0;
        bytes = inTensorMemory ? bytes.value_or(0) + own : std::max(bytes.value_or(0), own);
      }
    return bytes;
  }

  /// Shared memory from which tensor cores read what does not come by copies: tiles from outside, and what the loop
  /// computes, but for left operands of 128 rows, which tensor memory holds.
  int64_t bytesOfStaged() {
    llvm::SmallPtrSet<Value, 4> staged;
    int64_t bytes = 0;
    for (auto dot : loop.getBody()->getOps<DotOp>())
      for (Value operand : {dot.getLhs(), dot.getRhs()}) {
        Value source = operand;
        while (
            isa_and_present<ConvertLayoutOp, PermuteOp, tileaa::FpToFpOp>(source.getDefiningOp()))
          source = source.getDefiningOp()->getOperand(0);
        auto type = cast<RankedTensorType>(operand.getType());
        const bool isHeld =
            operand == dot.getLhs() && type.getDimSize(0) >= 128 && !isMadeOutside(operand);
        if (!dot.getAtom() || scaledProducts.contains(dot) || isHeld ||
            isCandidate(source.getDefiningOp()) || !isWorthTensorMemory(dot) ||
            !staged.insert(throughConversions(operand)).second)
          continue;
        bytes +=
            llvm::alignTo(type.getNumElements() * bufferElementBytes(type.getElementType()), 1024);
      }
    return bytes;
  }

  /// Rows and columns beside the products' tiles come with them.
  void considerRows() {
    for (Operation &op : loop.getBody()->without_terminator()) {
      auto load = dyn_cast<TiledLoadOp>(op);
      if (!load || tileBytes(load) > kMostRowBytes || load.getResult().use_empty() ||
          isCandidate(load))
        continue;
      if (!tryLoad(load, kUnlimited) && !isInPieces(candidates.back()))
        candidates.pop_back();
    }
  }

  /// So do tiles that one operation reads. Of copies by threads the addresses would take too many registers.
  void considerTiles(int64_t available) {
    if (maps == Maps::none ||
        !tileaa::getTarget(loop->getParentOfType<ModuleOp>()).has(target::Feature::TensorCopy) ||
        llvm::none_of(loop.getBody()->getOps<DotOp>(), [](DotOp dot) { return dot.getAtom(); }))
      return;
    int64_t bytes = 0;
    for (Candidate &candidate : candidates)
      bytes += llvm::alignTo(candidate.bytes, 1024);
    for (Operation &op : loop.getBody()->without_terminator()) {
      auto load = dyn_cast<TiledLoadOp>(op);
      if (!load || !load.getResult().hasOneUse() || isCandidate(load) ||
          !mayUseTensorCopy(load, loop, maps == Maps::ofHost))
        continue;
      const int64_t more = bytes + llvm::alignTo(tileBytes(load), 1024);
      if (tileBytes(load) > kMostTileBytes || kStagesWithTiles * more > available ||
          tryLoad(load, kUnlimited))
        continue;
      if (isInPieces(candidates.back()))
        bytes = more;
      else
        candidates.pop_back();
    }
  }

  /// Copies bring 16 bytes at a time.
  static bool isInPieces(const Candidate &candidate) {
    return candidate.vector * candidate.bytes >= kPieceBytes * elementsOf(candidate.load);
  }

  /// A load of the loop that copies may bring so many elements along the dimension at a time.
  bool isLoadedAlong(Value value, unsigned dim, int64_t elements) {
    auto load = value.getDefiningOp<TiledLoadOp>();
    if (!load || load->getBlock() != loop.getBody())
      return false;
    auto tile = cast<RankedTensorType>(load.getResult().getType());
    auto alignment = viewAlignment(load.getView(), load.getIndices(), tile);
    return alignment && alignment->dim == dim && alignment->elements >= elements;
  }

  /// Operands and scales of a product that tensor cores take as they are.
  bool considerScaled(DotOp dot) {
    std::optional<ScaledOperands> operands = scaledOperands(dot);
    unsigned warps = 1u << getLayout(dot.getAcc().getType()).getWarps().size();
    if (!operands || !scaledAtom(dot, *operands, warps) ||
        !tileaa::getTarget(loop->getParentOfType<ModuleOp>()).has(target::Feature::Tcgen05))
      return false;
    const std::pair<const ScaledOperand &, unsigned> both[] = {{operands->lhs, 1},
                                                               {operands->rhs, 0}};
    for (auto [operand, depthDim] : both)
      if (!isLoadedAlong(operand.data, depthDim, kFewestCopied) ||
          !isLoadedAlong(operand.scales, operand.blockDim, kScalesOfWord))
        return false;
    for (const ScaledOperand &operand : {operands->lhs, operands->rhs}) {
      consider(dot, operand.data);
      // Scales of a word lie together in shared memory, those of the next one elsewhere.
      consider(dot, operand.scales, kScalesOfWord);
    }
    return true;
  }

  /// Of a product on tensor cores; its scales too, which come by few bytes a row.
  void considerOperands(DotOp dot) {
    for (Value operand : {dot.getLhs(), dot.getRhs()})
      consider(dot, operand);
    for (Value scales : dot.getScales())
      consider(dot, scales);
  }

  void considerLoad(Operation *load, int64_t mostElements = kUnlimited) {
    if (isCandidate(load))
      return;
    if (std::optional<std::string> problem = tryLoad(load, mostElements)) {
      remark(load, "not loaded asynchronously: " + *problem);
      stays(load, *problem);
    }
  }

  static int64_t elementsOf(Operation *load) {
    return cast<RankedTensorType>(load->getResult(0).getType()).getNumElements();
  }
  static int64_t tileBytes(Operation *load) {
    Type element = cast<RankedTensorType>(load->getResult(0).getType()).getElementType();
    return element.isIntOrFloat() ? elementsOf(load) * element.getIntOrFloatBitWidth() / 8 : 0;
  }

  /// Rows picked by an index tile are copied by threads, each of which holds the indices of its rows: those must
  /// not change in the loop.
  std::optional<std::string> gatherProblem(GatherLoadOp load) {
    if (load.getMemSemantic() != tileaa::MemSemantic::weak)
      return "it is not weak";
    if (load.getMask())
      return "it has a mask";
    for (Value index : load.getIndices())
      if (isa<RankedTensorType>(index.getType()) &&
          loop->isAncestor(index.getParentRegion()->getParentOp()))
        return "the loop computes which rows it gathers";
    return std::nullopt;
  }

  /// With copies of at most so many elements.
  std::optional<std::string> tryLoad(Operation *load, int64_t mostElements) {
    auto tile = cast<RankedTensorType>(load->getResult(0).getType());
    int64_t vector = 1;
    if (auto tiled = dyn_cast<TiledLoadOp>(load)) {
      if (tiled.getMemSemantic() != tileaa::MemSemantic::weak)
        return "it is not weak";
      if (cast<tileaa::TiledViewType>(tiled.getView().getType()).isGather())
        return "its view gathers";
      if (auto alignment = viewAlignment(tiled.getView(), tiled.getIndices(), tile))
        vector = std::min(alignment->elements, tile.getDimSize(alignment->dim));
    } else if (auto gather = dyn_cast<GatherLoadOp>(load)) {
      if (auto problem = gatherProblem(gather))
        return problem;
      if (auto alignment = viewAlignment(gather.getView(), gather.getIndices(), tile))
        vector = std::min(alignment->elements, tile.getDimSize(alignment->dim));
    } else {
      auto pointers = cast<LoadOp>(load);
      if (!pointers.isPlain())
        return pointers.getIsVolatile() ? "it is volatile" : "it is not weak";
      vector = std::min<int64_t>(pointerAlignment(pointers.getPointers(), tile),
                                 int64_t(1) << getLayout(tile).toLinear().getVectorBits());
    }
    vector = std::min(vector, mostElements);
    int64_t bytes = isa<FloatTF32Type>(tile.getElementType())
                        ? 4
                        : tile.getElementType().getIntOrFloatBitWidth() / 8;
    if (vector * bytes < 4 && !TILESMITH_PLANT("pipeline-copies-two-bytes"))
      return "copies of at least 4 bytes are not known to be aligned";
    std::optional<SmallVector<Value>> tokens = outerTokens(loop, tokenOperand(load));
    if (!tokens && !TILESMITH_PLANT("pipeline-ignores-writes"))
      return "it is ordered after a write in the loop";
    AddressSlice slice;
    if (auto problem = addAddressSlice(loop, load, slice))
      return problem;
    candidates.push_back({load, vector, tile.getNumElements() * bytes});
    return std::nullopt;
  }

  bool isCandidate(Operation *op) {
    return op && llvm::any_of(candidates, [&](Candidate &one) { return one.load == op; });
  }

  /// Kept free for barriers and exchanges. Where blocks share a multiprocessor, as little as the loop seems
  /// to need, less conversions, most of which go when layouts are propagated: what turns out to be too
  /// little costs a block its company, not its life.
  int64_t reserve(tileaa::FuncOp function) {
    if (blocks == 1)
      return scratchReserve(function);
    // Left operands that do not come by copies, and that tensor memory may have no room for.
    SmallVector<DotOp> staged;
    if (tileaa::getTarget(loop->getParentOfType<ModuleOp>()).has(target::Feature::Tcgen05))
      llvm::copy_if(loop.getBody()->getOps<DotOp>(), std::back_inserter(staged), [&](DotOp dot) {
        return !isCandidate(throughConversions(dot.getLhs()).getDefiningOp());
      });
    return kBarrierBytes + llvm::alignTo(largestExchange().value_or(0), 1024) +
           bytesOfLefts(staged);
  }

  /// Warps of `mma.sync` hold whole rows of all products, and the loop computes with nothing but their sums
  /// and what is the same in all threads: when layouts are propagated no warp needs what another has, but
  /// for what rows are reduced to, and tiles from outside whose conversion cannot leave the loop. The bytes
  /// of that; nullopt for other loops.
  std::optional<int64_t> reserveOfWholeRows() {
    const target::GpuTarget &gpu = tileaa::getTarget(loop->getParentOfType<ModuleOp>());
    if (gpu.has(target::Feature::Wgmma) || gpu.has(target::Feature::Tcgen05))
      return std::nullopt;
    int64_t exchanged = 0;
    WalkResult other = loop->walk([&](Operation *op) {
      if (auto dot = dyn_cast<DotOp>(op)) {
        exchanged = std::max(exchanged, bytesOfRegroupedLeft(dot));
        return WalkResult(success(dot.getAtom() && holdsWholeRows(dot.getResult())));
      }
      if (auto reduce = dyn_cast<ReduceOp>(op)) {
        exchanged = std::max(exchanged, 2 * tileBytes(op));
        return WalkResult(success(reduce->getNumOperands() == 1 && reduce.getAxis() == 1));
      }
      if (auto convert = dyn_cast<ConvertLayoutOp>(op);
          convert && isMadeOutside(convert) && !isMadeAnew(convert))
        exchanged = std::max(exchanged, loopToLeave(convert) ? 0 : tileBytes(op));
      const bool isLocal = op == loop || isCandidate(op) || isa<scf::IfOp>(op) ||
                           op->hasTrait<OpTrait::IsTerminator>() ||
                           isa<ConvertLayoutOp, ViewOp, BroadcastOp>(op) ||
                           (isMemoryEffectFree(op) && !isa<TileASDialect>(op->getDialect()));
      return WalkResult(success(isLocal || op->getParentOfType<ReduceOp>()));
    });
    if (other.wasInterrupted())
      return std::nullopt;
    return kBarrierBytes + exchanged;
  }

  /// Bytes that the lanes of a warp exchange to have what they computed as a left operand: only fragments of
  /// 16-bit ones lie as sums do.
  int64_t bytesOfRegroupedLeft(DotOp dot) {
    Value left = throughConversions(dot.getLhs());
    auto type = cast<RankedTensorType>(left.getType());
    const int64_t bytes = bufferElementBytes(type.getElementType());
    return bytes == 2 || isMadeOutside(left) || isCandidate(left.getDefiningOp()) ||
                   TILESMITH_PLANT("cost-exchanges-not-reserved")
               ? 0
               : bytes * type.getNumElements();
  }

  /// A conversion that makes its tile anew in the other layout.
  static bool isMadeAnew(ConvertLayoutOp convert) {
    Operation *op = throughConversions(convert.getSource()).getDefiningOp();
    return op &&
           (op->hasTrait<OpTrait::ConstantLike>() || isa<tileaa::SplatOp, tileaa::MakeRangeOp>(op));
  }

  /// No two warps have elements of one row.
  static bool holdsWholeRows(Value sums) {
    auto type = cast<RankedTensorType>(sums.getType());
    return type.getRank() == 2 && llvm::all_of(getLayout(type).getWarps(), [&](int64_t basis) {
             return basis && basis % type.getDimSize(1) == 0;
           });
  }

  /// Bytes that threads exchange at once inside the loop, apart from what the pipeline takes over; nullopt
  /// where they exchange nothing.
  std::optional<int64_t> largestExchange() {
    std::optional<int64_t> largest;
    loop->walk([&](Operation *op) {
      bool local =
          isCandidate(op) || isMemoryEffectFree(op) || op->hasTrait<OpTrait::IsTerminator>();
      if (auto convert = dyn_cast<ConvertLayoutOp>(op))
        local = ComputedTile::match(convert.getSource(), getLayout(convert.getResult().getType()),
                                    [&](Value value) { return isCandidate(value.getDefiningOp()); })
                    .has_value();
      else if (auto dot = dyn_cast<DotOp>(op))
        local = dot.getAtom().has_value();
      else if (isa<TileASDialect>(op->getDialect()))
        local = isCandidate(op) || isa<ViewOp, PermuteOp, BroadcastOp>(op);
      if (op == loop || isa<scf::SCFDialect>(op->getDialect()))
        local = true;
      if (!local && (blocks == 1 || !isa<ConvertLayoutOp>(op)))
        largest = std::max(largest.value_or(0), exchangedBytes(op));
    });
    return largest;
  }

  /// What exchanges take where each is of one tile; operands of a product may meet in one.
  int64_t reserveOfOneTile() const {
    auto function = loop->getParentOfType<tileaa::FuncOp>();
    const int64_t least = scratchReserve(function);
    WalkResult large = function->walk([&](DotOp dot) {
      int64_t both = 0;
      for (Value operand : {dot.getLhs(), dot.getRhs()}) {
        auto type = cast<RankedTensorType>(operand.getType());
        both += type.getNumElements() * bufferElementBytes(type.getElementType());
      }
      return both > least && both <= kScratchReserve ? WalkResult::interrupt()
                                                     : WalkResult::advance();
    });
    return large.wasInterrupted() ? kScratchReserve : least;
  }

  /// Whether the loop has one product, a warpgroup's of two asynchronous loads, and only carries its
  /// sum: then it may go on while the next iteration begins.
  bool sumStaysInFlight() {
    if (!tileaa::getTarget(loop->getParentOfType<ModuleOp>()).has(target::Feature::Wgmma))
      return false;
    SmallVector<DotOp> dots;
    loop->walk([&](DotOp dot) { dots.push_back(dot); });
    if (dots.size() != 1 || dots[0]->getBlock() != loop.getBody())
      return false;
    DotOp dot = dots[0];
    auto acc = cast<RankedTensorType>(dot.getAcc().getType());
    auto lhs = cast<RankedTensorType>(dot.getLhs().getType());
    const WarpgroupAtom *atom = findWarpgroupAtom(lhs.getElementType(), acc.getElementType(),
                                                  dot.getSignedLhs(), dot.getSignedRhs());
    auto carried = dyn_cast<BlockArgument>(dot.getAcc());
    unsigned numWarps = 1u << getLayout(acc).getWarps().size();
    return atom &&
           (!promotesSums(*atom, dot) || TILESMITH_PLANT("wgmma-promoted-sums-in-flight")) &&
           carried && carried.getOwner() == loop.getBody() && carried != loop.getInductionVar() &&
           carried.hasOneUse() && dot.getResult().hasOneUse() &&
           loop.getYieldedValues()[carried.getArgNumber() - loop.getNumInductionVars()] ==
               dot.getResult() &&
           warpgroupShape(acc.getDimSize(0), acc.getDimSize(1), numWarps) &&
           llvm::all_of(ArrayRef<Value>{dot.getLhs(), dot.getRhs()}, [&](Value operand) {
             return llvm::any_of(candidates, [&](Candidate &one) {
               return one.load == throughConversions(operand).getDefiningOp();
             });
           });
  }

  bool hasPlainBounds() {
    APInt step;
    Type type = loop.getInductionVar().getType();
    if (!type.isIndex() && type.getIntOrFloatBitWidth() < 32) {
      reject("the induction variable is narrow");
      return false;
    }
    if (matchPattern(loop.getStep(), m_ConstantInt(&step)) && step.isStrictlyPositive() &&
        step.getActiveBits() <= 16)
      return true;
    if (canCountTurns(loop))
      return true;
    reject("the step is not a small constant");
    return false;
  }

  void annotate(int64_t stages) {
    MLIRContext *context = loop.getContext();
    annotations(loop).getNumStagesAttrHelper().setAttr(loop,
                                                       Builder(context).getI32IntegerAttr(stages));
    auto schedule = annotations(loop).getScheduleAttrHelper();
    for (auto [order, candidate] : llvm::enumerate(candidates))
      schedule.setAttr(candidate.load,
                       ScheduleAttr::get(context, /*stage=*/0, order, candidate.vector));
    for (Operation &op : loop.getBody()->without_terminator())
      if (isa<DotOp>(op))
        schedule.setAttr(&op, ScheduleAttr::get(context, stages - 1, /*order=*/-1,
                                                /*copyVector=*/0));
    if (stages == 1)
      return remark(loop, "one stage for each of " + Twine(candidates.size()) +
                              " asynchronous loads, for warps of their own to fill");
    remark(loop, "pipelined with " + Twine(stages) + " stages, " + Twine(candidates.size()) +
                     " asynchronous loads");
  }

  scf::ForOp loop;
  int64_t maxStages, blocks;
  Loads loads;
  Maps maps;
  bool remarks;
  SmallVector<Candidate> candidates;
  llvm::SmallPtrSet<Operation *, 2>
      scaledProducts; ///< whose operands tensor cores take as they are
};

struct GenerateSchedule : tileas::impl::GenerateSchedulePassBase<GenerateSchedule> {
  using GenerateSchedulePassBase::GenerateSchedulePassBase;

  void runOnOperation() override {
    const int64_t limit = TILESMITH_PLANT("pipeline-shared-of-largest-chip")
                              ? 227 * 1024
                              : tileaa::getTarget(getOperation()).maxSharedBytes;
    getOperation()->walk([&](tileaa::FuncOp function) {
      // Pointers into local memory are generic; copies need global ones.
      // Agents of the program divide the work, and the shared memory, themselves.
      bool stays = false;
      function->walk([&](Operation *op) { stays |= isa<tileaa::AllocaOp, AgentSwitchOp>(op); });
      limitToRegisters(function, leastRegisters(function));
      if (stays)
        return;
      if (blocksTogether(function) > 1)
        limitBlocks(function, limit);
      const int64_t blocks = blocksTogether(function);
      const int64_t room = blocks > 1 ? sharedOf(blocks) : limit;
      Schedule schedule = scheduleLoops(function, room, blocks, remarks,
                                        stagesOfSmallTiles(function, room, blocks));
      function->walk([](scf::ForOp loop) {
        if (annotations(loop).getNumStagesAttrHelper().isAttrPresent(loop) && canCountTurns(loop))
          countTurns(loop);
      });
      if (remarks && blocks > 1 && !schedule.stages.empty())
        function.emitRemark() << "rings of " << schedule.bytes << " bytes leave room for " << blocks
                              << " blocks on a multiprocessor";
    });
  }

  struct Schedule {
    SmallVector<int64_t> stages; ///< of each pipelined loop
    int64_t bytes = 0;           ///< of rings that live at once
  };

  int64_t sharedOf(int64_t blocks) {
    if (TILESMITH_PLANT("cost-blocks-take-all"))
      blocks = 1;
    return sharedBytesOfBlock(tileaa::getTarget(getOperation()), blocks);
  }

  Schedule scheduleLoops(tileaa::FuncOp function, int64_t limit, int64_t blocks, bool tells,
                         int64_t maxStages) {
    const Loads loads = allLoads     ? Loads::all
                        : loadsAlone ? Loads::ofKernelsWithoutProducts
                                     : Loads::ofProducts;
    const Maps maps = !deepRings ? Maps::none : hostMaps ? Maps::ofHost : Maps::ofDevice;
    // Loops that do not contain each other share their memory.
    SmallVector<std::pair<scf::ForOp, int64_t>> done;
    function->walk([&](scf::ForOp loop) {
      int64_t available = limit;
      for (auto &[other, bytes] : done)
        if (loop->isAncestor(other) || other->isAncestor(loop))
          available -= bytes;
      if (int64_t bytes = LoopScheduler(loop, maxStages, blocks, loads, maps, tells).run(available))
        done.push_back({loop, bytes});
    });
    Schedule schedule;
    for (auto &[loop, bytes] : done) {
      int64_t together = 0;
      for (auto &[other, otherBytes] : done)
        if (loop->isAncestor(other) || other->isAncestor(loop))
          together += otherBytes;
      schedule.bytes = std::max(schedule.bytes, together);
      schedule.stages.push_back(annotations(loop).getNumStagesAttrHelper().getAttr(loop).getInt());
    }
    return schedule;
  }

  /// Of tiles so small that `num-stages` of them do not cover a round trip to memory warps of their own keep
  /// more under way, as long as the cost model says that another stage gains.
  int64_t stagesOfSmallTiles(tileaa::FuncOp function, int64_t room, int64_t blocks) {
    const target::GpuTarget &gpu = tileaa::getTarget(getOperation());
    if (!deepRings || !gpu.has(target::Feature::TensorCopy))
      return numStages;
    int64_t stages = numStages;
    std::optional<double> clocks;
    bool agentsFill = false;
    for (int64_t more = numStages; more <= 2 * numStages; ++more) {
      scheduleLoops(function, room, blocks, false, more);
      const std::optional<double> predicted = clocksOfAgents(function);
      const bool gains = predicted && (!clocks || *predicted < kWorthAStage * *clocks);
      if (gains)
        agentsFill = chooseStrategy(function, gpu, hostMaps).way.agents;
      dropSchedule(function);
      if (!gains)
        break;
      stages = more;
      clocks = predicted;
    }
    return agentsFill ? stages : int64_t(numStages);
  }

  /// Predicted for a scheduled kernel with products, if warps of their own can fill its rings by tensor copies.
  std::optional<double> clocksOfAgents(tileaa::FuncOp function) {
    CostModel model(function, tileaa::getTarget(getOperation()), hostMaps);
    if (!(model.hasTensorCopies() || model.isFedByThreads()) || model.hasOnlyLoads() ||
        specializationProblem(function, WarpSpecialization()))
      return std::nullopt;
    return model
        .predict({.agents = true, .tensorCopies = true},
                 specializedStages(function, WarpSpecialization()))
        .clocks;
  }

  /// The hint asks for more blocks than there are registers for: nobody should save for those, and ptxas
  /// refuses what does not fit at all.
  void limitToRegisters(tileaa::FuncOp function, int64_t registers) {
    const int64_t hint = blocksTogether(function), warps = std::max<int64_t>(warpsOf(function), 1);
    int64_t blocks = hint;
    while (blocks > 1 && registerBudget(warps, 0, 0, blocks) < registers)
      --blocks;
    if (blocks == hint)
      return;
    setBlocksTogether(function, blocks);
    if (remarks)
      function.emitRemark() << registers << " registers of a thread leave room for " << blocks
                            << " of the " << hint << " blocks that the hint asks for";
  }

  /// Each of several blocks needs registers for what its threads hold, and two stages of all pipelines that
  /// it has alone.
  void limitBlocks(tileaa::FuncOp function, int64_t limit) {
    const size_t alone = scheduleLoops(function, limit, 1, false, numStages).stages.size();
    if (alone)
      limitToRegisters(
          function, CostModel(function, tileaa::getTarget(getOperation()), hostMaps).liveWords());
    dropSchedule(function);
    const int64_t most = blocksTogether(function);
    int64_t blocks = most;
    for (; blocks > 1; --blocks) {
      Schedule schedule = scheduleLoops(function, sharedOf(blocks), blocks, false, numStages);
      dropSchedule(function);
      if (schedule.stages.size() == alone &&
          llvm::all_of(schedule.stages, [](int64_t stages) { return stages > 1; }))
        break;
    }
    if (blocks == most)
      return;
    setBlocksTogether(function, blocks);
    if (remarks)
      function.emitRemark() << "two stages of all pipelines fit into the shared memory of "
                            << blocks << " of " << most << " blocks";
  }
};

} // namespace
