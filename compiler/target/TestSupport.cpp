//===- TestSupport.cpp - gpu.module text to PTX for tests -------------------------------------===//
#include "compiler/target/TestSupport.h"

#include "compiler/conversion/GPUToNVVM/GPUToNVVM.h"
#include "compiler/target/CudaToolkit.h"
#include "compiler/target/Ptxas.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <gtest/gtest.h>

using namespace llvm;

namespace tilesmith::target {

Compiled::Compiled(StringRef text, StringRef gpu, MathLibraryKind library, DebugInfo debugInfo)
    : context(std::make_unique<LLVMContext>()), gpu(gpu) {
  mlir::DialectRegistry registry;
  registry.insert<mlir::arith::ArithDialect, mlir::cf::ControlFlowDialect, mlir::gpu::GPUDialect,
                  mlir::LLVM::LLVMDialect, mlir::NVVM::NVVMDialect, mlir::math::MathDialect,
                  mlir::memref::MemRefDialect, mlir::nvgpu::NVGPUDialect, mlir::scf::SCFDialect,
                  mlir::vector::VectorDialect>();
  mlir::MLIRContext mlirContext(registry, mlir::MLIRContext::Threading::DISABLED);
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::parseSourceString<mlir::ModuleOp>(text, &mlirContext);
  if (!module) {
    ADD_FAILURE() << "the kernel does not parse";
    return;
  }
  mlir::PassManager passes(&mlirContext);
  passes.addNestedPass<mlir::gpu::GPUModuleOp>(createConvertGPUToNVVMPass());
  if (mlir::failed(passes.run(*module))) {
    ADD_FAILURE() << "convert-gpu-to-nvvm failed";
    return;
  }
  DeviceModuleOptions options;
  options.gpuName = gpu;
  options.mathLibrary = library;
  options.debugInfo = debugInfo;
  Expected<DeviceModule> prepared = prepareDeviceModule(*module, *context, options);
  if (!prepared) {
    ADD_FAILURE() << toString(prepared.takeError());
    return;
  }
  device = std::move(*prepared);
}

Compiled::~Compiled() {
  device.module.reset();
}

std::string Compiled::emit(unsigned optLevel) {
  if (!device.module)
    return {};
  std::unique_ptr<llvm::Module> copy = CloneModule(*device.module);
  if (Error error = optimizeForPTX(*copy, gpu, optLevel)) {
    ADD_FAILURE() << toString(std::move(error));
    return {};
  }
  Expected<std::string> ptx = emitPTX(*copy, gpu, optLevel);
  if (!ptx) {
    ADD_FAILURE() << toString(ptx.takeError());
    return {};
  }
  return *ptx;
}

std::string compileToPTX(StringRef text, StringRef gpu, unsigned optLevel,
                         MathLibraryKind library) {
  return Compiled(text, gpu, library).emit(optLevel);
}

bool havePtxas() {
  Expected<std::string> path = findPtxas();
  if (path)
    return true;
  consumeError(path.takeError());
  return false;
}

void expectAssembles(StringRef ptx, StringRef gpu) {
  if (!havePtxas()) {
    testing::Test::RecordProperty("skipped", "ptxas not found");
    return;
  }
  PtxasOptions options;
  options.gpuName = gpu;
  Expected<std::string> cubin = assemblePTX(ptx, options);
  if (!cubin) {
    ADD_FAILURE() << toString(cubin.takeError()) << "\n" << ptx.str();
    return;
  }
  EXPECT_EQ(StringRef(*cubin).take_front(4), StringRef("\177ELF"));
}

} // namespace tilesmith::target
