//===- ReduceScan.cpp - reductions and prefix scans per thread --------------------------------===//
//
// reduce, along one axis whose bits are spread over register, lane and warp bits of the operand
// layout:
//   1. every thread combines its own registers along the axis;
//   2. for every lane bit of the axis, a butterfly shuffle combines lanes (both partners get the
//   same value because
//      the body is commutative);
//   3. for warp bits of the axis, one lane per group writes partial results to scratch, barrier,
//   and every thread
//      combines the partial results of all warps in a fixed order.
// The result layout is the operand layout without the axis (reduceLayout), so every holder has the
// value.
//
// scan goes through scratch: each thread scans whole lines one after another in place, and the tile
// is read back. One line is never split, so order is kept; tiles that do not fit go some lines at a
// time, and likewise the partial results of reduce.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/conversion/TileASToNVGPU/Emitter.h"
#include "compiler/support/Plants.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas_to_nvgpu;
using tileas::LayoutAttr;

namespace {

/// Clones the scalar body for one pair of value tuples: a[i] and b[i] are the pair of operand i.
LogicalResult combine(Emitter &e, Block &body, ValueRange a, ValueRange b,
                      SmallVectorImpl<Value> &out) {
  for (size_t i = 0; i < a.size(); ++i) {
    e.setScalar(body.getArgument(2 * i), a[i]);
    e.setScalar(body.getArgument(2 * i + 1), b[i]);
  }
  for (Operation &op : body.without_terminator()) {
    SmallVector<Value> operands, results;
    for (Value operand : op.getOperands())
      operands.push_back(e.scalar(operand));
    if (failed(e.emitElement(&op, operands, {}, results)))
      return failure();
    for (auto [result, emitted] : llvm::zip_equal(op.getResults(), results))
      e.setScalar(result, emitted);
  }
  out.clear();
  for (Value value : body.getTerminator()->getOperands())
    out.push_back(e.scalar(value));
  return success();
}

/// Bits of `bases` that select along the axis occupying flat bits [low, low+count).
SmallVector<unsigned> axisBits(ArrayRef<int64_t> bases, int64_t axisMask) {
  SmallVector<unsigned> bits;
  for (auto [bit, basis] : llvm::enumerate(bases))
    if (basis & axisMask)
      bits.push_back(bit);
  return bits;
}

int64_t axisMaskOf(ArrayRef<int64_t> shape, unsigned axis) {
  int64_t stride = 1;
  for (size_t dim = axis + 1; dim < shape.size(); ++dim)
    stride *= shape[dim];
  return (shape[axis] - 1) * stride;
}

LogicalResult emitReduce(Emitter &e, Operation *op) {
  auto reduce = cast<tileas::ReduceOp>(op);
  Block &body = reduce.getBody().front();
  LayoutAttr layout = tileas::getLayout(reduce.getOperands()[0].getType());
  LayoutAttr resultLayout = tileas::reduceLayout(layout, reduce.getAxis());
  int64_t axisMask = axisMaskOf(layout.getShape(), reduce.getAxis());
  for (ArrayRef<int64_t> bases : {layout.getRegisters(), layout.getLanes(), layout.getWarps()})
    for (int64_t basis : bases)
      if ((basis & axisMask) && (basis & ~axisMask))
        return op->emitOpError(
            "expected a layout whose bits do not mix the reduced axis with others");

  // Register bits of the operand: along the axis, and the others in result order.
  SmallVector<int64_t> alongBases, otherBases;
  for (auto [bit, basis] : llvm::enumerate(layout.getRegisters()))
    (basis & axisMask ? alongBases : otherBases).push_back(int64_t(1) << bit);
  SmallVector<unsigned> laneBits = axisBits(layout.getLanes(), axisMask);
  SmallVector<unsigned> warpBits = axisBits(layout.getWarps(), axisMask);

  SmallVector<Tile> sources, results;
  for (Value operand : reduce.getOperands())
    sources.push_back(e.tile(operand));
  for (const Tile &source : sources)
    results.push_back(e.makeTile(source.element, resultLayout));

  LogicalResult status = success();
  auto combineOrFail = [&](ValueRange a, ValueRange b) {
    SmallVector<Value> out;
    if (failed(combine(e, body, a, b, out))) {
      status = failure();
      out.assign(a.begin(), a.end());
    }
    return out;
  };
  e.forLoop(resultLayout.getNumRegisters(), [&](Value index) {
    Value base = e.linear(index, otherBases);
    SmallVector<Value> accumulator;
    for (const Tile &source : sources)
      accumulator.push_back(e.loadRegister(source, base));
    if (!alongBases.empty())
      accumulator = e.forLoop(e.i32(TILESMITH_PLANT("reduce-skips-first-step") ? 2 : 1),
                              e.i32(int64_t(1) << alongBases.size()), e.i32(1), accumulator,
                              [&](Value step, ValueRange carried) {
                                Value from = arith::OrIOp::create(e.builder, e.loc, base,
                                                                  e.linear(step, alongBases));
                                SmallVector<Value> elements;
                                for (const Tile &source : sources)
                                  elements.push_back(e.loadRegister(source, from));
                                return combineOrFail(carried, elements);
                              });
    for (unsigned bit : laneBits) {
      if (TILESMITH_PLANT("reduce-skips-lane-step") && bit == laneBits.back())
        continue;
      SmallVector<Value> others;
      for (Value value : accumulator)
        others.push_back(e.shuffleXor(value, 1u << (TILESMITH_PLANT("reduce-shuffles-neighbour") &&
                                                            bit == laneBits.back() && bit > 0
                                                        ? bit - 1
                                                        : bit)));
      accumulator = combineOrFail(accumulator, others);
    }
    for (auto [result, value] : llvm::zip_equal(results, accumulator))
      e.storeRegister(result, index, value);
  });
  if (failed(status))
    return failure();

  if (!warpBits.empty()) {
    // Scratch: per operand, one row of result elements per combination of the axis' warp bits.
    int64_t rows = int64_t(1) << warpBits.size(), elements = resultLayout.getNumElements();
    SmallVector<int64_t> warpToRow(layout.getWarps().size(), 0);
    for (auto [row, bit] : llvm::enumerate(warpBits))
      warpToRow[bit] = int64_t(1) << row;
    // One writer per element and row: lane bits of the axis and free bits are zero; warp bits of
    // the axis pick the row.
    LinearLayout linear = layout.toLinear();
    int64_t silentLanes = linear.freeMask(InDim::Lane), silentWarps = linear.freeMask(InDim::Warp);
    for (unsigned bit : laneBits)
      silentLanes |= int64_t(1) << bit;
    Value writer;
    if (silentLanes | silentWarps) {
      Value bits = arith::AndIOp::create(e.builder, e.loc, e.threadIndex(),
                                         e.i32(silentLanes | (silentWarps << 5)));
      writer = arith::CmpIOp::create(e.builder, e.loc, arith::CmpIPredicate::eq, bits, e.i32(0));
    }
    // Rounds over the result elements, as many at once as fit.
    int64_t bytes = 0;
    for (const Tile &result : results)
      bytes += rows * e.elementBytes(result.element);
    int64_t size = elements;
    while (size > 1 && size * bytes > kMaxSharedBytes)
      size /= 2;
    if (size * bytes > kMaxSharedBytes)
      return op->emitOpError("needs ")
             << size * bytes << " bytes of shared memory, the limit is " << kMaxSharedBytes;
    SmallVector<int64_t> offsets;
    int64_t total = 0;
    for (const Tile &result : results) {
      offsets.push_back(total);
      total += llvm::alignTo(rows * size * e.elementBytes(result.element), 16);
    }
    auto slot = [&](size_t operand, Value row, Value position) {
      if (size < elements)
        position = arith::AndIOp::create(e.builder, e.loc, position, e.i32(size - 1));
      Value offset = e.add(e.mul(row, e.i32(size)), position);
      return e.elementPointer(e.scratch(offsets[operand], total), results[operand].element, offset);
    };
    auto inRound = [&](Value position, Value start) -> Value {
      if (size == elements)
        return {};
      Value first = arith::AndIOp::create(e.builder, e.loc, position, e.i32(-size));
      return arith::CmpIOp::create(e.builder, e.loc, arith::CmpIPredicate::eq, first, start);
    };
    Value myRow = e.linear(e.warpIndex(), warpToRow);
    auto exchange = [&](Value start) {
      e.barrier();
      e.when(writer, [&] {
        e.forLoop(resultLayout.getNumRegisters(), [&](Value index) {
          Value position = e.position(resultLayout, index);
          e.when(e.both(e.ownerRegister(resultLayout, index), inRound(position, start)), [&] {
            for (auto [i, result] : llvm::enumerate(results))
              e.store(e.loadRegister(result, index), slot(i, myRow, position));
          });
        });
      });
      if (!TILESMITH_PLANT("reduce-barrier-dropped"))
        e.barrier();
      e.forLoop(resultLayout.getNumRegisters(), [&](Value index) {
        Value position = e.position(resultLayout, index);
        e.when(inRound(position, start), [&] {
          auto row = [&](Value which) {
            SmallVector<Value> values;
            for (auto [i, result] : llvm::enumerate(results))
              values.push_back(e.load(slot(i, which, position), result.element));
            return values;
          };
          int64_t last = TILESMITH_PLANT("reduce-forgets-last-warp") ? rows - 1 : rows;
          SmallVector<Value> accumulator =
              e.forLoop(e.i32(TILESMITH_PLANT("reduce-second-warp-skipped") ? 2 : 1), e.i32(last),
                        e.i32(1), row(e.i32(0)), [&](Value which, ValueRange carried) {
                          return combineOrFail(carried, row(which));
                        });
          for (auto [result, value] : llvm::zip_equal(results, accumulator))
            e.storeRegister(result, index, value);
        });
      });
    };
    if (size == elements) {
      exchange(e.i32(0));
    } else {
      e.forLoop(e.i32(0), e.i32(elements), e.i32(size), {}, [&](Value start, ValueRange) {
        exchange(start);
        return SmallVector<Value>();
      });
    }
  }
  for (auto [value, result] : llvm::zip_equal(reduce.getResults(), results)) {
    if (isa<RankedTensorType>(value.getType()))
      e.setTile(value, result);
    else
      e.setScalar(value, e.loadRegister(result, e.i32(0)));
  }
  return status;
}

LogicalResult emitScan(Emitter &e, Operation *op) {
  auto scan = cast<tileas::ScanOp>(op);
  Block &body = scan.getBody().front();
  LayoutAttr layout = tileas::getLayout(scan.getOperands()[0].getType());
  ArrayRef<int64_t> shape = layout.getShape();
  int64_t elements = layout.getNumElements(), length = shape[scan.getAxis()], stride = 1;
  for (size_t dim = scan.getAxis() + 1; dim < shape.size(); ++dim)
    stride *= shape[dim];

  // Rounds over whole lines, as many at once as fit.
  SmallVector<Tile> sources;
  int64_t lines = elements / length, threads = 32 * e.numWarps, lineBytes = 0;
  for (Value operand : scan.getOperands()) {
    sources.push_back(e.tile(operand));
    lineBytes += length * e.elementBytes(sources.back().element);
  }
  int64_t size = lines;
  while (size > 1 && size * lineBytes > kMaxSharedBytes)
    size /= 2;
  if (size * lineBytes > kMaxSharedBytes)
    return op->emitOpError("needs ") << size * lineBytes << " bytes of shared memory for one line, "
                                     << "the limit is " << kMaxSharedBytes;
  SmallVector<int64_t> offsets;
  int64_t total = 0;
  for (const Tile &source : sources) {
    offsets.push_back(total);
    total += llvm::alignTo(size * length * e.elementBytes(source.element), 16);
  }
  SmallVector<Tile> results;
  for (Value result : scan.getResults()) {
    results.push_back(e.makeTile(result));
    e.setTile(result, results.back());
  }
  // In scratch, as in the tile, lines that start next to each other are interleaved: inner lines of
  // a round run faster than the steps along them.
  int64_t inner = std::min(size, stride);
  // Row-major position -> place along its line, and number of its line.
  auto split = [&](Value position) {
    Value rest = arith::ShRUIOp::create(e.builder, e.loc, position, e.i32(llvm::Log2_64(stride)));
    Value along = arith::AndIOp::create(e.builder, e.loc, rest, e.i32(length - 1));
    Value line = arith::ShRUIOp::create(e.builder, e.loc, rest, e.i32(llvm::Log2_64(length)));
    line = e.add(e.mul(line, e.i32(stride)),
                 arith::AndIOp::create(e.builder, e.loc, position, e.i32(stride - 1)));
    return std::make_pair(along, line);
  };
  // `line` counts inside the round.
  auto slot = [&](size_t operand, Value line, Value along) {
    Value low = arith::AndIOp::create(e.builder, e.loc, line, e.i32(inner - 1));
    Value high = arith::ShRUIOp::create(e.builder, e.loc, line, e.i32(llvm::Log2_64(inner)));
    Value place = e.add(e.mul(e.add(e.mul(high, e.i32(length)), along), e.i32(inner)), low);
    return e.elementPointer(e.scratch(offsets[operand], total), sources[operand].element, place);
  };
  auto inRound = [&](Value line, Value start) -> Value {
    if (size == lines)
      return {};
    Value first = arith::AndIOp::create(e.builder, e.loc, line, e.i32(-size));
    return arith::CmpIOp::create(e.builder, e.loc, arith::CmpIPredicate::eq, first, start);
  };
  auto lineInRound = [&](Value line) {
    return arith::AndIOp::create(e.builder, e.loc, line, e.i32(size - 1));
  };

  LogicalResult status = success();
  auto exchange = [&](Value start) {
    e.barrier();
    e.forLoop(layout.getNumRegisters(), [&](Value index) {
      auto [along, line] = split(e.position(layout, index));
      Value owner = e.both(e.ownerThread(layout), e.ownerRegister(layout, index));
      e.when(e.both(owner, inRound(line, start)), [&] {
        for (auto [i, source] : llvm::enumerate(sources))
          e.store(e.loadRegister(source, index), slot(i, lineInRound(line), along));
      });
    });
    if (!TILESMITH_PLANT("scan-lines-barrier-dropped"))
      e.barrier();
    e.forLoop(e.threadIndex(), e.i32(size), e.i32(threads), {}, [&](Value line, ValueRange) {
      auto at = [&](Value step) -> Value {
        if (scan.getReverse() && !TILESMITH_PLANT("scan-reverse-ignored"))
          return arith::SubIOp::create(e.builder, e.loc, e.i32(length - 1), step);
        return step;
      };
      auto read = [&](Value along) {
        SmallVector<Value> values;
        for (auto [i, source] : llvm::enumerate(sources))
          values.push_back(e.load(slot(i, line, along), source.element));
        return values;
      };
      int64_t last = TILESMITH_PLANT("scan-stops-early") && length > 4 ? length - 1 : length;
      e.forLoop(e.i32(1), e.i32(last), e.i32(1), read(at(e.i32(0))),
                [&](Value step, ValueRange carried) {
                  Value along = at(step);
                  SmallVector<Value> out;
                  if (failed(combine(e, body, carried, read(along), out))) {
                    status = failure();
                    return SmallVector<Value>(carried);
                  }
                  for (auto [i, value] : llvm::enumerate(out))
                    e.store(value, slot(i, line, along));
                  return out;
                });
      return SmallVector<Value>();
    });
    if (!TILESMITH_PLANT("scan-barrier-dropped"))
      e.barrier();
    for (auto [i, tile] : llvm::enumerate(results))
      e.forLoop(tile.layout.getNumRegisters(), [&](Value index) {
        auto [along, line] = split(e.position(tile.layout, index));
        e.when(inRound(line, start), [&] {
          e.storeRegister(tile, index, e.load(slot(i, lineInRound(line), along), tile.element));
        });
      });
  };
  if (size == lines) {
    exchange(e.i32(0));
  } else {
    e.forLoop(e.i32(0), e.i32(lines), e.i32(size), {}, [&](Value start, ValueRange) {
      exchange(start);
      return SmallVector<Value>();
    });
  }
  return status;
}

} // namespace

void tileas_to_nvgpu::registerReduceScan(HandlerTable &table) {
  table.operations.add<tileas::ReduceOp>(emitReduce);
  table.operations.add<tileas::ScanOp>(emitScan);
}
