//===- SassSweepIntegerTest.cpp - integers: comparisons, carries, shifts, fields --------------===//
#include "oracles/devices/sass/SassSweep.h"

using namespace tilesmith;
using namespace tilesmith::sass;

namespace {

using U = uint32_t;
using S = int32_t;
using L = int64_t;
using W = uint64_t;

template <typename T> W as(T v) {
  return sizeof(T) == 8 ? static_cast<W>(v) : W{static_cast<U>(v)};
}

void addComparisons(Sweep &out) {
  for (unsigned n = 0; n < 6; ++n)
    for (const char *boolean : kBooleans)
      for (const char *type : {"s32", "u32", "s64", "u64"}) {
        const bool isWide = type[1] == '6', isSigned = *type == 's';
        auto holds = [=](W a, W b) {
          const W x = isWide     ? a
                      : isSigned ? W(L{S(a)})
                                 : U(a),
                  y = isWide     ? b
                      : isSigned ? W(L{S(b)})
                                 : U(b);
          const int order = x == y ? 0 : (isSigned ? L(x) < L(y) : x < y) ? -1 : 1;
          return n == 0   ? !order
                 : n == 1 ? order != 0
                 : n == 2 ? order < 0
                 : n == 3 ? order <= 0
                 : n == 4 ? order > 0
                          : order >= 0;
        };
        out.push_back({"setp.lt.s32 %r, %z, 64; setp." + std::string(kComparisons[n]) + "." +
                           boolean + "." + type + " %p|%m, " + (isWide ? "%a, %b" : "%x, %y") +
                           ", %r; selp.b32 %w, 1, 0, %p; selp.b32 %o, 2, 0, %m; or.b32 %w, %w, %o;",
                       [=](W a, W b, W c) {
                         const bool third = S(c) < 64, first = holds(a, b);
                         return W{combines(boolean, first, third)} |
                                W{combines(boolean, !first, third)} << 1;
                       }});
      }
}

void addSums(Sweep &out) {
  const Sweep some = {
      {"sub.s32 %o, %x, %y; sub.s32 %w, %o, %z;",
       [](W a, W b, W c) { return W{U(a) - U(b) - U(c)}; }},
      {"add.s32 %o, %x, %y; sub.s32 %w, %z, %o;",
       [](W a, W b, W c) { return W{U(c) - U(a) - U(b)}; }},
      {"add.cc.u32 %w, %x, %y; addc.u32 %o, %z, %x; xor.b32 %w, %w, %o;",
       [](W a, W b, W c) { return W{(U(a) + U(b)) ^ (U(c) + U(a) + U((W{U(a)} + U(b)) >> 32))}; }},
      {"sub.cc.u32 %w, %x, %y; subc.u32 %o, %z, %x; xor.b32 %w, %w, %o;",
       [](W a, W b, W c) { return W{(U(a) - U(b)) ^ (U(c) - U(a) - U(U(a) < U(b)))}; }},
      {"mad.lo.cc.u32 %w, %x, %y, %z; madc.hi.u32 %o, %x, %y, %z; xor.b32 %w, %w, %o;",
       [](W a, W b, W c) {
         const W product = W{U(a)} * U(b), low = W{U(product)} + U(c);
         return W{U(low) ^ U((product >> 32) + U(c) + (low >> 32))};
       }},
      {"add.s64 %q, %a, %b; sub.s64 %d, %q, %c;", [](W a, W b, W c) { return a + b - c; }},
      {"neg.s64 %d, %b;", [](W, W b, W) { return 0 - b; }},
      {"mad.hi.s32 %w, %x, %y, %z;",
       [](W a, W b, W c) { return W{U(W(L{S(a)} * S(b)) >> 32) + U(c)}; }},
      {"mad.hi.u32 %w, %x, %y, %z;",
       [](W a, W b, W c) { return W{U((W{U(a)} * U(b)) >> 32) + U(c)}; }},
      {"mad.wide.s32 %d, %x, %y, %c;", [](W a, W b, W c) { return W(L{S(a)} * S(b)) + c; }},
      {"mad.wide.u32 %d, %x, %y, %c;", [](W a, W b, W c) { return W{U(a)} * U(b) + c; }},
      {"mul.hi.s64 %d, %a, %b;",
       [](W a, W b, W) { return W((static_cast<__int128>(L(a)) * L(b)) >> 64); }},
      {"mul24.lo.s32 %w, %x, %y;",
       [](W a, W b, W) { return W{U(L{S(U(a) << 8) >> 8} * (S(U(b) << 8) >> 8))}; }},
      {"mul24.hi.u32 %w, %x, %y;",
       [](W a, W b, W) { return W{U(((a & 0xffffff) * (b & 0xffffff)) >> 16)}; }},
      {"sad.s32 %w, %x, %y, %z;",
       [](W a, W b, W c) { return W{(S(a) < S(b) ? U(b) - U(a) : U(a) - U(b)) + U(c)}; }},
      {"sad.u32 %w, %x, %y, %z;",
       [](W a, W b, W c) { return W{(U(a) < U(b) ? U(b) - U(a) : U(a) - U(b)) + U(c)}; }},
      {"shl.b32 %o, %x, 3; add.s32 %w, %o, %y;", [](W a, W b, W) { return W{(U(a) << 3) + U(b)}; }},
      {"shl.b32 %o, %x, 5; sub.s32 %w, %y, %o;", [](W a, W b, W) { return W{U(b) - (U(a) << 5)}; }},
      {"shl.b64 %q, %a, 3; add.s64 %d, %q, %b;", [](W a, W b, W) { return (a << 3) + b; }},
      {"cvt.s64.s32 %q, %x; shl.b64 %q, %q, 2; add.s64 %d, %q, %b;",
       [](W a, W b, W) { return (W(L{S(a)}) << 2) + b; }},
      {"cvt.u64.u32 %q, %x; shl.b64 %q, %q, 4; sub.s64 %d, %b, %q;",
       [](W a, W b, W) { return b - (W{U(a)} << 4); }},
  };
  out.insert(out.end(), some.begin(), some.end());
  for (unsigned signs = 0; signs < 4; ++signs) {
    const bool first = signs & 1, second = signs & 2;
    const std::string types = std::string(first ? ".s32" : ".u32") + (second ? ".s32" : ".u32");
    auto byte = [](W v, unsigned k, bool isSigned) {
      return isSigned ? S(int8_t(v >> (8 * k))) : S(uint8_t(v >> (8 * k)));
    };
    out.push_back({"dp4a" + types + " %w, %x, %y, %z;", [=](W a, W b, W c) {
                     U sum = U(c);
                     for (unsigned k = 0; k < 4; ++k)
                       sum += U(byte(a, k, first) * byte(b, k, second));
                     return W{sum};
                   }});
    for (unsigned high = 0; high < 2; ++high)
      out.push_back({std::string(high ? "dp2a.hi" : "dp2a.lo") + types + " %w, %x, %y, %z;",
                     [=](W a, W b, W c) {
                       U sum = U(c);
                       for (unsigned k = 0; k < 2; ++k)
                         sum += U((first ? S(int16_t(a >> (16 * k))) : S(uint16_t(a >> (16 * k)))) *
                                  byte(b, k + 2 * high, second));
                       return W{sum};
                     }});
  }
}

template <typename T> void addLeast(Sweep &out, const std::string &type) {
  const bool isWide = sizeof(T) == 8;
  const std::string two = isWide ? " %d, %a, %b;" : " %w, %x, %y;",
                    more = isWide ? " %d, %d, %c;" : " %w, %w, %z;";
  for (const char *first : {"min.", "max."}) {
    auto least = [](const char *name, T x, T y) {
      return name[1] == 'i' ? std::min(x, y) : std::max(x, y);
    };
    out.push_back({first + type + two, [=](W a, W b, W) { return as(least(first, T(a), T(b))); }});
    for (const char *second : {"min.", "max."})
      out.push_back({first + type + two + " " + second + type + more, [=](W a, W b, W c) {
                       return as(least(second, least(first, T(a), T(b)), T(c)));
                     }});
    out.push_back({"add." + type + two + " " + first + type + more, [=](W a, W b, W c) {
                     return as(least(first, static_cast<T>(as(T(a)) + as(T(b))), T(c)));
                   }});
  }
}

void addBits(Sweep &out) {
  for (const char *direction : {"l", "r"})
    for (const char *kind : {"wrap", "clamp"})
      out.push_back({"shf." + std::string(direction) + "." + kind + ".b32 %w, %x, %y, %z;",
                     [=](W a, W b, W c) {
                       const W both = W{U(b)} << 32 | U(a);
                       const U by = *kind == 'w' ? U(c) & 31 : std::min<U>(U(c), 32);
                       return *direction == 'l'
                                  ? W{U((by == 32 ? both << 31 << 1 : both << by) >> 32)}
                                  : W{U(both >> by)};
                     }});
  for (unsigned table : {0x01, 0x1b, 0x40, 0x80, 0x96, 0xca, 0xe8, 0xf4})
    out.push_back({"lop3.b32 %w, %x, %y, %z, " + std::to_string(table) + ";", [=](W a, W b, W c) {
                     U r = 0;
                     for (int k = 0; k < 32; ++k)
                       r |= U(table >> ((a >> k & 1) << 2 | (b >> k & 1) << 1 | (c >> k & 1)) & 1)
                            << k;
                     return W{r};
                   }});
  auto bytes = [&out](const char *mode, std::array<std::array<uint8_t, 4>, 4> places) {
    out.push_back({"prmt.b32." + std::string(mode) + " %w, %x, %y, %z;", [=](W a, W b, W c) {
                     const W both = W{U(b)} << 32 | U(a);
                     U r = 0;
                     for (unsigned k = 0; k < 4; ++k)
                       r |= U(both >> (8 * places[c & 3][k]) & 255) << (8 * k);
                     return W{r};
                   }});
  };
  bytes("f4e", {{{0, 1, 2, 3}, {1, 2, 3, 4}, {2, 3, 4, 5}, {3, 4, 5, 6}}});
  bytes("b4e", {{{0, 7, 6, 5}, {1, 0, 7, 6}, {2, 1, 0, 7}, {3, 2, 1, 0}}});
  bytes("rc8", {{{0, 0, 0, 0}, {1, 1, 1, 1}, {2, 2, 2, 2}, {3, 3, 3, 3}}});
  bytes("ecl", {{{0, 1, 2, 3}, {1, 1, 2, 3}, {2, 2, 2, 3}, {3, 3, 3, 3}}});
  bytes("ecr", {{{0, 0, 0, 0}, {0, 1, 1, 1}, {0, 1, 2, 2}, {0, 1, 2, 3}}});
  bytes("rc16", {{{0, 1, 0, 1}, {2, 3, 2, 3}, {0, 1, 0, 1}, {2, 3, 2, 3}}});
  auto found = [](W v, unsigned bits, bool isSigned) {
    if (isSigned && v >> (bits - 1) & 1)
      v = bits == 64 ? ~v : U(~v);
    return 63 - std::countl_zero(v);
  };
  for (const char *type : {"u32", "s32", "u64", "s64"})
    for (const char *amount : {"", ".shiftamt"}) {
      const unsigned bits = type[1] == '6' ? 64 : 32;
      out.push_back(
          {"bfind" + std::string(amount) + "." + type + " %w, " + (bits == 64 ? "%a;" : "%x;"),
           [=](W a, W, W) {
             const int place = found(bits == 64 ? a : U(a), bits, *type == 's');
             return place < 0 ? W{~0u} : W(*amount ? int(bits) - 1 - place : place);
           }});
    }
  // The width of `szext` is no parameter: ptxas makes c[0x1a] of it (oracles/external/notes.md, 47).
  const Sweep some = {
      {"popc.b64 %w, %a;", [](W a, W, W) { return W(std::popcount(a)); }},
      {"not.b32 %o, %y; popc.b32 %w, %o;", [](W, W b, W) { return W(std::popcount(~U(b))); }},
      {"clz.b64 %w, %a;", [](W a, W, W) { return W(std::countl_zero(a)); }},
      {"shl.b32 %w, %x, %y;", [](W a, W b, W) { return W{U(b) > 31 ? 0 : U(a) << U(b)}; }},
      {"shr.u32 %w, %x, %y;", [](W a, W b, W) { return W{U(b) > 31 ? 0 : U(a) >> U(b)}; }},
      {"shr.s32 %w, %x, %y;", [](W a, W b, W) { return W{U(S(a) >> std::min<U>(U(b), 31))}; }},
      {"shl.b64 %d, %a, %y;", [](W a, W b, W) { return U(b) > 63 ? 0 : a << U(b); }},
      {"shr.u64 %d, %a, %y;", [](W a, W b, W) { return U(b) > 63 ? 0 : a >> U(b); }},
      {"shr.s64 %d, %a, %y;", [](W a, W b, W) { return W(L(a) >> std::min<U>(U(b), 63)); }},
      {"and.b32 %y, %y, 31; and.b32 %z, %z, 31; bfe.u32 %w, %x, %y, %z;",
       [](W a, W b, W c) { return W{U(a) >> (b & 31) & ((1u << (c & 31)) - 1)}; }},
      {"and.b32 %y, %y, 15; bfi.b32 %w, %x, %z, %y, 9;",
       [](W a, W b, W c) {
         const U mask = 511u << (b & 15);
         return W{(U(a) << (b & 15) & mask) | (U(c) & ~mask)};
       }},
      {"and.b32 %y, %y, 255; szext.wrap.s32 %w, %x, %y;",
       [](W a, W b, W) {
         const U n = b & 31;
         return n ? W{U(S(U(a) << (32 - n)) >> (32 - n))} : W{0};
       }},
      {"and.b32 %y, %y, 255; szext.wrap.u32 %w, %x, %y;",
       [](W a, W b, W) { return W{U(a) & ((1u << (b & 31)) - 1)}; }},
      {"and.b32 %y, %y, 255; szext.clamp.s32 %w, %x, %y;",
       [](W a, W b, W) {
         const U n = std::min<U>(U(b) & 255, 32);
         return n ? W{U(S(U(a) << (32 - n)) >> (32 - n))} : W{0};
       }},
      {"bmsk.wrap.b32 %w, %x, %y;",
       [](W a, W b, W) { return W{((1u << (b & 31)) - 1) << (a & 31)}; }},
      {"bmsk.clamp.b32 %w, %x, %y;",
       [](W a, W b, W) {
         return U(a) > 31 ? W{0} : W{U(((W{1} << std::min<U>(U(b), 32)) - 1) << U(a))};
       }},
      {"slct.s32.s32 %w, %x, %y, %z;", [](W a, W b, W c) { return W{S(c) >= 0 ? U(a) : U(b)}; }},
      {"cvt.sat.s8.s32 %w, %x;", [](W a, W, W) { return W{U(std::clamp(S(a), -128, 127))}; }},
      {"cvt.sat.u16.s32 %v, %x; cvt.u32.u16 %w, %v;",
       [](W a, W, W) { return W{U(std::clamp(S(a), 0, 65535))}; }},
      {"min.s16x2 %w, %x, %y;",
       [](W a, W b, W) {
         return W{uint16_t(std::min(int16_t(a), int16_t(b)))} |
                W{uint16_t(std::min(int16_t(a >> 16), int16_t(b >> 16)))} << 16;
       },
       90},
      {"max.u16x2 %w, %x, %y;",
       [](W a, W b, W) {
         return W{std::max(uint16_t(a), uint16_t(b))} |
                W{std::max(uint16_t(a >> 16), uint16_t(b >> 16))} << 16;
       },
       90},
      {"min.relu.s16x2 %w, %x, %y;",
       [](W a, W b, W) {
         auto one = [](int x, int y) { return W(std::max(0, std::min(x, y))); };
         return one(int16_t(a), int16_t(b)) | one(int16_t(a >> 16), int16_t(b >> 16)) << 16;
       },
       90},
      {"max.relu.s32 %w, %x, %y;", [](W a, W b, W) { return W(std::max({0, S(a), S(b)})); }, 90},
      {"add.u16x2 %w, %x, %y;",
       [](W a, W b, W) { return W{uint16_t(a + b)} | W{uint16_t((a >> 16) + (b >> 16))} << 16; },
       90},
  };
  out.insert(out.end(), some.begin(), some.end());
}

} // namespace

Sweep tilesmith::sass::integerSweep() {
  Sweep out;
  addComparisons(out);
  addSums(out);
  addLeast<S>(out, "s32");
  addLeast<U>(out, "u32");
  addLeast<L>(out, "s64");
  addLeast<W>(out, "u64");
  addBits(out);
  return out;
}
