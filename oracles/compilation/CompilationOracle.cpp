//===- CompilationOracle.cpp - is compiling deterministic, and within its means ---------------===//
#include "oracles/compilation/CompilationOracle.h"

#include "compiler/pipeline/Pipeline.h"
#include "compiler/pipeline/Registration.h"
#include "oracles/blame/EngineBisect.h"
#include "oracles/compilation/Compilation.h"
#include "oracles/engines/EngineSettings.h"
#include "oracles/engines/ModuleLoader.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tilesmith;
using namespace tilesmith::oracles;

namespace {

/// The mandatory conversion that leads to a stage.
llvm::StringRef conversionTo(Stage stage) {
  switch (stage) {
  case Stage::CudaTile:
    return "bytecode reader";
  case Stage::TileAA:
    return "convert-cudatile-to-tileaa";
  case Stage::TileAS:
    return "convert-tileaa-to-tileas";
  case Stage::GPU:
    return "convert-tileas-to-nvgpu";
  case Stage::NVVM:
    return "convert-gpu-to-nvvm";
  }
  llvm_unreachable("all stages are listed");
}

/// The IR of all modules after each stage, as text.
std::map<Stage, std::string> stagesOf(const testcase::TestCase &testCase, llvm::StringRef version,
                                      const EngineOptions &options) {
  std::map<Stage, std::string> texts;
  mlir::DialectRegistry registry;
  registerCompilerDialects(registry);
  ModuleLoader loader(registry, options.profile, /*fresh=*/true);
  CompileOptions compile = options.compile;
  compile.afterStage = [&](Stage stage, mlir::ModuleOp module) {
    llvm::raw_string_ostream(texts[stage]) << module;
  };
  for (const testcase::Launch &launch : testCase.launches) {
    auto module = loader.load(launch, version);
    if (!module) {
      llvm::consumeError(module.takeError());
      break;
    }
    llvm::consumeError(compileToDeviceModule(*module, compile).takeError());
  }
  return texts;
}

class CompilationOracle : public Oracle {
public:
  llvm::StringRef name() const override { return "compilation"; }
  llvm::StringRef question() const override {
    return "does compiling twice give the same code, within limits of time and size";
  }
  unsigned share() const override { return 24; }
  bool growsWithKernel() const override { return true; }
  bool isSlow() const override { return true; }
  bool applies(const OracleContext &context, const ModuleReport &soFar) const override {
    // An engine that refuses the module, or stops, has said more already.
    return !context.testCase.expectReject && !context.testCase.mayReject && soFar.verdict.isAgree();
  }

  Verdict judge(const OracleContext &context, ModuleReport &) const override {
    const EngineOptions &options = context.options.differential.engine;
    return judgeCompilation(
        context.testCase, context.version,
        context.options.only.empty() ? drawEngineOptions(options, context.testCase.name) : options);
  }

  void focus(JudgeOptions &options, const ModuleReport &, llvm::StringRef caseName) const override {
    options.differential.engine = drawEngineOptions(options.differential.engine, caseName);
  }

  /// An optional pass without which the finding goes; else the first stage that shows it: whose
  /// text differs from one compilation to the next, or grows beyond the limit.
  Attribution blame(const Finding &finding) const override {
    std::vector<BlameStep> steps;
    const EngineOptions &engine = finding.options.differential.engine;
    std::vector<std::string> optional = optionalPasses(engine);
    auto total = static_cast<int64_t>(optional.size());
    auto fails = [&](int64_t limit) {
      JudgeOptions options = finding.options;
      options.differential.engine.compile.optBisectLimit = limit;
      steps.push_back({llvm::formatv("{0} of {1} optional passes", limit, total),
                       finding.judge(options).verdict});
      return steps.back().verdict.isDisagree();
    };
    Attribution result = Attribution::undecided(
        "pass", "", "no stage shows it: conversions, translation to LLVM IR");
    if (total > 0 && !fails(0)) {
      result = Attribution::of("pass", optional[firstBad(0, total, fails) - 1]);
    } else {
      bool size = finding.report.verdict.place == "resources";
      std::optional<std::string> stage =
          finding.inChild([&] { return firstStage(finding, engine, size); });
      if (stage && !stage->empty())
        result = Attribution::of("pass", *stage);
    }
    result.steps = std::move(steps);
    return result;
  }

  Triple triple() const override {
    return {{"planted/tables-named-by-address"},
            {"planted/tables-named-by-address", "tables-named-by-address"},
            {"oracles/truncated"},
            "convert-tileas-to-nvgpu"};
  }

private:
  /// The conversion that makes the first stage at fault, or nothing.
  static std::string firstStage(const Finding &finding, const EngineOptions &engine, bool size) {
    auto first = stagesOf(finding.testCase, finding.version, engine);
    OtherAddresses addresses;
    auto second = stagesOf(finding.testCase, finding.version, engine);
    auto lines = [&](Stage stage) { return llvm::StringRef(first[stage]).count('\n'); };
    uint64_t most = kResourceLimits.baseInstructions +
                    kResourceLimits.instructionsPerOperation * lines(Stage::CudaTile);
    for (Stage stage : {Stage::CudaTile, Stage::TileAA, Stage::TileAS, Stage::GPU, Stage::NVVM})
      if (size ? lines(stage) > most : first[stage] != second[stage])
        return conversionTo(stage).str();
    return "";
  }
};

} // namespace

const Oracle &tilesmith::oracles::compilationOracle() {
  static const CompilationOracle oracle;
  return oracle;
}
