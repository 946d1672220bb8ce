//===- MathOps.cpp - elementary functions -----------------------------------------------------===//
#include "compiler/dialect/CudaTile/IR/CudaTileAsm.h"
#include "compiler/dialect/CudaTile/IR/CudaTileVerify.h"

using namespace mlir;
using namespace tilesmith::cuda_tile;

#define GET_OP_CLASSES
#include "compiler/dialect/CudaTile/IR/MathOps.cpp.inc"

void CudaTileDialect::registerMathOps() {
  addOperations<
#define GET_OP_LIST
#include "compiler/dialect/CudaTile/IR/MathOps.cpp.inc"
      >();
}

LogicalResult Exp2Op::verify() {
  return verifyFlushToZero(*this, getFlushToZero());
}
LogicalResult RsqrtOp::verify() {
  return verifyFlushToZero(*this, getFlushToZero());
}

template <typename OpT> static LogicalResult verifyApproxOrFull(OpT op) {
  RoundingMode mode = op.getRoundingMode();
  if (mode != RoundingMode::APPROX && mode != RoundingMode::FULL)
    // rule: exp_rounding, tanh_rounding
    return op.emitOpError("invalid rounding mode specified, expect one of [approx, full]");
  return verifyF32Only(op, mode == RoundingMode::APPROX, "approx");
}
LogicalResult ExpOp::verify() {
  return verifyApproxOrFull(*this);
}
LogicalResult TanHOp::verify() {
  return verifyApproxOrFull(*this);
}

LogicalResult SqrtOp::verify() {
  switch (getRoundingMode()) {
  case RoundingMode::NEAREST_EVEN:
  case RoundingMode::ZERO:
  case RoundingMode::NEGATIVE_INF:
  case RoundingMode::POSITIVE_INF:
  case RoundingMode::APPROX:
    break;
  default:
    // rule: sqrt_rounding
    return emitOpError(
        "invalid rounding mode specified, expect one of [nearest_even, zero, negative_inf, "
        "positive_inf, approx]");
  }
  return failure(failed(verifyFlushToZero(*this, getFlushToZero())) ||
                 failed(verifyF32Only(*this, getRoundingMode() == RoundingMode::APPROX, "approx")));
}

LogicalResult Atan2Op::verify() {
  if (getProfile(*this) == Profile::Tileiras13_1)
    // rule: profile_atan2
    return emitOpError("is not part of version 13.1");
  return success();
}
