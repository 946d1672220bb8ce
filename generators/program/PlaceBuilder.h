//===- PlaceBuilder.h - offsets as expressions of positions and constants ---------------------------===//
//
// What a compiler infers from an expression of positions (which of them are runs, what divides them,
// where they are alike, what bounds them) decides what it loads in one piece. Each expression is built
// and evaluated side by side, so that every access lies inside its array.
//
// Invariant: `values` are what the tile holds, in row-major order; elements are i32.
//
//===------------------------------------------------------------------------------------------===//
#ifndef GENERATORS_PROGRAM_PLACEBUILDER_H
#define GENERATORS_PROGRAM_PLACEBUILDER_H

#include "generators/program/IdiomRules.h"

namespace tilesmith::generators {

/// Offsets and what they are, element by element in row-major order.
struct Places {
  mlir::Value ssa;
  std::vector<int64_t> values;
  llvm::SmallVector<int64_t> shape;
};

class PlaceBuilder {
public:
  PlaceBuilder(KernelBuilder &k, ChoiceStream &s) : k(k), s(s), b(k.builder()) {}

  /// 0, 1, 2, …
  Places line(int64_t count);
  /// One operation with a constant on all of them.
  void step(Places &p);
  /// A number of which the launch knows the value and a promise gives it away, in all places.
  mlir::Value promised(Int number, llvm::ArrayRef<int64_t> shape);
  /// As a shorter type, and back; mostly such that some of them wrap around.
  void narrow(Places &p);
  /// A sum that wraps around where i32 ends, and back to small numbers.
  void passEnd(Places &p);
  /// Multiples of a power of two, so that the next step is about what divides them.
  void scale(Places &p);
  void move(Places &p, Int by);
  /// Another expression of the same places, added or taken off.
  void join(Places &p, const Places &other);
  /// Multiples of what a group of places shares, and the place inside of it or the place itself: what
  /// becomes of a position that is cut into blocks.
  Places blocks(int64_t count);
  /// Positions, multiplied and moved by powers of two or not, then one step; often joined with such
  /// another or with the positions themselves: the sum of a run and of what is constant in groups
  /// is a run again, and a multiple keeps what divides it.
  Places expression(int64_t count);
  /// Positions, moved, and divided: by how much they may differ and still share the quotient is the
  /// divisor's matter.
  Places quotient(int64_t count);
  /// Positions, moved, and one to four steps on them.
  Places chain(int64_t count);
  /// Where an expression of the same positions is on one side of a number that it takes.
  mlir::Value mask(const Places &of);
  /// Where these places are on one side of a bound, in one of the ways to say so.
  mlir::Value guard(const Places &p);
  /// Another shape of the same elements, or the elements in another order.
  void reshape(Places &p);
  /// Its dimensions in another order.
  void turn(Places &p);
  /// Each element in `times` places next to each other, or below each other.
  void repeat(Places &p);
  /// Where the rows of a matrix begin: its stride is the length of a row, or a little more, or less,
  /// so that most rows begin where no wide access may.
  Places beginnings(int64_t count, int64_t length);
  /// As in a ring of that many elements.
  void wrap(Places &p, Int length);
  /// rows[:, None] + columns[None, :]
  Places sum(const Places &rows, const Places &columns);

private:
  cuda_tile::TileType typeOf(const Places &p) const {
    return llvm::cast<cuda_tile::TileType>(p.ssa.getType());
  }
  /// Where they are on one side of a number.
  mlir::Value compare(const Places &p);

  KernelBuilder &k;
  ChoiceStream &s;
  mlir::OpBuilder &b;
};

} // namespace tilesmith::generators

#endif // GENERATORS_PROGRAM_PLACEBUILDER_H
