//===- SassWords.h - words of machine code, field by field ------------------------------------===//
//
// For forms that ptxas makes of no PTX that we know. Words are as the vendor's disassembler spells them.
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_DEVICES_SASS_SASSWORDS_H
#define ORACLES_DEVICES_SASS_SASSWORDS_H

#include "oracles/devices/sass/Instruction.h"

#include <initializer_list>

namespace tilesmith::sass {

struct Field {
  unsigned bit, width;
  uint64_t value;
};

/// An unguarded word that nobody has to wait for: a stall count of zero waits itself.
inline Word word(unsigned opcode, std::initializer_list<Field> fields) {
  Word word{opcode | uint64_t{7} << 12, uint64_t{7} << 46 | uint64_t{7} << 49};
  for (auto [bit, width, value] : fields) {
    uint64_t &half = bit < 64 ? word.low : word.high;
    const uint64_t mask = ((uint64_t{1} << width) - 1) << bit % 64;
    half = (half & ~mask) | (value << bit % 64 & mask);
  }
  return word;
}

inline Word moveUniform(unsigned to, unsigned from) { // MOV
  return word(0xc02, {{16, 8, to}, {32, 8, from}, {72, 4, 15}, {91, 1, 1}});
}
inline Word moveImmediate(unsigned to, uint32_t value) { // MOV
  return word(0x802, {{16, 8, to}, {32, 32, value}, {72, 4, 15}});
}
inline Word store64() { // STG.E.64 desc[UR4][R2.64], R4
  return word(0x986, {{24, 8, 2},
                      {32, 8, 4},
                      {64, 8, 4},
                      {72, 1, 1},
                      {73, 3, 5},
                      {76, 1, 1},
                      {84, 3, 1},
                      {90, 2, 3}});
}
inline Word exitWord() {
  return word(0x94d, {{87, 3, kPT}});
}
/// UISETP.EQ.U32.AND UPp, UPT, UR4, value, UPT
inline Word equals(unsigned p, uint32_t value) {
  return word(0x88c, {{24, 8, 4},
                      {32, 32, value},
                      {68, 3, 7},
                      {76, 3, 2},
                      {81, 3, p},
                      {84, 3, 7},
                      {87, 3, 7},
                      {91, 1, 1}});
}

// ---- barriers of lanes ----

inline Word guarded(Word word, unsigned predicate) {
  word.low = (word.low & ~uint64_t{0xf000}) | uint64_t{predicate} << 12;
  return word;
}
inline Word branch(int over) { // BRA, over so many words
  return word(0x947, {{16, 8, static_cast<uint64_t>(over * 4)},
                      {34, 30, over < 0 ? ~uint64_t{0} : 0},
                      {64, 18, over < 0 ? ~uint64_t{0} : 0},
                      {87, 3, 7}});
}
inline Word saved(unsigned to, unsigned barrier) { // BMOV.32.CLEAR
  return word(0x355, {{16, 8, to}, {24, 4, barrier}, {84, 1, 1}});
}
inline Word restored(unsigned barrier, unsigned from) { // BMOV.32
  return word(0x356, {{24, 4, barrier}, {32, 8, from}});
}
inline Word reconverged(unsigned barrier) { // BSYNC.RECONVERGENT
  return word(0x941, {{16, 4, barrier}, {72, 2, 2}, {87, 3, 7}});
}
inline Word lanesToMeet(unsigned barrier) { // BSSY.RECONVERGENT
  return word(0x945, {{16, 4, barrier}, {72, 2, 2}, {87, 3, 7}});
}

/// Executes an instruction as one with other fields.
template <auto execute, auto change>
void executeChanged(Warp &warp, const Instruction &instruction) {
  Instruction changed = instruction;
  change(changed);
  execute(warp, changed);
}

} // namespace tilesmith::sass

#endif // ORACLES_DEVICES_SASS_SASSWORDS_H
