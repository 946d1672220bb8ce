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

/// Only constants of a type that arith holds; a tile of one value is a splat to the canonicalizers,
/// but a dense constant is the same.
Operation *TileAADialect::materializeConstant(OpBuilder &builder, Attribute value, Type type,
                                              Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}

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

std::optional<arith::FastMathFlags> parseFastMath(Attribute attribute) {
  if (auto flags = llvm::dyn_cast<arith::FastMathFlagsAttr>(attribute))
    return flags.getValue();
  auto text = llvm::dyn_cast<StringAttr>(attribute);
  if (!text)
    return std::nullopt;
  auto all = arith::FastMathFlags::none;
  SmallVector<StringRef> names;
  text.getValue().split(names, ',', -1, /*KeepEmpty=*/false);
  for (StringRef name : names) {
    std::optional<arith::FastMathFlags> flag = arith::symbolizeFastMathFlags(name.trim());
    if (!flag)
      return std::nullopt;
    all = all | *flag;
  }
  return all;
}

arith::FastMathFlags getFastMath(Operation *op) {
  Attribute attribute = op->getDiscardableAttr(kFastMathAttr);
  std::optional<arith::FastMathFlags> flags =
      attribute ? parseFastMath(attribute) : std::optional<arith::FastMathFlags>();
  return flags.value_or(arith::FastMathFlags::none);
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
