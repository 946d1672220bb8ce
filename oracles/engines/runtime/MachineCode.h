//===- MachineCode.h - the cubin of an image, and its lines -----------------------------------===//
#ifndef ORACLES_ENGINES_RUNTIME_MACHINECODE_H
#define ORACLES_ENGINES_RUNTIME_MACHINECODE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <optional>
#include <string>

namespace tilesmith::runtime {

/// Whether these bytes begin as a cubin or a fat binary does.
bool isMachineCode(llvm::StringRef image);

/// The cubin for this GPU (`90`; 0: any), out of a fat binary where it is one. Error: damage, or
/// WrongGPU.
llvm::Expected<llvm::SmallVector<uint8_t, 0>> readMachineCode(llvm::StringRef image, unsigned sm);

struct SourceLine {
  std::string file;
  unsigned line = 0;
};
/// The source line of an instruction, by the cubin's table of lines: of the file that the kernel
/// begins in, where code of headers was inlined. Nothing without such a table (`--lineinfo`).
std::optional<SourceLine> lineOf(llvm::ArrayRef<uint8_t> cubin, llvm::StringRef kernel,
                                 uint64_t offset);

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
