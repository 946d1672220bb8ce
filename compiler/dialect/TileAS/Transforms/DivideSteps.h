//===- DivideSteps.h - products whose tiles are too deep for a ring ---------------------------===//
//
// A loop that adds up products loads its operands ahead into a ring of at least two stages. Where two stages of its
// tiles do not fit into shared memory, the tiles are divided along the dimension that the products sum over:
//
//   for i = lo to hi:          s += A[., i] x B[i, .]           tiles of 128 columns and rows, becomes
//   for j = 2 lo to 2 hi:      s += A'[., j] x B'[j, .]         of 64
//
// A product adds up in the same order; of several products of a turn, the pieces take turns. Only what the tiles of the products are computed from may be in such a loop, and
// nothing else may be carried.
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_DIALECT_TILEAS_TRANSFORMS_DIVIDESTEPS_H
#define COMPILER_DIALECT_TILEAS_TRANSFORMS_DIVIDESTEPS_H

#include "compiler/dialect/TileAS/Transforms/CtaPlan.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <optional>
#include <string>

namespace tilesmith::tileas {

/// A loop all of whose products are sums that it carries, and what is to be divided in it.
class StepDivider {
public:
  explicit StepDivider(mlir::scf::ForOp loop) : loop(loop) {}

  /// The loop carries sums of tensor-core products and nothing else.
  bool addsUpProducts();
  /// Bytes of the tiles that one turn loads for its products.
  int64_t loadedBytes();
  /// Why the loop cannot be divided into so many pieces a turn; nullopt: it can.
  std::optional<std::string> plan(int64_t count);
  /// Replaces the loop by the planned one.
  void rewrite();

private:
  bool demand(mlir::Value value, CtaForm form);
  bool fail(const mlir::Twine &reason);
  std::optional<std::string> boundsProblem();
  mlir::Value pieceOfSplat(mlir::OpBuilder &builder, mlir::Value value);
  void adaptView(mlir::OpBuilder &builder, mlir::Operation *emitted, mlir::Operation *op,
                 mlir::Value turn);

  mlir::scf::ForOp loop;
  int64_t pieces = 1;
  llvm::DenseMap<mlir::Value, CtaForm> forms; ///< of tiles that are divided
  std::string problem;
};

} // namespace tilesmith::tileas

#endif // COMPILER_DIALECT_TILEAS_TRANSFORMS_DIVIDESTEPS_H
