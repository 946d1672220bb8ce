//===- ParallelScan.h - scans without a thread that walks a line ------------------------------===//
#ifndef COMPILER_CONVERSION_TILEASTONVGPU_PARALLELSCAN_H
#define COMPILER_CONVERSION_TILEASTONVGPU_PARALLELSCAN_H

#include "compiler/conversion/TileASToNVGPU/Emitter.h"
#include "compiler/dialect/TileAS/IR/TileAS.h"

namespace tilesmith::tileas_to_nvgpu {

/// How the places of a line are spread among threads.
struct ScanPlan {
  /// Who tells places apart whose numbers differ in a bit; the lowest bit first.
  struct Holder {
    InDim dim;
    int64_t mask; ///< bit of the register, lane or warp number
  };
  tileas::LayoutAttr layout;
  unsigned axis = 0;
  llvm::SmallVector<Holder> bits;
  unsigned serial = 0; ///< lowest bits, of registers: groups of places that one thread holds
  unsigned inWarp = 0; ///< bits below the first one that tells warps apart
  bool raked = false;  ///< what groups combine to moves to where each thread holds a run of it

  /// Runs of a line that lie in one warp each, one behind the other.
  int64_t runs() const { return int64_t(1) << (bits.size() - inWarp); }
  /// Bits of register, lane or warp numbers that tell places apart, those from `first` to `end`.
  int64_t maskOf(InDim dim, unsigned first, unsigned end) const;
  /// Registers that hold the same as another one.
  int64_t duplicates() const;
  /// First registers of the groups of a thread.
  llvm::SmallVector<int64_t> groups() const;
  /// Layout of one element for each group, in the places of the groups.
  tileas::LayoutAttr groupLayout() const;
  /// The same elements in the order of lines: neighbours in one thread.
  tileas::LayoutAttr rakedLayout() const;
};

/// For inclusive scans whose lines are short enough, with layouts that mix nothing.
std::optional<ScanPlan> planScan(tileas::ScanOp op);
/// The plan of one element per group in the raked layout: never raked itself.
ScanPlan planRaked(const ScanPlan &plan);

/// Emits a scan that has a plan.
mlir::LogicalResult emitParallelScan(Emitter &e, tileas::ScanOp op, const ScanPlan &plan);

/// Clones the scalar body of a reduction or scan for one pair of value tuples: a[i] and b[i] are the
/// pair of operand i (ReduceScan.cpp).
mlir::LogicalResult combineBody(Emitter &e, mlir::Block &body, mlir::ValueRange a,
                                mlir::ValueRange b, llvm::SmallVectorImpl<mlir::Value> &out);

} // namespace tilesmith::tileas_to_nvgpu

#endif // COMPILER_CONVERSION_TILEASTONVGPU_PARALLELSCAN_H
