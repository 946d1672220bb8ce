// Rounding between formats against LLVM's APFloat.
#include "oracles/devices/emulator/Numeric.h"

#include <gtest/gtest.h>
#include <random>

#include "llvm/ADT/APFloat.h"

namespace tilesmith::emulator {
namespace {

TEST(NumericTest, DecodesWhatItEncodes) {
  for (const Format *format : {&kF16, &kBF16, &kE5M2, &kE4M3, &kE3M2, &kE2M3, &kE2M1})
    for (uint32_t bits = 0; bits < 1u << format->width(); ++bits) {
      const double value = decode(bits, *format);
      if (std::isnan(value))
        continue;
      for (Round round : {Round::Nearest, Round::Zero, Round::Down, Round::Up})
        ASSERT_EQ(encode(value, *format, round), bits) << format->width() << " bits";
    }
}

TEST(NumericTest, RoundsLikeAPFloat) {
  std::mt19937_64 random(1);
  const std::pair<Round, llvm::RoundingMode> modes[] = {
      {Round::Nearest, llvm::RoundingMode::NearestTiesToEven},
      {Round::Zero, llvm::RoundingMode::TowardZero},
      {Round::Down, llvm::RoundingMode::TowardNegative},
      {Round::Up, llvm::RoundingMode::TowardPositive},
      {Round::NearestAway, llvm::RoundingMode::NearestTiesToAway}};
  const std::pair<const Format *, const llvm::fltSemantics *> formats[] = {
      {&kF16, &llvm::APFloat::IEEEhalf()},
      {&kBF16, &llvm::APFloat::BFloat()},
      {&kF32, &llvm::APFloat::IEEEsingle()},
      {&kE5M2, &llvm::APFloat::Float8E5M2()}};
  for (int i = 0; i < 20000; ++i) {
    const double value = std::ldexp(static_cast<double>(random() >> (random() % 40)),
                                    static_cast<int>(random() % 90) - 80) *
                         (random() & 1 ? 1 : -1);
    for (auto [format, semantics] : formats)
      for (auto [round, mode] : modes) {
        llvm::APFloat expected(value);
        bool lossy;
        expected.convert(*semantics, mode, &lossy);
        ASSERT_EQ(encode(value, *format, round), expected.bitcastToAPInt().getZExtValue()) << value;
      }
  }
}

TEST(NumericTest, SumsQuotientsAndRootsRoundOnce) {
  std::mt19937_64 random(2);
  auto number = [&] {
    return bitsTo<float>((static_cast<uint32_t>(random()) & 0x80ffffffu) |
                         static_cast<uint32_t>(random() % 5 + 60) << 24);
  };
  const std::pair<Round, llvm::RoundingMode> modes[] = {
      {Round::Zero, llvm::RoundingMode::TowardZero},
      {Round::Down, llvm::RoundingMode::TowardNegative},
      {Round::Up, llvm::RoundingMode::TowardPositive}};
  for (int i = 0; i < 20000; ++i) {
    const float a = number(), b = number(), c = number();
    for (auto [round, mode] : modes) {
      llvm::APFloat sum(a), quotient(a), fused(a);
      sum.add(llvm::APFloat(b), mode);
      quotient.divide(llvm::APFloat(b), mode);
      fused.fusedMultiplyAdd(llvm::APFloat(b), llvm::APFloat(c), mode);
      ASSERT_EQ(roundToFloat(addToOdd(a, b), round), sum.convertToFloat());
      ASSERT_EQ(roundToFloat(divToOdd(a, b), round), quotient.convertToFloat());
      ASSERT_EQ(roundToFloat(addToOdd(static_cast<double>(a) * b, c), round),
                fused.convertToFloat());
    }
  }
}

} // namespace
} // namespace tilesmith::emulator
