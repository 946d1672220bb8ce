//===- ChoiceStream.h - the one source of all random choices of a generator -------------------===//
//
// A generator asks this stream every question ("how many", "which", "yes or no"); nothing else in
// the generators room draws random numbers. The stream is a sequence of bytes that comes either
// from a seeded PRNG (tilesmith generate, tilesmith fuzz) or from a given byte string (libFuzzer,
// replay).
//
// Invariants:
//   * The answers depend on the bytes alone: same bytes, same answers, on every machine and in
//     every build.
//   * Every question about a set of at most 256 answers takes exactly one byte, so that the edit of
//     one byte changes one answer and shifts none of the later ones.
//   * frame(n) takes exactly n bytes of the parent. One statement of a kernel lives in one frame:
//     however many questions it asks, an edit inside it leaves the bytes of the following
//     statements alone. A frame that asks for more than its n bytes goes on with a PRNG seeded by
//     those n bytes.
//   * A given byte string that is used up answers zero, the smallest choice, and exhausted() turns
//     true.
//
//===------------------------------------------------------------------------------------------===//
#ifndef GENERATORS_ENTROPY_CHOICESTREAM_H
#define GENERATORS_ENTROPY_CHOICESTREAM_H

#include "llvm/ADT/ArrayRef.h"

#include <cassert>
#include <cstdint>
#include <vector>

namespace tilesmith::generators {

/// The sequence of choices that makes one case.
class ChoiceStream {
public:
  /// An endless stream of pseudo-random bytes (SplitMix64, fixed for ever: seeds are part of bug
  /// reports).
  static ChoiceStream fromSeed(uint64_t seed);

  /// The given bytes, then zeros.
  static ChoiceStream fromBytes(llvm::ArrayRef<uint8_t> bytes);

  /// The next byte.
  uint8_t byte();

  /// A number in [0, n), n >= 1: one byte for n <= 256, two for n <= 65536, else eight. Slightly
  /// biased towards small numbers when n does not divide the range, which no generator here minds.
  uint64_t below(uint64_t n);

  /// A number in [low, high], both inclusive.
  int64_t between(int64_t low, int64_t high);

  /// True with a probability of about `percent` in a hundred. The byte zero (an exhausted stream)
  /// says false.
  bool chance(unsigned percent);

  /// `bits` (1 to 64) uniform bits, low bits first.
  uint64_t bits(unsigned bits);

  /// One of the items, which must not be empty.
  template <typename T> const T &pick(llvm::ArrayRef<T> items) {
    assert(!items.empty() && "pick from nothing");
    return items[below(items.size())];
  }

  /// An index i with a probability proportional to weights[i]; the sum must be positive.
  size_t weighted(llvm::ArrayRef<unsigned> weights);

  /// A stream over the next `size` bytes (at least 1) of this one; see the invariants above.
  ChoiceStream frame(unsigned size);

  /// True once a given byte string has been used up. Seeded streams never are.
  bool exhausted() const { return mode == Mode::Bytes && position >= given.size(); }

  /// All bytes taken so far from this stream (frames count whole). fromBytes(recorded()) gives the
  /// same answers.
  llvm::ArrayRef<uint8_t> recorded() const LLVM_LIFETIME_BOUND { return record; }

private:
  enum class Mode { Seed, Bytes, Frame };

  ChoiceStream(Mode mode, uint64_t state, std::vector<uint8_t> given)
      : mode(mode), state(state), given(std::move(given)) {}

  uint8_t nextRandomByte();

  Mode mode;
  uint64_t state = 0;     ///< state of the PRNG
  uint64_t word = 0;      ///< bytes of the last PRNG word that are not used yet
  unsigned wordBytes = 0; ///< how many of them
  std::vector<uint8_t> given;
  size_t position = 0; ///< next byte of `given`
  std::vector<uint8_t> record;
};

} // namespace tilesmith::generators

#endif // GENERATORS_ENTROPY_CHOICESTREAM_H
