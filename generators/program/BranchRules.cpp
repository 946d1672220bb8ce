//===- BranchRules.cpp - selects and conditionals that rewrites look for, and what is beside them ----===//
//
// Selects of constants, of what was compared, of other selects; conditionals in a row and in each
// other on one condition, on its negation or on another one; branches that are empty, that give
// values of their own or from outside, or that both leave an iteration.
//
// Needs: conditions. Promises: they are determined; stores at depth 0 alone, of every branch into an
// array of its own.
//
//===------------------------------------------------------------------------------------------===//
#include "generators/program/IdiomRules.h"

using namespace tilesmith;
using namespace tilesmith::generators;
using cuda_tile::ComparisonPredicate;
using cuda_tile::Signedness;
using cuda_tile::TileType;

namespace {

Facts anyOf(mlir::Type element) {
  Facts facts;
  if (isInt(element))
    facts.range = Range::full(widthOf(element));
  return facts;
}

/// The other answer of a flag, or of a tile of flags.
mlir::Value negate(KernelBuilder &k, ChoiceStream &s, mlir::Value flag) {
  auto type = llvm::cast<TileType>(flag.getType());
  mlir::Value lhs = flag, rhs = k.intConstant(type, 1).ssa;
  if (s.chance(30))
    std::swap(lhs, rhs);
  return cuda_tile::XOrIOp::create(k.builder(), k.loc(), type, lhs, rhs);
}

/// A scalar condition that is no constant: of the data, or of the block.
mlir::Value decide(KernelBuilder &k, ChoiceStream &s) {
  TileType flag = k.scalarType(k.intType(1));
  mlir::Value condition = k.use(s, flag).ssa;
  if (!condition.getDefiningOp<cuda_tile::ConstantOp>() && s.chance(50))
    return condition;
  TileValue index = k.blockIndex(static_cast<unsigned>(s.below(k.gridShape().size())));
  mlir::Value bound = k.intConstant(index.type(), static_cast<Int>(s.below(3))).ssa;
  return cuda_tile::CmpIOp::create(k.builder(), k.loc(), flag,
                                   static_cast<ComparisonPredicate>(s.below(6)), index.ssa, bound,
                                   Signedness::Signed);
}

/// A flag for each element of an integer type, no constant if the pool has one of either.
mlir::Value decideEach(KernelBuilder &k, ChoiceStream &s, TileType type) {
  TileType flags = k.tileType(type.getShape(), k.intType(1));
  mlir::Value condition = k.use(s, flags).ssa;
  if (!condition.getDefiningOp<cuda_tile::ConstantOp>())
    return condition;
  auto predicate = static_cast<ComparisonPredicate>(s.below(6));
  mlir::Value x = k.use(s, type).ssa, y = k.constant(s, type).ssa;
  return cuda_tile::CmpIOp::create(k.builder(), k.loc(), flags, predicate, x, y,
                                   Signedness::Signed);
}

/// select on constants: 0 and 1, and numbers beside them.
bool applySelectOfConstants(KernelBuilder &k, ChoiceStream &s) {
  TileType type = k.pickType(s, Kind::Int), flags = k.tileType(type.getShape(), k.intType(1));
  mlir::Value condition = s.chance(15) ? k.constant(s, flags).ssa : decideEach(k, s, type);
  if (s.chance(30))
    type = flags;
  unsigned width = widthOf(type.getElementType());
  if (s.chance(25))
    condition = negate(k, s, condition);
  static constexpr std::pair<int, int> kArms[] = {{1, 0},  {0, 1},  {1, 0}, {0, 1},
                                                  {0, -1}, {-1, 0}, {2, 0}, {1, 1}};
  auto [first, second] = kArms[s.below(std::size(kArms))];
  mlir::Value ifTrue = k.intConstant(type, first).ssa, ifFalse = k.intConstant(type, second).ssa;
  if (width > 1 && s.chance(15)) {
    ifTrue = k.constant(s, type).ssa;
    ifFalse = k.constant(s, type).ssa;
  }
  k.define(cuda_tile::SelectOp::create(k.builder(), k.loc(), type, condition, ifTrue, ifFalse),
           anyOf(type.getElementType()));
  return true;
}

/// select between what was compared, or between that and a select on the same or another condition.
bool applySelectOfSelected(KernelBuilder &k, ChoiceStream &s) {
  mlir::OpBuilder &b = k.builder();
  TileType type = k.pickType(s, Kind::Int), flags = k.tileType(type.getShape(), k.intType(1));
  mlir::Value x = k.use(s, type).ssa, y = k.use(s, type).ssa;
  auto choose = [&](mlir::Value condition, mlir::Value ifTrue, mlir::Value ifFalse) -> mlir::Value {
    return cuda_tile::SelectOp::create(b, k.loc(), type, condition, ifTrue, ifFalse);
  };
  mlir::Value condition;
  if (s.chance(50)) {
    auto predicate = static_cast<ComparisonPredicate>(s.below(s.chance(60) ? 2 : 6));
    Signedness sign = s.chance(50) ? Signedness::Signed : Signedness::Unsigned;
    condition = cuda_tile::CmpIOp::create(b, k.loc(), flags, predicate, x, y, sign);
    if (s.chance(20))
      y = k.use(s, type).ssa; // no longer what was compared
  } else {
    condition = decideEach(k, s, type);
  }
  mlir::Value inner = s.chance(70) ? condition : decideEach(k, s, type);
  mlir::Value first = x, second = y;
  if (s.chance(50)) {
    (s.chance(50) ? first : second) = choose(inner, y, x);
    if (s.chance(25))
      k.define(first, anyOf(type.getElementType()));
  }
  if (s.chance(25))
    condition = negate(k, s, condition);
  k.define(choose(condition, first, second), anyOf(type.getElementType()));
  return true;
}

/// Branches of the conditionals below.
class Branches {
public:
  Branches(KernelBuilder &k, ChoiceStream &s)
      : k(k), s(s), type(k.pickType(s, Kind::Any)), x(k.use(s, type).ssa), y(k.use(s, type).ssa) {
    if (x == y) // both branches would give the same
      y = k.constant(s, type).ssa;
  }

  /// A value for a branch to give: its own, or one from outside.
  mlir::Value give() { return s.chance(60) ? combineExactly(k, x, y) : outside(); }
  mlir::Value outside() { return s.chance(50) ? x : y; }
  /// At depth 0 maybe a store of its own.
  void act(mlir::Value value) {
    if (k.depth == 0)
      emitFreeStore(k, s, storable(k, {value, anyOf(type.getElementType())}));
  }
  void yield(mlir::ValueRange values) { cuda_tile::YieldOp::create(k.builder(), k.loc(), values); }
  void define(mlir::Value value) { k.define(value, anyOf(type.getElementType())); }

  KernelBuilder &k;
  ChoiceStream &s;
  TileType type;
  mlir::Value x, y;
};

/// A tile's elements in memory that this block owns, and the order of accesses to them.
class OrderedMemory {
public:
  OrderedMemory(KernelBuilder &k, ChoiceStream &s, TileType type)
      : k(k), s(s), type(k.tileType({type.getNumElements()}, type.getElementType())),
        base(k.addFlatArray(type.getElementType(), type.getNumElements() * k.blockCount(), true)
                 .base),
        token(cuda_tile::MakeTokenOp::create(k.builder(), k.loc(),
                                             cuda_tile::TokenType::get(&k.context()))) {}

  mlir::Value store(mlir::Value value) {
    return storePointers(k, s, elements(), flatten(k, value), {}, token);
  }
  void read(mlir::Value behind) {
    keepTile(k, s, loadPointers(k, s, type, elements(), {}, {}, behind).tile);
  }

private:
  mlir::Value elements() { return ownElements(k, s, base, type.getNumElements()); }

  KernelBuilder &k;
  ChoiceStream &s;
  TileType type;
  mlir::Value base;

public:
  mlir::Value token;
};

/// Two conditionals in a row.
bool applyNeighbourIfs(KernelBuilder &k, ChoiceStream &s) {
  if (k.depth > 1)
    return false;
  Branches branches(k, s);
  mlir::Value condition = decide(k, s);
  const bool hasResults = k.depth > 0 || s.chance(50);
  // What one of them does; `seen` is what the branch of the first one gave, or the first one's.
  auto add = [&](mlir::Value on, mlir::Value seen) -> mlir::Value {
    if (!hasResults) {
      auto fill = [&] {
        branches.act(s.chance(50) ? branches.give() : branches.outside());
        branches.yield({});
      };
      auto rest = [&] {
        if (s.chance(60))
          branches.act(branches.give());
        branches.yield({});
      };
      if (s.chance(60))
        k.addIf(on, fill, rest);
      else
        k.addIf(on, fill);
      return {};
    }
    auto fill = [&] {
      mlir::Value value = branches.give();
      if (seen && s.chance(60))
        value = combineExactly(k, value, seen);
      if (s.chance(30))
        branches.act(value);
      branches.yield(value);
    };
    return k.addIf(on, fill, fill, branches.type)->getResult(0);
  };
  if (s.chance(20))
    condition = negate(k, s, condition);
  mlir::Value other = condition;
  switch (s.below(5)) { // made here, so that nothing stands between the two
  case 0:
    other = negate(k, s, condition);
    break;
  case 1:
    other = decide(k, s);
    break;
  default:
    break;
  }
  mlir::Value first = add(condition, {});
  if (s.chance(15)) // something in between
    first ? branches.define(combineExactly(k, first, branches.x)) : branches.act(branches.x);
  mlir::Value second = add(other, first);
  if (first) {
    if (s.chance(60))
      branches.define(first);
    branches.define(second);
  }
  return true;
}

/// A conditional whose branch is another one, or hardly more.
class NestedIfs {
public:
  NestedIfs(KernelBuilder &k, ChoiceStream &s)
      : k(k), s(s), branches(k, s), outer(decide(k, s)), inner(decide(k, s)),
        isSpoilt(s.chance(15)) {}

  void build() {
    if (k.depth == 0 && s.chance(50))
      act();
    else
      give();
  }

private:
  void act() {
    auto fill = [&] {
      auto store = [&] {
        branches.act(branches.give());
        branches.yield({});
      };
      s.chance(15) ? k.addIf(inner, store, store) : k.addIf(inner, store);
      if (isSpoilt)
        branches.act(branches.x);
      branches.yield({});
    };
    if (s.chance(20))
      k.addIf(outer, fill, [&] { branches.yield({}); });
    else
      k.addIf(outer, fill);
  }

  /// Of one to three results each is that of the inner one, or comes from outside of both. And maybe the
  /// order of what the inner one stores, which no select can choose.
  void give() {
    results = 1 + s.below(3), own = s.below(results);
    for (size_t i = 0; i < results; ++i) {
      isInner.push_back(i == own || s.chance(35));
      otherwise.push_back(branches.outside());
    }
    if (llvm::is_contained(isInner, false))
      k.note("nested-ifs-outside");
    beside = combineExactly(k, branches.x, branches.y);
    llvm::SmallVector<mlir::Type> types(results, branches.type);
    if (k.depth == 0 && isNumber(branches.type.getElementType()) && s.chance(60)) {
      k.note("nested-ifs-token");
      memory.emplace(k, s, branches.type);
      types.push_back(memory->token.getType());
    }
    mlir::Operation *op =
        k.addIf(outer, [&] { yieldOfThen(types); }, [&] { yieldOtherwise(15); }, types);
    for (mlir::Value result : op->getResults().take_front(results))
      branches.define(result);
    if (memory)
      memory->read(op->getResults().back());
  }

  void yieldOfThen(mlir::TypeRange types) {
    mlir::Operation *op = k.addIf(inner, [&] { yieldOfBoth(); }, [&] { yieldOtherwise(0); }, types);
    llvm::SmallVector<mlir::Value> values;
    for (size_t i = 0; i < results; ++i)
      values.push_back(isInner[i] ? op->getResult(i) : s.chance(60) ? beside : branches.outside());
    if (isSpoilt)
      values[own] = combineExactly(k, values[own], branches.y);
    if (memory)
      values.push_back(op->getResults().back());
    branches.yield(values);
  }

  void yieldOfBoth() {
    llvm::SmallVector<mlir::Value> values;
    for (size_t i = 0; i < results; ++i)
      values.push_back(branches.give());
    if (memory)
      values.push_back(memory->store(values[own]));
    else if (s.chance(60))
      branches.act(branches.x);
    branches.yield(values);
  }

  /// What both conditionals give where they do nothing, mostly.
  void yieldOtherwise(unsigned percentOfOthers) {
    llvm::SmallVector<mlir::Value> values;
    for (mlir::Value value : otherwise)
      values.push_back(s.chance(percentOfOthers) ? branches.outside() : value);
    if (memory)
      values.push_back(memory->token);
    branches.yield(values);
  }

  KernelBuilder &k;
  ChoiceStream &s;
  Branches branches;
  mlir::Value outer, inner;
  const bool isSpoilt; ///< by an operation beside the inner one
  size_t results = 0, own = 0;
  llvm::SmallVector<bool> isInner;
  llvm::SmallVector<mlir::Value> otherwise;
  mlir::Value beside;
  std::optional<OrderedMemory> memory;
};

bool applyNestedIfs(KernelBuilder &k, ChoiceStream &s) {
  if (k.depth > 1)
    return false;
  NestedIfs(k, s).build();
  return true;
}

/// A conditional that gives its condition, the other answer, or the same in either case; and maybe more.
bool applyFlagIf(KernelBuilder &k, ChoiceStream &s) {
  k.note("flag-if");
  Branches branches(k, s);
  TileType flag = k.scalarType(k.intType(1));
  mlir::Value condition = decide(k, s);
  static constexpr std::pair<int, int> kAnswers[] = {{1, 0}, {0, 1}, {1, 0},
                                                     {0, 1}, {1, 1}, {0, 0}};
  auto [yes, no] = kAnswers[s.below(std::size(kAnswers))];
  const bool givesMore = s.chance(40);
  llvm::SmallVector<mlir::Type> types = {flag};
  if (givesMore)
    types.push_back(branches.type);
  auto give = [&](int answer) {
    llvm::SmallVector<mlir::Value> values = {k.intConstant(flag, answer).ssa};
    if (givesMore)
      values.push_back(branches.give());
    branches.yield(values);
  };
  mlir::Operation *op = k.addIf(condition, [&] { give(yes); }, [&] { give(no); }, types);
  k.define(op->getResult(0), anyOf(flag.getElementType()));
  if (givesMore)
    branches.define(op->getResult(1));
  return true;
}

/// A loop whose iterations end in a conditional: in both of its branches, or in one.
bool applyEndsOfIteration(KernelBuilder &k, ChoiceStream &s) {
  if (k.depth > 1)
    return false;
  mlir::OpBuilder &b = k.builder();
  Branches branches(k, s);
  TileType i32 = k.scalarType(k.intType(32));
  auto number = [&](Int value) { return k.intConstant(i32, value).ssa; };
  mlir::Value fixed = decide(k, s);
  auto loop =
      cuda_tile::ForOp::create(b, k.loc(), number(0), number(s.between(1, 4)), number(1),
                               mlir::ValueRange{branches.x}, nullptr, /*unsignedCmp=*/false);
  {
    mlir::OpBuilder::InsertionGuard guard(b);
    k.openBody(loop);
    mlir::Value carried = loop.getRegionIterValues()[0];
    mlir::Value condition = fixed;
    if (s.chance(60)) {
      auto predicate = static_cast<ComparisonPredicate>(s.below(6));
      condition = cuda_tile::CmpIOp::create(b, k.loc(), k.scalarType(k.intType(1)), predicate,
                                            loop.getInductionVar(), number(s.between(0, 3)),
                                            Signedness::Signed);
    }
    auto end = [&](mlir::Value value) {
      cuda_tile::ContinueOp::create(b, k.loc(), mlir::ValueRange{value});
    };
    auto leave = [&] { end(s.chance(60) ? combineExactly(k, branches.y, carried) : carried); };
    auto stay = [&] { branches.yield({}); };
    switch (s.below(4)) {
    case 0:
      k.addIf(condition, stay, leave);
      break;
    case 1:
      k.addIf(condition, leave);
      break;
    default:
      k.addIf(condition, leave, leave);
    }
    end(combineExactly(k, carried, branches.y));
  }
  branches.define(loop.getResult(0));
  return true;
}

} // namespace

llvm::ArrayRef<Rule> tilesmith::generators::branchRules() {
  static constexpr Rule kRules[] = {
      {"select-of-constants", 4, applySelectOfConstants},
      {"select-of-selected", 2, applySelectOfSelected},
      {"neighbour-ifs", 3, applyNeighbourIfs},
      {"nested-ifs", 3, applyNestedIfs},
      {"flag-if", 2, applyFlagIf},
      {"ends-of-iteration", 2, applyEndsOfIteration, 1, "at most four iterations"},
  };
  return kRules;
}
