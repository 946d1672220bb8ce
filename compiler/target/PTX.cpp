//===- PTX.cpp - optimising a device module and printing PTX ----------------------------------===//
#include "compiler/target/PTX.h"

#include "compiler/conversion/GPUToNVVM/GPUToNVVM.h"
#include "compiler/support/Plants.h"
#include "compiler/target/LaunchMetadata.h"
#include "compiler/target/TargetMachine.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace tilesmith::target {

void makeSharedMemoryStatic(Module &module) {
  GlobalVariable *array = module.getGlobalVariable(kSharedMemoryName, /*AllowInternal=*/true);
  if (!array)
    return;
  uint32_t bytes = 1;
  for (const KernelInfo &kernel : readKernels(module))
    bytes = std::max(bytes, kernel.sharedBytes);
  Type *type = ArrayType::get(Type::getInt8Ty(module.getContext()), bytes);
  auto *sized = new GlobalVariable(module, type, /*isConstant=*/false, GlobalValue::InternalLinkage,
                                   UndefValue::get(type), "", array, GlobalValue::NotThreadLocal,
                                   array->getAddressSpace());
  sized->setAlignment(array->getAlign());
  sized->takeName(array);
  array->replaceAllUsesWith(sized);
  array->eraseFromParent();
}

namespace {
/// A loop that LLVM does not unroll as it was asked to is no concern of whoever compiles a kernel.
struct IgnoreMissedTransformations : DiagnosticHandler {
  bool handleDiagnostics(const DiagnosticInfo &info) override {
    return info.getKind() == DK_OptimizationFailure;
  }
};
} // namespace

Error optimizeForPTX(Module &module, StringRef gpuName, unsigned optLevel) {
  module.getContext().setDiagnosticHandler(std::make_unique<IgnoreMissedTransformations>());
  Expected<const GpuTarget *> gpu = getGpuTarget(gpuName);
  if (!gpu)
    return gpu.takeError();
  Expected<std::unique_ptr<TargetMachine>> machine = createTargetMachine(**gpu, optLevel);
  if (!machine)
    return machine.takeError();

  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager graphs;
  ModuleAnalysisManager modules;
  PassBuilder builder(machine->get());
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(graphs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, graphs, modules);

  OptimizationLevel level = optLevel == 0   ? OptimizationLevel::O0
                            : optLevel == 1 ? OptimizationLevel::O1
                            : optLevel == 2 ? OptimizationLevel::O2
                                            : OptimizationLevel::O3;
  ModulePassManager passes = optLevel == 0 ? builder.buildO0DefaultPipeline(level)
                                           : builder.buildPerModuleDefaultPipeline(level);
  passes.run(module, modules);
  return Error::success();
}

void addTileIRLaunchMark(std::string &ptx) {
  constexpr StringLiteral minimum = "9.2";
  std::string marked;
  bool inKernelHead = false; // between `.entry` and the `{` of its body
  StringRef rest = ptx;
  while (!rest.empty()) {
    auto [line, tail] = rest.split('\n');
    bool lastLine = line.size() == rest.size();
    rest = tail;
    unsigned major = 0, minor = 0;
    StringRef number = line;
    if (number.consume_front(".version ") && !number.consumeInteger(10, major) &&
        number.consume_front(".") && !number.consumeInteger(10, minor) &&
        std::make_pair(major, minor) < std::make_pair(9u, 2u)) {
      marked += (".version " + minimum + "\n").str();
      continue;
    }
    inKernelHead |= line.contains(".entry ");
    if (inKernelHead && line.starts_with("{")) {
      marked += ".language 7\n";
      inKernelHead = false;
    }
    marked += line;
    if (!lastLine)
      marked += '\n';
  }
  ptx = std::move(marked);
}

/// A name as PTX spells it: a letter and more, or one of `_$%` and at least one more.
static bool isPTXIdentifier(StringRef name) {
  auto follows = [](char c) { return isAlnum(c) || c == '_' || c == '$'; };
  return !name.empty() && all_of(name.drop_front(), follows) &&
         (isAlpha(name[0]) || (StringRef("_$%").contains(name[0]) && name.size() > 1));
}

/// The backend aborts on names that it cannot print. Local names are its own matter.
static Error checkNames(const Module &module) {
  for (const Function &function : module)
    if (!function.isDeclaration() && !function.hasLocalLinkage() &&
        !isPTXIdentifier(function.getName())) {
      std::string escaped;
      raw_string_ostream(escaped).write_escaped(function.getName().take_front(80));
      return createStringError("function name '" + escaped +
                               "' is not a PTX identifier: expected letters, digits, '_' and '$'");
    }
  return Error::success();
}

Expected<std::string> emitPTX(Module &module, StringRef gpuName, unsigned optLevel) {
  Expected<const GpuTarget *> gpu = getGpuTarget(gpuName);
  if (!gpu)
    return gpu.takeError();
  // Grids that count clusters came with PTX 9.0.
  GpuTarget wanted = **gpu;
  if (any_of(module, [](const Function &f) { return f.hasFnAttribute("nvvm.blocksareclusters"); }))
    wanted.ptxVersion = std::max(wanted.ptxVersion, 90u);
  Expected<std::unique_ptr<TargetMachine>> machine = createTargetMachine(wanted, optLevel);
  if (!machine)
    return machine.takeError();
  if (Error error = checkNames(module))
    return error;
  SmallString<0> text;
  raw_svector_ostream stream(text);
  legacy::PassManager passes;
  if ((*machine)->addPassesToEmitFile(passes, stream, nullptr, CodeGenFileType::AssemblyFile))
    return createStringError(formatv("the backend for '{0}' cannot print PTX", (*gpu)->chip));
  passes.run(module);
  std::string ptx(text);
  if (size_t at = ptx.find(".version "); TILESMITH_PLANT("ptx-version-too-low"))
    ptx.replace(at, ptx.find('\n', at) - at, ".version 6.3");
  return ptx;
}

} // namespace tilesmith::target
