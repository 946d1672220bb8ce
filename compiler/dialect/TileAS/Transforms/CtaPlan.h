//===- CtaPlan.h - dividing a tile block among the blocks of a cluster ------------------------===//
//
// A cluster of n blocks executes one tile block. Every tile takes one or more forms:
//   * whole (kWhole): every block of the cluster holds all of it, computed by itself;
//   * divided along dimension d: the block of rank r holds the r-th of n equal pieces.
// Blocks exchange nothing but memory, so a form is demanded, never converted: the plan starts at
// what an effect needs (a store of a tile that is divided along d needs its value in that form) and
// asks the producers for it, through loops and branches. A tile that two users need in two forms is
// computed twice. Scalars are whole, so all blocks take the same way through the kernel.
//
// Invariants
//  * each effect happens once per element: divided, or done by the block of rank 0 ("leader");
//  * what is computed by several blocks is the same in all: it comes from parameters, ids and weak
//    loads only, never from atomics or ordered loads.
//
// Token order between blocks is not the plan's business: `tileas-insert-barriers` makes the
// barriers of such a kernel cluster barriers.
//
// The same plan divides the tiles of one block (`inTurn`, PlanRows.cpp): it computes the n pieces of a
// divided tile itself, and what is whole once. Then no effect has a leader, and results of effects may
// be whole. Named effects alone may be divided so (`runFor`): loops stay whole then, and a piece of what
// one results in is a slice.
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_DIALECT_TILEAS_TRANSFORMS_CTAPLAN_H
#define COMPILER_DIALECT_TILEAS_TRANSFORMS_CTAPLAN_H

#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/target/Targets.h"

#include "mlir/Pass/PassManager.h"

#include <optional>
#include <string>

namespace tilesmith::tileas {

using CtaForm = int;
inline constexpr CtaForm kWhole = -1;

/// The tensor of one block.
mlir::RankedTensorType pieceType(mlir::RankedTensorType type, CtaForm form, int64_t blocks);

/// The view of `tensor` by pieces of the tiles of `tiling`, made at the insertion point. Where tiles do not gather, its tiles
/// follow each other along `form` in steps of gcd(step of the whole tiles, extent of a piece).
mlir::Value viewOfPieces(mlir::OpBuilder &builder, tileaa::BlockTileOp tiling, mlir::Value tensor,
                         CtaForm form, int64_t blocks);

/// Forms of the operands (kWhole for scalars, tokens and views) from which `op` computes its
/// results divided along `form`; nullopt: it cannot.
std::optional<llvm::SmallVector<CtaForm>> operandForms(mlir::Operation *op, CtaForm form,
                                                       int64_t blocks);

/// Whether an op writes memory, prints, or reads memory that others may change meanwhile.
bool isCtaEffect(mlir::Operation *op);

class CtaPlan {
public:
  CtaPlan(tileaa::FuncOp function, int64_t blocks, int64_t threads, const target::GpuTarget &gpu,
          bool inTurn = false)
      : blocks(blocks), threads(threads), inTurn(inTurn), gpu(gpu), function(function) {}

  /// Chooses all forms. Returns why the kernel is not divided; nullopt: it is.
  std::optional<std::string> run();
  /// Divides these effects (`inTurn`) and what they need, as far as loops, which stay whole.
  std::optional<std::string>
  runFor(const llvm::DenseMap<mlir::Operation *, CtaForm> &effects LLVM_LIFETIME_BOUND);

  /// Forms in which a value is needed; empty: in none.
  llvm::ArrayRef<CtaForm> forms(mlir::Value value) const LLVM_LIFETIME_BOUND {
    auto it = demands.find(value);
    return it == demands.end() ? llvm::ArrayRef<CtaForm>() : llvm::ArrayRef(it->second);
  }
  /// The form of an effect; kWhole: the leader's.
  CtaForm formOf(mlir::Operation *effect) const { return chosen.lookup(effect); }
  /// Work of a block in parts of the whole work.
  double share() const { return total ? double(cost) / double(total) : 1; }

  const int64_t blocks, threads; ///< of a cluster, of a block
  const bool inTurn;             ///< one block computes all pieces, one after the other
  const target::GpuTarget &gpu;

  /// Of effects that were named: loops are whole, whatever is needed of their results.
  bool areLoopsKept() const { return keepsLoops; }

private:
  bool fail(const llvm::Twine &reason);
  /// What stands against any plan; counts the work, and demands what loops and branches need.
  std::optional<std::string> begin(llvm::SmallVectorImpl<mlir::Operation *> &effects);
  bool demand(mlir::Value value, CtaForm form);
  /// Works off the demands that are pending.
  bool settle();
  bool require(mlir::Value value, CtaForm form);
  bool requireArgument(mlir::BlockArgument argument, CtaForm form);
  bool requireResult(mlir::OpResult result, CtaForm form);
  bool requireOperands(mlir::Operation *op, llvm::ArrayRef<CtaForm> forms);
  bool requireControl();
  /// Plans one effect in one form.
  bool tryEffect(mlir::Operation *op, CtaForm form);
  bool chooseEffect(mlir::Operation *op);
  int64_t costOf(mlir::Operation *op, CtaForm form) const;

  mutable tileaa::FuncOp function;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<CtaForm, 2>> demands;
  llvm::DenseMap<mlir::Operation *, CtaForm> chosen;
  /// All demands in order, so that a try can be taken back.
  llvm::SmallVector<std::pair<mlir::Value, CtaForm>> made;
  size_t settled = 0;
  bool keepsLoops = false;
  int64_t cost = 0, total = 0;
  std::string problem;
};

/// Runs a pipeline on an operation: `runPipeline` of the pass that divides.
using PipelineRunner =
    llvm::function_ref<mlir::LogicalResult(mlir::OpPassManager &, mlir::Operation *)>;

/// Rewrites the body of `function` as planned; a function with facts gets them inferred anew. `foldShapes`:
/// behind tileaa-fold-view-shapes, because extents have become one.
mlir::LogicalResult divideFunction(tileaa::FuncOp function, const CtaPlan &plan, PipelineRunner run,
                                   bool foldShapes = false);

} // namespace tilesmith::tileas

#endif // COMPILER_DIALECT_TILEAS_TRANSFORMS_CTAPLAN_H
