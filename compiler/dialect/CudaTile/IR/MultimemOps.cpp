//===- MultimemOps.cpp - accesses to all copies behind a multicast pointer --------------------===//
//
// Text:
//   load_reduce: ORDER [SCOPE] %view[%i, ...] OPTIONS : VIEW, INDEX... -> TILE, token
//   reduce:      ORDER SCOPE %view, %tile[%i, ...] OPTIONS : VIEW, TILE, INDEX...[, token] -> token
//   store:       ORDER [SCOPE] %view, %tile[%i, ...] OPTIONS : VIEW, TILE, INDEX...[, token] ->
//   token
// OPTIONS: [token = %t] [inbounds = [..]] [attributes {reduction = ..}]. A reduction of `add` is
// not written.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/dialect/CudaTile/IR/CudaTileAsm.h"
#include "compiler/dialect/CudaTile/IR/CudaTileVerify.h"
#include "compiler/dialect/CudaTile/IR/ViewAccessAsm.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tilesmith::cuda_tile;

#define GET_OP_CLASSES
#include "compiler/dialect/CudaTile/IR/MultimemOps.cpp.inc"

void CudaTileDialect::registerMultimemOps() {
  addOperations<
#define GET_OP_LIST
#include "compiler/dialect/CudaTile/IR/MultimemOps.cpp.inc"
      >();
}

//===-- rules ---------------------------------------------------------------------------------===//

static LogicalResult verifyMultimemView(Operation *op, Type view) {
  PtrAttrKindAttr attr = getPtrAttrOf(view);
  if (!attr || attr.getValue() != PtrAttrKind::Multicast)
    // rule: multimem_pointer, multimem_unicast
    return op->emitOpError("expected a multicast pointer, but got ")
           << stringifyPtrAttrKind(attr ? attr.getValue() : PtrAttrKind::None);
  if (!isa<PartitionViewType>(view))
    // rule: multimem_view
    return op->emitOpError("multimem view operations support only partition_view; got ") << view;
  Type element = getUnderlyingTensorView(view).getElementType();
  if (isa<FloatType>(element)) {
    if (!element.isF16() && !element.isBF16() && !element.isF32() && !element.isF64())
      // rule: multimem_float
      return op->emitOpError(
          "multimem supports only f16, bf16, f32, and f64 floating-point element types");
  } else if (!element.isInteger(32) && !element.isInteger(64)) {
    // rule: multimem_integer
    return op->emitOpError("multimem requires 32- or 64-bit integer/index element types; got ")
           << element.getIntOrFloatBitWidth() << " bits";
  }
  return success();
}

static LogicalResult verifyReduction(Operation *op, Type element, MultimemReductionKind kind,
                                     bool loads) {
  if (!isa<FloatType>(element) || kind == MultimemReductionKind::ADD)
    return success();
  if (kind != MultimemReductionKind::MIN && kind != MultimemReductionKind::MAX)
    // rule: multimem_and
    return op->emitOpError("and/or/xor/umin/umax reductions require integer element types");
  if (!loads)
    // rule: multimem_reduce_kind
    return op->emitOpError("supports only add for floating-point element types");
  if (!element.isF16() && !element.isBF16())
    // rule: multimem_min
    return op->emitOpError("min/max supports f16 and bf16 float types only; got ") << element;
  return success();
}

template <typename OpT> static LogicalResult verifyMultimemAccess(OpT op, Type tile) {
  return failure(
      failed(verifyMultimemView(op, op.getView().getType())) ||
      failed(verifyViewAccess(op, op.getView().getType(), op.getIndex().getTypes(), tile)) ||
      failed(verifyInbounds(op, op.getInbounds(), op.getIndex().size())));
}

LogicalResult MultimemLoadReduceViewTkoOp::verify() {
  return failure(failed(verifyMultimemAccess(*this, getReducedValues().getType())) ||
                 failed(verifyReduction(*this, getReducedValues().getType().getElementType(),
                                        getReduction(), true)) ||
                 failed(verifyLoadOrder(*this, getMemoryOrderingSemantics(), getMemoryScope())));
}

LogicalResult MultimemReduceViewTkoOp::verify() {
  if (failed(verifyMultimemAccess(*this, getTile().getType())) ||
      failed(verifyReduction(*this, getTile().getType().getElementType(), getReduction(), false)))
    return failure();
  MemoryOrderingSemantics order = getMemoryOrderingSemantics();
  if (order != MemoryOrderingSemantics::RELAXED && order != MemoryOrderingSemantics::RELEASE)
    // rule: multimem_reduce_order
    return emitOpError("memory ordering semantics must be one of: relaxed, release");
  return success();
}

LogicalResult MultimemStoreViewTkoOp::verify() {
  return failure(failed(verifyMultimemAccess(*this, getTile().getType())) ||
                 failed(verifyStoreOrder(*this, getMemoryOrderingSemantics(), getMemoryScope())));
}

//===-- text ----------------------------------------------------------------------------------===//

static ParseResult parseOptions(OpAsmParser &parser, OperationState &result,
                                ViewAccessSyntax &access) {
  return failure(access.parseToken() || access.parseInbounds() ||
                 parser.parseOptionalAttrDictWithKeyword(result.attributes) || parser.parseColon());
}

ParseResult MultimemLoadReduceViewTkoOp::parse(OpAsmParser &parser, OperationState &result) {
  ViewAccessSyntax access(parser, result);
  Type tileType, tokenType;
  if (access.parseOrder() || access.parseViewAndIndices() || parseOptions(parser, result, access) ||
      access.parseTypes() || parser.parseArrow() || parseCudaTileType(parser, tileType) ||
      parser.parseComma() || parseCudaTileType(parser, tokenType) ||
      access.resolveViewAndIndices() || access.resolveToken())
    return failure();
  access.addSegments({1, access.numIndices(), access.numTokens()});
  result.addTypes({tileType, tokenType});
  return success();
}

// `%view, %tile[%i, ...]` and its types `VIEW, TILE, INDEX...[, token]`.
static ParseResult parseUpdate(OpAsmParser &parser, OperationState &result) {
  ViewAccessSyntax access(parser, result);
  OpAsmParser::UnresolvedOperand view, tile;
  SmallVector<OpAsmParser::UnresolvedOperand> indices, token(1);
  SmallVector<Type> types;
  Type tokenType;
  if (access.parseOrder() || parser.parseOperand(view) || parser.parseComma() ||
      parser.parseOperand(tile) || parser.parseOperandList(indices, OpAsmParser::Delimiter::Square))
    return failure();
  bool hasToken = succeeded(parser.parseOptionalKeyword("token"));
  if ((hasToken && (parser.parseEqual() || parser.parseOperand(token[0]))) ||
      access.parseInbounds() || parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
      parser.parseColon())
    return failure();
  SMLoc loc = parser.getCurrentLocation();
  if (parseCudaTileType(parser, types) || parser.parseArrow() ||
      parseCudaTileType(parser, tokenType))
    return failure();
  if (hasToken && types.size() > 2 && isa<TokenType>(types.back()))
    types.pop_back();
  if (types.size() < 2)
    return parser.emitError(loc) << "expected the types of view and tile, got " << types.size()
                                 << " types";
  SmallVector<Type> indexTypes(ArrayRef<Type>(types).drop_front(2));
  if (indexTypes.size() == 1)
    indexTypes.resize(indices.size(), indexTypes.front());
  if (indexTypes.size() != indices.size())
    return parser.emitError(loc) << "expected " << indices.size() << " index types, got "
                                 << indexTypes.size();
  if (parser.resolveOperand(view, types[0], result.operands) ||
      parser.resolveOperand(tile, types[1], result.operands) ||
      parser.resolveOperands(indices, indexTypes, loc, result.operands) ||
      (hasToken &&
       parser.resolveOperand(token[0], TokenType::get(parser.getContext()), result.operands)))
    return failure();
  access.addSegments({1, 1, static_cast<int32_t>(indices.size()), hasToken ? 1 : 0});
  result.addTypes(tokenType);
  return success();
}
ParseResult MultimemReduceViewTkoOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseUpdate(parser, result);
}
ParseResult MultimemStoreViewTkoOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseUpdate(parser, result);
}

template <typename OpT> static void printOptions(OpAsmPrinter &printer, OpT op) {
  printToken(printer, op.getToken());
  printInbounds(printer, op.getInbounds());
  // The real tool leaves the blank of a list that it does not print.
  if (!op.getInbounds() || !llvm::is_contained(*op.getInbounds(), true))
    printer << " ";
  SmallVector<StringRef> elided = {"memory_ordering_semantics", "memory_scope", "inbounds",
                                   "operandSegmentSizes"};
  if constexpr (requires { op.getReduction(); })
    if (op.getReduction() == MultimemReductionKind::ADD)
      elided.push_back("reduction");
  printer.printOptionalAttrDictWithKeyword(op->getAttrs(), elided);
  printer << " : ";
}

void MultimemLoadReduceViewTkoOp::print(OpAsmPrinter &printer) {
  printMemoryOrder(printer, getMemoryOrderingSemanticsAttr(), getMemoryScopeAttr());
  printer << " ";
  printViewAndIndices(printer, getView(), getIndex());
  printOptions(printer, *this);
  printViewAndIndexTypes(printer, getView(), getIndex());
  if (getToken())
    printer << ", token";
  printer << " -> ";
  printCudaTileType(printer, getResultTypes());
}

template <typename OpT> static void printUpdate(OpAsmPrinter &printer, OpT op) {
  printMemoryOrder(printer, op.getMemoryOrderingSemanticsAttr(), op.getMemoryScopeAttr());
  printer << " " << op.getView() << ", ";
  printViewAndIndices(printer, op.getTile(), op.getIndex());
  printOptions(printer, op);
  SmallVector<Type> types = {op.getView().getType(), op.getTile().getType()};
  ValueRange indices = op.getIndex();
  bool same = !indices.empty() && llvm::all_equal(indices.getTypes());
  for (Value index : same ? indices.take_front() : indices)
    types.push_back(index.getType());
  if (op.getToken())
    types.push_back(op.getToken().getType());
  printCudaTileType(printer, TypeRange(types));
  printer << " -> ";
  printCudaTileType(printer, op.getResultToken().getType());
}
void MultimemReduceViewTkoOp::print(OpAsmPrinter &printer) {
  printUpdate(printer, *this);
}
void MultimemStoreViewTkoOp::print(OpAsmPrinter &printer) {
  printUpdate(printer, *this);
}
