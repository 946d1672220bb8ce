//===- TensorMemoryProducts.h - products that become asynchronous ones of sm_90 and sm_100 ------===//
//
// What tileas-refine-atom-by-resource shares between warpgroup products and those in tensor memory.
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_DIALECT_TILEAS_TRANSFORMS_TENSORMEMORYPRODUCTS_H
#define COMPILER_DIALECT_TILEAS_TRANSFORMS_TENSORMEMORYPRODUCTS_H

#include "compiler/dialect/TileAS/IR/TileAS.h"
#include "compiler/dialect/TileAS/IR/WarpgroupAtom.h"
#include "compiler/target/Targets.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tilesmith::tileas {

/// Instructions of one product; more would be a loop that is not worth its code.
inline constexpr int64_t kMaxProductInstructions = 64;

/// What a pipeline read hands out of a buffer.
struct SlotValue {
  ConsumerReadOp read;
  unsigned buffer;
};
/// nullopt when the value has other users, or a product that wants another layout reads the buffer, too.
std::optional<SlotValue> slotValue(mlir::Value value);

/// An operand that a pipeline read hands out.
struct SlotOperand {
  ConsumerReadOp read;
  unsigned buffer;
  WarpgroupOperand form;
  bool transposed = false; ///< the slot holds the operand with its dimensions in the other order
};
/// nullopt when a product that wants another layout reads the buffer, too, or when no instruction can. Tensor
/// cores of sm_100 read elements of all sizes that are not contiguous along K, warpgroups those of 16 bits
/// (`anyAcross`). A right operand of 16-bit elements may be the slot transposed.
std::optional<SlotOperand> slotOperand(mlir::Value value, int64_t elementBytes, unsigned outerDim,
                                       bool anyAcross = false);
/// The slot in a read's region as the product takes it.
mlir::Value operandIn(mlir::OpBuilder &builder, mlir::Block *body, const SlotOperand &operand);
/// Gives the buffer the form that the instruction reads.
void prepareBuffer(const SlotOperand &operand, int64_t elementBytes);
/// Removes changes of layout and order that nobody uses, from the last one on.
void eraseUnused(mlir::Value value);
/// Removes the results that nobody uses, and the copies behind them.
void dropUnusedResults(ConsumerReadOp read);

/// A tile of positive zeros, known when it is compiled.
bool isZeroTile(mlir::Value tile);

/// A sum that a loop carries from product to product, with elementwise operations in between.
struct CarriedSum {
  mlir::scf::ForOp loop;
  unsigned index;    ///< among what the loop carries
  mlir::Value after; ///< what the loop yields, the product's result converted
  llvm::SmallVector<mlir::Operation *> chain; ///< from the carried value to the product, in order
};
/// `mayBeRead`: the loop may compute other things from the carried value, too.
std::optional<CarriedSum> carriedSum(DotOp dot, bool mayBeRead = false);

/// Enough work that threads may wait and meet around the product.
bool isWorthTensorMemory(DotOp dot);

/// Makes the product one in tensor memory, if it fits; `local` allows those whose operands or sums the
/// loop computes.
bool refineToTensorMemory(DotOp dot, const target::GpuTarget &gpu, bool local);

/// Operands that threads stage for products of the loop are staged in front of the first product behind which
/// they are known, where threads meet for it anyway.
void stageTogether(mlir::scf::ForOp loop);

} // namespace tilesmith::tileas

#endif // COMPILER_DIALECT_TILEAS_TRANSFORMS_TENSORMEMORYPRODUCTS_H
