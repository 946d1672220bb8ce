//===- CanonicalizeLoops.cpp - what a loop only counts up is computed from the turn -----------===//
//
// Kernels that step their pointers carry a tile of them through the loop. Nothing is known about
// carried values, every element of the tile occupies two registers, and no copy can run ahead. The
// same addresses follow from the turn: start + turn * step.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/dialect/TileAA/Transforms/Canonicalizers.h"
#include "compiler/support/Plants.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tilesmith::tileaa {
namespace {

/// x = start; loop { x += step } -> start + turn * step, where every element steps by the same
/// number and the loop's result is not read. Pointers step in i64, integers wrap in their type.
struct CountCarriedSum : public OpRewritePattern<scf::ForOp> {
  using OpRewritePattern::OpRewritePattern;

  /// The scalar from outside of the loop that every turn adds to carried value `index`, or null.
  static Value stepOf(scf::ForOp loop, unsigned index) {
    Value carried = loop.getRegionIterArg(index);
    Operation *next = loop.getYieldedValues()[index].getDefiningOp();
    if (!next ||
        !(loop.getResult(index).use_empty() || TILESMITH_PLANT("fold-carried-result-read")))
      return {};
    Value step;
    if (auto add = llvm::dyn_cast<AddPtrOp>(next); add && add.getBase() == carried)
      step = add.getOffset();
    else if (auto sum = llvm::dyn_cast<arith::AddIOp>(next); sum && sum.getLhs() == carried)
      step = sum.getRhs();
    else if (sum && sum.getRhs() == carried)
      step = sum.getLhs();
    if (!step)
      return {};
    if (auto splat = step.getDefiningOp<SplatOp>())
      step = splat.getSource();
    const bool isMadeHere =
        !loop.isDefinedOutsideOfLoop(step) &&
        (step.getDefiningOp() || !TILESMITH_PLANT("fold-carried-step-argument"));
    if (llvm::isa<RankedTensorType>(step.getType()) || isMadeHere)
      return {};
    return step;
  }

  /// Turns that are over, as i64; null when the loop's step is no constant power of two.
  static Value turnsOf(scf::ForOp loop, PatternRewriter &rewriter) {
    Location loc = loop.getLoc();
    auto step = llvm::dyn_cast_or_null<IntegerAttr>(getConstant(loop.getStep()));
    if (!step || !step.getValue().isPowerOf2())
      return {};
    // The distance from the bound is no negative number, and all bits of the type may count it.
    Value turns = loop.getInductionVar();
    auto lower = llvm::dyn_cast_or_null<IntegerAttr>(getConstant(loop.getLowerBound()));
    if (!(lower && lower.getValue().isZero()) && !TILESMITH_PLANT("fold-carried-from-zero"))
      turns = arith::SubIOp::create(rewriter, loc, turns, loop.getLowerBound());
    if (!step.getValue().isOne() && !TILESMITH_PLANT("fold-carried-steps-by-one")) {
      Value shift = arith::ConstantOp::create(
          rewriter, loc, rewriter.getIntegerAttr(turns.getType(), step.getValue().logBase2()));
      turns = TILESMITH_PLANT("fold-carried-turns-signed")
                  ? arith::ShRSIOp::create(rewriter, loc, turns, shift).getResult()
                  : arith::ShRUIOp::create(rewriter, loc, turns, shift).getResult();
    }
    if (turns.getType().isInteger(64))
      return turns;
    if (TILESMITH_PLANT("fold-carried-narrow-turns-signed"))
      return arith::ExtSIOp::create(rewriter, loc, rewriter.getI64Type(), turns);
    return arith::ExtUIOp::create(rewriter, loc, rewriter.getI64Type(), turns);
  }

  /// start + turns * step.
  static Value valueAt(Value start, Value turns, Value step, PatternRewriter &rewriter) {
    Location loc = turns.getLoc();
    Type element = getElementTypeOrSelf(start.getType());
    const bool isPointer = llvm::isa<PtrType>(element);
    Type type = isPointer ? Type(rewriter.getI64Type()) : element;
    auto fit = [&](Value number, bool isSigned) -> Value {
      unsigned have = number.getType().getIntOrFloatBitWidth(), want = type.getIntOrFloatBitWidth();
      if (have == want)
        return number;
      if (have > want)
        return arith::TruncIOp::create(rewriter, loc, type, number);
      return isSigned ? arith::ExtSIOp::create(rewriter, loc, type, number).getResult()
                      : arith::ExtUIOp::create(rewriter, loc, type, number).getResult();
    };
    Value offset = arith::MulIOp::create(rewriter, loc, fit(turns, /*isSigned=*/false),
                                         fit(step, !TILESMITH_PLANT("fold-carried-step-unsigned")));
    if (auto tensor = llvm::dyn_cast<RankedTensorType>(start.getType()))
      offset = SplatOp::create(rewriter, loc, tensor.clone(type), offset);
    if (isPointer)
      return AddPtrOp::create(rewriter, loc, start.getType(), start, offset);
    return arith::AddIOp::create(rewriter, loc, start, offset);
  }

  LogicalResult matchAndRewrite(scf::ForOp loop, PatternRewriter &rewriter) const override {
    const unsigned count = loop.getNumRegionIterArgs();
    unsigned index = 0;
    while (index < count && !stepOf(loop, index))
      ++index;
    if (index == count)
      return failure();
    Value step = stepOf(loop, index);
    rewriter.setInsertionPointToStart(loop.getBody());
    Value turns = turnsOf(loop, rewriter);
    if (!turns)
      return failure();
    Value value = valueAt(loop.getInitArgs()[index], turns, step, rewriter);
    rewriter.replaceAllUsesWith(loop.getRegionIterArg(index), value);
    dropCarried(loop, index, rewriter);
    return success();
  }

  /// The loop without the carried value that nothing reads.
  static void dropCarried(scf::ForOp loop, unsigned index, PatternRewriter &rewriter) {
    SmallVector<Value> inits(loop.getInitArgs());
    inits.erase(inits.begin() + index);
    rewriter.modifyOpInPlace(loop.getBody()->getTerminator(),
                             [&] { loop.getBody()->getTerminator()->eraseOperand(index); });
    loop.getBody()->eraseArgument(index + 1); // behind the induction variable
    rewriter.setInsertionPoint(loop);
    auto shorter = scf::ForOp::create(
        rewriter, loop.getLoc(), loop.getLowerBound(), loop.getUpperBound(), loop.getStep(), inits,
        nullptr, loop.getUnsignedCmp() && !TILESMITH_PLANT("fold-carried-counts-signed"));
    shorter->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
    rewriter.eraseBlock(shorter.getBody());
    rewriter.inlineRegionBefore(loop.getRegion(), shorter.getRegion(), shorter.getRegion().end());
    SmallVector<Value> results(shorter.getResults());
    results.insert(results.begin() + index, Value());
    for (auto [result, replacement] : llvm::zip_equal(loop.getResults(), results))
      if (replacement)
        rewriter.replaceAllUsesWith(result, replacement);
    rewriter.eraseOp(loop);
  }
};

} // namespace

void addLoopCanonicalizers(RewritePatternSet &patterns, KeepFn keep) {
  addNamed<CountCarriedSum>(patterns, "count-carried-sum", keep);
}

} // namespace tilesmith::tileaa
