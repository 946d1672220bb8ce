//===- TileOpt.cpp - tile-opt, the optimizer driver -------------------------------------------===//
//
// MLIR optimizer conventions over the dialects and passes of this repository, plus:
//   --profile=public|tileiras-13.5|tileiras-13.1   which verifier rules apply (default: public)
//   --Wunsupported-hints, --Werr-hints             diagnose optimization hints, and fail on them
//   --allow-testing-ops                            register cuda_tile.testing$func
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/dialect/CudaTile/IR/CudaTile.h"
#include "compiler/dialect/CudaTile/IR/CudaTileTesting.h"
#include "compiler/dialect/CudaTile/Transforms/Passes.h"
#include "compiler/pipeline/Registration.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/CommandLine.h"

using namespace tilesmith;

static llvm::cl::opt<cuda_tile::Profile> profile(
    "profile", llvm::cl::desc("Verifier rules of cuda_tile"),
    llvm::cl::init(cuda_tile::Profile::Public),
    llvm::cl::values(
        clEnumValN(cuda_tile::Profile::Public, "public", "the public 13.3 dialect"),
        clEnumValN(cuda_tile::Profile::Tileiras13_5, "tileiras-13.5", "the closed tool of 13.5"),
        clEnumValN(cuda_tile::Profile::Tileiras13_1, "tileiras-13.1", "the closed tool of 13.1")));
static llvm::cl::opt<bool>
    warnUnsupportedHints("Wunsupported-hints",
                         llvm::cl::desc("Warn about unknown or invalid optimization hints"));
static llvm::cl::opt<bool>
    errorOnHints("Werr-hints", llvm::cl::desc("Fail on unknown or invalid optimization hints"));
static llvm::cl::opt<bool> allowTestingOps("allow-testing-ops",
                                           llvm::cl::desc("Register the ops for test suites"));

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registerCompilerDialects(registry);
  registry.addExtension(+[](mlir::MLIRContext *, cuda_tile::CudaTileDialect *dialect) {
    dialect->setProfile(profile);
    dialect->setWarnUnsupportedHints(warnUnsupportedHints);
    dialect->setErrorOnHints(errorOnHints);
    if (allowTestingOps)
      cuda_tile::registerTestingOps(*dialect);
  });
  mlir::registerTransformsPasses();
  registerCompilerPasses();
  cuda_tile::registerTransformPasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "tilesmith optimizer driver\n", registry));
}
