//===- SharedOperands.h - operands of products that wait in shared memory ---------------------===//
//
// A left operand that a loop does not change, as the queries of attention, is kept in registers as
// fragments of the product, or, where the loop's sums leave no registers for it, in a shared buffer of its
// own, which is filled in front of the loop. Warpgroup products read it there themselves; of products of
// `mma.sync` each turn reads its fragments anew.
//
// A right operand that a loop does not change, as weights past which rows stream, warpgroup products read nowhere
// else: its buffer is filled in front of the loop wherever two stages of the loop's rings leave room.
//
//   tileas-generate-schedule            chooses, keeps the bytes free, and marks the products (`shared_left`)
//   tileas-materialize-schedule         keeps them free, too, where warps of their own copy
//   tileas-refine-atom-by-resource      fills the buffer, and reads fragments from it
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_DIALECT_TILEAS_TRANSFORMS_SHAREDOPERANDS_H
#define COMPILER_DIALECT_TILEAS_TRANSFORMS_SHAREDOPERANDS_H

#include "compiler/dialect/TileAS/IR/TileAS.h"
#include "compiler/target/Targets.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tilesmith::tileas {

/// The products of the loop whose left operands should wait in shared memory; none where they fit into
/// registers, or the loop multiplies in tensor memory.
llvm::SmallVector<DotOp> leftsToShare(mlir::scf::ForOp loop, const target::GpuTarget &gpu);

/// Bytes of shared memory that different operands take.
int64_t bytesOfOperands(llvm::ArrayRef<mlir::Value> operands);
/// The same of the left operands of these products.
int64_t bytesOfLefts(llvm::ArrayRef<DotOp> dots);
/// The same of all products in `root` that are marked.
int64_t bytesOfSharedLefts(mlir::Operation *root);

/// The left operand of a marked product in a shared buffer, which one product of the block of the loop may
/// have filled before; null where no instruction could read it there.
mlir::Value shareLeft(DotOp dot, int64_t elementBytes);

/// Right operands that the loop does not change and warpgroup products of it can read from shared memory.
llvm::SmallVector<mlir::Value> rightsToShare(mlir::scf::ForOp loop, const target::GpuTarget &gpu);
/// The right operand of the product, one of `rightsToShare`, in a shared buffer that is filled in front of its loop.
mlir::Value shareRight(DotOp dot, int64_t elementBytes);

} // namespace tilesmith::tileas

#endif // COMPILER_DIALECT_TILEAS_TRANSFORMS_SHAREDOPERANDS_H
