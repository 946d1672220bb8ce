//===- ProductSources.h - where operands of products come from --------------------------------------===//
//
// What the rule `product-graph` multiplies: tiles that each turn of a loop loads as they are or turned, from views whose
// padding is any number, computed by threads on either side, gathered by rows or by pointers whose numbers are loaded, too,
// fixed in front of the loop, or loaded a turn ahead by the program itself and carried.
//
// Promises: numbers are integers from -4 to 4, or products and differences of two of those; only rows of a left operand
// and columns of a right one lie outside of their array, never a part of the depth.
//
//===------------------------------------------------------------------------------------------===//
#ifndef GENERATORS_PROGRAM_PRODUCTSOURCES_H
#define GENERATORS_PROGRAM_PRODUCTSOURCES_H

#include "generators/program/ProductTiles.h"

namespace tilesmith::generators {

class ProductSources : public ProductTiles {
public:
  using ProductTiles::ProductTiles;

protected:
  struct Operand {
    enum Form { Plain, Computed, Gathered, Pointers, Fixed, Ahead } form = Plain;
    bool isLeft = true, isTurned = false;
    std::optional<Tiles> main, other, numbers;
    mlir::Value source; ///< the tile in front of the loop, a view of rows, or a pointer
    int64_t lines = 0, across = 1;
    uint64_t way = 0;       ///< of computing
    mlir::Type within;      ///< type in which threads compute
    unsigned carriedAt = 0; ///< of a tile that comes ahead
  };

  void chooseForm();
  /// A tile may be read as it is by one operand and be what another one is computed from.
  Operand makeOperand(bool isLeft);
  /// The tile of this turn; `carried` is what the loop has carried in its place.
  mlir::Value fetch(Operand &o, mlir::Value turn, mlir::ValueRange carried);
  /// A new turn, or a place that others do not see: what is loaded from here on is loaded anew.
  void forgetLoads() { turnLoads.clear(); }
  /// That of the next turn.
  mlir::Value fetchAhead(Operand &o, mlir::Value turn) {
    return loadMain(o, sumOf(turn, number(1)));
  }
  mlir::Value loadMain(Operand &o, mlir::Value turn);
  /// A number of each row, all along it.
  mlir::Value spread(mlir::Value column, cuda_tile::TileType type);
  mlir::Value multiplied(mlir::Value x, mlir::Value y,
                         cuda_tile::RoundingMode mode = cuda_tile::RoundingMode::NEAREST_EVEN);
  Tiles ofRows(mlir::Type stored, int64_t count) {
    return tiles(stored, {rows, 1}, k.blockCount(), count, 1);
  }
  /// A condition that turns or launches decide.
  mlir::Value condition(mlir::Value turn);

  int64_t rows = 0, columns = 0, depth = 0, turns = 0;
  cuda_tile::TileType sums;
  bool isDeep = false;   ///< tiles of which no two stages fit into shared memory
  mlir::Value smallTile; ///< of rows of one number that a computed operand reads in this turn

private:
  Shape shapeOf(bool isLeft) const { return isLeft ? Shape{rows, depth} : Shape{depth, columns}; }
  Tiles paddedTiles(Shape shape, int64_t blocks, int64_t trips, unsigned along);
  Tiles plainTiles(Operand &o, int64_t trips);
  void makeComputed(Operand &o);
  mlir::Value loadShared(const Tiles &from, mlir::Value turn);
  void makeRows(Operand &o);
  mlir::Value computed(Operand &o, mlir::Value turn);
  mlir::Value lineNumbers(Operand &o, mlir::Value turn);
  mlir::Value byPointers(Operand &o, mlir::Value turn);
  mlir::Value timesNumber(mlir::Value x, mlir::Value y) {
    return cuda_tile::MulIOp::create(b, k.loc(), x.getType(), x, y,
                                     cuda_tile::IntegerOverflow::NONE);
  }

  std::optional<Tiles> plainOf[2]; ///< of the last operand of each side that is multiplied as it is
  llvm::SmallVector<std::pair<mlir::Value, mlir::Value>>
      turnLoads; ///< views, and their tiles of this turn
};

} // namespace tilesmith::generators

#endif // GENERATORS_PROGRAM_PRODUCTSOURCES_H
