//===- Driver.cpp - finds the entry points (see Driver.h) -------------------------------------===//
#include "oracles/engines/cuda/replay/Driver.h"

#include <cstdlib>
#include <dlfcn.h>
#include <type_traits>

namespace replay {

std::string Driver::load() {
  const char *other = std::getenv("TILE_GPU_DRIVER");
  const char *name = other && *other ? other : "libcuda.so.1";
  void *library = dlopen(name, RTLD_NOW);
  if (!library)
    return std::string("no CUDA driver: ") + dlerror();
  std::string missing;
  auto find = [&](auto &entry, const char *symbol) {
    entry = reinterpret_cast<std::remove_reference_t<decltype(entry)>>(dlsym(library, symbol));
    if (!entry && missing.empty())
      missing = symbol;
  };
  find(init, "cuInit");
  find(deviceCount, "cuDeviceGetCount");
  find(deviceGet, "cuDeviceGet");
  find(deviceName, "cuDeviceGetName");
  find(deviceAttribute, "cuDeviceGetAttribute");
  find(driverVersion, "cuDriverGetVersion");
  find(contextRetain, "cuDevicePrimaryCtxRetain");
  find(contextSet, "cuCtxSetCurrent");
  find(synchronize, "cuCtxSynchronize");
  find(moduleLoad, "cuModuleLoadDataEx");
  find(moduleFunction, "cuModuleGetFunction");
  find(functionAttribute, "cuFuncSetAttribute");
  find(allocate, "cuMemAlloc_v2");
  find(free, "cuMemFree_v2");
  find(set, "cuMemsetD8_v2");
  find(toDevice, "cuMemcpyHtoD_v2");
  find(toHost, "cuMemcpyDtoH_v2");
  find(launch, "cuLaunchKernel");
  find(eventCreate, "cuEventCreate");
  find(eventRecord, "cuEventRecord");
  find(eventSynchronize, "cuEventSynchronize");
  find(eventElapsed, "cuEventElapsedTime");
  find(errorText, "cuGetErrorString");
  return missing.empty() ? "" : std::string("no CUDA driver: ") + name + " lacks " + missing;
}

std::string Driver::describe(Result code) const {
  const char *text = nullptr;
  if (errorText && errorText(code, &text) == 0 && text)
    return std::string(text) + " (" + std::to_string(code) + ")";
  return "CUDA error " + std::to_string(code);
}

} // namespace replay
