//===- CostModel.h - clocks of a block under each way of filling its pipelines ----------------===//
//
// Predicts, for the pipelined loops of a kernel, the clocks that a block takes of a multiprocessor when all
// warps copy (`plain`), when one thread starts tensor copies, when warps of their own copy, and both.
// Rates per multiprocessor and clock are MachineRates.h's, counts of instructions are read off our own
// code, and the few constants of CostModel.cpp that say how long things take were fitted to the times of
// corpus/perf/measured*.jsonl; ci/gpu-day/choices holds the order of the predictions to those times.
//
// One iteration takes, of
//   tensor   2 M N K over the rate of the type, which power limits to kSustained, the products one after
//            another
//   shared   bytes that the ring is filled with, and that products read, over 128
//   fill     the same bytes over what the second cache gives; of a tile that the blocks of a cluster
//            copy for each other, a block's part
//   issue    instructions of a warp times warps over 4, but never faster than a warp alone goes
//   latency  a round trip to memory over the stages that are under way at once
//   local    what does not fit into registers, written and read
// the slowest, where products go on while warps do other things: sums in flight (wgmma), or stages
// that the tensor core gives back itself (tcgen05 with mbarriers), or a product that is issued a turn
// ahead (OverlapProducts.h). Elsewhere warps wait for their products: tensor + issue; of warps that nobody
// makes meet, as those of agents, each group waits for its own.
// Blocks that fit beside each other share all of that, but not what a warp or a round trip takes. A barrier of
// the block costs kBarrierClocks; maps and agents cost each block kSetUpClocks, kAgentClocks and kMapClocks.
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_DIALECT_TILEAS_TRANSFORMS_COSTMODEL_H
#define COMPILER_DIALECT_TILEAS_TRANSFORMS_COSTMODEL_H

#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/dialect/TileAS/IR/TileAS.h"
#include "compiler/target/MachineRates.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <optional>

namespace tilesmith::tileas {

/// One iteration of a pipelined loop, before any way is chosen.
struct LoopWork {
  std::optional<int64_t> trips;
  int64_t around = 1;         ///< turns of the loops around it
  double tensor = 0;          ///< clocks of the tensor cores
  int64_t depthBytes = 0;     ///< of a row of a product's operand, along what is summed
  int64_t fillBytes = 0;      ///< that asynchronous copies bring
  int64_t spared = 0;         ///< of them, those that tensor copies of other blocks bring
  int64_t readBytes = 0;      ///< that products read from shared memory
  int64_t copies = 0;         ///< cp.async of a thread, when all warps copy
  int64_t tensorCopyable = 0; ///< of them, those that tensor copies replace
  int64_t instructions = 0;   ///< of a thread, without copies
  int64_t issued = 0;         ///< of them, those of products that warps of their own may issue
  int64_t words = 0;          ///< registers that live across the loop
  int64_t rounded = 0; ///< elements of a thread that tensor copies would round to tf32 on their way
  int64_t stages = 0, leftBytes = 0; ///< of its ring; beside it
  bool late = false;                 ///< a stage is given back a product later
  bool onlyLoads =
      false; ///< no products: without tensor copies it is no pipeline (ChooseStrategy.cpp)
  llvm::SmallPtrSet<mlir::Operation *, 4> views; ///< of its tensor copies: each has a map
  bool inFlight = false;                         ///< products go on under cp.async too
  bool inFlightBulk = false;                     ///< and with mbarriers
  bool runsAhead =
      false; ///< and where warps of their own copy, as one product is issued a turn ahead
  bool isFedByThreads =
      false; ///< or as threads have nothing to do but copies that tensor copies cannot
};

struct Prediction {
  double clocks = 0;             ///< of a block
  double instructions = 0;       ///< of a warp that computes, set-up included
  double producers = 0;          ///< of one that only copies
  llvm::StringLiteral pipe = ""; ///< that limits an iteration of the first loop
};

/// Who fills the pipelines, and how.
struct Way {
  bool agents = false;       ///< warps of their own copy
  bool tensorCopies = false; ///< where a load allows it
  bool operator==(const Way &) const = default;
};

/// The registers that a thread that computes may have: of `warps` warps, beside `producers` ones
/// that keep `producerRegisters` each, `blocks` blocks on a multiprocessor.
int64_t registerBudget(int64_t warps, int64_t producers, int64_t producerRegisters, int64_t blocks);

/// Whether tensor copies may bring the tile of a load of the loop, as far as the load itself and its view
/// tell (LowerTma.cpp). `hostMaps`: host code makes their maps.
bool mayUseTensorCopy(mlir::Operation *load, mlir::scf::ForOp loop, bool hostMaps);

class CostModel {
public:
  /// `hostMaps`: host code makes the tensor maps before the kernel starts.
  CostModel(tileaa::FuncOp function, const target::GpuTarget &gpu, bool hostMaps);

  bool hasPipelines() const { return !loops.empty(); }
  /// A loop stands in another: only warps of their own fill its pipeline by tensor copies.
  bool hasNestedLoops() const { return nested; }
  /// No loop has products.
  bool hasOnlyLoads() const {
    return llvm::all_of(loops, [](const LoopWork &work) { return work.onlyLoads; });
  }
  /// Some loop has a single stage, which only warps of their own can fill.
  bool hasSingleStages() const { return single; }
  bool hasTensorCopies() const {
    return llvm::any_of(loops, [](const LoopWork &work) { return !work.views.empty(); });
  }
  /// Threads of some loop may copy what no tensor copy can, while others issue its products.
  bool isFedByThreads() const {
    return llvm::any_of(loops, [](const LoopWork &work) { return work.isFedByThreads; });
  }
  /// `stages`: of agents' rings, which may have fewer; 0: as scheduled.
  Prediction predict(Way way, int64_t stages = 0) const;
  /// Registers of a thread that computes, as far as tiles across loops and sums say.
  int64_t liveWords() const {
    int64_t most = 0;
    for (const LoopWork &work : loops)
      most = std::max(most, work.words);
    return most;
  }

private:
  bool nested = false, single = false;
  LoopWork workOf(mlir::scf::ForOp loop) const;
  void addProduct(LoopWork &work, DotOp dot, mlir::scf::ForOp loop) const;
  Prediction iteration(const LoopWork &work, Way way, int64_t stages) const;
  int64_t blocksBeside(const LoopWork &work, Way way, int64_t stages, bool flies) const;

  const bool hostMaps;
  const target::GpuTarget &gpu;
  const target::MachineRates &rates;
  int64_t warps, blocks;
  llvm::SmallVector<LoopWork> loops;
};

} // namespace tilesmith::tileas

#endif // COMPILER_DIALECT_TILEAS_TRANSFORMS_COSTMODEL_H
