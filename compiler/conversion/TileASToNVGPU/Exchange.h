//===- Exchange.h - planned exchanges between threads -----------------------------------------===//
//
// `tileas-plan-exchanges` (PlanExchanges.cpp) notes on each convert_layout how it is best done; the
// lowering without a note is the generic one of ConvertLayout.cpp. Exchange.cpp emits the plans
// (`#nv_tileas.exchange`), from ConversionPlan.h; the conversion of a dot's operand emits nothing
// itself.
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_CONVERSION_TILEASTONVGPU_EXCHANGE_H
#define COMPILER_CONVERSION_TILEASTONVGPU_EXCHANGE_H

#include "compiler/conversion/TileASToNVGPU/Emitter.h"
#include "compiler/dialect/TileAS/IR/SharedAccess.h"
#include "compiler/support/ConversionPlan.h"

namespace tilesmith::tileas_to_nvgpu {

/// The plan noted on a convert_layout.
std::optional<tileas::Exchange> getExchange(mlir::Operation *op);

/// A tile in shared memory in a searched arrangement.
struct SharedTile {
  mlir::Value base; ///< !llvm.ptr<3>
  mlir::Type element;
  int64_t bytes = 1; ///< of an element
  LinearLayout layout;
  /// Threads compute offsets in bytes, not in elements: an instruction less for each access. Registers live longer
  /// for it, of which loops around products have none to spare.
  bool inBytes = false;
};

/// One side of an exchange: how the registers of a thread lie in shared memory.
class SharedSide {
public:
  SharedSide(Emitter &e, tileas::LayoutAttr layout, const SharedTile &shared);

  /// Registers of one access, relative to its first.
  llvm::ArrayRef<int64_t> members() const LLVM_LIFETIME_BOUND { return vector; }
  int64_t accesses() const;
  /// First register of access `index`.
  mlir::Value first(mlir::Value index);
  /// Offset of a register of this thread, in units.
  mlir::Value offset(mlir::Value reg);
  /// Address of a register of this thread. Offset bits that no thread touches are added last, so
  /// that they become the constant part of the address once registers are unrolled.
  mlir::Value pointer(mlir::Value reg);
  /// The same inside the round of `size` elements that the register belongs to, and whether that is
  /// `round`.
  std::pair<mlir::Value, mlir::Value> pointerInRound(mlir::Value reg, mlir::Value round,
                                                     int64_t size);

private:
  mlir::Value at(mlir::Value own, mlir::Value fixed);

  Emitter &e;
  const SharedTile &shared;
  int64_t unit;    ///< of an element
  mlir::Type type; ///< that offsets count
  OffsetMap map;
  llvm::SmallVector<int64_t> vector, others;
  int64_t touched = 0; ///< offset bits that lanes or warps decide
  mlir::Value threadPart;
};

/// Owners write their registers. With `round` only those of offsets [round * size, + size) and
/// relative to it.
void writeShared(Emitter &e, const Tile &from, const SharedTile &to, mlir::Value round = {},
                 int64_t roundSize = 0);
void readShared(Emitter &e, const SharedTile &from, const Tile &to, mlir::Value round = {},
                int64_t roundSize = 0);

/// Writes a tile of 16-bit elements by stmatrix.
void writeMatrices(Emitter &e, const Tile &from, mlir::Value base,
                   const tileas::MatrixExchange &plan);

mlir::LogicalResult emitShuffleExchange(Emitter &e, const Tile &from, const Tile &to);
mlir::LogicalResult emitSwizzleExchange(Emitter &e, const Tile &from, const Tile &to, bool inBytes);
/// Several tiles that fit at once, those of one side in one layout: threads wait once for all. `leave` writes
/// up to `beside` bytes between the two places that it gets, for everybody to read behind the exchange.
void exchangeTogether(Emitter &e, llvm::ArrayRef<Tile> from, llvm::ArrayRef<Tile> to,
                      int64_t beside = 0, llvm::function_ref<void(int64_t, int64_t)> leave = {});
mlir::LogicalResult emitMatrixExchange(Emitter &e, const Tile &from, const Tile &to);

/// Reads a tile of elements `logical` from the slot by ldmatrix (Pipeline.cpp).
void emitLdMatrix(Emitter &e, const Tile &tile, mlir::Value slot, tileas::LayoutAttr offsets,
                  mlir::Type logical, const tileas::LdMatrixPlan &plan);

} // namespace tilesmith::tileas_to_nvgpu

#endif // COMPILER_CONVERSION_TILEASTONVGPU_EXCHANGE_H
