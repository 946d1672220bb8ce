//===- CampaignBenchmark.cpp - cases per second -----------------------------------------------===//
//
// What a worker of a campaign does with a kernel: generate it, run it on engines, compare. Every
// round takes the same 512 kernels, so that rounds cost the same; items per second are cases per
// second of one core. `campaign` has the engines of `tilesmith fuzz`, `replay` those of a kept case, the
// others are one by one.
//
// The counters are milliseconds per case, and say where the time goes: `generate`, each engine by
// its name (reading, compiling and running), `oracles` for all that is beside the engines
// (comparing, round trips, hazards, compilation), `worst` for the most expensive kernel.
//
//===------------------------------------------------------------------------------------------===//
#include "fuzz/campaign/Judge.h"
#include "generators/program/ProgramGenerator.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <map>

using namespace tilesmith;
using Clock = std::chrono::steady_clock;

constexpr uint64_t kCases = 512;

static double millisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

static void judgeCases(benchmark::State &state, const char *engines) {
  generators::ProgramGenerator generator;
  fuzz::JudgeOptions options;
  options.engines = engines;
  options.fresh = true;
  std::map<std::string, double> spent;
  double worst = 0;
  for (auto _ : state)
    for (uint64_t index = 0; index < kCases; ++index) {
      Clock::time_point start = Clock::now();
      generators::ChoiceStream stream = generators::streamOfCase(1, index);
      auto testCase = generator.generate(stream, generators::nameOfCase(1, index));
      if (!testCase) {
        state.SkipWithError(llvm::toString(testCase.takeError()).c_str());
        return;
      }
      spent["generate"] += millisecondsSince(start);
      Clock::time_point generated = Clock::now();
      oracles::ModuleReport report =
          oracles::judge(*testCase, testCase->versions().front(), options);
      if (report.verdict.isDisagree()) {
        state.SkipWithError(report.verdict.str().c_str());
        return;
      }
      double beside = millisecondsSince(generated);
      for (const oracles::EngineReport &engine : report.engines) {
        spent[engine.engine.substr(0, engine.engine.find('@'))] += engine.seconds * 1000;
        beside -= engine.seconds * 1000;
      }
      spent["oracles"] += beside;
      worst = std::max(worst, millisecondsSince(start));
    }
  auto cases = static_cast<int64_t>(state.iterations() * kCases);
  state.SetItemsProcessed(cases);
  for (const auto &[part, milliseconds] : spent)
    state.counters[part] = milliseconds / static_cast<double>(cases);
  state.counters["worst"] = worst;
}
BENCHMARK_CAPTURE(judgeCases, campaign, "reference,emulator@draw0")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(judgeCases, replay, "reference,emulator@O0,emulator@draw")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(judgeCases, reference, "reference")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(judgeCases, tileaa, "tileaa")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(judgeCases, tileas, "tileas")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(judgeCases, emulator, "emulator")->Unit(benchmark::kMillisecond);
