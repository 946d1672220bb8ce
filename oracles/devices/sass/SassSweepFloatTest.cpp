//===- SassSweepFloatTest.cpp - f32 and f64 in every rounding, comparison and sign ------------===//
#include "oracles/devices/sass/SassSweep.h"

using namespace tilesmith;
using namespace tilesmith::sass;

namespace {

/// A float operation: its roundings are the processor's.
struct FloatKind {
  std::string text; ///< with `$` where the modifiers stand
  float (*compute)(float x, float y, float z);
  bool isPair = false;
};

float add(float x, float y, float) {
  volatile float a = x, b = y;
  return a + b;
}
float multiply(float x, float y, float) {
  volatile float a = x, b = y;
  return a * b;
}
float fused(float x, float y, float z) {
  volatile float a = x, b = y, c = z;
  return std::fma(a, b, c);
}

uint64_t floatOf(const FloatKind &kind, const Rounding &rounding, bool flushes, bool saturates,
                 uint64_t a, uint64_t b, uint64_t c) {
  auto source = [&](uint64_t v) { return flushes ? emulator::flush(asFloat(v)) : asFloat(v); };
  const float x = source(a), y = source(b), z = source(c);
  float r = inMode(rounding.mode, [&] { return kind.compute(x, y, z); });
  if (flushes)
    r = emulator::flush(r);
  return fromFloat(saturates ? emulator::saturate01(r) : r);
}

std::string with(std::string text, const std::string &modifiers) {
  for (size_t at; (at = text.find('$')) != std::string::npos;)
    text.replace(at, 1, modifiers);
  return text;
}

void addArithmetic(Sweep &out) {
  const FloatKind kKinds[] = {
      {"add$.f32 %w, %x, %y;", add},
      {"sub$.f32 %w, %x, %y;", [](float x, float y, float) { return add(x, -y, 0); }},
      {"sub$.f32 %w, %y, %x;", [](float x, float y, float) { return add(y, -x, 0); }},
      {"mul$.f32 %w, %x, %y;", multiply},
      {"fma$.f32 %w, %x, %y, %z;", fused},
  };
  for (const Rounding &rounding : kRoundings)
    for (unsigned flags = 0; flags < 4; ++flags)
      for (const FloatKind &kind : kKinds)
        out.push_back({with(kind.text, "." + std::string(rounding.name) +
                                           (flags & 1 ? ".ftz" : "") + (flags & 2 ? ".sat" : "")),
                       [=, &rounding](uint64_t a, uint64_t b, uint64_t c) {
                         return floatOf(kind, rounding, flags & 1, flags & 2, a, b, c);
                       }});
  // Signs of sources; the operations in front give NaN of their own.
  const FloatKind kSigned[] = {
      {"abs.f32 %o, %y; add$.f32 %w, %x, %o;",
       [](float x, float y, float) { return add(x, std::fabs(y), 0); }},
      {"abs.f32 %o, %x; sub$.f32 %w, %y, %o;",
       [](float x, float y, float) { return add(y, -std::fabs(x), 0); }},
      {"neg.f32 %o, %x; mul$.f32 %w, %o, %y;",
       [](float x, float y, float) { return multiply(-x, y, 0); }},
      {"abs.f32 %o, %y; mul$.f32 %w, %x, %o;",
       [](float x, float y, float) { return multiply(x, std::fabs(y), 0); }},
      {"neg.f32 %o, %z; fma$.f32 %w, %x, %y, %o;",
       [](float x, float y, float z) { return fused(x, y, -z); }},
      {"neg.f32 %o, %x; fma$.f32 %w, %o, %y, %z;",
       [](float x, float y, float z) { return fused(-x, y, z); }},
  };
  for (const FloatKind &kind : kSigned)
    out.push_back({with(kind.text, ".rn"), [=](uint64_t a, uint64_t b, uint64_t c) {
                     return floatOf(kind, kRoundings[0], false, false, a, b, c);
                   }});
}

/// Two at once, and halves among the sources, from sm_100 on.
void addPairs(Sweep &out) {
  const FloatKind kPairs[] = {
      {"add$.f32x2 %d, %a, %b;", add},
      {"sub$.f32x2 %d, %a, %b;", [](float x, float y, float) { return add(x, -y, 0); }},
      {"mul$.f32x2 %d, %a, %b;", multiply},
      {"fma$.f32x2 %d, %a, %b, %c;", fused},
      {"mov.b64 %q, {%x, %x}; fma$.f32x2 %d, %q, %b, %c;", fused, true},
  };
  for (const Rounding &rounding : kRoundings)
    for (const char *flush : {"", ".ftz"})
      for (const FloatKind &kind : kPairs)
        out.push_back({with(kind.text, "." + std::string(rounding.name) + flush),
                       [=, &rounding](uint64_t a, uint64_t b, uint64_t c) {
                         const uint64_t upper = kind.isPair ? a : a >> 32;
                         return floatOf(kind, rounding, *flush, false, a, b, c) |
                                floatOf(kind, rounding, *flush, false, upper, b >> 32, c >> 32)
                                    << 32;
                       },
                       100});
  for (const char *type : {"f16", "bf16"})
    for (const Rounding &rounding : kRoundings)
      for (const char *sat : {"", ".sat"}) {
        const emulator::Format &format = *type == 'f' ? emulator::kF16 : emulator::kBF16;
        const std::string modifiers = "." + std::string(rounding.name) + sat + ".f32." + type;
        auto single = [&format](uint64_t bits) {
          return std::bit_cast<uint32_t>(
              static_cast<float>(emulator::decode(bits & 0xffff, format)));
        };
        out.push_back({"fma" + modifiers + " %w, %s, %T, %z;",
                       [=, &rounding](uint64_t a, uint64_t b, uint64_t c) {
                         return floatOf({"", fused}, rounding, false, *sat, single(a),
                                        single(b >> 16), c);
                       },
                       100});
        out.push_back({"add" + modifiers + " %w, %S, %y;",
                       [=, &rounding](uint64_t a, uint64_t b, uint64_t) {
                         return floatOf({"", add}, rounding, false, *sat, single(a >> 16), b, 0);
                       },
                       100});
      }
}

template <bool Greatest, bool WantsNaN, bool Flushes>
uint64_t leastFloat(uint64_t a, uint64_t b, uint64_t) {
  auto source = [](uint64_t v) { return Flushes ? emulator::flush(asFloat(v)) : asFloat(v); };
  return fromFloat(leastOf(source(a), source(b), Greatest, WantsNaN));
}

void addLeast(Sweep &out) {
  out.push_back({"min.f32 %w, %x, %y;", leastFloat<false, false, false>});
  out.push_back({"max.f32 %w, %x, %y;", leastFloat<true, false, false>});
  out.push_back({"min.ftz.f32 %w, %x, %y;", leastFloat<false, false, true>});
  out.push_back({"max.ftz.f32 %w, %x, %y;", leastFloat<true, false, true>});
  out.push_back({"min.NaN.f32 %w, %x, %y;", leastFloat<false, true, false>});
  out.push_back({"max.NaN.f32 %w, %x, %y;", leastFloat<true, true, false>});
  out.push_back({"abs.f32 %o, %y; neg.f32 %o, %o; max.f32 %w, %o, %x;",
                 [](uint64_t a, uint64_t b, uint64_t) {
                   return leastFloat<true, false, false>(b | 0x80000000, a, 0);
                 },
                 80, 32});
  for (const char *greatest : {"min", "max"})
    for (const char *wanted : {"", ".NaN"})
      out.push_back({std::string(greatest) + wanted + ".f32 %w, %x, %y, %z;",
                     [=](uint64_t a, uint64_t b, uint64_t c) {
                       const bool isMax = greatest[1] == 'a';
                       const float first = leastOf(asFloat(a), asFloat(b), isMax, *wanted);
                       return fromFloat(leastOf(first, asFloat(c), isMax, *wanted));
                     },
                     100});
}

void addComparisons(Sweep &out) {
  for (const char *comparison : kComparisons) {
    for (const char *boolean : kBooleans)
      for (const char *type : {"f32", "ftz.f32", "f64"}) {
        const bool isDouble = type[1] == '6', flushes = *type == 'f' && type[1] == 't';
        auto holds = [=](uint64_t a, uint64_t b) {
          if (isDouble)
            return compares(comparison, asDouble(a), asDouble(b));
          return flushes ? compares(comparison, emulator::flush(asFloat(a)),
                                    emulator::flush(asFloat(b)))
                         : compares(comparison, asFloat(a), asFloat(b));
        };
        const std::string sources = isDouble ? "%f, %g" : "%x, %y";
        out.push_back({"setp.lt.s32 %r, %z, 64; setp." + std::string(comparison) + "." + boolean +
                           "." + std::string(type) + " %p|%m, " + sources +
                           ", %r; selp.b32 %w, 1, 0, %p; selp.b32 %o, 2, 0, %m; or.b32 %w, %w, %o;",
                       [=](uint64_t a, uint64_t b, uint64_t c) {
                         const bool third = static_cast<int32_t>(c) < 64, first = holds(a, b);
                         return uint64_t{combines(boolean, first, third)} |
                                uint64_t{combines(boolean, !first, third)} << 1;
                       }});
      }
    out.push_back({"set." + std::string(comparison) + ".f32.f32 %w, %x, %y;",
                   [=](uint64_t a, uint64_t b, uint64_t) {
                     return uint64_t{compares(comparison, asFloat(a), asFloat(b)) ? 0x3f800000u
                                                                                  : 0};
                   }});
  }
}

uint64_t doubleOf(const Rounding &rounding, double (*compute)(double, double, double), uint64_t a,
                  uint64_t b, uint64_t c) {
  return fromDouble(
      inMode(rounding.mode, [&] { return compute(asDouble(a), asDouble(b), asDouble(c)); }));
}

} // namespace

Sweep tilesmith::sass::floatSweep() {
  Sweep out;
  addArithmetic(out);
  addPairs(out);
  addLeast(out);
  addComparisons(out);
  return out;
}

Sweep tilesmith::sass::doubleSweep() {
  Sweep out;
  struct Kind {
    const char *front, *back;
    double (*compute)(double, double, double);
  };
  static constexpr Kind kKinds[] = {
      {"add.", ".f64 %e, %f, %g;",
       [](double x, double y, double) {
         volatile double a = x, b = y;
         return a + b;
       }},
      {"sub.", ".f64 %e, %g, %f;",
       [](double x, double y, double) {
         volatile double a = x, b = y;
         return b - a;
       }},
      {"abs.f64 %h, %g; add.", ".f64 %e, %f, %h;",
       [](double x, double y, double) {
         volatile double a = x, b = std::fabs(y);
         return a + b;
       }},
      {"mul.", ".f64 %e, %f, %g;",
       [](double x, double y, double) {
         volatile double a = x, b = y;
         return a * b;
       }},
      {"neg.f64 %g, %g; mul.", ".f64 %e, %f, %g;",
       [](double x, double y, double) {
         volatile double a = x, b = -y;
         return a * b;
       }},
      {"fma.", ".f64 %e, %f, %g, %h;",
       [](double x, double y, double z) {
         volatile double a = x, b = y, c = z;
         return std::fma(a, b, c);
       }},
      {"neg.f64 %h, %h; neg.f64 %f, %f; fma.", ".f64 %e, %f, %g, %h;",
       [](double x, double y, double z) {
         volatile double a = -x, b = y, c = -z;
         return std::fma(a, b, c);
       }},
  };
  for (const Rounding &rounding : kRoundings)
    for (const Kind &kind : kKinds)
      out.push_back({kind.front + std::string(rounding.name) + kind.back + " mov.b64 %d, %e;",
                     [&](uint64_t a, uint64_t b, uint64_t c) {
                       return doubleOf(rounding, kind.compute, a, b, c);
                     },
                     80, 64});
  for (const char *name : {"min", "max"})
    out.push_back({std::string(name) + ".f64 %e, %f, %g; mov.b64 %d, %e;",
                   [=](uint64_t a, uint64_t b, uint64_t) {
                     return fromDouble(leastOf(asDouble(a), asDouble(b), name[1] == 'a', false));
                   },
                   80, 64});
  return out;
}
