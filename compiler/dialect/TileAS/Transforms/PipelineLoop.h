//===- PipelineLoop.h - a loop that becomes an asynchronous pipeline --------------------------===//
//
// What both strategies share: the annotated loads of a loop in order, the slice that computes their
// addresses, the pipeline and its buffers, copies into a stage, reads from it, and the loop's new
// form as a consumer.
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_DIALECT_TILEAS_TRANSFORMS_PIPELINELOOP_H
#define COMPILER_DIALECT_TILEAS_TRANSFORMS_PIPELINELOOP_H

#include "compiler/dialect/TileAS/Transforms/Schedule.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SmallBitVector.h"

namespace tilesmith::tileas {

class PipelineLoop {
public:
  PipelineLoop(mlir::scf::ForOp loop, int64_t stages)
      : loop(loop), stages(stages), builder(loop), loc(loop.getLoc()) {}

  /// Finds loads, tokens and slices; an error when an annotation promises too much.
  mlir::LogicalResult analyse();
  /// Leaves these loads to the threads that go through the loop: they fill their part of a stage in its turn.
  void leaveToThreads(llvm::function_ref<bool(mlir::Operation *)> isOwn);
  /// What a stage holds: a buffer for each load.
  llvm::SmallVector<mlir::Type> slotTypes() const;
  /// Buffers and a pipeline for each ring, at the insertion point.
  void createPipelines();
  /// The pipelines of a loop with the same slots and rings, which go on with this loop.
  void sharePipelines(const PipelineLoop &before);

  mlir::scf::ForOp loop;
  int64_t stages;
  bool lateRelease = false; ///< stages are given back one iteration later
  mlir::OpBuilder builder;
  mlir::Location loc;
  llvm::SmallVector<mlir::Operation *> loads;
  /// Per load: the tokens it stands behind outside of the loop.
  llvm::SmallVector<llvm::SmallVector<mlir::Value>> outer;
  AddressSlice slice; ///< of the loads that run ahead
  llvm::SmallVector<unsigned> carried;
  llvm::SmallVector<mlir::Type> slots;
  /// Per load: the ring whose stages hold it. Rings have as many stages, and go round together: one iterator
  /// serves all.
  llvm::SmallVector<unsigned> rings;
  llvm::SmallVector<mlir::Value> pipelines; ///< per ring
  llvm::SmallBitVector own; ///< loads that the threads of the loop copy themselves, each stage in its turn
  mlir::Type iteratorType;
  int64_t copyWarps = 0; ///< warps that copy; 0: those of the tile's layout

  int64_t step() const;
  /// The value `iterations` steps after `at`. Steps fit: they are below 2^16 and stages below 2^4;
  /// narrow types wrap where the loop has no such iteration.
  mlir::Value later(mlir::Value at, int64_t iterations);
  mlir::Value constantLike(mlir::Value value, int64_t number);
  /// acquire, write, commit of what is copied ahead. `at` is the induction variable of the copied iteration, `values` what
  /// it finds in the carried values of the slice; `outside` maps what was cloned for this agent. A
  /// null condition means that the loop has the iteration.
  void produce(mlir::Value iterator, mlir::Value condition, mlir::Value at,
               llvm::ArrayRef<mlir::Value> values, llvm::ArrayRef<mlir::Value> tokens,
               const mlir::IRMapping &outside = {});
  /// The values of the slice one iteration after `values`.
  llvm::SmallVector<mlir::Value> advance(mlir::Value at, llvm::ArrayRef<mlir::Value> values,
                                         const mlir::IRMapping &outside = {});
  /// Replaces the loop by one with two more carried values for the iterators (one when nothing is
  /// produced in it) and those of `ahead`. `emitAhead` produces in the new body, given the new
  /// values, and returns what follows them.
  using EmitAhead = llvm::function_ref<llvm::SmallVector<mlir::Value>(
      mlir::Value at, llvm::ArrayRef<mlir::Value> values)>;
  void replaceLoop(llvm::ArrayRef<mlir::Value> iteratorsAndAhead, EmitAhead emitAhead);

private:
  /// acquire, write, commit of the loads of a ring that the threads of the loop copy, or of the others, if it has some.
  void fill(unsigned ring, bool ownLoads, mlir::Value iterator, mlir::Value condition,
            mlir::IRMapping mapping, llvm::ArrayRef<mlir::Value> tokens);
  mlir::IRMapping mappingFor(mlir::Value at, llvm::ArrayRef<mlir::Value> values,
                             const mlir::IRMapping &outside);
  void cloneSlice(const llvm::SetVector<mlir::Operation *> &operations, mlir::IRMapping &mapping,
                  bool iterationExists);
  mlir::Value ownIndices(mlir::Value indices, LayoutAttr layout);
  void startCopy(mlir::Operation *load, mlir::Value slot, mlir::IRMapping &mapping,
                 mlir::Value token);
  void consume(ConsumerWaitOp wait, unsigned ring);
  /// The loads of a ring, by number.
  llvm::SmallVector<unsigned> loadsOf(unsigned ring) const;
  AddressSlice ownSlice;
};

/// Rewrites the annotated loops of a function so that warps of their own copy and the others
/// compute (agent_switch). An explanation when the function does not allow it; then nothing has
/// changed.
inline constexpr int64_t kProducerWarps = 4;
/// Registers that are enough to compute addresses and start copies.
inline constexpr int64_t kProducerRegisters = 40;
struct WarpSpecialization {
  int64_t producerWarps = kProducerWarps;
  int64_t producerRegs = 0, consumerRegs = 0; ///< per thread; 0: as they are
  bool tensorCopies = true;                   ///< loads that allow it will be copied by one thread
  bool hostMaps = false;                      ///< through maps that host code makes
};
std::optional<std::string> warpSpecialize(tileaa::FuncOp function,
                                          const WarpSpecialization &options);
/// The explanation alone; the function stays as it is.
std::optional<std::string> specializationProblem(tileaa::FuncOp function,
                                                 const WarpSpecialization &options);

/// The stages that its rings will have; 0 where it does not allow it.
int64_t specializedStages(tileaa::FuncOp function, const WarpSpecialization &options);

/// From now on the stages of the pipeline change hands at mbarriers: its iterators know the phase.
void useMbarriers(CreatePipelineOp pipeline);

} // namespace tilesmith::tileas

#endif // COMPILER_DIALECT_TILEAS_TRANSFORMS_PIPELINELOOP_H
