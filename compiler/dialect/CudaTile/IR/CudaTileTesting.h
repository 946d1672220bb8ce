//===- CudaTileTesting.h - ops for test suites ------------------------------------------------===//
//
// `cuda_tile.testing$func` lets a test take and return values that no entry may; the
// `bytecode_test` ops have parts that came in different versions of a bytecode. Not part of the
// language: nothing but `--allow-testing-ops` registers them.
//
//===------------------------------------------------------------------------------------------===//
#ifndef TILESMITH_COMPILER_DIALECT_CUDATILE_IR_CUDATILETESTING_H
#define TILESMITH_COMPILER_DIALECT_CUDATILE_IR_CUDATILETESTING_H

#include "compiler/dialect/CudaTile/IR/CudaTile.h"

#include "compiler/dialect/CudaTile/IR/TestingEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "compiler/dialect/CudaTile/IR/TestingAttrs.h.inc"
#define GET_OP_CLASSES
#include "compiler/dialect/CudaTile/IR/TestingOps.h.inc"

namespace tilesmith::cuda_tile {
/// Adds the testing ops and their attributes to the dialect of a context.
void registerTestingOps(CudaTileDialect &dialect);
} // namespace tilesmith::cuda_tile

#endif // TILESMITH_COMPILER_DIALECT_CUDATILE_IR_CUDATILETESTING_H
