//===- Passes.h - transformations of nv_tileas ------------------------------------------------===//
#ifndef COMPILER_DIALECT_TILEAS_TRANSFORMS_PASSES_H
#define COMPILER_DIALECT_TILEAS_TRANSFORMS_PASSES_H

#include "mlir/Pass/Pass.h"

namespace tilesmith::tileas {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/dialect/TileAS/Transforms/Passes.h.inc"

} // namespace tilesmith::tileas

#endif // COMPILER_DIALECT_TILEAS_TRANSFORMS_PASSES_H
