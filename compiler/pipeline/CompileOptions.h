//===- CompileOptions.h - what decides the code that is compiled ------------------------------===//
//
// The one struct for it: engines, oracles and probes hold or copy it whole
// (`EngineOptions::compile`) and never repeat its fields, so that a new field reaches every one of
// them.
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_PIPELINE_COMPILEOPTIONS_H
#define COMPILER_PIPELINE_COMPILEOPTIONS_H

#include "compiler/pipeline/Strategies.h"
#include "compiler/target/LLVMIR.h"
#include "compiler/target/Targets.h"

#include <cstdint>
#include <functional>
#include <string>

namespace mlir {
class ModuleOp;
} // namespace mlir

namespace tilesmith {

/// Where lowering stops. Each includes the ones before it.
enum class Stage { CudaTile, TileAA, TileAS, GPU, NVVM };

struct CompileOptions {
  std::string gpuName = target::kDefaultGpu.str(); ///< target of the generated code
  unsigned optLevel = 3;                           ///< 0 to 3
  unsigned numWarps = 4; ///< warps of a block: a power of two up to 32; block size is 32 times this
  target::MathLibraryKind mathLibrary = target::MathLibraryKind::Auto;
  std::string cudaPath; ///< as `--cuda-path`
  /// Lines: instructions of the device module know where in the source kernel they come from.
  target::DebugInfo debugInfo = target::DebugInfo::None;
  /// Second ways that somebody asked for; from -O2 on.
  Strategies strategies;
  /// Products and sums become fma, 1 / sqrt rsqrt; results change, so no level does it.
  bool fuseFma = false;
  /// Tensor maps that follow from the arguments are made by a function of the host, where the GPU has
  /// them; whoever launches the kernel must call it.
  bool hostMaps = false;
  /// Run at most this many optional passes; negative: all.
  int64_t optBisectLimit = -1;
  /// Verify the IR after every pass.
  bool verifyEach = false;
  /// Called after every stage with the module; null: nobody looks.
  std::function<void(Stage, mlir::ModuleOp)> afterStage;
};

} // namespace tilesmith

#endif // COMPILER_PIPELINE_COMPILEOPTIONS_H
