//===- Sections.h - the parts of the page of a store ----------------------------------------------===//
#ifndef FUZZ_REPORT_SECTIONS_H
#define FUZZ_REPORT_SECTIONS_H

#include "fuzz/report/Charts.h"
#include "fuzz/report/Report.h"

namespace tilesmith::fuzz {

/// Curves of several campaigns beside each other; nothing where there is none.
void writeCurves(llvm::raw_ostream &out, PageData &data, llvm::ArrayRef<Curve> curves);

/// What compiled code costs, and the benchmarks; nothing where neither was measured.
void writePerformance(llvm::raw_ostream &out, PageData &data, const ReportExtras &extras);

} // namespace tilesmith::fuzz

#endif // FUZZ_REPORT_SECTIONS_H
