//===- Tma.h - asynchronous copies: what Async.cpp and Tma.cpp share --------------------------===//
#ifndef ORACLES_DEVICES_EMULATOR_TMA_H
#define ORACLES_DEVICES_EMULATOR_TMA_H

#include "oracles/devices/emulator/Device.h"

namespace tilesmith::emulator {

/// Performs the copy now or puts it off. kind: 0 cp.async, 1 bulk, 2 tcgen05.
void issueAsync(Thread::AsyncOp op, int kind);
/// Tells the race detector about an access by the running thread's (or the barrier's) agent.
void raceAsync(uint64_t address, uint32_t size, bool isWrite, uint64_t barrier, bool asyncProxy,
               uint32_t site);
/// A write to global memory by a bulk copy of the running thread, which is complete later than what
/// the copy reads.
void raceBulkStore(uint64_t address, uint32_t size, uint32_t site);
/// kind: 0 cp.async, 1 bulk.
void commitGroup(int kind);
/// `readsOnly`: bulk stores have read their sources, and may write yet.
void waitGroups(int kind, size_t keep, bool readsOnly = false);
/// Faults unless an initialised mbarrier lies there.
void requireMbarrier(uint64_t address, uint32_t site);

/// f(shift) for every block of the cluster in the mask: what to add to an address of this block.
template <typename F> void forEachCastTarget(uint16_t mask, uint32_t site, F &&f) {
  Device &device = *Device::running();
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    const uint32_t rank = __builtin_ctz(rest);
    if (rank >= device.clusterSize())
      fatal(Report::Fault,
            llvm::formatv("multicast to block {0} of a cluster of {1}", rank, device.clusterSize()),
            site);
    f(static_cast<int64_t>(device.peer(rank).shared.base() - device.current->regs.sharedBase));
  }
}

} // namespace tilesmith::emulator

#endif // ORACLES_DEVICES_EMULATOR_TMA_H
