//===- ReplayCommand.cpp - tilesmith replay CASE ----------------------------------------------===//
//
// Runs one case in this process (a debugger sees everything), with what each engine said.
//
//===------------------------------------------------------------------------------------------===//
#include "fuzz/campaign/ReportRows.h"
#include "fuzz/cli/Commands.h"

#include "llvm/Support/raw_ostream.h"

using namespace tilesmith;
using namespace tilesmith::fuzz;
namespace cl = llvm::cl;

cl::SubCommand &tilesmith::fuzz::replayCommand() {
  static cl::SubCommand command("replay", "run one case again, in this process");
  return command;
}

static cl::opt<std::string> input(cl::Positional, cl::desc("CASE"), cl::sub(replayCommand()));

int tilesmith::fuzz::runReplay() {
  std::optional<RunOptions> options = readRunOptions();
  if (!options)
    return kUsageError;
  if (input.empty())
    return usageError("expected a case");
  auto testCase = loadOneCase(input);
  if (!testCase)
    return usageError(testCase.takeError());

  if (!testCase->notes.empty())
    llvm::outs() << "notes: " << testCase->notes << '\n';
  oracles::VerdictCounts counts;
  printRowHeader(llvm::outs());
  for (const std::string &version : testCase->versions()) {
    if (options->version && version != "13." + std::to_string(*options->version))
      continue;
    oracles::ModuleReport report = oracles::judge(*testCase, version, options->campaign.judge);
    printRows(llvm::outs(), report);
    counts.add(report.verdict);
  }
  llvm::outs() << counts.str() << '\n';
  return oracles::exitCode(counts, options->exit);
}
