//===- TransposeTiles.cpp - tiles that a kernel computes and only uses transposed -------------===//
//
// Attention backward multiplies transposed probabilities: dV += P^T x dO, dK += dS^T x Q. Threads hold P
// as sums of S = Q x K^T, and would exchange it to have its transpose as a left operand. Where all uses of
// such tiles end in a transposition, they are computed the other way round from the start:
//
//   S = Q x K^T;  P = f(S, rows);  dV += permute(P) x dO       becomes
//   S' = K x Q^T; P' = f(S', columns);  dV += P' x dO
//
// The tiles are found from a permute backwards and forwards: sums of products that begin at zero and what
// is computed from them element by element. What comes from elsewhere is a constant or a broadcast, of which
// the small tile is turned. Products have operands of 16 bits that are loaded, or made in front of the
// loop: those are read in either order. Every element is computed from the same numbers.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/dialect/TileAA/Transforms/TransposeTiles.h"

#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/dialect/TileAA/Transforms/Canonicalizers.h"
#include "compiler/support/Plants.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace tilesmith::tileaa {

namespace {

/// Larger groups are left alone.
constexpr unsigned kMostTiles = 64;

RankedTensorType tensorOf(Value value) {
  return llvm::dyn_cast<RankedTensorType>(value.getType());
}

Type turnedType(Value tile) {
  RankedTensorType type = tensorOf(tile);
  return type.clone({type.getDimSize(1), type.getDimSize(0)});
}

bool isTransposition(Operation *op) {
  auto permute = llvm::dyn_cast<PermuteOp>(op);
  return permute && permute.getPermutation() == ArrayRef<int32_t>{1, 0};
}

bool isElementwise(Operation *op) {
  RankedTensorType result = op->getNumResults() == 1 ? tensorOf(op->getResult(0)) : nullptr;
  return result && (op->hasTrait<OpTrait::Elementwise>() || llvm::isa<arith::SelectOp>(op)) &&
         isMemoryEffectFree(op) && llvm::all_of(op->getOperands(), [&](Value operand) {
           RankedTensorType type = tensorOf(operand);
           return !type || type.getShape() == result.getShape();
         });
}

/// A tile that is as easily made turned: all elements alike, or those of each row or column.
bool isLeaf(Value tile) {
  return getConstant(tile) ? bool(llvm::dyn_cast<SplatElementsAttr>(getConstant(tile)))
                           : llvm::isa_and_present<SplatOp, BroadcastOp>(tile.getDefiningOp());
}

/// An operand of a product that can be read in either order: loaded in the block, or made elsewhere.
bool isReadEitherWay(Value operand, Block *block) {
  if (tensorOf(operand).getElementTypeBitWidth() != 16)
    return false;
  while (llvm::isa_and_present<PermuteOp, ViewOp>(operand.getDefiningOp()))
    operand = operand.getDefiningOp()->getOperand(0);
  Operation *op = operand.getDefiningOp();
  return op ? op->getBlock() != block || llvm::isa<TiledLoadOp>(op)
            : operand.getParentBlock() != block;
}

/// Tiles of one block that are only used by each other and by transpositions.
class TurnedTiles {
public:
  /// Whether the permuted tile belongs to such a group, with a product in it.
  bool match(PermuteOp permute) {
    block = permute->getBlock();
    bool multiplies = false;
    tiles.insert(permute.getSource());
    for (unsigned at = 0; at < tiles.size(); ++at) {
      Operation *op = tiles[at].getDefiningOp();
      if (tiles.size() > kMostTiles || !op || op->getBlock() != block || !addUsers(tiles[at]))
        return false;
      auto dot = llvm::dyn_cast<DotOp>(op);
      if (dot ? !isTurned(dot) : !addOperands(op))
        return false;
      multiplies |= bool(dot);
    }
    return multiplies;
  }

  void rewrite(PatternRewriter &rewriter) {
    SmallVector<Operation *> order;
    for (Value tile : tiles)
      order.push_back(tile.getDefiningOp());
    llvm::sort(order, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
    for (Operation *op : order) {
      rewriter.setInsertionPoint(op);
      made[op->getResult(0)] = turn(rewriter, op);
    }
    for (Operation *op : llvm::reverse(order)) {
      for (Operation *user : llvm::make_early_inc_range(op->getUsers()))
        rewriter.replaceOp(user, made[op->getResult(0)]); // a transposition: the others are gone
      rewriter.eraseOp(op);
    }
  }

private:
  bool addUsers(Value tile) {
    for (Operation *user : tile.getUsers()) {
      if (isTransposition(user))
        continue;
      if (user->getBlock() != block || !isElementwise(user))
        return false;
      tiles.insert(user->getResult(0));
    }
    return true;
  }

  bool addOperands(Operation *op) {
    if (!isElementwise(op))
      return false;
    for (Value operand : op->getOperands())
      if (tensorOf(operand) && !isLeaf(operand))
        tiles.insert(operand);
    return true;
  }

  bool isTurned(DotOp dot) const {
    RankedTensorType type = tensorOf(dot.getResult());
    Attribute zero = getConstant(dot.getC());
    return type.getRank() == 2 && !dot.getSfa() && zero && llvm::isa<SplatElementsAttr>(zero) &&
           isReadEitherWay(dot.getA(), block) && isReadEitherWay(dot.getB(), block);
  }

  static Value transposed(PatternRewriter &rewriter, Value tile) {
    if (Operation *op = tile.getDefiningOp(); op && isTransposition(op))
      return op->getOperand(0);
    return PermuteOp::create(rewriter, tile.getLoc(), turnedType(tile), tile,
                             rewriter.getDenseI32ArrayAttr({1, 0}));
  }

  /// Of a tile outside of the group, where the tile is made.
  Value leaf(PatternRewriter &rewriter, Value tile) {
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointAfterValue(tile);
    Location loc = tile.getLoc();
    auto type = llvm::cast<RankedTensorType>(turnedType(tile));
    if (type == tile.getType() && TILESMITH_PLANT("turned-tile-broadcast-kept"))
      return tile;
    if (auto broadcast = tile.getDefiningOp<BroadcastOp>()) {
      Value small = broadcast.getSource();
      small = ViewOp::create(rewriter, loc, turnedType(small), small);
      return BroadcastOp::create(rewriter, loc, type, small);
    }
    if (auto splat = tile.getDefiningOp<SplatOp>())
      return SplatOp::create(rewriter, loc, type, splat->getOperand(0));
    auto splat = llvm::cast<SplatElementsAttr>(getConstant(tile));
    return arith::ConstantOp::create(rewriter, loc, splat.resizeSplat(type));
  }

  Value turned(PatternRewriter &rewriter, Value tile) {
    if (!tensorOf(tile))
      return tile;
    Value &known = made[tile];
    if (!known)
      known = leaf(rewriter, tile);
    return known;
  }

  Value turn(PatternRewriter &rewriter, Operation *op) {
    if (auto dot = llvm::dyn_cast<DotOp>(op)) {
      Value left = transposed(rewriter, dot.getB()), right = transposed(rewriter, dot.getA()),
            acc = turned(rewriter, dot.getC());
      if (left.getType() == right.getType() && TILESMITH_PLANT("turned-product-keeps-sides"))
        std::swap(left, right);
      auto turned = DotOp::create(rewriter, dot.getLoc(), acc.getType(), left, right, acc, Value(),
                                  Value(), dot.getSignednessBAttr(), dot.getSignednessAAttr(),
                                  dot.getPropagateNanAttr(), dot.getInputPrecisionAttr(),
                                  dot.getFastAccAttr());
      turned->setDiscardableAttrs(dot->getDiscardableAttrDictionary());
      return turned;
    }
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(turned(rewriter, operand));
    Operation *clone = rewriter.clone(*op);
    clone->setOperands(operands);
    clone->getResult(0).setType(turnedType(op->getResult(0)));
    return clone->getResult(0);
  }

  Block *block = nullptr;
  llvm::SetVector<Value> tiles;
  llvm::DenseMap<Value, Value> made;
};

struct TransposeTiles : public OpRewritePattern<PermuteOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(PermuteOp op, PatternRewriter &rewriter) const override {
    if (!isTransposition(op))
      return failure();
    TurnedTiles tiles;
    if (!tiles.match(op))
      return failure();
    tiles.rewrite(rewriter);
    return success();
  }
};

} // namespace

void addTransposeTiles(RewritePatternSet &patterns) {
  patterns.add<TransposeTiles>(patterns.getContext());
}

} // namespace tilesmith::tileaa
