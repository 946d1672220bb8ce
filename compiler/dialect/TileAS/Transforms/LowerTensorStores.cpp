//===- LowerTensorStores.cpp - tileas-lower-tensor-stores -------------------------------------===//
//
// Weak stores of tiles of views go to memory by tensor copies: the threads write the tile to shared memory
// as they hold it, one thread starts the copies, which leave out what lies outside of the tensor. No thread
// computes an address or a bound, and no layout has to be brought into rows.
//
// The pass notes on a store the arrangement of the tile in shared memory (`staging`): of those that boxes can
// give (TensorBox.h) the one that takes the fewest passes of the banks to write and requests of memory to copy,
// the widest swizzle among equals: sums of 32 bits meet conflicts under 128 bytes, but panels of 32 bytes take
// four times as many requests. What converted the value's layout goes.
//
// A store qualifies when
//   * the target has tensor copies, and its hint does not say allow_tma = false;
//   * the view is made outside of loops and branches, in the code of the same warps, and no static stride
//     forbids a tensor map. Everything else is tested when the kernel runs;
//   * the tile fits into shared memory where no buffer lives: behind the loops that read the rings this is
//     the rings' own memory, else what they leave.
// With `chosen`, only stores that run once behind a loop of products, whose memory is known to be described
// by a map that host code makes, and that threads would have to bring into rows in rounds. There an H200 was as fast
// or faster with the copies; with tiles that go at once, or are stored as threads hold them, it was 1 to 4 % slower
// (ci/gpu-day/README.md), for the block ends only when a copy has read what all warps have written.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/dialect/TileAS/IR/IssueSlice.h"
#include "compiler/dialect/TileAS/IR/SharedAccess.h"
#include "compiler/dialect/TileAS/IR/TensorBox.h"
#include "compiler/dialect/TileAS/IR/TileAS.h"
#include "compiler/dialect/TileAS/Transforms/AccessAlignment.h"
#include "compiler/dialect/TileAS/Transforms/BlocksTogether.h"
#include "compiler/dialect/TileAS/Transforms/Passes.h"
#include "compiler/dialect/TileAS/Transforms/PipelineUses.h"
#include "compiler/target/Targets.h"

#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas;

namespace tilesmith::tileas {
#define GEN_PASS_DEF_LOWERTENSORSTORESPASS
#include "compiler/dialect/TileAS/Transforms/Passes.h.inc"
} // namespace tilesmith::tileas

namespace {

/// Maps of one kernel's stores: each takes room in shared and in global memory.
constexpr unsigned kMaxStoreMaps = 4;
/// A copy asks memory for a row of a box at once, at most for these bytes of it.
constexpr int64_t kRequestBytes = 128;
/// Where a swizzle of 128 bytes begins anew, as buffers and staged tiles do.
constexpr int64_t kAlignment = 1024;

/// The value in the layout in which threads hold it.
Value heldValue(TiledStoreOp store) {
  auto convert = store.getValue().getDefiningOp<ConvertLayoutOp>();
  return convert ? convert.getSource() : store.getValue();
}

int64_t tileBytes(RankedTensorType type) {
  return type.getNumElements() * bufferElementBytes(type.getElementType());
}

/// The dimension of the tile along which memory is contiguous, as far as static strides tell.
std::optional<unsigned> contiguousDim(tileaa::TiledViewType view) {
  for (auto [dim, tensorDim] : llvm::enumerate(view.getDimMap()))
    if (view.getMemref().getStrides()[tensorDim] == 1 && view.getTileShape()[dim] > 1)
      return dim;
  return std::nullopt;
}

/// The arrangement that takes the fewest passes of the banks to write, and requests of rows to copy; null when no
/// box gives one.
SharedLayoutAttr stagingLayout(RankedTensorType held, unsigned contiguous, bool hasStMatrix) {
  const int64_t bytes = bufferElementBytes(held.getElementType());
  LayoutAttr layout = getLayout(held);
  SharedLayoutAttr best;
  int64_t lowest = std::numeric_limits<int64_t>::max();
  for (int64_t width : {128, 64, 32, 0}) {
    SharedLayoutAttr candidate =
        tensorBoxLayout(held.getContext(), held.getShape(), contiguous, width, bytes);
    if (!candidate)
      continue;
    LayoutAttr offsets = candidate.offsetsOf(layout);
    std::optional<LdMatrixPlan> matrices =
        hasStMatrix ? planStagingMatrices(layout, candidate, bytes) : std::nullopt;
    const int64_t atOnce =
        matrices ? matrices->registersPerInstruction : sharedVector(offsets, bytes);
    const int64_t passes = countWavefronts(readAccess(offsets, bytes, matrices.has_value())) *
                           (matrices ? matrices->matrices : 1),
                  accesses = layout.getNumRegisters() / atOnce << layout.getWarps().size(),
                  requests = tileBytes(held) / (width ? width : kRequestBytes);
    const int64_t cost = passes * accesses + requests;
    if (cost < lowest) {
      lowest = cost;
      best = candidate;
    }
  }
  return best;
}

//===- shared memory ------------------------------------------------------------------------------//

bool usesBuffers(Operation *op) {
  return isa<AllocTensorOp, TensorMemoryStageOp, TensorMemoryDotOp, DotOp>(op) ||
         llvm::any_of(op->getOperandTypes(), llvm::IsaPred<PipelineType>);
}

/// Whether only warps of this agent wait for what comes into the buffers that agents share.
bool readsAllBuffers(Region &agent) {
  WalkResult others = agent.getParentOfType<tileaa::FuncOp>()->walk([&](AllocTensorOp alloc) {
    if (agent.isAncestor(alloc->getParentRegion()))
      return WalkResult::advance();
    for (Operation *user : alloc->getUsers()) {
      auto create = dyn_cast<CreatePipelineOp>(user);
      if (!create)
        return WalkResult::interrupt();
      for (Operation *use : create.getPipeline().getUsers())
        if (isa<ConsumerWaitOp>(use) &&
            (!agent.isAncestor(use->getParentRegion()) || isDoneByOtherAgent(use)))
          return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return !others.wasInterrupted();
}

/// Whether the store runs once, and behind whatever the warps that run it do with buffers.
bool isBehindBuffers(TiledStoreOp store) {
  Operation *around = store->getParentOp();
  if (!isa<tileaa::FuncOp, AgentSwitchOp>(around) ||
      (isa<AgentSwitchOp>(around) && !readsAllBuffers(*store->getParentRegion())))
    return false;
  for (Operation *next = store->getNextNode(); next; next = next->getNextNode()) {
    WalkResult uses = next->walk([](Operation *op) {
      return usesBuffers(op) ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (uses.wasInterrupted())
      return false;
  }
  return true;
}

int64_t bytesOfBuffers(tileaa::FuncOp function) {
  int64_t bytes = 0;
  function->walk([&](AllocTensorOp alloc) {
    auto type = cast<RankedTensorType>(alloc.getResult().getType());
    bytes += llvm::alignTo(tileBytes(type), kAlignment) * alloc.getStages();
  });
  return bytes;
}

/// Shared memory of a block that stages the tile, at most.
int64_t bytesWithStaging(TiledStoreOp store, int64_t buffers) {
  const int64_t tile =
      llvm::alignTo(tileBytes(cast<RankedTensorType>(store.getValue().getType())), kAlignment);
  return kBarrierBytes + kAlignment +
         (isBehindBuffers(store) ? std::max(buffers, tile) : buffers + tile);
}

/// Without it, as far as the tiles tell that threads exchange.
int64_t bytesWithoutStaging(tileaa::FuncOp function, int64_t buffers) {
  int64_t most = 0;
  function->walk([&](Operation *op) {
    if (isa<ConvertLayoutOp, ReduceOp>(op))
      most = std::max(most, exchangedBytes(op));
  });
  return kBarrierBytes + buffers + most;
}

//===- which stores -------------------------------------------------------------------------------//

/// Why no tensor copies store the tile, whoever wants them; nothing if they can, and `layout` is how it is staged.
std::optional<std::string> storeProblem(TiledStoreOp store, const target::GpuTarget &gpu,
                                        SharedLayoutAttr &layout) {
  auto view = cast<tileaa::TiledViewType>(store.getView().getType());
  auto type = cast<RankedTensorType>(store.getValue().getType());
  Type element = type.getElementType();
  if (store.getMemSemantic() != tileaa::MemSemantic::weak)
    return "it orders other accesses";
  if (!allowsTma(store))
    return "its hint forbids it";
  if (view.isGather())
    return "its view scatters";
  if (!element.isIntOrFloat() || element.getIntOrFloatBitWidth() < 8)
    return "its elements are no whole bytes";
  Operation *made = store.getView().getDefiningOp();
  auto agents = store->getParentOfType<AgentSwitchOp>();
  if (!made || made->getParentOp() !=
                   (agents ? agents.getOperation() : store->getParentOfType<tileaa::FuncOp>()))
    return "its view is made inside of a loop or branch";
  if (agents && !agents.getAgents().front().isAncestor(store->getParentRegion()))
    return "warps behind others store it";
  auto function = store->getParentOfType<tileaa::FuncOp>();
  if (function->walk([](tileaa::AllocaOp) { return WalkResult::interrupt(); }).wasInterrupted())
    return "the kernel has memory of its own";
  std::optional<unsigned> contiguous = contiguousDim(view);
  if (!contiguous)
    return "its rows are not contiguous in memory";
  layout = stagingLayout(cast<RankedTensorType>(heldValue(store).getType()), *contiguous,
                         gpu.has(target::Feature::StMatrix));
  if (!layout)
    return "no box fits its tile";
  if (auto problem =
          staticStrideProblem(*recogniseTensorBox(layout, bufferElementBytes(element)), view))
    return problem;
  const int64_t needed = bytesWithStaging(store, bytesOfBuffers(function)),
                left = sharedBytesOfBlock(gpu, blocksTogether(function));
  if (needed > left)
    return "it needs " + std::to_string(needed) + " bytes of shared memory, " +
           std::to_string(left) + " are there";
  return std::nullopt;
}

/// Why they would not pay where nobody asked for them.
std::optional<std::string> choiceProblem(TiledStoreOp store, const target::GpuTarget &gpu,
                                         bool hostMaps) {
  auto function = store->getParentOfType<tileaa::FuncOp>();
  if (store->getParentOfType<LoopLikeOpInterface>())
    return "it stands in a loop, which would wait for the copy";
  bool hasProducts = function
                         ->walk([](Operation *op) {
                           return isa<DotOp, TensorMemoryDotOp>(op) ? WalkResult::interrupt()
                                                                    : WalkResult::advance();
                         })
                         .wasInterrupted();
  if (!hasProducts)
    return "the kernel has no products";
  if (!exchangesInRounds(store.getValue().getDefiningOp()))
    return "threads store it without rounds of exchanges";
  auto make = store.getView().getDefiningOp()->getOperand(0).getDefiningOp<tileaa::MakeMemRefOp>();
  Value base = make ? make.getBase() : Value();
  while (base && base.getDefiningOp<tileaa::AssumeOp>())
    base = base.getDefiningOp()->getOperand(0);
  if (!hostMaps || !base || !isa<BlockArgument>(base))
    return "each block would have to make the tensor map";
  auto type = cast<RankedTensorType>(store.getValue().getType());
  std::optional<AccessAlignment> memory = viewAlignment(store.getView(), store.getIndices(), type);
  if (!memory || memory->elements * bufferElementBytes(type.getElementType()) < 16)
    return "base and strides are not known to be multiples of 16 bytes";
  const int64_t buffers = bytesOfBuffers(function), all = gpu.maxSharedBytes;
  if (all / bytesWithStaging(store, buffers) < all / bytesWithoutStaging(function, buffers))
    return "its shared memory would leave room for fewer blocks";
  return std::nullopt;
}

/// Stores the value as it is held, by way of `layout`.
void stage(TiledStoreOp store, SharedLayoutAttr layout) {
  annotations(store).getStagingAttrHelper().setAttr(store, layout);
  auto convert = store.getValue().getDefiningOp<ConvertLayoutOp>();
  if (!convert)
    return;
  store.getValueMutable().assign(convert.getSource());
  if (convert->use_empty())
    convert.erase();
}

struct LowerTensorStores : tileas::impl::LowerTensorStoresPassBase<LowerTensorStores> {
  using LowerTensorStoresPassBase::LowerTensorStoresPassBase;

  void runOnOperation() override {
    const target::GpuTarget &gpu = tileaa::getTarget(getOperation());
    if (!gpu.has(target::Feature::TensorCopy))
      return;
    getOperation()->walk([&](tileaa::FuncOp function) {
      llvm::SmallDenseSet<std::pair<Value, Attribute>, 4> maps;
      SmallVector<TiledStoreOp> stores;
      function->walk([&](TiledStoreOp store) { stores.push_back(store); });
      for (TiledStoreOp store : stores)
        lower(store, gpu, maps);
    });
  }

  void lower(TiledStoreOp store, const target::GpuTarget &gpu,
             llvm::SmallDenseSet<std::pair<Value, Attribute>, 4> &maps) {
    SharedLayoutAttr layout;
    std::optional<std::string> problem = storeProblem(store, gpu, layout);
    if (!problem && chosen)
      problem = choiceProblem(store, gpu, hostMaps);
    if (problem)
      return tell(store, "no tensor copies of the result: " + *problem);
    auto held = cast<RankedTensorType>(heldValue(store).getType());
    std::pair<Value, Attribute> map{store.getView(), layout};
    if (!maps.contains(map) && maps.size() == kMaxStoreMaps)
      return tell(store, "no tensor copies of the result: too many tensor maps");
    maps.insert(map);
    TensorBox box = *recogniseTensorBox(layout, bufferElementBytes(held.getElementType()));
    stage(store, layout);
    tell(store, "tensor copies of the result: " + Twine(box.countPieces(held.getShape())) +
                    " boxes of " + Twine(box.bytes()) + " bytes, swizzle " + Twine(box.width));
  }

  void tell(Operation *op, const Twine &text) {
    if (remarks)
      op->emitRemark() << text;
  }
};

} // namespace
