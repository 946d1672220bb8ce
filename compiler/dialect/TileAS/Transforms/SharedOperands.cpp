//===- SharedOperands.cpp - operands of products that wait in shared memory -------------------===//
#include "compiler/dialect/TileAS/Transforms/SharedOperands.h"

#include "compiler/dialect/TileAS/IR/TensorBox.h"
#include "compiler/dialect/TileAS/IR/ThroughConversions.h"
#include "compiler/dialect/TileAS/IR/WarpgroupAtom.h"
#include "compiler/dialect/TileAS/Transforms/TensorMemoryProducts.h"
#include "compiler/support/Plants.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas;

/// Words of a thread for what a loop carries, the sums of one product and fragments from outside, where it may have
/// all registers that an instruction can name.
static constexpr int64_t kManyWords = 176;
/// Of products of `mma.sync`, which take fragments of the right operand through registers, too.
static constexpr int64_t kManyWordsBesideFragments = 144;
static constexpr int64_t kMostRegisters = 255;

static bool isMadeOutside(Value value, scf::ForOp loop) {
  return !loop->isAncestor(value.getParentRegion()->getParentOp());
}

static int64_t bytesOf(Value tile) {
  auto type = cast<RankedTensorType>(tile.getType());
  return type.getNumElements() * bufferElementBytes(type.getElementType());
}

/// Bytes of an element of the left operand, where the dot may become a product that can read it from
/// shared memory.
static std::optional<int64_t> elementBytesOf(DotOp dot, const target::GpuTarget &gpu) {
  auto lhs = cast<RankedTensorType>(dot.getLhs().getType()),
       acc = cast<RankedTensorType>(dot.getAcc().getType());
  if (acc.getRank() != 2 || !dot.getAtom())
    return std::nullopt;
  if (!gpu.has(target::Feature::Wgmma))
    return bufferElementBytes(lhs.getElementType());
  unsigned warps = 1u << getLayout(acc).getWarps().size();
  const WarpgroupAtom *atom = findWarpgroupAtom(lhs.getElementType(), acc.getElementType(),
                                                dot.getSignedLhs(), dot.getSignedRhs());
  if (!atom || !warpgroupShape(acc.getDimSize(0), acc.getDimSize(1), warps))
    return std::nullopt;
  return atom->elementBytes;
}

/// Warps that hold the same rows of the left operand: groups beside each other along the columns of a warpgroup product.
static int64_t holdersOfLeft(DotOp dot, const target::GpuTarget &gpu) {
  auto acc = cast<RankedTensorType>(dot.getAcc().getType());
  unsigned warps = 1u << getLayout(acc).getWarps().size();
  if (!gpu.has(target::Feature::Wgmma))
    return 1;
  return warpgroupShape(acc.getDimSize(0), acc.getDimSize(1), warps)->groupsN;
}

SmallVector<DotOp> tileas::leftsToShare(scf::ForOp loop, const target::GpuTarget &gpu) {
  if (gpu.has(target::Feature::Tcgen05))
    return {};
  int64_t carried = 0, fresh = 0, registers = kMostRegisters;
  SmallVector<DotOp> found;
  llvm::SetVector<Value> lefts;
  for (auto dot : loop.getOps<DotOp>()) {
    std::optional<int64_t> elementBytes = elementBytesOf(dot, gpu);
    if (!elementBytes)
      return {};
    auto acc = cast<RankedTensorType>(dot.getAcc().getType());
    int64_t threads = int64_t(32) << getLayout(acc).getWarps().size(),
            words = llvm::divideCeil(bytesOf(dot.getAcc()), 4 * threads);
    registers = std::min(registers, target::kRegistersPerSM / threads);
    if (carriedSum(dot))
      carried += words;
    else
      fresh = std::max(fresh, words);
    Value left = throughConversions(dot.getLhs());
    if (!isMadeOutside(left, loop) ||
        !warpgroupStaging(cast<RankedTensorType>(left.getType()), *elementBytes, 0))
      continue;
    found.push_back(dot);
    if (lefts.insert(left))
      carried += llvm::divideCeil(holdersOfLeft(dot, gpu) * bytesOf(left), 4 * threads);
  }
  const int64_t many = gpu.has(target::Feature::Wgmma) ? kManyWords : kManyWordsBesideFragments;
  return carried + fresh > many - (kMostRegisters - registers) ? found : SmallVector<DotOp>();
}

int64_t tileas::bytesOfOperands(ArrayRef<Value> operands) {
  int64_t bytes = 0;
  for (Value operand : operands)
    bytes += llvm::alignTo(bytesOf(operand), 1024);
  return bytes;
}

int64_t tileas::bytesOfLefts(ArrayRef<DotOp> dots) {
  llvm::SetVector<Value> lefts;
  for (DotOp dot : dots)
    lefts.insert(throughConversions(dot.getLhs()));
  return bytesOfOperands(lefts.getArrayRef());
}

int64_t tileas::bytesOfSharedLefts(Operation *root) {
  SmallVector<DotOp> marked;
  root->walk([&](DotOp dot) {
    if (annotations(dot).getSharedLeftAttrHelper().isAttrPresent(dot))
      marked.push_back(dot);
  });
  return bytesOfLefts(marked);
}

/// The tile in a shared buffer of this form, filled in front of the loop, or before: `early` next to where it is made,
/// so that registers need not hold it.
static Value stageInFront(scf::ForOp loop, Location loc, Value tile, SharedLayoutAttr form,
                          bool early) {
  auto held = cast<RankedTensorType>(tile.getType());
  auto type = RankedTensorType::get(held.getShape(), held.getElementType(), form);
  for (Operation *user : tile.getUsers())
    if (auto stage = dyn_cast<TensorMemoryStageOp>(user))
      if (stage.getResult().getType() == type && stage->getBlock() == loop->getBlock() &&
          stage->isBeforeInBlock(loop))
        return stage.getResult();
  OpBuilder builder(loop);
  if (early && tile.getDefiningOp() && tile.getParentBlock() == loop->getBlock())
    builder.setInsertionPointAfterValue(tile);
  Value buffer = AllocTensorOp::create(builder, loc, type, 1);
  return TensorMemoryStageOp::create(builder, loc, type, tile, buffer).getResult();
}

Value tileas::shareLeft(DotOp dot, int64_t elementBytes) {
  Value left = throughConversions(dot.getLhs());
  auto tile = cast<RankedTensorType>(left.getType());
  std::optional<SharedLayoutAttr> form = warpgroupStaging(tile, elementBytes, 0);
  auto loop = dyn_cast<scf::ForOp>(dot->getParentOp());
  if (!form || !loop || !isMadeOutside(left, loop))
    return {};
  if (TILESMITH_PLANT("shared-left-of-first-piece"))
    for (auto stage : loop->getBlock()->getOps<TensorMemoryStageOp>())
      if (stage.getResult().getType() ==
          RankedTensorType::get(tile.getShape(), tile.getElementType(), *form))
        return stage.getResult();
  return stageInFront(loop, dot.getLoc(), left, *form, /*early=*/true);
}

SmallVector<Value> tileas::rightsToShare(scf::ForOp loop, const target::GpuTarget &gpu) {
  llvm::SetVector<Value> rights;
  if (!gpu.has(target::Feature::Wgmma))
    return {};
  for (auto dot : loop.getBody()->getOps<DotOp>()) {
    Value right = throughConversions(dot.getRhs());
    std::optional<int64_t> elementBytes = elementBytesOf(dot, gpu);
    if (elementBytes && isMadeOutside(right, loop) &&
        warpgroupStaging(cast<RankedTensorType>(right.getType()), *elementBytes))
      rights.insert(right);
  }
  return rights.takeVector();
}

Value tileas::shareRight(DotOp dot, int64_t elementBytes) {
  auto loop = cast<scf::ForOp>(dot->getParentOp());
  Value right = throughConversions(dot.getRhs());
  if (TILESMITH_PLANT("shared-right-of-first-tile"))
    for (auto stage : loop->getBlock()->getOps<TensorMemoryStageOp>())
      if (cast<RankedTensorType>(stage.getResult().getType()).getShape() ==
          cast<RankedTensorType>(right.getType()).getShape())
        return stage.getResult();
  return stageInFront(loop, dot.getLoc(), right,
                      *warpgroupStaging(cast<RankedTensorType>(right.getType()), elementBytes),
                      /*early=*/false);
}
