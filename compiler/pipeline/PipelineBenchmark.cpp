//===- PipelineBenchmark.cpp - cost of every stage on one real GEMM kernel --------------------===//
//
// Runs corpus/frontends/matmul_f16_bT_exact (bytecode 13.3, f16 GEMM with a K loop) through the
// compiler. Each benchmark stops one stage later than the one before, so the difference of two rows
// is the cost of a stage.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/bytecode/BytecodeReader.h"
#include "compiler/pipeline/Pipeline.h"
#include "compiler/pipeline/Registration.h"
#include "compiler/target/PTX.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/MemoryBuffer.h"
#include <benchmark/benchmark.h>

using namespace tilesmith;

static std::string readCase() {
  std::string path = std::string(TILESMITH_SOURCE_DIR) +
                     "/corpus/frontends/matmul_f16_bT_exact/matmul_f16_bT_exact.v13.3.tileirbc";
  auto buffer = llvm::MemoryBuffer::getFile(path);
  return buffer ? (*buffer)->getBuffer().str() : std::string();
}

static std::unique_ptr<mlir::MLIRContext> makeContext() {
  mlir::DialectRegistry registry;
  registerCompilerDialects(registry);
  auto context =
      std::make_unique<mlir::MLIRContext>(registry, mlir::MLIRContext::Threading::DISABLED);
  context->loadAllAvailableDialects();
  return context;
}

static void readBytecode(benchmark::State &state) {
  std::string data = readCase();
  auto context = makeContext();
  for (auto _ : state) {
    auto module = bytecode::readBytecode(data, context.get());
    if (!module)
      return state.SkipWithError(llvm::toString(module.takeError()).c_str());
    benchmark::DoNotOptimize(*module);
  }
}
BENCHMARK(readBytecode)->Unit(benchmark::kMillisecond);

static void lowerTo(benchmark::State &state) {
  std::string data = readCase();
  auto context = makeContext();
  auto module = bytecode::readBytecode(data, context.get());
  if (!module)
    return state.SkipWithError(llvm::toString(module.takeError()).c_str());
  Stage last = static_cast<Stage>(state.range(0));
  state.SetLabel(stageName(last).str());
  for (auto _ : state) {
    auto wrapper = wrapModule(**module);
    if (mlir::failed(runPipeline(*wrapper, CompileOptions(), last)))
      return state.SkipWithError("lowering failed");
  }
}
BENCHMARK(lowerTo)
    ->DenseRange(static_cast<int>(Stage::TileAA), static_cast<int>(Stage::NVVM))
    ->Unit(benchmark::kMillisecond);

static void toLLVM(benchmark::State &state) {
  std::string data = readCase();
  auto context = makeContext();
  auto module = bytecode::readBytecode(data, context.get());
  if (!module)
    return state.SkipWithError(llvm::toString(module.takeError()).c_str());
  for (auto _ : state) {
    auto compiled = compileToDeviceModule(**module, CompileOptions());
    if (!compiled)
      return state.SkipWithError(llvm::toString(compiled.takeError()).c_str());
    benchmark::DoNotOptimize(compiled->module);
  }
}
BENCHMARK(toLLVM)->Unit(benchmark::kMillisecond);

static void toPTX(benchmark::State &state) {
  std::string data = readCase();
  auto context = makeContext();
  auto module = bytecode::readBytecode(data, context.get());
  if (!module)
    return state.SkipWithError(llvm::toString(module.takeError()).c_str());
  for (auto _ : state) {
    auto compiled = compileToDeviceModule(**module, CompileOptions());
    if (!compiled)
      return state.SkipWithError(llvm::toString(compiled.takeError()).c_str());
    if (auto error = target::optimizeForPTX(*compiled->module, "sm_90", 3))
      return state.SkipWithError(llvm::toString(std::move(error)).c_str());
    auto ptx = target::emitPTX(*compiled->module, "sm_90", 3);
    if (!ptx)
      return state.SkipWithError(llvm::toString(ptx.takeError()).c_str());
    state.counters["ptx_bytes"] = ptx->size();
  }
}
BENCHMARK(toPTX)->Unit(benchmark::kMillisecond);
