//===- Exchange.cpp - layout conversions by shuffles and swizzled shared memory ---------------===//
#include "compiler/conversion/TileASToNVGPU/Exchange.h"

#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/support/Plants.h"
#include "compiler/support/SwapPlan.h"
#include "compiler/target/Targets.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas_to_nvgpu;
using tileas::LayoutAttr;

/// Of a tile that goes in rounds. Short ones free registers early.
static constexpr int64_t kRoundBytes = 16 * 1024;

std::optional<tileas::Exchange> tileas_to_nvgpu::getExchange(Operation *op) {
  tileas::ExchangeAttr plan = tileas::annotations(op).getExchangeAttrHelper().getAttr(op);
  return plan ? std::optional(plan.getValue()) : std::nullopt;
}

//===- shared memory ----------------------------------------------------------------------------===//

SharedSide::SharedSide(Emitter &e, LayoutAttr layout, const SharedTile &shared)
    : e(e), shared(shared), unit(shared.inBytes ? shared.bytes : 1),
      type(shared.inBytes ? Type(e.builder.getI8Type()) : shared.element),
      map(*getOffsetMap(layout.toLinear(), shared.layout)) {
  SmallVector<unsigned> bits = getVectorRegisters(map);
  while (!bits.empty() && (shared.bytes << bits.size()) > kMaxAccessBytes)
    bits.pop_back();
  for (int64_t i = 0; i < int64_t(1) << bits.size(); ++i) {
    int64_t member = 0;
    for (auto [at, bit] : llvm::enumerate(bits))
      member |= i >> at & 1 ? int64_t(1) << bit : 0;
    vector.push_back(member);
  }
  for (unsigned bit = 0; bit < map.registers.size(); ++bit)
    if (!llvm::is_contained(bits, bit))
      others.push_back(int64_t(1) << bit);
  for (LinearLayout::FlatBases *bases : {&map.registers, &map.lanes, &map.warps})
    for (int64_t &basis : *bases)
      basis *= unit;
  for (ArrayRef<int64_t> bases : {ArrayRef<int64_t>(map.lanes), ArrayRef<int64_t>(map.warps)})
    for (int64_t basis : bases)
      touched |= basis;
  if (map.warps.size() > 2 && TILESMITH_PLANT("exchange-forgets-third-warp-bit"))
    map.warps.truncate(2);
  threadPart = arith::XOrIOp::create(e.builder, e.loc, e.linear(e.laneIndex(), map.lanes),
                                     e.linear(e.warpIndex(), map.warps));
}

int64_t SharedSide::accesses() const {
  return int64_t(1) << others.size();
}

Value SharedSide::first(Value index) {
  return e.linear(index, others);
}

Value SharedSide::offset(Value reg) {
  return arith::XOrIOp::create(e.builder, e.loc, threadPart, e.linear(reg, map.registers));
}

/// Bases cut to the bits of `mask`.
static SmallVector<int64_t> masked(ArrayRef<int64_t> bases, int64_t mask) {
  SmallVector<int64_t> result;
  for (int64_t basis : bases)
    result.push_back(basis & mask);
  return result;
}

Value SharedSide::at(Value own, Value fixed) {
  return e.elementPointer(e.elementPointer(shared.base, type, own), type, fixed);
}

Value SharedSide::pointer(Value reg) {
  Value own = arith::XOrIOp::create(e.builder, e.loc, threadPart,
                                    e.linear(reg, masked(map.registers, touched)));
  return at(own, e.linear(reg, masked(map.registers, ~touched)));
}

std::pair<Value, Value> SharedSide::pointerInRound(Value reg, Value round, int64_t size) {
  size *= unit;
  Value high = offset(reg), own = threadPart;
  if (touched < size) {
    high = e.linear(reg, masked(map.registers, ~(size - 1))); // registers alone decide
  } else if (!TILESMITH_PLANT("exchange-rounds-keep-high-bits")) {
    own = arith::AndIOp::create(e.builder, e.loc, own, e.i32(size - 1));
  }
  high = arith::ShRUIOp::create(e.builder, e.loc, high, e.i32(llvm::Log2_64(size)));
  own = arith::XOrIOp::create(e.builder, e.loc, own,
                              e.linear(reg, masked(map.registers, touched & (size - 1))));
  Value pointer = at(own, e.linear(reg, masked(map.registers, ~touched & (size - 1))));
  return {pointer, arith::CmpIOp::create(e.builder, e.loc, arith::CmpIPredicate::eq, high, round)};
}

namespace {

struct Slot {
  Value pointer, inRound;
};

Slot slotOf(SharedSide &side, Value reg, Value round, int64_t roundSize) {
  if (!round)
    return {side.pointer(reg), {}};
  auto [pointer, inRound] = side.pointerInRound(reg, round, roundSize);
  return {pointer, inRound};
}

/// Inside vectors pointers travel as integers and truth values as bytes (vectors of i1 pack bits).
Type vectorElement(Emitter &e, Type element) {
  if (isa<LLVM::LLVMPointerType>(element))
    return e.builder.getI64Type();
  return element.isInteger(1) ? Type(e.builder.getI8Type()) : element;
}

Value toVectorElement(Emitter &e, Value value) {
  Type type = vectorElement(e, value.getType());
  if (isa<LLVM::LLVMPointerType>(value.getType()))
    return LLVM::PtrToIntOp::create(e.builder, e.loc, type, value);
  return type == value.getType() ? value
                                 : Value(arith::ExtUIOp::create(e.builder, e.loc, type, value));
}

Value fromVectorElement(Emitter &e, Value value, Type element) {
  if (isa<LLVM::LLVMPointerType>(element))
    return LLVM::IntToPtrOp::create(e.builder, e.loc, element, value);
  return element == value.getType()
             ? value
             : Value(arith::TruncIOp::create(e.builder, e.loc, element, value));
}

Value member(Emitter &e, Value first, int64_t offset) {
  return offset ? Value(arith::XOrIOp::create(e.builder, e.loc, first, e.i32(offset))) : first;
}

} // namespace

void tileas_to_nvgpu::writeShared(Emitter &e, const Tile &from, const SharedTile &to, Value round,
                                  int64_t roundSize) {
  SharedSide side(e, from.layout, to);
  ArrayRef<int64_t> members = side.members();
  int64_t count = members.size();
  e.when(e.ownerThread(from.layout), [&] {
    e.forLoop(side.accesses(), [&](Value index) {
      Value first = side.first(index);
      Slot slot = slotOf(side, first, round, roundSize);
      e.when(e.both(e.ownerRegister(from.layout, first), slot.inRound), [&] {
        if (count == 1)
          return e.store(e.loadRegister(from, first), slot.pointer);
        Type type = VectorType::get({count}, vectorElement(e, from.element));
        Value vector = LLVM::PoisonOp::create(e.builder, e.loc, type);
        for (int64_t i = 0; i < count; ++i)
          vector = LLVM::InsertElementOp::create(
              e.builder, e.loc, vector,
              toVectorElement(e, e.loadRegister(from, member(e, first, members[i]))), e.i32(i));
        LLVM::StoreOp::create(e.builder, e.loc, vector, slot.pointer, count * to.bytes);
      });
    });
  });
}

void tileas_to_nvgpu::readShared(Emitter &e, const SharedTile &from, const Tile &to, Value round,
                                 int64_t roundSize) {
  SharedSide side(e, to.layout, from);
  ArrayRef<int64_t> members = side.members();
  int64_t count = members.size();
  e.forLoop(side.accesses(), [&](Value index) {
    Value first = side.first(index);
    Slot slot = slotOf(side, first, round, roundSize);
    e.when(slot.inRound, [&] {
      if (count == 1)
        return e.storeRegister(to, first, e.load(slot.pointer, to.element));
      Type type = VectorType::get({count}, vectorElement(e, to.element));
      Value vector = LLVM::LoadOp::create(e.builder, e.loc, type, slot.pointer, count * from.bytes);
      for (int64_t i = 0; i < count; ++i) {
        Value part = LLVM::ExtractElementOp::create(e.builder, e.loc, vector, e.i32(i));
        e.storeRegister(to, member(e, first, members[i]), fromVectorElement(e, part, to.element));
      }
    });
  });
}

/// Waits until nobody reads any more what lay there before.
static void beforeReuse(Emitter &e) {
  if (!TILESMITH_PLANT("exchange-reuse-barrier-dropped"))
    e.barrier();
}

/// Once nobody reads what lay there before, all threads write; then they read.
static void betweenBarriers(Emitter &e, llvm::function_ref<void()> write,
                            llvm::function_ref<void()> read) {
  beforeReuse(e);
  write();
  if (!TILESMITH_PLANT("barrier-dropped-in-convert-layout"))
    e.barrier();
  read();
}

static void warpBarrier(Emitter &e) {
  NVVM::SyncWarpOp::create(e.builder, e.loc, e.i32(-1));
}

/// Each warp reads what it wrote itself.
static void throughOwnPiece(Emitter &e, llvm::function_ref<void()> write,
                            llvm::function_ref<void()> read) {
  write();
  if (!TILESMITH_PLANT("exchange-warp-barrier-dropped"))
    warpBarrier(e);
  read();
}

/// No element leaves its warp, which is the only one to hold it.
static bool staysInWarps(const LinearLayout &from, const LinearLayout &to) {
  return from.isInjective() && classifyConversion(from, to) == ConversionKind::WithinWarp;
}

void tileas_to_nvgpu::writeMatrices(Emitter &e, const Tile &from, Value base,
                                    const tileas::MatrixExchange &plan) {
  OpBuilder &b = e.builder;
  const tileas::LdMatrixPlan &write = plan.read;
  SmallVector<int64_t> warps(plan.offsets.getWarps());
  Value thread = arith::XOrIOp::create(b, e.loc, e.linear(e.laneIndex(), write.addressBases),
                                       e.linear(e.warpIndex(), warps));
  Type pair = VectorType::get({2}, from.element);
  const bool transposed = write.transposed != TILESMITH_PLANT("matrix-stores-straight");
  auto layout = NVVM::MMALayoutAttr::get(b.getContext(),
                                         transposed ? NVVM::MMALayout::col : NVVM::MMALayout::row);
  e.forLoop(from.layout.getNumRegisters() / write.registersPerInstruction, [&](Value group) {
    Value first = e.mul(group, e.i32(write.registersPerInstruction));
    Value offset =
        arith::XOrIOp::create(b, e.loc, thread, e.linear(first, plan.offsets.getRegisters()));
    SmallVector<Value> words;
    for (unsigned i = 0; i < write.matrices; ++i) {
      // Put together of its halves: of a word in memory LLVM would make a conversion for each half.
      Value held = LLVM::PoisonOp::create(b, e.loc, pair);
      for (int64_t half : {0, 1})
        held = LLVM::InsertElementOp::create(
            b, e.loc, held, e.loadRegister(from, e.add(first, e.i32(2 * i + half))), e.i32(half));
      words.push_back(LLVM::BitcastOp::create(b, e.loc, b.getI32Type(), held));
    }
    NVVM::StMatrixOp::create(
        b, e.loc, e.elementPointer(base, from.element, offset), words, layout,
        NVVM::LdStMatrixShapeAttr::get(b.getContext(), 8, 8),
        NVVM::LdStMatrixEltTypeAttr::get(b.getContext(), NVVM::LdStMatrixEltType::B16));
  });
}

/// Fragments of products go by matrices, where the target has them; nothing where they do not.
static std::optional<tileas::MatrixExchange> planStores(Emitter &e, const Tile &from,
                                                        const Tile &to) {
  const target::GpuTarget &gpu =
      tileaa::getTarget(e.builder.getInsertionBlock()->getParentOp()->getParentOfType<ModuleOp>());
  if (!gpu.has(target::Feature::StMatrix))
    return std::nullopt;
  return tileas::planMatrixStores(from.layout, to.layout, e.elementBytes(from.element));
}

LogicalResult tileas_to_nvgpu::emitSwizzleExchange(Emitter &e, const Tile &from, const Tile &to,
                                                   bool inBytes) {
  int64_t bytes = e.elementBytes(from.element), elements = from.layout.getNumElements();
  const bool isLarge = elements * bytes > tileas::kBytesExchangedAtOnce,
             inRounds = isLarge && elements * bytes > e.bytesLeftByReaders();
  int64_t size = inRounds ? kRoundBytes / bytes : elements;
  int64_t rounds = elements / size;
  int64_t place = isLarge ? 0 : e.nextPlace(size * bytes);
  SharedTile shared{
      isLarge && !inRounds ? e.staging(size * bytes) : e.scratch(place, place + size * bytes),
      from.element, bytes,
      searchSharedLayout(from.layout.toLinear(), to.layout.toLinear(), bytes, size), inBytes};
  const bool inWarps = staysInWarps(from.layout.toLinear(), to.layout.toLinear());
  if (inWarps)
    beforeReuse(e);
  if (std::optional<tileas::MatrixExchange> matrices;
      inWarps && rounds == 1 && (matrices = planStores(e, from, to))) {
    shared.layout = matrices->shared.toLinear();
    throughOwnPiece(
        e, [&] { writeMatrices(e, from, shared.base, *matrices); },
        [&] { readShared(e, shared, to); });
    return success();
  }
  auto exchange = [&](Value round) {
    if (inWarps && rounds > 1 && !TILESMITH_PLANT("exchange-reuse-warp-barrier-dropped"))
      warpBarrier(e);
    (inWarps ? throughOwnPiece : betweenBarriers)(
        e, [&] { writeShared(e, from, shared, round, size); },
        [&] { readShared(e, shared, to, round, size); });
  };
  if (rounds == 1)
    exchange({});
  else
    e.forLoop(rounds, exchange);
  return success();
}

void tileas_to_nvgpu::exchangeTogether(Emitter &e, ArrayRef<Tile> from, ArrayRef<Tile> to,
                                       int64_t beside,
                                       llvm::function_ref<void(int64_t, int64_t)> leave) {
  LinearLayout source = from.front().layout.toLinear(), result = to.front().layout.toLinear();
  SmallVector<int64_t> offsets;
  int64_t total = 0;
  for (const Tile &tile : from) {
    offsets.push_back(total);
    total += llvm::alignTo(tile.layout.getNumElements() * e.elementBytes(tile.element), 16);
  }
  const int64_t place = e.nextPlace(total + beside), end = place + total + beside;
  SmallVector<SharedTile, 0> shared;
  for (auto [tile, offset] : llvm::zip_equal(from, offsets)) {
    const int64_t bytes = e.elementBytes(tile.element);
    shared.push_back({e.scratch(place + offset, end), tile.element, bytes,
                      searchSharedLayout(source, result, bytes, tile.layout.getNumElements()),
                      /*inBytes=*/true});
  }
  betweenBarriers(
      e,
      [&] {
        for (auto [tile, between] : llvm::zip_equal(from, shared))
          writeShared(e, tile, between);
        if (leave)
          leave(place + total, end);
      },
      [&] {
        for (auto [between, tile] : llvm::zip_equal(shared, to))
          readShared(e, between, tile);
      });
}

LogicalResult tileas_to_nvgpu::emitMatrixExchange(Emitter &e, const Tile &from, const Tile &to) {
  int64_t bytes = e.elementBytes(from.element);
  std::optional<tileas::MatrixExchange> plan =
      tileas::planMatrixExchange(from.layout, to.layout, bytes);
  if (!plan)
    return failure();
  int64_t total = from.layout.getNumElements() * bytes, place = e.nextPlace(total);
  SharedTile shared{e.scratch(place, place + total), from.element, bytes, plan->shared.toLinear()};
  if (TILESMITH_PLANT("matrix-exchange-straight"))
    plan->read.transposed = false;
  betweenBarriers(
      e, [&] { writeShared(e, from, shared); },
      [&] { emitLdMatrix(e, to, shared.base, plan->offsets, to.element, plan->read); });
  return success();
}

//===- shuffles ---------------------------------------------------------------------------------===//

/// values[r] of the result is values[r ^ linear(index, bases)], by one stage of selects per bit.
static void permuteRegisters(Emitter &e, SmallVectorImpl<Value> &values, Value index,
                             ArrayRef<int64_t> bases) {
  for (auto [bit, basis] : llvm::enumerate(bases)) {
    if (!basis)
      continue;
    Value own = arith::AndIOp::create(e.builder, e.loc, index, e.i32(int64_t(1) << bit));
    Value swap = arith::CmpIOp::create(e.builder, e.loc, arith::CmpIPredicate::ne, own, e.i32(0));
    SmallVector<Value> moved;
    for (size_t i = 0; i < values.size(); ++i)
      moved.push_back(
          arith::SelectOp::create(e.builder, e.loc, swap, values[i ^ basis], values[i]));
    values.assign(moved.begin(), moved.end());
  }
}

/// Exchanges a bit of the register number with one of the lane: a lane keeps the registers whose bit is its own.
static void swapBits(Emitter &e, SmallVectorImpl<Value> &values, unsigned reg, unsigned lane) {
  Value own = arith::AndIOp::create(e.builder, e.loc, e.laneIndex(), e.i32(int64_t(1) << lane));
  Value isSet = arith::CmpIOp::create(e.builder, e.loc, arith::CmpIPredicate::ne, own, e.i32(0));
  auto choose = [&](Value yes, Value no) {
    return Value(arith::SelectOp::create(e.builder, e.loc, isSet, yes, no));
  };
  for (size_t low = 0; low < values.size(); ++low) {
    const size_t high = low | size_t(1) << reg;
    if (low == high)
      continue;
    Value sent = choose(values[low], values[high]);
    if (TILESMITH_PLANT("swap-sends-kept-register"))
      sent = choose(values[high], values[low]);
    Value received = e.shuffleXor(sent, 1u << lane);
    values[low] = choose(received, values[low]);
    values[high] = choose(values[high], received);
  }
}

/// Bits of registers change places with bits of lanes.
static void emitSwaps(Emitter &e, const SwapPlan &plan, const Tile &from, const Tile &to) {
  SmallVector<Value> values;
  for (int64_t i = 0; i < from.layout.getNumRegisters(); ++i)
    values.push_back(e.loadRegister(from, e.i32(i)));
  for (auto [reg, lane] : plan.swaps)
    swapBits(e, values, reg, lane);
  for (auto [index, at] : llvm::enumerate(plan.registers))
    e.storeRegister(to, e.i32(index), values[at]);
}

LogicalResult tileas_to_nvgpu::emitShuffleExchange(Emitter &e, const Tile &from, const Tile &to) {
  const LinearLayout source = from.layout.toLinear(), result = to.layout.toLinear();
  if (std::optional<SwapPlan> swaps = planSwaps(source, result);
      swaps && swaps->shuffles <= from.layout.getNumRegisters()) {
    emitSwaps(e, *swaps, from, to);
    return success();
  }
  std::optional<ShufflePlan> plan = planShuffles(source, result);
  if (!plan)
    return failure();
  SmallVector<Value> values, received;
  for (int64_t i = 0; i < plan->rounds; ++i)
    values.push_back(e.loadRegister(from, e.i32(i)));
  permuteRegisters(e, values, e.laneIndex(), plan->sendLane);
  permuteRegisters(e, values, e.warpIndex(), plan->sendWarp);
  Value lane = arith::XOrIOp::create(e.builder, e.loc, e.linear(e.laneIndex(), plan->fromLane),
                                     e.linear(e.warpIndex(), plan->fromWarp));
  auto apply = [](ArrayRef<int64_t> bases, int64_t input) {
    int64_t result = 0;
    for (auto [bit, basis] : llvm::enumerate(bases))
      result ^= input >> bit & 1 ? basis : 0;
    return result;
  };
  for (int64_t round = 0; round < plan->rounds; ++round) {
    Value source = lane;
    int64_t fixed = apply(plan->fromRound, round);
    if (fixed && !TILESMITH_PLANT("exchange-shuffle-rounds-ignored"))
      source = arith::XOrIOp::create(e.builder, e.loc, lane, e.i32(fixed));
    received.push_back(e.shuffleFrom(values[apply(plan->sendRound, round)], source));
  }
  if (!TILESMITH_PLANT("exchange-shuffle-keeps-order"))
    permuteRegisters(e, received, e.laneIndex(), plan->keepLane);
  for (int64_t i = 0; i < plan->rounds; ++i)
    e.storeRegister(to, e.i32(i), received[i]);
  return success();
}
