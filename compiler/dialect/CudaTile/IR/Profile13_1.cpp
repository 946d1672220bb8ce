//===- Profile13_1.cpp - what version 13.1 does not have --------------------------------------===//
//
// Under the profile of 13.1 a module may hold what that version could say and nothing newer: one
// walk over a module looks at its ops, at attributes and operands that old ops got later, and at
// the types of all values. (Element types of tiles are refused where the type is made.)
// OpRoundTripTest compares this page with the table of the bytecode.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/dialect/CudaTile/IR/CudaTileVerify.h"

#include "llvm/ADT/DenseMap.h"

using namespace mlir;

namespace tilesmith::cuda_tile {
namespace {

bool isNewerOp(Operation *op) {
  return isa<AllocaOp, AtomicRedViewTkoOp, FPowIOp, GdcLaunchDependentsTkoOp, GdcWaitTkoOp,
             InsertOp, MakeGatherScatterViewOp, MakeStridedViewOp, MemoryFenceAliasTkoOp,
             MmaFScaledOp, MultimemLoadReduceViewTkoOp, MultimemReduceViewTkoOp,
             MultimemStoreViewTkoOp, PackOp, UnpackOp>(op);
}

bool isSet(std::optional<ArrayRef<bool>> flags) {
  return flags && llvm::is_contained(*flags, true);
}

/// The field of an old op that only newer versions can say, empty for none. A value that means what
/// older files mean by leaving the field out is no use of it.
StringRef newerField(Operation *op) {
  auto when = [](bool used, StringRef name) { return used ? name : StringRef(); };
  if (auto loop = dyn_cast<ForOp>(op))
    return when(loop.getUnsignedCmp(), "unsignedCmp");
  if (auto negate = dyn_cast<NegIOp>(op))
    return when(negate.getOverflow() != IntegerOverflow::NONE, "overflow");
  if (auto tanh = dyn_cast<TanHOp>(op))
    return when(tanh.getRoundingMode() != RoundingMode::FULL, "rounding_mode");
  if (auto exp = dyn_cast<ExpOp>(op))
    return when(exp.getRoundingMode() != RoundingMode::FULL, "rounding_mode");
  if (auto product = dyn_cast<MmaFOp>(op))
    return when(product.getFastAcc(), "fast_acc");
  if (auto convert = dyn_cast<FToIOp>(op))
    return when(convert.getSaturating(), "saturating");
  if (auto load = dyn_cast<LoadViewTkoOp>(op))
    return when(isSet(load.getInbounds()), "inbounds");
  if (auto store = dyn_cast<StoreViewTkoOp>(op))
    return when(isSet(store.getInbounds()), "inbounds");
  if (auto module = dyn_cast<ModuleOp>(op))
    return when(module.getProducer().has_value(), "producer");
  if (auto global = dyn_cast<GlobalOp>(op))
    return global.getConstant() ? "constant"
                                : when(global.getSymbolVisibility() != SymbolVisibility::Public,
                                       "symbol_visibility");
  return "";
}

/// Whether a type, or one inside of it, is newer. Pointers and views with an attribute are.
bool isNewerType(Type type) {
  auto newer = [](Type inner) {
    auto pointer = dyn_cast<PointerType>(inner);
    auto view = dyn_cast<TensorViewType>(inner);
    return isNewerElement(inner) || isa<StridedViewType, GatherScatterViewType>(inner) ||
           (pointer && pointer.getPtrAttr()) || (view && view.getPtrAttr());
  };
  return type
      .walk([&](Type inner) { return newer(inner) ? WalkResult::interrupt() : WalkResult(); })
      .wasInterrupted();
}

} // namespace

bool isNewerElement(Type type) {
  return isa<Float8E8M0FNUType, Float4E2M1FNType, FloatNV8E5M3FNUType>(type) || type.isInteger(4);
}

LogicalResult verifyHeldBy13_1(ModuleOp module) {
  llvm::DenseMap<Type, bool> known;
  auto firstNewer = [&](TypeRange types) -> Type {
    for (Type type : types) {
      auto [entry, isFirst] = known.try_emplace(type);
      if (isFirst)
        entry->second = isNewerType(type);
      if (entry->second)
        return type;
    }
    return {};
  };
  bool refused = false;
  module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isNewerOp(op)) {
      refused = true;
      // rule: profile_op
      op->emitOpError("is not part of version 13.1");
      return;
    }
    if (StringRef field = newerField(op); !field.empty()) {
      refused = true;
      // rule: profile_field
      op->emitOpError() << "attribute '" << field << "' is not part of version 13.1";
    }
    Type newer = firstNewer(op->getResultTypes());
    for (Region &region : op->getRegions())
      for (Block &block : region)
        newer = newer ? newer : firstNewer(block.getArgumentTypes());
    if (newer) {
      refused = true;
      // rule: profile_type
      op->emitOpError() << "type " << newer << " is not part of version 13.1";
    }
  });
  return failure(refused);
}

} // namespace tilesmith::cuda_tile
