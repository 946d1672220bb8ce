//===- TypeChanges.cpp - element types, extents and sizes throughout a kernel ------------------===//
#include "generators/mutate/ChangeTools.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <set>

using namespace tilesmith;
using namespace tilesmith::generators;
using namespace tilesmith::cuda_tile;
using testcase::DataType;

namespace {

/// Other extents of all tiles, and of tiles of views.
void replaceExtents(ModuleOp module, llvm::function_ref<int64_t(int64_t)> changed) {
  mlir::AttrTypeReplacer replacer;
  replacer.addReplacement([=](TileType type) -> mlir::Type {
    llvm::SmallVector<int64_t> shape(llvm::map_range(type.getShape(), changed));
    return typeOr(type, llvm::ArrayRef<int64_t>(shape), type.getElementType());
  });
  auto tileOf = [=](mlir::DenseI32ArrayAttr old) {
    llvm::SmallVector<int32_t> shape;
    for (int32_t extent : old.asArrayRef())
      shape.push_back(static_cast<int32_t>(changed(extent)));
    return mlir::DenseI32ArrayAttr::get(old.getContext(), shape);
  };
  replacer.addReplacement([=](PartitionViewType type) -> mlir::Type {
    return typeOr(type, tileOf(type.getTileShape()), type.getTensorView(), type.getDimMap(),
                  type.getPaddingValue());
  });
  replacer.addReplacement([=](StridedViewType type) -> mlir::Type {
    return typeOr(type, tileOf(type.getTileShape()), tileOf(type.getTraversalStrides()),
                  type.getTensorView(), type.getDimMap(), type.getPaddingValue());
  });
  replacer.addReplacement([=](GatherScatterViewType type) -> mlir::Type {
    return typeOr(type, tileOf(type.getTileShape()), type.getTensorView(), type.getSparseDim(),
                  type.getPaddingValue());
  });
  replaceTypes(module, replacer);
}

/// Other constants where single numbers are extents, as they may be.
void replaceNumbers(ModuleOp module, llvm::function_ref<int64_t(int64_t)> changed) {
  module->walk([&](ConstantOp op) {
    auto type = llvm::cast<TileType>(op.getResult().getType());
    auto value = llvm::cast<mlir::DenseElementsAttr>(static_cast<mlir::Attribute>(op.getValue()));
    if (!type.getElementType().isInteger(32) || !value.isSplat())
      return;
    const int64_t old = value.getSplatValue<llvm::APInt>().getSExtValue(), other = changed(old);
    if (other != old)
      op.setValueAttr(llvm::cast<mlir::DenseIntOrFPElementsAttr>(static_cast<mlir::Attribute>(
          mlir::DenseElementsAttr::get(type, llvm::APInt(32, static_cast<uint64_t>(other))))));
  });
}

/// Other constant extents of tensors; their strides stay.
void replaceTensors(ModuleOp module, llvm::function_ref<int64_t(int64_t)> changed) {
  mlir::AttrTypeReplacer replacer;
  replacer.addReplacement([=](TensorViewType type) -> mlir::Type {
    llvm::SmallVector<int64_t> shape;
    for (int64_t extent : type.getShape())
      shape.push_back(extent == TensorViewType::kDynamic ? extent : changed(extent));
    return typeOr(type, type.getElementType(), llvm::ArrayRef<int64_t>(shape), type.getStrides(),
                  type.getPtrAttr());
  });
  replaceTypes(module, replacer);
}

/// Twice or half of one extent of all tiles and tiles of views; of constants and tensors, too, or not.
bool changeExtent(ModuleOp module, ChoiceStream &stream) {
  std::set<int64_t> extents;
  module->walk([&](mlir::Operation *op) {
    for (mlir::Type type : op->getResultTypes())
      if (auto tile = llvm::dyn_cast<TileType>(type))
        extents.insert(tile.getShape().begin(), tile.getShape().end());
  });
  extents.erase(1);
  if (extents.empty())
    return false;
  const int64_t old =
      *std::next(extents.begin(), static_cast<int64_t>(stream.below(extents.size())));
  const int64_t other = stream.chance(50) ? 2 * old : old / 2;
  auto changed = [=](int64_t extent) { return extent == old ? other : extent; };
  replaceExtents(module, changed);
  if (stream.chance(50))
    replaceNumbers(module, changed);
  if (stream.chance(50))
    replaceTensors(module, changed);
  return true;
}

/// A half or a quarter of everything that is large.
bool makeSmaller(ChangedKernel &k) {
  const uint64_t by = k.stream.chance(50) ? 2 : 4;
  auto smaller = [=](int64_t extent) {
    return extent >= 32 && extent <= 65536 ? std::max<int64_t>(extent / static_cast<int64_t>(by), 8)
                                           : extent;
  };
  replaceExtents(k.module, smaller);
  replaceNumbers(k.module, smaller);
  replaceTensors(k.module, smaller);
  for (testcase::Launch &launch : k.testCase.launches)
    for (testcase::Parameter &parameter : launch.params)
      if (parameter.kind == testcase::Parameter::Kind::Scalar &&
          !testcase::isFloat(parameter.dtype) && parameter.bits >= 64 && parameter.bits < 65536)
        // What is promised to be a multiple of 16 still is.
        parameter.bits =
            parameter.bits % 16 ? parameter.bits / by : llvm::alignTo(parameter.bits / by, 16);
  return true;
}

/// The numbers of an array, rounded to another type.
void convertBuffer(testcase::Buffer &buffer, DataType type) {
  testcase::Buffer old = buffer;
  buffer.dtype = type;
  buffer.data.assign(buffer.byteSize(), 0);
  for (uint64_t i = 0; i < buffer.elementCount(); ++i)
    testcase::writeElement(
        buffer.data, type, i,
        testcase::fromDouble(
            type, testcase::toDouble(old.dtype, testcase::readElement(old.data, old.dtype, i))));
}

/// Conversions that the new types made superfluous, or turned around.
void mendConversions(ModuleOp module) {
  llvm::SmallVector<mlir::Operation *> conversions;
  module->walk([&](mlir::Operation *op) {
    if (llvm::isa<FToFOp, ExtIOp, TruncIOp>(op))
      conversions.push_back(op);
  });
  for (mlir::Operation *op : conversions) {
    auto from = llvm::cast<TileType>(op->getOperand(0).getType()).getElementType();
    auto to = llvm::cast<TileType>(op->getResult(0).getType()).getElementType();
    if (from == to) {
      op->getResult(0).replaceAllUsesWith(op->getOperand(0));
      op->erase();
      continue;
    }
    const bool wider = to.getIntOrFloatBitWidth() > from.getIntOrFloatBitWidth();
    if (llvm::isa<FToFOp>(op) || wider == llvm::isa<ExtIOp>(op))
      continue;
    mlir::OpBuilder b(op);
    ChoiceStream none = ChoiceStream::fromBytes({});
    mlir::Value other =
        makeLike(b, op->getOperand(0), llvm::cast<TileType>(op->getResult(0).getType()), none);
    if (!other)
      continue;
    op->getResult(0).replaceAllUsesWith(other);
    op->erase();
  }
}

/// Another element type for one that arrays have, throughout the kernel.
bool changeElement(ChangedKernel &k) {
  std::vector<mlir::Type> types;
  k.module->walk([&](EntryOp entry) {
    for (mlir::Type type : entry.getArgumentTypes())
      if (auto pointer = llvm::dyn_cast<PointerType>(llvm::cast<TileType>(type).getElementType())) {
        mlir::Type element = pointer.getPointeeType();
        // Numbers of 32 and 64 bits are places, too.
        if (arrayTypeOf(element) && !element.isInteger(1) && !element.isInteger(32) &&
            !element.isInteger(64) && !llvm::is_contained(types, element))
          types.push_back(element);
      }
  });
  if (types.empty())
    return false;
  mlir::Type old = types[k.stream.below(types.size())];
  auto others = otherElements(old);
  if (old.isInteger())
    llvm::erase_if(others, [](mlir::Type type) { return type.getIntOrFloatBitWidth() > 32; });
  mlir::Type other = others[k.stream.below(others.size())];
  mlir::AttrTypeReplacer replacer;
  replacer.addReplacement([=](mlir::Type type) -> std::optional<mlir::Type> {
    return type == old ? std::optional(other) : std::nullopt;
  });
  replacer.addReplacement([=](mlir::FloatAttr number) -> std::optional<mlir::Attribute> {
    if (number.getType() != old)
      return std::nullopt;
    llvm::APFloat value = number.getValue();
    bool lost;
    value.convert(llvm::cast<mlir::FloatType>(other).getFloatSemantics(),
                  llvm::APFloat::rmNearestTiesToEven, &lost);
    return mlir::FloatAttr::get(other, value);
  });
  replacer.addReplacement([=](mlir::IntegerAttr number) -> std::optional<mlir::Attribute> {
    if (number.getType() != old)
      return std::nullopt;
    return mlir::IntegerAttr::get(other,
                                  number.getValue().sextOrTrunc(other.getIntOrFloatBitWidth()));
  });
  replaceTypes(k.module, replacer);
  mendConversions(k.module);
  const DataType before = *arrayTypeOf(old), after = *arrayTypeOf(other);
  auto unsignedToo = [&](DataType type) {
    return type == before || (before == DataType::I8 && type == DataType::U8) ||
           (before == DataType::I16 && type == DataType::U16);
  };
  for (testcase::Launch &launch : k.testCase.launches)
    for (testcase::Parameter &parameter : launch.params) {
      if (!unsignedToo(parameter.dtype))
        continue;
      if (parameter.kind == testcase::Parameter::Kind::Scalar)
        parameter.bits =
            testcase::fromDouble(after, testcase::toDouble(parameter.dtype, parameter.bits));
      else if (parameter.kind == testcase::Parameter::Kind::Pointer &&
               unsignedToo(k.testCase.buffers[parameter.buffer].dtype))
        convertBuffer(k.testCase.buffers[parameter.buffer], after);
      parameter.dtype = after;
    }
  return true;
}

/// What depends on a pointer of an entry alone: pointers and views. False: something else does, too.
bool followPointer(mlir::Value pointer, llvm::SmallVectorImpl<mlir::Value> &places,
                   llvm::SmallVectorImpl<mlir::Operation *> &accesses) {
  places.push_back(pointer);
  for (size_t i = 0; i < places.size(); ++i)
    for (mlir::OpOperand &use : places[i].getUses()) {
      mlir::Operation *op = use.getOwner();
      if (llvm::isa<AssumeOp, OffsetOp, ReshapeOp, BroadcastOp, MakeTensorViewOp,
                    MakePartitionViewOp, MakeStridedViewOp, MakeGatherScatterViewOp>(op))
        places.push_back(op->getResult(0));
      else if (llvm::isa<LoadPtrTkoOp, StorePtrTkoOp, LoadViewTkoOp, StoreViewTkoOp>(op))
        accesses.push_back(op);
      else if (!llvm::isa<GetIndexSpaceShapeOp, GetTensorShapeOp>(op))
        return false;
    }
  return true;
}

/// An array holds another type than the kernel computes with: it converts what it loads and stores.
bool changeStorage(ChangedKernel &k) {
  std::vector<mlir::BlockArgument> pointers;
  k.module->walk([&](EntryOp entry) {
    for (mlir::BlockArgument argument : entry.getBody().front().getArguments())
      if (auto pointer = llvm::dyn_cast<PointerType>(
              llvm::cast<TileType>(argument.getType()).getElementType());
          pointer && arrayTypeOf(pointer.getPointeeType()) &&
          !pointer.getPointeeType().isInteger(1))
        pointers.push_back(argument);
  });
  if (pointers.empty())
    return false;
  mlir::BlockArgument argument = pointers[k.stream.below(pointers.size())];
  auto entry = llvm::cast<EntryOp>(argument.getOwner()->getParentOp());
  llvm::SmallVector<mlir::Value> places;
  llvm::SmallVector<mlir::Operation *> accesses;
  if (!followPointer(argument, places, accesses))
    return false;
  auto pointer = llvm::cast<PointerType>(llvm::cast<TileType>(argument.getType()).getElementType());
  mlir::Type old = pointer.getPointeeType();
  auto others = otherElements(old);
  mlir::Type other = others[k.stream.below(others.size())];
  mlir::AttrTypeReplacer replacer;
  replacer.addReplacement([=](mlir::Type type) -> std::optional<mlir::Type> {
    return type == old ? std::optional(other) : std::nullopt;
  });
  keepArrays(replacer);
  for (mlir::Value place : places)
    place.setType(replacer.replace(place.getType()));
  ChoiceStream none = ChoiceStream::fromBytes({});
  auto stored = [&](mlir::Type type) {
    return TileType::get(llvm::cast<TileType>(type).getShape(), other);
  };
  for (mlir::Operation *op : accesses) {
    mlir::OpBuilder b(op);
    if (auto load = llvm::dyn_cast<LoadPtrTkoOp>(op); load && load.getPaddingValue())
      load.getPaddingValueMutable().assign(
          makeLike(b, load.getPaddingValue(), stored(load.getPaddingValue().getType()), none));
    if (auto store = llvm::dyn_cast<StorePtrTkoOp>(op))
      store.getValueMutable().assign(
          makeLike(b, store.getValue(), stored(store.getValue().getType()), none));
    if (auto store = llvm::dyn_cast<StoreViewTkoOp>(op))
      store.getTileMutable().assign(
          makeLike(b, store.getTile(), stored(store.getTile().getType()), none));
    if (!llvm::isa<LoadPtrTkoOp, LoadViewTkoOp>(op))
      continue;
    auto wanted = llvm::cast<TileType>(op->getResult(0).getType());
    op->getResult(0).setType(stored(wanted));
    b.setInsertionPointAfter(op);
    mlir::Value converted = makeLike(b, op->getResult(0), wanted, none);
    op->getResult(0).replaceAllUsesExcept(converted, converted.getDefiningOp());
  }
  llvm::SmallVector<mlir::Type> arguments;
  for (mlir::Value value : entry.getBody().front().getArguments())
    arguments.push_back(value.getType());
  entry.setFunctionType(mlir::FunctionType::get(entry.getContext(), arguments, {}));
  const DataType after = *arrayTypeOf(other);
  for (testcase::Launch &launch : k.testCase.launches)
    if (launch.kernel == entry.getSymName()) {
      testcase::Parameter &parameter = launch.params[argument.getArgNumber()];
      if (k.testCase.buffers[parameter.buffer].dtype != after)
        convertBuffer(k.testCase.buffers[parameter.buffer], after);
      parameter.dtype = after;
    }
  return true;
}

/// One less of a constant extent of a tensor, so that its last tile is a part.
bool changeTensor(ModuleOp module, ChoiceStream &stream) {
  auto op = drawOp<MakeTensorViewOp>(module, stream, [](MakeTensorViewOp candidate) {
    return llvm::any_of(candidate.getResult().getType().getShape(),
                        [](int64_t extent) { return extent > 1; });
  });
  if (!op)
    return false;
  const TensorViewType old = op.getResult().getType();
  llvm::SmallVector<int64_t> shape(old.getShape());
  int64_t &extent = shape[stream.below(shape.size())];
  if (extent <= 1)
    return false;
  extent -= stream.chance(50) ? 1 : extent / 2;
  mlir::AttrTypeReplacer replacer;
  replacer.addReplacement([=](TensorViewType type) -> mlir::Type {
    if (type != old)
      return type;
    return typeOr(type, type.getElementType(), llvm::ArrayRef<int64_t>(shape), type.getStrides(),
                  type.getPtrAttr());
  });
  replaceTypes(module, replacer);
  return true;
}

constexpr Change kChanges[] = {
    {"element", "an array of floats, bytes or halves", changeElement},
    {"extent", "tiles of more than one element", ofModule<changeExtent>},
    {"smaller", "a kernel", makeSmaller},
    {"storage", "an array that is only loaded and stored", changeStorage},
    {"tensor", "a view with a constant extent", ofModule<changeTensor>},
};

} // namespace

llvm::ArrayRef<Change> tilesmith::generators::typeChanges() {
  return kChanges;
}
