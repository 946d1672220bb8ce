//===- CampaignBenchmark.cpp - cases per second -----------------------------------------------===//
//
// What a worker of a campaign does with a kernel: generate it, run it on engines, compare. Every
// round takes the same 16 kernels, so that rounds cost the same; items per second are cases per
// second of one core. `campaign` has the engines of `tilesmith fuzz`, the others are one by one.
//
//===------------------------------------------------------------------------------------------===//
#include "fuzz/campaign/Judge.h"
#include "generators/program/ProgramGenerator.h"

#include <benchmark/benchmark.h>

using namespace tilesmith;

constexpr uint64_t kCases = 16;

static void judgeCases(benchmark::State &state, const char *engines) {
  generators::ProgramGenerator generator;
  fuzz::JudgeOptions options;
  options.engines = engines;
  options.fresh = true;
  for (auto _ : state)
    for (uint64_t index = 0; index < kCases; ++index) {
      generators::ChoiceStream stream = generators::streamOfCase(1, index);
      auto testCase = generator.generate(stream, generators::nameOfCase(1, index));
      if (!testCase) {
        state.SkipWithError(llvm::toString(testCase.takeError()).c_str());
        return;
      }
      oracles::ModuleReport report = fuzz::judge(*testCase, testCase->versions().front(), options);
      if (report.verdict.isDisagree()) {
        state.SkipWithError(report.verdict.str().c_str());
        return;
      }
    }
  state.SetItemsProcessed(state.iterations() * kCases);
}
BENCHMARK_CAPTURE(judgeCases, campaign, "reference,emulator@O0,emulator@draw")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(judgeCases, reference, "reference")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(judgeCases, tileaa, "tileaa")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(judgeCases, tileas, "tileas")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(judgeCases, emulator, "emulator")->Unit(benchmark::kMillisecond);
