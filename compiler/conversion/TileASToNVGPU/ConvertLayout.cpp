//===- ConvertLayout.cpp - layout conversions and pure register renaming per thread -----------===//
//
// convert_layout chooses the cheapest form that is exact:
//   * identical maps: the result is the same storage;
//   * a permutation of registers: every thread renames its own;
//   * planned: by shuffles, swizzled shared memory (between warps, or each warp through a piece of its own)
//     or matrices (Exchange.h);
//   * otherwise through shared memory: barrier, owners write row-major, barrier, everybody reads.
// view, permute and broadcast never move registers (their result layouts are chosen so), hence are
// elementwise copies.
//
// Tiles of more than `kBytesExchangedAtOnce` are exchanged in rounds, unless so much shared memory is there for
// rings that have been read.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/conversion/TileASToNVGPU/Exchange.h"
#include "compiler/conversion/TileASToNVGPU/WarpTile.h"
#include "compiler/support/Plants.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas_to_nvgpu;
using tileas::LayoutAttr;

/// Result register r reads source register linear(r, bases): valid when `conversion` keeps lane and
/// warp.
static SmallVector<int64_t> registerMap(LayoutAttr source, LayoutAttr result) {
  F2Matrix map = *result.toLinear().invertAndCompose(source.toLinear());
  SmallVector<int64_t> bases;
  int64_t registers = source.getNumRegisters();
  for (size_t bit = 0; bit < result.getRegisters().size(); ++bit)
    bases.push_back(map.apply(uint64_t(1) << bit) & (registers - 1));
  return bases;
}

static LogicalResult emitConvertLayout(Emitter &e, Operation *op) {
  auto convert = cast<tileas::ConvertLayoutOp>(op);
  Tile from = e.tile(convert.getSource());
  LayoutAttr target = tileas::getLayout(convert.getResult().getType());
  ConversionKind kind = classifyConversion(from.layout.toLinear(), target.toLinear());
  if (kind == ConversionKind::Identical) {
    e.setTile(convert.getResult(), {from.storage, from.element, target});
    return success();
  }
  if (convert.getSource().getDefiningOp<tileas::PermuteOp>() && target.getNumElements() < 32 &&
      TILESMITH_PLANT("permute-refuses-small-tiles"))
    return op->emitOpError("unsupported layout conversion");
  if (convert.getSource().getDefiningOp<tileas::PermuteOp>() && target.getShape().size() > 3 &&
      TILESMITH_PLANT("permute-of-rank-four-refused"))
    return op->emitOpError("expected a tile of at most three dimensions");
  std::optional<tileas::Exchange> plan = getExchange(op);
  if (plan == tileas::Exchange::operand)
    return success(); // the dot fetches it
  Tile to = e.makeTile(convert.getResult());
  e.setTile(convert.getResult(), to);
  if (kind == ConversionKind::RegisterPermutation) {
    SmallVector<int64_t> bases = registerMap(from.layout, target);
    e.forLoop(target.getNumRegisters(), [&](Value index) {
      e.storeRegister(to, index, e.loadRegister(from, e.linear(index, bases)));
    });
    return success();
  }

  if (plan == tileas::Exchange::shuffle) {
    if (succeeded(emitShuffleExchange(e, from, to)))
      return success();
    if (auto lanes = WarpTile::of(from, distinctRegisters(target), kMaxShufflesOfConversion)) {
      readAll(e, *lanes, to);
      return success();
    }
  }
  if (plan == tileas::Exchange::matrix && succeeded(emitMatrixExchange(e, from, to)))
    return success();
  if (plan == tileas::Exchange::swizzle)
    return emitSwizzleExchange(e, from, to, /*inBytes=*/!e.hasProducts(op));

  int64_t bytes = e.elementBytes(from.element), elements = target.getNumElements();
  int64_t chunk = std::min(elements, tileas::kBytesExchangedAtOnce / bytes);
  int64_t place = chunk == elements ? e.nextPlace(chunk * bytes) : 0;
  auto exchange = [&](Value chunkStart) {
    auto inChunk = [&](Value position) -> Value {
      if (chunk == elements)
        return {};
      Value masked = arith::AndIOp::create(e.builder, e.loc, position, e.i32(~(chunk - 1)));
      return arith::CmpIOp::create(e.builder, e.loc, arith::CmpIPredicate::eq, masked, chunkStart);
    };
    auto slot = [&](Value position) {
      Value offset = arith::AndIOp::create(e.builder, e.loc, position, e.i32(chunk - 1));
      return e.elementPointer(e.scratch(place, place + chunk * bytes), from.element, offset);
    };
    e.barrier();
    e.forLoop(from.layout.getNumRegisters(), [&](Value index) {
      Value position = e.position(from.layout, index);
      Value owner = e.both(e.ownerThread(from.layout), e.ownerRegister(from.layout, index));
      e.when(e.both(owner, inChunk(position)),
             [&] { e.store(e.loadRegister(from, index), slot(position)); });
    });
    if (!TILESMITH_PLANT("barrier-dropped-in-convert-layout"))
      e.barrier();
    e.forLoop(target.getNumRegisters(), [&](Value index) {
      Value position = e.position(target, index);
      e.when(inChunk(position),
             [&] { e.storeRegister(to, index, e.load(slot(position), to.element)); });
    });
  };
  if (chunk == elements) {
    exchange(e.i32(0));
  } else {
    e.forLoop(e.i32(0), e.i32(elements), e.i32(chunk), {}, [&](Value start, ValueRange) {
      exchange(start);
      return SmallVector<Value>();
    });
  }
  return success();
}

static LogicalResult emitCopy(Emitter &, Operation *, ValueRange operands, Value,
                              SmallVectorImpl<Value> &results) {
  results.push_back(operands[0]);
  return success();
}

void tileas_to_nvgpu::registerConvertLayout(HandlerTable &table) {
  table.operations.add<tileas::ConvertLayoutOp>(emitConvertLayout);
  table.elements.add<tileas::ViewOp, tileas::PermuteOp, tileas::BroadcastOp>(emitCopy);
}
