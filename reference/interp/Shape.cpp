//===- Shape.cpp - constants and movement of elements -----------------------------------------===//
//
// Every op here moves elements with their states, so an unspecified element stays
// where it is and a select does not leak the side that was not chosen.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/dialect/CudaTile/IR/CudaTile.h"
#include "reference/interp/Elementwise.h"
#include "reference/interp/Registry.h"

using namespace tilesmith;
using namespace tilesmith::reference;
using namespace tilesmith::cuda_tile;

namespace {

llvm::ArrayRef<int64_t> shapeOf(mlir::Value v) {
  return mlir::cast<TileType>(v.getType()).getShape();
}

/// Result element `i` is source element `map(coordinate of i)`.
template <typename Map>
Tile gather(BlockContext &context, const Tile &source, llvm::ArrayRef<int64_t> shape, Map map) {
  Tile result(source.type(), shape);
  context.countElements(result.size());
  forEachIndex(shape, [&](size_t i, llvm::ArrayRef<int64_t> index) {
    result.set(i, source.element(map(index)));
  });
  return result;
}

size_t linear(llvm::ArrayRef<int64_t> index, llvm::ArrayRef<int64_t> strides) {
  size_t position = 0;
  for (auto [i, s] : llvm::zip(index, strides))
    position += i * s;
  return position;
}

uint64_t patternOf(const llvm::APFloat &value) {
  uint64_t bits = value.bitcastToAPInt().getZExtValue();
  return &value.getSemantics() == &llvm::APFloat::FloatTF32() ? bits << 13 : bits;
}

/// [spec: shape-constant]
Status evalConstant(BlockContext &context, ConstantOp op) {
  auto attribute = op.getValue();
  auto type = mlir::cast<TileType>(op.getResult().getType());
  Tile result(*elementTypeOf(type), type.getShape());
  context.countElements(result.size());
  auto fill = [&](auto &&values, auto &&pattern) {
    size_t i = 0;
    for (const auto &value : values)
      result.bits()[i++] = pattern(value);
  };
  auto integerPattern = [](const llvm::APInt &v) { return v.getZExtValue(); };
  bool isInteger = mlir::isa<mlir::IntegerType>(type.getElementType());
  if (attribute.isSplat()) {
    uint64_t bits = isInteger ? integerPattern(attribute.getSplatValue<llvm::APInt>())
                              : patternOf(attribute.getSplatValue<llvm::APFloat>());
    std::fill(result.bits().begin(), result.bits().end(), bits);
  } else if (isInteger) {
    fill(attribute.getValues<llvm::APInt>(), integerPattern);
  } else {
    fill(attribute.getValues<llvm::APFloat>(), patternOf);
  }
  context.set(op.getResult(), std::move(result));
  return Status::success();
}

/// [spec: shape-iota]
Status evalIota(BlockContext &context, IotaOp op) {
  auto type = mlir::cast<TileType>(op.getResult().getType());
  Tile result(*elementTypeOf(type), type.getShape());
  context.countElements(result.size());
  for (size_t i = 0; i < result.size(); ++i)
    result.bits()[i] = i & maskOf(result.type());
  context.set(op.getResult(), std::move(result));
  return Status::success();
}

/// [spec: shape-broadcast]
Status evalBroadcast(BlockContext &context, BroadcastOp op) {
  const Tile &source = context.tile(op.getSource());
  llvm::SmallVector<int64_t, 4> strides = source.strides();
  for (auto [stride, extent] : llvm::zip(strides, source.shape()))
    if (extent == 1)
      stride = 0;
  context.set(op.getResult(),
              gather(context, source, shapeOf(op.getResult()),
                     [&](llvm::ArrayRef<int64_t> index) { return linear(index, strides); }));
  return Status::success();
}

/// [spec: shape-reshape]
Status evalReshape(BlockContext &context, ReshapeOp op) {
  context.set(op.getResult(),
              Tile::reshaped(context.tilePtr(op.getSource()), shapeOf(op.getResult())));
  return Status::success();
}

/// [spec: shape-permute]
Status evalPermute(BlockContext &context, PermuteOp op) {
  const Tile &source = context.tile(op.getSource());
  llvm::SmallVector<int64_t, 4> sourceStrides = source.strides(), strides;
  for (int32_t dim : op.getPermutation())
    strides.push_back(sourceStrides[dim]);
  context.set(op.getResult(),
              gather(context, source, shapeOf(op.getResult()),
                     [&](llvm::ArrayRef<int64_t> index) { return linear(index, strides); }));
  return Status::success();
}

/// [spec: shape-cat]
Status evalCat(BlockContext &context, CatOp op) {
  const Tile &a = context.tile(op.getLhs()), &b = context.tile(op.getRhs());
  int64_t dim = op.getDim(), split = a.shape()[dim];
  auto aStrides = a.strides(), bStrides = b.strides();
  Tile result(a.type(), shapeOf(op.getResult()));
  context.countElements(result.size());
  forEachIndex(result.shape(), [&](size_t i, llvm::ArrayRef<int64_t> index) {
    result.set(i, index[dim] < split ? a.element(linear(index, aStrides))
                                     : b.element(linear(index, bStrides) - split * bStrides[dim]));
  });
  context.set(op.getResult(), std::move(result));
  return Status::success();
}

/// First element of the slice that the indices choose; indices count slices and are unsigned.
/// [spec: shape-slice-index]
template <typename Indices>
Status sliceStart(BlockContext &context, Indices indices, llvm::ArrayRef<int64_t> whole,
                  llvm::ArrayRef<int64_t> slice, llvm::SmallVectorImpl<int64_t> &start) {
  for (auto [dim, v] : llvm::enumerate(indices)) {
    uint64_t index;
    TILESMITH_TRY(context.scalar(v, "index", index));
    uint64_t count = whole[dim] / slice[dim];
    if (index >= count)
      return undefined("slice-index", "index " + llvm::Twine(index) + " in dimension " +
                                          llvm::Twine(dim) + ", expected less than " +
                                          llvm::Twine(count));
    start.push_back(index * slice[dim]);
  }
  return Status::success();
}

/// [spec: shape-extract]
Status evalExtract(BlockContext &context, ExtractOp op) {
  const Tile &source = context.tile(op.getSource());
  llvm::ArrayRef<int64_t> shape = shapeOf(op.getResult());
  llvm::SmallVector<int64_t, 4> start, strides = source.strides();
  TILESMITH_TRY(sliceStart(context, op.getIndices(), source.shape(), shape, start));
  size_t base = linear(start, strides);
  context.set(op.getResult(), gather(context, source, shape, [&](llvm::ArrayRef<int64_t> index) {
                return base + linear(index, strides);
              }));
  return Status::success();
}

/// [spec: shape-insert]
Status evalInsert(BlockContext &context, InsertOp op) {
  const Tile &source = context.tile(op.getSource()),
             &destination = context.tile(op.getDestination());
  llvm::SmallVector<int64_t, 4> start, strides = destination.strides();
  TILESMITH_TRY(sliceStart(context, op.getIndices(), destination.shape(), source.shape(), start));
  size_t base = linear(start, strides);
  Tile result = destination;
  context.countElements(result.size());
  forEachIndex(source.shape(), [&](size_t i, llvm::ArrayRef<int64_t> index) {
    result.set(base + linear(index, strides), source.element(i));
  });
  context.set(op.getResult(), std::move(result));
  return Status::success();
}

/// [spec: shape-select, enclosure-undecided]
Status evalSelect(BlockContext &context, SelectOp op) {
  const Tile &c = context.tile(op.getCond()), &a = context.tile(op.getValIfTrue()),
             &b = context.tile(op.getValIfFalse());
  const Tile &shaped = largest(largest(c, a), b);
  size_t count = shaped.size();
  Tile result(a.type(), shaped.shape());
  context.countElements(count);
  auto at = [&](const Tile &t, size_t i) { return t.element(isSplatOperand(t, count) ? 0 : i); };
  for (size_t i = 0; i < count; ++i) {
    Element chosen = at(c, i);
    if (chosen.state == State::Known) {
      result.set(i, chosen.bits ? at(a, i) : at(b, i));
      continue;
    }
    if (context.encloses())
      context.noteUndecided(op);
    // The values of both sides, if they have a common set.
    result.set(i, context.encloses() && isFloat(a.type())
                      ? encloseEither(a.type(), at(a, i), at(b, i))
                      : unknownElement());
  }
  context.set(op.getResult(), std::move(result));
  return Status::success();
}

/// [spec: shape-offset, shape-offset-overflow]
Status evalOffset(BlockContext &context, OffsetOp op) {
  const Tile &p = context.tile(op.getPtr()), &o = context.tile(op.getOffset());
  ElementType pointee = *pointeeTypeOf(op.getPtr().getType());
  // [spec: shape-offset-halves]
  __int128 size = bytesOf(pointee), perByte = isPackedNibble(pointee) ? 2 : 1;
  ElementType offsetType = o.type();
  Status failure;
  Tile result = mapBinary(
      context, ElementType::Pointer, p, o, [&](uint64_t address, uint64_t offset) -> Element {
        __int128 bytes = static_cast<__int128>(signedValue(offsetType, offset)) / perByte * size;
        __int128 moved = static_cast<__int128>(address) + bytes;
        bool fits = bytes == static_cast<int64_t>(bytes) && moved >= 0 && moved >> 64 == 0;
        if (!fits && !failure.failed())
          failure = undefined("pointer-overflow", "offset of " +
                                                      llvm::Twine(signedValue(offsetType, offset)) +
                                                      " elements leaves the address space");
        return {static_cast<uint64_t>(moved)};
      });
  if (failure.failed())
    return failure;
  context.set(op.getResult(), std::move(result));
  return Status::success();
}

/// [spec: launch-block-id]
Status evalBlockId(BlockContext &context, GetTileBlockIdOp op) {
  for (auto [result, id] : llvm::zip(op->getResults(), context.blockId))
    context.set(result, Tile::scalar(ElementType::I32, static_cast<uint32_t>(id)));
  return Status::success();
}

/// [spec: launch-num-blocks]
Status evalGridSize(BlockContext &context, GetNumTileBlocksOp op) {
  for (auto [result, extent] : llvm::zip(op->getResults(), context.launch.request.grid))
    context.set(result, Tile::scalar(ElementType::I32, static_cast<uint32_t>(extent)));
  return Status::success();
}

/// [spec: global-address]
Status evalGetGlobal(BlockContext &context, GetGlobalOp op) {
  auto it = context.launch.globals.find(op.getName().str());
  if (it == context.launch.globals.end())
    return unsupported("no global '" + op.getName() + "' in the module");
  context.set(op.getResult(), Tile::scalar(ElementType::Pointer, it->second));
  return Status::success();
}

} // namespace

void tilesmith::reference::registerShapeEvaluators(Registry &r) {
  r.family("constant");
  r.add<ConstantOp, evalConstant>();
  r.family("select");
  r.add<SelectOp, evalSelect>();
  r.family("shape");
  r.add<IotaOp, evalIota>();
  r.add<BroadcastOp, evalBroadcast>();
  r.add<ReshapeOp, evalReshape>();
  r.add<PermuteOp, evalPermute>();
  r.add<CatOp, evalCat>();
  r.add<ExtractOp, evalExtract>();
  r.add<InsertOp, evalInsert>();
  r.family("pointer");
  r.add<OffsetOp, evalOffset>();
  r.add<GetGlobalOp, evalGetGlobal>();
  r.family("launch");
  r.add<GetTileBlockIdOp, evalBlockId>();
  r.add<GetNumTileBlocksOp, evalGridSize>();
  r.family("structure");
  r.addWithout<ModuleOp>("container, never executed");
  r.addWithout<EntryOp>("started by the launch, never executed as an op");
  r.addWithout<GlobalOp>("initialised by the first launch of its module");
}
