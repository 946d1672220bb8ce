//===- ElementType.h - element types of tiles -------------------------------------------------===//
//
// The closed set of element types with the facts every other file needs: width, bytes in memory,
// kind, float parameters. An element is held as a bit pattern in the low bits of a 64-bit word; the
// rest of the word is zero.
//
//===------------------------------------------------------------------------------------------===//
#ifndef REFERENCE_VALUE_ELEMENTTYPE_H
#define REFERENCE_VALUE_ELEMENTTYPE_H

#include <cstdint>
#include <optional>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace tilesmith::reference {

enum class ElementType : uint8_t {
  I1,
  I4,
  I8,
  I16,
  I32,
  I64,
  F16,
  BF16,
  F32,
  TF32,
  F64,
  F8E4M3FN,
  F8E5M2,
  F8E8M0FNU,
  F8E5M3FNU,
  F4E2M1FN,
  Pointer, ///< 64-bit address; the pointee lives in the tile's type, not here
};

llvm::ArrayRef<ElementType> allElementTypes();
llvm::StringRef spelling(ElementType type);

/// Significant bits of the pattern: i1 1, i4 and f4 4, tf32 32 (a full word whose low 13 bits do
/// not count), pointer 64.
unsigned widthOf(ElementType type);
/// Bytes of one element in memory; 4-bit types are packed two per byte and report 1.
unsigned bytesOf(ElementType type);
inline bool isInteger(ElementType type) {
  return type <= ElementType::I64;
}
inline bool isFloat(ElementType type) {
  return type >= ElementType::F16 && type <= ElementType::F4E2M1FN;
}
inline bool isPackedNibble(ElementType type) {
  return type == ElementType::I4 || type == ElementType::F4E2M1FN;
}
inline uint64_t maskOf(ElementType type) {
  unsigned width = widthOf(type);
  return width == 64 ? ~uint64_t(0) : (uint64_t(1) << width) - 1;
}

/// Parameters of a binary floating-point format.
struct FloatFormat {
  int precision;   ///< significand bits, hidden bit included
  int minExponent; ///< exponent of the smallest normal number
  int maxExponent; ///< exponent of the largest finite number
  bool isSigned;
  bool hasInfinity;
  bool hasNaN;
  bool hasZero;      ///< false for the pure power-of-two format
  int trailingZeros; ///< bits below the significand that are always zero (tf32: 13)
};
/// [spec: type-float-base, type-e4m3, type-e5m2, type-e8m0, type-e2m1, type-e5m3]
const FloatFormat &formatOf(ElementType type);

/// Bit patterns; nullopt where the format lacks the value.
std::optional<uint64_t> infinityPattern(ElementType type, bool negative);
std::optional<uint64_t> nanPattern(ElementType type);
uint64_t zeroPattern(ElementType type, bool negative); ///< format must have a zero
uint64_t maxFinitePattern(ElementType type, bool negative);

/// Sign-extended and zero-extended value of an integer pattern. i1 is {0, -1} when signed.
/// [spec: type-integer, type-i1]
inline int64_t signedValue(ElementType type, uint64_t bits) {
  unsigned shift = 64 - widthOf(type);
  return static_cast<int64_t>(bits << shift) >> shift;
}
inline uint64_t unsignedValue(ElementType type, uint64_t bits) {
  return bits & maskOf(type);
}

} // namespace tilesmith::reference

#endif // REFERENCE_VALUE_ELEMENTTYPE_H
