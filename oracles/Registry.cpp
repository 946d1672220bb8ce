//===- Registry.cpp - every oracle, and one module judged by all of them ----------------------===//
#include "oracles/Registry.h"

#include "oracles/claims/ClaimsOracle.h"
#include "oracles/compilation/CompilationOracle.h"
#include "oracles/cost/CostOracle.h"
#include "oracles/crash/CrashOracle.h"
#include "oracles/diagnostics/DiagnosticsOracle.h"
#include "oracles/differential/DifferentialOracle.h"
#include "oracles/external/ExternalOracle.h"
#include "oracles/hazards/HazardsOracle.h"
#include "oracles/metamorphic/MetamorphicOracle.h"
#include "oracles/performance/PerformanceOracle.h"
#include "oracles/ptx/PTXOracle.h"
#include "oracles/races/RacesOracle.h"
#include "oracles/remarks/RemarksOracle.h"
#include "oracles/roundtrip/RoundTripOracle.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <chrono>

using namespace tilesmith;
using namespace tilesmith::oracles;

llvm::ArrayRef<const Oracle *> tilesmith::oracles::oracleRegistry() {
  // What all engines share comes first, what looks at compiled code last.
  static const Oracle *const oracles[] = {
      &roundTripOracle(),   &diagnosticsOracle(), &metamorphicOracle(), &differentialOracle(),
      &racesOracle(),       &ptxOracle(),         &compilationOracle(), &claimsOracle(),
      &hazardsOracle(),     &remarksOracle(),     &costOracle(),        &externalOracle(),
      &performanceOracle(), &crashOracle(),
  };
  return oracles;
}

const Oracle *tilesmith::oracles::findOracle(llvm::StringRef name) {
  for (const Oracle *oracle : oracleRegistry())
    if (oracle->name() == name)
      return oracle;
  return nullptr;
}

std::string tilesmith::oracles::oracleNames() {
  return llvm::join(llvm::map_range(oracleRegistry(), [](const Oracle *o) { return o->name(); }),
                    ", ");
}

ModuleReport tilesmith::oracles::judge(const testcase::TestCase &testCase, llvm::StringRef version,
                                       const JudgeOptions &options) {
  ModuleReport report;
  report.caseName = testCase.name;
  report.version = version.str();
  OracleContext context{testCase, version, options};
  for (const Oracle *oracle : oracleRegistry()) {
    if (!oracle->draws(context, report))
      continue;
    auto start = std::chrono::steady_clock::now();
    Verdict verdict = oracle->judge(context, report);
    verdict.oracle = oracle->name().str();
    std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    report.oracles.push_back({oracle->name().str(), verdict, elapsed.count()});
    report.verdict = combine(std::move(report.verdict), std::move(verdict));
  }
  if (report.oracles.empty())
    report.verdict = Verdict::inconclusive("no oracle judges this case");
  return report;
}

JudgeOptions tilesmith::oracles::focusOn(const ModuleReport &report, llvm::StringRef caseName,
                                         JudgeOptions options) {
  if (const Oracle *oracle = findOracle(report.verdict.oracle)) {
    options.only = {oracle->name().str()};
    oracle->focus(options, report, caseName);
  }
  return options;
}

JudgeOptions tilesmith::oracles::referenceAlone(JudgeOptions options) {
  options.only = {differentialOracle().name().str()};
  options.engines = "reference";
  return options;
}

Attribution tilesmith::oracles::blame(const Finding &finding) {
  if (const Oracle *oracle = findOracle(finding.report.verdict.oracle))
    return oracle->blame(finding);
  // The harness itself: a case that cannot be loaded, a worker that answers nonsense.
  return Attribution::of("harness", finding.report.verdict.oracle);
}
