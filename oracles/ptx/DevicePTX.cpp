//===- DevicePTX.cpp - the PTX of a device module, checked ------------------------------------===//
#include "oracles/ptx/DevicePTX.h"

#include "compiler/target/PTX.h"
#include "oracles/devices/ptx/Checker.h"

#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <map>
#include <set>

using namespace tilesmith;

namespace {

/// `.acq_rel.gpu`; empty where PTX says as much by itself: weak accesses, and relaxed ones of no more
/// than the GPU.
std::string orderWords(llvm::LLVMContext &context, llvm::AtomicOrdering ordering,
                       llvm::SyncScope::ID id) {
  llvm::SmallVector<llvm::StringRef> names;
  context.getSyncScopeNames(names);
  const llvm::StringRef name = names[id];
  const llvm::StringRef scope = name == "block"     ? ".cta"
                                : name == "cluster" ? ".cluster"
                                : name == "device"  ? ".gpu"
                                                    : ".sys";
  switch (ordering) {
  case llvm::AtomicOrdering::Monotonic:
    return scope == ".sys" ? ".relaxed.sys" : "";
  case llvm::AtomicOrdering::Acquire:
    return (".acquire" + scope).str();
  case llvm::AtomicOrdering::Release:
    return (".release" + scope).str();
  case llvm::AtomicOrdering::AcquireRelease:
    return (".acq_rel" + scope).str();
  default:
    return "";
  }
}

/// Accesses by what they do and by their order and scope.
struct Accesses {
  std::map<std::string, unsigned> counts; ///< `ld.acquire.gpu`, `atom.acq_rel.gpu`
  std::set<std::string> inexact; ///< of the same words: the back end makes other code of some
};

/// Updates for which every GPU of ours has an instruction; others become loops.
bool isOneInstruction(const llvm::AtomicRMWInst &rmw) {
  using llvm::AtomicRMWInst;
  const llvm::Type *type = rmw.getType();
  switch (rmw.getOperation()) {
  case AtomicRMWInst::Xchg:
  case AtomicRMWInst::Add:
  case AtomicRMWInst::And:
  case AtomicRMWInst::Or:
  case AtomicRMWInst::Xor:
  case AtomicRMWInst::Max:
  case AtomicRMWInst::Min:
  case AtomicRMWInst::UMax:
  case AtomicRMWInst::UMin:
    return type->isIntegerTy(32) || type->isIntegerTy(64);
  case AtomicRMWInst::FAdd:
    return type->isFloatTy() || type->isDoubleTy();
  default:
    return false;
  }
}

/// The accesses of a module whose order is not what PTX has without a word.
Accesses accessesOf(const llvm::Module &module) {
  Accesses accesses;
  for (const llvm::Function &function : module)
    for (const llvm::Instruction &instruction : llvm::instructions(function)) {
      auto note = [&](llvm::StringRef op, llvm::AtomicOrdering ordering, llvm::SyncScope::ID scope,
                      bool isExact) {
        const std::string words = orderWords(module.getContext(), ordering, scope);
        if (words.empty())
          return;
        ++accesses.counts[op.str() + words];
        if (!isExact)
          accesses.inexact.insert(op.str() + words);
      };
      if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
        note("ld", load->getOrdering(), load->getSyncScopeID(), true);
      else if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
        note("st", store->getOrdering(), store->getSyncScopeID(), true);
      else if (auto *rmw = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
        note("atom", rmw->getOrdering(), rmw->getSyncScopeID(), isOneInstruction(*rmw));
      else if (auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
        note("atom", exchange->getSuccessOrdering(), exchange->getSyncScopeID(),
             exchange->getCompareOperand()->getType()->getPrimitiveSizeInBits() >= 32);
    }
  return accesses;
}

/// The instruction of a line, without its predicate; empty for labels and directives.
llvm::StringRef instructionOf(llvm::StringRef line) {
  line = line.trim();
  if (line.consume_front("@"))
    line = line.drop_until([](char c) { return c == ' ' || c == '\t'; }).ltrim();
  return line.take_until([](char c) { return c == ' ' || c == '\t' || c == ';'; });
}

/// How many instructions of a text do each of these.
std::map<std::string, unsigned> countIn(llvm::StringRef text, const Accesses &wanted) {
  std::map<std::string, unsigned> counts;
  llvm::SmallVector<llvm::StringRef> lines;
  text.split(lines, '\n');
  for (llvm::StringRef line : lines) {
    const llvm::StringRef instruction = instructionOf(line);
    const bool updates = instruction.starts_with("red.") || instruction.starts_with("atom.");
    for (auto &[access, count] : wanted.counts) {
      auto [op, words] = llvm::StringRef(access).split('.');
      if ((updates ? llvm::StringRef("atom") : instruction.split('.').first) == op &&
          instruction.contains(("." + words + ".").str()))
        ++counts[access];
    }
  }
  return counts;
}

/// Counts what the module's own inline text does of these beside its accesses.
void addInlineText(const llvm::Module &module, Accesses &accesses) {
  std::map<std::string, unsigned> inText;
  for (const llvm::Function &function : module)
    for (const llvm::Instruction &instruction : llvm::instructions(function)) {
      auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      auto *text = call ? llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand()) : nullptr;
      if (text)
        for (auto &[access, count] : countIn(text->getAsmString(), accesses))
          inText[access] += count;
    }
  for (auto &[access, count] : inText)
    accesses.counts[access] += count;
}

/// What the text does not do as often as the module, in words; empty: nothing. An order that is lost
/// orders nothing on a GPU, and no engine shows it: none has weak memory.
std::string lostOrder(llvm::StringRef text, const Accesses &wanted) {
  std::map<std::string, unsigned> found = countIn(text, wanted);
  for (auto &[access, count] : wanted.counts) {
    if (wanted.inexact.count(access)) {
      if (!text.contains(access.substr(access.find('.'))))
        return "no instruction says '" + access + "', which an access asks for";
    } else if (found[access] != count) {
      return std::to_string(found[access]) + " instructions say '" + access + "', expected " +
             std::to_string(count);
    }
  }
  return "";
}

} // namespace

oracles::DevicePTX tilesmith::oracles::checkDevicePTX(const llvm::Module &module,
                                                      llvm::StringRef gpuName, unsigned optLevel) {
  DevicePTX result;
  std::unique_ptr<llvm::Module> copy = llvm::CloneModule(module);
  if (llvm::Error error = target::optimizeForPTX(*copy, gpuName, optLevel)) {
    result.error = llvm::toString(std::move(error));
    return result;
  }
  Accesses accesses = accessesOf(*copy); // before the backend rewrites them
  addInlineText(*copy, accesses);
  auto ptx = target::emitPTX(*copy, gpuName, optLevel);
  if (!ptx) {
    result.error = llvm::toString(ptx.takeError());
    return result;
  }
  result.text = std::move(*ptx);
  const ptx::CheckResult checked = ptx::checkPTX(result.text);
  if (!checked.errors.empty()) {
    result.error = llvm::StringRef(checked.str()).split('\n').first.str();
    result.line = checked.errors.front().location.line;
    return result;
  }
  result.error = lostOrder(result.text, accesses);
  return result;
}
