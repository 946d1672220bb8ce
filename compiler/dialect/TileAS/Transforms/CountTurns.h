//===- CountTurns.h - loops whose step is no constant -----------------------------------------===//
#ifndef COMPILER_DIALECT_TILEAS_TRANSFORMS_COUNTTURNS_H
#define COMPILER_DIALECT_TILEAS_TRANSFORMS_COUNTTURNS_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tilesmith::tileas {

/// An innermost loop whose step is a value, as where each block takes every n-th one, counts its turns, so that it can
/// be pipelined:
///
///   for i = lo to hi step s   becomes   for t = 0 to n step 1 { i = lo + t * s }
///
/// with n = (hi - lo - 1) / s + 1 as unsigned numbers, 0 where hi is not above lo.
void countTurns(mlir::scf::ForOp loop);

/// Not where the step is a constant, where loops stand in the loop, or where it counts in less than 32 bits.
bool canCountTurns(mlir::scf::ForOp loop);

} // namespace tilesmith::tileas

#endif // COMPILER_DIALECT_TILEAS_TRANSFORMS_COUNTTURNS_H
