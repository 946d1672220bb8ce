//===- IntegerRules.cpp - integer and bitwise arithmetic --------------------------------------===//
//
// Promises: no division by zero and no overflowing quotient, no shift by the width or more, and an
// overflow flag only where the ranges of the operands prove that nothing wraps.
//
//===------------------------------------------------------------------------------------------===//
#include "generators/program/Rules.h"

using namespace tilesmith;
using namespace tilesmith::generators;
using cuda_tile::IntegerOverflow;
using cuda_tile::RoundingMode;
using cuda_tile::Signedness;

namespace {

/// The type of an integer statement: some integer element, some shape.
cuda_tile::TileType chooseType(KernelBuilder &k, ChoiceStream &s) {
  return k.pickType(s, Kind::Int);
}

Signedness chooseSignedness(ChoiceStream &s) {
  return s.chance(50) ? Signedness::Signed : Signedness::Unsigned;
}

/// A flag that the exact (unwrapped) range of the result allows. Operands decide whether the
/// unsigned reading of the operation is the same as the signed one.
IntegerOverflow chooseOverflow(ChoiceStream &s, Range exact, unsigned width,
                               bool operandsNonNegative) {
  bool nsw = exact.fits(width);
  bool nuw = operandsNonNegative && exact.within(0, unsignedMax(width));
  uint8_t wish = static_cast<uint8_t>(s.below(4));
  return static_cast<IntegerOverflow>((nsw ? wish & 1 : 0) | (nuw ? wish & 2 : 0));
}

template <typename Op, typename Function>
bool wrappingBinary(KernelBuilder &k, ChoiceStream &s, Function exactRange) {
  cuda_tile::TileType type = chooseType(k, s);
  unsigned width = widthOf(type.getElementType());
  TileValue a = k.use(s, type), b = k.use(s, type);
  Range exact = exactRange(a.facts.range, b.facts.range);
  IntegerOverflow overflow =
      chooseOverflow(s, exact, width, a.facts.range.nonNegative() && b.facts.range.nonNegative());
  mlir::Value result = Op::create(k.builder(), k.loc(), type, a.ssa, b.ssa, overflow);
  k.define(result, {exact.wrapped(width)});
  return true;
}

bool applyAdd(KernelBuilder &k, ChoiceStream &s) {
  return wrappingBinary<cuda_tile::AddIOp>(
      k, s, [](Range a, Range b) { return Range{a.low + b.low, a.high + b.high}; });
}
bool applySub(KernelBuilder &k, ChoiceStream &s) {
  return wrappingBinary<cuda_tile::SubIOp>(
      k, s, [](Range a, Range b) { return Range{a.low - b.high, a.high - b.low}; });
}
bool applyMul(KernelBuilder &k, ChoiceStream &s) {
  return wrappingBinary<cuda_tile::MulIOp>(k, s, [](Range a, Range b) {
    return Range::corners(a, b, [](Int x, Int y) { return x * y; });
  });
}

bool applyNeg(KernelBuilder &k, ChoiceStream &s) {
  cuda_tile::TileType type = chooseType(k, s);
  unsigned width = widthOf(type.getElementType());
  TileValue a = k.use(s, type);
  Range exact = {-a.facts.range.high, -a.facts.range.low};
  // The flag of negi is new in 13.2, and `no unsigned wrap` alone is not allowed.
  bool nsw = k.version() >= 2 && exact.fits(width) && s.chance(40);
  mlir::Value result = cuda_tile::NegIOp::create(
      k.builder(), k.loc(), type, a.ssa, nsw ? IntegerOverflow::NSW : IntegerOverflow::NONE);
  k.define(result, {exact.wrapped(width)});
  return true;
}

bool applyAbs(KernelBuilder &k, ChoiceStream &s) {
  cuda_tile::TileType type = chooseType(k, s);
  unsigned width = widthOf(type.getElementType());
  TileValue a = k.use(s, type);
  Range r = a.facts.range;
  Int low = r.low > 0 ? r.low : r.high < 0 ? -r.high : 0;
  Range exact = {low, std::max(-r.low, r.high)};
  k.define(cuda_tile::AbsIOp::create(k.builder(), k.loc(), type, a.ssa), {exact.wrapped(width)});
  return true;
}

bool applyMulHigh(KernelBuilder &k, ChoiceStream &s) {
  cuda_tile::TileType type = chooseType(k, s);
  unsigned width = widthOf(type.getElementType());
  TileValue a = k.use(s, type), b = k.use(s, type);
  Range result = Range::full(width);
  if (a.facts.range.nonNegative() && b.facts.range.nonNegative())
    result = {0, (a.facts.range.high * b.facts.range.high) >> width};
  k.define(cuda_tile::MulhiIOp::create(k.builder(), k.loc(), type, a.ssa, b.ssa), {result});
  return true;
}

template <typename Op> bool minMax(KernelBuilder &k, ChoiceStream &s, bool isMax) {
  cuda_tile::TileType type = chooseType(k, s);
  TileValue a = k.use(s, type), b = k.use(s, type);
  Signedness signedness = chooseSignedness(s);
  Range x = a.facts.range, y = b.facts.range;
  Range result = x.unite(y);
  if (signedness == Signedness::Signed || (x.nonNegative() && y.nonNegative()))
    result = isMax ? Range{std::max(x.low, y.low), std::max(x.high, y.high)}
                   : Range{std::min(x.low, y.low), std::min(x.high, y.high)};
  k.define(Op::create(k.builder(), k.loc(), type, a.ssa, b.ssa, signedness), {result});
  return true;
}
bool applyMax(KernelBuilder &k, ChoiceStream &s) {
  return minMax<cuda_tile::MaxIOp>(k, s, true);
}
bool applyMin(KernelBuilder &k, ChoiceStream &s) {
  return minMax<cuda_tile::MinIOp>(k, s, false);
}

/// The smallest 2^m - 1 that is at least `value`, for the range of or and xor.
Int maskAbove(Int value) {
  Int mask = 0;
  while (mask < value)
    mask = 2 * mask + 1;
  return mask;
}

template <typename Op> bool bitwise(KernelBuilder &k, ChoiceStream &s, bool isAnd) {
  cuda_tile::TileType type = chooseType(k, s);
  unsigned width = widthOf(type.getElementType());
  TileValue a = k.use(s, type), b = k.use(s, type);
  Range x = a.facts.range, y = b.facts.range;
  Range result = Range::full(width);
  if (isAnd && (x.nonNegative() || y.nonNegative()))
    result = {0, x.nonNegative() && y.nonNegative() ? std::min(x.high, y.high)
                 : x.nonNegative()                  ? x.high
                                                    : y.high};
  else if (x.nonNegative() && y.nonNegative())
    result = {0, maskAbove(std::max(x.high, y.high))};
  k.define(Op::create(k.builder(), k.loc(), type, a.ssa, b.ssa), {result});
  return true;
}
bool applyAnd(KernelBuilder &k, ChoiceStream &s) {
  return bitwise<cuda_tile::AndIOp>(k, s, true);
}
bool applyOr(KernelBuilder &k, ChoiceStream &s) {
  return bitwise<cuda_tile::OrIOp>(k, s, false);
}
bool applyXor(KernelBuilder &k, ChoiceStream &s) {
  return bitwise<cuda_tile::XOrIOp>(k, s, false);
}

/// `value & mask`, in [0, mask], for a mask of the form 2^m - 1.
TileValue masked(KernelBuilder &k, TileValue value, Int mask) {
  cuda_tile::TileType type = value.type();
  mlir::Value result = cuda_tile::AndIOp::create(k.builder(), k.loc(), type, value.ssa,
                                                 k.intConstant(type, mask).ssa);
  return k.define(
      result,
      {{0, std::min(mask, value.facts.range.nonNegative() ? value.facts.range.high : mask)}});
}

/// An amount in [0, width - 1].
TileValue shiftAmount(KernelBuilder &k, ChoiceStream &s, cuda_tile::TileType type) {
  unsigned width = widthOf(type.getElementType());
  TileValue amount = k.use(s, type);
  if (amount.facts.range.within(0, width - 1))
    return amount;
  return masked(k, amount, width - 1);
}

bool applyShiftLeft(KernelBuilder &k, ChoiceStream &s) {
  cuda_tile::TileType type = chooseType(k, s);
  unsigned width = widthOf(type.getElementType());
  TileValue a = k.use(s, type), amount = shiftAmount(k, s, type);
  Range exact = Range::corners(a.facts.range, amount.facts.range,
                               [](Int x, Int y) { return x * (Int(1) << y); });
  IntegerOverflow overflow = chooseOverflow(s, exact, width, a.facts.range.nonNegative());
  k.define(cuda_tile::ShLIOp::create(k.builder(), k.loc(), type, a.ssa, amount.ssa, overflow),
           {exact.wrapped(width)});
  return true;
}

bool applyShiftRight(KernelBuilder &k, ChoiceStream &s) {
  cuda_tile::TileType type = chooseType(k, s);
  unsigned width = widthOf(type.getElementType());
  TileValue a = k.use(s, type), amount = shiftAmount(k, s, type);
  Signedness signedness = chooseSignedness(s);
  Range result = Range::full(width);
  if (signedness == Signedness::Signed || a.facts.range.nonNegative())
    result = Range::corners(a.facts.range, amount.facts.range, [](Int x, Int y) { return x >> y; });
  k.define(cuda_tile::ShRIOp::create(k.builder(), k.loc(), type, a.ssa, amount.ssa, signedness),
           {result});
  return true;
}

/// A divisor that is not zero; for signed division of a dividend that may be the smallest number,
/// not minus one.
TileValue divisor(KernelBuilder &k, ChoiceStream &s, cuda_tile::TileType type,
                  Signedness signedness, Range dividend) {
  unsigned width = widthOf(type.getElementType());
  TileValue value = k.use(s, type);
  if (signedness == Signedness::Unsigned) {
    mlir::Value odd = cuda_tile::OrIOp::create(k.builder(), k.loc(), type, value.ssa,
                                               k.intConstant(type, width == 1 ? -1 : 1).ssa);
    Range range = value.facts.range;
    Range result = range.nonNegative() ? Range{1, range.high | 1} : Range::full(width);
    return k.define(odd, {width == 1 ? Range::point(-1) : result}); // a set bit alone reads as -1
  }
  // Signed: at least 2^(width-1) - 1 odd numbers to choose from, all positive; then maybe negative
  // ones.
  TileValue positive = value.facts.range.nonNegative() ? value : masked(k, value, signedMax(width));
  mlir::Value odd = cuda_tile::OrIOp::create(k.builder(), k.loc(), type, positive.ssa,
                                             k.intConstant(type, 1).ssa);
  TileValue result = k.define(odd, {{1, positive.facts.range.high | 1}});
  if (dividend.low > signedMin(width) && s.chance(50)) {
    mlir::Value negative =
        cuda_tile::NegIOp::create(k.builder(), k.loc(), type, result.ssa, IntegerOverflow::NONE);
    result = k.define(negative, {{-result.facts.range.high, -1}});
  }
  return result;
}

/// One-bit signed numbers are 0 and -1, and -1 / -1 overflows: those are divided as unsigned only.
Signedness divisionSignedness(ChoiceStream &s, unsigned width) {
  Signedness signedness = chooseSignedness(s);
  return width == 1 ? Signedness::Unsigned : signedness;
}

bool applyDiv(KernelBuilder &k, ChoiceStream &s) {
  cuda_tile::TileType type = chooseType(k, s);
  unsigned width = widthOf(type.getElementType());
  Signedness signedness = divisionSignedness(s, width);
  TileValue a = k.use(s, type), b = divisor(k, s, type, signedness, a.facts.range);
  RoundingMode rounding = RoundingMode::ZERO;
  if (s.chance(40))
    rounding = signedness == Signedness::Signed && s.chance(50) ? RoundingMode::NEGATIVE_INF
                                                                : RoundingMode::POSITIVE_INF;
  Range result = Range::full(width);
  Range x = a.facts.range;
  if (signedness == Signedness::Signed || (x.nonNegative() && b.facts.range.nonNegative())) {
    Int bound = std::max(x.low < 0 ? -x.low : x.low, x.high < 0 ? -x.high : x.high);
    result =
        Range{x.nonNegative() && b.facts.range.nonNegative() ? 0 : -bound, bound}.wrapped(width);
  }
  k.define(
      cuda_tile::DivIOp::create(k.builder(), k.loc(), type, a.ssa, b.ssa, signedness, rounding),
      {result});
  return true;
}

bool applyRem(KernelBuilder &k, ChoiceStream &s) {
  cuda_tile::TileType type = chooseType(k, s);
  unsigned width = widthOf(type.getElementType());
  Signedness signedness = divisionSignedness(s, width);
  TileValue a = k.use(s, type), b = divisor(k, s, type, signedness, a.facts.range);
  Range result = Range::full(width);
  Range y = b.facts.range;
  Int bound = std::max(y.low < 0 ? -y.low : y.low, y.high < 0 ? -y.high : y.high) - 1;
  if (signedness == Signedness::Signed)
    result = {a.facts.range.nonNegative() ? 0 : -bound, bound};
  else if (y.nonNegative())
    result = {0, bound};
  k.define(cuda_tile::RemIOp::create(k.builder(), k.loc(), type, a.ssa, b.ssa, signedness),
           {result});
  return true;
}

} // namespace

llvm::ArrayRef<Rule> tilesmith::generators::integerRules() {
  static constexpr Rule kRules[] = {
      {"addi", 6, applyAdd},        {"subi", 5, applySub}, {"muli", 5, applyMul},
      {"negi", 2, applyNeg},        {"absi", 2, applyAbs}, {"mulhii", 2, applyMulHigh},
      {"maxi", 3, applyMax},        {"mini", 3, applyMin}, {"andi", 3, applyAnd},
      {"ori", 3, applyOr},          {"xori", 3, applyXor}, {"shli", 3, applyShiftLeft},
      {"shri", 3, applyShiftRight}, {"divi", 4, applyDiv}, {"remi", 4, applyRem},
  };
  return kRules;
}
