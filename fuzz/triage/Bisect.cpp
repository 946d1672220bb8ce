//===- Bisect.cpp - which pass is to blame ----------------------------------------------------===//
#include "fuzz/triage/Bisect.h"

#include "compiler/bytecode/BytecodeReader.h"
#include "compiler/bytecode/BytecodeWriter.h"
#include "compiler/pipeline/Pipeline.h"
#include "compiler/pipeline/Registration.h"
#include "fuzz/triage/EmulatorProbe.h"
#include "fuzz/triage/Erasure.h"
#include "fuzz/triage/LoweringProbe.h"
#include "fuzz/triage/OpenProbe.h"
#include "fuzz/triage/Signature.h"
#include "oracles/engines/ContextPool.h"

#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tilesmith;
using namespace tilesmith::fuzz;
using oracles::ModuleReport;
using oracles::Verdict;

/// The steps behind nv_tileas that no engine looks between.
static constexpr llvm::StringLiteral kLowering =
    "convert-tileas-to-nvgpu, convert-gpu-to-nvvm, translation to LLVM IR, emulator";
static constexpr llvm::StringLiteral kBehindGPU =
    "convert-gpu-to-nvvm, translation to LLVM IR, emulator";
/// And those that go with them where nv_tileas could not be run.
static constexpr llvm::StringLiteral kBeforeLowering =
    "convert-tileaa-to-tileas, tileas-insert-barriers, ";

std::string Blame::str() const {
  std::string text = (pass.empty() ? "unknown" : pass) + " (" + component + ")";
  if (!exposedBy.empty())
    text += ", shown by " + exposedBy;
  if (!decided)
    text += "; not told apart: " + interval;
  return text;
}

std::optional<Attribution> tilesmith::fuzz::attributionBeyond(llvm::StringRef engine) {
  if (engine == "external")
    return Attribution{"external compiler", "external compiler", ""};
  if (engine == "cuda")
    return Attribution{
        "PTX backend", "PTX backend",
        "PTX backend of LLVM, ptxas, GPU and its driver, inline PTX of the emulator's "
        "twins"};
  return std::nullopt;
}

/// The passes of the pipeline under a limit, by name.
static std::vector<std::string> passes(const oracles::EngineOptions &options, int64_t limit) {
  mlir::DialectRegistry registry;
  registerCompilerDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  mlir::PassManager manager(&context);
  CompileOptions compile = options.compile;
  compile.optBisectLimit = limit;
  int64_t count = 0;
  buildPipeline(manager, compile, Stage::CudaTile, Stage::NVVM, count);
  std::vector<std::string> names;
  for (mlir::Pass &pass : manager)
    names.push_back((pass.getArgument().empty() ? pass.getName() : pass.getArgument()).str());
  return names;
}

std::vector<std::string> tilesmith::fuzz::optionalPasses(const oracles::EngineOptions &options) {
  std::vector<std::string> result, before = passes(options, 0);
  for (int64_t limit = 1;; ++limit) {
    std::vector<std::string> after = passes(options, limit);
    if (after.size() == before.size())
      return result;
    size_t at = 0;
    while (at < before.size() && before[at] == after[at])
      ++at;
    result.push_back(after[at]);
    before = std::move(after);
  }
}

namespace {

/// Whether the file is well formed, whatever the module says: text can be parsed without the
/// verifier; bytes, read without it and written again, are the same. Runs in a child.
bool bytesAreSound(const testcase::ModuleFile &file, const std::function<void()> &prepare) {
  WorkerProcess process;
  auto work = [&](llvm::StringRef) -> std::string {
    if (prepare)
      prepare();
    llvm::StringRef data(reinterpret_cast<const char *>(file.bytes.data()), file.bytes.size());
    std::shared_ptr<mlir::MLIRContext> context = oracles::borrowContext();
    mlir::ScopedDiagnosticHandler quiet(context.get(),
                                        [](mlir::Diagnostic &) { return mlir::success(); });
    if (!bytecode::isTileIRBytecode(data)) {
      mlir::Block top;
      mlir::ParserConfig config(context.get(), /*verifyAfterParse=*/false);
      return llvm::succeeded(mlir::parseSourceString(data, &top, config)) ? "sound" : "no module";
    }
    auto version = bytecode::readVersion(data);
    if (!version)
      return llvm::toString(version.takeError());
    auto module = bytecode::readBytecode(data, context.get(), {.verify = false});
    if (!module)
      return llvm::toString(module.takeError());
    std::string again;
    llvm::raw_string_ostream sink(again);
    if (llvm::Error error = bytecode::writeBytecode(**module, sink, *version))
      return llvm::toString(std::move(error));
    return again == data ? "sound" : "other bytes";
  };
  WorkerAnswer answer = process.ask(work, {60, 0}, "read");
  return answer.status == WorkerAnswer::Status::Done && answer.text == "sound";
}

class Bisector {
public:
  Bisector(const testcase::TestCase &testCase, llvm::StringRef version,
           const BisectOptions &options)
      : testCase(testCase), version(version.str()), options(options), settings(options.judge),
        forked(options.limits, options.prepare) {}

  llvm::Expected<Blame> run();

private:
  using Kind = Verdict::Kind;

  Kind judge(llvm::StringRef engine, int64_t limit);
  bool fails(llvm::StringRef engine, int64_t limit) {
    return judge(engine, limit) == Kind::Disagree;
  }
  /// The least number of optional passes with which the engine disagrees, between `good` and `bad`.
  int64_t firstBad(llvm::StringRef engine, int64_t good, int64_t bad);
  Blame blame(std::string component, std::string pass) {
    result.component = std::move(component);
    result.pass = std::move(pass);
    return result;
  }
  Blame undecided(std::string component, std::string pass, std::string interval) {
    result.decided = false;
    result.interval = std::move(interval);
    return blame(std::move(component), std::move(pass));
  }
  /// Whether all that is wrong was left open by this engine, which therefore saw nothing.
  bool leavesOpen(llvm::StringRef engine, int64_t limit);
  Blame lowering(bool tileasIsRight);
  int64_t optionalBefore(llvm::StringRef pass) const;

  const testcase::TestCase &testCase;
  std::string version;
  const BisectOptions &options;
  JudgeOptions settings; ///< of the engine that fails
  ForkedJudge forked;
  std::vector<std::string> optional;
  Blame result;
};

Verdict::Kind Bisector::judge(llvm::StringRef engine, int64_t limit) {
  JudgeOptions judge = settings;
  judge.engines = "reference," + engine.str();
  judge.differential.engine.compile.optBisectLimit = limit;
  ModuleReport report = forked.judge(testCase, version, judge);
  result.steps.push_back(
      {llvm::formatv("{0}, -O{1}, {2} of {3} optional passes", judge.engines,
                     judge.differential.engine.compile.optLevel, limit, optional.size()),
       report.verdict});
  return report.verdict.kind;
}

int64_t Bisector::firstBad(llvm::StringRef engine, int64_t good, int64_t bad) {
  while (bad - good > 1) {
    int64_t middle = good + (bad - good) / 2;
    (fails(engine, middle) ? bad : good) = middle;
  }
  return bad;
}

/// How many optional passes come before a mandatory one.
int64_t Bisector::optionalBefore(llvm::StringRef pass) const {
  auto position = [&](int64_t limit) {
    std::vector<std::string> all = passes(settings.differential.engine, limit);
    return llvm::find(all, pass) - all.begin();
  };
  return position(-1) - position(0);
}

bool Bisector::leavesOpen(llvm::StringRef engine, int64_t limit) {
  llvm::StringRef last = llvm::StringRef(settings.engines).rsplit(',').second;
  std::optional<OpenProbe> probe = probeOpenInChild(testCase, version, settings.differential.engine,
                                                    engine, limit, last, options.prepare);
  if (!probe || !probe->explains())
    return false;
  result.steps.push_back(
      {llvm::formatv("what {0} leaves open", engine),
       Verdict::disagree(engine.str(), "open elements",
                         llvm::formatv("all {0} wrong elements are poison here", probe->wrong))});
  return true;
}

/// What comes behind nv_tileas is to blame.
Blame Bisector::lowering(bool tileasIsRight) {
  if (leavesOpen("tileaa", 0))
    return blame("pass", "convert-cudatile-to-tileaa");
  if (tileasIsRight && leavesOpen("tileas", 0))
    return undecided("pass", "convert-tileaa-to-tileas",
                     "convert-tileaa-to-tileas, tileas-insert-barriers");
  if (std::optional<std::string> broken = probeEmulatorInChild(options.prepare)) {
    result.steps.push_back({"emulator by itself", Verdict::disagree("emulator", "probe", *broken)});
    return blame("emulator", "emulator");
  }
  if (std::optional<LoweringProbe> probe =
          probeLoweringInChild(testCase, version, settings.differential.engine, options.prepare)) {
    std::string what =
        llvm::formatv("convert-gpu-to-nvvm, {0} scalar operations one by one", probe->asked);
    result.steps.push_back({what, probe->broken.empty()
                                      ? Verdict::agree()
                                      : Verdict::disagree("emulator", "fold", probe->broken)});
    if (!probe->broken.empty())
      return undecided("pass", "convert-gpu-to-nvvm", kBehindGPU.str());
  }
  return undecided("pass", "convert-tileas-to-nvgpu",
                   (tileasIsRight ? "" : kBeforeLowering.str()) + kLowering.str());
}

llvm::Expected<Blame> Bisector::run() {
  ModuleReport report = forked.judge(testCase, version, options.judge);
  result.steps.push_back({options.judge.engines, report.verdict});
  if (!report.verdict.isDisagree())
    return llvm::createStringError("expected a case that fails, found: " + report.verdict.str());
  if (report.verdict.what == "bytecode" || report.verdict.what == "text")
    return blame("frontend", report.verdict.what + " " + report.verdict.where);
  // A module that must be refused, and was not, or for another reason.
  if (report.verdict.what == "diagnostics") {
    bool sound = llvm::all_of(testCase.launches, [&](const testcase::Launch &launch) {
      const testcase::ModuleFile *file = launch.module(version);
      return file && bytesAreSound(*file, options.prepare);
    });
    return undecided("frontend", sound ? "verifier" : "bytecode reader",
                     "bytecode reader or parser, verifier, diagnostics oracle");
  }
  // All engines share the reader and the verifier.
  bool engineAgainstReference = !report.cross.isAgree();
  for (const oracles::EngineReport &engine : report.engines)
    engineAgainstReference |= engine.engine != "reference" && engine.verdict.isDisagree() &&
                              !report.engines.front().verdict.isDisagree();
  if (!report.engines.empty() && !engineAgainstReference)
    return undecided("frontend", "bytecode reader",
                     "bytecode reader, verifier, reference, expectation of the case");

  settings = focusOn(report, testCase.name, options.judge);
  optional = optionalPasses(settings.differential.engine);
  auto total = static_cast<int64_t>(optional.size());
  // Code that went beyond our LLVM IR: to blame when the emulator runs that IR as it should.
  llvm::StringRef engine = llvm::StringRef(settings.engines).rsplit(',').second;
  if (std::optional<Attribution> beyond = attributionBeyond(engine))
    if (!fails("emulator", total))
      return beyond->interval.empty()
                 ? blame(beyond->component, beyond->pass)
                 : undecided(beyond->component, beyond->pass, beyond->interval);
  if (fails("tileaa", 0))
    return blame("pass", "convert-cudatile-to-tileaa");
  int64_t atTileAA = optionalBefore("convert-tileaa-to-tileas");
  if (atTileAA > 0 && fails("tileaa-opt", atTileAA))
    return blame("pass", optional[firstBad("tileaa-opt", 0, atTileAA) - 1]);

  int64_t atTileAS = optionalBefore("convert-tileas-to-nvgpu");
  Kind tileas = judge("tileas", atTileAS);
  if (tileas == Kind::Disagree) {
    if (atTileAS > 0 && !fails("tileas", 0))
      return blame("pass", optional[firstBad("tileas", 0, atTileAS) - 1]);
    // Engines in front of it run memory operations in program order and do not look at tokens.
    if (llvm::StringRef(result.steps.back().verdict.str()).contains("hazard: no barrier"))
      return undecided("pass", "tileas-insert-barriers",
                       "convert-cudatile-to-tileaa (tokens), optional passes over nv_tileaa "
                       "(tokens), convert-tileaa-to-tileas, tileas-insert-barriers");
    return undecided("pass", "convert-tileaa-to-tileas",
                     "convert-tileaa-to-tileas, tileas-insert-barriers");
  }
  bool tileasIsRight = tileas == Kind::Agree;

  if (!fails("emulator", total))
    return undecided("unknown", "", "the failure does not show with reference and emulator alone");
  if (total == 0 || fails("emulator", 0))
    return lowering(tileasIsRight);
  int64_t bad = firstBad("emulator", 0, total);
  std::string pass = optional[bad - 1];
  // Engines cleared the passes in front of the stage that they run; where nv_tileas could not be
  // run, a pass is cleared when it keeps the meaning of the program.
  bool cleared = bad <= (tileasIsRight ? atTileAS : atTileAA) ||
                 keepsMeaning(testCase, version, settings.differential.engine, bad);
  if (!cleared)
    return blame("pass", pass);
  result.exposedBy = pass;
  return lowering(tileasIsRight);
}

} // namespace

llvm::Expected<Blame> tilesmith::fuzz::bisect(const testcase::TestCase &testCase,
                                              llvm::StringRef version,
                                              const BisectOptions &options) {
  return Bisector(testCase, version, options).run();
}
