//===- Report.h - a store for people and for other programs -----------------------------------===//
//
// One page of HTML without references to anything outside (bugs with their reduced kernels, a heat
// map of op and type, findings, rate and verdicts over time, what code and benchmarks cost), the
// same as JSON, and JUnit for build servers: one test case per bug, green when it is fixed, and one
// for the rest.
//
//===------------------------------------------------------------------------------------------===//
#ifndef FUZZ_REPORT_REPORT_H
#define FUZZ_REPORT_REPORT_H

#include "fuzz/report/Curves.h"
#include "fuzz/report/PerfSeries.h"
#include "fuzz/store/Store.h"

#include "llvm/Support/raw_ostream.h"

namespace tilesmith::fuzz {

/// Longest kernel text that the page shows, and most bugs: keeps it under 5 MiB.
constexpr size_t kMaxShownText = 8000, kMaxShownBugs = 400, kMaxAttachedText = 100'000,
                 kMaxShownRuns = 30;

/// What `tilesmith bench` and `tilesmith perf` wrote in one night.
struct BenchmarkNight {
  std::string name; ///< of the file, without folder and ending
  std::map<std::string, double> values;
};

/// What the page shows beside the store.
struct ReportExtras {
  PerfTable perf;                                         ///< of the store
  std::vector<BenchmarkNight> nights;                     ///< oldest first
  std::vector<std::pair<std::string, std::string>> texts; ///< headings and what stands below them
  std::map<std::string, std::string> folders = {};        ///< of bugs: where the page finds reports
  std::vector<Curve> curves = {};
};

/// What compiled code costs for other programs: the last build as JSON of github-action-benchmark
/// (customSmallerIsBetter), all builds as CSV that Otava imports (columns time, build, and one for
/// each series).
void writeBenchmarkAction(llvm::raw_ostream &out, const PerfTable &table);
void writeOtava(llvm::raw_ostream &out, const PerfTable &table);

void writeHtml(llvm::raw_ostream &out, const Store &store, llvm::StringRef title,
               const ReportExtras &extras = {});
void writeJson(llvm::raw_ostream &out, const Store &store, const PerfTable &perf = {});
void writeJunit(llvm::raw_ostream &out, const Store &store);

} // namespace tilesmith::fuzz

#endif // FUZZ_REPORT_REPORT_H
