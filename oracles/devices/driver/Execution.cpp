//===- Execution.cpp - libraries, modules, kernels, launches ----------------------------------===//
//
// What is loaded is what `tileiras --emit=emulated` wrote, which any engine runs, or a cubin or fat
// binary of somebody's compiler, which the machine-code device runs. An image comes without a size:
// that is read off its headers, and an image that ends before is refused. PTX would need a compiler
// of its own and is refused by name, as is all else. One file, though long: launches use what
// loading keeps, and nothing else does.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/support/EmulatedModule.h"
#include "oracles/devices/driver/Connection.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

using namespace tilesmith;
using namespace tilesmith::driver;

// ---- loading ----

namespace {

/// For cuGetErrorString of this thread.
CUresult remember(CUresult code, const std::string &why) {
  CUresult remembered = code;
  lastFinding(&remembered) = why;
  return code;
}

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

static Kernel *asKernel(const Call &call, const void *handle) {
  auto *kernel = static_cast<Kernel *>(const_cast<void *>(handle));
  return call->kernels.count(kernel) ? kernel : nullptr;
}
static CUresult noKernel(const Call &call) {
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

static CUresult parameterInfo(const Call &call, const void *handle, size_t index, size_t *offset,
                              size_t *size) {
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

// ---- launches ----

/// Host memory that this thread named for its next launch.
static std::vector<Range> &named() {
  thread_local std::vector<Range> ranges;
  return ranges;
}

/// Of it, what nobody has written before that launch.
static std::vector<Span> &namedUnwritten() {
  thread_local std::vector<Span> spans;
  return spans;
}

/// Beyond CUDA: the next launch of this thread may touch this host memory. A name is for messages.
CU_API CUresult tilesmithNameMemory(void *base, size_t size, const char *name) {
  auto address = reinterpret_cast<uint64_t>(base);
  std::erase_if(namedUnwritten(), [&](const Span &span) { return span.address - address < size; });
  if (base && size)
    named().push_back(
        {reinterpret_cast<uint64_t>(base), size, name && *name ? name : "host memory"});
  return CUDA_SUCCESS;
}
/// Of what was named: nobody has written it, so reading it before it is written is a finding. Naming it
/// again takes that back.
CU_API CUresult tilesmithNameUnwritten(void *base, size_t size) {
  if (base && size)
    namedUnwritten().push_back({reinterpret_cast<uint64_t>(base), size});
  return CUDA_SUCCESS;
}
/// Forgets it again.
CU_API CUresult tilesmithForgetMemory() {
  named().clear();
  namedUnwritten().clear();
  return CUDA_SUCCESS;
}
/// What the last launch of this thread found, as JSON: a list of objects with the keys engine, kind,
/// message, kernel, block, thread, file, line, column, undecided; `[]` when it found nothing.
static std::string &lastReport() {
  thread_local std::string text = "[]";
  return text;
}
CU_API const char *tilesmithLastReport() {
  return lastReport().c_str();
}
/// The folder that the last launch of this thread was captured in, or "".
static std::string &lastCapture() {
  thread_local std::string text;
  return text;
}
CU_API const char *tilesmithLastCapture() {
  return lastCapture().c_str();
}
static std::atomic<uint64_t> launches{0};
/// How many launches this process has run.
CU_API uint64_t tilesmithLaunchCount() {
  return launches;
}

std::string &tilesmith::driver::lastFinding(CUresult *code) {
  thread_local std::string text;
  thread_local CUresult last = CUDA_SUCCESS;
  if (code && *code == CUDA_SUCCESS)
    *code = last;
  else if (code)
    last = *code;
  return text;
}

CUresult tilesmith::driver::readLaunch(const Call &call, CUfunction function, const Shape &shape,
                                       void **params, void **extra, KernelWork &work) {
  work.ranges = std::move(named());
  work.unwritten = std::move(namedUnwritten());
  named().clear();
  namedUnwritten().clear();
  work.kernel = asKernel(call, function);
  if (!work.kernel)
    return noKernel(call);
  if (Context *owner = work.kernel->library->context; owner && owner != currentContext())
    return call.fail(CUDA_ERROR_INVALID_HANDLE, "expected a kernel whose module was loaded in the "
                                                "current context, found one of another");
  for (int i = 0; i < 3; ++i) {
    work.grid[i] = shape.grid[i], work.block[i] = shape.block[i];
    if (!shape.grid[i] || shape.grid[i] >= 1u << 24)
      return call.fail(CUDA_ERROR_INVALID_VALUE,
                       "expected grid extents from 1 to 16777215, found " +
                           std::to_string(shape.grid[i]));
    if (!shape.block[i] || shape.block[i] > 1024)
      return call.fail(CUDA_ERROR_INVALID_VALUE, "expected block extents from 1 to 1024, found " +
                                                     std::to_string(shape.block[i]));
  }
  work.sharedBytes = shape.sharedBytes;
  const std::vector<Parameter> &parameters = work.kernel->entry.parameters;
  if (parameters.empty())
    return CUDA_SUCCESS;
  if (params && extra)
    return call.fail(CUDA_ERROR_INVALID_VALUE, "expected parameters in one form, found two");
  if (params) {
    for (size_t i = 0; i < parameters.size(); ++i) {
      if (!params[i])
        return call.fail(CUDA_ERROR_INVALID_VALUE, "parameter " + std::to_string(i) + " is null");
      work.arguments.emplace_back(static_cast<const char *>(params[i]), parameters[i].size);
    }
    return CUDA_SUCCESS;
  }
  const char *buffer = nullptr;
  size_t size = 0, end = 0, last = 0;
  for (void **word = extra; word && *word; word += 2)
    if (reinterpret_cast<uintptr_t>(*word) == 1)
      buffer = static_cast<const char *>(word[1]);
    else if (reinterpret_cast<uintptr_t>(*word) == 2)
      size = *static_cast<size_t *>(word[1]);
    else
      break;
  parameterInfo(call, function, parameters.size() - 1, &end, &last);
  if (!buffer || size < end + last)
    return call.fail(CUDA_ERROR_INVALID_VALUE, "expected " + std::to_string(end + last) +
                                                   " bytes of parameters, found " +
                                                   std::to_string(size));
  for (size_t i = 0; i < parameters.size(); ++i) {
    size_t offset = 0;
    parameterInfo(call, function, i, &offset, nullptr);
    work.arguments.emplace_back(buffer + offset, parameters[i].size);
  }
  return CUDA_SUCCESS;
}

/// The code that a GPU would give for what was found.
static CUresult codeOf(const LaunchAnswer &answer) {
  if (answer.findings.empty())
    return CUDA_ERROR_LAUNCH_FAILED;
  const std::string &kind = answer.findings.front().kind;
  if (kind == "assertion" || kind == "trapped")
    return CUDA_ERROR_ASSERT;
  if (kind == "out-of-bounds" || kind == "null-access" || kind == "null-pointer" ||
      kind == "write-to-constant")
    return CUDA_ERROR_ILLEGAL_ADDRESS;
  if (kind == "misaligned")
    return CUDA_ERROR_MISALIGNED_ADDRESS;
  if (kind == "time-limit" || kind == "deadlock")
    return CUDA_ERROR_LAUNCH_TIMEOUT;
  if (kind == "unsupported" || kind == "unavailable")
    return CUDA_ERROR_NOT_SUPPORTED;
  if (kind == "memory-limit")
    return CUDA_ERROR_OUT_OF_MEMORY;
  return CUDA_ERROR_LAUNCH_FAILED;
}

CUresult tilesmith::driver::runKernel(const KernelWork &work) {
  if (!state().kernels.count(work.kernel)) { // unloaded since a graph got it
    log("a graph launches a kernel whose module was unloaded");
    return CUDA_ERROR_INVALID_HANDLE;
  }
  LaunchRequest request;
  request.entry = work.kernel->entry.name;
  std::copy(work.grid, work.grid + 3, request.grid);
  std::copy(work.block, work.block + 3, request.block);
  request.sharedBytes = work.sharedBytes;
  request.arguments = work.arguments;
  request.unwritten = work.unwritten;
  ++launches;
  LaunchAnswer answer = state().connection->launch(*work.kernel->library, request, work.ranges);
  for (size_t at = 0; at < answer.printed.size();) {
    ssize_t written = ::write(1, answer.printed.data() + at, answer.printed.size() - at);
    if (written <= 0)
      break;
    at += static_cast<size_t>(written);
  }
  // As a GPU has it, the text of an assertion also goes to standard output.
  for (const Finding &finding : answer.findings)
    if (finding.kind == "assertion") {
      std::string line = finding.message + "\n";
      if (::write(1, line.data(), line.size()) < 0)
        break;
    }
  if (!answer.captured.empty())
    log("captured " + answer.captured);
  CUresult code = CUDA_SUCCESS;
  std::string text = answer.error;
  if (!text.empty())
    text = "kernel '" + request.entry + "': " + text;
  for (const Finding &finding : answer.findings)
    text += (text.empty() ? "" : "\n") + finding.message;
  if (answer.status == Status::Refused)
    code = CUDA_ERROR_INVALID_VALUE;
  else if (answer.status != Status::Done)
    code = codeOf(answer);
  remember(code, text);
  lastReport() = answer.report.empty() ? "[]" : answer.report;
  lastCapture() = answer.captured;
  if (code != CUDA_SUCCESS) {
    tell(text);
    std::string action = setting("on-finding").value_or("error");
    if (action == "exit") {
      std::fflush(nullptr);
      std::_Exit(1);
    }
    if (action == "continue" && answer.status != Status::Refused)
      return CUDA_SUCCESS;
  }
  return code;
}

static CUresult launch(const char *name, CUfunction function, const Shape &shape, CUstream stream,
                       void **params, void **extra) {
  Call call(name);
  if (call.ready() != CUDA_SUCCESS)
    return call.ready();
  KernelWork work;
  if (CUresult code = readLaunch(call, function, shape, params, extra, work); code != CUDA_SUCCESS)
    return code;
  // What a graph runs again has been written by then.
  if (Stream *known = findStream(stream); known && known->capture)
    work.unwritten.clear();
  return submit(call, stream, 0, [work = std::move(work)] { return runKernel(work); });
}

CU_API CUresult cuLaunchKernel(CUfunction function, unsigned x, unsigned y, unsigned z,
                               unsigned threadsX, unsigned threadsY, unsigned threadsZ,
                               unsigned shared, CUstream stream, void **params, void **extra) {
  return launch("cuLaunchKernel", function, {{x, y, z}, {threadsX, threadsY, threadsZ}, shared},
                stream, params, extra);
}

CU_API CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned x, unsigned y, unsigned z,
                                          unsigned threadsX, unsigned threadsY, unsigned threadsZ,
                                          unsigned shared, CUstream stream, void **params) {
  return launch("cuLaunchCooperativeKernel", function,
                {{x, y, z}, {threadsX, threadsY, threadsZ}, shared}, stream, params, nullptr);
}

/// Of the attributes only a cluster could change what a kernel computes, and Tile IR says itself
/// which it wants.
CU_API CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction function, void **params,
                                 void **extra) {
  if (!config)
    return CUDA_ERROR_INVALID_VALUE;
  return launch("cuLaunchKernelEx", function,
                {{config->gridDimX, config->gridDimY, config->gridDimZ},
                 {config->blockDimX, config->blockDimY, config->blockDimZ},
                 config->sharedMemBytes},
                config->hStream, params, extra);
}
