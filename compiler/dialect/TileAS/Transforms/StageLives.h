//===- StageLives.h - stages that are waited for and given back next to their reads -----------===//
//
// A loop with a ring of a single stage for each load, which warps of their own fill: what one product has
// read can be filled anew while the next one multiplies. In attention, keys of the next turn come
// while threads reduce rows and multiply the values of this one, and values while keys are multiplied.
//
//   tileas-generate-schedule            chooses one stage where two do not fit
//   tileas-materialize-schedule         makes the rings, where warps of their own can fill them
//   tileas-refine-atom-by-resource      brings waits and releases to the reads
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_DIALECT_TILEAS_TRANSFORMS_STAGELIVES_H
#define COMPILER_DIALECT_TILEAS_TRANSFORMS_STAGELIVES_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tilesmith::tileas {

/// Waits for the single stages of the loop in front of their first read, and gives them back behind the last.
void narrowStageLives(mlir::scf::ForOp loop);

} // namespace tilesmith::tileas

#endif // COMPILER_DIALECT_TILEAS_TRANSFORMS_STAGELIVES_H
