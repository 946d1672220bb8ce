//===- ClaimsOracle.cpp - does what the compiler relies on hold in the run --------------------===//
#include "oracles/claims/ClaimsOracle.h"

#include "oracles/blame/EngineBisect.h"
#include "oracles/engines/EngineSettings.h"

using namespace tilesmith;
using namespace tilesmith::oracles;

namespace {

/// The interpreters that check claims, in the order of the pipeline.
constexpr llvm::StringLiteral kStages[] = {"tileaa-opt", "tileas"};

class ClaimsOracle : public Oracle {
public:
  llvm::StringRef name() const override { return "claims"; }
  llvm::StringRef question() const override {
    return "do the facts, bounds and layouts hold that passes rely on";
  }
  bool growsWithKernel() const override { return true; }
  bool applies(const OracleContext &context, const ModuleReport &soFar) const override {
    // An engine that refuses the module, or stops, has said more already.
    return !context.testCase.expectReject && !context.testCase.mayReject && soFar.verdict.isAgree();
  }

  Verdict judge(const OracleContext &context, ModuleReport &) const override {
    using Status = EngineResult::Status;
    const EngineOptions options = context.drawnOptions();
    std::string open;
    for (llvm::StringRef stage : kStages) {
      EngineResult result = context.engines(stage.str())
                                .front()
                                ->run({context.testCase, context.version.str(), options});
      if (result.status == Status::Failed || result.status == Status::Undefined) {
        // What follows from a false assumption is the kernel's own claim [spec: assume-false].
        if (assumesFalsely(context))
          return Verdict::agree();
        return Verdict::disagree("what the compiler relies on", stage.str(), result.message)
            .of(stage.str());
      }
      if (!result.completed() && result.status != Status::Trapped && open.empty())
        open = ("claims: " + stage + ": " + result.message).str();
    }
    return open.empty() ? Verdict::agree() : Verdict::inconclusive(open);
  }

  static bool assumesFalsely(const OracleContext &context) {
    EngineResult result =
        context.engines("reference")
            .front()
            ->run({context.testCase, context.version.str(), context.options.differential.engine});
    return !result.falseAssumption.empty();
  }

  /// The differential finds the same with the stage alone.
  void focus(JudgeOptions &options, const ModuleReport &report,
             llvm::StringRef caseName) const override {
    options.differential.engine = drawEngineOptions(options.differential.engine, caseName);
    options.engines = "reference," + report.verdict.engine;
  }

  Attribution blame(const Finding &finding) const override { return bisectEngines(finding); }

  Triple triple() const override {
    return {{"planted/facts-remainder-of-negative"},
            {"planted/facts-remainder-of-negative", "facts-remainder-of-negative"},
            {"oracles/truncated"},
            "tileaa-infer-facts"};
  }
};

} // namespace

const Oracle &tilesmith::oracles::claimsOracle() {
  static const ClaimsOracle oracle;
  return oracle;
}
