//===- TileirasCompiler.cpp - Tile IR bytecode in, a file's bytes out -------------------------===//
#include "compiler/tools/TileirasCompiler.h"

#include "compiler/bytecode/BytecodeReader.h"
#include "compiler/bytecode/Format.h"
#include "compiler/dialect/CudaTile/IR/CudaTile.h"
#include "compiler/dialect/CudaTile/Transforms/Passes.h"
#include "compiler/pipeline/Pipeline.h"
#include "compiler/pipeline/Registration.h"
#include "compiler/support/EmulatedModule.h"
#include "compiler/target/CudaToolkit.h"
#include "compiler/target/HostCode.h"
#include "compiler/target/LLVMIR.h"
#include "compiler/target/PTX.h"
#include "compiler/target/Ptxas.h"
#include "compiler/target/Targets.h"
#include "compiler/tools/ArchitectureGate.h"
#include "compiler/tools/Remarks.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Object/Error.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

namespace tilesmith::tools {
namespace {

constexpr StringLiteral kNotTileIR = "input does not correspond to Tile IR bytecode";

class Compilation {
public:
  Compilation(StringRef bytecode, const TileirasOptions &options, TileirasResult &result)
      : bytecode(bytecode), options(options), result(result),
        context(mlir::MLIRContext::Threading::DISABLED) {}

  void run() {
    if (!checkHeader() || !checkVersion() || !checkConfiguration() || !read() || !lower())
      return;
    emit();
  }

  bool checkHeader() {
    if (bytecode::isTileIRBytecode(bytecode))
      return true;
    bool isMLIR =
        bytecode.starts_with(StringRef(reinterpret_cast<const char *>(bytecode::kMLIRMagic), 4));
    error(Twine(kNotTileIR) + (isMLIR ? " (it looks like MLIR bytecode instead)" : ""));
    return fail(kExitBytecode);
  }

  /// Behind the magic stand major and minor; an unknown version is reported before any option is
  /// looked at.
  bool checkVersion() { // [spec: driver-not-bytecode]
    if (bytecode.size() < 10)
      return true;
    unsigned major = uint8_t(bytecode[8]), minor = uint8_t(bytecode[9]);
    if (major != bytecode::kMajor || minor < bytecode::kOldestMinor ||
        minor > newestMinorOf(options)) {
      error(formatv("unsupported Tile IR bytecode version: {0}.{1}", major, minor).str());
      return fail(kExitBytecode);
    }
    version = formatv("{0}.{1}", major, minor);
    return true;
  }

  bool checkConfiguration() { // [spec: driver-gpu-name, driver-level, driver-debug]
    if (options.gpuName.empty()) {
      error("GPU architecture sm_0 is not supported by this version of tileiras. You may need a "
            "newer toolchain that "
            "supports this architecture (bytecode in file is version " +
            version + ").");
      return fail(kExitConfiguration);
    }
    if (options.optLevel < 0 || options.optLevel > 3) {
      error("invalid optimization level: " + Twine(options.optLevel));
      return fail(kExitConfiguration);
    }
    if (options.deviceDebug && options.optLevel != 0) {
      error("optimized debugging is currently not supported, change the optimization level to 0 or "
            "disable full debug "
            "info");
      return fail(kExitConfiguration);
    }
    return true;
  }

private:
  /// One line; `where` puts the file position in front in the form that frontends parse.
  /// [spec: driver-locations]
  void error(const Twine &message, std::optional<mlir::Location> where = std::nullopt) {
    if (where)
      if (auto file = target::findFilePosition(*where))
        result.diagnostics += formatv("loc(\"{0}\":{1}:{2}): ", file->getFilename().getValue(),
                                      file->getLine(), file->getColumn());
    result.diagnostics += ("error: " + message + "\n").str();
  }
  void errorLines(StringRef text) {
    SmallVector<StringRef> lines;
    text.split(lines, '\n', -1, /*KeepEmpty=*/false);
    for (StringRef line : lines) {
      line.consume_front("error: ");
      if (line.starts_with("Failed to create temporary file")) // the original has no prefix here
        result.diagnostics += (line + "\n").str();
      else
        error(line);
    }
  }
  bool fail(int code) {
    result.exitCode = code;
    return false;
  }

  bool read() {
    std::string messages;
    mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
      if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error)
        messages += diagnostic.str() + "\n";
      return mlir::success();
    });
    mlir::DialectRegistry registry;
    registerCompilerDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    context.getLoadedDialect<cuda_tile::CudaTileDialect>()->setProfile(
        StringSwitch<cuda_tile::Profile>(options.profile) // [spec: driver-profile]
            .Case("public", cuda_tile::Profile::Public)
            .Case("tileiras-13.1", cuda_tile::Profile::Tileiras13_1)
            .Default(cuda_tile::Profile::Tileiras13_5));
    Expected<mlir::OwningOpRef<cuda_tile::ModuleOp>> read =
        bytecode::readBytecode(bytecode, &context);
    if (!read) {
      std::string text = toString(read.takeError());
      errorLines(messages);
      errorLines(text);
      if (!StringRef(result.diagnostics).ends_with((kNotTileIR + "\n").str()) &&
          !StringRef(text).starts_with("unsupported Tile IR bytecode version"))
        error(kNotTileIR);
      return fail(kExitBytecode);
    }
    module = mlir::ModuleOp::create(mlir::UnknownLoc::get(&context));
    module->getBody()->push_back(read->release());
    return true;
  }

  /// Tile libraries are looked at, in the words of the original and without its last line, but
  /// cannot be linked.
  bool checkLibraries() {
    if (options.libraries.empty())
      return true;
    if (options.preview.empty()) {
      error("libraries require the 'simt' preview feature");
      return fail(kExitCompile);
    }
    const std::string &path = options.libraries.front();
    ErrorOr<std::unique_ptr<MemoryBuffer>> file = MemoryBuffer::getFile(path);
    if (!file)
      error("failed to open tile library: " + file.getError().message());
    else if (identify_magic((*file)->getBuffer()) == file_magic::unknown)
      error("failed to open tile library: " +
            make_error_code(object::object_error::invalid_file_type).message());
    else
      error("cannot link tile library '" + path + "': not supported");
    return fail(kExitCompile);
  }

  /// Grids that count clusters need ptxas 13.0: with an older one the hint has no effect. The
  /// version is asked for only where it matters.
  void dropClustersWithoutAssembler() {
    SmallVector<cuda_tile::EntryOp> hinted;
    module->walk([&](cuda_tile::EntryOp entry) {
      auto hints = entry.getOptimizationHints();
      if (hints && hints->getNumCTAInCGA(options.gpuName).value_or(1) > 1)
        hinted.push_back(entry);
    });
    if (hinted.empty() || options.emit != "cubin")
      return;
    Expected<std::string> ptxas = target::findPtxas(options.cudaPath);
    if (!ptxas)
      return consumeError(ptxas.takeError());
    Expected<std::pair<unsigned, unsigned>> version = target::ptxasVersion(*ptxas);
    if (!version)
      return consumeError(version.takeError());
    if (*version >= std::pair(13u, 0u))
      return;
    for (cuda_tile::EntryOp entry : hinted) {
      SmallVector<mlir::NamedAttribute> targets;
      for (mlir::NamedAttribute target : entry.getOptimizationHints()->getValue()) {
        mlir::NamedAttrList hints(mlir::cast<mlir::DictionaryAttr>(target.getValue()));
        hints.erase(cuda_tile::OptimizationHintsAttr::kNumCTAInCGA);
        targets.emplace_back(target.getName(), hints.getDictionary(&context));
      }
      entry.setOptimizationHintsAttr(cuda_tile::OptimizationHintsAttr::get(
          &context, mlir::DictionaryAttr::get(&context, targets)));
    }
  }

  // [spec: driver-preview, driver-target-gate, driver-last-lines, driver-emit]
  bool lower() {
    mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
      if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error)
        error(diagnostic.str(), diagnostic.getLocation());
      return mlir::success();
    });
    auto failed = [&] {
      error("failed to compile Tile IR program");
      return fail(kExitCompile);
    };
    Expected<const target::GpuTarget *> gpu = target::getGpuTarget(options.gpuName);
    if (!gpu) {
      errorLines(toString(gpu.takeError()));
      return failed();
    }
    if (!checkLibraries())
      return false;
    if (!options.emulateTypes && mlir::failed(checkArchitecture(*module, **gpu)))
      return failed();
    if (options.emit == "emulated" && !embedsCubin()) // the driver compiles it for its engine
      return true;
    remarks.before(*module);
    dropClustersWithoutAssembler();
    CompileOptions compile = compileOptions();
    compile.hostMaps = makesHostMaps(**gpu);
    compile.afterStage = [&](Stage stage, mlir::ModuleOp tiles) {
      if (stage == Stage::TileAS)
        remarks.tiles(tiles, compile.optLevel);
    };
    if (mlir::failed(runPipeline(*module, compile, parseStage(options.emit).value_or(Stage::NVVM))))
      return failed();
    remarks.after(*module);
    std::vector<Remark> selected = remarks.select(options);
    result.remarks =
        options.remarkFormat == "yaml" ? formatYaml(selected) : formatCommandLine(selected);
    return true;
  }

  /// Whether host code makes tensor maps: in cubins that the driver launches as Tile IR, since it calls
  /// what such a cubin carries for the host.
  bool makesHostMaps(const target::GpuTarget &gpu) {
    if (options.tensorMaps != "auto" || !gpu.has(target::Feature::TensorCopy))
      return options.tensorMaps == "host";
    return options.emit == "cubin" && options.launch != "simt" && assemblerMarksLaunches();
  }

  /// Whether ptxas takes the mark of Tile IR, and with it objects for the host.
  bool assemblerMarksLaunches() {
    Expected<std::string> ptxas = target::findPtxas(options.cudaPath);
    if (!ptxas) {
      consumeError(ptxas.takeError());
      return false;
    }
    Expected<std::pair<unsigned, unsigned>> version = target::ptxasVersion(*ptxas);
    if (!version) {
      consumeError(version.takeError());
      return false;
    }
    return *version >= target::kFirstPtxasWithLaunchMark;
  }

  /// Whether a module for the driver on the CPU gets its cubin as well.
  bool embedsCubin() {
    if (!options.embedCubin || options.emit != "emulated")
      return false;
    Expected<std::string> ptxas = target::findPtxas(options.cudaPath);
    if (!ptxas)
      consumeError(ptxas.takeError());
    return bool(ptxas);
  }

  /// The checked command line as what all stages are asked for.
  CompileOptions compileOptions() const {
    CompileOptions compile;
    compile.gpuName = options.gpuName;
    compile.optLevel = static_cast<unsigned>(options.optLevel);
    compile.mathLibrary = *target::parseMathLibraryKind(options.mathLibrary);
    compile.cudaPath = options.cudaPath;
    for (const std::string &name : options.strategies)
      compile.strategies.enable(name);
    compile.debugInfo = options.deviceDebug ? target::DebugInfo::Full
                        : lineInfo()        ? target::DebugInfo::Lines
                                            : target::DebugInfo::None;
    compile.fuseFma = options.fuseFma; // [spec: driver-fuse]
    compile.verifyEach = true;
    return compile;
  }

  /// The machine-code device names lines, so an embedded cubin has them.
  bool lineInfo() const { return options.lineInfo || options.embedCubin; }

  void emit() {
    if (Error error = emitCode()) {
      errorLines(toString(std::move(error)));
      this->error("failed to compile Tile IR program");
      fail(kExitCompile);
    }
  }

  /// What the driver on the CPU loads: the bytecode, and what it was to be compiled with.
  void emitEmulatedModule() {
    EmulatedModule file;
    file.bytecode = bytecode.str();
    file.options = formatv("-O{0}\n--gpu-name={1}", options.optLevel, options.gpuName);
    if (options.mathLibrary != "auto")
      file.options += "\n--math-library=" + options.mathLibrary;
    if (std::string names = compileOptions().strategies.str(); !names.empty())
      file.options += "\n--strategies=" + names;
    if (options.fuseFma)
      file.options += "\n--fuse-fma";
    file.cubin = std::move(result.output);
    result.output = file.print();
  }

  Error emitCode() {
    if (options.emit != "emulated")
      return emitStage();
    if (embedsCubin())
      if (Error error = emitStage())
        return error;
    emitEmulatedModule();
    return Error::success();
  }

  Error emitStage() {
    if (parseStage(options.emit)) {
      raw_string_ostream(result.output) << **module << "\n";
      return Error::success();
    }
    LLVMContext llvmContext;
    Expected<target::DeviceModule> prepared =
        target::prepareDeviceModule(*module, llvmContext, deviceModuleOptions(compileOptions()));
    if (!prepared)
      return prepared.takeError();
    result.launchMetadata = formatv("{0:2}\n", target::toJSON(prepared->kernels, options.gpuName));
    if (options.emit == "llvm") {
      raw_string_ostream text(result.output);
      text << *prepared->module;
      if (prepared->host)
        text << *prepared->host;
      return Error::success();
    }
    // Launchers of Tile IR cubins pass no shared-memory size, so the kernel carries its own.
    if (options.launch != "simt")
      target::makeSharedMemoryStatic(*prepared->module);
    if (Error error = target::optimizeForPTX(*prepared->module, options.gpuName, options.optLevel))
      return error;
    Expected<std::string> ptx =
        target::emitPTX(*prepared->module, options.gpuName, options.optLevel);
    if (!ptx)
      return ptx.takeError();
    if (prepared->host)
      if (Error error = target::hideHostMaps(*ptx, prepared->kernels))
        return error;
    if (options.emit == "ptx") {
      if (options.launch == "tileir") // [spec: driver-launch]
        target::addTileIRLaunchMark(*ptx);
      result.output = std::move(*ptx);
      return Error::success();
    }
    return assemble(std::move(*ptx), *prepared);
  }

  /// The one that was asked for, or this one. [spec: driver-host]
  target::HostSystem hostSystem() const {
    target::HostSystem system;
    if (!options.hostArch.empty())
      system.arch = options.hostArch;
    else if (Triple(sys::getProcessTriple()).isAArch64())
      system.arch = "aarch64";
    if (!options.hostOs.empty())
      system.os = options.hostOs;
    return system;
  }

  Error assemble(std::string ptx, target::DeviceModule &module) {
    Expected<std::string> ptxas = target::findPtxas(options.cudaPath);
    if (!ptxas)
      return ptxas.takeError();
    // The mark is for NVIDIA's driver.
    if (options.launch != "simt" && !module.kernels.empty() && options.emit != "emulated") {
      Expected<std::pair<unsigned, unsigned>> version = target::ptxasVersion(*ptxas);
      if (!version)
        return version.takeError();
      if (*version >= target::kFirstPtxasWithLaunchMark)
        target::addTileIRLaunchMark(ptx);
      else
        result.diagnostics += formatv("warning: ptxas {0}.{1} cannot mark the cubin as Tile IR "
                                      "(13.2 can): launches with block (1,1,1) "
                                      "will fail\n",
                                      version->first, version->second);
    }
    target::PtxasOptions assemble;
    assemble.gpuName = options.gpuName;
    assemble.optLevel = options.optLevel;
    assemble.lineInfo = lineInfo();
    assemble.deviceDebug = options.deviceDebug;
    assemble.sanitizeMemcheck = options.sanitize == "memcheck"; // [spec: driver-sanitize]
    assemble.cudaPath = options.cudaPath;
    if (module.host) {
      Expected<std::string> object =
          target::emitHostObject(*module.host, module.kernels, hostSystem());
      if (!object)
        return object.takeError();
      assemble.hostObject = std::move(*object);
    }
    Expected<std::string> cubin = target::assemblePTX(ptx, assemble);
    if (!cubin)
      return cubin.takeError();
    result.output = std::move(*cubin);
    return Error::success();
  }

  StringRef bytecode;
  const TileirasOptions &options;
  TileirasResult &result;
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  RemarkCollector remarks;
  std::string version = "unknown";
};

} // namespace

unsigned newestMinorOf(const TileirasOptions &options) {
  return options.profile == "tileiras-13.1" ? 1 : bytecode::kNewestMinor;
}

TileirasResult checkTileIRHeader(StringRef bytecode) {
  TileirasResult result;
  TileirasOptions options;
  Compilation compilation(bytecode, options, result);
  if (compilation.checkHeader())
    compilation.checkVersion();
  return result;
}

TileirasResult checkTileIRConfiguration(StringRef bytecode, const TileirasOptions &options) {
  TileirasResult result;
  Compilation compilation(bytecode, options, result);
  if (compilation.checkVersion())
    compilation.checkConfiguration();
  return result;
}

TileirasResult compileTileIR(StringRef bytecode, const TileirasOptions &options) {
  TileirasResult result;
  Compilation(bytecode, options, result).run();
  return result;
}

} // namespace tilesmith::tools
