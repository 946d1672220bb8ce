//===- Campaign.cpp - judging many modules in worker processes --------------------------------===//
#include "fuzz/campaign/Campaign.h"

#include "compiler/bytecode/BytecodeReader.h"
#include "compiler/bytecode/BytecodeWriter.h"
#include "fuzz/campaign/ReportFormat.h"
#include "fuzz/campaign/WorkerPool.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"

#include <chrono>

using namespace tilesmith;
using namespace tilesmith::fuzz;
using oracles::ModuleReport;
using oracles::Verdict;

namespace {

/// The engines of a worker process, made on first use so that nothing starts before the fork.
llvm::ArrayRef<std::unique_ptr<oracles::Engine>> workerEngines(const std::string &list) {
  static std::vector<std::unique_ptr<oracles::Engine>> engines =
      llvm::cantFail(oracles::createEngines(list));
  return engines;
}

/// What a worker answered, or what became of it.
ModuleReport reportOf(const TaskResult &result, llvm::StringRef caseName, llvm::StringRef version,
                      double limit) {
  ModuleReport report;
  if (result.status == TaskResult::Status::Done) {
    auto parsed = reportFromJson(result.text);
    if (parsed)
      return *parsed;
    report.verdict = Verdict::disagree("campaign", "worker", llvm::toString(parsed.takeError()));
  } else if (result.status == TaskResult::Status::Crashed) {
    report.verdict = Verdict::disagree("crash", "compiling or running the case", result.text);
  } else {
    report.verdict =
        Verdict::inconclusive(llvm::formatv("time limit: stopped after {0} seconds", limit));
  }
  report.caseName = caseName.str();
  report.version = version.str();
  return report;
}

std::string checkStored(const StoredModule &module, const CampaignOptions &options) {
  auto testCase = testcase::loadTestCase(module.directory);
  if (!testCase) {
    ModuleReport report;
    report.caseName = module.caseName;
    report.version = module.version;
    report.verdict =
        Verdict::disagree("case", module.directory, llvm::toString(testCase.takeError()));
    return toJson(report);
  }
  ModuleReport report = oracles::judgeModule(*testCase, module.version,
                                             workerEngines(options.engines), options.differential);
  report.caseName = module.caseName;
  return toJson(report);
}

/// Saves a finding beside its verdict; returns the folder, or what went wrong.
std::string saveFinding(const FuzzOptions &fuzz, testcase::TestCase testCase,
                        const Verdict &verdict) {
  testCase.notes = verdict.str();
  std::string directory = fuzz.findings + "/" + testCase.name;
  if (std::error_code code = llvm::sys::fs::create_directories(fuzz.findings))
    return "(not saved: " + code.message() + ")";
  if (llvm::Error error = testcase::saveTestCase(testCase, directory))
    return "(not saved: " + llvm::toString(std::move(error)) + ")";
  return directory;
}

llvm::Expected<testcase::TestCase> generateCase(const FuzzOptions &fuzz, uint64_t index) {
  static generators::ProgramGenerator generator;
  generators::ChoiceStream stream = generators::streamOfCase(fuzz.seed, index);
  auto testCase =
      generator.generate(stream, generators::nameOfCase(fuzz.seed, index), fuzz.generator);
  if (testCase)
    testCase->generator = llvm::json::Object{{"name", "program"},
                                             {"seed", static_cast<int64_t>(fuzz.seed)},
                                             {"index", static_cast<int64_t>(index)}};
  return testCase;
}

/// What is wrong with reading and writing the modules of a case: the same bytes must come out, also
/// after a way through text.
std::optional<Verdict> roundTrip(const testcase::TestCase &testCase) {
  const testcase::ModuleFile &file = testCase.launches.front().modules.front();
  llvm::StringRef data(reinterpret_cast<const char *>(file.bytes.data()), file.bytes.size());
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  auto module = bytecode::readBytecode(data, &context);
  if (!module)
    return Verdict::disagree("bytecode", "reader", llvm::toString(module.takeError()));
  bytecode::Version version;
  version.minor = static_cast<uint8_t>(file.version.back() - '0');
  auto compare = [&](cuda_tile::ModuleOp op, const std::string &what) -> std::optional<Verdict> {
    std::string again;
    llvm::raw_string_ostream sink(again);
    if (llvm::Error error = bytecode::writeBytecode(op, sink, version))
      return Verdict::disagree(what, "writer", llvm::toString(std::move(error)));
    if (again != data)
      return Verdict::disagree(
          what, "round trip",
          llvm::formatv("{0} bytes became {1} others", data.size(), again.size()));
    return std::nullopt;
  };
  if (auto verdict = compare(**module, "bytecode"))
    return verdict;
  std::string text;
  llvm::raw_string_ostream(text) << **module;
  std::string diagnostics;
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
    diagnostics += diagnostic.str() + "\n";
    return mlir::success();
  });
  auto parsed = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  auto modules = parsed ? llvm::to_vector(parsed->getOps<cuda_tile::ModuleOp>())
                        : llvm::SmallVector<cuda_tile::ModuleOp>();
  if (modules.size() != 1)
    return Verdict::disagree("text", "parser", diagnostics);
  return compare(modules.front(), "text");
}

std::string fuzzOne(const FuzzOptions &fuzz, const CampaignOptions &options, uint64_t index) {
  auto testCase = generateCase(fuzz, index);
  if (!testCase) {
    ModuleReport report;
    report.caseName = generators::nameOfCase(fuzz.seed, index);
    report.verdict = Verdict::disagree("generator", "module", llvm::toString(testCase.takeError()));
    return toJson(report);
  }
  ModuleReport report = oracles::judgeModule(*testCase, testCase->versions().front(),
                                             workerEngines(options.engines), options.differential);
  if (std::optional<Verdict> verdict = roundTrip(*testCase))
    report.verdict = combine(*verdict, report.verdict);
  return toJson(report);
}

} // namespace

oracles::VerdictCounts tilesmith::fuzz::checkCases(llvm::ArrayRef<StoredModule> modules,
                                                   const CampaignOptions &options,
                                                   const OnReport &onReport) {
  oracles::VerdictCounts counts;
  std::map<uint64_t, ModuleReport> waiting; // finished ahead of their turn
  uint64_t handedOut = 0, printed = 0;
  WorkerPool pool(options.jobs, options.secondsPerModule,
                  [&](uint64_t task) { return checkStored(modules[task], options); });
  pool.run(
      [&]() -> std::optional<uint64_t> {
        return handedOut < modules.size() ? std::optional<uint64_t>(handedOut++) : std::nullopt;
      },
      [&](const TaskResult &result) {
        const StoredModule &module = modules[result.task];
        waiting.emplace(result.task, reportOf(result, module.caseName, module.version,
                                              options.secondsPerModule));
        for (auto it = waiting.find(printed); it != waiting.end(); it = waiting.find(++printed)) {
          counts.add(it->second.verdict);
          counts.floats += it->second.floats;
          onReport(it->second);
          waiting.erase(it);
        }
        return true;
      });
  return counts;
}

FuzzResult tilesmith::fuzz::fuzzCases(const FuzzOptions &fuzz, const CampaignOptions &options,
                                      const std::function<void(const Finding &)> &onFinding,
                                      const OnProgress &onProgress) {
  FuzzResult result;
  uint64_t handedOut = 0;
  auto start = std::chrono::steady_clock::now();
  auto elapsed = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  WorkerPool pool(options.jobs, options.secondsPerModule,
                  [&](uint64_t task) { return fuzzOne(fuzz, options, task); });
  pool.run(
      [&]() -> std::optional<uint64_t> {
        if ((fuzz.count && handedOut >= fuzz.count) ||
            (fuzz.seconds > 0 && elapsed() >= fuzz.seconds))
          return std::nullopt;
        return handedOut++;
      },
      [&](const TaskResult &task) {
        std::string name = generators::nameOfCase(fuzz.seed, task.task);
        ModuleReport report = reportOf(task, name, "", options.secondsPerModule);
        result.counts.add(report.verdict);
        result.counts.floats += report.floats;
        if (report.verdict.isInconclusive())
          ++result.inconclusiveReasons
                [llvm::StringRef(report.verdict.reason).split('\n').first.str()];
        if (report.verdict.isDisagree()) {
          // Made again here: the worker may have died of it.
          auto testCase = generateCase(fuzz, task.task);
          std::string directory = testCase
                                      ? saveFinding(fuzz, std::move(*testCase), report.verdict)
                                      : "(not saved: " + llvm::toString(testCase.takeError()) + ")";
          onFinding({name, directory, report.verdict});
          if (fuzz.stopAtFirst)
            return false;
        }
        onProgress(result.counts, elapsed());
        return true;
      });
  result.seconds = elapsed();
  return result;
}
