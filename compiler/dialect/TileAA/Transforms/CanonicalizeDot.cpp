//===- CanonicalizeDot.cpp - dot of constants -------------------------------------------------===//
//
// The zero rule holds for integers. For floats 0 * inf and 0 * nan are NaN and -0 + 0 is +0, so it
// needs a finite other operand and an accumulator without -0. Constant floats are evaluated with
// the accumulator's precision, k ascending, one rounding per step.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/dialect/TileAA/Transforms/Canonicalizers.h"
#include "compiler/support/Plants.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tilesmith::tileaa {
namespace {

/// Work that is worth doing at compile time.
constexpr int64_t kMaxProducts = 1 << 16;

bool isZeroTile(DenseElementsAttr tile) {
  if (!tile)
    return false;
  if (llvm::isa<FloatType>(tile.getElementType()))
    return llvm::all_of(tile.getValues<APFloat>(), [](const APFloat &v) { return v.isZero(); });
  return llvm::all_of(tile.getValues<APInt>(), [](const APInt &v) { return v.isZero(); });
}

bool isFiniteTile(DenseElementsAttr tile) {
  return tile &&
         llvm::all_of(tile.getValues<APFloat>(), [](const APFloat &v) { return v.isFinite(); });
}

bool hasNegativeZero(DenseElementsAttr tile) {
  return llvm::any_of(tile.getValues<APFloat>(), [](const APFloat &v) { return v.isNegZero(); });
}

struct FoldDot : public OpRewritePattern<DotOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(DotOp op, PatternRewriter &rewriter) const override {
    if (op.getSfa() || op.getSfb())
      return failure();
    auto constant = [](Value v) {
      return llvm::dyn_cast_or_null<DenseElementsAttr>(getConstant(v));
    };
    DenseElementsAttr a = constant(op.getA()), b = constant(op.getB()), c = constant(op.getC());
    auto type = llvm::cast<RankedTensorType>(op.getType());
    if (isZeroTile(a) || isZeroTile(b)) {
      bool isInt = llvm::isa<IntegerType>(type.getElementType());
      DenseElementsAttr other = isZeroTile(a) ? b : a;
      if (isInt || (isFiniteTile(other) && c && !hasNegativeZero(c)) ||
          TILESMITH_PLANT("fold-dot-of-zero-any-operand")) {
        rewriter.replaceOp(op, op.getC());
        return success();
      }
    }
    int64_t k = llvm::cast<RankedTensorType>(op.getA().getType()).getShape().back();
    if (!a || !b || !c || type.getNumElements() * k > kMaxProducts)
      return failure();
    DenseElementsAttr result = llvm::isa<IntegerType>(type.getElementType())
                                   ? evaluateInts(op, a, b, c, k)
                                   : evaluateFloats(type, a, b, c, k);
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(op, result);
    return success();
  }

  /// Calls fn(result index, index into A, index into B) for all products.
  template <typename Fn> static void forEachProduct(RankedTensorType type, int64_t k, Fn fn) {
    ArrayRef<int64_t> shape = type.getShape();
    int64_t m = shape[shape.size() - 2], n = shape.back();
    for (int64_t i = 0; i < type.getNumElements(); ++i) {
      int64_t batch = i / (m * n), row = i / n % m, column = i % n;
      for (int64_t j = 0; j < k - (TILESMITH_PLANT("fold-dot-drops-last-product") && k > 1); ++j)
        fn(i, (batch * m + row) * k + j,
           (TILESMITH_PLANT("fold-dot-right-of-first-batch") ? j : batch * k + j) * n + column);
    }
  }

  static DenseElementsAttr evaluateInts(DotOp op, DenseElementsAttr a, DenseElementsAttr b,
                                        DenseElementsAttr c, int64_t k) {
    auto type = llvm::cast<RankedTensorType>(op.getType());
    unsigned width = type.getElementTypeBitWidth();
    auto read = [&](DenseElementsAttr tile, std::optional<Signedness> signedness) {
      SmallVector<APInt> values;
      for (const APInt &v : tile.getValues<APInt>())
        values.push_back(signedness == Signedness::signed_ ? v.sextOrTrunc(width)
                                                           : v.zextOrTrunc(width));
      return values;
    };
    SmallVector<APInt> lhs = read(a, op.getSignednessA()),
                       rhs = read(b, TILESMITH_PLANT("fold-dot-signedness-of-left")
                                         ? op.getSignednessA()
                                         : op.getSignednessB());
    SmallVector<APInt> acc(c.value_begin<APInt>(), c.value_end<APInt>());
    forEachProduct(type, k, [&](int64_t i, int64_t x, int64_t y) { acc[i] += lhs[x] * rhs[y]; });
    return DenseElementsAttr::get(type, acc);
  }

  static DenseElementsAttr evaluateFloats(RankedTensorType type, DenseElementsAttr a,
                                          DenseElementsAttr b, DenseElementsAttr c, int64_t k) {
    const llvm::fltSemantics &semantics =
        llvm::cast<FloatType>(type.getElementType()).getFloatSemantics();
    auto read = [&](DenseElementsAttr tile) {
      SmallVector<APFloat> values;
      for (APFloat v : tile.getValues<APFloat>()) {
        bool inexact = false;
        v.convert(semantics, APFloat::rmNearestTiesToEven, &inexact);
        values.push_back(v);
      }
      return values;
    };
    SmallVector<APFloat> lhs = read(a), rhs = read(b), acc = read(c);
    forEachProduct(type, k, [&](int64_t i, int64_t x, int64_t y) {
      APFloat sum = lhs[x];
      sum.fusedMultiplyAdd(rhs[y], acc[i], APFloat::rmNearestTiesToEven);
      acc[i] = sum;
    });
    return DenseElementsAttr::get(type, acc);
  }
};

} // namespace

void addDotCanonicalizers(RewritePatternSet &patterns, KeepFn keep) {
  addNamed<FoldDot>(patterns, "fold-constant-dot", keep);
}

} // namespace tilesmith::tileaa
