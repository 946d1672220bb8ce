//===- FuzzCommand.cpp - tilesmith fuzz --seed S [--count N] [--time T] -----------------------===//
//
// Generates kernels and judges each with all engines. A finding is saved as a case folder and named
// at once; the last line holds the counts.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/support/Plants.h"
#include "fuzz/cli/Commands.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tilesmith;
using namespace tilesmith::fuzz;
namespace cl = llvm::cl;

cl::SubCommand &tilesmith::fuzz::fuzzCommand() {
  static cl::SubCommand command("fuzz", "generate kernels and compare engines on them");
  return command;
}

static cl::opt<uint64_t> count("count", cl::desc("number of cases (default 1000 without --time)"),
                               cl::init(0), cl::sub(fuzzCommand()));
static cl::opt<double> seconds("time", cl::desc("seconds to run"), cl::init(0),
                               cl::sub(fuzzCommand()));
static cl::opt<std::string> output("o", cl::desc("folder of findings (default ./findings)"),
                                   cl::init("findings"), cl::sub(fuzzCommand()));
static cl::opt<bool> stopAtFirst("stop-at-first", cl::desc("end with the first finding"),
                                 cl::sub(fuzzCommand()));

static cl::opt<bool> listPlants("list-plants",
                                cl::desc("print the planted bugs, one a line, and end"),
                                cl::sub(fuzzCommand()));
static cl::list<std::string> features("features",
                                      cl::desc("use only these rules or families of rules"),
                                      cl::CommaSeparated, cl::sub(fuzzCommand()));

int tilesmith::fuzz::runFuzz() {
  if (listPlants) {
    for (const PlantInfo &plant : plantRegistry())
      llvm::outs() << plant.id << ' ' << plant.family << ' ' << plant.file << ": "
                   << plant.description << '\n';
    return 0;
  }
  std::optional<RunOptions> options = readRunOptions();
  if (!options)
    return kUsageError;
  FuzzOptions fuzz;
  fuzz.seed = seedOption();
  fuzz.count = count.getNumOccurrences() == 0 && seconds <= 0 ? 1000 : count;
  fuzz.seconds = seconds;
  fuzz.stopAtFirst = stopAtFirst;
  fuzz.findings = output;
  if (options->version && (*options->version < 1 || *options->version > generators::kNewestVersion))
    return usageError("the generator writes bytecode 13.1 to 13.5");
  fuzz.generator.version = options->version;
  fuzz.generator.only.assign(features.begin(), features.end());
  // Random schedules of the engines belong to the case, not to the campaign.
  options->campaign.differential.engine.seed = 0;

  ProgressLine progress;
  FuzzResult result = fuzzCases(
      fuzz, options->campaign,
      [&](const Finding &finding) {
        progress.clear();
        llvm::outs() << "finding " << finding.name << ": " << finding.verdict.str()
                     << "\n  saved to " << finding.directory << '\n';
        llvm::outs().flush();
      },
      [&](const oracles::VerdictCounts &counts, double elapsed) {
        progress.show(
            llvm::formatv("{0}, {1} cases per second", counts.str(),
                          static_cast<uint64_t>(counts.total() / std::max(elapsed, 0.001))));
      });
  progress.clear();
  for (const auto &[reason, times] : result.inconclusiveReasons)
    llvm::outs() << "inconclusive " << times << " times: " << reason << '\n';
  llvm::outs() << "seed " << fuzz.seed << ": " << result.counts.total() << " cases in "
               << llvm::format("%.1f s, %.1f cases per second with %u jobs\n", result.seconds,
                               static_cast<double>(result.counts.total()) /
                                   std::max(result.seconds, 0.001),
                               options->campaign.jobs);
  if (result.counts.floats.total())
    llvm::outs() << result.counts.floats.str() << '\n';
  llvm::outs() << result.counts.str() << '\n';
  return oracles::exitCode(result.counts, options->exit);
}
