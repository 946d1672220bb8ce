//===- Elementwise.h - functions of bit patterns over tiles -----------------------------------===//
//
// An operand that is Unknown makes the result element Unknown. A tile of one element stands for all
// elements beside a larger one: bodies of reductions are written over scalars and run over many
// elements at once, where their constants stay scalars.
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_ENGINES_TILEAA_ELEMENTWISE_H
#define ORACLES_ENGINES_TILEAA_ELEMENTWISE_H

#include "oracles/engines/tileaa/Machine.h"
#include "reference/value/Float.h"

namespace tilesmith::oracles::tileaa_engine {

/// `function(bits...)` gives an Element; one tile per operand of the op, result 0 is set.
template <typename Function>
Status mapOperands(Machine &machine, mlir::Operation *op, Function function) {
  const Tile *operands[3] = {};
  unsigned n = op->getNumOperands();
  const Tile *shaped = nullptr;
  for (unsigned k = 0; k < n; ++k) {
    operands[k] = &machine.tile(op->getOperand(k));
    if (!shaped || operands[k]->size() > shaped->size())
      shaped = operands[k];
  }
  size_t count = shaped->size();
  Tile result(*elementTypeOf(op->getResult(0).getType()), shaped->shape());
  machine.count(count);
  for (size_t i = 0; i < count; ++i) {
    Element e[3];
    bool known = true;
    for (unsigned k = 0; k < n; ++k) {
      e[k] = operands[k]->element(operands[k]->size() == 1 ? 0 : i);
      known &= e[k].state != State::Unknown;
    }
    result.set(i, known ? function(e[0].bits, e[1].bits, e[2].bits) : unknownElement());
  }
  machine.set(op->getResult(0), std::move(result));
  return Status::success();
}

/// A float result: NaN has no specified sign and payload.
inline Element floatElement(ElementType type, uint64_t bits, bool undecided = false) {
  if (undecided)
    return unknownElement();
  return reference::isNaN(type, bits) ? Element{*reference::nanPattern(type), State::NaN}
                                      : Element{bits};
}

/// The same bits as elements of another type: little-endian, low bits first (Conversion.cpp).
Tile repack(const Tile &source, ElementType to, llvm::ArrayRef<int64_t> shape);

/// Element type of the first operand.
inline ElementType operandType(Machine &machine, mlir::Operation *op) {
  return machine.tile(op->getOperand(0)).type();
}

} // namespace tilesmith::oracles::tileaa_engine

#endif // ORACLES_ENGINES_TILEAA_ELEMENTWISE_H
