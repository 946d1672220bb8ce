//===- TokenGraph.h - which memory is meant, which accesses are ordered -----------------------===//
//
// Two questions about the memory ops of one function:
//   * provenance: into which objects may an access reach (entry pointers, globals, allocas, or
//     anything)?
//   * order: does a chain of tokens lead from one access to another, through joins, ifs and loops?
// Program order, data flow and nesting order nothing; only tokens do (and whatever a caller knows
// besides).
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_DIALECT_TILEAA_TRANSFORMS_TOKENGRAPH_H
#define COMPILER_DIALECT_TILEAA_TRANSFORMS_TOKENGRAPH_H

#include "mlir/IR/Operation.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

namespace tilesmith::tileaa {

/// Mbarriers of a tile block that tokens may take.
inline constexpr unsigned kTokenPoolSize = 32;

/// Objects that a pointer, memref or view may point into.
struct Provenance {
  llvm::SmallSetVector<mlir::Value, 2> roots; ///< entry arguments, results of alloca and get_global
  bool unknown = false; ///< may also point anywhere (int_to_ptr, loaded pointers)
};

class TokenGraph {
public:
  /// `function` may be any op with regions; answers are cached until it changes.
  explicit TokenGraph(mlir::Operation *function) : function(function) {}

  /// Objects behind an address value.
  const Provenance &getProvenance(mlir::Value address);

  /// Two memory ops may touch a common byte. Entry pointers may be equal; fresh memory of alloca is
  /// distinct from everything it was not derived into, one global from another; memrefs with
  /// different non-zero alias scopes never meet.
  bool mayAlias(mlir::Operation *a, mlir::Operation *b);

  /// All accesses whose completion `op` waits for, directly or transitively.
  const llvm::SmallSetVector<mlir::Operation *, 8> &getPredecessors(mlir::Operation *op);

  /// A chain of tokens leads from `before` to `after`.
  bool isOrdered(mlir::Operation *before, mlir::Operation *after);

  /// Ordered, possibly the same memory, and at least one of the two writes: `after` must see what
  /// `before` did.
  bool hasHazard(mlir::Operation *before, mlir::Operation *after);

  mlir::Operation *getFunction() const { return function; }

private:
  mlir::Operation *function;
  llvm::DenseMap<mlir::Value, Provenance> provenance;
  llvm::DenseMap<mlir::Operation *, llvm::SmallSetVector<mlir::Operation *, 8>> predecessors;
};

/// Values that may be this value: init and yields of a loop-carried argument or result, yields of
/// an if; empty when the value is defined by an op that computes it.
llvm::SmallVector<mlir::Value> getCarriedSources(mlir::Value value);

} // namespace tilesmith::tileaa

#endif // COMPILER_DIALECT_TILEAA_TRANSFORMS_TOKENGRAPH_H
