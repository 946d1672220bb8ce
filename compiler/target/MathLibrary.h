//===- MathLibrary.h - device math behind the __nv_* calls ------------------------------------===//
//
// Two libraries can serve: CUDA's libdevice (defines `__nv_*` itself) and libclc's nvptx bitcode
// (OpenCL names; each used `__nv_*` gets a one-line body that calls its counterpart, or an LLVM
// intrinsic where IEEE demands the exact result: sqrt, fma, floor, fabs ...). Only the functions a
// module needs are loaded; they become internal, and references that neither library has are an
// error.
//
// Both are made deterministic over both forks: `__nvvm_reflect` becomes a constant (no flush to
// zero, IEEE division and square root), libclc's `fmuladd` becomes `fma`, and precision metadata is
// dropped.
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_TARGET_MATHLIBRARY_H
#define COMPILER_TARGET_MATHLIBRARY_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <string>

namespace llvm {
class Module;
} // namespace llvm

namespace tilesmith::target {

/// Auto: libdevice when it is found, else libclc.
enum class MathLibraryKind { Auto, Libdevice, Libclc };

/// "auto", "libdevice" or "libclc".
std::optional<MathLibraryKind> parseMathLibraryKind(llvm::StringRef text);
llvm::StringRef spelling(MathLibraryKind kind);

struct MathLibraryOptions {
  MathLibraryKind kind = MathLibraryKind::Auto;
  std::string cudaPath;    ///< where to look for libdevice (CudaToolkit.h)
  unsigned cudaArch = 900; ///< __CUDA_ARCH__ as libdevice sees it
};

/// This machine has no library that defines what a module calls; says where it was looked for.
class MathLibraryNotFound : public llvm::ErrorInfo<MathLibraryNotFound> {
public:
  static char ID;
  explicit MathLibraryNotFound(std::string message) : message(std::move(message)) {}
  void log(llvm::raw_ostream &os) const override { os << message; }
  std::error_code convertToErrorCode() const override { return llvm::inconvertibleErrorCode(); }

private:
  std::string message;
};

/// The path of libclc's nvptx64 bitcode: $TILESMITH_LIBCLC, else /usr/lib/clc/nvptx64--.bc. Error:
/// MathLibraryNotFound.
llvm::Expected<std::string> findLibclc();

/// Resolves every `__nv_*` declaration of `module`, and says by which library: results of the two
/// differ in the last places. Does nothing, needs no library and names none when there is none.
llvm::Expected<std::string> linkMathLibrary(llvm::Module &module,
                                            const MathLibraryOptions &options);

} // namespace tilesmith::target

#endif // COMPILER_TARGET_MATHLIBRARY_H
