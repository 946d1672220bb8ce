//===- ControlFlowOps.cpp - structured control flow -------------------------------------------===//
#include "compiler/dialect/CudaTile/IR/CudaTileAsm.h"
#include "compiler/dialect/CudaTile/IR/CudaTileVerify.h"
#include "compiler/support/Plants.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tilesmith::cuda_tile;

//===-- regions -------------------------------------------------------------------------------===//

template <typename OpT>
static ParseResult parseBody(OpAsmParser &parser, Region &region,
                             ArrayRef<OpAsmParser::Argument> arguments = {}) {
  if (failed(parser.parseRegion(region, arguments)))
    return failure();
  OpT::ensureTerminator(region, parser.getBuilder(),
                        parser.getEncodedSourceLoc(parser.getNameLoc()));
  return success();
}

// The implied terminator is printed only when it carries operands.
template <typename ImpliedT> static void printBody(OpAsmPrinter &printer, Region &region) {
  Operation *terminator =
      region.empty() || region.front().empty() ? nullptr : &region.front().back();
  bool implied = terminator && isa<ImpliedT>(terminator) && terminator->getNumOperands() == 0;
  printer.printRegion(region, /*printEntryBlockArgs=*/false, /*printBlockTerminators=*/!implied);
}

static ParseResult parseIfOpRegion(OpAsmParser &parser, Region &region) {
  return parseBody<IfOp>(parser, region);
}
static void printIfOpRegion(OpAsmPrinter &printer, IfOp, Region &region) {
  printBody<YieldOp>(printer, region);
}

#define GET_OP_CLASSES
#include "compiler/dialect/CudaTile/IR/ControlFlowOps.cpp.inc"

void CudaTileDialect::registerControlFlowOps() {
  addOperations<
#define GET_OP_LIST
#include "compiler/dialect/CudaTile/IR/ControlFlowOps.cpp.inc"
      >();
}

//===-- implied terminators -------------------------------------------------------------------===//

StringRef tilesmith::cuda_tile::impl::IfTerminator::getOperationName() {
  return YieldOp::getOperationName();
}
void tilesmith::cuda_tile::impl::IfTerminator::build(OpBuilder &builder, OperationState &state) {
  YieldOp::build(builder, state);
}
bool tilesmith::cuda_tile::impl::IfTerminator::classof(Operation *op) {
  return isa<YieldOp, BreakOp, ContinueOp, ReturnOp>(op);
}

StringRef tilesmith::cuda_tile::impl::LoopTerminator::getOperationName() {
  return ContinueOp::getOperationName();
}
void tilesmith::cuda_tile::impl::LoopTerminator::build(OpBuilder &builder, OperationState &state) {
  ContinueOp::build(builder, state);
}
bool tilesmith::cuda_tile::impl::LoopTerminator::classof(Operation *op) {
  return isa<ContinueOp, BreakOp>(op);
}

//===-- rules shared by loops -----------------------------------------------------------------===//

static StringRef viewKind(Type type) {
  return isa<TensorViewType>(type) ? "tensor_view" : isa<TileView>(type) ? "tile view" : "";
}

// Views are not carried and not returned; initial values have the types of the region's arguments.
static LogicalResult verifyCarriedValues(Operation *op, ValueRange inits, ValueRange carried) {
  if (carried.size() != inits.size())
    // rule: loop_counts
    return op->emitOpError("mismatch in number of region iterator values and loop iterator inits: ")
           << carried.size() << " vs " << inits.size();
  for (auto [i, init, value] : llvm::enumerate(inits, carried)) {
    if (StringRef kind = viewKind(value.getType()); !kind.empty())
      // rule: loop_view, loop_tile_view
      return op->emitOpError("loop-carried value ")
             << i << " is a " << kind << ", which is not supported";
    if (init.getType() != value.getType())
      // rule: for_init_type
      return op->emitOpError("init value ")
             << i << " and region iter_value " << i << " have different type: " << init.getType()
             << " != " << value.getType();
  }
  for (auto [i, type] : llvm::enumerate(op->getResultTypes()))
    if (StringRef kind = viewKind(type); !kind.empty())
      // rule: if_view
      return op->emitOpError("result type ") << i << " is a " << kind << ", which is not supported";
  return success();
}

static void printAssignments(OpAsmPrinter &printer, ValueRange arguments, ValueRange inits) {
  printer << "iter_values(";
  llvm::interleaveComma(llvm::zip(arguments, inits), printer, [&](auto pair) {
    printer << std::get<0>(pair) << " = " << std::get<1>(pair);
  });
  printer << ") ";
}

//===-- for -----------------------------------------------------------------------------------===//

void ForOp::build(OpBuilder &builder, OperationState &state, Value lowerBound, Value upperBound,
                  Value step, ValueRange initArgs,
                  function_ref<void(OpBuilder &, Location, Value, ValueRange)> bodyBuilder,
                  bool unsignedCmp) {
  OpBuilder::InsertionGuard guard(builder);
  state.addOperands({lowerBound, upperBound, step});
  state.addOperands(initArgs);
  state.addTypes(initArgs.getTypes());
  if (unsignedCmp)
    state.addAttribute(getUnsignedCmpAttrName(state.name), builder.getUnitAttr());
  Region *region = state.addRegion();
  Block *body = builder.createBlock(region);
  body->addArgument(lowerBound.getType(), state.location);
  for (Value init : initArgs)
    body->addArgument(init.getType(), init.getLoc());
  builder.setInsertionPointToStart(body);
  if (bodyBuilder)
    bodyBuilder(builder, state.location, body->getArgument(0), body->getArguments().drop_front());
  else if (initArgs.empty())
    ensureTerminator(*region, builder,
                     state.location); // with carried values only the caller knows the operands
}

LogicalResult ForOp::verifyRegions() {
  if (getNumRegionArgs() == 0)
    // rule: for_induction_missing
    return emitOpError("expected at least one block argument for induction variable");
  if (getInductionVar().getType() != getLowerBound().getType())
    // rule: for_induction
    return emitOpError("expected induction variable to be same type as bounds and step: ")
           << getInductionVar().getType() << " vs " << getLowerBound().getType();
  return verifyCarriedValues(*this, getInitValues(), getRegionIterValues());
}

// [unsigned] %i in (%lb to %ub, step %s) : TYPE [iter_values(%a = %b, ...) -> (TYPES)] { ... }
ParseResult ForOp::parse(OpAsmParser &parser, OperationState &result) {
  if (succeeded(parser.parseOptionalKeyword("unsigned")))
    result.addAttribute(getUnsignedCmpAttrName(result.name), parser.getBuilder().getUnitAttr());
  SmallVector<OpAsmParser::Argument, 4> arguments(1);
  OpAsmParser::UnresolvedOperand lowerBound, upperBound, step;
  SmallVector<OpAsmParser::UnresolvedOperand, 4> inits;
  if (parser.parseOperand(arguments[0].ssaName) || parser.parseKeyword("in") ||
      parser.parseLParen() || parser.parseOperand(lowerBound) || parser.parseKeyword("to") ||
      parser.parseOperand(upperBound) || parser.parseComma() || parser.parseKeyword("step") ||
      parser.parseOperand(step) || parser.parseRParen() || parser.parseColon() ||
      parseCudaTileType(parser, arguments[0].type))
    return failure();
  Type boundType = arguments[0].type;
  if (succeeded(parser.parseOptionalKeyword("iter_values"))) {
    if (parser.parseAssignmentList(arguments, inits) || parser.parseArrow() ||
        parser.parseLParen() || parseCudaTileType(parser, result.types) || parser.parseRParen())
      return failure();
    if (inits.size() != result.types.size())
      return parser.emitError(parser.getNameLoc(),
                              "mismatch in number of loop-carried values and defined values");
    for (auto [argument, type] : llvm::zip_equal(llvm::drop_begin(arguments), result.types))
      argument.type = type;
  }
  return failure(
      parseBody<ForOp>(parser, *result.addRegion(), arguments) ||
      parser.parseOptionalAttrDict(result.attributes) ||
      parser.resolveOperands({lowerBound, upperBound, step}, boundType, result.operands) ||
      parser.resolveOperands(inits, result.types, parser.getNameLoc(), result.operands));
}

void ForOp::print(OpAsmPrinter &printer) {
  if (getUnsignedCmp())
    printer << " unsigned";
  printer << " " << getInductionVar() << " in (" << getLowerBound() << " to " << getUpperBound()
          << ", step " << getStep() << ") : ";
  printCudaTileType(printer, getInductionVar().getType());
  printer << " ";
  if (!getInitValues().empty()) {
    printAssignments(printer, getRegionIterValues(), getInitValues());
    printer << "-> (";
    printCudaTileType(printer, getInitValues().getTypes());
    printer << ") ";
  }
  printBody<ContinueOp>(printer, getRegion());
  printer.printOptionalAttrDict((*this)->getAttrs(), {getUnsignedCmpAttrName()});
}

void ForOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  if (getNumResults())
    setName(getResult(0), "for");
}

void ForOp::getAsmBlockArgumentNames(Region &region, OpAsmSetValueNameFn setName) {
  for (BlockArgument argument : region.getArguments()) {
    unsigned i = argument.getArgNumber();
    setName(argument, i == 0 ? "loopIdx" : "iterArg" + std::to_string(i - 1));
  }
}

//===-- loop ----------------------------------------------------------------------------------===//

LogicalResult LoopOp::verifyRegions() {
  return verifyCarriedValues(*this, getInitValues(), getRegionIterValues());
}

// [iter_values(%a = %b, ...) : TYPES [-> RESULT TYPES]] | [: RESULT TYPES] { ... }
ParseResult LoopOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::Argument, 4> arguments;
  SmallVector<OpAsmParser::UnresolvedOperand, 4> inits;
  SmallVector<Type, 4> initTypes;
  if (succeeded(parser.parseOptionalKeyword("iter_values"))) {
    if (parser.parseAssignmentList(arguments, inits) || parser.parseColon() ||
        parseCudaTileType(parser, initTypes))
      return failure();
    if (arguments.size() != initTypes.size())
      return parser.emitError(parser.getCurrentLocation(),
                              "found different number of iter_values and types");
    for (auto [argument, type] : llvm::zip_equal(arguments, initTypes))
      argument.type = type;
    if (succeeded(parser.parseOptionalArrow()) && failed(parseCudaTileType(parser, result.types)))
      return failure();
  } else if (succeeded(parser.parseOptionalColon()) &&
             failed(parseCudaTileType(parser, result.types))) {
    return failure();
  }
  return failure(parseBody<LoopOp>(parser, *result.addRegion(), arguments) ||
                 parser.parseOptionalAttrDict(result.attributes) ||
                 parser.resolveOperands(inits, initTypes, parser.getNameLoc(), result.operands));
}

void LoopOp::print(OpAsmPrinter &printer) {
  printer << " ";
  if (!getInitValues().empty()) {
    printAssignments(printer, getRegionIterValues(), getInitValues());
    printer << ": ";
    printCudaTileType(printer, getInitValues().getTypes());
    printer << " ";
  }
  if (getNumResults()) {
    printer << (getInitValues().empty() ? ": " : "-> ");
    printCudaTileType(printer, getResultTypes());
    printer << " ";
  }
  printBody<ContinueOp>(printer, getRegion());
  printer.printOptionalAttrDict((*this)->getAttrs());
}

//===-- if ------------------------------------------------------------------------------------===//

Block *IfOp::getThenBlock() {
  return &getThenRegion().back();
}
Operation *IfOp::getThenTerminator() {
  return getThenBlock()->getTerminator();
}
Block *IfOp::getElseBlock() {
  return getElseRegion().empty() ? nullptr : &getElseRegion().back();
}
Operation *IfOp::getElseTerminator() {
  return getElseBlock() ? getElseBlock()->getTerminator() : nullptr;
}

// A branch that ends in yield yields the results; other terminators leave the if.
static LogicalResult verifyBranch(IfOp op, Region &region, StringRef name) {
  auto yield = dyn_cast<YieldOp>(region.front().back());
  if (!yield)
    return success();
  TypeRange yielded = yield.getOperandTypes(), expected = op.getResultTypes();
  if (!expected.empty() && yielded.empty())
    // rule: if_no_yield
    return op.emitOpError("has return type of ")
           << expected << " but " << name << " branch does not yield anything";
  if (expected.empty() && !yielded.empty())
    // rule: if_yields
    return op.emitOpError("does not return a value, but ") << name << " branch yields " << yielded;
  if (yielded != expected)
    // rule: if_yield_type
    return op.emitOpError("type does not match yield type, ")
           << name << " branch yields " << yielded << " but op result type is " << expected;
  return success();
}

LogicalResult IfOp::verify() {
  for (auto [i, type] : llvm::enumerate(getResultTypes()))
    if (StringRef kind = viewKind(type); !kind.empty())
      // rule: if_view
      return emitOpError("result type ") << i << " is a " << kind << ", which is not supported";
  if (getThenRegion().empty())
    // rule: - (the region constraint refuses it first)
    return emitOpError("must define then branch");
  if (failed(verifyBranch(*this, getThenRegion(), "then")))
    return failure();
  if (!getElseRegion().empty())
    return verifyBranch(*this, getElseRegion(), "else");
  if (getNumResults())
    // rule: if_no_else
    return emitOpError("has non-empty return type, must define else branch");
  return success();
}

//===-- terminators ---------------------------------------------------------------------------===//

// The innermost loop around an early exit, through ifs only; diagnoses anything else on the way.
template <typename... LoopTs> static Operation *findLoop(Operation *exit) {
  for (Operation *parent = exit->getParentOp(); parent; parent = parent->getParentOp()) {
    if (isa<LoopTs...>(parent))
      return parent;
    if (!isa<IfOp>(parent)) {
      InFlightDiagnostic diag =
          // rule: break_in_for
          exit->emitOpError("can only be nested within a ancestor chain of '");
      llvm::interleave(ArrayRef<StringRef>{LoopTs::getOperationName()..., IfOp::getOperationName()},
                       diag, "', '");
      diag << "' operations";
      diag.attachNote(parent->getLoc()) << "see unexpected ancestor operation";
      return nullptr;
    }
  }
  return nullptr;
}

LogicalResult BreakOp::verify() {
  Operation *loop = findLoop<LoopOp>(*this);
  if (!loop)
    return failure();
  if (loop->getResultTypes() != getOperandTypes())
    // rule: break_types
    return emitOpError("operand types must correspond to the parent loop result types: (")
           << getOperandTypes() << ") vs (" << loop->getResultTypes() << ")";
  return success();
}

LogicalResult ContinueOp::verify() {
  Operation *loop = findLoop<ForOp, LoopOp>(*this);
  if (!loop)
    return failure();
  bool isFor = isa<ForOp>(loop);
  TypeRange expected =
      isFor ? TypeRange(loop->getResultTypes()) : TypeRange(loop->getOperandTypes());
  Operation *op = TILESMITH_PLANT("verifier-continue-reported-at-loop") ? loop : *this;
  if (expected != TypeRange(getOperandTypes()))
    // rule: continue_types, continue_loop_types
    return op->emitError("`") << (isFor ? "for" : "loop")
                              << "` is missing a valid terminator. `continue` op should have "
                              << "operand types that match the parent loop "
                              << (isFor ? "return types" : "iter_values") << ": (" << expected
                              << "), but found: (" << getOperandTypes() << ")";
  return success();
}

LogicalResult ReturnOp::verify() {
  // The public text knows ifs alone; tileiras 13.5 takes loops, too, for files of any version.
  const bool throughLoops = getProfile(*this) == Profile::Tileiras13_5;
  Operation *parent = (*this)->getParentOp();
  while (isa_and_nonnull<IfOp>(parent) || (throughLoops && isa_and_nonnull<LoopOp>(parent)))
    parent = parent->getParentOp();
  auto function = llvm::dyn_cast_if_present<FunctionOpInterface>(parent);
  if (!function || !isCudaTileFunction(parent))
    // rule: return_parent
    return emitOpError(
        "must be used within a cuda_tile.testing$func, cuda_tile.entry, or cuda_tile.if operation");
  ArrayRef<Type> expected = function.getResultTypes();
  if (getNumOperands() != expected.size())
    // rule: return_count
    return emitOpError("has ") << getNumOperands() << " operands, but enclosing function (@"
                               << function.getName() << ") returns " << expected.size();
  if (isa<EntryOp>(parent) && getNumOperands() != 0)
    // rule: - (entries with results are refused first)
    return emitOpError("has ") << getNumOperands()
                               << " operands, but entry function must return 0 operands";
  for (auto [i, operand, type] : llvm::enumerate(getOperands(), expected))
    if (operand.getType() != type)
      // rule: return_type
      return emitError() << "type of return operand " << i << " (" << operand.getType()
                         << ") doesn't match function result type (" << type << ") in function @"
                         << function.getName();
  return success();
}
