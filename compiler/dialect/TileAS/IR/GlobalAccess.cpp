//===- GlobalAccess.cpp - what an operation does to global memory -----------------------------===//
#include "compiler/dialect/TileAS/IR/GlobalAccess.h"

#include "compiler/dialect/TileAS/IR/TileAS.h"
#include "compiler/support/Plants.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas;

bool tileas::isWeakAccess(Operation *op) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<LoadOp>([](auto load) { return load.isPlain(); })
      .Case<StoreOp>([](auto store) {
        return store.getMemSemantic() == tileaa::MemSemantic::weak && !store.getIsVolatile();
      })
      .Case<TiledLoadOp, TiledStoreOp, GatherLoadOp, ScatterStoreOp>(
          [](auto access) { return access.getMemSemantic() == tileaa::MemSemantic::weak; })
      .Default([](Operation *) { return false; });
}

bool tileas::changesGlobalMemory(Operation *op) {
  if (isa<LoadOp, TiledLoadOp, GatherLoadOp>(op))
    return !isWeakAccess(op);
  if (isa<ScatterStoreOp>(op) && TILESMITH_PLANT("scattered-rows-change-nothing"))
    return false;
  return isa<StoreOp, TiledStoreOp, ScatterStoreOp, AtomicRMWOp, AtomicCASOp, TiledAtomicRMWOp>(op);
}
