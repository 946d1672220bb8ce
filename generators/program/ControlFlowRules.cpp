//===- ControlFlowRules.cpp - loops and conditionals ------------------------------------------===//
//
// Promises: at most eight iterations per loop (a constant, or a number of the kernel's data masked
// to three bits), at most four levels of nesting, and conditions that are fully determined. A value
// that a loop carries may have any value of its type, whatever its initial value was.
//
//===------------------------------------------------------------------------------------------===//
#include "generators/program/Access.h"
#include "generators/program/Rules.h"

using namespace tilesmith;
using namespace tilesmith::generators;

namespace {

constexpr unsigned kMaxDepth = 4;

Facts anyOf(mlir::Type element) {
  Facts facts;
  if (!isFloat(element))
    facts.range = Range::full(widthOf(element));
  return facts;
}

/// A few statements at the insertion point.
void fillRegion(KernelBuilder &k, ChoiceStream &s) {
  ++k.depth;
  for (uint64_t count = 1 + s.below(3); count > 0; --count)
    addStatement(k, s);
  --k.depth;
}

/// Few kernels nest deeply: the deeper, the rarer.
bool mayNest(KernelBuilder &k, ChoiceStream &s) {
  return k.depth < 2 || (k.depth < kMaxDepth && s.chance(30));
}

/// Values of these types, for a terminator.
llvm::SmallVector<mlir::Value> useAll(KernelBuilder &k, ChoiceStream &s, mlir::TypeRange types) {
  llvm::SmallVector<mlir::Value> values;
  for (mlir::Type type : types)
    values.push_back(k.use(s, llvm::cast<cuda_tile::TileType>(type)).ssa);
  return values;
}

/// `if` without results, or two of them, that leaves this iteration early with these values.
template <typename Terminator>
void maybeLeave(KernelBuilder &k, ChoiceStream &s, llvm::ArrayRef<mlir::Value> values) {
  mlir::OpBuilder &b = k.builder();
  cuda_tile::TileType flag = k.scalarType(k.intType(1));
  mlir::Value condition = k.use(s, flag).ssa, inner;
  if (s.chance(30))
    inner = k.use(s, flag).ssa;
  k.addIf(condition, [&] {
    if (!inner) {
      Terminator::create(b, k.loc(), values);
      return;
    }
    k.addIf(inner, [&] { Terminator::create(b, k.loc(), values); });
    cuda_tile::YieldOp::create(b, k.loc(), mlir::ValueRange());
  });
}

/// `if` with a result in one branch; the other one leaves with these values.
template <typename Terminator>
void leaveOrYield(KernelBuilder &k, ChoiceStream &s, llvm::ArrayRef<mlir::Value> values) {
  mlir::OpBuilder &b = k.builder();
  mlir::Value condition = k.use(s, k.scalarType(k.intType(1))).ssa;
  cuda_tile::TileType type = k.pickMovable(s);
  TileValue result = k.use(s, type);
  bool leaveFirst = s.chance(50);
  mlir::OperationState state(k.loc(), cuda_tile::IfOp::getOperationName());
  state.addOperands(condition);
  state.addTypes(type);
  for (int branch = 0; branch < 2; ++branch) {
    mlir::Block *block = new mlir::Block();
    state.addRegion()->push_back(block);
    mlir::OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(block);
    if ((branch == 0) == leaveFirst)
      Terminator::create(b, k.loc(), values);
    else
      cuda_tile::YieldOp::create(b, k.loc(), mlir::ValueRange{result.ssa});
  }
  k.define(b.create(state)->getResult(0), result.facts);
}

bool addIfElse(KernelBuilder &k, ChoiceStream &s, mlir::Value condition);

bool applyFor(KernelBuilder &k, ChoiceStream &s) {
  if (!mayNest(k, s))
    return false;
  mlir::OpBuilder &b = k.builder();
  static constexpr unsigned kWidthWeights[] = {5, 3, 1, 1};
  static constexpr unsigned kWidths[] = {32, 64, 16, 8};
  mlir::Type indexElement = k.intType(kWidths[s.weighted(kWidthWeights)]);
  cuda_tile::TileType index = k.scalarType(indexElement);
  llvm::SmallVector<cuda_tile::TileType> types;
  llvm::SmallVector<mlir::Value> initial;
  for (uint64_t count = 1 + s.below(2); count > 0; --count) {
    types.push_back(!types.empty() && s.chance(70) ? types.front() : k.pickMovable(s));
    initial.push_back(k.use(s, types.back()).ssa);
  }
  Int lower = s.between(-2, 3), step = s.between(1, 3);
  mlir::Value upper;
  Int upperBound = lower + static_cast<Int>(s.below(9));
  if (s.chance(35)) {
    // Data-dependent: the low three bits of some scalar, on top of the lower bound.
    TileValue number = k.use(s, index);
    mlir::Value bits =
        cuda_tile::AndIOp::create(b, k.loc(), index, number.ssa, k.intConstant(index, 7).ssa);
    upper = cuda_tile::AddIOp::create(b, k.loc(), index, bits, k.intConstant(index, lower).ssa,
                                      cuda_tile::IntegerOverflow::NONE);
    upperBound = lower + 7;
    k.note("dynamic-trip-count");
  } else {
    upper = k.intConstant(index, upperBound).ssa;
  }
  bool unsignedCompare = k.version() >= 2 && lower >= 0 && s.chance(20);
  // A number with which the index is compared: iterations before it differ from those behind.
  mlir::Value split;
  if (k.depth == 0 && s.chance(35)) {
    k.note("guarded-iterations");
    split = s.chance(20) ? k.use(s, index).ssa
                         : k.intConstant(index, lower + s.between(lower ? -1 : 0, 8)).ssa;
    if (s.chance(80))
      step = 1;
  }
  auto loop =
      cuda_tile::ForOp::create(b, k.loc(), k.intConstant(index, lower).ssa, upper,
                               k.intConstant(index, step).ssa, initial, nullptr, unsignedCompare);
  {
    mlir::OpBuilder::InsertionGuard guard(b);
    k.openBody(loop);
    size_t scope = k.openScope();
    k.define(loop.getInductionVar(), {Range{lower, std::max(lower, upperBound - 1)}});
    for (auto [argument, type] : llvm::zip(loop.getRegionIterValues(), types))
      k.define(argument, anyOf(type.getElementType()));
    fillRegion(k, s);
    if (s.chance(15)) {
      k.note("continue-in-for");
      llvm::SmallVector<mlir::Value> values = useAll(k, s, loop->getResultTypes());
      if (s.chance(40))
        leaveOrYield<cuda_tile::ContinueOp>(k, s, values);
      else
        maybeLeave<cuda_tile::ContinueOp>(k, s, values);
    }
    if (s.chance(30))
      fillRegion(k, s);
    if (split) {
      mlir::Value left = loop.getInductionVar(), right = split;
      if (s.chance(25))
        std::swap(left, right);
      ++k.depth;
      addIfElse(k, s,
                cuda_tile::CmpIOp::create(b, k.loc(), k.scalarType(k.intType(1)),
                                          static_cast<cuda_tile::ComparisonPredicate>(s.below(6)),
                                          left, right,
                                          unsignedCompare ? cuda_tile::Signedness::Unsigned
                                                          : cuda_tile::Signedness::Signed));
      --k.depth;
    }
    llvm::SmallVector<mlir::Value> next;
    if (types.size() == 2 && types[0] == types[1] && s.chance(50)) {
      k.note("exchanged-values");
      next = {loop.getRegionIterValues()[1], loop.getRegionIterValues()[0]};
    } else {
      next = useAll(k, s, loop->getResultTypes());
    }
    cuda_tile::ContinueOp::create(b, k.loc(), next);
    k.closeScope(scope);
  }
  for (auto [result, type] : llvm::zip(loop.getResults(), types))
    k.define(result, anyOf(type.getElementType()));
  return true;
}

/// `loop` with a counter: leaves with the carried value once the counter has reached a bound.
bool applyLoop(KernelBuilder &k, ChoiceStream &s) {
  if (!mayNest(k, s))
    return false;
  mlir::OpBuilder &b = k.builder();
  cuda_tile::TileType i32 = k.scalarType(k.intType(32)), i1 = k.scalarType(k.intType(1));
  cuda_tile::TileType type = k.pickMovable(s);
  mlir::Value initial = k.use(s, type).ssa, zero = k.intConstant(i32, 0).ssa;
  Int limit = static_cast<Int>(s.below(7));
  mlir::Value bound = k.intConstant(i32, limit).ssa;
  if (s.chance(40)) {
    mlir::Value mask = k.intConstant(i32, 7).ssa;
    bound = cuda_tile::AndIOp::create(b, k.loc(), i32, k.use(s, i32).ssa, mask);
    limit = 7;
    k.note("dynamic-trip-count");
  }
  mlir::OperationState state(k.loc(), cuda_tile::LoopOp::getOperationName());
  state.addOperands({zero, initial});
  state.addTypes(type);
  mlir::Block *body = new mlir::Block();
  state.addRegion()->push_back(body);
  body->addArguments({i32, type}, {k.loc(), k.loc()});
  {
    mlir::OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(body);
    size_t scope = k.openScope();
    TileValue counter = k.define(body->getArgument(0), {Range{0, limit}});
    k.define(body->getArgument(1), anyOf(type.getElementType()));
    auto statements = [&] {
      ++k.depth;
      addStatement(k, s);
      --k.depth;
    };
    if (s.chance(50))
      statements(); // runs once more than what stands behind the exit
    mlir::Value done = cuda_tile::CmpIOp::create(
        b, k.loc(), i1, cuda_tile::ComparisonPredicate::GREATER_THAN_OR_EQUAL, counter.ssa, bound,
        cuda_tile::Signedness::Signed);
    mlir::Value left = k.use(s, type).ssa;
    k.addIf(done, [&] { cuda_tile::BreakOp::create(b, k.loc(), mlir::ValueRange{left}); });
    statements();
    if (s.chance(20)) { // another way out
      k.note("two-breaks");
      llvm::SmallVector<mlir::Value> values = useAll(k, s, type);
      if (s.chance(30))
        leaveOrYield<cuda_tile::BreakOp>(k, s, values);
      else
        maybeLeave<cuda_tile::BreakOp>(k, s, values);
    }
    mlir::Value next = cuda_tile::AddIOp::create(
        b, k.loc(), i32, counter.ssa, k.intConstant(i32, 1).ssa, cuda_tile::IntegerOverflow::NONE);
    if (s.chance(20)) { // to the next iteration at once
      k.note("continue-in-loop");
      mlir::Value value = k.use(s, type).ssa;
      maybeLeave<cuda_tile::ContinueOp>(k, s, {next, value});
      statements();
    }
    cuda_tile::ContinueOp::create(b, k.loc(), mlir::ValueRange{next, k.use(s, type).ssa});
    k.closeScope(scope);
  }
  mlir::Operation *op = b.create(state);
  k.define(op->getResult(0), anyOf(type.getElementType()));
  return true;
}

/// A conditional store, maybe without an else region.
bool applyBareIf(KernelBuilder &k, ChoiceStream &s, mlir::Value condition) {
  mlir::OpBuilder &b = k.builder();
  bool hasElse = s.chance(40);
  k.note(hasElse ? "if-effects" : "if-without-else");
  mlir::OperationState state(k.loc(), cuda_tile::IfOp::getOperationName());
  state.addOperands(condition);
  for (int branch = 0; branch < 2; ++branch) {
    mlir::Region *region = state.addRegion();
    if (branch == 1 && !hasElse)
      break;
    mlir::Block *block = new mlir::Block();
    region->push_back(block);
    mlir::OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToEnd(block);
    size_t scope = k.openScope();
    fillRegion(k, s);
    // Each conditional runs once only at depth 0; inside a loop it would store twice.
    if (k.depth == 0)
      emitFreeStore(k, s, storable(k, k.use(s, k.pickMovable(s))));
    cuda_tile::YieldOp::create(b, k.loc(), mlir::ValueRange());
    k.closeScope(scope);
  }
  b.create(state);
  return true;
}

bool applyIf(KernelBuilder &k, ChoiceStream &s) {
  if (!mayNest(k, s))
    return false;
  mlir::OpBuilder &b = k.builder();
  TileValue condition = k.use(s, k.scalarType(k.intType(1)));
  if (condition.ssa.getDefiningOp<cuda_tile::ConstantOp>()) {
    // Nothing in the pool decides: let the blocks differ.
    TileValue index = k.blockIndex(static_cast<unsigned>(s.below(k.gridShape().size())));
    mlir::Value bound = k.intConstant(index.type(), static_cast<Int>(s.below(4))).ssa;
    condition.ssa =
        cuda_tile::CmpIOp::create(b, k.loc(), k.scalarType(k.intType(1)),
                                  static_cast<cuda_tile::ComparisonPredicate>(s.below(6)),
                                  index.ssa, bound, cuda_tile::Signedness::Signed);
  }
  return addIfElse(k, s, condition.ssa);
}

/// `if` on this condition, with results or for its effects.
bool addIfElse(KernelBuilder &k, ChoiceStream &s, mlir::Value condition) {
  mlir::OpBuilder &b = k.builder();
  llvm::SmallVector<mlir::Type> types;
  for (uint64_t count = s.chance(85) ? 1 + s.below(2) : 0; count > 0; --count)
    types.push_back(k.pickMovable(s));
  if (types.empty()) // runs for its effects
    return applyBareIf(k, s, condition);
  mlir::OperationState state(k.loc(), cuda_tile::IfOp::getOperationName());
  state.addOperands(condition);
  state.addTypes(types);
  llvm::SmallVector<Facts> facts(types.size());
  for (int branch = 0; branch < 2; ++branch) {
    mlir::Block *block = new mlir::Block();
    state.addRegion()->push_back(block);
    mlir::OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToEnd(block);
    size_t scope = k.openScope();
    fillRegion(k, s);
    llvm::SmallVector<mlir::Value> yielded;
    for (auto [i, type] : llvm::enumerate(types)) {
      TileValue value = k.use(s, llvm::cast<cuda_tile::TileType>(type));
      yielded.push_back(value.ssa);
      facts[i].range = branch == 0 ? value.facts.range : facts[i].range.unite(value.facts.range);
    }
    cuda_tile::YieldOp::create(b, k.loc(), yielded);
    k.closeScope(scope);
  }
  mlir::Operation *op = b.create(state);
  for (auto [result, fact] : llvm::zip(op->getResults(), facts))
    k.define(result, fact);
  return true;
}

} // namespace

llvm::ArrayRef<Rule> tilesmith::generators::controlFlowRules() {
  static constexpr Rule kRules[] = {
      {"for", 3, applyFor},
      {"if", 3, applyIf},
      {"loop", 3, applyLoop},
  };
  return kRules;
}
