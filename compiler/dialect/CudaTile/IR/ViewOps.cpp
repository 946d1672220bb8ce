//===- ViewOps.cpp - views and accesses through them ------------------------------------------===//
#include "compiler/dialect/CudaTile/IR/CudaTileAsm.h"
#include "compiler/dialect/CudaTile/IR/CudaTileVerify.h"
#include "compiler/dialect/CudaTile/IR/ViewAccessAsm.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tilesmith::cuda_tile;

#define GET_OP_CLASSES
#include "compiler/dialect/CudaTile/IR/ViewOps.cpp.inc"

void CudaTileDialect::registerViewOps() {
  addOperations<
#define GET_OP_LIST
#include "compiler/dialect/CudaTile/IR/ViewOps.cpp.inc"
      >();
}

//===-- make_tensor_view: text ----------------------------------------------------------------===//
//
// %base, shape = [%n, 4], strides = [%s, 1] : [INDEX TYPE ->] TENSOR VIEW
// When the pointer carries an attribute: [INDEX TYPE,] POINTER TILE -> TENSOR VIEW

namespace {
/// A list of constants and operands; constants must repeat those of the type.
struct MixedList {
  SmallVector<std::pair<int64_t, SMLoc>> values; // kDynamic for operands
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  SMLoc loc;

  ParseResult parse(OpAsmParser &parser) {
    loc = parser.getCurrentLocation();
    return parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Square, [&]() -> ParseResult {
      SMLoc valueLoc = parser.getCurrentLocation();
      int64_t constant = 0;
      OptionalParseResult parsed = parser.parseOptionalInteger(constant);
      if (!parsed.has_value()) {
        constant = TensorViewType::kDynamic;
        OpAsmParser::UnresolvedOperand operand;
        parsed = parser.parseOptionalOperand(operand);
        if (!parsed.has_value())
          return parser.emitError(valueLoc, "expected either integer or SSA value");
        operands.push_back(operand);
      }
      values.push_back({constant, valueLoc});
      return *parsed;
    });
  }

  ParseResult compareWith(OpAsmParser &parser, ArrayRef<int64_t> type, StringRef name) const {
    if (type.size() != values.size())
      return parser.emitError(loc)
             << "expected " << name << " declaration to contain " << type.size()
             << " elements due to tensor_view type, but " << values.size() << " were provided";
    auto show = [](InFlightDiagnostic &diag, int64_t value) {
      if (value == TensorViewType::kDynamic)
        diag << "dynamic";
      else
        diag << value;
    };
    for (auto [i, value, expected] : llvm::enumerate(values, type)) {
      if (value.first == expected)
        continue;
      InFlightDiagnostic diag = parser.emitError(value.second);
      diag << "input " << name << " dimension " << i
           << " does not match tensor_view type (expected ";
      show(diag, expected);
      diag << ", got ";
      show(diag, value.first);
      return diag << ")";
    }
    return success();
  }
};
} // namespace

ParseResult MakeTensorViewOp::parse(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::UnresolvedOperand base;
  MixedList shape, strides;
  if (parser.parseOperand(base) || parser.parseComma() || parser.parseKeyword("shape") ||
      parser.parseEqual() || shape.parse(parser) || parser.parseComma() ||
      parser.parseKeyword("strides") || parser.parseEqual() || strides.parse(parser) ||
      parser.parseOptionalAttrDict(result.attributes) || parser.parseColon())
    return failure();

  // Types before the arrow, if any: that of the dynamic values, then that of an attributed pointer.
  bool dynamic = !shape.operands.empty() || !strides.operands.empty();
  SmallVector<Type> types;
  SMLoc loc = parser.getCurrentLocation();
  if (failed(parseCudaTileType(parser, types)))
    return failure();
  Type last = types.back();
  if (dynamic ? failed(parser.parseArrow()) : failed(parser.parseOptionalArrow())) {
    if (dynamic)
      return failure();
  } else if (failed(parseCudaTileType(parser, last))) {
    return failure();
  }
  auto view = dyn_cast<TensorViewType>(last);
  if (!view)
    return parser.emitError(loc) << "expected 'tensor_view' type, but got " << last;
  Type indexType = dynamic ? types.front() : Type();
  Type baseType = TileType::get({}, PointerType::get(view.getElementType()));
  if (types.size() == (dynamic ? 2u : 1u) && types.back() != view)
    baseType = types.back();

  if (parser.resolveOperand(base, baseType, result.operands) ||
      shape.compareWith(parser, view.getShape(), "shape") ||
      strides.compareWith(parser, view.getStrides(), "stride") ||
      (dynamic && (parser.resolveOperands(shape.operands, indexType, result.operands) ||
                   parser.resolveOperands(strides.operands, indexType, result.operands))))
    return failure();
  result.addAttribute("operandSegmentSizes", parser.getBuilder().getDenseI32ArrayAttr(
                                                 {1, static_cast<int32_t>(shape.operands.size()),
                                                  static_cast<int32_t>(strides.operands.size())}));
  result.addTypes(view);
  return success();
}

static void printMixedList(OpAsmPrinter &printer, ArrayRef<int64_t> values, ValueRange operands) {
  size_t next = 0;
  llvm::interleaveComma(values, printer, [&](int64_t value) {
    if (value != TensorViewType::kDynamic)
      printer << value;
    else if (next < operands.size())
      printer << operands[next++];
  });
}

void MakeTensorViewOp::print(OpAsmPrinter &printer) {
  TensorViewType view = getResult().getType();
  printer << " " << getBase() << ", shape = [";
  printMixedList(printer, view.getShape(), getDynamicShape());
  printer << "], strides = [";
  printMixedList(printer, view.getStrides(), getDynamicStrides());
  printer << "]";
  printer.printOptionalAttrDict((*this)->getAttrs(), {"operandSegmentSizes"});
  printer << " : ";
  SmallVector<Type> types;
  if (!getDynamicShape().empty() || !getDynamicStrides().empty())
    types.push_back(getOperand(1).getType());
  if (getPtrAttrOf(getBase().getType()))
    types.push_back(getBase().getType());
  if (!types.empty()) {
    printCudaTileType(printer, TypeRange(types));
    printer << " -> ";
  }
  printCudaTileType(printer, view);
}

void MakeTensorViewOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), "tview");
}

//===-- make_tensor_view: rules ---------------------------------------------------------------===//

LogicalResult MakeTensorViewOp::verify() {
  TensorViewType view = getResult().getType();
  auto pointer = cast<PointerType>(getBase().getType().getElementType());
  if (view.getElementType() != pointer.getPointeeType())
    // rule: make_tensor_view_pointee
    return emitOpError("expected pointer to ")
           << view.getElementType() << " to build tensor_view of this type, got "
           << pointer.getPointeeType();
  if (view.dynamicShapeAmount() != getDynamicShape().size())
    // rule: make_tensor_view_shape_operands
    return emitOpError("expected ") << view.dynamicShapeAmount() << " dynamic shape operands, got "
                                    << getDynamicShape().size();
  if (view.dynamicStrideAmount() != getDynamicStrides().size())
    // rule: make_tensor_view_stride_operands
    return emitOpError("expected ")
           << view.dynamicStrideAmount() << " dynamic stride operands, got "
           << getDynamicStrides().size();
  auto checkTypes = [&](ValueRange values, StringRef name) -> LogicalResult {
    Type expected = getNumOperands() > 1 ? getOperand(1).getType() : Type();
    for (auto [i, value] : llvm::enumerate(values))
      if (value.getType() != expected)
        // rule: make_tensor_view_operand_types
        return emitOpError("expected dynamic ")
               << name << " index " << i << " to be of the same type as the other dynamic values ("
               << expected << "), got " << value.getType();
    return success();
  };
  if (failed(checkTypes(getDynamicShape(), "shape")) ||
      failed(checkTypes(getDynamicStrides(), "stride")))
    return failure();

  PtrAttrKindAttr from = pointer.getPtrAttr(), to = view.getPtrAttr();
  if (!from && to)
    // rule: ptr_attr_missing
    return emitOpError("pointer base without ptr_attr cannot produce tensor_view with ptr_attr");
  if (from && !to)
    // rule: ptr_attr_dropped
    return emitOpError("tensor_view must preserve ptr_attr from base pointer (") << from << ")";
  if (from != to)
    // rule: ptr_attr_changed
    return emitOpError("ptr_attr mismatch between base pointer (")
           << from << ") and result tensor_view (" << to << ")";
  return success();
}

//===-- make_partition_view, make_strided_view, make_gather_scatter_view ----------------------===//

template <typename ViewT>
static ParseResult parseMakeView(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::UnresolvedOperand source;
  Type type;
  if (parser.parseOperand(source) || parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColon())
    return failure();
  SMLoc loc = parser.getCurrentLocation();
  if (failed(parseCudaTileType(parser, type)))
    return failure();
  auto view = dyn_cast<ViewT>(type);
  if (!view)
    return parser.emitError(loc) << "expected '" << ViewT::getMnemonic() << "' type, but got "
                                 << type;
  result.addTypes(view);
  return parser.resolveOperand(source, view.getTensorView(), result.operands);
}

template <typename OpT> static void printMakeView(OpAsmPrinter &printer, OpT op) {
  printer << " " << op.getTensorView();
  printer.printOptionalAttrDict(op->getAttrs());
  printer << " : ";
  printCudaTileType(printer, op.getResult().getType());
}

template <typename OpT> static LogicalResult verifyMakeView(OpT op) {
  TensorViewType source = op.getTensorView().getType(),
                 expected = op.getResult().getType().getTensorView();
  if (source != expected)
    // rule: make_partition_view_source
    return op.emitOpError("expected the type of the provided tensor_view value (")
           << source << ") to be the same as the view's tensor_view type (" << expected << ")";
  return success();
}

#define TILESMITH_MAKE_VIEW(OP, VIEW, NAME)                                                        \
  ParseResult OP::parse(OpAsmParser &parser, OperationState &result) {                             \
    return parseMakeView<VIEW>(parser, result);                                                    \
  }                                                                                                \
  void OP::print(OpAsmPrinter &printer) {                                                          \
    printMakeView(printer, *this);                                                                 \
  }                                                                                                \
  LogicalResult OP::verify() {                                                                     \
    return verifyMakeView(*this);                                                                  \
  }                                                                                                \
  void OP::getAsmResultNames(OpAsmSetValueNameFn setName) {                                        \
    setName(getResult(), NAME);                                                                    \
  }
TILESMITH_MAKE_VIEW(MakePartitionViewOp, PartitionViewType, "pview")
TILESMITH_MAKE_VIEW(MakeStridedViewOp, StridedViewType, "sview")
TILESMITH_MAKE_VIEW(MakeGatherScatterViewOp, GatherScatterViewType, "gsview")
#undef TILESMITH_MAKE_VIEW

//===-- get_tensor_shape, get_index_space_shape -----------------------------------------------===//

// %view : VIEW -> TYPE, where TYPE is that of every result.
template <typename ViewT>
static ParseResult parseShapeQuery(OpAsmParser &parser, OperationState &result, StringRef expected,
                                   function_ref<size_t(ViewT)> rankOf) {
  OpAsmParser::UnresolvedOperand source;
  if (parser.parseOperand(source) || parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColon())
    return failure();
  SMLoc loc = parser.getCurrentLocation();
  Type sourceType, resultType;
  if (parseCudaTileType(parser, sourceType) || parser.parseArrow() ||
      parseCudaTileType(parser, resultType))
    return failure();
  auto view = dyn_cast<ViewT>(sourceType);
  if (!view)
    return parser.emitError(loc) << "expected " << expected << ", got " << sourceType;
  result.types.append(rankOf(view), resultType);
  return parser.resolveOperand(source, sourceType, result.operands);
}

template <typename OpT> static void printShapeQuery(OpAsmPrinter &printer, OpT op) {
  printer << " " << op.getSrc();
  printer.printOptionalAttrDict(op->getAttrs());
  printer << " : ";
  printCudaTileType(printer, op.getSrc().getType());
  printer << " -> ";
  // A 0-d tensor view has no extents; any scalar type stands for none.
  Type i32 = TileType::get({}, IntegerType::get(op.getContext(), 32));
  printCudaTileType(printer, op->getNumResults() ? op->getResultTypes().front() : i32);
}

ParseResult GetTensorShapeOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseShapeQuery<TensorViewType>(
      parser, result, "tensor_view", [](TensorViewType view) { return view.getShape().size(); });
}
void GetTensorShapeOp::print(OpAsmPrinter &printer) {
  printShapeQuery(printer, *this);
}

LogicalResult GetTensorShapeOp::verify() {
  size_t rank = getSrc().getType().getShape().size();
  if (getNumResults() != rank)
    // rule: get_tensor_shape_results
    return emitOpError("expected ")
           << rank << " results due to tensor rank, but got " << getNumResults();
  return success();
}

ParseResult GetIndexSpaceShapeOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseShapeQuery<TileView>(parser, result, "tile view",
                                   [](TileView view) { return view.getViewIndexRank(); });
}
void GetIndexSpaceShapeOp::print(OpAsmPrinter &printer) {
  printShapeQuery(printer, *this);
}

LogicalResult GetIndexSpaceShapeOp::verify() {
  size_t rank = cast<TileView>(getSrc().getType()).getViewIndexRank();
  if (getNumResults() != rank)
    // rule: get_index_space_shape_results
    return emitOpError("expected ")
           << rank << " results due to view index space rank, but got " << getNumResults();
  return success();
}

//===-- load_view_tko -------------------------------------------------------------------------===//

static const StringRef elidedAttrs[] = {"memory_ordering_semantics", "memory_scope",
                                        "optimization_hints", "inbounds", "operandSegmentSizes"};

static ParseResult parseAccessOptions(OpAsmParser &parser, OperationState &result,
                                      ViewAccessSyntax &access) {
  return failure(access.parseToken() || access.parseHints() || access.parseInbounds() ||
                 parser.parseOptionalAttrDictWithKeyword(result.attributes) || parser.parseColon());
}

ParseResult LoadViewTkoOp::parse(OpAsmParser &parser, OperationState &result) {
  ViewAccessSyntax access(parser, result);
  Type tileType, tokenType;
  if (access.parseOrder() || access.parseViewAndIndices() ||
      parseAccessOptions(parser, result, access) || access.parseTypes() || parser.parseArrow() ||
      parseCudaTileType(parser, tileType) || parser.parseComma() ||
      parseCudaTileType(parser, tokenType) || access.resolveViewAndIndices() ||
      access.resolveToken())
    return failure();
  access.addSegments({1, access.numIndices(), access.numTokens()});
  result.addTypes({tileType, tokenType});
  return success();
}

void LoadViewTkoOp::print(OpAsmPrinter &printer) {
  printMemoryOrder(printer, getMemoryOrderingSemanticsAttr(), getMemoryScopeAttr());
  printer << " ";
  printViewAndIndices(printer, getView(), getIndex());
  printToken(printer, getToken());
  printHints(printer, getOptimizationHintsAttr());
  printInbounds(printer, getInbounds());
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(), elidedAttrs);
  printer << " : ";
  printViewAndIndexTypes(printer, getView(), getIndex());
  printer << " -> ";
  printCudaTileType(printer, getResultTypes());
}

LogicalResult LoadViewTkoOp::verify() {
  if (isMulticast(getView().getType()))
    // rule: load_view_multicast
    return emitOpError("multicast ptr_attr is not allowed");
  return failure(failed(verifyViewAccess(*this, getView().getType(), getIndex().getTypes(),
                                         getTile().getType())) ||
                 failed(verifyInbounds(*this, getInbounds(), getIndex().size())) ||
                 failed(verifyHints(*this, getOptimizationHintsAttr())) ||
                 failed(verifyLoadOrder(*this, getMemoryOrderingSemantics(), getMemoryScope())));
}

//===-- store_view_tko ------------------------------------------------------------------------===//

ParseResult StoreViewTkoOp::parse(OpAsmParser &parser, OperationState &result) {
  ViewAccessSyntax access(parser, result);
  OpAsmParser::UnresolvedOperand tile;
  Type tileType, tokenType;
  if (access.parseOrder() || parser.parseOperand(tile) || parser.parseComma() ||
      access.parseViewAndIndices() || parseAccessOptions(parser, result, access) ||
      parseCudaTileType(parser, tileType) || parser.parseComma() || access.parseTypes() ||
      parser.parseArrow() || parseCudaTileType(parser, tokenType) ||
      parser.resolveOperand(tile, tileType, result.operands) || access.resolveViewAndIndices() ||
      access.resolveToken())
    return failure();
  access.addSegments({1, 1, access.numIndices(), access.numTokens()});
  result.addTypes(tokenType);
  return success();
}

void StoreViewTkoOp::print(OpAsmPrinter &printer) {
  printMemoryOrder(printer, getMemoryOrderingSemanticsAttr(), getMemoryScopeAttr());
  printer << " " << getTile() << ", ";
  printViewAndIndices(printer, getView(), getIndex());
  printToken(printer, getToken());
  printHints(printer, getOptimizationHintsAttr());
  printInbounds(printer, getInbounds());
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(), elidedAttrs);
  printer << " : ";
  printCudaTileType(printer, getTile().getType());
  printer << ", ";
  printViewAndIndexTypes(printer, getView(), getIndex());
  printer << " -> ";
  printCudaTileType(printer, getResultToken().getType());
}

LogicalResult StoreViewTkoOp::verify() {
  if (isMulticast(getView().getType()))
    // rule: store_view_multicast
    return emitOpError("multicast ptr_attr is not allowed");
  return failure(failed(verifyViewAccess(*this, getView().getType(), getIndex().getTypes(),
                                         getTile().getType())) ||
                 failed(verifyInbounds(*this, getInbounds(), getIndex().size())) ||
                 failed(verifyHints(*this, getOptimizationHintsAttr())) ||
                 failed(verifyStoreOrder(*this, getMemoryOrderingSemantics(), getMemoryScope())));
}
