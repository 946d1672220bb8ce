//===- LowerTma.cpp - tileas-lower-tma-load-store-to-async ------------------------------------===//
//
// Copies of tiles of views into a pipeline become bulk copies that complete on the barrier of their
// stage, in one of two forms:
//
//   tma_tensor_load   (option `tensor-maps`) a few tensor copies per tile, started by one thread
//                     through a tensor map that the block makes for itself (TensorMaps.h); parts
//                     outside of the tensor become zero. The buffer takes the swizzle under which
//                     its readers meet the fewest bank conflicts; one that a warpgroup product
//                     reads has a fitting swizzle already.
//   tma_load          (option `rows`) where the tile lies inside of the tensor, one copy per row
//
// A copy qualifies when
//   * the target is sm_90 or newer, and the load does not say allow_tma = false;
//   * the pipeline stands in the kernel's outermost block, so that its barriers are made once;
//   * for tensor copies: some box gives the arrangement of the buffer (TensorBox.h), the view is
//     made outside of loops and branches, or host code can make its map (HostTensor.h), at most kMaxMaps
//     maps of each kind are made, and no static stride forbids it. Everything else is tested when the kernel runs, and paddings other than zero
//     leave ragged tiles to the threads;
//   * for rows: they have a multiple of 16 bytes and start at multiples of 16 bytes, as far as is
//     known, and no product reads the slot itself: it prescribes a swizzle, which rows do not keep.
// The pipelines of such copies take mbarriers.
//
// Where all blocks of a cluster copy the same tile into a buffer, each copies a part of it for all
// (Multicast.h): as many boxes for each, which may have to be smaller. Only chips with warpgroup products
// or tensor memory do that at full speed.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/dialect/TileAS/IR/HostTensor.h"
#include "compiler/dialect/TileAS/IR/SharedAccess.h"
#include "compiler/dialect/TileAS/IR/TensorBox.h"
#include "compiler/dialect/TileAS/IR/TileAS.h"
#include "compiler/dialect/TileAS/Transforms/Multicast.h"
#include "compiler/dialect/TileAS/Transforms/Passes.h"
#include "compiler/dialect/TileAS/Transforms/PipelineLoop.h"
#include "compiler/dialect/TileAS/Transforms/PipelineUses.h"
#include "compiler/target/Targets.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallSet.h"

#include <limits>

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas;

namespace tilesmith::tileas {
#define GEN_PASS_DEF_LOWERTMAPASS
#include "compiler/dialect/TileAS/Transforms/Passes.h.inc"
} // namespace tilesmith::tileas

namespace {

/// Maps of one kernel: each takes room in shared and in global memory.
constexpr unsigned kMaxMaps = 8;

CreatePipelineOp pipelineOf(AsyncTiledLoadOp load) {
  auto write = cast<ProducerWriteOp>(cast<BlockArgument>(load.getSlot()).getOwner()->getParentOp());
  return write.getPipeline().getDefiningOp<CreatePipelineOp>();
}
unsigned bufferOf(AsyncTiledLoadOp load) {
  return cast<BlockArgument>(load.getSlot()).getArgNumber();
}

/// Why the copy stays as it is, in either form.
std::optional<std::string> commonProblem(AsyncTiledLoadOp load) {
  if (!allowsTma(load))
    return "its hint forbids it";
  if (cast<tileaa::TiledViewType>(load.getView().getType()).isGather())
    return "its view gathers";
  if (cast<RankedTensorType>(load.getSlot().getType()).getElementType().isInteger(1))
    return "its elements are bits";
  if (!isa<tileaa::FuncOp>(pipelineOf(load)->getParentOp()))
    return "its pipeline stands inside of another operation";
  return std::nullopt;
}

//===- tensor copies ------------------------------------------------------------------------------//

/// The swizzle for which the readers of a buffer need the fewest passes of the banks, the widest
/// among equals; null when no box fits the buffer.
SharedLayoutAttr boxLayout(CreatePipelineOp pipeline, unsigned buffer) {
  auto type = cast<RankedTensorType>(pipeline.getBuffers()[buffer].getType());
  SharedLayoutAttr plain = getSharedLayout(type), best;
  int64_t bytes = bufferElementBytes(type.getElementType());
  SmallVector<CopyOp> copies;
  for (Value slot : slotsOf(pipeline, buffer)) {
    if (isReadByProduct(slot))
      return recogniseTensorBox(plain, bytes) ? plain : SharedLayoutAttr();
    for (Operation *user : slot.getUsers())
      if (auto copy = dyn_cast<CopyOp>(user))
        copies.push_back(copy);
  }
  int64_t stride = 1;
  unsigned contiguous = type.getRank() - 1;
  while (contiguous > 0 && !plain.getOffsets().empty() && stride != plain.getOffsets()[0])
    stride *= type.getDimSize(contiguous--);
  int64_t lowest = std::numeric_limits<int64_t>::max();
  for (int64_t width : {128, 64, 32, 0}) {
    SharedLayoutAttr layout =
        tensorBoxLayout(plain.getContext(), type.getShape(), contiguous, width, bytes);
    if (!layout)
      continue;
    int64_t cost = 0;
    bool fits = true;
    for (CopyOp copy : copies) {
      LayoutAttr offsets = layout.offsetsOf(getLayout(copy.getResult().getType()));
      bool ldmatrix = copy.getAtom() == "ldmatrix";
      fits &= !ldmatrix || planLdMatrix(offsets, bytes);
      cost += fits ? countWavefronts(readAccess(offsets, bytes, ldmatrix)) : 0;
    }
    if (fits && cost < lowest) {
      lowest = cost;
      best = layout;
    }
  }
  return best;
}

/// Why no tensor copies bring the tile.
std::optional<std::string> tensorProblem(AsyncTiledLoadOp load, bool hostMaps) {
  if (!mayHaveTensorMap(load.getView(), hostMaps))
    return "its view is made inside of a loop or branch";
  auto type = cast<tileaa::TiledViewType>(load.getView().getType());
  auto slot = cast<RankedTensorType>(load.getSlot().getType());
  SharedLayoutAttr layout = boxLayout(pipelineOf(load), bufferOf(load));
  if (!layout)
    return "shared-memory layout is not TMA-compatible";
  return staticStrideProblem(*recogniseTensorBox(layout, bufferElementBytes(slot.getElementType())),
                             type);
}

/// Why the blocks of a cluster do not copy the tiles of a buffer together.
std::optional<std::string> multicastProblem(ArrayRef<AsyncTiledLoadOp> loads, const TensorBox &box,
                                            int64_t blocks) {
  if (!castsFast(tileaa::getTarget(loads.front()->getParentOfType<ModuleOp>())))
    return "the target is slow at it";
  for (AsyncTiledLoadOp load : loads) {
    SmallVector<Value> place{load.getView()};
    llvm::append_range(place, load.getIndices());
    if (!sameInCluster(place))
      return "each block reads a tile of its own";
    if (!boxOfPart(box, cast<RankedTensorType>(load.getSlot().getType()).getShape(), blocks))
      return "its boxes are too small to be divided among " + std::to_string(blocks) + " blocks";
  }
  return std::nullopt;
}

//===- copies of rows -----------------------------------------------------------------------------//

/// Why rows do not come by bulk copies.
std::optional<std::string> rowProblem(AsyncTiledLoadOp load) {
  auto type = cast<RankedTensorType>(load.getSlot().getType());
  SharedLayoutAttr layout = getSharedLayout(type);
  int64_t bytes = bufferElementBytes(type.getElementType());
  ArrayRef<int64_t> registers = load.getLayout().getRegisters();
  if (registers.empty() || load.getVector() * bytes != 16)
    return "its rows are not known to start at multiples of 16 bytes";
  // The dimension of a row is that of the copy's first registers; rows lie as they are in memory.
  int64_t stride = 1;
  unsigned dim = type.getRank() - 1;
  while (stride != registers[0] && dim > 0)
    stride *= type.getDimSize(dim--);
  int64_t extent = type.getDimSize(dim);
  if (stride != registers[0] || extent * bytes < 16)
    return "its rows have less than 16 bytes";
  for (int64_t at = 1, bit = 0; at < extent; at *= 2, ++bit)
    if (layout.getOffsets()[bit] != at * stride)
      return "its rows are not kept in one piece";
  if (llvm::any_of(slotsOf(pipelineOf(load), bufferOf(load)), isReadByProduct))
    return "a product reads it in a layout of its own";
  return std::nullopt;
}

struct LowerTma : tileas::impl::LowerTmaPassBase<LowerTma> {
  using LowerTmaPassBase::LowerTmaPassBase;

  /// The loads that fill one buffer of one pipeline take tensor copies together, for they share its
  /// layout.
  void useTensorCopies(tileaa::FuncOp function) {
    llvm::MapVector<std::pair<Operation *, unsigned>, SmallVector<AsyncTiledLoadOp>> buffers;
    function->walk([&](AsyncTiledLoadOp load) {
      buffers[{pipelineOf(load), bufferOf(load)}].push_back(load);
    });
    llvm::SmallDenseSet<std::pair<std::pair<Value, Attribute>, std::pair<Type, int64_t>>, 8> maps,
        mapsOfLoops;
    for (auto &[buffer, loads] : buffers) {
      auto pipeline = cast<CreatePipelineOp>(buffer.first);
      std::optional<std::string> problem;
      for (AsyncTiledLoadOp load : loads) {
        if (!problem)
          problem = commonProblem(load);
        if (!problem)
          problem = tensorProblem(load, hostMaps);
      }
      if (problem) {
        tell(loads.front(), "no tensor copies: " + *problem);
        continue;
      }
      SharedLayoutAttr layout = boxLayout(pipeline, buffer.second);
      auto slot = cast<RankedTensorType>(pipeline.getBuffers()[buffer.second].getType());
      TensorBox box = *recogniseTensorBox(layout, bufferElementBytes(slot.getElementType()));
      const int64_t blocks = clusterBlocks(function);
      if (blocks > 1)
        problem = multicastProblem(loads, box, blocks);
      const int64_t multicast = problem ? 1 : blocks;
      auto more = maps, moreOfLoops = mapsOfLoops;
      for (AsyncTiledLoadOp load : loads) {
        const bool isOfLoop = !mayHaveTensorMap(load.getView(), /*hostMaps=*/false);
        (isOfLoop ? moreOfLoops : more)
            .insert({{load.getView(), layout}, {slot.getElementType(), multicast}});
      }
      if (std::max(more.size(), moreOfLoops.size()) > kMaxMaps) {
        tell(loads.front(), "no tensor copies: too many device TMA descriptors");
        continue;
      }
      maps = std::move(more);
      mapsOfLoops = std::move(moreOfLoops);
      setBufferLayout(pipeline, buffer.second, layout);
      box = *boxOfPart(box, slot.getShape(), multicast);
      for (AsyncTiledLoadOp load : loads) {
        load.setAtom(kTensorLoadAtom);
        load.setMulticast(multicast);
      }
      useBarriers(pipeline);
      tell(loads.front(), "tensor copies: " + Twine(box.countPieces(slot.getShape())) +
                              " boxes of " + Twine(box.bytes()) + " bytes, swizzle " +
                              Twine(box.width));
      if (problem)
        tell(loads.front(), "no multicast: " + *problem);
      else if (blocks > 1)
        tell(loads.front(), "multicast: each of " + Twine(blocks) + " blocks copies 1/" +
                                Twine(blocks) + " of the tile for all");
    }
  }

  void useRows(tileaa::FuncOp function) {
    function->walk([&](AsyncTiledLoadOp load) {
      if (load.getAtom())
        return;
      std::optional<std::string> problem = commonProblem(load);
      if (!problem)
        problem = rowProblem(load);
      if (problem)
        return tell(load, "no bulk copies: " + *problem);
      load.setAtom("tma_load");
      useBarriers(pipelineOf(load));
    });
  }

  static void useBarriers(CreatePipelineOp pipeline) {
    if (!pipeline.getMbarriers())
      useMbarriers(pipeline);
  }

  void tell(Operation *op, const Twine &text) {
    if (remarks)
      op->emitRemark() << text;
  }

  void runOnOperation() override {
    if (!tileaa::getTarget(getOperation()).has(target::Feature::TensorCopy))
      return;
    getOperation()->walk([&](tileaa::FuncOp function) {
      if (chosen && !chosenStrategy(function).getTensorMap())
        return;
      if (tensorMaps)
        useTensorCopies(function);
      if (rows)
        useRows(function);
    });
  }
};

} // namespace
