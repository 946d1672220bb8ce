//===- DriverTest.cpp - the CUDA driver on the CPU, as a program sees it ----------------------===//
#include "oracles/devices/driver/DriverTestSupport.h"

#include <csignal>
#include <dlfcn.h>
#include <fstream>
#include <set>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace tilesmith;
using namespace tilesmith::driver::test;
using ::testing::HasSubstr;

namespace {

TEST(DriverTest, ALaunchComputesAndAFrontendResolvesEverything) {
  Program program;
  ASSERT_EQ(program.load(), CUDA_SUCCESS);
  ASSERT_EQ(program.launch(), CUDA_SUCCESS);
  program.expectResults();
  int version = 0, major = 0;
  EXPECT_EQ(call("cuDriverGetVersion", &version), CUDA_SUCCESS);
  EXPECT_GE(version, 13000);
  EXPECT_EQ(call("cuDeviceGetAttribute", &major, 75, 0), CUDA_SUCCESS);
  EXPECT_EQ(major, 9);
  // Tuners and benchmarks overwrite the whole L2 cache before each launch.
  int cacheBytes = 0;
  EXPECT_EQ(call("cuDeviceGetAttribute", &cacheBytes, 38, 0), CUDA_SUCCESS);
  EXPECT_GT(cacheBytes, 0);
  EXPECT_LE(cacheBytes, 4 << 20);
  // What is there for nobody to call, and what CUDA does not know either.
  EXPECT_EQ(call("cuIpcGetMemHandle"), CUDA_ERROR_NOT_SUPPORTED);
  const void *table = &version;
  CUuuid uuid = {};
  EXPECT_EQ(call("cuGetExportTable", &table, &uuid), CUDA_ERROR_NOT_SUPPORTED);
  EXPECT_EQ(table, nullptr);
  void *function = &version;
  int status = 0;
  EXPECT_EQ(cuGetProcAddress_v2("cuFrobnicate", &function, 13010, 0, &status),
            CUDA_ERROR_NOT_FOUND);
  EXPECT_EQ(function, nullptr);
  EXPECT_EQ(status, 1);
}

/// What each frontend resolves: cuTile Python and CUDA.jl (below cuTile.jl) through cuGetProcAddress,
/// cutile-rs by symbol. Not here: handles between processes and tensor maps, which all may resolve
/// and which say what they are when they are called.
constexpr const char *kByName =
    "cuCtxGetCurrent cuCtxGetDevice cuCtxGetId cuCtxPopCurrent cuCtxPopCurrent_v2 "
    "cuCtxPushCurrent cuCtxPushCurrent_v2 cuCtxSetCurrent cuCtxSynchronize cuDeviceGet "
    "cuDeviceGetAttribute cuDeviceGetCount cuDeviceGetDefaultMemPool cuDeviceGetMemPool "
    "cuDeviceGetName cuDeviceGetUuid_v2 cuDevicePrimaryCtxGetState "
    "cuDevicePrimaryCtxRelease_v2 cuDevicePrimaryCtxRetain cuDeviceTotalMem_v2 "
    "cuDriverGetVersion cuEventCreate cuEventDestroy cuEventDestroy_v2 cuEventElapsedTime "
    "cuEventQuery cuEventRecord cuEventSynchronize cuFuncGetAttribute cuFuncSetAttribute "
    "cuGetErrorName cuGetErrorString cuGetProcAddress_v2 cuGraphAddEventRecordNode "
    "cuGraphAddKernelNode cuGraphAddMemAllocNode cuGraphAddMemFreeNode cuGraphAddMemsetNode "
    "cuGraphCreate cuGraphDestroy cuGraphExecDestroy cuGraphInstantiateWithFlags "
    "cuGraphLaunch cuInit cuKernelGetAttribute cuKernelGetFunction cuKernelSetAttribute "
    "cuLaunchHostFunc cuLaunchKernel cuLaunchKernelEx cuLibraryGetKernel cuLibraryLoadData "
    "cuLibraryUnload cuMemAlloc cuMemAllocAsync cuMemAllocFromPoolAsync cuMemAllocHost "
    "cuMemAllocHost_v2 cuMemAllocManaged cuMemAlloc_v2 cuMemFree cuMemFreeAsync cuMemFreeHost "
    "cuMemFree_v2 cuMemGetAddressRange cuMemGetInfo_v2 cuMemHostAlloc cuMemHostRegister_v2 "
    "cuMemHostUnregister cuMemPoolCreate cuMemPoolGetAttribute cuMemPoolSetAttribute "
    "cuMemPoolTrimTo cuMemcpyDtoDAsync_v2 cuMemcpyDtoHAsync_v2 cuMemcpyDtoH_v2 "
    "cuMemcpyHtoDAsync cuMemcpyHtoDAsync_v2 cuMemcpyHtoD_v2 cuMemsetD16Async cuMemsetD32Async "
    "cuMemsetD8Async cuModuleGetFunction cuModuleLoadDataEx cuModuleUnload "
    "cuPointerGetAttribute cuStreamBeginCapture_v2 cuStreamCreate cuStreamCreateWithPriority "
    "cuStreamDestroy cuStreamDestroy_v2 cuStreamEndCapture cuStreamGetCtx cuStreamGetId "
    "cuStreamIsCapturing cuStreamQuery cuStreamSynchronize cuStreamWaitEvent ";
constexpr const char *kBySymbol =
    "cuCtxGetApiVersion cuCtxGetCurrent cuCtxSetCurrent cuCtxSetFlags cuCtxSynchronize cuDeviceGet "
    "cuDeviceGetAttribute cuDeviceGetCount cuDeviceGetDefaultMemPool cuDeviceGetName "
    "cuDeviceGetUuid_v2 cuDevicePrimaryCtxRelease_v2 cuDevicePrimaryCtxRetain "
    "cuDeviceTotalMem_v2 cuDriverGetVersion cuEventCreate cuEventDestroy_v2 "
    "cuEventElapsedTime_v2 cuEventQuery cuEventRecord cuEventSynchronize cuFuncSetAttribute "
    "cuFuncSetCacheConfig cuGetErrorName cuGetErrorString cuGraphDestroy cuGraphExecDestroy "
    "cuGraphInstantiateWithFlags cuGraphLaunch cuGraphUpload cuInit cuLaunchHostFunc "
    "cuLaunchHostFunc_v2 cuLaunchKernel cuMemAdvise_v2 cuMemAllocAsync "
    "cuMemAllocFromPoolAsync cuMemAllocManaged cuMemAlloc_v2 cuMemFreeAsync cuMemFreeHost "
    "cuMemFree_v2 cuMemGetInfo_v2 cuMemHostAlloc cuMemHostGetDevicePointer_v2 cuMemPoolCreate "
    "cuMemPoolDestroy cuMemPoolGetAttribute cuMemPoolSetAttribute cuMemPrefetchAsync_v2 "
    "cuMemcpyDtoDAsync_v2 cuMemcpyDtoD_v2 cuMemcpyDtoHAsync_v2 cuMemcpyDtoH_v2 "
    "cuMemcpyHtoDAsync_v2 cuMemcpyHtoD_v2 cuMemsetD8Async cuMemsetD8_v2 cuModuleGetFunction "
    "cuModuleLoad cuModuleLoadData cuModuleUnload cuStreamAttachMemAsync "
    "cuStreamBeginCapture_v2 cuStreamCreate cuStreamDestroy_v2 cuStreamEndCapture "
    "cuStreamIsCapturing cuStreamQuery cuStreamSynchronize cuStreamWaitEvent "
    "cuStreamWriteValue32_v2 ";

TEST(DriverTest, WhatFrontendsResolveIsImplemented) {
  std::set<std::string> refused;
#define FUNCTION(NAME) refused.insert(#NAME);
#include "oracles/devices/driver/NotSupported.inc"
#undef FUNCTION
  auto check = [&](const std::string &name, bool bySymbol) {
    EXPECT_EQ(refused.count(name), 0u) << name;
    void *symbol = ::dlsym(RTLD_DEFAULT, name.c_str());
    if (bySymbol)
      EXPECT_NE(symbol, nullptr) << name;
    std::string plain = llvm::StringRef(name).substr(0, name.find("_v")).str();
    void *function = nullptr;
    EXPECT_EQ(cuGetProcAddress_v2(plain.c_str(), &function, 13020, 0, nullptr), CUDA_SUCCESS)
        << plain;
    EXPECT_NE(function, nullptr) << plain;
    for (const char *suffix : {"", "_v2", "_v3"})
      EXPECT_EQ(refused.count(plain + suffix), 0u) << plain;
  };
  size_t count = 0;
  for (auto [list, bySymbol] : {std::pair(kByName, false), std::pair(kBySymbol, true)})
    for (llvm::StringRef name : llvm::split(llvm::StringRef(list).rtrim(), ' '))
      check(name.str(), bySymbol), ++count;
  EXPECT_GT(count, 150u);
}

TEST(DriverTest, AFindingHasItsPlaceInTheErrorText) {
  Program program;
  ASSERT_EQ(program.load(), CUDA_SUCCESS);
  ASSERT_EQ(call("cuMemFree", program.pointers[0]), CUDA_SUCCESS);
  CUresult code = program.launch();
  EXPECT_EQ(code, CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_THAT(errorText(code), HasSubstr("kernel.py:"));
  EXPECT_THAT(errorText(code), HasSubstr("block ("));
  EXPECT_THAT(tilesmithLastReport(), HasSubstr("\"line\":"));
  EXPECT_EQ(errorText(CUDA_ERROR_INVALID_VALUE), "invalid argument");
  EXPECT_EQ(call("cuMemFree", program.pointers[0]), CUDA_ERROR_INVALID_VALUE);
  program.pointers.erase(program.pointers.begin());
}

TEST(DriverTest, WrongModulesAreRefusedByName) {
  primary();
  auto load = [](const std::string &image) {
    CUlibrary library = nullptr;
    return call("cuLibraryLoadData", &library, static_cast<const void *>(image.c_str()), nullptr,
                nullptr, 0u, nullptr, nullptr, 0u);
  };
  EXPECT_EQ(load("\177ELF\2\1\1, no cubin"), CUDA_ERROR_INVALID_IMAGE);
  EXPECT_EQ(load("// a comment\n.version 8.0\n.target sm_90"), CUDA_ERROR_INVALID_PTX);
  EXPECT_EQ(load("something else"), CUDA_ERROR_INVALID_IMAGE);
  Program program;
  std::string image = program.image;
  image.replace(image.size() - 200, 100, std::string(100, '\x7f')); // broken bytecode
  EXPECT_EQ(load(image), CUDA_ERROR_INVALID_IMAGE);
  std::string path = testing::TempDir() + "/part.em";
  std::ofstream(path, std::ios::binary) << program.image.substr(0, program.image.size() / 2);
  CUmodule module = nullptr;
  EXPECT_EQ(call("cuModuleLoad", &module, path.c_str()), CUDA_ERROR_INVALID_IMAGE);
  EXPECT_EQ(call("cuModuleLoad", &module, "/nonexistent"), CUDA_ERROR_FILE_NOT_FOUND);
  std::ofstream(path, std::ios::binary | std::ios::trunc) << program.image;
  EXPECT_EQ(call("cuModuleLoad", &module, path.c_str()), CUDA_SUCCESS);
  CUfunction function = nullptr;
  EXPECT_EQ(call("cuModuleGetFunction", &function, module, "nothing"), CUDA_ERROR_NOT_FOUND);
  EXPECT_EQ(call("cuModuleUnload", module), CUDA_SUCCESS);
  EXPECT_EQ(call("cuModuleUnload", module), CUDA_ERROR_INVALID_HANDLE);
  ::unlink(path.c_str());
}

TEST(DriverTest, AModuleOfSeveralKernelsListsThem) {
  primary();
  const std::string cubin = readFile(std::string(getenv("TILESMITH_SOURCE_DIR")) +
                                     "/corpus/sass/snippets.sm_90.O3.cubin");
  CUmodule module = nullptr;
  ASSERT_EQ(call("cuModuleLoadData", &module, static_cast<const void *>(cubin.data())),
            CUDA_SUCCESS);
  unsigned count = 0;
  EXPECT_EQ(call("cuModuleGetFunctionCount", &count, module), CUDA_SUCCESS);
  ASSERT_GT(count, 50u);
  std::vector<CUfunction> functions(count + 1), part(2);
  EXPECT_EQ(call("cuModuleEnumerateFunctions", functions.data(), count + 1, module), CUDA_SUCCESS);
  EXPECT_EQ(functions.back(), nullptr) << "no more than there are";
  functions.pop_back();
  std::set<std::string> names;
  for (CUfunction function : functions) {
    const char *name = nullptr;
    CUfunction same = nullptr;
    int loaded = 0;
    ASSERT_EQ(call("cuFuncGetName", &name, function), CUDA_SUCCESS);
    EXPECT_EQ(call("cuModuleGetFunction", &same, module, name), CUDA_SUCCESS);
    EXPECT_EQ(same, function) << name;
    EXPECT_EQ(call("cuFuncLoad", function), CUDA_SUCCESS);
    EXPECT_EQ(call("cuFuncIsLoaded", &loaded, function), CUDA_SUCCESS);
    EXPECT_EQ(loaded, 1);
    names.insert(name);
  }
  EXPECT_EQ(names.size(), count);
  EXPECT_EQ(names.count("add64"), 1u);
  EXPECT_EQ(call("cuLibraryEnumerateKernels", part.data(), 1u, reinterpret_cast<CUlibrary>(module)),
            CUDA_SUCCESS);
  EXPECT_EQ(part[0], functions[0]);
  EXPECT_EQ(part[1], nullptr) << "no more than were asked for";
  EXPECT_EQ(call("cuModuleUnload", module), CUDA_SUCCESS);
  EXPECT_EQ(call("cuModuleEnumerateFunctions", part.data(), 1u, module), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(call("cuFuncLoad", part[0]), CUDA_ERROR_INVALID_HANDLE);
}

/// A fat binary of uncompressed cubins, as nvcc writes it.
std::string fatBinary(const std::vector<std::pair<unsigned, std::string>> &cubins) {
  auto number = [](auto value) {
    return std::string(reinterpret_cast<char *>(&value), sizeof(value));
  };
  std::string entries;
  for (auto &[sm, cubin] : cubins)
    entries += number(uint16_t(2)) + number(uint16_t(0x101)) + number(uint32_t(64)) +
               number(uint64_t(cubin.size())) + number(uint64_t(0)) + number(uint32_t(0)) +
               number(sm) + std::string(8, 0) + number(uint64_t(0x11)) + std::string(16, 0) + cubin;
  return number(0xba55ed50) + number(uint16_t(1)) + number(uint16_t(16)) +
         number(uint64_t(entries.size())) + entries;
}

TEST(DriverTest, MachineCodeOfOthersRunsOnTheMachineCodeDevice) {
  primary();
  const std::string folder = std::string(getenv("TILESMITH_SOURCE_DIR")) + "/corpus/sass/";
  const std::string cubin = readFile(folder + "snippets.sm_90.O3.cubin"),
                    older = readFile(folder + "snippets.sm_80.O3.cubin");
  CUlibrary library = nullptr;
  auto load = [&](const std::string &image) {
    return call("cuLibraryLoadData", &library, static_cast<const void *>(image.data()), nullptr,
                nullptr, 0u, nullptr, nullptr, 0u);
  };
  EXPECT_EQ(load(older), CUDA_ERROR_NO_BINARY_FOR_GPU);
  EXPECT_EQ(load(fatBinary({{80, older}})), CUDA_ERROR_NO_BINARY_FOR_GPU);
  EXPECT_EQ(load(fatBinary({{90, cubin.substr(0, 100)}})), CUDA_ERROR_INVALID_IMAGE);
  // Its only reader knows where memory ends, so a part is a code and no signal.
  std::string fat = fatBinary({{80, older}, {90, cubin}}), path = testing::TempDir() + "/part.fat";
  std::ofstream(path, std::ios::binary) << fat.substr(0, fat.size() - 100);
  CUmodule module = nullptr;
  EXPECT_EQ(call("cuModuleLoad", &module, path.c_str()), CUDA_ERROR_INVALID_IMAGE);
  ::unlink(path.c_str());

  CUdeviceptr in = 0, out = 0;
  std::vector<uint64_t> inputs(3 * 64), results(64);
  for (size_t i = 0; i < inputs.size(); ++i)
    inputs[i] = i * 977 + 5;
  EXPECT_EQ(call("cuMemAlloc", &in, inputs.size() * 8), CUDA_SUCCESS);
  EXPECT_EQ(call("cuMemAlloc", &out, results.size() * 8), CUDA_SUCCESS);
  EXPECT_EQ(call("cuMemcpyHtoD", in, inputs.data(), inputs.size() * 8), CUDA_SUCCESS);
  void *arguments[] = {&in, &out};
  CUkernel kernel = nullptr;
  auto launch = [&](unsigned threads) {
    return call("cuLaunchKernel", reinterpret_cast<CUfunction>(kernel), 1u, 1u, 1u, threads, 1u, 1u,
                0u, static_cast<CUstream>(nullptr), arguments, static_cast<void **>(nullptr));
  };
  for (const std::string &image : {cubin, fat}) {
    ASSERT_EQ(load(image), CUDA_SUCCESS);
    ASSERT_EQ(call("cuLibraryGetKernel", &kernel, library, "add64"), CUDA_SUCCESS);
    size_t offset = 0, size = 0;
    EXPECT_EQ(call("cuKernelGetParamInfo", kernel, size_t(1), &offset, &size), CUDA_SUCCESS);
    EXPECT_EQ(offset, 8u);
    EXPECT_EQ(size, 8u);
    EXPECT_EQ(call("cuMemsetD8", out, uint8_t(0), results.size() * 8), CUDA_SUCCESS);
    ASSERT_EQ(launch(64), CUDA_SUCCESS);
    EXPECT_EQ(call("cuMemcpyDtoH", results.data(), out, results.size() * 8), CUDA_SUCCESS);
    for (size_t i = 0; i < results.size(); ++i)
      EXPECT_EQ(results[i], inputs[3 * i] + inputs[3 * i + 1]) << i;
    CUresult code = launch(128); // twice as many as there is memory for
    EXPECT_EQ(code, CUDA_ERROR_ILLEGAL_ADDRESS);
    EXPECT_THAT(errorText(code), HasSubstr("engine sass"));
    EXPECT_EQ(call("cuLibraryUnload", library), CUDA_SUCCESS);
  }
  EXPECT_EQ(call("cuMemFree", in), CUDA_SUCCESS);
  EXPECT_EQ(call("cuMemFree", out), CUDA_SUCCESS);
}

TEST(DriverTest, VariablesOfACubinHaveAnAddress) {
  primary();
  const std::string cubin = readFile(std::string(getenv("TILESMITH_SOURCE_DIR")) +
                                     "/corpus/sass/variables.sm_90.O3.cubin");
  CUmodule module = nullptr, other = nullptr;
  CUfunction function = nullptr;
  CUdeviceptr out = 0, counter = 0, again = 0, table = 0;
  for (CUmodule *loaded : {&module, &other})
    ASSERT_EQ(call("cuModuleLoadData", loaded, static_cast<const void *>(cubin.data())),
              CUDA_SUCCESS);
  ASSERT_EQ(call("cuModuleGetFunction", &function, module, "add"), CUDA_SUCCESS);
  ASSERT_EQ(call("cuMemAlloc", &out, size_t(16)), CUDA_SUCCESS);
  struct {
    uint32_t sum, entry;
    uint64_t address;
  } left = {};
  auto add = [&](uint32_t step, uint32_t index) {
    void *arguments[] = {&out, &step, &index};
    CUresult code = call("cuLaunchKernel", function, 1u, 1u, 1u, 1u, 1u, 1u, 0u,
                         static_cast<CUstream>(nullptr), arguments, static_cast<void **>(nullptr));
    EXPECT_EQ(code, CUDA_SUCCESS) << errorText(code);
    EXPECT_EQ(call("cuMemcpyDtoH", &left, out, sizeof(left)), CUDA_SUCCESS);
  };
  add(2, 0); // before anybody asked
  size_t size = 0;
  ASSERT_EQ(call("cuModuleGetGlobal", &counter, &size, module, "counter"), CUDA_SUCCESS);
  EXPECT_EQ(size, 16u);
  uint32_t values[4] = {};
  EXPECT_EQ(call("cuMemcpyDtoH", values, counter, size), CUDA_SUCCESS);
  EXPECT_EQ(values[0], 7u);
  EXPECT_EQ(values[1], 7u);
  values[0] = 100;
  EXPECT_EQ(call("cuMemcpyHtoD", counter, values, size_t(4)), CUDA_SUCCESS);
  add(3, 1);
  EXPECT_EQ(left.sum, 103u);
  EXPECT_EQ(left.entry, 20u);
  EXPECT_EQ(left.address, counter) << "code sees the same address";
  ASSERT_EQ(
      call("cuLibraryGetGlobal", &again, nullptr, reinterpret_cast<CUlibrary>(module), "counter"),
      CUDA_SUCCESS);
  EXPECT_EQ(again, counter);
  EXPECT_EQ(call("cuMemcpyDtoH", values, counter, size), CUDA_SUCCESS);
  EXPECT_EQ(values[0], 103u);
  // A constant; launches begin with what it holds.
  ASSERT_EQ(call("cuModuleGetGlobal", &table, &size, module, "table"), CUDA_SUCCESS);
  EXPECT_EQ(size, 12u);
  uint32_t entry = 77;
  EXPECT_EQ(call("cuMemcpyHtoD", table + 8, &entry, size_t(4)), CUDA_SUCCESS);
  add(1, 2);
  EXPECT_EQ(left.entry, 77u);
  // A module loaded twice has its variables twice.
  CUdeviceptr second = 0;
  ASSERT_EQ(call("cuModuleGetGlobal", &second, nullptr, other, "counter"), CUDA_SUCCESS);
  EXPECT_EQ(call("cuMemcpyDtoH", values, second, size_t(4)), CUDA_SUCCESS);
  EXPECT_EQ(values[0], 5u);
  // As an argument it is memory like any other; freed it is with its module only.
  CUdeviceptr kept = out;
  out = second;
  add(0, 0);
  out = kept;
  EXPECT_EQ(call("cuMemcpyDtoH", values, second, size_t(8)), CUDA_SUCCESS);
  EXPECT_EQ(values[0], 104u);
  EXPECT_EQ(call("cuMemFree", counter), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(call("cuModuleGetGlobal", &again, &size, module, "nothing"), CUDA_ERROR_NOT_FOUND);
  EXPECT_EQ(call("cuModuleUnload", other), CUDA_SUCCESS);
  EXPECT_NE(call("cuMemcpyDtoH", values, second, size_t(8)), CUDA_SUCCESS);
  EXPECT_EQ(call("cuModuleGetGlobal", &again, &size, other, "counter"), CUDA_ERROR_INVALID_HANDLE);
  add(1, 0);
  EXPECT_EQ(left.sum, 105u);
  EXPECT_EQ(call("cuModuleUnload", module), CUDA_SUCCESS);
  EXPECT_EQ(call("cuMemFree", out), CUDA_SUCCESS);
}

// Whatever engines run it, and where one engine puts it itself.
TEST(DriverTest, VariablesOfBytecodeHaveAnAddress) {
  primary();
  const std::string image = EmulatedModule{readFile(std::string(getenv("TILESMITH_SOURCE_DIR")) +
                                                    "/corpus/sass/variables.v13.4.tileirbc"),
                                           "-O3\n--gpu-name=sm_90"}
                                .print();
  for (const char *engines :
       {"reference", "emulator", "emulator,reference", "emulator@O0,emulator"}) {
    SCOPED_TRACE(engines);
    ASSERT_EQ(tilesmithConfigure("engine", engines), CUDA_SUCCESS);
    CUmodule module = nullptr;
    CUfunction function = nullptr;
    CUdeviceptr out = 0, counter = 0, other = 0;
    size_t size = 0;
    ASSERT_EQ(call("cuModuleLoadData", &module, static_cast<const void *>(image.data())),
              CUDA_SUCCESS);
    ASSERT_EQ(call("cuModuleGetFunction", &function, module, "add"), CUDA_SUCCESS);
    ASSERT_EQ(call("cuMemAlloc", &out, size_t(16)), CUDA_SUCCESS);
    struct {
      uint32_t sum, second;
      uint64_t address;
    } left = {};
    auto add = [&](uint32_t step) {
      void *arguments[] = {&out, &step};
      CUresult code =
          call("cuLaunchKernel", function, 1u, 1u, 1u, 1u, 1u, 1u, 0u,
               static_cast<CUstream>(nullptr), arguments, static_cast<void **>(nullptr));
      EXPECT_EQ(code, CUDA_SUCCESS) << errorText(code);
      EXPECT_EQ(call("cuMemcpyDtoH", &left, out, sizeof(left)), CUDA_SUCCESS);
    };
    const bool alone = !llvm::StringRef(engines).contains(',');
    if (alone) { // addresses of each engine's own are a difference
      add(2);
      EXPECT_EQ(left.sum, 7u);
    }
    ASSERT_EQ(call("cuModuleGetGlobal", &counter, &size, module, "counter"), CUDA_SUCCESS);
    EXPECT_EQ(size, 16u);
    uint32_t values[4] = {};
    EXPECT_EQ(call("cuMemcpyDtoH", values, counter, size), CUDA_SUCCESS);
    EXPECT_EQ(values[0], alone ? 7u : 5u);
    EXPECT_EQ(values[1], 7u);
    values[0] = 100;
    EXPECT_EQ(call("cuMemcpyHtoD", counter, values, size_t(4)), CUDA_SUCCESS);
    add(3);
    EXPECT_EQ(left.sum, 103u);
    EXPECT_EQ(left.second, 2u);
    EXPECT_EQ(left.address, counter) << "code sees the same address";
    EXPECT_EQ(call("cuMemcpyDtoH", values, counter, size), CUDA_SUCCESS);
    EXPECT_EQ(values[0], 103u);
    // One whose name compiled code changes.
    ASSERT_EQ(call("cuModuleGetGlobal", &other, &size, module, "kernel_param_0"), CUDA_SUCCESS);
    EXPECT_EQ(size, 8u);
    uint32_t second = 42;
    EXPECT_EQ(call("cuMemcpyHtoD", other + 4, &second, size_t(4)), CUDA_SUCCESS);
    add(1);
    EXPECT_EQ(left.sum, 104u);
    EXPECT_EQ(left.second, 42u);
    EXPECT_EQ(call("cuModuleGetGlobal", &other, &size, module, "own"), CUDA_ERROR_NOT_FOUND);
    const CUresult code = call("cuModuleGetGlobal", &other, &size, module, "table");
    EXPECT_EQ(code, CUDA_ERROR_NOT_SUPPORTED);
    EXPECT_THAT(errorText(code), HasSubstr("constant of bytecode"));
    EXPECT_EQ(call("cuModuleUnload", module), CUDA_SUCCESS);
    EXPECT_EQ(call("cuMemFree", out), CUDA_SUCCESS);
  }
  EXPECT_EQ(tilesmithConfigure("engine", "emulator"), CUDA_SUCCESS);
}

TEST(DriverTest, VariablesOfALibraryOutliveAContext) {
  primary();
  const std::string cubin = readFile(std::string(getenv("TILESMITH_SOURCE_DIR")) +
                                     "/corpus/sass/variables.sm_90.O3.cubin");
  CUlibrary library = nullptr;
  ASSERT_EQ(call("cuLibraryLoadData", &library, static_cast<const void *>(cubin.data()), nullptr,
                 nullptr, 0u, nullptr, nullptr, 0u),
            CUDA_SUCCESS);
  CUdeviceptr counter = 0, again = 0;
  uint32_t value = 42;
  ASSERT_EQ(call("cuLibraryGetGlobal", &counter, nullptr, library, "counter"), CUDA_SUCCESS);
  EXPECT_EQ(call("cuMemcpyHtoD", counter, &value, size_t(4)), CUDA_SUCCESS);
  EXPECT_EQ(call("cuDevicePrimaryCtxReset", 0), CUDA_SUCCESS);
  primary();
  ASSERT_EQ(call("cuLibraryGetGlobal", &again, nullptr, library, "counter"), CUDA_SUCCESS);
  EXPECT_EQ(again, counter);
  value = 0;
  EXPECT_EQ(call("cuMemcpyDtoH", &value, counter, size_t(4)), CUDA_SUCCESS);
  EXPECT_EQ(value, 42u);
  EXPECT_EQ(call("cuLibraryUnload", library), CUDA_SUCCESS);
  EXPECT_NE(call("cuMemcpyDtoH", &value, counter, size_t(4)), CUDA_SUCCESS);
}

/// The stored cubin is ours of the same case: `tileiras --gpu-name sm_90 --lineinfo`, ptxas 13.5.
TEST(DriverTest, AFindingInMachineCodeHasItsLine) {
  Program program;
  program.image =
      readFile(std::string(getenv("TILESMITH_SOURCE_DIR")) + "/corpus/sass/lines.sm_90.O3.cubin");
  ASSERT_EQ(program.load(), CUDA_SUCCESS);
  ASSERT_EQ(program.launch(), CUDA_SUCCESS); // it brings its number of threads
  program.expectResults();
  ASSERT_EQ(call("cuMemFree", program.pointers[0]), CUDA_SUCCESS);
  program.pointers.erase(program.pointers.begin());
  CUresult code = program.launch();
  EXPECT_EQ(code, CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_THAT(errorText(code), HasSubstr("kernel.py:6"));
}

TEST(DriverTest, WrongLaunchesAreRefused) {
  Program program;
  ASSERT_EQ(program.load(), CUDA_SUCCESS);
  EXPECT_EQ(program.launch(nullptr, 1u << 24), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(program.launch(reinterpret_cast<CUstream>(&program)), CUDA_ERROR_INVALID_HANDLE);
  auto *function = reinterpret_cast<CUfunction>(program.kernel);
  auto launch = [&](CUfunction what, void **params, void **extra) {
    return call("cuLaunchKernel", what, 1u, 1u, 1u, 1u, 1u, 1u, 0u, static_cast<CUstream>(nullptr),
                params, extra);
  };
  EXPECT_EQ(launch(reinterpret_cast<CUfunction>(&program), program.arguments.data(), nullptr),
            CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(launch(function, nullptr, nullptr), CUDA_ERROR_INVALID_VALUE);
  // One buffer with all parameters: three times (pointer, words), one more extent for the last.
  std::string packed;
  for (size_t i = 0; i < program.values.size(); ++i) {
    bool isPointer = program.isPointer[i];
    packed.resize(isPointer ? (packed.size() + 7) / 8 * 8 : packed.size());
    packed.append(reinterpret_cast<char *>(&program.values[i]), isPointer ? 8 : 4);
  }
  size_t size = packed.size() - 4;
  void *extra[] = {reinterpret_cast<void *>(1), packed.data(), reinterpret_cast<void *>(2), &size,
                   nullptr};
  EXPECT_EQ(launch(function, nullptr, extra), CUDA_ERROR_INVALID_VALUE);
  size = packed.size();
  EXPECT_EQ(launch(function, nullptr, extra), CUDA_SUCCESS);
  // A block that no GPU has, and a kernel whose module is gone.
  EXPECT_EQ(call("cuLaunchKernel", function, 1u, 1u, 1u, 0u, 1u, 1u, 0u,
                 static_cast<CUstream>(nullptr), program.arguments.data(),
                 static_cast<void **>(nullptr)),
            CUDA_ERROR_INVALID_VALUE);
  {
    Program gone;
    ASSERT_EQ(gone.load(), CUDA_SUCCESS);
    EXPECT_EQ(call("cuLibraryUnload", gone.library), CUDA_SUCCESS);
    gone.library = nullptr;
    EXPECT_EQ(gone.launch(), CUDA_ERROR_INVALID_HANDLE);
  }
  // Without a current context there is no default stream.
  EXPECT_EQ(call("cuCtxSetCurrent", static_cast<CUcontext>(nullptr)), CUDA_SUCCESS);
  EXPECT_EQ(program.launch(), CUDA_ERROR_INVALID_CONTEXT);
  primary();
}

TEST(DriverTest, HandlesDieWithTheirContext) {
  CUcontext first = primary(), second = nullptr;
  EXPECT_EQ(call("cuCtxCreate", &second, nullptr, 0u, 0), CUDA_SUCCESS);
  CUstream stream = nullptr;
  CUevent event = nullptr;
  CUdeviceptr memory = 0;
  CUcontext owner = nullptr;
  EXPECT_EQ(call("cuStreamCreate", &stream, 0u), CUDA_SUCCESS);
  EXPECT_EQ(call("cuEventCreate", &event, 0u), CUDA_SUCCESS);
  EXPECT_EQ(call("cuMemAlloc", &memory, size_t(64)), CUDA_SUCCESS);
  EXPECT_EQ(call("cuStreamGetCtx", stream, &owner), CUDA_SUCCESS);
  EXPECT_EQ(owner, second);
  EXPECT_EQ(call("cuPointerGetAttribute", static_cast<void *>(&owner), 1, memory + 8),
            CUDA_SUCCESS);
  EXPECT_EQ(owner, second);
  EXPECT_EQ(call("cuCtxDestroy", second), CUDA_SUCCESS);
  EXPECT_EQ(call("cuStreamSynchronize", stream), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(call("cuEventQuery", event), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(call("cuMemFree", memory), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(call("cuCtxPushCurrent", second), CUDA_ERROR_INVALID_CONTEXT);
  EXPECT_EQ(call("cuCtxGetCurrent", &owner), CUDA_SUCCESS);
  EXPECT_EQ(owner, first);
}

TEST(DriverTest, AModuleBelongsToItsContext) {
  Program program;
  CUcontext first = primary(), second = nullptr;
  CUmodule module = nullptr;
  CUfunction function = nullptr;
  EXPECT_EQ(call("cuCtxCreate", &second, nullptr, 0u, 0), CUDA_SUCCESS);
  EXPECT_EQ(call("cuModuleLoadData", &module, static_cast<const void *>(program.image.data())),
            CUDA_SUCCESS);
  EXPECT_EQ(call("cuModuleGetFunction", &function, module, program.name.c_str()), CUDA_SUCCESS);
  auto launch = [&] {
    return call("cuLaunchKernel", function, program.grid[0], program.grid[1], program.grid[2], 1u,
                1u, 1u, 0u, static_cast<CUstream>(nullptr), program.arguments.data(),
                static_cast<void **>(nullptr));
  };
  EXPECT_EQ(launch(), CUDA_SUCCESS);
  // The null stream is now one of another context.
  EXPECT_EQ(call("cuCtxSetCurrent", first), CUDA_SUCCESS);
  EXPECT_EQ(launch(), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(call("cuCtxDestroy", second), CUDA_SUCCESS);
  EXPECT_EQ(launch(), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(call("cuModuleUnload", module), CUDA_ERROR_INVALID_HANDLE);
}

TEST(DriverTest, ACapturedLaunchRunsWithItsGraph) {
  Program program;
  ASSERT_EQ(program.load(), CUDA_SUCCESS);
  CUstream stream = nullptr, other = nullptr;
  CUevent event = nullptr;
  CUgraph graph = nullptr;
  CUgraphExec exec = nullptr;
  EXPECT_EQ(call("cuStreamCreate", &stream, 1u), CUDA_SUCCESS);
  EXPECT_EQ(call("cuStreamCreate", &other, 1u), CUDA_SUCCESS);
  EXPECT_EQ(call("cuEventCreate", &event, 0u), CUDA_SUCCESS);
  EXPECT_EQ(call("cuStreamBeginCapture", stream, 0), CUDA_SUCCESS);
  EXPECT_EQ(call("cuEventRecord", event, stream), CUDA_SUCCESS);
  EXPECT_EQ(call("cuStreamWaitEvent", other, event, 0u), CUDA_SUCCESS);
  EXPECT_EQ(program.launch(other), CUDA_SUCCESS);
  EXPECT_EQ(call("cuStreamSynchronize", stream), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  EXPECT_EQ(call("cuStreamEndCapture", stream, &graph), CUDA_SUCCESS);
  Bytes got(program.initial[2].size());
  EXPECT_EQ(call("cuMemcpyDtoH", got.data(), program.pointers[2], got.size()), CUDA_SUCCESS);
  EXPECT_EQ(got, program.initial[2]); // nothing ran yet
  EXPECT_EQ(call("cuGraphInstantiateWithFlags", &exec, graph, 0ull), CUDA_SUCCESS);
  EXPECT_EQ(call("cuGraphDestroy", graph), CUDA_SUCCESS);
  EXPECT_EQ(call("cuGraphLaunch", exec, stream), CUDA_SUCCESS);
  program.expectResults();
  EXPECT_EQ(call("cuGraphExecDestroy", exec), CUDA_SUCCESS);
  EXPECT_EQ(call("cuGraphLaunch", exec, stream), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(call("cuStreamDestroy", stream), CUDA_SUCCESS);
  EXPECT_EQ(call("cuStreamDestroy", stream), CUDA_ERROR_INVALID_HANDLE);
}

TEST(DriverTest, EightThreadsLaunchAtOnce) {
  primary();
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([] {
      Program program;
      ASSERT_EQ(program.load(), CUDA_SUCCESS);
      for (int round = 0; round < 5; ++round)
        ASSERT_EQ(program.launch(), CUDA_SUCCESS);
      program.expectResults();
    });
  for (std::thread &thread : threads)
    thread.join();
}

/// Process numbers of the servers of this process.
std::set<pid_t> servers() {
  std::set<pid_t> found;
  std::ifstream children("/proc/self/task/" + std::to_string(::getpid()) + "/children");
  for (pid_t child; children >> child;)
    found.insert(child);
  return found;
}

TEST(DriverTest, AServerThatDiesIsAMessageAndReplaced) {
  Program program;
  ASSERT_EQ(program.load(), CUDA_SUCCESS);
  ASSERT_EQ(program.launch(), CUDA_SUCCESS);
  for (pid_t server : servers())
    ::kill(server, SIGSEGV);
  CUresult code = program.launch();
  EXPECT_EQ(code, CUDA_ERROR_LAUNCH_FAILED);
  EXPECT_THAT(errorText(code), HasSubstr("was ended by signal 11"));
  EXPECT_EQ(program.launch(), CUDA_SUCCESS);
  program.expectResults();
}

TEST(DriverTest, AForkedChildIsRefusedAndAnotherProgramIsNot) {
  Program program;
  ASSERT_EQ(program.load(), CUDA_SUCCESS);
  pid_t child = ::fork();
  if (child == 0)
    ::_exit(program.launch() == CUDA_ERROR_NOT_INITIALIZED ? 0 : 1);
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  // A second process, at the same time.
  child = ::fork();
  if (child == 0)
    ::execl("/proc/self/exe", "DriverTest", "--gtest_filter=*EightThreads*", nullptr);
  for (int round = 0; round < 20; ++round)
    EXPECT_EQ(program.launch(), CUDA_SUCCESS);
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST(DriverTest, AProgramLeavesNoTemporaryFolder) {
  std::string folder = ::testing::TempDir() + "/driver-leaves-nothing-XXXXXX";
  ASSERT_TRUE(::mkdtemp(folder.data()));
  pid_t child = ::fork();
  if (child == 0) {
    ::setenv("TMPDIR", folder.c_str(), 1);
    ::execl("/proc/self/exe", "DriverTest", "--gtest_filter=*ALaunchComputes*", nullptr);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  // The server may outlive its client by what it takes to see the end of the socket.
  bool removed = false;
  for (int round = 0; round < 1000 && !removed; ++round) {
    removed = ::rmdir(folder.c_str()) == 0;
    if (!removed)
      ::usleep(10000);
  }
  EXPECT_TRUE(removed) << "something is left in " << folder;
}

TEST(DriverTest, SettingsChangeWhatRuns) {
  Program program;
  ASSERT_EQ(program.load(), CUDA_SUCCESS);
  EXPECT_EQ(tilesmithConfigure("engine", "nosuch"), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(tilesmithConfigure("engine", "reference"), CUDA_SUCCESS);
  ASSERT_EQ(program.launch(), CUDA_SUCCESS);
  program.expectResults();
  program.values[0] += 2; // not aligned
  EXPECT_EQ(program.launch(), CUDA_ERROR_MISALIGNED_ADDRESS);
  EXPECT_THAT(tilesmithLastReport(), HasSubstr("\"engine\":\"reference\""));
  EXPECT_EQ(tilesmithConfigure("on-finding", "continue"), CUDA_SUCCESS);
  EXPECT_EQ(program.launch(), CUDA_SUCCESS);
  EXPECT_EQ(tilesmithConfigure("on-finding", nullptr), CUDA_SUCCESS);
  EXPECT_EQ(tilesmithConfigure("engine", nullptr), CUDA_SUCCESS);
}

} // namespace
