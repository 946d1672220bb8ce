//===- PipelineBenchmark.cpp - cost of every stage, and of every pass on longer kernels -------===//
//
// Runs corpus/frontends/matmul_f16_bT_exact (bytecode 13.3, f16 GEMM with a K loop) through the
// compiler. Each benchmark stops one stage later than the one before, so the difference of two rows
// is the cost of a stage; `codegen` is LLVM's code generation alone.
//
// `scaling` compiles kernels of 1, 4 and 16 times as many operations, at -O0 and -O3, and gives the
// microseconds of every pass per operation: a pass that grows faster than the kernel shows as a
// growing number.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/bytecode/BytecodeReader.h"
#include "compiler/pipeline/Pipeline.h"
#include "compiler/pipeline/Registration.h"
#include "compiler/target/PTX.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/MemoryBuffer.h"
#include <benchmark/benchmark.h>

#include <ctime>
#include <map>

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

static void codegen(benchmark::State &state) {
  std::string data = readCase();
  auto context = makeContext();
  auto module = bytecode::readBytecode(data, context.get());
  if (!module)
    return state.SkipWithError(llvm::toString(module.takeError()).c_str());
  for (auto _ : state) {
    state.PauseTiming();
    auto compiled = compileToDeviceModule(**module, CompileOptions());
    if (!compiled)
      return state.SkipWithError(llvm::toString(compiled.takeError()).c_str());
    if (state.range(0))
      llvm::cantFail(target::optimizeForPTX(*compiled->module, "sm_90", 3));
    state.ResumeTiming();
    if (state.range(0))
      benchmark::DoNotOptimize(target::emitPTX(*compiled->module, "sm_90", 3));
    else
      llvm::cantFail(target::optimizeForPTX(*compiled->module, "sm_90", 3));
  }
  state.SetLabel(state.range(0) ? "LLVM code generation" : "LLVM optimisation");
}
BENCHMARK(codegen)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

namespace {

double cpuSeconds() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

/// CPU time of every pass by its argument; passes do not nest in our pipeline.
struct PassTimes : mlir::PassInstrumentation {
  explicit PassTimes(std::map<std::string, double> &seconds) : seconds(seconds) {}
  void runBeforePass(mlir::Pass *, mlir::Operation *) override { start = cpuSeconds(); }
  void runAfterPass(mlir::Pass *pass, mlir::Operation *) override {
    seconds[pass->getArgument().empty() ? pass->getName().str() : pass->getArgument().str()] +=
        cpuSeconds() - start;
  }
  std::map<std::string, double> &seconds;
  double start = 0;
};

/// Loads, arithmetic, a reduction and a store, `blocks` times in a row.
std::string longKernel(int64_t blocks) {
  std::string text =
      "cuda_tile.module @m {\nentry @k(%p: tile<ptr<f32>>) {\n%i = iota : tile<1024xi32>\n"
      "%p1 = reshape %p : tile<ptr<f32>> -> tile<1xptr<f32>>\n"
      "%pb = broadcast %p1 : tile<1xptr<f32>> -> tile<1024xptr<f32>>\n"
      "%q = offset %pb, %i : tile<1024xptr<f32>>, tile<1024xi32> -> tile<1024xptr<f32>>\n"
      "%t0 = make_token : token\n";
  for (int64_t b = 0; b < blocks; ++b) {
    std::string n = std::to_string(b), next = std::to_string(b + 1);
    text += "%x" + n + ", %l" + n + " = load_ptr_tko weak %q token=%t" + n +
            " : tile<1024xptr<f32>> -> tile<1024xf32>, token\n%y" + n + " = mulf %x" + n + ", %x" +
            n + " : tile<1024xf32>\n%r" + n + " = reduce %y" + n +
            " dim=0 identities=[0.0 : f32] : tile<1024xf32> -> tile<f32>\n"
            "(%a: tile<f32>, %b: tile<f32>) {\n%s = addf %a, %b : tile<f32>\nyield %s : "
            "tile<f32>\n}\n%h" +
            n + " = reshape %r" + n + " : tile<f32> -> tile<1xf32>\n%w" + n + " = broadcast %h" +
            n + " : tile<1xf32> -> tile<1024xf32>\n%z" + n + " = divf %y" + n + ", %w" + n +
            " : tile<1024xf32>\n%t" + next + " = store_ptr_tko weak %q, %z" + n + " token=%l" + n +
            " : tile<1024xptr<f32>>, tile<1024xf32> -> token\n";
  }
  return text + "return\n}\n}\n";
}

} // namespace

static void scaling(benchmark::State &state) {
  auto context = makeContext();
  auto module = mlir::parseSourceString<mlir::ModuleOp>(longKernel(state.range(0)), context.get());
  if (!module)
    return state.SkipWithError("the kernel does not parse");
  auto kernel = *module->getOps<cuda_tile::ModuleOp>().begin();
  int64_t operations = 0;
  kernel.walk([&](mlir::Operation *) { ++operations; });
  std::map<std::string, double> seconds;
  for (auto _ : state) {
    auto wrapper = wrapModule(kernel);
    CompileOptions options;
    options.optLevel = static_cast<unsigned>(state.range(1));
    int64_t optionalPasses = 0;
    mlir::PassManager manager(context.get());
    manager.addInstrumentation(std::make_unique<PassTimes>(seconds));
    manager.enableVerifier(false);
    buildPipeline(manager, options, Stage::CudaTile, Stage::NVVM, optionalPasses);
    if (mlir::failed(manager.run(*wrapper)))
      return state.SkipWithError("lowering failed");
    double start = cpuSeconds();
    auto compiled = compileToDeviceModule(kernel, options);
    if (!compiled)
      return state.SkipWithError(llvm::toString(compiled.takeError()).c_str());
    seconds["bytecode module to LLVM IR"] += cpuSeconds() - start;
    start = cpuSeconds();
    llvm::cantFail(target::optimizeForPTX(*compiled->module, "sm_90", options.optLevel));
    seconds["LLVM optimisation"] += cpuSeconds() - start;
    start = cpuSeconds();
    benchmark::DoNotOptimize(target::emitPTX(*compiled->module, "sm_90", options.optLevel));
    seconds["LLVM code generation"] += cpuSeconds() - start;
  }
  state.counters["operations"] = double(operations);
  for (auto &[pass, time] : seconds)
    state.counters[pass] = 1e6 * time / double(operations) / double(state.iterations());
}
BENCHMARK(scaling)->ArgsProduct({{16, 64, 256}, {0, 3}})->Unit(benchmark::kMillisecond);
