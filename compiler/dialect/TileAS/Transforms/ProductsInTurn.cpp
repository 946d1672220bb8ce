//===- ProductsInTurn.cpp - products that another agent issues in their turn --------------------===//
//
// Of tileas-refine-atom-by-resource. Threads of
//
//   for turn:   wait A, B;  read B;  T = ... B;  stage T;  meet;  O += A x T;  release both
//
// would wait for the product of the turn before, stage, meet, and one of them would issue. With warps that issue
// (OverlapProducts.h, issueApart) the loop becomes
//
//   for turn:   wait B;  read B;  release B;  T = ... B
//               wait for the products of the turn before;  stage T
//               issue(turn) { wait A;  O += A x T;  release A }
//   wait for the last product
//
// Of a loop in which they read what products read, but neither write for them nor load their sums, one announcement
// behind the last turn stands for all:
//
//   for turn:   wait A;  read A;  release A;  ...          issue(turn) { wait A, B;  O += A x B;  release A, B }
//   issue { all have come;  announce O };  wait for that
//
// so that the others never wait for what nobody but products reads, and never meet. The same of a loop in which they
// copy a part of each stage (WarpSpecialize.cpp). Of a loop inside of another one they wait for the announcement of this
// run. Products may share a ring: the first
// one waits for the stage, the last one gives it back. Threads that read it, too, wait and give back for themselves. All
// products run in the order in which they stood.
//
// Threads wait for products of this turn in front of what loads their sums, or writes over what they read or add to; for
// all of the turn before in front of what writes that. A barrier says only whether its phase is an odd one, so none may
// pass while a thread waits for the one before: behind a wait threads meet (arrive at an issue), and the same product of the
// next turn comes behind that. They meet for what they wrote or loaded alone, so between two arrivals at an issue there is
// a wait.
//
// In front of the loop they meet, where it has a turn and none would begin with that: sums and operands from there are
// complete.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/dialect/TileAS/Transforms/OverlapProducts.h"
#include "compiler/dialect/TileAS/Transforms/ProductTurns.h"
#include "compiler/dialect/TileAS/Transforms/TensorMemoryPlaces.h"
#include "compiler/dialect/TileAS/Transforms/TensorMemoryProducts.h"
#include "compiler/support/Plants.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas;

namespace {

/// A product of the loop.
struct Product {
  TensorMemoryDotOp dot;
  ConsumerReadOp read; ///< around it; null where no operand comes from a ring

  TensorMemoryStoreOp sums() { return dot.getAcc().getDefiningOp<TensorMemoryStoreOp>(); }
  Operation *place() { return read ? read.getOperation() : dot.getOperation(); }
};

/// Threads read or write there what products do.
bool touchesProducts(Operation *op) {
  return isa<TensorMemoryLoadOp, TensorMemoryUpdateOp, TensorMemoryScaleOp, TensorMemoryStageOp,
             TensorMemoryStoreOp>(op);
}

class InTurn {
public:
  explicit InTurn(scf::ForOp loop) : loop(loop) {}

  std::optional<std::string> run() {
    auto around = dyn_cast<scf::ForOp>(loop->getParentOp());
    if (!hasIssuers(around ? around : loop))
      return "";
    if (auto problem = collect())
      return problem;
    if (auto problem = planWaits())
      return problem;
    rewrite();
    return std::nullopt;
  }

private:
  /// A wait of threads in front of an operation.
  struct Wait {
    Operation *before;
    unsigned product;
    bool inTurn; ///< for the product of this turn, not that of the turn before
  };

  std::optional<std::string> collect() {
    SmallVector<TensorMemoryDotOp> dots = productsIn(loop);
    if (dots.empty())
      return "there is no product";
    for (TensorMemoryDotOp dot : dots) {
      auto read = dyn_cast<ConsumerReadOp>(dot->getParentOp());
      products.push_back({dot, read});
      if (products.back().place()->getBlock() != loop.getBody() || (read && read.getNumResults()))
        return "a product stands inside of another operation";
      if (!dot.getScales().empty())
        return "a product has scales";
      if (!areOfLoop(products.back().sums()))
        return "others than the loop use these sums";
      auto pipeline =
          read ? read.getPipeline().getDefiningOp<CreatePipelineOp>() : CreatePipelineOp();
      if (pipeline && !rings.contains(pipeline))
        if (auto problem = collectRing(pipeline, loop, rings[pipeline]))
          return problem;
    }
    if (rings.empty() && !meetsInTurn(products.front()))
      return "no product reads a ring";
    WalkResult walked = loop->walk([&](Operation *op) {
      auto stage = dyn_cast<TensorMemoryStageOp>(op);
      bool isElsewhere = touchesProducts(op) && op->getBlock() != loop.getBody();
      isElsewhere |= isa<TensorMemoryStoreOp>(op) ||
                     (stage && loop->isAncestor(stage.getBuffer().getDefiningOp()));
      return isElsewhere ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (walked.wasInterrupted())
      return "a turn has sums or operands of its own";
    return std::nullopt;
  }

  /// Only the loop multiplies into the sums, and others load them behind it.
  bool areOfLoop(TensorMemoryStoreOp sums) {
    return !sums.getTracked() && llvm::all_of(sums.getAcc().getUsers(), [&](Operation *user) {
      Operation *here = loop->getBlock()->findAncestorOpInBlock(*user);
      return here &&
             (here == loop || (isa<TensorMemoryLoadOp>(user) && loop->isBeforeInBlock(here)));
    });
  }

  /// What the operation does needs the product to be complete, or not to have begun.
  static bool conflicts(Operation *op, Product &product) {
    auto fragment = product.dot.getLhs().getDefiningOp<TensorMemoryStoreOp>();
    auto columnsOf = [](Value acc) { return acc.getDefiningOp<TensorMemoryStoreOp>(); };
    if (auto load = dyn_cast<TensorMemoryLoadOp>(op))
      return shareColumns(columnsOf(load.getAcc()), product.sums());
    if (auto stage = dyn_cast<TensorMemoryStageOp>(op)) {
      for (Value operand :
           {Value(product.dot.getLhs()),
            Value(TILESMITH_PLANT("tcgen05-in-turn-right-overwritten") ? product.dot.getLhs()
                                                                       : product.dot.getRhs())})
        if (auto other = operand.getDefiningOp<TensorMemoryStageOp>())
          if (other.getBuffer() == stage.getBuffer())
            return true;
      return false;
    }
    TensorMemoryStoreOp written;
    if (auto update = dyn_cast<TensorMemoryUpdateOp>(op))
      written = columnsOf(update.getAcc());
    else if (auto scale = dyn_cast<TensorMemoryScaleOp>(op))
      written = columnsOf(scale.getAcc());
    return written &&
           (shareColumns(written, product.sums()) || (fragment && shareColumns(written, fragment)));
  }

  /// The last product into the same sums, which says when all of them are complete.
  unsigned lastInto(unsigned product) {
    for (unsigned later = products.size(); --later > product;)
      if (products[later].dot.getAcc() == products[product].dot.getAcc())
        return later;
    return product;
  }

  unsigned last() const { return products.size() - 1; }

  /// Between the operation and the product behind it, perhaps of the next turn, threads meet: they write for it, or load
  /// what it overwrites.
  static bool makesMeet(Operation &op, Product &product) {
    TensorMemoryDotOp dot = product.dot;
    if (auto load = dyn_cast<TensorMemoryLoadOp>(op))
      return load.getAcc() == dot.getAcc();
    if (auto stage = dyn_cast<TensorMemoryStageOp>(op))
      return stage.getResult() == dot.getLhs() || stage.getResult() == dot.getRhs();
    Value written;
    if (auto update = dyn_cast<TensorMemoryUpdateOp>(op))
      written = update.getAcc();
    else if (auto scale = dyn_cast<TensorMemoryScaleOp>(op))
      written = scale.getAcc();
    return written && (written == dot.getAcc() || written == dot.getLhs());
  }
  /// Threads write for the product in its turn.
  bool meetsInTurn(Product &product) {
    return llvm::any_of(*loop.getBody(), [&](Operation &op) {
      return op.isBeforeInBlock(product.place()) && makesMeet(op, product);
    });
  }

  /// Where threads wait. They know the products up to `complete` of this turn to be so, and all of the turn before
  /// at `before`: from the beginning on where `isComplete`.
  std::optional<std::string> goThroughTurn(const bool isComplete) {
    waits.clear();
    bool before = isComplete;
    int64_t complete = -1, issued = -1;
    auto waitForTurnBefore = [&](Operation *op) {
      if (before || complete >= 0)
        return;
      waits.push_back({op, last(), false});
      before = true;
    };
    for (Operation &op : *loop.getBody()) {
      if (issued < int64_t(last()) && products[issued + 1].place() == &op) {
        ++issued;
        continue;
      }
      if (!touchesProducts(&op))
        continue;
      int64_t wanted = -1;
      bool wantsBefore = false;
      for (auto [index, product] : llvm::enumerate(products))
        if (conflicts(&op, product)) {
          if (int64_t(index) <= issued)
            wanted = std::max(wanted, int64_t(index));
          else
            wantsBefore = true;
        }
      if (wanted > complete) {
        int64_t known = lastInto(wanted);
        if (known > issued)
          return "sums or operands are used between two products that add to the same sums";
        waits.push_back({&op, unsigned(known), true});
        complete = known;
      }
      if (wantsBefore)
        waitForTurnBefore(&op);
    }
    if (complete == int64_t(last()) && !isComplete)
      return goThroughTurn(/*isComplete=*/true);
    return std::nullopt;
  }

  std::optional<std::string> planWaits() {
    if (auto problem = goThroughTurn(/*isComplete=*/false))
      return problem;
    if (waits.empty() && llvm::all_of(rings, [](const auto &ring) {
          return ring.second.threadReads.empty() && !ring.second.isFilledHere;
        }))
      return "no product waits for threads";
    for (const Wait &wait : waits)
      if (!meetsBehind(wait))
        return "no product between waits for all threads";
    return std::nullopt;
  }

  /// Threads meet behind the wait, and the same product of the next turn comes behind that: of this turn, if the wait is
  /// for the turn before.
  bool meetsBehind(const Wait &wait) {
    for (Operation &op : *loop.getBody())
      for (auto [index, product] : llvm::enumerate(products)) {
        if (!makesMeet(op, product))
          continue;
        const bool isBehind = &op == wait.before || wait.before->isBeforeInBlock(&op),
                   isInTurn = op.isBeforeInBlock(product.place());
        if (isBehind && isInTurn)
          return true;
        if (wait.inTurn && index <= wait.product && (isBehind || isInTurn))
          return true;
      }
    return false;
  }

  void rewrite() {
    for (auto &[pipeline, ring] : rings)
      dropToken(ring.wait);
    NumberedTurns turns = numberTurns(loop);
    loop = turns.loop;
    Value turn = loop.getRegionIterArgs().back();
    Operation *count = loop.getYieldedValues().back().getDefiningOp();
    count->moveBefore(&loop.getBody()->front());
    OpBuilder builder(loop);
    if (!meetsInTurn(products.front()))
      meetInFront(builder, turns.first);
    for (const Wait &wait : waits) {
      builder.setInsertionPoint(wait.before);
      const bool inTurn = wait.inTurn && !TILESMITH_PLANT("tcgen05-in-turn-waits-for-turn-before");
      TensorMemoryWaitOp::create(builder, loop.getLoc(), products[wait.product].dot.getAcc(),
                                 inTurn ? count->getResult(0) : turn);
    }
    for (Product &product : products) {
      product.sums().setTracked(true);
      issue(product, turn);
    }
    for (auto &[pipeline, ring] : rings)
      leaveToThreads(ring);
    builder.setInsertionPointAfter(loop);
    Value sums = products.back().dot.getAcc(),
          last = waits.empty() ? announce(builder, sums) : turns.last;
    if (!TILESMITH_PLANT("tcgen05-in-turn-last-unawaited"))
      TensorMemoryWaitOp::create(builder, loop.getLoc(), sums, last);
  }

  /// All products of the loop, once; returns the turn to wait for: how often that has been.
  Value announce(OpBuilder &builder, Value sums) {
    const Location loc = loop.getLoc();
    Value turn = numberOfRun(builder);
    auto issue = TensorMemoryIssueOp::create(builder, loc, turn);
    issue.setFirst(true);
    OpBuilder::InsertionGuard guard(builder);
    builder.createBlock(&issue.getBody());
    TensorMemoryAnnounceOp::create(builder, loc, sums, 0);
    PipelineYieldOp::create(builder, loc, ValueRange());
    return turn;
  }

  /// How often the loop has been gone through behind it, by the loop around it.
  Value numberOfRun(OpBuilder &builder) {
    const Location loc = loop.getLoc();
    auto around = dyn_cast<scf::ForOp>(loop->getParentOp());
    OpBuilder outside(around ? around : loop);
    Value one = arith::ConstantOp::create(outside, loc, outside.getI32IntegerAttr(1));
    if (!around || TILESMITH_PLANT("tcgen05-in-turn-announced-anew"))
      return one;
    Value none = arith::ConstantOp::create(outside, loc, outside.getI32IntegerAttr(0));
    Value number;
    IRRewriter rewriter(loop.getContext());
    (void)around.replaceWithAdditionalYields(
        rewriter, none, /*replaceInitOperandUsesInLoop=*/false,
        [&](OpBuilder &, Location, ArrayRef<BlockArgument> arguments) -> SmallVector<Value> {
          number = arith::AddIOp::create(builder, loc, arguments.back(), one);
          return {number};
        });
    builder.setInsertionPointAfterValue(number); // in the new body
    return number;
  }

  /// Who issues waits for threads, and then for the first stage.
  void meetInFront(OpBuilder &builder, Value firstTurn) {
    OpBuilder::InsertionGuard guard(builder);
    const Location loc = loop.getLoc();
    Value someTurn = hasTurns(builder, loop);
    ConsumerWaitOp wait = rings.front().second.wait;
    Value first = loop.getTiedLoopInit(cast<BlockArgument>(wait.getIterator()))->get();
    auto issue = TensorMemoryIssueOp::create(builder, loc, firstTurn);
    issue.setFirst(true);
    builder.createBlock(&issue.getBody());
    auto branch = scf::IfOp::create(builder, loc, someTurn, /*withElseRegion=*/false);
    PipelineYieldOp::create(builder, loc, ValueRange());
    builder.setInsertionPoint(branch.getThenRegion().front().getTerminator());
    IRMapping mapping;
    mapping.map(wait.getIterator(), first);
    builder.clone(*wait, mapping);
  }

  void issue(Product &product, Value turn) {
    OpBuilder builder(product.place());
    auto issue = TensorMemoryIssueOp::create(builder, product.dot.getLoc(), turn);
    builder.createBlock(&issue.getBody());
    auto yield = PipelineYieldOp::create(builder, product.dot.getLoc(), ValueRange());
    product.place()->moveBefore(yield);
    if (product.read)
      goThroughRing(product);
  }

  /// The first product that reads a ring waits for the stage, the last one gives it back.
  void goThroughRing(Product &product) {
    Value pipeline = product.read.getPipeline();
    ProductRing &ring = rings[pipeline.getDefiningOp<CreatePipelineOp>()];
    auto readsRing = [&](Product &one) { return one.read && one.read.getPipeline() == pipeline; };
    const bool isFirst = &product == llvm::find_if(products, readsRing),
               isLast = &product == &*llvm::find_if(llvm::reverse(products), readsRing);
    OpBuilder builder(product.read);
    auto wait = cast<ConsumerWaitOp>(builder.clone(*ring.wait));
    wait.setWaited(!isFirst || TILESMITH_PLANT("tcgen05-in-turn-stage-unawaited"));
    product.read.getStageMutable().assign(wait.getStage());
    builder.setInsertionPointAfter(product.read);
    if (TILESMITH_PLANT("tcgen05-in-turn-first-gives-back") ? isFirst : isLast)
      ConsumerReleaseOp::create(builder, ring.release.getLoc(), pipeline, wait.getStage());
  }

  /// What threads read they wait for and give back by themselves, as soon as they have read it.
  static void leaveToThreads(ProductRing &ring) {
    if (ring.threadReads.empty()) {
      ring.release.erase();
      ring.wait.erase();
      return;
    }
    auto last = *llvm::max_element(
        ring.threadReads, [](ConsumerReadOp a, ConsumerReadOp b) { return a->isBeforeInBlock(b); });
    ring.release->moveAfter(last);
  }

  scf::ForOp loop;
  SmallVector<Product> products;
  llvm::MapVector<CreatePipelineOp, ProductRing> rings;
  SmallVector<Wait> waits;
};

} // namespace

std::optional<std::string> tileas::issueInTurn(scf::ForOp loop) {
  return InTurn(loop).run();
}
