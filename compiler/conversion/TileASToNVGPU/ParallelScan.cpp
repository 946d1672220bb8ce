//===- ParallelScan.cpp - scans without a thread that walks a line ----------------------------===//
//
// An inclusive scan of n elements in log2(n) steps (Sklansky): after step b every place has the
// combination of its group of 2^(b+1) places up to itself. In step b the places whose bit b is set
// take the last place of the lower half in front of what they have; the order of elements is kept, so
// the body need not be commutative. A reverse scan is the same with all bits of places inverted.
//
//   * the last place differs in registers only: nothing moves;
//   * in lanes, too: one shuffle for each register that such a place has;
//   * in warps: the rest of the steps are one exchange. Each run of a line inside a warp leaves what
//     all of it combine to in scratch; behind a barrier every thread combines those of the runs in
//     front of its own, and puts that in front of its elements.
//
// Everything is written out for each register: plans are made for few of them (planScan), by
// tileas-plan-exchanges; other scans are walked (ReduceScan.cpp). Lanes that take nothing in a step
// compute what they do not use, hence bodies must be free to run at any time.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/conversion/TileASToNVGPU/ParallelScan.h"
#include "compiler/support/Plants.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas_to_nvgpu;
using tileas::LayoutAttr;

namespace {

/// Bodies that are written out at most, and runs of a line.
constexpr int64_t kMaxBodies = 1024, kMaxRuns = 32;
constexpr int64_t kMaxRegisters = 64;

/// Each bit of a number tells apart places along one dimension, or none.
bool isUnit(ArrayRef<int64_t> bases) {
  return llvm::all_of(bases, [](int64_t basis) { return (basis & (basis - 1)) == 0; });
}

/// Combines registers of a thread, lanes and warps along lines.
class ParallelScan {
public:
  ParallelScan(Emitter &e, tileas::ScanOp op, const ScanPlan &plan)
      : e(e), op(op), plan(plan), body(op.getBody().front()),
        layout(tileas::getLayout(op.getOperands()[0].getType())),
        reverse(op.getReverse() && !TILESMITH_PLANT("scan-reverse-ignored")) {}

  LogicalResult run() {
    for (Value operand : op.getOperands()) {
      Tile tile = e.tile(operand);
      elements.push_back(tile.element);
      for (int64_t r = 0; r < layout.getNumRegisters(); ++r) {
        registers.resize(layout.getNumRegisters());
        registers[r].push_back(e.loadRegister(tile, e.i32(r)));
      }
    }
    int64_t lowRegisters = 0, lowLanes = 0;
    const bool stopsEarly =
        plan.runs() == 1 && plan.inWarp > 2 && TILESMITH_PLANT("scan-stops-early");
    for (const ScanPlan::Holder &bit :
         ArrayRef(plan.bits).take_front(plan.inWarp - (stopsEarly ? 1 : 0))) {
      step(bit, lowRegisters, lowLanes);
      (bit.dim == InDim::Register ? lowRegisters : lowLanes) |= bit.mask;
    }
    if (plan.runs() > 1)
      joinRuns(lowRegisters, lowLanes);
    for (auto [i, result] : llvm::enumerate(op.getResults())) {
      Tile tile = e.makeTile(result);
      e.setTile(result, tile);
      for (int64_t r = 0; r < layout.getNumRegisters(); ++r)
        e.storeRegister(tile, e.i32(r), registers[r][i]);
    }
    return status;
  }

private:
  using Values = SmallVector<Value>;

  Values combine(ValueRange before, ValueRange element) {
    bool swaps = TILESMITH_PLANT("scan-operands-swapped") ||
                 (op.getReverse() && TILESMITH_PLANT("scan-reverse-operands-swapped"));
    Values out;
    if (failed(swaps ? combineBody(e, body, element, before, out)
                     : combineBody(e, body, before, element, out))) {
      status = failure();
      out.assign(element.begin(), element.end());
    }
    return out;
  }

  Values select(Value condition, ValueRange yes, ValueRange no) {
    Values out;
    for (auto [a, b] : llvm::zip_equal(yes, no))
      out.push_back(arith::SelectOp::create(e.builder, e.loc, condition, a, b));
    return out;
  }

  /// A number whose bits `low` are those of the last place in the direction of the scan, and whose
  /// bit of `half` is that of the half in front.
  int64_t lastBefore(int64_t number, int64_t low, int64_t half) const {
    return reverse ? (number & ~low) | half : (number | low) & ~half;
  }
  Value lastLaneBefore(int64_t low, int64_t half) {
    Value lane = e.laneIndex();
    auto set = [&](int64_t bits) {
      lane = arith::OrIOp::create(e.builder, e.loc, lane, e.i32(bits));
    };
    auto clear = [&](int64_t bits) {
      lane = arith::AndIOp::create(e.builder, e.loc, lane, e.i32(~bits));
    };
    reverse ? clear(low) : set(low);
    reverse ? set(half) : clear(half);
    return lane;
  }
  /// Whether the number has the bit of the half that takes something.
  bool takes(int64_t number, int64_t half) const { return ((number & half) != 0) != reverse; }
  Value takes(Value number, int64_t half) {
    Value bit = arith::AndIOp::create(e.builder, e.loc, number, e.i32(half));
    auto predicate = reverse ? arith::CmpIPredicate::eq : arith::CmpIPredicate::ne;
    return arith::CmpIOp::create(e.builder, e.loc, predicate, bit, e.i32(0));
  }

  /// One step inside of the warps.
  void step(const ScanPlan::Holder &bit, int64_t lowRegisters, int64_t lowLanes) {
    const bool inLanes = bit.dim == InDim::Lane;
    const int64_t half = inLanes ? 0 : bit.mask;
    Value from, isTaker;
    if (inLanes || lowLanes)
      from = lastLaneBefore(lowLanes, inLanes ? bit.mask : 0);
    if (inLanes)
      isTaker = takes(e.laneIndex(), bit.mask);
    llvm::DenseMap<int64_t, Values> last; // by its register
    auto lastOf = [&](int64_t source) -> Values & {
      auto [at, isNew] = last.try_emplace(source);
      if (isNew)
        for (Value value : registers[source])
          at->second.push_back(
              from && !TILESMITH_PLANT("scan-last-lane-stays") &&
                      (at->second.empty() || !TILESMITH_PLANT("scan-second-value-own-lane"))
                  ? e.shuffleFrom(value, from)
                  : value);
      return at->second;
    };
    // Lanes that take nothing keep their values, so what is moved is what was there before the step.
    for (int64_t r = 0; r < layout.getNumRegisters(); ++r) {
      if (!inLanes && !takes(r, half))
        continue;
      Values whole = combine(lastOf(lastBefore(r, lowRegisters, half)), registers[r]);
      registers[r] = isTaker ? select(isTaker, whole, registers[r]) : whole;
    }
  }

  /// Number of the line and of its run that a register is in.
  std::pair<Value, Value> placeOf(int64_t r) {
    ArrayRef<int64_t> shape = layout.getShape();
    int64_t stride = 1;
    for (size_t dim = op.getAxis() + 1; dim < shape.size(); ++dim)
      stride *= shape[dim];
    const int64_t length = shape[op.getAxis()];
    auto shift = [&](Value value, int64_t by) -> Value {
      return by ? arith::ShRUIOp::create(e.builder, e.loc, value, e.i32(by)) : value;
    };
    auto mask = [&](Value value, int64_t bits) -> Value {
      return arith::AndIOp::create(e.builder, e.loc, value, e.i32(bits));
    };
    Value position = e.position(layout, e.i32(r));
    Value rest = shift(position, llvm::Log2_64(stride));
    Value line =
        e.add(e.mul(shift(rest, llvm::Log2_64(length)), e.i32(stride)), mask(position, stride - 1));
    return {line, shift(mask(rest, length - 1), plan.inWarp)};
  }

  /// The steps among warps.
  void joinRuns(int64_t lowRegisters, int64_t lowLanes) {
    const int64_t runs = plan.runs(), lines = layout.getNumElements() >> plan.bits.size();
    int64_t bytes = 0;
    SmallVector<int64_t> parts;
    for (Type element : elements) {
      parts.push_back(bytes);
      bytes += llvm::alignTo(lines * runs * e.elementBytes(element), 16);
    }
    const int64_t place = e.nextPlace(bytes), free = layout.toLinear().freeMask(InDim::Register);
    auto slot = [&](size_t operand, Value line, Value run) {
      return e.elementPointer(e.scratch(place + parts[operand], place + bytes), elements[operand],
                              e.add(e.mul(line, e.i32(runs)), run));
    };
    e.barrier();
    Value lane = arith::AndIOp::create(e.builder, e.loc, e.laneIndex(), e.i32(lowLanes));
    Value isLast = arith::CmpIOp::create(e.builder, e.loc, arith::CmpIPredicate::eq, lane,
                                         e.i32(reverse ? 0 : lowLanes));
    e.when(e.both(isLast, e.ownerThread(layout)), [&] {
      for (int64_t r = 0; r < layout.getNumRegisters(); ++r) {
        if ((r & free) || (r & lowRegisters) != (reverse ? 0 : lowRegisters))
          continue;
        auto [line, run] = placeOf(r);
        for (size_t i = 0; i < elements.size(); ++i)
          e.store(registers[r][i], slot(i, line, run));
      }
    });
    if (!TILESMITH_PLANT("scan-runs-barrier-dropped"))
      e.barrier();
    // Runs in the direction of the scan; registers of one run take the same.
    llvm::DenseMap<int64_t, std::pair<Value, Values>> before;
    for (int64_t r = 0; r < layout.getNumRegisters(); ++r) {
      auto [at, isNew] = before.try_emplace(r & ~lowRegisters);
      if (isNew)
        at->second = combineBefore(r & ~lowRegisters, slot);
      auto &[isTaker, values] = at->second;
      registers[r] = select(isTaker, combine(values, registers[r]), registers[r]);
    }
  }

  /// Whether runs come before that of a register, and what they combine to.
  std::pair<Value, Values> combineBefore(int64_t r,
                                         llvm::function_ref<Value(size_t, Value, Value)> slot) {
    const int64_t runs = plan.runs();
    auto [line, run] = placeOf(r);
    Value number =
        reverse ? Value(arith::SubIOp::create(e.builder, e.loc, e.i32(runs - 1), run)) : run;
    auto read = [&](int64_t step) {
      Values values;
      for (size_t i = 0; i < elements.size(); ++i)
        values.push_back(
            e.load(slot(i, line, e.i32(reverse ? runs - 1 - step : step)), elements[i]));
      return values;
    };
    auto isBefore = [&](int64_t step) {
      return arith::CmpIOp::create(e.builder, e.loc, arith::CmpIPredicate::ugt, number,
                                   e.i32(step));
    };
    Values all = read(0);
    const int64_t end = runs - 1 - (TILESMITH_PLANT("scan-stops-early") && runs > 2 ? 1 : 0);
    for (int64_t step = 1; step < end; ++step)
      all = select(isBefore(step),
                   TILESMITH_PLANT("scan-runs-combined-backwards") ? combine(read(step), all)
                                                                   : combine(all, read(step)),
                   all);
    return {isBefore(0), all};
  }

  Emitter &e;
  tileas::ScanOp op;
  const ScanPlan &plan;
  Block &body;
  LayoutAttr layout;
  bool reverse;
  SmallVector<Type> elements;                ///< of each operand
  SmallVector<SmallVector<Value>> registers; ///< by register, then operand
  LogicalResult status = success();
};

} // namespace

std::optional<ScanPlan> tileas_to_nvgpu::planScan(tileas::ScanOp op) {
  LayoutAttr layout = tileas::getLayout(op.getOperands()[0].getType());
  const int64_t registers = layout.getNumRegisters();
  if (op.getIdentitiesAttr() || registers > kMaxRegisters || layout.getLanes().size() != 5 ||
      !isUnit(layout.getRegisters()) || !isUnit(layout.getLanes()) || !isUnit(layout.getWarps()))
    return std::nullopt;
  Block &body = op.getBody().front();
  if (!llvm::all_of(body.without_terminator(), [](Operation &inner) {
        return isMemoryEffectFree(&inner) && isSpeculatable(&inner);
      }))
    return std::nullopt;
  ArrayRef<int64_t> shape = layout.getShape();
  int64_t stride = 1;
  for (size_t dim = op.getAxis() + 1; dim < shape.size(); ++dim)
    stride *= shape[dim];
  ScanPlan plan;
  bool seesWarps = false;
  for (int64_t basis = stride; basis < stride * shape[op.getAxis()]; basis *= 2) {
    std::optional<ScanPlan::Holder> holder;
    for (auto [dim, bases] :
         {std::pair(InDim::Register, layout.getRegisters()),
          std::pair(InDim::Lane, layout.getLanes()), std::pair(InDim::Warp, layout.getWarps())})
      for (auto [bit, held] : llvm::enumerate(bases))
        if (held == basis) {
          if (holder)
            return std::nullopt;
          holder = ScanPlan::Holder{dim, int64_t(1) << bit};
        }
    if (!holder)
      return std::nullopt;
    seesWarps |= holder->dim == InDim::Warp;
    plan.inWarp += !seesWarps;
    plan.bits.push_back(*holder);
  }
  // Bodies: one for each register and step, and those of the runs in front.
  int64_t upper = registers;
  for (const ScanPlan::Holder &bit : ArrayRef(plan.bits).take_front(plan.inWarp))
    upper >>= bit.dim == InDim::Register;
  int64_t bodies = registers * (plan.inWarp + 1) + (plan.runs() > 1 ? upper * plan.runs() : 0);
  int64_t size = std::max<int64_t>(1, static_cast<int64_t>(body.getOperations().size()) - 1);
  int64_t exchanged = 0;
  for (Value operand : op.getOperands()) {
    Type element = cast<RankedTensorType>(operand.getType()).getElementType();
    unsigned bits = isa<FloatTF32Type>(element) ? 32 : element.getIntOrFloatBitWidth();
    exchanged +=
        llvm::alignTo((layout.getNumElements() >> plan.inWarp) * llvm::divideCeil(bits, 8), 16);
  }
  if (plan.bits.empty() || plan.runs() > kMaxRuns || bodies * size > kMaxBodies ||
      exchanged > kMaxSharedBytes)
    return std::nullopt;
  return plan;
}

LogicalResult tileas_to_nvgpu::emitParallelScan(Emitter &e, tileas::ScanOp op,
                                                const ScanPlan &plan) {
  return ParallelScan(e, op, plan).run();
}
