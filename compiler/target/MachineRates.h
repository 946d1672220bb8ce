//===- MachineRates.h - what a multiprocessor does in one clock -------------------------------===//
//
// The figures behind predictions (compiler/dialect/TileAS/Transforms/CostModel.h), per
// multiprocessor and clock. They come from the makers' published peaks and claim orderings only; what the
// second cache of the H100 gives was timed (corpus/perf/measured.jsonl: 45 bytes in the products of 128 x 128).
// A GPU without figures of its own takes those of its nearest relative. targets.md prints them. A header of its own, because few read it and Targets.h is read by everything.
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_TARGET_MACHINERATES_H
#define COMPILER_TARGET_MACHINERATES_H

#include "compiler/target/Targets.h"

namespace tilesmith::target {

struct MachineRates {
  llvm::StringLiteral measuredOn; ///< the GPU that the figures are of
  double tensorFlops;             ///< dense products of 16-bit elements; bytes twice, 32 bits half
  double issue = 4;               ///< instructions of warps
  double sharedBytes = 128;       ///< shared memory, reads and writes together
  double l2Bytes;                 ///< read from the second cache, when all multiprocessors do
  double dramBytes;               ///< of global memory
  double mufu = 16;               ///< exp2, reciprocals and such, of threads
};

const MachineRates &machineRates(const GpuTarget &gpu);

} // namespace tilesmith::target

#endif // COMPILER_TARGET_MACHINERATES_H
