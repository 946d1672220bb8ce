//===- TensorMemoryProducts.cpp - products whose sums lie in tensor memory --------------------===//
//
// Of tileas-refine-atom-by-resource, for sm_100 and its relatives. A product takes
//
//   operands  from slots of one pipeline; else a tile is staged: in tensor memory where it is the left
//             one of 128 rows and computed next to the product, in a shared buffer of its own otherwise,
//             once in front of the loop where the loop does not change it
//   sums      that a loop carries: stored before the loop and loaded behind it. A factor per row is
//             multiplied with where they lie (`scale`); what else the loop does to them element by
//             element is done to what is loaded, and put back (`update`). What else the loop computes
//             from them it loads, in front of the product
//   sums      that begin at zero: overwritten, and loaded at once
//   sums      of another product that nobody else uses: this one adds to them where they lie
//   others    put there for the product (`update`), and loaded at once
//   scales    of a block-scaled product all four of whose operands are slots of one pipeline, and whose
//             sums are only carried; other such products multiply the scaled operands
//
// Sums have columns of their own, unless their loops follow each other; the columns of a staged left
// operand may be those of sums that were loaded before it is written and overwritten later. Blocks of
// a multiprocessor share its 512 columns.
//
// One file, though long: one class, whose functions rewrite one product and share its operands and sums.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/dialect/TileAS/Transforms/TensorMemoryProducts.h"

#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/dialect/TileAS/IR/TensorCoreAtom.h"
#include "compiler/dialect/TileAS/IR/ThroughConversions.h"
#include "compiler/dialect/TileAS/Transforms/ComputedOperands.h"
#include "compiler/dialect/TileAS/Transforms/PipelineUses.h"
#include "compiler/dialect/TileAS/Transforms/ScaledProducts.h"
#include "compiler/dialect/TileAS/Transforms/TensorMemoryPlaces.h"
#include "compiler/support/Plants.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas;

/// Elementwise operations between a carried sum and its product.
static constexpr unsigned kMaxChain = 4;
/// A product with operands or sums of its own waits and meets: not for fewer instructions of
/// mma.sync in a warp.
static constexpr int64_t kFewestInstructions = 16;
/// One that comes once pays for its columns, too.
static constexpr int64_t kFewestOutsideLoops = 32;

bool tileas::isZeroTile(Value tile) {
  tile = throughConversions(tile);
  if (auto splat = tile.getDefiningOp<tileaa::SplatOp>())
    tile = splat->getOperand(0);
  return matchPattern(tile, m_PosZeroFloat()) || matchPattern(tile, m_Zero());
}

/// The operations from a value that the loop carries to `value`; each has one use, what is carried has others,
/// too, where it `mayBeRead`.
static BlockArgument followToCarried(Value value, scf::ForOp loop, bool mayBeRead,
                                     SmallVectorImpl<Operation *> &chain) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!value.hasOneUse() && !(argument && mayBeRead))
    return {};
  if (argument)
    return argument.getOwner() == loop.getBody() && argument != loop.getInductionVar()
               ? argument
               : BlockArgument();
  Operation *op = value.getDefiningOp();
  auto type = cast<RankedTensorType>(value.getType());
  bool isConversion = isa<ConvertLayoutOp>(op);
  if (op->getBlock() != loop.getBody() || op->getNumRegions() || op->getNumResults() != 1 ||
      chain.size() > 2 * kMaxChain ||
      (!isConversion && (!isMemoryEffectFree(op) || isa<TileASDialect>(op->getDialect()))))
    return {};
  chain.push_back(op);
  size_t length = chain.size();
  for (Value operand : op->getOperands()) {
    auto other = dyn_cast<RankedTensorType>(operand.getType());
    if (!other || other.getShape() != type.getShape() ||
        other.getElementType() != type.getElementType())
      continue;
    if (BlockArgument found = followToCarried(operand, loop, mayBeRead, chain))
      return found;
    chain.truncate(length);
  }
  return {};
}

std::optional<CarriedSum> tileas::carriedSum(DotOp dot, bool mayBeRead) {
  auto loop = dyn_cast<scf::ForOp>(dot->getParentOp());
  if (!loop)
    return std::nullopt;
  CarriedSum sum;
  sum.loop = loop;
  BlockArgument carried = followToCarried(dot.getAcc(), loop, mayBeRead, sum.chain);
  if (!carried)
    return std::nullopt;
  std::reverse(sum.chain.begin(), sum.chain.end());
  sum.index = carried.getArgNumber() - loop.getNumInductionVars();
  sum.after = dot.getResult();
  while (sum.after.hasOneUse() && isa<ConvertLayoutOp>(*sum.after.getUsers().begin()))
    sum.after = sum.after.getUsers().begin()->getResult(0);
  if (!sum.after.hasOneUse() || loop.getYieldedValues()[sum.index] != sum.after)
    return std::nullopt;
  return sum;
}

bool tileas::isWorthTensorMemory(DotOp dot) {
  const int64_t fewest =
      isa<scf::ForOp>(dot->getParentOp()) ? kFewestInstructions : kFewestOutsideLoops;
  auto acc = cast<RankedTensorType>(dot.getAcc().getType()),
       lhs = cast<RankedTensorType>(dot.getLhs().getType());
  int64_t warps = int64_t(1) << getLayout(acc).getWarps().size();
  int64_t work =
      acc.getNumElements() * lhs.getDimSize(1) * bufferElementBytes(lhs.getElementType()) / 2;
  return work / (16 * 8 * 16) / warps >= fewest;
}

namespace {

/// The warps that run the operation are whole groups of four, counted from a multiple of four.
bool hasWholeGroups(Operation *op) {
  auto agents = op->getParentOfType<AgentSwitchOp>();
  if (!agents)
    return true;
  unsigned first = 0;
  for (auto [region, warps] : llvm::zip_equal(agents.getAgents(), agents.getNumWarps())) {
    if (region.isAncestor(op->getParentRegion()))
      return first % 4 == 0;
    first += warps;
  }
  return false;
}

class TensorProduct {
public:
  TensorProduct(DotOp dot, const target::GpuTarget &gpu)
      : dot(dot), gpu(gpu), function(dot->getParentOfType<tileaa::FuncOp>()),
        loop(dyn_cast<scf::ForOp>(dot->getParentOp())),
        accType(cast<RankedTensorType>(dot.getAcc().getType())) {}

  /// As a product of operands and scales in slots.
  bool matchScaled() {
    scaled = scaledOperands(dot);
    if (!scaled)
      return false;
    warps = 1u << getLayout(accType).getWarps().size();
    atom = scaledAtom(dot, *scaled, warps);
    sum = carriedSum(dot);
    if (!atom || !sum || !hasWholeGroups(dot) ||
        !llvm::all_of(sum->chain, llvm::IsaPred<ConvertLayoutOp>))
      return false;
    lhs = slotOperand(scaled->lhs.data, atom->elementBytes, 0);
    rhs = slotOperand(scaled->rhs.data, atom->elementBytes, 1);
    lhsScales = scaleSlot(scaled->lhs);
    rhsScales = scaleSlot(scaled->rhs);
    if (!lhs || !rhs || !lhsScales || !rhsScales || lhs->read != rhs->read ||
        lhs->read != lhsScales->read || lhs->read != rhsScales->read)
      return false;
    shape = *tensorMemoryShape(accType.getDimSize(0), accType.getDimSize(1), warps);
    int64_t depth = cast<RankedTensorType>(scaled->lhs.data.getType()).getDimSize(1);
    if (instructionsOf(depth) > kMaxProductInstructions)
      return false;
    const int64_t words = depth / atom->scaleWord();
    std::optional<int64_t> first =
        findColumns(function, loop,
                    shape.columns() + scaleColumns(shape.m, words) + scaleColumns(shape.n, words));
    if (!first)
      return false;
    column = *first;
    return true;
  }

  bool match(bool local) {
    scaled.reset();
    lhsScales.reset();
    rhsScales.reset();
    if (!dot.getAtom())
      return false;
    auto lhsType = cast<RankedTensorType>(dot.getLhs().getType());
    atom = findTensorCoreAtom(lhsType.getElementType(), accType.getElementType(),
                              dot.getSignedLhs(), dot.getSignedRhs());
    if (!atom || accType.getRank() != 2 || !hasWholeGroups(dot) ||
        (accType.getElementType().isInteger() && !gpu.has(target::Feature::Tcgen05I8)))
      return false;
    warps = 1u << getLayout(accType).getWarps().size();
    std::optional<TensorMemoryShape> fitting =
        tensorMemoryShape(accType.getDimSize(0), accType.getDimSize(1), warps);
    int64_t depth = lhsType.getDimSize(1);
    if (!fitting || depth < atom->k())
      return false;
    shape = *fitting;
    if (instructionsOf(depth) > kMaxProductInstructions)
      return false;
    sum = carriedSum(dot, /*mayBeRead=*/true);
    lhs = slotOperand(dot.getLhs(), atom->elementBytes, 0, /*anyAcross=*/true);
    rhs = slotOperand(dot.getRhs(), atom->elementBytes, 1, /*anyAcross=*/true);
    if (lhs && rhs && lhs->read != rhs->read)
      return false;
    if (!loop) { // tiles that come once are staged
      lhs.reset();
      rhs.reset();
    }
    bool simple = sum && lhs && rhs && llvm::all_of(sum->chain, llvm::IsaPred<ConvertLayoutOp>);
    const bool comesOnce = !dot->getParentOfType<LoopLikeOpInterface>();
    if (!simple && !(local && (loop || comesOnce) && isWorthTensorMemory(dot)))
      return false;
    matchAdded();
    if (added) {
      column = added.getAcc().getDefiningOp<TensorMemoryStoreOp>().getColumn();
      return matchStaging();
    }
    std::optional<int64_t> first = findColumns(function, place(), shape.columns());
    if (!first)
      return false;
    column = *first;
    return matchStaging();
  }

  void rewrite() {
    OpBuilder builder(dot);
    Location loc = dot.getLoc();
    MLIRContext *context = dot.getContext();
    auto newType = withLayout(accType, tensorMemoryLayout(context, shape));
    if (lhs)
      prepareBuffer(*lhs, atom->elementBytes);
    if (rhs)
      prepareBuffer(*rhs, atom->elementBytes);
    if (scaled) {
      prepareScales(*lhsScales, scaled->lhs);
      prepareScales(*rhsScales, scaled->rhs);
    }
    Value acc = added ? added.getAcc() : giveColumns(newType);
    if (sum)
      loadForReaders(acc, newType);
    Value left = lhs ? Value() : stageLhs(acc),
          right = rhs ? Value() : stage(dot.getRhs(), rhsForm);
    bool overwrites = added ? TILESMITH_PLANT("tcgen05-added-sums-overwritten")
                            : !sum && (isZeroTile(dot.getAcc()) ||
                                       TILESMITH_PLANT("tcgen05-computed-sum-overwritten"));
    if (sum)
      updateCarried(acc, newType);
    else if (!overwrites && !added)
      update(acc, dot.getAcc(), newType);
    multiply(left, right, acc, overwrites);
    if (sum) {
      builder.setInsertionPointAfter(loop);
      Value sums = TensorMemoryLoadOp::create(builder, loc, newType, acc, Value(), 0);
      Value result = loop.getResult(sum->index);
      auto held = ConvertLayoutOp::create(builder, loc, result.getType(), sums);
      result.replaceAllUsesWith(held);
      loadSlices(held);
      // What the loop still carries is what it began with, and nobody reads it.
      Value after = sum->after;
      after.replaceAllUsesWith(loop.getRegionIterArg(sum->index));
      eraseUnused(after);
    } else {
      builder.setInsertionPoint(dot);
      Value sums = TensorMemoryLoadOp::create(builder, loc, newType, acc, Value(), 0);
      dot.getResult().replaceAllUsesWith(ConvertLayoutOp::create(builder, loc, accType, sums));
    }
    erase();
    if (sum)
      carryNothing();
    if (added)
      added.erase();
  }

private:
  /// In front of what the product's columns and buffers are for: the loop, or outside of loops the product.
  Operation *place() { return loop ? loop.getOperation() : dot.getOperation(); }

  bool isMadeInTurn(Value source) const {
    return loop && loop->isAncestor(source.getParentRegion()->getParentOp());
  }

  /// Columns of the product's own, and what it begins with.
  Value giveColumns(RankedTensorType type) {
    OpBuilder builder(place());
    Location loc = dot.getLoc();
    Value init = sum ? ConvertLayoutOp::create(builder, loc, type, loop.getInitArgs()[sum->index])
                           .getResult()
                     : zeroOf(builder, type);
    return TensorMemoryStoreOp::create(builder, loc, AccumulatorType::get(builder.getContext()),
                                       init, uint32_t(column), IntegerAttr());
  }

  /// The product adds to what another one of the turn left in tensor memory, and nobody else wants that.
  void matchAdded() {
    added = {};
    Value before = dot.getAcc();
    while (before.hasOneUse() && before.getDefiningOp<ConvertLayoutOp>())
      before = before.getDefiningOp<ConvertLayoutOp>().getSource();
    auto load = before.getDefiningOp<TensorMemoryLoadOp>();
    if (sum || !load || !before.hasOneUse() || load->getBlock() != dot->getBlock() ||
        before.getType() != withLayout(accType, tensorMemoryLayout(dot.getContext(), shape)))
      return;
    // What stands between a loop and a product behind it waits for the loop's sums, and with them for all that reads
    // its rings.
    if (!loop && loopOf(load.getAcc().getDefiningOp<TensorMemoryStoreOp>()) &&
        !TILESMITH_PLANT("tcgen05-sums-of-loop-unawaited"))
      return;
    // What changes the sums behind the load, as the product into carried ones that it stands in front of, wants them.
    if (!llvm::all_of(load.getAcc().getUsers(),
                      [&](Operation *user) {
                        Operation *here = dot->getBlock()->findAncestorOpInBlock(*user);
                        return isa<TensorMemoryLoadOp>(user) ||
                               (here && here->isBeforeInBlock(load));
                      }) &&
        !TILESMITH_PLANT("tcgen05-added-to-carried-sums"))
      return;
    // A left operand may lie over sums that were loaded.
    auto store = load.getAcc().getDefiningOp<TensorMemoryStoreOp>();
    WalkResult taken = function->walk([&](TensorMemoryStoreOp other) {
      bool overlaps = other != store && shareColumns(other, store);
      return overlaps ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (!taken.wasInterrupted() || TILESMITH_PLANT("tcgen05-added-sums-under-others"))
      added = load;
  }

  /// What the loop computes from a carried sum, but the sum itself, is computed from what is loaded in front of
  /// the product: behind other loads, which wait for products already.
  void loadForReaders(Value acc, RankedTensorType type) {
    BlockArgument carried = loop.getRegionIterArg(sum->index);
    Operation *last = sum->chain.empty() ? dot.getOperation() : sum->chain.front();
    Operation *first = dot;
    SmallVector<OpOperand *> uses;
    for (OpOperand &use : carried.getUses()) {
      Operation *user = use.getOwner();
      if (user == last)
        continue;
      uses.push_back(&use);
      Operation *here = loop.getBody()->findAncestorOpInBlock(*user);
      if (here->isBeforeInBlock(first))
        first = here;
    }
    if (uses.empty() || TILESMITH_PLANT("tcgen05-readers-see-first-sums"))
      return;
    OpBuilder builder(first);
    for (Operation *op = first; op; op = op->getPrevNode())
      if (isa<TensorMemoryLoadOp>(op)) {
        builder.setInsertionPointAfter(op);
        break;
      }
    Value held = TensorMemoryLoadOp::create(builder, dot.getLoc(), type, acc, Value(), 0);
    auto converted = ConvertLayoutOp::create(builder, dot.getLoc(), carried.getType(), held);
    for (OpOperand *use : uses)
      use->set(converted);
    // Rounded at once, it takes half of the registers.
    Operation *at = converted;
    for (OpOperand *use : uses)
      if (auto round = dyn_cast<tileaa::FpToFpOp>(use->getOwner());
          round && round->getBlock() == loop.getBody()) {
        round->moveAfter(at);
        at = round;
      }
  }

  /// Zeros in place of what the loop began with, where it only hands them on: no thread holds those.
  void carryNothing() {
    BlockArgument carried = loop.getRegionIterArg(sum->index);
    if (!carried.hasOneUse())
      return;
    OpBuilder builder(loop);
    OpOperand &begun = loop.getInitArgsMutable()[sum->index];
    Value before = begun.get();
    begun.assign(zeroOf(builder, cast<RankedTensorType>(carried.getType())));
    eraseUnused(before);
  }

  int64_t instructionsOf(int64_t depth) const {
    return shape.blocks() * (shape.n / shape.instructionN()) * (depth / atom->k());
  }

  /// Some columns of sums, each of whose rows a thread holds, are loaded alone.
  void loadSlices(ConvertLayoutOp held) {
    auto whole = held.getSource().getDefiningOp<TensorMemoryLoadOp>();
    if (shape.m != kTensorMemoryLanes || shape.groupsN != 1)
      return;
    SmallVector<ExtractSliceOp> slices;
    SmallVector<Value> work{held.getResult()};
    while (!work.empty()) {
      Value value = work.pop_back_val();
      for (Operation *user : value.getUsers()) {
        if (isa<ConvertLayoutOp>(user))
          work.push_back(user->getResult(0));
        else if (auto slice = dyn_cast<ExtractSliceOp>(user))
          slices.push_back(slice);
      }
    }
    for (ExtractSliceOp slice : slices) {
      auto type = dyn_cast<RankedTensorType>(slice.getResult().getType());
      APInt row, column;
      if (!type || type.getDimSize(0) != shape.m ||
          !matchPattern(slice.getIndices()[0], m_ConstantInt(&row)) ||
          !matchPattern(slice.getIndices()[1], m_ConstantInt(&column)))
        continue;
      std::optional<TensorMemoryShape> piece =
          tensorMemoryShape(shape.m, type.getDimSize(1), warps);
      int64_t first = TILESMITH_PLANT("tcgen05-slice-always-first")
                          ? 0
                          : column.getSExtValue() * type.getDimSize(1);
      if (!piece || first < 0 || first + piece->n > shape.n)
        continue;
      OpBuilder builder(slice);
      auto loaded = TensorMemoryLoadOp::create(
          builder, slice.getLoc(), withLayout(type, tensorMemoryLayout(slice.getContext(), *piece)),
          whole.getAcc(), Value(), uint32_t(first));
      Value source = slice.getSource();
      slice.replaceAllUsesWith(
          ConvertLayoutOp::create(builder, slice.getLoc(), type, loaded).getResult());
      slice.erase();
      eraseUnused(source);
    }
    if (whole.use_empty())
      whole.erase();
  }

  /// Scales in a slot whose copies bring the scales of a word together.
  std::optional<SlotValue> scaleSlot(const ScaledOperand &operand) const {
    std::optional<SlotValue> slot = slotValue(operand.scales);
    if (!slot)
      return std::nullopt;
    auto pipeline = slot->read.getPipeline().getDefiningOp<CreatePipelineOp>();
    SharedLayoutAttr plain = getSharedLayout(pipeline.getBuffers()[slot->buffer].getType());
    if (plain.getOffsets()[0] != (operand.blockDim == 1 ? 1 : plain.getShape()[1]))
      return std::nullopt;
    for (Value other : slotsOf(pipeline, slot->buffer))
      for (Operation *user : other.getUsers())
        if (auto copy = dyn_cast<AsyncTiledLoadOp>(user);
            !isa<CopyOp>(user) && (!copy || copy.getVector() > kScalesOfWord))
          return std::nullopt;
    return slot;
  }

  static void prepareScales(SlotValue slot, const ScaledOperand &operand) {
    auto pipeline = slot.read.getPipeline().getDefiningOp<CreatePipelineOp>();
    ArrayRef<int64_t> extents =
        getSharedLayout(pipeline.getBuffers()[slot.buffer].getType()).getShape();
    setBufferLayout(pipeline, slot.buffer,
                    scaleLayout(pipeline.getContext(), extents,
                                TILESMITH_PLANT("scales-turned-as-loaded") ? 1 : operand.blockDim));
  }

  static Value zeroOf(OpBuilder &builder, RankedTensorType type) {
    Location loc = builder.getInsertionPoint()->getLoc();
    Value zero = arith::ConstantOp::create(
        builder, loc, cast<TypedAttr>(builder.getZeroAttr(type.getElementType())));
    return tileaa::SplatOp::create(builder, loc, type, zero);
  }

  /// Whether there is room for what must be staged; chooses forms and columns.
  bool matchStaging() {
    int64_t bytes = 0;
    auto bytesOf = [&](Value value) {
      return llvm::alignTo(
          cast<RankedTensorType>(value.getType()).getNumElements() * atom->elementBytes, 1024);
    };
    if (!lhs) {
      Value source = throughConversions(dot.getLhs());
      bool computedHere = loop ? isMadeInTurn(source) : comesFromSums(source);
      auto type = cast<RankedTensorType>(source.getType());
      std::optional<TensorMemoryShape> fragment =
          tensorMemoryShape(type.getDimSize(0), type.getDimSize(1), warps);
      if (computedHere && !shape.isHalf() && fragment &&
          fragment->ownColumns() >= elementsOfWord(type) &&
          source.getParentBlock() == dot->getBlock())
        matchFragment(type);
      if (!fragmentColumn) {
        auto form = warpgroupStaging(type, atom->elementBytes, 0);
        if (!form)
          return false;
        lhsForm = *form;
        if (!findStaged(source, lhsForm))
          bytes += bytesOf(source);
      }
    }
    if (!rhs) {
      Value source = throughConversions(dot.getRhs());
      auto form = warpgroupStaging(cast<RankedTensorType>(source.getType()), atom->elementBytes, 1);
      if (!form)
        return false;
      rhsForm = *form;
      if (!findStaged(source, rhsForm))
        bytes += bytesOf(source);
    }
    return !bytes || bytesAlive(function, loop ? loop.getOperation() : function.getOperation()) +
                             bytes + scratchReserve(function) <=
                         gpu.maxSharedBytes;
  }

  /// Computed from the sums of another product, whose rows threads hold as a left operand has them.
  bool comesFromSums(Value source, unsigned depth = 0) {
    source = throughConversions(source);
    Operation *op = source.getDefiningOp();
    if (!op || op->getBlock() != dot->getBlock() || depth > 2 * kMaxChain)
      return false;
    if (isa<TensorMemoryLoadOp>(op))
      return true;
    return op->getNumResults() == 1 && !op->getNumRegions() && isMemoryEffectFree(op) &&
           !isa<TileASDialect>(op->getDialect()) &&
           llvm::any_of(op->getOperands(), [&](Value operand) {
             return isa<RankedTensorType>(operand.getType()) && comesFromSums(operand, depth + 1);
           });
  }

  /// Columns for a left operand that is computed next to the product: free ones, or those of sums that
  /// were loaded by the same warps before it is written. It is written in front of the product.
  void matchFragment(RankedTensorType type) {
    int64_t count = tensorMemoryColumns(type);
    auto overlaps = [&](int64_t first) {
      return first < column + shape.columns() && column < first + count;
    };
    // The product's own columns are not in the function yet.
    int64_t limit = columnLimit(function);
    for (int64_t first = 0; first + count <= limit && !fragmentColumn; first += 32) {
      bool isFree = !overlaps(first);
      function->walk([&](TensorMemoryStoreOp store) {
        int64_t from = store.getColumn(), end = from + tensorMemoryColumns(storedType(store));
        if (followEachOther(loopOf(store), loop) || end <= first || first + count <= from)
          return;
        bool sameWarps = isHeldBySameWarps({type, first}, {storedType(store), from}, warps) ||
                         TILESMITH_PLANT("tcgen05-fragment-over-others");
        isFree &= isLoadedBefore(store) && sameWarps;
      });
      function->walk([&](TensorMemoryDotOp other) {
        int64_t from = other.getScaleColumn(), end = from + other.getScaleColumns();
        isFree &= end <= first || first + count <= from;
      });
      if (isFree)
        fragmentColumn = first;
    }
  }

  /// The sums are overwritten by a product, and nobody needs them any more where the product stands.
  bool isLoadedBefore(TensorMemoryStoreOp store) const {
    bool overwritten = false;
    for (Operation *user : store.getAcc().getUsers()) {
      if (auto product = dyn_cast<TensorMemoryDotOp>(user)) {
        if (!product.getOverwrites() || product.getLhs() == store.getAcc())
          return false;
        overwritten = true;
      } else if (isa<TensorMemoryUpdateOp, TensorMemoryScaleOp>(user)) {
        return false;
      }
      Operation *here = dot->getBlock()->findAncestorOpInBlock(*user);
      if (!here || !here->isBeforeInBlock(dot))
        return false;
    }
    return overwritten;
  }

  /// The same tile, staged before in a place that is seen here.
  Value findStaged(Value source, SharedLayoutAttr form) {
    if (isMadeInTurn(source))
      return {};
    for (Operation *user : source.getUsers())
      if (auto stage = dyn_cast<TensorMemoryStageOp>(user))
        if (getSharedLayout(stage.getResult().getType()) == form &&
            stage->getBlock() == place()->getBlock() && stage->isBeforeInBlock(place()))
          return stage.getResult();
    return {};
  }

  /// A shared buffer for an operand that threads hold, filled next to the product, or where the tile
  /// is made when the loop does not change it.
  Value stage(Value operand, SharedLayoutAttr form) {
    Value source = throughConversions(operand);
    if (Value staged = findStaged(source, form))
      return staged;
    auto tile = cast<RankedTensorType>(source.getType());
    auto type = RankedTensorType::get(tile.getShape(), tile.getElementType(), form);
    OpBuilder builder(place());
    Location loc = dot.getLoc();
    bool inside = isMadeInTurn(source);
    if (!inside && source.getDefiningOp() && source.getParentBlock() == place()->getBlock())
      builder.setInsertionPointAfterValue(source);
    Value buffer = AllocTensorOp::create(builder, loc, type, 1);
    if (inside)
      builder.setInsertionPoint(dot);
    return TensorMemoryStageOp::create(builder, loc, type, source, buffer).getResult();
  }

  Value stageLhs(Value acc) {
    if (!fragmentColumn)
      return stage(dot.getLhs(), lhsForm);
    Value source = throughConversions(dot.getLhs());
    auto tile = cast<RankedTensorType>(source.getType());
    auto type = withLayout(
        tile, tensorMemoryLayout(dot.getContext(), *tensorMemoryShape(tile.getDimSize(0),
                                                                      tile.getDimSize(1), warps)));
    OpBuilder builder(place());
    Value fragment =
        TensorMemoryStoreOp::create(builder, dot.getLoc(), acc.getType(), zeroOf(builder, type),
                                    uint32_t(*fragmentColumn), IntegerAttr());
    if (auto computed = ComputedTile::matchReads(source, getLayout(type))) {
      builder.setInsertionPoint(dot);
      source = computed->compute(builder);
    }
    update(fragment, source, type);
    return fragment;
  }

  void update(Value columns, Value source, RankedTensorType type) {
    OpBuilder builder(dot);
    Value value = ConvertLayoutOp::create(builder, dot.getLoc(), type, throughConversions(source));
    TensorMemoryUpdateOp::create(builder, dot.getLoc(), value, columns, Value());
  }

  /// The factor of each row, broadcast to its columns, that the loop multiplies the sum with, where it does nothing else.
  Value rowFactors() {
    tileaa::MulFOp product;
    for (Operation *op : sum->chain) {
      if (isa<ConvertLayoutOp>(op))
        continue;
      if (product || !isa<tileaa::MulFOp>(op) ||
          !(packedArithmetic(op) || TILESMITH_PLANT("tcgen05-scale-rounds-to-nearest")))
        return {};
      product = cast<tileaa::MulFOp>(op);
    }
    if (!product)
      return {};
    Value carried = loop.getRegionIterArg(sum->index);
    bool isLeft = throughConversions(product.getLhs()) == carried;
    Value factors = throughConversions(isLeft ? product.getRhs() : product.getLhs());
    auto broadcast = factors.getDefiningOp<BroadcastOp>();
    if (!broadcast || cast<RankedTensorType>(broadcast.getSource().getType()).getDimSize(1) != 1)
      return {};
    return factors;
  }

  /// What the loop does to the sum before the product is done to what tensor memory holds.
  void updateCarried(Value acc, RankedTensorType type) {
    if (llvm::all_of(sum->chain, llvm::IsaPred<ConvertLayoutOp>))
      return;
    OpBuilder builder(dot);
    BlockArgument carried = loop.getRegionIterArg(sum->index);
    if (Value factors = rowFactors()) {
      Value ofRows = factors;
      if (!shape.isHalf()) { // a thread holds rows
        ofRows = throughConversions(factors.getDefiningOp<BroadcastOp>().getSource());
        type =
            withLayout(cast<RankedTensorType>(ofRows.getType()), rowFactorLayout(getLayout(type)));
      }
      ofRows = ConvertLayoutOp::create(builder, dot.getLoc(), type, ofRows);
      TensorMemoryScaleOp::create(builder, dot.getLoc(), ofRows, acc);
      // The product stands for what is done there now.
      dot.getAccMutable().assign(carried);
      for (Operation *op : llvm::reverse(sum->chain))
        op->erase();
      if (factors.use_empty()) {
        Value source = factors.getDefiningOp()->getOperand(0);
        factors.getDefiningOp()->erase();
        eraseUnused(source);
      }
      return;
    }
    Value held = TensorMemoryLoadOp::create(builder, dot.getLoc(), type, acc, Value(), 0);
    held = ConvertLayoutOp::create(builder, dot.getLoc(), carried.getType(), held);
    carried.replaceAllUsesWith(held);
    for (Operation *op : sum->chain)
      op->moveBefore(dot);
    update(acc, dot.getAcc(), type);
  }

  void multiply(Value left, Value right, Value acc, bool overwrites) {
    OpBuilder builder(dot);
    Location loc = dot.getLoc();
    auto create = [&](OpBuilder &inside, Value a, Value b, ValueRange scales = {}) {
      TensorMemoryDotOp::create(inside, loc, a, b, acc, scales, Value(), dot.getSignedLhs(),
                                dot.getSignedRhs(), atom->name,
                                uint32_t(scales.empty() ? 0 : column + shape.columns()),
                                IntegerAttr(), overwrites);
    };
    if (!lhs && !rhs)
      return create(builder, left, right);
    ConsumerReadOp read = rhs ? rhs->read : lhs->read;
    auto pipeline = read.getPipeline().getDefiningOp<CreatePipelineOp>();
    auto product =
        ConsumerReadOp::create(builder, loc, TypeRange(), read.getPipeline(), read.getStage());
    SmallVector<Type> slots(pipeline.getBuffers().getTypes());
    Block *body = builder.createBlock(&product.getBody(), {}, slots,
                                      SmallVector<Location>(slots.size(), loc));
    SmallVector<Value> scales;
    if (scaled)
      scales = {body->getArgument(lhsScales->buffer), body->getArgument(rhsScales->buffer)};
    create(builder, lhs ? operandIn(builder, body, *lhs) : left,
           rhs ? operandIn(builder, body, *rhs) : right, scales);
    PipelineYieldOp::create(builder, loc, ValueRange());
  }

  void erase() {
    llvm::SmallSetVector<Operation *, 2> reads;
    for (std::optional<SlotOperand> *operand : {&lhs, &rhs})
      if (*operand)
        reads.insert((*operand)->read.getOperation());
    SmallVector<Value> operands(dot->getOperands());
    dot.erase();
    if (scaled) {
      for (Operation *op : scaled->chain)
        if (op->use_empty())
          op->erase();
      operands.assign({operands.back()});
    }
    for (Value operand : operands)
      eraseUnused(operand);
    for (Operation *read : reads)
      dropUnusedResults(cast<ConsumerReadOp>(read));
  }

  DotOp dot;
  const target::GpuTarget &gpu;
  tileaa::FuncOp function;
  scf::ForOp loop;
  RankedTensorType accType;
  const TensorCoreAtom *atom = nullptr;
  TensorMemoryShape shape;
  unsigned warps = 0;
  int64_t column = 0;
  std::optional<CarriedSum> sum;
  TensorMemoryLoadOp added; ///< of the sums that another product left, and this one adds to
  std::optional<SlotOperand> lhs, rhs;
  std::optional<ScaledOperands> scaled; ///< of a product that takes them as they are
  std::optional<SlotValue> lhsScales, rhsScales;
  SharedLayoutAttr lhsForm, rhsForm;     ///< of staged operands
  std::optional<int64_t> fragmentColumn; ///< of a left operand in tensor memory
};

} // namespace

bool tileas::refineToTensorMemory(DotOp dot, const target::GpuTarget &gpu, bool local) {
  TensorProduct product(dot, gpu);
  if (!product.matchScaled() && !product.match(local))
    return false;
  product.rewrite();
  return true;
}

/// Where a product is issued.
static bool issuesProduct(Operation *op) {
  auto read = dyn_cast<ConsumerReadOp>(op);
  return isa<TensorMemoryDotOp>(op) ||
         (read && !read.getBody().getOps<TensorMemoryDotOp>().empty());
}

void tileas::stageTogether(scf::ForOp loop) {
  SmallVector<TensorMemoryStageOp> stages(loop.getBody()->getOps<TensorMemoryStageOp>());
  for (TensorMemoryStageOp stage : stages) {
    Operation *source = stage.getSource().getDefiningOp(), *first = nullptr;
    if (!source || source->getBlock() != loop.getBody())
      continue;
    for (Operation *op = stage->getPrevNode(); op != source; op = op->getPrevNode())
      if (issuesProduct(op))
        first = op;
    // Those of the turn before read the buffer, too: a load has waited for them.
    Operation *waited = source;
    while (waited && !isa<TensorMemoryLoadOp>(waited))
      waited = waited->getPrevNode();
    if (first && waited)
      stage->moveBefore(first);
  }
}
