//===- LowerTma.cpp - tileas-lower-tma-load-store-to-async ------------------------------------===//
//
// Copies of tiles of views into a pipeline take the atom `tma_load`: where the tile lies inside of
// the tensor, each of its rows along the contiguous dimension comes by one bulk copy that completes
// on the barrier of its stage. (Tensor copies would need a descriptor that only the host can pass;
// a kernel of ours has the parameters of its source and no others.)
//
// A copy qualifies when
//   * the target is sm_90 or newer, and the load does not say allow_tma = false;
//   * rows have a multiple of 16 bytes and start at multiples of 16 bytes, as far as is known;
//   * no product reads the slot itself: it prescribes a swizzle, which rows do not keep;
//   * the pipeline stands in the kernel's outermost block, so that its barriers are made once.
// The pipelines of such copies take mbarriers.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/dialect/TileAS/IR/Hints.h"
#include "compiler/dialect/TileAS/Transforms/Passes.h"
#include "compiler/dialect/TileAS/Transforms/PipelineLoop.h"
#include "compiler/dialect/TileAS/Transforms/PipelineUses.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas;

namespace {

/// Why the copy stays as it is.
std::optional<std::string> problemOf(AsyncTiledLoadOp load) {
  if (auto hint = load->getAttrOfType<BoolAttr>(kAllowTmaAttr); hint && !hint.getValue())
    return "its hint forbids it";
  auto type = cast<RankedTensorType>(load.getSlot().getType());
  SharedLayoutAttr layout = getSharedLayout(type);
  int64_t bytes = bufferElementBytes(type.getElementType());
  ArrayRef<int64_t> registers = load.getLayout().getRegisters();
  if (type.getElementType().isInteger(1) || registers.empty() || load.getVector() * bytes != 16)
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
  auto slot = cast<BlockArgument>(load.getSlot());
  auto write = cast<ProducerWriteOp>(slot.getOwner()->getParentOp());
  auto pipeline = write.getPipeline().getDefiningOp<CreatePipelineOp>();
  if (!isa<tileaa::FuncOp>(pipeline->getParentOp()))
    return "its pipeline stands inside of another operation";
  for (Value other : slotsOf(pipeline, slot.getArgNumber()))
    for (Operation *user : other.getUsers())
      if (isa<DotOp>(user))
        return "a product reads it in a layout of its own";
  return std::nullopt;
}

struct LowerTma : PassWrapper<LowerTma, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LowerTma)
  LowerTma() = default;
  LowerTma(const LowerTma &other) : PassWrapper(other) {}
  StringRef getArgument() const override { return "tileas-lower-tma-load-store-to-async"; }
  StringRef getDescription() const override {
    return "bulk copies for tiles of views that a pipeline loads";
  }
  Option<bool> remarks{*this, "remarks", llvm::cl::desc("say which copies stay and why"),
                       llvm::cl::init(false)};

  void runOnOperation() override {
    if (tileaa::getComputeCapability(getOperation()) < 90)
      return;
    getOperation()->walk([&](AsyncTiledLoadOp load) {
      if (auto problem = problemOf(load)) {
        if (remarks)
          load.emitRemark() << "no bulk copies: " << *problem;
        return;
      }
      load.setAtom("tma_load");
      auto write =
          cast<ProducerWriteOp>(cast<BlockArgument>(load.getSlot()).getOwner()->getParentOp());
      auto pipeline = write.getPipeline().getDefiningOp<CreatePipelineOp>();
      if (!pipeline.getMbarriers())
        useMbarriers(pipeline);
    });
  }
};

} // namespace

std::unique_ptr<Pass> tileas::createLowerTmaPass() {
  return std::make_unique<LowerTma>();
}
