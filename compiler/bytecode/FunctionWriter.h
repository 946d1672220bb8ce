//===- FunctionWriter.h - the function and global sections ------------------------------------===//
#ifndef COMPILER_BYTECODE_FUNCTIONWRITER_H
#define COMPILER_BYTECODE_FUNCTIONWRITER_H

#include "compiler/bytecode/WriterTables.h"

#include "compiler/dialect/CudaTile/IR/CudaTile.h"

namespace tilesmith::bytecode {

class FunctionWriter {
public:
  FunctionWriter(WriterState &state, StringPool &strings, TypePool &types, ConstantPool &constants,
                 DebugPool &debug)
      : state(state), strings(strings), types(types), constants(constants), debug(debug),
        attributes(state, strings, types, constants) {}

  llvm::LogicalResult writeGlobals(ByteSink &sink, cuda_tile::ModuleOp module);
  llvm::LogicalResult writeFunctions(ByteSink &sink, cuda_tile::ModuleOp module);

private:
  llvm::LogicalResult writeEntry(ByteSink &sink, cuda_tile::EntryOp entry);
  llvm::LogicalResult writeArgAttrs(ByteSink &sink, cuda_tile::EntryOp entry);
  llvm::LogicalResult writeOp(ByteSink &sink, mlir::Operation *op);
  llvm::LogicalResult writeResults(ByteSink &sink, mlir::Operation *op, const OpRecord &record,
                                   unsigned &stored);
  llvm::LogicalResult writeAttributes(ByteSink &sink, mlir::Operation *op, const OpRecord &record,
                                      llvm::ArrayRef<int32_t> segments);
  llvm::LogicalResult writeOperands(ByteSink &sink, mlir::Operation *op, const OpRecord &record,
                                    llvm::ArrayRef<int32_t> segments);
  llvm::LogicalResult writeRegions(ByteSink &sink, mlir::Operation *op);
  llvm::LogicalResult writeOperand(ByteSink &sink, mlir::Operation *op, mlir::Value value);
  llvm::LogicalResult tooNew(mlir::Operation *op, const Field &field);

  WriterState &state;
  StringPool &strings;
  TypePool &types;
  ConstantPool &constants;
  DebugPool &debug;
  AttributeWriter attributes;

  llvm::DenseMap<mlir::Value, uint64_t> valueIndices;
  uint64_t nextValue = 0;
};

} // namespace tilesmith::bytecode

#endif // COMPILER_BYTECODE_FUNCTIONWRITER_H
