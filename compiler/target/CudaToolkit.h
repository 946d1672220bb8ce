//===- CudaToolkit.h - finding ptxas and libdevice at run time --------------------------------===//
//
// CUDA is optional. The toolkit root is, in this order:
//  1. an explicit path (`--cuda-path`), which decides even when it is wrong;
//  2. the first set one of $CUDA_ROOT, $CUDA_HOME, $CUDA_PATH, which decides even when it is wrong;
//  3. else the first of these that has the file: the folder above the tool's own, /usr/local/cuda;
//  4. for programs: PATH (for libdevice: the folder above the ptxas on PATH).
// A miss is a one-line error that names every place that was tried.
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_TARGET_CUDATOOLKIT_H
#define COMPILER_TARGET_CUDATOOLKIT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace tilesmith::target {

/// The path of `bin/ptxas`. Error: "ptxas not found, looked for A, B and on PATH".
llvm::Expected<std::string> findPtxas(llvm::StringRef cudaPath = "");

/// The path of `nvvm/libdevice/libdevice.10.bc`. Error: "libdevice not found, looked for A, B".
llvm::Expected<std::string> findLibdevice(llvm::StringRef cudaPath = "");

} // namespace tilesmith::target

#endif // COMPILER_TARGET_CUDATOOLKIT_H
