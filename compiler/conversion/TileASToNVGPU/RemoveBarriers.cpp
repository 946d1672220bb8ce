//===- RemoveBarriers.cpp - gpu-remove-barriers -----------------------------------------------===//
//
// Every exchange through shared memory begins with a barrier, which lets everybody finish reading
// what lay there, since no single exchange knows what came before it. Here the whole kernel is seen.
//
// A barrier B is needed when an access that may come right before it (no other barrier in between)
// and one that may come right after it meet: they may touch the same byte, and one of them writes.
// Otherwise it goes, and with it the line between its neighbours: the next barrier is judged by what
// is left. Order inside of one thread needs no barrier.
//
// The kernel becomes a graph of barriers and of what happens between them (`Accesses`); structured
// ops without a barrier inside are one lump. Bytes of shared memory are told apart by the
// `nvgpu_ext.reach` that the lowering leaves at the start of an address (Emitter::scratch); an
// access without it may reach all of it. Everything else is one place, global memory, except private
// allocations, which nobody shares. A barrier of a warp orders nothing for others. What is not known here (asynchronous copies and waits, atomics,
// fences, calls, barriers of other threads) meets everything: it may order or finish what a line of
// code far from it began. So does what surrounds a function that is no kernel. A warpgroup's product reads what is
// noted on it until the wait behind it, which has the same note; without one it is not known. A fence in front of
// it orders what its own thread has written, for whoever meets the thread at a barrier.
//
// Scalars are stored, and their atomics done, by the first thread of the block alone. Two accesses of
// it meet no barrier's purpose: one thread's accesses to a byte stay in the order of its program, and
// what its releases and acquires order for other blocks, PTX derives from that order as well (base
// causality order contains program order). So these are a class of their own (`Accesses::ofFirst`),
// which meets all others but not itself. Only plain accesses and atomics belong to it; fences,
// asynchronous copies and calls stay what they are, whoever makes them.
//
// The warps of an agent have a hardware barrier of their own, a number. Each number is a graph of its
// own, in which all other barriers are unknown: it orders the accesses of these warps alone.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/conversion/TileASToNVGPU/TileASToNVGPU.h"
#include "compiler/dialect/NVGPUExt/IR/NVGPUExt.h"
#include "compiler/support/Plants.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/LLVMContext.h"

using namespace mlir;
using namespace tilesmith;

namespace tilesmith {
#define GEN_PASS_DEF_REMOVEBARRIERSPASS
#include "compiler/conversion/Passes.h.inc"
} // namespace tilesmith

namespace {

/// Bytes [first, last) of shared memory.
struct Interval {
  int64_t first = 0, last = INT64_MAX;

  bool meets(Interval other) const {
    if (TILESMITH_PLANT("remove-barriers-first-byte"))
      return first == other.first;
    return first < other.last && other.first < last;
  }
};

/// What threads of one class may do between two barriers.
struct Effects {
  SmallVector<Interval, 4> reads, writes; ///< of shared memory
  bool readsGlobal = false, writesGlobal = false;
  bool unknown = false; ///< anything, in ways that are not known here

  bool empty() const {
    return !unknown && !readsGlobal && !writesGlobal && reads.empty() && writes.empty();
  }

  void add(const Effects &other) {
    for (Interval interval : other.reads)
      insert(reads, interval);
    for (Interval interval : other.writes)
      insert(writes, interval);
    readsGlobal |= other.readsGlobal;
    writesGlobal |= other.writesGlobal;
    unknown |= other.unknown;
  }

  bool meets(const Effects &other) const {
    if (TILESMITH_PLANT("remove-barriers-unless-both-unknown") ? unknown && other.unknown
                                                               : unknown || other.unknown)
      return !empty() && !other.empty();
    if ((writesGlobal && (other.readsGlobal || other.writesGlobal)) ||
        (readsGlobal && other.writesGlobal))
      return true;
    bool afterReads =
        !TILESMITH_PLANT("remove-barriers-write-after-read") && meet(reads, other.writes);
    return afterReads || meet(writes, other.reads) || meet(writes, other.writes);
  }

  static void insert(SmallVectorImpl<Interval> &intervals, Interval interval) {
    for (Interval &known : intervals)
      if (known.first <= interval.first && interval.last <= known.last)
        return;
    intervals.push_back(interval);
  }

private:
  static bool meet(ArrayRef<Interval> some, ArrayRef<Interval> others) {
    return llvm::any_of(some, [&](Interval one) {
      return llvm::any_of(others, [&](Interval other) { return one.meets(other); });
    });
  }
};

/// What may happen between two barriers.
struct Accesses {
  Effects ofAny;
  Effects ofFirst; ///< of the first thread of the block, and nobody else

  void add(const Accesses &other) {
    ofAny.add(other.ofAny);
    ofFirst.add(other.ofFirst);
  }
  bool meets(const Accesses &other) const {
    bool meetsFirst =
        ofAny.meets(other.ofFirst) && !TILESMITH_PLANT("remove-barriers-scalar-behind-tile");
    return ofAny.meets(other.ofAny) || meetsFirst || ofFirst.meets(other.ofAny);
  }
};

Interval intervalOf(DenseI64ArrayAttr reach) {
  return reach ? Interval{reach[0], reach[1]} : Interval();
}

Effects accessOf(Value address, bool writes) {
  Effects accesses;
  switch (cast<LLVM::LLVMPointerType>(address.getType()).getAddressSpace()) {
  case 0:
    accesses.unknown = !nvgpu_ext::startOf(address).getDefiningOp<LLVM::AllocaOp>();
    break;
  case 1:
    (writes ? accesses.writesGlobal : accesses.readsGlobal) = true;
    break;
  case 3:
    (writes && !TILESMITH_PLANT("remove-barriers-store-as-read") ? accesses.writes : accesses.reads)
        .push_back(intervalOf(nvgpu_ext::getReachFrom(address)));
    break;
  case 4:
    accesses.unknown = writes;
    break;
  default:
    accesses.unknown = true;
  }
  return accesses;
}

/// Whether an intrinsic computes and does nothing else.
bool touchesNoMemory(LLVM::CallIntrinsicOp call) {
  llvm::Intrinsic::ID id = llvm::Intrinsic::lookupIntrinsicID(call.getIntrin());
  if (id == llvm::Intrinsic::not_intrinsic)
    return false;
  llvm::LLVMContext context;
  return llvm::Intrinsic::getFnAttributes(context, id).getMemoryEffects().doesNotAccessMemory();
}

/// Of one operation, without what is in its regions.
Effects effectsOf(Operation *op) {
  Effects unknown;
  unknown.unknown = true;
  return llvm::TypeSwitch<Operation *, Effects>(op)
      .Case<LLVM::LoadOp, LLVM::StoreOp>([&](auto access) {
        return access.getOrdering() == LLVM::AtomicOrdering::not_atomic
                   ? accessOf(access.getAddr(), std::is_same_v<decltype(access), LLVM::StoreOp>)
                   : unknown;
      })
      .Case<NVVM::StMatrixOp>([](auto store) { return accessOf(store.getPtr(), /*writes=*/true); })
      .Case<nvgpu::LdMatrixOp>([](auto load) {
        Effects accesses;
        accesses.reads.push_back(intervalOf(nvgpu_ext::getReach(load)));
        return accesses;
      })
      .Case<nvgpu_ext::WarpgroupMmaAsyncOp, NVVM::WgmmaWaitGroupSyncOp>([&](auto product) {
        DenseI64ArrayAttr reach = nvgpu_ext::getReach(product);
        Effects accesses;
        if (!TILESMITH_PLANT("remove-barriers-products-read-nothing"))
          accesses.reads.push_back(intervalOf(reach));
        return reach ? accesses : unknown;
      })
      .Case<NVVM::FenceProxyOp>([&](auto fence) {
        return fence.getKind() == NVVM::ProxyKind::async_shared ? Effects() : unknown;
      })
      .Case<LLVM::InlineAsmOp>([&](auto code) { // values that nothing moves are none of memory
        return code.getAsmString().empty() && !code.getConstraints().contains("memory") ? Effects()
                                                                                        : unknown;
      })
      .Case<LLVM::CallIntrinsicOp>(
          [&](auto call) { return touchesNoMemory(call) ? Effects() : unknown; })
      .Case<LLVM::AllocaOp, scf::ForOp, scf::IfOp, scf::WhileOp, gpu::ReturnOp>(
          [](auto) { return Effects(); })
      .Case<NVVM::ReduxOp, NVVM::VoteSyncOp, NVVM::SyncWarpOp, NVVM::WgmmaFenceAlignedOp,
            NVVM::WgmmaGroupSyncAlignedOp>(
          [](auto) { return Effects(); }) // lanes meet: nothing for other warps
      .Default([&](Operation *other) { return isMemoryEffectFree(other) ? Effects() : unknown; });
}

/// Holds in the first thread of the block alone: its number is zero, or those of its bits are that
/// tell the threads of the block apart. Blocks of our kernels have one dimension.
bool isOfFirstThread(Value condition, unsigned threads) {
  if (auto both = condition.getDefiningOp<arith::AndIOp>())
    return isOfFirstThread(both.getLhs(), threads) || isOfFirstThread(both.getRhs(), threads);
  auto test = condition.getDefiningOp<arith::CmpIOp>();
  if (!test || test.getPredicate() != arith::CmpIPredicate::eq ||
      !matchPattern(test.getRhs(), m_Zero()))
    return false;
  Value number = test.getLhs();
  APInt bits;
  if (auto some = number.getDefiningOp<arith::AndIOp>();
      some && matchPattern(some.getRhs(), m_ConstantInt(&bits))) {
    uint64_t all = llvm::bit_ceil(threads) - 1;
    if ((bits.getZExtValue() & all) != all && !TILESMITH_PLANT("remove-barriers-owner-as-first"))
      return false;
    number = some.getLhs();
  }
  auto cast = number.getDefiningOp<arith::IndexCastOp>();
  auto thread = cast ? cast.getIn().getDefiningOp<gpu::ThreadIdOp>() : gpu::ThreadIdOp();
  return thread && thread.getDimension() == gpu::Dimension::x;
}

/// Whether an operation below `outermost`, or that itself, runs in the first thread alone.
bool runsInFirstThread(Operation *op, Operation *outermost, unsigned threads) {
  while (op != outermost) {
    Region *region = op->getParentRegion();
    op = region->getParentOp();
    if (auto branch = dyn_cast<scf::IfOp>(op); branch && region == &branch.getThenRegion() &&
                                               isOfFirstThread(branch.getCondition(), threads))
      return true;
  }
  return false;
}

/// `threads`: of the block, 0 when it is not known.
Accesses accessesOf(Operation *op, Operation *outermost, unsigned threads) {
  Accesses accesses;
  bool isOfFirst = threads &&
                   isa<LLVM::LoadOp, LLVM::StoreOp, LLVM::AtomicRMWOp, LLVM::AtomicCmpXchgOp>(op) &&
                   runsInFirstThread(op, outermost, threads);
  (isOfFirst ? accesses.ofFirst : accesses.ofAny) = effectsOf(op);
  return accesses;
}

/// Which threads meet at a barrier: its number and how many they are; 0 and 0 are all of the block.
using Meeting = std::pair<int64_t, int64_t>;

/// Nothing for other operations, and for barriers that are told apart at run time.
std::optional<Meeting> meetingOf(Operation *op) {
  if (isa<gpu::BarrierOp>(op))
    return Meeting{0, 0};
  auto barrier = dyn_cast<NVVM::BarrierOp>(op);
  APInt number, threads;
  if (!barrier || barrier.getReductionOp() || !barrier.getBarrierId() ||
      !barrier.getNumberOfThreads() ||
      !matchPattern(barrier.getBarrierId(), m_ConstantInt(&number)) ||
      !matchPattern(barrier.getNumberOfThreads(), m_ConstantInt(&threads)) || number.isZero())
    return std::nullopt;
  return Meeting{number.getSExtValue(), threads.getSExtValue()};
}

/// A kernel as barriers of some threads and what happens between them.
class BarrierGraph {
public:
  BarrierGraph(gpu::GPUFuncOp function, Meeting meeting) : meeting(meeting) {
    function.walk([&](Operation *barrier) {
      if (meetingOf(barrier) == meeting)
        for (Operation *op = barrier; op != function; op = op->getParentOp())
          holders.insert(op);
    });
    if (!function.getBody().hasOneBlock() || holders.empty())
      return;
    if (auto count = function->getAttrOfType<IntegerAttr>(
            nvgpu_ext::NVGPUExtDialect::ThreadsAttrHelper::getNameStr()))
      threads = count.getInt();
    Accesses outside;
    outside.ofAny.unknown = !function.isKernel();
    unsigned last = build(function.getBody().front(), addNode(outside));
    connect(last, addNode(outside));
  }

  /// Barriers that order nothing, in the order in which they may go.
  SmallVector<Operation *> takeNeedless() {
    SmallVector<Operation *> needless;
    for (unsigned node = 0; node < nodes.size() && understood; ++node) {
      if (!nodes[node].barrier)
        continue;
      Accesses before = reachable(node, &Node::before), after = reachable(node, &Node::after);
      if (before.meets(after))
        continue;
      needless.push_back(nodes[node].barrier);
      nodes[node].barrier = nullptr;
    }
    return needless;
  }

private:
  struct Node {
    Operation *barrier = nullptr; ///< or accesses
    Accesses accesses;
    SmallVector<unsigned, 2> before, after;
  };

  unsigned addNode(Accesses accesses = {}, Operation *barrier = nullptr) {
    nodes.push_back({barrier, std::move(accesses), {}, {}});
    return nodes.size() - 1;
  }
  void connect(unsigned from, unsigned to) {
    nodes[from].after.push_back(to);
    nodes[to].before.push_back(from);
  }
  unsigned addAfter(unsigned from, Operation *barrier = nullptr) {
    unsigned node = addNode({}, barrier);
    connect(from, node);
    return node;
  }

  /// Appends a block behind `node`; the node at its end.
  unsigned build(Block &block, unsigned node) {
    for (Operation &op : block) {
      if (meetingOf(&op) == meeting)
        node = addAfter(addAfter(node, &op));
      else if (holders.contains(&op))
        node = buildStructured(&op, node);
      else
        op.walk(
            [&](Operation *inner) { nodes[node].accesses.add(accessesOf(inner, &op, threads)); });
    }
    return node;
  }

  unsigned buildStructured(Operation *op, unsigned node) {
    unsigned end = addNode();
    if (auto branch = dyn_cast<scf::IfOp>(op)) {
      connect(build(*branch.thenBlock(), addAfter(node)), end);
      if (branch.elseBlock())
        connect(build(*branch.elseBlock(), TILESMITH_PLANT("remove-barriers-else-begins-anew")
                                               ? addNode()
                                               : addAfter(node)),
                end);
      else if (!TILESMITH_PLANT("remove-barriers-branch-always-taken"))
        connect(node, end);
    } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
      unsigned start = addAfter(node);
      unsigned last = build(*loop.getBody(), start);
      if (!TILESMITH_PLANT("remove-barriers-one-turn"))
        connect(last, start);
      connect(last, end);
      connect(node, end);
    } else if (auto loop = dyn_cast<scf::WhileOp>(op);
               loop && loop.getBefore().hasOneBlock() && loop.getAfter().hasOneBlock()) {
      unsigned start = addAfter(node);
      unsigned tested = build(loop.getBefore().front(), start);
      connect(build(loop.getAfter().front(), addAfter(tested)), start);
      connect(tested, end);
    } else {
      understood = false;
    }
    return end;
  }

  /// All accesses on the ways from a barrier to the next ones.
  Accesses reachable(unsigned from, SmallVector<unsigned, 2> Node::*next) const {
    Accesses found;
    SmallVector<unsigned> open = llvm::to_vector(nodes[from].*next);
    llvm::DenseSet<unsigned> seen(open.begin(), open.end());
    while (!open.empty()) {
      const Node &node = nodes[open.pop_back_val()];
      if (node.barrier)
        continue;
      found.add(node.accesses);
      for (unsigned other : node.*next)
        if (seen.insert(other).second)
          open.push_back(other);
    }
    return found;
  }

  Meeting meeting;
  unsigned threads = 0;                ///< of the block, 0 when nobody says
  llvm::DenseSet<Operation *> holders; ///< barriers and the ops around them
  std::vector<Node> nodes;
  bool understood = true; ///< all ops around barriers
};

struct RemoveBarriers : tilesmith::impl::RemoveBarriersPassBase<RemoveBarriers> {
  void runOnOperation() override {
    getOperation()->walk([](gpu::GPUFuncOp function) {
      llvm::SetVector<Meeting> meetings; // in the order in which they come
      function.walk([&](Operation *op) {
        if (std::optional<Meeting> meeting = meetingOf(op))
          meetings.insert(*meeting);
      });
      for (Meeting meeting : meetings)
        for (Operation *barrier : BarrierGraph(function, meeting).takeNeedless())
          barrier->erase();
    });
  }
};

} // namespace
