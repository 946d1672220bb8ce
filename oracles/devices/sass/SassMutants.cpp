//===- SassMutants.cpp - the table with one thing wrong, and which of it tests execute --------===//
//
// For ci/sass-mutants, which asks of every single mutation of the table whether a test fails of it. By environment:
// TILESMITH_SASS_REACHED names a file that is written when the tests end: the rows of the table, and of each mutation
// that the executed instructions have a place for a line. TILESMITH_SASS_MUTANT is one of these lines: the instructions
// that it is about are executed so. A mutation is `row kind place other`:
//   n  nothing is done               m  modifier `place` of value `other` is the next one of its row
//   s  operands change places        g  a sign is turned           a  a magnitude is none
//   h  a half is the other one       d  a predicate that is a result is dropped
//   o, u, x  an address without its offset, its uniform register, its scale
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/devices/sass/Instruction.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include "gtest/gtest.h"

#include <set>
#include <sstream>

using namespace tilesmith::sass;

namespace {

struct Mutation {
  size_t row = 0;
  char kind = 0;
  unsigned place = 0, other = 0;
  auto operator<=>(const Mutation &) const = default;
};

std::set<Mutation> reached;
Mutation wanted;

size_t rowOf(const Instruction &i) {
  return static_cast<size_t>(i.row - instructionTable().data());
}

void doNothing(Warp &, const Instruction &) {}

bool isModifier(const Token &token) {
  return token.kind == Token::Flag || token.kind == Token::Choice || token.kind == Token::Silent;
}
bool isOperand(const Token &token) {
  return token.kind == Token::Source || token.kind == Token::Plain;
}

/// The value that stands for this one: the next that has a name.
uint8_t otherValue(const Token &token, uint8_t value) {
  if (token.kind == Token::Silent)
    return value ^ 1;
  do
    value = static_cast<uint8_t>((value + 1) % token.names.size());
  while (token.names[value] == "-");
  return value;
}

uint8_t otherHalf(uint8_t half) {
  return half == 0 ? 2 : half == 2 ? 3 : half == 3 ? 2 : 0;
}

/// The mutations of one operand. `isSource`: it may change its place with another source.
void addOperand(const Token &token, const Operand &operand, unsigned place,
                std::vector<Mutation> &out, bool &isSource) {
  auto add = [&](char kind, unsigned other = 0) { out.push_back({0, kind, place, other}); };
  const bool isAlu = token.kind == Token::Source;
  const bool isPredicate = llvm::is_contained({'P', 'V', 'p', 'v'}, token.slot);
  isSource = isAlu || (place > 0 && (token.slot == 'R' || token.slot == 'U'));
  if (operand.negative ||
      (!isAlu && (token.slot == 'p' || token.slot == 'v') && operand.index != kPT))
    add('g');
  if (operand.absolute)
    add('a');
  if (operand.half || (operand.type == 'h' && isAlu))
    add('h', operand.half);
  if (!isAlu && isPredicate && token.slot < 'a' && operand.index != kPT)
    add('d');
  if (operand.kind != Operand::Address)
    return;
  if (operand.value)
    add('o');
  if (operand.uniform != kURZ)
    add('u');
  if (operand.scale)
    add('x');
}

std::vector<Mutation> mutationsOf(const Instruction &i) {
  std::vector<Mutation> out{{0, 'n', 0, 0}};
  unsigned modifier = 0, operand = 0;
  std::vector<unsigned> sources;
  for (const Token &token : i.row->tokens) {
    if (isModifier(token)) {
      const uint8_t value = i.mods[modifier];
      if (otherValue(token, value) != value)
        out.push_back({0, 'm', modifier, value});
      ++modifier;
    } else if (isOperand(token)) {
      bool isSource = false;
      addOperand(token, i.ops[operand], operand, out, isSource);
      if (isSource)
        sources.push_back(operand);
      ++operand;
    }
  }
  for (size_t n = 0; n + 1 < sources.size(); ++n)
    out.push_back({0, 's', sources[n], sources[n + 1]});
  for (Mutation &one : out)
    one.row = rowOf(i);
  return out;
}

void mutate(Instruction &i, const Mutation &by) {
  Operand &operand = i.ops[by.kind == 'm' ? 0 : by.place];
  unsigned modifier = 0;
  switch (by.kind) {
  case 'n':
    i.execute = doNothing;
    break;
  case 'm':
    for (const Token &token : i.row->tokens)
      if (isModifier(token) && modifier++ == by.place)
        i.mods[by.place] = otherValue(token, i.mods[by.place]);
    break;
  case 's':
    std::swap(operand, i.ops[by.other]);
    break;
  case 'g':
    operand.negative = !operand.negative;
    break;
  case 'a':
    operand.absolute = false;
    break;
  case 'h':
    operand.half = otherHalf(operand.half);
    break;
  case 'd':
    operand.index = kPT;
    break;
  case 'o':
    operand.value = 0;
    break;
  case 'u':
    operand.uniform = kURZ;
    break;
  case 'x':
    operand.scale = 0;
    break;
  }
}

/// Notes what this instruction has a place for, once, and executes it.
void noteAndExecute(Warp &warp, const Instruction &i) {
  for (const Mutation &one : mutationsOf(i))
    reached.insert(one);
  const_cast<Instruction &>(i).execute = i.row->execute; // of a kernel that is ours to change
  i.row->execute(warp, i);
}

/// Waits and jumps see the instruction as it is.
void executeMutated(Warp &warp, const Instruction &i) {
  Instruction copy = i;
  copy.execute = i.row->execute;
  mutate(copy, wanted);
  copy.execute(warp, copy);
}

void noteReached(Instruction &i) {
  if (i.execute == i.row->execute) // not a function that a test has planted
    i.execute = noteAndExecute;
}

void plantMutant(Instruction &i) {
  if (rowOf(i) == wanted.row && i.execute == i.row->execute &&
      llvm::is_contained(mutationsOf(i), wanted))
    i.execute = executeMutated;
}

/// In words, for the reader of a list.
std::string describe(const Mutation &one) {
  const Row &row = instructionTable()[one.row];
  std::string said = llvm::formatv("{0} {1:x-} {2}", row.name, row.opcode, row.forms).str();
  unsigned modifier = 0;
  if (one.kind == 'm')
    for (const Token &token : row.tokens)
      if (isModifier(token) && modifier++ == one.place)
        said += token.kind == Token::Silent
                    ? llvm::formatv(", bit {0}", token.bit).str()
                    : llvm::formatv(", `.{0}` of {1:$[|]}", token.names[one.other],
                                    llvm::make_range(token.names.begin(), token.names.end()))
                          .str();
  return said;
}

class SassMutants : public testing::Environment {
  void SetUp() override {
    if (const char *text = getenv("TILESMITH_SASS_MUTANT")) {
      std::istringstream in(text);
      in >> wanted.row >> wanted.kind >> wanted.place >> wanted.other;
      ASSERT_TRUE(in && wanted.row < instructionTable().size())
          << "TILESMITH_SASS_MUTANT: expected `row kind place other`, found " << text;
      watchDecoding(plantMutant);
    } else if (getenv("TILESMITH_SASS_REACHED")) {
      watchDecoding(noteReached);
    }
  }

  void TearDown() override {
    watchDecoding(nullptr);
    const char *path = getenv("TILESMITH_SASS_REACHED");
    if (!path)
      return;
    std::error_code error;
    llvm::raw_fd_ostream out(path, error);
    ASSERT_FALSE(error) << path << ": " << error.message();
    for (const auto &[n, row] : llvm::enumerate(instructionTable()))
      out << llvm::formatv("row\t{0}\t{1} {2:x-} {3}, sm_{4} to sm_{5}\n", n, row.name, row.opcode,
                           row.forms, row.firstSm, row.lastSm);
    for (const Mutation &one : reached)
      out << llvm::formatv("{0} {1} {2} {3}\t{4}\n", one.row, std::string(1, one.kind), one.place,
                           one.other, describe(one));
  }
};

[[maybe_unused]] const auto *const kMutants = testing::AddGlobalTestEnvironment(new SassMutants);

} // namespace
