//===- Context.cpp - contexts -----------------------------------------------------------------===//
//
// A context owns streams, events and memory, and nothing else here: there is one device, and
// libraries belong to no context.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/devices/driver/Connection.h"

using namespace tilesmith::driver;

std::vector<Context *> &tilesmith::driver::contextStack() {
  thread_local std::vector<Context *> stack;
  return stack;
}

/// Set by the Python package: threads that have no context use the primary one, as the run-time
/// library of CUDA has it.
static std::atomic<bool> primaryByDefault{false};

static Context *makeContext(unsigned flags) {
  State &all = state();
  auto *context = new Context;
  context->flags = flags;
  context->id = ++all.lastId;
  all.contexts.insert(context);
  return context;
}

static Context *retainPrimary() {
  State &all = state();
  if (!all.primary) {
    all.primary = makeContext(0);
    all.primary->primary = true;
  }
  return all.primary;
}

Context *tilesmith::driver::currentContext() {
  std::vector<Context *> &stack = contextStack();
  if (!stack.empty() && state().contexts.count(stack.back()))
    return stack.back();
  return stack.empty() && primaryByDefault ? retainPrimary() : nullptr;
}

CU_API CUresult tilesmithUsePrimaryContext(int on) {
  primaryByDefault = on != 0;
  return CUDA_SUCCESS;
}

static Context *asContext(CUcontext handle) {
  auto *context = reinterpret_cast<Context *>(handle);
  return state().contexts.count(context) ? context : nullptr;
}
static CUcontext asHandle(Context *context) {
  return reinterpret_cast<CUcontext>(context);
}

/// Streams, events and memory go with their context; libraries belong to none.
static void destroyContext(Context *context) {
  State &all = state();
  for (auto it = all.streams.begin(); it != all.streams.end();)
    if ((*it)->context == context && (delete *it, true))
      it = all.streams.erase(it);
    else
      ++it;
  for (auto it = all.events.begin(); it != all.events.end();)
    if ((*it)->context == context && (delete *it, true))
      it = all.events.erase(it);
    else
      ++it;
  for (auto it = all.memory.begin(); it != all.memory.end();)
    if (it->second.kind == Allocation::Kind::Variable) { // with its library
      if (it->second.context == context)
        it->second.context = nullptr;
      ++it;
    } else if (it->second.context == context) {
      if (it->second.kind != Allocation::Kind::Registered) {
        all.connection->unmap(it->first, it->second.size, it->second.offset);
        all.used -= it->second.size;
      }
      it = all.memory.erase(it);
    } else {
      ++it;
    }
  for (auto it = all.libraries.begin(); it != all.libraries.end();) {
    Library *library = *it;
    if (library->context != context) {
      ++it;
      continue;
    }
    all.connection->unload(*library);
    releaseVariables(all, *library);
    for (auto &kernel : library->kernels)
      all.kernels.erase(kernel.get());
    delete library;
    it = all.libraries.erase(it);
  }
  all.contexts.erase(context);
  if (all.primary == context)
    all.primary = nullptr;
  delete context;
}

CU_API CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
  CALL(cuDevicePrimaryCtxRetain);
  CHECK_DEVICE(device);
  if (!context)
    return CUDA_ERROR_INVALID_VALUE;
  *context = asHandle(retainPrimary());
  ++call->primaryUses;
  return CUDA_SUCCESS;
}

CU_API CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device) {
  CALL(cuDevicePrimaryCtxRelease);
  CHECK_DEVICE(device);
  if (!call->primary || !call->primaryUses)
    return call.fail(CUDA_ERROR_INVALID_CONTEXT, "the primary context is not retained");
  if (--call->primaryUses == 0)
    destroyContext(call->primary);
  return CUDA_SUCCESS;
}

CU_API CUresult cuDevicePrimaryCtxReset_v2(CUdevice device) {
  CALL(cuDevicePrimaryCtxReset);
  CHECK_DEVICE(device);
  if (call->primary)
    destroyContext(call->primary);
  call->primaryUses = 0;
  return CUDA_SUCCESS;
}

CU_API CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned *flags, int *active) {
  CALL(cuDevicePrimaryCtxGetState);
  CHECK_DEVICE(device);
  if (!flags || !active)
    return CUDA_ERROR_INVALID_VALUE;
  *flags = call->primary ? call->primary->flags : 0;
  *active = call->primary != nullptr;
  return CUDA_SUCCESS;
}

CU_API CUresult cuDevicePrimaryCtxSetFlags_v2(CUdevice device, unsigned flags) {
  CALL(cuDevicePrimaryCtxSetFlags);
  CHECK_DEVICE(device);
  retainPrimary()->flags = flags;
  return CUDA_SUCCESS;
}

CU_API CUresult cuCtxCreate_v2(CUcontext *context, unsigned flags, CUdevice device) {
  CALL(cuCtxCreate);
  CHECK_DEVICE(device);
  if (!context)
    return CUDA_ERROR_INVALID_VALUE;
  contextStack().push_back(makeContext(flags));
  *context = asHandle(contextStack().back());
  return CUDA_SUCCESS;
}

CU_API CUresult cuCtxCreate_v4(CUcontext *context, void *parameters, unsigned flags,
                               CUdevice device) {
  if (!parameters)
    return cuCtxCreate_v2(context, flags, device);
  CALL(cuCtxCreate);
  return call.fail(CUDA_ERROR_NOT_SUPPORTED, "parameters of contexts are not supported");
}

CU_API CUresult cuCtxDestroy_v2(CUcontext handle) {
  CALL(cuCtxDestroy);
  Context *context = asContext(handle);
  if (!context || context->primary)
    return call.fail(CUDA_ERROR_INVALID_CONTEXT, "expected a context that cuCtxCreate made");
  if (!contextStack().empty() && contextStack().back() == context)
    contextStack().pop_back();
  destroyContext(context);
  return CUDA_SUCCESS;
}

CU_API CUresult cuCtxGetCurrent(CUcontext *context) {
  CALL(cuCtxGetCurrent);
  if (!context)
    return CUDA_ERROR_INVALID_VALUE;
  *context = asHandle(currentContext());
  return CUDA_SUCCESS;
}

CU_API CUresult cuCtxSetCurrent(CUcontext handle) {
  CALL(cuCtxSetCurrent);
  std::vector<Context *> &stack = contextStack();
  Context *context = handle ? asContext(handle) : nullptr;
  if (handle && !context)
    return call.fail(CUDA_ERROR_INVALID_CONTEXT, "expected a context");
  if (!stack.empty())
    stack.pop_back();
  if (context)
    stack.push_back(context);
  return CUDA_SUCCESS;
}

CU_API CUresult cuCtxPushCurrent_v2(CUcontext handle) {
  CALL(cuCtxPushCurrent);
  Context *context = asContext(handle);
  if (!context)
    return call.fail(CUDA_ERROR_INVALID_CONTEXT, "expected a context");
  contextStack().push_back(context);
  return CUDA_SUCCESS;
}

CU_API CUresult cuCtxPopCurrent_v2(CUcontext *context) {
  CALL(cuCtxPopCurrent);
  if (contextStack().empty())
    return call.fail(CUDA_ERROR_INVALID_CONTEXT, "no context is current");
  if (context)
    *context = asHandle(contextStack().back());
  contextStack().pop_back();
  return CUDA_SUCCESS;
}

/// The context of a handle; of null the current one.
static CUresult pickContext(const Call &call, CUcontext handle, Context *&context) {
  context = handle ? asContext(handle) : currentContext();
  return context ? CUDA_SUCCESS : call.fail(CUDA_ERROR_INVALID_CONTEXT, "expected a context");
}

CU_API CUresult cuCtxGetDevice_v2(CUdevice *device, CUcontext handle) {
  CALL(cuCtxGetDevice);
  Context *context;
  if (!device)
    return CUDA_ERROR_INVALID_VALUE;
  *device = 0;
  return pickContext(call, handle, context);
}
CU_API CUresult cuCtxGetDevice(CUdevice *device) {
  return cuCtxGetDevice_v2(device, nullptr);
}

CU_API CUresult cuCtxGetId(CUcontext handle, unsigned long long *id) {
  CALL(cuCtxGetId);
  Context *context;
  CUresult code = pickContext(call, handle, context);
  if (!id)
    return CUDA_ERROR_INVALID_VALUE;
  if (context)
    *id = context->id;
  return code;
}

CU_API CUresult cuCtxGetFlags(unsigned *flags) {
  CALL(cuCtxGetFlags);
  Context *context;
  CUresult code = pickContext(call, nullptr, context);
  if (context && flags)
    *flags = context->flags;
  return code;
}

/// They say how the host waits, which it never does.
CU_API CUresult cuCtxSetFlags(unsigned flags) {
  CALL(cuCtxSetFlags);
  Context *context;
  CUresult code = pickContext(call, nullptr, context);
  if (context)
    context->flags = flags;
  return code;
}

CU_API CUresult cuCtxGetApiVersion(CUcontext handle, unsigned *version) {
  CALL(cuCtxGetApiVersion);
  Context *context;
  if (version)
    *version = 3020;
  return pickContext(call, handle, context);
}

CU_API CUresult cuCtxSynchronize_v2(CUcontext handle) {
  CALL(cuCtxSynchronize);
  Context *context;
  return pickContext(call, handle, context);
}
CU_API CUresult cuCtxSynchronize() {
  return cuCtxSynchronize_v2(nullptr);
}

CU_API CUresult cuCtxSetLimit(int limit, size_t value) {
  CALL(cuCtxSetLimit);
  Context *context;
  if (CUresult code = pickContext(call, nullptr, context); code != CUDA_SUCCESS)
    return code;
  if (limit < 0 || limit >= 16)
    return CUDA_ERROR_INVALID_VALUE;
  context->limits[limit] = value;
  return CUDA_SUCCESS;
}

CU_API CUresult cuCtxGetLimit(size_t *value, int limit) {
  CALL(cuCtxGetLimit);
  Context *context;
  if (CUresult code = pickContext(call, nullptr, context); code != CUDA_SUCCESS)
    return code;
  if (!value || limit < 0 || limit >= 16)
    return CUDA_ERROR_INVALID_VALUE;
  *value = context->limits[limit];
  return CUDA_SUCCESS;
}

CU_API CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest) {
  CALL(cuCtxGetStreamPriorityRange);
  if (least)
    *least = 0;
  if (greatest)
    *greatest = -5;
  return CUDA_SUCCESS;
}
