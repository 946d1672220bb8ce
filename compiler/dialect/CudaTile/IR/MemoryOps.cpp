//===- MemoryOps.cpp - tokens and accesses through pointers -----------------------------------===//
#include "compiler/dialect/CudaTile/IR/CudaTileAsm.h"
#include "compiler/dialect/CudaTile/IR/CudaTileVerify.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilesmith::cuda_tile;

//===- mask and padding of load_ptr_tko -------------------------------------------------------===//
//
// `, %mask, %padding token = %t optimization_hints = <..> {..} : P, M, V -> R`, all optional but
// the types of pointers and result. A single operand is a mask when it has elements of type i1,
// else the padding. A padding of type i1 without a mask is written `padding = %padding`.

static bool isBool(Type type) {
  auto tile = dyn_cast_or_null<TileType>(type);
  return tile && tile.getElementType().isInteger(1);
}

static ParseResult parseMaskAndPadding(OpAsmParser &parser,
                                       std::optional<OpAsmParser::UnresolvedOperand> &mask,
                                       std::optional<OpAsmParser::UnresolvedOperand> &padding,
                                       std::optional<OpAsmParser::UnresolvedOperand> &token,
                                       OptimizationHintsAttr &hints, NamedAttrList &attributes,
                                       Type &source, Type &maskType, Type &paddingType,
                                       Type &result) {
  SmallVector<OpAsmParser::UnresolvedOperand, 2> operands;
  bool named = false;
  while (operands.size() < 2 && succeeded(parser.parseOptionalComma())) {
    if (succeeded(parser.parseOptionalKeyword("padding"))) {
      named = true;
      if (parser.parseEqual())
        return failure();
    }
    if (parser.parseOperand(operands.emplace_back()))
      return failure();
    if (named)
      break;
  }
  if (succeeded(parser.parseOptionalKeyword("token")))
    if (parser.parseEqual() || parser.parseOperand(token.emplace()))
      return failure();
  if (succeeded(parser.parseOptionalKeyword("optimization_hints")))
    if (parser.parseEqual() || parser.parseCustomAttributeWithFallback(hints, Type{}))
      return failure();
  if (parser.parseOptionalAttrDict(attributes) || parser.parseColon() ||
      parseCudaTileType(parser, source))
    return failure();
  SmallVector<Type, 2> types;
  for (size_t i = 0; i < operands.size(); ++i)
    if (parser.parseComma() || parseCudaTileType(parser, types.emplace_back()))
      return failure();
  if (parser.parseArrow() || parseCudaTileType(parser, result))
    return failure();
  bool hasMask = operands.size() == 2 || (operands.size() == 1 && !named && isBool(types[0]));
  if (hasMask)
    mask = operands.front(), maskType = types.front();
  if (operands.size() > (hasMask ? 1 : 0))
    padding = operands.back(), paddingType = types.back();
  return success();
}

static void printMaskAndPadding(OpAsmPrinter &printer, Operation *op, Value mask, Value padding,
                                Value token, OptimizationHintsAttr hints, DictionaryAttr attributes,
                                Type source, Type maskType, Type paddingType, Type result) {
  if (mask)
    printer << ", " << mask;
  if (padding)
    printer << (!mask && isBool(paddingType) ? ", padding = " : ", ") << padding;
  if (token)
    printer << " token=" << token;
  if (hints) {
    printer << " optimization_hints = ";
    printer.printStrippedAttrOrType(hints);
  }
  printer.printOptionalAttrDict(
      attributes.getValue(),
      {"operandSegmentSizes", "memory_ordering_semantics", "memory_scope", "optimization_hints"});
  printer << " : ";
  printCudaTileType(printer, op, source);
  for (Type type : {maskType, paddingType})
    if (type) {
      printer << ", ";
      printCudaTileType(printer, op, type);
    }
  printer << " -> ";
  printCudaTileType(printer, op, result);
}

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
