//===- Driver.h - what the functions of the driver share --------------------------------------===//
//
// The state behind the handles, in plain C++: no CUDA header, no LLVM. All memory of the "device" is
// host memory, so a device pointer is an address of this process. Work is done when it is asked for,
// in the order of the calls, so every stream is always idle; what a capture records is a list in the
// order of the calls, which satisfies every dependency that its nodes can have.
//
// Invariants
//  - one mutex guards all of the state and is held during a call, launches included;
//  - a handle is looked up before it is used: one that was destroyed, or never made, is an error
//    code and never a crash;
//  - a call that fails leaves no trace but one line in the log; what is not implemented says so and
//    does nothing;
//  - a forked child gets CUDA_ERROR_NOT_INITIALIZED, as from the real driver.
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_DEVICES_DRIVER_DRIVER_H
#define ORACLES_DEVICES_DRIVER_DRIVER_H

#include "oracles/devices/driver/Cuda.h"
#include "oracles/devices/driver/Protocol.h"
#include "oracles/devices/driver/Spans.h"

#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace tilesmith::driver {

struct Context {
  bool primary = false;
  unsigned flags = 0;
  uint64_t id = 0;
  uint64_t limits[16] = {};
};

struct Graph;
struct Stream {
  Context *context = nullptr;
  unsigned flags = 0;
  int priority = 0;
  uint64_t id = 0;
  Graph *capture = nullptr; ///< where its work is recorded; owned by the stream that began
  bool began = false;
};

struct Event {
  Context *context = nullptr;
  unsigned flags = 0;
  std::optional<std::chrono::steady_clock::time_point> time;
  Graph *capture = nullptr; ///< of the stream that it was last recorded in
};

/// Memory that the driver knows. `offset` of the file of own memory; none for registered memory.
struct Allocation {
  enum class Kind { Device, Host, Managed, Registered, Variable } kind = Kind::Device;
  uint64_t base = 0, size = 0, mapped = 0, offset = 0, id = 0;
  Context *context = nullptr;
  void *pool = nullptr;
  std::string name; ///< of a variable
};

struct Library;
struct Kernel {
  Library *library = nullptr;
  Entry entry;
  std::map<int, int> attributes; ///< what was set
};
struct Library {
  std::string image;
  std::vector<std::unique_ptr<Kernel>> kernels;
  /// Number of the module in a server, and which server that is: another one loads it again.
  uint64_t module = 0, server = 0;
  Context *context = nullptr;                ///< of a module; libraries serve every context
  std::map<std::string, uint64_t> variables; ///< whose address was asked for
};

struct Pool {};

/// A launch, ready to run.
struct KernelWork {
  Kernel *kernel = nullptr;
  uint64_t grid[3] = {1, 1, 1};
  uint32_t block[3] = {1, 1, 1}, sharedBytes = 0;
  std::vector<std::string> arguments;
  std::vector<Range> ranges;   ///< host memory that was named for this launch
  std::vector<Span> unwritten; ///< of it, what nobody has written
};

struct Node {
  int type = 0; ///< CUgraphNodeType
  std::function<CUresult()> run;
  std::set<Node *> after;
};
struct Graph {
  std::vector<std::unique_ptr<Node>> nodes; ///< in an order that satisfies the dependencies
  std::vector<uint64_t> memory;             ///< allocations that live as long as it does
  std::set<Stream *> capturing;
};
struct GraphExec {
  std::vector<std::function<CUresult()>> work;
};

class Connection;

struct State {
  std::mutex mutex;
  bool initialised = false;
  pid_t process = 0;
  int major = 9, minor = 0; ///< compute capability
  std::set<Context *> contexts;
  Context *primary = nullptr;
  unsigned primaryUses = 0;
  std::set<Stream *> streams;
  std::set<Event *> events;
  std::set<Library *> libraries;
  std::set<Kernel *> kernels;
  std::set<Graph *> graphs;
  std::set<Node *> nodes;
  std::set<GraphExec *> execs;
  std::set<Pool *> pools;
  std::map<uint64_t, Allocation> memory; ///< by base
  Spans unwritten;                       ///< of device memory: what nobody has written
  uint64_t used = 0, lastId = 0;
  std::unique_ptr<Connection> connection;

  const Allocation *find(uint64_t address) const;
};
State &state();

/// The state, locked; takes care of what is common to all functions.
class Call {
public:
  explicit Call(const char *name);
  /// CUDA_SUCCESS when the function may go on.
  CUresult ready() const { return result; }
  State *operator->() const { return &state(); }
  /// One line in the log that says why; returns the code.
  CUresult fail(CUresult code, const std::string &why) const;

private:
  const char *name;
  std::unique_lock<std::mutex> lock;
  CUresult result;
};

/// Begins a function of the interface: `call` is its Call, and it returns where it may not go on.
#define CALL(NAME)                                                                                 \
  Call call(#NAME);                                                                                \
  if (call.ready() != CUDA_SUCCESS)                                                                \
  return call.ready()

/// There is one device. Says so in the log when another one is asked for.
inline CUresult checkDevice(const Call &call, CUdevice device) {
  return device == 0 ? CUDA_SUCCESS
                     : call.fail(CUDA_ERROR_INVALID_DEVICE,
                                 "expected device 0, found " + std::to_string(device));
}
#define CHECK_DEVICE(DEVICE)                                                                       \
  if (CUresult code = checkDevice(call, DEVICE); code != CUDA_SUCCESS)                             \
  return code

/// Contexts of this thread, the current one last.
std::vector<Context *> &contextStack();
/// The current one that is still alive, or null.
Context *currentContext();

/// The stream of a handle; one of the default streams for null, 1 and 2. Null: not a stream.
Stream *findStream(CUstream handle);

/// Runs `work` now, or records it where the stream is being captured.
CUresult submit(const Call &call, CUstream stream, int nodeType, std::function<CUresult()> work);

/// Runs a launch: the code, and in the thread's text what was found.
CUresult runKernel(const KernelWork &work);
/// What the last launch of this thread found, for cuGetErrorString.
std::string &lastFinding(CUresult *code = nullptr);
/// The same of a call that failed: returns the code.
CUresult remember(CUresult code, const std::string &why);

/// The kernel of a handle, or null; and what a call with another handle returns.
Kernel *asKernel(const Call &call, const void *handle);
CUresult noKernel(const Call &call);
/// Where a parameter of a kernel stands among the bytes of all, and how many it has.
CUresult parameterInfo(const Call &call, const void *handle, size_t index, size_t *offset,
                       size_t *size);

/// How many blocks a launch has, and what each is given.
struct Shape {
  unsigned grid[3], block[3], sharedBytes;
};
/// Reads a launch from what cuLaunchKernel gets. Takes the host memory that this thread named.
CUresult readLaunch(const Call &call, CUfunction function, const Shape &shape, void **params,
                    void **extra, KernelWork &work);

CUresult allocate(const Call &call, uint64_t size, Allocation::Kind kind, uint64_t *address);
CUresult release(const Call &call, uint64_t address, bool hostMemory);
/// Variables go with their module.
void releaseVariables(State &all, Library &library);
/// Fills `height` rows of `width` elements of device memory, each `pitch` bytes behind the last.
CUresult fillRows(const char *name, uint64_t to, size_t pitch, uint64_t value, unsigned element,
                  size_t width, size_t height);

/// A setting: what tilesmithConfigure was told, else `TILESMITH_NAME`, else the line `name = value` of the file TILESMITH_CONFIG, else
/// nothing. `name` as in `detect-races`.
std::optional<std::string> setting(const std::string &name);
/// One line, to where TILESMITH_LOG says: a file, or standard error for `1`.
void log(const std::string &line);
/// One line that a user must see: standard error, and the log.
void tell(const std::string &line);

} // namespace tilesmith::driver

#endif // ORACLES_DEVICES_DRIVER_DRIVER_H
