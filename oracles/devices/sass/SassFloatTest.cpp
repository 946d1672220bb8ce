//===- SassFloatTest.cpp - arithmetic of floats and halves ------------------------------------===//
//
// f32 (FADD, FMUL, FFMA, FSETP, and MUFU of divisions and roots), f64 (DFMA, DSETP), f16.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/devices/sass/Execute.h"
#include "oracles/devices/sass/SassSnippets.h"

#include <cmath>

using namespace tilesmith;
using namespace tilesmith::sass;

namespace {

/// A result of doubles; a NaN is that of an H100: of the second, third or first source, made quiet.
uint64_t ofSources(double v, uint64_t a, uint64_t b, uint64_t c = 0) {
  const uint64_t source = isNaN(b) ? b : isNaN(c) ? c : a;
  return v != v && isNaN(source) ? source | uint64_t{1} << 51 : fromDouble(v);
}
uint64_t roundFma(uint64_t a, uint64_t b, uint64_t c, emulator::Round round) {
  const double product = static_cast<double>(asFloat(a)) * asFloat(b);
  const double sum = emulator::addToOdd(product, asFloat(c));
  if (sum == 0 && std::signbit(product) != std::signbit(asFloat(c)))
    return round == emulator::Round::Down ? 0x80000000u : 0;
  return emulator::encode(sum, emulator::kF32, round);
}

constexpr Snippet kSnippets[] = {
    // f32.
    {"fadd", "add.rn.f32 %w, %x, %y;",
     [](uint64_t a, uint64_t b, uint64_t) { return fromFloat(asFloat(a) + asFloat(b)); }},
    {"fmul", "mul.rn.f32 %w, %x, %y;",
     [](uint64_t a, uint64_t b, uint64_t) { return fromFloat(asFloat(a) * asFloat(b)); }},
    {"ffma", "fma.rn.f32 %w, %x, %y, %z;",
     [](uint64_t a, uint64_t b, uint64_t c) {
       return fromFloat(std::fma(asFloat(a), asFloat(b), asFloat(c)));
     }},
    {"ffmarm", "fma.rm.f32 %w, %x, %y, %z;",
     [](uint64_t a, uint64_t b, uint64_t c) { return roundFma(a, b, c, emulator::Round::Down); }},
    {"ffmarp", "fma.rp.f32 %w, %x, %y, %z;",
     [](uint64_t a, uint64_t b, uint64_t c) { return roundFma(a, b, c, emulator::Round::Up); }},
    {"ffmarz", "fma.rz.f32 %w, %x, %y, %z;",
     [](uint64_t a, uint64_t b, uint64_t c) { return roundFma(a, b, c, emulator::Round::Zero); }},
    {"faddsat", "add.sat.f32 %w, %x, %y;",
     [](uint64_t a, uint64_t b, uint64_t) {
       return fromFloat(emulator::saturate01(asFloat(a) + asFloat(b)));
     }},
    {"fdiv", "div.rn.f32 %w, %x, %y;",
     [](uint64_t a, uint64_t b, uint64_t) { return fromFloat(asFloat(a) / asFloat(b)); }},
    {"fsqrt", "sqrt.rn.f32 %w, %x;",
     [](uint64_t a, uint64_t, uint64_t) { return fromFloat(std::sqrt(asFloat(a))); }},
    {"fmin", "min.f32 %w, %x, %y;",
     [](uint64_t a, uint64_t b, uint64_t) {
       const float x = asFloat(a), y = asFloat(b);
       if (x != x || y != y)
         return fromFloat(x != x ? y : x);
       return fromFloat(x < y || (x == y && std::signbit(x)) ? x : y);
     }},
    {"fsetpltu", "setp.ltu.f32 %p, %x, %y; selp.b32 %w, 1, 0, %p;",
     [](uint64_t a, uint64_t b, uint64_t) { return uint64_t{!(asFloat(a) >= asFloat(b))}; }},
    // f64.
    {"dadd", "add.rn.f64 %e, %f, %g; mov.b64 %d, %e;",
     [](uint64_t a, uint64_t b, uint64_t) { return ofSources(asDouble(a) + asDouble(b), a, b); }},
    {"dfma", "fma.rn.f64 %e, %f, %g, %h; mov.b64 %d, %e;",
     [](uint64_t a, uint64_t b, uint64_t c) {
       return ofSources(std::fma(asDouble(a), asDouble(b), asDouble(c)), a, b, c);
     }},
    // A sequence of instructions, whose NaN is what they make of it.
    {"ddiv",
     "div.rn.f64 %e, %f, %g; mov.b64 %d, %e; setp.nan.f64 %p, %e, %e;\n"
     "@%p mov.b64 %d, 0xfff8000000000000;",
     [](uint64_t a, uint64_t b, uint64_t) { return fromDouble(asDouble(a) / asDouble(b)); }},
    {"dsetp", "setp.gt.f64 %p, %f, %g; selp.b32 %w, 1, 0, %p;",
     [](uint64_t a, uint64_t b, uint64_t) { return uint64_t{asDouble(a) > asDouble(b)}; }},
    // Halves.
    {"hadd", "cvt.u16.u32 %s, %x; cvt.u16.u32 %t, %y; add.rn.f16 %s, %s, %t; cvt.u32.u16 %w, %s;",
     [](uint64_t a, uint64_t b, uint64_t) { return half(fromHalf(a) + fromHalf(b)); }},
    {"hmul", "cvt.u16.u32 %s, %x; cvt.u16.u32 %t, %y; mul.rn.f16 %s, %s, %t; cvt.u32.u16 %w, %s;",
     [](uint64_t a, uint64_t b, uint64_t) { return half(fromHalf(a) * fromHalf(b)); }},
};

/// Rows with the function of a neighbour.
constexpr WrongRow kWrong[] = {
    {"FADD",
     [](Warp &w, const Instruction &i) {
       Instruction j = i;
       j.mods[2] ^= 1;
       executeFadd(w, j);
     }},
    {"FMUL", executeFadd},
    {"FFMA",
     [](Warp &w, const Instruction &i) {
       Instruction j = i;
       j.mods[2] = 3;
       executeFfma(w, j);
     }},
    {"FSETP",
     [](Warp &w, const Instruction &i) {
       Instruction j = i;
       j.mods[0] &= 7;
       executeFsetp(w, j);
     }},
    {"DFMA",
     [](Warp &w, const Instruction &i) {
       Instruction j = i;
       j.mods[0] = 3;
       executeDfma(w, j);
     }},
    {"DSETP",
     [](Warp &w, const Instruction &i) {
       Instruction j = i;
       j.mods[0] ^= 2;
       executeDsetp(w, j);
     }},
    {"MUFU",
     [](Warp &w, const Instruction &i) {
       Instruction j = i;
       j.mods[0] ^= 1;
       executeMufu(w, j);
     }},
};

TEST(SassFloatTest, AWrongFunctionInARowShows) {
  for (const WrongRow &wrong : kWrong)
    EXPECT_TRUE(isShown(wrong, kSnippets)) << wrong.name;
}

} // namespace

llvm::ArrayRef<Snippet> tilesmith::sass::floatSnippets() {
  return kSnippets;
}
