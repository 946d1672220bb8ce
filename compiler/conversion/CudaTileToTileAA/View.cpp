//===- View.cpp - tensor views, tile views and their accesses ---------------------------------===//
//
// Extents, strides and indices of cuda_tile are unsigned integers of any width. Extents and strides
// become i64 here, tile indices at least i32, so later stages may sign-extend.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/conversion/CudaTileToTileAA/Memory.h"
#include "compiler/support/Plants.h"

using namespace mlir;

namespace tilesmith::cudatile_to_tileaa {
namespace {

SmallVector<Value> extendAll(OpBuilder &builder, Location loc, ValueRange values, unsigned width) {
  SmallVector<Value> result;
  for (Value value : values)
    result.push_back(
        value.getType().isInteger() && value.getType().getIntOrFloatBitWidth() < width &&
                TILESMITH_PLANT("view-operands-sign-extended")
            ? arith::ExtSIOp::create(builder, loc, builder.getIntegerType(width), value)
            : extendUnsigned(builder, loc, value, width));
  return result;
}

// [spec: view-tensor]
struct LowerMakeTensorView : public OpConversionPattern<cuda_tile::MakeTensorViewOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(cuda_tile::MakeTensorViewOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto type = llvm::cast<tileaa::MemRefType>(getTypeConverter()->convertType(op.getType()));
    rewriter.replaceOpWithNewOp<tileaa::MakeMemRefOp>(
        op, type, adaptor.getBase(), /*offset=*/Value(),
        extendAll(rewriter, op.getLoc(), adaptor.getDynamicShape(), 64),
        extendAll(rewriter, op.getLoc(), adaptor.getDynamicStrides(), 64), type.getAliasScope());
    return success();
  }
};

/// make_partition_view, make_strided_view, make_gather_scatter_view: the type says it all.
// [spec: view-partition, view-strided, view-gather, view-dim-map, view-padding]
template <typename From> struct LowerMakeView : public OpConversionPattern<From> {
  using OpConversionPattern<From>::OpConversionPattern;
  LogicalResult matchAndRewrite(From op, typename From::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto type =
        llvm::cast<tileaa::TiledViewType>(this->getTypeConverter()->convertType(op.getType()));
    SmallVector<Attribute> groups;
    for (int64_t dim : type.getDimMap())
      groups.push_back(rewriter.getDenseI64ArrayAttr({dim}));
    rewriter.replaceOpWithNewOp<tileaa::BlockTileOp>(
        op, type, adaptor.getTensorView(), rewriter.getDenseI64ArrayAttr(type.getTileShape()),
        rewriter.getArrayAttr(groups), type.getPadding());
    return success();
  }
};

//===------------------------------------------------------------------------------------------===//
// Shape queries
//===------------------------------------------------------------------------------------------===//

/// Extent of a memref dimension in i64.
Value getExtent(OpBuilder &builder, Location loc, Value source, int64_t dim) {
  return tileaa::GetDimSizeOp::create(builder, loc, builder.getI64Type(), source,
                                      builder.getI32IntegerAttr(dim));
}

Value truncateTo(OpBuilder &builder, Location loc, Value value, Type type) {
  return value.getType() == type ? value
                                 : Value(arith::TruncIOp::create(builder, loc, type, value));
}

// [spec: view-tensor-shape]
struct LowerGetTensorShape : public OpConversionPattern<cuda_tile::GetTensorShapeOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(cuda_tile::GetTensorShapeOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> results;
    for (auto [dim, type] : llvm::enumerate(op->getResultTypes()))
      results.push_back(truncateTo(rewriter, op.getLoc(),
                                   getExtent(rewriter, op.getLoc(), adaptor.getSrc(), dim),
                                   getTypeConverter()->convertType(type)));
    rewriter.replaceOp(op, results);
    return success();
  }
};

// [spec: view-index-space]
struct LowerGetIndexSpaceShape : public OpConversionPattern<cuda_tile::GetIndexSpaceShapeOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(cuda_tile::GetIndexSpaceShapeOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto view = llvm::cast<tileaa::TiledViewType>(adaptor.getSrc().getType());
    SmallVector<Value> results;
    for (auto [i, type] : llvm::enumerate(op->getResultTypes())) {
      int64_t dim = TILESMITH_PLANT("index-space-of-other-dimension") ? i : view.getDimMap()[i];
      Value extent = getExtent(rewriter, loc, adaptor.getSrc(), dim);
      // The dense indices of a gather view are coordinates, so its index space is the tensor.
      int64_t step = view.getStep(i);
      if (!view.isGather() && TILESMITH_PLANT("index-space-counts-tiles"))
        step = view.getTileShape()[i];
      if (view.isGather() && TILESMITH_PLANT("index-space-of-gather-in-tiles"))
        step = view.getTileShape()[i];
      if (step != 1 && TILESMITH_PLANT("index-space-rounds-down"))
        extent = arith::DivSIOp::create(rewriter, loc, extent,
                                        createInt(rewriter, loc, rewriter.getI64Type(), step));
      else if (step != 1)
        extent = arith::CeilDivSIOp::create(rewriter, loc, extent,
                                            createInt(rewriter, loc, rewriter.getI64Type(), step));
      results.push_back(truncateTo(rewriter, loc, extent, getTypeConverter()->convertType(type)));
    }
    rewriter.replaceOp(op, results);
    return success();
  }
};

//===------------------------------------------------------------------------------------------===//
// Accesses
//===------------------------------------------------------------------------------------------===//

// [spec: view-load, view-inbounds]
struct LowerLoadView : public SettingsPattern<cuda_tile::LoadViewTkoOp> {
  using SettingsPattern::SettingsPattern;
  LogicalResult matchAndRewrite(cuda_tile::LoadViewTkoOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    MLIRContext *context = getContext();
    Location loc = op.getLoc();
    Type tile = getTypeConverter()->convertType(op.getTile().getType());
    Type token = tileaa::MemTokenType::get(context);
    auto view = llvm::cast<tileaa::TiledViewType>(adaptor.getView().getType());
    SmallVector<Value> indices = extendAll(rewriter, loc, adaptor.getIndex(), 32);
    auto semantic = convertSemantic(context, op.getMemoryOrderingSemantics());
    auto scope = convertScope(context, op.getMemoryScope());
    if (view.isGather())
      rewriter.replaceOpWithNewOp<tileaa::GatherLoadOp>(
          op, tile, token, adaptor.getView(), indices, Value(), Value(), adaptor.getToken(),
          semantic, scope, view.getPadding(), op.getInboundsAttr(), getAllowTMAHint(op, settings),
          getLatencyHint(op, settings), Attribute());
    else
      rewriter.replaceOpWithNewOp<tileaa::TiledLoadOp>(
          op, tile, token, adaptor.getView(), indices,
          TILESMITH_PLANT("view-load-token-dropped") ? Value() : adaptor.getToken(), semantic,
          scope, op.getInboundsAttr(), getAllowTMAHint(op, settings), getLatencyHint(op, settings),
          Attribute(), Attribute());
    return success();
  }
};

// [spec: view-store, view-inbounds]
struct LowerStoreView : public SettingsPattern<cuda_tile::StoreViewTkoOp> {
  using SettingsPattern::SettingsPattern;
  LogicalResult matchAndRewrite(cuda_tile::StoreViewTkoOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    MLIRContext *context = getContext();
    Type token = tileaa::MemTokenType::get(context);
    auto view = llvm::cast<tileaa::TiledViewType>(adaptor.getView().getType());
    SmallVector<Value> indices = extendAll(rewriter, op.getLoc(), adaptor.getIndex(), 32);
    auto semantic = convertSemantic(context, op.getMemoryOrderingSemantics());
    auto scope = convertScope(context, op.getMemoryScope());
    if (view.isGather())
      rewriter.replaceOpWithNewOp<tileaa::ScatterStoreOp>(
          op, token, adaptor.getView(), adaptor.getTile(), indices, Value(),
          TILESMITH_PLANT("scatter-token-dropped") ? Value() : adaptor.getToken(), semantic, scope,
          op.getInboundsAttr(), getAllowTMAHint(op, settings), getLatencyHint(op, settings),
          Attribute());
    else
      rewriter.replaceOpWithNewOp<tileaa::TiledStoreOp>(
          op, token, adaptor.getView(), adaptor.getTile(), indices,
          TILESMITH_PLANT("view-store-token-dropped") ? Value() : adaptor.getToken(), semantic,
          scope, op.getInboundsAttr(), getAllowTMAHint(op, settings), getLatencyHint(op, settings),
          Attribute(), Attribute());
    return success();
  }
};

// [spec: atomic-red-view]
struct LowerAtomicRedView : public OpConversionPattern<cuda_tile::AtomicRedViewTkoOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(cuda_tile::AtomicRedViewTkoOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    MLIRContext *context = getContext();
    auto result = tileaa::TiledAtomicRMWOp::create(
        rewriter, op.getLoc(), adaptor.getValue().getType(), tileaa::MemTokenType::get(context),
        adaptor.getView(), adaptor.getValue(),
        extendAll(rewriter, op.getLoc(), adaptor.getIndex(), 32), adaptor.getToken(),
        convertMode(context, op.getMode()),
        convertSemantic(context, op.getMemoryOrderingSemantics()),
        convertScope(context, op.getMemoryScope()), op.getInboundsAttr(), Attribute());
    rewriter.replaceOp(op, result.getResultToken());
    return success();
  }
};

} // namespace

void populateView(Types types, PatternSet patterns, const Settings &settings) {
  MLIRContext *context = patterns.getContext();
  patterns.add<LowerMakeTensorView, LowerMakeView<cuda_tile::MakePartitionViewOp>,
               LowerMakeView<cuda_tile::MakeStridedViewOp>,
               LowerMakeView<cuda_tile::MakeGatherScatterViewOp>, LowerGetTensorShape,
               LowerGetIndexSpaceShape, LowerAtomicRedView>(types, context);
  patterns.add<LowerLoadView, LowerStoreView>(types, context, settings);
}

} // namespace tilesmith::cudatile_to_tileaa
