//===- ReduceLanes.cpp - tileas-reduce-lanes-at-once ------------------------------------------===//
//
// Notes `nv_tileas.redux` on reductions whose step over the lanes of a warp is one instruction in
// place of five shuffles and five combinations: sums, extremes and bits of integers, and extremes of
// f32 where the target has them. All lanes must take part; lanes with the same elements may where
// taking an element twice changes nothing.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/dialect/TileAS/IR/TileAS.h"
#include "compiler/dialect/TileAS/Transforms/Passes.h"
#include "compiler/support/Plants.h"
#include "compiler/target/Targets.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas;

namespace tilesmith::tileas {
#define GEN_PASS_DEF_REDUCELANESPASS
#include "compiler/dialect/TileAS/Transforms/Passes.h.inc"
} // namespace tilesmith::tileas

namespace {

/// Elements of every lane are combined, each once or as often as one likes.
bool coversWarp(ReduceOp reduce, bool isIdempotent) {
  LayoutAttr layout = getLayout(reduce.getOperands().front().getType());
  ArrayRef<int64_t> shape = layout.getShape();
  int64_t stride = 1;
  for (size_t dim = reduce.getAxis() + 1; dim < shape.size(); ++dim)
    stride *= shape[dim];
  const int64_t along = (shape[reduce.getAxis()] - 1) * stride;
  bool some = false;
  for (int64_t basis : layout.getLanes()) {
    some |= (basis & along) != 0;
    const bool isOtherLine = basis != 0 && !TILESMITH_PLANT("redux-combines-lines");
    if (!(basis & along) &&
        (isOtherLine || (!isIdempotent && !TILESMITH_PLANT("redux-counts-twice"))))
      return false;
  }
  return some && layout.getLanes().size() == 5;
}

struct ReduceLanes : tilesmith::tileas::impl::ReduceLanesPassBase<ReduceLanes> {
  void runOnOperation() override {
    const target::GpuTarget &gpu = tileaa::getTarget(getOperation());
    if (!gpu.has(target::Feature::Redux))
      return;
    getOperation()->walk([&](ReduceOp reduce) {
      Operation *one = laneReduction(reduce);
      if (!one || (one->getResult(0).getType().isF32() && !gpu.has(target::Feature::ReduxF32)))
        return;
      const bool adds = isa<arith::AddIOp>(one) ||
                        (isa<arith::XOrIOp>(one) && !TILESMITH_PLANT("redux-xors-replicas"));
      if (!coversWarp(reduce, !adds || TILESMITH_PLANT("redux-sums-replicas")))
        return;
      annotations(reduce).getReduxAttrHelper().setAttr(reduce, UnitAttr::get(&getContext()));
    });
  }
};

} // namespace
