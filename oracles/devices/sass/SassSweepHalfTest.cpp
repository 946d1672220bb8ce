//===- SassSweepHalfTest.cpp - f16 and bf16, alone and in pairs -------------------------------===//
#include "oracles/devices/sass/SassSweep.h"

using namespace tilesmith;
using namespace tilesmith::sass;

namespace {

struct HalfType {
  const char *name;
  const emulator::Format &format;
  unsigned sumsFrom; ///< the first GPU that adds and compares in this type
};
constexpr HalfType kHalf{"f16", emulator::kF16, 80}, kBrain{"bf16", emulator::kBF16, 90};

/// A number as an operation of these modifiers reads it, or leaves it.
double flushed(double v, const HalfType &type, bool flushes) {
  const int least = 1 - type.format.bias();
  return flushes && std::fabs(v) < std::ldexp(1.0, least) ? std::copysign(0.0, v) : v;
}

struct Modifiers {
  bool flushes = false, saturates = false, isRelu = false;
  std::string text() const {
    return std::string(".rn") + (flushes ? ".ftz" : "") + (saturates ? ".sat" : "") +
           (isRelu ? ".relu" : "");
  }
};

using Compute = double (*)(double x, double y, double z);

uint32_t ofHalves(const HalfType &type, Modifiers modifiers, Compute compute, uint64_t a,
                  uint64_t b, uint64_t c) {
  auto source = [&](uint64_t bits) {
    return flushed(emulator::decode(bits & 0xffff, type.format), type, modifiers.flushes);
  };
  const double exact = compute(source(a), source(b), source(c));
  if (exact != exact)
    return modifiers.saturates ? 0 : type.format.nan;
  uint32_t bits = emulator::encode(exact, type.format);
  double value = flushed(emulator::decode(bits, type.format), type, modifiers.flushes);
  if (modifiers.saturates)
    value = value > 0 ? std::min(value, 1.0) : 0.0;
  if (modifiers.isRelu)
    value = value > 0 ? value : 0.0;
  return emulator::encode(value, type.format);
}

double add(double x, double y, double) {
  return x + y;
}
double subtract(double x, double y, double) {
  return x - y;
}
double multiply(double x, double y, double) {
  return x * y;
}
double fused(double x, double y, double z) {
  const double product = x * y;
  return product != product || z != z || std::isinf(product) || std::isinf(z)
             ? product + z
             : emulator::addToOdd(product, z);
}

/// One operation alone, of several choices of halves, and in a pair.
void addForms(Sweep &out, const HalfType &type, const char *name, Modifiers modifiers,
              Compute compute, bool isFused, unsigned firstSm) {
  const std::string operation = name + modifiers.text() + "." + type.name;
  const std::string third = isFused ? ", %u" : "", upper = isFused ? ", %U" : "";
  auto one = [&type, modifiers, compute](uint64_t a, uint64_t b, uint64_t c) {
    return ofHalves(type, modifiers, compute, a, b, c);
  };
  out.push_back({operation + " %v, %s, %t" + third + "; cvt.u32.u16 %w, %v;",
                 [=](uint64_t a, uint64_t b, uint64_t c) { return uint64_t{one(a, b, c)}; },
                 firstSm});
  out.push_back(
      {operation + " %v, %S, %t" + upper + "; cvt.u32.u16 %w, %v;",
       [=](uint64_t a, uint64_t b, uint64_t c) { return uint64_t{one(a >> 16, b, c >> 16)}; },
       firstSm});
  out.push_back({operation + "x2 %w, %x, %y" + (isFused ? ", %z;" : ";"),
                 [=](uint64_t a, uint64_t b, uint64_t c) {
                   return one(a, b, c) | uint64_t{one(a >> 16, b >> 16, c >> 16)} << 16;
                 },
                 firstSm});
  // The upper half of one for both, the halves of the other one exchanged.
  out.push_back({"mov.b32 %x, {%S, %S}; mov.b32 %y, {%T, %t}; " + operation + "x2 %w, %x, %y" +
                     (isFused ? ", %z;" : ";"),
                 [=](uint64_t a, uint64_t b, uint64_t c) {
                   return one(a >> 16, b >> 16, c) | uint64_t{one(a >> 16, b, c >> 16)} << 16;
                 },
                 firstSm});
}

void addArithmetic(Sweep &out, const HalfType &type) {
  const bool isHalf = &type.format == &emulator::kF16;
  for (unsigned flags = 0; flags < (isHalf ? 4 : 1); ++flags) {
    const Modifiers modifiers{(flags & 1) != 0, (flags & 2) != 0};
    addForms(out, type, "add", modifiers, add, false, type.sumsFrom);
    addForms(out, type, "sub", modifiers, subtract, false, type.sumsFrom);
    addForms(out, type, "mul", modifiers, multiply, false, type.sumsFrom);
    addForms(out, type, "fma", modifiers, fused, true, 80);
  }
  addForms(out, type, "fma", {false, false, true}, fused, true, 80);
  if (isHalf)
    addForms(out, type, "fma", {true, false, true}, fused, true, 80);
  // Signs of sources, of numbers: what becomes of a NaN's sign nobody says, and none is left.
  const std::string name = type.name;
  out.push_back({"neg." + name + "x2 %o, %y; fma.rn." + name + "x2 %w, %x, %o, %z;",
                 [&type](uint64_t a, uint64_t b, uint64_t c) {
                   auto one = [&](uint64_t x, uint64_t y, uint64_t z) {
                     return ofHalves(type, {}, fused, x, y ^ 0x8000, z);
                   };
                   return one(a, b, c) | uint64_t{one(a >> 16, b >> 16, c >> 16)} << 16;
                 }});
  out.push_back({"abs." + name + "x2 %o, %z; fma.rn." + name + "x2 %w, %x, %y, %o;",
                 [&type](uint64_t a, uint64_t b, uint64_t c) {
                   auto one = [&](uint64_t x, uint64_t y, uint64_t z) {
                     return ofHalves(type, {}, fused, x, y, z & 0x7fff);
                   };
                   return one(a, b, c) | uint64_t{one(a >> 16, b >> 16, c >> 16)} << 16;
                 }});
  out.push_back({"abs." + name + "x2 %o, %y; add.rn." + name + "x2 %w, %x, %o;",
                 [&type](uint64_t a, uint64_t b, uint64_t) {
                   auto one = [&](uint64_t x, uint64_t y) {
                     return ofHalves(type, {}, add, x, y & 0x7fff, 0);
                   };
                   return one(a, b) | uint64_t{one(a >> 16, b >> 16)} << 16;
                 },
                 type.sumsFrom});
}

void addLeast(Sweep &out, const HalfType &type) {
  const bool isHalf = &type.format == &emulator::kF16;
  for (const char *name : {"min", "max"})
    for (const char *flush : {"", ".ftz"})
      for (const char *wanted : {"", ".NaN"}) {
        if (*flush && !isHalf)
          continue;
        auto one = [=, &type](uint64_t a, uint64_t b) -> uint64_t {
          auto source = [&](uint64_t bits) {
            return flushed(emulator::decode(bits & 0xffff, type.format), type, *flush);
          };
          const double v = leastOf(source(a), source(b), name[1] == 'a', *wanted);
          return v != v ? type.format.nan : emulator::encode(v, type.format);
        };
        const std::string operation = std::string(name) + flush + wanted + "." + type.name;
        out.push_back({operation + " %v, %S, %t; cvt.u32.u16 %w, %v;",
                       [=](uint64_t a, uint64_t b, uint64_t) { return one(a >> 16, b); }});
        out.push_back({operation + "x2 %w, %x, %y;", [=](uint64_t a, uint64_t b, uint64_t) {
                         return one(a, b) | one(a >> 16, b >> 16) << 16;
                       }});
        // Of three, which is one instruction on sm_90.
        out.push_back({operation + "x2 %o, %x, %y; " + operation + "x2 %w, %o, %z;",
                       [=](uint64_t a, uint64_t b, uint64_t c) {
                         return one(one(a, b), c) | one(one(a >> 16, b >> 16), c >> 16) << 16;
                       }});
      }
}

void addComparisons(Sweep &out, const HalfType &type) {
  const bool isHalf = &type.format == &emulator::kF16;
  for (const char *comparison : kComparisons)
    for (const char *boolean : kBooleans)
      for (const char *flush : {"", ".ftz"}) {
        if (*flush && !isHalf)
          continue;
        auto holds = [=, &type](uint64_t a, uint64_t b) {
          auto source = [&](uint64_t bits) {
            return flushed(emulator::decode(bits & 0xffff, type.format), type, *flush);
          };
          return compares(comparison, source(a), source(b));
        };
        const std::string operation = "setp.lt.s32 %r, %z, 64; setp." + std::string(comparison) +
                                      "." + boolean + flush + "." + type.name;
        const std::string results =
            ", %r; selp.b32 %w, 1, 0, %p; selp.b32 %o, 2, 0, %m; or.b32 %w, %w, %o;";
        out.push_back({operation + "x2 %p|%m, %x, %y" + results,
                       [=](uint64_t a, uint64_t b, uint64_t c) {
                         const bool third = static_cast<int32_t>(c) < 64;
                         return uint64_t{combines(boolean, holds(a, b), third)} |
                                uint64_t{combines(boolean, holds(a >> 16, b >> 16), third)} << 1;
                       },
                       type.sumsFrom});
        out.push_back({operation + " %p, %S, %t, %r; selp.b32 %w, 1, 0, %p;",
                       [=](uint64_t a, uint64_t b, uint64_t c) {
                         return uint64_t{
                             combines(boolean, holds(a >> 16, b), static_cast<int32_t>(c) < 64)};
                       },
                       type.sumsFrom});
      }
}

Sweep sweepOf(const HalfType &type) {
  Sweep out;
  addArithmetic(out, type);
  addLeast(out, type);
  addComparisons(out, type);
  return out;
}

} // namespace

Sweep tilesmith::sass::halfSweep() {
  return sweepOf(kHalf);
}
Sweep tilesmith::sass::brainSweep() {
  return sweepOf(kBrain);
}
