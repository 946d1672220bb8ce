//===- IdiomBoundRules.cpp - masks by rows and columns, and tiles outside of their array ---------------===//
//
// Two rules. `row-bounds`: a choice between two tiles by one to three comparisons of the numbers of the
// columns with bounds, as attention has them: the same bound for all rows or another one for each,
// computed from the number of the row or loaded, below, inside or far above what the tile has, negative
// ones and the ends of the type too; with either order of the operands, along either dimension, at the
// start of a tile or beside it, in a loop over tiles of columns as well.
// `outside-index`: a tile of a padded view whose extents of one stand at an index that lies inside of
// the array or behind its end, while the others are inside and may be promised to be; the tile without
// these extents is an operand of a product, or is kept.
//
// Needs: depth 0. Promises: comparisons and sums of integers that may wrap; tiles behind the end of a view
// are padding.
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

class RowBounds {
public:
  RowBounds(KernelBuilder &k, ChoiceStream &s) : k(k), s(s), b(k.builder()) {}

  void build() {
    k.note("row-bounds");
    isStrict = s.chance(60);
    const int64_t rows = int64_t(isStrict || s.chance(70) ? 64 : 8) << s.below(2);
    columns = int64_t(8) << s.below(3);
    along = s.chance(80) ? 1 : 0;
    shape = {rows, columns};
    if (along == 0)
      std::swap(shape[0], shape[1]);
    number = k.intType(isStrict || s.chance(85) ? 32 : 64);
    numbers = k.tileType(shape, number);
    type = k.tileType(shape, s.chance(50) ? k.pickElement(s, Kind::Any) : k.intType(32));
    mlir::Value inside = arm(), outside = arm();
    if (s.chance(75))
      return keepTile(k, s, choose(start(), inside, outside));
    overTiles(inside, outside);
  }

private:
  mlir::Value arm() {
    return s.chance(70) ? k.constant(s, type).ssa : freshTile(k, s, type, Fill::Any);
  }
  mlir::Value choose(mlir::Value from, mlir::Value inside, mlir::Value outside) {
    return cuda_tile::SelectOp::create(b, k.loc(), type, mask(from), inside, outside);
  }

  /// The columns of three tiles, one behind the other.
  void overTiles(mlir::Value inside, mlir::Value outside) {
    k.note("row-bounds-loop");
    TileType scalar = k.scalarType(number);
    auto constant = [&](Int value) { return k.intConstant(scalar, value).ssa; };
    auto loop = cuda_tile::ForOp::create(b, k.loc(), constant(0), constant(3), constant(1),
                                         mlir::ValueRange{k.constant(s, type).ssa}, nullptr, false);
    {
      mlir::OpBuilder::InsertionGuard guard(b);
      k.openBody(loop);
      mlir::Value from = cuda_tile::MulIOp::create(b, k.loc(), scalar, loop.getInductionVar(),
                                                   constant(columns), IntegerOverflow::NSW);
      mlir::Value next = combineExactly(k, loop.getRegionIterVar(0), choose(from, inside, outside));
      cuda_tile::ContinueOp::create(b, k.loc(), mlir::ValueRange{next});
    }
    keepTile(k, s, loop->getResult(0));
  }

  /// Where the columns begin: at a multiple of their number, mostly; null: zero.
  mlir::Value start() {
    if (s.chance(50))
      return {};
    TileType scalar = k.scalarType(number);
    mlir::Value from = tiles();
    if (s.chance(45))
      from = cuda_tile::AddIOp::create(b, k.loc(), scalar, from,
                                       k.intConstant(scalar, s.between(1, columns - 1)).ssa,
                                       IntegerOverflow::NONE);
    return from;
  }

  /// The columns of some tiles.
  mlir::Value tiles() {
    TileType scalar = k.scalarType(number);
    return cuda_tile::MulIOp::create(b, k.loc(), scalar, launched(s.between(-2, 3)),
                                     k.intConstant(scalar, columns).ssa, IntegerOverflow::NONE);
  }

  /// A number that only the launch knows.
  mlir::Value launched(int64_t value) {
    mlir::Value argument = k.addExtentArgument(value);
    return widenTo(k, argument, number);
  }

  /// The line as a tile: what is along one dimension, repeated along the other. A scalar is added to all
  /// of it, in one of the shapes on the way; in front of it sometimes another one.
  mlir::Value spread(mlir::Value line, unsigned dim, mlir::Value start = {}) {
    llvm::SmallVector<int64_t> one = {1, 1};
    one[dim] = shape[dim];
    const uint64_t where = !start ? 3 : isStrict ? s.between(1, 2) : s.below(3);
    auto moveBy = [&](mlir::Value number) {
      auto type = llvm::cast<TileType>(line.getType());
      mlir::Value by = k.splat({number, {}}, type.getShape()).ssa;
      line = s.chance(50) ? add(line, by) : add(by, line);
    };
    auto move = [&](uint64_t here) {
      if (here != where)
        return;
      if (s.chance(30)) {
        k.note("row-bounds-two-starts");
        moveBy(tiles());
      }
      moveBy(start);
    };
    move(0);
    line = cuda_tile::ReshapeOp::create(b, k.loc(), k.tileType(one, number), line);
    move(1);
    line = cuda_tile::BroadcastOp::create(b, k.loc(), numbers, line);
    move(2);
    return line;
  }
  mlir::Value positions(unsigned dim) {
    return cuda_tile::IotaOp::create(b, k.loc(), k.tileType({shape[dim]}, number));
  }
  mlir::Value add(mlir::Value x, mlir::Value y) {
    return cuda_tile::AddIOp::create(b, k.loc(), x.getType(), x, y, IntegerOverflow::NONE);
  }

  mlir::Value mask(mlir::Value from) {
    TileType flags = k.tileType(shape, k.intType(1));
    const mlir::Value column = spread(positions(along), along, from);
    mlir::Value all;
    static constexpr unsigned kCounts[] = {5, 4, 2};
    bool isLower = isStrict; // of all comparisons
    for (uint64_t left = 1 + s.weighted(kCounts); left > 0; --left) {
      mlir::Value x = column, y = bound();
      const bool isSwapped = s.chance(40);
      if (isSwapped)
        std::swap(x, y);
      const ComparisonPredicate order = predicate();
      isLower &= isSwapped != (order == ComparisonPredicate::GREATER_THAN ||
                               order == ComparisonPredicate::GREATER_THAN_OR_EQUAL);
      mlir::Value one = cuda_tile::CmpIOp::create(b, k.loc(), flags, order, x, y,
                                                  isStrict || s.chance(85) ? Signedness::Signed
                                                                           : Signedness::Unsigned);
      if (!all)
        all = one;
      else if (isStrict || s.chance(85))
        all = cuda_tile::AndIOp::create(b, k.loc(), flags, all, one);
      else
        all = cuda_tile::OrIOp::create(b, k.loc(), flags, all, one);
    }
    if (isLower)
      k.note("row-bounds-lower");
    return all;
  }

  ComparisonPredicate predicate() {
    using enum ComparisonPredicate;
    static constexpr ComparisonPredicate kOrders[] = {LESS_THAN, LESS_THAN_OR_EQUAL, GREATER_THAN,
                                                      GREATER_THAN_OR_EQUAL};
    return isStrict || s.chance(95) ? kOrders[s.below(4)] : s.chance(50) ? EQUAL : NOT_EQUAL;
  }

  /// Around the columns, or far away on either side.
  int64_t distance() {
    static constexpr int64_t kFar[] = {INT32_MIN, INT32_MIN + 1, INT32_MAX, INT32_MAX - 1};
    if (s.chance(50)) // among the columns of the tile, or just beside them
      return s.between(-2, columns + 1);
    return s.chance(75) ? s.between(-2 * columns, 3 * columns) : kFar[s.below(4)];
  }

  /// What the columns of each row are compared with.
  mlir::Value bound() {
    const unsigned across = 1 - along;
    switch (s.below(4)) {
    case 0: // the same for all rows
      return k.splat({launched(distance()), {}}, shape).ssa;
    case 1: { // loaded: small numbers of either sign, in steps of half of the columns
      TileType line = k.tileType({shape[across]}, number);
      mlir::Value rows = freshTile(k, s, line, s.chance(80) ? Fill::SmallIntegers : Fill::Any);
      rows = cuda_tile::MulIOp::create(b, k.loc(), line, rows, k.intConstant(line, columns / 2).ssa,
                                       IntegerOverflow::NONE);
      return spread(add(rows, k.intConstant(line, s.between(-1, 1)).ssa), across);
    }
    default: { // the number of the row, from where the launch says
      return spread(positions(across), across, s.chance(85) ? launched(distance()) : mlir::Value());
    }
    }
  }

  KernelBuilder &k;
  ChoiceStream &s;
  mlir::OpBuilder &b;
  llvm::SmallVector<int64_t> shape;
  int64_t columns = 0;
  bool isStrict = false; ///< as attention has them: signed, ordered, all of them
  unsigned along = 1;    ///< the dimension of the columns
  mlir::Type number;
  TileType numbers, type;
};

/// One tile of an array of rank 3 or 4, without its extents of one.
mlir::Value tileAtUnits(KernelBuilder &k, ChoiceStream &s, TileType type) {
  mlir::OpBuilder &b = k.builder();
  const size_t units = 1 + s.below(2), rank = units + 2; // extents of one in front of the tile
  llvm::SmallVector<int64_t> tile(units, 1), extents(units);
  for (int64_t &extent : extents)
    extent = s.between(1, 5);
  llvm::append_range(tile, type.getShape());
  const bool isWhole = s.chance(75);
  for (int64_t extent : type.getShape())
    extents.push_back(extent * s.between(1, 2) - (isWhole ? 0 : s.between(0, extent / 2)));
  // Dimensions of the tile stand anywhere in the tensor, whose extents are numbers of very different size.
  llvm::SmallVector<int32_t> map(rank);
  for (size_t i = 0; i < rank; ++i)
    map[i] = static_cast<int32_t>(i);
  if (s.chance(50)) {
    k.note("outside-index-turned");
    for (size_t i = rank - 1; i > 0; --i)
      std::swap(map[i], map[s.below(i + 1)]);
  }
  llvm::SmallVector<int64_t> ofTensor(rank);
  for (size_t i = 0; i < rank; ++i)
    ofTensor[static_cast<size_t>(map[i])] = extents[i];
  ArrayInfo &array =
      k.addFreeArray(s, type.getElementType(), ofTensor, /*output=*/false, Fill::SmallIntegers);
  mlir::Value tensor = makeTensorView(k, s, array);
  auto narrow = [&](llvm::ArrayRef<int64_t> numbers) {
    llvm::SmallVector<int32_t> words(numbers.begin(), numbers.end());
    return mlir::DenseI32ArrayAttr::get(&k.context(), words);
  };
  auto tensorType = llvm::cast<cuda_tile::TensorViewType>(tensor.getType());
  const cuda_tile::PaddingValueAttr padding = choosePadding(k, s, type.getElementType());
  mlir::Value view;
  llvm::SmallVector<int64_t> steps = tile;
  if (k.version() >= 3 && s.chance(35)) { // from tile to tile over some elements
    for (int64_t &step : llvm::MutableArrayRef(steps).take_front(units))
      step = s.between(1, 3);
    view = k.emit<cuda_tile::MakeStridedViewOp>(
                cuda_tile::StridedViewType::get(&k.context(), narrow(tile), narrow(steps),
                                                tensorType, map, padding),
                tensor)
               .getResult();
  } else {
    view = k.emit<cuda_tile::MakePartitionViewOp>(
                cuda_tile::PartitionViewType::get(&k.context(), narrow(tile), tensorType, map,
                                                  padding),
                tensor)
               .getResult();
  }
  llvm::SmallVector<mlir::Value> indices;
  llvm::SmallVector<bool> inside;
  for (size_t i = 0; i < rank; ++i) {
    const bool isUnit = i < units;
    const int64_t tiles = (extents[i] + steps[i] - 1) / steps[i];
    const int64_t at = s.between(0, isUnit ? tiles + 1 : tiles - 1);
    indices.push_back(k.addExtentArgument(at));
    inside.push_back(at * steps[i] + tile[i] <= extents[i] && (!isUnit || s.chance(30)));
  }
  if (s.chance(30))
    inside.clear();
  mlir::Value loaded =
      loadView(k, s, k.tileType(tile, type.getElementType()), view, indices, {}, inside).tile;
  return cuda_tile::ReshapeOp::create(b, k.loc(), type, loaded);
}

} // namespace

bool tilesmith::generators::applyRowBounds(KernelBuilder &k, ChoiceStream &s) {
  if (k.depth > 0)
    return false;
  RowBounds(k, s).build();
  return true;
}

bool tilesmith::generators::applyOutsideIndex(KernelBuilder &k, ChoiceStream &s) {
  if (k.depth > 0)
    return false;
  k.note("outside-index");
  mlir::OpBuilder &b = k.builder();
  const int64_t rows = int64_t(16) << s.below(2), depth = int64_t(16) << s.below(2),
                width = int64_t(16) << s.below(2);
  mlir::Type half = s.chance(50) ? mlir::Type(b.getF16Type()) : mlir::Type(b.getBF16Type());
  TileType left = k.tileType({rows, depth}, half), right = k.tileType({depth, width}, half),
           sum = k.tileType({rows, width}, b.getF32Type());
  mlir::Value x = tileAtUnits(k, s, left);
  if (s.chance(20)) {
    keepTile(k, s, x);
    return true;
  }
  mlir::Value y =
      s.chance(50) ? tileAtUnits(k, s, right) : freshTile(k, s, right, Fill::SmallIntegers);
  keepTile(k, s,
           cuda_tile::MmaFOp::create(b, k.loc(), sum, x, y, k.floatConstant(sum, 0).ssa,
                                     mlir::UnitAttr()));
  return true;
}
