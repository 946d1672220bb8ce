//===- ConversionRules.cpp - changes of the element type --------------------------------------===//
//
// Promises: a float is converted to an integer only after it was clamped to numbers that the
// integer type holds and NaN was replaced; an integer becomes an f16 only if its magnitude is at
// most the largest f16; a truncation claims no wrap only where the range proves it.
//
//===------------------------------------------------------------------------------------------===//
#include "generators/program/Rules.h"

#include "llvm/ADT/APFloat.h"

#include <cmath>

using namespace tilesmith;
using namespace tilesmith::generators;
using cuda_tile::IntegerOverflow;
using cuda_tile::RoundingMode;
using cuda_tile::Signedness;

namespace {

/// Some value of an integer type with a width in [low, high].
std::optional<TileValue> findInt(KernelBuilder &k, ChoiceStream &s, unsigned low, unsigned high) {
  return k.find(s, [&](const TileValue &v) {
    return isInt(v.element()) && widthOf(v.element()) >= low && widthOf(v.element()) <= high;
  });
}
std::optional<TileValue> findFloat(KernelBuilder &k, ChoiceStream &s) {
  return k.find(s, [](const TileValue &v) { return isFloat(v.element()); });
}

/// An integer type wider (or narrower) than `width`.
mlir::Type otherWidth(KernelBuilder &k, ChoiceStream &s, unsigned width, bool wider) {
  llvm::SmallVector<unsigned> widths;
  for (unsigned w : {1u, 8u, 16u, 32u, 64u})
    if (wider ? w > width : w < width)
      widths.push_back(w);
  return k.intType(s.pick(llvm::ArrayRef<unsigned>(widths)));
}

bool applyExtend(KernelBuilder &k, ChoiceStream &s) {
  std::optional<TileValue> a = findInt(k, s, 1, 32);
  if (!a)
    return false;
  unsigned width = widthOf(a->element());
  cuda_tile::TileType type = k.tileType(a->shape(), otherWidth(k, s, width, /*wider=*/true));
  Signedness signedness = s.chance(50) ? Signedness::Signed : Signedness::Unsigned;
  Range range = a->facts.range;
  if (signedness == Signedness::Unsigned && !range.nonNegative())
    range = {0, unsignedMax(width)};
  k.define(cuda_tile::ExtIOp::create(k.builder(), k.loc(), type, a->ssa, signedness), {range});
  return true;
}

bool applyTruncate(KernelBuilder &k, ChoiceStream &s) {
  std::optional<TileValue> a = findInt(k, s, 8, 64);
  if (!a)
    return false;
  mlir::Type element = otherWidth(k, s, widthOf(a->element()), /*wider=*/false);
  unsigned width = widthOf(element);
  Range range = a->facts.range;
  uint8_t wish = static_cast<uint8_t>(s.below(4));
  bool nsw = range.fits(width), nuw = range.within(0, unsignedMax(width));
  auto overflow = static_cast<IntegerOverflow>((nsw ? wish & 1 : 0) | (nuw ? wish & 2 : 0));
  cuda_tile::TileType type = k.tileType(a->shape(), element);
  k.define(cuda_tile::TruncIOp::create(k.builder(), k.loc(), type, a->ssa, overflow),
           {range.wrapped(width)});
  return true;
}

/// The value limited to [-65504, 65504] as the signedness reads it: what f16 can hold.
TileValue clampForHalf(KernelBuilder &k, TileValue a, Signedness signedness) {
  constexpr Int kMax = 65504;
  cuda_tile::TileType type = a.type();
  unsigned width = widthOf(a.element());
  mlir::Value value = a.ssa;
  if (signedness == Signedness::Unsigned) {
    if (a.facts.range.within(0, kMax) || unsignedMax(width) <= kMax)
      return a;
    value = cuda_tile::MinIOp::create(k.builder(), k.loc(), type, value,
                                      k.intConstant(type, kMax).ssa, signedness);
    return k.define(value, {width == 16 ? Range::full(16) : Range{0, kMax}});
  }
  if (a.facts.range.within(-kMax, kMax))
    return a;
  value = cuda_tile::MinIOp::create(k.builder(), k.loc(), type, value,
                                    k.intConstant(type, kMax).ssa, signedness);
  value = cuda_tile::MaxIOp::create(k.builder(), k.loc(), type, value,
                                    k.intConstant(type, -kMax).ssa, signedness);
  return k.define(value, {{-kMax, kMax}});
}

bool applyIntToFloat(KernelBuilder &k, ChoiceStream &s) {
  std::optional<TileValue> a = findInt(k, s, 1, 64);
  if (!a)
    return false;
  mlir::Type element = k.pickElement(s, Kind::Float);
  Signedness signedness = s.chance(50) ? Signedness::Signed : Signedness::Unsigned;
  TileValue value = element.isF16() ? clampForHalf(k, *a, signedness) : *a;
  cuda_tile::TileType type = k.tileType(value.shape(), element);
  k.define(cuda_tile::IToFOp::create(k.builder(), k.loc(), type, value.ssa, signedness,
                                     RoundingMode::NEAREST_EVEN),
           {});
  return true;
}

/// The largest number of the float type that is at most `value`, or the smallest that is at least
/// it.
llvm::APFloat roundInto(mlir::Type element, Int value, llvm::RoundingMode mode) {
  const llvm::fltSemantics &semantics = llvm::cast<mlir::FloatType>(element).getFloatSemantics();
  uint64_t words[2] = {static_cast<uint64_t>(value), static_cast<uint64_t>(value >> 64)};
  llvm::APFloat result(semantics);
  result.convertFromAPInt(llvm::APInt(128, words), /*IsSigned=*/true, mode);
  if (result.isInfinity())
    return llvm::APFloat::getLargest(semantics, value < 0);
  return result;
}

bool applyFloatToInt(KernelBuilder &k, ChoiceStream &s) {
  std::optional<TileValue> a = findFloat(k, s);
  if (!a)
    return false;
  mlir::Type element = k.pickElement(s, Kind::Int);
  unsigned width = widthOf(element);
  bool isSigned = width == 1 ? false : s.chance(50);
  Range range = isSigned ? Range::full(width) : Range{0, unsignedMax(width)};
  cuda_tile::TileType source = a->type();
  mlir::OpBuilder &b = k.builder();
  mlir::Location loc = k.loc();
  mlir::Value low = k.floatConstant(source, roundInto(a->element(), range.low,
                                                      llvm::RoundingMode::TowardPositive))
                        .ssa;
  mlir::Value high =
      k.floatConstant(source, roundInto(a->element(), range.high, llvm::RoundingMode::TowardZero))
          .ssa;
  mlir::Value isNumber = cuda_tile::CmpFOp::create(
      b, loc, k.tileType(a->shape(), k.intType(1)), cuda_tile::ComparisonPredicate::EQUAL,
      cuda_tile::ComparisonOrdering::ORDERED, a->ssa, a->ssa);
  mlir::Value number = cuda_tile::SelectOp::create(b, loc, source, isNumber, a->ssa, low);
  mlir::Value atLeast =
      cuda_tile::MaxFOp::create(b, loc, source, number, low, mlir::UnitAttr(), mlir::UnitAttr());
  mlir::Value clamped =
      cuda_tile::MinFOp::create(b, loc, source, atLeast, high, mlir::UnitAttr(), mlir::UnitAttr());
  auto rounding = cuda_tile::RoundingModeAttr::get(&k.context(), RoundingMode::NEAREST_INT_TO_ZERO);
  auto signedness = cuda_tile::SignednessAttr::get(&k.context(), isSigned ? Signedness::Signed
                                                                          : Signedness::Unsigned);
  mlir::Value result = cuda_tile::FToIOp::create(b, loc, k.tileType(a->shape(), element), clamped,
                                                 signedness, rounding, mlir::UnitAttr());
  k.define(result, {isSigned ? range : Range::full(width)});
  return true;
}

/// Numbers around a limit of integers so wide, in steps of a half.
TileValue aroundLimit(KernelBuilder &k, ChoiceStream &s, llvm::ArrayRef<int64_t> shape,
                      unsigned width) {
  k.note("ftoi-at-limit");
  const int bits = static_cast<int>(width);
  const double limits[] = {-std::ldexp(1.0, bits - 1), -std::ldexp(1.0, bits - 1),
                           std::ldexp(1.0, bits - 1), std::ldexp(1.0, bits)};
  const double limit = limits[s.below(4)];
  mlir::FloatType real =
      width > 16 || s.chance(40) ? k.builder().getF64Type() : k.builder().getF32Type();
  cuda_tile::TileType type = k.tileType(shape, real);
  const Int first = s.between(0, 8);
  llvm::SmallVector<mlir::Attribute> values;
  for (int64_t i = 0; i < type.getNumElements(); ++i) {
    const auto halves = static_cast<double>((first + i) % 9 - 4);
    values.push_back(mlir::FloatAttr::get(real, limit + halves / 2));
  }
  return {cuda_tile::ConstantOp::create(
              k.builder(), k.loc(), type,
              llvm::cast<mlir::DenseIntOrFPElementsAttr>(
                  static_cast<mlir::Attribute>(mlir::DenseElementsAttr::get(type, values)))),
          {}};
}

/// Saturating: any number has a result, NaN gives zero. Often numbers around a limit of the type.
bool applySaturate(KernelBuilder &k, ChoiceStream &s) {
  std::optional<TileValue> a = findFloat(k, s);
  if (!a)
    return false;
  mlir::Type element = k.pickElement(s, Kind::Int);
  unsigned width = widthOf(element);
  if (width == 1)
    return false;
  if (s.chance(60))
    a = aroundLimit(k, s, a->shape(), width);
  auto rounding = cuda_tile::RoundingModeAttr::get(&k.context(), RoundingMode::NEAREST_INT_TO_ZERO);
  auto signedness = cuda_tile::SignednessAttr::get(
      &k.context(), s.chance(50) ? Signedness::Signed : Signedness::Unsigned);
  k.define(cuda_tile::FToIOp::create(k.builder(), k.loc(), k.tileType(a->shape(), element), a->ssa,
                                     signedness, rounding, k.builder().getUnitAttr()),
           {Range::full(width)});
  return true;
}

/// Any non-zero number is true, NaN too.
bool applyFloatToBool(KernelBuilder &k, ChoiceStream &s) {
  std::optional<TileValue> a = findFloat(k, s);
  if (!a)
    return false;
  auto rounding = cuda_tile::RoundingModeAttr::get(&k.context(), RoundingMode::NEAREST_INT_TO_ZERO);
  auto signedness = cuda_tile::SignednessAttr::get(
      &k.context(), s.chance(50) ? Signedness::Signed : Signedness::Unsigned);
  k.define(cuda_tile::FToIOp::create(k.builder(), k.loc(), k.tileType(a->shape(), k.intType(1)),
                                     a->ssa, signedness, rounding, mlir::UnitAttr()),
           {Range::full(1)});
  return true;
}

/// A rounding mode that 13.4 allows for this change of format.
RoundingMode chooseRounding(KernelBuilder &k, ChoiceStream &s, mlir::Type from, mlir::Type to) {
  if (k.version() < 4 || !s.chance(75))
    return RoundingMode::NEAREST_EVEN;
  static constexpr RoundingMode kModes[] = {RoundingMode::NEAREST_EVEN, RoundingMode::ZERO,
                                            RoundingMode::NEGATIVE_INF, RoundingMode::POSITIVE_INF,
                                            RoundingMode::NEAREST_AWAY};
  size_t count = widthOf(to) > widthOf(from) ? 5 : from.isF64() && to.isF32() ? 4 : 2;
  RoundingMode mode = s.pick(llvm::ArrayRef<RoundingMode>(kModes).take_front(count));
  k.note(("ftof-" + cuda_tile::stringifyRoundingMode(mode)).str());
  return mode;
}

bool applyFloatToFloat(KernelBuilder &k, ChoiceStream &s) {
  std::optional<TileValue> a = findFloat(k, s);
  if (!a)
    return false;
  mlir::Type element = k.pickElement(s, Kind::Float);
  if (element == a->element())
    return false;
  k.define(cuda_tile::FToFOp::create(k.builder(), k.loc(), k.tileType(a->shape(), element), a->ssa,
                                     chooseRounding(k, s, a->element(), element)),
           {});
  return true;
}

/// Numbers half way between two neighbours of a narrower format, some a little off: rounded by way
/// of a third format, or as ties should not be, they become the wrong one of the two.
bool applyTie(KernelBuilder &k, ChoiceStream &s) {
  mlir::OpBuilder &b = k.builder();
  std::optional<TileValue> a = k.find(
      s, [](const TileValue &v) { return isFloat(v.element()) && widthOf(v.element()) <= 32; });
  if (!a)
    return false;
  mlir::Type narrow = a->element();
  mlir::Type wide = narrow.isF32() || s.chance(70) ? mlir::Type(b.getF64Type()) : b.getF32Type();
  unsigned precision = llvm::cast<mlir::FloatType>(narrow).getFPMantissaWidth();
  cuda_tile::TileType type = k.tileType(a->shape(), wide);
  mlir::Location loc = k.loc();
  auto mode = cuda_tile::RoundingModeAttr::get(&k.context(), RoundingMode::NEAREST_EVEN);
  auto widened = [&](mlir::Value value) -> mlir::Value {
    return cuda_tile::FToFOp::create(b, loc, type, value, RoundingMode::NEAREST_EVEN);
  };
  auto scaled = [&](mlir::Value value, double factor) -> mlir::Value {
    return cuda_tile::MulFOp::create(b, loc, type, value, k.floatConstant(type, factor).ssa, mode,
                                     mlir::UnitAttr());
  };
  // 0.75 to 1.5 units in the last place more: the next number when rounded, if not subnormal.
  mlir::Value exact = widened(a->ssa);
  mlir::Value next = scaled(exact, 1 + std::ldexp(0.75, 1 - static_cast<int>(precision)));
  next = widened(
      cuda_tile::FToFOp::create(b, loc, a->type(), next, RoundingMode::NEAREST_EVEN).getResult());
  mlir::Value tie =
      scaled(cuda_tile::AddFOp::create(b, loc, type, exact, next, mode, mlir::UnitAttr()), 0.5);
  // Off by less than any narrower format shows.
  double nudge = std::ldexp(1.0, -static_cast<int>(precision) - (wide.isF64() ? 20 : 8));
  static constexpr int kSigns[] = {-1, 0, 1};
  if (int sign = kSigns[s.below(3)])
    tie = scaled(tie, 1 + sign * nudge);
  k.define(cuda_tile::FToFOp::create(b, loc, a->type(), tie, chooseRounding(k, s, wide, narrow)),
           {});
  return true;
}

/// Integer bits read as a float of the same width. The other direction would show the payload of a
/// NaN.
bool applyBitcast(KernelBuilder &k, ChoiceStream &s) {
  std::optional<TileValue> a = findInt(k, s, 16, 64);
  if (!a)
    return false;
  mlir::OpBuilder &b = k.builder();
  unsigned width = widthOf(a->element());
  mlir::Type element = width == 64    ? mlir::Type(b.getF64Type())
                       : width == 32  ? mlir::Type(b.getF32Type())
                       : s.chance(50) ? mlir::Type(b.getF16Type())
                                      : mlir::Type(b.getBF16Type());
  k.define(cuda_tile::BitcastOp::create(b, k.loc(), k.tileType(a->shape(), element), a->ssa), {});
  return true;
}

} // namespace

llvm::ArrayRef<Rule> tilesmith::generators::conversionRules() {
  static constexpr Rule kRules[] = {
      {"exti", 4, applyExtend},
      {"trunci", 4, applyTruncate},
      {"itof", 6, applyIntToFloat},
      {"ftoi", 5, applyFloatToInt},
      {"ftof", 10, applyFloatToFloat},
      {"ftof-tie", 2, applyTie},
      {"bitcast", 2, applyBitcast},
      {"ftoi-saturating", 6, applySaturate, 4, "every number has a result"},
      {"ftoi-i1", 1, applyFloatToBool, 1, "every number has a result"},
  };
  return kRules;
}
