//===- AtomicOps.cpp - atomic accesses --------------------------------------------------------===//
#include "compiler/dialect/CudaTile/IR/CudaTileAsm.h"
#include "compiler/dialect/CudaTile/IR/CudaTileVerify.h"
#include "compiler/dialect/CudaTile/IR/ViewAccessAsm.h"

using namespace mlir;
using namespace tilesmith::cuda_tile;

#define GET_OP_CLASSES
#include "compiler/dialect/CudaTile/IR/AtomicOps.cpp.inc"

void CudaTileDialect::registerAtomicOps() {
  addOperations<
#define GET_OP_LIST
#include "compiler/dialect/CudaTile/IR/AtomicOps.cpp.inc"
      >();
}

static Type pointeeOf(TileType pointers) {
  return cast<PointerType>(pointers.getElementType()).getPointeeType();
}

LogicalResult AtomicRMWTkoOp::verify() {
  if (isMulticast(getPointers().getType()))
    // rule: multicast_rmw
    return emitOpError("multicast pointer is not supported for atomic_rmw");
  Type pointee = pointeeOf(getPointers().getType()), element = getArg().getType().getElementType();
  if (pointee != element)
    // rule: rmw_pointee
    return emitOpError("expected pointee type (")
           << pointee << ") to match element type of 'arg' (" << element << ")";
  if (getMask() && getMask().getType().getShape() != getArg().getType().getShape())
    // rule: rmw_mask
    return emitOpError("failed to verify that all of {pointers, arg, mask} have same shape");
  return failure(failed(verifyAtomicMode(*this, getMode(), element)) ||
                 failed(verifyAtomicOrder(*this, getMemoryOrderingSemantics())));
}

LogicalResult AtomicCASTkoOp::verify() {
  if (isMulticast(getPointers().getType()))
    // rule: multicast_cas
    return emitOpError("multicast pointer is not supported for atomic_cas");
  Type pointee = pointeeOf(getPointers().getType()), element = getVal().getType().getElementType();
  if (pointee != element)
    // rule: cas_pointee
    return emitOpError("expected pointee type (")
           << pointee << ") to match element type of 'val' (" << element << ")";
  unsigned width = isa<IntegerType, FloatType>(element) ? element.getIntOrFloatBitWidth() : 0;
  if (width != 32 && width != 64)
    // rule: cas_width
    return emitOpError("expect only float or integer types with 32 or 64 bit");
  if (getMask() && getMask().getType().getShape() != getVal().getType().getShape())
    // rule: cas_mask
    return emitOpError(
        "failed to verify that all of {pointers, val, cmp and mask} have same shape");
  return verifyAtomicOrder(*this, getMemoryOrderingSemantics());
}

//===-- atomic_red_view_tko -------------------------------------------------------------------===//

static PaddingValueAttr paddingOf(Type view) {
  if (auto partition = dyn_cast<PartitionViewType>(view))
    return partition.getPaddingValue();
  if (auto strided = dyn_cast<StridedViewType>(view))
    return strided.getPaddingValue();
  return {};
}

LogicalResult AtomicRedViewTkoOp::verify() {
  Type type = getView().getType();
  auto view = cast<TileView>(type);
  if (isa<GatherScatterViewType>(type))
    // rule: red_gather
    return emitOpError("gather_scatter_view is not supported; use partition_view instead");
  if (isMulticast(type))
    // rule: atomic_red_multicast
    return emitOpError("multicast ptr_attr is not allowed");
  if (paddingOf(type))
    // rule: red_padding
    return emitOpError("views with padding_value are not supported for atomic reductions");

  auto viewTile = cast<TileType>(view.getViewTileType());
  Type element = getValue().getType().getElementType();
  if (viewTile.getElementType() != element)
    // rule: red_element
    return emitOpError("view element type (")
           << viewTile.getElementType() << ") must match value element type (" << element << ")";
  if (viewTile.getShape() != getValue().getType().getShape())
    // rule: red_shape
    return emitOpError("view tile shape ")
           << viewTile.getShape() << " must match value shape " << getValue().getType().getShape()
           << " for element-wise atomic operations";
  if (getMode() == AtomicRMWMode::XCHG)
    // rule: red_xchg
    return emitOpError("atomic_red_view_tko op cannot use xchg operation");
  if (failed(verifyAtomicMode(*this, getMode(), element)))
    return failure();
  if (getMemoryOrderingSemantics() != MemoryOrderingSemantics::RELAXED)
    // rule: red_order
    return emitOpError(
        "only 'relaxed' memory ordering is supported for view-based atomic reductions");
  if (getMemoryScope() == MemoryScope::SYS)
    // rule: red_scope
    return emitOpError(
        "memory scope 'sys' is not supported for view-based atomic reductions; use 'tl_blk' or "
        "'device' for TMA compatibility");
  size_t rank = viewTile.getShape().size();
  if (getIndex().size() != rank)
    // rule: red_indices
    return emitOpError("expected ") << rank << " index operand(s) for view with tile rank " << rank
                                    << ", got " << getIndex().size();
  for (auto [i, index] : llvm::enumerate(getIndex())) {
    auto tile = cast<TileType>(index.getType());
    if (tile.getRank() != 0)
      // rule: red_index_rank
      return emitOpError("index operand ")
             << i << " must be a scalar tile (rank 0), got shape " << tile.getShape();
    if (!isa<IntegerType>(tile.getElementType()))
      // rule: - (the operand constraint refuses it first)
      return emitOpError("index operand ")
             << i << " must be a scalar integer tile, got element type " << tile.getElementType();
  }
  return verifyInbounds(*this, getInbounds(), getIndex().size());
}

// ORDER [SCOPE] %view[%i, ...], MODE, %value [token = %t] [inbounds = [..]] : VALUE, VIEW[,
// INDEX...] -> token
ParseResult AtomicRedViewTkoOp::parse(OpAsmParser &parser, OperationState &result) {
  MLIRContext *ctx = parser.getContext();
  SMLoc loc = parser.getCurrentLocation();
  StringRef keyword;
  if (parser.parseKeyword(&keyword))
    return failure();
  std::optional<MemoryOrderingSemantics> order = symbolizeMemoryOrderingSemantics(keyword);
  if (!order)
    return parser.emitError(loc) << "invalid memory_ordering_semantics: '" << keyword
                                 << "'; expected one of: weak, relaxed, acquire, release, acq_rel";
  result.addAttribute(getMemoryOrderingSemanticsAttrName(result.name),
                      MemoryOrderingSemanticsAttr::get(ctx, *order));
  loc = parser.getCurrentLocation();
  if (succeeded(parser.parseOptionalKeyword(&keyword))) {
    std::optional<MemoryScope> scope = symbolizeMemoryScope(keyword);
    if (!scope)
      return parser.emitError(loc)
             << "invalid memory_scope: '" << keyword << "'; expected one of: tl_blk, device, sys";
    result.addAttribute(getMemoryScopeAttrName(result.name), MemoryScopeAttr::get(ctx, *scope));
  }

  ViewAccessSyntax access(parser, result);
  OpAsmParser::UnresolvedOperand value;
  if (access.parseViewAndIndices() || parser.parseComma())
    return failure();
  loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&keyword) || parser.parseComma() || parser.parseOperand(value))
    return failure();
  std::optional<AtomicRMWMode> mode = symbolizeAtomicRMWMode(keyword);
  if (!mode)
    return parser.emitError(loc)
           << "unknown atomic RMW mode: '" << keyword
           << "'; expected one of: and, or, xor, add, addf, max, min, umax, umin";
  result.addAttribute(getModeAttrName(result.name), AtomicRMWModeAttr::get(ctx, *mode));

  Type valueType, tokenType;
  if (access.parseToken() || access.parseInbounds() ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes) || parser.parseColon() ||
      parseCudaTileType(parser, valueType) || parser.parseComma() || access.parseTypes() ||
      parser.parseArrow() || parseCudaTileType(parser, tokenType) ||
      access.resolveViewAndIndices() || parser.resolveOperand(value, valueType, result.operands) ||
      access.resolveToken())
    return failure();
  access.addSegments({1, access.numIndices(), 1, access.numTokens()});
  result.addTypes(tokenType);
  return success();
}

void AtomicRedViewTkoOp::print(OpAsmPrinter &printer) {
  printMemoryOrder(printer, getMemoryOrderingSemanticsAttr(), getMemoryScopeAttr());
  printer << " ";
  printViewAndIndices(printer, getView(), getIndex());
  printer << ", " << stringifyAtomicRMWMode(getMode()) << ", " << getValue();
  printToken(printer, getToken());
  printInbounds(printer, getInbounds());
  printer.printOptionalAttrDictWithKeyword(
      (*this)->getAttrs(),
      {"memory_ordering_semantics", "memory_scope", "mode", "inbounds", "operandSegmentSizes"});
  printer << " : ";
  printCudaTileType(printer, getValue().getType());
  printer << ", ";
  printViewAndIndexTypes(printer, getView(), getIndex());
  printer << " -> ";
  printCudaTileType(printer, getResultToken().getType());
}
