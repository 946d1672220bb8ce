//===- OpFaults.h - faults of operations, and how often kernels show them ---------------------===//
//
// Each fault is what a compiler could do wrong in one kind of operation: another rounding, another
// zero, a conversion by way of a third format. It is made everywhere in a module of cuda_tile, whose
// results the reference then computes; no compiler is involved. A kernel that holds the operation
// shows the fault when what it leaves lies outside of the bounds of the kernel without it: then the
// differential oracle would have found a compiler with that fault by this kernel.
//
// Invariant: the counts are a function of the kernels, so that floors can be tested.
//
//===------------------------------------------------------------------------------------------===//
#ifndef FUZZ_CAMPAIGN_OPFAULTS_H
#define FUZZ_CAMPAIGN_OPFAULTS_H

#include "reference/testcase/TestCase.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#include <map>
#include <string>

namespace mlir {
class Operation;
} // namespace mlir

namespace tilesmith::fuzz {

struct OpFault {
  llvm::StringLiteral name;
  bool (*applies)(mlir::Operation *op); ///< the operation can have the fault
  void (*make)(mlir::Operation *op);    ///< may replace or erase the operation
  /// Of 100 kernels that hold such an operation, those that show it, at least.
  unsigned floor;
};

llvm::ArrayRef<OpFault> opFaults();

/// How many kernels hold operations of a fault, leave something else because of it, and show it.
struct FaultCount {
  uint64_t holds = 0, differs = 0, shows = 0;
};

class FaultTable {
public:
  /// Counts one case. Error: its module cannot be read, or a fault makes it invalid.
  llvm::Error add(const testcase::TestCase &testCase);
  void print(llvm::raw_ostream &out) const;
  const FaultCount &count(llvm::StringRef fault) const;
  /// Faults that are shown by a smaller share of kernels than their floor, one line each.
  std::vector<std::string> problems() const;

private:
  std::map<std::string, FaultCount> counts;
};

} // namespace tilesmith::fuzz

#endif // FUZZ_CAMPAIGN_OPFAULTS_H
