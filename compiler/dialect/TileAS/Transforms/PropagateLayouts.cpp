//===- PropagateLayouts.cpp - results of products and reductions keep their layout ------------===//
//
// Patterns of tileas-remove-layout-conversions. P is a kept layout (that of sums of a product, or what
// the patterns make of it; then also those of reduced tiles, which all threads of a line have), C any
// other; conversions move down behind what is computed from such results, and what meets it is
// brought to P:
//
//   f(convert_C(x), y)       -> convert_C(f(x, convert_P(y)))     f works element by element
//   reduce(convert_C(x))     -> convert(reduce(x))                and the reduced layout is kept, too
//   view(convert_C(x))       -> convert(view(x))                  likewise
//   atomic(p, convert_C(x))  -> atomic(convert_P(p), x)           one element at a time, wherever it is
//   convert_P(broadcast(y))  -> broadcast(convert(y))
//   convert_P(f(x, y))       -> f(convert_P(x), convert_P(y))
//   convert_P(view(y))       -> view(convert(y))
//   for (x : C) { f(x), convert_P(x); yield convert_C(y : P) }
//                            -> for (x : P) { f(convert_C(x)), x; yield y }
//
// Invariants
//  * An operation changes from C to P once and never back, so the rewriting ends.
//  * No rewrite adds an exchange between threads: what is also stored is not viewed in P, the other
//    operands are free to convert (`isFree`), or carried by a loop, whose layout follows (CarryLayout), or
//    loaded for this alone, where the conversion that they take goes in front of a reduction (`staysBehind`), or
//    of so few elements that each thread loads what it wants (`isLoadedAnyhow`, AssignMemoryLayouts.cpp), or
//    where with that of what is stored it moves no more bytes than the sum's (`isStoredNarrower`).
//  * No reduction takes a P of which warps share a row: those along rows need no barrier.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/dialect/TileAS/Transforms/LayoutPatterns.h"

#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/support/Plants.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas;

bool tileas::isElementwise(Operation *op) {
  if (!op || op->getNumResults() != 1 || op->getNumRegions() || !op->getNumOperands() ||
      !isMemoryEffectFree(op) || isa<TileASDialect>(op->getDialect()) ||
      isa<tileaa::SplatOp, tileaa::MakeRangeOp>(op))
    return false;
  RankedTensorType result = tileType(op->getResult(0));
  if (!result)
    return false;
  unsigned tiles = 0;
  for (Value operand : op->getOperands()) {
    if (!isa<RankedTensorType>(operand.getType()))
      continue;
    RankedTensorType type = tileType(operand);
    if (!type || type.getShape() != result.getShape() || getLayout(type) != getLayout(result))
      return false;
    ++tiles;
  }
  return tiles;
}

namespace {

/// All threads of a line compute with what it was reduced to: with more results in a thread than
/// these, an exchange that divides them among the threads costs less (loops of attention over tiles of
/// 128 and 256 rows had a tenth more instructions).
constexpr int64_t kMostReduced = 4;
/// Of lines that no warps share, where a loop only adds up the results.
constexpr int64_t kMostSummed = 16;

/// Chains of operations that are looked through.
constexpr unsigned kMaxDepth = 8;

class FollowPattern : public RewritePattern {
public:
  FollowPattern(MLIRContext *context, KeptLayouts &kept)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context), kept(kept) {}

protected:
  bool isKept(LayoutAttr layout) const { return kept.contains(layout); }
  void keepLike(LayoutAttr known, LayoutAttr layout) const {
    kept.keep(layout, kept.sharesRows(known));
  }

  /// The kept layout that the value has in front of a conversion; null if there is none. Where warps
  /// share rows, others may need the conversion for what they reduce, so there must be no others.
  LayoutAttr keptBefore(Value value) const {
    auto convert = value.getDefiningOp<ConvertLayoutOp>();
    if (!convert || !tileType(convert.getSource()))
      return {};
    LayoutAttr layout = getLayout(convert.getSource().getType());
    return isKept(layout) && !isKept(getLayout(value.getType())) &&
                   (value.hasOneUse() || !kept.sharesRows(layout))
               ? layout
               : LayoutAttr();
  }

  /// The value can be had in the layout without an exchange between threads.
  bool isFree(Value value, LayoutAttr layout, unsigned depth = 0) const {
    Operation *op = value.getDefiningOp();
    if (!op)
      return false;
    if (op->hasTrait<OpTrait::ConstantLike>() ||
        isa<tileaa::SplatOp, tileaa::MakeRangeOp, BroadcastOp>(op))
      return true;
    if (auto convert = dyn_cast<ConvertLayoutOp>(op))
      return getLayout(convert.getSource().getType()) == layout;
    if (auto read =
            dyn_cast<ConsumerReadOp>(op)) { // a slot is read in the layout that its only user wants
      Value inner = read.getBody().front().getTerminator()->getOperand(
          cast<OpResult>(value).getResultNumber());
      return value.hasOneUse() && inner.hasOneUse() && inner.getDefiningOp<CopyOp>();
    }
    if (auto view = dyn_cast<ViewOp>(op))
      return isFree(view.getSource(), layout, depth + 1);
    return depth < kMaxDepth && isElementwise(op) && (value.hasOneUse() || isIndexArithmetic(op)) &&
           llvm::all_of(
               op->getOperands(),
               [&](Value operand) {
                 return !isa<RankedTensorType>(operand.getType()) ||
                        isFree(operand, layout, depth + 1);
               });
  }
  /// A tile that is loaded, or an element of it each, for one operation: exchanged as it comes, it takes no more than
  /// the sum would.
  static bool isLoaded(Value value, unsigned depth = 0) {
    Operation *op = value.getDefiningOp();
    if (!op || !value.hasOneUse() || depth > kMaxDepth)
      return false;
    if (isa<TiledLoadOp>(op))
      return true;
    return (isa<ViewOp>(op) || isElementwise(op)) && op->getNumOperands() == 1 &&
           bitsOfElement(op->getOperand(0)) <= bitsOfElement(value) &&
           isLoaded(op->getOperand(0), depth + 1);
  }
  /// A comparison of bytes that are loaded for it alone with what is the same everywhere: as bytes, too, it is exchanged.
  static bool isLoadedMask(Value value) {
    Operation *op = value.getDefiningOp();
    if (!op || !value.hasOneUse() || bitsOfElement(value) != 1 || !isElementwise(op))
      return false;
    Value bytes;
    for (Value operand : op->getOperands()) {
      Operation *source = operand.getDefiningOp();
      if (source && (source->hasTrait<OpTrait::ConstantLike>() || isa<tileaa::SplatOp>(source)))
        continue;
      if (bytes)
        return false;
      bytes = operand;
    }
    return bytes && bitsOfElement(bytes) <= 8 && isLoaded(bytes);
  }
  static unsigned bitsAsLoaded(Value value) {
    while (!value.getDefiningOp<TiledLoadOp>())
      value = value.getDefiningOp()->getOperand(0);
    return bitsOfElement(value);
  }
  /// Of what is computed the rows are reduced in this layout, or are those of another product's left operand, and
  /// nothing else: the conversion does not come back.
  bool staysBehind(Operation *op, LayoutAttr layout, unsigned depth = 0) const {
    if (depth > kMaxDepth)
      return false;
    return llvm::all_of(op->getUses(), [&](OpOperand &use) {
      Operation *user = use.getOwner();
      if (auto reduce = dyn_cast<ReduceOp>(user))
        return reducesRows(reduce) && !kept.sharesRows(layout);
      if (auto dot = dyn_cast<DotOp>(user))
        return &use == &dot.getLhsMutable();
      return (isElementwise(user) || isa<ConvertLayoutOp>(user)) &&
             staysBehind(user, layout, depth + 1);
    });
  }
  /// What is computed from `chain` is stored, and the tiles that are loaded for it and what is stored, each exchanged by
  /// itself, take no more bits of an element than `bits`, those of `chain`.
  bool isStoredNarrower(Value chain, LayoutAttr layout, int64_t bits, unsigned depth = 0) const {
    if (!chain.hasOneUse() || depth > kMaxDepth)
      return false;
    OpOperand &use = *chain.use_begin();
    Operation *user = use.getOwner();
    if (auto store = dyn_cast<TiledStoreOp>(user))
      return &use == &store.getValueMutable() && bitsOfElement(chain) <= bits;
    if (!isa<ViewOp>(user) && !isElementwise(user))
      return false;
    for (OpOperand &other : user->getOpOperands()) {
      if (&other == &use || !isa<RankedTensorType>(other.get().getType()) ||
          isFree(other.get(), layout))
        continue;
      if (!isLoaded(other.get()))
        return false;
      bits -= bitsAsLoaded(other.get());
    }
    return isStoredNarrower(user->getResult(0), layout, bits, depth + 1);
  }
  /// Of two dimensions, the lines of sums of a product; of one, what was reduced before.
  static bool reducesRows(ReduceOp reduce) {
    const int64_t rank = cast<RankedTensorType>(reduce.getOperands()[0].getType()).getRank();
    return rank <= 2 && reduce.getAxis() + 1 == rank;
  }
  /// One instruction for each element, which may as well be computed twice.
  static bool isIndexArithmetic(Operation *op) {
    return isa<arith::AddIOp, arith::SubIOp, arith::CmpIOp, arith::AndIOp, arith::OrIOp>(op);
  }
  static bool isCarried(Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    return argument && isa<scf::ForOp>(argument.getOwner()->getParentOp());
  }

  static Value converted(PatternRewriter &rewriter, Location loc, Value value, LayoutAttr layout) {
    auto convert = value.getDefiningOp<ConvertLayoutOp>();
    if (convert && getLayout(convert.getSource().getType()) == layout)
      return convert.getSource();
    return ConvertLayoutOp::create(
        rewriter, loc, withLayout(cast<RankedTensorType>(value.getType()), layout), value);
  }

  /// The elementwise operation with all tiles in the layout.
  static Value cloneIn(PatternRewriter &rewriter, Operation *op, LayoutAttr layout) {
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(isa<RankedTensorType>(operand.getType())
                             ? converted(rewriter, op->getLoc(), operand, layout)
                             : operand);
    if (operands.size() == 2 && operands[0].getType() == operands[1].getType() &&
        TILESMITH_PLANT("propagation-swaps-operands"))
      std::swap(operands[0], operands[1]);
    Operation *clone = rewriter.clone(*op);
    clone->setOperands(operands);
    clone->getResult(0).setType(
        withLayout(cast<RankedTensorType>(op->getResult(0).getType()), layout));
    return clone->getResult(0);
  }

  KeptLayouts &kept;
};

struct SinkBelowElementwise : FollowPattern {
  using FollowPattern::FollowPattern;
  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const final {
    if (!isElementwise(op))
      return failure();
    LayoutAttr layout;
    Value chain;
    for (Value operand : op->getOperands())
      if (isa<RankedTensorType>(operand.getType()) && !layout) {
        layout = keptBefore(operand);
        chain = operand;
      }
    if (!layout || !llvm::all_of(op->getOperands(), [&](Value operand) {
          return !isa<RankedTensorType>(operand.getType()) || isCarried(operand) ||
                 isFree(operand, layout) ||
                 ((isLoaded(operand) || isLoadedMask(operand)) && staysBehind(op, layout)) ||
                 (isLoaded(operand) && isStoredNarrower(chain, layout, bitsOfElement(chain)));
        }))
      return failure();
    Value result = cloneIn(rewriter, op, layout);
    rewriter.replaceOpWithNewOp<ConvertLayoutOp>(op, op->getResult(0).getType(), result);
    return success();
  }
};

struct HoistAboveElementwise : FollowPattern {
  using FollowPattern::FollowPattern;
  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const final {
    auto convert = dyn_cast<ConvertLayoutOp>(op);
    if (!convert || !tileType(convert.getSource()))
      return failure();
    LayoutAttr layout = getLayout(convert.getResult().getType());
    Operation *source = convert.getSource().getDefiningOp();
    if (!isKept(layout) || isKept(getLayout(convert.getSource().getType())))
      return failure();
    if (auto broadcast = dyn_cast_or_null<BroadcastOp>(source)) {
      auto from = cast<RankedTensorType>(broadcast.getSource().getType());
      LayoutAttr projected = projectLayout(layout, from.getShape());
      keepLike(layout, projected);
      Value small = converted(rewriter, op->getLoc(), broadcast.getSource(), projected);
      rewriter.replaceOpWithNewOp<BroadcastOp>(op, convert.getResult().getType(), small);
      return success();
    }
    if (auto view = dyn_cast_or_null<ViewOp>(source)) {
      auto from = cast<RankedTensorType>(view.getSource().getType());
      if (!isFree(view.getSource(), layout) && !isLoaded(view.getResult()))
        return failure();
      LayoutAttr reshaped = reshapeLayout(layout, from.getShape());
      keepLike(layout, reshaped);
      rewriter.setInsertionPoint(source);
      Value small = converted(rewriter, op->getLoc(), view.getSource(), reshaped);
      rewriter.replaceOpWithNewOp<ViewOp>(op, convert.getResult().getType(), small);
      return success();
    }
    if (!isElementwise(source) || !(convert.getSource().hasOneUse() || isIndexArithmetic(source)) ||
        !(isLoaded(convert.getSource()) || isLoadedMask(convert.getSource()) ||
          llvm::all_of(source->getOperands(), [&](Value operand) {
            return !isa<RankedTensorType>(operand.getType()) || isCarried(operand) ||
                   isFree(operand, layout) || isLoadedAnyhow(operand.getDefiningOp(), layout);
          })))
      return failure();
    rewriter.setInsertionPoint(source);
    rewriter.replaceOp(op, cloneIn(rewriter, source, layout));
    if (source->use_empty())
      rewriter.eraseOp(source);
    return success();
  }
};

struct SinkBelowReduce : FollowPattern {
  using FollowPattern::FollowPattern;
  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const final {
    auto reduce = dyn_cast<ReduceOp>(op);
    if (!reduce)
      return failure();
    LayoutAttr layout;
    for (Value operand : reduce.getOperands())
      if (!layout)
        layout = keptBefore(operand);
    if (!layout || kept.sharesRows(layout) || !reducesRows(reduce) ||
        !llvm::all_of(reduce.getOperands(), [&](Value operand) { return isFree(operand, layout); }))
      return failure();
    SmallVector<Value> operands;
    for (Value operand : reduce.getOperands())
      operands.push_back(converted(rewriter, op->getLoc(), operand, layout));
    LayoutAttr reduced = reduceLayout(layout, reduce.getAxis());
    keepLike(layout, reduced);
    SmallVector<Type> types;
    for (Type type : reduce.getResultTypes())
      types.push_back(
          isa<RankedTensorType>(type) ? withLayout(cast<RankedTensorType>(type), reduced) : type);
    auto created = ReduceOp::create(rewriter, op->getLoc(), types, operands, reduce.getAxisAttr());
    created->setDiscardableAttrs(reduce->getDiscardableAttrDictionary());
    rewriter.inlineRegionBefore(reduce.getBody(), created.getBody(), created.getBody().end());
    SmallVector<Value> results;
    for (auto [wanted, result] : llvm::zip_equal(reduce.getResultTypes(), created.getResults())) {
      Value value = result;
      if (wanted != value.getType())
        value = ConvertLayoutOp::create(rewriter, op->getLoc(), wanted, value);
      results.push_back(value);
    }
    rewriter.replaceOp(op, results);
    return success();
  }
};

/// Threads add what they hold, element by element, in whatever layout: pointers and masks follow.
struct SinkBelowAtomic : FollowPattern {
  using FollowPattern::FollowPattern;
  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const final {
    if (!isa<AtomicRMWOp, TiledAtomicRMWOp>(op))
      return failure();
    auto isTile = [](Value value) { return isa<RankedTensorType>(value.getType()); };
    Value value = isa<AtomicRMWOp>(op) ? cast<AtomicRMWOp>(op).getValue()
                                       : cast<TiledAtomicRMWOp>(op).getValue();
    LayoutAttr layout = keptBefore(value);
    Value result = op->getResult(0);
    // Old values are exchanged in place of the sums.
    const bool isRead = isTile(result) && !result.use_empty();
    if (!layout || (isRead && !value.hasOneUse()) ||
        !llvm::all_of(op->getOperands(), [&](Value operand) {
          return !isTile(operand) || operand == value || isFree(operand, layout);
        }))
      return failure();
    for (OpOperand &operand : op->getOpOperands())
      if (isTile(operand.get())) {
        Value wanted = converted(rewriter, op->getLoc(), operand.get(), layout);
        rewriter.modifyOpInPlace(op, [&] { operand.set(wanted); });
      }
    if (auto atomic = dyn_cast<AtomicRMWOp>(op);
        atomic && TILESMITH_PLANT("atomic-of-sums-unmasked"))
      rewriter.modifyOpInPlace(op, [&] { atomic.getMaskMutable().clear(); });
    if (!isTile(result))
      return success();
    auto before = cast<RankedTensorType>(result.getType());
    rewriter.modifyOpInPlace(op, [&] { result.setType(withLayout(before, layout)); });
    rewriter.setInsertionPointAfter(op);
    auto back = ConvertLayoutOp::create(rewriter, op->getLoc(), before, result);
    rewriter.replaceAllUsesExcept(result, back.getResult(), back);
    return success();
  }
};

struct SinkBelowView : FollowPattern {
  using FollowPattern::FollowPattern;
  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const final {
    auto view = dyn_cast<ViewOp>(op);
    LayoutAttr layout = view ? keptBefore(view.getSource()) : LayoutAttr();
    // What is stored keeps the conversion: there would be two exchanges in place of one.
    if (!layout || llvm::any_of(view.getSource().getUsers(),
                                [](Operation *user) { return !isMemoryEffectFree(user); }))
      return failure();
    auto type = cast<RankedTensorType>(view.getResult().getType());
    LayoutAttr reshaped = reshapeLayout(layout, type.getShape());
    keepLike(layout, reshaped);
    auto created = ViewOp::create(rewriter, op->getLoc(), withLayout(type, reshaped),
                                  view.getSource().getDefiningOp<ConvertLayoutOp>().getSource());
    rewriter.replaceOpWithNewOp<ConvertLayoutOp>(op, type, created.getResult());
    return success();
  }
};

/// A loop carries a sum as its product has it, though it also computes other things from it: these take at most the
/// two exchanges of a turn that go. What is written to shared memory for tensor cores takes none.
struct CarryKept : FollowPattern {
  using FollowPattern::FollowPattern;
  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const final {
    auto loop = dyn_cast<scf::ForOp>(op);
    if (!loop)
      return failure();
    for (auto [index, argument] : llvm::enumerate(loop.getRegionIterArgs())) {
      auto yielded = loop.getYieldedValues()[index].getDefiningOp<ConvertLayoutOp>();
      if (!yielded || !tileType(argument) || isKept(getLayout(argument.getType())) ||
          !isKept(getLayout(yielded.getSource().getType())))
        continue;
      auto inner = cast<RankedTensorType>(yielded.getSource().getType());
      SmallVector<OpOperand *> readers = readersIn(argument, inner);
      auto exchanged =
          llvm::make_filter_range(readers, [&](OpOperand *use) { return !isHadAs(*use, inner); });
      if (readers.empty() || llvm::range_size(exchanged) > kMostReaders ||
          !llvm::all_of(exchanged, [](OpOperand *use) { return canFollow(use->getOwner()); }))
        continue;
      carry(rewriter, loop, index, inner, readers);
      return success();
    }
    return failure();
  }

private:
  static constexpr int64_t kMostReaders = 2;

  /// The uses of the argument but conversions to `inner`.
  static SmallVector<OpOperand *> readersIn(BlockArgument argument, Type inner) {
    SmallVector<OpOperand *> readers;
    for (OpOperand &use : argument.getUses())
      if (!isa<ConvertLayoutOp>(use.getOwner()) || use.getOwner()->getResult(0).getType() != inner)
        readers.push_back(&use);
    return readers;
  }
  /// A conversion in front of the operation joins it, or moves behind it.
  static bool canFollow(Operation *op) {
    return isa<ConvertLayoutOp>(op) ||
           (isElementwise(op) &&
            llvm::count_if(op->getOperandTypes(), llvm::IsaPred<RankedTensorType>) == 1);
  }
  static RankedTensorType permuted(PermuteOp permute, RankedTensorType source) {
    return withLayout(cast<RankedTensorType>(permute.getResult().getType()),
                      permuteLayout(getLayout(source), permute.getPermutation()));
  }
  /// The reader takes the tile in this layout as it is.
  static bool isHadAs(OpOperand &use, RankedTensorType type) {
    auto permute = dyn_cast<PermuteOp>(use.getOwner());
    if (!permute)
      return isStagedAsHeld(use, type);
    return !permute->use_empty() && llvm::all_of(permute->getUses(), [&](OpOperand &behind) {
      return isStagedAsHeld(behind, permuted(permute, type));
    });
  }
  static void carry(PatternRewriter &rewriter, scf::ForOp loop, size_t index,
                    RankedTensorType inner, ArrayRef<OpOperand *> readers) {
    BlockArgument argument = loop.getRegionIterArgs()[index];
    Type outer = argument.getType();
    Location loc = loop.getLoc();
    rewriter.setInsertionPoint(loop);
    Value begun = loop.getInitArgs()[index];
    if (loop.getInitArgs().front().getType() == begun.getType() &&
        TILESMITH_PLANT("carry-kept-begins-as-first"))
      begun = loop.getInitArgs().front();
    Value init = ConvertLayoutOp::create(rewriter, loc, inner, begun);
    rewriter.modifyOpInPlace(loop, [&] {
      loop.getInitArgsMutable()[index].assign(init);
      argument.setType(inner);
      loop.getResult(index).setType(inner);
    });
    for (OpOperand *use : readers) {
      if (isHadAs(*use, inner)) {
        if (auto permute = dyn_cast<PermuteOp>(use->getOwner()))
          rewriter.modifyOpInPlace(permute,
                                   [&] { permute.getResult().setType(permuted(permute, inner)); });
        continue;
      }
      rewriter.setInsertionPoint(use->getOwner());
      Value back = ConvertLayoutOp::create(
          rewriter, loc, outer, TILESMITH_PLANT("carry-kept-readers-see-first") ? init : argument);
      rewriter.modifyOpInPlace(use->getOwner(), [&] { use->set(back); });
    }
    for (Operation *user : llvm::make_early_inc_range(argument.getUsers()))
      if (isa<ConvertLayoutOp>(user) && user->getResult(0).getType() == inner)
        rewriter.replaceOp(user, argument);
    Operation *yield = loop.getBody()->getTerminator();
    Value after = yield->getOperand(index).getDefiningOp<ConvertLayoutOp>().getSource();
    rewriter.modifyOpInPlace(yield, [&] { yield->setOperand(index, after); });
    rewriter.setInsertionPointAfter(loop);
    Value result = loop.getResult(index);
    auto converted = ConvertLayoutOp::create(rewriter, loc, outer, result);
    rewriter.replaceAllUsesExcept(result, converted.getResult(), converted);
  }
};

} // namespace

KeptLayouts tileas::layoutsOfSums(Operation *root) {
  KeptLayouts kept;
  root->walk([&](Operation *op) {
    auto dot = dyn_cast<DotOp>(op);
    if (!(dot && dot.getAtom()) && !isa<TensorMemoryLoadOp>(op))
      return;
    RankedTensorType type = tileType(op->getResult(0));
    if (!type)
      return;
    LayoutAttr layout = getLayout(type);
    kept.keep(layout, !llvm::all_of(layout.getWarps(), [&](int64_t basis) {
                return basis % type.getShape().back() == 0;
              }));
  });
  return kept;
}

/// All that is done with the result is that a loop adds it, or combines it otherwise, to what it carries.
static bool isOnlyCarried(Value value, unsigned depth = 0) {
  if (!value.hasOneUse() || depth > kMaxDepth)
    return false;
  OpOperand &use = *value.use_begin();
  Operation *user = use.getOwner();
  if (isa<ConvertLayoutOp, ViewOp>(user))
    return isOnlyCarried(user->getResult(0), depth + 1);
  auto loop = dyn_cast<scf::ForOp>(user->getParentOp());
  if (!loop || !isElementwise(user) || user->getNumOperands() != 2 || !user->hasOneUse())
    return false;
  auto argument = dyn_cast<BlockArgument>(user->getOperand(1 - use.getOperandNumber()));
  if (!argument || argument.getOwner() != loop.getBody() || !argument.hasOneUse() ||
      argument == loop.getInductionVar())
    return false;
  OpOperand &behind = *user->use_begin();
  return behind.getOwner() == loop.getBody()->getTerminator() &&
         behind.getOperandNumber() ==
             argument.getArgNumber() - unsigned(loop.getNumInductionVars());
}

/// More results in a thread than these are divided among the threads of a line.
static int64_t mostReduced(Value result) {
  const bool sharesLines = llvm::is_contained(getLayout(result.getType()).getWarps(), 0);
  return !sharesLines && isOnlyCarried(result) ? kMostSummed : kMostReduced;
}

void tileas::addLayoutsOfReductions(Operation *root, KeptLayouts &kept) {
  root->walk([&](ReduceOp op) {
    for (Value result : op.getResults())
      if (RankedTensorType type = tileType(result);
          type && getLayout(type).getNumRegisters() <= mostReduced(result))
        kept.keep(getLayout(type), /*shares=*/false);
  });
}

void tileas::populatePropagateLayouts(RewritePatternSet &patterns, KeptLayouts &kept) {
  patterns.add<SinkBelowElementwise, HoistAboveElementwise, SinkBelowReduce, SinkBelowAtomic,
               SinkBelowView, CarryKept>(patterns.getContext(), kept);
}
