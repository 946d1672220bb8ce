//===- FuzzMutators.h - custom mutators for structured fuzz inputs ----------------------------===//
//
// What libFuzzer does to bytes when a target says how its bytes are structured. Each function has
// the contract of LLVMFuzzerCustomMutator or LLVMFuzzerCustomCrossOver: the result stands in the
// given memory, is at most as large as allowed, and depends on its arguments alone (and on
// LLVMFuzzerMutate, where libFuzzer is linked).
//
// Choice streams: generators/entropy/ChoiceChanges.h. Bytecode: a section is changed as a whole, and
// its length and padding are written anew.
//
//===------------------------------------------------------------------------------------------===//
#ifndef FUZZ_TARGETS_FUZZMUTATORS_H
#define FUZZ_TARGETS_FUZZMUTATORS_H

#include "generators/entropy/ChoiceChanges.h"

#include "llvm/ADT/ArrayRef.h"

#include <cstddef>
#include <cstdint>
#include <vector>

/// Given by libFuzzer; null in replay tests.
extern "C" __attribute__((weak)) size_t LLVMFuzzerMutate(uint8_t *data, size_t size,
                                                         size_t maxSize);

namespace tilesmith::fuzz {

using MutatorRandom = generators::ChangeRandom;

/// Changes bytes without a structure: LLVMFuzzerMutate where there is one, else one byte.
size_t mutateBytes(uint8_t *data, size_t size, size_t maxSize, MutatorRandom &random);

size_t mutateChoices(uint8_t *data, size_t size, size_t maxSize, MutatorRandom &random);
size_t crossChoices(llvm::ArrayRef<uint8_t> first, llvm::ArrayRef<uint8_t> second, uint8_t *out,
                    size_t maxSize, MutatorRandom &random);

size_t mutateSections(uint8_t *data, size_t size, size_t maxSize, MutatorRandom &random);
size_t crossSections(llvm::ArrayRef<uint8_t> first, llvm::ArrayRef<uint8_t> second, uint8_t *out,
                     size_t maxSize, MutatorRandom &random);

/// Copies as much of `bytes` as fits.
size_t emitBytes(llvm::ArrayRef<uint8_t> bytes, uint8_t *out, size_t maxSize);

} // namespace tilesmith::fuzz

/// Defines the two hooks of libFuzzer from a pair of the functions above.
#define TILESMITH_FUZZ_MUTATORS(MUTATE, CROSS)                                                     \
  extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t maxSize,            \
                                            unsigned seed) {                                       \
    tilesmith::fuzz::MutatorRandom random{seed};                                                   \
    return MUTATE(data, size, maxSize, random);                                                    \
  }                                                                                                \
  extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t *first, size_t firstSize,              \
                                              const uint8_t *second, size_t secondSize,            \
                                              uint8_t *out, size_t maxSize, unsigned seed) {       \
    tilesmith::fuzz::MutatorRandom random{seed};                                                   \
    return CROSS({first, firstSize}, {second, secondSize}, out, maxSize, random);                  \
  }

#endif // FUZZ_TARGETS_FUZZMUTATORS_H
