//===- AssignDotLayouts.cpp - tileas-assign-dot-layouts ---------------------------------------===//
//
// Gives every rank-2 dot whose types and extents a tensor-core instruction covers the fragment
// layouts of that instruction: operands are converted before, the result after, and the dot names
// its `atom`. An f16 accumulator is widened to f32 around the product and rounded once. All other
// dots keep the generic path.
//
// The per-thread lowering relies on: a dot with an atom has exactly the layouts of
// `fragmentLayout`.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/dialect/TileAS/IR/MmaAtom.h"
#include "compiler/dialect/TileAS/IR/TensorBox.h"
#include "compiler/dialect/TileAS/IR/TileAS.h"
#include "compiler/dialect/TileAS/Transforms/Passes.h"
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

Value convertElements(OpBuilder &builder, Location loc, Value value, Type element) {
  auto type = cast<RankedTensorType>(value.getType());
  auto result = RankedTensorType::get(type.getShape(), element, type.getEncoding());
  return tileaa::FpToFpOp::create(builder, loc, result, value, tileaa::RoundingMode::nearest_even);
}

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

/// Whether the product is on tensor cores now and was not before.
bool assignDot(DotOp dot, const target::GpuTarget &gpu) {
  auto lhsType = cast<RankedTensorType>(dot.getLhs().getType());
  auto rhsType = cast<RankedTensorType>(dot.getRhs().getType());
  auto accType = cast<RankedTensorType>(dot.getAcc().getType());
  if (dot.getAtom() || accType.getRank() != 2 ||
      lhsType.getElementType() != rhsType.getElementType())
    return false;
  OpBuilder builder(dot);
  Type accElement = accType.getElementType();
  bool widen = accElement.isF16();
  const MmaAtom *atom =
      findMmaAtom(lhsType.getElementType(), widen ? builder.getF32Type() : accElement,
                  dot.getSignedLhs(), dot.getSignedRhs());
  int64_t m = accType.getDimSize(0), n = accType.getDimSize(1), k = lhsType.getDimSize(1);
  bool supported = atom && (gpu.has(atom->feature) || TILESMITH_PLANT("mma-f8-on-every-chip"));
  if (!supported || m < atom->m || n < atom->n || k < atom->k || k > atom->deepest)
    return false;
  unsigned numWarps = 1u << getLayout(accType).getWarps().size();
  MLIRContext *context = dot.getContext();
  bool wholeRows = m >= atom->m * numWarps && wantsWholeRows(dot, numWarps, gpu);
  auto layoutOf = [&](DotOperand operand) {
    return fragmentLayout(context, *atom, operand, m, n, k, numWarps, wholeRows);
  };
  LayoutAttr lhsLayout = layoutOf(DotOperand::Lhs), rhsLayout = layoutOf(DotOperand::Rhs),
             accLayout = layoutOf(DotOperand::Acc);
  for (auto [layout, type] :
       {std::pair(lhsLayout, lhsType), {rhsLayout, rhsType}, {accLayout, accType}}) {
    int64_t registers = layout.getNumRegisters();
    if (registers > kMaxFragment &&
        registers * bufferElementBytes(type.getElementType()) > 4 * kMaxFragment)
      return false;
  }

  Location loc = dot.getLoc();
  Value lhs = convert(builder, loc, dot.getLhs(), lhsLayout),
        rhs = convert(builder, loc, dot.getRhs(), rhsLayout);
  Value acc = convert(builder, loc, dot.getAcc(), accLayout);
  if (widen)
    acc = convertElements(builder, loc, acc, builder.getF32Type());
  auto created =
      DotOp::create(builder, loc, acc.getType(), lhs, rhs, acc, dot.getSignedLhs(),
                    dot.getSignedRhs(), builder.getStringAttr(atom->name), dot.getFastAcc());
  if (annotations(dot).getBlockScaledAttrHelper().isAttrPresent(dot))
    annotations(created).getBlockScaledAttrHelper().setAttr(created, builder.getUnitAttr());
  Value result = created.getResult();
  if (widen)
    result = convertElements(builder, loc, result, accElement);
  dot.getResult().replaceAllUsesWith(convert(builder, loc, result, getLayout(accType)));
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
