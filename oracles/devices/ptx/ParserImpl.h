//===- ParserImpl.h - the parser's class, shared by its files ---------------------------------===//
//
// Functions return true on success. On failure the first diagnostic has been set and every caller
// returns at once.
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_DEVICES_PTX_PARSERIMPL_H
#define ORACLES_DEVICES_PTX_PARSERIMPL_H

#include "oracles/devices/ptx/Parser.h"

#include "llvm/ADT/Twine.h"

namespace tilesmith::ptx {

class Parser {
public:
  Parser(std::vector<Token> tokens, Diagnostic &error) : tokens(std::move(tokens)), error(error) {}

  bool parseModule(Module &module);

private:
  static constexpr unsigned kMaxDepth = 64;

  // Parser.cpp: the module level.
  bool parseHeader(Target &target);
  bool parseItem(Module &module);
  bool parseFile();
  bool parseSection();
  bool parseFunction(Function &function);
  bool parseParameters(const Function *entry, std::vector<Variable> &parameters,
                       std::vector<RegisterDeclaration> *registers);
  bool parseFunctionDirectives(const Function &function);
  bool parseNumbers(unsigned least, unsigned most);

  // ParserVariables.cpp: declarations.
  bool parseVariable(Variable &variable, std::vector<Operand> *initialiser);
  bool parseVariableRest(Variable &variable, std::vector<Operand> *initialiser);
  bool parseParameter(bool ofEntry, Variable &variable);
  bool parsePointerAttributes(Variable &variable);
  bool parseAlignment(uint64_t &alignment);
  bool parseTypeAndVector(const Type *&type, unsigned &vector);
  bool parseDimensions(Variable &variable);
  bool parseInitialiser(std::vector<Operand> &names, uint64_t &count, unsigned depth);
  bool parseRegisters(std::vector<Statement> &into);

  // ParserBody.cpp: statements and operands.
  bool parseBlock(Block &block, unsigned depth);
  bool parseStatement(Block &block, unsigned depth);
  bool parseDirective(Block &block);
  bool parseLabelled(Block &block);
  bool parseInstruction(Instruction &instruction);
  bool parseOperand(Operand &operand, unsigned depth);
  bool parsePrimary(Operand &operand, unsigned depth);
  bool parseList(char close, std::vector<Operand> &parts, unsigned depth);
  bool parseAddress(Operand &operand, unsigned depth);
  bool parseOffset(Operand &operand);
  bool parseLoc();

  const Token &peek(size_t ahead = 0) const {
    return tokens[std::min(at + ahead, tokens.size() - 1)];
  }
  Token take() {
    Token token = peek();
    if (at + 1 < tokens.size())
      ++at;
    return token;
  }
  bool fail(Location location, const llvm::Twine &message);
  /// "expected WHAT, found TOKEN".
  bool expected(const llvm::Twine &what);
  bool accept(char c);
  bool acceptWord(llvm::StringRef word);
  bool expect(char c);
  bool expectName(llvm::StringRef &name, llvm::StringRef what);
  bool expectInteger(uint64_t &value, llvm::StringRef what);

  std::vector<Token> tokens;
  size_t at = 0;
  Diagnostic &error;
};

} // namespace tilesmith::ptx

#endif // ORACLES_DEVICES_PTX_PARSERIMPL_H
