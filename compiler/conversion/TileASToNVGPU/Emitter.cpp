//===- Emitter.cpp - values, register loops and layout arithmetic of the per-thread emitter ---===//
//
// See Emitter.h for the model. `emitBlock` walks operations in order; elementwise ones are
// collected and emitted together by `flush` when something else comes (memory, control flow, an
// exchange between threads). One class in one file: families of operations have files of their own.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/conversion/TileASToNVGPU/Emitter.h"
#include "compiler/conversion/TileASToNVGPU/Mbarriers.h"
#include "compiler/conversion/TileASToNVGPU/MemoryAccess.h"
#include "compiler/dialect/NVGPUExt/IR/NVGPUExt.h"
#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/support/Plants.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas_to_nvgpu;
using tileas::LayoutAttr;

/// Loops of at most this many registers are unrolled by LLVM, so that arrays become registers: in blocks of many warps, and
/// where threads may have all that they can name.
static constexpr int64_t kUnrollLimit = 128, kUnrollLimitOfFew = 256;
static constexpr unsigned kFewWarps = 8;

static int64_t unrollLimit(unsigned warps) {
  return warps <= kFewWarps ? kUnrollLimitOfFew : kUnrollLimit;
}

const HandlerTable &tileas_to_nvgpu::handlerTable() {
  static const HandlerTable table = [] {
    HandlerTable result;
    registerElementwise(result);
    registerShape(result);
    registerMemory(result);
    registerPointerAccess(result);
    registerAtomic(result);
    registerReduceScan(result);
    registerDot(result);
    registerConvertLayout(result);
    registerControlFlow(result);
    registerDiagnostics(result);
    registerPipeline(result);
    registerAgents(result);
    registerTensorMemory(result);
    registerInternal(result);
    return result;
  }();
  return table;
}

bool Emitter::hasProducts(Operation *op) {
  if (!products)
    products = op->getParentOfType<tileaa::FuncOp>()
                   ->walk([](tileas::DotOp) { return WalkResult::interrupt(); })
                   .wasInterrupted();
  return *products;
}

Emitter::Emitter(gpu::GPUFuncOp function, unsigned numWarps)
    : builder(function.getContext()), loc(function.getLoc()), function(function),
      numWarps(numWarps) {
  Block &entry = function.getBody().front();
  builder.setInsertionPointToEnd(&entry);
  // Everything allocated later lands before this constant, everything emitted goes after it.
  entryMarker = arith::ConstantIntOp::create(builder, loc, builder.getI32Type(), 0);
  inEntry([&] {
    Value x = gpu::ThreadIdOp::create(builder, loc, builder.getIndexType(), gpu::Dimension::x);
    threadId = arith::IndexCastOp::create(builder, loc, builder.getI32Type(), x);
    laneId = arith::AndIOp::create(builder, loc, threadId, i32(31));
    warpId = arith::ShRUIOp::create(builder, loc, threadId, i32(5));
  });
}

//===- operations -----------------------------------------------------------------------------===//

bool Emitter::isElementwise(Operation *op) const {
  return handlerTable().elements.lookup(op->getName());
}

LogicalResult Emitter::emitBlock(Block &block) {
  for (Operation &op : block)
    if (failed(emitOperation(&op)))
      return failure();
  return flush();
}

/// A slot with its dimensions in another order is the same place.
static bool renamesSlot(Operation *op) {
  return isa<tileas::PermuteOp>(op) && tileas::getSharedLayout(op->getResult(0).getType());
}

LogicalResult Emitter::emitOperation(Operation *op) {
  loc = op->getLoc();
  if (renamesSlot(op)) {
    slotPlaces[op->getResult(0)] = slotPlaces.lookup(op->getOperand(0));
    return success();
  }
  if (isElementwise(op) && !tileas::getDivisorBits(op)) {
    auto tensor =
        llvm::find_if(op->getResults(), [](Value v) { return isa<RankedTensorType>(v.getType()); });
    if (tensor == op->getResults().end()) {
      SmallVector<Value> operands, results;
      for (Value operand : op->getOperands())
        operands.push_back(isa<RankedTensorType>(operand.getType()) ? Value() : scalar(operand));
      if (llvm::is_contained(operands, Value()))
        return op->emitOpError("has a tile operand but a scalar result, which no handler expects");
      if (failed(emitElement(op, operands, {}, results)))
        return failure();
      for (auto [result, emitted] : llvm::zip_equal(op->getResults(), results))
        setScalar(result, emitted);
      return success();
    }
    LayoutAttr layout = tileas::getLayout((*tensor).getType());
    if (!layout)
      return op->emitOpError("has a tile without a layout: ") << (*tensor).getType();
    int64_t registers = layout.getNumRegisters();
    if (!pending.empty() && pendingRegisters < registers &&
        TILESMITH_PLANT("groups-of-smaller-tile"))
      registers = pendingRegisters;
    if (!pending.empty() && pendingRegisters != registers && failed(flush()))
      return failure();
    pendingRegisters = registers;
    pending.push_back(op);
    return success();
  }
  Handler handler = tileas::getDivisorBits(op) ? emitSharedDivision
                                               : handlerTable().operations.lookup(op->getName());
  if (!handler)
    return op->emitOpError("has no per-thread lowering");
  if (failed(flush()))
    return failure();
  current = op;
  loc = op->getLoc();
  return handler(*this, op);
}

LogicalResult Emitter::emitElement(Operation *op, ValueRange operands, Value position,
                                   SmallVectorImpl<Value> &results) {
  ElementHandler handler = handlerTable().elements.lookup(op->getName());
  if (!handler)
    return op->emitOpError("has no per-element lowering");
  return handler(*this, op, operands, position, results);
}

LogicalResult Emitter::flush() {
  if (pending.empty())
    return success();
  SmallVector<Operation *> group;
  std::swap(group, pending);
  llvm::SmallPtrSet<Operation *, 16> members(group.begin(), group.end());
  LogicalResult status = success();

  // Results that something outside the group reads need storage.
  for (Operation *op : group)
    for (Value result : op->getResults())
      if (llvm::any_of(result.getUsers(), [&](Operation *user) { return !members.contains(user); }))
        setTile(result, makeTile(result));
  // Where something is packed, a turn takes two registers.
  const int64_t step = llvm::any_of(group, tileas::isPacked) ? 2 : 1;
  // Thread offsets are computed in the entry block, outside of the loop.
  forLoop(
      pendingRegisters,
      [&](Value first) {
        SmallVector<ElementsOfTurn> turns(step);
        turns[0].index = first;
        if (step > 1)
          turns[1].index = arith::OrIOp::create(builder, loc, first, i32(1));
        llvm::DenseMap<Value, Value> pairs;
        for (Operation *op : group) {
          loc = op->getLoc();
          if (tileas::isPacked(op))
            emitPair(op, turns, pairs);
          else
            for (ElementsOfTurn &turn : turns)
              if (failed(emitTurn(op, turn)))
                status = failure();
          if (failed(status))
            return;
          for (Value result : op->getResults())
            if (hasTile(result))
              for (ElementsOfTurn &turn : turns)
                storeRegister(tile(result), turn.index, turn.local[result]);
        }
      },
      step);
  return status;
}

/// The element of an operand in the registers of a turn.
Value Emitter::elementOf(Value operand, ElementsOfTurn &turn) {
  Value &element = turn.local[operand];
  if (!element)
    element = loadRegister(tile(operand), turn.index);
  return element;
}

LogicalResult Emitter::emitTurn(Operation *op, ElementsOfTurn &turn) {
  SmallVector<Value> operands, results;
  for (Value operand : op->getOperands()) {
    if (!isa<RankedTensorType>(operand.getType())) {
      operands.push_back(scalar(operand));
      continue;
    }
    if (isa<arith::SelectOp>(op) && operand == op->getOperand(0) && !turn.local[operand] &&
        TILESMITH_PLANT("select-condition-of-vector"))
      turn.local[operand] =
          loadRegister(tile(operand), arith::AndIOp::create(builder, loc, turn.index, i32(~3)));
    operands.push_back(elementOf(operand, turn));
  }
  Value offset = position(tileas::getLayout(op->getResult(0).getType()), turn.index);
  if (failed(emitElement(op, operands, offset, results)))
    return failure();
  for (auto [result, emitted] : llvm::zip_equal(op->getResults(), results))
    turn.local[result] = emitted;
  return success();
}

void Emitter::emitPair(Operation *op, MutableArrayRef<ElementsOfTurn> turns,
                       llvm::DenseMap<Value, Value> &pairs) {
  SmallVector<Value> operands;
  for (Value operand : op->getOperands()) {
    Value held = pairs.lookup(operand);
    if (!held) {
      Value low = elementOf(operand, turns[0]);
      held = pair(low,
                  TILESMITH_PLANT("packed-operand-of-first") ? low : elementOf(operand, turns[1]));
      pairs[operand] = held;
    }
    operands.push_back(held);
  }
  Value both = emitPacked(*this, op, operands);
  pairs[op->getResult(0)] = both;
  for (auto [which, turn] : llvm::enumerate(turns))
    turn.local[op->getResult(0)] =
        half(both, TILESMITH_PLANT("packed-halves-swapped") ? 1 - which : which);
}

Value Emitter::pair(Value low, Value high) {
  Value both = LLVM::PoisonOp::create(builder, loc, VectorType::get({2}, low.getType()));
  both = LLVM::InsertElementOp::create(builder, loc, both, low, i32(0));
  return LLVM::InsertElementOp::create(builder, loc, both, high, i32(1));
}

Value Emitter::half(Value pair, int64_t which) {
  return LLVM::ExtractElementOp::create(builder, loc, pair, i32(which));
}

//===- values -------------------------------------------------------------------------------------===//

Value Emitter::scalar(Value value) {
  Value emitted = scalars.lookup(value);
  assert(emitted && "scalar used before it was emitted");
  return emitted;
}

const Tile &Emitter::tile(Value value) {
  auto found = tiles.find(value);
  assert(found != tiles.end() && "tile used before it was emitted");
  return found->second;
}

Type tileas_to_nvgpu::heldType(Type type) {
  if (isa<FloatTF32Type>(type))
    return Float32Type::get(type.getContext());
  if (auto real = dyn_cast<FloatType>(type); (real && real.getWidth() <= 8) || type.isInteger(4))
    return IntegerType::get(type.getContext(), 8);
  return type;
}

Type Emitter::elementType(Type type) {
  if (isa<tileaa::PtrType>(type))
    return LLVM::LLVMPointerType::get(type.getContext(), pointerSpace);
  if (isa<tileas::PipelineIteratorType>(type)) // where a branch hands on one with mbarriers
    return iteratorType(type.getContext());
  return heldType(type);
}

int64_t Emitter::elementBytes(Type type) {
  Type held = elementType(type);
  if (isa<LLVM::LLVMPointerType>(held))
    return 8;
  return llvm::divideCeil(held.getIntOrFloatBitWidth(), 8);
}

Tile Emitter::makeTile(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  return makeTile(elementType(type.getElementType()), tileas::getLayout(type));
}

Tile Emitter::makeTile(Type element, LayoutAttr layout) {
  Value storage = inEntry([&]() -> Value {
    return LLVM::AllocaOp::create(builder, loc, LLVM::LLVMPointerType::get(builder.getContext()),
                                  element, i32(layout.getNumRegisters()),
                                  /*alignment=*/16);
  });
  return {storage, element, layout};
}

Value Emitter::loadRegister(const Tile &tile, Value index) {
  return load(elementPointer(tile.storage, tile.element, index), tile.element);
}

void Emitter::storeRegister(const Tile &tile, Value index, Value element) {
  store(element, elementPointer(tile.storage, tile.element, index));
}

void Emitter::copyTile(const Tile &from, const Tile &to) {
  if (from.storage == to.storage)
    return;
  forLoop(from.layout.getNumRegisters(),
          [&](Value index) { storeRegister(to, index, loadRegister(from, index)); });
}

//===- building blocks ----------------------------------------------------------------------------===//

Value Emitter::i32(int64_t value) {
  return arith::ConstantIntOp::create(builder, loc, builder.getI32Type(), value);
}
Value Emitter::i64(int64_t value) {
  return arith::ConstantIntOp::create(builder, loc, builder.getI64Type(), value);
}
Value Emitter::truth(bool value) {
  return arith::ConstantIntOp::create(builder, loc, builder.getI1Type(), value);
}
Value Emitter::add(Value a, Value b) {
  return arith::AddIOp::create(builder, loc, a, b);
}
Value Emitter::mul(Value a, Value b) {
  return arith::MulIOp::create(builder, loc, a, b);
}

Value Emitter::both(Value a, Value b) {
  if (!a || !b)
    return a ? a : b;
  return arith::AndIOp::create(builder, loc, a, b);
}

/// Asks LLVM to unroll the loop fully, or to leave it, and ptxas too, as it is.
static void annotateLoop(scf::ForOp loop, bool unrolled) {
  MLIRContext *context = loop.getContext();
  auto yes = BoolAttr::get(context, true);
  auto unroll = LLVM::LoopUnrollAttr::get(context, /*disable=*/unrolled ? BoolAttr() : yes,
                                          /*count=*/{}, /*runtimeDisable=*/{},
                                          /*full=*/unrolled ? yes : BoolAttr(), {}, {}, {});
  loop->setAttr("llvm.loop_annotation",
                LLVM::LoopAnnotationAttr::get(context, {}, {}, {}, unroll, {}, {}, {}, {}, {}, {},
                                              {}, {}, {}, {}, {}));
}

void Emitter::keepRolled(scf::ForOp loop) {
  annotateLoop(loop, /*unrolled=*/false);
}

void Emitter::forLoop(int64_t count, llvm::function_ref<void(Value)> body, int64_t step) {
  if (count == step)
    return body(i32(0));
  if (TILESMITH_PLANT("register-loops-written-out")) {
    for (int64_t i = 0; i < count; i += step)
      body(i32(i));
    return;
  }
  auto loop = scf::ForOp::create(builder, loc, i32(0), i32(count), i32(step));
  if (count <= unrollLimit(numWarps))
    annotateLoop(loop, /*unrolled=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  body(loop.getInductionVar());
}

void Emitter::rolledLoop(int64_t count, llvm::function_ref<void(Value)> body) {
  if (count == 1)
    return body(i32(0));
  auto loop = scf::ForOp::create(builder, loc, i32(0), i32(count), i32(1));
  keepRolled(loop);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  body(loop.getInductionVar());
}

SmallVector<Value>
Emitter::forLoop(Value begin, Value end, Value step, ValueRange inits,
                 llvm::function_ref<SmallVector<Value>(Value, ValueRange)> body) {
  auto loop = scf::ForOp::create(builder, loc, begin, end, step, inits);
  OpBuilder::InsertionGuard guard(builder);
  if (inits.empty())
    builder.setInsertionPointToStart(loop.getBody()); // the implicit yield stays last
  else
    builder.setInsertionPointToEnd(loop.getBody());
  SmallVector<Value> yielded = body(loop.getInductionVar(), loop.getRegionIterArgs());
  if (!inits.empty())
    scf::YieldOp::create(builder, loc, yielded);
  return SmallVector<Value>(loop.getResults());
}

SmallVector<Value>
Emitter::unrolledLoop(int64_t begin, int64_t end, int64_t step, ValueRange inits,
                      llvm::function_ref<SmallVector<Value>(Value, ValueRange)> body) {
  SmallVector<Value> results = forLoop(i32(begin), i32(end), i32(step), inits, body);
  if ((end - begin) / step <= unrollLimit(numWarps) && !results.empty())
    annotateLoop(results.front().getDefiningOp<scf::ForOp>(), /*unrolled=*/true);
  return results;
}

void Emitter::when(Value condition, llvm::function_ref<void()> body) {
  if (!condition)
    return body();
  auto branch = scf::IfOp::create(builder, loc, condition, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&branch.getThenRegion().front());
  body();
}

void Emitter::when(Value condition, llvm::function_ref<void()> yes, llvm::function_ref<void()> no) {
  if (!condition)
    return yes();
  auto branch = scf::IfOp::create(builder, loc, condition, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&branch.getThenRegion().front());
  yes();
  builder.setInsertionPointToStart(&branch.getElseRegion().front());
  no();
}

Value Emitter::choose(Value condition, Type type, llvm::function_ref<Value()> yes,
                      llvm::function_ref<Value()> no) {
  if (!condition)
    return yes();
  auto branch =
      scf::IfOp::create(builder, loc, TypeRange{type}, condition, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(&branch.getThenRegion().front());
  scf::YieldOp::create(builder, loc, yes());
  builder.setInsertionPointToEnd(&branch.getElseRegion().front());
  scf::YieldOp::create(builder, loc, no());
  return branch.getResult(0);
}

void Emitter::barrier() {
  if (agentBarrier)
    NVVM::BarrierOp::create(builder, loc, TypeRange(), i32(agentBarrier), i32(32 * numWarps),
                            NVVM::BarrierReductionAttr(), Value());
  else
    gpu::BarrierOp::create(builder, loc);
}

LogicalResult Emitter::emitAgent(unsigned agent, unsigned first, unsigned warps,
                                 llvm::function_ref<LogicalResult()> body) {
  // Everything that depends on the thread's number is computed anew.
  auto saved = std::make_tuple(threadId, warpId, numWarps, agentBarrier);
  llvm::DenseMap<LayoutAttr, Value> offsets, owned;
  std::swap(offsets, threadOffsets);
  std::swap(owned, owners);
  inEntry([&] {
    if (first) {
      threadId = arith::SubIOp::create(builder, loc, threadId, i32(32 * first));
      warpId = arith::SubIOp::create(builder, loc, warpId, i32(first));
    }
  });
  numWarps = warps;
  agentBarrier = agent + 1;
  LogicalResult status = body();
  std::tie(threadId, warpId, numWarps, agentBarrier) = saved;
  std::swap(offsets, threadOffsets);
  std::swap(owned, owners);
  return status;
}

Value Emitter::makeCounter() {
  return inEntry([&]() -> Value {
    Type word = builder.getI32Type();
    Value counter = LLVM::AllocaOp::create(
        builder, loc, LLVM::LLVMPointerType::get(builder.getContext()), word, i32(1));
    LLVM::StoreOp::create(builder, loc, i32(0), counter);
    return counter;
  });
}

Value Emitter::shuffleXor(Value value, unsigned mask) {
  return shuffleWords(value, [&](Value part) -> Value {
    return gpu::ShuffleOp::create(builder, loc, part, i32(mask), i32(32), gpu::ShuffleMode::XOR)
        .getShuffleResult();
  });
}

Value Emitter::shuffleFrom(Value value, Value lane) {
  return shuffleWords(value, [&](Value part) -> Value {
    return gpu::ShuffleOp::create(builder, loc, part, lane, i32(32), gpu::ShuffleMode::IDX)
        .getShuffleResult();
  });
}

Value Emitter::shuffleWords(Value value, llvm::function_ref<Value(Value)> shuffle) {
  Type type = value.getType(), word = builder.getI32Type();
  unsigned bits = isa<LLVM::LLVMPointerType>(type) ? 64 : type.getIntOrFloatBitWidth();
  Type integer = builder.getIntegerType(bits);
  Value raw = value;
  if (isa<LLVM::LLVMPointerType>(type))
    raw = LLVM::PtrToIntOp::create(builder, loc, integer, value);
  else if (isa<FloatType>(type))
    raw = arith::BitcastOp::create(builder, loc, integer, value);
  Value moved;
  if (bits <= 32) {
    moved = shuffle(bits == 32 ? raw : Value(arith::ExtUIOp::create(builder, loc, word, raw)));
    if (bits < 32)
      moved = arith::TruncIOp::create(builder, loc, integer, moved);
  } else {
    Value low = shuffle(arith::TruncIOp::create(builder, loc, word, raw));
    Value high = shuffle(arith::TruncIOp::create(
        builder, loc, word, arith::ShRUIOp::create(builder, loc, raw, i64(32))));
    Value wideLow = arith::ExtUIOp::create(builder, loc, integer, low);
    Value wideHigh = arith::ExtUIOp::create(builder, loc, integer, high);
    wideHigh = arith::ShLIOp::create(builder, loc, wideHigh, i64(32));
    moved = isa<IntegerType>(type) && TILESMITH_PLANT("shuffle-drops-high-word")
                ? wideLow
                : arith::OrIOp::create(builder, loc, wideLow, wideHigh).getResult();
  }
  if (isa<LLVM::LLVMPointerType>(type))
    return LLVM::IntToPtrOp::create(builder, loc, type, moved);
  return isa<FloatType>(type) ? Value(arith::BitcastOp::create(builder, loc, type, moved)) : moved;
}

//===- layouts ------------------------------------------------------------------------------------===//

Value Emitter::threadIndex() {
  return threadId;
}
Value Emitter::laneIndex() {
  return laneId;
}
Value Emitter::warpIndex() {
  return warpId;
}

Value Emitter::linear(Value index, ArrayRef<int64_t> bases) {
  Value result;
  int64_t seen = 0;
  bool disjoint = true;
  for (int64_t basis : bases) {
    disjoint &= (seen & basis) == 0;
    seen |= basis;
  }
  for (size_t bit = 0; bit < bases.size();) {
    if (bases[bit] == 0) {
      ++bit;
      continue;
    }
    // A run of bits whose bases double is one shifted field, provided the first basis is a power of
    // two.
    size_t end = bit + 1;
    while (llvm::isPowerOf2_64(bases[bit]) && end < bases.size() &&
           bases[end] == 2 * bases[end - 1])
      ++end;
    Value field = index;
    if (bit != 0)
      field = arith::ShRUIOp::create(builder, loc, field, i32(bit));
    field = arith::AndIOp::create(builder, loc, field, i32((int64_t(1) << (end - bit)) - 1));
    if (bases[bit] != 1)
      field = mul(field, i32(bases[bit]));
    if (!result)
      result = field;
    else if (disjoint)
      result = add(result, field);
    else
      result = arith::XOrIOp::create(builder, loc, result, field);
    bit = end;
  }
  return result ? result : i32(0);
}

Value Emitter::threadOffset(LayoutAttr layout) {
  Value &offset = threadOffsets[layout];
  if (!offset)
    offset = inEntry([&]() -> Value {
      return arith::XOrIOp::create(builder, loc, linear(laneId, layout.getLanes()),
                                   linear(warpId, layout.getWarps()));
    });
  return offset;
}

Value Emitter::position(LayoutAttr layout, Value index) {
  Value own = threadOffset(layout);
  return arith::XOrIOp::create(builder, loc, own, linear(index, layout.getRegisters()));
}

SmallVector<Value> Emitter::coordinates(Value position, ArrayRef<int64_t> shape) {
  SmallVector<Value> result(shape.size());
  int64_t shift = 0;
  for (int64_t dim = static_cast<int64_t>(shape.size()) - 1; dim >= 0; --dim) {
    if (shape[dim] == 1) {
      result[dim] = i32(0);
      continue;
    }
    Value part =
        shift ? Value(arith::ShRUIOp::create(builder, loc, position, i32(shift))) : position;
    result[dim] = arith::AndIOp::create(builder, loc, part, i32(shape[dim] - 1));
    shift += llvm::Log2_64(shape[dim]);
  }
  return result;
}

Value Emitter::ownerThread(LayoutAttr layout) {
  LinearLayout linear = layout.toLinear();
  int64_t lanes = linear.freeMask(InDim::Lane), warps = linear.freeMask(InDim::Warp);
  if (!lanes && !warps)
    return {};
  Value &owner = owners[layout];
  if (!owner)
    owner = inEntry([&]() -> Value {
      Value bits = arith::AndIOp::create(builder, loc, threadId, i32(lanes | (warps << 5)));
      return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, bits, i32(0));
    });
  return owner;
}

Value Emitter::ownerRegister(LayoutAttr layout, Value index) {
  int64_t mask = layout.toLinear().freeMask(InDim::Register);
  if (!mask)
    return {};
  Value bits = arith::AndIOp::create(builder, loc, index, i32(mask));
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, bits, i32(0));
}

//===- memory -------------------------------------------------------------------------------------===//

Value Emitter::elementPointer(Value base, Type element, Value index) {
  return LLVM::GEPOp::create(builder, loc, base.getType(), element, base,
                             ArrayRef<LLVM::GEPArg>{index});
}

Value Emitter::load(Value pointer, Type element) {
  return LLVM::LoadOp::create(builder, loc, element, pointer);
}

void Emitter::store(Value value, Value pointer) {
  LLVM::StoreOp::create(builder, loc, value, pointer);
}

/// The elements in the form registers hold them: 8-bit floats as i8, tf32 as f32.
static DenseElementsAttr registerForm(DenseElementsAttr value, Type element) {
  auto shape = RankedTensorType::get({value.getNumElements()}, element);
  unsigned width = element.getIntOrFloatBitWidth();
  // The same bytes: a million elements must not become a million attributes.
  if (width >= 8 && width == value.getElementType().getIntOrFloatBitWidth() && !value.isSplat())
    return DenseElementsAttr::getFromRawBuffer(shape, value.getRawData());
  SmallVector<Attribute> elements;
  for (Attribute attribute : value.getValues<Attribute>()) {
    if (auto real = dyn_cast<FloatAttr>(attribute); real && real.getType() != element) {
      APFloat number = real.getValue();
      bool lossy;
      if (element.isF32()) {
        number.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &lossy);
        elements.push_back(FloatAttr::get(element, number));
      } else {
        elements.push_back(IntegerAttr::get(element, number.bitcastToAPInt().zext(8)));
      }
      continue;
    }
    elements.push_back(attribute);
  }
  return DenseElementsAttr::get(shape, elements);
}

FailureOr<Value> Emitter::constantTable(Operation *op, DenseElementsAttr value, Type element) {
  MLIRContext *context = builder.getContext();
  auto type = LLVM::LLVMArrayType::get(element, value.getNumElements());
  auto module = function->getParentOfType<gpu::GPUModuleOp>();
  std::string name;
  do // a global of the program may have the name
    name = (Twine("constant_") + function.getName() + "_" + Twine(numTables++)).str();
  while (module.lookupSymbol(name));
  if (TILESMITH_PLANT("tables-named-by-address"))
    name += "_" + llvm::utohexstr(reinterpret_cast<uintptr_t>(op));
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&module.getBodyRegion().front());
    LLVM::GlobalOp::create(builder, loc, type, /*isConstant=*/true, LLVM::Linkage::Internal, name,
                           registerForm(value, element), /*alignment=*/16, /*addrSpace=*/1);
  }
  return Value(
      LLVM::AddressOfOp::create(builder, loc, LLVM::LLVMPointerType::get(context, 1), name));
}

Value Emitter::adaptPointer(Value pointer) {
  Type wanted = LLVM::LLVMPointerType::get(builder.getContext(), pointerSpace);
  if (pointer.getType() == wanted)
    return pointer;
  return LLVM::AddrSpaceCastOp::create(builder, loc, wanted, pointer);
}

Value Emitter::scratch(int64_t byteOffset, int64_t end) {
  int64_t first = scratchBase();
  return sharedRange(first + byteOffset, first + end);
}

Value Emitter::staging(int64_t bytes) {
  int64_t first = llvm::alignTo(stagingBase(), kBufferAlignment);
  return sharedRange(first, first + bytes);
}

Value Emitter::sharedRange(int64_t first, int64_t end) {
  sharedBytes = std::max(sharedBytes, end);
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext(), 3);
  Value base = LLVM::AddressOfOp::create(builder, loc, pointer, "global_smem");
  nvgpu_ext::setReach(base.getDefiningOp(), builder.getDenseI64ArrayAttr({first, end}));
  return first ? elementPointer(base, builder.getI8Type(), i32(first)) : base;
}
