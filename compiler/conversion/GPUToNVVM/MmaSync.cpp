//===- MmaSync.cpp - nvgpu.mma.sync on bf16 -------------------------------------------------------===//
//
// Upstream's pattern does not know bf16, whose operands NVVM takes as i32 words. Same fragments as f16 (m16n8k8 and
// m16n8k16, f32 accumulators), pairs bitcast to words. Has a higher benefit than upstream's pattern and matches bf16 only.
//
//===----------------------------------------------------------------------------------------------===//
#include "compiler/conversion/GPUToNVVM/GPUToNVVM.h"

#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"

using namespace mlir;

namespace {

struct MmaSyncBF16 : public ConvertOpToLLVMPattern<nvgpu::MmaSyncOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(nvgpu::MmaSyncOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const final {
    auto lhs = cast<VectorType>(op.getMatrixA().getType()), acc = cast<VectorType>(op.getMatrixC().getType());
    if (!lhs.getElementType().isBF16() || !acc.getElementType().isF32())
      return rewriter.notifyMatchFailure(op, "not bf16 with an f32 accumulator");
    Location loc = op.getLoc();
    Type word = rewriter.getI32Type(), f32 = rewriter.getF32Type();
    auto words = [&](Value array, int64_t rows) {
      SmallVector<Value> result;
      for (int64_t row = 0; row < rows; ++row) {
        Value pair = LLVM::ExtractValueOp::create(rewriter, loc, array, ArrayRef<int64_t>{row});
        result.push_back(LLVM::BitcastOp::create(rewriter, loc, word, pair));
      }
      return result;
    };
    SmallVector<Value> c;
    for (int64_t row = 0; row < acc.getDimSize(0); ++row) {
      Value pair = LLVM::ExtractValueOp::create(rewriter, loc, adaptor.getMatrixC(), ArrayRef<int64_t>{row});
      for (int64_t i = 0; i < 2; ++i) {
        Value at = LLVM::ConstantOp::create(rewriter, loc, word, rewriter.getI32IntegerAttr(i));
        c.push_back(LLVM::ExtractElementOp::create(rewriter, loc, pair, at));
      }
    }
    auto resultType = LLVM::LLVMStructType::getLiteral(op.getContext(), SmallVector<Type>(c.size(), f32));
    SmallVector<int64_t> shape;
    for (Attribute extent : op.getMmaShape())
      shape.push_back(cast<IntegerAttr>(extent).getInt());
    Value product = NVVM::MmaOp::create(
        rewriter, loc, resultType, words(adaptor.getMatrixA(), lhs.getDimSize(0)),
        words(adaptor.getMatrixB(), cast<VectorType>(op.getMatrixB().getType()).getDimSize(0)), c, shape,
        std::nullopt, std::nullopt, std::array<NVVM::MMATypes, 2>{NVVM::MMATypes::bf16, NVVM::MMATypes::bf16},
        std::array<NVVM::MMALayout, 2>{NVVM::MMALayout::row, NVVM::MMALayout::col});

    Type arrayType = getTypeConverter()->convertType(acc);
    Value array = LLVM::PoisonOp::create(rewriter, loc, arrayType);
    auto pairType = VectorType::get({2}, f32);
    for (int64_t row = 0; row < acc.getDimSize(0); ++row) {
      Value pair = LLVM::PoisonOp::create(rewriter, loc, pairType);
      for (int64_t i = 0; i < 2; ++i) {
        Value element = LLVM::ExtractValueOp::create(rewriter, loc, product, ArrayRef<int64_t>{2 * row + i});
        Value at = LLVM::ConstantOp::create(rewriter, loc, word, rewriter.getI32IntegerAttr(i));
        pair = LLVM::InsertElementOp::create(rewriter, loc, pair, element, at);
      }
      array = LLVM::InsertValueOp::create(rewriter, loc, array, pair, ArrayRef<int64_t>{row});
    }
    rewriter.replaceOp(op, array);
    return success();
  }
};

} // namespace

void tilesmith::populateMmaSyncToNVVMPatterns(const LLVMTypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<MmaSyncBF16>(converter, /*benefit=*/2);
}
