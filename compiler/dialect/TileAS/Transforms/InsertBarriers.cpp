//===- InsertBarriers.cpp - tileas-insert-barriers --------------------------------------------===//
//
// A token edge A -> B orders all elements of A before all elements of B, but the elements sit in
// different threads. A block barrier before B makes the edge true. None is needed when
//   * the token has no memory access behind it (create_mem_token only), or
//   * A and B only read.
//
// Algorithm: every token value gets a set of what lies behind it {nothing, reads, writes} by a
// forward fixpoint over the def-use graph (accesses, joins, loop-carried tokens, branch results).
// Then each access whose token has a write behind it, or a read when the access itself writes, gets
// a `gpu.barrier` in front; where a tile block is divided among the blocks of a cluster
// (tileas-plan-cta), one of the cluster.
//
// Invariant: nothing else changes; conditions are uniform, so every thread of the block reaches
// each barrier.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/dialect/TileAS/IR/TileAS.h"
#include "compiler/dialect/TileAS/Transforms/Passes.h"
#include "compiler/support/Plants.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

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
  auto ofLoad = [](tileaa::MemSemantic semantic) {
    return semantic == tileaa::MemSemantic::weak ? Reads : Writes;
  };
  if (auto load = dyn_cast<tileas::LoadOp>(op))
    return load.isPlain() ? Reads : Writes;
  if (auto load = dyn_cast<tileas::TiledLoadOp>(op))
    return ofLoad(load.getMemSemantic());
  if (auto load = dyn_cast<tileas::GatherLoadOp>(op))
    return ofLoad(load.getMemSemantic());
  if (isa<tileas::AsyncLoadOp, tileas::AsyncTiledLoadOp, tileas::ConsumerWaitOp>(op))
    return Reads;
  if (isa<tileas::AtomicRMWOp, tileas::AtomicCASOp, tileas::TiledAtomicRMWOp>(op) &&
      TILESMITH_PLANT("token-ignores-atomics"))
    return Nothing;
  if (isa<tileas::StoreOp, tileas::TiledStoreOp, tileas::ScatterStoreOp, tileas::AtomicRMWOp,
          tileas::AtomicCASOp, tileas::TiledAtomicRMWOp>(op))
    return Writes;
  return Nothing;
}

/// Planted: a load of what a store through the same pointers wrote.
bool readsOwnData(Operation *op) {
  auto load = dyn_cast<tileas::LoadOp>(op);
  auto store = load && load.getToken() ? load.getToken().getDefiningOp<tileas::StoreOp>()
                                       : tileas::StoreOp();
  return store && store.getPointers() == load.getPointers();
}

class TokenFlow {
public:
  explicit TokenFlow(Operation *root) {
    do {
      changed = false;
      root->walk([&](Operation *op) { visit(op); });
    } while (changed);
  }
  unsigned behind(Value token) const { return state.lookup(token); }

private:
  void merge(Value token, unsigned bits) {
    unsigned &current = state[token];
    changed |= (current | bits) != current;
    current |= bits;
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
      mergeEach(loop.getConditionOp().getArgs(), loop.getResults());
      return;
    }
    if (auto branch = dyn_cast<scf::IfOp>(op)) {
      for (Region *region : {&branch.getThenRegion(), &branch.getElseRegion()})
        if (!region->empty())
          mergeEach(region->front().getTerminator()->getOperands(), branch.getResults());
      return;
    }
    unsigned bits = effectOf(op);
    for (Value operand : op->getOperands())
      if (isToken(operand))
        bits |= behind(operand);
    for (Value result : op->getResults())
      if (isToken(result))
        merge(result, bits);
  }

  llvm::DenseMap<Value, unsigned> state;
  bool changed = false;
};

struct InsertBarriers : tileas::impl::InsertBarriersPassBase<InsertBarriers> {
  void runOnOperation() override {
    getOperation()->walk([&](tileaa::FuncOp function) {
      TokenFlow flow(function);
      bool isCluster = tileas::clusterBlocks(function) > 1;
      function->walk([&](Operation *op) {
        unsigned own = effectOf(op), before = Nothing;
        // A wait reads nothing itself: the copies it waits for come after their own barrier.
        if (own == Nothing || isa<tileas::ConsumerWaitOp>(op))
          return;
        for (Value operand : op->getOperands())
          if (isToken(operand))
            before |= flow.behind(operand);
        if (readsOwnData(op) && TILESMITH_PLANT("barrier-skipped-for-own-data"))
          return;
        if (((before & Writes) && !TILESMITH_PLANT("token-barrier-after-writes-dropped")) ||
            (before && own == Writes && !TILESMITH_PLANT("token-barrier-after-reads-dropped"))) {
          OpBuilder builder(op);
          auto barrier = gpu::BarrierOp::create(builder, op->getLoc());
          if (isCluster && !TILESMITH_PLANT("cta-barrier-of-one-block"))
            tileas::annotations(op).getClusterAttrHelper().setAttr(barrier, builder.getUnitAttr());
        }
      });
    });
  }
};

} // namespace
