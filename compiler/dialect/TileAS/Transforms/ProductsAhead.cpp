//===- ProductsAhead.cpp - loops whose first product may be issued a turn ahead ---------------===//
//
// What OverlapProducts.h says of loops before rings and tensor memory exist.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/dialect/TileAS/IR/TensorCoreAtom.h"
#include "compiler/dialect/TileAS/IR/ThroughConversions.h"
#include "compiler/dialect/TileAS/Transforms/OverlapProducts.h"
#include "compiler/dialect/TileAS/Transforms/Schedule.h"
#include "compiler/dialect/TileAS/Transforms/TensorMemoryPlaces.h"
#include "compiler/dialect/TileAS/Transforms/TensorMemoryProducts.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas;

/// The product whose operand the load becomes, by changes of layout and type alone; null where it has
/// other users.
static DotOp onlyProduct(Operation *load) {
  DotOp product;
  SmallVector<Value> work{load->getResult(0)};
  while (!work.empty())
    for (Operation *user : work.pop_back_val().getUsers()) {
      if (isa<ConvertLayoutOp, tileaa::FpToFpOp>(user)) {
        work.push_back(user->getResult(0));
        continue;
      }
      auto dot = dyn_cast<DotOp>(user);
      if (!dot || (product && product != dot))
        return {};
      product = dot;
    }
  return product;
}

static bool isMadeOutside(Value value, scf::ForOp loop) {
  return !loop->isAncestor(throughConversions(value).getParentRegion()->getParentOp());
}

/// The loads of the loop that become copies by the product that takes them; nothing where the loop
/// cannot run ahead.
static llvm::MapVector<Operation *, DotOp> productsOfLoads(scf::ForOp loop,
                                                           const target::GpuTarget &gpu) {
  if (!gpu.has(target::Feature::Tcgen05))
    return {};
  SmallVector<DotOp> dots;
  loop->walk([&](DotOp dot) { dots.push_back(dot); });
  if (dots.empty() || !isZeroTile(dots.front().getAcc()))
    return {};
  auto function = loop->getParentOfType<tileaa::FuncOp>();
  int64_t columns = 0, second = 0;
  bool apart = dots.size() == 2;
  for (DotOp dot : dots) {
    auto acc = cast<RankedTensorType>(dot.getAcc().getType());
    if (dot->getParentOp() != loop || !dot.getAtom() || acc.getRank() != 2 ||
        !isWorthTensorMemory(dot))
      return {};
    auto shape = tensorMemoryShape(acc.getDimSize(0), acc.getDimSize(1),
                                   1u << getLayout(acc).getWarps().size());
    if (!shape)
      return {};
    apart &= shape->hasBlocksApart();
    columns += shape->columns();
    if (dot == dots.front())
      second = shape->columns();
  }
  if (columns + (apart ? 0 : second) > columnLimit(function))
    return {};
  llvm::MapVector<Operation *, DotOp> products;
  llvm::SmallPtrSet<Operation *, 4> fed;
  for (Operation &op : *loop.getBody())
    if (isScheduledCopy(&op)) {
      DotOp product = onlyProduct(&op); // null: threads read it
      products[&op] = product;
      if (product)
        fed.insert(product);
    }
  DotOp first = dots.front();
  for (Value operand : {first.getLhs(), first.getRhs()}) {
    while (isa_and_present<ConvertLayoutOp, tileaa::FpToFpOp>(operand.getDefiningOp()))
      operand = operand.getDefiningOp()->getOperand(0);
    if (!isMadeOutside(operand, loop) &&
        !(operand.getDefiningOp() && isScheduledCopy(operand.getDefiningOp())))
      return {};
  }
  if (fed.size() != dots.size())
    return {};
  return products;
}

bool tileas::mayRunAhead(scf::ForOp loop, const target::GpuTarget &gpu) {
  return !productsOfLoads(loop, gpu).empty();
}

SmallVector<unsigned> tileas::ringsOfLoads(scf::ForOp loop, ArrayRef<Operation *> loads,
                                           const target::GpuTarget &gpu) {
  llvm::MapVector<Operation *, DotOp> products = productsOfLoads(loop, gpu);
  SmallVector<unsigned> rings;
  SmallVector<Operation *> known;
  for (Operation *load : loads) {
    Operation *product = products.lookup(load);
    auto found = llvm::find(known, product);
    rings.push_back(found - known.begin());
    if (found == known.end())
      known.push_back(product);
  }
  return rings;
}
