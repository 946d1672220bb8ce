//===- Execution.cpp - launches ---------------------------------------------------------------===//
//
// What a program asks a kernel to do becomes a request to the server, and what that found an error
// code, a text and a report. Kernels come from Modules.cpp.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/devices/driver/Connection.h"

#include <algorithm>
#include <atomic>
#include <cstdio>

using namespace tilesmith;
using namespace tilesmith::driver;

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

CUresult tilesmith::driver::remember(CUresult code, const std::string &why) {
  CUresult remembered = code;
  lastFinding(&remembered) = why;
  return code;
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
