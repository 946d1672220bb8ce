//===- IntegerOps.cpp - integer arithmetic ----------------------------------------------------===//
#include "compiler/dialect/CudaTile/IR/CudaTileAsm.h"
#include "compiler/dialect/CudaTile/IR/CudaTileVerify.h"

using namespace mlir;
using namespace tilesmith::cuda_tile;

#define GET_OP_CLASSES
#include "compiler/dialect/CudaTile/IR/IntegerOps.cpp.inc"

void CudaTileDialect::registerIntegerOps() {
  addOperations<
#define GET_OP_LIST
#include "compiler/dialect/CudaTile/IR/IntegerOps.cpp.inc"
      >();
}

LogicalResult DivIOp::verify() {
  switch (getRounding()) {
  case RoundingMode::ZERO:
  case RoundingMode::POSITIVE_INF:
    return success();
  case RoundingMode::NEGATIVE_INF:
    if (getSignedness() == Signedness::Unsigned)
      // rule: divi_unsigned_floor
      return emitOpError("rounding mode 'negative_inf' is not allowed with 'unsigned' flag");
    return success();
  default:
    // rule: divi_rounding
    return emitOpError(
        "invalid rounding mode specified, expect one of [zero, negative_inf, positive_inf]");
  }
}

// The operand is signed, so only signed wrapping can be ruled out.
LogicalResult NegIOp::verify() {
  if (getOverflow() == IntegerOverflow::NUW)
    // rule: negi_overflow
    return emitOpError("'no_unsigned_wrap' overflow flag is not supported");
  return success();
}

LogicalResult MmaIOp::verify() {
  return verifyMatmulShapes(*this);
}
