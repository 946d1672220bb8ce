//===- Shape.cpp - splat, ranges, slices, concatenation and grid queries per thread -----------===//
//
// cat, extract_slice and insert_slice move elements between threads: the source tiles are laid out
// row-major in scratch and every thread reads what its registers need. Tiles that do not fit are an
// error.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/conversion/TileASToNVGPU/Emitter.h"
#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/support/Plants.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::thread;

namespace {

LogicalResult splat(Emitter &, Operation *, ValueRange operands, Value,
                    SmallVectorImpl<Value> &results) {
  results.push_back(operands[0]);
  return success();
}

Value resizeInteger(Emitter &e, Value value, Type type) {
  unsigned from = value.getType().getIntOrFloatBitWidth(), to = type.getIntOrFloatBitWidth();
  if (from == to)
    return value;
  if (from < to)
    return arith::ExtUIOp::create(e.builder, e.loc, type, value);
  return arith::TruncIOp::create(e.builder, e.loc, type, value);
}

/// start + position, cut to the element width.
LogicalResult makeRange(Emitter &e, Operation *op, ValueRange operands, Value position,
                        SmallVectorImpl<Value> &results) {
  Type type = cast<RankedTensorType>(op->getResult(0).getType()).getElementType();
  Value start = operands[0];
  if (start.getType().isIndex())
    start = arith::IndexCastOp::create(e.builder, e.loc, e.builder.getI64Type(), start);
  results.push_back(e.add(resizeInteger(e, start, type), resizeInteger(e, position, type)));
  return success();
}

/// Writes tiles row-major into scratch, one after another; returns the pointer to each. Ends with a
/// barrier.
FailureOr<SmallVector<Value>> shareTiles(Emitter &e, Operation *op, ArrayRef<Tile> sources) {
  SmallVector<int64_t> offsets;
  int64_t total = 0;
  for (const Tile &tile : sources) {
    offsets.push_back(total);
    total += llvm::alignTo(tile.layout.getNumElements() * e.elementBytes(tile.element), 16);
  }
  if (total > kMaxSharedBytes)
    return op->emitOpError("needs ")
           << total << " bytes of shared memory, the limit is " << kMaxSharedBytes;
  e.barrier();
  SmallVector<Value> bases;
  for (auto [tile, offset] : llvm::zip_equal(sources, offsets)) {
    Value base = e.scratch(offset, total);
    bases.push_back(base);
    e.forLoop(tile.layout.getNumRegisters(), [&](Value index) {
      e.when(e.both(e.ownerThread(tile.layout), e.ownerRegister(tile.layout, index)), [&] {
        e.store(e.loadRegister(tile, index),
                e.elementPointer(base, tile.element, e.position(tile.layout, index)));
      });
    });
  }
  if (!TILESMITH_PLANT("share-tiles-barrier-dropped"))
    e.barrier();
  return bases;
}

/// Row-major offset of coordinates.
Value flatten(Emitter &e, ArrayRef<Value> at, ArrayRef<int64_t> shape) {
  Value offset = e.i32(0);
  for (auto [coordinate, extent] : llvm::zip_equal(at, shape))
    offset = e.add(e.mul(offset, e.i32(extent)), coordinate);
  return offset;
}

LogicalResult emitCat(Emitter &e, Operation *op) {
  auto cat = cast<tileas::CatOp>(op);
  Tile lhs = e.tile(cat.getLhs()), rhs = e.tile(cat.getRhs());
  auto shared = shareTiles(e, op, {lhs, rhs});
  if (failed(shared))
    return failure();
  Tile result = e.makeTile(cat.getResult());
  e.setTile(cat.getResult(), result);
  int64_t dim = cat.getDim(), split = lhs.layout.getShape()[dim];
  e.forLoop(result.layout.getNumRegisters(), [&](Value index) {
    SmallVector<Value> at =
        e.coordinates(e.position(result.layout, index), result.layout.getShape());
    Value inLhs = arith::CmpIOp::create(
        e.builder, e.loc, arith::CmpIPredicate::ult, at[dim],
        e.i32(TILESMITH_PLANT("cat-boundary-off-by-one") && split > 2 ? split - 1 : split));
    Value value = e.choose(
        inLhs, result.element,
        [&] {
          return e.load(
              e.elementPointer((*shared)[0], result.element, flatten(e, at, lhs.layout.getShape())),
              result.element);
        },
        [&] {
          at[dim] = arith::SubIOp::create(e.builder, e.loc, at[dim], e.i32(split));
          return e.load(
              e.elementPointer((*shared)[1], result.element, flatten(e, at, rhs.layout.getShape())),
              result.element);
        });
    e.storeRegister(result, index, value);
  });
  return success();
}

/// First coordinate (i32) of the slice along each dimension.
SmallVector<Value> sliceOrigin(Emitter &e, ValueRange indices, ArrayRef<int64_t> sliceShape) {
  SmallVector<Value> origin;
  for (auto [index, extent] : llvm::zip_equal(indices, sliceShape)) {
    Value number = e.scalar(index);
    if (number.getType().isIndex())
      number = arith::IndexCastOp::create(e.builder, e.loc, e.builder.getI32Type(), number);
    origin.push_back(e.mul(resizeInteger(e, number, e.builder.getI32Type()),
                           e.i32(TILESMITH_PLANT("extract-counts-elements") ? 1 : extent)));
  }
  return origin;
}

LogicalResult emitExtractSlice(Emitter &e, Operation *op) {
  auto extract = cast<tileas::ExtractSliceOp>(op);
  Tile source = e.tile(extract.getSource());
  ArrayRef<int64_t> shape = source.layout.getShape();
  auto type = dyn_cast<RankedTensorType>(extract.getResult().getType());
  if (!type && source.layout.getNumElements() == 1) { // every thread holds the only element
    e.setScalar(extract.getResult(), e.loadRegister(source, e.i32(0)));
    return success();
  }
  auto shared = shareTiles(e, op, {source});
  if (failed(shared))
    return failure();
  SmallVector<int64_t> sliceShape(shape.size(), 1);
  if (type)
    sliceShape.assign(type.getShape().begin(), type.getShape().end());
  SmallVector<Value> origin = sliceOrigin(e, extract.getIndices(), sliceShape);
  auto read = [&](ArrayRef<Value> at) {
    SmallVector<Value> position;
    for (auto [start, step, extent] : llvm::zip_equal(origin, at, shape))
      // An index outside is undefined; wrapping keeps the access inside the scratch area.
      position.push_back(
          arith::AndIOp::create(e.builder, e.loc, e.add(start, step), e.i32(extent - 1)));
    return e.load(e.elementPointer((*shared)[0], source.element, flatten(e, position, shape)),
                  source.element);
  };
  if (!type) {
    e.setScalar(extract.getResult(), read(SmallVector<Value>(shape.size(), e.i32(0))));
  } else {
    Tile result = e.makeTile(extract.getResult());
    e.setTile(extract.getResult(), result);
    e.forLoop(result.layout.getNumRegisters(), [&](Value index) {
      e.storeRegister(result, index,
                      read(e.coordinates(e.position(result.layout, index), sliceShape)));
    });
  }
  return success();
}

LogicalResult emitInsertSlice(Emitter &e, Operation *op) {
  auto insert = cast<tileas::InsertSliceOp>(op);
  auto sourceType = dyn_cast<RankedTensorType>(insert.getSource().getType());
  Tile dest = e.tile(insert.getDest()), result = e.makeTile(insert.getResult());
  e.setTile(insert.getResult(), result);
  ArrayRef<int64_t> shape = result.layout.getShape();
  SmallVector<int64_t> sliceShape(shape.size(), 1);
  SmallVector<Value> shared;
  if (sourceType) {
    sliceShape.assign(sourceType.getShape().begin(), sourceType.getShape().end());
    auto bases = shareTiles(e, op, {e.tile(insert.getSource())});
    if (failed(bases))
      return failure();
    shared = *bases;
  }
  SmallVector<Value> origin = sliceOrigin(e, insert.getIndices(), sliceShape);
  e.forLoop(result.layout.getNumRegisters(), [&](Value index) {
    SmallVector<Value> at = e.coordinates(e.position(result.layout, index), shape), inSlice;
    Value inside;
    for (auto [coordinate, start, extent] : llvm::zip_equal(at, origin, sliceShape)) {
      Value relative = arith::SubIOp::create(e.builder, e.loc, coordinate, start);
      inSlice.push_back(relative);
      inside = e.both(inside, arith::CmpIOp::create(e.builder, e.loc, arith::CmpIPredicate::ult,
                                                    relative, e.i32(extent)));
    }
    Value value = e.choose(
        inside, result.element,
        [&]() -> Value {
          if (!sourceType)
            return e.scalar(insert.getSource());
          return e.load(
              e.elementPointer(shared[0], result.element, flatten(e, inSlice, sliceShape)),
              result.element);
        },
        [&] { return e.loadRegister(dest, index); });
    e.storeRegister(result, index, value);
  });
  return success();
}

//===- bytes --------------------------------------------------------------------------------------===//

/// Bits of an element in packed memory order.
unsigned packedBits(Type type) {
  return isa<FloatTF32Type>(type) ? 32 : type.getIntOrFloatBitWidth();
}

LogicalResult emitReinterpret(Emitter &e, Operation *op) {
  auto cast_ = cast<tileas::ReinterpretOp>(op);
  Type from = cast<RankedTensorType>(cast_.getSource().getType()).getElementType();
  Type to = cast<RankedTensorType>(cast_.getResult().getType()).getElementType();
  auto shared = shareTiles(e, op, {e.tile(cast_.getSource())});
  if (failed(shared))
    return failure();
  Value base = (*shared)[0];
  Type byte = e.builder.getI8Type();
  Tile result = e.makeTile(cast_.getResult());
  e.setTile(cast_.getResult(), result);
  auto byteAt = [&](Value index) { return e.load(e.elementPointer(base, byte, index), byte); };
  e.forLoop(result.layout.getNumRegisters(), [&](Value index) {
    Value position = e.position(result.layout, index), value;
    unsigned wide = packedBits(from), narrow = packedBits(to);
    if (wide < 8) { // several elements, one byte each in scratch, make one byte
      unsigned count = 8 / wide;
      Value first = e.mul(position, e.i32(count));
      for (unsigned i = 0; i < count; ++i) {
        Value part = byteAt(e.add(first, e.i32(i)));
        Value amount = arith::ConstantIntOp::create(e.builder, e.loc, byte, i * wide);
        part = arith::ShLIOp::create(e.builder, e.loc, part, amount);
        value = value ? Value(arith::OrIOp::create(e.builder, e.loc, value, part)) : part;
      }
    } else if (narrow < 8) { // one byte holds several elements
      unsigned count = 8 / narrow;
      Value whole = byteAt(arith::DivUIOp::create(e.builder, e.loc, position, e.i32(count)));
      Value which = arith::AndIOp::create(e.builder, e.loc, position, e.i32(count - 1));
      if (TILESMITH_PLANT("nibbles-swapped"))
        which = arith::XOrIOp::create(e.builder, e.loc, which, e.i32(count - 1));
      Value amount = resizeInteger(e, e.mul(which, e.i32(narrow)), byte);
      value = arith::ShRUIOp::create(e.builder, e.loc, whole, amount);
      Value mask = arith::ConstantIntOp::create(e.builder, e.loc, byte, (1 << narrow) - 1);
      value = arith::AndIOp::create(e.builder, e.loc, value, mask);
      if (result.element.isInteger(1))
        value = arith::TruncIOp::create(e.builder, e.loc, result.element, value);
    } else {
      value = e.load(e.elementPointer(base, result.element, position), result.element);
    }
    e.storeRegister(result, index, value);
  });
  return success();
}

//===- grid ---------------------------------------------------------------------------------------===//

template <typename GpuOp>
LogicalResult gridQuery(Emitter &e, Operation *op, ValueRange, Value,
                        SmallVectorImpl<Value> &results) {
  auto axis = static_cast<gpu::Dimension>(op->getAttrOfType<IntegerAttr>("axis").getInt());
  Value id = GpuOp::create(e.builder, e.loc, e.builder.getIndexType(), axis);
  results.push_back(arith::IndexCastOp::create(e.builder, e.loc, e.builder.getI32Type(), id));
  return success();
}

} // namespace

void thread::registerShape(HandlerTable &table) {
  table.elements["nv_tileaa.splat"] = splat;
  table.elements["nv_tileaa.make_range"] = makeRange;
  table.elements["nv_tileaa.get_program_id"] = gridQuery<gpu::BlockIdOp>;
  table.elements["nv_tileaa.get_num_programs"] = gridQuery<gpu::GridDimOp>;
  table.operations["nv_tileas.reinterpret"] = emitReinterpret;
  table.operations["nv_tileas.cat"] = emitCat;
  table.operations["nv_tileas.extract_slice"] = emitExtractSlice;
  table.operations["nv_tileas.insert_slice"] = emitInsertSlice;
}
