// Internal: what compiled kernels, the scheduler and the device operations share.
//
// Calling convention of device operations: the host lowering stores every operand of a device call
// into consecutive 8-byte slots of a struct in the caller's entry block and calls
// `rt.<name>(struct*, site)`. Results come back in the same slots, one slot (or as many as the type
// needs) per result component. i1 is one byte holding 0 or 1.
#pragma once

#include "oracles/devices/emulator/Emulator.h"

#include <cstring>

#include "llvm/Support/FormatVariadic.h"

namespace tilesmith::emulator {

/// Registers that compiled code reads straight from the current thread (ThreadRegs::r).
enum class SReg : uint32_t {
  TidX,
  TidY,
  TidZ,
  LaneId,
  WarpId,
  LaneMaskEq,
  LaneMaskLe,
  LaneMaskLt,
  LaneMaskGe,
  LaneMaskGt,
  FirstOfBlock, // everything below is the same for all threads of a block
  NtidX = FirstOfBlock,
  NtidY,
  NtidZ,
  CtaIdX,
  CtaIdY,
  CtaIdZ,
  NCtaIdX,
  NCtaIdY,
  NCtaIdZ,
  NWarpId,
  SmId,
  NSmId,
  GridId,
  ClusterIdX,
  ClusterIdY,
  ClusterIdZ,
  NClusterIdX,
  NClusterIdY,
  NClusterIdZ,
  ClusterCtaIdX,
  ClusterCtaIdY,
  ClusterCtaIdZ,
  ClusterNCtaIdX,
  ClusterNCtaIdY,
  ClusterNCtaIdZ,
  ClusterCtaRank,
  ClusterNCtaRank,
  DynamicSmemSize,
  TotalSmemSize,
  Zero,
  One,
  WarpSize,
  Count
};
constexpr unsigned kSRegCount = static_cast<unsigned>(SReg::Count);

/// What `__ts_current` points to while a thread runs. The fork knows this layout.
struct ThreadRegs {
  uint32_t r[kSRegCount + kSRegCount % 2];
  uint64_t sharedBase; // address of the block's shared memory, below 2 GiB

  uint32_t &operator[](SReg reg) { return r[static_cast<unsigned>(reg)]; }
  uint32_t operator[](SReg reg) const { return r[static_cast<unsigned>(reg)]; }
};
static_assert(offsetof(ThreadRegs, sharedBase) == sizeof(ThreadRegs::r));

/// Operand and result slots of one device call.
struct Frame {
  uint64_t slot[1];

  template <typename T> T get(unsigned index) const {
    T value;
    std::memcpy(&value, reinterpret_cast<const char *>(this) + 8 * index, sizeof(T));
    return value;
  }
  template <typename T> void put(unsigned index, T value) {
    std::memcpy(reinterpret_cast<char *>(this) + 8 * index, &value, sizeof(T));
  }
  bool flag(unsigned index) const { return get<uint8_t>(index) & 1; }
  void putFlag(unsigned index, bool value) { put<uint8_t>(index, value ? 1 : 0); }
};

struct Intrinsic;
constexpr uint32_t kNoSite = ~0u;

/// One place in the program that calls the runtime.
struct Site {
  const Intrinsic *op = nullptr; // null for plain memory accesses
  const std::string *function = nullptr;
  const std::string *file = nullptr; // null without debug information
  unsigned line = 0, column = 0;
  // memory accesses only
  uint32_t size = 0, align = 1;
  uint8_t space = 0;
  enum Access : uint8_t { None, Load, Store, Atomic } access = None;
  uint8_t order = 0; // 0: not atomic; 1 relaxed or volatile, 2 acquire, 3 release, 4 both
  uint8_t scope = 3; // 0 block, 1 cluster, 2 device, 3 system; of atomics and fences
};

/// Lanes of one warp that execute a collective together. `frames[l]` is valid for l in `lanes`.
struct WarpCall {
  const Site &site;
  uint32_t siteId;
  uint32_t mask;  // operand mask (or all lanes of the warp)
  uint32_t lanes; // lanes that take part
  Frame *const *frames;

  template <typename F> void forEachLane(F &&f) const {
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
      f(static_cast<unsigned>(__builtin_ctz(rest)));
  }
};

using WarpFn = void (*)(const WarpCall &);
using FrameFn = void (*)(Frame *, uint32_t site);

// ---- services of the running device, for device operations (they act on the calling thread) ----

/// Ends the launch; does not return, and nothing between here and the host flow is unwound: callers
/// must not own heap memory on their stack. That is why messages are format objects. Place, thread
/// and block are appended.
[[noreturn]] void fatal(Report::Status status, const llvm::formatv_object_base &message,
                        uint32_t site, uint32_t otherSite = kNoSite);
[[noreturn]] void fatal(Report::Status status, const char *message, uint32_t site,
                        uint32_t otherSite = kNoSite);

/// Steps executed so far: the emulator's clock.
uint64_t deviceClock();
/// Appends to the launch's printed text.
void devicePrint(std::string_view text);
/// True when [address, address+size) lies in the shared memory of the running block.
bool isSharedAddress(uint64_t address, uint64_t size);
/// True when the address lies on the running thread's stack.
bool isLocalAddress(uint64_t address);
/// Checks an access made by a device operation on behalf of the thread; fatal when out of range or
/// misaligned.
void checkAccess(uint64_t address, uint32_t size, uint32_t align, Site::Access access,
                 uint8_t space, uint32_t site);
/// Tells the uninitialised-memory check about an access that a device operation makes; `Load` of a
/// byte that was never stored is fatal when the launch asks for it.
void trackWritten(uint64_t address, uint32_t size, Site::Access access, uint32_t site);
/// Tells the race detector what a device operation does on behalf of the running thread.
void raceRead(uint64_t address, uint32_t size, uint32_t site);
void raceWrite(uint64_t address, uint32_t size, uint32_t site);
/// An access by another lane of the running warp, as checkAccess and trackWritten would see it.
void laneAccess(unsigned lane, uint64_t address, uint32_t size, uint32_t align, Site::Access access,
                uint32_t site);
/// Lets other threads run.
void deviceYield();

/// "block (x,y,z) thread (x,y,z)" of the calling thread.
std::string describeThread();
std::string describeSite(const Site &site);

/// Entry points of the scheduler that the intrinsic table names.
void rtWarpCollective(Frame *frame, uint32_t site);
void rtBarrier(Frame *frame, uint32_t site);
void rtClusterBarrier(Frame *frame, uint32_t site);
void rtTick();
void rtFence(uint32_t site);
void rtCheck(uint64_t address, uint32_t site);
void rtTrap(Frame *frame, uint32_t site);
void rtExit(Frame *frame, uint32_t site);
void rtUnreachable(Frame *frame, uint32_t site);
void rtUnsupported(Frame *frame, uint32_t site);
void rtNanosleep(Frame *frame, uint32_t site);
void rtMbarrier(Frame *frame, uint32_t site);
void rtMbarrierWaitLoop(Frame *frame, uint32_t site);
void rtWgmmaUse(uint32_t site);
void rtTensorUse(uint32_t site);

/// The intrinsic that a site calls.
const Intrinsic &siteIntrinsic(uint32_t site);

} // namespace tilesmith::emulator
