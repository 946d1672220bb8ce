//===- TokenOrderRules.cpp - memory that the block goes on working with -----------------------===//
//
// Regions of arrays and globals, and allocas, that one block owns: loads, stores and atomics on
// them form a graph of tokens (Chain): a write comes after all accesses since the last write, reads
// after that write are independent of each other.
//
// Needs: depth 0, because a token of a region cannot be used outside; loops and conditionals over
// such memory carry the token themselves. Promises: conflicting accesses of the block are ordered,
// the elements of one access are distinct, nothing is read before it was written.
//
//===------------------------------------------------------------------------------------------===//
#include "generators/program/Access.h"
#include "generators/program/Rules.h"
#include "generators/program/TurnLoop.h"

using namespace tilesmith;
using namespace tilesmith::generators;

namespace {

constexpr size_t kMaxOwned = 3;

Facts anyOf(mlir::Type element) {
  Facts facts;
  if (isInt(element))
    facts.range = Range::full(widthOf(element));
  return facts;
}

/// A pointer to other memory, if there is any of that type.
mlir::Value otherMemory(const KernelBuilder &k, mlir::Value base) {
  mlir::Value other = base;
  for (const Owned &owned : k.owned)
    if (owned.base.getType() == base.getType())
      other = owned.base;
  return other;
}

/// The pointer behind a loop that began with one to other memory.
mlir::Value carriedByLoop(KernelBuilder &k, ChoiceStream &s, mlir::Value base) {
  mlir::Value other = otherMemory(k, base);
  mlir::OpBuilder &b = k.builder();
  auto loop = TurnLoop(k, s, s.between(1, 3), {other, base}).op();
  mlir::OpBuilder::InsertionGuard guard(b);
  k.openBody(loop);
  cuda_tile::ContinueOp::create(
      b, k.loc(), mlir::ValueRange{loop.getRegionIterVar(1), loop.getRegionIterVar(1)});
  return loop->getResult(s.below(2));
}

/// The same behind a `loop`, which ends when a counter says so.
mlir::Value carriedByOpenLoop(KernelBuilder &k, ChoiceStream &s, mlir::Value base) {
  mlir::Value other = otherMemory(k, base);
  mlir::OpBuilder &b = k.builder();
  cuda_tile::TileType i32 = k.scalarType(k.intType(32));
  mlir::OperationState state(k.loc(), cuda_tile::LoopOp::getOperationName());
  state.addOperands({k.intConstant(i32, 0).ssa, other});
  state.addTypes(base.getType());
  mlir::Block *body = new mlir::Block();
  state.addRegion()->push_back(body);
  body->addArguments({i32, base.getType()}, {k.loc(), k.loc()});
  {
    mlir::OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(body);
    mlir::Value trips = k.intConstant(i32, static_cast<Int>(s.between(1, 3))).ssa;
    mlir::Value done =
        cuda_tile::CmpIOp::create(b, k.loc(), k.scalarType(k.intType(1)),
                                  cuda_tile::ComparisonPredicate::GREATER_THAN_OR_EQUAL,
                                  body->getArgument(0), trips, cuda_tile::Signedness::Signed);
    k.addIf(done, [&] {
      cuda_tile::BreakOp::create(b, k.loc(), mlir::ValueRange{body->getArgument(1)});
    });
    mlir::Value count =
        cuda_tile::AddIOp::create(b, k.loc(), i32, body->getArgument(0), k.intConstant(i32, 1).ssa,
                                  cuda_tile::IntegerOverflow::NSW);
    cuda_tile::ContinueOp::create(b, k.loc(), mlir::ValueRange{count, base});
  }
  return b.create(state)->getResult(0);
}

/// The memory's base, maybe by another way than before: whoever reorders accesses has to find out
/// that this is the same memory.
mlir::Value baseOf(KernelBuilder &k, ChoiceStream &s, Owned &owned, unsigned percent = 35) {
  if (!s.chance(percent))
    return owned.base;
  mlir::Value base = owned.base;
  if (owned.array && s.chance(60)) {
    base = k.addSecondPointer(*owned.array);
    k.note("second-pointer");
  }
  mlir::OpBuilder &b = k.builder();
  switch (s.below(6)) {
  case 0:
    k.note("carried-pointer");
    return carriedByLoop(k, s, base);
  case 1: {
    k.note("selected-pointer");
    mlir::Value which = k.use(s, k.scalarType(k.intType(1))).ssa;
    return cuda_tile::SelectOp::create(b, k.loc(), base.getType(), which, base, owned.base);
  }
  case 2: {
    mlir::Value number =
        k.emit<cuda_tile::PtrToIntOp>(k.scalarType(k.intType(64)), base).getResult();
    return k.emit<cuda_tile::IntToPtrOp>(base.getType(), number).getResult();
  }
  case 4:
    k.note("carried-pointer-open");
    return carriedByOpenLoop(k, s, base);
  case 3: { // there and back
    cuda_tile::TileType i64 = k.scalarType(k.intType(64));
    Int far = s.between(1, 4096);
    mlir::Value there = pointersAt(k, base, k.intConstant(i64, far).ssa);
    return pointersAt(k, there, k.intConstant(i64, -far).ssa);
  }
  default:
    return base;
  }
}

mlir::Value pointersOf(KernelBuilder &k, ChoiceStream &s, Owned &owned, unsigned percent = 35) {
  return ownElements(k, s, baseOf(k, s, owned, percent), owned.count, owned.isPrivate);
}

/// A rank-1 tile of the memory's element type and size.
TileValue valueFor(KernelBuilder &k, ChoiceStream &s, Owned &owned) {
  return k.use(s, k.tileType({owned.count}, owned.element));
}

mlir::Value maybeMask(KernelBuilder &k, ChoiceStream &s, int64_t count, unsigned percent) {
  if (!s.chance(percent))
    return {};
  return k.use(s, k.tileType({count}, k.intType(1))).ssa;
}

int64_t chooseCount(ChoiceStream &s) {
  return int64_t(1) << s.between(0, 7);
}

/// What globals and arrays hold.
mlir::Type chooseElement(KernelBuilder &k, ChoiceStream &s) {
  return s.chance(18) ? k.pickStorage(s, false) : k.pickElement(s, Kind::Any);
}

bool addRegion(KernelBuilder &k, ChoiceStream &s, mlir::Type element = {}) {
  Owned owned;
  owned.element = element ? element : chooseElement(k, s);
  owned.count = chooseCount(s);
  ArrayInfo &array = k.addFlatArray(owned.element, owned.count * k.blockCount(), /*output=*/true);
  owned.base = array.base;
  owned.array = &array;
  k.owned.push_back(owned);
  return true;
}

/// A variable global with an initial value.
bool addGlobal(KernelBuilder &k, ChoiceStream &s) {
  Owned owned;
  owned.element = chooseElement(k, s);
  owned.count = chooseCount(s);
  int64_t blocks = 1; // extents of tiles are powers of two
  while (blocks < k.blockCount())
    blocks *= 2;
  owned.base = makeGlobal(k, s, owned.element, owned.count * blocks, /*constant=*/false);
  k.owned.push_back(owned);
  return true;
}

/// An alloca, filled at once.
bool addAlloca(KernelBuilder &k, ChoiceStream &s, mlir::Type element = {}) {
  if (k.version() < 3)
    return false;
  Owned owned;
  owned.element = element ? element : chooseElement(k, s);
  owned.count = chooseCount(s);
  owned.isPrivate = true;
  mlir::OpBuilder &b = k.builder();
  int64_t alignment = int64_t(testcase::sizeInBytes(dataTypeOf(owned.element))) << s.below(5);
  llvm::SmallVector<mlir::NamedAttribute> attributes = {
      k.attr("num_elem", b.getI64IntegerAttr(owned.count)),
      k.attr("alignment", b.getI64IntegerAttr(alignment))};
  owned.base = k.emit<cuda_tile::AllocaOp>(k.scalarType(cuda_tile::PointerType::get(owned.element)),
                                           {}, attributes)
                   .getResult();
  k.note("alloca");
  mlir::Value value = valueFor(k, s, owned).ssa, pointers = pointersOf(k, s, owned);
  owned.chain.wrote(storePointers(k, s, pointers, value, {}, {}));
  k.owned.push_back(owned);
  return true;
}

Owned *choose(KernelBuilder &k, ChoiceStream &s) {
  if (k.depth > 0)
    return nullptr;
  if (k.owned.empty() || (k.owned.size() < kMaxOwned && s.chance(25)))
    switch (s.below(5)) {
    case 0:
      addGlobal(k, s);
      break;
    case 1:
    case 2:
      if (addAlloca(k, s))
        break;
      [[fallthrough]];
    default:
      addRegion(k, s);
    }
  return &k.owned[s.below(k.owned.size())];
}

/// The token that a read takes, maybe joined with one that orders nothing.
mlir::Value tokenForRead(KernelBuilder &k, ChoiceStream &s, const Chain &chain) {
  mlir::Value before = chain.beforeRead();
  if (!before || !s.chance(25))
    return before;
  return joinedWithFreshToken(k, s, before);
}

/// The block's elements as a view, in their order in memory. Pointers take them in another one, so
/// that a missing token shows between the two.
mlir::Value viewOf(KernelBuilder &k, ChoiceStream &s, Owned &owned,
                   llvm::SmallVectorImpl<mlir::Value> &indices) {
  int64_t blocks = owned.isPrivate ? 1 : k.blockCount();
  mlir::Value base = baseOf(k, s, owned);
  auto pointer = llvm::cast<cuda_tile::TileType>(base.getType()).getElementType();
  auto tensorType =
      cuda_tile::TensorViewType::get(&k.context(), owned.element, {owned.count * blocks}, {1},
                                     llvm::cast<cuda_tile::PointerType>(pointer).getPtrAttr());
  mlir::Value tensor = cuda_tile::MakeTensorViewOp::create(k.builder(), k.loc(), tensorType, base,
                                                           mlir::ValueRange{}, mlir::ValueRange{});
  auto viewType = cuda_tile::PartitionViewType::get(
      &k.context(), mlir::DenseI32ArrayAttr::get(&k.context(), {static_cast<int32_t>(owned.count)}),
      tensorType, {0}, cuda_tile::PaddingValueAttr());
  indices.push_back(owned.isPrivate ? k.intConstant(k.scalarType(k.intType(32)), 0).ssa
                                    : k.blockNumber().ssa);
  k.note("owned-view");
  return cuda_tile::MakePartitionViewOp::create(k.builder(), k.loc(), viewType, tensor);
}

bool applyLoad(KernelBuilder &k, ChoiceStream &s) {
  Owned *owned = choose(k, s);
  if (!owned)
    return false;
  cuda_tile::TileType type = k.tileType({owned->count}, owned->element);
  if (s.chance(30)) {
    llvm::SmallVector<mlir::Value, 1> indices;
    mlir::Value view = viewOf(k, s, *owned, indices);
    Loaded loaded = loadView(k, s, type, view, indices, tokenForRead(k, s, owned->chain));
    owned->chain.reads.push_back(loaded.token);
    k.define(loaded.tile, anyOf(owned->element));
    return true;
  }
  mlir::Value mask = maybeMask(k, s, owned->count, 25), padding;
  if (mask)
    padding = k.use(s, type).ssa;
  mlir::Value pointers = pointersOf(k, s, *owned);
  Loaded loaded =
      loadPointers(k, s, type, pointers, mask, padding, tokenForRead(k, s, owned->chain));
  owned->chain.reads.push_back(loaded.token);
  k.define(loaded.tile, anyOf(owned->element));
  return true;
}

bool applyStore(KernelBuilder &k, ChoiceStream &s) {
  Owned *owned = choose(k, s);
  if (!owned)
    return false;
  mlir::Value value = valueFor(k, s, *owned).ssa;
  if (s.chance(30)) {
    llvm::SmallVector<mlir::Value, 1> indices;
    mlir::Value view = viewOf(k, s, *owned, indices);
    owned->chain.wrote(storeView(k, s, value, view, indices, owned->chain.beforeWrite(k)));
    return true;
  }
  mlir::Value mask = maybeMask(k, s, owned->count, 30), pointers = pointersOf(k, s, *owned);
  owned->chain.wrote(storePointers(k, s, pointers, value, mask, owned->chain.beforeWrite(k)));
  return true;
}

/// Written and read back, each by a pointer of another origin, beside memory that is other memory
/// for sure: elements move between threads, so that a read before the write shows.
bool applyAliases(KernelBuilder &k, ChoiceStream &s) {
  if (k.depth > 0)
    return false;
  mlir::Type element; // mostly one for all, so that their pointers have one type
  if (!k.owned.empty() && s.chance(80))
    element = k.owned.back().element;
  if (llvm::none_of(k.owned, [](const Owned &owned) { return owned.isPrivate; }) &&
      k.owned.size() < kMaxOwned && addAlloca(k, s, element) && s.chance(80))
    element = k.owned.back().element;
  if (k.owned.size() < kMaxOwned && s.chance(60))
    addRegion(k, s, element);
  if (k.owned.empty())
    return false;
  Owned &owned = k.owned[k.owned.size() - 1 - s.below(std::min<size_t>(2, k.owned.size()))];
  cuda_tile::TileType type = k.tileType({owned.count}, owned.element);
  for (uint64_t turns = 1 + s.below(2); turns > 0; --turns) {
    mlir::Value value = valueFor(k, s, owned).ssa, target = pointersOf(k, s, owned, 50);
    owned.chain.wrote(storePointers(k, s, target, value, {}, owned.chain.beforeWrite(k)));
    Loaded loaded = loadPointers(k, s, type, pointersOf(k, s, owned, 80), {}, {},
                                 tokenForRead(k, s, owned.chain));
    owned.chain.reads.push_back(loaded.token);
    k.define(loaded.tile, anyOf(owned.element));
  }
  return true;
}

/// One element that data chooses, stored or not as a scalar says.
bool applyScalarStore(KernelBuilder &k, ChoiceStream &s) {
  Owned *owned = choose(k, s);
  if (!owned)
    return false;
  mlir::OpBuilder &b = k.builder();
  cuda_tile::TileType i32 = k.scalarType(k.intType(32));
  mlir::Value count = k.intConstant(i32, owned->count).ssa;
  mlir::Value at = cuda_tile::RemIOp::create(b, k.loc(), i32, k.use(s, i32).ssa, count,
                                             cuda_tile::Signedness::Unsigned);
  if (!owned->isPrivate) {
    mlir::Value start = cuda_tile::MulIOp::create(b, k.loc(), i32, k.blockNumber().ssa, count,
                                                  cuda_tile::IntegerOverflow::NONE);
    at = cuda_tile::AddIOp::create(b, k.loc(), i32, at, start, cuda_tile::IntegerOverflow::NONE);
  }
  mlir::Value pointer = pointersAt(k, owned->base, at);
  mlir::Value value = k.use(s, k.scalarType(owned->element)).ssa;
  mlir::Value mask = s.chance(70) ? k.use(s, k.scalarType(k.intType(1))).ssa : mlir::Value();
  owned->chain.wrote(storePointers(k, s, pointer, value, mask, owned->chain.beforeWrite(k)));
  return true;
}

/// Compare and swap of floats compares bits, so memory and comparison are made of small integers.
bool applyFloatCas(KernelBuilder &k, ChoiceStream &s, Owned &owned) {
  cuda_tile::TileType type = k.tileType({owned.count}, owned.element);
  mlir::Value first = smallFloats(k, s, type), all = pointersOf(k, s, owned);
  mlir::Value filled = storePointers(k, s, all, first, {}, owned.chain.beforeWrite(k));
  mlir::Value compare = smallFloats(k, s, type), value = k.use(s, type).ssa;
  mlir::Value mask = maybeMask(k, s, owned.count, 30);
  Loaded old = atomicCas(k, s, pointersOf(k, s, owned), compare, value, mask, filled);
  owned.chain.wrote(old.token);
  k.define(old.tile, {});
  return true;
}

/// An atomic whose old values are determined, because no other block touches them.
bool applyAtomic(KernelBuilder &k, ChoiceStream &s) {
  Owned *owned = choose(k, s);
  if (!owned || widthOf(owned->element) < 32 || (owned->isPrivate && s.chance(70)))
    return false;
  if (isFloat(owned->element) && s.chance(50))
    return applyFloatCas(k, s, *owned);
  mlir::Value mask = maybeMask(k, s, owned->count, 30), pointers = pointersOf(k, s, *owned);
  using cuda_tile::AtomicRMWMode;
  static constexpr AtomicRMWMode kIntModes[] = {
      AtomicRMWMode::AND,  AtomicRMWMode::OR,   AtomicRMWMode::XOR,
      AtomicRMWMode::ADD,  AtomicRMWMode::MAX,  AtomicRMWMode::MIN,
      AtomicRMWMode::UMAX, AtomicRMWMode::UMIN, AtomicRMWMode::XCHG};
  AtomicRMWMode mode = isInt(owned->element) ? s.pick(llvm::ArrayRef<AtomicRMWMode>(kIntModes))
                                             : AtomicRMWMode::XCHG;
  cuda_tile::TileType type = k.tileType({owned->count}, owned->element);
  mlir::Value value = isInt(owned->element) && s.chance(40) ? idleUpdate(k, s, type, mode)
                                                            : valueFor(k, s, *owned).ssa;
  mlir::Value before = owned->chain.beforeWrite(k);
  Loaded old;
  if (isInt(owned->element) && s.chance(35)) {
    mlir::Value compare = valueFor(k, s, *owned).ssa;
    old = atomicCas(k, s, pointers, compare, value, mask, before);
  } else {
    old = atomicRmw(k, s, mode, pointers, value, mask, before, /*mayBeBlockScope=*/true);
    if (mask) // the old value of an element that took no part is open
      old.tile = cuda_tile::SelectOp::create(k.builder(), k.loc(), type, mask, old.tile,
                                             k.use(s, type).ssa);
  }
  owned->chain.wrote(old.token);
  k.define(old.tile, anyOf(owned->element));
  return true;
}

/// A loop that reads and writes the memory in every iteration and carries the token.
bool applyLoop(KernelBuilder &k, ChoiceStream &s) {
  Owned *owned = choose(k, s);
  if (!owned)
    return false;
  mlir::OpBuilder &b = k.builder();
  cuda_tile::TileType type = k.tileType({owned->count}, owned->element);
  mlir::Value token = owned->chain.beforeWrite(k);
  if (!token)
    token = cuda_tile::MakeTokenOp::create(b, k.loc(), cuda_tile::TokenType::get(&k.context()));
  mlir::Value carried = k.use(s, type).ssa;
  const TurnLoop counted(k, s, int64_t(s.below(5)), {token, carried});
  auto loop = counted.op();
  {
    mlir::OpBuilder::InsertionGuard guard(b);
    k.openBody(loop);
    size_t scope = k.openScope();
    k.define(counted.turn(k, s), {Range{0, 4}});
    k.define(loop.getRegionIterVar(1), anyOf(owned->element));
    Loaded old =
        loadPointers(k, s, type, pointersOf(k, s, *owned), {}, {}, loop.getRegionIterVar(0));
    k.define(old.tile, anyOf(owned->element));
    ++k.depth;
    addStatement(k, s);
    --k.depth;
    mlir::Value next = combineExactly(k, old.tile, k.use(s, type).ssa);
    mlir::Value mask = maybeMask(k, s, owned->count, 25), before = old.token;
    if (s.chance(25)) // another read that the write has to wait for
      before = cuda_tile::JoinTokensOp::create(
          b, k.loc(), token.getType(),
          mlir::ValueRange{before, loadPointers(k, s, type, pointersOf(k, s, *owned), {}, {},
                                                loop.getRegionIterVar(0))
                                       .token});
    mlir::Value after = storePointers(k, s, pointersOf(k, s, *owned), next, mask, before);
    cuda_tile::ContinueOp::create(b, k.loc(), mlir::ValueRange{after, next});
    k.closeScope(scope);
  }
  owned->chain.wrote(loop->getResult(0));
  k.define(loop->getResult(1), anyOf(owned->element));
  return true;
}

/// Where the block's elements of a memory begin.
mlir::Value ownBase(KernelBuilder &k, const Owned &owned) {
  if (owned.isPrivate)
    return owned.base;
  mlir::OpBuilder &b = k.builder();
  cuda_tile::TileType i32 = k.scalarType(k.intType(32));
  mlir::Value start = cuda_tile::MulIOp::create(b, k.loc(), i32, k.blockNumber().ssa,
                                                k.intConstant(i32, owned.count).ssa,
                                                cuda_tile::IntegerOverflow::NONE);
  return cuda_tile::OffsetOp::create(b, k.loc(), owned.base.getType(), owned.base, start);
}

/// Other memory of this type, which a loop may begin with; made where there is none. The smaller one of the two comes first.
std::pair<Owned *, Owned *> withMemoryBeside(KernelBuilder &k, ChoiceStream &s, Owned *owned) {
  if (s.chance(30))
    return {owned, nullptr};
  auto beside = [&]() -> Owned * {
    for (Owned &other : k.owned)
      if (other.base.getType() == owned->base.getType() && other.isPrivate != owned->isPrivate)
        return &other;
    return nullptr;
  };
  Owned *other = beside();
  if (!other && k.owned.size() < kMaxOwned) {
    const mlir::Type element = owned->element;
    const bool made = owned->isPrivate ? addRegion(k, s, element) : addAlloca(k, s, element);
    other = made ? beside() : nullptr;
  }
  if (other && other->count < owned->count)
    std::swap(owned, other);
  return {owned, other};
}

/// The same as a `loop`, which carries a counter and the token and leaves with the token alone; maybe also a pointer, which
/// begins in other memory and then is that to the memory that the loop writes.
bool applyOpenLoop(KernelBuilder &k, ChoiceStream &s) {
  Owned *chosen = choose(k, s);
  if (!chosen)
    return false;
  auto [owned, other] = withMemoryBeside(k, s, chosen);
  mlir::OpBuilder &b = k.builder();
  cuda_tile::TileType i32 = k.scalarType(k.intType(32));
  cuda_tile::TileType type = k.tileType({owned->count}, owned->element);
  mlir::Value token = owned->chain.beforeWrite(k);
  if (!token)
    token = cuda_tile::MakeTokenOp::create(b, k.loc(), cuda_tile::TokenType::get(&k.context()));
  mlir::Value limit = k.intConstant(i32, static_cast<Int>(s.below(4))).ssa;
  mlir::Value first, then;
  if (other) {
    k.note("open-loop-pointer");
    first = ownBase(k, *other);
    then = ownBase(k, *owned);
    if (mlir::Value written = other->chain.beforeRead())
      token = cuda_tile::JoinTokensOp::create(b, k.loc(), token.getType(),
                                              mlir::ValueRange{token, written});
  }
  mlir::OperationState state(k.loc(), cuda_tile::LoopOp::getOperationName());
  state.addOperands({k.intConstant(i32, 0).ssa, token});
  state.addTypes(token.getType());
  mlir::Block *body = new mlir::Block();
  state.addRegion()->push_back(body);
  body->addArguments({i32, token.getType()}, {k.loc(), k.loc()});
  if (other) {
    state.addOperands(first);
    body->addArgument(first.getType(), k.loc());
  }
  {
    mlir::OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(body);
    size_t scope = k.openScope();
    k.define(body->getArgument(0), {Range{0, 4}});
    auto elements = [&] {
      return other ? ownElements(k, s, body->getArgument(2), owned->count, /*isPrivate=*/true)
                   : pointersOf(k, s, *owned);
    };
    Loaded old = loadPointers(k, s, type, elements(), {}, {}, body->getArgument(1));
    mlir::Value next = combineExactly(k, old.tile, k.use(s, type).ssa);
    mlir::Value after = storePointers(k, s, pointersOf(k, s, *owned), next, {}, old.token);
    if (other) { // what was just written is read by the pointer
      Loaded again = loadPointers(k, s, type, elements(), {}, {}, after);
      next = combineExactly(k, again.tile, k.use(s, type).ssa);
      after = storePointers(k, s, pointersOf(k, s, *owned), next, {}, again.token);
    }
    mlir::Value done =
        cuda_tile::CmpIOp::create(b, k.loc(), k.scalarType(k.intType(1)),
                                  cuda_tile::ComparisonPredicate::GREATER_THAN_OR_EQUAL,
                                  body->getArgument(0), limit, cuda_tile::Signedness::Signed);
    k.addIf(done, [&] { cuda_tile::BreakOp::create(b, k.loc(), mlir::ValueRange{after}); });
    mlir::Value count =
        cuda_tile::AddIOp::create(b, k.loc(), i32, body->getArgument(0), k.intConstant(i32, 1).ssa,
                                  cuda_tile::IntegerOverflow::NSW);
    llvm::SmallVector<mlir::Value> carried{count, after};
    if (other)
      carried.push_back(then);
    cuda_tile::ContinueOp::create(b, k.loc(), carried);
    k.closeScope(scope);
  }
  mlir::Value behind = b.create(state)->getResult(0);
  owned->chain.wrote(behind);
  if (other)
    other->chain.reads.push_back(behind);
  return true;
}

/// Loops that carry nothing: what they did shows in memory alone, and a counter there ends the
/// `loop`. Each block has a region of its own; updates of one element are atomic.
bool applyIdleLoop(KernelBuilder &k, ChoiceStream &s) {
  mlir::OpBuilder &b = k.builder();
  cuda_tile::TileType i32 = k.scalarType(k.intType(32));
  int64_t count = int64_t(1) << s.below(5);
  ArrayInfo &array =
      k.addFlatArray(k.intType(32), count * k.blockCount(), /*output=*/true, Fill::SmallIntegers);
  mlir::Value limit = k.intConstant(i32, static_cast<Int>(s.between(1, 4))).ssa;
  mlir::Value one = k.intConstant(i32, 1).ssa;
  bool isFor = s.chance(50) || k.depth > 0;
  auto update = [&] {
    mlir::Value value = k.use(s, k.tileType({count}, k.intType(32))).ssa;
    atomicRmw(k, s, cuda_tile::AtomicRMWMode::ADD, ownElements(k, s, array.base, count), value, {},
              {}, /*mayBeBlockScope=*/true);
  };
  if (isFor) {
    mlir::Type element = k.intType(8u << s.below(4));
    cuda_tile::TileType index = k.scalarType(element);
    auto loop = cuda_tile::ForOp::create(b, k.loc(), k.intConstant(index, 0).ssa,
                                         k.intConstant(index, static_cast<Int>(s.below(5))).ssa,
                                         k.intConstant(index, 1).ssa, mlir::ValueRange());
    mlir::OpBuilder::InsertionGuard guard(b);
    k.openBody(loop);
    size_t scope = k.openScope();
    k.define(loop.getInductionVar(), {Range{0, 4}});
    update();
    cuda_tile::ContinueOp::create(b, k.loc(), mlir::ValueRange());
    k.closeScope(scope);
    return true;
  }
  ArrayInfo &counters = k.addFlatArray(k.intType(32), k.blockCount(), /*output=*/true, Fill::Zeros);
  mlir::Value counter = pointersAt(k, counters.base, k.blockNumber().ssa);
  mlir::OperationState state(k.loc(), cuda_tile::LoopOp::getOperationName());
  mlir::Block *body = new mlir::Block();
  state.addRegion()->push_back(body);
  {
    mlir::OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(body);
    mlir::Value before = atomicRmw(k, s, cuda_tile::AtomicRMWMode::ADD, counter, one, {}, {},
                                   /*mayBeBlockScope=*/true)
                             .tile;
    mlir::Value done =
        cuda_tile::CmpIOp::create(b, k.loc(), k.scalarType(k.intType(1)),
                                  cuda_tile::ComparisonPredicate::GREATER_THAN_OR_EQUAL, before,
                                  limit, cuda_tile::Signedness::Signed);
    k.addIf(done, [&] { cuda_tile::BreakOp::create(b, k.loc(), mlir::ValueRange()); });
    size_t scope = k.openScope();
    update();
    cuda_tile::ContinueOp::create(b, k.loc(), mlir::ValueRange());
    k.closeScope(scope);
  }
  b.create(state);
  return true;
}

/// A condition under which the memory is written; both regions give a token.
bool applyIf(KernelBuilder &k, ChoiceStream &s) {
  Owned *owned = choose(k, s);
  if (!owned)
    return false;
  mlir::OpBuilder &b = k.builder();
  mlir::Value token = owned->chain.beforeWrite(k);
  if (!token)
    token = cuda_tile::MakeTokenOp::create(b, k.loc(), cuda_tile::TokenType::get(&k.context()));
  mlir::Value condition = k.use(s, k.scalarType(k.intType(1))).ssa;
  cuda_tile::TileType type = k.tileType({owned->count}, owned->element);
  mlir::OperationState state(k.loc(), cuda_tile::IfOp::getOperationName());
  state.addOperands(condition);
  state.addTypes(token.getType());
  for (int branch = 0; branch < 2; ++branch) {
    mlir::Block *block = new mlir::Block();
    state.addRegion()->push_back(block);
    mlir::OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToEnd(block);
    size_t scope = k.openScope();
    mlir::Value after = token;
    if (branch == 0 || s.chance(50)) {
      Loaded old = loadPointers(k, s, type, pointersOf(k, s, *owned), {}, {}, token);
      mlir::Value next = combineExactly(k, old.tile, k.use(s, type).ssa);
      after = storePointers(k, s, pointersOf(k, s, *owned), next, {}, old.token);
    }
    cuda_tile::YieldOp::create(b, k.loc(), mlir::ValueRange{after});
    k.closeScope(scope);
  }
  owned->chain.wrote(b.create(state)->getResult(0));
  return true;
}

} // namespace

void tilesmith::generators::loadOwned(KernelBuilder &k, ChoiceStream &s) {
  for (Owned &owned : k.owned) {
    cuda_tile::TileType type = k.tileType({owned.count}, owned.element);
    Loaded last =
        loadPointers(k, s, type, pointersOf(k, s, owned), {}, {}, owned.chain.beforeRead());
    owned.chain.reads.push_back(last.token);
    k.define(last.tile, anyOf(owned.element));
  }
}

llvm::ArrayRef<Rule> tilesmith::generators::tokenOrderRules() {
  static constexpr Rule kRules[] = {
      {"owned-load", 4, applyLoad, 1, "after the last write, independent of other reads"},
      {"owned-store", 4, applyStore, 1,
       "distinct elements, after all accesses since the last write"},
      {"owned-aliases", 3, applyAliases, 1, "pointers of several origins, after the last write"},
      {"owned-scalar-store", 2, applyScalarStore, 1,
       "inside the block's elements, after all accesses since the last write"},
      {"owned-atomic", 5, applyAtomic, 1,
       "no other block touches the elements: old values are known"},
      {"owned-loop", 2, applyLoop, 1, "the token is carried"},
      {"owned-if", 2, applyIf, 1, "the token is yielded"},
      {"owned-open-loop", 3, applyOpenLoop, 1, "the token is carried"},
      {"idle-loop", 1, applyIdleLoop, 1, "atomic updates, counted in memory"},
  };
  return kRules;
}
