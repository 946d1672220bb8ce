//===- CudaEngine.h - our compiler and a real GPU as an engine --------------------------------===//
#ifndef ORACLES_ENGINES_CUDA_CUDAENGINE_H
#define ORACLES_ENGINES_CUDA_CUDAENGINE_H

#include "oracles/engines/Engine.h"

namespace tilesmith::oracles {

/// Writes every case as a bundle and lets tile-gpu-replay (beside this program) run it.
/// Unavailable without a GPU.
std::unique_ptr<Engine> createCudaEngine();

} // namespace tilesmith::oracles

#endif // ORACLES_ENGINES_CUDA_CUDAENGINE_H
