//===- HostProgram.cpp - a plain C++ program over the driver interface ------------------------===//
//
// As hosts of CUDA Tile C++ are written; ci/frontends/hosts compiles it, with the CUDA headers where
// they are, and runs stored cases with it.
//
// usage: host MODULE KERNEL X Y Z [buffer:FILE[+OFFSET] | bits:SIZE:VALUE]...
// One word per parameter; a file that comes again is the same buffer. What the launch leaves in each
// buffer is written to FILE.out.
//
//===------------------------------------------------------------------------------------------===//
#if __has_include(<cuda.h>)
#include <cuda.h>
#else
#include "oracles/devices/driver/Cuda.h"
CU_API CUresult cuInit(unsigned);
CU_API CUresult cuDevicePrimaryCtxRetain(CUcontext *, CUdevice);
CU_API CUresult cuCtxSetCurrent(CUcontext);
CU_API CUresult cuModuleLoad(CUmodule *, const char *);
CU_API CUresult cuModuleGetFunction(CUfunction *, CUmodule, const char *);
CU_API CUresult cuMemAlloc_v2(CUdeviceptr *, size_t);
CU_API CUresult cuMemFree_v2(CUdeviceptr);
CU_API CUresult cuMemcpyHtoD_v2(CUdeviceptr, const void *, size_t);
CU_API CUresult cuMemcpyDtoH_v2(void *, CUdeviceptr, size_t);
CU_API CUresult cuStreamCreate(CUstream *, unsigned);
CU_API CUresult cuStreamSynchronize(CUstream);
CU_API CUresult cuStreamDestroy_v2(CUstream);
CU_API CUresult cuModuleUnload(CUmodule);
CU_API CUresult cuGetErrorString(CUresult, const char **);
CU_API CUresult cuLaunchKernel(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned,
                               unsigned, unsigned, CUstream, void **, void **);
#define cuMemAlloc cuMemAlloc_v2
#define cuMemFree cuMemFree_v2
#define cuMemcpyHtoD cuMemcpyHtoD_v2
#define cuMemcpyDtoH cuMemcpyDtoH_v2
#define cuStreamDestroy cuStreamDestroy_v2
#endif

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

static void check(CUresult code, const char *what) {
  if (code == CUDA_SUCCESS)
    return;
  const char *text = nullptr;
  cuGetErrorString(code, &text);
  std::fprintf(stderr, "%s: error %d: %s\n", what, int(code), text ? text : "");
  std::exit(1);
}
#define CHECK(CALL) check(CALL, #CALL)

int main(int argc, char **argv) {
  if (argc < 6)
    return 2;
  CUcontext context;
  CUmodule module;
  CUfunction function;
  CUstream stream;
  CHECK(cuInit(0));
  CHECK(cuDevicePrimaryCtxRetain(&context, 0));
  CHECK(cuCtxSetCurrent(context));
  CHECK(cuModuleLoad(&module, argv[1]));
  CHECK(cuModuleGetFunction(&function, module, argv[2]));
  CHECK(cuStreamCreate(&stream, 0));
  std::map<std::string, std::pair<CUdeviceptr, std::vector<char>>> buffers;
  std::vector<uint64_t> values;
  for (int i = 6; i < argc; ++i) {
    std::string word = argv[i];
    if (word.rfind("bits:", 0) == 0) {
      values.push_back(std::strtoull(word.c_str() + word.rfind(':') + 1, nullptr, 0));
      continue;
    }
    size_t plus = word.rfind('+');
    std::string path = word.substr(7, plus == std::string::npos ? plus : plus - 7);
    auto [entry, isNew] = buffers.try_emplace(path);
    auto &[address, bytes] = entry->second;
    if (isNew) {
      std::ifstream file(path, std::ios::binary);
      bytes.assign(std::istreambuf_iterator<char>(file), {});
      CHECK(cuMemAlloc(&address, bytes.empty() ? 1 : bytes.size()));
      CHECK(cuMemcpyHtoD(address, bytes.data(), bytes.size()));
    }
    values.push_back(address + (plus == std::string::npos
                                    ? 0
                                    : std::strtoull(word.c_str() + plus + 1, nullptr, 0)));
  }
  std::vector<void *> parameters;
  for (uint64_t &value : values)
    parameters.push_back(&value);
  auto extent = [&](int i) { return unsigned(std::strtoul(argv[i], nullptr, 0)); };
  CHECK(cuLaunchKernel(function, extent(3), extent(4), extent(5), 1, 1, 1, 0, stream,
                       parameters.data(), nullptr));
  CHECK(cuStreamSynchronize(stream));
  for (auto &[path, buffer] : buffers) {
    auto &[address, bytes] = buffer;
    CHECK(cuMemcpyDtoH(bytes.data(), address, bytes.size()));
    std::ofstream(path + ".out", std::ios::binary)
        .write(bytes.data(), std::streamsize(bytes.size()));
    CHECK(cuMemFree(address));
  }
  CHECK(cuStreamDestroy(stream));
  CHECK(cuModuleUnload(module));
}
