//===- FunctionReader.h - the function and global sections ------------------------------------===//
//
// Builds the entries and globals of a module. Ops are built through OperationState and inherent
// attributes only; nothing here calls an accessor of an op, so ill-typed input is harmless until
// the verifier has looked at it.
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_BYTECODE_FUNCTIONREADER_H
#define COMPILER_BYTECODE_FUNCTIONREADER_H

#include "compiler/bytecode/ReaderTables.h"

#include "mlir/IR/Block.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/IR/Value.h"

namespace tilesmith::bytecode {

class FunctionReader {
public:
  FunctionReader(ReaderState &state, StringTable &strings, TypeTable &types,
                 ConstantTable &constants, DebugTable &debug)
      : state(state), strings(strings), types(types), constants(constants), debug(debug),
        attributes(state, strings, types, constants) {}

  /// Appends the globals of the section to the module body.
  llvm::LogicalResult readGlobals(Cursor section, mlir::Block &moduleBody);
  /// Appends the entries of the section to the module body.
  llvm::LogicalResult readFunctions(Cursor section, mlir::Block &moduleBody);

private:
  /// What one op record needs from the context, looked up once per kind of op.
  struct BoundOp {
    std::optional<mlir::OperationName> name;
    llvm::SmallVector<mlir::StringAttr, 6> fieldNames;
  };
  struct Header {
    llvm::StringRef name;
    uint64_t signature = 0;
    uint8_t flags = 0;
    uint64_t location = 0;
    mlir::Attribute hints;
    mlir::Attribute argAttrs;
    Cursor body;
    uint64_t offset = 0; ///< of the entry in the file
  };

  llvm::LogicalResult readHeader(Header &header, Cursor &cursor);
  llvm::LogicalResult checkFlags(uint8_t flags, const Cursor &cursor);
  llvm::LogicalResult buildEntry(Header &header, mlir::Block &moduleBody, const Cursor &cursor);
  llvm::LogicalResult readOp(Cursor &cursor, mlir::Block &block);
  llvm::LogicalResult readResultTypes(const OpRecord &op, mlir::OperationState &state,
                                      unsigned &stored, Cursor &cursor);
  llvm::LogicalResult readFields(const OpRecord &op, mlir::OperationState &state, Cursor &cursor);
  llvm::LogicalResult readOperand(mlir::OperationState &state, Cursor &cursor,
                                  llvm::StringRef what);
  llvm::LogicalResult readRegions(const OpRecord &op, mlir::Operation *operation, Cursor &cursor);
  llvm::LogicalResult readRegion(mlir::Region &region, Cursor &cursor);
  llvm::LogicalResult readBlock(mlir::Block &block, Cursor &cursor);
  const BoundOp *bind(const OpRecord &op, const Cursor &cursor);

  ReaderState &state;
  StringTable &strings;
  TypeTable &types;
  ConstantTable &constants;
  DebugTable &debug;
  AttributeReader attributes;

  std::vector<BoundOp> bound;
  mlir::StringAttr segmentSizesName;

  // State of the function being read.
  std::vector<mlir::Value> values; ///< arguments and results in scope, by value index
  uint64_t location = 0;           ///< location index of the function
  uint64_t nextLocation = 0;
  unsigned depth = 0; ///< of regions

  // Scratch space of readOp, valid until it descends into regions.
  llvm::SmallVector<mlir::Attribute, 6> fieldValues;
  llvm::SmallVector<int32_t, 6> segmentSizes;
};

} // namespace tilesmith::bytecode

#endif // COMPILER_BYTECODE_FUNCTIONREADER_H
