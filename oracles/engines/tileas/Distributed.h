//===- Distributed.h - tiles as the registers of all threads ----------------------------------===//
//
// At this stage a tile is what the threads of a block hold: one word per (warp, lane, register), in
// that order, register lowest. Which element a place holds is said by the layout of the value's
// type, and by nothing else.
//
// The layout is read here from the bases of the attribute, not through LinearLayout: a mistake
// there must show.
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_ENGINES_TILEAS_DISTRIBUTED_H
#define ORACLES_ENGINES_TILEAS_DISTRIBUTED_H

#include "compiler/dialect/TileAS/IR/TileAS.h"
#include "oracles/engines/tileaa/Machine.h"

namespace tilesmith::oracles::tileas_engine {

using reference::Status;
using reference::Tile;

/// The places of a layout.
class Places {
public:
  explicit Places(tileas::LayoutAttr layout);

  size_t count() const { return elements.size(); }
  size_t elementCount() const { return owners.size(); }
  /// The element that a place holds.
  size_t elementAt(size_t place) const { return elements[place]; }
  unsigned threadOf(size_t place) const { return static_cast<unsigned>(place / registers); }
  /// The lowest place that holds an element, or ~0 when none does.
  size_t ownerOf(size_t element) const { return owners[element]; }
  /// Several threads hold the element.
  bool isShared(size_t element) const { return shared[element]; }

private:
  size_t registers;
  std::vector<size_t> elements, owners;
  std::vector<bool> shared;
};

/// The places of a layout; computed once per layout.
const Places &placesOf(tileas::LayoutAttr layout);
/// The same, to be kept.
std::shared_ptr<const Places> sharedPlacesOf(tileas::LayoutAttr layout);

/// The row-major tile that the places hold. Undefined behaviour of this stage when an element has
/// no place, or two places that hold different values for it.
Status gather(const Tile &registers, tileas::LayoutAttr layout, Tile &tile);

/// Every place gets its element.
Tile distribute(const Tile &tile, tileas::LayoutAttr layout);

} // namespace tilesmith::oracles::tileas_engine

#endif // ORACLES_ENGINES_TILEAS_DISTRIBUTED_H
