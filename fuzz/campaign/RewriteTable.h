//===- RewriteTable.h - how often each rewrite of the compiler fires --------------------------===//
//
// Generated kernels are compiled, not run, and what the passes tell of their patterns and folds
// (compiler/support/CountedRewrites.h) is counted by kernel. Every pattern that a pass has, and
// every fold of our dialects, has a floor, or a reason why no program of cuda_tile reaches it.
//
// Invariant: the counts are a function of the kernels and the compiler, so that floors can be
// tested.
//
//===------------------------------------------------------------------------------------------===//
#ifndef FUZZ_CAMPAIGN_REWRITETABLE_H
#define FUZZ_CAMPAIGN_REWRITETABLE_H

#include "reference/testcase/TestCase.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace mlir {
class MLIRContext;
} // namespace mlir

namespace tilesmith::fuzz {

class RewriteTable {
public:
  /// Counts from now on, in this process; what other compilations told before is forgotten.
  RewriteTable();
  ~RewriteTable();

  /// Compiles the modules of a case down to NVVM at -O3, for a GPU that has every type, and once more
  /// with `fuse-fma`. Error: a module cannot be read or compiled.
  llvm::Error add(const testcase::TestCase &testCase);
  void print(llvm::raw_ostream &out) const;
  /// Rewrites that fire less often than their floor (of 1,000 kernels in the mean) and chance explain, those without a row, and rows
  /// whose reason is wrong because they fire; one line each.
  std::vector<std::string> problems() const;
  /// Kernels by `PASS/NAME`; 0 for what a pass has and never fired.
  const std::map<std::string, uint64_t> &counts() const { return fired; }

private:
  std::map<std::string, uint64_t> fired;
  uint64_t kernels = 0;
  std::unique_ptr<mlir::MLIRContext> context;
};

} // namespace tilesmith::fuzz

#endif // FUZZ_CAMPAIGN_REWRITETABLE_H
