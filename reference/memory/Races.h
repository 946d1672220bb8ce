//===- Races.h - happens-before between memory accesses ---------------------------------------===//
//
// Only tokens and release/acquire pairs order accesses; program order, data and
// control dependence do not. A tile block is therefore a graph of ops. It is covered by chains: an
// op that consumes the token of the last op of a chain extends that chain, any other op opens a new
// one. A clock maps chains to positions; op A happens before op B iff B's clock reaches A's
// position on A's chain. Elements of one op are never ordered among themselves.
//
// Two accesses of overlapping bytes, at least one of them writing, must be ordered or morally
// strong (both strong, each scope includes the other's tile block, identical range); otherwise they
// race, which is undefined behaviour.
//
// An acquire that reads what a release wrote (or what read-modify-writes made of it) is ordered
// after it, from the acquire's token onwards. The detector sees one execution; it reports a race
// only where that execution has one.
//
// Accesses that are not ordered but morally strong may meet in either order. Where the order shows
// (an old value that is used, a final value that is not the same in both) the detector remembers
// the first such pair: what the program leaves is then one of several legal results.
//
//===------------------------------------------------------------------------------------------===//
#ifndef REFERENCE_MEMORY_RACES_H
#define REFERENCE_MEMORY_RACES_H

#include <array>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace tilesmith::reference {

enum class AccessOrder : uint8_t { Weak, Relaxed, Acquire, Release, AcquireRelease };
enum class AccessScope : uint8_t { Block, Device, System };

/// Position on a chain.
struct ChainPosition {
  uint32_t chain, position;
};

/// Chains in ascending order with the position reached on each.
using Clock = std::vector<ChainPosition>;
using ClockPtr = std::shared_ptr<const Clock>;

/// What a token stands for: everything that happens before its consumer, and the ops that produced
/// it.
struct TokenClock {
  ClockPtr clock;
  llvm::SmallVector<ChainPosition, 1> heads;
};
using TokenPtr = std::shared_ptr<const TokenClock>; ///< null: nothing before it

/// The token that comes after both.
TokenPtr joinTokens(const TokenPtr &a, const TokenPtr &b);

struct Race {
  const void *first;   ///< the op (as given to begin) whose access came earlier in this execution
  uint32_t firstBlock; ///< its tile block
  bool firstWrites;
  uint64_t address;
};

/// What a strong access shows of its place in the order.
struct OrderTrace {
  unsigned update = 0;   ///< not 0: a read-modify-write that commutes with those of equal number
  bool valueUsed = true; ///< something reads the value it returns
};

/// Two strong accesses whose order nothing fixes and that shows.
struct OpenOrder {
  const void *first, *second; ///< the ops
};

class RaceDetector {
public:
  /// One execution of one memory op.
  struct Access {
    uint32_t record = 0;
    ClockPtr clock;    ///< of the op itself
    ClockPtr acquired; ///< gained by its acquiring reads
    bool off = false;  ///< the detector has given up
  };

  /// [spec: model-token-order, model-event, model-elements-unordered]
  Access begin(const void *op, uint32_t block, AccessOrder order, AccessScope scope,
               const TokenPtr &after, OrderTrace trace = {});
  /// One element of the access. `allocation` is the base address of the allocation that holds it.
  std::optional<Race> touch(Access &access, uint64_t allocation, uint64_t address, unsigned size,
                            bool reads, bool writes);
  TokenPtr end(const Access &access);

  /// The first pair of accesses whose order is open and shows.
  /// [spec: order-open]
  const std::optional<OpenOrder> &openOrder() const { return open; }

  /// True once a limit was reached and accesses are no longer checked.
  /// [spec: race-detector-limits]
  bool gaveUp() const { return exhausted; }

private:
  struct Record {
    const void *op;
    uint32_t block;
    AccessOrder order;
    AccessScope scope;
    ChainPosition at;
    ClockPtr clock;
    OrderTrace trace;
    bool strong() const { return order != AccessOrder::Weak; }
    bool releases() const {
      return order == AccessOrder::Release || order == AccessOrder::AcquireRelease;
    }
    bool acquires() const {
      return order == AccessOrder::Acquire || order == AccessOrder::AcquireRelease;
    }
  };
  /// One earlier access of a cell.
  struct Entry {
    uint64_t start;
    uint32_t record;
    uint8_t size;
    bool reads, writes;
  };
  struct Cell {
    llvm::SmallVector<Entry, 2> entries;
    ClockPtr release;       ///< clock that an acquire of the present value gains; null if none
    Entry releaser = {};    ///< the write that head it
    bool unchecked = false; ///< too many unordered accesses, as where a block waits for a flag
  };
  /// Cells of one allocation, one per `granule` bytes, made in chunks of neighbours.
  struct Shadow {
    static constexpr uint64_t kChunk = 16;
    using Chunk = std::array<Cell, kChunk>;
    unsigned granule = 0;
    llvm::DenseMap<uint64_t, std::unique_ptr<Chunk>> chunks;
    uint64_t lastNumber = 0; ///< of the chunk used last, which is likely to be used next
    Chunk *last = nullptr;

    /// The cell of one granule; `isNew` is set when its chunk had to be made.
    Cell &cell(uint64_t index, bool &isNew);
  };

  Shadow &shadowFor(uint64_t allocation, uint64_t address, unsigned size);
  /// [spec: model-happens-before, model-program-order]
  bool orderedBefore(const Record &earlier, const Clock &later) const;
  /// [spec: model-strong, model-scope, model-partial-overlap, model-block-scope]
  bool morallyStrong(const Entry &a, const Entry &b) const;
  /// Notes that two accesses may come in either order.
  void meet(const Entry &a, const Entry &b);
  /// Compares with the earlier accesses of the cell and remembers this one.
  /// [spec: model-race]
  std::optional<Race> visit(Cell &cell, const Access &access, const Entry &now);
  /// What an acquire that reads this write gains.
  /// [spec: model-synchronises]
  void publish(Cell &cell, const Access &access, const Entry &now, bool reads);

  std::vector<Record> records;
  std::vector<uint32_t> chainLengths;
  llvm::DenseMap<uint64_t, Shadow> shadows;
  uint64_t cellCount = 0;
  std::optional<OpenOrder> open;
  bool exhausted = false;
};

} // namespace tilesmith::reference

#endif // REFERENCE_MEMORY_RACES_H
