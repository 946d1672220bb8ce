//===- Access.h - element accesses shared by pointer, view and atomic ops ---------------------===//
#ifndef REFERENCE_INTERP_ACCESS_H
#define REFERENCE_INTERP_ACCESS_H

#include "compiler/dialect/CudaTile/IR/CudaTile.h"
#include "reference/interp/BlockContext.h"

namespace tilesmith::reference {

/// A fault as the reason to stop.
inline Status faultStatus(const Fault &fault) {
  return undefined(spelling(fault.kind), fault.message);
}

/// Where one element lives.
struct Place {
  uint64_t address = 0;
  bool highNibble = false; ///< 4-bit types: the upper half of the byte
};

/// One execution of a memory op, for the detection of races and for who watches a byte. Without both
/// every call is free of effect.
class OrderedAccess {
public:
  OrderedAccess(BlockContext &context, mlir::Operation *op,
                cuda_tile::MemoryOrderingSemantics order,
                std::optional<cuda_tile::MemoryScope> scope, mlir::Value token);

  Status touch(Place place, ElementType type, bool reads, bool writes) {
    LaunchState &launch = context.launch;
    if (writes && launch.request.watched && launch.request.watched - place.address < bytesOf(type))
      launch.watchedStore = op, launch.watchedBlock = context.blockId;
    return context.launch.races ? check(place, bytesOf(type), reads, writes) : Status::success();
  }
  /// The token that comes after the op.
  Value token() const;

private:
  Status check(Place place, unsigned size, bool reads, bool writes);

  BlockContext &context;
  mlir::Operation *op;
  RaceDetector::Access access;
};

inline Status loadElement(BlockContext &context, OrderedAccess &access, ElementType type,
                          Place place, Element &result) {
  if (auto fault = context.launch.memory.load(type, place.address, result, place.highNibble))
    return faultStatus(*fault);
  return access.touch(place, type, true, false);
}

/// `stamp` 0: several elements of the op may share an address (strong stores); else that is a race
/// [spec: mem-duplicate-store].
inline Status storeElement(BlockContext &context, OrderedAccess &access, ElementType type,
                           Place place, Element value, uint32_t stamp) {
  Memory &memory = context.launch.memory;
  if (auto fault = memory.store(type, place.address, value, place.highNibble))
    return faultStatus(*fault);
  unsigned halves = !isPackedNibble(type) ? 3 : place.highNibble ? 2 : 1;
  if (stamp && memory.markStored(place.address, bytesOf(type), stamp, halves))
    return undefined("overlapping-store", "two elements of one weak store write the same address");
  return access.touch(place, type, false, true);
}

/// Reads the old value, computes the new one and writes it as one access. `update` may return
/// nothing to leave memory.
template <typename Update>
Status modifyElement(BlockContext &context, OrderedAccess &access, ElementType type, Place place,
                     Element &old, Update update) {
  Memory &memory = context.launch.memory;
  if (auto fault = memory.load(type, place.address, old, place.highNibble))
    return faultStatus(*fault);
  if (auto fault = memory.check(place.address, bytesOf(type), true))
    return faultStatus(*fault);
  std::optional<Element> value;
  TILESMITH_TRY(update(value));
  if (value)
    if (auto fault = memory.store(type, place.address, *value, place.highNibble))
      return faultStatus(*fault);
  return access.touch(place, type, true, value.has_value());
}

/// Whether element i of a masked op takes part.
enum class Mask { Off, On, Unspecified };
inline Mask maskOf(const Tile *mask, size_t i) {
  if (!mask)
    return Mask::On;
  if (mask->state(i) != State::Known)
    return Mask::Unspecified;
  return mask->bits()[i] ? Mask::On : Mask::Off;
}

/// Mask of element i of an atomic op: stops when it is unspecified.
/// [spec: atomic-mask-decides]
inline Status maskBit(const Tile *mask, size_t i, bool &active) {
  Mask m = maskOf(mask, i);
  if (m == Mask::Unspecified)
    return inconclusive("unspecified-mask", "mask of an access depends on an unspecified value");
  active = m == Mask::On;
  return Status::success();
}

/// Address held by element i of a tile of pointers.
inline Status addressBits(const Tile &pointers, size_t i, uint64_t &address) {
  if (pointers.state(i) != State::Known)
    return inconclusive("unspecified-address",
                        "address of an access depends on an unspecified value");
  address = pointers.bits()[i];
  return Status::success();
}

/// A strong access may be the poll of a loop that waits for another block.
/// [spec: model-forward-progress]
inline void pollPoint(BlockContext &context, cuda_tile::MemoryOrderingSemantics ordering) {
  if (ordering != cuda_tile::MemoryOrderingSemantics::WEAK)
    context.poll();
}

/// The new value of a read-modify-write.
Element applyAtomic(cuda_tile::AtomicRMWMode mode, ElementType type, Element old, Element argument);
/// The same at a place: in the enclosure domain a float sum holds the results of every order.
Element updateAtomic(BlockContext &context, Place place, cuda_tile::AtomicRMWMode mode,
                     ElementType type, Element old, Element argument);

/// Elements of one tile access through a view.
struct ViewAccess {
  ElementType type;
  llvm::SmallVector<int64_t, 4> shape; ///< of the tile
  std::optional<cuda_tile::PaddingValue> padding;
  struct Step {
    int64_t elements = 0; ///< distance from the tensor's base along this dimension
    bool inside = false;  ///< coordinate lies inside the tensor
  };
  llvm::SmallVector<std::vector<Step>, 4> steps; ///< per tile dimension, per position in the tile
  uint64_t base = 0;

  /// Whether all coordinates are inside the tensor, and where the element lives then.
  /// [spec: view-tensor, view-nibbles]
  bool locate(llvm::ArrayRef<int64_t> index, Place &place) const {
    int64_t offset = 0;
    for (auto [dim, i] : llvm::enumerate(index)) {
      const Step &step = steps[dim][i];
      if (!step.inside)
        return false;
      offset += step.elements;
    }
    if (isPackedNibble(type))
      place = {base + static_cast<uint64_t>(offset / 2), offset % 2 != 0};
    else
      place = {base + static_cast<uint64_t>(offset) * bytesOf(type), false};
    return true;
  }
};

/// Resolves view, indices and the `inbounds` promises; checks the index space.
Status resolveView(BlockContext &context, mlir::Value view, mlir::ValueRange indices,
                   std::optional<llvm::ArrayRef<bool>> inbounds, ViewAccess &access);

/// The element that a padding value stands for; unspecified where the format lacks it.
Element paddingElement(ElementType type, cuda_tile::PaddingValue padding);

} // namespace tilesmith::reference

#endif // REFERENCE_INTERP_ACCESS_H
