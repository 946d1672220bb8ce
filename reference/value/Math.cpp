//===- Math.cpp - correctly rounded transcendental functions ----------------------------------===//
//
// MPFR computes in exactly the precision and exponent range of the format: set the exponent range,
// evaluate with one rounding, then mpfr_subnormalize repairs the rounding of results below the
// normal range. The exponent range is restored afterwards because it is global to the thread.
//
// Most results do not need it. A wider value of the host that is off by less than the slack below
// (the host's functions stay within four units) rounds to one pattern unless it is next to a
// boundary: one in millions is for results of up to 24 bits, taken from float64, one in 32 for
// float64, taken from the 64 bits of x87 (where the host's long double has them).
//
//===------------------------------------------------------------------------------------------===//
#include "reference/value/Math.h"

#include <mpfr.h>

#include <cmath>
#include <limits>
#include <optional>

#include "reference/value/Float.h"

using namespace tilesmith::reference;

namespace {

/// Two operands, one result and the exponent range of a format.
class Evaluation {
public:
  explicit Evaluation(ElementType type)
      : type(type), oldMin(mpfr_get_emin()), oldMax(mpfr_get_emax()) {
    const FloatFormat &f = formatOf(type);
    mpfr_init2(result, f.precision);
    mpfr_init2(x, 64);
    mpfr_init2(y, 64);
    // MPFR's significand lies in [1/2, 1), so its exponents are one larger.
    mpfr_set_emin(f.minExponent - f.precision + 2);
    mpfr_set_emax(f.maxExponent + 1);
  }
  ~Evaluation() {
    mpfr_set_emin(oldMin);
    mpfr_set_emax(oldMax);
    mpfr_clear(result);
    mpfr_clear(x);
    mpfr_clear(y);
  }
  Evaluation(const Evaluation &) = delete;

  mpfr_t &operandX(uint64_t bits) {
    mpfr_set_d(x, decode(type, bits), MPFR_RNDN);
    return x;
  }
  mpfr_t &operandY(uint64_t bits) {
    mpfr_set_d(y, decode(type, bits), MPFR_RNDN);
    return y;
  }
  uint64_t finish(int ternary) {
    ternary = mpfr_check_range(result, ternary, MPFR_RNDN);
    mpfr_subnormalize(result, ternary, MPFR_RNDN);
    return encode(type, mpfr_get_d(result, MPFR_RNDN)); // exact
  }

  mpfr_t result;

private:
  ElementType type;
  mpfr_t x, y;
  mpfr_exp_t oldMin, oldMax;
};

template <typename Host> Host applyOnHost(UnaryFunction function, Host x) {
  switch (function) {
  case UnaryFunction::Exp:
    return std::exp(x);
  case UnaryFunction::Exp2:
    return std::exp2(x);
  case UnaryFunction::Log:
    return std::log(x);
  case UnaryFunction::Log2:
    return std::log2(x);
  case UnaryFunction::Sin:
    return std::sin(x);
  case UnaryFunction::Cos:
    return std::cos(x);
  case UnaryFunction::Tan:
    return std::tan(x);
  case UnaryFunction::Sinh:
    return std::sinh(x);
  case UnaryFunction::Cosh:
    return std::cosh(x);
  case UnaryFunction::Tanh:
    return std::tanh(x);
  case UnaryFunction::Rsqrt:
    return 1 / std::sqrt(x);
  }
  return NAN;
}

/// How far the host's value may be off, relatively: sixteen units of float64, 32 of x87.
constexpr double kSlack = 0x1p-48;
constexpr long double kWideSlack = 0x1p-58L;

/// Zeros, infinities and NaN have special cases, and results near the end of the range may be
/// subnormal: these are not decided on the host.
template <typename Host> bool isUsual(Host value) {
  return std::fabs(value) >= Host(0x1p-1000) && std::fabs(value) <= Host(0x1p1000);
}

/// The one pattern that everything near `value` rounds to.
std::optional<uint64_t> decided(ElementType type, double value) {
  if (formatOf(type).precision > 24 || !isUsual(value))
    return std::nullopt;
  uint64_t low = encode(type, value * (1 - kSlack)), high = encode(type, value * (1 + kSlack));
  return low == high ? std::optional(low) : std::nullopt;
}
std::optional<uint64_t> decidedWide(long double value) {
  if (std::numeric_limits<long double>::digits < 64 || !isUsual(value))
    return std::nullopt;
  auto low = static_cast<double>(value * (1 - kWideSlack)),
       high = static_cast<double>(value * (1 + kWideSlack));
  return low == high ? std::optional(encode(ElementType::F64, low)) : std::nullopt;
}

/// The same of a function of the host; operands that are special are not decided here either.
template <typename Function>
std::optional<uint64_t> decidedOf(ElementType type, uint64_t x, uint64_t y, Function onHost) {
  double a = decode(type, x), b = decode(type, y);
  if (!std::isfinite(a) || !std::isfinite(b) || a == 0 || b == 0)
    return std::nullopt;
  return type == ElementType::F64
             ? decidedWide(onHost(static_cast<long double>(a), static_cast<long double>(b)))
             : decided(type, onHost(a, b));
}

} // namespace

uint64_t tilesmith::reference::apply(UnaryFunction function, ElementType type, uint64_t bits) {
  if (double x = decode(type, bits); std::isfinite(x) && x != 0)
    if (auto result = type == ElementType::F64 ? decidedWide(applyOnHost<long double>(function, x))
                                               : decided(type, applyOnHost(function, x)))
      return *result;
  return applyInMpfr(function, type, bits);
}

uint64_t tilesmith::reference::applyInMpfr(UnaryFunction function, ElementType type,
                                           uint64_t bits) {
  Evaluation e(type);
  mpfr_t &x = e.operandX(bits);
  switch (function) {
  case UnaryFunction::Exp:
    return e.finish(mpfr_exp(e.result, x, MPFR_RNDN));
  case UnaryFunction::Exp2:
    return e.finish(mpfr_exp2(e.result, x, MPFR_RNDN));
  case UnaryFunction::Log:
    return e.finish(mpfr_log(e.result, x, MPFR_RNDN));
  case UnaryFunction::Log2:
    return e.finish(mpfr_log2(e.result, x, MPFR_RNDN));
  case UnaryFunction::Sin:
    return e.finish(mpfr_sin(e.result, x, MPFR_RNDN));
  case UnaryFunction::Cos:
    return e.finish(mpfr_cos(e.result, x, MPFR_RNDN));
  case UnaryFunction::Tan:
    return e.finish(mpfr_tan(e.result, x, MPFR_RNDN));
  case UnaryFunction::Sinh:
    return e.finish(mpfr_sinh(e.result, x, MPFR_RNDN));
  case UnaryFunction::Cosh:
    return e.finish(mpfr_cosh(e.result, x, MPFR_RNDN));
  case UnaryFunction::Tanh:
    return e.finish(mpfr_tanh(e.result, x, MPFR_RNDN));
  case UnaryFunction::Rsqrt:
    if (mpfr_zero_p(x)) // MPFR gives +inf for -0; the language keeps the sign
      return *infinityPattern(type, mpfr_signbit(x));
    return e.finish(mpfr_rec_sqrt(e.result, x, MPFR_RNDN));
  }
  return 0;
}

uint64_t tilesmith::reference::pow(ElementType type, uint64_t x, uint64_t y) {
  if (type != ElementType::F64) // x87 loses bits of large products of exponent and logarithm
    if (auto result = decidedOf(type, x, y, [](auto a, auto b) { return std::pow(a, b); }))
      return *result;
  return powInMpfr(type, x, y);
}
uint64_t tilesmith::reference::powInMpfr(ElementType type, uint64_t x, uint64_t y) {
  Evaluation e(type);
  return e.finish(mpfr_pow(e.result, e.operandX(x), e.operandY(y), MPFR_RNDN));
}

uint64_t tilesmith::reference::atan2(ElementType type, uint64_t y, uint64_t x) {
  if (auto result = decidedOf(type, y, x, [](auto a, auto b) { return std::atan2(a, b); }))
    return *result;
  return atan2InMpfr(type, y, x);
}
uint64_t tilesmith::reference::atan2InMpfr(ElementType type, uint64_t y, uint64_t x) {
  Evaluation e(type);
  return e.finish(mpfr_atan2(e.result, e.operandY(y), e.operandX(x), MPFR_RNDN));
}

double tilesmith::reference::powerBeforeReciprocal(ElementType type, uint64_t x, int64_t exponent) {
  ElementType wide = type == ElementType::F64 ? type : ElementType::F32;
  Evaluation e(wide);
  uint64_t operand = encode(wide, decode(type, x)); // exact
  return decode(wide, e.finish(mpfr_pow_si(e.result, e.operandX(operand), -exponent, MPFR_RNDN)));
}

uint64_t tilesmith::reference::powi(ElementType type, uint64_t x, int64_t exponent) {
  if (exponent < 0 && std::isinf(powerBeforeReciprocal(type, x, exponent)) &&
      std::isfinite(decode(type, x)) && decode(type, x) != 0)
    return zeroPattern(type, decode(type, x) < 0 && exponent % 2 != 0);
  Evaluation e(type);
  return e.finish(mpfr_pow_si(e.result, e.operandX(x), exponent, MPFR_RNDN));
}
