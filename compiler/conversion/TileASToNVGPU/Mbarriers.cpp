//===- Mbarriers.cpp - stages that change hands at barriers in shared memory ------------------===//
#include "compiler/conversion/TileASToNVGPU/Mbarriers.h"

#include "compiler/conversion/TileASToNVGPU/MemoryAccess.h"
#include "compiler/conversion/TileASToNVGPU/Tcgen05.h"
#include "compiler/dialect/TileAS/IR/GlobalAccess.h"
#include "compiler/dialect/TileAS/IR/IssueSlice.h"
#include "compiler/dialect/TileAS/IR/TensorBox.h"
#include "compiler/support/Plants.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include <array>

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas_to_nvgpu;

/// Members of an iterator: the stage, the parity of its phase, the stage of the iteration before.
enum : int64_t { kStage, kPhase, kBefore };
/// Nanoseconds after which a suspended wait looks again.
static constexpr int64_t kWaitTicks = 0x989680;

static Value index(Emitter &e, int64_t value) {
  return arith::ConstantIndexOp::create(e.builder, e.loc, value);
}

Value tileas_to_nvgpu::groupAt(Emitter &e, Value barrier) {
  MLIRContext *context = e.builder.getContext();
  auto shared = gpu::AddressSpaceAttr::get(context, gpu::AddressSpace::Workgroup);
  return UnrealizedConversionCastOp::create(e.builder, e.loc,
                                            nvgpu::MBarrierGroupType::get(context, shared, 1),
                                            descriptorAt(e, barrier))
      .getResult(0);
}

void tileas_to_nvgpu::initMbarrier(Emitter &e, Value barrier, int64_t arrivals) {
  nvgpu::MBarrierInitOp::create(e.builder, e.loc, groupAt(e, barrier), index(e, arrivals),
                                index(e, 0), Value());
}

void tileas_to_nvgpu::arriveExpectingBytes(Emitter &e, Value barrier, int64_t bytes) {
  nvgpu::MBarrierArriveExpectTxOp::create(e.builder, e.loc, groupAt(e, barrier), index(e, bytes),
                                          index(e, 0), Value());
}

static Value member(Emitter &e, Value iterator, int64_t index) {
  return LLVM::ExtractValueOp::create(e.builder, e.loc, iterator, index);
}

Type tileas_to_nvgpu::iteratorType(MLIRContext *context) {
  Type word = IntegerType::get(context, 32), bit = IntegerType::get(context, 1);
  return LLVM::LLVMStructType::getLiteral(context, {word, bit, word});
}

static Value makeIterator(Emitter &e, Value stage, Value phase, Value before) {
  Value iterator = LLVM::PoisonOp::create(e.builder, e.loc, iteratorType(e.builder.getContext()));
  for (auto [index, value] : llvm::enumerate(std::array{stage, phase, before}))
    iterator = LLVM::InsertValueOp::create(e.builder, e.loc, iterator, value, index);
  return iterator;
}

Value tileas_to_nvgpu::stageOf(Emitter &e, Value iterator) {
  return member(e, iterator, kStage);
}

Value tileas_to_nvgpu::firstIterator(Emitter &e, int64_t stages) {
  return makeIterator(e, e.i32(0), e.truth(false), e.i32(stages));
}

Value tileas_to_nvgpu::iteratorAt(Emitter &e, int64_t stage, Value phase, int64_t stages) {
  return makeIterator(e, e.i32(stage), phase, e.i32((stage + stages - 1) % stages));
}

Value tileas_to_nvgpu::nextIterator(Emitter &e, Value iterator, int64_t stages) {
  Value stage = stageOf(e, iterator), next = e.add(stage, e.i32(1));
  Value wraps =
      arith::CmpIOp::create(e.builder, e.loc, arith::CmpIPredicate::eq, next, e.i32(stages));
  Value phase = member(e, iterator, kPhase);
  if (!TILESMITH_PLANT("mbarrier-phase-kept"))
    phase = arith::XOrIOp::create(e.builder, e.loc, phase, wraps);
  return makeIterator(e, arith::SelectOp::create(e.builder, e.loc, wraps, e.i32(0), next), phase,
                      stage);
}

Value tileas_to_nvgpu::fullBarrier(Emitter &e, tileas::CreatePipelineOp create, Value iterator) {
  return e.barrierWord(create, stageOf(e, iterator));
}

static Value emptyBarrier(Emitter &e, tileas::CreatePipelineOp create, Value stage) {
  int64_t stages = create.getPipeline().getType().getStages();
  return e.barrierWord(create, e.add(stage, e.i32(stages)));
}

int64_t tileas_to_nvgpu::barrierWordsOf(tileas::CreatePipelineOp create) {
  return 2 * int64_t(create.getPipeline().getType().getStages()) + create.getLateRelease();
}

int64_t tileas_to_nvgpu::multicastBlocks(Operation *root) {
  int64_t blocks = 1;
  root->walk([&](tileas::AsyncTiledLoadOp load) {
    blocks = std::max<int64_t>(blocks, load.getMulticast());
  });
  return blocks;
}

int64_t tileas_to_nvgpu::multicastBlocks(tileas::CreatePipelineOp create) {
  int64_t blocks = 1;
  for (Operation *user : create.getPipeline().getUsers())
    if (isa<tileas::ProducerWriteOp>(user))
      blocks = std::max(blocks, multicastBlocks(user));
  return blocks;
}

void tileas_to_nvgpu::meetCluster(Emitter &e) {
  auto aligned = e.builder.getUnitAttr();
  NVVM::ClusterArriveOp::create(e.builder, e.loc, aligned);
  NVVM::ClusterWaitOp::create(e.builder, e.loc, aligned);
}

Value tileas_to_nvgpu::blockMask(Emitter &e, int64_t blocks) {
  return arith::ConstantIntOp::create(e.builder, e.loc, e.builder.getI16Type(),
                                      int16_t((1 << blocks) - 1));
}

Value tileas_to_nvgpu::inBlock(Emitter &e, Value address, Value rank) {
  return NVVM::MapaOp::create(e.builder, e.loc,
                              LLVM::LLVMPointerType::get(e.builder.getContext(), 7), address, rank);
}

void tileas_to_nvgpu::fenceAsyncProxy(Emitter &e) {
  NVVM::FenceProxyOp::create(
      e.builder, e.loc,
      NVVM::ProxyKindAttr::get(e.builder.getContext(), NVVM::ProxyKind::async_shared),
      NVVM::SharedSpaceAttr::get(e.builder.getContext(), NVVM::SharedSpace::shared_cta));
}

/// Whether some thread of the block may have run `other` before `op`; agents run at the same time.
static bool mayPrecede(Operation *other, Operation *op) {
  for (Operation *at = op; at && at->getBlock(); at = at->getParentOp()) {
    Operation *beside = at->getBlock()->findAncestorOpInBlock(*other);
    if (isa<LoopLikeOpInterface>(at) && at != op && at->isProperAncestor(other))
      return true;
    if (beside && beside != at && beside->isBeforeInBlock(at))
      return true;
    auto agents = dyn_cast<tileas::AgentSwitchOp>(at->getParentOp());
    if (agents && agents->isProperAncestor(other) &&
        !at->getParentRegion()->isAncestor(other->getParentRegion()))
      return true;
  }
  return false;
}

void tileas_to_nvgpu::fenceAsyncProxyAt(Emitter &e, Operation *op) {
  WalkResult walked = op->getParentOfType<tileaa::FuncOp>()->walk([&](Operation *other) {
    return tileas::changesGlobalMemory(other) && mayPrecede(other, op) ? WalkResult::interrupt()
                                                                       : WalkResult::advance();
  });
  if (!walked.wasInterrupted() || TILESMITH_PLANT("proxy-fence-forgets-global-memory"))
    return fenceAsyncProxy(e);
  NVVM::FenceProxyOp::create(
      e.builder, e.loc, NVVM::ProxyKindAttr::get(e.builder.getContext(), NVVM::ProxyKind::async),
      {});
}

void tileas_to_nvgpu::waitParity(Emitter &e, Value barrier, Value isOdd) {
  nvgpu::MBarrierTryWaitParityOp::create(e.builder, e.loc, groupAt(e, barrier), isOdd,
                                         index(e, kWaitTicks), index(e, 0));
  // Lanes may leave the wait one after another; what follows may need them together.
  if (!e.oneThread)
    NVVM::SyncWarpOp::create(e.builder, e.loc, e.i32(-1));
}

/// Some product in tensor memory reads the stages: the tensor core gives them back as well.
static bool feedsTensorMemory(tileas::CreatePipelineOp create) {
  return llvm::any_of(create.getPipeline().getUsers(), [](Operation *user) {
    auto read = dyn_cast<tileas::ConsumerReadOp>(user);
    return read && !read.getBody().getOps<tileas::TensorMemoryDotOp>().empty();
  });
}

/// The loop does nothing but products in tensor memory of what a pipeline with mbarriers brings.
static bool hasOnlyProducts(scf::ForOp loop) {
  bool products = false;
  for (Value result : loop.getResults())
    if (!isa<tileaa::MemTokenType, tileas::PipelineIteratorType>(result.getType()) &&
        !result.use_empty())
      return false;
  WalkResult walked = loop.getBody()->walk([&](Operation *op) {
    products |= isa<tileas::TensorMemoryDotOp>(op);
    bool ofPipeline =
        isa<tileas::TensorMemoryDotOp, tileas::ConsumerWaitOp, tileas::ConsumerReleaseOp,
            tileas::IncIterOp, tileas::PipelineYieldOp, scf::YieldOp>(op);
    if (auto read = dyn_cast<tileas::ConsumerReadOp>(op))
      ofPipeline = read.getNumResults() == 0 &&
                   read.getPipeline().getDefiningOp<tileas::CreatePipelineOp>().getMbarriers();
    if (auto permute = dyn_cast<tileas::PermuteOp>(op))
      ofPipeline = bool(tileas::getSharedLayout(permute.getResult().getType()));
    bool isScalar = isMemoryEffectFree(op) && op->getNumRegions() == 0 &&
                    llvm::none_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>);
    return ofPipeline || isScalar ? WalkResult::advance() : WalkResult::interrupt();
  });
  return products && !walked.wasInterrupted();
}

/// Nobody but products in tensor memory reads the stages.
static bool feedsTensorMemoryOnly(tileas::CreatePipelineOp create) {
  return llvm::all_of(create.getPipeline().getUsers(), [](Operation *user) {
    auto read = dyn_cast<tileas::ConsumerReadOp>(user);
    auto loop = dyn_cast<scf::ForOp>(user->getParentOp());
    return !read || (loop && hasOnlyProducts(loop)) ||
           read->getParentOfType<tileas::TensorMemoryIssueOp>();
  });
}

/// Everybody meets in front of a product that is waited for at once, and one thread alone cannot.
static bool everybodyMeets(scf::ForOp loop) {
  return loop
      .walk([](tileas::TensorMemoryDotOp dot) {
        return areAsynchronous(dot.getAcc()) ? WalkResult::advance() : WalkResult::interrupt();
      })
      .wasInterrupted();
}

bool tileas_to_nvgpu::issuesOnly(scf::ForOp loop) {
  if (everybodyMeets(loop))
    return false;
  // Of a ring that a loop behind this one reads by its threads, these give stages back in both.
  return hasOnlyProducts(loop) &&
         (TILESMITH_PLANT("issuing-loop-whoever-reads-the-ring") ||
          llvm::all_of(loop.getOps<tileas::ConsumerReadOp>(), [](tileas::ConsumerReadOp read) {
            return feedsTensorMemoryOnly(
                read.getPipeline().getDefiningOp<tileas::CreatePipelineOp>());
          }));
}

bool tileas_to_nvgpu::filledByTensorCopies(tileas::CreatePipelineOp create) {
  bool all = true;
  for (Operation *user : create.getPipeline().getUsers())
    if (auto write = dyn_cast<tileas::ProducerWriteOp>(user))
      write.getBody().walk([&](Operation *op) {
        auto load = dyn_cast<tileas::AsyncTiledLoadOp>(op);
        all &= !isa<tileas::AsyncLoadOp, tileas::WriteOp>(op) &&
               (!load || load.getAtom() == tileas::kTensorLoadAtom);
      });
  return all;
}

static bool isBetweenAgents(tileas::CreatePipelineOp create) {
  return llvm::any_of(create.getPipeline().getUsers(), [](Operation *user) {
    return bool(user->getParentOfType<tileas::AgentSwitchOp>());
  });
}

bool tileas_to_nvgpu::fedByFirstThread(tileas::CreatePipelineOp create) {
  return create.getMbarriers() && filledByTensorCopies(create) && !isBetweenAgents(create);
}

/// Warps of an agent; without agents all warps of the block.
static int64_t warpsOf(Emitter &e, tileas::CreatePipelineOp create, int64_t group) {
  for (Operation *user : create.getPipeline().getUsers())
    if (auto agents = user->getParentOfType<tileas::AgentSwitchOp>())
      return agents.getNumWarps()[group];
  return e.numWarps;
}

void tileas_to_nvgpu::initMbarriers(Emitter &e, tileas::CreatePipelineOp create) {
  int64_t stages = create.getPipeline().getType().getStages();
  int64_t producers = 0;
  for (unsigned agent : tileas::fillingAgents(create))
    if (!producers || !TILESMITH_PLANT("mbarrier-full-counts-one-agent"))
      producers += 32 * warpsOf(e, create, agent);
  int64_t consumers = feedsTensorMemory(create) ? 1 : 0;
  if (!consumers || !feedsTensorMemoryOnly(create))
    consumers += warpsOf(e, create, create.getConsumerGroupId());
  const int64_t blocks = multicastBlocks(create);
  if (!TILESMITH_PLANT("multicast-empties-of-own-block"))
    consumers *= blocks;
  const int64_t filling = fedByFirstThread(create) ? 1 : 2 * producers;
  e.when(firstThread(e), [&] {
    for (int64_t word = 0; word < barrierWordsOf(create); ++word) {
      int64_t arrivals = word < stages ? filling : consumers;
      if (word < stages && arrivals > 1 && TILESMITH_PLANT("mbarrier-full-count-halved"))
        arrivals /= 2;
      initMbarrier(e, e.barrierWord(create, e.i32(word)), arrivals);
    }
    NVVM::FenceMbarrierInitOp::create(e.builder, e.loc);
  });
  // The buffers may have held other data, and bulk copies read what the block wrote before.
  fenceAsyncProxyAt(e, create);
  if (TILESMITH_PLANT("mbarrier-init-barrier-dropped"))
    return;
  if (blocks > 1 && !TILESMITH_PLANT("multicast-start-of-own-block"))
    meetCluster(e);
  else
    e.barrier();
}

void tileas_to_nvgpu::waitEmpty(Emitter &e, tileas::CreatePipelineOp create, Value iterator) {
  if (TILESMITH_PLANT("mbarrier-empty-wait-dropped"))
    return;
  Value before =
      arith::XOrIOp::create(e.builder, e.loc, member(e, iterator, kPhase), e.truth(true));
  waitParity(e, emptyBarrier(e, create, stageOf(e, iterator)), before);
}

void tileas_to_nvgpu::waitFull(Emitter &e, tileas::CreatePipelineOp create, Value iterator) {
  Value phase = member(e, iterator, kPhase);
  if (TILESMITH_PLANT("mbarrier-full-wait-wrong-phase"))
    phase = arith::XOrIOp::create(e.builder, e.loc, phase, e.truth(true));
  waitParity(e, fullBarrier(e, create, iterator), phase);
}

void tileas_to_nvgpu::arriveAt(Emitter &e, Value barrier) {
  nvgpu::MBarrierArriveOp::create(e.builder, e.loc,
                                  nvgpu::MBarrierTokenType::get(e.builder.getContext()),
                                  groupAt(e, barrier), index(e, 0));
}

void tileas_to_nvgpu::arriveFull(Emitter &e, tileas::CreatePipelineOp create, Value iterator) {
  Value barrier = fullBarrier(e, create, iterator);
  if (fedByFirstThread(create))
    return e.when(firstThread(e), [&] { arriveAt(e, barrier); });
  if (TILESMITH_PLANT("mbarrier-copies-not-tracked"))
    arriveAt(e, barrier);
  else
    NVVM::CpAsyncMBarrierArriveOp::create(e.builder, e.loc, barrier, /*noinc=*/true);
  arriveAt(e, barrier);
}

/// The tensor core arrives at "empty" of all blocks that fill the stages.
static void commitEmpty(Emitter &e, tileas::CreatePipelineOp create, Value stage) {
  int64_t blocks = multicastBlocks(create);
  if (TILESMITH_PLANT("multicast-empties-of-own-block"))
    blocks = 1;
  e.when(firstThread(e), [&] { commitProducts(e, emptyBarrier(e, create, stage), blocks); });
}

/// The word of the stage's "empty" in the block of this rank of the cluster.
static Value emptyInBlock(Emitter &e, tileas::CreatePipelineOp create, Value stage, Value rank) {
  Value words = inBlock(e, e.barrierWord(create, e.i32(0)), rank);
  int64_t stages = create.getPipeline().getType().getStages();
  return e.elementPointer(words, e.builder.getI64Type(), e.add(stage, e.i32(stages)));
}

/// One thread gives back for all warps, which do not know of the stage: those of another loop read the ring, too.
static void arriveForWarps(Emitter &e, tileas::CreatePipelineOp create, Value stage,
                           int64_t blocks) {
  Value warps = e.i32(int32_t(warpsOf(e, create, create.getConsumerGroupId())));
  for (int64_t rank = 0; rank < blocks; ++rank)
    NVVM::MBarrierArriveOp::create(e.builder, e.loc, Type(),
                                   blocks > 1 ? emptyInBlock(e, create, stage, e.i32(int32_t(rank)))
                                              : emptyBarrier(e, create, stage),
                                   TILESMITH_PLANT("mbarrier-issuer-arrives-once") ? e.i32(1)
                                                                                   : warps);
}

void tileas_to_nvgpu::arriveEmpty(Emitter &e, tileas::ConsumerReleaseOp release, Value iterator) {
  OpBuilder &b = e.builder;
  auto create = release.getPipeline().getDefiningOp<tileas::CreatePipelineOp>();
  bool late = create.getLateRelease() && !TILESMITH_PLANT("mbarrier-late-release-early");
  Value stage = member(e, iterator, late ? kBefore : kStage);
  if (feedsTensorMemory(create) && feedsTensorMemoryOnly(create))
    return commitEmpty(e, create, stage);
  int64_t blocks = multicastBlocks(create);
  if (TILESMITH_PLANT("multicast-empties-of-own-block"))
    blocks = 1;
  const bool isShared = tileas::isSharedRelease(release);
  if (e.oneThread) {
    if (!isShared)
      arriveForWarps(e, create, stage, blocks);
    return commitEmpty(e, create, stage);
  }
  NVVM::SyncWarpOp::create(b, e.loc, e.i32(-1));
  // A lane for each block.
  Value arrives = arith::CmpIOp::create(
      b, e.loc, blocks > 1 ? arith::CmpIPredicate::ult : arith::CmpIPredicate::eq, e.laneIndex(),
      e.i32(blocks > 1 ? blocks : 0));
  if (TILESMITH_PLANT("mbarrier-empty-arrive-dropped"))
    arrives = e.both(arrives, arith::CmpIOp::create(b, e.loc, arith::CmpIPredicate::ne,
                                                    e.warpIndex(), e.i32(0)));
  Value theirs;
  if (blocks > 1) {
    // Where a block's memory begins is computed once, by all lanes: LLVM takes it out of branches.
    // Nothing is handed over but the right to overwrite what has been read, so the scope is that of the
    // readers: a release to the cluster would wait for all memory.
    theirs = emptyInBlock(e, create, stage,
                          arith::AndIOp::create(b, e.loc, e.laneIndex(), e.i32(blocks - 1)));
  }
  e.when(arrives, [&] {
    if (theirs)
      NVVM::MBarrierArriveOp::create(b, e.loc, Type(), theirs, Value());
    else
      arriveAt(e, emptyBarrier(e, create, stage));
  });
  if (feedsTensorMemory(create) &&
      (!isShared || TILESMITH_PLANT("mbarrier-shared-stage-committed-twice")))
    commitEmpty(e, create, stage);
}
