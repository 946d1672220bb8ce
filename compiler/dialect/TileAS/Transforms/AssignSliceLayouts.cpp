//===- AssignSliceLayouts.cpp - tileas-assign-slice-layouts -----------------------------------===//
//
// Slices with constant indices and concatenations rename the registers of each thread, if the bits of a
// position that they fix or add lie in registers (`sliceRegisters`, `catRegisters`); tiles whose bytes are
// reinterpreted stay where they are in the same way (`partRegisters`). Groups of operations
// around them take layouts in which that is so, if fewer exchanges between threads are left.
//
//   1. The classes of bits of each block, and its groups (SliceFlow.h).
//   2. For each group plans of where the classes lie: constant ones, and ones that change on the way.
//   3. The cheaper plan is followed step by step. A value that a step wants elsewhere is converted in
//      front of it, an index computed anew; loads and stores follow if they move as much at once.
//
// Invariants
//  * Nothing but types, convert_layout and copies of indices is changed.
//  * Operations outside of the group find the layouts that they had.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/dialect/TileAS/IR/TileAS.h"
#include "compiler/dialect/TileAS/Transforms/LayoutPatterns.h"
#include "compiler/dialect/TileAS/Transforms/Passes.h"
#include "compiler/dialect/TileAS/Transforms/SliceFlow.h"
#include "compiler/support/Plants.h"
#include "compiler/support/SwapPlan.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas;

namespace tilesmith::tileas {
#define GEN_PASS_DEF_ASSIGNSLICELAYOUTSPASS
#include "compiler/dialect/TileAS/Transforms/Passes.h.inc"
} // namespace tilesmith::tileas

namespace {

/// An exchange through shared memory, and what it takes per register; what a plan has to save. In
/// instructions.
constexpr int64_t kExchange = 40, kPerRegister = 3, kLeastGain = 8;

/// Groups with larger tiles are left alone: layouts are compared by elimination over their registers.
constexpr int64_t kMostRegisters = 256;

int64_t wordsOf(Type tile) {
  return llvm::divideCeil(bytesOfElement(tile), 4);
}

int64_t conversionCost(LayoutAttr from, LayoutAttr to, int64_t words) {
  const int64_t registers = std::max(from.getNumRegisters(), to.getNumRegisters()) * words;
  LinearLayout source = from.toLinear(), result = to.toLinear();
  switch (classifyConversion(source, result)) {
  case ConversionKind::Identical:
  case ConversionKind::RegisterPermutation:
    return 0;
  case ConversionKind::WithinWarp:
    if (std::optional<SwapPlan> swaps = planSwaps(source, result);
        swaps && swaps->shuffles * words <= kMaxSwapShuffles)
      return 4 * swaps->shuffles * words;
    break;
  case ConversionKind::SharedMemory:
    break;
  }
  return kExchange + kPerRegister * registers;
}

/// A slice, concatenation or change of the element type through shared memory.
int64_t movementCost(Operation *op) {
  int64_t cost = 0;
  LayoutAttr result = getLayout(op->getResult(0).getType());
  for (Value operand : op->getOperands())
    if (RankedTensorType type = tileType(operand))
      cost += kExchange + kPerRegister * wordsOf(type) *
                              (getLayout(type).getNumRegisters() + result.getNumRegisters());
  return cost;
}

/// Follows a plan through the steps of a group; without `apply` only to see what it costs.
class Follower {
public:
  Follower(SliceFlow &flow, ArrayRef<unsigned> group, unsigned warpBits, const RolePlan &plan,
           bool apply)
      : flow(flow), group(group), warpBits(warpBits), plan(plan), apply(apply) {
    for (unsigned number : group) {
      Operation *op = flow.steps()[number].op;
      members.insert(op);
      if (Value tile = accessed(op))
        accesses[op] = getLayout(tile.getType());
    }
  }

  /// Instructions of all conversions; nothing where a layout does not exist.
  std::optional<int64_t> run() {
    for (unsigned number : group)
      if (!follow(flow.steps()[number], number))
        return std::nullopt;
    if (apply)
      for (Operation *op : llvm::reverse(gone))
        if (op->use_empty())
          op->erase();
    return cost;
  }

private:
  /// The tile that a step loads or stores.
  static Value accessed(Operation *op) {
    if (auto store = dyn_cast<StoreOp>(op))
      return store.getValue();
    if (auto store = dyn_cast<TiledStoreOp>(op))
      return store.getValue();
    return isa<LoadOp, TiledLoadOp>(op) ? op->getResult(0) : Value();
  }
  LayoutAttr layout(Value value) const {
    auto found = layouts.find(value);
    return found == layouts.end() ? getLayout(value.getType()) : found->second;
  }
  LayoutAttr planned(unsigned tile, unsigned step) const {
    const SliceFlow::Tile &it = flow.tile(tile);
    return layoutOf(it.value.getContext(), cast<RankedTensorType>(it.value.getType()).getShape(),
                    it.bits, plan.at(step), warpBits);
  }

  /// The value in a layout, for an operation.
  Value have(Value value, LayoutAttr wanted, Operation *user) {
    if (Value source = aliases.lookup(value))
      value = source;
    if (layout(value) == wanted)
      return value;
    Value &made = known[{value, wanted}];
    if (made)
      return made;
    made = value;
    auto type = cast<RankedTensorType>(value.getType());
    if (int64_t each = flow.indexCost(value)) {
      cost += each * wanted.getNumRegisters();
      OpBuilder builder(user);
      if (apply)
        made = recomputeIndex(builder, value, wanted);
      return made;
    }
    cost += conversionCost(layout(value), wanted, wordsOf(type));
    if (apply) {
      OpBuilder builder(user);
      made = ConvertLayoutOp::create(builder, user->getLoc(), withLayout(type, wanted), value);
    }
    return made;
  }

  bool isUsedOutside(Value value) const {
    return llvm::any_of(value.getUsers(), [&](Operation *user) { return !members.contains(user); });
  }

  /// The result takes its layout; others than the steps find the one that it had.
  void give(Operation *op, LayoutAttr now) {
    Value result = op->getResult(0);
    auto type = cast<RankedTensorType>(result.getType());
    layouts[result] = now;
    if (getLayout(type) == now)
      return;
    const bool outside = isUsedOutside(result);
    if (outside)
      cost += conversionCost(now, getLayout(type), wordsOf(type));
    if (!apply)
      return;
    result.setType(withLayout(type, now));
    if (!outside)
      return;
    OpBuilder builder(op->getContext());
    builder.setInsertionPointAfter(op);
    Value before = ConvertLayoutOp::create(builder, op->getLoc(), type, result);
    result.replaceUsesWithIf(before, [&](OpOperand &use) {
      return use.getOwner() != before.getDefiningOp() && !members.contains(use.getOwner());
    });
  }

  /// A conversion is another name for its source; it stays for those that want its layout.
  void passOver(ConvertLayoutOp op) {
    Value source = op.getSource();
    if (Value first = aliases.lookup(source))
      source = first;
    aliases[op.getResult()] = source;
    if (isUsedOutside(op.getResult()))
      cost += conversionCost(layout(source), getLayout(op.getResult().getType()),
                             wordsOf(source.getType()));
    if (!apply)
      return;
    op.getSourceMutable().assign(source);
    gone.push_back(op);
  }

  bool follow(const SliceFlow::Step &step, unsigned number) {
    Operation *op = step.op;
    if (auto convert = dyn_cast<ConvertLayoutOp>(op)) {
      passOver(convert);
      return true;
    }
    const bool isStore = step.result == SliceFlow::kNone;
    LayoutAttr before = accesses.lookup(op); // null: no access to memory
    LayoutAttr result = planned(step.anyTile(), number);
    if (!result)
      return false;
    if (before && !keepsAccess(op, result, before))
      result = before;
    for (auto [index, tile] : llvm::enumerate(step.operands)) {
      if (tile == SliceFlow::kNone)
        continue;
      Value operand = op->getOperand(index);
      // Registers of these do not move, even where the order of bits changes.
      LayoutAttr wanted = before ? result : sourceLayoutOf(op, result);
      if (!wanted || (isa<PermuteOp>(op) && TILESMITH_PLANT("slice-permute-sorts-registers")))
        wanted = planned(tile, number);
      if (!wanted)
        return false;
      Value got = have(operand, wanted, op);
      if (apply)
        op->setOperand(index, got);
    }
    if (!isStore)
      give(op, result);
    return true;
  }

  SliceFlow &flow;
  ArrayRef<unsigned> group;
  unsigned warpBits;
  const RolePlan &plan;
  bool apply;
  int64_t cost = 0;
  llvm::DenseSet<Operation *> members;
  llvm::DenseMap<Operation *, LayoutAttr> accesses; ///< the layouts that tiles of memory had
  llvm::DenseMap<Value, LayoutAttr> layouts;        ///< of results of steps
  llvm::DenseMap<Value, Value> aliases;             ///< what conversions convert
  llvm::DenseMap<std::pair<Value, Attribute>, Value> known; ///< values in other layouts
  SmallVector<Operation *> gone;
};

/// What the group costs as it is; nothing where tiles are too large.
std::optional<int64_t> presentCost(const SliceFlow &flow, ArrayRef<unsigned> group) {
  int64_t cost = 0;
  for (unsigned number : group) {
    Operation *op = flow.steps()[number].op;
    for (Type type : op->getOperandTypes())
      if (LayoutAttr layout = getLayout(type); layout && layout.getNumRegisters() > kMostRegisters)
        return std::nullopt;
    if (isa<ExtractSliceOp, CatOp, ReinterpretOp>(op))
      cost += movementCost(op);
    else if (auto convert = dyn_cast<ConvertLayoutOp>(op))
      cost += conversionCost(getLayout(convert.getSource().getType()),
                             getLayout(convert.getResult().getType()),
                             wordsOf(convert.getSource().getType()));
  }
  return cost;
}

void assign(SliceFlow &flow, ArrayRef<unsigned> group) {
  std::optional<int64_t> present = presentCost(flow, group);
  if (!present)
    return;
  const unsigned warpBits = flow.warpBits(group);
  std::optional<RolePlan> best;
  int64_t least = *present - kLeastGain;
  auto offer = [&](std::optional<RolePlan> plan) {
    if (!plan)
      return;
    std::optional<int64_t> cost = Follower(flow, group, warpBits, *plan, /*apply=*/false).run();
    if (cost && *cost < least) {
      least = *cost;
      best = std::move(plan);
    }
  };
  offer(planConstantRoles(flow, group, warpBits, /*lanesInOrder=*/false));
  offer(planConstantRoles(flow, group, warpBits, /*lanesInOrder=*/true));
  offer(planChangingRoles(flow, group, warpBits));
  if (best)
    (void)Follower(flow, group, warpBits, *best, /*apply=*/true).run();
}

struct AssignSliceLayouts : tileas::impl::AssignSliceLayoutsPassBase<AssignSliceLayouts> {
  void runOnOperation() override {
    SmallVector<Block *> blocks;
    getOperation()->walk([&](Block *block) {
      if (llvm::any_of(*block, llvm::IsaPred<ExtractSliceOp, CatOp, ReinterpretOp>))
        blocks.push_back(block);
    });
    for (Block *block : blocks) {
      SliceFlow flow(*block);
      for (ArrayRef<unsigned> group : flow.groups())
        assign(flow, group);
    }
  }
};

} // namespace
