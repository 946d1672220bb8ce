//===- CountTurns.cpp - loops whose step is no constant ---------------------------------------===//
#include "compiler/dialect/TileAS/Transforms/CountTurns.h"

#include "compiler/dialect/TileAA/Transforms/Facts.h"
#include "compiler/dialect/TileAS/IR/TileAS.h"
#include "compiler/support/Plants.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"

#include <numeric>

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas;

static bool isInnermost(scf::ForOp loop) {
  return !loop.getBody()
              ->walk([](LoopLikeOpInterface) { return WalkResult::interrupt(); })
              .wasInterrupted();
}

/// What is known of the induction variable, whose turns are counted as signed numbers.
static tileaa::Facts factsOfVariable(const tileaa::Facts &lower, const tileaa::Facts &upper,
                                     const tileaa::Facts &step) {
  tileaa::Facts facts;
  facts.divisor = TILESMITH_PLANT("count-turns-aligned-as-step")
                      ? step.divisor
                      : std::gcd(lower.divisor, step.divisor);
  facts.lower = lower.lower;
  if (upper.upper)
    facts.upper = *upper.upper - 1;
  return facts;
}

bool tileas::canCountTurns(scf::ForOp loop) {
  Type type = loop.getInductionVar().getType();
  return !matchPattern(loop.getStep(), m_Constant()) && type.isInteger() &&
         type.getIntOrFloatBitWidth() >= 32 && isInnermost(loop);
}

void tileas::countTurns(scf::ForOp loop) {
  Type type = loop.getInductionVar().getType();
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  Value lower = loop.getLowerBound(), upper = loop.getUpperBound(), step = loop.getStep();
  const tileaa::Facts begin = tileaa::getFacts(lower);
  const bool isUnsigned = loop.getUnsignedCmp();
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(type, value));
  };
  Value zero = constant(0), one = constant(1);
  const auto below = isUnsigned && !TILESMITH_PLANT("count-turns-compares-signed")
                         ? arith::CmpIPredicate::ult
                         : arith::CmpIPredicate::slt;
  Value runs = arith::CmpIOp::create(builder, loc, below, lower, upper);
  Value span = arith::SubIOp::create(builder, loc, upper, lower);
  // A step of zero would be none; a division by it must not be what goes wrong.
  Value divisor = arith::MaxUIOp::create(builder, loc, step, one);
  Value last = arith::SubIOp::create(builder, loc, span, one);
  if (TILESMITH_PLANT("count-turns-rounded-down"))
    last = arith::SubIOp::create(builder, loc, last, one);
  last = TILESMITH_PLANT("count-turns-divides-signed")
             ? arith::DivSIOp::create(builder, loc, last, divisor).getResult()
             : arith::DivUIOp::create(builder, loc, last, divisor).getResult();
  Value turns = arith::AddIOp::create(builder, loc, last, one);
  turns = arith::SelectOp::create(builder, loc, runs, turns, zero);

  // More turns than a signed number holds: only from below zero, or unsigned.
  const bool isSmall = !isUnsigned && begin.lower && *begin.lower >= 0;
  loop.getLowerBoundMutable().assign(zero);
  loop.getUpperBoundMutable().assign(turns);
  loop.getStepMutable().assign(one);
  loop.setUnsignedCmp(!isSmall);
  builder.setInsertionPointToStart(loop.getBody());
  Value turn = loop.getInductionVar();
  auto stepped = arith::MulIOp::create(builder, loc, turn, step);
  auto variable = arith::AddIOp::create(
      builder, loc, TILESMITH_PLANT("count-turns-from-zero") ? zero : lower, stepped);
  if (!isUnsigned) {
    tileaa::Facts facts = factsOfVariable(begin, tileaa::getFacts(upper), tileaa::getFacts(step));
    if (!facts.isTrivial())
      variable->setAttr(tileaa::kFactsAttr,
                        builder.getArrayAttr({tileaa::toAttribute(builder.getContext(), facts)}));
  }
  turn.replaceAllUsesExcept(variable, stepped);
}
