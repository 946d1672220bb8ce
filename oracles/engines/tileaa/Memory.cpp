//===- Memory.cpp - pointers, memrefs, views and the accesses through them --------------------===//
//
// Every element with a true mask that lies inside its memref is one access of the element's size.
// Masked-off elements of a load take `other`, elements outside of a memref the padding value; both
// are Unknown without one. Effects happen in program order, elements in row-major order. Address
// arithmetic wraps modulo 2^64: only an access asks whether an address is one.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/engines/tileaa/Elementwise.h"

#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/dialect/TileAS/IR/TileAS.h"

using namespace tilesmith;
using namespace tilesmith::oracles::tileaa_engine;
using namespace mlir;
using reference::bytesOf;
using reference::inconclusive;
using reference::signedValue;
using reference::TensorView;
using reference::undefined;

namespace {

using Wide = unsigned __int128;

Status faultStatus(const reference::Fault &fault) {
  return undefined(reference::spelling(fault.kind), fault.message);
}

//===- pointers and views -----------------------------------------------------------------------===//

Status evalAddPtr(Machine &machine, tileaa::AddPtrOp op) {
  uint64_t size = bytesOf(*pointeeTypeOf(op.getType()));
  ElementType offset = machine.tile(op.getOffset()).type();
  return mapOperands(machine, op, [&](uint64_t address, uint64_t by, uint64_t) -> Element {
    return {address + static_cast<uint64_t>(signedValue(offset, by)) * size};
  });
}

Status evalMakeMemRef(Machine &machine, tileaa::MakeMemRefOp op) {
  auto type = cast<tileaa::MemRefType>(op.getType());
  auto view = std::make_shared<TensorView>();
  view->element = *elementTypeOf(type.getElementType());
  TILESMITH_TRY(machine.scalar(op.getBase(), "address", view->base));
  if (op.getOffset()) {
    uint64_t offset;
    TILESMITH_TRY(machine.scalar(op.getOffset(), "offset", offset));
    view->base += static_cast<uint64_t>(signedValue(machine.tile(op.getOffset()).type(), offset)) *
                  bytesOf(view->element);
  }
  auto resolve = [&](ArrayRef<int64_t> fixed, ValueRange dynamic, SmallVectorImpl<uint64_t> &out) {
    size_t next = 0;
    for (int64_t extent : fixed) {
      uint64_t bits = extent;
      if (extent == ShapedType::kDynamic)
        TILESMITH_TRY(machine.scalar(dynamic[next++], "extent", bits));
      out.push_back(bits);
    }
    return Status::success();
  };
  TILESMITH_TRY(resolve(type.getShape(), op.getSizes(), view->sizes));
  TILESMITH_TRY(resolve(type.getStrides(), op.getStrides(), view->strides));
  machine.set(op.getResult(), reference::TensorViewPtr(std::move(view)));
  return Status::success();
}

/// The type says what the tiles are; the value is the memref.
Status evalBlockTile(Machine &machine, tileaa::BlockTileOp op) {
  machine.set(op.getResult(), machine.get(op.getSource()));
  return Status::success();
}

Status evalDimSize(Machine &machine, tileaa::GetDimSizeOp op) {
  uint64_t extent = machine.get(op.getSource()).view().sizes[op.getDim()];
  ElementType type = *elementTypeOf(op.getType());
  if (extent > reference::maskOf(type))
    return undefined("extent-overflow", "extent " + llvm::Twine(extent) + " does not fit " +
                                            reference::spelling(type));
  machine.set(op.getResult(), Tile::scalar(type, extent));
  return Status::success();
}

Status evalGetGlobal(Machine &machine, tileaa::GetGlobalOp op) {
  auto it = machine.launch.globals.find(op.getName().str());
  if (it == machine.launch.globals.end())
    return reference::unsupported("no global '" + op.getName() + "' in the module");
  machine.set(op.getResult(), Tile::scalar(ElementType::Pointer, it->second));
  return Status::success();
}

Status evalAlloca(Machine &machine, tileaa::AllocaOp op) {
  uint64_t size = bytesOf(*pointeeTypeOf(op.getType()));
  auto base = machine.launch.memory.allocate(op.getNumElem() * size, op.getAlignment(), "alloca");
  if (!base)
    return inconclusive("memory-limit", llvm::toString(base.takeError()));
  machine.own(*base);
  machine.set(op.getResult(), Tile::scalar(ElementType::Pointer, *base));
  return Status::success();
}

//===- places -----------------------------------------------------------------------------------===//

struct Place {
  uint64_t address = 0;
  bool highNibble = false;
};

enum class Taken { No, Yes, Unspecified };

/// The elements of one access: their type, shape, and where each of them lives.
class Access {
public:
  ElementType type = ElementType::I8;
  SmallVector<int64_t, 4> shape;

  /// Pointer, tile of pointers, or a memref element (`indices`, signed element coordinates).
  Status resolvePointers(Machine &machine, mlir::Value base, ValueRange indices) {
    type = *pointeeTypeOf(base.getType());
    if (!isa<tileaa::MemRefType>(base.getType())) {
      pointers = &machine.tile(base);
      shape.assign(pointers->shape().begin(), pointers->shape().end());
      return Status::success();
    }
    const TensorView &view = machine.get(base).view();
    uint64_t offset = 0;
    for (auto [dim, v] : llvm::enumerate(indices)) {
      uint64_t index;
      TILESMITH_TRY(machine.scalar(v, "index", index));
      offset += index * view.strides[dim];
    }
    places.push_back(placeAt(view.base, offset));
    inside.push_back(true);
    return Status::success();
  }

  /// A tile of a view. `indices` are unsigned; the one of a sparse dimension is a tile.
  Status resolveView(Machine &machine, mlir::Value viewValue, ValueRange indices,
                     std::optional<ArrayRef<bool>> inBounds) {
    auto viewType = cast<tileaa::TiledViewType>(viewValue.getType());
    const TensorView &view = machine.get(viewValue).view();
    type = view.element;
    shape.assign(viewType.getTileShape().begin(), viewType.getTileShape().end());
    struct Step {
      uint64_t offset = 0;
      bool inside = false;
    };
    SmallVector<std::vector<Step>, 4> steps;
    for (unsigned dim = 0; dim < shape.size(); ++dim) {
      int64_t in = viewType.getDimMap()[dim];
      uint64_t size = view.sizes[in], stride = view.strides[in], step = viewType.getStep(dim);
      const Tile &index = machine.tile(indices[dim]);
      bool sparse = viewType.getSparseDim() == static_cast<int64_t>(dim);
      if (!sparse) {
        uint64_t first;
        TILESMITH_TRY(machine.scalar(indices[dim], "index", first));
        uint64_t space = size / step + (size % step != 0);
        // Beyond it the promise ends where coordinates leave 31 bits; the pieces of a ragged tile
        // that is divided in a cluster may lie behind the tensor.
        bool far = Wide(first) * step + static_cast<uint64_t>(shape[dim]) > uint64_t(1) << 31;
        if (first >= space && far && machine.cluster->blocks == 1)
          return undefined("view-index", "index " + llvm::Twine(first) + " in dimension " +
                                             llvm::Twine(dim) + ", expected less than " +
                                             llvm::Twine(space));
      }
      for (int64_t t = 0; t < shape[dim]; ++t) {
        size_t element = sparse ? t : 0;
        if (index.state(element) != State::Known)
          return inconclusive("unspecified-index",
                              "index of a view depends on an unspecified value");
        Wide coordinate = sparse ? Wide(index.bits()[element]) : Wide(index.bits()[0]) * step + t;
        bool within = coordinate < size;
        if (!within && inBounds && dim < inBounds->size() && (*inBounds)[dim])
          return undefined("inbounds", "tile leaves the tensor in dimension " + llvm::Twine(dim));
        if (within && coordinate * stride * bytesOf(type) >> 62)
          return undefined("view-offset-overflow", "offset does not fit 63 bits");
        steps.resize(dim + 1);
        steps[dim].push_back({static_cast<uint64_t>(coordinate * stride), within});
      }
    }
    reference::forEachIndex(shape, [&](size_t, ArrayRef<int64_t> at) {
      uint64_t offset = 0;
      bool within = true;
      for (auto [dim, i] : llvm::enumerate(at)) {
        offset += steps[dim][i].offset;
        within &= steps[dim][i].inside;
      }
      places.push_back(within ? placeAt(view.base, offset) : Place());
      inside.push_back(within);
    });
    return Status::success();
  }

  size_t size() const { return reference::elementCount(shape); }

  /// Whether element i takes part, and where it lives. Stops when that is not decided.
  Status locate(const Tile *mask, size_t i, Taken &taken, Place &place) const {
    Element bit = mask ? mask->element(mask->size() == 1 ? 0 : i) : Element{1};
    taken = bit.state != State::Known ? Taken::Unspecified : bit.bits ? Taken::Yes : Taken::No;
    if (!pointers) {
      if (!inside[i])
        taken = Taken::No;
      place = places[i];
      return Status::success();
    }
    if (taken == Taken::No || (taken == Taken::Unspecified && pointers->state(i) != State::Known))
      return Status::success();
    if (pointers->state(i) != State::Known)
      return inconclusive("unspecified-address",
                          "address of an access depends on an unspecified value");
    place = {pointers->bits()[i], false};
    return Status::success();
  }

  bool isOutside(size_t i) const { return !pointers && !inside[i]; }
  bool hasAddress(size_t i) const { return !pointers || pointers->state(i) == State::Known; }

private:
  Place placeAt(uint64_t base, uint64_t offset) const {
    if (reference::isPackedNibble(type))
      return {base + offset / 2, offset % 2 != 0};
    return {base + offset * bytesOf(type), false};
  }

  const Tile *pointers = nullptr;
  SmallVector<Place, 0> places;
  SmallVector<bool, 0> inside;
};

/// What an element outside of the memref reads.
Element paddingElement(ElementType type, std::optional<tileaa::PaddingValue> padding) {
  if (!padding)
    return unknownElement();
  auto known = [](std::optional<uint64_t> bits) {
    return bits ? Element{*bits} : unknownElement();
  };
  bool isFloat = reference::isFloat(type);
  switch (*padding) {
  case tileaa::PaddingValue::zero:
    return !isFloat || reference::formatOf(type).hasZero ? Element{0} : unknownElement();
  case tileaa::PaddingValue::neg_zero:
    return isFloat && reference::formatOf(type).hasZero && reference::formatOf(type).isSigned
               ? Element{reference::zeroPattern(type, true)}
               : unknownElement();
  case tileaa::PaddingValue::nan:
    if (isFloat)
      if (auto bits = reference::nanPattern(type))
        return {*bits, State::NaN};
    return unknownElement();
  case tileaa::PaddingValue::pos_inf:
    return isFloat ? known(reference::infinityPattern(type, false)) : unknownElement();
  case tileaa::PaddingValue::neg_inf:
    return isFloat ? known(reference::infinityPattern(type, true)) : unknownElement();
  }
  llvm_unreachable("all padding values are listed");
}

template <typename Op> const Tile *maskOf(Machine &machine, Op op) {
  if constexpr (requires { op.getMask(); })
    return op.getMask() ? &machine.tile(op.getMask()) : nullptr;
  return nullptr;
}

/// Where the op accesses memory.
template <typename Op> Status resolve(Machine &machine, Op op, Access &access) {
  if constexpr (requires { op.getView(); }) {
    if (!isa<tileaa::TiledViewType>(op.getView().getType()))
      return reference::unsupported("gather or scatter through a plain memref");
    std::optional<ArrayRef<bool>> inBounds;
    if constexpr (requires { op.getInBoundsAttr(); })
      if (auto attribute = op.getInBoundsAttr())
        inBounds = attribute.asArrayRef();
    return access.resolveView(machine, op.getView(), op.getIndices(), inBounds);
  } else if constexpr (requires { op.getIndices(); }) {
    return access.resolvePointers(machine, op.getBase(), op.getIndices());
  } else if constexpr (requires { op.getPointers(); }) {
    return access.resolvePointers(machine, op.getPointers(), {});
  } else {
    return access.resolvePointers(machine, op.getBase(), {});
  }
}

/// Tells the observer of the block.
template <typename Op>
Status observe(Machine &machine, Op op, size_t i, const Access &access, const Place &place,
               bool isWrite, bool isAtomic) {
  if (!machine.observer)
    return Status::success();
  bool isStrong = isAtomic;
  if constexpr (requires { op.getMemSemantic(); }) // asynchronous copies are weak
    isStrong |= op.getMemSemantic() != tileaa::MemSemantic::weak;
  return machine.observer->access(op, i, place.address, bytesOf(access.type), isWrite, isStrong);
}

template <typename Op> void finish(Machine &machine, Op op, bool poll) {
  if (op.getResultToken())
    machine.set(op.getResultToken(), Machine::Value());
  if (poll && op.getMemSemantic() != tileaa::MemSemantic::weak)
    machine.poll();
}

//===- accesses ---------------------------------------------------------------------------------===//

/// Reads all elements of the accessed tile.
template <typename Op> Status loadElements(Machine &machine, Op op, Tile &result) {
  Access access;
  TILESMITH_TRY(resolve(machine, op, access));
  const Tile *mask = maskOf(machine, op), *other = nullptr;
  if constexpr (requires { op.getOther(); })
    other = op.getOther() ? &machine.tile(op.getOther()) : nullptr;
  Element padding = unknownElement();
  if constexpr (requires { op.getView(); })
    if (auto attribute = cast<tileaa::TiledViewType>(op.getView().getType()).getPadding())
      padding = paddingElement(access.type, attribute.getValue());
  result = Tile(access.type, access.shape);
  machine.count(result.size());
  for (size_t i = 0; i < result.size(); ++i) {
    Taken taken;
    Place place;
    Element e = unknownElement();
    TILESMITH_TRY(access.locate(mask, i, taken, place));
    if (access.isOutside(i)) {
      e = padding;
    } else if (taken == Taken::No) {
      e = other ? other->element(other->size() == 1 ? 0 : i) : unknownElement();
    } else if (taken == Taken::Yes) {
      if (auto fault = machine.launch.memory.load(access.type, place.address, e, place.highNibble))
        return faultStatus(*fault);
      TILESMITH_TRY(observe(machine, op, i, access, place, /*isWrite=*/false, /*isAtomic=*/false));
    } else if (access.hasAddress(i) &&
               machine.launch.memory.check(place.address, bytesOf(access.type), false)) {
      return inconclusive("unspecified-mask",
                          "mask of an access that would fault depends on an unspecified value");
    }
    result.set(i, e);
  }
  return Status::success();
}

template <typename Op> Status evalLoad(Machine &machine, Op op) {
  Tile result(ElementType::I1, {});
  TILESMITH_TRY(loadElements(machine, op, result));
  machine.set(op.getResult(), std::move(result));
  finish(machine, op, /*poll=*/true);
  return Status::success();
}

template <typename Op> Status evalStore(Machine &machine, Op op) {
  Access access;
  TILESMITH_TRY(resolve(machine, op, access));
  const Tile *mask = maskOf(machine, op), &value = machine.tile(op.getValue());
  reference::Memory &memory = machine.launch.memory;
  // Two elements of one weak store never write the same place.
  bool weak = op.getMemSemantic() == tileaa::MemSemantic::weak;
  uint32_t stamp = weak && access.size() > 1 ? memory.newStamp() : 0;
  machine.count(access.size());
  for (size_t i = 0, n = access.size(); i < n; ++i) {
    Taken taken;
    Place place;
    TILESMITH_TRY(access.locate(mask, i, taken, place));
    if (taken == Taken::No)
      continue;
    Element e = value.element(value.size() == 1 ? 0 : i);
    if (taken == Taken::Unspecified) {
      if (!access.hasAddress(i) || memory.check(place.address, bytesOf(access.type), true))
        return inconclusive("unspecified-mask",
                            "mask of an access that would fault depends on an unspecified value");
      e = unknownElement();
    }
    if (auto fault = memory.store(access.type, place.address, e, place.highNibble))
      return faultStatus(*fault);
    TILESMITH_TRY(observe(machine, op, i, access, place, /*isWrite=*/true, /*isAtomic=*/false));
    if (stamp && !reference::isPackedNibble(access.type) &&
        memory.markStored(place.address, bytesOf(access.type), stamp))
      return undefined("overlapping-store",
                       "two elements of one weak store write the same address");
  }
  finish(machine, op, /*poll=*/false);
  return Status::success();
}

bool isSubnormalF32(uint64_t bits) {
  return (bits & 0x7f800000) == 0 && (bits & 0x7fffff) != 0;
}

Element applyMode(tileaa::RMWMode mode, ElementType type, Element old, Element argument) {
  using Mode = tileaa::RMWMode;
  if (mode == Mode::xchg)
    return argument;
  if (old.state == State::Unknown || argument.state == State::Unknown)
    return unknownElement();
  uint64_t x = old.bits, y = argument.bits;
  int64_t a = signedValue(type, x), b = signedValue(type, y);
  switch (mode) {
  case Mode::and_:
    return {x & y};
  case Mode::or_:
    return {x | y};
  case Mode::xor_:
    return {x ^ y};
  case Mode::add:
    if (!reference::isFloat(type))
      return {(x + y) & reference::maskOf(type)};
    [[fallthrough]]; // a float sum may be spelled add as well
  case Mode::addf: {
    uint64_t sum = reference::add(type, x, y, reference::Rounding::NearestEven, false);
    // The hardware's f32 atomics may flush.
    if (type == ElementType::F32 && (isSubnormalF32(x) || isSubnormalF32(y) || isSubnormalF32(sum)))
      return unknownElement();
    return floatElement(type, sum);
  }
  case Mode::max:
    return {a >= b ? x : y};
  case Mode::min:
    return {a <= b ? x : y};
  case Mode::umax:
    return {std::max(x, y)};
  case Mode::umin:
    return {std::min(x, y)};
  case Mode::xchg:
    break;
  }
  llvm_unreachable("all modes are listed");
}

/// Element by element one read-modify-write; `update(i, old, new)` computes the value to write, if
/// any, `off(i)` is the result where none happens.
template <typename Op, typename Update, typename Off>
Status modify(Machine &machine, Op op, Update update, Off off) {
  Access access;
  TILESMITH_TRY(resolve(machine, op, access));
  const Tile *mask = maskOf(machine, op);
  reference::Memory &memory = machine.launch.memory;
  Tile result(access.type, access.shape);
  machine.count(result.size());
  for (size_t i = 0; i < result.size(); ++i) {
    Taken taken;
    Place place;
    TILESMITH_TRY(access.locate(mask, i, taken, place));
    if (taken == Taken::Unspecified)
      return inconclusive("unspecified-mask", "mask of an access depends on an unspecified value");
    if (taken == Taken::No) {
      result.set(i, off(i));
      continue;
    }
    Element old;
    if (auto fault = memory.load(access.type, place.address, old, place.highNibble))
      return faultStatus(*fault);
    if (auto fault = memory.check(place.address, bytesOf(access.type), true))
      return faultStatus(*fault);
    std::optional<Element> updated;
    TILESMITH_TRY(update(access.type, i, old, updated));
    if (updated)
      if (auto fault = memory.store(access.type, place.address, *updated, place.highNibble))
        return faultStatus(*fault);
    TILESMITH_TRY(observe(machine, op, i, access, place, /*isWrite=*/true, /*isAtomic=*/true));
    result.set(i, old);
  }
  if constexpr (requires { op.getResult(); })
    machine.set(op.getResult(), std::move(result));
  finish(machine, op, /*poll=*/true);
  return Status::success();
}

template <typename Op> Status evalRmw(Machine &machine, Op op) {
  const Tile argument = machine.tile(op.getValue());
  return modify(
      machine, op,
      [&](ElementType type, size_t i, Element old, std::optional<Element> &updated) {
        updated = applyMode(op.getRmwMode(), type, old, argument.element(i));
        return Status::success();
      },
      [](size_t) { return unknownElement(); });
}

template <typename Op> Status evalCas(Machine &machine, Op op) {
  mlir::Value replacement;
  if constexpr (requires { op.getReplacement(); })
    replacement = op.getReplacement();
  else
    replacement = op.getValue();
  const Tile expected = machine.tile(op.getCompare()), value = machine.tile(replacement);
  return modify(
      machine, op,
      [&](ElementType, size_t i, Element old, std::optional<Element> &updated) {
        if (old.state != State::Known || expected.state(i) != State::Known)
          return inconclusive("unspecified-compare",
                              "compare-and-swap depends on unspecified bits");
        if (old.bits == expected.bits()[i])
          updated = value.element(i);
        return Status::success();
      },
      [&](size_t i) { return expected.element(i); });
}

/// Tokens carry nothing: program order is one legal order.
template <typename Op> Status evalToken(Machine &machine, Op op) {
  for (mlir::Value result : op->getResults())
    machine.set(result, Machine::Value());
  return Status::success();
}

} // namespace

void tilesmith::oracles::tileaa_engine::registerMemory(OpTable &t) {
  t.add<tileaa::AddPtrOp, evalAddPtr>(/*elementwise=*/true);
  t.add<tileaa::MakeMemRefOp, evalMakeMemRef>();
  t.add<tileaa::BlockTileOp, evalBlockTile>();
  t.add<tileaa::GetDimSizeOp, evalDimSize>();
  t.add<tileaa::GetGlobalOp, evalGetGlobal>();
  t.add<tileaa::AllocaOp, evalAlloca>();
  t.add<tileaa::LoadOp, evalLoad<tileaa::LoadOp>>();
  t.add<tileaa::TiledLoadOp, evalLoad<tileaa::TiledLoadOp>>();
  t.add<tileaa::GatherLoadOp, evalLoad<tileaa::GatherLoadOp>>();
  t.add<tileaa::StoreOp, evalStore<tileaa::StoreOp>>();
  t.add<tileaa::TiledStoreOp, evalStore<tileaa::TiledStoreOp>>();
  t.add<tileaa::ScatterStoreOp, evalStore<tileaa::ScatterStoreOp>>();
  t.add<tileaa::AtomicRMWOp, evalRmw<tileaa::AtomicRMWOp>>();
  t.add<tileaa::TiledAtomicRMWOp, evalRmw<tileaa::TiledAtomicRMWOp>>();
  t.add<tileaa::AtomicCASOp, evalCas<tileaa::AtomicCASOp>>();
  t.add<tileaa::CreateMemTokenOp, evalToken<tileaa::CreateMemTokenOp>>();
  t.add<tileaa::JoinMemTokenOp, evalToken<tileaa::JoinMemTokenOp>>();
  t.add<tileaa::MarkForReuseOp, evalToken<tileaa::MarkForReuseOp>>();
  t.add<tileaa::GridDependencyOp, evalToken<tileaa::GridDependencyOp>>();
  t.addWithout("nv_tileaa", "conv_tile conv_dot",
               "no cuda_tile op is converted to it, and nothing says what it means");
}

Status tilesmith::oracles::tileaa_engine::loadForCopy(Machine &machine, mlir::Operation *copy,
                                                      Tile &tile) {
  if (auto load = dyn_cast<tileas::AsyncTiledLoadOp>(copy)) {
    TILESMITH_TRY(loadElements(machine, load, tile));
    // f32 that is rounded on the way.
    ElementType held = *elementTypeOf(load.getSlot().getType());
    if (held == ElementType::TF32 && tile.type() == ElementType::F32) {
      Tile rounded(held, tile.shape());
      for (size_t i = 0; i < tile.size(); ++i) {
        Element e = tile.element(i);
        if (e.state == reference::State::Known)
          e = {reference::encode(held, reference::decode(ElementType::F32, e.bits))};
        rounded.set(i, e);
      }
      tile = std::move(rounded);
    }
    return Status::success();
  }
  return loadElements(machine, cast<tileas::AsyncLoadOp>(copy), tile);
}

void tilesmith::oracles::tileaa_engine::registerTileASMemory(OpTable &t) {
  t.add<tileas::LoadOp, evalLoad<tileas::LoadOp>>();
  t.add<tileas::TiledLoadOp, evalLoad<tileas::TiledLoadOp>>();
  t.add<tileas::GatherLoadOp, evalLoad<tileas::GatherLoadOp>>();
  t.add<tileas::StoreOp, evalStore<tileas::StoreOp>>();
  t.add<tileas::TiledStoreOp, evalStore<tileas::TiledStoreOp>>();
  t.add<tileas::ScatterStoreOp, evalStore<tileas::ScatterStoreOp>>();
  t.add<tileas::AtomicRMWOp, evalRmw<tileas::AtomicRMWOp>>();
  t.add<tileas::TiledAtomicRMWOp, evalRmw<tileas::TiledAtomicRMWOp>>();
  t.add<tileas::AtomicCASOp, evalCas<tileas::AtomicCASOp>>();
}
