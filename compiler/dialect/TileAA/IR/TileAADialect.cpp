//===- TileAADialect.cpp - registration, module attributes ------------------------------------===//
#include "compiler/dialect/TileAA/IR/TileAA.h"

#include "compiler/target/Targets.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Transforms/InliningUtils.h"

using namespace mlir;

#include "compiler/dialect/TileAA/IR/TileAADialect.cpp.inc"

#include "compiler/dialect/TileAA/IR/TileAAOpInterfaces.cpp.inc"

namespace tilesmith::tileaa {

namespace {
/// Everything may be inlined; `return` of an inlined function becomes its operands.
struct TileAAInliner : public DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Operation *, Operation *, bool) const final { return true; }
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const final { return true; }
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final { return true; }

  void handleTerminator(Operation *op, ValueRange valuesToReplace) const final {
    for (auto [from, to] : llvm::zip(valuesToReplace, op->getOperands()))
      from.replaceAllUsesWith(to);
  }
};
} // namespace

void TileAADialect::initialize() {
  registerAttributes();
  registerTypes();
  registerComputeOps();
  registerShapeOps();
  registerPointerOps();
  registerMemoryOps();
  registerTokenOps();
  registerGridOps();
  registerStructureOps();
  registerQueueOps();
  addInterfaces<TileAAInliner>();
}

void registerDialect(DialectRegistry &registry) {
  registry.insert<TileAADialect>();
}

bool isToken(Type type) {
  return llvm::isa<MemTokenType>(type);
}

const target::GpuTarget &getTarget(Operation *module) {
  for (StringRef name :
       {TileAADialect::kComputeCapability, TileAADialect::kComputeCapabilityLegacy})
    if (Attribute value = module->getAttr(name)) {
      if (auto number = llvm::dyn_cast<IntegerAttr>(value))
        return target::targetOfCapability(number.getInt());
      if (auto capability = llvm::dyn_cast<ComputeCapabilityAttr>(value))
        return target::targetOfCapability(capability.getValue());
    }
  for (NamedAttribute attr : module->getAttrs())
    if (auto spec = llvm::dyn_cast<TargetSpecAttr>(attr.getValue())) {
      StringRef name = spec.getName();
      unsigned value = 0;
      if (name.consume_front("sm_") && !name.rtrim("af").getAsInteger(10, value))
        return target::targetOfCapability(value);
    }
  return target::targetOfCapability(0);
}

} // namespace tilesmith::tileaa
