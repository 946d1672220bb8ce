//===- InterpBenchmark.cpp - how fast the reference is ----------------------------------------===//
//
// Elementwise ops and a matrix product on the interpreter, next to a plain C++ loop in the same
// run.
//
//===------------------------------------------------------------------------------------------===//
#include <benchmark/benchmark.h>

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include "compiler/dialect/CudaTile/IR/CudaTile.h"
#include "reference/interp/RunCase.h"

using namespace tilesmith;
using namespace tilesmith::reference;

namespace {

/// Runs the body once per iteration; the counter is results per second.
void runBody(benchmark::State &state, const std::string &body, double resultsPerRun) {
  mlir::MLIRContext context;
  loadReferenceDialects(context);
  auto parsed = mlir::parseSourceString<mlir::ModuleOp>(
      "cuda_tile.module @m {\nentry @k() {\n" + body + "\n}\n}\n", &context);
  if (!parsed) {
    state.SkipWithError("body does not parse");
    return;
  }
  cuda_tile::ModuleOp module = *parsed->getOps<cuda_tile::ModuleOp>().begin();
  LaunchRequest request;
  request.entry = "k";
  for (auto _ : state) {
    Interpreter interpreter;
    Outcome outcome = interpreter.launch(module, request);
    if (!outcome.completed()) {
      state.SkipWithError(outcome.describe().c_str());
      return;
    }
  }
  state.counters["results/s"] =
      benchmark::Counter(resultsPerRun, benchmark::Counter::kIsIterationInvariantRate);
}

/// A chain of 16 ops on 65536 elements.
std::string chain(const char *op, const char *type, const char *constant) {
  std::string tile = std::string("tile<65536x") + type + ">";
  std::string body =
      std::string("%x0 = constant <") + type + ": " + constant + "> : " + tile + "\n";
  for (int i = 0; i < 16; ++i)
    body += "%x" + std::to_string(i + 1) + " = " + op + " %x" + std::to_string(i) +
            ", %x0 : " + tile + "\n";
  return body;
}

void elementwise(benchmark::State &state, const char *op, const char *type, const char *constant) {
  runBody(state, chain(op, type, constant), 16.0 * 65536);
}
BENCHMARK_CAPTURE(elementwise, addf_f32, "addf", "f32", "1.5")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(elementwise, mulf_f64, "mulf", "f64", "1.5")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(elementwise, addf_f16, "addf", "f16", "1.5")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(elementwise, addf_bf16, "addf", "bf16", "1.5")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(elementwise, addi_i32, "addi", "i32", "3")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(elementwise, muli_i32, "muli", "i32", "3")->Unit(benchmark::kMillisecond);

void plainLoop(benchmark::State &state) {
  std::vector<float> x(65536, 1.5f), y = x;
  for (auto _ : state)
    for (int k = 0; k < 16; ++k) {
      for (size_t i = 0; i < x.size(); ++i)
        y[i] += x[i];
      benchmark::DoNotOptimize(y.data());
      benchmark::ClobberMemory();
    }
  state.counters["results/s"] =
      benchmark::Counter(16.0 * 65536, benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(plainLoop)->Unit(benchmark::kMillisecond);

void matrixProduct(benchmark::State &state) {
  runBody(
      state,
      "%a = constant <f32: 1.5> : tile<128x64xf32>\n%b = constant <f32: 0.5> : tile<64x128xf32>\n"
      "%c = constant <f32: 0.0> : tile<128x128xf32>\n"
      "%r = mmaf %a, %b, %c : tile<128x64xf32>, tile<64x128xf32>, tile<128x128xf32>\n",
      128.0 * 128 * 64);
}
BENCHMARK(matrixProduct)->Unit(benchmark::kMillisecond);

void reduction(benchmark::State &state) {
  runBody(state, R"(%a = constant <f32: 1.5> : tile<64x1024xf32>
    %r = reduce %a dim=1 identities=[0.0 : f32] : tile<64x1024xf32> -> tile<64xf32>
    (%x: tile<f32>, %y: tile<f32>) {
      %s = addf %x, %y : tile<f32>
      yield %s : tile<f32>
    })",
          64.0 * 1024);
}
BENCHMARK(reduction)->Unit(benchmark::kMillisecond);

} // namespace
