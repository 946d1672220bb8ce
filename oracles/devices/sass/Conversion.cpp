//===- Conversion.cpp - between integers and floats, and between floats -----------------------===//
#include "oracles/devices/emulator/Numeric.h"
#include "oracles/devices/sass/Execute.h"
#include "oracles/devices/sass/Machine.h"

#include "llvm/ADT/bit.h"

using namespace tilesmith;
using namespace tilesmith::sass;
using emulator::bitsTo;
using emulator::Round;

namespace {

/// Values of a size field of floats.
enum FloatSize { F16 = 1, F32 = 2, F64 = 3, BF16 = 4 };

const emulator::Format &formatOf(unsigned size) {
  return size == F16 ? emulator::kF16 : size == BF16 ? emulator::kBF16 : emulator::kF32;
}

Round roundOf(unsigned mode) {
  static constexpr Round kModes[] = {Round::Nearest, Round::Down, Round::Up, Round::Zero};
  return kModes[mode & 3];
}

/// A source of one of the sizes, exactly, with its sign operations.
/// `high`: the upper half of the register.
Lanes64 readFloats(Warp &w, const Operand &op, unsigned size, bool flush, bool high) {
  Lanes64 out;
  if (size == F64)
    return w.getDouble(op);
  Lanes bits = w.get(op);
  for (unsigned l = 0; l < kLanes; ++l) {
    uint32_t v = bits.v[l];
    if (size != F32)
      v = (high ? v >> 16 : v) & 0xffff;
    double value = emulator::decode(v, formatOf(size));
    if (size == F32 && value != value) // whose sign and payload are kept in a double
      value = bitsTo<double>(uint64_t{v & 0x80000000} << 32 | uint64_t{0x7ff8} << 48 |
                             uint64_t{v & 0x7fffff} << 29);
    if (flush && size == F32 && std::fabs(value) < 0x1p-126)
      value = std::copysign(0.0, value);
    if (op.absolute)
      value = std::fabs(value);
    if (op.negative)
      value = -value;
    out.v[l] = bitsTo<uint64_t>(value);
  }
  return out;
}

/// A double that need not be exact, but has its last bit sticky unless the result is a double.
/// `keepNaN`: a NaN as f32 has the sign and the upper payload of the double.
void writeFloats(Warp &w, const Operand &op, const Lanes64 &values, unsigned size, Round round,
                 bool flush, bool keepNaN = false) {
  if (size == F64) {
    Lanes64 out = values;
    for (uint64_t &v : out.v)
      if (bitsTo<double>(v) != bitsTo<double>(v))
        v |= uint64_t{1} << 51; // quiet
    return w.put64(op, out);
  }
  Lanes out;
  for (unsigned l = 0; l < kLanes; ++l) {
    const uint64_t v = values.v[l];
    out.v[l] = emulator::encode(bitsTo<double>(v), formatOf(size), round);
    if (keepNaN && size == F32 && bitsTo<double>(v) != bitsTo<double>(v))
      out.v[l] = static_cast<uint32_t>(v >> 32 & 0x80000000) | 0x7fc00000 |
                 static_cast<uint32_t>(v >> 29 & 0x7fffff);
    if (flush && size == F32 && !(out.v[l] & 0x7f800000))
      out.v[l] &= 0x80000000;
  }
  w.put(op, out);
}

double roundToIntegral(double value, unsigned mode) {
  switch (mode) {
  case 0:
    return std::nearbyint(value);
  case 1:
    return std::floor(value);
  case 2:
    return std::ceil(value);
  default:
    return std::trunc(value);
  }
}

/// A 64-bit magnitude as a double: exact, or with a sticky last bit, or rounded to `round`.
double fromMagnitude(uint64_t magnitude, bool negative, bool toDouble, Round round) {
  const unsigned bits = 64 - static_cast<unsigned>(llvm::countl_zero(magnitude));
  double value;
  if (bits <= 53) {
    value = static_cast<double>(magnitude);
  } else {
    const unsigned drop = bits - 53;
    uint64_t kept = magnitude >> drop;
    const uint64_t rest = magnitude & ((uint64_t{1} << drop) - 1), half = uint64_t{1} << (drop - 1);
    if (!toDouble)
      kept |= rest != 0;
    else if (round == Round::Nearest)
      kept += rest > half || (rest == half && (kept & 1));
    else if (rest && (round == Round::Up ? !negative : round == Round::Down && negative))
      ++kept;
    value = std::ldexp(static_cast<double>(kept), static_cast<int>(drop));
  }
  return negative ? -value : value;
}

} // namespace

namespace tilesmith::sass {

#define OPERATION(name) void name(Warp &w, const Instruction &i)

OPERATION(executeF2f) {
  const Lanes64 values = readFloats(w, i.ops[1], i.mods[1], i.mods[2], i.mods[4]);
  writeFloats(w, i.ops[0], values, i.mods[0], roundOf(i.mods[3]), i.mods[2], i.mods[1] == F64);
}

OPERATION(executeFrnd) {
  Lanes64 values = readFloats(w, i.ops[1], i.mods[1], i.mods[2], i.mods[4]);
  for (uint64_t &v : values.v)
    v = bitsTo<uint64_t>(roundToIntegral(bitsTo<double>(v), i.mods[3]));
  writeFloats(w, i.ops[0], values, i.mods[0], Round::Nearest, i.mods[2]);
}

// Out of range saturates. NaN is zero with NTZ, else the top bit.
OPERATION(executeF2i) {
  const bool isSigned = i.mods[0], wide = i.mods[1] == 3;
  const unsigned bits = 8u << i.mods[1];
  const Lanes64 values = readFloats(w, i.ops[1], i.mods[2], i.mods[3], i.mods[6]);
  const double limit = std::ldexp(1.0, static_cast<int>(bits - isSigned));
  const uint64_t most =
      bits == 64 && !isSigned ? ~uint64_t{0} : (uint64_t{1} << (bits - isSigned)) - 1;
  Lanes64 out;
  for (unsigned l = 0; l < kLanes; ++l) {
    const double value = bitsTo<double>(values.v[l]);
    if (value != value) {
      out.v[l] = i.mods[5] ? 0 : uint64_t{1} << (wide ? 63 : 31);
      continue;
    }
    const double integral = roundToIntegral(value, i.mods[4]);
    if (integral >= limit)
      out.v[l] = most;
    else if (!isSigned)
      out.v[l] = integral <= 0 ? 0 : static_cast<uint64_t>(integral);
    else if (integral < -limit)
      out.v[l] = ~most;
    else
      out.v[l] = static_cast<uint64_t>(static_cast<int64_t>(integral));
  }
  if (wide)
    return w.put64(i.ops[0], out);
  Lanes narrow;
  for (unsigned l = 0; l < kLanes; ++l)
    narrow.v[l] = static_cast<uint32_t>(out.v[l]);
  w.put(i.ops[0], narrow);
}

namespace {

void integersToFloats(Warp &w, const Instruction &i, bool isSigned, unsigned log2Bytes,
                      unsigned part, unsigned size, unsigned mode) {
  const Lanes64 values = log2Bytes == 3 ? w.getWide(i.ops[1]) : Lanes64{};
  const Lanes words = w.get(i.ops[1]);
  const unsigned bits = 8u << log2Bytes;
  const Round round = roundOf(mode);
  Lanes64 out;
  for (unsigned l = 0; l < kLanes; ++l) {
    uint64_t value = log2Bytes == 3 ? values.v[l] : words.v[l] >> (part * bits & 31);
    value = bits == 64 ? value : value & ((uint64_t{1} << bits) - 1);
    const bool negative = isSigned && value >> (bits - 1);
    uint64_t magnitude = value;
    if (negative)
      magnitude = (0 - value) & (bits == 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1);
    out.v[l] = bitsTo<uint64_t>(fromMagnitude(magnitude, negative, size == F64, round));
  }
  writeFloats(w, i.ops[0], out, size, round, false);
}

} // namespace

OPERATION(executeI2f) {
  integersToFloats(w, i, i.mods[0], i.mods[1], i.mods[4], i.mods[2], i.mods[3]);
}
OPERATION(executeI2fp) {
  integersToFloats(w, i, i.mods[0], 2, 0, F32, i.mods[1]);
}

// ---- two f32 to a pair of halves, bytes to halves and back ----

namespace {

const emulator::Format &byteFormat(unsigned which) {
  return which ? emulator::kE4M3 : emulator::kE5M2;
}

/// A number in another format. `positive` (.RELU): what is below zero, and -0, is +0; `finite` (.SATFINITE): what is too large,
/// infinities among it, is the largest number. NaN is NaN.
struct Narrowing {
  const emulator::Format &from, &to;
  Round round = Round::Nearest;
  bool positive = false, finite = false;

  uint32_t operator()(uint32_t bits) const {
    const double value = emulator::decode(bits, from);
    return emulator::encode(positive && value <= 0 ? 0 : value, to, round, finite);
  }
};

/// By the fields of halves: type, .RELU, rounding, .SATFINITE.
Narrowing toHalf(const Instruction &i) {
  return {emulator::kF32, i.mods[0] ? emulator::kBF16 : emulator::kF16,
          i.mods[2] == 3 ? Round::Zero : Round::Nearest, i.mods[1] != 0, i.mods[3] != 0};
}

} // namespace

OPERATION(executeF2fp) {
  const Lanes a = w.getFloat(i.ops[1]), b = w.getFloat(i.ops[2]);
  const Narrowing narrow = toHalf(i);
  Lanes out;
  for (unsigned l = 0; l < kLanes; ++l)
    out.v[l] = narrow(a.v[l]) << 16 | narrow(b.v[l]);
  w.put(i.ops[0], out);
}

OPERATION(executeF2fpHalf) {
  Lanes out = w.getFloat(i.ops[1]);
  std::transform(out.v, out.v + kLanes, out.v, toHalf(i));
  w.put(i.ops[0], out);
}

OPERATION(executeF2fpTf32) {
  Lanes out = w.getFloat(i.ops[1]);
  const Narrowing narrow{emulator::kF32, emulator::kTF32, i.mods[0] ? Round::Zero : Round::Nearest,
                         i.mods[1] != 0, i.mods[2] != 0};
  for (uint32_t &v : out.v)
    v = (v & 0x7fffffff) > 0x7f800000 ? 0x7fffffff : narrow(v) << 13;
  w.put(i.ops[0], out);
}

OPERATION(executeF2fp8) {
  const Lanes a = w.getFloat(i.ops[1]), b = w.getFloat(i.ops[2]), c = w.get(i.ops[3]);
  const Narrowing narrow{emulator::kF32, byteFormat(i.mods[0]), Round::Nearest, i.mods[1] != 0,
                         true};
  Lanes out;
  for (unsigned l = 0; l < kLanes; ++l)
    out.v[l] = narrow(b.v[l]) | narrow(a.v[l]) << 8 | c.v[l] << 16;
  w.put(i.ops[0], out);
}

OPERATION(executeF2fp8Half) {
  const Lanes b = w.get(i.ops[1]), c = w.get(i.ops[2]);
  const Narrowing narrow{emulator::kF16, byteFormat(i.mods[0]), Round::Nearest, i.mods[1] != 0,
                         true};
  Lanes out;
  for (unsigned l = 0; l < kLanes; ++l)
    out.v[l] = narrow(b.v[l] & 0xffff) | narrow(b.v[l] >> 16) << 8 | c.v[l] << 16;
  w.put(i.ops[0], out);
}

OPERATION(executeF2fpUnpack) {
  Lanes out = w.get(i.ops[1]);
  const Narrowing widen{byteFormat(i.mods[0]), emulator::kF16, Round::Nearest, i.mods[2] != 0};
  for (uint32_t &v : out.v) {
    const uint32_t pair = i.mods[1] ? v >> 16 : v;
    v = widen(pair & 0xff) | widen(pair >> 8 & 0xff) << 16;
  }
  w.put(i.ops[0], out);
}

OPERATION(executeF2fpUnpackE2m1) {
  Lanes out = w.get(i.ops[1]);
  const Narrowing widen{emulator::kE2M1, emulator::kF16, Round::Nearest, i.mods[1] != 0};
  for (uint32_t &v : out.v) {
    const uint32_t pair = i.mods[0] ? v >> 16 : v;
    v = widen(pair & 15) | widen(pair >> 4 & 15) << 16;
  }
  w.put(i.ops[0], out);
}

// A power of two as its biased exponent; 0xff is NaN. The smallest is a subnormal bf16.
OPERATION(executeF2fpUnpackE8) {
  Lanes out = w.get(i.ops[1]);
  auto convert = [](uint32_t byte) -> uint32_t {
    byte &= 0xff;
    return byte == 0xff ? 0x7fff : byte ? byte << 7 : 0x40;
  };
  for (uint32_t &v : out.v) {
    const uint32_t pair = i.mods[0] ? v >> 16 : v;
    v = convert(pair) | convert(pair >> 8) << 16;
  }
  w.put(i.ops[0], out);
}

namespace {

/// The exponent of a magnitude, rounded up to the next power of two or down. 0xff is NaN, and what is
/// too large where it does not saturate.
uint32_t powerOf(double value, bool up, bool saturates) {
  value = std::fabs(value);
  const uint32_t tooLarge = saturates ? 0xfe : 0xff;
  if (value != value)
    return 0xff;
  if (value == 0)
    return 0;
  if (std::isinf(value))
    return tooLarge;
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent); // in [0.5, 1)
  const int power = exponent - 1 + (up && fraction != 0.5) + 127;
  return power > 0xfe ? tooLarge : static_cast<uint32_t>(std::max(power, 0));
}

} // namespace

OPERATION(executeF2fpE8) {
  const Lanes a = w.getFloat(i.ops[1]), b = w.getFloat(i.ops[2]), c = w.get(i.ops[3]);
  auto convert = [&](uint32_t bits) {
    return powerOf(emulator::decode(bits, emulator::kF32), i.mods[1] == 2, i.mods[0]);
  };
  Lanes out;
  for (unsigned l = 0; l < kLanes; ++l)
    out.v[l] = convert(b.v[l]) | convert(a.v[l]) << 8 | c.v[l] << 16;
  w.put(i.ops[0], out);
}

OPERATION(executeF2fpE8Brain) {
  const Lanes b = w.get(i.ops[1]), c = w.get(i.ops[2]);
  auto convert = [&](uint32_t bits) {
    return powerOf(emulator::decode(bits & 0xffff, emulator::kBF16), i.mods[1] == 2, i.mods[0]);
  };
  Lanes out;
  for (unsigned l = 0; l < kLanes; ++l)
    out.v[l] = convert(b.v[l]) | convert(b.v[l] >> 16) << 8 | c.v[l] << 16;
  w.put(i.ops[0], out);
}

OPERATION(executeF2fpE2m1) {
  const Lanes a = w.getFloat(i.ops[1]), b = w.getFloat(i.ops[2]), c = w.get(i.ops[3]);
  const Narrowing narrow{emulator::kF32, emulator::kE2M1, Round::Nearest, i.mods[0] != 0, true};
  Lanes out;
  for (unsigned l = 0; l < kLanes; ++l)
    out.v[l] = narrow(b.v[l]) | narrow(a.v[l]) << 4 | c.v[l] << 8;
  w.put(i.ops[0], out);
}

OPERATION(executeF2fpE2m1Half) {
  const Lanes b = w.get(i.ops[1]), c = w.get(i.ops[2]);
  const Narrowing narrow{emulator::kF16, emulator::kE2M1, Round::Nearest, false, true};
  Lanes out;
  for (unsigned l = 0; l < kLanes; ++l)
    out.v[l] = narrow(b.v[l] & 0xffff) | narrow(b.v[l] >> 16) << 4 | c.v[l] << 8;
  w.put(i.ops[0], out);
}

#undef OPERATION

} // namespace tilesmith::sass
