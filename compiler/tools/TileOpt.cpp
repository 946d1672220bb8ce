//===- TileOpt.cpp - tile-opt, the optimizer driver -------------------------------------------===//
//
// MLIR optimizer conventions over the dialects and passes of this repository, plus:
//   --profile=public|tileiras-13.5|tileiras-13.1   which verifier rules apply (default: public)
//   --Wunsupported-hints, --Werr-hints             diagnose optimization hints, and fail on them
//   --allow-testing-ops                            register cuda_tile.testing$func and its like
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/pipeline/Registration.h"
#include "compiler/support/InputFile.h"
#include "compiler/support/TextLimits.h"
#include "compiler/support/ToolSetup.h"
#include "compiler/support/WriteFile.h"
#include "compiler/tools/DialectOptions.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace tilesmith;

/// Exit code where the output is a folder, the input, or cannot be written.
static constexpr int kUnusableOutput = 2;

/// As MLIR's own driver, but text that is too deep for the parser is refused before it, and the
/// output is written whole or not at all.
static int run(int argc, char **argv, mlir::DialectRegistry &registry) {
  auto [inputName, outputName] =
      mlir::registerAndParseCLIOptions(argc, argv, "tilesmith optimizer driver\n", registry);
  auto config = mlir::MlirOptMainConfig::createFromCLOptions();
  if (config.shouldShowDialects() || config.shouldListPasses())
    return failed(mlir::MlirOptMain(argc, argv, inputName, outputName, registry));
  if (llvm::Error error = checkOutputFile(outputName, {inputName})) {
    llvm::errs() << "error: " << llvm::toString(std::move(error)) << '\n';
    return kUnusableOutput;
  }

  if (llvm::Error error = checkInputFile(inputName)) {
    llvm::errs() << "cannot open input file '" << inputName
                 << "': " << llvm::toString(std::move(error)) << '\n';
    return 1;
  }
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> input = mlir::openInputFile(inputName, &message);
  if (!input) {
    llvm::errs() << message << '\n';
    return 1;
  }
  llvm::StringRef text = input->getBuffer();
  if (text.starts_with("ML\xEFR")) // MLIR's own bytecode is no text
    text = {};
  if (llvm::Error error = checkTextLimits(text, !config.inputSplitMarker().empty())) {
    llvm::errs() << inputName << ": error: " << llvm::toString(std::move(error)) << '\n';
    return 1;
  }
  std::string written;
  llvm::raw_string_ostream buffer(written);
  const bool toFile = outputName != "-";
  llvm::raw_ostream &output = toFile ? static_cast<llvm::raw_ostream &>(buffer) : llvm::outs();
  if (failed(mlir::MlirOptMain(output, std::move(input), registry, config)))
    return 1;
  if (toFile)
    if (llvm::Error error = writeFileAtomically(outputName, written)) {
      llvm::errs() << "error: " << llvm::toString(std::move(error)) << '\n';
      return kUnusableOutput;
    }
  return 0;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  setUpTool();
  tools::DialectOptions options(cuda_tile::Profile::Public);
  mlir::DialectRegistry registry;
  registerCompilerDialects(registry);
  options.addTo(registry);
  mlir::registerTransformsPasses();
  registerCompilerPasses();
  return run(argc, argv, registry);
}
