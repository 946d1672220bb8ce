//===- ComputedOperands.cpp - operands of products that are computed from tiles in slots ------===//
//
// Invariants
//  * What other users need of the tiles in between stays where it is: such a tile is computed once, but for what only
//    widens a tile of a slot.
//  * No exchange comes: leaves are slots, constants, tiles from outside of the loop, which are brought to
//    their layout there, and small tiles, which are loaded as they are wanted.
//  * Where several warps multiply the same elements, each computes them; that must not take more
//    instructions than the exchange would.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/dialect/TileAS/Transforms/ComputedOperands.h"

#include "compiler/dialect/TileAS/Transforms/LayoutPatterns.h"
#include "compiler/support/Plants.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas;

/// Larger trees are left alone.
static constexpr unsigned kMostOperations = 64;
/// Instructions of an exchange for each element: written, read, and a part of two barriers.
static constexpr int64_t kInstructionsOfExchange = 3;

static bool isLoad(Operation *op) {
  return isa_and_present<LoadOp, TiledLoadOp, GatherLoadOp>(op);
}

/// Shapes, layouts and constants: nothing is computed.
static bool isMovement(Operation *op) {
  return isa<ConvertLayoutOp, ViewOp, BroadcastOp, PermuteOp, CatOp, tileaa::SplatOp>(op) ||
         op->hasTrait<OpTrait::ConstantLike>();
}

SmallVector<Operation *> tileas::loadsBehind(Value operand, Block *body) {
  llvm::SetVector<Operation *> seen;
  SmallVector<Value> work{operand};
  SmallVector<Operation *> loads;
  while (!work.empty()) {
    Value value = work.pop_back_val();
    if (!isa<RankedTensorType>(value.getType()))
      continue;
    Operation *op = value.getDefiningOp();
    if (!op) {
      if (value.getParentBlock() == body) // carried
        return {};
      continue;
    }
    if (op->getBlock() != body || !seen.insert(op))
      continue;
    if (isLoad(op)) {
      loads.push_back(op);
      continue;
    }
    if (seen.size() > kMostOperations || !(isMovement(op) || isElementwise(op)))
      return {};
    work.append(op->operand_begin(), op->operand_end());
  }
  llvm::sort(loads, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return loads;
}

/// What a pipeline reads as it lies in a slot.
static bool isReadOfSlot(Value value) {
  auto read = value.getDefiningOp<ConsumerReadOp>();
  if (!read)
    return false;
  Operation *yield = read.getBody().front().getTerminator();
  auto copy = yield->getOperand(cast<OpResult>(value).getResultNumber()).getDefiningOp<CopyOp>();
  return copy && isa<BlockArgument>(copy.getSource());
}

/// An instruction or two for each element of a slot, which may as well be computed twice.
static bool widensSlot(Operation *op) {
  return isa<tileaa::FpToFpOp>(op) && isReadOfSlot(op->getOperand(0)) &&
         bitsOfElement(op->getOperand(0)) <= bitsOfElement(op->getResult(0));
}

bool ComputedTile::hasOthers(Operation *op) const {
  return !llvm::all_of(op->getUsers(), [&](Operation *user) { return operations.contains(user); });
}

std::optional<ComputedTile> ComputedTile::match(Value root, LayoutAttr layout,
                                                llvm::function_ref<bool(Value)> isRead) {
  ComputedTile tile;
  tile.root = root;
  if (!root.getDefiningOp() || !tile.visit(root, layout, isRead) || !tile.isSpared())
    return std::nullopt;
  for (Operation *op : tile.operations)
    if (op->getResult(0) != root && tile.hasOthers(op) && !widensSlot(op))
      return std::nullopt;
  return tile;
}

std::optional<ComputedTile> ComputedTile::matchReads(Value root, LayoutAttr layout) {
  return match(root, layout, isReadOfSlot);
}

bool tileas::isLoadedAnyhow(Operation *op, LayoutAttr layout) {
  auto load = dyn_cast_or_null<TiledLoadOp>(op);
  return load && load.getMemSemantic() == tileaa::MemSemantic::weak &&
         (load.getResult().hasOneUse() || TILESMITH_PLANT("computed-load-of-several")) &&
         llvm::is_contained(layout.getShape(), layout.getNumElements()) &&
         withoutCopies(layout).getNumRegisters() <= kMostLoadedAnyhow;
}

/// The layout of both halves of a tile along a dimension, of which every thread holds the same elements: nullopt where
/// the halves lie in different threads.
static std::optional<LayoutAttr> layoutOfHalves(LayoutAttr layout, int64_t dim) {
  SmallVector<int64_t> shape(layout.getShape());
  int64_t inner = 1;
  for (int64_t extent : ArrayRef(shape).drop_front(dim + 1))
    inner *= extent;
  const int64_t half = shape[dim] / 2 * inner;
  if (shape[dim] % 2 != 0)
    return std::nullopt;
  shape[dim] /= 2;
  bool apart = false;
  auto bases = [&](ArrayRef<int64_t> whole, bool inRegisters) {
    SmallVector<int64_t> result;
    for (int64_t basis : whole) {
      if (inRegisters && basis == half)
        continue;
      apart |= (basis & half) != 0;
      result.push_back(basis / (2 * half) * half + basis % (2 * half));
    }
    return result;
  };
  SmallVector<int64_t> registers = bases(layout.getRegisters(), true),
                       lanes = bases(layout.getLanes(), false),
                       warps = bases(layout.getWarps(), false);
  if (apart || registers.size() + 1 != layout.getRegisters().size())
    return std::nullopt;
  return LayoutAttr::get(layout.getContext(), shape, registers, lanes, warps);
}

bool ComputedTile::visit(Value value, LayoutAttr layout, IsRead isRead) {
  if (!isa<RankedTensorType>(value.getType()))
    return true;
  if (!tileType(value))
    return false;
  auto [known, isNew] = layouts.insert({value, layout});
  if (!isNew)
    return known->second == layout;
  Operation *op = value.getDefiningOp();
  if (!op)
    return false;
  if (isRead(value) || isa<tileaa::SplatOp, tileaa::MakeRangeOp>(op) ||
      matchPattern(value, m_Constant()))
    return true;
  if (op->getBlock() != root.getParentBlock()) // outside of the loop, of the same warps
    return op->getBlock()->findAncestorOpInBlock(*root.getDefiningOp()) &&
           op->getParentOfType<AgentSwitchOp>() ==
               root.getDefiningOp()->getParentOfType<AgentSwitchOp>();
  if (isLoadedAnyhow(op, layout))
    return true;
  if (operations.size() >= kMostOperations)
    return false;
  operations.insert(op);
  if (isa<ConvertLayoutOp>(op))
    return visit(op->getOperand(0), layout, isRead);
  if (LayoutAttr source = sourceLayoutOf(op, layout))
    return visit(op->getOperand(0), source, isRead);
  if (auto cat = dyn_cast<CatOp>(op)) {
    std::optional<LayoutAttr> half = layoutOfHalves(layout, cat.getDim());
    return half && tileType(cat.getLhs()).getShape() == tileType(cat.getRhs()).getShape() &&
           visit(cat.getLhs(), *half, isRead) && visit(cat.getRhs(), *half, isRead);
  }
  return isElementwise(op) && llvm::all_of(op->getOperands(), [&](Value operand) {
           return visit(operand, layout, isRead);
         });
}

/// What warps compute once more is less than what an exchange takes.
bool ComputedTile::isSpared() const {
  int64_t before = 0, after = 0;
  for (Operation *op : operations) {
    if (isMovement(op))
      continue;
    if (op->getResult(0) == root || !hasOthers(op))
      before += getLayout(op->getResult(0).getType()).getNumRegisters();
    after += layouts.find(op->getResult(0))->second.getNumRegisters();
  }
  return after - before <= kInstructionsOfExchange * getLayout(root.getType()).getNumRegisters();
}

Value ComputedTile::readAnew(OpBuilder &builder, Value value, LayoutAttr layout) {
  auto read = value.getDefiningOp<ConsumerReadOp>();
  Block &body = read.getBody().front();
  unsigned number = cast<OpResult>(value).getResultNumber();
  if (read.getResult(0).getType() == value.getType() &&
      TILESMITH_PLANT("computed-operand-of-first-slot"))
    number = 0;
  Value inner = body.getTerminator()->getOperand(number);
  RankedTensorType type = withLayout(cast<RankedTensorType>(value.getType()), layout);
  auto alone =
      ConsumerReadOp::create(builder, read.getLoc(), type, read.getPipeline(), read.getStage());
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<Location> locations(body.getNumArguments(), read.getLoc());
  builder.createBlock(&alone.getBody(), {}, body.getArgumentTypes(), locations);
  IRMapping mapping;
  mapping.map(body.getArguments(), alone.getBody().getArguments());
  Operation *copy = builder.clone(*inner.getDefiningOp(), mapping);
  copy->getResult(0).setType(type);
  PipelineYieldOp::create(builder, read.getLoc(), copy->getResults());
  return alone.getResult(0);
}

Value ComputedTile::make(OpBuilder &builder, Value value) {
  if (!isa<RankedTensorType>(value.getType()))
    return value;
  if (Value known = made.lookup(value))
    return known;
  Operation *op = value.getDefiningOp();
  LayoutAttr layout = layouts.find(value)->second;
  RankedTensorType type = withLayout(tileType(value), layout);
  Value result;
  if (isReadOfSlot(value)) {
    result = readAnew(builder, value, layout);
  } else if (Value anew = withLayoutAnew(builder, op, type)) {
    result = anew;
  } else if (op->getBlock() != root.getParentBlock()) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointAfter(op);
    result = ConvertLayoutOp::create(builder, value.getLoc(), type, value);
  } else if (isLoad(op)) {
    value.setType(withLayout(type, withoutCopies(layout)));
    result = ConvertLayoutOp::create(builder, value.getLoc(), type, value);
  } else if (auto convert = dyn_cast<ConvertLayoutOp>(op)) {
    result = make(builder, convert.getSource());
  } else {
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(make(builder, operand));
    if (operands.size() == 2 && operands[0].getType() == operands[1].getType() &&
        TILESMITH_PLANT("computed-operand-of-one-tile"))
      operands[1] = operands[0];
    if (isa<CatOp>(op) && TILESMITH_PLANT("computed-halves-exchanged"))
      std::swap(operands[0], operands[1]);
    Operation *clone = builder.clone(*op);
    clone->setOperands(operands);
    clone->getResult(0).setType(type);
    result = clone->getResult(0);
  }
  return made[value] = result;
}

/// One operation alone wants the value, in whatever layout.
static bool isWantedOnce(Value value) {
  while (value.hasOneUse()) {
    auto convert = dyn_cast<ConvertLayoutOp>(*value.getUsers().begin());
    if (!convert || TILESMITH_PLANT("computed-operand-behind-its-conversion"))
      return true;
    value = convert.getResult();
  }
  return false;
}

Value ComputedTile::compute(OpBuilder &builder) {
  OpBuilder::InsertionGuard guard(builder);
  if (!isWantedOnce(root)) // others, or a conversion for several, may stand in front of this user
    builder.setInsertionPointAfterValue(root);
  Value result = make(builder, root);
  Value back = ConvertLayoutOp::create(builder, root.getLoc(), root.getType(), result);
  root.replaceAllUsesWith(back);
  // Users stand behind what they use.
  SmallVector<Operation *> dead(operations.begin(), operations.end());
  llvm::sort(dead, [](Operation *a, Operation *b) { return b->isBeforeInBlock(a); });
  for (Operation *op : dead)
    if (op->use_empty())
      op->erase();
  return result;
}
