//===- Internal.cpp - ops of nv_tileaa that no cuda_tile op becomes, per thread ---------------===//
//
//  * clampf is a minimum and a maximum; generate evaluates its body once per register, on the
//    coordinates of the element.
//  * histogram counts in scratch: cleared, counted by atomics of the owners, read by all holders.
//  * Elementwise calls go to device math (`__nv_*`), the only library there is; inline assembly is
//    copied as it is, one element at a time.
//  * Barriers of the optimiser hand their values on, messages and reuse marks vanish.
// What is refused here is refused by name, with the reason.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/conversion/TileASToNVGPU/Emitter.h"
#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/support/Plants.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas_to_nvgpu;

namespace {

//===- elementwise --------------------------------------------------------------------------------===//

/// max(min(x, hi), lo); a NaN is a missing operand unless it propagates.
LogicalResult clamp(Emitter &e, Operation *op, ValueRange operands, Value,
                    SmallVectorImpl<Value> &results) {
  Value x = operands[0], lo = operands[1], hi = operands[2];
  if (TILESMITH_PLANT("clampf-bounds-swapped"))
    std::swap(lo, hi);
  OpBuilder &b = e.builder;
  if (cast<tileaa::ClampFOp>(op).getPropagateNan())
    results.push_back(
        arith::MaximumFOp::create(b, e.loc, arith::MinimumFOp::create(b, e.loc, x, hi), lo));
  else
    results.push_back(
        arith::MaxNumFOp::create(b, e.loc, arith::MinNumFOp::create(b, e.loc, x, hi), lo));
  return success();
}

/// Device math passes f32, f64, i32 and i64.
LogicalResult callDeviceMath(Emitter &e, Operation *op, StringRef name, ValueRange operands,
                             SmallVectorImpl<Value> &results) {
  Type type = getElementTypeOrSelf(op->getResult(0).getType());
  SmallVector<Type> types(operands.getTypes()), all(types);
  all.push_back(type);
  for (Type passed : all)
    if (!passed.isF32() && !passed.isF64() && !passed.isInteger(32) && !passed.isInteger(64))
      return op->emitOpError("expected elements of f32, f64, i32 or i64 for '")
             << name << "', got " << passed;
  auto function = LLVM::LLVMFunctionType::get(type, types);
  auto module = e.function->getParentOfType<gpu::GPUModuleOp>();
  auto declared = module.lookupSymbol<LLVM::LLVMFuncOp>(name);
  if (!declared) {
    OpBuilder::InsertionGuard guard(e.builder);
    e.builder.setInsertionPointToStart(&module.getBodyRegion().front());
    declared = LLVM::LLVMFuncOp::create(e.builder, e.loc, name, function);
  }
  if (declared.getFunctionType() != function)
    return op->emitOpError("expected one type for '")
           << name << "', got " << function << " and " << declared.getFunctionType();
  results.push_back(LLVM::CallOp::create(e.builder, e.loc, declared, operands).getResult());
  return success();
}

LogicalResult callExtern(Emitter &e, Operation *op, ValueRange operands, Value,
                         SmallVectorImpl<Value> &results) {
  auto call = cast<tileaa::ExternElementwiseOp>(op);
  if (!call.getSymbol().starts_with("__nv_"))
    return op->emitOpError("expected a function of device math ('__nv_...'), got '")
           << call.getSymbol() << "' of the library '" << call.getLibname()
           << "': code of other libraries is not linked";
  return callDeviceMath(e, op, call.getSymbol(), operands, results);
}

LogicalResult callIntrinsic(Emitter &e, Operation *op, ValueRange operands, Value,
                            SmallVectorImpl<Value> &results) {
  StringRef name = cast<tileaa::CallElementwiseIntrinsicOp>(op).getIntrinsic();
  return callDeviceMath(e, op, name.starts_with("__nv_") ? name.str() : ("__nv_" + name).str(),
                        operands, results);
}

/// One element at a time. What the text does nobody here knows.
LogicalResult inlineAssembly(Emitter &e, Operation *op, ValueRange operands, Value,
                             SmallVectorImpl<Value> &results) {
  auto assembly = cast<tileaa::ElementwiseInlineAsmOp>(op);
  if (assembly.getPacked() != 1)
    return op->emitOpError("expected 'packed' to be 1, got ")
           << assembly.getPackedAttr().getInt()
           << ": neighbouring elements of a tile may lie in different threads";
  if (op->getNumResults() != 1)
    return op->emitOpError("expected one result, got ") << op->getNumResults();
  Type type = e.elementType(getElementTypeOrSelf(op->getResult(0).getType()));
  auto emitted = LLVM::InlineAsmOp::create(
      e.builder, e.loc, type, operands, assembly.getAsmString(), assembly.getConstraints(),
      /*has_side_effects=*/!assembly.getPure(), /*is_align_stack=*/false, LLVM::TailCallKind::None,
      LLVM::AsmDialectAttr(), ArrayAttr());
  results.push_back(emitted.getResult(0));
  return success();
}

//===- tiles --------------------------------------------------------------------------------------===//

/// The body on the coordinates of one element.
FailureOr<Value> generateElement(Emitter &e, tileaa::GenerateOp op, ArrayRef<Value> coordinates) {
  Block &body = op.getBody().front();
  for (auto [argument, coordinate] :
       llvm::zip(body.getArguments(), TILESMITH_PLANT("generate-coordinates-reversed")
                                          ? SmallVector<Value>(llvm::reverse(coordinates))
                                          : SmallVector<Value>(coordinates)))
    e.setScalar(argument, argument.getType().isIndex()
                              ? Value(arith::IndexCastOp::create(e.builder, e.loc,
                                                                 argument.getType(), coordinate))
                              : coordinate);
  for (auto [argument, captured] :
       llvm::zip_equal(body.getArguments().drop_front(coordinates.size()), op.getCaptured()))
    e.setScalar(argument, e.scalar(captured));
  for (Operation &inner : body.without_terminator()) {
    SmallVector<Value> operands, results;
    for (Value operand : inner.getOperands())
      operands.push_back(e.scalar(operand));
    if (failed(e.emitElement(&inner, operands, {}, results)))
      return failure();
    for (auto [result, emitted] : llvm::zip_equal(inner.getResults(), results))
      e.setScalar(result, emitted);
  }
  return e.scalar(body.getTerminator()->getOperand(0));
}

LogicalResult emitGenerate(Emitter &e, Operation *op) {
  auto generate = cast<tileaa::GenerateOp>(op);
  Tile tile = e.makeTile(generate.getResult());
  e.setTile(generate.getResult(), tile);
  LogicalResult status = success();
  e.forLoop(tile.layout.getNumRegisters(), [&](Value index) {
    SmallVector<Value> at = e.coordinates(e.position(tile.layout, index), tile.layout.getShape());
    FailureOr<Value> element = generateElement(e, generate, at);
    if (failed(element))
      status = failure();
    else
      e.storeRegister(tile, index, *element);
  });
  return status;
}

/// Values that are not a bin, as unsigned numbers, count nowhere.
LogicalResult emitHistogram(Emitter &e, Operation *op) {
  auto histogram = cast<tileaa::HistogramOp>(op);
  Tile source = e.tile(histogram.getSource()), result = e.makeTile(histogram.getResult());
  e.setTile(histogram.getResult(), result);
  OpBuilder &b = e.builder;
  Type i32 = b.getI32Type();
  int64_t bins = result.layout.getNumElements(), bytes = 4 * bins;
  if (bytes > kMaxSharedBytes)
    return op->emitOpError("needs ")
           << bytes << " bytes of shared memory, the limit is " << kMaxSharedBytes;
  auto bin = [&](Value number) { return e.elementPointer(e.scratch(0, bytes), i32, number); };
  auto ownersOf = [&](const Tile &tile, llvm::function_ref<void(Value)> body) {
    e.when(e.ownerThread(tile.layout), [&] {
      e.forLoop(tile.layout.getNumRegisters(), [&](Value index) {
        e.when(e.ownerRegister(tile.layout, index), [&] { body(index); });
      });
    });
  };
  e.barrier();
  ownersOf(result, [&](Value index) { e.store(e.i32(0), bin(e.position(result.layout, index))); });
  e.barrier();
  ownersOf(source, [&](Value index) {
    Value value = e.loadRegister(source, index), wide = value;
    unsigned width = value.getType().getIntOrFloatBitWidth();
    if (width < 64)
      wide = arith::ExtUIOp::create(b, e.loc, b.getI64Type(), value);
    Value counts = arith::CmpIOp::create(b, e.loc, arith::CmpIPredicate::ult, wide, e.i64(bins));
    if (histogram.getMask() && !TILESMITH_PLANT("histogram-ignores-mask"))
      counts = e.both(counts, e.loadRegister(e.tile(histogram.getMask()), index));
    e.when(counts, [&] {
      LLVM::AtomicRMWOp::create(b, e.loc, LLVM::AtomicBinOp::add,
                                bin(arith::TruncIOp::create(b, e.loc, i32, wide)), e.i32(1),
                                LLVM::AtomicOrdering::monotonic, "block");
    });
  });
  if (!TILESMITH_PLANT("histogram-barrier-dropped"))
    e.barrier();
  e.forLoop(result.layout.getNumRegisters(), [&](Value index) {
    Value count = e.load(bin(e.position(result.layout, index)), i32);
    if (unsigned width = result.element.getIntOrFloatBitWidth(); width > 32)
      count = arith::ExtUIOp::create(b, e.loc, result.element, count);
    else if (width < 32)
      count = arith::TruncIOp::create(b, e.loc, result.element, count);
    e.storeRegister(result, index, count);
  });
  return success();
}

//===- structure ----------------------------------------------------------------------------------===//

LogicalResult emitOptimizationBarrier(Emitter &e, Operation *op) {
  for (auto [operand, result] : llvm::zip_equal(op->getOperands(), op->getResults())) {
    if (isa<RankedTensorType>(operand.getType()))
      e.setTile(result, e.tile(operand));
    else if (isa<tileaa::MemRefType, tileaa::TiledViewType>(operand.getType()))
      e.regions[result] = e.regions.lookup(operand);
    else if (!isa<tileaa::MemTokenType>(operand.getType()))
      e.setScalar(result, e.scalar(operand));
  }
  return success();
}

LogicalResult emitNothing(Emitter &, Operation *) {
  return success();
}

} // namespace

void tileas_to_nvgpu::registerInternal(HandlerTable &table) {
  table.elements.add<tileaa::ClampFOp>(clamp);
  table.elements.add<tileaa::ExternElementwiseOp>(callExtern);
  table.elements.add<tileaa::CallElementwiseIntrinsicOp>(callIntrinsic);
  table.elements.add<tileaa::ElementwiseInlineAsmOp>(inlineAssembly);
  table.operations.add<tileaa::GenerateOp>(emitGenerate);
  table.operations.add<tileaa::HistogramOp>(emitHistogram);
  table.operations.add<tileaa::OptimizationBarrierOp>(emitOptimizationBarrier);
  table.operations.add<tileaa::MarkForReuseOp, tileaa::MessageOp>(emitNothing);
}
