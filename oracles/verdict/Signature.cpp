//===- Signature.cpp - what two findings have in common ---------------------------------------===//
#include "oracles/verdict/Signature.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/xxhash.h"

using namespace tilesmith::oracles;

std::string Signature::str() const {
  return what + ", " + place + (detail.empty() ? "" : ": " + detail);
}

/// The first words of a message: no numbers, nothing in quotes, nothing in parentheses.
static std::string normalise(llvm::StringRef message) {
  std::string result;
  char quote = 0;
  unsigned depth = 0;
  for (size_t i = 0; i < message.size() && message[i] != '\n'; ++i) {
    char c = message[i];
    if (quote) {
      quote = c == quote ? 0 : quote;
      continue;
    }
    // An apostrophe inside a word is no quote.
    if (c == '"' || c == '`' || (c == '\'' && (i == 0 || !llvm::isAlnum(message[i - 1])))) {
      quote = c;
      continue;
    }
    if (c == '(' || c == '<' || c == '[') {
      ++depth;
      continue;
    }
    if (c == ')' || c == '>' || c == ']') {
      depth -= depth > 0;
      continue;
    }
    if (c == '0' && message.substr(i).starts_with("0x")) { // an address
      i += 1;
      while (i + 1 < message.size() && llvm::isHexDigit(message[i + 1]))
        ++i;
      continue;
    }
    if (depth || llvm::isDigit(c))
      continue;
    if (c == ' ' && (result.empty() || result.back() == ' '))
      continue;
    result += c;
  }
  return llvm::StringRef(result).take_front(100).rtrim().str();
}

Signature tilesmith::oracles::signatureOf(const Verdict &verdict) {
  if (!verdict.isDisagree())
    return {};
  Signature result;
  result.oracle = verdict.oracle;
  // `emulator@O0 against reference`: the settings are no part of it.
  bool settings = false;
  for (char c : verdict.what) {
    settings = c == '@' || (settings && c != ' ');
    if (!settings)
      result.what += c;
  }
  result.place = llvm::StringRef(verdict.place).rtrim("0123456789 ").str();
  if (result.place == "buffer" || result.place == "printed text") {
    // What one kernel leaves is compared with the expectation, what another leaves with the reference,
    // and what a program of nv_tileaa leaves with the interpreter of that dialect.
    if (llvm::StringRef what = result.what; what.consume_back(" against the stored expectation") ||
                                            what.consume_back(" against tileaa"))
      result.what = (what + " against reference").str();
    // Storage between rows is judged by other rules than elements are.
    if (llvm::StringRef(verdict.byHowMuch).contains("between rows"))
      result.detail = "between rows";
    return result;
  }
  // Of two outcomes both statuses count, of a failure the start of its message: what follows names
  // places.
  result.detail = normalise(verdict.byHowMuch);
  if (size_t colon = result.detail.find(':'); colon != std::string::npos)
    result.detail.resize(colon);
  return result;
}

std::string tilesmith::oracles::stableHash(llvm::StringRef text) {
  return llvm::formatv("{0:x-16}", llvm::xxh3_64bits(text)).str();
}
