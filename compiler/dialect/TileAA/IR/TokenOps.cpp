//===- TokenOps.cpp - tokens, facts, barriers -------------------------------------------------===//
#include "compiler/dialect/TileAA/IR/TileAA.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

#define GET_OP_CLASSES
#include "compiler/dialect/TileAA/IR/TokenOps.cpp.inc"

namespace tilesmith::tileaa {

void TileAADialect::registerTokenOps() {
  addOperations<
#define GET_OP_LIST
#include "compiler/dialect/TileAA/IR/TokenOps.cpp.inc"
      >();
}

using Effects = SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

namespace {
/// Reuse intent and optimisation barriers are effects on resources of their own: nothing removes or
/// reorders them among each other, and memory accesses are not held up by them.
struct ReuseResource : public SideEffects::Resource::Base<ReuseResource> {
  StringRef getName() final { return "<nv_tileaa reuse>"; }
};
struct BarrierResource : public SideEffects::Resource::Base<BarrierResource> {
  StringRef getName() final { return "<nv_tileaa barrier>"; }
};
} // namespace

void MarkForReuseOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Write::get(), ReuseResource::get());
}

void OptimizationBarrierOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Write::get(), BarrierResource::get());
}

LogicalResult OptimizationBarrierOp::verify() {
  if (getOperandTypes() != getResultTypes())
    return emitOpError("expects result types to be the operand types");
  return success();
}

LogicalResult AssumeOp::verify() {
  for (Attribute attr : getPredicates()) {
    auto predicate = llvm::dyn_cast<PredicateInterface>(attr);
    if (!predicate)
      return emitOpError("expects predicates, but got ") << attr;
    if (failed(predicate.verifyWithAssumeOp([&] { return emitOpError(); }, getSource().getType())))
      return failure();
  }
  return success();
}

} // namespace tilesmith::tileaa
