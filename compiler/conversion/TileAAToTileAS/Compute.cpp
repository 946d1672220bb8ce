//===- Compute.cpp - dot, reduce and scan: nv_tileaa to nv_tileas -----------------------------===//
//
// The result layout of a reduction is the operand layout without the axis; a conversion to the
// canonical layout of the result shape follows where the two differ. Block scales are applied to
// the operands beforehand, in f32 (exact unless the scaled value leaves the range of f32); where tf32
// holds what comes out, the product is one of tf32. Bodies move unchanged; their terminator becomes
// nv_tileas.yield.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/conversion/TileAAToTileAS/Rewriter.h"
#include "compiler/dialect/TileAA/IR/HalfSum.h"
#include "compiler/support/Plants.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileaa_to_tileas;

namespace {

void moveBody(Rewriter &r, Region &from, Region &to) {
  to.takeBody(from);
  Operation *yield = to.front().getTerminator();
  OpBuilder::InsertionGuard guard(r.rewriter);
  r.rewriter.setInsertionPoint(yield);
  r.rewriter.replaceOpWithNewOp<tileas::YieldOp>(yield, yield->getOperands());
}

/// `value` as f32.
Value toF32(Rewriter &r, Location loc, Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getElementType().isF32())
    return value;
  auto wide = RankedTensorType::get(type.getShape(), r.rewriter.getF32Type(), type.getEncoding());
  return tileaa::FpToFpOp::create(r.rewriter, loc, wide, value, tileaa::RoundingMode::nearest_even);
}

/// Block-scaled operand in f32: along dimension `k`, each scale covers (extent / scale extent)
/// neighbours.
Value applyScale(Rewriter &r, Location loc, Value operand, Value scale, int64_t k) {
  SmallVector<int64_t> shape(cast<RankedTensorType>(operand.getType()).getShape());
  SmallVector<int64_t> split(cast<RankedTensorType>(scale.getType()).getShape());
  int64_t block = shape[k] / split[k];
  int64_t inner = TILESMITH_PLANT("scales-interleaved") ? k : k + 1;
  split.insert(split.begin() + inner, 1);
  Value grown = r.view(loc, toF32(r, loc, scale), split);
  split[inner] = block;
  grown = r.view(loc, r.broadcast(loc, grown, split), shape);
  Value wide = toF32(r, loc, operand);
  return tileaa::MulFOp::create(r.rewriter, loc, wide.getType(), wide, grown,
                                tileaa::RoundingMode::nearest_even,
                                /*flush_to_zero=*/false);
}

/// Elements of this type times a scale of that one are multiples of 2^-136 with few bits: tf32 holds
/// them all, its subnormal numbers included. (e5m2 reaches down to 2^-143.)
bool isExactInTF32(Value operand, Value scale) {
  Type element = cast<RankedTensorType>(operand.getType()).getElementType();
  return (isa<Float8E4M3FNType, Float4E2M1FNType>(element) ||
          (isa<Float8E5M2Type>(element) && TILESMITH_PLANT("scaled-e5m2-as-tf32"))) &&
         isa<Float8E8M0FNUType, Float8E4M3FNType>(
             cast<RankedTensorType>(scale.getType()).getElementType());
}

Value toTF32(Rewriter &r, Location loc, Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  auto narrow = RankedTensorType::get(type.getShape(), FloatTF32Type::get(type.getContext()),
                                      type.getEncoding());
  return tileaa::FpToFpOp::create(r.rewriter, loc, narrow, value,
                                  tileaa::RoundingMode::nearest_even);
}

LogicalResult rewriteDot(Rewriter &r, Operation *op) {
  auto dot = cast<tileaa::DotOp>(op);
  Value lhs = dot.getA(), rhs = dot.getB();
  if (dot.getSfa()) {
    int64_t rank = cast<RankedTensorType>(lhs.getType()).getRank();
    lhs = applyScale(r, op->getLoc(), lhs, dot.getSfa(), rank - 1);
    rhs = applyScale(r, op->getLoc(), rhs, dot.getSfb(), rank - 2);
    // So tensor cores multiply them.
    if (isExactInTF32(dot.getA(), dot.getSfa()) &&
        (isExactInTF32(dot.getB(), dot.getSfb()) || TILESMITH_PLANT("scaled-exact-by-left"))) {
      lhs = toTF32(r, op->getLoc(), lhs);
      rhs = toTF32(r, op->getLoc(), rhs);
    }
  }
  auto isSigned = [](std::optional<tileaa::Signedness> signedness) {
    return !signedness || *signedness == tileaa::Signedness::signed_;
  };
  auto product = tileas::DotOp::create(r.rewriter, op->getLoc(), dot.getResult().getType(), lhs,
                                       rhs, dot.getC(), isSigned(dot.getSignednessA()),
                                       isSigned(dot.getSignednessB()), /*atom=*/StringAttr(),
                                       dot.getFastAcc());
  if (dot.getSfa())
    tileas::annotations(product).getBlockScaledAttrHelper().setAttr(product,
                                                                    r.rewriter.getUnitAttr());
  if (tileaa::hasHalfSum(dot))
    tileaa::markHalfSum(product);
  r.replace(op, product->getResults());
  return success();
}

LogicalResult rewriteReduce(Rewriter &r, Operation *op) {
  auto reduce = cast<tileaa::ReduceOp>(op);
  SmallVector<Type> types;
  for (auto [operand, result] : llvm::zip_equal(reduce.getOperands(), reduce.getResults())) {
    auto tensor = dyn_cast<RankedTensorType>(result.getType());
    if (!tensor) {
      types.push_back(result.getType());
      continue;
    }
    auto layout = tileas::reduceLayout(tileas::getLayout(operand.getType()), reduce.getAxis());
    types.push_back(tileas::withLayout(tensor, layout));
  }
  auto created = tileas::ReduceOp::create(r.rewriter, op->getLoc(), types, reduce.getOperands(),
                                          reduce.getAxisAttr());
  moveBody(r, reduce.getBody(), created.getBody());
  r.replace(op, created->getResults());
  return success();
}

LogicalResult rewriteScan(Rewriter &r, Operation *op) {
  auto scan = cast<tileaa::ScanOp>(op);
  bool exclusive = !scan.getInclusive() && !TILESMITH_PLANT("scan-always-inclusive");
  auto created = tileas::ScanOp::create(
      r.rewriter, op->getLoc(), op->getResultTypes(), scan.getOperands(), scan.getAxisAttr(),
      scan.getReverseAttr(), exclusive ? scan.getIdentitiesAttr() : ArrayAttr());
  moveBody(r, scan.getBody(), created.getBody());
  r.replace(op, created->getResults());
  return success();
}

} // namespace

void tileaa_to_tileas::populateComputeRewrites(RewriteTable &rewrites) {
  rewrites.add<tileaa::DotOp>(rewriteDot);
  rewrites.add<tileaa::ReduceOp>(rewriteReduce);
  rewrites.add<tileaa::ScanOp>(rewriteScan);
}
