//===- MaterializeSchedule.cpp - tileas-materialize-schedule ----------------------------------===//
//
// Turns a loop annotated by tileas-generate-schedule into an asynchronous pipeline of N stages, in
// which every warp both produces and consumes:
//
//   create buffers and the pipeline
//   for s in 0 .. N-2:                     acquire, write (copies of iteration s), commit
//   for i:                                 wait for the stage of iteration i
//                                          acquire, write (copies of i + N-1), commit
//                                          read, the rest of the body, release
//
// Copies of iterations that the loop does not have are left out (uniform conditions); their stages
// are committed empty, so every wait counts alike. Addresses of later iterations come from clones
// of the loads' slices; carried values that they depend on are carried a second time, N-1
// iterations ahead.
//
// Memory order: the copies stand behind the tokens that the loads had outside of the loop
// (`outerTokens`); those of the loop itself are later than the first, hence behind the same
// writes. The token of a wait replaces the tokens of the loads.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/dialect/TileAA/Transforms/Facts.h"
#include "compiler/dialect/TileAS/Transforms/AccessAlignment.h"
#include "compiler/dialect/TileAS/Transforms/Passes.h"
#include "compiler/dialect/TileAS/Transforms/Schedule.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas;

namespace {

class LoopRewriter {
public:
  LoopRewriter(scf::ForOp loop, int64_t stages)
      : loop(loop), stages(stages), builder(loop), loc(loop.getLoc()) {}

  LogicalResult run() {
    for (Operation &op : loop.getBody()->without_terminator())
      if (op.hasAttr(kCopyVectorAttr))
        loads.push_back(&op);
    llvm::sort(loads, [](Operation *a, Operation *b) {
      return a->getAttrOfType<IntegerAttr>(kOrderAttr).getInt() <
             b->getAttrOfType<IntegerAttr>(kOrderAttr).getInt();
    });
    for (Operation *load : loads) {
      std::optional<SmallVector<Value>> tokens = outerTokens(loop, tokenOperand(load));
      if (!tokens)
        return load->emitOpError("is annotated for a pipeline but ordered after a write");
      if (std::optional<std::string> problem = addAddressSlice(loop, load, slice))
        return load->emitOpError("is annotated for a pipeline but ") << *problem;
      outer.push_back(join(*tokens));
    }
    carried.assign(slice.carried.begin(), slice.carried.end());
    createPipeline();
    fillFirstStages();
    rewriteLoop();
    return success();
  }

private:
  Value join(ArrayRef<Value> tokens) {
    if (tokens.empty())
      return {};
    if (tokens.size() == 1)
      return tokens[0];
    return tileaa::JoinMemTokenOp::create(builder, loc, tokens[0].getType(), tokens);
  }

  static unsigned contiguousDim(Operation *load) {
    auto tile = cast<RankedTensorType>(load->getResult(0).getType());
    if (auto tiled = dyn_cast<TiledLoadOp>(load))
      if (auto alignment = viewAlignment(tiled.getView(), tiled.getIndices(), tile))
        return alignment->dim;
    return tile.getRank() - 1;
  }

  void createPipeline() {
    SmallVector<Value> buffers;
    for (Operation *load : loads) {
      auto tile = cast<RankedTensorType>(load->getResult(0).getType());
      auto layout = plainSharedLayout(builder.getContext(), tile.getShape(), contiguousDim(load));
      auto type = RankedTensorType::get(tile.getShape(), tile.getElementType(), layout);
      buffers.push_back(AllocTensorOp::create(builder, load->getLoc(), type, stages));
      slots.push_back(type);
    }
    auto type = PipelineType::get(builder.getContext(), stages);
    pipeline = CreatePipelineOp::create(builder, loc, type, buffers);
    iteratorType = PipelineIteratorType::get(builder.getContext(), stages);
  }

  Value constantLike(Value value, int64_t number) {
    return arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(value.getType(), number));
  }

  /// Whether the loop has an iteration `ahead` steps after the one at `at`, which it has.
  Value exists(Value at, int64_t ahead) {
    APInt step;
    matchPattern(loop.getStep(), m_ConstantInt(&step));
    Value left = arith::SubIOp::create(builder, loc, loop.getUpperBound(), at);
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ugt, left,
                                 constantLike(left, ahead * step.getSExtValue()));
  }

  /// Steps fit: they are below 2^16 and stages below 2^4; narrow types wrap where the loop has no
  /// such iteration.
  Value later(Value at, int64_t iterations) {
    APInt step;
    matchPattern(loop.getStep(), m_ConstantInt(&step));
    if (iterations == 0)
      return at;
    return arith::AddIOp::create(builder, loc, at,
                                 constantLike(at, iterations * step.getSExtValue()));
  }

  /// Clones slice operations at the insertion point. An assumption may be false where the loop has
  /// no iteration, so it is dropped; so are the facts that follow from it.
  void cloneSlice(const llvm::SetVector<Operation *> &operations, IRMapping &mapping) {
    for (Operation &op : loop.getBody()->without_terminator()) {
      if (!operations.contains(&op) || mapping.contains(op.getResult(0)))
        continue;
      if (auto assume = dyn_cast<tileaa::AssumeOp>(op)) {
        mapping.map(assume.getResult(), mapping.lookupOrDefault(assume->getOperand(0)));
        continue;
      }
      builder.clone(op, mapping)->removeAttr(tileaa::kFactsAttr);
    }
  }

  /// acquire, write, commit. `at` is the induction variable of the copied iteration, `values` what
  /// it finds in the carried values of the slice.
  void produce(Value iterator, Value condition, Value at, ArrayRef<Value> values, bool ordered) {
    auto stage = ProducerAcquireOp::create(
        builder, loc, PipelineProducerTokenType::get(builder.getContext()), pipeline, iterator);
    auto write = ProducerWriteOp::create(builder, loc, pipeline, stage);
    {
      OpBuilder::InsertionGuard guard(builder);
      SmallVector<Location> locations(slots.size(), loc);
      Block *body = builder.createBlock(&write.getBody(), {}, slots, locations);
      PipelineYieldOp::create(builder, loc, ValueRange());
      builder.setInsertionPointToStart(body);
      auto branch = scf::IfOp::create(builder, loc, condition, /*withElseRegion=*/false);
      builder.setInsertionPointToStart(&branch.getThenRegion().front());
      IRMapping mapping;
      mapping.map(loop.getInductionVar(), at);
      for (auto [index, value] : llvm::zip_equal(carried, values))
        mapping.map(loop.getRegionIterArg(index), value);
      cloneSlice(slice.operations, mapping);
      for (auto [index, load] : llvm::enumerate(loads))
        startCopy(load, body->getArgument(index), mapping, ordered ? outer[index] : Value());
    }
    ProducerCommitOp::create(builder, loc, pipeline, stage);
  }

  void startCopy(Operation *load, Value slot, IRMapping &mapping, Value token) {
    auto mapped = [&](Value value) { return value ? mapping.lookupOrDefault(value) : value; };
    IntegerAttr vector = load->getAttrOfType<IntegerAttr>(kCopyVectorAttr);
    if (auto tiled = dyn_cast<TiledLoadOp>(load)) {
      SmallVector<Value> indices;
      for (Value index : tiled.getIndices())
        indices.push_back(mapped(index));
      auto tile = cast<RankedTensorType>(tiled.getResult().getType());
      unsigned numWarps = 1u << getLayout(tile).getWarps().size();
      LayoutAttr layout = copyLayout(builder.getContext(), tile.getShape(), contiguousDim(load),
                                     vector.getInt(), numWarps);
      AsyncTiledLoadOp::create(builder, load->getLoc(), mapped(tiled.getView()), slot, indices,
                               token, layout, vector);
      return;
    }
    auto pointers = cast<LoadOp>(load);
    AsyncLoadOp::create(builder, load->getLoc(), mapped(pointers.getPointers()), slot,
                        mapped(pointers.getMask()), mapped(pointers.getOther()), token, vector);
  }

  /// The values of the slice one iteration after `values`.
  SmallVector<Value> advance(Value at, ArrayRef<Value> values) {
    if (carried.empty())
      return {};
    IRMapping mapping;
    mapping.map(loop.getInductionVar(), at);
    for (auto [index, value] : llvm::zip_equal(carried, values))
      mapping.map(loop.getRegionIterArg(index), value);
    cloneSlice(slice.advancing, mapping);
    SmallVector<Value> next;
    for (unsigned index : carried)
      next.push_back(mapping.lookupOrDefault(loop.getYieldedValues()[index]));
    return next;
  }

  void fillFirstStages() {
    auto predicate = loop.getUnsignedCmp() ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt;
    Value some =
        arith::CmpIOp::create(builder, loc, predicate, loop.getLowerBound(), loop.getUpperBound());
    producing = consuming = CreateIteratorOp::create(builder, loc, iteratorType, pipeline);
    for (unsigned index : carried)
      ahead.push_back(loop.getInitArgs()[index]);
    for (int64_t stage = 0; stage + 1 < stages; ++stage) {
      Value at = later(loop.getLowerBound(), stage);
      Value condition = some;
      if (stage)
        condition = arith::AndIOp::create(builder, loc, some, exists(loop.getLowerBound(), stage));
      produce(producing, condition, at, ahead, /*ordered=*/true);
      ahead = advance(at, ahead);
      producing = IncIterOp::create(builder, loc, iteratorType, producing);
    }
  }

  void rewriteLoop() {
    // More carried values: both iterators and the values ahead.
    SmallVector<Value> inits(loop.getInitArgs());
    unsigned first = inits.size();
    inits.append({consuming, producing});
    inits.append(ahead);
    auto created = scf::ForOp::create(builder, loc, loop.getLowerBound(), loop.getUpperBound(),
                                      loop.getStep(), inits, nullptr, loop.getUnsignedCmp());
    if (!created.getBody()->empty())
      created.getBody()->back().erase();
    Block *body = created.getBody();
    ValueRange arguments = created.getRegionIterArgs();
    Value consumed = arguments[first], produced = arguments[first + 1];
    SmallVector<Value> aheadNow(arguments.drop_front(first + 2));

    builder.setInsertionPointToStart(body);
    // The old body still stands; clone what is new in front of it, then move the rest over.
    ConsumerWaitOp wait = ConsumerWaitOp::create(
        builder, loc, PipelineConsumerTokenType::get(builder.getContext()),
        tileaa::MemTokenType::get(builder.getContext()), pipeline, consumed, ValueRange());
    Value at = created.getInductionVar();
    Value aheadAt = later(at, stages - 1);
    produce(produced, exists(at, stages - 1), aheadAt, aheadNow, /*ordered=*/false);
    SmallVector<Value> aheadNext = advance(aheadAt, aheadNow);
    consume(wait);

    // The old body follows.
    SmallVector<Value> replaced{at};
    replaced.append(arguments.begin(), arguments.begin() + first);
    Operation *oldYield = loop.getBody()->getTerminator();
    body->getOperations().splice(body->end(), loop.getBody()->getOperations());
    for (auto [argument, value] : llvm::zip_equal(loop.getBody()->getArguments(), replaced))
      argument.replaceAllUsesWith(value);

    // Waits come first in the body: only tokens that exist there can be waited behind. The tokens
    // of the loads are those of the wait, joined with what the loads stood behind.
    builder.setInsertionPoint(oldYield);
    ConsumerReleaseOp::create(builder, loc, pipeline, wait.getStage());
    SmallVector<Value> yielded(oldYield->getOperands());
    yielded.push_back(IncIterOp::create(builder, loc, iteratorType, consumed));
    yielded.push_back(IncIterOp::create(builder, loc, iteratorType, produced));
    yielded.append(aheadNext);
    scf::YieldOp::create(builder, loc, yielded);
    oldYield->erase();
    for (Operation *load : loads) {
      Value token = tokenOperand(load), after = wait.getResultToken();
      if (token) {
        builder.setInsertionPoint(load);
        after = tileaa::JoinMemTokenOp::create(builder, load->getLoc(), after.getType(),
                                               ValueRange{after, token});
      }
      load->getResult(1).replaceAllUsesWith(after);
      load->erase();
    }
    for (auto [result, value] : llvm::zip(loop.getResults(), created.getResults()))
      result.replaceAllUsesWith(value);
    loop.erase();
  }

  /// Reads every load's slot in each layout in which its tile is used.
  void consume(ConsumerWaitOp wait) {
    struct Use {
      unsigned slot;
      RankedTensorType type;
      SmallVector<Value> replaced;
    };
    SmallVector<Use> uses;
    auto use = [&](unsigned slot, Value value) {
      auto type = cast<RankedTensorType>(value.getType());
      auto known = llvm::find_if(
          uses, [&](const Use &other) { return other.slot == slot && other.type == type; });
      if (known == uses.end()) {
        uses.push_back({slot, type, {}});
        known = &uses.back();
      }
      known->replaced.push_back(value);
    };
    for (auto [slot, load] : llvm::enumerate(loads)) {
      bool direct = false;
      for (Operation *user : load->getResult(0).getUsers()) {
        if (isa<ConvertLayoutOp>(user))
          use(slot, user->getResult(0));
        else
          direct = true;
      }
      if (direct)
        use(slot, load->getResult(0));
    }
    SmallVector<Type> types;
    for (const Use &one : uses)
      types.push_back(one.type);
    auto read = ConsumerReadOp::create(builder, loc, types, pipeline, wait.getStage());
    {
      OpBuilder::InsertionGuard guard(builder);
      SmallVector<Location> locations(slots.size(), loc);
      Block *body = builder.createBlock(&read.getBody(), {}, slots, locations);
      SmallVector<Value> values;
      for (const Use &one : uses)
        values.push_back(CopyOp::create(builder, loads[one.slot]->getLoc(), one.type,
                                        body->getArgument(one.slot), StringAttr()));
      PipelineYieldOp::create(builder, loc, values);
    }
    for (auto [one, value] : llvm::zip_equal(uses, read.getResults()))
      for (Value replaced : one.replaced) {
        Operation *op = replaced.getDefiningOp();
        if (auto convert = dyn_cast<ConvertLayoutOp>(op)) {
          convert.getResult().replaceAllUsesWith(value);
          convert.erase();
          continue;
        }
        replaced.replaceAllUsesWith(value);
      }
  }

  scf::ForOp loop;
  int64_t stages;
  OpBuilder builder;
  Location loc;
  SmallVector<Operation *> loads;
  SmallVector<Value> outer; ///< per load: the token it stands behind outside of the loop
  AddressSlice slice;
  SmallVector<unsigned> carried;
  SmallVector<Type> slots;
  Value pipeline, consuming, producing;
  Type iteratorType;
  SmallVector<Value> ahead;
};

struct MaterializeSchedule : PassWrapper<MaterializeSchedule, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(MaterializeSchedule)
  StringRef getArgument() const override { return "tileas-materialize-schedule"; }
  StringRef getDescription() const override {
    return "rewrite annotated loops into asynchronous pipelines";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, scf::SCFDialect>();
  }

  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation()->walk([&](scf::ForOp loop) {
      if (loop->hasAttr(kNumStagesAttr))
        loops.push_back(loop);
    });
    for (scf::ForOp loop : loops) {
      auto stages = loop->getAttrOfType<IntegerAttr>(kNumStagesAttr);
      if (!stages || stages.getInt() < 2 || stages.getInt() > 8) {
        loop.emitOpError("expected '") << kNumStagesAttr << "' between 2 and 8";
        return signalPassFailure();
      }
      if (failed(LoopRewriter(loop, stages.getInt()).run()))
        return signalPassFailure();
    }
  }
};

} // namespace

std::unique_ptr<Pass> tileas::createMaterializeSchedulePass() {
  return std::make_unique<MaterializeSchedule>();
}
