//===- TargetMachine.cpp - LLVM's target machine for a GPU ------------------------------------===//
#include "compiler/target/TargetMachine.h"

#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/CodeGen.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"
#include "llvm/TargetParser/Triple.h"

#include <mutex>

extern "C" {
void LLVMInitializeNVPTXTargetInfo(void);
void LLVMInitializeNVPTXTarget(void);
void LLVMInitializeNVPTXTargetMC(void);
void LLVMInitializeNVPTXAsmPrinter(void);
}

using namespace llvm;

namespace tilesmith::target {

Expected<std::unique_ptr<TargetMachine>> createTargetMachine(const GpuTarget &gpu,
                                                             unsigned optLevel) {
  static std::once_flag initialised;
  std::call_once(initialised, [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
  });
  Triple triple("nvptx64-nvidia-cuda");
  std::string message;
  const llvm::Target *target = TargetRegistry::lookupTarget(triple, message);
  if (!target)
    return createStringError(formatv("the NVPTX target is missing: {0}", message));
  TargetOptions options;
  options.AllowFPOpFusion =
      FPOpFusion::Strict; // separate roundings: .rn on every add and mul, nothing is contracted
  CodeGenOptLevel level =
      CodeGenOpt::getLevel(std::min(optLevel, 3u)).value_or(CodeGenOptLevel::Default);
  std::unique_ptr<TargetMachine> machine(
      target->createTargetMachine(triple, gpu.chip, formatv("+ptx{0}", gpu.ptxVersion).str(),
                                  options, Reloc::PIC_, std::nullopt, level));
  if (!machine)
    return createStringError(formatv("cannot create a target machine for '{0}'", gpu.chip));
  return machine;
}

} // namespace tilesmith::target
