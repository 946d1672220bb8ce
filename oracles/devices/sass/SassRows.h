//===- SassRows.h - programs of words for rows that no kernel of the other tests has ----------===//
#ifndef ORACLES_DEVICES_SASS_SASSROWS_H
#define ORACLES_DEVICES_SASS_SASSROWS_H

#include "oracles/devices/sass/SassWords.h"

#include <bit>
#include <functional>

namespace tilesmith::sass {

/// What the frame leaves to a program: R0 is the lane, R2 and R3 are the address of its 8 bytes in memory, which the result
/// goes to; 0x100 further on it has others, `dataOf(lane)`. R6, R7 and UR4, UR5 are kM, kN. R10 is 8 times the lane, R11 zero,
/// UR6, UR7 the address of the first lane. Shared memory has 4 KiB from 0x400 on.
inline constexpr uint32_t kM = 0xc2f70000,
                          kN = 0x40200001; // -123.5 and a little more than 2.5 as floats
inline constexpr uint64_t kData = 0x100, kShared = 0x400;

inline uint64_t dataOf(unsigned lane) {
  return 0x4048f5c300000000 + 0x0000000100000005 * lane;
}

struct WordRow {
  unsigned sm;
  const char *spelled; ///< the word of the row, as the table spells it: how it begins
  std::vector<Word> words;
  std::function<uint64_t(unsigned lane)> expected;
  size_t tested = 0; ///< which of the words it is
};

inline Word moveUniformNumber(unsigned to, uint32_t value) { // UMOV
  return word(0x882, {{16, 8, to}, {32, 32, value}});
}
inline Word toUniform(unsigned to, unsigned from) { // R2UR
  return word(0x3c2, {{16, 8, to}, {24, 8, from}, {81, 3, 7}});
}
inline std::function<uint64_t(unsigned)> always(uint64_t value) {
  return [=](unsigned) { return value; };
}
inline uint64_t bitsOf(float value) {
  return std::bit_cast<uint32_t>(value);
}
inline uint64_t bitsOf(float low, float high) {
  return bitsOf(low) | bitsOf(high) << 32;
}
inline uint64_t bitsOf(double value) {
  return std::bit_cast<uint64_t>(value);
}

/// Words that leave their result in UR8, which is moved to R4; of a pair in UR9, to R5.
inline std::vector<Word> ofWarp(std::vector<Word> words, bool isPair = false) {
  words.push_back(moveUniform(4, 8));
  if (isPair)
    words.push_back(moveUniform(5, 9));
  return words;
}

/// What is wrong with the results of these programs; nothing when they are right.
std::vector<std::string> checkRows(const std::vector<WordRow> &rows);

/// A row with a function that is not its own, and the programs that have to show it.
struct WrongWordRow {
  const char *name, *what;
  Execute wrong;
  std::vector<WordRow> (*rows)();
};
/// Those that show nothing.
std::vector<std::string> hiddenRows(llvm::ArrayRef<WrongWordRow> wrong);

} // namespace tilesmith::sass

#endif // ORACLES_DEVICES_SASS_SASSROWS_H
