//===- PipelineUses.h - who reads and writes the buffers of a pipeline ------------------------===//
#ifndef COMPILER_DIALECT_TILEAS_TRANSFORMS_PIPELINEUSES_H
#define COMPILER_DIALECT_TILEAS_TRANSFORMS_PIPELINEUSES_H

#include "compiler/dialect/TileAS/IR/TensorBox.h"
#include "compiler/dialect/TileAS/IR/TileAS.h"

namespace tilesmith::tileas {

/// The slots (block arguments) of one buffer in all regions of its pipeline.
inline llvm::SmallVector<mlir::Value> slotsOf(CreatePipelineOp pipeline, unsigned buffer) {
  llvm::SmallVector<mlir::Value> slots;
  for (mlir::Operation *user : pipeline.getPipeline().getUsers())
    if (mlir::isa<ProducerWriteOp, ConsumerReadOp>(user))
      slots.push_back(user->getRegion(0).front().getArgument(buffer));
  return slots;
}

/// Gives a buffer and all its slots another layout.
inline void setBufferLayout(CreatePipelineOp pipeline, unsigned buffer, SharedLayoutAttr layout) {
  mlir::Value alloc = pipeline.getBuffers()[buffer];
  auto old = mlir::cast<mlir::RankedTensorType>(alloc.getType());
  auto type = mlir::RankedTensorType::get(old.getShape(), old.getElementType(), layout);
  alloc.setType(type);
  for (mlir::Value slot : slotsOf(pipeline, buffer))
    slot.setType(type);
}

/// What tileas-choose-strategy chose for the function; neither where it did not run.
inline StrategyAttr chosenStrategy(tileaa::FuncOp function) {
  StrategyAttr chosen = annotations(function).getStrategyAttrHelper().getAttr(function);
  return chosen ? chosen : StrategyAttr::get(function.getContext(), false, false);
}

} // namespace tilesmith::tileas

#endif // COMPILER_DIALECT_TILEAS_TRANSFORMS_PIPELINEUSES_H
