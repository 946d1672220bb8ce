//===- TileAAToTileAS.h - conversion of nv_tileaa to nv_tileas --------------------------------===//
#ifndef COMPILER_CONVERSION_TILEAATOTILEAS_TILEAATOTILEAS_H
#define COMPILER_CONVERSION_TILEAATOTILEAS_TILEAATOTILEAS_H

#include "mlir/Pass/Pass.h"

namespace tilesmith {

#define GEN_PASS_DECL_CONVERTTILEAATOTILEASPASS
#include "compiler/conversion/Passes.h.inc"

} // namespace tilesmith

#endif // COMPILER_CONVERSION_TILEAATOTILEAS_TILEAATOTILEAS_H
