//===- CudaTileTargets.h - the GPUs that modules name in their hints --------------------------===//
//
// For who writes modules: names out of the record of the GPUs (compiler/target/Targets.h), which
// writers of modules do not read themselves.
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_DIALECT_CUDATILE_IR_CUDATILETARGETS_H
#define COMPILER_DIALECT_CUDATILE_IR_CUDATILETARGETS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace tilesmith::cuda_tile {

/// The GPU that is compiled for where nobody chose.
llvm::StringRef defaultTarget();
/// The GPUs that generators and campaigns choose among.
llvm::ArrayRef<llvm::StringRef> drawnTargets();
/// The measured ones on which every hint has a meaning.
llvm::SmallVector<llvm::StringRef> fullyHintedTargets();

} // namespace tilesmith::cuda_tile

#endif // COMPILER_DIALECT_CUDATILE_IR_CUDATILETARGETS_H
