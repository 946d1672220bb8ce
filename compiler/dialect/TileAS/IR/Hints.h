//===- Hints.h - attributes that are no part of an operation's definition ---------------------===//
//
// Hints of the source program on memory operations, which convert-tileaa-to-tileas carries over and
// schedules read; and what a pass notes for the thread lowering.
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_DIALECT_TILEAS_IR_HINTS_H
#define COMPILER_DIALECT_TILEAS_IR_HINTS_H

#include "compiler/dialect/TileAA/IR/TileAA.h"

#include "llvm/ADT/StringRef.h"

namespace tilesmith::tileas {

/// From 1 (cheap) to 10: how long the access takes.
inline constexpr llvm::StringLiteral kLatencyAttr{"nv_tileas.latency"};
/// Whether bulk copies may be used; allowed where nothing is said.
inline constexpr llvm::StringLiteral kAllowTmaAttr{"nv_tileas.allow_tma"};

/// On an increment of an iterator: its pipeline has mbarriers, so the phase counts.
inline constexpr llvm::StringLiteral kMbarriersAttr{"mbarriers"};
/// On a function: the strategies that tileas-choose-strategy has chosen for it.
inline constexpr llvm::StringLiteral kStrategyAttr{"nv_tileas.strategy"};
/// On a function: registers with which each thread starts.
inline constexpr llvm::StringLiteral kMaxRegsAttr{"nv_tileas.max_regs"};

/// On a gpu.barrier: all blocks of the cluster meet.
inline constexpr llvm::StringLiteral kClusterBarrierAttr{"nv_tileas.cluster"};

/// Blocks of a cluster that execute one tile block of a function; 1: no cluster.
inline int64_t clusterBlocks(mlir::Operation *function) {
  auto spec = function->getAttrOfType<tileaa::KernelSpecAttr>(tileaa::TileAADialect::kKernelSpec);
  return spec && spec.getClusterDimX() > 1 ? spec.getClusterDimX() : 1;
}

} // namespace tilesmith::tileas

#endif // COMPILER_DIALECT_TILEAS_IR_HINTS_H
