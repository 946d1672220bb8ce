//===- InferFacts.cpp - tileaa-infer-facts ----------------------------------------------------===//
//
// One walk in program order: an op's facts follow from its operands' facts; loop-carried values are
// unknown, so no fixed point is needed. A known constant is never overridden by a promise. Results
// never change, only the attribute `nv_tileaa.facts` appears.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/dialect/TileAA/Transforms/Canonicalizers.h"
#include "compiler/dialect/TileAA/Transforms/Facts.h"
#include "compiler/dialect/TileAA/Transforms/Passes.h"
#include "compiler/support/Plants.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;

namespace tilesmith::tileaa {
#define GEN_PASS_DEF_INFERFACTSPASS
#include "compiler/dialect/TileAA/Transforms/Passes.h.inc"

namespace {

/// Largest grid extent of a launch.
constexpr int64_t kMaxGrid = (1 << 24) - 1;

int64_t lastExtent(Type type) {
  auto tensor = llvm::dyn_cast<RankedTensorType>(type);
  return tensor && tensor.getRank() ? tensor.getShape().back() : 1;
}

unsigned widthOf(Type type) {
  Type element = getElementTypeOrSelf(type);
  return element.isInteger() ? element.getIntOrFloatBitWidth() : 64;
}

/// Bytes of one pointee; sub-byte types count one.
int64_t bytesOf(PtrType type) {
  Type pointee = type.getPointee();
  unsigned bits = llvm::isa<FloatTF32Type>(pointee) ? 32 : pointee.getIntOrFloatBitWidth();
  return std::max<int64_t>(1, bits / 8);
}

class Inference {
public:
  void run(Operation *root) {
    root->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (auto loop = llvm::dyn_cast<scf::ForOp>(op))
        enterLoop(loop);
      if (op->getNumResults() == 1 && isTracked(op->getResult(0).getType()))
        record(op->getResult(0), transfer(op));
    });
  }

  /// Values of which something is known.

private:
  static bool isTracked(Type type) {
    Type element = getElementTypeOrSelf(type);
    return element.isInteger() || llvm::isa<PtrType, MemRefType>(element);
  }

  Facts get(Value value) const { return known.lookup(value); }

  /// Runs of at most half of what a type counts: numbers wrap and change their sign between them only.
  static Facts withinSign(Facts facts, unsigned width) {
    if (width > 32 || facts.contiguity <= int64_t(1) << (width - 1))
      return facts;
    const int64_t constancy = facts.constancy;
    facts = withinGroups(facts, int64_t(1) << (width - 1));
    facts.constancy = constancy;
    return facts;
  }

  void record(Value value, const Facts &found) {
    const Facts facts = withinSign(found, widthOf(value.getType()));
    if (facts.isTrivial())
      return;
    known[value] = facts;
    Operation *op = value.getDefiningOp();
    op->setAttr(kFactsAttr,
                ArrayAttr::get(op->getContext(), {toAttribute(op->getContext(), facts)}));
  }

  /// lb <= iv < ub, and iv is lb plus a multiple of the step.
  void enterLoop(scf::ForOp loop) {
    Facts lower = get(loop.getLowerBound()), upper = get(loop.getUpperBound()),
          step = get(loop.getStep()), iv;
    iv.divisor = TILESMITH_PLANT("facts-loop-start-ignored")
                     ? step.divisor
                     : std::min(lower.divisor, step.divisor);
    if (!loop.getUnsignedCmp() || TILESMITH_PLANT("facts-unsigned-loop-bounds")) {
      iv.lower = lower.lower;
      if (upper.upper && *upper.upper > INT64_MIN)
        iv.upper = *upper.upper -
                   (TILESMITH_PLANT("facts-loop-ends-step-before") ? step.lower.value_or(1) : 1);
    }
    known[loop.getInductionVar()] = iv;
    if (TILESMITH_PLANT("facts-carried-as-at-start"))
      for (auto [argument, init] : llvm::zip_equal(loop.getRegionIterArgs(), loop.getInitArgs()))
        known[argument] = get(init);
  }

  Facts transfer(Operation *op) {
    if (auto constant = llvm::dyn_cast<arith::ConstantOp>(op))
      return transferConstant(constant);
    if (auto assume = llvm::dyn_cast<AssumeOp>(op))
      return transferAssume(assume);
    if (std::optional<Facts> shaped = transferShape(op))
      return *shaped;
    if (llvm::isa<GetProgramIdOp, GetNumProgramsOp>(op)) {
      Facts facts;
      facts.lower = llvm::isa<GetNumProgramsOp>(op) ? 1 : 0;
      facts.upper = llvm::isa<GetNumProgramsOp>(op) ? kMaxGrid : kMaxGrid - 1;
      return facts;
    }
    if (auto memref = llvm::dyn_cast<MakeMemRefOp>(op))
      return memref.getOffset() ? Facts() : get(memref.getBase());
    if (auto size = llvm::dyn_cast<GetDimSizeOp>(op))
      return transferDimSize(size);
    if (auto add = llvm::dyn_cast<AddPtrOp>(op))
      return transferAddPtr(add);
    return transferArith(op);
  }

  Facts transferConstant(arith::ConstantOp op) {
    if (auto value = llvm::dyn_cast<IntegerAttr>(op.getValue()))
      return constantFacts(value.getValue().sextOrTrunc(64).getSExtValue());
    auto dense = llvm::dyn_cast<DenseElementsAttr>(op.getValue());
    if (!dense || !dense.getElementType().isInteger() || dense.empty())
      return {};
    std::optional<Facts> all;
    for (const APInt &value : dense.getValues<APInt>()) {
      Facts one = constantFacts(value.sextOrTrunc(64).getSExtValue());
      all = all ? joinFacts(*all, one) : one;
    }
    if (dense.isSplat())
      all->constancy = lastExtent(op.getType());
    return *all;
  }

  Facts transferAssume(AssumeOp op) {
    Facts facts = get(op.getSource());
    if (getConstant(op.getSource()))
      return facts;
    for (Attribute attr : op.getPredicates()) {
      Facts promise;
      if (auto divBy = llvm::dyn_cast<DivByAttr>(attr)) {
        bool alongLast = !divBy.getAlong();
        if (auto tensor = llvm::dyn_cast<RankedTensorType>(op.getType()))
          alongLast = alongLast || *divBy.getAlong() == tensor.getRank() - 1 ||
                      TILESMITH_PLANT("facts-promise-along-any-dimension");
        if (!alongLast)
          continue;
        promise.divisor = std::min<uint64_t>(divBy.getDivisor(), Facts::kMaxDivisor);
        int64_t every = divBy.getEvery().value_or(1);
        promise.contiguity = llvm::isPowerOf2_64(every) ? every : 1;
        if (divBy.getEvery() && promise.contiguity == 1 &&
            !TILESMITH_PLANT("facts-promise-of-odd-groups"))
          continue;
      } else if (auto bounded = llvm::dyn_cast<BoundedAttr>(attr)) {
        promise.lower = bounded.getLower();
        promise.upper = bounded.getUpper();
      } else if (auto same = llvm::dyn_cast<SameElementsAttr>(attr)) {
        ArrayRef<int64_t> groups = same.getValues().asArrayRef();
        int64_t group = groups.empty()                                         ? 1
                        : TILESMITH_PLANT("facts-alike-along-first-dimension") ? groups.front()
                                                                               : groups.back();
        if (group > 1 && llvm::isPowerOf2_64(group))
          promise.constancy = group;
      }
      facts = meetFacts(facts, promise);
    }
    return facts;
  }

  /// Facts of every element of `facts`, whatever its neighbours.
  static Facts elementwise(Facts facts) {
    if (facts.contiguity > 1 && !TILESMITH_PLANT("facts-choice-keeps-divisor"))
      facts.divisor = 1;
    facts.contiguity = facts.constancy = 1;
    return facts;
  }

  std::optional<Facts> transferShape(Operation *op) {
    Type type = op->getResult(0).getType();
    if (auto splat = llvm::dyn_cast<SplatOp>(op)) {
      Facts facts = get(splat.getSource());
      facts.constancy = lastExtent(type);
      return facts;
    }
    if (auto range = llvm::dyn_cast<MakeRangeOp>(op)) {
      Facts facts = get(range.getStart()), end = get(range.getEnd());
      int64_t extent = lastExtent(type);
      // Elements are cut to the type; with a start that is a multiple of the extent no run wraps
      // inside.
      facts.contiguity =
          std::min<int64_t>(extent, std::min<uint64_t>(facts.divisor, uint64_t(1) << 30));
      if (!end.upper || !llvm::isIntN(widthOf(type), *end.upper))
        facts.lower = facts.upper = std::nullopt;
      else if (facts.lower)
        facts.upper = *end.upper - 1;
      return facts;
    }
    if (auto broadcast = llvm::dyn_cast<BroadcastOp>(op)) {
      Facts facts = get(broadcast.getSource());
      if ((lastExtent(broadcast.getSource().getType()) == 1 ||
           TILESMITH_PLANT("facts-broadcast-of-any-extent")) &&
          lastExtent(type) > 1) {
        facts = elementwise(facts);
        facts.constancy = lastExtent(type);
        if (TILESMITH_PLANT("facts-broadcast-keeps-runs"))
          facts.contiguity = lastExtent(type);
      }
      return facts;
    }
    if (llvm::isa<ExpandDimsOp, ViewOp>(op)) {
      // The order of the elements stays, so aligned groups do, up to the length of a line.
      return withinGroups(get(op->getOperand(0)), lastExtent(type));
    }
    if (llvm::isa<PermuteOp, ExtractOp, ExtractSliceOp>(op))
      return TILESMITH_PLANT("facts-permute-keeps-runs") ? get(op->getOperand(0))
                                                         : elementwise(get(op->getOperand(0)));
    return std::nullopt;
  }

  Facts transferDimSize(GetDimSizeOp op) {
    auto view = llvm::dyn_cast<TiledViewType>(op.getSource().getType());
    MemRefType memref = view ? view.getMemref() : llvm::cast<MemRefType>(op.getSource().getType());
    int64_t extent = memref.getShape()[op.getDim()];
    if (!ShapedType::isDynamic(extent))
      return constantFacts(extent);
    Value source = op.getSource();
    if (auto tile = source.getDefiningOp<BlockTileOp>())
      source = tile.getSource();
    Facts facts;
    if (auto make = source.getDefiningOp<MakeMemRefOp>()) {
      unsigned dynamic =
          llvm::count_if(memref.getShape().take_front(op.getDim()), ShapedType::isDynamic);
      facts = get(make.getSizes()[TILESMITH_PLANT("facts-extent-of-first-dynamic") ? 0 : dynamic]);
    }
    return facts;
  }

  /// Byte addresses: the offset counts pointees, runs count elements.
  Facts transferAddPtr(AddPtrOp op) {
    Facts base = get(op.getBase()), offset = shortenRuns(get(op.getOffset()));
    if (llvm::isa<RankedTensorType>(op.getType()) &&
        !llvm::isa<RankedTensorType>(op.getOffset().getType()))
      offset.constancy = lastExtent(op.getType());
    base.lower = base.upper = offset.lower = offset.upper = std::nullopt;
    Facts facts = addFacts(base, offset, 64);
    int64_t bytes = bytesOf(llvm::cast<PtrType>(getElementTypeOrSelf(op.getType())));
    uint64_t scale = uint64_t(1) << llvm::countr_zero(uint64_t(bytes));
    auto group = [&](const Facts &f, uint64_t unit) {
      uint64_t divisor = f.contiguity > facts.contiguity
                             ? std::min<uint64_t>(f.divisor, facts.contiguity * unit)
                             : f.divisor;
      return divisor;
    };
    uint64_t scaled = group(offset, 1);
    scaled = scaled > Facts::kMaxDivisor / scale ? Facts::kMaxDivisor : scaled * scale;
    uint64_t fromBase = group(base, scale);
    if (TILESMITH_PLANT("facts-base-divisor-scaled"))
      fromBase *= scale;
    facts.divisor = std::min(fromBase, scaled);
    return facts;
  }

  Facts transferArith(Operation *op) {
    unsigned width = widthOf(op->getResult(0).getType());
    auto operand = [&](unsigned i) { return get(op->getOperand(i)); };
    if (llvm::isa<arith::AddIOp>(op))
      return addFacts(operand(0), operand(1), width);
    if (llvm::isa<arith::SubIOp>(op))
      return subFacts(operand(0), operand(1), width);
    if (llvm::isa<arith::MulIOp>(op))
      return mulFacts(operand(0), operand(1), width);
    if (llvm::isa<arith::ShLIOp>(op))
      return mulFacts(operand(0), powerOf(operand(1), width), width);
    if (llvm::isa<arith::DivSIOp, arith::DivUIOp, arith::FloorDivSIOp>(op))
      return divFacts(operand(0), operand(1));
    if (llvm::isa<arith::CeilDivSIOp, arith::CeilDivUIOp>(op))
      return ceilDivFacts(operand(0), operand(1), width);
    if (llvm::isa<arith::RemSIOp, arith::RemUIOp>(op))
      return remFacts(operand(0), operand(1));
    if (llvm::isa<arith::SelectOp>(op) && TILESMITH_PLANT("facts-select-keeps-runs"))
      return joinFacts(operand(1), operand(2));
    if (llvm::isa<arith::SelectOp>(op))
      return joinFacts(elementwise(operand(1)), elementwise(operand(2)));
    if (llvm::isa<arith::MaxSIOp, arith::MinSIOp>(op) &&
        TILESMITH_PLANT("facts-minimum-keeps-runs"))
      return operand(0);
    if (llvm::isa<arith::MaxSIOp, arith::MinSIOp>(op))
      return transferMinMax(elementwise(operand(0)), elementwise(operand(1)),
                            llvm::isa<arith::MaxSIOp>(op));
    if (auto compare = llvm::dyn_cast<arith::CmpIOp>(op))
      return transferComparison(compare);
    if (llvm::isa<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(op))
      return equalGroups(operand(0), operand(1));
    if (llvm::isa<arith::ExtSIOp, arith::ExtUIOp>(op))
      return transferExtension(operand(0), llvm::isa<arith::ExtUIOp>(op));
    if (auto trunc = llvm::dyn_cast<arith::TruncIOp>(op)) {
      Facts facts = shortenRuns(operand(0));
      if (TILESMITH_PLANT("facts-truncation-keeps-bounds"))
        return facts;
      if (!facts.lower || !facts.upper || !llvm::isIntN(width, *facts.lower) ||
          !(llvm::isIntN(width, *facts.upper) ||
            (TILESMITH_PLANT("facts-truncation-fits-unsigned") &&
             llvm::isUIntN(width, static_cast<uint64_t>(*facts.upper)))))
        facts.lower = facts.upper = std::nullopt;
      return facts;
    }
    return {};
  }

  /// Of what is computed from both, only that it is the same where both are.
  static Facts equalGroups(const Facts &a, const Facts &b) {
    Facts facts;
    facts.constancy = std::min(a.constancy, b.constancy);
    return facts;
  }

  Facts transferComparison(arith::CmpIOp op) {
    using enum arith::CmpIPredicate;
    Facts lhs = get(op.getLhs()), rhs = get(op.getRhs());
    switch (op.getPredicate()) {
    case slt:
    case sge:
    case ult:
    case uge:
      return comparisonFacts(lhs, rhs);
    case sgt:
    case sle:
    case ugt:
    case ule:
      if (TILESMITH_PLANT("facts-inclusive-bound-as-exclusive"))
        return comparisonFacts(lhs, rhs);
      return comparisonFacts(rhs, lhs);
    default:
      return TILESMITH_PLANT("facts-equality-as-order") ? comparisonFacts(lhs, rhs)
                                                        : equalGroups(lhs, rhs);
    }
  }

  /// Two to the power of a constant shift.
  static Facts powerOf(const Facts &shift, unsigned width) {
    bool known = shift.lower && shift.lower == shift.upper && *shift.lower >= 0 &&
                 *shift.lower < std::min<int64_t>(width, 62);
    Facts power = known ? constantFacts(int64_t(1) << *shift.lower) : Facts();
    if (known && *shift.lower == int64_t(width) - 1) // the sign alone: as a number it is negative
      power.lower = power.upper = std::nullopt;
    power.constancy = shift.constancy;
    return power;
  }

  static Facts transferMinMax(const Facts &a, const Facts &b, bool max) {
    Facts facts = joinFacts(a, b);
    auto tighter = [&](std::optional<int64_t> x,
                       std::optional<int64_t> y) -> std::optional<int64_t> {
      if (!x || !y)
        return x ? x : y;
      return max ? std::max(*x, *y) : std::min(*x, *y);
    };
    if (max || TILESMITH_PLANT("facts-minimum-bounded-below"))
      facts.lower = tighter(a.lower, b.lower);
    if (!max)
      facts.upper = tighter(a.upper, b.upper);
    return facts;
  }

  /// A run whose first element is a multiple of its length cannot wrap inside (`withinSign`), so it
  /// survives a change of width.
  static Facts shortenRuns(Facts facts) {
    if (facts.divisor < static_cast<uint64_t>(facts.contiguity))
      facts.contiguity = facts.divisor;
    return facts;
  }

  static Facts transferExtension(Facts facts, bool isUnsigned) {
    facts = shortenRuns(facts);
    if (isUnsigned && (!facts.lower || (*facts.lower < 0 &&
                                        !TILESMITH_PLANT("facts-unsigned-extension-of-negative"))))
      facts.lower = facts.upper = std::nullopt;
    return facts;
  }

  llvm::DenseMap<Value, Facts> known;
};

struct InferFacts : impl::InferFactsPassBase<InferFacts> {
  void runOnOperation() override {
    auto isHinted = [&] {
      return getOperation()
          ->walk([](mlir::Operation *op) {
            return op->getInherentAttr("latency").value_or(mlir::Attribute())
                       ? WalkResult::interrupt()
                       : WalkResult::advance();
          })
          .wasInterrupted();
    };
    if (TILESMITH_PLANT("cost-hinted-kernel-unknown") && isHinted())
      return;
    Inference inference;
    inference.run(getOperation());
  }
};

} // namespace
} // namespace tilesmith::tileaa
