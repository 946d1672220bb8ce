//===- PTXOracle.cpp - is the PTX what an independent parser accepts --------------------------===//
#include "oracles/ptx/PTXOracle.h"

#include "compiler/pipeline/Pipeline.h"
#include "compiler/pipeline/Registration.h"
#include "oracles/engines/EngineSettings.h"
#include "oracles/engines/ModuleLoader.h"
#include "oracles/ptx/DevicePTX.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Module.h"

#include <set>

using namespace tilesmith;
using namespace tilesmith::oracles;

namespace {

/// Where LLVM marks text that came with the module.
constexpr llvm::StringLiteral kInlineBegin = "// begin inline asm",
                              kInlineEnd = "// end inline asm";

class PTXOracle : public Oracle {
public:
  llvm::StringRef name() const override { return "ptx"; }
  llvm::StringRef question() const override {
    return "is the PTX what an independent parser accepts";
  }
  unsigned share() const override { return 24; } // a run of the back end
  bool growsWithKernel() const override { return true; }
  bool applies(const OracleContext &context, const ModuleReport &soFar) const override {
    return !context.testCase.expectReject && !context.testCase.mayReject && soFar.verdict.isAgree();
  }

  Verdict judge(const OracleContext &context, ModuleReport &) const override {
    Verdict verdict;
    llvm::SmallVector<llvm::StringRef> list;
    llvm::StringRef(context.options.engines).split(list, ',', -1, /*KeepEmpty=*/false);
    std::set<std::string> seen;
    for (llvm::StringRef text : list) {
      auto spec = parseEngineSpec(text);
      if (!spec) {
        llvm::consumeError(spec.takeError());
        continue;
      }
      if (!compilesToPTX(spec->name))
        continue;
      EngineOptions options =
          spec->settings.applyTo(context.options.differential.engine, context.testCase.name);
      if (seen.insert(llvm::join(printEngineOptions(options), " ")).second)
        verdict = combine(std::move(verdict), check(context, options).of(text));
    }
    return verdict;
  }

  /// The settings of the engine whose code is at fault, as options.
  void focus(JudgeOptions &options, const ModuleReport &report,
             llvm::StringRef caseName) const override {
    auto spec = parseEngineSpec(report.verdict.engine);
    if (!spec)
      return llvm::consumeError(spec.takeError());
    options.differential.engine = spec->settings.applyTo(options.differential.engine, caseName);
    options.engines = "reference," + spec->name;
  }

  Attribution blame(const Finding &finding) const override {
    std::string place = finding.report.verdict.place;
    if (place == "inline assembly")
      return Attribution::undecided("pass", "convert-gpu-to-nvvm",
                                    "convert-gpu-to-nvvm and its inline PTX, PTX parser");
    return Attribution::undecided("PTX backend", "PTX backend",
                                  "PTX backend of LLVM, what we gave it, PTX parser");
  }

  Triple triple() const override {
    return {{"planted/ptx-version-too-low"},
            {"planted/ptx-version-too-low", "ptx-version-too-low"},
            {"oracles/truncated"},
            "PTX backend"};
  }

private:
  static bool compilesToPTX(llvm::StringRef engine) {
    return engine == "emulator" || engine == "cuda";
  }

  static Verdict check(const OracleContext &context, const EngineOptions &options) {
    mlir::DialectRegistry registry;
    registerCompilerDialects(registry);
    ModuleLoader loader(registry, options.profile);
    std::set<std::string> seen;
    for (const testcase::Launch &launch : context.testCase.launches) {
      const testcase::ModuleFile *file = launch.module(context.version);
      if (file && !seen.insert(file->file).second)
        continue;
      auto module = loader.load(launch, context.version);
      if (!module)
        return Verdict::inconclusive("ptx: " + llvm::toString(module.takeError()));
      auto device = compileToDeviceModule(*module, options.compile);
      if (!device)
        return Verdict::inconclusive("ptx: " + llvm::toString(device.takeError()));
      DevicePTX result =
          checkDevicePTX(*device->module, options.compile.gpuName, options.compile.optLevel);
      if (!result.error.empty())
        return Verdict::disagree("PTX for " + options.compile.gpuName,
                                 isInline(result) ? "inline assembly" : "generated text",
                                 result.error);
    }
    return Verdict::agree();
  }

  /// Whether the line at fault came with the module.
  static bool isInline(const DevicePTX &result) {
    llvm::SmallVector<llvm::StringRef> lines;
    llvm::StringRef(result.text).split(lines, '\n');
    bool inside = false;
    for (size_t i = 0; i < lines.size() && i + 1 < result.line; ++i)
      inside = lines[i].contains(kInlineBegin) || (inside && !lines[i].contains(kInlineEnd));
    return inside;
  }
};

} // namespace

const Oracle &tilesmith::oracles::ptxOracle() {
  static const PTXOracle oracle;
  return oracle;
}
