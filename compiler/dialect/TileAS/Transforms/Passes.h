//===- Passes.h - transformations of nv_tileas ------------------------------------------------===//
#ifndef COMPILER_DIALECT_TILEAS_TRANSFORMS_PASSES_H
#define COMPILER_DIALECT_TILEAS_TRANSFORMS_PASSES_H

#include "mlir/Pass/Pass.h"
#include <memory>

namespace tilesmith::tileas {

/// tileas-assign-dot-layouts: fragment layouts for dots that a tensor-core instruction covers.
std::unique_ptr<mlir::Pass> createAssignDotLayoutsPass();

/// tileas-assign-pipeline-layouts: swizzles for the buffers of pipelines.
std::unique_ptr<mlir::Pass> createAssignPipelineLayoutsPass();

/// tileas-generate-schedule: annotates loops and loads that become asynchronous pipelines.
std::unique_ptr<mlir::Pass> createGenerateSchedulePass(bool allLoads = false);

/// tileas-choose-strategy: says for each kernel which of the strategies below it takes.
std::unique_ptr<mlir::Pass> createChooseStrategyPass();

/// tileas-materialize-schedule: rewrites annotated loops into asynchronous pipelines; with
/// `warpSpecialize`, warps of their own copy where the kernel allows it; with
/// `chosen`, in the kernels for which tileas-choose-strategy said so.
std::unique_ptr<mlir::Pass> createMaterializeSchedulePass(bool warpSpecialize = false,
                                                          bool chosen = false);

/// tileas-lower-tma-load-store-to-async: tiles of views whose rows allow it come by bulk copies,
/// which complete on the mbarriers of their pipeline.
std::unique_ptr<mlir::Pass> createLowerTmaPass(bool rows = true, bool tensorMaps = false,
                                               bool chosen = false);

/// tileas-dynamic-persistent: tile blocks do the work of tile blocks that have not started.
std::unique_ptr<mlir::Pass> createDynamicPersistentPass();

/// tileas-refine-atom-by-resource: products whose operands lie in pipeline buffers become warpgroup
/// products where the target has them, other reads take ldmatrix.
std::unique_ptr<mlir::Pass> createRefineAtomByResourcePass();

/// tileas-insert-barriers: a block barrier before every access that a token orders after another
/// thread's access.
std::unique_ptr<mlir::Pass> createInsertBarriersPass();

/// tileas-remove-layout-conversions: folds chains of convert_layout and conversions to the layout a
/// value already has.
std::unique_ptr<mlir::Pass> createRemoveLayoutConversionsPass();

/// tileas-vectorize-memory: notes on each access how many elements it may move at once. Needs the
/// facts of `tileaa-infer-facts`; without them nothing is vectorised.
std::unique_ptr<mlir::Pass> createVectorizeMemoryPass();

/// tileas-plan-cta: divides tile blocks whose hint asks for it among the blocks of a cluster.
std::unique_ptr<mlir::Pass> createPlanCtaPass();

void registerTransformPasses();

} // namespace tilesmith::tileas

#endif // COMPILER_DIALECT_TILEAS_TRANSFORMS_PASSES_H
