//===- InstructionTable.h - the typed table of PTX instructions -------------------------------===//
//
// One row per form of an instruction, typed from the PTX ISA:
//
//   ROW("mad.(hi|lo)…", …)     opcode, operands, ten times the first PTX version, target
//
// Opcode: the mnemonic, then segments. `.a|b` is a choice, `[.a|b]` an optional one, `.T=u32|s32`
// gives the word found the name T, and a `*` in a word stands for a number that is called N.
//
// Operands, separated by ", ":
//   b32          a source: register, or an immediate where the type allows one
//   =b32         a destination register;  =_b32 may also be the sink `_`
//   T, 2T        the type captured as T, or that of twice the width
//   4*b32        a vector of exactly four
//   V*T          a vector of as many as the captured v2, v4, v8 (none: a scalar)
//   N/2*f32      a vector whose length is computed from N
//   b32~         relaxed: a wider register fits
//   b32%         a register only
//   p  =p        a predicate (`!p` as a source);  =p|p and =b32|p: a second one may follow,
//                =b32||p: it must
//   _            the sink only
//   [tensor]     an address of tensor memory
//   [S] [shared] an address in the captured or named space ([] generic)
//   [S D]        the same with a vector of as many 32-bit coordinates as the captured 1d to 5d says
//   i0..15       an immediate in a range;  i any immediate
//   @  @@        a label; a list of branch targets
//   sym          a variable or register (cvta);  any: checked by the caller (mov, call)
//   …?           may be left out, from the end
//
// Target: see targetHas.
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_DEVICES_PTX_INSTRUCTIONTABLE_H
#define ORACLES_DEVICES_PTX_INSTRUCTIONTABLE_H

#include "oracles/devices/ptx/Syntax.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <map>

namespace tilesmith::ptx {

struct Segment {
  bool optional = false;
  llvm::StringRef capture;
  llvm::SmallVector<llvm::StringRef, 4> words;
};

struct OperandPattern {
  enum Form { Value, Address, Immediate, Label, Targets, Symbol, Sink, Any };
  Form form = Value;
  llvm::StringRef text; ///< as in the row, for messages
  bool destination = false;
  bool sink = false;
  bool optional = false;
  bool relaxed = false;
  bool registerOnly = false;
  bool secondPredicate = false;
  bool needsSecond = false;
  bool doubled = false;
  llvm::StringRef type;  ///< a type, or a capture
  llvm::StringRef count; ///< empty: a scalar
  llvm::StringRef space; ///< of Address: a space, or a capture; empty: generic
  llvm::StringRef coordinates;
  int64_t low = INT64_MIN;
  int64_t high = INT64_MAX;
};

struct Row {
  llvm::StringRef opcode;
  llvm::StringRef mnemonic;
  llvm::SmallVector<Segment, 6> segments;
  llvm::SmallVector<OperandPattern, 6> operands;
  unsigned version = 10;
  llvm::StringRef target;
};

/// What the segments of a row captured: "T" → "u32", "N" → 64.
struct Captures {
  std::map<llvm::StringRef, llvm::StringRef> words;
  unsigned number = 0;

  llvm::StringRef get(llvm::StringRef name) const {
    auto found = words.find(name);
    return found == words.end() ? llvm::StringRef() : found->second;
  }
};

/// Every row, in the order of the table.
llvm::ArrayRef<Row> instructionRows();

/// The rows of a mnemonic, or an empty list.
llvm::ArrayRef<const Row *> rowsOf(llvm::StringRef mnemonic);

/// Whether `modifiers` are what the row wants; `reached` is how many of them fit.
bool matchModifiers(const Row &row, llvm::ArrayRef<llvm::StringRef> modifiers, Captures &captures,
                    size_t &reached);

/// What a modifier needs by itself, whatever the instruction: target and PTX version.
struct ModifierNeed {
  llvm::StringLiteral word;
  llvm::StringLiteral target;
  unsigned version;
};
const ModifierNeed *lookupModifierNeed(llvm::StringRef word);

} // namespace tilesmith::ptx

#endif // ORACLES_DEVICES_PTX_INSTRUCTIONTABLE_H
