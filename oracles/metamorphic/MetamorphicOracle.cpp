//===- MetamorphicOracle.cpp - does an edited kernel compute what its original did ------------===//
#include "oracles/metamorphic/MetamorphicOracle.h"

#include "llvm/ADT/STLExtras.h"

using namespace tilesmith;
using namespace tilesmith::oracles;

namespace {

class MetamorphicOracle : public Oracle {
public:
  llvm::StringRef name() const override { return "metamorphic"; }
  llvm::StringRef question() const override {
    return "does an edited kernel compute what its original did";
  }
  llvm::StringRef needs() const override { return "edited kernels: one in --edit-share of `fuzz`"; }
  bool applies(const OracleContext &context, const ModuleReport &) const override {
    const testcase::TestCase &testCase = context.testCase;
    return !testCase.edits.empty() && !testCase.expectReject &&
           llvm::any_of(testCase.buffers,
                        [](const testcase::Buffer &buffer) { return buffer.expect.has_value(); });
  }

  Verdict judge(const OracleContext &context, ModuleReport &) const override {
    DifferentialOptions options = context.options.differential;
    options.compareWithSelf = false;
    return judgeModule(context.testCase, context.version, context.engines("reference"), options)
        .verdict;
  }

  Attribution blame(const Finding &finding) const override {
    JudgeOptions options = finding.options;
    options.only = {"roundtrip"};
    Verdict verdict = finding.judge(options).verdict;
    Attribution result =
        verdict.isDisagree()
            ? Attribution::of("frontend", verdict.what + " " + verdict.place)
            : Attribution::undecided("frontend", "bytecode reader",
                                     "bytecode reader, verifier, reference, edits of "
                                     "generators/mutate");
    result.steps.push_back({"the edited module through bytes and text", verdict});
    return result;
  }

  Triple triple() const override {
    return {{"oracles/edited-cat"},
            {"oracles/edited-cat", "reader-swaps-cat"},
            {"oracles/edit-undefined"},
            "bytecode round trip"};
  }
};

} // namespace

const Oracle &tilesmith::oracles::metamorphicOracle() {
  static const MetamorphicOracle oracle;
  return oracle;
}
