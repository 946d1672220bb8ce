//===- Hazards.h - accesses of different threads between two barriers -------------------------===//
//
// Watches one tile block: which thread touched which byte since the latest block barrier. A write
// and any other access of the same byte by another thread, without a barrier between them and not
// both strong, is a hazard. Which thread makes an access follows from the layout of the accessed
// tile: of the threads that hold an element only the first one writes, all of them read.
//
// Blocks of a cluster are watched in the same way, as if each were one thread, between two barriers
// of the cluster.
//
// Shares nothing with the pass that inserts barriers: no tokens, no aliases, only addresses.
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_ENGINES_TILEAS_HAZARDS_H
#define ORACLES_ENGINES_TILEAS_HAZARDS_H

#include "oracles/engines/tileaa/Machine.h"

#include "llvm/ADT/DenseMap.h"

#include <array>
#include <memory>

namespace tilesmith::oracles::tileas_engine {

class Places;

class HazardChecker : public tileaa_engine::AccessObserver {
public:
  reference::Status access(mlir::Operation *op, size_t index, uint64_t address, unsigned size,
                           bool isWrite, bool isStrong) override;
  void barrier() override { bytes.forget(); }
  void joinCluster(AccessObserver &first, int64_t rank) override;
  void clusterBarrier(bool completes) override;

private:
  class Bytes;
  /// Notes an access by `agent`, a thread of a block or a block of a cluster.
  static reference::Status note(Bytes &bytes, llvm::StringRef agents, int32_t agent,
                                mlir::Operation *op, uint64_t address, unsigned size, bool isWrite,
                                bool isStrong);

  /// Who touched a byte; kSeveral stands for more than one thread.
  struct Byte {
    int32_t reader = kNobody, writer = kNobody;
    bool readWeakly = false, writtenWeakly = false;
    uint32_t epoch = 0; ///< the barrier behind which this was noted
    mlir::Operation *readBy = nullptr, *writtenBy = nullptr;
  };
  static constexpr int32_t kNobody = -1, kSeveral = -2;

  /// What was touched since the latest barrier, in pages of addresses: neighbours are found without a search, and a
  /// barrier forgets them all at once.
  class Bytes {
  public:
    Byte &at(uint64_t address);
    void forget();

  private:
    static constexpr unsigned kPageBits = 7;
    static constexpr size_t kMostPages = 4096;
    using Page = std::array<Byte, size_t(1) << kPageBits>;
    llvm::DenseMap<uint64_t, std::unique_ptr<Page>> pages;
    Page *latest = nullptr;
    uint64_t latestNumber = 0;
    uint32_t epoch = 1;
  };

  /// Where the elements of the tile lie that an operation accesses; null for scalars.
  const Places *placesAt(mlir::Operation *op);

  Bytes bytes;
  mlir::Operation *latestOp = nullptr;
  std::shared_ptr<const Places> latestPlaces;
  std::shared_ptr<Bytes> clusterBytes; ///< of all blocks of a cluster; null: no cluster
  int32_t rank = 0;
};

} // namespace tilesmith::oracles::tileas_engine

#endif // ORACLES_ENGINES_TILEAS_HAZARDS_H
