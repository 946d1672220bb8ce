//===- Memory.h - orderings, scopes and hints of memory ops -----------------------------------===//
#ifndef COMPILER_CONVERSION_CUDATILETOTILEAA_MEMORY_H
#define COMPILER_CONVERSION_CUDATILETOTILEAA_MEMORY_H

#include "compiler/conversion/CudaTileToTileAA/Patterns.h"

namespace tilesmith::cudatile_to_tileaa {

inline tileaa::MemSemanticAttr convertSemantic(mlir::MLIRContext *context,
                                               cuda_tile::MemoryOrderingSemantics semantic) {
  return tileaa::MemSemanticAttr::get(
      context, static_cast<tileaa::MemSemantic>(static_cast<uint32_t>(semantic)));
}

inline tileaa::MemScopeAttr convertScope(mlir::MLIRContext *context,
                                         std::optional<cuda_tile::MemoryScope> scope) {
  if (!scope)
    return {};
  switch (*scope) {
  case cuda_tile::MemoryScope::TL_BLK:
    return tileaa::MemScopeAttr::get(context, tileaa::MemScope::tl_blk);
  case cuda_tile::MemoryScope::DEVICE:
    return tileaa::MemScopeAttr::get(context, tileaa::MemScope::gpu);
  case cuda_tile::MemoryScope::SYS:
    return tileaa::MemScopeAttr::get(context, tileaa::MemScope::sys);
  }
  llvm_unreachable("unknown memory scope");
}

tileaa::RMWModeAttr convertMode(mlir::MLIRContext *context, cuda_tile::AtomicRMWMode mode);

/// Hints of the target architecture; null when absent.
template <typename OpTy> mlir::IntegerAttr getLatencyHint(OpTy op, const Settings &settings) {
  auto hints = op.getOptimizationHints();
  std::optional<int> latency = hints ? hints->getLatency(settings.archName()) : std::nullopt;
  return latency ? mlir::Builder(op.getContext()).getI64IntegerAttr(*latency) : mlir::IntegerAttr();
}

template <typename OpTy> mlir::BoolAttr getAllowTMAHint(OpTy op, const Settings &settings) {
  auto hints = op.getOptimizationHints();
  std::optional<bool> allow = hints ? hints->getAllowTMA(settings.archName()) : std::nullopt;
  return allow ? mlir::BoolAttr::get(op.getContext(), *allow) : mlir::BoolAttr();
}

} // namespace tilesmith::cudatile_to_tileaa

#endif // COMPILER_CONVERSION_CUDATILETOTILEAA_MEMORY_H
