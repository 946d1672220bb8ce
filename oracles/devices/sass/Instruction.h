//===- Instruction.h - machine instructions, decoded ------------------------------------------===//
//
// An instruction word has 128 bits. One table row (`*Rows.inc`) describes one form of one operation:
// where its modifiers and operands stand, and which function executes it. Decoding is strict: every
// bit of the word is a field of the row or zero, every field has a value that the row names; what
// is not described is `unsupported`, never guessed.
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_DEVICES_SASS_INSTRUCTION_H
#define ORACLES_DEVICES_SASS_INSTRUCTION_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace tilesmith::sass {

/// Generations of the encoding and of the launch convention.
enum class Generation : uint8_t { Ampere, Hopper, Blackwell };
Generation generationOf(unsigned sm);

/// What chips of one generation have differently.
struct Chip {
  uint32_t tensorUnits;  ///< of 32 columns of tensor memory that a block can have
  uint32_t matrixPlaces; ///< of 16 bytes that the descriptor of a matrix can name
  bool deepProducts;     ///< an instruction of tensor memory may go through 64 bytes of a row
};
/// sm_107 has more than 256 KiB of shared memory.
Chip chipOf(unsigned sm);

class Warp;
struct Instruction;
using Execute = void (*)(Warp &, const Instruction &);

/// One instruction word.
struct Word {
  uint64_t low = 0, high = 0;
  uint64_t field(unsigned bit, unsigned width) const {
    const uint64_t shifted = bit >= 64 ? high >> (bit - 64)
                             : bit     ? low >> bit | high << (64 - bit)
                                       : low;
    return width >= 64 ? shifted : shifted & ((uint64_t{1} << width) - 1);
  }
};

inline constexpr uint8_t kRZ = 255, kPT = 7;
/// The register that reads as zero is 63 on machines with 63 uniform registers; decoded it is 255.
inline constexpr uint8_t kURZ = 255;

struct Operand {
  enum Kind : uint8_t {
    None,
    Register,
    Uniform,
    Predicate,
    UniformPredicate,
    Immediate,
    Constant, ///< c[bank][register + value]
    Barrier,
    Special,
    Address, ///< [register * scale + uniform + value]
    Target,  ///< value: offset of an instruction in the code
  };
  static constexpr uint8_t kTurned = 4; ///< (x, y) is (-y, x): a complex number times i
  Kind kind = None;
  char type = 'i';       ///< of an ALU source: i(nteger), f(loat), d(ouble), h(alf pair)
  bool negative = false; ///< arithmetic or bitwise negation, as the operation says
  bool absolute = false;
  uint8_t half = 0;       ///< of a half pair: 0 both, 1 as f32, 2 low twice, 3 high twice, kTurned
  uint8_t index = kRZ;    ///< register, predicate or barrier
  uint8_t uniform = kURZ; ///< of an address
  uint8_t bank = 0;       ///< of a constant
  uint8_t scale = 0;      ///< of an address: log2
  bool uniformIndex = false; ///< of a constant: `index` is a uniform register
  int64_t value = 0;         ///< immediate, offset, special register, target
};

/// One entry of a row's template.
struct Token {
  enum Kind : uint8_t { Flag, Choice, Silent, Fixed, Ignored, Source, Plain };
  Kind kind = Fixed;
  uint8_t bit = 0, width = 1;
  uint64_t value = 0;             ///< of a fixed field
  std::vector<std::string> names; ///< of a modifier
  char slot = 0, type = 'i';      ///< of a source: a, b, c or x; of a plain operand: its letter
  bool mayNegate = false, mayAbsolute = false;
  bool mayTurn = false; ///< a pair of halves as kTurned, bit 86
  bool isWhole = false; ///< a pair of halves of which none can be chosen
  int condition = -1;   ///< the operand stands only with this modifier; else it must be neutral
  std::string text;     ///< address layout
};

struct Row {
  uint16_t opcode = 0; ///< 9 bits with forms, 12 bits without
  std::string forms;   ///< digits 1 to 7: what the sources are
  std::string name;
  unsigned firstSm = 80, lastSm = 999;
  unsigned alsoSm = 0; ///< one more GPU, outside of these
  Execute execute = nullptr;
  std::vector<Token> tokens;
};

struct Control {
  uint8_t stall = 0, writeBarrier = 7, readBarrier = 7, waitMask = 0;
  bool yield = false;
};

struct Instruction {
  const Row *row = nullptr;
  Execute execute = nullptr;
  uint32_t offset = 0; ///< in the code
  uint8_t guard = kPT;
  bool guardNegative = false, uniformGuard = false;
  uint8_t form = 0;
  std::array<uint8_t, 10> mods{};
  std::array<Operand, 9> ops{};
  uint8_t numOps = 0;
  Control control;
};

/// Decodes the word at `offset` of the code. Error: what the table does not know, by name or bits.
llvm::Expected<Instruction> decode(Word word, uint32_t offset, unsigned sm);

/// As the vendor's disassembler spells it, but for blanks, `.reuse` and the spelling of numbers:
/// `@!P0 IADD3.X R1,P2,R3,-R4,c[0x0][0x160],P5,!PT`.
std::string print(const Instruction &instruction);

/// For tests: while one exists, rows of a name are decoded to another function. Not from two threads.
class PlantedRow {
public:
  PlantedRow(llvm::StringRef name, Execute wrong);
  ~PlantedRow();
  PlantedRow(const PlantedRow &) = delete;
  PlantedRow &operator=(const PlantedRow &) = delete;
};

/// For tests: from now on every instruction passes through this function when it is decoded. Not from two threads.
void watchDecoding(void (*then)(Instruction &));

/// All rows, for tests and tables.
llvm::ArrayRef<Row> instructionTable();

} // namespace tilesmith::sass

#endif // ORACLES_DEVICES_SASS_INSTRUCTION_H
