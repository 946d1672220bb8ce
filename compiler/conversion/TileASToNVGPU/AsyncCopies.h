//===- AsyncCopies.h - copies into the slots of pipelines -----------------------------------------===//
//
// Emits the asynchronous loads of a stage (AsyncCopies.cpp says which copies), and groups of cp.async.
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_CONVERSION_TILEASTONVGPU_ASYNCCOPIES_H
#define COMPILER_CONVERSION_TILEASTONVGPU_ASYNCCOPIES_H

#include "compiler/conversion/TileASToNVGPU/Emitter.h"

namespace tilesmith::tileas_to_nvgpu {

/// Copies of this thread since the last group become one.
void closeGroup(Emitter &e);
/// Until at most so many groups are under way. Groups are counted; the token says nothing.
void waitForGroups(Emitter &e, int64_t pending);

/// Some product takes operands from the pipeline's buffers itself.
bool readByProducts(mlir::Value pipeline);

mlir::LogicalResult emitAsyncTiledLoad(Emitter &e, mlir::Operation *op);
mlir::LogicalResult emitAsyncLoad(Emitter &e, mlir::Operation *op);

} // namespace tilesmith::tileas_to_nvgpu

#endif // COMPILER_CONVERSION_TILEASTONVGPU_ASYNCCOPIES_H
