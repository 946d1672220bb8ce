//===- ScaledProducts.h - operands of products that are scaled by blocks ----------------------===//
//
// A block-scaled product is one of operands that were multiplied by their scales (convert-tileaa-to-
// tileas). Tensor cores of sm_100 and sm_120 take narrow floats and scales as they are.
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_DIALECT_TILEAS_TRANSFORMS_SCALEDPRODUCTS_H
#define COMPILER_DIALECT_TILEAS_TRANSFORMS_SCALEDPRODUCTS_H

#include "compiler/dialect/TileAS/IR/TensorCoreAtom.h"

namespace tilesmith::tileas {

struct ScaledOperand {
  mlir::Value data, scales; ///< before conversions, widening and broadcast
  unsigned blockDim;        ///< the dimension of `scales` that is that of K
  mlir::Value turnedScales; ///< `scales` with the dimensions of the operand
  bool isPacked;            ///< `data` are bytes of two elements each
};

struct ScaledOperands {
  ScaledOperand lhs, rhs;
  /// What computes the operands of the product, users first.
  llvm::SmallVector<mlir::Operation *> chain;
};
/// nullopt where the product is not marked, or its operands are not computed as expected.
std::optional<ScaledOperands> scaledOperands(DotOp dot);

/// The atom for such a product, or null where tensor cores do not take the types or extents.
const TensorCoreAtom *scaledAtom(DotOp dot, const ScaledOperands &operands, unsigned numWarps);

} // namespace tilesmith::tileas

#endif // COMPILER_DIALECT_TILEAS_TRANSFORMS_SCALEDPRODUCTS_H
