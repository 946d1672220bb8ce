//===- SassEngine.cpp - machine code on the CPU as engines (see SassEngine.h) -----------------===//
//
// A compiled module is kept for the next run of the same case with the same options: the second run
// of the self-comparison differs only in the schedule.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/engines/sass/SassEngine.h"

#include "compiler/pipeline/Pipeline.h"
#include "compiler/pipeline/Registration.h"
#include "compiler/support/WriteFile.h"
#include "compiler/target/CudaToolkit.h"
#include "compiler/target/HostCode.h"
#include "compiler/target/PTX.h"
#include "compiler/target/Ptxas.h"
#include "oracles/devices/sass/Sass.h"
#include "oracles/engines/HostMemory.h"
#include "oracles/engines/ModuleLoader.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

#include <chrono>

using namespace tilesmith;
using namespace tilesmith::oracles;

namespace {

using Status = EngineResult::Status;

/// A compiler may take this long for a module of a test case.
constexpr unsigned kCompileSeconds = 120;

struct CompiledModule {
  std::unique_ptr<sass::Program> program;
  std::vector<target::KernelInfo> kernels; ///< empty: the cubin says how to launch
  std::string hostObject;  ///< makes tensor maps of a cubin that brings no code for the host
  std::string mathLibrary; ///< as in EngineResult
  /// What it took to make the code, by step; said with the first launch.
  std::map<std::string, int64_t> micros = {};
};

/// Microseconds that a piece of work takes, as one step of `code`.
template <typename Work>
auto timed(CompiledModule &code, llvm::StringRef step, Work &&work) -> decltype(work()) {
  const auto start = std::chrono::steady_clock::now();
  llvm::scope_exit stop([&] {
    code.micros[step.str()] += std::chrono::duration_cast<std::chrono::microseconds>(
                                   std::chrono::steady_clock::now() - start)
                                   .count();
  });
  return work();
}

/// Runs cubins; what makes them is the subclass's.
class CubinEngine : public Engine {
public:
  CubinEngine() { registerCompilerDialects(registry); }
  EngineResult run(const EngineRequest &request) override;
  EngineOptions variation(EngineOptions options) const override {
    std::string &schedule = options.emulator.schedule;
    schedule = schedule == "fifo" ? "lifo" : "fifo";
    return options;
  }

protected:
  /// The cubin of one launch; fills the rest of `code`. Error: `status` says of what kind.
  virtual llvm::Expected<std::string> compile(const EngineRequest &request,
                                              const testcase::Launch &launch, ModuleLoader &loader,
                                              CompiledModule &code, Status &status) = 0;

private:
  llvm::Expected<CompiledModule *> lookup(const EngineRequest &request,
                                          const testcase::Launch &launch, ModuleLoader &loader,
                                          Status &status);
  mlir::DialectRegistry registry;
  std::map<std::string, CompiledModule> compiled; ///< of the latest case, by file name
  std::string compiledKey;
};

Status statusOf(sass::Report::Status status) {
  switch (status) {
  case sass::Report::Completed:
    return Status::Completed;
  case sass::Report::Trapped:
    return Status::Trapped;
  case sass::Report::Fault:
  case sass::Report::Deadlock:
    return Status::Failed;
  case sass::Report::Timeout:
    return Status::Inconclusive;
  case sass::Report::Unsupported:
    return Status::Unsupported;
  }
  llvm_unreachable("all statuses are listed");
}

llvm::Expected<CompiledModule *> CubinEngine::lookup(const EngineRequest &request,
                                                     const testcase::Launch &launch,
                                                     ModuleLoader &loader, Status &status) {
  const testcase::ModuleFile *file = launch.module(request.version);
  if (file)
    if (auto it = compiled.find(file->file); it != compiled.end())
      return &it->second;
  CompiledModule code;
  auto cubin = compile(request, launch, loader, code, status);
  if (!cubin)
    return cubin.takeError();
  status = Status::Failed;
  auto program = sass::Program::create(llvm::arrayRefFromStringRef(*cubin));
  if (!program)
    return program.takeError();
  code.program = std::move(*program);
  const std::string target = llvm::formatv("sm_{0}", code.program->sm());
  if (target != request.options.compile.gpuName)
    return llvm::createStringError("expected code for " + request.options.compile.gpuName +
                                   ", found " + target);
  return &(compiled[file->file] = std::move(code));
}

EngineResult CubinEngine::run(const EngineRequest &request) {
  if (std::string key = compiledCodeKey(request); key != compiledKey) {
    compiled.clear();
    compiledKey = std::move(key);
  }
  for (auto &[file, module] : compiled)
    module.program->resetGlobals();

  ModuleLoader loader(registry, request.options.profile);
  HostMemory memory(request.testCase);
  EngineResult result;
  for (const testcase::Launch &launch : request.testCase.launches) {
    auto module = lookup(request, launch, loader, result.status);
    if (!module) {
      result.message = llvm::toString(module.takeError());
      return result;
    }
    result.status = Status::Completed;
    if (!(*module)->mathLibrary.empty())
      result.mathLibrary = (*module)->mathLibrary;
    auto image = memory.flatten(launch);
    if (!image)
      return EngineResult::stop(Status::Failed, llvm::toString(image.takeError()));
    sass::LaunchConfig config;
    for (int i = 0; i < 3; ++i)
      config.grid[i] = static_cast<uint32_t>(image->grid[i]);
    config.block = (*module)->program->blockOf(image->entry);
    for (const target::KernelInfo &kernel : (*module)->kernels)
      if (kernel.name == image->entry) {
        config.block[0] = kernel.threads;
        config.dynamicSharedBytes = kernel.sharedBytes;
      }
    config.hostObject = llvm::arrayRefFromStringRef((*module)->hostObject);
    config.setSchedule(request.options.emulator.schedule);
    config.seed = request.options.seed;
    sass::Program &program = *(*module)->program;
    memory.declareTo(program);
    sass::Report report = program.launch(image->entry, config, argumentBytes(*image));
    result.printed += report.printed;
    if (const std::string &file = request.options.emulator.counterFile; !file.empty()) {
      std::error_code error;
      llvm::raw_fd_ostream out(file, error, llvm::sys::fs::OF_Append);
      llvm::json::Object counters;
      for (auto &[name, count] : sass::namedCounters(report.counters))
        counters[name] = static_cast<int64_t>(count);
      std::map<std::string, int64_t> &steps = (*module)->micros;
      steps["decode"] += static_cast<int64_t>(report.counters.decodeMicros);
      steps["execute"] += static_cast<int64_t>(report.counters.executeMicros);
      llvm::json::Object micros;
      for (const auto &[step, count] : std::exchange(steps, {}))
        micros[step] = count;
      out << llvm::json::Value(llvm::json::Object{{"counters", std::move(counters)},
                                                  {"micros", std::move(micros)}})
          << '\n';
    }
    if (!report.ok()) {
      result.status = statusOf(report.status);
      result.message = report.message;
      return result;
    }
  }
  memory.readBack(result);
  return result;
}

/// Both start at bytecode, not at a text of a later stage.
llvm::Error expectBytecode(const EngineRequest &request, const testcase::Launch &launch,
                           Status &status) {
  const testcase::ModuleFile *file = launch.module(request.version);
  if (!file || !llvm::StringRef(file->file).ends_with(".mlir"))
    return llvm::Error::success();
  status = Status::Unsupported;
  return llvm::createStringError("expected bytecode, found '" + file->file + "'");
}

/// Our compiler, then ptxas.
class SassEngine : public CubinEngine {
public:
  llvm::StringRef name() const override { return "sass"; }

protected:
  llvm::Expected<std::string> compile(const EngineRequest &request, const testcase::Launch &launch,
                                      ModuleLoader &loader, CompiledModule &code,
                                      Status &status) override {
    CompileOptions options = request.options.compile;
    auto ptxas = target::findPtxas(options.cudaPath);
    if (!ptxas) {
      status = Status::Unavailable;
      return ptxas.takeError();
    }
    if (options.hostMaps) {
      auto version = target::ptxasVersion(*ptxas);
      if (!version)
        return version.takeError();
      options.hostMaps = *version >= target::kFirstPtxasWithHiddenParameters;
    }
    if (llvm::Error error = expectBytecode(request, launch, status))
      return std::move(error);
    status = Status::Rejected;
    auto module = loader.load(launch, request.version);
    if (!module)
      return module.takeError();
    status = Status::Failed;
    auto device = timed(code, "compile", [&] { return compileToDeviceModule(*module, options); });
    if (!device) {
      // Nothing is wrong with the compiler where the machine has no math library.
      llvm::Error error = device.takeError();
      if (error.isA<target::MathLibraryNotFound>())
        status = Status::Unavailable;
      return std::move(error);
    }
    code.kernels = std::move(device->kernels);
    code.mathLibrary = std::move(device->mathLibrary);
    if (device->host) {
      auto object = target::emitHostObject(*device->host, code.kernels, {});
      if (!object)
        return object.takeError();
      code.hostObject = std::move(*object);
    }
    auto ptx = timed(code, "compile", [&]() -> llvm::Expected<std::string> {
      if (llvm::Error error =
              target::optimizeForPTX(*device->module, options.gpuName, options.optLevel))
        return std::move(error);
      return target::emitPTX(*device->module, options.gpuName, options.optLevel);
    });
    if (!ptx)
      return ptx.takeError();
    target::PtxasOptions assembler;
    assembler.gpuName = options.gpuName;
    assembler.optLevel = request.options.ptxasLevel.value_or(options.optLevel);
    assembler.cudaPath = options.cudaPath;
    if (llvm::Error error = target::hideHostMaps(*ptx, code.kernels))
      return std::move(error);
    return timed(code, "ptxas", [&] { return target::assemblePTX(*ptx, assembler); });
  }
};

/// A folder that goes with this object.
struct TemporaryFolder {
  llvm::SmallString<128> path;
  TemporaryFolder() { llvm::sys::fs::createUniqueDirectory("tilesmith-external", path); }
  ~TemporaryFolder() { llvm::sys::fs::remove_directories(path); }
};

/// A program with the command line of `tileiras`.
class ExternalEngine : public CubinEngine {
public:
  llvm::StringRef name() const override { return "external"; }
  bool keepsToPublicText() const override { return true; }

protected:
  llvm::Expected<std::string> compile(const EngineRequest &request, const testcase::Launch &launch,
                                      ModuleLoader &loader, CompiledModule &code,
                                      Status &status) override {
    const std::string &program = request.options.program;
    status = Status::Unavailable;
    if (program.empty())
      return llvm::createStringError("no compiler: name one, as in external@/path/tileiras:sm_80");
    if (!llvm::sys::fs::can_execute(program))
      return llvm::createStringError("cannot execute '" + program + "'");
    if (llvm::Error error = expectBytecode(request, launch, status))
      return std::move(error);
    status = Status::Rejected;
    if (auto module = loader.load(launch, request.version); !module)
      return module.takeError();
    const testcase::ModuleFile *file = launch.module(request.version);
    status = Status::Unsupported;
    TemporaryFolder folder;
    const std::string in = (folder.path + "/in.tileirbc").str(),
                      out = (folder.path + "/out.cubin").str(), log = (folder.path + "/log").str();
    if (llvm::Error error = writeFileAtomically(in, llvm::toStringRef(file->bytes)))
      return std::move(error);
    const CompileOptions &options = request.options.compile;
    const std::string level = llvm::formatv("-O{0}", options.optLevel);
    llvm::StringRef command[] = {program, in, "-o", out, "--gpu-name", options.gpuName, level};
    std::optional<llvm::StringRef> redirects[] = {"", llvm::StringRef(log), llvm::StringRef(log)};
    std::string failure;
    const int exitCode = timed(code, "compile", [&] {
      return llvm::sys::ExecuteAndWait(program, command, std::nullopt, redirects, kCompileSeconds,
                                       0, &failure);
    });
    // Whether it may refuse the module is the question of the oracle `external`.
    if (exitCode != 0) {
      auto text = llvm::MemoryBuffer::getFile(log);
      llvm::StringRef line = text ? (*text)->getBuffer().ltrim().split('\n').first : failure;
      return llvm::createStringError("the external compiler refuses the module: " +
                                     (line.empty() ? llvm::StringRef(failure) : line));
    }
    auto cubin = llvm::MemoryBuffer::getFile(out, false, false);
    if (!cubin) {
      status = Status::Failed;
      return llvm::createStringError("the external compiler says all is well and left no cubin");
    }
    return (*cubin)->getBuffer().str();
  }
};

} // namespace

std::unique_ptr<Engine> tilesmith::oracles::createSassEngine() {
  return std::make_unique<SassEngine>();
}
std::unique_ptr<Engine> tilesmith::oracles::createExternalEngine() {
  return std::make_unique<ExternalEngine>();
}
