//===- AssignPipelineLayouts.cpp - tileas-assign-pipeline-layouts -----------------------------===//
//
// Gives each pipeline buffer that only copies touch the swizzle of 16-byte pieces under which its
// writes and reads meet the fewest bank conflicts (SharedAccess.h). Buffers that a product reads
// itself keep their layout: the instruction prescribes it; so do those that bulk copies fill.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/dialect/TileAS/IR/SharedAccess.h"
#include "compiler/dialect/TileAS/Transforms/Passes.h"
#include "compiler/dialect/TileAS/Transforms/PipelineUses.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas;

namespace tilesmith::tileas {
#define GEN_PASS_DEF_ASSIGNPIPELINELAYOUTSPASS
#include "compiler/dialect/TileAS/Transforms/Passes.h.inc"
} // namespace tilesmith::tileas

namespace {

/// What the users of the slots do to a buffer of this layout; nullopt when somebody needs the
/// layout as it is.
std::optional<SmallVector<WarpAccess>> accessesOf(ArrayRef<Value> slots, SharedLayoutAttr layout,
                                                  int64_t bytes) {
  SmallVector<WarpAccess> accesses;
  auto write = [&](LayoutAttr threads, int64_t vector) {
    WarpAccess access;
    for (int64_t basis : layout.offsetsOf(threads).getLanes())
      access.laneBases.push_back(basis * bytes);
    access.bytes = vector * bytes;
    accesses.push_back(access);
  };
  for (Value slot : slots)
    for (Operation *user : slot.getUsers()) {
      if (auto load = dyn_cast<AsyncTiledLoadOp>(user); load && load.getAtom())
        return std::nullopt; // rows stay in one piece
      else if (load)
        write(load.getLayout(), load.getVector());
      else if (auto load = dyn_cast<AsyncLoadOp>(user))
        write(getLayout(load.getPointers().getType()), load.getVector());
      else if (auto copy = dyn_cast<CopyOp>(user))
        accesses.push_back(readAccess(layout.offsetsOf(getLayout(copy.getResult().getType())),
                                      bytes, copy.getAtom() == "ldmatrix"));
      else if (auto put = dyn_cast<WriteOp>(user))
        accesses.push_back(readAccess(layout.offsetsOf(getLayout(put.getSource().getType())), bytes,
                                      /*ldmatrix=*/false));
      else
        return std::nullopt;
    }
  return accesses;
}

struct AssignPipelineLayouts : tileas::impl::AssignPipelineLayoutsPassBase<AssignPipelineLayouts> {
  void runOnOperation() override {
    getOperation()->walk([&](CreatePipelineOp pipeline) {
      for (auto [index, buffer] : llvm::enumerate(pipeline.getBuffers())) {
        SmallVector<Value> slots = slotsOf(pipeline, index);
        SharedLayoutAttr plain = getSharedLayout(buffer.getType());
        int64_t bytes =
            bufferElementBytes(cast<RankedTensorType>(buffer.getType()).getElementType());
        if (!accessesOf(slots, plain, bytes))
          continue;
        Swizzle best = findSwizzle(plain, bytes, [&](SharedLayoutAttr layout) {
          return *accessesOf(slots, layout, bytes);
        });
        if (!best.bits)
          continue;
        setBufferLayout(pipeline, index, applySwizzle(plain, best));
      }
    });
  }
};

} // namespace
