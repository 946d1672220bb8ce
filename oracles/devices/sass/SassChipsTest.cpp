//===- SassChipsTest.cpp - forms of sm_80, sm_86, sm_89, sm_107, sm_120 that others lack -------===//
//
// sm_86 converts integers to f32 like sm_90; sm_107 and sm_120 add, compare and move 64 bits at once.
// Every form comes of PTX whose value the host computes, through ptxas at two levels.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/devices/sass/Execute.h"
#include "oracles/devices/sass/Instruction.h"
#include "oracles/devices/sass/Machine.h"
#include "oracles/devices/sass/Sass.h"
#include "oracles/devices/sass/SassTestSupport.h"

#include "llvm/Support/FormatVariadic.h"

#include "gmock/gmock.h"

#include <bit>
#include <cmath>

using namespace tilesmith;
using namespace tilesmith::sass;

namespace {

constexpr uint32_t kDividend = 0xfedcba98, kDivisor = 1234567;

/// %m and %n are the same for all threads; %a, %b of 64 bits and %x, the low half of %a; %w is the result.
struct Form {
  const char *body;
  uint64_t (*expected)(uint64_t a, uint64_t b);
};

/// A comparison as a bit.
#define COMPARE(name, type, cpp, op)                                                               \
  {"setp." name "." type " %p, %a, %b; selp.u64 %w, 1, 0, %p;",                                    \
   [](uint64_t a, uint64_t b) { return uint64_t{static_cast<cpp>(a) op static_cast<cpp>(b)}; }}

uint64_t rounded(float f) {
  return std::bit_cast<uint32_t>(f);
}

const Form kForms[] = {
    {"add.s64 %w, %a, %b;", [](uint64_t a, uint64_t b) { return a + b; }},
    {"sub.s64 %w, %a, %b;", [](uint64_t a, uint64_t b) { return a - b; }},
    {"neg.s64 %w, %a;", [](uint64_t a, uint64_t) { return 0 - a; }},
    {"add.s64 %w, %a, -5;", [](uint64_t a, uint64_t) { return a - 5; }},
    {"add.s64 %w, %a, 0xfffffffb;", [](uint64_t a, uint64_t) { return a + 0xfffffffb; }},
    {"sub.s64 %w, 0x123456789abcdef0, %a;",
     [](uint64_t a, uint64_t) { return 0x123456789abcdef0 - a; }},
    {"xor.b64 %w, %a, 0x8123456789abcdef;",
     [](uint64_t a, uint64_t) { return a ^ 0x8123456789abcdef; }},
    COMPARE("lt", "u64", uint64_t, <),
    COMPARE("le", "u64", uint64_t, <=),
    COMPARE("gt", "u64", uint64_t, >),
    COMPARE("ge", "u64", uint64_t, >=),
    COMPARE("lt", "s64", int64_t, <),
    COMPARE("le", "s64", int64_t, <=),
    COMPARE("gt", "s64", int64_t, >),
    COMPARE("ge", "s64", int64_t, >=),
    COMPARE("eq", "s64", int64_t, ==),
    COMPARE("ne", "s64", int64_t, !=),
    {"set.lt.s32.s32 %x, %x, %n; cvt.u64.u32 %w, %x;",
     [](uint64_t a, uint64_t) {
       return uint64_t{static_cast<int32_t>(a) < static_cast<int32_t>(kDivisor) ? ~0u : 0};
     }},
    {"set.ge.u32.u32 %x, %x, %m; cvt.u64.u32 %w, %x;",
     [](uint64_t a, uint64_t) {
       return uint64_t{static_cast<uint32_t>(a) >= kDividend ? ~0u : 0};
     }},
    {"cvt.u32.u64 %y, %b; set.ne.u32.u32 %x, %x, %y; cvt.u64.u32 %w, %x;",
     [](uint64_t a, uint64_t b) {
       return uint64_t{static_cast<uint32_t>(a) != static_cast<uint32_t>(b) ? ~0u : 0};
     }},
    {"set.gt.s32.s32 %x, %x, -2; cvt.u64.u32 %w, %x;",
     [](uint64_t a, uint64_t) { return uint64_t{static_cast<int32_t>(a) > -2 ? ~0u : 0}; }},
    {"setp.lt.s64 %p, %a, -3; selp.u64 %w, 1, 0, %p;",
     [](uint64_t a, uint64_t) { return uint64_t{static_cast<int64_t>(a) < -3}; }},
    {"setp.gt.u64 %p, %a, 0xfffffffffffffff0; selp.u64 %w, 1, 0, %p;",
     [](uint64_t a, uint64_t) { return uint64_t{a > 0xfffffffffffffff0}; }},
    {"setp.lt.u64 %p, %a, %b; setp.gt.or.s64 %p, %a, 7, %p; selp.u64 %w, 1, 0, %p;",
     [](uint64_t a, uint64_t b) { return uint64_t{a < b || static_cast<int64_t>(a) > 7}; }},
    {"setp.lt.u64 %p, %a, %b; selp.b64 %w, %a, -9, %p;",
     [](uint64_t a, uint64_t b) { return a < b ? a : uint64_t(-9); }},
    {"setp.lt.u64 %p, %a, %b; selp.b64 %w, %a, 0xfffffff7, %p;",
     [](uint64_t a, uint64_t b) { return a < b ? a : 0xfffffff7; }},
    {"setp.lt.u64 %p, %a, %b; @%p mov.b64 %b, 0x8765432112345678; mov.b64 %w, %b;",
     [](uint64_t a, uint64_t b) { return a < b ? 0x8765432112345678 : b; }},
    {"min.s64 %w, %a, %b;",
     [](uint64_t a, uint64_t b) {
       return static_cast<uint64_t>(std::min(static_cast<int64_t>(a), static_cast<int64_t>(b)));
     }},
    {"max.u64 %w, %a, %b;", [](uint64_t a, uint64_t b) { return std::max(a, b); }},
    {"max.s64 %w, %a, -2;",
     [](uint64_t a, uint64_t) {
       return static_cast<uint64_t>(std::max(static_cast<int64_t>(a), int64_t{-2}));
     }},
    {"mul.hi.u64 %w, %a, %b;",
     [](uint64_t a, uint64_t b) {
       return static_cast<uint64_t>(static_cast<unsigned __int128>(a) * b >> 64);
     }},
    {"mov.b64 {%x, %y}, %a; sub.cc.u32 %x, %x, 7; subc.cc.u32 %y, %y, 0; subc.u32 %y, %y, 9;\n"
     "mov.b64 %w, {%x, %y};",
     [](uint64_t a, uint64_t) {
       const uint64_t difference = a - 7, high = (difference >> 32) - 9 - (a < 7);
       return (high << 32) | (difference & 0xffffffff);
     }},
    {"max.s32 %y, %m, %n; min.u32 %x, %m, 77; add.u32 %y, %y, %x; cvt.u64.u32 %w, %y;",
     [](uint64_t, uint64_t) {
       return uint64_t{kDivisor + 77}; // the dividend is negative
     }},
    {"setp.lt.u32 %p, %m, %n; cvt.u64.u32 %w, %n; selp.b64 %w, 0, %w, %p;",
     [](uint64_t, uint64_t) { return uint64_t{kDivisor}; }},
    {"div.u32 %y, %m, %n; cvt.u64.u32 %w, %y;",
     [](uint64_t, uint64_t) { return uint64_t{kDividend / kDivisor}; }},
    {"cvt.rz.f32.u32 %f, %m; mul.f32 %f, %f, 0f3eaaaaab; cvt.rzi.u32.f32 %y, %f; cvt.u64.u32 %w, "
     "%y;",
     [](uint64_t, uint64_t) {
       const double towardsZero = kDividend & ~0xffu; // 24 bits of 32
       return uint64_t{static_cast<uint32_t>(static_cast<float>(towardsZero) *
                                             std::bit_cast<float>(0x3eaaaaab))};
     }},
    {"cvt.rn.f32.s32 %f, %x; mov.b32 %x, %f; cvt.u64.u32 %w, %x;",
     [](uint64_t a, uint64_t) { return rounded(static_cast<float>(static_cast<int32_t>(a))); }},
    {"cvt.rn.f32.u32 %f, %x; mov.b32 %x, %f; cvt.u64.u32 %w, %x;",
     [](uint64_t a, uint64_t) { return rounded(static_cast<float>(static_cast<uint32_t>(a))); }},
};
#undef COMPARE

std::string text(llvm::StringRef gpu) {
  std::string text =
      llvm::formatv(false,
                    ".version 8.8\n.target {0}\n.address_size 64\n"
                    ".visible .entry k(.param .u64 in, .param .u64 out, .param .u32 m,\n"
                    ".param .u32 n) .maxntid 32 {{\n"
                    ".reg .b64 %in, %out, %a, %b, %w, %a0, %b0; .reg .b32 %t, %x, %y, %m, %n; .reg "
                    ".f32 %f; .reg .pred %p;\n"
                    "ld.param.u64 %in, [in]; ld.param.u64 %out, [out]; mov.u32 %t, %tid.x;\n"
                    "mad.wide.u32 %in, %t, 16, %in; mad.wide.u32 %out, %t, {1}, %out;\n"
                    "ld.param.u32 %m, [m]; ld.param.u32 %n, [n]; ld.global.b64 %a0, [%in];\n"
                    "ld.global.b64 %b0, [%in+8];\n",
                    gpu, 8 * std::size(kForms));
  for (size_t n = 0; n < std::size(kForms); ++n)
    text += std::string("mov.b64 %a, %a0; mov.b64 %b, %b0; cvt.u32.u64 %x, %a;\n") +
            kForms[n].body + llvm::formatv(" st.global.b64 [%out+{0}], %w;\n", 8 * n).str();
  return text + "ret; }\n";
}

std::vector<std::string> checkAll(llvm::ArrayRef<uint8_t> cubin) {
  auto program = Program::create(cubin);
  if (!program)
    return {llvm::toString(program.takeError())};
  static constexpr uint64_t kEdges[] = {0,
                                        1,
                                        7,
                                        8,
                                        0x7fffffff,
                                        0x80000000,
                                        0xffffffff,
                                        0x100000000,
                                        0x1ffffffff,
                                        0x7fffffffffffffff,
                                        0x8000000000000000,
                                        0xfffffffffffffff0,
                                        0xfffffffffffffff1,
                                        0xfffffffffffffffc,
                                        0xfffffffffffffffd,
                                        0xffffffffffffffff};
  std::vector<std::string> wrong;
  // Every pair of edges; a lane has one.
  for (unsigned round = 0; round < std::size(kEdges) / 2; ++round) {
    std::vector<std::array<uint64_t, 2>> in(32);
    std::vector<std::array<uint64_t, std::size(kForms)>> out(32);
    for (unsigned l = 0; l < 32; ++l)
      in[l] = {kEdges[2 * round + l / 16], kEdges[l % 16]};
    (*program)->clearRanges();
    (*program)->addRange(in.data(), in.size() * sizeof(in[0]), "in");
    (*program)->addRange(out.data(), out.size() * sizeof(out[0]), "out");
    LaunchConfig config;
    config.block = {32, 1, 1};
    const Report report = (*program)->launch(
        "k", config,
        {argument(in.data()), argument(out.data()), argument(kDividend), argument(kDivisor)});
    if (!report.ok())
      return {report.message};
    for (unsigned l = 0; l < 32; ++l)
      for (size_t n = 0; n < std::size(kForms); ++n)
        if (const uint64_t want = kForms[n].expected(in[l][0], in[l][1]); out[l][n] != want)
          wrong.push_back(llvm::formatv("{0} of {1:x}, {2:x}: expected {3:x}, found {4:x}",
                                        kForms[n].body, in[l][0], in[l][1], want, out[l][n]));
  }
  return wrong;
}

// ---- products of 8-bit floats ----

constexpr const char *kBytes[] = {"e4m3", "e5m2"};

/// One warp multiplies: A at the lane's 16 bytes, B, C and D behind, as PTX deals them.
std::string productsText() {
  std::string text = ".version 8.7\n.target sm_120\n.address_size 64\n";
  for (unsigned k : {16, 32})
    for (const char *a : kBytes)
      for (const char *b : kBytes)
        for (const char *d : {"f16", "f32"}) {
          const bool deep = k == 32, wide = d == std::string("f32");
          const char *sums = wide ? "{%c0, %c1, %c2, %c3}" : "{%c0, %c1}";
          text += llvm::formatv(
              false,
              ".visible .entry k{0}_{1}_{2}_{3}(.param .u64 in) .maxntid 32 {{\n"
              ".reg .b64 %p; .reg .b32 %t, %a<4>, %b<2>, %c<4>; ld.param.u64 %p, [in];\n"
              "mov.u32 %t, %tid.x; mad.wide.u32 %p, %t, 48, %p;\n"
              "ld.global.v4.b32 {{%a0, %a1, %a2, %a3}, [%p]; ld.global.v2.b32 {{%b0, %b1}, "
              "[%p+16];\n"
              "ld.global.v4.b32 {{%c0, %c1, %c2, %c3}, [%p+32];\n"
              "mma.sync.aligned.m16n8k{0}.row.col.{3}.{1}.{2}.{3} {4}, {5}, {6}, {4};\n"
              "st.global.v4.b32 [%p+32], {{%c0, %c1, %c2, %c3}; ret; }\n",
              k, a, b, d, sums, deep ? "{%a0, %a1, %a2, %a3}" : "{%a0, %a1}",
              deep ? "{%b0, %b1}" : "{%b0}");
        }
  return text;
}

void checkProduct(Program &program, unsigned k, const char *typeA, const char *typeB, bool wide) {
  auto valueOfA = [](unsigned row, unsigned x) { return int(row * 5 + x * 3) % 9 - 4; };
  auto valueOfB = [](unsigned x, unsigned column) { return int(x * 7 + column * 2) % 7 - 3; };
  std::vector<std::array<uint32_t, 12>> lanes(32);
  for (unsigned l = 0; l < 32; ++l)
    for (unsigned e = 0; e < 16; ++e) {
      const unsigned x = l % 4 * 4 + e % 4, n = e / 4;
      lanes[l][n] |= encodeAs(typeA, valueOfA(l / 4 + 8 * (n & 1), x + 16 * (n >> 1)))
                     << (8 * (e % 4));
      if (n < 2)
        lanes[l][4 + n] |= encodeAs(typeB, valueOfB(x + 16 * n, l / 4)) << (8 * (e % 4));
    }
  const emulator::Format &format = wide ? emulator::kF32 : emulator::kF16;
  auto place = [&](unsigned l, unsigned n) -> std::pair<uint32_t &, unsigned> {
    return {lanes[l][8 + (wide ? n : n / 2)], wide ? 0 : 16 * (n & 1)};
  };
  for (unsigned l = 0; l < 32; ++l)
    for (unsigned n = 0; n < 4; ++n) {
      auto [word, shift] = place(l, n);
      word |= static_cast<uint32_t>(emulator::encode(n + 1, format)) << shift;
    }
  program.clearRanges();
  program.addRange(lanes.data(), sizeof(lanes[0]) * 32, "lanes");
  LaunchConfig config;
  config.block = {32, 1, 1};
  const std::string name =
      llvm::formatv("k{0}_{1}_{2}_{3}", k, typeA, typeB, wide ? "f32" : "f16").str();
  const Report report = program.launch(name, config, {argument(lanes.data())});
  ASSERT_TRUE(report.ok()) << report.message;
  for (unsigned l = 0; l < 32; ++l)
    for (unsigned n = 0; n < 4; ++n) {
      int sum = int(n) + 1;
      for (unsigned x = 0; x < k; ++x)
        sum += valueOfA(l / 4 + 8 * (n >> 1), x) * valueOfB(x, 2 * (l % 4) + (n & 1));
      auto [word, shift] = place(l, n);
      EXPECT_EQ(emulator::decode(word >> shift & (wide ? ~0u : 0xffff), format), sum) << name;
    }
}

void checkProducts(llvm::ArrayRef<uint8_t> cubin) {
  auto program = llvm::cantFail(Program::create(cubin));
  for (unsigned k : {16, 32})
    for (const char *a : kBytes)
      for (const char *b : kBytes)
        for (bool wide : {false, true})
          checkProduct(*program, k, a, b, wide);
}

/// A table of branches whose index is an argument, so the same for all threads: BRXU.
std::string branchesText() {
  std::string text = ".version 8.0\n.target sm_80\n.address_size 64\n"
                     ".visible .entry k(.param .u64 out, .param .u32 n) {\n"
                     ".reg .b64 %out; .reg .b32 %n, %x;\n"
                     "ld.param.u64 %out, [out]; ld.param.u32 %n, [n]; and.b32 %n, %n, 3;\n"
                     "to: .branchtargets L0, L1, L2, L3; brx.idx %n, to;\n";
  for (unsigned k = 0; k < 4; ++k) // an atomic operation each, so that the cases stay branches
    text += llvm::formatv("L{0}: atom.global.{1} %x, [%out], {2}; bra END;\n", k,
                          k % 2 ? "add.u32" : "xor.b32", 10 + k);
  return text + "END: ret; }\n";
}
void checkBranches(llvm::ArrayRef<uint8_t> cubin) {
  auto program = llvm::cantFail(Program::create(cubin));
  for (uint32_t n = 0; n < 4; ++n) {
    uint32_t out = 0x100;
    program->clearRanges();
    program->addRange(&out, sizeof out, "out");
    const Report report = program->launch("k", {}, {argument(&out), argument(n)});
    ASSERT_TRUE(report.ok()) << report.message;
    EXPECT_EQ(out, 0x10a + n);
  }
}

constexpr const char *kStoredBranches = "branches.sm_80.O3.cubin";
constexpr const char *kStored86 = "chips.sm_86.O3.cubin", *kStored107 = "chips.sm_107.O3.cubin",
                     *kStored120 = "chips.sm_120.O3.cubin",
                     *kStoredProducts = "products.sm_120.O3.cubin";

void expectRight(llvm::ArrayRef<uint8_t> cubin) {
  EXPECT_THAT(checkAll(cubin), testing::IsEmpty());
}

TEST(SassChipsTest, AmpereWithConversions) {
  checkAtBothLevels(text("sm_86"), "sm_86", kStored86, expectRight);
}
TEST(SassChipsTest, BlackwellOfServersWithLongIntegers) {
  if (const std::string why = whyNoPtxas("sm_107a"); !why.empty())
    GTEST_SKIP() << why << "; the stored cubins run in other tests";
  checkAtBothLevels(text("sm_100f"), "sm_107a", kStored107, expectRight);
}
TEST(SassChipsTest, BlackwellWithLongIntegers) {
  checkAtBothLevels(text("sm_120"), "sm_120", kStored120, expectRight);
}

TEST(SassChipsTest, AmpereWithTablesOfBranches) {
  checkAtBothLevels(branchesText(), "sm_80", kStoredBranches, checkBranches);
}

TEST(SassChipsTest, StoredCubinsRunWithoutCuda) {
  for (const char *stored : {kStored86, kStored107, kStored120})
    expectRight(readBytes(corpusFile(stored)));
  checkProducts(readBytes(corpusFile(kStoredProducts)));
  checkBranches(readBytes(corpusFile(kStoredBranches)));
}

TEST(SassChipsTest, BlackwellWithProductsOfBytes) {
  checkAtBothLevels(productsText(), "sm_120", kStoredProducts, checkProducts);
}

// Each row with a wrong function: the stored cubin must show it.
TEST(SassChipsTest, AWrongFunctionInARowShows) {
  static constexpr std::pair<const char *, Execute> kPlanted[] = {
      {"IADD.64",
       [](Warp &w, const Instruction &i) {
         Instruction j = i;
         j.ops[2].negative = !j.ops[2].negative;
         executeIadd64(w, j);
       }},
      {"ISETP",
       [](Warp &w, const Instruction &i) {
         Instruction j = i;
         j.mods[1] ^= 1;
         i.execute == executeIsetp || i.numOps == 6 ? executeIsetp(w, i) : executeIsetp64(w, j);
       }},
      {"UMOV.64",
       [](Warp &w, const Instruction &i) {
         Instruction j = i;
         j.ops[1].value &= 0xffffffff;
         executeMov64Immediate(w, j);
       }},
      {"IMNMX",
       [](Warp &w, const Instruction &i) {
         Instruction j = i;
         j.mods[0] ^= 1;
         executeImnmx64(w, j);
       }},
  };
  const std::vector<uint8_t> cubin = readBytes(corpusFile(kStored120));
  for (auto [name, wrong] : kPlanted) {
    PlantedRow planted(name, wrong);
    EXPECT_THAT(checkAll(cubin), testing::Not(testing::IsEmpty())) << name;
  }
  PlantedRow planted("VISET.BM", [](Warp &w, const Instruction &i) {
    Instruction j = i;
    j.mods[1] ^= 1;
    executeViset(w, j);
  });
  EXPECT_THAT(checkAll(readBytes(corpusFile(kStored107))), testing::Not(testing::IsEmpty()));
}

// The same word is another operation there.
TEST(SassChipsTest, AWordThatChipsReadDifferently) {
  constexpr Word kWord{0x0000000507107247, 0x000fc40000002000};
  EXPECT_EQ(print(llvm::cantFail(decode(kWord, 0, 103))), "VHMNMX R16,R7,R5,R0.H0_H0,P0");
  EXPECT_EQ(print(llvm::cantFail(decode(kWord, 0, 107))), "VISET.BM.LT.U32 R16,R7,R5");
  EXPECT_THAT(llvm::toString(decode(kWord, 0, 110).takeError()),
              testing::HasSubstr("an opcode of sm_110"));
}

} // namespace
