//===- GlobalAccess.h - what an operation does to global memory -------------------------------===//
#ifndef COMPILER_DIALECT_TILEAS_IR_GLOBALACCESS_H
#define COMPILER_DIALECT_TILEAS_IR_GLOBALACCESS_H

#include "mlir/IR/Operation.h"

namespace tilesmith::tileas {

/// A weak load or store by threads: it orders nothing but itself.
bool isWeakAccess(mlir::Operation *op);

/// It writes, or, as a load that is not weak, lets the block see what others have written.
bool changesGlobalMemory(mlir::Operation *op);

} // namespace tilesmith::tileas

#endif // COMPILER_DIALECT_TILEAS_IR_GLOBALACCESS_H
