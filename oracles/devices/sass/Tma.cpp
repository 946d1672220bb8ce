//===- Tma.cpp - copies described by tensor maps (TensorMap.h) --------------------------------===//
#include "oracles/devices/sass/Execute.h"
#include "oracles/devices/sass/Machine.h"
#include "oracles/devices/sass/TensorMap.h"

#include "llvm/ADT/bit.h"
#include "llvm/Support/Endian.h"

#include <cstring>
#include <utility>

using namespace tilesmith::sass;
using llvm::support::endian::read32le;
using llvm::support::endian::read64le;

const char *tilesmith::sass::readTensorMap(const uint8_t *bytes, TensorMap &map) {
  map.address = read64le(bytes);
  const uint32_t flags = read32le(bytes + 8);
  map.rank = (flags >> 4 & 7) + 1;
  static constexpr uint8_t kSizes[] = {1, 2, 4, 4, 8, 8, 2, 4, 4, 8, 2, 1};
  const unsigned element = flags >> 7 & 15;
  if (element >= sizeof kSizes)
    return "unsupported: element type of a tensor map";
  map.element = element;
  map.elementBytes = kSizes[element];
  map.pairs = element == 11; // 16 in 8 bytes, without gaps in shared memory
  if (flags >> 11 & 3)
    return "unsupported: interleaved tensor map";
  map.rounds = (element == 7 || element == 8) && flags >> 16 & 1;
  if (map.rounds && element == 8)
    return "unsupported: tensor map of tf32 that flushes";
  map.swizzle = flags >> 13 & 3;
  map.largePieces = flags >> 19 & 1;
  if (flags >> 20 & 1 || (map.largePieces && map.swizzle != 3))
    return "unsupported: pieces of the swizzle of a tensor map";
  map.fillNan = flags >> 15 & 1;
  if (map.fillNan)
    return "unsupported: tensor map that fills with NaN";
  if (map.rank > 5)
    return "unsupported: rank of a tensor map";
  const uint32_t high = read32le(bytes + 0x1c), steps = read32le(bytes + 0x34);
  map.stride[0] = map.elementBytes;
  for (unsigned d = 1; d < 5; ++d)
    map.stride[d] =
        (read32le(bytes + 0x0c + 4 * (d - 1)) | uint64_t{high >> (4 * (d - 1)) & 15} << 32) << 4;
  for (unsigned d = 0; d < map.rank; ++d) {
    map.extent[d] = read32le(bytes + 0x20 + 4 * d) + 1;
    map.box[d] = (d ? bytes[0x38 + d - 1] : steps >> 24) + 1;
    if (steps >> (3 * d) & 7)
      return "unsupported: element strides of a tensor map";
  }
  if (map.pairs) {
    if (map.extent[0] % 2 || map.box[0] % 2)
      return "unsupported: tensor map of an odd number of 4-bit elements";
    map.extent[0] /= 2;
    map.box[0] /= 2;
  }
  return nullptr;
}

namespace {

/// Copies once, or to every block of a mask, which may be empty: `copy` gets the function that moves
/// a shared address to the block and gives the address of the barrier with the bytes that have come.
template <typename F> void toEveryBlock(Warp &w, std::optional<uint32_t> mask, F &&copy) {
  for (unsigned rank = 0; rank < 16 && !w.machine->stopped; ++rank) {
    if (mask ? !(*mask >> rank & 1) : rank != 0)
      continue;
    const auto [barrier, bytes] =
        copy([&](uint32_t address) { return mask ? (address & 0xffffff) | rank << 24 : address; });
    if (!w.machine->stopped)
      arriveTransaction(w, barrier, 0, -int64_t{bytes});
  }
}

enum class Copy { Load, Store, Reduce };

/// One box between shared and global memory; the bytes of the whole box. `op`: of reductions.
uint32_t copyBox(Warp &w, const TensorMap &map, uint32_t shared, const int32_t *coordinates,
                 Copy direction, unsigned op = 0) {
  const bool load = direction == Copy::Load;
  const unsigned size = map.elementBytes;
  uint64_t count = 1;
  for (unsigned d = 0; d < map.rank; ++d)
    count *= map.box[d];
  w.machine->report.counters.asyncBytes += count * size;
  for (uint64_t n = 0; n < count && !w.machine->stopped; n += 1) {
    uint64_t rest = n, address = map.address;
    bool inside = true;
    for (unsigned d = 0; d < map.rank; ++d) {
      const int64_t at = int64_t{coordinates[d]} + static_cast<int64_t>(rest % map.box[d]);
      rest /= map.box[d];
      inside &= at >= 0 && at < int64_t{map.extent[d]};
      address += static_cast<uint64_t>(at) * map.stride[d];
    }
    uint32_t to = shared + static_cast<uint32_t>(n) * size;
    if (map.largePieces)
      to ^= (to >> 7 & 3) << 5;
    else if (map.swizzle)
      to ^= ((to >> 7) & ((1u << map.swizzle) - 1)) << 4;
    uint8_t *here = w.machine->shared(w, to, size, load ? "tensor copy to" : "tensor copy of");
    if (!here)
      return 0;
    if (!inside) {
      if (load)
        std::memset(here, 0, size);
      continue;
    }
    uint8_t *there =
        w.machine->memory(w, 0, address, size, load ? "tensor copy of" : "tensor copy to");
    if (!there)
      return 0;
    if (direction == Copy::Reduce) {
      uint64_t old = 0, operand = 0;
      std::memcpy(&old, there, size);
      std::memcpy(&operand, here, size);
      if (const char *why = reduceElement(op, map.element, old, operand)) {
        w.fault(Report::Unsupported, why);
        return 0;
      }
      std::memcpy(there, &old, size);
      continue;
    }
    std::memcpy(load ? here : there, load ? there : here, size);
    if (!load || !map.rounds)
      continue;
    uint32_t bits = read32le(here);
    if ((bits & 0x7f800000) != 0x7f800000)
      bits = (bits + 0xfff + (bits >> 13 & 1)) & ~0x1fffu;
    std::memcpy(here, &bits, 4);
  }
  return static_cast<uint32_t>(count * size);
}

/// Four rows one behind the other in shared memory: a column, then the number of each.
uint32_t copyRows(Warp &w, const TensorMap &map, uint32_t shared, const int32_t *coordinates,
                  Copy direction) {
  uint32_t bytes = 0;
  for (unsigned n = 0; n < 4 && !w.machine->stopped; ++n) {
    const int32_t place[2] = {coordinates[0], coordinates[1 + n]};
    bytes += copyBox(w, map, shared + bytes, place, direction);
  }
  return bytes;
}

void tensorCopy(Warp &w, const Instruction &i, Copy direction) {
  const bool load = direction == Copy::Load;
  const unsigned at = i.ops[0].index;
  const uint8_t *bytes = w.machine->memory(w, static_cast<unsigned>(llvm::countr_zero(w.active)),
                                           w.uniform64(i.ops[1].index), 64, "tensor map");
  if (!bytes)
    return;
  TensorMap map;
  if (const char *why = readTensorMap(bytes, map))
    return w.fault(Report::Unsupported, why);
  if (map.rank != i.mods[0] + 1u)
    return w.fault(Report::Fault, "tensor copy of another rank than its map");
  const bool isFourRows =
      direction != Copy::Reduce && i.row->firstSm >= 100 && i.mods[load ? 3 : 1];
  if (isFourRows && (map.rank != 2 || map.box[1] != 1))
    return w.fault(Report::Fault, "copy of four rows by a map whose box is not one row");
  const unsigned first = load ? 2 : 1;
  int32_t coordinates[5] = {};
  for (unsigned d = 0; d < (isFourRows ? 5 : map.rank); ++d)
    coordinates[d] = static_cast<int32_t>(w.u[(at + first + d) & 255]);
  if (map.pairs) {
    if (coordinates[0] & 1)
      return w.fault(Report::Unsupported, "unsupported: copy from the middle of a byte");
    coordinates[0] /= 2;
  }
  const uint32_t barrier = w.u[(at + 1) & 255];
  if (!load) {
    if (isFourRows)
      copyRows(w, map, w.u[at], coordinates, direction);
    else
      copyBox(w, map, w.u[at], coordinates, direction, direction == Copy::Reduce ? i.mods[1] : 0);
    return;
  }
  // With pairs (`.2CTA`) the barrier is in that block of the pair which its address names.
  constexpr uint32_t kOdd = 1u << 24;
  const uint32_t parity = i.mods[2] ? kOdd : 0;
  toEveryBlock(
      w, i.mods[1] ? std::optional(w.uniform(i.ops[2]) >> 16) : std::nullopt, [&](auto place) {
        const uint32_t signalled = (place(barrier) & ~parity) | (barrier & parity);
        const uint32_t to = place(w.u[at]);
        return std::pair(signalled, isFourRows ? copyRows(w, map, to, coordinates, direction)
                                               : copyBox(w, map, to, coordinates, direction));
      });
}

/// `size` bytes in pieces of 16 between two addresses, either of shared memory or global.
struct Place {
  uint64_t address;
  bool shared;
  uint8_t *at(Warp &w, uint32_t offset, const char *what) const {
    return shared ? w.machine->shared(w, static_cast<uint32_t>(address) + offset, 16, what)
                  : w.machine->memory(w, 0, address + offset, 16, what);
  }
};
void copyBytes(Warp &w, Place to, Place from, uint32_t size) {
  w.machine->report.counters.asyncBytes += size;
  for (uint32_t offset = 0; offset < size; offset += 16) {
    uint8_t *target = to.at(w, offset, "bulk copy to");
    const uint8_t *source = target ? from.at(w, offset, "bulk copy of") : nullptr;
    if (!source)
      return;
    std::memmove(target, source, 16);
  }
}

} // namespace

namespace tilesmith::sass {

#define OPERATION(name) void name(Warp &w, const Instruction &i)
OPERATION(executeUtmaldg) {
  tensorCopy(w, i, Copy::Load);
}
OPERATION(executeUtmastg) {
  tensorCopy(w, i, Copy::Store);
}
OPERATION(executeUtmaredg) {
  tensorCopy(w, i, Copy::Reduce);
}

// The third operand: bytes / 16, and in its upper half the blocks that get a copy. The register
// behind a target in shared memory is its barrier.
OPERATION(executeBulkCopy) {
  const unsigned to = i.ops[0].index, from = i.ops[1].index;
  const bool toShared = i.mods[0] != 2, fromShared = i.mods[0] != 1;
  const uint32_t sizes = w.uniform(i.ops[2]), bytes = (sizes & 0xffff) * 16;
  const Place source{fromShared ? w.u[from] : w.uniform64(from), fromShared};
  if (!toShared)
    return copyBytes(w, {w.uniform64(to), false}, source, bytes);
  toEveryBlock(w, i.mods[1] ? std::optional(sizes >> 16) : std::nullopt, [&](auto place) {
    copyBytes(w, {place(w.u[to]), true}, source, bytes);
    return std::pair(place(w.u[(to + 1) & 255]), bytes);
  });
}

// A bulk copy of elements that are combined with what is there; type n is number n + 2 of tensor maps.
OPERATION(executeBulkReduction) {
  static constexpr uint8_t kSizes[] = {4, 4, 8, 8, 2, 4, 0, 8, 2};
  const unsigned to = i.ops[0].index, size = kSizes[i.mods[2]];
  const bool toShared = i.mods[0] == 3;
  if (i.mods[0] < 2)
    return w.fault(Report::Unsupported, "unsupported: bulk reduction of this direction");
  const uint32_t bytes = (w.uniform(i.ops[2]) & 0xffff) * 16, from = w.u[i.ops[1].index];
  w.machine->report.counters.asyncBytes += bytes;
  for (uint32_t offset = 0; offset < bytes; offset += size) {
    uint8_t *target =
        toShared ? w.machine->shared(w, w.u[to] + offset, size, "bulk reduction to")
                 : w.machine->memory(w, 0, w.uniform64(to) + offset, size, "bulk reduction to");
    const uint8_t *source =
        target ? w.machine->shared(w, from + offset, size, "bulk reduction of") : nullptr;
    if (!source)
      return;
    uint64_t old = 0, operand = 0;
    std::memcpy(&old, target, size);
    std::memcpy(&operand, source, size);
    if (const char *why = reduceElement(i.mods[1], i.mods[2] + 2u, old, operand))
      return w.fault(Report::Unsupported, why);
    std::memcpy(target, &old, size);
  }
  if (toShared)
    arriveTransaction(w, w.u[(to + 1) & 255], 0, -int64_t{bytes});
}
#undef OPERATION

} // namespace tilesmith::sass
