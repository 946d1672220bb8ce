//===- Claims.h - do the facts that the compiler infers hold in the run -----------------------===//
//
// `tileaa-infer-facts` writes on an op what it believes of its results (bounds, divisors, runs of
// rising or equal elements; compiler/dialect/TileAA/Transforms/Facts.h says in which units). Later
// passes rely on it: vectors, masks that fall away, copies in the background. A wrong fact changes a
// result in few kernels only; here it is compared with the values themselves.
//
// Only what is known of a value is judged: an element that is poison or open breaks no promise.
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_ENGINES_TILEAA_CLAIMS_H
#define ORACLES_ENGINES_TILEAA_CLAIMS_H

#include "oracles/engines/tileaa/Machine.h"

namespace tilesmith::oracles::tileaa_engine {

/// Label of a run that stops because a fact does not hold.
inline constexpr llvm::StringLiteral kBrokenClaimLabel{"claim"};

/// Compares the facts on `op`, if there are any, with the results it has just left in `machine`.
Status checkFacts(const Machine &machine, mlir::Operation *op);

} // namespace tilesmith::oracles::tileaa_engine

#endif // ORACLES_ENGINES_TILEAA_CLAIMS_H
