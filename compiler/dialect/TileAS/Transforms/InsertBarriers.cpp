//===- InsertBarriers.cpp - tileas-insert-barriers --------------------------------------------===//
//
// A token edge A -> B orders all elements of A before all elements of B, but the elements sit in
// different threads. A block barrier before B makes the edge true. None is needed when
//   * the token has no memory access behind it (create_mem_token only), or
//   * A and B only read.
//
// Algorithm: every token value gets the set of accesses that lie behind it by a forward fixpoint
// over the def-use graph (accesses, joins, loop-carried tokens, branch results). Then each access
// whose token has a write behind it, or a read when the access itself writes, gets a `gpu.barrier`
// in front; where a tile block is divided among the blocks of a cluster (tileas-plan-cta), one of
// the cluster. With the option `sparing` these count no longer:
//   * weak accesses to other objects than the weak access itself (AliasScopes.h), and to tiles of
//     its memory in which no two threads meet (DistinctTiles.h). Where the strides decide that, the
//     barrier stands in an `scf.if` with a test that is made once, behind the memref;
//   * accesses that a barrier of this pass separates from it on every way: since the barrier, they
//     were not made again. Agents have barriers of their own warps, which separate nothing.
//
// A store by tensor copies (`staging`) is made by one thread, and may be under way when that thread goes on: where
// accesses stand behind it that it orders, it is marked `awaited`. No thread has bytes of its own there.
//
// Invariant: nothing else changes; conditions are uniform, so every thread of the block reaches
// each barrier, or none does.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/dialect/TileAA/Transforms/AliasScopes.h"
#include "compiler/dialect/TileAS/IR/GlobalAccess.h"
#include "compiler/dialect/TileAS/IR/TileAS.h"
#include "compiler/dialect/TileAS/Transforms/DistinctTiles.h"
#include "compiler/dialect/TileAS/Transforms/Passes.h"
#include "compiler/support/Plants.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tilesmith;

namespace tilesmith::tileas {
#define GEN_PASS_DEF_INSERTBARRIERSPASS
#include "compiler/dialect/TileAS/Transforms/Passes.h.inc"
} // namespace tilesmith::tileas

namespace {

enum Behind : unsigned { Nothing = 0, Reads = 1, Writes = 2 };

bool isToken(Value value) {
  return isa<tileaa::MemTokenType>(value.getType());
}

/// What an operation itself does to memory, as seen by later token users.
unsigned effectOf(Operation *op) {
  if (isa<tileas::AtomicRMWOp, tileas::AtomicCASOp, tileas::TiledAtomicRMWOp>(op) &&
      TILESMITH_PLANT("token-ignores-atomics"))
    return Nothing;
  if (isa<tileas::ScatterStoreOp>(op) && TILESMITH_PLANT("token-ignores-scatter-stores"))
    return Nothing;
  if (tileas::changesGlobalMemory(op))
    return Writes;
  if (isa<tileas::GatherLoadOp>(op) && TILESMITH_PLANT("token-ignores-gathers"))
    return Nothing;
  return isa<tileas::LoadOp, tileas::TiledLoadOp, tileas::GatherLoadOp, tileas::AsyncLoadOp,
             tileas::AsyncTiledLoadOp, tileas::ConsumerWaitOp>(op)
             ? Reads
             : Nothing;
}

/// Planted: a load of what a store through the same pointers wrote.
bool readsOwnData(Operation *op) {
  auto load = dyn_cast<tileas::LoadOp>(op);
  auto store = load && load.getToken() ? load.getToken().getDefiningOp<tileas::StoreOp>()
                                       : tileas::StoreOp();
  return store && store.getPointers() == load.getPointers();
}

/// The accesses of a function by number, and those behind each token.
class TokenFlow {
public:
  using Set = llvm::BitVector;

  explicit TokenFlow(Operation *root) {
    root->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (effectOf(op) != Nothing) {
        number[op] = accesses.size();
        accesses.push_back(op);
      }
    });
    do {
      changed = false;
      root->walk([&](Operation *op) { visit(op); });
    } while (changed);
  }

  /// Accesses that the tokens of an operation stand for.
  Set behind(Operation *op) const {
    Set all(accesses.size());
    for (Value operand : op->getOperands())
      if (isToken(operand))
        all |= behind(operand);
    return all;
  }
  Set none() const { return Set(accesses.size()); }
  bool isAccess(Operation *op) const { return number.contains(op); }
  unsigned numberOf(Operation *op) const { return number.lookup(op); }
  Operation *access(unsigned index) const { return accesses[index]; }

private:
  Set behind(Value token) const {
    auto found = state.find(token);
    return found == state.end() ? none() : found->second;
  }
  void merge(Value token, const Set &set) {
    Set &current = state.try_emplace(token, none()).first->second;
    if (!set.test(current))
      return;
    changed = true;
    current |= set;
  }
  void mergeEach(ValueRange from, ValueRange to) {
    for (auto [source, target] : llvm::zip(from, to))
      if (isToken(source))
        merge(target, behind(source));
  }
  void visit(Operation *op) {
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      mergeEach(loop.getInitArgs(), loop.getRegionIterArgs());
      mergeEach(loop.getInitArgs(), loop.getResults());
      if (!TILESMITH_PLANT("token-loop-edge-dropped")) {
        mergeEach(loop.getYieldedValues(), loop.getRegionIterArgs());
        mergeEach(loop.getYieldedValues(), loop.getResults());
      }
      return;
    }
    if (auto loop = dyn_cast<scf::WhileOp>(op)) {
      mergeEach(loop.getInits(), loop.getBeforeArguments());
      if (!TILESMITH_PLANT("token-while-edge-dropped"))
        mergeEach(loop.getYieldOp().getOperands(), loop.getBeforeArguments());
      mergeEach(loop.getConditionOp().getArgs(), loop.getAfterArguments());
      if (!TILESMITH_PLANT("token-behind-while-forgotten"))
        mergeEach(loop.getConditionOp().getArgs(), loop.getResults());
      return;
    }
    if (auto branch = dyn_cast<scf::IfOp>(op)) {
      for (Region *region : {&branch.getThenRegion(), &branch.getElseRegion()})
        if (!region->empty() &&
            !(region == &branch.getElseRegion() && TILESMITH_PLANT("token-branch-keeps-then")))
          mergeEach(region->front().getTerminator()->getOperands(), branch.getResults());
      return;
    }
    if (llvm::none_of(op->getResults(), isToken))
      return;
    Set set = behind(op);
    if (isAccess(op))
      set.set(numberOf(op));
    for (Value result : op->getResults())
      if (isToken(result))
        merge(result, set);
  }

  SmallVector<Operation *> accesses;
  llvm::DenseMap<Operation *, unsigned> number;
  llvm::DenseMap<Value, Set> state;
  bool changed = false;
};

/// Goes through a function in program order and puts barriers in front of accesses.
class Inserter {
public:
  Inserter(tileaa::FuncOp function, bool sparing)
      : flow(function), sparing(sparing), isCluster(tileas::clusterBlocks(function) > 1) {
    TokenFlow::Set open = flow.none();
    for (Block &block : function->getRegion(0))
      visit(block, open, /*isAgent=*/false);
    function->walk([&](Operation *op) {
      if (flow.isAccess(op) || isa<tileas::ArriveMemTokenOp>(op))
        awaitStores(op);
    });
  }

private:
  /// `open`: accesses since the last barrier on some way to here.
  void visit(Block &block, TokenFlow::Set &open, bool isAgent) {
    for (Operation &op : block) {
      if (flow.isAccess(&op)) {
        Need need = needOf(&op, open, isAgent);
        if (need.always) {
          insert(&op);
          if (!isAgent)
            open.reset();
        } else if (!need.strides.empty()) {
          insertTested(&op, need.strides.getArrayRef());
          if (!isAgent && TILESMITH_PLANT("barrier-tested-counts-always"))
            open.reset();
        }
        open.set(flow.numberOf(&op));
      }
      if (op.getNumRegions())
        visitRegions(&op, open, isAgent || isa<tileas::AgentSwitchOp>(op));
    }
  }

  void visitRegions(Operation *op, TokenFlow::Set &open, bool isAgent) {
    TokenFlow::Set inside = flow.none();
    op->walk([&](Operation *inner) {
      if (flow.isAccess(inner))
        inside.set(flow.numberOf(inner));
    });
    bool isBranch =
        isa<scf::IfOp>(op) || (isa<scf::WhileOp>(op) && TILESMITH_PLANT("barrier-while-as-branch"));
    TokenFlow::Set entry = open, exit = flow.none();
    if (!isBranch && !TILESMITH_PLANT("barrier-counts-for-next-iteration"))
      entry |= inside;
    for (Region &region : op->getRegions())
      for (Block &block : region) {
        TokenFlow::Set state = entry;
        visit(block, state, isAgent);
        exit |= state;
      }
    // Loops of no iteration, and branches not taken.
    if (!isBranch)
      exit |= inside;
    if ((!isBranch && !TILESMITH_PLANT("barrier-of-loop-without-turns")) ||
        (isBranch && op->getRegions().back().empty() &&
         !TILESMITH_PLANT("barrier-in-branch-counts-behind")))
      exit |= open;
    if (TILESMITH_PLANT("barrier-forgets-region"))
      exit.reset();
    open = std::move(exit);
  }

  /// When an access needs a barrier in front.
  struct Need {
    bool always = false;
    llvm::SmallSetVector<Operation *, 2> strides; ///< where one of these memrefs shares bytes
  };

  Need needOf(Operation *op, const TokenFlow::Set &open, bool isAgent) const {
    // A wait reads nothing itself: the copies it waits for come after their own barrier.
    if (isa<tileas::ConsumerWaitOp>(op) ||
        (readsOwnData(op) && TILESMITH_PLANT("barrier-skipped-for-own-data")))
      return {};
    TokenFlow::Set set = flow.behind(op);
    if (sparing && !isAgent)
      set &= open;
    Need need;
    for (unsigned index : set.set_bits()) {
      Operation *earlier = flow.access(index);
      if (!areOrdered(effectOf(earlier), effectOf(op)))
        continue;
      std::optional<tileas::Separation> separation;
      if (sparing && tileas::isWeakAccess(op) &&
          (tileas::isWeakAccess(earlier) || TILESMITH_PLANT("barrier-spares-strong-earlier"))) {
        if (tileaa::touchDistinctObjects(op, earlier))
          continue;
        if (!tileas::getStaging(op) && !tileas::getStaging(earlier))
          separation = tileas::separate(op, earlier);
      }
      if (!separation)
        need.always = true;
      else if (separation->memref && !TILESMITH_PLANT("tiles-apart-in-any-strides"))
        need.strides.insert(separation->memref);
    }
    return need;
  }

  /// Tensor copies that the access stands behind have to be complete.
  void awaitStores(Operation *op) {
    llvm::BitVector behind = flow.behind(op);
    for (unsigned index : behind.set_bits()) {
      Operation *earlier = flow.access(index);
      if (!tileas::getStaging(earlier) ||
          (tileas::isWeakAccess(op) && tileaa::touchDistinctObjects(op, earlier)))
        continue;
      if (!TILESMITH_PLANT("tensor-store-never-awaited"))
        tileas::annotations(earlier).getAwaitedAttrHelper().setAttr(
            earlier, UnitAttr::get(op->getContext()));
    }
  }

  /// Whether a token has something to order between these effects.
  static bool areOrdered(unsigned before, unsigned own) {
    return ((before & Writes) && !TILESMITH_PLANT("token-barrier-after-writes-dropped")) ||
           (before && own == Writes && !TILESMITH_PLANT("token-barrier-after-reads-dropped"));
  }

  gpu::BarrierOp insert(Operation *op) {
    OpBuilder builder(op);
    return insert(builder, op->getLoc());
  }
  gpu::BarrierOp insert(OpBuilder &builder, Location loc) {
    auto barrier = gpu::BarrierOp::create(builder, loc);
    if (isCluster && !TILESMITH_PLANT("cta-barrier-of-one-block"))
      tileas::annotations(barrier).getClusterAttrHelper().setAttr(barrier, builder.getUnitAttr());
    return barrier;
  }

  /// A barrier for the case that one of the memrefs shares bytes.
  void insertTested(Operation *op, ArrayRef<Operation *> memrefs) {
    OpBuilder builder(op);
    Value shares;
    for (Operation *memref : memrefs) {
      Value &test = tests[memref];
      if (!test) {
        OpBuilder behind(memref->getContext());
        behind.setInsertionPointAfter(memref);
        test = tileas::mayShareBytes(behind, cast<tileaa::MakeMemRefOp>(memref));
      }
      shares =
          shares ? arith::OrIOp::create(builder, op->getLoc(), shares, test).getResult() : test;
    }
    auto branch = scf::IfOp::create(builder, op->getLoc(), shares);
    builder.setInsertionPoint(branch.thenBlock()->getTerminator());
    insert(builder, op->getLoc());
  }

  TokenFlow flow;
  llvm::DenseMap<Operation *, Value> tests; ///< of memrefs
  bool sparing, isCluster;
};

struct InsertBarriers : tileas::impl::InsertBarriersPassBase<InsertBarriers> {
  using InsertBarriersPassBase::InsertBarriersPassBase;
  void runOnOperation() override {
    getOperation()->walk([&](tileaa::FuncOp function) { Inserter(function, sparing); });
  }
};

} // namespace
