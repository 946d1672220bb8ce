//===- DevicePTX.cpp - the PTX of a device module, checked ------------------------------------===//
#include "oracles/ptx/DevicePTX.h"

#include "compiler/target/PTX.h"
#include "oracles/devices/ptx/Checker.h"

#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace tilesmith;

oracles::DevicePTX tilesmith::oracles::checkDevicePTX(const llvm::Module &module,
                                                      llvm::StringRef gpuName, unsigned optLevel) {
  DevicePTX result;
  std::unique_ptr<llvm::Module> copy = llvm::CloneModule(module);
  if (llvm::Error error = target::optimizeForPTX(*copy, gpuName, optLevel)) {
    result.error = llvm::toString(std::move(error));
    return result;
  }
  auto ptx = target::emitPTX(*copy, gpuName, optLevel);
  if (!ptx) {
    result.error = llvm::toString(ptx.takeError());
    return result;
  }
  result.text = std::move(*ptx);
  const ptx::CheckResult checked = ptx::checkPTX(result.text);
  if (!checked.errors.empty()) {
    result.error = llvm::StringRef(checked.str()).split('\n').first.str();
    result.line = checked.errors.front().location.line;
  }
  return result;
}
