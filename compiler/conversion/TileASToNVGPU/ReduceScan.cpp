//===- ReduceScan.cpp - reductions and prefix scans per thread --------------------------------===//
//
// reduce, along one axis whose bits are spread over register, lane and warp bits of the operand
// layout:
//   1. every thread combines its own registers along the axis;
//   2. for every lane bit of the axis, a butterfly shuffle combines lanes (both partners get the
//      same value because the body is commutative), or one instruction all of them;
//   3. for warp bits of the axis, one lane per group writes partial results to scratch, barrier,
//      and every thread combines the partial results of all warps in a fixed order.
// The result layout is the operand layout without the axis (reduceLayout), so every holder has the
// value.
//
// scan in few registers: ParallelScan.cpp. Others go through scratch: each thread scans whole lines one after another in place, and the tile
// is read back. One line is never split, so order is kept; tiles that do not fit go some lines at a
// time, and likewise the partial results of reduce.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/conversion/TileASToNVGPU/Emitter.h"
#include "compiler/conversion/TileASToNVGPU/ParallelScan.h"
#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/support/Plants.h"
#include "compiler/target/Targets.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas_to_nvgpu;
using tileas::LayoutAttr;

static LogicalResult emitBodyOperations(Emitter &e, Block &block);

/// A branch in a body: nobody waits in it for others, so that each thread may take its own.
static LogicalResult emitBodyBranch(Emitter &e, scf::IfOp branch) {
  SmallVector<Type> types;
  for (Type type : branch.getResultTypes())
    types.push_back(e.elementType(type));
  bool hasElse = !branch.getElseRegion().empty();
  auto emitted = scf::IfOp::create(e.builder, e.loc, types, e.scalar(branch.getCondition()),
                                   /*addThenBlock=*/true, /*addElseBlock=*/hasElse);
  const bool swaps = hasElse && TILESMITH_PLANT("reduce-body-branches-swapped");
  Region *yes = &branch.getThenRegion(), *no = &branch.getElseRegion();
  for (auto [from, to] : {std::pair(swaps ? no : yes, &emitted.getThenRegion()),
                          std::pair(swaps ? yes : no, &emitted.getElseRegion())}) {
    if (failed(emitInto(e, *from, *to, [&](Block &block) -> LogicalResult {
          if (failed(emitBodyOperations(e, block)))
            return failure();
          SmallVector<Value> yielded;
          for (Value value : block.getTerminator()->getOperands())
            yielded.push_back(e.scalar(value));
          scf::YieldOp::create(e.builder, e.loc, yielded);
          return success();
        })))
      return failure();
  }
  for (auto [result, value] : llvm::zip_equal(branch.getResults(), emitted.getResults()))
    e.setScalar(result, value);
  return success();
}

static LogicalResult emitBodyOperations(Emitter &e, Block &block) {
  for (Operation &op : block.without_terminator()) {
    if (auto branch = dyn_cast<scf::IfOp>(op)) {
      if (failed(emitBodyBranch(e, branch)))
        return failure();
      continue;
    }
    SmallVector<Value> operands, results;
    for (Value operand : op.getOperands())
      operands.push_back(e.scalar(operand));
    if (failed(e.emitElement(&op, operands, {}, results)))
      return failure();
    for (auto [result, emitted] : llvm::zip_equal(op.getResults(), results))
      e.setScalar(result, emitted);
  }
  return success();
}

LogicalResult tileas_to_nvgpu::combineBody(Emitter &e, Block &body, ValueRange a, ValueRange b,
                                           SmallVectorImpl<Value> &out) {
  for (size_t i = 0; i < a.size(); ++i) {
    e.setScalar(body.getArgument(2 * i), a[i]);
    e.setScalar(body.getArgument(2 * i + 1), b[i]);
  }
  if (failed(emitBodyOperations(e, body)))
    return failure();
  out.clear();
  for (Value value : body.getTerminator()->getOperands())
    out.push_back(e.scalar(value));
  return success();
}

namespace {

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

/// Elements of a thread along the axis from which on several chains of them are combined.
constexpr int64_t kManySteps = 128;

/// How many of `count` things of `bytes` each fit into shared memory at once, as a power of two; at
/// least one.
int64_t roundSize(int64_t count, int64_t bytes) {
  while (count > 1 && count * bytes > kMaxSharedBytes)
    count /= 2;
  return count;
}

/// Emits `body` once per round of `size` out of `count`, given the first of the round.
void inRounds(Emitter &e, int64_t count, int64_t size, llvm::function_ref<void(Value start)> body) {
  if (size == count)
    return body(e.i32(0));
  e.forLoop(e.i32(0), e.i32(count), e.i32(size), {}, [&](Value start, ValueRange) {
    body(start);
    return SmallVector<Value>();
  });
}

/// Whether `index` belongs to the round that begins at `start`; null where there is one round only.
Value isInRound(Emitter &e, Value index, Value start, int64_t count, int64_t size) {
  if (size == count)
    return {};
  Value first = arith::AndIOp::create(e.builder, e.loc, index, e.i32(-size));
  return arith::CmpIOp::create(e.builder, e.loc, arith::CmpIPredicate::eq, first, start);
}

/// Where the parts of several operands lie in scratch memory, and where they end.
struct Parts {
  SmallVector<int64_t> offsets;
  int64_t end = 0;
};

/// `count` elements of each tile.
Parts partsOf(Emitter &e, ArrayRef<Tile> tiles, int64_t count) {
  Parts parts;
  for (const Tile &tile : tiles) {
    parts.offsets.push_back(parts.end);
    const Tile &held = TILESMITH_PLANT("collective-parts-of-first-type") ? tiles.front() : tile;
    parts.end += llvm::alignTo(count * e.elementBytes(held.element), 16);
  }
  return parts;
}

//===- reduce -------------------------------------------------------------------------------------===//

class Reduction {
public:
  Reduction(Emitter &e, tileas::ReduceOp op)
      : e(e), op(op), body(op.getBody().front()),
        layout(tileas::getLayout(op.getOperands()[0].getType())),
        resultLayout(tileas::reduceLayout(layout, op.getAxis())) {}

  LogicalResult run() {
    if (failed(analyse()))
      return failure();
    for (Value operand : op.getOperands())
      sources.push_back(e.tile(operand));
    for (const Tile &source : sources)
      results.push_back(e.makeTile(source.element, resultLayout));
    e.forLoop(resultLayout.getNumRegisters(), [&](Value index) { combineWithinWarp(index); });
    if (failed(status) || (!warpBits.empty() && failed(combineWarps())))
      return failure();
    for (auto [value, result] : llvm::zip_equal(op.getResults(), results)) {
      if (isa<RankedTensorType>(value.getType()))
        e.setTile(value, result);
      else
        e.setScalar(value, e.loadRegister(result, e.i32(0)));
    }
    return status;
  }

private:
  /// Which bits of registers, lanes and warps select along the axis.
  LogicalResult analyse() {
    int64_t axisMask = axisMaskOf(layout.getShape(), op.getAxis());
    for (ArrayRef<int64_t> bases : {layout.getRegisters(), layout.getLanes(), layout.getWarps()})
      for (int64_t basis : bases)
        if ((basis & axisMask) && (basis & ~axisMask))
          return op.emitOpError(
              "expected a layout whose bits do not mix the reduced axis with others");
    for (auto [bit, basis] : llvm::enumerate(layout.getRegisters()))
      (basis & axisMask ? alongBases : otherBases).push_back(int64_t(1) << bit);
    laneBits = axisBits(layout.getLanes(), axisMask);
    if (int64_t free = layout.toLinear().freeMask(InDim::Lane)) {
      if (TILESMITH_PLANT("reduce-refuses-replicas"))
        return op.emitOpError("expected consistent layouts of operand and result");
      for (unsigned bit = 0; bit < 5 && TILESMITH_PLANT("reduce-combines-replicas"); ++bit)
        if (free >> bit & 1)
          laneBits.push_back(bit);
    }
    warpBits = axisBits(layout.getWarps(), axisMask);
    return success();
  }

  SmallVector<Value> combineOrFail(ValueRange a, ValueRange b) {
    SmallVector<Value> out;
    if (failed(combineBody(e, body, a, b, out))) {
      status = failure();
      out.assign(a.begin(), a.end());
    }
    return out;
  }

  /// The elements along the axis that a thread holds. Of many, so that few wait for each other, every
  /// fourth one goes to a chain of its own.
  SmallVector<Value> combineRegisters(Value base, int64_t steps) {
    auto load = [&](Value step) {
      Value from = arith::OrIOp::create(e.builder, e.loc, base, e.linear(step, alongBases));
      SmallVector<Value> elements;
      for (const Tile &source : sources)
        elements.push_back(e.loadRegister(source, from));
      return elements;
    };
    const int64_t chains = steps >= kManySteps ? 4 : 1;
    const size_t count = sources.size();
    SmallVector<Value> accumulators;
    for (int64_t chain = 0; chain < chains; ++chain)
      accumulators.append(load(e.i32(chain)));
    int64_t first = chains + (TILESMITH_PLANT("reduce-skips-first-step") ? 1 : 0);
    auto turn = [&](Value step, ValueRange carried) {
      SmallVector<Value> next;
      for (int64_t chain = 0; chain < chains; ++chain)
        next.append(
            combineOrFail(carried.slice(chain * count, count), load(e.add(step, e.i32(chain)))));
      return next;
    };
    if (!alongBases.empty()) // bodies of several values are longer than what LLVM unrolls unasked
      accumulators = e.unrolledLoop(first, steps, chains, accumulators, turn);
    for (; accumulators.size() > count; accumulators.truncate(accumulators.size() / 2)) {
      size_t half = accumulators.size() / 2;
      size_t end = half > count && TILESMITH_PLANT("reduce-fourth-chain-lost") ? count : half;
      for (size_t chain = 0; chain < end; chain += count) {
        SmallVector<Value> both = combineOrFail(ArrayRef(accumulators).slice(chain, count),
                                                ArrayRef(accumulators).slice(half + chain, count));
        llvm::copy(both, accumulators.begin() + chain);
      }
    }
    return accumulators;
  }

  /// The same in pairs, as tileas-pack-elements noted: of many elements two pairs at a time.
  SmallVector<Value> combinePairs(Value base, int64_t steps) {
    Operation *arithmetic = tileas::packedArithmetic(op);
    auto load = [&](Value step) {
      auto element = [&](Value at) {
        Value from = arith::OrIOp::create(e.builder, e.loc, base, e.linear(at, alongBases));
        return e.loadRegister(sources.front(), from);
      };
      Value low = element(step);
      return e.pair(low, element(e.add(step, e.i32(1))));
    };
    const int64_t width = steps >= kManySteps ? 4 : 2; // elements of a turn
    SmallVector<Value> pairs;
    for (int64_t first = 0; first < width; first += 2)
      pairs.push_back(load(e.i32(first)));
    int64_t first = width + (TILESMITH_PLANT("packed-reduce-skips-pairs") ? width : 0);
    pairs = e.unrolledLoop(first, steps, width, pairs, [&](Value step, ValueRange carried) {
      SmallVector<Value> next;
      for (auto [i, held] : llvm::enumerate(carried))
        next.push_back(emitPacked(e, arithmetic, {held, load(e.add(step, e.i32(2 * i)))}));
      return next;
    });
    if (pairs.size() == 2 && !TILESMITH_PLANT("packed-reduce-second-pair-lost"))
      pairs.front() = emitPacked(e, arithmetic, pairs);
    return combineOrFail(e.half(pairs.front(), 0), e.half(pairs.front(), 1));
  }

  /// LLVM sinks what is wanted behind a branch only, and keeps all elements for it: not those of many
  /// registers, beside sums in tensor memory that pass through registers there.
  void stayHere(SmallVectorImpl<Value> &accumulator, int64_t steps) {
    if (!e.tensorMemory.owner || steps < kManySteps / 2)
      return;
    Type word = e.builder.getI32Type();
    for (Value &value : accumulator)
      if (value.getType().isF32())
        value = LLVM::BitcastOp::create(
            e.builder, e.loc, value.getType(),
            e.opaque(LLVM::BitcastOp::create(e.builder, e.loc, word, value), /*anew=*/true));
  }

  /// Steps 1 and 2 for one register of the result.
  void combineWithinWarp(Value index) {
    Value base = e.linear(index, otherBases);
    if (layout.getShape()[op.getAxis()] == 1 && TILESMITH_PLANT("reduce-of-single-is-first"))
      base = e.i32(0);
    int64_t steps = int64_t(1) << alongBases.size();
    auto real = dyn_cast<FloatType>(sources.front().element);
    if (real && real.getWidth() == 16 && steps > 4 && TILESMITH_PLANT("reduce-half-skips-last"))
      --steps;
    SmallVector<Value> accumulator =
        tileas::isPacked(op) ? combinePairs(base, steps) : combineRegisters(base, steps);
    stayHere(accumulator, steps);
    const bool atOnce = tileas::annotations(op).getReduxAttrHelper().isAttrPresent(op);
    if (atOnce)
      accumulator.front() = combineLanes(e, tileas::laneReduction(op), accumulator.front());
    for (unsigned bit : atOnce ? ArrayRef<unsigned>() : laneBits) {
      if (TILESMITH_PLANT("reduce-skips-lane-step") && bit == laneBits.back())
        continue;
      SmallVector<Value> others;
      if (bit == laneBits.back() && TILESMITH_PLANT("reduce-shuffles-down")) {
        Value lane = arith::AndIOp::create(e.builder, e.loc, e.add(e.laneIndex(), e.i32(1 << bit)),
                                           e.i32(31));
        for (Value value : accumulator)
          others.push_back(e.shuffleFrom(value, lane));
        accumulator = combineOrFail(accumulator, others);
        continue;
      }
      for (Value value : accumulator)
        others.push_back(e.shuffleXor(value, 1u << (TILESMITH_PLANT("reduce-shuffles-neighbour") &&
                                                            bit == laneBits.back() && bit > 0
                                                        ? bit - 1
                                                        : bit)));
      accumulator = combineOrFail(accumulator, others);
    }
    for (auto [result, value] : llvm::zip_equal(results, accumulator))
      e.storeRegister(result, index, value);
  }

  /// Step 3. Scratch holds, per operand, one row of result elements per combination of the axis'
  /// warp bits; rounds go over the result elements.
  LogicalResult combineWarps() {
    rows = int64_t(1) << warpBits.size();
    elements = resultLayout.getNumElements();
    SmallVector<int64_t> warpToRow(layout.getWarps().size(), 0);
    for (auto [row, bit] : llvm::enumerate(warpBits))
      warpToRow[bit] = int64_t(1) << row;
    Value writer = writerOfRow();
    int64_t bytes = 0;
    for (const Tile &result : results)
      bytes += rows * e.elementBytes(result.element);
    size = roundSize(elements, bytes);
    if (size * bytes > kMaxSharedBytes)
      return op.emitOpError("needs ")
             << size * bytes << " bytes of shared memory, the limit is " << kMaxSharedBytes;
    parts = partsOf(e, results, rows * size);
    if (size == elements)
      place = e.nextPlace(parts.end);
    Value myRow = e.linear(e.warpIndex(), warpToRow);
    if (TILESMITH_PLANT("reduce-warp-rows-by-number"))
      myRow = arith::AndIOp::create(e.builder, e.loc, e.warpIndex(), e.i32(rows - 1));
    inRounds(e, elements, size, [&](Value start) {
      if (!TILESMITH_PLANT("reduce-reuse-barrier-dropped"))
        e.barrier();
      e.when(writer, [&] { writeRow(myRow, start); });
      if (!TILESMITH_PLANT("reduce-barrier-dropped"))
        e.barrier();
      combineRows(start);
    });
    return status;
  }

  /// One writer per element and row: lane bits of the axis and free bits are zero; warp bits of the
  /// axis pick the row. Null when all threads write.
  Value writerOfRow() {
    LinearLayout linear = layout.toLinear();
    int64_t silentLanes = linear.freeMask(InDim::Lane), silentWarps = linear.freeMask(InDim::Warp);
    for (unsigned bit : laneBits)
      silentLanes |= int64_t(1) << bit;
    if (!(silentLanes | silentWarps))
      return {};
    Value bits = arith::AndIOp::create(e.builder, e.loc, e.threadIndex(),
                                       e.i32(silentLanes | (silentWarps << 5)));
    return arith::CmpIOp::create(e.builder, e.loc, arith::CmpIPredicate::eq, bits, e.i32(0));
  }

  Value slot(size_t operand, Value row, Value position) {
    if (size < elements)
      position = arith::AndIOp::create(e.builder, e.loc, position, e.i32(size - 1));
    int64_t distance = size;
    if (size > 1 && rows < int64_t(1) << layout.getWarps().size() &&
        TILESMITH_PLANT("reduce-rows-overlap"))
      distance /= 2;
    Value offset = e.add(e.mul(row, e.i32(distance)), position);
    return e.elementPointer(e.scratch(place + parts.offsets[operand], place + parts.end),
                            results[operand].element, offset);
  }

  void writeRow(Value myRow, Value start) {
    e.forLoop(resultLayout.getNumRegisters(), [&](Value index) {
      Value position = e.position(resultLayout, index);
      Value owner = e.ownerRegister(resultLayout, index);
      e.when(e.both(owner, isInRound(e, position, start, elements, size)), [&] {
        for (auto [i, result] : llvm::enumerate(results))
          e.store(e.loadRegister(result, index), slot(i, myRow, position));
      });
    });
  }

  /// Every thread combines the partial results of all warps in a fixed order.
  void combineRows(Value start) {
    e.forLoop(resultLayout.getNumRegisters(), [&](Value index) {
      Value position = e.position(resultLayout, index);
      e.when(isInRound(e, position, start, elements, size), [&] {
        auto row = [&](Value which) {
          SmallVector<Value> values;
          for (auto [i, result] : llvm::enumerate(results))
            values.push_back(
                e.load(slot(i,
                            i > 0 && TILESMITH_PLANT("reduce-second-value-of-first-warp") ? e.i32(0)
                                                                                          : which,
                            position),
                       result.element));
          return values;
        };
        int64_t last = TILESMITH_PLANT("reduce-forgets-last-warp") ? rows - 1 : rows;
        SmallVector<Value> accumulator = e.unrolledLoop(
            TILESMITH_PLANT("reduce-second-warp-skipped") ? 2 : 1, last, 1, row(e.i32(0)),
            [&](Value which, ValueRange carried) { return combineOrFail(carried, row(which)); });
        for (auto [result, value] : llvm::zip_equal(results, accumulator))
          e.storeRegister(result, index, value);
      });
    });
  }

  Emitter &e;
  tileas::ReduceOp op;
  Block &body;
  LayoutAttr layout, resultLayout;
  /// Register bits of the operand: along the axis, and the others in result order.
  SmallVector<int64_t> alongBases, otherBases;
  SmallVector<unsigned> laneBits, warpBits;
  SmallVector<Tile> sources, results;
  int64_t rows = 0, elements = 0, size = 0; ///< of the result: per element, all, per round
  Parts parts;
  int64_t place = 0; ///< of the parts in scratch memory
  LogicalResult status = success();
};

LogicalResult emitReduce(Emitter &e, Operation *op) {
  return Reduction(e, cast<tileas::ReduceOp>(op)).run();
}

//===- scan ---------------------------------------------------------------------------------------===//

class Scan {
public:
  Scan(Emitter &e, tileas::ScanOp op)
      : e(e), op(op), body(op.getBody().front()),
        layout(tileas::getLayout(op.getOperands()[0].getType())) {}

  /// Rounds over whole lines.
  LogicalResult run() {
    ArrayRef<int64_t> shape = layout.getShape();
    length = shape[op.getAxis()];
    for (size_t dim = op.getAxis() + 1; dim < shape.size(); ++dim)
      stride *= shape[dim];
    lines = layout.getNumElements() / length;
    int64_t lineBytes = 0;
    for (Value operand : op.getOperands()) {
      sources.push_back(e.tile(operand));
      lineBytes += length * e.elementBytes(sources.back().element);
    }
    size = roundSize(lines, lineBytes);
    // A line is never split: a long one takes all that the GPU has beside the buffers.
    int64_t limit = std::max(kMaxSharedBytes,
                             tileaa::getTarget(op->getParentOfType<ModuleOp>()).maxSharedBytes -
                                 e.scratchBase());
    if (size * lineBytes > limit)
      return op.emitOpError("needs ")
             << size * lineBytes << " bytes of shared memory for one line, "
             << "the limit is " << limit;
    parts = partsOf(e, sources, size * length);
    for (Value result : op.getResults()) {
      results.push_back(e.makeTile(result));
      e.setTile(result, results.back());
    }
    inner = TILESMITH_PLANT("scan-rounds-interleave-all") ? stride : std::min(size, stride);
    inRounds(e, lines, size, [&](Value start) {
      e.barrier();
      writeLines(start);
      if (!TILESMITH_PLANT("scan-lines-barrier-dropped"))
        e.barrier();
      e.forLoop(e.threadIndex(), e.i32(size), e.i32(32 * e.numWarps), {},
                [&](Value line, ValueRange) {
                  scanLine(line);
                  return SmallVector<Value>();
                });
      if (!TILESMITH_PLANT("scan-barrier-dropped"))
        e.barrier();
      readLines(start);
    });
    return status;
  }

private:
  /// Row-major position -> place along its line, and number of its line.
  std::pair<Value, Value> split(Value position) {
    Value rest = arith::ShRUIOp::create(e.builder, e.loc, position, e.i32(llvm::Log2_64(stride)));
    Value along = arith::AndIOp::create(e.builder, e.loc, rest, e.i32(length - 1));
    Value line = arith::ShRUIOp::create(e.builder, e.loc, rest, e.i32(llvm::Log2_64(length)));
    line = e.add(e.mul(line, e.i32(stride)),
                 arith::AndIOp::create(e.builder, e.loc, position, e.i32(stride - 1)));
    return {along, line};
  }

  /// Address in scratch; `line` counts inside the round.
  Value slot(size_t operand, Value line, Value along) {
    Value low = arith::AndIOp::create(e.builder, e.loc, line, e.i32(inner - 1));
    Value high = arith::ShRUIOp::create(e.builder, e.loc, line, e.i32(llvm::Log2_64(inner)));
    Value place = e.add(e.mul(e.add(e.mul(high, e.i32(length)), along), e.i32(inner)), low);
    return e.elementPointer(e.scratch(parts.offsets[operand], parts.end), sources[operand].element,
                            place);
  }

  Value lineInRound(Value line) {
    return arith::AndIOp::create(e.builder, e.loc, line, e.i32(size - 1));
  }

  void writeLines(Value start) {
    e.forLoop(layout.getNumRegisters(), [&](Value index) {
      auto [along, line] = split(e.position(layout, index));
      Value owner = e.both(e.ownerThread(layout), e.ownerRegister(layout, index));
      e.when(e.both(owner, isInRound(e, line, start, lines, size)), [&] {
        for (auto [i, source] : llvm::enumerate(sources))
          e.store(e.loadRegister(source, index), slot(i, lineInRound(line), along));
      });
    });
  }

  /// One thread, in place. An exclusive scan leaves in each place what it carries there.
  void scanLine(Value line) {
    auto at = [&](Value step) -> Value {
      if (op.getReverse() && !TILESMITH_PLANT("scan-reverse-ignored"))
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
    if (ArrayAttr given = op.getIdentitiesAttr()) {
      SmallVector<Value> identities;
      for (auto [identity, source] : llvm::zip_equal(given, sources))
        identities.push_back(registerConstant(e, identity, source.element));
      e.forLoop(e.i32(0), e.i32(last), e.i32(1), identities, [&](Value step, ValueRange carried) {
        Value along = at(step);
        SmallVector<Value> out, elements = read(along);
        for (auto [i, value] : llvm::enumerate(carried))
          e.store(value, slot(i, line, along));
        if (failed(combineBody(e, body, carried, elements, out))) {
          status = failure();
          return SmallVector<Value>(carried);
        }
        return out;
      });
      return;
    }
    e.forLoop(e.i32(1), e.i32(last), e.i32(1), read(at(e.i32(0))),
              [&](Value step, ValueRange carried) {
                Value along = at(step);
                SmallVector<Value> out, elements = read(along);
                bool swaps = TILESMITH_PLANT("scan-operands-swapped") ||
                             (op.getReverse() && TILESMITH_PLANT("scan-reverse-operands-swapped"));
                if (failed(swaps ? combineBody(e, body, elements, carried, out)
                                 : combineBody(e, body, carried, elements, out))) {
                  status = failure();
                  return SmallVector<Value>(carried);
                }
                for (auto [i, value] : llvm::enumerate(out))
                  e.store(value, slot(i, line, along));
                return out;
              });
  }

  void readLines(Value start) {
    for (auto [i, tile] : llvm::enumerate(results))
      e.forLoop(tile.layout.getNumRegisters(), [&](Value index) {
        auto [along, line] = split(e.position(tile.layout, index));
        e.when(isInRound(e, line, start, lines, size), [&] {
          e.storeRegister(tile, index, e.load(slot(i, lineInRound(line), along), tile.element));
        });
      });
  }

  Emitter &e;
  tileas::ScanOp op;
  Block &body;
  LayoutAttr layout;
  SmallVector<Tile> sources, results;
  int64_t length = 0, stride = 1, lines = 0; ///< elements of a line, their distance, how many lines
  int64_t size = 0;                          ///< lines of a round
  /// In scratch, as in the tile, lines that start next to each other are interleaved: so many lines
  /// of a round run faster than the steps along them.
  int64_t inner = 0;
  Parts parts;
  LogicalResult status = success();
};

LogicalResult emitScan(Emitter &e, Operation *op) {
  auto scan = cast<tileas::ScanOp>(op);
  if (tileas::annotations(op).getParallelAttrHelper().isAttrPresent(op))
    if (std::optional<ScanPlan> plan = planScan(scan))
      return emitParallelScan(e, scan, *plan);
  return Scan(e, scan).run();
}

} // namespace

void tileas_to_nvgpu::registerReduceScan(HandlerTable &table) {
  table.operations.add<tileas::ReduceOp>(emitReduce);
  table.operations.add<tileas::ScanOp>(emitScan);
}
