//===- DistributeLoop.h - a loop of independent sums as one loop for each --------------------===//
//
// A loop that adds up products for several sums, none of which it computes from another, becomes one loop for
// each sum, and what follows from one sum alone comes in front of the loop of the next: a thread holds one of
// them at a time. What the sums have in common, as a left operand, is loaded once more.
//
//   s0, s1 = for: a = load; s0 += a b0; s1 += a b1        becomes
//   store f(s0); store f(s1)
//
//   s0 = for: a = load; s0 += a b0
//   store f(s0)
//   s1 = for: a = load; s1 += a b1
//   store f(s1)
//
// Tokens are the only order between accesses, and they are values: what does not take one from the later loop
// may come in front of it.
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_DIALECT_TILEAS_TRANSFORMS_DISTRIBUTELOOP_H
#define COMPILER_DIALECT_TILEAS_TRANSFORMS_DISTRIBUTELOOP_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tilesmith::tileas {

/// The loop does nothing but compute and load, weakly, and hands on no token.
bool isDistributable(mlir::scf::ForOp loop);

/// One loop for each sum of products that the loop carries.
void distributeLoop(mlir::scf::ForOp loop);

} // namespace tilesmith::tileas

#endif // COMPILER_DIALECT_TILEAS_TRANSFORMS_DISTRIBUTELOOP_H
