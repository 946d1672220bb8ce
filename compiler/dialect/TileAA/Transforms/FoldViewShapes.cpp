//===- FoldViewShapes.cpp - tileaa-fold-view-shapes -------------------------------------------===//
//
// Frontends load tiles of the rank and order that their arrays have and reshape them for the
// product: B stored as N x K is permuted, a head of B x H x S x D comes as 1 x 1 x S x D. Later
// passes take the operands of a product from memory only where nothing stands in between, so the
// shape changes move into the view:
//
//   permute(load v)      a load through a view whose dimensions are permuted
//   view(load v)         that drops extents of one: a load through a view of a tensor without these
//                        dimensions. Their index moves the base; where it lies outside, one of the
//                        other extents becomes zero, so that all elements are padding as before
//   permute or view of a conversion of floats: the conversion of the changed tile
//   dot of one batch     a product of matrices; a loop carries its sum as a matrix
//   dot of tf32          on sm_90, where the right operand alone is contiguous across K: the transposed
//                        product, whose sum the loop carries
//   permute of what is computed from a product: the transposed product (TransposeTiles.cpp)
//   sums of f16 that a loop carries: f32, where tensor memory holds them (WidenSums.cpp)
//
// Only weak loads with one use that feed a product change, the padding is kept, and every element
// comes from the address that it came from: results stay the same bit by bit. In a loop the new
// base is computed as far outside as its index allows.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/dialect/TileAA/Transforms/Canonicalizers.h"
#include "compiler/dialect/TileAA/Transforms/Passes.h"
#include "compiler/dialect/TileAA/Transforms/TransposeTiles.h"
#include "compiler/dialect/TileAA/Transforms/WidenSums.h"
#include "compiler/support/CountedRewrites.h"
#include "compiler/support/Plants.h"
#include "compiler/target/Targets.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;

namespace tilesmith::tileaa {
#define GEN_PASS_DEF_FOLDVIEWSHAPESPASS
#include "compiler/dialect/TileAA/Transforms/Passes.h.inc"

namespace {

RankedTensorType tensorOf(Value value) {
  return llvm::cast<RankedTensorType>(value.getType());
}

/// Whether the tile becomes a multiplicand, as it is or in another shape or precision.
bool feedsProduct(Value tile) {
  return llvm::any_of(tile.getUses(), [](OpOperand &use) {
    Operation *user = use.getOwner();
    if (auto dot = llvm::dyn_cast<DotOp>(user))
      return use.get() == dot.getA() || use.get() == dot.getB();
    return llvm::isa<ViewOp, ExpandDimsOp, PermuteOp, FpToFpOp>(user) &&
           feedsProduct(user->getResult(0));
  });
}

/// The source dimensions that a reshape keeps, when all it does is to drop extents of one.
std::optional<SmallVector<unsigned>> keptDims(ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  SmallVector<unsigned> kept;
  for (auto [dim, extent] : llvm::enumerate(from))
    if (kept.size() < to.size() && extent == to[kept.size()])
      kept.push_back(dim);
    else if (extent != 1)
      return std::nullopt;
  if (kept.size() != to.size() || to.empty() || to.size() == from.size())
    return std::nullopt;
  return kept;
}

/// A weak load of a tile that only `user` reads.
TiledLoadOp onlyUsersLoad(Value tile, Operation *user) {
  auto load = tile.getDefiningOp<TiledLoadOp>();
  if (!load || !tile.hasOneUse() || load.getMemSemantic() != MemSemantic::weak ||
      load.getLayoutAttr() || load.getCopyAtomAttr() || !feedsProduct(user->getResult(0)))
    return {};
  return load;
}

/// Tile dimension i of a load, in the order in which the new tile has them.
struct ViewChange {
  SmallVector<int64_t> tile, dimMap, steps;
  SmallVector<Value> indices;
  SmallVector<bool> inBounds;

  void add(TiledLoadOp load, unsigned dim, int64_t memoryDim) {
    auto view = llvm::cast<TiledViewType>(load.getView().getType());
    tile.push_back(view.getTileShape()[dim]);
    dimMap.push_back(memoryDim);
    if (!view.getTraversalStrides().empty() && !TILESMITH_PLANT("fold-shapes-steps-lost"))
      steps.push_back(view.getTraversalStrides()[dim]);
    indices.push_back(load.getIndices()[dim]);
    if (load.getInBounds())
      inBounds.push_back((*load.getInBounds())[dim]);
  }
};

/// Puts the load through the changed view of `memory` in the place of `user`.
void replaceLoad(PatternRewriter &rewriter, Operation *user, TiledLoadOp load, Value memory,
                 const ViewChange &change) {
  auto old = llvm::cast<TiledViewType>(load.getView().getType());
  auto type = TiledViewType::get(
      rewriter.getContext(), change.tile, llvm::cast<MemRefType>(memory.getType()), change.dimMap,
      TILESMITH_PLANT("fold-view-padding-dropped") ? PaddingValueAttr() : old.getPadding(),
      change.steps, std::nullopt);
  SmallVector<Attribute> groups;
  for (int64_t dim : change.dimMap)
    groups.push_back(rewriter.getDenseI64ArrayAttr({dim}));
  rewriter.setInsertionPointAfterValue(memory);
  Value view = BlockTileOp::create(rewriter, load.getLoc(), type, memory,
                                   rewriter.getDenseI64ArrayAttr(change.tile),
                                   rewriter.getArrayAttr(groups), type.getPadding());
  rewriter.setInsertionPoint(load);
  auto created = TiledLoadOp::create(
      rewriter, load.getLoc(), user->getResult(0).getType(),
      load.getResultToken() ? load.getResultToken().getType() : Type(), view, change.indices,
      load.getToken(), load.getMemSemanticAttr(), load.getMemScopeAttr(),
      load.getInBounds() ? rewriter.getDenseBoolArrayAttr(change.inBounds) : DenseBoolArrayAttr(),
      load.getAllowTmaAttr(), load.getLatencyAttr(), Attribute(), Attribute());
  if (load.getResultToken())
    rewriter.replaceAllUsesWith(load.getResultToken(), created.getResultToken());
  rewriter.replaceOp(user, created.getResult());
  rewriter.eraseOp(load);
}

struct FoldPermutedLoad : public OpRewritePattern<PermuteOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(PermuteOp op, PatternRewriter &rewriter) const override {
    TiledLoadOp load = onlyUsersLoad(op.getSource(), op);
    auto tiled = load ? load.getView().getDefiningOp<BlockTileOp>() : BlockTileOp();
    if (!tiled)
      return failure();
    auto view = llvm::cast<TiledViewType>(load.getView().getType());
    ViewChange change;
    for (int32_t dim : op.getPermutation())
      change.add(load, dim, view.getDimMap()[dim]);
    if (TILESMITH_PLANT("fold-permute-keeps-indices"))
      change.indices.assign(load.getIndices().begin(), load.getIndices().end());
    replaceLoad(rewriter, op, load, tiled.getSource(), change);
    return success();
  }
};

/// The operation before which all of the values are known and that is in as few loops as possible.
Operation *outermostPlace(Operation *op, ValueRange values) {
  for (Operation *parent = op->getParentOp(); llvm::isa<scf::ForOp, scf::WhileOp>(parent);
       parent = parent->getParentOp()) {
    if (llvm::any_of(values, [&](Value value) {
          return parent->isAncestor(value.getParentBlock()->getParentOp());
        }))
      break;
    op = parent;
  }
  return op;
}

struct FoldNarrowedLoad : public OpRewritePattern<ViewOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ViewOp op, PatternRewriter &rewriter) const override {
    TiledLoadOp load = onlyUsersLoad(op.getSource(), op);
    auto tiled = load ? load.getView().getDefiningOp<BlockTileOp>() : BlockTileOp();
    auto make = tiled ? tiled.getSource().getDefiningOp<MakeMemRefOp>() : MakeMemRefOp();
    if (!make || !llvm::all_of(llvm::concat<Value>(SmallVector<Value>(make.getSizes()),
                                                   SmallVector<Value>(make.getStrides())),
                               [](Value value) { return value.getType().isInteger(64); }))
      return failure();
    auto view = llvm::cast<TiledViewType>(load.getView().getType());
    // A base moves by whole bytes, an index by half ones.
    Type element = llvm::cast<MemRefType>(make.getType()).getElementType();
    if (element.isIntOrFloat() && element.getIntOrFloatBitWidth() < 8 && !element.isInteger(1) &&
        !TILESMITH_PLANT("fold-view-of-nibbles"))
      return failure();
    std::optional<SmallVector<unsigned>> kept =
        keptDims(view.getTileShape(), tensorOf(op.getResult()).getShape());
    if (!kept)
      return failure();

    SmallVector<Value> needed(make->getOperands());
    for (auto [dim, index] : llvm::enumerate(load.getIndices()))
      if (!llvm::is_contained(*kept, dim))
        needed.push_back(index);
    rewriter.setInsertionPoint(outermostPlace(load, needed));
    Narrowing narrowing(rewriter, load, make, *kept);
    replaceLoad(rewriter, op, load, narrowing.memory(), narrowing.change);
    return success();
  }

  /// The tensor without the dimensions of the dropped extents, at their index.
  struct Narrowing {
    Narrowing(PatternRewriter &b, TiledLoadOp load, MakeMemRefOp make, ArrayRef<unsigned> kept)
        : b(b), load(load), make(make), type(llvm::cast<MemRefType>(make.getResult().getType())),
          view(llvm::cast<TiledViewType>(load.getView().getType())), loc(load.getLoc()) {
      auto size = make.getSizes().begin(), stride = make.getStrides().begin();
      for (int64_t extent : type.getShape())
        sizes.push_back(ShapedType::isDynamic(extent) ? *size++ : constant(extent));
      for (int64_t step : type.getStrides())
        strides.push_back(ShapedType::isDynamic(step) ? *stride++ : constant(step));
      dropped.resize(type.getRank());
      for (unsigned dim = 0; dim < view.getRank(); ++dim)
        if (!llvm::is_contained(kept, dim))
          drop(dim);
      for (unsigned dim : kept) {
        int64_t memoryDim =
            TILESMITH_PLANT("fold-shapes-map-forgotten") ? dim : view.getDimMap()[dim];
        int64_t before = 0;
        for (int64_t other = 0; other < memoryDim; ++other)
          before += dropped.test(other);
        change.add(load, dim, memoryDim - before);
      }
    }

    Value constant(int64_t value) {
      return arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(value));
    }

    void drop(unsigned dim) {
      int64_t memoryDim = view.getDimMap()[dim];
      dropped.set(memoryDim);
      Value at = load.getIndices()[dim];
      if (at.getType().isIndex())
        at = arith::IndexCastOp::create(b, loc, b.getI64Type(), at);
      else if (!at.getType().isInteger(64))
        at = arith::ExtSIOp::create(b, loc, b.getI64Type(), at);
      if (view.getStep(dim) != 1 && !TILESMITH_PLANT("fold-unit-dim-step-ignored"))
        at = arith::MulIOp::create(b, loc, at, constant(view.getStep(dim)));
      if (!load.getInBounds() || !(*load.getInBounds())[dim]) {
        Value within =
            arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, at, sizes[memoryDim]);
        // The address of no element stays a sound one.
        at = arith::SelectOp::create(b, loc, within, at, constant(0));
        inside = inside ? Value(arith::AndIOp::create(b, loc, inside, within)) : within;
      }
      Value part = arith::MulIOp::create(b, loc, at, strides[memoryDim]);
      offset = offset ? Value(arith::AddIOp::create(b, loc, offset, part)) : part;
    }

    /// Where an index lies outside, this memory dimension has no elements: one with a run-time
    /// extent that is tested anyway, if there is one.
    int64_t emptied() {
      std::optional<int64_t> best;
      auto rank = [&](unsigned i) {
        bool promised = !change.inBounds.empty() && change.inBounds[i];
        return 2 * !promised + ShapedType::isDynamic(shape[change.dimMap[i]]);
      };
      for (unsigned i = 0; i < change.dimMap.size(); ++i)
        if (!best || rank(i) > rank(*best))
          best = i;
      if (!change.inBounds.empty() && !TILESMITH_PLANT("fold-unit-dim-promise-kept"))
        change.inBounds[*best] = false;
      return TILESMITH_PLANT("fold-unit-dim-empties-by-tile") ? *best : change.dimMap[*best];
    }

    Value memory() {
      SmallVector<int64_t> steps;
      SmallVector<Value> newSizes, dynamicSizes, dynamicStrides;
      for (int64_t dim = 0; dim < type.getRank(); ++dim) {
        if (dropped.test(dim))
          continue;
        shape.push_back(type.getShape()[dim]);
        steps.push_back(type.getStrides()[dim]);
        newSizes.push_back(sizes[dim]);
        if (ShapedType::isDynamic(steps.back()))
          dynamicStrides.push_back(strides[dim]);
      }
      if (inside && !TILESMITH_PLANT("fold-unit-dim-unchecked")) {
        int64_t dim = emptied();
        newSizes[dim] = arith::SelectOp::create(b, loc, inside, newSizes[dim], constant(0));
        shape[dim] = ShapedType::kDynamic;
      }
      for (auto [extent, size] : llvm::zip_equal(shape, newSizes))
        if (ShapedType::isDynamic(extent))
          dynamicSizes.push_back(size);
      Value base = AddPtrOp::create(b, loc, make.getBase().getType(), make.getBase(), offset);
      auto result = MemRefType::get(b.getContext(), shape, type.getElementType(), steps,
                                    type.getAddressSpace(), type.getAliasScope());
      return MakeMemRefOp::create(b, loc, result, base, make.getOffset(), dynamicSizes,
                                  dynamicStrides, make.getAliasScope());
    }

    PatternRewriter &b;
    TiledLoadOp load;
    MakeMemRefOp make;
    MemRefType type;
    TiledViewType view;
    Location loc;
    SmallVector<Value> sizes, strides; ///< of the whole tensor, in i64
    SmallVector<int64_t> shape;        ///< of the new tensor
    llvm::SmallBitVector dropped;      ///< memory dimensions
    Value inside, offset;
    ViewChange change;
  };
};

/// permute or view of a conversion that alone reads what it converts.
template <typename Op> struct ConvertBehind : public OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    auto convert = op.getSource().template getDefiningOp<FpToFpOp>();
    if (!convert || !op.getSource().hasOneUse() || !feedsProduct(op.getResult()) ||
        !convert.getSource().template getDefiningOp<TiledLoadOp>())
      return failure();
    RankedTensorType from = tensorOf(convert.getSource()), to = tensorOf(op.getResult());
    Operation *moved = rewriter.clone(*op);
    moved->setOperand(0, convert.getSource());
    moved->getResult(0).setType(to.clone(from.getElementType()));
    Operation *converted = rewriter.clone(*convert);
    converted->setOperand(0, moved->getResult(0));
    converted->getResult(0).setType(to);
    rewriter.replaceOp(op, converted);
    return success();
  }
};

struct DropUnitBatch : public OpRewritePattern<DotOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(DotOp op, PatternRewriter &rewriter) const override {
    RankedTensorType type = tensorOf(op.getResult());
    if (type.getRank() != 3 || type.getDimSize(0) != 1)
      return failure();
    auto matrix = [&](Value tile) -> Value {
      if (!tile)
        return tile;
      RankedTensorType from = tensorOf(tile);
      return ViewOp::create(
          rewriter, op.getLoc(),
          RankedTensorType::get(from.getShape().drop_front(), from.getElementType()), tile);
    };
    Value acc = matrix(op.getC());
    auto product =
        DotOp::create(rewriter, op.getLoc(), acc.getType(), matrix(op.getA()), matrix(op.getB()),
                      acc, matrix(op.getSfa()), matrix(op.getSfb()),
                      TILESMITH_PLANT("fold-batch-signedness-swapped") ? op.getSignednessBAttr()
                                                                       : op.getSignednessAAttr(),
                      TILESMITH_PLANT("fold-batch-signedness-swapped") ? op.getSignednessAAttr()
                                                                       : op.getSignednessBAttr(),
                      op.getPropagateNanAttr(), op.getInputPrecisionAttr(), op.getFastAccAttr());
    product->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    rewriter.replaceOpWithNewOp<ViewOp>(op, type, product.getResult());
    return success();
  }
};

/// A loop carries the tile that its body makes a reshaped one from and back.
struct CarryMatrix : public OpRewritePattern<scf::ForOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(scf::ForOp loop, PatternRewriter &rewriter) const override {
    for (auto [index, argument] : llvm::enumerate(loop.getRegionIterArgs())) {
      auto made = loop.getYieldedValues()[index].getDefiningOp<ViewOp>();
      if (!made || llvm::none_of(argument.getUsers(), [&](Operation *user) {
            return llvm::isa<ViewOp>(user) &&
                   user->getResult(0).getType() == made.getSource().getType();
          }))
        continue;
      Type outer = argument.getType(), inner = made.getSource().getType();
      rewriter.setInsertionPoint(loop);
      Value init = ViewOp::create(rewriter, loop.getLoc(), inner, loop.getInitArgs()[index]);
      rewriter.setInsertionPointToStart(loop.getBody());
      auto inside = ViewOp::create(rewriter, loop.getLoc(), outer, argument);
      rewriter.setInsertionPointAfter(loop);
      auto outside = ViewOp::create(rewriter, loop.getLoc(), outer, loop.getResult(index));
      rewriter.replaceAllUsesExcept(argument, inside, inside);
      rewriter.replaceAllUsesExcept(loop.getResult(index), outside.getResult(), outside);
      Operation *yield = loop.getBody()->getTerminator();
      rewriter.modifyOpInPlace(yield, [&] { yield->setOperand(index, made.getSource()); });
      rewriter.modifyOpInPlace(loop, [&] {
        loop.getInitArgsMutable()[index].assign(init);
        argument.setType(inner);
        loop.getResult(index).setType(inner);
      });
      return success();
    }
    return failure();
  }
};

/// Warpgroup products of 32-bit elements read operands that are contiguous along K from shared memory,
/// and others not; but the left one may come from registers, in any order. So where the right operand
/// alone is contiguous across K, the loop adds up the transposed product: both operands change sides.
struct TransposeProduct : public OpRewritePattern<DotOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(DotOp op, PatternRewriter &rewriter) const override {
    RankedTensorType type = tensorOf(op.getResult());
    auto loop = llvm::dyn_cast<scf::ForOp>(op->getParentOp());
    auto carried = llvm::dyn_cast<BlockArgument>(op.getC());
    if (!loop || !carried || carried.getOwner() != loop.getBody() || !carried.hasOneUse() ||
        carried == loop.getInductionVar() || !op.getResult().hasOneUse() || type.getRank() != 2 ||
        !llvm::isa<FloatTF32Type>(tensorOf(op.getA()).getElementType()))
      return failure();
    const target::GpuTarget &gpu = getTarget(op->getParentOfType<ModuleOp>());
    unsigned index = carried.getArgNumber() - loop.getNumInductionVars();
    if (!gpu.has(target::Feature::Wgmma) || loop.getYieldedValues()[index] != op.getResult() ||
        type.getDimSize(1) < kRows || type.getDimSize(0) < kColumns ||
        contiguousDim(op.getA(), loop) != 1u || contiguousDim(op.getB(), loop) != 1u)
      return failure();
    Location loc = op.getLoc();
    auto transposed = [&](Value tile) -> Value {
      RankedTensorType from = tensorOf(tile);
      return PermuteOp::create(rewriter, loc, from.clone({from.getDimSize(1), from.getDimSize(0)}),
                               tile, rewriter.getDenseI32ArrayAttr({1, 0}));
    };
    Value left = transposed(op.getB()), right = transposed(op.getA());
    rewriter.setInsertionPoint(loop);
    Value begun = loop.getInitArgs()[index], init = transposed(begun);
    Type sum = init.getType();
    if (type == sum && TILESMITH_PLANT("transposed-product-begins-as-it-was"))
      init = begun;
    rewriter.setInsertionPointAfter(loop);
    Value result = loop.getResult(index);
    rewriter.modifyOpInPlace(loop, [&] {
      loop.getInitArgsMutable()[index].assign(init);
      carried.setType(sum);
      result.setType(sum);
    });
    auto outside =
        PermuteOp::create(rewriter, loc, type, result, rewriter.getDenseI32ArrayAttr({1, 0}));
    if (type != sum || !TILESMITH_PLANT("transposed-sum-kept"))
      rewriter.replaceAllUsesExcept(result, outside.getResult(), outside);
    rewriter.setInsertionPoint(op);
    DictionaryAttr marks = op->getDiscardableAttrDictionary();
    auto turned = rewriter.replaceOpWithNewOp<DotOp>(
        op, sum, left, right, carried, Value(), Value(), op.getSignednessBAttr(),
        op.getSignednessAAttr(), op.getPropagateNanAttr(), op.getInputPrecisionAttr(),
        op.getFastAccAttr());
    turned->setDiscardableAttrs(marks);
    return success();
  }

private:
  /// Of the instruction.
  static constexpr int64_t kRows = 64, kColumns = 8;

  /// Of a tile that the loop loads for the product alone, maybe converted.
  static std::optional<unsigned> contiguousDim(Value tile, scf::ForOp loop) {
    if (auto convert = tile.getDefiningOp<FpToFpOp>(); convert && tile.hasOneUse())
      tile = convert.getSource();
    auto load = tile.getDefiningOp<TiledLoadOp>();
    if (!load || !tile.hasOneUse() || load->getBlock() != loop.getBody() ||
        load.getMemSemantic() != MemSemantic::weak)
      return std::nullopt;
    auto view = llvm::cast<TiledViewType>(load.getView().getType());
    for (unsigned dim = 0; dim < view.getDimMap().size(); ++dim)
      if (view.getMemref().getStrides()[view.getDimMap()[dim]] == 1)
        return dim;
    return std::nullopt;
  }
};

/// view(expand_dims x) -> view x
struct FoldExpandedView : public OpRewritePattern<ViewOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ViewOp op, PatternRewriter &rewriter) const override {
    auto expand = op.getSource().getDefiningOp<ExpandDimsOp>();
    if (!expand)
      return failure();
    rewriter.replaceOpWithNewOp<ViewOp>(op, op.getType(), expand.getSource());
    return success();
  }
};

/// view of a constant.
struct FoldConstantView : public OpRewritePattern<ViewOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ViewOp op, PatternRewriter &rewriter) const override {
    auto constant = op.getSource().getDefiningOp<arith::ConstantOp>();
    auto dense =
        constant ? llvm::dyn_cast<DenseElementsAttr>(constant.getValue()) : DenseElementsAttr();
    if (!dense)
      return failure();
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(op, dense.reshape(tensorOf(op.getResult())));
    return success();
  }
};

struct FoldViewShapes : impl::FoldViewShapesPassBase<FoldViewShapes> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    addShapeCanonicalizers(patterns, [](StringRef name) { return name == "fold-view-chain"; });
    patterns
        .add<FoldPermutedLoad, FoldNarrowedLoad, ConvertBehind<PermuteOp>, ConvertBehind<ViewOp>,
             DropUnitBatch, CarryMatrix, TransposeProduct, FoldExpandedView, FoldConstantView>(
            &getContext());
    addTransposeTiles(patterns);
    addWidenSums(patterns);
    GreedyRewriteConfig config;
    CountedRewrites counter("tileaa-fold-view-shapes");
    counter.add(patterns);
    config.setListener(&counter);
    config.setMaxIterations(GreedyRewriteConfig::kNoLimit);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns), config)))
      signalPassFailure();
  }
};

} // namespace
} // namespace tilesmith::tileaa
