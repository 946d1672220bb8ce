//===- HostCode.h - the code for the host in a Tile IR cubin ----------------------------------===//
//
// Where host code makes tensor maps, a device module holds one function per kernel,
// `host_maps_<kernel>(address of the parameters)` (conversion/TileASToNVGPU/HostTensorMaps.h). They leave
// it as a module of their own, of no target: an emulator runs them, and a cubin carries them as an
// object in its section `.nv.host`, for the driver that loads it:
//
//   __CUDA_TILEIR_CALLBACKS        9 words: version 2, 0, 0, 0, bytes of an entry (64), entries, how many,
//                                  2, __CUDA_TILEIR_ON_PRE_LOAD
//   __CUDA_TILEIR_FUNC_CALLBACKS   the entries, one per kernel: name at 0, function at 40, else zeros
//   __CUDA_TILEIR_FUNC_ON_ARGUMENTS_CHANGE_<i>
//                                  called with the address of the parameters as the fourth argument
//                                  before a kernel is launched; returns 0
//   __CUDA_TILEIR_ON_PRE_LOAD      (functions of the driver, handle, its version, where to store): hands out
//                                  a copy of the callbacks; 1 where the driver's version is 0
//
// The form is that of the objects which cubins of other compilers carry, down to sections and
// relocations: position independent code of the large model on x86-64. The device finds maps behind
// its parameters, which PTX declares as `.hidden`.
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_TARGET_HOSTCODE_H
#define COMPILER_TARGET_HOSTCODE_H

#include "compiler/target/LaunchMetadata.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <string>

namespace llvm {
class Module;
} // namespace llvm

namespace tilesmith::target {

/// Moves the functions that make tensor maps into a module of their own, in the same context; null when
/// there are none.
std::unique_ptr<llvm::Module> takeHostFunctions(llvm::Module &device);

struct HostSystem {
  std::string arch = "x86_64"; ///< or aarch64
  std::string os = "linux";    ///< or windows, whose calls differ; the file is ELF all the same
};

/// The object for `.nv.host`. `host` (taken from the device module of `kernels`) is changed. Errors: a
/// backend that LLVM lacks.
llvm::Expected<std::string> emitHostObject(llvm::Module &host, llvm::ArrayRef<KernelInfo> kernels,
                                           const HostSystem &system);

/// In PTX text: marks the tensor maps of each kernel as hidden parameters, and declares what the driver
/// reserves for launches with host code. Error: a map that the text does not declare, which callers would
/// have to pass.
llvm::Error hideHostMaps(std::string &ptx, llvm::ArrayRef<KernelInfo> kernels);

} // namespace tilesmith::target

#endif // COMPILER_TARGET_HOSTCODE_H
