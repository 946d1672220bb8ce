//===- PerformanceOracle.cpp - does compiled code cost more than it did -----------------------===//
#include "oracles/performance/PerformanceOracle.h"

#include "oracles/performance/Performance.h"

#include "llvm/Support/MemoryBuffer.h"

using namespace tilesmith;
using namespace tilesmith::oracles;

namespace {

class PerformanceOracle : public Oracle {
public:
  llvm::StringRef name() const override { return "performance"; }
  llvm::StringRef question() const override {
    return "does compiled code cost more than the baseline says";
  }
  llvm::StringRef needs() const override { return "--performance-baseline, or `tilesmith perf`"; }
  bool applies(const OracleContext &context, const ModuleReport &soFar) const override {
    return !context.options.performanceBaseline.empty() && !context.testCase.expectReject &&
           soFar.verdict.isAgree();
  }

  Verdict judge(const OracleContext &context, ModuleReport &) const override {
    auto file = llvm::MemoryBuffer::getFile(context.options.performanceBaseline);
    if (!file)
      return Verdict::unavailable(context.options.performanceBaseline, file.getError().message());
    auto rows = readBaseline((*file)->getBuffer());
    if (!rows)
      return Verdict::unavailable(context.options.performanceBaseline,
                                  llvm::toString(rows.takeError()));
    std::vector<std::string> missing;
    auto measured =
        measureCode(context.testCase, context.version, context.options.differential.engine, missing,
                    {/*emulator=*/false, /*ptxas=*/false});
    if (!measured)
      return Verdict::inconclusive("performance: " + llvm::toString(measured.takeError()));
    const CodeFigures *stored = nullptr;
    for (const CodeFigures &row : *rows)
      if (row.caseName == measured->caseName && row.gpuName == measured->gpuName &&
          row.optLevel == measured->optLevel)
        stored = &row;
    return comparePerformance(stored, *measured);
  }

  Attribution blame(const Finding &) const override {
    return Attribution::undecided("pass", "compiler",
                                  "figures say that code got worse, not which pass made it so");
  }

  Triple triple() const override {
    // Without its optional passes the compiler is what a slower one would be.
    return {
        {kCase, "", kBaseline}, {kCase, "", kWithoutPasses}, {kCase, "", kOtherTarget}, "compiler"};
  }

private:
  static constexpr llvm::StringLiteral
      kCase = "planted/mma-drops-k-step",
      kBaseline = "--performance-baseline=@/corpus/oracles/performance.jsonl",
      kWithoutPasses =
          "--performance-baseline=@/corpus/oracles/performance.jsonl --opt-bisect-limit=0",
      kOtherTarget = "--performance-baseline=@/corpus/oracles/performance.jsonl --gpu-name=sm_80";
};

} // namespace

const Oracle &tilesmith::oracles::performanceOracle() {
  static const PerformanceOracle oracle;
  return oracle;
}
