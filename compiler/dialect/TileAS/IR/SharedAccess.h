//===- SharedAccess.h - how warps touch shared memory: conflicts, swizzles, ldmatrix ----------===//
//
// All offsets are linear over F2, so the cost of an access is that of its first register in the
// first warp: other registers and warps xor a constant to every offset, which permutes the banks.
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_DIALECT_TILEAS_IR_SHAREDACCESS_H
#define COMPILER_DIALECT_TILEAS_IR_SHAREDACCESS_H

#include "compiler/dialect/TileAS/IR/TileAS.h"

#include <optional>

namespace tilesmith::tileas {

/// One warp-wide access: byte offset per bit of the lane, bytes per lane (4, 8 or 16; smaller
/// counts as 4). Lanes that the bases do not reach take no part.
struct WarpAccess {
  llvm::SmallVector<int64_t> laneBases;
  int64_t bytes = 4;
};

/// Larger tiles change their layout through shared memory in rounds, one part of every thread's registers after another.
inline constexpr int64_t kBytesExchangedAtOnce = 32 * 1024;

/// Who uses a slot, as it is or with its dimensions in another order.
llvm::SmallVector<mlir::OpOperand *> usesOfSlot(mlir::Value slot);
/// A product reads the slot itself.
bool isReadByProduct(mlir::Value slot);

/// Passes through the 32 banks of 4 bytes that the access takes. Lanes are served in groups that
/// move 128 bytes; within one, a bank delivers one word per pass.
int64_t countWavefronts(const WarpAccess &access);

/// How a tile with these buffer offsets (SharedLayoutAttr::offsetsOf) is read by ldmatrix.
struct LdMatrixPlan {
  bool transposed = false;
  unsigned matrices = 1;                   ///< 1, 2 or 4 per instruction
  llvm::SmallVector<int64_t> addressBases; ///< element offset per bit of the lane
  int64_t registersPerInstruction = 1;
};

/// nullopt when the layout does not fit.
std::optional<LdMatrixPlan> planLdMatrix(LayoutAttr offsets, int64_t elementBytes);

/// An exchange of 16-bit elements between threads that hold pieces of 16 bytes of a tile's rows and threads that hold its
/// columns, or rows in pieces of 4 bytes, as fragments of products: the former write their pieces, the latter read matrices.
struct MatrixExchange {
  SharedLayoutAttr shared; ///< free of bank conflicts where the layouts allow it
  LayoutAttr offsets;      ///< of the reader
  LdMatrixPlan read;       ///< transposed where threads hold columns
};

/// nullopt when the layouts do not fit, or the tile does not fit into shared memory at once.
std::optional<MatrixExchange> planMatrixExchange(LayoutAttr from, LayoutAttr to,
                                                 int64_t elementBytes);

/// The same the other way around: threads that hold fragments of products write them as matrices (stmatrix), and
/// `to` holds pieces of 16 bytes. `offsets` are the writer's, and `read` says what stmatrix does as well.
std::optional<MatrixExchange> planMatrixStores(LayoutAttr from, LayoutAttr to,
                                               int64_t elementBytes);

/// How threads that hold a tile of 16-bit elements in `held`, as fragments of products, write it by stmatrix to
/// this arrangement; nullopt where they do not.
std::optional<LdMatrixPlan> planStagingMatrices(LayoutAttr held, SharedLayoutAttr staging,
                                                int64_t elementBytes);

/// The layout with pieces of 16 bytes along the last dimension to which a tile of 16-bit elements,
/// whose threads hold such pieces along another, comes by a matrix exchange; null if there is none.
LayoutAttr matrixReader(LayoutAttr from);

/// Elements that consecutive registers hold at consecutive, aligned offsets: up to 16 bytes.
int64_t sharedVector(LayoutAttr offsets, int64_t elementBytes);

/// The access by which a copy reads its slot.
WarpAccess readAccess(LayoutAttr offsets, int64_t elementBytes, bool ldmatrix);

/// Offset bits [first, first + bits) are xored with the bits `distance` further up.
struct Swizzle {
  unsigned bits = 0, first = 0, distance = 0;
};
SharedLayoutAttr applySwizzle(SharedLayoutAttr plain, const Swizzle &swizzle);
/// The hardware's swizzle of rows of `width` bytes (128, 64, 32) in pieces of `grain` bytes: 16, or 32
/// of 128.
Swizzle swizzleOf(int64_t width, int64_t elementBytes, int64_t grain = 16);

/// The swizzle of 16-byte pieces with the fewest wavefronts, the smallest among equals. `accesses`
/// says what a buffer layout makes of every access.
Swizzle findSwizzle(SharedLayoutAttr plain, int64_t elementBytes,
                    llvm::function_ref<llvm::SmallVector<WarpAccess>(SharedLayoutAttr)> accesses);

} // namespace tilesmith::tileas

#endif // COMPILER_DIALECT_TILEAS_IR_SHAREDACCESS_H
