//===- SassSignsTest.cpp - negated operands of products of halves ------------------------------===//
//
// ptxas 13.0 and 13.5 make 0x3fe0bfe0 and a sign of the constant 0xbfe0bfe0 that a product of 16 x 8 x 8 has
// on its right (-O1 and up; the constant itself at -O0): the sign turns bit 31, that of the upper half alone.
// Nothing but such constants has been seen to give an operand a sign.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/devices/sass/Execute.h"
#include "oracles/devices/sass/Instruction.h"
#include "oracles/devices/sass/Machine.h"
#include "oracles/devices/sass/Sass.h"
#include "oracles/devices/sass/SassTestSupport.h"

#include "gtest/gtest.h"

using namespace tilesmith;
using namespace tilesmith::sass;

namespace {

constexpr const char *kStored = "signs.sm_80.O3.cubin";

constexpr const char *kText = R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 out) {
.reg .b32 %b<4>; .reg .b64 %d; .reg .f32 %f<4>, %g;
ld.param.u64 %d, [out]; cvta.to.global.u64 %d, %d; mov.f32 %g, 0f00000000;
mov.b32 %b0, 0x3f803f80; mov.b32 %b1, 0xbfe0bfe0; mov.b32 %b2, 0xbf803f80;
mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {%f0, %f1, %f2, %f3}, {%b0, %b0}, {%b1}, {%g, %g, %g, %g};
st.global.f32 [%d], %f0;
mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {%f0, %f1, %f2, %f3}, {%b0, %b0}, {%b2}, {%g, %g, %g, %g};
st.global.f32 [%d+4], %f0; ret; }
)";

/// The first sums of a matrix of ones by one of -1.75, and by one of 1 and -1 in turn.
std::vector<float> sums(llvm::ArrayRef<uint8_t> cubin) {
  auto program = llvm::cantFail(Program::create(cubin));
  std::vector<float> out(2);
  program->addRange(out.data(), 8, "out");
  LaunchConfig config;
  config.block = {32, 1, 1};
  const Report report = program->launch("k", config, {argument(out.data())});
  EXPECT_TRUE(report.ok()) << report.message;
  return out;
}

void check(llvm::ArrayRef<uint8_t> cubin) {
  EXPECT_EQ(sums(cubin), (std::vector<float>{-14, 0}));
}

TEST(SassSignsTest, ASignIsThatOfTheRegister) {
  checkAtBothLevels(kText, "sm_80", kStored, check);
}
TEST(SassSignsTest, StoredCubinRunsWithoutCuda) {
  check(readBytes(corpusFile(kStored)));
}
TEST(SassSignsTest, AWrongFunctionInARowShows) {
  PlantedRow planted("HMMA", [](Warp &w, const Instruction &i) {
    Instruction j = i;
    j.ops[1].negative = j.ops[2].negative = false;
    executeHmma(w, j);
  });
  EXPECT_NE(sums(readBytes(corpusFile(kStored))), (std::vector<float>{-14, 0}));
}

} // namespace
