//===- LowerTokens.cpp - tileaa-lower-tokens: tokens to barriers ------------------------------===//
//
// The second hop of memory tokens. Runs once it is known which accesses are asynchronous (attribute
// `nv_tileaa.async = ARRIVALS : i32`; as a unit attribute, the arrivals are the `producers` of the
// created tokens that the access starts from) and how tiles lie over the threads
// (`nv_tileaa.layout`).
//
//  * A token of an asynchronous access becomes an i32 handle, (slot << 1) | parity of an mbarrier;
//    what needs its completion waits for that parity. The access gets `nv_tileaa.mbarrier = SLOT`;
//    whoever lowers it makes it arrive there.
//  * A token of a synchronous access becomes the handle it waited for, or "done" (-2). If a later
//    access must see it, one CTA barrier stands before that one; none if the memory is provably
//    disjoint, if both map the same elements to the same threads, or if a barrier already lies
//    between the two.
//  * A join waits for every input that may be pending; a single pending one is handed on.
//
// Slots come from a pool of 32 per tile block. Accesses whose handles do not live at the same time
// share a slot; when that is not enough the pass fails and nothing is changed. Before a slot is
// armed again (loops, sharing) all threads wait for its previous round, because one parity bit
// only tells neighbouring rounds apart.
//
// Invariant: after the pass no value has the token type.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/dialect/TileAA/Transforms/Passes.h"
#include "compiler/dialect/TileAA/Transforms/TokenGraph.h"
#include "compiler/target/Targets.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;

namespace tilesmith::tileaa {
#define GEN_PASS_DEF_LOWERTOKENSPASS
#include "compiler/dialect/TileAA/Transforms/Passes.h.inc"

namespace {

constexpr int32_t kDone = -2;
constexpr StringLiteral kAsync{"nv_tileaa.async"};
constexpr StringLiteral kLayout{"nv_tileaa.layout"};
constexpr StringLiteral kSlot{"nv_tileaa.mbarrier"};
constexpr StringLiteral kStorage{"__tileas_mem_token"};

bool isAsync(Operation *op) {
  return op->hasAttr(kAsync);
}

Value tokenOperand(Operation *op) {
  for (Value operand : op->getOperands())
    if (isToken(operand.getType()))
      return operand;
  return {};
}

//===------------------------------------------------------------------------------------------===//
// What is needed
//===------------------------------------------------------------------------------------------===//

/// An asynchronous access and the ops (by number) between which its handle is alive.
struct AsyncAccess {
  Operation *op;
  unsigned begin, end;
  unsigned slot = 0;
  bool rearmed = false; ///< the slot was armed before, by another access or another iteration
};

class Plan {
public:
  explicit Plan(FuncOp function) : function(function), graph(function) {
    function->walk([&](Operation *op) { number[op] = number.size(); });
  }

  LogicalResult make() {
    function->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isAsync(op))
        accesses.push_back(measure(op));
    });
    if (failed(assignSlots()))
      return failure();
    function->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (llvm::isa<MemoryOpInterface>(op) && needsBarrier(op))
        barriers.insert(op);
    });
    return success();
  }

  /// An asynchronous access is under way behind this token, as far as ops outside of control flow
  /// tell. A join of two such tokens waits, so nothing is pending behind it.
  static bool isSurelyPending(Value token) {
    Operation *op = token.getDefiningOp();
    if (!op || !getCarriedSources(token).empty())
      return false;
    if (isAsync(op))
      return true;
    if (llvm::isa<JoinMemTokenOp>(op))
      return llvm::count_if(op->getOperands(), isSurelyPending) == 1;
    Value before = tokenOperand(op);
    return before && isSurelyPending(before);
  }
  static bool isWaitingJoin(Operation *op) {
    return llvm::isa<JoinMemTokenOp>(op) && llvm::count_if(op->getOperands(), isSurelyPending) > 1;
  }

  /// Some asynchronous access may still be under way behind this token.
  bool mayBePending(Value token) {
    llvm::SmallSetVector<Value, 16> work;
    work.insert(token);
    for (size_t i = 0; i < work.size(); ++i) {
      SmallVector<Value> sources = getCarriedSources(work[i]);
      work.insert(sources.begin(), sources.end());
      Operation *op = work[i].getDefiningOp();
      if (!op || !sources.empty())
        continue;
      if (isAsync(op))
        return true;
      if (isWaitingJoin(op))
        continue;
      for (Value operand : op->getOperands())
        if (isToken(operand.getType()))
          work.insert(operand);
    }
    return false;
  }

  /// The op must see what an asynchronous access before it did. An asynchronous op hands on only
  /// its own completion, so it waits in any case.
  bool needsWait(Operation *op) {
    Value token = tokenOperand(op);
    if (!token || !mayBePending(token))
      return false;
    if (isAsync(op))
      return true;
    return llvm::any_of(graph.getPredecessors(op), [&](Operation *before) {
      return isAsync(before) && graph.hasHazard(before, op);
    });
  }

  /// What the attribute says, or without a number the producers of the tokens that the access
  /// starts from.
  int32_t arrivalsOf(Operation *op) {
    if (auto count = op->getAttrOfType<IntegerAttr>(kAsync))
      return count.getInt();
    int32_t producers = 1;
    llvm::SmallSetVector<Value, 8> work;
    if (Value token = tokenOperand(op))
      work.insert(token);
    for (size_t i = 0; i < work.size(); ++i) {
      SmallVector<Value> sources = getCarriedSources(work[i]);
      work.insert(sources.begin(), sources.end());
      if (auto create = work[i].getDefiningOp<CreateMemTokenOp>())
        producers = std::max<int32_t>(producers, create.getProducersAttr().getInt());
      else if (auto join = work[i].getDefiningOp<JoinMemTokenOp>())
        work.insert(join.getTokens().begin(), join.getTokens().end());
    }
    return producers;
  }

  SmallVector<AsyncAccess> accesses;
  llvm::SmallPtrSet<Operation *, 16> barriers; ///< ops that a CTA barrier stands before
  unsigned slots = 0;

private:
  /// The op, widened to its outermost loop.
  std::pair<unsigned, unsigned> rangeOf(Operation *op) {
    Operation *outermost = op;
    for (Operation *parent = op; parent != function; parent = parent->getParentOp())
      if (llvm::isa<scf::ForOp, scf::WhileOp>(parent))
        outermost = parent;
    unsigned low = number[outermost], high = number[outermost];
    outermost->walk([&](Operation *inner) {
      low = std::min(low, number[inner]);
      high = std::max(high, number[inner]);
    });
    return {low, high};
  }

  AsyncAccess measure(Operation *op) {
    auto [begin, end] = rangeOf(op);
    AsyncAccess access{op, begin, end};
    access.rearmed = isInLoop(op);
    llvm::SmallSetVector<Operation *, 16> users;
    function->walk([&](Operation *other) {
      if (other != op && graph.getPredecessors(other).contains(op))
        users.insert(other);
    });
    for (Operation *user : users)
      access.end = std::max(access.end, rangeOf(user).second);
    return access;
  }

  static bool isInLoop(Operation *op) {
    return op->getParentOfType<scf::ForOp>() || op->getParentOfType<scf::WhileOp>();
  }

  /// First fit in the order of the beginnings.
  LogicalResult assignSlots() {
    llvm::sort(accesses, [&](const AsyncAccess &a, const AsyncAccess &b) {
      return std::pair(a.begin, number[a.op]) < std::pair(b.begin, number[b.op]);
    });
    SmallVector<unsigned> freeFrom; // per slot: the end of its latest access
    for (AsyncAccess &access : accesses) {
      unsigned slot = 0;
      while (slot < freeFrom.size() && freeFrom[slot] >= access.begin)
        ++slot;
      if (slot == freeFrom.size())
        freeFrom.push_back(0);
      else
        access.rearmed = true;
      access.slot = slot;
      freeFrom[slot] = access.end;
    }
    slots = freeFrom.size();
    if (slots <= kTokenPoolSize)
      return success();
    InFlightDiagnostic diagnostic = accesses.back().op->emitError("failed to init mbarrier");
    diagnostic.attachNote(function.getLoc())
        << "a tile block has " << kTokenPoolSize << " mbarriers for tokens, this function needs "
        << slots << " at the same time";
    return failure();
  }

  /// Both map the same elements to the same threads.
  static bool hasSameThreads(Operation *a, Operation *b) {
    auto first = llvm::dyn_cast<MemoryOpInterface>(a),
         second = llvm::dyn_cast<MemoryOpInterface>(b);
    Attribute layout = a->getAttr(kLayout);
    if (!first || !second || !layout || layout != b->getAttr(kLayout) ||
        first.getAccessedObject() != second.getAccessedObject())
      return false;
    // Views: also the same tile.
    auto indices = [](Operation *op) {
      return llvm::TypeSwitch<Operation *, SmallVector<Value>>(op)
          .Case<LoadOp, StoreOp, TiledLoadOp, TiledStoreOp, GatherLoadOp, ScatterStoreOp,
                TiledAtomicRMWOp>(
              [](auto access) { return SmallVector<Value>(access.getIndices()); })
          .Default([](Operation *) { return SmallVector<Value>(); });
    };
    return indices(a) == indices(b);
  }

  /// A barrier stands on every way from `before` to `after`: both pass through this block.
  bool isSeparated(Operation *before, Operation *after) {
    Block *block = after->getBlock();
    Operation *earlier = block->findAncestorOpInBlock(*before);
    if (!earlier || earlier == after || !earlier->isBeforeInBlock(after))
      return false;
    for (Operation *op = earlier->getNextNode(); op != after; op = op->getNextNode())
      if (barriers.contains(op))
        return true;
    return false;
  }

  bool needsBarrier(Operation *op) {
    return llvm::any_of(graph.getPredecessors(op), [&](Operation *before) {
      return !isAsync(before) && graph.hasHazard(before, op) && !hasSameThreads(before, op) &&
             !isSeparated(before, op);
    });
  }

  FuncOp function;
  TokenGraph graph;
  llvm::DenseMap<Operation *, unsigned> number;
};

//===------------------------------------------------------------------------------------------===//
// The rewrite
//===------------------------------------------------------------------------------------------===//

class Rewriter {
public:
  Rewriter(FuncOp function, Plan &plan)
      : function(function), plan(plan), builder(function.getContext()), i32(builder.getI32Type()) {}

  LogicalResult run() {
    // What has to wait is decided on the untouched graph.
    llvm::SmallPtrSet<Operation *, 16> waits;
    llvm::DenseMap<Operation *, SmallVector<unsigned>> joinWaits;
    SmallVector<Operation *> ops;
    function->walk<WalkOrder::PreOrder>([&](Operation *op) {
      ops.push_back(op);
      if (llvm::isa<MemoryOpInterface>(op) && plan.needsWait(op))
        waits.insert(op);
      if (auto join = llvm::dyn_cast<JoinMemTokenOp>(op))
        for (auto [i, token] : llvm::enumerate(join.getTokens()))
          if (plan.mayBePending(token))
            joinWaits[op].push_back(i);
    });
    if (plan.slots != 0)
      prepareSlots();
    retypeCarried();
    for (Operation *op : ops) {
      builder.setInsertionPoint(op);
      if (llvm::isa<CreateMemTokenOp>(op)) {
        replaceToken(op, done(op->getLoc()));
      } else if (auto join = llvm::dyn_cast<JoinMemTokenOp>(op)) {
        replaceToken(op, lowerJoin(join, joinWaits.lookup(op)));
      } else if (auto poison = llvm::dyn_cast<ub::PoisonOp>(op);
                 poison && isToken(poison.getType())) {
        replaceToken(op, done(op->getLoc()));
      } else if (llvm::isa<MemoryOpInterface, PrintOp, GridDependencyOp>(op)) {
        lowerAccess(op, waits.contains(op));
      }
    }
    return checkNoneLeft();
  }

private:
  Value constant(Location loc, int32_t value) {
    return arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(value));
  }
  Value done(Location loc) { return constant(loc, kDone); }

  /// The i32 that stands for a token.
  Value handle(Value token) {
    Value found = handles.lookup(token);
    return found ? found : token; // carried values were retyped in place
  }

  void replaceToken(Operation *op, Value with) {
    handles[op->getResult(0)] = with;
    op->getResult(0).replaceAllUsesWith(with);
    op->erase();
  }

  /// Storage, one alloca per slot for its latest handle, and the initialisation by one thread.
  void prepareSlots() {
    Location loc = function.getLoc();
    MLIRContext *context = function.getContext();
    auto pointer = LLVM::LLVMPointerType::get(context, 3);
    auto storageType = LLVM::LLVMArrayType::get(builder.getI64Type(), kTokenPoolSize);
    Operation *module = function->getParentOp();
    if (!SymbolTable::lookupSymbolIn(module, kStorage)) {
      builder.setInsertionPointToStart(&module->getRegion(0).front());
      LLVM::GlobalOp::create(builder, loc, storageType, /*isConstant=*/false,
                             LLVM::Linkage::Internal, kStorage, Attribute(), /*alignment=*/8,
                             /*addrSpace=*/3);
    }
    builder.setInsertionPointToStart(&function.getBody().front());
    base = LLVM::AddressOfOp::create(builder, loc, pointer, kStorage);
    Value one = constant(loc, 1), none = done(loc);
    SmallVector<int32_t> arrivals(plan.slots, 1);
    for (AsyncAccess &access : plan.accesses)
      arrivals[access.slot] = std::max(arrivals[access.slot], plan.arrivalsOf(access.op));
    auto stack = LLVM::LLVMPointerType::get(context);
    for (unsigned slot = 0; slot < plan.slots; ++slot) {
      latest.push_back(LLVM::AllocaOp::create(builder, loc, stack, i32, one));
      LLVM::StoreOp::create(builder, loc, none, latest.back());
    }
    Value thread = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
    Value first = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, thread, zero);
    auto branch = scf::IfOp::create(builder, loc, first, /*withElseRegion=*/false);
    OpBuilder inner = branch.getThenBodyBuilder();
    for (unsigned slot = 0; slot < plan.slots; ++slot) {
      Value address = LLVM::GEPOp::create(inner, loc, pointer, inner.getI64Type(), base,
                                          ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(slot)});
      Value count = arith::ConstantOp::create(inner, loc, inner.getI32IntegerAttr(arrivals[slot]));
      NVVM::MBarrierInitOp::create(inner, loc, address, count, Value());
    }
    gpu::BarrierOp::create(builder, loc);
  }

  /// Block arguments and results of structured control flow change their type in place.
  void retypeCarried() {
    auto retype = [&](Value value) {
      if (isToken(value.getType()))
        value.setType(i32);
    };
    function->walk([&](Operation *op) {
      if (!llvm::isa<scf::ForOp, scf::WhileOp, scf::IfOp, arith::SelectOp>(op))
        return;
      for (Value result : op->getResults())
        retype(result);
      for (Region &region : op->getRegions())
        for (Block &block : region)
          for (Value argument : block.getArguments())
            retype(argument);
    });
  }

  /// Spins until the round of the handle is complete; "done" passes.
  void wait(Location loc, Value pending) {
    auto pointer = LLVM::LLVMPointerType::get(function.getContext(), 3);
    Value isPending =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge, pending, constant(loc, 0));
    auto branch = scf::IfOp::create(builder, loc, isPending, /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(branch.thenBlock()->getTerminator());
    Value one = constant(loc, 1);
    Value slot = arith::ShRUIOp::create(builder, loc, pending, one);
    Value parity = arith::AndIOp::create(builder, loc, pending, one);
    Value address = LLVM::GEPOp::create(builder, loc, pointer, builder.getI64Type(), base,
                                        ArrayRef<LLVM::GEPArg>{slot});
    const target::GpuTarget &gpu = getTarget(function->getParentOfType<ModuleOp>());
    if (gpu.name.empty() || gpu.has(target::Feature::MbarrierTryWait)) {
      NVVM::MBarrierTryWaitParityOp::create(builder, loc, address, parity, constant(loc, 0x989680));
      return;
    }
    // Older GPUs only test: a loop around it.
    auto loop = scf::WhileOp::create(builder, loc, TypeRange(), ValueRange());
    builder.createBlock(&loop.getBefore());
    Value complete =
        NVVM::MBarrierTestWaitOp::create(builder, loc, builder.getI1Type(), address, parity);
    Value incomplete = arith::XOrIOp::create(
        builder, loc, complete, arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true)));
    scf::ConditionOp::create(builder, loc, incomplete, ValueRange());
    builder.createBlock(&loop.getAfter());
    scf::YieldOp::create(builder, loc);
  }

  Value lowerJoin(JoinMemTokenOp join, ArrayRef<unsigned> pending) {
    if (pending.size() == 1)
      return handle(join.getTokens()[pending.front()]);
    for (unsigned i : pending)
      wait(join.getLoc(), handle(join.getTokens()[i]));
    return done(join.getLoc());
  }

  /// Starts the next round of the access's slot and returns its handle.
  Value arm(const AsyncAccess &access) {
    Location loc = access.op->getLoc();
    Value storage = latest[access.slot];
    Value previous = LLVM::LoadOp::create(builder, loc, i32, storage);
    if (access.rearmed) {
      wait(loc, previous);
      gpu::BarrierOp::create(builder, loc);
    }
    // The parity flips per round; "done" (even) stands before round 0, whose parity is 0.
    Value one = constant(loc, 1);
    Value isFirst =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, previous, constant(loc, 0));
    Value flipped = arith::XOrIOp::create(builder, loc, previous, one);
    Value fresh = constant(loc, static_cast<int32_t>(access.slot << 1));
    Value next = arith::SelectOp::create(builder, loc, isFirst, fresh, flipped);
    LLVM::StoreOp::create(builder, loc, next, storage);
    access.op->setAttr(kSlot, builder.getI32IntegerAttr(access.slot));
    return next;
  }

  /// Waits and barriers before an access, its token result, and the access without tokens.
  void lowerAccess(Operation *op, bool mustWait) {
    Location loc = op->getLoc();
    Value incoming = tokenOperandOf(op);
    Value behind = incoming ? handle(incoming) : Value();
    if (mustWait) {
      wait(loc, behind);
      behind = Value();
    }
    if (plan.barriers.contains(op))
      gpu::BarrierOp::create(builder, loc);
    const AsyncAccess *access =
        llvm::find_if(plan.accesses, [&](const AsyncAccess &a) { return a.op == op; });
    Value result = access != plan.accesses.end() ? arm(*access) : behind;

    // The same op without its token operand and result.
    clearToken(op);
    SmallVector<Type> types;
    SmallVector<Value> kept;
    Value token;
    for (Value value : op->getResults())
      if (isToken(value.getType()))
        token = value;
      else
        types.push_back(value.getType()), kept.push_back(value);
    if (!token)
      return;
    if (!token.use_empty())
      token.replaceAllUsesWith(result ? result : done(loc));
    Operation *bare = Operation::create(loc, op->getName(), types, op->getOperands(),
                                        op->getDiscardableAttrDictionary(),
                                        op->getPropertiesStorage(), BlockRange(), 0);
    builder.insert(bare);
    for (auto [from, to] : llvm::zip(kept, bare->getResults()))
      from.replaceAllUsesWith(to);
    op->erase();
  }

  /// The operand that was a token; its uses already show the handle.
  static Value tokenOperandOf(Operation *op) {
    return llvm::TypeSwitch<Operation *, Value>(op)
        .Case<LoadOp, StoreOp, TiledLoadOp, TiledStoreOp, GatherLoadOp, ScatterStoreOp, AtomicCASOp,
              AtomicRMWOp, TiledAtomicRMWOp, PrintOp, GridDependencyOp>([](auto access) -> Value {
          MutableOperandRange token = access.getTokenMutable();
          return token.empty() ? Value() : token[0].get();
        })
        .Default([](Operation *) { return Value(); });
  }
  static void clearToken(Operation *op) {
    llvm::TypeSwitch<Operation *>(op)
        .Case<LoadOp, StoreOp, TiledLoadOp, TiledStoreOp, GatherLoadOp, ScatterStoreOp, AtomicCASOp,
              AtomicRMWOp, TiledAtomicRMWOp, PrintOp, GridDependencyOp>(
            [](auto access) { access.getTokenMutable().clear(); });
  }

  LogicalResult checkNoneLeft() {
    WalkResult result = function->walk([&](Operation *op) {
      auto isLeft = [](Value value) { return isToken(value.getType()); };
      bool inBlocks = llvm::any_of(op->getRegions(), [&](Region &region) {
        return llvm::any_of(
            region, [&](Block &block) { return llvm::any_of(block.getArguments(), isLeft); });
      });
      if (!inBlocks && llvm::none_of(op->getResults(), isLeft))
        return WalkResult::advance();
      op->emitError("cannot lower the token that this op carries");
      return WalkResult::interrupt();
    });
    return failure(result.wasInterrupted());
  }

  FuncOp function;
  Plan &plan;
  OpBuilder builder;
  Type i32;
  Value base;
  SmallVector<Value> latest; ///< per slot: where its latest handle is kept
  llvm::DenseMap<Value, Value> handles;
};

struct LowerTokens : impl::LowerTokensPassBase<LowerTokens> {
  void runOnOperation() override {
    SmallVector<FuncOp> functions;
    getOperation()->walk([&](FuncOp function) {
      if (!function.isExternal())
        functions.push_back(function);
    });
    SmallVector<std::unique_ptr<Plan>> plans;
    for (FuncOp function : functions) {
      plans.push_back(std::make_unique<Plan>(function));
      if (failed(plans.back()->make()))
        return signalPassFailure();
    }
    for (auto [function, plan] : llvm::zip(functions, plans))
      if (failed(Rewriter(function, *plan).run()))
        return signalPassFailure();
  }
};

} // namespace
} // namespace tilesmith::tileaa
