//===- TileOpt.cpp - tile-opt, the optimizer driver -------------------------------------------===//
//
// MLIR optimizer conventions over the dialects and passes of this repository, plus:
//   --profile=public|tileiras-13.5|tileiras-13.1   which verifier rules apply (default: public)
//   --Wunsupported-hints, --Werr-hints             diagnose optimization hints, and fail on them
//   --allow-testing-ops                            register cuda_tile.testing$func and its like
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/dialect/CudaTile/Transforms/Passes.h"
#include "compiler/dialect/CudaTile/Transforms/UpdateSymbolName.h"
#include "compiler/pipeline/Registration.h"
#include "compiler/tools/DialectOptions.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

using namespace tilesmith;

int main(int argc, char **argv) {
  tools::DialectOptions options(cuda_tile::Profile::Public);
  mlir::DialectRegistry registry;
  registerCompilerDialects(registry);
  options.addTo(registry);
  mlir::registerTransformsPasses();
  registerCompilerPasses();
  cuda_tile::registerTransformPasses();
  cuda_tile::registerUpdateSymbolNameTestPass();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "tilesmith optimizer driver\n", registry));
}
