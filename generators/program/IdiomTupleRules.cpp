//===- IdiomTupleRules.cpp - reductions and scans of several values ----------------------------------===//
//
// One to three values of different types, combined each for itself or by a body that couples them: the
// place of an extreme, how often it occurs, a sum that begins anew at flags, maps x -> a x + b one after
// the other, the last number that is none of zero. Lines lie in the registers of a thread, across lanes and across
// warps, and long ones hold many elements of each thread.
//
// Needs: depth 0. Promises: bodies are associative, those of reductions commute, too; all values are exact:
// integers wrap, sums of floats are of small integers, extremes hand on NaN; identities are neutral.
//
//===------------------------------------------------------------------------------------------===//
#include "generators/program/IdiomRules.h"
#include "generators/program/TurnLoop.h"

#include "llvm/ADT/STLExtras.h"

using namespace tilesmith;
using namespace tilesmith::generators;
using cuda_tile::ComparisonOrdering;
using cuda_tile::ComparisonPredicate;
using cuda_tile::IntegerOverflow;
using cuda_tile::Signedness;
using cuda_tile::TileType;

namespace {

using Values = llvm::SmallVector<mlir::Value>;

/// One value of the tuple: its type, what it is filled with, and its identity.
struct Member {
  mlir::Type element;
  Fill fill;
  mlir::Attribute identity;
  bool isPosition = false; ///< counts along the line, in place of memory
  bool isFloatSum = false; ///< exact of small integers alone
};

/// What is combined, and how: from the values that came before and those of the element.
struct Body {
  llvm::SmallVector<Member> members;
  std::function<Values(mlir::ValueRange, mlir::ValueRange)> combine;
  const char *note;
};

class BodyBuilder {
public:
  BodyBuilder(KernelBuilder &k, ChoiceStream &s, int64_t count)
      : k(k), s(s), b(k.builder()), count(count) {}

  Body choose(bool isScan) {
    const uint64_t kind = s.below(isScan ? 6 : 4);
    branches = s.chance(25);
    if (branches)
      k.note("tuple-branches");
    switch (kind) {
    case 1:
      return extremeAndPlace();
    case 2:
      return extremeAndCount();
    case 3:
      return isScan ? segmented() : independent();
    case 4:
      return affine();
    case 5:
      return lastOfSome();
    default:
      return independent();
    }
  }

private:
  mlir::Attribute integer(mlir::Type type, Int value) {
    return mlir::IntegerAttr::get(
        type, llvm::APInt(widthOf(type), static_cast<uint64_t>(value), false, true));
  }
  mlir::Type someInt() {
    static constexpr unsigned kWidths[] = {32, 64, 16, 8};
    return k.intType(kWidths[s.below(4)]);
  }
  mlir::Value compare(ComparisonPredicate predicate, mlir::Value x, mlir::Value y,
                      Signedness signedness = Signedness::Signed) {
    TileType flag = k.scalarType(k.intType(1));
    if (isFloat(llvm::cast<TileType>(x.getType()).getElementType()))
      return cuda_tile::CmpFOp::create(b, k.loc(), flag, predicate, ComparisonOrdering::ORDERED, x,
                                       y);
    return cuda_tile::CmpIOp::create(b, k.loc(), flag, predicate, x, y, signedness);
  }
  using Give = llvm::function_ref<mlir::Value()>;
  /// One of two: by a select or, in some bodies, from the branch of an `if` that computes it.
  mlir::Value either(mlir::Value condition, mlir::Type type, Give x, Give y) {
    if (!branches) {
      mlir::Value first = x(), second = y();
      return cuda_tile::SelectOp::create(b, k.loc(), type, condition, first, second);
    }
    auto yield = [&](Give give) {
      mlir::Value value = give();
      cuda_tile::YieldOp::create(b, k.loc(), mlir::ValueRange{value});
    };
    return k.addIf(condition, [&] { yield(x); }, [&] { yield(y); }, type)->getResult(0);
  }
  mlir::Value select(mlir::Value condition, mlir::Value x, mlir::Value y) {
    return either(condition, x.getType(), [&] { return x; }, [&] { return y; });
  }
  mlir::Value add(mlir::Value x, mlir::Value y) {
    return cuda_tile::AddIOp::create(b, k.loc(), x.getType(), x, y, IntegerOverflow::NONE);
  }
  mlir::Value multiply(mlir::Value x, mlir::Value y) {
    return cuda_tile::MulIOp::create(b, k.loc(), x.getType(), x, y, IntegerOverflow::NONE);
  }
  mlir::Attribute infinity(mlir::Type element, bool negative) {
    return mlir::FloatAttr::get(
        element,
        llvm::APFloat::getInf(llvm::cast<mlir::FloatType>(element).getFloatSemantics(), negative));
  }

  using Combine = std::function<mlir::Value(mlir::Value, mlir::Value)>;

  /// A sum or an extreme of floats.
  Combine floatMember(Member &m) {
    m.element = chooseWideFloat(k, s);
    const int64_t exactSums = m.element.isBF16() ? 64 : m.element.isF16() ? 512 : 1 << 20;
    if (count <= exactSums && s.chance(50)) {
      m.fill = Fill::SmallIntegers;
      m.isFloatSum = true;
      m.identity = mlir::FloatAttr::get(m.element, 0.0);
      return [this](mlir::Value x, mlir::Value y) -> mlir::Value {
        auto mode =
            cuda_tile::RoundingModeAttr::get(&k.context(), cuda_tile::RoundingMode::NEAREST_EVEN);
        return cuda_tile::AddFOp::create(b, k.loc(), x.getType(), x, y, mode, mlir::UnitAttr());
      };
    }
    const bool isMax = s.chance(50);
    m.fill = s.chance(50) ? Fill::Any : Fill::Fractions;
    m.identity = infinity(m.element, isMax);
    return [this, isMax](mlir::Value x, mlir::Value y) -> mlir::Value {
      mlir::UnitAttr propagate = b.getUnitAttr();
      if (isMax)
        return cuda_tile::MaxFOp::create(b, k.loc(), x.getType(), x, y, propagate,
                                         mlir::UnitAttr());
      return cuda_tile::MinFOp::create(b, k.loc(), x.getType(), x, y, propagate, mlir::UnitAttr());
    };
  }

  Combine integerMember(Member &m) {
    m.element = s.chance(10) ? k.intType(1) : someInt();
    m.fill = Fill::Any;
    const unsigned width = widthOf(m.element);
    const auto signedness = s.chance(50) ? Signedness::Signed : Signedness::Unsigned;
    const bool isSigned = signedness == Signedness::Signed;
    mlir::Location loc = k.loc();
    switch (s.below(7)) {
    case 0:
      m.identity = integer(m.element, isSigned ? signedMin(width) : 0);
      return [=, this](mlir::Value x, mlir::Value y) -> mlir::Value {
        return cuda_tile::MaxIOp::create(b, loc, x.getType(), x, y, signedness);
      };
    case 1:
      m.identity = integer(m.element, isSigned ? signedMax(width) : -1);
      return [=, this](mlir::Value x, mlir::Value y) -> mlir::Value {
        return cuda_tile::MinIOp::create(b, loc, x.getType(), x, y, signedness);
      };
    case 2:
      m.identity = integer(m.element, -1);
      return [=, this](mlir::Value x, mlir::Value y) -> mlir::Value {
        return cuda_tile::AndIOp::create(b, loc, x.getType(), x, y);
      };
    case 3:
      m.identity = integer(m.element, 0);
      return [=, this](mlir::Value x, mlir::Value y) -> mlir::Value {
        return cuda_tile::OrIOp::create(b, loc, x.getType(), x, y);
      };
    case 4:
      m.identity = integer(m.element, 1);
      return [this](mlir::Value x, mlir::Value y) { return multiply(x, y); };
    case 5:
      m.identity = integer(m.element, 0);
      return [=, this](mlir::Value x, mlir::Value y) -> mlir::Value {
        return cuda_tile::XOrIOp::create(b, loc, x.getType(), x, y);
      };
    default:
      m.identity = integer(m.element, 0);
      return [this](mlir::Value x, mlir::Value y) { return add(x, y); };
    }
  }

  /// Each value for itself.
  Body independent() {
    Body body;
    body.note = "tuple-independent";
    std::vector<Combine> combines;
    for (uint64_t members = 1 + s.below(3); members > 0; --members) {
      Member &m = body.members.emplace_back();
      combines.push_back(s.chance(40) ? floatMember(m) : integerMember(m));
    }
    body.combine = [combines](mlir::ValueRange before, mlir::ValueRange element) {
      Values results;
      for (auto [combine, x, y] : llvm::zip_equal(combines, before, element))
        results.push_back(combine(x, y));
      return results;
    };
    return body;
  }

  Member someKey() {
    if (s.chance(40)) {
      mlir::Type element = chooseWideFloat(k, s);
      return {element, s.chance(50) ? Fill::Fractions : Fill::SmallIntegers, {}};
    }
    return {someInt(), s.chance(50) ? Fill::SmallIntegers : Fill::Any, {}};
  }

  /// The worst key there is, so that every element beats it.
  mlir::Attribute worst(mlir::Type element, bool isMax) {
    if (isFloat(element))
      return infinity(element, isMax);
    const unsigned width = widthOf(element);
    return integer(element, isMax ? signedMin(width) : signedMax(width));
  }

  /// Where the largest or smallest stands: of equal ones the first.
  Body extremeAndPlace() {
    const bool isMax = s.chance(50);
    Member key = someKey();
    key.identity = worst(key.element, isMax);
    mlir::Type place = k.intType(s.chance(70) ? 32 : s.chance(50) ? 64 : 16);
    Body body{{key, {place, Fill::Any, integer(place, signedMax(widthOf(place))), true}},
              {},
              "tuple-extreme-and-place"};
    const auto better = isMax ? ComparisonPredicate::GREATER_THAN : ComparisonPredicate::LESS_THAN;
    body.combine = [=, this](mlir::ValueRange before, mlir::ValueRange element) -> Values {
      TileType flag = k.scalarType(k.intType(1));
      mlir::Value beats = compare(better, before[0], element[0]),
                  equal = compare(ComparisonPredicate::EQUAL, before[0], element[0]),
                  first = compare(ComparisonPredicate::LESS_THAN, before[1], element[1]);
      mlir::Value tie = cuda_tile::AndIOp::create(b, k.loc(), flag, equal, first);
      mlir::Value keep = cuda_tile::OrIOp::create(b, k.loc(), flag, beats, tie);
      return {select(keep, before[0], element[0]), select(keep, before[1], element[1])};
    };
    return body;
  }

  /// The largest or smallest, and the sum of what belongs to elements that are it.
  Body extremeAndCount() {
    const bool isMax = s.chance(50);
    Member key = someKey();
    key.identity = worst(key.element, isMax);
    mlir::Type counter = someInt();
    Body body{
        {key, {counter, Fill::SmallIntegers, integer(counter, 0)}}, {}, "tuple-extreme-and-count"};
    const auto better = isMax ? ComparisonPredicate::GREATER_THAN : ComparisonPredicate::LESS_THAN;
    body.combine = [=, this](mlir::ValueRange before, mlir::ValueRange element) -> Values {
      mlir::Value left = compare(better, before[0], element[0]),
                  right = compare(better, element[0], before[0]);
      auto sum = [&] { return add(before[1], element[1]); };
      auto others = [&] {
        return either(right, before[1].getType(), [&] { return element[1]; }, sum);
      };
      mlir::Value key = select(left, before[0], element[0]);
      return {key, either(left, before[1].getType(), [&] { return before[1]; }, others)};
    };
    return body;
  }

  /// A sum that begins anew where a flag is set.
  Body segmented() {
    mlir::Type flag = s.chance(40) ? k.intType(1) : someInt(), sum = someInt();
    Fill fill = flag.isInteger(1) ? Fill::Any : Fill::SmallIntegers;
    Body body{
        {{flag, fill, integer(flag, 0)}, {sum, Fill::Any, integer(sum, 0)}}, {}, "tuple-segmented"};
    body.combine = [=, this](mlir::ValueRange before, mlir::ValueRange element) -> Values {
      mlir::Value zero = k.intConstant(k.scalarType(flag), 0).ssa;
      mlir::Value isSet = compare(ComparisonPredicate::NOT_EQUAL, element[0], zero);
      mlir::Value flags =
          cuda_tile::OrIOp::create(b, k.loc(), before[0].getType(), before[0], element[0]);
      auto sum = [&] { return add(before[1], element[1]); };
      return {flags, either(isSet, before[1].getType(), [&] { return element[1]; }, sum)};
    };
    return body;
  }

  /// x -> a x + b, what came before first.
  Body affine() {
    mlir::Type element = someInt();
    Body body{
        {{element, Fill::Any, integer(element, 1)}, {element, Fill::Any, integer(element, 0)}},
        {},
        "tuple-affine"};
    body.combine = [this](mlir::ValueRange before, mlir::ValueRange element) -> Values {
      return {multiply(before[0], element[0]), add(multiply(before[1], element[0]), element[1])};
    };
    return body;
  }

  /// The last element that is not zero, and what belongs to it.
  Body lastOfSome() {
    mlir::Type key = someInt(), other = s.chance(50) ? chooseWideFloat(k, s) : someInt();
    mlir::Attribute zero =
        isFloat(other) ? mlir::Attribute(mlir::FloatAttr::get(other, 0.0)) : integer(other, 0);
    Body body{{{key, Fill::SmallIntegers, integer(key, 0)}, {other, Fill::Fractions, zero}},
              {},
              "tuple-last"};
    if (!isFloat(other))
      body.members[1].fill = Fill::Any;
    body.combine = [=, this](mlir::ValueRange before, mlir::ValueRange element) -> Values {
      mlir::Value some = compare(ComparisonPredicate::NOT_EQUAL, element[0],
                                 k.intConstant(k.scalarType(key), 0).ssa);
      return {select(some, element[0], before[0]), select(some, element[1], before[1])};
    };
    return body;
  }

  KernelBuilder &k;
  ChoiceStream &s;
  mlir::OpBuilder &b;
  int64_t count;         ///< elements of a line
  bool branches = false; ///< what is chosen comes from an `if`
};

llvm::SmallVector<int64_t> chooseTupleShape(ChoiceStream &s, bool isScan) {
  static constexpr int64_t kShapes[][3] = {
      {64, 1, 1},  {128, 1, 1}, {256, 1, 1}, {512, 1, 1}, {1024, 1, 1}, {2, 256, 1}, {4, 64, 1},
      {32, 8, 1},  {8, 32, 1},  {64, 4, 1},  {128, 2, 1}, {16, 16, 1},  {4, 4, 8},   {2, 32, 4},
      {16, 2, 16}, {2, 2, 1},   {1, 32, 1},  {4, 1, 1},   {64, 16, 1},  {2048, 1, 1}};
  llvm::ArrayRef<int64_t> picked = kShapes[s.below(std::size(kShapes))];
  llvm::SmallVector<int64_t> shape(picked.begin(), picked.end());
  while (shape.size() > 1 && shape.back() == 1)
    shape.pop_back();
  return shape;
}

/// Positions along one dimension, as a tile of that shape.
mlir::Value positions(KernelBuilder &k, llvm::ArrayRef<int64_t> shape, unsigned dim,
                      mlir::Type element) {
  mlir::OpBuilder &b = k.builder();
  llvm::SmallVector<int64_t> line(shape.size(), 1);
  line[dim] = shape[dim];
  mlir::Value places = cuda_tile::IotaOp::create(b, k.loc(), k.tileType({shape[dim]}, element));
  if (shape.size() > 1)
    places = cuda_tile::ReshapeOp::create(b, k.loc(), k.tileType(line, element), places);
  if (llvm::ArrayRef<int64_t>(line) != shape)
    places = cuda_tile::BroadcastOp::create(b, k.loc(), k.tileType(shape, element), places);
  return places;
}

/// Some turns of a loop that carries the tiles: those of a turn are the scans of those before, or what the
/// reduced lines leave of them. Threads use their memory for combining again in each turn.
Values aggregateInTurns(KernelBuilder &k, ChoiceStream &s, mlir::ValueRange operands, unsigned dim,
                        bool isScan, llvm::function_ref<Values(mlir::ValueRange)> aggregate) {
  mlir::OpBuilder &b = k.builder();
  k.note("tuple-in-turns");
  auto loop = TurnLoop(k, s, s.between(2, 3), llvm::to_vector_of<mlir::Value>(operands)).op();
  {
    mlir::OpBuilder::InsertionGuard guard(b);
    k.openBody(loop);
    Values held = llvm::to_vector_of<mlir::Value>(loop.getRegionIterValues());
    Values next = aggregate(held);
    for (size_t i = 0; !isScan && i < held.size(); ++i) {
      auto type = llvm::cast<TileType>(held[i].getType());
      llvm::SmallVector<int64_t> line(type.getShape());
      line[dim] = 1;
      next[i] = cuda_tile::ReshapeOp::create(b, k.loc(), k.tileType(line, type.getElementType()),
                                             next[i]);
      if (line[dim] != type.getShape()[dim])
        next[i] = cuda_tile::BroadcastOp::create(b, k.loc(), type, next[i]);
      next[i] = combineExactly(k, held[i], next[i]);
    }
    cuda_tile::ContinueOp::create(b, k.loc(), next);
  }
  return llvm::to_vector_of<mlir::Value>(loop.getResults());
}

} // namespace

bool tilesmith::generators::applyTuple(KernelBuilder &k, ChoiceStream &s) {
  if (k.depth > 0)
    return false;
  const bool isScan = s.chance(45);
  llvm::SmallVector<int64_t> shape = chooseTupleShape(s, isScan);
  // Many elements for each thread, however many threads there are.
  if (!isScan && k.blockCount() <= 4 && s.chance(25)) {
    shape = {int64_t(4096) << s.below(3)};
    k.note("tuple-long");
  }
  auto dim = static_cast<unsigned>(s.below(shape.size()));
  BodyBuilder bodies(k, s, shape[dim]); // bodies refer to it
  Body body = bodies.choose(isScan);
  k.note(body.note);
  Values operands;
  llvm::SmallVector<mlir::Attribute> identities;
  for (const Member &m : body.members) {
    operands.push_back(m.isPosition ? positions(k, shape, dim, m.element)
                                    : freshTile(k, s, k.tileType(shape, m.element), m.fill));
    identities.push_back(m.identity);
  }
  const bool reverse = isScan && s.chance(40);
  auto aggregate = [&](mlir::ValueRange values) {
    return emitAggregate(k, values, dim, isScan, reverse, identities, body.combine);
  };
  const bool isRepeatable =
      llvm::none_of(body.members, [](const Member &m) { return m.isFloatSum || m.isPosition; });
  const bool inTurns = isRepeatable && shape[dim] <= 1024 && s.chance(25);
  Values results =
      inTurns ? aggregateInTurns(k, s, operands, dim, isScan, aggregate) : aggregate(operands);
  // What one of them is like matters to none of the others.
  const size_t only = s.chance(20) ? s.below(results.size()) : results.size();
  for (auto [i, result] : llvm::enumerate(results))
    if (only == results.size() || only == i)
      keepTile(k, s, result);
  return true;
}
