//===- TestSupport.h - gpu.module text to PTX for tests ---------------------------------------===//
#ifndef COMPILER_TARGET_TESTSUPPORT_H
#define COMPILER_TARGET_TESTSUPPORT_H

#include "compiler/target/LLVMIR.h"
#include "compiler/target/PTX.h"

#include <memory>
#include <string>

namespace tilesmith::target {

/// `text` (one gpu.module) parsed, lowered by convert-gpu-to-nvvm and prepared. Failures are
/// GoogleTest failures and leave `device.module` null.
struct Compiled {
  Compiled(llvm::StringRef text, llvm::StringRef gpu,
           MathLibraryKind library = MathLibraryKind::Auto, DebugInfo debugInfo = DebugInfo::None);
  ~Compiled();
  /// Optimises and prints a copy.
  std::string emit(unsigned optLevel);

  std::unique_ptr<llvm::LLVMContext> context;
  DeviceModule device;
  std::string gpu;
};

/// PTX of `text`; empty after a failure.
std::string compileToPTX(llvm::StringRef text, llvm::StringRef gpu, unsigned optLevel,
                         MathLibraryKind library);

/// Fails the test when ptxas is installed and refuses `ptx`; without ptxas the check is recorded as
/// "ptxas not found" and nothing is asserted.
void expectAssembles(llvm::StringRef ptx, llvm::StringRef gpu);

bool havePtxas();

} // namespace tilesmith::target

#endif // COMPILER_TARGET_TESTSUPPORT_H
