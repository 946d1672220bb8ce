//===- DevicePTX.cpp - the PTX of a device module, checked ------------------------------------===//
#include "oracles/ptx/DevicePTX.h"

#include "compiler/target/PTX.h"
#include "oracles/devices/ptx/Checker.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

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

/// The orders and scopes of the accesses of a module.
std::set<std::string> ordersOf(const llvm::Module &module) {
  std::set<std::string> orders;
  for (const llvm::Function &function : module)
    for (const llvm::Instruction &instruction : llvm::instructions(function)) {
      auto note = [&](llvm::AtomicOrdering ordering, llvm::SyncScope::ID scope) {
        orders.insert(orderWords(module.getContext(), ordering, scope));
      };
      if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
        note(load->getOrdering(), load->getSyncScopeID());
      else if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
        note(store->getOrdering(), store->getSyncScopeID());
      else if (auto *rmw = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
        note(rmw->getOrdering(), rmw->getSyncScopeID());
      else if (auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
        note(exchange->getSuccessOrdering(), exchange->getSyncScopeID());
    }
  orders.erase("");
  return orders;
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
  const std::set<std::string> orders = ordersOf(*copy); // before the backend rewrites them
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
  // An order that is lost orders nothing on a GPU, and no engine shows it: none has weak memory.
  for (const std::string &order : orders)
    if (!llvm::StringRef(result.text).contains(order)) {
      result.error = "no instruction says '" + order + "', which an access asks for";
      break;
    }
  return result;
}
