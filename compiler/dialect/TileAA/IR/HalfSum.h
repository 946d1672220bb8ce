//===- HalfSum.h - a product whose sum the source program keeps in f16 ------------------------===//
//
// `nv_tileaa.dot` adds floats in f32, so a sum of f16 is widened in front of it and rounded behind it.
// The mark tells such a product from one around which the source program itself widens and rounds:
// that one wants the better sum. Only products of f16 have it: no instruction adds others to f16. It goes
// from the conversion of `mmaf` to the product of nv_tileas, up to tileas-assign-dot-layouts, which gives
// marked products instructions that add to f16; a product that has lost the mark is computed in f32,
// which is never wrong.
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_DIALECT_TILEAA_IR_HALFSUM_H
#define COMPILER_DIALECT_TILEAA_IR_HALFSUM_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"

namespace tilesmith::tileaa {

inline constexpr llvm::StringLiteral kHalfSumAttr{"nv_tileaa.half_sum"};

inline bool hasHalfSum(mlir::Operation *dot) {
  return dot->hasAttr(kHalfSumAttr);
}
inline void markHalfSum(mlir::Operation *dot) {
  dot->setDiscardableAttr(kHalfSumAttr, mlir::UnitAttr::get(dot->getContext()));
}

} // namespace tilesmith::tileaa

#endif // COMPILER_DIALECT_TILEAA_IR_HALFSUM_H
