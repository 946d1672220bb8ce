//===- CudaTileConstants.h - recognising constants and negations (private) --------------------===//
#ifndef TILESMITH_COMPILER_DIALECT_CUDATILE_IR_CUDATILECONSTANTS_H
#define TILESMITH_COMPILER_DIALECT_CUDATILE_IR_CUDATILECONSTANTS_H

#include "compiler/dialect/CudaTile/IR/CudaTile.h"

#include "mlir/IR/Builders.h"

namespace tilesmith::cuda_tile {

/// The integer that every element of a constant has; null for other values.
inline std::optional<llvm::APInt> getUniformInteger(mlir::Value value) {
  auto constant = value.getDefiningOp<ConstantOp>();
  if (!constant || !mlir::isa<mlir::IntegerType>(constant.getType().getElementType()))
    return std::nullopt;
  mlir::DenseIntOrFPElementsAttr attr = constant.getValue();
  if (!attr.isSplat() && attr.getNumElements() != 1)
    return std::nullopt;
  return *attr.getValues<llvm::APInt>().begin();
}

inline std::optional<bool> getUniformBool(mlir::Value value) {
  std::optional<llvm::APInt> integer = getUniformInteger(value);
  return integer && integer->getBitWidth() == 1 ? std::optional<bool>(!integer->isZero())
                                                : std::nullopt;
}
inline bool isTrue(mlir::Value value) {
  return getUniformBool(value).value_or(false);
}
inline bool isFalse(mlir::Value value) {
  return !getUniformBool(value).value_or(true);
}

/// x of `xori x, true` or `xori true, x`; null for other values.
inline mlir::Value getNegated(mlir::Value value) {
  auto xori = value.getDefiningOp<XOrIOp>();
  if (xori && isTrue(xori.getRhs()))
    return xori.getLhs();
  return xori && isTrue(xori.getLhs()) ? mlir::Value(xori.getRhs()) : mlir::Value();
}

/// `xori value, true`
inline mlir::Value createNot(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value) {
  auto type = mlir::cast<TileType>(value.getType());
  auto ones = mlir::cast<mlir::DenseIntOrFPElementsAttr>(
      mlir::DenseElementsAttr::get(type, llvm::APInt(1, 1)));
  mlir::Value all = ConstantOp::create(builder, loc, type, ones);
  return XOrIOp::create(builder, loc, type, value, all);
}

} // namespace tilesmith::cuda_tile

#endif // TILESMITH_COMPILER_DIALECT_CUDATILE_IR_CUDATILECONSTANTS_H
