//===- ViewChanges.cpp - views of stored kernels: padding, order, steps, dimensions ------------===//
#include "generators/mutate/ChangeTools.h"

#include "llvm/ADT/STLExtras.h"

using namespace tilesmith;
using namespace tilesmith::generators;
using namespace tilesmith::cuda_tile;

namespace {

/// Another padding of a view, or none.
bool changePadding(ChangedKernel &k) {
  auto op =
      drawOp<MakePartitionViewOp>(k.module, k.stream, [](MakePartitionViewOp) { return true; });
  if (!op)
    return false;
  auto old = llvm::cast<PartitionViewType>(op.getResult().getType());
  PaddingValueAttr padding;
  if (k.stream.chance(85))
    padding = PaddingValueAttr::get(op->getContext(), static_cast<PaddingValue>(k.stream.below(5)));
  if (padding == old.getPaddingValue())
    return false;
  mlir::AttrTypeReplacer replacer;
  replacer.addReplacement([=](PartitionViewType type) -> mlir::Type {
    return type == old
               ? typeOr(type, type.getTileShape(), type.getTensorView(), type.getDimMap(), padding)
               : type;
  });
  replaceTypes(k.module, replacer);
  return op.getResult().getType() != old; // integers have no infinity
}

/// The dimensions of tiles are those of the tensor in another order.
bool changeDimensions(ChangedKernel &k) {
  auto op = drawOp<MakePartitionViewOp>(k.module, k.stream, [](MakePartitionViewOp candidate) {
    return llvm::cast<PartitionViewType>(candidate.getResult().getType()).getDimMap().size() > 1;
  });
  if (!op)
    return false;
  auto old = llvm::cast<PartitionViewType>(op.getResult().getType());
  llvm::SmallVector<int32_t> dims(old.getDimMap());
  const size_t first = k.stream.below(dims.size() - 1);
  std::swap(dims[first], dims[first + 1]);
  mlir::AttrTypeReplacer replacer;
  replacer.addReplacement([=](PartitionViewType type) -> mlir::Type {
    return type == old ? typeOr(type, type.getTileShape(), type.getTensorView(),
                                llvm::ArrayRef<int32_t>(dims), type.getPaddingValue())
                       : type;
  });
  growArrays(k.testCase);
  replaceTypes(k.module, replacer);
  return op.getResult().getType() != old;
}

/// The same tiles as those of a view with steps, or tiles that overlap.
bool stepView(ChangedKernel &k) {
  auto op = drawOp<MakePartitionViewOp>(k.module, k.stream, [](MakePartitionViewOp candidate) {
    return llvm::all_of(candidate->getUsers(), [](mlir::Operation *user) {
      return llvm::isa<LoadViewTkoOp, StoreViewTkoOp, GetIndexSpaceShapeOp>(user);
    });
  });
  if (!op)
    return false;
  auto old = llvm::cast<PartitionViewType>(op.getResult().getType());
  const bool onlyLoads = llvm::none_of(
      op->getUsers(), [](mlir::Operation *user) { return llvm::isa<StoreViewTkoOp>(user); });
  llvm::SmallVector<int32_t> steps(old.getTileShape().asArrayRef());
  for (int32_t &step : steps)
    if (onlyLoads && k.stream.chance(50))
      step = std::max<int32_t>(1, k.stream.chance(50) ? step / 2 : step - 1);
  mlir::MLIRContext *context = op->getContext();
  mlir::Type type = StridedViewType::getChecked(
      [=] { return mlir::emitError(mlir::UnknownLoc::get(context)); }, context, old.getTileShape(),
      mlir::DenseI32ArrayAttr::get(context, steps), old.getTensorView(), old.getDimMap(),
      old.getPaddingValue());
  if (!type)
    return false;
  mlir::OpBuilder b(op);
  mlir::OperationState state(op->getLoc(), MakeStridedViewOp::getOperationName(), op->getOperands(),
                             type);
  op->replaceAllUsesWith(b.create(state));
  op->erase();
  return true;
}

/// The tensor behind a partition with one more dimension of one element, or of few.
mlir::Value widenTensor(mlir::OpBuilder &b, MakeTensorViewOp tensor, size_t place, int64_t extent) {
  const TensorViewType old = tensor.getResult().getType();
  llvm::SmallVector<int64_t> shape(old.getShape()), strides(old.getStrides());
  shape.insert(shape.begin() + static_cast<int64_t>(place), extent);
  // Any will do: nothing but the first element along it is touched.
  strides.insert(strides.begin() + static_cast<int64_t>(place), 16 * extent);
  mlir::MLIRContext *context = b.getContext();
  auto type =
      TensorViewType::getChecked([=] { return mlir::emitError(mlir::UnknownLoc::get(context)); },
                                 context, old.getElementType(), llvm::ArrayRef<int64_t>(shape),
                                 llvm::ArrayRef<int64_t>(strides), old.getPtrAttr());
  if (!type)
    return {};
  return MakeTensorViewOp::create(b, tensor.getLoc(), type, tensor.getBase(),
                                  tensor.getDynamicShape(), tensor.getDynamicStrides());
}

/// An access of a partition has one more dimension, of one element in its tile.
bool widenRank(ChangedKernel &k) {
  mlir::Operation *op = drawAnyOp(k.module, k.stream, [](mlir::Operation *candidate) {
    if (!llvm::isa<LoadViewTkoOp, StoreViewTkoOp>(candidate) || candidate->hasAttr("inbounds"))
      return false;
    mlir::Value view = candidate->getOperand(llvm::isa<StoreViewTkoOp>(candidate) ? 1 : 0);
    auto partition = view.getDefiningOp<MakePartitionViewOp>();
    return partition && partition.getTensorView().getDefiningOp<MakeTensorViewOp>();
  });
  if (!op)
    return false;
  const bool isStore = llvm::isa<StoreViewTkoOp>(op);
  auto partition = op->getOperand(isStore).getDefiningOp<MakePartitionViewOp>();
  auto tensor = partition.getTensorView().getDefiningOp<MakeTensorViewOp>();
  auto old = llvm::cast<PartitionViewType>(partition.getResult().getType());
  const size_t rank = old.getDimMap().size();
  const size_t inTensor = k.stream.below(rank + 1),
               inTile = k.stream.chance(60) ? inTensor : k.stream.below(rank + 1);
  mlir::OpBuilder b(partition);
  mlir::Value wide = widenTensor(b, tensor, inTensor, 1 + static_cast<int64_t>(k.stream.below(3)));
  if (!wide)
    return false;
  llvm::SmallVector<int32_t> tile(old.getTileShape().asArrayRef()), dims(old.getDimMap());
  for (int32_t &dim : dims)
    dim += dim >= static_cast<int32_t>(inTensor);
  tile.insert(tile.begin() + static_cast<int64_t>(inTile), 1);
  dims.insert(dims.begin() + static_cast<int64_t>(inTile), static_cast<int32_t>(inTensor));
  mlir::MLIRContext *context = op->getContext();
  auto type = PartitionViewType::getChecked(
      [=] { return mlir::emitError(mlir::UnknownLoc::get(context)); }, context,
      mlir::DenseI32ArrayAttr::get(context, tile), llvm::cast<TensorViewType>(wide.getType()),
      llvm::ArrayRef<int32_t>(dims), old.getPaddingValue());
  if (!type)
    return false;
  mlir::Value view = MakePartitionViewOp::create(b, op->getLoc(), type, wide);
  b.setInsertionPoint(op);
  llvm::SmallVector<mlir::Value> operands(op->getOperands());
  operands[isStore] = view;
  mlir::Type index = operands[isStore + 1].getType();
  operands.insert(operands.begin() + isStore + 1 + static_cast<int64_t>(inTile),
                  integerConstant(b, op->getLoc(), llvm::cast<TileType>(index), 0));
  mlir::Value held = isStore ? op->getOperand(0) : op->getResult(0);
  auto narrow = llvm::cast<TileType>(held.getType());
  TileType wideTile =
      TileType::get(llvm::SmallVector<int64_t>(tile.begin(), tile.end()), narrow.getElementType());
  if (isStore)
    operands[0] = ReshapeOp::create(b, op->getLoc(), wideTile, held);
  llvm::SmallVector<mlir::Type> results(op->getResultTypes());
  if (!isStore)
    results[0] = wideTile;
  mlir::OperationState state(op->getLoc(), op->getName().getStringRef(), operands, results,
                             op->getAttrs());
  llvm::SmallVector<int32_t> segments(
      op->getAttrOfType<mlir::DenseI32ArrayAttr>("operandSegmentSizes").asArrayRef());
  ++segments[isStore + 1];
  state.attributes.set("operandSegmentSizes", b.getDenseI32ArrayAttr(segments));
  mlir::Operation *access = b.create(state);
  llvm::SmallVector<mlir::Value> values(access->getResults());
  if (!isStore)
    values[0] = ReshapeOp::create(b, op->getLoc(), narrow, values[0]);
  op->replaceAllUsesWith(values);
  op->erase();
  return true;
}

/// What an access says of its indices, where it says something, or one of the indices: it may lie outside then.
bool changeInBounds(ChangedKernel &k) {
  if (testcase::versionLess(k.testCase.launches.front().modules.front().version, "13.4"))
    return false;
  mlir::Operation *op = drawAnyOp(k.module, k.stream, [](mlir::Operation *candidate) {
    return llvm::isa<LoadViewTkoOp, StoreViewTkoOp>(candidate);
  });
  if (!op)
    return false;
  const unsigned first = llvm::isa<StoreViewTkoOp>(op) ? 2 : 1;
  const auto segments =
      op->getAttrOfType<mlir::DenseI32ArrayAttr>("operandSegmentSizes").asArrayRef();
  const auto rank = static_cast<size_t>(segments[first]);
  llvm::SmallVector<bool> flags;
  for (size_t i = 0; i < rank; ++i)
    flags.push_back(k.stream.chance(25));
  auto old = op->getAttrOfType<mlir::DenseBoolArrayAttr>("inbounds");
  const bool differs = old ? old.asArrayRef() != llvm::ArrayRef<bool>(flags)
                           : llvm::is_contained(flags, true); // without, it says nothing of any
  op->setAttr("inbounds", mlir::DenseBoolArrayAttr::get(op->getContext(), flags));
  if (rank == 0 || k.stream.chance(30))
    return differs;
  mlir::OpOperand &index = op->getOpOperand(first + static_cast<unsigned>(k.stream.below(rank)));
  static constexpr int64_t kMore[] = {1, -1, 2, 3, 100};
  mlir::OpBuilder b(op);
  auto type = llvm::cast<TileType>(index.get().getType());
  mlir::Value more =
      integerConstant(b, op->getLoc(), type, kMore[k.stream.below(std::size(kMore))]);
  index.set(AddIOp::create(b, op->getLoc(), type, index.get(), more, IntegerOverflow::NONE));
  return true;
}

constexpr Change kChanges[] = {
    {"dimensions", "a partition of a tensor of rank two or more", changeDimensions},
    {"in-bounds", "an access of a view", changeInBounds},
    {"padding", "a partition of a tensor", changePadding},
    {"view-rank", "an access of a partition of a tensor", widenRank},
    {"view-steps", "a partition of a tensor", stepView},
};

} // namespace

llvm::ArrayRef<Change> tilesmith::generators::viewChanges() {
  return kChanges;
}
