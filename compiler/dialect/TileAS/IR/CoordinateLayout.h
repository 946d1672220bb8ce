//===- CoordinateLayout.h - who has which coordinates of a tile along one dimension -----------===//
//
// A gathered tile takes rows that an index tile picks: a thread that moves elements of some rows needs the
// indices of these rows.
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_DIALECT_TILEAS_IR_COORDINATELAYOUT_H
#define COMPILER_DIALECT_TILEAS_IR_COORDINATELAYOUT_H

#include "compiler/dialect/TileAS/IR/TileAS.h"

namespace tilesmith::tileas {

/// Coordinates along one dimension of what each thread has in `layout`, each once: the layout of a tile of one
/// dimension. Every basis of `layout` leads along one dimension alone.
LayoutAttr coordinatesAlong(LayoutAttr layout, unsigned dim);
/// Per bit of a register number of `layout`: the register of `coordinatesAlong` that it leads to.
llvm::SmallVector<int64_t> coordinateRegisters(LayoutAttr layout, unsigned dim);

} // namespace tilesmith::tileas

#endif // COMPILER_DIALECT_TILEAS_IR_COORDINATELAYOUT_H
