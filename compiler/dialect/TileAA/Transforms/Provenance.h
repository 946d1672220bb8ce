//===- Provenance.h - which memory is meant ---------------------------------------------------===//
//
// Into which objects may an access reach: entry pointers, globals, allocas, or anything? Addresses
// are followed through shape ops, assumptions, ifs and loops.
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_DIALECT_TILEAA_TRANSFORMS_PROVENANCE_H
#define COMPILER_DIALECT_TILEAA_TRANSFORMS_PROVENANCE_H

#include "mlir/IR/Operation.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

namespace tilesmith::tileaa {

/// Objects that a pointer, memref or view may point into.
struct Provenance {
  llvm::SmallSetVector<mlir::Value, 2> roots; ///< entry arguments, results of alloca and get_global
  bool unknown = false; ///< may also point anywhere (int_to_ptr, loaded pointers)
};

class ProvenanceAnalysis {
public:
  /// `function` may be any op with regions; answers are cached until it changes.
  explicit ProvenanceAnalysis(mlir::Operation *function) : function(function) {}

  /// Objects behind an address value.
  const Provenance &getProvenance(mlir::Value address);

private:
  mlir::Operation *function;
  llvm::DenseMap<mlir::Value, Provenance> provenance;
};

} // namespace tilesmith::tileaa

#endif // COMPILER_DIALECT_TILEAA_TRANSFORMS_PROVENANCE_H
