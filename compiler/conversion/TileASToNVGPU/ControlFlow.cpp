//===- ControlFlow.cpp - loops, branches and returns per thread -------------------------------===//
//
// Conditions and bounds are scalars, so control flow is uniform over the block. A tile carried by a
// loop (or yielded by a branch) gets storage of its own outside; yields copy into it. When a yield
// reads storage that another copy of the same yield overwrites, all values go through temporaries
// first. Tokens have no run-time value and vanish.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/conversion/TileASToNVGPU/Emitter.h"
#include "compiler/conversion/TileASToNVGPU/Mbarriers.h"
#include "compiler/conversion/TileASToNVGPU/MemoryAccess.h"
#include "compiler/conversion/TileASToNVGPU/Tcgen05.h"
#include "compiler/conversion/TileASToNVGPU/TensorMaps.h"
#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/dialect/TileAS/IR/TileAS.h"
#include "compiler/support/Plants.h"
#include "compiler/target/Targets.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas_to_nvgpu;

LogicalResult tileas_to_nvgpu::emitInto(Emitter &e, Region &from, Region &to,
                                        llvm::function_ref<LogicalResult(Block &)> emit) {
  if (from.empty())
    return success();
  OpBuilder::InsertionGuard guard(e.builder);
  if (!to.front().empty())
    to.front().back().erase();
  e.builder.setInsertionPointToEnd(&to.front());
  return emit(from.front());
}

namespace {

bool isTile(Value value) {
  return isa<RankedTensorType>(value.getType());
}
bool isToken(Type type) {
  return isa<tileaa::MemTokenType>(type);
}
bool isPlain(Value value) {
  return !isTile(value) && !isToken(value.getType());
}

/// Emitted types of the scalars among `values`.
SmallVector<Type> plainTypes(Emitter &e, ValueRange values) {
  SmallVector<Type> types;
  for (Value value : values)
    if (isPlain(value))
      types.push_back(e.elementType(value.getType()));
  return types;
}

SmallVector<Value> plainValues(Emitter &e, ValueRange values) {
  SmallVector<Value> result;
  for (Value value : values)
    if (isPlain(value))
      result.push_back(e.scalar(value));
  return result;
}

/// Gives every tile among `results` storage.
void allocateTiles(Emitter &e, ValueRange results) {
  for (Value result : results)
    if (isTile(result))
      e.setTile(result, e.makeTile(result));
}

/// Binds the scalars among `values` to `emitted`, in order.
void bindPlain(Emitter &e, ValueRange values, ValueRange emitted) {
  auto next = emitted.begin();
  for (Value value : values)
    if (isPlain(value))
      e.setScalar(value, *next++);
}

/// Copies the tiles of `from` into the storage of `to` as one parallel assignment.
void assignTiles(Emitter &e, ValueRange from, ValueRange to) {
  SmallVector<std::pair<Tile, Tile>> copies;
  for (auto [source, target] : llvm::zip_equal(from, to))
    if (isTile(source) && e.tile(source).storage != e.tile(target).storage)
      copies.push_back({e.tile(source), e.tile(target)});
  for (auto [index, copy] : llvm::enumerate(copies)) {
    bool overwritten = llvm::any_of(ArrayRef(copies).take_front(index), [&](auto &earlier) {
      return earlier.second.storage == copy.first.storage;
    });
    if (!overwritten || TILESMITH_PLANT("parallel-copy-sequential"))
      continue;
    // A cycle or chain: read everything before writing anything.
    for (auto &pair : copies) {
      Tile temporary = e.makeTile(pair.first.element, pair.first.layout);
      e.copyTile(pair.first, temporary);
      pair.first = temporary;
    }
    break;
  }
  for (auto &[source, target] : copies)
    e.copyTile(source, target);
}

using Scalars = SmallVector<Value>;

/// The loop itself, and the wait for sums in flight behind it, which are `before` in front of it; returns the
/// scalar results.
FailureOr<Scalars> emitLoop(Emitter &e, scf::ForOp loop, Scalars inits,
                            std::optional<SumsInFlight> sums = {}, ValueRange before = {}) {
  size_t plain = inits.size();
  llvm::append_range(inits, before);
  auto emitted = scf::ForOp::create(e.builder, e.loc, e.scalar(loop.getLowerBound()),
                                    e.scalar(loop.getUpperBound()), e.scalar(loop.getStep()), inits,
                                    nullptr, loop.getUnsignedCmp());
  {
    OpBuilder::InsertionGuard guard(e.builder);
    Block *body = emitted.getBody();
    if (!body->empty())
      body->back().erase(); // implicit yield of a loop without scalars
    e.builder.setInsertionPointToEnd(body);
    e.setScalar(loop.getInductionVar(), emitted.getInductionVar());
    bindPlain(e, loop.getRegionIterArgs(), emitted.getRegionIterArgs());
    if (sums)
      e.inFlight[loop.getRegionIterArg(sums->index)] =
          SmallVector<Value>(emitted.getRegionIterArgs().drop_front(plain));
    if (failed(e.emitBlock(*loop.getBody())))
      return failure();
  }
  if (sums)
    storeSums(e, sums->dot, emitted.getResults().drop_front(plain),
              e.tile(loop.getResult(sums->index)));
  return Scalars(emitted.getResults().take_front(plain));
}

/// What follows keeps the branch in front of it to itself: merged with the loop's own condition it
/// would no longer tell the assembler that one thread runs the loop, and around each product ptxas
/// would look for the lanes that have one descriptor in common. LLVM keeps apart what no text
/// separates, ptxas only what an instruction does.
void stayBehindBranch(Emitter &e) {
  LLVM::CallIntrinsicOp::create(
      e.builder, e.loc, e.builder.getStringAttr("llvm.nvvm.tcgen05.fence.after.thread.sync"), {});
}

/// Of the rings of a loop that only issues products, where each begins at its first stage, moves on by
/// one in a turn, and nobody asks where it ends: then the loop is written out stage by stage. 0: not so.
int64_t stagesWrittenOut(scf::ForOp loop) {
  int64_t stages = 0;
  for (auto [init, argument, result, next] :
       llvm::zip_equal(loop.getInitArgs(), loop.getRegionIterArgs(), loop.getResults(),
                       loop.getYieldedValues())) {
    if (!isPlain(init))
      continue;
    auto first = init.getDefiningOp<tileas::CreateIteratorOp>();
    auto increment = next.getDefiningOp<tileas::IncIterOp>();
    if (!first || !increment || increment.getIterator() != argument || !result.use_empty())
      return 0;
    auto create = first.getPipeline().getDefiningOp<tileas::CreatePipelineOp>();
    int64_t count = create.getPipeline().getType().getStages();
    if (create.getLateRelease() || (stages && stages != count) ||
        !isa<IntegerType>(loop.getInductionVar().getType()))
      return 0;
    stages = count;
  }
  return stages;
}

/// One turn of the emitted loop is one of each stage, so that stages are constants and the phase
/// changes once; the last turn leaves out what the loop does not have.
LogicalResult emitByStages(Emitter &e, scf::ForOp loop, int64_t stages) {
  OpBuilder &b = e.builder;
  Value from = e.scalar(loop.getLowerBound()), to = e.scalar(loop.getUpperBound()),
        step = e.scalar(loop.getStep());
  Type type = from.getType();
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(b, e.loc, b.getIntegerAttr(type, value));
  };
  // Counted without a sign: bounds may lie further apart than the largest signed number.
  Value runs = arith::CmpIOp::create(
      b, e.loc, loop.getUnsignedCmp() ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt, from,
      to);
  Value last =
      arith::SubIOp::create(b, e.loc, arith::SubIOp::create(b, e.loc, to, from), number(1));
  Value trips =
      arith::AddIOp::create(b, e.loc, arith::DivUIOp::create(b, e.loc, last, step), number(1));
  if (!TILESMITH_PLANT("stages-of-loop-without-turns"))
    trips = arith::SelectOp::create(b, e.loc, runs, trips, number(0));
  Value whole = arith::DivUIOp::create(b, e.loc, trips, number(stages));
  Value rest =
      arith::CmpIOp::create(b, e.loc, arith::CmpIPredicate::ne,
                            arith::RemUIOp::create(b, e.loc, trips, number(stages)), number(0));
  Value turns =
      arith::AddIOp::create(b, e.loc, whole, arith::ExtUIOp::create(b, e.loc, type, rest));
  auto emitted = scf::ForOp::create(b, e.loc, number(0), turns, number(1),
                                    ValueRange{e.truth(false), from, trips}, nullptr,
                                    /*unsignedCmp=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(emitted.getBody());
  Value phase = emitted.getRegionIterArg(0), at = emitted.getRegionIterArg(1),
        left = emitted.getRegionIterArg(2);
  LogicalResult status = success();
  for (int64_t stage = 0; stage < stages; ++stage) {
    Value has = stage ? arith::CmpIOp::create(
                            b, e.loc, arith::CmpIPredicate::ugt, left,
                            number(TILESMITH_PLANT("stages-beyond-the-last") ? stage - 1 : stage))
                            .getResult()
                      : Value();
    e.when(has, [&] {
      e.setScalar(loop.getInductionVar(),
                  arith::AddIOp::create(b, e.loc, at,
                                        arith::MulIOp::create(b, e.loc, step, number(stage))));
      for (Value argument : loop.getRegionIterArgs())
        if (isPlain(argument))
          e.setScalar(argument, iteratorAt(e, stage, phase, stages));
      for (Operation &op : loop.getBody()->without_terminator())
        if (succeeded(status))
          status = e.emitOperation(&op);
      if (succeeded(status))
        status = e.flush();
    });
  }
  if (!TILESMITH_PLANT("stages-phase-kept"))
    phase = arith::XOrIOp::create(b, e.loc, phase, e.truth(true));
  scf::YieldOp::create(
      b, e.loc,
      ValueRange{phase,
                 arith::AddIOp::create(b, e.loc, at,
                                       arith::MulIOp::create(b, e.loc, step, number(stages))),
                 arith::SubIOp::create(b, e.loc, left, number(stages))});
  return status;
}

/// `condition ? yes() : no()` of ways that yield scalars like those of `like`.
FailureOr<Scalars> emitEither(Emitter &e, Value condition, ValueRange like,
                              llvm::function_ref<FailureOr<Scalars>()> yes,
                              llvm::function_ref<FailureOr<Scalars>()> no) {
  auto branch = scf::IfOp::create(e.builder, e.loc, like.getTypes(), condition,
                                  /*addThenBlock=*/true, /*addElseBlock=*/true);
  OpBuilder::InsertionGuard guard(e.builder);
  for (auto [block, way] :
       {std::pair(branch.elseBlock(), no), std::pair(branch.thenBlock(), yes)}) {
    if (!block->empty())
      block->back().erase();
    e.builder.setInsertionPointToEnd(block);
    FailureOr<Scalars> results = way();
    if (failed(results))
      return failure();
    scf::YieldOp::create(e.builder, e.loc, *results);
  }
  return Scalars(branch.getResults());
}

/// A loop that only issues products.
FailureOr<Scalars> emitIssuingLoop(Emitter &e, scf::ForOp loop, const Scalars &inits) {
  auto issue = [&]() -> FailureOr<Scalars> {
    stayBehindBranch(e);
    int64_t stages = stagesWrittenOut(loop);
    if (!stages)
      return emitLoop(e, loop, inits);
    if (failed(emitByStages(e, loop, stages)))
      return failure();
    return inits;
  };
  // Only that thread uses the iterators behind the loop, too.
  FailureOr<Scalars> results = emitEither(
      e, firstThread(e), inits,
      [&] {
        e.oneThread = true;
        FailureOr<Scalars> issued = issue();
        e.oneThread = false;
        return issued;
      },
      [&]() -> FailureOr<Scalars> { return inits; });
  // The other lanes of its warp rest until it is done.
  NVVM::SyncWarpOp::create(e.builder, e.loc, e.i32(-1));
  return results;
}

/// A loop of little but asynchronous products exists twice where one test in front of it says whether
/// tensor copies fill its stages: then nothing in it is there for the case that they do not.
FailureOr<Scalars> emitEitherFilling(Emitter &e, scf::ForOp loop, const Scalars &inits,
                                     std::optional<SumsInFlight> sums = {}) {
  Scalars before;
  if (sums)
    before = loadSums(e, sums->dot, e.tile(loop.getResult(sums->index)));
  auto emit = [&] { return emitLoop(e, loop, inits, sums, before); };
  Value holds = mapsHoldIn(e, loop);
  if (!holds)
    return emit();
  if (TILESMITH_PLANT("loop-maps-taken-for-granted"))
    holds = e.truth(true);
  // All threads know the same; of a vote ptxas knows it, too, and keeps numbers of the loop in registers
  // that a warp shares.
  holds = NVVM::VoteSyncOp::create(e.builder, e.loc, e.builder.getI1Type(), e.i32(-1), holds,
                                   NVVM::VoteSyncKind::all);
  return emitEither(
      e, holds, inits,
      [&] {
        e.mapsHold = true;
        FailureOr<Scalars> results = emit();
        e.mapsHold = false;
        return results;
      },
      emit);
}

/// Besides filling a ring, the loop does nothing but products in tensor memory of what the ring brings.
bool fillsAndIssues(scf::ForOp loop) {
  bool products = false;
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (auto read = dyn_cast<tileas::ConsumerReadOp>(op)) {
      for (Operation &inner : read.getBody().front().without_terminator())
        if (!isa<tileas::TensorMemoryDotOp>(inner))
          return false;
      products = true;
      continue;
    }
    bool isOfRing =
        isa<tileas::ConsumerWaitOp, tileas::ConsumerReleaseOp, tileas::IncIterOp,
            tileas::ProducerAcquireOp, tileas::ProducerWriteOp, tileas::ProducerCommitOp>(op);
    bool isScalar = isMemoryEffectFree(&op) && op.getNumRegions() == 0 &&
                    llvm::none_of(op.getResultTypes(), llvm::IsaPred<RankedTensorType>);
    if (!isOfRing && !isScalar)
      return false;
  }
  return products;
}

/// No path around the loop meets its sums in front of the wait: the assembler would take the copies
/// there for changes of registers in flight, and wait after each instruction.
FailureOr<Scalars> emitLoopOfProducts(Emitter &e, scf::ForOp loop, const Scalars &inits,
                                      const SumsInFlight &sums) {
  Value runs = arith::CmpIOp::create(
      e.builder, e.loc,
      loop.getUnsignedCmp() ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt,
      e.scalar(loop.getLowerBound()), e.scalar(loop.getUpperBound()));
  return emitEither(
      e, runs, inits, [&] { return emitEitherFilling(e, loop, inits, sums); },
      [&]() -> FailureOr<Scalars> { return inits; });
}

LogicalResult emitFor(Emitter &e, Operation *op) {
  auto loop = cast<scf::ForOp>(op);
  // The carried storage is shared by block arguments and results.
  if (TILESMITH_PLANT("for-carries-in-place")) {
    for (auto [init, result] : llvm::zip_equal(loop.getInitArgs(), loop.getResults()))
      if (isTile(result))
        e.setTile(result, e.tile(init));
  } else {
    allocateTiles(e, loop.getResults());
  }
  for (auto [argument, result] : llvm::zip_equal(loop.getRegionIterArgs(), loop.getResults()))
    if (isTile(result))
      e.setTile(argument, e.tile(result));
  Value some;
  if (TILESMITH_PLANT("for-empty-leaves-carried"))
    some = arith::CmpIOp::create(e.builder, e.loc,
                                 loop.getUnsignedCmp() ? arith::CmpIPredicate::ult
                                                       : arith::CmpIPredicate::slt,
                                 e.scalar(loop.getLowerBound()), e.scalar(loop.getUpperBound()));
  e.when(some, [&] { assignTiles(e, loop.getInitArgs(), loop.getResults()); });
  const Scalars inits = plainValues(e, loop.getInitArgs());
  std::optional<SumsInFlight> sums = sumsInFlight(loop);
  FailureOr<Scalars> results = issuesOnly(loop)       ? emitIssuingLoop(e, loop, inits)
                               : sums                 ? emitLoopOfProducts(e, loop, inits, *sums)
                               : fillsAndIssues(loop) ? emitEitherFilling(e, loop, inits)
                                                      : emitLoop(e, loop, inits);
  if (failed(results))
    return failure();
  bindPlain(e, loop.getResults(), *results);
  return success();
}

LogicalResult emitIf(Emitter &e, Operation *op) {
  auto branch = cast<scf::IfOp>(op);
  allocateTiles(e, branch.getResults());
  bool hasElse = !branch.getElseRegion().empty();
  auto emitted = scf::IfOp::create(e.builder, e.loc, plainTypes(e, branch.getResults()),
                                   e.scalar(branch.getCondition()), /*addThenBlock=*/true,
                                   /*addElseBlock=*/hasElse);
  for (auto [from, to] : {std::pair(&branch.getThenRegion(), &emitted.getThenRegion()),
                          std::pair(&branch.getElseRegion(), &emitted.getElseRegion())}) {
    if (failed(emitInto(e, *from, *to, [&](Block &block) { return e.emitBlock(block); })))
      return failure();
  }
  bindPlain(e, branch.getResults(), emitted.getResults());
  return success();
}

/// A while loop. Its results and both argument lists share no storage: the condition forwards
/// arguments from the before block to the after block and the results.
LogicalResult emitWhile(Emitter &e, Operation *op) {
  auto loop = cast<scf::WhileOp>(op);
  Block &before = loop.getBefore().front(), &after = loop.getAfter().front();
  allocateTiles(e, before.getArguments());
  allocateTiles(e, loop.getResults());
  for (auto [argument, result] : llvm::zip_equal(after.getArguments(), loop.getResults()))
    if (isTile(result))
      e.setTile(argument, e.tile(result));
  assignTiles(e, loop.getInits(), before.getArguments());
  SmallVector<Value> inits = plainValues(e, loop.getInits());
  auto emitted = scf::WhileOp::create(e.builder, e.loc, plainTypes(e, loop.getResults()), inits);
  SmallVector<Type> beforeTypes = plainTypes(e, before.getArguments());
  SmallVector<Type> afterTypes = plainTypes(e, after.getArguments());
  for (auto [region, types, source] : {std::tuple(&emitted.getBefore(), beforeTypes, &before),
                                       std::tuple(&emitted.getAfter(), afterTypes, &after)}) {
    OpBuilder::InsertionGuard guard(e.builder);
    Block *block =
        e.builder.createBlock(region, {}, types, SmallVector<Location>(types.size(), e.loc));
    bindPlain(e, source->getArguments(), block->getArguments());
    if (failed(e.emitBlock(*source)))
      return failure();
  }
  bindPlain(e, loop.getResults(), emitted.getResults());
  return success();
}

LogicalResult emitCondition(Emitter &e, Operation *op) {
  auto condition = cast<scf::ConditionOp>(op);
  SmallVector<Value> from, to;
  for (auto [value, result] : llvm::zip_equal(condition.getArgs(), op->getParentOp()->getResults()))
    if (!llvm::is_contained(from, value) || !TILESMITH_PLANT("while-forwards-duplicate-once")) {
      from.push_back(value);
      to.push_back(result);
    }
  assignTiles(e, from, to);
  scf::ConditionOp::create(e.builder, e.loc, e.scalar(condition.getCondition()),
                           plainValues(e, condition.getArgs()));
  return success();
}

LogicalResult emitYield(Emitter &e, Operation *op) {
  ValueRange targets = op->getParentOp()->getResults();
  if (auto loop = dyn_cast<scf::WhileOp>(op->getParentOp()))
    targets = loop.getBefore().front().getArguments();
  SmallVector<Value> from, to, plain = plainValues(e, op->getOperands());
  for (auto [value, target] : llvm::zip_equal(op->getOperands(), targets))
    if (auto sums = e.inFlight.find(value); sums != e.inFlight.end()) {
      llvm::append_range(plain, sums->second);
    } else {
      from.push_back(value);
      to.push_back(target);
    }
  assignTiles(e, from, to);
  scf::YieldOp::create(e.builder, e.loc, plain);
  return success();
}

LogicalResult emitReturn(Emitter &e, Operation *op) {
  // Others copy into this block's memory, and arrive there.
  if (multicastBlocks(op->getParentOp()) > 1 && !TILESMITH_PLANT("multicast-leaves-early")) {
    // So do their tensor cores, which give back the last stages when products are done. Where these threads issue them,
    // what is committed last arrives last.
    const bool hasAgents = op->getParentOp()
                               ->walk([](tileas::AgentSwitchOp) { return WalkResult::interrupt(); })
                               .wasInterrupted();
    if (e.tensorMemory.owner && !hasAgents && !TILESMITH_PLANT("multicast-leaves-before-commits"))
      waitForProducts(e);
    meetCluster(e);
  }
  releaseTensorMemory(e);
  releaseTensorMaps(e);
  gpu::ReturnOp::create(e.builder, e.loc);
  return success();
}

LogicalResult emitBarrier(Emitter &e, Operation *op) {
  if (tileas::annotations(op).getClusterAttrHelper().isAttrPresent(op)) {
    meetCluster(e);
    return success();
  }
  e.barrier();
  return success();
}

/// Every thread waits for itself, so what it accesses afterwards needs no barrier. A GPU without
/// dependent launches starts no grid before those in front of it have ended.
LogicalResult emitGridDependency(Emitter &e, Operation *op) {
  if (!tileaa::getTarget(op->getParentOfType<ModuleOp>())
           .has(target::Feature::GridDependencyControl))
    return success();
  bool waits = cast<tileaa::GridDependencyOp>(op).getKind() == tileaa::GridDependency::wait;
  NVVM::GriddepcontrolOp::create(e.builder, e.loc,
                                 waits ? NVVM::GridDepActionKind::wait
                                       : NVVM::GridDepActionKind::launch_dependents);
  return success();
}

LogicalResult emitNothing(Emitter &e, Operation *op) {
  return success();
}

} // namespace

void tileas_to_nvgpu::registerControlFlow(HandlerTable &table) {
  table.operations.add<scf::ForOp>(emitFor);
  table.operations.add<scf::IfOp>(emitIf);
  table.operations.add<scf::WhileOp>(emitWhile);
  table.operations.add<scf::ConditionOp>(emitCondition);
  table.operations.add<scf::YieldOp>(emitYield);
  table.operations.add<tileaa::ReturnOp>(emitReturn);
  table.operations.add<gpu::BarrierOp>(emitBarrier);
  table.operations.add<tileaa::GridDependencyOp>(emitGridDependency);
  table.operations.add<tileaa::CreateMemTokenOp, tileaa::JoinMemTokenOp>(emitNothing);
}
