//===- Matrix.cpp - nvgpu.mma.sync on bf16 ----------------------------------------------------===//
//
// nvvm.mma.sync takes bf16 pairs as i32 registers with an explicit element type; the upstream
// pattern passes the vectors and fails. Registers: A and B are arrays of vector<2xbf16>, C and D
// arrays of vector<2xf32>, in the order of the PTX fragment.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/conversion/GPUToNVVM/GPUToNVVM.h"
#include "compiler/support/Plants.h"

#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"

using namespace mlir;

namespace tilesmith {
namespace {

/// The elements of an array of vectors, one value per vector, or per element with `scalars`.
SmallVector<Value> unpack(OpBuilder &b, Location loc, Value array, bool scalars) {
  SmallVector<Value> values;
  auto type = cast<LLVM::LLVMArrayType>(array.getType());
  auto vector = cast<VectorType>(type.getElementType());
  for (unsigned i = 0; i < type.getNumElements(); ++i) {
    Value row = LLVM::ExtractValueOp::create(b, loc, array, i);
    if (!scalars) {
      values.push_back(LLVM::BitcastOp::create(b, loc, b.getI32Type(), row));
      continue;
    }
    for (int64_t j = 0; j < vector.getNumElements(); ++j) {
      Value index = LLVM::ConstantOp::create(b, loc, b.getI32Type(), b.getI32IntegerAttr(j));
      values.push_back(LLVM::ExtractElementOp::create(b, loc, row, index));
    }
  }
  return values;
}

/// The inverse for a struct of scalars.
Value pack(OpBuilder &b, Location loc, Value registers, LLVM::LLVMArrayType type) {
  auto vector = cast<VectorType>(type.getElementType());
  Value result = LLVM::PoisonOp::create(b, loc, type);
  unsigned next = 0;
  for (unsigned i = 0; i < type.getNumElements(); ++i) {
    Value row = LLVM::PoisonOp::create(b, loc, vector);
    for (int64_t j = 0; j < vector.getNumElements(); ++j) {
      Value index = LLVM::ConstantOp::create(
          b, loc, b.getI32Type(),
          b.getI32IntegerAttr(TILESMITH_PLANT("nvvm-bf16-sums-swapped") ? j ^ 1 : j));
      row = LLVM::InsertElementOp::create(
          b, loc, row, LLVM::ExtractValueOp::create(b, loc, registers, next++), index);
    }
    result = LLVM::InsertValueOp::create(b, loc, result, row, i);
  }
  return result;
}

struct MmaSyncBF16 : ConvertOpToLLVMPattern<nvgpu::MmaSyncOp> {
  explicit MmaSyncBF16(const LLVMTypeConverter &converter)
      : ConvertOpToLLVMPattern<nvgpu::MmaSyncOp>(converter, /*benefit=*/10) {}
  LogicalResult matchAndRewrite(nvgpu::MmaSyncOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &b) const override {
    VectorType a = op.getMatrixA().getType(), rhs = op.getMatrixB().getType();
    if (!a.getElementType().isBF16() || !rhs.getElementType().isBF16() ||
        !cast<VectorType>(op.getMatrixC().getType()).getElementType().isF32())
      return b.notifyMatchFailure(op, "not bf16 with f32 accumulation");
    Location loc = op.getLoc();
    auto type =
        cast<LLVM::LLVMArrayType>(getTypeConverter()->convertType(op.getResult().getType()));
    SmallVector<Value> accumulator = unpack(b, loc, adaptor.getMatrixC(), /*scalars=*/true);
    SmallVector<Type> registers(accumulator.size(), b.getF32Type());
    std::array<int64_t, 3> shape = op.getMmaShapeAsArray();
    Value result = NVVM::MmaOp::create(
        b, loc, LLVM::LLVMStructType::getLiteral(b.getContext(), registers),
        unpack(b, loc, adaptor.getMatrixA(), /*scalars=*/false),
        unpack(b, loc, adaptor.getMatrixB(), /*scalars=*/false), accumulator,
        ArrayRef<int64_t>(shape), /*b1Op=*/std::nullopt, /*intOverflow=*/std::nullopt,
        std::array{NVVM::MMATypes::bf16, NVVM::MMATypes::bf16},
        std::array{NVVM::MMALayout::row, NVVM::MMALayout::col});
    b.replaceOp(op, pack(b, loc, result, type));
    return success();
  }
};

} // namespace

void populateMatrixToNVVMPatterns(const LLVMTypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<MmaSyncBF16>(converter);
}

} // namespace tilesmith
