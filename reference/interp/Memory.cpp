//===- Memory.cpp - tokens and accesses through tiles of pointers -----------------------------===//
//
// Each element with a true mask is one access of the pointee's size. Masked-off
// elements take the padding value, or are unspecified without one. Effects happen in program order,
// which is one legal order. The verifier admits no tile of pointers to 4-bit elements; views reach
// them.
//
//===------------------------------------------------------------------------------------------===//
#include "reference/interp/Access.h"
#include "reference/interp/Registry.h"

using namespace tilesmith;
using namespace tilesmith::reference;
using namespace tilesmith::cuda_tile;

namespace {

/// The op's kind of read-modify-write, and whether anything sees what it returns. Float sums
/// commute up to the bounds that the enclosure domain gives them.
/// [spec: order-open]
OrderTrace orderTrace(BlockContext &context, mlir::Operation *op) {
  OrderTrace trace;
  trace.valueUsed = llvm::any_of(op->getResults(), [](mlir::Value v) {
    return !mlir::isa<TokenType>(v.getType()) && !v.use_empty();
  });
  auto update = [&](AtomicRMWMode mode) {
    bool commutes =
        mode != AtomicRMWMode::XCHG && (mode != AtomicRMWMode::ADDF || context.encloses());
    trace.update = commutes ? static_cast<unsigned>(mode) + 1 : 0;
  };
  if (mlir::isa<AtomicCASTkoOp>(op))
    trace.valueUsed = true; // it decides whether anything is written
  else if (auto rmw = mlir::dyn_cast<AtomicRMWTkoOp>(op))
    update(rmw.getMode());
  else if (auto red = mlir::dyn_cast<AtomicRedViewTkoOp>(op))
    update(red.getMode());
  else if (auto multimem = mlir::dyn_cast<MultimemReduceViewTkoOp>(op))
    trace.update = 64 + static_cast<unsigned>(multimem.getReduction());
  return trace;
}

/// Ops that only make a token: it comes after all tokens they take.
/// [spec: mem-make-token, mem-join-tokens, mem-fence-alias, mem-gdc, token-value]
template <typename Op> Status evalToken(BlockContext &context, Op op) {
  TokenPtr token;
  for (mlir::Value operand : op->getOperands())
    token = joinTokens(token, context.get(operand).token());
  for (mlir::Value result : op->getResults())
    context.set(result, Value(token));
  return Status::success();
}

/// [spec: mem-load-ptr, mem-load-masked, mem-mask-unspecified]
Status evalLoad(BlockContext &context, LoadPtrTkoOp op) {
  const Tile &pointers = context.tile(op.getSource());
  const Tile *mask = op.getMask() ? &context.tile(op.getMask()) : nullptr;
  const Tile *padding = op.getPaddingValue() ? &context.tile(op.getPaddingValue()) : nullptr;
  ElementType type = *pointeeTypeOf(op.getSource().getType());
  Tile result(type, pointers.shape());
  OrderedAccess access(context, op, op.getMemoryOrderingSemantics(), op.getMemoryScope(),
                       op.getToken());
  context.countElements(result.size());
  for (size_t i = 0; i < result.size(); ++i) {
    Mask taken = maskOf(mask, i);
    if (taken == Mask::Off) {
      result.set(i, padding ? padding->element(i) : unknownElement());
      continue;
    }
    Place place;
    Element e;
    // Mask and address from one unspecified index (a guarded gather): whatever happens, the element
    // is unspecified.
    if (taken == Mask::Unspecified && pointers.state(i) != State::Known) {
      result.set(i, unknownElement());
      continue;
    }
    TILESMITH_TRY(addressBits(pointers, i, place.address));
    if (taken == Mask::Unspecified) {
      if (context.launch.memory.check(place.address, bytesOf(type), false))
        return inconclusive("unspecified-mask",
                            "mask of an access that would fault depends on an unspecified value");
      result.set(i, unknownElement());
      continue;
    }
    TILESMITH_TRY(loadElement(context, access, type, place, e));
    result.set(i, e);
  }
  context.set(op.getResult(), std::move(result));
  context.set(op.getResultToken(), access.token());
  pollPoint(context, op.getMemoryOrderingSemantics());
  return Status::success();
}

/// [spec: mem-store-ptr, mem-mask-unspecified]
Status evalStore(BlockContext &context, StorePtrTkoOp op) {
  const Tile &pointers = context.tile(op.getDestination()), &value = context.tile(op.getValue());
  const Tile *mask = op.getMask() ? &context.tile(op.getMask()) : nullptr;
  ElementType type = *pointeeTypeOf(op.getDestination().getType());
  bool weak = op.getMemoryOrderingSemantics() == MemoryOrderingSemantics::WEAK;
  uint32_t stamp = weak && pointers.size() > 1 ? context.launch.memory.newStamp() : 0;
  OrderedAccess access(context, op, op.getMemoryOrderingSemantics(), op.getMemoryScope(),
                       op.getToken());
  context.countElements(pointers.size());
  for (size_t step = 0; step < pointers.size(); ++step) {
    size_t i = !weak && context.reversesElements() ? pointers.size() - 1 - step : step;
    Mask taken = maskOf(mask, i);
    if (taken == Mask::Off)
      continue;
    Place place;
    Element e = value.element(i);
    TILESMITH_TRY(addressBits(pointers, i, place.address));
    if (taken == Mask::Unspecified) { // written or not
      if (context.launch.memory.check(place.address, bytesOf(type), true))
        return inconclusive("unspecified-mask",
                            "mask of an access that would fault depends on an unspecified value");
      e = unknownElement();
    }
    TILESMITH_TRY(storeElement(context, access, type, place, e, stamp));
  }
  context.set(op.getResultToken(), access.token());
  return Status::success();
}

/// [spec: mem-alloca]
Status evalAlloca(BlockContext &context, AllocaOp op) {
  uint64_t size = bytesOf(*pointeeTypeOf(op.getResult().getType()));
  auto base = context.launch.memory.allocate(op.getNumElem() * size, op.getAlignment(), "alloca");
  if (!base)
    return inconclusive("memory-limit", llvm::toString(base.takeError()));
  context.ownAllocation(*base);
  context.set(op.getResult(), Tile::scalar(ElementType::Pointer, *base));
  return Status::success();
}

} // namespace

OrderedAccess::OrderedAccess(BlockContext &context, mlir::Operation *op,
                             MemoryOrderingSemantics order, std::optional<MemoryScope> scope,
                             mlir::Value token)
    : context(context), op(op) {
  if (!context.launch.races)
    return;
  auto orderOf = [](MemoryOrderingSemantics o) {
    switch (o) {
    case MemoryOrderingSemantics::WEAK:
      return AccessOrder::Weak;
    case MemoryOrderingSemantics::RELAXED:
      return AccessOrder::Relaxed;
    case MemoryOrderingSemantics::ACQUIRE:
      return AccessOrder::Acquire;
    case MemoryOrderingSemantics::RELEASE:
      return AccessOrder::Release;
    case MemoryOrderingSemantics::ACQ_REL:
      return AccessOrder::AcquireRelease;
    }
    return AccessOrder::Weak;
  };
  auto scopeOf = [](MemoryScope s) {
    return s == MemoryScope::TL_BLK   ? AccessScope::Block
           : s == MemoryScope::DEVICE ? AccessScope::Device
                                      : AccessScope::System;
  };
  access = context.launch.races->begin(
      op, context.number, orderOf(order), scope ? scopeOf(*scope) : AccessScope::Block,
      token ? context.get(token).token() : nullptr, orderTrace(context, op));
}

Value OrderedAccess::token() const {
  return context.launch.races ? Value(context.launch.races->end(access)) : Value();
}

/// [spec: model-race]
Status OrderedAccess::check(Place place, unsigned size, bool reads, bool writes) {
  Allocation *allocation = context.launch.memory.find(place.address);
  auto race =
      context.launch.races->touch(access, allocation->base, place.address, size, reads, writes);
  if (!race)
    return Status::success();
  auto *other = static_cast<mlir::Operation *>(const_cast<void *>(race->first));
  return undefined(
      "data-race",
      llvm::formatv("{0} of byte {1} of {2} is not ordered with the {3} by '{4}' at {5} in {6}",
                    writes ? "write" : "read", race->address - allocation->base, allocation->name,
                    race->firstWrites ? "write" : "read", other->getName().getStringRef(),
                    describeLocation(other->getLoc()),
                    race->firstBlock == context.number ? "the same block" : "another block")
          .str());
}

void tilesmith::reference::registerMemoryEvaluators(Registry &r) {
  r.family("memory");
  r.add<MakeTokenOp, evalToken<MakeTokenOp>>();
  r.add<JoinTokensOp, evalToken<JoinTokensOp>>();
  r.add<LoadPtrTkoOp, evalLoad>();
  r.add<StorePtrTkoOp, evalStore>();
  r.add<AllocaOp, evalAlloca>();
  // One launch, one view of memory: nothing to wait for, no aliases to reconcile.
  r.add<GdcLaunchDependentsTkoOp, evalToken<GdcLaunchDependentsTkoOp>>();
  r.add<GdcWaitTkoOp, evalToken<GdcWaitTkoOp>>();
  r.add<MemoryFenceAliasTkoOp, evalToken<MemoryFenceAliasTkoOp>>();
}
