//===- IdiomLoopRules.cpp - what loops carry, hand on and compare ------------------------------------===//
//
// Three rules. Loops that carry pointers, single ones or tiles of them, which advance, change places, or
// stay: what is loaded in a turn is known from the turn before alone. Loops that are left by a break or
// begin their next turn early, whose results have the types of what they carry or any others. Loops whose index is compared with
// a number before, among, or behind its values, the largest and smallest of its type among them; what is decided
// may be what a turn stores.
//
// Needs: depth 0. Promises: at most six turns; every pointer that is used lies inside of its array; each
// block stores to its own region, each store behind the accesses before it.
//
//===------------------------------------------------------------------------------------------===//
#include "generators/program/IdiomRules.h"

#include "llvm/ADT/STLExtras.h"

#include <tuple>

using namespace tilesmith;
using namespace tilesmith::generators;
using cuda_tile::ComparisonPredicate;
using cuda_tile::IntegerOverflow;
using cuda_tile::Signedness;
using cuda_tile::TileType;

namespace {

using Values = llvm::SmallVector<mlir::Value>;

mlir::Value compare(KernelBuilder &k, ComparisonPredicate predicate, mlir::Value x, mlir::Value y,
                    Signedness signedness = Signedness::Signed) {
  return cuda_tile::CmpIOp::create(k.builder(), k.loc(), k.scalarType(k.intType(1)), predicate, x,
                                   y, signedness);
}

mlir::Value add(KernelBuilder &k, mlir::Value x, mlir::Value y) {
  return cuda_tile::AddIOp::create(k.builder(), k.loc(), x.getType(), x, y, IntegerOverflow::NONE);
}

/// Another value of the type from two of it; with floats exact, since one operation is.
mlir::Value mix(KernelBuilder &k, ChoiceStream &s, mlir::Value x, mlir::Value y) {
  auto type = llvm::cast<TileType>(x.getType());
  if (isInt(type.getElementType()) && s.chance(50))
    return cuda_tile::SubIOp::create(k.builder(), k.loc(), type, x, y, IntegerOverflow::NONE);
  return combineExactly(k, x, y);
}

//===- pointers that are carried --------------------------------------------------------------===//

/// An array that a loop walks, and the pointer that it carries.
struct Walk {
  mlir::Value pointer;  ///< of the first turn, a tile or, if `isScalar`, one
  mlir::Value distance; ///< to that of the next turn, as the pointer is
  bool isScalar;
  mlir::Value base; ///< where offsets are carried in place of pointers
  mlir::Value by;   ///< the distance as a scalar
};

Walk makeWalk(KernelBuilder &k, ChoiceStream &s, ArrayInfo &array, int64_t first, int64_t step,
              int64_t count, bool byOffsets = false) {
  mlir::OpBuilder &b = k.builder();
  Walk w;
  w.isScalar = s.chance(30);
  TileType i32 = k.scalarType(k.intType(32)), line = k.tileType({count}, k.intType(32));
  mlir::Value base = maybeAssumeAligned(k, s, array.base);
  if (first != 0)
    base = pointersAt(k, base, k.intConstant(i32, first).ssa);
  w.by = w.distance = s.chance(30) ? k.addExtentArgument(step) : k.intConstant(i32, step).ssa;
  if (w.isScalar) {
    w.pointer = base;
    return w;
  }
  w.pointer = cuda_tile::IotaOp::create(b, k.loc(), line);
  if (byOffsets)
    w.base = base;
  else
    w.pointer = pointersAt(k, base, w.pointer);
  w.distance = k.splat({w.distance, {}}, {count}).ssa;
  return w;
}

mlir::Value pointersOf(KernelBuilder &k, const Walk &w, mlir::Value pointer, int64_t count) {
  if (w.base)
    return pointersAt(k, w.base, pointer);
  if (!w.isScalar)
    return pointer;
  TileType line = k.tileType({count}, k.intType(32));
  return pointersAt(k, pointer, cuda_tile::IotaOp::create(k.builder(), k.loc(), line));
}

mlir::Value advanced(KernelBuilder &k, const Walk &w, mlir::Value pointer) {
  if (w.base)
    return add(k, pointer, w.distance);
  return cuda_tile::OffsetOp::create(k.builder(), k.loc(), pointer.getType(), pointer, w.distance);
}

} // namespace

bool tilesmith::generators::applyCarriedPointers(KernelBuilder &k, ChoiceStream &s) {
  if (k.depth > 0)
    return false;
  mlir::OpBuilder &b = k.builder();
  const int64_t count = int64_t(16) << s.below(5), trips = s.between(2, 5);
  TileType type =
      k.tileType({count}, s.chance(50) ? k.pickElement(s, Kind::Any) : chooseWideFloat(k, s));
  TileType i32 = k.scalarType(k.intType(32));
  const Int unit = s.chance(50) ? 1 : s.chance(70) ? count : 3, lower = s.chance(70) ? 0 : unit;
  // The first array may be walked in steps that are not the same in all turns: the loop's index, or what is carried.
  enum { Same, Index, Carried } distances = s.chance(70) ? Same : s.chance(50) ? Index : Carried;
  const int64_t growth = s.between(1, 5);
  // One to three arrays that are read, often in steps of a tile; the last one may go backwards.
  llvm::SmallVector<Walk> walks;
  Values carried = {freshTile(k, s, type, Fill::Any)};
  for (uint64_t arrays = 1 + s.below(3); arrays > 0; --arrays) {
    const int64_t step = s.chance(60) ? count : s.between(1, count + 3);
    const bool changes = walks.empty() && distances != Same, backwards = !changes && s.chance(20);
    int64_t way = step * (trips - 1);
    if (changes)
      way = distances == Index ? static_cast<int64_t>(lower) * (trips - 1) +
                                     static_cast<int64_t>(unit) * (trips - 1) * (trips - 2) / 2
                               : way + growth * (trips - 1) * (trips - 2) / 2;
    ArrayInfo &array = k.addFlatArray(type.getElementType(), way + count, false);
    walks.push_back(makeWalk(k, s, array, backwards ? way : 0, backwards ? -step : step, count,
                             /*byOffsets=*/s.chance(25)));
    carried.push_back(walks.back().pointer);
  }
  const size_t reads = walks.size();
  // Two pointers of one kind may change places each turn; then neither of them leaves its first tile.
  const bool exchanges = reads >= 2 && walks[0].isScalar == walks[1].isScalar && !walks[0].base &&
                         !walks[1].base && distances == Same && s.chance(20);
  std::optional<size_t> tokenAt, writeAt;
  if (s.chance(45)) { // what is written walks as well
    const int64_t region = count * trips;
    ArrayInfo &array = k.addFlatArray(type.getElementType(), region * k.blockCount(), true);
    mlir::Value start =
        cuda_tile::MulIOp::create(b, k.loc(), i32, k.blockNumber().ssa,
                                  k.intConstant(i32, region).ssa, IntegerOverflow::NONE);
    ArrayInfo own = array;
    own.base = pointersAt(k, array.base, start);
    walks.push_back(makeWalk(k, s, own, 0, count, count));
    writeAt = carried.size();
    carried.push_back(walks.back().pointer);
    tokenAt = carried.size();
    carried.push_back(
        cuda_tile::MakeTokenOp::create(b, k.loc(), cuda_tile::TokenType::get(&k.context())));
  }
  std::optional<size_t> distanceAt;
  if (distances == Carried) {
    distanceAt = carried.size();
    carried.push_back(walks[0].by);
  }
  mlir::Value upper = s.chance(40) ? k.addExtentArgument(static_cast<int64_t>(lower + unit * trips))
                                   : k.intConstant(i32, lower + unit * trips).ssa;
  auto loop = cuda_tile::ForOp::create(b, k.loc(), k.intConstant(i32, lower).ssa, upper,
                                       k.intConstant(i32, unit).ssa, carried, nullptr, false);
  {
    mlir::OpBuilder::InsertionGuard guard(b);
    k.openBody(loop);
    Values next = llvm::to_vector_of<mlir::Value>(loop.getRegionIterValues());
    mlir::Value sum = next[0];
    for (size_t i = 0; i < reads; ++i)
      sum = mix(
          k, s, sum,
          loadPointers(k, s, type, pointersOf(k, walks[i], next[1 + i], count), {}, {}, {}).tile);
    if (writeAt)
      next[*tokenAt] = storePointers(k, s, pointersOf(k, walks.back(), next[*writeAt], count), sum,
                                     {}, next[*tokenAt]);
    next[0] = sum;
    if (distances != Same) {
      k.note("carried-by-turn");
      mlir::Value by = distanceAt ? next[*distanceAt] : loop.getInductionVar();
      walks[0].distance = walks[0].isScalar ? by : k.splat({by, {}}, {count}).ssa;
      if (distanceAt)
        next[*distanceAt] = add(k, by, k.intConstant(i32, growth).ssa);
    }
    for (size_t i = 0; i < walks.size(); ++i)
      if (!exchanges || i >= 2)
        next[1 + i] = advanced(k, walks[i], next[1 + i]);
    if (exchanges)
      std::swap(next[1], next[2]);
    cuda_tile::ContinueOp::create(b, k.loc(), next);
  }
  keepTile(k, s, loop->getResult(0));
  return true;
}

//===- loops that are left --------------------------------------------------------------------===//

namespace {

/// A `loop` that counts turns and is left, or goes on early, in one or several places.
class LeftLoop {
public:
  LeftLoop(KernelBuilder &k, ChoiceStream &s)
      : k(k), s(s), b(k.builder()), counter(k.scalarType(k.intType(s.chance(70) ? 32 : 8))) {}

  void build() {
    chooseTypes();
    limit = s.between(1, 5);
    bound = s.chance(30) ? maskedScalar() : k.intConstant(counter, limit).ssa;
    Values initial = {k.intConstant(counter, 0).ssa};
    for (TileType type : carriedTypes)
      initial.push_back(freshTile(k, s, type, Fill::Any));
    for (TileType type : carriedTypes)
      outside.push_back(freshTile(k, s, type, Fill::Any));
    mlir::OperationState state(k.loc(), cuda_tile::LoopOp::getOperationName());
    state.addOperands(initial);
    llvm::SmallVector<mlir::Type> types(resultTypes.begin(), resultTypes.end());
    state.addTypes(types);
    mlir::Block *body = new mlir::Block();
    state.addRegion()->push_back(body);
    for (mlir::Value value : initial)
      body->addArgument(value.getType(), k.loc());
    {
      mlir::OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(body);
      fillBody(*body);
    }
    mlir::Operation *loop = b.create(state);
    const size_t only = s.chance(20) ? s.below(types.size()) : types.size();
    for (size_t i = 0; i < types.size(); ++i)
      if (only == types.size() || only == i)
        keepTile(k, s, loop->getResult(static_cast<unsigned>(i)));
  }

private:
  void chooseTypes() {
    const int64_t count = int64_t(1) << s.below(8);
    auto someType = [&] {
      return k.tileType({s.chance(70) ? count : 16}, k.pickElement(s, Kind::Any));
    };
    for (uint64_t values = 1 + s.below(3); values > 0; --values)
      carriedTypes.push_back(!carriedTypes.empty() && s.chance(50) ? carriedTypes.front()
                                                                   : someType());
    resultTypes.push_back(counter);
    llvm::append_range(resultTypes, carriedTypes);
    switch (s.below(5)) {
    case 0: // fewer
      resultTypes.resize(1 + s.below(resultTypes.size()));
      break;
    case 1: // in another order, or one of them twice
      for (TileType &type : resultTypes)
        type = s.chance(50) ? type : carriedTypes[s.below(carriedTypes.size())];
      break;
    default: // those that it carries
      break;
    }
  }

  /// A number that only the launch knows, 0 to 3.
  mlir::Value maskedScalar() {
    limit = 3;
    return cuda_tile::AndIOp::create(b, k.loc(), counter, k.use(s, counter).ssa,
                                     k.intConstant(counter, 3).ssa);
  }

  /// What the loop hands on: for each result something of its type that is there.
  Values results(llvm::ArrayRef<mlir::Value> now, llvm::ArrayRef<mlir::Value> next) {
    Values chosen;
    for (auto [i, type] : llvm::enumerate(resultTypes)) {
      llvm::SmallVector<mlir::Value> candidates;
      // Mostly what it would carry in this place.
      if (i < now.size() && now[i].getType() == type && s.chance(70))
        candidates = {now[i], next[i]};
      else
        for (mlir::Value value : llvm::concat<const mlir::Value>(now, next, outside))
          if (value.getType() == type)
            candidates.push_back(value);
      chosen.push_back(s.pick(llvm::ArrayRef<mlir::Value>(candidates)));
    }
    return chosen;
  }

  /// `if` around what leaves the turn, maybe below another one or beside what goes on.
  void leaveIf(mlir::Value condition, llvm::function_ref<void()> leave) {
    if (s.chance(25)) {
      k.addIf(condition, [&] {
        mlir::Value again = compare(k, ComparisonPredicate::GREATER_THAN_OR_EQUAL,
                                    k.intConstant(counter, 5).ssa, bound);
        k.addIf(again, leave);
        cuda_tile::YieldOp::create(b, k.loc(), mlir::ValueRange());
      });
      return;
    }
    if (s.chance(25)) {
      mlir::Value negated =
          cuda_tile::XOrIOp::create(b, k.loc(), condition.getType(), condition,
                                    k.intConstant(k.scalarType(k.intType(1)), 1).ssa);
      k.addIf(negated, [&] { cuda_tile::YieldOp::create(b, k.loc(), mlir::ValueRange()); }, leave);
      return;
    }
    k.addIf(condition, leave);
  }

  void fillBody(mlir::Block &body) {
    Values now = llvm::to_vector_of<mlir::Value>(body.getArguments()), next = now;
    auto turn = [&] {
      for (size_t i = 1; i < now.size(); ++i)
        if (s.chance(75))
          next[i] = mix(k, s, next[i], s.chance(60) ? outside[i - 1] : now[i]);
      if (now.size() > 2 && now[1].getType() == now[2].getType() && s.chance(30))
        std::swap(next[1], next[2]);
    };
    if (s.chance(60))
      turn();
    // Counted first or last: the turn that is left begins or ends with it.
    if (s.chance(50))
      next[0] = add(k, now[0], k.intConstant(counter, 1).ssa);
    mlir::Value done = s.chance(80)
                           ? compare(k, ComparisonPredicate::GREATER_THAN_OR_EQUAL, now[0], bound)
                           : compare(k, ComparisonPredicate::LESS_THAN_OR_EQUAL, bound, now[0]);
    leaveIf(done, [&] { cuda_tile::BreakOp::create(b, k.loc(), results(now, next)); });
    if (s.chance(60))
      turn();
    if (next[0] == now[0])
      next[0] = add(k, now[0], k.intConstant(counter, 1).ssa);
    if (s.chance(35)) { // another way out
      mlir::Value early = compare(k, ComparisonPredicate::EQUAL, now[0],
                                  k.intConstant(counter, s.between(0, limit)).ssa);
      leaveIf(early, [&] { cuda_tile::BreakOp::create(b, k.loc(), results(now, next)); });
    }
    if (s.chance(35)) { // the next turn at once
      const auto predicate = static_cast<ComparisonPredicate>(s.below(6));
      mlir::Value early =
          compare(k, predicate, now[0], k.intConstant(counter, s.between(0, limit)).ssa);
      leaveIf(early, [&] { cuda_tile::ContinueOp::create(b, k.loc(), next); });
      mlir::Value count = next[0];
      turn();
      next[0] = count;
    }
    cuda_tile::ContinueOp::create(b, k.loc(), next);
  }

  KernelBuilder &k;
  ChoiceStream &s;
  mlir::OpBuilder &b;
  TileType counter;
  mlir::Value bound;
  Int limit = 0;
  llvm::SmallVector<TileType> carriedTypes, resultTypes;
  Values outside; ///< one more of each type that is carried
};

} // namespace

bool tilesmith::generators::applyLeftLoop(KernelBuilder &k, ChoiceStream &s) {
  if (k.depth > 0)
    return false;
  LeftLoop(k, s).build();
  return true;
}

//===- indices that are compared --------------------------------------------------------------===//

namespace {

struct Counted {
  TileType index;
  Int lower, step, trips;
  bool isUnsigned;
};

/// Bounds near zero, or near an end of the type.
Counted chooseCounted(KernelBuilder &k, ChoiceStream &s) {
  static constexpr unsigned kWidths[] = {32, 8, 16, 64, 32};
  const unsigned width = kWidths[s.below(5)];
  Counted c{k.scalarType(k.intType(width)), s.between(-3, 3), 1, s.between(1, 5),
            k.version() >= 2 && s.chance(35)};
  if (s.chance(25)) // near the ends only by ones: behind them nothing is counted
    c.lower = (c.isUnsigned ? unsignedMax(width) : signedMax(width)) - c.trips - s.between(0, 2);
  else if (s.chance(20))
    c.lower = c.isUnsigned ? Int(s.chance(50) ? 0 : signedMax(width) - 2) : signedMin(width);
  else if (s.chance(30))
    c.step = s.between(2, 4);
  if (c.isUnsigned && c.lower < 0)
    c.lower = 0;
  return c;
}

/// The number with which the index is compared.
Int chooseThreshold(ChoiceStream &s, const Counted &c) {
  const unsigned width = widthOf(c.index.getElementType());
  // The ends of what the loop counts in, and of the other reading of the type.
  const bool isUnsigned = s.chance(80) ? c.isUnsigned : !c.isUnsigned;
  const Int least = isUnsigned ? 0 : signedMin(width),
            largest = isUnsigned ? unsignedMax(width) : signedMax(width);
  if (s.chance(35)) {
    const Int ends[] = {largest, largest, least, least, largest - 1, least + 1};
    return ends[s.below(std::size(ends))];
  }
  return c.lower + c.step * s.between(-1, static_cast<int64_t>(c.trips) + 1) +
         (s.chance(30) ? s.between(-1, 1) : 0);
}

/// A line of memory for each turn of each block, into which branches store.
class TurnTrace {
public:
  TurnTrace(KernelBuilder &k, ChoiceStream &s, TileType type, int64_t trips)
      : k(k), s(s), type(type), i32(k.scalarType(k.intType(32))) {
    k.note("index-compared-store");
    ArrayInfo &array =
        k.addFlatArray(type.getElementType(), type.getNumElements() * trips * k.blockCount(), true);
    base = pointersAt(k, array.base, times(k.blockNumber().ssa, type.getNumElements() * trips));
  }

  void store(mlir::Value value, mlir::Value turn) {
    TileType line = k.tileType(type.getShape(), k.intType(32));
    mlir::Value start = pointersAt(k, base, times(turn, type.getNumElements()));
    mlir::Value places = cuda_tile::IotaOp::create(k.builder(), k.loc(), line);
    storePointers(k, s, pointersAt(k, start, places), value, {}, {});
  }

private:
  mlir::Value times(mlir::Value number, int64_t by) {
    return cuda_tile::MulIOp::create(k.builder(), k.loc(), i32, number, k.intConstant(i32, by).ssa,
                                     IntegerOverflow::NONE);
  }

  KernelBuilder &k;
  ChoiceStream &s;
  TileType type, i32;
  mlir::Value base;
};

} // namespace

bool tilesmith::generators::applyIndexCompared(KernelBuilder &k, ChoiceStream &s) {
  if (k.depth > 0)
    return false;
  mlir::OpBuilder &b = k.builder();
  const Counted c = chooseCounted(k, s);
  const int64_t count = int64_t(16) << s.below(3);
  TileType type = k.tileType({count}, k.pickElement(s, Kind::Int));
  mlir::Value x = freshTile(k, s, type, Fill::Any), y = freshTile(k, s, type, Fill::Any);
  llvm::SmallVector<mlir::Value> thresholds;
  for (uint64_t compared = 1 + s.below(3); compared > 0; --compared) {
    const Int number = chooseThreshold(s, c);
    const bool isArgument = widthOf(c.index.getElementType()) == 32 && s.chance(40);
    thresholds.push_back(
        isArgument ? k.addExtentArgument(static_cast<int32_t>(static_cast<uint64_t>(number)))
                   : k.intConstant(c.index, number).ssa);
  }
  auto number = [&](Int value) { return k.intConstant(c.index, value).ssa; };
  std::optional<TurnTrace> trace;
  TileType i32 = k.scalarType(k.intType(32));
  Values initial = {x, y};
  if (s.chance(35)) {
    trace.emplace(k, s, type, static_cast<int64_t>(c.trips));
    initial.push_back(k.intConstant(i32, 0).ssa); // turns so far
  }
  auto loop =
      cuda_tile::ForOp::create(b, k.loc(), number(c.lower), number(c.lower + c.step * c.trips),
                               number(c.step), initial, nullptr, c.isUnsigned);
  {
    mlir::OpBuilder::InsertionGuard guard(b);
    k.openBody(loop);
    Values now = llvm::to_vector_of<mlir::Value>(loop.getRegionIterValues());
    const mlir::Value turns = trace ? now.pop_back_val() : mlir::Value();
    bool stores = trace.has_value(); // what one comparison decides
    for (mlir::Value threshold : thresholds) {
      mlir::Value left = loop.getInductionVar(), right = threshold;
      if (s.chance(35))
        std::swap(left, right);
      const bool isUnsigned = s.chance(85) ? c.isUnsigned : !c.isUnsigned;
      mlir::Value flag =
          compare(k, static_cast<ComparisonPredicate>(s.below(12) ? 2 + s.below(4) : s.below(2)),
                  left, right, isUnsigned ? Signedness::Unsigned : Signedness::Signed);
      // Enough in one branch that a compiler would rather have two loops.
      const bool isLong = s.chance(60);
      auto branch = [&](mlir::Value with) {
        mlir::Value one = mix(k, s, now[0], with),
                    two = s.chance(50) ? now[1] : mix(k, s, now[1], one);
        if (isLong && (with == x || s.chance(30)))
          for (int more = 0; more < 3; ++more)
            std::tie(one, two) = std::pair(mix(k, s, two, one), one);
        if (stores && (with == x || s.chance(50)))
          trace->store(two, turns);
        cuda_tile::YieldOp::create(b, k.loc(), mlir::ValueRange{one, two});
      };
      mlir::Operation *choice =
          k.addIf(flag, [&] { branch(x); }, [&] { branch(y); }, mlir::TypeRange{type, type});
      now = {choice->getResult(0), choice->getResult(1)};
      stores = false;
      if (s.chance(30)) // and once more where it is no branch
        now[0] = cuda_tile::SelectOp::create(b, k.loc(), type, k.splat({flag, {}}, {count}).ssa,
                                             now[0], now[1]);
    }
    // What turns do not share: how far the loop has come.
    mlir::Value turn = loop.getInductionVar();
    const unsigned from = widthOf(c.index.getElementType()), to = widthOf(type.getElementType());
    TileType scalar = k.scalarType(type.getElementType());
    if (from > to)
      turn = cuda_tile::TruncIOp::create(b, k.loc(), scalar, turn, IntegerOverflow::NONE);
    else if (from < to)
      turn = cuda_tile::ExtIOp::create(b, k.loc(), scalar, turn, Signedness::Signed);
    now[0] = add(k, now[0], k.splat({turn, {}}, {count}).ssa);
    if (turns)
      now.push_back(add(k, turns, k.intConstant(i32, 1).ssa));
    cuda_tile::ContinueOp::create(b, k.loc(), now);
  }
  keepTile(k, s, loop->getResult(0));
  keepTile(k, s, loop->getResult(1));
  return true;
}
