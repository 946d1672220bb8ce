//===- Changes.h - kernels near a stored one --------------------------------------------------===//
//
// A change rewrites one place of a stored kernel so that the module still verifies: another constant,
// operation, operand, mode, hint, extent or type; a statement, a loop or a branch more; an array more; a
// second kernel beside it. What comes out means something else, and may mean nothing (an access beyond its
// array, a race, an overflow that was promised not to be): whoever draws such a kernel asks the reference
// first, and counts what it refuses. The edits that keep what a kernel means (Edits.h) are among the
// changes that are drawn.
//
// Invariant: a change that makes a module which does not verify is undone, and another one drawn.
//
// Adding a change: a function and a row of the table of its family (TypeChanges, LoopChanges,
// FlowChanges, StatementChanges, MemoryChanges, ViewChanges, Changes for the rest). EditsTest fails when one is never possible.
//
//===------------------------------------------------------------------------------------------===//
#ifndef GENERATORS_MUTATE_CHANGES_H
#define GENERATORS_MUTATE_CHANGES_H

#include "generators/mutate/Edits.h"

namespace tilesmith::generators {

/// A kernel while it is changed: the module that all launches share, its buffers and arguments.
struct ChangedKernel {
  testcase::TestCase &testCase;
  cuda_tile::ModuleOp module;
  ChoiceStream &stream;
};

struct Change {
  llvm::StringLiteral name;
  llvm::StringLiteral needs; ///< what the place must be like
  /// Applies at a place drawn from the stream; false: there is none, nothing was changed.
  bool (*apply)(ChangedKernel &kernel);
};

llvm::ArrayRef<Change> flowChanges();
llvm::ArrayRef<Change> loopChanges();
llvm::ArrayRef<Change> memoryChanges();
llvm::ArrayRef<Change> statementChanges();
llvm::ArrayRef<Change> typeChanges();
llvm::ArrayRef<Change> viewChanges();

/// All of them, sorted by name.
llvm::ArrayRef<Change> allChanges();

/// The case with up to `count` changes, their names in `edits`, without what it expected. `beside`: a
/// case whose kernel is put beside it first, in one entry. Error: a module that cannot be read or written.
llvm::Expected<testcase::TestCase> changeCase(const testcase::TestCase &testCase,
                                              ChoiceStream &stream, unsigned count,
                                              mlir::MLIRContext &context, llvm::StringRef only = "",
                                              const testcase::TestCase *beside = nullptr);

/// Puts the only entry of `other` into the only one of the kernel, in one piece or statement by statement.
/// False: one of them has more than that, or another version; nothing was changed.
bool putBeside(ChangedKernel &kernel, const testcase::TestCase &other, cuda_tile::ModuleOp module);

} // namespace tilesmith::generators

#endif // GENERATORS_MUTATE_CHANGES_H
