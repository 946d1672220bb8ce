//===- Float.cpp - floating-point ops with one rounding and a defined sign of zero ------------===//
//
// These patterns win over the upstream ones (benefit 10):
//  - arith.maxnumf/minnumf -> llvm.maximumnum/minimumnum: upstream takes `__nv_fmaxf`, or maxnum,
//    which leaves the order of -0 and +0 open; PTX min/max have exactly the *num meaning;
//  - math.fma -> llvm.intr.fma in the op's own type: through f32 the f16 and bf16 forms would round
//    twice;
//  - math.tanh of f32 that may be approximated (afn) -> llvm.intr.tanh, which becomes one
//    instruction, with a relative error of 2^-11 as the source's mode has it;
//  - integer -> bf16: targets without a native conversion go through f32 and round twice from 25
//    bits on.
//
// Integer to bf16 keeps one rounding by folding the low bits into a sticky bit first. In two's
// complement, y = (x & ~(2k-1)) | (x & (2k-1) ? k : 0) lies strictly between the same multiples of
// 2k as x, so rounding y to a format whose last bit is worth at least 4k gives the rounding of x,
// and y has few enough bits to be exact in f32 (or f64).
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/conversion/GPUToNVVM/GPUToNVVM.h"
#include "compiler/support/Plants.h"

#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace tilesmith {
namespace {

constexpr unsigned kOwnBenefit = 10;

/// An elementwise two-operand op as a call of an overloaded LLVM intrinsic; vectors up to rank 1.
template <typename Op> struct BinaryIntrinsic : ConvertOpToLLVMPattern<Op> {
  BinaryIntrinsic(const LLVMTypeConverter &converter, StringRef intrinsic)
      : ConvertOpToLLVMPattern<Op>(converter, kOwnBenefit), intrinsic(intrinsic) {}
  LogicalResult matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type type = adaptor.getLhs().getType();
    if (!LLVM::isCompatibleType(type) || isa<LLVM::LLVMArrayType>(type))
      return rewriter.notifyMatchFailure(op, "not a scalar or one-dimensional vector");
    rewriter.replaceOpWithNewOp<LLVM::CallIntrinsicOp>(
        op, type, rewriter.getStringAttr(intrinsic),
        ValueRange{adaptor.getLhs(), adaptor.getRhs()});
    return success();
  }
  std::string intrinsic;
};

struct FmaLowering : ConvertOpToLLVMPattern<math::FmaOp> {
  explicit FmaLowering(const LLVMTypeConverter &converter)
      : ConvertOpToLLVMPattern<math::FmaOp>(converter, kOwnBenefit) {}
  LogicalResult matchAndRewrite(math::FmaOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type type = adaptor.getA().getType();
    if (!LLVM::isCompatibleType(type) || isa<LLVM::LLVMArrayType>(type))
      return rewriter.notifyMatchFailure(op, "not a scalar or one-dimensional vector");
    rewriter.replaceOpWithNewOp<LLVM::FMAOp>(
        op, type, adaptor.getA(),
        TILESMITH_PLANT("nvvm-fma-addend-swapped") ? adaptor.getC() : adaptor.getB(),
        TILESMITH_PLANT("nvvm-fma-addend-swapped") ? adaptor.getB() : adaptor.getC());
    return success();
  }
};

struct TanhLowering : ConvertOpToLLVMPattern<math::TanhOp> {
  explicit TanhLowering(const LLVMTypeConverter &converter)
      : ConvertOpToLLVMPattern<math::TanhOp>(converter, kOwnBenefit) {}
  LogicalResult matchAndRewrite(math::TanhOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    const bool isApproximate =
        arith::bitEnumContainsAll(op.getFastmath(), arith::FastMathFlags::afn) ||
        TILESMITH_PLANT("nvvm-tanh-always-approximate");
    if (!isApproximate || !op.getType().isF32())
      return rewriter.notifyMatchFailure(op, "not an approximation of f32");
    rewriter.replaceOpWithNewOp<LLVM::TanhOp>(op, op.getType(), adaptor.getOperand(),
                                              LLVM::FastmathFlags::afn);
    return success();
  }
};

/// Folds the bits of `x` below 2k into the bit of value k (see the header).
Value foldSticky(OpBuilder &b, Location loc, Value x, int64_t k) {
  Type type = x.getType();
  auto constant = [&](int64_t v) -> Value {
    return LLVM::ConstantOp::create(b, loc, type, b.getIntegerAttr(type, v));
  };
  Value low = LLVM::AndOp::create(b, loc, x, constant(2 * k - 1));
  Value inexact = LLVM::ICmpOp::create(b, loc, LLVM::ICmpPredicate::ne, low, constant(0));
  Value sticky = LLVM::SelectOp::create(b, loc, inexact, constant(k), constant(0));
  return LLVM::OrOp::create(b, loc, LLVM::AndOp::create(b, loc, x, constant(-2 * k)), sticky);
}

template <typename Op, bool isSigned> struct IntToBF16 : ConvertOpToLLVMPattern<Op> {
  explicit IntToBF16(const LLVMTypeConverter &converter)
      : ConvertOpToLLVMPattern<Op>(converter, kOwnBenefit) {}
  LogicalResult matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                                ConversionPatternRewriter &b) const override {
    Value x = adaptor.getIn();
    auto type = dyn_cast<IntegerType>(x.getType());
    if (!type || !op.getType().isBF16() || (type.getWidth() != 32 && type.getWidth() != 64))
      return b.notifyMatchFailure(op, "not an i32 or i64 to bf16 conversion");
    Location loc = op.getLoc();
    // Exact in `wide` without folding when |x| < 2^exactBits; k clears as many bits as the
    // remaining format needs.
    bool is64 = type.getWidth() == 64;
    Type wide = is64 ? Type(b.getF64Type()) : Type(b.getF32Type());
    int64_t exactBits = is64 ? 53 : 24;
    Value folded = foldSticky(b, loc, x, is64 ? 1 << 11 : 1 << 8);
    Value biased = x;
    unsigned shift = exactBits;
    if (isSigned) { // |x| < 2^e  <=>  (x + 2^e) >> (e + 1) == 0, unsigned
      biased = LLVM::AddOp::create(
          b, loc, x,
          LLVM::ConstantOp::create(b, loc, type, b.getIntegerAttr(type, int64_t(1) << exactBits)));
      ++shift;
    }
    Value high = LLVM::LShrOp::create(
        b, loc, biased, LLVM::ConstantOp::create(b, loc, type, b.getIntegerAttr(type, shift)));
    Value zero = LLVM::ConstantOp::create(b, loc, type, b.getIntegerAttr(type, 0));
    Value isSmall = LLVM::ICmpOp::create(b, loc, LLVM::ICmpPredicate::eq, high, zero);
    Value source = LLVM::SelectOp::create(b, loc, isSmall, x, folded);
    Value exact = isSigned ? Value(LLVM::SIToFPOp::create(b, loc, wide, source))
                           : Value(LLVM::UIToFPOp::create(b, loc, wide, source));
    b.replaceOpWithNewOp<LLVM::FPTruncOp>(op, op.getType(), exact);
    return success();
  }
};

} // namespace

void populateFloatToNVVMPatterns(const LLVMTypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<BinaryIntrinsic<arith::MaxNumFOp>>(
      converter, TILESMITH_PLANT("nvvm-maxnum-as-minnum") ? "llvm.minimumnum" : "llvm.maximumnum");
  patterns.add<BinaryIntrinsic<arith::MinNumFOp>>(
      converter, TILESMITH_PLANT("nvvm-minnum-as-maxnum") ? "llvm.maximumnum" : "llvm.minimumnum");
  patterns.add<FmaLowering, TanhLowering, IntToBF16<arith::SIToFPOp, true>,
               IntToBF16<arith::UIToFPOp, false>>(converter);
}

} // namespace tilesmith
