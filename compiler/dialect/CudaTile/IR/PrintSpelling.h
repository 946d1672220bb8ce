//===- PrintSpelling.h - print and print_tko --------------------------------------------------===//
//
// Bytecode has one opcode for both. A tool of 13.1 shows it as `print`, which has no tokens; later
// tools show `print_tko`. Readers and writers change the spelling where the profile wants it.
//
//===------------------------------------------------------------------------------------------===//
#ifndef TILESMITH_COMPILER_DIALECT_CUDATILE_IR_PRINTSPELLING_H
#define TILESMITH_COMPILER_DIALECT_CUDATILE_IR_PRINTSPELLING_H

#include "compiler/dialect/CudaTile/IR/CudaTile.h"

namespace tilesmith::cuda_tile {

/// Under the 13.1 profile, turns each print_tko without tokens into print.
void spellPrintsForProfile(ModuleOp module);

/// Turns each print into print_tko, whose token nobody uses.
void spellPrintsForBytecode(ModuleOp module);

} // namespace tilesmith::cuda_tile

#endif // TILESMITH_COMPILER_DIALECT_CUDATILE_IR_PRINTSPELLING_H
