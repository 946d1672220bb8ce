//===- PipelineOps.cpp - asynchronous pipelines: shared layouts and verifiers -----------------===//
#include "compiler/dialect/TileAS/IR/TensorBox.h"
#include "compiler/dialect/TileAS/IR/TileAS.h"
#include "compiler/dialect/TileAS/IR/TokenPool.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas;

//===- SharedLayoutAttr -----------------------------------------------------------------------===//

LogicalResult SharedLayoutAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                       ArrayRef<int64_t> shape, ArrayRef<int64_t> offsets) {
  int64_t elements = 1;
  for (int64_t extent : shape) {
    if (extent <= 0 || !llvm::isPowerOf2_64(extent))
      return emitError() << "layout extents must be powers of two, got " << extent;
    elements *= extent;
  }
  // A basis of zero leaves places empty.
  if (offsets.size() - llvm::count(offsets, 0) != llvm::Log2_64(elements))
    return emitError() << "expected " << llvm::Log2_64(elements) << " offset bases, got "
                       << offsets.size() - llvm::count(offsets, 0);
  for (int64_t basis : offsets)
    if (basis < 0 || basis >= elements)
      return emitError() << "layout basis " << basis << " is outside of the " << elements
                         << " elements of the tile";
  if (!LinearLayout::shared(offsets, shape).isSurjective())
    return emitError() << "offset bases leave out elements of the tile";
  return success();
}

LinearLayout SharedLayoutAttr::toLinear() const {
  return LinearLayout::shared(getOffsets(), getShape());
}

SmallVector<int64_t> SharedLayoutAttr::getElementOffsets() const {
  LinearLayout::FlatBases bases = *toLinear().getInverseBases(InDim::Offset);
  return SmallVector<int64_t>(bases.begin(), bases.end());
}

LayoutAttr SharedLayoutAttr::offsetsOf(LayoutAttr layout) const {
  SmallVector<int64_t> offsets = getElementOffsets();
  auto map = [&](ArrayRef<int64_t> bases) {
    SmallVector<int64_t> result;
    for (int64_t basis : bases) {
      int64_t offset = 0;
      for (auto [bit, part] : llvm::enumerate(offsets))
        if (basis >> bit & 1)
          offset ^= part;
      result.push_back(offset);
    }
    return result;
  };
  return LayoutAttr::get(getContext(), {int64_t(1) << getOffsets().size()},
                         map(layout.getRegisters()), map(layout.getLanes()),
                         map(layout.getWarps()));
}

SharedLayoutAttr tileas::getSharedLayout(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? dyn_cast_or_null<SharedLayoutAttr>(tensor.getEncoding()) : SharedLayoutAttr();
}

//===- verifiers ------------------------------------------------------------------------------===//

static LogicalResult verifyShared(Operation *op, Type type) {
  SharedLayoutAttr layout = getSharedLayout(type);
  if (!layout || layout.getShape() != cast<RankedTensorType>(type).getShape())
    return op->emitOpError("expected a tile with a shared-memory layout of its shape, got ")
           << type;
  return success();
}

LogicalResult AllocTensorOp::verify() {
  if (getStages() < 1)
    return emitOpError("expected at least one stage, got ") << getStages();
  return verifyShared(*this, getResult().getType());
}

/// Slot and tile agree in shape and element type.
static LogicalResult verifySlot(Operation *op, Type slot, Type tile) {
  auto left = cast<RankedTensorType>(slot), right = cast<RankedTensorType>(tile);
  if (left.getShape() != right.getShape() || left.getElementType() != right.getElementType())
    return op->emitOpError("expected slot and tile with equal shape and element type, got ")
           << slot << " and " << tile;
  return verifyShared(op, slot);
}

LogicalResult CopyOp::verify() {
  if (!getLayout(getResult().getType()))
    return emitOpError("expected a layout on ") << getResult().getType();
  return verifySlot(*this, getSource().getType(), getResult().getType());
}

LogicalResult WriteOp::verify() {
  if (!getLayout(getSource().getType()))
    return emitOpError("expected a layout on ") << getSource().getType();
  return verifySlot(*this, getSlot().getType(), getSource().getType());
}

/// The pool of a tile block is all there is: order by other means would be lost silently.
LogicalResult InitMemTokensOp::verify() {
  if (getHandles().size() != getProducers().size())
    return emitOpError("expected one handle for each of ")
           << getProducers().size() << " producers, got " << getHandles().size();
  for (int32_t arrivals : getProducers())
    if (arrivals < 1)
      return emitOpError("expected tokens of at least one producer, got ") << arrivals;
  if (getProducers().size() <= kTokenPoolSize)
    return success();
  InFlightDiagnostic diagnostic = emitError("failed to init mbarrier");
  diagnostic.attachNote() << "a tile block has " << kTokenPoolSize
                          << " mbarriers for tokens, this kernel needs " << getProducers().size()
                          << " at the same time";
  return diagnostic;
}

LogicalResult AsyncTiledLoadOp::verify() {
  auto slot = cast<RankedTensorType>(getSlot().getType());
  if (getLayout().getShape() != slot.getShape())
    return emitOpError("expected a layout of the shape of ") << slot;
  if (getAtom() == kTensorLoadAtom) {
    Type element = slot.getElementType();
    bool isWhole = element.isIntOrFloat() && element.getIntOrFloatBitWidth() >= 8;
    if (SharedLayoutAttr layout = getSharedLayout(slot);
        !isWhole || !layout || !recogniseTensorBox(layout, bufferElementBytes(element)))
      return emitOpError("shared-memory layout is not TMA-compatible: smem layout is not TMA "
                         "compatible, got ")
             << slot;
  } else if (getAtom() && *getAtom() != "tma_load")
    return emitOpError("expect a ldgsts, tma_load, ldg or unknown_copy atom type: got ")
           << getAtomAttr();
  if (int64_t blocks = getMulticast(); blocks != 1) {
    auto function = (*this)->getParentOfType<tileaa::FuncOp>();
    if (getAtom() != kTensorLoadAtom || !function || clusterBlocks(function) != blocks)
      return emitOpError("expected tensor copies in a cluster of ") << blocks << " blocks";
    if (!boxOfPart(
            *recogniseTensorBox(getSharedLayout(slot), bufferElementBytes(slot.getElementType())),
            slot.getShape(), blocks))
      return emitOpError("expected a tile that ") << blocks << " blocks can divide, got " << slot;
  }
  return verifyShared(*this, slot);
}

LogicalResult AsyncLoadOp::verify() {
  auto slot = cast<RankedTensorType>(getSlot().getType());
  auto pointers = cast<RankedTensorType>(getPointers().getType());
  if (!getLayout(pointers) || pointers.getShape() != slot.getShape())
    return emitOpError("expected pointers with a layout and the shape of ") << slot;
  return verifyShared(*this, slot);
}

LogicalResult CreatePipelineOp::verify() {
  for (Value buffer : getBuffers()) {
    auto alloc = buffer.getDefiningOp<AllocTensorOp>();
    if (!alloc || alloc.getStages() != getPipeline().getType().getStages())
      return emitOpError("expected buffers of 'nv_tileas.alloc_tensor' with ")
             << getPipeline().getType().getStages() << " stages";
  }
  return success();
}

/// The arguments of a pipeline region are the slots of the pipeline's buffers, its terminator
/// yields the results of the operation.
static LogicalResult verifyRegion(Operation *op, Value pipeline, Block &body) {
  auto create = pipeline.getDefiningOp<CreatePipelineOp>();
  if (!create)
    return op->emitOpError(
        "expected the pipeline of an 'nv_tileas.async.pipeline.create_pipeline'");
  auto yield = dyn_cast<PipelineYieldOp>(body.getTerminator());
  if (!yield)
    return op->emitOpError("pipeline regions must end with 'nv_tileas.async.pipeline.yield'");
  if (body.getArgumentTypes() != create.getBuffers().getTypes())
    return op->emitOpError("expects region arguement types to match with producer types [")
           << create.getBuffers().getTypes() << "], but got: [" << body.getArgumentTypes() << "]";
  if (yield.getValues().getTypes() != op->getResultTypes())
    return op->emitOpError("expects region result types to be match with operation result types [")
           << op->getResultTypes() << "], but got: [" << yield.getValues().getTypes() << "]";
  return success();
}

LogicalResult AgentSwitchOp::verify() {
  ArrayRef<int32_t> warps = getNumWarps();
  if (getAgents().size() < 2 || warps.size() != getAgents().size() ||
      getMaxRegs().size() != warps.size())
    return emitOpError("expected two or more agents with a number of warps and of registers each, "
                       "got ")
           << getAgents().size() << " regions, " << warps.size() << " warps and "
           << getMaxRegs().size() << " registers";
  int64_t total = 0;
  for (int32_t count : warps) {
    if (count <= 0)
      return emitOpError("expected agents of at least one warp, got ") << count;
    total += count;
  }
  if (total > 32)
    return emitOpError("agent warp count exceeds module budget: ") << total << " of 32 warps";
  for (Region &agent : getAgents()) {
    auto yield = dyn_cast<PipelineYieldOp>(agent.front().getTerminator());
    if (!yield || agent.front().getNumArguments() || !yield.getValues().empty())
      return emitOpError("pipeline regions must end with 'nv_tileas.async.pipeline.yield'");
  }
  if ((*this)->getParentOfType<AgentSwitchOp>())
    return emitOpError("agent regions disagree on warp count: an agent cannot be split again");
  return success();
}

LogicalResult ProducerWriteOp::verify() {
  return verifyRegion(*this, getPipeline(), getBody().front());
}

LogicalResult ConsumerReadOp::verify() {
  return verifyRegion(*this, getPipeline(), getBody().front());
}
