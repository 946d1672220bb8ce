//===- Distributed.cpp - tiles as the registers of all threads --------------------------------===//
#include "oracles/engines/tileas/Distributed.h"

#include <map>

using namespace tilesmith;
using namespace tilesmith::oracles::tileas_engine;
using reference::Element;
using reference::State;

Places::Places(tileas::LayoutAttr layout) : registers(size_t(1) << layout.getRegisters().size()) {
  std::vector<int64_t> bases;
  for (llvm::ArrayRef<int64_t> list : {layout.getRegisters(), layout.getLanes(), layout.getWarps()})
    bases.insert(bases.end(), list.begin(), list.end());
  elements.resize(size_t(1) << bases.size());
  owners.assign(layout.getNumElements(), ~size_t(0));
  shared.assign(layout.getNumElements(), false);
  for (size_t place = 0; place < elements.size(); ++place) {
    size_t element = 0;
    for (size_t bit = 0; bit < bases.size(); ++bit)
      if (place >> bit & 1)
        element ^= static_cast<size_t>(bases[bit]);
    elements[place] = element;
    size_t &owner = owners[element];
    if (owner == ~size_t(0))
      owner = place;
    else if (threadOf(owner) != threadOf(place))
      shared[element] = true;
  }
}

std::shared_ptr<const Places>
tilesmith::oracles::tileas_engine::sharedPlacesOf(tileas::LayoutAttr layout) {
  // Keyed by contents: attributes of different contexts may share an address over time.
  using Key = std::array<std::vector<int64_t>, 4>;
  static std::map<Key, std::shared_ptr<const Places>> cache;
  Key key = {layout.getShape().vec(), layout.getRegisters().vec(), layout.getLanes().vec(),
             layout.getWarps().vec()};
  auto &places = cache[key];
  if (!places) {
    if (cache.size() > 4096)
      cache.clear();
    return cache[key] = std::make_shared<const Places>(layout);
  }
  return places;
}

const Places &tilesmith::oracles::tileas_engine::placesOf(tileas::LayoutAttr layout) {
  return *sharedPlacesOf(layout);
}

/// Two places may hold one element only if they agree; what is open stays open.
static bool merge(Element &known, const Element &other) {
  if (other.state == State::Unknown || known.state == State::Unknown) {
    known = reference::unknownElement();
    return true;
  }
  if (known.state == State::NaN || other.state == State::NaN)
    return known.state == other.state || known.bits == other.bits;
  return known.bits == other.bits;
}

Status tilesmith::oracles::tileas_engine::gather(const Tile &registers, tileas::LayoutAttr layout,
                                                 Tile &tile) {
  const Places &places = placesOf(layout);
  if (registers.size() != places.count())
    return reference::undefined("layout", "a value of " + llvm::Twine(registers.size()) +
                                              " places is used with a layout of " +
                                              llvm::Twine(places.count()));
  tile = Tile(registers.type(), layout.getShape());
  for (size_t e = 0; e < places.elementCount(); ++e) {
    if (places.ownerOf(e) == ~size_t(0))
      return reference::undefined("layout", "no thread holds element " + llvm::Twine(e));
    tile.set(e, registers.element(places.ownerOf(e)));
  }
  for (size_t place = 0; place < places.count(); ++place) {
    size_t e = places.elementAt(place);
    if (places.ownerOf(e) == place)
      continue;
    Element known = tile.element(e);
    if (!merge(known, registers.element(place)))
      return reference::undefined("layout",
                                  "threads " + llvm::Twine(places.threadOf(place)) + " and " +
                                      llvm::Twine(places.threadOf(places.ownerOf(e))) +
                                      " hold different values of element " + llvm::Twine(e));
    tile.set(e, known);
  }
  return Status::success();
}

Tile tilesmith::oracles::tileas_engine::distribute(const Tile &tile, tileas::LayoutAttr layout) {
  const Places &places = placesOf(layout);
  Tile registers(tile.type(), {static_cast<int64_t>(places.count())});
  for (size_t place = 0; place < places.count(); ++place)
    registers.set(place, tile.element(tile.size() == 1 ? 0 : places.elementAt(place)));
  return registers;
}
