//===- Checker.h - is this PTX well formed for its target? --------------------------------------===//
//
// Parses a module and checks it against the PTX ISA as typed into the instruction table: names are
// declared before use, labels exist in an enclosing scope, every instruction is a form of the table
// that the target and the PTX version have, registers, immediates, vectors and addresses fit its
// types and state spaces, constant accesses to variables are aligned and inside them, calls fit
// their function, and an entry's parameters fit their limit. Independent of LLVM's NVPTX backend,
// whose output it judges.
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_DEVICES_PTX_CHECKER_H
#define ORACLES_DEVICES_PTX_CHECKER_H

#include "oracles/devices/ptx/Parser.h"

namespace tilesmith::ptx {

struct CheckResult {
  std::vector<Diagnostic> errors; ///< empty: accepted; at most kMaxErrors
  Target target;
  unsigned entries = 0;
  unsigned functions = 0;
  uint64_t instructions = 0;

  /// "LINE:COLUMN: error: MESSAGE" for each error, one a line.
  std::string str() const;
};

inline constexpr unsigned kMaxErrors = 20;

CheckResult checkPTX(llvm::StringRef text);

} // namespace tilesmith::ptx

#endif // ORACLES_DEVICES_PTX_CHECKER_H
