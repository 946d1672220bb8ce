//===- TurnProductRules.cpp - several products of one turn, and turns around turns ----------------===//
//
// Rules of the pipeline family, of products of the size that groups of warps and tensor memory take:
//
//   products-in-turn   two or three products in each turn of a loop, of tiles that were loaded together or are shared:
//                      they add to one sum or each to its own, or begin anew in each turn; left operands are loaded,
//                      widened from bytes, scaled, or a difference; threads may read one of the tiles, too. A loop around
//                      may begin them anew, add up their sums, or carry the sums of a product of its own
//   byte-products      products of bytes, of which each operand has a signedness of its own: once, in a loop, adding to
//                      sums that another one left
//   turns-that-write   loops of products inside of a loop that writes what they make: the next turn around reads it as an
//                      operand, by tokens that go round
//
// Needs: depth 0. Promises: those of ProductTiles.h; every block stores to rows of its own, each store behind the loads
// and stores before. Sums are exact.
//
//===------------------------------------------------------------------------------------------===//
#include "generators/program/IdiomRules.h"
#include "generators/program/OperandRules.h"
#include "generators/program/ProductTiles.h"

using namespace tilesmith;
using namespace tilesmith::generators;
using cuda_tile::Signedness;
using cuda_tile::TileType;

namespace {

class TurnProducts : public ProductTiles {
public:
  using ProductTiles::ProductTiles;

  void buildInTurn() {
    chooseForm();
    turns = s.between(2, columns * depth > 2048 ? 3 : 4);
    const uint64_t count = rows * columns * depth > 1 << 18 ? 2 : s.between(2, 3);
    isOneSum = s.chance(35);
    sharesLeft = s.chance(30);
    sharesRight = !sharesLeft && s.chance(25);
    for (uint64_t i = 0; i < count; ++i)
      terms.push_back(makeTerm(i));
    readsTile = s.chance(25);
    for (uint64_t i = 0; i < (isOneSum ? 1 : count); ++i)
      starts.push_back(zeros(sums));
    if (readsTile) {
      k.note("products-in-turn-read");
      starts.push_back(zeros(k.tileType({depth, columns}, b.getF32Type())));
    }
    // With a loop around, which may have a product of its own.
    llvm::SmallVector<mlir::Value> results = s.chance(30) ? loopAround() : innerLoop(starts);
    for (mlir::Value result : results)
      keepSum(result);
  }

  void buildBytes() {
    rows = s.chance(70) ? 128 : 64;
    columns = s.chance(60) ? 32 : 64;
    depth = 64;
    sums = k.tileType({rows, columns}, k.intType(32));
    element = k.intType(8);
    if (s.chance(25) && k.version() >= 3)
      hintWarps(k, s.chance(70) ? 4 : 8);
    mlir::Value sum = k.intConstant(sums, s.chance(50) ? 0 : s.between(-9, 9)).ssa;
    const uint64_t products = s.between(1, 2);
    for (uint64_t i = 0; i < products; ++i) {
      const Signedness left = someSign(), right = someSign();
      k.note(left == right ? "byte-products-alike" : "byte-products-mixed");
      if (s.chance(40)) {
        sum =
            multiplyBytes(loadedBytes(1, true), number(0), loadedBytes(1, false), sum, left, right);
        continue;
      }
      const int64_t trips = s.between(2, 4);
      Tiles x = loadedBytes(trips, true), y = loadedBytes(trips, false);
      const TurnLoop counted = openLoop(trips, {sum});
      auto loop = counted.op();
      mlir::OpBuilder::InsertionGuard guard(b);
      k.openBody(loop);
      mlir::Value next =
          multiplyBytes(x, counted.turn(k, s), y, loop.getRegionIterVar(0), left, right);
      cuda_tile::ContinueOp::create(b, k.loc(), mlir::ValueRange{next});
      sum = loop->getResult(0);
    }
    keepTile(k, s, sum);
  }

  void buildWritten() {
    element = s.chance(60) ? mlir::Type(b.getF16Type()) : b.getBF16Type();
    rows = 64;
    depth = 32;
    const int64_t pieces = s.chance(65) ? 4 : 2, around = s.between(2, 3), blocks = k.blockCount();
    columns = depth * pieces;
    sums = k.tileType({rows, columns}, b.getF32Type());
    // In place, or each turn writes the tile that the next one reads.
    const bool inPlace = s.chance(40);
    k.note(inPlace ? "turns-that-write-in-place" : "turns-that-write-ahead");
    const int64_t extents[] = {rows * blocks * (inPlace ? 1 : around + 1), columns};
    const bool isStatic = s.chance(50);
    ArrayInfo &array = k.addPlacedArray(element, extents, {columns, 1}, {isStatic, isStatic},
                                        {isStatic, true}, Fill::SmallIntegers);
    array.base = divisible(array.base, 16);
    if (mlir::Value &stride = array.strideArgs[0])
      stride = divisible(stride, 8);
    array.output = true;
    const auto wide = static_cast<int32_t>(columns), narrow = static_cast<int32_t>(depth);
    mlir::Value read = zeroPaddedTiles(k, s, array, {64, narrow}),
                written = zeroPaddedTiles(k, s, array, {64, wide});
    Tiles weights = tiles(element, {depth, columns}, 1, pieces, 0);
    auto token = cuda_tile::TokenType::get(&k.context());
    auto outer = cuda_tile::ForOp::create(
        b, k.loc(), number(0), openEnd(around), number(1),
        mlir::ValueRange{cuda_tile::MakeTokenOp::create(b, k.loc(), token)});
    mlir::OpBuilder::InsertionGuard guard(b);
    k.openBody(outer);
    mlir::Value turn = outer.getInductionVar(), before = outer.getRegionIterVar(0),
                row = k.blockNumber().ssa;
    auto rowOf = [&](mlir::Value turn) -> mlir::Value {
      return inPlace ? row : sumOf(timesOf(turn, blocks), row);
    };
    // Loads may be ordered by the token of the turn around alone; where a tile is written in place, stores wait for them.
    const TurnLoop counted = openLoop(pieces, {zeros(sums), before});
    auto loop = counted.op();
    {
      mlir::OpBuilder::InsertionGuard inner(b);
      k.openBody(loop);
      mlir::Value step = counted.turn(k, s), here = loop.getRegionIterVar(1);
      Loaded x = loadWeakly(k.tileType({rows, depth}, element), read, {rowOf(turn), step}, before);
      mlir::Value sum = product(sums, x.tile, load(weights, step), loop.getRegionIterVar(0));
      mlir::Value behind =
          cuda_tile::JoinTokensOp::create(b, k.loc(), token, mlir::ValueRange{here, x.token});
      cuda_tile::ContinueOp::create(b, k.loc(), mlir::ValueRange{sum, behind});
    }
    mlir::Value result = converted(clamped(loop->getResult(0)), element);
    mlir::Value stored =
        storeView(k, s, result, written,
                  {rowOf(inPlace ? turn : sumOf(turn, number(1))), number(0)}, loop->getResult(1));
    cuda_tile::ContinueOp::create(b, k.loc(), mlir::ValueRange{stored});
  }

private:
  /// One product of a turn.
  struct Term {
    enum Form { Plain, Bytes, Scaled, Difference } form = Plain;
    std::optional<Tiles> left, other, right;
    bool startsAnew = false; ///< what it makes is added to what is carried, which is halved
  };

  /// As little as tensor memory takes, or less.
  void chooseForm() {
    element = s.chance(60) ? mlir::Type(b.getF16Type()) : b.getBF16Type();
    rows = s.chance(75) ? 128 : 64;
    columns = s.chance(65) ? 32 : 64;
    depth = s.chance(50) ? 32 : 64;
    sums = k.tileType({rows, columns}, b.getF32Type());
    if (s.chance(25) && k.version() >= 3)
      hintWarps(k, s.chance(70) ? 4 : 8);
  }

  Term makeTerm(uint64_t place) {
    Term term;
    if (!(sharesLeft && place)) {
      term.form = s.chance(40) ? Term::Plain : Term::Form(s.between(1, 3));
      term.left = tiles(term.form == Term::Bytes ? mlir::Type(k.intType(8)) : element,
                        {rows, depth}, k.blockCount(), turns, 1);
      if (term.form == Term::Scaled) {
        const bool ofRow = s.chance(50);
        term.other =
            tiles(s.chance(50) ? element : b.getF32Type(), ofRow ? Shape{rows, 1} : Shape{1, depth},
                  ofRow ? k.blockCount() : 1, turns, 1);
      } else if (term.form == Term::Difference) {
        term.other = tiles(element, {rows, depth}, k.blockCount(), turns, 1);
      }
      static constexpr const char *kNotes[] = {"products-in-turn-plain", "products-in-turn-bytes",
                                               "products-in-turn-scaled",
                                               "products-in-turn-difference"};
      k.note(kNotes[term.form]);
    }
    if (!(sharesRight && place))
      term.right = tiles(element, {depth, columns}, 1, turns, 0);
    term.startsAnew = s.chance(20);
    return term;
  }

  mlir::Value leftOf(const Term &term, mlir::Value turn) {
    mlir::Value x = load(*term.left, turn);
    if (term.form == Term::Plain)
      return x;
    TileType type = k.tileType({rows, depth}, s.chance(60) ? mlir::Type(b.getF32Type()) : element);
    x = converted(x, type.getElementType());
    if (term.other) {
      mlir::Value y = converted(load(*term.other, turn), type.getElementType());
      if (y.getType() != type)
        y = cuda_tile::BroadcastOp::create(b, k.loc(), type, y);
      x = term.form == Term::Scaled
              ? cuda_tile::MulFOp::create(b, k.loc(), type, x, y, nearest(), mlir::UnitAttr())
                    .getResult()
              : cuda_tile::SubFOp::create(b, k.loc(), type, x, y, nearest(), mlir::UnitAttr())
                    .getResult();
    }
    return converted(x, element);
  }

  /// Loads of all terms first, as frontends write them, or each where it is needed.
  llvm::SmallVector<mlir::Value> turnOf(mlir::Value turn, mlir::ValueRange carried) {
    llvm::SmallVector<mlir::Value> lefts(terms.size()), rights(terms.size()),
        next(carried.begin(), carried.end());
    auto fetch = [&](size_t i) {
      lefts[i] = terms[i].left ? leftOf(terms[i], turn) : lefts.front();
      rights[i] = terms[i].right ? load(*terms[i].right, turn) : rights.front();
    };
    const bool together = s.chance(60);
    for (size_t i = 0; together && i < terms.size(); ++i)
      fetch(i);
    for (size_t i = 0; i < terms.size(); ++i) {
      if (!together)
        fetch(i);
      mlir::Value &sum = next[isOneSum ? 0 : i];
      if (!terms[i].startsAnew) {
        sum = product(sums, lefts[i], rights[i], sum);
        continue;
      }
      k.note("products-in-turn-anew");
      mlir::Value own = product(sums, lefts[i], rights[i], zeros(sums));
      mlir::Value half = cuda_tile::MulFOp::create(
          b, k.loc(), sums, sum, k.floatConstant(sums, 0.5).ssa, nearest(), mlir::UnitAttr());
      sum = cuda_tile::AddFOp::create(b, k.loc(), sums, half, own, nearest(), mlir::UnitAttr());
    }
    if (readsTile)
      next.back() = larger(next.back(), converted(rights.front(), b.getF32Type()));
    return next;
  }

  llvm::SmallVector<mlir::Value> innerLoop(llvm::ArrayRef<mlir::Value> begin) {
    const TurnLoop counted = openLoop(turns, begin);
    auto loop = counted.op();
    mlir::OpBuilder::InsertionGuard guard(b);
    k.openBody(loop);
    cuda_tile::ContinueOp::create(b, k.loc(),
                                  turnOf(counted.turn(k, s), loop.getRegionIterValues()));
    return llvm::to_vector_of<mlir::Value>(loop.getResults());
  }

  /// What the loop inside makes is added up, goes on, or comes beside the sums of a product of the loop around.
  llvm::SmallVector<mlir::Value> loopAround() {
    k.note("products-in-turn-around");
    const bool goesOn = s.chance(35), hasOwn = s.chance(60), ownFirst = s.chance(50);
    llvm::SmallVector<mlir::Value> carried(starts);
    std::optional<Tiles> x, y;
    const int64_t around = 2;
    if (hasOwn) {
      k.note("products-in-turn-own");
      x = tiles(element, {rows, depth}, k.blockCount(), around, 1);
      y = tiles(element, {depth, columns}, 1, around, 0);
      carried.push_back(zeros(sums));
    }
    const TurnLoop countedOuter = openLoop(around, carried);
    auto outer = countedOuter.op();
    mlir::OpBuilder::InsertionGuard guard(b);
    k.openBody(outer);
    mlir::Value turn = countedOuter.turn(k, s);
    llvm::SmallVector<mlir::Value> here =
                                       llvm::to_vector_of<mlir::Value>(outer.getRegionIterValues()),
                                   next(here);
    auto own = [&] { next.back() = product(sums, load(*x, turn), load(*y, turn), here.back()); };
    if (hasOwn && ownFirst)
      own();
    llvm::SmallVector<mlir::Value> inside =
        innerLoop(goesOn ? llvm::ArrayRef(here).take_front(starts.size())
                         : llvm::ArrayRef<mlir::Value>(starts));
    for (auto [i, result] : llvm::enumerate(inside))
      next[i] = goesOn ? result
                       : cuda_tile::AddFOp::create(b, k.loc(), result.getType(), here[i], result,
                                                   nearest(), mlir::UnitAttr());
    if (hasOwn && !ownFirst)
      own();
    cuda_tile::ContinueOp::create(b, k.loc(), next);
    return llvm::to_vector_of<mlir::Value>(outer.getResults());
  }

  void keepSum(mlir::Value sum) {
    if (s.chance(20))
      return storePieces(sum);
    Facts facts;
    facts.exact = true;
    emitFreeStore(k, s, {sum, facts});
  }

  //===- bytes ----------------------------------------------------------------------------------===//

  Signedness someSign() { return s.chance(50) ? Signedness::Signed : Signedness::Unsigned; }
  Tiles loadedBytes(int64_t trips, bool isLeft) {
    return isLeft ? tiles(element, {rows, depth}, k.blockCount(), trips, 1)
                  : tiles(element, {depth, columns}, 1, trips, 0);
  }
  mlir::Value multiplyBytes(const Tiles &x, mlir::Value step, const Tiles &y, mlir::Value sum,
                            Signedness left, Signedness right) {
    mlir::Value one = load(x, step), other = load(y, step);
    return cuda_tile::MmaIOp::create(b, k.loc(), sums, one, other, sum, left, right);
  }

  //===- turns that write -----------------------------------------------------------------------===//

  Loaded loadWeakly(TileType tile, mlir::Value view, mlir::ValueRange at, mlir::Value behind) {
    k.note("load_view_tko");
    llvm::SmallVector<mlir::Type> results = {tile, cuda_tile::TokenType::get(&k.context())};
    llvm::SmallVector<mlir::Value> operands{view};
    llvm::append_range(operands, at);
    operands.push_back(behind);
    auto op = k.emit<cuda_tile::LoadViewTkoOp>(
        results, operands,
        {k.attr("memory_ordering_semantics",
                cuda_tile::MemoryOrderingSemanticsAttr::get(
                    &k.context(), cuda_tile::MemoryOrderingSemantics::WEAK))},
        {1, 2, 1});
    return {op.getTile(), op.getResultToken()};
  }

  int64_t rows = 0, columns = 0, depth = 0, turns = 0;
  TileType sums;
  llvm::SmallVector<Term> terms;
  llvm::SmallVector<mlir::Value> starts; ///< what is carried begins as
  bool isOneSum = false, sharesLeft = false, sharesRight = false, readsTile = false;
};

bool mayMultiplyMuch(KernelBuilder &k, llvm::StringRef rule) {
  return mayMultiply(k, rule) && k.blockCount() <= 2;
}

} // namespace

bool tilesmith::generators::applyProductsInTurn(KernelBuilder &k, ChoiceStream &s) {
  if (!mayMultiplyMuch(k, "products-in-turn") || llvm::count(k.trail, "products-in-turn") > 1)
    return false;
  TurnProducts(k, s).buildInTurn();
  return true;
}

bool tilesmith::generators::applyByteProducts(KernelBuilder &k, ChoiceStream &s) {
  if (!mayMultiplyMuch(k, "byte-products") || llvm::count(k.trail, "byte-products") > 1)
    return false;
  TurnProducts(k, s).buildBytes();
  return true;
}

bool tilesmith::generators::applyTurnsThatWrite(KernelBuilder &k, ChoiceStream &s) {
  if (!mayMultiplyMuch(k, "turns-that-write") || llvm::count(k.trail, "turns-that-write") > 1)
    return false;
  TurnProducts(k, s).buildWritten();
  return true;
}
