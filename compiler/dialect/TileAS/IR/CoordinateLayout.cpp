//===- CoordinateLayout.cpp - who has which coordinates of a tile along one dimension ---------===//
#include "compiler/dialect/TileAS/IR/CoordinateLayout.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas;

/// The coordinate of each basis along a dimension.
static SmallVector<int64_t> along(LayoutAttr layout, ArrayRef<int64_t> bases, unsigned dim) {
  int64_t stride = 1;
  for (int64_t extent : layout.getShape().drop_front(dim + 1))
    stride *= extent;
  return llvm::map_to_vector(
      bases, [&](int64_t basis) { return basis / stride % layout.getShape()[dim]; });
}

LayoutAttr tileas::coordinatesAlong(LayoutAttr layout, unsigned dim) {
  SmallVector<int64_t> registers = along(layout, layout.getRegisters(), dim);
  llvm::erase(registers, 0);
  return LayoutAttr::get(layout.getContext(), {layout.getShape()[dim]}, registers,
                         along(layout, layout.getLanes(), dim),
                         along(layout, layout.getWarps(), dim));
}

SmallVector<int64_t> tileas::coordinateRegisters(LayoutAttr layout, unsigned dim) {
  int64_t next = 1;
  SmallVector<int64_t> registers = along(layout, layout.getRegisters(), dim);
  for (int64_t &coordinate : registers) {
    const bool counts = coordinate != 0;
    coordinate = counts ? next : 0;
    next <<= counts;
  }
  return registers;
}
