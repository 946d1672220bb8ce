//===- ScaledProducts.cpp - operands of products that are scaled by blocks --------------------===//
#include "compiler/dialect/TileAS/Transforms/ScaledProducts.h"

#include "compiler/dialect/TileAA/IR/TileAA.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas;

namespace {

/// Walks from users to what they use.
class Walk {
public:
  Walk(Value value, SmallVector<Operation *> &chain) : chain(chain), at(value) { skipLayouts(); }

  /// Steps over an operation of this kind to its operand.
  template <typename Op> bool step(unsigned operand = 0) {
    Operation *op = at.getDefiningOp<Op>();
    if (!op)
      return false;
    take(op, operand);
    skipLayouts();
    return true;
  }
  Value value() const { return at; }

private:
  void take(Operation *op, unsigned operand) {
    if (!llvm::is_contained(chain, op))
      chain.push_back(op);
    at = op->getOperand(operand);
  }
  void skipLayouts() {
    while (auto convert = at.getDefiningOp<ConvertLayoutOp>())
      take(convert, 0);
  }

  SmallVector<Operation *> &chain;
  Value at;
};

bool swapsDims(Value permuted) {
  auto permute = permuted.getDefiningOp<PermuteOp>();
  return permute && permute.getPermutation() == ArrayRef<int32_t>{1, 0};
}

/// Steps over the bytes that elements of four bits were loaded as (tileaa-load-half-bytes): those of a
/// dimension other than the last are taken apart transposed. False where something else stands there.
bool stepPacked(Walk &data, bool &isPacked) {
  const bool isTurned = swapsDims(data.value());
  if (isTurned)
    data.step<PermuteOp>();
  isPacked = data.step<ReinterpretOp>();
  if (!isTurned)
    return true;
  const bool turnsBack = isPacked && swapsDims(data.value());
  return turnsBack && data.step<PermuteOp>();
}

std::optional<ScaledOperand> scaledOperand(Value operand, unsigned blockDim,
                                           SmallVector<Operation *> &chain) {
  Walk data(operand, chain);
  data.step<tileaa::FpToFpOp>(); // to tf32
  Walk scales(data.value(), chain);
  if (!data.step<tileaa::MulFOp>(0) || !data.step<tileaa::FpToFpOp>())
    return std::nullopt;
  if (!scales.step<tileaa::MulFOp>(1) || !scales.step<ViewOp>() || !scales.step<BroadcastOp>() ||
      !scales.step<ViewOp>() || !scales.step<tileaa::FpToFpOp>())
    return std::nullopt;
  const Value turned = scales.value();
  if (scales.step<PermuteOp>())
    blockDim = 1 - blockDim;
  bool isPacked = false;
  if (!stepPacked(data, isPacked))
    return std::nullopt;
  return ScaledOperand{data.value(), scales.value(), blockDim, turned, isPacked};
}

RankedTensorType typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

} // namespace

std::optional<ScaledOperands> tileas::scaledOperands(DotOp dot) {
  if (!annotations(dot).getBlockScaledAttrHelper().isAttrPresent(dot) ||
      typeOf(dot.getAcc()).getRank() != 2)
    return std::nullopt;
  ScaledOperands operands;
  auto lhs = scaledOperand(dot.getLhs(), 1, operands.chain),
       rhs = scaledOperand(dot.getRhs(), 0, operands.chain);
  if (!lhs || !rhs)
    return std::nullopt;
  operands.lhs = *lhs;
  operands.rhs = *rhs;
  return operands;
}

const TensorCoreAtom *tileas::scaledAtom(DotOp dot, const ScaledOperands &operands,
                                         unsigned numWarps) {
  RankedTensorType lhs = typeOf(operands.lhs.data), rhs = typeOf(operands.rhs.data),
                   acc = typeOf(dot.getAcc());
  int64_t m = acc.getDimSize(0), n = acc.getDimSize(1), k = lhs.getDimSize(1);
  RankedTensorType scales = typeOf(operands.lhs.scales), others = typeOf(operands.rhs.scales);
  const int64_t blocks = scales.getDimSize(operands.lhs.blockDim);
  if (lhs.getElementType() != rhs.getElementType() || !acc.getElementType().isF32() ||
      operands.lhs.isPacked != operands.rhs.isPacked ||
      operands.lhs.isPacked != lhs.getElementType().isInteger(8) ||
      rhs.getShape() != ArrayRef<int64_t>{k, n} || m % kTensorMemoryLanes ||
      n % 32 || !tensorMemoryShape(m, n, numWarps) ||
      scales.getElementType() != others.getElementType() ||
      others.getDimSize(operands.rhs.blockDim) != blocks)
    return nullptr;
  const TensorCoreAtom *atom =
      findScaledAtom(lhs.getElementType(), scales.getElementType(), k / blocks);
  return atom && k % atom->scaleWord() == 0 ? atom : nullptr;
}
