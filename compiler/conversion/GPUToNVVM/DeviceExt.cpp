//===- DeviceExt.cpp - nvgpu_ext to NVVM ------------------------------------------------------===//
//
//  - mbarrier.try_wait.parity: `nvvm.mbarrier.try_wait` with its i1;
//  - tma.async.load and .store: the NVVM copies; an operand that is absent stays absent, because a
//    constant zero would be another instruction (a hint of zero, a multicast to nobody);
//  - tensormap.create and .replace: the fields by `llvm.nvvm.tensormap.replace.*` in the order
//    address, (rank, box,) extents, strides, (element strides, type, layouts,) between nothing
//    else, then the release and acquire fences of the tensor-map proxy at the op's scope. Rank and
//    the box are new in a created map only, whose 128 bytes start as zeros;
//  - warpgroup.mma_async: the NVVM product; where the left operand is in registers, for which NVVM
//    has none, inline assembly;
//  - warpgroup.descriptor: the address in units of 16 bytes, or'ed with the constant fields;
//  - packed arithmetic: rounding to nearest without flushing is the LLVM operation on
//    vector<2xf32>, which the backend turns into one .f32x2 instruction where the target has it;
//    other modes are two scalar intrinsics, because only sm_100 and up have the packed ones and
//    this pass does not know the target;
//  - packed conversions: the first operand of a packed `cvt` is the high half, hence lane 1.
//
//===-------------------------------------------------------------------------------------------===//
#include "compiler/conversion/GPUToNVVM/GPUToNVVM.h"
#include "compiler/dialect/NVGPUExt/IR/NVGPUExt.h"

#include "compiler/support/Plants.h"

#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Conversion/NVGPUToNVVM/NVGPUToNVVM.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;

namespace tilesmith {
namespace {

using namespace nvgpu_ext;

Value constant(OpBuilder &b, Location loc, Type type, int64_t value) {
  return LLVM::ConstantOp::create(b, loc, type, b.getIntegerAttr(type, value));
}

Value callIntrinsic(OpBuilder &b, Location loc, Type type, const Twine &name,
                    ValueRange arguments) {
  auto call = type ? LLVM::CallIntrinsicOp::create(b, loc, type, b.getStringAttr(name), arguments)
                   : LLVM::CallIntrinsicOp::create(b, loc, b.getStringAttr(name), arguments);
  return type ? call->getResult(0) : Value();
}

/// What the patterns that touch barriers and tensor copies share.
template <typename Op> struct CopyPattern : ConvertOpToLLVMPattern<Op> {
  using ConvertOpToLLVMPattern<Op>::ConvertOpToLLVMPattern;

  Value barrier(ConversionPatternRewriter &b, Location loc, nvgpu::MBarrierGroupType type,
                Value group, Value index) const {
    return this->getStridedElementPtr(b, loc, nvgpu::getMBarrierMemrefType(b.getContext(), type),
                                      group, index);
  }
  static SmallVector<Value> coordinates(OpBuilder &b, Location loc, ValueRange indices) {
    SmallVector<Value> values;
    for (Value index : indices) // in the order of the instruction: innermost first
      values.push_back(index.getType().isInteger(32)
                           ? index
                           : Value(LLVM::TruncOp::create(b, loc, b.getI32Type(), index)));
    return values;
  }
};

struct TryWait : CopyPattern<MBarrierTryWaitParityOp> {
  using CopyPattern::CopyPattern;
  LogicalResult matchAndRewrite(MBarrierTryWaitParityOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &b) const override {
    Location loc = op.getLoc();
    Value address =
        barrier(b, loc, op.getBarriers().getType(), adaptor.getBarriers(), adaptor.getMbarId());
    Value phase = LLVM::ZExtOp::create(b, loc, b.getI32Type(), adaptor.getPhase());
    b.replaceOpWithNewOp<NVVM::MBarrierTryWaitOp>(op, b.getI1Type(), address, phase,
                                                  adaptor.getTicks());
    return success();
  }
};

struct Load : CopyPattern<TmaAsyncLoadOp> {
  using CopyPattern::CopyPattern;
  LogicalResult matchAndRewrite(TmaAsyncLoadOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &b) const override {
    Location loc = op.getLoc();
    Value target = getStridedElementPtr(b, loc, op.getDst().getType(), adaptor.getDst(), {});
    target = LLVM::AddrSpaceCastOp::create(
        b, loc,
        LLVM::LLVMPointerType::get(b.getContext(),
                                   static_cast<unsigned>(NVVM::NVVMMemorySpace::SharedCluster)),
        target);
    Value address =
        barrier(b, loc, op.getBarriers().getType(), adaptor.getBarriers(), adaptor.getMbarId());
    NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp::create(
        b, loc, target, adaptor.getDescriptor(), coordinates(b, loc, adaptor.getCoordinates()),
        address, ValueRange(), adaptor.getMulticastMask(), adaptor.getL2CacheHint(),
        NVVM::TMALoadMode::TILE, /*isCTAOnly=*/false, NVVM::CTAGroupKindAttr(),
        adaptor.getPredicate());
    b.eraseOp(op);
    return success();
  }
};

struct Store : CopyPattern<TmaAsyncStoreOp> {
  using CopyPattern::CopyPattern;
  LogicalResult matchAndRewrite(TmaAsyncStoreOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &b) const override {
    Location loc = op.getLoc();
    Value source = getStridedElementPtr(b, loc, op.getSrc().getType(), adaptor.getSrc(), {});
    NVVM::CpAsyncBulkTensorSharedCTAToGlobalOp::create(
        b, loc, adaptor.getDescriptor(), source, coordinates(b, loc, adaptor.getCoordinates()),
        adaptor.getL2CacheHint(), NVVM::TMAStoreMode::TILE, adaptor.getPredicate());
    b.eraseOp(op);
    return success();
  }
};

/// Writes fields of one tensor map.
struct MapWriter {
  OpBuilder &b;
  Location loc;
  Value storage;

  void set(StringRef field, Value value) {
    callIntrinsic(b, loc, Type(), "llvm.nvvm.tensormap.replace." + field, {storage, value});
  }
  void set(StringRef field, int64_t value) { set(field, constant(b, loc, b.getI32Type(), value)); }
  void setAt(StringRef field, unsigned dimension, Value value) {
    callIntrinsic(b, loc, Type(), "llvm.nvvm.tensormap.replace." + field,
                  {storage, constant(b, loc, b.getI32Type(), dimension), value});
  }
  void setAddress(Value address) {
    set("global.address", LLVM::PtrToIntOp::create(b, loc, b.getI64Type(), address));
  }
  void setShape(ValueRange extents, ValueRange strides) {
    for (auto [dimension, extent] : llvm::enumerate(extents))
      setAt("global.dim", dimension, extent);
    for (auto [dimension, stride] : llvm::enumerate(strides))
      setAt("global.stride", dimension, stride);
  }
  /// What was written through the generic proxy becomes visible to tensor copies.
  Value publish(Scope scope) {
    Value address = generic();
    NVVM::FenceProxyReleaseOp::create(b, loc, memoryScope(scope));
    acquire(address, scope);
    return address;
  }
  void acquire(Value address, Scope scope) {
    NVVM::FenceProxyAcquireOp::create(b, loc, memoryScope(scope), address,
                                      constant(b, loc, b.getI32Type(), 128));
  }
  Value generic() {
    return LLVM::AddrSpaceCastOp::create(b, loc, LLVM::LLVMPointerType::get(b.getContext()),
                                         storage);
  }
  static NVVM::MemScopeKind memoryScope(Scope scope) {
    return scope == Scope::cta       ? NVVM::MemScopeKind::CTA
           : scope == Scope::cluster ? NVVM::MemScopeKind::CLUSTER
           : scope == Scope::gpu     ? NVVM::MemScopeKind::GPU
                                     : NVVM::MemScopeKind::SYS;
  }
};

/// A map that a whole cluster reads must not be published to one block only.
LogicalResult checkScope(Operation *op, Scope scope) {
  Operation *function = op->getParentOfType<FunctionOpInterface>();
  bool isCluster = function && (function->hasAttr("known_cluster_size") ||
                                function->hasAttr(NVVM::NVVMDialect::getClusterDimAttrName()));
  if (isCluster && scope == Scope::cta)
    return op->emitOpError() << "expected a scope of cluster, gpu or sys in a kernel of clusters, "
                                "got cta";
  return success();
}

struct CreateMap : ConvertOpToLLVMPattern<TensorMapCreateOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(TensorMapCreateOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &b) const override {
    if (failed(checkScope(op, op.getScope())))
      return failure();
    Location loc = op.getLoc();
    nvgpu::TensorMapDescriptorType type = op.getDescriptor().getType();
    MemRefType box = type.getTensor();
    unsigned rank = box.getRank();
    MapWriter map{b, loc, adaptor.getStorage()};
    Value zero = constant(b, loc, b.getI64Type(), 0);
    for (unsigned word = 0; word < 16; ++word)
      LLVM::StoreOp::create(b, loc, zero,
                            LLVM::GEPOp::create(b, loc, map.storage.getType(), b.getI64Type(),
                                                map.storage, ArrayRef<LLVM::GEPArg>{word}),
                            /*alignment=*/8);
    map.setAddress(adaptor.getAddress());
    map.set("rank", rank - 1);
    // A memref lists the innermost dimension last, a tensor map first.
    for (unsigned i = 0; i < rank; ++i)
      map.setAt("box.dim", i, constant(b, loc, b.getI32Type(), box.getDimSize(rank - 1 - i)));
    map.setShape(adaptor.getExtents(), adaptor.getStrides());
    for (unsigned i = 0; i < rank; ++i)
      map.setAt("element.stride", i, constant(b, loc, b.getI32Type(), 1));
    map.set("elemtype", *tensorMapElementCode(box.getElementType()));
    map.set("interleave.layout", static_cast<int64_t>(type.getInterleave()));
    map.set("swizzle.mode", static_cast<int64_t>(type.getSwizzle()));
    if (op.getGrain() == 32)
      map.set("swizzle.atomicity", 1);
    map.set("fill.mode", static_cast<int64_t>(type.getOob()));
    bool isDraft = cast<LLVM::LLVMPointerType>(map.storage.getType()).getAddressSpace() == 3;
    b.replaceOp(op, isDraft ? map.generic() : map.publish(op.getScope()));
    return success();
  }
};

struct PublishMap : ConvertOpToLLVMPattern<TensorMapPublishOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(TensorMapPublishOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &b) const override {
    if (failed(checkScope(op, op.getScope())))
      return failure();
    Location loc = op.getLoc();
    // LLVM has no intrinsic for it.
    std::string text = ("tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release." +
                        stringifyScope(op.getScope()) + ".sync.aligned [$0], [$1], 128;")
                           .str();
    LLVM::InlineAsmOp::create(b, loc, TypeRange(),
                              ValueRange{adaptor.getStorage(), adaptor.getDraft()}, text, "l,l",
                              /*has_side_effects=*/true, /*is_align_stack=*/false,
                              LLVM::tailcallkind::TailCallKind::None, /*asm_dialect=*/{},
                              /*operand_attrs=*/{});
    MapWriter map{b, loc, adaptor.getStorage()};
    if (!TILESMITH_PLANT("tensor-map-acquire-dropped"))
      map.acquire(map.generic(), op.getScope());
    b.eraseOp(op);
    return success();
  }
};

struct ReplaceMap : ConvertOpToLLVMPattern<TensorMapReplaceOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(TensorMapReplaceOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &b) const override {
    if (failed(checkScope(op, op.getScope())))
      return failure();
    MapWriter map{b, op.getLoc(), adaptor.getStorage()};
    map.setAddress(adaptor.getAddress());
    map.setShape(adaptor.getExtents(), adaptor.getStrides());
    map.publish(op.getScope());
    b.eraseOp(op);
    return success();
  }
};

Value lane(OpBuilder &b, Location loc, Value vector, int64_t index) {
  return LLVM::ExtractElementOp::create(b, loc, vector, constant(b, loc, b.getI32Type(), index));
}

Value withLane(OpBuilder &b, Location loc, Value vector, Value value, int64_t index) {
  return LLVM::InsertElementOp::create(b, loc, vector, value,
                                       constant(b, loc, b.getI32Type(), index));
}

template <typename Op, typename LLVMOp> struct Packed : ConvertOpToLLVMPattern<Op> {
  Packed(const LLVMTypeConverter &converter, StringRef name)
      : ConvertOpToLLVMPattern<Op>(converter), name(name) {}
  LogicalResult matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                                ConversionPatternRewriter &b) const override {
    Type type = op.getType();
    if (op.getRounding() == Rounding::rn && !op.getFtz()) {
      b.replaceOpWithNewOp<LLVMOp>(op, type, adaptor.getOperands());
      return success();
    }
    Location loc = op.getLoc();
    std::string intrinsic = ("llvm.nvvm." + name + "." + stringifyRounding(op.getRounding()) +
                             (op.getFtz() ? ".ftz.f" : ".f"))
                                .str();
    Value result = LLVM::PoisonOp::create(b, loc, type);
    for (int64_t i = 0; i < 2; ++i) {
      SmallVector<Value> operands;
      for (Value operand : adaptor.getOperands())
        operands.push_back(lane(b, loc, operand, i));
      result =
          withLane(b, loc, result, callIntrinsic(b, loc, b.getF32Type(), intrinsic, operands), i);
    }
    b.replaceOp(op, result);
    return success();
  }
  std::string name;
};

/// Bits of a pair of narrow floats as the vector of integers that stands for them.
Value asIntegers(OpBuilder &b, Location loc, Value bits, VectorType type) {
  unsigned width = type.getElementTypeBitWidth();
  if (width == 6) // a byte each
    return LLVM::TruncOp::create(b, loc, type, bits);
  return bits.getType() == type ? bits : LLVM::BitcastOp::create(b, loc, type, bits);
}

struct Truncate : ConvertOpToLLVMPattern<CvtFPTruncOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  /// Lanes `low` and `high` in the narrow type, as a vector of two.
  static Value convert(OpBuilder &b, Location loc, CvtFPTruncOp op, Value low, Value high,
                       VectorType pair) {
    Type element = cast<VectorType>(op.getResult().getType()).getElementType();
    auto bytes = VectorType::get(2, b.getI8Type());
    auto mode = op.getRounding() == Rounding::rn   ? NVVM::FPRoundingMode::RN
                : op.getRounding() == Rounding::rz ? NVVM::FPRoundingMode::RZ
                                                   : NVVM::FPRoundingMode::RP;
    bool relu = op.getRelu();
    if (element.isF16())
      return NVVM::ConvertF32x2ToF16x2Op::create(b, loc, pair, high, low, Value(), mode,
                                                 NVVM::SaturationMode::NONE, relu);
    if (element.isBF16())
      return NVVM::ConvertF32x2ToBF16x2Op::create(b, loc, pair, high, low, Value(), mode,
                                                  NVVM::SaturationMode::NONE, relu);
    if (isa<Float4E2M1FNType>(element)) {
      Value bits =
          NVVM::ConvertF32x2ToF4x2Op::create(b, loc, b.getI8Type(), high, low, relu, element);
      return asIntegers(b, loc, bits, pair);
    }
    if (isa<Float6E2M3FNType, Float6E3M2FNType>(element)) {
      Value bits = NVVM::ConvertF32x2ToF6x2Op::create(b, loc, bytes, high, low, relu, element);
      return asIntegers(b, loc, bits, pair);
    }
    return NVVM::ConvertF32x2ToF8x2Op::create(b, loc, bytes, high, low, mode,
                                              NVVM::SaturationMode::SATFINITE, relu, element);
  }

  LogicalResult matchAndRewrite(CvtFPTruncOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &b) const override {
    Location loc = op.getLoc();
    auto type =
        dyn_cast_if_present<VectorType>(getTypeConverter()->convertType(op.getResult().getType()));
    if (!type)
      return b.notifyMatchFailure(op, "the result is no vector in LLVM");
    auto pair = VectorType::get(2, type.getElementType());
    Value result = LLVM::PoisonOp::create(b, loc, type);
    for (int64_t i = 0; i < type.getNumElements(); i += 2) {
      Value two = convert(b, loc, op, lane(b, loc, adaptor.getSource(), i),
                          lane(b, loc, adaptor.getSource(), i + 1), pair);
      for (int64_t j = 0; j < 2; ++j)
        result = withLane(b, loc, result, lane(b, loc, two, j), i + j);
    }
    b.replaceOp(op, result);
    return success();
  }
};

struct Extend : ConvertOpToLLVMPattern<CvtFPExtOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  /// A pair of narrow floats as f16 or bf16, whichever holds all of its values.
  static Value widen(OpBuilder &b, Location loc, Value pair, Type element) {
    auto f16x2 = VectorType::get(2, b.getF16Type());
    auto bytes = VectorType::get(2, b.getI8Type());
    if (isa<Float4E2M1FNType>(element))
      return NVVM::ConvertF4x2ToF16x2Op::create(
          b, loc, f16x2, LLVM::BitcastOp::create(b, loc, b.getI8Type(), pair), false, element);
    if (isa<Float6E2M3FNType, Float6E3M2FNType>(element))
      return NVVM::ConvertF6x2ToF16x2Op::create(
          b, loc, f16x2, LLVM::ZExtOp::create(b, loc, bytes, pair), false, element);
    if (isa<Float8E8M0FNUType>(element))
      return NVVM::ConvertF8x2ToBF16x2Op::create(b, loc, VectorType::get(2, b.getBF16Type()), pair,
                                                 element);
    return NVVM::ConvertF8x2ToF16x2Op::create(b, loc, f16x2, pair, false, element);
  }

  LogicalResult matchAndRewrite(CvtFPExtOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &b) const override {
    Location loc = op.getLoc();
    Type element = cast<VectorType>(op.getSource().getType()).getElementType();
    auto type = cast<VectorType>(op.getResult().getType());
    if (element.isF16() || element.isBF16()) {
      b.replaceOpWithNewOp<LLVM::FPExtOp>(op, type, adaptor.getSource());
      return success();
    }
    auto source = dyn_cast<VectorType>(adaptor.getSource().getType());
    if (!source)
      return b.notifyMatchFailure(op, "the source is no vector in LLVM");
    Value result = LLVM::PoisonOp::create(b, loc, type);
    for (int64_t i = 0; i < type.getNumElements(); i += 2) {
      Value pair = LLVM::PoisonOp::create(b, loc, VectorType::get(2, source.getElementType()));
      for (int64_t j = 0; j < 2; ++j)
        pair = withLane(b, loc, pair, lane(b, loc, adaptor.getSource(), i + j), j);
      Value wide = LLVM::FPExtOp::create(b, loc, VectorType::get(2, b.getF32Type()),
                                         widen(b, loc, pair, element));
      for (int64_t j = 0; j < 2; ++j)
        result = withLane(b, loc, result, lane(b, loc, wide, j), i + j);
    }
    b.replaceOp(op, result);
    return success();
  }
};

struct WarpgroupDescriptor : ConvertOpToLLVMPattern<WarpgroupDescriptorOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(WarpgroupDescriptorOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &b) const override {
    Location loc = op.getLoc();
    const int64_t mode = op.getSwizzle() == 128  ? 1
                         : op.getSwizzle() == 64 ? 2
                         : op.getSwizzle() == 32 ? 3
                                                 : 0;
    const int64_t fixed = int64_t(uint64_t(mode) << 62 | uint64_t(op.getStride() >> 4) << 32 |
                                  uint64_t(op.getLeading() >> 4) << 16);
    Type i64 = b.getI64Type();
    auto type = cast<MemRefType>(op.getMatrix().getType());
    SmallVector<Value> origin(type.getRank(), constant(b, loc, i64, 0));
    Value pointer = getStridedElementPtr(b, loc, type, adaptor.getMatrix(), origin);
    Value address = LLVM::PtrToIntOp::create(b, loc, i64, pointer);
    address = LLVM::AndOp::create(b, loc, address, constant(b, loc, i64, 0x3ffff));
    address = LLVM::LShrOp::create(b, loc, address, constant(b, loc, i64, 4));
    b.replaceOpWithNewOp<LLVM::OrOp>(op, address, constant(b, loc, i64, fixed));
    return success();
  }
};

struct WarpgroupProduct : ConvertOpToLLVMPattern<WarpgroupMmaAsyncOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  static Value ofFragments(OpBuilder &b, WarpgroupMmaAsyncOp op, OpAdaptor adaptor) {
    Location loc = op.getLoc();
    auto type = cast<LLVM::LLVMStructType>(adaptor.getSum().getType());
    size_t count = type.getBody().size();
    std::string outputs, ties, list, text;
    SmallVector<Value> values;
    for (auto [index, element] : llvm::enumerate(type.getBody())) {
      outputs += element.isF32() ? "=f," : "=r,";
      ties += std::to_string(index) + ",";
      list += (index ? ", $" : "$") + std::to_string(index);
      values.push_back(LLVM::ExtractValueOp::create(b, loc, adaptor.getSum(), index));
    }
    values.append(adaptor.getLhs().begin(), adaptor.getLhs().end());
    values.push_back(adaptor.getRhs());
    llvm::raw_string_ostream out(text);
    out << "{\n.reg .pred p;\nsetp.ne.b32 p, " << (op.getOverwrites() ? 0 : 1)
        << ", 0;\nwgmma.mma_async.sync.aligned.m64n" << op.getN() << 'k' << op.getK() << '.'
        << op.getSumType() << '.' << op.getLhsType() << '.' << op.getRhsType() << " {" << list
        << "}, {";
    for (size_t i = 0; i < 4; ++i)
      out << (i ? ", $" : "$") << 2 * count + i;
    out << "}, $" << 2 * count + 4 << ", p";
    if (op.getSumType() != "s32")
      out << ", 1, 1";
    if (op.getLhsType() == "f16" || op.getLhsType() == "bf16")
      out << (op.getRhsTransposed() && !TILESMITH_PLANT("wgmma-fragments-right-straight") ? ", 1"
                                                                                          : ", 0");
    out << ";\n}\n";
    return LLVM::InlineAsmOp::create(b, loc, type, values, text, outputs + ties + "r,r,r,r,l",
                                     /*has_side_effects=*/true, /*is_align_stack=*/false,
                                     LLVM::tailcallkind::TailCallKind::None, /*asm_dialect=*/{},
                                     /*operand_attrs=*/{})
        .getRes();
  }

  LogicalResult matchAndRewrite(WarpgroupMmaAsyncOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &b) const override {
    if (op.getLhs().size() == 4) {
      b.replaceOp(op, ofFragments(b, op, adaptor));
      return success();
    }
    MLIRContext *context = b.getContext();
    auto typeOf = [&](StringRef name) {
      return NVVM::WGMMATypesAttr::get(context, *NVVM::symbolizeWGMMATypes(name));
    };
    auto layoutOf = [&](bool isRow) {
      return NVVM::MMALayoutAttr::get(context, isRow ? NVVM::MMALayout::row : NVVM::MMALayout::col);
    };
    auto one = NVVM::WGMMAScaleInAttr::get(context, NVVM::WGMMAScaleIn::one);
    b.replaceOpWithNewOp<NVVM::WgmmaMmaAsyncOp>(
        op, adaptor.getSum().getType(), adaptor.getSum(), adaptor.getLhs()[0], adaptor.getRhs(),
        NVVM::MMAShapeAttr::get(context, 64, op.getN(), op.getK()), typeOf(op.getLhsType()),
        typeOf(op.getRhsType()), typeOf(op.getSumType()),
        NVVM::WGMMAScaleOutAttr::get(context, op.getOverwrites() ? NVVM::WGMMAScaleOut::zero
                                                                 : NVVM::WGMMAScaleOut::one),
        one, one, layoutOf(!op.getLhsTransposed()), layoutOf(op.getRhsTransposed()),
        NVVM::MMAIntOverflowAttr());
    return success();
  }
};

} // namespace

void populateDeviceExtToNVVMPatterns(const LLVMTypeConverter &converter,
                                     RewritePatternSet &patterns) {
  patterns.add<TryWait, Load, Store, CreateMap, PublishMap, ReplaceMap, Truncate, Extend,
               WarpgroupDescriptor, WarpgroupProduct>(converter);
  patterns.add<Packed<AddPackedOp, LLVM::FAddOp>>(converter, "add");
  patterns.add<Packed<MulPackedOp, LLVM::FMulOp>>(converter, "mul");
  patterns.add<Packed<FmaPackedOp, LLVM::FMAOp>>(converter, "fma");
}

} // namespace tilesmith
