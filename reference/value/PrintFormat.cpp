//===- PrintFormat.cpp - how the elements of a tile are printed -------------------------------===//
#include "reference/value/PrintFormat.h"

#include "reference/value/Float.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MathExtras.h"

#include <cstdio>

namespace tilesmith::reference {
namespace {

constexpr llvm::StringLiteral kFloatLetters("eEfFgGaA");

template <typename T> std::string print(const std::string &format, T value) {
  char text[512];
  std::snprintf(text, sizeof text, format.c_str(), value);
  return text;
}

/// Elements along `dim`, from number `base` on.
std::string formatPart(const Conversion &conversion, const Tile &tile, unsigned dim, size_t base) {
  if (dim == tile.rank())
    return formatElement(conversion, tile.type(), tile.bits()[base]);
  std::string text = "[";
  auto strides = tile.strides();
  for (int64_t i = 0; i < tile.shape()[dim]; ++i)
    text += (i ? ", " : "") + formatPart(conversion, tile, dim + 1, base + i * strides[dim]);
  return text + "]";
}

} // namespace

std::optional<Conversion> parseConversion(llvm::StringRef &format) {
  Conversion result;
  while (!format.empty()) {
    const char c = format.front();
    format = format.drop_front();
    if (llvm::StringRef("diuoxXeEfFgGaAcspn").contains(c)) {
      result.letter = c;
      return result;
    }
    if (c == 'h')
      result.halves = std::min(result.halves + 1, 2u);
    else if (!llvm::StringRef("lLqjzt").contains(c))
      result.flags += c;
  }
  return std::nullopt;
}

bool isDecided(const Conversion &conversion, ElementType type) {
  return !llvm::StringRef(conversion.flags).contains('*') &&
         (isFloat(type) || !kFloatLetters.contains(conversion.letter));
}

std::string formatElement(const Conversion &conversion, ElementType type, uint64_t bits) {
  const std::string start = "%" + conversion.flags;
  const char letter = conversion.letter;
  if (isFloat(type))
    return print(start + (kFloatLetters.contains(letter) ? letter : 'f'), decode(type, bits));
  if (letter == 'p')
    return print(start + "p", reinterpret_cast<const void *>(bits));
  uint64_t mask = maskOf(type);
  int64_t value = type == ElementType::I1 ? static_cast<int64_t>(bits) : signedValue(type, bits);
  if (const unsigned width = 32 >> conversion.halves; conversion.halves && mask >> width) {
    mask = llvm::maskTrailingOnes<uint64_t>(width);
    value = llvm::SignExtend64(bits & mask, width);
  }
  if (letter == 'c')
    return print(start + "c", static_cast<int>(value));
  if (letter == 'd' || letter == 'i')
    return print(start + "lld", static_cast<long long>(value));
  return print(start + "ll" + letter,
               static_cast<unsigned long long>(static_cast<uint64_t>(value) & mask));
}

std::string formatTile(const Conversion &conversion, const Tile &tile) {
  return formatPart(conversion, tile, 0, 0);
}

std::string formatString(const Conversion &conversion, const std::string &text) {
  return print("%" + conversion.flags + "s", text.c_str());
}

} // namespace tilesmith::reference
