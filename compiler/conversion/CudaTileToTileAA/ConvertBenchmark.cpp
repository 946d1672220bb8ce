//===- ConvertBenchmark.cpp - conversion and canonicalization of one module -------------------===//
//
// The GEMM of corpus/frontends, or the bytecode file that TILESMITH_BENCHMARK_CASE names. The
// budget of the conversion with all canonicalizers is 10 ms.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/bytecode/BytecodeReader.h"
#include "compiler/conversion/CudaTileToTileAA/CudaTileToTileAA.h"
#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/dialect/TileAA/Transforms/Passes.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/MemoryBuffer.h"

#include <benchmark/benchmark.h>
#include <cstdlib>

using namespace tilesmith;

static void convertModule(benchmark::State &state) {
  const char *chosen = std::getenv("TILESMITH_BENCHMARK_CASE");
  std::string path =
      chosen ? chosen
             : std::string(TILESMITH_SOURCE_DIR) +
                   "/corpus/frontends/matmul_f16_bT_exact/matmul_f16_bT_exact.v13.3.tileirbc";
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return state.SkipWithError("cannot read the case");
  mlir::DialectRegistry registry;
  tileaa::registerDialect(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  auto tileModule = bytecode::readBytecode((*buffer)->getBuffer(), &context);
  if (!tileModule)
    return state.SkipWithError(llvm::toString(tileModule.takeError()).c_str());
  for (auto _ : state) {
    state.PauseTiming();
    mlir::OwningOpRef<mlir::ModuleOp> module(mlir::ModuleOp::create((*tileModule)->getLoc()));
    module->push_back((*tileModule)->clone());
    state.ResumeTiming();
    mlir::PassManager passes(&context);
    passes.addPass(createConvertCudaTileToTileAAPass({"sm_90"}));
    if (state.range(0))
      passes.addPass(tileaa::createCanonicalizePass());
    if (mlir::failed(passes.run(*module)))
      return state.SkipWithError("conversion failed");
  }
}
BENCHMARK(convertModule)->ArgName("canonicalize")->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);
