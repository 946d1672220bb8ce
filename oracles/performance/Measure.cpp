//===- Measure.cpp - compiles a case and collects its figures ---------------------------------===//
#include "oracles/performance/Performance.h"

#include "compiler/pipeline/Pipeline.h"
#include "compiler/pipeline/Registration.h"
#include "compiler/target/CudaToolkit.h"
#include "compiler/target/PTX.h"
#include "oracles/engines/ModuleLoader.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/xxhash.h"

using namespace tilesmith;
using namespace tilesmith::oracles;

namespace {

llvm::Expected<std::string> compile(cuda_tile::ModuleOp module, const EngineOptions &engine) {
  CompileOptions options;
  options.gpuName = engine.gpuName;
  options.optLevel = engine.optLevel;
  options.numWarps = engine.numWarps;
  options.cudaPath = engine.cudaPath;
  options.optBisectLimit = engine.optBisectLimit;
  auto device = compileToDeviceModule(module, options);
  if (!device)
    return device.takeError();
  if (llvm::Error error = target::optimizeForPTX(*device->module, engine.gpuName, engine.optLevel))
    return std::move(error);
  return target::emitPTX(*device->module, engine.gpuName, engine.optLevel);
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

/// Registers, spills and SASS through ptxas and nvdisasm, where they are.
void assemble(llvm::StringRef ptx, const EngineOptions &engine,
              std::map<std::string, double> &figures, std::vector<std::string> &missing) {
  auto ptxas = target::findPtxas(engine.cudaPath);
  if (!ptxas) {
    missing.push_back(llvm::toString(ptxas.takeError()));
    return;
  }
  llvm::SmallString<128> folder;
  if (llvm::sys::fs::createUniqueDirectory("tilesmith-performance", folder))
    return;
  std::string in = (folder + "/in.ptx").str(), cubin = (folder + "/out.cubin").str(),
              log = (folder + "/log").str(), arch = "--gpu-name=" + engine.gpuName;
  std::error_code code;
  {
    llvm::raw_fd_ostream out(in, code);
    out << ptx;
  }
  if (auto text = outputOf(*ptxas, {"-v", arch, in, "-o", cubin}, log)) {
    addPtxasFigures(*text, figures);
    llvm::SmallString<128> disassembler(llvm::sys::path::parent_path(*ptxas));
    llvm::sys::path::append(disassembler, "nvdisasm");
    std::string path = disassembler.str().str();
    if (!llvm::sys::fs::can_execute(path)) {
      auto found = llvm::sys::findProgramByName("nvdisasm");
      path = found ? *found : "";
    }
    if (path.empty())
      missing.push_back("nvdisasm not found beside ptxas or on PATH");
    else if (auto listing = outputOf(path, {"-c", cubin}, log))
      addSASSFigures(*listing, figures);
  } else {
    missing.push_back("ptxas does not assemble the code");
  }
  llvm::sys::fs::remove_directories(folder);
}

} // namespace

llvm::Expected<CodeFigures> tilesmith::oracles::measureCode(const testcase::TestCase &testCase,
                                                            llvm::StringRef version,
                                                            const EngineOptions &options,
                                                            std::vector<std::string> &missing) {
  CodeFigures row;
  row.caseName = testCase.name;
  row.gpuName = options.gpuName;
  row.optLevel = options.optLevel;
  mlir::DialectRegistry registry;
  registerCompilerDialects(registry);
  ModuleLoader loader(registry, options.profile);
  std::string all;
  for (const testcase::Launch &launch : testCase.launches) {
    auto module = loader.load(launch, version);
    if (!module)
      return module.takeError();
    llvm::Expected<std::string> ptx = "";
    std::optional<uint64_t> instructions = countInstructions([&] {
      llvm::consumeError(ptx.takeError());
      ptx = compile(*module, options);
    });
    if (!ptx)
      return ptx.takeError();
    if (instructions)
      row.figures["compile/instructions"] += static_cast<double>(*instructions);
    else
      missing.push_back("no hardware counter of instructions");
    addPTXFigures(*ptx, row.figures);
    assemble(*ptx, options, row.figures, missing);
    all += *ptx;
  }
  row.code = llvm::utohexstr(llvm::xxh3_64bits(all), /*LowerCase=*/true);
  return row;
}
