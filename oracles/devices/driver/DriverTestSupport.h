//===- DriverTestSupport.h - a program for tests of the driver ---------------------------------===//
//
// Every function is reached as frontends reach it: through cuGetProcAddress. Kernels are those of
// corpus/frontends; what a launch leaves is compared with what the case stores.
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_DEVICES_DRIVER_DRIVERTESTSUPPORT_H
#define ORACLES_DEVICES_DRIVER_DRIVERTESTSUPPORT_H

#include "compiler/support/EmulatedModule.h"
#include "oracles/devices/driver/Cuda.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

#include "gmock/gmock.h"

CU_API CUresult cuGetProcAddress_v2(const char *, void **, int, uint64_t, int *);
CU_API CUresult tilesmithConfigure(const char *, const char *);
CU_API CUresult tilesmithNameMemory(void *, size_t, const char *);
CU_API const char *tilesmithLastReport();

namespace tilesmith::driver::test {

/// Calls a function by name, as a client built for CUDA 13.1. Types of pointers differ from those of
/// the declaration, as they do for every client.
template <typename... Arguments>
__attribute__((no_sanitize("function"))) CUresult call(const char *name, Arguments... arguments) {
  void *function = nullptr;
  EXPECT_EQ(cuGetProcAddress_v2(name, &function, 13010, 0, nullptr), CUDA_SUCCESS) << name;
  return function ? reinterpret_cast<CUresult (*)(Arguments...)>(function)(arguments...)
                  : CUDA_ERROR_NOT_FOUND;
}

inline std::string errorText(CUresult code) {
  const char *text = nullptr;
  call("cuGetErrorString", code, &text);
  return text ? text : "";
}

inline CUcontext primary() {
  CUcontext context = nullptr;
  EXPECT_EQ(call("cuInit", 0u), CUDA_SUCCESS);
  EXPECT_EQ(call("cuDevicePrimaryCtxRetain", &context, 0), CUDA_SUCCESS);
  EXPECT_EQ(call("cuCtxSetCurrent", context), CUDA_SUCCESS);
  return context;
}

using Bytes = std::vector<uint8_t>;

inline std::string readFile(const std::string &path) {
  auto file = llvm::MemoryBuffer::getFile(path, false, false);
  EXPECT_TRUE(bool(file)) << path;
  return file ? (*file)->getBuffer().str() : "";
}

/// A case of the corpus on memory of the driver.
struct Program {
  Program() {
    primary();
    std::string folder =
        std::string(getenv("TILESMITH_SOURCE_DIR")) + "/corpus/frontends/ew_intarith_i32/";
    llvm::json::Value parsed = llvm::cantFail(llvm::json::parse(readFile(folder + "case.json")));
    const llvm::json::Object &json = *parsed.getAsObject();
    name = json.getString("kernel")->str();
    for (int i = 0; i < 3; ++i)
      grid[i] = static_cast<unsigned>(*(*json.getArray("grid"))[i].getAsInteger());
    image = EmulatedModule{readFile(folder + json.getObject("modules")->getString("13.3")->str()),
                           "-O3\n--gpu-name=sm_90"}
                .print();
    for (const llvm::json::Value &value : *json.getArray("buffers")) {
      const llvm::json::Object &buffer = *value.getAsObject();
      std::string data = readFile(folder + buffer.getString("data")->str()),
                  expect = readFile(
                      folder +
                      buffer.getString("expect").value_or(*buffer.getString("data")).str());
      initial.emplace_back(data.begin(), data.end());
      expected.emplace_back(expect.begin(), expect.end());
      EXPECT_EQ(call("cuMemAlloc", &pointers.emplace_back(), data.size()), CUDA_SUCCESS);
      EXPECT_EQ(call("cuMemcpyHtoD", pointers.back(), data.data(), data.size()), CUDA_SUCCESS);
    }
    for (const llvm::json::Value &value : *json.getArray("params")) {
      const llvm::json::Object &parameter = *value.getAsObject();
      auto buffer = parameter.getInteger("ptr");
      isPointer.push_back(buffer.has_value());
      values.push_back(buffer ? pointers[*buffer] : uint64_t(*parameter.getInteger("value")));
    }
    for (uint64_t &value : values)
      arguments.push_back(&value);
  }
  ~Program() {
    for (CUdeviceptr pointer : pointers)
      call("cuMemFree", pointer);
    if (library) {
      EXPECT_EQ(call("cuLibraryUnload", library), CUDA_SUCCESS);
    }
  }
  CUresult load() {
    CUresult code = call("cuLibraryLoadData", &library, static_cast<const void *>(image.data()),
                         nullptr, nullptr, 0u, nullptr, nullptr, 0u);
    if (code == CUDA_SUCCESS)
      code = call("cuLibraryGetKernel", &kernel, library, name.c_str());
    return code;
  }
  CUresult launch(CUstream stream = nullptr, unsigned x = 0) {
    CUlaunchConfig config = {x ? x : grid[0], grid[1], grid[2], 1, 1, 1, 0, stream, nullptr, 0};
    return call("cuLaunchKernelEx", &config, reinterpret_cast<CUfunction>(kernel), arguments.data(),
                static_cast<void **>(nullptr));
  }
  void expectResults() {
    for (size_t i = 0; i < pointers.size(); ++i) {
      Bytes got(expected[i].size());
      EXPECT_EQ(call("cuMemcpyDtoH", got.data(), pointers[i], got.size()), CUDA_SUCCESS);
      EXPECT_EQ(got, expected[i]) << "buffer " << i;
    }
  }
  std::string name, image;
  unsigned grid[3];
  std::vector<Bytes> initial, expected;
  std::vector<bool> isPointer;
  CUlibrary library = nullptr;
  CUkernel kernel = nullptr;
  std::vector<CUdeviceptr> pointers;
  std::vector<uint64_t> values;
  std::vector<void *> arguments;
};

} // namespace tilesmith::driver::test

#endif // ORACLES_DEVICES_DRIVER_DRIVERTESTSUPPORT_H
