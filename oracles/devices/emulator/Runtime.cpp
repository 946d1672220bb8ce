// The runtime that compiled kernels call: forwards to the running device; memory checks; host
// signals as faults.
#include "oracles/devices/emulator/Runtime.h"

#include "oracles/devices/emulator/Device.h"

#include <csignal>
#include <mutex>
#include <sys/mman.h>
#include <ucontext.h>

#include "llvm/Support/FormatVariadic.h"

namespace tilesmith::emulator {

// ---- descriptions ----

std::string describeThread() {
  Device *device = Device::running();
  if (!device || !device->current)
    return "no thread";
  const ThreadRegs &regs = device->current->regs;
  return llvm::formatv("block ({0},{1},{2}) thread ({3},{4},{5})", regs[SReg::CtaIdX],
                       regs[SReg::CtaIdY], regs[SReg::CtaIdZ], regs[SReg::TidX], regs[SReg::TidY],
                       regs[SReg::TidZ]);
}

std::string describeSite(const Site &site) {
  std::string text;
  if (site.op) {
    llvm::StringRef name = site.op->name;
    name.consume_front("llvm.nvvm.");
    text = name.str();
  } else {
    const char *kinds[] = {"operation", "load", "store", "atomic"};
    text = kinds[site.access];
  }
  if (site.function)
    text += " in '" + *site.function + "'";
  if (site.file)
    text += llvm::formatv(" at {0}:{1}:{2}", *site.file, site.line, site.column);
  return text;
}

void fatal(Report::Status status, const char *message, uint32_t site, uint32_t otherSite) {
  Device &device = *Device::running();
  {
    const auto &sites = device.program.lowered.sites;
    std::string &text = device.report.message;
    text = message;
    if (site != kNoSite)
      text += ", " + describeSite(sites[site]);
    if (otherSite != kNoSite)
      text += " and " + describeSite(sites[otherSite]);
  }
  device.stop(status);
}

void fatal(Report::Status status, const llvm::formatv_object_base &message, uint32_t site,
           uint32_t otherSite) {
  thread_local std::string buffer;
  buffer = message.str();
  fatal(status, buffer.c_str(), site, otherSite);
}

// ---- services ----

uint64_t deviceClock() {
  return Device::running()->steps();
}
void deviceYield() {
  Device::running()->yield();
}
const Intrinsic &siteIntrinsic(uint32_t site) {
  return *Device::running()->program.lowered.sites[site].op;
}

void devicePrint(std::string_view text) {
  Device &device = *Device::running();
  if (device.report.printed.size() < device.config.maxPrintedBytes)
    device.report.printed += text;
}

bool isSharedAddress(uint64_t address, uint64_t size) {
  const Device &device = *Device::running();
  const uint64_t offset = address - device.current->regs.sharedBase;
  return offset < device.sharedBytes && device.sharedBytes - offset >= size;
}

bool isLocalAddress(uint64_t address) {
  return Device::running()->current->stack->contains(address);
}

// Shared memory lies in no span of the table.
static void trackGlobal(uint64_t address, uint32_t size, Site::Access access, uint32_t site) {
  Device &device = *Device::running();
  UnwrittenTable &unwritten = device.program.unwritten;
  if (access == Site::Load || access == Site::Atomic)
    if (std::optional<uint64_t> byte = unwritten.find(address, size)) {
      const RangeTable::Range *range = device.program.ranges.find(*byte);
      fatal(Report::Fault,
            llvm::formatv("uninitialised device memory is read (byte {0} of '{1}')",
                          *byte - (range ? range->base : 0), range ? range->name.c_str() : ""),
            site);
    }
  if (access == Site::Store || access == Site::Atomic)
    unwritten.write(address, size);
}

void checkAccess(uint64_t address, uint32_t size, uint32_t align, Site::Access access,
                 uint8_t space, uint32_t site) {
  Site record = Device::running()->program.lowered.sites[site];
  record.size = size, record.align = align, record.access = access, record.space = space;
  Device &device = *Device::running();
  device.checkSlow(address, record);
  if (access == Site::Store || access == Site::Atomic)
    trackWritten(address, size, access, site);
  else if (device.tracksGlobal)
    trackGlobal(address, size, access, site);
}

void trackWritten(uint64_t address, uint32_t size, Site::Access access, uint32_t site) {
  Device &device = *Device::running();
  if (!device.tracksShared || access == Site::None)
    return;
  Block *holder =
      isSharedAddress(address, size) ? device.current->block : device.peerWith(address, size);
  if (!holder) {
    if (device.tracksGlobal)
      trackGlobal(address, size, access, site);
    return;
  }
  std::vector<bool> &written = holder->written;
  const uint64_t offset = address - holder->shared.base();
  if (access != Site::Store)
    for (uint32_t i = 0; i < size; ++i)
      if (!written[offset + i])
        fatal(Report::Fault,
              llvm::formatv("uninitialised shared memory is read (offset {0}, {1} bytes)", offset,
                            size),
              site);
  for (uint32_t i = 0; access != Site::Load && i < size; ++i)
    written[offset + i] = true;
}

// ---- entry points of compiled code ----

void rtClusterBarrier(Frame *frame, uint32_t site) {
  Device::running()->clusterBarrier(frame, site);
}
void rtTick() {
  Device::running()->tick();
}
void rtNanosleep(Frame *, uint32_t) {
  Device::running()->yield();
}
void rtTrap(Frame *, uint32_t site) {
  fatal(Report::Trapped, "trap", site);
}
void rtExit(Frame *, uint32_t) {
  Device::running()->exitThread();
}
void rtUnreachable(Frame *, uint32_t site) {
  fatal(Report::Fault, "unreachable code reached", site);
}
void rtUnsupported(Frame *, uint32_t site) {
  Device &device = *Device::running();
  device.report.message = "unsupported " + *device.program.lowered.sites[site].function;
  device.stop(Report::Unsupported);
}

void rtFence(uint32_t siteId) {
  Device &device = *Device::running();
  if (device.races)
    device.races->fence(device.current->id, device.program.lowered.sites[siteId].scope);
}

void raceRead(uint64_t address, uint32_t size, uint32_t site) {
  Device &device = *Device::running();
  if (device.races)
    device.races->access(device.current->id, device.current->id, address, size, false,
                         RaceDetector::Plain, false, site);
}
void raceWrite(uint64_t address, uint32_t size, uint32_t site) {
  Device &device = *Device::running();
  if (device.races)
    device.races->access(device.current->id, device.current->id, address, size, true,
                         RaceDetector::Plain, false, site);
}

void laneAccess(unsigned lane, uint64_t address, uint32_t size, uint32_t align, Site::Access access,
                uint32_t siteId) {
  Device &device = *Device::running();
  Thread *const self = device.current;
  device.current = self->warp->lanes[lane];
  Site record = device.program.lowered.sites[siteId];
  record.size = size, record.align = align, record.access = access, record.space = 0;
  device.checkSlow(address, record);
  trackWritten(address, size, access, siteId);
  device.raceAccess(address, record, siteId);
  if (device.accesses)
    device.countAccess(address, record, siteId);
  device.current = self;
}

void Device::raceAccess(uint64_t address, const Site &site, uint32_t siteId) {
  if (!races || (site.space == 0 && current->stack->contains(address)))
    return;
  const bool isAtomic = site.order != 0;
  const bool writes = site.access != Site::Load;
  const bool reads = site.access != Site::Store;
  races->access(current->id, current->id, address, site.size, writes,
                !isAtomic         ? RaceDetector::Plain
                : site.scope == 0 ? RaceDetector::AtomicBlock
                                  : RaceDetector::Atomic,
                false, siteId);
  if (isAtomic)
    races->atomic(current->id, address, site.order, site.scope, reads, writes);
}

void Device::countAccess(uint64_t address, const Site &site, uint32_t siteId) {
  if (!current->stack->contains(address))
    accesses->add(*current, address, site, siteId, report.counters);
}

std::string Device::describeThread(uint32_t id) const {
  const auto &block = *blocks[id / blocks.front()->threads.size()];
  const ThreadRegs &regs = block.threads[id % blocks.front()->threads.size()].regs;
  return llvm::formatv("block ({0},{1},{2}) thread ({3},{4},{5})", regs[SReg::CtaIdX],
                       regs[SReg::CtaIdY], regs[SReg::CtaIdZ], regs[SReg::TidX], regs[SReg::TidY],
                       regs[SReg::TidZ]);
}

Block *Device::peerWith(uint64_t address, uint64_t size) {
  const uint32_t count = clusterSize();
  if (count == 1)
    return nullptr;
  for (uint32_t rank = 0; rank < count; ++rank) {
    Block &candidate = peer(rank);
    const uint64_t offset = address - candidate.shared.base();
    if (offset < sharedBytes && sharedBytes - offset >= size)
      return &candidate;
  }
  return nullptr;
}

void rtCheck(uint64_t address, uint32_t siteId) {
  Device &device = *Device::running();
  const Site &site = device.program.lowered.sites[siteId];
  ++device.report.counters.checkedAccesses;
  if ((address & (site.align - 1)) == 0) {
    if (site.space == 3 || site.space == 0) {
      const uint64_t offset = address - device.current->regs.sharedBase;
      if (offset < device.sharedBytes && device.sharedBytes - offset >= site.size) {
        if (device.tracksShared)
          trackWritten(address, site.size, site.access, siteId);
        if (device.races)
          device.raceAccess(address, site, siteId);
        if (device.accesses)
          device.countAccess(address, site, siteId);
        return;
      }
    }
  }
  if ((address & (site.align - 1)) != 0 || site.space == 3 ||
      !device.program.ranges.contains(address, site.size))
    device.checkSlow(address, site);
  if (device.tracksGlobal)
    trackGlobal(address, site.size, site.access, siteId);
  if (device.races)
    device.raceAccess(address, site, siteId);
  if (device.accesses)
    device.countAccess(address, site, siteId);
}

// What is wrong with an access; empty when nothing is.
static std::string judgeAccess(Device &device, uint64_t address, const Site &site) {
  ProgramImpl &program = device.program;
  if (site.align && address % site.align != 0)
    return llvm::formatv("misaligned access (needs {0} bytes alignment)", site.align);
  const bool inShared = isSharedAddress(address, site.size);
  if (site.space == 0 || site.space == 7)
    if (Block *peer = inShared ? nullptr : device.peerWith(address, site.size))
      return peer->live ? "" : "access to the shared memory of a block that has exited";
  if (site.space == 3 || site.space == 7)
    return inShared ? std::string()
                    : llvm::formatv("shared memory access out of bounds (offset {0} of {1} bytes)",
                                    static_cast<int64_t>(address - device.current->regs.sharedBase),
                                    device.sharedBytes)
                          .str();
  if (site.space == 0 && (inShared || isLocalAddress(address)))
    return "";
  if (program.ranges.contains(address, site.size) ||
      program.moduleRanges.contains(address, site.size))
    return "";
  if (address < 4096)
    return "null pointer access";
  if (program.ranges.empty())
    return "";
  const std::string nearest = program.ranges.describeNearest(address, site.size);
  return "out of bounds access" + (nearest.empty() ? std::string() : " (" + nearest + ")");
}

void Device::checkSlow(uint64_t address, const Site &site) {
  bool faulty;
  {
    std::string fault = judgeAccess(*this, address, site);
    faulty = !fault.empty();
    if (faulty)
      report.message = llvm::formatv("{0}: {1} of {2} bytes at {3:x}", fault, describeSite(site),
                                     site.size, address);
  }
  if (faulty)
    stop(Report::Fault);
}

// ---- host signals ----
//
// A kernel that touches unmapped memory or overflows its stack must not take the process down. The
// handler redirects the interrupted context to `faultEntry`, which reports the fault like any other
// runtime call.

namespace {

thread_local int pendingSignal = 0;
thread_local uint64_t pendingAddress = 0;
thread_local char *spareStack = nullptr; // for faults that hit the guard page
constexpr size_t kSpareBytes = 128 * 1024;

constexpr int kSignals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
struct sigaction previousActions[4];
std::mutex installMutex;
unsigned installCount = 0;

void faultEntry() {
  Device::running()->faultSignal(pendingSignal, pendingAddress);
}

void onSignal(int signal, siginfo_t *info, void *raw) {
  Device *device = Device::running();
  auto *context = static_cast<ucontext_t *>(raw);
  if (!device || !device->current || !device->current->stack) {
    for (size_t i = 0; i < std::size(kSignals); ++i)
      if (kSignals[i] == signal)
        sigaction(signal, &previousActions[i],
                  nullptr); // the instruction runs again and meets the old handler
    return;
  }
  pendingSignal = signal;
  pendingAddress = reinterpret_cast<uint64_t>(info->si_addr);
  auto stack = static_cast<uint64_t>(context->uc_mcontext.gregs[REG_RSP]);
  const Stack &own = *device->current->stack;
  if (!own.contains(stack) || stack - reinterpret_cast<uint64_t>(own.low) < 32 * 1024)
    stack = reinterpret_cast<uint64_t>(spareStack) + kSpareBytes;
  stack = (stack - 512) & ~uint64_t{15};
  context->uc_mcontext.gregs[REG_RSP] = static_cast<greg_t>(stack - 8);
  context->uc_mcontext.gregs[REG_RIP] = reinterpret_cast<greg_t>(&faultEntry);
}

} // namespace

void Device::faultSignal(int signal, uint64_t address) {
  if (signal == SIGFPE)
    report.message = "arithmetic exception";
  else if (signal == SIGILL)
    report.message = "illegal instruction";
  else if (current->stack->guardContains(address))
    report.message = "local memory overflow: the thread's stack is used up";
  else {
    const std::string nearest = program.ranges.describeNearest(address, 1);
    report.message = llvm::formatv("access to unmapped address {0:x}{1}", address,
                                   nearest.empty() ? std::string() : " (" + nearest + ")");
  }
  stop(Report::Fault);
}

SignalGuard::SignalGuard() {
  if (!spareStack) {
    auto *memory = static_cast<char *>(mmap(nullptr, 2 * kSpareBytes, PROT_READ | PROT_WRITE,
                                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    spareStack = memory == MAP_FAILED ? nullptr : memory;
    stack_t old{};
    sigaltstack(nullptr, &old);
    if (spareStack && old.ss_flags & SS_DISABLE) {
      stack_t alternate{};
      alternate.ss_sp = memory + kSpareBytes;
      alternate.ss_size = kSpareBytes;
      sigaltstack(&alternate, nullptr);
    }
  }
  std::lock_guard lock(installMutex);
  if (installCount++)
    return;
  struct sigaction action{};
  action.sa_sigaction = onSignal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < std::size(kSignals); ++i)
    sigaction(kSignals[i], &action, &previousActions[i]);
}

bool SignalGuard::ready() const {
  return spareStack != nullptr;
}

SignalGuard::~SignalGuard() {
  std::lock_guard lock(installMutex);
  if (--installCount)
    return;
  for (size_t i = 0; i < std::size(kSignals); ++i)
    sigaction(kSignals[i], &previousActions[i], nullptr);
}

} // namespace tilesmith::emulator
