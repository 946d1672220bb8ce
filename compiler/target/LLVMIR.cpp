//===- LLVMIR.cpp - from the llvm/nvvm dialects to an llvm::Module ----------------------------===//
#include "compiler/target/LLVMIR.h"

#include "compiler/target/HostCode.h"
#include "compiler/target/TargetMachine.h"

#include "mlir/Conversion/NVVMToLLVM/NVVMToLLVM.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"

#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace tilesmith::target {
namespace {

/// The one gpu.module in or at `op`.
Expected<mlir::gpu::GPUModuleOp> findGpuModule(mlir::Operation *op) {
  if (auto gpuModule = mlir::dyn_cast<mlir::gpu::GPUModuleOp>(op))
    return gpuModule;
  SmallVector<mlir::gpu::GPUModuleOp> found;
  op->walk([&](mlir::gpu::GPUModuleOp gpuModule) { found.push_back(gpuModule); });
  if (found.size() != 1)
    return createStringError(formatv("expected exactly one gpu.module, got {0}", found.size()));
  return found.front();
}

/// Whether an op exists as PTX text only.
bool needsInlinePtx(mlir::gpu::GPUModuleOp module) {
  return module
      .walk([](mlir::Operation *op) {
        auto builder = mlir::dyn_cast<mlir::NVVM::BasicPtxBuilderInterface>(op);
        return builder && !builder.hasIntrinsic() ? mlir::WalkResult::interrupt()
                                                  : mlir::WalkResult::advance();
      })
      .wasInterrupted();
}

/// A copy of `module` (itself, with `consume`), inside a builtin.module, in the form that the
/// translation takes: ops without an LLVM intrinsic as inline assembly, plain file positions (the
/// translation cannot take call sites and dialect-specific scopes), and debug scopes when asked
/// for.
Expected<mlir::OwningOpRef<mlir::ModuleOp>> copyForTranslation(mlir::gpu::GPUModuleOp module,
                                                               DebugInfo debugInfo, bool consume) {
  mlir::MLIRContext *context = module.getContext();
  mlir::OwningOpRef<mlir::ModuleOp> copy(mlir::ModuleOp::create(mlir::UnknownLoc::get(context)));
  if (consume)
    module->remove();
  copy->getBody()->push_back(consume ? module.getOperation() : module->clone());
  auto plain = [&](mlir::Location location) -> mlir::Location {
    if (auto position = findFilePosition(location))
      return *position;
    return mlir::UnknownLoc::get(context);
  };
  copy->walk([&](mlir::Operation *op) {
    op->setLoc(plain(op->getLoc()));
    for (mlir::Region &region : op->getRegions())
      for (mlir::Block &block : region)
        for (mlir::BlockArgument argument : block.getArguments())
          argument.setLoc(plain(argument.getLoc()));
  });
  mlir::PassManager passes(context);
  passes.enableVerifier(!consume); // whoever gives the module away has verified what it wants to
  if (needsInlinePtx(module))
    passes.addNestedPass<mlir::gpu::GPUModuleOp>(mlir::createConvertNVVMToLLVMPass());
  if (debugInfo != DebugInfo::None) {
    // Line tables: only .loc directives, since ptxas takes other debug information with level 0
    // only.
    mlir::LLVM::DIScopeForLLVMFuncOpPassOptions options;
    options.emissionKind = debugInfo == DebugInfo::Full
                               ? mlir::LLVM::DIEmissionKind::Full
                               : mlir::LLVM::DIEmissionKind::DebugDirectivesOnly;
    passes.addPass(mlir::LLVM::createDIScopeForLLVMFuncOpPass(options));
  }
  if (passes.size() && mlir::failed(passes.run(*copy)))
    return createStringError(
        formatv("gpu.module '{0}' cannot be prepared for LLVM IR", module.getName()));
  return copy;
}

/// Triple and data layout of the device, which are the same for all its modules.
Error setTarget(llvm::Module &module, const GpuTarget &gpu) {
  struct Description {
    Triple triple;
    DataLayout layout;
  };
  static thread_local std::map<std::string, Description> known;
  auto it = known.find(gpu.name.str());
  if (it == known.end()) {
    Expected<std::unique_ptr<TargetMachine>> machine = createTargetMachine(gpu, /*optLevel=*/0);
    if (!machine)
      return machine.takeError();
    it = known
             .insert(
                 {gpu.name.str(), {(*machine)->getTargetTriple(), (*machine)->createDataLayout()}})
             .first;
  }
  module.setTargetTriple(it->second.triple);
  module.setDataLayout(it->second.layout);
  return Error::success();
}

} // namespace

void registerLLVMIRTranslations(mlir::DialectRegistry &registry) {
  mlir::registerBuiltinDialectTranslation(registry);
  mlir::registerGPUDialectTranslation(registry);
  mlir::registerLLVMDialectTranslation(registry);
  mlir::registerNVVMDialectTranslation(registry);
}

Expected<std::unique_ptr<llvm::Module>> translateToLLVMIR(mlir::Operation *op, LLVMContext &context,
                                                          StringRef gpuName, DebugInfo debugInfo,
                                                          bool consume) {
  Expected<const GpuTarget *> gpu = getGpuTarget(gpuName);
  if (!gpu)
    return gpu.takeError();
  Expected<mlir::gpu::GPUModuleOp> gpuModule = findGpuModule(op);
  if (!gpuModule)
    return gpuModule.takeError();
  Expected<std::vector<KernelInfo>> kernels = readKernels(*gpuModule);
  if (!kernels)
    return kernels.takeError();

  mlir::DialectRegistry registry;
  registerLLVMIRTranslations(registry);
  op->getContext()->appendDialectRegistry(registry);
  Expected<mlir::OwningOpRef<mlir::ModuleOp>> copy =
      copyForTranslation(*gpuModule, debugInfo, consume);
  if (!copy)
    return copy.takeError();
  std::unique_ptr<llvm::Module> module =
      mlir::translateModuleToLLVMIR(&(*copy)->getBody()->front(), context, gpuModule->getName(),
                                    /*disableVerification=*/true); // prepareDeviceModule does it
  if (!module)
    return createStringError(
        formatv("gpu.module '{0}' has no translation to LLVM IR", gpuModule->getName()));

  if (Error error = setTarget(*module, **gpu))
    return std::move(error);
  for (const KernelInfo &kernel : *kernels) {
    Function *function = module->getFunction(kernel.name);
    function->addFnAttr(kThreadsFnAttr, utostr(kernel.threads));
    function->addFnAttr(kSharedBytesFnAttr, utostr(kernel.sharedBytes));
    if (kernel.hostMaps) {
      function->addFnAttr(kHostMapOffsetFnAttr, utostr(kernel.hostMapOffset));
      function->addFnAttr(kHostMapsFnAttr, utostr(kernel.hostMaps));
    }
  }
  return module;
}

std::optional<mlir::FileLineColLoc> findFilePosition(mlir::Location location) {
  // The walk also enters dialect-specific locations; of a call site it sees the callee first.
  std::optional<mlir::FileLineColLoc> found;
  location->walk([&](mlir::Location part) {
    if (auto file = mlir::dyn_cast<mlir::FileLineColLoc>(part)) {
      found = file;
      return mlir::WalkResult::interrupt();
    }
    return mlir::WalkResult::advance();
  });
  return found;
}

unsigned markConvergentCalls(llvm::Module &module) {
  unsigned marked = 0;
  for (Function &function : module) {
    for (Instruction &instruction : instructions(function)) {
      auto *call = dyn_cast<CallBase>(&instruction);
      if (!call || call->isConvergent())
        continue;
      bool warpWide = call->isInlineAsm();
      if (Function *callee = call->getCalledFunction(); callee && callee->isIntrinsic()) {
        StringRef name = callee->getName();
        warpWide |=
            name.consume_front("llvm.nvvm.") &&
            (name.starts_with("mma.") || name.starts_with("ldmatrix.") ||
             name.starts_with("stmatrix.") || name.starts_with("wmma.") ||
             name.starts_with("wgmma.") || name.starts_with("shfl.") || name.starts_with("vote.") ||
             name.starts_with("match.") || name.starts_with("redux.") ||
             name.starts_with("barrier") || name.starts_with("bar."));
      }
      if (!warpWide)
        continue;
      call->setConvergent();
      ++marked;
    }
  }
  return marked;
}

Expected<DeviceModule> prepareDeviceModule(mlir::Operation *op, LLVMContext &context,
                                           const DeviceModuleOptions &options) {
  Expected<std::unique_ptr<llvm::Module>> module =
      translateToLLVMIR(op, context, options.gpuName, options.debugInfo, options.consume);
  if (!module)
    return module.takeError();
  std::unique_ptr<llvm::Module> host = takeHostFunctions(**module);
  MathLibraryOptions math;
  math.kind = options.mathLibrary;
  math.cudaPath = options.cudaPath;
  math.cudaArch = lookupGpuTarget(options.gpuName)->cudaArch();
  Expected<std::string> library = linkMathLibrary(**module, math);
  if (!library)
    return library.takeError();
  markConvergentCalls(**module);
  std::string message;
  raw_string_ostream stream(message);
  if (verifyModule(**module, &stream))
    return createStringError(formatv("broken LLVM IR: {0}", StringRef(message).rtrim()));
  DeviceModule result;
  result.kernels = readKernels(**module);
  result.module = std::move(*module);
  result.host = std::move(host);
  result.mathLibrary = std::move(*library);
  return result;
}

} // namespace tilesmith::target
