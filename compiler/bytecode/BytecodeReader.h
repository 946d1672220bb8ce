//===- BytecodeReader.h - Tile IR bytecode to cuda_tile ---------------------------------------===//
//
// Reads versions 13.1 to 13.5. Input is not trusted: every length, count, index and nesting depth
// is checked before it is used, and the module is verified before it is handed out. Time and memory
// are linear in the size of the input.
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_BYTECODE_BYTECODEREADER_H
#define COMPILER_BYTECODE_BYTECODEREADER_H

#include "compiler/bytecode/Format.h"
#include "compiler/dialect/CudaTile/IR/CudaTile.h"

#include "mlir/IR/OwningOpRef.h"

#include "llvm/Support/Error.h"

namespace tilesmith::bytecode {

/// Whether the data starts with the magic of Tile IR bytecode.
bool isTileIRBytecode(llvm::StringRef data);

/// The version in the header of a file, supported or not; an error when there is no header.
llvm::Expected<Version> readVersion(llvm::StringRef data);

struct ReaderOptions {
  bool verify = true; ///< off only for tools that look at broken modules
};

/// Builds the module of a bytecode file. The context gets the cuda_tile dialect loaded. Errors name
/// the section and the offset in the file, or hold the diagnostics of the verifier, one per line;
/// the rules are those of the profile of the context's cuda_tile dialect. Never crashes, whatever
/// the bytes.
llvm::Expected<mlir::OwningOpRef<cuda_tile::ModuleOp>>
readBytecode(llvm::StringRef data, mlir::MLIRContext *context, ReaderOptions options = {});

} // namespace tilesmith::bytecode

#endif // COMPILER_BYTECODE_BYTECODEREADER_H
