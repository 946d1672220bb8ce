//===- ReaderTables.h - the tables of a file being read ---------------------------------------===//
//
// Strings, types, constants and debug records of one file. Tables check their offsets when they are
// opened and decode an entry on its first use; every lookup checks the index. A failed lookup has
// recorded its error in the trail.
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_BYTECODE_READERTABLES_H
#define COMPILER_BYTECODE_READERTABLES_H

#include "compiler/bytecode/Cursor.h"
#include "compiler/bytecode/Format.h"
#include "compiler/bytecode/OpTable.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/Types.h"

#include "llvm/ADT/DenseMap.h"

#include <array>
#include <vector>

namespace tilesmith::bytecode {

/// What every part of the reader needs: where things are built, how old the file is, where errors
/// go.
struct ReaderState {
  ReaderState(mlir::MLIRContext *context);

  mlir::MLIRContext *context;
  Version version;
  ErrorTrail errors;
  std::string diagnostics; ///< collected from verifiers, one per line

  /// Replaces the locations of ops by their offsets, so that diagnostics can name them.
  bool offsetsAsLocations = false;
  mlir::LocationAttr offsetLocation(uint64_t offset) const;

  /// An emitter for getChecked; its diagnostics are collected.
  mlir::InFlightDiagnostic emit() const;
  /// Diagnostics collected since the last call.
  std::string takeDiagnostics();

private:
  mlir::ScopedDiagnosticHandler handler;
};

class StringTable {
public:
  llvm::LogicalResult open(Cursor section);
  llvm::LogicalResult get(llvm::StringRef &value, uint64_t index, const Cursor &at) const;
  /// Reads a string index and looks it up.
  llvm::LogicalResult read(llvm::StringRef &value, Cursor &cursor, llvm::StringRef what) const;
  size_t size() const { return starts.size(); }

private:
  llvm::SmallVector<uint32_t, 0> starts;
  llvm::StringRef bytes;
};

class TypeTable {
public:
  explicit TypeTable(ReaderState &state) : state(state) {}
  llvm::LogicalResult open(Cursor section);
  llvm::LogicalResult get(mlir::Type &type, uint64_t index, const Cursor &at);
  /// Reads a type index and looks it up.
  llvm::LogicalResult read(mlir::Type &type, Cursor &cursor, llvm::StringRef what);
  size_t size() const { return cache.size(); }

private:
  llvm::LogicalResult decode(mlir::Type &type, Cursor cursor);
  llvm::LogicalResult decodePointer(mlir::Type &type, Cursor &cursor);
  llvm::LogicalResult decodeTile(mlir::Type &type, Cursor &cursor);
  llvm::LogicalResult decodeTensorView(mlir::Type &type, Cursor &cursor);
  llvm::LogicalResult decodeView(mlir::Type &type, Cursor &cursor, TypeTag tag);
  llvm::LogicalResult decodeFunction(mlir::Type &type, Cursor &cursor);
  llvm::LogicalResult readFlags(uint64_t &flags, Cursor &cursor);
  llvm::LogicalResult checked(mlir::Type &type, mlir::Type result, const Cursor &cursor,
                              llvm::StringRef kind);

  ReaderState &state;
  Cursor data;
  llvm::SmallVector<uint32_t, 0> starts;
  std::vector<mlir::Type> cache;
  std::vector<bool> open_; ///< being decoded right now: a second visit is a cycle
  unsigned depth = 0;
};

class ConstantTable {
public:
  llvm::LogicalResult open(Cursor section);
  /// Reads a constant index and builds the dense attribute of the given tile type.
  llvm::LogicalResult read(mlir::DenseElementsAttr &value, mlir::Type type, Cursor &cursor);
  size_t size() const { return items.size(); }

private:
  std::vector<Cursor> items;
  llvm::DenseMap<std::pair<mlir::Type, uint64_t>, mlir::DenseElementsAttr> cache;
};

class DebugTable {
public:
  DebugTable(ReaderState &state, const StringTable &strings) : state(state), strings(strings) {}
  llvm::LogicalResult open(Cursor section);

  /// Location number `position` of the function (and, behind it, its ops) whose location index is
  /// `owner`.
  llvm::LogicalResult location(mlir::LocationAttr &loc, uint64_t owner, uint64_t position,
                               const Cursor &at);

private:
  llvm::LogicalResult get(mlir::Attribute &attr, uint64_t index, const Cursor &at);
  template <typename T>
  llvm::LogicalResult read(T &attr, Cursor &cursor, llvm::StringRef what, llvm::StringRef owner);
  llvm::LogicalResult readName(mlir::StringAttr &name, Cursor &cursor, llvm::StringRef what,
                               llvm::StringRef owner);
  llvm::LogicalResult readNumber(unsigned &number, Cursor &cursor, llvm::StringRef what,
                                 llvm::StringRef owner);
  llvm::LogicalResult decode(mlir::Attribute &attr, Cursor cursor);

  ReaderState &state;
  const StringTable &strings;
  llvm::SmallVector<uint32_t, 0> ownerStarts;
  llvm::SmallVector<uint64_t, 0> indices;
  llvm::SmallVector<uint32_t, 0> starts;
  Cursor data;
  std::vector<mlir::Attribute> cache;
  std::vector<bool> open_;
  unsigned depth = 0;
};

/// Attributes of ops: fields whose kind the op table knows, and self-contained ones that carry a
/// tag.
class AttributeReader {
public:
  AttributeReader(ReaderState &state, StringTable &strings, TypeTable &types,
                  ConstantTable &constants)
      : state(state), strings(strings), types(types), constants(constants) {}

  /// `resultType` is the type of a dense constant.
  llvm::LogicalResult readField(mlir::Attribute &attr, const Field &field, mlir::Type resultType,
                                Cursor &cursor);
  llvm::LogicalResult readSelfContained(mlir::Attribute &attr, Cursor &cursor);
  /// The value of an enum field that a file is too old to hold.
  mlir::Attribute absentValue(const Field &field) const;

private:
  llvm::LogicalResult readEnum(mlir::Attribute &attr, FieldKind kind, Cursor &cursor);
  llvm::LogicalResult readInteger(mlir::Attribute &attr, mlir::Type type, Cursor &cursor);
  llvm::LogicalResult readFloat(mlir::Attribute &attr, mlir::Type type, Cursor &cursor);
  llvm::LogicalResult readArray(mlir::Attribute &attr, Cursor &cursor);
  llvm::LogicalResult readDictionary(mlir::DictionaryAttr &attr, Cursor &cursor);
  llvm::LogicalResult readHints(mlir::Attribute &attr, Cursor &cursor);
  llvm::LogicalResult readDivBy(mlir::Attribute &attr, Cursor &cursor);
  llvm::LogicalResult readBounded(mlir::Attribute &attr, Cursor &cursor);
  llvm::LogicalResult readOptionalBound(std::optional<int64_t> &bound, bool present, Cursor &cursor,
                                        llvm::StringRef what);

  ReaderState &state;
  StringTable &strings;
  TypeTable &types;
  ConstantTable &constants;
  unsigned depth = 0;
  /// Enum attributes by kind and value: building one looks it up by name twice.
  static constexpr uint32_t kCachedEnumValues = 16;
  std::array<std::array<mlir::Attribute, kCachedEnumValues>, kNumEnumKinds> enums;
};

} // namespace tilesmith::bytecode

#endif // COMPILER_BYTECODE_READERTABLES_H
