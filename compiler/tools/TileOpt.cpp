//===- TileOpt.cpp - tile-opt, the optimizer driver -------------------------------------------===//
//
// MLIR optimizer conventions over the dialects and passes of this repository, plus:
//   --profile=public|tileiras-13.5|tileiras-13.1   which verifier rules apply (default: public)
//   --Wunsupported-hints, --Werr-hints             diagnose optimization hints, and fail on them
//   --allow-testing-ops                            register cuda_tile.testing$func and its like
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/pipeline/Registration.h"
#include "compiler/support/TextLimits.h"
#include "compiler/tools/DialectOptions.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace tilesmith;

/// As MLIR's own driver, but text that is too deep for the parser is refused before it.
static llvm::LogicalResult run(int argc, char **argv, mlir::DialectRegistry &registry) {
  auto [inputName, outputName] =
      mlir::registerAndParseCLIOptions(argc, argv, "tilesmith optimizer driver\n", registry);
  auto config = mlir::MlirOptMainConfig::createFromCLOptions();
  if (config.shouldShowDialects() || config.shouldListPasses())
    return mlir::MlirOptMain(argc, argv, inputName, outputName, registry);

  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> input = mlir::openInputFile(inputName, &message);
  if (!input) {
    llvm::errs() << message << '\n';
    return llvm::failure();
  }
  llvm::StringRef text = input->getBuffer();
  if (text.starts_with("ML\xEFR")) // MLIR's own bytecode is no text
    text = {};
  if (llvm::Error error = checkTextLimits(text, !config.inputSplitMarker().empty())) {
    llvm::errs() << inputName << ": error: " << llvm::toString(std::move(error)) << '\n';
    return llvm::failure();
  }
  std::unique_ptr<llvm::ToolOutputFile> output = mlir::openOutputFile(outputName, &message);
  if (!output) {
    llvm::errs() << message << '\n';
    return llvm::failure();
  }
  if (failed(mlir::MlirOptMain(output->os(), std::move(input), registry, config)))
    return llvm::failure();
  output->keep();
  return llvm::success();
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  tools::DialectOptions options(cuda_tile::Profile::Public);
  mlir::DialectRegistry registry;
  registerCompilerDialects(registry);
  options.addTo(registry);
  mlir::registerTransformsPasses();
  registerCompilerPasses();
  return mlir::asMainReturnCode(run(argc, argv, registry));
}
