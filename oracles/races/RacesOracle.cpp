//===- RacesOracle.cpp - does a generated kernel order its own accesses -----------------------===//
#include "oracles/races/RacesOracle.h"

using namespace tilesmith;
using namespace tilesmith::oracles;

namespace {

/// As the reference names it (reference/semantics).
constexpr llvm::StringLiteral kRaceLabel = "data-race";

class RacesOracle : public Oracle {
public:
  llvm::StringRef name() const override { return "races"; }
  llvm::StringRef question() const override {
    return "does a generated kernel order its own accesses";
  }
  bool applies(const OracleContext &context, const ModuleReport &) const override {
    return context.testCase.generator && !context.testCase.expectReject;
  }

  Verdict judge(const OracleContext &context, ModuleReport &report) const override {
    // The reference has run, unless this oracle is asked alone.
    for (const EngineReport &engine : report.engines)
      if (engine.engine == "reference")
        return engine.verdict.label == kRaceLabel ? race(engine.verdict.reason) : Verdict::agree();
    EngineResult result =
        context.engines("reference")
            .front()
            ->run({context.testCase, context.version.str(), context.options.differential.engine});
    if (result.label == kRaceLabel)
      return race(result.message);
    if (result.completed() || result.status == EngineResult::Status::Trapped)
      return Verdict::agree();
    return Verdict::inconclusive("races: reference: " + toString(result.status).str() + ": " +
                                 result.message);
  }

  Attribution blame(const Finding &finding) const override {
    JudgeOptions options = finding.options;
    options.only = {"roundtrip"};
    Verdict verdict = finding.judge(options).verdict;
    Attribution result = verdict.isDisagree()
                             ? Attribution::of("frontend", verdict.what + " " + verdict.place)
                             : Attribution::undecided("generator", "generator",
                                                      "generator, bytecode writer, reference");
    result.steps.push_back({"the module through bytes and text", verdict});
    return result;
  }

  Triple triple() const override {
    return {{"planted/reader-drops-token"},
            {"planted/reader-drops-token", "reader-drops-token"},
            {"oracles/undefined-division"},
            "bytecode round trip"};
  }

private:
  static Verdict race(const std::string &message) {
    Verdict verdict =
        Verdict::disagree("the kernel against its promise of ordered accesses", "kernel", message)
            .of("reference");
    verdict.label = kRaceLabel.str();
    return verdict;
  }
};

} // namespace

const Oracle &tilesmith::oracles::racesOracle() {
  static const RacesOracle oracle;
  return oracle;
}
