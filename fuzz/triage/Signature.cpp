//===- Signature.cpp - what two findings have in common ---------------------------------------===//
#include "fuzz/triage/Signature.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tilesmith;
using namespace tilesmith::fuzz;

std::string Signature::str() const {
  return what + ", " + where + (detail.empty() ? "" : ": " + detail);
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
    if (depth || llvm::isDigit(c))
      continue;
    if (c == ' ' && (result.empty() || result.back() == ' '))
      continue;
    result += c;
  }
  return llvm::StringRef(result).take_front(100).rtrim().str();
}

Signature tilesmith::fuzz::signatureOf(const oracles::Verdict &verdict) {
  if (!verdict.isDisagree())
    return {};
  Signature result;
  // `emulator@O0 against reference`: the settings are no part of it.
  bool settings = false;
  for (char c : verdict.what) {
    settings = c == '@' || (settings && c != ' ');
    if (!settings)
      result.what += c;
  }
  result.where = llvm::StringRef(verdict.where).rtrim("0123456789 ").str();
  if (result.where == "buffer" || result.where == "printed text") {
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

std::string tilesmith::fuzz::stableHash(llvm::StringRef text) {
  uint64_t hash = 0xcbf29ce484222325ull;
  for (char c : text)
    hash = (hash ^ static_cast<uint8_t>(c)) * 0x100000001b3ull;
  return llvm::formatv("{0:x-16}", hash).str();
}
