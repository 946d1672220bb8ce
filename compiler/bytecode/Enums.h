//===- Enums.h - enum attributes by field kind ------------------------------------------------===//
//
// Maps the integer on the wire to the enum attribute of a field and back, with the version that
// introduced a value.
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_BYTECODE_ENUMS_H
#define COMPILER_BYTECODE_ENUMS_H

#include "compiler/bytecode/OpTable.h"

#include "mlir/IR/Attributes.h"

namespace tilesmith::bytecode {

/// The attribute of an enum field, or null when the number names no value.
mlir::Attribute makeEnum(FieldKind kind, uint32_t value, mlir::MLIRContext *context);

/// The number of an enum attribute, or nothing when the attribute is of another kind.
std::optional<uint32_t> enumValue(FieldKind kind, mlir::Attribute attr);

/// Minor version that introduced a value of an enum.
uint8_t enumValueSince(FieldKind kind, uint32_t value);

} // namespace tilesmith::bytecode

#endif // COMPILER_BYTECODE_ENUMS_H
