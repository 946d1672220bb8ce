//===- ReportRows.h - judgements as rows for people -------------------------------------------===//
#ifndef FUZZ_CAMPAIGN_REPORTROWS_H
#define FUZZ_CAMPAIGN_REPORTROWS_H

#include "oracles/verdict/Report.h"

namespace tilesmith::fuzz {

/// One row per engine, `CASE  VERSION  ENGINE  VERDICT  SECONDS`, a row for every oracle that does
/// not agree and has none of them, and details below the rows that do not agree.
void printRows(llvm::raw_ostream &out, const oracles::ModuleReport &report);

/// The header of those rows.
void printRowHeader(llvm::raw_ostream &out);

/// `oracle NAME: N agreed, N disagreed, N inconclusive, N unavailable`: a line for each that
/// judged.
void printOracleCounts(llvm::raw_ostream &out, const oracles::OracleCounts &counts);

} // namespace tilesmith::fuzz

#endif // FUZZ_CAMPAIGN_REPORTROWS_H
