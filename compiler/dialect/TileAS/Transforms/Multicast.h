//===- Multicast.h - tiles that all blocks of a cluster copy ----------------------------------===//
#ifndef COMPILER_DIALECT_TILEAS_TRANSFORMS_MULTICAST_H
#define COMPILER_DIALECT_TILEAS_TRANSFORMS_MULTICAST_H

#include "compiler/target/Targets.h"

#include "mlir/IR/Value.h"

namespace tilesmith::tileas {

/// Whether the values are the same in all blocks of the cluster: nothing that they are computed from
/// knows the rank of the block. What an operation reads counts as the same where its addresses are
/// and the access is weak (CtaPlan.h). False where that is not known.
bool sameInCluster(mlir::ValueRange values);

/// Whether copies to several blocks are as fast as others: the PTX ISA says so of some targets only.
inline bool castsFast(const target::GpuTarget &gpu) {
  return gpu.has(target::Feature::Wgmma) || gpu.has(target::Feature::Tcgen05);
}

} // namespace tilesmith::tileas

#endif // COMPILER_DIALECT_TILEAS_TRANSFORMS_MULTICAST_H
