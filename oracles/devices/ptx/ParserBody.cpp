//===- ParserBody.cpp - statements, instructions and operands ---------------------------------===//
#include "oracles/devices/ptx/ParserImpl.h"

using namespace tilesmith::ptx;
using llvm::StringRef;
using llvm::Twine;

std::string Instruction::opcode() const {
  std::string text = mnemonic.str();
  for (StringRef modifier : modifiers)
    text += "." + modifier.str();
  return text;
}

bool Parser::parseBlock(Block &block, unsigned depth) {
  if (depth > kMaxDepth)
    return fail(peek().location, "scopes nested deeper than " + Twine(kMaxDepth));
  while (!accept('}')) {
    if (accept(';'))
      continue;
    if (!parseStatement(block, depth))
      return false;
  }
  return true;
}

bool Parser::parseStatement(Block &block, unsigned depth) {
  const Token &token = peek();
  if (token.is('{')) {
    Statement statement;
    statement.kind = Statement::Scope;
    statement.location = take().location;
    statement.block = std::make_unique<Block>();
    if (!parseBlock(*statement.block, depth + 1))
      return false;
    block.statements.push_back(std::move(statement));
    return true;
  }
  if (token.kind == Token::Word)
    return parseDirective(block);
  if (token.kind == Token::Name && peek(1).is(':'))
    return parseLabelled(block);
  if (token.kind != Token::Name && !token.is('@'))
    return expected("a statement");
  Statement statement;
  statement.kind = Statement::Instr;
  statement.location = token.location;
  statement.instruction = std::make_unique<Instruction>();
  if (!parseInstruction(*statement.instruction))
    return false;
  block.statements.push_back(std::move(statement));
  return true;
}

bool Parser::parseLabelled(Block &block) {
  Statement statement;
  statement.kind = Statement::Label;
  statement.location = peek().location;
  statement.label = take().text;
  take();
  if (acceptWord("branchtargets")) {
    statement.kind = Statement::BranchTargets;
    do {
      Operand name;
      name.location = peek().location;
      if (!expectName(name.name, "a label"))
        return false;
      statement.names.push_back(name);
    } while (accept(','));
    if (!expect(';'))
      return false;
  } else if (acceptWord("callprototype")) {
    statement.kind = Statement::Prototype;
    StringRef name;
    if (peek().is('(') && !parseParameters(nullptr, statement.results, nullptr))
      return false;
    if (!expectName(name, "'_'"))
      return false;
    if (peek().is('(') && !parseParameters(nullptr, statement.parameters, nullptr))
      return false;
    acceptWord("noreturn");
    if (!expect(';'))
      return false;
  }
  block.statements.push_back(std::move(statement));
  return true;
}

bool Parser::parseLoc() {
  uint64_t value;
  for (const char *what : {"the number of a file", "a line", "a column"})
    if (!expectInteger(value, what))
      return false;
  if (!accept(','))
    return true;
  StringRef word;
  if (!expectName(word, "'function_name'"))
    return false;
  if (word != "function_name")
    return fail(peek().location, "expected 'function_name', found '" + word + "'");
  if (!expectName(word, "a label"))
    return false;
  if (accept('+') && !expectInteger(value, "an offset"))
    return false;
  if (!expect(',') || !expectName(word, "'inlined_at'"))
    return false;
  for (const char *what : {"the number of a file", "a line", "a column"})
    if (!expectInteger(value, what))
      return false;
  return true;
}

bool Parser::parseDirective(Block &block) {
  const Token directive = peek();
  const StringRef word = directive.text;
  if (isStateSpace(word) || word == "extern") {
    Statement statement;
    statement.kind = Statement::Var;
    statement.variable = std::make_unique<Variable>();
    statement.variable->isExtern = acceptWord("extern");
    statement.location = peek().location;
    if (peek().kind != Token::Word || !isStateSpace(peek().text))
      return expected("a state space");
    std::vector<Operand> names;
    if (!parseVariable(*statement.variable, &names))
      return false;
    statement.names = std::move(names);
    block.statements.push_back(std::move(statement));
    return true;
  }
  take();
  if (word == "reg")
    return parseRegisters(block.statements);
  if (word == "loc")
    return parseLoc();
  if (word == "pragma") {
    if (peek().kind != Token::String)
      return expected("a string");
    take();
    return expect(';');
  }
  return fail(directive.location, "unknown directive '." + word + "' in a function");
}

bool Parser::parseInstruction(Instruction &instruction) {
  if (accept('@')) {
    accept('!');
    instruction.guardLocation = peek().location;
    if (!expectName(instruction.guard, "a predicate"))
      return false;
  }
  instruction.location = peek().location;
  if (!expectName(instruction.mnemonic, "an instruction"))
    return false;
  while (peek().kind == Token::Word) {
    instruction.modifierLocations.push_back(peek().location);
    instruction.modifiers.push_back(take().text);
  }
  if (accept(';'))
    return true;
  do {
    Operand operand;
    if (!parseOperand(operand, 0))
      return false;
    instruction.operands.push_back(std::move(operand));
  } while (accept(','));
  return expect(';');
}

bool Parser::parseOperand(Operand &operand, unsigned depth) {
  if (!parsePrimary(operand, depth))
    return false;
  if (!peek().is('|'))
    return true;
  take();
  Operand pair;
  pair.kind = Operand::Pair;
  pair.location = operand.location;
  pair.parts.push_back(std::move(operand));
  pair.parts.emplace_back();
  if (!parsePrimary(pair.parts.back(), depth))
    return false;
  operand = std::move(pair);
  return true;
}

bool Parser::parsePrimary(Operand &operand, unsigned depth) {
  if (depth > kMaxDepth)
    return fail(peek().location, "operands nested deeper than " + Twine(kMaxDepth));
  operand.location = peek().location;
  if (accept('{')) {
    operand.kind = Operand::Vector;
    return parseList('}', operand.parts, depth);
  }
  if (accept('(')) {
    operand.kind = Operand::List;
    return parseList(')', operand.parts, depth);
  }
  if (accept('['))
    return parseAddress(operand, depth);
  operand.negated = accept('!');
  operand.minus = !operand.negated && accept('-');
  const Token token = peek();
  switch (token.kind) {
  case Token::Name:
    if (operand.minus)
      return expected("a number");
    operand.name = take().text;
    if (peek().kind == Token::Word)
      operand.component = take().text;
    return parseOffset(operand);
  case Token::Integer:
    operand.kind = Operand::Integer;
    break;
  case Token::Single:
    operand.kind = Operand::Single;
    break;
  case Token::Double:
    operand.kind = Operand::Double;
    break;
  case Token::Decimal:
    operand.kind = Operand::Decimal;
    break;
  default:
    return expected("an operand");
  }
  if (operand.negated)
    return expected("a predicate");
  operand.value = take().value;
  return true;
}

bool Parser::parseOffset(Operand &operand) {
  if (!peek().is('+') && !peek().is('-'))
    return true;
  operand.minus = take().is('-');
  if (accept('-')) // LLVM writes `[%rd1+-8]`
    operand.minus = !operand.minus;
  operand.hasOffset = true;
  return expectInteger(operand.value, "an offset");
}

bool Parser::parseList(char close, std::vector<Operand> &parts, unsigned depth) {
  if (accept(close))
    return true;
  do {
    parts.emplace_back();
    if (!parseOperand(parts.back(), depth + 1))
      return false;
  } while (accept(','));
  return expect(close);
}

bool Parser::parseAddress(Operand &operand, unsigned depth) {
  operand.kind = Operand::Address;
  return parseList(']', operand.parts, depth) &&
         (!operand.parts.empty() || fail(operand.location, "expected an address, found '[]'"));
}
