//===- ModuleEquality.h - are two modules in memory the same --------------------------------===//
//
// Compares operation by operation: name, attributes, operands, types of results and block
// arguments, regions. Locations and the names of values do not count. Both modules live in one
// context. What printing or writing the two would hide, because it leaves out the same of both,
// shows here.
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_ROUNDTRIP_MODULEEQUALITY_H
#define ORACLES_ROUNDTRIP_MODULEEQUALITY_H

#include "mlir/IR/Operation.h"

#include <optional>
#include <string>

namespace tilesmith::oracles {

/// The first difference, as `@kernel op 7 (addf): rounding_mode A became B`; nothing where the
/// modules are the same.
std::optional<std::string> firstDifference(mlir::Operation *before, mlir::Operation *after);

} // namespace tilesmith::oracles

#endif // ORACLES_ROUNDTRIP_MODULEEQUALITY_H
