//===- CheckCommand.cpp - tilesmith check CASE|DIR... -----------------------------------------===//
//
// Judges every bytecode version of every case: one row per engine, then the counts. With -o also a
// file for other programs; with --quiet only rows of what does not agree, and the last line.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/support/WriteFile.h"
#include "fuzz/campaign/Interrupt.h"
#include "fuzz/campaign/ReportRows.h"
#include "fuzz/cli/Commands.h"
#include "fuzz/cli/LaunchCheck.h"
#include "fuzz/report/CheckReport.h"
#include "oracles/devices/emulator/Emulator.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace tilesmith;
using namespace tilesmith::fuzz;
namespace cl = llvm::cl;

cl::SubCommand &tilesmith::fuzz::checkCommand() {
  static cl::SubCommand command("check", "run cases, compare with expectations and across engines");
  return command;
}

static cl::list<std::string> inputs(cl::Positional, cl::desc("CASE|DIR..."),
                                    cl::sub(checkCommand()));

static cl::list<std::string> outputs("o", cl::desc("FILE.json or FILE.xml (JUnit); both at will"),
                                     cl::value_desc("FILE"), cl::sub(checkCommand()));
static cl::opt<bool> quiet("quiet", cl::desc("print only what does not agree, and the last line"),
                           cl::sub(checkCommand()));

static cl::opt<std::string>
    counterFile("counters", cl::ValueOptional, cl::value_desc("file"),
                cl::desc("print the emulator's counters of every launch; with a name, write them "
                         "there as JSON lines instead"),
                cl::sub(checkCommand()));

// Engines run in processes of their own, so the counters come back through a file.
static void printCounters(llvm::StringRef path) {
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file)
    return;
  llvm::SmallVector<llvm::StringRef> lines;
  (*file)->getBuffer().split(lines, '\n', -1, false);
  for (llvm::StringRef line : lines) {
    auto value = llvm::json::parse(line);
    if (!value) {
      llvm::consumeError(value.takeError());
      continue;
    }
    const llvm::json::Object &launch = *value->getAsObject();
    llvm::outs() << llvm::formatv("counters of {0} {1}, kernel {2}, {3}: {4}\n ",
                                  *launch.getString("case"), *launch.getString("version"),
                                  *launch.getString("kernel"), *launch.getString("schedule"),
                                  *launch.getString("status"));
    size_t column = 1;
    for (const auto &[name, unused] : emulator::counterFields({})) {
      const auto counter = launch.getObject("counters")->getInteger(name);
      const std::string text = llvm::formatv(" {0} {1}", name, counter.value_or(0));
      if (column + text.size() > 96) {
        llvm::outs() << "\n ";
        column = 1;
      }
      llvm::outs() << text;
      column += text.size();
    }
    llvm::outs() << '\n';
  }
}

/// Error: a name of another kind, or a file that was read.
static llvm::Error checkOutputs(llvm::ArrayRef<std::string> cases) {
  for (const std::string &path : outputs) {
    llvm::StringRef extension = llvm::sys::path::extension(path);
    if (extension != ".json" && extension != ".xml")
      return llvm::createStringError("expected a file that ends in .json or .xml, found '" + path +
                                     "'");
    if (llvm::Error error = checkOutputFile(path, cases))
      return error;
  }
  return llvm::Error::success();
}

static llvm::Error writeOutputs(llvm::ArrayRef<oracles::ModuleReport> reports) {
  for (const std::string &path : outputs) {
    std::string text;
    llvm::raw_string_ostream out(text);
    llvm::sys::path::extension(path) == ".json" ? writeCheckJson(out, reports)
                                                : writeCheckJunit(out, reports);
    if (llvm::Error error = writeFileAtomically(path, text))
      return error;
  }
  return llvm::Error::success();
}

int tilesmith::fuzz::runCheck() {
  std::optional<RunOptions> options = readRunOptions();
  if (!options)
    return kUsageError;
  oracles::EngineOptions &engine = options->campaign.judge.differential.engine;
  if (inputs.empty())
    return usageError("expected at least one case or folder of cases");
  auto directories = findCases(inputs);
  if (!directories)
    return usageError(directories.takeError());
  if (llvm::Error error = checkOutputs(*directories))
    return usageError(std::move(error));

  std::vector<StoredModule> modules;
  std::string wanted = options->version ? "13." + std::to_string(*options->version) : "";
  LaunchCheck launches;
  for (const std::string &directory : *directories) {
    auto testCase = testcase::loadTestCase(directory);
    if (!testCase)
      return usageError(testCase.takeError());
    if (llvm::Error error = launches.check(directory))
      return usageError(std::move(error));
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

  // Workers append to a file of their own, which the named one is written from at the end.
  llvm::SmallString<128> counterPath;
  const bool counts = counterFile.getNumOccurrences();
  if (counts) {
    if (llvm::Error error = checkOutputFile(counterFile, *directories))
      return usageError(std::move(error));
    if (std::error_code code =
            llvm::sys::fs::createTemporaryFile("tilesmith-counters", "json", counterPath))
      return usageError("no temporary file: " + code.message());
    engine.emulator.counterFile = counterPath.str().str();
  }
  llvm::scope_exit remove([&] {
    if (counts)
      llvm::sys::fs::remove(counterPath);
  });

  noteInterrupts();
  ProgressLine progress;
  if (!quiet)
    printRowHeader(llvm::outs());
  size_t finished = 0;
  std::vector<oracles::ModuleReport> reports;
  oracles::OracleCounts byOracle;
  oracles::VerdictCounts verdicts =
      checkCases(modules, options->campaign, [&](const oracles::ModuleReport &report) {
        progress.clear();
        if (!quiet || !report.verdict.isAgree())
          printRows(llvm::outs(), report);
        llvm::outs().flush();
        addCounts(byOracle, report);
        if (!outputs.empty())
          reports.push_back(report);
        progress.show(llvm::formatv("{0}/{1} modules", ++finished, modules.size()));
      });
  progress.clear();
  if (counts && counterFile.empty()) {
    printCounters(counterPath);
  } else if (counts) {
    auto lines = llvm::MemoryBuffer::getFile(counterPath);
    if (!lines)
      return usageError("cannot read '" + counterPath + "': " + lines.getError().message());
    if (llvm::Error error = writeFileAtomically(counterFile, (*lines)->getBuffer()))
      return usageError(std::move(error));
  }
  if (!quiet) {
    printOracleCounts(llvm::outs(), byOracle);
    if (verdicts.floats.total())
      llvm::outs() << verdicts.floats.str() << '\n';
  }
  llvm::outs() << verdicts.str() << '\n';
  if (llvm::Error error = writeOutputs(reports))
    return usageError(std::move(error));
  if (interrupted()) {
    llvm::outs() << llvm::formatv("interrupted after {0} of {1} modules\n", finished,
                                  modules.size());
    return kInterrupted;
  }
  return oracles::exitCode(verdicts, options->exit);
}
