//===- TileTurnRules.cpp - blocks that take several tiles of a result ------------------------------===//
//
// Rule of the pipeline family, of products of the size that groups of warps and tensor memory take:
//
//   tiles-in-turn      each turn of a loop has sums of its own, from one or two loops of products inside, which may have no
//                      turn, and stores them, adds them up with a factor, or both; a residual may be loaded in front
//
// Needs: depth 0. Promises: those of ProductTiles.h; every block stores to rows of its own, each store behind the one
// before. Sums are exact.
//
//===------------------------------------------------------------------------------------------===//
#include "generators/program/IdiomRules.h"
#include "generators/program/OperandRules.h"
#include "generators/program/ProductTiles.h"

using namespace tilesmith;
using namespace tilesmith::generators;

namespace {

class TileTurns : public ProductTiles {
public:
  using ProductTiles::ProductTiles;

  void build() {
    chooseForm();
    const int64_t each = s.between(2, 4), blocks = k.blockCount();
    const bool stores = s.chance(75), adds = !stores || s.chance(20);
    hasResidual = s.chance(30);
    tilesOfAll = each * blocks;
    for (uint64_t i = s.chance(25) ? 2 : 1; i > 0; --i)
      loops.push_back(makeLoop());
    if (hasResidual) {
      k.note("tiles-in-turn-residual");
      residual = tiles(s.chance(50) ? mlir::Type(b.getF32Type()) : element, {rows, columns},
                       tilesOfAll, 1, 1);
    }
    mlir::Value view;
    llvm::SmallVector<mlir::Value> carried;
    if (stores) {
      k.note("tiles-in-turn-stored");
      ArrayInfo &array = k.addFreeArray(s, b.getF32Type(), {rows * tilesOfAll, columns}, true);
      array.exact = true;
      view =
          zeroPaddedTiles(k, s, array, {static_cast<int32_t>(rows), static_cast<int32_t>(columns)});
      carried.push_back(
          cuda_tile::MakeTokenOp::create(b, k.loc(), cuda_tile::TokenType::get(&k.context())));
    }
    if (adds) {
      k.note("tiles-in-turn-added");
      carried.push_back(zeros(type));
    }
    // Every n-th tile, as blocks do that stay, or those of the block one after the other.
    const bool strides = s.chance(60);
    const TurnLoop counted = openLoop(each, carried);
    auto loop = counted.op();
    {
      mlir::OpBuilder::InsertionGuard guard(b);
      k.openBody(loop);
      mlir::Value turn = counted.turn(k, s), block = k.blockNumber().ssa;
      mlir::Value tile =
          strides ? sumOf(timesOf(turn, blocks), block) : sumOf(timesOf(block, each), turn);
      mlir::Value sum = sumsOf(tile);
      llvm::SmallVector<mlir::Value> next;
      if (stores)
        next.push_back(storeView(k, s, sum, view, {tile, number(0)}, loop.getRegionIterVar(0)));
      if (adds)
        next.push_back(added(loop.getRegionIterVar(stores), halved(sum)));
      cuda_tile::ContinueOp::create(b, k.loc(), next);
    }
    if (adds)
      define(loop->getResult(stores));
  }

private:
  /// Products of one or two sums in each turn.
  struct Inner {
    int64_t turns;
    Tiles left, right;
    std::optional<Tiles> other; ///< right operands of a second sum
  };

  void chooseForm() {
    element = s.chance(50)   ? mlir::Type(b.getF16Type())
              : s.chance(60) ? mlir::Type(b.getBF16Type())
                             : mlir::Type(b.getType<mlir::Float8E4M3FNType>());
    rows = s.chance(70) ? 128 : 64;
    columns = s.chance(75) ? 64 : 32;
    depth = widthOf(element) == 8 || s.chance(40) ? 64 : 32;
    type = k.tileType({rows, columns}, b.getF32Type());
    if (s.chance(25) && k.version() >= 3)
      hintWarps(k, s.chance(70) ? 4 : 8);
  }

  Inner makeLoop() {
    const int64_t turns = s.between(1, 3);
    Inner inner{turns, tiles(element, {rows, depth}, tilesOfAll, turns, 1),
                tiles(element, {depth, columns}, 1, turns, 0), std::nullopt};
    if (s.chance(25)) {
      k.note("tiles-in-turn-two");
      inner.other = tiles(element, {depth, columns}, 1, turns, 0);
    }
    return inner;
  }

  mlir::Value halved(mlir::Value x) {
    return cuda_tile::MulFOp::create(b, k.loc(), type, x, k.floatConstant(type, 0.5).ssa, nearest(),
                                     mlir::UnitAttr());
  }

  /// What the loops make of one tile of the result.
  mlir::Value sumsOf(mlir::Value tile) {
    mlir::Value beside, sum;
    if (hasResidual)
      beside = converted(loadAt(residual->tile, residual->view, tile, number(0)), b.getF32Type());
    for (const Inner &inner : loops)
      for (mlir::Value result : run(inner, tile))
        sum = sum ? added(sum, halved(result)) : result;
    if (beside)
      sum = added(sum, beside);
    return s.chance(30) ? larger(sum, zeros(type)) : sum;
  }

  llvm::SmallVector<mlir::Value> run(const Inner &inner, mlir::Value tile) {
    llvm::SmallVector<mlir::Value> starts(inner.other ? 2 : 1, zeros(type));
    std::optional<TurnLoop> counted;
    cuda_tile::ForOp loop;
    if (s.chance(40)) { // each tile has as many turns as its number says, from none on
      k.note("tiles-in-turn-lengths");
      mlir::Value end = cuda_tile::RemIOp::create(
          b, k.loc(), tile.getType(), tile, number(inner.turns + 1), cuda_tile::Signedness::Signed);
      loop = cuda_tile::ForOp::create(b, k.loc(), number(0), end, number(1), starts);
    } else {
      counted = openLoop(inner.turns, starts);
      loop = counted->op();
    }
    mlir::OpBuilder::InsertionGuard guard(b);
    k.openBody(loop);
    mlir::Value turn = counted ? counted->turn(k, s) : loop.getInductionVar(),
                left = loadAt(inner.left.tile, inner.left.view, tile, turn);
    llvm::SmallVector<mlir::Value> next{
        product(type, left, load(inner.right, turn), loop.getRegionIterVar(0))};
    if (inner.other)
      next.push_back(product(type, left, load(*inner.other, turn), loop.getRegionIterVar(1)));
    cuda_tile::ContinueOp::create(b, k.loc(), next);
    return llvm::to_vector_of<mlir::Value>(loop.getResults());
  }

  int64_t rows = 0, columns = 0, depth = 0, tilesOfAll = 0;
  cuda_tile::TileType type; ///< of the sums
  llvm::SmallVector<Inner> loops;
  std::optional<Tiles> residual;
  bool hasResidual = false;
};

} // namespace

bool tilesmith::generators::applyTilesInTurn(KernelBuilder &k, ChoiceStream &s) {
  // Once in a kernel: warps of their own copy for the loops of one loop around.
  if (!mayMultiply(k, "tiles-in-turn") || llvm::count(k.trail, "tiles-in-turn") > 1 ||
      k.blockCount() > 2)
    return false;
  TileTurns(k, s).build();
  return true;
}
