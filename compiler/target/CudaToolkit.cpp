//===- CudaToolkit.cpp - finding ptxas and libdevice at run time ------------------------------===//
#include "compiler/target/CudaToolkit.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

#include <cstdlib>

using namespace llvm;

namespace tilesmith::target {
namespace {

struct Roots {
  SmallVector<std::string> folders;
  bool decided = false; ///< one explicit root: nothing else is tried
};

Roots candidateRoots(StringRef cudaPath) {
  Roots roots;
  if (!cudaPath.empty()) {
    roots.folders.push_back(cudaPath.str());
    roots.decided = true;
    return roots;
  }
  // [spec: driver-root]
  for (const char *variable : {"CUDA_ROOT", "CUDA_HOME", "CUDA_PATH"}) {
    const char *value = std::getenv(variable);
    if (!value || !*value)
      continue;
    roots.folders.push_back(value);
    roots.decided = true;
    return roots;
  }
  static int anchor;
  std::string tool = sys::fs::getMainExecutable(nullptr, &anchor);
  StringRef above = sys::path::parent_path(sys::path::parent_path(tool));
  if (!above.empty())
    roots.folders.push_back(above.str());
  roots.folders.push_back("/usr/local/cuda");
  return roots;
}

/// The first root that has `relative`; appends every tried path to `tried`.
std::string findBelow(const Roots &roots, StringRef relative, SmallVectorImpl<std::string> &tried) {
  for (const std::string &root : roots.folders) {
    SmallString<128> path(root);
    sys::path::append(path, relative);
    tried.push_back(std::string(path));
    if (sys::fs::exists(path) && !sys::fs::is_directory(path))
      return std::string(path);
  }
  return {};
}

} // namespace

Expected<std::string> findPtxas(StringRef cudaPath) {
  Roots roots = candidateRoots(cudaPath);
  SmallVector<std::string> tried;
  std::string path = findBelow(roots, "bin/ptxas", tried);
  if (!path.empty()) {
    if (!sys::fs::can_execute(path))
      return createStringError(formatv("'{0}' is not executable", path));
    return path;
  }
  if (!roots.decided)
    if (ErrorOr<std::string> onPath = sys::findProgramByName("ptxas"))
      return *onPath;
  return createStringError(formatv("ptxas not found, looked for {0}{1}", join(tried, ", "),
                                   roots.decided ? "" : " and on PATH"));
}

Expected<std::string> findLibdevice(StringRef cudaPath) {
  constexpr StringLiteral relative = "nvvm/libdevice/libdevice.10.bc";
  Roots roots = candidateRoots(cudaPath);
  if (!roots.decided)
    if (ErrorOr<std::string> onPath = sys::findProgramByName("ptxas"))
      roots.folders.push_back(sys::path::parent_path(sys::path::parent_path(*onPath)).str());
  SmallVector<std::string> tried;
  std::string path = findBelow(roots, relative, tried);
  if (path.empty())
    return createStringError(formatv("libdevice not found, looked for {0}", join(tried, ", ")));
  return path;
}

} // namespace tilesmith::target
