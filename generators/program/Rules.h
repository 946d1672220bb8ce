//===- Rules.h - how a kernel grows, one rule per kind of statement ---------------------------===//
//
// A rule adds one statement: it picks operands from the pool, guards them so that no undefined
// behaviour can arise (facts of Facts.h), adds the op, and puts the result with its facts into the
// pool. A rule that cannot apply returns false and has added nothing that matters. One file per op
// family; AllRules.cpp lists the tables.
//
//===------------------------------------------------------------------------------------------===//
#ifndef GENERATORS_PROGRAM_RULES_H
#define GENERATORS_PROGRAM_RULES_H

#include "generators/program/KernelBuilder.h"

namespace tilesmith::generators {

struct Rule {
  llvm::StringLiteral name; ///< also the feature it leaves in the case
  unsigned weight;          ///< relative frequency
  bool (*apply)(KernelBuilder &kernel, ChoiceStream &stream);
  unsigned since = 1;       ///< N of 13.N
  const char *promise = ""; ///< what keeps it defined, beyond the promises of its family
};

/// A family of rules: one file.
struct RuleFamily {
  llvm::StringLiteral name;
  llvm::StringLiteral needs, promises;
  llvm::ArrayRef<Rule> rules;
};
llvm::ArrayRef<RuleFamily> ruleFamilies();

llvm::ArrayRef<Rule> integerRules();
llvm::ArrayRef<Rule> floatRules();
llvm::ArrayRef<Rule> mathRules();
llvm::ArrayRef<Rule> compareSelectRules();
llvm::ArrayRef<Rule> conversionRules();
llvm::ArrayRef<Rule> shapeRules();
llvm::ArrayRef<Rule> matrixRules();
llvm::ArrayRef<Rule> memoryRules();
llvm::ArrayRef<Rule> controlFlowRules();
llvm::ArrayRef<Rule> viewRules();
llvm::ArrayRef<Rule> pointerRules();
llvm::ArrayRef<Rule> tokenOrderRules();
llvm::ArrayRef<Rule> atomicRules();
llvm::ArrayRef<Rule> moduleRules();
llvm::ArrayRef<Rule> storageRules();
llvm::ArrayRef<Rule> halfByteRules();
llvm::ArrayRef<Rule> templateRules();
llvm::ArrayRef<Rule> pipelineRules();
/// The rule `cluster-loop`, as a statement.
void addClusterLoop(KernelBuilder &kernel, ChoiceStream &stream);
/// ClusterRules.cpp, for entries in clusters only: scans, reductions and moves of a large tile.
void addClusterShapes(KernelBuilder &kernel, ChoiceStream &stream);
llvm::ArrayRef<Rule> stripRules();
llvm::ArrayRef<Rule> foldRules();
llvm::ArrayRef<Rule> branchRules();
llvm::ArrayRef<Rule> idiomRules();
llvm::ArrayRef<Rule> frontendRules();
llvm::ArrayRef<Rule> enclosureRules();

/// All rules in a fixed order. Appending is harmless to old seeds only in the sense that cases
/// store their module.
llvm::ArrayRef<Rule> allRules();

/// Draws the weights of the rules for one kernel: swarm mode leaves out most families of some
/// kernels and prefers a few in others. `only`, where not empty, names families or rules.
void chooseWeights(KernelBuilder &kernel, ChoiceStream &stream, llvm::ArrayRef<std::string> only);

/// Adds one statement with a random rule; gives up after a few rules that do not apply.
void addStatement(KernelBuilder &kernel, ChoiceStream &stream);

/// Repeats some operations of the finished kernel on operands that show their faults.
void addWitnesses(KernelBuilder &kernel, ChoiceStream &stream);

/// Loads the block's tile of an array through a partition view or a tile of pointers and adds it to
/// the pool.
void emitLoad(KernelBuilder &kernel, ChoiceStream &stream, ArrayInfo &array);

/// Stores a value as the block's tile of an output array. The value has the shape of the array's
/// tile.
void emitStore(KernelBuilder &kernel, ChoiceStream &stream, ArrayInfo &array, TileValue value);

/// Reduces or scans values together along `dim`; `combine` builds the body from the scalars that came
/// before and those of an element.
llvm::SmallVector<mlir::Value> emitAggregate(
    KernelBuilder &kernel, mlir::ValueRange values, unsigned dim, bool isScan, bool reverse,
    llvm::ArrayRef<mlir::Attribute> identities,
    llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::ValueRange, mlir::ValueRange)> combine);

/// Reduces or scans `value` along `dim`; `combine` builds the body from its two scalars. Draws the
/// direction of a scan.
mlir::Value emitReduction(KernelBuilder &kernel, ChoiceStream &stream, mlir::Value value,
                          unsigned dim, bool isScan, mlir::Attribute identity,
                          llvm::function_ref<mlir::Value(mlir::Value, mlir::Value)> combine);

} // namespace tilesmith::generators

#endif // GENERATORS_PROGRAM_RULES_H
