//===- ProductTiles.h - tiles that products multiply, and what is done to sums --------------------===//
//
// What rules of the pipeline family share: operands that come as tiles of padded views with rows at multiples of 16
// bytes, products, and what becomes of their sums. All numbers are integers from -4 to 4, or what a few of them make.
//
//===------------------------------------------------------------------------------------------===//
#ifndef GENERATORS_PROGRAM_PRODUCTTILES_H
#define GENERATORS_PROGRAM_PRODUCTTILES_H

#include "generators/program/Access.h"
#include "generators/program/Rules.h"
#include "generators/program/TurnLoop.h"

namespace tilesmith::generators {

/// Whether a rule that multiplies may be used (again) here.
bool mayMultiply(KernelBuilder &kernel, llvm::StringRef rule);

class ProductTiles {
public:
  ProductTiles(KernelBuilder &k, ChoiceStream &s) : k(k), s(s), b(k.builder()) {}

protected:
  using Shape = llvm::SmallVector<int64_t, 2>;
  /// Tiles of a view, one after the other along a dimension; blocks have their own along the other.
  struct Tiles {
    cuda_tile::TileType tile;
    mlir::Value view;
    unsigned along;
    bool ofBlock;
  };

  mlir::Value number(Int value);
  mlir::Value zeros(cuda_tile::TileType type);
  cuda_tile::RoundingModeAttr nearest();
  mlir::Value divisible(mlir::Value value, uint64_t by);
  /// Rows of memory begin at multiples of 16 bytes, as far as a compiler must know that.
  Tiles tiles(mlir::Type stored, Shape shape, int64_t blocks, int64_t trips, unsigned along);
  mlir::Value load(const Tiles &from, mlir::Value step);
  mlir::Value loadAt(cuda_tile::TileType tile, mlir::Value view, mlir::Value row,
                     mlir::Value column);
  mlir::Value sumOf(mlir::Value x, mlir::Value y);
  mlir::Value timesOf(mlir::Value x, int64_t by);
  /// Of floats, to nearest.
  mlir::Value added(mlir::Value x, mlir::Value y);
  /// Compilers take loops for long ones where they do not know how long they are.
  mlir::Value openEnd(int64_t trips);
  /// A loop of so many turns, or fewer.
  TurnLoop openLoop(int64_t trips, llvm::ArrayRef<mlir::Value> carried);
  /// The largest element of each row, all along it.
  mlir::Value largestOfRows(mlir::Value x);
  /// The sums with a row of small numbers added to each of their rows.
  mlir::Value withBias(mlir::Value sums);
  mlir::Value product(cuda_tile::TileType type, mlir::Value x, mlir::Value y, mlir::Value sum);
  mlir::Value converted(mlir::Value x, mlir::Type to);
  mlir::Value larger(mlir::Value x, mlir::Value y);
  mlir::Value clamped(mlir::Value x);
  void define(mlir::Value result);
  /// Some columns of the sums, each for itself; of them all, or of a few.
  void storePieces(mlir::Value sums);

  KernelBuilder &k;
  ChoiceStream &s;
  mlir::OpBuilder &b;
  mlir::Type element; ///< of both operands
};

} // namespace tilesmith::generators

#endif // GENERATORS_PROGRAM_PRODUCTTILES_H
