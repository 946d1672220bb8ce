//===- CudaTileVerify.h - verifier rules shared by op families (private) ----------------------===//
//
// Each rule emits the public diagnostic. Rules that differ between profiles ask the dialect.
//
//===------------------------------------------------------------------------------------------===//
#ifndef TILESMITH_COMPILER_DIALECT_CUDATILE_IR_CUDATILEVERIFY_H
#define TILESMITH_COMPILER_DIALECT_CUDATILE_IR_CUDATILEVERIFY_H

#include "compiler/dialect/CudaTile/IR/CudaTile.h"

namespace tilesmith::cuda_tile {

/// The profile of the dialect that the op belongs to.
Profile getProfile(mlir::Operation *op);

/// Whether an element type is newer than version 13.1.
bool isNewerElement(mlir::Type type);

/// That a module holds nothing newer than version 13.1, whose profile it is read under.
mlir::LogicalResult verifyHeldBy13_1(ModuleOp module);

/// Whether verifiers follow the closed tools rather than the public dialect.
bool usesToolRules(mlir::Operation *op);

/// nearest_even, zero, negative_inf or positive_inf.
mlir::LogicalResult verifyIEEERounding(mlir::Operation *op, RoundingMode mode);

/// `mode` (approx or full) exists for f32 results only.
mlir::LogicalResult verifyF32Only(mlir::Operation *op, bool used, llvm::StringRef modifier);

/// flush_to_zero exists for f32 results only.
mlir::LogicalResult verifyFlushToZero(mlir::Operation *op, bool used);

/// The shapes of a matrix product: operands 0, 1, 2 are lhs, rhs, acc.
mlir::LogicalResult verifyMatmulShapes(mlir::Operation *op);

/// weak, relaxed or acquire (loads) or release (stores); a scope exactly when not weak.
mlir::LogicalResult verifyLoadOrder(mlir::Operation *op, MemoryOrderingSemantics order,
                                    std::optional<MemoryScope> scope);
mlir::LogicalResult verifyStoreOrder(mlir::Operation *op, MemoryOrderingSemantics order,
                                     std::optional<MemoryScope> scope);

/// Any order but weak.
mlir::LogicalResult verifyAtomicOrder(mlir::Operation *op, MemoryOrderingSemantics order);

/// The element types that an atomic mode works on.
mlir::LogicalResult verifyAtomicMode(mlir::Operation *op, AtomicRMWMode mode,
                                     mlir::Type elementType);

/// Index count and types, and the tile type, of an access to a view.
mlir::LogicalResult verifyViewAccess(mlir::Operation *op, mlir::Type view,
                                     mlir::TypeRange indexTypes, mlir::Type tile);

/// One flag per index.
mlir::LogicalResult verifyInbounds(mlir::Operation *op,
                                   std::optional<llvm::ArrayRef<bool>> inbounds, size_t indices);

mlir::LogicalResult verifyHints(mlir::Operation *op, OptimizationHintsAttr hints);

/// The pointer attribute of a pointer or tile of pointers, null when it has none.
PtrAttrKindAttr getPtrAttrOf(mlir::Type type);
bool isMulticast(mlir::Type pointerTileOrView);

/// Debug information of functions: location, subprogram, scopes of the ops inside.
mlir::LogicalResult verifyFunctionDebugInfo(mlir::FunctionOpInterface function);
mlir::LogicalResult verifyBodyDebugInfo(mlir::FunctionOpInterface function);
mlir::LogicalResult verifyModuleDebugInfo(ModuleOp module);

} // namespace tilesmith::cuda_tile

#endif // TILESMITH_COMPILER_DIALECT_CUDATILE_IR_CUDATILEVERIFY_H
