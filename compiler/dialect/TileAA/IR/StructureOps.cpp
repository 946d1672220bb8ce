//===- StructureOps.cpp - functions, calls, terminators ---------------------------------------===//
#include "compiler/dialect/TileAA/IR/TileAA.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

#define GET_OP_CLASSES
#include "compiler/dialect/TileAA/IR/StructureOps.cpp.inc"

namespace tilesmith::tileaa {

void TileAADialect::registerStructureOps() {
  addOperations<
#define GET_OP_LIST
#include "compiler/dialect/TileAA/IR/StructureOps.cpp.inc"
      >();
}

KernelSpecAttr FuncOp::getKernelSpec() {
  return (*this)->getAttrOfType<KernelSpecAttr>(TileAADialect::kKernelSpec);
}

void FuncOp::getAsmBlockArgumentNames(Region &, OpAsmSetValueNameFn) {}

LogicalResult FuncOp::verify() {
  for (Type type : getArgumentTypes())
    if (llvm::isa<TiledViewType, MemTokenType>(type))
      return emitOpError("cannot take an argument of type ") << type;
  return success();
}

LogicalResult CallOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto callee = symbols.lookupNearestSymbolFrom<FuncOp>(*this, getCalleeAttr());
  if (!callee)
    return emitOpError("'") << getCallee() << "' does not reference a function";
  if (callee.getArgumentTypes() != getOperandTypes() || callee.getResultTypes() != getResultTypes())
    return emitOpError("expects type ") << callee.getFunctionType();
  return success();
}

LogicalResult ReturnOp::verify() {
  // scf regions of a function that returns early are gone by construction, so the parent is the
  // function itself.
  auto func = llvm::dyn_cast_or_null<FuncOp>((*this)->getParentOp());
  if (!func)
    return emitOpError("expects parent op 'nv_tileaa.func'");
  if (func.getResultTypes() != getOperandTypes())
    return emitOpError("expects ")
           << func.getResultTypes().size() << " operands of the function's result types";
  return success();
}

LogicalResult YieldOp::verify() {
  if (!llvm::isa_and_nonnull<FuncOp, ReduceOp, ScanOp, GenerateOp, PragmaOp, ExecuteOp, QueueGetOp,
                             QueuePutOp, PluginOp>((*this)->getParentOp()) &&
      !(*this)->getParentOp()->getName().getStringRef().starts_with("nv_tileas."))
    return emitOpError("expects parent op 'nv_tileaa.func'");
  return success();
}

LogicalResult PragmaOp::verify() {
  Block &block = getBody().front();
  if (block.empty() || !llvm::isa<YieldOp>(block.back()))
    return emitOpError("expects regions to end with 'nv_tileaa.yield'");
  if (block.back().getOperandTypes() != getResultTypes())
    return emitOpError("expects the yielded types to be the result types");
  return success();
}

} // namespace tilesmith::tileaa
