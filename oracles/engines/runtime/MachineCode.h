//===- MachineCode.h - the cubin of an image --------------------------------------------------===//
#ifndef ORACLES_ENGINES_RUNTIME_MACHINECODE_H
#define ORACLES_ENGINES_RUNTIME_MACHINECODE_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>

namespace tilesmith::runtime {

/// Whether these bytes begin as a cubin or a fat binary does.
bool isMachineCode(llvm::StringRef image);

/// The cubin for this GPU (`90`; 0: any), out of a fat binary where it is one. Error: damage, or
/// WrongGPU.
llvm::Expected<llvm::SmallVector<uint8_t, 0>> readMachineCode(llvm::StringRef image, unsigned sm);

/// Nothing is wrong with an image, but there is no code in it that this GPU runs.
class WrongGPU : public llvm::ErrorInfo<WrongGPU> {
public:
  static char ID;
  explicit WrongGPU(std::string text) : text(std::move(text)) {}
  void log(llvm::raw_ostream &stream) const override { stream << text; }
  std::error_code convertToErrorCode() const override { return llvm::inconvertibleErrorCode(); }

private:
  std::string text;
};

} // namespace tilesmith::runtime

#endif // ORACLES_ENGINES_RUNTIME_MACHINECODE_H
