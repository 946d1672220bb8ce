//===- TileASToNVGPU.h - conversion of nv_tileas to code of one thread ------------------------===//
#ifndef COMPILER_CONVERSION_TILEASTONVGPU_TILEASTONVGPU_H
#define COMPILER_CONVERSION_TILEASTONVGPU_TILEASTONVGPU_H

#include "mlir/Pass/Pass.h"
#include <memory>

namespace tilesmith {

/// Replaces every nv_tileaa.func of a gpu.module by a gpu.func kernel of per-thread code. Requires
/// that every tensor carries a layout; afterwards there are no tensors and no nv_tileaa or
/// nv_tileas operations. Each kernel carries `tilesmith.threads` (block size) and
/// `tilesmith.shared_bytes` (dynamic shared memory), both i32.
std::unique_ptr<mlir::Pass> createConvertTileASToNVGPUPass();
void registerConvertTileASToNVGPUPass();

/// Notes on each convert_layout how its elements travel: by shuffles, through swizzled shared
/// memory, or as operand of a dot. Without notes the conversion above takes the generic way.
std::unique_ptr<mlir::Pass> createPlanExchangesPass();
void registerPlanExchangesPass();

} // namespace tilesmith

#endif // COMPILER_CONVERSION_TILEASTONVGPU_TILEASTONVGPU_H
