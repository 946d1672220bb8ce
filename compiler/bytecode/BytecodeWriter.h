//===- BytecodeWriter.h - cuda_tile to Tile IR bytecode ---------------------------------------===//
//
// Writes versions 13.1 to 13.5. Reading back what was written gives the same IR, except that the
// module is called `kernels` (the format has no place for its name) and that empty hints and
// all-false `inbounds` come back as missing.
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_BYTECODE_BYTECODEWRITER_H
#define COMPILER_BYTECODE_BYTECODEWRITER_H

#include "compiler/bytecode/Format.h"
#include "compiler/dialect/CudaTile/IR/CudaTile.h"

#include "llvm/Support/Error.h"

namespace tilesmith::bytecode {

/// Why a module could not be written.
class WriteError : public llvm::ErrorInfo<WriteError> {
public:
  static char ID;
  WriteError(std::string text, mlir::LocationAttr location, mlir::LocationAttr invalidOp)
      : text(std::move(text)), location(location), invalidOp(invalidOp) {}

  mlir::LocationAttr getLocation() const {
    return location;
  } ///< null when the error belongs to no op
  mlir::LocationAttr getInvalidOp() const {
    return invalidOp;
  } ///< an op that has no place in bytecode, or null
  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override { return llvm::inconvertibleErrorCode(); }

private:
  std::string text;
  mlir::LocationAttr location, invalidOp;
};

/// Writes a verified module. Errors name the op and what the target version cannot hold; nothing is
/// written then.
llvm::Error writeBytecode(cuda_tile::ModuleOp module, llvm::raw_ostream &os,
                          Version version = {13, 3, 0});

} // namespace tilesmith::bytecode

#endif // COMPILER_BYTECODE_BYTECODEWRITER_H
