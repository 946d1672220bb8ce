//===- Comparison.cpp - cmpi, cmpf, select ----------------------------------------------------===//
#include "compiler/conversion/CudaTileToTileAA/Patterns.h"
#include "compiler/support/Plants.h"

using namespace mlir;

namespace tilesmith::cudatile_to_tileaa {
namespace {

using Predicate = cuda_tile::ComparisonPredicate;

arith::CmpIPredicate convertPredicate(Predicate predicate, bool isSigned) {
  switch (predicate) {
  case Predicate::EQUAL:
    return arith::CmpIPredicate::eq;
  case Predicate::NOT_EQUAL:
    return arith::CmpIPredicate::ne;
  case Predicate::LESS_THAN:
    if (TILESMITH_PLANT("cmpi-lt-as-le"))
      return isSigned ? arith::CmpIPredicate::sle : arith::CmpIPredicate::ule;
    return isSigned ? arith::CmpIPredicate::slt : arith::CmpIPredicate::ult;
  case Predicate::LESS_THAN_OR_EQUAL:
    if (TILESMITH_PLANT("cmpi-le-as-lt"))
      return isSigned ? arith::CmpIPredicate::slt : arith::CmpIPredicate::ult;
    return isSigned ? arith::CmpIPredicate::sle : arith::CmpIPredicate::ule;
  case Predicate::GREATER_THAN:
    if (TILESMITH_PLANT("cmpi-gt-as-ge"))
      return isSigned ? arith::CmpIPredicate::sge : arith::CmpIPredicate::uge;
    return isSigned ? arith::CmpIPredicate::sgt : arith::CmpIPredicate::ugt;
  case Predicate::GREATER_THAN_OR_EQUAL:
    if (TILESMITH_PLANT("cmpi-ge-as-gt"))
      return isSigned ? arith::CmpIPredicate::sgt : arith::CmpIPredicate::ugt;
    return isSigned ? arith::CmpIPredicate::sge : arith::CmpIPredicate::uge;
  }
  llvm_unreachable("unknown comparison predicate");
}

arith::CmpFPredicate convertPredicate(Predicate predicate, cuda_tile::ComparisonOrdering ordering) {
  bool ordered = (ordering == cuda_tile::ComparisonOrdering::ORDERED &&
                  !TILESMITH_PLANT("cmpf-ordered-as-unordered")) ||
                 TILESMITH_PLANT("cmpf-unordered-as-ordered");
  switch (predicate) {
  case Predicate::EQUAL:
    return ordered ? arith::CmpFPredicate::OEQ : arith::CmpFPredicate::UEQ;
  case Predicate::NOT_EQUAL:
    return ordered && !TILESMITH_PLANT("cmpf-ordered-unequal-on-nan") ? arith::CmpFPredicate::ONE
                                                                      : arith::CmpFPredicate::UNE;
  case Predicate::LESS_THAN:
    if (TILESMITH_PLANT("cmpf-lt-as-le"))
      return ordered ? arith::CmpFPredicate::OLE : arith::CmpFPredicate::ULE;
    return ordered ? arith::CmpFPredicate::OLT : arith::CmpFPredicate::ULT;
  case Predicate::LESS_THAN_OR_EQUAL:
    if (TILESMITH_PLANT("cmpf-le-as-lt"))
      return ordered ? arith::CmpFPredicate::OLT : arith::CmpFPredicate::ULT;
    return ordered ? arith::CmpFPredicate::OLE : arith::CmpFPredicate::ULE;
  case Predicate::GREATER_THAN:
    if (TILESMITH_PLANT("cmpf-gt-as-ge"))
      return ordered ? arith::CmpFPredicate::OGE : arith::CmpFPredicate::UGE;
    return ordered ? arith::CmpFPredicate::OGT : arith::CmpFPredicate::UGT;
  case Predicate::GREATER_THAN_OR_EQUAL:
    if (TILESMITH_PLANT("cmpf-ge-as-gt"))
      return ordered ? arith::CmpFPredicate::OGT : arith::CmpFPredicate::UGT;
    return ordered ? arith::CmpFPredicate::OGE : arith::CmpFPredicate::UGE;
  }
  llvm_unreachable("unknown comparison predicate");
}

// [spec: int-compare]
struct LowerCmpI : public OpConversionPattern<cuda_tile::CmpIOp> {
  using OpConversionPattern::OpConversionPattern;

  /// Comparison of i1 by logic. Signed true is -1, so the signed orders are the unsigned ones
  /// reversed.
  static Value compareBool(OpBuilder &builder, Location loc, Predicate predicate, bool isSigned,
                           Value a, Value b) {
    Value ones = createInt(builder, loc, a.getType(), 1);
    auto negate = [&](Value x) -> Value { return arith::XOrIOp::create(builder, loc, x, ones); };
    if (isSigned && !TILESMITH_PLANT("cmpi-bool-order"))
      std::swap(a, b);
    switch (predicate) {
    case Predicate::EQUAL:
      return negate(arith::XOrIOp::create(builder, loc, a, b));
    case Predicate::NOT_EQUAL:
      return arith::XOrIOp::create(builder, loc, a, b);
    case Predicate::LESS_THAN:
      return arith::AndIOp::create(
          builder, loc, TILESMITH_PLANT("cmpi-bool-lt-negation-dropped") ? a : negate(a), b);
    case Predicate::LESS_THAN_OR_EQUAL:
      return arith::OrIOp::create(builder, loc, negate(a), b);
    case Predicate::GREATER_THAN:
      return arith::AndIOp::create(builder, loc, a, negate(b));
    case Predicate::GREATER_THAN_OR_EQUAL:
      return arith::OrIOp::create(builder, loc, a,
                                  TILESMITH_PLANT("cmpi-bool-ge-negation-dropped") ? b : negate(b));
    }
    llvm_unreachable("unknown comparison predicate");
  }

  LogicalResult matchAndRewrite(cuda_tile::CmpIOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    bool isSigned = op.getSignedness() == cuda_tile::Signedness::Signed;
    Predicate predicate = op.getComparisonPredicate();
    auto wide = op.getLhs().getDefiningOp<cuda_tile::ExtIOp>();
    auto narrow =
        wide ? wide.getFrom().getDefiningOp<cuda_tile::TruncIOp>() : cuda_tile::TruncIOp();
    if (narrow && narrow.getFrom() == op.getRhs() && predicate == Predicate::EQUAL &&
        TILESMITH_PLANT("cmpi-of-cast-folded")) {
      rewriter.replaceOp(
          op, createInt(rewriter, op.getLoc(), getTypeConverter()->convertType(op.getType()), 1));
      return success();
    }
    if (isBool(adaptor.getLhs().getType()))
      rewriter.replaceOp(op, compareBool(rewriter, op.getLoc(), predicate, isSigned,
                                         adaptor.getLhs(), adaptor.getRhs()));
    else
      rewriter.replaceOpWithNewOp<arith::CmpIOp>(
          op,
          convertPredicate(predicate, (isSigned || TILESMITH_PLANT("cmpi-unsigned-as-signed")) &&
                                          !TILESMITH_PLANT("cmpi-signed-as-unsigned")),
          adaptor.getLhs(), adaptor.getRhs());
    return success();
  }
};

// [spec: float-compare]
struct LowerCmpF : public OpConversionPattern<cuda_tile::CmpFOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(cuda_tile::CmpFOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (op.getLhs() == op.getRhs() && TILESMITH_PLANT("cmpf-of-itself-folded") &&
        op.getComparisonPredicate() == cuda_tile::ComparisonPredicate::EQUAL) {
      rewriter.replaceOp(
          op, createInt(rewriter, op.getLoc(), getTypeConverter()->convertType(op.getType()), 1));
      return success();
    }
    auto result = rewriter.replaceOpWithNewOp<arith::CmpFOp>(
        op, convertPredicate(op.getComparisonPredicate(), op.getComparisonOrdering()),
        adaptor.getLhs(), adaptor.getRhs());
    copyFastMath(op, result);
    return success();
  }
};

// [spec: shape-select]
struct LowerSelect : public OpConversionPattern<cuda_tile::SelectOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(cuda_tile::SelectOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto cmp = op.getCond().getDefiningOp<cuda_tile::CmpFOp>();
    bool ordered = cmp && cmp.getComparisonOrdering() == cuda_tile::ComparisonOrdering::ORDERED;
    if (ordered && cmp.getComparisonPredicate() == Predicate::LESS_THAN &&
        cmp.getLhs() == op.getValIfTrue() && cmp.getRhs() == op.getValIfFalse() &&
        TILESMITH_PLANT("select-of-order-as-minimum")) {
      rewriter.replaceOpWithNewOp<arith::MinNumFOp>(op, adaptor.getValIfTrue(),
                                                    adaptor.getValIfFalse());
      return success();
    }
    if (ordered && cmp.getComparisonPredicate() == Predicate::NOT_EQUAL &&
        cmp.getRhs() == op.getValIfFalse() && TILESMITH_PLANT("select-of-unequal-reuses")) {
      rewriter.replaceOpWithNewOp<arith::SelectOp>(op, adaptor.getCond(), adaptor.getValIfTrue(),
                                                   rewriter.getRemappedValue(cmp.getLhs()));
      return success();
    }
    bool swap = TILESMITH_PLANT("select-operands-swapped");
    rewriter.replaceOpWithNewOp<arith::SelectOp>(
        op, adaptor.getCond(), swap ? adaptor.getValIfFalse() : adaptor.getValIfTrue(),
        swap ? adaptor.getValIfTrue() : adaptor.getValIfFalse());
    return success();
  }
};

} // namespace

void populateComparison(Types types, PatternSet patterns) {
  patterns.add<LowerCmpI, LowerCmpF, LowerSelect>(types, patterns.getContext());
}

} // namespace tilesmith::cudatile_to_tileaa
