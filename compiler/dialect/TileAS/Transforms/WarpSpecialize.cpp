//===- WarpSpecialize.cpp - warps that copy beside warps that compute -------------------------===//
//
// The strategy `warp-specialize` of tileas-materialize-schedule. The kernel becomes
//
//   buffers and pipelines
//   agent_switch
//     consumers (the warps the kernel had):  the kernel; its annotated loops wait for stages, read
//                                            and release them
//     producers (warps behind them):         per annotated loop, in order: acquire a stage, copy
//                                            what one iteration loads, commit
//     issuers (half of the producers' warps, where products may run ahead): nothing yet
//
// What the producers need to know - bounds, views, addresses - is computed once more in their
// region, so it must be free of side effects and stand in the kernel's outermost block, as must the
// loops; only a load of one element that no write stands before, and nothing behind, is done twice.
// Or all loops stand in one loop of that block (a persistent kernel): the producers run a loop with the same
// bounds, the rings and their iterators go on from turn to turn, and so copies for the next turn begin while
// the consumers still finish the last one; their copies stand behind no write. Tiles that this loop loads for
// itself have a ring of their own, of a stage each turn, which the producers fill before those of the loops
// inside: consumers wait for it where their turn begins. Loops in a row that load the same kinds of tiles (the
// two halves of a split loop) share one ring, whose iterators go on from loop to loop (a stage given back late
// by the next one's first turn). Products that will not be issued together take their operands from rings of
// their own (OverlapProducts.h), and of a single stage every load has one (StageLives.h).
// A load of pointers needs as many producers as consumers, because tiles have a layout, and
// addresses without exchanges between threads, because scratch belongs to the consumers.
//
// Where the products of all loops may run ahead (OverlapProducts.h) and one thread starts all copies, half
// of the producers' warps are left to issue products: tileas-refine-atom-by-resource says which. So it is where products
// wait for nothing but copies, some of which no tensor copy can do (rows by their numbers, elements through pointers).
// Those the consumers do, which have nothing else to do in the loop, and know the addresses: each stage has two who fill
// it, consumers in their turn and producers ahead, and is there when both have said so.
//
// Memory order between the agents: where something that may write the same object stands behind the
// tokens of a loop's loads, consumers arrive at an mbarrier of the token pool in front of the loop,
// and producers wait for it before their first copy (hop two of memory tokens). The pool has
// kTokenPoolSize barriers; a kernel that needs more is not specialised.
//
// A kernel of clusters keeps its warps together where tokens order its accesses: the barriers of a
// cluster count all threads.
//
// Stages change hands at mbarriers, so consumers meet producers nowhere else: block barriers of the
// consumers' code become barriers of the consumers alone (Emitter.h).
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/dialect/TileAA/Transforms/AliasScopes.h"
#include "compiler/dialect/TileAS/IR/TileAS.h"
#include "compiler/dialect/TileAS/IR/TokenPool.h"
#include "compiler/dialect/TileAS/Transforms/BlocksTogether.h"
#include "compiler/dialect/TileAS/Transforms/CostModel.h"
#include "compiler/dialect/TileAS/Transforms/OverlapProducts.h"
#include "compiler/dialect/TileAS/Transforms/PipelineLoop.h"
#include "compiler/dialect/TileAS/Transforms/PipelineUses.h"
#include "compiler/dialect/TileAS/Transforms/SharedOperands.h"
#include "compiler/dialect/TileAS/Transforms/TensorMemoryPlaces.h"
#include "compiler/support/Plants.h"
#include "compiler/target/Targets.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas;

namespace {

/// Kept free for exchanges between the consumers, and for barriers.
constexpr int64_t kScratchReserve = 49 * 1024;

class Specializer {
public:
  Specializer(tileaa::FuncOp function, const WarpSpecialization &options)
      : function(function), options(options), entry(function.getBody().front()) {}

  /// Why the kernel cannot be specialised.
  std::optional<std::string> problem() {
    gpu = &tileaa::getTarget(function->getParentOfType<ModuleOp>());
    if (!gpu->has(target::Feature::MbarrierTryWait))
      return "the target has no waits for the phase of an mbarrier";
    if (clusterBlocks(function) > 1 && ordersAccesses() &&
        !TILESMITH_PLANT("cluster-barriers-of-consumers"))
      return "all warps take part in the barriers of a cluster";
    numWarps = warpsOf(function);
    if (numWarps < 1 || numWarps + options.producerWarps > 32)
      return "agent warp count exceeds module budget";
    if (auto text = collect()) {
      if (issuers.value_or(0) == 0)
        return text;
      issuers = 0;
      if (auto still = collect())
        return still;
    }
    int64_t budget = consumerBudget(),
            words = CostModel(function, *gpu, options.hostMaps).liveWords();
    if (words > budget && budget < registerBudget(numWarps, 0, 0, blocksTogether(function)))
      return "its consumers would have " + std::to_string(budget) + " registers and need " +
             std::to_string(words);
    const int64_t blocks = blocksTogether(function),
                  first =
                      target::kRegistersPerSM / blocks / (32 * (numWarps + options.producerWarps)),
                  least = leastRegisters(function);
    if (blocks > 1 && first / 8 * 8 < least)
      return "its threads would begin with " + std::to_string(first / 8 * 8) +
             " registers, and a product needs " + std::to_string(least);
    return std::nullopt;
  }

  int64_t stages() { return problem() ? 0 : loops.front()->stages; }

  std::optional<std::string> run() {
    if (auto text = problem())
      return text;
    chooseBudgets();
    rewrite();
    return std::nullopt;
  }

private:
  /// A token orders some access behind another one, so that barriers may stand between them.
  bool ordersAccesses() {
    auto isFresh = [](auto &&self, Value token) -> bool {
      if (auto join = token.getDefiningOp<tileaa::JoinMemTokenOp>())
        return llvm::all_of(join->getOperands(), [&](Value each) { return self(self, each); });
      return token.getDefiningOp<tileaa::CreateMemTokenOp>() != nullptr;
    };
    return function
        ->walk([&](Operation *op) {
          for (Value operand : op->getOperands())
            if (isa<tileaa::MemTokenType>(operand.getType()) && !isa<tileaa::JoinMemTokenOp>(op) &&
                !isFresh(isFresh, operand))
              return WalkResult::interrupt();
          return WalkResult::advance();
        })
        .wasInterrupted();
  }

  int64_t consumerBudget() const {
    return options.consumerRegs ? options.consumerRegs
                                : registerBudget(numWarps, options.producerWarps,
                                                 kProducerRegisters, blocksTogether(function));
  }

  /// Where a multiprocessor has fewer registers than its threads could name, the producers give up
  /// theirs: budgets change hands between whole warpgroups.
  void chooseBudgets() {
    if (options.consumerRegs || options.producerRegs || numWarps % 4 || options.producerWarps % 4)
      return;
    int64_t budget = consumerBudget();
    if (budget <= kProducerRegisters || budget == target::kMaxRegistersPerThread)
      return;
    options.consumerRegs = budget;
    options.producerRegs = kProducerRegisters;
  }

  /// Half of the warps beside the consumers where their other half can do the copies.
  int64_t chooseIssuers() {
    bool apart = options.tensorCopies && options.producerWarps % 2 == 0;
    for (PipelineLoop *loop : allLoops())
      apart &=
          (mayRunAhead(loop->loop, *gpu) || mayIssueInTurn(loop->loop, *gpu) ||
           mayIssueLoopAhead(loop->loop, *gpu) || (loop == around.get() && loopsRunAhead())) &&
          llvm::all_of(loop->loads, [&](Operation *load) { return isTensorCopy(*loop, load); });
    if (!apart && options.tensorCopies && options.producerWarps % 2 == 0)
      apart = leavesCopiesToThreads();
    return apart ? options.producerWarps / 2 : 0;
  }

  /// The products of no loop inside take what the loop around loads.
  bool loopsRunAhead() {
    return llvm::all_of(loops, [&](auto &loop) { return mayIssueLoopAhead(loop->loop, *gpu); });
  }

  bool isTensorCopy(PipelineLoop &loop, Operation *load) {
    return mayUseTensorCopy(load, loop.loop, options.hostMaps);
  }

  /// Threads have nothing to do in the loop, whose products others issue, but copies that no tensor copy can do.
  bool leavesCopiesToThreads() {
    return loops.size() == 1 && mayFeedByThreads(loops.front()->loop, *gpu, options.hostMaps);
  }

  /// The loops inside in order, then the one around them that copies for itself.
  SmallVector<PipelineLoop *> allLoops() {
    SmallVector<PipelineLoop *> all;
    for (auto &loop : loops)
      all.push_back(loop.get());
    if (around)
      all.push_back(around.get());
    return all;
  }

  int64_t copyingWarps() const { return options.producerWarps - issuers.value_or(0); }

  std::optional<std::string> collect() {
    std::optional<std::string> problem;
    loops.clear();
    around.reset();
    needed.clear();
    waiting.clear();
    function->walk([&](AgentSwitchOp) { problem = "it has agents of its own"; });
    function->walk([&](scf::ForOp loop) {
      IntegerAttr stages = annotations(loop).getNumStagesAttrHelper().getAttr(loop);
      if (!stages || problem)
        return;
      auto parent = dyn_cast<scf::ForOp>(loop->getParentOp());
      if (loop->getBlock() != &entry && (!parent || parent->getBlock() != &entry)) {
        problem = "a pipelined loop stands inside of another operation";
        return;
      }
      if (!loops.empty() && loop == outer) { // behind the loops inside
        around = std::make_unique<PipelineLoop>(loop, stages.getInt());
        return;
      }
      if (!loops.empty() && parent != outer) {
        problem = "pipelined loops stand in different blocks";
        return;
      }
      outer = parent;
      loops.push_back(std::make_unique<PipelineLoop>(loop, stages.getInt()));
    });
    if (problem)
      return problem;
    if (loops.empty())
      return "no loop is pipelined";
    for (PipelineLoop *loop : allLoops())
      if (failed(loop->analyse()))
        return "an annotation is wrong";
    if (around && !around->carried.empty())
      return "the producers need what the loop around carries";
    if (!issuers)
      issuers = chooseIssuers();
    int64_t twice = 0;
    for (PipelineLoop *loop : allLoops()) {
      loop->copyWarps = copyingWarps();
      loop->rings = ringsOfLoads(loop->loop, loop->loads, *gpu);
      if (loop->stages == 1 && llvm::all_equal(loop->rings))
        std::iota(loop->rings.begin(), loop->rings.end(), 0);
      if (*issuers && leavesCopiesToThreads())
        loop->leaveToThreads([&](Operation *load) { return !isTensorCopy(*loop, load); });
      for (Operation *load : loop->loads) {
        auto tile = cast<RankedTensorType>(load->getResult(0).getType());
        twice += 2 * llvm::alignTo(
                         tile.getNumElements() * bufferElementBytes(tile.getElementType()), 1024);
      }
      if (auto reason = collectNeeds(*loop))
        return reason;
    }
    if (outer && !waiting.empty() && !TILESMITH_PLANT("specialize-turns-pass-writes"))
      return "copies for the next turn of a loop would pass what its last one writes";
    if (waiting.size() > kTokenPoolSize)
      return std::to_string(waiting.size()) + " loops wait for memory tokens, a tile block has " +
             std::to_string(kTokenPoolSize) + " mbarriers for them";
    shared = loops.size() > 1 && !outer && llvm::all_of(loops, [&](auto &loop) {
               return loop->lateRelease == loops.front()->lateRelease &&
                      loop->slotTypes() == loops.front()->slotTypes() &&
                      loop->rings == loops.front()->rings;
             });
    if (shared)
      twice /= int64_t(loops.size());
    const int64_t lefts = bytesOfSharedLefts(function);
    const int64_t tokens = llvm::alignTo(8 * waiting.size(), 16);
    int64_t available = gpu->maxSharedBytes - kScratchReserve - tokens;
    // What one exchange needs is enough; products in tensor memory may stage operands in the rest.
    if (lefts || (twice > available && gpu->has(target::Feature::Wgmma)))
      available = gpu->maxSharedBytes - scratchReserve(function) - lefts - tokens;
    if (int64_t blocks = blocksTogether(function); blocks > 1)
      available = sharedBytesOfBlock(*gpu, blocks) - kBarrierBytes - bytesBesideRings(lefts);
    // All rings live as long as the kernel: share what there is.
    const bool single =
        llvm::all_of(allLoops(), [](PipelineLoop *loop) { return loop->stages == 1; });
    if ((single ? twice / 2 : twice) > available)
      return (single ? "one stage of all loops needs " : "two stages of all loops need ") +
             std::to_string(single ? twice / 2 : twice) + " bytes of shared memory, " +
             std::to_string(available) + " are left";
    for (PipelineLoop *loop : allLoops()) {
      loop->stages = std::min(loop->stages, 2 * available / twice);
      loop->lateRelease &= loop->stages > 2;
    }
    if (shared)
      for (auto &loop : loops)
        loops.front()->stages = std::min(loops.front()->stages, loop->stages);
    return std::nullopt;
  }

  /// Where blocks share a multiprocessor: left operands, in whose place threads exchange tiles in front of
  /// the loops and behind them, or that and what they exchange meanwhile.
  int64_t bytesBesideRings(int64_t lefts) {
    int64_t inLoops = 0, outside = 0;
    function->walk([&](Operation *op) {
      auto convert = dyn_cast<ConvertLayoutOp>(op);
      if (!convert && !isa<ReduceOp, ScanOp>(op))
        return;
      const bool isInside =
          llvm::any_of(loops, [&](auto &one) { return one->loop->isAncestor(op); });
      // Slots are read as they are wanted, tiles made outside stay where they were put.
      if (convert && isInside)
        return;
      int64_t &most = isInside ? inLoops : outside;
      most = std::max<int64_t>(most, llvm::alignTo(exchangedBytes(op), 1024));
    });
    return std::max(lefts + inLoops, outside);
  }

  std::optional<std::string> collectNeeds(PipelineLoop &loop) {
    SmallVector<Value> work{loop.loop.getLowerBound(), loop.loop.getUpperBound(),
                            loop.loop.getStep()};
    auto addOutside = [&](ValueRange operands) {
      for (Value operand : operands)
        if (!loop.loop->isProperAncestor(operand.getParentBlock()->getParentOp()) &&
            operand.getParentBlock() != loop.loop.getBody())
          work.push_back(operand);
    };
    for (unsigned index : loop.carried) {
      work.push_back(loop.loop.getInitArgs()[index]);
      if (!TILESMITH_PLANT("specialize-forgets-what-turns-carry"))
        addOutside(loop.loop.getYieldedValues()[index]);
    }
    for (Operation *op : loop.slice.operations) {
      // Numbers are read without tokens.
      if (isa<LoadOp, TiledLoadOp>(op))
        addOutside(addressOperands(op));
      else
        addOutside(op->getOperands());
      if (auto problem = checkTiles(op))
        return problem;
    }
    for (auto [number, load] : llvm::enumerate(loop.loads)) {
      if (loop.own[number])
        continue;
      addOutside(addressOperands(load));
      if (isa<GatherLoadOp>(load))
        return "the producers need the indices of gathered rows";
      if (isa<LoadOp>(load) && copyingWarps() != numWarps)
        return "a load through pointers needs as many producers as consumers";
    }
    if (outer)
      work.append({outer.getLowerBound(), outer.getUpperBound(), outer.getStep()});
    while (!work.empty()) {
      Value value = work.pop_back_val();
      Operation *op = value.getDefiningOp();
      if (!op && outer && value.getParentBlock() == outer.getBody() &&
          value != outer.getInductionVar())
        return "the producers need what the loop around carries";
      if (!op || !needed.insert(op))
        continue;
      bool isOuter = op->getBlock() == &entry || (outer && op->getBlock() == outer.getBody());
      if (!isOuter || op->getNumRegions() != 0 || !(isMemoryEffectFree(op) || readsAlone(op)))
        return ("the producers need '" + op->getName().getStringRef() + "'").str();
      if (auto problem = checkTiles(op))
        return problem;
      work.append(op->operand_begin(), op->operand_end());
    }
    for (auto [load, tokens] : llvm::zip_equal(loop.loads, loop.outer))
      if (standsBehindWrite(load, tokens))
        waiting.insert(&loop);
    return std::nullopt;
  }

  /// Tiles are laid out over the warps of the kernel, and exchanges between threads go through one
  /// scratch area, which is the consumers'.
  std::optional<std::string> checkTiles(Operation *op) {
    bool hasTiles = llvm::any_of(op->getResultTypes(), isDivided) ||
                    llvm::any_of(op->getOperandTypes(), isDivided);
    if (!hasTiles)
      return std::nullopt;
    if (copyingWarps() != numWarps)
      return ("the producers need the tile of '" + op->getName().getStringRef() + "'").str();
    if (isa<TileASDialect>(op->getDialect()) && !isa<ViewOp, PermuteOp, BroadcastOp>(op))
      return ("the producers would exchange data in '" + op->getName().getStringRef() + "'").str();
    return std::nullopt;
  }

  /// The handles of the tokens between the agents, in front of both.
  void createTokens(OpBuilder &builder) {
    if (waiting.empty())
      return;
    SmallVector<int32_t> producers(waiting.size(), 32 * numWarps);
    auto tokens = InitMemTokensOp::create(builder, function.getLoc(),
                                          SmallVector<Type>(waiting.size(), builder.getI32Type()),
                                          builder.getDenseI32ArrayAttr(producers));
    for (auto [loop, handle] : llvm::zip_equal(waiting, tokens.getHandles()))
      handles[loop] = handle;
  }

  /// The consumers' part of a token: all they did so far.
  void arrive(PipelineLoop &loop, Value handle, Block *consumers) {
    // Asked anew: loops before this one have been replaced, and their tokens with them.
    llvm::SetVector<Value> behind;
    for (Operation *load : loop.loads)
      if (auto tokens = outerTokens(loop.loop, tokenOperand(load)))
        behind.insert(tokens->begin(), tokens->end());
    if (TILESMITH_PLANT("token-arrives-early")) {
      behind.clear();
      loop.builder.setInsertionPointToStart(consumers);
    }
    ArriveMemTokenOp::create(loop.builder, loop.loc, handle, behind.getArrayRef());
    loop.builder.setInsertionPoint(loop.loop);
  }

  void rewrite() {
    OpBuilder builder(function.getContext());
    Location loc = function.getLoc();
    Operation *first = &entry.front(), *terminator = entry.getTerminator();
    for (auto &loop : loops) {
      loop->builder.setInsertionPoint(first);
      if (shared && loop != loops.front())
        loop->sharePipelines(*loops.front());
      else
        loop->createPipelines();
    }
    if (around) {
      around->builder.setInsertionPoint(first);
      around->createPipelines();
    }
    builder.setInsertionPoint(first);
    createTokens(builder);
    SmallVector<int32_t> warps{int32_t(numWarps), int32_t(copyingWarps())},
        registers{int32_t(options.consumerRegs), int32_t(options.producerRegs)};
    if (*issuers) {
      warps.push_back(*issuers);
      registers.push_back(options.producerRegs);
    }
    auto agents = AgentSwitchOp::create(builder, loc, warps, registers, warps.size());
    Block *consumers = builder.createBlock(&agents.getAgents()[0]);
    PipelineYieldOp::create(builder, loc, ValueRange());
    if (*issuers) {
      builder.createBlock(&agents.getAgents()[2]);
      PipelineYieldOp::create(builder, loc, ValueRange());
    }
    builder.createBlock(&agents.getAgents()[1]);
    auto end = PipelineYieldOp::create(builder, loc, ValueRange());

    builder.setInsertionPoint(end);
    IRMapping outside;
    for (Operation &op : entry)
      if (needed.contains(&op))
        builder.clone(op, outside);
    produceAll(end, outside);

    auto after = std::next(agents->getIterator());
    consumers->getOperations().splice(consumers->begin(), entry.getOperations(), after,
                                      terminator->getIterator());
    SmallVector<Value> iterators = consumerIterators();
    Value handed; // by the loop before, whose ring this one shares
    for (auto [loop, iterator] : llvm::zip_equal(loops, iterators)) {
      if (handed)
        iterator = handed;
      loop->builder.setInsertionPoint(loop->loop);
      if (Value handle = handles.lookup(loop.get()))
        arrive(*loop, handle, consumers);
      loop->replaceLoop(iterator, [](Value, ArrayRef<Value>) { return SmallVector<Value>(); });
      if (outer && !TILESMITH_PLANT("specialize-turn-begins-anew"))
        handOn(iterator);
      if (shared && !TILESMITH_PLANT("specialize-shared-ring-begins-anew"))
        handed = behindLoop(iterator);
    }
    if (around)
      replaceAround();
    for (PipelineLoop *loop : allLoops())
      for (Value value : loop->pipelines) {
        auto pipeline = value.getDefiningOp<CreatePipelineOp>();
        pipeline.setProducerGroupId(1);
        useMbarriers(pipeline);
      }
    annotations(function).getThreadsAttrHelper().setAttr(
        function, builder.getI32IntegerAttr(32 * (numWarps + options.producerWarps)));
    // Budgets are exchanged while the kernel runs, so it starts with a known number per thread.
    if (options.consumerRegs && options.producerRegs) {
      int64_t sum = numWarps * options.consumerRegs + options.producerWarps * options.producerRegs;
      // Rounded up: what the block starts with must hold all budgets, or those that grow wait for ever.
      int64_t average = llvm::alignTo(llvm::divideCeil(sum, numWarps + options.producerWarps), 8);
      annotations(function).getMaxRegsAttrHelper().setAttr(
          function, builder.getI32IntegerAttr(std::clamp<int64_t>(average, 24, 248)));
    }
  }

  /// The loop around as a consumer, once the loops inside are.
  void replaceAround() {
    around->loop = outer;
    around->builder.setInsertionPoint(outer);
    Value iterator = CreateIteratorOp::create(around->builder, around->loc, around->iteratorType,
                                              around->pipelines.front());
    around->replaceLoop(iterator, [](Value, ArrayRef<Value>) { return SmallVector<Value>(); });
  }

  /// An iterator for each loop, in front of it or carried by the loop around.
  SmallVector<Value> consumerIterators() {
    SmallVector<Value> iterators;
    for (auto &loop : loops) {
      loop->builder.setInsertionPoint(outer ? outer : loop->loop);
      bool goesOn =
          shared && loop != loops.front() && !TILESMITH_PLANT("specialize-shared-ring-begins-anew");
      iterators.push_back(goesOn ? Value()
                                 : CreateIteratorOp::create(loop->builder, loop->loc,
                                                            loop->iteratorType,
                                                            loop->pipelines.front()));
    }
    if (!outer)
      return iterators;
    IRRewriter rewriter(function.getContext());
    auto replaced = outer.replaceWithAdditionalYields(
        rewriter, iterators, /*replaceInitOperandUsesInLoop=*/false,
        [](OpBuilder &, Location, ArrayRef<BlockArgument> arguments) {
          return SmallVector<Value>(arguments.begin(), arguments.end());
        });
    outer = cast<scf::ForOp>(replaced->getOperation());
    auto carried = outer.getRegionIterArgs().take_back(loops.size());
    return SmallVector<Value>(carried.begin(), carried.end());
  }

  /// The iterator with which the loop ends that begins with `iterator`.
  static Value behindLoop(Value iterator) {
    for (OpOperand &use : iterator.getUses())
      if (auto loop = dyn_cast<scf::ForOp>(use.getOwner()))
        return loop.getTiedLoopResult(&use);
    llvm_unreachable("a loop carries the iterator");
  }

  /// The loop around carries on the iterator with which the loop inside has ended.
  void handOn(Value iterator) {
    for (OpOperand &use : llvm::make_early_inc_range(iterator.getUses()))
      if (auto inner = dyn_cast<scf::ForOp>(use.getOwner())) {
        unsigned index = cast<BlockArgument>(iterator).getArgNumber() - 1;
        outer.getBody()->getTerminator()->setOperand(index, inner.getTiedLoopResult(&use));
        return;
      }
  }

  void produceAll(Operation *end, IRMapping &outside) {
    OpBuilder b(end);
    Location loc = function.getLoc();
    SmallVector<Value> iterators;
    for (auto &loop : loops)
      if (!shared || iterators.empty())
        iterators.push_back(
            CreateIteratorOp::create(b, loc, loop->iteratorType, loop->pipelines.front()));
    if (!outer) {
      for (auto [index, loop] : llvm::enumerate(loops)) {
        Value behind = produce(*loop, end, iterators[shared ? 0 : index], outside);
        if (shared)
          iterators[0] = behind;
      }
      return;
    }
    if (around)
      iterators.push_back(
          CreateIteratorOp::create(b, loc, around->iteratorType, around->pipelines.front()));
    auto mapped = [&](Value value) { return outside.lookupOrDefault(value); };
    auto turns = scf::ForOp::create(
        b, loc, mapped(outer.getLowerBound()), mapped(outer.getUpperBound()),
        mapped(outer.getStep()), iterators, nullptr,
        outer.getUnsignedCmp() && !TILESMITH_PLANT("specialize-turns-count-signed"));
    b.setInsertionPointToStart(turns.getBody());
    outside.map(outer.getInductionVar(), turns.getInductionVar());
    for (Operation &op : *outer.getBody())
      if (needed.contains(&op))
        b.clone(op, outside);
    SmallVector<Value> next;
    auto yield = scf::YieldOp::create(b, loc, ValueRange());
    Value last;
    // Consumers wait for its tiles where their turn begins.
    if (around)
      last = produceTurn(*around, yield, turns.getRegionIterArgs().back(), turns.getInductionVar(),
                         outside);
    for (auto [loop, iterator] : llvm::zip(loops, turns.getRegionIterArgs()))
      next.push_back(produce(*loop, yield, iterator, outside));
    if (around)
      next.push_back(last);
    yield->setOperands(next);
  }

  /// The copies of one turn in front of `end`; returns the next iterator.
  Value produceTurn(PipelineLoop &loop, Operation *end, Value iterator, Value at,
                    const IRMapping &outside) {
    loop.builder.setInsertionPoint(end);
    if (TILESMITH_PLANT("specialize-around-first-turn"))
      at = outside.lookupOrDefault(outer.getLowerBound());
    loop.produce(iterator, {}, at, {}, {}, outside);
    return IncIterOp::create(loop.builder, loop.loc, loop.iteratorType, iterator);
  }

  /// The loop of copies in front of `end`; returns the iterator behind it.
  Value produce(PipelineLoop &loop, Operation *end, Value first, const IRMapping &outside) {
    OpBuilder &b = loop.builder;
    b.setInsertionPoint(end);
    SmallVector<Value> tokens;
    if (Value handle = handles.lookup(&loop))
      tokens.assign(loop.loads.size(),
                    WaitMemTokenOp::create(
                        b, loop.loc, tileaa::MemTokenType::get(function.getContext()), handle));
    auto mapped = [&](Value value) { return outside.lookupOrDefault(value); };
    SmallVector<Value> inits{first};
    for (unsigned index : loop.carried)
      inits.push_back(mapped(loop.loop.getInitArgs()[index]));
    auto created = scf::ForOp::create(
        b, loop.loc, mapped(loop.loop.getLowerBound()), mapped(loop.loop.getUpperBound()),
        mapped(loop.loop.getStep()), inits, nullptr, loop.loop.getUnsignedCmp());
    b.setInsertionPointToStart(created.getBody());
    Value iterator = created.getRegionIterArgs()[0], at = created.getInductionVar();
    SmallVector<Value> values(created.getRegionIterArgs().drop_front());
    loop.produce(iterator, {}, at, values, tokens, outside);
    SmallVector<Value> next{IncIterOp::create(b, loop.loc, loop.iteratorType, iterator)};
    next.append(loop.advance(at, values, outside));
    scf::YieldOp::create(b, loop.loc, next);
    return created.getResult(0);
  }

  tileaa::FuncOp function;
  WarpSpecialization options;
  Block &entry;
  const target::GpuTarget *gpu = nullptr;
  int64_t numWarps = 0;
  std::optional<int64_t> issuers; ///< warps that are left for products; nullopt: not known yet
  SmallVector<std::unique_ptr<PipelineLoop>> loops;
  bool shared = false; ///< the loops share the ring of the first one
  scf::ForOp outer;    ///< around all loops; null: they stand in the outermost block
  std::unique_ptr<PipelineLoop> around; ///< that loop, if it loads tiles for itself, too
  llvm::SetVector<Operation *> needed;
  llvm::SetVector<PipelineLoop *> waiting; ///< loops whose copies stand behind a token
  llvm::DenseMap<PipelineLoop *, Value> handles;
};

} // namespace

std::optional<std::string> tileas::specializationProblem(tileaa::FuncOp function,
                                                         const WarpSpecialization &options) {
  return Specializer(function, options).problem();
}

int64_t tileas::specializedStages(tileaa::FuncOp function, const WarpSpecialization &options) {
  return Specializer(function, options).stages();
}

std::optional<std::string> tileas::warpSpecialize(tileaa::FuncOp function,
                                                  const WarpSpecialization &options) {
  return Specializer(function, options).run();
}
