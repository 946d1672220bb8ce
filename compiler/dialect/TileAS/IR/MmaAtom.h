//===- MmaAtom.h - warp-level matrix instructions and who holds which fragment element --------===//
//
// One entry per mma.sync shape that `dot` may use. A fragment layout says, bit by bit, which matrix
// element a lane's register holds (PTX ISA, matrix fragments for mma); `fragmentLayout` tiles it
// over a whole operand and the warps of the block. The emulator has its own, independently written
// tables.
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_DIALECT_TILEAS_IR_MMAATOM_H
#define COMPILER_DIALECT_TILEAS_IR_MMAATOM_H

#include "compiler/dialect/TileAS/IR/TileAS.h"
#include "compiler/target/Targets.h"

namespace tilesmith::tileas {

/// (row, column) reached by one input bit inside a fragment; coordinates are powers of two or zero.
using FragmentBit = std::pair<int64_t, int64_t>;

struct Fragment {
  llvm::ArrayRef<FragmentBit> registers;
  llvm::ArrayRef<FragmentBit> lanes; ///< five
};

struct MmaAtom {
  llvm::StringLiteral name; ///< "m16n8k16.f16" etc.; the value of the `atom` attribute of dot
  int64_t m, n, k;
  Fragment lhs, rhs, acc;
  llvm::StringLiteral types = ""; ///< of the intrinsic, where nvgpu.mma.sync cannot say them
  target::Feature feature = target::Feature::MmaSync; ///< of the GPUs that have it
  static constexpr int64_t kAnyDepth = 1 << 30;
  int64_t deepest = kAnyDepth; ///< sums over more are too inexact
  /// Neighbours along K in registers that share a scale; 0: there are no scales. Of 4-bit elements two
  /// are a byte, and K counts bytes.
  int64_t scaleBlock = 0;
  bool scalesArePowers = true; ///< of two (e8m0), else e4m3
  bool isScaled() const { return scaleBlock != 0; }
  int64_t scales() const { return scaleBlock ? k / scaleBlock : 0; } ///< of a row in an instruction
};

/// Which operand of the product a layout is for.
enum class DotOperand { Lhs, Rhs, Acc };

/// The atom that computes these element types with the meaning of `dot`, or null.
const MmaAtom *findMmaAtom(mlir::Type lhs, mlir::Type acc, bool signedLhs, bool signedRhs);
const MmaAtom *findMmaAtom(llvm::StringRef name);
/// The atom for operands of this type (i8: two elements of 4 bits each), of which every `block` neighbours
/// along K have a scale; or null.
const MmaAtom *findScaledMmaAtom(mlir::Type held, mlir::Type scale, int64_t block);

/// Layout of one operand of a M x N x K product over `numWarps` warps. Registers: fragment bits
/// first, then steps along K, then along M (or N). Warps split M and N alternately, as far as the
/// atom leaves room, or M first with `wholeRows`.
LayoutAttr fragmentLayout(mlir::MLIRContext *context, const MmaAtom &atom, DotOperand operand,
                          int64_t m, int64_t n, int64_t k, unsigned numWarps,
                          bool wholeRows = false);
/// The same for a product of each of several batches, whose matrices lie behind each other: warps divide the batches among
/// them, then the rows. Null where they would hold rows twice.
LayoutAttr batchedFragmentLayout(mlir::MLIRContext *context, const MmaAtom &atom,
                                 DotOperand operand, int64_t batches, int64_t m, int64_t n,
                                 int64_t k, unsigned numWarps);

/// Scales of an operand that has the layout `operand`, M x blocks or blocks x N. An instruction reads those of
/// its rows (columns) from some lanes of each group of four, and is told which: the others hold those of
/// further steps along M (N). Registers: blocks along K, then the remaining steps.
LayoutAttr scaleFragmentLayout(const MmaAtom &atom, DotOperand side, LayoutAttr operand);

/// How many steps along M (N) the lanes of a group of four hold scales of: at most 2 (4).
int64_t scaleStepsOfLanes(DotOperand side, int64_t steps);

} // namespace tilesmith::tileas

#endif // COMPILER_DIALECT_TILEAS_IR_MMAATOM_H
