//===- IssueSlice.h - what a warp needs to issue the products of another agent's loops ----------===//
//
// An agent whose region is empty may issue the products of loops that stand in another agent's region
// (`tensor_memory.issue` with `agent`). It runs a slice of that region: the issues, the loops around
// them, and the scalars that both need. Places in tensor and shared memory are known without the
// operations that write them, so of `tensor_memory.store` and `stage` the slice takes the place alone.
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_DIALECT_TILEAS_IR_ISSUESLICE_H
#define COMPILER_DIALECT_TILEAS_IR_ISSUESLICE_H

#include "compiler/dialect/TileAS/IR/TileAS.h"

#include "llvm/ADT/SetVector.h"

namespace tilesmith::tileas {

struct IssueSlice {
  llvm::SetVector<mlir::Operation *> operations; ///< loops, scalars, stores and stages; no issues
  llvm::DenseSet<mlir::Value> values;            ///< of them, what loops carry and yield included
};

/// The slice for `issues`, all of which stand in `region`; nullopt where one thread alone cannot compute
/// it: it needs tiles, what a branch decides, or what something with effects yields. Loads of one element
/// are part of it: whether they may be done once more is for others to say.
std::optional<IssueSlice> issueSlice(mlir::Region &region,
                                     llvm::ArrayRef<TensorMemoryIssueOp> issues);

/// The issues of a region that an agent runs, in order.
llvm::SmallVector<TensorMemoryIssueOp> issuesOf(mlir::Region &region, unsigned agent);

/// The agent in whose region it stands; 0 without agents.
unsigned agentAround(mlir::Operation *op);
/// The agents that fill stages of the ring, each its part; where none does, the group that the ring names.
llvm::SmallVector<unsigned> fillingAgents(CreatePipelineOp ring);

/// Whether an agent does it in the place of the one in whose region it stands.
bool isDoneByOtherAgent(mlir::Operation *op);

/// Threads and who issues read the stage, and each gives it back for itself: another release stands on the other side of
/// the same loop.
bool isSharedRelease(ConsumerReleaseOp release);
/// The wait of an issue that only looks whether the stage is there: threads wait for the same turn of it, too, or another
/// issue, which reads it.
bool onlyLooks(ConsumerWaitOp wait);

/// It only looks, and who runs it fills a part of the stage behind that: nothing to wait for.
bool looksTooEarly(ConsumerWaitOp wait);

} // namespace tilesmith::tileas

#endif // COMPILER_DIALECT_TILEAS_IR_ISSUESLICE_H
