//===- LLVMIR.h - from the llvm/nvvm dialects to the llvm::Module that both forks share -------===//
//
// `prepareDeviceModule` is the whole way for a caller: translate, link the device math,
// internalise, mark convergent calls, verify. The PTX fork then optimises and prints (PTX.h); the
// emulator takes the module as it is.
//
// Invariants of the result
//  - triple and data layout of NVPTX; kernels have the ptx_kernel calling convention and the
//    attributes of LaunchMetadata.h; everything but kernels and shared memory is internal;
//  - no reference to `__nv_*` or `__nvvm_reflect` is left (a missing function is an error that
//    names it);
//  - calls of warp-wide intrinsics that LLVM 22 does not know to be convergent are marked at the
//    call site, so that no optimiser clones them into divergent code.
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_TARGET_LLVMIR_H
#define COMPILER_TARGET_LLVMIR_H

#include "compiler/target/LaunchMetadata.h"
#include "compiler/target/MathLibrary.h"
#include "compiler/target/Targets.h"

#include "mlir/IR/Location.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm
namespace mlir {
class DialectRegistry;
class Operation;
} // namespace mlir

namespace tilesmith::target {

/// Registers the translations of builtin, gpu, llvm and nvvm with a registry. translateToLLVMIR
/// adds them by itself, but must not do so while a pass manager runs on the same context.
void registerLLVMIRTranslations(mlir::DialectRegistry &registry);

/// None: no debug information. Lines: line tables. Full: also subprograms and parameters for a
/// debugger.
enum class DebugInfo { None, Lines, Full };

/// Translates a gpu.module in the llvm/nvvm dialects (or a builtin.module that holds exactly one)
/// and sets triple, data layout and the launch attributes. Errors: no or several gpu.modules, an op
/// without translation (the diagnostic goes to the MLIR context, the error says that there was
/// one), unknown `gpuName`. `module` is not changed, unless `consume` allows to take the gpu.module
/// out of it. The result is not verified.
llvm::Expected<std::unique_ptr<llvm::Module>>
translateToLLVMIR(mlir::Operation *module, llvm::LLVMContext &context, llvm::StringRef gpuName,
                  DebugInfo debugInfo = DebugInfo::None, bool consume = false);

/// The file position that stands for `location`: of the innermost frame of a call, of the first
/// part of a fused location.
std::optional<mlir::FileLineColLoc> findFilePosition(mlir::Location location);

struct DeviceModuleOptions {
  std::string gpuName = kDefaultGpu.str();
  MathLibraryKind mathLibrary = MathLibraryKind::Auto;
  std::string cudaPath; ///< as `--cuda-path`
  DebugInfo debugInfo = DebugInfo::None;
  bool consume = false; ///< the gpu.module may be taken out of what holds it
};

struct DeviceModule {
  std::unique_ptr<llvm::Module> module;
  /// Functions that make tensor maps (HostCode.h), of no target yet; null: there are none.
  std::unique_ptr<llvm::Module> host;
  std::vector<KernelInfo> kernels;
  std::string mathLibrary; ///< that defines its math functions; empty: it calls none
};

/// Translate, link, internalise, mark and verify; see the header comment.
llvm::Expected<DeviceModule> prepareDeviceModule(mlir::Operation *module,
                                                 llvm::LLVMContext &context,
                                                 const DeviceModuleOptions &options);

/// Marks calls of warp-wide intrinsics and of inline assembly convergent; returns how many were
/// marked.
unsigned markConvergentCalls(llvm::Module &module);

} // namespace tilesmith::target

#endif // COMPILER_TARGET_LLVMIR_H
