//===- Contract.h - the command line of a compiler, row by row --------------------------------===//
//
// What every program that is called as tileiras must answer: one command per row, with its exit
// code, both streams and the file that it leaves. Rows say nothing about texts that the driver page
// leaves to the compiler (compiler/tools/driver.md, *better*).
//
// Words of `arguments`: `{bc}` a valid module of 13.1, `{o}` the output, `{NAME}` a file of
// contractInput(), `{dir}` a folder, `{missing}` nothing.
// Streams: empty means empty, `*` anything, else parts that must occur, separated by `|`.
// File: `elf`, `none`, `older` (what was there before), `same:ROW` (the bytes that ROW wrote), `*`;
// `clean-` in front: no temporary file is left.
//
//===------------------------------------------------------------------------------------------===//
#ifndef FUZZ_CONFORM_CONTRACT_H
#define FUZZ_CONFORM_CONTRACT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace tilesmith::fuzz::conform {

struct ContractRow {
  llvm::StringLiteral name; ///< the requirement is `cli/NAME`
  llvm::StringLiteral rule;
  llvm::StringLiteral arguments;
  int exit = 0;
  llvm::StringLiteral out = "", err = "", file = "none";
  unsigned since = 1; ///< of 13.N

  std::string str() const; ///< the row as the case of its requirement
};

llvm::ArrayRef<ContractRow> contractRows();

/// The row of a requirement `cli/NAME` whose case is the row as text; null: another tilesmith made
/// the list.
const ContractRow *findContractRow(llvm::StringRef requirement, llvm::StringRef source);

/// What stands in the output file before a run that must keep or replace it.
inline constexpr llvm::StringLiteral kOlderOutput = "older\n";

/// The bytes of the input file of that name, made of a valid module; null: there is none.
std::optional<std::string> contractInput(llvm::StringRef name, llvm::StringRef module);

} // namespace tilesmith::fuzz::conform

#endif // FUZZ_CONFORM_CONTRACT_H
