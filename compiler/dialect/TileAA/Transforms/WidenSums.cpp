//===- WidenSums.cpp - sums of f16 that a loop carries as f32 ---------------------------------===//
//
//   for (s = s0)  yield narrow(dot(a, b, widen(s)))      for (w = widen(s0))  yield dot(a, b, w)
//                                                        narrow behind the loop
//
// A product with a sum of f16 is one of f32 between two conversions (`mmaf` in CudaTileToTileAA). Tensor
// memory holds sums of f32 for the whole loop, so on GPUs that have it nothing is rounded in between.
// A sum whose bound is a point is a number of f16 after every turn, and stays the same
// [spec: mma-point]; any other lies within the bound of f16 [spec: mma-bound], which the exact sum of
// the turn is the middle of. A sum that leaves the range of f16 and comes back is open there; here it comes
// back, while f16 accumulators (other chips, -O0) keep the infinity. Only where nothing else sees the sum of a turn, and only of products that
// are marked: around others the program itself widens and rounds (HalfSum.h).
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/dialect/TileAA/Transforms/WidenSums.h"

#include "compiler/dialect/TileAA/IR/HalfSum.h"
#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/support/Plants.h"
#include "compiler/target/Targets.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tilesmith::tileaa {
namespace {

/// Of a product in tensor memory.
constexpr int64_t kFewestRows = 64;

struct WidenSum : public OpRewritePattern<scf::ForOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(scf::ForOp loop, PatternRewriter &rewriter) const override {
    if (!getTarget(loop->getParentOfType<ModuleOp>()).has(target::Feature::Tcgen05))
      return failure();
    for (auto [index, carried] : llvm::enumerate(loop.getRegionIterArgs()))
      if (auto widen = widened(carried))
        if (auto narrow = narrowed(loop, static_cast<unsigned>(index), widen)) {
          carryWide(loop, static_cast<unsigned>(index), widen, narrow, rewriter);
          return success();
        }
    return failure();
  }

private:
  /// The conversion to f32 that alone sees what is carried, for a product alone.
  static FpToFpOp widened(BlockArgument carried) {
    auto type = llvm::dyn_cast<RankedTensorType>(carried.getType());
    if (!type || type.getRank() != 2 || !type.getElementType().isF16() || !carried.hasOneUse() ||
        type.getDimSize(0) < kFewestRows)
      return {};
    auto widen = llvm::dyn_cast<FpToFpOp>(*carried.getUsers().begin());
    if (!widen || !widen.getResult().hasOneUse() || !getElementTypeOrSelf(widen.getType()).isF32())
      return {};
    auto dot = llvm::dyn_cast<DotOp>(*widen->getUsers().begin());
    return dot && dot.getC() == widen.getResult() && hasHalfSum(dot) ? widen : FpToFpOp();
  }

  /// The conversion of the product's result that the loop alone takes, to carry it on.
  static FpToFpOp narrowed(scf::ForOp loop, unsigned index, FpToFpOp widen) {
    auto dot = llvm::cast<DotOp>(*widen->getUsers().begin());
    auto narrow = loop.getYieldedValues()[index].getDefiningOp<FpToFpOp>();
    return narrow && narrow.getSource() == dot.getResult() && dot.getResult().hasOneUse() &&
                   (narrow.getResult().hasOneUse() || TILESMITH_PLANT("widened-sum-seen-in-turn"))
               ? narrow
               : FpToFpOp();
  }

  /// What the loop begins with, in f32.
  static Value wideStart(OpBuilder &builder, Value start, FpToFpOp widen) {
    Type wide = widen.getType();
    APFloat value(0.0);
    auto splat = start.getDefiningOp<SplatOp>();
    if (splat && matchPattern(splat->getOperand(0), m_ConstantFloat(&value))) {
      if (TILESMITH_PLANT("widened-sum-starts-at-zero"))
        value = APFloat::getZero(value.getSemantics());
      bool loses = false;
      value.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &loses);
      Value number = arith::ConstantOp::create(builder, widen.getLoc(),
                                               builder.getFloatAttr(builder.getF32Type(), value));
      return SplatOp::create(builder, widen.getLoc(), wide, number);
    }
    Operation *copy = builder.clone(*widen);
    copy->setOperand(0, start);
    return copy->getResult(0);
  }

  static void carryWide(scf::ForOp loop, unsigned index, FpToFpOp widen, FpToFpOp narrow,
                        PatternRewriter &rewriter) {
    narrow.getSource().getDefiningOp()->removeDiscardableAttr(kHalfSumAttr);
    Type wide = widen.getType();
    BlockArgument carried = loop.getRegionIterArg(index);
    rewriter.setInsertionPoint(loop);
    Value start = wideStart(rewriter, loop.getInitArgs()[index], widen);
    rewriter.modifyOpInPlace(loop.getBody()->getTerminator(), [&] {
      loop.getBody()->getTerminator()->setOperand(index, narrow.getSource());
    });
    rewriter.setInsertionPointAfter(loop);
    Value result = loop.getResult(index);
    Operation *last = rewriter.clone(*narrow);
    rewriter.modifyOpInPlace(loop, [&] {
      loop.getInitArgsMutable()[index].assign(start);
      carried.setType(wide);
      result.setType(wide);
    });
    rewriter.replaceAllUsesExcept(result, last->getResult(0), last);
    last->setOperand(0, result);
    rewriter.eraseOp(narrow);
    rewriter.replaceOp(widen, carried);
  }
};

} // namespace

void addWidenSums(RewritePatternSet &patterns) {
  patterns.add<WidenSum>(patterns.getContext());
}

} // namespace tilesmith::tileaa
