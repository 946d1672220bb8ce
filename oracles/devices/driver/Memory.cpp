//===- Memory.cpp - allocations, copies, pointers ---------------------------------------------===//
//
// Allocations live in the file of own memory, which the server maps as it is. Host memory that a
// program registers is copied around each launch.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/devices/driver/Connection.h"

using namespace tilesmith::driver;

static std::string hex(uint64_t address) {
  char text[24];
  std::snprintf(text, sizeof(text), "0x%llx", static_cast<unsigned long long>(address));
  return text;
}

/// Bytes of `height` rows, each `pitch` behind the last; of what is too large, more than there is.
static uint64_t rowsSize(uint64_t pitch, uint64_t width, uint64_t height) {
  uint64_t size = 0;
  if (!height)
    return 0;
  if (__builtin_mul_overflow(pitch, height - 1, &size) ||
      __builtin_add_overflow(size, width, &size))
    return UINT64_MAX;
  return size;
}

CUresult tilesmith::driver::allocate(const Call &call, uint64_t size, Allocation::Kind kind,
                                     uint64_t *address) {
  Context *context = currentContext();
  if (!context)
    return call.fail(CUDA_ERROR_INVALID_CONTEXT, "no context is current");
  if (!address || !size)
    return call.fail(CUDA_ERROR_INVALID_VALUE,
                     "expected a size above 0 and a place for the pointer");
  Allocation allocation;
  allocation.kind = kind;
  allocation.size = size;
  // What is not there is refused now, and not when it is touched.
  uint64_t free = uint64_t(::sysconf(_SC_PHYS_PAGES)) * uint64_t(::sysconf(_SC_PAGE_SIZE));
  if (size > free || call->used > free - size ||
      !call->connection->map(size, allocation.base, allocation.offset))
    return call.fail(CUDA_ERROR_OUT_OF_MEMORY, "no room for " + std::to_string(size) + " bytes");
  allocation.mapped = (size + 4095) / 4096 * 4096;
  allocation.context = context;
  allocation.id = ++call->lastId;
  call->used += size;
  call->memory[allocation.base] = allocation;
  // The program writes other memory by itself, without asking.
  if (kind == Allocation::Kind::Device)
    call->unwritten.add(allocation.base, size);
  *address = allocation.base;
  return CUDA_SUCCESS;
}

/// Ends an allocation of own memory.
static void drop(State &all, std::map<uint64_t, Allocation>::iterator it) {
  all.connection->unmap(it->first, it->second.size, it->second.offset);
  all.used -= it->second.size;
  all.unwritten.remove(it->first, it->second.size);
  all.memory.erase(it);
}

void tilesmith::driver::releaseVariables(State &all, Library &library) {
  for (const auto &[name, address] : library.variables)
    if (auto it = all.memory.find(address); it != all.memory.end())
      drop(all, it);
  library.variables.clear();
}

CUresult tilesmith::driver::release(const Call &call, uint64_t address, bool hostMemory) {
  if (!address)
    return CUDA_SUCCESS;
  auto it = call->memory.find(address);
  if (it == call->memory.end() || it->second.kind == Allocation::Kind::Registered ||
      it->second.kind == Allocation::Kind::Variable ||
      hostMemory != (it->second.kind == Allocation::Kind::Host))
    return call.fail(CUDA_ERROR_INVALID_VALUE,
                     hex(address) + " is no address that an allocation gave, or was freed before");
  drop(state(), it);
  return CUDA_SUCCESS;
}

// ---- allocations ----

CU_API CUresult cuMemAlloc_v2(CUdeviceptr *address, size_t size) {
  CALL(cuMemAlloc);
  uint64_t base = 0;
  CUresult code = allocate(call, size, Allocation::Kind::Device, &base);
  if (code == CUDA_SUCCESS && address)
    *address = base;
  return code;
}

CU_API CUresult cuMemAllocPitch_v2(CUdeviceptr *address, size_t *pitch, size_t width, size_t height,
                                   unsigned element) {
  if (!pitch || !address || (element != 4 && element != 8 && element != 16))
    return CUDA_ERROR_INVALID_VALUE;
  *pitch = (width + 511) / 512 * 512;
  return cuMemAlloc_v2(address, *pitch < width ? 0 : rowsSize(*pitch, *pitch, height));
}

CU_API CUresult cuMemAllocManaged(CUdeviceptr *address, size_t size, unsigned) {
  CALL(cuMemAllocManaged);
  uint64_t base = 0;
  CUresult code = allocate(call, size, Allocation::Kind::Managed, &base);
  if (code == CUDA_SUCCESS && address)
    *address = base;
  return code;
}

CU_API CUresult cuMemFree_v2(CUdeviceptr address) {
  CALL(cuMemFree);
  return release(call, address, false);
}

CU_API CUresult cuMemHostAlloc(void **address, size_t size, unsigned) {
  CALL(cuMemHostAlloc);
  uint64_t base = 0;
  CUresult code = allocate(call, size, Allocation::Kind::Host, &base);
  if (code == CUDA_SUCCESS && address)
    *address = reinterpret_cast<void *>(base);
  return code;
}
CU_API CUresult cuMemAllocHost_v2(void **address, size_t size) {
  return cuMemHostAlloc(address, size, 0);
}

CU_API CUresult cuMemFreeHost(void *address) {
  CALL(cuMemFreeHost);
  return release(call, reinterpret_cast<uint64_t>(address), true);
}

CU_API CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr *device, void *host, unsigned) {
  CALL(cuMemHostGetDevicePointer);
  if (!device || !call->find(reinterpret_cast<uint64_t>(host)))
    return call.fail(CUDA_ERROR_INVALID_VALUE, "expected host memory that the driver knows");
  *device = reinterpret_cast<uint64_t>(host);
  return CUDA_SUCCESS;
}

CU_API CUresult cuMemHostGetFlags(unsigned *flags, void *host) {
  CALL(cuMemHostGetFlags);
  if (!flags || !call->find(reinterpret_cast<uint64_t>(host)))
    return CUDA_ERROR_INVALID_VALUE;
  *flags = 2; // mapped
  return CUDA_SUCCESS;
}

CU_API CUresult cuMemHostRegister_v2(void *host, size_t size, unsigned) {
  CALL(cuMemHostRegister);
  Context *context = currentContext();
  uint64_t base = reinterpret_cast<uint64_t>(host);
  if (!context)
    return call.fail(CUDA_ERROR_INVALID_CONTEXT, "no context is current");
  if (!host || !size || base + size < base)
    return CUDA_ERROR_INVALID_VALUE;
  auto next = call->memory.lower_bound(base);
  if (call->find(base) || (next != call->memory.end() && next->first < base + size))
    return call.fail(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, "the memory is known already");
  Allocation allocation;
  allocation.kind = Allocation::Kind::Registered;
  allocation.base = base, allocation.size = size;
  allocation.context = context;
  allocation.id = ++call->lastId;
  call->memory[base] = allocation;
  return CUDA_SUCCESS;
}

CU_API CUresult cuMemHostUnregister(void *host) {
  CALL(cuMemHostUnregister);
  auto it = call->memory.find(reinterpret_cast<uint64_t>(host));
  if (it == call->memory.end() || it->second.kind != Allocation::Kind::Registered)
    return call.fail(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, "expected registered memory");
  call->memory.erase(it);
  return CUDA_SUCCESS;
}

CU_API CUresult cuMemGetInfo_v2(size_t *free, size_t *total) {
  CALL(cuMemGetInfo);
  if (!free || !total)
    return CUDA_ERROR_INVALID_VALUE;
  *total = size_t(::sysconf(_SC_PHYS_PAGES)) * size_t(::sysconf(_SC_PAGE_SIZE));
  *free = *total - std::min<size_t>(*total, call->used);
  return CUDA_SUCCESS;
}

CU_API CUresult cuMemGetAddressRange_v2(CUdeviceptr *base, size_t *size, CUdeviceptr address) {
  CALL(cuMemGetAddressRange);
  const Allocation *allocation = call->find(address);
  if (!allocation)
    return call.fail(CUDA_ERROR_NOT_FOUND, "no allocation at " + hex(address));
  if (base)
    *base = allocation->base;
  if (size)
    *size = allocation->size;
  return CUDA_SUCCESS;
}

// ---- pointers ----

/// Unknown pointers have zeros where the interface says so, and are an error elsewhere.
static CUresult pointerAttribute(const Call &call, void *data, int attribute, CUdeviceptr address,
                                 bool lenient) {
  const Allocation *allocation = call->find(address);
  bool onDevice = allocation && (allocation->kind == Allocation::Kind::Device ||
                                 allocation->kind == Allocation::Kind::Variable);
  bool host = allocation && (allocation->kind == Allocation::Kind::Host ||
                             allocation->kind == Allocation::Kind::Registered);
  auto put = [&](auto value) {
    std::memcpy(data, &value, sizeof(value));
    return CUDA_SUCCESS;
  };
  if (!data)
    return CUDA_ERROR_INVALID_VALUE;
  if (!allocation && !lenient)
    return call.fail(CUDA_ERROR_INVALID_VALUE, hex(address) + " lies in no allocation");
  switch (attribute) {
  case 1:
    return put(allocation ? allocation->context : nullptr);
  case 2:
    return put(unsigned(!allocation ? 0 : host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE));
  case 3:
    return put(allocation ? address : CUdeviceptr(0));
  case 4:
    if (allocation && onDevice && !lenient)
      return call.fail(CUDA_ERROR_INVALID_VALUE, hex(address) + " is no host memory");
    return put(!allocation || onDevice ? CUdeviceptr(0) : address);
  case 6:
    return put(0u);
  case 7:
    return put(allocation ? allocation->id : uint64_t(0));
  case 8:
    return put(unsigned(allocation && allocation->kind == Allocation::Kind::Managed));
  case 9:
    return put(allocation ? 0 : -2);
  case 11:
    return put(allocation ? allocation->base : uint64_t(0));
  case 12:
    return put(allocation ? allocation->size : uint64_t(0));
  case 13:
    return put(unsigned(allocation != nullptr));
  case 17:
    return put(allocation ? allocation->pool : nullptr);
  default:
    return call.fail(CUDA_ERROR_NOT_SUPPORTED,
                     "attribute " + std::to_string(attribute) + " of pointers is not supported");
  }
}

CU_API CUresult cuPointerGetAttribute(void *data, int attribute, CUdeviceptr address) {
  CALL(cuPointerGetAttribute);
  return pointerAttribute(call, data, attribute, address, false);
}

CU_API CUresult cuPointerGetAttributes(unsigned count, int *attributes, void **data,
                                       CUdeviceptr address) {
  CALL(cuPointerGetAttributes);
  for (unsigned i = 0; i < count; ++i)
    if (CUresult code = pointerAttribute(call, data[i], attributes[i], address, true);
        code != CUDA_SUCCESS)
      return code;
  return CUDA_SUCCESS;
}

// ---- copies ----

static bool inAllocation(uint64_t address, uint64_t size) {
  const Allocation *allocation = state().find(address);
  return !size || (allocation && size <= allocation->size - (address - allocation->base));
}

/// Whether all of the bytes lie in one allocation.
static CUresult checkDevice(const Call &call, uint64_t address, uint64_t size) {
  if (!inAllocation(address, size))
    return call.fail(CUDA_ERROR_INVALID_VALUE,
                     std::to_string(size) + " bytes at " + hex(address) + " lie in no allocation");
  return CUDA_SUCCESS;
}

/// The same when a graph runs: what it names may have been freed since.
static CUresult checkAgain(const char *name, uint64_t address, uint64_t size) {
  if (inAllocation(address, size))
    return CUDA_SUCCESS;
  log(std::string(name) + " of a graph: " + std::to_string(size) + " bytes at " + hex(address) +
      " lie in no allocation any more");
  return CUDA_ERROR_INVALID_VALUE;
}

static void move(uint64_t to, uint64_t from, uint64_t size) {
  std::memmove(reinterpret_cast<void *>(to), reinterpret_cast<void *>(from), size);
  state().unwritten.copy(to, from, size);
}

/// One copy; `checks` says which ends must be device memory.
static CUresult copyBytes(const char *name, CUstream stream, uint64_t to, uint64_t from,
                          uint64_t size, bool checkTo, bool checkFrom) {
  Call call(name);
  if (call.ready() != CUDA_SUCCESS)
    return call.ready();
  if (size && (!to || !from))
    return call.fail(CUDA_ERROR_INVALID_VALUE, "expected pointers, found null");
  if (checkTo)
    if (CUresult code = checkDevice(call, to, size); code != CUDA_SUCCESS)
      return code;
  if (checkFrom)
    if (CUresult code = checkDevice(call, from, size); code != CUDA_SUCCESS)
      return code;
  return submit(call, stream, 1, [=] {
    CUresult code = checkTo ? checkAgain(name, to, size) : CUDA_SUCCESS;
    if (code == CUDA_SUCCESS && checkFrom)
      code = checkAgain(name, from, size);
    if (code == CUDA_SUCCESS)
      move(to, from, size);
    return code;
  });
}

#define COPY(NAME, TO, FROM, TO_TYPE, FROM_TYPE, CHECK_TO, CHECK_FROM)                             \
  CU_API CUresult NAME##_v2(TO_TYPE to, FROM_TYPE from, size_t size) {                             \
    return copyBytes(#NAME, nullptr, TO, FROM, size, CHECK_TO, CHECK_FROM);                        \
  }                                                                                                \
  CU_API CUresult NAME##Async_v2(TO_TYPE to, FROM_TYPE from, size_t size, CUstream stream) {       \
    return copyBytes(#NAME "Async", stream, TO, FROM, size, CHECK_TO, CHECK_FROM);                 \
  }
COPY(cuMemcpyHtoD, to, reinterpret_cast<uint64_t>(from), CUdeviceptr, const void *, true, false)
COPY(cuMemcpyDtoH, reinterpret_cast<uint64_t>(to), from, void *, CUdeviceptr, false, true)
COPY(cuMemcpyDtoD, to, from, CUdeviceptr, CUdeviceptr, true, true)
#undef COPY

CU_API CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t size) {
  return copyBytes("cuMemcpy", nullptr, to, from, size, false, false);
}
CU_API CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t size, CUstream stream) {
  return copyBytes("cuMemcpyAsync", stream, to, from, size, false, false);
}

CU_API CUresult cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D *what, CUstream stream) {
  CALL(cuMemcpy2D);
  if (!what)
    return CUDA_ERROR_INVALID_VALUE;
  if (what->srcMemoryType == CU_MEMORYTYPE_ARRAY || what->dstMemoryType == CU_MEMORYTYPE_ARRAY)
    return call.fail(CUDA_ERROR_NOT_SUPPORTED, "arrays are not supported");
  uint64_t from = what->srcMemoryType == CU_MEMORYTYPE_HOST
                      ? reinterpret_cast<uint64_t>(what->srcHost)
                      : what->srcDevice;
  uint64_t to = what->dstMemoryType == CU_MEMORYTYPE_HOST
                    ? reinterpret_cast<uint64_t>(what->dstHost)
                    : what->dstDevice;
  size_t width = what->WidthInBytes, height = what->Height;
  size_t fromPitch = what->srcPitch ? what->srcPitch : width,
         toPitch = what->dstPitch ? what->dstPitch : width;
  if (fromPitch < width || toPitch < width || !from || !to)
    return call.fail(CUDA_ERROR_INVALID_VALUE, "expected a pitch of at least the width");
  from += rowsSize(fromPitch, what->srcXInBytes, what->srcY + 1);
  to += rowsSize(toPitch, what->dstXInBytes, what->dstY + 1);
  if (!width || !height)
    return CUDA_SUCCESS;
  const uint64_t fromSize =
      what->srcMemoryType == CU_MEMORYTYPE_DEVICE ? rowsSize(fromPitch, width, height) : 0;
  const uint64_t toSize =
      what->dstMemoryType == CU_MEMORYTYPE_DEVICE ? rowsSize(toPitch, width, height) : 0;
  if (CUresult code = checkDevice(call, from, fromSize); code != CUDA_SUCCESS)
    return code;
  if (CUresult code = checkDevice(call, to, toSize); code != CUDA_SUCCESS)
    return code;
  return submit(call, stream, 1, [=] {
    CUresult code = checkAgain("cuMemcpy2D", from, fromSize);
    if (code == CUDA_SUCCESS)
      code = checkAgain("cuMemcpy2D", to, toSize);
    for (size_t row = 0; code == CUDA_SUCCESS && row < height; ++row)
      move(to + row * toPitch, from + row * fromPitch, width);
    return code;
  });
}
CU_API CUresult cuMemcpy2D_v2(const CUDA_MEMCPY2D *what) {
  return cuMemcpy2DAsync_v2(what, nullptr);
}
CU_API CUresult cuMemcpy2DUnaligned_v2(const CUDA_MEMCPY2D *what) {
  return cuMemcpy2DAsync_v2(what, nullptr);
}

CUresult tilesmith::driver::fillRows(const char *name, uint64_t to, size_t pitch, uint64_t value,
                                     unsigned element, size_t width, size_t height) {
  if (CUresult code = checkAgain(name, to, rowsSize(pitch, width * element, height));
      code != CUDA_SUCCESS)
    return code;
  for (size_t row = 0; row < height; ++row) {
    for (size_t i = 0; i < width; ++i)
      std::memcpy(reinterpret_cast<char *>(to) + row * pitch + i * element, &value, element);
    state().unwritten.remove(to + row * pitch, width * element);
  }
  return CUDA_SUCCESS;
}

/// Fills `height` rows of `width` elements.
static CUresult fill(const char *name, CUstream stream, uint64_t to, size_t pitch, uint64_t value,
                     unsigned element, size_t width, size_t height) {
  Call call(name);
  if (call.ready() != CUDA_SUCCESS)
    return call.ready();
  if (to % element || width > UINT64_MAX / element || (height > 1 && pitch < width * element))
    return call.fail(CUDA_ERROR_INVALID_VALUE, "expected an aligned address and a fitting pitch");
  if (!width || !height)
    return CUDA_SUCCESS;
  if (CUresult code = checkDevice(call, to, rowsSize(pitch, width * element, height));
      code != CUDA_SUCCESS)
    return code;
  return submit(call, stream, 2,
                [=] { return fillRows(name, to, pitch, value, element, width, height); });
}

#define FILL(SUFFIX, TYPE)                                                                         \
  CU_API CUresult cuMemset##SUFFIX##_v2(CUdeviceptr to, TYPE value, size_t count) {                \
    return fill("cuMemset" #SUFFIX, nullptr, to, 0, value, sizeof(TYPE), count, 1);                \
  }                                                                                                \
  CU_API CUresult cuMemset##SUFFIX##Async(CUdeviceptr to, TYPE value, size_t count,                \
                                          CUstream stream) {                                       \
    return fill("cuMemset" #SUFFIX "Async", stream, to, 0, value, sizeof(TYPE), count, 1);         \
  }                                                                                                \
  CU_API CUresult cuMemsetD2##SUFFIX##_v2(CUdeviceptr to, size_t pitch, TYPE value, size_t width,  \
                                          size_t height) {                                         \
    return fill("cuMemsetD2" #SUFFIX, nullptr, to, pitch, value, sizeof(TYPE), width, height);     \
  }                                                                                                \
  CU_API CUresult cuMemsetD2##SUFFIX##Async(CUdeviceptr to, size_t pitch, TYPE value,              \
                                            size_t width, size_t height, CUstream stream) {        \
    return fill("cuMemsetD2" #SUFFIX "Async", stream, to, pitch, value, sizeof(TYPE), width,       \
                height);                                                                           \
  }
FILL(D8, unsigned char)
FILL(D16, unsigned short)
FILL(D32, unsigned)
#undef FILL

// ---- pools ----

CU_API CUresult cuMemAllocAsync(CUdeviceptr *address, size_t size, CUstream stream) {
  CALL(cuMemAllocAsync);
  Stream *known = findStream(stream);
  if (!known)
    return call.fail(CUDA_ERROR_INVALID_HANDLE, "expected a stream");
  uint64_t base = 0;
  CUresult code = allocate(call, size, Allocation::Kind::Device, &base);
  if (code == CUDA_SUCCESS && address)
    *address = base;
  if (code == CUDA_SUCCESS && known->capture)
    known->capture->memory.push_back(base);
  return code;
}
CU_API CUresult cuMemAllocFromPoolAsync(CUdeviceptr *address, size_t size, CUmemoryPool,
                                        CUstream stream) {
  return cuMemAllocAsync(address, size, stream);
}

CU_API CUresult cuMemFreeAsync(CUdeviceptr address, CUstream stream) {
  CALL(cuMemFreeAsync);
  Stream *known = findStream(stream);
  if (!known)
    return call.fail(CUDA_ERROR_INVALID_HANDLE, "expected a stream");
  return known->capture ? CUDA_SUCCESS : release(call, address, false);
}

static Pool *defaultPool() {
  static Pool *pool = new Pool;
  state().pools.insert(pool);
  return pool;
}

static CUresult givePool(const char *name, CUmemoryPool *pool, CUdevice device) {
  Call call(name);
  if (call.ready() != CUDA_SUCCESS)
    return call.ready();
  if (!pool || device != 0)
    return device ? CUDA_ERROR_INVALID_DEVICE : CUDA_ERROR_INVALID_VALUE;
  *pool = reinterpret_cast<CUmemoryPool>(defaultPool());
  return CUDA_SUCCESS;
}
CU_API CUresult cuDeviceGetDefaultMemPool(CUmemoryPool *pool, CUdevice device) {
  return givePool("cuDeviceGetDefaultMemPool", pool, device);
}
CU_API CUresult cuDeviceGetMemPool(CUmemoryPool *pool, CUdevice device) {
  return givePool("cuDeviceGetMemPool", pool, device);
}
CU_API CUresult cuDeviceSetMemPool(CUdevice device, CUmemoryPool) {
  return device ? CUDA_ERROR_INVALID_DEVICE : CUDA_SUCCESS;
}

CU_API CUresult cuMemPoolCreate(CUmemoryPool *pool, const void *) {
  CALL(cuMemPoolCreate);
  if (!pool)
    return CUDA_ERROR_INVALID_VALUE;
  *pool = reinterpret_cast<CUmemoryPool>(*call->pools.insert(new Pool).first);
  return CUDA_SUCCESS;
}

static CUresult checkPool(const Call &call, CUmemoryPool pool) {
  return call->pools.count(reinterpret_cast<Pool *>(pool))
             ? CUDA_SUCCESS
             : call.fail(CUDA_ERROR_INVALID_VALUE, "expected a memory pool");
}

CU_API CUresult cuMemPoolDestroy(CUmemoryPool pool) {
  CALL(cuMemPoolDestroy);
  CUresult code = checkPool(call, pool);
  if (code != CUDA_SUCCESS || reinterpret_cast<Pool *>(pool) == defaultPool())
    return code == CUDA_SUCCESS ? CUDA_ERROR_INVALID_VALUE : code;
  call->pools.erase(reinterpret_cast<Pool *>(pool));
  delete reinterpret_cast<Pool *>(pool);
  return CUDA_SUCCESS;
}
CU_API CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t) {
  CALL(cuMemPoolTrimTo);
  return checkPool(call, pool);
}
/// Pools keep nothing back, so nothing can be set that would matter.
CU_API CUresult cuMemPoolSetAttribute(CUmemoryPool pool, int, void *) {
  CALL(cuMemPoolSetAttribute);
  return checkPool(call, pool);
}
CU_API CUresult cuMemPoolGetAttribute(CUmemoryPool pool, int attribute, void *value) {
  CALL(cuMemPoolGetAttribute);
  if (CUresult code = checkPool(call, pool); code != CUDA_SUCCESS || !value)
    return value ? code : CUDA_ERROR_INVALID_VALUE;
  std::memset(value, 0, attribute <= 3 ? sizeof(int) : sizeof(uint64_t));
  return CUDA_SUCCESS;
}

/// Where memory lies makes no difference here.
CU_API CUresult cuMemAdvise(CUdeviceptr address, size_t size, int, CUdevice) {
  CALL(cuMemAdvise);
  return checkDevice(call, address, size);
}
CU_API CUresult cuMemAdvise_v2(CUdeviceptr address, size_t size, int advice, CUmemLocation) {
  return cuMemAdvise(address, size, advice, 0);
}
CU_API CUresult cuMemPrefetchAsync(CUdeviceptr address, size_t size, CUdevice, CUstream) {
  CALL(cuMemPrefetchAsync);
  return checkDevice(call, address, size);
}
CU_API CUresult cuMemPrefetchAsync_v2(CUdeviceptr address, size_t size, CUmemLocation, unsigned,
                                      CUstream stream) {
  return cuMemPrefetchAsync(address, size, 0, stream);
}
CU_API CUresult cuStreamAttachMemAsync(CUstream, CUdeviceptr address, size_t size, unsigned) {
  CALL(cuStreamAttachMemAsync);
  return checkDevice(call, address, size ? size : 1);
}

/// A word that the stream writes when its work so far is done.
template <typename Word>
static CUresult writeValue(const Call &call, CUstream stream, CUdeviceptr address, Word value) {
  if (address % sizeof(Word))
    return call.fail(CUDA_ERROR_INVALID_VALUE, "expected the aligned address of a word");
  if (CUresult code = checkDevice(call, address, sizeof(Word)); code != CUDA_SUCCESS)
    return code;
  return submit(call, stream, 0, [=] {
    return fillRows("cuStreamWriteValue", address, sizeof(value), value, sizeof(value), 1, 1);
  });
}
CU_API CUresult cuStreamWriteValue32_v2(CUstream stream, CUdeviceptr address, uint32_t value,
                                        unsigned) {
  CALL(cuStreamWriteValue32);
  return writeValue(call, stream, address, value);
}
CU_API CUresult cuStreamWriteValue64_v2(CUstream stream, CUdeviceptr address, uint64_t value,
                                        unsigned) {
  CALL(cuStreamWriteValue64);
  return writeValue(call, stream, address, value);
}
