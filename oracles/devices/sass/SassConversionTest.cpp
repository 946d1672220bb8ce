//===- SassConversionTest.cpp - conversions between numbers -----------------------------------===//
//
// Integers and floats of all sizes (F2I, I2F). Conversions that clamp: SassNarrowingTest.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/devices/sass/Execute.h"
#include "oracles/devices/sass/SassSnippets.h"

#include <cmath>

using namespace tilesmith;
using namespace tilesmith::sass;

namespace {

using U = uint32_t;
using S = int32_t;

template <typename T> uint64_t clampTo(double v) {
  if (v != v)
    return 0;
  if (v <= static_cast<double>(std::numeric_limits<T>::min()))
    return static_cast<uint64_t>(static_cast<int64_t>(std::numeric_limits<T>::min()));
  if (v >= static_cast<double>(std::numeric_limits<T>::max()))
    return static_cast<uint64_t>(std::numeric_limits<T>::max());
  return static_cast<uint64_t>(static_cast<T>(v));
}

constexpr Snippet kSnippets[] = {
    {"f2s", "cvt.rni.s32.f32 %w, %x;",
     [](uint64_t a, uint64_t, uint64_t) {
       return uint64_t{U(clampTo<S>(std::nearbyint(asFloat(a))))};
     }},
    {"f2u64", "cvt.rzi.u64.f64 %d, %f;",
     [](uint64_t a, uint64_t, uint64_t) {
       return asDouble(a) != asDouble(a) ? uint64_t{1} << 63
                                         : clampTo<uint64_t>(std::trunc(asDouble(a)));
     }},
    {"s2f", "cvt.rn.f32.s32 %w, %x;",
     [](uint64_t a, uint64_t, uint64_t) { return fromFloat(static_cast<float>(S(a))); }},
    {"u2frp", "cvt.rp.f32.u64 %w, %a;",
     [](uint64_t a, uint64_t, uint64_t) {
       float f = static_cast<float>(a);
       if (static_cast<unsigned __int128>(f) < a)
         f = std::nextafter(f, HUGE_VALF);
       return fromFloat(f);
     }},
    {"s2d", "cvt.rn.f64.s64 %e, %a; mov.b64 %d, %e;",
     [](uint64_t a, uint64_t, uint64_t) { return fromDouble(static_cast<double>(int64_t(a))); }},
    {"f2d", "cvt.f64.f32 %e, %x; mov.b64 %d, %e;",
     [](uint64_t a, uint64_t, uint64_t) {
       const double v = asFloat(a);
       return v == v ? fromDouble(v)
                     : (a & 0x80000000) << 32 | uint64_t{0x7ff8} << 48 | (a & 0x7fffff) << 29;
     }},
    {"d2f", "cvt.rn.f32.f64 %w, %f;",
     [](uint64_t a, uint64_t, uint64_t) {
       return isNaN(a) ? (a >> 32 & 0x80000000) | 0x7fc00000 | (a >> 29 & 0x7fffff)
                       : fromFloat(static_cast<float>(asDouble(a)));
     }},
    {"f2h", "cvt.rn.f16.f32 %s, %x; cvt.u32.u16 %w, %s;",
     [](uint64_t a, uint64_t, uint64_t) { return half(asFloat(a)); }},
    {"h2f", "cvt.u16.u32 %s, %x; cvt.f32.f16 %w, %s;",
     [](uint64_t a, uint64_t, uint64_t) { return fromFloat(static_cast<float>(fromHalf(a))); }},
    {"frnd", "cvt.rmi.f32.f32 %w, %x;",
     [](uint64_t a, uint64_t, uint64_t) { return fromFloat(std::floor(asFloat(a))); }},
};

/// Rows with the function of a neighbour.
constexpr WrongRow kWrong[] = {
    {"F2I",
     [](Warp &w, const Instruction &i) {
       Instruction j = i;
       j.mods[4] ^= 1;
       executeF2i(w, j);
     }},
    {"I2F",
     [](Warp &w, const Instruction &i) {
       Instruction j = i;
       j.mods[0] ^= 1;
       executeI2f(w, j);
     }},
};

TEST(SassConversionTest, AWrongFunctionInARowShows) {
  for (const WrongRow &wrong : kWrong)
    EXPECT_TRUE(isShown(wrong, kSnippets)) << wrong.name;
}

} // namespace

llvm::ArrayRef<Snippet> tilesmith::sass::conversionSnippets() {
  return kSnippets;
}
