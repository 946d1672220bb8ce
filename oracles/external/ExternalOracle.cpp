//===- ExternalOracle.cpp - do other tools take what ours takes -------------------------------===//
#include "oracles/external/ExternalOracle.h"

using namespace tilesmith;
using namespace tilesmith::oracles;

namespace {

class ExternalOracle : public Oracle {
public:
  llvm::StringRef name() const override { return "external"; }
  llvm::StringRef question() const override {
    return "do other compilers and verifiers take what ours takes";
  }
  llvm::StringRef needs() const override { return "--external-compiler, --external-verifier"; }
  bool applies(const OracleContext &context, const ModuleReport &) const override {
    return context.options.external.any();
  }
  Verdict judge(const OracleContext &context, ModuleReport &) const override {
    return judgeExternally(toolsOf(context.options, context.testCase.name), context.testCase,
                           context.version);
  }
  /// What was drawn, as options.
  void focus(JudgeOptions &options, const ModuleReport &, llvm::StringRef caseName) const override {
    ExternalTools tools = toolsOf(options, caseName);
    options.differential.engine.compile.gpuName = tools.gpuName;
    options.differential.engine.compile.optLevel = tools.optLevel;
    options.external.draw = false;
  }
  Attribution blame(const Finding &finding) const override {
    return Attribution::of("external compiler", finding.report.verdict.engine);
  }
  Triple triple() const override {
    return {
        {"planted/swizzle-bit-flipped", "",
         "--external-compiler=@/oracles/external/test/takes-all"},
        {"planted/swizzle-bit-flipped", "",
         "--external-compiler=@/oracles/external/test/refuses-all"},
        {"planted/swizzle-bit-flipped", "", "--external-compiler=@/oracles/external/test/missing"},
        "external compiler"};
  }

private:
  static ExternalTools toolsOf(const JudgeOptions &options, llvm::StringRef caseName) {
    ExternalTools tools = options.external;
    tools.gpuName = options.differential.engine.compile.gpuName;
    tools.optLevel = options.differential.engine.compile.optLevel;
    return externalToolsFor(std::move(tools), caseName);
  }
};

} // namespace

const Oracle &tilesmith::oracles::externalOracle() {
  static const ExternalOracle oracle;
  return oracle;
}
