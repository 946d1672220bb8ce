//===- Workers.h - processes that run bundles -------------------------------------------------===//
//
// A fault poisons a context, and a kernel may never end. So bundles run in processes of their own:
// each takes bundle after bundle in one context, and a new one takes over where a bundle left the
// context in doubt, killed its process or ran out of time.
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_ENGINES_CUDA_REPLAY_WORKERS_H
#define ORACLES_ENGINES_CUDA_REPLAY_WORKERS_H

#include "oracles/engines/cuda/replay/Session.h"

#include <functional>
#include <memory>

namespace replay {

/// Runs all bundles on `options.jobs` processes; tells `done` of each by its number, in the order
/// in which they end.
void runAll(const Options &options, const std::function<void(size_t, const Outcome &)> &done);

} // namespace replay

#endif // ORACLES_ENGINES_CUDA_REPLAY_WORKERS_H
