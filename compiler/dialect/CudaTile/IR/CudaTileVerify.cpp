//===- CudaTileVerify.cpp - shared verifier rules ---------------------------------------------===//
#include "compiler/dialect/CudaTile/IR/CudaTileVerify.h"
#include "compiler/support/Plants.h"

using namespace mlir;

namespace tilesmith::cuda_tile {

Profile getProfile(Operation *op) {
  return cast<CudaTileDialect>(op->getDialect())->getProfile();
}
bool usesToolRules(Operation *op) {
  return getProfile(op) != Profile::Public;
}

//===-- floating point ------------------------------------------------------------------------===//

LogicalResult verifyIEEERounding(Operation *op, RoundingMode mode) {
  switch (mode) {
  case RoundingMode::NEAREST_EVEN:
  case RoundingMode::ZERO:
  case RoundingMode::NEGATIVE_INF:
  case RoundingMode::POSITIVE_INF:
    return success();
  default:
    // rule: rounding_ieee
    return op->emitOpError(
        "invalid rounding mode specified, expect one of [nearest_even, zero, negative_inf, "
        "positive_inf]");
  }
}

LogicalResult verifyF32Only(Operation *op, bool used, StringRef modifier) {
  Type element = cast<TileType>(op->getResult(0).getType()).getElementType();
  if (used && !element.isF32())
    // rule: flush_to_zero, flush_to_zero_max, div_approx, div_full, tanh_approx
    return op->emitOpError() << modifier
                             << " modifier only supported for f32 data type, but got: " << element;
  return success();
}

LogicalResult verifyFlushToZero(Operation *op, bool used) {
  if (TILESMITH_PLANT("verifier-forgets-flush-to-zero"))
    return success();
  return verifyF32Only(op, used, "flush_to_zero");
}

LogicalResult verifyMatmulShapes(Operation *op) {
  ArrayRef<int64_t> lhs = cast<TileType>(op->getOperand(0).getType()).getShape();
  ArrayRef<int64_t> rhs = cast<TileType>(op->getOperand(1).getType()).getShape();
  ArrayRef<int64_t> acc = cast<TileType>(op->getOperand(2).getType()).getShape();
  if (lhs.size() != 2 && lhs.size() != 3)
    // rule: mma_rank
    return op->emitOpError("operands must be 2D or 3D tiles");

  auto check = [&](StringRef prefix, StringRef aName, ArrayRef<int64_t> a, int aDim,
                   StringRef bName, ArrayRef<int64_t> b, int bDim) -> LogicalResult {
    if (a[aDim] == b[bDim])
      return success();
    // rule: mma_k, mma_m, mma_n, mma_batch_rhs, mma_batch_acc
    return op->emitOpError(prefix)
           << "shape error: dim " << aDim << " of " << aName << " (" << a[aDim] << ") and dim "
           << bDim << " of " << bName << " (" << b[bDim] << ") must match, but got " << aName
           << " shape (" << a << ") and " << bName << " shape (" << b << ")";
  };
  int row = lhs.size() - 2, col = row + 1;
  if (row == 1 && (failed(check("", "lhs", lhs, 0, "rhs", rhs, 0)) ||
                   failed(check("", "lhs", lhs, 0, "acc", acc, 0))))
    return failure();
  // The leading blank is part of the public text.
  if ((!TILESMITH_PLANT("verifier-mma-inner-unchecked") &&
       failed(check(" ", "lhs", lhs, col, "rhs", rhs, row))) ||
      failed(check(" ", "lhs", lhs, row, "acc", acc, row)))
    return failure();
  return check(" ", "rhs", rhs, col, "acc", acc, col);
}

//===-- memory --------------------------------------------------------------------------------===//

static LogicalResult verifyOrder(Operation *op, MemoryOrderingSemantics order,
                                 std::optional<MemoryScope> scope,
                                 MemoryOrderingSemantics synchronizing, StringRef access) {
  if (order != MemoryOrderingSemantics::WEAK && order != MemoryOrderingSemantics::RELAXED &&
      order != synchronizing)
    // rule: load_order, store_order, multimem_load_order, store_view_order
    return op->emitOpError("expect one of: weak, relaxed, or ")
           << stringifyMemoryOrderingSemantics(synchronizing)
           << ", but got: " << stringifyMemoryOrderingSemantics(order);
  bool weak = order == MemoryOrderingSemantics::WEAK;
  if (weak && scope && !TILESMITH_PLANT("verifier-weak-scope-unchecked"))
    // rule: load_weak_scope, store_weak_scope
    return op->emitOpError("weak ") << access << " must not have memory scope";
  if (!weak && !scope)
    // rule: load_scope, store_scope, multimem_store_scope, load_view_scope
    return op->emitOpError("memory scope is required for ")
           << stringifyMemoryOrderingSemantics(order) << " " << access;
  return success();
}

LogicalResult verifyLoadOrder(Operation *op, MemoryOrderingSemantics order,
                              std::optional<MemoryScope> scope) {
  return verifyOrder(op, order, scope, MemoryOrderingSemantics::ACQUIRE, "load");
}
LogicalResult verifyStoreOrder(Operation *op, MemoryOrderingSemantics order,
                               std::optional<MemoryScope> scope) {
  return verifyOrder(op, order, scope, MemoryOrderingSemantics::RELEASE, "store");
}

LogicalResult verifyAtomicOrder(Operation *op, MemoryOrderingSemantics order) {
  if (order == MemoryOrderingSemantics::WEAK)
    // rule: rmw_order
    return op->emitOpError(
        "memory ordering semantics must be one of: relaxed, acquire, release, acq_rel");
  return success();
}

LogicalResult verifyAtomicMode(Operation *op, AtomicRMWMode mode, Type elementType) {
  auto error = [&](StringRef rule) {
    // rule: see the calls
    return op->emitOpError("'") << stringifyAtomicRMWMode(mode) << "' " << rule;
  };
  bool isInt = isa<IntegerType>(elementType), isFloat = isa<FloatType>(elementType);
  unsigned width = isInt || isFloat ? elementType.getIntOrFloatBitWidth() : 0;
  if (mode == AtomicRMWMode::ADDF) {
    if (!elementType.isF16() && !elementType.isBF16() && !elementType.isF32() &&
        !elementType.isF64())
      // rule: rmw_float
      return error("works only with floats f16, bf16, f32, and f64");
  } else if (mode == AtomicRMWMode::XCHG) {
    if (width != 32 && width != 64)
      // rule: rmw_xchg
      return error("works only with integers or float of 32 or 64 bitwidth");
  } else if (!isInt || (width != 32 && width != 64)) {
    // rule: rmw_integer, red_mode
    return error("works only with integers i32 and i64");
  }
  return success();
}

LogicalResult verifyViewAccess(Operation *op, Type view, TypeRange indexTypes, Type tile) {
  auto viewType = cast<TileView>(view);
  if (indexTypes.size() != viewType.getViewIndexRank())
    // rule: access_index_count
    return op->emitOpError() << "expected " << viewType.getViewIndexRank()
                             << " index operands (based on view type), got " << indexTypes.size();
  if (tile != viewType.getViewTileType())
    // rule: multimem_tile, access_tile
    return op->emitOpError() << "expected tile type to be " << viewType.getViewTileType()
                             << " (based on view type), got " << tile;
  // rule: see the calls
  return viewType.verifyIndices([&] { return op->emitOpError(); }, indexTypes);
}

LogicalResult verifyInbounds(Operation *op, std::optional<ArrayRef<bool>> inbounds,
                             size_t indices) {
  if (inbounds && inbounds->size() != indices)
    // rule: access_inbounds
    return op->emitOpError("inbounds size (")
           << inbounds->size() << ") must match the number of index dimensions (" << indices << ")";
  return success();
}

LogicalResult verifyHints(Operation *op, OptimizationHintsAttr hints) {
  if (hints && failed(hints.verifyWithOp(op)))
    // rule: hints_error
    return op->emitOpError("Optimization hints verification failed");
  return success();
}

PtrAttrKindAttr getPtrAttrOf(Type type) {
  if (auto tile = dyn_cast<TileType>(type))
    type = tile.getElementType();
  if (auto pointer = dyn_cast<PointerType>(type))
    return pointer.getPtrAttr();
  TensorViewType view = getUnderlyingTensorView(type);
  return view ? view.getPtrAttr() : PtrAttrKindAttr();
}

bool isMulticast(Type pointerTileOrView) {
  PtrAttrKindAttr attr = getPtrAttrOf(pointerTileOrView);
  return attr && attr.getValue() == PtrAttrKind::Multicast;
}

//===-- debug information ---------------------------------------------------------------------===//

// The debug location inside a location; for calls, that of the caller.
static DILocAttr findDebugLocation(LocationAttr loc) {
  if (auto found = dyn_cast<DILocAttr>(loc))
    return found;
  if (auto call = dyn_cast<CallSiteLoc>(loc))
    return findDebugLocation(call.getCaller());
  if (auto named = dyn_cast<NameLoc>(loc))
    return findDebugLocation(named.getChildLoc());
  if (auto opaque = dyn_cast<OpaqueLoc>(loc))
    return findDebugLocation(opaque.getFallbackLocation());
  if (auto fused = dyn_cast<FusedLoc>(loc))
    for (Location part : fused.getLocations())
      if (DILocAttr found = findDebugLocation(part))
        return found;
  return {};
}

static DISubprogramAttr findSubprogram(Location loc) {
  DILocAttr debug = findDebugLocation(loc);
  if (!debug)
    return {};
  DILocalScopeAttr scope = debug.getScope();
  while (auto block = dyn_cast<DILexicalBlockAttr>(scope))
    scope = block.getScope();
  return dyn_cast<DISubprogramAttr>(scope);
}

LogicalResult verifyFunctionDebugInfo(FunctionOpInterface function) {
  if (isa<CallSiteLoc>(function.getLoc()))
    // rule: debug_call_site
    return function.emitOpError() << "invalid function debug info location: " << function.getLoc()
                                  << ". Function location must not be a CallSiteLoc.";
  DILocAttr debug = findDebugLocation(function.getLoc());
  if (!debug)
    return success();
  auto subprogram = dyn_cast<DISubprogramAttr>(debug.getScope());
  if (!subprogram)
    // rule: debug_function_scope
    return function.emitOpError()
           << "invalid function debug info scope: " << debug.getScope()
           << ". Function location must have cuda_tile.di_subprogram debug info scope.";
  if (subprogram.getLinkageName() != function.getName())
    // rule: debug_linkage_name
    return function.emitOpError() << "invalid function debug info scope: " << subprogram
                                  << ". Function name \"" << function.getName()
                                  << "\" does not match subprogram scope linkage name "
                                  << subprogram.getLinkageName() << ".";
  return success();
}

LogicalResult verifyBodyDebugInfo(FunctionOpInterface function) {
  DISubprogramAttr expected = findSubprogram(function.getLoc());
  WalkResult result = function.walk([&](Operation *op) {
    DISubprogramAttr found = findSubprogram(op->getLoc());
    if (!found || found == expected)
      return WalkResult::advance();
    if (!expected)
      // rule: debug_op_scope
      op->emitOpError()
          << "invalid operation debug info scope: " << found
          << ". Operation has debug info scope, but function debug info scope is undefined.";
    else
      // rule: debug_op_function
      op->emitError() << "invalid operation debug info scope: " << found
                      << ". Operation debug info scope does not match function debug info scope: "
                      << expected << ".";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

LogicalResult verifyModuleDebugInfo(ModuleOp module) {
  for (Operation &op : module.getBody().getOps())
    if (!isa<FunctionOpInterface>(op))
      if (DILocAttr debug = findDebugLocation(op.getLoc()))
        // rule: debug_global_scope
        return op.emitOpError() << "invalid operation debug info scope: " << debug
                                << ". Global variables must not have scope.";
  return success();
}

} // namespace tilesmith::cuda_tile
