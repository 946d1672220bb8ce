//===- TileAA.h - the nv_tileaa dialect: types, attributes, all ops ---------------------------===//
//
// The alias-aware middle of the pipeline. Tiles of rank above 0 are builtin tensors, rank-0 tiles
// plain scalars. Extents and strides count elements; tile indices are unsigned and count tiles (in
// gather views: coordinates).
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_DIALECT_TILEAA_IR_TILEAA_H
#define COMPILER_DIALECT_TILEAA_IR_TILEAA_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <optional>

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace mlir::arith {
enum class FastMathFlags : uint32_t;
} // namespace mlir::arith

namespace tilesmith::target {
struct GpuTarget;
} // namespace tilesmith::target

namespace tilesmith::tileaa {

/// True for !nv_tileaa.mem_token.
bool isToken(mlir::Type type);

/// `[4,?,8]`, with ShapedType::kDynamic for `?`.
mlir::FailureOr<llvm::SmallVector<int64_t>> parseDims(mlir::AsmParser &parser);
void printDims(mlir::AsmPrinter &printer, llvm::ArrayRef<int64_t> dims);

/// Fast-math flags that an op carries over from the source program, verbatim: the attribute of
/// arith, or a string of its flags ("contract, nnan").
inline constexpr llvm::StringLiteral kFastMathAttr{"fastmath"};
/// What they say; nullopt when the attribute is neither.
std::optional<mlir::arith::FastMathFlags> parseFastMath(mlir::Attribute attribute);
/// Those of an op; none when it carries none.
mlir::arith::FastMathFlags getFastMath(mlir::Operation *op);

/// Adds the dialect (and nothing else) to the registry.
void registerDialect(mlir::DialectRegistry &registry);

} // namespace tilesmith::tileaa

#include "compiler/dialect/TileAA/IR/TileAAEnums.h.inc"

#include "compiler/dialect/TileAA/IR/TileAADialect.h.inc"

#include "compiler/dialect/TileAA/IR/TileAAAttrInterfaces.h.inc"

#define GET_ATTRDEF_CLASSES
#include "compiler/dialect/TileAA/IR/TileAAAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "compiler/dialect/TileAA/IR/TileAATypes.h.inc"

#include "compiler/dialect/TileAA/IR/TileAAOpInterfaces.h.inc"

#define GET_OP_CLASSES
#include "compiler/dialect/TileAA/IR/ComputeOps.h.inc"
#define GET_OP_CLASSES
#include "compiler/dialect/TileAA/IR/ShapeOps.h.inc"
#define GET_OP_CLASSES
#include "compiler/dialect/TileAA/IR/PointerOps.h.inc"
#define GET_OP_CLASSES
#include "compiler/dialect/TileAA/IR/MemoryOps.h.inc"
#define GET_OP_CLASSES
#include "compiler/dialect/TileAA/IR/TokenOps.h.inc"
#define GET_OP_CLASSES
#include "compiler/dialect/TileAA/IR/GridOps.h.inc"
#define GET_OP_CLASSES
#include "compiler/dialect/TileAA/IR/StructureOps.h.inc"
#define GET_OP_CLASSES
#include "compiler/dialect/TileAA/IR/QueueOps.h.inc"

namespace tilesmith::tileaa {

/// The GPU of a module: attribute nv_tileaa.compute_capability or its legacy spelling, else the
/// name in a target_spec; an entry without features when none is present.
const target::GpuTarget &getTarget(mlir::Operation *module);

} // namespace tilesmith::tileaa

#endif // COMPILER_DIALECT_TILEAA_IR_TILEAA_H
