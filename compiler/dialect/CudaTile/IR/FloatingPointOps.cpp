//===- FloatingPointOps.cpp - floating-point arithmetic and matrix products -------------------===//
#include "compiler/dialect/CudaTile/IR/CudaTileAsm.h"
#include "compiler/dialect/CudaTile/IR/CudaTileVerify.h"
#include "compiler/support/Plants.h"

#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace tilesmith::cuda_tile;

#define GET_OP_CLASSES
#include "compiler/dialect/CudaTile/IR/FloatingPointOps.cpp.inc"

void CudaTileDialect::registerFloatingPointOps() {
  addOperations<
#define GET_OP_LIST
#include "compiler/dialect/CudaTile/IR/FloatingPointOps.cpp.inc"
      >();
}

//===-- arithmetic ----------------------------------------------------------------------------===//

template <typename OpT> static LogicalResult verifyRoundedOp(OpT op) {
  return failure(failed(verifyIEEERounding(op, op.getRoundingMode())) ||
                 failed(verifyFlushToZero(op, op.getFlushToZero())));
}

LogicalResult AddFOp::verify() {
  return verifyRoundedOp(*this);
}
LogicalResult SubFOp::verify() {
  return verifyRoundedOp(*this);
}
LogicalResult MulFOp::verify() {
  return verifyRoundedOp(*this);
}
LogicalResult FmaOp::verify() {
  return verifyRoundedOp(*this);
}
LogicalResult MaxFOp::verify() {
  return verifyFlushToZero(*this, getFlushToZero());
}
LogicalResult MinFOp::verify() {
  return verifyFlushToZero(*this, getFlushToZero());
}

LogicalResult DivFOp::verify() {
  RoundingMode mode = getRoundingMode();
  bool approx = mode == RoundingMode::APPROX, full = mode == RoundingMode::FULL;
  if (mode == RoundingMode::NEAREST_INT_TO_ZERO || mode == RoundingMode::NEAREST_AWAY)
    // rule: div_rounding
    return emitOpError(
        "invalid rounding mode specified, expect one of [nearest_even, zero, negative_inf, "
        "positive_inf, approx, full]");
  return failure(failed(verifyFlushToZero(*this, getFlushToZero())) ||
                 failed(verifyF32Only(*this, approx, "approx")) ||
                 failed(verifyF32Only(*this, full, "full")));
}

/// The sum of two finite constants in the rounding of the op, as the GPU computes it.
static LogicalResult foldConstantSum(AddFOp op, PatternRewriter &rewriter) {
  auto lhs = op.getLhs().getDefiningOp<ConstantOp>(), rhs = op.getRhs().getDefiningOp<ConstantOp>();
  std::optional<llvm::RoundingMode> mode =
      llvm::StringSwitch<std::optional<llvm::RoundingMode>>(
          stringifyRoundingMode(op.getRoundingMode()))
          .Case("nearest_even", llvm::RoundingMode::NearestTiesToEven)
          .Case("zero", llvm::RoundingMode::TowardZero)
          .Case("negative_inf", llvm::RoundingMode::TowardNegative)
          .Case("positive_inf", llvm::RoundingMode::TowardPositive)
          .Default(std::nullopt);
  const bool flushes = op.getFlushToZero() && !TILESMITH_PLANT("fold-tile-sum-unflushed");
  if (!lhs || !rhs || !mode || flushes)
    return failure();
  if (TILESMITH_PLANT("fold-tile-sum-to-nearest"))
    mode = llvm::RoundingMode::NearestTiesToEven;
  SmallVector<APFloat> sums;
  bool splat = lhs.getValue().isSplat() && rhs.getValue().isSplat();
  if (TILESMITH_PLANT("fold-tile-sum-one-splat"))
    splat = lhs.getValue().isSplat() || rhs.getValue().isSplat();
  for (auto [a, b] :
       llvm::zip_equal(lhs.getValue().getValues<APFloat>(), rhs.getValue().getValues<APFloat>())) {
    if (!a.isFinite() || !b.isFinite())
      return failure();
    APFloat sum = a;
    sum.add(b, *mode);
    sums.push_back(sum);
    if (splat)
      break;
  }
  auto value = DenseElementsAttr::get(op.getType(), sums);
  rewriter.replaceOpWithNewOp<ConstantOp>(op, op.getType(), cast<DenseIntOrFPElementsAttr>(value));
  return success();
}

// A product moves to the left, where fma fusion looks for it. Addition commutes, NaN payloads
// aside.
LogicalResult AddFOp::canonicalize(AddFOp op, PatternRewriter &rewriter) {
  if (succeeded(foldConstantSum(op, rewriter)))
    return success();
  if (!op.getRhs().getDefiningOp<MulFOp>() || op.getLhs().getDefiningOp<MulFOp>())
    return failure();
  rewriter.modifyOpInPlace(op, [&] {
    Value lhs = op.getLhs();
    op.getLhsMutable().assign(op.getRhs());
    op.getRhsMutable().assign(lhs);
  });
  return success();
}

//===-- matrix products -----------------------------------------------------------------------===//

// The accumulators that inputs of one type allow.
static SmallVector<Type, 2> accumulatorsFor(Type input) {
  MLIRContext *ctx = input.getContext();
  Type f16 = Float16Type::get(ctx), f32 = Float32Type::get(ctx);
  if (input.isF16() || isa<Float8E4M3FNType, Float8E5M2Type, Float4E2M1FNType>(input))
    return {f16, f32};
  if (input.isBF16() || input.isTF32() || input.isF32())
    return {f32};
  if (input.isF64())
    return {input};
  return {};
}

LogicalResult MmaFOp::verify() {
  if (failed(verifyMatmulShapes(*this)))
    return failure();
  Type input = getLhs().getType().getElementType(), acc = getAcc().getType().getElementType();
  SmallVector<Type, 2> allowed = accumulatorsFor(input);
  if (allowed.empty())
    // rule: - (the operand constraint refuses it first)
    return emitOpError("unsupported input element type: ") << input;
  if (!llvm::is_contained(allowed, acc))
    // rule: mma_types
    return emitOpError("unsupported combination of element types. Input type ")
           << input << " expects accumulator/result type to be one of {" << allowed << "}, but got "
           << acc;
  return success();
}

// Scales have the rows of lhs and the columns of rhs; along K one scale covers a block of 16 or 32
// elements.
LogicalResult MmaFScaledOp::verify() {
  if (failed(verifyMatmulShapes(*this)))
    return failure();
  ArrayRef<int64_t> lhs = getLhs().getType().getShape(), rhs = getRhs().getType().getShape();
  ArrayRef<int64_t> lhsScale = getLhsScale().getType().getShape(),
                    rhsScale = getRhsScale().getType().getShape();
  auto check = [&](StringRef aName, ArrayRef<int64_t> a, int aDim, StringRef bName,
                   ArrayRef<int64_t> b, int bDim) -> LogicalResult {
    if (a[aDim] == b[bDim])
      return success();
    // rule: scaled_rows
    return emitOpError("shape error: dim ")
           << aDim << " of " << aName << " (" << a[aDim] << ") and dim " << bDim << " of " << bName
           << " (" << b[bDim] << ") must match, but got " << aName << " shape (" << a << ") and "
           << bName << " shape (" << b << ")";
  };
  int row = lhs.size() - 2, col = row + 1;
  if (row == 1 && (failed(check("lhs", lhs, 0, "lhs_scale", lhsScale, 0)) ||
                   failed(check("rhs", rhs, 0, "rhs_scale", rhsScale, 0))))
    return failure();
  if (failed(check("lhs", lhs, row, "lhs_scale", lhsScale, row)) ||
      failed(check("rhs", rhs, col, "rhs_scale", rhsScale, col)) ||
      failed(check("lhs_scale", lhsScale, col, "rhs_scale", rhsScale, row)))
    return failure();

  Type input = getLhs().getType().getElementType(),
       scale = getLhsScale().getType().getElementType();
  bool isF4 = isa<Float4E2M1FNType>(input), scaleIsE4M3 = isa<Float8E4M3FNType>(scale);
  if ((scaleIsE4M3 || isa<FloatNV8E5M3FNUType>(scale)) && !isF4)
    // rule: scaled_types
    return emitOpError("unsupported combination of element types. Scale type ")
           << scale << " expects lhs and rhs element types to be "
           << Float4E2M1FNType::get(getContext()) << ", but got " << input;

  int64_t k = lhs[col], blocks = lhsScale[col];
  if (k % blocks != 0)
    // rule: scaled_divisor
    return emitOpError("shape error: dim ")
           << col << " of lhs_scale (" << blocks << ") must be a divisor of dim " << col
           << " of lhs (" << k << "), but got lhs_scale shape (" << lhsScale << ") and lhs shape ("
           << lhs << ")";
  int64_t factor = k / blocks;
  auto factorError = [&](StringRef types, StringRef expected) {
    // rule: scaled_f8_factor, scaled_f4_e4m3, scaled_f4_e8m0
    return emitOpError("shape error: ")
           << types << " requires block scale factor of lhs_scale and rhs_scale to be " << expected
           << ", but got " << factor;
  };
  if (!isF4 && factor != 32)
    // rule: scaled_f8_factor
    return factorError("f8 element type", "32");
  if (isF4 && scaleIsE4M3 && factor != 16)
    // rule: scaled_f4_e4m3
    return factorError("f4E2M1FN element type with f8E4M3FN scales", "16");
  if (isF4 && !scaleIsE4M3 && factor != 16 && factor != 32)
    // rule: scaled_f4_e8m0
    return factorError("f4E2M1FN element type with f8E8M0FNU scales", "16 or 32");
  return success();
}
