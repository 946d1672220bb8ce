//===- IdiomSpecialRules.cpp - single operations on special operands ---------------------------------===//
//
// Three rules. `special-operand`: one function, operation or conversion from memory to memory on operands that are
// mostly what its code has to treat apart: zeros, subnormals, the ends of the normal range, infinities,
// NaN of every payload, extreme integers. `constant-quotient`: a tile over constants, or
// constants over it, exact or not. `idle-atomic`: one atomic with a constant that changes nothing,
// decides everything, or does so for its sibling of the other signedness or sign only, on memory in
// which both show.
//
// Needs: depth 0. Promises: conversions that have no result for some operand are left out or saturate; each
// element is updated by one block only.
//
//===------------------------------------------------------------------------------------------===//
#include "generators/program/IdiomRules.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>
#include <utility>

using namespace tilesmith;
using namespace tilesmith::generators;
using cuda_tile::AtomicRMWMode;
using cuda_tile::RoundingMode;
using cuda_tile::Signedness;
using cuda_tile::TileType;

namespace {

/// Numbers that leave memory alone or decide what is there, for some update.
mlir::Value extremeConstant(KernelBuilder &k, ChoiceStream &s, TileType type) {
  const unsigned width = widthOf(type.getElementType());
  const Int values[] = {
      0, -1, signedMax(width), signedMin(width), 1, signedMax(width) - 1, signedMin(width) + 1, -2};
  return k.intConstant(type, values[s.chance(70) ? s.below(4) : s.below(std::size(values))]).ssa;
}

class Special {
public:
  Special(KernelBuilder &k, ChoiceStream &s)
      : k(k), s(s), b(k.builder()),
        count(s.chance(60) ? int64_t(32) << s.below(3) : int64_t(512) << s.below(2)) {}

  void build() {
    onConstants = s.chance(25);
    if (onConstants && s.chance(50)) {
      isTiny = s.chance(60);
      for (uint64_t turns = isTiny ? 4 : 1; turns > 0; --turns)
        arithmetic();
      return;
    }
    switch (s.below(10)) {
    case 0:
    case 9:
      return s.chance(30) ? convertToScale() : convertFloat();
    case 1:
      return s.chance(50) ? convertToInt() : convertFromInt();
    case 2:
    case 3:
      return arithmetic();
    case 4:
      return integers();
    default:
      return function();
    }
  }

  /// Quotients of ordinary numbers of which one side may be a constant: 1, what is beside it, its negative.
  /// Approximate ones are of f32.
  void quotients() {
    static constexpr double kNumbers[] = {1, -1, 1, -1, -1, 2, -0.5, -0.0, 1.0000001, 3};
    const bool isLoose = s.chance(75);
    mlir::Type element = isLoose ? mlir::Type(b.getF32Type()) : chooseWideFloat(k, s);
    TileType type = k.tileType({count}, element);
    mlir::Value x = freshTile(k, s, type, s.chance(70) ? Fill::Reals : Fill::Fractions);
    if (s.chance(50)) // of either sign
      x = cuda_tile::MulFOp::create(b, k.loc(), type, x, freshTile(k, s, type, Fill::SmallIntegers),
                                    mode(RoundingMode::NEAREST_EVEN), mlir::UnitAttr());
    for (uint64_t quotients = s.between(1, 4); quotients > 0; --quotients) {
      k.note("constant-quotient");
      mlir::Value numerator = k.floatConstant(type, kNumbers[s.below(std::size(kNumbers))]).ssa,
                  denominator = x;
      if (s.chance(25))
        std::swap(numerator, denominator);
      const RoundingMode rounding = !isLoose       ? someMode()
                                    : s.chance(50) ? RoundingMode::FULL
                                                   : RoundingMode::APPROX;
      keep(cuda_tile::DivFOp::create(b, k.loc(), type, numerator, denominator, mode(rounding),
                                     flush(element)),
           !isLoose);
    }
  }

private:
  mlir::Value operand(mlir::Type element) {
    if (onConstants && isNumber(element)) {
      k.note("special-constant");
      if (s.chance(40))
        return constant(element);
      // A scalar that is repeated, as frontends have it: known once that is folded.
      const int64_t places = std::exchange(count, 1);
      mlir::Value one = constant(element);
      count = places;
      one = cuda_tile::ReshapeOp::create(b, k.loc(), k.scalarType(element), one);
      return k.splat({one, {}}, {count}).ssa;
    }
    return freshTile(k, s, k.tileType({count}, element),
                     isFloat(element) && s.chance(25) ? Fill::Subnormals : Fill::Specials);
  }
  /// One number in all places.
  mlir::Value constant(mlir::Type element) {
    TileType type = k.tileType({count}, element);
    if (isInt(element))
      return extremeConstant(k, s, type);
    const llvm::fltSemantics &semantics = llvm::cast<mlir::FloatType>(element).getFloatSemantics();
    const bool negative = s.chance(50);
    static constexpr double kNumbers[] = {1, 0.5, 1.5, 2.5, 3, 0.1};
    if (isTiny && s.chance(80)) { // multiples of a quarter of the smallest normal number
      k.note("special-tiny");
      llvm::APFloat tiny = llvm::scalbn(llvm::APFloat::getSmallestNormalized(semantics, negative),
                                        -2, llvm::APFloat::rmNearestTiesToEven);
      llvm::APFloat times(static_cast<double>(s.between(1, 8)));
      bool loses = false;
      times.convert(semantics, llvm::APFloat::rmNearestTiesToEven, &loses);
      tiny.multiply(times, llvm::APFloat::rmNearestTiesToEven);
      return k.floatConstant(type, tiny).ssa;
    }
    switch (s.below(8)) {
    case 0:
      return k.floatConstant(type, llvm::APFloat::getZero(semantics, negative)).ssa;
    case 1:
      return k.floatConstant(type, llvm::APFloat::getInf(semantics, negative)).ssa;
    case 2:
      return k.floatConstant(type, llvm::APFloat::getNaN(semantics)).ssa;
    case 3:
      return k
          .floatConstant(type, s.chance(50) ? llvm::APFloat::getSmallest(semantics, negative)
                                            : llvm::APFloat::getLargest(semantics, negative))
          .ssa;
    default:
      return k.floatConstant(type, (negative ? -1 : 1) * kNumbers[s.below(std::size(kNumbers))])
          .ssa;
    }
  }
  cuda_tile::RoundingModeAttr mode(RoundingMode value) {
    return cuda_tile::RoundingModeAttr::get(&k.context(), value);
  }
  mlir::UnitAttr flush(mlir::Type element) {
    return element.isF32() && s.chance(isTiny ? 70 : 20) ? b.getUnitAttr() : mlir::UnitAttr();
  }
  void keep(mlir::Value value, bool exact = true) {
    Facts facts;
    facts.exact = exact;
    if (mlir::Type element = llvm::cast<TileType>(value.getType()).getElementType(); isInt(element))
      facts.range = Range::full(widthOf(element));
    if (!exact)
      k.noteApproximate();
    emitFreeStore(k, s, {value, facts});
  }
  RoundingMode someMode() {
    static constexpr RoundingMode kModes[] = {RoundingMode::NEAREST_EVEN, RoundingMode::ZERO,
                                              RoundingMode::NEGATIVE_INF,
                                              RoundingMode::POSITIVE_INF};
    return kModes[s.chance(onConstants ? 15 : 60) ? 0 : s.below(4)];
  }

  /// Functions that are known within bounds.
  void function() {
    mlir::Type element = s.chance(50) ? mlir::Type(b.getF32Type()) : chooseWideFloat(k, s);
    mlir::Value x = operand(element), result;
    mlir::Type type = x.getType();
    mlir::Location loc = k.loc();
    switch (s.below(14)) {
    case 0:
      result = cuda_tile::ExpOp::create(b, loc, type, x, mode(RoundingMode::FULL));
      break;
    case 1:
      result = cuda_tile::Exp2Op::create(b, loc, type, x, flush(element));
      break;
    case 2:
      result = cuda_tile::LogOp::create(b, loc, type, x);
      break;
    case 3:
      result = cuda_tile::Log2Op::create(b, loc, type, x);
      break;
    case 4:
      result = cuda_tile::SinOp::create(b, loc, type, x);
      break;
    case 5:
      result = cuda_tile::CosOp::create(b, loc, type, x);
      break;
    case 6:
      result = cuda_tile::TanOp::create(b, loc, type, x);
      break;
    case 7:
      result = cuda_tile::SinHOp::create(b, loc, type, x);
      break;
    case 8:
      result = cuda_tile::CosHOp::create(b, loc, type, x);
      break;
    case 9:
      result = cuda_tile::TanHOp::create(b, loc, type, x, mode(RoundingMode::FULL));
      break;
    case 10:
      result = cuda_tile::RsqrtOp::create(b, loc, type, x, flush(element));
      break;
    case 11:
      result = k.emit<cuda_tile::PowOp>(type, {x, operand(element)}).getResult();
      break;
    case 12:
      if (k.version() < 2)
        return;
      result = k.emit<cuda_tile::Atan2Op>(type, {x, operand(element)}).getResult();
      break;
    default:
      result = s.chance(50)
                   ? cuda_tile::LogOp::create(b, loc, type, x).getResult()
                   : cuda_tile::RsqrtOp::create(b, loc, type, x, flush(element)).getResult();
    }
    k.note("special-function");
    keep(result, /*exact=*/false);
  }

  /// What IEEE rounds once, or not at all.
  void arithmetic() {
    mlir::Type element =
        isTiny && s.chance(75) ? mlir::Type(b.getF32Type()) : chooseWideFloat(k, s);
    mlir::Value x = operand(element), y = operand(element), result;
    mlir::Type type = x.getType();
    mlir::Location loc = k.loc();
    mlir::UnitAttr propagate = s.chance(50) ? b.getUnitAttr() : mlir::UnitAttr();
    mlir::UnitAttr ftz = flush(element);
    cuda_tile::RoundingModeAttr rounding = mode(someMode());
    switch (onConstants && s.chance(60) ? s.below(2) : s.below(13)) {
    case 0:
      result = cuda_tile::AddFOp::create(b, loc, type, x, y, rounding, ftz);
      break;
    case 1:
      result = cuda_tile::SubFOp::create(b, loc, type, x, y, rounding, ftz);
      break;
    case 2:
      result = cuda_tile::MulFOp::create(b, loc, type, x, y, rounding, ftz);
      break;
    case 3:
      result = cuda_tile::DivFOp::create(b, loc, type, x, y, rounding, ftz);
      break;
    case 4:
      result = cuda_tile::FmaOp::create(b, loc, type, x, y, operand(element), rounding, ftz);
      break;
    case 5:
      result = cuda_tile::SqrtOp::create(b, loc, type, x, rounding, ftz);
      break;
    case 6:
      result = cuda_tile::RemFOp::create(b, loc, type, x, y);
      break;
    case 7:
      result = cuda_tile::MaxFOp::create(b, loc, type, x, y, propagate, ftz);
      break;
    case 8:
      result = cuda_tile::MinFOp::create(b, loc, type, x, y, propagate, ftz);
      break;
    case 9:
      result = s.chance(50) ? cuda_tile::CeilOp::create(b, loc, type, x).getResult()
                            : cuda_tile::FloorOp::create(b, loc, type, x).getResult();
      break;
    case 10:
      result = s.chance(50) ? cuda_tile::NegFOp::create(b, loc, type, x).getResult()
                            : cuda_tile::AbsFOp::create(b, loc, type, x).getResult();
      break;
    default: {
      const auto predicate = static_cast<cuda_tile::ComparisonPredicate>(s.below(6));
      const auto ordering = s.chance(50) ? cuda_tile::ComparisonOrdering::ORDERED
                                         : cuda_tile::ComparisonOrdering::UNORDERED;
      result = cuda_tile::CmpFOp::create(b, loc, k.tileType({count}, k.intType(1)), predicate,
                                         ordering, x, y);
    }
    }
    k.note("special-arithmetic");
    keep(result);
  }

  /// Operations of integers; divisors are neither 0 nor -1, shifts shorter than the type.
  void integers() {
    static constexpr unsigned kWidths[] = {8, 16, 32, 64, 1};
    mlir::Type element = k.intType(kWidths[s.below(5)]);
    const unsigned width = widthOf(element);
    TileType type = k.tileType({count}, element);
    mlir::Value x = operand(element), right, result;
    auto y = [&] { return s.chance(25) ? constant(element) : operand(element); };
    const auto signedness = s.chance(50) ? Signedness::Signed : Signedness::Unsigned;
    const auto none = cuda_tile::IntegerOverflow::NONE;
    mlir::Location loc = k.loc();
    auto divisor = [&]() -> mlir::Value {
      const Int numbers[] = {2, 1, 3, 7, -3, 16, signedMax(width), signedMin(width)};
      return k.intConstant(type, numbers[s.below(width > 4 ? std::size(numbers) : 1)]).ssa;
    };
    auto amount = [&]() -> mlir::Value {
      if (s.chance(50))
        return k.intConstant(type, s.chance(50) ? Int(width) - 1 : Int(s.below(width))).ssa;
      return cuda_tile::AndIOp::create(b, loc, type, operand(element),
                                       k.intConstant(type, Int(width) - 1).ssa);
    };
    switch (s.below(width > 1 ? 13 : 7)) {
    case 0:
      result = cuda_tile::AddIOp::create(b, loc, type, x, y(), none);
      break;
    case 1:
      result = cuda_tile::SubIOp::create(b, loc, type, x, y(), none);
      break;
    case 2:
      result = s.chance(50)
                   ? cuda_tile::MaxIOp::create(b, loc, type, x, y(), signedness).getResult()
                   : cuda_tile::MinIOp::create(b, loc, type, x, y(), signedness).getResult();
      break;
    case 3:
    case 4:
      right = y();
      result = cuda_tile::CmpIOp::create(b, loc, k.tileType({count}, k.intType(1)),
                                         static_cast<cuda_tile::ComparisonPredicate>(s.below(6)), x,
                                         right, signedness);
      break;
    case 5:
      result = s.chance(50) ? cuda_tile::AndIOp::create(b, loc, type, x, y()).getResult()
                            : cuda_tile::XOrIOp::create(b, loc, type, x, y()).getResult();
      break;
    case 6: {
      const unsigned other = kWidths[s.below(5)];
      if (other == width)
        return;
      TileType to = k.tileType({count}, k.intType(other));
      result = other > width ? cuda_tile::ExtIOp::create(b, loc, to, x, signedness).getResult()
                             : cuda_tile::TruncIOp::create(b, loc, to, x, none).getResult();
      break;
    }
    case 7:
      result = s.chance(50) ? cuda_tile::MulIOp::create(b, loc, type, x, y(), none).getResult()
                            : cuda_tile::MulhiIOp::create(b, loc, type, x, y()).getResult();
      break;
    case 8:
      result = cuda_tile::RemIOp::create(b, loc, type, x, divisor(), signedness);
      break;
    case 9: {
      const auto rounding = s.chance(40)                       ? RoundingMode::ZERO
                            : signedness == Signedness::Signed ? RoundingMode::NEGATIVE_INF
                                                               : RoundingMode::POSITIVE_INF;
      result = cuda_tile::DivIOp::create(b, loc, type, x, divisor(), signedness, rounding);
      break;
    }
    case 10:
      result = cuda_tile::ShLIOp::create(b, loc, type, x, amount(), none);
      break;
    case 11:
      result = cuda_tile::ShRIOp::create(b, loc, type, x, amount(), signedness);
      break;
    default:
      result = cuda_tile::NegIOp::create(b, loc, type, x, none);
    }
    k.note("special-integer");
    keep(result);
  }

  /// Between any two formats of whole bytes that have NaN.
  void convertFloat() {
    const mlir::Type types[] = {b.getF32Type(),
                                b.getF16Type(),
                                b.getBF16Type(),
                                b.getF64Type(),
                                b.getTF32Type(),
                                b.getType<mlir::Float8E4M3FNType>(),
                                b.getType<mlir::Float8E5M2Type>()};
    mlir::Type from = types[s.chance(35) ? 0 : s.below(std::size(types))],
               to = types[s.chance(35) ? 4 : s.below(std::size(types))];
    if (from == to || (from.isTF32() && !to.isF32() && !to.isF64()))
      from = to.isF32() ? types[3] : types[0];
    if (s.chance(25)) // of equal width, neither of which holds the other
      from = types[1], to = types[2];
    if (s.chance(50) && from.isF16() && to.isBF16())
      std::swap(from, to);
    mlir::Value x = operand(from);
    RoundingMode rounding = RoundingMode::NEAREST_EVEN;
    if (from.isF32() && to.isTF32() && k.version() >= 4 && s.chance(50))
      rounding = s.chance(50) ? RoundingMode::ZERO : RoundingMode::NEAREST_AWAY;
    else if (!to.isTF32() && widthOf(to) >= 16 && k.version() >= 4 && s.chance(60))
      rounding = RoundingMode::ZERO;
    k.note("special-conversion");
    keep(cuda_tile::FToFOp::create(b, k.loc(), k.tileType({count}, to), x, rounding));
  }

  /// Positive numbers that the format has or that lie between two of it, mostly near its ends.
  void convertToScale() {
    if (k.version() < 2)
      return convertFloat();
    mlir::Type element = chooseWideFloat(k, s);
    mlir::Value x = operand(element);
    auto type = llvm::cast<TileType>(x.getType());
    mlir::Location loc = k.loc();
    x = cuda_tile::AbsFOp::create(b, loc, type, x);
    if (element.isF64() && s.chance(60)) // numbers of its range
      x = cuda_tile::AbsFOp::create(
          b, loc, type,
          cuda_tile::FToFOp::create(
              b, loc, type, operand(s.chance(50) ? mlir::Type(b.getF32Type()) : b.getBF16Type()),
              RoundingMode::NEAREST_EVEN));
    auto limit = [&](int exponent) { return k.floatConstant(type, std::ldexp(1.0, exponent)).ssa; };
    const auto [least, most] = element.isF16() ? std::pair(-24, 15) : std::pair(-127, 127);
    x = cuda_tile::MaxFOp::create(b, loc, type, x, limit(least), mlir::UnitAttr(),
                                  mlir::UnitAttr());
    x = cuda_tile::MinFOp::create(b, loc, type, x, limit(most), mlir::UnitAttr(), mlir::UnitAttr());
    k.note("special-scale");
    mlir::Value scale = cuda_tile::FToFOp::create(
        b, loc, k.tileType({count}, b.getType<mlir::Float8E8M0FNUType>()), x,
        s.chance(50) ? RoundingMode::ZERO : RoundingMode::POSITIVE_INF);
    keep(s.chance(50)
             ? cuda_tile::BitcastOp::create(b, loc, k.tileType({count}, k.intType(8)), scale)
                   .getResult()
             : scale);
  }

  void convertToInt() {
    if (k.version() < 4)
      return function();
    static constexpr unsigned kWidths[] = {8, 16, 32, 64};
    mlir::Value x = operand(chooseWideFloat(k, s));
    k.note("special-conversion");
    TileType to = k.tileType({count}, k.intType(kWidths[s.below(4)]));
    auto signedness = cuda_tile::SignednessAttr::get(
        &k.context(), s.chance(50) ? Signedness::Signed : Signedness::Unsigned);
    keep(cuda_tile::FToIOp::create(b, k.loc(), to, x, signedness,
                                   mode(RoundingMode::NEAREST_INT_TO_ZERO), b.getUnitAttr()));
  }

  void convertFromInt() {
    static constexpr unsigned kWidths[] = {1, 8, 16, 32, 64};
    mlir::Type from = k.intType(kWidths[s.below(5)]);
    // Often half way between two numbers of some format, or just beside that.
    mlir::Value x = widthOf(from) >= 16 && s.chance(50)
                        ? freshTile(k, s, k.tileType({count}, from), Fill::Fractions)
                        : operand(from);
    k.note("special-conversion");
    TileType to = k.tileType({count}, chooseWideFloat(k, s));
    keep(cuda_tile::IToFOp::create(b, k.loc(), to, x,
                                   s.chance(50) ? Signedness::Signed : Signedness::Unsigned,
                                   RoundingMode::NEAREST_EVEN));
  }

  KernelBuilder &k;
  ChoiceStream &s;
  mlir::OpBuilder &b;
  int64_t count;
  bool onConstants = false; ///< where folds are right or wrong
  bool isTiny = false;      ///< constants are subnormal numbers, and normal ones of about that size
};

//===- atomics --------------------------------------------------------------------------------===//

mlir::Value floatConstant(KernelBuilder &k, ChoiceStream &s, TileType type) {
  static constexpr double kValues[] = {0.0, -0.0, 0.0, -0.0, 1, -1, 2};
  return k.floatConstant(type, kValues[s.below(std::size(kValues))]).ssa;
}

/// The compared and the new value of a swap: constants, alike or of the other sign, or tiles.
void swapElements(KernelBuilder &k, ChoiceStream &s, mlir::Value pointers, TileType type,
                  mlir::Value mask, mlir::Value &old, mlir::Value &token) {
  auto constant = [&]() -> mlir::Value {
    if (isFloat(type.getElementType()))
      return floatConstant(k, s, type);
    return k.intConstant(type, s.between(-2, 2)).ssa;
  };
  mlir::Value wanted = constant();
  if (s.chance(25)) { // what is there
    Loaded now = loadPointers(k, s, type, pointers, {}, {}, token);
    wanted = now.tile, token = now.token;
  }
  mlir::Value value = s.chance(25)   ? wanted
                      : s.chance(75) ? constant()
                                     : freshTile(k, s, type, Fill::Any);
  Loaded result = atomicCas(k, s, pointers, wanted, value, mask, token);
  old = result.tile, token = result.token;
}

} // namespace

bool tilesmith::generators::applySpecialOperand(KernelBuilder &k, ChoiceStream &s) {
  if (k.depth > 0)
    return false;
  Special(k, s).build();
  return true;
}

bool tilesmith::generators::applyConstantQuotients(KernelBuilder &k, ChoiceStream &s) {
  if (k.depth > 0)
    return false;
  Special(k, s).quotients();
  return true;
}

/// One update, or swap, of elements of the block's own.
static void updateIdly(KernelBuilder &k, ChoiceStream &s, bool swaps) {
  static constexpr AtomicRMWMode kModes[] = {
      AtomicRMWMode::ADD,  AtomicRMWMode::AND, AtomicRMWMode::OR,   AtomicRMWMode::XOR,
      AtomicRMWMode::MAX,  AtomicRMWMode::MIN, AtomicRMWMode::UMAX, AtomicRMWMode::UMIN,
      AtomicRMWMode::UMIN, AtomicRMWMode::XCHG};
  const int64_t count = int64_t(1) << s.below(8);
  const bool isReal = swaps && s.chance(60);
  mlir::OpBuilder &b = k.builder();
  mlir::Type element = isReal ? s.chance(50) ? mlir::Type(b.getF32Type()) : b.getF64Type()
                              : k.intType(s.chance(60) ? 32 : 64);
  TileType type = k.tileType({count}, element);
  ArrayInfo &array = k.addFlatArray(element, count * k.blockCount(), /*output=*/true,
                                    isReal  ? Fill::SignedZeros
                                    : swaps ? Fill::SmallIntegers
                                            : Fill::Specials);
  mlir::Value pointers = ownElements(k, s, array.base, count), mask, old, token;
  if (s.chance(25))
    mask = k.use(s, k.tileType({count}, k.intType(1))).ssa;
  k.note(swaps ? "idle-swap" : "idle-atomic");
  if (swaps) {
    swapElements(k, s, pointers, type, mask, old, token);
  } else {
    const AtomicRMWMode mode = kModes[s.below(std::size(kModes))];
    Loaded result = atomicRmw(k, s, mode, pointers, extremeConstant(k, s, type), mask, {},
                              /*mayBeBlockScope=*/true);
    old = result.tile, token = result.token;
  }
  // Old values of masked elements are known of swaps only.
  if (s.chance(40) && (!mask || swaps))
    keepTile(k, s, old);
  if (s.chance(30))
    keepTile(k, s, loadPointers(k, s, type, pointers, {}, {}, token).tile);
}

bool tilesmith::generators::applyIdleAtomic(KernelBuilder &k, ChoiceStream &s) {
  if (k.depth > 0)
    return false;
  const bool swaps = s.chance(40);
  for (int64_t more = swaps ? 1 : s.between(1, 3); more > 0; --more)
    updateIdly(k, s, swaps);
  return true;
}
