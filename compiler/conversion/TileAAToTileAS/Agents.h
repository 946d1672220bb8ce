//===- Agents.h - execute, queues and plugins of nv_tileaa ------------------------------------===//
#ifndef COMPILER_CONVERSION_TILEAATOTILEAS_AGENTS_H
#define COMPILER_CONVERSION_TILEAATOTILEAS_AGENTS_H

#include "compiler/conversion/TileAAToTileAS/Rewriter.h"

namespace tilesmith::tileaa_to_tileas {

/// Replaces plugins by calls of the functions that they name.
mlir::LogicalResult callPlugins(mlir::Operation *root);

/// Makes agent_switch and pipelines of the function's agents and queues, before tiles have layouts.
/// The warps of all agents together; 0 without agents, which have `numWarps` each unless they say.
mlir::FailureOr<unsigned> lowerAgents(tileaa::FuncOp function, unsigned numWarps);

/// Gives the queues of the agents pipelines in front of them, whose agents have `warps` warps;
/// `sharedBytes` grows by their buffers.
mlir::LogicalResult lowerQueues(tileaa::FuncOp function, tileaa::ExecuteOp execute,
                                llvm::ArrayRef<int32_t> warps, int64_t &sharedBytes);

/// The warps that run an op: those of its agent, else `byDefault`.
unsigned warpsAt(mlir::Operation *op, unsigned byDefault);

} // namespace tilesmith::tileaa_to_tileas

#endif // COMPILER_CONVERSION_TILEAATOTILEAS_AGENTS_H
