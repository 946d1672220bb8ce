//===- Hazards.h - accesses of different threads between two barriers -------------------------===//
//
// Watches one tile block: which thread touched which byte since the latest block barrier. A write
// and any other access of the same byte by another thread, without a barrier between them and not
// both strong, is a hazard. Which thread makes an access follows from the layout of the accessed
// tile: of the threads that hold an element only the first one writes, all of them read.
//
// Shares nothing with the pass that inserts barriers: no tokens, no aliases, only addresses.
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_ENGINES_TILEAS_HAZARDS_H
#define ORACLES_ENGINES_TILEAS_HAZARDS_H

#include "oracles/engines/tileaa/Machine.h"

#include "llvm/ADT/DenseMap.h"

namespace tilesmith::oracles::tileas_engine {

class HazardChecker : public tileaa_engine::AccessObserver {
public:
  reference::Status access(mlir::Operation *op, size_t index, uint64_t address, unsigned size,
                           bool isWrite, bool isStrong) override;
  void barrier() override { bytes.clear(); }

private:
  /// Who touched a byte; kSeveral stands for more than one thread.
  struct Byte {
    int32_t reader = kNobody, writer = kNobody;
    bool readWeakly = false, writtenWeakly = false;
    mlir::Operation *readBy = nullptr, *writtenBy = nullptr;
  };
  static constexpr int32_t kNobody = -1, kSeveral = -2;

  llvm::DenseMap<uint64_t, Byte> bytes;
};

} // namespace tilesmith::oracles::tileas_engine

#endif // ORACLES_ENGINES_TILEAS_HAZARDS_H
