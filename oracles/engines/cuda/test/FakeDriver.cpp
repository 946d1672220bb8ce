//===- FakeDriver.cpp - a stand-in for libcuda.so.1 -------------------------------------------===//
//
// Device memory is host memory. The "code" of a module is ignored; a kernel does what its name
// says: `double` (p0[i] = 2 * p1[i], 16 words), `outside` (writes behind p0), `fault`, `hang`,
// `crash`, `print`, `nothing`. FAKE_CUDA_NO_DEVICE makes cuInit fail.
//
//===------------------------------------------------------------------------------------------===//
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <unistd.h>
#include <utility>

namespace {
int poisoned = 0; // the error that a fault left
unsigned allocations = 0;
const char *printing = "";
std::string kernels[64];
unsigned kernelCount = 0;
} // namespace

extern "C" {
int cuInit(unsigned) {
  return std::getenv("FAKE_CUDA_NO_DEVICE") ? 100 : 0;
}
int cuDeviceGetCount(int *count) {
  return *count = 1, 0;
}
int cuDeviceGet(int *device, int) {
  return *device = 0, 0;
}
int cuDeviceGetName(char *name, int size, int) {
  return std::snprintf(name, size, "fake GPU"), 0;
}
int cuDeviceGetAttribute(int *value, int which, int) {
  return *value = which == 75 ? 9 : 0, 0;
}
int cuDriverGetVersion(int *version) {
  return *version = 13000, 0;
}
int cuDevicePrimaryCtxRetain(void **context, int) {
  if (const char *log = std::getenv("FAKE_CUDA_CONTEXTS"))
    if (std::FILE *file = std::fopen(log, "a"))
      std::fputs("context\n", file), std::fclose(file);
  return *context = &poisoned, 0;
}
int cuCtxSetCurrent(void *) {
  return 0;
}
int cuCtxSynchronize() {
  std::printf("%s", std::exchange(printing, ""));
  return poisoned;
}
int cuModuleLoadDataEx(void **module, const void *image, unsigned, int *, void **) {
  *module = const_cast<void *>(image);
  return std::strstr(static_cast<const char *>(image), "bad code") ? 218 : 0;
}
int cuModuleGetFunction(void **function, void *, const char *name) {
  kernels[kernelCount % 64] = name;
  *function = &kernels[kernelCount++ % 64];
  return 0;
}
int cuModuleUnload(void *) {
  return 0;
}
int cuFuncSetAttribute(void *, int, int) {
  return 0;
}
int cuMemAlloc_v2(unsigned long long *address, size_t size) {
  // A context that serves many bundles must get back what each of them took.
  if (++allocations > 8)
    return 2;
  *address = reinterpret_cast<unsigned long long>(std::malloc(size));
  return *address ? 0 : 2;
}
int cuMemFree_v2(unsigned long long address) {
  return --allocations, std::free(reinterpret_cast<void *>(address)), 0;
}
int cuMemsetD8_v2(unsigned long long address, unsigned char value, size_t size) {
  return std::memset(reinterpret_cast<void *>(address), value, size), poisoned;
}
int cuMemcpyHtoD_v2(unsigned long long address, const void *from, size_t size) {
  return std::memcpy(reinterpret_cast<void *>(address), from, size), poisoned;
}
int cuMemcpyDtoH_v2(void *to, unsigned long long address, size_t size) {
  return std::memcpy(to, reinterpret_cast<void *>(address), size), poisoned;
}
int cuLaunchKernel(void *function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                   unsigned, void *, void **arguments, void **) {
  const std::string &name = *static_cast<std::string *>(function);
  auto pointer = [&](int i) { return *static_cast<int32_t **>(arguments[i]); };
  if (name == "double")
    for (int i = 0; i < 16; ++i)
      pointer(0)[i] = 2 * pointer(1)[i];
  else if (name == "outside")
    pointer(0)[16] = 1;
  else if (name == "fault")
    poisoned = 700;
  else if (name == "hang")
    for (;;)
      pause();
  else if (name == "print") // as the driver does: nothing before the device is synchronised
    printing = "7 of 9\n";
  else if (name == "crash")
    std::abort();
  return 0;
}
int cuEventCreate(void **event, unsigned) {
  return *event = &poisoned, 0;
}
int cuEventDestroy_v2(void *) {
  return 0;
}
int cuEventRecord(void *, void *) {
  return 0;
}
int cuEventSynchronize(void *) {
  return poisoned;
}
int cuEventElapsedTime(float *time, void *, void *) {
  return *time = 0.5f, 0;
}
int cuGetErrorString(int code, const char **text) {
  *text = code == 700   ? "an illegal memory access was encountered"
          : code == 100 ? "no device"
                        : "error";
  return 0;
}
}
