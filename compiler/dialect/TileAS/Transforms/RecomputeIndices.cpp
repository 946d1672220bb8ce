//===- RecomputeIndices.cpp - tiles of indices in the layout that asks for them ---------------===//
//
// Pattern of tileas-remove-layout-conversions:
//
//   convert_L(f(make_range, splat, ...))  ->  f(make_range in L, splat in L, ...)
//
// Every thread can compute coordinates, masks and addresses that come from ranges and scalars for the
// elements that it has in L; an exchange would take a trip through shared memory and two barriers.
// The first computation stays where others use it. Chains go through view, broadcast and permute.
//
// Invariant: an exchange goes, and at most `kMostInstructions` and four per register come.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/dialect/TileAS/Transforms/LayoutPatterns.h"

#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/support/Plants.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas;

namespace {

/// About what two barriers cost a warp.
constexpr int64_t kMostInstructions = 64, kMostPerRegister = 4;
/// Longer chains are seldom indices.
constexpr unsigned kMaxDepth = 24;

bool isConstant(Value tile) {
  auto splat = tile.getDefiningOp<tileaa::SplatOp>();
  return matchPattern(splat ? splat->getOperand(0) : tile, m_Constant());
}

} // namespace

int64_t tileas::indexInstructions(Operation *op) {
  if (isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::AndIOp, arith::OrIOp, arith::XOrIOp,
          arith::CmpIOp, arith::SelectOp, arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp,
          arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp, arith::MinSIOp, arith::MinUIOp,
          arith::MaxSIOp, arith::MaxUIOp>(op)) {
    Type element = getElementTypeOrSelf(op->getResult(0).getType());
    return element.isInteger(64) ? 2 : 1;
  }
  if (isa<tileaa::AddPtrOp>(op))
    return 2;
  // By a constant: a product and shifts.
  if (isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(op))
    return isConstant(op->getOperand(1)) ? 6 : 0;
  return 0;
}

LayoutAttr tileas::sourceLayoutOf(Operation *op, LayoutAttr result) {
  if (!isa<ViewOp, BroadcastOp, PermuteOp>(op))
    return {};
  ArrayRef<int64_t> shape = cast<RankedTensorType>(op->getOperand(0).getType()).getShape();
  if (isa<ViewOp>(op))
    return reshapeLayout(result, shape);
  if (isa<BroadcastOp>(op))
    return projectLayout(result, shape);
  ArrayRef<int32_t> permutation = cast<PermuteOp>(op).getPermutation();
  SmallVector<int32_t> inverse(permutation.size());
  for (auto [to, from] : llvm::enumerate(permutation))
    inverse[from] = static_cast<int32_t>(to);
  return permuteLayout(
      result, TILESMITH_PLANT("recomputed-permute-uninverted") ? permutation : ArrayRef(inverse));
}

namespace {

using Made = llvm::MapVector<std::pair<Value, Attribute>, Value>;

Value recompute(OpBuilder &builder, Value value, LayoutAttr layout, Made &made) {
  if (getLayout(value.getType()) == layout)
    return value;
  if (Value known = made.lookup({value, layout}))
    return known;
  if (TILESMITH_PLANT("recomputed-range-of-first-layout"))
    for (auto &[key, known] : made)
      if (key.first == value)
        return known;
  Operation *op = value.getDefiningOp();
  if (auto convert = dyn_cast<ConvertLayoutOp>(op))
    return recompute(builder, convert.getSource(), layout, made);
  SmallVector<Value> operands;
  LayoutAttr source = sourceLayoutOf(op, layout);
  for (Value operand : op->getOperands())
    operands.push_back(isa<RankedTensorType>(operand.getType())
                           ? recompute(builder, operand, source ? source : layout, made)
                           : operand);
  if (isa<arith::AddIOp>(op) && TILESMITH_PLANT("recomputed-index-without-offset"))
    for (unsigned scalar : {0, 1})
      if (op->getOperand(scalar).getDefiningOp<tileaa::SplatOp>())
        return made[{value, layout}] = operands[1 - scalar];
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointAfter(op);
  auto type = withLayout(cast<RankedTensorType>(value.getType()), layout);
  Value result = withLayoutAnew(builder, op, type);
  if (!result) {
    Operation *clone = builder.clone(*op);
    clone->setOperands(operands);
    clone->getResult(0).setType(type);
    result = clone->getResult(0);
  }
  made[{value, layout}] = result;
  return result;
}

struct RecomputeIndices : OpRewritePattern<ConvertLayoutOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ConvertLayoutOp convert, PatternRewriter &rewriter) const final {
    LayoutAttr layout = getLayout(convert.getResult().getType());
    int64_t left = kMostInstructions + kMostPerRegister * layout.getNumRegisters();
    if (layout == getLayout(convert.getSource().getType()) ||
        !spend(convert.getSource(), layout, left, 0))
      return failure();
    Made made;
    Value result = recompute(rewriter, convert.getSource(), layout, made);
    rewriter.replaceOp(convert, result);
    return success();
  }

private:
  /// Whether the value can be computed in the layout by instructions that are left.
  static bool spend(Value value, LayoutAttr layout, int64_t &left, unsigned depth) {
    if (!tileType(value))
      return false;
    if (getLayout(value.getType()) == layout)
      return true;
    Operation *op = value.getDefiningOp();
    if (!op || depth > kMaxDepth || op->getNumResults() != 1)
      return false;
    if (isa<tileaa::SplatOp, tileaa::MakeRangeOp>(op) || matchPattern(value, m_Constant()))
      return true;
    if (auto convert = dyn_cast<ConvertLayoutOp>(op))
      return spend(convert.getSource(), layout, left, depth + 1);
    if (LayoutAttr source = sourceLayoutOf(op, layout))
      return spend(op->getOperand(0), source, left, depth + 1);
    int64_t weight = indexInstructions(op);
    left -= weight * layout.getNumRegisters();
    return weight && left >= 0 && llvm::all_of(op->getOperands(), [&](Value operand) {
             return !isa<RankedTensorType>(operand.getType()) ||
                    spend(operand, layout, left, depth + 1);
           });
  }
};

} // namespace

Value tileas::recomputeIndex(OpBuilder &builder, Value value, LayoutAttr layout) {
  Made made;
  return recompute(builder, value, layout, made);
}

LayoutAttr tileas::withoutCopies(LayoutAttr layout) {
  SmallVector<int64_t> registers(layout.getRegisters());
  llvm::erase(registers, 0);
  return LayoutAttr::get(layout.getContext(), layout.getShape(), registers, layout.getLanes(),
                         layout.getWarps());
}

Value tileas::withLayoutAnew(OpBuilder &builder, Operation *op, Type type) {
  if (auto constant = dyn_cast_or_null<arith::ConstantOp>(op)) {
    auto dense = cast<DenseElementsAttr>(constant.getValue());
    return arith::ConstantOp::create(
        builder, op->getLoc(),
        DenseElementsAttr::getFromRawBuffer(cast<ShapedType>(type), dense.getRawData()));
  }
  if (!isa_and_nonnull<tileaa::SplatOp, tileaa::MakeRangeOp>(op))
    return {};
  Operation *clone = builder.clone(*op);
  clone->getResult(0).setType(type);
  return clone->getResult(0);
}

void tileas::populateRecomputeIndices(RewritePatternSet &patterns) {
  patterns.add<RecomputeIndices>(patterns.getContext());
}
