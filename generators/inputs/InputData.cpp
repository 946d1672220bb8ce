//===- InputData.cpp - initial contents of buffers --------------------------------------------===//
#include "generators/inputs/InputData.h"

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
  return specials[stream.below(std::size(specials))];
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
    if (fill == Fill::Any)
      bits = chooseElement(buffer.dtype, stream);
    else if (fill == Fill::Reals)
      bits = chooseReal(buffer.dtype, stream);
    else if (testcase::isFloat(buffer.dtype))
      bits = testcase::fromDouble(buffer.dtype, static_cast<double>(stream.between(-4, 4)));
    else
      bits = static_cast<uint64_t>(stream.between(-4, 4));
    testcase::writeElement(buffer.data, buffer.dtype, i, bits);
  }
}
