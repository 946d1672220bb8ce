//===- ConversionPlan.h - bank conflicts, swizzles and shuffles of layout conversions ---------===//
//
// Answers about LinearLayouts that concern an exchange between threads: how wide an access to
// shared memory may be, how many passes of the 32 banks it takes, which swizzle keeps writer and
// reader free of conflicts, and how a conversion inside a warp is done by shuffles.
//
// Model of shared memory: 32 banks of 4 bytes. A warp's access of up to 4 bytes per lane is one
// phase, 8 bytes per lane two phases of 16 lanes, 16 bytes four phases of 8 lanes. A phase takes as
// many passes as the busiest bank has different 4-byte words; lanes with the same word share it.
// Layouts are linear, so every phase of every warp and register takes equally many passes, and the
// number is a power of two.
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_SUPPORT_CONVERSIONPLAN_H
#define COMPILER_SUPPORT_CONVERSIONPLAN_H

#include "compiler/support/LinearLayout.h"

#include <limits>

namespace tilesmith {

inline constexpr int64_t kBankBytes = 4;
inline constexpr int64_t kAllBankBytes = 128;
inline constexpr int64_t kMaxAccessBytes = 16;

/// Input bits (register, lane, warp) of `distributed` ↦ element offset in the bijective layout
/// `shared`.
struct OffsetMap {
  LinearLayout::FlatBases registers, lanes, warps;
};
std::optional<OffsetMap> getOffsetMap(const LinearLayout &distributed, const LinearLayout &shared);

/// The register bits that walk through consecutive offsets, lowest offset bit first: bit i of the
/// result is the only input that changes offset bit i. An access may move 2^size elements.
llvm::SmallVector<unsigned> getVectorRegisters(const OffsetMap &map);

/// Passes over the banks that one phase of a warp's access of 2^vectorBits elements takes; 1 is
/// free of conflicts.
int64_t countBankPasses(const OffsetMap &map, int64_t elementBytes, unsigned vectorBits);

/// The tile in the arrangement of TMA and WGMMA. `swizzleBytes` 0: plain row-major. 32, 64 or 128:
/// column blocks of that many bytes one after another, each row-major; the 16-byte chunk in its row
/// (address bits 4 to 6) is XORed with the address bits three above. The last extent is at least
/// `swizzleBytes` bytes.
LinearLayout getHardwareSwizzle(llvm::ArrayRef<int64_t> shape, int64_t elementBytes,
                                int64_t swizzleBytes);

/// The least of the hardware swizzles (0, 32, 64, 128) that fits the shape and has the fewest
/// passes for writer and reader together, each at its widest access.
int64_t searchHardwareSwizzle(const LinearLayout &writer, const LinearLayout &reader,
                              int64_t elementBytes);

/// A bijective shared layout for an exchange: the registers that both sides hold together are
/// neighbours (up to 16 bytes), and the bank bits are chosen so that both sides are free of
/// conflicts whenever the layouts allow it. Writer and reader have the same shape and reach all
/// elements. A tile of more than `maxElements` travels in rounds, the highest offset bits being the
/// round: where possible these are bits that registers alone decide on both sides, so that a round
/// moves a fixed part of every thread's registers.
LinearLayout searchSharedLayout(const LinearLayout &writer, const LinearLayout &reader,
                                int64_t elementBytes,
                                int64_t maxElements = std::numeric_limits<int64_t>::max());

/// A conversion inside every warp as one shuffle per register. In round q (0 <= q < number of
/// registers) lane l
/// of warp w
///   provides its source register  sendRound q ^ sendLane l ^ sendWarp w,
///   reads from lane               fromRound q ^ fromLane l ^ fromWarp w,
///   and gets its result register  q ^ keepLane l.
struct ShufflePlan {
  LinearLayout::FlatBases sendRound, sendLane, sendWarp, fromRound, fromLane, fromWarp, keepLane;
  int64_t rounds = 0;
};

/// The plan, when both layouts are injective, have the same lanes and the conversion stays in the
/// warp; nullopt otherwise (duplicates are left to shared memory).
std::optional<ShufflePlan> planShuffles(const LinearLayout &src, const LinearLayout &dst);

} // namespace tilesmith

#endif // COMPILER_SUPPORT_CONVERSIONPLAN_H
