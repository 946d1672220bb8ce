//===- LaunchCheck.h - do the launches of a case fit its modules? -----------------------------===//
//
// A case that names no entry of its module, or passes another number of parameters, is a mistake in
// the case and no bug of the compiler: commands that judge cases say so before they do.
//
//===------------------------------------------------------------------------------------------===//
#ifndef FUZZ_CLI_LAUNCHCHECK_H
#define FUZZ_CLI_LAUNCHCHECK_H

#include "fuzz/campaign/WorkerProcess.h"

#include "llvm/Support/Error.h"

namespace tilesmith::fuzz {

class LaunchCheck {
public:
  /// Error for the case in this folder: `DIR/case.json: expected an entry of MODULE (a, b), found
  /// kernel 'c'`. A module that cannot be read is for the engines to judge, and so is a crash of
  /// the reader, which happens in a child.
  llvm::Error check(const std::string &directory);

private:
  WorkerProcess process;
};

} // namespace tilesmith::fuzz

#endif // FUZZ_CLI_LAUNCHCHECK_H
