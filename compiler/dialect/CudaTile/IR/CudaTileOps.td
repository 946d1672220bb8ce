// CudaTileOps.td - index of the op families. Each family has its own ODS output and its own C++
// file.
#ifndef TILESMITH_CUDATILE_OPS_TD
#define TILESMITH_CUDATILE_OPS_TD

include "compiler/dialect/CudaTile/IR/AtomicOps.td"
include "compiler/dialect/CudaTile/IR/ControlFlowOps.td"
include "compiler/dialect/CudaTile/IR/ConversionOps.td"
include "compiler/dialect/CudaTile/IR/CoreOps.td"
include "compiler/dialect/CudaTile/IR/FloatingPointOps.td"
include "compiler/dialect/CudaTile/IR/IntegerOps.td"
include "compiler/dialect/CudaTile/IR/MathOps.td"
include "compiler/dialect/CudaTile/IR/MemoryOps.td"
include "compiler/dialect/CudaTile/IR/MiscOps.td"
include "compiler/dialect/CudaTile/IR/MultimemOps.td"
include "compiler/dialect/CudaTile/IR/ViewOps.td"

#endif // TILESMITH_CUDATILE_OPS_TD
