//===- IdiomLineRules.cpp - reductions of the lines of a large tile, and what else becomes of it -------===//
//
// A tile of rows so long that it matters which threads hold them: one to three reductions of its lines by
// different bodies, the place of an extreme among them, a scan, and beside these one or two moves of the
// tile itself: a slice, a turn, another shape, half of another one joined to it. Layouts are chosen for all
// of that together, so that what one of them wants decides where the others find their elements. What the
// lines become is kept, met by the tile again, or both.
//
// Needs: depth 0. Promises: integers that wrap, extremes and their first places: exact in any order.
//
//===------------------------------------------------------------------------------------------===//
#include "generators/program/IdiomRules.h"

using namespace tilesmith;
using namespace tilesmith::generators;
using cuda_tile::ComparisonPredicate;
using cuda_tile::IntegerOverflow;
using cuda_tile::Signedness;
using cuda_tile::TileType;

namespace {

using Values = llvm::SmallVector<mlir::Value>;

class LineStatistics {
public:
  LineStatistics(KernelBuilder &k, ChoiceStream &s) : k(k), s(s), b(k.builder()) {}

  void build() {
    chooseShape();
    dim = s.chance(75) ? 1 : 0;
    element = s.chance(50) ? k.intType(s.chance(60) ? 32 : 16) : chooseWideFloat(k, s);
    tile = freshTile(k, s, type(), fill());
    const uint64_t reductions = s.between(1, 3);
    for (uint64_t i = 0; i < reductions; ++i)
      reduce();
    for (uint64_t moves = s.below(3); moves > 0; --moves)
      move();
    if (s.chance(25))
      scan();
  }

private:
  void chooseShape() {
    static constexpr int64_t kShapes[][2] = {{8, 512}, {16, 512}, {16, 256}, {8, 1024}, {32, 128},
                                             {4, 512}, {64, 64},  {16, 128}, {8, 256},  {2, 1024}};
    llvm::ArrayRef<int64_t> picked = kShapes[s.below(std::size(kShapes))];
    shape.assign(picked.begin(), picked.end());
    if (s.chance(15))
      std::swap(shape[0], shape[1]);
  }
  TileType type() { return k.tileType(shape, element); }
  Fill fill() { return s.chance(40) ? Fill::SmallIntegers : Fill::Any; }
  mlir::Attribute integer(mlir::Type of, Int value) {
    return mlir::IntegerAttr::get(
        of, llvm::APInt(widthOf(of), static_cast<uint64_t>(value), false, true));
  }
  mlir::Attribute worst() {
    if (auto real = llvm::dyn_cast<mlir::FloatType>(element))
      return mlir::FloatAttr::get(
          real, llvm::APFloat::getInf(real.getFloatSemantics(), /*Negative=*/true));
    return integer(element, signedMin(widthOf(element)));
  }
  mlir::Value larger(mlir::Value x, mlir::Value y) {
    if (isFloat(element))
      return cuda_tile::MaxFOp::create(b, k.loc(), x.getType(), x, y, b.getUnitAttr(),
                                       mlir::UnitAttr());
    return cuda_tile::MaxIOp::create(b, k.loc(), x.getType(), x, y, Signedness::Signed);
  }
  mlir::Value sum(mlir::Value x, mlir::Value y) {
    return cuda_tile::AddIOp::create(b, k.loc(), x.getType(), x, y, IntegerOverflow::NONE);
  }
  mlir::Value compare(ComparisonPredicate predicate, mlir::Value x, mlir::Value y) {
    TileType flag = k.scalarType(k.intType(1));
    if (isFloat(llvm::cast<TileType>(x.getType()).getElementType()))
      return cuda_tile::CmpFOp::create(b, k.loc(), flag, predicate,
                                       cuda_tile::ComparisonOrdering::ORDERED, x, y);
    return cuda_tile::CmpIOp::create(b, k.loc(), flag, predicate, x, y, Signedness::Signed);
  }

  /// Numbers along the lines: the same in each of them.
  mlir::Value places() {
    llvm::SmallVector<int64_t> line(2, 1);
    line[dim] = shape[dim];
    mlir::Type i32 = k.intType(32);
    mlir::Value numbers = cuda_tile::IotaOp::create(b, k.loc(), k.tileType({shape[dim]}, i32));
    numbers = cuda_tile::ReshapeOp::create(b, k.loc(), k.tileType(line, i32), numbers);
    return cuda_tile::BroadcastOp::create(b, k.loc(), k.tileType(shape, i32), numbers);
  }

  /// The largest of each line and the first of its places.
  Values largestAndPlace() {
    k.note("line-statistics-place");
    TileType flag = k.scalarType(k.intType(1));
    return emitAggregate(
        k, {tile, places()}, dim, /*isScan=*/false, /*reverse=*/false,
        {worst(), integer(k.intType(32), signedMax(32))},
        [&](mlir::ValueRange x, mlir::ValueRange y) -> Values {
          mlir::Value beats = compare(ComparisonPredicate::GREATER_THAN, x[0], y[0]),
                      equal = compare(ComparisonPredicate::EQUAL, x[0], y[0]),
                      first = compare(ComparisonPredicate::LESS_THAN, x[1], y[1]);
          mlir::Value tie = cuda_tile::AndIOp::create(b, k.loc(), flag, equal, first);
          mlir::Value keep = cuda_tile::OrIOp::create(b, k.loc(), flag, beats, tie);
          auto select = [&](size_t i) -> mlir::Value {
            return cuda_tile::SelectOp::create(b, k.loc(), x[i].getType(), keep, x[i], y[i]);
          };
          return {select(0), select(1)};
        });
  }

  void reduce() {
    Values lines;
    if (s.chance(30) && !isFloat(element)) {
      lines = largestAndPlace();
    } else {
      const bool sums = !isFloat(element) && s.chance(60);
      lines = {emitReduction(
          k, s, tile, dim, /*isScan=*/false, sums ? integer(element, 0) : worst(),
          [&](mlir::Value x, mlir::Value y) { return sums ? sum(x, y) : larger(x, y); })};
    }
    for (mlir::Value line : lines)
      keepTile(k, s, line);
    if (s.chance(65))
      return;
    llvm::SmallVector<int64_t> ones = shape;
    ones[dim] = 1;
    mlir::Value line =
        cuda_tile::ReshapeOp::create(b, k.loc(), k.tileType(ones, element), lines.front());
    line = cuda_tile::BroadcastOp::create(b, k.loc(), type(), line);
    if (s.chance(60))
      keepTile(k, s, combineExactly(k, tile, line));
    else
      tile = combineExactly(k, tile, line);
  }

  void scan() {
    mlir::Value result = emitReduction(k, s, tile, dim, /*isScan=*/true, worst(),
                                       [&](mlir::Value x, mlir::Value y) { return larger(x, y); });
    keepTile(k, s, result);
  }

  /// A part of the tile, or all of it in another order: kept.
  void move() {
    const auto along = static_cast<unsigned>(s.below(2));
    llvm::SmallVector<int64_t> to = shape;
    switch (s.below(5)) {
    case 0:
    case 1: { // half of it, or less
      k.note("line-statistics-slice");
      to[along] /= s.chance(70) ? 2 : 4;
      if (to[along] == 0)
        return;
      llvm::SmallVector<mlir::Value> indices(2, k.intConstant(k.scalarType(k.intType(32)), 0).ssa);
      indices[along] = k.intConstant(k.scalarType(k.intType(32)),
                                     static_cast<Int>(s.below(shape[along] / to[along])))
                           .ssa;
      return keepTile(
          k, s, cuda_tile::ExtractOp::create(b, k.loc(), k.tileType(to, element), tile, indices));
    }
    case 2: // turned
      std::swap(to[0], to[1]);
      return keepTile(
          k, s,
          cuda_tile::PermuteOp::create(b, k.loc(), k.tileType(to, element), tile,
                                       mlir::DenseI32ArrayAttr::get(&k.context(), {1, 0})));
    case 3: { // lines of half the length
      if (to[1] == 1)
        return;
      to[0] *= 2, to[1] /= 2;
      mlir::Value other = cuda_tile::ReshapeOp::create(b, k.loc(), k.tileType(to, element), tile);
      return keepTile(
          k, s, combineExactly(k, other, freshTile(k, s, k.tileType(to, element), Fill::Any)));
    }
    default: { // with another one
      if (shape[0] * shape[1] > 4096)
        return;
      to[along] *= 2;
      mlir::Value x = tile, y = freshTile(k, s, type(), Fill::Any);
      if (s.chance(50))
        std::swap(x, y);
      return keepTile(k, s,
                      cuda_tile::CatOp::create(b, k.loc(), k.tileType(to, element), x, y,
                                               b.getI64IntegerAttr(static_cast<int64_t>(along))));
    }
    }
  }

  KernelBuilder &k;
  ChoiceStream &s;
  mlir::OpBuilder &b;
  llvm::SmallVector<int64_t> shape;
  unsigned dim = 1; ///< along which lines run
  mlir::Type element;
  mlir::Value tile;
};

} // namespace

bool tilesmith::generators::applyLineStatistics(KernelBuilder &k, ChoiceStream &s) {
  if (k.depth > 0 || k.blockCount() > 8)
    return false;
  LineStatistics(k, s).build();
  return true;
}
