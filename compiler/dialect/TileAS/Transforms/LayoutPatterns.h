//===- LayoutPatterns.h - rewrites that move layout conversions -------------------------------===//
#ifndef COMPILER_DIALECT_TILEAS_TRANSFORMS_LAYOUTPATTERNS_H
#define COMPILER_DIALECT_TILEAS_TRANSFORMS_LAYOUTPATTERNS_H

#include "compiler/dialect/TileAS/IR/TileAS.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace tilesmith::tileas {

/// Layouts of sums of products and of reduced tiles, and what the patterns make of them.
class KeptLayouts {
public:
  bool contains(LayoutAttr layout) const {
    return rowsOfOneWarp.contains(layout.getAsOpaquePointer()) || sharesRows(layout);
  }
  /// Warps hold parts of the same row, which a reduction along it would have to bring together.
  bool sharesRows(LayoutAttr layout) const {
    return rowsOfWarps.contains(layout.getAsOpaquePointer());
  }
  void keep(LayoutAttr layout, bool shares) {
    if (!contains(layout))
      (shares ? rowsOfWarps : rowsOfOneWarp).insert(layout.getAsOpaquePointer());
  }

private:
  llvm::SmallPtrSet<const void *, 8> rowsOfOneWarp, rowsOfWarps;
};

/// The type of a tile that has a layout, or null.
inline mlir::RankedTensorType tileType(mlir::Value value) {
  auto type = mlir::dyn_cast<mlir::RankedTensorType>(value.getType());
  return type && getLayout(type) ? type : mlir::RankedTensorType();
}

/// Of a number; addresses and what else a tile may hold count as long as an address.
inline unsigned bitsOfElement(mlir::Value tile) {
  mlir::Type element = mlir::getElementTypeOrSelf(tile.getType());
  return element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 64;
}

/// The layout without registers that hold what others hold: a conversion to `layout` renames registers.
LayoutAttr withoutCopies(LayoutAttr layout);
/// Elements of a tile that a thread loads in whatever layout, rather than exchange them.
inline constexpr int64_t kMostLoadedAnyhow = 16;
/// A row or column that only one operation uses may be loaded in any layout.
bool isLoadedAnyhow(mlir::Operation *op, LayoutAttr layout);

/// What a constant, a splat or a range results in, made with another layout; null for other
/// operations.
mlir::Value withLayoutAnew(mlir::OpBuilder &builder, mlir::Operation *op, mlir::Type type);

/// Words that a thread may keep over a loop in place of an exchange in each turn.
inline constexpr int64_t kMostKeptWords = 16;
/// The result takes hardly more registers than its source.
bool isCheapToKeep(ConvertLayoutOp convert);
/// The operand of the use is written to shared memory for a tensor core, by threads that hold it as `held` at words
/// at least: an exchange in front of it gains nothing.
bool isStagedAsHeld(mlir::OpOperand &use, mlir::RankedTensorType held);
/// The loop whose every turn makes the conversion anew of a tile from outside, where threads can as well keep
/// the result (`isCheapToKeep`), and the loop wants the tile in no other layout. Null: none.
mlir::scf::ForOp loopToLeave(ConvertLayoutOp convert);

/// A value computed from operands of the same shape and layout, element by element.
bool isElementwise(mlir::Operation *op);

/// The layout in which the only tile operand of view, broadcast and permute is to be had; null:
/// another operation.
LayoutAttr sourceLayoutOf(mlir::Operation *op, LayoutAttr result);

/// Instructions of a thread for an element of what `op` computes from indices; zero: no such operation.
int64_t indexInstructions(mlir::Operation *op);
/// An index computed once more, in another layout, from ranges, splats and constants; behind the first computation.
mlir::Value recomputeIndex(mlir::OpBuilder &builder, mlir::Value value, LayoutAttr layout);

/// The layouts of sums of products under `root`.
KeptLayouts layoutsOfSums(mlir::Operation *root);
/// Those of what reductions result in.
void addLayoutsOfReductions(mlir::Operation *root, KeptLayouts &kept);

/// What is computed from such a tile keeps its layout; see PropagateLayouts.cpp. `kept` grows.
void populatePropagateLayouts(mlir::RewritePatternSet &patterns, KeptLayouts &kept);

/// Tiles of indices are computed again in the layout that asks for them; see RecomputeIndices.cpp.
void populateRecomputeIndices(mlir::RewritePatternSet &patterns);

} // namespace tilesmith::tileas

#endif // COMPILER_DIALECT_TILEAS_TRANSFORMS_LAYOUTPATTERNS_H
