//===- Facts.h - what the generator knows about a value ---------------------------------------===//
//
// Rules compose by these facts: a rule states which facts its operands must have and which its
// result has. For integers the fact is an inclusive range of the signed reading of every element;
// for floats it is whether the value is fully determined (`exact`), so that comparisons and
// conversions of it are, too. Integers may also be `distinct` within their tile, which is what a
// store through a tile of pointers needs.
//
// Invariant: a fact is true for all contents of the input buffers, never only for the data of this
// case.
//
//===------------------------------------------------------------------------------------------===//
#ifndef GENERATORS_PROGRAM_FACTS_H
#define GENERATORS_PROGRAM_FACTS_H

#include <algorithm>
#include <cassert>

namespace tilesmith::generators {

/// Wide enough for sums and products of two 64-bit numbers.
using Int = __int128;

/// Smallest and largest signed value of `width` bits (1 to 64). One bit holds 0 and -1.
constexpr Int signedMin(unsigned width) {
  return -(Int(1) << (width - 1));
}
constexpr Int signedMax(unsigned width) {
  return (Int(1) << (width - 1)) - 1;
}
constexpr Int unsignedMax(unsigned width) {
  return (Int(1) << width) - 1;
}

/// Inclusive range of signed values.
struct Range {
  Int low, high;

  static constexpr Range full(unsigned width) { return {signedMin(width), signedMax(width)}; }
  static constexpr Range point(Int value) { return {value, value}; }

  bool within(Int from, Int to) const { return low >= from && high <= to; }
  /// Every value is one of `width` signed bits.
  bool fits(unsigned width) const { return within(signedMin(width), signedMax(width)); }
  bool nonNegative() const { return low >= 0; }
  Range unite(Range other) const { return {std::min(low, other.low), std::max(high, other.high)}; }
  /// This range if it fits into `width` bits, else all values: what wrap-around leaves.
  Range wrapped(unsigned width) const { return fits(width) ? *this : full(width); }

  /// Range of a function that is monotone in each argument, from its values at the corners.
  template <typename Function> static Range corners(Range a, Range b, Function f) {
    Int w = f(a.low, b.low), x = f(a.low, b.high), y = f(a.high, b.low), z = f(a.high, b.high);
    return {std::min(std::min(w, x), std::min(y, z)), std::max(std::max(w, x), std::max(y, z))};
  }
};

/// What is known about a tile value.
struct Facts {
  Range range = {0, 0};  ///< integers only
  bool exact = true;     ///< false: known within bounds only; for EnclosureRules and stores
  bool distinct = false; ///< no two elements are equal: offsets of a store may be made of it
};

} // namespace tilesmith::generators

#endif // GENERATORS_PROGRAM_FACTS_H
