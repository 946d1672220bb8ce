//===- Schedule.h - what both halves of scheduling ask about a loop ---------------------------===//
//
// `tileas-generate-schedule` annotates and changes nothing else: `nv_tileas.num_stages` on a loop,
// `nv_tileas.schedule` on the loads that move into its pipeline and on the consumers, and on a load
// of a tensor-core product that stays where it is `nv_tileas.not_pipelined`, for remarks.
// `tileas-materialize-schedule` reads the annotations and rewrites.
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_DIALECT_TILEAS_TRANSFORMS_SCHEDULE_H
#define COMPILER_DIALECT_TILEAS_TRANSFORMS_SCHEDULE_H

#include "compiler/dialect/TileAS/IR/TileAS.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"

namespace tilesmith::tileas {

/// What it takes to know the addresses of a load some iterations ahead.
struct AddressSlice {
  /// Operations of the loop body in order, free of side effects.
  llvm::SetVector<mlir::Operation *> operations;
  /// Of those, the ones that advance carried values: they run for iterations that may not exist.
  llvm::SetVector<mlir::Operation *> advancing;
  /// Loop-carried values that the addresses depend on.
  llvm::SetVector<unsigned> carried;
};

/// Operands of a load but its memory token.
llvm::SmallVector<mlir::Value> addressOperands(mlir::Operation *load);
mlir::Value tokenOperand(mlir::Operation *load);
/// Adds the slice of `load` to `slice`; an error text when it cannot run ahead.
std::optional<std::string> addAddressSlice(mlir::scf::ForOp loop, mlir::Operation *load,
                                           AddressSlice &slice);

/// The tokens outside of the loop behind which a load of the loop stands; nullopt when it is
/// ordered after something in the loop that may write.
std::optional<llvm::SmallVector<mlir::Value>> outerTokens(mlir::scf::ForOp loop, mlir::Value token);

/// A pipeline without products, which only tensor copies make worth its while.
bool isPipelineOfLoads(mlir::scf::ForOp loop);
/// What tileas-generate-schedule has said of `root` and what it holds.
void dropSchedule(mlir::Operation *root);

/// Something behind the tokens may write what the load reads.
bool standsBehindWrite(mlir::Operation *load, llvm::ArrayRef<mlir::Value> tokens);
/// A load of one element, which other warps may do once more: nothing in front of it may write what it
/// reads, and nothing waits until it has read.
bool readsAlone(mlir::Operation *load);

/// The threads' share of a copy of `shape` that moves `vector` neighbours along `dim` at once:
/// lanes walk that dimension first.
LayoutAttr copyLayout(mlir::MLIRContext *context, llvm::ArrayRef<int64_t> shape, unsigned dim,
                      int64_t vector, unsigned numWarps);

/// Buffers without a swizzle, contiguous along `dim`.
SharedLayoutAttr plainSharedLayout(mlir::MLIRContext *context, llvm::ArrayRef<int64_t> shape,
                                   unsigned dim);

} // namespace tilesmith::tileas

#endif // COMPILER_DIALECT_TILEAS_TRANSFORMS_SCHEDULE_H
