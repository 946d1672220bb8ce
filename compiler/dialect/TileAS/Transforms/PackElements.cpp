//===- PackElements.cpp - tileas-pack-elements ------------------------------------------------===//
//
// Notes `nv_tileas.packed` on f32 arithmetic for which the target has an instruction of two numbers,
// unless it adds a widened half, and on conversions between f8 and wider floats, of which one instruction
// does two.
// Nothing is moved or rewritten: the emitter takes registers 2i and 2i + 1 together. Neighbouring
// registers of a thread are what loads of 16 bytes and tensor memory fill, so pairs cost no moves.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/dialect/TileAS/IR/ThroughConversions.h"
#include "compiler/dialect/TileAS/IR/TileAS.h"
#include "compiler/dialect/TileAS/Transforms/Passes.h"
#include "compiler/support/Plants.h"
#include "compiler/target/Targets.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas;

namespace tilesmith::tileas {
#define GEN_PASS_DEF_PACKELEMENTSPASS
#include "compiler/dialect/TileAS/Transforms/Passes.h.inc"
} // namespace tilesmith::tileas

namespace {

/// Elements of a thread along the axis of a reduction: two pairs at least.
constexpr int64_t kFewestReduced = 4;

/// Neighbouring registers of a thread are an element each of what the operation computes, or two
/// elements along the axis of a reduction.
bool hasPairs(Operation *op) {
  auto reduce = dyn_cast<ReduceOp>(op);
  if (!reduce)
    return getLayout(op->getResult(0).getType()).getNumRegisters() >= 2;
  LayoutAttr layout = getLayout(op->getOperand(0).getType());
  LayoutAttr reduced = reduceLayout(layout, reduce.getAxis());
  return layout.getNumRegisters() >= kFewestReduced * reduced.getNumRegisters() &&
         LayoutAttr::get(op->getContext(), layout.toLinear().removeDim(reduce.getAxis()))
                 .getRegisters()
                 .front() == 0 &&
         layout.getRegisters().front() != 0;
}

/// A sum of which an operand is a widened half that nobody else needs: ptxas adds such a half to a
/// number in one instruction, but widens two for a packed one.
bool addsWidenedHalf(Operation *op) {
  return isa<tileaa::AddFOp, tileaa::SubFOp>(op) &&
         llvm::any_of(op->getOperands(), [](Value operand) {
           auto widened = throughConversions(operand).getDefiningOp<tileaa::FpToFpOp>();
           return widened && widened->hasOneUse() &&
                  getElementTypeOrSelf(widened->getOperand(0).getType()).getIntOrFloatBitWidth() ==
                      16;
         });
}

struct PackElements : tilesmith::tileas::impl::PackElementsPassBase<PackElements> {
  void runOnOperation() override {
    const target::GpuTarget &gpu = tileaa::getTarget(getOperation());
    getOperation()->walk([&](Operation *op) {
      if (!gpu.has(isa<tileaa::FpToFpOp>(op) ? target::Feature::ConvertF8
                                             : target::Feature::PackedF32))
        return;
      if (!packedArithmetic(op) || !hasPairs(op) || addsWidenedHalf(op))
        return;
      annotations(op).getPackedAttrHelper().setAttr(op, UnitAttr::get(op->getContext()));
    });
  }
};

} // namespace
