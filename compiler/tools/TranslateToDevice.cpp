//===- TranslateToDevice.cpp - gpu modules as LLVM IR and PTX ---------------------------------===//
#include "compiler/tools/TranslateToDevice.h"

#include "compiler/target/LLVMIR.h"
#include "compiler/target/PTX.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Operation.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace tilesmith::tools {
namespace {

using Writer = function_ref<Error(Module &)>;

LogicalResult withModule(mlir::Operation *op, StringRef gpu, Writer write) {
  unsigned modules = 0;
  op->walk([&](mlir::gpu::GPUModuleOp) { ++modules; });
  if (modules != 1)
    return op->emitError() << "expected one gpu.module, got " << modules;
  LLVMContext context;
  target::DeviceModuleOptions options;
  options.gpuName = gpu;
  Expected<target::DeviceModule> device = target::prepareDeviceModule(op, context, options);
  if (!device)
    return op->emitError() << toString(device.takeError());
  Error error = write(*device->module);
  device->module.reset(); // before its context
  if (error)
    return op->emitError() << toString(std::move(error));
  return success();
}

} // namespace

LogicalResult exportLLVMIR(mlir::Operation *op, StringRef gpu, raw_ostream &output) {
  return withModule(op, gpu, [&](Module &module) {
    module.print(output, nullptr);
    return Error::success();
  });
}

LogicalResult exportPTX(mlir::Operation *op, StringRef gpu, unsigned level, raw_ostream &output) {
  return withModule(op, gpu, [&](Module &module) -> Error {
    if (Error error = target::optimizeForPTX(module, gpu, level))
      return error;
    Expected<std::string> ptx = target::emitPTX(module, gpu, level);
    if (!ptx)
      return ptx.takeError();
    output << *ptx;
    return Error::success();
  });
}

} // namespace tilesmith::tools
