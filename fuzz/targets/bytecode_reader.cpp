//===- bytecode_reader.cpp - any bytes to the bytecode reader ---------------------------------===//
//
// The reader must refuse or accept any input without a crash. What it accepts must survive two
// round trips: through bytecode to the same bytes, and through text to the same text. Three
// verdicts: agree and inconclusive (refused) return, a disagreement ends the process.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/bytecode/BytecodeReader.h"
#include "compiler/bytecode/BytecodeWriter.h"
#include "fuzz/targets/FuzzContext.h"
#include "fuzz/targets/FuzzMutators.h"

#include "mlir/Parser/Parser.h"

using namespace tilesmith;

static std::string write(cuda_tile::ModuleOp module, bytecode::Version version) {
  std::string bytes;
  llvm::raw_string_ostream sink(bytes);
  if (llvm::Error error = bytecode::writeBytecode(module, sink, version))
    fuzz::disagree("what was read cannot be written", fuzz::textOf(module),
                   toString(std::move(error)));
  return bytes;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  mlir::MLIRContext &context = fuzz::fuzzContext(cuda_tile::Profile::Tileiras13_5);
  llvm::StringRef input(reinterpret_cast<const char *>(data), size);
  auto module = bytecode::readBytecode(input, &context);
  if (!module)
    return llvm::consumeError(module.takeError()), 0;
  bytecode::Version version = llvm::cantFail(bytecode::readVersion(input));
  if (version.level() < 3) // the section is read from any file, and written from 13.3 on
    (**module)->removeAttr("producer");
  std::string text = fuzz::textOf(**module), first = write(**module, version);
  auto again = bytecode::readBytecode(first, &context);
  if (!again)
    fuzz::disagree("what was written cannot be read", text, toString(again.takeError()));
  if (write(**again, version) != first || fuzz::textOf(**again) != text)
    fuzz::disagree("bytecode changes the module", text, fuzz::textOf(**again));
  auto parsed = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  if (!parsed || fuzz::textOf(&parsed->getBody()->front()) + "\n" != text)
    fuzz::disagree("text changes the module", text, parsed ? fuzz::textOf(*parsed) : "unreadable");
  return 0;
}

TILESMITH_FUZZ_MUTATORS(fuzz::mutateSections, fuzz::crossSections)
