//===- Syntax.h - what the PTX parser builds --------------------------------------------------===//
//
// A module as written: names are not resolved, types not compared. Texts are slices of the input,
// which must outlive the tree.
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_DEVICES_PTX_SYNTAX_H
#define ORACLES_DEVICES_PTX_SYNTAX_H

#include "oracles/devices/ptx/Lexer.h"
#include "oracles/devices/ptx/Types.h"

#include "llvm/ADT/SmallVector.h"

#include <memory>
#include <vector>

namespace tilesmith::ptx {

struct Operand {
  enum Kind {
    Name,    ///< register, special register, variable, label or function; `component` behind a dot
    Integer, ///< value; minus: written with a sign
    Single,
    Double,
    Decimal,
    Vector,  ///< `{a, b}`
    Address, ///< `[base+offset, more…]`: the base is the first part
    List,    ///< `(a, b)` of a call
    Pair,    ///< `a|b`
  };
  Kind kind = Name;
  Location location;
  llvm::StringRef name;
  llvm::StringRef component;
  bool negated = false; ///< `!p`
  bool minus = false;   ///< `-1`; of an Address, of its offset
  bool hasOffset = false;
  uint64_t value = 0; ///< of an Address or Name with hasOffset, the offset
  std::vector<Operand> parts;
};

struct Instruction {
  Location location;
  llvm::StringRef guard; ///< predicate register of `@p`, or empty
  Location guardLocation;
  llvm::StringRef mnemonic;
  llvm::SmallVector<llvm::StringRef, 6> modifiers;
  llvm::SmallVector<Location, 6> modifierLocations;
  std::vector<Operand> operands;

  std::string opcode() const;
};

/// A register declaration: one name, or the `count` names `prefix0`…
struct RegisterDeclaration {
  Location location;
  const Type *type = nullptr;
  unsigned vector = 1;
  llvm::StringRef name;
  bool isRange = false;
  uint64_t count = 0;
};

/// A variable or parameter outside registers.
struct Variable {
  Location location;
  llvm::StringRef space;
  const Type *type = nullptr;
  unsigned vector = 1;
  uint64_t alignment = 0; ///< 0: natural
  llvm::StringRef name;
  bool isArray = false;
  bool isUnsized = false;
  bool isExtern = false;
  uint64_t elements = 1;
  bool isPointer = false;       ///< entry parameter with `.ptr`
  llvm::StringRef pointerSpace; ///< of `.ptr`, or empty
  uint64_t pointerAlignment = 0;

  uint64_t size() const { return elements * vector * (type->bits / 8); }
  uint64_t align() const { return alignment ? alignment : uint64_t(vector) * (type->bits / 8); }
};

struct Block;

struct Statement {
  enum Kind { Instr, Scope, Label, Register, Var, BranchTargets, Prototype, Other };
  Kind kind = Other;
  Location location;
  std::unique_ptr<Instruction> instruction;
  std::unique_ptr<Block> block;
  llvm::StringRef label; ///< of Label, BranchTargets and Prototype
  RegisterDeclaration reg;
  std::unique_ptr<Variable> variable;
  std::vector<Operand> names;    ///< of BranchTargets
  std::vector<Variable> results; ///< of Prototype
  std::vector<Variable> parameters;
};

struct Block {
  std::vector<Statement> statements;
};

struct Function {
  Location location;
  bool isEntry = false;
  bool isExtern = false;
  llvm::StringRef name;
  std::vector<Variable> results;
  std::vector<Variable> parameters;
  std::vector<RegisterDeclaration> registerParameters;
  std::unique_ptr<Block> body; ///< null for a declaration
};

/// Functions and variables in the order of the text, which decides what may be named where.
struct ModuleItem {
  std::unique_ptr<Function> function;
  std::unique_ptr<Variable> variable;
  /// Names a variable's initialiser mentions.
  std::vector<Operand> initialiser;
};

struct Module {
  Target target;
  std::vector<ModuleItem> items;
};

} // namespace tilesmith::ptx

#endif // ORACLES_DEVICES_PTX_SYNTAX_H
