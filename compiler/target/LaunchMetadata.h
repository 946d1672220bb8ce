//===- LaunchMetadata.h - what a launcher must know about a kernel ----------------------------===//
//
// Read from the kernels of a `gpu.module` in the llvm dialect, written as JSON beside a cubin, and
// repeated as LLVM function attributes so that the emulator needs only the llvm::Module.
//
// JSON: {"gpu": "sm_90", "kernels": [{"name": "k", "threads": [128, 1, 1], "shared_bytes": 0,
//        "parameters": [{"kind": "pointer", "offset": 0, "size": 8}, ...], "parameter_bytes": 8}]}
// `kind` is pointer, int or float; offsets and sizes are bytes in the parameter bank, naturally
// aligned. "host_maps": {"offset": 64, "count": 2} where host code makes tensor maps behind them.
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_TARGET_LAUNCHMETADATA_H
#define COMPILER_TARGET_LAUNCHMETADATA_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <cstdint>
#include <string>
#include <vector>

namespace llvm {
class Module;
} // namespace llvm
namespace mlir {
class Operation;
} // namespace mlir

namespace tilesmith::target {

struct KernelParameter {
  enum class Kind { Pointer, Int, Float };
  Kind kind;
  uint32_t offset; ///< bytes from the start of the parameter bank
  uint32_t size;   ///< bytes
};

struct KernelInfo {
  std::string name;
  uint32_t threads = 1;                    ///< threads per block, along x
  uint32_t sharedBytes = 0;                ///< shared memory of one block, in bytes
  std::vector<KernelParameter> parameters; ///< those of the source
  /// Tensor maps of 128 bytes behind them, which a function of the host makes (HostCode.h): bytes in
  /// front of the first one, and how many.
  uint32_t hostMapOffset = 0, hostMaps = 0;

  /// Bytes of the parameter bank: the end of the last parameter.
  uint32_t parameterBytes() const;
};

/// LLVM function attributes (decimal strings) with the facts of KernelInfo.
inline constexpr char kThreadsFnAttr[] = "tilesmith-threads";
inline constexpr char kSharedBytesFnAttr[] = "tilesmith-shared-bytes";
inline constexpr char kHostMapOffsetFnAttr[] = "tilesmith-host-map-offset";
inline constexpr char kHostMapsFnAttr[] = "tilesmith-host-maps";

/// All kernels of a gpu.module in the llvm dialect, in order. Errors: a kernel with a parameter
/// that is no pointer, integer or float.
llvm::Expected<std::vector<KernelInfo>> readKernels(mlir::Operation *gpuModule);

/// The same from a translated module (function attributes above).
std::vector<KernelInfo> readKernels(const llvm::Module &module);

/// The JSON document described above.
llvm::json::Value toJSON(llvm::ArrayRef<KernelInfo> kernels, llvm::StringRef gpuName);

} // namespace tilesmith::target

#endif // COMPILER_TARGET_LAUNCHMETADATA_H
