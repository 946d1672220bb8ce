//===- Memory.cpp - pointers, pointer accesses, atomics, tokens -------------------------------===//
#include "compiler/conversion/CudaTileToTileAA/Memory.h"
#include "compiler/support/Plants.h"

using namespace mlir;

namespace tilesmith::cudatile_to_tileaa {

tileaa::RMWModeAttr convertMode(MLIRContext *context, cuda_tile::AtomicRMWMode mode) {
  auto get = [&](tileaa::RMWMode m) { return tileaa::RMWModeAttr::get(context, m); };
  switch (mode) {
  case cuda_tile::AtomicRMWMode::AND:
    return get(tileaa::RMWMode::and_);
  case cuda_tile::AtomicRMWMode::OR:
    return get(TILESMITH_PLANT("atomic-or-as-xor") ? tileaa::RMWMode::xor_ : tileaa::RMWMode::or_);
  case cuda_tile::AtomicRMWMode::XOR:
    return get(tileaa::RMWMode::xor_);
  case cuda_tile::AtomicRMWMode::ADD:
    return get(tileaa::RMWMode::add);
  case cuda_tile::AtomicRMWMode::ADDF:
    return get(tileaa::RMWMode::addf);
  case cuda_tile::AtomicRMWMode::MAX:
    return get(tileaa::RMWMode::max);
  case cuda_tile::AtomicRMWMode::MIN:
    return get(tileaa::RMWMode::min);
  case cuda_tile::AtomicRMWMode::UMAX:
    return get(tileaa::RMWMode::umax);
  case cuda_tile::AtomicRMWMode::UMIN:
    return get(tileaa::RMWMode::umin);
  case cuda_tile::AtomicRMWMode::XCHG:
    return get(tileaa::RMWMode::xchg);
  }
  llvm_unreachable("unknown atomic mode");
}

namespace {

//===------------------------------------------------------------------------------------------===//
// Pointers
//===------------------------------------------------------------------------------------------===//

// A pointer of nv_tileaa moves by whole bytes, also one to 4-bit elements, which are never tiles of
// pointers. [spec: shape-offset, shape-offset-halves]
struct LowerOffset : public OpConversionPattern<cuda_tile::OffsetOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(cuda_tile::OffsetOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Value offset = adaptor.getOffset();
    auto pointer = llvm::dyn_cast<tileaa::PtrType>(adaptor.getPtr().getType());
    if (pointer && pointer.getPointee().isIntOrFloat() &&
        pointer.getPointee().getIntOrFloatBitWidth() == 4 &&
        !TILESMITH_PLANT("offset-of-nibbles-whole")) {
      Type i64 = rewriter.getI64Type();
      if (offset.getType() != i64)
        offset = TILESMITH_PLANT("offset-of-nibbles-unsigned")
                     ? Value(arith::ExtUIOp::create(rewriter, op.getLoc(), i64, offset))
                     : Value(arith::ExtSIOp::create(rewriter, op.getLoc(), i64, offset));
      offset = arith::DivSIOp::create(rewriter, op.getLoc(), offset,
                                      createInt(rewriter, op.getLoc(), i64, 2));
    }
    rewriter.replaceOpWithNewOp<tileaa::AddPtrOp>(op, adaptor.getPtr().getType(), adaptor.getPtr(),
                                                  offset);
    return success();
  }
};

// [spec: conv-int-ptr, conv-ptr-ptr]
template <typename From, typename To> struct PointerCast : public OpConversionPattern<From> {
  using OpConversionPattern<From>::OpConversionPattern;
  LogicalResult matchAndRewrite(From op, typename From::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<To>(op, this->getTypeConverter()->convertType(op.getType()),
                                    adaptor.getSource());
    return success();
  }
};

// [spec: global-address]
struct LowerGetGlobal : public OpConversionPattern<cuda_tile::GetGlobalOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(cuda_tile::GetGlobalOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<tileaa::GetGlobalOp>(
        op, getTypeConverter()->convertType(op.getType()), op.getNameAttr());
    return success();
  }
};

// [spec: mem-alloca]
struct LowerAlloca : public OpConversionPattern<cuda_tile::AllocaOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(cuda_tile::AllocaOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<tileaa::AllocaOp>(op, getTypeConverter()->convertType(op.getType()),
                                                  op.getNumElemAttr(), op.getAlignmentAttr(),
                                                  op.getGlobalAttr());
    return success();
  }
};

//===------------------------------------------------------------------------------------------===//
// Accesses
//===------------------------------------------------------------------------------------------===//

// [spec: mem-load-ptr, mem-load-masked, mem-order-load]
struct LowerLoadPtr : public SettingsPattern<cuda_tile::LoadPtrTkoOp> {
  using SettingsPattern::SettingsPattern;
  LogicalResult matchAndRewrite(cuda_tile::LoadPtrTkoOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    MLIRContext *context = getContext();
    rewriter.replaceOpWithNewOp<tileaa::LoadOp>(
        op, getTypeConverter()->convertType(op.getResult().getType()),
        tileaa::MemTokenType::get(context), adaptor.getSource(), ValueRange(), adaptor.getMask(),
        adaptor.getPaddingValue(),
        TILESMITH_PLANT("load-token-dropped") ? Value() : adaptor.getToken(),
        convertSemantic(context, op.getMemoryOrderingSemantics()),
        convertScope(context, op.getMemoryScope()), tileaa::CacheModifierAttr(),
        tileaa::EvictionPolicyAttr(), DenseBoolArrayAttr(), UnitAttr(),
        getLatencyHint(op, settings));
    return success();
  }
};

// [spec: mem-store-ptr, mem-order-store]
struct LowerStorePtr : public SettingsPattern<cuda_tile::StorePtrTkoOp> {
  using SettingsPattern::SettingsPattern;
  LogicalResult matchAndRewrite(cuda_tile::StorePtrTkoOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    MLIRContext *context = getContext();
    rewriter.replaceOpWithNewOp<tileaa::StoreOp>(
        op, tileaa::MemTokenType::get(context), adaptor.getDestination(), adaptor.getValue(),
        ValueRange(), TILESMITH_PLANT("store-mask-lost") ? Value() : adaptor.getMask(),
        adaptor.getToken(), convertSemantic(context, op.getMemoryOrderingSemantics()),
        convertScope(context, op.getMemoryScope()), tileaa::CacheModifierAttr(),
        tileaa::EvictionPolicyAttr(), UnitAttr(), getLatencyHint(op, settings));
    return success();
  }
};

// [spec: atomic-cas, atomic-order]
struct LowerAtomicCAS : public OpConversionPattern<cuda_tile::AtomicCASTkoOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(cuda_tile::AtomicCASTkoOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    MLIRContext *context = getContext();
    rewriter.replaceOpWithNewOp<tileaa::AtomicCASOp>(
        op, adaptor.getVal().getType(), tileaa::MemTokenType::get(context), adaptor.getPointers(),
        TILESMITH_PLANT("cas-operands-swapped") ? adaptor.getVal() : adaptor.getCmp(),
        TILESMITH_PLANT("cas-operands-swapped") ? adaptor.getCmp() : adaptor.getVal(),
        TILESMITH_PLANT("cas-mask-lost") ? Value() : adaptor.getMask(), adaptor.getToken(),
        convertSemantic(context, op.getMemoryOrderingSemantics()),
        convertScope(context, op.getMemoryScope()));
    return success();
  }
};

// [spec: atomic-rmw, atomic-modes, atomic-order]
struct LowerAtomicRMW : public OpConversionPattern<cuda_tile::AtomicRMWTkoOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(cuda_tile::AtomicRMWTkoOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    MLIRContext *context = getContext();
    rewriter.replaceOpWithNewOp<tileaa::AtomicRMWOp>(
        op, adaptor.getArg().getType(), tileaa::MemTokenType::get(context), adaptor.getPointers(),
        adaptor.getArg(), adaptor.getMask(), adaptor.getToken(), convertMode(context, op.getMode()),
        convertSemantic(context, op.getMemoryOrderingSemantics()),
        convertScope(context, op.getMemoryScope()));
    return success();
  }
};

//===------------------------------------------------------------------------------------------===//
// Tokens
//===------------------------------------------------------------------------------------------===//

Value createToken(OpBuilder &builder, Location loc) {
  return tileaa::CreateMemTokenOp::create(
      builder, loc, tileaa::MemTokenType::get(builder.getContext()), ValueRange());
}

// [spec: mem-make-token]
struct LowerMakeToken : public OpConversionPattern<cuda_tile::MakeTokenOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(cuda_tile::MakeTokenOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, createToken(rewriter, op.getLoc()));
    return success();
  }
};

/// One input is forwarded, none is a fresh token.
// [spec: mem-join-tokens]
struct LowerJoinTokens : public OpConversionPattern<cuda_tile::JoinTokensOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(cuda_tile::JoinTokensOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    ValueRange tokens = adaptor.getTokens();
    if (tokens.empty())
      rewriter.replaceOp(op, createToken(rewriter, op.getLoc()));
    else if (tokens.size() == 1 || TILESMITH_PLANT("join-keeps-first-token"))
      rewriter.replaceOp(op, tokens.front());
    else
      rewriter.replaceOpWithNewOp<tileaa::JoinMemTokenOp>(
          op, tileaa::MemTokenType::get(getContext()), tokens);
    return success();
  }
};

/// Alias fences: with one proxy per location they order nothing that tokens do not order already.
// [spec: mem-fence-alias]
struct LowerFenceAlias : public OpConversionPattern<cuda_tile::MemoryFenceAliasTkoOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(cuda_tile::MemoryFenceAliasTkoOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Value token = adaptor.getToken();
    bool keeps = token && !TILESMITH_PLANT("fence-forgets-token");
    rewriter.replaceOp(op, keeps ? token : createToken(rewriter, op.getLoc()));
    return success();
  }
};

/// Dependent launches.
// [spec: mem-gdc]
template <typename From, tileaa::GridDependency kind>
struct LowerGridDependency : public OpConversionPattern<From> {
  using OpConversionPattern<From>::OpConversionPattern;
  LogicalResult matchAndRewrite(From op, typename From::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<tileaa::GridDependencyOp>(
        op, tileaa::MemTokenType::get(this->getContext()), adaptor.getToken(), kind);
    return success();
  }
};

} // namespace

void populateMemory(Types types, PatternSet patterns, const Settings &settings) {
  MLIRContext *context = patterns.getContext();
  patterns.add<LowerOffset, PointerCast<cuda_tile::IntToPtrOp, tileaa::IntToPtrOp>,
               PointerCast<cuda_tile::PtrToIntOp, tileaa::PtrToIntOp>,
               PointerCast<cuda_tile::PtrToPtrOp, tileaa::BitcastOp>, LowerGetGlobal, LowerAlloca,
               LowerAtomicCAS, LowerAtomicRMW, LowerMakeToken, LowerJoinTokens,
               LowerGridDependency<cuda_tile::GdcLaunchDependentsTkoOp,
                                   tileaa::GridDependency::launch_dependents>,
               LowerGridDependency<cuda_tile::GdcWaitTkoOp, tileaa::GridDependency::wait>,
               LowerFenceAlias>(types, context);
  patterns.add<LowerLoadPtr, LowerStorePtr>(types, context, settings);
}

} // namespace tilesmith::cudatile_to_tileaa
