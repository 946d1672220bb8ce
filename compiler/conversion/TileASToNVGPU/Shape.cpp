//===- Shape.cpp - splat, ranges, slices, concatenation and grid queries per thread -----------===//
//
// cat, extract_slice, insert_slice and reinterpret move elements between threads, or rename the registers of
// each where layouts let them (tileas-assign-slice-layouts): then reinterpret shifts bits inside of a thread. Where each warp has
// all of a small source tile, its lanes hand them to each other (`WarpTile`); else the tile is laid
// out row-major in scratch and every thread reads what its registers need. Tiles that do not fit go
// a window at a time.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/conversion/TileASToNVGPU/Emitter.h"
#include "compiler/conversion/TileASToNVGPU/WarpTile.h"
#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/dialect/TileAS/IR/SliceRegisters.h"
#include "compiler/dialect/TileAS/IR/TileAS.h"
#include "compiler/support/Plants.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas_to_nvgpu;

namespace {

/// Shared memory of one window of a tile that does not fit as a whole.
constexpr int64_t kWindowBytes = 32 * 1024;

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

/// A tile whose elements every thread may read: in scratch, row-major, elements [start, start + size),
/// or in the lanes of the warp.
struct Window {
  Value base, start; ///< start is null for the whole tile
  int64_t size;
  Type element;
  const WarpTile *lanes = nullptr;

  /// Whether the element at `position` is here; null when all are.
  Value has(Emitter &e, Value position) const {
    if (!start)
      return {};
    Value first = arith::AndIOp::create(e.builder, e.loc, position, e.i32(-size));
    return arith::CmpIOp::create(e.builder, e.loc, arith::CmpIPredicate::eq, first, start);
  }
  Value pointer(Emitter &e, Value position) const {
    if (start)
      position = arith::AndIOp::create(e.builder, e.loc, position, e.i32(size - 1));
    return e.elementPointer(base, element, position);
  }
  Value read(Emitter &e, Value position) const {
    return lanes ? lanes->read(e, position) : e.load(pointer(e, position), element);
  }
  /// Sets a register to the element at `position` where that is `wanted` (null: always); elsewhere the
  /// position means nothing.
  void readInto(Emitter &e, const Tile &to, Value index, Value position, Value wanted) const {
    if (!lanes)
      return e.when(e.both(wanted, has(e, position)),
                    [&] { e.storeRegister(to, index, read(e, position)); });
    // All lanes take part, so it must be some position.
    Value value = read(e, arith::AndIOp::create(e.builder, e.loc, position, e.i32(size - 1)));
    if (wanted)
      value = arith::SelectOp::create(e.builder, e.loc, wanted, value, e.loadRegister(to, index));
    e.storeRegister(to, index, value);
  }
};

/// Writes the tile to scratch, a window at a time, and lets everybody read each window: the whole
/// tile at once when it fits. Nothing is written where the lanes of each warp hold it: `reads` is the
/// number of elements that a thread wants, by `readInto` or `read` alone; 0: by their addresses.
void forWindows(Emitter &e, const Tile &tile, int64_t reads,
                llvm::function_ref<void(const Window &)> readers) {
  int64_t elements = tile.layout.getNumElements(), bytes = e.elementBytes(tile.element);
  if (std::optional<WarpTile> lanes =
          reads ? WarpTile::of(tile, reads, kMaxShufflesOfSlice) : std::nullopt)
    return readers({Value(), Value(), elements, tile.element, &*lanes});
  bool whole = elements * bytes <= kMaxSharedBytes;
  int64_t size = whole ? elements : kWindowBytes / bytes;
  int64_t place = whole ? e.nextPlace(size * bytes) : 0;
  auto exchange = [&](Value start) {
    if (!start || !TILESMITH_PLANT("window-overwritten-early"))
      e.barrier();
    Window window{e.scratch(place, place + size * bytes), start, size, tile.element, nullptr};
    e.forLoop(tile.layout.getNumRegisters(), [&](Value index) {
      Value owner = e.both(e.ownerThread(tile.layout), e.ownerRegister(tile.layout, index));
      Value position = e.position(tile.layout, index);
      e.when(e.both(owner, window.has(e, position)),
             [&] { e.store(e.loadRegister(tile, index), window.pointer(e, position)); });
    });
    if (!TILESMITH_PLANT("share-tiles-barrier-dropped"))
      e.barrier();
    readers(window);
  };
  if (whole)
    return exchange({});
  e.forLoop(e.i32(0), e.i32(elements), e.i32(size), {}, [&](Value start, ValueRange) {
    exchange(start);
    return SmallVector<Value>();
  });
}

/// Row-major offset of coordinates.
Value flatten(Emitter &e, ArrayRef<Value> at, ArrayRef<int64_t> shape) {
  Value offset = e.i32(0);
  for (auto [coordinate, extent] : llvm::zip_equal(at, shape))
    offset = e.add(e.mul(offset, e.i32(extent)), coordinate);
  return offset;
}

/// Each thread joins what it holds.
void renameHalves(Emitter &e, const Tile &lhs, const Tile &rhs, const Tile &result,
                  const tileas::RegisterMap &map, unsigned added) {
  SmallVector<int64_t> others;
  for (unsigned bit = 0; bit < map.bits.size(); ++bit)
    if (bit != added)
      others.push_back(int64_t(1) << bit);
  const bool exchanged = TILESMITH_PLANT("cat-halves-exchanged");
  for (const Tile *half : {&lhs, &rhs})
    e.forLoop(int64_t(1) << others.size(), [&](Value index) {
      Value to = e.linear(index, others);
      if ((half == &rhs) != exchanged)
        to = arith::XOrIOp::create(e.builder, e.loc, to, e.i32(int64_t(1) << added));
      e.storeRegister(result, to, e.loadRegister(*half, e.linear(to, map.bits)));
    });
}

LogicalResult emitCat(Emitter &e, Operation *op) {
  auto cat = cast<tileas::CatOp>(op);
  if (TILESMITH_PLANT("cat-lowering-aborts"))
    std::abort();
  Tile lhs = e.tile(cat.getLhs()), rhs = e.tile(cat.getRhs());
  Tile result = e.makeTile(cat.getResult());
  e.setTile(cat.getResult(), result);
  int64_t dim = cat.getDim(), split = lhs.layout.getShape()[dim];
  if (lhs.layout == rhs.layout)
    if (auto map = tileas::catRegisters(lhs.layout, result.layout, dim)) {
      renameHalves(e, lhs, rhs, result, map->first, map->second);
      return success();
    }
  int64_t boundary = TILESMITH_PLANT("cat-boundary-off-by-one") && split > 2 ? split - 1 : split;
  auto take = [&](const Tile &source, bool isLhs) {
    forWindows(e, source, result.layout.getNumRegisters(), [&](const Window &window) {
      e.forLoop(result.layout.getNumRegisters(), [&](Value index) {
        SmallVector<Value> at =
            e.coordinates(e.position(result.layout, index), result.layout.getShape());
        Value here = arith::CmpIOp::create(
            e.builder, e.loc, isLhs ? arith::CmpIPredicate::ult : arith::CmpIPredicate::uge,
            at[dim], e.i32(boundary));
        if (!isLhs)
          at[dim] = arith::SubIOp::create(
              e.builder, e.loc, at[dim],
              e.i32(TILESMITH_PLANT("cat-split-not-subtracted") && split > 1 ? split + 1 : split));
        Value position = flatten(e, at, source.layout.getShape());
        window.readInto(e, result, index, position, here);
      });
    });
  };
  take(lhs, /*isLhs=*/true);
  take(rhs, /*isLhs=*/false);
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

/// The same where all indices are constants inside of the tile.
std::optional<SmallVector<int64_t>> fixedOrigin(ValueRange indices, ArrayRef<int64_t> sliceShape) {
  SmallVector<int64_t> origin;
  for (auto [index, extent] : llvm::zip_equal(indices, sliceShape)) {
    APInt number;
    if (!matchPattern(index, m_ConstantInt(&number)) || number.getActiveBits() > 31)
      return std::nullopt;
    origin.push_back(int64_t(number.getZExtValue()) * extent);
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
  SmallVector<int64_t> sliceShape(shape.size(), 1);
  if (type)
    sliceShape.assign(type.getShape().begin(), type.getShape().end());
  SmallVector<Value> origin = sliceOrigin(e, extract.getIndices(), sliceShape);
  auto positionOf = [&](ArrayRef<Value> at) {
    SmallVector<Value> position;
    for (auto [start, step, extent] : llvm::zip_equal(origin, at, shape))
      // An index outside is undefined; wrapping keeps the access inside the scratch area.
      position.push_back(
          arith::AndIOp::create(e.builder, e.loc, e.add(start, step), e.i32(extent - 1)));
    return flatten(e, position, shape);
  };
  if (!type) { // the owner of the one element hands it to all
    Value wanted = positionOf(SmallVector<Value>(shape.size(), e.i32(0)));
    if (std::optional<WarpTile> lanes = WarpTile::of(source, 1, kMaxShufflesOfSlice)) {
      e.setScalar(extract.getResult(), lanes->read(e, wanted));
      return success();
    }
    int64_t bytes = e.elementBytes(source.element), place = e.nextPlace(bytes);
    Value slot = e.scratch(place, place + bytes);
    e.barrier();
    e.forLoop(source.layout.getNumRegisters(), [&](Value index) {
      Value owner = e.both(e.ownerThread(source.layout), e.ownerRegister(source.layout, index));
      Value isIt = arith::CmpIOp::create(e.builder, e.loc, arith::CmpIPredicate::eq,
                                         e.position(source.layout, index), wanted);
      e.when(e.both(owner, isIt), [&] { e.store(e.loadRegister(source, index), slot); });
    });
    if (!TILESMITH_PLANT("share-tiles-barrier-dropped"))
      e.barrier();
    e.setScalar(extract.getResult(), e.load(slot, source.element));
    return success();
  }
  Tile result = e.makeTile(extract.getResult());
  e.setTile(extract.getResult(), result);
  if (std::optional<SmallVector<int64_t>> fixed = fixedOrigin(extract.getIndices(), sliceShape))
    if (auto map = tileas::sliceRegisters(source.layout, result.layout, *fixed)) {
      if (TILESMITH_PLANT("slice-always-first"))
        map->first = 0;
      e.forLoop(result.layout.getNumRegisters(), [&](Value index) {
        Value from =
            arith::XOrIOp::create(e.builder, e.loc, e.linear(index, map->bits), e.i32(map->first));
        e.storeRegister(result, index, e.loadRegister(source, from));
      });
      return success();
    }
  forWindows(e, source, result.layout.getNumRegisters(), [&](const Window &window) {
    e.forLoop(result.layout.getNumRegisters(), [&](Value index) {
      Value position = positionOf(e.coordinates(e.position(result.layout, index), sliceShape));
      window.readInto(e, result, index, position, Value());
    });
  });
  return success();
}

LogicalResult emitInsertSlice(Emitter &e, Operation *op) {
  auto insert = cast<tileas::InsertSliceOp>(op);
  auto sourceType = dyn_cast<RankedTensorType>(insert.getSource().getType());
  Tile dest = e.tile(insert.getDest()), result = e.makeTile(insert.getResult());
  e.setTile(insert.getResult(), result);
  ArrayRef<int64_t> shape = result.layout.getShape();
  SmallVector<int64_t> sliceShape(shape.size(), 1);
  if (sourceType)
    sliceShape.assign(sourceType.getShape().begin(), sourceType.getShape().end());
  SmallVector<Value> origin = sliceOrigin(e, insert.getIndices(), sliceShape);
  /// Position inside the slice of a register of the result, and whether it lies there.
  auto inSlice = [&](Value index) {
    SmallVector<Value> at = e.coordinates(e.position(result.layout, index), shape), relative;
    Value inside;
    for (auto [coordinate, start, extent] : llvm::zip_equal(at, origin, sliceShape)) {
      relative.push_back(arith::SubIOp::create(e.builder, e.loc, coordinate, start));
      inside = e.both(inside, arith::CmpIOp::create(e.builder, e.loc, arith::CmpIPredicate::ult,
                                                    relative.back(), e.i32(extent)));
    }
    return std::make_pair(flatten(e, relative, sliceShape), inside);
  };
  e.forLoop(result.layout.getNumRegisters(), [&](Value index) {
    Value kept = e.loadRegister(dest, index);
    if (!sourceType) {
      Value inside = inSlice(index).second, element = e.scalar(insert.getSource());
      kept = inside ? Value(arith::SelectOp::create(e.builder, e.loc, inside, element, kept))
                    : element;
    }
    e.storeRegister(result, index, kept);
  });
  if (!sourceType)
    return success();
  Tile source = e.tile(insert.getSource());
  forWindows(e, source, result.layout.getNumRegisters(), [&](const Window &window) {
    e.forLoop(result.layout.getNumRegisters(), [&](Value index) {
      auto [position, inside] = inSlice(index);
      window.readInto(e, result, index, position, inside);
    });
  });
  return success();
}

//===- bytes --------------------------------------------------------------------------------------===//

/// Bits of an element in packed memory order.
unsigned packedBits(Type type) {
  return isa<FloatTF32Type>(type) ? 32 : type.getIntOrFloatBitWidth();
}

/// The number of `bits` bits in a register, without what else a register holds (half bytes lie in bytes).
Value bitsOf(Emitter &e, Value value, unsigned bits) {
  const unsigned held = value.getType().getIntOrFloatBitWidth();
  Type type = e.builder.getIntegerType(held);
  if (value.getType() != type)
    value = arith::BitcastOp::create(e.builder, e.loc, type, value);
  if (bits == held)
    return value;
  Value mask = arith::ConstantIntOp::create(e.builder, e.loc, type, (int64_t(1) << bits) - 1);
  return arith::AndIOp::create(e.builder, e.loc, value, mask);
}

/// A register of the lowest `bits` bits of a number.
Value heldBits(Emitter &e, Value number, unsigned bits, Type held) {
  number = resizeInteger(e, number, e.builder.getIntegerType(held.getIntOrFloatBitWidth()));
  number = bitsOf(e, number, bits);
  return number.getType() == held ? number
                                  : Value(arith::BitcastOp::create(e.builder, e.loc, held, number));
}

/// Each thread takes the elements that it holds apart, or joins them.
void reinterpretHeld(Emitter &e, const Tile &source, const Tile &result, unsigned from, unsigned to,
                     const tileas::PartMap &map) {
  const unsigned wide = std::max(from, to), narrow = std::min(from, to);
  Type whole = e.builder.getIntegerType(wide);
  auto amountOf = [&](Value part) { return resizeInteger(e, e.mul(part, e.i32(narrow)), whole); };
  const int64_t parts = wide / narrow;
  const bool swapped = TILESMITH_PLANT("reinterpret-parts-swapped") ||
                       (narrow == 4 && TILESMITH_PLANT("nibbles-swapped"));
  e.forLoop(result.layout.getNumRegisters(), [&](Value index) {
    if (to < from) {
      Value bits = bitsOf(e, e.loadRegister(source, e.linear(index, map.wholeOf)), wide);
      Value part = e.linear(index, map.partOf);
      if (swapped)
        part = arith::XOrIOp::create(e.builder, e.loc, part, e.i32(parts - 1));
      bits = arith::ShRUIOp::create(e.builder, e.loc, bits, amountOf(part));
      return e.storeRegister(result, index, heldBits(e, bits, narrow, result.element));
    }
    Value joined, first = e.linear(index, map.ofWhole);
    for (int64_t part = 0; part < parts; ++part) {
      const int64_t taken =
          narrow == 4 && TILESMITH_PLANT("nibbles-packed-swapped") ? parts - 1 - part : part;
      Value at = arith::XOrIOp::create(e.builder, e.loc, first, e.linear(e.i32(taken), map.ofPart));
      Value bits = bitsOf(e, e.loadRegister(source, at), narrow);
      bits = bits.getType() != whole && TILESMITH_PLANT("reinterpret-joins-signed")
                 ? Value(arith::ExtSIOp::create(e.builder, e.loc, whole, bits))
                 : resizeInteger(e, bits, whole);
      bits = arith::ShLIOp::create(e.builder, e.loc, bits, amountOf(e.i32(part)));
      joined = joined ? Value(arith::OrIOp::create(e.builder, e.loc, joined, bits)) : bits;
    }
    e.storeRegister(result, index, heldBits(e, joined, wide, result.element));
  });
}

LogicalResult emitReinterpret(Emitter &e, Operation *op) {
  auto cast_ = cast<tileas::ReinterpretOp>(op);
  Type from = cast<RankedTensorType>(cast_.getSource().getType()).getElementType();
  Type to = cast<RankedTensorType>(cast_.getResult().getType()).getElementType();
  Type byte = e.builder.getI8Type();
  Tile source = e.tile(cast_.getSource()), result = e.makeTile(cast_.getResult());
  e.setTile(cast_.getResult(), result);
  unsigned wide = packedBits(from), narrow = packedBits(to);
  const bool splits = narrow < wide;
  if (auto map = tileas::partRegisters(splits ? source.layout : result.layout,
                                       splits ? result.layout : source.layout)) {
    reinterpretHeld(e, source, result, wide, narrow, *map);
    return success();
  }
  // Elements of the source per element of the result, or the reverse. A window never cuts them.
  int64_t sources = std::max(1u, narrow / wide), results = std::max(1u, wide / narrow);
  forWindows(e, source, /*reads=*/0, [&](const Window &window) {
    e.forLoop(result.layout.getNumRegisters(), [&](Value index) {
      Value position = e.position(result.layout, index);
      Value first = e.mul(position, e.i32(sources));
      if (results > 1)
        first = arith::ShRUIOp::create(e.builder, e.loc, position,
                                       e.i32(llvm::Log2_64(uint64_t(results))));
      e.when(window.has(e, first), [&] {
        Value value;
        if (wide < 8) { // several elements, one byte each in scratch, make one byte
          for (int64_t i = 0; i < sources; ++i) {
            Value part = e.load(
                window.pointer(e, e.add(first, e.i32(TILESMITH_PLANT("nibbles-packed-swapped")
                                                         ? sources - 1 - i
                                                         : i))),
                byte);
            part = bitsOf(e, part, TILESMITH_PLANT("half-bytes-packed-unmasked") ? 8 : wide);
            Value amount = arith::ConstantIntOp::create(e.builder, e.loc, byte, i * wide);
            part = arith::ShLIOp::create(e.builder, e.loc, part, amount);
            value = value ? Value(arith::OrIOp::create(e.builder, e.loc, value, part)) : part;
          }
        } else if (narrow < 8) { // one byte holds several elements
          Value whole = e.load(window.pointer(e, first), byte);
          Value which = arith::AndIOp::create(e.builder, e.loc, position, e.i32(results - 1));
          if (TILESMITH_PLANT("nibbles-swapped"))
            which = arith::XOrIOp::create(e.builder, e.loc, which, e.i32(results - 1));
          Value amount = resizeInteger(e, e.mul(which, e.i32(narrow)), byte);
          value = arith::ShRUIOp::create(e.builder, e.loc, whole, amount);
          Value mask = arith::ConstantIntOp::create(e.builder, e.loc, byte, (1 << narrow) - 1);
          value = arith::AndIOp::create(e.builder, e.loc, value, mask);
          if (result.element.isInteger(1))
            value = arith::TruncIOp::create(e.builder, e.loc, result.element, value);
        } else {
          Value which = arith::AndIOp::create(e.builder, e.loc, position, e.i32(results - 1));
          value = e.load(e.elementPointer(window.pointer(e, first), result.element, which),
                         result.element);
        }
        e.storeRegister(result, index, value);
      });
    });
  });
  return success();
}

//===- grid ---------------------------------------------------------------------------------------===//

/// In a kernel with clusters, tile blocks are clusters.
template <typename GpuOp, typename ClusterOp>
LogicalResult gridQuery(Emitter &e, Operation *op, ValueRange, Value,
                        SmallVectorImpl<Value> &results) {
  auto axis = static_cast<gpu::Dimension>(op->getAttrOfType<IntegerAttr>("axis").getInt());
  if (TILESMITH_PLANT("grid-axes-swapped") && axis != gpu::Dimension::x)
    axis = axis == gpu::Dimension::y ? gpu::Dimension::z : gpu::Dimension::y;
  if (isa<tileaa::GetProgramIdOp>(op) && axis == gpu::Dimension::z &&
      TILESMITH_PLANT("grid-depth-ignored")) {
    results.push_back(e.i32(0));
    return success();
  }
  Type index = e.builder.getIndexType();
  Value id = tileas::clusterBlocks(op->getParentOfType<tileaa::FuncOp>()) > 1
                 ? Value(ClusterOp::create(e.builder, e.loc, index, axis))
                 : Value(GpuOp::create(e.builder, e.loc, index, axis));
  results.push_back(arith::IndexCastOp::create(e.builder, e.loc, e.builder.getI32Type(), id));
  return success();
}

/// Rank of the block in its cluster.
LogicalResult clusterRank(Emitter &e, Operation *op, ValueRange, Value,
                          SmallVectorImpl<Value> &results) {
  results.push_back(gpu::ClusterBlockIdOp::create(e.builder, e.loc, e.builder.getIndexType(),
                                                  cast<gpu::ClusterBlockIdOp>(op).getDimension()));
  return success();
}

} // namespace

void tileas_to_nvgpu::registerShape(HandlerTable &table) {
  table.elements.add<tileaa::SplatOp>(splat);
  table.elements.add<tileaa::MakeRangeOp>(makeRange);
  table.elements.add<tileaa::GetProgramIdOp>(gridQuery<gpu::BlockIdOp, gpu::ClusterIdOp>);
  table.elements.add<tileaa::GetNumProgramsOp>(gridQuery<gpu::GridDimOp, gpu::ClusterDimOp>);
  table.elements.add<gpu::ClusterBlockIdOp>(clusterRank);
  table.operations.add<tileas::ReinterpretOp>(emitReinterpret);
  table.operations.add<tileas::CatOp>(emitCat);
  table.operations.add<tileas::ExtractSliceOp>(emitExtractSlice);
  table.operations.add<tileas::InsertSliceOp>(emitInsertSlice);
}
