//===- Checker.cpp - declarations, scopes and the choice of an instruction's row --------------===//
#include "oracles/devices/ptx/Checker.h"
#include "oracles/devices/ptx/CheckerImpl.h"

#include "llvm/ADT/StringExtras.h"

using namespace tilesmith::ptx;
using llvm::StringRef;
using llvm::Twine;

std::string CheckResult::str() const {
  std::string text;
  for (const Diagnostic &diagnostic : errors)
    text += (Twine(diagnostic.location.line) + ":" + Twine(diagnostic.location.column) +
             ": error: " + diagnostic.message + "\n")
                .str();
  return text;
}

CheckResult tilesmith::ptx::checkPTX(StringRef text) {
  CheckResult result;
  Diagnostic error;
  std::optional<Module> module = parseModule(text, error);
  if (!module) {
    result.errors.push_back(error);
    return result;
  }
  result.target = module->target;
  Checker(*module, result).run();
  return result;
}

void Checker::error(Location location, const Twine &message) {
  if (result.errors.size() < kMaxErrors)
    result.errors.push_back({location, message.str()});
}

//===------------------------------------------------------------------------------------------===//
// Declarations
//===------------------------------------------------------------------------------------------===//

void Checker::declare(StringRef name, Symbol symbol, Location location) {
  if (!scopes.back().names.try_emplace(name, symbol).second)
    error(location, "'" + name + "' is declared twice in one scope");
}

// `%r12` is register 12 of the range `%r<20>`.
static StringRef splitIndex(StringRef name, uint64_t &index) {
  const StringRef prefix = name.rtrim("0123456789");
  StringRef digits = name.drop_front(prefix.size());
  if (digits.empty() || (digits.size() > 1 && digits[0] == '0') || digits.getAsInteger(10, index))
    return {};
  return prefix;
}

void Checker::declareRegister(const RegisterDeclaration &declaration) {
  if (declaration.type->bits == 128 && !isAtLeast(target, 70, 83))
    error(declaration.location, "128-bit registers need sm_70 and PTX 8.3, found " + target.str());
  if (!declaration.isRange) {
    Symbol symbol;
    symbol.kind = Symbol::Register;
    symbol.type = declaration.type;
    symbol.vector = declaration.vector;
    declare(declaration.name, symbol, declaration.location);
    return;
  }
  for (const Range &range : scopes.back().ranges)
    if (range.prefix == declaration.name)
      error(declaration.location, "'" + declaration.name + "' is declared twice in one scope");
  scopes.back().ranges.push_back({declaration.name, declaration.count, declaration.type});
}

Symbol Checker::lookup(StringRef name) const {
  uint64_t index = 0;
  const StringRef prefix = splitIndex(name, index);
  for (const Scope &scope : llvm::reverse(scopes)) {
    if (auto found = scope.names.find(name); found != scope.names.end())
      return found->second;
    if (prefix.empty())
      continue;
    for (const Range &range : scope.ranges)
      if (range.prefix == prefix && index < range.count) {
        Symbol symbol;
        symbol.kind = Symbol::Register;
        symbol.type = range.type;
        return symbol;
      }
  }
  return {};
}

void Checker::checkRedeclaration(const Function &function, const Function &earlier) {
  if (earlier.body && function.body)
    return error(function.location, "'" + function.name + "' is defined twice");
  auto same = [](llvm::ArrayRef<Variable> a, llvm::ArrayRef<Variable> b) {
    return a.size() == b.size() && llvm::all_of(llvm::zip(a, b), [](auto pair) {
             const auto &[x, y] = pair;
             return x.size() == y.size() && x.align() == y.align();
           });
  };
  if (function.isEntry != earlier.isEntry || !same(function.parameters, earlier.parameters) ||
      !same(function.results, earlier.results))
    error(function.location, "'" + function.name + "' differs from its earlier declaration");
}

void Checker::checkFunction(const Function &function) {
  Symbol symbol = lookup(function.name);
  if (symbol.kind == Symbol::Function) {
    checkRedeclaration(function, *symbol.function);
    scopes.front().names[function.name].function = &function;
  } else {
    symbol.kind = Symbol::Function;
    symbol.function = &function;
    declare(function.name, symbol, function.location);
  }
  (function.isEntry ? result.entries : result.functions) += 1;
  inEntry = function.isEntry;
  if (function.isEntry) {
    uint64_t end = 0;
    for (const Variable &parameter : function.parameters)
      end =
          (end + parameter.align() - 1) / parameter.align() * parameter.align() + parameter.size();
    const uint64_t limit = isAtLeast(target, 70, 81) ? 32764 : 4352;
    if (end > limit)
      error(function.location, "parameters of '" + function.name + "' have " + Twine(end) +
                                   " bytes, expected at most " + Twine(limit));
  }
  if (!function.body)
    return;
  scopes.emplace_back();
  for (const auto *list : {&function.results, &function.parameters})
    for (const Variable &variable : *list) {
      Symbol parameter;
      parameter.kind = Symbol::Variable;
      parameter.variable = &variable;
      parameter.ofEntry = function.isEntry;
      declare(variable.name, parameter, variable.location);
    }
  for (const RegisterDeclaration &declaration : function.registerParameters)
    declareRegister(declaration);
  checkBlock(*function.body);
  scopes.pop_back();
}

void Checker::run() {
  scopes.emplace_back();
  for (const ModuleItem &item : module.items) {
    if (item.function) {
      checkFunction(*item.function);
      continue;
    }
    for (const Operand &name : item.initialiser)
      if (lookup(name.name).kind == Symbol::None)
        error(name.location, "unknown name '" + name.name + "' in an initialiser");
    Symbol symbol;
    symbol.kind = Symbol::Variable;
    symbol.variable = item.variable.get();
    const Symbol earlier = lookup(item.variable->name);
    // An external declaration may be repeated, and the definition may follow it.
    if (earlier.kind == Symbol::Variable && earlier.variable->isExtern)
      scopes.back().names[item.variable->name] = symbol;
    else
      declare(item.variable->name, symbol, item.variable->location);
  }
}

void Checker::checkBlock(const Block &block) {
  scopes.emplace_back();
  for (const Statement &statement : block.statements) {
    Symbol symbol;
    symbol.statement = &statement;
    symbol.kind = statement.kind == Statement::Label           ? Symbol::Label
                  : statement.kind == Statement::BranchTargets ? Symbol::Targets
                  : statement.kind == Statement::Prototype     ? Symbol::Prototype
                                                               : Symbol::None;
    if (symbol.kind != Symbol::None)
      declare(statement.label, symbol, statement.location);
  }
  for (const Statement &statement : block.statements)
    switch (statement.kind) {
    case Statement::Scope:
      checkBlock(*statement.block);
      break;
    case Statement::Register:
      declareRegister(statement.reg);
      break;
    case Statement::Var: {
      Symbol symbol;
      symbol.kind = Symbol::Variable;
      symbol.variable = statement.variable.get();
      declare(statement.variable->name, symbol, statement.variable->location);
      break;
    }
    case Statement::BranchTargets:
      checkTargets(statement);
      break;
    case Statement::Instr:
      ++result.instructions;
      checkInstruction(*statement.instruction);
      break;
    default:
      break;
    }
  scopes.pop_back();
}

void Checker::checkTargets(const Statement &statement) {
  for (const Operand &name : statement.names)
    if (lookup(name.name).kind != Symbol::Label)
      error(name.location, "unknown label '" + name.name + "'");
}

//===------------------------------------------------------------------------------------------===//
// Instructions
//===------------------------------------------------------------------------------------------===//

// Names the first modifier that no row takes, and what could stand there.
void Checker::reportModifiers(const Instruction &instruction, size_t reached) {
  if (reached < instruction.modifiers.size())
    return error(instruction.modifierLocations[reached], "'." + instruction.modifiers[reached] +
                                                             "' does not belong here in '" +
                                                             instruction.opcode() + "'");
  error(instruction.location, "'" + instruction.opcode() + "' lacks a modifier or a type");
}

bool Checker::checkNeeds(const Row &row, const Instruction &instruction) {
  auto check = [&](Location location, const Twine &what, StringRef needed, unsigned version) {
    if (!targetHas(target, needed))
      return wrong(location, what + " needs sm_" + needed + ", found " + target.str());
    return target.version >= version ||
           wrong(location, what + " needs PTX " + Twine(version / 10) + "." + Twine(version % 10) +
                               ", found " + target.str());
  };
  if (!check(instruction.location, "'" + instruction.opcode() + "'", row.target, row.version))
    return false;
  for (auto [word, location] : llvm::zip(instruction.modifiers, instruction.modifierLocations))
    if (const ModifierNeed *need = lookupModifierNeed(word))
      if (!check(location, "'." + word + "'", need->target, need->version))
        return false;
  return true;
}

void Checker::checkInstruction(const Instruction &instruction) {
  if (!instruction.guard.empty()) {
    const Symbol guard = lookup(instruction.guard);
    if (guard.kind != Symbol::Register)
      error(instruction.guardLocation, "unknown register '" + instruction.guard + "'");
    else if (guard.type->kind != TypeKind::Predicate)
      error(instruction.guardLocation,
            "expected a predicate, found '" + instruction.guard + "' of type ." + guard.type->name);
  }
  const llvm::ArrayRef<const Row *> rows = rowsOf(instruction.mnemonic);
  if (rows.empty())
    return error(instruction.location, "unknown instruction '" + instruction.mnemonic + "'");

  // Several rows may share modifiers and differ in operands or needs; the problem of the row that
  // got furthest is the most telling.
  size_t reached = 0;
  int best = -1;
  Diagnostic told;
  for (const Row *row : rows) {
    Captures captures;
    if (!matchModifiers(*row, instruction.modifiers, captures, reached))
      continue;
    int stage = row->operands.size() == instruction.operands.size() ? 1 : 0;
    if (checkOperands(*row, captures, instruction) && checkSpecial(instruction, captures)) {
      if (checkNeeds(*row, instruction))
        return;
      stage = 2;
    }
    if (stage > best) {
      best = stage;
      told = problem;
    }
  }
  if (best < 0)
    return reportModifiers(instruction, reached);
  error(told.location,
        best == 2 ? told.message : told.message + " in '" + instruction.opcode() + "'");
}
