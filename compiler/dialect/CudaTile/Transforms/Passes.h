//===- Passes.h - passes that keep a program in cuda_tile -------------------------------------===//
#ifndef TILESMITH_COMPILER_DIALECT_CUDATILE_TRANSFORMS_PASSES_H
#define TILESMITH_COMPILER_DIALECT_CUDATILE_TRANSFORMS_PASSES_H

#include "mlir/Pass/Pass.h"

namespace tilesmith::cuda_tile {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/dialect/CudaTile/Transforms/Passes.h.inc"

} // namespace tilesmith::cuda_tile

#endif // TILESMITH_COMPILER_DIALECT_CUDATILE_TRANSFORMS_PASSES_H
