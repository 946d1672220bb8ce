//===- TileAS.h - the nv_tileas dialect: tiles with layouts -----------------------------------===//
//
// Single include of the dialect: dialect, `LayoutAttr` and all operations. See TileASDialect.td and
// TileASOps.td.
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_DIALECT_TILEAS_IR_TILEAS_H
#define COMPILER_DIALECT_TILEAS_IR_TILEAS_H

#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/support/LinearLayout.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "compiler/dialect/TileAS/IR/TileASEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "compiler/dialect/TileAS/IR/TileASAttrs.h.inc"

// Behind the attributes that its annotations hold.
#include "compiler/dialect/TileAS/IR/TileASDialect.h.inc"
#define GET_TYPEDEF_CLASSES
#include "compiler/dialect/TileAS/IR/TileASTypes.h.inc"
#define GET_OP_CLASSES
#include "compiler/dialect/TileAS/IR/TileASOps.h.inc"

namespace tilesmith::tileas {

/// The layout of a tensor of this stage, or null when the type carries none.
LayoutAttr getLayout(mlir::Type type);

/// The canonical layout of a shape: row-major blocked over the block's threads. It depends on the
/// element count only, so a reshape never moves data. `numWarps` is a power of two.
LayoutAttr getCanonicalLayout(mlir::MLIRContext *context, llvm::ArrayRef<int64_t> shape,
                              unsigned numWarps);

/// `type` with another layout.
mlir::RankedTensorType withLayout(mlir::RankedTensorType type, LayoutAttr layout);

/// The layout that `broadcast` needs on its source (extents of one) for a given result layout.
LayoutAttr projectLayout(LayoutAttr result, llvm::ArrayRef<int64_t> sourceShape);

/// Result layout of a reduction along `axis`: the axis is dropped, and register bits that
/// enumerated it disappear.
LayoutAttr reduceLayout(LayoutAttr operand, unsigned axis);

/// Same flat element order, other shape.
LayoutAttr reshapeLayout(LayoutAttr layout, llvm::ArrayRef<int64_t> shape);

/// Result layout of `permute` when registers stay where they are.
LayoutAttr permuteLayout(LayoutAttr layout, llvm::ArrayRef<int32_t> permutation);

/// The layout of a tile that lies in shared memory, or null.
SharedLayoutAttr getSharedLayout(mlir::Type type);

/// Access to the discardable attributes of the dialect, which TileASDialect.td names:
/// `annotations(op).getHintsAttrHelper().getAttr(op)` is a HintsAttr or null.
TileASDialect &annotations(mlir::Operation *op);

/// Elements per access of a tile load or store; 1 when it is not vectorised. Registers N*i ..
/// N*i+N-1 of a thread are N consecutive elements of memory (unless masked) then, and the address
/// of the first is a multiple of N elements.
int64_t getVectorElements(mlir::Operation *access);

/// The sum, difference, product or fused product of f32, rounded to nearest and never flushed, that
/// `op` computes for each element of a tile, or its one operation of a reduction; a division of
/// which two neighbouring registers share a divisor; a rounding of f32 to an f8; null for others.
mlir::Operation *packedArithmetic(mlir::Operation *op);

/// Two registers of a thread go through one instruction of `op`, as tileas-pack-elements notes.
bool isPacked(mlir::Operation *op);

/// The one operation of a reduction that an instruction of a warp computes over its lanes: of
/// integers or extremes of f32; null for others.
mlir::Operation *laneReduction(mlir::Operation *op);

/// Whether `op` divides the elements of a tile in a way that can share what it computes from a
/// divisor: f32 to nearest, or integers rounded toward zero and their remainders.
bool canShareDivisor(mlir::Operation *op);

/// The bits of the register number that do not change the divisor of a division, as
/// tileas-share-divisors notes; 0 where it notes nothing.
int64_t getDivisorBits(mlir::Operation *op);

/// Whether bulk copies may be used for a load; allowed where its hints say nothing.
bool allowsTma(mlir::Operation *load);

/// How the tile of a store lies in the shared memory from which tensor copies bring it to global memory;
/// null for other operations.
SharedLayoutAttr getStaging(mlir::Operation *store);

/// Whether a load moves ahead into the pipeline of its loop.
bool isScheduledCopy(mlir::Operation *load);

/// A tile that the threads share; every thread holds the element of a smaller one.
bool isDivided(mlir::Type type);

/// Warps of a block of the function; 0 where nothing is said.
int64_t warpsOf(tileaa::FuncOp function);

/// Blocks of a cluster that execute one tile block of a function; 1: no cluster.
int64_t clusterBlocks(mlir::Operation *function);

/// Adds the dialect to a registry.
void registerDialect(mlir::DialectRegistry &registry);

} // namespace tilesmith::tileas

#endif // COMPILER_DIALECT_TILEAS_IR_TILEAS_H
