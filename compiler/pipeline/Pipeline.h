//===- Pipeline.h - the ordered list of passes and the way through all stages -----------------===//
//
// Stages (after each, the IR is as compiler/README.md states it): cudatile, tileaa, tileas, gpu,
// nvvm; then llvm (one LLVM module, math library linked), and the fork into PTX or the emulator.
// `Pipeline.cpp` is the one place that lists the passes of -O0 to -O3.
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_PIPELINE_PIPELINE_H
#define COMPILER_PIPELINE_PIPELINE_H

#include "compiler/dialect/CudaTile/IR/CudaTile.h"
#include "compiler/pipeline/CompileOptions.h"
#include "compiler/target/LLVMIR.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace tilesmith {

/// cudatile, tileaa, tileas, gpu, nvvm.
std::optional<Stage> parseStage(llvm::StringRef text);
llvm::StringRef stageName(Stage stage);

/// For those who look into the list of passes.
struct PipelineInspection {
  std::string stopAfter; ///< argument of a pass: nothing runs behind its first run
  bool remarks = false;  ///< passes that choose say what they did, what not and why
};

/// Appends the passes that lead from `from` (cudatile: a cuda_tile.module inside a builtin.module)
/// to `last`. `optional` counts optional passes against optBisectLimit; shared by all stages of one
/// compilation. Whether the pass of `stopAfter` was among them; true without one.
bool buildPipeline(mlir::OpPassManager &manager, const CompileOptions &options, Stage from,
                   Stage last, int64_t &optionalPasses, const PipelineInspection &inspection = {});

/// Lowers in place down to `last`, reporting errors as diagnostics.
mlir::LogicalResult runPipeline(mlir::ModuleOp module, const CompileOptions &options,
                                Stage last = Stage::NVVM);

/// A builtin.module that holds a clone of `module`; the form that runPipeline takes.
mlir::OwningOpRef<mlir::ModuleOp> wrapModule(cuda_tile::ModuleOp module);

/// What these options ask of the stages behind nvvm.
target::DeviceModuleOptions deviceModuleOptions(const CompileOptions &options);

/// What both forks start from.
struct CompiledModule {
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module; ///< NVPTX triple; device intrinsics; math library linked
  std::unique_ptr<llvm::Module> host;   ///< as target::DeviceModule has it
  std::vector<target::KernelInfo> kernels;
  std::string mathLibrary; ///< as target::DeviceModule has it
};

/// All stages down to LLVM IR. Does not change `module`. The error text holds the diagnostics with
/// their locations.
llvm::Expected<CompiledModule> compileToDeviceModule(cuda_tile::ModuleOp module,
                                                     const CompileOptions &options);

} // namespace tilesmith

#endif // COMPILER_PIPELINE_PIPELINE_H
