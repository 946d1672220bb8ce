//===- InstructionTable.cpp - reading and matching the rows of the instruction table ----------===//
//
// The rows are strings; they are taken apart once, on first use. Matching is a search over optional
// segments, so a word that may belong to two of them finds its place.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/devices/ptx/InstructionTable.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace tilesmith::ptx;
using llvm::StringRef;

namespace {
struct RowText {
  const char *opcode;
  const char *operands;
  unsigned version;
  const char *target;
};
} // namespace

#define INTS "u16|u32|u64|s16|s32|s64"
#define BITS "b16|b32|b64"
#define ROUND "rn|rz|rm|rp"
#define ROUND_INT "rni|rzi|rmi|rpi"
#define SCOPE "cta|cluster|gpu|sys"
#define SHARED "shared|shared::cta|shared::cluster"
#define ROW(opcode, operands, version, target) {opcode, operands, version, target},
static constexpr RowText kRows[] = {
#include "oracles/devices/ptx/ArithmeticRows.inc"
#include "oracles/devices/ptx/ConversionRows.inc"
#include "oracles/devices/ptx/MatrixRows.inc"
#include "oracles/devices/ptx/MemoryRows.inc"
#include "oracles/devices/ptx/SynchronisationRows.inc"
};
#undef ROW

static OperandPattern readOperand(StringRef text) {
  OperandPattern pattern;
  pattern.text = text;
  pattern.optional = text.consume_back("?");
  if (text == "any" || text == "sym" || text == "@" || text == "@@" || text == "_") {
    pattern.form = text == "any"   ? OperandPattern::Any
                   : text == "_"   ? OperandPattern::Sink
                   : text == "sym" ? OperandPattern::Symbol
                   : text == "@"   ? OperandPattern::Label
                                   : OperandPattern::Targets;
    return pattern;
  }
  if (text.consume_front("[")) {
    text.consume_back("]");
    pattern.form = OperandPattern::Address;
    std::tie(pattern.space, pattern.coordinates) = text.split(' ');
    return pattern;
  }
  if (text == "i" || (text.starts_with("i") && text.contains(".."))) {
    pattern.form = OperandPattern::Immediate;
    auto [low, high] = text.drop_front().split("..");
    low.getAsInteger(10, pattern.low);
    high.getAsInteger(10, pattern.high);
    return pattern;
  }
  pattern.destination = text.consume_front("=");
  pattern.sink = text.consume_front("_");
  pattern.secondPredicate = text.consume_back("|p");
  pattern.needsSecond = text.consume_back("|");
  pattern.registerOnly = text.consume_back("%");
  pattern.relaxed = text.consume_back("~");
  if (text.contains('*'))
    std::tie(pattern.count, text) = text.split('*');
  pattern.doubled = text.consume_front("2");
  pattern.type = text == "p" ? "pred" : text;
  return pattern;
}

static Row readRow(const RowText &text) {
  Row row;
  row.opcode = text.opcode;
  row.version = text.version;
  row.target = text.target;
  StringRef rest = row.opcode;
  const size_t end = rest.find_first_of(".[");
  row.mnemonic = rest.substr(0, end);
  rest = end == StringRef::npos ? StringRef() : rest.substr(end);
  while (!rest.empty()) {
    Segment segment;
    segment.optional = rest.consume_front("[");
    rest.consume_front(".");
    StringRef body = rest.take_until([](char c) { return c == '.' || c == '[' || c == ']'; });
    rest = rest.drop_front(body.size());
    if (segment.optional)
      rest.consume_front("]");
    if (body.contains('='))
      std::tie(segment.capture, body) = body.split('=');
    body.split(segment.words, '|');
    row.segments.push_back(segment);
  }
  llvm::SmallVector<StringRef> operands;
  StringRef(text.operands).split(operands, ", ", -1, false);
  for (StringRef operand : operands)
    row.operands.push_back(readOperand(operand));
  return row;
}

llvm::ArrayRef<Row> tilesmith::ptx::instructionRows() {
  static const std::vector<Row> rows = [] {
    std::vector<Row> read;
    for (const RowText &text : kRows)
      read.push_back(readRow(text));
    return read;
  }();
  return rows;
}

llvm::ArrayRef<const Row *> tilesmith::ptx::rowsOf(StringRef mnemonic) {
  static const llvm::StringMap<std::vector<const Row *>> index = [] {
    llvm::StringMap<std::vector<const Row *>> built;
    for (const Row &row : instructionRows())
      built[row.mnemonic].push_back(&row);
    return built;
  }();
  auto found = index.find(mnemonic);
  if (found == index.end())
    return {};
  return found->second;
}

static bool matchWord(StringRef pattern, StringRef word, unsigned &number) {
  const size_t star = pattern.find('*');
  if (star == StringRef::npos)
    return pattern == word;
  return word.consume_front(pattern.take_front(star)) &&
         word.consume_back(pattern.drop_front(star + 1)) && !word.getAsInteger(10, number);
}

static bool match(llvm::ArrayRef<Segment> segments, llvm::ArrayRef<StringRef> modifiers,
                  size_t done, Captures &captures, size_t &reached) {
  reached = std::max(reached, done);
  if (segments.empty())
    return modifiers.empty();
  const Segment &segment = segments.front();
  if (!modifiers.empty())
    for (StringRef word : segment.words)
      if (matchWord(word, modifiers.front(), captures.number) &&
          match(segments.drop_front(), modifiers.drop_front(), done + 1, captures, reached)) {
        if (!segment.capture.empty())
          captures.words[segment.capture] = modifiers.front();
        return true;
      }
  return segment.optional && match(segments.drop_front(), modifiers, done, captures, reached);
}

bool tilesmith::ptx::matchModifiers(const Row &row, llvm::ArrayRef<StringRef> modifiers,
                                    Captures &captures, size_t &reached) {
  return match(row.segments, modifiers, 0, captures, reached);
}

static constexpr ModifierNeed kModifierNeeds[] = {
    {"cluster", "90", 78},
    {"shared::cluster", "90", 78},
    {"shared::cta", "0", 78},
    {"multicast::cluster", "90", 80},
    {"param::entry", "0", 83},
    {"param::func", "0", 83},
    {"L2::cache_hint", "80", 74},
    {"L1::no_allocate", "70", 74},
    {"L1::evict_last", "70", 74},
    {"L1::evict_first", "70", 74},
    {"L1::evict_normal", "70", 74},
    {"L1::evict_unchanged", "70", 74},
    {"L2::64B", "75", 74},
    {"L2::128B", "75", 74},
    {"L2::256B", "80", 74},
    {"f32x2", "100", 86},
    {"b128", "70", 83},
};

const ModifierNeed *tilesmith::ptx::lookupModifierNeed(StringRef word) {
  const ModifierNeed *found =
      llvm::find_if(kModifierNeeds, [&](const ModifierNeed &need) { return need.word == word; });
  return found == std::end(kModifierNeeds) ? nullptr : found;
}
