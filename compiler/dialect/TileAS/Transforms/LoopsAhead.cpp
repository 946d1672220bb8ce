//===- LoopsAhead.cpp - loops of products that run beside what is done with their sums ----------===//
//
// Of tileas-refine-atom-by-resource. A loop that does nothing but products of slots, inside of another one, as where a
// block takes several tiles of the result,
//
//   for tile:   O = 0;  for turn: { wait A, B;  O += A x B;  release both };  load O;  work on it
//
// becomes, where warps are left that issue (OverlapProducts.h, issueApart),
//
//   for tile:   issue(tile) { acquire O }
//               for turn:  issue(tile) { wait A, B;  O[tile % 2] += A x B, or = in the first turn;  release both }
//               issue(tile) { announce O }
//               wait O[tile % 2];  if there was no turn: O[tile % 2] = 0;  load it;  release O;  work on it
//
// Threads do not go through the turns. Sums alternate between two sets of columns, so that tensor cores work for the next
// tile while threads work on this one; each set has a barrier at which its sums are announced, and one at which all
// threads have loaded them. Who issues waits for the second one of the tile before the last, so neither barrier is two
// phases ahead of who waits there.
//
// Several products of the loop are announced together. The columns belong to these sums alone as long as the loop around
// runs, for the products of the next tile come beside whatever else it does.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/dialect/TileAS/IR/TensorCoreAtom.h"
#include "compiler/dialect/TileAS/Transforms/OverlapProducts.h"
#include "compiler/dialect/TileAS/Transforms/ProductTurns.h"
#include "compiler/dialect/TileAS/Transforms/Schedule.h"
#include "compiler/dialect/TileAS/Transforms/TensorMemoryPlaces.h"
#include "compiler/dialect/TileAS/Transforms/TensorMemoryProducts.h"
#include "compiler/support/Plants.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas;

namespace {

class LoopAhead {
public:
  explicit LoopAhead(scf::ForOp loop) : loop(loop) {}

  std::optional<std::string> run() {
    around = dyn_cast<scf::ForOp>(loop->getParentOp());
    if (!around || !hasIssuers(around))
      return "";
    if (auto problem = collect())
      return problem;
    if (auto problem = placeColumns())
      return problem;
    rewrite();
    return std::nullopt;
  }

private:
  /// Sums of the loop, with what loads them behind it.
  struct Sums {
    SmallVector<TensorMemoryDotOp> products; ///< in order
    SmallVector<TensorMemoryLoadOp> loads;
  };

  std::optional<std::string> collect() {
    SmallVector<TensorMemoryDotOp> dots = productsIn(loop);
    if (dots.empty())
      return "there is no product";
    for (TensorMemoryDotOp dot : dots) {
      auto read = dyn_cast<ConsumerReadOp>(dot->getParentOp());
      if (!read || read->getBlock() != loop.getBody() || read.getNumResults())
        return "a product stands inside of another operation";
      if (!isa<BlockArgument>(dot.getLhs()) || !isa<BlockArgument>(dot.getRhs()) ||
          dot.getOverwrites())
        return "a product does not add up slots";
      sums[dot.getAcc().getDefiningOp<TensorMemoryStoreOp>()].products.push_back(dot);
      auto pipeline = read.getPipeline().getDefiningOp<CreatePipelineOp>();
      if (!rings.contains(pipeline))
        if (auto problem = collectRing(pipeline, loop, rings[pipeline]))
          return problem;
    }
    for (auto &[pipeline, ring] : rings)
      if (!ring.threadReads.empty() || ring.isFilledHere)
        return "threads read or copy what a product reads";
    for (Operation &op : loop.getBody()->without_terminator())
      if (!isa<ConsumerReadOp, ConsumerWaitOp, ConsumerReleaseOp, IncIterOp>(op) &&
          !isMemoryEffectFree(&op) && !readsAlone(&op)) // numbers, as of pages
        return "threads do something else in the loop";
    for (auto &[store, of] : sums)
      if (auto problem = collectLoads(store, of))
        return problem;
    return std::nullopt;
  }

  /// The sums begin at zero, and nobody but these products and threads behind the loop uses them.
  std::optional<std::string> collectLoads(TensorMemoryStoreOp store, Sums &of) {
    if (store->getBlock() != around.getBody() || store.getTracked() || !isZeroTile(store.getInit()))
      return "sums do not begin at zero";
    for (Operation *user : store.getAcc().getUsers()) {
      auto load = dyn_cast<TensorMemoryLoadOp>(user);
      if (load && load->getBlock() == around.getBody() && loop->isBeforeInBlock(load))
        of.loads.push_back(load);
      else if (!loop->isAncestor(user))
        return "others than the loop add to its sums";
    }
    if (of.loads.empty())
      return "nobody loads sums";
    return std::nullopt;
  }

  /// Columns that nothing else takes while the loop around runs.
  std::optional<std::string> placeColumns() {
    auto function = loop->getParentOfType<tileaa::FuncOp>();
    scf::ForOp alive = TILESMITH_PLANT("tcgen05-run-columns-of-loops-behind") ? loop : around;
    SmallVector<std::pair<TensorMemoryStoreOp, uint32_t>> before;
    auto giveBack = [&] {
      for (auto [store, column] : before) {
        store.setColumn(column);
        store.removeSecondAttr();
      }
    };
    for (auto &[store, of] : sums) {
      before.push_back({store, store.getColumn()});
      const int64_t count = tensorMemoryColumns(storedType(store));
      std::optional<int64_t> first = findColumns(function, alive, count, store);
      if (first) {
        store.setColumn(*first);
        if (std::optional<int64_t> second = findColumns(function, alive, count)) {
          store.setSecond(*second);
          continue;
        }
      }
      giveBack();
      return "twice " + std::to_string(count) + " columns of tensor memory are not free";
    }
    return std::nullopt;
  }

  //===- rewriting --------------------------------------------------------------------------------//

  void rewrite() {
    for (auto &[pipeline, ring] : rings)
      dropToken(ring.wait);
    Location loc = loop.getLoc();
    NumberedTurns turns = numberTurns(around);
    around = turns.loop;
    Value run = around.getRegionIterArgs().back();
    for (auto &[store, of] : sums)
      placeInFront(store);
    // One barrier of each kind stands for all sums of the loop.
    TensorMemoryStoreOp last = sums.back().first;
    OpBuilder builder(loop);
    Value someTurn = hasTurns(builder, loop);
    issue(builder, run, [&] { TensorMemoryAcquireOp::create(builder, loc, last.getAcc()); });
    issueTurns(run);

    builder.setInsertionPointAfter(loop);
    issue(builder, run, [&] { TensorMemoryAnnounceOp::create(builder, loc, last.getAcc(), 0); });
    TensorMemoryWaitOp::create(builder, loc, last.getAcc(), run);
    beginAtZero(builder, someTurn, run);
    Operation *lastLoad = nullptr;
    for (auto &[store, of] : sums)
      for (TensorMemoryLoadOp load : of.loads) {
        load.getTurnMutable().assign(run);
        if (!lastLoad || lastLoad->isBeforeInBlock(load))
          lastLoad = load;
      }
    if (!TILESMITH_PLANT("tcgen05-columns-released-early"))
      builder.setInsertionPointAfter(lastLoad);
    TensorMemoryReleaseOp::create(builder, loc, last.getAcc(), run);
  }

  /// The place of sums is known to all turns; nothing is put there.
  void placeInFront(TensorMemoryStoreOp store) {
    OpBuilder builder(around);
    auto type = storedType(store);
    Value zero = arith::ConstantOp::create(builder, store.getLoc(),
                                           builder.getZeroAttr(type.getElementType()));
    store.getInitMutable().assign(tileaa::SplatOp::create(builder, store.getLoc(), type, zero));
    store->moveBefore(around);
    store.setTracked(true);
  }

  template <typename Fill> void issue(OpBuilder &builder, Value run, Fill fill) {
    auto issue = TensorMemoryIssueOp::create(builder, loop.getLoc(), run);
    OpBuilder::InsertionGuard guard(builder);
    builder.createBlock(&issue.getBody());
    fill();
    PipelineYieldOp::create(builder, loop.getLoc(), ValueRange());
  }

  /// Each turn waits for its stages, multiplies and gives them back.
  void issueTurns(Value run) {
    OpBuilder builder(&loop.getBody()->front());
    Value isLater = arith::CmpIOp::create(builder, loop.getLoc(), arith::CmpIPredicate::ne,
                                          loop.getInductionVar(), loop.getLowerBound());
    for (auto &[store, of] : sums)
      if (!TILESMITH_PLANT("tcgen05-run-adds-to-last-but-one"))
        of.products.front().getAccumulatesMutable().assign(isLater);
    SmallVector<Operation *> moved;
    for (Operation &op : loop.getBody()->without_terminator())
      if (isa<ConsumerReadOp, ConsumerWaitOp, ConsumerReleaseOp>(op))
        moved.push_back(&op);
    builder.setInsertionPoint(loop.getBody()->getTerminator());
    issue(builder, run, [&] {
      for (Operation *op : moved)
        op->moveBefore(builder.getInsertionBlock(), builder.getInsertionPoint());
    });
  }

  /// Sums of a loop that has no turn.
  void beginAtZero(OpBuilder &builder, Value someTurn, Value run) {
    if (matchPattern(someTurn, m_One()) || TILESMITH_PLANT("tcgen05-run-without-turns-kept"))
      return;
    Location loc = loop.getLoc();
    Value none = arith::XOrIOp::create(
        builder, loc, someTurn, arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true)));
    auto branch = scf::IfOp::create(builder, loc, none, /*withElseRegion=*/false);
    OpBuilder inside(branch.getThenRegion().front().getTerminator());
    for (auto &[store, of] : sums)
      TensorMemoryUpdateOp::create(inside, loc, store.getInit(), store.getAcc(), run);
  }

  scf::ForOp loop, around;
  llvm::MapVector<TensorMemoryStoreOp, Sums> sums;
  llvm::MapVector<CreatePipelineOp, ProductRing> rings;
};

} // namespace

std::optional<std::string> tileas::issueLoopAhead(scf::ForOp loop) {
  return LoopAhead(loop).run();
}
