//===- Decoder.cpp - instruction words to instructions and to text ----------------------------===//
//
// A row's template is two texts of words separated by blanks. Modifiers, in the order of mods[]:
//
//   X@74             printed as .X when bit 74 is set
//   78:2=|RM|RP|RZ   one name per value; an empty name is not printed, `-` is no value
//   ~90:1            stored, not printed
//   !84:3=4          must have this value; not stored
//   ?86:1            any value; not stored
//
// Operands, in the order of ops[]:
//
//   R16 U16          register, uniform register
//   u60:73           uniform register in two fields: its lower 3 bits, the upper 5 (sm_120)
//   N24              the uniform register behind the one that stands there: no field of its own
//   P81 V81          predicate, uniform predicate; p87 v87: as a source, negated by bit +3
//   w68              predicate, uniform when bit 67 is set
//   n87              uniform predicate as a source, numbered downwards: 0 is UPT
//   B16              convergence barrier;  s72: special register;  I72:8 S40:24: immediates
//   L                the table of PLOP3, in two fields
//   T34:48           target, relative to the next instruction, in units of 4 bytes
//   t24              the same, 8 bits, in bytes
//   C                c[bank][register + offset];  K: with a uniform register;  k: with none
//   Mr24u32x78o40:24 address: register, uniform register, scale, signed offset (z: unsigned;
//                    h: its upper 8 bits)
//   ai- bf-| cd xh   sources of the ALU by slot and type; which fields they fill depends on the
//                    form; `-` may be negated, `|` may be absolute, w: no half of a pair is chosen,
//                    u: a pair may be turned, `.H0_NH1`.
//                    x: the one that bits 32-63 hold; y: c with its choice of halves elsewhere
//   p87^2            only where modifier 2 is set; otherwise the field must be its neutral value
//
// Forms: 1 registers; 2 3 7 c is an immediate, constant, uniform and b stands at bit 64; 4 5 6 the
// same for b.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/devices/sass/Execute.h"
#include "oracles/devices/sass/Instruction.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"

#include <cstring>
#include <map>

using namespace tilesmith::sass;

namespace {

struct RawRow {
  uint16_t opcode;
  const char *forms, *name, *mods, *ops;
  Execute execute;
  unsigned firstSm = 80, lastSm = 999, alsoSm = 0;
};

constexpr RawRow kRawRows[] = {
#define ROW(...) {__VA_ARGS__},
#include "oracles/devices/sass/ControlRows.inc"
#include "oracles/devices/sass/FloatRows.inc"
#include "oracles/devices/sass/IntegerRows.inc"
#include "oracles/devices/sass/MemoryRows.inc"
#undef ROW
};

unsigned number(llvm::StringRef &text) {
  unsigned value = 0;
  text.consumeInteger(10, value);
  return value;
}

Token parseModifier(llvm::StringRef text) {
  Token token;
  if (text.contains('@')) {
    auto [name, bit] = text.split('@');
    token.kind = Token::Flag;
    token.bit = static_cast<uint8_t>(number(bit));
    token.names = {"", name.str()};
    return token;
  }
  token.kind = text.consume_front("!")   ? Token::Fixed
               : text.consume_front("~") ? Token::Silent
               : text.consume_front("?") ? Token::Ignored
                                         : Token::Choice;
  token.bit = static_cast<uint8_t>(number(text));
  if (text.consume_front(":"))
    token.width = static_cast<uint8_t>(number(text));
  if (!text.consume_front("="))
    return token;
  if (token.kind == Token::Fixed) {
    text.getAsInteger(0, token.value);
    return token;
  }
  llvm::SmallVector<llvm::StringRef> names;
  text.split(names, '|');
  for (llvm::StringRef name : names)
    token.names.push_back(name.str());
  return token;
}

Token parseOperand(llvm::StringRef text) {
  Token token;
  if (auto [front, back] = text.split('^'); !back.empty()) {
    token.condition = static_cast<int>(number(back));
    text = front;
  }
  const char letter = text.front();
  token.slot = letter;
  text = text.drop_front();
  if (llvm::StringRef("abcxy").contains(letter)) {
    token.kind = Token::Source;
    token.type = text.front();
    token.mayNegate = text.contains('-');
    token.mayAbsolute = text.contains('|');
    token.isWhole = text.contains('w');
    token.mayTurn = text.contains('u');
    return token;
  }
  token.kind = Token::Plain;
  if (letter == 'M') {
    token.text = text.str();
    return token;
  }
  token.bit = static_cast<uint8_t>(number(text));
  if (text.consume_front(":"))
    token.width = static_cast<uint8_t>(number(text));
  return token;
}

struct Table {
  std::vector<Row> rows;
  std::array<std::vector<uint16_t>, 4096> byOpcode;

  Table() {
    rows.reserve(std::size(kRawRows));
    for (const RawRow &raw : kRawRows) {
      Row row;
      row.opcode = raw.opcode;
      row.forms = raw.forms;
      row.name = raw.name;
      row.firstSm = raw.firstSm, row.lastSm = raw.lastSm, row.alsoSm = raw.alsoSm;
      row.execute = raw.execute;
      llvm::SmallVector<llvm::StringRef> words;
      llvm::SplitString(raw.mods, words);
      for (llvm::StringRef word : words)
        row.tokens.push_back(parseModifier(word));
      words.clear();
      llvm::SplitString(raw.ops, words);
      for (llvm::StringRef word : words)
        row.tokens.push_back(parseOperand(word));
      const auto index = static_cast<uint16_t>(rows.size());
      if (row.forms.empty())
        byOpcode[row.opcode].push_back(index);
      for (char form : row.forms)
        byOpcode[row.opcode | (form - '0') << 9].push_back(index);
      rows.push_back(std::move(row));
    }
  }
};

const Table &table() {
  static const Table *instance = new Table;
  return *instance;
}

constexpr int64_t kCgaSize = 0x8a; ///< a special register that Blackwell has

/// Reads the fields of one word by one row; remembers which bits were described.
class FieldReader {
public:
  FieldReader(Word word, const Row &row, uint32_t offset, Generation generation, Instruction &out)
      : word(word), row(row), offset(offset), hopper(generation >= Generation::Hopper),
        blackwell(generation == Generation::Blackwell), out(out) {}

  /// Null, or why the word is not of this form.
  const char *run() {
    take(0, 12);
    out.form = static_cast<uint8_t>(word.field(9, 3));
    const uint64_t guard = take(12, 4);
    out.guard = guard & 7;
    out.guardNegative = guard >> 3;
    llvm::StringRef name = row.name;
    isUniform = name.starts_with("U") && name != "USETMAXREG";
    out.uniformGuard = isUniform || name == "S2UR" || name.starts_with("LDCU") ||
                       name.starts_with("SYNCS.EXCH") || name.starts_with("LDTM") || name == "STTM";
    for (const Token &token : row.tokens)
      if (const char *why = readToken(token))
        return why;
    // Bits 105 and up are the control fields.
    const uint64_t restLow = word.low & ~coveredLow,
                   restHigh = word.high & ~coveredHigh & ((uint64_t{1} << 41) - 1);
    if (restLow | restHigh)
      return "a bit that the form does not have";
    out.control.stall = static_cast<uint8_t>(word.field(105, 4));
    out.control.yield = !word.field(109, 1);
    out.control.writeBarrier = static_cast<uint8_t>(word.field(110, 3));
    out.control.readBarrier = static_cast<uint8_t>(word.field(113, 3));
    out.control.waitMask = static_cast<uint8_t>(word.field(116, 6));
    return nullptr;
  }

private:
  uint64_t take(unsigned bit, unsigned width) {
    for (unsigned i = bit; i < bit + width; ++i)
      (i < 64 ? coveredLow : coveredHigh) |= uint64_t{1} << (i & 63);
    return word.field(bit, width);
  }
  int64_t takeSigned(unsigned bit, unsigned width) {
    const uint64_t value = take(bit, width);
    return static_cast<int64_t>(value << (64 - width)) >> (64 - width);
  }
  uint8_t takeUniform(unsigned bit) {
    const unsigned width = blackwell ? 8 : 6;
    const uint64_t value = take(bit, width);
    return value == (1u << width) - 1 ? kURZ : static_cast<uint8_t>(value);
  }

  const char *readToken(const Token &token) {
    switch (token.kind) {
    case Token::Fixed:
      return take(token.bit, token.width) == token.value ? nullptr : "a fixed field";
    case Token::Ignored:
      take(token.bit, token.width);
      return nullptr;
    case Token::Silent:
      mods[numMods++] = static_cast<uint8_t>(take(token.bit, token.width));
      out.mods = mods;
      return nullptr;
    case Token::Flag:
    case Token::Choice: {
      const uint64_t value = take(token.bit, token.width);
      if (value >= token.names.size() || token.names[value] == "-")
        return "a modifier";
      mods[numMods++] = static_cast<uint8_t>(value);
      out.mods = mods;
      return nullptr;
    }
    case Token::Source:
      return readSource(token, out.ops[out.numOps++]);
    case Token::Plain:
      return readPlain(token, out.ops[out.numOps++]);
    }
    return "a token";
  }

  const char *readSource(const Token &token, Operand &op) {
    op.type = token.type;
    const bool swapped = out.form == 2 || out.form == 3 || out.form == 7;
    char place = token.slot; // a: bits 24-31; l: 32-63; h: 64-71
    if (token.slot == 'x')
      place = 'l';
    else if (token.slot == 'y')
      place = 'h';
    else if (token.slot == 'b')
      place = swapped ? 'h' : 'l';
    else if (token.slot == 'c')
      place = swapped ? 'l' : 'h';
    unsigned negate = 0, absolute = 0, halves = 0;
    const bool half = token.type == 'h';
    if (place == 'a') {
      readRegister(24, op);
      negate = 72, absolute = 73, halves = 74;
    } else if (place == 'h') {
      readRegister(64, op);
      negate = half ? 84 : 75, absolute = half ? 83 : 74;
      halves = token.slot == 'y' ? 76 : 81;
    } else {
      const char *why = readLow(op);
      if (why || op.kind == Operand::Immediate)
        return why;
      negate = 63, absolute = 62, halves = 60;
    }
    if (token.mayNegate)
      op.negative = take(negate, 1);
    if (token.mayAbsolute)
      op.absolute = take(absolute, 1);
    if (half)
      op.half = static_cast<uint8_t>(take(halves, 2));
    if (token.mayTurn && take(86, 1)) {
      if (op.half)
        return "a half";
      op.half = Operand::kTurned;
    }
    const bool isRefused = token.isWhole ? op.half != 0 : hopper && op.half == 1;
    return half && isRefused ? "a half" : nullptr;
  }

  void readRegister(unsigned bit, Operand &op) {
    op.kind = isUniform ? Operand::Uniform : Operand::Register;
    op.index = isUniform ? takeUniform(bit) : static_cast<uint8_t>(take(bit, 8));
  }

  const char *readLow(Operand &op) {
    switch (out.form) {
    case 1:
      readRegister(32, op);
      return nullptr;
    case 2:
    case 4:
      op.kind = Operand::Immediate;
      op.value = static_cast<int64_t>(take(32, 32));
      return nullptr;
    case 3:
    case 5:
      op.kind = Operand::Constant;
      op.index = kRZ;
      op.value = static_cast<int64_t>(take(40, 13) * 4); // bit 53 is a sign
      op.bank = static_cast<uint8_t>(take(54, 5));
      // From sm_100 on the same form indexes with a uniform register.
      if (hopper && take(91, 1)) {
        op.uniformIndex = true;
        op.index = takeUniform(24 + 8);
      }
      return nullptr;
    case 6:
    case 7:
      op.kind = Operand::Uniform;
      op.index = takeUniform(32);
      return take(91, 1) ? nullptr : "the bit of a uniform source";
    default:
      return "a source form";
    }
  }

  const char *readPlain(const Token &token, Operand &op) {
    const bool enabled = token.condition < 0 || mods[token.condition];
    switch (token.slot) {
    case 'R':
      op.kind = Operand::Register;
      op.index = static_cast<uint8_t>(take(token.bit, 8));
      return enabled || op.index == kRZ ? nullptr : "a register where none is used";
    case 'U':
      op.kind = Operand::Uniform;
      op.index = takeUniform(token.bit);
      return enabled || op.index == kURZ ? nullptr : "a register where none is used";
    case 'u':
      op.kind = Operand::Uniform; // without any it is 255
      op.index = static_cast<uint8_t>(take(token.bit, 3) | take(token.width, 5) << 3);
      return nullptr;
    case 'N':
      op.kind = Operand::Uniform;
      op.index = takeUniform(token.bit);
      if (op.index != kURZ)
        ++op.index;
      return nullptr;
    case 'P':
    case 'V':
      op.kind = token.slot == 'P' ? Operand::Predicate : Operand::UniformPredicate;
      op.index = static_cast<uint8_t>(take(token.bit, 3));
      return nullptr;
    case 'p':
    case 'v':
    case 'w': {
      const bool uniform = token.slot == 'v' || (token.slot == 'w' && take(67, 1));
      op.kind = uniform ? Operand::UniformPredicate : Operand::Predicate;
      op.index = static_cast<uint8_t>(take(token.bit, 3));
      op.negative = take(token.bit + 3, 1);
      return enabled || op.index == kPT ? nullptr : "a predicate where none is used";
    }
    case 'n':
      op.kind = Operand::UniformPredicate;
      op.index = static_cast<uint8_t>(kPT - take(token.bit, 3));
      op.negative = take(token.bit + 3, 1);
      return nullptr;
    case 'B':
      op.kind = Operand::Barrier;
      op.index = static_cast<uint8_t>(take(token.bit, 4));
      return nullptr;
    case 's':
      op.kind = Operand::Special;
      op.value = static_cast<int64_t>(take(token.bit, 8));
      if (op.value == kCgaSize && !blackwell)
        return "a special register";
      return specialRegisterName(static_cast<uint8_t>(op.value)).empty() ? "a special register"
                                                                         : nullptr;
    case 'I':
      op.kind = Operand::Immediate;
      op.value = static_cast<int64_t>(take(token.bit, token.width));
      return nullptr;
    case 'S':
      op.kind = Operand::Immediate;
      op.value = takeSigned(token.bit, token.width);
      return nullptr;
    case 'L':
      op.kind = Operand::Immediate;
      op.value = static_cast<int64_t>(take(64, 3) | take(72, 5) << 3);
      return nullptr;
    case 'T': {
      op.kind = Operand::Target;
      int64_t distance = takeSigned(token.bit, token.width);
      if (hopper && token.width == 48)
        distance = distance * 256 + static_cast<int64_t>(take(16, 8));
      op.value = int64_t{offset} + 16 + distance * 4;
      return nullptr;
    }
    case 't':
      op.kind = Operand::Target;
      op.value = int64_t{offset} + 16 + static_cast<int64_t>(take(token.bit, 8));
      return nullptr;
    case 'C':
    case 'K':
      op.kind = Operand::Constant;
      op.uniformIndex = token.slot == 'K';
      op.index = op.uniformIndex ? takeUniform(24) : static_cast<uint8_t>(take(24, 8));
      op.value = blackwell && op.uniformIndex ? static_cast<int64_t>(take(37, 16))
                                              : static_cast<int64_t>(take(38, 15));
      op.bank = static_cast<uint8_t>(take(54, 5));
      return nullptr;
    case 'k':
      op.kind = Operand::Constant;
      op.value = static_cast<int64_t>(take(38, 15));
      op.bank = static_cast<uint8_t>(take(54, 5));
      return nullptr;
    case 'M':
      return readAddress(token.text, op);
    default:
      return "an operand letter";
    }
  }

  const char *readAddress(llvm::StringRef layout, Operand &op) {
    op.kind = Operand::Address;
    while (!layout.empty()) {
      const char letter = layout.front();
      layout = layout.drop_front();
      const unsigned bit = number(layout);
      if (letter == 'r')
        op.index = static_cast<uint8_t>(take(bit, 8));
      else if (letter == 'u')
        op.uniform = takeUniform(bit);
      else if (letter == 'e') // a descriptor, of which nothing is read
        takeUniform(bit);
      else if (letter == 'x')
        op.scale = static_cast<uint8_t>(take(bit, 2) ? take(bit, 2) + 1 : 0);
      else if (letter == 'o' && layout.consume_front(":"))
        op.value = takeSigned(bit, number(layout));
      else if (letter == 'z' && layout.consume_front(":"))
        op.value = static_cast<int64_t>(take(bit, number(layout)));
      else if (letter == 'h' && layout.consume_front(":"))
        op.value = static_cast<int32_t>(static_cast<uint32_t>(op.value) |
                                        static_cast<uint32_t>(take(bit, number(layout))) << 24);
    }
    return nullptr;
  }

  Word word;
  const Row &row;
  uint32_t offset;
  bool hopper, blackwell; ///< this generation, or a later one
  Instruction &out;
  bool isUniform = false;
  std::array<uint8_t, 10> mods{};
  unsigned numMods = 0;
  uint64_t coveredLow = 0, coveredHigh = 0;
};

std::string printNumber(int64_t value) {
  return value < 0 ? llvm::formatv("-{0:x}", -value).str() : llvm::formatv("{0:x}", value).str();
}

std::string printOperand(const Operand &op, bool invert) {
  auto wrap = [&](std::string text) {
    if (op.absolute)
      text = "|" + text + "|";
    return op.negative ? (invert ? "~" : "-") + text : text;
  };
  auto reg = [](uint8_t index) {
    return index == kRZ ? std::string("RZ") : "R" + std::to_string(index);
  };
  auto ureg = [](uint8_t index) {
    return index == kURZ ? std::string("URZ") : "UR" + std::to_string(index);
  };
  static const char *const kHalves[] = {"", ".F32", ".H0_H0", ".H1_H1", ".H0_NH1"};
  switch (op.kind) {
  case Operand::None:
    return "";
  case Operand::Register:
    return wrap(reg(op.index) + (op.type == 'h' ? kHalves[op.half] : ""));
  case Operand::Uniform:
    return wrap(ureg(op.index) + (op.type == 'h' ? kHalves[op.half] : ""));
  case Operand::Predicate:
    return (op.negative ? "!P" : "P") + (op.index == kPT ? "T" : std::to_string(op.index));
  case Operand::UniformPredicate:
    return (op.negative ? "!UP" : "UP") + (op.index == kPT ? "T" : std::to_string(op.index));
  case Operand::Immediate: {
    const auto bits = static_cast<uint32_t>(op.value);
    float value;
    std::memcpy(&value, &bits, 4);
    if (op.type == 'f')
      return llvm::formatv("f:{0:x8}", bits);
    if (op.type == 'd')
      return llvm::formatv("d:{0:x8}", bits);
    if (op.type == 'h')
      return llvm::formatv("h:{0:x4},h:{1:x4}", bits >> 16, bits & 0xffff);
    return printNumber(op.value);
  }
  case Operand::Constant: {
    std::string index;
    if (op.index != kRZ)
      index = (op.uniformIndex ? ureg(op.index) : reg(op.index)) + (op.value ? "+" : "");
    if (op.value || index.empty())
      index += printNumber(op.value);
    return wrap(llvm::formatv("c[{0:x}][{1}]{2}", unsigned(op.bank), index,
                              op.type == 'h' ? kHalves[op.half] : "")
                    .str());
  }
  case Operand::Barrier:
    return "B" + std::to_string(op.index);
  case Operand::Special:
    return specialRegisterName(static_cast<uint8_t>(op.value)).str();
  case Operand::Address: {
    std::vector<std::string> parts;
    if (op.index != kRZ || op.scale || (op.uniform == kURZ && !op.value))
      parts.push_back(reg(op.index) + (op.scale ? ".X" + std::to_string(1 << op.scale) : ""));
    if (op.uniform != kURZ)
      parts.push_back(ureg(op.uniform));
    std::string text = llvm::join(parts, "+");
    if (op.value)
      text += (text.empty() ? "" : op.value < 0 ? "+" : "+") + printNumber(op.value);
    return "[" + text + "]";
  }
  case Operand::Target:
    return printNumber(op.value);
  }
  return "";
}

/// `{2,1}`: the scoreboards that DEPBAR waits for beside the one that it counts.
std::string printScoreboards(const Instruction &instruction, const char *before) {
  if (!llvm::StringRef(instruction.row->name).starts_with("DEPBAR") || !instruction.mods[0])
    return "";
  std::vector<std::string> boards;
  for (int board = 5; board >= 0; --board)
    if (instruction.mods[0] >> board & 1)
      boards.push_back(std::to_string(board));
  return before + ("{" + llvm::join(boards, ",") + "}");
}

} // namespace

Generation tilesmith::sass::generationOf(unsigned sm) {
  const unsigned family = sm / 10;
  return family == 8   ? Generation::Ampere
         : family == 9 ? Generation::Hopper
                       : Generation::Blackwell;
}

Chip tilesmith::sass::chipOf(unsigned sm) {
  return sm == 107 ? Chip{18, 1u << 15, true} : Chip{16, 1u << 14, false};
}

static std::string plantedName;
static Execute plantedFunction = nullptr;

PlantedRow::PlantedRow(llvm::StringRef name, Execute wrong) {
  plantedName = name.str();
  plantedFunction = wrong;
}
PlantedRow::~PlantedRow() {
  plantedFunction = nullptr;
}

static void (*watchOfDecoding)(Instruction &) = nullptr;

void tilesmith::sass::watchDecoding(void (*then)(Instruction &)) {
  watchOfDecoding = then;
}

llvm::ArrayRef<Row> tilesmith::sass::instructionTable() {
  return table().rows;
}

llvm::Expected<Instruction> tilesmith::sass::decode(Word word, uint32_t offset, unsigned sm) {
  const auto opcode = static_cast<unsigned>(word.field(0, 12));
  const char *why = "an opcode";
  const Row *nearest = nullptr;
  const Generation generation = generationOf(sm);
  for (uint16_t index : table().byOpcode[opcode]) {
    const Row &row = table().rows[index];
    if ((sm < row.firstSm || sm > row.lastSm) && sm != row.alsoSm)
      continue;
    Instruction out;
    out.row = nearest = &row;
    out.execute = row.execute;
    out.offset = offset;
    why = FieldReader(word, row, offset, generation, out).run();
    if (!why) {
      if (plantedFunction && row.name == plantedName)
        out.execute = plantedFunction;
      if (watchOfDecoding)
        watchOfDecoding(out);
      return out;
    }
  }
  return llvm::createStringError(
      llvm::inconvertibleErrorCode(),
      llvm::formatv("unsupported instruction {0:x-16}{1:x-16} at {2:x}: {3}{4}{5} of sm_{6} that "
                    "the table does not have",
                    word.high, word.low, offset, nearest ? nearest->name : "", nearest ? ", " : "",
                    why, sm)
          .str());
}

std::string tilesmith::sass::print(const Instruction &instruction) {
  std::string text;
  if (instruction.guard != kPT || instruction.guardNegative)
    text = llvm::formatv("@{0}{1}P{2} ", instruction.guardNegative ? "!" : "",
                         instruction.uniformGuard ? "U" : "",
                         instruction.guard == kPT ? "T" : std::to_string(instruction.guard));
  text += instruction.row->name;
  unsigned mod = 0, op = 0;
  bool invert = llvm::StringSwitch<bool>(instruction.row->name)
                    .Cases({"POPC", "UPOPC", "FLO", "UFLO"}, true)
                    .Default(false);
  std::vector<std::string> operands;
  for (const Token &token : instruction.row->tokens) {
    if (token.kind == Token::Flag || token.kind == Token::Choice) {
      const std::string &name = token.names[instruction.mods[mod++]];
      if (!name.empty())
        text += "." + name;
      invert |= name == "X";
    } else if (token.kind == Token::Silent) {
      ++mod;
    } else if (token.kind == Token::Source || token.kind == Token::Plain) {
      const Operand &operand = instruction.ops[op++];
      if (token.condition < 0 || instruction.mods[token.condition])
        operands.push_back(printOperand(operand, invert));
    }
  }
  if (!operands.empty())
    text += " " + llvm::join(operands, ",");
  return text + printScoreboards(instruction, operands.empty() ? " " : ",");
}
