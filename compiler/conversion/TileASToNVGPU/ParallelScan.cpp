//===- ParallelScan.cpp - scans without a thread that walks a line ----------------------------===//
//
// An inclusive scan of places that registers, lanes and warps hold, in this order from the lowest bit
// of a place's number:
//
//   1. a thread walks each group of neighbouring places that it holds;
//   2. what groups combine to is scanned among lanes, a shuffle for each bit (Sklansky: after step b
//      a lane has the combination of its 2^(b+1) lanes up to itself), and the lane in front has what
//      comes before a group;
//   3. further registers: what all lanes of a group combine to goes before the groups behind it;
//   4. warps: each run of a line inside of a warp leaves what all of it combine to in scratch; behind
//      a barrier every thread combines those of the runs in front of its own;
//   5. what comes before a group is combined with each of its places.
//
// Raked, where threads have many groups (or places lie in another order): in place of 2 to 4, what the
// groups combine to is exchanged so that a thread holds neighbours of it, scanned there by the same
// steps, and what comes before each goes back. What runs combine to goes with it, if something changes
// no number: that comes before the first place of a run until all have met.
//
// Elements are never swapped, hence the body need not be commutative. A reverse scan is the same with
// all bits of places inverted. Nothing comes before the first place of a line: of what is combined
// often, a number that changes nothing is put there, otherwise both results are kept for a choice.
//
// Everything is written out for each register (ScanPlan.cpp: of few); other scans are walked
// (ReduceScan.cpp). Lanes that take nothing in a step compute what they do not use, hence bodies must
// be free to run at any time.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/conversion/TileASToNVGPU/ParallelScan.h"
#include "compiler/conversion/TileASToNVGPU/Exchange.h"
#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/support/Plants.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas_to_nvgpu;
using tileas::LayoutAttr;

namespace {

using Values = SmallVector<Value>;

/// What comes before a group of places.
struct Before {
  Values values; ///< none: nothing comes before it in any thread
  Value valid;   ///< null: in all threads
};

/// What changes no number in front of which it is combined.
Attribute neutralOf(Block &body) {
  Operation &only = body.front();
  Operation *yield = body.getTerminator();
  if (only.getNextNode() != yield || only.getNumOperands() != 2 || yield->getNumOperands() != 1 ||
      yield->getOperand(0) != only.getResult(0) || only.getOperand(0) == only.getOperand(1) ||
      !llvm::all_of(only.getOperands(), llvm::IsaPred<BlockArgument>))
    return {};
  Type type = only.getResult(0).getType();
  Builder builder(&only);
  auto rounded = [&] { // flushing changes numbers, too
    auto mode = only.getAttrOfType<tileaa::RoundingModeAttr>("rounding_mode");
    return TILESMITH_PLANT("scan-neutral-despite-rounding") ||
           (!only.hasAttr("flush_to_zero") &&
            (!mode || tileaa::stringifyRoundingMode(mode.getValue()) == "nearest_even"));
  };
  const unsigned width = type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 0;
  return llvm::TypeSwitch<Operation *, Attribute>(&only)
      .Case<arith::AddIOp, arith::OrIOp, arith::XOrIOp, arith::MaxUIOp>(
          [&](auto) { return builder.getIntegerAttr(type, 0); })
      .Case([&](arith::MulIOp) {
        return builder.getIntegerAttr(type,
                                      APInt(width, !TILESMITH_PLANT("scan-product-from-zero")));
      })
      .Case<arith::AndIOp, arith::MinUIOp>(
          [&](auto) { return builder.getIntegerAttr(type, APInt::getAllOnes(width)); })
      .Case([&](arith::MaxSIOp) {
        return builder.getIntegerAttr(type, TILESMITH_PLANT("scan-maximum-from-zero")
                                                ? APInt::getZero(width)
                                                : APInt::getSignedMinValue(width));
      })
      .Case([&](arith::MinSIOp) {
        return builder.getIntegerAttr(type, APInt::getSignedMaxValue(width));
      })
      .Case([&](tileaa::AddFOp) -> Attribute {
        const double zero = TILESMITH_PLANT("scan-sum-from-positive-zero") ? 0.0 : -0.0;
        return rounded() ? builder.getFloatAttr(type, zero) : FloatAttr();
      })
      .Case([&](tileaa::MulFOp) -> Attribute {
        return rounded() ? builder.getFloatAttr(type, 1.0) : FloatAttr();
      })
      .Default([](Operation *) { return Attribute(); });
}

class ParallelScan {
public:
  ParallelScan(Emitter &e, tileas::ScanOp op, const ScanPlan &plan)
      : e(e), op(op), plan(plan), body(op.getBody().front()), layout(plan.layout),
        neutral(neutralOf(body)),
        reverse(op.getReverse() && !TILESMITH_PLANT("scan-reverse-ignored")),
        lanes(plan.maskOf(InDim::Lane, plan.serial, plan.inWarp)),
        highRegisters(plan.maskOf(InDim::Register, plan.serial, plan.inWarp)) {}

  LogicalResult run() {
    SmallVector<Tile> tiles;
    for (Value operand : op.getOperands())
      tiles.push_back(e.tile(operand));
    load(tiles);
    scanGroups();
    for (int64_t group : plan.groups()) {
      SmallVector<int64_t> places = registersOf(group);
      if (endsInLanes()) // the last one is in what lanes combined
        registers[places.pop_back_val()] = totals[group];
      for (int64_t r : places)
        registers[r] = behind(before[group], registers[r]);
    }
    for (auto [i, result] : llvm::enumerate(op.getResults())) {
      Tile tile = e.makeTile(result);
      e.setTile(result, tile);
      for (int64_t r = 0; r < layout.getNumRegisters(); ++r)
        e.storeRegister(tile, e.i32(r), registers[r & ~plan.duplicates()][i]);
    }
    return status;
  }

private:
  //===- values -----------------------------------------------------------------------------------===//

  void load(ArrayRef<Tile> tiles) {
    registers.assign(layout.getNumRegisters(), {});
    for (const Tile &tile : tiles) {
      elements.push_back(tile.element);
      for (int64_t r = 0; r < layout.getNumRegisters(); ++r)
        if (!(r & plan.duplicates()))
          registers[r].push_back(e.loadRegister(tile, e.i32(r)));
    }
  }

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

  Values shuffle(ValueRange values, Value from) {
    Values moved;
    for (auto [i, value] : llvm::enumerate(values))
      moved.push_back(
          i && TILESMITH_PLANT("scan-second-value-own-lane") ? value : e.shuffleFrom(value, from));
    return moved;
  }

  /// Elements with what comes before them, where something does.
  Values behind(const Before &before, ValueRange values) {
    if (before.values.empty())
      return Values(values);
    Values whole = combine(before.values, values);
    return before.valid ? select(before.valid, whole, values) : whole;
  }

  /// What comes before the first places of lines is to change nothing, if there is such a number.
  Before prepared(ValueRange values, Value valid) {
    if (!neutral || !valid)
      return {Values(values), valid};
    Value number = registerConstant(e, neutral, elements.front());
    return {select(valid, values, number), {}};
  }

  //===- places -----------------------------------------------------------------------------------===//

  /// The registers of a group in the direction of the scan.
  SmallVector<int64_t> registersOf(int64_t group) const {
    SmallVector<int64_t> ordered{group};
    for (const ScanPlan::Holder &bit : ArrayRef(plan.bits).take_front(plan.serial))
      for (size_t i = 0, count = ordered.size(); i < count; ++i)
        ordered.push_back(ordered[i] | bit.mask);
    if (reverse)
      std::reverse(ordered.begin(), ordered.end());
    return ordered;
  }

  Value masked(Value number, int64_t bits) {
    return arith::AndIOp::create(e.builder, e.loc, number, e.i32(bits));
  }
  Value raised(Value number, int64_t bits) {
    return arith::OrIOp::create(e.builder, e.loc, number, e.i32(bits));
  }
  Value compare(arith::CmpIPredicate predicate, Value number, int64_t with) {
    return arith::CmpIOp::create(e.builder, e.loc, predicate, number, e.i32(with));
  }

  /// The last lane of the half in front of that of this lane, of a step.
  Value lastLaneBefore(int64_t low, int64_t half) {
    Value lane = e.laneIndex();
    if (reverse)
      return raised(low ? masked(lane, ~low) : lane, half);
    return masked(low ? raised(lane, low) : lane, ~half);
  }
  Value lastLane() {
    return reverse && !TILESMITH_PLANT("scan-last-lane-forward") ? masked(e.laneIndex(), ~lanes)
                                                                 : raised(e.laneIndex(), lanes);
  }
  /// The lane in front of this one in the line.
  Value laneBefore() {
    if (TILESMITH_PLANT("scan-group-after-itself"))
      return e.laneIndex();
    Value place = reverse ? e.add(raised(e.laneIndex(), ~lanes), e.i32(1))
                          : e.add(masked(e.laneIndex(), lanes), e.i32(-1));
    place = masked(place, lanes);
    return lanes == 31 ? place
                       : Value(arith::OrIOp::create(e.builder, e.loc, place,
                                                    masked(e.laneIndex(), ~lanes)));
  }

  //===- steps ------------------------------------------------------------------------------------===//

  /// Registers become scans of their groups, `before` what comes before these.
  void scanGroups() {
    for (int64_t group : plan.groups()) {
      SmallVector<int64_t> places = registersOf(group);
      for (size_t i = 1; i < places.size(); ++i)
        registers[places[i]] = combine(registers[places[i - 1]], registers[places[i]]);
      totals[group] = registers[registersOf(group).back()];
      before[group] = {};
    }
    if (plan.raked)
      return rake();
    if (lanes)
      scanLanes();
    if (highRegisters || plan.runs() > 1)
      joinGroups();
    if (plan.runs() > 1 && !runsLater)
      joinRuns();
  }

  /// Nothing follows the steps among lanes.
  bool endsInLanes() const { return lanes && !highRegisters && plan.runs() == 1 && !plan.raked; }

  void scanLanes() {
    int64_t low = 0;
    for (const ScanPlan::Holder &bit :
         ArrayRef(plan.bits).take_front(plan.inWarp).drop_front(plan.serial)) {
      if (bit.dim != InDim::Lane || (low && (low | bit.mask) == lanes && plan.runs() == 1 &&
                                     TILESMITH_PLANT("scan-stops-early")))
        break;
      Value from =
          TILESMITH_PLANT("scan-last-lane-stays") ? e.laneIndex() : lastLaneBefore(low, bit.mask);
      Value takes = compare(reverse ? arith::CmpIPredicate::eq : arith::CmpIPredicate::ne,
                            masked(e.laneIndex(), bit.mask), 0);
      for (int64_t group : plan.groups()) {
        Values &total = totals[group];
        total = select(takes, combine(shuffle(total, from), total), total);
      }
      low |= bit.mask;
    }
    if (endsInLanes() && !plan.serial && !isInner)
      return;
    Value from = laneBefore();
    Value isBehind = compare(arith::CmpIPredicate::ne, masked(e.laneIndex(), lanes),
                             reverse && !TILESMITH_PLANT("scan-front-lane-forward") ? lanes : 0);
    for (int64_t group : plan.groups())
      before[group] = prepared(shuffle(totals[group], from), isBehind);
  }

  /// Groups of a run that differ in registers, one after another; `runTotals` is what all of them
  /// combine to, in the last lane.
  void joinGroups() {
    SmallVector<int64_t> bits;
    for (const ScanPlan::Holder &bit :
         ArrayRef(plan.bits).take_front(plan.inWarp).drop_front(plan.serial))
      if (bit.dim == InDim::Register)
        bits.push_back(bit.mask);
    for (int64_t first : plan.groups()) {
      if (first & highRegisters)
        continue;
      Values all;
      const int64_t count = int64_t(1) << bits.size();
      for (int64_t number = 0; number < count; ++number) {
        int64_t place = reverse ? count - 1 - number : number, group = first;
        for (auto [i, mask] : llvm::enumerate(bits))
          group |= place >> i & 1 ? mask : 0;
        if (!all.empty())
          before[group] = {joined({all, {}}, before[group]), {}};
        if (number + 1 == count && plan.runs() == 1)
          break;
        Values total = totals[group];
        if (lanes && number + 1 < count && !TILESMITH_PLANT("scan-total-of-own-lane"))
          total = shuffle(total, lastLane());
        all = all.empty() ? total : combine(all, total);
      }
      runTotals[first] = all;
    }
  }

  /// What comes before something that `front` and then `rest` come before.
  Values joined(const Before &front, const Before &rest) {
    if (rest.values.empty())
      return front.values;
    Values whole = combine(front.values, rest.values);
    return rest.valid && !TILESMITH_PLANT("scan-joins-what-is-not-there")
               ? select(rest.valid, whole, front.values)
               : whole;
  }

  /// Number of the line and of its run that a register of a layout of this shape is in.
  std::pair<Value, Value> placeOf(LayoutAttr of, int64_t r) {
    ArrayRef<int64_t> shape = layout.getShape();
    int64_t stride = 1;
    for (size_t dim = plan.axis + 1; dim < shape.size(); ++dim)
      stride *= shape[dim];
    const int64_t length = shape[plan.axis];
    auto shift = [&](Value value, int64_t by) -> Value {
      return by ? arith::ShRUIOp::create(e.builder, e.loc, value, e.i32(by)) : value;
    };
    Value position = e.position(of, e.i32(r));
    Value rest = shift(position, llvm::Log2_64(stride));
    Value line = e.add(e.mul(shift(rest, llvm::Log2_64(length)), e.i32(stride)),
                       masked(position, stride - 1));
    return {line, shift(masked(rest, length - 1), plan.inWarp)};
  }

  /// Bytes of scratch for what the runs of all lines combine to.
  int64_t bytesOfRuns() {
    const int64_t lines = layout.getNumElements() >> plan.bits.size();
    int64_t bytes = 0;
    for (Type element : elements)
      bytes += llvm::alignTo(lines * plan.runs() * e.elementBytes(element), 16);
    return bytes;
  }

  /// They begin there; scratch up to `end` belongs to the same exchange.
  void placeRuns(int64_t place, int64_t end) {
    const int64_t lines = layout.getNumElements() >> plan.bits.size();
    for (Type element : elements) {
      runTables.push_back(e.scratch(place, end));
      place += llvm::alignTo(lines * plan.runs() * e.elementBytes(element), 16);
    }
  }

  Value slotOfRun(size_t operand, Value line, Value run) {
    return e.elementPointer(runTables[operand], elements[operand],
                            e.add(e.mul(line, e.i32(plan.runs())), run));
  }

  /// The last lane of each run leaves what all of it combines to.
  void leaveTotals() {
    Value isLast =
        lanes ? compare(arith::CmpIPredicate::eq, masked(e.laneIndex(), lanes),
                        reverse && !TILESMITH_PLANT("scan-reverse-run-of-last") ? 0 : lanes)
              : Value();
    e.when(e.both(isLast, e.ownerThread(layout)), [&] {
      for (auto &[first, total] : runTotals) {
        auto [line, run] = placeOf(layout, first);
        for (size_t i = 0; i < elements.size(); ++i)
          e.store(total[i], slotOfRun(i, line, run));
      }
    });
  }

  /// The steps among warps.
  void joinRuns() {
    const int64_t bytes = bytesOfRuns(), place = e.nextPlace(bytes);
    placeRuns(place, place + bytes);
    e.barrier();
    leaveTotals();
    if (!TILESMITH_PLANT("scan-runs-barrier-dropped"))
      e.barrier();
    for (auto &[first, total] : runTotals) {
      Before front = combineRuns(placeOf(layout, first));
      for (int64_t group : plan.groups()) {
        if ((TILESMITH_PLANT("scan-front-for-first-group") ? group : group & ~highRegisters) !=
            first)
          continue;
        Before &rest = before[group];
        if (rest.values.empty())
          rest = prepared(front.values, front.valid);
        else if (neutral)
          rest = {joined(prepared(front.values, front.valid), rest), {}};
        else
          rest = {select(front.valid, joined(front, rest), rest.values),
                  rest.valid && !TILESMITH_PLANT("scan-first-lane-forgets-warps")
                      ? Value(arith::OrIOp::create(e.builder, e.loc, front.valid, rest.valid))
                      : rest.valid};
      }
    }
  }

  /// What the runs in front of one combine to.
  Before combineRuns(std::pair<Value, Value> place) {
    const int64_t runs = plan.runs();
    auto [line, run] = place;
    Value number =
        reverse ? Value(arith::SubIOp::create(e.builder, e.loc, e.i32(runs - 1), run)) : run;
    auto read = [&](int64_t step) {
      Values values;
      for (size_t i = 0; i < elements.size(); ++i)
        values.push_back(
            e.load(slotOfRun(i, line, e.i32(reverse ? runs - 1 - step : step)), elements[i]));
      return values;
    };
    auto isBefore = [&](int64_t step) { return compare(arith::CmpIPredicate::ugt, number, step); };
    Values all = read(0);
    const int64_t end = runs - 1 - (TILESMITH_PLANT("scan-stops-early") && runs > 2 ? 1 : 0);
    for (int64_t step = 1; step < end; ++step)
      all = select(isBefore(step),
                   TILESMITH_PLANT("scan-runs-combined-backwards") ? combine(read(step), all)
                                                                   : combine(all, read(step)),
                   all);
    return {all, isBefore(0)};
  }

  //===- raked ------------------------------------------------------------------------------------===//

  /// Tiles of one element for each group.
  SmallVector<Tile> tilesOf(LayoutAttr of) {
    SmallVector<Tile> tiles;
    for (Type element : elements)
      tiles.push_back(e.makeTile(element, of));
    return tiles;
  }

  void rake() {
    SmallVector<Tile> own = tilesOf(plan.groupLayout()), raked = tilesOf(plan.rakedLayout());
    for (auto [number, group] : llvm::enumerate(plan.groups()))
      for (auto [tile, value] : llvm::zip_equal(own, totals[group]))
        e.storeRegister(tile, e.i32(number), value);
    exchangeTogether(e, own, raked);

    ScanPlan planned = planRaked(plan);
    ParallelScan inner(e, op, planned);
    inner.isInner = true;
    inner.runsLater = neutral && planned.runs() > 1;
    inner.load(raked);
    inner.scanGroups();
    for (int64_t group : planned.groups()) {
      Values last = inner.firstBefore(group);
      for (int64_t r : inner.registersOf(group)) {
        for (auto [tile, value] : llvm::zip_equal(raked, last))
          e.storeRegister(tile, e.i32(r), value);
        last = inner.behind(inner.before[group], inner.registers[r]);
        if (TILESMITH_PLANT("scan-raked-inclusive"))
          for (auto [tile, value] : llvm::zip_equal(raked, last))
            e.storeRegister(tile, e.i32(r), value);
      }
    }

    SmallVector<Tile> fronts = tilesOf(plan.groupLayout());
    if (inner.runsLater)
      exchangeTogether(e, raked, fronts, inner.bytesOfRuns(), [&](int64_t place, int64_t end) {
        inner.placeRuns(place, end);
        inner.leaveTotals();
      });
    else
      exchangeTogether(e, raked, fronts);
    Value isBehind = neutral ? Value() : isBehindFirstThread();
    for (auto [number, group] : llvm::enumerate(plan.groups())) {
      Values values;
      for (const Tile &tile : fronts)
        values.push_back(e.loadRegister(tile, e.i32(number)));
      if (inner.runsLater && !TILESMITH_PLANT("scan-raked-run-alone")) {
        Before runs = inner.combineRuns(inner.placeOf(
            TILESMITH_PLANT("scan-raked-run-of-reader") ? plan.rakedLayout() : plan.groupLayout(),
            number));
        values = combine(prepared(runs.values, runs.valid).values, values);
      }
      const int64_t all = plan.maskOf(InDim::Register, plan.serial, plan.bits.size());
      const bool isFirst = (group & all) == (reverse ? all : 0);
      before[group] = {values, isFirst ? isBehind : Value()};
    }
    if (failed(inner.status))
      status = failure();
  }

  /// What comes before a group, in all threads: anything where that is nothing and has no number.
  Values firstBefore(int64_t group) {
    const Before &front = before[group];
    if (!front.values.empty())
      return front.values;
    if (neutral && !TILESMITH_PLANT("scan-first-before-is-own"))
      return {registerConstant(e, neutral, elements.front())};
    return registers[registersOf(group).front()];
  }

  /// Whether groups of this thread whose registers are the first of a line have something before them.
  Value isBehindFirstThread() {
    const int64_t ownLanes = plan.maskOf(InDim::Lane, 0, plan.bits.size()),
                  ownWarps = plan.maskOf(InDim::Warp, 0, plan.bits.size());
    const int64_t bits =
        ownLanes | (TILESMITH_PLANT("scan-raked-warps-begin-anew") ? 0 : ownWarps << 5);
    return compare(arith::CmpIPredicate::ne, masked(e.threadIndex(), bits), reverse ? bits : 0);
  }

  Emitter &e;
  tileas::ScanOp op;
  const ScanPlan &plan;
  Block &body;
  LayoutAttr layout;
  Attribute neutral; ///< of one operand; null where nothing is known
  bool reverse;
  bool isInner = false;                    ///< what comes before groups is wanted, not their places
  bool runsLater = false;                  ///< and runs are joined behind the exchange
  int64_t lanes, highRegisters;            ///< bits among lanes; of groups in runs
  SmallVector<Type> elements;              ///< of each operand
  SmallVector<Values> registers;           ///< by register, then operand
  llvm::MapVector<int64_t, Values> totals; ///< what each group, up to this lane, combine to
  llvm::MapVector<int64_t, Values> runTotals; ///< by the first group of the run
  Values runTables;                           ///< what runs combine to, of each operand, in scratch
  llvm::MapVector<int64_t, Before> before;
  LogicalResult status = success();
};

} // namespace

LogicalResult tileas_to_nvgpu::emitParallelScan(Emitter &e, tileas::ScanOp op,
                                                const ScanPlan &plan) {
  return ParallelScan(e, op, plan).run();
}
