//===- CudaTile.h - the cuda_tile dialect: types, attributes, all ops -------------------------===//
//
// The single header of the dialect. Shapes and strides count elements, indices of views tiles,
// `offset` pointees. A rank-0 tile is a scalar. Tokens carry memory order and no value.
//
// Nothing here lowers anything; the dialect belongs to the trust base, shared by the compiler, the
// reference interpreter, the bytecode reader and the generators.
//
//===------------------------------------------------------------------------------------------===//
#ifndef TILESMITH_COMPILER_DIALECT_CUDATILE_IR_CUDATILE_H
#define TILESMITH_COMPILER_DIALECT_CUDATILE_IR_CUDATILE_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/RegionKindInterface.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <optional>

namespace tilesmith::cuda_tile {
class TensorViewType;

/// The rules that verifiers apply, after the tool that is being stood in for. (Fields, types, enum
/// values and opcodes are gated by the version of a bytecode file instead.)
enum class Profile {
  Public,       // public 13.3 dialect
  Tileiras13_5, // the closed tool of 13.5, for every file version
  Tileiras13_1, // the closed tool of 13.1
};

/// Text of attributes that only test suites know. The parser gets the mnemonic, already read, and
/// gives nothing for mnemonics that are not its own.
struct TestingSyntax {
  mlir::OptionalParseResult (*parseAttribute)(mlir::AsmParser &, llvm::StringRef mnemonic,
                                              mlir::Attribute &);
  llvm::LogicalResult (*printAttribute)(mlir::Attribute, mlir::AsmPrinter &);
};
} // namespace tilesmith::cuda_tile

#include "compiler/dialect/CudaTile/IR/CudaTileEnums.h.inc"

#include "compiler/dialect/CudaTile/IR/CudaTileDialect.h.inc"

#include "compiler/dialect/CudaTile/IR/CudaTileAttrInterfaces.h.inc"

namespace tilesmith::cuda_tile {

/// Debug scopes: files, compile units, subprograms and lexical blocks.
class DIScopeAttr : public mlir::Attribute {
public:
  using Attribute::Attribute;
  static bool classof(mlir::Attribute attr);
};

/// Debug scopes that a location may lie in: subprograms and lexical blocks.
class DILocalScopeAttr : public DIScopeAttr {
public:
  using DIScopeAttr::DIScopeAttr;
  static bool classof(mlir::Attribute attr);
};

} // namespace tilesmith::cuda_tile

#define GET_ATTRDEF_CLASSES
#include "compiler/dialect/CudaTile/IR/CudaTileAttrs.h.inc"

#include "compiler/dialect/CudaTile/IR/CudaTileTypeInterfaces.h.inc"

#define GET_TYPEDEF_CLASSES
#include "compiler/dialect/CudaTile/IR/CudaTileTypes.h.inc"

namespace tilesmith::cuda_tile {

/// Most elements that one tile may have.
inline constexpr int64_t maxTileNumElements = 16777216;

/// Whether the type belongs to this dialect.
bool isCudaTileType(mlir::Type type);

/// The tensor view under a tile view, or the tensor view itself; null for other types.
TensorViewType getUnderlyingTensorView(mlir::Type view);

/// Whether the type is a pointer or a tile of pointers.
bool isPointerLike(mlir::Type type);

/// Whether the op is an entry, or a function of the testing ops.
bool isCudaTileFunction(mlir::Operation *op);

/// The tile of i1 with the shape of the given tile type.
TileType getI1SameShape(mlir::Type tileType);

namespace impl {
/// `pointers` is a tile of pointers to the elements of tile type `values`, of the same shape.
bool pointsTo(mlir::Type values, mlir::Type pointers);
bool sameTileShape(mlir::Type lhs, mlir::Type rhs);
bool sameTileType(mlir::Type lhs, mlir::Type rhs);
struct IfTerminator;
struct LoopTerminator;
} // namespace impl
} // namespace tilesmith::cuda_tile

#define GET_OP_FWD_DEFINES
#include "compiler/dialect/CudaTile/IR/AtomicOps.h.inc"
#define GET_OP_FWD_DEFINES
#include "compiler/dialect/CudaTile/IR/ControlFlowOps.h.inc"
#define GET_OP_FWD_DEFINES
#include "compiler/dialect/CudaTile/IR/ConversionOps.h.inc"
#define GET_OP_FWD_DEFINES
#include "compiler/dialect/CudaTile/IR/CoreOps.h.inc"
#define GET_OP_FWD_DEFINES
#include "compiler/dialect/CudaTile/IR/FloatingPointOps.h.inc"
#define GET_OP_FWD_DEFINES
#include "compiler/dialect/CudaTile/IR/IntegerOps.h.inc"
#define GET_OP_FWD_DEFINES
#include "compiler/dialect/CudaTile/IR/MathOps.h.inc"
#define GET_OP_FWD_DEFINES
#include "compiler/dialect/CudaTile/IR/MemoryOps.h.inc"
#define GET_OP_FWD_DEFINES
#include "compiler/dialect/CudaTile/IR/MiscOps.h.inc"
#define GET_OP_FWD_DEFINES
#include "compiler/dialect/CudaTile/IR/MultimemOps.h.inc"
#define GET_OP_FWD_DEFINES
#include "compiler/dialect/CudaTile/IR/ViewOps.h.inc"

namespace tilesmith::cuda_tile::impl {
/// Terminators that an if region may end in, and the one that is implied when none is written.
struct IfTerminator {
  static llvm::StringRef getOperationName();
  static void build(mlir::OpBuilder &builder, mlir::OperationState &state);
  static bool classof(mlir::Operation *op);
};

/// Terminators that a loop region may end in, and the one that is implied when none is written.
struct LoopTerminator {
  static llvm::StringRef getOperationName();
  static void build(mlir::OpBuilder &builder, mlir::OperationState &state);
  static bool classof(mlir::Operation *op);
};
} // namespace tilesmith::cuda_tile::impl

#define GET_OP_CLASSES
#include "compiler/dialect/CudaTile/IR/ControlFlowOps.h.inc"
#define GET_OP_CLASSES
#include "compiler/dialect/CudaTile/IR/AtomicOps.h.inc"
#define GET_OP_CLASSES
#include "compiler/dialect/CudaTile/IR/ConversionOps.h.inc"
#define GET_OP_CLASSES
#include "compiler/dialect/CudaTile/IR/CoreOps.h.inc"
#define GET_OP_CLASSES
#include "compiler/dialect/CudaTile/IR/FloatingPointOps.h.inc"
#define GET_OP_CLASSES
#include "compiler/dialect/CudaTile/IR/IntegerOps.h.inc"
#define GET_OP_CLASSES
#include "compiler/dialect/CudaTile/IR/MathOps.h.inc"
#define GET_OP_CLASSES
#include "compiler/dialect/CudaTile/IR/MemoryOps.h.inc"
#define GET_OP_CLASSES
#include "compiler/dialect/CudaTile/IR/MiscOps.h.inc"
#define GET_OP_CLASSES
#include "compiler/dialect/CudaTile/IR/MultimemOps.h.inc"
#define GET_OP_CLASSES
#include "compiler/dialect/CudaTile/IR/ViewOps.h.inc"

#endif // TILESMITH_COMPILER_DIALECT_CUDATILE_IR_CUDATILE_H
