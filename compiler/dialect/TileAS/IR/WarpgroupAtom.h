//===- WarpgroupAtom.h - warpgroup products: operands in swizzled shared memory ---------------===//
//
// wgmma multiplies 64 x K by K x N; four warps share the 64 rows. Both operands are read from
// shared memory through descriptors, which prescribe the layout of a buffer (the left one may come
// from registers):
//
//   width     bytes of a swizzled row: 128, 64 or 32, as the contiguous extent allows
//   panel     `width` bytes of the contiguous dimension times the whole other dimension, row after
//             row; panels follow each other
//   swizzle   pieces of 16 bytes are permuted: address bits 4.. xor address bits 7..
//
// "K-major" means contiguous along K; the other order exists for 16-bit elements only, on tensor cores of
// sm_100 (TensorCoreAtom.h) for all: those of 32 bits have rows of 128 bytes in pieces of 32.
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_DIALECT_TILEAS_IR_WARPGROUPATOM_H
#define COMPILER_DIALECT_TILEAS_IR_WARPGROUPATOM_H

#include "compiler/dialect/TileAS/IR/MmaAtom.h"
#include "compiler/dialect/TileAS/IR/TileAS.h"

#include <optional>

namespace tilesmith::tileas {

struct WarpgroupAtom {
  llvm::StringLiteral name; ///< "wgmma.f16"; the value of the `atom` attribute of dot
  int64_t k;                ///< depth of one instruction: 32 bytes
  int64_t elementBytes;
  /// Tensor cores keep few bits of a sum: see promotesSums.
  bool narrowSums = false;
};

/// The atom for these element types with the meaning of `dot`, or null.
const WarpgroupAtom *findWarpgroupAtom(mlir::Type lhs, mlir::Type acc, bool signedLhs,
                                       bool signedRhs);
const WarpgroupAtom *findWarpgroupAtom(llvm::StringRef name);

/// Each product starts at zero and is added to the accumulator by an addition of its own, unless the
/// source program allows sums of few bits.
inline bool promotesSums(const WarpgroupAtom &atom, DotOp dot) {
  return atom.narrowSums && !dot.getFastAcc();
}

/// How the warpgroups of a block share a M x N result.
struct WarpgroupShape {
  int64_t m, n;
  int64_t groupsM, groupsN; ///< warpgroups along each dimension
  int64_t instructionN;     ///< columns of one instruction
  int64_t stepsM() const { return m / (64 * groupsM); }
  int64_t columns() const { return n / groupsN; } ///< of one group
  int64_t stepsN() const { return columns() / instructionN; }
};
/// nullopt when warps or extents do not fit.
std::optional<WarpgroupShape> warpgroupShape(int64_t m, int64_t n, unsigned numWarps);

/// Who holds the result. Registers: those of one instruction, steps along N, steps along M.
LayoutAttr warpgroupLayout(mlir::MLIRContext *context, const WarpgroupShape &shape);

/// Who holds the left operand when it comes from registers: fragments of the mma.sync product of
/// the same types, steps along K, steps along M.
LayoutAttr warpgroupLhsLayout(mlir::MLIRContext *context, const MmaAtom &fragments,
                              const WarpgroupShape &shape, int64_t depth);
/// Both with other rows: what an instruction takes for rows r and r + 8 of 16, which a thread holds, are
/// neighbours in the tile. A left operand that is contiguous across K has them side by side. Rows that a phase of
/// 16 lanes reads are 0, 1, 2, 3 and, 64 bytes further, 16, 17, 18, 19: with the swizzle of 128 bytes, of which two
/// bits follow K, they lie in different banks.
LayoutAttr pairedRows(LayoutAttr layout);
/// The mma.sync product of the same types.
const MmaAtom &fragmentsOf(const WarpgroupAtom &atom);

/// A buffer as the instruction wants it.
struct WarpgroupOperand {
  unsigned contiguous; ///< dimension
  int64_t width;       ///< bytes of a swizzled row
  int64_t rows;        ///< extent of the other dimension
  int64_t grain = 16;  ///< bytes that the swizzle keeps together
  int64_t panelBytes() const { return width * rows; }
};
/// nullopt when the extents are too small.
std::optional<WarpgroupOperand> warpgroupOperand(llvm::ArrayRef<int64_t> shape, unsigned contiguous,
                                                 int64_t elementBytes, int64_t grain = 16);
SharedLayoutAttr warpgroupSharedLayout(mlir::MLIRContext *context, llvm::ArrayRef<int64_t> shape,
                                       const WarpgroupOperand &operand, int64_t elementBytes);
/// The operand form behind a layout made by warpgroupSharedLayout; nullopt for other layouts.
std::optional<WarpgroupOperand> recogniseWarpgroupOperand(SharedLayoutAttr layout,
                                                          int64_t elementBytes);

/// Where an operand that threads hold in `tile` goes before the product, so that they write what they
/// have together; nullopt when no form fits. `outerDim` is 0 for a left operand.
std::optional<SharedLayoutAttr> warpgroupStaging(mlir::RankedTensorType tile, int64_t elementBytes,
                                                 unsigned outerDim = 1);

} // namespace tilesmith::tileas

#endif // COMPILER_DIALECT_TILEAS_IR_WARPGROUPATOM_H
