//===- View.cpp - views of tensors and accesses through them ----------------------------------===//
//
// Indices, sizes and strides are unsigned. For an access every tile dimension is resolved to a list
// of (distance in elements, inside the tensor) before the loop over elements. The coordinate is
//   * partition: index * tile extent + position;
//   * strided: index * traversal stride + position;
//   * gather: index tile[position] in the sparse dimension, index + position in the others.
// An index outside the index space is undefined. Elements outside the tensor take the padding value
// or are unspecified, and are not written.
//
//===------------------------------------------------------------------------------------------===//
#include "reference/interp/Access.h"
#include "reference/interp/Registry.h"
#include "reference/value/Float.h"

#include "llvm/Support/FormatVariadic.h"

using namespace tilesmith;
using namespace tilesmith::reference;
using namespace tilesmith::cuda_tile;

namespace {

using Wide = unsigned __int128;

/// [spec: view-tensor, view-base-known]
Status evalMakeTensorView(BlockContext &context, MakeTensorViewOp op) {
  auto type = mlir::cast<TensorViewType>(op.getResult().getType());
  auto view = std::make_shared<TensorView>();
  TILESMITH_TRY(context.scalar(op.getBase(), "address", view->base));
  view->element = *elementTypeOf(type.getElementType());
  auto resolve = [&](llvm::ArrayRef<int64_t> fixed, mlir::ValueRange dynamic,
                     llvm::SmallVectorImpl<uint64_t> &out) {
    size_t next = 0;
    for (int64_t extent : fixed) {
      if (extent != mlir::ShapedType::kDynamic) {
        out.push_back(extent);
        continue;
      }
      uint64_t bits;
      TILESMITH_TRY(context.scalar(dynamic[next++], "extent", bits));
      out.push_back(bits);
    }
    return Status::success();
  };
  TILESMITH_TRY(resolve(type.getShape(), op.getDynamicShape(), view->sizes));
  TILESMITH_TRY(resolve(type.getStrides(), op.getDynamicStrides(), view->strides));
  context.set(op.getResult(), TensorViewPtr(std::move(view)));
  return Status::success();
}

/// Tile views carry the tensor view only.
template <typename Op> Status evalMakeTileView(BlockContext &context, Op op) {
  context.set(op.getResult(), context.get(op.getTensorView()));
  return Status::success();
}

/// What the type of a tile view says, in one form for all kinds.
struct ViewShape {
  llvm::SmallVector<int64_t, 4> tile, traversal; ///< per tile dimension
  llvm::SmallVector<int32_t, 4> dimMap;
  std::optional<PaddingValue> padding;
  std::optional<unsigned> sparse;
};

std::optional<PaddingValue> paddingOf(PaddingValueAttr attribute) {
  return attribute ? std::optional(attribute.getValue()) : std::nullopt;
}

/// [spec: view-partition, view-strided, view-gather, view-dim-map]
ViewShape shapeOf(mlir::Type type) {
  ViewShape shape;
  auto append = [](auto &to, llvm::ArrayRef<int32_t> from) { to.append(from.begin(), from.end()); };
  if (auto view = mlir::dyn_cast<PartitionViewType>(type)) {
    append(shape.tile, view.getTileShape().asArrayRef());
    shape.traversal = shape.tile;
    append(shape.dimMap, view.getDimMap());
    shape.padding = paddingOf(view.getPaddingValue());
  } else if (auto strided = mlir::dyn_cast<StridedViewType>(type)) {
    append(shape.tile, strided.getTileShape().asArrayRef());
    append(shape.traversal, strided.getTraversalStrides().asArrayRef());
    append(shape.dimMap, strided.getDimMap());
    shape.padding = paddingOf(strided.getPaddingValue());
  } else {
    auto gather = mlir::cast<GatherScatterViewType>(type);
    append(shape.tile, gather.getTileShape().asArrayRef());
    shape.traversal.assign(shape.tile.size(), 1);
    for (unsigned i = 0; i < shape.tile.size(); ++i)
      shape.dimMap.push_back(i);
    shape.padding = paddingOf(gather.getPaddingValue());
    shape.sparse = gather.getSparseDim();
  }
  return shape;
}

/// Tiles (or, for the dense dimensions of a gather view, start positions) along a tile dimension.
/// [spec: choice-index-space-ceil]
uint64_t indexSpace(const ViewShape &shape, const TensorView &view, unsigned dim) {
  uint64_t size = view.sizes[shape.dimMap[dim]], step = shape.traversal[dim];
  return size / step + (size % step != 0);
}

/// [spec: view-extent-fits]
template <typename Op>
Status setExtents(BlockContext &context, Op op, llvm::ArrayRef<uint64_t> extents) {
  for (auto [result, extent] : llvm::zip(op->getResults(), extents)) {
    ElementType type = *elementTypeOf(result.getType());
    if (extent > maskOf(type))
      return undefined("extent-overflow",
                       "extent " + llvm::Twine(extent) + " does not fit " + spelling(type));
    context.set(result, Tile::scalar(type, extent));
  }
  return Status::success();
}

/// [spec: view-tensor-shape]
Status evalTensorShape(BlockContext &context, GetTensorShapeOp op) {
  return setExtents(context, op, context.get(op.getSrc()).view().sizes);
}

/// [spec: view-index-space]
Status evalIndexSpaceShape(BlockContext &context, GetIndexSpaceShapeOp op) {
  ViewShape shape = shapeOf(op.getSrc().getType());
  llvm::SmallVector<uint64_t> extents;
  for (unsigned dim = 0; dim < shape.tile.size(); ++dim)
    extents.push_back(indexSpace(shape, context.get(op.getSrc()).view(), dim));
  return setExtents(context, op, extents);
}

Status offsetOverflow() {
  return undefined("view-offset-overflow", "offset of an element of the view does not fit 63 bits");
}

/// The step of one coordinate.
/// [spec: view-offset-range]
Status makeStep(Wide coordinate, uint64_t size, uint64_t stride, unsigned bytes,
                ViewAccess::Step &step) {
  step.inside = coordinate < size;
  if (!step.inside)
    return Status::success();
  Wide distance = coordinate * stride;
  if (distance * bytes >> 62)
    return offsetOverflow();
  step.elements = static_cast<int64_t>(distance);
  return Status::success();
}

} // namespace

/// A tile outside of the index space lies outside of the tensor as long as its coordinates fit 31
/// bits: copies by tensor maps count so, and so no product of index and step wraps around.
static constexpr uint64_t kFarthestOutside = uint64_t(1) << 31;

/// [spec: view-index-range, choice-index-beyond, view-gather-outside, view-inbounds]
Status tilesmith::reference::resolveView(BlockContext &context, mlir::Value viewValue,
                                         mlir::ValueRange indices,
                                         std::optional<llvm::ArrayRef<bool>> inbounds,
                                         ViewAccess &access) {
  const TensorView &view = context.get(viewValue).view();
  ViewShape shape = shapeOf(viewValue.getType());
  access.type = view.element;
  access.shape = shape.tile;
  access.padding = shape.padding;
  access.base = view.base;
  unsigned bytes = bytesOf(view.element);
  Wide farthest = 0;
  for (unsigned dim = 0; dim < shape.tile.size(); ++dim) {
    uint64_t size = view.sizes[shape.dimMap[dim]], stride = view.strides[shape.dimMap[dim]];
    auto &steps = access.steps.emplace_back(shape.tile[dim]);
    const Tile &index = context.tile(indices[dim]);
    bool promised = inbounds && dim < inbounds->size() && (*inbounds)[dim];
    bool sparse = shape.sparse == dim;
    if (!sparse) {
      uint64_t first;
      TILESMITH_TRY(context.scalar(indices[dim], "index", first));
      uint64_t space = indexSpace(shape, view, dim);
      if (first >= space &&
          Wide(first) * static_cast<uint64_t>(shape.traversal[dim]) + steps.size() >
              kFarthestOutside)
        return undefined("view-index", "index " + llvm::Twine(first) + " in dimension " +
                                           llvm::Twine(dim) + ", expected less than " +
                                           llvm::Twine(space));
      if (first >= space) {
        context.note("an index of a view lies outside of its index space: nothing is accessed");
        if (context.launch.extension.empty())
          context.launch.extension =
              llvm::formatv("index {0} of dimension {1} of a view lies outside of its index space, "
                            "which public text leaves undefined",
                            first, dim);
      }
    }
    int64_t distance = 0;
    for (size_t t = 0; t < steps.size(); ++t) {
      size_t element = sparse ? t : 0;
      if (index.state(element) != State::Known)
        return inconclusive("unspecified-index", "index of a view depends on an unspecified value");
      Wide coordinate =
          sparse ? Wide(index.bits()[element])
                 : Wide(index.bits()[0]) * static_cast<uint64_t>(shape.traversal[dim]) + t;
      TILESMITH_TRY(makeStep(coordinate, size, stride, bytes, steps[t]));
      if (promised && !steps[t].inside)
        return undefined("inbounds", "tile leaves the tensor in dimension " + llvm::Twine(dim) +
                                         ", which is promised to be in bounds");
      distance = std::max(distance, steps[t].elements);
    }
    farthest += distance;
  }
  if (farthest * bytes >> 63)
    return offsetOverflow();
  return Status::success();
}

/// [spec: view-padding]
Element tilesmith::reference::paddingElement(ElementType type, PaddingValue padding) {
  auto known = [](std::optional<uint64_t> bits) {
    return bits ? Element{*bits} : unknownElement();
  };
  if (!isFloat(type))
    return padding == PaddingValue::zero ? Element{0} : unknownElement();
  const FloatFormat &format = formatOf(type);
  switch (padding) {
  case PaddingValue::zero:
    return format.hasZero ? Element{0} : unknownElement();
  case PaddingValue::neg_zero:
    return format.hasZero && format.isSigned ? Element{zeroPattern(type, true)} : unknownElement();
  case PaddingValue::nan: {
    auto bits = nanPattern(type);
    return bits ? Element{*bits, State::NaN} : unknownElement();
  }
  case PaddingValue::pos_inf:
    return known(infinityPattern(type, false));
  case PaddingValue::neg_inf:
    return known(infinityPattern(type, true));
  }
  return unknownElement();
}

namespace {

template <typename Op> std::optional<llvm::ArrayRef<bool>> inboundsOf(Op op) {
  if (auto attribute = op.getInboundsAttr())
    return attribute.asArrayRef();
  return std::nullopt;
}

/// [spec: view-load, view-load-outside]
template <typename Op> Status loadTile(BlockContext &context, Op op) {
  ViewAccess access;
  TILESMITH_TRY(resolveView(context, op.getView(), op.getIndex(), inboundsOf(op), access));
  Tile result(access.type, access.shape);
  OrderedAccess ordered(context, op, op.getMemoryOrderingSemantics(), op.getMemoryScope(),
                        op.getToken());
  context.countElements(result.size());
  Element outside =
      access.padding ? paddingElement(access.type, *access.padding) : unknownElement();
  Status failure;
  forEachIndex(access.shape, [&](size_t i, llvm::ArrayRef<int64_t> index) {
    Place place;
    Element e = outside;
    if (!failure.failed() && access.locate(index, place))
      failure = loadElement(context, ordered, access.type, place, e);
    result.set(i, e);
  });
  if (failure.failed())
    return failure;
  context.set(op->getResult(0), std::move(result)); // its name differs between the loads
  context.set(op.getResultToken(), ordered.token());
  pollPoint(context, op.getMemoryOrderingSemantics());
  return Status::success();
}

/// [spec: view-store, view-store-outside]
template <typename Op> Status storeTile(BlockContext &context, Op op) {
  ViewAccess access;
  TILESMITH_TRY(resolveView(context, op.getView(), op.getIndex(), inboundsOf(op), access));
  const Tile &tile = context.tile(op.getTile());
  bool weak = op.getMemoryOrderingSemantics() == MemoryOrderingSemantics::WEAK;
  uint32_t stamp = weak ? context.launch.memory.newStamp() : 0;
  OrderedAccess ordered(context, op, op.getMemoryOrderingSemantics(), op.getMemoryScope(),
                        op.getToken());
  context.countElements(tile.size());
  Status failure;
  forEachIndex(access.shape, [&](size_t i, llvm::ArrayRef<int64_t> index) {
    Place place;
    if (!failure.failed() && access.locate(index, place))
      failure = storeElement(context, ordered, access.type, place, tile.element(i), stamp);
  });
  if (failure.failed())
    return failure;
  context.set(op.getResultToken(), ordered.token());
  return Status::success();
}

/// Every element inside the tensor is one read-modify-write.
/// [spec: atomic-red-view, atomic-red-outside]
template <typename Op>
Status updateTile(BlockContext &context, Op op, const Tile &value, AtomicRMWMode mode) {
  ViewAccess access;
  TILESMITH_TRY(resolveView(context, op.getView(), op.getIndex(), inboundsOf(op), access));
  OrderedAccess ordered(context, op, op.getMemoryOrderingSemantics(), op.getMemoryScope(),
                        op.getToken());
  context.countElements(value.size());
  Status failure;
  forEachIndex(access.shape, [&](size_t i, llvm::ArrayRef<int64_t> index) {
    Place place;
    if (failure.failed() || !access.locate(index, place))
      return;
    Element old;
    failure = modifyElement(
        context, ordered, access.type, place, old, [&](std::optional<Element> &updated) {
          updated = updateAtomic(context, place, mode, access.type, old, value.element(i));
          return Status::success();
        });
  });
  if (failure.failed())
    return failure;
  context.set(op.getResultToken(), ordered.token());
  return Status::success();
}

Status evalLoad(BlockContext &context, LoadViewTkoOp op) {
  return loadTile(context, op);
}
Status evalStore(BlockContext &context, StoreViewTkoOp op) {
  return storeTile(context, op);
}
Status evalReduce(BlockContext &context, AtomicRedViewTkoOp op) {
  return updateTile(context, op, context.tile(op.getValue()), op.getMode());
}

// On one device a multicast address names one copy: reducing it is loading it.
/// [spec: multimem-load]
Status evalMultimemLoad(BlockContext &context, MultimemLoadReduceViewTkoOp op) {
  return loadTile(context, op);
}
/// [spec: multimem-store]
Status evalMultimemStore(BlockContext &context, MultimemStoreViewTkoOp op) {
  return storeTile(context, op);
}

AtomicRMWMode atomicMode(MultimemReductionKind kind, ElementType type) {
  switch (kind) {
  case MultimemReductionKind::ADD:
    return isFloat(type) ? AtomicRMWMode::ADDF : AtomicRMWMode::ADD;
  case MultimemReductionKind::MIN:
    return AtomicRMWMode::MIN;
  case MultimemReductionKind::MAX:
    return AtomicRMWMode::MAX;
  case MultimemReductionKind::AND:
    return AtomicRMWMode::AND;
  case MultimemReductionKind::OR:
    return AtomicRMWMode::OR;
  case MultimemReductionKind::XOR:
    return AtomicRMWMode::XOR;
  case MultimemReductionKind::UMIN:
    return AtomicRMWMode::UMIN;
  case MultimemReductionKind::UMAX:
    return AtomicRMWMode::UMAX;
  }
  return AtomicRMWMode::ADD;
}

/// [spec: multimem-reduce]
Status evalMultimemReduce(BlockContext &context, MultimemReduceViewTkoOp op) {
  const Tile &value = context.tile(op.getTile());
  return updateTile(context, op, value, atomicMode(op.getReduction(), value.type()));
}

} // namespace

void tilesmith::reference::registerViewEvaluators(Registry &r) {
  r.family("view");
  r.add<MakeTensorViewOp, evalMakeTensorView>();
  r.add<MakePartitionViewOp, evalMakeTileView<MakePartitionViewOp>>();
  r.add<MakeStridedViewOp, evalMakeTileView<MakeStridedViewOp>>();
  r.add<MakeGatherScatterViewOp, evalMakeTileView<MakeGatherScatterViewOp>>();
  r.add<GetTensorShapeOp, evalTensorShape>();
  r.add<GetIndexSpaceShapeOp, evalIndexSpaceShape>();
  r.add<LoadViewTkoOp, evalLoad>();
  r.add<StoreViewTkoOp, evalStore>();
  r.add<AtomicRedViewTkoOp, evalReduce>();
  r.family("multimem");
  r.add<MultimemLoadReduceViewTkoOp, evalMultimemLoad>();
  r.add<MultimemReduceViewTkoOp, evalMultimemReduce>();
  r.add<MultimemStoreViewTkoOp, evalMultimemStore>();
}
