//===- SassCountersTest.cpp - what a launch counts, on code whose words are known -------------===//
#include "oracles/devices/sass/Sass.h"
#include "oracles/devices/sass/SassTestSupport.h"

using namespace tilesmith::sass;

// 64 threads that read three words of 8 bytes each, side by side, and write one.
TEST(SassCountersTest, InstructionsAndSectors) {
  auto program = Program::create(readBytes(corpusFile("snippets.sm_80.O3.cubin")));
  ASSERT_TRUE(bool(program)) << llvm::toString(program.takeError());
  struct alignas(128) Buffers {
    uint64_t in[192] = {}, out[64] = {};
  } buffers;
  (*program)->addRange(&buffers, sizeof buffers, "buffers");
  LaunchConfig config;
  config.block = {64, 1, 1};
  const Report report =
      (*program)->launch("ffma", config, {argument(&buffers.in), argument(&buffers.out)});
  ASSERT_TRUE(report.ok()) << report.message;
  uint64_t sum = 0;
  for (uint64_t count : report.counters.byPipe)
    sum += count;
  EXPECT_EQ(sum, report.counters.instructions);
  // Two warps: three loads of 32 words over 768 bytes, a store of 256 bytes.
  EXPECT_EQ(report.counters.sectors, 2u * (3 * 24 + 8));
  EXPECT_EQ(report.counters.byPipe[static_cast<size_t>(Pipe::Global)], 8u);
  // The words say 2 1 1 9 5 4 4 1 10 4 1 5 1 5; five of them prefer another warp.
  EXPECT_EQ(report.counters.stallCycles, 2u * 53);
  EXPECT_EQ(report.counters.issueCycles, 2u * 53);
  EXPECT_EQ(report.counters.longestWarp, 53u);
  EXPECT_EQ(report.counters.yields, 2u * 5);
}

/// Warp w of four goes round 4 - w times and leaves 7, 28, 91 or 280.
static constexpr llvm::StringLiteral kTurns = R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry turns(.param .u64 out) {
  .reg .b64 %d<3>;
  .reg .b32 %r<4>;
  .reg .pred %p;
  ld.param.u64 %d1, [out];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %d2, %r1, 4;
  add.u64 %d1, %d1, %d2;
  shr.u32 %r1, %r1, 5;
  mov.u32 %r2, 0;
AGAIN:
  .pragma "nounroll";
  mad.lo.u32 %r2, %r2, 3, 7;
  add.u32 %r1, %r1, 1;
  setp.lt.u32 %p, %r1, 4;
  @%p bra AGAIN;
  st.global.u32 [%d1], %r2;
  ret;
}
)";

static Counters countTurns(llvm::ArrayRef<uint8_t> cubin) {
  auto program = Program::create(cubin);
  EXPECT_TRUE(bool(program)) << llvm::toString(program.takeError());
  if (!program)
    return {};
  struct alignas(128) {
    uint32_t words[128] = {};
  } out;
  (*program)->addRange(&out, sizeof out, "out");
  LaunchConfig config;
  config.block = {128, 1, 1};
  const Report report = (*program)->launch("turns", config, {argument(&out)});
  EXPECT_TRUE(report.ok()) << report.message;
  static constexpr uint32_t kLeft[] = {280, 91, 28, 7};
  for (unsigned thread = 0; thread < 128; ++thread)
    EXPECT_EQ(out.words[thread], kLeft[thread / 32]) << thread;
  return report.counters;
}

TEST(SassCountersTest, TurnsOfALoop) {
  checkAtBothLevels(kTurns, "sm_80", "issue.sm_80.O3.cubin", [](llvm::ArrayRef<uint8_t> cubin) {
    const Counters counted = countTurns(cubin);
    EXPECT_GE(counted.issueCycles, counted.instructions);
    EXPECT_GE(counted.issueCycles, counted.stallCycles);
    // The warp with four turns of ten, and what all four do once.
    EXPECT_GT(counted.longestWarp, counted.issueCycles / 4);
    EXPECT_LE(counted.longestWarp, counted.issueCycles * 4 / 10);
  });
}

// The stored code: 13 cycles before the loop (9 instructions), 1 3 13 5 a turn, 11 behind it (3).
TEST(SassCountersTest, IssueCyclesAreThoseOfTheControlWords) {
  std::vector<uint8_t> cubin = readBytes(corpusFile("issue.sm_80.O3.cubin"));
  Counters counted = countTurns(cubin);
  EXPECT_EQ(counted.instructions, 4u * (9 + 3) + 10 * 4);
  EXPECT_EQ(counted.stallCycles, 4u * (13 + 11) + 10 * 22);
  EXPECT_EQ(counted.issueCycles, counted.stallCycles);
  EXPECT_EQ(counted.longestWarp, 13u + 11 + 4 * 22);
  EXPECT_EQ(counted.yields, 4u * 1 + 10 * 2);

  // The same with other control bits in `IMAD R5, R5, R0, 0x7`: no stall count, and no yield.
  static constexpr uint8_t kImad[16] = {0x24, 0x74, 0x05, 0x05, 0x07, 0,    0,    0,
                                        0x00, 0x02, 0x8e, 0x07, 0x00, 0xc6, 0x0f, 0x00};
  auto at = std::search(cubin.begin(), cubin.end(), std::begin(kImad), std::end(kImad));
  ASSERT_NE(at, cubin.end());
  at[13] = 0xe0; // bits 105 to 108: 0; bit 109: 1
  counted = countTurns(cubin);
  EXPECT_EQ(counted.stallCycles, 4u * (13 + 11) + 10 * 19);
  EXPECT_EQ(counted.issueCycles, 4u * (13 + 11) + 10 * 20);
  EXPECT_EQ(counted.longestWarp, 13u + 11 + 4 * 20);
  EXPECT_EQ(counted.yields, 4u * 1 + 10 * 1);
}
