//===- Targets.cpp - the accepted GPUs --------------------------------------------------------===//
#include "compiler/target/Targets.h"

#include "llvm/ADT/STLExtras.h"
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

ArrayRef<GpuTarget> gpuTargets() {
  static constexpr GpuTarget table[] = {
      {"sm_80", 80, "sm_80", 86},     {"sm_86", 86, "sm_86", 86},
      {"sm_87", 87, "sm_87", 86},     {"sm_88", 88, "sm_88", 90},
      {"sm_89", 89, "sm_89", 86},     {"sm_90", 90, "sm_90a", 86},
      {"sm_100", 100, "sm_100a", 86}, {"sm_103", 103, "sm_103a", 88},
      {"sm_107", 107, "", 0},         {"sm_110", 110, "sm_110a", 90},
      {"sm_120", 120, "sm_120a", 87}, {"sm_121", 121, "sm_121a", 88},
  };
  return table;
}

const GpuTarget *lookupGpuTarget(StringRef name) {
  const GpuTarget *it =
      llvm::find_if(gpuTargets(), [&](const GpuTarget &t) { return t.name == name; });
  return it == gpuTargets().end() ? nullptr : it;
}

Expected<const GpuTarget *> getGpuTarget(StringRef name) {
  const GpuTarget *gpu = lookupGpuTarget(name);
  if (!gpu) {
    std::string known = llvm::join(
        llvm::map_range(gpuTargets(), [](const GpuTarget &t) { return t.name.str(); }), ", ");
    return createStringError(formatv("expected a GPU name out of {0}, got '{1}'", known, name));
  }
  if (gpu->chip.empty())
    return createStringError(formatv("GPU '{0}' is not supported by the PTX backend of LLVM {1}",
                                     name, LLVM_VERSION_MAJOR));
  return gpu;
}

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
