//===- TileAAToTileAS.h - conversion of nv_tileaa to nv_tileas --------------------------------===//
#ifndef COMPILER_CONVERSION_TILEAATOTILEAS_TILEAATOTILEAS_H
#define COMPILER_CONVERSION_TILEAATOTILEAS_TILEAATOTILEAS_H

#include "mlir/Pass/Pass.h"
#include <memory>

namespace tilesmith {

/// Gives every tile of every nv_tileaa.func a layout and turns memory, shape, region and dot
/// operations into nv_tileas. Requires nv_tileaa.func with scalar parameters; afterwards every
/// tensor type carries a `#nv_tileas.layout`. Layouts are distributed over `numWarps` warps (a
/// power of two) of 32 lanes.
std::unique_ptr<mlir::Pass> createConvertTileAAToTileASPass(unsigned numWarps = 4);
void registerConvertTileAAToTileASPass();

} // namespace tilesmith

#endif // COMPILER_CONVERSION_TILEAATOTILEAS_TILEAATOTILEAS_H
