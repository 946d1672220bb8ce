//===- Breaker.h - what breaks one verifier rule, and what must be said then ------------------===//
//
// One row per rule. The texts are those of the public dialect, typed from the specification; no
// row was ever filled in by asking our verifier.
//
// Columns:
//   label       the name that joins the rule's statement in compiler/dialect/CudaTile (`// rule:`),
//               its test and this row
//   op          the op that is wrong, without `cuda_tile.`; empty where a parser or a type reports
//   place       where the code goes
//   profile     the rules to verify by; option: `testing-ops` or `hint-errors`
//   textOnly    bytecode cannot hold the fault (though the writer would write something)
//   location    of the report, where it is not that of the marked op (rules of debug information)
//   variants    choices, `A/B: 1/2 3/4; C: 5 6`: in every text, `$A` stands for the value drawn. A
//               dot is the empty value, `,_` a comma and a blank.
//   operands    values that the code uses: `name:type; ...`. One of the kernel where it has one of
//               this type, else one that is made.
//   prefix      lines in front of the module (aliases)
//   code        the broken statement; `~` marks the token that is wrong
//   diagnostic  part of the report
//
//===------------------------------------------------------------------------------------------===//
#ifndef GENERATORS_INVALID_BREAKER_H
#define GENERATORS_INVALID_BREAKER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace tilesmith::generators {

/// Where the code of a breaker goes.
enum class Place {
  Body,   ///< in front of a statement of the kernel, in a region or not
  Entry,  ///< alone in an entry of its own
  Module, ///< beside the entries
  File,   ///< behind the module
};

struct Breaker {
  llvm::StringLiteral label;
  llvm::StringLiteral op = "";
  Place place = Place::Body;
  llvm::StringLiteral profile = "tileiras-13.5";
  bool textOnly = false;
  llvm::StringLiteral option = "";
  llvm::StringLiteral location = "";
  llvm::StringLiteral variants = "";
  llvm::StringLiteral operands = "";
  llvm::StringLiteral prefix = "";
  llvm::StringLiteral code = "";
  llvm::StringLiteral diagnostic = "";
};

llvm::ArrayRef<Breaker> aggregateBreakers();
llvm::ArrayRef<Breaker> arithmeticBreakers();
llvm::ArrayRef<Breaker> controlFlowBreakers();
llvm::ArrayRef<Breaker> coreBreakers();
llvm::ArrayRef<Breaker> debugBreakers();
llvm::ArrayRef<Breaker> memoryBreakers();
llvm::ArrayRef<Breaker> miscBreakers();
llvm::ArrayRef<Breaker> typeBreakers();
llvm::ArrayRef<Breaker> viewBreakers();

} // namespace tilesmith::generators

#endif // GENERATORS_INVALID_BREAKER_H
