//===- Edits.h - metamorphic edits: another kernel with the same results ----------------------===//
//
// Each edit rewrites one place of a cuda_tile module so that every legal result of the new module
// is a legal result of the old one. Edits compose: applied one after the other, they are listed in
// the case (`edits`), in order. A row of the registry says what an edit needs; where a module has
// no such place it changes nothing.
//
// Adding an edit: a function in the file of its family, a row in that family's table. EditsTest
// fails when an edit is never possible, makes an invalid module or changes a result.
//
//===------------------------------------------------------------------------------------------===//
#ifndef GENERATORS_MUTATE_EDITS_H
#define GENERATORS_MUTATE_EDITS_H

#include "compiler/dialect/CudaTile/IR/CudaTile.h"
#include "generators/entropy/ChoiceStream.h"
#include "reference/testcase/TestCase.h"

#include "mlir/IR/MLIRContext.h"

namespace tilesmith::generators {

struct Edit {
  llvm::StringLiteral name;
  llvm::StringLiteral needs; ///< what the place must be like
  /// Applies at a place drawn from the stream; false: there is none, nothing was changed.
  bool (*apply)(cuda_tile::ModuleOp module, ChoiceStream &stream);
};

llvm::ArrayRef<Edit> arithmeticEdits();
llvm::ArrayRef<Edit> controlFlowEdits();
llvm::ArrayRef<Edit> memoryEdits();

/// All of them, sorted by name.
llvm::ArrayRef<Edit> allEdits();

/// The case with up to `count` edits (`only`: of this name). Fewer where a module has no place for
/// more; error: a module that cannot be read or written, or an edit that made an invalid one.
llvm::Expected<testcase::TestCase> editCase(const testcase::TestCase &testCase,
                                            ChoiceStream &stream, unsigned count,
                                            mlir::MLIRContext &context, llvm::StringRef only = "");

} // namespace tilesmith::generators

#endif // GENERATORS_MUTATE_EDITS_H
