//===- ContextPool.h - MLIR contexts that serve many modules ----------------------------------===//
//
// Making a context and loading its dialects takes longer than reading a small module, so engines
// and oracles of one host thread share one. Types and attributes stay in a context until it goes,
// so it is replaced after a fixed number of uses; whoever holds the old one keeps it alive.
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_ENGINES_CONTEXTPOOL_H
#define ORACLES_ENGINES_CONTEXTPOOL_H

#include "compiler/dialect/CudaTile/IR/CudaTile.h"

#include "mlir/IR/MLIRContext.h"

#include <memory>

namespace tilesmith::oracles {

/// A single-threaded context with the cuda_tile dialect, which follows the verifier rules of
/// `profile`. Its diagnostics reach only scoped handlers; nothing is written to the terminal.
/// For use on the calling thread only. Dialects that other users have loaded are there too.
std::shared_ptr<mlir::MLIRContext>
borrowContext(cuda_tile::Profile profile = cuda_tile::Profile::Tileiras13_5);

} // namespace tilesmith::oracles

#endif // ORACLES_ENGINES_CONTEXTPOOL_H
