//===- LinearLayout.h - who owns which tile element, as a linear map over F2 ------------------===//
//
// Every tile extent is a power of two, so "which element does register r of lane l in warp w hold"
// is a linear map over F2: the element is the XOR of one basis vector per set input bit. All
// questions about layouts (duplicates, vector width, conversions, bank conflicts) become linear
// algebra on those bases.
//
// Invariants: every extent is a power of two >= 1; every basis lies inside the tile. A tile
// coordinate and its row-major flat index carry the same bits, so bases are stored flat (bit i of
// the flat index is output bit i) and XOR on flat indices is XOR on coordinates.
//
// Input dimensions: Register (values of one thread), Lane (32 per warp), Warp, Block (CTA of a
// cluster), and Offset (element offset in shared memory; such a layout has no other inputs). This
// library knows nothing of MLIR.
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_SUPPORT_LINEARLAYOUT_H
#define COMPILER_SUPPORT_LINEARLAYOUT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace tilesmith {

//===------------------------------------------------------------------------------------------===//
// F2Matrix
//===------------------------------------------------------------------------------------------===//

/// A matrix over F2 with at most 64 rows; column i is the image of input bit i.
class F2Matrix {
public:
  F2Matrix() = default;
  explicit F2Matrix(llvm::ArrayRef<uint64_t> columns) : columns(columns.begin(), columns.end()) {}

  static F2Matrix identity(unsigned size);

  unsigned getNumColumns() const { return columns.size(); }
  llvm::ArrayRef<uint64_t> getColumns() const LLVM_LIFETIME_BOUND { return columns; }

  /// Image of the input word `x`.
  uint64_t apply(uint64_t x) const;
  unsigned rank() const;

  /// this ∘ inner: first `inner`, then this.
  F2Matrix compose(const F2Matrix &inner) const;

  /// An input word x with apply(x) == y that leaves redundant input bits zero; nullopt when y is
  /// not in the image.
  std::optional<uint64_t> solve(uint64_t y) const;

  /// A right inverse for the first `rows` output bits (apply(inverse(y)) == y), redundant inputs
  /// zero; nullopt when the map does not reach all of them.
  std::optional<F2Matrix> rightInverse(unsigned rows) const;

  /// Input bits whose column is a combination of the earlier columns. Fixing them to zero keeps the
  /// image and makes the map injective.
  uint64_t redundantInputs() const;

  bool operator==(const F2Matrix &other) const { return columns == other.columns; }

private:
  llvm::SmallVector<uint64_t, 16> columns;
};

//===------------------------------------------------------------------------------------------===//
// LinearLayout
//===------------------------------------------------------------------------------------------===//

enum class InDim : uint8_t { Register, Lane, Warp, Block, Offset };
inline constexpr unsigned kNumInDims = 5;

/// "register", "lane", "warp", "block", "offset".
llvm::StringRef stringifyInDim(InDim dim);

/// What it takes to bring a tile from one distributed layout into another.
enum class ConversionKind : uint8_t {
  Identical,           ///< nothing to do
  RegisterPermutation, ///< every thread renames (or copies) its own registers, the same way in
                       ///< every thread
  WithinWarp,          ///< warp shuffles (the source register may depend on the lane)
  SharedMemory         ///< data crosses warps
};

llvm::StringRef stringifyConversionKind(ConversionKind kind);

class LinearLayout {
public:
  /// One basis vector: coordinates per tile dimension.
  using Basis = llvm::SmallVector<int64_t, 4>;

  /// Flat bases (row-major indices), one per input bit.
  using FlatBases = llvm::SmallVector<int64_t, 8>;

  /// A rank-0 tile held in register 0 by one thread.
  LinearLayout() = default;

  /// A distributed layout. Every basis has shape.size() coordinates inside the tile.
  LinearLayout(const std::vector<Basis> &reg, const std::vector<Basis> &lane,
               const std::vector<Basis> &warp, llvm::ArrayRef<int64_t> shape);

  /// The same from row-major flat bases.
  static LinearLayout fromFlat(llvm::ArrayRef<int64_t> reg, llvm::ArrayRef<int64_t> lane,
                               llvm::ArrayRef<int64_t> warp, llvm::ArrayRef<int64_t> shape,
                               llvm::ArrayRef<int64_t> block = {});

  /// A shared-memory layout: bit i of the element offset has the flat basis offset[i].
  static LinearLayout shared(llvm::ArrayRef<int64_t> offset, llvm::ArrayRef<int64_t> shape);

  /// The canonical blocked layout: of the row-major flat index, the lowest `vectorBits` bits are
  /// registers, the next five lanes, the next log2(numWarps) warps, the rest registers. Surplus
  /// lane and warp bits get zero bases.
  static LinearLayout rowMajor(llvm::ArrayRef<int64_t> shape, int64_t numWarps,
                               unsigned vectorBits);

  //===--------------------------------------------------------------------------------------------===//
  // Extents and bases
  //===--------------------------------------------------------------------------------------------===//

  llvm::ArrayRef<int64_t> getShape() const LLVM_LIFETIME_BOUND { return shape; }
  unsigned getRank() const { return shape.size(); }
  int64_t getNumElements() const;
  unsigned getNumOutBits() const;

  /// 2^(number of input bits).
  int64_t getSize(InDim dim) const { return int64_t(1) << flat[unsigned(dim)].size(); }
  int64_t getNumRegisters() const { return getSize(InDim::Register); }
  int64_t getNumLanes() const { return getSize(InDim::Lane); }
  int64_t getNumWarps() const { return getSize(InDim::Warp); }

  llvm::ArrayRef<int64_t> getFlatBases(InDim dim) const LLVM_LIFETIME_BOUND { return flat[unsigned(dim)]; }
  std::vector<Basis> getBases(InDim dim) const;

  /// Row-major index ↔ coordinates of this tile.
  Basis unflatten(int64_t index) const;
  int64_t flatten(llvm::ArrayRef<int64_t> coords) const;

  //===--------------------------------------------------------------------------------------------===//
  // The map
  //===--------------------------------------------------------------------------------------------===//

  /// Element held by the input point, as row-major index or coordinates.
  int64_t applyFlat(int64_t reg, int64_t lane = 0, int64_t warp = 0, int64_t block = 0) const;
  Basis apply(int64_t reg, int64_t lane = 0, int64_t warp = 0, int64_t block = 0) const;
  int64_t applyOffset(int64_t offset) const;

  /// Every element is held by someone / by exactly one input point.
  bool isSurjective() const;
  bool isInjective() const;

  /// Bits of `dim` that only produce duplicates: restricted to inputs with all free bits zero, the
  /// layout still reaches every element it reached, each exactly once. Stores run only where (input
  /// & freeMask) == 0. Bits are judged in the order register, lane, warp, block, so a zero basis is
  /// always free.
  int64_t freeMask(InDim dim) const;

  /// One owner (inputs per dimension, free bits zero) of the element with this row-major index;
  /// nullopt when nobody holds it.
  std::optional<std::array<int64_t, kNumInDims>> locate(int64_t flatIndex) const;

  /// The linear owner map: for every bit of the row-major index, the input value of `dim` to XOR
  /// in. nullopt when the layout is not surjective.
  std::optional<FlatBases> getInverseBases(InDim dim) const;

  /// The whole map; input bits are packed from bit 0 in the order register, lane, warp, block,
  /// offset.
  F2Matrix getMatrix() const;

  /// Inputs of `this` ↦ inputs of `target` (packed as in getMatrix) that hold the same element:
  /// inverse(target) ∘ this. nullopt when target does not hold all elements of this.
  std::optional<F2Matrix> invertAndCompose(const LinearLayout &target) const;

  //===--------------------------------------------------------------------------------------------===//
  // Derived layouts
  //===--------------------------------------------------------------------------------------------===//

  /// Keeps only the given input dimensions.
  LinearLayout sublayout(llvm::ArrayRef<InDim> keep) const;

  /// Same row-major index, other shape (same number of elements).
  LinearLayout reshape(llvm::ArrayRef<int64_t> newShape) const;

  /// Result dimension i is dimension perm[i] of this.
  LinearLayout permuteDims(llvm::ArrayRef<int64_t> perm) const;

  /// Drops one coordinate (reduce): bases inside it become zero.
  LinearLayout removeDim(unsigned dim) const;

  /// Inserts a coordinate of extent 1.
  LinearLayout insertDim(unsigned dim) const;

  /// Extents of the given dimensions become 1, bases inside them zero. The source layout of a
  /// broadcast whose result has this layout.
  LinearLayout projectDims(llvm::ArrayRef<unsigned> dims) const;

  /// Grows extents of 1 to those of newShape; the new coordinate bits become the highest register
  /// bits.
  LinearLayout broadcastTo(llvm::ArrayRef<int64_t> newShape) const;

  /// Without register bases that are redundant (see freeMask): the registers a thread really needs.
  LinearLayout removeRedundantRegisters() const;

  //===--------------------------------------------------------------------------------------------===//
  // Questions
  //===--------------------------------------------------------------------------------------------===//

  /// The greatest k such that every aligned group of 2^k registers holds 2^k neighbours along `dim`
  /// (default: the last), the first of them at a multiple of 2^k.
  unsigned getVectorBits(std::optional<unsigned> dim = std::nullopt) const;

  bool operator==(const LinearLayout &other) const {
    return shape == other.shape && flat == other.flat;
  }

  /// `register=[[0,1]], lane=[[0,2],[1,0]], warp=[], shape=[2,4]`; block and offset only when
  /// present.
  void print(llvm::raw_ostream &os) const;
  std::string toString() const;

private:
  FlatBases &bases(InDim dim) { return flat[unsigned(dim)]; }
  /// Replaces every basis by map(basis) and the shape by newShape.
  template <typename Fn> LinearLayout mapBases(llvm::ArrayRef<int64_t> newShape, Fn map) const;
  unsigned firstBit(InDim dim) const;

  std::array<FlatBases, kNumInDims> flat;
  llvm::SmallVector<int64_t, 4> shape;
};

/// What it takes to convert from `src` to `dst` (same shape, lanes and warps).
ConversionKind classifyConversion(const LinearLayout &src, const LinearLayout &dst);

/// For identical layouts and register permutations: per register of `dst`, the register of `src`
/// with its value.
std::optional<llvm::SmallVector<int64_t>> getRegisterMap(const LinearLayout &src,
                                                         const LinearLayout &dst);

llvm::hash_code hash_value(const LinearLayout &layout);
llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const LinearLayout &layout);

} // namespace tilesmith

#endif // COMPILER_SUPPORT_LINEARLAYOUT_H
