//===- PipelineOperands.h - operands of products over loops that compilers pipeline ---------------===//
//
// What k-loop, cluster-loop and attention-loop share: tiles of arrays with rows on multiples of 16 bytes, loaded weakly
// by views or by pointers, and products of them. Mostly everything is as a fast path wants it; each choice may also
// spoil it: odd strides, unknown alignment, a base some elements behind an aligned one. Tiles may come in the order of
// the array or as one of a batch, and be permuted and reshaped for the product; those of f32 are rounded to tf32 in
// each of its modes.
//
// Promises: where the last tile overhangs, views have a padding and pointers a mask.
//
//===------------------------------------------------------------------------------------------===//
#ifndef GENERATORS_PROGRAM_PIPELINEOPERANDS_H
#define GENERATORS_PROGRAM_PIPELINEOPERANDS_H

#include "generators/program/Access.h"
#include "generators/program/Rules.h"

#include <deque>
#include <functional>

namespace tilesmith::generators {

class PipelineOperands {
public:
  PipelineOperands(KernelBuilder &k, ChoiceStream &s, bool inCluster = false)
      : k(k), s(s), b(k.builder()), inCluster(inCluster) {}

protected:
  struct Types {
    mlir::Type input, sum;
    bool exactOnly = false; ///< sums in a short format
    int64_t deepest = 1024; ///< total depth at which sums of small integers are exact
    mlir::Type stored = {}; ///< of arrays, converted for the product; null: the input
  };

  struct Shape {
    int64_t rows, columns, depth, trips, totalDepth;
    bool exactEdges;
    int64_t cluster = 1; ///< blocks among which the rows or the columns are divided
    int64_t skips = 1;   ///< tiles of depth from one turn to the next
  };

  /// One operand of the product, loaded as `tile` (outer extent first or last, as the product wants
  /// it).
  struct Operand {
    ArrayInfo *array;
    cuda_tile::TileType tile;
    unsigned depthDim;    ///< of the tile and of the array
    mlir::Value view;     ///< null: by pointers
    mlir::Value pointers; ///< of the first tile
    mlir::Value outer;    ///< index along the other dimension
    bool overhangsOuter, overhangsDepth;
    bool isPermuted = false; ///< the view has its dimensions in the other order, a permute follows
    mlir::Value batch;       ///< index along a first dimension of extent one, which a reshape drops
    mlir::Value advance;     ///< of pointers that the loop carries: to those of the next turn
    /// Of numbers that are stored in another format.
    cuda_tile::RoundingMode rounding = cuda_tile::RoundingMode::NEAREST_EVEN;
  };

  mlir::Value number(Int value);
  int64_t bytes();
  /// A fact about a scalar that holds.
  mlir::Value divisible(mlir::Value value, uint64_t by);
  /// Tiles of `outerTile` rows or columns, for each block its own or the same ones for all.
  Operand makeOperand(unsigned depthDim, int64_t outerTile, int64_t blocks);
  /// What is seen of an array that begins so many elements behind an aligned address: mostly where no wide access, and
  /// no tensor map, may begin. A compiler knows how many, or the launch. `back`: the argument points behind that, and
  /// the kernel goes so many elements back.
  ArrayInfo &addShifted(int64_t lead, int64_t back, llvm::ArrayRef<int64_t> extents,
                        llvm::ArrayRef<int64_t> strides, Fill fill);
  void makeView(Operand &o);
  mlir::Value wrapping(mlir::Value x, Int y);
  mlir::Value add(mlir::Value x, mlir::Value y);
  mlir::Value multiply(mlir::Value x, mlir::Value y);
  mlir::Value splat(mlir::Value scalar, llvm::ArrayRef<int64_t> to);
  /// 0, 1, 2, … along one dimension of a tile, as a tile of that shape.
  mlir::Value coordinates(llvm::ArrayRef<int64_t> to, unsigned dim);
  /// base + row * stride + column * stride for the tile at depth 0.
  void makePointers(Operand &o);
  llvm::SmallVector<mlir::NamedAttribute> loadAttributes();
  /// The tile at `step` tiles of depth, after `before`, in the type of the product.
  Loaded load(Operand &o, mlir::Value step, mlir::Value before);
  /// Zeros, or what spoils rows and columns.
  mlir::Value paddingOf(cuda_tile::TileType type);
  /// The pointers of the tile that begins at this depth.
  mlir::Value moved(Operand &o, mlir::Value depth);
  Loaded loadStored(Operand &o, mlir::Value step, mlir::Value before);
  mlir::Value zeros(cuda_tile::TileType type);
  /// The matrix as a batch of one.
  mlir::Value batchOfOne(mlir::Value tile);
  mlir::Value product(cuda_tile::TileType type, mlir::Value x, mlir::Value y, mlir::Value sum);
  cuda_tile::RoundingModeAttr nearest();
  mlir::Value multiplyFloats(mlir::Value x, mlir::Value y);
  mlir::Value larger(mlir::Value x, mlir::Value y);
  mlir::Value sumOf(mlir::Value x, mlir::Value y);

  KernelBuilder &k;
  ChoiceStream &s;
  mlir::OpBuilder &b;
  Types types;
  Shape shape;
  const bool inCluster; ///< blocks of a cluster divide the tile
  bool isIdeal = false; ///< nothing keeps a compiler from its fastest instructions
  bool isInteger = false, exact = true;
  bool isFast = false;        ///< sums may keep few bits
  bool roundsSum = false;     ///< the program widens an f16 sum and rounds it in every turn
  bool byPointers = false;    ///< both operands are loaded through tiles of pointers
  bool mayCarry = false;      ///< the loop takes pointers along
  bool isPlain = false;       ///< nothing but loads and products, as fast paths want them
  bool maySpoilDepth = false; ///< what pads the depth of an operand may be other than zero
  bool isDirected = false;    ///< conversions of operands round in other modes, too
  bool isShifted = false;     ///< arrays may begin behind the start of their memory
  std::deque<ArrayInfo> shifted;
  std::function<mlir::Value(mlir::Value)>
      readBehind;          ///< what was stored in front of the loop, behind a token
  mlir::Value depthOfTurn; ///< in elements, where the loop counts them
  cuda_tile::Signedness leftSign = cuda_tile::Signedness::Signed, rightSign = leftSign;
};

} // namespace tilesmith::generators

#endif // GENERATORS_PROGRAM_PIPELINEOPERANDS_H
