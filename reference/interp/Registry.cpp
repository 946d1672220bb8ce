//===- Registry.cpp - table from op names to evaluators ---------------------------------------===//
#include "reference/interp/Registry.h"

using namespace tilesmith::reference;

const Registry &Registry::get() {
  static const Registry registry = [] {
    Registry r;
    for (auto add :
         {registerIntegerEvaluators, registerFloatingPointEvaluators, registerMathEvaluators,
          registerConversionEvaluators, registerShapeEvaluators, registerReduceEvaluators,
          registerMmaEvaluators, registerMemoryEvaluators, registerViewEvaluators,
          registerAtomicEvaluators, registerControlFlowEvaluators, registerMiscEvaluators})
      add(r);
    return r;
  }();
  return registry;
}

std::string Registry::describeOrigin(unsigned origin) const {
  for (const auto &[id, entry] : entries)
    if (entry.number == origin >> kTypeBits)
      return entry.name.split('.').second.str() + " " +
             spelling(static_cast<ElementType>(origin & ((1u << kTypeBits) - 1))).str();
  return "unknown";
}

const RegistryEntry *Registry::lookup(llvm::StringRef name) const {
  for (const auto &[id, entry] : entries)
    if (entry.name == name)
      return &entry;
  return nullptr;
}
