//===- OpTable.h - how each op is encoded -----------------------------------------------------===//
//
// One record per op: opcode, the minor version that introduced it, results, and its fields in
// encoding order. Reader and writer walk the same records, so they cannot drift apart. An op is
// encoded as
//
//   opcode [#results] result-types [flags] attributes operands [#regions regions]
//
// with these rules, all derived from the record:
//   * #results is stored iff a result or an operand is variadic;
//   * flags hold one bit per optional attribute, unit attribute and optional operand of a segmented
//     op; bits are ordered by version of introduction, then attributes before operands, then
//     declaration order. The flags are there iff the file is as new as the oldest flagged field;
//   * unit attributes live in the flags only; fields and results newer than the file are absent;
//   * operands of a segmented op: single bare, optional bare when its flag is set, variadic with
//     its own count. Operands of other ops: one total count iff one is variadic or optional.
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_BYTECODE_OPTABLE_H
#define COMPILER_BYTECODE_OPTABLE_H

#include "compiler/bytecode/Format.h"

#include "mlir/Support/LLVM.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>

namespace tilesmith::bytecode {

enum class FieldKind : uint8_t {
  // attributes
  Signedness,
  Overflow,
  Rounding,
  Predicate,
  Ordering,
  AtomicMode,
  MemoryOrder,
  MemoryScope,
  MultimemReduction,
  I32,
  I64,
  Bool,
  String,
  Symbol,
  I32Array,
  BoolArray,
  Dense,
  Array,
  SelfContained,
  Hints,
  Unit,
  // operands
  Operand,
  OptionalOperand,
  VariadicOperand,
};

constexpr bool isOperand(FieldKind kind) {
  return kind >= FieldKind::Operand;
}
constexpr bool isEnum(FieldKind kind) {
  return kind <= FieldKind::MultimemReduction;
}
inline constexpr size_t kNumEnumKinds = static_cast<size_t>(FieldKind::MultimemReduction) + 1;

struct Field {
  FieldKind kind;
  llvm::StringLiteral name;
  uint8_t since = 0;     ///< minor version; 0: as old as the op
  bool optional = false; ///< optional attribute (operands say so in their kind)
  /// Enum value that files older than the field, and ops without the attribute, mean.
  std::optional<uint32_t> absent = {};
};

struct OpRecord {
  uint32_t opcode;
  uint8_t since;
  llvm::StringLiteral name; ///< without the dialect prefix
  int8_t results;           ///< fixed number of results, or -1 for one variadic group
  llvm::SmallVector<Field, 6> fields;
  uint8_t regions = 0;
  bool segmented = false;
  uint8_t lastResultSince = 0; ///< minor version of the last result when it is newer than the op

  // derived by opTable()
  bool countsResults = false;
  bool countsOperands = false;
  uint8_t flagsSince = 0;                     ///< 0: the op has no flags
  llvm::SmallVector<int8_t, 6> flagBits = {}; ///< per field, -1 without a bit

  /// Whether a field of this op exists in files of the given minor version.
  bool hasField(const Field &field, uint8_t minor) const {
    return minor >= (field.since ? field.since : since);
  }
  /// Number of fixed results that files of the given minor version store.
  unsigned storedResults(uint8_t minor) const {
    return static_cast<unsigned>(results) - (lastResultSince && minor < lastResultSince ? 1 : 0);
  }
  bool hasFlags(uint8_t minor) const { return flagsSince && minor >= flagsSince; }
};

/// All ops that may stand in a function body, by ascending opcode.
llvm::ArrayRef<OpRecord> opTable();

/// The same, followed by the ops of test suites (versions 250.0 and 250.1).
llvm::ArrayRef<OpRecord> opTableWithTestingOps();

/// Whether files of the version can be read and written: 13.1 to 13.5, and 250.0 and 250.1 in a
/// context that knows the ops of test suites; under the profile of 13.1 no newer one.
bool isSupported(Version version, mlir::MLIRContext *context);

/// The newest minor version that the profile of the context reads and writes.
unsigned newestMinor(mlir::MLIRContext *context);

/// The record of an opcode, or null for holes and container ops.
const OpRecord *findOpByOpcode(uint32_t opcode);

/// The record of an op name without its dialect prefix, or null.
const OpRecord *findOpByName(llvm::StringRef name);

} // namespace tilesmith::bytecode

#endif // COMPILER_BYTECODE_OPTABLE_H
