//===- DifferentialOracle.cpp - engines against expectations, themselves and each other -------===//
#include "oracles/differential/DifferentialOracle.h"

#include "oracles/blame/EngineBisect.h"
#include "oracles/engines/EngineSettings.h"
#include "oracles/engines/ModuleLoader.h"

using namespace tilesmith;
using namespace tilesmith::oracles;

namespace {

class DifferentialOracle : public Oracle {
public:
  llvm::StringRef name() const override { return "differential"; }
  llvm::StringRef question() const override {
    return "do engines leave what the case stores, what they left before, and the same";
  }
  bool applies(const OracleContext &context, const ModuleReport &) const override {
    return !context.testCase.expectReject;
  }

  Verdict judge(const OracleContext &context, ModuleReport &report) const override {
    DifferentialOptions options = context.options.differential;
    options.bounds = context.engines("reference").front().get();
    ModuleReport own = judgeModule(
        context.testCase, context.version,
        context.engines(enginesOf(context.testCase, context.version, context.options.engines)),
        options);
    report.engines.insert(report.engines.end(), own.engines.begin(), own.engines.end());
    report.cross = std::move(own.cross);
    report.floats = own.floats;
    return std::move(own.verdict);
  }

  /// The reference and the engine that is at fault, with the settings behind its '@' as options.
  void focus(JudgeOptions &options, const ModuleReport &report,
             llvm::StringRef caseName) const override {
    std::string suspect = report.verdict.engine;
    if (suspect.empty() || suspect == "reference")
      for (const EngineReport &engine : report.engines)
        if (engine.engine != "reference" && engine.verdict.isDisagree())
          suspect = engine.engine;
    if (suspect.empty() || suspect == "reference")
      return;
    auto spec = parseEngineSpec(suspect);
    if (!spec)
      return llvm::consumeError(spec.takeError()); // a tool that is no engine of the list
    options.differential.engine = spec->settings.applyTo(options.differential.engine, caseName);
    options.engines = "reference," + spec->name;
  }

  Attribution blame(const Finding &finding) const override { return bisectEngines(finding); }

  Triple triple() const override {
    return {{"planted/swizzle-bit-flipped"},
            {"planted/swizzle-bit-flipped", "swizzle-bit-flipped", "--strategies=plain"},
            {"oracles/false-assumption"},
            "convert-tileas-to-nvgpu"};
  }
};

} // namespace

const Oracle &tilesmith::oracles::differentialOracle() {
  static const DifferentialOracle oracle;
  return oracle;
}
