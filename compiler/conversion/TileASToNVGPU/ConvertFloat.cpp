//===- ConvertFloat.cpp - conversions between floating-point formats, one rounding each -------===//
//
// f16, bf16, f32, f64 convert with arith; all other formats are spelled with integer arithmetic, so
// that every target (and the emulator) computes the same bits (pairs of f32 in tiles become f8, and pairs
// of f8 wider, by one instruction from -O2 on: emitPacked):
//   * e4m3fn, e5m2, e2m1
//      - widening places the magnitude bits below an f32 exponent and scales by a power of two,
//        which is exact;
//      - narrowing rounds to nearest even on the f32 bits, subnormal results through one f32
//        addition; finite overflow and infinities saturate, NaN becomes the NaN code (e2m1 has
//        none: the maximum);
//   * e8m0 means 2^(code - 127); narrowing takes the exponent, rounding toward zero or +inf;
//   * tf32 is an f32 whose low 13 bits are zero.
// A source that is wider than f32 is first rounded to odd in f32, which keeps the final rounding
// single.
//
// Rounding modes other than nearest even start from the nearest result and step to the neighbour
// where it lies on the wrong side of the exact value.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/conversion/TileASToNVGPU/Emitter.h"
#include "compiler/support/Plants.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas_to_nvgpu;

namespace {

/// A sign, exponent, mantissa format of at most 8 bits.
struct SmallFormat {
  unsigned mantissa;  ///< explicit mantissa bits
  unsigned bias;      ///< exponent bias
  unsigned signShift; ///< position of the sign bit
  uint32_t maxFinite; ///< magnitude code of the largest finite value
  uint32_t nan;       ///< a NaN magnitude code; 0: the format has none
  uint32_t infinity;  ///< magnitude code of infinity; 0: the format has none
};

std::optional<SmallFormat> smallFormat(Type type) {
  if (isa<Float8E4M3FNType>(type))
    return SmallFormat{3, 7, 7, 0x7e, 0x7f, 0};
  if (isa<Float8E5M2Type>(type))
    return SmallFormat{2, 15, 7, 0x7b, 0x7f, 0x7c};
  if (isa<Float4E2M1FNType>(type))
    return SmallFormat{1, 1, 3, 0x7, 0, 0};
  return std::nullopt;
}

bool isPlain(Type type) {
  return type.isF16() || type.isBF16() || type.isF32() || type.isF64();
}

class FloatConverter {
public:
  explicit FloatConverter(Emitter &e) : e(e), b(e.builder), f32(e.builder.getF32Type()) {}

  /// Any format to f32, f16, bf16 or f64 by way of an exact f32 (f64 stays f64).
  Value widen(Value value, Type from) {
    if (isPlain(from))
      return value;
    if (isa<FloatTF32Type>(from))
      return fromBits(and_(bitsOf(value), ~0x1fffu));
    Value code = arith::ExtUIOp::create(b, e.loc, b.getI32Type(), value);
    if (isa<Float8E8M0FNUType>(from)) {
      Value normal = shl(code, 23);
      Value small = TILESMITH_PLANT("scale-smallest-is-zero")
                        ? normal
                        : select(eq(code, 0), word(0x00400000), normal); // 2^-127
      Value highest =
          TILESMITH_PLANT("scale-nan-is-infinity") ? word(0x7f800000) : word(0x7fc00000);
      return fromBits(select(eq(code, 0xff), highest, small));
    }
    SmallFormat format = *smallFormat(from);
    Value magnitude = and_(code, (1u << format.signShift) - 1);
    Value placed = fromBits(shl(magnitude, 23 - format.mantissa));
    Value scaled =
        arith::MulFOp::create(b, e.loc, placed, number(std::ldexp(1.0, 127 - format.bias)));
    Value bits = bitsOf(scaled);
    if (format.mantissa == 2 && TILESMITH_PLANT("f8-subnormals-widen-to-zero"))
      bits = select(greater(magnitude, 3), bits, word(0));
    if (format.infinity && !TILESMITH_PLANT("f8-infinity-as-number"))
      bits = select(eq(magnitude, format.infinity), word(0x7f800000), bits);
    if (format.nan && !TILESMITH_PLANT("f8-nan-as-number")) {
      Value isNaN =
          format.infinity ? greater(magnitude, format.infinity) : eq(magnitude, format.nan);
      bits = select(isNaN, word(0x7fc00000), bits);
    }
    Value sign = shl(shr(code, format.signShift), 31);
    sign = and_(sign, TILESMITH_PLANT("f8-sign-dropped") ? 0u : 0x80000000u);
    if (format.mantissa == 3 && TILESMITH_PLANT("f8-negative-zero-is-nan"))
      bits = select(eq(code, 0x80), word(0x7fc00000), bits);
    return fromBits(arith::OrIOp::create(b, e.loc, bits, sign));
  }

  /// A plain float to f32 without losing what a later rounding needs: f64 is rounded to odd.
  Value toF32Odd(Value value) {
    Type type = value.getType();
    if (type.isF32())
      return value;
    if (!type.isF64())
      return arith::ExtFOp::create(b, e.loc, f32, value);
    Value nearest = arith::TruncFOp::create(b, e.loc, f32, value);
    Value back = arith::ExtFOp::create(b, e.loc, type, nearest);
    Value bits = bitsOf(nearest);
    Value away =
        arith::CmpFOp::create(b, e.loc, arith::CmpFPredicate::OGT, absolute(back), absolute(value));
    Value truncated =
        TILESMITH_PLANT("odd-rounding-above-tie") ? bits : select(away, sub(bits, word(1)), bits);
    Value odd = arith::OrIOp::create(b, e.loc, truncated, word(1));
    Value inexact = arith::CmpFOp::create(b, e.loc, arith::CmpFPredicate::ONE, back, value);
    return fromBits(TILESMITH_PLANT("f16-double-rounding-of-f64") ? bits
                                                                  : select(inexact, odd, bits));
  }

  /// f32 to a small format, nearest even, saturating.
  Value narrow(Value value, SmallFormat format, Type from) {
    if (format.signShift == 7 && TILESMITH_PLANT("f8-double-rounding-through-half")) {
      Value half = arith::TruncFOp::create(b, e.loc, b.getF16Type(), value);
      value = arith::ExtFOp::create(b, e.loc, f32, half);
    }
    bool tiesUp = from.isF16() && format.mantissa == 2 && TILESMITH_PLANT("f8-half-ties-up");
    Value bits = bitsOf(value);
    Value magnitude = and_(bits, 0x7fffffff);
    unsigned drop = 23 - format.mantissa;
    // Normal results: round the mantissa on the bit pattern, then move the exponent.
    Value odd = TILESMITH_PLANT("f8-ties-away") || tiesUp ? word(1) : and_(shr(magnitude, drop), 1);
    Value rounded = shr(add(magnitude, add(odd, word((1u << (drop - 1)) - 1))), drop);
    rounded = sub(rounded, word((127 - format.bias) << format.mantissa));
    // Subnormal results: adding 2^(emin - mantissa + 23) leaves the count of quanta in the low
    // bits.
    int smallestNormal = 1 - static_cast<int>(format.bias);
    double magic = std::ldexp(1.0, smallestNormal - static_cast<int>(format.mantissa) + 23);
    Value sum = arith::AddFOp::create(b, e.loc, fromBits(magnitude), number(magic));
    Value quanta = sub(bitsOf(sum), bitsOf(number(magic)));
    Value limit = bitsOf(number(std::ldexp(1.0, smallestNormal)));
    Value isSmall = arith::CmpIOp::create(b, e.loc, arith::CmpIPredicate::ult, magnitude, limit);
    Value code =
        TILESMITH_PLANT("f8-subnormals-not-rounded") ? rounded : select(isSmall, quanta, rounded);
    Value overflow =
        arith::CmpIOp::create(b, e.loc, arith::CmpIPredicate::sgt, code, word(format.maxFinite));
    if (!TILESMITH_PLANT("f8-overflow-not-clamped"))
      code = select(overflow, word(format.maxFinite), code);
    if (format.infinity && TILESMITH_PLANT("f8-infinity-kept"))
      code = select(eq(magnitude, 0x7f800000), word(format.infinity), code);
    code = select(greater(magnitude, 0x7f800000), word(format.nan ? format.nan : format.maxFinite),
                  code);
    Value sign = and_(shr(bits, 31 - format.signShift), 1u << format.signShift);
    code = arith::OrIOp::create(b, e.loc, code, sign);
    return arith::TruncIOp::create(b, e.loc, b.getI8Type(), code);
  }

  /// f32 to e8m0: exponent of the magnitude, one more when rounding up an inexact value. Not
  /// positive or NaN: 0xff.
  Value narrowScale(Value value, StringRef rounding) {
    Value bits = bitsOf(value);
    Value exponent = and_(shr(bits, 23), 0xff), fraction = and_(bits, 0x7fffff);
    if (rounding == "positive_inf" && !TILESMITH_PLANT("scale-rounds-down")) {
      Value inexact = arith::CmpIOp::create(b, e.loc, arith::CmpIPredicate::ne, fraction, word(0));
      // Subnormals: 2^-127 is half of the smallest normal and has code 0.
      Value small =
          arith::CmpIOp::create(b, e.loc, arith::CmpIPredicate::ule, fraction, word(0x400000));
      Value stays = arith::AndIOp::create(b, e.loc, small, eq(exponent, 0));
      Value up = arith::ExtUIOp::create(b, e.loc, b.getI32Type(), inexact);
      if (!TILESMITH_PLANT("scale-smallest-rounded-up"))
        up = select(stays, word(0), up);
      exponent = add(exponent, up);
    }
    Value bad = greater(bits, 0x7f7fffff); // negative, infinite or NaN
    exponent = select(bad, word(0xff), exponent);
    exponent = select(eq(bits, 0), word(0xff), exponent);
    return arith::TruncIOp::create(b, e.loc, b.getI8Type(), exponent);
  }

  /// f32 to the f32 that holds a tf32.
  Value narrowTF32(Value value, StringRef rounding) {
    Value bits = bitsOf(value), moved = bits;
    if (rounding == "nearest_even" && !TILESMITH_PLANT("tf32-truncates"))
      moved = add(bits, add(and_(shr(bits, 13), 1), word(0xfff)));
    else if (rounding == "nearest_away")
      moved = add(bits, word(0x1000));
    Value cut = and_(moved, ~0x1fffu); // infinity stays what it is
    Value isNaN = arith::CmpFOp::create(b, e.loc, arith::CmpFPredicate::UNO, value, value);
    return fromBits(TILESMITH_PLANT("tf32-nan-wraps") ? cut : select(isNaN, word(0x7fc00000), cut));
  }

  /// Between plain formats.
  Value plain(Value value, Type to, StringRef rounding) {
    Type from = value.getType();
    if (from == to)
      return value;
    unsigned fromBits = from.getIntOrFloatBitWidth(), toBits = to.getIntOrFloatBitWidth();
    if (fromBits == 16 && toBits == 16) // f16 and bf16: f32 holds both
      return plain(arith::ExtFOp::create(b, e.loc, f32, value), to,
                   TILESMITH_PLANT("half-to-half-always-nearest") ? "nearest_even" : rounding);
    if (fromBits < toBits)
      return arith::ExtFOp::create(b, e.loc, to, value);
    Value nearest = arith::TruncFOp::create(b, e.loc, to, value);
    return rounding == "nearest_even" ? nearest : step(nearest, value, rounding);
  }

private:
  /// Moves `nearest` to its neighbour where it lies on the wrong side of `exact`.
  Value step(Value nearest, Value exact, StringRef rounding) {
    Type type = nearest.getType(), integer = b.getIntegerType(type.getIntOrFloatBitWidth());
    Value back = arith::ExtFOp::create(b, e.loc, exact.getType(), nearest);
    Value bits = arith::BitcastOp::create(b, e.loc, integer, nearest);
    Value one = arith::ConstantIntOp::create(b, e.loc, integer, 1);
    Value zero = arith::ConstantIntOp::create(b, e.loc, integer, 0);
    Value closer = arith::SubIOp::create(b, e.loc, bits, one);  // magnitude down
    Value farther = arith::AddIOp::create(b, e.loc, bits, one); // magnitude up
    Value moved, wrong;
    if (rounding == "zero") {
      wrong = arith::CmpFOp::create(b, e.loc, arith::CmpFPredicate::OGT, absolute(back),
                                    absolute(exact));
      moved = closer;
    } else {
      bool up = rounding == "positive_inf";
      auto predicate = up ? arith::CmpFPredicate::OLT : arith::CmpFPredicate::OGT;
      wrong = arith::CmpFOp::create(b, e.loc, predicate, back, exact);
      Value negative = arith::CmpIOp::create(b, e.loc, arith::CmpIPredicate::slt, bits, zero);
      moved = up ? select(negative, closer, farther) : select(negative, farther, closer);
    }
    if (TILESMITH_PLANT("narrowing-overflow-ignores-direction")) {
      auto real = cast<FloatType>(back.getType());
      Value infinity = arith::ConstantOp::create(
          b, e.loc, FloatAttr::get(real, APFloat::getInf(real.getFloatSemantics())));
      Value finite =
          arith::CmpFOp::create(b, e.loc, arith::CmpFPredicate::ONE, absolute(back), infinity);
      wrong = arith::AndIOp::create(b, e.loc, wrong, finite);
    }
    Value result = select(wrong, moved, bits);
    return arith::BitcastOp::create(b, e.loc, type, result);
  }

  Value word(uint32_t value) { return e.i32(static_cast<int32_t>(value)); }
  Value number(double value) {
    return arith::ConstantOp::create(b, e.loc, FloatAttr::get(f32, value));
  }
  Value bitsOf(Value value) { return arith::BitcastOp::create(b, e.loc, b.getI32Type(), value); }
  Value fromBits(Value bits) { return arith::BitcastOp::create(b, e.loc, f32, bits); }
  Value absolute(Value value) { return math::AbsFOp::create(b, e.loc, value); }
  Value add(Value x, Value y) { return e.add(x, y); }
  Value sub(Value x, Value y) { return arith::SubIOp::create(b, e.loc, x, y); }
  Value and_(Value x, uint32_t mask) { return arith::AndIOp::create(b, e.loc, x, word(mask)); }
  Value shl(Value x, unsigned n) { return arith::ShLIOp::create(b, e.loc, x, word(n)); }
  Value shr(Value x, unsigned n) { return arith::ShRUIOp::create(b, e.loc, x, word(n)); }
  Value select(Value c, Value x, Value y) { return arith::SelectOp::create(b, e.loc, c, x, y); }
  Value eq(Value x, uint32_t value) {
    return arith::CmpIOp::create(b, e.loc, arith::CmpIPredicate::eq, x, word(value));
  }
  Value greater(Value x, uint32_t value) {
    return arith::CmpIOp::create(b, e.loc, arith::CmpIPredicate::ugt, x, word(value));
  }

  Emitter &e;
  OpBuilder &b;
  Type f32;
};

} // namespace

Value Emitter::convertFloat(Value value, Type from, Type to, StringRef rounding) {
  if (from == to)
    return value;
  FloatConverter convert(*this);
  value = convert.widen(value, from);
  if (isPlain(to))
    return convert.plain(value, to, rounding);
  value = convert.toF32Odd(value);
  if (isa<Float8E8M0FNUType>(to))
    return convert.narrowScale(value, rounding);
  if (isa<FloatTF32Type>(to))
    return convert.narrowTF32(value, rounding);
  return convert.narrow(value, *smallFormat(to), from);
}
