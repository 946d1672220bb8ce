// Conversions between number formats: every rounding mode, saturation and packing exact.
#include "oracles/devices/emulator/Intrinsics.h"
#include "oracles/devices/emulator/Numeric.h"

#include <limits>

namespace tilesmith::emulator {

namespace {

// ---- float to integer: rounds, clamps; NaN gives 0 from f32 to 32 bits and only the top bit
// otherwise ----

double roundIntegral(double x, Round round) {
  switch (round) {
  case Round::Nearest:
    return std::nearbyint(x);
  case Round::Zero:
    return std::trunc(x);
  case Round::Down:
    return std::floor(x);
  case Round::Up:
    return std::ceil(x);
  case Round::NearestAway:
    return std::round(x);
  }
  return x;
}

template <typename I> I toInteger(double x, Round round, bool fromDouble) {
  if (std::isnan(x))
    return sizeof(I) == 8 || fromDouble
               ? static_cast<I>(std::make_unsigned_t<I>{1} << (8 * sizeof(I) - 1))
               : 0;
  x = roundIntegral(x, round);
  const double low = static_cast<double>(std::numeric_limits<I>::min());
  const double high =
      std::ldexp(1.0, 8 * sizeof(I) - (std::is_signed_v<I> ? 1 : 0)); // one past the largest
  if (x < low)
    return std::numeric_limits<I>::min();
  if (x >= high)
    return std::numeric_limits<I>::max();
  return static_cast<I>(x);
}

template <typename I, Round R, bool Ftz> I floatToInt(float x) {
  return toInteger<I>(Ftz ? flush(x) : x, R, false);
}
template <typename I, Round R> I doubleToInt(double x) {
  return toInteger<I>(x, R, true);
}

// ---- integer to float ----

template <typename F, typename I, Round R> F intToFloat(I value) {
  llvm::APFloat x(sizeof(F) == 4 ? llvm::APFloat::IEEEsingle() : llvm::APFloat::IEEEdouble());
  const llvm::APFloat::roundingMode modes[] = {
      llvm::APFloat::rmNearestTiesToEven, llvm::APFloat::rmTowardZero,
      llvm::APFloat::rmTowardNegative, llvm::APFloat::rmTowardPositive};
  x.convertFromAPInt(
      llvm::APInt(8 * sizeof(I), static_cast<uint64_t>(value), std::is_signed_v<I>, true),
      std::is_signed_v<I>, modes[static_cast<int>(R)]);
  if constexpr (sizeof(F) == 4)
    return x.convertToFloat();
  else
    return x.convertToDouble();
}

template <Round R, bool Ftz> float doubleToFloat(double x) {
  const float result = roundToFloat(x, R);
  return Ftz ? flush(result) : result;
}

template <Round R> void registerNumberConversions(IntrinsicTable &t, const std::string &r) {
  const std::string p = "llvm.nvvm.";
  t.direct(p + "f2i." + r, floatToInt<int32_t, R, false>),
      t.direct(p + "f2i." + r + ".ftz", floatToInt<int32_t, R, true>);
  t.direct(p + "f2ui." + r, floatToInt<uint32_t, R, false>);
  t.direct(p + "f2ui." + r + ".ftz", floatToInt<uint32_t, R, true>);
  t.direct(p + "f2ll." + r, floatToInt<int64_t, R, false>);
  t.direct(p + "f2ll." + r + ".ftz", floatToInt<int64_t, R, true>);
  t.direct(p + "f2ull." + r, floatToInt<uint64_t, R, false>);
  t.direct(p + "f2ull." + r + ".ftz", floatToInt<uint64_t, R, true>);
  t.direct(p + "d2i." + r, doubleToInt<int32_t, R>),
      t.direct(p + "d2ui." + r, doubleToInt<uint32_t, R>);
  t.direct(p + "d2ll." + r, doubleToInt<int64_t, R>),
      t.direct(p + "d2ull." + r, doubleToInt<uint64_t, R>);
  t.direct(p + "i2f." + r, intToFloat<float, int32_t, R>),
      t.direct(p + "ui2f." + r, intToFloat<float, uint32_t, R>);
  t.direct(p + "ll2f." + r, intToFloat<float, int64_t, R>),
      t.direct(p + "ull2f." + r, intToFloat<float, uint64_t, R>);
  t.direct(p + "i2d." + r, intToFloat<double, int32_t, R>),
      t.direct(p + "ui2d." + r, intToFloat<double, uint32_t, R>);
  t.direct(p + "ll2d." + r, intToFloat<double, int64_t, R>);
  t.direct(p + "ull2d." + r, intToFloat<double, uint64_t, R>);
  t.direct(p + "d2f." + r, doubleToFloat<R, false>),
      t.direct(p + "d2f." + r + ".ftz", doubleToFloat<R, true>);
}

// ---- narrow floats ----

template <const Format &F, Round R, bool Relu, bool Sat> uint32_t narrowed(double x) {
  if (Relu)
    x = std::isnan(x) ? x : std::fmax(x, 0.0);
  if (Relu && x == 0)
    x = 0.0;
  return encode(x, F, R, Sat);
}

// One f32 to one value in the low bits of the slot.
template <const Format &F, typename Out, Round R, bool Relu, bool Sat>
void rtNarrow(Frame *frame, uint32_t) {
  frame->put<Out>(0, narrowed<F, R, Relu, Sat>(frame->get<float>(0)));
}
// Two f32 to a pair; the first operand becomes the upper half.
template <const Format &F, Round R, bool Relu, bool Sat> void rtNarrowPair(Frame *frame, uint32_t) {
  const uint32_t high = narrowed<F, R, Relu, Sat>(frame->get<float>(0));
  const uint32_t low = narrowed<F, R, Relu, Sat>(frame->get<float>(1));
  const int half = F.exponentBits + F.mantissaBits > 8 ? 16 : 8;
  frame->put<uint32_t>(0, low | high << half);
}
// e2m1 pairs share one byte.
template <bool Relu> void rtNarrowNibbles(Frame *frame, uint32_t) {
  const uint32_t high = narrowed<kE2M1, Round::Nearest, Relu, true>(frame->get<float>(0));
  const uint32_t low = narrowed<kE2M1, Round::Nearest, Relu, true>(frame->get<float>(1));
  frame->put<uint16_t>(0, low | high << 4);
}
template <const Format &F, bool Relu> void rtHalfPairToNarrow(Frame *frame, uint32_t) {
  const auto halves = frame->get<std::array<uint16_t, 2>>(0);
  const uint32_t low = narrowed<F, Round::Nearest, Relu, true>(decode(halves[0], kF16));
  const uint32_t high = narrowed<F, Round::Nearest, Relu, true>(decode(halves[1], kF16));
  frame->put<uint16_t>(0, low | high << 8);
}
template <const Format &F, int Shift, bool Relu> void rtNarrowToHalfPair(Frame *frame, uint32_t) {
  const auto bits = frame->get<uint16_t>(0);
  std::array<uint16_t, 2> result;
  for (int i = 0; i < 2; ++i) {
    double x = decode((bits >> (Shift * i)) & ((1u << F.width()) - 1), F);
    if (Relu && x <= 0)
      x = 0.0;
    result[i] = encode(x, kF16);
  }
  frame->put(0, result);
}

// ---- stochastic rounding: away from zero when the random bits, added to the discarded ones, carry
// ----

/// `count` random bits, aligned with the top of what is discarded.
uint32_t narrowedAtRandom(double x, const Format &format, uint32_t random, int count, bool relu,
                          bool saturate) {
  if (relu && (x <= 0 || std::signbit(x)) && !std::isnan(x))
    x = 0.0;
  const uint32_t low = encode(x, format, Round::Zero, saturate);
  if (!std::isfinite(x) || std::fabs(decode(low, format)) >= std::fabs(x))
    return low; // exact, or beyond the largest value
  const Round away = x < 0 ? Round::Down : Round::Up;
  const double from = std::fabs(decode(low, format));
  // The next value as if there were no largest one.
  int exponent;
  std::frexp(std::max(std::fabs(x), std::ldexp(1.0, 1 - format.bias())), &exponent);
  const double step = std::ldexp(1.0, exponent - 1 - format.mantissaBits);
  const double discarded = (std::fabs(x) - from) / step; // exact: step is a power of two
  const bool carries = discarded + std::ldexp(static_cast<double>(random), -count) >= 1.0;
  return carries ? encode(x, format, away, saturate) : low;
}

template <const Format &F, bool Relu, bool Sat> void rtPairAtRandom(Frame *frame, uint32_t) {
  const auto random = frame->get<uint32_t>(2);
  const int count = F.mantissaBits == 10 ? 13 : 16;
  const uint32_t mask = (1u << count) - 1;
  const uint32_t high =
      narrowedAtRandom(frame->get<float>(0), F, random >> 16 & mask, count, Relu, Sat);
  const uint32_t low = narrowedAtRandom(frame->get<float>(1), F, random & mask, count, Relu, Sat);
  frame->put<uint32_t>(0, low | high << 16);
}
// Four elements, the first one on top. The first two take their bits from the upper half, or, for
// nibbles, from the upper byte of either half.
template <const Format &F, bool Relu> void rtFourAtRandom(Frame *frame, uint32_t) {
  const auto values = frame->get<std::array<float, 4>>(0);
  const auto random = frame->get<uint32_t>(2);
  const bool nibbles = F.width() == 4;
  uint32_t result = 0;
  for (int i = 0; i < 4; ++i) {
    const int shift = nibbles ? (i < 2 ? 8 : 0) + (i % 2 ? 0 : 16) : i < 2 ? 16 : 0;
    const int count = nibbles ? 8 : 16;
    const uint32_t bits = random >> shift & ((1u << count) - 1);
    result = result << (nibbles ? 4 : 8) | narrowedAtRandom(values[i], F, bits, count, Relu, true);
  }
  frame->put<uint32_t>(0, result);
}
template <const Format &F> void registerPairAtRandom(IntrinsicTable &t, const std::string &name) {
  const std::string p = "llvm.nvvm." + name + ".rs";
  t.frame(p, rtPairAtRandom<F, false, false>);
  t.frame(p + ".relu", rtPairAtRandom<F, true, false>);
  t.frame(p + ".satfinite", rtPairAtRandom<F, false, true>);
  t.frame(p + ".relu.satfinite", rtPairAtRandom<F, true, true>);
}
template <const Format &F> void registerFourAtRandom(IntrinsicTable &t, const std::string &name) {
  const std::string p = "llvm.nvvm.f32x4.to." + name + ".rs";
  t.frame(p + ".satfinite", rtFourAtRandom<F, false>);
  t.frame(p + ".relu.satfinite", rtFourAtRandom<F, true>);
}

template <const Format &F, Round R>
void registerWideNarrow(IntrinsicTable &t, const std::string &pairName, const std::string &name) {
  const std::string r = R == Round::Nearest ? ".rn" : ".rz", p = "llvm.nvvm.";
  t.frame(p + pairName + r, rtNarrowPair<F, R, false, false>);
  t.frame(p + pairName + r + ".relu", rtNarrowPair<F, R, true, false>);
  t.frame(p + pairName + r + ".satfinite", rtNarrowPair<F, R, false, true>);
  t.frame(p + pairName + r + ".relu.satfinite", rtNarrowPair<F, R, true, true>);
  t.frame(p + name + r, rtNarrow<F, uint16_t, R, false, false>);
  t.frame(p + name + r + ".relu", rtNarrow<F, uint16_t, R, true, false>);
  t.frame(p + name + r + ".satfinite", rtNarrow<F, uint16_t, R, false, true>);
  t.frame(p + name + r + ".relu.satfinite", rtNarrow<F, uint16_t, R, true, true>);
}

template <Round R, bool Relu, bool Sat> void rtToTf32(Frame *frame, uint32_t) {
  frame->put<uint32_t>(0, narrowed<kTF32, R, Relu, Sat>(frame->get<float>(0)) << 13);
}

template <const Format &F> void registerFp8(IntrinsicTable &t, const std::string &type) {
  const std::string p = "llvm.nvvm.";
  t.frame(p + "ff.to." + type + ".rn", rtNarrowPair<F, Round::Nearest, false, true>);
  t.frame(p + "ff.to." + type + ".rn.relu", rtNarrowPair<F, Round::Nearest, true, true>);
  t.frame(p + "f16x2.to." + type + ".rn", rtHalfPairToNarrow<F, false>);
  t.frame(p + "f16x2.to." + type + ".rn.relu", rtHalfPairToNarrow<F, true>);
  t.frame(p + type + ".to.f16x2.rn", rtNarrowToHalfPair<F, 8, false>);
  t.frame(p + type + ".to.f16x2.rn.relu", rtNarrowToHalfPair<F, 8, true>);
}
template <const Format &F> void registerFp6(IntrinsicTable &t, const std::string &type) {
  const std::string p = "llvm.nvvm.";
  t.frame(p + "ff.to." + type + ".rn.satfinite", rtNarrowPair<F, Round::Nearest, false, true>);
  t.frame(p + "ff.to." + type + ".rn.relu.satfinite", rtNarrowPair<F, Round::Nearest, true, true>);
  t.frame(p + type + ".to.f16x2.rn", rtNarrowToHalfPair<F, 8, false>);
  t.frame(p + type + ".to.f16x2.rn.relu", rtNarrowToHalfPair<F, 8, true>);
}

// ue8m0: a power of two, 0xff is NaN, 0 is 2^-127.
uint32_t toUe8m0(double x, Round round, bool saturate) {
  if (std::isnan(x))
    return 0xff;
  x = std::fabs(x);
  if (std::isinf(x))
    return saturate ? 0xfe : 0xff;
  if (x == 0)
    return 0;
  int exponent;
  const double fraction = std::frexp(x, &exponent);
  int power = exponent - 1;
  if (round == Round::Up && fraction != 0.5)
    ++power;
  if (power > 127)
    return saturate || round == Round::Zero ? 0xfe : 0xff;
  return power < -127 ? 0 : power + 127;
}
template <Round R, bool Sat> void rtToUe8m0Pair(Frame *frame, uint32_t) {
  frame->put<uint16_t>(0, toUe8m0(frame->get<float>(1), R, Sat) |
                              toUe8m0(frame->get<float>(0), R, Sat) << 8);
}
template <Round R, bool Sat> void rtBf16PairToUe8m0(Frame *frame, uint32_t) {
  const auto halves = frame->get<std::array<uint16_t, 2>>(0);
  frame->put<uint16_t>(0, toUe8m0(decode(halves[0], kBF16), R, Sat) |
                              toUe8m0(decode(halves[1], kBF16), R, Sat) << 8);
}
void rtUe8m0ToBf16Pair(Frame *frame, uint32_t) {
  const auto bits = frame->get<uint16_t>(0);
  std::array<uint16_t, 2> result;
  for (int i = 0; i < 2; ++i) {
    const uint32_t value = (bits >> (8 * i)) & 0xff;
    result[i] =
        value == 0xff ? kBF16.nan : encode(std::ldexp(1.0, static_cast<int>(value) - 127), kBF16);
  }
  frame->put(0, result);
}

void rtBf16ToHalfBits(Frame *frame, uint32_t) {
  frame->put<uint16_t>(0, encode(decode(frame->get<uint16_t>(0), kBF16), kF16));
}

// 64-bit integers to 16-bit floats in one rounding; going through a wider float would round twice.
template <typename I, const Format &F> void rtWideIntToNarrow(Frame *frame, uint32_t) {
  const I value = frame->get<I>(0);
  auto rounded = static_cast<double>(value);
  // Keep what the double dropped as a sticky bit: enough bits are left below any rounding position
  // of 16-bit floats.
  if (const __int128 rest = static_cast<__int128>(value) - static_cast<__int128>(rounded);
      rest != 0)
    rounded = addToOdd(rounded, static_cast<double>(rest));
  frame->put<uint16_t>(0, encode(rounded, F));
}

double lohi(uint32_t low, uint32_t high) {
  return bitsTo<double>(low | static_cast<uint64_t>(high) << 32);
}
uint32_t lowWord(double x) {
  return static_cast<uint32_t>(bitsTo<uint64_t>(x));
}
uint32_t highWord(double x) {
  return static_cast<uint32_t>(bitsTo<uint64_t>(x) >> 32);
}

} // namespace

void registerConversions(IntrinsicTable &t) {
  registerNumberConversions<Round::Nearest>(t, "rn");
  registerNumberConversions<Round::Zero>(t, "rz");
  registerNumberConversions<Round::Down>(t, "rm");
  registerNumberConversions<Round::Up>(t, "rp");
  registerWideNarrow<kF16, Round::Nearest>(t, "ff2f16x2", "f2f16");
  registerWideNarrow<kF16, Round::Zero>(t, "ff2f16x2", "f2f16");
  registerWideNarrow<kBF16, Round::Nearest>(t, "ff2bf16x2", "f2bf16");
  registerWideNarrow<kBF16, Round::Zero>(t, "ff2bf16x2", "f2bf16");
  registerPairAtRandom<kF16>(t, "ff2f16x2");
  registerPairAtRandom<kBF16>(t, "ff2bf16x2");
  registerFourAtRandom<kE4M3>(t, "e4m3x4");
  registerFourAtRandom<kE5M2>(t, "e5m2x4");
  registerFourAtRandom<kE2M3>(t, "e2m3x4");
  registerFourAtRandom<kE3M2>(t, "e3m2x4");
  registerFourAtRandom<kE2M1>(t, "e2m1x4");
  registerFp8<kE4M3>(t, "e4m3x2");
  registerFp8<kE5M2>(t, "e5m2x2");
  registerFp6<kE2M3>(t, "e2m3x2");
  registerFp6<kE3M2>(t, "e3m2x2");
  const std::string p = "llvm.nvvm.";
  t.frame(p + "ff.to.e2m1x2.rn.satfinite", rtNarrowNibbles<false>);
  t.frame(p + "ff.to.e2m1x2.rn.relu.satfinite", rtNarrowNibbles<true>);
  t.frame(p + "e2m1x2.to.f16x2.rn", rtNarrowToHalfPair<kE2M1, 4, false>);
  t.frame(p + "e2m1x2.to.f16x2.rn.relu", rtNarrowToHalfPair<kE2M1, 4, true>);
  t.frame(p + "ff.to.ue8m0x2.rz", rtToUe8m0Pair<Round::Zero, false>);
  t.frame(p + "ff.to.ue8m0x2.rz.satfinite", rtToUe8m0Pair<Round::Zero, true>);
  t.frame(p + "ff.to.ue8m0x2.rp", rtToUe8m0Pair<Round::Up, false>);
  t.frame(p + "ff.to.ue8m0x2.rp.satfinite", rtToUe8m0Pair<Round::Up, true>);
  t.frame(p + "bf16x2.to.ue8m0x2.rz", rtBf16PairToUe8m0<Round::Zero, false>);
  t.frame(p + "bf16x2.to.ue8m0x2.rz.satfinite", rtBf16PairToUe8m0<Round::Zero, true>);
  t.frame(p + "bf16x2.to.ue8m0x2.rp", rtBf16PairToUe8m0<Round::Up, false>);
  t.frame(p + "bf16x2.to.ue8m0x2.rp.satfinite", rtBf16PairToUe8m0<Round::Up, true>);
  t.frame(p + "ue8m0x2.to.bf16x2", rtUe8m0ToBf16Pair);
  t.frame(p + "f2tf32.rna", rtToTf32<Round::NearestAway, false, false>);
  t.frame(p + "f2tf32.rna.satfinite", rtToTf32<Round::NearestAway, false, true>);
  t.frame(p + "f2tf32.rn", rtToTf32<Round::Nearest, false, false>);
  t.frame(p + "f2tf32.rn.relu", rtToTf32<Round::Nearest, true, false>);
  t.frame(p + "f2tf32.rn.satfinite", rtToTf32<Round::Nearest, false, true>);
  t.frame(p + "f2tf32.rn.relu.satfinite", rtToTf32<Round::Nearest, true, true>);
  t.frame(p + "f2tf32.rz", rtToTf32<Round::Zero, false, false>);
  t.frame(p + "f2tf32.rz.relu", rtToTf32<Round::Zero, true, false>);
  t.frame(p + "f2tf32.rz.satfinite", rtToTf32<Round::Zero, false, true>);
  t.frame(p + "f2tf32.rz.relu.satfinite", rtToTf32<Round::Zero, true, true>);
  t.frame(p + "f2h.rn", rtNarrow<kF16, uint16_t, Round::Nearest, false, false>);
  t.frame(p + "f2h.rn.ftz", rtNarrow<kF16, uint16_t, Round::Nearest, false, false>);
  t.frame(p + "bf2h.rn", rtBf16ToHalfBits);
  t.frame(p + "bf2h.rn.ftz", rtBf16ToHalfBits);
  // For the host lowering's own use: sitofp and uitofp.
  t.frame("itof.s64.f16", rtWideIntToNarrow<int64_t, kF16>),
      t.frame("itof.u64.f16", rtWideIntToNarrow<uint64_t, kF16>);
  t.frame("itof.s64.bf16", rtWideIntToNarrow<int64_t, kBF16>),
      t.frame("itof.u64.bf16", rtWideIntToNarrow<uint64_t, kBF16>);
  t.direct(p + "lohi.i2d", lohi);
  t.direct(p + "d2i.lo", lowWord);
  t.direct(p + "d2i.hi", highWord);
}

} // namespace tilesmith::emulator
