//===- Kernel.h - a case whose modules can be edited ------------------------------------------===//
//
// The modules of one case at one bytecode version as IR, and the edits that the reducer tries on
// them. An edit changes the case in memory and says whether it applied; whether the result is still
// a valid, well-defined kernel with the same bug is found out by judging it.
//
// Invariants: operations are named by their position in a walk, which is the same in a clone;
// toTestCase gives back only what verifies.
//
//===------------------------------------------------------------------------------------------===//
#ifndef FUZZ_REDUCE_KERNEL_H
#define FUZZ_REDUCE_KERNEL_H

#include "compiler/dialect/CudaTile/IR/CudaTile.h"
#include "reference/testcase/TestCase.h"

#include "mlir/IR/OwningOpRef.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <map>

namespace tilesmith::fuzz {

/// What stands in for a value that is dropped.
enum class Substitute {
  Zero,
  One,
  Operand,    ///< an operand of the same type
  Dominating, ///< any earlier value of the same type
  Iota,       ///< 0, 1, 2, ...: addresses that differ
  Ramp,       ///< elements that all differ, of both signs
  AllOnes,    ///< -1, or NaN
  Lowest,     ///< the least integer, or a negative fraction
};

class Kernel {
public:
  /// Reads the modules of one version; the other versions are dropped.
  static llvm::Expected<Kernel> create(const testcase::TestCase &testCase, llvm::StringRef version,
                                       mlir::MLIRContext &context);

  Kernel clone() const;

  /// The case with the modules as bytecode. Error: a module does not verify or cannot be written.
  llvm::Expected<testcase::TestCase> toTestCase() const;

  /// Everything but the modules.
  testcase::TestCase testCase;

  /// Operations inside of entries, terminators not counted: the size of a kernel.
  unsigned operationCount() const;
  /// Those operations in walk order.
  std::vector<mlir::Operation *> operations() const;
  /// The text of all modules.
  std::string text() const;

  // Edits. All return false, with the kernel in any state, when they do not apply.

  /// Drops operations (by position in operations()), their results replaced, and what nothing uses
  /// any more.
  bool dropOperations(llvm::ArrayRef<size_t> positions, Substitute substitute);
  /// Drops an operation by way of its users: each of their results is replaced by the value of its
  /// type that is the `choice`-th among their other operands and the operands of the operation. So
  /// a cast or a permutation goes, for which no value of its own type stands in.
  bool dropThroughUsers(size_t position, unsigned choice);
  /// Puts the body of an `if`, `for` or `loop` in its place; region 0 or 1, run once.
  bool inlineRegion(size_t position, unsigned region);
  /// Removes result `index` of an `if`, `for` or `loop`, with the value that is carried for it.
  bool dropResult(size_t position, unsigned index, Substitute substitute);
  /// Replaces tile extents everywhere.
  bool mapExtents(llvm::function_ref<int64_t(int64_t)> map);
  /// All extents that are not 1, descending.
  std::vector<int64_t> extents() const;
  /// Removes attribute `index` of an operation (flags and hints only); behind the operations come
  /// the entries.
  bool dropAttribute(size_t position, unsigned index);
  /// Removes optional operand `index` (a mask, a padding value or a token).
  bool dropOperand(size_t position, unsigned index);
  /// Merges equal operations.
  bool mergeEqual();
  /// Removes unused parameters, buffers, globals and entries.
  bool dropUnused();
  /// Replaces an entry parameter by the constant that the (only) launch passes.
  bool bindParameter(size_t launch, size_t parameter);

private:
  cuda_tile::EntryOp entryOf(const testcase::Launch &launch) const;
  void removeDead();

  std::map<std::string, mlir::OwningOpRef<cuda_tile::ModuleOp>> modules; ///< by file name
};

} // namespace tilesmith::fuzz

#endif // FUZZ_REDUCE_KERNEL_H
