//===- CudaTileAsm.h - parsing and printing shared by op families (private) -------------------===//
//
// The custom directives named in the ODS formats, plus helpers of hand-written parsers. Inside this
// dialect's ops types may be written without the `!cuda_tile.` prefix and are printed without it.
//
//===------------------------------------------------------------------------------------------===//
#ifndef TILESMITH_COMPILER_DIALECT_CUDATILE_IR_CUDATILEASM_H
#define TILESMITH_COMPILER_DIALECT_CUDATILE_IR_CUDATILEASM_H

#include "compiler/dialect/CudaTile/IR/CudaTile.h"

namespace tilesmith::cuda_tile {

// Types without prefix. The list forms take a comma-separated list.
mlir::ParseResult parseCudaTileType(mlir::AsmParser &parser, mlir::Type &type);
mlir::ParseResult parseCudaTileType(mlir::AsmParser &parser,
                                    llvm::SmallVectorImpl<mlir::Type> &types);
void printCudaTileType(mlir::AsmPrinter &printer, mlir::Type type);
void printCudaTileType(mlir::AsmPrinter &printer, mlir::Operation *op, mlir::Type type);
void printCudaTileType(mlir::AsmPrinter &printer, mlir::TypeRange types);
void printCudaTileType(mlir::AsmPrinter &printer, mlir::Operation *op, mlir::TypeRange types);

// `(%a: type {attrs}, ...)`, with the block arguments of the region that follows.
mlir::ParseResult parseArguments(mlir::OpAsmParser &parser,
                                 llvm::SmallVectorImpl<mlir::OpAsmParser::Argument> &arguments);
// `-> type` or `-> (types)`, when present.
mlir::ParseResult parseResultTypes(mlir::OpAsmParser &parser,
                                   llvm::SmallVectorImpl<mlir::Type> &types);
void printArguments(mlir::OpAsmPrinter &printer, mlir::Region &region,
                    mlir::ArrayAttr argAttrs = {});

// `signed` | `unsigned`
mlir::ParseResult parseSignedness(mlir::OpAsmParser &parser, SignednessAttr &attr);
void printSignedness(mlir::OpAsmPrinter &printer, mlir::Operation *, SignednessAttr attr);

mlir::ParseResult parseComparisonPredicate(mlir::OpAsmParser &parser,
                                           ComparisonPredicateAttr &attr);
void printComparisonPredicate(mlir::OpAsmPrinter &printer, mlir::Operation *,
                              ComparisonPredicateAttr attr);
mlir::ParseResult parseComparisonOrdering(mlir::OpAsmParser &parser, ComparisonOrderingAttr &attr);
void printComparisonOrdering(mlir::OpAsmPrinter &printer, mlir::Operation *,
                             ComparisonOrderingAttr attr);

// `rounding<mode>`, absent when it is the default of the op.
#define TILESMITH_ROUNDING_DIRECTIVE(NAME)                                                         \
  mlir::ParseResult parse##NAME(mlir::OpAsmParser &parser, RoundingModeAttr &attr);                \
  void print##NAME(mlir::OpAsmPrinter &printer, mlir::Operation *, RoundingModeAttr attr);
TILESMITH_ROUNDING_DIRECTIVE(IEEERoundingMode)
TILESMITH_ROUNDING_DIRECTIVE(DivFOpRoundingMode)
TILESMITH_ROUNDING_DIRECTIVE(SqrtOpRoundingMode)
TILESMITH_ROUNDING_DIRECTIVE(ExpOpRoundingMode)
TILESMITH_ROUNDING_DIRECTIVE(TanHOpRoundingMode)
TILESMITH_ROUNDING_DIRECTIVE(IntegerRoundingMode)
TILESMITH_ROUNDING_DIRECTIVE(FToFRoundingMode)
#undef TILESMITH_ROUNDING_DIRECTIVE

// `<f32: [1.0, 2.0]> : tile<2xf32>`; the splat form takes one value.
mlir::ParseResult parseDenseElements(mlir::OpAsmParser &parser,
                                     mlir::DenseIntOrFPElementsAttr &attr, mlir::Type &type);
void printDenseElements(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                        mlir::DenseIntOrFPElementsAttr attr, mlir::Type type);
mlir::ParseResult parseDenseElementsNoResult(mlir::OpAsmParser &parser,
                                             mlir::DenseIntOrFPElementsAttr &attr);
void printDenseElementsNoResult(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                                mlir::DenseIntOrFPElementsAttr attr);

} // namespace tilesmith::cuda_tile

#endif // TILESMITH_COMPILER_DIALECT_CUDATILE_IR_CUDATILEASM_H
