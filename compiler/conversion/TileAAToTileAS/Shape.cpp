//===- Shape.cpp - broadcast, views, permutations, slices: nv_tileaa to nv_tileas -------------===//
//
// view, permute and broadcast never move registers: the source or result layout is chosen to make
// that true.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/conversion/TileAAToTileAS/Rewriter.h"
#include "compiler/support/Plants.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileaa_to_tileas;

namespace {

RankedTensorType tensorOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

LogicalResult rewriteView(Rewriter &r, Operation *op) {
  r.replace(op, r.view(op->getLoc(), op->getOperand(0), tensorOf(op->getResult(0)).getShape()));
  return success();
}

LogicalResult rewriteBroadcast(Rewriter &r, Operation *op) {
  r.replace(op,
            r.broadcast(op->getLoc(), op->getOperand(0), tensorOf(op->getResult(0)).getShape()));
  return success();
}

LogicalResult rewritePermute(Rewriter &r, Operation *op) {
  auto permute = cast<tileaa::PermuteOp>(op);
  RankedTensorType type = tensorOf(permute.getResult());
  SmallVector<int32_t> permutation(permute.getPermutation());
  ArrayRef<int64_t> shape = tensorOf(permute.getSource()).getShape();
  if (TILESMITH_PLANT("permute-inverse-of-cycle") && llvm::all_equal(shape))
    for (auto [to, from] : llvm::enumerate(permute.getPermutation()))
      permutation[from] = to;
  auto layout =
      tileas::permuteLayout(tileas::getLayout(permute.getSource().getType()), permutation);
  r.replace(op,
            tileas::PermuteOp::create(r.rewriter, op->getLoc(), tileas::withLayout(type, layout),
                                      permute.getSource(), permutation)
                ->getResults());
  return success();
}

LogicalResult rewriteCat(Rewriter &r, Operation *op) {
  auto cat = cast<tileaa::CatOp>(op);
  r.replace(op, tileas::CatOp::create(r.rewriter, op->getLoc(), cat.getResult().getType(),
                                      cat.getLhs(), cat.getRhs(), cat.getDim())
                    ->getResults());
  return success();
}

/// extract and extract_slice: indices count slices of the result shape; a scalar result is a slice
/// of one element.
LogicalResult rewriteExtract(Rewriter &r, Operation *op) {
  SmallVector<Value> indices(op->getOperands().drop_front());
  if (TILESMITH_PLANT("extract-indices-reversed"))
    std::reverse(indices.begin(), indices.end());
  r.replace(op, tileas::ExtractSliceOp::create(r.rewriter, op->getLoc(), op->getResult(0).getType(),
                                               op->getOperand(0), indices)
                    ->getResults());
  return success();
}

/// A bitcast that changes the number of elements (pack, unpack) moves bytes between threads.
LogicalResult rewriteBitcast(Rewriter &r, Operation *op) {
  auto source = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
  auto result = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!source || !result || source.getNumElements() == result.getNumElements())
    return success();
  r.replace(op, tileas::ReinterpretOp::create(r.rewriter, op->getLoc(), result, op->getOperand(0))
                    ->getResults());
  return success();
}

} // namespace

void tileaa_to_tileas::populateShapeRewrites(RewriteTable &rewrites) {
  rewrites.add<tileaa::ViewOp, tileaa::ExpandDimsOp>(rewriteView);
  rewrites.add<tileaa::BroadcastOp>(rewriteBroadcast);
  rewrites.add<tileaa::PermuteOp>(rewritePermute);
  rewrites.add<tileaa::BitcastOp>(rewriteBitcast);
  rewrites.add<tileaa::CatOp>(rewriteCat);
  rewrites.add<tileaa::ExtractOp, tileaa::ExtractSliceOp>(rewriteExtract);
}
