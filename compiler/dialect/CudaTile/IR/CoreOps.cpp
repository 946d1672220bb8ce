//===- CoreOps.cpp - modules, entries, globals, constants, shape algebra ----------------------===//
#include "compiler/dialect/CudaTile/IR/CudaTileAsm.h"
#include "compiler/dialect/CudaTile/IR/CudaTileVerify.h"
#include "compiler/dialect/CudaTile/IR/FloatNV8E5M3FNU.h"
#include "compiler/support/Plants.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/SmallSet.h"

using namespace mlir;
using namespace tilesmith::cuda_tile;

//===-- text ----------------------------------------------------------------------------------===//

// Only these two words, so that other keywords of a global are left alone.
static ParseResult parseSymbolVisibility(OpAsmParser &parser, SymbolVisibilityAttr &attr) {
  StringRef keyword = "public";
  (void)parser.parseOptionalKeyword(&keyword, {"public", "private"});
  attr = SymbolVisibilityAttr::get(parser.getContext(), *symbolizeSymbolVisibility(keyword));
  return success();
}
static void printSymbolVisibility(OpAsmPrinter &printer, Operation *, SymbolVisibilityAttr attr) {
  if (attr.getValue() != SymbolVisibility::Public)
    printer << stringifySymbolVisibility(attr.getValue()) << " ";
}

// `(%a: tile<f32>, %b: tile<f32>) { ... }`
static ParseResult parseArgumentRegion(OpAsmParser &parser, Region &region) {
  SmallVector<OpAsmParser::Argument> arguments;
  return failure(parseArguments(parser, arguments) || parser.parseRegion(region, arguments));
}
static void printArgumentRegion(OpAsmPrinter &printer, Operation *, Region &region) {
  printer.printNewline();
  printArguments(printer, region);
  printer << ' ';
  printer.printRegion(region, /*printEntryBlockArgs=*/false);
}

#define GET_OP_CLASSES
#include "compiler/dialect/CudaTile/IR/CoreOps.cpp.inc"

void CudaTileDialect::registerCoreOps() {
  addOperations<
#define GET_OP_LIST
#include "compiler/dialect/CudaTile/IR/CoreOps.cpp.inc"
      >();
}

//===-- module, entry -------------------------------------------------------------------------===//

void tilesmith::cuda_tile::ModuleOp::build(OpBuilder &builder, OperationState &state,
                                           StringRef name, StringRef producer) {
  state.addRegion()->emplaceBlock();
  state.getOrAddProperties<Properties>().sym_name = builder.getStringAttr(name);
  if (!producer.empty())
    state.getOrAddProperties<Properties>().producer = builder.getStringAttr(producer);
}

LogicalResult tilesmith::cuda_tile::ModuleOp::verify() {
  if (getProfile(*this) == Profile::Tileiras13_1 && failed(verifyHeldBy13_1(*this)))
    return failure();
  return verifyModuleDebugInfo(*this);
}

void EntryOp::build(OpBuilder &builder, OperationState &state, StringRef name, FunctionType type) {
  OpBuilder::InsertionGuard guard(builder);
  state.getOrAddProperties<Properties>().sym_name = builder.getStringAttr(name);
  state.getOrAddProperties<Properties>().function_type = TypeAttr::get(type);
  Block *body = builder.createBlock(state.addRegion());
  for (Type input : type.getInputs())
    body->addArgument(input, state.location);
}

// @name(%a: TYPE {attrs}, ...) [optimization_hints=<...>] { ... }
ParseResult EntryOp::parse(OpAsmParser &parser, OperationState &result) {
  StringAttr name;
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<Type> argumentTypes, resultTypes;
  if (parser.parseSymbolName(name, SymbolTable::getSymbolAttrName(), result.attributes) ||
      parseArguments(parser, arguments) || parseResultTypes(parser, resultTypes))
    return failure();
  SmallVector<Attribute> argAttrs;
  for (OpAsmParser::Argument &argument : arguments) {
    argumentTypes.push_back(argument.type);
    argAttrs.push_back(argument.attrs);
  }
  Builder &builder = parser.getBuilder();
  result.addAttribute(getFunctionTypeAttrName(result.name),
                      TypeAttr::get(builder.getFunctionType(argumentTypes, resultTypes)));
  if (llvm::any_of(argAttrs, [](Attribute attrs) { return !cast<DictionaryAttr>(attrs).empty(); }))
    result.addAttribute(getArgAttrsAttrName(result.name), builder.getArrayAttr(argAttrs));
  if (succeeded(parser.parseOptionalKeyword("optimization_hints"))) {
    if (parser.parseEqual())
      return failure();
    Attribute hints = OptimizationHintsAttr::parse(parser, Type());
    if (!hints)
      return failure();
    result.addAttribute(getOptimizationHintsAttrName(result.name), hints);
  }
  Region *body = result.addRegion();
  if (failed(parser.parseRegion(*body, arguments)))
    return failure();
  if (body->empty())
    body->emplaceBlock();
  ensureTerminator(*body, builder, result.location);
  return parser.parseOptionalAttrDict(result.attributes);
}

void EntryOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printer.printSymbolName(getSymName());
  printArguments(printer, getBody(), getArgAttrsAttr());
  if (OptimizationHintsAttr hints = getOptimizationHintsAttr();
      hints && !hints.getValue().empty()) {
    printer << " optimization_hints=";
    hints.print(printer);
  }
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
  printer.printOptionalAttrDict(
      (*this)->getAttrs(), {getSymNameAttrName(), getFunctionTypeAttrName(), getArgAttrsAttrName(),
                            getResAttrsAttrName(), getOptimizationHintsAttrName()});
}

LogicalResult EntryOp::verify() {
  if (getNumResults() != 0)
    // rule: entry_results
    return emitOpError("entry op must not return values");
  for (Type type : getArgumentTypes()) {
    auto tile = dyn_cast<TileType>(type);
    if (!tile || tile.getRank() != 0)
      // rule: entry_rank
      return emitOpError("entry op must have scalar types (rank 0 !cuda_tile.tile)");
  }
  return failure(failed(verifyFunctionDebugInfo(*this)) ||
                 failed(verifyHints(*this, getOptimizationHintsAttr())));
}

LogicalResult EntryOp::verifyRegions() {
  return verifyBodyDebugInfo(*this);
}

//===-- global, get_global --------------------------------------------------------------------===//

LogicalResult GlobalOp::verify() {
  if (cast<ShapedType>(getValue().getType()).getRank() != 1)
    // rule: global_rank
    return emitOpError("type must have rank 1");
  return success();
}

LogicalResult GetGlobalOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  auto global = symbolTable.lookupNearestSymbolFrom<GlobalOp>(*this, getNameAttr());
  if (!global)
    // rule: get_global_symbol
    return emitOpError("'") << getName() << "' does not reference a valid global";
  Type element = global.getValue().getElementType();
  auto pointer = cast<PointerType>(getResult().getType().getElementType());
  if (pointer.getPointeeType() != element)
    // rule: get_global_pointee
    return emitOpError("pointee type of result type ")
           << pointer << " does not match type " << element << " of the global @" << getName();
  return success();
}

//===-- constant, iota ------------------------------------------------------------------------===//

OpFoldResult ConstantOp::fold(FoldAdaptor) {
  return getValue();
}

// %true, %false, %cst_<value>_<type>, %cst_<type>
void ConstantOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  DenseIntOrFPElementsAttr value = getValue();
  Type element = getType().getElementType();
  bool uniform = value.isSplat() || value.getNumElements() == 1;
  if (element.isInteger(1)) {
    auto flags = value.getValues<bool>();
    if (llvm::all_of(flags, [](bool flag) { return flag; }))
      return setName(getResult(), "true");
    if (llvm::none_of(flags, [](bool flag) { return flag; }))
      return setName(getResult(), "false");
    return setName(getResult(), "cst_i1");
  }
  std::string name = "cst";
  llvm::raw_string_ostream os(name);
  if (uniform && isa<IntegerType>(element)) {
    os << "_" << *value.getValues<APInt>().begin();
  } else if (uniform) {
    APFloat first = isa<FloatNV8E5M3FNUType>(element)
                        ? APFloat(decodeFloatNV8E5M3FNU(value.getRawData().front()))
                        : *value.getValues<APFloat>().begin();
    llvm::APSInt integer(64, /*isUnsigned=*/true);
    bool exact = false;
    if (first.isNaN()) {
      os << "_NaN";
    } else {
      first.convertToInteger(integer, APFloat::rmTowardZero, &exact);
      if (exact)
        os << "_" << integer.getZExtValue();
    }
  }
  os << "_";
  if (isa<FloatNV8E5M3FNUType>(element))
    os << FloatNV8E5M3FNUType::getMnemonic();
  else
    os << element;
  setName(getResult(), name);
}

LogicalResult IotaOp::verify() {
  TileType type = getResult().getType();
  if (type.getRank() != 1)
    // rule: iota_rank
    return emitOpError("expects result type to be 1-d tile");
  unsigned width = type.getElementTypeBitWidth();
  if (width < 64 && static_cast<uint64_t>(type.getDimSize(0)) > (uint64_t(1) << width))
    // rule: iota_range
    return emitOpError("the number of elements ")
           << type.getDimSize(0) << " exceeds the maximum value of element type "
           << type.getElementType();
  return success();
}

//===-- shape algebra -------------------------------------------------------------------------===//

LogicalResult BroadcastOp::verify() {
  ArrayRef<int64_t> source = getSource().getType().getShape(),
                    result = getResult().getType().getShape();
  for (auto [from, to] : llvm::zip_equal(source, result))
    if (from != to && from != 1)
      // rule: broadcast_shape
      return emitOpError("expects the shape of source tile to be compatible with that of the "
                         "result tile, but got: ")
             << source << " and " << result;
  return success();
}
void BroadcastOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), "bcast");
}

LogicalResult ReshapeOp::verify() {
  if (getSource().getType().getNumElements() != getResult().getType().getNumElements())
    // rule: reshape_elements
    return emitOpError("expected source tile and result tile to have the same number of elements");
  return success();
}
void ReshapeOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), "reshape");
}

LogicalResult PermuteOp::verify() {
  ArrayRef<int64_t> source = getSource().getType().getShape(),
                    result = getResult().getType().getShape();
  ArrayRef<int32_t> permutation = getPermutation();
  size_t rank = source.size();
  if (rank < 2)
    // rule: permute_rank
    return emitOpError("expects at least rank 2, but got: ") << rank;
  if (permutation.size() != rank)
    // rule: permute_size
    return emitOpError("expect permutation size (")
           << permutation.size() << ") to equal the rank of the source (" << rank << ")";
  llvm::SmallSet<int32_t, 8> seen(permutation.begin(), permutation.end());
  if (seen.size() != rank)
    // rule: permute_unique
    return emitOpError("expect permutation elements to be unique");
  for (auto [i, from] : llvm::enumerate(permutation))
    if (from < 0 || from >= static_cast<int32_t>(rank))
      // rule: permute_bound
      return emitOpError("permutation element at index ")
             << i << " (" << from << ") is out of bound [0, " << rank << ")";
  for (auto [i, from] : llvm::enumerate(permutation))
    if (result[i] != source[from])
      // rule: permute_shape
      return emitOpError("result shape invalid at index ")
             << i << ", expected: " << source[from] << ", but got: " << result[i];
  return success();
}

LogicalResult CatOp::verify() {
  ArrayRef<int64_t> lhs = getLhs().getType().getShape(), rhs = getRhs().getType().getShape();
  ArrayRef<int64_t> result = getResult().getType().getShape();
  int64_t dim = getDim(), rank = lhs.size();
  if (dim < 0 || dim >= rank)
    // rule: cat_dim
    return emitOpError("expect dim to be [0, ") << rank << "), but got: " << dim;
  if (lhs[dim] + rhs[dim] != result[dim])
    // rule: cat_result
    return emitOpError("invalid concat at position ")
           << dim << ", expected: " << lhs[dim] + rhs[dim] << " but got: " << result[dim];
  int64_t checked = TILESMITH_PLANT("verifier-cat-skips-last-dimension") ? rank - 1 : rank;
  for (int64_t i = 0; i < checked; ++i) {
    if (i == dim && !TILESMITH_PLANT("verifier-cat-wants-shape-of-operands"))
      continue;
    if (lhs[i] != rhs[i])
      // rule: cat_shapes
      return emitOpError("expect lhs and rhs shapes to match at non-concat position ")
             << i << ", expected: " << lhs[i] << " but got: " << rhs[i];
    if (lhs[i] != result[i])
      // rule: cat_result_shape
      return emitOpError("expect lhs and result shapes to match at non-concat position ")
             << i << ", expected: " << lhs[i] << " but got: " << result[i];
  }
  return success();
}

//===-- extract, insert -----------------------------------------------------------------------===//

// Warns about constant indices outside the grid of subtiles; the access is undefined, not
// ill-formed.
static void warnAboutIndices(Operation *op, StringRef name, ValueRange indices,
                             ArrayRef<int64_t> whole, ArrayRef<int64_t> part) {
  for (auto [i, index] : llvm::enumerate(indices)) {
    auto constant = index.getDefiningOp<ConstantOp>();
    if (!constant || !constant.getValue().isSplat())
      continue;
    int64_t value = constant.getValue().getSplatValue<APInt>().getSExtValue(),
            max = whole[i] / part[i] - 1;
    if (value < 0)
      emitWarning(op->getLoc()) << name << " index " << i << " has negative value " << value
                                << ", which may cause undefined behavior";
    if (value > max)
      emitWarning(op->getLoc()) << name << " index " << i << " value " << value
                                << " may be out of bounds (max valid index: " << max << ")";
  }
}

LogicalResult ExtractOp::verify() {
  TileType source = getSource().getType(), result = getResult().getType();
  if (source.getElementType() != result.getElementType())
    // rule: extract_element
    return emitOpError("source and result element type do not match");
  for (auto [i, whole, part] : llvm::enumerate(source.getShape(), result.getShape()))
    if (whole % part != 0)
      // rule: extract_divides
      return emitOpError("source dimension ")
             << i << " size (" << whole << ") must be evenly divisible by result dimension " << i
             << " size (" << part << ")";
  if (static_cast<int64_t>(getIndices().size()) != source.getRank())
    // rule: extract_indices
    return emitOpError("expected ")
           << source.getRank() << " indices, but got " << getIndices().size();
  warnAboutIndices(*this, "extract", getIndices(), source.getShape(), result.getShape());
  return success();
}

LogicalResult InsertOp::verify() {
  TileType source = getSource().getType(), result = getResult().getType();
  if (static_cast<int64_t>(getIndices().size()) != result.getRank())
    // rule: insert_indices
    return emitOpError("expected ")
           << result.getRank() << " indices, but got " << getIndices().size();
  if (source.getRank() != result.getRank())
    // rule: insert_rank
    return emitOpError("source and result must have the same rank");
  if (source.getElementType() != result.getElementType())
    // rule: insert_element
    return emitOpError("source and result element type do not match");
  for (auto [i, whole, part] : llvm::enumerate(result.getShape(), source.getShape()))
    if (whole % part != 0)
      // rule: insert_divides
      return emitOpError("result dimension ")
             << i << " size (" << whole << ") must be evenly divisible by source dimension " << i
             << " size (" << part << ")";
  warnAboutIndices(*this, "insert", getIndices(), result.getShape(), source.getShape());
  return success();
}

//===-- select, pack, unpack ------------------------------------------------------------------===//

LogicalResult SelectOp::verify() {
  if (isa<Float4E2M1FNType>(getResult().getType().getElementType()))
    // rule: select_f4
    return emitOpError("cannot operate on sub-byte type F4E2M1FN");
  return success();
}

// Both are vectors of the same number of bytes, of elements of different widths. A tf32 takes four
// bytes.
static LogicalResult verifyRepacking(Operation *op) {
  auto source = cast<TileType>(op->getOperand(0).getType()),
       result = cast<TileType>(op->getResult(0).getType());
  if (source.getRank() != 1)
    // rule: pack_rank
    return op->emitOpError("expects source and result to be rank-1 tiles");
  if (source.getElementTypeBitWidth() == result.getElementTypeBitWidth())
    // rule: pack_width
    return op->emitOpError("expects source and result to have different element type widths");
  auto bits = [](TileType tile) {
    return tile.getNumElements() *
           (tile.getElementType().isTF32() ? 32 : tile.getElementTypeBitWidth());
  };
  if (bits(source) % 8 != 0)
    // rule: pack_bytes
    return op->emitOpError("expects source tile to be byte-aligned");
  if (bits(result) % 8 != 0)
    // rule: unpack_result_bytes
    return op->emitOpError("expects result tile to be byte-aligned");
  if (bits(source) != bits(result))
    // rule: pack_size
    return op->emitOpError("expects source and result to have the same size in bytes, but got "
                           "source tile size ")
           << bits(source) / 8 << " bytes and result tile size " << bits(result) / 8 << " bytes";
  return success();
}
LogicalResult PackOp::verify() {
  return verifyRepacking(*this);
}
LogicalResult UnpackOp::verify() {
  return verifyRepacking(*this);
}
