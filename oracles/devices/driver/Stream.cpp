//===- Stream.cpp - streams, events, captures -------------------------------------------------===//
//
// Work is done when it is asked for, so a stream is always idle and an event, once recorded, has
// happened. A captured stream writes what it is asked for into a graph instead; a stream that waits
// for an event of a captured one joins its capture.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/devices/driver/Driver.h"

using namespace tilesmith::driver;

static CUstream asHandle(Stream *stream) {
  return reinterpret_cast<CUstream>(stream);
}

static Stream *makeStream(Context *context, unsigned flags, int priority) {
  auto *stream = new Stream;
  stream->context = context;
  stream->flags = flags;
  stream->priority = priority;
  stream->id = ++state().lastId;
  state().streams.insert(stream);
  return stream;
}

/// Null and 1: the default stream of the current context; 2: that of the thread in it.
static Stream *defaultStream(bool ofThread) {
  static std::map<std::pair<uint64_t, bool>, Stream *> known;
  Context *context = currentContext();
  if (!context)
    return nullptr;
  Stream *&stream = known[{context->id, ofThread}];
  if (!stream || !state().streams.count(stream))
    stream = makeStream(context, 0, 0);
  return stream;
}

Stream *tilesmith::driver::findStream(CUstream handle) {
  auto number = reinterpret_cast<uintptr_t>(handle);
  if (number <= 2)
    return defaultStream(number == 2);
  auto *stream = reinterpret_cast<Stream *>(handle);
  return state().streams.count(stream) ? stream : nullptr;
}

static CUresult noStream(const Call &call, CUstream handle) {
  if (reinterpret_cast<uintptr_t>(handle) <= 2)
    return call.fail(CUDA_ERROR_INVALID_CONTEXT, "a default stream needs a current context");
  return call.fail(CUDA_ERROR_INVALID_HANDLE, "expected a stream that exists");
}

static Node *addToCapture(Graph &graph, int type, std::function<CUresult()> work) {
  graph.nodes.push_back(std::make_unique<Node>());
  Node *node = graph.nodes.back().get();
  node->type = type;
  node->run = std::move(work);
  state().nodes.insert(node);
  return node;
}

CUresult tilesmith::driver::submit(const Call &call, CUstream handle, int nodeType,
                                   std::function<CUresult()> work) {
  Stream *stream = findStream(handle);
  if (!stream)
    return noStream(call, handle);
  if (!stream->capture)
    return work();
  addToCapture(*stream->capture, nodeType, std::move(work));
  return CUDA_SUCCESS;
}

// ---- streams ----

CU_API CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned flags, int priority) {
  CALL(cuStreamCreate);
  if (!stream || flags > 1)
    return CUDA_ERROR_INVALID_VALUE;
  Context *context = currentContext();
  if (!context)
    return call.fail(CUDA_ERROR_INVALID_CONTEXT, "no context is current");
  *stream = asHandle(makeStream(context, flags, std::min(0, std::max(-5, priority))));
  return CUDA_SUCCESS;
}
CU_API CUresult cuStreamCreate(CUstream *stream, unsigned flags) {
  return cuStreamCreateWithPriority(stream, flags, 0);
}

CU_API CUresult cuStreamDestroy_v2(CUstream handle) {
  CALL(cuStreamDestroy);
  Stream *stream = findStream(handle);
  if (!stream || reinterpret_cast<uintptr_t>(handle) <= 2)
    return call.fail(CUDA_ERROR_INVALID_HANDLE, "expected a stream that cuStreamCreate made");
  if (stream->capture)
    stream->capture->capturing.erase(stream);
  call->streams.erase(stream);
  delete stream;
  return CUDA_SUCCESS;
}

/// A stream, and in a capture an error: the host cannot wait for what is only recorded.
static CUresult waitFor(const Call &call, CUstream handle) {
  Stream *stream = findStream(handle);
  if (!stream)
    return noStream(call, handle);
  if (stream->capture)
    return call.fail(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, "the stream is being captured");
  return CUDA_SUCCESS;
}
CU_API CUresult cuStreamSynchronize(CUstream stream) {
  CALL(cuStreamSynchronize);
  return waitFor(call, stream);
}
CU_API CUresult cuStreamQuery(CUstream stream) {
  CALL(cuStreamQuery);
  return waitFor(call, stream);
}

#define STREAM_VALUE(NAME, TYPE, VALUE)                                                            \
  CU_API CUresult NAME(CUstream handle, TYPE *value) {                                             \
    CALL(NAME);                                                                                    \
    Stream *stream = findStream(handle);                                                           \
    if (!stream)                                                                                   \
      return noStream(call, handle);                                                               \
    if (!value)                                                                                    \
      return CUDA_ERROR_INVALID_VALUE;                                                             \
    *value = VALUE;                                                                                \
    return CUDA_SUCCESS;                                                                           \
  }
STREAM_VALUE(cuStreamGetCtx, CUcontext, reinterpret_cast<CUcontext>(stream->context))
STREAM_VALUE(cuStreamGetId, unsigned long long, stream->id)
STREAM_VALUE(cuStreamGetFlags, unsigned, stream->flags)
STREAM_VALUE(cuStreamGetPriority, int, stream->priority)
STREAM_VALUE(cuStreamGetDevice, CUdevice, 0)
STREAM_VALUE(cuStreamIsCapturing, int, stream->capture != nullptr)
#undef STREAM_VALUE

CU_API CUresult cuLaunchHostFunc(CUstream stream, void (*function)(void *), void *data) {
  bool now = false;
  {
    CALL(cuLaunchHostFunc);
    if (!function)
      return CUDA_ERROR_INVALID_VALUE;
    Stream *known = findStream(stream);
    if (!known)
      return noStream(call, stream);
    now = !known->capture;
    if (!now)
      return submit(call, stream, 3, [=] {
        function(data);
        return CUDA_SUCCESS;
      });
  }
  function(data); // without the lock: it may take as long as it wants
  return CUDA_SUCCESS;
}
/// How the host waits for the function makes no difference: it is called at once.
CU_API CUresult cuLaunchHostFunc_v2(CUstream stream, void (*function)(void *), void *data,
                                    unsigned) {
  return cuLaunchHostFunc(stream, function, data);
}
CU_API CUresult cuStreamAddCallback(CUstream stream, void (*function)(CUstream, CUresult, void *),
                                    void *data, unsigned) {
  if (!function)
    return CUDA_ERROR_INVALID_VALUE;
  {
    CALL(cuStreamAddCallback);
    if (CUresult code = waitFor(call, stream); code != CUDA_SUCCESS)
      return code;
  }
  function(stream, CUDA_SUCCESS, data);
  return CUDA_SUCCESS;
}

// ---- captures ----

CU_API CUresult cuStreamBeginCapture_v2(CUstream handle, int) {
  CALL(cuStreamBeginCapture);
  Stream *stream = findStream(handle);
  if (!stream)
    return noStream(call, handle);
  if (stream->capture || handle == nullptr || reinterpret_cast<uintptr_t>(handle) == 1)
    return call.fail(stream->capture ? CUDA_ERROR_ILLEGAL_STATE
                                     : CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
                     "expected a stream that can be captured and is not");
  stream->capture = new Graph;
  call->graphs.insert(stream->capture);
  stream->capture->capturing.insert(stream);
  stream->began = true;
  return CUDA_SUCCESS;
}

CU_API CUresult cuStreamEndCapture(CUstream handle, CUgraph *graph) {
  CALL(cuStreamEndCapture);
  Stream *stream = findStream(handle);
  if (!stream)
    return noStream(call, handle);
  if (!stream->capture || !stream->began || !graph)
    return call.fail(stream->capture ? CUDA_ERROR_STREAM_CAPTURE_UNMATCHED
                                     : CUDA_ERROR_ILLEGAL_STATE,
                     "expected the stream that began a capture");
  Graph *captured = stream->capture;
  for (Stream *joined : captured->capturing) {
    joined->capture = nullptr;
    joined->began = false;
  }
  captured->capturing.clear();
  for (Event *event : call->events)
    if (event->capture == captured)
      event->capture = nullptr;
  *graph = reinterpret_cast<CUgraph>(captured);
  return CUDA_SUCCESS;
}

CU_API CUresult cuStreamGetCaptureInfo_v2(CUstream handle, int *status, unsigned long long *id,
                                          CUgraph *graph, const CUgraphNode **nodes,
                                          size_t *count) {
  CALL(cuStreamGetCaptureInfo);
  Stream *stream = findStream(handle);
  if (!stream)
    return noStream(call, handle);
  if (!status)
    return CUDA_ERROR_INVALID_VALUE;
  *status = stream->capture != nullptr;
  if (id)
    *id = reinterpret_cast<uintptr_t>(stream->capture);
  if (graph)
    *graph = reinterpret_cast<CUgraph>(stream->capture);
  if (nodes)
    *nodes = nullptr;
  if (count)
    *count = 0;
  return CUDA_SUCCESS;
}
CU_API CUresult cuStreamGetCaptureInfo_v3(CUstream handle, int *status, unsigned long long *id,
                                          CUgraph *graph, const CUgraphNode **nodes, const void **,
                                          size_t *count) {
  return cuStreamGetCaptureInfo_v2(handle, status, id, graph, nodes, count);
}
CU_API CUresult cuThreadExchangeStreamCaptureMode(int *mode) {
  thread_local int current = 0;
  if (!mode)
    return CUDA_ERROR_INVALID_VALUE;
  std::swap(current, *mode);
  return CUDA_SUCCESS;
}

// ---- events ----

static Event *findEvent(CUevent handle) {
  auto *event = reinterpret_cast<Event *>(handle);
  return state().events.count(event) ? event : nullptr;
}
static CUresult noEvent(const Call &call) {
  return call.fail(CUDA_ERROR_INVALID_HANDLE, "expected an event that exists");
}

CU_API CUresult cuEventCreate(CUevent *event, unsigned flags) {
  CALL(cuEventCreate);
  if (!event)
    return CUDA_ERROR_INVALID_VALUE;
  Context *context = currentContext();
  if (!context)
    return call.fail(CUDA_ERROR_INVALID_CONTEXT, "no context is current");
  if (flags & 4)
    return call.fail(CUDA_ERROR_NOT_SUPPORTED, "events for other processes are not supported");
  auto *made = new Event;
  made->context = context;
  made->flags = flags;
  call->events.insert(made);
  *event = reinterpret_cast<CUevent>(made);
  return CUDA_SUCCESS;
}

CU_API CUresult cuEventDestroy_v2(CUevent handle) {
  CALL(cuEventDestroy);
  Event *event = findEvent(handle);
  if (!event)
    return noEvent(call);
  call->events.erase(event);
  delete event;
  return CUDA_SUCCESS;
}

CU_API CUresult cuEventRecordWithFlags(CUevent handle, CUstream stream, unsigned) {
  CALL(cuEventRecord);
  Event *event = findEvent(handle);
  if (!event)
    return noEvent(call);
  Stream *known = findStream(stream);
  if (!known)
    return noStream(call, stream);
  event->capture = known->capture;
  return submit(call, stream, 7, [handle] {
    if (Event *event = findEvent(handle))
      event->time = std::chrono::steady_clock::now();
    return CUDA_SUCCESS;
  });
}
CU_API CUresult cuEventRecord(CUevent event, CUstream stream) {
  return cuEventRecordWithFlags(event, stream, 0);
}

static CUresult waitForEvent(const char *name, CUevent handle) {
  Call call(name);
  if (call.ready() != CUDA_SUCCESS)
    return call.ready();
  Event *event = findEvent(handle);
  if (!event)
    return noEvent(call);
  return event->capture ? call.fail(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
                                    "the event was recorded in a capture")
                        : CUDA_SUCCESS;
}
CU_API CUresult cuEventQuery(CUevent event) {
  return waitForEvent("cuEventQuery", event);
}
CU_API CUresult cuEventSynchronize(CUevent event) {
  return waitForEvent("cuEventSynchronize", event);
}

CU_API CUresult cuStreamWaitEvent(CUstream handle, CUevent eventHandle, unsigned) {
  CALL(cuStreamWaitEvent);
  Event *event = findEvent(eventHandle);
  Stream *stream = findStream(handle);
  if (!event || !stream)
    return event ? noStream(call, handle) : noEvent(call);
  if (event->capture && !stream->capture) {
    stream->capture = event->capture;
    stream->capture->capturing.insert(stream);
  }
  return CUDA_SUCCESS;
}

CU_API CUresult cuEventElapsedTime(float *milliseconds, CUevent first, CUevent second) {
  CALL(cuEventElapsedTime);
  Event *from = findEvent(first), *to = findEvent(second);
  if (!milliseconds)
    return CUDA_ERROR_INVALID_VALUE;
  if (!from || !to || !from->time || !to->time || ((from->flags | to->flags) & 2))
    return call.fail(CUDA_ERROR_INVALID_HANDLE, "expected two recorded events with timing");
  *milliseconds = std::chrono::duration<float, std::milli>(*to->time - *from->time).count();
  return CUDA_SUCCESS;
}
CU_API CUresult cuEventElapsedTime_v2(float *milliseconds, CUevent first, CUevent second) {
  return cuEventElapsedTime(milliseconds, first, second);
}
