//===- WriterTables.h - the tables of a file being written ------------------------------------===//
//
// Strings, types, constants and debug records are interned on first use and get ascending indices;
// a record's dependencies come before it. Each table writes its own section payload.
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_BYTECODE_WRITERTABLES_H
#define COMPILER_BYTECODE_WRITERTABLES_H

#include "compiler/bytecode/ByteSink.h"
#include "compiler/bytecode/OpTable.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/Types.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"

#include <vector>

namespace tilesmith::bytecode {

/// The target version and the first error of one write.
struct WriterState {
  Version version;
  std::string error;
  mlir::LocationAttr location;       ///< of the error; null when it belongs to no op
  mlir::LocationAttr invalidOp = {}; ///< an op that must not be where it is

  /// Records an error about an op (its name leads the text) unless there is one; always returns
  /// failure.
  llvm::LogicalResult fail(mlir::Operation *op, const llvm::Twine &text);
  llvm::LogicalResult failAt(mlir::LocationAttr location, const llvm::Twine &text);
  /// An error that belongs to no op.
  llvm::LogicalResult fail(const llvm::Twine &text) { return failAt({}, text); }
};

class StringPool {
public:
  uint64_t index(llvm::StringRef text);
  void write(ByteSink &sink) const { writeTable<uint32_t>(sink, items); }

private:
  llvm::StringMap<uint64_t> indices;
  std::vector<std::string> items;
};

class TypePool {
public:
  explicit TypePool(WriterState &state) : state(state) {}
  llvm::LogicalResult index(uint64_t &result, mlir::Type type);
  /// Writes the index of a type.
  llvm::LogicalResult write(ByteSink &sink, mlir::Type type);
  void write(ByteSink &sink) const { writeTable<uint32_t>(sink, items); }

private:
  llvm::LogicalResult encode(ByteSink &sink, mlir::Type type);
  llvm::LogicalResult encodeScalar(ByteSink &sink, mlir::Type type);
  llvm::LogicalResult tag(ByteSink &sink, TypeTag tag);
  llvm::LogicalResult pointerAttr(ByteSink &sink, mlir::Attribute attr);

  WriterState &state;
  llvm::DenseMap<mlir::Type, uint64_t> indices;
  std::vector<std::string> items;
};

class ConstantPool {
public:
  uint64_t index(mlir::DenseElementsAttr value);
  bool empty() const { return items.empty(); }
  void write(ByteSink &sink) const { writeTable<uint64_t>(sink, items); }

private:
  llvm::DenseMap<mlir::Attribute, uint64_t> indices;
  std::vector<std::string> items;
};

class DebugPool {
public:
  DebugPool(WriterState &state, StringPool &strings) : state(state), strings(strings) {}

  /// Opens the list of a function and adds its own location; returns the function's location index.
  uint64_t openFunction(mlir::Operation *function);
  /// Adds the location of the next op of the open function.
  llvm::LogicalResult addOp(mlir::Operation *op);
  bool empty() const { return owners.empty(); }
  void write(ByteSink &sink) const;

private:
  llvm::LogicalResult check(mlir::Operation *op, mlir::Location loc);
  uint64_t index(mlir::Attribute attr);
  void encode(ByteSink &sink, mlir::Attribute attr);

  WriterState &state;
  StringPool &strings;
  bool recording = false;
  std::vector<std::vector<uint64_t>> owners;
  llvm::DenseMap<mlir::Attribute, uint64_t> indices;
  llvm::DenseSet<mlir::Attribute> checked; ///< call sites share parts: each is looked at once
  std::vector<std::string> items;
};

class AttributeWriter {
public:
  AttributeWriter(WriterState &state, StringPool &strings, TypePool &types, ConstantPool &constants)
      : state(state), strings(strings), types(types), constants(constants) {}

  llvm::LogicalResult writeField(ByteSink &sink, mlir::Operation *op, const Field &field,
                                 mlir::Attribute attr);
  llvm::LogicalResult writeSelfContained(ByteSink &sink, mlir::Operation *op, mlir::Attribute attr);

private:
  llvm::LogicalResult writeArray(ByteSink &sink, mlir::Operation *op, mlir::ArrayAttr attr);
  llvm::LogicalResult writeDictionary(ByteSink &sink, mlir::Operation *op,
                                      mlir::DictionaryAttr attr);
  void writeFloat(ByteSink &sink, mlir::FloatAttr attr);

  WriterState &state;
  StringPool &strings;
  TypePool &types;
  ConstantPool &constants;
};

} // namespace tilesmith::bytecode

#endif // COMPILER_BYTECODE_WRITERTABLES_H
