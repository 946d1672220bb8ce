//===- GeneratorBenchmark.cpp - kernels per second --------------------------------------------===//
//
// Generation at default size: choices, module, verification, input data and bytecode.
//
//===------------------------------------------------------------------------------------------===//
#include "generators/program/ProgramGenerator.h"

#include <benchmark/benchmark.h>

using namespace tilesmith;

static void generateKernels(benchmark::State &state) {
  generators::ProgramGenerator generator;
  uint64_t index = 0;
  for (auto _ : state) {
    generators::ChoiceStream stream = generators::streamOfCase(1, index++);
    auto testCase = generator.generate(stream, "case");
    if (!testCase) {
      state.SkipWithError(llvm::toString(testCase.takeError()).c_str());
      return;
    }
    benchmark::DoNotOptimize(testCase->buffers.data());
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(generateKernels)->Unit(benchmark::kMillisecond);
