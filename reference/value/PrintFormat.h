//===- PrintFormat.h - how the elements of a tile are printed ---------------------------------===//
//
// Every element by the same conversion, `[a, b]` nested per dimension. i1 prints 0 or 1, other
// integers are read as signed by %d and as unsigned numbers of their own width by %u, %x, %o (what
// the frontends expect; release 13.5 of the closed compiler sign-extends i8 and i16 first); `h` and
// `hh` leave their low 16 and 8 bits. Floats print as double.
//
//===------------------------------------------------------------------------------------------===//
#ifndef REFERENCE_VALUE_PRINTFORMAT_H
#define REFERENCE_VALUE_PRINTFORMAT_H

#include "reference/value/Tile.h"

#include <optional>

namespace tilesmith::reference {

/// One conversion of a format string: everything from '%' to the letter.
struct Conversion {
  std::string flags;   ///< flags, width and precision, without '%', length and letter
  unsigned halves = 0; ///< length modifiers `h`; the others are implied by the element
  char letter = 0;
};

/// Reads the conversion that starts behind a '%', and takes it off the format.
std::optional<Conversion> parseConversion(llvm::StringRef &format);

/// Conversions of floats for integers, and `*` for a width, are not.
bool isDecided(const Conversion &conversion, ElementType type);

/// [spec: print-integer, print-float]
std::string formatElement(const Conversion &conversion, ElementType type, uint64_t bits);
/// [spec: print-tile]
std::string formatTile(const Conversion &conversion, const Tile &tile);
/// [spec: print-string]
std::string formatString(const Conversion &conversion, const std::string &text);

} // namespace tilesmith::reference

#endif // REFERENCE_VALUE_PRINTFORMAT_H
