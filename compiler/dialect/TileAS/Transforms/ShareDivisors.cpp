//===- ShareDivisors.cpp - tileas-share-divisors ----------------------------------------------===//
//
// Notes `nv_tileas.divisor_bits` on divisions of which a thread divides several elements by one
// number. The emitter then works out once per number what the division needs of it.
//
// A divisor is followed back to the splat or broadcast that made it: what is known is along which
// dimensions it does not change, and those register bits of the layout count that move along no
// other. Operations element by element keep what all their operands keep.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/dialect/TileAS/IR/TileAS.h"
#include "compiler/dialect/TileAS/Transforms/Passes.h"
#include "compiler/support/Plants.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas;

namespace tilesmith::tileas {
#define GEN_PASS_DEF_SHAREDIVISORSPASS
#include "compiler/dialect/TileAS/Transforms/Passes.h.inc"
} // namespace tilesmith::tileas

namespace {

/// Elements that one number must divide: the test of the others costs about as much as two
/// divisions of floats, the reciprocal of an integer as much as one.
constexpr int64_t kFewestFloats = 8, kFewestIntegers = 4;
/// Numbers of a thread whose floats are divided in a loop of their own each, where exponents are far out.
constexpr int64_t kMostFloatDivisors = 4;
/// Tiles with more registers than that are loops over local memory.
constexpr int64_t kMostRegisters = 128;
/// Operations that are followed from a divisor.
constexpr unsigned kDeepest = 8;

bool isElementwise(Operation *op) {
  if (isa<tileaa::AddFOp, tileaa::SubFOp, tileaa::MulFOp, tileaa::DivFOp, tileaa::FmaOp,
          tileaa::SqrtOp, tileaa::FpToFpOp>(op))
    return true;
  return isa<arith::ArithDialect, math::MathDialect>(op->getDialect()) && op->getNumOperands() &&
         llvm::all_of(op->getOperands(),
                      [](Value operand) { return isa<RankedTensorType>(operand.getType()); });
}

/// The dimensions along which the elements of a tile are the same.
llvm::SmallBitVector constantDims(Value value, unsigned depth = 0) {
  auto type = cast<RankedTensorType>(value.getType());
  llvm::SmallBitVector dims(type.getRank());
  for (auto [dim, extent] : llvm::enumerate(type.getShape()))
    dims[dim] = extent == 1;
  Operation *op = value.getDefiningOp();
  if (!op || depth == kDeepest)
    return dims;
  DenseElementsAttr constant;
  if (isa<tileaa::SplatOp>(op) ||
      (matchPattern(value, m_Constant(&constant)) && constant.isSplat()))
    return dims.set();
  if (auto convert = dyn_cast<ConvertLayoutOp>(op))
    return constantDims(convert.getSource(), depth + 1);
  if (isa<PermuteOp>(op) && TILESMITH_PLANT("divisor-through-permute"))
    return constantDims(op->getOperand(0), depth + 1);
  if (auto broadcast = dyn_cast<BroadcastOp>(op)) {
    if (TILESMITH_PLANT("divisor-of-broadcast-any"))
      return dims.set();
    return constantDims(broadcast.getSource(), depth + 1);
  }
  if (!isElementwise(op))
    return dims;
  dims.set();
  for (Value operand : op->getOperands()) {
    dims &= constantDims(operand, depth + 1);
    if (TILESMITH_PLANT("divisor-of-first-operand"))
      break;
  }
  return dims;
}

/// The register bits of `layout` that move along `dims` only.
int64_t bitsAlong(LayoutAttr layout, const llvm::SmallBitVector &dims) {
  ArrayRef<int64_t> shape = layout.getShape();
  int64_t bits = 0;
  for (auto [bit, basis] : llvm::enumerate(layout.getRegisters())) {
    bool along = true;
    int64_t rest = basis;
    for (int64_t dim = static_cast<int64_t>(shape.size()) - 1; dim >= 0; --dim) {
      along &= rest % shape[dim] == 0 || dims[dim];
      rest /= shape[dim];
    }
    bits |= int64_t(along) << bit;
  }
  return bits;
}

/// A power of two, or any constant of integers: LLVM has shorter code for it.
bool isCheap(Value divisor) {
  if (auto splat = divisor.getDefiningOp<tileaa::SplatOp>())
    divisor = splat->getOperand(0);
  Attribute constant;
  if (!matchPattern(divisor, m_Constant(&constant)))
    return false;
  if (auto dense = dyn_cast<SplatElementsAttr>(constant))
    constant = dense.getSplatValue<Attribute>();
  auto real = dyn_cast<FloatAttr>(constant);
  return !real || real.getValue().getExactInverse(nullptr);
}

struct ShareDivisors : tilesmith::tileas::impl::ShareDivisorsPassBase<ShareDivisors> {
  using ShareDivisorsPassBase::ShareDivisorsPassBase;
  void runOnOperation() override {
    getOperation()->walk([&](Operation *op) {
      if (!canShareDivisor(op) || isCheap(op->getOperand(1)))
        return;
      LayoutAttr layout = getLayout(op->getResult(0).getType());
      const int64_t bits = bitsAlong(layout, constantDims(op->getOperand(1)));
      const int64_t registers = layout.getNumRegisters(),
                    shared = int64_t(1) << llvm::popcount(uint64_t(bits));
      const bool real = isa<tileaa::DivFOp>(op);
      if (registers > kMostRegisters || shared < (real ? kFewestFloats : kFewestIntegers) ||
          (real && registers / shared > kMostFloatDivisors))
        return;
      annotations(op).getDivisorBitsAttrHelper().setAttr(
          op, IntegerAttr::get(IntegerType::get(op->getContext(), 64), bits));
      if (remarks)
        op->emitRemark() << "one reciprocal for each " << shared << " of the " << registers
                         << " elements that a thread divides";
    });
  }
};

} // namespace
