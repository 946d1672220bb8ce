//===- TensorMap.h - the tensor map that a GPU reads -------------------------------------------===//
//
// The 128 bytes of a map: address; a word of flags (rank, element, interleave, swizzle, fill);
// strides of dimensions 1-4 in units of 16 bytes with their high nibbles in a word of their own;
// extents minus 1; element strides and box extents minus 1. README.md has the table.
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_DEVICES_SASS_TENSORMAP_H
#define ORACLES_DEVICES_SASS_TENSORMAP_H

#include <array>
#include <cstdint>

namespace tilesmith::sass {

struct TensorMap {
  uint64_t address = 0;
  unsigned rank = 0, element = 0, elementBytes = 0, swizzle = 0;
  bool fillNan = false;
  bool pairs = false;               ///< of 4-bit elements: extents and boxes count bytes here
  bool rounds = false;              ///< f32 to the nearest tf32, on the way to shared memory
  bool largePieces = false;         ///< the swizzle keeps 32 bytes together, not 16
  std::array<uint64_t, 5> stride{}; ///< in bytes
  std::array<uint32_t, 5> extent{}, box{};
};

/// Null, or what the device does not do.
const char *readTensorMap(const uint8_t *bytes, TensorMap &map);

} // namespace tilesmith::sass

#endif // ORACLES_DEVICES_SASS_TENSORMAP_H
