//===- SharedDivision.cpp - many elements of a thread divided by one number -------------------===//
//
// f32, to nearest: with r the rounded reciprocal of s, computed once,
//
//   q = x r        e = q s - x        result = q - e r
//
// is the correctly rounded quotient while nothing leaves the normal range. q is within two units in
// the last place, e is exact or has one bit too many, and of the quotients that lie as near to the
// middle of two numbers as the error of the last step none goes wrong: SharedDivisionTest counts
// them out, all mantissas of s. Both zeros come out right for s > 0. Hence the test, once for all
// elements of a thread: s in [2^-60, 2^24), each x zero or in [2^-100, 2^60), or NaN. Zeros pass it:
// padding, masks and exponentials are full of them. Where it fails for a thread, its warp divides
// each element as always, in a loop that hands the registers round, so that none needs an address.
// Numerators that are not negative, divided by the sum of a line of them, are no larger than that:
// rounded sums are never below what they sum up. They are large enough where their bits less one, as a
// whole number without sign, are: zero becomes the largest.
//
// Integers: with m = floor((2^w - 1) / d), the high half of x m is the quotient or one below it.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/conversion/TileASToNVGPU/Emitter.h"
#include "compiler/dialect/NVGPUExt/IR/NVGPUExt.h"
#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/dialect/TileAS/IR/ThroughConversions.h"
#include "compiler/dialect/TileAS/IR/TileAS.h"
#include "compiler/support/Plants.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <cmath>

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas_to_nvgpu;

namespace {

/// Exponents of the divisor, and of numerators that are not zero: first one, one behind the last.
constexpr int kDivisorFrom = -60, kDivisorTo = 24, kFrom = -100, kTo = 60;

/// The registers of a thread that one number divides.
struct Share {
  Value divisor;
  int64_t first, count;
  SmallVector<int64_t>
      bases; ///< what the bits of the number within the share add to the first register

  Value at(Emitter &e, Value number) const {
    Value index = e.linear(number, bases);
    return first ? Value(arith::OrIOp::create(e.builder, e.loc, index, e.i32(first))) : index;
  }
};

SmallVector<Share> sharesOf(Emitter &e, const Tile &divisors, int64_t bits) {
  SmallVector<Share> shares;
  SmallVector<int64_t> bases;
  for (int64_t basis = 1; basis <= bits; basis *= 2)
    if (bits & basis)
      bases.push_back(basis);
  for (int64_t first = 0; first < divisors.layout.getNumRegisters(); ++first)
    if (!(first & bits))
      shares.push_back(
          {e.loadRegister(divisors, e.i32(first)), first, int64_t(1) << bases.size(), bases});
  return shares;
}

//===- parts of sums --------------------------------------------------------------------------------===//

/// Numbers that are zero, positive or NaN.
bool isNotNegative(Value value) {
  Operation *op = value.getDefiningOp();
  if (isa_and_nonnull<tileaa::MulFOp>(op))
    return op->getOperand(0) == op->getOperand(1) ||
           TILESMITH_PLANT("shared-division-of-any-product");
  return isa_and_nonnull<math::ExpOp, math::Exp2Op, tileaa::Exp2Op, math::AbsFOp>(op);
}

/// The sums of f32 along a dimension, rounded to nearest, that a value holds, maybe in another shape.
tileas::ReduceOp sumsOf(Value value) {
  for (;;) {
    value = tileas::throughConversions(value);
    if (auto view = value.getDefiningOp<tileas::ViewOp>())
      value = view.getSource();
    else if (auto slice = value.getDefiningOp<tileas::ExtractSliceOp>();
             slice && cast<RankedTensorType>(slice.getSource().getType()).getNumElements() == 1)
      value = slice.getSource();
    else
      break;
  }
  auto sums = value.getDefiningOp<tileas::ReduceOp>();
  return sums && isa_and_nonnull<tileaa::AddFOp>(tileas::packedArithmetic(sums))
             ? sums
             : tileas::ReduceOp();
}

/// Whether each element is divided by the sum of its line.
bool dividesParts(tileaa::DivFOp division) {
  Value numerators = tileas::throughConversions(division->getOperand(0)),
        divisors = tileas::throughConversions(division->getOperand(1));
  auto splat = divisors.getDefiningOp<tileaa::SplatOp>();
  auto broadcast = divisors.getDefiningOp<tileas::BroadcastOp>();
  if (!isNotNegative(numerators) || (!splat && !broadcast))
    return false;
  tileas::ReduceOp sums = sumsOf(splat ? splat->getOperand(0) : broadcast.getSource());
  if (!sums || tileas::throughConversions(sums.getOperands()[0]) != numerators)
    return false;
  // One line, or the sums in the places of their lines.
  SmallVector<int64_t> lines(cast<RankedTensorType>(sums.getOperands()[0].getType()).getShape());
  lines[sums.getAxis()] = 1;
  if (broadcast && TILESMITH_PLANT("shared-division-of-other-lines"))
    return true;
  return splat ? llvm::all_of(lines, [](int64_t extent) { return extent == 1; })
               : ArrayRef(lines) ==
                     cast<RankedTensorType>(broadcast.getSource().getType()).getShape();
}

//===- f32 ----------------------------------------------------------------------------------------===//

/// The bits of 2^exponent.
int64_t biased(int exponent) {
  return int64_t(exponent + 127) << 23;
}

Value real(Emitter &e, double value) {
  return arith::ConstantOp::create(e.builder, e.loc, e.builder.getF32FloatAttr(value));
}

/// Numerators of any sign and size, in two chains each: what ptxas takes together where there is an
/// instruction of three operands.
Value areTame(Emitter &e, const Tile &numerators) {
  OpBuilder &b = e.builder;
  // | |x| - c | is c or more at zero and from 2c on. Toward zero: what is between stays below.
  const double c = std::ldexp(1, kFrom - 1);
  auto magnitude = [&](Value index) -> Value {
    return math::AbsFOp::create(b, e.loc, e.loadRegister(numerators, index));
  };
  auto distance = [&](Value magnitude) -> Value {
    return math::AbsFOp::create(
        b, e.loc, roundedIntrinsic(e, "add", "zero", /*ftz=*/false, {magnitude, real(e, -c)}));
  };
  auto larger = [&](Value one, Value two) -> Value {
    return arith::MaxNumFOp::create(b, e.loc, one, two); // NaN aside
  };
  auto smaller = [&](Value one, Value two) -> Value {
    return arith::MinNumFOp::create(b, e.loc, one, two);
  };
  SmallVector<Value> starts;
  for (int64_t chain : {0, 1})
    starts.push_back(magnitude(e.i32(chain)));
  for (int64_t chain : {0, 1})
    starts.push_back(distance(starts[chain]));
  SmallVector<Value> ends = e.unrolledLoop(
      2, numerators.layout.getNumRegisters(), 2, starts, [&](Value index, ValueRange chains) {
        SmallVector<Value> next(chains);
        for (int64_t chain : {0, 1}) {
          Value at = chain ? arith::OrIOp::create(b, e.loc, index, e.i32(1)).getResult() : index;
          Value value = magnitude(at);
          next[chain] = larger(next[chain], value);
          next[chain + 2] = smaller(next[chain + 2], distance(value));
        }
        return next;
      });
  Value largest = larger(ends[0], ends[1]),
        nearest =
            TILESMITH_PLANT("shared-division-tame-by-halves") ? ends[2] : smaller(ends[2], ends[3]);
  return e.both(arith::CmpFOp::create(b, e.loc, arith::CmpFPredicate::OLT, largest,
                                      real(e, std::ldexp(1, kTo))),
                arith::CmpFOp::create(b, e.loc, arith::CmpFPredicate::OGE, nearest, real(e, c)));
}

/// Numerators that are not negative, and no larger than a divisor that has been tested.
Value arePartsTame(Emitter &e, const Tile &numerators) {
  OpBuilder &b = e.builder;
  auto lowered = [&](Value index) -> Value {
    Value bits =
        arith::BitcastOp::create(b, e.loc, b.getI32Type(), e.loadRegister(numerators, index));
    return e.add(bits, e.i32(-1));
  };
  auto smaller = [&](Value one, Value two) -> Value {
    return arith::MinUIOp::create(b, e.loc, one, two);
  };
  SmallVector<Value> ends =
      e.unrolledLoop(2, numerators.layout.getNumRegisters(), 2,
                     {lowered(e.i32(0)), lowered(e.i32(1))}, [&](Value index, ValueRange chains) {
                       Value next = arith::OrIOp::create(b, e.loc, index, e.i32(1));
                       return SmallVector<Value>{smaller(chains[0], lowered(index)),
                                                 smaller(chains[1], lowered(next))};
                     });
  return arith::CmpIOp::create(b, e.loc, arith::CmpIPredicate::uge, smaller(ends[0], ends[1]),
                               e.i32(biased(kFrom) - 1));
}

/// Whether the short sequence rounds all of these correctly.
Value isTame(Emitter &e, const Tile &numerators, ArrayRef<Share> shares, bool parts) {
  OpBuilder &b = e.builder;
  Type word = b.getI32Type();
  Value tame;
  for (const Share &share : shares) { // negative ones are large numbers here
    Value above =
        arith::SubIOp::create(b, e.loc, arith::BitcastOp::create(b, e.loc, word, share.divisor),
                              e.i32(biased(kDivisorFrom)));
    tame = e.both(tame,
                  arith::CmpIOp::create(b, e.loc,
                                        TILESMITH_PLANT("shared-division-of-negative")
                                            ? arith::CmpIPredicate::slt
                                            : arith::CmpIPredicate::ult,
                                        above, e.i32(biased(kDivisorTo) - biased(kDivisorFrom))));
  }
  tame = e.both(tame, parts ? arePartsTame(e, numerators) : areTame(e, numerators));
  // Both ways one after the other would cost a warp more than the longer one.
  return NVVM::VoteSyncOp::create(b, e.loc, b.getI1Type(), e.i32(-1), tame,
                                  NVVM::VoteSyncKind::all);
}

/// The short sequence for one register, or for two where x and r are pairs.
Value quotient(Emitter &e, Value x, Value s, Value r) {
  OpBuilder &b = e.builder;
  auto opposite = [&](Value value) { return arith::NegFOp::create(b, e.loc, value); };
  if (!isa<VectorType>(x.getType())) {
    Value q = arith::MulFOp::create(b, e.loc, x, r);
    if (TILESMITH_PLANT("shared-division-uncorrected"))
      return q;
    Value error = math::FmaOp::create(b, e.loc, q, s, opposite(x));
    return math::FmaOp::create(b, e.loc, opposite(error), r, q);
  }
  auto rounding = nvgpu_ext::Rounding::rn;
  auto fma = [&](Value one, Value two, Value three) {
    return nvgpu_ext::FmaPackedOp::create(b, e.loc, x.getType(), one, two, three, rounding,
                                          /*ftz=*/false);
  };
  Value q = nvgpu_ext::MulPackedOp::create(b, e.loc, x.getType(), x, r, rounding, /*ftz=*/false);
  Value error = fma(q, s, opposite(x));
  return fma(error, opposite(r), q);
}

/// Each element for itself, one code for all: a turn divides the first register and hands all on.
void divideEach(Emitter &e, tileaa::DivFOp op, const Tile &x, ArrayRef<Share> shares,
                const Tile &result) {
  for (const Share &share : shares) {
    SmallVector<Value> registers, values;
    for (int64_t number = 0; number < share.count; ++number) {
      registers.push_back(share.at(e, e.i32(number)));
      values.push_back(e.loadRegister(x, registers.back()));
    }
    auto loop =
        scf::ForOp::create(e.builder, e.loc, e.i32(0), e.i32(share.count), e.i32(1), values);
    Emitter::keepRolled(loop);
    {
      OpBuilder::InsertionGuard guard(e.builder);
      e.builder.setInsertionPointToEnd(loop.getBody());
      SmallVector<Value> handed(loop.getRegionIterArgs().drop_front()), results;
      LogicalResult divided =
          e.emitElement(op, {loop.getRegionIterArg(0), share.divisor}, {}, results);
      assert(succeeded(divided) && "a division has a handler");
      (void)divided;
      handed.push_back(results.front());
      scf::YieldOp::create(e.builder, e.loc, handed);
    }
    for (auto [index, value] : llvm::zip_equal(registers, loop.getResults()))
      e.storeRegister(result, index, value);
  }
}

void divideFloats(Emitter &e, tileaa::DivFOp op, const Tile &x, ArrayRef<Share> shares,
                  const Tile &result) {
  const bool packed = tileas::isPacked(op), parts = dividesParts(op);
  auto shortly = [&] {
    for (const Share &share : shares) {
      Value s = share.divisor, r = arith::DivFOp::create(e.builder, e.loc, real(e, 1), s);
      if (packed)
        s = e.pair(s, s), r = e.pair(r, r);
      e.forLoop(
          share.count,
          [&](Value number) {
            Value index = share.at(e, number);
            if (!packed) {
              e.storeRegister(result, index, quotient(e, e.loadRegister(x, index), s, r));
              return;
            }
            Value next = arith::OrIOp::create(e.builder, e.loc, index, e.i32(1));
            Value both =
                quotient(e, e.pair(e.loadRegister(x, index), e.loadRegister(x, next)), s, r);
            e.storeRegister(result, index, e.half(both, 0));
            e.storeRegister(result, next, e.half(both, 1));
          },
          packed ? 2 : 1);
    }
  };
  Value tame = TILESMITH_PLANT("shared-division-unguarded") ? Value() : isTame(e, x, shares, parts);
  e.when(tame, shortly, [&] { divideEach(e, op, x, shares, result); });
}

//===- integers -----------------------------------------------------------------------------------===//

void divideIntegers(Emitter &e, Operation *op, const Tile &x, ArrayRef<Share> shares,
                    const Tile &result) {
  OpBuilder &b = e.builder;
  const bool isSigned = isa<arith::DivSIOp, arith::RemSIOp>(op),
             remains = isa<arith::RemSIOp, arith::RemUIOp>(op);
  Type element = x.element;
  const unsigned width = std::max(element.getIntOrFloatBitWidth(), 32u);
  Type wide = b.getIntegerType(width);
  auto number = [&](int64_t value) {
    return arith::ConstantIntOp::create(b, e.loc, wide, value).getResult();
  };
  auto widened = [&](Value value) -> Value {
    if (element == wide)
      return value;
    if (isSigned)
      return arith::ExtSIOp::create(b, e.loc, wide, value);
    return arith::ExtUIOp::create(b, e.loc, wide, value);
  };
  auto magnitude = [&](Value value) -> Value {
    return isSigned && !TILESMITH_PLANT("shared-division-of-bits")
               ? Value(math::AbsIOp::create(b, e.loc, value))
               : value;
  };
  for (const Share &share : shares) {
    Value divisor = widened(share.divisor), d = magnitude(divisor);
    Value m = arith::DivUIOp::create(b, e.loc, number(-1), d);
    e.forLoop(share.count, [&](Value turn) {
      Value index = share.at(e, turn);
      Value numerator = widened(e.loadRegister(x, index)), n = magnitude(numerator);
      Value q = arith::MulUIExtendedOp::create(b, e.loc, n, m).getHigh();
      Value rest = arith::SubIOp::create(b, e.loc, n, e.mul(q, d));
      Value over = arith::CmpIOp::create(b, e.loc,
                                         TILESMITH_PLANT("shared-quotient-one-low")
                                             ? arith::CmpIPredicate::ugt
                                             : arith::CmpIPredicate::uge,
                                         rest, d);
      Value value = remains ? rest : q;
      Value next = remains ? Value(arith::SubIOp::create(b, e.loc, rest, d)) : e.add(q, number(1));
      value = arith::SelectOp::create(b, e.loc, over, next, value);
      if (isSigned || TILESMITH_PLANT("shared-division-always-signed")) {
        // A remainder has the sign of the numerator, a quotient that of both.
        Value sign = numerator;
        if (!remains || TILESMITH_PLANT("shared-remainder-sign-of-both"))
          sign = arith::XOrIOp::create(b, e.loc, numerator, divisor);
        sign = arith::ShRSIOp::create(b, e.loc, sign, number(width - 1));
        value = arith::XOrIOp::create(b, e.loc, value, sign);
        value = arith::SubIOp::create(b, e.loc, value, sign);
      }
      if (element != wide)
        value = arith::TruncIOp::create(b, e.loc, element, value);
      e.storeRegister(result, index, value);
    });
  }
}

} // namespace

LogicalResult tileas_to_nvgpu::emitSharedDivision(Emitter &e, Operation *op) {
  Tile x = e.tile(op->getOperand(0));
  SmallVector<Share> shares = sharesOf(e, e.tile(op->getOperand(1)), tileas::getDivisorBits(op));
  Tile result = e.makeTile(op->getResult(0));
  e.setTile(op->getResult(0), result);
  if (auto division = dyn_cast<tileaa::DivFOp>(op))
    divideFloats(e, division, x, shares, result);
  else
    divideIntegers(e, op, x, shares, result);
  return success();
}
