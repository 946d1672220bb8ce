//===- Passes.h - the conversions between the stages ------------------------------------------===//
//
// All that Passes.td declares, for those who register them; a conversion alone: the header of its
// folder.
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_CONVERSION_PASSES_H
#define COMPILER_CONVERSION_PASSES_H

#include "mlir/Pass/Pass.h"

namespace tilesmith {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/conversion/Passes.h.inc"

} // namespace tilesmith

#endif // COMPILER_CONVERSION_PASSES_H
