//===- CheckReport.cpp - judged modules for other programs ------------------------------------===//
#include "fuzz/report/CheckReport.h"

#include "fuzz/report/Page.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace tilesmith;
using namespace tilesmith::fuzz;
using oracles::ModuleReport;

static oracles::VerdictCounts countsOf(llvm::ArrayRef<ModuleReport> reports) {
  oracles::VerdictCounts counts;
  for (const ModuleReport &report : reports)
    counts.add(report.verdict);
  return counts;
}

void tilesmith::fuzz::writeCheckJson(llvm::raw_ostream &out, llvm::ArrayRef<ModuleReport> reports) {
  const oracles::VerdictCounts counts = countsOf(reports);
  llvm::json::OStream json(out, 1);
  json.object([&] {
    json.attribute("schema", 1);
    json.attributeObject("counts", [&] {
      json.attribute("passed", static_cast<int64_t>(counts.passed));
      json.attribute("failed", static_cast<int64_t>(counts.failed));
      json.attribute("inconclusive", static_cast<int64_t>(counts.inconclusive));
      json.attribute("unavailable", static_cast<int64_t>(counts.unavailable));
    });
    json.attributeArray("modules", [&] {
      for (const ModuleReport &report : reports)
        json.value(llvm::cantFail(llvm::json::parse(toJson(report))));
    });
  });
  out << '\n';
}

static double secondsOf(const ModuleReport &report) {
  double seconds = 0;
  for (const oracles::OracleReport &oracle : report.oracles)
    seconds += oracle.seconds;
  return seconds;
}

void tilesmith::fuzz::writeCheckJunit(llvm::raw_ostream &out,
                                      llvm::ArrayRef<ModuleReport> reports) {
  const oracles::VerdictCounts counts = countsOf(reports);
  out << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      << llvm::formatv("<testsuite name=\"tilesmith check\" tests=\"{0}\" failures=\"{1}\" "
                       "skipped=\"{2}\">\n",
                       reports.size(), counts.failed, counts.inconclusive + counts.unavailable);
  for (const ModuleReport &report : reports) {
    out << llvm::formatv("  <testcase classname=\"{0}\" name=\"{1}\" time=\"{2:f3}\"",
                         escapeMarkup(report.caseName), escapeMarkup(report.version),
                         secondsOf(report));
    if (report.verdict.isAgree()) {
      out << "/>\n";
      continue;
    }
    out << llvm::formatv("><{0} message=\"{1}\"/></testcase>\n",
                         report.verdict.isDisagree() ? "failure" : "skipped",
                         escapeMarkup(report.verdict.str()));
  }
  out << "</testsuite>\n";
}
