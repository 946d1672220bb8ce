//===- LargeProductRules.cpp - products whose operands or sums a loop does not make -----------------===//
//
// Rules of the pipeline family, of products of the size that groups of warps and tensor memory take:
//
//   products-once      outside of loops: some add to the sums that others left, or multiply what became of those;
//                      sums begin with nothing, a number or a tile, and may get a residual
//   sums-go-on         a loop goes on with the sums of a product in front of it, and products and loops behind it go on
//                      with its sums; where products begin anew in each turn, a number for each row may scale them; loops
//                      of the same kinds of tiles follow each other, of which some compute their left operand
//   fixed-operand      tiles that no turn changes are multiplied with what a loop loads: rows walk past weights, each
//                      turn stores its own sums or adds to what is carried, beside a tile that is no sum
//   two-pieces         both left operands of a turn are pieces of one array, of which one begins further behind its
//                      pointer; turns may be counted in elements, by a step that only the launch knows
//
// Needs: depth 0. Promises: those of ProductTiles.h; every block stores to rows of its own, each store behind the one
// before. Sums are exact.
//
//===------------------------------------------------------------------------------------------===//
#include "generators/program/OperandRules.h"
#include "generators/program/ProductTiles.h"

#include "llvm/Support/MathExtras.h"

using namespace tilesmith;
using namespace tilesmith::generators;

namespace {

constexpr int64_t kMostProducts = 3 << 20; // of scalars, in all blocks

class LargeProducts : public ProductTiles {
public:
  using ProductTiles::ProductTiles;

  void buildOnce() {
    chooseForm();
    llvm::SmallVector<mlir::Value> sums{once(start())};
    if (columns <= 64 && s.chance(30))
      useOthersBetween(sums);
    for (uint64_t more = s.below(4); more > 0 && spent < kMostProducts; --more)
      addProduct(sums);
    for (mlir::Value sum : sums)
      finish(sum);
  }

  void buildGoOn() {
    chooseForm();
    mlir::Value sum = s.chance(30) ? once(start()) : start();
    // The operands of a product that begins anew behind the loop may be there before it.
    const bool anew = s.chance(35);
    std::pair<mlir::Value, mlir::Value> early;
    if (anew)
      early = operands();
    sum = loopOver(sum);
    if (s.chance(30) && spent < kMostProducts) {
      k.note("sums-go-on-beside");
      finish(sum);
      sum = loopOver(start(), /*computed=*/70);
    }
    if (anew) {
      k.note("sums-go-on-anew");
      if (s.chance(70))
        finish(sum);
      mlir::Value other = product(type, early.first, early.second, zeros(type));
      finish(other);
      if (s.chance(60))
        return;
    }
    for (uint64_t more = s.between(1, 2); more > 0 && spent < kMostProducts; --more) {
      k.note("sums-go-on-behind");
      sum = s.chance(60) ? once(sum) : s.chance(50) ? loopOver(sum) : ofSums(sum, start());
    }
    if (s.chance(55) && spent < kMostProducts)
      finish(loopOfTurns());
    finish(sum);
  }

  void buildFixed() {
    chooseForm();
    const bool isRight = s.chance(75);
    const uint64_t count = s.chance(35) ? 2 : 1;
    const int64_t turns = s.between(2, 3);
    llvm::SmallVector<mlir::Value> fixed;
    for (uint64_t i = 0; i < count; ++i)
      fixed.push_back(isRight
                          ? load(tiles(element, {depth, columns}, 1, 1, 0), number(0))
                          : load(tiles(element, {rows, depth}, k.blockCount(), 1, 1), number(0)));
    spend(turns * int64_t(count));
    if (s.chance(50))
      storeTurns(fixed, isRight, turns);
    else
      carryTurns(fixed, isRight, turns);
  }

  void buildPieces() {
    chooseForm();
    const int64_t turns = s.between(2, 3);
    spend(2 * turns);
    Pieces pieces = makePieces(turns);
    Tiles weights = tiles(element, {depth, columns}, 1, turns, 0);
    cuda_tile::TileType tile = k.tileType({rows, depth}, element);
    const Int unit = pieces.inElements ? Int(depth) : 1,
              first = pieces.inElements ? Int(pieces.first) : 0;
    mlir::Value by = number(unit), end = openEnd(first + unit * turns);
    if (s.chance(50)) {
      k.note("two-pieces-step-of-value");
      by = k.addExtentArgument(unit);
      if (unit % 16 == 0 && s.chance(70))
        by = divisible(by, 16);
    }
    mlir::Value begin = first && s.chance(50) ? k.addExtentArgument(first) : number(first);
    auto loop = cuda_tile::ForOp::create(b, k.loc(), begin, end, by, {zeros(type)});
    {
      mlir::OpBuilder::InsertionGuard guard(b);
      k.openBody(loop);
      mlir::Value at = loop.getInductionVar(), turn = at;
      if (pieces.inElements) {
        turn = cuda_tile::SubIOp::create(b, k.loc(), at.getType(), at, number(first),
                                         cuda_tile::IntegerOverflow::NONE);
        turn =
            cuda_tile::DivIOp::create(b, k.loc(), at.getType(), turn, number(unit),
                                      cuda_tile::Signedness::Signed, cuda_tile::RoundingMode::ZERO);
      }
      mlir::Value weight = load(weights, turn), sum = loop.getRegionIterVar(0);
      for (mlir::Value view : {pieces.one, pieces.other})
        sum = product(type, loadAt(tile, view, k.blockNumber().ssa, at), weight, sum);
      cuda_tile::ContinueOp::create(b, k.loc(), mlir::ValueRange{sum});
    }
    finish(loop->getResult(0));
  }

private:
  /// As little as a product takes for which tensor memory is chosen, or somewhat more.
  void chooseForm() {
    element = s.chance(50)   ? mlir::Type(b.getF16Type())
              : s.chance(60) ? mlir::Type(b.getBF16Type())
                             : mlir::Type(b.getType<mlir::Float8E4M3FNType>());
    const bool isByte = widthOf(element) == 8;
    rows = s.chance(70) ? 128 : 64;
    columns = s.chance(80) ? 64 : 32;
    depth = isByte ? 64 : s.chance(60) ? 64 : 32;
    if (rows == 64 && s.chance(60)) { // more columns than one instruction moves
      k.note("large-product-wide");
      columns = s.chance(75) ? 256 : 128;
      depth = isByte ? 64 : 32;
    }
    type = k.tileType({rows, columns}, b.getF32Type());
    k.note("large-product-" + spellElement(element));
    if (s.chance(25) && k.version() >= 3)
      hintWarps(k, s.chance(70) ? 4 : 8);
  }

  void spend(int64_t turns) { spent += rows * columns * depth * turns * k.blockCount(); }

  /// What sums begin with.
  mlir::Value start() {
    if (s.chance(60))
      return zeros(type);
    if (s.chance(50))
      return k.floatConstant(type, double(s.between(-4, 4))).ssa;
    return wholeTile();
  }

  /// A tile of the size of the sums.
  mlir::Value wholeTile() {
    mlir::Type stored = s.chance(50) ? mlir::Type(b.getF32Type()) : element;
    return converted(load(tiles(stored, {rows, columns}, k.blockCount(), 1, 1), number(0)),
                     b.getF32Type());
  }

  std::pair<mlir::Value, mlir::Value> operands() {
    spend(1);
    mlir::Value x = load(tiles(element, {rows, depth}, k.blockCount(), 1, 1), number(0)),
                y = load(tiles(element, {depth, columns}, 1, 1, 0), number(0));
    return {x, y};
  }
  mlir::Value once(mlir::Value before) {
    auto [x, y] = operands();
    return product(type, x, y, before);
  }

  /// A product of what became of sums.
  mlir::Value ofSums(mlir::Value sum, mlir::Value before) {
    k.note("large-product-of-sums");
    spent += rows * columns * columns * k.blockCount();
    mlir::Value y = load(tiles(element, {columns, columns}, 1, 1, 0), number(0));
    return product(type, converted(clamped(sum), element), y, before);
  }

  /// `computed`: chance that the loop computes the left operand.
  mlir::Value loopOver(mlir::Value before, uint64_t computed = 15) {
    const int64_t turns = s.between(2, 3);
    spend(turns);
    Tiles x = tiles(element, {rows, depth}, k.blockCount(), turns, 1),
          y = tiles(element, {depth, columns}, 1, turns, 0);
    const TurnLoop counted = openLoop(turns, {before});
    auto loop = counted.op();
    mlir::OpBuilder::InsertionGuard guard(b);
    k.openBody(loop);
    mlir::Value turn = counted.turn(k, s), left = load(x, turn);
    if ((element.isF16() || element.isBF16()) && s.chance(computed)) {
      k.note("sums-go-on-computed");
      left = larger(left, zeros(x.tile));
    }
    mlir::Value sum = product(type, left, load(y, turn), loop.getRegionIterVar(0));
    cuda_tile::ContinueOp::create(b, k.loc(), mlir::ValueRange{sum});
    return loop->getResult(0);
  }

  /// Sums wait while others come and are multiplied, and are added to then.
  void useOthersBetween(llvm::SmallVectorImpl<mlir::Value> &sums) {
    k.note("products-once-between");
    mlir::Value other = once(zeros(type));
    sums.push_back(ofSums(other, s.chance(80) ? zeros(type) : start()));
    sums.front() = once(sums.front());
  }

  /// Each turn has a number for each row, which stands in a column of its own.
  mlir::Value scaledByRow(mlir::Value own, mlir::Value turn, int64_t turns) {
    k.note("sums-go-on-scaled");
    mlir::Value scales = load(tiles(b.getF32Type(), {rows, 1}, k.blockCount(), turns, 1), turn);
    mlir::Value whole = cuda_tile::BroadcastOp::create(b, k.loc(), type, scales);
    return cuda_tile::MulFOp::create(b, k.loc(), type, own, whole, nearest(), mlir::UnitAttr());
  }

  /// A loop whose products begin anew in each turn, while the sums of another one wait for what comes behind.
  mlir::Value loopOfTurns() {
    k.note("sums-go-on-turns");
    const int64_t turns = s.between(2, 3);
    spend(turns);
    Tiles x = tiles(element, {rows, depth}, k.blockCount(), turns, 1),
          y = tiles(element, {depth, columns}, 1, turns, 0);
    const TurnLoop counted = openLoop(turns, {start()});
    auto loop = counted.op();
    mlir::OpBuilder::InsertionGuard guard(b);
    k.openBody(loop);
    mlir::Value turn = counted.turn(k, s), left = load(x, turn);
    mlir::Value own = product(type, left, load(y, turn), zeros(type));
    if (s.chance(50))
      own = larger(own, zeros(type));
    if (s.chance(90))
      own = scaledByRow(own, turn, turns);
    mlir::Value total = cuda_tile::AddFOp::create(b, k.loc(), type, loop.getRegionIterVar(0), own,
                                                  nearest(), mlir::UnitAttr());
    cuda_tile::ContinueOp::create(b, k.loc(), mlir::ValueRange{total});
    return loop->getResult(0);
  }

  /// One more product, which may take up sums that are there.
  void addProduct(llvm::SmallVectorImpl<mlir::Value> &sums) {
    mlir::Value &sum = sums[s.below(sums.size())];
    const bool mayMultiplySums = columns <= 64;
    switch (s.below(mayMultiplySums ? 4 : 2)) {
    case 0:
      k.note("products-once-added");
      sum = once(sum);
      return;
    case 1:
      sums.push_back(once(start()));
      return;
    default: {
      mlir::Value before = sums.size() > 1 && s.chance(40) ? sums.front() : start();
      mlir::Value result = ofSums(sum, before);
      if (s.chance(60)) // the sums themselves are for nobody else
        sum = result;
      else
        sums.push_back(result);
    }
    }
  }

  /// Maybe with a residual; the rest is that of all sums.
  void finish(mlir::Value sum) {
    if (s.chance(30)) {
      k.note("large-product-residual");
      sum = cuda_tile::AddFOp::create(b, k.loc(), type, sum, wholeTile(), nearest(),
                                      mlir::UnitAttr());
    }
    s.chance(20) ? storePieces(sum) : define(sum);
  }

  //===- a tile that no turn changes --------------------------------------------------------------//

  Tiles moving(bool fixedIsRight, int64_t turns) {
    return fixedIsRight ? tiles(element, {rows, depth}, 1, turns * k.blockCount(), 0)
                        : tiles(element, {depth, columns}, 1, turns, 1);
  }
  mlir::Value multiplied(mlir::Value moved, mlir::Value fixed, bool fixedIsRight,
                         mlir::Value before) {
    return fixedIsRight ? product(type, moved, fixed, before) : product(type, fixed, moved, before);
  }

  /// Each turn has sums of its own: those of the rows, or columns, that it loads.
  void storeTurns(llvm::ArrayRef<mlir::Value> fixed, bool isRight, int64_t turns) {
    k.note("fixed-operand-stored");
    Tiles x = moving(isRight, turns);
    const int64_t blocks = k.blockCount(),
                  ofSums = isRight ? turns * int64_t(fixed.size()) : int64_t(fixed.size());
    ArrayInfo &array = k.addFreeArray(
        s, b.getF32Type(), {rows * blocks * ofSums, isRight ? columns : columns * turns}, true);
    array.exact = true;
    mlir::Value view =
        zeroPaddedTiles(k, s, array, {static_cast<int32_t>(rows), static_cast<int32_t>(columns)});
    mlir::Value token =
        cuda_tile::MakeTokenOp::create(b, k.loc(), cuda_tile::TokenType::get(&k.context()));
    // As blocks do that take every n-th tile.
    const bool strides = isRight && s.chance(60);
    mlir::Value begin = strides ? k.blockNumber().ssa : number(0),
                end = openEnd(strides ? turns * blocks : turns),
                by = !strides       ? number(1)
                     : s.chance(70) ? k.addExtentArgument(blocks)
                                    : number(blocks);
    auto loop = cuda_tile::ForOp::create(b, k.loc(), begin, end, by, {token});
    mlir::OpBuilder::InsertionGuard guard(b);
    k.openBody(loop);
    mlir::Value turn = loop.getInductionVar(), behind = loop.getRegionIterVar(0);
    mlir::Value tile = turn; // of the moving operand
    if (isRight && !strides)
      tile = sumOf(turn, timesOf(k.blockNumber().ssa, turns));
    mlir::Value moved = load(x, tile);
    for (auto [i, one] : llvm::enumerate(fixed)) {
      mlir::Value sum = multiplied(moved, one, isRight, zeros(type));
      if (s.chance(30))
        sum = larger(sum, zeros(type));
      mlir::Value row = isRight ? tile : k.blockNumber().ssa;
      row = sumOf(timesOf(row, int64_t(fixed.size())), number(Int(i)));
      behind = storeView(k, s, sum, view, {row, isRight ? number(0) : turn}, behind);
    }
    cuda_tile::ContinueOp::create(b, k.loc(), mlir::ValueRange{behind});
  }

  /// The loop carries a tile that is no sum, too, and reads the sums before it adds to them.
  void carryTurns(llvm::ArrayRef<mlir::Value> fixed, bool isRight, int64_t turns) {
    k.note("fixed-operand-carried");
    Tiles x = moving(isRight, turns);
    const bool besidePlain = s.chance(50), reads = s.chance(60);
    llvm::SmallVector<mlir::Value> starts;
    if (besidePlain) {
      k.note("carried-beside-plain");
      starts.push_back(k.floatConstant(type, double(s.between(-2, 2))).ssa);
    }
    for (size_t i = 0; i < fixed.size(); ++i)
      starts.push_back(start());
    const TurnLoop counted = openLoop(turns, starts);
    auto loop = counted.op();
    {
      mlir::OpBuilder::InsertionGuard guard(b);
      k.openBody(loop);
      mlir::Value turn = counted.turn(k, s);
      if (isRight)
        turn = sumOf(turn, timesOf(k.blockNumber().ssa, turns));
      mlir::Value moved = load(x, turn);
      llvm::SmallVector<mlir::Value> next;
      if (besidePlain)
        next.push_back(cuda_tile::AddFOp::create(b, k.loc(), type, loop.getRegionIterVar(0),
                                                 k.floatConstant(type, 1).ssa, nearest(),
                                                 mlir::UnitAttr()));
      for (auto [i, one] : llvm::enumerate(fixed)) {
        mlir::Value before = loop.getRegionIterVar(unsigned(i) + besidePlain);
        if (reads)
          before = cuda_tile::NegFOp::create(b, k.loc(), type, before);
        next.push_back(multiplied(moved, one, isRight, before));
      }
      cuda_tile::ContinueOp::create(b, k.loc(), next);
    }
    for (mlir::Value result : loop->getResults())
      define(result);
  }

  //===- pieces of one array ------------------------------------------------------------------------//

  struct Pieces {
    mlir::Value one, other; ///< views
    bool inElements;        ///< of the depth, not in tiles of it
    int64_t first;          ///< where the first turn begins then
  };

  /// The columns of the array are those of the one piece, and then of the other.
  Pieces makePieces(int64_t turns) {
    Pieces pieces;
    pieces.inElements = s.chance(50);
    if (pieces.inElements)
      k.note("two-pieces-by-elements");
    const int64_t unit = 128 / int64_t(widthOf(element));
    pieces.first = pieces.inElements ? s.between(0, unit) : 0;
    const int64_t width = int64_t(llvm::alignTo(pieces.first + depth * turns, unit)),
                  height = rows * k.blockCount();
    ArrayInfo &array = k.addPlacedArray(element, {height, 2 * width}, {2 * width, 1}, {true, true},
                                        {true, true}, Fill::SmallIntegers);
    mlir::Value base = divisible(array.base, 16);
    mlir::Value distance = s.chance(50) ? k.addExtentArgument(width) : number(width);
    if (s.chance(80))
      distance = divisible(distance, uint64_t(unit));
    mlir::Value behind = cuda_tile::OffsetOp::create(b, k.loc(), base.getType(), base, distance);
    pieces.one = pieceView(base, {height, width}, 2 * width, pieces.inElements);
    pieces.other = pieceView(behind, {height, width}, 2 * width, pieces.inElements);
    return pieces;
  }

  mlir::Value pieceView(mlir::Value base, Shape extents, int64_t stride, bool inElements) {
    auto tensorType =
        cuda_tile::TensorViewType::get(&k.context(), element, extents, {stride, 1}, {});
    mlir::Value tensor = cuda_tile::MakeTensorViewOp::create(
        b, k.loc(), tensorType, base, mlir::ValueRange(), mlir::ValueRange());
    auto numbers = [&](int64_t one, int64_t other) {
      return mlir::DenseI32ArrayAttr::get(&k.context(),
                                          {static_cast<int32_t>(one), static_cast<int32_t>(other)});
    };
    auto padding = cuda_tile::PaddingValueAttr::get(&k.context(), cuda_tile::PaddingValue::zero);
    if (!inElements)
      return k
          .emit<cuda_tile::MakePartitionViewOp>(
              cuda_tile::PartitionViewType::get(&k.context(), numbers(rows, depth), tensorType,
                                                {0, 1}, padding),
              tensor)
          .getResult();
    return k
        .emit<cuda_tile::MakeStridedViewOp>(
            cuda_tile::StridedViewType::get(&k.context(), numbers(rows, depth), numbers(rows, 1),
                                            tensorType, {0, 1}, padding),
            tensor)
        .getResult();
  }

  int64_t rows = 0, columns = 0, depth = 0;
  cuda_tile::TileType type; ///< of the sums
  int64_t spent = 0;        ///< products of scalars
};

bool mayMultiplyMuch(KernelBuilder &k, llvm::StringRef rule) {
  return mayMultiply(k, rule) && k.blockCount() <= 2;
}

} // namespace

bool tilesmith::generators::applyProductsOnce(KernelBuilder &k, ChoiceStream &s) {
  if (!mayMultiplyMuch(k, "products-once"))
    return false;
  LargeProducts(k, s).buildOnce();
  return true;
}

bool tilesmith::generators::applySumsGoOn(KernelBuilder &k, ChoiceStream &s) {
  if (!mayMultiplyMuch(k, "sums-go-on"))
    return false;
  LargeProducts(k, s).buildGoOn();
  return true;
}

bool tilesmith::generators::applyFixedOperand(KernelBuilder &k, ChoiceStream &s) {
  if (!mayMultiplyMuch(k, "fixed-operand"))
    return false;
  LargeProducts(k, s).buildFixed();
  return true;
}

bool tilesmith::generators::applyTwoPieces(KernelBuilder &k, ChoiceStream &s) {
  if (!mayMultiplyMuch(k, "two-pieces"))
    return false;
  LargeProducts(k, s).buildPieces();
  return true;
}
