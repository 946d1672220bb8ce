//===- VectorAttr.h - how many elements one memory access moves -------------------------------===//
//
// `nv_tileas.vector = N` on a load or store of tiles promises: registers N*i .. N*i+N-1 of a thread
// are N consecutive elements of memory (unless masked), and the address of the first is a multiple
// of N elements. N is a power of two, above one. Without the attribute every element is accessed
// alone. Written by `tileas-vectorize-memory`, read by the per-thread lowering.
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_DIALECT_TILEAS_IR_VECTORATTR_H
#define COMPILER_DIALECT_TILEAS_IR_VECTORATTR_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"

namespace tilesmith::tileas {

inline constexpr llvm::StringLiteral kVectorAttr{"nv_tileas.vector"};

/// Elements per access of a tile load or store; 1 when it is not vectorised.
inline int64_t getVectorElements(mlir::Operation *op) {
  auto attr = op->getAttrOfType<mlir::IntegerAttr>(kVectorAttr);
  return attr ? attr.getInt() : 1;
}

} // namespace tilesmith::tileas

#endif // COMPILER_DIALECT_TILEAS_IR_VECTORATTR_H
