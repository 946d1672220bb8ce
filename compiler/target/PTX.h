//===- PTX.h - optimising a device module and printing PTX ------------------------------------===//
//
// The PTX side of the fork. The optimiser gets the NVPTX target machine (without it, jump threading
// treats warp-wide intrinsics as ordinary calls); contraction is off, so every add and mul prints
// `.rn`.
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_TARGET_PTX_H
#define COMPILER_TARGET_PTX_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <utility>

namespace llvm {
class Module;
} // namespace llvm

namespace tilesmith::target {

/// How kernels get their shared memory. Dynamic: an `.extern .shared` array, sized at launch.
/// Static: an array of the kernel's own size, which a launcher that passes no size needs; all
/// kernels of the module share the largest.
enum class SharedMemoryMode { Dynamic, Static };

/// Gives the external shared-memory array its size (SharedMemoryMode::Static); nothing to do
/// without the array.
void makeSharedMemoryStatic(llvm::Module &module);

/// Runs LLVM's default pipeline of level 0 to 3 with the target machine of `gpuName`, in place.
llvm::Error optimizeForPTX(llvm::Module &module, llvm::StringRef gpuName, unsigned optLevel);

/// PTX text of `module` (which code generation changes: pass a clone to keep it). `optLevel` is 0
/// to 3.
llvm::Expected<std::string> emitPTX(llvm::Module &module, llvm::StringRef gpuName,
                                    unsigned optLevel);

/// Marks every kernel of the PTX text as Tile IR (`.language 7`), so that the driver takes the
/// block size from the cubin. Raises `.version` to 9.2, the first with the directive.
void addTileIRLaunchMark(std::string &ptx);

/// The first ptxas release that knows the directive.
inline constexpr std::pair<unsigned, unsigned> kFirstPtxasWithLaunchMark = {13, 2};
/// The first that knows parameters which are not declared to whoever launches (PTX 8.8, HostCode.h).
inline constexpr std::pair<unsigned, unsigned> kFirstPtxasWithHiddenParameters = {12, 9};

} // namespace tilesmith::target

#endif // COMPILER_TARGET_PTX_H
