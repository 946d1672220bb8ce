//===- CheckReport.h - judged modules for other programs --------------------------------------===//
//
// What `tilesmith check -o FILE` writes: JSON (`modules`, each as oracles/verdict/Report.h prints it,
// and `counts`), or JUnit, a test case per module: what disagrees is a failure, what is inconclusive
// or unavailable is skipped with its reason.
//
//===------------------------------------------------------------------------------------------===//
#ifndef FUZZ_REPORT_CHECKREPORT_H
#define FUZZ_REPORT_CHECKREPORT_H

#include "oracles/verdict/Report.h"

#include "llvm/Support/raw_ostream.h"

namespace tilesmith::fuzz {

void writeCheckJson(llvm::raw_ostream &out, llvm::ArrayRef<oracles::ModuleReport> reports);
void writeCheckJunit(llvm::raw_ostream &out, llvm::ArrayRef<oracles::ModuleReport> reports);

} // namespace tilesmith::fuzz

#endif // FUZZ_REPORT_CHECKREPORT_H
