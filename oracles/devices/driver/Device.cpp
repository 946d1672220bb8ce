//===- Device.cpp - initialisation, the device, errors, settings ------------------------------===//
#include "oracles/devices/driver/Connection.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>

using namespace tilesmith::driver;

constexpr int kDriverVersion = 13010;

State &tilesmith::driver::state() {
  static State *all = new State; // outlives every thread that calls at exit
  return *all;
}

const Allocation *State::find(uint64_t address) const {
  auto it = memory.upper_bound(address);
  if (it == memory.begin())
    return nullptr;
  --it;
  return address - it->first < it->second.size ? &it->second : nullptr;
}

// ---- settings and the log ----

static const std::map<std::string, std::string> &configuration() {
  static const std::map<std::string, std::string> lines = [] {
    std::map<std::string, std::string> read;
    const char *path = std::getenv("TILESMITH_CONFIG");
    std::ifstream file(path ? path : "");
    if (path && !file)
      std::fprintf(stderr, "tilesmith: cannot read TILESMITH_CONFIG, '%s'\n", path);
    for (std::string line; path && std::getline(file, line);) {
      auto strip = [](std::string text) {
        size_t first = text.find_first_not_of(" \t"), last = text.find_last_not_of(" \t\r");
        return first == std::string::npos ? std::string() : text.substr(first, last - first + 1);
      };
      line = line.substr(0, line.find('#'));
      if (size_t sign = line.find('='); sign != std::string::npos)
        read[strip(line.substr(0, sign))] = strip(line.substr(sign + 1));
      if (size_t sign = line.find('=');
          !strip(line).empty() &&
          (sign == std::string::npos || !Connection::isSetting(strip(line.substr(0, sign)))))
        std::fprintf(stderr, "tilesmith: expected a setting and its value in '%s', found '%s'\n",
                     path, line.c_str());
    }
    return read;
  }();
  return lines;
}

/// What the program itself chose, under a lock of its own: a log line may ask.
static std::map<std::string, std::string> &chosen() {
  static auto *values = new std::map<std::string, std::string>;
  return *values;
}
static std::mutex &chosenMutex() {
  static auto *mutex = new std::mutex;
  return *mutex;
}

/// Beyond CUDA: a setting of this process, from now on; null takes it back. An error of the server
/// leaves it as it was. CUDA_ERROR_NOT_FOUND: there is no such setting.
CU_API CUresult tilesmithConfigure(const char *name, const char *value) {
  if (!name)
    return CUDA_ERROR_INVALID_VALUE;
  std::lock_guard<std::mutex> lock(state().mutex);
  if (!Connection::isSetting(name)) {
    tell(std::string("there is no setting '") + name + "'");
    return CUDA_ERROR_NOT_FOUND;
  }
  auto refuse = [&](const char *expected) {
    tell(std::string("expected ") + expected + " for '" + name + "', found '" + value + "'");
    return CUDA_ERROR_INVALID_VALUE;
  };
  const std::string_view word = value ? value : "error";
  if (name == std::string_view("on-finding") && word != "error" && word != "exit" &&
      word != "continue")
    return refuse("error, exit or continue");
  if (name == std::string_view("gpu-name") && value && state().initialised)
    return refuse("to be told before cuInit");
  auto before = setting(name);
  auto set = [&](const char *text) {
    std::lock_guard<std::mutex> own(chosenMutex());
    text ? void(chosen()[name] = text) : void(chosen().erase(name));
  };
  set(value);
  std::string why = state().connection ? state().connection->configure(name) : "";
  if (why.empty())
    return CUDA_SUCCESS;
  set(before ? before->c_str() : nullptr);
  tell(why);
  return CUDA_ERROR_INVALID_VALUE;
}

/// Beyond CUDA: starts the server, which otherwise is waited for when it is first needed. An error
/// when it does not start, or refuses a setting; standard error says why.
CU_API CUresult tilesmithStart() {
  CALL(tilesmithStart);
  std::string why = call->connection->start();
  if (!why.empty())
    tell(why);
  return why.empty() ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

std::optional<std::string> tilesmith::driver::setting(const std::string &name) {
  {
    std::lock_guard<std::mutex> lock(chosenMutex());
    if (auto it = chosen().find(name); it != chosen().end())
      return it->second;
  }
  std::string variable = "TILESMITH_";
  for (char c : name)
    variable += c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  if (const char *value = std::getenv(variable.c_str()))
    return value;
  auto it = configuration().find(name);
  return it == configuration().end() ? std::nullopt : std::optional(it->second);
}

void tilesmith::driver::log(const std::string &line) {
  auto where = setting("log");
  if (!where || where->empty() || *where == "0")
    return;
  std::string text = "tilesmith: " + line + "\n"; // one write: several processes may have one log
  int file =
      *where == "1" ? 2 : ::open(where->c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file >= 0 && ::write(file, text.data(), text.size()) < 0)
    return;
  if (file > 2)
    ::close(file);
}

void tilesmith::driver::tell(const std::string &line) {
  if (setting("log").value_or("") != "1")
    std::fprintf(stderr, "tilesmith: %s\n", line.c_str());
  log(line);
}

// ---- calls ----

Call::Call(const char *name) : name(name), lock(state().mutex), result(CUDA_SUCCESS) {
  if (!state().initialised)
    result = CUDA_ERROR_NOT_INITIALIZED;
  else if (state().process != ::getpid())
    result = fail(CUDA_ERROR_NOT_INITIALIZED, "the process was forked behind cuInit");
}

CUresult Call::fail(CUresult code, const std::string &why) const {
  log(std::string(name) + ": " + why + " (error " + std::to_string(code) + ")");
  return code;
}

// ---- initialisation and errors ----

CU_API CUresult cuInit(unsigned flags) {
  State &all = state();
  std::lock_guard<std::mutex> lock(all.mutex);
  if (flags)
    return CUDA_ERROR_INVALID_VALUE;
  if (all.initialised)
    return CUDA_SUCCESS;
  if (auto gpu = setting("gpu-name")) {
    int number = gpu->rfind("sm_", 0) == 0 ? std::atoi(gpu->c_str() + 3) : 0;
    if (number < 80 || number > 999) {
      tell("expected TILESMITH_GPU_NAME to be sm_ and a number from 80 on, found '" + *gpu + "'");
      return CUDA_ERROR_NO_DEVICE;
    }
    all.major = number / 10, all.minor = number % 10;
  }
  all.process = ::getpid();
  all.connection = std::make_unique<Connection>();
  // The server starts while the program compiles its first kernel.
  all.connection->prepare();
  all.initialised = true;
  return CUDA_SUCCESS;
}

CU_API CUresult cuDriverGetVersion(int *version) {
  if (!version)
    return CUDA_ERROR_INVALID_VALUE;
  *version = kDriverVersion;
  return CUDA_SUCCESS;
}

/// Tables that NVIDIA's own libraries share with its driver. A program gets a code that says little,
/// so it is told once.
CU_API CUresult cuGetExportTable(const void **table, const CUuuid *) {
  static std::atomic<bool> told{false};
  constexpr char why[] = "the program asks for private tables of the driver (cuGetExportTable), as "
                         "the CUDA run-time library does for `<<<>>>`; only hosts that call the "
                         "driver interface run";
  told.exchange(true) ? log(why) : tell(why);
  if (table)
    *table = nullptr;
  return CUDA_ERROR_NOT_SUPPORTED;
}

namespace {
struct ErrorRow {
  CUresult code;
  const char *name, *text;
};
constexpr ErrorRow kErrors[] = {
    {CUDA_SUCCESS, "CUDA_SUCCESS", "no error"},
    {CUDA_ERROR_INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {CUDA_ERROR_OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {CUDA_ERROR_NOT_INITIALIZED, "CUDA_ERROR_NOT_INITIALIZED", "initialization error"},
    {CUDA_ERROR_NO_DEVICE, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
    {CUDA_ERROR_INVALID_DEVICE, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"},
    {CUDA_ERROR_INVALID_IMAGE, "CUDA_ERROR_INVALID_IMAGE", "device kernel image is invalid"},
    {CUDA_ERROR_INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
    {CUDA_ERROR_NO_BINARY_FOR_GPU, "CUDA_ERROR_NO_BINARY_FOR_GPU",
     "no kernel image is available for execution on the device"},
    {CUDA_ERROR_INVALID_PTX, "CUDA_ERROR_INVALID_PTX", "a PTX JIT compilation failed"},
    {CUDA_ERROR_FILE_NOT_FOUND, "CUDA_ERROR_FILE_NOT_FOUND", "file not found"},
    {CUDA_ERROR_OPERATING_SYSTEM, "CUDA_ERROR_OPERATING_SYSTEM",
     "OS call failed or operation not supported on this OS"},
    {CUDA_ERROR_INVALID_HANDLE, "CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"},
    {CUDA_ERROR_ILLEGAL_STATE, "CUDA_ERROR_ILLEGAL_STATE",
     "the operation cannot be performed in the present state"},
    {CUDA_ERROR_NOT_FOUND, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
    {CUDA_ERROR_NOT_READY, "CUDA_ERROR_NOT_READY", "device not ready"},
    {CUDA_ERROR_ILLEGAL_ADDRESS, "CUDA_ERROR_ILLEGAL_ADDRESS",
     "an illegal memory access was encountered"},
    {CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES",
     "too many resources requested for launch"},
    {CUDA_ERROR_LAUNCH_TIMEOUT, "CUDA_ERROR_LAUNCH_TIMEOUT",
     "the launch timed out and was terminated"},
    {CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE, "CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE",
     "cannot set while device is active in this process"},
    {CUDA_ERROR_CONTEXT_IS_DESTROYED, "CUDA_ERROR_CONTEXT_IS_DESTROYED", "context is destroyed"},
    {CUDA_ERROR_ASSERT, "CUDA_ERROR_ASSERT", "device-side assert triggered"},
    {CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, "CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED",
     "part or all of the requested memory range is already mapped"},
    {CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, "CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED",
     "pointer does not correspond to a registered memory region"},
    {CUDA_ERROR_MISALIGNED_ADDRESS, "CUDA_ERROR_MISALIGNED_ADDRESS", "misaligned address"},
    {CUDA_ERROR_LAUNCH_FAILED, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"},
    {CUDA_ERROR_NOT_SUPPORTED, "CUDA_ERROR_NOT_SUPPORTED", "operation not supported"},
    {CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED",
     "operation not permitted when stream is capturing"},
    {CUDA_ERROR_STREAM_CAPTURE_UNMATCHED, "CUDA_ERROR_STREAM_CAPTURE_UNMATCHED",
     "the capture was not initiated in this stream"},
    {CUDA_ERROR_STREAM_CAPTURE_UNJOINED, "CUDA_ERROR_STREAM_CAPTURE_UNJOINED",
     "capturing stream has unjoined work"},
    {CUDA_ERROR_UNKNOWN, "CUDA_ERROR_UNKNOWN", "unknown error"},
};
const ErrorRow *findError(CUresult code) {
  for (const ErrorRow &row : kErrors)
    if (row.code == code)
      return &row;
  return nullptr;
}
} // namespace

CU_API CUresult cuGetErrorName(CUresult code, const char **text) {
  const ErrorRow *row = findError(code);
  if (!text)
    return CUDA_ERROR_INVALID_VALUE;
  *text = row ? row->name : nullptr;
  return row ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/// Of the code that the last launch of this thread gave, the text also says what was found.
CU_API CUresult cuGetErrorString(CUresult code, const char **text) {
  const ErrorRow *row = findError(code);
  if (!text)
    return CUDA_ERROR_INVALID_VALUE;
  *text = row ? row->text : nullptr;
  thread_local std::string longer;
  CUresult last = CUDA_SUCCESS;
  if (const std::string &finding = lastFinding(&last);
      row && code != CUDA_SUCCESS && last == code && !finding.empty()) {
    longer = row->text + (": " + finding);
    *text = longer.c_str();
  }
  return row ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

// ---- the device ----

CU_API CUresult cuDeviceGetCount(int *count) {
  CALL(cuDeviceGetCount);
  if (!count)
    return CUDA_ERROR_INVALID_VALUE;
  *count = 1;
  return CUDA_SUCCESS;
}

CU_API CUresult cuDeviceGet(CUdevice *device, int ordinal) {
  CALL(cuDeviceGet);
  if (!device)
    return CUDA_ERROR_INVALID_VALUE;
  if (ordinal != 0)
    return call.fail(CUDA_ERROR_INVALID_DEVICE,
                     "expected device 0, found " + std::to_string(ordinal));
  *device = 0;
  return CUDA_SUCCESS;
}

CU_API CUresult cuDeviceGetAttribute(int *value, int attribute, CUdevice device) {
  CALL(cuDeviceGetAttribute);
  CHECK_DEVICE(device);
  if (!value || attribute < 1 || attribute > 160)
    return CUDA_ERROR_INVALID_VALUE;
  // 38, the L2 cache, is what benchmarks overwrite before each launch: kept small.
  static const std::map<int, int> values = {
      {1, 1024},       {2, 1024},     {3, 1024},    {4, 64}, // threads of a block
      {5, 0x7fffffff}, {6, 65535},    {7, 65535},            // blocks of a grid
      {8, 49152},      {9, 65536},    {10, 32},     {11, 0x7fffffff}, {12, 65536}, {13, 1'700'000},
      {14, 512},       {15, 1},       {16, 132},    {17, 0},          {18, 0},     {19, 1},
      {20, 0},         {31, 1},       {32, 0},      {33, 0},          {34, 0},     {36, 2'600'000},
      {37, 5120},      {38, 1 << 20}, {39, 2048},   {40, 3},          {41, 1},     {78, 1},
      {79, 1},         {80, 1},       {81, 233472}, {82, 65536},      {83, 1},     {84, 0},
      {85, 0},         {86, 1},       {87, 64},     {88, 1},          {89, 1},     {90, 1},
      {91, 1},         {95, 0},       {96, 0},      {97, 232448},     {99, 1},     {100, 1},
      {101, 1},        {106, 32},     {111, 1024},  {115, 1},         {120, 1},
  };
  if (attribute == 75 || attribute == 76) {
    *value = attribute == 75 ? call->major : call->minor;
    return CUDA_SUCCESS;
  }
  auto it = values.find(attribute);
  *value = it == values.end() ? 0 : it->second; // a feature that is not there
  return CUDA_SUCCESS;
}

CU_API CUresult cuDeviceGetName(char *name, int length, CUdevice device) {
  CALL(cuDeviceGetName);
  CHECK_DEVICE(device);
  if (!name || length < 1)
    return CUDA_ERROR_INVALID_VALUE;
  std::snprintf(name, static_cast<size_t>(length), "tilesmith sm_%d%d", call->major, call->minor);
  return CUDA_SUCCESS;
}

CU_API CUresult cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice device) {
  CALL(cuDeviceGetUuid);
  CHECK_DEVICE(device);
  if (!uuid)
    return CUDA_ERROR_INVALID_VALUE;
  std::memcpy(uuid->bytes, "tilesmith\0\0\0\0\0\0", 16);
  return CUDA_SUCCESS;
}

CU_API CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice device) {
  CALL(cuDeviceTotalMem);
  CHECK_DEVICE(device);
  if (!bytes)
    return CUDA_ERROR_INVALID_VALUE;
  *bytes = size_t(::sysconf(_SC_PHYS_PAGES)) * size_t(::sysconf(_SC_PAGE_SIZE));
  return CUDA_SUCCESS;
}

CU_API CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device) {
  CALL(cuDeviceComputeCapability);
  CHECK_DEVICE(device);
  if (!major || !minor)
    return CUDA_ERROR_INVALID_VALUE;
  *major = call->major, *minor = call->minor;
  return CUDA_SUCCESS;
}

CU_API CUresult cuDeviceGetPCIBusId(char *text, int length, CUdevice device) {
  CALL(cuDeviceGetPCIBusId);
  CHECK_DEVICE(device);
  if (!text || length < 13)
    return CUDA_ERROR_INVALID_VALUE;
  std::snprintf(text, static_cast<size_t>(length), "0000:00:00.0");
  return CUDA_SUCCESS;
}

CU_API CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer) {
  CALL(cuDeviceCanAccessPeer);
  CHECK_DEVICE(device);
  CHECK_DEVICE(peer);
  if (!can)
    return CUDA_ERROR_INVALID_VALUE;
  *can = 0;
  return CUDA_SUCCESS;
}
