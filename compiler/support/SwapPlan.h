//===- SwapPlan.h - layout conversions that exchange bits of registers and lanes --------------===//
#ifndef COMPILER_SUPPORT_SWAPPLAN_H
#define COMPILER_SUPPORT_SWAPPLAN_H

#include "compiler/support/LinearLayout.h"

#include <optional>
#include <utility>

namespace tilesmith {

/// A conversion inside every warp that exchanges bits of registers with bits of lanes, pair by pair: of two
/// registers that differ in the bit, a lane keeps one and hands the other to the lane that differs from it.
struct SwapPlan {
  llvm::SmallVector<std::pair<unsigned, unsigned>, 2>
      swaps; ///< bit of the register, bit of the lane
  llvm::SmallVector<int64_t>
      registers;        ///< result register r is register registers[r] behind the swaps
  int64_t shuffles = 0; ///< half of the registers for each pair
};

/// The plan; nullopt where the conversion is no such exchange.
std::optional<SwapPlan> planSwaps(const LinearLayout &src, const LinearLayout &dst);

/// Shuffles that cost less than a trip through shared memory, each with three selections.
inline constexpr int64_t kMaxSwapShuffles = 16;

} // namespace tilesmith

#endif // COMPILER_SUPPORT_SWAPPLAN_H
