//===- FoldRules.cpp - what folds, canonicalizers and rewrites look for, and what is beside it ------===//
//
// For each rewrite of a compiler the shape that makes it fire: a neutral or absorbing operand, an
// operand twice, a cast and its inverse, chains of casts and of shapes, constant masks and
// conditions. The constant is often one beside the right one, the order the wrong one, and what the
// rewrite would drop has a second user, so that one that fires too often shows.
//
// Needs: values of one type. Promises: no zero divisor, no long shift, no flags; floats as IEEE says.
//
//===------------------------------------------------------------------------------------------===//
#include "generators/program/Access.h"
#include "generators/program/Rules.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>

using namespace tilesmith;
using namespace tilesmith::generators;
using cuda_tile::IntegerOverflow;
using cuda_tile::RoundingMode;
using cuda_tile::Signedness;
using cuda_tile::TileType;

namespace {

Facts anyOf(mlir::Type element) {
  Facts facts;
  if (isInt(element))
    facts.range = Range::full(widthOf(element));
  return facts;
}

/// A step in between that is also a result of its own.
void maybeKeep(KernelBuilder &k, ChoiceStream &s, mlir::Value value) {
  if (s.chance(35))
    k.define(value, anyOf(llvm::cast<TileType>(value.getType()).getElementType()));
}

Signedness chooseSignedness(ChoiceStream &s) {
  return s.chance(50) ? Signedness::Signed : Signedness::Unsigned;
}

RoundingMode chooseDivision(ChoiceStream &s, Signedness signedness) {
  if (s.chance(50))
    return RoundingMode::ZERO;
  return signedness == Signedness::Signed && s.chance(50) ? RoundingMode::NEGATIVE_INF
                                                          : RoundingMode::POSITIVE_INF;
}

/// What leaves the left operand alone in that case of applyNeutralInteger.
Int neutralOf(uint64_t op, unsigned width) {
  switch (op) {
  case 2: // muli
  case 8: // divi, remi
    return 1;
  case 3: // andi
    return -1;
  case 6: // maxi, mini of signed numbers
    return signedMin(width);
  case 7:
    return signedMax(width);
  default:
    return 0;
  }
}

/// x op c for a c that leaves x alone, decides the result, or is one beside that.
bool applyNeutralInteger(KernelBuilder &k, ChoiceStream &s) {
  TileType type = k.pickType(s, Kind::Int);
  unsigned width = widthOf(type.getElementType());
  TileValue x = k.use(s, type);
  mlir::OpBuilder &b = k.builder();
  mlir::Location loc = k.loc();
  // Divisions and shifts, of which there are several, more often.
  static constexpr uint64_t kOps[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 8, 8, 8, 9, 9, 9, 10};
  const uint64_t op = kOps[s.below(std::size(kOps))];
  const Int values[] = {0,
                        1,
                        -1,
                        signedMin(width),
                        signedMax(width),
                        signedMin(width) + 1,
                        signedMax(width) - 1,
                        2,
                        Int(1) << s.below(width),
                        (Int(1) << s.below(width)) - 1};
  Int value = s.chance(50) ? neutralOf(op, width) : values[s.below(std::size(values))];
  mlir::Value c = k.intConstant(type, value).ssa, lhs = x.ssa, rhs = c, result;
  if (type.getRank() > 0 && s.chance(50)) // a scalar that is repeated
    rhs = c =
        k.splat(k.intConstant(k.scalarType(type.getElementType()), value), type.getShape()).ssa;
  if (s.chance(30))
    std::swap(lhs, rhs);
  auto none = IntegerOverflow::NONE;
  Int bits = k.intConstant(type, value).facts.range.low; // as the type reads it
  switch (op) {
  case 0:
    result = cuda_tile::AddIOp::create(b, loc, type, lhs, rhs, none);
    break;
  case 1:
    result = cuda_tile::SubIOp::create(b, loc, type, lhs, rhs, none);
    break;
  case 2:
    result = cuda_tile::MulIOp::create(b, loc, type, lhs, rhs, none);
    break;
  case 3:
    result = cuda_tile::AndIOp::create(b, loc, type, lhs, rhs);
    break;
  case 4:
    result = cuda_tile::OrIOp::create(b, loc, type, lhs, rhs);
    break;
  case 5:
    result = cuda_tile::XOrIOp::create(b, loc, type, lhs, rhs);
    break;
  case 6:
    result = cuda_tile::MaxIOp::create(b, loc, type, lhs, rhs, chooseSignedness(s));
    break;
  case 7:
    result = cuda_tile::MinIOp::create(b, loc, type, lhs, rhs, chooseSignedness(s));
    break;
  case 8: { // by a constant that is neither zero nor minus one
    if (bits == 0 || bits == -1 || width == 1)
      return false;
    Signedness signedness = chooseSignedness(s);
    if (s.chance(50))
      result = cuda_tile::RemIOp::create(b, loc, type, x.ssa, c, signedness);
    else
      result = cuda_tile::DivIOp::create(b, loc, type, x.ssa, c, signedness,
                                         chooseDivision(s, signedness));
    break;
  }
  case 9: {
    mlir::Value amount = k.intConstant(type, s.chance(40)   ? 0
                                             : s.chance(50) ? static_cast<Int>(width) - 1
                                                            : static_cast<Int>(s.below(width)))
                             .ssa;
    mlir::Value left =
        s.chance(70) ? cuda_tile::ShLIOp::create(b, loc, type, x.ssa, amount, none).getResult()
                     : x.ssa;
    if (left != x.ssa)
      maybeKeep(k, s, left);
    result =
        left == x.ssa || s.chance(50)
            ? cuda_tile::ShRIOp::create(b, loc, type, left, amount, chooseSignedness(s)).getResult()
            : left;
    break;
  }
  default:
    result = cuda_tile::CmpIOp::create(b, loc, k.tileType(type.getShape(), k.intType(1)),
                                       static_cast<cuda_tile::ComparisonPredicate>(s.below(6)), lhs,
                                       rhs, chooseSignedness(s));
  }
  k.define(result, anyOf(llvm::cast<TileType>(result.getType()).getElementType()));
  return true;
}

/// The same with floats, where little of that is true: -0, NaN and rounding are in the way.
bool applyNeutralFloat(KernelBuilder &k, ChoiceStream &s) {
  TileType type = k.pickType(s, Kind::Float);
  const llvm::fltSemantics &semantics =
      llvm::cast<mlir::FloatType>(type.getElementType()).getFloatSemantics();
  TileValue x = k.use(s, type);
  mlir::OpBuilder &b = k.builder();
  mlir::Location loc = k.loc();
  auto splat = [&](const llvm::APFloat &value) { return k.floatConstant(type, value).ssa; };
  auto number = [&](double value) { return k.floatConstant(type, value).ssa; };
  const mlir::Value values[] = {splat(llvm::APFloat::getZero(semantics, false)),
                                splat(llvm::APFloat::getZero(semantics, true)),
                                number(1),
                                number(-1),
                                number(s.chance(50) ? 2 : 3),
                                splat(llvm::APFloat::getInf(semantics, s.chance(50))),
                                splat(llvm::APFloat::getLargest(semantics, s.chance(50))),
                                splat(llvm::APFloat::getNaN(semantics))};
  mlir::Value c = values[s.below(std::size(values))], lhs = x.ssa, rhs = c, result;
  for (mlir::Value value : values)
    if (value != c)
      value.getDefiningOp()->erase();
  if (s.chance(25)) // two constants
    lhs = k.constant(s, type).ssa;
  if (s.chance(40))
    std::swap(lhs, rhs);
  auto mode = cuda_tile::RoundingModeAttr::get(&k.context(), RoundingMode::NEAREST_EVEN);
  mlir::UnitAttr no, propagate = s.chance(50) ? b.getUnitAttr() : mlir::UnitAttr();
  switch (s.below(8)) {
  case 0:
    result = cuda_tile::AddFOp::create(b, loc, type, lhs, rhs, mode, no);
    break;
  case 1:
    result = cuda_tile::SubFOp::create(b, loc, type, lhs, rhs, mode, no);
    break;
  case 2:
    result = cuda_tile::MulFOp::create(b, loc, type, lhs, rhs, mode, no);
    break;
  case 3:
    result = cuda_tile::DivFOp::create(b, loc, type, lhs, rhs, mode, no);
    break;
  case 4:
    result = cuda_tile::FmaOp::create(b, loc, type, lhs, rhs, k.use(s, type).ssa, mode, no);
    break;
  case 5:
    result = cuda_tile::MaxFOp::create(b, loc, type, lhs, rhs, propagate, no);
    break;
  case 6:
    result = cuda_tile::MinFOp::create(b, loc, type, lhs, rhs, propagate, no);
    break;
  default:
    result = cuda_tile::CmpFOp::create(b, loc, k.tileType(type.getShape(), k.intType(1)),
                                       static_cast<cuda_tile::ComparisonPredicate>(s.below(6)),
                                       s.chance(50) ? cuda_tile::ComparisonOrdering::ORDERED
                                                    : cuda_tile::ComparisonOrdering::UNORDERED,
                                       lhs, rhs);
  }
  k.define(result, anyOf(llvm::cast<TileType>(result.getType()).getElementType()));
  return true;
}

/// One over a root, and what is beside it: another numerator, or a root that is a result, too.
bool applyReciprocalRoot(KernelBuilder &k, ChoiceStream &s) {
  TileType type = k.pickType(s, Kind::Float);
  mlir::OpBuilder &b = k.builder();
  auto mode = cuda_tile::RoundingModeAttr::get(&k.context(), RoundingMode::NEAREST_EVEN);
  auto flush = [&] {
    return type.getElementType().isF32() && s.chance(20) ? b.getUnitAttr() : mlir::UnitAttr();
  };
  static constexpr double kNumerators[] = {1, 1, 1, 1, -1, 2, 0.5};
  mlir::Value x = k.use(s, type).ssa;
  mlir::Value root = cuda_tile::SqrtOp::create(b, k.loc(), type, x, mode, flush());
  mlir::Value numerator = k.floatConstant(type, kNumerators[s.below(std::size(kNumerators))]).ssa;
  mlir::Value result = cuda_tile::DivFOp::create(b, k.loc(), type, numerator, root, mode, flush());
  if (s.chance(15))
    maybeKeep(k, s, root);
  k.define(result, {});
  return true;
}

/// A constant of small integers that differ from element to element.
mlir::Value smallConstant(KernelBuilder &k, ChoiceStream &s, TileType type) {
  const Int factor = 2 * s.between(0, 7) + 1, start = s.between(0, 8);
  auto real = llvm::dyn_cast<mlir::FloatType>(type.getElementType());
  llvm::SmallVector<mlir::Attribute> values;
  for (int64_t i = 0; i < type.getNumElements(); ++i) {
    const auto value = static_cast<int64_t>((i * factor + start) % 9 - 4);
    values.push_back(real ? mlir::Attribute(mlir::FloatAttr::get(real, static_cast<double>(value)))
                          : mlir::Attribute(mlir::IntegerAttr::get(type.getElementType(), value)));
  }
  return cuda_tile::ConstantOp::create(
      k.builder(), k.loc(), type,
      llvm::cast<mlir::DenseIntOrFPElementsAttr>(
          static_cast<mlir::Attribute>(mlir::DenseElementsAttr::get(type, values))));
}

/// A sum of constants: any two, or of f32 two whose sum is subnormal, which some operations flush.
bool applyConstantSum(KernelBuilder &k, ChoiceStream &s) {
  TileType type = k.pickType(s, Kind::Float);
  mlir::OpBuilder &b = k.builder();
  if (s.chance(60))
    type = k.tileType(type.getShape(), b.getF32Type());
  const bool isF32 = type.getElementType().isF32();
  mlir::Value x, y;
  if (isF32 && s.chance(60)) {
    const double sign = s.chance(50) ? 1 : -1;
    auto least = [&](double sign) {
      return k.floatConstant(type, sign * std::ldexp(static_cast<double>(s.between(1, 15)), -129))
          .ssa;
    };
    x = least(sign);
    y = least(-sign);
  } else {
    x = k.constant(s, type).ssa;
    y = k.constant(s, type).ssa;
  }
  static constexpr RoundingMode kModes[] = {RoundingMode::NEAREST_EVEN, RoundingMode::ZERO,
                                            RoundingMode::NEGATIVE_INF, RoundingMode::POSITIVE_INF};
  auto mode = cuda_tile::RoundingModeAttr::get(&k.context(),
                                               isF32 ? s.pick(llvm::ArrayRef<RoundingMode>(kModes))
                                                     : RoundingMode::NEAREST_EVEN);
  auto flush = isF32 && s.chance(50) ? b.getUnitAttr() : mlir::UnitAttr();
  if (flush)
    k.note("constant-sum-flushed");
  k.define(s.chance(80)
               ? mlir::Value(cuda_tile::AddFOp::create(b, k.loc(), type, x, y, mode, flush))
               : mlir::Value(cuda_tile::SubFOp::create(b, k.loc(), type, x, y, mode, flush)),
           {});
  return true;
}

/// A product whose operands are constants, one of them maybe zero; or none is, or the sum holds -0,
/// or what is multiplied by zero is infinite.
bool applyConstantProduct(KernelBuilder &k, ChoiceStream &s) {
  mlir::OpBuilder &b = k.builder();
  const bool isInteger = s.chance(35);
  mlir::Type f16 = b.getF16Type(), f32 = b.getF32Type();
  mlir::Type element = isInteger ? k.intType(8) : s.chance(50) ? f16 : f32;
  mlir::Type sum = isInteger ? k.intType(32) : f32;
  const bool inBatches = s.chance(35);
  if (inBatches)
    k.note("constant-product-batches");
  const int64_t extent = int64_t(4) << s.below(inBatches ? 2 : 3);
  llvm::SmallVector<int64_t> shape{extent, extent};
  if (inBatches)
    shape.insert(shape.begin(), int64_t(2) << s.below(2));
  TileType type = k.tileType(shape, element), sums = k.tileType(shape, sum);
  auto operand = [&](unsigned zeros) -> mlir::Value {
    if (s.chance(zeros))
      return isInteger ? k.intConstant(type, 0).ssa
                       : k.floatConstant(type, s.chance(70) ? 0.0 : -0.0).ssa;
    if (!isInteger && s.chance(15))
      return k
          .floatConstant(
              type, llvm::APFloat::getInf(llvm::cast<mlir::FloatType>(element).getFloatSemantics()))
          .ssa;
    if (s.chance(35))
      return isInteger ? k.use(s, type).ssa : smallFloats(k, s, type);
    if (s.chance(60))
      return smallConstant(k, s, type);
    Int value = s.between(-4, 4);
    return isInteger ? k.intConstant(type, value).ssa
                     : k.floatConstant(type, static_cast<double>(value)).ssa;
  };
  mlir::Value lhs = operand(40), rhs = operand(25), acc;
  if (s.chance(20))
    acc = isInteger ? k.use(s, sums).ssa : smallFloats(k, s, sums);
  else if (isInteger)
    acc = k.intConstant(sums, s.between(-3, 3)).ssa;
  else
    acc = k.floatConstant(sums, s.chance(55) ? -0.0 : static_cast<double>(s.between(-3, 3))).ssa;
  if (isInteger) {
    Signedness left = chooseSignedness(s), right = chooseSignedness(s);
    k.define(cuda_tile::MmaIOp::create(b, k.loc(), sums, lhs, rhs, acc, left, right), anyOf(sum));
  } else {
    k.define(cuda_tile::MmaFOp::create(b, k.loc(), sums, lhs, rhs, acc, mlir::UnitAttr()), {});
  }
  return true;
}

/// A fact about a scalar that is repeated, stated of the tile, maybe twice.
bool applyAssumedSplat(KernelBuilder &k, ChoiceStream &s) {
  std::optional<TileValue> x = k.find(s, [](const TileValue &v) {
    return v.shape().empty() && isInt(v.element()) && widthOf(v.element()) >= 8;
  });
  if (!x)
    return false;
  TileValue wide = k.splat(*x, k.tileShape());
  auto fact = cuda_tile::BoundedAttr::get(&k.context(), static_cast<int64_t>(x->facts.range.low),
                                          static_cast<int64_t>(x->facts.range.high));
  mlir::Value result = wide.ssa;
  for (uint64_t times = 1 + s.below(2); times > 0; --times)
    result = cuda_tile::AssumeOp::create(
        k.builder(), k.loc(), wide.type(), result,
        llvm::cast<cuda_tile::AssumePredicateAttrInterface>(static_cast<mlir::Attribute>(fact)));
  maybeKeep(k, s, wide.ssa);
  k.note("assume-bounded");
  k.define(result, wide.facts);
  return true;
}

/// One value as both operands.
bool applyTwice(KernelBuilder &k, ChoiceStream &s) {
  TileType type = k.pickType(s, Kind::Any);
  TileValue x = k.use(s, type);
  mlir::OpBuilder &b = k.builder();
  mlir::Location loc = k.loc();
  TileType flags = k.tileType(type.getShape(), k.intType(1));
  auto predicate = static_cast<cuda_tile::ComparisonPredicate>(s.below(6));
  auto mode = cuda_tile::RoundingModeAttr::get(&k.context(), RoundingMode::NEAREST_EVEN);
  bool isReal = isFloat(type.getElementType());
  mlir::Value result;
  switch (s.below(5)) {
  case 0: // a condition that says which of the same two
    result = cuda_tile::SelectOp::create(b, loc, type, k.use(s, flags).ssa, x.ssa, x.ssa);
    break;
  case 1:
    result =
        isReal
            ? cuda_tile::CmpFOp::create(b, loc, flags, predicate,
                                        s.chance(50) ? cuda_tile::ComparisonOrdering::ORDERED
                                                     : cuda_tile::ComparisonOrdering::UNORDERED,
                                        x.ssa, x.ssa)
                  .getResult()
            : cuda_tile::CmpIOp::create(b, loc, flags, predicate, x.ssa, x.ssa, chooseSignedness(s))
                  .getResult();
    break;
  case 2:
    result = isReal ? cuda_tile::SubFOp::create(b, loc, type, x.ssa, x.ssa, mode, mlir::UnitAttr())
                          .getResult()
                    : cuda_tile::XOrIOp::create(b, loc, type, x.ssa, x.ssa).getResult();
    break;
  case 3:
    result = isReal ? cuda_tile::DivFOp::create(b, loc, type, x.ssa, x.ssa, mode, mlir::UnitAttr())
                          .getResult()
                    : cuda_tile::SubIOp::create(b, loc, type, x.ssa, x.ssa, IntegerOverflow::NONE)
                          .getResult();
    break;
  default: { // -(-x), ||x||, |-x|
    if (!isReal)
      return false;
    auto sign = [&](mlir::Value value) -> mlir::Value {
      return s.chance(60) ? cuda_tile::NegFOp::create(b, loc, type, value).getResult()
                          : cuda_tile::AbsFOp::create(b, loc, type, value).getResult();
    };
    mlir::Value once = sign(x.ssa);
    maybeKeep(k, s, once);
    result = sign(once);
  }
  }
  k.define(result, anyOf(llvm::cast<TileType>(result.getType()).getElementType()));
  return true;
}

/// The integer cut down to a shorter type under a true promise: its upper bits were taken off before.
mlir::Value promisedTruncation(KernelBuilder &k, ChoiceStream &s, mlir::Value x, mlir::Type to) {
  k.note("cast-chain-promised");
  mlir::OpBuilder &b = k.builder();
  auto type = llvm::cast<TileType>(x.getType());
  const unsigned width = widthOf(to), lost = widthOf(type.getElementType()) - width;
  IntegerOverflow promise = IntegerOverflow::NUW;
  if (s.chance(30)) {
    promise = IntegerOverflow::NSW;
    mlir::Value by = k.intConstant(type, lost).ssa;
    x = cuda_tile::ShLIOp::create(b, k.loc(), type, x, by, IntegerOverflow::NONE);
    x = cuda_tile::ShRIOp::create(b, k.loc(), type, x, by, Signedness::Signed);
  } else {
    const bool isPositive = s.chance(25);
    if (isPositive)
      promise = s.chance(50) ? IntegerOverflow::NW : IntegerOverflow::NSW;
    mlir::Value bits = k.intConstant(type, (Int(1) << (isPositive ? width - 1 : width)) - 1).ssa;
    x = cuda_tile::AndIOp::create(b, k.loc(), type, x, bits);
  }
  return cuda_tile::TruncIOp::create(b, k.loc(), k.tileType(type.getShape(), to), x, promise);
}

/// Two casts in a row: there and back, or on to a third type; what is cut off may be promised to be nothing.
bool applyCastChain(KernelBuilder &k, ChoiceStream &s) {
  mlir::OpBuilder &b = k.builder();
  mlir::Location loc = k.loc();
  TileType type = k.pickType(s, Kind::Any);
  TileValue x = k.use(s, type);
  auto shaped = [&](mlir::Type element) { return k.tileType(type.getShape(), element); };
  auto cast = [&](mlir::Value value, unsigned to) -> mlir::Value {
    unsigned from = widthOf(llvm::cast<TileType>(value.getType()).getElementType());
    if (to > from)
      return cuda_tile::ExtIOp::create(b, loc, shaped(k.intType(to)), value, chooseSignedness(s));
    if (to < from)
      return cuda_tile::TruncIOp::create(b, loc, shaped(k.intType(to)), value,
                                         IntegerOverflow::NONE);
    return value;
  };
  if (isInt(type.getElementType())) {
    static constexpr unsigned kWidths[] = {1, 8, 16, 32, 64};
    unsigned own = widthOf(type.getElementType()), other = kWidths[s.below(5)];
    unsigned last = s.chance(60) ? own : kWidths[s.below(5)];
    if (other == own)
      return false;
    mlir::Value between = other < own && s.chance(50)
                              ? promisedTruncation(k, s, x.ssa, k.intType(other))
                              : cast(x.ssa, other);
    maybeKeep(k, s, between);
    mlir::Value result = cast(between, last);
    k.define(result, anyOf(k.intType(last)));
    return true;
  }
  mlir::Type other = k.pickElement(s, Kind::Float);
  if (other == type.getElementType())
    return false;
  mlir::Value between =
      cuda_tile::FToFOp::create(b, loc, shaped(other), x.ssa, RoundingMode::NEAREST_EVEN);
  maybeKeep(k, s, between);
  mlir::Type last = s.chance(60) ? type.getElementType() : k.pickElement(s, Kind::Float);
  if (last == other)
    return false;
  k.define(cuda_tile::FToFOp::create(b, loc, shaped(last), between, RoundingMode::NEAREST_EVEN),
           {});
  return true;
}

/// Two permutations in a row, inverse or not; halves taken apart and joined again, or the wrong way
/// round; a slice of what was joined.
bool applyShapeChain(KernelBuilder &k, ChoiceStream &s) {
  mlir::OpBuilder &b = k.builder();
  mlir::Location loc = k.loc();
  std::optional<TileValue> a = k.find(s, [](const TileValue &v) {
    return v.shape().size() >= 1 && v.shape().size() <= 4 && v.type().getNumElements() >= 2 &&
           v.type().getNumElements() <= 2048 && isNumber(v.element());
  });
  if (!a)
    return false;
  mlir::Type element = a->element();
  size_t rank = a->shape().size();
  if (rank >= 2 && s.chance(45)) {
    auto permute = [&](mlir::Value value, llvm::ArrayRef<int32_t> order) -> mlir::Value {
      llvm::SmallVector<int64_t> shape;
      for (int32_t i : order)
        shape.push_back(llvm::cast<TileType>(value.getType()).getShape()[static_cast<size_t>(i)]);
      return cuda_tile::PermuteOp::create(b, loc, k.tileType(shape, element), value,
                                          mlir::DenseI32ArrayAttr::get(&k.context(), order));
    };
    llvm::SmallVector<int32_t> order(rank), back(rank);
    for (size_t i = 0; i < rank; ++i)
      order[i] = static_cast<int32_t>(i);
    for (size_t i = rank - 1; i > 0; --i)
      std::swap(order[i], order[s.below(i + 1)]);
    for (size_t i = 0; i < rank; ++i)
      back[static_cast<size_t>(order[i])] = static_cast<int32_t>(i);
    mlir::Value once = permute(a->ssa, order);
    maybeKeep(k, s, once);
    k.define(permute(once, s.chance(50) ? back : order), {a->facts.range});
    return true;
  }
  size_t dim = s.below(rank);
  if (a->shape()[dim] < 2)
    return false;
  llvm::SmallVector<int64_t> half(a->shape());
  half[dim] /= 2;
  TileType i32 = k.scalarType(k.intType(32));
  auto part = [&](mlir::Value of, Int at) -> mlir::Value {
    llvm::SmallVector<mlir::Value> indices;
    for (size_t i = 0; i < rank; ++i)
      indices.push_back(k.intConstant(i32, i == dim ? at : 0).ssa);
    return cuda_tile::ExtractOp::create(b, loc, k.tileType(half, element), of, indices);
  };
  auto join = [&](mlir::Value x, mlir::Value y) -> mlir::Value {
    llvm::SmallVector<int64_t> shape(llvm::cast<TileType>(x.getType()).getShape());
    shape[dim] *= 2;
    return cuda_tile::CatOp::create(b, loc, k.tileType(shape, element), x, y,
                                    b.getI64IntegerAttr(static_cast<int64_t>(dim)));
  };
  mlir::Value result;
  if (s.chance(50)) {
    mlir::Value first = part(a->ssa, 0), second = part(a->ssa, 1);
    maybeKeep(k, s, second);
    result = s.chance(60) ? join(first, second) : join(second, first);
  } else { // a half of what is twice as long
    TileValue other = k.use(s, a->type());
    mlir::Value joined = join(a->ssa, other.ssa);
    half.assign(a->shape().begin(), a->shape().end());
    result = part(joined, static_cast<Int>(s.below(2)));
  }
  k.define(result, anyOf(element));
  return true;
}

/// A select or an assumption about a scalar that is then repeated, and about the repeated one.
bool applySplatChain(KernelBuilder &k, ChoiceStream &s) {
  mlir::OpBuilder &b = k.builder();
  mlir::Location loc = k.loc();
  TileType scalar = k.scalarType(k.pickElement(s, Kind::Any));
  TileValue x = k.use(s, scalar), y = k.use(s, scalar);
  TileValue condition = k.use(s, k.scalarType(k.intType(1)));
  mlir::Value chosen = cuda_tile::SelectOp::create(b, loc, scalar, condition.ssa, x.ssa, y.ssa);
  maybeKeep(k, s, chosen);
  TileValue wide = k.splat({chosen, anyOf(scalar.getElementType())}, k.tileShape());
  mlir::Value result = wide.ssa;
  if (s.chance(50)) { // one element of what was computed of it
    result = combineExactly(k, result, k.use(s, wide.type()).ssa);
    maybeKeep(k, s, result);
    llvm::SmallVector<mlir::Value> indices;
    for (int64_t extent : k.tileShape())
      indices.push_back(k.intConstant(k.scalarType(k.intType(32)),
                                      static_cast<Int>(s.below(static_cast<uint64_t>(extent))))
                            .ssa);
    llvm::SmallVector<int64_t> ones(k.tileShape().size(), 1);
    result = cuda_tile::ExtractOp::create(b, loc, k.tileType(ones, scalar.getElementType()), result,
                                          indices);
    result = cuda_tile::ReshapeOp::create(b, loc, scalar, result);
  }
  k.define(result, anyOf(scalar.getElementType()));
  return true;
}

/// Loads and stores whose mask is a constant: all, none, or nearly so.
bool applyConstantMask(KernelBuilder &k, ChoiceStream &s) {
  int64_t count = int64_t(2) << s.below(6);
  mlir::Type element = k.pickElement(s, Kind::Any);
  TileType type = k.tileType({count}, element), flags = k.tileType({count}, k.intType(1));
  llvm::SmallVector<bool> bits(static_cast<size_t>(count), s.chance(50));
  if (s.chance(40)) {
    size_t other = s.chance(50) ? 0 : s.below(bits.size());
    bits[other] = !bits[other];
  }
  mlir::Value mask = cuda_tile::ConstantOp::create(
      k.builder(), k.loc(), flags,
      llvm::cast<mlir::DenseIntOrFPElementsAttr>(
          static_cast<mlir::Attribute>(mlir::DenseElementsAttr::get(flags, bits))));
  if (k.depth == 0 && s.chance(50)) {
    ArrayInfo &array = k.addFlatArray(element, count * k.blockCount(), /*output=*/true);
    storePointers(k, s, ownElements(k, s, array.base, count), k.use(s, type).ssa, mask, {});
    return true;
  }
  ArrayInfo &array = k.addFlatArray(element, count, /*output=*/false);
  mlir::Value offsets =
      cuda_tile::IotaOp::create(k.builder(), k.loc(), k.tileType({count}, k.intType(32)));
  k.define(
      loadPointers(k, s, type, pointersAt(k, array.base, offsets), mask, k.use(s, type).ssa, {})
          .tile,
      anyOf(element));
  return true;
}

} // namespace

llvm::ArrayRef<Rule> tilesmith::generators::foldRules() {
  static constexpr Rule kRules[] = {
      {"neutral-integer", 6, applyNeutralInteger, 1, "divisors are neither 0 nor -1"},
      {"neutral-float", 6, applyNeutralFloat},
      {"twice", 2, applyTwice},
      {"cast-chain", 6, applyCastChain},
      {"shape-chain", 3, applyShapeChain},
      {"splat-chain", 2, applySplatChain},
      {"reciprocal-root", 2, applyReciprocalRoot},
      {"constant-sum", 3, applyConstantSum},
      {"constant-product", 3, applyConstantProduct, 1, "small integers, infinities and zeros"},
      {"assumed-splat", 1, applyAssumedSplat},
      {"constant-mask", 2, applyConstantMask, 1, "padding behind every mask"},
  };
  return kRules;
}
