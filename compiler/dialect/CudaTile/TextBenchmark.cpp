//===- TextBenchmark.cpp - parsing text, beside MLIR's own dialects ---------------------------===//
//
// The same straight line of additions and constants over tiles of 16 integers, once in cuda_tile
// and once in func and arith over tensors of 16 integers. Both are parsed and verified by MLIR's
// parser; `ratio` of BM_ParseRatio is ours over theirs, taken in turns in one run.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/dialect/CudaTile/IR/CudaTile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

#include <benchmark/benchmark.h>
#include <chrono>

using namespace tilesmith;

namespace {

std::string cudaTileText(int64_t ops) {
  std::string text =
      "cuda_tile.module @m { entry @k() {\n  %v0 = constant <i32: 0> : tile<16xi32>\n";
  for (int64_t i = 0; i < ops; ++i) {
    std::string result = "  %v" + std::to_string(i + 1), source = "%v" + std::to_string(i);
    if (i % 8 == 7)
      text += result + " = constant <i32: " + std::to_string(i) + "> : tile<16xi32>\n";
    else
      text += result + " = addi " + source + ", %v0 : tile<16xi32>\n";
  }
  return text + "  return\n} }";
}

std::string upstreamText(int64_t ops) {
  std::string text =
      "module @m { func.func @k() {\n  %v0 = arith.constant dense<0> : tensor<16xi32>\n";
  for (int64_t i = 0; i < ops; ++i) {
    std::string result = "  %v" + std::to_string(i + 1), source = "%v" + std::to_string(i);
    if (i % 8 == 7)
      text += result + " = arith.constant dense<" + std::to_string(i) + "> : tensor<16xi32>\n";
    else
      text += result + " = arith.addi " + source + ", %v0 : tensor<16xi32>\n";
  }
  return text + "  return\n} }";
}

struct Fixture {
  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  Fixture() {
    context.loadDialect<cuda_tile::CudaTileDialect, mlir::func::FuncDialect,
                        mlir::arith::ArithDialect>();
  }
  bool parse(const std::string &text) {
    return bool(mlir::parseSourceString<mlir::ModuleOp>(text, &context));
  }
};

void parse(benchmark::State &state, std::string (*makeText)(int64_t)) {
  Fixture fixture;
  std::string text = makeText(state.range(0));
  for (auto _ : state)
    if (!fixture.parse(text))
      state.SkipWithError("text does not parse");
  state.SetItemsProcessed(state.iterations() * state.range(0));
  state.SetBytesProcessed(state.iterations() * text.size());
}
void BM_ParseCudaTile(benchmark::State &state) {
  parse(state, cudaTileText);
}
void BM_ParseUpstream(benchmark::State &state) {
  parse(state, upstreamText);
}

void BM_ParseRatio(benchmark::State &state) {
  using Clock = std::chrono::steady_clock;
  Fixture fixture;
  std::string ours = cudaTileText(state.range(0)), theirs = upstreamText(state.range(0));
  std::chrono::duration<double> ourTime{}, theirTime{};
  for (auto _ : state) {
    Clock::time_point start = Clock::now();
    bool good = fixture.parse(ours);
    Clock::time_point middle = Clock::now();
    good &= fixture.parse(theirs);
    theirTime += Clock::now() - middle;
    ourTime += middle - start;
    if (!good)
      state.SkipWithError("text does not parse");
  }
  state.counters["ratio"] = theirTime / ourTime;
}

BENCHMARK(BM_ParseCudaTile)->Arg(1000)->Arg(10000);
BENCHMARK(BM_ParseUpstream)->Arg(1000)->Arg(10000);
BENCHMARK(BM_ParseRatio)->Arg(1000)->Arg(10000);

} // namespace
