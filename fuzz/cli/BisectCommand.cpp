//===- BisectCommand.cpp - tilesmith bisect CASE ----------------------------------------------===//
//
// Prints every run that narrowed the blame down, and the pass that is left.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/support/Plants.h"
#include "fuzz/cli/Commands.h"
#include "fuzz/triage/Bisect.h"
#include "oracles/blame/EngineBisect.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace tilesmith;
using namespace tilesmith::fuzz;
namespace cl = llvm::cl;

cl::SubCommand &tilesmith::fuzz::bisectCommand() {
  static cl::SubCommand command("bisect", "name the pass that is to blame for a failing case");
  return command;
}

static cl::opt<std::string> input(cl::Positional, cl::desc("CASE"), cl::sub(bisectCommand()));
static cl::opt<bool> listPasses("list-passes",
                                cl::desc("print the optional passes at this level and end"),
                                cl::sub(bisectCommand()));

int tilesmith::fuzz::runBisect() {
  std::optional<RunOptions> options = readRunOptions();
  if (!options)
    return kUsageError;
  if (listPasses) {
    for (const std::string &name :
         oracles::optionalPasses(options->campaign.judge.differential.engine))
      llvm::outs() << name << '\n';
    return 0;
  }
  if (input.empty())
    return usageError("expected a case");
  auto testCase = loadOneCase(input);
  if (!testCase)
    return usageError(testCase.takeError());
  BisectOptions bisectOptions;
  bisectOptions.judge = options->campaign.judge;
  bisectOptions.limits = options->campaign.limits;
  bisectOptions.prepare = plantSwitch(*options);
  // Compiles in this process, too, where a planted bug must not act.
  deactivatePlants();
  std::string error = "'" + input + "' has no version to run";
  for (const std::string &version : testCase->versions()) {
    if (options->version && version != "13." + std::to_string(*options->version))
      continue;
    auto blame = bisect(*testCase, version, bisectOptions);
    if (!blame) {
      error = llvm::toString(blame.takeError());
      continue;
    }
    for (const oracles::BlameStep &step : blame->steps)
      llvm::outs() << llvm::left_justify(step.what, 58) << ' '
                   << llvm::StringRef(step.verdict.str()).take_front(100) << '\n';
    llvm::outs() << "blamed: " << blame->str() << '\n';
    return 0;
  }
  return usageError(error);
}
