//===- EngineBisect.cpp - which pass is to blame for a wrong result ---------------------------===//
#include "oracles/blame/EngineBisect.h"

#include "compiler/pipeline/Pipeline.h"
#include "compiler/pipeline/Registration.h"
#include "oracles/blame/EmulatorSelfTest.h"
#include "oracles/blame/LayoutEquivalence.h"
#include "oracles/blame/PoisonProbe.h"
#include "oracles/blame/ScalarLoweringProbe.h"
#include "oracles/engines/ModuleLoader.h"

#include "mlir/Pass/PassManager.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tilesmith;
using namespace tilesmith::oracles;

/// The steps behind nv_tileas that no engine looks between.
static constexpr llvm::StringLiteral kLowering =
    "convert-tileas-to-nvgpu, convert-gpu-to-nvvm, translation to LLVM IR, emulator";
static constexpr llvm::StringLiteral kBehindGPU =
    "convert-gpu-to-nvvm, translation to LLVM IR, emulator";
/// And those that go with them where nv_tileas could not be run.
static constexpr llvm::StringLiteral kBeforeLowering =
    "convert-tileaa-to-tileas, tileas-insert-barriers, ";

/// The passes of the pipeline under a limit, by name.
static std::vector<std::string> passes(const EngineOptions &options, bool isProgram,
                                       int64_t limit) {
  mlir::DialectRegistry registry;
  registerCompilerDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  mlir::PassManager manager(&context);
  CompileOptions compile = options.compile;
  compile.optBisectLimit = limit;
  int64_t count = 0;
  if (isProgram)
    addTileAAPasses(manager, compile, count);
  buildPipeline(manager, compile, isProgram ? Stage::TileAA : Stage::CudaTile, Stage::NVVM, count);
  std::vector<std::string> names;
  for (mlir::Pass &pass : manager)
    names.push_back((pass.getArgument().empty() ? pass.getName() : pass.getArgument()).str());
  return names;
}

std::vector<std::string> tilesmith::oracles::optionalPasses(const EngineOptions &options,
                                                            bool isProgram) {
  std::vector<std::string> result, before = passes(options, isProgram, 0);
  for (int64_t limit = 1;; ++limit) {
    std::vector<std::string> after = passes(options, isProgram, limit);
    if (after.size() == before.size())
      return result;
    size_t at = 0;
    while (at < before.size() && before[at] == after[at])
      ++at;
    result.push_back(after[at]);
    before = std::move(after);
  }
}

int64_t tilesmith::oracles::optionalPassesBefore(llvm::StringRef pass, const EngineOptions &options,
                                                 bool isProgram) {
  auto position = [&](int64_t limit) {
    std::vector<std::string> all = passes(options, isProgram, limit);
    return llvm::find(all, pass) - all.begin();
  };
  return position(-1) - position(0);
}

int64_t tilesmith::oracles::firstBad(int64_t good, int64_t bad,
                                     llvm::function_ref<bool(int64_t)> fails) {
  while (bad - good > 1) {
    int64_t middle = good + (bad - good) / 2;
    (fails(middle) ? bad : good) = middle;
  }
  return bad;
}

/// What an engine of that name runs beyond our LLVM IR; null: nothing.
static const EngineEntry *entryBeyond(llvm::StringRef spec) {
  for (const EngineEntry &entry : engineRegistry())
    if (entry.name == spec.split('@').first && !entry.beyond.empty())
      return &entry;
  return nullptr;
}

namespace {

class EngineBisector {
public:
  explicit EngineBisector(const Finding &finding)
      : finding(finding), settings(finding.options.differential.engine),
        suspect(llvm::StringRef(finding.options.engines).rsplit(',').second),
        isProgram(startsAtTileAA(finding.testCase, finding.version)),
        optional(optionalPasses(settings, isProgram)) {}

  Attribution run();

private:
  using Kind = Verdict::Kind;

  /// The verdict on one engine with its first `limit` optional passes; with `optimizeIR`, LLVM's
  /// optimiser runs where the failing engine had it.
  const Verdict &judge(llvm::StringRef engine, int64_t limit, bool optimizeIR = true);
  bool fails(llvm::StringRef engine, int64_t limit) { return judge(engine, limit).isDisagree(); }
  int64_t firstBadOf(llvm::StringRef engine, int64_t bad) {
    return firstBad(0, bad, [&](int64_t limit) { return fails(engine, limit); });
  }
  /// Whether all that is wrong was left open by this engine, which therefore saw nothing.
  bool leavesOpen(llvm::StringRef engine, int64_t limit);
  bool engineAgainstReference() const;
  Attribution lowering(bool tileasIsRight);
  Attribution beyond(const EngineEntry &entry);
  Attribution decide();

  const Finding &finding;
  const EngineOptions &settings; ///< of the engine that fails
  llvm::StringRef suspect;
  bool isProgram; ///< of nv_tileaa: its interpreter is the reference
  std::vector<std::string> optional;
  std::vector<BlameStep> steps;
};

const Verdict &EngineBisector::judge(llvm::StringRef engine, int64_t limit, bool optimizeIR) {
  JudgeOptions options = finding.options;
  options.differential.engine.optimizeIR &= optimizeIR;
  options.only = {"differential"};
  options.engines = (isProgram ? "tileaa," : "reference,") + engine.str();
  options.differential.engine.compile.optBisectLimit = limit;
  steps.push_back({llvm::formatv("{0}, -O{1}, {2} of {3} optional passes{4}", options.engines,
                                 settings.compile.optLevel, limit, optional.size(),
                                 optimizeIR ? "" : ", without LLVM's optimiser"),
                   finding.judge(options).verdict});
  return steps.back().verdict;
}

bool EngineBisector::leavesOpen(llvm::StringRef engine, int64_t limit) {
  std::optional<PoisonProbe> probe = PoisonProbe::parse(finding.inChild([&, engine = engine.str()] {
    return probePoison(finding.testCase, finding.version, settings, engine, limit, suspect).str();
  }));
  if (!probe || !probe->explains())
    return false;
  steps.push_back(
      {llvm::formatv("what {0} leaves open", engine),
       Verdict::disagree(engine.str(), "open elements",
                         llvm::formatv("all {0} wrong elements are poison here", probe->wrong))});
  return true;
}

/// What comes behind nv_tileas is to blame.
Attribution EngineBisector::lowering(bool tileasIsRight) {
  // What LLVM's optimiser makes wrong is its own doing or that of a flag it was told.
  if (settings.optimizeIR && judge("emulator", 0, /*optimizeIR=*/false).isAgree())
    return Attribution::undecided("pass", "convert-gpu-to-nvvm",
                                  kLowering.str() + ", LLVM's optimiser");
  if (!isProgram && leavesOpen("tileaa", 0))
    return Attribution::of("pass", "convert-cudatile-to-tileaa");
  if (tileasIsRight && leavesOpen("tileas", 0))
    return Attribution::undecided("pass", "convert-tileaa-to-tileas",
                                  "convert-tileaa-to-tileas, tileas-insert-barriers");
  if (std::optional<std::string> broken = finding.inChild([] { return testEmulator(); });
      broken && !broken->empty()) {
    steps.push_back({"emulator by itself", Verdict::disagree("emulator", "self-test", *broken)});
    return Attribution::of("emulator", "emulator");
  }
  if (std::optional<ScalarLoweringProbe> probe = ScalarLoweringProbe::parse(finding.inChild([&] {
        return probeScalarLowering(finding.testCase, finding.version, settings).str();
      }))) {
    std::string what =
        llvm::formatv("convert-gpu-to-nvvm, {0} scalar operations one by one", probe->asked);
    steps.push_back({what, probe->broken.empty()
                               ? Verdict::agree()
                               : Verdict::disagree("emulator", "fold", probe->broken)});
    if (!probe->broken.empty())
      return Attribution::undecided("pass", "convert-gpu-to-nvvm", kBehindGPU.str());
  }
  return Attribution::undecided("pass", "convert-tileas-to-nvgpu",
                                (tileasIsRight ? "" : kBeforeLowering.str()) + kLowering.str());
}

/// What comes behind our LLVM IR is to blame: LLVM's optimiser, its PTX back end, or what makes
/// machine code of the PTX.
Attribution EngineBisector::beyond(const EngineEntry &entry) {
  auto total = static_cast<int64_t>(optional.size());
  if (entry.name == "sass") {
    if (fails("emulator@optimized", total))
      return Attribution::undecided("pass", "convert-gpu-to-nvvm",
                                    "flags of convert-gpu-to-nvvm, LLVM's optimiser");
    if (settings.ptxasLevel.value_or(settings.compile.optLevel) > 0 &&
        judge("sass@ptxas0", total).isAgree())
      return Attribution::undecided("ptxas", "ptxas",
                                    "the optimiser of ptxas, an order that our PTX leaves open");
  }
  return Attribution::undecided(entry.beyond.str(), entry.beyond.str(), entry.beyondInterval.str());
}

/// Whether an engine says something else than the reference, or the reference alone is at fault.
bool EngineBisector::engineAgainstReference() const {
  const ModuleReport &report = finding.report;
  return report.engines.empty() || !report.cross.isAgree() ||
         llvm::any_of(report.engines, [&](const EngineReport &engine) {
           return engine.engine != "reference" && engine.verdict.isDisagree() &&
                  !report.engines.front().verdict.isDisagree();
         });
}

Attribution EngineBisector::decide() {
  // All engines share the reader and the verifier.
  if (!engineAgainstReference())
    return Attribution::undecided("frontend", "bytecode reader",
                                  "bytecode reader, verifier, reference, expectation of the case");
  auto total = static_cast<int64_t>(optional.size());
  // Code that went beyond our LLVM IR: to blame when the emulator runs that IR as it should.
  if (const EngineEntry *entry = entryBeyond(suspect))
    if (!fails("emulator", total))
      return beyond(*entry);
  if (!isProgram && fails("tileaa", 0))
    return Attribution::of("pass", "convert-cudatile-to-tileaa");
  int64_t atTileAA = optionalPassesBefore("convert-tileaa-to-tileas", settings, isProgram);
  if (atTileAA > 0 && fails("tileaa-opt", atTileAA))
    return Attribution::of("pass", optional[firstBadOf("tileaa-opt", atTileAA) - 1]);

  int64_t atTileAS = optionalPassesBefore("convert-tileas-to-nvgpu", settings, isProgram);
  Kind tileas = judge("tileas", atTileAS).kind;
  if (tileas == Kind::Disagree) {
    if (atTileAS > 0 && !fails("tileas", 0))
      return Attribution::of("pass", optional[firstBadOf("tileas", atTileAS) - 1]);
    // Engines in front of it run memory operations in program order and do not look at tokens.
    if (steps.back().verdict.label == kMissingBarrierLabel)
      return Attribution::undecided(
          "pass", "tileas-insert-barriers",
          "convert-cudatile-to-tileaa (tokens), optional passes over nv_tileaa "
          "(tokens), convert-tileaa-to-tileas, tileas-insert-barriers");
    return Attribution::undecided("pass", "convert-tileaa-to-tileas",
                                  "convert-tileaa-to-tileas, tileas-insert-barriers");
  }
  bool tileasIsRight = tileas == Kind::Agree;

  if (!fails("emulator", total))
    return Attribution::undecided("unknown", "",
                                  "the failure does not show with reference and emulator alone");
  if (total == 0 || fails("emulator", 0))
    return lowering(tileasIsRight);
  int64_t bad = firstBadOf("emulator", total);
  std::string pass = optional[bad - 1];
  // Engines cleared the passes in front of the stage that they run; where nv_tileas could not be
  // run, a pass is cleared when it keeps the meaning of the program.
  bool cleared = bad <= (tileasIsRight ? atTileAS : atTileAA) ||
                 keepsMeaning(finding.testCase, finding.version, settings, bad);
  if (!cleared)
    return Attribution::of("pass", pass);
  Attribution result = lowering(tileasIsRight);
  result.exposedBy = pass;
  return result;
}

Attribution EngineBisector::run() {
  Attribution result = decide();
  result.steps = std::move(steps);
  return result;
}

} // namespace

Attribution tilesmith::oracles::bisectEngines(const Finding &finding) {
  return EngineBisector(finding).run();
}
