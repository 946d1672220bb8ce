//===- ViewAccessAsm.h - text of accesses to views (private) ----------------------------------===//
//
// The pieces that load, store, atomic and multimem ops on views share:
//   ORDER [SCOPE] %view[%i, ...] [token = %t] [optimization_hints = H] [inbounds = [true, false]] :
//   VIEW[, INDEX TYPE...]
// One index type stands for all; several are given one per index.
//
//===------------------------------------------------------------------------------------------===//
#ifndef TILESMITH_COMPILER_DIALECT_CUDATILE_IR_VIEWACCESSASM_H
#define TILESMITH_COMPILER_DIALECT_CUDATILE_IR_VIEWACCESSASM_H

#include "compiler/dialect/CudaTile/IR/CudaTile.h"

namespace tilesmith::cuda_tile {

/// Parses the parts in any order an op needs, then resolves the operands in the order of its ODS.
class ViewAccessSyntax {
public:
  ViewAccessSyntax(mlir::OpAsmParser &parser, mlir::OperationState &result)
      : parser(parser), result(result) {}

  mlir::ParseResult parseOrder();          // adds memory_ordering_semantics, memory_scope
  mlir::ParseResult parseViewAndIndices(); // %view[%i, ...]
  mlir::ParseResult parseToken();          // optional `token = %t`
  mlir::ParseResult parseInbounds();       // optional; adds inbounds
  mlir::ParseResult parseHints();          // optional; adds optimization_hints
  mlir::ParseResult parseTypes();          // view type, index types
  mlir::ParseResult resolveViewAndIndices();
  mlir::ParseResult resolveToken();
  void addSegments(llvm::ArrayRef<int32_t> sizes);

  int32_t numIndices() const { return indices.size(); }
  int32_t numTokens() const { return token ? 1 : 0; }

private:
  mlir::OpAsmParser &parser;
  mlir::OperationState &result;
  mlir::OpAsmParser::UnresolvedOperand view;
  llvm::SmallVector<mlir::OpAsmParser::UnresolvedOperand> indices;
  std::optional<mlir::OpAsmParser::UnresolvedOperand> token;
  mlir::Type viewType;
  llvm::SmallVector<mlir::Type> indexTypes;
  llvm::SMLoc indexTypesLoc;
};

void printMemoryOrder(mlir::OpAsmPrinter &printer, MemoryOrderingSemanticsAttr order,
                      MemoryScopeAttr scope);
void printViewAndIndices(mlir::OpAsmPrinter &printer, mlir::Value view, mlir::ValueRange indices);
void printToken(mlir::OpAsmPrinter &printer, mlir::Value token);
void printInbounds(mlir::OpAsmPrinter &printer, std::optional<llvm::ArrayRef<bool>> inbounds);
void printHints(mlir::OpAsmPrinter &printer, OptimizationHintsAttr hints);
void printViewAndIndexTypes(mlir::OpAsmPrinter &printer, mlir::Value view,
                            mlir::ValueRange indices);

} // namespace tilesmith::cuda_tile

#endif // TILESMITH_COMPILER_DIALECT_CUDATILE_IR_VIEWACCESSASM_H
