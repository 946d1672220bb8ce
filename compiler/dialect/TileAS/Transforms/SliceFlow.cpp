//===- SliceFlow.cpp - classes of bits that slices and concatenations connect -----------------===//
//
// Operations of a block are looked at in order. Indices, which threads compute by themselves in any layout
// (RecomputeIndices.cpp), connect nothing: the steps of a sorting network share ranges whose bits
// mean different bits of its tile in each step.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/dialect/TileAS/Transforms/SliceFlow.h"

#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/dialect/TileAS/Transforms/LayoutPatterns.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas;

namespace {

/// Longer chains are computed once.
constexpr int64_t kMostIndexInstructions = 48;

unsigned bitsOf(ArrayRef<int64_t> shape) {
  unsigned bits = 0;
  for (int64_t extent : shape)
    bits += llvm::Log2_64(extent);
  return bits;
}

/// The bit of `to` that is the same bit of the same coordinate as each bit of `from`; a dimension of `from` is `dims[i]` of `to`.
SmallVector<unsigned> embedBits(ArrayRef<int64_t> from, ArrayRef<int64_t> to,
                                ArrayRef<int64_t> dims) {
  SmallVector<unsigned> result;
  for (unsigned dim = from.size(); dim-- > 0;)
    for (unsigned bit = 0; bit < llvm::Log2_64(from[dim]); ++bit)
      result.push_back(bitsOf(to.drop_front(dims[dim] + 1)) + bit);
  return result;
}

SmallVector<unsigned> embedBits(ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  return embedBits(from, to, llvm::to_vector(llvm::seq<int64_t>(0, from.size())));
}

ArrayRef<int64_t> shapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

/// A slice of a tile whose indices are constants inside of it.
bool isFixedSlice(ExtractSliceOp op) {
  RankedTensorType slice = tileType(op.getResult());
  if (!slice)
    return false;
  for (auto [index, whole, part] :
       llvm::zip_equal(op.getIndices(), shapeOf(op.getSource()), slice.getShape())) {
    APInt number;
    if (!matchPattern(index, m_ConstantInt(&number)) || number.uge(whole / part))
      return false;
  }
  return true;
}

bool isWeakLoad(Operation *op) {
  if (auto load = dyn_cast<LoadOp>(op))
    return load.isPlain() && tileType(load.getResult());
  auto load = dyn_cast<TiledLoadOp>(op);
  return load && load.getMemSemantic() == tileaa::MemSemantic::weak;
}

bool isWeakStore(Operation *op) {
  if (auto store = dyn_cast<StoreOp>(op))
    return store.getMemSemantic() == tileaa::MemSemantic::weak && !store.getIsVolatile() &&
           tileType(store.getValue());
  auto store = dyn_cast<TiledStoreOp>(op);
  return store && store.getMemSemantic() == tileaa::MemSemantic::weak;
}

} // namespace

SliceFlow::SliceFlow(Block &block) {
  for (Operation &op : block)
    add(&op);
  for (Tile &tile : tiles)
    for (unsigned &bit : tile.bits)
      bit = classes.findLeader(bit);
  for (Step &step : allSteps) {
    for (unsigned &forced : step.forced)
      forced = classes.findLeader(forced);
    step.group = connected.findLeader(step.anyTile());
  }
}

unsigned SliceFlow::Step::anyTile() const {
  return result != kNone ? result
                         : *llvm::find_if(operands, [](unsigned tile) { return tile != kNone; });
}

unsigned SliceFlow::warpBits(ArrayRef<unsigned> group) const {
  Value value = tiles[allSteps[group.front()].anyTile()].value;
  return getLayout(value.getType()).getWarps().size();
}

SmallVector<SmallVector<unsigned>> SliceFlow::groups() const {
  llvm::MapVector<unsigned, SmallVector<unsigned>> members;
  llvm::DenseSet<unsigned> moving;
  for (auto [number, step] : llvm::enumerate(allSteps)) {
    members[step.group].push_back(number);
    if (!step.forced.empty())
      moving.insert(step.group);
  }
  SmallVector<SmallVector<unsigned>> result;
  for (auto &[group, numbers] : members)
    if (moving.contains(group))
      result.push_back(numbers);
  return result;
}

int64_t SliceFlow::indexCost(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || !tileType(value) || op->getNumResults() != 1)
    return 0;
  if (isa<tileaa::SplatOp, tileaa::MakeRangeOp>(op) || matchPattern(value, m_Constant()))
    return 1;
  if (auto found = indexCosts.find(value); found != indexCosts.end())
    return found->second;
  int64_t cost = indexInstructions(op);
  const bool moves = isa<ViewOp, BroadcastOp, PermuteOp, ConvertLayoutOp>(op);
  if (cost || moves)
    for (Value operand : op->getOperands()) {
      if (!isa<RankedTensorType>(operand.getType()))
        continue;
      int64_t own = indexCost(operand);
      cost = own && (moves || cost) ? cost + own : 0;
      if (!cost)
        break;
    }
  if (cost > kMostIndexInstructions)
    cost = 0;
  return indexCosts[value] = cost;
}

unsigned SliceFlow::newTile(Value value, ArrayRef<unsigned> bits) {
  unsigned number = tiles.size();
  tiles.push_back({value, SmallVector<unsigned, 12>(bits)});
  connected.grow(number + 1);
  for (unsigned bit : bits)
    tilesOfClass[classes.findLeader(bit)].push_back(number);
  return number;
}

SmallVector<unsigned> SliceFlow::newClasses(unsigned count) {
  SmallVector<unsigned> result;
  for (unsigned i = 0; i < count; ++i)
    result.push_back(classCount++);
  classes.grow(classCount);
  tilesOfClass.resize(classCount);
  return result;
}

unsigned SliceFlow::tileOf(Value value) {
  auto [place, isNew] = tileNumbers.try_emplace(value, 0);
  if (!isNew)
    return place->second;
  unsigned number = newTile(value, newClasses(bitsOf(shapeOf(value))));
  return tileNumbers[value] = number;
}

bool SliceFlow::unify(ArrayRef<unsigned> a, ArrayRef<unsigned> b) {
  auto meet = [&](unsigned one, unsigned other) {
    if (tilesOfClass[one].size() > tilesOfClass[other].size())
      std::swap(one, other);
    return llvm::any_of(tilesOfClass[one], [&](unsigned tile) {
      return llvm::any_of(tiles[tile].bits,
                          [&](unsigned bit) { return classes.findLeader(bit) == other; });
    });
  };
  for (auto [left, right] : llvm::zip_equal(a, b)) {
    unsigned one = classes.findLeader(left), other = classes.findLeader(right);
    if (one != other && meet(one, other))
      return false;
  }
  for (auto [left, right] : llvm::zip_equal(a, b)) {
    unsigned one = classes.findLeader(left), other = classes.findLeader(right);
    if (one == other)
      continue;
    unsigned leader = classes.join(one, other), gone = leader == one ? other : one;
    llvm::append_range(tilesOfClass[leader], tilesOfClass[gone]);
    tilesOfClass[gone].clear();
  }
  return true;
}

unsigned SliceFlow::use(Value value, ArrayRef<unsigned> bits) {
  if (indexCost(value))
    return newTile(value, bits);
  unsigned number = tileOf(value);
  SmallVector<unsigned> own(tiles[number].bits);
  return unify(own, bits) ? number : newTile(value, bits);
}

void SliceFlow::addSlice(Step &step, ExtractSliceOp op) {
  ArrayRef<int64_t> whole = shapeOf(op.getSource()), part = shapeOf(op.getResult());
  unsigned source = indexCost(op.getSource()) ? newTile(op.getSource(), newClasses(bitsOf(whole)))
                                              : tileOf(op.getSource());
  SmallVector<unsigned> places = embedBits(part, whole), bits;
  for (unsigned place : places)
    bits.push_back(tiles[source].bits[place]);
  for (auto [place, bit] : llvm::enumerate(tiles[source].bits))
    if (!llvm::is_contained(places, place))
      step.forced.push_back(bit);
  step.operands.push_back(source);
  step.operands.append(op.getIndices().size(), kNone);
  step.result = tileNumbers[op.getResult()] = newTile(op.getResult(), bits);
}

void SliceFlow::addCat(Step &step, CatOp op) {
  ArrayRef<int64_t> whole = shapeOf(op.getResult()), part = shapeOf(op.getLhs());
  SmallVector<unsigned> bits = newClasses(bitsOf(whole)), shared;
  SmallVector<unsigned> places = embedBits(part, whole);
  for (unsigned place : places)
    shared.push_back(bits[place]);
  for (auto [place, bit] : llvm::enumerate(bits))
    if (!llvm::is_contained(places, place))
      step.forced.push_back(bit);
  step.result = tileNumbers[op.getResult()] = newTile(op.getResult(), bits);
  step.operands = {use(op.getLhs(), shared), use(op.getRhs(), shared)};
}

void SliceFlow::addReinterpret(Step &step, ReinterpretOp op) {
  const unsigned from = bitsOf(shapeOf(op.getSource())), to = bitsOf(shapeOf(op.getResult()));
  unsigned source = indexCost(op.getSource()) ? newTile(op.getSource(), newClasses(from))
                                              : tileOf(op.getSource());
  SmallVector<unsigned> bits(tiles[source].bits);
  if (to > from) { // the lowest bits of the result are new
    SmallVector<unsigned> parts = newClasses(to - from);
    bits.insert(bits.begin(), parts.begin(), parts.end());
    step.forced.assign(parts.begin(), parts.end());
  } else {
    step.forced.assign(bits.begin(), bits.begin() + (from - to));
    bits.erase(bits.begin(), bits.begin() + (from - to));
  }
  step.operands = {source};
  step.result = tileNumbers[op.getResult()] = newTile(op.getResult(), bits);
}

void SliceFlow::add(Operation *op) {
  if (op->getNumResults() == 1 && indexCost(op->getResult(0)))
    return;
  Step step;
  step.op = op;
  auto useAll = [&](ArrayRef<unsigned> bits) {
    for (Value operand : op->getOperands())
      step.operands.push_back(tileType(operand) ? use(operand, bits) : kNone);
  };
  auto result = [&](ArrayRef<unsigned> bits) {
    step.result = tileNumbers[op->getResult(0)] = newTile(op->getResult(0), bits);
  };
  if (auto slice = dyn_cast<ExtractSliceOp>(op); slice && isFixedSlice(slice)) {
    addSlice(step, slice);
  } else if (auto cat = dyn_cast<CatOp>(op);
             cat && cat.getLhs().getType() == cat.getRhs().getType()) {
    addCat(step, cat);
  } else if (auto reinterpret = dyn_cast<ReinterpretOp>(op)) {
    addReinterpret(step, reinterpret);
  } else if (isa<ViewOp, ConvertLayoutOp>(op) && tileType(op->getOperand(0))) {
    step.operands = {tileOf(op->getOperand(0))};
    result(SmallVector<unsigned>(tiles[step.operands[0]].bits));
  } else if (auto permute = dyn_cast<PermuteOp>(op)) {
    SmallVector<int64_t> dims(permute.getPermutation());
    step.operands = {tileOf(permute.getSource())};
    SmallVector<unsigned> bits;
    for (unsigned place :
         embedBits(shapeOf(permute.getResult()), shapeOf(permute.getSource()), dims))
      bits.push_back(tiles[step.operands[0]].bits[place]);
    result(bits);
  } else if (auto broadcast = dyn_cast<BroadcastOp>(op)) {
    ArrayRef<int64_t> small = shapeOf(broadcast.getSource()),
                      large = shapeOf(broadcast.getResult());
    step.operands = {tileOf(broadcast.getSource())};
    SmallVector<unsigned> bits = newClasses(bitsOf(large));
    for (auto [bit, place] : llvm::enumerate(embedBits(small, large)))
      bits[place] = tiles[step.operands[0]].bits[bit];
    result(bits);
  } else if (isElementwise(op) || isWeakLoad(op)) {
    SmallVector<unsigned> bits = newClasses(bitsOf(shapeOf(op->getResult(0))));
    result(bits);
    useAll(bits);
  } else if (isWeakStore(op)) {
    Value stored =
        isa<StoreOp>(op) ? cast<StoreOp>(op).getValue() : cast<TiledStoreOp>(op).getValue();
    useAll(newClasses(bitsOf(shapeOf(stored))));
  } else {
    return;
  }
  unsigned first = step.result;
  for (unsigned tile : step.operands) {
    if (tile != kNone && first != kNone)
      connected.join(first, tile);
    first = first == kNone ? tile : first;
  }
  allSteps.push_back(std::move(step));
}
