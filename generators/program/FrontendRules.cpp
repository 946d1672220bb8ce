//===- FrontendRules.cpp - habits of real frontends -------------------------------------------===//
//
// What compilers of tile languages write again and again: booleans as bytes, index arithmetic in 64
// bits between 32-bit ends, ceiling and floor division, reshapes that change nothing, loops with a
// flag for the first iteration, early returns.
//
// Needs: scalars. Promises: as integer arithmetic and control flow.
//
//===------------------------------------------------------------------------------------------===//
#include "generators/program/Access.h"
#include "generators/program/Rules.h"

using namespace tilesmith;
using namespace tilesmith::generators;
using cuda_tile::ComparisonPredicate;
using cuda_tile::IntegerOverflow;
using cuda_tile::Signedness;

namespace {

/// A condition, stored as a byte and read back by a comparison with zero.
bool applyBoolByte(KernelBuilder &k, ChoiceStream &s) {
  std::optional<TileValue> a =
      k.find(s, [](const TileValue &v) { return v.element().isInteger(1); });
  if (!a)
    return false;
  mlir::OpBuilder &b = k.builder();
  cuda_tile::TileType bytes = k.tileType(a->shape(), k.intType(8));
  mlir::Value byte =
      cuda_tile::ExtIOp::create(b, k.loc(), bytes, a->ssa, Signedness::Unsigned).getResult();
  if (s.chance(40))
    byte = cuda_tile::AndIOp::create(b, k.loc(), bytes, byte, k.intConstant(bytes, 1).ssa);
  k.define(byte, {Range{0, 1}});
  k.define(cuda_tile::CmpIOp::create(b, k.loc(), a->type(), ComparisonPredicate::NOT_EQUAL, byte,
                                     k.intConstant(bytes, 0).ssa, Signedness::Signed),
           {Range::full(1)});
  return true;
}

/// (block * extent + a small number) in 64 bits, narrowed at the end.
bool applyLongIndex(KernelBuilder &k, ChoiceStream &s) {
  mlir::OpBuilder &b = k.builder();
  cuda_tile::TileType i64 = k.scalarType(k.intType(64)), i32 = k.scalarType(k.intType(32));
  TileValue index = k.blockIndex(static_cast<unsigned>(s.below(k.gridShape().size())));
  Int extent = static_cast<Int>(s.between(1, 4096)), offset = static_cast<Int>(s.below(256));
  mlir::Value wide = widenTo(k, index.ssa, k.intType(64));
  wide = cuda_tile::MulIOp::create(b, k.loc(), i64, wide, k.intConstant(i64, extent).ssa,
                                   IntegerOverflow::NSW);
  wide = cuda_tile::AddIOp::create(b, k.loc(), i64, wide, k.intConstant(i64, offset).ssa,
                                   IntegerOverflow::NSW);
  Range range = {offset, index.facts.range.high * extent + offset};
  k.define(wide, {range});
  k.define(cuda_tile::TruncIOp::create(b, k.loc(), i32, wide,
                                       s.chance(50) ? IntegerOverflow::NSW : IntegerOverflow::NONE),
           {range});
  return true;
}

/// Ceiling or floor of a quotient by a positive constant.
bool applyRoundedDivision(KernelBuilder &k, ChoiceStream &s) {
  std::optional<TileValue> a =
      k.find(s, [](const TileValue &v) { return isInt(v.element()) && widthOf(v.element()) >= 8; });
  if (!a)
    return false;
  mlir::OpBuilder &b = k.builder();
  Int divisor = static_cast<Int>(s.between(1, 64));
  auto mode =
      s.chance(50) ? cuda_tile::RoundingMode::NEGATIVE_INF : cuda_tile::RoundingMode::POSITIVE_INF;
  k.define(
      k.emit<cuda_tile::DivIOp>(
           a->type(), {a->ssa, k.intConstant(a->type(), divisor).ssa},
           {k.attr("signedness", cuda_tile::SignednessAttr::get(&k.context(), Signedness::Signed)),
            k.attr("rounding", cuda_tile::RoundingModeAttr::get(&k.context(), mode))})
          .getResult(),
      {Range{std::min<Int>(a->facts.range.low, 0) - 1, std::max<Int>(a->facts.range.high, 0) + 1}
           .wrapped(widthOf(a->element()))});
  (void)b;
  return true;
}

/// There and back again.
bool applyIdleReshape(KernelBuilder &k, ChoiceStream &s) {
  std::optional<TileValue> a =
      k.find(s, [](const TileValue &v) { return v.shape().size() >= 1 && v.shape().size() <= 3; });
  if (!a)
    return false;
  mlir::OpBuilder &b = k.builder();
  llvm::SmallVector<int64_t> shape(a->shape());
  shape.insert(shape.begin() + s.below(shape.size() + 1), 1);
  mlir::Value there =
      cuda_tile::ReshapeOp::create(b, k.loc(), k.tileType(shape, a->element()), a->ssa);
  if (s.chance(50))
    there = cuda_tile::ReshapeOp::create(b, k.loc(), k.tileType(shape, a->element()), there);
  k.define(cuda_tile::ReshapeOp::create(b, k.loc(), a->type(), there), a->facts);
  return true;
}

/// `loop` that starts with a flag instead of a first value, and counts twice.
bool applyFirstIteration(KernelBuilder &k, ChoiceStream &s) {
  if (k.depth > 1)
    return false;
  mlir::OpBuilder &b = k.builder();
  cuda_tile::TileType i32 = k.scalarType(k.intType(32)), i1 = k.scalarType(k.intType(1));
  cuda_tile::TileType type = k.pickType(s, Kind::Any);
  TileValue first = k.use(s, type), later = k.use(s, type);
  mlir::Value zero = k.intConstant(i32, 0).ssa, one = k.intConstant(i32, 1).ssa;
  mlir::Value limit = k.intConstant(i32, static_cast<Int>(s.between(0, 5))).ssa;
  mlir::OperationState state(k.loc(), cuda_tile::LoopOp::getOperationName());
  state.addOperands({one, zero, zero, first.ssa});
  state.addTypes({i32, type});
  mlir::Block *body = new mlir::Block();
  state.addRegion()->push_back(body);
  body->addArguments({i32, i32, i32, type}, {k.loc(), k.loc(), k.loc(), k.loc()});
  {
    mlir::OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(body);
    mlir::Value isFirst = cuda_tile::CmpIOp::create(b, k.loc(), i1, ComparisonPredicate::NOT_EQUAL,
                                                    body->getArgument(0), zero, Signedness::Signed);
    mlir::Value flags = k.splat({isFirst, {}}, type.getShape()).ssa;
    mlir::Value value =
        cuda_tile::SelectOp::create(b, k.loc(), type, flags, first.ssa, body->getArgument(3));
    mlir::Value done =
        cuda_tile::CmpIOp::create(b, k.loc(), i1, ComparisonPredicate::GREATER_THAN_OR_EQUAL,
                                  body->getArgument(1), limit, Signedness::Signed);
    k.addIf(done, [&] {
      cuda_tile::BreakOp::create(b, k.loc(), mlir::ValueRange{body->getArgument(2), value});
    });
    auto count = [&](mlir::Value x, Int by) {
      return cuda_tile::AddIOp::create(b, k.loc(), i32, x, k.intConstant(i32, by).ssa,
                                       IntegerOverflow::NSW)
          .getResult();
    };
    mlir::Value next = combineExactly(k, value, later.ssa);
    cuda_tile::ContinueOp::create(b, k.loc(),
                                  mlir::ValueRange{zero, count(body->getArgument(1), 1),
                                                   count(body->getArgument(2), 3), next});
  }
  mlir::Operation *op = b.create(state);
  k.define(op->getResult(0), {Range{0, 15}});
  Facts facts;
  if (isInt(type.getElementType()))
    facts.range = Range::full(widthOf(type.getElementType()));
  k.define(op->getResult(1), facts);
  return true;
}

/// `loop` that counts, up to seven times, and leaves the kernel in one iteration of those blocks
/// that `condition` holds for, below one `if` or, where `inner` is given, below two.
void returnFromLoop(KernelBuilder &k, ChoiceStream &s, mlir::Value condition, mlir::Value inner) {
  mlir::OpBuilder &b = k.builder();
  cuda_tile::TileType i32 = k.scalarType(k.intType(32)), i1 = k.scalarType(k.intType(1));
  cuda_tile::TileType type = k.pickMovable(s);
  TileValue first = k.use(s, type), later = k.use(s, type);
  mlir::Value zero = k.intConstant(i32, 0).ssa, one = k.intConstant(i32, 1).ssa;
  mlir::Value last = k.intConstant(i32, static_cast<Int>(s.below(7))).ssa;
  mlir::Value bound = k.intConstant(i32, static_cast<Int>(s.below(7))).ssa;
  mlir::OperationState state(k.loc(), cuda_tile::LoopOp::getOperationName());
  state.addOperands({zero, first.ssa});
  state.addTypes({i32, type});
  mlir::Block *body = new mlir::Block();
  state.addRegion()->push_back(body);
  body->addArguments({i32, type}, {k.loc(), k.loc()});
  {
    mlir::OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(body);
    auto isAt = [&](ComparisonPredicate predicate, mlir::Value number) {
      return cuda_tile::CmpIOp::create(b, k.loc(), i1, predicate, body->getArgument(0), number,
                                       Signedness::Signed);
    };
    auto leave = [&] { cuda_tile::ReturnOp::create(b, k.loc()); };
    mlir::Value here = cuda_tile::AndIOp::create(b, k.loc(), i1,
                                                 isAt(ComparisonPredicate::EQUAL, last), condition);
    k.addIf(here, [&] {
      if (!inner)
        return leave();
      k.addIf(inner, leave);
      cuda_tile::YieldOp::create(b, k.loc(), mlir::ValueRange());
    });
    k.addIf(isAt(ComparisonPredicate::GREATER_THAN_OR_EQUAL, bound),
            [&] { cuda_tile::BreakOp::create(b, k.loc(), body->getArguments()); });
    mlir::Value next =
        cuda_tile::AddIOp::create(b, k.loc(), i32, body->getArgument(0), one, IntegerOverflow::NSW);
    cuda_tile::ContinueOp::create(b, k.loc(), mlir::ValueRange{next, later.ssa});
  }
  mlir::Operation *op = b.create(state);
  k.define(op->getResult(0), {Range{0, 6}});
  Facts facts;
  if (isInt(type.getElementType()))
    facts.range = Range::full(widthOf(type.getElementType()));
  k.define(op->getResult(1), facts);
}

/// Some blocks leave the kernel, maybe after a last store: from one `if`, from two, from both
/// branches of an inner one, instead of giving a result, or from a loop.
bool applyEarlyReturn(KernelBuilder &k, ChoiceStream &s) {
  if (k.depth > 0 || !s.chance(40))
    return false;
  mlir::OpBuilder &b = k.builder();
  cuda_tile::TileType flag = k.scalarType(k.intType(1));
  TileValue condition = k.use(s, flag);
  if (condition.ssa.getDefiningOp<cuda_tile::ConstantOp>() || s.chance(60)) {
    TileValue index = k.blockIndex(static_cast<unsigned>(s.below(k.gridShape().size())));
    mlir::Value bound = k.intConstant(index.type(), static_cast<Int>(s.below(4))).ssa;
    condition.ssa = cuda_tile::CmpIOp::create(b, k.loc(), flag, ComparisonPredicate::GREATER_THAN,
                                              index.ssa, bound, Signedness::Signed);
  }
  auto store = [&] { emitFreeStore(k, s, storable(k, k.use(s, k.pickMovable(s)))); };
  auto leave = [&] { cuda_tile::ReturnOp::create(b, k.loc()); };
  mlir::Value inner = k.use(s, flag).ssa;
  // Compilers of releases before 13.4 refuse it in a loop.
  switch (s.below(k.version() < 4 ? 6 : 8)) {
  case 0: // below two ifs
    k.note("return-below-two-ifs");
    k.addIf(condition.ssa, [&] {
      k.addIf(inner, leave);
      cuda_tile::YieldOp::create(b, k.loc(), mlir::ValueRange());
    });
    break;
  case 1: // from both branches
    k.note("return-from-both-branches");
    k.addIf(condition.ssa, [&] {
      k.addIf(
          inner,
          [&] {
            store();
            leave();
          },
          leave);
      leave();
    });
    break;
  case 2: { // instead of a result
    k.note("return-or-yield");
    cuda_tile::TileType type = k.pickMovable(s);
    TileValue value = k.use(s, type);
    auto give = [&] { cuda_tile::YieldOp::create(b, k.loc(), mlir::ValueRange{value.ssa}); };
    mlir::Operation *op = k.addIf(condition.ssa, leave, give, type);
    k.define(op->getResult(0), value.facts);
    break;
  }
  case 6: // from a loop
  case 7:
    k.note("return-in-loop");
    returnFromLoop(k, s, condition.ssa, s.chance(30) ? inner : mlir::Value());
    break;
  default:
    k.addIf(condition.ssa, [&] {
      if (s.chance(50))
        store();
      leave();
    });
  }
  k.mayHaveReturned = true;
  return true;
}

} // namespace

llvm::ArrayRef<Rule> tilesmith::generators::frontendRules() {
  static constexpr Rule kRules[] = {
      {"bool-byte", 2, applyBoolByte, 1, ""},
      {"long-index", 2, applyLongIndex, 1, "no product overflows"},
      {"rounded-division", 2, applyRoundedDivision, 1, "divisor 1 to 64"},
      {"idle-reshape", 2, applyIdleReshape, 1, ""},
      {"first-iteration", 1, applyFirstIteration, 1, "at most six iterations"},
      {"early-return", 2, applyEarlyReturn, 1, "nothing that other blocks wait for comes later"},
  };
  return kRules;
}
