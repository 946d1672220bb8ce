//===- CheckCommand.cpp - tilesmith check CASE|DIR... -----------------------------------------===//
//
// Judges every bytecode version of every case: one row per engine, then the counts.
//
//===------------------------------------------------------------------------------------------===//
#include "fuzz/campaign/ReportFormat.h"
#include "fuzz/cli/Commands.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace tilesmith;
using namespace tilesmith::fuzz;
namespace cl = llvm::cl;

cl::SubCommand &tilesmith::fuzz::checkCommand() {
  static cl::SubCommand command("check", "run cases, compare with expectations and across engines");
  return command;
}

static cl::list<std::string> inputs(cl::Positional, cl::desc("CASE|DIR..."),
                                    cl::sub(checkCommand()));

int tilesmith::fuzz::runCheck() {
  std::optional<RunOptions> options = readRunOptions();
  if (!options)
    return kUsageError;
  if (inputs.empty())
    return usageError("expected at least one case or folder of cases");
  auto directories = findCases(inputs);
  if (!directories)
    return usageError(llvm::toString(directories.takeError()));

  std::vector<StoredModule> modules;
  std::string wanted = options->version ? "13." + std::to_string(*options->version) : "";
  for (const std::string &directory : *directories) {
    auto testCase = testcase::loadTestCase(directory);
    if (!testCase)
      return usageError(llvm::toString(testCase.takeError()));
    bool any = false;
    for (const std::string &version : testCase->versions())
      if (wanted.empty() || version == wanted) {
        modules.push_back({directory, llvm::sys::path::filename(directory).str(), version});
        any = true;
      }
    if (!any)
      llvm::outs() << "note: " << directory << " has no module of version "
                   << (wanted.empty() ? "13.N" : wanted) << '\n';
  }

  ProgressLine progress;
  printRowHeader(llvm::outs());
  size_t finished = 0;
  oracles::VerdictCounts counts =
      checkCases(modules, options->campaign, [&](const oracles::ModuleReport &report) {
        progress.clear();
        printRows(llvm::outs(), report);
        llvm::outs().flush();
        progress.show(llvm::formatv("{0}/{1} modules", ++finished, modules.size()));
      });
  progress.clear();
  if (counts.floats.total())
    llvm::outs() << counts.floats.str() << '\n';
  llvm::outs() << counts.str() << '\n';
  return oracles::exitCode(counts, options->exit);
}
