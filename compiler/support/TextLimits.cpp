//===- TextLimits.cpp - how deep MLIR text may nest -------------------------------------------===//
//
// One pass over the characters:
//   1. skip strings and comments;
//   2. count open brackets; `>` closes unless it is the end of an arrow;
//   3. `#name =` and `!name =` outside of brackets open an alias definition that lasts until the
//      next one or the next op; a use of a name adds the uses of its definition and raises the
//      depth.
// A closing bracket without an opening one is left to the parser.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/support/TextLimits.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

#include <algorithm>

using namespace llvm;
using namespace tilesmith;

namespace {
class Scanner {
public:
  Scanner(StringRef text, bool splitInput) : text(text), splitInput(splitInput) {}
  Error run();

private:
  /// What an alias stands for.
  struct Alias {
    unsigned depth = 0;
    uint64_t uses = 0;
  };

  void skipString();
  void skipComment();
  Error alias();
  Error fail(const Twine &what) const;
  bool defines(size_t nameEnd) const;
  void startLine();

  StringRef text;
  bool splitInput;
  size_t at = 0;
  unsigned depth = 0;
  StringMap<Alias> aliases;
  StringRef current; ///< name of the alias being defined, empty outside of definitions
};
} // namespace

Error Scanner::fail(const Twine &what) const {
  StringRef before = text.take_front(at);
  size_t line = before.count('\n') + 1, column = at - (before.rfind('\n') + 1) + 1;
  return createStringError("line " + Twine(line) + ", column " + Twine(column) + ": " + what);
}

void Scanner::skipString() {
  for (++at; at < text.size() && text[at] != '"' && text[at] != '\n'; ++at)
    if (text[at] == '\\')
      ++at;
}

void Scanner::skipComment() {
  size_t end = std::min(text.find('\n', at), text.size());
  if (splitInput && text.slice(at, end).starts_with("// -----") &&
      (at == 0 || text[at - 1] == '\n')) {
    depth = 0;
    aliases.clear();
    current = {};
  }
  at = end - 1; // the line break is looked at next
}

bool Scanner::defines(size_t nameEnd) const {
  size_t next = text.find_first_not_of(" \t\r\n", nameEnd);
  return depth == 0 && next != StringRef::npos && text[next] == '=';
}

/// Ends an alias definition where a line outside of brackets starts an op: a result, a quoted name,
/// or a word that no bracket follows (`tuple<…>` may be the rest of a definition).
void Scanner::startLine() {
  size_t word = text.find_first_not_of(" \t\r\n", at);
  if (depth > 0 || word == StringRef::npos)
    return;
  size_t end = word;
  while (end < text.size() && (isAlnum(text[end]) || StringRef("_$.").contains(text[end])))
    ++end;
  size_t next = std::min(text.find_first_not_of(" \t\r\n", end), text.size());
  if (text[word] == '%' || text[word] == '"' ||
      (end > word && !StringRef("<([").contains(text.substr(next).take_front(1))))
    current = {};
}

Error Scanner::alias() {
  size_t begin = at, end = at + 1;
  while (end < text.size() && (isAlnum(text[end]) || StringRef("_$-.").contains(text[end])))
    ++end;
  StringRef name = text.slice(begin, end);
  at = end - 1;
  if (name.size() == 1)
    return Error::success();
  if (defines(end)) {
    current = name;
    aliases[name] = {};
    return Error::success();
  }
  auto used = aliases.find(name);
  if (current.empty() || used == aliases.end() || name == current)
    return Error::success();
  Alias inner = used->second;
  Alias &outer = aliases[current];
  outer.depth = std::max(outer.depth, inner.depth + 1);
  outer.uses += inner.uses + 1;
  if (outer.depth > kMaxAliasDepth)
    return fail("aliases nest deeper than " + Twine(kMaxAliasDepth) + " levels at '" + current +
                "'");
  if (outer.uses > kMaxAliasUses)
    return fail("alias '" + current + "' stands for more than " + Twine(kMaxAliasUses) +
                " uses of other aliases");
  return Error::success();
}

Error Scanner::run() {
  for (; at < text.size(); ++at) {
    switch (text[at]) {
    case '\n':
      startLine();
      break;
    case '"':
      skipString();
      break;
    case '/':
      if (at + 1 < text.size() && text[at + 1] == '/')
        skipComment();
      break;
    case '(':
    case '[':
    case '{':
    case '<':
      if (++depth > kMaxTextDepth)
        return fail("brackets nest deeper than " + Twine(kMaxTextDepth) + " levels");
      break;
    case '>':
      if (at && text[at - 1] == '-')
        break;
      [[fallthrough]];
    case ')':
    case ']':
    case '}':
      depth -= depth > 0;
      break;
    case '#':
    case '!':
      if (Error error = alias())
        return error;
      break;
    default:
      break;
    }
  }
  return Error::success();
}

Error tilesmith::checkTextLimits(StringRef text, bool splitInput) {
  return Scanner(text, splitInput).run();
}
