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
  llvm::SmallVector<Holder> bits;
  unsigned inWarp = 0; ///< bits below the first one that tells warps apart

  /// Runs of a line that lie in one warp each, one behind the other.
  int64_t runs() const { return int64_t(1) << (bits.size() - inWarp); }
};

/// For inclusive scans whose lines are short enough, with layouts that mix nothing.
std::optional<ScanPlan> planScan(tileas::ScanOp op);

/// Emits a scan that has a plan.
mlir::LogicalResult emitParallelScan(Emitter &e, tileas::ScanOp op, const ScanPlan &plan);

/// Clones the scalar body of a reduction or scan for one pair of value tuples: a[i] and b[i] are the
/// pair of operand i (ReduceScan.cpp).
mlir::LogicalResult combineBody(Emitter &e, mlir::Block &body, mlir::ValueRange a,
                                mlir::ValueRange b, llvm::SmallVectorImpl<mlir::Value> &out);

} // namespace tilesmith::tileas_to_nvgpu

#endif // COMPILER_CONVERSION_TILEASTONVGPU_PARALLELSCAN_H
