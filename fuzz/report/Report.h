//===- Report.h - a store for people and for other programs -----------------------------------===//
//
// One page of HTML without references to anything outside (bugs with their reduced kernels, a heat
// map of op and type, the rate and the verdicts over time), the same as JSON, and JUnit for build
// servers: one test case per bug, and one for the rest.
//
//===------------------------------------------------------------------------------------------===//
#ifndef FUZZ_REPORT_REPORT_H
#define FUZZ_REPORT_REPORT_H

#include "fuzz/store/Store.h"

#include "llvm/Support/raw_ostream.h"

namespace tilesmith::fuzz {

/// Longest kernel text that the page shows, and most bugs: keeps it under 5 MiB.
constexpr size_t kMaxShownText = 8000, kMaxShownBugs = 400;

void writeHtml(llvm::raw_ostream &out, const Store &store, llvm::StringRef title);
void writeJson(llvm::raw_ostream &out, const Store &store);
void writeJunit(llvm::raw_ostream &out, const Store &store);

} // namespace tilesmith::fuzz

#endif // FUZZ_REPORT_REPORT_H
