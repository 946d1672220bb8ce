//===- Plants.cpp - registry and switches of the planted bugs ---------------------------------===//
//
// Flags are process-wide atomics, so a plant can be switched before worker threads start and read
// without a lock.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/support/Plants.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <atomic>
#include <cassert>

using namespace llvm;

namespace tilesmith {

#ifdef TILESMITH_PLANTS

// Sorted by id.
static constexpr PlantInfo kRegistry[] = {
    {"barrier-dropped-in-convert-layout", "codegen",
     "compiler/conversion/TileASToNVGPU/ConvertLayout.cpp",
     "a layout conversion through shared memory reads without waiting for the writers"},
    {"itof-unsigned-as-signed", "lowering", "compiler/conversion/CudaTileToTileAA/Conversion.cpp",
     "an unsigned integer is converted to floating point as if it were signed"},
    {"store-ignores-mask-tail", "codegen", "compiler/conversion/TileASToNVGPU/Memory.cpp",
     "a store of a ragged edge also writes the elements outside the tensor"},
};

static std::atomic<bool> activeFlags[std::size(kRegistry)];

static const PlantInfo *findPlant(StringRef id) {
  const PlantInfo *it = llvm::lower_bound(
      kRegistry, id, [](const PlantInfo &info, StringRef key) { return info.id < key; });
  return it != std::end(kRegistry) && it->id == id ? it : nullptr;
}

ArrayRef<PlantInfo> plantRegistry() {
  return kRegistry;
}

Error activatePlant(StringRef id) {
  if (const PlantInfo *info = findPlant(id)) {
    activeFlags[info - kRegistry].store(true, std::memory_order_relaxed);
    return Error::success();
  }
  std::string known =
      llvm::join(llvm::map_range(kRegistry, [](const PlantInfo &i) { return i.id; }), ", ");
  return llvm::createStringError("unknown planted bug '" + id + "', expected one of: " + known);
}

void deactivatePlants() {
  for (std::atomic<bool> &flag : activeFlags)
    flag.store(false, std::memory_order_relaxed);
}

bool isPlantActive(StringRef id) {
  const PlantInfo *info = findPlant(id);
  assert(info && "planted bug is not registered");
  return info && activeFlags[info - kRegistry].load(std::memory_order_relaxed);
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
