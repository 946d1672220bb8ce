//===- TileASToNVGPU.h - conversion of nv_tileas to code of one thread ------------------------===//
#ifndef COMPILER_CONVERSION_TILEASTONVGPU_TILEASTONVGPU_H
#define COMPILER_CONVERSION_TILEASTONVGPU_TILEASTONVGPU_H

#include "mlir/Pass/Pass.h"

namespace tilesmith {

#define GEN_PASS_DECL_CONVERTTILEASTONVGPUPASS
#define GEN_PASS_DECL_PLANEXCHANGESPASS
#define GEN_PASS_DECL_REMOVEBARRIERSPASS
#include "compiler/conversion/Passes.h.inc"

} // namespace tilesmith

#endif // COMPILER_CONVERSION_TILEASTONVGPU_TILEASTONVGPU_H
