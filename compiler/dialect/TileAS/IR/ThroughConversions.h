//===- ThroughConversions.h - a tile, in whatever layout threads hold it -----------------------===//
#ifndef COMPILER_DIALECT_TILEAS_IR_THROUGHCONVERSIONS_H
#define COMPILER_DIALECT_TILEAS_IR_THROUGHCONVERSIONS_H

#include "compiler/dialect/TileAS/IR/TileAS.h"

namespace tilesmith::tileas {

/// What conversions of the layout made this value of: the same elements, and so the same facts.
inline mlir::Value throughConversions(mlir::Value value) {
  while (auto convert = value.getDefiningOp<ConvertLayoutOp>())
    value = convert.getSource();
  return value;
}

} // namespace tilesmith::tileas

#endif // COMPILER_DIALECT_TILEAS_IR_THROUGHCONVERSIONS_H
