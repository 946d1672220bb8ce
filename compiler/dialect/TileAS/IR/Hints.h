//===- Hints.h - hints of the source program on memory operations -----------------------------===//
//
// Discardable attributes that convert-tileaa-to-tileas carries over; schedules read them.
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_DIALECT_TILEAS_IR_HINTS_H
#define COMPILER_DIALECT_TILEAS_IR_HINTS_H

#include "llvm/ADT/StringRef.h"

namespace tilesmith::tileas {

/// From 1 (cheap) to 10: how long the access takes.
inline constexpr llvm::StringLiteral kLatencyAttr{"nv_tileas.latency"};

} // namespace tilesmith::tileas

#endif // COMPILER_DIALECT_TILEAS_IR_HINTS_H
