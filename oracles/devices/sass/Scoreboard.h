//===- Scoreboard.h - results that are late until their scoreboard is waited for --------------===//
//
// An instruction of variable latency names a scoreboard that counts until its result is written, and
// one that counts until its sources are read. Nothing but the wait masks of later instructions keeps
// them from coming too early. Here results are there at once, and what a missing wait would break is
// a fault: a register that is read or written while a result for it is due, or that is written while
// an earlier instruction has yet to read it. What was written was read before; what a unit does
// without a scoreboard is done when its next result, which has one, is. After an instruction that
// stalls for 0 cycles (ptxas -O0) all is done.
//
// Invariant: no false alarm. What an instruction reads or writes is stated for certain registers
// only (the first of a group where the form does not tell how many), by lane.
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_DEVICES_SASS_SCOREBOARD_H
#define ORACLES_DEVICES_SASS_SCOREBOARD_H

#include "oracles/devices/sass/Instruction.h"
#include "oracles/devices/sass/Sass.h"

namespace tilesmith::sass {

/// Registers, uniform registers, predicates and uniform predicates, a bit each.
struct RegisterSet {
  static constexpr unsigned kUniform = 256, kPredicate = 512, kUniformPredicate = 520;
  std::array<uint64_t, 9> words{};
  void add(unsigned bit) { words[bit / 64] |= uint64_t{1} << (bit & 63); }
  void add(const RegisterSet &other) {
    for (size_t n = 0; n < words.size(); ++n)
      words[n] |= other.words[n];
  }
  bool has(unsigned bit) const { return words[bit / 64] >> (bit & 63) & 1; }
  bool empty() const { return *this == RegisterSet(); }
  /// The first register in both, or -1.
  int common(const RegisterSet &other) const;
  bool operator==(const RegisterSet &) const = default;
};

/// What the control fields of an instruction guard, and where it is counted.
struct Footprint {
  RegisterSet reads, writes;
  RegisterSet lateReads;                 ///< of what it reads, what it may read after it was issued
  RegisterSet readyWithReads;            ///< written when its sources have been read
  uint8_t waits = 0;                     ///< mask of the scoreboards that are empty when it begins
  uint8_t drained = 7, remaining = 0;    ///< DEPBAR.LE: a scoreboard, and how many may stay
  uint8_t writeBoard = 7, readBoard = 7; ///< 7: none
  Pipe pipe = Pipe::Alu;
  uint8_t stall = 0; ///< cycles until the warp may issue again; 0: when all that it did is done
  bool yield = false;
  uint8_t queue = 0; ///< in which sources are read in order; 0: none
  uint8_t unit = 0;  ///< which works in order; 0: its latency is fixed, or it is waited for at once
};
Footprint footprintOf(const Instruction &instruction);

/// What the scoreboards of one warp count.
class Scoreboards {
public:
  /// The instruction at `pc` begins in `lanes`, after its waits; empty, or what is wrong.
  std::string begin(const std::vector<Footprint> &code, uint32_t pc, uint32_t lanes);
  /// It has been issued; its guard is true in `lanes`.
  void issued(const std::vector<Footprint> &code, uint32_t pc, uint32_t lanes);
  bool idle() const { return pending.empty(); }

private:
  struct Pending {
    uint32_t pc, lanes;
    uint64_t number; ///< in the order of issue
    uint8_t board;
    bool read;             ///< its sources have yet to be read; else its results to be written
    bool borrowed = false; ///< the scoreboard is that of the next result of its unit
  };
  void refresh(const std::vector<Footprint> &code);
  std::vector<Pending> pending; ///< oldest first
  RegisterSet written, read;    ///< of all that are pending: what is due, and what is still read
  uint64_t count = 0;
};

} // namespace tilesmith::sass

#endif // ORACLES_DEVICES_SASS_SCOREBOARD_H
