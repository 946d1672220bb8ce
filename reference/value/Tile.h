//===- Tile.h - immutable n-dimensional values ------------------------------------------------===//
//
// A tile is a shape and one 64-bit word per element (bit pattern, upper bits zero), row-major, plus
// an optional state per element that says how far the bits can be trusted:
//   Known    the bits are the only legal result
//   NaN      a NaN whose sign and payload are unspecified (bits hold a representative)
//   Unknown  any bits are legal
//   Enclosed any value of the element's Spread is legal: those within `error` of the bits (the
//            centre); an infinite error says nothing (vacuous). Enclosure domain, floats only
// An empty state vector means that every element is Known.
//
//===------------------------------------------------------------------------------------------===//
#ifndef REFERENCE_VALUE_TILE_H
#define REFERENCE_VALUE_TILE_H

#include <memory>
#include <string>
#include <vector>

#include "llvm/ADT/SmallVector.h"

#include "reference/value/ElementType.h"

namespace tilesmith::reference {

enum class State : uint8_t { Known = 0, NaN = 1, Unknown = 2, Enclosed = 4 };

/// How far a legal result may lie from the centre.
struct Spread {
  double error = 0; ///< every legal number lies within; infinite: vacuous
  /// The bound rests on published observations, not on a proof: results between error and
  /// error * band are neither right nor wrong (semantics D-1). 1 where the bound is proven.
  float band = 1;
  bool anyZeroSign = false; ///< a zero may have either sign
};

/// One element: what an elementwise function returns.
struct Element {
  uint64_t bits = 0;
  State state = State::Known;
  Spread spread = {}; ///< meaningful in state Enclosed
};
inline Element unknownElement() {
  return {0, State::Unknown};
}

class Tile {
public:
  Tile(ElementType type, llvm::ArrayRef<int64_t> shape);

  /// Rank 0.
  static Tile scalar(ElementType type, uint64_t bits, State state = State::Known);

  ElementType type() const { return elementType; }
  llvm::ArrayRef<int64_t> shape() const { return dims; }
  unsigned rank() const { return dims.size(); }
  size_t size() const { return words.size(); }

  llvm::ArrayRef<uint64_t> bits() const { return words; }
  llvm::MutableArrayRef<uint64_t> bits() { return words; }
  bool allKnown() const { return flags.empty(); }
  State state(size_t i) const { return flags.empty() ? State::Known : flags[i]; }
  void setState(size_t i, State state) {
    if (flags.empty()) {
      if (state == State::Known)
        return;
      flags.assign(words.size(), State::Known);
    }
    flags[i] = state;
  }
  Element element(size_t i) const {
    State s = state(i);
    return {words[i], s, s == State::Enclosed ? spreads[i] : Spread()};
  }
  void set(size_t i, const Element &e) {
    words[i] = e.bits;
    setState(i, e.state);
    if (e.state == State::Enclosed) {
      if (spreads.empty())
        spreads.resize(words.size());
      spreads[i] = e.spread;
    }
  }

  /// The same elements under another shape.
  Tile reshaped(llvm::ArrayRef<int64_t> shape) const;

  // Loops over many elements work on the arrays: states() and spreads() are null when every element
  // is Known, or none was ever Enclosed.
  const State *states() const { return flags.empty() ? nullptr : flags.data(); }
  const Spread *spreadData() const { return spreads.empty() ? nullptr : spreads.data(); }
  /// Makes both arrays, all Known.
  void openStates() {
    flags.assign(words.size(), State::Known);
    spreads.resize(words.size());
  }
  State *states() { return flags.data(); }
  Spread *spreadData() { return spreads.data(); }
  /// Drops both arrays; every element must be Known.
  void closeStates() {
    flags.clear();
    spreads.clear();
  }
  /// Bytes of all arrays.
  uint64_t byteSize() const {
    return words.size() * sizeof(uint64_t) + flags.size() * sizeof(State) +
           spreads.size() * sizeof(Spread);
  }

  /// Row-major strides of the shape, in elements.
  llvm::SmallVector<int64_t, 4> strides() const;

  /// `[1, nan(?), U]` for messages; at most `limit` elements.
  std::string toString(unsigned limit = 16) const;

private:
  ElementType elementType;
  llvm::SmallVector<int64_t, 4> dims;
  llvm::SmallVector<uint64_t, 1> words;
  llvm::SmallVector<State, 0> flags;
  std::vector<Spread> spreads; ///< empty, or one per element; read only in state Enclosed
};

using TilePtr = std::shared_ptr<const Tile>;

/// Product of the extents.
size_t elementCount(llvm::ArrayRef<int64_t> shape);
/// Strides of a dense row-major layout.
llvm::SmallVector<int64_t, 4> rowMajorStrides(llvm::ArrayRef<int64_t> shape);

/// Calls visit(linear index, coordinate) for every coordinate, last dimension fastest.
template <typename Visit> void forEachIndex(llvm::ArrayRef<int64_t> shape, Visit visit) {
  llvm::SmallVector<int64_t, 4> index(shape.size(), 0);
  size_t count = elementCount(shape);
  for (size_t linear = 0; linear < count; ++linear) {
    visit(linear, llvm::ArrayRef<int64_t>(index));
    for (int d = static_cast<int>(shape.size()) - 1; d >= 0; --d) {
      if (++index[d] < shape[d])
        break;
      index[d] = 0;
    }
  }
}

} // namespace tilesmith::reference

#endif // REFERENCE_VALUE_TILE_H
