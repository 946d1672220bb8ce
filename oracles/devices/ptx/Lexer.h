//===- Lexer.h - tokens of PTX text -----------------------------------------------------------===//
//
// Splits PTX into names, dotted words, numbers, strings and punctuation. A dotted word is one part
// of an opcode or a directive: `ld.shared::cta.b32` is the name `ld` and the words `shared::cta`
// and `b32`. Blanks and comments vanish; lines and columns count from 1.
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_DEVICES_PTX_LEXER_H
#define ORACLES_DEVICES_PTX_LEXER_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <vector>

namespace tilesmith::ptx {

struct Location {
  unsigned line = 0;
  unsigned column = 0;
};

struct Token {
  enum Kind {
    End,
    Name,        ///< `add`, `%r1`, `$L__BB0_1`, `_`
    Word,        ///< `.b32`; the text is without the dot
    Integer,     ///< value holds it, also for more than 63 bits
    Single,      ///< `0f3F800000`
    Double,      ///< `0d3FF0000000000000`
    Decimal,     ///< `1.5`
    String,      ///< the text is without the quotes
    Punctuation, ///< one character
    Invalid,     ///< nothing of the language; message says why
  };

  Kind kind = End;
  llvm::StringRef text;
  Location location;
  uint64_t value = 0;
  const char *message = nullptr;

  bool is(char c) const { return kind == Punctuation && text[0] == c; }
  bool isWord(llvm::StringRef word) const { return kind == Word && text == word; }
};

/// All tokens of `text`, which must outlive them; the last is End. Stops at the first Invalid one.
std::vector<Token> lex(llvm::StringRef text);

} // namespace tilesmith::ptx

#endif // ORACLES_DEVICES_PTX_LEXER_H
