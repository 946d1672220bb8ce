//===- TileOpt.cpp - tile-opt, the optimizer driver ---------------------------------------------------------------===//
//
// MLIR optimizer conventions over the dialects and passes of this repository.
//
//===---------------------------------------------------------------------------------------------------------===//
#include "compiler/dialect/CudaTile/IR/CudaTile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registry.insert<tilesmith::cuda_tile::CudaTileDialect, mlir::arith::ArithDialect, mlir::func::FuncDialect>();
  mlir::registerTransformsPasses();
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "tilesmith optimizer driver\n", registry));
}
