//===- Elementwise.h - loops over elements ----------------------------------------------------===//
//
// mapUnary, mapBinary, mapTernary apply a function of bit patterns to every element. An operand in
// state Unknown makes the result Unknown without a call. The function is a template parameter, so
// the choice of operation stands outside the loop.
//
// Where an operand is Enclosed, the function gives the centre and `enclose(centre, operands...)`
// the element around it; ops without one give an unspecified element. `Widen::Always` asks for it
// on points as well: bounded ops in the enclosure domain.
//
//===------------------------------------------------------------------------------------------===//
#ifndef REFERENCE_INTERP_ELEMENTWISE_H
#define REFERENCE_INTERP_ELEMENTWISE_H

#include "reference/interp/BlockContext.h"
#include "reference/value/Enclosure.h"
#include "reference/value/Float.h"

namespace tilesmith::reference {

/// Whether element i of a tile has usable bits (a NaN counts: functions of floats see a NaN
/// pattern).
inline bool usable(const Tile &t, size_t i) {
  return t.state(i) != State::Unknown;
}

enum class Widen : bool { Enclosed, Always };

/// For ops that have no enclosure: any bits.
struct NoEnclosure {
  template <typename... Operands> Element operator()(uint64_t, const Operands &...) const {
    return unknownElement();
  }
};

/// Tile::set of an element that is not Enclosed; `words` are the tile's.
inline void putPoint(Tile &tile, uint64_t *words, size_t i, const Element &e) {
  words[i] = e.bits;
  if (e.state != State::Known) [[unlikely]]
    tile.setState(i, e.state);
}

/// `function(a) -> Element`.
template <typename Function, typename Enclose = NoEnclosure>
Tile mapUnary(BlockContext &context, ElementType type, const Tile &a, Function function,
              Enclose enclose = {}, Widen widen = Widen::Enclosed) {
  Tile result = Tile::unset(type, a.shape());
  context.countElements(a.size());
  llvm::ArrayRef<uint64_t> x = a.bits();
  if (a.allKnown() && widen == Widen::Enclosed) {
    uint64_t *out = result.bits().data();
    for (size_t i = 0, e = a.size(); i < e; ++i)
      putPoint(result, out, i, function(x[i]));
    return result;
  }
  for (size_t i = 0, e = a.size(); i < e; ++i) {
    Element r = usable(a, i) ? function(x[i]) : unknownElement();
    if (r.state != State::Unknown && (a.state(i) == State::Enclosed || widen == Widen::Always))
      r = enclose(r.bits, a.element(i));
    result.set(i, r);
  }
  return result;
}

/// Whether the tile takes part in an elementwise op as one value for all elements. Reduction and
/// scan bodies are written over scalars and evaluated over many elements at once, where their
/// constants stay scalars.
inline bool isSplatOperand(const Tile &t, size_t count) {
  return t.size() == 1 && count != 1;
}

/// The larger of the operands, which gives the shape of the result.
inline const Tile &largest(const Tile &a, const Tile &b) {
  return a.size() >= b.size() ? a : b;
}

/// `function(a, b) -> Element`.
template <typename Function, typename Enclose = NoEnclosure>
Tile mapBinary(BlockContext &context, ElementType type, const Tile &a, const Tile &b,
               Function function, Enclose enclose = {}, Widen widen = Widen::Enclosed) {
  const Tile &shaped = largest(a, b);
  size_t count = shaped.size();
  Tile result = Tile::unset(type, shaped.shape());
  context.countElements(count);
  llvm::ArrayRef<uint64_t> x = a.bits(), y = b.bits();
  if (a.size() == b.size() && a.allKnown() && b.allKnown() && widen == Widen::Enclosed) {
    uint64_t *out = result.bits().data();
    for (size_t i = 0; i < count; ++i)
      putPoint(result, out, i, function(x[i], y[i]));
    return result;
  }
  size_t p = isSplatOperand(a, count) ? 0 : 1, q = isSplatOperand(b, count) ? 0 : 1;
  for (size_t i = 0; i < count; ++i) {
    State s = a.state(i * p), t = b.state(i * q);
    if (s == State::Unknown || t == State::Unknown) {
      result.set(i, unknownElement());
      continue;
    }
    Element r = function(x[i * p], y[i * q]);
    if (r.state != State::Unknown &&
        (s == State::Enclosed || t == State::Enclosed || widen == Widen::Always))
      r = enclose(r.bits, a.element(i * p), b.element(i * q));
    result.set(i, r);
  }
  return result;
}

/// `function(a, b, c) -> Element`.
template <typename Function, typename Enclose = NoEnclosure>
Tile mapTernary(BlockContext &context, ElementType type, const Tile &a, const Tile &b,
                const Tile &c, Function function, Enclose enclose = {}) {
  const Tile &shaped = largest(largest(a, b), c);
  size_t count = shaped.size();
  Tile result = Tile::unset(type, shaped.shape());
  context.countElements(count);
  llvm::ArrayRef<uint64_t> x = a.bits(), y = b.bits(), z = c.bits();
  size_t p = isSplatOperand(a, count) ? 0 : 1, q = isSplatOperand(b, count) ? 0 : 1,
         r = isSplatOperand(c, count) ? 0 : 1;
  for (size_t i = 0; i < count; ++i) {
    Element e = usable(a, i * p) && usable(b, i * q) && usable(c, i * r)
                    ? function(x[i * p], y[i * q], z[i * r])
                    : unknownElement();
    if (e.state != State::Unknown &&
        (a.state(i * p) == State::Enclosed || b.state(i * q) == State::Enclosed ||
         c.state(i * r) == State::Enclosed))
      e = enclose(e.bits, a.element(i * p), b.element(i * q), c.element(i * r));
    result.set(i, e);
  }
  return result;
}

/// A float result: NaN results have no specified sign and payload, and hold the canonical pattern.
inline Element floatElement(ElementType type, uint64_t bits) {
  return isNaN(type, bits) ? Element{*nanPattern(type), State::NaN} : Element{bits};
}

/// A float result that may sit on the undecided boundary of flushing.
inline Element floatElement(ElementType type, uint64_t bits, bool undecided) {
  return undecided ? unknownElement() : floatElement(type, bits);
}

} // namespace tilesmith::reference

#endif // REFERENCE_INTERP_ELEMENTWISE_H
