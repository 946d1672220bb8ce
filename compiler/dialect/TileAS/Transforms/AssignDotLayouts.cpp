//===- AssignDotLayouts.cpp - tileas-assign-dot-layouts ---------------------------------------===//
//
// Gives every dot whose types and extents a tensor-core instruction covers the fragment
// layouts of that instruction, also one of several batches that tileas-plan-rows has left as it is: operands
// are converted before, the result after, and the dot names
// its `atom`. Where the chip multiplies narrow floats and the scales of their blocks as they are, a
// block-scaled product takes both. An f16 accumulator is widened to f32 around the product and rounded once. All other
// dots keep the generic path.
//
// The per-thread lowering relies on: a dot with an atom has exactly the layouts of
// `fragmentLayout`, of rank 3 those of `batchedFragmentLayout`.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/dialect/TileAA/IR/HalfSum.h"
#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/dialect/TileAS/IR/MmaAtom.h"
#include "compiler/dialect/TileAS/IR/TensorBox.h"
#include "compiler/dialect/TileAS/IR/TileAS.h"
#include "compiler/dialect/TileAS/Transforms/Passes.h"
#include "compiler/dialect/TileAS/Transforms/ScaledProducts.h"
#include "compiler/support/Plants.h"
#include "compiler/target/Targets.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas;

namespace tilesmith::tileas {
#define GEN_PASS_DEF_ASSIGNDOTLAYOUTSPASS
#include "compiler/dialect/TileAS/Transforms/Passes.h.inc"
} // namespace tilesmith::tileas

namespace {

/// Elements or words of one fragment operand that still make sense to keep per thread; larger
/// products stay generic.
constexpr int64_t kMaxFragment = 256;

Value convert(OpBuilder &builder, Location loc, Value value, LayoutAttr layout) {
  auto type = withLayout(cast<RankedTensorType>(value.getType()), layout);
  return value.getType() == type ? value
                                 : ConvertLayoutOp::create(builder, loc, type, value).getResult();
}

/// What a product is added to, and the result. A sum that the source program keeps in f16 is widened to
/// f32 in front of the product and rounded behind it; tensor cores add products of f16 to it as it is.
/// Where the source program itself widens and rounds, it wants the better sum.
struct Sum {
  Value before, after;

  explicit Sum(DotOp dot) : before(dot.getAcc()), after(dot.getResult()) {
    auto widened = before.getDefiningOp<tileaa::FpToFpOp>();
    auto rounded = after.hasOneUse() ? dyn_cast<tileaa::FpToFpOp>(*after.getUsers().begin())
                                     : tileaa::FpToFpOp();
    bool isHalf = tileaa::hasHalfSum(dot) || TILESMITH_PLANT("half-sum-unasked");
    if (!isHalf || !elementOf(dot.getLhs()).isF16() || !widened || !rounded ||
        !elementOf(widened.getSource()).isF16() || !elementOf(rounded.getResult()).isF16())
      return;
    before = widened.getSource();
    after = rounded.getResult();
  }
  RankedTensorType type() const { return cast<RankedTensorType>(before.getType()); }

private:
  static Type elementOf(Value value) {
    return cast<RankedTensorType>(value.getType()).getElementType();
  }
};

/// Words of the sums of one loop that leave room for right operands of whole rows; where warps of
/// their own copy, the others have fewer registers.
constexpr int64_t kMaxWholeRowWords = 160, kMaxWholeRowWordsBeside = 96;

/// The block computes the left operand of the product from the sums of another.
bool multipliesSums(DotOp dot) {
  llvm::SetVector<Operation *> seen;
  SmallVector<Value> work{dot.getLhs()};
  while (!work.empty()) {
    Operation *op = work.pop_back_val().getDefiningOp();
    if (!op || op->getBlock() != dot->getBlock() || !seen.insert(op))
      continue;
    if (isa<DotOp>(op))
      return true;
    work.append(op->operand_begin(), op->operand_end());
  }
  return false;
}

/// The loop around the product reduces rows, or multiplies sums: a warp that holds whole rows reduces them
/// alone, and a sum becomes the left operand of the next product where it is. Each warp reads the whole
/// right operand then, so the sums must leave it registers.
bool wantsWholeRows(DotOp dot, int64_t numWarps, const target::GpuTarget &gpu) {
  auto loop = dot->getParentOfType<scf::ForOp>();
  if (!loop)
    return false;
  bool wantsRows = false;
  int64_t words = 0;
  loop->walk([&](Operation *op) {
    if (auto reduce = dyn_cast<ReduceOp>(op)) {
      auto type = cast<RankedTensorType>(reduce.getOperands()[0].getType());
      wantsRows |= type.getRank() == 2 && reduce.getAxis() == 1;
    } else if (auto product = dyn_cast<DotOp>(op)) {
      auto type = cast<RankedTensorType>(product.getResult().getType());
      words += type.getNumElements() * bufferElementBytes(type.getElementType()) / 4;
      wantsRows |= multipliesSums(product);
    }
  });
  int64_t limit =
      gpu.has(target::Feature::TensorCopy) ? kMaxWholeRowWordsBeside : kMaxWholeRowWords;
  return wantsRows && words <= limit * 32 * numWarps;
}

RankedTensorType typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

/// What tensor cores multiply: the operands of the product, or, where they have been multiplied by scales of
/// blocks (ScaledProducts.h) and the chip takes these as they are, the operands before and the scales.
struct Factors {
  Value lhs, rhs;
  SmallVector<Value, 2> scales;
  const MmaAtom *atom = nullptr;

  Factors(DotOp dot, Type sum, const target::GpuTarget &gpu)
      : lhs(dot.getLhs()), rhs(dot.getRhs()) {
    if (gpu.has(target::Feature::MmaSyncBlockScale) && takeScaled(dot))
      return;
    if (typeOf(lhs).getElementType() == typeOf(rhs).getElementType())
      atom = findMmaAtom(typeOf(lhs).getElementType(), sum, dot.getSignedLhs(), dot.getSignedRhs());
  }

private:
  bool takeScaled(DotOp dot) {
    std::optional<ScaledOperands> operands = scaledOperands(dot);
    if (!operands || operands->lhs.isPacked != operands->rhs.isPacked)
      return false;
    const Value left = operands->lhs.turnedScales, right = operands->rhs.turnedScales;
    RankedTensorType held = typeOf(operands->lhs.data), other = typeOf(operands->rhs.data);
    const int64_t depth = held.getDimSize(1), columns = typeOf(dot.getAcc()).getDimSize(1);
    // Bytes may hold two neighbours along N, too.
    if (other.getShape() != ArrayRef<int64_t>{depth, columns} ||
        held.getElementType() != other.getElementType() ||
        typeOf(left).getElementType() != typeOf(right).getElementType() ||
        operands->lhs.isPacked != held.getElementType().isInteger(8))
      return false;
    const MmaAtom *scaled = findScaledMmaAtom(held.getElementType(), typeOf(left).getElementType(),
                                              depth / typeOf(left).getDimSize(1));
    if (!scaled || depth < scaled->k)
      return false;
    atom = scaled;
    lhs = operands->lhs.data;
    rhs = operands->rhs.data;
    scales = {left, right};
    return true;
  }
};

/// Whether the product is on tensor cores now and was not before.
bool assignDot(DotOp dot, const target::GpuTarget &gpu) {
  const Sum sum(dot);
  RankedTensorType accType = sum.type();
  const int64_t rank = accType.getRank();
  if (dot.getAtom() || rank > 3)
    return false;
  OpBuilder builder(dot);
  const Factors factors(dot, accType.getElementType(), gpu);
  const MmaAtom *atom = factors.atom;
  RankedTensorType lhsType = typeOf(factors.lhs), rhsType = typeOf(factors.rhs);
  int64_t m = accType.getDimSize(rank - 2), n = accType.getDimSize(rank - 1),
          k = lhsType.getDimSize(rank - 1);
  bool supported = atom && (gpu.has(atom->feature) || TILESMITH_PLANT("mma-f8-on-every-chip"));
  if (!supported || m < atom->m || n < atom->n || k < atom->k || k > atom->deepest)
    return false;
  unsigned numWarps = 1u << getLayout(accType).getWarps().size();
  MLIRContext *context = dot.getContext();
  bool wholeRows = rank == 2 && m >= atom->m * numWarps && wantsWholeRows(dot, numWarps, gpu);
  auto layoutOf = [&](DotOperand operand) {
    return rank == 3 ? batchedFragmentLayout(context, *atom, operand, accType.getDimSize(0), m, n,
                                             k, numWarps)
                     : fragmentLayout(context, *atom, operand, m, n, k, numWarps, wholeRows);
  };
  LayoutAttr lhsLayout = layoutOf(DotOperand::Lhs), rhsLayout = layoutOf(DotOperand::Rhs),
             accLayout = layoutOf(DotOperand::Acc);
  for (auto [layout, type] :
       {std::pair(lhsLayout, lhsType), {rhsLayout, rhsType}, {accLayout, accType}}) {
    if (!layout)
      return false;
    int64_t registers = layout.getNumRegisters();
    if (registers > kMaxFragment &&
        registers * bufferElementBytes(type.getElementType()) > 4 * kMaxFragment)
      return false;
  }

  Location loc = dot.getLoc();
  Value lhs = convert(builder, loc, factors.lhs, lhsLayout),
        rhs = convert(builder, loc, factors.rhs, rhsLayout);
  Value acc = convert(builder, loc, sum.before, accLayout);
  SmallVector<Value, 2> scales;
  if (atom->isScaled())
    scales = {convert(builder, loc, factors.scales[0],
                      scaleFragmentLayout(*atom, DotOperand::Lhs, lhsLayout)),
              convert(builder, loc, factors.scales[1],
                      scaleFragmentLayout(*atom, DotOperand::Rhs, rhsLayout))};
  auto created = DotOp::create(builder, loc, acc.getType(), lhs, rhs, acc, dot.getSignedLhs(),
                               dot.getSignedRhs(), builder.getStringAttr(atom->name),
                               dot.getFastAcc(), /*from_zero=*/false, scales);
  if (annotations(dot).getBlockScaledAttrHelper().isAttrPresent(dot))
    annotations(created).getBlockScaledAttrHelper().setAttr(created, builder.getUnitAttr());
  Value after = sum.after;
  after.replaceAllUsesWith(convert(builder, loc, created.getResult(), getLayout(accType)));
  if (after != dot.getResult())
    after.getDefiningOp()->erase();
  dot.erase();
  return true;
}

struct AssignDotLayouts : tileas::impl::AssignDotLayoutsPassBase<AssignDotLayouts> {
  void runOnOperation() override {
    SmallVector<DotOp> dots;
    getOperation()->walk([&](DotOp dot) { dots.push_back(dot); });
    const target::GpuTarget &gpu = tileaa::getTarget(getOperation());
    for (DotOp dot : dots)
      assignDot(dot, gpu);
  }
};

} // namespace
