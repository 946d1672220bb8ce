//===- OverlapProducts.h - a product that is issued one turn ahead ------------------------------===//
//
// A loop of a product whose sums threads work on, or of several, as of attention: the first one takes its operands from slots and from in
// front of the loop, the others what the loop computes from it. On tensor cores that run beside the
// threads (tcgen05) the first product of the next turn can be under way while threads work on the sums of
// this one. It needs
//
//   a ring for each product    the slots of the first one are free a turn earlier; tiles that threads read have another
//   two sets of columns        for its sums; or blocks of rows, each held by a group of warps of its own,
//                              which take turns at the tensor cores
//
// Where it cannot, as the operands of each product are computed in its turn or its sums are carried on, products stay in
// their turn.
//
// Then warps of their own can issue all products, where tileas-materialize-schedule has left some: the
// others never wait for stages, and carry no code of products.
//
// tileas-materialize-schedule asks whether a loop is such a one, and gives it the rings;
// tileas-refine-atom-by-resource moves the product.
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_DIALECT_TILEAS_TRANSFORMS_OVERLAPPRODUCTS_H
#define COMPILER_DIALECT_TILEAS_TRANSFORMS_OVERLAPPRODUCTS_H

#include "compiler/dialect/TileAS/IR/TileAS.h"
#include "compiler/target/Targets.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tilesmith::tileas {

/// Whether the first product of a scheduled loop is likely to be issued a turn ahead when warps of
/// their own copy: what is known before rings and tensor memory exist.
bool mayRunAhead(mlir::scf::ForOp loop, const target::GpuTarget &gpu);
/// The same of products that wait for what threads compute in their turn.
bool mayIssueInTurn(mlir::scf::ForOp loop, const target::GpuTarget &gpu);

/// The same of products that wait for nothing but loads, of the only pipelined loop of a kernel: threads, which have nothing
/// else to do there, copy what no tensor copy can. There is something like that, and it stands behind no write.
bool mayFeedByThreads(mlir::scf::ForOp loop, const target::GpuTarget &gpu, bool hostMaps);

/// The same of a loop of nothing but products, inside of another one, whose sums have columns twice: it runs beside what
/// threads do with the sums.
bool mayIssueLoopAhead(mlir::scf::ForOp loop, const target::GpuTarget &gpu);

/// For each of `loads`, the ring that it belongs to: the loads that a product takes share one, or, where none runs ahead,
/// those that any product takes; what threads alone read has another. All the same where no loop of this kind is issued
/// apart.
llvm::SmallVector<unsigned> ringsOfLoads(mlir::scf::ForOp loop,
                                         llvm::ArrayRef<mlir::Operation *> loads,
                                         const target::GpuTarget &gpu);

/// Moves the first product of a loop of products in tensor memory one turn ahead. Says why not where
/// there are several products; an empty text where there are not.
std::optional<std::string> overlapProducts(mlir::scf::ForOp loop);

/// Has another agent issue the products of a loop in their turn, where one of them waits for what threads compute in it
/// (ProductsInTurn.cpp). Says why not; an empty text where no warps are left for it.
std::optional<std::string> issueInTurn(mlir::scf::ForOp loop);

/// Has another agent go through the loop, whose products begin at zero, while threads work on the sums of the run before
/// (LoopsAhead.cpp). Says why not; an empty text where no warps are left for it, or no loop is around it.
std::optional<std::string> issueLoopAhead(mlir::scf::ForOp loop);

/// Gives the products that the loops of the first agent issue to the last one, whose region is empty. Says
/// why not; an empty text where no warps are left for it, or nothing is issued.
std::optional<std::string> issueApart(AgentSwitchOp agents);

} // namespace tilesmith::tileas

#endif // COMPILER_DIALECT_TILEAS_TRANSFORMS_OVERLAPPRODUCTS_H
