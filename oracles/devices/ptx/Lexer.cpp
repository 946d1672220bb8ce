//===- Lexer.cpp - tokens of PTX text ---------------------------------------------------------===//
//
// One pass over the characters, without backtracking.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/devices/ptx/Lexer.h"

#include "llvm/ADT/StringExtras.h"

using namespace tilesmith::ptx;
using llvm::StringRef;

namespace {

bool isNamePart(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '$';
}

class Scanner {
public:
  explicit Scanner(StringRef text) : text(text) {}

  Token next() {
    if (const char *wrong = skipBlanks())
      return invalid(wrong);
    start = at;
    startLocation = {line, static_cast<unsigned>(at - lineStart + 1)};
    if (at == text.size())
      return make(Token::End);
    const char c = text[at];
    if (llvm::isAlpha(c) || c == '_' || c == '$' || c == '%')
      return name();
    if (llvm::isDigit(c))
      return number();
    if (c == '.')
      return word();
    if (c == '"')
      return string();
    ++at;
    if (!StringRef(",;:[](){}+-!|@=<>*/~&^?").contains(c))
      return invalid("unexpected character");
    return make(Token::Punctuation);
  }

private:
  const char *skipBlanks() {
    while (at < text.size()) {
      const char c = text[at];
      if (c == '\n') {
        ++at;
        ++line;
        lineStart = at;
      } else if (c == ' ' || c == '\t' || c == '\r') {
        ++at;
      } else if (text.substr(at).starts_with("//")) {
        at = std::min(text.find('\n', at), text.size());
      } else if (text.substr(at).starts_with("/*")) {
        const size_t end = text.find("*/", at + 2);
        if (end == StringRef::npos) {
          startLocation = {line, static_cast<unsigned>(at - lineStart + 1)};
          start = at = text.size();
          return "comment without an end";
        }
        for (; at < end + 2; ++at)
          if (text[at] == '\n') {
            ++line;
            lineStart = at + 1;
          }
      } else {
        break;
      }
    }
    return nullptr;
  }

  Token make(Token::Kind kind) const {
    return {kind, text.slice(start, at), startLocation, 0, nullptr};
  }

  Token invalid(const char *message) const {
    Token token = make(Token::Invalid);
    token.message = message;
    return token;
  }

  Token name() {
    ++at;
    while (at < text.size() && isNamePart(text[at]))
      ++at;
    if (at == start + 1 && (text[start] == '%' || text[start] == '$'))
      return invalid("name expected");
    return make(Token::Name);
  }

  Token word() {
    const size_t first = ++at;
    while (at < text.size()) {
      if (isNamePart(text[at]))
        ++at;
      else if (at > first && text.substr(at).starts_with("::"))
        at += 2;
      else
        break;
    }
    if (at == first)
      return invalid("word expected behind '.'");
    Token token = make(Token::Word);
    token.text = token.text.drop_front();
    return token;
  }

  Token string() {
    for (++at; at < text.size() && text[at] != '"' && text[at] != '\n'; ++at)
      if (text[at] == '\\' && at + 1 < text.size() && text[at + 1] != '\n')
        ++at;
    if (at == text.size() || text[at] == '\n')
      return invalid("string without an end");
    ++at;
    Token token = make(Token::String);
    token.text = token.text.drop_front().drop_back();
    return token;
  }

  Token hexFloat(Token::Kind kind, size_t digits) {
    at += 2;
    const StringRef body = text.substr(at).take_while(llvm::isHexDigit);
    at += body.size();
    if (body.size() != digits)
      return invalid(kind == Token::Single ? "expected 8 hexadecimal digits behind 0f"
                                           : "expected 16 hexadecimal digits behind 0d");
    Token token = make(kind);
    body.getAsInteger(16, token.value);
    return token;
  }

  Token number() {
    const char second = at + 1 < text.size() ? llvm::toLower(text[at + 1]) : 0;
    if (text[at] == '0' && second == 'f')
      return hexFloat(Token::Single, 8);
    if (text[at] == '0' && second == 'd')
      return hexFloat(Token::Double, 16);
    while (at < text.size() && llvm::isAlnum(text[at]))
      ++at;
    // A decimal number with a point or an exponent; `1.5`, but not `.1d` of an opcode.
    const bool hex = second == 'x' || second == 'b';
    if (!hex && at + 1 < text.size() && text[at] == '.' && llvm::isDigit(text[at + 1])) {
      for (++at; at < text.size() && llvm::isAlnum(text[at]); ++at) {
      }
      if (llvm::toLower(text[at - 1]) == 'e' && at < text.size() &&
          (text[at] == '+' || text[at] == '-'))
        for (++at; at < text.size() && llvm::isDigit(text[at]); ++at) {
        }
      double unused;
      return text.slice(start, at).getAsDouble(unused) ? invalid("malformed number")
                                                       : make(Token::Decimal);
    }
    Token token = make(Token::Integer);
    StringRef body = token.text;
    if (body.ends_with("U"))
      body = body.drop_back();
    if (body.getAsInteger(0, token.value))
      return invalid("malformed number, or one of more than 64 bits");
    return token;
  }

  StringRef text;
  size_t at = 0;
  size_t start = 0;
  size_t lineStart = 0;
  unsigned line = 1;
  Location startLocation;
};

} // namespace

std::vector<Token> tilesmith::ptx::lex(StringRef text) {
  std::vector<Token> tokens;
  Scanner scanner(text);
  do {
    tokens.push_back(scanner.next());
  } while (tokens.back().kind != Token::End && tokens.back().kind != Token::Invalid);
  return tokens;
}
