//===- Runner.h - what runs the output of a compiler on this machine --------------------------===//
//
// `emulator` runs LLVM IR, which our tileiras writes with --emit=llvm, on the emulated GPU;
// `machine-code` runs the cubin of any compiler on the device of machine code.
//
//===------------------------------------------------------------------------------------------===//
#ifndef FUZZ_CONFORM_RUNNER_H
#define FUZZ_CONFORM_RUNNER_H

#include "reference/testcase/TestCase.h"

#include "llvm/Support/JSON.h"

namespace tilesmith::fuzz::conform {

struct Runner {
  llvm::StringLiteral name;
  llvm::StringLiteral arguments; ///< for the compiler, beside those of a plain cubin
  /// Runs all launches of the case. `ended` says how: `completed`, a fault of the kernel, or
  /// kLimitOfRunner and what this runner cannot do; with the first, `buffers` holds the SHA-256 of
  /// each and the bytes of those that are not as expected.
  llvm::json::Object (*run)(const testcase::TestCase &testCase, llvm::StringRef output);
};

/// In front of what says nothing about the compiler.
inline constexpr llvm::StringLiteral kLimitOfRunner = "limit of the runner: ";

llvm::ArrayRef<Runner> runners();
/// Null: there is none of that name.
const Runner *findRunner(llvm::StringRef name);

} // namespace tilesmith::fuzz::conform

#endif // FUZZ_CONFORM_RUNNER_H
