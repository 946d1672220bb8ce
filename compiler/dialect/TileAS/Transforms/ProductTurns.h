//===- ProductTurns.h - rings and turns of loops whose products one thread issues ---------------===//
//
// What moving a product a turn ahead (OverlapProducts.cpp), issuing products in their turn (ProductsInTurn.cpp) and whole loops
// ahead (LoopsAhead.cpp) share.
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_DIALECT_TILEAS_TRANSFORMS_PRODUCTTURNS_H
#define COMPILER_DIALECT_TILEAS_TRANSFORMS_PRODUCTTURNS_H

#include "compiler/dialect/TileAS/IR/TileAS.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tilesmith::tileas {

/// The loop stands in the region of the first agent, and warps are left that may issue its products.
bool hasIssuers(mlir::scf::ForOp loop);
/// All products in tensor memory of a loop, in order.
llvm::SmallVector<TensorMemoryDotOp> productsIn(mlir::scf::ForOp loop);

/// How a loop goes through a ring that products read: stage by stage, one each turn.
struct ProductRing {
  ConsumerWaitOp wait;
  ConsumerReleaseOp release;
  llvm::SmallVector<ConsumerReadOp> reads;       ///< by products, in any order
  llvm::SmallVector<ConsumerReadOp> threadReads; ///< by threads
  bool isFilledHere = false; ///< threads of the loop copy a part of each stage in its turn
};

/// Says why the ring is none that one thread can wait for and give back alone.
std::optional<std::string> collectRing(CreatePipelineOp pipeline, mlir::scf::ForOp loop,
                                       ProductRing &ring);

/// Nothing in the loop stands behind what was copied, and what comes behind the loop waits for the products that read it.
void dropToken(ConsumerWaitOp wait);

/// A loop that numbers its turns in what it carries last. A loop around it carries the number on, as the phases of barriers do.
struct NumberedTurns {
  mlir::scf::ForOp loop;
  mlir::Value first; ///< what the loop begins with
  mlir::Value last;  ///< behind its last turn

  /// Another number that the loop around goes on with.
  void goOnFrom(mlir::Value number);
};
NumberedTurns numberTurns(mlir::scf::ForOp loop);
/// Whether the loop has a turn.
mlir::Value hasTurns(mlir::OpBuilder &builder, mlir::scf::ForOp loop);

} // namespace tilesmith::tileas

#endif // COMPILER_DIALECT_TILEAS_TRANSFORMS_PRODUCTTURNS_H
