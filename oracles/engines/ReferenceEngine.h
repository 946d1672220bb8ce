//===- ReferenceEngine.h - the interpreter of cuda_tile as an engine --------------------------===//
#ifndef ORACLES_ENGINES_REFERENCEENGINE_H
#define ORACLES_ENGINES_REFERENCEENGINE_H

#include "oracles/engines/Engine.h"

namespace tilesmith::oracles {

/// Runs the interpreter of reference/interp. Its variation is another order of the tile blocks.
std::unique_ptr<Engine> createReferenceEngine();

} // namespace tilesmith::oracles

#endif // ORACLES_ENGINES_REFERENCEENGINE_H
