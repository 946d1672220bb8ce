//===- WarpTile.h - small tiles whose elements lanes hand to each other -----------------------===//
#ifndef COMPILER_CONVERSION_TILEASTONVGPU_WARPTILE_H
#define COMPILER_CONVERSION_TILEASTONVGPU_WARPTILE_H

#include "compiler/conversion/TileASToNVGPU/Emitter.h"
#include "compiler/dialect/TileAS/IR/TileAS.h"
#include "compiler/support/LinearLayout.h"

namespace tilesmith::tileas_to_nvgpu {

/// Where the elements of a tile lie of which each warp has all: any lane gets any of them by
/// shuffles of 32 bits.
struct WarpHolders {
  LinearLayout::FlatBases lanes, registers; ///< of the bits of a position
  llvm::SmallVector<int64_t> held;          ///< registers of the elements

  /// Nothing where some elements lie in other warps.
  static std::optional<WarpHolders> of(tileas::LayoutAttr layout);
  /// Shuffles of a thread that wants `reads` elements of a type that memory holds.
  int64_t shuffles(mlir::Type element, int64_t reads) const;
};

/// Shuffles that cost less than two barriers and a trip through shared memory, where addresses would
/// be computed too. A conversion of layouts, whose addresses are linear, takes fewer.
inline constexpr int64_t kMaxShufflesOfSlice = 16, kMaxShufflesOfConversion = 8;

/// A tile that is read this way.
struct WarpTile {
  const Tile &tile;
  WarpHolders holders;

  /// For `reads` elements per thread; nothing where that is not possible, or takes more shuffles.
  static std::optional<WarpTile> of(const Tile &tile, int64_t reads, int64_t maxShuffles);
  /// The element at a position, which may be another one in each lane. All lanes take part.
  mlir::Value read(Emitter &e, mlir::Value position) const;
};

/// Registers of a thread that hold something of their own.
int64_t distinctRegisters(tileas::LayoutAttr layout);
/// Sets a tile to the elements that lanes hand to each other: once for registers that hold the same.
void readAll(Emitter &e, const WarpTile &from, const Tile &to);

} // namespace tilesmith::tileas_to_nvgpu

#endif // COMPILER_CONVERSION_TILEASTONVGPU_WARPTILE_H
