//===- ParserVariables.cpp - declarations of variables, parameters and registers --------------===//
#include "oracles/devices/ptx/ParserImpl.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace tilesmith::ptx;
using llvm::StringRef;
using llvm::Twine;

bool Parser::parseAlignment(uint64_t &alignment) {
  const Location location = peek().location;
  if (!expectInteger(alignment, "an alignment"))
    return false;
  return (llvm::isPowerOf2_64(alignment) && alignment <= (1u << 20)) ||
         fail(location, "expected a power of two as alignment, found " + Twine(alignment));
}

bool Parser::parseTypeAndVector(const Type *&type, unsigned &vector) {
  if (peek().isWord("v2") || peek().isWord("v4"))
    vector = take().text == "v2" ? 2 : 4;
  if (peek().kind != Token::Word)
    return expected("a type");
  type = lookupType(peek().text);
  if (!type || !type->declarable)
    return expected("a type of a variable");
  take();
  return true;
}

bool Parser::parseDimensions(Variable &variable) {
  while (peek().is('[')) {
    take();
    variable.isArray = true;
    if (accept(']')) {
      if (variable.isUnsized || variable.elements != 1)
        return expected("a size");
      variable.isUnsized = true;
      continue;
    }
    const Location location = peek().location;
    uint64_t extent;
    if (!expectInteger(extent, "an extent"))
      return false;
    // 2^40 bytes is far above any device; the product stays inside 64 bits.
    if (extent == 0 || extent > (uint64_t(1) << 40) ||
        variable.elements > (uint64_t(1) << 40) / extent)
      return fail(location, "expected an extent from 1 to 2^40, found " + Twine(extent));
    variable.elements *= extent;
    if (!expect(']'))
      return false;
  }
  return true;
}

// Numbers, names with offsets, `generic(name)`, and nested braces.
bool Parser::parseInitialiser(std::vector<Operand> &names, uint64_t &count, unsigned depth) {
  if (depth > kMaxDepth)
    return fail(peek().location, "initialiser nested deeper than " + Twine(kMaxDepth));
  if (accept('{')) {
    do {
      if (!parseInitialiser(names, count, depth + 1))
        return false;
    } while (accept(','));
    return expect('}');
  }
  ++count;
  accept('-');
  const Token token = take();
  switch (token.kind) {
  case Token::Integer:
  case Token::Single:
  case Token::Double:
  case Token::Decimal:
    // A byte of an address: `0xFF(name)`.
    if (token.kind != Token::Integer || !accept('('))
      return true;
    --count;
    return parseInitialiser(names, count, depth + 1) && expect(')');
  case Token::Name: {
    Operand operand;
    operand.location = token.location;
    operand.name = token.text;
    if (token.text == "generic" && accept('(')) {
      operand.location = peek().location;
      if (!expectName(operand.name, "the name of a variable") || !expect(')'))
        return false;
    }
    names.push_back(operand);
    uint64_t offset;
    if ((accept('+') || accept('-')) && !expectInteger(offset, "an offset"))
      return false;
    return true;
  }
  default:
    return fail(token.location, "expected a value of the initialiser, found '" + token.text + "'");
  }
}

bool Parser::parseVariableRest(Variable &variable, std::vector<Operand> *initialiser) {
  variable.location = peek().location;
  if (!expectName(variable.name, "the name of a variable") || !parseDimensions(variable))
    return false;
  if (peek().is('=')) {
    const Location location = take().location;
    if (!initialiser || (variable.space != "global" && variable.space != "const"))
      return fail(location, "variables in ." + variable.space + " have no initialiser");
    uint64_t count = 0;
    if (!parseInitialiser(*initialiser, count, 0))
      return false;
    if (variable.isUnsized) {
      variable.isUnsized = false;
      variable.elements = count;
    }
    if (count > variable.elements * variable.vector)
      return fail(location, "expected at most " + Twine(variable.elements * variable.vector) +
                                " values in the initialiser, found " + Twine(count));
  }
  if (variable.isUnsized && !variable.isExtern)
    return fail(variable.location, "'" + variable.name + "' has no size and is not external");
  return true;
}

bool Parser::parseVariable(Variable &variable, std::vector<Operand> *initialiser) {
  variable.space = take().text;
  if (acceptWord("align") && !parseAlignment(variable.alignment))
    return false;
  return parseTypeAndVector(variable.type, variable.vector) &&
         (variable.type->bits >= 8 ||
          fail(peek().location, "a predicate lives in a register, found a variable")) &&
         parseVariableRest(variable, initialiser) && expect(';');
}

bool Parser::parsePointerAttributes(Variable &variable) {
  variable.isPointer = true;
  if (peek().kind == Token::Word &&
      llvm::is_contained({"global", "shared", "local", "const"}, peek().text))
    variable.pointerSpace = take().text;
  if (acceptWord("align"))
    return parseAlignment(variable.pointerAlignment);
  return true;
}

bool Parser::parseParameter(bool ofEntry, Variable &variable) {
  variable.space = "param";
  if (acceptWord("align") && !parseAlignment(variable.alignment))
    return false;
  if (!parseTypeAndVector(variable.type, variable.vector))
    return false;
  if (variable.type->bits < 8)
    return fail(peek().location, "a parameter is not a predicate");
  const Location location = peek().location;
  if (acceptWord("ptr")) {
    if (!ofEntry || variable.type->bits != 64)
      return fail(location, "'.ptr' belongs to a 64-bit parameter of an entry");
    if (!parsePointerAttributes(variable))
      return false;
  }
  variable.location = peek().location;
  return expectName(variable.name, "the name of a parameter") && parseDimensions(variable);
}

bool Parser::parseRegisters(std::vector<Statement> &into) {
  const Type *type = nullptr;
  unsigned vector = 1;
  if (!parseTypeAndVector(type, vector))
    return false;
  do {
    Statement statement;
    statement.kind = Statement::Register;
    RegisterDeclaration &declaration = statement.reg;
    declaration.location = statement.location = peek().location;
    declaration.type = type;
    declaration.vector = vector;
    if (!expectName(declaration.name, "the name of a register"))
      return false;
    if (accept('<')) {
      declaration.isRange = true;
      const Location location = peek().location;
      if (!expectInteger(declaration.count, "the number of registers") || !expect('>'))
        return false;
      if (declaration.count == 0 || declaration.count > (1u << 24))
        return fail(location, "expected 1 to 2^24 registers, found " + Twine(declaration.count));
    }
    into.push_back(std::move(statement));
  } while (accept(','));
  return expect(';');
}
