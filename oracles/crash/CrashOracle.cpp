//===- CrashOracle.cpp - does a worker survive the case ---------------------------------------===//
#include "oracles/crash/CrashOracle.h"

#include "oracles/blame/EngineBisect.h"
#include "oracles/differential/DifferentialOracle.h"

using namespace tilesmith;
using namespace tilesmith::oracles;

namespace {

class CrashOracle : public Oracle {
public:
  llvm::StringRef name() const override { return "crash"; }
  llvm::StringRef question() const override {
    return "does a worker survive the case, within its time and memory";
  }
  bool applies(const OracleContext &, const ModuleReport &) const override { return true; }
  Verdict judge(const OracleContext &, ModuleReport &) const override { return Verdict::agree(); }
  /// What else judged is what crashed: all of it stays.
  void focus(JudgeOptions &options, const ModuleReport &, llvm::StringRef) const override {
    options.only.clear();
  }
  /// The first engine of the list that does not survive, and then engines of every stage.
  Attribution blame(const Finding &finding) const override {
    JudgeOptions options = finding.options;
    options.only = {differentialOracle().name().str()};
    llvm::SmallVector<llvm::StringRef> list;
    llvm::StringRef(finding.options.engines).split(list, ',', -1, /*KeepEmpty=*/false);
    for (llvm::StringRef engine : list) {
      options.engines = engine == "reference" ? engine.str() : "reference," + engine.str();
      ModuleReport report = finding.judge(options);
      if (!report.verdict.isDisagree() || engine == "reference")
        continue;
      report.verdict.engine = engine.str();
      differentialOracle().focus(options, report, finding.testCase.name);
      return bisectEngines(
          {finding.testCase, finding.version, options, report, finding.judge, finding.inChild});
    }
    return Attribution::undecided("unknown", "", "the crash does not show with engines alone");
  }
  Triple triple() const override {
    return {
        {"planted/cat-lowering-aborts"},
        {"planted/cat-lowering-aborts", "cat-lowering-aborts", "--engines=reference,emulator@O0"},
        {"planted/cat-lowering-aborts", "", "--timeout=0.0001"},
        "convert-tileas-to-nvgpu"};
  }
};

} // namespace

const Oracle &tilesmith::oracles::crashOracle() {
  static const CrashOracle oracle;
  return oracle;
}
