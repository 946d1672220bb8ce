//===- ReduceCommand.cpp - tilesmith reduce CASE -o DIR ---------------------------------------===//
//
// Makes a failing case small and writes it as a bug report: the case itself, its text, what the
// engines made of it, and the command that shows it.
//
//===------------------------------------------------------------------------------------------===//
#include "fuzz/cli/Commands.h"
#include "fuzz/reduce/Reducer.h"
#include "fuzz/triage/BugReport.h"

#include "compiler/support/Plants.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace tilesmith;
using namespace tilesmith::fuzz;
namespace cl = llvm::cl;

cl::SubCommand &tilesmith::fuzz::reduceCommand() {
  static cl::SubCommand command("reduce", "make a failing case small");
  return command;
}

static cl::opt<std::string> input(cl::Positional, cl::desc("CASE"), cl::sub(reduceCommand()));
static cl::opt<std::string> output("o", cl::desc("folder of the reduced case"),
                                   cl::value_desc("DIR"), cl::sub(reduceCommand()));
static cl::opt<double> seconds("time", cl::desc("seconds for the search (default 300)"),
                               cl::init(300), cl::sub(reduceCommand()));

int tilesmith::fuzz::runReduce() {
  std::optional<RunOptions> options = readRunOptions();
  if (!options)
    return kUsageError;
  if (input.empty() || output.empty())
    return usageError("expected a case and -o DIR");
  auto testCase = loadOneCase(input);
  if (!testCase)
    return usageError(llvm::toString(testCase.takeError()));

  ReduceOptions reduce;
  reduce.judge = options->campaign.judge;
  reduce.seconds = seconds;
  reduce.limits.memoryMiB = options->campaign.limits.memoryMiB;
  reduce.prepare = plantSwitch(*options);
  if (options->version)
    reduce.version = "13." + std::to_string(*options->version);
  ProgressLine progress;
  reduce.onProgress = [&](unsigned operations, unsigned candidates) {
    progress.show(llvm::formatv("{0} operations after {1} candidates", operations, candidates));
  };
  // This process edits kernels: it must not be the faulty one.
  deactivatePlants();
  auto result = reduceCase(*testCase, reduce);
  progress.clear();
  if (!result)
    return usageError(llvm::toString(result.takeError()));
  BugReport report;
  report.testCase = result->testCase;
  report.text = result->text;
  report.command = reproduceCommand(result->judge) + plantWords(*options);
  report.judge = result->judge;
  report.prepare = reduce.prepare;
  if (llvm::Error error = writeBugReport(report, output))
    return usageError(llvm::toString(std::move(error)));
  llvm::outs() << result->text
               << llvm::formatv(
                      "{0} operations became {1}, {2} parameters became {3}; {4} candidates in "
                      "{5:f1} s{6}\n{7}\nsaved to {8}\n",
                      result->operationsBefore, result->operationsAfter,
                      testCase->launches.front().params.size(),
                      result->testCase.launches.front().params.size(), result->candidates,
                      result->seconds,
                      result->complete ? "" : " (stopped by the time limit: may become smaller)",
                      result->verdict.str(), output);
  return 0;
}
