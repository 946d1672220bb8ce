//===- SassLanes.h - operations of lanes that see more than their own -------------------------===//
//
// As a sweep (SassSweep.h), of operations that see more than their own lane, and of memory. Each says what it has to
// give of the inputs of its whole warp.
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_DEVICES_SASS_SASSLANES_H
#define ORACLES_DEVICES_SASS_SASSLANES_H

#include "oracles/devices/sass/SassSnippets.h"

#include <functional>

namespace tilesmith::sass::lanes {

using U = uint32_t;
using W = uint64_t;

/// The inputs of one warp, and which lane of it is asked.
struct WarpInputs {
  W a[32], b[32], c[32];
  W other[32]; ///< what the first warp has in a
  unsigned lane, warp;
};

/// `%x`, `%y`, `%z` are the inputs, `%a` to `%c` their 64 bits; `%w` or `%d` takes the result. `%sh` is 1 KiB of shared memory of
/// the block, `%my` 16 bytes of the lane there, `%mem` and `%buf` 16 bytes of the lane in global memory, the first holds a and b.
struct LaneOperation {
  std::string body;
  std::function<W(const WarpInputs &)> expected;
  unsigned firstSm = 80;
};
using Operations = std::vector<LaneOperation>;

/// SassLanesTest, SassLanesMemoryTest, SassLanesMatrixTest.
void addShuffles(Operations &out);
void addVotes(Operations &out);
void addArrivals(Operations &out);
void addLoads(Operations &out);
void addAtomics(Operations &out);
void addMatrices(Operations &out);
void addDoubles(Operations &out);

} // namespace tilesmith::sass::lanes

#endif // ORACLES_DEVICES_SASS_SASSLANES_H
