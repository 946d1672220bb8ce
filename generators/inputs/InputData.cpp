//===- InputData.cpp - initial contents of buffers --------------------------------------------===//
#include "generators/inputs/InputData.h"

#include <algorithm>
#include <cmath>
#include <iterator>

using namespace tilesmith;
using namespace tilesmith::generators;
using testcase::DataType;

namespace {

/// Exponent and fraction widths of the formats that kernels compute in.
struct Format {
  unsigned exponent, fraction;
};

Format formatOf(DataType type) {
  switch (type) {
  case DataType::F16:
    return {5, 10};
  case DataType::BF16:
    return {8, 7};
  case DataType::F64:
    return {11, 52};
  case DataType::F8E5M2:
    return {5, 2};
  case DataType::F8E4M3FN:
    return {4, 3};
  case DataType::TF32: // the upper bits of a word; see chooseFloat
    return {8, 10};
  default:
    return {8, 23};
  }
}

/// Zero, subnormal and normal limits, one and its neighbours, infinity, NaN; without sign.
uint64_t specialFloat(DataType type, ChoiceStream &stream) {
  auto [exponent, fraction] = formatOf(type);
  uint64_t one = ((uint64_t(1) << (exponent - 1)) - 1) << fraction;
  uint64_t infinity = ((uint64_t(1) << exponent) - 1) << fraction;
  uint64_t ulp = uint64_t(1) << fraction;
  const uint64_t specials[] = {
      0,       1,        ulp - 1,      ulp,       one,       one + 1,
      one - 1, infinity, infinity - 1, one + ulp, one - ulp, infinity | (ulp >> 1)};
  size_t chosen = stream.below(std::size(specials));
  if (chosen + 1 < std::size(specials))
    return specials[chosen];
  // NaN: as results are, signalling, and with a payload that rounding carries out of.
  const uint64_t payloads[] = {ulp >> 1, ulp - 1, 1, (ulp >> 1) - 1, ulp - 1 - (ulp >> 4)};
  return infinity | std::max<uint64_t>(payloads[stream.below(std::size(payloads))], 1);
}

uint64_t chooseFloat(DataType type, ChoiceStream &stream) {
  auto [exponent, fraction] = formatOf(type);
  // The low bits of a tf32 in memory are zero: what others do is open [spec: type-tf32].
  unsigned shift = type == DataType::TF32 ? 13 : 0;
  uint64_t sign = stream.chance(50) ? uint64_t(1) << (exponent + fraction) : 0;
  // Of 256 patterns the special ones deserve a larger share.
  if (exponent + fraction == 7 && stream.chance(30))
    return specialFloat(type, stream) | sign;
  switch (stream.below(8)) {
  case 0:
  case 1:
    return (specialFloat(type, stream) | sign) << shift;
  case 2:
    return stream.bits(1 + exponent + fraction) << shift; // any pattern
  case 3:
  case 4:
    return testcase::fromDouble(type, static_cast<double>(stream.between(-16, 16)));
  case 5:
  case 6:
    return testcase::fromDouble(type, static_cast<double>(stream.between(-2048, 2047)) / 128);
  default: { // all bits of the fraction
    double magnitude = std::ldexp(1 + static_cast<double>(stream.bits(52)) * 0x1p-52,
                                  static_cast<int>(stream.between(-6, 4)));
    return testcase::fromDouble(type, sign ? -magnitude : magnitude);
  }
  }
}

/// Mostly special, else between them.
uint64_t chooseSpecial(DataType type, ChoiceStream &stream) {
  auto [exponent, fraction] = formatOf(type);
  if (!stream.chance(70))
    return chooseElement(type, stream);
  uint64_t sign = stream.chance(50) ? uint64_t(1) << (exponent + fraction) : 0;
  return (specialFloat(type, stream) | sign) << (type == DataType::TF32 ? 13 : 0);
}

/// The ends of the signed and unsigned ranges, powers of two, and what is beside them.
uint64_t chooseSpecialInt(unsigned width, ChoiceStream &stream) {
  const uint64_t mask = width == 64 ? UINT64_MAX : (uint64_t(1) << width) - 1;
  const uint64_t power =
      stream.chance(50) ? uint64_t(1) << (width - 1) : uint64_t(1) << stream.below(width);
  return (power + static_cast<uint64_t>(stream.between(-2, 2))) & mask;
}

uint64_t chooseReal(DataType type, ChoiceStream &stream) {
  return testcase::fromDouble(type, 0.125 + static_cast<double>(stream.bits(32)) * 0x1.ep-32);
}

uint64_t chooseInt(unsigned width, ChoiceStream &stream) {
  uint64_t mask = width == 64 ? UINT64_MAX : (uint64_t(1) << width) - 1;
  switch (stream.below(5)) {
  case 0:
    return static_cast<uint64_t>(stream.between(-3, 3)) & mask;
  case 1:
    return ((uint64_t(1) << (width - 1)) + static_cast<uint64_t>(stream.between(-1, 1))) & mask;
  case 2:
    return static_cast<uint64_t>(stream.between(-100, 100)) & mask;
  default:
    return stream.bits(width);
  }
}

/// Sign, exponent as it is stored, fraction.
uint64_t assemble(Format format, bool negative, uint64_t exponent, uint64_t fraction) {
  return (uint64_t(negative) << (format.exponent + format.fraction)) |
         (exponent << format.fraction) | fraction;
}

/// `index`: operands of one operation have their subnormals in the same places.
uint64_t chooseForWitness(DataType type, ChoiceStream &stream, Fill fill, uint64_t index) {
  Format format = formatOf(type);
  uint64_t bias = (uint64_t(1) << (format.exponent - 1)) - 1;
  bool negative = stream.chance(50);
  uint64_t fraction = stream.bits(format.fraction);
  if (fill == Fill::Fractions && index % 4 == 3)
    fill = Fill::Subnormals;
  switch (fill) {
  case Fill::SignedZeros:
    if (stream.chance(75))
      return assemble(format, negative, 0, 0);
    return chooseElement(type, stream);
  case Fill::Subnormals:
    switch (stream.below(4)) {
    case 0:
    case 1:
      return assemble(format, negative, 0, fraction | 1);
    case 2:
      return assemble(format, negative, 1 + stream.below(2), fraction);
    default:
      return assemble(format, negative, bias - 2 + stream.below(4), fraction);
    }
  case Fill::TieFactors: // 1.5 times 1 + j units, j odd: one bit more than the format has
    return assemble(format, negative, bias,
                    (1 + 2 * stream.below(20)) & ((uint64_t(1) << format.fraction) - 1));
  case Fill::Tiny: {
    uint64_t far = 3 * format.fraction + 14; // beyond the fraction of f32 and f64
    return far + 4 < bias ? assemble(format, negative, bias - far, fraction)
                          : assemble(format, negative, 0, 1 + stream.below(7));
  }
  case Fill::Ties: {
    static constexpr unsigned kShorter[] = {7, 10, 23};
    unsigned kept = kShorter[stream.below(3)];
    kept = kept < format.fraction ? kept : stream.below(2) ? 7 : 10;
    if (kept >= format.fraction)
      return assemble(format, negative, bias, fraction);
    unsigned below = format.fraction - kept;
    uint64_t half = uint64_t(1) << (below - 1);
    uint64_t tie = (stream.bits(kept) << below) | half;
    return assemble(format, negative, bias - 3 + stream.below(7),
                    tie + static_cast<uint64_t>(stream.between(-1, 1)));
  }
  default: // Fractions
    return assemble(format, negative, bias - 2 + stream.below(4), fraction);
  }
}

/// An integer half way between two floats of some format, or one beside that.
uint64_t chooseIntTie(unsigned width, ChoiceStream &stream) {
  static constexpr unsigned kPrecisions[] = {8, 11, 24, 53};
  unsigned precision = kPrecisions[stream.below(4)];
  uint64_t mask = width == 64 ? UINT64_MAX : (uint64_t(1) << width) - 1;
  if (precision + 2 >= width)
    return stream.bits(width);
  uint64_t significand = (uint64_t(1) << precision) | (stream.bits(precision - 1) << 1) | 1;
  unsigned room = width - precision - 2; // the sign bit stays free
  unsigned shift = static_cast<unsigned>(
      stream.below(room + 1)); // mostly large: wider formats lose what is beside the tie
  if (stream.chance(60))
    shift = room - static_cast<unsigned>(stream.below(std::min(room + 1, 6u)));
  // Or about as many bits as some format holds: up to there it holds what is beside the tie, too.
  if (unsigned held = kPrecisions[stream.below(4)] + static_cast<unsigned>(stream.below(2));
      held > precision && held - precision <= room + 1 && stream.chance(30))
    shift = held - precision;
  uint64_t value = significand << shift;
  value += static_cast<uint64_t>(stream.between(-1, 1));
  return (stream.chance(40) ? 0 - value : value) & mask;
}

} // namespace

uint64_t tilesmith::generators::chooseElement(DataType type, ChoiceStream &stream) {
  if (type == DataType::Bool)
    return stream.below(2);
  if (type == DataType::F8E8M0FNU || type == DataType::F8E5M3FNU) // no sign
    return stream.bits(8);
  if (testcase::isFloat(type))
    return chooseFloat(type, stream);
  return chooseInt(8 * testcase::sizeInBytes(type), stream);
}

void tilesmith::generators::fillBuffer(testcase::Buffer &buffer, ChoiceStream stream, Fill fill) {
  buffer.data.assign(buffer.byteSize(), 0);
  if (fill == Fill::Zeros)
    return;
  for (uint64_t i = 0; i < buffer.elementCount(); ++i) {
    uint64_t bits;
    if (fill == Fill::Specials && buffer.dtype != DataType::Bool &&
        buffer.dtype != DataType::F8E8M0FNU)
      bits = testcase::isFloat(buffer.dtype)
                 ? chooseSpecial(buffer.dtype, stream)
                 : chooseSpecialInt(8 * testcase::sizeInBytes(buffer.dtype), stream);
    else if (buffer.dtype == DataType::Bool && stream.chance(20))
      bits = stream.bits(8); // any byte but 0 is true
    else if (fill == Fill::Any || fill == Fill::Specials)
      bits = chooseElement(buffer.dtype, stream);
    else if (fill == Fill::Reals)
      bits = chooseReal(buffer.dtype, stream);
    else if (fill != Fill::SmallIntegers)
      bits = testcase::isFloat(buffer.dtype)
                 ? chooseForWitness(buffer.dtype, stream, fill, i)
                 : chooseIntTie(8 * testcase::sizeInBytes(buffer.dtype), stream);
    else if (testcase::isFloat(buffer.dtype))
      bits = testcase::fromDouble(buffer.dtype, static_cast<double>(stream.between(-4, 4)));
    else
      bits = static_cast<uint64_t>(stream.between(-4, 4));
    testcase::writeElement(buffer.data, buffer.dtype, i, bits);
  }
}
