//===- Symbols.cpp - every function by its name -----------------------------------------------===//
//
// cuGetProcAddress is given the name without a suffix and the version of CUDA that the client was
// built for; the newest function that is not newer than that is the answer. What CUDA 13 has and
// this driver has not is a function, too: it says so in the log and returns an error code, so that
// a client may resolve all that it might ever call.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/devices/driver/Driver.h"

using namespace tilesmith::driver;

// Types do not matter here: only addresses are taken.
#define DECLARE(NAME) CU_API CUresult NAME();
#define FUNCTION(NAME) DECLARE(NAME)
#include "oracles/devices/driver/Functions.inc"
#undef FUNCTION
DECLARE(cuCtxCreate_v2)
DECLARE(cuCtxCreate_v4)
DECLARE(cuCtxGetDevice)
DECLARE(cuCtxGetDevice_v2)
DECLARE(cuCtxSynchronize)
DECLARE(cuCtxSynchronize_v2)
DECLARE(cuEventElapsedTime)
DECLARE(cuEventElapsedTime_v2)
DECLARE(cuGraphAddKernelNode)
DECLARE(cuGraphAddKernelNode_v2)
DECLARE(cuLaunchHostFunc)
DECLARE(cuLaunchHostFunc_v2)
DECLARE(cuMemAdvise)
DECLARE(cuMemAdvise_v2)
DECLARE(cuMemPrefetchAsync)
DECLARE(cuMemPrefetchAsync_v2)
DECLARE(cuStreamGetCaptureInfo_v2)
DECLARE(cuStreamGetCaptureInfo_v3)

#define FUNCTION(NAME)                                                                             \
  CU_API CUresult NAME() {                                                                         \
    log(#NAME ": not supported (error 801)");                                                      \
    return CUDA_ERROR_NOT_SUPPORTED;                                                               \
  }
#include "oracles/devices/driver/NotSupported.inc"
#undef FUNCTION

CU_API CUresult cuGetProcAddress_v2(const char *name, void **function, int version, uint64_t flags,
                                    int *status);
/// The first form has no status.
CU_API CUresult cuGetProcAddress(const char *name, void **function, int version, uint64_t flags) {
  return cuGetProcAddress_v2(name, function, version, flags, nullptr);
}

namespace {

struct Symbol {
  std::string name; ///< without a suffix
  int version;      ///< of CUDA, from which on it has this form
  void *address;
};

std::string withoutSuffix(const char *name) {
  std::string text = name;
  size_t suffix = text.rfind("_v");
  return suffix != std::string::npos && suffix + 3 == text.size() ? text.substr(0, suffix) : text;
}

const std::vector<Symbol> &symbols() {
  static const std::vector<Symbol> all = [] {
    std::vector<Symbol> rows;
#define FUNCTION(NAME) rows.push_back({withoutSuffix(#NAME), 0, reinterpret_cast<void *>(NAME)});
#include "oracles/devices/driver/Functions.inc"
#include "oracles/devices/driver/NotSupported.inc"
#undef FUNCTION
    // Ascending for each name.
    auto since = [&](int version, const char *name, auto *function) {
      rows.push_back({name, version, reinterpret_cast<void *>(function)});
    };
    since(0, "cuCtxCreate", cuCtxCreate_v2);
    since(13000, "cuCtxCreate", cuCtxCreate_v4);
    since(0, "cuCtxGetDevice", cuCtxGetDevice);
    since(13000, "cuCtxGetDevice", cuCtxGetDevice_v2);
    since(0, "cuCtxSynchronize", cuCtxSynchronize);
    since(13000, "cuCtxSynchronize", cuCtxSynchronize_v2);
    since(0, "cuEventElapsedTime", cuEventElapsedTime);
    since(12080, "cuEventElapsedTime", cuEventElapsedTime_v2);
    since(0, "cuLaunchHostFunc", cuLaunchHostFunc);
    since(13020, "cuLaunchHostFunc", cuLaunchHostFunc_v2);
    since(0, "cuMemAdvise", cuMemAdvise);
    since(12020, "cuMemAdvise", cuMemAdvise_v2);
    since(0, "cuMemPrefetchAsync", cuMemPrefetchAsync);
    since(12020, "cuMemPrefetchAsync", cuMemPrefetchAsync_v2);
    since(0, "cuGraphAddKernelNode", cuGraphAddKernelNode);
    since(12000, "cuGraphAddKernelNode", cuGraphAddKernelNode_v2);
    since(12000, "cuGraphInstantiate", cuGraphInstantiateWithFlags);
    since(0, "cuStreamGetCaptureInfo", cuStreamGetCaptureInfo_v2);
    since(13000, "cuStreamGetCaptureInfo", cuStreamGetCaptureInfo_v3);
    since(0, "cuGetProcAddress", cuGetProcAddress);
    since(12000, "cuGetProcAddress", cuGetProcAddress_v2);
    return rows;
  }();
  return all;
}

} // namespace

CU_API CUresult cuGetProcAddress_v2(const char *name, void **function, int version, uint64_t,
                                    int *status) {
  if (!name || !function)
    return CUDA_ERROR_INVALID_VALUE;
  *function = nullptr;
  bool known = false;
  for (const Symbol &symbol : symbols())
    if (symbol.name == name) {
      known = true;
      if (symbol.version <= version)
        *function = symbol.address;
    }
  if (status) // found, not found, or too new for the version
    *status = *function ? 0 : known ? 2 : 1;
  if (!*function)
    log(std::string("cuGetProcAddress: no function '") + name + "' (error 500)");
  return *function ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}
