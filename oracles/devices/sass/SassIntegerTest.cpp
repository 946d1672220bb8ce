//===- SassIntegerTest.cpp - integers, logic, shifts, choices ---------------------------------===//
//
// Arithmetic, logic, shifts, permutations of bytes, counts of bits, comparisons and choices of 32 and 64 bits.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/devices/sass/Execute.h"
#include "oracles/devices/sass/SassSnippets.h"

using namespace tilesmith;
using namespace tilesmith::sass;

namespace {

using U = uint32_t;
using S = int32_t;

constexpr Snippet kSnippets[] = {
    {"add32", "add.s32 %w, %x, %y;",
     [](uint64_t a, uint64_t b, uint64_t) { return uint64_t{U(a) + U(b)}; }},
    {"sub64", "sub.s64 %d, %a, %b;", [](uint64_t a, uint64_t b, uint64_t) { return a - b; }},
    {"add64", "add.s64 %d, %a, %b;", [](uint64_t a, uint64_t b, uint64_t) { return a + b; }},
    {"mad32", "mad.lo.s32 %w, %x, %y, %z;",
     [](uint64_t a, uint64_t b, uint64_t c) { return uint64_t{U(a) * U(b) + U(c)}; }},
    {"mad64", "mad.lo.s64 %d, %a, %b, %c;",
     [](uint64_t a, uint64_t b, uint64_t c) { return a * b + c; }},
    {"mulwides", "mul.wide.s32 %d, %x, %y;",
     [](uint64_t a, uint64_t b, uint64_t) { return uint64_t(int64_t{S(a)} * S(b)); }},
    {"mulwideu", "mul.wide.u32 %d, %x, %y;",
     [](uint64_t a, uint64_t b, uint64_t) { return uint64_t{U(a)} * U(b); }},
    {"mulhis", "mul.hi.s32 %w, %x, %y;",
     [](uint64_t a, uint64_t b, uint64_t) {
       return uint64_t{U(uint64_t(int64_t{S(a)} * S(b)) >> 32)};
     }},
    {"mulhi64", "mul.hi.u64 %d, %a, %b;",
     [](uint64_t a, uint64_t b, uint64_t) {
       return uint64_t((static_cast<unsigned __int128>(a) * b) >> 64);
     }},
    {"div32", "or.b32 %y, %y, 1; div.u32 %w, %x, %y;",
     [](uint64_t a, uint64_t b, uint64_t) { return uint64_t{U(a) / (U(b) | 1)}; }},
    {"rem64", "or.b64 %b, %b, 1; rem.u64 %d, %a, %b;",
     [](uint64_t a, uint64_t b, uint64_t) { return a % (b | 1); }},
    {"min32", "min.s32 %w, %x, %y;",
     [](uint64_t a, uint64_t b, uint64_t) { return uint64_t{U(std::min(S(a), S(b)))}; }},
    {"maxu64", "max.u64 %d, %a, %b;",
     [](uint64_t a, uint64_t b, uint64_t) { return std::max(a, b); }},
    {"min3", "min.s32 %w, %x, %y; min.s32 %w, %w, %z;",
     [](uint64_t a, uint64_t b, uint64_t c) { return uint64_t{U(std::min({S(a), S(b), S(c)}))}; }},
    {"max3", "max.u32 %w, %x, %y; max.u32 %w, %w, %z;",
     [](uint64_t a, uint64_t b, uint64_t c) { return uint64_t{std::max({U(a), U(b), U(c)})}; }},
    {"abs32", "abs.s32 %w, %x;",
     [](uint64_t a, uint64_t, uint64_t) { return uint64_t{S(a) < 0 ? 0 - U(a) : U(a)}; }},
    {"popc", "popc.b32 %w, %x;",
     [](uint64_t a, uint64_t, uint64_t) { return uint64_t(std::popcount(U(a))); }},
    {"clz", "clz.b32 %w, %x;",
     [](uint64_t a, uint64_t, uint64_t) { return uint64_t(std::countl_zero(U(a))); }},
    {"brev", "brev.b32 %w, %x;",
     [](uint64_t a, uint64_t, uint64_t) {
       U out = 0;
       for (int k = 0; k < 32; ++k)
         out |= (U(a) >> k & 1) << (31 - k);
       return uint64_t{out};
     }},
    {"shl32", "shl.b32 %w, %x, %y;",
     [](uint64_t a, uint64_t b, uint64_t) { return uint64_t{U(b) > 31 ? 0 : U(a) << U(b)}; }},
    {"shrs64", "and.b32 %y, %y, 127; shr.s64 %d, %a, %y;",
     [](uint64_t a, uint64_t b, uint64_t) {
       return uint64_t(int64_t(a) >> std::min<U>(U(b) & 127, 63));
     }},
    {"shl64", "and.b32 %y, %y, 127; shl.b64 %d, %a, %y;",
     [](uint64_t a, uint64_t b, uint64_t) { return (b & 127) > 63 ? 0 : a << (b & 127); }},
    {"funnel", "shf.l.wrap.b32 %w, %x, %y, %z;",
     [](uint64_t a, uint64_t b, uint64_t c) {
       const uint64_t both = (b << 32 | U(a)) << (c & 31);
       return uint64_t{U(both >> 32)};
     }},
    {"lop3", "lop3.b32 %w, %x, %y, %z, 0x5a;",
     [](uint64_t a, uint64_t, uint64_t c) { return uint64_t{U(a) ^ U(c)}; }},
    {"prmt", "prmt.b32 %w, %x, %y, %z;",
     [](uint64_t a, uint64_t b, uint64_t c) {
       const uint64_t both = b << 32 | U(a);
       U out = 0;
       for (int k = 0; k < 4; ++k) {
         const unsigned s = c >> (4 * k) & 15;
         U byte = both >> (8 * (s & 7)) & 255;
         if (s & 8)
           byte = byte & 128 ? 255 : 0;
         out |= byte << (8 * k);
       }
       return uint64_t{out};
     }},
    {"bfe", "bfe.s32 %w, %x, 5, 11;",
     [](uint64_t a, uint64_t, uint64_t) { return uint64_t{U(S(U(a) << 16) >> 21)}; }},
    {"dp4a", "dp4a.s32.u32 %w, %x, %y, %z;",
     [](uint64_t a, uint64_t b, uint64_t c) {
       U sum = U(c);
       for (int k = 0; k < 32; k += 8)
         sum += U(int(int8_t(a >> k)) * int(uint8_t(b >> k)));
       return uint64_t{sum};
     }},
    {"select64", "setp.lt.s64 %p, %a, %b; selp.b64 %d, %a, %c, %p;",
     [](uint64_t a, uint64_t b, uint64_t c) { return int64_t(a) < int64_t(b) ? a : c; }},
    {"compareu", "setp.ge.u64 %p, %a, %b; selp.b32 %w, 1, 0, %p;",
     [](uint64_t a, uint64_t b, uint64_t) { return uint64_t{a >= b}; }},
};

/// Rows with the function of a neighbour.
constexpr WrongRow kWrong[] = {
    {"IADD3",
     [](Warp &w, const Instruction &i) {
       Instruction j = i;
       j.ops[3].negative = !j.ops[3].negative;
       executeIadd3(w, j);
     }},
    {"IMAD",
     [](Warp &w, const Instruction &i) {
       Instruction j = i;
       j.ops[2] = j.ops[3];
       executeImad(w, j);
     }},
    {"IMAD.WIDE",
     [](Warp &w, const Instruction &i) {
       Instruction j = i;
       j.mods[0] ^= 1;
       executeImadWide(w, j);
     }},
    {"IMAD.HI",
     [](Warp &w, const Instruction &i) {
       Instruction j = i;
       j.mods[0] ^= 1;
       executeImadHi(w, j);
     }},
    {"ISETP",
     [](Warp &w, const Instruction &i) {
       Instruction j = i;
       j.mods[1] ^= 1;
       executeIsetp(w, j);
     }},
    {"LOP3.LUT",
     [](Warp &w, const Instruction &i) {
       Instruction j = i;
       j.ops[5].value ^= 0x80;
       executeLop3(w, j);
     }},
    {"SHF",
     [](Warp &w, const Instruction &i) {
       Instruction j = i;
       j.mods[3] ^= 1;
       executeShf(w, j);
     }},
    {"PRMT",
     [](Warp &w, const Instruction &i) {
       Instruction j = i;
       std::swap(j.ops[1], j.ops[3]);
       executePrmt(w, j);
     }},
    {"SEL",
     [](Warp &w, const Instruction &i) {
       Instruction j = i;
       j.ops[3].negative = !j.ops[3].negative;
       executeSel(w, j);
     }},
    {"POPC", executeBrev},
    {"FLO",
     [](Warp &w, const Instruction &i) {
       Instruction j = i;
       j.mods[1] ^= 1;
       executeFlo(w, j);
     }},
};

TEST(SassIntegerTest, AWrongFunctionInARowShows) {
  for (const WrongRow &wrong : kWrong)
    EXPECT_TRUE(isShown(wrong, kSnippets)) << wrong.name;
}

} // namespace

llvm::ArrayRef<Snippet> tilesmith::sass::integerSnippets() {
  return kSnippets;
}
