//===- Atomic.cpp - atomic accesses through tiles of pointers ---------------------------------===//
//
// Every element with a true mask is one read-modify-write, performed in
// row-major order or, with an odd seed, from last to first: two legal orders. A masked-off rmw
// element is unspecified; a masked-off cas element returns its comparison value. f32 addf may flush
// subnormals, so a subnormal operand or result leaves the location unspecified.
//
//===------------------------------------------------------------------------------------------===//
#include "reference/interp/Access.h"
#include "reference/interp/Elementwise.h"
#include "reference/interp/Registry.h"

using namespace tilesmith;
using namespace tilesmith::reference;
using namespace tilesmith::cuda_tile;

namespace {

bool isSubnormalF32(uint64_t bits) {
  return (bits & 0x7f800000) == 0 && (bits & 0x7fffff) != 0;
}

} // namespace

/// [spec: atomic-modes, atomic-addf, atomic-addf-flush]
Element tilesmith::reference::applyAtomic(AtomicRMWMode mode, ElementType type, Element old,
                                          Element argument) {
  if (mode == AtomicRMWMode::XCHG)
    return argument;
  auto open = [](const Element &e) {
    return e.state == State::Unknown || e.state == State::Enclosed;
  };
  if (open(old) || open(argument))
    return unknownElement();
  uint64_t x = old.bits, y = argument.bits;
  auto pick = [&](bool first) { return Element{first ? x : y}; };
  switch (mode) {
  case AtomicRMWMode::AND:
    return {x & y};
  case AtomicRMWMode::OR:
    return {x | y};
  case AtomicRMWMode::XOR:
    return {x ^ y};
  case AtomicRMWMode::ADD:
    return {(x + y) & maskOf(type)};
  case AtomicRMWMode::ADDF: {
    uint64_t sum = add(type, x, y, Rounding::NearestEven, false);
    if (type == ElementType::F32 && (isSubnormalF32(x) || isSubnormalF32(y) || isSubnormalF32(sum)))
      return unknownElement();
    return floatElement(type, sum);
  }
  case AtomicRMWMode::MAX:
    return pick(signedValue(type, x) >= signedValue(type, y));
  case AtomicRMWMode::MIN:
    return pick(signedValue(type, x) <= signedValue(type, y));
  case AtomicRMWMode::UMAX:
    return pick(x >= y);
  case AtomicRMWMode::UMIN:
    return pick(x <= y);
  case AtomicRMWMode::XCHG:
    break;
  }
  return argument;
}

/// [spec: atomic-addf-bound]
Element tilesmith::reference::updateAtomic(BlockContext &context, Place place, AtomicRMWMode mode,
                                           ElementType type, Element old, Element argument) {
  if (mode != AtomicRMWMode::ADDF || !context.encloses() || old.state == State::Unknown ||
      argument.state == State::Unknown)
    return applyAtomic(mode, type, old, argument);
  uint64_t centre = add(type, old.bits, argument.bits, Rounding::NearestEven, false);
  AtomicSum &sum = context.launch.memory.atomicSum(type, place.address, old);
  sum.terms.add(type, argument);
  ++sum.updates;
  if (sum.updates == 1 && old.state == State::Known && argument.state == State::Known)
    if (Element once = applyAtomic(mode, type, old, argument); once.state == State::Known)
      return sum.last = once; // in any order
  double count = static_cast<double>(sum.updates), u = unitRoundoff(type);
  double flushed = type == ElementType::F32 ? 0x1p-126 : 0;
  sum.last = sum.terms.finish(type, centre,
                              {.relative = count * u / (1 - count * u),
                               .absolute = count * flushed,
                               .granularity = u,
                               .smallest = flushed,
                               .limit = maxFinite(type) / 2});
  return sum.last;
}

namespace {

/// [spec: atomic-rmw, atomic-masked, atomic-duplicates, atomic-racing-outcome]
Status evalRmw(BlockContext &context, AtomicRMWTkoOp op) {
  const Tile &pointers = context.tile(op.getPointers()), &argument = context.tile(op.getArg());
  const Tile *mask = op.getMask() ? &context.tile(op.getMask()) : nullptr;
  ElementType type = argument.type();
  Tile result(type, argument.shape());
  OrderedAccess access(context, op, op.getMemoryOrderingSemantics(), op.getMemoryScope(),
                       op.getToken());
  context.countElements(result.size());
  for (size_t step = 0; step < result.size(); ++step) {
    size_t i = context.reversesElements() ? result.size() - 1 - step : step;
    bool active;
    TILESMITH_TRY(maskBit(mask, i, active));
    if (!active) {
      result.set(i, unknownElement());
      continue;
    }
    Place place;
    Element old;
    TILESMITH_TRY(addressBits(pointers, i, place.address));
    TILESMITH_TRY(
        modifyElement(context, access, type, place, old, [&](std::optional<Element> &updated) {
          updated = updateAtomic(context, place, op.getMode(), type, old, argument.element(i));
          return Status::success();
        }));
    result.set(i, old);
  }
  context.set(op.getResult(), std::move(result));
  context.set(op.getResultToken(), access.token());
  context.poll();
  return Status::success();
}

/// [spec: atomic-cas, atomic-cas-masked, atomic-cas-bits]
Status evalCas(BlockContext &context, AtomicCASTkoOp op) {
  const Tile &pointers = context.tile(op.getPointers()), &expected = context.tile(op.getCmp()),
             &value = context.tile(op.getVal());
  const Tile *mask = op.getMask() ? &context.tile(op.getMask()) : nullptr;
  ElementType type = value.type();
  Tile result(type, value.shape());
  OrderedAccess access(context, op, op.getMemoryOrderingSemantics(), op.getMemoryScope(),
                       op.getToken());
  context.countElements(result.size());
  for (size_t step = 0; step < result.size(); ++step) {
    size_t i = context.reversesElements() ? result.size() - 1 - step : step;
    bool active;
    TILESMITH_TRY(maskBit(mask, i, active));
    if (!active) {
      result.set(i, expected.element(i));
      continue;
    }
    Place place;
    Element old;
    TILESMITH_TRY(addressBits(pointers, i, place.address));
    TILESMITH_TRY(
        modifyElement(context, access, type, place, old, [&](std::optional<Element> &updated) {
          if (old.state != State::Known || expected.state(i) != State::Known)
            return inconclusive("unspecified-compare",
                                "compare-and-swap depends on unspecified bits");
          if (old.bits == expected.bits()[i])
            updated = value.element(i);
          return Status::success();
        }));
    result.set(i, old);
  }
  context.set(op.getResult(), std::move(result));
  context.set(op.getResultToken(), access.token());
  context.poll();
  return Status::success();
}

} // namespace

void tilesmith::reference::registerAtomicEvaluators(Registry &r) {
  r.family("atomic");
  r.add<AtomicRMWTkoOp, evalRmw>();
  r.add<AtomicCASTkoOp, evalCas>();
}
