//===- SlicePlan.cpp - where the bits of connected tiles lie ----------------------------------===//
//
// Constant roles start from the layout of the largest tile. A class that has to lie in registers changes places
// with the highest one that need not, accesses to memory keeping their neighbours as far as that goes.
//
// Changing roles treat registers, lanes and warps as a memory of three levels. What is forced next lies in
// front: a class on a lane changes places with the one in registers that is forced last, which is a
// shuffle of half of the registers; if one lies on a warp, everything is dealt out anew in the order of
// its next use, in one exchange.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/dialect/TileAS/Transforms/AccessAlignment.h"
#include "compiler/dialect/TileAS/Transforms/SliceFlow.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas;

namespace {

constexpr unsigned kLaneBits = 5;

/// Duplicates that forced classes may cost: bits, and bits of registers of such a tile.
constexpr unsigned kMostDuplicateBits = 2, kMostDuplicatedRegisters = 3;

struct Access {
  RankedTensorType tile;
  unsigned dim; ///< contiguous in memory
  int64_t elements;
};

std::optional<Access> accessOf(Operation *op) {
  auto ofView = [](Value view, ValueRange indices, Type type) -> std::optional<Access> {
    auto tile = cast<RankedTensorType>(type);
    if (auto alignment = viewAlignment(view, indices, tile))
      return Access{tile, alignment->dim, alignment->elements};
    return std::nullopt;
  };
  auto ofPointers = [](Value pointers, Type type) -> std::optional<Access> {
    auto tile = dyn_cast<RankedTensorType>(type);
    if (!tile || !tile.getRank())
      return std::nullopt;
    return Access{tile, unsigned(tile.getRank()) - 1, pointerAlignment(pointers, tile)};
  };
  if (auto load = dyn_cast<TiledLoadOp>(op))
    return ofView(load.getView(), load.getIndices(), load.getResult().getType());
  if (auto store = dyn_cast<TiledStoreOp>(op))
    return ofView(store.getView(), store.getIndices(), store.getValue().getType());
  if (auto load = dyn_cast<LoadOp>(op))
    return ofPointers(load.getPointers(), load.getResult().getType());
  if (auto store = dyn_cast<StoreOp>(op))
    return ofPointers(store.getPointers(), store.getValue().getType());
  return std::nullopt;
}

/// Tiles of a group, each once, in the order of the steps.
SmallVector<unsigned> tilesOf(const SliceFlow &flow, ArrayRef<unsigned> group) {
  SmallVector<unsigned> result;
  llvm::DenseSet<unsigned> seen;
  for (unsigned number : group) {
    const SliceFlow::Step &step = flow.steps()[number];
    for (unsigned tile : step.operands)
      if (tile != SliceFlow::kNone && seen.insert(tile).second)
        result.push_back(tile);
    if (step.result != SliceFlow::kNone && seen.insert(step.result).second)
      result.push_back(step.result);
  }
  return result;
}

/// The tile with the most bits, one that is stored or loaded before others; and the operation that does.
std::pair<unsigned, Operation *> rootOf(const SliceFlow &flow, ArrayRef<unsigned> group) {
  std::pair<unsigned, Operation *> root = {SliceFlow::kNone, nullptr};
  std::pair<size_t, unsigned> best = {0, 0};
  auto offer = [&](unsigned tile, unsigned weight, Operation *op) {
    std::pair<size_t, unsigned> size = {flow.tile(tile).bits.size(), weight};
    if (root.first == SliceFlow::kNone || size > best) {
      best = size;
      root = {tile, op};
    }
  };
  auto offerTiles = [&](bool ofBytes) {
    for (unsigned number : group) {
      const SliceFlow::Step &step = flow.steps()[number];
      const bool isStore = isa<StoreOp, TiledStoreOp>(step.op),
                 isLoad = isa<LoadOp, TiledLoadOp>(step.op);
      if (isa<ReinterpretOp>(step.op) != ofBytes)
        continue;
      for (unsigned tile : step.operands)
        if (tile != SliceFlow::kNone && !isLoad)
          offer(tile, isStore ? 2 : 0, isStore ? step.op : nullptr);
      if (step.result != SliceFlow::kNone)
        offer(step.result, isLoad ? 1 : 0, isLoad ? step.op : nullptr);
    }
  };
  offerTiles(/*ofBytes=*/false);
  if (root.first == SliceFlow::kNone) // bytes between two reinterpretations have the most bits
    offerTiles(/*ofBytes=*/true);
  return root;
}

/// The roles of a tile's classes in its present layout; false where a place holds sums of bits.
bool takeRoles(const SliceFlow::Tile &tile, Roles &roles) {
  LayoutAttr layout = getLayout(tile.value.getType());
  auto take = [&](ArrayRef<int64_t> bases, Role::Place place) {
    for (auto [slot, basis] : llvm::enumerate(bases)) {
      if (!basis)
        continue;
      if (!llvm::isPowerOf2_64(basis))
        return false;
      roles[tile.bits[llvm::Log2_64(basis)]] = {place, unsigned(slot)};
    }
    return true;
  };
  return take(layout.getRegisters(), Role::Register) && take(layout.getLanes(), Role::Lane) &&
         take(layout.getWarps(), Role::Warp);
}

SmallVector<unsigned> inRegisters(ArrayRef<unsigned> bits, const Roles &roles) {
  SmallVector<unsigned> result;
  for (unsigned bit : bits)
    if (roles[bit].place == Role::Register)
      result.push_back(bit);
  return result;
}

/// Whether no tile takes many more registers than its elements need.
bool fits(const SliceFlow &flow, ArrayRef<unsigned> tiles, const Roles &roles, unsigned warpBits) {
  return llvm::all_of(tiles, [&](unsigned tile) {
    ArrayRef<unsigned> bits = flow.tile(tile).bits;
    const unsigned threadBits = kLaneBits + warpBits, held = inRegisters(bits, roles).size(),
                   needed = bits.size() > threadBits ? bits.size() - threadBits : 0;
    return held == needed ||
           (held <= needed + kMostDuplicateBits && held <= kMostDuplicatedRegisters);
  });
}

/// Deals the places that are free in all of its tiles to classes that the root does not have.
void dealOthers(const SliceFlow &flow, ArrayRef<unsigned> tiles,
                const llvm::DenseSet<unsigned> &done, const llvm::DenseSet<unsigned> &forced,
                Roles &roles, unsigned warpBits) {
  llvm::DenseSet<unsigned> settled = done;
  for (unsigned tile : tiles)
    for (unsigned bit : flow.tile(tile).bits) {
      if (!settled.insert(bit).second || forced.contains(bit))
        continue;
      auto isFree = [&](Role role) {
        return llvm::none_of(tiles, [&](unsigned other) {
          ArrayRef<unsigned> bits = flow.tile(other).bits;
          return llvm::is_contained(bits, bit) && llvm::any_of(bits, [&](unsigned mate) {
                   return settled.contains(mate) && mate != bit && roles[mate] == role;
                 });
        });
      };
      for (unsigned place = 0; place < kLaneBits + warpBits; ++place) {
        Role role =
            place < kLaneBits ? Role{Role::Lane, place} : Role{Role::Warp, place - kLaneBits};
        if (isFree(role)) {
          roles[bit] = role;
          break;
        }
      }
    }
}

} // namespace

const Roles &RolePlan::at(unsigned step) const {
  auto later = llvm::find_if(epochs, [&](auto &epoch) { return epoch.first > step; });
  return std::prev(later)->second;
}

LayoutAttr tileas::layoutOf(MLIRContext *context, ArrayRef<int64_t> shape, ArrayRef<unsigned> bits,
                            const Roles &roles, unsigned warpBits) {
  SmallVector<int64_t> registers, lanes(kLaneBits, 0), warps(warpBits, 0);
  for (auto [bit, number] : llvm::enumerate(bits)) {
    const Role role = roles[number];
    const int64_t basis = int64_t(1) << bit;
    if (role.place == Role::Register) {
      registers.push_back(basis);
      continue;
    }
    int64_t &slot = role.place == Role::Lane ? lanes[role.slot] : warps[role.slot];
    if (slot)
      return {};
    slot = basis;
  }
  return LayoutAttr::get(context, shape, registers, lanes, warps);
}

SmallVector<unsigned> tileas::vectorBitsOf(Operation *op) {
  SmallVector<unsigned> result;
  std::optional<Access> access = accessOf(op);
  if (!access)
    return result;
  unsigned first = 0;
  for (int64_t extent : access->tile.getShape().drop_front(access->dim + 1))
    first += llvm::Log2_64(extent);
  const int64_t together =
      std::min(access->elements, runsOf(getLayout(access->tile), access->dim).own);
  for (unsigned bit = 0; int64_t(1) << bit < together; ++bit)
    result.push_back(first + bit);
  return result;
}

int64_t tileas::bytesOfElement(Type tile) {
  Type element = cast<RankedTensorType>(tile).getElementType();
  if (isa<tileaa::PtrType>(element))
    return 8;
  const unsigned bits = isa<FloatTF32Type>(element) ? 32 : element.getIntOrFloatBitWidth();
  return std::max<int64_t>(1, llvm::divideCeil(bits, 8));
}

bool tileas::keepsAccess(Operation *op, LayoutAttr now, LayoutAttr before) {
  constexpr int64_t kHalfAccess = 8;
  std::optional<Access> access = accessOf(op);
  if (now == before)
    return true;
  if (!access)
    return !isa<TiledLoadOp, TiledStoreOp>(op);
  const int64_t bytes = bytesOfElement(access->tile);
  const Runs here = runsOf(now, access->dim), there = runsOf(before, access->dim);
  const int64_t wanted = std::min(access->elements, there.own),
                given = std::min(access->elements, here.own);
  // Pieces of half the width, or of 8 bytes; no thread far from its neighbour; whole sectors.
  return (given >= wanted || given * bytes >= kHalfAccess) &&
         here.own * bytes <= std::max(kSectorBytes, there.own * bytes) &&
         here.together >= std::min(there.together, kSectorBytes / bytes);
}

/// Neighbouring lanes hold neighbouring elements, as far as they can.
static void sortLanes(ArrayRef<unsigned> bits, Roles &roles) {
  SmallVector<unsigned> slots, holders;
  for (unsigned bit : bits)
    if (roles[bit].place == Role::Lane) {
      holders.push_back(bit);
      slots.push_back(roles[bit].slot);
    }
  llvm::sort(slots);
  for (auto [bit, slot] : llvm::zip_equal(holders, slots))
    roles[bit].slot = slot;
}

std::optional<RolePlan> tileas::planConstantRoles(const SliceFlow &flow, ArrayRef<unsigned> group,
                                                  unsigned warpBits, bool lanesInOrder) {
  Roles roles(flow.numClasses());
  auto [root, access] = rootOf(flow, group);
  ArrayRef<unsigned> bits = flow.tile(root).bits;
  if (!takeRoles(flow.tile(root), roles))
    return std::nullopt;
  llvm::DenseSet<unsigned> forced, neighbours, done(bits.begin(), bits.end());
  for (unsigned number : group)
    forced.insert_range(flow.steps()[number].forced);
  if (access)
    for (unsigned bit : vectorBitsOf(access))
      neighbours.insert(bits[bit]);
  for (unsigned bit : bits) {
    if (!forced.contains(bit) || roles[bit].place == Role::Register)
      continue;
    SmallVector<unsigned> candidates = inRegisters(bits, roles);
    llvm::erase_if(candidates, [&](unsigned held) { return forced.contains(held); });
    auto outside = llvm::find_if(llvm::reverse(candidates),
                                 [&](unsigned held) { return !neighbours.contains(held); });
    if (outside != llvm::reverse(candidates).end())
      std::swap(roles[bit], roles[*outside]);
    else if (!candidates.empty())
      std::swap(roles[bit], roles[candidates.back()]);
    else
      roles[bit] = {};
  }
  if (lanesInOrder)
    sortLanes(bits, roles);
  SmallVector<unsigned> tiles = tilesOf(flow, group);
  dealOthers(flow, tiles, done, forced, roles, warpBits);
  if (!fits(flow, tiles, roles, warpBits))
    return std::nullopt;
  RolePlan plan;
  plan.epochs.emplace_back(0, std::move(roles));
  return plan;
}

namespace {

class ChangingRoles {
public:
  ChangingRoles(const SliceFlow &flow, ArrayRef<unsigned> group, unsigned warpBits)
      : flow(flow), group(group), warpBits(warpBits), roles(flow.numClasses()) {
    for (unsigned number : group)
      for (unsigned bit : flow.steps()[number].forced)
        uses[bit].push_back(number);
  }

  std::optional<RolePlan> plan() {
    auto [root, access] = rootOf(flow, group);
    ArrayRef<unsigned> bits = firstOfSize(flow.tile(root).bits.size());
    SmallVector<unsigned> front;
    for (unsigned number : group)
      if (isa<LoadOp, TiledLoadOp>(flow.steps()[number].op) &&
          flow.tile(flow.steps()[number].result).bits == bits)
        for (unsigned bit : vectorBitsOf(flow.steps()[number].op))
          front.push_back(bits[bit]);
    const unsigned threads = kLaneBits + warpBits;
    deal(bits, bits.size() > threads ? bits.size() - threads : 0, 0, front);
    RolePlan result;
    result.epochs.emplace_back(0, roles);
    for (unsigned number : group) {
      const SliceFlow::Step &step = flow.steps()[number];
      if (!isa<ExtractSliceOp>(step.op))
        continue;
      switch (bring(step, number)) {
      case Change::Impossible:
        return std::nullopt;
      case Change::Some:
        result.epochs.emplace_back(number, roles);
        break;
      case Change::None:
        break;
      }
    }
    return result;
  }

private:
  enum class Change { None, Some, Impossible };

  ArrayRef<unsigned> firstOfSize(size_t size) const {
    for (unsigned tile : tilesOf(flow, group))
      if (flow.tile(tile).bits.size() == size)
        return flow.tile(tile).bits;
    llvm_unreachable("the root is a tile of the group");
  }

  unsigned nextUse(unsigned bit, unsigned from) const {
    auto found = uses.find(bit);
    if (found == uses.end())
      return SliceFlow::kNone;
    auto next = llvm::lower_bound(found->second, from);
    return next == found->second.end() ? SliceFlow::kNone : *next;
  }

  /// Registers, lanes, warps to the classes in the order in which they are forced, those of `front` first.
  void deal(ArrayRef<unsigned> bits, unsigned registers, unsigned from, ArrayRef<unsigned> front) {
    SmallVector<std::tuple<bool, unsigned, unsigned, size_t>> keys;
    for (auto [place, bit] : llvm::enumerate(bits))
      keys.emplace_back(!llvm::is_contained(front, bit), nextUse(bit, from),
                        unsigned(roles[bit].place), place);
    llvm::sort(keys);
    SmallVector<unsigned> order;
    for (auto &key : keys)
      order.push_back(bits[std::get<3>(key)]);
    ArrayRef<unsigned> rest = ArrayRef(order).drop_front(std::min<size_t>(registers, order.size()));
    for (unsigned bit : ArrayRef(order).take_front(registers))
      roles[bit] = {};
    place(rest.take_front(kLaneBits), Role::Lane, kLaneBits);
    place(rest.drop_front(std::min<size_t>(kLaneBits, rest.size())), Role::Warp, warpBits);
  }

  /// Those that are on such a place stay there.
  void place(ArrayRef<unsigned> bits, Role::Place where, unsigned slots) {
    llvm::DenseSet<unsigned> taken;
    SmallVector<unsigned> coming;
    for (unsigned bit : bits)
      if (roles[bit].place == where)
        taken.insert(roles[bit].slot);
      else
        coming.push_back(bit);
    llvm::sort(coming);
    unsigned slot = 0;
    for (unsigned bit : coming) {
      while (taken.contains(slot))
        ++slot;
      roles[bit] = slot < slots ? Role{where, slot} : Role{};
      ++slot;
    }
  }

  Change bring(const SliceFlow::Step &step, unsigned number) {
    ArrayRef<unsigned> bits = flow.tile(step.operands[0]).bits;
    SmallVector<unsigned> missing;
    for (unsigned bit : step.forced)
      if (roles[bit].place != Role::Register)
        missing.push_back(bit);
    if (missing.empty())
      return Change::None;
    SmallVector<unsigned> held = inRegisters(bits, roles);
    if (held.size() < step.forced.size())
      return Change::Impossible;
    if (llvm::any_of(missing, [&](unsigned bit) { return roles[bit].place == Role::Warp; })) {
      deal(bits, held.size(), number, step.forced);
      return Change::Some;
    }
    for (unsigned bit : missing) {
      unsigned *last = nullptr;
      for (unsigned &candidate : held)
        if (!llvm::is_contained(step.forced, candidate) &&
            (!last || nextUse(candidate, number) >= nextUse(*last, number)))
          last = &candidate;
      std::swap(roles[bit], roles[*last]);
      *last = bit;
    }
    return Change::Some;
  }

  const SliceFlow &flow;
  ArrayRef<unsigned> group;
  unsigned warpBits;
  Roles roles;
  llvm::DenseMap<unsigned, SmallVector<unsigned>> uses; ///< steps at which a class is forced
};

} // namespace

std::optional<RolePlan> tileas::planChangingRoles(const SliceFlow &flow, ArrayRef<unsigned> group,
                                                  unsigned warpBits) {
  return ChangingRoles(flow, group, warpBits).plan();
}
