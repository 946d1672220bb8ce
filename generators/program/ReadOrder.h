//===- ReadOrder.h - what a read waits for, and who waits for it -------------------------------------===//
//
// Rules that access memory of their own, each access behind the one before it, may let a read wait for the
// last write alone. What comes behind such a read waits for both.
//
//===------------------------------------------------------------------------------------------===//
#ifndef GENERATORS_PROGRAM_READORDER_H
#define GENERATORS_PROGRAM_READORDER_H

#include "generators/program/KernelBuilder.h"

namespace tilesmith::generators {

/// The token of the access before, or of the last one that wrote (null: none yet).
inline mlir::Value beforeRead(ChoiceStream &s, mlir::Value token, mlir::Value written) {
  return written && s.chance(35) ? written : token;
}

/// The token behind everything, after a read that waited for `waited` and gave `behind`.
inline mlir::Value behindRead(KernelBuilder &k, mlir::Value token, mlir::Value waited,
                              mlir::Value behind) {
  if (waited == token)
    return behind;
  return cuda_tile::JoinTokensOp::create(k.builder(), k.loc(), token.getType(),
                                         mlir::ValueRange{token, behind});
}

} // namespace tilesmith::generators

#endif // GENERATORS_PROGRAM_READORDER_H
