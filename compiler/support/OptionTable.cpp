//===- OptionTable.cpp - a struct of options as the words of a command line -------------------===//
#include "compiler/support/OptionTable.h"

#include "llvm/ADT/StringExtras.h"

std::string tilesmith::shellWords(llvm::ArrayRef<std::string> words) {
  std::string text;
  for (const std::string &word : words) {
    bool plain = llvm::all_of(
        word, [](char c) { return llvm::isAlnum(c) || llvm::StringRef("-_=,.:/@+%").contains(c); });
    text += ' ';
    if (plain && !word.empty()) {
      text += word;
      continue;
    }
    text += '\'';
    for (char c : word)
      text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    text += '\'';
  }
  return text;
}
