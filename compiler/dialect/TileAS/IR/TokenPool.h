//===- TokenPool.h - mbarriers for memory tokens ----------------------------------------------===//
#ifndef COMPILER_DIALECT_TILEAS_IR_TOKENPOOL_H
#define COMPILER_DIALECT_TILEAS_IR_TOKENPOOL_H

namespace tilesmith::tileas {

/// Mbarriers of a tile block that tokens between its agents may take.
inline constexpr unsigned kTokenPoolSize = 32;

} // namespace tilesmith::tileas

#endif // COMPILER_DIALECT_TILEAS_IR_TOKENPOOL_H
