//===- TensorCoreAtom.h - products that accumulate in tensor memory ---------------------------===//
//
// tcgen05.mma multiplies M x K by K x N, M being 128 or 64, and adds to lanes and N columns of tensor
// memory; one thread issues it. Both operands are read from shared memory, in the forms of warpgroup products
// (WarpgroupAtom.h), 32 bytes along K at a time. `compiler/conversion/TileASToNVGPU/tcgen05.md`
// says what the instruction demands.
//
// Invariant: row r of a block of 128 rows lies in lane r, its columns one after the other; further
// blocks of rows follow in further columns. Of 64 rows, 16 lie in the first lanes of each quarter.
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_DIALECT_TILEAS_IR_TENSORCOREATOM_H
#define COMPILER_DIALECT_TILEAS_IR_TENSORCOREATOM_H

#include "compiler/dialect/TileAS/IR/TileAS.h"

#include "llvm/Support/MathExtras.h"

#include <optional>

namespace tilesmith::tileas {

struct TensorCoreAtom {
  llvm::StringLiteral name; ///< "tcgen05.f16"; the value of the `atom` attribute
  unsigned kind;            ///< f16, tf32, f8f6f4, i8: the number of LLVM's intrinsic
  unsigned lhs, rhs, sum;   ///< codes of the types in the instruction descriptor
  int64_t elementBytes;     ///< of what shared memory holds: of 4 bits two are an element there
  /// Neighbours along K in shared memory that share a scale; 0: there are none.
  int64_t scaleBlock = 0;
  bool scalesArePowers = true;        ///< of two (e8m0), else e4m3
  llvm::StringLiteral intrinsic = ""; ///< of LLVM, of scaled products
  int64_t k() const { return 32 / elementBytes; }
  bool isScaled() const { return scaleBlock != 0; }
  bool isPacked() const { return kind >= kPackedKind; }
  static constexpr unsigned kPackedKind = 5;
  /// Elements in shared memory whose scales share a word of tensor memory.
  int64_t scaleWord() const { return kScalesOfWord * scaleBlock; }
  static constexpr int64_t kScalesOfWord = 4;
};

/// The atom for these element types with the meaning of `dot`, or null.
const TensorCoreAtom *findTensorCoreAtom(mlir::Type lhs, mlir::Type acc, bool signedLhs,
                                         bool signedRhs);
const TensorCoreAtom *findTensorCoreAtom(llvm::StringRef name);
/// The atom for operands whose shared memory holds elements of this type (i8: two of 4 bits each), of
/// which every `block` neighbours along K have a scale; or null.
const TensorCoreAtom *findScaledAtom(mlir::Type held, mlir::Type scale, int64_t block);

inline constexpr int64_t kTensorMemoryLanes = 128, kTensorMemoryColumns = 512;

/// How the warps of a block hold M x N sums: each reaches the lanes that its number modulo four
/// names.
struct TensorMemoryShape {
  int64_t m, n;
  int64_t groupsM, groupsN;               ///< groups of four warps along each dimension
  bool isHalf() const { return m == 64; } ///< 64 rows
  int64_t rows() const { return isHalf() ? 64 : kTensorMemoryLanes; } ///< of one instruction
  int64_t blocks() const { return m / rows(); }
  int64_t columns() const { return blocks() * n; }           ///< of tensor memory
  int64_t instructionN() const { return n < 256 ? n : 256; } ///< columns of one instruction
  int64_t ownBlocks() const { return blocks() / groupsM; }   ///< of a warp
  int64_t ownColumns() const { return n / groupsN; }         ///< of a warp, in each block
  /// There are several blocks, and each group of warps holds rows of one.
  bool hasBlocksApart() const { return blocks() > 1 && groupsM == blocks(); }
};
/// nullopt when warps or extents do not fit.
std::optional<TensorMemoryShape> tensorMemoryShape(int64_t m, int64_t n, unsigned numWarps);

/// Elements of this type in a word of tensor memory.
inline int64_t elementsOfWord(mlir::RankedTensorType type) {
  mlir::Type element = type.getElementType();
  return mlir::isa<mlir::FloatTF32Type>(element) ? 1 : 32 / element.getIntOrFloatBitWidth();
}
/// Columns that a tile of this type takes.
inline int64_t tensorMemoryColumns(mlir::RankedTensorType type) {
  return TensorMemoryShape{type.getDimSize(0), type.getDimSize(1), 1, 1}.columns() /
         elementsOfWord(type);
}

/// 128 rows: a row per thread; registers are columns, then blocks of rows. 64 rows: as the sums of a
/// warpgroup product, whose registers are those of the shape 16x256b.
LayoutAttr tensorMemoryLayout(mlir::MLIRContext *context, const TensorMemoryShape &shape);

/// One number for each row of sums of 128 rows or more that lie in `sums`: with the threads that hold the row.
LayoutAttr rowFactorLayout(LayoutAttr sums);

/// Scales of a row that share a word of tensor memory.
inline constexpr int64_t kScalesOfWord = TensorCoreAtom::kScalesOfWord;

/// Columns that the scales of `rows` rows (a multiple of 32) take, `words` words of each.
inline int64_t scaleColumns(int64_t rows, int64_t words) {
  return llvm::alignTo(rows / 32 * words, 4);
}

/// How scales lie in shared memory, from where they are copied to tensor memory; blocks along K are
/// dimension `blockDim`. Of 128 rows (or columns of the right operand), row r lies in line r mod 32
/// of 16 bytes: four scales of a row, then those of row r + 32. More rows follow, then more blocks.
/// Of fewer rows a line holds more blocks, and its rest is empty where there are none.
SharedLayoutAttr scaleLayout(mlir::MLIRContext *context, llvm::ArrayRef<int64_t> shape,
                             unsigned blockDim);

} // namespace tilesmith::tileas

#endif // COMPILER_DIALECT_TILEAS_IR_TENSORCOREATOM_H
