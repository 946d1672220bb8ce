//===- DivideSteps.cpp - products whose tiles are too deep for a ring -------------------------===//
//
// What a product's operands are computed from is followed up to loads of views, each of which becomes the load of a
// view of smaller tiles; the piece of turn j is j mod n, the turn of the old loop j / n.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/dialect/TileAS/Transforms/DivideSteps.h"

#include "compiler/dialect/TileAA/Transforms/Facts.h"
#include "compiler/dialect/TileAS/IR/TileAS.h"
#include "compiler/support/Plants.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas;

namespace {

/// Of a row of a piece: what one instruction of the tensor cores multiplies.
constexpr int64_t kFewestBytes = 32;

RankedTensorType tensorOf(Value value) {
  return dyn_cast<RankedTensorType>(value.getType());
}

/// The dimension that a product sums over, of its left and its right operand.
std::pair<CtaForm, CtaForm> depthOf(tileaa::DotOp dot) {
  CtaForm rank = static_cast<CtaForm>(tensorOf(dot.getA()).getRank());
  return {rank - 1, rank - 2};
}

bool isKnownNotNegative(const tileaa::Facts &facts) {
  return facts.lower && *facts.lower >= 0;
}

/// Of a constant, too, which has no attribute.
tileaa::Facts factsOf(Value value) {
  APInt constant;
  return matchPattern(value, m_ConstantInt(&constant))
             ? tileaa::constantFacts(constant.getSExtValue())
             : tileaa::getFacts(value);
}

bool isOnTensorCores(tileaa::DotOp dot) {
  Type type = tensorOf(dot.getA()).getElementType();
  return !type.isF32() && !type.isF64() && !dot.getSfa();
}

} // namespace

bool StepDivider::fail(const Twine &reason) {
  if (problem.empty())
    problem = reason.str();
  return false;
}

bool StepDivider::addsUpProducts() {
  if (loop.getInitArgs().empty())
    return false;
  int64_t products = 0;
  for (auto [argument, yielded] :
       llvm::zip_equal(loop.getRegionIterArgs(), loop.getYieldedValues())) {
    Value sum = argument;
    while (sum.hasOneUse()) {
      auto dot = dyn_cast<tileaa::DotOp>(*sum.getUsers().begin());
      if (!dot || dot.getC() != sum || !isOnTensorCores(dot) || dot->getBlock() != loop.getBody())
        break;
      sum = dot.getResult();
      ++products;
    }
    if (sum == argument || sum != yielded)
      return false;
  }
  return products ==
         std::distance(loop.getOps<tileaa::DotOp>().begin(), loop.getOps<tileaa::DotOp>().end());
}

int64_t StepDivider::loadedBytes() {
  int64_t bytes = 0;
  for (Operation &op : loop.getBody()->without_terminator())
    if (isa<tileaa::TiledLoadOp, tileaa::LoadOp, tileaa::GatherLoadOp>(op)) {
      RankedTensorType tile = tensorOf(op.getResult(0)); // null: a number
      if (tile && tile.getElementType().isIntOrFloat())
        bytes += tile.getNumElements() * std::max(tile.getElementTypeBitWidth(), 8u) / 8;
    }
  return bytes;
}

/// Turns are counted n times as high.
std::optional<std::string> StepDivider::boundsProblem() {
  if (!matchPattern(loop.getStep(), m_One()))
    return "its step is not one";
  tileaa::Facts lower = factsOf(loop.getLowerBound()), upper = factsOf(loop.getUpperBound());
  const unsigned width = loop.getInductionVar().getType().isIndex()
                             ? 64
                             : loop.getInductionVar().getType().getIntOrFloatBitWidth();
  if (!isKnownNotNegative(lower) || !lower.upper || *lower.upper > llvm::maxIntN(width) / pieces ||
      !upper.upper || *upper.upper > llvm::maxIntN(width) / pieces ||
      (loop.getUnsignedCmp() && !isKnownNotNegative(upper)))
    return "its bounds are not known to be small enough";
  return std::nullopt;
}

bool StepDivider::demand(Value value, CtaForm form) {
  RankedTensorType type = tensorOf(value);
  if (type.getDimSize(form) % pieces != 0)
    return fail("a tile is too small");
  auto [known, isNew] = forms.try_emplace(value, form);
  if (!isNew)
    return known->second == form || fail("a tile would be divided in two ways");
  Operation *op = value.getDefiningOp();
  if (isa_and_present<tileaa::SplatOp>(op)) // of constants, too
    return true;
  if (!op || op->getBlock() != loop.getBody())
    return fail("a tile comes from outside of the loop");
  if (auto load = dyn_cast<tileaa::TiledLoadOp>(op)) {
    if (form == type.getRank() - 1 &&
        type.getDimSize(form) / pieces * type.getElementTypeBitWidth() < 8 * kFewestBytes)
      return fail("rows would be shorter than " + Twine(kFewestBytes) + " bytes");
    return load.getMemSemantic() == tileaa::MemSemantic::weak &&
                   load.getView().getDefiningOp<tileaa::BlockTileOp>() &&
                   loop.isDefinedOutsideOfLoop(load.getView())
               ? true
               : fail("a load is ordered, or the loop makes its view");
  }
  if (isa<tileaa::LoadOp, tileaa::GatherLoadOp>(op))
    return fail("a tile is loaded through pointers");
  std::optional<SmallVector<CtaForm>> wanted = operandForms(op, form, pieces);
  if (!wanted || op->getNumResults() != 1 || op->getNumRegions() || !isMemoryEffectFree(op))
    return fail("'" + op->getName().getStringRef() + "' cannot be divided");
  if (isa<tileaa::MakeRangeOp, tileaa::AssumeOp>(op))
    return fail("'" + op->getName().getStringRef() + "' depends on the piece");
  for (auto [operand, own] : llvm::zip_equal(op->getOperands(), *wanted))
    if (own != kWhole && !demand(operand, own))
      return false;
  return true;
}

std::optional<std::string> StepDivider::plan(int64_t count) {
  pieces = count;
  forms.clear();
  problem.clear();
  if (auto reason = boundsProblem())
    return reason;
  for (auto dot : loop.getOps<tileaa::DotOp>()) {
    auto [left, right] = depthOf(dot);
    if (!demand(dot.getA(), left) || !demand(dot.getB(), right))
      return problem;
  }
  // What is not divided is computed in each of the new turns.
  for (Operation &op : loop.getBody()->without_terminator()) {
    const bool isDivided =
        isa<tileaa::DotOp>(op) || (op.getNumResults() > 0 && forms.contains(op.getResult(0)));
    if (!isDivided && (op.getNumRegions() || !isMemoryEffectFree(&op)))
      return ("'" + op.getName().getStringRef() + "' would happen more often").str();
    if (isa<tileaa::DotOp>(op))
      continue;
    std::optional<SmallVector<CtaForm>> wanted;
    if (isDivided)
      wanted = operandForms(&op, forms.lookup(op.getResult(0)), pieces);
    for (auto [i, operand] : llvm::enumerate(op.getOperands()))
      if (forms.contains(operand) && (!wanted || (*wanted)[i] != forms.lookup(operand)))
        return "a tile is needed whole, too";
    for (Value result : op.getResults().drop_front(op.getNumResults() ? 1 : 0))
      if (isDivided && !result.use_empty())
        return "what comes after a load waits for its token";
  }
  for (Value yielded : loop.getYieldedValues())
    if (forms.contains(yielded))
      return "a tile is carried";
  return std::nullopt;
}

/// The piece of a tile from outside, all of whose elements are the same.
Value StepDivider::pieceOfSplat(OpBuilder &builder, Value value) {
  auto splat = value.getDefiningOp<tileaa::SplatOp>();
  auto form = forms.find(value);
  if (!splat || form == forms.end() || splat->getBlock() == loop.getBody())
    return value;
  return tileaa::SplatOp::create(
      builder, splat.getLoc(), pieceType(tensorOf(value), form->second, pieces), splat.getSource());
}

/// Makes the load one of a view of smaller tiles; turn: counts pieces.
void StepDivider::adaptView(OpBuilder &builder, Operation *emitted, Operation *op, Value turn) {
  auto load = cast<tileaa::TiledLoadOp>(op);
  const CtaForm form = forms.lookup(load.getResult());
  auto view = cast<tileaa::TiledViewType>(load.getView().getType());
  auto tiling = load.getView().getDefiningOp<tileaa::BlockTileOp>();
  Location loc = op->getLoc();
  const int64_t extent = view.getTileShape()[form] / pieces, step = view.getStep(form),
                newStep = std::gcd(step, extent);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointAfter(tiling);
  emitted->setOperand(0, viewOfPieces(builder, tiling, tiling.getSource(), form, pieces));
  builder.setInsertionPoint(emitted);
  OpOperand &index = cast<tileaa::TiledLoadOp>(emitted).getIndicesMutable()[form];
  Value old = load.getIndices()[form];
  // The tile that the loop counts: its pieces follow each other.
  if ((old == loop.getInductionVar() ||
       (old.getType() == turn.getType() && TILESMITH_PLANT("steps-any-index-is-the-turn"))) &&
      ((step == view.getTileShape()[form] && newStep == extent) ||
       TILESMITH_PLANT("steps-of-any-view-side-by-side")) &&
      !TILESMITH_PLANT("steps-first-piece-again")) {
    index.set(turn);
    return;
  }
  Type wide = builder.getI64Type();
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(builder, loc, wide, value);
  };
  auto widened = [&](Value value) -> Value {
    if (value.getType().isIndex())
      return arith::IndexCastOp::create(builder, loc, wide, value);
    return value.getType() == wide ? value
                                   : arith::ExtUIOp::create(builder, loc, wide, value).getResult();
  };
  Value piece = arith::AndIOp::create(builder, loc, widened(turn), constant(pieces - 1));
  Value first = arith::MulIOp::create(builder, loc, widened(index.get()), constant(step / newStep));
  if (!TILESMITH_PLANT("steps-first-piece-again"))
    first = arith::AddIOp::create(
        builder, loc, first,
        arith::MulIOp::create(builder, loc, piece, constant(extent / newStep)));
  index.set(first);
}

void StepDivider::rewrite() {
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  Type type = loop.getInductionVar().getType();
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(type, value));
  };
  auto scaled = [&](Value bound) -> Value {
    return builder.createOrFold<arith::MulIOp>(loc, bound, constant(pieces),
                                               arith::IntegerOverflowFlags::nsw);
  };
  Value lower = scaled(loop.getLowerBound()), upper = loop.getUpperBound();
  if (!isKnownNotNegative(factsOf(upper)))
    upper = arith::MaxSIOp::create(builder, loc, upper, constant(0)); // as many turns: none
  if (!TILESMITH_PLANT("steps-bound-of-whole-tiles"))
    upper = scaled(upper);
  auto divided = scf::ForOp::create(builder, loc, lower, upper, loop.getStep(), loop.getInitArgs(),
                                    nullptr, loop.getUnsignedCmp());
  divided->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  IRMapping mapping;
  mapping.map(loop.getRegionIterArgs(), divided.getRegionIterArgs());
  builder.setInsertionPointToStart(divided.getBody());
  Value turn = divided.getInductionVar();
  auto whole = arith::ShRUIOp::create(builder, loc, turn, constant(llvm::Log2_64(pieces)));
  mapping.map(loop.getInductionVar(), whole.getResult());
  for (Operation &op : loop.getBody()->without_terminator()) {
    for (Value operand : op.getOperands())
      if (Value piece = pieceOfSplat(builder, operand); piece != operand)
        mapping.map(operand, piece);
    Operation *emitted = builder.clone(op, mapping);
    for (auto [old, result] : llvm::zip_equal(op.getResults(), emitted->getResults()))
      if (auto form = forms.find(old); form != forms.end())
        result.setType(pieceType(tensorOf(old), form->second, pieces));
    if (isa<tileaa::TiledLoadOp>(op) && forms.contains(op.getResult(0)))
      adaptView(builder, emitted, &op, turn);
    // Facts are inferred anew.
    emitted->removeAttr(tileaa::kFactsAttr);
    builder.setInsertionPointToEnd(divided.getBody());
  }
  SmallVector<Value> yielded;
  for (Value value : loop.getYieldedValues())
    yielded.push_back(mapping.lookup(value));
  scf::YieldOp::create(builder, loc, yielded);
  if (whole->use_empty())
    whole->erase();
  loop.replaceAllUsesWith(divided.getResults());
  loop.erase();
}
