//===- ReduceCommand.cpp - tilesmith reduce CASE -o DIR ---------------------------------------===//
//
// Makes a failing case small and writes it as a bug report: the case itself, its text, what the
// engines made of it, and the command that shows it.
//
//===------------------------------------------------------------------------------------------===//
#include "fuzz/campaign/Interrupt.h"
#include "fuzz/cli/Commands.h"
#include "fuzz/reduce/Reducer.h"
#include "fuzz/reduce/TextStep.h"
#include "fuzz/triage/BugReport.h"

#include "compiler/support/OutputFolder.h"
#include "compiler/support/Plants.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
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

static cl::opt<std::string> textReducer(
    "text-reducer",
    cl::desc("afterwards let this program shorten the text: cvise, or what takes the same "
             "arguments"),
    cl::value_desc("PROGRAM"), cl::sub(reduceCommand()));
static cl::opt<std::string>
    interesting("interesting",
                cl::desc("only judge: exit 0 if the case with this text as its module fails as "
                         "CASE does, else 1"),
                cl::value_desc("FILE.mlir"), cl::sub(reduceCommand()));

/// --interesting: what a reducer of texts asks.
static int judgeText(const testcase::TestCase &testCase, const RunOptions &options) {
  auto text = llvm::MemoryBuffer::getFile(interesting);
  if (!text)
    return usageError("cannot read '" + interesting + "': " + text.getError().message());
  std::string version = testCase.versions().front();
  deactivatePlants();
  auto candidate = caseWithText(testCase, version, (*text)->getBuffer());
  if (!candidate)
    return llvm::consumeError(candidate.takeError()), 1;
  return failsAlike(testCase, *candidate, version, options.campaign.judge, options.campaign.limits,
                    plantSwitch(options))
             ? 0
             : 1;
}

/// Lets the program shorten what was reduced; the result stays when that leads nowhere.
static void shortenText(ReduceResult &result, const ReduceOptions &reduce,
                        const std::string &plants) {
  std::string folder, version = result.testCase.versions().front();
  llvm::SmallString<128> unique;
  if (llvm::sys::fs::createUniqueDirectory("tilesmith-reduced", unique))
    return;
  folder = unique.str().str() + "/case";
  llvm::scope_exit remove([&] { llvm::sys::fs::remove_directories(unique); });
  if (llvm::Error error = testcase::saveTestCase(result.testCase, folder))
    return llvm::consumeError(std::move(error));
  std::string self =
      llvm::sys::fs::getMainExecutable("tilesmith", reinterpret_cast<void *>(&shortenText));
  std::string test = "exec '" + self + "' reduce '" + folder + "' --interesting=kernel.mlir" +
                     reproduceOptions(result.judge) + plants;
  auto text = runTextReducer(textReducer, result.text, test, static_cast<unsigned>(seconds));
  if (!text) {
    llvm::errs() << "note: " << llvm::toString(text.takeError()) << "; the kernel stays\n";
    return;
  }
  auto candidate = caseWithText(result.testCase, version, *text);
  if (!candidate || !failsAlike(result.testCase, *candidate, version, result.judge, reduce.limits,
                                reduce.prepare)) {
    if (!candidate)
      llvm::consumeError(candidate.takeError());
    llvm::errs() << "note: what '" << textReducer
                 << "' left does not fail alike; the kernel stays\n";
    return;
  }
  llvm::outs() << textReducer << ": " << result.text.size() << " characters became " << text->size()
               << '\n';
  result.testCase = std::move(*candidate);
  result.text = std::move(*text);
}

int tilesmith::fuzz::runReduce() {
  std::optional<RunOptions> options = readRunOptions();
  if (!options)
    return kUsageError;
  if (input.empty() || (output.empty() && interesting.empty()))
    return usageError("expected a case and -o DIR");
  if (!(seconds > 0))
    return usageError(llvm::formatv("expected a positive number of seconds for --time, found {0}",
                                    seconds.getValue()));
  std::string directory;
  auto testCase = loadOneCase(input, &directory);
  if (!testCase)
    return usageError(testCase.takeError());
  // The search may take minutes: say at once what would come of it.
  if (interesting.empty())
    if (llvm::Error error = OutputFolder::check(output, {input, directory}))
      return usageError(std::move(error));

  if (!interesting.empty())
    return judgeText(*testCase, *options);
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
  noteInterrupts();
  auto result = reduceCase(*testCase, reduce);
  progress.clear();
  if (!result)
    return usageError(result.takeError());
  if (!textReducer.empty() && !interrupted())
    shortenText(*result, reduce, plantWords(*options));
  BugReport report;
  report.testCase = result->testCase;
  report.text = result->text;
  report.command = reproduceCommand(result->judge) + plantWords(*options);
  report.judge = result->judge;
  report.prepare = reduce.prepare;
  if (llvm::Error error = writeBugReport(report, output))
    return usageError(std::move(error));
  llvm::outs() << forReading(result->text)
               << llvm::formatv(
                      "{0} operations became {1}, {2} parameters became {3}; {4} candidates in "
                      "{5:f1} s{6}\n{7}\nsaved to {8}\n",
                      result->operationsBefore, result->operationsAfter,
                      testCase->launches.front().params.size(),
                      result->testCase.launches.front().params.size(), result->candidates,
                      result->seconds,
                      result->complete ? ""
                      : interrupted()  ? " (interrupted: may become smaller)"
                                       : " (stopped by the time limit: may become smaller)",
                      result->verdict.str(), output);
  return interrupted() ? kInterrupted : 0;
}
