//===- TileLspServer.cpp - tile-lsp-server, language server for the textual forms -------------===//
//
// MLIR's language server over the dialects of this repository, with the options of cuda_tile
// (--profile=public by default).
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/pipeline/Registration.h"
#include "compiler/support/ToolSetup.h"
#include "compiler/tools/DialectOptions.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"

int main(int argc, char **argv) {
  tilesmith::setUpTool();
  tilesmith::tools::DialectOptions options(tilesmith::cuda_tile::Profile::Public);
  mlir::DialectRegistry registry;
  tilesmith::registerCompilerDialects(registry);
  options.addTo(registry);
  return mlir::failed(mlir::MlirLspServerMain(argc, argv, registry));
}
