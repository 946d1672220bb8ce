//===- Tcgen05.h - tensor memory, and the operations that wait in a thread's queue ------------===//
#ifndef ORACLES_DEVICES_EMULATOR_TCGEN05_H
#define ORACLES_DEVICES_EMULATOR_TCGEN05_H

#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <vector>

namespace tilesmith::emulator {

class Device;
struct Block;

/// The tensor memory of a block: 128 lanes of 512 columns of 32 bits.
struct TensorMemory {
  static constexpr uint32_t kLanes = 128, kColumns = 512;
  static constexpr uint32_t kPoison = 0xffffffff;

  uint32_t cells[kLanes][kColumns];
  bool written[kLanes][kColumns];
  /// Products into the column whose completion nobody has been told of.
  uint16_t inFlight[kColumns];
  bool allocated[kColumns];
  struct Allocation {
    uint32_t first, count;
  };
  llvm::SmallVector<Allocation, 4> allocations;
  bool relinquished;

  TensorMemory();
  bool isFree(uint32_t first, uint32_t count) const;
};

/// A product or copy that the tensor core performs later, or the arrival behind some; operands as the
/// instruction has them.
struct TensorOp {
  enum Kind : uint8_t { None, Multiply, Copy, Arrive } kind = None;
  uint8_t type = 0;    // f16, tf32, f8f6f4, i8, mxf8f6f4, mxf4, mxf4nvf4
  uint8_t vectors = 0; // scales of a row; 0: none
  bool accumulates = false;
  bool aInTensor = false;
  uint32_t target = 0; // tensor address of D, or of what is copied
  uint32_t instruction = 0;
  uint64_t a = 0, b = 0; // descriptors; A may be a tensor address; a: the source of a copy
  uint32_t scalesA = 0, scalesB = 0; // tensor addresses
  uint32_t agent = 0;                // Arrive: whose work the barrier counts
  std::vector<uint64_t> barriers;    // Arrive
};

/// Columns from `first` on.
struct ColumnRange {
  uint32_t first, count;
};

/// What a thread has to do with tensor memory (Thread::tensor).
struct TensorState {
  llvm::SmallVector<ColumnRange, 4> uncommitted; // of products since the last commit
  /// Committed groups whose arrival is still to come, oldest first.
  llvm::SmallVector<llvm::SmallVector<ColumnRange, 4>, 2> committed;
  llvm::SmallVector<uint32_t, 4> loads;       // places of loads that were not waited for
  llvm::SmallVector<ColumnRange, 4> stores;   // columns of stores that were not waited for
  uint32_t waitedLoads = 0, waitedStores = 0; // epochs, for the next fence
};

/// The tensor core performs one product or copy of the running thread.
void performTensor(const TensorOp &op, uint32_t site);
/// The columns of the oldest committed group of the running thread are complete.
void completeTensorGroup();
/// Faults when the block that ends has not given its columns back.
void checkTensorAtEnd(Block &block);
/// A new block in the slot: nothing is allocated.
void resetTensor(Device &device, Block &block);

} // namespace tilesmith::emulator

#endif // ORACLES_DEVICES_EMULATOR_TCGEN05_H
