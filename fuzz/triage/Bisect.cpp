//===- Bisect.cpp - who is to blame for a failing case ----------------------------------------===//
#include "fuzz/triage/Bisect.h"

#include "oracles/verdict/Signature.h"

using namespace tilesmith;
using namespace tilesmith::fuzz;
using oracles::Attribution;
using oracles::ModuleReport;

llvm::Expected<Attribution> tilesmith::fuzz::bisect(const testcase::TestCase &testCase,
                                                    llvm::StringRef version,
                                                    const BisectOptions &options) {
  ForkedJudge forked(options.limits, options.prepare);
  ModuleReport report = forked.judge(testCase, version, options.judge);
  if (!report.verdict.isDisagree())
    return llvm::createStringError("expected a case that fails, found: " + report.verdict.str());
  std::string what = report.verdict.oracle + ", " + options.judge.engines;
  JudgeOptions focused = oracles::focusOn(report, testCase.name, options.judge);
  Attribution result = oracles::blame(
      {testCase, version, focused, report,
       [&](const JudgeOptions &judge) { return forked.judge(testCase, version, judge); },
       [&](const std::function<std::string()> &probe) -> std::optional<std::string> {
         WorkerProcess process;
         auto work = [&](llvm::StringRef) {
           if (options.prepare)
             options.prepare();
           return probe();
         };
         WorkerAnswer answer = process.ask(work, {60, 0}, "probe");
         if (answer.status != WorkerAnswer::Status::Done)
           return std::nullopt;
         return answer.text;
       }});
  result.steps.insert(result.steps.begin(), {what, report.verdict});
  return result;
}
