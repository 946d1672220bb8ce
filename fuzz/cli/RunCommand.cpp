//===- RunCommand.cpp - tilesmith run CASE -o DIR ---------------------------------------------===//
//
// Runs a case on engines and keeps what each of them leaves, without judging: a file per engine and
// buffer, and `run.json` with how each run ended. Whether the results are right is the business of
// `check`.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/support/OutputFolder.h"
#include "fuzz/cli/Commands.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace tilesmith;
using namespace tilesmith::fuzz;
namespace cl = llvm::cl;

cl::SubCommand &tilesmith::fuzz::runCommand() {
  static cl::SubCommand command("run", "run a case and keep the buffers that each engine leaves");
  return command;
}

static cl::opt<std::string> input(cl::Positional, cl::desc("CASE"), cl::sub(runCommand()));
static cl::opt<std::string> output("o", cl::desc("folder of the results"), cl::value_desc("DIR"),
                                   cl::sub(runCommand()));
static cl::opt<std::string>
    engineList("engine", cl::desc("engines, separated by commas (default reference,emulator)"),
               cl::value_desc("LIST"), cl::init("reference,emulator"), cl::sub(runCommand()));
static cl::opt<std::string> version("version", cl::desc("bytecode version (default: the newest)"),
                                    cl::value_desc("13.N"), cl::sub(runCommand()));

/// The name of an engine as part of a file name.
static std::string fileWord(llvm::StringRef engine) {
  std::string word;
  for (char c : engine)
    word += llvm::isAlnum(c) || c == '_' ? c : '-';
  return word;
}

static llvm::json::Object describe(const oracles::EngineResult &result, llvm::StringRef engine) {
  llvm::json::Object row{{"engine", engine}, {"status", oracles::toString(result.status)}};
  if (!result.message.empty())
    row["message"] = result.message;
  if (!result.label.empty())
    row["label"] = result.label;
  if (!result.printed.empty())
    row["printed"] = llvm::json::fixUTF8(result.printed);
  return row;
}

/// Runs one engine; its buffers go into the folder. Returns its row of run.json.
static llvm::Expected<llvm::json::Object> runEngine(oracles::Engine &engine,
                                                    const oracles::EngineRequest &request,
                                                    const OutputFolder &folder) {
  oracles::EngineResult result = engine.run(request);
  llvm::outs() << llvm::formatv("{0}: {1}{2}{3}\n", engine.name(), oracles::toString(result.status),
                                result.message.empty() ? "" : ": ", result.message);
  llvm::outs() << result.printed;
  llvm::json::Object row = describe(result, engine.name());
  llvm::json::Array buffers;
  for (auto [i, buffer] : llvm::enumerate(result.buffers)) {
    std::string name = llvm::formatv("{0}.b{1}.bin", fileWord(engine.name()), i);
    if (llvm::Error error = folder.write(name, llvm::toStringRef(buffer.bytes)))
      return std::move(error);
    buffers.push_back(name);
  }
  if (result.completed())
    row["buffers"] = std::move(buffers);
  return row;
}

int tilesmith::fuzz::runRun() {
  if (input.empty() || output.empty())
    return usageError("expected a case and -o DIR");
  std::optional<oracles::EngineOptions> options = readEngineOptions();
  if (!options)
    return kUsageError;
  std::string directory;
  auto testCase = loadOneCase(input, &directory);
  if (!testCase)
    return usageError(testCase.takeError());
  auto engines = oracles::createEngines(engineList);
  if (!engines)
    return usageError(engines.takeError());
  const std::vector<std::string> versions = testCase->versions();
  if (versions.empty())
    return usageError("'" + input + "' has no version that every launch has a module for");
  const std::string chosen = version.empty() ? versions.back() : version;
  if (!llvm::is_contained(versions, chosen))
    return usageError("expected --version to be one of " + llvm::join(versions, ", ") +
                      ", found '" + chosen + "'");
  if (llvm::Error error = OutputFolder::check(output, {input, directory}))
    return usageError(std::move(error));
  auto folder = OutputFolder::create(output);
  if (!folder)
    return usageError(folder.takeError());

  llvm::json::Array rows;
  size_t completed = 0;
  bool failed = false;
  for (const std::unique_ptr<oracles::Engine> &engine : *engines) {
    auto row = runEngine(*engine, {*testCase, chosen, *options}, *folder);
    if (!row)
      return usageError(row.takeError());
    completed +=
        row->getString("status") == oracles::toString(oracles::EngineResult::Status::Completed);
    failed |= row->getString("status") == oracles::toString(oracles::EngineResult::Status::Failed);
    rows.push_back(std::move(*row));
  }
  llvm::json::Object all{{"case", testCase->name}, {"version", chosen}, {"runs", std::move(rows)}};
  if (llvm::Error error = folder->write(
          "run.json", llvm::formatv("{0:2}\n", llvm::json::Value(std::move(all))).str()))
    return usageError(std::move(error));
  if (llvm::Error error = folder->keep())
    return usageError(std::move(error));
  llvm::outs() << llvm::formatv("{0} of {1} engines completed; saved to {2}\n", completed,
                                engines->size(), output);
  return failed ? 1 : completed == engines->size() ? 0 : 3;
}
