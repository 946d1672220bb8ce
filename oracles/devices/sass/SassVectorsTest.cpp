//===- SassVectorsTest.cpp - additions of two, four and eight neighbours in global memory ------===//
#include "oracles/devices/sass/Execute.h"
#include "oracles/devices/sass/Instruction.h"
#include "oracles/devices/sass/Machine.h"
#include "oracles/devices/sass/Sass.h"
#include "oracles/devices/sass/SassTestSupport.h"

#include "gmock/gmock.h"

#include <bit>

using namespace tilesmith;
using namespace tilesmith::sass;
using testing::HasSubstr;

namespace {

constexpr const char *kStored = "vectors.sm_90.O3.cubin";
constexpr unsigned kThreads = 32, kWords = 16;

/// Every second thread adds to the same 16 words: 4, 2 and 1 of f32, 8 and 4 of f16, 2 of bf16.
constexpr const char *kText = R"(.version 8.1
.target sm_90
.address_size 64
.visible .entry k(.param .u64 out) {
.reg .b32 %r<4>; .reg .b64 %d; .reg .pred %p; .reg .f32 %f<4>; .reg .b16 %h<4>;
ld.param.u64 %d, [out]; cvta.to.global.u64 %d, %d;
mov.u32 %r0, %tid.x; and.b32 %r1, %r0, 1; setp.ne.u32 %p, %r1, 0; @%p bra END;
cvt.rn.f32.u32 %f0, %r0; add.rn.f32 %f1, %f0, 0f3F800000; add.rn.f32 %f2, %f0, 0f40000000; add.rn.f32 %f3, %f0, 0f40400000;
red.relaxed.gpu.global.add.v4.f32 [%d], {%f0, %f1, %f2, %f3};
red.relaxed.gpu.global.add.v2.f32 [%d+16], {%f3, %f2};
red.relaxed.gpu.global.add.f32 [%d+24], %f1;
cvt.rn.f16.f32 %h0, %f0; cvt.rn.f16.f32 %h1, %f1; cvt.rn.f16.f32 %h2, %f2; cvt.rn.f16.f32 %h3, %f3;
red.relaxed.gpu.global.add.noftz.v8.f16 [%d+32], {%h0, %h1, %h2, %h3, %h3, %h2, %h1, %h0};
red.relaxed.gpu.global.add.noftz.v4.f16 [%d+48], {%h0, %h1, %h2, %h3};
mov.b32 %r2, {%h0, %h1}; cvt.rn.bf16x2.f32 %r3, %f3, %f2;
red.relaxed.gpu.global.add.noftz.bf16x2 [%d+56], %r3;
END: ret; }
)";

/// What the threads add up to in number n of those that are f, f + 1, f + 2 and f + 3.
float sum(unsigned n) {
  float all = 0;
  for (unsigned t = 0; t < kThreads; t += 2)
    all += static_cast<float>(t + n);
  return all;
}

std::vector<uint32_t> expected() {
  auto f32 = [](unsigned n) { return std::bit_cast<uint32_t>(sum(n)); };
  auto pair = [](unsigned low, unsigned high, const emulator::Format &format) {
    return static_cast<uint32_t>(emulator::encode(sum(low), format) |
                                 emulator::encode(sum(high), format) << 16);
  };
  const auto &f16 = emulator::kF16;
  return {f32(0),          f32(1),          f32(2),          f32(3),
          f32(3),          f32(2),          f32(1),          0,
          pair(0, 1, f16), pair(2, 3, f16), pair(3, 2, f16), pair(1, 0, f16),
          pair(0, 1, f16), pair(2, 3, f16)};
}

std::string left(llvm::ArrayRef<uint8_t> cubin, std::vector<uint32_t> &words, unsigned offset = 0) {
  auto program = Program::create(cubin);
  if (!program)
    return llvm::toString(program.takeError());
  words.assign(kWords, 0);
  (*program)->addRange(words.data(), 4 * words.size(), "out");
  LaunchConfig config;
  config.block = {kThreads, 1, 1};
  config.maxInstructions = 100'000;
  const Report report = (*program)->launch(
      "k", config, {argument(reinterpret_cast<uint64_t>(words.data()) + offset)});
  return report.ok() ? "" : report.message;
}

void check(llvm::ArrayRef<uint8_t> cubin) {
  alignas(16) std::vector<uint32_t> words;
  EXPECT_EQ(left(cubin, words), "");
  // The bf16 sums pass through more roundings than one.
  const std::vector<uint32_t> want = expected();
  EXPECT_EQ(std::vector<uint32_t>(words.begin(), words.begin() + long(want.size())), want);
  // Four floats at once want 16 bytes.
  EXPECT_THAT(left(cubin, words, 4), HasSubstr("misaligned"));
}

TEST(SassVectorsTest, EveryElementIsAdded) {
  checkAtBothLevels(kText, "sm_90", kStored, check);
}
TEST(SassVectorsTest, StoredCubinRunsWithoutCuda) {
  check(readBytes(corpusFile(kStored)));
}
TEST(SassVectorsTest, AWrongFunctionInARowShows) {
  const std::vector<uint8_t> cubin = readBytes(corpusFile(kStored));
  std::vector<uint32_t> words;
  PlantedRow planted("REDG.E", [](Warp &w, const Instruction &i) {
    Instruction j = i; // two in place of four
    j.mods[1] -= j.mods[1] == 11 || j.mods[1] == 14;
    executeRedGlobalFloat90(w, j);
  });
  EXPECT_EQ(left(cubin, words), "");
  EXPECT_NE(words[3], expected()[3]);
}

} // namespace
