//===- ConversionOps.cpp - changes of element type --------------------------------------------===//
#include "compiler/dialect/CudaTile/IR/CudaTileAsm.h"
#include "compiler/dialect/CudaTile/IR/CudaTileVerify.h"

using namespace mlir;
using namespace tilesmith::cuda_tile;

#define GET_OP_CLASSES
#include "compiler/dialect/CudaTile/IR/ConversionOps.cpp.inc"

void CudaTileDialect::registerConversionOps() {
  addOperations<
#define GET_OP_LIST
#include "compiler/dialect/CudaTile/IR/ConversionOps.cpp.inc"
      >();
}

LogicalResult BitcastOp::verify() {
  TileType source = getSource().getType(), result = getResult().getType();
  unsigned from = source.getElementType().getIntOrFloatBitWidth();
  unsigned to = result.getElementType().getIntOrFloatBitWidth();
  if (from != to)
    // rule: bitcast_width
    return emitOpError("types must be equal width, cannot convert ")
           << source << " of width " << from << " to type " << result << " of width " << to;
  return success();
}

LogicalResult ExtIOp::verify() {
  if (getTo().getType().getElementTypeBitWidth() <= getFrom().getType().getElementTypeBitWidth())
    // rule: exti_width
    return emitOpError("extending to smaller or identical integer");
  return success();
}

LogicalResult TruncIOp::verify() {
  if (getTo().getType().getElementTypeBitWidth() >= getFrom().getType().getElementTypeBitWidth())
    // rule: trunci_width
    return emitOpError("truncating to larger or identical integer");
  return success();
}

LogicalResult IToFOp::verify() {
  if (isa<Float8E8M0FNUType>(getTo().getType().getElementType()))
    // rule: itof_e8m0
    return emitOpError("integer to f8E8M0FNU conversion is not supported, please first convert to "
                       "another float type");
  if (getRoundingMode() != RoundingMode::NEAREST_EVEN)
    // rule: itof_rounding
    return emitOpError("invalid rounding mode specified. Only 'nearest_even' is supported");
  return success();
}

LogicalResult FToIOp::verify() {
  if (getRoundingMode() != RoundingMode::NEAREST_INT_TO_ZERO)
    // rule: ftoi_rounding
    return emitOpError("invalid rounding mode specified. Only 'nearest_int_to_zero' is supported");
  return success();
}

// The rounding modes that one conversion takes under the rules of the 13.5 tool; the message names
// the conversion.
static LogicalResult verifyToolRounding(FToFOp op, Type from, Type to, RoundingMode mode) {
  using enum RoundingMode;
  auto error = [&](StringRef rest) {
    // rule: see the calls
    return op.emitOpError("invalid rounding mode specified") << rest;
  };
  bool lowPrecision = to.getIntOrFloatBitWidth() <= 8;
  if (from.isF32() && to.isTF32()) {
    if (mode != NEAREST_EVEN && mode != ZERO && mode != NEAREST_AWAY)
      // rule: tool_ftof_tf32
      return error(" for conversion from f32 to tf32. Only 'nearest_even', 'zero', and "
                   "'nearest_away' are supported");
  } else if (from.isF64() && to.isF32()) {
    if (mode != NEAREST_EVEN && mode != ZERO && mode != NEGATIVE_INF && mode != POSITIVE_INF)
      // rule: tool_ftof_f64
      return error(" for conversion from f64 to f32. Only 'nearest_even', 'zero', 'negative_inf', "
                   "and 'positive_inf' "
                   "are supported");
  } else if (lowPrecision) {
    if (mode != NEAREST_EVEN)
      // rule: tool_ftof_low
      return error(" for conversion to low-precision type. Only 'nearest_even' is supported");
  } else if (to.getIntOrFloatBitWidth() > from.getIntOrFloatBitWidth()) {
    if (mode != NEAREST_EVEN && mode != ZERO && mode != NEGATIVE_INF && mode != POSITIVE_INF &&
        mode != NEAREST_AWAY)
      // rule: tool_ftof_widen
      return error(" for widening conversion. Only IEEE float rounding modes are supported: "
                   "'nearest_even', 'zero', "
                   "'negative_inf', 'positive_inf', 'nearest_away'");
  } else if (mode != NEAREST_EVEN && mode != ZERO) {
    // rule: tool_ftof_narrow
    return error(". Only 'nearest_even' and 'zero' are supported for narrowing conversions to "
                 "standard types");
  }
  return success();
}

LogicalResult FToFOp::verify() {
  if (getFrom().getType() == getTo().getType())
    // rule: ftof_no_op
    return emitOpError("converting tiles must not be a no-op");
  Type from = getFrom().getType().getElementType(), to = getTo().getType().getElementType();
  RoundingMode mode = getRoundingMode();
  if (isa<Float8E8M0FNUType>(to)) {
    if (mode != RoundingMode::ZERO && mode != RoundingMode::POSITIVE_INF)
      // rule: ftof_e8m0
      return emitOpError("invalid rounding mode specified for conversion to f8E8M0FNU. Only 'zero' "
                         "and 'positive_inf' "
                         "are supported");
    return success();
  }
  if (getProfile(*this) == Profile::Tileiras13_5)
    return verifyToolRounding(*this, from, to, mode);
  if (mode != RoundingMode::NEAREST_EVEN)
    // rule: ftof_rounding
    return emitOpError("invalid rounding mode specified. Only 'nearest_even' is supported");
  return success();
}
