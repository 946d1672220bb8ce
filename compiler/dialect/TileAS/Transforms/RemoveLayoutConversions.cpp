//===- RemoveLayoutConversions.cpp - tileas-remove-layout-conversions -------------------------===//
//
// Rewrites, applied greedily:
//   convert(x) to the layout x has          -> x
//   convert(convert(x))                     -> convert(x)
//   convert(permute(convert(x)))            -> convert(permute(x)): one exchange in place of two
//   a loop-carried tile that the body only uses in layout L and yields from L is carried in L
//   convert(splat | make_range | constant)  -> the same operation with the other layout
//   stage(convert(x))                       -> stage(x), where threads hold words of neighbours; so do
//                                              warpgroup products that write their right operand
//   convert(read(slot))                     -> read(slot) in the other layout
//   for { convert(x) }, x from outside      -> convert(x), for { }: one exchange in place of one a turn, and what
//                                              fills a ring in front of the loop takes its result, too; what the loop
//                                              computes from outside alone for a conversion is computed there first
// With `propagate-layouts` also those of PropagateLayouts.cpp and RecomputeIndices.cpp. Elements and order of memory operations do
// not change.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/dialect/TileAS/IR/SharedAccess.h"
#include "compiler/dialect/TileAS/IR/TensorBox.h"
#include "compiler/dialect/TileAS/IR/TileAS.h"
#include "compiler/dialect/TileAS/IR/WarpgroupAtom.h"
#include "compiler/dialect/TileAS/Transforms/LayoutPatterns.h"
#include "compiler/dialect/TileAS/Transforms/Passes.h"
#include "compiler/support/CountedRewrites.h"
#include "compiler/support/Plants.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas;

namespace tilesmith::tileas {
#define GEN_PASS_DEF_REMOVELAYOUTCONVERSIONSPASS
#include "compiler/dialect/TileAS/Transforms/Passes.h.inc"
} // namespace tilesmith::tileas

/// Around the branches and stages of rings that an operation stands in.
static Operation *aroundBranches(Operation *op) {
  Operation *around = op->getParentOp();
  while (isa<scf::IfOp, tileas::ProducerWriteOp>(around))
    around = around->getParentOp();
  return around;
}

/// Words of a thread that differ from each other.
static int64_t ownWords(Value tile) {
  return withoutCopies(getLayout(tile.getType())).getNumRegisters() *
         std::max<int64_t>(1, bitsOfElement(tile) / 32);
}

bool tileas::isCheapToKeep(ConvertLayoutOp convert) {
  Value result = convert.getResult(), source = convert.getSource();
  return getLayout(result.getType()).getNumRegisters() <=
             getLayout(source.getType()).getNumRegisters() ||
         ownWords(result) <= ownWords(source) + kMostKeptWords;
}

/// Bytes of a store of what `held` has in neighbouring registers.
static int64_t bytesOfStores(SharedLayoutAttr buffer, RankedTensorType held) {
  const int64_t bytes = bufferElementBytes(held.getElementType());
  return sharedVector(buffer.offsetsOf(getLayout(held)), bytes) * bytes;
}

bool tileas::isStagedAsHeld(OpOperand &use, RankedTensorType held) {
  constexpr int64_t kWord = 4; // not where each element would be a store of its own
  if (auto stage = dyn_cast<TensorMemoryStageOp>(use.getOwner()))
    return &use == &stage.getSourceMutable() &&
           bytesOfStores(getSharedLayout(stage.getBuffer().getType()), held) >= kWord;
  auto dot = dyn_cast<DotOp>(use.getOwner());
  if (!dot || &use != &dot.getRhsMutable() || !dot.getAtom() || !findWarpgroupAtom(*dot.getAtom()))
    return false;
  std::optional<SharedLayoutAttr> form =
      warpgroupStaging(held, bufferElementBytes(held.getElementType()));
  return form && bytesOfStores(*form, held) >= kWord;
}

scf::ForOp tileas::loopToLeave(ConvertLayoutOp convert) {
  auto loop = dyn_cast<scf::ForOp>(aroundBranches(convert));
  Value source = convert.getSource();
  if (!loop || loop->isAncestor(source.getParentRegion()->getParentOp()) || !isCheapToKeep(convert))
    return {};
  for (Operation *user : source.getUsers())
    if (loop->isAncestor(user) && (!isa<ConvertLayoutOp>(user) ||
                                   user->getResult(0).getType() != convert.getResult().getType()))
      return {};
  return loop;
}

namespace {

struct FoldConversion : OpRewritePattern<tileas::ConvertLayoutOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tileas::ConvertLayoutOp op, PatternRewriter &rewriter) const final {
    Value source = op.getSource();
    if (source.getType() == op.getResult().getType()) {
      rewriter.replaceOp(op, source);
      return success();
    }
    Operation *producer = source.getDefiningOp();
    if (auto inner = dyn_cast_or_null<tileas::ConvertLayoutOp>(producer)) {
      rewriter.replaceOpWithNewOp<tileas::ConvertLayoutOp>(op, op.getResult().getType(),
                                                           inner.getSource());
      return success();
    }
    Value anew = tileas::withLayoutAnew(rewriter, producer, op.getResult().getType());
    if (!anew)
      return failure();
    rewriter.replaceOp(op, anew);
    return success();
  }
};

/// A permuted tile takes whatever layout its source has, so the conversion in front of it is not needed.
struct FoldBehindPermute : OpRewritePattern<tileas::ConvertLayoutOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tileas::ConvertLayoutOp op, PatternRewriter &rewriter) const final {
    auto permute = op.getSource().getDefiningOp<tileas::PermuteOp>();
    auto inner = permute ? permute.getSource().getDefiningOp<tileas::ConvertLayoutOp>()
                         : tileas::ConvertLayoutOp();
    if (!inner || !permute->hasOneUse())
      return failure();
    if (op.getResult().getType().getShape() == inner.getSource().getType().getShape() &&
        TILESMITH_PLANT("square-permute-folded-away")) {
      rewriter.replaceOpWithNewOp<tileas::ConvertLayoutOp>(op, op.getResult().getType(),
                                                           inner.getSource());
      return success();
    }
    tileas::LayoutAttr held = tileas::getLayout(inner.getSource().getType());
    auto type = tileas::withLayout(cast<RankedTensorType>(permute.getResult().getType()),
                                   tileas::permuteLayout(held, permute.getPermutation()));
    auto direct = tileas::PermuteOp::create(rewriter, permute.getLoc(), type, inner.getSource(),
                                            permute.getPermutation());
    rewriter.replaceOpWithNewOp<tileas::ConvertLayoutOp>(op, op.getResult().getType(),
                                                         direct.getResult());
    return success();
  }
};

/// `for (x = init) { y = f(convert_L(x)); yield convert(y) }` carries L, with conversions outside
/// the loop.
struct CarryLayout : OpRewritePattern<scf::ForOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(scf::ForOp loop, PatternRewriter &rewriter) const final {
    for (auto [index, argument] : llvm::enumerate(loop.getRegionIterArgs())) {
      auto yielded = loop.getYieldedValues()[index].getDefiningOp<tileas::ConvertLayoutOp>();
      if (!yielded || argument.use_empty())
        continue;
      Type inner = yielded.getSource().getType();
      bool onlyInner = llvm::all_of(argument.getUsers(), [&](Operation *user) {
        return isa<tileas::ConvertLayoutOp>(user) && user->getResult(0).getType() == inner;
      });
      if (!onlyInner)
        continue;
      Type outer = argument.getType();
      rewriter.setInsertionPoint(loop);
      Value init = tileas::ConvertLayoutOp::create(rewriter, loop.getLoc(), inner,
                                                   loop.getInitArgs()[index]);
      rewriter.modifyOpInPlace(loop, [&] {
        loop.getInitArgsMutable()[index].assign(init);
        argument.setType(inner);
        loop.getResult(index).setType(inner);
      });
      for (Operation *user : llvm::make_early_inc_range(argument.getUsers()))
        rewriter.replaceOp(user, argument);
      Operation *yield = loop.getBody()->getTerminator();
      rewriter.modifyOpInPlace(yield, [&] { yield->setOperand(index, yielded.getSource()); });
      rewriter.setInsertionPointAfter(loop);
      Value result = loop.getResult(index);
      auto back = tileas::ConvertLayoutOp::create(rewriter, loop.getLoc(), outer, result);
      rewriter.replaceAllUsesExcept(result, back.getResult(), back);
      return success();
    }
    return failure();
  }
};

/// Threads write what they hold to a buffer that tensor cores read: no exchange in front of it.
struct StageAsHeld : OpRewritePattern<tileas::TensorMemoryStageOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tileas::TensorMemoryStageOp op,
                                PatternRewriter &rewriter) const final {
    OpOperand &source = op.getSourceMutable();
    auto convert = source.get().getDefiningOp<tileas::ConvertLayoutOp>();
    if (!convert || !tileas::isStagedAsHeld(source, convert.getSource().getType()))
      return failure();
    rewriter.modifyOpInPlace(op, [&] { source.assign(convert.getSource()); });
    return success();
  }
};

/// So does a warpgroup's right operand that threads write to shared memory for the product.
struct StageRightAsHeld : OpRewritePattern<tileas::DotOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tileas::DotOp op, PatternRewriter &rewriter) const final {
    OpOperand &right = op.getRhsMutable();
    auto convert = right.get().getDefiningOp<tileas::ConvertLayoutOp>();
    if (!convert || !tileas::isStagedAsHeld(right, convert.getSource().getType()))
      return failure();
    rewriter.modifyOpInPlace(op, [&] { right.assign(convert.getSource()); });
    return success();
  }
};

/// A slot is read in the layout that its only user wants.
struct ReadAsWanted : OpRewritePattern<tileas::ConvertLayoutOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tileas::ConvertLayoutOp op, PatternRewriter &rewriter) const final {
    Value value = op.getSource();
    auto read = value.getDefiningOp<tileas::ConsumerReadOp>();
    if (!read || !value.hasOneUse())
      return failure();
    Operation *yield = read.getBody().front().getTerminator();
    auto copy =
        yield->getOperand(cast<OpResult>(value).getResultNumber()).getDefiningOp<tileas::CopyOp>();
    if (!copy || !copy->hasOneUse())
      return failure();
    RankedTensorType type = op.getResult().getType();
    tileas::LayoutAttr offsets =
        tileas::getSharedLayout(copy.getSource().getType()).offsetsOf(tileas::getLayout(type));
    bool byMatrices =
        tileas::planLdMatrix(offsets, tileas::bufferElementBytes(type.getElementType()))
            .has_value();
    rewriter.modifyOpInPlace(copy, [&] {
      copy.getResult().setType(type);
      copy.setAtomAttr(byMatrices ? rewriter.getStringAttr("ldmatrix") : StringAttr());
    });
    rewriter.modifyOpInPlace(read, [&] { value.setType(type); });
    rewriter.replaceOp(op, value);
    return success();
  }
};

/// The exchange of a tile that no turn changes stands behind what makes the tile, where rings of the loop
/// hold nothing yet.
struct LeaveLoop : OpRewritePattern<tileas::ConvertLayoutOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tileas::ConvertLayoutOp op, PatternRewriter &rewriter) const final {
    scf::ForOp loop = tileas::loopToLeave(op);
    if (!loop)
      return failure();
    Value source = op.getSource();
    const bool isBeside = source.getParentBlock() == loop->getBlock();
    for (auto other : loop->getBlock()->getOps<tileas::ConvertLayoutOp>())
      if (other.getResult().getType() == op.getResult().getType() && other->isBeforeInBlock(loop) &&
          (other.getSource() == source || TILESMITH_PLANT("leave-loop-any-conversion"))) {
        rewriter.replaceOp(op, other.getResult());
        return success();
      }
    if (isBeside)
      rewriter.setInsertionPointAfterValue(source);
    else
      rewriter.setInsertionPoint(loop);
    rewriter.replaceOpWithNewOp<tileas::ConvertLayoutOp>(op, op.getResult().getType(), source);
    return success();
  }
};

/// What a loop computes for a conversion from tiles and numbers of outside alone is computed in front of the loop, which the
/// conversion leaves then. Others in the loop keep what they use.
struct LeaveLoopWithSource : OpRewritePattern<tileas::ConvertLayoutOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tileas::ConvertLayoutOp op, PatternRewriter &rewriter) const final {
    auto loop = dyn_cast<scf::ForOp>(aroundBranches(op));
    if (!loop || !loop->isAncestor(op.getSource().getParentRegion()->getParentOp()) ||
        !tileas::isCheapToKeep(op))
      return failure();
    llvm::SetVector<Operation *> chain;
    if (!collect(op.getSource(), loop, chain))
      return failure();
    rewriter.setInsertionPoint(loop);
    IRMapping mapping;
    if (TILESMITH_PLANT("leave-loop-as-in-first-turn")) {
      mapping.map(loop.getInductionVar(), loop.getLowerBound());
      mapping.map(loop.getRegionIterArgs(), loop.getInitArgs());
    }
    for (Operation *each : llvm::reverse(chain))
      rewriter.clone(*each, mapping);
    rewriter.modifyOpInPlace(op,
                             [&] { op.getSourceMutable().assign(mapping.lookup(op.getSource())); });
    return success();
  }

private:
  static constexpr unsigned kMostOperations = 16;

  /// What the value is computed from, users in front of what they use; false if that changes from turn to turn, or has to stay.
  static bool collect(Value value, scf::ForOp loop, llvm::SetVector<Operation *> &chain) {
    SmallVector<Value> work{value};
    for (size_t at = 0; at < work.size(); ++at) {
      Operation *op = work[at].getDefiningOp();
      if (!loop->isAncestor(work[at].getParentRegion()->getParentOp()))
        continue;
      if (!op && work[at].getParentBlock() == loop.getBody() &&
          TILESMITH_PLANT("leave-loop-as-in-first-turn"))
        continue;
      if (!op || op->getNumRegions() || !isPure(op) || isa<tileas::ConvertLayoutOp>(op) ||
          work.size() > kMostOperations)
        return false;
      chain.remove(op); // it stands behind all of its users
      chain.insert(op);
      work.append(op->operand_begin(), op->operand_end());
    }
    return true;
  }
};

/// What fills the first stages of a ring, in front of its loop, finds there what the loop has left behind.
struct LeaveBranch : OpRewritePattern<tileas::ConvertLayoutOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tileas::ConvertLayoutOp op, PatternRewriter &rewriter) const final {
    Value source = op.getSource();
    Block *made = source.getParentBlock();
    if (!op->getParentOfType<tileas::ProducerWriteOp>() || isa<scf::ForOp>(made->getParentOp()) ||
        aroundBranches(op) != made->getParentOp() || !tileas::isCheapToKeep(op))
      return failure();
    for (auto other : made->getOps<tileas::ConvertLayoutOp>())
      if (other.getSource() == source && other.getResult().getType() == op.getResult().getType() &&
          other->isBeforeInBlock(made->findAncestorOpInBlock(*op))) {
        rewriter.replaceOp(op, other.getResult());
        return success();
      }
    rewriter.setInsertionPointAfterValue(source);
    rewriter.replaceOpWithNewOp<tileas::ConvertLayoutOp>(op, op.getResult().getType(), source);
    return success();
  }
};

struct RemoveLayoutConversions
    : tileas::impl::RemoveLayoutConversionsPassBase<RemoveLayoutConversions> {
  using RemoveLayoutConversionsPassBase::RemoveLayoutConversionsPassBase;

  void runOnOperation() override {
    tileas::KeptLayouts kept;
    if (propagate)
      kept = tileas::layoutsOfSums(getOperation());
    if (failed(apply(kept)) || !propagate)
      return;
    // Reductions of such sums have their layouts by now, the others keep their own.
    tileas::addLayoutsOfReductions(getOperation(), kept);
    (void)apply(kept);
  }

private:
  LogicalResult apply(tileas::KeptLayouts &kept) {
    RewritePatternSet patterns(&getContext());
    patterns.add<FoldConversion, FoldBehindPermute, CarryLayout, StageAsHeld, StageRightAsHeld,
                 ReadAsWanted>(&getContext());
    if (propagate) {
      tileas::populatePropagateLayouts(patterns, kept);
      tileas::populateRecomputeIndices(patterns);
      patterns.add<LeaveLoop, LeaveLoopWithSource, LeaveBranch>(&getContext());
    }
    // Every rewrite moves a conversion on its way, so they end; loops inside of loops take several
    // rounds.
    GreedyRewriteConfig config;
    CountedRewrites counter("tileas-remove-layout-conversions");
    counter.add(patterns);
    config.setListener(&counter);
    config.setMaxIterations(GreedyRewriteConfig::kNoLimit);
    if (succeeded(applyPatternsGreedily(getOperation(), std::move(patterns), config)))
      return success();
    getOperation()->emitError("failed to apply patterns greedily");
    signalPassFailure();
    return failure();
  }
};

} // namespace
