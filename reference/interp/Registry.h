//===- Registry.h - table from op names to evaluators -----------------------------------------===//
//
// Each family file adds its ops with `add<Op, function>()`. Ops that are recognised but not
// evaluated stand in the table with a reason, so that "missing" and "deliberately left out" differ.
// A test walks all registered cuda_tile ops.
//
//===------------------------------------------------------------------------------------------===//
#ifndef REFERENCE_INTERP_REGISTRY_H
#define REFERENCE_INTERP_REGISTRY_H

#include "mlir/IR/Operation.h"
#include "mlir/Support/TypeID.h"

#include "reference/interp/BlockContext.h"

namespace tilesmith::reference {

using Evaluator = Status (*)(BlockContext &, mlir::Operation *);

struct RegistryEntry {
  llvm::StringRef name;
  llvm::StringRef family;
  Evaluator evaluate = nullptr; ///< null: unsupported or structural
  llvm::StringRef reason;       ///< why there is no evaluator
  unsigned number = 0;          ///< position in the table
};

class Registry {
public:
  /// The table with every family in it.
  static const Registry &get();

  const RegistryEntry *lookup(mlir::TypeID op) const {
    auto it = entries.find(op);
    return it == entries.end() ? nullptr : &it->second;
  }
  const RegistryEntry *lookup(llvm::StringRef name) const;

  /// Where a vacuous float began, in the number that its spread keeps: the op that could not bound
  /// it, and its type then.
  static unsigned originOf(const RegistryEntry &entry, ElementType type) {
    unsigned number = entry.number << kTypeBits | static_cast<unsigned>(type);
    return number < PackedSpread::kOrigins ? number : PackedSpread::kNoOrigin;
  }
  /// `log f32`; `unknown` for a number that originOf did not make.
  std::string describeOrigin(unsigned origin) const;

  void family(llvm::StringRef name) { currentFamily = name; }

  template <typename Op, Status (*function)(BlockContext &, Op)> void add() {
    insert<Op>([](BlockContext &context,
                  mlir::Operation *op) { return function(context, mlir::cast<Op>(op)); },
               {});
  }
  /// An op that is never executed on its own (module, entry), or that is not supported, with the
  /// reason.
  template <typename Op> void addWithout(llvm::StringRef reason) { insert<Op>(nullptr, reason); }

private:
  template <typename Op> void insert(Evaluator evaluator, llvm::StringRef reason) {
    entries[mlir::TypeID::get<Op>()] = {Op::getOperationName(), currentFamily, evaluator, reason,
                                        static_cast<unsigned>(entries.size())};
  }
  static constexpr unsigned kTypeBits = 5;

  llvm::DenseMap<mlir::TypeID, RegistryEntry> entries;
  llvm::StringRef currentFamily;
};

void registerIntegerEvaluators(Registry &registry);
void registerFloatingPointEvaluators(Registry &registry);
void registerMathEvaluators(Registry &registry);
void registerConversionEvaluators(Registry &registry);
void registerShapeEvaluators(Registry &registry);
void registerReduceEvaluators(Registry &registry);
void registerMmaEvaluators(Registry &registry);
void registerMemoryEvaluators(Registry &registry);
void registerViewEvaluators(Registry &registry);
void registerAtomicEvaluators(Registry &registry);
void registerControlFlowEvaluators(Registry &registry);
void registerMiscEvaluators(Registry &registry);

} // namespace tilesmith::reference

#endif // REFERENCE_INTERP_REGISTRY_H
