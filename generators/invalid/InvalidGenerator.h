//===- InvalidGenerator.h - modules with exactly one fault, and what must be said of it -------===//
//
// Takes a generated kernel, or a module of the caller, and breaks one rule of the verifier or of
// the bytecode reader. The result is a case whose `expect_reject` names the rule, the op, the place
// and part of the diagnostic. Its module is text (`.mlir`) or bytecode: faults that bytecode can
// hold come in either form, faults of syntax as text, faults of the file format as bytecode.
//
// The expectation comes from tables (Breaker.h, FileBreakers.h). Nothing here verifies the broken
// module.
//
// Location: `LINE:COLUMN` of the wrong token or `LINE` in text, `@SYMBOL op N` in bytecode, where N
// counts ops from the function or global itself in the order of the text, or the section of the
// file. `features` holds `profile:NAME` and `option:NAME` to verify with.
//
//===------------------------------------------------------------------------------------------===//
#ifndef GENERATORS_INVALID_INVALIDGENERATOR_H
#define GENERATORS_INVALID_INVALIDGENERATOR_H

#include "generators/entropy/ChoiceStream.h"
#include "generators/program/ProgramGenerator.h"
#include "reference/testcase/TestCase.h"

#include "mlir/IR/MLIRContext.h"

#include <map>

namespace tilesmith::generators {

/// All rules that can be broken, sorted; those of the bytecode reader start with `file_`.
llvm::ArrayRef<llvm::StringRef> invalidLabels();

/// Whether the label is one of `invalidLabels()`.
bool isInvalidLabel(llvm::StringRef label);

/// What is broken in place: `operation` in memory, `line` of text; empty: only statements that are
/// added break the rule.
llvm::StringRef inPlaceKind(llvm::StringRef label);

/// Why the rule is only broken by statements that are added; empty where it is broken in place.
llvm::StringRef addedOnlyReason(llvm::StringRef label);

class InvalidGenerator {
public:
  /// One case that breaks `label`, or a rule drawn from the stream where it is empty. The module
  /// to break is `base` (bytecode), or a generated kernel. Error: unknown label.
  llvm::Expected<testcase::TestCase> generate(ChoiceStream &stream, std::string name,
                                              llvm::StringRef label = "",
                                              llvm::ArrayRef<uint8_t> base = {});

private:
  mlir::MLIRContext &contextFor(llvm::StringRef profile, llvm::StringRef option);

  ProgramGenerator programs;
  std::map<std::string, std::unique_ptr<mlir::MLIRContext>> contexts;
  unsigned uses = 0; ///< of the contexts, which grow with every module
};

} // namespace tilesmith::generators

#endif // GENERATORS_INVALID_INVALIDGENERATOR_H
