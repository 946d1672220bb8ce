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

#include <bit>
#include <memory>
#include <string>

#include "llvm/ADT/SmallVector.h"

#include "reference/value/Array.h"
#include "reference/value/ElementType.h"

namespace tilesmith::reference {

/// [spec: state-known, state-nan, state-unspecified, state-enclosed]
enum class State : uint8_t { Known = 0, NaN = 1, Unknown = 2, Enclosed = 4 };

/// How far a legal result may lie from the centre.
struct Spread {
  double error = 0; ///< every legal number lies within; infinite: vacuous
  /// The bound rests on published observations, not on a proof: results between error and
  /// error * band are neither right nor wrong [spec: band-observed]. 1 where the bound is proven.
  float band = 1;
  bool anyZeroSign = false; ///< a zero may have either sign
};

/// A spread in one word, because tiles of ranges are bound by their size: the upper 48 bits of the
/// error (36 of precision), the sign of zero, the upper 15 bits of the positive band; both numbers
/// are rounded up. Bands order like their low bits. A vacuous spread needs no band: the interpreter
/// keeps a number there that says where it began (interp/Registry.h).
struct PackedSpread {
  static constexpr uint64_t kErrorMask = ~uint64_t(0xffff), kZeroSign = 0x8000, kBandMask = 0x7fff;

  uint64_t word = kPoint;
  static constexpr uint64_t kPoint = 0x3f80;                       ///< error 0, band 1
  static constexpr uint64_t kVacuous = uint64_t(0x7ff) << 52;      ///< infinite error
  static constexpr unsigned kNoOrigin = kPoint, kOrigins = kPoint; ///< numbers below kOrigins

  bool isVacuous() const { return (word & kErrorMask) == kVacuous; }
  unsigned origin() const { return static_cast<unsigned>(word & kBandMask); }
  void setOrigin(unsigned number) { word = (word & ~kBandMask) | number; }

  PackedSpread() = default;
  PackedSpread(const Spread &s)
      : word(packError(s.error) | (s.anyZeroSign ? kZeroSign : 0) | packBand(s.band)) {}
  static uint64_t packError(double error) {
    return (std::bit_cast<uint64_t>(error) + ~kErrorMask) & kErrorMask;
  }
  static uint64_t packBand(float band) {
    return (std::bit_cast<uint32_t>(band) + uint32_t(0xffff)) >> 16;
  }
  double error() const { return std::bit_cast<double>(word & kErrorMask); }
  operator Spread() const {
    return {error(), std::bit_cast<float>(static_cast<uint32_t>(word & kBandMask) << 16),
            (word & kZeroSign) != 0};
  }
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
  /// All elements 0.
  Tile(ElementType type, llvm::ArrayRef<int64_t> shape);
  /// Bits unspecified: for loops that set every element.
  static Tile unset(ElementType type, llvm::ArrayRef<int64_t> shape);

  /// Rank 0.
  static Tile scalar(ElementType type, uint64_t bits, State state = State::Known);

  ElementType type() const { return elementType; }
  llvm::ArrayRef<int64_t> shape() const LLVM_LIFETIME_BOUND { return dims; }
  unsigned rank() const { return dims.size(); }
  size_t size() const { return words.size(); }

  llvm::ArrayRef<uint64_t> bits() const LLVM_LIFETIME_BOUND { return {words.data(), words.size()}; }
  llvm::MutableArrayRef<uint64_t> bits() { return {words.writable(), words.size()}; }
  bool allKnown() const { return flags.empty(); }
  State state(size_t i) const { return flags.empty() ? State::Known : flags[i]; }
  void setState(size_t i, State state) {
    if (flags.empty()) {
      if (state == State::Known)
        return;
      flags = Array<State>(words.size(), State::Known);
    }
    flags.at(i) = state;
    if (!spreads.empty() && state != State::Enclosed)
      spreads.at(i) = {};
  }
  Element element(size_t i) const {
    State s = state(i);
    return {words[i], s, s == State::Enclosed ? Spread(spreads[i]) : Spread()};
  }
  void set(size_t i, const Element &e) {
    words.at(i) = e.bits;
    setState(i, e.state);
    if (e.state == State::Enclosed) {
      if (spreads.empty())
        spreads = Array<PackedSpread>(words.size(), PackedSpread());
      spreads.at(i) = e.spread;
    }
  }

  /// The same elements under another shape; nothing is copied.
  static std::shared_ptr<const Tile> reshaped(std::shared_ptr<const Tile> source,
                                              llvm::ArrayRef<int64_t> shape);

  // Loops over many elements work on the arrays: states() and spreadData() are null when every
  // element is Known, or none was ever Enclosed.
  const State *states() const { return flags.empty() ? nullptr : flags.data(); }
  const PackedSpread *spreadData() const { return spreads.empty() ? nullptr : spreads.data(); }
  /// Makes both arrays, to be filled completely: spreads are points where the state is not
  /// Enclosed.
  void openStates() {
    flags = Array<State>(words.size());
    spreads = Array<PackedSpread>(words.size());
  }
  State *states() { return flags.writable(); }
  PackedSpread *spreadData() { return spreads.writable(); }
  /// Drops both arrays; every element must be Known.
  void closeStates() {
    flags = {};
    spreads = {};
  }
  /// Bytes of all arrays.
  uint64_t byteSize() const {
    return words.size() * sizeof(uint64_t) + flags.size() * sizeof(State) +
           spreads.size() * sizeof(PackedSpread);
  }

  /// Row-major strides of the shape, in elements.
  /// [spec: tile-row-major]
  llvm::SmallVector<int64_t, 4> strides() const;

  /// `[1, nan(?), U]` for messages; at most `limit` elements.
  std::string toString(unsigned limit = 16) const;

private:
  Tile(ElementType type, llvm::ArrayRef<int64_t> shape, Array<uint64_t> words)
      : elementType(type), dims(shape.begin(), shape.end()), words(std::move(words)) {}

  ElementType elementType;
  llvm::SmallVector<int64_t, 4> dims;
  Array<uint64_t> words;
  Array<State> flags;
  Array<PackedSpread> spreads; ///< empty, or one per element: a point unless in state Enclosed
  std::shared_ptr<const Tile> lender; ///< owns what the arrays read, if they are lent
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
