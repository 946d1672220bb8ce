//===- Report.h - a store for people and for other programs -----------------------------------===//
//
// One page of HTML without references to anything outside (bugs with their reduced kernels, a heat
// map of op and type, the rate and the verdicts over time, the benchmarks of several nights), the
// same as JSON, and JUnit for build servers: one test case per bug, green when it is fixed, and one
// for the rest.
//
//===------------------------------------------------------------------------------------------===//
#ifndef FUZZ_REPORT_REPORT_H
#define FUZZ_REPORT_REPORT_H

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
  std::vector<BenchmarkNight> nights;                     ///< oldest first
  std::vector<std::pair<std::string, std::string>> texts; ///< headings and what stands below them
};

void writeHtml(llvm::raw_ostream &out, const Store &store, llvm::StringRef title,
               const ReportExtras &extras = {});
void writeJson(llvm::raw_ostream &out, const Store &store);
void writeJunit(llvm::raw_ostream &out, const Store &store);

} // namespace tilesmith::fuzz

#endif // FUZZ_REPORT_REPORT_H
