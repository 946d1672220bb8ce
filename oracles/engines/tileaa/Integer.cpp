//===- Integer.cpp - integer and bitwise arith ops --------------------------------------------===//
//
// MLIR's meaning: arithmetic modulo 2^n; a broken nsw or nuw promise and a shift by n or more give
// poison; division by zero and the quotient minimum / -1 are undefined behaviour.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/engines/tileaa/Elementwise.h"

#include "compiler/dialect/TileAA/IR/TileAA.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace tilesmith;
using namespace tilesmith::oracles::tileaa_engine;
using namespace mlir;
using reference::maskOf;
using reference::signedValue;
using reference::widthOf;

namespace {

using Wide = __int128;
using UWide = unsigned __int128;

bool fitsSigned(ElementType type, Wide value) {
  Wide half = Wide(1) << (widthOf(type) - 1);
  return value >= -half && value < half;
}

/// `exact` on 128-bit readings; `unsignedOverflow(x, y)` decides nuw.
template <typename Op, typename Exact, typename Unsigned>
Status wrapping(Machine &machine, Op op, Exact exact, Unsigned unsignedOverflow) {
  ElementType type = operandType(machine, op);
  bool nsw = op.hasNoSignedWrap(), nuw = op.hasNoUnsignedWrap();
  return mapOperands(machine, op, [&](uint64_t x, uint64_t y, uint64_t) -> Element {
    Wide value = exact(Wide(signedValue(type, x)), Wide(signedValue(type, y)));
    if ((nsw && !fitsSigned(type, value)) || (nuw && unsignedOverflow(x, y)))
      return unknownElement();
    return {static_cast<uint64_t>(value) & maskOf(type)};
  });
}

Status evalAdd(Machine &machine, arith::AddIOp op) {
  uint64_t mask = maskOf(operandType(machine, op));
  return wrapping(
      machine, op, [](Wide x, Wide y) { return x + y; },
      [=](uint64_t x, uint64_t y) { return UWide(x) + y > mask; });
}
Status evalSub(Machine &machine, arith::SubIOp op) {
  return wrapping(
      machine, op, [](Wide x, Wide y) { return x - y; },
      [](uint64_t x, uint64_t y) { return x < y; });
}
Status evalMul(Machine &machine, arith::MulIOp op) {
  uint64_t mask = maskOf(operandType(machine, op));
  return wrapping(
      machine, op, [](Wide x, Wide y) { return x * y; },
      [=](uint64_t x, uint64_t y) { return UWide(x) * y > mask; });
}
Status evalShl(Machine &machine, arith::ShLIOp op) {
  ElementType type = operandType(machine, op);
  bool nsw = op.hasNoSignedWrap(), nuw = op.hasNoUnsignedWrap();
  return mapOperands(machine, op, [&](uint64_t x, uint64_t amount, uint64_t) -> Element {
    if (amount >= widthOf(type))
      return unknownElement();
    uint64_t bits = x << amount & maskOf(type);
    if ((nsw && signedValue(type, bits) >> amount != signedValue(type, x)) ||
        (nuw && bits >> amount != x))
      return unknownElement();
    return {bits};
  });
}
Status evalShrS(Machine &machine, arith::ShRSIOp op) {
  ElementType type = operandType(machine, op);
  return mapOperands(machine, op, [&](uint64_t x, uint64_t amount, uint64_t) -> Element {
    if (amount >= widthOf(type))
      return unknownElement();
    return {static_cast<uint64_t>(signedValue(type, x) >> amount) & maskOf(type)};
  });
}
Status evalShrU(Machine &machine, arith::ShRUIOp op) {
  ElementType type = operandType(machine, op);
  return mapOperands(machine, op, [&](uint64_t x, uint64_t amount, uint64_t) -> Element {
    return amount >= widthOf(type) ? unknownElement() : Element{x >> amount};
  });
}

template <typename Op, typename Function> Status plain(Machine &machine, Op op, Function function) {
  return mapOperands(machine, op,
                     [&](uint64_t x, uint64_t y, uint64_t) -> Element { return {function(x, y)}; });
}

/// and / or: one operand may decide alone, even beside an Unknown one.
template <typename Op, typename Function>
Status absorbing(Machine &machine, Op op, uint64_t absorber, Function function) {
  TILESMITH_TRY(plain(machine, op, function));
  const Tile &computed = machine.tile(op.getResult());
  if (computed.allKnown())
    return Status::success();
  Tile result = computed;
  for (Value operand : op->getOperands()) {
    const Tile &t = machine.tile(operand);
    for (size_t i = 0; i < result.size(); ++i) {
      Element e = t.element(t.size() == 1 ? 0 : i);
      if (e.state == State::Known && e.bits == absorber)
        result.set(i, e);
    }
  }
  machine.set(op.getResult(), std::move(result));
  return Status::success();
}
Status evalAnd(Machine &machine, arith::AndIOp op) {
  return absorbing(machine, op, 0, [](uint64_t x, uint64_t y) { return x & y; });
}
Status evalOr(Machine &machine, arith::OrIOp op) {
  return absorbing(machine, op, maskOf(operandType(machine, op)),
                   [](uint64_t x, uint64_t y) { return x | y; });
}
Status evalXor(Machine &machine, arith::XOrIOp op) {
  return plain(machine, op, [](uint64_t x, uint64_t y) { return x ^ y; });
}

Status evalMaxS(Machine &machine, arith::MaxSIOp op) {
  ElementType t = operandType(machine, op);
  return plain(machine, op, [=](uint64_t x, uint64_t y) {
    return signedValue(t, x) < signedValue(t, y) ? y : x;
  });
}
Status evalMinS(Machine &machine, arith::MinSIOp op) {
  ElementType t = operandType(machine, op);
  return plain(machine, op, [=](uint64_t x, uint64_t y) {
    return signedValue(t, x) > signedValue(t, y) ? y : x;
  });
}
Status evalMaxU(Machine &machine, arith::MaxUIOp op) {
  return plain(machine, op, [](uint64_t x, uint64_t y) { return std::max(x, y); });
}
Status evalMinU(Machine &machine, arith::MinUIOp op) {
  return plain(machine, op, [](uint64_t x, uint64_t y) { return std::min(x, y); });
}

enum class Towards { Zero, Down, Up };

/// Division or remainder; `divide(x, y)` sees exact readings and a divisor that is not zero.
template <typename Op, typename Divide>
Status dividing(Machine &machine, Op op, bool isSigned, Divide divide) {
  ElementType type = operandType(machine, op);
  Status failure;
  TILESMITH_TRY(mapOperands(machine, op, [&](uint64_t x, uint64_t y, uint64_t) -> Element {
    if (y == 0) {
      failure = reference::undefined("division-by-zero", "an integer is divided by 0");
      return {};
    }
    Wide q = isSigned ? divide(Wide(signedValue(type, x)), Wide(signedValue(type, y)))
                      : divide(Wide(x), Wide(y));
    if (isSigned && !fitsSigned(type, q))
      failure = reference::undefined("signed-overflow", "quotient of the minimum and -1");
    return {static_cast<uint64_t>(q) & maskOf(type)};
  }));
  return failure;
}

template <typename Op, bool isSigned, Towards towards> Status evalDiv(Machine &machine, Op op) {
  return dividing(machine, op, isSigned, [](Wide x, Wide y) {
    Wide q = x / y;
    bool negative = (x < 0) != (y < 0);
    if (x % y != 0 && towards == Towards::Down && negative)
      --q;
    if (x % y != 0 && towards == Towards::Up && !negative)
      ++q;
    return q;
  });
}
template <typename Op, bool isSigned> Status evalRem(Machine &machine, Op op) {
  return dividing(machine, op, isSigned, [](Wide x, Wide y) { return x % y; });
}

Status evalAbs(Machine &machine, math::AbsIOp op) {
  ElementType type = operandType(machine, op);
  return mapOperands(machine, op, [&](uint64_t x, uint64_t, uint64_t) -> Element {
    return {(signedValue(type, x) < 0 ? 0 - x : x) & maskOf(type)};
  });
}

Status evalMulHi(Machine &machine, tileaa::MulHiUIOp op) {
  unsigned width = widthOf(operandType(machine, op));
  return plain(machine, op, [=](uint64_t x, uint64_t y) {
    return static_cast<uint64_t>(UWide(x) * y >> width);
  });
}

Status evalCmp(Machine &machine, arith::CmpIOp op) {
  ElementType type = operandType(machine, op);
  using P = arith::CmpIPredicate;
  P p = op.getPredicate();
  return plain(machine, op, [=](uint64_t x, uint64_t y) -> uint64_t {
    int64_t a = signedValue(type, x), b = signedValue(type, y);
    switch (p) {
    case P::eq:
      return x == y;
    case P::ne:
      return x != y;
    case P::slt:
      return a < b;
    case P::sle:
      return a <= b;
    case P::sgt:
      return a > b;
    case P::sge:
      return a >= b;
    case P::ult:
      return x < y;
    case P::ule:
      return x <= y;
    case P::ugt:
      return x > y;
    case P::uge:
      return x >= y;
    }
    llvm_unreachable("all predicates are listed");
  });
}

} // namespace

void tilesmith::oracles::tileaa_engine::registerInteger(OpTable &t) {
  t.addElementwise<arith::AddIOp, evalAdd>();
  t.addElementwise<arith::SubIOp, evalSub>();
  t.addElementwise<arith::MulIOp, evalMul>();
  t.addElementwise<arith::ShLIOp, evalShl>();
  t.addElementwise<arith::ShRSIOp, evalShrS>();
  t.addElementwise<arith::ShRUIOp, evalShrU>();
  t.addElementwise<arith::AndIOp, evalAnd>();
  t.addElementwise<arith::OrIOp, evalOr>();
  t.addElementwise<arith::XOrIOp, evalXor>();
  t.addElementwise<arith::MaxSIOp, evalMaxS>();
  t.addElementwise<arith::MinSIOp, evalMinS>();
  t.addElementwise<arith::MaxUIOp, evalMaxU>();
  t.addElementwise<arith::MinUIOp, evalMinU>();
  t.addElementwise<arith::DivSIOp, evalDiv<arith::DivSIOp, true, Towards::Zero>>();
  t.addElementwise<arith::DivUIOp, evalDiv<arith::DivUIOp, false, Towards::Zero>>();
  t.addElementwise<arith::FloorDivSIOp, evalDiv<arith::FloorDivSIOp, true, Towards::Down>>();
  t.addElementwise<arith::CeilDivSIOp, evalDiv<arith::CeilDivSIOp, true, Towards::Up>>();
  t.addElementwise<arith::CeilDivUIOp, evalDiv<arith::CeilDivUIOp, false, Towards::Up>>();
  t.addElementwise<arith::RemSIOp, evalRem<arith::RemSIOp, true>>();
  t.addElementwise<arith::RemUIOp, evalRem<arith::RemUIOp, false>>();
  t.addElementwise<arith::CmpIOp, evalCmp>();
  t.addElementwise<math::AbsIOp, evalAbs>();
  t.addElementwise<tileaa::MulHiUIOp, evalMulHi>();
  t.addWithout("arith", "addui_extended mulsi_extended mului_extended",
               "two results; the conversion keeps one (mulhiui)");
  t.addWithout("math", "ctlz cttz ctpop ipowi", "no cuda_tile op is converted to it");
}
