//===- verifier_mutation.cpp - a kernel broken in memory, to verifier and compiler ------------===//
//
// The verifier must take or refuse any module without a crash. What it takes must survive the way
// through text, must be written as bytecode or refused with an error, and must be compiled or
// refused with a diagnostic. Two verdicts: a refusal returns, a contradiction ends the process.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/bytecode/BytecodeReader.h"
#include "compiler/bytecode/BytecodeWriter.h"
#include "compiler/pipeline/Pipeline.h"
#include "compiler/pipeline/Registration.h"
#include "fuzz/targets/FuzzContext.h"
#include "fuzz/targets/ModuleEdits.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

using namespace tilesmith;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  mlir::MLIRContext &context = fuzz::fuzzContext(cuda_tile::Profile::Tileiras13_5, [](auto &own) {
    mlir::DialectRegistry registry;
    registerCompilerDialects(registry);
    own.appendDialectRegistry(registry);
  });
  fuzz::EditedKernel input = fuzz::EditedKernel::split({data, size});
  auto module = fuzz::generateKernel(input.choices, context);
  fuzz::applyEdits(*module, input.edits);
  if (failed(mlir::verify(*module)))
    return 0;
  std::string text = fuzz::textOf(*module);
  auto parsed = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  if (!parsed || fuzz::textOf(&parsed->getBody()->front()) + "\n" != text)
    fuzz::disagree("text changes the module", text, parsed ? fuzz::textOf(*parsed) : "unreadable");
  std::string bytes;
  llvm::raw_string_ostream sink(bytes);
  if (llvm::Error error = bytecode::writeBytecode(*module, sink, {13, 5, 0}))
    return llvm::consumeError(std::move(error)), 0;
  auto again = bytecode::readBytecode(bytes, &context);
  if (!again)
    fuzz::disagree("what was written cannot be read", text, toString(again.takeError()));
  CompileOptions options;
  options.optLevel = size % 4;
  (void)runPipeline(*wrapModule(**again), options); // a diagnostic is fine, a crash is not
  return 0;
}

TILESMITH_FUZZ_MUTATORS(fuzz::mutateEditedKernel, fuzz::crossEditedKernels)
