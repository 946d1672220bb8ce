// Floating-point device operations: rounding modes and flushing exact, approximations computed in
// double and rounded once (so within half an ulp, inside every documented bound). Integers are in
// IntegerArithmetic.cpp.
#include "oracles/devices/emulator/Intrinsics.h"
#include "oracles/devices/emulator/Numeric.h"

namespace tilesmith::emulator {

namespace {

using llvm::Value;

// ---- f32 and f64 with rounding mode, flush-to-zero, saturation ----

template <bool Ftz> float in(float x) {
  return Ftz ? flush(x) : x;
}
template <bool Ftz, bool Sat> float out(float x) {
  if (Sat)
    x = saturate01(x);
  return Ftz ? flush(x) : x;
}

// IEEE sign of an exact zero sum: negative only when rounding down, or when both addends are
// negative zeros.
double signedZeroSum(double sum, double a, double b, Round round) {
  if (sum != 0 || (a == 0 && b == 0 && std::signbit(a) == std::signbit(b)))
    return sum;
  return round == Round::Down ? -0.0 : 0.0;
}

template <Round R, bool Ftz, bool Sat> float addF(float a, float b) {
  a = in<Ftz>(a), b = in<Ftz>(b);
  return out<Ftz, Sat>(roundToFloat(signedZeroSum(addToOdd(a, b), a, b, R), R));
}
template <Round R, bool Ftz, bool Sat> float mulF(float a, float b) {
  return out<Ftz, Sat>(roundToFloat(static_cast<double>(in<Ftz>(a)) * in<Ftz>(b), R));
}
template <Round R, bool Ftz, bool Sat> float divF(float a, float b) {
  return out<Ftz, Sat>(roundToFloat(divToOdd(in<Ftz>(a), in<Ftz>(b)), R));
}
template <Round R, bool Ftz, bool Sat> float fmaF(float a, float b, float c) {
  const double product = static_cast<double>(in<Ftz>(a)) * in<Ftz>(b);
  c = in<Ftz>(c);
  return out<Ftz, Sat>(roundToFloat(signedZeroSum(addToOdd(product, c), product, c, R), R));
}
template <Round R, bool Ftz> float sqrtF(float a) {
  return out<Ftz, false>(roundToFloat(sqrtToOdd(in<Ftz>(a)), R));
}
template <Round R, bool Ftz> float rcpF(float a) {
  return divF<R, Ftz, false>(1.0f, a);
}

llvm::APFloat::roundingMode apRound(Round round) {
  switch (round) {
  case Round::Nearest:
    return llvm::APFloat::rmNearestTiesToEven;
  case Round::Zero:
    return llvm::APFloat::rmTowardZero;
  case Round::Down:
    return llvm::APFloat::rmTowardNegative;
  case Round::Up:
    return llvm::APFloat::rmTowardPositive;
  case Round::NearestAway:
    return llvm::APFloat::rmNearestTiesToAway;
  }
  return llvm::APFloat::rmNearestTiesToEven;
}

template <Round R> double addD(double a, double b) {
  llvm::APFloat x(a);
  x.add(llvm::APFloat(b), apRound(R));
  return x.convertToDouble();
}
template <Round R> double mulD(double a, double b) {
  llvm::APFloat x(a);
  x.multiply(llvm::APFloat(b), apRound(R));
  return x.convertToDouble();
}
template <Round R> double divD(double a, double b) {
  llvm::APFloat x(a);
  x.divide(llvm::APFloat(b), apRound(R));
  return x.convertToDouble();
}
template <Round R> double fmaD(double a, double b, double c) {
  llvm::APFloat x(a);
  x.fusedMultiplyAdd(llvm::APFloat(b), llvm::APFloat(c), apRound(R));
  return x.convertToDouble();
}
template <Round R> double rcpD(double a) {
  return divD<R>(1.0, a);
}
template <Round R> double sqrtD(double a) {
  if (R == Round::Nearest || !(a > 0) || std::isinf(a))
    return std::sqrt(a);
  // The residual of a small argument would underflow; an even power of two moves it away and scales
  // the root exactly.
  const bool small = a < 0x1p-800;
  if (small)
    a *= 0x1p+200;
  double root = std::sqrt(a);
  const double error = std::fma(-root, root, a); // a - root^2
  if (error > 0 && R == Round::Up)
    root = std::nextafter(root, HUGE_VAL);
  if (error < 0 && (R == Round::Down || R == Round::Zero))
    root = std::nextafter(root, 0.0);
  return small ? root * 0x1p-100 : root;
}

// Round to nearest even without flushing is what plain IR means.
ExpandFn plain(llvm::Instruction::BinaryOps op) {
  return [op](ExpandContext &c) -> Value * {
    return c.builder.CreateBinOp(op, c.call.getArgOperand(0), c.call.getArgOperand(1));
  };
}
Value *plainFma(ExpandContext &c) {
  if (const char *name = fusedHostFunction(c.call.getType()))
    return c.builder.CreateCall(
        c.call.getModule()->getOrInsertFunction(name, c.call.getFunctionType()),
        {c.call.getArgOperand(0), c.call.getArgOperand(1), c.call.getArgOperand(2)});
  return c.builder.CreateIntrinsic(
      llvm::Intrinsic::fma, {c.call.getType()},
      {c.call.getArgOperand(0), c.call.getArgOperand(1), c.call.getArgOperand(2)});
}
Value *plainSqrt(ExpandContext &c) {
  return c.builder.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, c.call.getArgOperand(0));
}
Value *plainReciprocal(ExpandContext &c) {
  return c.builder.CreateFDiv(llvm::ConstantFP::get(c.call.getType(), 1.0),
                              c.call.getArgOperand(0));
}

template <Round R> void registerRounding(IntrinsicTable &t, const std::string &r) {
  const std::string p = "llvm.nvvm.";
  if constexpr (R == Round::Nearest) {
    for (const char *type : {".f", ".d"}) {
      t.expand(p + "add.rn" + type, plain(llvm::Instruction::FAdd));
      t.expand(p + "mul.rn" + type, plain(llvm::Instruction::FMul));
      t.expand(p + "div.rn" + type, plain(llvm::Instruction::FDiv));
      t.expand(p + "fma.rn" + type, plainFma);
      t.expand(p + "sqrt.rn" + type, plainSqrt);
      t.expand(p + "rcp.rn" + type, plainReciprocal);
    }
  } else {
    t.direct(p + "add." + r + ".f", addF<R, false, false>);
    t.direct(p + "mul." + r + ".f", mulF<R, false, false>);
    t.direct(p + "div." + r + ".f", divF<R, false, false>);
    t.direct(p + "fma." + r + ".f", fmaF<R, false, false>);
    t.direct(p + "sqrt." + r + ".f", sqrtF<R, false>);
    t.direct(p + "rcp." + r + ".f", rcpF<R, false>);
    t.direct(p + "add." + r + ".d", addD<R>);
    t.direct(p + "mul." + r + ".d", mulD<R>);
    t.direct(p + "div." + r + ".d", divD<R>);
    t.direct(p + "fma." + r + ".d", fmaD<R>);
    t.direct(p + "sqrt." + r + ".d", sqrtD<R>);
    t.direct(p + "rcp." + r + ".d", rcpD<R>);
  }
  // The same operations under their device-library names.
  const std::string n = "__nv_", s = "_" + std::string(r == "rm" ? "rd" : r == "rp" ? "ru" : r);
  t.direct(n + "fadd" + s, addF<R, false, false>), t.direct(n + "fmul" + s, mulF<R, false, false>);
  t.direct(n + "fdiv" + s, divF<R, false, false>), t.direct(n + "fmaf" + s, fmaF<R, false, false>);
  t.direct(n + "fsqrt" + s, sqrtF<R, false>), t.direct(n + "frcp" + s, rcpF<R, false>);
  t.direct(n + "dadd" + s, addD<R>), t.direct(n + "dmul" + s, mulD<R>),
      t.direct(n + "ddiv" + s, divD<R>);
  t.direct(n + "fma" + s, fmaD<R>), t.direct(n + "dsqrt" + s, sqrtD<R>),
      t.direct(n + "drcp" + s, rcpD<R>);
  t.direct(p + "add." + r + ".ftz.f", addF<R, true, false>);
  t.direct(p + "add." + r + ".sat.f", addF<R, false, true>);
  t.direct(p + "add." + r + ".ftz.sat.f", addF<R, true, true>);
  t.direct(p + "mul." + r + ".ftz.f", mulF<R, true, false>);
  t.direct(p + "div." + r + ".ftz.f", divF<R, true, false>);
  t.direct(p + "fma." + r + ".ftz.f", fmaF<R, true, false>);
  t.direct(p + "fma." + r + ".sat.f", fmaF<R, false, true>);
  t.direct(p + "fma." + r + ".ftz.sat.f", fmaF<R, true, true>);
  t.direct(p + "sqrt." + r + ".ftz.f", sqrtF<R, true>);
  t.direct(p + "rcp." + r + ".ftz.f", rcpF<R, true>);
}

// ---- approximations: double precision, rounded once ----

template <double (*F)(double), bool Ftz> float approxF(float x) {
  return out<Ftz, false>(static_cast<float>(F(in<Ftz>(x))));
}
double rsqrtOf(double x) {
  return 1.0 / std::sqrt(x);
}
double rcpOf(double x) {
  return 1.0 / x;
}
double exp2Of(double x) {
  return std::exp2(x);
}
double log2Of(double x) {
  return std::log2(x);
}
double sinOf(double x) {
  return std::sin(x);
}
double cosOf(double x) {
  return std::cos(x);
}
double sqrtOf(double x) {
  return std::sqrt(x);
}

template <const Format &F> void rtEx2Narrow(Frame *frame, uint32_t) {
  frame->put<uint16_t>(0, encode(std::exp2(decode(frame->get<uint16_t>(0), F)), F));
}

void registerApproximations(IntrinsicTable &t) {
  const std::string p = "llvm.nvvm.";
  t.direct(p + "ex2.approx.f32", approxF<exp2Of, false>);
  t.direct(p + "ex2.approx.ftz.f32", approxF<exp2Of, true>);
  t.direct(p + "ex2.approx.f", approxF<exp2Of, false>); // names before LLVM 22
  t.direct(p + "ex2.approx.ftz.f", approxF<exp2Of, true>);
  for (const char *ftz : {"", ".ftz"}) {
    t.frame(p + "ex2.approx" + ftz + ".f16", rtEx2Narrow<kF16>);
    t.frame(p + "ex2.approx" + ftz + ".bf16", rtEx2Narrow<kBF16>);
  }
  t.direct(p + "lg2.approx.f", approxF<log2Of, false>);
  t.direct(p + "lg2.approx.ftz.f", approxF<log2Of, true>);
  t.direct(p + "sin.approx.f", approxF<sinOf, false>);
  t.direct(p + "sin.approx.ftz.f", approxF<sinOf, true>);
  t.direct(p + "cos.approx.f", approxF<cosOf, false>);
  t.direct(p + "cos.approx.ftz.f", approxF<cosOf, true>);
  t.direct(p + "sqrt.f", approxF<sqrtOf, false>);
  t.direct(p + "sqrt.approx.f", approxF<sqrtOf, false>);
  t.direct(p + "sqrt.approx.ftz.f", approxF<sqrtOf, true>);
  t.direct(p + "rsqrt.approx.f", approxF<rsqrtOf, false>);
  t.direct(p + "rsqrt.approx.ftz.f", approxF<rsqrtOf, true>);
  t.direct(p + "rcp.approx.ftz.f", approxF<rcpOf, true>);
  t.direct(p + "div.approx.f", divF<Round::Nearest, false, false>);
  t.direct(p + "div.approx.ftz.f", divF<Round::Nearest, true, false>);
  t.direct(p + "div.full", divF<Round::Nearest, false, false>);
  t.direct(p + "div.full.ftz", divF<Round::Nearest, true, false>);
  t.direct(p + "lg2.approx.d", log2Of);
  t.direct(p + "rsqrt.approx.d", rsqrtOf);
  t.direct(p + "rsqrt.approx.ftz.d", rsqrtOf);
  t.direct(p + "rcp.approx.ftz.d", rcpOf);
}

// ---- minimum and maximum ----

template <bool Max, bool Nan, bool XorSign> double extreme(double a, double b) {
  const bool negative = std::signbit(a) != std::signbit(b);
  if (XorSign)
    a = std::fabs(a), b = std::fabs(b);
  double result;
  if (std::isnan(a) || std::isnan(b))
    result = Nan || (std::isnan(a) && std::isnan(b)) ? std::nan("") : std::isnan(a) ? b : a;
  else if (a == b)
    result = Max ? (std::signbit(a) ? b : a) : (std::signbit(a) ? a : b);
  else
    result = (a < b) == Max ? b : a;
  return XorSign && !std::isnan(result) ? std::copysign(result, negative ? -1.0 : 1.0) : result;
}

template <bool Max, bool Ftz, bool Nan, bool Xor> float extremeF(float a, float b) {
  const auto result = static_cast<float>(extreme<Max, Nan, Xor>(in<Ftz>(a), in<Ftz>(b)));
  return std::isnan(result) ? bitsTo<float>(0x7fffffffu) : result;
}
template <bool Max> double extremeD(double a, double b) {
  return extreme<Max, false, false>(a, b);
}

double flushNarrow(double x, const Format &format) {
  const double smallest = std::ldexp(1.0, 1 - format.bias());
  return std::fabs(x) < smallest ? std::copysign(0.0, x) : x;
}

// Element-wise operation on `Lanes` narrow floats that sit in one slot per operand.
template <const Format &F, int Lanes, int Operands, typename Op> void narrow(Frame *frame, Op op) {
  uint16_t result[Lanes];
  for (int i = 0; i < Lanes; ++i) {
    double x[Operands];
    for (int j = 0; j < Operands; ++j)
      x[j] = decode(frame->get<std::array<uint16_t, Lanes>>(j)[i], F);
    result[i] = static_cast<uint16_t>(op(x));
  }
  std::memcpy(frame, result, sizeof result);
}

template <const Format &F, int Lanes, bool Max, bool Ftz, bool Nan, bool Xor>
void rtExtremeNarrow(Frame *frame, uint32_t) {
  narrow<F, Lanes, 2>(frame, [](double *x) {
    if (Ftz)
      x[0] = flushNarrow(x[0], F), x[1] = flushNarrow(x[1], F);
    return encode(extreme<Max, Nan, Xor>(x[0], x[1]), F);
  });
}

template <bool Max, bool Ftz, bool Nan, bool Xor> void registerExtreme(IntrinsicTable &t) {
  const std::string p = std::string("llvm.nvvm.") + (Max ? "fmax" : "fmin") + (Ftz ? ".ftz" : "") +
                        (Nan ? ".nan" : "") + (Xor ? ".xorsign.abs" : "");
  t.direct(p + ".f", extremeF<Max, Ftz, Nan, Xor>);
  t.frame(p + ".f16", rtExtremeNarrow<kF16, 1, Max, Ftz, Nan, Xor>);
  t.frame(p + ".f16x2", rtExtremeNarrow<kF16, 2, Max, Ftz, Nan, Xor>);
  t.frame(p + ".bf16", rtExtremeNarrow<kBF16, 1, Max, Ftz, Nan, Xor>);
  t.frame(p + ".bf16x2", rtExtremeNarrow<kBF16, 2, Max, Ftz, Nan, Xor>);
}

template <bool Max> void registerExtremes(IntrinsicTable &t) {
  t.direct(std::string("llvm.nvvm.") + (Max ? "fmax" : "fmin") + ".d", extremeD<Max>);
  registerExtreme<Max, false, false, false>(t);
  registerExtreme<Max, true, false, false>(t);
  registerExtreme<Max, false, true, false>(t);
  registerExtreme<Max, true, true, false>(t);
  registerExtreme<Max, false, false, true>(t);
  registerExtreme<Max, true, false, true>(t);
  registerExtreme<Max, false, true, true>(t);
  registerExtreme<Max, true, true, true>(t);
}

// ---- narrow fused multiply-add ----

template <const Format &F, int Lanes, bool Ftz, bool Sat, bool Relu>
void rtFmaNarrow(Frame *frame, uint32_t) {
  narrow<F, Lanes, 3>(frame, [](double *x) {
    for (int j = 0; Ftz && j < 3; ++j)
      x[j] = flushNarrow(x[j], F);
    double value = signedZeroSum(addToOdd(x[0] * x[1], x[2]), x[0] * x[1], x[2], Round::Nearest);
    if (Sat)
      value = std::isnan(value) ? 0.0 : std::fmin(std::fmax(value, 0.0), 1.0);
    if (Relu && value < 0)
      value = 0;
    uint32_t bits = encode(value, F);
    if (Ftz)
      bits = encode(flushNarrow(decode(bits, F), F), F);
    return bits;
  });
}

template <const Format &F> void registerNarrowFma(IntrinsicTable &t, const std::string &type) {
  const std::string p = "llvm.nvvm.fma.rn";
  t.frame(p + "." + type, rtFmaNarrow<F, 1, false, false, false>);
  t.frame(p + ".ftz." + type, rtFmaNarrow<F, 1, true, false, false>);
  t.frame(p + ".sat." + type, rtFmaNarrow<F, 1, false, true, false>);
  t.frame(p + ".ftz.sat." + type, rtFmaNarrow<F, 1, true, true, false>);
  t.frame(p + ".relu." + type, rtFmaNarrow<F, 1, false, false, true>);
  t.frame(p + ".ftz.relu." + type, rtFmaNarrow<F, 1, true, false, true>);
  t.frame(p + "." + type + "x2", rtFmaNarrow<F, 2, false, false, false>);
  t.frame(p + ".ftz." + type + "x2", rtFmaNarrow<F, 2, true, false, false>);
  t.frame(p + ".sat." + type + "x2", rtFmaNarrow<F, 2, false, true, false>);
  t.frame(p + ".ftz.sat." + type + "x2", rtFmaNarrow<F, 2, true, true, false>);
  t.frame(p + ".relu." + type + "x2", rtFmaNarrow<F, 2, false, false, true>);
  t.frame(p + ".ftz.relu." + type + "x2", rtFmaNarrow<F, 2, true, false, true>);
}

// ---- rounding to integral values, absolute value, saturation ----

float roundEvenF(float x) {
  return std::nearbyint(x);
}
template <float (*F)(float)> float flushed(float x) {
  return flush(F(flush(x)));
}
float ceilF(float x) {
  return std::ceil(x);
}
float floorF(float x) {
  return std::floor(x);
}
float truncF(float x) {
  return std::trunc(x);
}
double ceilD(double x) {
  return std::ceil(x);
}
double floorD(double x) {
  return std::floor(x);
}
double truncD(double x) {
  return std::trunc(x);
}
double roundEvenD(double x) {
  return std::nearbyint(x);
}
double saturateD(double x) {
  return x > 0 ? (x < 1 ? x : 1) : 0;
}

void registerUnary(IntrinsicTable &t) {
  const std::string p = "llvm.nvvm.";
  t.direct(p + "round.f", roundEvenF), t.direct(p + "round.ftz.f", flushed<roundEvenF>);
  t.direct(p + "ceil.f", ceilF), t.direct(p + "ceil.ftz.f", flushed<ceilF>);
  t.direct(p + "floor.f", floorF), t.direct(p + "floor.ftz.f", flushed<floorF>);
  t.direct(p + "trunc.f", truncF), t.direct(p + "trunc.ftz.f", flushed<truncF>);
  t.direct(p + "saturate.f", saturate01), t.direct(p + "saturate.ftz.f", flushed<saturate01>);
  t.direct(p + "round.d", roundEvenD), t.direct(p + "ceil.d", ceilD),
      t.direct(p + "floor.d", floorD);
  t.direct(p + "trunc.d", truncD), t.direct(p + "saturate.d", saturateD);
  auto absolute = [](ExpandContext &c) -> Value * {
    return c.builder.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, c.call.getArgOperand(0));
  };
  // Funnel shifts with the amount clamped to 32.
  for (bool left : {true, false})
    t.direct(p + (left ? "fshl.clamp" : "fshr.clamp"),
             left ? +[](uint32_t high, uint32_t low, uint32_t amount) -> uint32_t {
               const uint64_t both = uint64_t{high} << 32 | low;
               return static_cast<uint32_t>(both << std::min(amount, 32u) >> 32);
             } : +[](uint32_t high, uint32_t low, uint32_t amount) -> uint32_t {
               const uint64_t both = uint64_t{high} << 32 | low;
               return static_cast<uint32_t>(both >> std::min(amount, 32u));
             });
  // The most significant digit that is not the sign, or -1; as a shift amount on request.
  for (bool isSigned : {true, false})
    t.expand(p + (isSigned ? "flo.s" : "flo.u"), [isSigned](ExpandContext &c) -> llvm::Value * {
      auto &b = c.builder;
      llvm::Value *x = c.call.getArgOperand(0);
      llvm::Type *type = x->getType();
      const unsigned width = type->getIntegerBitWidth();
      if (isSigned)
        x = b.CreateXor(x, b.CreateAShr(x, width - 1));
      llvm::Value *zeros = b.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, x, b.getFalse());
      llvm::Value *place =
          b.CreateSelect(c.call.getArgOperand(1), zeros,
                         b.CreateSub(llvm::ConstantInt::get(type, width - 1), zeros));
      place = b.CreateZExtOrTrunc(place, b.getInt32Ty());
      return b.CreateSelect(b.CreateIsNull(x), b.getInt32(-1), place);
    });
  t.expand(p + "fabs", absolute);
  t.direct(p + "fabs.ftz.f32", +[](float x) { return std::fabs(flush(x)); });
  auto negate = [](ExpandContext &c) -> Value * {
    return c.builder.CreateFNeg(c.call.getArgOperand(0));
  };
  t.expand(p + "neg.bf16", negate), t.expand(p + "neg.bf16x2", negate);
}

} // namespace

void registerArithmetic(IntrinsicTable &table) {
  registerRounding<Round::Nearest>(table, "rn");
  registerRounding<Round::Zero>(table, "rz");
  registerRounding<Round::Down>(table, "rm");
  registerRounding<Round::Up>(table, "rp");
  registerApproximations(table);
  registerExtremes<true>(table);
  registerExtremes<false>(table);
  registerNarrowFma<kF16>(table, "f16");
  registerNarrowFma<kBF16>(table, "bf16");
  registerUnary(table);
}

} // namespace tilesmith::emulator
