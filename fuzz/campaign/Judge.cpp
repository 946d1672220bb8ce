//===- Judge.cpp - one module judged as a campaign judges it ----------------------------------===//
#include "fuzz/campaign/Judge.h"

#include "compiler/bytecode/BytecodeReader.h"
#include "compiler/bytecode/BytecodeWriter.h"
#include "fuzz/campaign/ReportFormat.h"
#include "oracles/compilation/Compilation.h"
#include "oracles/diagnostics/DiagnosticsOracle.h"
#include "oracles/differential/ModuleEquality.h"
#include "oracles/engines/ContextPool.h"
#include "oracles/engines/EngineSettings.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/xxhash.h"

#include <chrono>
#include <map>

using namespace tilesmith;
using namespace tilesmith::fuzz;
using oracles::ModuleReport;
using oracles::Verdict;

/// Requests after which a child is replaced: its contexts grow with every module.
static constexpr unsigned kRequestsPerChild = 300;

static llvm::ArrayRef<std::unique_ptr<oracles::Engine>> enginesOf(const std::string &list) {
  static std::map<std::string, std::vector<std::unique_ptr<oracles::Engine>>> all;
  auto [it, isNew] = all.try_emplace(list);
  if (isNew)
    it->second = llvm::cantFail(oracles::createEngines(list));
  return it->second;
}

/// What is wrong with reading and writing a module: written again and read from its own text, it
/// must be the same in memory. A fresh one must also become the same bytes, after a way through
/// text too; one of ours the same bytes. Tables of an older generator's modules and of other
/// writers may come in another order.
static std::optional<Verdict> roundTrip(const testcase::ModuleFile &file,
                                        const testcase::TestCase &testCase, bool fresh) {
  bool ours = testCase.generator.has_value();
  llvm::StringRef data(reinterpret_cast<const char *>(file.bytes.data()), file.bytes.size());
  std::shared_ptr<mlir::MLIRContext> context = oracles::borrowContext();
  auto module = bytecode::readBytecode(data, context.get());
  if (!module)
    return testCase.mayReject
               ? Verdict::inconclusive("round trips: " + llvm::toString(module.takeError()))
               : Verdict::disagree("bytecode", "reader", llvm::toString(module.takeError()));
  bytecode::Version version;
  version.minor = static_cast<uint8_t>(file.version.back() - '0');
  auto sameInMemory = [&](cuda_tile::ModuleOp other,
                          const std::string &what) -> std::optional<Verdict> {
    if (auto difference = oracles::firstDifference(**module, other))
      return Verdict::disagree(what, "round trip", *difference);
    return std::nullopt;
  };
  auto sameBytes = [&](cuda_tile::ModuleOp op, const std::string &what,
                       bool always) -> std::optional<Verdict> {
    std::string again;
    llvm::raw_string_ostream sink(again);
    if (llvm::Error error = bytecode::writeBytecode(op, sink, version))
      return Verdict::disagree(what, "writer", llvm::toString(std::move(error)));
    if (again == data)
      return std::nullopt;
    if (always)
      return Verdict::disagree(
          what, "round trip",
          llvm::formatv("{0} bytes became {1} others", data.size(), again.size()));
    auto other = bytecode::readBytecode(again, context.get());
    if (!other)
      return Verdict::disagree(what, "reader", llvm::toString(other.takeError()));
    return sameInMemory(**other, what);
  };
  if (auto verdict = sameBytes(**module, "bytecode", /*always=*/ours))
    return verdict;
  mlir::OpPrintingFlags flags;
  flags.assumeVerified(); // by the reader
  std::string text;
  llvm::raw_string_ostream sink(text);
  (*module)->print(sink, flags);
  std::string diagnostics;
  mlir::ScopedDiagnosticHandler handler(context.get(), [&](mlir::Diagnostic &diagnostic) {
    diagnostics += diagnostic.str() + "\n";
    return mlir::success();
  });
  auto parsed = mlir::parseSourceString<mlir::ModuleOp>(text, context.get());
  auto modules = parsed ? llvm::to_vector(parsed->getOps<cuda_tile::ModuleOp>())
                        : llvm::SmallVector<cuda_tile::ModuleOp>();
  if (modules.size() != 1)
    return Verdict::disagree("text", "parser", diagnostics);
  if (auto verdict = sameInMemory(modules.front(), "text"))
    return verdict;
  return fresh ? sameBytes(modules.front(), "text", /*always=*/true) : std::nullopt;
}

Verdict tilesmith::fuzz::judgeRoundTrips(const testcase::TestCase &testCase,
                                         llvm::StringRef version, bool fresh) {
  const testcase::ModuleFile *file = testCase.launches.front().module(version);
  if (!file || llvm::StringRef(file->file).ends_with(".mlir"))
    return Verdict::inconclusive("round trips: no bytecode of this version");
  return roundTrip(*file, testCase, fresh).value_or(Verdict::agree());
}

Verdict tilesmith::fuzz::judgeHazards(const testcase::TestCase &testCase, llvm::StringRef version,
                                      const oracles::EngineOptions &options) {
  using Status = oracles::EngineResult::Status;
  oracles::EngineOptions racing = options;
  racing.emulator.detectRaces = true;
  oracles::EngineResult result =
      enginesOf("emulator").front()->run({testCase, version.str(), racing});
  if (result.status == Status::Failed)
    return Verdict::disagree("hazards", "emulated GPU", result.message);
  if (result.completed() || result.status == Status::Trapped)
    return Verdict::agree();
  return Verdict::inconclusive("hazards: " + result.message);
}

/// A module that must be refused, for the right reason; no engine needs to see it.
static ModuleReport judgeInvalid(const testcase::TestCase &testCase, llvm::StringRef version,
                                 const oracles::ExternalTools &external) {
  ModuleReport report;
  report.caseName = testCase.name;
  report.version = version.str();
  auto start = std::chrono::steady_clock::now();
  report.verdict = oracles::judgeRejection(testCase, version);
  std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  report.engines.push_back({"verifier", report.verdict, elapsed.count()});
  if (external.any())
    report.verdict = combine(report.verdict, oracles::judgeExternally(external, testCase, version));
  return report;
}

/// Whether the case is one in `share`, by its name; `salt` keeps several draws apart.
static bool isDrawn(const testcase::TestCase &testCase, unsigned share, unsigned salt) {
  return share && (llvm::xxh3_64bits(testCase.name) >> salt) % share == 0;
}

ModuleReport tilesmith::fuzz::judge(const testcase::TestCase &testCase, llvm::StringRef version,
                                    const JudgeOptions &options) {
  if (testCase.expectReject)
    return judgeInvalid(testCase, version, options.external);
  oracles::DifferentialOptions differential = options.differential;
  differential.bounds = enginesOf("reference").front().get();
  ModuleReport report =
      oracles::judgeModule(testCase, version, enginesOf(options.engines), differential);
  if (Verdict verdict = judgeRoundTrips(testCase, version, options.fresh); verdict.isDisagree())
    report.verdict = combine(verdict, report.verdict);
  // An engine that refuses the module, or stops, has said more already.
  auto also = [&](unsigned share, unsigned salt, auto oracle) {
    if (report.verdict.isAgree() && !testCase.mayReject && isDrawn(testCase, share, salt))
      if (Verdict verdict =
              oracle(testCase, version,
                     oracles::drawEngineOptions(options.differential.engine, testCase.name));
          verdict.isDisagree())
        report.verdict = verdict;
  };
  also(options.compilationShare, 32, oracles::judgeCompilation);
  also(options.hazardShare, 40, judgeHazards);
  if (options.external.any())
    report.verdict =
        combine(report.verdict, oracles::judgeExternally(options.external, testCase, version));
  return report;
}

JudgeOptions tilesmith::fuzz::focusOn(const ModuleReport &report, llvm::StringRef caseName,
                                      JudgeOptions options) {
  std::string spec;
  for (const oracles::EngineReport &engine : report.engines) {
    // Its own contradiction, or `NAME against reference`.
    bool named = llvm::StringRef(report.verdict.what).starts_with(engine.engine + " ");
    if (engine.engine != "reference" && (named || (spec.empty() && engine.verdict.isDisagree())))
      spec = engine.engine;
  }
  if (spec.empty())
    return options;
  oracles::EngineSpec parsed = llvm::cantFail(oracles::parseEngineSpec(spec));
  options.differential.engine =
      parsed.settings.applyTo(std::move(options.differential.engine), caseName);
  options.engines = "reference," + parsed.name;
  return options;
}

Verdict tilesmith::fuzz::verdictOf(const WorkerAnswer &answer) {
  switch (answer.status) {
  case WorkerAnswer::Status::Done:
    return Verdict::disagree("campaign", "worker", answer.text);
  case WorkerAnswer::Status::Crashed:
    return Verdict::disagree("crash", "compiling or running the case", answer.text);
  case WorkerAnswer::Status::TimedOut:
    return Verdict::inconclusive("time limit: " + answer.text);
  case WorkerAnswer::Status::OutOfMemory:
    return Verdict::inconclusive(answer.text);
  }
  llvm_unreachable("all statuses are listed");
}

ForkedJudge::ForkedJudge(WorkerLimits limits, std::function<void()> prepare)
    : limits(limits), prepare(std::move(prepare)) {
  llvm::SmallString<128> path;
  if (!llvm::sys::fs::createUniqueDirectory("tilesmith-judge", path))
    directory = path.str().str();
}

ForkedJudge::~ForkedJudge() {
  process.stop();
  if (!directory.empty())
    llvm::sys::fs::remove_directories(directory);
}

/// The options as a request; the case lies in the folder.
static std::string encode(const std::string &directory, llvm::StringRef version,
                          const JudgeOptions &options) {
  const oracles::ExternalTools &external = options.external;
  llvm::json::Object object{
      {"case", directory},
      {"version", version},
      {"engines", options.engines},
      {"self", options.differential.compareWithSelf},
      {"options", llvm::json::Array(oracles::printEngineOptions(options.differential.engine))},
      {"compilation", options.compilationShare},
      {"hazards", options.hazardShare},
      {"external", llvm::json::Object{{"compiler", external.compiler},
                                      {"verifier", external.verifier},
                                      {"gpu", external.gpuName},
                                      {"level", external.optLevel},
                                      {"draw", external.draw},
                                      {"seconds", external.seconds},
                                      {"mebibytes", external.mebibytes}}}};
  return llvm::formatv("{0}", llvm::json::Value(std::move(object)));
}

static std::string judgeRequest(llvm::StringRef request) {
  llvm::json::Value value = llvm::cantFail(llvm::json::parse(request));
  const llvm::json::Object &object = *value.getAsObject();
  auto text = [&](llvm::StringRef key) { return object.getString(key).value_or("").str(); };
  JudgeOptions options;
  options.engines = text("engines");
  options.compilationShare = static_cast<unsigned>(object.getInteger("compilation").value_or(8));
  options.hazardShare = static_cast<unsigned>(object.getInteger("hazards").value_or(16));
  options.differential.compareWithSelf = object.getBoolean("self").value_or(true);
  std::vector<std::string> words;
  for (const llvm::json::Value &word : *object.getArray("options"))
    words.push_back(word.getAsString()->str());
  llvm::cantFail(oracles::parseEngineOptions(words, options.differential.engine));
  const llvm::json::Object &external = *object.getObject("external");
  options.external.compiler = external.getString("compiler")->str();
  options.external.verifier = external.getString("verifier")->str();
  options.external.gpuName = external.getString("gpu")->str();
  options.external.optLevel = static_cast<unsigned>(*external.getInteger("level"));
  options.external.draw = *external.getBoolean("draw");
  options.external.seconds = static_cast<unsigned>(*external.getInteger("seconds"));
  options.external.mebibytes = static_cast<unsigned>(*external.getInteger("mebibytes"));
  auto testCase = testcase::loadTestCase(text("case"));
  if (!testCase) {
    ModuleReport report;
    report.verdict = Verdict::disagree("case", text("case"), llvm::toString(testCase.takeError()));
    return toJson(report);
  }
  return toJson(judge(*testCase, text("version"), options));
}

ModuleReport ForkedJudge::judge(const testcase::TestCase &testCase, llvm::StringRef version,
                                const JudgeOptions &options) {
  ModuleReport report;
  report.caseName = testCase.name;
  report.version = version.str();
  if (llvm::Error error = testcase::saveTestCase(testCase, directory + "/case")) {
    report.verdict = Verdict::inconclusive("no case to judge: " + llvm::toString(std::move(error)));
    return report;
  }
  if (++served % kRequestsPerChild == 0)
    process.stop();
  auto work = [this, prepared = false](llvm::StringRef request) mutable {
    if (prepare && !prepared)
      prepare();
    prepared = true;
    return judgeRequest(request);
  };
  WorkerAnswer answer = process.ask(work, limits, encode(directory + "/case", version, options));
  if (answer.status == WorkerAnswer::Status::Done) {
    if (auto parsed = reportFromJson(answer.text))
      return *parsed;
    else
      llvm::consumeError(parsed.takeError());
  }
  report.verdict = verdictOf(answer);
  return report;
}
