//===- SpecialForms.cpp - mov, call, and the widths of loads, stores and wgmma ----------------===//
#include "oracles/devices/ptx/CheckerImpl.h"

#include "llvm/ADT/StringExtras.h"

using namespace tilesmith::ptx;
using llvm::StringRef;
using llvm::Twine;

bool Checker::checkSpecial(const Instruction &instruction, const Captures &captures) {
  const StringRef mnemonic = instruction.mnemonic;
  if (mnemonic == "mov")
    return checkMove(instruction, *lookupType(captures.get("T")));
  if (mnemonic == "call")
    return checkCall(instruction);
  if (mnemonic == "ld" || mnemonic == "st" || mnemonic == "ldu")
    return checkAccessWidth(instruction, captures);
  if (mnemonic == "wgmma" && captures.number) {
    const bool integer = llvm::is_contained(instruction.modifiers, "s32");
    const unsigned n = captures.number;
    if (n % 8 || n > 256 || (integer && n > 32 && n % 16) || n == 0)
      return wrong(instruction.location, "no shape with n" + Twine(n));
  }
  if (mnemonic == "tcgen05" && llvm::is_contained(instruction.modifiers, "alloc") &&
      instruction.operands[1].kind == Operand::Integer &&
      (instruction.operands[1].value < 32 || instruction.operands[1].value > 512 ||
       instruction.operands[1].value & (instruction.operands[1].value - 1)))
    return wrong(instruction.operands[1].location, "expected a power of two from 32 to 512");
  if (mnemonic == "setmaxnreg" && instruction.operands[0].value % 8)
    return wrong(instruction.operands[0].location, "expected a multiple of 8");
  if (mnemonic == "cp" && instruction.modifiers.size() > 1 && instruction.modifiers[1] == "ca" &&
      !llvm::is_contained({4u, 8u, 16u}, instruction.operands[2].value))
    return wrong(instruction.operands[2].location, "expected 4, 8 or 16 bytes");
  return true;
}

//===------------------------------------------------------------------------------------------===//
// Loads and stores
//===------------------------------------------------------------------------------------------===//

bool Checker::checkAccessWidth(const Instruction &instruction, const Captures &captures) {
  const Type *type = lookupType(captures.get("T"));
  unsigned count = 1;
  captures.get("V").drop_front(captures.get("V").empty() ? 0 : 1).getAsInteger(10, count);
  const unsigned bits = count * type->bits;
  if (count == 8 && type->bits != 32)
    return wrong(instruction.location, "vectors of eight have 32-bit elements");
  if (bits <= 128)
    return true;
  const StringRef space = captures.get("S");
  if (bits > 256 || type->bits == 128 || !(space == "global" || space.empty()))
    return wrong(instruction.location, "access of " + Twine(bits) + " bits, expected at most 128");
  if (!isAtLeast(target, 100, 88))
    return wrong(instruction.location,
                 "access of 256 bits needs sm_100 and PTX 8.8, found " + target.str());
  return true;
}

//===------------------------------------------------------------------------------------------===//
// mov
//===------------------------------------------------------------------------------------------===//

// `mov.b64 d, {a, b}` and `mov.b64 {a, b}, s`: elements of equal width that fill the type.
bool Checker::checkPack(const Operand &vector, const Type &type, bool destination) {
  const size_t count = vector.parts.size();
  if (type.kind != TypeKind::Bits || (count != 2 && count != 4) || type.bits / count < 8)
    return wrong(vector.location, "cannot pack " + Twine(count) + " elements in ." + type.name);
  OperandPattern element;
  element.destination = element.sink = destination;
  const Type *bits = lookupType(TypeKind::Bits, type.bits / count);
  return llvm::all_of(vector.parts,
                      [&](const Operand &part) { return checkScalar(element, *bits, part); });
}

bool Checker::checkMoveSource(const Operand &operand, const Type &type) {
  OperandPattern source;
  if (operand.kind != Operand::Name)
    return checkScalar(source, type, operand);
  if (const SpecialRegister *special = lookupSpecialRegister(operand.name)) {
    if (!isAtLeast(target, special->sm, special->version))
      return wrong(operand.location, "'" + operand.name + "' needs sm_" + Twine(special->sm) +
                                         " and PTX " + Twine(special->version / 10) + "." +
                                         Twine(special->version % 10) + ", found " + target.str());
    const StringRef component = operand.component;
    if (special->vector ? !(component.size() == 1 && StringRef("xyzw").contains(component))
                        : !component.empty())
      return wrong(operand.location, "no component '" + component + "' of '" + operand.name + "'");
    const Type &found = *lookupType(special->type);
    // A clock or a grid number may be read into half of its width.
    if (!registerFits(type, found, false) && !(found.bits == 64 && type.bits == 32))
      return wrong(operand.location, "expected ." + type.name + ", found '" + operand.name +
                                         "' of type ." + found.name);
    return true;
  }
  const Symbol symbol = lookup(operand.name);
  if (symbol.kind != Symbol::Variable && symbol.kind != Symbol::Function)
    return checkScalar(source, type, operand);
  const bool narrow = symbol.kind == Symbol::Variable &&
                      llvm::is_contained({"shared", "local", "param"}, symbol.variable->space);
  if (type.kind == TypeKind::Float || !(type.bits == 64 || (narrow && type.bits == 32)))
    return wrong(operand.location,
                 "expected ." + type.name + ", found the address of '" + operand.name + "'");
  return true;
}

bool Checker::checkMove(const Instruction &instruction, const Type &type) {
  const Operand &destination = instruction.operands[0];
  const Operand &source = instruction.operands[1];
  OperandPattern pattern;
  pattern.destination = true;
  if (destination.kind == Operand::Vector) {
    OperandPattern read;
    return checkPack(destination, type, true) && checkScalar(read, type, source);
  }
  if (!checkScalar(pattern, type, destination))
    return false;
  return source.kind == Operand::Vector ? checkPack(source, type, false)
                                        : checkMoveSource(source, type);
}

//===------------------------------------------------------------------------------------------===//
// call
//===------------------------------------------------------------------------------------------===//

bool Checker::checkCallList(llvm::ArrayRef<Operand> actual, llvm::ArrayRef<Variable> formal,
                            Location location, StringRef what) {
  if (actual.size() != formal.size())
    return wrong(location, "expected " + Twine(formal.size()) + " " + what + ", found " +
                               Twine(actual.size()));
  for (auto [operand, variable] : llvm::zip(actual, formal)) {
    const Symbol symbol = operand.kind == Operand::Name ? lookup(operand.name) : Symbol();
    if (symbol.kind != Symbol::Variable) {
      OperandPattern pattern;
      pattern.destination = what == "results";
      if (variable.isArray)
        return wrong(operand.location,
                     "expected a variable of " + Twine(variable.size()) + " bytes");
      if (!checkScalar(pattern, *variable.type, operand))
        return false;
      continue;
    }
    if (symbol.variable->space != "param")
      return wrong(operand.location, "expected a variable in .param, found '" + operand.name + "'");
    if (symbol.variable->size() != variable.size() || symbol.variable->align() < variable.align())
      return wrong(operand.location, "expected " + Twine(variable.size()) + " bytes aligned to " +
                                         Twine(variable.align()) + ", found '" + operand.name +
                                         "' of " + Twine(symbol.variable->size()) +
                                         " bytes aligned to " + Twine(symbol.variable->align()));
  }
  return true;
}

// call {(results),} function {, (arguments)} {, prototype or targets}
bool Checker::checkCall(const Instruction &instruction) {
  llvm::ArrayRef<Operand> operands = instruction.operands;
  llvm::ArrayRef<Operand> results, arguments;
  if (!operands.empty() && operands.front().kind == Operand::List) {
    results = operands.front().parts;
    operands = operands.drop_front();
  }
  if (operands.empty() || operands.front().kind != Operand::Name)
    return wrong(instruction.location, "expected the name of a function");
  const Operand &callee = operands.front();
  operands = operands.drop_front();
  if (!operands.empty() && operands.front().kind == Operand::List) {
    arguments = operands.front().parts;
    operands = operands.drop_front();
  }
  const Symbol symbol = lookup(callee.name);
  if (symbol.kind == Symbol::Function && !symbol.function->isEntry) {
    if (!operands.empty())
      return wrong(operands.front().location, "a direct call has no prototype");
    return checkCallList(results, symbol.function->results, instruction.location, "results") &&
           checkCallList(arguments, symbol.function->parameters, instruction.location, "arguments");
  }
  if (symbol.kind != Symbol::Register)
    return wrong(callee.location, "unknown function '" + callee.name + "'");
  OperandPattern address;
  if (!checkScalar(address, *lookupType("b64"), callee))
    return false;
  const Symbol prototype = operands.size() == 1 ? lookup(operands[0].name) : Symbol();
  if (prototype.kind != Symbol::Prototype)
    return wrong(instruction.location, "an indirect call needs a prototype");
  return checkCallList(results, prototype.statement->results, instruction.location, "results") &&
         checkCallList(arguments, prototype.statement->parameters, instruction.location,
                       "arguments");
}
