//===- CudaTileTesting.h - ops for test suites ------------------------------------------------===//
//
// `cuda_tile.testing$func` lets a test take and return values that no entry may. Not part of the
// language: nothing but
// `--allow-testing-ops` registers it.
//
//===------------------------------------------------------------------------------------------===//
#ifndef TILESMITH_COMPILER_DIALECT_CUDATILE_IR_CUDATILETESTING_H
#define TILESMITH_COMPILER_DIALECT_CUDATILE_IR_CUDATILETESTING_H

#include "compiler/dialect/CudaTile/IR/CudaTile.h"

#define GET_OP_CLASSES
#include "compiler/dialect/CudaTile/IR/TestingOps.h.inc"

namespace tilesmith::cuda_tile {
/// Adds the testing ops to the dialect of a context.
void registerTestingOps(CudaTileDialect &dialect);
} // namespace tilesmith::cuda_tile

#endif // TILESMITH_COMPILER_DIALECT_CUDATILE_IR_CUDATILETESTING_H
