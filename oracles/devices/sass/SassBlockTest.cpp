//===- SassBlockTest.cpp - operations of warpgroups, blocks and clusters; damaged files -------===//
//
// PTX kernels become machine code by ptxas; the same cubins are stored in corpus/sass and always
// run. What they must leave is computed here from what PTX says.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/devices/emulator/Numeric.h"
#include "oracles/devices/sass/Execute.h"
#include "oracles/devices/sass/Instruction.h"
#include "oracles/devices/sass/Machine.h"
#include "oracles/devices/sass/Sass.h"
#include "oracles/devices/sass/SassTestSupport.h"

#include "llvm/Support/FormatVariadic.h"

#include "gmock/gmock.h"

#include <random>

using namespace tilesmith;
using namespace tilesmith::sass;

namespace {

// ---- products of a warpgroup ----

struct Product {
  const char *name, *types; ///< `f32.f16.f16`
  unsigned n, bytes;        ///< columns; bytes of an element
  unsigned mode = 0;        ///< swizzle: 0 none, 1, 2, 3: 128, 64, 32 bytes
  bool transposeA = false, transposeB = false, inRegisters = false;
  const char *immediates = "";
  double sign = 1;
};

const Product kProducts[] = {
    {"plain", "f32.f16.f16", 16, 2, 0, false, false, false, ",1,1,0,0"},
    {"swizzle32", "f32.f16.f16", 24, 2, 3, false, false, false, ",1,1,0,0"},
    {"swizzle64", "f32.bf16.bf16", 64, 2, 2, false, false, false, ",1,1,0,0"},
    {"swizzle128", "f16.f16.f16", 32, 2, 1, false, false, false, ",-1,1,0,0", -1},
    {"plainMN", "f32.f16.f16", 64, 2, 0, true, true, false, ",1,1,1,1"},
    {"swizzle32MN", "f32.bf16.bf16", 64, 2, 3, true, true, false, ",1,-1,1,1", -1},
    {"swizzle64MN", "f32.f16.f16", 64, 2, 2, false, true, false, ",1,1,0,1"},
    {"swizzle128MN", "f32.f16.f16", 128, 2, 1, true, true, false, ",1,1,1,1"},
    {"registers", "f32.f16.f16", 64, 2, 1, false, true, true, ",1,1,1"},
    {"tf32", "f32.tf32.tf32", 40, 4, 1, false, false, false, ",1,1"},
    {"tf32registers", "f32.tf32.tf32", 8, 4, 2, false, false, true, ",1,-1", -1},
    {"e4m3", "f32.e4m3.e5m2", 16, 1, 1, false, false, false, ",1,1"},
    {"e5m2", "f16.e5m2.e4m3", 32, 1, 3, false, false, true, ",1,1"},
    {"s8", "s32.s8.u8", 48, 1, 1, false, false, false},
    {"u8", "s32.u8.s8", 16, 1, 2, false, false, true},
};

constexpr unsigned kSharedBytes = 32768, kOfB = 16384; ///< A at 0, B at its place

std::string ptxOf(const Product &p) {
  llvm::StringRef types = p.types;
  const bool half = types.starts_with("f16"), integer = types.starts_with("s32");
  const unsigned registers = half ? p.n / 4 : p.n / 2;
  std::string list, loads, stores;
  const char *type = half || integer ? "b32" : "f32";
  for (unsigned k = 0; k < registers; ++k) {
    list += llvm::formatv("{0}%d{1}", k ? "," : "", k);
    loads += llvm::formatv("ld.global.{0} %d{1}, [%out+{2}];\n", type, k, 4 * k);
    stores += llvm::formatv("st.global.{0} [%out+{2}], %d{1};\n", type, k, 4 * k);
  }
  return llvm::formatv(
      false,
      ".visible .entry {0}(.param .u64 in, .param .u64 out, .param .u64 da, .param .u64 db)\n"
      ".maxntid 128 {{ .shared .align 1024 .b8 sm[{1}]; .reg .{2} %d<{3}>; .reg .pred %p, %t;\n"
      ".reg .b64 %in, %out, %da, %db, %o; .reg .b32 %a<4>, %x<4>, %id, %n, %s;\n"
      "ld.param.u64 %in, [in]; ld.param.u64 %out, [out]; ld.param.u64 %da, [da];\n"
      "ld.param.u64 %db, [db]; mov.u32 %id, %tid.x; mov.u32 %n, %id; mov.u32 %s, sm;\n"
      "mul.wide.u32 %o, %id, {4}; add.u64 %out, %out, %o;\n"
      // Fragments of A behind the image of shared memory.
      "mul.wide.u32 %o, %id, 16; add.u64 %o, %o, %in;\n"
      "ld.global.v4.b32 {{%a0,%a1,%a2,%a3}, [%o+{1}];\n"
      "LOOP{0}: mul.wide.u32 %o, %n, 16; add.u64 %o, %o, %in;\n"
      "ld.global.v4.b32 {{%x0,%x1,%x2,%x3}, [%o];\n"
      "{{ .reg .b32 %at; shl.b32 %at, %n, 4; add.u32 %at, %at, %s;\n"
      "st.shared.v4.b32 [%at], {{%x0,%x1,%x2,%x3}; }\n"
      "add.u32 %n, %n, 128; setp.lt.u32 %p, %n, {5}; @%p bra LOOP{0};\n"
      "fence.proxy.async.shared::cta; bar.sync 0;\n"
      "shr.u32 %s, %s, 4; cvt.u64.u32 %o, %s; add.u64 %da, %da, %o; add.u64 %db, %db, %o;\n"
      "setp.ne.u64 %t, %in, 0;\n{6}"
      "wgmma.fence.sync.aligned;\n"
      "wgmma.mma_async.sync.aligned.m64n{7}k{8}.{9} {{{10}}, {11}, %db, %t{12};\n"
      "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;\n{13}ret; }\n",
      p.name, kSharedBytes, type, registers, 4 * registers, kSharedBytes / 16, loads, p.n,
      32 / p.bytes, p.types, list, p.inRegisters ? "{%a0,%a1,%a2,%a3}" : "%da", p.immediates,
      stores);
}

/// What is wrong with the product; empty when nothing is.
std::string checkProduct(Program &program, const Product &p, bool late) {
  llvm::SmallVector<llvm::StringRef> types;
  llvm::StringRef(p.types).split(types, '.');
  const unsigned k = 32 / p.bytes;
  std::mt19937 random(p.n + p.mode);
  auto fill = [&](unsigned outer, llvm::StringRef type) {
    std::vector<std::vector<int>> m(outer, std::vector<int>(k));
    for (auto &row : m)
      for (int &v : row)
        v = static_cast<int>(random() % 7) - (type == "u8" ? 0 : 3);
    return m;
  };
  const auto a = fill(64, types[1]), b = fill(p.n, types[2]);
  std::vector<uint8_t> in(kSharedBytes + 128 * 16);
  const uint64_t da = place(in.data(), 0, p.bytes, p.mode, p.transposeA, types[1], a),
                 db = place(in.data(), kOfB, p.bytes, p.mode, p.transposeB, types[2], b);
  // Fragments: the products of a warp, 16 rows each.
  const unsigned perRegister = 4 / p.bytes;
  for (unsigned t = 0; t < 128; ++t)
    for (unsigned e = 0; e < 4 * perRegister; ++e) {
      const unsigned r = e / perRegister, row = t / 32 * 16 + t % 32 / 4 + 8 * (r & 1),
                     column = t % 4 * perRegister + e % perRegister + 4 * perRegister * (r >> 1);
      const uint32_t bits = encodeAs(types[1], a[row][column]);
      std::memcpy(&in[kSharedBytes + 16 * t + p.bytes * e], &bits, p.bytes);
    }
  if (p.inRegisters)
    std::memset(in.data(), 0, kOfB);
  const bool half = types[0] == "f16";
  const unsigned results = p.n / 2; // of a thread
  std::vector<uint8_t> out(128 * results * (half ? 2 : 4));
  auto valueAt = [&](unsigned t, unsigned n) -> double {
    const uint8_t *at = &out[(t * results + n) * (half ? 2 : 4)];
    uint32_t bits = 0;
    std::memcpy(&bits, at, half ? 2 : 4);
    return half                ? emulator::decode(bits, emulator::kF16)
           : types[0] == "s32" ? static_cast<int32_t>(bits)
                               : emulator::decode(bits, emulator::kF32);
  };
  for (unsigned t = 0; t < 128; ++t)
    for (unsigned n = 0; n < results; ++n) {
      const double start = t % 5;
      const uint32_t bits = half                ? emulator::encode(start, emulator::kF16)
                            : types[0] == "s32" ? t % 5
                                                : emulator::encode(start, emulator::kF32);
      std::memcpy(&out[(t * results + n) * (half ? 2 : 4)], &bits, half ? 2 : 4);
    }
  program.clearRanges();
  program.addRange(in.data(), in.size(), "in");
  program.addRange(out.data(), out.size(), "out");
  LaunchConfig config;
  config.block = {128, 1, 1};
  config.lateCopies = late;
  const Report report = program.launch(
      p.name, config, {argument(in.data()), argument(out.data()), argument(da), argument(db)});
  if (!report.ok())
    return report.message;
  for (unsigned t = 0; t < 128; ++t)
    for (unsigned n = 0; n < results; ++n) {
      const unsigned row = t / 32 * 16 + t % 32 / 4 + 8 * (n >> 1 & 1),
                     column = n / 4 * 8 + t % 4 * 2 + (n & 1);
      double want = 0;
      for (unsigned l = 0; l < k; ++l)
        want += a[row][l] * b[column][l];
      want = t % 5 + p.sign * want;
      if (valueAt(t, n) != want)
        return llvm::formatv("row {0}, column {1}: expected {2}, found {3}", row, column, want,
                             valueAt(t, n));
    }
  return "";
}

// ---- barriers and copies ----

// Two blocks of a cluster. Each fetches 64 words by a bulk copy; the first block sends 64 more to
// both; all lanes vote; results go out by a bulk copy, those of the other block's memory.
const char *const kBlockKernel = R"(
.visible .entry blocks(.param .u64 in, .param .u64 out) .reqnctapercluster 2 .maxntid 64 {
.shared .align 16 .b8 sm[256]; .shared .align 16 .b8 both[256]; .shared .align 16 .b8 res[1280];
.shared .align 8 .b64 bar;
.reg .b64 %in, %out, %o; .reg .b32 %t, %r, %sm, %both, %bar, %x, %y, %z, %w, %at, %peer;
.reg .pred %first, %p, %q; .reg .b16 %mask;
ld.param.u64 %in, [in]; ld.param.u64 %out, [out]; mov.u32 %t, %tid.x; mov.u32 %r, %cluster_ctarank;
mov.u32 %sm, sm; mov.u32 %both, both; mov.u32 %bar, bar; mov.u16 %mask, 3;
setp.eq.u32 %first, %t, 0;
@%first mbarrier.init.shared.b64 [%bar], 1;
fence.mbarrier_init.release.cluster;
barrier.cluster.arrive; barrier.cluster.wait;
@!%first bra WAIT;
mbarrier.arrive.expect_tx.shared.b64 _, [%bar], 512;
mul.wide.u32 %o, %r, 256; add.u64 %o, %o, %in;
cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%sm], [%o], 256, [%bar];
setp.ne.u32 %p, %r, 0; @%p bra WAIT;
add.u64 %o, %in, 512;
cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%both], [%o], 256, [%bar], %mask;
WAIT: mbarrier.try_wait.parity.shared.b64 %q, [%bar], 0; @!%q bra WAIT;
barrier.cluster.arrive; barrier.cluster.wait;
xor.b32 %peer, %r, 1; shl.b32 %at, %t, 2; add.u32 %x, %sm, %at;
mapa.shared::cluster.u32 %x, %x, %peer; ld.shared::cluster.u32 %x, [%x];
add.u32 %y, %both, %at; ld.shared.u32 %y, [%y];
mov.u32 %z, res; add.u32 %at, %at, %z; st.shared.u32 [%at], %x; st.shared.u32 [%at+256], %y;
and.b32 %z, %y, 1; setp.eq.u32 %p, %z, 1; setp.lt.u32 %q, %t, 63;
barrier.cta.red.popc.u32 %z, 0, %p; st.shared.u32 [%at+512], %z;
barrier.cta.red.and.pred %p, 1, %q; selp.u32 %z, 1, 0, %p; st.shared.u32 [%at+768], %z;
setp.eq.u32 %q, %t, 63; mov.u32 %w, 2; mov.u32 %y, 64;
barrier.cta.red.or.pred %p, %w, %y, %q; selp.u32 %z, 1, 0, %p; st.shared.u32 [%at+1024], %z;
fence.proxy.async.shared::cta; bar.sync 0; barrier.cluster.arrive; barrier.cluster.wait;
@!%first bra END;
mul.wide.u32 %o, %r, 1280; add.u64 %o, %o, %out; mov.u32 %z, res;
cp.async.bulk.global.shared::cta.bulk_group [%o], [%z], 1280;
cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;
END: ret; }
)";

std::string checkBlocks(Program &program) {
  std::vector<uint32_t> in(192), out(640);
  std::mt19937 random(3);
  for (uint32_t &v : in)
    v = static_cast<uint32_t>(random());
  program.clearRanges();
  program.addRange(in.data(), in.size() * 4, "in");
  program.addRange(out.data(), out.size() * 4, "out");
  LaunchConfig config;
  config.grid = {2, 1, 1};
  config.block = {64, 1, 1};
  config.maxInstructions = 100'000;
  const Report report =
      program.launch("blocks", config, {argument(in.data()), argument(out.data())});
  if (!report.ok())
    return report.message;
  uint32_t odd = 0;
  for (unsigned t = 0; t < 64; ++t)
    odd += in[128 + t] & 1;
  for (unsigned rank = 0; rank < 2; ++rank)
    for (unsigned t = 0; t < 64; ++t) {
      const uint32_t want[] = {in[64 * (1 - rank) + t], in[128 + t], odd, 0, 1};
      for (unsigned part = 0; part < 5; ++part)
        if (uint32_t got = out[320 * rank + 64 * part + t]; got != want[part])
          return llvm::formatv("block {0}, lane {1}, part {2}: expected {3:x}, found {4:x}", rank,
                               t, part, want[part], got);
    }
  return "";
}

std::string allKernels() {
  std::string text = ".version 8.6\n.target sm_90a\n.address_size 64\n";
  for (const Product &p : kProducts)
    text += ptxOf(p);
  return text + kBlockKernel;
}

void checkAll(llvm::ArrayRef<uint8_t> cubin) {
  auto program = Program::create(cubin);
  ASSERT_TRUE(bool(program)) << llvm::toString(program.takeError());
  for (const Product &p : kProducts)
    for (bool late : {false, true})
      EXPECT_EQ(checkProduct(**program, p, late), "") << p.name;
  EXPECT_EQ(checkBlocks(**program), "");
}

TEST(SassBlockTest, ProductsBarriersAndCopiesDoWhatPtxSays) {
  checkAtBothLevels(allKernels(), "sm_90a", "blocks.sm_90.O3.cubin", checkAll);
}

TEST(SassBlockTest, StoredCubinsRunWithoutCuda) {
  checkAll(readBytes(corpusFile("blocks.sm_90.O3.cubin")));
}

// Each row with a wrong function: the products or the blocks must show it.
TEST(SassBlockTest, AWrongFunctionInARowShows) {
  static constexpr std::pair<const char *, Execute> kPlanted[] = {
      {"HGMMA",
       [](Warp &w, const Instruction &i) {
         Instruction j = i;
         std::swap(j.mods[7], j.mods[6]);
         executeWarpgroupProduct(w, j);
       }},
      {"QGMMA",
       [](Warp &w, const Instruction &i) {
         Instruction j = i;
         j.mods[3] ^= 1;
         executeWarpgroupProduct(w, j);
       }},
      {"IGMMA",
       [](Warp &w, const Instruction &i) {
         Instruction j = i;
         j.mods[3] ^= 1;
         executeWarpgroupProduct(w, j);
       }},
      {"WARPGROUP.DEPBAR.LE", executeNop},
      {"UCGABAR_WAIT", executeNop},
      {"B2R.RESULT", executeNop},
      {"BAR.RED",
       [](Warp &w, const Instruction &i) {
         Instruction j = i;
         j.mods[1] = 0;
         executeBarReduce(w, j);
       }},
      {"UBLKCP",
       [](Warp &w, const Instruction &i) {
         Instruction j = i;
         j.mods[1] = 0;
         executeBulkCopy(w, j);
       }},
  };
  for (auto [name, wrong] : kPlanted) {
    PlantedRow planted(name, wrong);
    auto damaged = Program::create(readBytes(corpusFile("blocks.sm_90.O3.cubin")));
    std::string all = checkBlocks(**damaged);
    for (const Product &p : kProducts)
      all += checkProduct(**damaged, p, true);
    EXPECT_NE(all, "") << name;
  }
}

// ---- hostile files ----

TEST(SassBlockTest, DamagedCubinsAreErrorsOrReports) {
  const std::vector<uint8_t> whole = readBytes(corpusFile("snippets.sm_80.O3.cubin"));
  ASSERT_FALSE(whole.empty());
  std::mt19937 random(7);
  unsigned refused = 0, ran = 0;
  for (unsigned n = 0; n < 1000; ++n) {
    std::vector<uint8_t> damaged = whole;
    if (n % 10 == 0)
      damaged.resize(random() % damaged.size());
    // Headers and section tables are small: aim at them as often as at the rest.
    const size_t tables = damaged.size() > 4096 ? 4096 : damaged.size();
    for (unsigned k = 0; k <= n % 8 && !damaged.empty(); ++k) {
      const size_t at = k % 2 ? random() % damaged.size() : damaged.size() - 1 - random() % tables;
      damaged[k % 3 ? at : random() % std::min<size_t>(damaged.size(), 256)] ^=
          static_cast<uint8_t>(1u << random() % 8);
    }
    auto program = Program::create(damaged);
    if (!program) {
      EXPECT_NE(llvm::toString(program.takeError()), "");
      ++refused;
      continue;
    }
    ++ran;
    uint64_t memory[64 * 4] = {};
    (*program)->addRange(memory, sizeof memory, "memory");
    LaunchConfig config;
    config.block = {64, 1, 1};
    config.maxInstructions = 10'000;

    for (const std::string &kernel : (*program)->kernels()) {
      const Report report =
          (*program)->launch(kernel, config, {argument(&memory), argument(&memory)});
      EXPECT_EQ(report.ok(), report.message.empty());
    }
  }
  EXPECT_GT(refused, 50u);
  EXPECT_GT(ran, 50u);
}

TEST(SassBlockTest, UnknownBitsAreUnsupportedByPlace) {
  // `IADD3 R0, R0, 0x1, RZ` with a bit that no field has.
  const Word good{0x0000000100007810, 0x000fe20007ffe0ff};
  auto decoded = decode(good, 0x40, 80);
  ASSERT_TRUE(bool(decoded)) << llvm::toString(decoded.takeError());
  EXPECT_EQ(print(*decoded), "IADD3 R0,PT,PT,R0,0x1,RZ");
  auto refused = decode({good.low, good.high | uint64_t{1} << 12}, 0x40, 80);
  ASSERT_FALSE(bool(refused));
  const std::string text = llvm::toString(refused.takeError());
  EXPECT_NE(text.find("at 0x40"), std::string::npos) << text;
  EXPECT_NE(text.find("IADD3"), std::string::npos) << text;
}

TEST(SassBlockTest, EveryRowIsReachableAndNamed) {
  for (const Row &row : instructionTable()) {
    EXPECT_FALSE(row.name.empty());
    EXPECT_NE(row.execute, nullptr) << row.name;
    EXPECT_LE(row.firstSm, row.lastSm) << row.name;
    EXPECT_LT(row.opcode, row.forms.empty() ? 4096 : 512) << row.name;
  }
}

} // namespace
