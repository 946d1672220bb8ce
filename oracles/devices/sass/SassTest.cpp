//===- SassTest.cpp - operations by family against what PTX and IEEE define -------------------===//
//
// PTX snippets become machine code by ptxas at -O0 and at -O3, for two targets: different
// instructions, one answer, which a function of this file gives. Without ptxas those tests are
// skipped; the stored cubins of corpus/sass are executed always.
//
// One file, though long: the programs in a line and the waits that are left out are made of the same table
// of snippets.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/devices/sass/Sass.h"
#include "oracles/devices/emulator/Numeric.h"
#include "oracles/devices/sass/Cubin.h"
#include "oracles/devices/sass/Execute.h"
#include "oracles/devices/sass/Instruction.h"
#include "oracles/devices/sass/Machine.h"
#include "oracles/devices/sass/SassTestSupport.h"

#include "llvm/Support/FormatVariadic.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <bit>
#include <random>

using namespace tilesmith;
using namespace tilesmith::sass;

namespace {

// ---- snippets ----

/// `%a`, `%b`, `%c` hold the inputs, `%d` takes the result: 64-bit registers; `%x`, `%y`, `%z`,
/// `%w` are 32 bits, the low halves of the inputs and the result of 32-bit snippets.
struct Snippet {
  const char *name, *body;
  uint64_t (*expected)(uint64_t a, uint64_t b, uint64_t c);
};

using U = uint32_t;
using S = int32_t;
float asFloat(uint64_t v) {
  return std::bit_cast<float>(static_cast<U>(v));
}
uint64_t fromFloat(float v) {
  return v != v ? 0x7fffffffu : std::bit_cast<U>(v);
}
double asDouble(uint64_t v) {
  return std::bit_cast<double>(v);
}
uint64_t fromDouble(double v) {
  return v != v ? 0xfff8000000000000u : std::bit_cast<uint64_t>(v);
}
bool isNaN(uint64_t v) {
  return asDouble(v) != asDouble(v);
}
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
template <typename T> uint64_t clampTo(double v) {
  if (v != v)
    return 0;
  if (v <= static_cast<double>(std::numeric_limits<T>::min()))
    return static_cast<uint64_t>(static_cast<int64_t>(std::numeric_limits<T>::min()));
  if (v >= static_cast<double>(std::numeric_limits<T>::max()))
    return static_cast<uint64_t>(std::numeric_limits<T>::max());
  return static_cast<uint64_t>(static_cast<T>(v));
}
uint64_t half(double v) {
  return emulator::encode(v, emulator::kF16);
}
double fromHalf(uint64_t v) {
  return emulator::decode(v & 0xffff, emulator::kF16);
}

const Snippet kSnippets[] = {
    // Integers.
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
    // Conversions.
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
    // Control: a loop whose trip count differs by lane.
    {"loop",
     "and.b32 %y, %x, 15; mov.u32 %w, 0;\n$L: setp.eq.u32 %p, %y, 0; @%p bra $E;\n"
     "add.u32 %w, %w, %y; sub.u32 %y, %y, 1; bra $L;\n$E:",
     [](uint64_t a, uint64_t, uint64_t) { return (a & 15) * ((a & 15) + 1) / 2; }},
    // Between lanes: the sum of the warp.
    {"redux",
     "and.b32 %x, %x, 1; redux.sync.add.u32 %y, %x, 0xffffffff;\n"
     "vote.sync.ballot.b32 %z, 1, 0xffffffff; popc.b32 %z, %z; sub.u32 %w, %z, 32;\n"
     "setp.gt.u32 %p, %y, 32; @%p add.u32 %w, %w, 1;",
     [](uint64_t, uint64_t, uint64_t) { return uint64_t{0}; }},
};

bool isWide(const Snippet &snippet) {
  return llvm::StringRef(snippet.body).contains("%d");
}

std::string ptxOf(llvm::StringRef gpu) {
  std::string text = llvm::formatv(".version 8.6\n.target {0}\n.address_size 64\n", gpu);
  unsigned number = 0;
  for (const Snippet &snippet : kSnippets) {
    std::string body = snippet.body, label = std::to_string(number++);
    for (size_t at; (at = body.find("$L")) != std::string::npos;)
      body.replace(at, 2, "LOOP" + label);
    for (size_t at; (at = body.find("$E")) != std::string::npos;)
      body.replace(at, 2, "END" + label);
    text += llvm::formatv(
        false,
        ".visible .entry {0}(.param .u64 in, .param .u64 out) .maxntid 64 {{\n"
        ".reg .b64 %in, %out, %a, %b, %c, %d; .reg .b32 %x, %y, %z, %w, %lane; .reg .pred %p;\n"
        ".reg .f64 %e, %f, %g, %h; .reg .b16 %s, %t; .reg .b64 %o;\n"
        "ld.param.u64 %in, [in]; ld.param.u64 %out, [out];\n"
        "cvta.to.global.u64 %in, %in; cvta.to.global.u64 %out, %out;\n"
        "mov.u32 %lane, %tid.x; mul.wide.u32 %o, %lane, 24; add.u64 %in, %in, %o;\n"
        "ld.global.u64 %a, [%in]; ld.global.u64 %b, [%in+8]; ld.global.u64 %c, [%in+16];\n"
        "cvt.u32.u64 %x, %a; cvt.u32.u64 %y, %b; cvt.u32.u64 %z, %c;\n"
        "mov.b64 %f, %a; mov.b64 %g, %b; mov.b64 %h, %c;\n"
        "{1}\n{2}"
        "mul.wide.u32 %o, %lane, 8; add.u64 %out, %out, %o; st.global.u64 [%out], %d;\nret;\n}\n",
        snippet.name, body, isWide(snippet) ? "" : "cvt.u64.u32 %d, %w;\n");
  }
  return text;
}

// ---- running ----

/// Random bits, small numbers and the special values of all formats.
std::vector<uint64_t> inputs(unsigned count, uint64_t seed) {
  std::mt19937_64 random(seed);
  static constexpr uint64_t kSpecial[] = {0,
                                          1,
                                          2,
                                          ~uint64_t{0},
                                          0x80000000,
                                          0x7fffffff,
                                          0x7f800000,
                                          0xff800000,
                                          0x7fc00000,
                                          1,
                                          0x3f800000,
                                          0xbf800000,
                                          0x00800000,
                                          0x007fffff,
                                          0x7f7fffff,
                                          0x7c00,
                                          0x3c00,
                                          0x0400,
                                          0x8000,
                                          0x7ff0000000000000,
                                          0xfff8000000000000,
                                          0x3ff0000000000000,
                                          0x0010000000000000,
                                          0x8000000000000000,
                                          31,
                                          32,
                                          33,
                                          63,
                                          64,
                                          65};
  std::vector<uint64_t> values;
  for (unsigned n = 0; n < count; ++n)
    switch (random() % 4) {
    case 0:
      values.push_back(kSpecial[random() % std::size(kSpecial)]);
      break;
    case 1:
      values.push_back(random() % 100);
      break;
    case 2:
      values.push_back(std::bit_cast<U>(static_cast<float>(random() % 1000) / 8) | random()
                                                                                       << 52 << 3);
      break;
    default:
      values.push_back(random());
    }
  return values;
}

/// What is wrong with the results of a snippet; empty when they are right.
std::string checkSnippet(Program &program, const Snippet &snippet, uint64_t seed) {
  constexpr unsigned kThreads = 64;
  std::vector<uint64_t> in = inputs(3 * kThreads, seed), out(kThreads);
  program.clearRanges();
  program.addRange(in.data(), in.size() * 8, "in");
  program.addRange(out.data(), out.size() * 8, "out");
  LaunchConfig config;
  config.block = {kThreads, 1, 1};
  config.maxInstructions = 100'000;
  const Report report =
      program.launch(snippet.name, config, {argument(in.data()), argument(out.data())});
  if (!report.ok())
    return std::string(snippet.name) + ": " + report.message;
  for (unsigned n = 0; n < kThreads; ++n) {
    const uint64_t want = snippet.expected(in[3 * n], in[3 * n + 1], in[3 * n + 2]);
    if (out[n] != want)
      return llvm::formatv("{0} of {1:x} {2:x} {3:x}: expected {4:x}, found {5:x}", snippet.name,
                           in[3 * n], in[3 * n + 1], in[3 * n + 2], want, out[n]);
  }
  return "";
}

/// What is wrong with the results of all snippets; nothing when they are right.
std::vector<std::string> checkSnippets(llvm::ArrayRef<uint8_t> cubin) {
  std::vector<std::string> wrong;
  auto program = Program::create(cubin);
  if (!program)
    return {llvm::toString(program.takeError())};
  uint64_t seed = 1;
  for (const Snippet &snippet : kSnippets)
    if (std::string why = checkSnippet(**program, snippet, seed++); !why.empty())
      wrong.push_back(why);
  return wrong;
}

class Snippets : public testing::TestWithParam<std::pair<const char *, const char *>> {};

TEST_P(Snippets, GiveWhatPtxDefinesAtBothLevels) {
  auto ptxas = findPtxas();
  if (!ptxas)
    GTEST_SKIP() << "no ptxas: neither in $CUDA_HOME/bin nor in PATH nor in /usr/local/cuda/bin";
  auto [gpu, level] = GetParam();
  EXPECT_THAT(checkSnippets(assemble(*ptxas, ptxOf(gpu), gpu, level)), testing::IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Sass, Snippets,
                         testing::Values(std::pair("sm_80", "-O0"), std::pair("sm_80", "-O3"),
                                         std::pair("sm_90", "-O0"), std::pair("sm_90", "-O3")));

TEST(SassTest, StoredCubinsRunWithoutCuda) {
  for (const char *name :
       {"snippets.sm_80.O0.cubin", "snippets.sm_80.O3.cubin", "snippets.sm_90.O3.cubin"}) {
    SCOPED_TRACE(name);
    EXPECT_THAT(checkSnippets(readBytes(corpusFile(name))), testing::IsEmpty());
  }
}

// Forms that no stored cubin has, as the vendor's disassembler spells them.
TEST(SassTest, FormsOfFewProgramsAreDecoded) {
  static constexpr std::tuple<uint64_t, uint64_t, unsigned, const char *> kWords[] = {
      {0x0001e20000100105, 0x0000000002007385, 90, "ST.E.U8 [R2],R5"},
      {0x0201e80000100910, 0x0000010c0e007385, 90, "ST.E [R14+0x10c],R16"},
      {0x0001620000100500, 0x01000000020f7980, 100, "LD.E.U16 R15,[R2+0x1000000]"},
      {0x000fca000380280f, 0x4c004c000e0e7847, 90,
       "VHMNMX R14,R14.H0_H0,h:0x4c00,h:0x4c00,R15.H0_H0,PT"},
      {0x0009e20008209800, 0x0000ff101a0075b4, 100, ""},
      {0x0009e20008209000, 0x0000ff101a0075b4, 100, "UTMALDG.2D.2CTA UR16,UR26"},
      {0x0075d80009300000, 0x00000006040079e7, 100, "UTCCP.T.S.2CTA.4x32dp128bit [UR4],UR6"},
      {0x0075d80009310000, 0x00000006040079e7, 100, ""},
      {0x000e22000020a000, 0x3f80000000307904, 100, "F2F.BF16.F32.RP R48,f:0x3f800000"},
      {0x000e62000030d000, 0x3fc0000000087910, 100, "F2F.F32.F64.RZ R8,f:0x3fc00000"},
      {0x000ea2000020e900, 0xbfab000000030905, 90, "@P0 F2I.S.16.F32.TRUNC.NTZ R3,f:0xbfab0000"},
      {0x001e0c000000082e, 0x40005800382c762b, 80, "DFMA R44,R56,-R46,|c[0x0][0x160]|"},
      {0x000e22000000090c, 0x80000018180c723f, 100, "DMMA.8x8x4 R12,-R24,-R24,-R12"},
      {0x000fc8000c807048, 0x0000000c47497e3e, 90,
       "F2FP.SATFINITE.F32.PACK_AB_MERGE_C.E4M3 R73,R71,R72,UR12"},
      {0x000fe200042032ff, 0x00000034ff27723e, 100,
       "F2FP.SATFINITE.E2M1.F16.UNPACK_B_MERGE_C R39,R52,RZ"},
      {0x0003e400011ee100, 0x0000000308ff738a, 90, "ATOM.E.MAX.STRONG.GPU PT,RZ,[R8],R3"},
      {0x001ea40008100400, 0xffffff04ffa17983, 80, "LDL.U16 R161,[UR4+-0x1]"},
      {0x000fe20008100004, 0xffffff0400007987, 80, "STL.U8 [R0+UR4+-0x1],R4"},
      {0x003e2200081d0000, 0x00000004000479ee, 100, "LDTM.x8.PACK16BIT R4,[UR4]"},
      {0x003e220003ffe000, 0x0000ffff0c0d7817, 110, "IMNMX.U32 R13,R12,0xffff,PT"},
      {0x003e2200048060ff, 0x0000000a0b0a723e, 89,
       "F2FP.SATFINITE.F32.PACK_AB_MERGE_C.E5M2 R10,R11,R10,RZ"},
      {0x003e220000002c08, 0x0000000e0408727a, 89, "QMMA.16832.F32.E4M3.E4M3 R8,R4,R14,R8"},
      {0x003e2200082c0002, 0x00000029590475ee, 110, "LDTM.STAT.x32.MAX.F32 R89,R4,[UR41]"},
      {0x0001e40008108000, 0x00000008040015b4, 100, "@UP1 UTMALDG.2D.GATHER4 UR8,UR4"},
      {0x0001e40008188000, 0x00000008040075b4, 100, ""},
      {0x0045e20008088000, 0x00000008040073b5, 100, "UTMASTG.2D.SCATTER4 UR8,UR4"},
      {0x0045e20008088000, 0x00000008040073b5, 90, ""},
      {0x000fe80000000000, 0xffffffff01007956, 87, "BMOV.32 B1,0xffffffff"},
      {0x000fe80000100000, 0x0000000005027f55, 87, "BMOV.32.CLEAR B2,B5"},
      {0x0c2e76000000090c, 0x800000100a0c723f, 80, "DMMA.884 R12,-R10,-R16,-R12"},
      {0x000fe2000c2468ff, 0x00000005050572ba, 120,
       "UF2FP.SATFINITE.F32.PACK_AB_MERGE_C.E4M3 UR5,UR5,UR5,URZ"},
      {0x000fe20008010100, 0xc37ff000ff047454, 120, "UFADD.FTZ UR4,-URZ,f:0xc37ff000"},
      {0x000fe20008208800, 0x7f800000000c785b, 120, "UF2F.F16.F32.RP UR12,f:0x7f800000"},
      {0x0003e20008000015, 0x0060000c0f007844, 100, "STSM.16.M88 [R15+UR21+0x6000],R12"},
      {0x000fc80000015200, 0x00000000000478cb, 120, "CS2UR UR4,SR_GLOBALTIMERLO"},
  };
  for (auto [high, low, sm, spelled] : kWords) {
    auto instruction = decode({low, high}, 0, sm);
    EXPECT_EQ(instruction ? print(*instruction) : "", spelled);
    if (!instruction)
      llvm::consumeError(instruction.takeError());
  }
}

// ---- straight-line programs ----

/// A program of snippets: each takes three of the values before it, the first three are inputs.
struct Chain {
  struct Step {
    const Snippet *snippet;
    std::array<unsigned, 3> sources;
  };
  std::vector<Step> steps;
};

/// Draws programs of all snippets with one right result: of f64, any NaN will do.
std::vector<Chain> drawChains(uint64_t seed, unsigned programs, unsigned steps) {
  std::mt19937_64 random(seed);
  std::vector<const Snippet *> usable;
  static constexpr llvm::StringLiteral kLeftOut[] = {"f64", "%lane", "$",  "%f",
                                                     "%g",  "%e",    "%h", "%o"};
  for (const Snippet &snippet : kSnippets)
    if (llvm::none_of(kLeftOut, [&](llvm::StringRef word) {
          return llvm::StringRef(snippet.body).contains(word);
        }))
      usable.push_back(&snippet);
  std::vector<Chain> chains(programs);
  for (Chain &chain : chains)
    for (unsigned n = 0; n < steps; ++n) {
      // Late values more often, so that steps depend on each other; two of one value never, as
      // ptxas gives a NaN back as it is for `min.f32 x, x` (oracles/external/notes.md, note 10).
      Chain::Step step{usable[random() % usable.size()], {}};
      for (size_t k = 0; k < step.sources.size();) {
        const auto range = static_cast<unsigned>(random() % (n + 3)) + 1;
        step.sources[k] = n + 2 - static_cast<unsigned>(random() % range);
        k += std::find(step.sources.begin(), step.sources.begin() + k, step.sources[k]) ==
             step.sources.begin() + k;
      }
      chain.steps.push_back(step);
    }
  return chains;
}

constexpr unsigned kChainThreads = 64;
constexpr const char *kRegisters = ".reg .b64 %a, %b, %c, %d; .reg .b32 %x, %y, %z, %w;\n"
                                   ".reg .pred %p; .reg .b16 %s, %t;";

/// Kernels `chain0`, ...: values of thread t to out[step * 64 + t].
std::string ptxOf(llvm::ArrayRef<Chain> chains, llvm::StringRef gpu) {
  std::string text = ".version 8.0\n.target " + gpu.str() + "\n.address_size 64\n";
  for (auto [number, chain] : llvm::enumerate(chains)) {
    text += llvm::formatv(
        false,
        ".visible .entry chain{0}(.param .u64 in, .param .u64 out) {{\n"
        ".reg .b64 %in, %out, %o, %v<{1}>; .reg .b32 %id;\n"
        "ld.param.u64 %in, [in]; ld.param.u64 %out, [out]; mov.u32 %id, %tid.x;\n"
        "mul.wide.u32 %o, %id, 24; add.u64 %in, %in, %o;\n"
        "mul.wide.u32 %o, %id, 8; add.u64 %out, %out, %o;\n"
        "ld.global.u64 %v0, [%in]; ld.global.u64 %v1, [%in+8]; ld.global.u64 %v2, [%in+16];\n",
        number, chain.steps.size() + 3);
    for (auto [n, step] : llvm::enumerate(chain.steps)) {
      const auto [a, b, c] = step.sources;
      text += llvm::formatv(false,
                            "{{ {0}\nmov.b64 %a, %v{1}; mov.b64 %b, %v{2}; mov.b64 %c, %v{3};\n"
                            "cvt.u32.u64 %x, %a; cvt.u32.u64 %y, %b; cvt.u32.u64 %z, %c;\n"
                            "{4}\n{5}mov.b64 %v{6}, %d; st.global.u64 [%out+{7}], %d; }\n",
                            kRegisters, a, b, c, step.snippet->body,
                            isWide(*step.snippet) ? "" : "cvt.u64.u32 %d, %w;\n", n + 3,
                            n * 8 * kChainThreads);
    }
    text += "ret;\n}\n";
  }
  return text;
}

/// What is wrong with the first step that is wrong; empty when none is.
std::string checkChain(Program &program, const Chain &chain, unsigned number) {
  std::vector<uint64_t> in = inputs(3 * kChainThreads, number),
                        out(chain.steps.size() * kChainThreads);
  program.clearRanges();
  program.addRange(in.data(), in.size() * 8, "in");
  program.addRange(out.data(), out.size() * 8, "out");
  LaunchConfig config;
  config.block = {kChainThreads, 1, 1};
  config.maxInstructions = 1'000'000;
  const Report report = program.launch("chain" + std::to_string(number), config,
                                       {argument(in.data()), argument(out.data())});
  if (!report.ok())
    return report.message;
  for (unsigned t = 0; t < kChainThreads; ++t) {
    std::vector<uint64_t> values(&in[3 * t], &in[3 * t] + 3);
    for (auto [n, step] : llvm::enumerate(chain.steps)) {
      const auto [a, b, c] = step.sources;
      values.push_back(step.snippet->expected(values[a], values[b], values[c]));
      if (const uint64_t found = out[n * kChainThreads + t]; found != values.back())
        return llvm::formatv("chain{0}, step {1}, {2} of {3:x} {4:x} {5:x}: expected {6:x}, "
                             "found {7:x}",
                             number, n, step.snippet->name, values[a], values[b], values[c],
                             values.back(), found);
    }
  }
  return "";
}

uint64_t numberFrom(const char *variable, uint64_t otherwise) {
  const char *text = getenv(variable);
  uint64_t value;
  return text && !llvm::StringRef(text).getAsInteger(10, value) ? value : otherwise;
}

// TILESMITH_PTX_SEED and TILESMITH_PTX_PROGRAMS draw others.
TEST(SassTest, StraightLineProgramsGiveWhatPtxDefines) {
  auto ptxas = findPtxas();
  if (!ptxas)
    GTEST_SKIP() << "no ptxas: neither in $CUDA_HOME/bin nor in PATH nor in /usr/local/cuda/bin";
  const std::vector<Chain> chains =
      drawChains(numberFrom("TILESMITH_PTX_SEED", 1),
                 static_cast<unsigned>(numberFrom("TILESMITH_PTX_PROGRAMS", 12)), /*steps=*/16);
  for (llvm::StringRef gpu : {"sm_80", "sm_90"})
    for (llvm::StringRef level : {"-O0", "-O3"}) {
      SCOPED_TRACE((gpu + " " + level).str());
      const std::vector<uint8_t> cubin = assemble(*ptxas, ptxOf(chains, gpu), gpu, level);
      auto checkAll = [&] {
        auto program = Program::create(cubin);
        if (!program)
          return llvm::toString(program.takeError());
        std::string wrong;
        for (unsigned n = 0; n < chains.size() && wrong.empty(); ++n)
          wrong = checkChain(**program, chains[n], n);
        return wrong;
      };
      EXPECT_EQ(checkAll(), "");
      PlantedRow planted("LOP3.LUT", [](Warp &w, const Instruction &i) {
        Instruction j = i; // all bits set gives another bit
        j.ops[5].value ^= 0x80;
        executeLop3(w, j);
      });
      EXPECT_NE(checkAll(), "");
    }
}

// Where a wait for a scoreboard is missing, a register is used too early. A wait may be there for
// another one's sake, so not every missing one shows.
TEST(SassTest, AMissingWaitIsAFault) {
  for (const char *name : {"snippets.sm_80.O3.cubin", "snippets.sm_90.O3.cubin"}) {
    const std::vector<uint8_t> cubin = readBytes(corpusFile(name));
    auto read = Cubin::read(cubin);
    ASSERT_TRUE(bool(read)) << llvm::toString(read.takeError());
    unsigned waits = 0, faults = 0;
    for (const Snippet &snippet : kSnippets) {
      const std::vector<uint8_t> &code = read->find(snippet.name)->code;
      const auto at = static_cast<size_t>(
          std::search(cubin.begin(), cubin.end(), code.begin(), code.end()) - cubin.begin());
      for (size_t n = 0; n < code.size(); n += 16) {
        // Bits 116 to 121 of the instruction, the upper six of bytes 14 and 15.
        const unsigned mask = (code[n + 14] >> 4 | code[n + 15] << 4) & 0x3f;
        if (!mask)
          continue;
        std::vector<uint8_t> damaged = cubin;
        damaged[at + n + 14] &= 0x0f, damaged[at + n + 15] &= 0xfc;
        auto program = Program::create(damaged);
        ASSERT_TRUE(bool(program)) << llvm::toString(program.takeError());
        const std::string why = checkSnippet(**program, snippet, 1);
        ++waits;
        faults += llvm::StringRef(why).contains("before the instruction at");
        if (!why.empty())
          EXPECT_THAT(why, testing::HasSubstr("before the instruction at"));
      }
    }
    EXPECT_GT(waits, 100u);
    EXPECT_GT(faults * 10, waits * 8) << faults << " of " << waits;
  }
}

// What compilers make of an assertion: the text by vprintf, then a trap.
TEST(SassTest, ATrapSaysWhatWasPrintedBefore) {
  auto ptxas = findPtxas();
  if (!ptxas)
    GTEST_SKIP() << "no ptxas: neither in $CUDA_HOME/bin nor in PATH nor in /usr/local/cuda/bin";
  constexpr llvm::StringLiteral kText = R"(
.version 8.0
.target sm_80
.address_size 64
.extern .func (.param .b32 result) vprintf (.param .b64 format, .param .b64 values);
.global .align 1 .b8 text[16] = {102, 105, 114, 115, 116, 10, 105, 110, 32, 37, 100, 32, 33, 61, 10, 0};
.visible .entry k() {
  .local .align 8 .b8 values[8];
  .reg .b64 %d<4>;
  .reg .b32 %r<4>;
  mov.b32 %r1, 7;
  st.local.b32 [values], %r1;
  mov.u64 %d1, text;
  cvta.global.u64 %d1, %d1;
  mov.u64 %d2, values;
  cvta.local.u64 %d2, %d2;
  {
    .param .b64 p0;
    st.param.b64 [p0], %d1;
    .param .b64 p1;
    st.param.b64 [p1], %d2;
    .param .b32 r0;
    call.uni (r0), vprintf, (p0, p1);
    ld.param.b32 %r2, [r0];
  }
  trap;
  ret;
}
)";
  for (llvm::StringRef level : {"-O0", "-O3"}) {
    auto program = Program::create(assemble(*ptxas, kText, "sm_80", level));
    ASSERT_TRUE(bool(program)) << llvm::toString(program.takeError());
    const Report report = (*program)->launch("k", LaunchConfig(), {});
    EXPECT_EQ(report.status, Report::Trapped) << report.message;
    EXPECT_THAT(report.message, testing::StartsWith("the kernel trapped: in 7 != (kernel 'k'"));
    EXPECT_EQ(report.printed, "first\nin 7 !=\n");
  }
}

// Twenty rows with the function of a neighbour: each must show in the results of some snippet.
TEST(SassTest, AWrongFunctionInARowShows) {
  static constexpr std::pair<const char *, Execute> kPlanted[] = {
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
      {"MUFU",
       [](Warp &w, const Instruction &i) {
         Instruction j = i;
         j.mods[0] ^= 1;
         executeMufu(w, j);
       }},
  };
  const std::vector<uint8_t> cubin = readBytes(corpusFile("snippets.sm_80.O3.cubin"));
  for (auto [name, wrong] : kPlanted) {
    PlantedRow planted(name, wrong);
    EXPECT_THAT(checkSnippets(cubin), testing::Not(testing::IsEmpty())) << name;
  }
}

// Set TILESMITH_UPDATE to store the cubins anew.
TEST(SassTest, StoredCubinsAreWritten) {
  auto ptxas = findPtxas();
  if (!ptxas || !getenv("TILESMITH_UPDATE"))
    GTEST_SKIP() << "TILESMITH_UPDATE is not set, or there is no ptxas";
  for (auto [gpu, level] : {std::pair("sm_80", "O0"), {"sm_80", "O3"}, {"sm_90", "O3"}})
    storeCubin(llvm::formatv("snippets.{0}.{1}.cubin", gpu, level).str(),
               assemble(*ptxas, ptxOf(gpu), gpu, ("-" + llvm::StringRef(level)).str()));
}

} // namespace
