//===- MemoryOps.cpp - tokens and accesses through pointers -----------------------------------===//
#include "compiler/dialect/CudaTile/IR/CudaTileAsm.h"
#include "compiler/dialect/CudaTile/IR/CudaTileVerify.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilesmith::cuda_tile;

#define GET_OP_CLASSES
#include "compiler/dialect/CudaTile/IR/MemoryOps.cpp.inc"

void CudaTileDialect::registerMemoryOps() {
  addOperations<
#define GET_OP_LIST
#include "compiler/dialect/CudaTile/IR/MemoryOps.cpp.inc"
      >();
}

LogicalResult JoinTokensOp::verify() {
  if (getTokens().size() < 2)
    // rule: join_tokens
    return emitOpError("expect two or more tokens");
  return success();
}

LogicalResult LoadPtrTkoOp::verify() {
  if (isMulticast(getSource().getType()))
    // rule: multicast_load
    return emitOpError("multicast pointer is not allowed");
  return failure(failed(verifyHints(*this, getOptimizationHintsAttr())) ||
                 failed(verifyLoadOrder(*this, getMemoryOrderingSemantics(), getMemoryScope())));
}

LogicalResult StorePtrTkoOp::verify() {
  if (isMulticast(getDestination().getType()))
    // rule: multicast_store
    return emitOpError("multicast pointer is not allowed");
  return failure(failed(verifyHints(*this, getOptimizationHintsAttr())) ||
                 failed(verifyStoreOrder(*this, getMemoryOrderingSemantics(), getMemoryScope())));
}

LogicalResult AllocaOp::verify() {
  int64_t alignment = getAlignment();
  if (!llvm::isPowerOf2_64(alignment))
    // rule: alloca_power
    return emitOpError("'alignment' must be power of two");
  Type pointee = cast<PointerType>(getResult().getType().getElementType()).getPointeeType();
  int64_t bytes = pointee.isInteger(1) ? 1 : pointee.getIntOrFloatBitWidth() / 8;
  if (alignment < bytes)
    // rule: alloca_size
    return emitOpError("'alignment' (") << alignment << ") must be at least the natural size ("
                                        << bytes << " bytes) for element type " << pointee;
  return success();
}
