//===- OverlapProducts.cpp - a product that is issued one turn ahead ----------------------------===//
//
// Of tileas-refine-atom-by-resource. A loop whose products in tensor memory stand in reads of rings of
// their own,
//
//   for turn:   wait K; S = Q x K;  load S;  ...  update P;  scale O;  wait V; O += P x V;  release both
//
// becomes
//
//   if there is a turn:             issue(0) { wait K; S[0] = Q x K; release K }
//   for turn:   if there is a next: issue(turn + 1) { wait K; S[(turn + 1) % 2] = Q x K; release K }
//               wait S[turn % 2]; load it;  ...  update P;  wait O; scale O
//               issue(turn) { wait V; O += P x V; release V }
//   wait O
//
// A lone product, whose sums threads work on, is issued behind the wait for S[turn % 2]: all have loaded the sums that it
// overwrites, and meet, and no arrival at an issue overtakes the one before.
//
// Tensor cores run the products of a thread in order, so a product that overwrites S[i] comes behind the
// one that reads the P which lies there. Threads have loaded S[i] before they meet in front of the product
// between: no meeting of its own stands in front of the product that is ahead.
//
// Sums of the other products are waited for turn by turn, in front of what reads or changes them, or
// writes an operand that the product of the turn before still reads.
//
// Where several groups of warps hold a block of 128 rows each, the blocks are products of their own, which
// need no second columns:
//
//   if there is a turn:  issue(0) { wait K; S = Q x K; release K; announce S }     of all blocks
//   for turn:            wait S of the own rows; load it;  ...  update P;  scale O
//                        issue(turn) { for each block: its rows have arrived; wait V; O += P x V;
//                                      if there is a next: wait K; S = Q x K;    announce S }
//   wait S
//
// While tensor cores work for one block, the warps of another reduce their rows. A thread's products run in
// order, so those into S come behind what reads P, which may lie there, and S is announced when O is complete,
// too: O is not waited for by itself. The last announcement stands for O alone.
//
// With warps that issue (`issueApart`), the issues stand where they are, and say which agent runs them: it
// waits until all threads have come to those that read what they wrote, and to the first one of a loop, in
// front of which operands are staged and sums stored. All others need no wait: products of a thread run in
// order, and what a product overwrites has been loaded before threads came to the one in front of it.
//
// Invariant: the loop issues the same products in the same order, but that the first one of a turn comes
// before the others of the turn in front of it; they touch no columns and no slots in common.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/dialect/TileAS/Transforms/OverlapProducts.h"

#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/dialect/TileAS/IR/IssueSlice.h"
#include "compiler/dialect/TileAS/IR/TensorCoreAtom.h"
#include "compiler/dialect/TileAS/Transforms/ProductTurns.h"
#include "compiler/dialect/TileAS/Transforms/Schedule.h"
#include "compiler/dialect/TileAS/Transforms/TensorMemoryPlaces.h"
#include "compiler/dialect/TileAS/Transforms/TensorMemoryProducts.h"
#include "compiler/support/Plants.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas;

namespace {

/// A product of the loop with the stage that it reads.
struct StagedProduct {
  TensorMemoryDotOp dot;
  ConsumerReadOp read;
  ConsumerWaitOp wait;
  ConsumerReleaseOp release;

  TensorMemoryStoreOp sums() { return dot.getAcc().getDefiningOp<TensorMemoryStoreOp>(); }
  /// In columns of their own, or those of other sums; null for one in shared memory.
  TensorMemoryStoreOp fragment() { return dot.getLhs().getDefiningOp<TensorMemoryStoreOp>(); }
};

class Overlap {
public:
  explicit Overlap(scf::ForOp loop)
      : loop(loop), function(loop->getParentOfType<tileaa::FuncOp>()) {}

  std::optional<std::string> run() {
    SmallVector<TensorMemoryDotOp> dots = productsIn(loop);
    // A lone product whose sums are carried is nobody's to wait for.
    if (dots.empty() || (dots.size() == 1 && !dots.front().getOverwrites()))
      return "";
    for (TensorMemoryDotOp dot : dots)
      if (auto problem = addProduct(dot))
        return problem;
    auto around = dyn_cast<scf::ForOp>(loop->getParentOp());
    if (!isa<AgentSwitchOp>((around ? around : loop)->getParentOp()))
      return "the loop stands inside of another operation";
    auto problem = matchAhead();
    if (!problem && !others().empty())
      problem = matchOthers();
    if (!problem && matchApart()) {
      rewriteApart();
      return std::nullopt;
    }
    if (!problem)
      problem = matchColumns();
    if (!problem)
      rewrite();
    return problem;
  }

private:
  std::optional<std::string> addProduct(TensorMemoryDotOp dot) {
    StagedProduct product{dot, dyn_cast<ConsumerReadOp>(dot->getParentOp()), {}, {}};
    if (!product.read || product.read->getBlock() != loop.getBody() || product.read.getNumResults())
      return "an operand of a product comes from no ring";
    if (!dot.getScales().empty())
      return "a ring is shared by all warps";
    ProductRing ring;
    if (auto problem =
            collectRing(product.read.getPipeline().getDefiningOp<CreatePipelineOp>(), loop, ring))
      return problem;
    if (ring.reads.size() > 1)
      return "two products share a ring";
    if (!ring.threadReads.empty())
      return "others read what a product reads";
    if (ring.isFilledHere)
      return "threads copy a part of what a product reads";
    product.wait = ring.wait;
    product.release = ring.release;
    products.push_back(product);
    return std::nullopt;
  }

  std::optional<std::string> matchAhead() {
    StagedProduct &ahead = products.front();
    aheadSums = ahead.sums();
    Operation *staged = ahead.dot.getLhs().getDefiningOp();
    if (!ahead.dot.getOverwrites())
      return "the sums of the first product are carried";
    if (isa<AccumulatorType>(ahead.dot.getLhs().getType()) ||
        (staged && loop->isAncestor(staged)) ||
        (ahead.dot.getRhs().getDefiningOp() &&
         loop->isAncestor(ahead.dot.getRhs().getDefiningOp())))
      return "the loop computes an operand of the first product";
    for (Operation *user : ahead.dot.getAcc().getUsers()) {
      if (user == ahead.dot)
        continue;
      auto one = dyn_cast<TensorMemoryLoadOp>(user);
      if (!one || load || one->getBlock() != loop.getBody())
        return "the sums of the first product are used in several ways";
      load = one;
    }
    if (!load)
      return "nobody uses the sums of the first product";
    for (StagedProduct &other : others())
      for (StagedProduct &more : others())
        if (more.dot != other.dot && more.dot.getAcc() == other.dot.getAcc())
          return "two products add to the same sums";
    return std::nullopt;
  }

  MutableArrayRef<StagedProduct> others() { return MutableArrayRef(products).drop_front(); }

  /// What the product of the turn before may still read or write: in front of it that one is waited for.
  bool waitsFor(Operation &op, StagedProduct &product) {
    if (auto scale = dyn_cast<TensorMemoryScaleOp>(op))
      return scale.getAcc() == product.dot.getAcc();
    if (auto loaded = dyn_cast<TensorMemoryLoadOp>(op))
      return loaded.getAcc() == product.dot.getAcc();
    if (auto update = dyn_cast<TensorMemoryUpdateOp>(op))
      return update.getAcc() == product.dot.getAcc() ||
             (update.getAcc() == product.dot.getLhs() && !isOverAhead(product.fragment()));
    if (auto stage = dyn_cast<TensorMemoryStageOp>(op))
      return stage.getResult() == product.dot.getLhs() || stage.getResult() == product.dot.getRhs();
    return op.isAncestor(product.dot);
  }

  /// The fragment lies where the sums of the first product were.
  bool isOverAhead(TensorMemoryStoreOp fragment) { return shareColumns(fragment, aheadSums); }

  std::optional<std::string> matchOthers() {
    bool meets = false;
    for (StagedProduct &other : others()) {
      if (other.read->isBeforeInBlock(load))
        return "another product comes before the sums are used";
      Operation *first = nullptr;
      for (Operation &op : *loop.getBody())
        if (!first && waitsFor(op, other))
          first = &op;
      for (Operation *user : other.dot.getAcc().getUsers()) {
        if (user == other.dot)
          continue;
        bool isBehind = isa<TensorMemoryLoadOp>(user) && user->getBlock() == loop->getBlock() &&
                        loop->isBeforeInBlock(user);
        bool isInFront = user->getBlock() == loop.getBody() && user->isBeforeInBlock(other.read);
        if (!isBehind && !isInFront)
          return "the sums of another product are used in the same turn";
      }
      if (auto fragment = other.fragment())
        for (Operation *user : fragment.getAcc().getUsers())
          if (user->getBlock() != loop.getBody() && user != other.dot)
            return "another loop uses the left operand of a product";
      waits.push_back(first);
      for (Operation &op : *loop.getBody())
        meets |= &op != other.read && load->isBeforeInBlock(&op) &&
                 op.isBeforeInBlock(other.read) && waitsForOrWrites(op, other);
    }
    if (!meets)
      return "no product between waits for all threads";
    return std::nullopt;
  }

  /// Writes an operand or sums of the product, so that all threads meet in front of it.
  bool waitsForOrWrites(Operation &op, StagedProduct &product) {
    if (auto update = dyn_cast<TensorMemoryUpdateOp>(op))
      return update.getAcc() == product.dot.getLhs() || update.getAcc() == product.dot.getAcc();
    return !isa<TensorMemoryLoadOp>(op) && waitsFor(op, product);
  }

  std::optional<std::string> matchColumns() {
    int64_t count = tensorMemoryColumns(storedType(aheadSums));
    std::optional<int64_t> found = findColumns(function, loop, count);
    if (!found)
      return std::to_string(count) + " columns of tensor memory are not free";
    second = *found;
    for (StagedProduct &other : others()) {
      TensorMemoryStoreOp fragment = other.fragment();
      if (fragment && isOverAhead(fragment) &&
          (fragment.getColumn() < aheadSums.getColumn() ||
           fragment.getColumn() + tensorMemoryColumns(storedType(fragment)) >
               aheadSums.getColumn() + count))
        return "a left operand lies over several sums";
    }
    return std::nullopt;
  }

  /// Blocks of rows can be products of their own: threads load S before they change what the products of the
  /// turn before read or write, and a block's operands are written by the warps that wait for it.
  bool matchApart() {
    if (others().size() != 1)
      return false;
    StagedProduct &other = others().front();
    TensorMemoryStoreOp fragment = other.fragment();
    if (!fragment || !isa<BlockArgument>(other.dot.getRhs()) ||
        waits.front()->isBeforeInBlock(load))
      return false;
    RankedTensorType sums = storedType(aheadSums), carried = storedType(other.sums());
    unsigned warps = 1u << getLayout(sums).getWarps().size();
    for (RankedTensorType type : {sums, carried, storedType(fragment)}) {
      auto shape = tensorMemoryShape(type.getDimSize(0), type.getDimSize(1), warps);
      if (!shape || !shape->hasBlocksApart() ||
          shape->blocks() != sums.getDimSize(0) / kTensorMemoryLanes)
        return false;
    }
    return true;
  }

  //===- rewriting --------------------------------------------------------------------------------//

  /// What both ways begin with: turns are counted, and the loop begins with what the next turn needs.
  void prepare(OpBuilder &builder) {
    Location loc = loop.getLoc();
    addTurns();
    turn = loop.getRegionIterArgs().back();
    Operation *count = loop.getYieldedValues().back().getDefiningOp();
    auto iterator = cast<BlockArgument>(products.front().wait.getIterator());
    Operation *next = loop.getTiedLoopYieldedValue(iterator)->get().getDefiningOp();
    for (StagedProduct &product : products)
      dropToken(product.wait);
    builder.setInsertionPoint(loop);
    someTurn = hasTurns(builder, loop);
    firstStage = loop.getTiedLoopInit(iterator)->get();
    count->moveBefore(&loop.getBody()->front());
    next->moveAfter(count);
    builder.setInsertionPointAfter(next);
    Value left = arith::SubIOp::create(builder, loc, loop.getUpperBound(), loop.getInductionVar());
    Value step = loop.getStep();
    if (TILESMITH_PLANT("tcgen05-ahead-turns-by-one"))
      step = arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(step.getType(), 1));
    nextTurn = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ugt, left, step);
    counted = count->getResult(0);
    nextStage = next->getResult(0);
  }

  void rewrite() {
    OpBuilder builder(loop);
    Location loc = loop.getLoc();
    prepare(builder);
    StagedProduct ahead = products.front();
    builder.setInsertionPoint(load);
    TensorMemoryWaitOp::create(builder, loc, load.getAcc(), turn);
    if (!others().empty())
      builder.setInsertionPointAfterValue(nextTurn);
    issueAhead(builder, ahead, counted, nextTurn, nextStage);
    builder.setInsertionPoint(loop);
    issueAhead(builder, ahead, firstTurn, someTurn, firstStage).setFirst(true);
    ahead.release.erase();
    ahead.read.erase();
    ahead.wait.erase();

    aheadSums.setSecond(second);
    aheadSums.setTracked(true);
    load.getTurnMutable().assign(turn);
    for (auto [other, first] : llvm::zip_equal(others(), waits))
      issueInTurn(other, first);
  }

  /// Blocks of rows one after the other.
  void rewriteApart() {
    isApart = true;
    OpBuilder builder(loop);
    Location loc = loop.getLoc();
    prepare(builder);
    StagedProduct ahead = products.front(), other = others().front();
    int64_t blocks = storedType(aheadSums).getDimSize(0) / kTensorMemoryLanes;
    for (TensorMemoryStoreOp sums : {aheadSums, other.sums()}) {
      sums.setTracked(true);
      sums.setApart(true);
    }
    builder.setInsertionPoint(loop);
    auto first = issueAhead(builder, ahead, firstTurn, someTurn, firstStage);
    first.setFirst(true);
    auto some = cast<scf::IfOp>(first.getBody().front().front());
    builder.setInsertionPoint(some.getThenRegion().front().getTerminator());
    for (int64_t block = 0; block < blocks; ++block)
      TensorMemoryAnnounceOp::create(builder, loc, aheadSums.getAcc(), uint32_t(block));

    builder.setInsertionPoint(other.read);
    auto issue = TensorMemoryIssueOp::create(builder, loc, turn);
    builder.createBlock(&issue.getBody());
    auto yield = PipelineYieldOp::create(builder, loc, ValueRange());
    for (int64_t block = 0; block < blocks; ++block) {
      bool isLast = block + 1 == blocks;
      bool releases =
          isLast || (block == 0 && TILESMITH_PLANT("tcgen05-apart-stage-released-early"));
      builder.setInsertionPoint(yield);
      TensorMemoryArrivedOp::create(builder, loc, uint32_t(block));
      if (!block)
        other.wait->moveBefore(yield);
      onlyRows(cast<ConsumerReadOp>(builder.clone(*other.read)), block);
      if (isLast)
        other.release->moveBefore(yield);
      auto branch = scf::IfOp::create(builder, loc, nextTurn, /*withElseRegion=*/false);
      TensorMemoryAnnounceOp::create(builder, loc, aheadSums.getAcc(), uint32_t(block));
      builder.setInsertionPoint(branch.getThenRegion().front().getTerminator());
      IRMapping mapping;
      mapping.map(ahead.wait.getIterator(), nextStage);
      cast<ConsumerWaitOp>(builder.clone(*ahead.wait, mapping))
          .setWaited(block || TILESMITH_PLANT("tcgen05-apart-stage-unawaited"));
      onlyRows(cast<ConsumerReadOp>(builder.clone(*ahead.read, mapping)), block);
      if (releases)
        builder.clone(*ahead.release, mapping);
    }
    other.read.erase();
    ahead.release.erase();
    ahead.read.erase();
    ahead.wait.erase();
    builder.setInsertionPoint(load);
    TensorMemoryWaitOp::create(builder, loc, load.getAcc(), counted);
    builder.setInsertionPointAfterValue(lastTurn);
    TensorMemoryWaitOp::create(builder, loc, load.getAcc(), lastTurn);
  }

  static void onlyRows(ConsumerReadOp read, int64_t block) {
    for (auto dot : read.getBody().getOps<TensorMemoryDotOp>())
      dot.setRowBlock(uint32_t(block));
  }

  void addTurns() {
    NumberedTurns turns = numberTurns(loop);
    loop = turns.loop;
    firstTurn = turns.first;
    if (isApart) { // one announcement more than turns, where there are some
      OpBuilder outside(loop);
      Location loc = loop.getLoc();
      Value some = hasTurns(outside, loop);
      outside.setInsertionPointAfter(loop);
      Value more = arith::ExtUIOp::create(outside, loc, outside.getI32Type(), some);
      if (!TILESMITH_PLANT("tcgen05-apart-last-turn-unawaited"))
        turns.goOnFrom(arith::AddIOp::create(outside, loc, turns.last, more));
    }
    lastTurn = turns.last;
  }

  /// The first product for the turn `at`, whose stage is that of `iterator`, where there is such a turn.
  TensorMemoryIssueOp issueAhead(OpBuilder &builder, StagedProduct &ahead, Value at, Value exists,
                                 Value iterator) {
    OpBuilder::InsertionGuard guard(builder);
    Location loc = ahead.dot.getLoc();
    auto issue = TensorMemoryIssueOp::create(builder, loc, at);
    builder.createBlock(&issue.getBody());
    auto branch = scf::IfOp::create(builder, loc, exists, /*withElseRegion=*/false);
    PipelineYieldOp::create(builder, loc, ValueRange());
    builder.setInsertionPoint(branch.getThenRegion().front().getTerminator());
    IRMapping mapping;
    mapping.map(ahead.wait.getIterator(), iterator);
    builder.clone(*ahead.wait, mapping);
    if (TILESMITH_PLANT("tcgen05-ahead-stage-released-early"))
      builder.clone(*ahead.release, mapping);
    builder.clone(*ahead.read, mapping);
    if (!TILESMITH_PLANT("tcgen05-ahead-stage-released-early"))
      builder.clone(*ahead.release, mapping);
    return issue;
  }

  /// Another product, behind what threads do in its turn.
  void issueInTurn(StagedProduct &product, Operation *first) {
    OpBuilder builder(first);
    Location loc = product.dot.getLoc();
    Value acc = product.dot.getAcc();
    product.sums().setTracked(true);
    TensorMemoryWaitOp::create(builder, loc, acc, turn);
    builder.setInsertionPoint(product.read);
    auto issue = TensorMemoryIssueOp::create(builder, loc, turn);
    builder.createBlock(&issue.getBody());
    auto yield = PipelineYieldOp::create(builder, loc, ValueRange());
    for (Operation *op :
         {product.wait.getOperation(), product.read.getOperation(), product.release.getOperation()})
      op->moveBefore(yield);
    if (TensorMemoryStoreOp fragment = product.fragment(); fragment && isOverAhead(fragment)) {
      fragment.setSecond(second + fragment.getColumn() - aheadSums.getColumn());
      for (Operation *user : fragment.getAcc().getUsers())
        if (auto update = dyn_cast<TensorMemoryUpdateOp>(user))
          update.getTurnMutable().assign(turn);
    }
    builder.setInsertionPointAfter(loop);
    TensorMemoryWaitOp::create(builder, loc, acc, lastTurn);
  }

  scf::ForOp loop;
  tileaa::FuncOp function;
  SmallVector<StagedProduct> products;
  SmallVector<Operation *>
      waits; ///< per other product: in front of what that of the last turn is waited for
  TensorMemoryStoreOp aheadSums; ///< the first product's sums
  TensorMemoryLoadOp load;       ///< of them
  int64_t second = 0;            ///< the first of the second columns
  bool isApart = false;          ///< blocks of rows are products of their own
  Value turn, counted;           ///< of the loop: this turn, the next one
  Value firstTurn, lastTurn;     ///< the loop's first turn, the one behind its last
  Value someTurn, nextTurn;      ///< whether there is a first turn, a next one
  Value firstStage, nextStage;   ///< iterators of the first product's ring
};

} // namespace

std::optional<std::string> tileas::overlapProducts(scf::ForOp loop) {
  return Overlap(loop).run();
}

std::optional<std::string> tileas::issueApart(AgentSwitchOp agents) {
  Region &threads = agents.getAgents().front(), &last = agents.getAgents().back();
  SmallVector<TensorMemoryIssueOp> issues;
  threads.walk([&](TensorMemoryIssueOp issue) { issues.push_back(issue); });
  if (agents.getAgents().size() < 3 || last.front().getOperations().size() != 1 || issues.empty())
    return "";
  std::optional<IssueSlice> slice = issueSlice(threads, issues);
  if (!slice)
    return "one thread cannot know which products there are";
  for (Operation *op : slice->operations)
    if (isa<LoadOp, TiledLoadOp>(op) && !readsAlone(op))
      return "a load that says which products there are cannot be done twice";
  for (TensorMemoryIssueOp issue : issues)
    issue.setAgent(last.getRegionNumber());
  return std::nullopt;
}
