//===- SassSweepConversionTest.cpp - conversions between all integers and floats --------------===//
#include "oracles/devices/sass/SassSweep.h"

using namespace tilesmith;
using namespace tilesmith::sass;

namespace {

struct FloatType {
  const char *name, *source; ///< and the register that holds the first input
  unsigned firstSm;
  const emulator::Format *format; ///< none: a double
};
constexpr FloatType kFloats[] = {{"f16", "%s", 80, &emulator::kF16},
                                 {"f32", "%x", 80, &emulator::kF32},
                                 {"f64", "%f", 80, nullptr},
                                 {"bf16", "%s", 90, &emulator::kBF16}};
struct IntegerType {
  const char *name;
  unsigned bits;
  bool isSigned;
};
constexpr IntegerType kIntegers[] = {{"u8", 8, false},   {"s8", 8, true},    {"u16", 16, false},
                                     {"s16", 16, true},  {"u32", 32, false}, {"s32", 32, true},
                                     {"u64", 64, false}, {"s64", 64, true}};

double valueOf(const FloatType &type, uint64_t bits) {
  return type.format
             ? emulator::decode(bits & ((uint64_t{1} << type.format->width()) - 1), *type.format)
             : asDouble(bits);
}
double rounded(double v, emulator::Round round) {
  return round == emulator::Round::Nearest ? std::nearbyint(v)
         : round == emulator::Round::Zero  ? std::trunc(v)
         : round == emulator::Round::Down  ? std::floor(v)
                                           : std::ceil(v);
}

/// Results lie in their range; NaN is 0, or the top bit where 64 bits are on one side.
uint64_t toInteger(const FloatType &from, const IntegerType &to, emulator::Round round,
                   uint64_t a) {
  const double v = valueOf(from, a);
  if (v != v)
    return !from.format || to.bits == 64 ? uint64_t{1} << (to.bits == 64 ? 63 : 31) : 0;
  const double whole = rounded(v, round),
               power = std::ldexp(1.0, static_cast<int>(to.bits) - to.isSigned);
  if (whole >= power)
    return to.bits - to.isSigned == 64 ? ~uint64_t{0}
                                       : (uint64_t{1} << (to.bits - to.isSigned)) - 1;
  if (!to.isSigned)
    return whole <= 0 ? 0 : static_cast<uint64_t>(whole);
  const auto value = static_cast<uint64_t>(whole <= -power ? static_cast<int64_t>(-power)
                                                           : static_cast<int64_t>(whole));
  return to.bits == 64 ? value : static_cast<uint32_t>(value);
}

void addToIntegers(Sweep &out) {
  static constexpr const char *kNames[] = {"rni", "rzi", "rmi", "rpi"};
  for (const FloatType &from : kFloats)
    for (const IntegerType &to : kIntegers)
      for (unsigned n = 0; n < 4; ++n) {
        // Doubles to 8 and 16 bits: what a NaN becomes is not said.
        if (!from.format && to.bits < 32)
          continue;
        if (to.bits == 8 && from.firstSm == 90) // bf16 and bytes: none
          continue;
        out.push_back({"cvt." + std::string(kNames[n]) + "." + to.name + "." + from.name +
                           (to.bits == 64   ? " %d, "
                            : to.bits == 16 ? " %v, "
                                            : " %w, ") +
                           from.source + ";" +
                           (to.bits != 16 ? ""
                            : to.isSigned ? " cvt.s32.s16 %w, %v;"
                                          : " cvt.u32.u16 %w, %v;"),
                       [&from, &to, n](uint64_t a, uint64_t, uint64_t) {
                         return toInteger(from, to, kRoundings[n].of, a);
                       },
                       from.firstSm});
      }
}

/// A whole number of at most 64 bits as a double rounded to odd.
double toOdd(uint64_t magnitude, bool isNegative) {
  int dropped = std::max(0, 64 - std::countl_zero(magnitude) - 53);
  const bool isInexact = dropped && magnitude & ((uint64_t{1} << dropped) - 1);
  const double v = std::ldexp(static_cast<double>(magnitude >> dropped | isInexact), dropped);
  return isNegative ? -v : v;
}

uint64_t fromInteger(const IntegerType &from, const FloatType &to, const Rounding &rounding,
                     uint64_t bits) {
  bits = from.bits == 64 ? bits : bits & ((uint64_t{1} << from.bits) - 1);
  const bool isNegative = from.isSigned && bits >> (from.bits - 1);
  const uint64_t magnitude =
      isNegative ? (from.bits == 64 ? 0 : uint64_t{1} << from.bits) - bits : bits;
  if (to.format)
    return emulator::encode(toOdd(magnitude, isNegative), *to.format, rounding.of);
  const int dropped = std::max(0, 64 - std::countl_zero(magnitude) - 53);
  const uint64_t unit = uint64_t{1} << dropped, rest = magnitude & (unit - 1);
  uint64_t whole = magnitude >> dropped;
  switch (rounding.of) {
  case emulator::Round::Up:
    whole += rest && !isNegative;
    break;
  case emulator::Round::Down:
    whole += rest && isNegative;
    break;
  case emulator::Round::Nearest:
    whole += 2 * rest > unit || (2 * rest == unit && whole & 1);
    break;
  default:
    break;
  }
  const double v = std::ldexp(static_cast<double>(whole), dropped);
  return fromDouble(isNegative ? -v : v);
}

void addFromIntegers(Sweep &out) {
  for (const IntegerType &from : kIntegers)
    for (const FloatType &to : kFloats)
      for (const Rounding &rounding : kRoundings) {
        if (from.bits == 8 && to.firstSm == 90)
          continue;
        const bool isDouble = !to.format, isHalf = to.format && to.format->width() == 16;
        const std::string result = isDouble ? " %e, " : isHalf ? " %v, " : " %w, ";
        const std::string back = isDouble ? " mov.b64 %d, %e;"
                                 : isHalf ? " cvt.u32.u16 %w, %v;"
                                          : "";
        const std::string operation =
            "cvt." + std::string(rounding.name) + "." + to.name + "." + from.name + result;
        // Of 8 and 16 bits each place of the register.
        for (unsigned shift = 0; shift < std::max(from.bits, 32u); shift += from.bits) {
          const char *source = from.bits == 64   ? "%a"
                               : from.bits == 16 ? (shift ? "%S" : "%s")
                               : shift           ? "%o"
                                                 : "%x";
          out.push_back(
              {(from.bits == 8 && shift ? "shr.u32 %o, %x, " + std::to_string(shift) + "; " : "") +
                   operation + source + ";" + back,
               [&from, &to, &rounding, shift](uint64_t a, uint64_t, uint64_t) {
                 return fromInteger(from, to, rounding,
                                    (from.bits == 64 ? a : a & 0xffffffff) >> shift);
               },
               to.firstSm});
        }
      }
}

/// To a narrower float, and to whole numbers of the same type.
void addFloats(Sweep &out) {
  static constexpr const char *kNames[] = {"rni", "rzi", "rmi", "rpi"};
  for (const FloatType &type : kFloats)
    for (unsigned n = 0; n < 4; ++n) {
      const bool isHalf = type.format && type.format->width() == 16;
      for (const char *upper : {"", "S"}) {
        if (*upper && !isHalf)
          continue;
        out.push_back({"cvt." + std::string(kNames[n]) + "." + type.name + "." + type.name +
                           (isHalf        ? " %v, "
                            : type.format ? " %w, "
                                          : " %e, ") +
                           (*upper ? "%S" : type.source) +
                           (isHalf        ? "; cvt.u32.u16 %w, %v;"
                            : type.format ? ";"
                                          : "; mov.b64 %d, %e;"),
                       [&type, n, upper](uint64_t a, uint64_t, uint64_t) -> uint64_t {
                         const double v = valueOf(type, *upper ? a >> 16 : a);
                         const double whole = std::copysign(rounded(v, kRoundings[n].of), v);
                         return !type.format ? fromDouble(whole)
                                : v != v     ? type.format->nan
                                             : emulator::encode(whole, *type.format);
                       },
                       type.firstSm,
                       isHalf        ? 16u
                       : type.format ? 32u
                                     : 64u});
      }
    }
  struct Narrowing {
    unsigned from, to, roundings; ///< how many of the roundings there are
  };
  // bf16 from f64 has all roundings from sm_90 on.
  static constexpr Narrowing kNarrowings[] = {
      {1, 0, 2}, {2, 0, 4}, {2, 1, 4}, {1, 3, 2}, {2, 3, 4}};
  for (const Narrowing &one : kNarrowings)
    for (unsigned n = 0; n < one.roundings; ++n) {
      const FloatType &from = kFloats[one.from], &to = kFloats[one.to];
      const bool isHalf = to.format->width() == 16;
      out.push_back({"cvt." + std::string(kRoundings[n].name) + "." + to.name + "." + from.name +
                         (isHalf ? " %v, " : " %w, ") + from.source +
                         (isHalf ? "; cvt.u32.u16 %w, %v;" : ";"),
                     [&from, &to, n](uint64_t a, uint64_t, uint64_t) {
                       return uint64_t{
                           emulator::encode(valueOf(from, a), *to.format, kRoundings[n].of)};
                     },
                     to.firstSm, isHalf ? 16u : 32u});
    }
  // To a wider one, by either half.
  for (const char *type : {"f16", "bf16"})
    for (const char *half : {"%s", "%S"})
      for (const char *to : {"f32", "f64"}) {
        const FloatType &from = kFloats[*type == 'f' ? 0 : 3];
        const bool isDouble = to[1] == '6';
        out.push_back({"cvt." + std::string(to) + "." + type + (isDouble ? " %e, " : " %w, ") +
                           half + (isDouble ? "; mov.b64 %d, %e;" : ";"),
                       [&from, isDouble, half](uint64_t a, uint64_t, uint64_t) {
                         const double v = valueOf(from, half[1] == 'S' ? a >> 16 : a);
                         return isDouble ? fromDouble(v) : fromFloat(static_cast<float>(v));
                       },
                       from.firstSm, isDouble ? 64u : 32u});
      }
}

} // namespace

Sweep tilesmith::sass::conversionSweep() {
  Sweep out;
  addToIntegers(out);
  addFromIntegers(out);
  addFloats(out);
  return out;
}
