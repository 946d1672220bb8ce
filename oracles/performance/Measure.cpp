//===- Measure.cpp - compiles a case and collects its figures ---------------------------------===//
#include "oracles/performance/Performance.h"

#include "compiler/pipeline/Pipeline.h"
#include "compiler/pipeline/Registration.h"
#include "compiler/target/CudaToolkit.h"
#include "compiler/target/PTX.h"
#include "compiler/target/Targets.h"
#include "oracles/engines/ModuleLoader.h"
#include "oracles/performance/ChangePoints.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/xxhash.h"

#include <ctime>

using namespace tilesmith;
using namespace tilesmith::oracles;

namespace {

llvm::Expected<std::string> compile(cuda_tile::ModuleOp module, const CompileOptions &options) {
  auto device = compileToDeviceModule(module, options);
  if (!device)
    return device.takeError();
  if (llvm::Error error =
          target::optimizeForPTX(*device->module, options.gpuName, options.optLevel))
    return std::move(error);
  return target::emitPTX(*device->module, options.gpuName, options.optLevel);
}

/// What a program prints, or nothing when it failed.
std::optional<std::string> outputOf(const std::string &program,
                                    llvm::ArrayRef<llvm::StringRef> arguments,
                                    const std::string &log) {
  llvm::SmallVector<llvm::StringRef> words{program};
  llvm::append_range(words, arguments);
  std::optional<llvm::StringRef> redirects[] = {llvm::StringRef(), llvm::StringRef(log),
                                                llvm::StringRef(log)};
  if (llvm::sys::ExecuteAndWait(program, words, std::nullopt, redirects, 120) != 0)
    return std::nullopt;
  auto buffer = llvm::MemoryBuffer::getFile(log);
  return buffer ? std::optional<std::string>((*buffer)->getBuffer().str()) : std::nullopt;
}

/// `13.5.37` of what `ptxas --version` says.
std::string versionOf(const std::string &ptxas, const std::string &log) {
  static std::map<std::string, std::string> known;
  auto [it, isNew] = known.try_emplace(ptxas);
  if (isNew)
    if (auto text = outputOf(ptxas, {"--version"}, log)) {
      llvm::StringRef version = llvm::StringRef(*text).rsplit(", V").second;
      it->second = version.take_while([](char c) { return c == '.' || llvm::isDigit(c); }).str();
    }
  return it->second;
}

/// `tileiras 13.5.37`: a program and the version that it states; the name alone where it states none.
std::string versionedName(const std::string &program) {
  std::string name = llvm::sys::path::filename(program).str();
  llvm::SmallString<128> log;
  if (llvm::sys::fs::createTemporaryFile("tilesmith-version", "log", log))
    return name;
  llvm::scope_exit remove([&] { llvm::sys::fs::remove(log); });
  const std::string version = versionOf(program, log.str().str());
  return version.empty() ? name : name + " " + version;
}

/// Counters of the emulated GPU, all launches together.
llvm::Error emulate(const testcase::TestCase &testCase, llvm::StringRef version,
                    const EngineOptions &options, std::map<std::string, double> &figures) {
  auto counters = engineCounters("emulator", testCase, version, options);
  if (!counters)
    return counters.takeError();
  for (const char *what :
       {"instructions", "global_sectors", "shared_wavefronts", "bank_conflicts", "barriers"})
    figures[std::string("emulator/") + what] += (*counters)[what];
  return llvm::Error::success();
}

/// Who counts the instructions of a compilation: another compiler or library makes others.
std::string thisBuild() {
  std::string text = "LLVM " LLVM_VERSION_STRING ", " __VERSION__;
#ifndef NDEBUG
  text += ", assertions";
#endif
  return text;
}

/// Of this thread.
double cpuMicroseconds() {
  std::timespec now = {};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) / 1e3;
}

/// Registers, spills and SASS through ptxas and nvdisasm, where they are.
void assemble(llvm::StringRef ptx, const CompileOptions &options, CodeFigures &row,
              std::vector<std::string> &missing) {
  std::map<std::string, double> &figures = row.figures;
  const target::GpuTarget *gpu = target::lookupGpuTarget(options.gpuName);
  auto ptxas = target::findPtxas(options.cudaPath);
  if (!ptxas) {
    missing.push_back("ptxas/*: " + llvm::toString(ptxas.takeError()));
    return;
  }
  llvm::SmallString<128> folder;
  if (llvm::sys::fs::createUniqueDirectory("tilesmith-performance", folder))
    return;
  std::string in = (folder + "/in.ptx").str(), cubin = (folder + "/out.cubin").str(),
              log = (folder + "/log").str(),
              arch = "--gpu-name=" + (gpu ? gpu->arch.str() : options.gpuName);
  std::error_code code;
  {
    llvm::raw_fd_ostream out(in, code);
    out << ptx;
  }
  if (auto text = outputOf(*ptxas, {"-v", arch, in, "-o", cubin}, log)) {
    addPtxasFigures(*text, figures);
    row.tools["ptxas"] = versionOf(*ptxas, log);
    llvm::SmallString<128> disassembler(llvm::sys::path::parent_path(*ptxas));
    llvm::sys::path::append(disassembler, "nvdisasm");
    std::string path = disassembler.str().str();
    if (!llvm::sys::fs::can_execute(path)) {
      auto found = llvm::sys::findProgramByName("nvdisasm");
      path = found ? *found : "";
    }
    if (path.empty())
      missing.push_back("sass/*: nvdisasm not found beside ptxas or on PATH");
    else if (auto listing = outputOf(path, {"-c", cubin}, log)) {
      addSASSFigures(*listing, figures);
      row.tools["sass"] = row.tools["ptxas"];
    }
  } else {
    missing.push_back("ptxas/*: ptxas does not assemble the code");
  }
  llvm::sys::fs::remove_directories(folder);
}

} // namespace

llvm::Expected<std::map<std::string, double>>
tilesmith::oracles::engineCounters(llvm::StringRef engine, const testcase::TestCase &testCase,
                                   llvm::StringRef version, EngineOptions options,
                                   std::map<std::string, double> *micros) {
  llvm::SmallString<128> log;
  if (std::error_code code = llvm::sys::fs::createTemporaryFile("tilesmith-counters", "json", log))
    return llvm::createStringError("no temporary file: " + code.message());
  llvm::scope_exit remove([&] { llvm::sys::fs::remove(log); });
  static std::map<std::string, std::unique_ptr<Engine>, std::less<>> known;
  std::unique_ptr<Engine> &runner = known[engine.str()];
  if (!runner) {
    auto engines = createEngines(engine);
    if (!engines)
      return engines.takeError();
    runner = std::move(engines->front());
  }
  options.emulator.counterFile = log.str().str();
  EngineResult result = runner->run({testCase, version.str(), options});
  if (!result.completed())
    return llvm::createStringError("engine " + engine + ": " + result.message);
  auto buffer = llvm::MemoryBuffer::getFile(log);
  if (!buffer)
    return llvm::createStringError("engine " + engine + " has no counters");
  std::map<std::string, double> sums;
  llvm::SmallVector<llvm::StringRef> lines;
  (*buffer)->getBuffer().split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef line : lines) {
    auto value = llvm::json::parse(line);
    if (!value)
      return value.takeError();
    const llvm::json::Object *counters =
        value->getAsObject() ? value->getAsObject()->getObject("counters") : nullptr;
    if (!counters)
      return llvm::createStringError("engine " + engine + ": expected counters, found " + line);
    for (const auto &[name, count] : *counters)
      sums[name.str()] += static_cast<double>(count.getAsInteger().value_or(0));
    if (const llvm::json::Object *steps = value->getAsObject()->getObject("micros");
        micros && steps)
      for (const auto &[name, count] : *steps)
        (*micros)[name.str()] += static_cast<double>(count.getAsInteger().value_or(0));
  }
  return sums;
}

CodeFigures tilesmith::oracles::measureMachineCode(const testcase::TestCase &testCase,
                                                   llvm::StringRef version,
                                                   const EngineOptions &options,
                                                   const std::string &otherCompiler,
                                                   std::vector<std::string> &missing,
                                                   std::map<std::string, double> &micros) {
  CodeFigures row{testCase.name, options.compile.gpuName, options.compile.optLevel, "", {}};
  auto count = [&](const std::string &engine, llvm::StringRef family, const std::string &tool) {
    std::map<std::string, double> steps;
    auto counters = engineCounters(engine, testCase, version, options, &steps);
    if (!counters) {
      missing.push_back((family + ": not counted: " + llvm::toString(counters.takeError())).str());
      return;
    }
    for (const auto &[figure, value] : *counters)
      row.figures[(family + "/" + figure).str()] = value;
    for (const auto &[step, value] : steps)
      micros[(family + "/" + step).str()] += value;
    row.tools[family.str()] = versionedName(tool);
  };
  auto ptxas = target::findPtxas(options.compile.cudaPath);
  count("sass", "machine", ptxas ? *ptxas : "");
  llvm::consumeError(ptxas.takeError()); // the engine said so
  if (!otherCompiler.empty())
    count("external@" + otherCompiler, "external", otherCompiler);
  return row;
}

llvm::Expected<CodeFigures> tilesmith::oracles::measureCode(const testcase::TestCase &testCase,
                                                            llvm::StringRef version,
                                                            const EngineOptions &options,
                                                            std::vector<std::string> &missing,
                                                            const MeasureOptions &what) {
  CodeFigures row;
  row.caseName = testCase.name;
  row.gpuName = options.compile.gpuName;
  row.optLevel = options.compile.optLevel;
  mlir::DialectRegistry registry;
  registerCompilerDialects(registry);
  ModuleLoader loader(registry, options.profile);
  std::string all;
  for (const testcase::Launch &launch : testCase.launches) {
    auto module = loader.load(launch, version);
    if (!module)
      return module.takeError();
    static bool warm = false; // the first compilation also sets the libraries up
    if (!std::exchange(warm, true))
      llvm::consumeError(compile(*module, options.compile).takeError());
    if (module = loader.load(launch, version); !module)
      return module.takeError();
    llvm::Expected<std::string> ptx = "";
    std::vector<double> runs;
    bool isCounted = true;
    for (unsigned i = 0; i < std::max(what.repeat, 1u); ++i) {
      const double before = cpuMicroseconds();
      std::optional<uint64_t> instructions = countInstructions([&] {
        llvm::consumeError(ptx.takeError());
        ptx = compile(*module, options.compile);
      });
      if (!ptx)
        return ptx.takeError();
      isCounted = isCounted && instructions;
      runs.push_back(isCounted ? static_cast<double>(*instructions) : cpuMicroseconds() - before);
    }
    // One time says nothing.
    if (isCounted || what.repeat > 1) {
      row.figures[isCounted ? "compile/instructions" : "compile/cpu-us"] += medianOf(runs);
      row.tools["compile"] = thisBuild() + (isCounted ? "" : ", CPU time");
      if (what.repeat > 1) {
        double &sigma = row.figures["compile/sigma"];
        sigma = std::max({sigma, relativeSigma(runs), 1e-6});
      }
    } else {
      missing.push_back("compile/*: the kernel counts no instructions for us (--repeat=N takes CPU "
                        "time instead)");
    }
    addPTXFigures(*ptx, row.figures);
    if (what.ptxas)
      assemble(*ptx, options.compile, row, missing);
    all += *ptx;
  }
  if (what.emulator)
    if (llvm::Error error = emulate(testCase, version, options, row.figures))
      return std::move(error);
  row.code = llvm::utohexstr(llvm::xxh3_64bits(all), /*LowerCase=*/true);
  return row;
}
