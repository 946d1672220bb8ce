//===- Passes.cpp - registration of the passes ------------------------------------------------===//
#include "compiler/dialect/CudaTile/Transforms/Passes.h"
#include "compiler/dialect/CudaTile/IR/CudaTile.h"

namespace tilesmith::cuda_tile {
#define GEN_PASS_REGISTRATION
#include "compiler/dialect/CudaTile/Transforms/Passes.h.inc"
} // namespace tilesmith::cuda_tile

void tilesmith::cuda_tile::registerTransformPasses() {
  registerCheckPublicInputPass();
  registerFuseFMAPass();
  registerLoopSplitPass();
  registerSynthesizeDebugInfoScopesPass();
}
