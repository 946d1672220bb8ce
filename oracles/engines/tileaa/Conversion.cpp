//===- Conversion.cpp - changes of element type -----------------------------------------------===//
//
// Each conversion rounds once. 8- and 4-bit floats saturate; a NaN stays NaN where the format has
// one, else the element is Unknown, as are numbers out of range of an integer or of a pure power of
// two. bitcast copies bits, also between packed sequences of elements of different width.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/engines/tileaa/Elementwise.h"

#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/dialect/TileAS/IR/TileAS.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <cmath>

using namespace tilesmith;
using namespace tilesmith::oracles::tileaa_engine;
using namespace mlir;
using reference::maskOf;
using reference::Rounding;
using reference::signedValue;
using reference::widthOf;

namespace {

ElementType resultType(Operation *op) {
  return *elementTypeOf(op->getResult(0).getType());
}

template <typename Op, bool isSigned> Status evalExt(Machine &machine, Op op) {
  ElementType from = operandType(machine, op), to = resultType(op);
  return mapOperands(machine, op, [=](uint64_t x, uint64_t, uint64_t) -> Element {
    return {isSigned ? static_cast<uint64_t>(signedValue(from, x)) & maskOf(to) : x};
  });
}

Status evalTrunc(Machine &machine, arith::TruncIOp op) {
  ElementType from = operandType(machine, op), to = resultType(op);
  bool nsw = op.hasNoSignedWrap(), nuw = op.hasNoUnsignedWrap();
  return mapOperands(machine, op, [=](uint64_t x, uint64_t, uint64_t) -> Element {
    uint64_t kept = x & maskOf(to);
    if ((nsw && signedValue(to, kept) != signedValue(from, x)) || (nuw && kept != x))
      return unknownElement();
    return {kept};
  });
}

/// index is 64 bits wide here.
template <typename Op, bool isSigned> Status evalIndexCast(Machine &machine, Op op) {
  ElementType from = operandType(machine, op), to = resultType(op);
  return mapOperands(machine, op, [=](uint64_t x, uint64_t, uint64_t) -> Element {
    return {(isSigned ? static_cast<uint64_t>(signedValue(from, x)) : x) & maskOf(to)};
  });
}

template <typename Op, bool isSigned> Status evalIToF(Machine &machine, Op op) {
  ElementType from = operandType(machine, op), to = resultType(op);
  return mapOperands(machine, op, [=](uint64_t x, uint64_t, uint64_t) -> Element {
    bool negative = isSigned && signedValue(from, x) < 0;
    unsigned __int128 magnitude =
        negative ? static_cast<unsigned __int128>(-static_cast<__int128>(signedValue(from, x)))
                 : static_cast<unsigned __int128>(x);
    if (to == ElementType::F64) {
      double value = static_cast<double>(magnitude);
      return {reference::encode(to, negative ? -value : value)};
    }
    return {reference::encode(to, reference::integerToSticky(magnitude, negative).value)};
  });
}

template <typename Op, bool isSigned> Status evalFToI(Machine &machine, Op op) {
  ElementType from = operandType(machine, op), to = resultType(op);
  int width = widthOf(to);
  double low = isSigned ? -std::ldexp(1.0, width - 1) : 0.0;
  double high = std::ldexp(1.0, isSigned ? width - 1 : width);
  return mapOperands(machine, op, [=](uint64_t x, uint64_t, uint64_t) -> Element {
    double value = std::trunc(reference::decode(from, x));
    if (!(value >= low && value < high))
      return unknownElement();
    uint64_t bits = value < 0 ? static_cast<uint64_t>(static_cast<int64_t>(value))
                              : static_cast<uint64_t>(value);
    return {bits & maskOf(to)};
  });
}

bool isSmall(ElementType type) {
  return reference::isFloat(type) && widthOf(type) <= 8;
}

Rounding roundingOf(tileaa::RoundingMode mode) {
  switch (mode) {
  case tileaa::RoundingMode::zero:
  case tileaa::RoundingMode::nearest_int_to_zero:
    return Rounding::Zero;
  case tileaa::RoundingMode::negative_inf:
    return Rounding::Down;
  case tileaa::RoundingMode::positive_inf:
    return Rounding::Up;
  case tileaa::RoundingMode::nearest_away:
    return Rounding::NearestAway;
  default:
    return Rounding::NearestEven;
  }
}

Status evalFpToFp(Machine &machine, tileaa::FpToFpOp op) {
  ElementType from = operandType(machine, op), to = resultType(op);
  Rounding rounding = roundingOf(op.getRoundingMode());
  return mapOperands(machine, op, [=](uint64_t x, uint64_t, uint64_t) -> Element {
    double value = reference::decode(from, x);
    if (std::isnan(value)) {
      auto nan = reference::nanPattern(to);
      return nan ? Element{*nan, State::NaN} : unknownElement();
    }
    if (from == ElementType::TF32 && (x & 0x1fff) != 0)
      return unknownElement(); // bits that the format does not have: copied or dropped
    if (!reference::formatOf(to).hasZero && !(value >= 0x1p-127 && value <= 0x1p127))
      return unknownElement();
    if (!reference::formatOf(to).isSigned && std::signbit(value))
      return unknownElement();
    bool saturates = isSmall(to) && reference::formatOf(to).hasZero;
    return {reference::encode(to, value, rounding,
                              saturates ? reference::Overflow::Saturate
                                        : reference::Overflow::Infinity)};
  });
}

Status evalBitcast(Machine &machine, tileaa::BitcastOp op) {
  const Tile &source = machine.tile(op.getSource());
  ElementType to = resultType(op);
  llvm::ArrayRef<int64_t> shape = shapeOf(op.getType());
  machine.count(source.size());
  if (widthOf(to) != widthOf(source.type())) {
    machine.set(op.getResult(), repack(source, to, shape));
    return Status::success();
  }
  // A scalar body that runs over many elements keeps the shape of what it gets.
  Tile result(to, source.size() == reference::elementCount(shape) ? shape : source.shape());
  for (size_t i = 0; i < source.size(); ++i) {
    Element e = source.element(i);
    if (e.state == State::NaN && to != source.type())
      e = unknownElement(); // its payload is unspecified
    result.set(i, e);
  }
  machine.set(op.getResult(), std::move(result));
  return Status::success();
}

/// The same bytes as elements of another type.
Status evalRepack(Machine &machine, tileas::ReinterpretOp op) {
  const Tile &source = machine.tile(op.getSource());
  machine.count(source.size());
  machine.set(op.getResult(), repack(source, *elementTypeOf(op.getResult().getType()),
                                     shapeOf(op.getResult().getType())));
  return Status::success();
}

template <typename Op> Status evalReinterpret(Machine &machine, Op op) {
  return mapOperands(machine, op, [](uint64_t x, uint64_t, uint64_t) { return Element{x}; });
}

} // namespace

Tile tilesmith::oracles::tileaa_engine::repack(const Tile &source, ElementType to,
                                               llvm::ArrayRef<int64_t> shape) {
  unsigned fromWidth = widthOf(source.type()), toWidth = widthOf(to);
  Tile result(to, shape);
  for (size_t i = 0; i < result.size(); ++i) {
    Element e;
    for (unsigned bit = 0; bit < toWidth; ++bit) {
      size_t at = i * toWidth + bit;
      e.bits |= (source.bits()[at / fromWidth] >> at % fromWidth & 1) << bit;
      if (source.state(at / fromWidth) != State::Known)
        e = unknownElement(), bit = toWidth - 1;
    }
    result.set(i, e);
  }
  return result;
}

void tilesmith::oracles::tileaa_engine::registerConversion(OpTable &t) {
  t.addElementwise<arith::ExtSIOp, evalExt<arith::ExtSIOp, true>>();
  t.addElementwise<arith::ExtUIOp, evalExt<arith::ExtUIOp, false>>();
  t.addElementwise<arith::TruncIOp, evalTrunc>();
  t.addElementwise<arith::IndexCastOp, evalIndexCast<arith::IndexCastOp, true>>();
  t.addElementwise<arith::IndexCastUIOp, evalIndexCast<arith::IndexCastUIOp, false>>();
  t.addElementwise<arith::SIToFPOp, evalIToF<arith::SIToFPOp, true>>();
  t.addElementwise<arith::UIToFPOp, evalIToF<arith::UIToFPOp, false>>();
  t.addElementwise<arith::FPToSIOp, evalFToI<arith::FPToSIOp, true>>();
  t.addElementwise<arith::FPToUIOp, evalFToI<arith::FPToUIOp, false>>();
  t.addElementwise<tileaa::FpToFpOp, evalFpToFp>();
  t.addElementwise<tileaa::BitcastOp, evalBitcast>();
  t.addElementwise<tileaa::IntToPtrOp, evalReinterpret<tileaa::IntToPtrOp>>();
  t.addElementwise<tileaa::PtrToIntOp, evalReinterpret<tileaa::PtrToIntOp>>();
  t.addWithout("arith", "extf truncf scaling_extf scaling_truncf bitcast",
               "fp_to_fp and nv_tileaa.bitcast are the only changes of format");
}

void tilesmith::oracles::tileaa_engine::registerTileASConversion(OpTable &t) {
  t.add<tileas::ReinterpretOp, evalRepack>();
}
