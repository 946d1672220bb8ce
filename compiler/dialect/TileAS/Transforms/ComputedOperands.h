//===- ComputedOperands.h - operands of products that are computed from tiles in slots --------===//
//
// `silu(gate) * up` in front of a product, or bytes times their scales: each element of the operand is
// computed from the same element of several tiles, which are loaded in the loop, or of one of two halves
// that are put together. The loads move into the pipeline, and what is computed from them is computed in the
// fragments of the product: every thread reads from the slots what it multiplies, and nothing is exchanged.
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_DIALECT_TILEAS_TRANSFORMS_COMPUTEDOPERANDS_H
#define COMPILER_DIALECT_TILEAS_TRANSFORMS_COMPUTEDOPERANDS_H

#include "compiler/dialect/TileAS/IR/TileAS.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace tilesmith::tileas {

/// The loads of the block from which the operand of a product is computed, element by element, in order;
/// none where anything else of the loop goes into it.
llvm::SmallVector<mlir::Operation *> loadsBehind(mlir::Value operand, mlir::Block *body);

/// A tile that each thread can compute for the elements that it has in another layout.
class ComputedTile {
public:
  /// `isRead`: the tile can be read in any layout, because a slot holds it. nullopt where an exchange
  /// between threads would be needed, or more than the exchange that it spares.
  static std::optional<ComputedTile> match(mlir::Value root, LayoutAttr layout,
                                           llvm::function_ref<bool(mlir::Value)> isRead);
  /// The same of what pipelines read.
  static std::optional<ComputedTile> matchReads(mlir::Value root, LayoutAttr layout);

  /// The tile in that layout, computed at the insertion point. Where the root has other users than the one
  /// in front of which that is, they get it converted back. What was read before may stay unused.
  mlir::Value compute(mlir::OpBuilder &builder);

private:
  using IsRead = llvm::function_ref<bool(mlir::Value)>;
  bool visit(mlir::Value value, LayoutAttr layout, IsRead isRead);
  bool isSpared() const;
  /// Something beside the tree uses what the operation computes.
  bool hasOthers(mlir::Operation *op) const;
  mlir::Value make(mlir::OpBuilder &builder, mlir::Value value);
  static mlir::Value readAnew(mlir::OpBuilder &builder, mlir::Value value, LayoutAttr layout);

  mlir::Value root;
  llvm::MapVector<mlir::Value, LayoutAttr> layouts; ///< of each tile that the root is computed from
  llvm::SetVector<mlir::Operation *> operations;    ///< that are computed in other layouts
  llvm::DenseMap<mlir::Value, mlir::Value> made;
};

} // namespace tilesmith::tileas

#endif // COMPILER_DIALECT_TILEAS_TRANSFORMS_COMPUTEDOPERANDS_H
