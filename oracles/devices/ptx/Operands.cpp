//===- Operands.cpp - the operands of an instruction against a row ----------------------------===//
#include "oracles/devices/ptx/CheckerImpl.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace tilesmith::ptx;
using llvm::StringRef;
using llvm::Twine;

bool Checker::wrong(Location location, const Twine &message) {
  problem = {location, message.str()};
  return false;
}

const Type *Checker::typeOf(const OperandPattern &pattern, const Captures &captures) const {
  const StringRef captured = captures.get(pattern.type);
  const Type *type = lookupType(captured.empty() ? pattern.type : captured);
  return type && pattern.doubled ? lookupType(type->kind, type->bits * 2) : type;
}

uint64_t Checker::countOf(const OperandPattern &pattern, const Captures &captures) const {
  uint64_t count = 1;
  if (pattern.count.starts_with("N/")) {
    pattern.count.drop_front(2).getAsInteger(10, count);
    return captures.number / count;
  }
  if (!pattern.count.getAsInteger(10, count))
    return count;
  StringRef captured = captures.get(pattern.count);
  captured.consume_front("v");
  if (captured.getAsInteger(10, count))
    return 0; // no vector: a scalar
  return count;
}

bool Checker::checkOperands(const Row &row, const Captures &captures,
                            const Instruction &instruction) {
  const size_t least =
      llvm::count_if(row.operands, [](const OperandPattern &pattern) { return !pattern.optional; });
  const size_t found = instruction.operands.size();
  if (found < least || found > row.operands.size())
    return wrong(instruction.location,
                 "expected " + Twine(least) +
                     (least == row.operands.size() ? "" : " to " + Twine(row.operands.size())) +
                     " operands, found " + Twine(found));
  for (auto [pattern, operand] : llvm::zip(row.operands, instruction.operands))
    if (!checkOperand(pattern, captures, operand, instruction))
      return false;
  return true;
}

bool Checker::checkOperand(const OperandPattern &pattern, const Captures &captures,
                           const Operand &operand, const Instruction &instruction) {
  switch (pattern.form) {
  case OperandPattern::Value:
    return checkValue(pattern, captures, operand);
  case OperandPattern::Address:
    return checkAddress(pattern, captures, operand, instruction);
  case OperandPattern::Immediate: {
    if (operand.kind != Operand::Integer)
      return wrong(operand.location, "expected an immediate");
    const int64_t value = operand.minus ? -int64_t(operand.value) : int64_t(operand.value);
    if (value < pattern.low || value > pattern.high)
      return wrong(operand.location, "expected an immediate from " + Twine(pattern.low) + " to " +
                                         Twine(pattern.high) + ", found " + Twine(value));
    return true;
  }
  case OperandPattern::Label:
    return lookup(operand.name).kind == Symbol::Label ||
           wrong(operand.location, "unknown label '" + operand.name + "'");
  case OperandPattern::Targets:
    return lookup(operand.name).kind == Symbol::Targets ||
           wrong(operand.location, "unknown list of branch targets '" + operand.name + "'");
  case OperandPattern::Symbol:
    return checkSymbol(captures, operand);
  case OperandPattern::Sink:
    return operand.name == "_" || wrong(operand.location, "expected '_'");
  case OperandPattern::Any:
    return true;
  }
  return false;
}

//===------------------------------------------------------------------------------------------===//
// Values
//===------------------------------------------------------------------------------------------===//

bool Checker::checkValue(const OperandPattern &pattern, const Captures &captures,
                         const Operand &operand) {
  const Type *type = typeOf(pattern, captures);
  if (!type)
    return wrong(operand.location, "no type for operand '" + pattern.text + "' of the table");
  if (pattern.count.empty()) {
    if (pattern.needsSecond && operand.kind != Operand::Pair)
      return wrong(operand.location, "expected a register and a predicate");
    if (!pattern.secondPredicate || operand.kind != Operand::Pair)
      return checkScalar(pattern, *type, operand);
    OperandPattern second = pattern;
    second.sink = true;
    return checkScalar(pattern, *type, operand.parts[0]) &&
           checkScalar(second, *lookupType("pred"), operand.parts[1]);
  }
  const uint64_t count = countOf(pattern, captures);
  if (count == 0 || (count == 1 && operand.kind != Operand::Vector))
    return checkScalar(pattern, *type, operand);
  if (operand.kind != Operand::Vector)
    return wrong(operand.location, "expected a vector of " + Twine(count));
  if (operand.parts.size() != count)
    return wrong(operand.location, "expected a vector of " + Twine(count) + ", found one of " +
                                       Twine(operand.parts.size()));
  return llvm::all_of(operand.parts,
                      [&](const Operand &part) { return checkScalar(pattern, *type, part); });
}

bool Checker::checkNumber(const Type &type, const Operand &operand) {
  if (operand.kind != Operand::Integer) {
    const bool fits = type.name == "f32" || type.name == "f64" ||
                      (operand.kind == Operand::Single && type.name == "b32") ||
                      (operand.kind == Operand::Double && type.name == "b64");
    return fits ||
           wrong(operand.location, "expected ." + type.name + ", found a floating-point immediate");
  }
  if (type.kind == TypeKind::Float)
    return wrong(operand.location, "expected ." + type.name + ", found an integer immediate");
  if (type.bits >= 64)
    return true;
  const bool fits = operand.minus ? operand.value <= uint64_t(1) << (std::max(type.bits, 2u) - 1)
                                  : operand.value < uint64_t(1) << type.bits;
  return fits || wrong(operand.location, "immediate " + Twine(operand.minus ? "-" : "") +
                                             Twine(operand.value) + " does not fit ." + type.name);
}

bool Checker::checkScalar(const OperandPattern &pattern, const Type &type, const Operand &operand) {
  switch (operand.kind) {
  case Operand::Integer:
  case Operand::Single:
  case Operand::Double:
  case Operand::Decimal:
    if (pattern.destination || pattern.registerOnly)
      return wrong(operand.location, "expected a register, found an immediate");
    return checkNumber(type, operand);
  case Operand::Name:
    break;
  default:
    return wrong(operand.location, "expected a scalar of type ." + type.name);
  }
  if (operand.name == "_" && pattern.destination && pattern.sink)
    return true;
  if (operand.hasOffset)
    return wrong(operand.location, "expected a register, found a sum");
  if (lookupSpecialRegister(operand.name))
    return wrong(operand.location, "special register '" + operand.name + "' belongs to mov only");
  const Symbol symbol = lookup(operand.name);
  if (symbol.kind != Symbol::Register)
    return wrong(operand.location, symbol.kind == Symbol::None
                                       ? "unknown name '" + operand.name + "'"
                                       : "expected a register, found '" + operand.name + "'");
  if (operand.component.empty() != (symbol.vector == 1))
    return wrong(operand.location, "expected a scalar register, found '" + operand.name + "'");
  if (operand.negated && (pattern.destination || type.kind != TypeKind::Predicate))
    return wrong(operand.location, "only a predicate that is read may be negated");
  if (!registerFits(*symbol.type, type, pattern.relaxed))
    return wrong(operand.location, "expected ." + type.name + ", found '" + operand.name +
                                       "' of type ." + symbol.type->name);
  return true;
}

//===------------------------------------------------------------------------------------------===//
// Addresses
//===------------------------------------------------------------------------------------------===//

// `shared::cta` is a part of shared.
static StringRef baseSpace(StringRef space) {
  return space.split("::").first;
}

bool Checker::checkVariableAccess(const Variable &variable, const Operand &base, uint64_t bytes) {
  if (bytes == 0)
    return true;
  const uint64_t offset = base.hasOffset ? base.value : 0;
  if (base.hasOffset && base.minus && offset)
    return wrong(base.location, "access in front of '" + variable.name + "'");
  if (offset % bytes && offset % std::min(bytes, variable.align()))
    return wrong(base.location, "access of " + Twine(bytes) + " bytes at offset " + Twine(offset) +
                                    " of '" + variable.name + "' is not aligned");
  if (!variable.isUnsized && (offset > variable.size() || bytes > variable.size() - offset))
    return wrong(base.location, "access of " + Twine(bytes) + " bytes at offset " + Twine(offset) +
                                    " exceeds '" + variable.name + "' of " +
                                    Twine(variable.size()) + " bytes");
  return true;
}

bool Checker::checkAddress(const OperandPattern &pattern, const Captures &captures,
                           const Operand &operand, const Instruction &instruction) {
  if (operand.kind != Operand::Address)
    return wrong(operand.location, "expected an address");
  const bool captured = llvm::all_of(pattern.space, llvm::isUpper) && !pattern.space.empty();
  const StringRef space = captured ? captures.get(pattern.space) : pattern.space;
  if (pattern.coordinates.empty()) {
    if (operand.parts.size() != 1)
      return wrong(operand.location, "expected one address, found a list");
  } else {
    unsigned rank = 0;
    captures.get(pattern.coordinates).drop_back().getAsInteger(10, rank);
    if (operand.parts.size() != 2 || operand.parts[1].kind != Operand::Vector ||
        operand.parts[1].parts.size() != rank)
      return wrong(operand.location, "expected a tensor map and " + Twine(rank) + " coordinates");
    OperandPattern coordinate;
    for (const Operand &part : operand.parts[1].parts)
      if (!checkScalar(coordinate, *lookupType("b32"), part))
        return false;
  }
  const Operand &base = operand.parts[0];
  if (base.kind == Operand::Integer)
    return true;
  if (base.kind != Operand::Name || base.negated || !base.component.empty())
    return wrong(base.location, "expected a register or a variable as address");
  const Symbol symbol = lookup(base.name);
  if (symbol.kind == Symbol::Variable) {
    const StringRef found = symbol.variable->space;
    if (!space.empty() && baseSpace(space) != found)
      return wrong(base.location,
                   "expected a variable in ." + space + ", found '" + base.name + "' in ." + found);
    if (symbol.ofEntry && instruction.mnemonic == "st")
      return wrong(base.location, "parameters of an entry are read-only");
    uint64_t bytes = 0;
    if (instruction.mnemonic == "ld" || instruction.mnemonic == "st") {
      OperandPattern access;
      access.type = "T";
      access.count = "V";
      const Type *type = typeOf(access, captures);
      bytes = type ? type->bits / 8 * std::max<uint64_t>(countOf(access, captures), 1) : 0;
    }
    return checkVariableAccess(*symbol.variable, base, bytes);
  }
  if (symbol.kind != Symbol::Register)
    return wrong(base.location, "unknown name '" + base.name + "'");
  if (space == "param::func" && inEntry)
    return wrong(base.location,
                 "an entry has no parameters of a function behind a register, found '" + base.name +
                     "'");
  const bool narrow = llvm::is_contained({"shared", "local", "param"}, baseSpace(space));
  const Type &type = *symbol.type;
  if (space == "tensor" && (type.bits != 32 || type.kind == TypeKind::Float || symbol.vector != 1))
    return wrong(base.location, "expected a 32-bit address of tensor memory, found '" + base.name +
                                    "' of type ." + type.name);
  if (space == "tensor")
    return true;
  if (type.kind == TypeKind::Float || type.kind == TypeKind::Predicate || symbol.vector != 1 ||
      !(type.bits == 64 || (narrow && type.bits == 32)))
    return wrong(base.location, Twine("expected ") + (narrow ? "a 32-bit or 64-bit" : "a 64-bit") +
                                    " address, found '" + base.name + "' of type ." + type.name);
  return true;
}

bool Checker::checkSymbol(const Captures &captures, const Operand &operand) {
  if (operand.kind != Operand::Name)
    return wrong(operand.location, "expected a register or a variable");
  const Symbol symbol = lookup(operand.name);
  const StringRef space = captures.get("A");
  if (symbol.kind == Symbol::Register) {
    OperandPattern pattern;
    return checkScalar(pattern, *lookupType("u64"), operand);
  }
  if (symbol.kind != Symbol::Variable)
    return wrong(operand.location, "unknown name '" + operand.name + "'");
  if (!space.empty() && baseSpace(space) != symbol.variable->space)
    return wrong(operand.location, "expected a variable in ." + space + ", found '" + operand.name +
                                       "' in ." + symbol.variable->space);
  return true;
}
