//===- Registration.cpp - every dialect, and every pass that a Passes.td declares ----------------===//
#include "compiler/pipeline/Registration.h"

#include "compiler/conversion/Passes.h"
#include "compiler/dialect/CudaTile/IR/CudaTile.h"
#include "compiler/dialect/CudaTile/Transforms/Passes.h"
#include "compiler/dialect/NVGPUExt/IR/NVGPUExt.h"
#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/dialect/TileAA/Transforms/Passes.h"
#include "compiler/dialect/TileAS/IR/TileAS.h"
#include "compiler/dialect/TileAS/Transforms/Passes.h"
#include "compiler/target/LLVMIR.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Dialect.h"
#include "mlir/Transforms/Passes.h"

void tilesmith::registerCompilerDialects(mlir::DialectRegistry &registry) {
  registry.insert<cuda_tile::CudaTileDialect, mlir::arith::ArithDialect,
                  mlir::cf::ControlFlowDialect, mlir::func::FuncDialect, mlir::gpu::GPUDialect,
                  mlir::LLVM::LLVMDialect, mlir::NVVM::NVVMDialect, mlir::math::MathDialect,
                  mlir::memref::MemRefDialect, mlir::nvgpu::NVGPUDialect, mlir::scf::SCFDialect,
                  mlir::ub::UBDialect, mlir::vector::VectorDialect>();
  nvgpu_ext::registerDialect(registry);
  tileaa::registerDialect(registry);
  tileas::registerDialect(registry);
  target::registerLLVMIRTranslations(registry);
}

void tilesmith::registerCompilerPasses() {
  cuda_tile::registerCudaTilePasses();
  tileaa::registerTileAAPasses();
  tileas::registerTileASPasses();
  registerConversionPasses();
  registerCompilerPipeline();
  mlir::registerCanonicalizerPass();
  mlir::registerCSEPass();
}
