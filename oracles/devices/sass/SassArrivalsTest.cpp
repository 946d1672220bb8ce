//===- SassArrivalsTest.cpp - barriers in shared memory, by warps and by lanes ----------------===//
//
// sm_107 does what a warp does at one barrier once, by uniform registers (USYNCS), or for each of its
// lanes at a uniform address (SYNCSU); elsewhere, and at -O0, each lane does it. Every barrier of the
// kernel is done with exactly the arrivals that PTX counts: one too few waits forever, one too many is
// a fault.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/devices/sass/Execute.h"
#include "oracles/devices/sass/Instruction.h"
#include "oracles/devices/sass/Machine.h"
#include "oracles/devices/sass/Sass.h"
#include "oracles/devices/sass/SassTestSupport.h"

#include "gmock/gmock.h"

using namespace tilesmith;
using namespace tilesmith::sass;

namespace {

constexpr unsigned kThreads = 64, kBarriers = 7;
constexpr const char *kStored100 = "arrivals.sm_100.O3.cubin";
constexpr const char *kStored107 = "arrivals.sm_107.O3.cubin";

/// Threads leave the phase of every barrier, the top bit, and what arrivals of even threads returned.
constexpr const char *kText = R"(.version 8.8
.target sm_100f
.address_size 64
.visible .entry k(.param .u64 out, .param .u32 n) .maxntid 64 {
.reg .pred %p<9>; .reg .b32 %t, %n, %b, %m, %x; .reg .b64 %out, %s, %w;
.shared .align 8 .b8 bars[64];
mov.u32 %t, %tid.x; ld.param.u64 %out, [out]; ld.param.u32 %n, [n]; mov.u32 %b, bars;
mul.lo.u32 %m, %n, 64; mad.wide.u32 %out, %t, 64, %out;
setp.eq.u32 %p1, %t, 0; setp.lt.u32 %p2, %t, 20; and.b32 %x, %t, 1; setp.eq.u32 %p3, %x, 0;
@!%p1 bra READY;
mbarrier.init.shared.b64 [%b], 64; mbarrier.init.shared.b64 [%b+8], 20; mbarrier.init.shared.b64 [%b+16], 32;
mbarrier.init.shared.b64 [%b+24], %m; mbarrier.init.shared.b64 [%b+32], 1;
mbarrier.init.shared.b64 [%b+40], 1; mbarrier.init.shared.b64 [%b+48], 64;
READY: bar.sync 0;
mbarrier.arrive.shared.b64 _, [%b];
@%p2 mbarrier.arrive.shared.b64 _, [%b+8];
mov.b64 %s, 0;
@%p3 mbarrier.arrive.shared.b64 %s, [%b+16];
mbarrier.arrive.shared.b64 _, [%b+24], %n;
@%p1 mbarrier.arrive.expect_tx.shared.b64 _, [%b+32], %m;
bar.sync 0;
mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%b+32], %n;
mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%b+40], %n;
bar.sync 0;
@%p1 mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%b+40], %m;
@%p1 mbarrier.arrive.shared.b64 _, [%b+40];
mbarrier.arrive.expect_tx.shared.b64 _, [%b+48], %n;
bar.sync 0;
@%p1 mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%b+48], %m;
W0: mbarrier.try_wait.parity.shared.b64 %p4, [%b], 0; @!%p4 bra W0;
W1: mbarrier.test_wait.parity.shared.b64 %p4, [%b+8], 0; @!%p4 bra W1;
W2: mbarrier.try_wait.parity.shared.b64 %p4, [%b+16], 0; @!%p4 bra W2;
W3: mbarrier.try_wait.parity.shared.b64 %p4, [%b+24], 0; @!%p4 bra W3;
W4: mbarrier.try_wait.parity.shared.b64 %p4, [%b+32], 0; @!%p4 bra W4;
W5: mbarrier.try_wait.parity.shared.b64 %p4, [%b+40], 0; @!%p4 bra W5;
W6: mbarrier.try_wait.parity.shared.b64 %p4, [%b+48], 0; @!%p4 bra W6;
ld.shared.b64 %w, [%b]; st.global.b64 [%out], %w; ld.shared.b64 %w, [%b+8]; st.global.b64 [%out+8], %w;
ld.shared.b64 %w, [%b+16]; st.global.b64 [%out+16], %w; ld.shared.b64 %w, [%b+24]; st.global.b64 [%out+24], %w;
ld.shared.b64 %w, [%b+32]; st.global.b64 [%out+32], %w; ld.shared.b64 %w, [%b+40]; st.global.b64 [%out+40], %w;
ld.shared.b64 %w, [%b+48]; st.global.b64 [%out+48], %w; st.global.b64 [%out+56], %s; ret; }
)";

/// What is wrong in the words that the threads left.
std::string wrongIn(llvm::ArrayRef<uint8_t> cubin) {
  auto program = llvm::cantFail(Program::create(cubin));
  std::vector<std::array<uint64_t, kBarriers + 1>> out(kThreads);
  program->addRange(out.data(), out.size() * sizeof(out[0]), "out");
  LaunchConfig config;
  config.block = {kThreads, 1, 1};
  config.maxInstructions = 100'000;
  const Report report = program->launch("k", config, {argument(out.data()), argument(uint32_t{3})});
  if (!report.ok())
    return report.message;
  std::string wrong;
  for (unsigned t = 0; t < kThreads; ++t) {
    for (unsigned b = 0; b < kBarriers; ++b)
      if (!(out[t][b] >> 63))
        wrong += "thread " + std::to_string(t) + ", barrier " + std::to_string(b) + "\n";
    // An arrival returns the phase that it arrives in, never the next one.
    if (out[t][kBarriers] >> 63 || (t % 2 && out[t][kBarriers]))
      wrong += "thread " + std::to_string(t) + ", state\n";
  }
  return wrong;
}
void expectRight(llvm::ArrayRef<uint8_t> cubin) {
  EXPECT_EQ(wrongIn(cubin), "");
}

TEST(SassArrivalsTest, ByLanes) {
  checkAtBothLevels(kText, "sm_100a", kStored100, expectRight);
}
TEST(SassArrivalsTest, ByWarps) {
  if (const std::string why = whyNoPtxas("sm_107a"); !why.empty())
    GTEST_SKIP() << why << "; the stored cubins run in other tests";
  checkAtBothLevels(kText, "sm_107a", kStored107, expectRight);
}

TEST(SassArrivalsTest, StoredCubinsRunWithoutCuda) {
  for (const char *stored : {kStored100, kStored107})
    expectRight(readBytes(corpusFile(stored)));
}

// Each row of sm_107 with a wrong function: the stored cubin must show it.
TEST(SassArrivalsTest, AWrongFunctionInARowShows) {
  static constexpr std::pair<const char *, Execute> kPlanted[] = {
      {"USYNCS.ARRIVE.TRANS64", // once for each lane
       [](Warp &w, const Instruction &i) {
         for (unsigned l = 0; l < 32; ++l)
           executeSyncsArriveOfWarp(w, i);
       }},
      {"USYNCS.ARRIVE.TRANS64", // the next register but one
       [](Warp &w, const Instruction &i) {
         Instruction j = i;
         ++j.ops[2].index;
         executeSyncsArriveOfWarp(w, j);
       }},
      {"SYNCSU.ARRIVE.TRANS64", // once for the warp
       [](Warp &w, const Instruction &i) {
         Instruction j = i;
         j.ops[2] = j.ops[0];
         executeSyncsArriveOfWarp(w, j);
       }},
      {"USYNCS.PHASECHK.TRANS64", // waits for the other phase
       [](Warp &w, const Instruction &i) {
         executeSyncsPhaseOfWarp(w, i);
         w.putMask(i.ops[0], ~w.up[i.ops[0].index]);
       }},
  };
  const std::vector<uint8_t> cubin = readBytes(corpusFile(kStored107));
  for (auto [name, wrong] : kPlanted) {
    PlantedRow planted(name, wrong);
    EXPECT_NE(wrongIn(cubin), "") << name;
  }
}

} // namespace
