//===- PtxCheck.cpp - the PTX of a device module, checked -------------------------------------===//
#include "oracles/engines/PtxCheck.h"

#include "compiler/target/PTX.h"
#include "oracles/devices/ptx/Checker.h"

#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

llvm::Error tilesmith::oracles::checkDevicePTX(const llvm::Module &module, llvm::StringRef gpuName,
                                               unsigned optLevel) {
  std::unique_ptr<llvm::Module> copy = llvm::CloneModule(module);
  if (llvm::Error error = target::optimizeForPTX(*copy, gpuName, optLevel))
    return error;
  auto ptx = target::emitPTX(*copy, gpuName, optLevel);
  if (!ptx)
    return ptx.takeError();
  const ptx::CheckResult result = ptx::checkPTX(*ptx);
  if (result.errors.empty())
    return llvm::Error::success();
  return llvm::createStringError("the PTX for " + gpuName + " is rejected: " +
                                 llvm::StringRef(result.str()).split('\n').first);
}
