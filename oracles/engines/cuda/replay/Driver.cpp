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
  find(moduleUnload, "cuModuleUnload");
  find(functionAttribute, "cuFuncSetAttribute");
  find(allocate, "cuMemAlloc_v2");
  find(free, "cuMemFree_v2");
  find(set, "cuMemsetD8_v2");
  find(toDevice, "cuMemcpyHtoD_v2");
  find(toHost, "cuMemcpyDtoH_v2");
  find(launch, "cuLaunchKernel");
  find(eventCreate, "cuEventCreate");
  find(eventDestroy, "cuEventDestroy_v2");
  find(eventRecord, "cuEventRecord");
  find(eventSynchronize, "cuEventSynchronize");
  find(eventElapsed, "cuEventElapsedTime");
  find(errorText, "cuGetErrorString");
  return missing.empty() ? "" : std::string("no CUDA driver: ") + name + " lacks " + missing;
}

std::string Driver::open(int ordinal, std::string &description) {
  int count = 0, device = 0;
  if (const Result code = init(0))
    return "no GPU: " + describe(code);
  if (deviceCount(&count) || count <= ordinal)
    return "no GPU: the driver found " + std::to_string(count) + " devices";
  void *context = nullptr;
  if (deviceGet(&device, ordinal) || contextRetain(&context, device) || contextSet(context))
    return "no GPU: cannot create a context";
  char name[128] = "";
  int major = 0, minor = 0, version = 0;
  deviceName(name, sizeof name, device);
  deviceAttribute(&major, 75, device); // compute capability
  deviceAttribute(&minor, 76, device);
  driverVersion(&version);
  description = std::string(name) + ", sm_" + std::to_string(major) + std::to_string(minor) +
                ", driver " + std::to_string(version);
  return "";
}

std::string Driver::describe(Result code) const {
  const char *text = nullptr;
  if (errorText && errorText(code, &text) == 0 && text)
    return std::string(text) + " (" + std::to_string(code) + ")";
  return "CUDA error " + std::to_string(code);
}

} // namespace replay
