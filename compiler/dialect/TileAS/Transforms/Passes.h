//===- Passes.h - transformations of nv_tileas ------------------------------------------------===//
#ifndef COMPILER_DIALECT_TILEAS_TRANSFORMS_PASSES_H
#define COMPILER_DIALECT_TILEAS_TRANSFORMS_PASSES_H

#include "mlir/Pass/Pass.h"
#include <memory>

namespace tilesmith::tileas {

/// tileas-assign-dot-layouts: fragment layouts for dots that a tensor-core instruction covers.
std::unique_ptr<mlir::Pass> createAssignDotLayoutsPass();

/// tileas-insert-barriers: a block barrier before every access that a token orders after another
/// thread's access.
std::unique_ptr<mlir::Pass> createInsertBarriersPass();

/// tileas-remove-layout-conversions: folds chains of convert_layout and conversions to the layout a
/// value already has.
std::unique_ptr<mlir::Pass> createRemoveLayoutConversionsPass();

/// tileas-vectorize-memory: notes on each access how many elements it may move at once. Needs the
/// facts of `tileaa-infer-facts`; without them nothing is vectorised.
std::unique_ptr<mlir::Pass> createVectorizeMemoryPass();

void registerTransformPasses();

} // namespace tilesmith::tileas

#endif // COMPILER_DIALECT_TILEAS_TRANSFORMS_PASSES_H
