//===- GridOps.cpp - grid queries -------------------------------------------------------------===//
#include "compiler/dialect/TileAA/IR/TileAA.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

#define GET_OP_CLASSES
#include "compiler/dialect/TileAA/IR/GridOps.cpp.inc"

namespace tilesmith::tileaa {

void TileAADialect::registerGridOps() {
  addOperations<
#define GET_OP_LIST
#include "compiler/dialect/TileAA/IR/GridOps.cpp.inc"
      >();
}

} // namespace tilesmith::tileaa
