//===- UpdateSymbolName.h - rename a symbol together with its debug information ---------------===//
#ifndef TILESMITH_COMPILER_DIALECT_CUDATILE_TRANSFORMS_UPDATESYMBOLNAME_H
#define TILESMITH_COMPILER_DIALECT_CUDATILE_TRANSFORMS_UPDATESYMBOLNAME_H

#include "mlir/IR/SymbolTable.h"

namespace tilesmith::cuda_tile {

/// Renames `symbol`, and the linkage name of its subprogram in every location inside `scope`, which
/// must enclose the symbol. With `updateUses`, references to the symbol in its table follow.
llvm::LogicalResult updateSymbolName(mlir::StringAttr newName, mlir::SymbolOpInterface symbol,
                                     mlir::Operation *scope, bool updateUses);

} // namespace tilesmith::cuda_tile

#endif // TILESMITH_COMPILER_DIALECT_CUDATILE_TRANSFORMS_UPDATESYMBOLNAME_H
