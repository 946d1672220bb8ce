//===- ChoiceChanges.h - other choices made of given ones -------------------------------------===//
//
// One answer is a byte and one statement a frame of 32 bytes, so bytes are changed in place, and
// inserted, dropped and exchanged in whole frames. What comes out depends on the arguments alone.
//
//===------------------------------------------------------------------------------------------===//
#ifndef GENERATORS_ENTROPY_CHOICECHANGES_H
#define GENERATORS_ENTROPY_CHOICECHANGES_H

#include "llvm/ADT/ArrayRef.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tilesmith::generators {

/// The random numbers of a change (SplitMix64).
struct ChangeRandom {
  uint64_t state;
  uint64_t next();
  size_t below(size_t n) { return n == 0 ? 0 : next() % n; }
};

/// Another answer to a few questions, another statement, one more or one less.
void changeChoices(std::vector<uint8_t> &choices, ChangeRandom &random);

/// The start of one and the end of the other, cut at the same place or a few frames apart.
std::vector<uint8_t> joinChoices(llvm::ArrayRef<uint8_t> first, llvm::ArrayRef<uint8_t> second,
                                 ChangeRandom &random);

} // namespace tilesmith::generators

#endif // GENERATORS_ENTROPY_CHOICECHANGES_H
