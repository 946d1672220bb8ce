//===- Integer.cpp - integer and bitwise ops --------------------------------------------------===//
//
// Arithmetic modulo 2^n on i1..i64; overflow flags make a violated promise undefined
// behaviour; division by zero and the signed quotient min / -1 are undefined; the remainder min %
// -1 is 0; a shift by n or more is unspecified. Exact values are computed in 128 bits.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/dialect/CudaTile/IR/CudaTile.h"
#include "reference/interp/Elementwise.h"
#include "reference/interp/Registry.h"

using namespace tilesmith;
using namespace tilesmith::reference;
using namespace tilesmith::cuda_tile;

namespace {

using Wide = __int128;

Wide asSigned(ElementType type, uint64_t bits) {
  return signedValue(type, bits);
}
Wide asUnsigned(ElementType type, uint64_t bits) {
  return static_cast<Wide>(unsignedValue(type, bits));
}

bool promisesSigned(IntegerOverflow o) {
  return o == IntegerOverflow::NSW || o == IntegerOverflow::NW;
}
bool promisesUnsigned(IntegerOverflow o) {
  return o == IntegerOverflow::NUW || o == IntegerOverflow::NW;
}

std::string number(Wide value) {
  if (value < 0)
    return "-" + number(-value);
  return value < 10 ? std::string(1, static_cast<char>('0' + static_cast<int>(value)))
                    : number(value / 10) + static_cast<char>('0' + static_cast<int>(value % 10));
}

bool fitsSigned(ElementType type, Wide value) {
  Wide half = static_cast<Wide>(1) << (widthOf(type) - 1);
  return value >= -half && value < half;
}
bool fitsUnsigned(ElementType type, Wide value) {
  return value >= 0 && value < static_cast<Wide>(1) << widthOf(type);
}

/// Evaluates `exact(a, b)` in 128 bits for both readings and checks the promises of the overflow
/// flag.
/// [spec: int-overflow-flags]
template <typename Op, typename Exact>
Status evalWrapping(BlockContext &context, Op op, Exact exact) {
  const Tile &a = context.tile(op.getLhs()), &b = context.tile(op.getRhs());
  ElementType type = a.type();
  IntegerOverflow overflow = op.getOverflow();
  bool checkSigned = promisesSigned(overflow), checkUnsigned = promisesUnsigned(overflow);
  uint64_t mask = maskOf(type);
  Status failure;
  Tile result = mapBinary(context, type, a, b, [&](uint64_t x, uint64_t y) -> Element {
    if (checkSigned) {
      Wide value = exact(asSigned(type, x), asSigned(type, y));
      if (!fitsSigned(type, value) && !failure.failed())
        failure = undefined("signed-overflow",
                            "result " + number(value) + " does not fit a signed " + spelling(type));
    }
    if (checkUnsigned) {
      Wide value = exact(asUnsigned(type, x), asUnsigned(type, y));
      if (!fitsUnsigned(type, value) && !failure.failed())
        failure = undefined("unsigned-overflow", "result " + number(value) +
                                                     " does not fit an unsigned " + spelling(type));
    }
    return {static_cast<uint64_t>(exact(asSigned(type, x), asSigned(type, y))) & mask};
  });
  if (failure.failed())
    return failure;
  context.set(op.getResult(), std::move(result));
  return Status::success();
}

/// [spec: int-add]
Status evalAdd(BlockContext &context, AddIOp op) {
  return evalWrapping(context, op, [](Wide x, Wide y) { return x + y; });
}
/// [spec: int-sub]
Status evalSub(BlockContext &context, SubIOp op) {
  return evalWrapping(context, op, [](Wide x, Wide y) { return x - y; });
}
/// Elements of the result are `absorbing` where an operand is, even when the other one is unspecified:
/// whatever bits it has, they do not matter.
/// [spec: state-unspecified]
void absorb(BlockContext &context, mlir::Value a, mlir::Value b, mlir::Value value,
            uint64_t absorbing) {
  const Tile &lhs = context.tile(a), &rhs = context.tile(b), &plain = context.tile(value);
  if (plain.allKnown())
    return;
  Tile result = plain;
  auto absorbs = [&](const Tile &t, size_t i) {
    size_t at = isSplatOperand(t, result.size()) ? 0 : i;
    return t.state(at) == State::Known && t.bits()[at] == absorbing;
  };
  for (size_t i = 0; i < result.size(); ++i)
    if (absorbs(lhs, i) || absorbs(rhs, i))
      result.set(i, {absorbing});
  context.set(value, std::move(result));
}

/// [spec: int-mul]
Status evalMul(BlockContext &context, MulIOp op) {
  // The unsigned product of two 64-bit numbers may need bit 127; unsigned multiplication keeps all
  // low bits.
  const Tile &a = context.tile(op.getLhs()), &b = context.tile(op.getRhs());
  ElementType type = a.type();
  bool checkSigned = promisesSigned(op.getOverflow()),
       checkUnsigned = promisesUnsigned(op.getOverflow());
  Status failure;
  Tile result = mapBinary(context, type, a, b, [&](uint64_t x, uint64_t y) -> Element {
    if (checkSigned && !fitsSigned(type, asSigned(type, x) * asSigned(type, y)) &&
        !failure.failed())
      failure = undefined("signed-overflow", "product of " + number(asSigned(type, x)) + " and " +
                                                 number(asSigned(type, y)) +
                                                 " does not fit a signed " + spelling(type));
    if (checkUnsigned && static_cast<unsigned __int128>(x) * y > maskOf(type) && !failure.failed())
      failure =
          undefined("unsigned-overflow", "product of " + llvm::Twine(x) + " and " + llvm::Twine(y) +
                                             " does not fit an unsigned " + spelling(type));
    return {x * y & maskOf(type)};
  });
  if (failure.failed())
    return failure;
  context.set(op.getResult(), std::move(result));
  absorb(context, op.getLhs(), op.getRhs(), op.getResult(), 0);
  return Status::success();
}

/// [spec: int-shl, int-shift-amount]
Status evalShl(BlockContext &context, ShLIOp op) {
  const Tile &a = context.tile(op.getLhs()), &b = context.tile(op.getRhs());
  ElementType type = a.type();
  unsigned width = widthOf(type);
  bool checkSigned = promisesSigned(op.getOverflow()),
       checkUnsigned = promisesUnsigned(op.getOverflow());
  Status failure;
  Tile result = mapBinary(context, type, a, b, [&](uint64_t x, uint64_t amount) -> Element {
    if (amount >= width)
      return unknownElement();
    Wide factor = static_cast<Wide>(1) << amount;
    if (checkSigned && !fitsSigned(type, asSigned(type, x) * factor) && !failure.failed())
      failure = undefined("signed-overflow", number(asSigned(type, x)) + " shifted left by " +
                                                 llvm::Twine(amount) + " does not fit a signed " +
                                                 spelling(type));
    if (checkUnsigned && asUnsigned(type, x) > asUnsigned(type, maskOf(type)) / factor &&
        !failure.failed())
      failure = undefined("unsigned-overflow", llvm::Twine(x) + " shifted left by " +
                                                   llvm::Twine(amount) +
                                                   " does not fit an unsigned " + spelling(type));
    return {x << amount & maskOf(type)};
  });
  if (failure.failed())
    return failure;
  context.set(op.getResult(), std::move(result));
  return Status::success();
}

/// [spec: int-shr, int-shift-amount]
Status evalShr(BlockContext &context, ShRIOp op) {
  const Tile &a = context.tile(op.getLhs()), &b = context.tile(op.getRhs());
  ElementType type = a.type();
  bool isSigned = op.getSignedness() == Signedness::Signed;
  context.set(
      op.getResult(), mapBinary(context, type, a, b, [&](uint64_t x, uint64_t amount) -> Element {
        if (amount >= widthOf(type))
          return unknownElement();
        return {isSigned ? static_cast<uint64_t>(signedValue(type, x) >> amount) & maskOf(type)
                         : x >> amount};
      }));
  return Status::success();
}

template <typename Op, typename Function>
Status evalPlain(BlockContext &context, Op op, Function function) {
  const Tile &a = context.tile(op.getLhs()), &b = context.tile(op.getRhs());
  context.set(op.getResult(),
              mapBinary(context, a.type(), a, b,
                        [&](uint64_t x, uint64_t y) -> Element { return {function(x, y)}; }));
  return Status::success();
}

/// [spec: int-bitwise]
template <typename Op, typename Function>
Status evalAbsorbing(BlockContext &context, Op op, uint64_t absorbing, Function function) {
  TILESMITH_TRY(evalPlain(context, op, function));
  absorb(context, op.getLhs(), op.getRhs(), op.getResult(), absorbing);
  return Status::success();
}
Status evalAnd(BlockContext &context, AndIOp op) {
  return evalAbsorbing(context, op, 0, [](uint64_t x, uint64_t y) { return x & y; });
}
Status evalOr(BlockContext &context, OrIOp op) {
  uint64_t ones = maskOf(context.tile(op.getLhs()).type());
  return evalAbsorbing(context, op, ones, [](uint64_t x, uint64_t y) { return x | y; });
}
Status evalXor(BlockContext &context, XOrIOp op) {
  return evalPlain(context, op, [](uint64_t x, uint64_t y) { return x ^ y; });
}

/// [spec: int-minmax]
template <typename Op> Status evalExtremum(BlockContext &context, Op op, bool maximum) {
  ElementType type = context.tile(op.getLhs()).type();
  const uint64_t mask = maskOf(type);
  if (op.getSignedness() == Signedness::Signed)
    return evalAbsorbing(context, op, maximum ? mask >> 1 : mask ^ mask >> 1,
                         [=](uint64_t x, uint64_t y) {
                           return (signedValue(type, x) < signedValue(type, y)) == maximum ? y : x;
                         });
  return evalAbsorbing(context, op, maximum ? mask : 0,
                       [=](uint64_t x, uint64_t y) { return (x < y) == maximum ? y : x; });
}
Status evalMax(BlockContext &context, MaxIOp op) {
  return evalExtremum(context, op, true);
}
Status evalMin(BlockContext &context, MinIOp op) {
  return evalExtremum(context, op, false);
}

/// Quotient rounded as asked; the divisor is not zero.
Wide quotient(Wide x, Wide y, RoundingMode rounding) {
  Wide q = x / y, r = x % y;
  if (r == 0)
    return q;
  bool negative = (x < 0) != (y < 0);
  if (rounding == RoundingMode::NEGATIVE_INF && negative)
    return q - 1;
  if (rounding == RoundingMode::POSITIVE_INF && !negative)
    return q + 1;
  return q;
}

/// [spec: int-divi, int-divi-by-zero, int-divi-overflow]
Status evalDiv(BlockContext &context, DivIOp op) {
  const Tile &a = context.tile(op.getLhs()), &b = context.tile(op.getRhs());
  ElementType type = a.type();
  bool isSigned = op.getSignedness() == Signedness::Signed;
  RoundingMode rounding = op.getRounding();
  Status failure;
  Tile result = mapBinary(context, type, a, b, [&](uint64_t x, uint64_t y) -> Element {
    if (y == 0) {
      if (!failure.failed())
        failure = undefined("division-by-zero",
                            number(isSigned ? asSigned(type, x) : asUnsigned(type, x)) +
                                " is divided by 0");
      return {};
    }
    Wide q = isSigned ? quotient(asSigned(type, x), asSigned(type, y), rounding)
                      : quotient(asUnsigned(type, x), asUnsigned(type, y), rounding);
    if (isSigned && !fitsSigned(type, q) && !failure.failed())
      failure = undefined("signed-overflow", "quotient of " + number(asSigned(type, x)) +
                                                 " and -1 does not fit " + spelling(type));
    return {static_cast<uint64_t>(q) & maskOf(type)};
  });
  if (failure.failed())
    return failure;
  context.set(op.getResult(), std::move(result));
  return Status::success();
}

/// [spec: int-remi, int-divi-by-zero]
Status evalRem(BlockContext &context, RemIOp op) {
  const Tile &a = context.tile(op.getLhs()), &b = context.tile(op.getRhs());
  ElementType type = a.type();
  bool isSigned = op.getSignedness() == Signedness::Signed;
  Status failure;
  Tile result = mapBinary(context, type, a, b, [&](uint64_t x, uint64_t y) -> Element {
    if (y == 0) {
      if (!failure.failed())
        failure =
            undefined("division-by-zero",
                      "remainder of " + number(isSigned ? asSigned(type, x) : asUnsigned(type, x)) +
                          " and 0");
      return {};
    }
    Wide r = isSigned ? asSigned(type, x) % asSigned(type, y)
                      : asUnsigned(type, x) % asUnsigned(type, y);
    return {static_cast<uint64_t>(r) & maskOf(type)};
  });
  if (failure.failed())
    return failure;
  context.set(op.getResult(), std::move(result));
  return Status::success();
}

/// [spec: int-abs]
Status evalAbs(BlockContext &context, AbsIOp op) {
  const Tile &a = context.tile(op.getSource());
  ElementType type = a.type();
  context.set(op.getResult(), mapUnary(context, type, a, [&](uint64_t x) -> Element {
                return {(signedValue(type, x) < 0 ? 0 - x : x) & maskOf(type)};
              }));
  return Status::success();
}

/// [spec: int-neg]
Status evalNeg(BlockContext &context, NegIOp op) {
  const Tile &a = context.tile(op.getSource());
  ElementType type = a.type();
  bool checkSigned = promisesSigned(op.getOverflow());
  Status failure;
  Tile result = mapUnary(context, type, a, [&](uint64_t x) -> Element {
    if (checkSigned && !fitsSigned(type, -asSigned(type, x)) && !failure.failed())
      failure = undefined("signed-overflow", "negation of " + number(asSigned(type, x)) +
                                                 " does not fit a signed " + spelling(type));
    return {(0 - x) & maskOf(type)};
  });
  if (failure.failed())
    return failure;
  context.set(op.getResult(), std::move(result));
  return Status::success();
}

/// [spec: int-mulhi]
Status evalMulhi(BlockContext &context, MulhiIOp op) {
  const Tile &a = context.tile(op.getX()), &b = context.tile(op.getY());
  unsigned width = widthOf(a.type());
  context.set(op.getResult(),
              mapBinary(context, a.type(), a, b, [&](uint64_t x, uint64_t y) -> Element {
                return {static_cast<uint64_t>(static_cast<unsigned __int128>(x) * y >> width)};
              }));
  absorb(context, op.getX(), op.getY(), op.getResult(), 0);
  return Status::success();
}

/// [spec: int-compare]
Status evalCompare(BlockContext &context, CmpIOp op) {
  const Tile &a = context.tile(op.getLhs()), &b = context.tile(op.getRhs());
  ElementType type = a.type();
  bool isSigned = op.getSignedness() == Signedness::Signed;
  ComparisonPredicate predicate = op.getComparisonPredicate();
  context.set(op.getResult(),
              mapBinary(context, ElementType::I1, a, b, [&](uint64_t x, uint64_t y) -> Element {
                bool less = isSigned ? signedValue(type, x) < signedValue(type, y) : x < y;
                switch (predicate) {
                case ComparisonPredicate::EQUAL:
                  return {x == y};
                case ComparisonPredicate::NOT_EQUAL:
                  return {x != y};
                case ComparisonPredicate::LESS_THAN:
                  return {less};
                case ComparisonPredicate::LESS_THAN_OR_EQUAL:
                  return {less || x == y};
                case ComparisonPredicate::GREATER_THAN:
                  return {!less && x != y};
                case ComparisonPredicate::GREATER_THAN_OR_EQUAL:
                  return {!less};
                }
                return {};
              }));
  return Status::success();
}

} // namespace

void tilesmith::reference::registerIntegerEvaluators(Registry &r) {
  r.family("integer");
  r.add<AddIOp, evalAdd>();
  r.add<SubIOp, evalSub>();
  r.add<MulIOp, evalMul>();
  r.add<ShLIOp, evalShl>();
  r.add<ShRIOp, evalShr>();
  r.add<AndIOp, evalAnd>();
  r.add<OrIOp, evalOr>();
  r.add<XOrIOp, evalXor>();
  r.add<MaxIOp, evalMax>();
  r.add<MinIOp, evalMin>();
  r.add<DivIOp, evalDiv>();
  r.add<RemIOp, evalRem>();
  r.add<AbsIOp, evalAbs>();
  r.add<NegIOp, evalNeg>();
  r.add<MulhiIOp, evalMulhi>();
  r.add<CmpIOp, evalCompare>();
}
