//===- RangeLoops.h - exact ops on tiles of ranges --------------------------------------------===//
//
// The enclosures of value/Enclosure.h, one element at a time, cover every case. Most elements of
// enclosed tiles are plain: numbers with errors, far from zero, infinity and the subnormals of
// narrow types, under rounding to nearest. For those the loops here compute the error around a
// centre directly in float64, on the arrays of the tiles; all others go the long way.
//
// Operations of the machine run over blocks of such elements, a block that holds another one is
// done again element by element.
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
  static constexpr bool zeros = true; ///< ends are right on both sides of zero
};
template <> struct RangeFormat<ElementType::F64> {
  static double load(uint64_t bits) { return std::bit_cast<double>(bits); }
  static double end(double x) { return x; }
  static constexpr double smallest = 0, largest = 0x1.fffffffffffffp1023;
  static constexpr bool zeros = true;
};
/// To nearest in `precision` bits (Veltkamp); ends were moved outwards before, so ties do not
/// matter. Normal numbers only.
template <int precision> double nearestOf(double x) {
  double scaled = x * (static_cast<double>(uint64_t(1) << (53 - precision)) + 1);
  double rest = scaled - x;
  return scaled - rest;
}
template <> struct RangeFormat<ElementType::F16> {
  static double load(uint64_t bits) { return widen16<ElementType::F16>(bits); }
  static double end(double x) { return nearestOf<11>(x); }
  static constexpr double smallest = 0x1p-14, largest = 65504;
  static constexpr bool zeros = false;
};
template <> struct RangeFormat<ElementType::BF16> {
  static double load(uint64_t bits) { return widen16<ElementType::BF16>(bits); }
  static double end(double x) { return nearestOf<8>(x); }
  static constexpr double smallest = 0x1p-126, largest = 0x1.fep127;
  static constexpr bool zeros = false;
};

/// The real numbers within `error` of `exact`, rounded to the type around `centre`. Not plain: what
/// has no error (zeros with their signs), and overflow. Without branches: most elements are plain,
/// and the loops run on several at once.
template <ElementType type>
[[gnu::always_inline]] inline bool reachOf(double centre, double exact, double error,
                                           double &reach) {
  using Format = RangeFormat<type>;
  double widened = error + error * 0x1p-50 + std::fabs(exact) * 0x1p-52 + 0x1p-1070;
  double low = Format::end(outwardDown(exact - widened)),
         high = Format::end(outwardUp(exact + widened));
  double above = high - centre, below = centre - low;
  double farther = above > below ? above : below;
  reach = farther > 0 ? outwardUp(farther) : 0;
  bool oneSign = (low > Format::smallest) | (high < -Format::smallest);
  return (error > 0) & (oneSign | (Format::zeros & (farther > 0))) & (low >= -Format::largest) &
         (high <= Format::largest);
}

/// Sums, differences, products and quotients. Errors are propagated to first and second order.
template <ElementType type, ArithmeticOp kind> struct ArithmeticRule {
  [[gnu::always_inline]] static bool apply(double centre, double a, double ea, double b, double eb,
                                           double &reach) {
    double exact, error;
    if constexpr (kind == ArithmeticOp::Mul) {
      exact = a * b;
      error = std::fabs(a) * eb + std::fabs(b) * ea + ea * eb;
    } else if constexpr (kind == ArithmeticOp::Div) {
      double divisor = std::fabs(b) * (1 - 0x1p-50) - eb;
      exact = a / b;
      error = (ea + std::fabs(exact) * (1 + 0x1p-50) * eb) / divisor;
      return (divisor > 0) & reachOf<type>(centre, exact, error, reach);
    } else {
      exact = kind == ArithmeticOp::Add ? a + b : a - b;
      error = ea + eb;
    }
    return reachOf<type>(centre, exact, error, reach);
  }
};

/// The fused product and sum.
template <ElementType type> struct FusedRule {
  [[gnu::always_inline]] static bool apply(double centre, double a, double ea, double b, double eb,
                                           double c, double ec, double &reach) {
    double product = a * b;
    double error =
        std::fabs(a) * eb + std::fabs(b) * ea + ea * eb + ec + std::fabs(product) * 0x1p-52;
    return reachOf<type>(centre, product + c, error, reach);
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

/// absf and negf keep the error; zeros keep what is known of their signs the long way.
template <ElementType type> struct AbsoluteRule {
  [[gnu::always_inline]] static bool apply(double centre, double a, double ea, double &reach) {
    reach = ea;
    return (ea > 0) & (std::fabs(a) > ea) & (centre - centre == 0);
  }
};
template <ElementType type> struct NegationRule {
  [[gnu::always_inline]] static bool apply(double centre, double a, double ea, double &reach) {
    reach = ea;
    return (ea > 0) & (centre - centre == 0);
  }
};

template <ElementType type> struct RootRule {
  [[gnu::always_inline]] static bool apply(double centre, double a, double ea, double &reach) {
    double root = __builtin_elementwise_sqrt(a); // std::sqrt sets errno
    return (a * (1 - 0x1p-50) > ea) & reachOf<type>(centre, root, ea / root, reach);
  }
};

namespace detail {

/// The spread of a range; one that reaches zero holds zeros of either sign.
inline uint64_t rangeWord(double centre, double reach, uint64_t band) {
  return PackedSpread::packError(reach) |
         (std::fabs(centre) <= reach ? PackedSpread::kZeroSign : 0) | band;
}

/// Where the results go.
class RangeWriter {
public:
  RangeWriter(Tile &result) : words(result.bits().data()), result(result) {
    result.openStates();
    states = result.states();
    spreads = result.spreadData();
  }
  void put(size_t i, const Element &e) {
    words[i] = e.bits;
    states[i] = e.state;
    spreads[i] = e.state == State::Enclosed ? PackedSpread(e.spread) : PackedSpread();
    anyOther |= e.state != State::Known;
  }
  /// `bits` with the value `centre`.
  void putRange(size_t i, uint64_t bits, double centre, double reach, uint64_t band) {
    bool point = !(reach > 0);
    words[i] = bits;
    states[i] = point ? State::Known : State::Enclosed;
    spreads[i].word = point ? PackedSpread::kPoint : rangeWord(centre, reach, band);
    anyOther |= !point;
  }
  void finish() {
    if (!anyOther)
      result.closeStates();
  }

  // For loops that write the arrays themselves.
  uint64_t *words;
  State *states;
  PackedSpread *spreads;
  bool anyOther = false;

private:
  Tile &result;
};

constexpr size_t kRangeBlock = 256;

/// One operand: its arrays, or one block that repeats its only element.
class RangeReader {
public:
  RangeReader(const Tile &t, size_t count)
      : tile(t), step(isSplatOperand(t, count) ? 0 : 1), words(t.bits().data()), states(t.states()),
        spreads(t.spreadData()) {
    if (step == 0) {
      std::fill_n(sameWords, kRangeBlock, words[0]);
      if (spreads)
        std::fill_n(sameSpreads, kRangeBlock, spreads[0]);
    }
  }
  uint64_t word(size_t i) const { return words[i * step]; }
  State state(size_t i) const { return states ? states[i * step] : State::Known; }
  double error(size_t i) const { return spreads ? spreads[i * step].error() : 0; }
  uint64_t band(size_t i) const {
    return spreads ? spreads[i * step].word & PackedSpread::kBandMask : PackedSpread::kPoint;
  }
  Element element(size_t i) const { return tile.element(i * step); }

  const uint64_t *wordsFrom(size_t i) const { return step ? words + i : sameWords; }
  const PackedSpread *spreadsFrom(size_t i) const {
    return spreads && step ? spreads + i : sameSpreads;
  }
  /// Which states elements [i, i + n) have, as bits.
  uint8_t statesIn(size_t i, size_t n) const {
    if (!states)
      return kKnown;
    uint8_t seen = 0;
    for (const State *s = states + i * step, *end = s + (step ? n : 1); s != end; ++s)
      seen |= *s == State::Known ? kKnown : static_cast<uint8_t>(*s);
    return seen;
  }
  static constexpr uint8_t kKnown = 8, kEnclosed = static_cast<uint8_t>(State::Enclosed);

private:
  const Tile &tile;
  size_t step;
  const uint64_t *words;
  const State *states;
  const PackedSpread *spreads;
  uint64_t sameWords[kRangeBlock];
  PackedSpread sameSpreads[kRangeBlock];
};

/// The larger band of two spreads.
inline uint64_t widerBand(uint64_t a, uint64_t b) {
  a &= PackedSpread::kBandMask;
  b &= PackedSpread::kBandMask;
  return a > b ? a : b;
}

/// A block of operations of the machine on plain elements, free of branches. False if an element is
/// not plain after all; then the block has to be done again. `mixed`: two points may meet.
template <ElementType type, typename Rule, bool mixed, typename Function>
[[gnu::always_inline]] inline bool rangeBlock(size_t n, const Function &function, const uint64_t *x,
                                              const PackedSpread *xs, const uint64_t *y,
                                              const PackedSpread *ys, RangeWriter &out, size_t at) {
  using Format = RangeFormat<type>;
  double reach[kRangeBlock], centre[kRangeBlock];
  uint64_t *words = out.words + at;
  bool plain = true;
  for (size_t i = 0; i < n; ++i) {
    uint64_t bits = function.bits(x[i], y[i]);
    words[i] = bits;
    double c = Format::load(bits);
    centre[i] = c;
    bool isPlain = Rule::apply(c, Format::load(x[i]), xs[i].error(), Format::load(y[i]),
                               ys[i].error(), reach[i]);
    bool points = mixed & (((xs[i].word | ys[i].word) & ~PackedSpread::kBandMask) == 0);
    reach[i] = points ? 0 : reach[i];
    plain &= isPlain | (points & (c == c));
  }
  if (!plain)
    return false;
  State *states = out.states + at;
  PackedSpread *spreads = out.spreads + at;
  bool ranges = false;
  for (size_t i = 0; i < n; ++i) {
    bool range = reach[i] > 0;
    uint64_t spread = rangeWord(centre[i], reach[i], widerBand(xs[i].word, ys[i].word));
    spreads[i].word = range ? spread : PackedSpread::kPoint;
    ranges |= range;
  }
  for (size_t i = 0; i < n; ++i)
    states[i] = reach[i] > 0 ? State::Enclosed : State::Known;
  out.anyOther |= ranges;
  return true;
}

/// The same for wider registers: no fused operations, so the results are the same everywhere.
#if defined(__x86_64__)
template <ElementType type, typename Rule, bool mixed, typename Function>
[[gnu::target("avx2")]] bool rangeBlockWide(size_t n, const Function &function, const uint64_t *x,
                                            const PackedSpread *xs, const uint64_t *y,
                                            const PackedSpread *ys, RangeWriter &out, size_t at) {
  return rangeBlock<type, Rule, mixed>(n, function, x, xs, y, ys, out, at);
}
inline bool hasWideRegisters() {
  static const bool has = __builtin_cpu_supports("avx2");
  return has;
}
#endif

/// The block from element `at` on, if all of it is plain.
template <ElementType type, typename Rule, typename Function>
bool runBlock(size_t n, const Function &function, const RangeReader &x, const RangeReader &y,
              RangeWriter &out, size_t at) {
  uint8_t left = x.statesIn(at, n), right = y.statesIn(at, n);
  if ((left | right) & ~(RangeReader::kKnown | RangeReader::kEnclosed))
    return false;
  bool mixed = left != RangeReader::kEnclosed && right != RangeReader::kEnclosed;
  auto run =
      mixed ? rangeBlock<type, Rule, true, Function> : rangeBlock<type, Rule, false, Function>;
#if defined(__x86_64__)
  if (hasWideRegisters())
    run = mixed ? rangeBlockWide<type, Rule, true, Function>
                : rangeBlockWide<type, Rule, false, Function>;
#endif
  return run(n, function, x.wordsFrom(at), x.spreadsFrom(at), y.wordsFrom(at), y.spreadsFrom(at),
             out, at);
}

} // namespace detail

/// mapBinary for tiles of one type of which at least one has enclosed elements. A function with a
/// member `bits` is an operation of the machine and runs by blocks.
template <ElementType type, typename Rule, typename Function, typename Enclose>
Tile mapRanges(BlockContext &context, const Tile &a, const Tile &b, Function function,
               Enclose enclose) {
  using Format = RangeFormat<type>;
  const Tile &shaped = largest(a, b);
  size_t count = shaped.size();
  Tile result = Tile::unset(type, shaped.shape());
  context.countElements(count);
  detail::RangeWriter out(result);
  detail::RangeReader x(a, count), y(b, count);
  auto one = [&](size_t i) {
    State s = x.state(i), t = y.state(i);
    if (s == State::Unknown || t == State::Unknown)
      return out.put(i, unknownElement());
    Element r = function(x.word(i), y.word(i));
    if (r.state == State::Unknown || (s != State::Enclosed && t != State::Enclosed))
      return out.put(i, r);
    double reach, centre = Format::load(r.bits);
    if (r.state == State::Known && s != State::NaN && t != State::NaN &&
        Rule::apply(centre, Format::load(x.word(i)), x.error(i), Format::load(y.word(i)),
                    y.error(i), reach))
      out.putRange(i, r.bits, centre, reach, detail::widerBand(x.band(i), y.band(i)));
    else
      out.put(i, enclose(r.bits, x.element(i), y.element(i)));
  };
  for (size_t at = 0; at < count; at += detail::kRangeBlock) {
    size_t n = std::min(detail::kRangeBlock, count - at);
    if constexpr (requires { &Function::bits; })
      if (detail::runBlock<type, Rule>(n, function, x, y, out, at))
        continue;
    for (size_t i = at; i < at + n; ++i)
      one(i);
  }
  out.finish();
  return result;
}

/// mapTernary for tiles of one type of which at least one has enclosed elements.
template <ElementType type, typename Rule, typename Function, typename Enclose>
Tile mapRanges(BlockContext &context, const Tile &a, const Tile &b, const Tile &c,
               Function function, Enclose enclose) {
  using Format = RangeFormat<type>;
  const Tile &shaped = largest(largest(a, b), c);
  size_t count = shaped.size();
  Tile result = Tile::unset(type, shaped.shape());
  context.countElements(count);
  detail::RangeWriter out(result);
  detail::RangeReader x(a, count), y(b, count), z(c, count);
  for (size_t i = 0; i < count; ++i) {
    State s = x.state(i), t = y.state(i), u = z.state(i);
    if (s == State::Unknown || t == State::Unknown || u == State::Unknown) {
      out.put(i, unknownElement());
      continue;
    }
    Element r = function(x.word(i), y.word(i), z.word(i));
    bool ranges = s == State::Enclosed || t == State::Enclosed || u == State::Enclosed;
    if (r.state == State::Unknown || !ranges) {
      out.put(i, r);
      continue;
    }
    double reach, centre = Format::load(r.bits);
    if (r.state == State::Known && s != State::NaN && t != State::NaN && u != State::NaN &&
        Rule::apply(centre, Format::load(x.word(i)), x.error(i), Format::load(y.word(i)),
                    y.error(i), Format::load(z.word(i)), z.error(i), reach))
      out.putRange(i, r.bits, centre, reach,
                   detail::widerBand(detail::widerBand(x.band(i), y.band(i)), z.band(i)));
    else
      out.put(i, enclose(r.bits, x.element(i), y.element(i), z.element(i)));
  }
  out.finish();
  return result;
}

namespace detail {
/// A rule or operation of one operand for the loops over two.
template <typename Rule> struct FirstRule {
  [[gnu::always_inline]] static bool apply(double centre, double a, double ea, double, double,
                                           double &reach) {
    return Rule::apply(centre, a, ea, reach);
  }
};
template <typename Function> struct FirstFunction {
  Function function;
  uint64_t bits(uint64_t x, uint64_t) const { return function.bits(x); }
};
} // namespace detail

/// mapUnary for a tile that has enclosed elements. By blocks as above.
template <ElementType type, typename Rule, typename Function, typename Enclose>
Tile mapRange(BlockContext &context, const Tile &a, Function function, Enclose enclose) {
  using Format = RangeFormat<type>;
  Tile result = Tile::unset(type, a.shape());
  size_t count = a.size();
  context.countElements(count);
  detail::RangeWriter out(result);
  detail::RangeReader x(a, count);
  auto one = [&](size_t i) {
    State s = x.state(i);
    Element r = s == State::Unknown ? unknownElement() : function(x.word(i));
    double reach, centre = Format::load(r.bits);
    if (s != State::Enclosed || r.state == State::Unknown)
      out.put(i, r);
    else if (r.state == State::Known &&
             Rule::apply(centre, Format::load(x.word(i)), x.error(i), reach))
      out.putRange(i, r.bits, centre, reach, x.band(i));
    else
      out.put(i, enclose(r.bits, x.element(i)));
  };
  for (size_t at = 0; at < count; at += detail::kRangeBlock) {
    size_t n = std::min(detail::kRangeBlock, count - at);
    if constexpr (requires { &Function::bits; })
      if (detail::runBlock<type, detail::FirstRule<Rule>>(
              n, detail::FirstFunction<Function>{function}, x, x, out, at))
        continue;
    for (size_t i = at; i < at + n; ++i)
      one(i);
  }
  out.finish();
  return result;
}

/// Calls `run` with the type as a constant; all four types of float arithmetic.
template <typename Run> auto withFloatFormat(ElementType type, Run run) {
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
