//===- SassFormsTest.cpp - atomics at generic addresses; powers and pairs of sm_100 ----------===//
//
// A generic address may lie in global memory, in the block's shared memory or in another block's.
// What the machine cannot do there in one operation, ptxas asks for (`QSPC`, the predicate of
// `ATOM`) and does in a loop (`CAST.SPIN`). PTX says what every one of these ways leaves.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/devices/emulator/Numeric.h"
#include "oracles/devices/sass/Cubin.h"
#include "oracles/devices/sass/Execute.h"
#include "oracles/devices/sass/Machine.h"
#include "oracles/devices/sass/Sass.h"
#include "oracles/devices/sass/SassTestSupport.h"
#include "oracles/devices/sass/Scoreboard.h"

#include "llvm/Support/FormatVariadic.h"

#include "gmock/gmock.h"

#include <bit>
#include <cmath>
#include <random>

using namespace tilesmith;
using namespace tilesmith::sass;

namespace {

// ---- atomics ----

using Combine = uint64_t (*)(uint64_t old, uint64_t operand);

uint64_t addFloats(uint64_t a, uint64_t b) {
  return std::bit_cast<uint32_t>(std::bit_cast<float>(static_cast<uint32_t>(a)) +
                                 std::bit_cast<float>(static_cast<uint32_t>(b)));
}
uint64_t addPairs(uint64_t a, uint64_t b, const emulator::Format &format) {
  auto add = [&](unsigned shift) {
    return uint64_t{emulator::encode(emulator::decode(a >> shift & 0xffff, format) +
                                         emulator::decode(b >> shift & 0xffff, format),
                                     format)}
           << shift;
  };
  return add(0) | add(16);
}

/// %u, %f, %q, %d hold the operand, %v, %g, %r, %e take what was there.
struct Atomic {
  const char *text, *old;
  unsigned bits;
  bool commutes;
  uint64_t (*value)(unsigned number); ///< how a small number is written in the type
  Combine combine;
};

uint64_t whole(unsigned n) {
  return n;
}
uint64_t single(unsigned n) {
  return std::bit_cast<uint32_t>(static_cast<float>(n));
}

const Atomic kAtomics[] = {
    {"atom.add.u32 %v, [%c], %u", "%v", 32, true, whole,
     [](uint64_t a, uint64_t b) { return uint64_t{static_cast<uint32_t>(a + b)}; }},
    {"atom.min.s32 %v, [%c], %u", "%v", 32, true, whole,
     [](uint64_t a, uint64_t b) { return std::min(a, b); }},
    {"atom.or.b32 %v, [%c], %u", "%v", 32, true, whole,
     [](uint64_t a, uint64_t b) { return a | b; }},
    {"atom.exch.b32 %v, [%c], %u", "%v", 32, false, whole, [](uint64_t, uint64_t b) { return b; }},
    {"atom.cas.b32 %v, [%c], 5, %u", "%v", 32, false, whole,
     [](uint64_t a, uint64_t b) { return a == 5 ? b : a; }},
    {"atom.add.u64 %r, [%c], %q", "%r", 64, true, whole,
     [](uint64_t a, uint64_t b) { return a + b; }},
    {"atom.max.s64 %r, [%c], %q", "%r", 64, true, whole,
     [](uint64_t a, uint64_t b) { return std::max(a, b); }},
    {"atom.cas.b64 %r, [%c], 5, %q", "%r", 64, false, whole,
     [](uint64_t a, uint64_t b) { return a == 5 ? b : a; }},
    {"atom.add.f32 %g, [%c], %f", "%g", 32, true, single, addFloats},
    {"atom.add.f64 %e, [%c], %d", "%e", 64, true,
     [](unsigned n) { return std::bit_cast<uint64_t>(static_cast<double>(n)); },
     [](uint64_t a, uint64_t b) {
       return std::bit_cast<uint64_t>(std::bit_cast<double>(a) + std::bit_cast<double>(b));
     }},
    {"atom.add.noftz.f16x2 %v, [%c], %u", "%v", 32, true,
     [](unsigned n) {
       return uint64_t{emulator::encode(n, emulator::kF16)} |
              uint64_t{emulator::encode(n + 1, emulator::kF16)} << 16;
     },
     [](uint64_t a, uint64_t b) { return addPairs(a, b, emulator::kF16); }},
};
/// For the others ptxas asks for the own shared memory only; what the machine does at another block's
/// is not known.
bool hasWayToPeers(const Atomic &atomic) {
  const llvm::StringRef text = atomic.text;
  return text.contains(".f32") || text.contains(".f64") ||
         (atomic.bits == 32 && !text.contains("f16x2"));
}
constexpr unsigned kCount = std::size(kAtomics), kLane = 16 * kCount;

enum Space : unsigned { Global, Own, Peer };

/// `in`: of every lane an initial value and an operand for each operation; `out`: what was there and
/// what is there at the end. `shift`: 2^shift lanes work on one cell.
std::string atomicsFor(llvm::StringRef gpu) {
  const bool clusters = gpu != "sm_80";
  const char *const barrier =
      clusters ? "barrier.cluster.arrive; barrier.cluster.wait;\n" : "bar.sync 0;\n";
  std::string fill, work, read;
  for (unsigned n = 0; n < kCount; ++n) {
    const unsigned at = 16 * n;
    if (!hasWayToPeers(kAtomics[n]))
      work += llvm::formatv("@%p bra NEXT{0};\n", n);
    fill += llvm::formatv("ld.global.b64 %q, [%init+{0}]; st.b64 [%own+{0}], %q;\n", at);
    work +=
        llvm::formatv("ld.global.b64 %q, [%in+{0}]; ld.global.b32 %u, [%in+{0}]; mov.b32 %f, %u;\n"
                      "mov.b64 %d, %q; add.u64 %c, %cell, {1};\n{2};\n"
                      "st.global.b{3} [%out+{1}], {4};\n",
                      at + 8, at, kAtomics[n].text, kAtomics[n].bits, kAtomics[n].old);
    work += llvm::formatv("NEXT{0}:\n", n);
    read += llvm::formatv("ld.b64 %q, [%own+{0}]; st.global.b64 [%out+{1}], %q;\n", at, at + 8);
  }
  return llvm::formatv(
             false,
             ".version 8.6\n.target {0}\n.address_size 64\n"
             ".visible .entry atomics(.param .u64 in, .param .u64 out, .param .u64 cells,\n"
             ".param .u32 space, .param .u32 shift) .maxntid 32 {1} {{\n"
             ".shared .align 16 .b8 sm[{2}]; .reg .b64 %in, %out, %init, %own, %cell, %c, %q, %r, "
             "%o;\n"
             ".reg .b32 %t, %b, %u, %v, %s, %k; .reg .f32 %f, %g; .reg .f64 %d, %e; .reg .pred "
             "%p;\n"
             "ld.param.u64 %in, [in]; ld.param.u64 %out, [out]; ld.param.u64 %own, [cells];\n"
             "ld.param.u32 %s, [space]; ld.param.u32 %k, [shift];\n"
             "mov.u32 %t, %tid.x; mov.u32 %b, %ctaid.x; mad.lo.u32 %b, %b, 32, %t;\n"
             "mul.wide.u32 %o, %b, {3}; add.u64 %out, %out, %o; add.u64 %own, %own, %o;\n"
             "sub.u32 %u, %b, %t; mad.wide.u32 %c, %b, {3}, %in; shr.u32 %t, %t, %k;\n"
             "shl.b32 %t, %t, %k; add.u32 %u, %u, %t; mad.wide.u32 %init, %u, {3}, %in;\n"
             "mov.u64 %in, %c; sub.u32 %u, %b, %u; mul.wide.u32 %o, %u, {3}; sub.u64 %own, %own, "
             "%o;\n"
             "setp.eq.u32 %p, %s, 0; @%p bra MEMORY;\n"
             "mov.u64 %own, sm; cvta.shared.u64 %own, %own; mul.wide.u32 %o, %t, {3};\n"
             "add.u64 %own, %own, %o;\n"
             "MEMORY: mov.u64 %cell, %own;\n",
             gpu, clusters ? ".reqnctapercluster 2" : "", 32 * kLane, kLane)
             .str() +
         (clusters ? "setp.ne.u32 %p, %s, 2; @%p bra FILL; mov.u32 %u, %cluster_ctarank;\n"
                     "xor.b32 %u, %u, 1; mapa.u64 %cell, %own, %u;\nFILL:\n"
                   : "") +
         fill + barrier + "setp.eq.u32 %p, %s, 2;\n" + work + barrier + read + "ret; }\n";
}

struct Cells {
  uint64_t first = 0, second = 0;
};
using Table = std::vector<std::array<Cells, kCount>>;

/// What is wrong; empty when nothing is.
std::string checkAtomics(Program &program, Space space, unsigned shift) {
  Table in(64), out(64), cells(64), want(64);
  std::mt19937 random(space + 1);
  for (auto &lane : in)
    for (unsigned n = 0; n < kCount; ++n)
      lane[n] = {kAtomics[n].value(random() % 2 ? 5 : random() % 30),
                 kAtomics[n].value(random() % 30)};
  for (unsigned l = 0; l < 64; ++l)
    for (unsigned n = 0; n < kCount; ++n) {
      const unsigned cell = (space == Peer ? l ^ 32 : l) >> shift << shift;
      want[l][n].first = in[cell][n].first;
      want[l][n].second = in[l >> shift << shift][n].first;
      const unsigned actors = (space == Peer ? l ^ 32 : l) >> shift << shift;
      for (unsigned k = 0; k < 1u << shift; ++k)
        want[l][n].second = kAtomics[n].combine(want[l][n].second, in[actors + k][n].second);
    }
  program.clearRanges();
  for (Table *table : {&in, &out, &cells})
    program.addRange(table->data(), table->size() * kLane, "table");
  LaunchConfig config;
  config.grid = {2, 1, 1};
  config.block = {32, 1, 1};
  config.maxInstructions = 1'000'000;
  const Report report =
      program.launch("atomics", config,
                     {argument(in.data()), argument(out.data()), argument(cells.data()),
                      argument(uint32_t{space}), argument(uint32_t{shift})});
  if (!report.ok())
    return report.message;
  for (unsigned l = 0; l < 64; ++l)
    for (unsigned n = 0; n < kCount; ++n) {
      if (shift && !kAtomics[n].commutes)
        continue;
      if (space == Peer && !hasWayToPeers(kAtomics[n]))
        continue;
      if (out[l][n].second != want[l][n].second || (!shift && out[l][n].first != want[l][n].first))
        return llvm::formatv("{0}, lane {1}: expected {2:x} and {3:x}, found {4:x} and {5:x}",
                             kAtomics[n].text, l, want[l][n].first, want[l][n].second,
                             out[l][n].first, out[l][n].second);
    }
  return "";
}

std::string checkSpaces(llvm::ArrayRef<uint8_t> cubin, unsigned spaces) {
  auto program = Program::create(cubin);
  if (!program)
    return llvm::toString(program.takeError());
  for (unsigned space = 0; space < spaces; ++space)
    for (unsigned shift : {0, 5})
      if (std::string wrong = checkAtomics(**program, Space(space), shift); !wrong.empty())
        return llvm::formatv("space {0}, 2^{1} lanes a cell: {2}", space, shift, wrong);
  return "";
}

void checkOwn(llvm::ArrayRef<uint8_t> cubin) {
  EXPECT_EQ(checkSpaces(cubin, 2), "");
}
void checkPeer(llvm::ArrayRef<uint8_t> cubin) {
  EXPECT_EQ(checkSpaces(cubin, 3), "");
}

TEST(SassFormsTest, AtomicsAtGenericAddressesOfAmpere) {
  checkAtBothLevels(atomicsFor("sm_80"), "sm_80", "atomics.sm_80.O3.cubin", checkOwn);
}
TEST(SassFormsTest, AtomicsAtGenericAddressesOfHopper) {
  checkAtBothLevels(atomicsFor("sm_90"), "sm_90", "atomics.sm_90.O3.cubin", checkPeer);
}
TEST(SassFormsTest, AtomicsAtGenericAddressesOfBlackwell) {
  checkAtBothLevels(atomicsFor("sm_100"), "sm_100", "atomics.sm_100.O3.cubin", checkPeer);
}

// ---- powers of two and pairs ----

/// Inputs: %a, %b of f32, %h two bf16, %q, %r, %s pairs of f32. Results of 8 bytes each.
const char *const kForms[] = {
    "cvt.rp.satfinite.ue8m0x2.f32 %x, %a, %b; mov.b64 %o, {%x,0,0,0}",
    "cvt.rz.satfinite.ue8m0x2.f32 %x, %a, %b; mov.b64 %o, {%x,0,0,0}",
    "cvt.rp.ue8m0x2.f32 %x, %a, %b; mov.b64 %o, {%x,0,0,0}",
    "cvt.rz.ue8m0x2.f32 %x, %a, %b; mov.b64 %o, {%x,0,0,0}",
    "cvt.rp.satfinite.ue8m0x2.bf16x2 %x, %h; mov.b64 %o, {%x,0,0,0}",
    "cvt.rz.ue8m0x2.bf16x2 %x, %h; mov.b64 %o, {%x,0,0,0}",
    "fma.rn.f32x2 %o, %q, %r, %ones",
    "fma.rn.f32x2 %o, %q, %mixed, %r",
    "fma.rn.f32x2 %o, %q, %r, %mixed",
    "neg.f32 %f, %e; mov.b64 %n, {%f, %g}; fma.rn.f32x2 %o, %q, %q, %n",
    "neg.f32 %f, %g; mov.b64 %n, {%e, %f}; fma.rn.f32x2 %o, %q, %q, %n",
    "neg.f32 %f, %e; mov.b64 %n, {%f, %g}; fma.rn.f32x2 %o, %n, %q, %ones",
    "neg.f32 %f, %g; mov.b64 %n, {%e, %f}; add.rn.f32x2 %o, %q, %n",
    "neg.f32 %f, %e; mov.b64 %n, {%f, %g}; mul.rn.f32x2 %o, %q, %n",
    "mov.b64 %n, {%u, %u}; add.rn.f32x2 %o, %q, %n",
    "mov.b64 %n, {%u, %v}; add.rn.f32x2 %o, %q, %n",
    "neg.f32 %f, %u; mov.b64 %n, {%f, %f}; add.rn.f32x2 %o, %q, %n",
    "add.u16x2 %h, %h, %w; mov.b64 %o, {%h, %w}",
    "mov.b32 %h, 0xffffffff; add.s16x2 %h, %h, %w; mov.b64 %o, {%h, %w}",
};

std::string formsKernel() {
  std::string text = ".version 8.6\n.target sm_100a\n.address_size 64\n"
                     ".visible .entry forms(.param .u64 in, .param .u64 out, .param .f32 u,\n"
                     ".param .f32 v) .maxntid 32 {\n"
                     ".reg .b64 %in, %out, %q, %r, %o, %ones, %mixed, %n;\n"
                     ".reg .f32 %a, %b, %e, %f, %g, %u, %v;\n"
                     ".reg .b32 %t, %h, %w; .reg .b16 %x; mov.b64 %ones, 0x3f8000003f800000;\n"
                     "mov.b64 %mixed, 0x3f80000040800000; ld.param.u64 %in, [in];\n"
                     "ld.param.u64 %out, [out]; mov.u32 %t, %tid.x;\n"
                     "mad.wide.u32 %in, %t, 32, %in; ld.global.b32 %h, [%in+8];\n"
                     "ld.global.f32 %a, [%in]; ld.global.f32 %b, [%in+4];\n"
                     "ld.global.b64 %q, [%in+16]; ld.global.b64 %r, [%in+24];\n"
                     "ld.global.b32 %w, [%in+12]; mov.b64 {%e, %g}, %r;\n"
                     "ld.param.f32 %u, [u]; ld.param.f32 %v, [v];\n";
  text += llvm::formatv("mad.wide.u32 %out, %t, {0}, %out;\n", 8 * std::size(kForms));
  for (size_t n = 0; n < std::size(kForms); ++n)
    text += llvm::formatv("{0}; st.global.b64 [%out+{1}], %o;\n", llvm::StringRef(kForms[n]).str(),
                          8 * n);
  return text +
         "ret; }\n"
         ".visible .entry matrices(.param .u64 in, .param .u64 out) .maxntid 32 {\n"
         ".shared .align 128 .b8 box[512]; .reg .b64 %in, %out; .reg .b32 %t, %s, %v<4>, %r<6>;\n"
         "ld.param.u64 %in, [in]; ld.param.u64 %out, [out]; mov.u32 %t, %tid.x;\n"
         "mad.wide.u32 %in, %t, 16, %in; ld.global.v4.b32 {%v0, %v1, %v2, %v3}, [%in];\n"
         "mad.wide.u32 %out, %t, 24, %out; mov.u32 %s, box; mad.lo.u32 %s, %t, 16, %s;\n"
         "st.shared.v4.b32 [%s], {%v0, %v1, %v2, %v3}; bar.sync 0;\n"
         "ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 {%r0, %r1}, [%s];\n"
         "ldmatrix.sync.aligned.m16n16.x2.trans.shared.b8 {%r2, %r3, %r4, %r5}, [%s];\n"
         "st.global.v2.b32 [%out], {%r0, %r1}; st.global.v2.b32 [%out+8], {%r2, %r3};\n"
         "st.global.v2.b32 [%out+16], {%r4, %r5}; ret; }\n";
}

/// Two matrices of 16 x 16 bytes, whose columns become rows of the fragments.
std::string checkMatrices(llvm::ArrayRef<uint8_t> cubin) {
  auto program = Program::create(cubin);
  if (!program)
    return llvm::toString(program.takeError());
  std::vector<uint8_t> in(512);
  for (size_t n = 0; n < in.size(); ++n)
    in[n] = static_cast<uint8_t>(167 * n % 251);
  std::vector<std::array<std::array<uint8_t, 4>, 6>> out(32);
  (*program)->addRange(in.data(), in.size(), "in");
  (*program)->addRange(out.data(), out.size() * sizeof(out[0]), "out");
  LaunchConfig config;
  config.block = {32, 1, 1};
  const Report report =
      (*program)->launch("matrices", config, {argument(in.data()), argument(out.data())});
  if (!report.ok())
    return report.message;
  static constexpr unsigned kMatrix[] = {0, 0, 0, 0, 1, 1};
  for (unsigned l = 0; l < 32; ++l)
    for (unsigned r = 0; r < 6; ++r)
      for (unsigned e = 0; e < 4; ++e) {
        const unsigned row = 4 * (l % 4) + e, column = l / 4 + 8 * (r % 2);
        if (out[l][r][e] != in[256 * kMatrix[r] + 16 * row + column])
          return llvm::formatv("register {0} of lane {1}, byte {2}", r, l, e);
      }
  return "";
}

constexpr float kUniform[] = {0.375f, -5.25f}; ///< %u, %v

/// The exponent of a magnitude that is no NaN; rounded up or down.
uint32_t powerOf(double value, bool up, bool saturates) {
  unsigned byte = 0;
  while (byte < 255 && (up ? std::ldexp(1.0, static_cast<int>(byte) - 127) < std::fabs(value)
                           : std::ldexp(1.0, static_cast<int>(byte) - 126) <= std::fabs(value)))
    ++byte;
  return std::isnan(value) ? 0xff : saturates ? std::min(byte, 0xfeu) : byte;
}

/// With `ofHalf`: the conversions of %h make that of each half instead, in so many bits.
std::string checkForms(llvm::ArrayRef<uint8_t> cubin, uint32_t (*ofHalf)(uint32_t) = nullptr) {
  auto program = Program::create(cubin);
  if (!program)
    return llvm::toString(program.takeError());
  static constexpr uint32_t kBits[] = {0,          1,          0x00400000, 0x00400001,
                                       0x00800000, 0x00800001, 0x3f800000, 0x3fc00000,
                                       0x40000000, 0x7e800001, 0x7f000000, 0x7f000001,
                                       0x7f7fffff, 0x7f800000, 0x7fc00000, 0x42280000};
  struct Lane {
    uint32_t a, b, h, w, q[2], r[2];
  };
  std::vector<Lane> in(32);
  std::vector<std::array<uint64_t, std::size(kForms)>> out(32);
  for (uint32_t l = 0; l < 32; ++l) {
    const uint32_t a = kBits[l % 16], b = kBits[(5 * l + 3) % 16];
    in[l] = {a, b, a >> 16 | (b & 0xffff0000), 0x7fff8000 + 0x12345 * l, {}, {}};
    for (uint32_t k = 0; k < 2; ++k) {
      in[l].q[k] = static_cast<uint32_t>(single(l + 7 * k));
      in[l].r[k] = static_cast<uint32_t>(single(3 * l + k + 1));
    }
  }
  (*program)->addRange(in.data(), in.size() * sizeof(Lane), "in");
  (*program)->addRange(out.data(), out.size() * sizeof(out[0]), "out");
  LaunchConfig config;
  config.block = {32, 1, 1};
  const Report report = (*program)->launch(
      "forms", config,
      {argument(in.data()), argument(out.data()), argument(kUniform[0]), argument(kUniform[1])});
  if (!report.ok())
    return report.message;
  auto asFloat = [](uint64_t bits) { return std::bit_cast<float>(static_cast<uint32_t>(bits)); };
  for (uint32_t l = 0; l < 32; ++l) {
    const Lane &lane = in[l];
    auto powers = [&](uint32_t high, uint32_t low, bool up, bool saturates) {
      return uint64_t{powerOf(asFloat(high), up, saturates) << 8 |
                      powerOf(asFloat(low), up, saturates)};
    };
    auto pairs = [&](auto &&of) { return of(0) | of(1) << 32; };
    auto q = [&](unsigned k) { return asFloat(lane.q[k]); };
    auto r = [&](unsigned k) { return asFloat(lane.r[k]); };
    auto addHalves = [](uint32_t x, uint32_t y) -> uint64_t {
      return ((x + y) & 0xffff) | uint64_t{(x >> 16) + (y >> 16)} % 0x10000 << 16;
    };
    auto mixed = [](unsigned k) { return k ? 1.0f : 4.0f; };
    auto bits = [](float v) { return uint64_t{std::bit_cast<uint32_t>(v)}; };
    const uint32_t high = lane.h & 0xffff0000, low = lane.h << 16;
    const uint64_t nibbles = ofHalf ? ofHalf(lane.h & 0xffff) | ofHalf(lane.h >> 16) << 4 : 0;
    const uint64_t want[] = {
        powers(lane.a, lane.b, true, true),
        powers(lane.a, lane.b, false, true),
        powers(lane.a, lane.b, true, false),
        powers(lane.a, lane.b, false, false),
        ofHalf ? nibbles : powers(high, low, true, true),
        ofHalf ? nibbles : powers(high, low, false, false),
        pairs([&](unsigned k) { return bits(std::fma(q(k), r(k), 1.0f)); }),
        pairs([&](unsigned k) { return bits(std::fma(q(k), mixed(k), r(k))); }),
        pairs([&](unsigned k) { return bits(std::fma(q(k), r(k), mixed(k))); }),
        pairs([&](unsigned k) { return bits(std::fma(q(k), q(k), k ? r(1) : -r(0))); }),
        pairs([&](unsigned k) { return bits(std::fma(q(k), q(k), k ? -r(1) : r(0))); }),
        pairs([&](unsigned k) { return bits(std::fma(k ? r(1) : -r(0), q(k), 1.0f)); }),
        pairs([&](unsigned k) { return bits(q(k) + (k ? -r(1) : r(0))); }),
        pairs([&](unsigned k) { return bits(q(k) * (k ? r(1) : -r(0))); }),
        pairs([&](unsigned k) { return bits(q(k) + kUniform[0]); }),
        pairs([&](unsigned k) { return bits(q(k) + kUniform[k]); }),
        pairs([&](unsigned k) { return bits(q(k) - kUniform[0]); }),
        addHalves(lane.h, lane.w) | uint64_t{lane.w} << 32,
        addHalves(~0u, lane.w) | uint64_t{lane.w} << 32,
    };
    for (size_t n = 0; n < std::size(kForms); ++n)
      if (out[l][n] != want[n])
        return llvm::formatv("{0}, lane {1}: expected {2:x}, found {3:x}", kForms[n], l, want[n],
                             out[l][n]);
  }
  return "";
}

TEST(SassFormsTest, PowersOfTwoAndPairs) {
  checkAtBothLevels(formsKernel(), "sm_100a", "forms.sm_100.O3.cubin",
                    [](llvm::ArrayRef<uint8_t> cubin) {
                      EXPECT_EQ(checkForms(cubin), "");
                      EXPECT_EQ(checkMatrices(cubin), "");
                    });
}

// ---- without CUDA ----

TEST(SassFormsTest, StoredCubinsRunWithoutCuda) {
  checkOwn(readBytes(corpusFile("atomics.sm_80.O3.cubin")));
  checkPeer(readBytes(corpusFile("atomics.sm_90.O3.cubin")));
  checkPeer(readBytes(corpusFile("atomics.sm_100.O3.cubin")));
  EXPECT_EQ(checkForms(readBytes(corpusFile("forms.sm_100.O3.cubin"))), "");
  EXPECT_EQ(checkMatrices(readBytes(corpusFile("forms.sm_100.O3.cubin"))), "");
}

// Whether an address is global is told by the scoreboard of the operation's sources: the branch on it
// without that wait is a fault.
TEST(SassFormsTest, APredicateBeforeItsScoreboardIsAFault) {
  const std::vector<uint8_t> cubin = readBytes(corpusFile("atomics.sm_90.O3.cubin"));
  auto read = Cubin::read(cubin);
  ASSERT_TRUE(bool(read)) << llvm::toString(read.takeError());
  const std::vector<uint8_t> &code = read->find("atomics")->code;
  const auto at = static_cast<size_t>(
      std::search(cubin.begin(), cubin.end(), code.begin(), code.end()) - cubin.begin());
  unsigned branches = 0;
  for (size_t n = 16; n < code.size(); n += 16) {
    // The word behind `ATOM.E` (0x98a, 0x9a2), a branch (0x947) of the lanes with P0.
    const unsigned before = code[n - 16] | (code[n - 15] & 0xf) << 8,
                   here = code[n] | code[n + 1] << 8;
    if ((before != 0x98a && before != 0x9a2) || here != 0x0947)
      continue;
    ++branches;
    std::vector<uint8_t> damaged = cubin;
    damaged[at + n + 14] &= 0x0f, damaged[at + n + 15] &= 0xfc;
    EXPECT_THAT(checkSpaces(damaged, 1), testing::HasSubstr("P0 is read before"));
  }
  EXPECT_GT(branches, 0u);
}

/// What the scoreboards say of an instruction right behind another one, of target sm_`sm`.
std::string behind(Word first, Word next, unsigned sm) {
  std::vector<Footprint> code;
  for (Word word : {first, next})
    code.push_back(footprintOf(llvm::cantFail(decode(word, 0, sm))));
  Scoreboards boards;
  EXPECT_EQ(boards.begin(code, 0, kAllLanes), "");
  boards.issued(code, 0, kAllLanes);
  return boards.begin(code, 1, kAllLanes);
}

// Memory operations read their sources in order, so that a load may write what a reduction without
// result or a copy reads; an integer operation may not. The words are ptxas 13.5's for sm_100 and sm_90.
TEST(SassFormsTest, AReductionReadsBeforeTheNextLoadWrites) {
  constexpr Word kReduction = {0x000000ff0200798e, 0x0085e8000d12e306}, // REDG [R2.64], RZ
      kLoad = {0x0000980008027984, 0x0009280000000400},                 // LDS.U16 R2, [R8+0x98]
      kShift = {0x0000000800027824, 0x000fc600078e00ff};                // IMAD.SHL.U32 R2, R0, 8
  EXPECT_EQ(behind(kReduction, kLoad, 100), "");
  EXPECT_THAT(behind(kReduction, kShift, 100), testing::HasSubstr("R2 is written before"));

  constexpr Word kCopy = {0x008000004c007fae,
                          0x0005e2000b921a50},           // LDGSTS.E.64 [R0+0x800], [R76.64]
      kLocal = {0x0001500001007983, 0x000ea20000100800}, // LDL R0, [R1+0x150]
      kMove = {0x0000000800007824, 0x000fc600078e00ff};  // IMAD.SHL.U32 R0, R0, 8
  EXPECT_EQ(behind(kCopy, kLocal, 90), "");
  EXPECT_THAT(behind(kCopy, kMove, 90), testing::HasSubstr("R0 is"));
}

// A unit that works in order has done what bears no scoreboard when any later result is waited for,
// not only the next. The words are ptxas 13.5's for sm_90 (a division tests its operands by FCHK).
TEST(SassFormsTest, ALaterResultOfTheUnitIsEnough) {
  const std::vector<Word> code = {
      {0x0000000a00377310, 0x0001e20000301000},  // F2F.F32.F64 R55, R10
      {0x0000000c00307306, 0x0000620000101000},  // I2F.U16 R48, R12, scoreboard 1
      {0x0000002a002a7310, 0x010e220000201800},  // F2F.F64.F32 R42, R42, scoreboard 0
      {0x00000000222a7229, 0x001fe2000000002a},  // DADD R42, R34, R42 waits for 0
      {0x0000003700247310, 0x000e220000201800}}; // F2F.F64.F32 R36, R55
  const std::vector<Word> division = {
      {0x0000001400147305, 0x000fe2000020f000},  // F2I.U32.TRUNC.NTZ R20, R20
      {0x0000000303007302, 0x000e220000000000},  // FCHK P0, R3, R3, scoreboard 0
      {0x0000000000148947, 0x001fec0003800000},  // @!P0 BRA waits for 0
      {0x00000002140a7824, 0x000fe200078e0223}}; // IMAD R10, R20, 0x2, R35
  auto lastOf = [](std::vector<Word> words, bool waits) {
    if (!waits) // bits 116 to 121 of the instruction before the last
      words[words.size() - 2].high &= ~(uint64_t{0x3f} << 52);
    std::vector<Footprint> footprints;
    for (Word word : words)
      footprints.push_back(footprintOf(llvm::cantFail(decode(word, 0, 90))));
    Scoreboards boards;
    std::string said;
    for (uint32_t pc = 0; pc < footprints.size(); ++pc) {
      said = boards.begin(footprints, pc, kAllLanes);
      boards.issued(footprints, pc, kAllLanes);
    }
    return said;
  };
  EXPECT_EQ(lastOf(code, true), "");
  EXPECT_THAT(lastOf(code, false), testing::HasSubstr("R55 is read before"));
  EXPECT_EQ(lastOf(division, true), "");
  EXPECT_THAT(lastOf(division, false), testing::HasSubstr("R20 is read before"));
}

// Products of doubles read their sources in order, too: a later one may write what an earlier one reads,
// an addition may not. The words are ptxas 13.5's for sm_100.
TEST(SassFormsTest, AProductOfDoublesReadsBeforeTheNextWrites) {
  constexpr Word kProduct = {0x000000420a48723f, 0x0010760000000024}, // DMMA R72, R10, R66, R36
      kNext = {0x0000003e0624723f, 0x000222000000004c},               // DMMA R36, R6, R62, R76
      kSum = {0x0000000006247229, 0x000fc80000000006};                // DADD R36, R6, R6
  EXPECT_EQ(behind(kProduct, kNext, 100), "");
  EXPECT_THAT(behind(kProduct, kSum, 100), testing::HasSubstr("R36 is written before"));
}

// DEPBAR.LE SB0, 0x0, {2,1}: the scoreboards in braces are waited for, too.
TEST(SassFormsTest, AWaitForACountWaitsForOtherScoreboards) {
  const Footprint wait =
      footprintOf(llvm::cantFail(decode({0x000080060000791a, 0x000fce0000000000}, 0, 80)));
  EXPECT_EQ(wait.waits, 0b110);
  EXPECT_EQ(wait.drained, 0);
  EXPECT_EQ(wait.remaining, 0);
}

/// A half as four bits: to nearest, ties to even; NaN is 6.
uint32_t fourBitsOf(uint32_t half) {
  static constexpr double kValues[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
  const uint32_t exponent = half >> 10 & 31, fraction = half & 1023;
  if (exponent == 31 && fraction)
    return 7;
  const double value = exponent == 31 ? INFINITY
                       : exponent     ? std::ldexp(1024 + fraction, static_cast<int>(exponent) - 25)
                                      : std::ldexp(fraction, -24);
  uint32_t best = 0;
  for (uint32_t n = 1; n < 8; ++n) {
    const double middle = (kValues[n - 1] + kValues[n]) / 2;
    if (value > middle || (value == middle && n % 2 == 0))
      best = n;
  }
  return best | half >> 15 << 3;
}

// `cvt.ue8m0x2.bf16x2` turned into the conversion of two halves to four bits each, which ptxas 13.0 lacks.
TEST(SassFormsTest, HalvesToFourBits) {
  std::vector<uint8_t> cubin = readBytes(corpusFile("forms.sm_100.O3.cubin"));
  auto read = Cubin::read(cubin);
  ASSERT_TRUE(bool(read)) << llvm::toString(read.takeError());
  const std::vector<uint8_t> &code = read->find("forms")->code;
  const auto at = std::search(cubin.begin(), cubin.end(), code.begin(), code.end());
  unsigned changed = 0;
  for (auto word = at; word != at + static_cast<ptrdiff_t>(code.size()); word += 16) {
    uint64_t low = 0, high = 0;
    std::memcpy(&low, &*word, 8), std::memcpy(&high, &*word + 8, 8);
    auto instruction = decode({low, high}, 0, 100);
    if (!instruction) {
      llvm::consumeError(instruction.takeError());
      continue;
    }
    if (instruction->row->name != "F2FP.E8.BF16.UNPACK_B_MERGE_C")
      continue;
    high = (high & ~uint64_t{0x7ffff00}) | 0x0203200 | uint64_t{1} << 26; // bits 72 to 90
    std::memcpy(&*word + 8, &high, 8);
    EXPECT_EQ(llvm::cantFail(decode({low, high}, 0, 100)).row->name,
              "F2FP.SATFINITE.E2M1.F16.UNPACK_B_MERGE_C");
    ++changed;
  }
  EXPECT_EQ(changed, 2u);
  EXPECT_EQ(checkForms(cubin, fourBitsOf), "");
}

// Each row with a wrong function: its cubin must show it.
TEST(SassFormsTest, AWrongFunctionInARowShows) {
  static constexpr std::tuple<const char *, const char *, Execute> kPlanted[] = {
      {"QSPC.E", "sm_90",
       [](Warp &w, const Instruction &i) {
         Instruction j = i;
         j.mods[0] ^= 1;
         executeQspc(w, j);
       }},
      {"ATOMS", "sm_100", [](Warp &w, const Instruction &i) { w.putMask(i.ops[0], kAllLanes); }},
      {"ATOMS", "sm_80",
       [](Warp &w, const Instruction &i) {
         Instruction j = i;
         j.mods[0] = 0;
         executeCasShared(w, j);
       }},
      {"ATOM.E", "sm_80",
       [](Warp &w, const Instruction &i) {
         Instruction j = i;
         j.ops[0].index = kPT;
         executeAtomGlobal(w, j);
       }},
  };
  for (auto [name, gpu, wrong] : kPlanted) {
    PlantedRow planted(name, wrong);
    const unsigned spaces = llvm::StringRef(gpu) == "sm_80" ? 2 : 3;
    const auto cubin = readBytes(corpusFile(llvm::formatv("atomics.{0}.O3.cubin", gpu).str()));
    EXPECT_NE(checkSpaces(cubin, spaces), "") << name;
  }
  static constexpr std::pair<const char *, Execute> kForms100[] = {
      {"F2FP.E8.BF16.UNPACK_B_MERGE_C",
       [](Warp &w, const Instruction &i) {
         Instruction j = i;
         j.mods[0] ^= 1;
         executeF2fpE8Brain(w, j);
       }},
      {"F2FP.E8.F32.PACK_AB_MERGE_C",
       [](Warp &w, const Instruction &i) {
         Instruction j = i;
         j.mods[1] ^= 1;
         executeF2fpE8(w, j);
       }},
      {"VIADD.16x2", executeViadd},
      {"FFMA2",
       [](Warp &w, const Instruction &i) {
         Instruction j = i;
         std::swap(j.ops[2], j.ops[3]);
         executeFfma2(w, j);
       }},
  };
  for (auto [name, wrong] : kForms100) {
    PlantedRow planted(name, wrong);
    EXPECT_NE(checkForms(readBytes(corpusFile("forms.sm_100.O3.cubin"))), "") << name;
  }
}

} // namespace
