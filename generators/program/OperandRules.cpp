//===- OperandRules.cpp - products in loops whose operands are more than loaded tiles ---------===//
//
// Rules of the pipeline family:
//
//   computed-operand   an operand is computed element by element from two loads of the turn: a gate and
//                      what it lets through, bytes and their scales, a tile less a row
//   tile-both-ways     one tile is read as it is by a product and transposed by another, as in the
//                      backward pass of attention; a row of statistics comes with it. What became of the
//                      first product may be an operand turned, too
//   product-chain      three products in a turn, each of what became of the one before; their other
//                      operands are tiles alike that come together
//   gathered-operand   rows of an operand come from anywhere in its array
//   loaded-bounds      how often and from where a loop multiplies is a number in memory, which is written
//                      again before the loop
//
// What a loop has summed up may get a bias: a row that is converted, reshaped and repeated, in any order.
//
// Needs: depth 0. Promises: all numbers are integers from -4 to 4 or what a few of them make: sums are
// exact, and products have at most eight bits. Views pad with zeros.
//
//===------------------------------------------------------------------------------------------===//
#include "generators/program/OperandRules.h"
#include "generators/program/IdiomRules.h"
#include "generators/program/ProductTiles.h"

using namespace tilesmith;
using namespace tilesmith::generators;

namespace {

constexpr int64_t kMostProducts = 1 << 19; // of scalars, in all blocks

class OperandLoop : public ProductTiles {
public:
  using ProductTiles::ProductTiles;

  void buildComputed() {
    element = s.chance(60) ? mlir::Type(b.getF16Type()) : b.getBF16Type();
    const int64_t rows = s.chance(80) ? 64 : 128, columns = 16 << s.below(2),
                  depth = s.chance(70) ? 32 : 64, trips = tripsWithin(rows * columns * depth);
    const bool onLeft = s.chance(75), bytes = s.chance(40);
    const int64_t outer = onLeft ? rows : columns;
    // A whole tile, a row or a column: of scales, or of what is subtracted.
    enum { Whole, Row, Column } form = s.chance(50) ? Whole : s.chance(50) ? Row : Column;
    mlir::Type first = bytes ? mlir::Type(k.intType(8)) : element,
               second = form == Whole || s.chance(50) ? element : b.getF32Type();
    k.note(bytes ? "computed-operand-bytes" : "computed-operand-floats");
    auto shapeOf = [&](int64_t ofOuter, int64_t ofDepth) {
      return onLeft ? Shape{ofOuter, ofDepth} : Shape{ofDepth, ofOuter};
    };
    Tiles x = tiles(first, shapeOf(outer, depth), onLeft ? k.blockCount() : 1, trips,
                    onLeft ? 1 : 0),
          y = tiles(second,
                    form == Whole             ? shapeOf(outer, depth)
                    : (form == Row) == onLeft ? shapeOf(1, depth)
                                              : shapeOf(outer, 1),
                    onLeft ? k.blockCount() : 1, trips, onLeft ? 1 : 0),
          z = tiles(element, onLeft ? Shape{depth, columns} : Shape{rows, depth},
                    onLeft ? 1 : k.blockCount(), trips, onLeft ? 0 : 1);
    cuda_tile::TileType type = k.tileType({rows, columns}, b.getF32Type());
    const TurnLoop counted = openLoop(trips, {zeros(type)});
    auto loop = counted.op();
    {
      mlir::OpBuilder::InsertionGuard guard(b);
      k.openBody(loop);
      mlir::Value step = counted.turn(k, s);
      mlir::Value computed = combine(load(x, step), load(y, step), x.tile), other = load(z, step);
      mlir::Value sum = product(type, onLeft ? computed : other, onLeft ? other : computed,
                                loop.getRegionIterVar(0));
      cuda_tile::ContinueOp::create(b, k.loc(), mlir::ValueRange{sum});
    }
    define(loop->getResult(0));
  }

  void buildShared() {
    element = s.chance(60) ? mlir::Type(b.getF16Type()) : b.getBF16Type();
    const int64_t rows = 64, keys = 16 << s.below(3), depth = 16 << s.below(3),
                  trips = tripsWithin(3 * rows * keys * depth);
    Tiles left = tiles(element, {rows, depth}, k.blockCount(), 1, 1),
          shared = tiles(element, {keys, depth}, 1, trips, 0),
          row = tiles(b.getF32Type(), {1, keys}, 1, trips, 1);
    mlir::Value fixed = load(left, number(0));
    cuda_tile::TileType scores = k.tileType({rows, keys}, b.getF32Type()),
                        sums = k.tileType({rows, depth}, b.getF32Type());
    const bool twice = s.chance(40), // two products read the tile as it is
        turnsWeight = s.chance(40);  // and one what became of the first product
    llvm::SmallVector<mlir::Value> starts{zeros(sums)};
    if (twice)
      starts.push_back(zeros(sums));
    cuda_tile::TileType turnedSums = k.tileType({keys, depth}, b.getF32Type());
    if (turnsWeight)
      starts.push_back(zeros(turnedSums));
    const TurnLoop counted = openLoop(trips, starts);
    auto loop = counted.op();
    {
      mlir::OpBuilder::InsertionGuard guard(b);
      k.openBody(loop);
      mlir::Value step = counted.turn(k, s);
      mlir::Value tile = load(shared, step), statistics = load(row, step);
      mlir::Value turned = cuda_tile::PermuteOp::create(
          b, k.loc(), k.tileType({depth, keys}, element), tile, b.getDenseI32ArrayAttr({1, 0}));
      mlir::Value score = product(scores, fixed, turned, zeros(scores));
      mlir::Value spread = cuda_tile::BroadcastOp::create(b, k.loc(), scores, statistics);
      score =
          cuda_tile::SubFOp::create(b, k.loc(), scores, score, spread, nearest(), mlir::UnitAttr());
      mlir::Value weight = converted(clamped(score), element);
      llvm::SmallVector<mlir::Value> next{product(sums, weight, tile, loop.getRegionIterVar(0))};
      if (twice) {
        mlir::Value negative = cuda_tile::NegFOp::create(b, k.loc(), weight.getType(), weight);
        next.push_back(product(sums, negative, tile, loop.getRegionIterVar(1)));
      }
      if (turnsWeight) {
        k.note("turned-weight");
        mlir::Value turnedWeight = cuda_tile::PermuteOp::create(
            b, k.loc(), k.tileType({keys, rows}, element), weight, b.getDenseI32ArrayAttr({1, 0}));
        next.push_back(
            product(turnedSums, turnedWeight, fixed, loop.getRegionIterVar(starts.size() - 1)));
      }
      cuda_tile::ContinueOp::create(b, k.loc(), next);
    }
    for (mlir::Value result : loop->getResults())
      define(result);
  }

  void buildChain() {
    element = s.chance(60) ? mlir::Type(b.getF16Type()) : b.getBF16Type();
    // As much as a thread should not hold at once.
    const int64_t side = s.chance(60) ? 64 : 32, rows = 64,
                  trips = s.between(2, side == 64 ? 2 : 4);
    Tiles left = tiles(element, {rows, side}, k.blockCount(), 1, 1),
          first = tiles(element, {side, side}, 1, trips, 1),
          second = tiles(element, {side, side}, 1, trips, 0),
          third = tiles(element, {side, side}, 1, trips, 0);
    const bool againstLargest = s.chance(50);
    mlir::Value fixed = load(left, number(0));
    cuda_tile::TileType type = k.tileType({rows, side}, b.getF32Type());
    const TurnLoop counted = openLoop(trips, {zeros(type)});
    auto loop = counted.op();
    {
      mlir::OpBuilder::InsertionGuard guard(b);
      k.openBody(loop);
      mlir::Value step = counted.turn(k, s);
      mlir::Value x = load(first, step), y = load(second, step), z = load(third, step);
      mlir::Value score = product(type, fixed, x, zeros(type));
      if (againstLargest)
        score = cuda_tile::SubFOp::create(b, k.loc(), type, score, largestOfRows(score), nearest(),
                                          mlir::UnitAttr());
      mlir::Value weight = converted(clamped(score), element);
      mlir::Value middle = converted(clamped(product(type, weight, y, zeros(type))), element);
      mlir::Value sum = product(type, middle, z, loop.getRegionIterVar(0));
      cuda_tile::ContinueOp::create(b, k.loc(), mlir::ValueRange{sum});
    }
    define(loop->getResult(0));
  }

  void buildGathered() {
    element = s.chance(60) ? mlir::Type(b.getF16Type()) : b.getBF16Type();
    const int64_t rows = s.chance(80) ? 64 : 128, columns = 16 << s.below(2),
                  depth = s.chance(70) ? 32 : 64, trips = tripsWithin(rows * columns * depth);
    const bool onLeft = s.chance(60);
    const int64_t lines = onLeft ? rows : depth; // of a tile
    const int64_t all = lines * (s.chance(50) ? 1 : 2);
    const bool byTiles = s.chance(80);
    // Rows outside of the array are what the view is padded with.
    cuda_tile::PaddingValueAttr padding;
    if (s.chance(65)) {
      k.note("gathered-operand-padded");
      padding = choosePadding(k, s, element);
      if (s.chance(70)) // zero is what copies put there by themselves
        padding = cuda_tile::PaddingValueAttr::get(
            &k.context(), s.chance(50)   ? cuda_tile::PaddingValue::nan
                          : s.chance(50) ? cuda_tile::PaddingValue::pos_inf
                                         : cuda_tile::PaddingValue::neg_inf);
    }
    auto [view, indices] =
        gather(all, lines, onLeft ? depth : columns, onLeft ? trips : 1, padding);
    Tiles other = tiles(element, onLeft ? Shape{depth, columns} : Shape{rows, depth},
                        onLeft ? 1 : k.blockCount(), trips, onLeft ? 0 : 1);
    cuda_tile::TileType type = k.tileType({rows, columns}, b.getF32Type()),
                        tile = onLeft ? k.tileType({rows, depth}, element)
                                      : k.tileType({depth, columns}, element);
    const TurnLoop counted = openLoop(trips, {zeros(type)});
    auto loop = counted.op();
    {
      mlir::OpBuilder::InsertionGuard guard(b);
      k.openBody(loop);
      mlir::Value step = counted.turn(k, s);
      // The other index counts columns: mostly those of a tile after another.
      mlir::Value column = onLeft ? step : number(0);
      if (onLeft && byTiles)
        column = cuda_tile::MulIOp::create(b, k.loc(), step.getType(), step, number(depth),
                                           cuda_tile::IntegerOverflow::NSW);
      mlir::Value gathered = loadView(k, s, tile, view, {indices, column}, {}).tile;
      mlir::Value loaded = load(other, step);
      mlir::Value sum = product(type, onLeft ? gathered : loaded, onLeft ? loaded : gathered,
                                loop.getRegionIterVar(0));
      cuda_tile::ContinueOp::create(b, k.loc(), mlir::ValueRange{sum});
    }
    if (padding)
      emitFreeStore(k, s, {loop->getResult(0), {}});
    else
      define(loop->getResult(0));
  }

  void buildLoadedBounds() {
    element = s.chance(60) ? mlir::Type(b.getF16Type()) : b.getBF16Type();
    const int64_t rows = 64, columns = 16 << s.below(3), depth = s.chance(70) ? 32 : 64;
    const int64_t most = 3, trips = s.between(2, 3); // numbers in memory are from 0 to 3
    const int64_t all = 2 * most + 1; // the number is where a loop begins, how long it is, or both
    Tiles x = tiles(element, {rows, depth}, k.blockCount(), all, 1),
          y = tiles(element, {depth, columns}, 1, all, 0);
    cuda_tile::TileType i32 = k.scalarType(k.intType(32)),
                        type = k.tileType({rows, columns}, b.getF32Type());
    ArrayInfo &array =
        k.addFlatArray(k.intType(32), k.blockCount(), /*output=*/true, Fill::SmallIntegers);
    mlir::Value cell = cuda_tile::OffsetOp::create(b, k.loc(), array.base.getType(), array.base,
                                                   k.blockNumber().ssa);
    mlir::Value token =
        cuda_tile::MakeTokenOp::create(b, k.loc(), cuda_tile::TokenType::get(&k.context()));
    Loaded loaded = loadPointers(k, s, i32, cell, {}, {}, token);
    mlir::Value least = cuda_tile::AndIOp::create(b, k.loc(), i32, loaded.tile, number(most));
    mlir::Value changed = cuda_tile::AddIOp::create(b, k.loc(), i32, loaded.tile, number(1),
                                                    cuda_tile::IntegerOverflow::NONE);
    if (s.chance(85))
      storePointers(k, s, cell, changed, {}, loaded.token);
    const bool isIndex = s.chance(60), isBound = !isIndex || s.chance(40);
    mlir::Value end = isBound ? sumOf(least, number(1)) : openEnd(trips);
    auto loop = cuda_tile::ForOp::create(b, k.loc(), number(0), end, number(1), {zeros(type)});
    {
      mlir::OpBuilder::InsertionGuard guard(b);
      k.openBody(loop);
      mlir::Value step = loop.getInductionVar();
      if (isIndex)
        step = sumOf(step, least);
      mlir::Value sum = product(type, load(x, step), load(y, step), loop.getRegionIterVar(0));
      cuda_tile::ContinueOp::create(b, k.loc(), mlir::ValueRange{sum});
    }
    define(loop->getResult(0));
  }

private:
  /// Turns, as many as are cheap enough for the reference.
  int64_t tripsWithin(int64_t productsOfTurn) {
    const int64_t most = kMostProducts / (productsOfTurn * k.blockCount());
    return s.between(2, std::clamp<int64_t>(most, 2, 4));
  }

  /// Rows of an array that a gather takes together, in the order of some numbers, and these.
  std::pair<mlir::Value, mlir::Value> gather(int64_t all, int64_t lines, int64_t width,
                                             int64_t tilesAcross,
                                             cuda_tile::PaddingValueAttr padding) {
    const int64_t columns = width * tilesAcross;
    ArrayInfo &array = k.addPlacedArray(element, {all, columns}, {columns, 1},
                                        {false, s.chance(padding ? 85 : 50)}, {s.chance(50), true},
                                        Fill::SmallIntegers);
    array.base = divisible(array.base, 16);
    mlir::Value tensor = makeTensorView(k, s, array);
    auto type = cuda_tile::GatherScatterViewType::get(
        &k.context(),
        mlir::DenseI32ArrayAttr::get(&k.context(),
                                     {static_cast<int32_t>(lines), static_cast<int32_t>(width)}),
        llvm::cast<cuda_tile::TensorViewType>(tensor.getType()), /*sparseDim=*/0, padding);
    mlir::Value view = k.emit<cuda_tile::MakeGatherScatterViewOp>(type, tensor).getResult();
    cuda_tile::TileType line = k.tileType({lines}, k.intType(32));
    mlir::Value order = cuda_tile::IotaOp::create(b, k.loc(), line);
    if (s.chance(50)) // any, some of them twice
      order = cuda_tile::MulIOp::create(b, k.loc(), line, order,
                                        k.intConstant(line, s.between(1, 7)).ssa,
                                        cuda_tile::IntegerOverflow::NONE);
    else
      order = sumOf(order, k.splat({k.addExtentArgument(s.between(0, all)), {}}, {lines}).ssa);
    const Int last = padding ? 2 * all - 1 : all - 1;
    return {view,
            cuda_tile::AndIOp::create(b, k.loc(), line, order, k.intConstant(line, last).ssa)};
  }

  /// The operand, of its two tiles: computed in f32 or in its own type.
  mlir::Value combine(mlir::Value x, mlir::Value y, cuda_tile::TileType tile) {
    mlir::Type within = s.chance(50) ? mlir::Type(b.getF32Type()) : element;
    x = converted(x, within);
    y = converted(y, within);
    cuda_tile::TileType type = k.tileType(tile.getShape(), within);
    if (y.getType() != type)
      y = cuda_tile::BroadcastOp::create(b, k.loc(), type, y);
    switch (s.below(3)) {
    case 0: // a gate
      x = cuda_tile::MulFOp::create(b, k.loc(), type, larger(x, zeros(type)), y, nearest(),
                                    mlir::UnitAttr());
      break;
    case 1: // a scale
      x = cuda_tile::MulFOp::create(b, k.loc(), type, x, y, nearest(), mlir::UnitAttr());
      break;
    default:
      x = cuda_tile::SubFOp::create(b, k.loc(), type, x, y, nearest(), mlir::UnitAttr());
    }
    return converted(x, element);
  }
};

} // namespace

bool tilesmith::generators::applyComputedOperand(KernelBuilder &k, ChoiceStream &s) {
  if (!mayMultiply(k, "computed-operand"))
    return false;
  OperandLoop(k, s).buildComputed();
  return true;
}

bool tilesmith::generators::applyProductChain(KernelBuilder &k, ChoiceStream &s) {
  // The three products of a turn are costly.
  if (!mayMultiply(k, "product-chain") || k.blockCount() > 2 || s.chance(40))
    return false;
  OperandLoop(k, s).buildChain();
  return true;
}

bool tilesmith::generators::applyGatheredOperand(KernelBuilder &k, ChoiceStream &s) {
  if (!mayMultiply(k, "gathered-operand"))
    return false;
  OperandLoop(k, s).buildGathered();
  return true;
}

bool tilesmith::generators::applyLoadedBounds(KernelBuilder &k, ChoiceStream &s) {
  if (!mayMultiply(k, "loaded-bounds"))
    return false;
  OperandLoop(k, s).buildLoadedBounds();
  return true;
}

bool tilesmith::generators::applyTileBothWays(KernelBuilder &k, ChoiceStream &s) {
  if (!mayMultiply(k, "tile-both-ways"))
    return false;
  OperandLoop(k, s).buildShared();
  return true;
}
