//===- Values.h - values that stand in for dropped ones, and smaller types --------------------===//
#ifndef FUZZ_REDUCE_VALUES_H
#define FUZZ_REDUCE_VALUES_H

#include "fuzz/reduce/Kernel.h"

#include "mlir/IR/Builders.h"

namespace tilesmith::fuzz {

/// Writes memory, prints, asserts or jumps: not removed for want of users.
bool hasEffect(mlir::Operation *op);

/// A value of the same type in front of the operation of `result`, or null.
mlir::Value substituteFor(mlir::OpResult result, Substitute substitute);

/// A constant whose elements all have this bit pattern; null where there is none of the type.
mlir::Value bitConstant(mlir::OpBuilder &builder, mlir::Location loc, cuda_tile::TileType type,
                        uint64_t bits);

} // namespace tilesmith::fuzz

#endif // FUZZ_REDUCE_VALUES_H
