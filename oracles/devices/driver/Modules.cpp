//===- Modules.cpp - libraries, modules, kernels ----------------------------------------------===//
//
// What is loaded is what `tileiras --emit=emulated` wrote, which any engine runs, or a cubin or fat
// binary of somebody's compiler, which the machine-code device runs. An image comes without a size:
// that is read off its headers, and an image that ends before is refused. PTX would need a compiler
// of its own and is refused by name, as is all else.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/support/EmulatedModule.h"
#include "oracles/devices/driver/Connection.h"

#include <algorithm>
#include <fstream>
#include <sstream>

using namespace tilesmith;
using namespace tilesmith::driver;

// ---- loading ----

namespace {

constexpr unsigned char kFatBinary[4] = {0x50, 0xed, 0x55, 0xba},
                        kWrapper[4] = {0xb1, 0x43, 0x62, 0x46};
constexpr uint64_t kMaxImage = uint64_t(1) << 32;

/// The number at an offset of an image; zero where no memory is.
template <typename Number> Number numberAt(const char *image, uint64_t offset) {
  Number number = {};
  return Connection::read(&number, image + offset, sizeof(number)) ? number : Number();
}

/// The end of a 64-bit ELF file: of its tables and of every section that has bytes.
uint64_t elfSize(const char *image) {
  uint64_t end = numberAt<uint64_t>(image, 40) + numberAt<uint16_t>(image, 60) * 64;
  end = std::max(end, numberAt<uint64_t>(image, 32) + numberAt<uint16_t>(image, 56) * 56);
  const auto sections = numberAt<uint64_t>(image, 40);
  for (uint64_t i = 0; i < numberAt<uint16_t>(image, 60); ++i) {
    uint64_t row = sections + i * 64, size = numberAt<uint64_t>(image, row + 32);
    if (numberAt<uint32_t>(image, row + 4) != 8 && size <= kMaxImage) // 8: no bytes in the file
      end = std::max(end, numberAt<uint64_t>(image, row + 24) + size);
  }
  return end;
}

/// The image behind a pointer: its bytes, or CUDA_SUCCESS is not what comes back.
CUresult readImage(const Call &call, const char *image, std::string &bytes) {
  auto refuse = [&](CUresult code, const std::string &why) {
    tell(why);
    return remember(call.fail(code, why), why);
  };
  char head[24] = {};
  // A text may be shorter than any header.
  for (size_t i = 0; i < sizeof(head) && Connection::read(head + i, image + i, 1); ++i)
    ;
  if (!std::memcmp(head, kWrapper, 4)) { // what nvcc puts into programs: the address stands in it
    std::memcpy(&image, head + 8, sizeof(image));
    if (!image || !Connection::read(head, image, sizeof(head)))
      return refuse(CUDA_ERROR_INVALID_IMAGE, "expected a fat binary, found a wrapper of none");
  }
  uint64_t size = 0;
  if (!std::memcmp(head, EmulatedModule::kMagic, 8))
    size = EmulatedModule::sizeAtAddress(head);
  else if (!std::memcmp(head, "\177ELF", 4))
    size = elfSize(image);
  else if (!std::memcmp(head, kFatBinary, 4))
    size = numberAt<uint16_t>(image, 6) + numberAt<uint64_t>(image, 8);
  else
    for (const char *at = image; at - image < 4096; ++at) {
      char text[8] = {};
      if (!Connection::read(text, at, 8) || !*text)
        break;
      if (!std::memcmp(text, ".version", 8))
        return refuse(CUDA_ERROR_INVALID_PTX, "found PTX, which is not run; expected a module of "
                                              "`tileiras --emit=emulated` or a cubin");
    }
  if (!size)
    return refuse(CUDA_ERROR_INVALID_IMAGE, "found other data; expected a module of `tileiras "
                                            "--emit=emulated` or a cubin");
  if (size > kMaxImage)
    return refuse(CUDA_ERROR_INVALID_IMAGE, "expected a whole module, found a header that wants " +
                                                std::to_string(size) + " bytes");
  // In parts: a size that is wrong ends where memory does.
  while (bytes.size() < size) {
    const uint64_t done = bytes.size(), part = std::min<uint64_t>(size - done, 1 << 20);
    bytes.resize(done + part);
    if (!Connection::read(bytes.data() + done, image + done, part))
      return refuse(CUDA_ERROR_INVALID_IMAGE, "expected a whole module, found a part of one");
  }
  return CUDA_SUCCESS;
}

} // namespace

static CUresult loadLibrary(const Call &call, const void *image, Library *&result) {
  if (!image)
    return call.fail(CUDA_ERROR_INVALID_VALUE, "expected an image, found null");
  auto library = std::make_unique<Library>();
  CUresult code = readImage(call, static_cast<const char *>(image), library->image);
  if (code != CUDA_SUCCESS)
    return code;
  bool wrongGPU = false;
  if (std::string why = call->connection->load(*library, &wrongGPU); !why.empty()) {
    tell("cannot load a module: " + why);
    return remember(
        call.fail(wrongGPU ? CUDA_ERROR_NO_BINARY_FOR_GPU : CUDA_ERROR_INVALID_IMAGE, why), why);
  }
  for (auto &kernel : library->kernels)
    call->kernels.insert(kernel.get());
  result = library.release();
  call->libraries.insert(result);
  return CUDA_SUCCESS;
}

static CUresult readFile(const Call &call, const char *path, std::string &bytes) {
  std::ifstream file(path ? path : "", std::ios::binary);
  std::stringstream text;
  if (!file || !(text << file.rdbuf()))
    return call.fail(CUDA_ERROR_FILE_NOT_FOUND,
                     std::string("cannot read ") + (path ? path : "null"));
  bytes = text.str();
  // A file has an end, which the sizes in its headers must not pass: zeros stand behind it.
  uint64_t size = bytes.size();
  bytes.resize(size + 64);
  uint64_t wanted = EmulatedModule::hasMagic(bytes)   ? EmulatedModule::sizeAtAddress(bytes.data())
                    : !bytes.compare(0, 4, "\177ELF") ? elfSize(bytes.data())
                    : !std::memcmp(bytes.data(), kFatBinary, 4)
                        ? numberAt<uint16_t>(bytes.data(), 6) + numberAt<uint64_t>(bytes.data(), 8)
                        : 0;
  if (wanted > size)
    return call.fail(CUDA_ERROR_INVALID_IMAGE, "expected a whole module, found a part of one");
  return CUDA_SUCCESS;
}

static CUresult unloadLibrary(const Call &call, Library *library) {
  if (!call->libraries.count(library))
    return call.fail(CUDA_ERROR_INVALID_HANDLE, "expected a library that was loaded");
  call->connection->unload(*library);
  releaseVariables(state(), *library);
  for (auto &kernel : library->kernels)
    call->kernels.erase(kernel.get());
  call->libraries.erase(library);
  delete library;
  return CUDA_SUCCESS;
}

static CUresult findKernel(const Call &call, Library *library, const char *name, Kernel *&kernel) {
  if (!call->libraries.count(library))
    return call.fail(CUDA_ERROR_INVALID_HANDLE, "expected a library that was loaded");
  if (!name)
    return CUDA_ERROR_INVALID_VALUE;
  for (auto &candidate : library->kernels)
    if (candidate->entry.name == name) {
      kernel = candidate.get();
      return CUDA_SUCCESS;
    }
  return call.fail(CUDA_ERROR_NOT_FOUND, std::string("no kernel '") + name + "' in the module");
}

CU_API CUresult cuLibraryLoadData(CUlibrary *library, const void *image, int *, void **, unsigned,
                                  int *, void **, unsigned) {
  CALL(cuLibraryLoadData);
  Library *loaded = nullptr;
  if (!library)
    return CUDA_ERROR_INVALID_VALUE;
  CUresult code = loadLibrary(call, image, loaded);
  *library = reinterpret_cast<CUlibrary>(loaded);
  return code;
}

CU_API CUresult cuLibraryLoadFromFile(CUlibrary *library, const char *path, int *, void **,
                                      unsigned, int *, void **, unsigned) {
  CALL(cuLibraryLoadFromFile);
  std::string bytes;
  Library *loaded = nullptr;
  CUresult code = library ? readFile(call, path, bytes) : CUDA_ERROR_INVALID_VALUE;
  if (code == CUDA_SUCCESS)
    code = loadLibrary(call, bytes.data(), loaded);
  if (library)
    *library = reinterpret_cast<CUlibrary>(loaded);
  return code;
}

CU_API CUresult cuLibraryUnload(CUlibrary library) {
  CALL(cuLibraryUnload);
  return unloadLibrary(call, reinterpret_cast<Library *>(library));
}

CU_API CUresult cuLibraryGetKernel(CUkernel *result, CUlibrary library, const char *name) {
  CALL(cuLibraryGetKernel);
  Kernel *kernel = nullptr;
  if (!result)
    return CUDA_ERROR_INVALID_VALUE;
  CUresult code = findKernel(call, reinterpret_cast<Library *>(library), name, kernel);
  *result = reinterpret_cast<CUkernel>(kernel);
  return code;
}

CU_API CUresult cuLibraryGetKernelCount(unsigned *count, CUlibrary handle) {
  CALL(cuLibraryGetKernelCount);
  auto *library = reinterpret_cast<Library *>(handle);
  if (!count || !call->libraries.count(library))
    return count ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_INVALID_VALUE;
  *count = static_cast<unsigned>(library->kernels.size());
  return CUDA_SUCCESS;
}

CU_API CUresult cuLibraryEnumerateKernels(CUkernel *kernels, unsigned count, CUlibrary handle) {
  CALL(cuLibraryEnumerateKernels);
  auto *library = reinterpret_cast<Library *>(handle);
  if (!kernels || !call->libraries.count(library))
    return kernels ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_INVALID_VALUE;
  for (size_t i = 0; i < count && i < library->kernels.size(); ++i)
    kernels[i] = reinterpret_cast<CUkernel>(library->kernels[i].get());
  return CUDA_SUCCESS;
}

/// Where a variable lies: from the first time that somebody asks on, in own memory.
static CUresult findVariable(const Call &call, Library *library, const char *name,
                             CUdeviceptr *address, size_t *size) {
  if (!call->libraries.count(library))
    return call.fail(CUDA_ERROR_INVALID_HANDLE, "expected a library that was loaded");
  if (!name)
    return CUDA_ERROR_INVALID_VALUE;
  auto known = library->variables.find(name);
  if (known == library->variables.end() || !call->memory.count(known->second)) {
    std::string contents;
    switch (call->connection->variable(*library, name, contents)) {
    case VariableStatus::None:
      return call.fail(CUDA_ERROR_NOT_FOUND, contents);
    case VariableStatus::Refused:
      return remember(call.fail(CUDA_ERROR_NOT_SUPPORTED, contents), contents);
    case VariableStatus::Found:
      break;
    }
    uint64_t base = 0;
    CUresult code =
        allocate(call, std::max<uint64_t>(contents.size(), 1), Allocation::Kind::Variable, &base);
    if (code != CUDA_SUCCESS)
      return code;
    call->memory[base].name = name;
    std::memcpy(reinterpret_cast<void *>(base), contents.data(), contents.size());
    known = library->variables.insert_or_assign(name, base).first;
  }
  if (address)
    *address = known->second;
  if (size)
    *size = call->memory[known->second].size;
  return CUDA_SUCCESS;
}

CU_API CUresult cuLibraryGetGlobal(CUdeviceptr *address, size_t *size, CUlibrary library,
                                   const char *name) {
  CALL(cuLibraryGetGlobal);
  return findVariable(call, reinterpret_cast<Library *>(library), name, address, size);
}
CU_API CUresult cuModuleGetGlobal_v2(CUdeviceptr *address, size_t *size, CUmodule module,
                                     const char *name) {
  CALL(cuModuleGetGlobal);
  return findVariable(call, reinterpret_cast<Library *>(module), name, address, size);
}

CU_API CUresult cuLibraryGetModule(CUmodule *module, CUlibrary library) {
  CALL(cuLibraryGetModule);
  if (!module || !call->libraries.count(reinterpret_cast<Library *>(library)))
    return module ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_INVALID_VALUE;
  *module = reinterpret_cast<CUmodule>(library);
  return CUDA_SUCCESS;
}

CU_API CUresult cuModuleLoadData(CUmodule *module, const void *image) {
  CALL(cuModuleLoadData);
  if (!module)
    return CUDA_ERROR_INVALID_VALUE;
  *module = nullptr;
  if (!currentContext())
    return call.fail(CUDA_ERROR_INVALID_CONTEXT, "no context is current");
  Library *loaded = nullptr;
  CUresult code = loadLibrary(call, image, loaded);
  if (loaded)
    loaded->context = currentContext();
  *module = reinterpret_cast<CUmodule>(loaded);
  return code;
}
CU_API CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned, int *, void **) {
  return cuModuleLoadData(module, image);
}
CU_API CUresult cuModuleLoadFatBinary(CUmodule *module, const void *image) {
  return cuModuleLoadData(module, image);
}
CU_API CUresult cuModuleLoad(CUmodule *module, const char *path) {
  std::string bytes;
  {
    CALL(cuModuleLoad);
    if (CUresult code = readFile(call, path, bytes); code != CUDA_SUCCESS)
      return code;
  }
  return cuModuleLoadData(module, bytes.data());
}
CU_API CUresult cuModuleUnload(CUmodule module) {
  CALL(cuModuleUnload);
  return unloadLibrary(call, reinterpret_cast<Library *>(module));
}
CU_API CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name) {
  return cuLibraryGetKernel(reinterpret_cast<CUkernel *>(function),
                            reinterpret_cast<CUlibrary>(module), name);
}
CU_API CUresult cuModuleGetFunctionCount(unsigned *count, CUmodule module) {
  return cuLibraryGetKernelCount(count, reinterpret_cast<CUlibrary>(module));
}
CU_API CUresult cuModuleEnumerateFunctions(CUfunction *functions, unsigned count, CUmodule module) {
  return cuLibraryEnumerateKernels(reinterpret_cast<CUkernel *>(functions), count,
                                   reinterpret_cast<CUlibrary>(module));
}
CU_API CUresult cuModuleGetLoadingMode(int *mode) {
  if (!mode)
    return CUDA_ERROR_INVALID_VALUE;
  *mode = 1;
  return CUDA_SUCCESS;
}

// ---- kernels: a function is its kernel ----

Kernel *tilesmith::driver::asKernel(const Call &call, const void *handle) {
  auto *kernel = static_cast<Kernel *>(const_cast<void *>(handle));
  return call->kernels.count(kernel) ? kernel : nullptr;
}
CUresult tilesmith::driver::noKernel(const Call &call) {
  return call.fail(CUDA_ERROR_INVALID_HANDLE, "expected a kernel of a loaded module");
}

CU_API CUresult cuKernelGetFunction(CUfunction *function, CUkernel kernel) {
  CALL(cuKernelGetFunction);
  if (!function || !asKernel(call, kernel))
    return function ? noKernel(call) : CUDA_ERROR_INVALID_VALUE;
  *function = reinterpret_cast<CUfunction>(kernel);
  return CUDA_SUCCESS;
}
CU_API CUresult cuKernelGetLibrary(CUlibrary *library, CUkernel handle) {
  CALL(cuKernelGetLibrary);
  Kernel *kernel = asKernel(call, handle);
  if (!library || !kernel)
    return library ? noKernel(call) : CUDA_ERROR_INVALID_VALUE;
  *library = reinterpret_cast<CUlibrary>(kernel->library);
  return CUDA_SUCCESS;
}
CU_API CUresult cuFuncGetModule(CUmodule *module, CUfunction function) {
  return cuKernelGetLibrary(reinterpret_cast<CUlibrary *>(module),
                            reinterpret_cast<CUkernel>(function));
}

CU_API CUresult cuKernelGetName(const char **name, CUkernel handle) {
  CALL(cuKernelGetName);
  Kernel *kernel = asKernel(call, handle);
  if (!name || !kernel)
    return name ? noKernel(call) : CUDA_ERROR_INVALID_VALUE;
  *name = kernel->entry.name.c_str();
  return CUDA_SUCCESS;
}
CU_API CUresult cuFuncGetName(const char **name, CUfunction function) {
  return cuKernelGetName(name, reinterpret_cast<CUkernel>(function));
}

/// A module is loaded whole.
CU_API CUresult cuFuncLoad(CUfunction function) {
  CALL(cuFuncLoad);
  return asKernel(call, function) ? CUDA_SUCCESS : noKernel(call);
}
CU_API CUresult cuFuncIsLoaded(int *loaded, CUfunction function) {
  CALL(cuFuncIsLoaded);
  if (!loaded || !asKernel(call, function))
    return loaded ? noKernel(call) : CUDA_ERROR_INVALID_VALUE;
  *loaded = 1;
  return CUDA_SUCCESS;
}

CU_API CUresult cuKernelGetAttribute(int *value, int attribute, CUkernel handle, CUdevice) {
  CALL(cuKernelGetAttribute);
  Kernel *kernel = asKernel(call, handle);
  if (!value || !kernel)
    return value ? noKernel(call) : CUDA_ERROR_INVALID_VALUE;
  auto set = kernel->attributes.find(attribute);
  if (set != kernel->attributes.end()) {
    *value = set->second;
    return CUDA_SUCCESS;
  }
  switch (attribute) {
  case 0: // most threads of a block
    *value = 1024;
    break;
  case 4: // registers
    *value = 64;
    break;
  case 5: // PTX version, binary version
  case 6:
    *value = call->major * 10 + call->minor;
    break;
  default:
    *value = 0;
  }
  return CUDA_SUCCESS;
}
CU_API CUresult cuFuncGetAttribute(int *value, int attribute, CUfunction function) {
  return cuKernelGetAttribute(value, attribute, reinterpret_cast<CUkernel>(function), 0);
}

CU_API CUresult cuKernelSetAttribute(int attribute, int value, CUkernel handle, CUdevice) {
  CALL(cuKernelSetAttribute);
  Kernel *kernel = asKernel(call, handle);
  if (!kernel)
    return noKernel(call);
  kernel->attributes[attribute] = value;
  return CUDA_SUCCESS;
}
CU_API CUresult cuFuncSetAttribute(CUfunction function, int attribute, int value) {
  return cuKernelSetAttribute(attribute, value, reinterpret_cast<CUkernel>(function), 0);
}
CU_API CUresult cuFuncSetCacheConfig(CUfunction function, int) {
  CALL(cuFuncSetCacheConfig);
  return asKernel(call, function) ? CUDA_SUCCESS : noKernel(call);
}

CUresult tilesmith::driver::parameterInfo(const Call &call, const void *handle, size_t index,
                                          size_t *offset, size_t *size) {
  Kernel *kernel = asKernel(call, handle);
  if (!kernel)
    return noKernel(call);
  if (!offset || index >= kernel->entry.parameters.size())
    return CUDA_ERROR_INVALID_VALUE;
  const Parameter &parameter = kernel->entry.parameters[index];
  *offset = parameter.offset;
  if (size)
    *size = parameter.size;
  return CUDA_SUCCESS;
}
CU_API CUresult cuKernelGetParamInfo(CUkernel kernel, size_t index, size_t *offset, size_t *size) {
  CALL(cuKernelGetParamInfo);
  return parameterInfo(call, kernel, index, offset, size);
}
CU_API CUresult cuFuncGetParamInfo(CUfunction function, size_t index, size_t *offset,
                                   size_t *size) {
  CALL(cuFuncGetParamInfo);
  return parameterInfo(call, function, index, offset, size);
}

CU_API CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function, int,
                                                            size_t) {
  CALL(cuOccupancyMaxActiveBlocksPerMultiprocessor);
  if (!blocks || !asKernel(call, function))
    return blocks ? noKernel(call) : CUDA_ERROR_INVALID_VALUE;
  *blocks = 1;
  return CUDA_SUCCESS;
}
CU_API CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks,
                                                                     CUfunction function,
                                                                     int threads, size_t shared,
                                                                     unsigned) {
  return cuOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, threads, shared);
}
