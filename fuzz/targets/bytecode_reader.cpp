//===- bytecode_reader.cpp - any bytes to the bytecode reader ---------------------------------===//
//
// The reader must refuse or accept any input without a crash, and what it accepts must survive a
// round trip: written and read again, it gives the same bytes. Three verdicts: agree and
// inconclusive (refused) return, a disagreement ends the process.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/bytecode/BytecodeReader.h"
#include "compiler/bytecode/BytecodeWriter.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"

using namespace tilesmith;

static std::string write(cuda_tile::ModuleOp module, bytecode::Version version) {
  std::string bytes;
  llvm::raw_string_ostream sink(bytes);
  llvm::consumeError(bytecode::writeBytecode(module, sink, version)); // refused: nothing is written
  return bytes;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.getDiagEngine().registerHandler([](mlir::Diagnostic &) { return mlir::success(); });
  llvm::StringRef input(reinterpret_cast<const char *>(data), size);
  auto module = bytecode::readBytecode(input, &context);
  if (!module)
    return llvm::consumeError(module.takeError()), 0;
  bytecode::Version version = llvm::cantFail(bytecode::readVersion(input));
  std::string first = write(**module, version);
  auto again = bytecode::readBytecode(first, &context);
  if (!again || write(**again, version) != first)
    __builtin_trap();
  return 0;
}
