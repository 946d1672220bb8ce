//===- CheckerImpl.h - the checker's class, shared by its files -------------------------------===//
//
// One walk over the module in the order of the text. A scope per block holds what is declared so
// far; labels are collected when a block is entered, because jumps may go forward.
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_DEVICES_PTX_CHECKERIMPL_H
#define ORACLES_DEVICES_PTX_CHECKERIMPL_H

#include "oracles/devices/ptx/Checker.h"
#include "oracles/devices/ptx/InstructionTable.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/Twine.h"

namespace tilesmith::ptx {

struct Symbol {
  enum Kind { None, Register, Variable, Function, Label, Targets, Prototype };
  Kind kind = None;
  const Type *type = nullptr; ///< of a register
  unsigned vector = 1;
  const ptx::Variable *variable = nullptr;
  const ptx::Function *function = nullptr;
  const Statement *statement = nullptr; ///< of Targets and Prototype
  bool ofEntry = false;                 ///< a parameter of an entry
};

class Checker {
public:
  Checker(const Module &module, CheckResult &result)
      : module(module), target(module.target), result(result) {}

  void run();

private:
  struct Range {
    llvm::StringRef prefix;
    uint64_t count;
    const Type *type;
  };
  struct Scope {
    llvm::StringMap<Symbol> names;
    std::vector<Range> ranges;
  };

  // Checker.cpp: declarations, scopes and instructions.
  void checkFunction(const Function &function);
  void checkRedeclaration(const Function &function, const Function &earlier);
  void checkBlock(const Block &block);
  void declare(llvm::StringRef name, Symbol symbol, Location location);
  void declareRegister(const RegisterDeclaration &declaration);
  Symbol lookup(llvm::StringRef name) const;
  void checkTargets(const Statement &statement);
  void checkInstruction(const Instruction &instruction);
  void reportModifiers(const Instruction &instruction, size_t reached);
  bool checkNeeds(const Row &row, const Instruction &instruction);
  void error(Location location, const llvm::Twine &message);

  // Operands.cpp: the operands of one instruction against one row. True when all fit; otherwise
  // `problem` says what does not.
  bool checkOperands(const Row &row, const Captures &captures, const Instruction &instruction);
  bool checkOperand(const OperandPattern &pattern, const Captures &captures, const Operand &operand,
                    const Instruction &instruction);
  bool checkValue(const OperandPattern &pattern, const Captures &captures, const Operand &operand);
  bool checkScalar(const OperandPattern &pattern, const Type &type, const Operand &operand);
  bool checkNumber(const Type &type, const Operand &operand);
  bool checkAddress(const OperandPattern &pattern, const Captures &captures, const Operand &operand,
                    const Instruction &instruction);
  bool checkVariableAccess(const Variable &variable, const Operand &base, uint64_t bytes);
  bool checkSymbol(const Captures &captures, const Operand &operand);
  bool wrong(Location location, const llvm::Twine &message);
  const Type *typeOf(const OperandPattern &pattern, const Captures &captures) const;
  uint64_t countOf(const OperandPattern &pattern, const Captures &captures) const;

  // SpecialForms.cpp: what patterns do not say.
  bool checkSpecial(const Instruction &instruction, const Captures &captures);
  bool checkMove(const Instruction &instruction, const Type &type);
  bool checkMoveSource(const Operand &operand, const Type &type);
  bool checkPack(const Operand &vector, const Type &type, bool destination);
  bool checkCall(const Instruction &instruction);
  bool checkCallList(llvm::ArrayRef<Operand> actual, llvm::ArrayRef<Variable> formal,
                     Location location, llvm::StringRef what);
  bool checkAccessWidth(const Instruction &instruction, const Captures &captures);

  const Module &module;
  const Target target;
  CheckResult &result;
  std::vector<Scope> scopes;
  bool inEntry = false; ///< the function that is checked is an entry
  Diagnostic problem;
};

} // namespace tilesmith::ptx

#endif // ORACLES_DEVICES_PTX_CHECKERIMPL_H
