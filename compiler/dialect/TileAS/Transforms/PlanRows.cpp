//===- PlanRows.cpp - tileas-plan-rows --------------------------------------------------------===//
//
// Of a loop one of whose products multiplies what it computes from another's sums, as attention does,
// the sums of both live in registers where warpgroups multiply (sm_90). Where those of many rows do not
// fit, the tiles are divided along their rows into n pieces, which the block computes one after the
// other in each turn: what the loop carries stays as large, the sums that live for a moment shrink.
// Both operands from memory are loaded once for all pieces.
//
//   for turn:  S = Q x K;  P = f(S);  O += P x V      of 256 rows, becomes
//   for turn:  S = Q0 x K;  P = f(S);  O0 += P x V;  S = Q1 x K;  P = f(S);  O1 += P x V
//
// CtaPlan.h says which tiles are divided; the pass takes the plan where all products of such a loop are
// divided along their rows, and nothing is multiplied twice. Runs before layouts are assigned.
//
// Products of several batches, which no instruction multiplies, are divided in the same way: into a product of
// matrices for each batch. Outside of loops small matrices are left together: each warp multiplies those of other
// batches (AssignDotLayouts.cpp).
//
// A sum that all registers of a multiprocessor cannot hold beside anything else, as of 256 x 256, is divided into
// halves or quarters, for each of which the loop runs anew (DistributeLoop.h). Not where sums lie in tensor memory:
// four warps, each of whose threads reduces a row, take a few columns at a time of what no thread could hold, compute
// with them and store them.
//
// Where two stages of a loop that only adds up products do not fit into shared memory, its tiles are divided along the
// dimension that the products sum over (DivideSteps.h).
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/dialect/TileAA/Transforms/Passes.h"
#include "compiler/dialect/TileAS/IR/MmaAtom.h"
#include "compiler/dialect/TileAS/IR/TensorBox.h"
#include "compiler/dialect/TileAS/IR/TensorCoreAtom.h"
#include "compiler/dialect/TileAS/IR/TileAS.h"
#include "compiler/dialect/TileAS/IR/WarpgroupAtom.h"
#include "compiler/dialect/TileAS/Transforms/BlocksTogether.h"
#include "compiler/dialect/TileAS/Transforms/CtaPlan.h"
#include "compiler/dialect/TileAS/Transforms/DistributeLoop.h"
#include "compiler/dialect/TileAS/Transforms/DivideSteps.h"
#include "compiler/dialect/TileAS/Transforms/Passes.h"
#include "compiler/target/Targets.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas;

namespace tilesmith::tileas {
#define GEN_PASS_DEF_PLANROWSPASS
#include "compiler/dialect/TileAS/Transforms/Passes.h.inc"
} // namespace tilesmith::tileas

namespace {

constexpr int64_t kLanes = 32,
                  kRowsOfGroup = 64; ///< threads of a warp, rows of a warpgroup's instruction
/// Words of a thread for what a loop carries and the sums of one product. More leave too few for the
/// rest of a body of softmax; pieces may take as many as still fit.
constexpr int64_t kManyWords = 176, kMostWords = 200;
constexpr int64_t kMostPieces = 4;
/// Words of a row that are all registers of a thread, and of those how many are stored together: one instruction
/// loads them.
constexpr int64_t kRowTooLong = 256, kColumnsTogether = 64;
/// Exchanges of threads, beside the stages of a ring.
constexpr int64_t kBesideRing = 2048;
/// The code of a product is written for each batch.
constexpr int64_t kMostBatches = 16;

RankedTensorType tensorOf(Value value) {
  return dyn_cast<RankedTensorType>(value.getType());
}

/// A product of matrices that warpgroups can multiply.
bool isMultipliedByWarpgroups(tileaa::DotOp dot) {
  RankedTensorType a = tensorOf(dot.getA()), c = tensorOf(dot.getC());
  return c.getRank() == 2 && !dot.getSfa() && isa<FloatType>(c.getElementType()) &&
         findWarpgroupAtom(a.getElementType(), c.getElementType(), /*signedLhs=*/true,
                           /*signedRhs=*/true);
}

/// A product of several batches, each of which warps can multiply.
bool hasBatches(tileaa::DotOp dot, const target::GpuTarget &gpu) {
  RankedTensorType a = tensorOf(dot.getA()), c = tensorOf(dot.getC());
  if (c.getRank() != 3 || c.getDimSize(0) == 1 || dot.getSfa())
    return false;
  Type sum = c.getElementType();
  auto isSigned = [](std::optional<tileaa::Signedness> signedness) {
    return !signedness || *signedness == tileaa::Signedness::signed_;
  };
  const MmaAtom *atom =
      findMmaAtom(a.getElementType(), sum.isF16() ? Type(Float32Type::get(dot.getContext())) : sum,
                  isSigned(dot.getSignednessA()), isSigned(dot.getSignednessB()));
  return atom && gpu.has(atom->feature) && c.getDimSize(1) >= atom->m &&
         c.getDimSize(2) >= atom->n && a.getDimSize(2) >= atom->k;
}

/// Matrices that are small enough for one warp each: warps multiply them as they are (`batchedFragmentLayout`), one batch
/// beside the other, and meet once. Larger ones, and those of loops, have better instructions.
bool areSmall(tileaa::DotOp dot, int64_t warps) {
  RankedTensorType a = tensorOf(dot.getA()), b = tensorOf(dot.getB()), c = tensorOf(dot.getC());
  auto words = [&](RankedTensorType type) {
    return type.getNumElements() * bufferElementBytes(type.getElementType()) / (4 * kLanes * warps);
  };
  return !dot->getParentOfType<LoopLikeOpInterface>() && c.getDimSize(1) < kRowsOfGroup &&
         c.getDimSize(1) % 16 == 0 && c.getDimSize(0) * c.getDimSize(1) >= 16 * warps &&
         c.getElementType().isF32() &&
         words(a) + words(b) * std::max<int64_t>(1, warps / c.getDimSize(0)) + words(c) <=
             kManyWords;
}

/// The block computes `value` from `source`, in whatever steps.
bool derivesFrom(Value value, Value source, Block *block) {
  SmallVector<Value> work{value};
  llvm::SmallPtrSet<Value, 32> seen;
  while (!work.empty()) {
    Value one = work.pop_back_val();
    if (one == source)
      return true;
    Operation *op = one.getDefiningOp();
    if (op && op->getBlock() == block && seen.insert(one).second)
      work.append(op->operand_begin(), op->operand_end());
  }
  return false;
}

/// A loop with a product of another product's sums.
struct ChainedLoop {
  scf::ForOp loop;
  SmallVector<tileaa::DotOp> dots;
  int64_t rows = 0;

  static std::optional<ChainedLoop> match(scf::ForOp loop) {
    ChainedLoop found{loop, {}, 0};
    bool chained = false;
    for (auto dot : loop.getOps<tileaa::DotOp>()) {
      if (!isMultipliedByWarpgroups(dot))
        return std::nullopt;
      for (tileaa::DotOp before : found.dots)
        chained |= derivesFrom(dot.getA(), before.getResult(), loop.getBody());
      found.dots.push_back(dot);
    }
    if (!chained)
      return std::nullopt;
    found.rows = tensorOf(found.dots.front().getC()).getDimSize(0);
    if (!llvm::all_of(found.dots, [&](tileaa::DotOp dot) {
          return tensorOf(dot.getC()).getDimSize(0) == found.rows;
        }))
      return std::nullopt;
    return found;
  }

  static int64_t wordsOf(Value tile, int64_t threads) {
    RankedTensorType type = tensorOf(tile);
    return type.getNumElements() * llvm::divideCeil(type.getElementTypeBitWidth(), 32) / threads;
  }

  /// Words of a thread when the rows are divided into so many pieces.
  int64_t words(int64_t pieces, int64_t threads) {
    int64_t carried = 0, fresh = 0;
    for (tileaa::DotOp dot : dots) {
      Value sum = dot.getResult();
      if (llvm::is_contained(loop.getYieldedValues(), sum))
        carried += wordsOf(sum, threads);
      else
        fresh = std::max(fresh, wordsOf(sum, threads));
    }
    return carried + fresh / pieces;
  }
};

/// A store behind a loop of what one of its products sums up, a row of 128 for each thread of four warps.
struct StoredSum {
  OpResult sum; ///< of the last of loops that hand it on
  tileaa::TiledStoreOp store;

  /// What is computed from `carried` alone, element by element, up to a store.
  static std::optional<StoredSum> match(OpResult carried) {
    int64_t elements = tensorOf(carried).getNumElements();
    Value value = carried;
    while (value.hasOneUse()) {
      OpOperand &use = *value.getUses().begin();
      Operation *user = use.getOwner();
      if (auto store = dyn_cast<tileaa::TiledStoreOp>(user))
        return store.getMemSemantic() == tileaa::MemSemantic::weak &&
                       store->getBlock() == carried.getOwner()->getBlock()
                   ? std::optional(StoredSum{carried, store})
                   : std::nullopt;
      if (auto next = dyn_cast<scf::ForOp>(user)) {
        auto isInit = use.getOperandNumber() >= next.getNumControlOperands();
        if (value != carried || !isInit || !ChainedLoop::match(next))
          return std::nullopt;
        return match(next.getTiedLoopResult(&use));
      }
      bool isElementwise = user->getNumResults() == 1 && !user->getNumRegions() &&
                           isMemoryEffectFree(user) && tensorOf(user->getResult(0)) &&
                           tensorOf(user->getResult(0)).getNumElements() == elements;
      if (!isElementwise)
        return std::nullopt;
      value = user->getResult(0);
    }
    return std::nullopt;
  }
};

struct PlanRows : tileas::impl::PlanRowsPassBase<PlanRows> {
  using PlanRowsPassBase::PlanRowsPassBase;

  void runOnOperation() override {
    const target::GpuTarget &gpu = tileaa::getTarget(getOperation());
    SmallVector<tileaa::FuncOp> functions;
    getOperation()->walk([&](tileaa::FuncOp function) { functions.push_back(function); });
    for (tileaa::FuncOp function : functions)
      if (!function.isExternal() &&
          (failed(planBatches(function, gpu)) ||
           (gpu.has(target::Feature::Tcgen05) ? failed(planColumns(function, gpu))
                                              : failed(planSums(function, gpu))) ||
           (gpu.has(target::Feature::Wgmma) && failed(plan(function, gpu))) ||
           failed(planSteps(function, gpu))))
        return signalPassFailure();
  }

  /// Divides what one turn of a loop loads where shared memory does not hold it twice.
  LogicalResult planSteps(tileaa::FuncOp function, const target::GpuTarget &gpu) {
    bool hasAgents = false, isDivided = false;
    SmallVector<scf::ForOp> loops;
    function->walk([&](Operation *op) {
      hasAgents |= isa<tileaa::ExecuteOp>(op);
      if (auto loop = dyn_cast<scf::ForOp>(op); loop && StepDivider(loop).addsUpProducts())
        loops.push_back(loop);
    });
    const int64_t available =
        sharedBytesOfBlock(gpu, blocksTogether(function)) - kBarrierBytes - kBesideRing;
    for (scf::ForOp loop : loops) {
      StepDivider divider(loop);
      const int64_t bytes = divider.loadedBytes();
      if (hasAgents || 2 * bytes <= available || !gpu.has(target::Feature::CpAsync))
        continue;
      std::optional<std::string> problem = "four pieces would be too few";
      for (int64_t pieces = 2; pieces <= kMostPieces && problem; pieces *= 2)
        if (2 * bytes / pieces <= available) {
          problem = divider.plan(pieces);
          if (!problem && remarks)
            loop.emitRemark() << "tiles are divided into " << pieces
                              << " along the sum: two stages of " << bytes
                              << " bytes do not fit into " << available;
          break;
        }
      if (problem) {
        if (remarks)
          loop.emitRemark() << "tiles are not divided along the sum: " << *problem;
        continue;
      }
      divider.rewrite();
      isDivided = true;
    }
    if (!isDivided)
      return success();
    OpPassManager inference(function->getName().getStringRef());
    inference.addPass(tileaa::createInferFactsPass());
    return runPipeline(inference, function);
  }

  /// Makes products of matrices of those of several batches.
  LogicalResult planBatches(tileaa::FuncOp function, const target::GpuTarget &gpu) {
    SmallVector<tileaa::DotOp> dots;
    bool hasAgents = false;
    function->walk([&](Operation *op) {
      hasAgents |= isa<tileaa::ExecuteOp>(op);
      if (auto dot = dyn_cast<tileaa::DotOp>(op); dot && hasBatches(dot, gpu))
        dots.push_back(dot);
    });
    if (dots.empty() || hasAgents ||
        llvm::all_of(dots, [&](tileaa::DotOp dot) { return areSmall(dot, warpsOf(function)); }))
      return success();
    const int64_t batches = tensorOf(dots.front().getC()).getDimSize(0);
    auto decline = [&](const Twine &reason) {
      if (remarks)
        dots.front().emitRemark() << "batches are not divided: " << reason;
      return success();
    };
    if (batches > kMostBatches)
      return decline("there are more than " + Twine(kMostBatches));
    CtaPlan plan(function, batches, kLanes * warpsOf(function), gpu, /*inTurn=*/true);
    if (std::optional<std::string> problem = plan.run())
      return decline(*problem);
    for (tileaa::DotOp dot : dots)
      if (plan.forms(dot.getResult()) != ArrayRef<CtaForm>{0} ||
          tensorOf(dot.getC()).getDimSize(0) != batches)
        return decline("a product would not be divided along its batches alone");
    if (remarks)
      dots.front().emitRemark() << "products of " << batches
                                << " batches are one of matrices for each";
    auto run = [&](OpPassManager &pipeline, Operation *op) { return runPipeline(pipeline, op); };
    return divideFunction(function, plan, run, /*foldShapes=*/true);
  }

  /// Divides sums that do not fit into registers, and the loops that carry them.
  LogicalResult planSums(tileaa::FuncOp function, const target::GpuTarget &gpu) {
    llvm::SetVector<Operation *> loops;
    int64_t pieces = 1;
    const int64_t threads = kLanes * warpsOf(function);
    bool stays = false;
    function->walk([&](Operation *op) {
      stays |= isa<tileaa::ExecuteOp>(op);
      auto dot = dyn_cast<tileaa::DotOp>(op);
      auto loop = dot ? dyn_cast<scf::ForOp>(dot->getParentOp()) : scf::ForOp();
      if (!loop)
        return;
      // Elements of 16 bits are widened in registers, or fit.
      int64_t words = tensorOf(dot.getC()).getElementTypeBitWidth() == 32
                          ? ChainedLoop::wordsOf(dot.getResult(), threads)
                          : 0;
      if (words <= kMostWords)
        return;
      while (pieces < kMostPieces && words / pieces > kMostWords)
        pieces *= 2;
      stays |= !isDistributable(loop) || !llvm::hasSingleElement(loop.getOps<tileaa::DotOp>());
      loops.insert(loop);
    });
    if (stays || loops.empty())
      return success();
    CtaPlan plan(function, pieces, threads, gpu, /*inTurn=*/true);
    std::optional<std::string> problem = plan.run();
    for (Operation *loop : loops)
      for (auto dot : cast<scf::ForOp>(loop).getOps<tileaa::DotOp>())
        if (!problem && plan.forms(dot.getResult()) != ArrayRef<CtaForm>{0} &&
            plan.forms(dot.getResult()) != ArrayRef<CtaForm>{1})
          problem = "a product would not be divided along its rows or columns alone";
    if (remarks)
      loops.front()->emitRemark() << (problem
                                          ? "sums are not divided: " + *problem
                                          : "sums are divided into " + std::to_string(pieces) +
                                                " pieces, for each of which the loop runs anew");
    if (problem)
      return success();
    auto run = [&](OpPassManager &pipeline, Operation *op) { return runPipeline(pipeline, op); };
    if (failed(divideFunction(function, plan, run)))
      return failure();
    SmallVector<scf::ForOp> divided;
    function->walk([&](scf::ForOp loop) {
      int64_t words = 0;
      for (auto dot : loop.getOps<tileaa::DotOp>())
        words += ChainedLoop::wordsOf(dot.getResult(), threads);
      if (words > kMostWords && isDistributable(loop))
        divided.push_back(loop);
    });
    llvm::for_each(divided, distributeLoop);
    return success();
  }

  /// Stores sums of chained products some columns at a time where a thread of four warps cannot hold its row.
  LogicalResult planColumns(tileaa::FuncOp function, const target::GpuTarget &gpu) {
    auto spec = function->getAttrOfType<tileaa::KernelSpecAttr>(tileaa::TileAADialect::kKernelSpec);
    int64_t warps = spec && spec.getNumWarps() ? spec.getNumWarps() : numWarps;
    if (!chooseWarps || warps != kTensorMemoryLanes / kLanes)
      return success();
    llvm::SetVector<Operation *> stores;
    SmallVector<StoredSum> sums;
    bool stays = false;
    function->walk([&](Operation *op) {
      stays |= isa<tileaa::ExecuteOp>(op);
      auto loop = dyn_cast<scf::ForOp>(op);
      std::optional<ChainedLoop> chained = loop ? ChainedLoop::match(loop) : std::nullopt;
      if (!chained || chained->rows != kTensorMemoryLanes)
        return;
      int64_t columns = 0;
      for (tileaa::DotOp dot : chained->dots)
        columns += tensorOf(dot.getC()).getDimSize(1);
      for (auto [yielded, result] : llvm::zip_equal(loop.getYieldedValues(), loop.getResults()))
        if (auto dot = yielded.getDefiningOp<tileaa::DotOp>();
            dot && tensorOf(result).getDimSize(1) == kRowTooLong &&
            columns <= kTensorMemoryColumns / blocksTogether(function))
          if (std::optional<StoredSum> stored = StoredSum::match(result);
              stored && stores.insert(stored->store))
            sums.push_back(*stored);
    });
    if (stays || sums.empty())
      return success();
    // Columns are the last dimension of the view, or of a transposed one the dimension before.
    std::optional<std::string> problem;
    for (unsigned last : {1u, 2u}) {
      llvm::DenseMap<Operation *, CtaForm> effects;
      for (const StoredSum &stored : sums)
        if (auto type = tensorOf(stored.store->getOperand(1)); type.getRank() >= last)
          effects[stored.store] = static_cast<CtaForm>(type.getRank() - last);
      CtaPlan plan(function, kRowTooLong / kColumnsTogether, kLanes * warps, gpu, /*inTurn=*/true);
      problem = plan.runFor(effects);
      for (const StoredSum &stored : sums)
        if (!problem && !llvm::is_contained(plan.forms(stored.sum), 1))
          problem = "a sum would not be divided along its columns";
      if (problem)
        continue;
      if (remarks)
        sums.front().store.emitRemark()
            << "sums are stored " << kColumnsTogether << " columns at a time";
      return divideFunction(function, plan, [&](OpPassManager &pipeline, Operation *op) {
        return runPipeline(pipeline, op);
      });
    }
    if (remarks)
      sums.front().store.emitRemark() << "sums are stored whole: " << *problem;
    return success();
  }

  /// Warps that the kernel will have: such loops have eight where nobody says otherwise.
  int64_t warpsOf(tileaa::FuncOp function) const {
    auto spec = function->getAttrOfType<tileaa::KernelSpecAttr>(tileaa::TileAADialect::kKernelSpec);
    int64_t hint = spec ? spec.getNumWarps() : 0;
    if (hint > 0 && hint <= 32 && llvm::isPowerOf2_64(hint))
      return hint;
    return chooseWarps ? std::max<int64_t>(numWarps, 8) : numWarps;
  }

  LogicalResult plan(tileaa::FuncOp function, const target::GpuTarget &gpu) {
    SmallVector<ChainedLoop> loops;
    bool hasAgents = false;
    function->walk([&](Operation *op) {
      hasAgents |= isa<tileaa::ExecuteOp>(op);
      if (auto loop = dyn_cast<scf::ForOp>(op))
        if (std::optional<ChainedLoop> chained = ChainedLoop::match(loop))
          loops.push_back(*chained);
    });
    const int64_t warps = warpsOf(function), threads = kLanes * warps;
    if (loops.empty() || hasAgents || warps < 4)
      return success();
    int64_t pieces = 1;
    for (ChainedLoop &loop : loops) {
      int64_t words = loop.words(1, threads), wanted = 1;
      if (words <= kManyWords)
        continue;
      auto decline = [&](const Twine &reason) {
        if (remarks)
          loop.loop.emitRemark() << "rows are not divided: " << reason;
        return success();
      };
      while (wanted < kMostPieces && loop.words(wanted, threads) > kManyWords &&
             loop.rows / (2 * wanted) >= kRowsOfGroup * warps / 4)
        wanted *= 2;
      if (wanted == 1)
        return decline(Twine(loop.rows) + " rows are too few for " + Twine(warps) + " warps");
      if (loop.words(wanted, threads) > kMostWords)
        return decline("a thread would still hold " + Twine(loop.words(wanted, threads)) +
                       " words of sums");
      pieces = std::max(pieces, wanted);
    }
    if (pieces == 1)
      return success();
    CtaPlan plan(function, pieces, threads, gpu, /*inTurn=*/true);
    std::optional<std::string> problem = plan.run();
    for (ChainedLoop &loop : loops)
      for (tileaa::DotOp dot : loop.dots)
        if (!problem && plan.forms(dot.getResult()) != ArrayRef<CtaForm>{0})
          problem = "a product would not be divided along its rows alone";
    if (problem) {
      if (remarks)
        function.emitRemark() << "rows are not divided: " << *problem;
      return success();
    }
    if (remarks)
      function.emitRemark() << "rows are divided into " << pieces
                            << " pieces, which follow each other in each turn";
    return divideFunction(function, plan, [&](OpPassManager &pipeline, Operation *op) {
      return runPipeline(pipeline, op);
    });
  }
};

} // namespace
