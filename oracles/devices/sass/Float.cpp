//===- Float.cpp - f32, f64, f16 and bf16 arithmetic ------------------------------------------===//
//
// One IEEE rounding per operation. NaN results have one pattern per format, all magnitude bits set;
// those of doubles come from a source. SpecialFunctions.h has the special function unit.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/devices/emulator/Numeric.h"
#include "oracles/devices/sass/Execute.h"
#include "oracles/devices/sass/Machine.h"
#include "oracles/devices/sass/SpecialFunctions.h"

#include <cfenv>

using namespace tilesmith;
using namespace tilesmith::sass;
using emulator::bitsTo;
using emulator::Round;

namespace {

float toFloat(uint32_t bits) {
  return bitsTo<float>(bits);
}
uint32_t toBits(float value) {
  return value != value ? 0x7fffffff : bitsTo<uint32_t>(value);
}

Round roundOf(unsigned mode) {
  static constexpr Round kModes[] = {Round::Nearest, Round::Down, Round::Up, Round::Zero};
  return kModes[mode & 3];
}

/// a + b for a directed rounding: an exact zero of opposite signs is negative when rounding down.
float addDirected(double a, double b, Round round) {
  const double sum = emulator::addToOdd(a, b);
  if (sum == 0 && a + b == 0) {
    if (std::signbit(a) == std::signbit(b))
      return std::signbit(a) ? -0.0f : 0.0f;
    return round == Round::Down ? -0.0f : 0.0f;
  }
  return bitsTo<float>(emulator::encode(sum, emulator::kF32, round));
}

/// What follows the arithmetic: flush, clamp, canonical NaN.
uint32_t finish(float value, bool flush, bool saturate) {
  if (flush)
    value = emulator::flush(value);
  if (saturate)
    value = emulator::saturate01(value);
  return toBits(value);
}

bool compareFloat(unsigned comparison, double a, double b) {
  const unsigned outcome = a != a || b != b ? 8 : a < b ? 1 : a == b ? 2 : 4;
  return comparison & outcome;
}

uint32_t combine(unsigned operation, uint32_t a, uint32_t b) {
  return operation == 0 ? a & b : operation == 1 ? a | b : a ^ b;
}

/// Of two numbers; -0 is below +0.
template <typename T> bool below(T a, T b) {
  return a < b || (a == b && std::signbit(a) && !std::signbit(b));
}

/// An operation on two f32 with saturation, flushing and rounding mode as modifiers 0 to 2.
template <typename F> void binary(Warp &w, const Instruction &i, F &&f) {
  const Lanes a = w.getFloat(i.ops[1]), b = w.getFloat(i.ops[2]);
  const bool saturate = i.mods[0], flush = i.mods[1];
  const Round round = roundOf(i.mods[2]);
  Lanes out;
  for (unsigned l = 0; l < kLanes; ++l) {
    float x = toFloat(a.v[l]), y = toFloat(b.v[l]);
    if (flush)
      x = emulator::flush(x), y = emulator::flush(y);
    out.v[l] = finish(f(x, y, round), flush, saturate);
  }
  w.put(i.ops[0], out);
}

} // namespace

namespace tilesmith::sass {

#define OPERATION(name) void name(Warp &w, const Instruction &i)

OPERATION(executeFadd) {
  binary(w, i, [](float x, float y, Round round) {
    return round == Round::Nearest ? x + y : addDirected(x, y, round);
  });
}
OPERATION(executeFmul) {
  binary(w, i, [](float x, float y, Round round) {
    return round == Round::Nearest ? x * y
                                   : emulator::roundToFloat(static_cast<double>(x) * y, round);
  });
}
OPERATION(executeFfma) {
  const Lanes a = w.getFloat(i.ops[1]), b = w.getFloat(i.ops[2]), c = w.getFloat(i.ops[3]);
  const bool saturate = i.mods[0], flush = i.mods[1];
  const Round round = roundOf(i.mods[2]);
  Lanes out;
  for (unsigned l = 0; l < kLanes; ++l) {
    float x = toFloat(a.v[l]), y = toFloat(b.v[l]), z = toFloat(c.v[l]);
    if (flush)
      x = emulator::flush(x), y = emulator::flush(y), z = emulator::flush(z);
    out.v[l] = finish(round == Round::Nearest ? std::fma(x, y, z)
                                              : addDirected(static_cast<double>(x) * y, z, round),
                      flush, saturate);
  }
  w.put(i.ops[0], out);
}

// ---- two f32 in a pair of registers ----

namespace {

/// Elements of a source: a pair, or one register for both.
std::array<Lanes, 2> getPair(Warp &w, const Operand &op, bool single) {
  std::array<Lanes, 2> out{w.getFloat(op), {}};
  out[1] = out[0];
  if (!single && op.index != kRZ && op.kind != Operand::Immediate) {
    Operand high = op;
    if (op.kind == Operand::Constant)
      high.value += 4;
    else
      ++high.index;
    out[1] = w.getFloat(high);
  }
  return out;
}

template <typename F> void pairs(Warp &w, const Instruction &i, unsigned sources, F &&f) {
  const bool flush = i.mods[0];
  const Round round = roundOf(i.mods[1]);
  std::array<Lanes, 2> s[3];
  for (unsigned k = 0; k < sources; ++k)
    s[k] = getPair(w, i.ops[1 + k], i.mods[2 + k] == 2);
  for (unsigned k : {0u, sources - 1})
    if (i.mods[2 + sources + (k ? 1 : 0)])
      for (uint32_t &value : s[k][1].v)
        value ^= 0x80000000;
  Lanes64 out;
  for (unsigned l = 0; l < kLanes; ++l) {
    out.v[l] = 0;
    for (unsigned n = 0; n < 2; ++n) {
      float v[3] = {};
      for (unsigned k = 0; k < sources; ++k) {
        v[k] = toFloat(s[k][n].v[l]);
        if (flush)
          v[k] = emulator::flush(v[k]);
      }
      out.v[l] |= uint64_t{finish(f(v[0], v[1], v[2], round), flush, false)} << (32 * n);
    }
  }
  w.put64(i.ops[0], out);
}

} // namespace

OPERATION(executeFadd2) {
  pairs(w, i, 2, [](float x, float y, float, Round round) {
    return round == Round::Nearest ? x + y : addDirected(x, y, round);
  });
}
OPERATION(executeFmul2) {
  pairs(w, i, 2, [](float x, float y, float, Round round) {
    return round == Round::Nearest ? x * y
                                   : emulator::roundToFloat(static_cast<double>(x) * y, round);
  });
}
OPERATION(executeFfma2) {
  pairs(w, i, 3, [](float x, float y, float z, Round round) {
    return round == Round::Nearest ? std::fma(x, y, z)
                                   : addDirected(static_cast<double>(x) * y, z, round);
  });
}

// Halves widened, one rounding to f32.
namespace {

Lanes getHalf(Warp &w, const Operand &op, bool high, bool bfloat) {
  Lanes out = w.get(op);
  for (uint32_t &v : out.v) {
    double value =
        emulator::decode((high ? v >> 16 : v) & 0xffff, bfloat ? emulator::kBF16 : emulator::kF16);
    if (op.absolute)
      value = std::fabs(value);
    v = bitsTo<uint32_t>(static_cast<float>(op.negative ? -value : value));
  }
  return out;
}

} // namespace

OPERATION(executeFhfma) {
  const Lanes a = getHalf(w, i.ops[1], i.mods[3], i.mods[0]),
              b = getHalf(w, i.ops[2], i.mods[4], i.mods[0]), c = w.getFloat(i.ops[3]);
  const Round round = roundOf(i.mods[2]);
  Lanes out;
  for (unsigned l = 0; l < kLanes; ++l) {
    const float x = toFloat(a.v[l]), y = toFloat(b.v[l]), z = toFloat(c.v[l]);
    out.v[l] = finish(round == Round::Nearest ? std::fma(x, y, z)
                                              : addDirected(static_cast<double>(x) * y, z, round),
                      false, i.mods[1]);
  }
  w.put(i.ops[0], out);
}

OPERATION(executeFhadd) {
  const Lanes a = getHalf(w, i.ops[1], i.mods[3], i.mods[0]), b = w.getFloat(i.ops[2]);
  const Round round = roundOf(i.mods[2]);
  Lanes out;
  for (unsigned l = 0; l < kLanes; ++l) {
    const float x = toFloat(a.v[l]), y = toFloat(b.v[l]);
    out.v[l] = finish(round == Round::Nearest ? x + y : addDirected(x, y, round), false, i.mods[1]);
  }
  w.put(i.ops[0], out);
}

// sm_107: the sum of a pair of floats and of two halves.
OPERATION(executeFhadd2) {
  const bool bfloat = i.mods[0] == 2;
  const std::array<Lanes, 2> a{getHalf(w, i.ops[1], false, bfloat),
                               getHalf(w, i.ops[1], true, bfloat)},
      b = getPair(w, i.ops[2], i.mods[1] == 2);
  Lanes64 out;
  for (unsigned l = 0; l < kLanes; ++l) {
    out.v[l] = 0;
    for (unsigned n = 0; n < 2; ++n)
      out.v[l] |= uint64_t{finish(toFloat(a[n].v[l]) + toFloat(b[n].v[l]), false, false)}
                  << (32 * n);
  }
  w.put64(i.ops[0], out);
}

/// The smaller ones where the mask has a bit, else the larger ones; modifiers 0 and 1 say whether
/// subnormals are flushed and a NaN wins.
static Lanes minimumOrMaximum(const Instruction &i, const Lanes &a, const Lanes &b,
                              uint32_t minimum) {
  const bool flush = i.mods[0], propagate = i.mods[1];
  Lanes out;
  for (unsigned l = 0; l < kLanes; ++l) {
    float x = toFloat(a.v[l]), y = toFloat(b.v[l]);
    if (flush)
      x = emulator::flush(x), y = emulator::flush(y);
    const bool nanX = x != x, nanY = y != y;
    if ((nanX && nanY) || (propagate && (nanX || nanY)))
      out.v[l] = 0x7fffffff;
    else if (nanX || nanY)
      out.v[l] = toBits(nanX ? y : x);
    else
      out.v[l] = toBits(below(x, y) == static_cast<bool>(minimum >> l & 1) ? x : y);
  }
  return out;
}

OPERATION(executeFmnmx) {
  w.put(i.ops[0],
        minimumOrMaximum(i, w.getFloat(i.ops[1]), w.getFloat(i.ops[2]), w.getMask(i.ops[3])));
}
OPERATION(executeFmnmx3) {
  const uint32_t minimum = w.getMask(i.ops[4]);
  const Lanes two = minimumOrMaximum(i, w.getFloat(i.ops[1]), w.getFloat(i.ops[2]), minimum);
  w.put(i.ops[0], minimumOrMaximum(i, two, w.getFloat(i.ops[3]), minimum));
}

OPERATION(executeFsel) {
  const Lanes a = w.getFloat(i.ops[1]), b = w.getFloat(i.ops[2]);
  const uint32_t select = w.getMask(i.ops[3]);
  Lanes out;
  for (unsigned l = 0; l < kLanes; ++l) {
    out.v[l] = select >> l & 1 ? a.v[l] : b.v[l];
    if (i.mods[0])
      out.v[l] = bitsTo<uint32_t>(emulator::flush(toFloat(out.v[l])));
  }
  w.put(i.ops[0], out);
}

/// Comparison 0 of the modifiers, with subnormals flushed where modifier 1 says so: a bit per lane.
static uint32_t compareLanes(const Instruction &i, const Lanes &a, const Lanes &b) {
  uint32_t result = 0;
  for (unsigned l = 0; l < kLanes; ++l) {
    float x = toFloat(a.v[l]), y = toFloat(b.v[l]);
    if (i.mods[1])
      x = emulator::flush(x), y = emulator::flush(y);
    result |= uint32_t{compareFloat(i.mods[0], x, y)} << l;
  }
  return result;
}

OPERATION(executeFsetp) {
  const Lanes a = w.getFloat(i.ops[2]), b = w.getFloat(i.ops[3]);
  const uint32_t accumulator = w.getMask(i.ops[4]);
  uint32_t result = compareLanes(i, a, b);
  w.putMask(i.ops[0], combine(i.mods[2], result, accumulator));
  w.putMask(i.ops[1], combine(i.mods[2], ~result, accumulator));
}

// 1.0 or 0.0.
OPERATION(executeFset) {
  const Lanes a = w.getFloat(i.ops[1]), b = w.getFloat(i.ops[2]);
  const uint32_t accumulator = w.getMask(i.ops[3]);
  uint32_t result = compareLanes(i, a, b);
  result = combine(i.mods[2], result, accumulator);
  Lanes out;
  for (unsigned l = 0; l < kLanes; ++l)
    out.v[l] = result >> l & 1 ? 0x3f800000 : 0;
  w.put(i.ops[0], out);
}

// True where a / b needs the slow path; the slow path is right for all numbers, so that true may be
// answered too often.
OPERATION(executeFchk) {
  const Lanes a = w.getFloat(i.ops[1]), b = w.getFloat(i.ops[2]);
  uint32_t slow = 0;
  for (unsigned l = 0; l < kLanes; ++l) {
    const int x = a.v[l] >> 23 & 255, y = b.v[l] >> 23 & 255;
    const bool plain = x >= 32 && x != 255 && y != 0 && y <= 250 && std::abs(x - y) <= 120;
    slow |= uint32_t{!plain} << l;
  }
  w.putMask(i.ops[0], slow);
}

namespace {

/// Only sm_90 has been measured; elsewhere the value is rounded once.
bool isMeasured(const Warp &w) {
  return w.machine->generation == Generation::Hopper;
}
uint32_t specialValue(const Warp &w, SpecialFunction function, uint32_t bits) {
  return isMeasured(w) ? approximate(function, bits) : roundedOnce(function, bits);
}

} // namespace

OPERATION(executeMufu) {
  const auto function = static_cast<SpecialFunction>(i.mods[0]);
  Lanes values = w.getFloat(i.ops[1]);
  for (uint32_t &v : values.v)
    v = specialValue(w, function, v);
  w.put(i.ops[0], values);
}

// One half; the upper half of the result is not known, and zero here.
OPERATION(executeMufuHalf) {
  const auto function = static_cast<SpecialFunction>(i.mods[0]);
  // f16 is 2 before sm_90, where bf16 is.
  const bool measured = isMeasured(w), bfloat = i.mods[1] == 2 && w.machine->hopper();
  Lanes values = getHalf(w, i.ops[1], i.mods[2], bfloat);
  for (uint32_t &v : values.v) {
    v = specialValue(w, function, v);
    v = measured ? truncateToHalf(v, bfloat)
                 : emulator::encode(toFloat(v), bfloat ? emulator::kBF16 : emulator::kF16);
  }
  w.put(i.ops[0], values);
}

// ---- f64: the host's arithmetic in the rounding mode of the instruction ----

namespace {

class HostRounding {
public:
  explicit HostRounding(Round round) {
    if (round == Round::Nearest)
      return;
    changed = true;
    std::fesetround(round == Round::Down ? FE_DOWNWARD
                    : round == Round::Up ? FE_UPWARD
                                         : FE_TOWARDZERO);
  }
  ~HostRounding() {
    if (changed)
      std::fesetround(FE_TONEAREST);
  }

private:
  bool changed = false;
};

/// What an H100 and an H200 give where a result is no number: the second source if that is a NaN,
/// else the third, else the first, made quiet; where no source is one, the NaN with a sign.
uint64_t nanOf(uint64_t first, uint64_t second, uint64_t third) {
  constexpr uint64_t kSign = uint64_t{1} << 63, kInfinity = uint64_t{0x7ff} << 52,
                     kQuiet = uint64_t{1} << 51;
  for (uint64_t source : {second, third, first})
    if ((source & ~kSign) > kInfinity)
      return source | kQuiet;
  return kSign | kInfinity | kQuiet;
}

template <typename F>
void doubles(Warp &w, const Instruction &i, unsigned sources, Round round, F &&f) {
  Lanes64 s[3];
  for (unsigned k = 0; k < sources; ++k)
    s[k] = w.getDouble(i.ops[1 + k]);
  Lanes64 out;
  {
    HostRounding mode(round);
    for (unsigned l = 0; l < kLanes; ++l) {
      // Volatile: nothing may be computed outside of the mode.
      volatile double x = bitsTo<double>(s[0].v[l]), y = bitsTo<double>(s[1].v[l]),
                      z = sources > 2 ? bitsTo<double>(s[2].v[l]) : 0.0;
      volatile double result = f(x, y, z);
      const double value = result;
      out.v[l] = value != value ? nanOf(s[0].v[l], s[1].v[l], sources > 2 ? s[2].v[l] : 0)
                                : bitsTo<uint64_t>(value);
    }
  }
  w.put64(i.ops[0], out);
}

} // namespace

OPERATION(executeDadd) {
  doubles(w, i, 2, roundOf(i.mods[0]), [](double x, double y, double) { return x + y; });
}
OPERATION(executeDmul) {
  doubles(w, i, 2, roundOf(i.mods[0]), [](double x, double y, double) { return x * y; });
}
OPERATION(executeDfma) {
  doubles(w, i, 3, roundOf(i.mods[0]),
          [](double x, double y, double z) { return std::fma(x, y, z); });
}

OPERATION(executeDsetp) {
  const Lanes64 a = w.getDouble(i.ops[2]), b = w.getDouble(i.ops[3]);
  const uint32_t accumulator = w.getMask(i.ops[4]);
  const bool minimum = i.mods[0] == 0, maximum = i.mods[0] == 15;
  uint32_t first = 0, second = 0;
  for (unsigned l = 0; l < kLanes; ++l) {
    const double x = bitsTo<double>(a.v[l]), y = bitsTo<double>(b.v[l]);
    if (minimum || maximum) {
      const bool nanX = x != x, nanY = y != y;
      const bool isA = nanY || (!nanX && (minimum ? below(x, y) : below(y, x)));
      first |= uint32_t{isA} << l;
      second |= uint32_t{nanX && nanY} << l;
    } else {
      const bool r = compareFloat(i.mods[0], x, y);
      first |= uint32_t{r} << l;
      second |= uint32_t{!r} << l;
    }
  }
  w.putMask(i.ops[0], combine(i.mods[1], first, accumulator));
  w.putMask(i.ops[1], combine(i.mods[1], second, accumulator));
}

// ---- pairs of halves ----

namespace {

/// One half of a source, with its sign operations.
double halfOf(const Operand &op, uint32_t bits, unsigned which, const emulator::Format &format) {
  uint32_t value = 0;
  if (op.kind == Operand::Immediate)
    value = bits >> (16 * which) & 0xffff;
  else if (op.half == 1) // one f32 for both
    return emulator::decode(bits, emulator::kF32);
  else if (op.half == Operand::kTurned)
    value = (which ? bits : bits >> 16 ^ 0x8000) & 0xffff;
  else
    value = (op.half == 2 ? bits : op.half == 3 ? bits >> 16 : bits >> (16 * which)) & 0xffff;
  if (op.absolute)
    value &= 0x7fff;
  if (op.negative)
    value ^= 0x8000;
  return emulator::decode(value, format);
}

/// A double to a half of the destination, after flush, clamp and rectification.
struct HalfResult {
  const emulator::Format &format;
  bool flush = false, saturate = false, rectify = false;
  uint32_t operator()(double value) const {
    if (saturate)
      value = value > 0 ? std::min(value, 1.0) : 0.0;
    if (rectify && value == value && !(value > 0))
      value = 0;
    uint32_t bits = emulator::encode(value, format);
    if (flush && !(bits & 0x7fff & ~((1u << format.mantissaBits) - 1)))
      bits &= 0x8000;
    return bits;
  }
};

double flushHalf(double value, const emulator::Format &format) {
  return std::fabs(value) < std::ldexp(1.0, 1 - format.bias()) ? std::copysign(0.0, value) : value;
}

const emulator::Format &halfFormat(bool bfloat) {
  return bfloat ? emulator::kBF16 : emulator::kF16;
}

template <typename F>
void halves(Warp &w, const Instruction &i, unsigned sources, const HalfResult &result, F &&f) {
  Lanes s[3];
  for (unsigned k = 0; k < sources; ++k)
    s[k] = w.get(i.ops[1 + k]);
  Lanes out;
  for (unsigned l = 0; l < kLanes; ++l) {
    out.v[l] = 0;
    for (unsigned which = 0; which < 2; ++which) {
      double v[3] = {};
      for (unsigned k = 0; k < sources; ++k) {
        v[k] = halfOf(i.ops[1 + k], s[k].v[l], which, result.format);
        if (result.flush)
          v[k] = flushHalf(v[k], result.format);
      }
      out.v[l] |= result(f(v[0], v[1], v[2])) << (16 * which);
    }
  }
  w.put(i.ops[0], out);
}

} // namespace

OPERATION(executeHadd2) {
  const bool toFloat = i.mods[1];
  const emulator::Format &format = halfFormat(i.mods[0]);
  if (!toFloat)
    return halves(w, i, 2, {format, bool(i.mods[2]), bool(i.mods[3])},
                  [](double x, double y, double) { return x + y; });
  const Lanes a = w.get(i.ops[1]), b = w.get(i.ops[2]);
  Lanes out;
  for (unsigned l = 0; l < kLanes; ++l)
    out.v[l] = finish(static_cast<float>(halfOf(i.ops[1], a.v[l], 0, format) +
                                         halfOf(i.ops[2], b.v[l], 0, format)),
                      i.mods[2], i.mods[3]);
  w.put(i.ops[0], out);
}
OPERATION(executeHmul2) {
  halves(w, i, 2, {halfFormat(i.mods[0]), bool(i.mods[1]), bool(i.mods[2])},
         [](double x, double y, double) { return x * y; });
}
OPERATION(executeHfma2) {
  halves(w, i, 3, {halfFormat(i.mods[0]), bool(i.mods[1]), bool(i.mods[2]), bool(i.mods[3])},
         [](double x, double y, double z) {
           const double product = x * y;
           return product == 0 || z == 0 ? product + z : emulator::addToOdd(product, z);
         });
}

namespace {

/// Minimum or maximum per half over two or three sources; the predicate follows them.
void halvesMinMax(Warp &w, const Instruction &i, unsigned sources) {
  const emulator::Format &format = halfFormat(i.mods[0]);
  const uint32_t minimum = w.getMask(i.ops[1 + sources]);
  const HalfResult result{format, bool(i.mods[1])};
  Lanes s[3];
  for (unsigned k = 0; k < sources; ++k)
    s[k] = w.get(i.ops[1 + k]);
  Lanes out;
  for (unsigned l = 0; l < kLanes; ++l) {
    out.v[l] = 0;
    for (unsigned which = 0; which < 2; ++which) {
      double chosen = 0;
      for (unsigned k = 0; k < sources; ++k) {
        double x = halfOf(i.ops[1 + k], s[k].v[l], which, format);
        if (result.flush)
          x = flushHalf(x, format);
        if (k == 0)
          chosen = x;
        else if (x != x || chosen != chosen)
          chosen = i.mods[2] || (x != x && chosen != chosen) ? std::nan("") : x != x ? chosen : x;
        else if (below(x, chosen) == static_cast<bool>(minimum >> l & 1))
          chosen = x;
      }
      out.v[l] |= result(chosen) << (16 * which);
    }
  }
  w.put(i.ops[0], out);
}

} // namespace

OPERATION(executeHmnmx2) {
  halvesMinMax(w, i, 2);
}
OPERATION(executeVhmnmx) {
  halvesMinMax(w, i, 3);
}

OPERATION(executeHsetp2) {
  const emulator::Format &format = halfFormat(i.mods[0]);
  const Lanes a = w.get(i.ops[2]), b = w.get(i.ops[3]);
  const uint32_t accumulator = w.getMask(i.ops[4]);
  uint32_t results[2] = {};
  for (unsigned l = 0; l < kLanes; ++l)
    for (unsigned which = 0; which < 2; ++which) {
      double x = halfOf(i.ops[2], a.v[l], which, format),
             y = halfOf(i.ops[3], b.v[l], which, format);
      if (i.mods[2])
        x = flushHalf(x, format), y = flushHalf(y, format);
      results[which] |= uint32_t{compareFloat(i.mods[1], x, y)} << l;
    }
  w.putMask(i.ops[0], combine(i.mods[3], results[0], accumulator));
  w.putMask(i.ops[1], combine(i.mods[3], results[1], accumulator));
}

#undef OPERATION

} // namespace tilesmith::sass
