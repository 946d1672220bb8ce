//===- Pipeline.cpp - passes of -O0 to -O3 and the drivers over them --------------------------===//
//
// Mandatory passes run at every level; optional ones (marked `optional`) are counted, so that
// --opt-bisect-limit=N blames a miscompile on one of them. A new pass belongs into buildPipeline,
// nowhere else: the tools, and tile-opt's --tilesmith-pipeline, take the list from there.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/pipeline/Pipeline.h"

#include "compiler/conversion/CudaTileToTileAA/CudaTileToTileAA.h"
#include "compiler/conversion/GPUToNVVM/GPUToNVVM.h"
#include "compiler/conversion/TileAAToTileAS/TileAAToTileAS.h"
#include "compiler/conversion/TileASToNVGPU/TileASToNVGPU.h"
#include "compiler/dialect/CudaTile/Transforms/Passes.h"
#include "compiler/dialect/NVGPUExt/IR/NVGPUExt.h"
#include "compiler/dialect/TileAA/Transforms/Passes.h"
#include "compiler/dialect/TileAS/Transforms/Passes.h"
#include "compiler/pipeline/Registration.h"
#include "compiler/support/Plants.h"
#include "compiler/target/Targets.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace tilesmith;

/// 512 columns of 128 lanes.
static constexpr int64_t kTensorMemoryBytes = 512 * 128 * 4;

std::optional<Stage> tilesmith::parseStage(StringRef text) {
  for (Stage stage : {Stage::CudaTile, Stage::TileAA, Stage::TileAS, Stage::GPU, Stage::NVVM})
    if (text == stageName(stage))
      return stage;
  return std::nullopt;
}

StringRef tilesmith::stageName(Stage stage) {
  switch (stage) {
  case Stage::CudaTile:
    return "cudatile";
  case Stage::TileAA:
    return "tileaa";
  case Stage::TileAS:
    return "tileas";
  case Stage::GPU:
    return "gpu";
  case Stage::NVVM:
    return "nvvm";
  }
  llvm_unreachable("unknown stage");
}

/// Where parameters begin, if host code is to make tensor maps and the GPU has some; or 0.
static int64_t hostMapBank(const CompileOptions &options) {
  const target::GpuTarget *gpu = target::lookupGpuTarget(options.gpuName);
  bool wanted = options.hostMaps && gpu && gpu->has(target::Feature::TensorCopy);
  return wanted ? gpu->parameterBank : 0;
}

bool tilesmith::buildPipeline(OpPassManager &manager, const CompileOptions &options, Stage from,
                              Stage last, int64_t &optionalPasses,
                              const PipelineInspection &inspection) {
  bool stopped = false, remarks = inspection.remarks;
  auto mandatory = [&](std::unique_ptr<Pass> pass) {
    if (stopped)
      return;
    stopped = pass->getArgument() == inspection.stopAfter;
    manager.addPass(std::move(pass));
  };
  auto optional = [&](unsigned level, std::unique_ptr<Pass> pass) {
    if (options.optLevel < level)
      return;
    if (options.optBisectLimit >= 0 && optionalPasses >= options.optBisectLimit)
      return;
    ++optionalPasses;
    mandatory(std::move(pass));
  };
  auto includes = [&](Stage stage) { return from < stage && stage <= last; };

  if (includes(Stage::TileAA)) {
    mandatory(cuda_tile::createCheckPublicInputPass());
    if (options.debugInfo != target::DebugInfo::None)
      mandatory(cuda_tile::createSynthesizeDebugInfoScopesPass());
    if (options.fuseFma)
      mandatory(cuda_tile::createFuseFMAPass());
    // Wrapped steps are left alone, and branches of few operations cost less than a second loop.
    optional(2, cuda_tile::createLoopSplitPass({.splitThreshold = 4, .assumeNoWrap = false}));
    // What is there twice is one to every fold.
    if (!TILESMITH_PLANT("cost-cse-left-out"))
      optional(1, createCSEPass());
    optional(1, cuda_tile::createCanonicalizePass());
    mandatory(createConvertCudaTileToTileAAPass({.computeCapability = options.gpuName}));
    optional(1, tileaa::createCanonicalizePass());
    optional(2, tileaa::createFoldViewShapesPass());
    if (!TILESMITH_PLANT("cost-cse-left-out"))
      optional(1, createCSEPass());
    if (options.optLevel < 2 || !TILESMITH_PLANT("cost-facts-left-out"))
      optional(1, tileaa::createInferFactsPass());
    optional(2, tileaa::createLoadHalfBytesPass({.remarks = remarks}));
    optional(2, tileaa::createFoldMasksPass());
    optional(1, tileaa::createAssignAliasScopesPass());
  }
  if (includes(Stage::TileAS)) {
    const target::GpuTarget &gpu = *target::lookupGpuTarget(options.gpuName);
    mandatory(tileaa::createMapQueuesPass(
        {.sharedMemory = gpu.maxSharedBytes,
         .tensorMemory = gpu.has(target::Feature::Tcgen05) ? kTensorMemoryBytes : 0}));
    optional(2, tileas::createPlanCtaPass({.numWarps = options.numWarps, .remarks = remarks}));
    const bool chooseWarps = options.optLevel >= 2 && options.numWarps == CompileOptions().numWarps;
    optional(2,
             tileas::createPlanRowsPass(
                 {.numWarps = options.numWarps, .chooseWarps = chooseWarps, .remarks = remarks}));
    mandatory(createConvertTileAAToTileASPass({.numWarps = options.numWarps,
                                               .chooseWarps = chooseWarps,
                                               .chooseLayouts = options.optLevel >= 2}));
    optional(2, tileas::createAssignDotLayoutsPass());
    optional(1, tileas::createRemoveLayoutConversionsPass());
    if (!TILESMITH_PLANT("cost-cse-left-out"))
      optional(1, createCSEPass());
    const Strategies &strategies = options.strategies;
    const bool modelPicks = strategies.modelPicks();
    // What is wanted by name is taken everywhere, the rest where it is chosen.
    bool specializeChosen = modelPicks && !strategies.warpSpecialize;
    bool copyChosen = modelPicks && !strategies.bulkCopies();
    if (strategies.dynamicPersistent)
      optional(2, tileas::createDynamicPersistentPass());
    optional(2, tileas::createGenerateSchedulePass({.allLoads = strategies.bulkCopies(),
                                                    .loadsAlone = modelPicks,
                                                    .deepRings = modelPicks,
                                                    .hostMaps = hostMapBank(options) > 0,
                                                    .remarks = remarks}));
    if (modelPicks)
      optional(2, tileas::createChooseStrategyPass(
                      {.hostMaps = hostMapBank(options) > 0, .remarks = remarks}));
    bool specialize = strategies.warpSpecialize || modelPicks;
    optional(2, tileas::createMaterializeSchedulePass(
                    {.strategy = specialize ? "warp-specialize" : "unspecialize",
                     .chosen = specializeChosen,
                     .tensorMaps = strategies.tensorMap || copyChosen,
                     .chosenMaps = copyChosen,
                     .hostMaps = hostMapBank(options) > 0,
                     .remarks = remarks}));
    optional(2, tileas::createRefineAtomByResourcePass({.remarks = remarks}));
    if (strategies.bulkCopies() || modelPicks)
      optional(2, tileas::createLowerTmaPass({.rows = strategies.tma,
                                              .tensorMaps = strategies.tensorMap || copyChosen,
                                              .chosen = copyChosen,
                                              .hostMaps = hostMapBank(options) > 0,
                                              .remarks = remarks}));
    optional(2, tileas::createRemoveLayoutConversionsPass({.propagate = true}));
    optional(2, tileas::createAssignPipelineLayoutsPass());
    optional(2, tileas::createSinkReadsPass());
    optional(2, tileas::createAssignSliceLayoutsPass());
    // What is read from slots, or staged for tensor cores, follows the new layouts.
    optional(2, tileas::createRemoveLayoutConversionsPass());
    optional(2, tileas::createAssignMemoryLayoutsPass());
    if (strategies.tensorStore || modelPicks)
      optional(2, tileas::createLowerTensorStoresPass({.chosen = !strategies.tensorStore,
                                                       .hostMaps = hostMapBank(options) > 0,
                                                       .remarks = remarks}));
    if (options.optLevel < 2 || !TILESMITH_PLANT("cost-vectorize-left-out"))
      optional(1, tileas::createVectorizeMemoryPass());
    optional(2, tileas::createReduceLanesPass());
    optional(2, tileas::createShareDivisorsPass({.remarks = remarks}));
    optional(2, tileas::createPackElementsPass());
    mandatory(tileas::createInsertBarriersPass({.sparing = options.optLevel >= 1}));
  }
  if (includes(Stage::GPU)) {
    optional(1, createPlanExchangesPass());
    mandatory(createConvertTileASToNVGPUPass({.parameterBank = hostMapBank(options)}));
    if (!TILESMITH_PLANT("cost-cse-left-out"))
      optional(1, createCSEPass());
    optional(2, createRemoveBarriersPass());
  }
  if (includes(Stage::NVVM))
    mandatory(createConvertGPUToNVVMPass());
  return stopped || inspection.stopAfter.empty();
}

/// The first kernel that needs more shared memory than a block of the GPU may have, or null.
static Operation *findTooLarge(ModuleOp module, const target::GpuTarget &gpu) {
  Operation *found = nullptr;
  module.walk([&](Operation *op) {
    auto bytes = op->getAttrOfType<IntegerAttr>(nvgpu_ext::kSharedBytesAttr);
    if (!bytes || bytes.getInt() <= gpu.maxSharedBytes)
      return WalkResult::advance();
    found = op;
    return WalkResult::interrupt();
  });
  return found;
}

/// Lowers in place. With `tooLarge`, stops behind Stage::GPU where a kernel needs too much shared memory, and sets it.
static LogicalResult runStages(ModuleOp module, const CompileOptions &options, Stage last,
                               bool *tooLarge) {
  int64_t optionalPasses = 0;
  if (options.afterStage)
    options.afterStage(Stage::CudaTile, module);
  Stage from = Stage::CudaTile;
  const target::GpuTarget *gpu = target::lookupGpuTarget(options.gpuName);
  for (Stage stage : {Stage::TileAA, Stage::TileAS, Stage::GPU, Stage::NVVM}) {
    if (stage > last)
      break;
    PassManager manager(module.getContext());
    manager.enableVerifier(options.verifyEach);
    buildPipeline(manager, options, from, stage, optionalPasses);
    if (failed(manager.run(module)))
      return failure();
    if (tooLarge && stage == Stage::GPU && gpu && findTooLarge(module, *gpu)) {
      *tooLarge = true;
      return success();
    }
    if (options.afterStage)
      options.afterStage(stage, module);
    from = stage;
  }
  return success();
}

// Rings are planned before all exchanges beside them are known. Where both together turn out to be more than the
// chip has, the kernel is compiled as at -O1, which has no rings: slower, but it runs.
LogicalResult tilesmith::runPipeline(ModuleOp module, const CompileOptions &options, Stage last) {
  const bool plans = options.optLevel >= 2 && !TILESMITH_PLANT("pipeline-shared-of-largest-chip");
  OwningOpRef<ModuleOp> source = plans ? module.clone() : ModuleOp();
  bool tooLarge = false;
  if (failed(runStages(module, options, last, plans ? &tooLarge : nullptr)))
    return failure();
  if (!tooLarge)
    return success();
  module->setAttrs(source.get()->getAttrDictionary());
  module.getBodyRegion().takeBody(source->getBodyRegion());
  CompileOptions withoutRings = options;
  withoutRings.optLevel = 1;
  return runStages(module, withoutRings, last, nullptr);
}

OwningOpRef<ModuleOp> tilesmith::wrapModule(cuda_tile::ModuleOp module) {
  OwningOpRef<ModuleOp> wrapper = ModuleOp::create(module.getLoc());
  OpBuilder builder(wrapper->getBodyRegion());
  builder.clone(*module.getOperation());
  return wrapper;
}

target::DeviceModuleOptions tilesmith::deviceModuleOptions(const CompileOptions &options) {
  target::DeviceModuleOptions device;
  device.gpuName = options.gpuName;
  device.mathLibrary = options.mathLibrary;
  device.cudaPath = options.cudaPath;
  device.debugInfo = options.debugInfo;
  return device;
}

llvm::Expected<CompiledModule> tilesmith::compileToDeviceModule(cuda_tile::ModuleOp module,
                                                                const CompileOptions &options) {
  MLIRContext *context = module.getContext();
  DialectRegistry registry;
  registerCompilerDialects(registry);
  context->appendDialectRegistry(registry);
  context->loadAllAvailableDialects();

  std::string diagnostics;
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
      return success();
    llvm::raw_string_ostream stream(diagnostics);
    if (!diagnostics.empty())
      stream << '\n';
    if (!isa<UnknownLoc>(diagnostic.getLocation()))
      stream << diagnostic.getLocation() << ": ";
    stream << diagnostic;
    return success();
  });
  OwningOpRef<ModuleOp> wrapper = wrapModule(module);
  if (failed(runPipeline(*wrapper, options)))
    return llvm::createStringError(diagnostics.empty() ? "lowering failed without a diagnostic"
                                                       : diagnostics);

  gpu::GPUModuleOp device;
  wrapper->walk([&](gpu::GPUModuleOp op) { device = op; });
  if (!device)
    return llvm::createStringError("lowering produced no gpu.module");
  CompiledModule compiled;
  compiled.context = std::make_unique<llvm::LLVMContext>();
  target::DeviceModuleOptions deviceOptions = deviceModuleOptions(options);
  deviceOptions.consume = true;
  auto prepared = target::prepareDeviceModule(device, *compiled.context, deviceOptions);
  if (!prepared)
    return prepared.takeError();
  compiled.module = std::move(prepared->module);
  compiled.host = std::move(prepared->host);
  compiled.kernels = std::move(prepared->kernels);
  compiled.mathLibrary = std::move(prepared->mathLibrary);
  return compiled;
}
