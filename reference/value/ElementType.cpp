//===- ElementType.cpp - element types of tiles -----------------------------------------------===//
#include "reference/value/ElementType.h"

#include <cassert>

using namespace tilesmith::reference;

namespace {

struct Row {
  ElementType type;
  const char *word;
  unsigned width, bytes;
  FloatFormat format;
};

constexpr FloatFormat none = {0, 0, 0, false, false, false, false, 0};

constexpr Row rows[] = {
    {ElementType::I1, "i1", 1, 1, none},
    {ElementType::I4, "i4", 4, 1, none},
    {ElementType::I8, "i8", 8, 1, none},
    {ElementType::I16, "i16", 16, 2, none},
    {ElementType::I32, "i32", 32, 4, none},
    {ElementType::I64, "i64", 64, 8, none},
    {ElementType::F16, "f16", 16, 2, {11, -14, 15, true, true, true, true, 0}},
    {ElementType::BF16, "bf16", 16, 2, {8, -126, 127, true, true, true, true, 0}},
    {ElementType::F32, "f32", 32, 4, {24, -126, 127, true, true, true, true, 0}},
    {ElementType::TF32, "tf32", 32, 4, {11, -126, 127, true, true, true, true, 13}},
    {ElementType::F64, "f64", 64, 8, {53, -1022, 1023, true, true, true, true, 0}},
    {ElementType::F8E4M3FN, "f8E4M3FN", 8, 1, {4, -6, 8, true, false, true, true, 0}},
    {ElementType::F8E5M2, "f8E5M2", 8, 1, {3, -14, 15, true, true, true, true, 0}},
    {ElementType::F8E8M0FNU, "f8E8M0FNU", 8, 1, {1, -127, 127, false, false, true, false, 0}},
    {ElementType::F8E5M3FNU, "fnv8E5M3FNU", 8, 1, {4, -14, 16, false, false, true, true, 0}},
    {ElementType::F4E2M1FN, "f4E2M1FN", 4, 1, {2, 0, 2, true, false, false, true, 0}},
    {ElementType::Pointer, "ptr", 64, 8, none},
};

const Row &row(ElementType type) {
  return rows[static_cast<unsigned>(type)];
}

uint64_t signBit(ElementType type) {
  return uint64_t(1) << (widthOf(type) - 1);
}

} // namespace

llvm::ArrayRef<ElementType> tilesmith::reference::allElementTypes() {
  static const auto all = [] {
    std::array<ElementType, std::size(rows)> types;
    for (auto [index, r] : llvm::enumerate(rows))
      types[index] = r.type;
    return types;
  }();
  return all;
}

llvm::StringRef tilesmith::reference::spelling(ElementType type) {
  return row(type).word;
}
unsigned tilesmith::reference::widthOf(ElementType type) {
  return row(type).width;
}
unsigned tilesmith::reference::bytesOf(ElementType type) {
  return row(type).bytes;
}

const FloatFormat &tilesmith::reference::formatOf(ElementType type) {
  assert(isFloat(type));
  return row(type).format;
}

std::optional<uint64_t> tilesmith::reference::infinityPattern(ElementType type, bool negative) {
  const FloatFormat &f = formatOf(type);
  if (!f.hasInfinity)
    return std::nullopt;
  int fraction = f.precision - 1 + f.trailingZeros;
  uint64_t exponent = (uint64_t(1) << (widthOf(type) - 1 - fraction)) - 1;
  return exponent << fraction | (negative ? signBit(type) : 0);
}

std::optional<uint64_t> tilesmith::reference::nanPattern(ElementType type) {
  const FloatFormat &f = formatOf(type);
  if (!f.hasNaN)
    return std::nullopt;
  if (!f.hasInfinity) // all ones below the sign
    return f.isSigned ? signBit(type) - 1 : maskOf(type);
  return *infinityPattern(type, false) | uint64_t(1) << (f.precision - 2 + f.trailingZeros);
}

uint64_t tilesmith::reference::zeroPattern(ElementType type, bool negative) {
  const FloatFormat &f = formatOf(type);
  assert(f.hasZero);
  return negative && f.isSigned ? signBit(type) : 0;
}

uint64_t tilesmith::reference::maxFinitePattern(ElementType type, bool negative) {
  const FloatFormat &f = formatOf(type);
  uint64_t magnitude;
  if (f.hasInfinity)
    magnitude = *infinityPattern(type, false) - (uint64_t(1) << f.trailingZeros);
  else
    magnitude = (f.isSigned ? signBit(type) - 1 : maskOf(type)) - (f.hasNaN ? 1 : 0);
  return magnitude | (negative && f.isSigned ? signBit(type) : 0);
}
