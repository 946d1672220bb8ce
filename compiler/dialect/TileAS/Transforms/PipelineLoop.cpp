//===- PipelineLoop.cpp - a loop that becomes an asynchronous pipeline ------------------------===//
#include "compiler/dialect/TileAS/Transforms/PipelineLoop.h"

#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/dialect/TileAA/Transforms/Facts.h"
#include "compiler/dialect/TileAS/IR/CoordinateLayout.h"
#include "compiler/dialect/TileAS/IR/TileAS.h"
#include "compiler/dialect/TileAS/Transforms/AccessAlignment.h"
#include "compiler/support/Plants.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas;

LogicalResult PipelineLoop::analyse() {
  lateRelease = stages > 2 && annotations(loop).getLateReleaseAttrHelper().isAttrPresent(loop);
  for (Operation &op : loop.getBody()->without_terminator())
    if (isScheduledCopy(&op))
      loads.push_back(&op);
  auto schedule = annotations(loop).getScheduleAttrHelper();
  llvm::sort(loads, [&](Operation *a, Operation *b) {
    return schedule.getAttr(a).getOrder() < schedule.getAttr(b).getOrder();
  });
  for (Operation *load : loads) {
    std::optional<SmallVector<Value>> tokens = outerTokens(loop, tokenOperand(load));
    if (!tokens && TILESMITH_PLANT("pipeline-ignores-writes"))
      tokens.emplace();
    if (!tokens)
      return load->emitOpError("is annotated for a pipeline but ordered after a write");
    if (std::optional<std::string> problem = addAddressSlice(loop, load, slice))
      return load->emitOpError("is annotated for a pipeline but ") << *problem;
    outer.push_back(*tokens);
  }
  rings.assign(loads.size(), 0);
  own.resize(loads.size());
  carried.assign(slice.carried.begin(), slice.carried.end());
  return success();
}

void PipelineLoop::leaveToThreads(llvm::function_ref<bool(Operation *)> isOwn) {
  slice = {};
  for (auto [number, load] : llvm::enumerate(loads)) {
    own[number] = isOwn(load);
    // All can run ahead: it has been said of them together.
    (void)addAddressSlice(loop, load, own[number] ? ownSlice : slice);
  }
  carried.assign(slice.carried.begin(), slice.carried.end());
}

static unsigned contiguousDim(Operation *load) {
  auto tile = cast<RankedTensorType>(load->getResult(0).getType());
  if (auto gather = dyn_cast<GatherLoadOp>(load))
    if (auto alignment = viewAlignment(gather.getView(), gather.getIndices(), tile))
      return alignment->dim;
  if (auto tiled = dyn_cast<TiledLoadOp>(load)) {
    // As it lies in memory: the copy may round the elements.
    auto view = cast<tileaa::TiledViewType>(tiled.getView().getType());
    auto stored = RankedTensorType::get(tile.getShape(), view.getMemref().getElementType());
    if (auto alignment = viewAlignment(tiled.getView(), tiled.getIndices(), stored))
      return alignment->dim;
  }
  return tile.getRank() - 1;
}

SmallVector<Type> PipelineLoop::slotTypes() const {
  SmallVector<Type> types;
  for (Operation *load : loads) {
    auto tile = cast<RankedTensorType>(load->getResult(0).getType());
    auto layout = plainSharedLayout(load->getContext(), tile.getShape(), contiguousDim(load));
    types.push_back(RankedTensorType::get(tile.getShape(), tile.getElementType(), layout));
  }
  return types;
}

SmallVector<unsigned> PipelineLoop::loadsOf(unsigned ring) const {
  SmallVector<unsigned> numbers;
  for (auto [number, own] : llvm::enumerate(rings))
    if (own == ring)
      numbers.push_back(number);
  return numbers;
}

void PipelineLoop::createPipelines() {
  slots = slotTypes();
  auto type = PipelineType::get(builder.getContext(), stages);
  for (unsigned ring = 0; ring <= *llvm::max_element(rings); ++ring) {
    SmallVector<Value> buffers;
    for (unsigned number : loadsOf(ring))
      buffers.push_back(
          AllocTensorOp::create(builder, loads[number]->getLoc(), slots[number], stages));
    auto created = CreatePipelineOp::create(builder, loc, type, buffers);
    created.setLateRelease(lateRelease);
    pipelines.push_back(created);
  }
  iteratorType = PipelineIteratorType::get(builder.getContext(), stages);
}

void PipelineLoop::sharePipelines(const PipelineLoop &before) {
  slots = before.slots;
  pipelines = before.pipelines;
  iteratorType = before.iteratorType;
}

int64_t PipelineLoop::step() const {
  APInt step;
  matchPattern(scf::ForOp(loop).getStep(), m_ConstantInt(&step));
  return step.getSExtValue();
}

Value PipelineLoop::constantLike(Value value, int64_t number) {
  return arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(value.getType(), number));
}

Value PipelineLoop::later(Value at, int64_t iterations) {
  if (iterations == 0)
    return at;
  return arith::AddIOp::create(
      builder, loc, at,
      constantLike(at, iterations * (TILESMITH_PLANT("pipeline-ahead-by-ones") ? 1 : step())));
}

IRMapping PipelineLoop::mappingFor(Value at, ArrayRef<Value> values, const IRMapping &outside) {
  IRMapping mapping = outside;
  mapping.map(loop.getInductionVar(), at);
  for (auto [index, value] : llvm::zip_equal(carried, values))
    mapping.map(loop.getRegionIterArg(index), value);
  return mapping;
}

/// Clones slice operations at the insertion point. An assumption may be false where the loop has
/// no iteration, so it is dropped; so are the facts that follow from it, unless only an iteration
/// that exists gets there.
void PipelineLoop::cloneSlice(const llvm::SetVector<Operation *> &operations, IRMapping &mapping,
                              bool iterationExists) {
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (!operations.contains(&op) || mapping.contains(op.getResult(0)))
      continue;
    if (auto assume = dyn_cast<tileaa::AssumeOp>(op)) {
      mapping.map(assume.getResult(), mapping.lookupOrDefault(assume->getOperand(0)));
      continue;
    }
    Operation *cloned = builder.clone(op, mapping);
    if (!iterationExists)
      cloned->removeAttr(tileaa::kFactsAttr);
    // Nothing writes what it reads (readsAlone), so there is nothing to wait for, of this loop or in front of it.
    if (auto number = dyn_cast<LoadOp>(cloned))
      number.getTokenMutable().clear();
    else if (auto number = dyn_cast<TiledLoadOp>(cloned))
      number.getTokenMutable().clear();
  }
}

void PipelineLoop::produce(Value iterator, Value condition, Value at, ArrayRef<Value> values,
                           ArrayRef<Value> tokens, const IRMapping &outside) {
  for (unsigned ring = 0; ring < pipelines.size(); ++ring)
    fill(ring, /*ownLoads=*/false, iterator, condition, mappingFor(at, values, outside), tokens);
}

void PipelineLoop::fill(unsigned ring, bool ownLoads, Value iterator, Value condition,
                        IRMapping mapping, ArrayRef<Value> tokens) {
  SmallVector<unsigned> numbers = loadsOf(ring);
  if (llvm::none_of(numbers, [&](unsigned number) { return own[number] == ownLoads; }))
    return;
  Value pipeline = pipelines[ring];
  auto stage = ProducerAcquireOp::create(
      builder, loc, PipelineProducerTokenType::get(builder.getContext()), pipeline, iterator);
  auto write = ProducerWriteOp::create(builder, loc, pipeline, stage);
  {
    OpBuilder::InsertionGuard guard(builder);
    SmallVector<Type> types;
    for (unsigned number : numbers)
      types.push_back(slots[number]);
    SmallVector<Location> locations(types.size(), loc);
    Block *body = builder.createBlock(&write.getBody(), {}, types, locations);
    PipelineYieldOp::create(builder, loc, ValueRange());
    builder.setInsertionPointToStart(body);
    if (condition) {
      auto branch = scf::IfOp::create(builder, loc, condition, /*withElseRegion=*/false);
      builder.setInsertionPointToStart(&branch.getThenRegion().front());
    }
    cloneSlice((ownLoads ? ownSlice : slice).operations, mapping, /*iterationExists=*/true);
    for (auto [slot, number] : llvm::enumerate(numbers))
      if (own[number] == ownLoads)
        startCopy(loads[number], body->getArgument(slot), mapping,
                  tokens.empty() ? Value() : tokens[number]);
  }
  ProducerCommitOp::create(builder, loc, pipeline, stage);
}

/// The indices of rows that a thread copies, brought to it in front of the loop.
Value PipelineLoop::ownIndices(Value indices, LayoutAttr layout) {
  OpBuilder::InsertionGuard guard(builder);
  auto type = withLayout(cast<RankedTensorType>(indices.getType()), layout);
  for (Operation *user : indices.getUsers())
    if (isa<ConvertLayoutOp>(user) && user->getResult(0).getType() == type &&
        user->getBlock() == indices.getParentBlock())
      return user->getResult(0);
  builder.setInsertionPointAfterValue(indices);
  return ConvertLayoutOp::create(builder, loc, type, indices);
}

void PipelineLoop::startCopy(Operation *load, Value slot, IRMapping &mapping, Value token) {
  auto mapped = [&](Value value) { return value ? mapping.lookupOrDefault(value) : value; };
  int64_t elements = annotations(load).getScheduleAttrHelper().getAttr(load).getCopyVector();
  IntegerAttr vector = builder.getI64IntegerAttr(elements);
  if (isa<TiledLoadOp, GatherLoadOp>(load)) {
    auto tiled = dyn_cast<TiledLoadOp>(load);
    auto gather = dyn_cast<GatherLoadOp>(load);
    auto tile = cast<RankedTensorType>(load->getResult(0).getType());
    const bool isOwn = own[llvm::find(loads, load) - loads.begin()];
    unsigned numWarps = copyWarps && !isOwn ? copyWarps : 1u << getLayout(tile).getWarps().size();
    LayoutAttr layout =
        copyLayout(builder.getContext(), tile.getShape(), contiguousDim(load), elements, numWarps);
    SmallVector<Value> indices;
    for (auto [dim, index] : llvm::enumerate(tiled ? tiled.getIndices() : gather.getIndices()))
      indices.push_back(isa<RankedTensorType>(index.getType())
                            ? ownIndices(index, coordinatesAlong(layout, dim))
                            : mapped(index));
    Value view = mapped(tiled ? tiled.getView() : gather.getView());
    auto copy = AsyncTiledLoadOp::create(builder, load->getLoc(), view, slot, indices, token,
                                         layout, vector, StringAttr());
    auto hints = annotations(load).getHintsAttrHelper();
    if (HintsAttr given = hints.getAttr(load))
      hints.setAttr(copy, given);
    return;
  }
  auto pointers = cast<LoadOp>(load);
  AsyncLoadOp::create(
      builder, load->getLoc(), mapped(pointers.getPointers()), slot,
      TILESMITH_PLANT("pipeline-copy-unmasked") ? Value() : mapped(pointers.getMask()),
      TILESMITH_PLANT("pipeline-copy-padding-lost") ? Value() : mapped(pointers.getOther()), token,
      vector);
}

SmallVector<Value> PipelineLoop::advance(Value at, ArrayRef<Value> values,
                                         const IRMapping &outside) {
  if (carried.empty())
    return {};
  IRMapping mapping = mappingFor(at, values, outside);
  cloneSlice(slice.advancing, mapping, /*iterationExists=*/false);
  SmallVector<Value> next;
  for (unsigned index : carried)
    next.push_back(!next.empty() && TILESMITH_PLANT("pipeline-second-pointer-stays")
                       ? values[next.size()]
                       : mapping.lookupOrDefault(loop.getYieldedValues()[index]));
  return next;
}

void PipelineLoop::replaceLoop(ArrayRef<Value> iteratorsAndAhead, EmitAhead emitAhead) {
  SmallVector<Value> inits(loop.getInitArgs());
  unsigned first = inits.size();
  inits.append(iteratorsAndAhead.begin(), iteratorsAndAhead.end());
  auto created = scf::ForOp::create(builder, loc, loop.getLowerBound(), loop.getUpperBound(),
                                    loop.getStep(), inits, nullptr, loop.getUnsignedCmp());
  if (!created.getBody()->empty())
    created.getBody()->back().erase();
  Block *body = created.getBody();
  ValueRange arguments = created.getRegionIterArgs();
  Value consumed = arguments[first];

  builder.setInsertionPointToStart(body);
  // The old body still stands; what is new goes in front of it, then the rest moves over.
  SmallVector<ConsumerWaitOp> waits;
  Value at = created.getInductionVar();
  for (auto [ring, pipeline] : llvm::enumerate(pipelines)) {
    IRMapping mapping;
    mapping.map(loop.getInductionVar(),
                TILESMITH_PLANT("specialize-threads-copy-first-turn") ? loop.getLowerBound() : at);
    mapping.map(loop.getRegionIterArgs(), arguments.take_front(first));
    fill(ring, /*ownLoads=*/true, consumed, {}, mapping, {});
    waits.push_back(ConsumerWaitOp::create(
        builder, loc, PipelineConsumerTokenType::get(builder.getContext()),
        tileaa::MemTokenType::get(builder.getContext()), pipeline, consumed, ValueRange()));
  }
  SmallVector<Value> next = emitAhead(at, SmallVector<Value>(arguments.drop_front(first + 1)));
  for (auto [ring, wait] : llvm::enumerate(waits))
    consume(wait, ring);

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
  for (ConsumerWaitOp wait : waits)
    ConsumerReleaseOp::create(builder, loc, wait.getPipeline(), wait.getStage());
  SmallVector<Value> yielded(oldYield->getOperands());
  yielded.push_back(IncIterOp::create(builder, loc, iteratorType, consumed));
  yielded.append(next);
  scf::YieldOp::create(builder, loc, yielded);
  oldYield->erase();
  for (auto [load, ring] : llvm::zip_equal(loads, rings)) {
    Value token = tokenOperand(load), after = waits[ring].getResultToken();
    if (token && !TILESMITH_PLANT("pipeline-token-of-wait-alone")) {
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

/// Reads the slot of each of the ring's loads in each layout in which its tile is used.
void PipelineLoop::consume(ConsumerWaitOp wait, unsigned ring) {
  struct Use {
    unsigned slot;
    RankedTensorType type;
    SmallVector<Value> replaced;
  };
  SmallVector<Use> uses;
  auto use = [&](unsigned slot, Value value) {
    auto type = cast<RankedTensorType>(value.getType());
    auto known = llvm::find_if(uses, [&](const Use &other) {
      return other.type == type &&
             (other.slot == slot || TILESMITH_PLANT("pipeline-slot-of-first-type"));
    });
    if (known == uses.end()) {
      uses.push_back({slot, type, {}});
      known = &uses.back();
    }
    known->replaced.push_back(value);
  };
  SmallVector<unsigned> numbers = loadsOf(ring);
  SmallVector<Type> slotTypes;
  for (auto [slot, number] : llvm::enumerate(numbers)) {
    Operation *load = loads[number];
    slotTypes.push_back(slots[number]);
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
  auto read = ConsumerReadOp::create(builder, loc, types, wait.getPipeline(), wait.getStage());
  {
    OpBuilder::InsertionGuard guard(builder);
    SmallVector<Location> locations(slotTypes.size(), loc);
    Block *body = builder.createBlock(&read.getBody(), {}, slotTypes, locations);
    SmallVector<Value> values;
    for (const Use &one : uses)
      values.push_back(CopyOp::create(builder, loads[numbers[one.slot]]->getLoc(), one.type,
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

void tileas::useMbarriers(CreatePipelineOp pipeline) {
  pipeline.setMbarriers(true);
  SmallVector<Value> work;
  llvm::SmallPtrSet<Value, 8> seen;
  for (Operation *user : pipeline.getPipeline().getUsers())
    if (auto create = dyn_cast<CreateIteratorOp>(user))
      work.push_back(create.getIterator());
  while (!work.empty()) {
    Value iterator = work.pop_back_val();
    if (!seen.insert(iterator).second)
      continue;
    for (OpOperand &use : iterator.getUses()) {
      if (auto increment = dyn_cast<IncIterOp>(use.getOwner())) {
        increment.setMbarriers(true);
        work.push_back(increment.getNext());
      } else if (auto loop = dyn_cast<scf::ForOp>(use.getOwner())) {
        work.push_back(loop.getTiedLoopRegionIterArg(&use));
        work.push_back(loop.getTiedLoopResult(&use));
      }
    }
  }
}
