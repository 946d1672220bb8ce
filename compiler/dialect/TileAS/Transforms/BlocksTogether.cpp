//===- BlocksTogether.cpp - what a block may take that shares a multiprocessor ----------------===//
#include "compiler/dialect/TileAS/Transforms/BlocksTogether.h"

#include "compiler/dialect/TileAS/IR/SharedAccess.h"
#include "compiler/dialect/TileAS/IR/TensorBox.h"
#include "compiler/dialect/TileAS/IR/TileAS.h"
#include "compiler/dialect/TileAS/IR/WarpgroupAtom.h"

#include "compiler/support/LinearLayout.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas;

/// Shared memory that a multiprocessor keeps of each block, beside what the block asks for.
static constexpr int64_t kBytesBesideBlock = 1024;
/// Registers that ptxas wants for a warpgroup product beside its sums: it named 90 for sums of 64 and 38 for
/// sums of 4; and for the code around the smallest ones.
static constexpr int64_t kRegistersBesideSums = 36, kFewestRegisters = 64;

int64_t tileas::blocksTogether(tileaa::FuncOp function) {
  auto spec = function->getAttrOfType<tileaa::KernelSpecAttr>(tileaa::TileAADialect::kKernelSpec);
  return spec ? std::max<int64_t>(spec.getOccupancy(), 1) : 1;
}

void tileas::setBlocksTogether(tileaa::FuncOp function, int64_t blocks) {
  auto spec = function->getAttrOfType<tileaa::KernelSpecAttr>(tileaa::TileAADialect::kKernelSpec);
  function->setAttr(tileaa::TileAADialect::kKernelSpec,
                    tileaa::KernelSpecAttr::get(function.getContext(), spec.getNumWarps(),
                                                spec.getNumCTAs(), spec.getClusterDimX(),
                                                spec.getClusterDimY(), spec.getClusterDimZ(),
                                                blocks));
}

int64_t tileas::sharedBytesOfBlock(const target::GpuTarget &gpu, int64_t blocks) {
  return (gpu.maxSharedBytes + kBytesBesideBlock) / blocks / 128 * 128 - kBytesBesideBlock;
}

static int64_t bytesOf(TypeRange types) {
  int64_t bytes = 0;
  for (Type type : types)
    if (auto tile = dyn_cast<RankedTensorType>(type); tile && tile.getElementType().isIntOrFloat())
      bytes += tile.getNumElements() * bufferElementBytes(tile.getElementType());
  return bytes;
}

/// What a conversion moves between threads, in all its rounds.
static int64_t wholeExchange(Operation *op) {
  auto convert = dyn_cast_or_null<ConvertLayoutOp>(op);
  if (!convert)
    return 0;
  ConversionKind kind = classifyConversion(getLayout(convert.getSource().getType()).toLinear(),
                                           getLayout(convert.getResult().getType()).toLinear());
  return kind == ConversionKind::Identical || kind == ConversionKind::RegisterPermutation
             ? 0
             : bytesOf(op->getResultTypes());
}

bool tileas::exchangesInRounds(Operation *op) {
  return wholeExchange(op) > kBytesExchangedAtOnce;
}

int64_t tileas::exchangedBytes(Operation *op) {
  if (isMemoryEffectFree(op) && !isa<TileASDialect>(op->getDialect()))
    return 0;
  if (isa<ConvertLayoutOp>(op))
    return std::min(wholeExchange(op), kBytesExchangedAtOnce);
  auto reduce = dyn_cast<ReduceOp>(op);
  if (!reduce)
    return std::max(bytesOf(op->getOperandTypes()), bytesOf(op->getResultTypes()));
  // Each warp that holds a part of a row writes what it got for it.
  LayoutAttr layout = getLayout(op->getOperand(0).getType());
  int64_t stride = 1, warps = 1;
  for (int64_t extent : layout.getShape().drop_front(reduce.getAxis() + 1))
    stride *= extent;
  for (int64_t basis : layout.getWarps())
    if (basis / stride % layout.getShape()[reduce.getAxis()])
      warps *= 2;
  return warps == 1 ? 0 : warps * bytesOf(op->getResultTypes());
}

int64_t tileas::leastRegisters(tileaa::FuncOp function) {
  int64_t most = 0;
  if (!tileaa::getTarget(function->getParentOfType<ModuleOp>()).has(target::Feature::Wgmma))
    return 0;
  function->walk([&](DotOp dot) {
    auto lhs = cast<RankedTensorType>(dot.getLhs().getType()),
         acc = cast<RankedTensorType>(dot.getAcc().getType());
    if (acc.getRank() != 2 || !dot.getAtom() ||
        !findWarpgroupAtom(lhs.getElementType(), acc.getElementType(), dot.getSignedLhs(),
                           dot.getSignedRhs()))
      return;
    unsigned warps = 1u << getLayout(acc).getWarps().size();
    if (auto shape = warpgroupShape(acc.getDimSize(0), acc.getDimSize(1), warps))
      most =
          std::max({most, kFewestRegisters, 64 * shape->instructionN / 128 + kRegistersBesideSums});
  });
  return most;
}
