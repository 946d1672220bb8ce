//===- ReportFormat.h - judgements as text ----------------------------------------------------===//
//
// A ModuleReport as one line of JSON, for the way from a worker process to the campaign, and as
// rows for people.
//
//===------------------------------------------------------------------------------------------===//
#ifndef FUZZ_CAMPAIGN_REPORTFORMAT_H
#define FUZZ_CAMPAIGN_REPORTFORMAT_H

#include "oracles/differential/Differential.h"

namespace tilesmith::fuzz {

std::string toJson(const oracles::ModuleReport &report);
llvm::Expected<oracles::ModuleReport> reportFromJson(llvm::StringRef text);

/// One row per engine, `CASE  VERSION  ENGINE  VERDICT  SECONDS`, and details below the rows that
/// do not agree.
void printRows(llvm::raw_ostream &out, const oracles::ModuleReport &report);

/// The header of those rows.
void printRowHeader(llvm::raw_ostream &out);

} // namespace tilesmith::fuzz

#endif // FUZZ_CAMPAIGN_REPORTFORMAT_H
