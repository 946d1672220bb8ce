//===- BytecodeWriter.h - cuda_tile to Tile IR bytecode ---------------------------------------------------===//
//
// Writes versions 13.1 to 13.5. Reading back what was written gives the same IR, except that the module is called
// `kernels` (the format has no place for its name) and that empty hints and all-false `inbounds` come back as missing.
//
//===----------------------------------------------------------------------------------------------===//
#ifndef COMPILER_BYTECODE_BYTECODEWRITER_H
#define COMPILER_BYTECODE_BYTECODEWRITER_H

#include "compiler/bytecode/Format.h"
#include "compiler/dialect/CudaTile/IR/CudaTile.h"

#include "llvm/Support/Error.h"

namespace tilesmith::bytecode {

/// Writes a verified module. Errors name the op and what the target version cannot hold; nothing is written then.
llvm::Error writeBytecode(cuda_tile::ModuleOp module, llvm::raw_ostream &os, Version version = {13, 3, 0});

} // namespace tilesmith::bytecode

#endif // COMPILER_BYTECODE_BYTECODEWRITER_H
