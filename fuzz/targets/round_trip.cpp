//===- round_trip.cpp - a kernel through bytecode and text, in every version ------------------===//
//
// The bytes are a kernel and some edits (ModuleEdits.h). A valid module that a version can hold
// must come back from its bytecode as the same text, and as the same bytes when written again, also
// after a way through text. Two verdicts: agree and "cannot be held" return, a disagreement ends
// the process.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/bytecode/BytecodeReader.h"
#include "compiler/bytecode/BytecodeWriter.h"
#include "fuzz/targets/FuzzContext.h"
#include "fuzz/targets/ModuleEdits.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

using namespace tilesmith;

static std::string write(cuda_tile::ModuleOp module, bytecode::Version version) {
  std::string bytes;
  llvm::raw_string_ostream sink(bytes);
  if (llvm::Error error = bytecode::writeBytecode(module, sink, version))
    return llvm::consumeError(std::move(error)), "";
  return bytes;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  mlir::MLIRContext &context = fuzz::fuzzContext(cuda_tile::Profile::Tileiras13_5);
  fuzz::EditedKernel input = fuzz::EditedKernel::split({data, size});
  auto module = fuzz::generateKernel(input.choices, context);
  fuzz::applyEdits(*module, input.edits);
  if (failed(mlir::verify(*module)))
    return 0;
  if ((*module)->hasAttr("producer")) // new in 13.2
    (*module)->removeAttr("producer");
  std::string before = fuzz::textOf(*module);
  for (uint8_t minor = bytecode::kOldestMinor; minor <= bytecode::kNewestMinor; ++minor) {
    bytecode::Version version{bytecode::kMajor, minor, 0};
    std::string bytes = write(*module, version);
    if (bytes.empty())
      continue;
    auto read = bytecode::readBytecode(bytes, &context);
    if (!read)
      fuzz::disagree(version.str() + ": written, but not read", before, toString(read.takeError()));
    std::string text = fuzz::textOf(**read);
    if (input.edits.empty() && text != before)
      fuzz::disagree(version.str() + ": bytecode changes the module", before, text);
    if (write(**read, version) != bytes)
      fuzz::disagree(version.str() + ": written again, other bytes", before, text);
    auto parsed = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    if (!parsed)
      fuzz::disagree(version.str() + ": printed, but not parsed", text, "");
    auto inner = mlir::dyn_cast<cuda_tile::ModuleOp>(parsed->getBody()->front());
    if (!inner || fuzz::textOf(inner) + "\n" != text || write(inner, version) != bytes)
      fuzz::disagree(version.str() + ": text changes the module", text, fuzz::textOf(*parsed));
  }
  return 0;
}

TILESMITH_FUZZ_MUTATORS(fuzz::mutateEditedKernel, fuzz::crossEditedKernels)
