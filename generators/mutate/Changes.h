//===- Changes.h - kernels near a stored one --------------------------------------------------===//
//
// A change rewrites one place of a stored kernel so that the module still verifies: another constant,
// operation, operand, mode, hint, extent or type. What comes out means something else, and may mean
// nothing (an access beyond its array, a race, an overflow that was promised not to be): whoever draws
// such a kernel asks the reference first, and counts what it refuses.
//
// Adding a change: a function and a row of the table in Changes.cpp. EditsTest fails when one is never
// possible.
//
//===------------------------------------------------------------------------------------------===//
#ifndef GENERATORS_MUTATE_CHANGES_H
#define GENERATORS_MUTATE_CHANGES_H

#include "generators/mutate/Edits.h"

namespace tilesmith::generators {

llvm::ArrayRef<Edit> allChanges();

/// The case with up to `count` changes, their names in `edits`, without what it expected. Error: a
/// module that cannot be read, or that does not verify any more.
llvm::Expected<testcase::TestCase> changeCase(const testcase::TestCase &testCase,
                                              ChoiceStream &stream, unsigned count,
                                              mlir::MLIRContext &context,
                                              llvm::StringRef only = "");

} // namespace tilesmith::generators

#endif // GENERATORS_MUTATE_CHANGES_H
