//===- HazardsOracle.cpp - is compiled code free of races -------------------------------------===//
#include "oracles/hazards/HazardsOracle.h"

#include "oracles/blame/EngineBisect.h"
#include "oracles/engines/EngineSettings.h"

using namespace tilesmith;
using namespace tilesmith::oracles;

namespace {

class HazardsOracle : public Oracle {
public:
  llvm::StringRef name() const override { return "hazards"; }
  llvm::StringRef question() const override {
    return "is shared memory ordered between the threads of compiled code";
  }
  unsigned share() const override { return 16; } // the race detector is ten times slower
  bool growsWithKernel() const override { return true; }
  bool isSlow() const override { return true; }
  bool applies(const OracleContext &context, const ModuleReport &soFar) const override {
    // An engine that refuses the module, or stops, has said more already.
    return !context.testCase.expectReject && !context.testCase.mayReject && soFar.verdict.isAgree();
  }

  Verdict judge(const OracleContext &context, ModuleReport &) const override {
    using Status = EngineResult::Status;
    EngineOptions options = context.drawnOptions();
    options.emulator.detectRaces = true;
    EngineResult result = context.engines("emulator")
                              .front()
                              ->run({context.testCase, context.version.str(), options});
    if (result.status == Status::Failed)
      return Verdict::disagree("hazards", "emulated GPU", result.message).of("emulator");
    if (result.completed() || result.status == Status::Trapped)
      return Verdict::agree();
    return Verdict::inconclusive("hazards: " + result.message);
  }

  void focus(JudgeOptions &options, const ModuleReport &, llvm::StringRef caseName) const override {
    options.differential.engine = drawEngineOptions(options.differential.engine, caseName);
  }

  Attribution blame(const Finding &finding) const override {
    const EngineOptions &engine = finding.options.differential.engine;
    std::vector<std::string> optional = optionalPasses(engine);
    auto total = static_cast<int64_t>(optional.size());
    std::vector<BlameStep> steps;
    auto ask = [&](JudgeOptions options, int64_t limit, llvm::StringRef what) {
      options.differential.engine.compile.optBisectLimit = limit;
      steps.push_back(
          {(what + ", " + llvm::Twine(limit) + " of " + llvm::Twine(total) + " optional passes")
               .str(),
           finding.judge(options).verdict});
      return steps.back().verdict.isDisagree();
    };
    auto races = [&](int64_t limit) { return ask(finding.options, limit, "race detector"); };
    auto done = [&](Attribution result) {
      result.steps = std::move(steps);
      return result;
    };
    if (!races(total))
      return done(Attribution::undecided("unknown", "", "the race does not show again"));
    bool always = total == 0 || races(0);
    int64_t bad = always ? 0 : firstBad(0, total, races);
    // The interpreter of nv_tileas checks that every exchange through shared memory is fenced: what
    // it misses is lost before, what it does not miss is lost behind it.
    int64_t atTileAS = optionalPassesBefore("convert-tileas-to-nvgpu", engine);
    JudgeOptions tileas = finding.options;
    tileas.only = {"differential"};
    tileas.engines = "reference,tileas";
    bool before = ask(tileas, always ? 0 : std::min(bad, atTileAS), tileas.engines);
    if (before && !always)
      return done(Attribution::of("pass", optional[bad - 1]));
    if (before)
      return done(Attribution::undecided(
          "pass", "tileas-insert-barriers",
          "convert-cudatile-to-tileaa (tokens), convert-tileaa-to-tileas, tileas-insert-barriers"));
    if (bad > atTileAS) // a pass behind nv_tileas
      return done(Attribution::of("pass", optional[bad - 1]));
    Attribution result =
        Attribution::undecided("pass", "convert-tileas-to-nvgpu",
                               "convert-tileas-to-nvgpu, convert-gpu-to-nvvm, emulator");
    if (bad > 0)
      result.exposedBy = optional[bad - 1];
    return done(std::move(result));
  }

  Triple triple() const override {
    return {{"planted/tile-broadcast-barrier-dropped"},
            {"planted/tile-broadcast-barrier-dropped", "tile-broadcast-barrier-dropped"},
            {"oracles/truncated"},
            "convert-tileas-to-nvgpu"};
  }
};

} // namespace

const Oracle &tilesmith::oracles::hazardsOracle() {
  static const HazardsOracle oracle;
  return oracle;
}
