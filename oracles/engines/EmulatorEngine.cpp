//===- EmulatorEngine.cpp - our compiler and the emulated GPU as an engine --------------------===//
//
// A compiled launch is kept for the next run of the same bytes with the same options that matter to
// the compiler: the second run of the self-comparison differs only in the schedule.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/engines/EmulatorEngine.h"

#include "compiler/pipeline/Pipeline.h"
#include "compiler/pipeline/Registration.h"
#include "compiler/target/HostCode.h"
#include "compiler/target/PTX.h"
#include "compiler/target/Targets.h"
#include "oracles/devices/emulator/Emulator.h"
#include "oracles/engines/HostMaps.h"
#include "oracles/engines/HostMemory.h"
#include "oracles/engines/ModuleLoader.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace tilesmith;
using namespace tilesmith::oracles;

namespace {

/// One module, compiled.
struct CompiledLaunch {
  std::unique_ptr<emulator::Program> program;
  std::vector<target::KernelInfo> kernels;
  std::string mathLibrary;
  std::string hostObject; ///< makes tensor maps; empty: there are none
  uint64_t instructions = 0;
};

class EmulatorEngine : public Engine {
public:
  EmulatorEngine() { registerCompilerDialects(registry); }

  llvm::StringRef name() const override { return "emulator"; }
  EngineResult run(const EngineRequest &request) override;

  EngineOptions variation(EngineOptions options) const override {
    std::string &schedule = options.emulator.schedule;
    schedule = schedule == "fifo" ? "lifo" : "fifo";
    return options;
  }

private:
  llvm::Expected<CompiledLaunch *> compile(const EngineRequest &request,
                                           const testcase::Launch &launch, ModuleLoader &loader,
                                           EngineResult &failure);

  mlir::DialectRegistry registry;
  /// The modules of the latest case, by file name; dropped when another case or other options come.
  std::map<std::string, CompiledLaunch> compiled;
  std::string compiledKey;
};

EngineResult::Status statusOf(emulator::Report::Status status) {
  switch (status) {
  case emulator::Report::Completed:
    return EngineResult::Status::Completed;
  case emulator::Report::Trapped:
    return EngineResult::Status::Trapped;
  case emulator::Report::Fault:
  case emulator::Report::Deadlock:
    return EngineResult::Status::Failed;
  case emulator::Report::Timeout:
  case emulator::Report::OutOfMemory:
    return EngineResult::Status::Inconclusive;
  case emulator::Report::Unsupported:
    return EngineResult::Status::Unsupported;
  }
  llvm_unreachable("all statuses are listed");
}

// One write, because several processes may append.
void appendCounters(const EngineRequest &request, const std::string &kernel,
                    const emulator::LaunchConfig &config, const emulator::Report &report) {
  llvm::json::Object counters;
  for (auto &[name, value] : emulator::counterFields(report.counters))
    counters[name] = static_cast<int64_t>(value);
  llvm::json::Object line{
      {"case", request.testCase.name},
      {"version", request.version},
      {"kernel", kernel},
      {"opt_level", static_cast<int64_t>(request.options.compile.optLevel)},
      {"grid", llvm::json::Array{config.grid[0], config.grid[1], config.grid[2]}},
      {"threads", config.block[0]},
      {"schedule", emulator::describeSchedule(config)},
      {"status", emulator::toString(report.status)},
      {"counters", std::move(counters)}};
  std::string text;
  llvm::raw_string_ostream(text) << llvm::json::Value(std::move(line)) << '\n';
  std::error_code error;
  llvm::raw_fd_ostream out(request.options.emulator.counterFile, error, llvm::sys::fs::OF_Append);
  out.SetUnbuffered();
  if (!error)
    out << text;
}

/// A module of nv_tileaa: the pipeline from there on.
llvm::Expected<CompiledModule> compileTileAA(ModuleLoader &loader, const testcase::ModuleFile &file,
                                             const CompileOptions &options) {
  auto module = loader.loadTileAA(file);
  if (!module)
    return module.takeError();
  std::string diagnostics;
  mlir::ScopedDiagnosticHandler handler(&loader.context(), [&](mlir::Diagnostic &diagnostic) {
    diagnostics += diagnostics.empty() ? diagnostic.str() : "; " + diagnostic.str();
    return mlir::success();
  });
  mlir::PassManager manager(&loader.context());
  int64_t optionalPasses = 0;
  addTileAAPasses(manager, options, optionalPasses);
  buildPipeline(manager, options, Stage::TileAA, Stage::NVVM, optionalPasses);
  if (mlir::failed(manager.run(**module)))
    return llvm::createStringError(diagnostics);
  mlir::gpu::GPUModuleOp code;
  (*module)->walk([&](mlir::gpu::GPUModuleOp op) { code = op; });
  if (!code)
    return llvm::createStringError("lowering produced no gpu.module");
  CompiledModule compiled;
  compiled.context = std::make_unique<llvm::LLVMContext>();
  target::DeviceModuleOptions deviceOptions = deviceModuleOptions(options);
  deviceOptions.consume = true;
  auto prepared = target::prepareDeviceModule(code, *compiled.context, deviceOptions);
  if (!prepared)
    return prepared.takeError();
  compiled.module = std::move(prepared->module);
  compiled.host = std::move(prepared->host);
  compiled.kernels = std::move(prepared->kernels);
  return compiled;
}

llvm::Expected<CompiledLaunch *> EmulatorEngine::compile(const EngineRequest &request,
                                                         const testcase::Launch &launch,
                                                         ModuleLoader &loader,
                                                         EngineResult &failure) {
  const testcase::ModuleFile *file = launch.module(request.version);
  if (file)
    if (auto it = compiled.find(file->file); it != compiled.end())
      return &it->second;
  CompileOptions options = request.options.compile;
  options.debugInfo = target::DebugInfo::Lines; // faults name places in the source kernel
  llvm::Expected<CompiledModule> device(llvm::createStringError(""));
  llvm::consumeError(device.takeError());
  if (file && startsAtTileAA(*file)) {
    device = compileTileAA(loader, *file, options);
  } else {
    auto module = loader.load(launch, request.version);
    if (!module) {
      failure.status = EngineResult::Status::Rejected;
      return module.takeError();
    }
    options.afterStage = [&, key = loweredKey(request, *file)](Stage stage,
                                                               mlir::ModuleOp lowered) {
      if (stage == Stage::TileAA || stage == Stage::TileAS)
        loader.keepLowered(key, stage, lowered);
    };
    device = compileToDeviceModule(*module, options);
  }
  failure.status = EngineResult::Status::Failed;
  if (!device)
    return device.takeError();
  if (request.options.optimizeIR)
    if (llvm::Error error =
            target::optimizeForPTX(*device->module, options.gpuName, options.optLevel))
      return std::move(error);
  CompiledLaunch &result = compiled[file->file];
  result.kernels = std::move(device->kernels);
  result.mathLibrary = std::move(device->mathLibrary);
  result.instructions = device->module->getInstructionCount();
  if (device->host) {
    auto object = target::emitHostObject(*device->host, result.kernels, {});
    if (!object)
      return object.takeError();
    result.hostObject = std::move(*object);
    device->host.reset();
  }
  emulator::ProgramOptions programOptions;
  programOptions.profile = !request.options.emulator.counterFile.empty();
  programOptions.dump = request.options.emulator.dumpLowered;
  programOptions.verify = false; // the compiler has done so
  auto program = emulator::Program::create(std::move(device->module), std::move(device->context),
                                           programOptions);
  if (!program) {
    compiled.erase(file->file);
    return llvm::handleErrors(program.takeError(),
                              [&](std::unique_ptr<llvm::ErrorInfoBase> info) -> llvm::Error {
                                if (info->convertToErrorCode() == std::errc::not_enough_memory)
                                  failure.status = EngineResult::Status::Inconclusive;
                                return llvm::Error(std::move(info));
                              });
  }
  result.program = std::move(*program);
  return &result;
}

EngineResult EmulatorEngine::run(const EngineRequest &request) {
  using Status = EngineResult::Status;
  std::string key = compiledCodeKey(request);
  if (key != compiledKey) {
    compiled.clear();
    compiledKey = std::move(key);
  }
  const EmulatorOptions &runOptions = request.options.emulator;
  auto schedule = emulator::parseSchedule(runOptions.schedule);
  if (!schedule)
    return EngineResult::stop(Status::Failed, "unknown schedule '" + runOptions.schedule + "'");

  ModuleLoader loader(registry, request.options.profile);
  HostMemory memory(request.testCase);
  // A run starts from freshly loaded modules; compiled ones may have run before.
  for (auto &[file, code] : compiled)
    code.program->resetGlobals();

  EngineResult result;
  for (const testcase::Launch &launch : request.testCase.launches) {
    auto code = compile(request, launch, loader, result);
    if (!code) {
      llvm::Error error = code.takeError();
      // Nothing is wrong with the compiler where the machine has no math library.
      if (error.isA<target::MathLibraryNotFound>())
        result.status = Status::Unavailable;
      result.message = llvm::toString(std::move(error));
      return result;
    }
    result.status = Status::Completed;
    if (!(*code)->mathLibrary.empty())
      result.mathLibrary = (*code)->mathLibrary;
    result.work = std::max(result.work, (*code)->instructions); // launches mostly share a module
    auto image = memory.flatten(launch);
    if (!image)
      return EngineResult::stop(Status::Failed, llvm::toString(image.takeError()));
    auto kernel = llvm::find_if((*code)->kernels, [&](const target::KernelInfo &info) {
      return info.name == image->entry;
    });
    if (kernel == (*code)->kernels.end())
      return EngineResult::stop(Status::Failed,
                                "no kernel named '" + image->entry + "' in the compiled module");

    emulator::LaunchConfig config;
    for (int i = 0; i < 3; ++i)
      config.grid[i] = static_cast<uint32_t>(image->grid[i]);
    config.block[0] = kernel->threads;
    config.dynamicSharedBytes = kernel->sharedBytes;
    if (const target::GpuTarget *gpu = target::lookupGpuTarget(request.options.compile.gpuName))
      config.maxSharedBytes = static_cast<uint64_t>(gpu->maxSharedBytes);
    config.schedule = *schedule;
    // The first-come order sees copies land at once, the others as late as a wait allows.
    if (*schedule != emulator::Schedule::FIFO)
      config.async = emulator::AsyncCompletion::Lazy;
    config.seed = request.options.seed;
    config.detectRaces = runOptions.detectRaces;
    emulator::Program &program = *(*code)->program;
    memory.declareTo(program);
    config.countAccesses = !runOptions.counterFile.empty();
    auto arguments = argumentsWithHostMaps(*kernel, (*code)->hostObject, argumentBytes(*image));
    if (!arguments)
      return EngineResult::stop(Status::Failed, llvm::toString(arguments.takeError()));
    emulator::Report report = program.launch(image->entry, config, *arguments);
    if (config.countAccesses)
      appendCounters(request, image->entry, config, report);
    result.printed += report.printed;
    if (!report.ok()) {
      result.status = statusOf(report.status);
      result.message = report.message;
      return result;
    }
  }
  memory.readBack(result);
  return result;
}

} // namespace

std::unique_ptr<Engine> tilesmith::oracles::createEmulatorEngine() {
  return std::make_unique<EmulatorEngine>();
}
