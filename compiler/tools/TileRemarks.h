//===- TileRemarks.h - what the tile passes decided about accesses and products ---------------===//
//
// Read off the last form of the program that still has tiles: which accesses move several elements
// at once, which products have a tensor-core instruction, which loads run in an asynchronous
// pipeline, and for the others the fact that was missing.
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_TOOLS_TILEREMARKS_H
#define COMPILER_TOOLS_TILEREMARKS_H

#include "mlir/IR/Location.h"
#include "mlir/IR/Operation.h"

#include <string>
#include <vector>

namespace tilesmith::tools {

/// A decision about the op at `location`.
struct TileDecision {
  enum Kind { Vectorized, NotVectorized, TensorCore, NoTensorCore, Pipelined, NotPipelined };
  Kind kind;
  mlir::Location location;
  std::string function; ///< that holds the op
  std::string detail; ///< bytes of a vectorised access, the instruction of a product, or the reason
};

/// In program order. `optLevel` explains what was not even tried.
std::vector<TileDecision> readTileDecisions(mlir::Operation *module, unsigned optLevel);

} // namespace tilesmith::tools

#endif // COMPILER_TOOLS_TILEREMARKS_H
