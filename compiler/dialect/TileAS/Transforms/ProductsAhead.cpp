//===- ProductsAhead.cpp - loops whose products may be issued by other warps --------------------===//
//
// What OverlapProducts.h says of loops before rings and tensor memory exist.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/dialect/TileAS/IR/TensorBox.h"
#include "compiler/dialect/TileAS/IR/TensorCoreAtom.h"
#include "compiler/dialect/TileAS/IR/ThroughConversions.h"
#include "compiler/dialect/TileAS/Transforms/CostModel.h"
#include "compiler/dialect/TileAS/Transforms/OverlapProducts.h"
#include "compiler/dialect/TileAS/Transforms/ScaledProducts.h"
#include "compiler/dialect/TileAS/Transforms/Schedule.h"
#include "compiler/dialect/TileAS/Transforms/TensorMemoryPlaces.h"
#include "compiler/dialect/TileAS/Transforms/TensorMemoryProducts.h"

#include "mlir/Interfaces/LoopLikeInterface.h"

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

/// Of the sums of a product that comes in each turn of the loop; nothing where tensor memory would not hold them.
static std::optional<TensorMemoryShape> shapeInTurn(DotOp dot, scf::ForOp loop) {
  auto acc = cast<RankedTensorType>(dot.getAcc().getType());
  if (dot->getParentOp() != loop || !dot.getAtom() || acc.getRank() != 2 ||
      !isWorthTensorMemory(dot))
    return std::nullopt;
  return tensorMemoryShape(acc.getDimSize(0), acc.getDimSize(1),
                           1u << getLayout(acc).getWarps().size());
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
    std::optional<TensorMemoryShape> shape = shapeInTurn(dot, loop);
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

/// The products that take what is loaded as it is; `others`: threads read it, too.
static llvm::SmallPtrSet<Operation *, 4> productsFedBy(Operation *load, bool &others) {
  llvm::SmallPtrSet<Operation *, 4> fed;
  SmallVector<Value> work{load->getResult(0)};
  while (!work.empty())
    for (Operation *user : work.pop_back_val().getUsers()) {
      auto conversion = dyn_cast<tileaa::FpToFpOp>(user);
      auto type = dyn_cast_or_null<RankedTensorType>(user->getNumResults()
                                                         ? user->getResult(0).getType()
                                                         : Type()); // null: of a loop's end, too
      if (isa<ConvertLayoutOp>(user) || (conversion && type.getElementType().isTF32()) ||
          (isa<PermuteOp>(user) && bufferElementBytes(type.getElementType()) == 2))
        work.push_back(user->getResult(0));
      else if (isa<DotOp>(user))
        fed.insert(user);
      else
        others = true;
    }
  return fed;
}

/// Whether each load of the loop feeds products; nothing where they cannot be issued apart in their turn. `waits`: some
/// product waits for threads, or they read a load as well.
static llvm::MapVector<Operation *, bool> loadsOfTurn(scf::ForOp loop, const target::GpuTarget &gpu,
                                                      bool &waits) {
  if (!gpu.has(target::Feature::Tcgen05))
    return {};
  int64_t columns = 0;
  auto hasLoop = loop.getBody()->walk([](LoopLikeOpInterface) { return WalkResult::interrupt(); });
  if (hasLoop.wasInterrupted())
    return {};
  bool some = false;
  WalkResult walked = loop->walk([&](DotOp dot) {
    std::optional<TensorMemoryShape> shape = shapeInTurn(dot, loop);
    if (!shape)
      return WalkResult::interrupt();
    columns += shape->columns();
    waits |= !carriedSum(dot);
    some = true;
    return WalkResult::advance();
  });
  if (walked.wasInterrupted() || !some ||
      columns > columnLimit(loop->getParentOfType<tileaa::FuncOp>()))
    return {};
  llvm::MapVector<Operation *, bool> loads;
  for (Operation &op : *loop.getBody())
    if (isScheduledCopy(&op)) {
      bool others = false;
      llvm::SmallPtrSet<Operation *, 4> products = productsFedBy(&op, others);
      loads[&op] = !products.empty();
      waits |= others;
    }
  return loads;
}

/// The same where they need to be issued apart: they wait for threads.
static llvm::MapVector<Operation *, bool> loadsOfProductsInTurn(scf::ForOp loop,
                                                                const target::GpuTarget &gpu) {
  bool waits = false;
  llvm::MapVector<Operation *, bool> loads = loadsOfTurn(loop, gpu, waits);
  return waits ? loads : llvm::MapVector<Operation *, bool>();
}

bool tileas::mayRunAhead(scf::ForOp loop, const target::GpuTarget &gpu) {
  return !productsOfLoads(loop, gpu).empty();
}

bool tileas::mayIssueInTurn(scf::ForOp loop, const target::GpuTarget &gpu) {
  return !loadsOfProductsInTurn(loop, gpu).empty();
}

/// What the operand is before its layout, the order of its dimensions and its type are changed.
static Value sourceOf(Value operand) {
  while (Operation *op = operand.getDefiningOp()) {
    if (!isa<ConvertLayoutOp, PermuteOp, tileaa::FpToFpOp>(op))
      break;
    operand = op->getOperand(0);
  }
  return operand;
}

/// Loaded in each turn as the product takes it.
static bool isLoadedInTurn(Value operand, scf::ForOp loop) {
  Operation *source = sourceOf(operand).getDefiningOp();
  return source && source->getBlock() == loop.getBody() && isScheduledCopy(source);
}

/// The same, or made in front of the loop.
static bool isOperandOfTurn(Value operand, scf::ForOp loop) {
  return isMadeOutside(sourceOf(operand), loop) || isLoadedInTurn(operand, loop);
}

/// The loads of the loop that a product takes as they are, and the columns of its sums, twice, and scales; nothing where it
/// takes something else, or tensor memory would not hold them.
static std::optional<int64_t> columnsInTurn(DotOp dot, scf::ForOp loop,
                                            llvm::SmallPtrSetImpl<Operation *> &loads) {
  SmallVector<Value> taken{dot.getLhs(), dot.getRhs()};
  std::optional<ScaledOperands> scaled = scaledOperands(dot);
  std::optional<TensorMemoryShape> shape;
  int64_t columns = 0;
  if (scaled) {
    auto acc = cast<RankedTensorType>(dot.getAcc().getType());
    const unsigned warps = 1u << getLayout(acc).getWarps().size();
    if (dot->getParentOp() != loop || !scaledAtom(dot, *scaled, warps))
      return std::nullopt;
    shape = tensorMemoryShape(acc.getDimSize(0), acc.getDimSize(1), warps);
    taken = {scaled->lhs.data, scaled->rhs.data, scaled->lhs.scales, scaled->rhs.scales};
    auto scales = cast<RankedTensorType>(scaled->lhs.scales.getType());
    const int64_t words = scales.getDimSize(scaled->lhs.blockDim) / kScalesOfWord;
    columns = scaleColumns(shape->m, words) + scaleColumns(shape->n, words);
  } else {
    shape = shapeInTurn(dot, loop);
  }
  if (!shape || !llvm::all_of(taken, [&](Value each) { return isLoadedInTurn(each, loop); }))
    return std::nullopt;
  for (Value each : taken) {
    Operation *load = sourceOf(each).getDefiningOp();
    bool others = false;
    productsFedBy(load, others);
    // Threads read it, too. Of a scaled product others are what multiplies by scales, until the tensor core does.
    if (others && !scaled)
      return std::nullopt;
    loads.insert(load);
  }
  return columns + 2 * shape->columns();
}

/// Another product adds to the sum, or another loop goes on with it.
static bool goesOn(Value sum) {
  return llvm::any_of(sum.getUses(), [](OpOperand &use) {
    Operation *user = use.getOwner();
    if (isa<ConvertLayoutOp>(user))
      return goesOn(user->getResult(0));
    auto dot = dyn_cast<DotOp>(user);
    return isa<scf::ForOp>(user) || (dot && &use == &dot.getAccMutable());
  });
}

bool tileas::mayIssueLoopAhead(scf::ForOp loop, const target::GpuTarget &gpu) {
  if (!gpu.has(target::Feature::Tcgen05) || !isa<scf::ForOp>(loop->getParentOp()) ||
      annotations(loop).getLateReleaseAttrHelper().isAttrPresent(loop))
    return false;
  int64_t columns = 0;
  llvm::SmallPtrSet<Operation *, 4> fed;
  WalkResult walked = loop->walk([&](DotOp dot) {
    std::optional<int64_t> own = columnsInTurn(dot, loop, fed);
    std::optional<CarriedSum> sum = carriedSum(dot);
    if (!own || !sum || !sum->chain.empty() || !isZeroTile(loop.getInitArgs()[sum->index]) ||
        goesOn(loop.getResult(sum->index)))
      return WalkResult::interrupt();
    columns += *own;
    return WalkResult::advance();
  });
  if (walked.wasInterrupted() || fed.empty() ||
      columns > columnLimit(loop->getParentOfType<tileaa::FuncOp>()))
    return false;
  return llvm::all_of(*loop.getBody(),
                      [&](Operation &op) { return !isScheduledCopy(&op) || fed.contains(&op); });
}

/// Nothing else in the kernel is pipelined.
static bool isOnlyPipeline(scf::ForOp loop) {
  WalkResult walked = loop->getParentOfType<tileaa::FuncOp>()->walk([&](scf::ForOp other) {
    return other != loop && annotations(other).getNumStagesAttrHelper().isAttrPresent(other)
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  return !walked.wasInterrupted();
}

bool tileas::mayFeedByThreads(scf::ForOp loop, const target::GpuTarget &gpu, bool hostMaps) {
  bool waits = false;
  llvm::MapVector<Operation *, bool> loads = loadsOfTurn(loop, gpu, waits);
  if (waits || loads.empty() || annotations(loop).getLateReleaseAttrHelper().isAttrPresent(loop) ||
      !isOnlyPipeline(loop))
    return false;
  bool some = false;
  for (auto &[load, feeds] : loads) {
    if (!feeds)
      return false;
    if (mayUseTensorCopy(load, loop, hostMaps))
      continue;
    std::optional<SmallVector<Value>> tokens = outerTokens(loop, tokenOperand(load));
    if (!tokens || standsBehindWrite(load, *tokens))
      return false;
    some = true;
  }
  return some && llvm::all_of(loop.getOps<DotOp>(), [&](DotOp dot) {
           return isOperandOfTurn(dot.getLhs(), loop) && isOperandOfTurn(dot.getRhs(), loop);
         });
}

SmallVector<unsigned> tileas::ringsOfLoads(scf::ForOp loop, ArrayRef<Operation *> loads,
                                           const target::GpuTarget &gpu) {
  llvm::MapVector<Operation *, DotOp> products = productsOfLoads(loop, gpu);
  llvm::MapVector<Operation *, bool> inTurn;
  if (products.empty())
    inTurn = loadsOfProductsInTurn(loop, gpu);
  SmallVector<unsigned> rings;
  SmallVector<Operation *> known;
  for (Operation *load : loads) {
    Operation *product = inTurn.lookup(load) ? loop.getOperation() : products.lookup(load);
    auto found = llvm::find(known, product);
    rings.push_back(found - known.begin());
    if (found == known.end())
      known.push_back(product);
  }
  return rings;
}
