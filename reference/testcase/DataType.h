//===- DataType.h - element types of buffers and scalar arguments -----------------------------===//
//
// The spellings of case.json ("f32", "u8", "f8e4m3fn", ...), their sizes, and conversion of one
// element between its bit pattern and a float64. Storage is little-endian; every element fills
// whole bytes (bool: one byte 0 or 1; tf32: four). No MLIR here: a machine that only replays cases
// can link this.
//
//===------------------------------------------------------------------------------------------===//
#ifndef REFERENCE_TESTCASE_DATATYPE_H
#define REFERENCE_TESTCASE_DATATYPE_H

#include <cstdint>
#include <optional>
#include <string>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace tilesmith::testcase {

enum class DataType : uint8_t {
  Bool,
  I8,
  I16,
  I32,
  I64,
  U8,
  U16,
  U32,
  U64,
  F16,
  BF16,
  F32,
  TF32,
  F64,
  F8E4M3FN,
  F8E5M2,
  F8E8M0FNU,
  F8E5M3FNU,
};

/// All data types in declaration order.
llvm::ArrayRef<DataType> allDataTypes();

/// The spelling of case.json.
llvm::StringRef spelling(DataType type);

/// Inverse of spelling; nullopt for an unknown word.
std::optional<DataType> parseDataType(llvm::StringRef word);

/// Bytes of one element in a buffer.
unsigned sizeInBytes(DataType type);

bool isFloat(DataType type);
bool isSignedInteger(DataType type);

/// The value of a bit pattern in float64 (exact for every type up to 53 significant bits; wider
/// integers are rounded).
double toDouble(DataType type, uint64_t bits);

/// Bit pattern of `value` rounded to nearest even; formats without infinity saturate, formats
/// without NaN give the all-ones pattern. Integers: the value is truncated and clamped. Used for
/// scalar parameters.
uint64_t fromDouble(DataType type, double value);

/// True for every NaN encoding of a floating-point type.
bool isNaNPattern(DataType type, uint64_t bits);

/// Little-endian element `index` of `bytes`. The range must be inside.
uint64_t readElement(llvm::ArrayRef<uint8_t> bytes, DataType type, uint64_t index);
void writeElement(llvm::MutableArrayRef<uint8_t> bytes, DataType type, uint64_t index,
                  uint64_t bits);

/// A short text of the value with its bit pattern, for messages: `1.5 (0x3fc00000)`.
std::string describe(DataType type, uint64_t bits);

} // namespace tilesmith::testcase

#endif // REFERENCE_TESTCASE_DATATYPE_H
