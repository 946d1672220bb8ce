//===- Conversion.cpp - changes of element type -----------------------------------------------===//
//
// Narrowing rounds once; 8- and 4-bit floats saturate
// (infinities too); NaN stays NaN where the format has one, else the result is unspecified;
// integers beyond the range of an 8-bit float, ftoi out of range, and powers of two from
// non-positive or out-of-range numbers are unspecified.
//
//===------------------------------------------------------------------------------------------===//
#include "reference/interp/Elementwise.h"
#include "reference/interp/Registry.h"
#include "reference/interp/Rounding.h"

using namespace tilesmith;
using namespace tilesmith::reference;
using namespace tilesmith::cuda_tile;

namespace {

bool promisesSigned(IntegerOverflow o) {
  return o == IntegerOverflow::NSW || o == IntegerOverflow::NW;
}
bool promisesUnsigned(IntegerOverflow o) {
  return o == IntegerOverflow::NUW || o == IntegerOverflow::NW;
}

/// [spec: conv-exti]
Status evalExt(BlockContext &context, ExtIOp op) {
  const Tile &a = context.tile(op.getFrom());
  ElementType from = a.type(), to = *elementTypeOf(op.getTo().getType());
  bool isSigned = op.getSignedness() == Signedness::Signed;
  context.set(op.getTo(), mapUnary(context, to, a, [&](uint64_t x) -> Element {
                return {isSigned ? static_cast<uint64_t>(signedValue(from, x)) & maskOf(to) : x};
              }));
  return Status::success();
}

/// [spec: conv-trunci, int-overflow-flags]
Status evalTrunc(BlockContext &context, TruncIOp op) {
  const Tile &a = context.tile(op.getFrom());
  ElementType from = a.type(), to = *elementTypeOf(op.getTo().getType());
  bool checkSigned = promisesSigned(op.getOverflow()),
       checkUnsigned = promisesUnsigned(op.getOverflow());
  Status failure;
  Tile result = mapUnary(context, to, a, [&](uint64_t x) -> Element {
    uint64_t kept = x & maskOf(to);
    if (checkSigned && signedValue(to, kept) != signedValue(from, x) && !failure.failed())
      failure = undefined("signed-overflow", llvm::Twine(signedValue(from, x)) +
                                                 " does not fit a signed " + spelling(to));
    if (checkUnsigned && kept != x && !failure.failed())
      failure = undefined("unsigned-overflow",
                          llvm::Twine(x) + " does not fit an unsigned " + spelling(to));
    return {kept};
  });
  if (failure.failed())
    return failure;
  context.set(op.getTo(), std::move(result));
  return Status::success();
}

/// [spec: conv-bitcast, state-nan]
Status evalBitcast(BlockContext &context, BitcastOp op) {
  const Tile &a = context.tile(op.getSource());
  ElementType to = *elementTypeOf(op.getResult().getType());
  Tile result(to, a.shape());
  context.countElements(a.size());
  for (size_t i = 0; i < a.size(); ++i) {
    Element e = a.element(i);
    if ((e.state == State::NaN || e.state == State::Enclosed) && to != a.type())
      e = unknownElement(); // its bits are unspecified
    result.set(i, e);
  }
  context.set(op.getResult(), std::move(result));
  return Status::success();
}

/// Same bits under another type.
/// [spec: conv-int-ptr, conv-ptr-ptr]
template <typename Op> Status evalReinterpret(BlockContext &context, Op op) {
  const Tile &a = context.tile(op.getSource());
  Tile result(*elementTypeOf(op.getResult().getType()), a.shape());
  for (size_t i = 0; i < a.size(); ++i)
    result.set(i, a.element(i));
  context.set(op.getResult(), std::move(result));
  return Status::success();
}

bool isSmallFloat(ElementType type) {
  return isFloat(type) && widthOf(type) <= 8;
}

/// [spec: conv-itof, conv-itof-small]
Status evalIToF(BlockContext &context, IToFOp op) {
  const Tile &a = context.tile(op.getFrom());
  ElementType from = a.type(), to = *elementTypeOf(op.getTo().getType());
  bool isSigned = op.getSignedness() == Signedness::Signed;
  double largest = decode(to, maxFinitePattern(to, false));
  context.set(op.getTo(), mapUnary(context, to, a, [&](uint64_t x) -> Element {
                bool negative = isSigned && signedValue(from, x) < 0;
                unsigned __int128 magnitude = negative
                                                  ? -static_cast<__int128>(signedValue(from, x))
                                                  : static_cast<__int128>(unsignedValue(from, x));
                if (to == ElementType::F64) {
                  double value = static_cast<double>(magnitude); // one rounding to nearest
                  return {encode(to, negative ? -value : value)};
                }
                double value = integerToSticky(magnitude, negative).value;
                if (isSmallFloat(to) && std::fabs(value) > largest)
                  return unknownElement();
                return {encode(to, value)};
              }));
  return Status::success();
}

/// [spec: conv-ftoi, conv-ftoi-range, conv-ftoi-saturating, conv-ftoi-i1, enclosure-undecided]
Status evalFToI(BlockContext &context, FToIOp op) {
  const Tile &a = context.tile(op.getFrom());
  ElementType from = a.type(), to = *elementTypeOf(op.getTo().getType());
  bool isSigned = op.getSignedness() == Signedness::Signed, saturating = op.getSaturating();
  unsigned width = widthOf(to);
  // Bounds of the truncated value; powers of two, hence exact.
  double low = isSigned ? -std::ldexp(1.0, width - 1) : 0.0;
  double high = std::ldexp(1.0, isSigned ? width - 1 : width); // exclusive
  context.set(op.getTo(),
              mapUnary(
                  context, to, a,
                  [&](uint64_t x) -> Element {
                    double value = decode(from, x);
                    if (to == ElementType::I1)
                      return {!(value == 0)};
                    if (std::isnan(value))
                      return saturating ? Element{0} : unknownElement();
                    double truncated = std::trunc(value);
                    if (truncated < low)
                      return saturating ? Element{isSigned ? uint64_t(1) << (width - 1) : 0}
                                        : unknownElement();
                    if (truncated >= high)
                      return saturating ? Element{isSigned ? maskOf(to) >> 1 : maskOf(to)}
                                        : unknownElement();
                    uint64_t bits = truncated < 0
                                        ? static_cast<uint64_t>(static_cast<int64_t>(truncated))
                                        : static_cast<uint64_t>(truncated);
                    return {bits & maskOf(to)};
                  },
                  [&](uint64_t, const Element &x) -> Element {
                    auto range = rangeOf(from, x);
                    if (range && to == ElementType::I1 && !range->holdsZero())
                      return {1};
                    if (range && std::trunc(range->low) == std::trunc(range->high))
                      if (double whole = std::trunc(range->low);
                          to != ElementType::I1 && whole >= low && whole < high)
                        return {(whole < 0 ? static_cast<uint64_t>(static_cast<int64_t>(whole))
                                           : static_cast<uint64_t>(whole)) &
                                maskOf(to)};
                    context.noteUndecided(op);
                    return unknownElement();
                  }));
  return Status::success();
}

/// [spec: conv-ftof-round, conv-ftof-saturate, conv-ftof-nan, conv-ftof-power, conv-ftof-unsigned]
Element convert(ElementType from, ElementType to, uint64_t x, Rounding rounding) {
  double value = decode(from, x);
  if (std::isnan(value)) {
    auto nan = nanPattern(to);
    return nan ? Element{*nan, State::NaN} : unknownElement();
  }
  if (from == ElementType::TF32 && (x & 0x1fff) != 0)
    return unknownElement();   // low bits that the format does not have: copied or dropped
  if (!formatOf(to).hasZero) { // a power of two
    double largest = std::ldexp(1.0, 127), smallest = std::ldexp(1.0, -127);
    if (!(value >= smallest && value <= largest))
      return unknownElement();
    return {encode(to, value, rounding)};
  }
  if (!formatOf(to).isSigned && std::signbit(value))
    return unknownElement();
  return {encode(to, value, rounding, isSmallFloat(to) ? Overflow::Saturate : Overflow::Infinity)};
}

/// [spec: conv-ftof-tf32, conv-ftof-widen, type-tf32]
Status evalFToF(BlockContext &context, FToFOp op) {
  const Tile &a = context.tile(op.getFrom());
  ElementType from = a.type(), to = *elementTypeOf(op.getTo().getType());
  Rounding rounding = ieeeRounding(op.getRoundingMode());
  auto within = [&](uint64_t centre, const Element &x) {
    // Conversions that leave something open are left open for ranges too.
    if (!formatOf(to).hasZero || !formatOf(to).isSigned || from == ElementType::TF32)
      return unknownElement();
    return encloseMonotone(from, to, centre, x, [&](double value) {
      return encode(to, value, rounding,
                    isSmallFloat(to) ? Overflow::Saturate : Overflow::Infinity);
    });
  };
  context.set(
      op.getTo(),
      mapUnary(context, to, a, [&](uint64_t x) { return convert(from, to, x, rounding); }, within));
  return Status::success();
}

/// Bits per element in a packed byte sequence.
unsigned packedWidth(ElementType type) {
  return type == ElementType::TF32 ? 32 : widthOf(type);
}

/// Reads the elements of one rank-1 tile as another: little-endian, low bits first.
/// [spec: conv-pack, conv-pack-state]
Tile repack(const Tile &a, ElementType to, llvm::ArrayRef<int64_t> shape) {
  unsigned fromWidth = packedWidth(a.type()), toWidth = packedWidth(to);
  Tile result(to, shape);
  for (size_t i = 0; i < result.size(); ++i) {
    uint64_t bits = 0;
    bool known = true;
    for (unsigned b = 0; b < toWidth;) { // copy runs of bits that come from one source element
      size_t position = i * toWidth + b;
      size_t source = position / fromWidth;
      unsigned offset = position % fromWidth;
      unsigned run = std::min(toWidth - b, fromWidth - offset);
      uint64_t mask = run == 64 ? ~uint64_t(0) : (uint64_t(1) << run) - 1;
      bits |= (a.bits()[source] >> offset & mask) << b;
      known &= a.state(source) == State::Known;
      b += run;
    }
    result.set(i, {bits, known ? State::Known : State::Unknown});
  }
  return result;
}

template <typename Op> Status evalRepack(BlockContext &context, Op op) {
  auto type = mlir::cast<TileType>(op.getResult().getType());
  Tile result = repack(context.tile(op.getSource()), *elementTypeOf(type), type.getShape());
  context.countElements(result.size());
  context.set(op.getResult(), std::move(result));
  return Status::success();
}

} // namespace

void tilesmith::reference::registerConversionEvaluators(Registry &r) {
  r.family("conversion");
  r.add<ExtIOp, evalExt>();
  r.add<TruncIOp, evalTrunc>();
  r.add<BitcastOp, evalBitcast>();
  r.add<IntToPtrOp, evalReinterpret<IntToPtrOp>>();
  r.add<PtrToIntOp, evalReinterpret<PtrToIntOp>>();
  r.add<PtrToPtrOp, evalReinterpret<PtrToPtrOp>>();
  r.add<IToFOp, evalIToF>();
  r.add<FToIOp, evalFToI>();
  r.add<FToFOp, evalFToF>();
  r.family("packing");
  r.add<PackOp, evalRepack<PackOp>>();
  r.add<UnpackOp, evalRepack<UnpackOp>>();
}
