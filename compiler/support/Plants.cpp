//===- Plants.cpp - registry and switches of the planted bugs ---------------------------------===//
//
// Flags are process-wide atomics, so a plant can be switched before worker threads start and read
// without a lock. The rows stand in a file for each folder with many sites (plants).
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/support/Plants.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <atomic>
#include <cassert>
#include <iterator>
#include <vector>

using namespace llvm;

namespace tilesmith {

#ifdef TILESMITH_PLANTS

// Each file is sorted by id.
static constexpr PlantInfo kRows[] = {
#include "compiler/support/plants/CudaTile.inc"
#include "compiler/support/plants/CudaTileToTileAA.inc"
#include "compiler/support/plants/Others.inc"
#include "compiler/support/plants/TileAA.inc"
#include "compiler/support/plants/TileAS.inc"
#include "compiler/support/plants/TileASToNVGPU.inc"
};

/// All rows, sorted by id.
static ArrayRef<PlantInfo> registry() {
  static const std::vector<PlantInfo> sorted = [] {
    std::vector<PlantInfo> rows(std::begin(kRows), std::end(kRows));
    llvm::sort(rows, [](const PlantInfo &a, const PlantInfo &b) { return a.id < b.id; });
    return rows;
  }();
  return sorted;
}

static std::atomic<bool> activeFlags[std::size(kRows)];
/// Whether any flag may be set: sites are asked in every operation, nearly always without a plant.
static std::atomic<bool> anyActive;

static const PlantInfo *findPlant(StringRef id) {
  const PlantInfo *it = llvm::lower_bound(
      registry(), id, [](const PlantInfo &info, StringRef key) { return info.id < key; });
  return it != registry().end() && it->id == id ? it : nullptr;
}

ArrayRef<PlantInfo> plantRegistry() {
  return registry();
}

Error activatePlant(StringRef id) {
  if (const PlantInfo *info = findPlant(id)) {
    activeFlags[info - registry().data()].store(true, std::memory_order_relaxed);
    anyActive.store(true, std::memory_order_relaxed);
    return Error::success();
  }
  std::string known =
      llvm::join(llvm::map_range(registry(), [](const PlantInfo &i) { return i.id; }), ", ");
  return llvm::createStringError("unknown planted bug '" + id + "', expected one of: " + known);
}

void deactivatePlants() {
  anyActive.store(false, std::memory_order_relaxed);
  for (std::atomic<bool> &flag : activeFlags)
    flag.store(false, std::memory_order_relaxed);
}

bool isPlantActive(StringRef id) {
  assert(findPlant(id) && "planted bug is not registered");
  if (!anyActive.load(std::memory_order_relaxed))
    return false;
  const PlantInfo *info = findPlant(id);
  return info && activeFlags[info - registry().data()].load(std::memory_order_relaxed);
}

#else

ArrayRef<PlantInfo> plantRegistry() {
  return {};
}

Error activatePlant(StringRef id) {
  return llvm::createStringError("unknown planted bug '" + id +
                                 "': this build has none (CMake option TILESMITH_PLANTS is off)");
}

void deactivatePlants() {}

bool isPlantActive(StringRef) {
  return false;
}

#endif

} // namespace tilesmith
