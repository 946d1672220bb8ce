//===- ReportRows.cpp - judgements as rows for people -----------------------------------------===//
#include "fuzz/campaign/ReportRows.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tilesmith;
using namespace tilesmith::fuzz;
using oracles::EngineReport;
using oracles::ModuleReport;
using oracles::OracleReport;
using oracles::Verdict;

void tilesmith::fuzz::printRowHeader(llvm::raw_ostream &out) {
  out << llvm::left_justify("case", 26) << llvm::left_justify("version", 9)
      << llvm::left_justify("engine", 24) << llvm::left_justify("verdict", 14) << "seconds\n";
}

void tilesmith::fuzz::printRows(llvm::raw_ostream &out, const ModuleReport &report) {
  std::vector<Verdict> shown;
  auto row = [&](llvm::StringRef engine, const Verdict &verdict, double seconds) {
    out << llvm::left_justify(report.caseName, 25) << ' ' << llvm::left_justify(report.version, 9)
        << llvm::left_justify(engine, 23) << ' ' << llvm::left_justify(toString(verdict.kind), 14)
        << llvm::format("%7.3f", seconds) << '\n';
    if (!verdict.isAgree())
      out << "    " << verdict.str() << '\n';
    shown.push_back(verdict);
  };
  for (const EngineReport &engine : report.engines)
    row(engine.engine, engine.verdict, engine.seconds);
  if (!report.cross.isAgree())
    row("all", report.cross, 0);
  auto isShown = [&](const Verdict &verdict) {
    return llvm::any_of(shown, [&](const Verdict &other) { return other.str() == verdict.str(); });
  };
  for (const OracleReport &oracle : report.oracles)
    if (!oracle.verdict.isAgree() && !isShown(oracle.verdict))
      row(oracle.oracle, oracle.verdict, oracle.seconds);
  // No oracle came to its end.
  if (shown.empty() || (report.verdict.isDisagree() && !isShown(report.verdict)))
    row(report.verdict.oracle.empty() ? "-" : report.verdict.oracle, report.verdict, 0);
}

void tilesmith::fuzz::printOracleCounts(llvm::raw_ostream &out,
                                        const oracles::OracleCounts &counts) {
  for (const auto &[oracle, verdicts] : counts)
    out << llvm::formatv("oracle {0}: {1} agreed, {2} disagreed, {3} inconclusive, {4} "
                         "unavailable\n",
                         oracle, verdicts.passed, verdicts.failed, verdicts.inconclusive,
                         verdicts.unavailable);
}
