//===- OptionTable.h - a struct of options as the words of a command line ---------------------===//
//
// One row per option: its name, and how its value is printed and read. The same table declares the
// options of a command (fuzz/cli), prints the words that give a child process or the reader of a
// report the same options, and reads them back.
//
// Invariant: parseOptions(printOptions(x)) is x, for every x that parseOptions can make.
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_SUPPORT_OPTIONTABLE_H
#define COMPILER_SUPPORT_OPTIONTABLE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace tilesmith {

/// `--NAME=VALUE`, or `-NVALUE` where the name is one letter.
template <typename Options> struct OptionRow {
  llvm::StringLiteral name;
  llvm::StringLiteral description; ///< for --help
  std::string (*print)(const Options &);
  llvm::Error (*parse)(Options &, llvm::StringRef value);
  bool isSwitch = false; ///< the name alone stands for `true`
};

/// The word that gives an option a value.
inline std::string optionWord(llvm::StringRef name, llvm::StringRef value) {
  return name.size() == 1 ? ("-" + name + value).str() : ("--" + name + "=" + value).str();
}

/// The words that make `options` of default ones.
template <typename Options>
std::vector<std::string> printOptions(llvm::ArrayRef<OptionRow<Options>> table,
                                      const Options &options) {
  const Options standard;
  std::vector<std::string> words;
  for (const OptionRow<Options> &row : table)
    if (std::string value = row.print(options); value != row.print(standard))
      words.push_back(optionWord(row.name, value));
  return words;
}

/// Takes one word. Error: no option of the table, or not a value of it.
template <typename Options>
llvm::Error parseOption(llvm::ArrayRef<OptionRow<Options>> table, llvm::StringRef word,
                        Options &options) {
  for (const OptionRow<Options> &row : table) {
    llvm::StringRef rest = word;
    if (row.isSwitch && word == ("--" + row.name).str())
      return row.parse(options, "true");
    if (rest.consume_front(optionWord(row.name, "")))
      return row.parse(options, rest);
  }
  return llvm::createStringError("expected an option, found '" + word + "'");
}

/// Takes all words.
template <typename Options>
llvm::Error parseOptions(llvm::ArrayRef<OptionRow<Options>> table,
                         llvm::ArrayRef<std::string> words, Options &options) {
  for (llvm::StringRef word : words)
    if (llvm::Error error = parseOption(table, word, options))
      return error;
  return llvm::Error::success();
}

/// Words as a shell takes them, each with a blank in front; quoted where that is needed.
std::string shellWords(llvm::ArrayRef<std::string> words);

} // namespace tilesmith

#endif // COMPILER_SUPPORT_OPTIONTABLE_H
