//===- CheckPublicInput.cpp - the gate of the pipeline ----------------------------------------===//
//
// A producer may use cuda_tile and a few ops of upstream dialects. Anything else, ours included, is
// refused before any lowering, with one error per op.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/dialect/CudaTile/IR/CudaTile.h"
#include "compiler/dialect/CudaTile/Transforms/Passes.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace tilesmith::cuda_tile {
#define GEN_PASS_DEF_CHECKPUBLICINPUTPASS
#include "compiler/dialect/CudaTile/Transforms/Passes.h.inc"

namespace {

bool isPublic(Operation *op) {
  if (isa_and_nonnull<CudaTileDialect>(op->getDialect()))
    return true;
  return llvm::StringSwitch<bool>(op->getName().getStringRef())
      .Cases({"builtin.module", "arith.constant", "func.func", "func.call", "func.return"}, true)
      .Default(false);
}

struct CheckPublicInput : impl::CheckPublicInputPassBase<CheckPublicInput> {
  void runOnOperation() override {
    bool clean = true;
    getOperation()->walk([&](Operation *op) {
      if (isPublic(op))
        return;
      op->emitError("op '") << op->getName()
                            << "' is not allowed in the public input; expected ops of cuda_tile, "
                            << "builtin.module, arith.constant or func symbols";
      clean = false;
    });
    if (!clean)
      signalPassFailure();
    markAllAnalysesPreserved();
  }
};

} // namespace
} // namespace tilesmith::cuda_tile
