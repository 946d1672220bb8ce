//===- BundleCommand.cpp - tilesmith bundle CASE -o DIR ---------------------------------------===//
//
// Makes a case ready for a GPU machine, and reads back what tile-gpu-replay found there
// (`--results`): one row per bundle as a verdict of engine `cuda`, and the line that ends `check`.
// The bundle's own rule knows one admissible result; with `--judge` the differential oracle judges
// the buffers that were brought back, with all that the reference says of the case.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/support/OutputFolder.h"
#include "fuzz/cli/Commands.h"
#include "oracles/differential/Differential.h"
#include "oracles/engines/ReferenceEngine.h"
#include "oracles/engines/cuda/Bundle.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace tilesmith;
using namespace tilesmith::fuzz;
namespace cl = llvm::cl;

cl::SubCommand &tilesmith::fuzz::bundleCommand() {
  static cl::SubCommand command("bundle", "make a case ready for a GPU machine");
  return command;
}

namespace {

cl::list<std::string> inputs(cl::Positional, cl::desc("CASE (or bundles, with --results)"),
                             cl::sub(bundleCommand()));
cl::opt<std::string> output("o", cl::desc("the bundle to write"), cl::value_desc("DIR"),
                            cl::sub(bundleCommand()));
cl::opt<std::string> cubin("cubin", cl::desc("cubin of another compiler, launched as Tile IR"),
                           cl::value_desc("FILE"), cl::sub(bundleCommand()));
cl::opt<bool> showResults("results", cl::desc("read results of tile-gpu-replay"),
                          cl::sub(bundleCommand()));
cl::opt<bool> judged("judge", cl::sub(bundleCommand()),
                     cl::desc("with --results: judge by the case and the reference, as check does, "
                              "not by the bundle's own rule"));
cl::opt<std::string> version("version", cl::desc("bytecode version (default: the newest)"),
                             cl::value_desc("13.N"), cl::sub(bundleCommand()));

/// What the differential oracle says of the buffers that were brought back.
llvm::Expected<oracles::Verdict> judge(const oracles::ReplayResult &result,
                                       llvm::StringRef directory) {
  if (result.source.empty())
    return llvm::createStringError("expected '" + directory +
                                   "/bundle.json' to name the case that it was made of");
  auto testCase = testcase::loadTestCase(result.source);
  if (!testCase)
    return testCase.takeError();
  if (!llvm::is_contained(testCase->versions(), result.version))
    return llvm::createStringError("expected version " + result.version + " in '" + result.source +
                                   "', found " + llvm::join(testCase->versions(), ", "));
  const auto reference = oracles::createReferenceEngine();
  std::vector<std::unique_ptr<oracles::Engine>> engines;
  engines.push_back(oracles::createReferenceEngine());
  engines.push_back(oracles::createRecordedEngine(result, directory));
  oracles::DifferentialOptions options;
  options.compareWithSelf = false; // a record says the same again
  options.bounds = reference.get();
  return oracles::judgeModule(*testCase, result.version, engines, options).verdict;
}

int readResults() {
  oracles::VerdictCounts counts;
  for (const std::string &directory : inputs) {
    auto result = oracles::readReplayResult(directory);
    if (!result)
      return usageError(result.takeError());
    oracles::Verdict verdict = result->toVerdict();
    if (judged && !verdict.isUnavailable()) {
      auto found = judge(*result, directory);
      if (!found)
        return usageError(found.takeError());
      verdict = std::move(*found);
    }
    llvm::outs() << llvm::formatv("{0} {1} cuda: {2}", result->caseName, result->version,
                                  verdict.str());
    if (result->medianMs > 0)
      llvm::outs() << llvm::formatv(" ({0:f4} ms, {1:f4} to {2:f4}; {3})", result->medianMs,
                                    result->fastestMs, result->slowestMs, result->device);
    llvm::outs() << '\n';
    counts.add(verdict);
  }
  llvm::outs() << counts.str() << '\n';
  return oracles::exitCode(counts, {});
}

} // namespace

int tilesmith::fuzz::runBundle() {
  if (inputs.empty())
    return usageError("expected a case");
  if (showResults)
    return readResults();
  if (judged)
    return usageError("expected --judge with --results");
  if (inputs.size() != 1)
    return usageError("expected one case, found " + llvm::Twine(inputs.size()));
  if (output.empty())
    return usageError("expected -o DIR");
  std::optional<oracles::EngineOptions> engine = readEngineOptions();
  if (!engine)
    return kUsageError;
  std::string directory;
  auto testCase = loadOneCase(inputs.front(), &directory);
  if (!testCase)
    return usageError(testCase.takeError());
  if (llvm::Error error = OutputFolder::check(output, {inputs.front(), directory}))
    return usageError(std::move(error));
  const std::vector<std::string> versions = testCase->versions();
  if (versions.empty())
    return usageError("'" + inputs.front() + "' has no version that every launch has a module for");
  const std::string chosen = version.empty() ? versions.back() : version;
  if (!llvm::is_contained(versions, chosen))
    return usageError("expected --version to be one of " + llvm::join(versions, ", ") +
                      ", found '" + chosen + "'");
  oracles::BundleOptions options;
  options.engine = *engine;
  options.cubin = cubin;
  llvm::SmallString<128> source(directory);
  llvm::sys::fs::make_absolute(source);
  options.source = source.str();
  if (llvm::Error error = oracles::writeBundle(*testCase, chosen, options, output))
    return usageError(std::move(error));
  llvm::outs() << "wrote " << output << '\n';
  return 0;
}
