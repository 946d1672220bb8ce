//===- CaseModules.h - the modules of a case, to be changed and run on the reference ----------===//
#ifndef FUZZ_CAMPAIGN_CASEMODULES_H
#define FUZZ_CAMPAIGN_CASEMODULES_H

#include "reference/interp/RunCase.h"

#include "mlir/IR/OwningOpRef.h"

#include <map>

namespace tilesmith::fuzz {

/// The modules of all launches, in one context; launches of one file share it.
struct CaseModules {
  std::map<std::string, mlir::OwningOpRef<cuda_tile::ModuleOp>> owned;
  std::vector<cuda_tile::ModuleOp> ofLaunches;
};

llvm::Expected<CaseModules> readModules(const testcase::TestCase &testCase,
                                        mlir::MLIRContext &context);

/// Runs them within limits: a change may have made a loop endless.
llvm::Expected<reference::CaseResult> runModules(const testcase::TestCase &testCase,
                                                 const CaseModules &modules,
                                                 reference::Domain domain);

} // namespace tilesmith::fuzz

#endif // FUZZ_CAMPAIGN_CASEMODULES_H
