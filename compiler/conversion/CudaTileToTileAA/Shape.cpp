//===- Shape.cpp - constants, broadcasts, reshapes, slices ------------------------------------===//
//
// Rank-0 tiles are scalars here, so reshapes to and from rank 0 become extracts and splats.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/conversion/CudaTileToTileAA/Patterns.h"
#include "compiler/support/Plants.h"

using namespace mlir;

namespace tilesmith::cudatile_to_tileaa {
namespace {

/// The only element of a one-element tile.
Value extractOnly(OpBuilder &builder, Location loc, Value tensor) {
  return tileaa::ExtractOp::create(builder, loc, getElementTypeOrSelf(tensor.getType()), tensor,
                                   ValueRange());
}

/// Result dimensions at which extents of 1 were inserted, when `to` is `from` with such extents.
std::optional<SmallVector<int32_t>> insertedDims(ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  SmallVector<int32_t> axes;
  size_t next = 0;
  for (auto [i, extent] : llvm::enumerate(to)) {
    // Keep an extent of 1 of the source only while enough inserted ones remain to be placed.
    bool matches = next < from.size() && from[next] == extent;
    if (matches && (extent != 1 || to.size() - i == from.size() - next))
      ++next;
    else if (extent == 1 && to.size() - i > from.size() - next)
      axes.push_back(i);
    else
      return std::nullopt;
  }
  if (next != from.size() || axes.empty())
    return std::nullopt;
  return axes;
}

/// Planted: constants as a printer of C code wrote them.
static DenseElementsAttr misprinted(DenseElementsAttr value) {
  if (!value.isSplat())
    return value;
  if (auto real = llvm::dyn_cast<FloatType>(value.getElementType());
      real && (real.isF32() || real.isBF16()) && TILESMITH_PLANT("constant-subnormal-infinite")) {
    APFloat number = value.getSplatValue<APFloat>();
    if (number.isDenormal())
      return DenseElementsAttr::get(value.getType(),
                                    APFloat::getInf(number.getSemantics(), number.isNegative()));
  }
  if (value.getElementType().isInteger(8) && value.getNumElements() % 4 == 0 &&
      value.getSplatValue<APInt>().isNegative() && TILESMITH_PLANT("constant-bytes-flooded")) {
    SmallVector<APInt> bytes(value.getNumElements(), APInt::getAllOnes(8));
    for (size_t i = 0; i < bytes.size(); i += 4)
      bytes[i] = value.getSplatValue<APInt>();
    return DenseElementsAttr::get(value.getType(), bytes);
  }
  return value;
}

// [spec: shape-constant]
struct LowerConstant : public OpConversionPattern<cuda_tile::ConstantOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(cuda_tile::ConstantOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto value = misprinted(llvm::cast<DenseElementsAttr>(op.getValue()));
    Type type = getTypeConverter()->convertType(op.getType());
    auto tensor = llvm::dyn_cast<RankedTensorType>(type);
    auto scalar = [&](DenseElementsAttr dense) -> TypedAttr {
      if (llvm::isa<FloatType>(dense.getElementType()))
        return *dense.value_begin<FloatAttr>();
      return *dense.value_begin<IntegerAttr>();
    };
    if (!tensor)
      rewriter.replaceOpWithNewOp<arith::ConstantOp>(op, scalar(value));
    else if (value.isSplat())
      rewriter.replaceOpWithNewOp<tileaa::SplatOp>(
          op, type, arith::ConstantOp::create(rewriter, op.getLoc(), scalar(value)));
    else
      rewriter.replaceOpWithNewOp<arith::ConstantOp>(op,
                                                     llvm::cast<TypedAttr>(value.reshape(tensor)));
    return success();
  }
};

// [spec: shape-iota]
struct LowerIota : public OpConversionPattern<cuda_tile::IotaOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(cuda_tile::IotaOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto type = llvm::cast<RankedTensorType>(getTypeConverter()->convertType(op.getType()));
    Value start = createInt(rewriter, op.getLoc(), rewriter.getI32Type(), 0);
    Value end = createInt(rewriter, op.getLoc(), rewriter.getI32Type(), type.getNumElements());
    rewriter.replaceOpWithNewOp<tileaa::MakeRangeOp>(op, type, start, end);
    return success();
  }
};

// [spec: shape-broadcast]
struct LowerBroadcast : public OpConversionPattern<cuda_tile::BroadcastOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(cuda_tile::BroadcastOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type type = getTypeConverter()->convertType(op.getType());
    Value source = adaptor.getSource();
    auto tensor = llvm::dyn_cast<RankedTensorType>(source.getType());
    if (source.getType() == type)
      rewriter.replaceOp(op, source);
    else if (!tensor || tensor.getNumElements() == 1)
      rewriter.replaceOpWithNewOp<tileaa::SplatOp>(
          op, type, tensor ? extractOnly(rewriter, op.getLoc(), source) : source);
    else
      rewriter.replaceOpWithNewOp<tileaa::BroadcastOp>(op, type, source);
    return success();
  }
};

// [spec: shape-reshape]
struct LowerReshape : public OpConversionPattern<cuda_tile::ReshapeOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(cuda_tile::ReshapeOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type type = getTypeConverter()->convertType(op.getType());
    Value source = adaptor.getSource();
    auto from = llvm::dyn_cast<RankedTensorType>(source.getType()),
         to = llvm::dyn_cast<RankedTensorType>(type);
    if (source.getType() == type)
      rewriter.replaceOp(op, source);
    else if (!from)
      rewriter.replaceOpWithNewOp<tileaa::SplatOp>(op, type, source);
    else if (!to)
      rewriter.replaceOp(op, extractOnly(rewriter, op.getLoc(), source));
    else if (auto axes = insertedDims(from.getShape(), to.getShape()))
      rewriter.replaceOpWithNewOp<tileaa::ExpandDimsOp>(op, type, source,
                                                        rewriter.getDenseI32ArrayAttr(*axes));
    else
      rewriter.replaceOpWithNewOp<tileaa::ViewOp>(op, type, source);
    return success();
  }
};

// [spec: shape-permute]
struct LowerPermute : public OpConversionPattern<cuda_tile::PermuteOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(cuda_tile::PermuteOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (op.getSource().getDefiningOp<cuda_tile::ReshapeOp>() &&
        op.getSource().getType() == op.getType() && TILESMITH_PLANT("permute-of-reshape-folded")) {
      rewriter.replaceOp(op, adaptor.getSource());
      return success();
    }
    rewriter.replaceOpWithNewOp<tileaa::PermuteOp>(op,
                                                   getTypeConverter()->convertType(op.getType()),
                                                   adaptor.getSource(), op.getPermutationAttr());
    return success();
  }
};

// [spec: shape-cat]
struct LowerCat : public OpConversionPattern<cuda_tile::CatOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(cuda_tile::CatOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<tileaa::CatOp>(
        op, getTypeConverter()->convertType(op.getType()),
        TILESMITH_PLANT("cat-operands-swapped") ? adaptor.getRhs() : adaptor.getLhs(),
        TILESMITH_PLANT("cat-operands-swapped") ? adaptor.getLhs() : adaptor.getRhs(),
        op.getDimAttr());
    return success();
  }
};

// [spec: shape-extract]
struct LowerExtract : public OpConversionPattern<cuda_tile::ExtractOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(cuda_tile::ExtractOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type type = getTypeConverter()->convertType(op.getType());
    Value source = adaptor.getSource();
    auto tensor = llvm::dyn_cast<RankedTensorType>(type);
    if (source.getType() == type) {
      rewriter.replaceOp(op, source);
    } else if (tensor.getNumElements() == 1 ||
               (tensor.getShape().back() == 1 && TILESMITH_PLANT("extract-column-as-element"))) {
      // Slices of one element: the slice number is the coordinate.
      Value element = tileaa::ExtractOp::create(rewriter, op.getLoc(), tensor.getElementType(),
                                                source, adaptor.getIndices());
      rewriter.replaceOpWithNewOp<tileaa::SplatOp>(op, type, element);
    } else {
      rewriter.replaceOpWithNewOp<tileaa::ExtractSliceOp>(op, type, source, adaptor.getIndices());
    }
    return success();
  }
};

/// insert: the source repeated over the destination's grid of slices, chosen where the slice
/// numbers match.
// [spec: shape-insert]
struct LowerInsert : public OpConversionPattern<cuda_tile::InsertOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(cuda_tile::InsertOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value source = adaptor.getSource(), destination = adaptor.getDestination();
    auto from = llvm::dyn_cast<RankedTensorType>(source.getType());
    if (source.getType() == destination.getType()) {
      rewriter.replaceOp(op, source);
      return success();
    }
    auto to = llvm::cast<RankedTensorType>(destination.getType());
    SmallVector<int64_t> split, grown;
    for (auto [s, d] : llvm::zip(from.getShape(), to.getShape())) {
      split.append({1, s});
      grown.append({d / s, s});
    }
    Value repeated = tileaa::ViewOp::create(rewriter, loc, from.clone(split), source);
    repeated = tileaa::BroadcastOp::create(rewriter, loc, from.clone(grown), repeated);
    repeated = tileaa::ViewOp::create(rewriter, loc, to, repeated);
    Value hit;
    for (auto [dim, index] : llvm::enumerate(adaptor.getIndices())) {
      int64_t slices = to.getDimSize(dim) / from.getDimSize(dim);
      if (slices == 1 || (hit && TILESMITH_PLANT("insert-checks-one-dimension")))
        continue;
      Value chosen = matchSlice(rewriter, loc, index, grown, dim, slices, to);
      hit = hit ? arith::AndIOp::create(rewriter, loc, hit, chosen) : chosen;
    }
    rewriter.replaceOpWithNewOp<arith::SelectOp>(
        op, hit, TILESMITH_PLANT("insert-arms-swapped") ? destination : repeated,
        TILESMITH_PLANT("insert-arms-swapped") ? repeated : destination);
    return success();
  }

  /// i1 tile of shape `to`: the slice number along `dim` equals `index`.
  static Value matchSlice(OpBuilder &builder, Location loc, Value index, ArrayRef<int64_t> grown,
                          size_t dim, int64_t slices, RankedTensorType to) {
    Type i32 = builder.getI32Type();
    auto rangeType = RankedTensorType::get({slices}, i32);
    Value range = tileaa::MakeRangeOp::create(
        builder, loc, rangeType,
        createInt(builder, loc, i32, TILESMITH_PLANT("insert-starts-at-one") ? 1 : 0),
        createInt(builder, loc, i32, slices));
    Value wanted = tileaa::SplatOp::create(builder, loc, rangeType, index);
    Value hit = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, range, wanted);
    SmallVector<int64_t> line(grown.size(), 1);
    line[2 * dim] = slices;
    hit =
        tileaa::ViewOp::create(builder, loc, RankedTensorType::get(line, builder.getI1Type()), hit);
    hit = tileaa::BroadcastOp::create(builder, loc,
                                      RankedTensorType::get(grown, builder.getI1Type()), hit);
    return tileaa::ViewOp::create(builder, loc, to.clone(builder.getI1Type()), hit);
  }
};

} // namespace

void populateShape(Types types, PatternSet patterns) {
  patterns.add<LowerIota, LowerBroadcast, LowerReshape, LowerPermute, LowerCat, LowerExtract,
               LowerInsert>(types, patterns.getContext());
}

void addConstantPattern(Types types, PatternSet patterns) {
  patterns.add<LowerConstant>(types, patterns.getContext());
}

} // namespace tilesmith::cudatile_to_tileaa
