//===- Targets.h - the accepted GPUs ----------------------------------------------------------===//
//
// One table decides what `--gpu-name` takes, which chip LLVM and ptxas are asked for (sm_90 and
// newer compile for their architecture-accelerated `a` variant), and which PTX version is written:
// the oldest that knows the chip, but at least 8.6, so that one ptxas generation assembles
// everything up to sm_100.
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_TARGET_TARGETS_H
#define COMPILER_TARGET_TARGETS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <memory>

namespace llvm {
class TargetMachine;
} // namespace llvm

namespace tilesmith::target {

struct GpuTarget {
  llvm::StringLiteral name; ///< as the user writes it: "sm_90"
  unsigned sm;              ///< 90
  llvm::StringLiteral chip; ///< for LLVM and ptxas: "sm_90a"; empty where LLVM 22 lacks the chip
  unsigned ptxVersion;      ///< ten times the version: 86

  /// Value of __CUDA_ARCH__: 900.
  unsigned cudaArch() const { return sm * 10; }
};

/// All accepted GPUs by rising number.
llvm::ArrayRef<GpuTarget> gpuTargets();

/// The entry called `name`, or nullptr.
const GpuTarget *lookupGpuTarget(llvm::StringRef name);

/// The entry called `name`; errors: an unknown name (the message lists the known ones), and a chip
/// LLVM lacks.
llvm::Expected<const GpuTarget *> getGpuTarget(llvm::StringRef name);

/// A new NVPTX target machine with contraction off and IEEE division and square root. Initialises
/// NVPTX on first use. `optLevel` is 0 to 3.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>> createTargetMachine(const GpuTarget &gpu,
                                                                         unsigned optLevel);

} // namespace tilesmith::target

#endif // COMPILER_TARGET_TARGETS_H
