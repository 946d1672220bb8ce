//===- RangeLoops.h - exact ops on tiles of ranges --------------------------------------------===//
//
// The enclosures of value/Enclosure.h, one element at a time, cover every case. Most elements of
// enclosed tiles are plain: numbers with errors, far from zero, infinity and the subnormals of
// narrow types, under rounding to nearest. For those the loops here compute the error around a
// centre directly in float64, on the arrays of the tiles; all others go the long way.
//
// A rule maps centre, operands and their errors to `reach`, how far a result may lie from the
// centre; it returns false where the case is not plain. Every step is rounded outwards.
//
//===------------------------------------------------------------------------------------------===//
#ifndef REFERENCE_INTERP_RANGELOOPS_H
#define REFERENCE_INTERP_RANGELOOPS_H

#include "reference/interp/Elementwise.h"

namespace tilesmith::reference {

/// Elements of a type as float64, and ends of ranges rounded to the type.
template <ElementType type> struct RangeFormat;

template <> struct RangeFormat<ElementType::F32> {
  static double load(uint64_t bits) { return std::bit_cast<float>(static_cast<uint32_t>(bits)); }
  static double end(double x) { return static_cast<float>(x); }
  static constexpr double smallest = 0, largest = 0x1.fffffep127;
};
template <> struct RangeFormat<ElementType::F64> {
  static double load(uint64_t bits) { return std::bit_cast<double>(bits); }
  static double end(double x) { return x; }
  static constexpr double smallest = 0, largest = 0x1.fffffffffffffp1023;
};
/// To nearest in `precision` bits (Veltkamp); ends were moved outwards before, so ties do not
/// matter. Normal numbers only.
template <int precision> double nearestOf(double x) {
  double scaled = x * (static_cast<double>(uint64_t(1) << (53 - precision)) + 1);
  double rest = scaled - x;
  return scaled - rest;
}
template <> struct RangeFormat<ElementType::F16> {
  static double load(uint64_t bits) { return decodeF16(static_cast<uint16_t>(bits)); }
  static double end(double x) { return nearestOf<11>(x); }
  static constexpr double smallest = 0x1p-14, largest = 65504;
};
template <> struct RangeFormat<ElementType::BF16> {
  static double load(uint64_t bits) { return decodeBF16(static_cast<uint16_t>(bits)); }
  static double end(double x) { return nearestOf<8>(x); }
  static constexpr double smallest = 0x1p-126, largest = 0x1.fep127;
};

/// The real numbers within `error` of `exact`, rounded to the type around `centre`.
template <ElementType type> bool reachOf(double centre, double exact, double error, double &reach) {
  using Format = RangeFormat<type>;
  error += error * 0x1p-50 + std::fabs(exact) * 0x1p-52 + 0x1p-1070;
  double low = Format::end(outwardDown(exact - error)),
         high = Format::end(outwardUp(exact + error));
  if (!(low > Format::smallest || high < -Format::smallest) ||
      !(low >= -Format::largest && high <= Format::largest))
    return false; // zeros with their signs, overflow
  reach = std::max(high - centre, centre - low);
  reach = reach > 0 ? outwardUp(reach) : 0;
  return true;
}

/// Sums, differences, products and quotients. Errors are propagated to first and second order.
template <ElementType type, ArithmeticOp kind> struct ArithmeticRule {
  static bool apply(double centre, double a, double ea, double b, double eb, double &reach) {
    double exact, error;
    if constexpr (kind == ArithmeticOp::Mul) {
      exact = a * b;
      error = std::fabs(a) * eb + std::fabs(b) * ea + ea * eb;
    } else if constexpr (kind == ArithmeticOp::Div) {
      double divisor = std::fabs(b) * (1 - 0x1p-50) - eb;
      if (!(divisor > 0))
        return false;
      exact = a / b;
      error = (ea + std::fabs(exact) * (1 + 0x1p-50) * eb) / divisor;
    } else {
      exact = kind == ArithmeticOp::Add ? a + b : a - b;
      error = ea + eb;
    }
    return reachOf<type>(centre, exact, error, reach);
  }
};

/// max and min: no rounding; the result keeps the error of the operand that is surely chosen, else
/// the larger one.
template <ElementType type, bool isMaximum> struct ExtremumRule {
  static bool apply(double centre, double a, double ea, double b, double eb, double &reach) {
    double sign = isMaximum ? 1 : -1;
    if (sign * (a - b) > (ea + eb) * (1 + 0x1p-50) + (std::fabs(a) + std::fabs(b)) * 0x1p-52)
      reach = ea;
    else if (sign * (b - a) > (ea + eb) * (1 + 0x1p-50) + (std::fabs(a) + std::fabs(b)) * 0x1p-52)
      reach = eb;
    else
      reach = std::max(ea, eb);
    return std::fabs(centre) > reach && std::isfinite(centre);
  }
};

template <ElementType type> struct AbsoluteRule {
  static bool apply(double centre, double a, double ea, double &reach) {
    reach = ea;
    return std::fabs(a) > ea && std::isfinite(centre);
  }
};

template <ElementType type> struct RootRule {
  static bool apply(double centre, double a, double ea, double &reach) {
    if (!(a * (1 - 0x1p-50) > ea))
      return false;
    double root = std::sqrt(a);
    return reachOf<type>(centre, root, ea / root, reach);
  }
};

namespace detail {

/// Where the results go.
class RangeWriter {
public:
  RangeWriter(Tile &result) : result(result), words(result.bits().data()) {
    result.openStates();
    states = result.states();
    spreads = result.spreadData();
  }
  void put(size_t i, const Element &e) {
    words[i] = e.bits;
    states[i] = e.state;
    if (e.state == State::Enclosed)
      spreads[i] = e.spread;
    anyOther |= e.state != State::Known;
  }
  void putRange(size_t i, uint64_t centre, double reach, float band) {
    words[i] = centre;
    if (!(reach > 0))
      return;
    states[i] = State::Enclosed;
    spreads[i] = {reach, band, false};
    anyOther = true;
  }
  void finish() {
    if (!anyOther)
      result.closeStates();
  }

private:
  Tile &result;
  uint64_t *words;
  State *states;
  Spread *spreads;
  bool anyOther = false;
};

inline double errorAt(State state, const Spread *spreads, size_t i) {
  return state == State::Enclosed ? spreads[i].error : 0;
}
inline float bandAt(State state, const Spread *spreads, size_t i) {
  return state == State::Enclosed ? spreads[i].band : 1.0f;
}

} // namespace detail

/// mapBinary for tiles of one type of which at least one has enclosed elements.
template <ElementType type, typename Rule, typename Function, typename Enclose>
Tile mapRanges(BlockContext &context, const Tile &a, const Tile &b, Function function,
               Enclose enclose) {
  using Format = RangeFormat<type>;
  const Tile &shaped = largest(a, b);
  size_t count = shaped.size();
  Tile result(type, shaped.shape());
  context.countElements(count);
  detail::RangeWriter out(result);
  size_t p = isSplatOperand(a, count) ? 0 : 1, q = isSplatOperand(b, count) ? 0 : 1;
  const uint64_t *x = a.bits().data(), *y = b.bits().data();
  const State *xs = a.states(), *ys = b.states();
  const Spread *xe = a.spreadData(), *ye = b.spreadData();
  for (size_t i = 0; i < count; ++i) {
    size_t m = i * p, n = i * q;
    State s = xs ? xs[m] : State::Known, t = ys ? ys[n] : State::Known;
    if (s == State::Unknown || t == State::Unknown) {
      out.put(i, unknownElement());
      continue;
    }
    Element r = function(x[m], y[n]);
    if (r.state == State::Unknown || (s != State::Enclosed && t != State::Enclosed)) {
      out.put(i, r);
      continue;
    }
    double reach;
    if (r.state == State::Known && s != State::NaN && t != State::NaN &&
        Rule::apply(Format::load(r.bits), Format::load(x[m]), detail::errorAt(s, xe, m),
                    Format::load(y[n]), detail::errorAt(t, ye, n), reach))
      out.putRange(i, r.bits, reach, std::max(detail::bandAt(s, xe, m), detail::bandAt(t, ye, n)));
    else
      out.put(i, enclose(r.bits, a.element(m), b.element(n)));
  }
  out.finish();
  return result;
}

/// mapUnary for a tile that has enclosed elements.
template <ElementType type, typename Rule, typename Function, typename Enclose>
Tile mapRange(BlockContext &context, const Tile &a, Function function, Enclose enclose) {
  using Format = RangeFormat<type>;
  Tile result(type, a.shape());
  context.countElements(a.size());
  detail::RangeWriter out(result);
  const uint64_t *x = a.bits().data();
  const State *xs = a.states();
  const Spread *xe = a.spreadData();
  for (size_t i = 0, count = a.size(); i < count; ++i) {
    State s = xs ? xs[i] : State::Known;
    Element r = s == State::Unknown ? unknownElement() : function(x[i]);
    double reach;
    if (s != State::Enclosed || r.state == State::Unknown)
      out.put(i, r);
    else if (r.state == State::Known &&
             Rule::apply(Format::load(r.bits), Format::load(x[i]), xe[i].error, reach))
      out.putRange(i, r.bits, reach, xe[i].band);
    else
      out.put(i, enclose(r.bits, a.element(i)));
  }
  out.finish();
  return result;
}

/// Calls `run` with the type as a constant; all four types of float arithmetic.
template <typename Run> Tile withRangeFormat(ElementType type, Run run) {
  switch (type) {
  case ElementType::F16:
    return run(std::integral_constant<ElementType, ElementType::F16>());
  case ElementType::BF16:
    return run(std::integral_constant<ElementType, ElementType::BF16>());
  case ElementType::F32:
    return run(std::integral_constant<ElementType, ElementType::F32>());
  default:
    return run(std::integral_constant<ElementType, ElementType::F64>());
  }
}

} // namespace tilesmith::reference

#endif // REFERENCE_INTERP_RANGELOOPS_H
