//===- ConversionTest.cpp - clamped conversions and stochastic rounding -----------------------===//
#include "oracles/devices/emulator/Emulator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tilesmith::emulator {
namespace {

std::unique_ptr<Program> compile(const std::string &text) {
  auto program = Program::parse("target triple = \"nvptx64-nvidia-cuda\"\n" + text);
  if (!program) {
    ADD_FAILURE() << llvm::toString(program.takeError());
    return nullptr;
  }
  return std::move(*program);
}

LaunchConfig block(uint32_t threads, Schedule schedule = Schedule::FIFO) {
  LaunchConfig config;
  config.block = {threads, 1, 1};
  config.schedule = schedule;
  return config;
}

// Plain conversions clamp as cvt.rzi does; found when libclc's sinh and cosh looked up a table.
TEST(ConversionTest, ConversionsToIntegersClamp) {
  auto program = compile(R"(
define ptx_kernel void @k(ptr addrspace(1) %o, float %x, double %y) {
  %1 = fptosi float %x to i32
  store i32 %1, ptr addrspace(1) %o
  %2 = fptoui float %x to i32
  %p2 = getelementptr i64, ptr addrspace(1) %o, i32 1
  store i32 %2, ptr addrspace(1) %p2
  %3 = fptosi double %y to i32
  %p3 = getelementptr i64, ptr addrspace(1) %o, i32 2
  store i32 %3, ptr addrspace(1) %p3
  %4 = fptosi double %y to i64
  %p4 = getelementptr i64, ptr addrspace(1) %o, i32 3
  store i64 %4, ptr addrspace(1) %p4
  ret void
}
)");
  ASSERT_TRUE(program);
  auto run = [&](double x) {
    std::vector<uint64_t> out(4, 0);
    const Report report = program->launch(
        "k", block(1), {argument(out.data()), argument(static_cast<float>(x)), argument(x)});
    EXPECT_EQ(report.status, Report::Completed) << report.message;
    return out;
  };
  const uint64_t largest = INT64_MAX, smallest = uint64_t{1} << 63;
  using testing::ElementsAre;
  EXPECT_THAT(run(3.75), ElementsAre(3, 3, 3, 3));
  EXPECT_THAT(run(HUGE_VAL), ElementsAre(0x7fffffff, 0xffffffff, 0x7fffffff, largest));
  EXPECT_THAT(run(-1e30), ElementsAre(0x80000000, 0, 0x80000000, smallest));
  EXPECT_THAT(run(NAN), ElementsAre(0, 0, 0x80000000, smallest));
}

// Away from zero when the random bits, added to the discarded ones, carry.
TEST(ConversionTest, StochasticRoundingFollowsTheRandomBits) {
  auto program = compile(R"(
declare <2 x half> @llvm.nvvm.ff2f16x2.rs(float, float, i32)
declare <2 x bfloat> @llvm.nvvm.ff2bf16x2.rs(float, float, i32)
declare <4 x i8> @llvm.nvvm.f32x4.to.e4m3x4.rs.satfinite(<4 x float>, i32)
declare i16 @llvm.nvvm.f32x4.to.e2m1x4.rs.relu.satfinite(<4 x float>, i32)
define ptx_kernel void @k(ptr addrspace(1) %o, float %a, float %b, i32 %r) {
  %h = call <2 x half> @llvm.nvvm.ff2f16x2.rs(float %a, float %b, i32 %r)
  store <2 x half> %h, ptr addrspace(1) %o
  %p1 = getelementptr i32, ptr addrspace(1) %o, i32 1
  %bf = call <2 x bfloat> @llvm.nvvm.ff2bf16x2.rs(float %a, float %b, i32 %r)
  store <2 x bfloat> %bf, ptr addrspace(1) %p1
  %v0 = insertelement <4 x float> poison, float %a, i32 0
  %v1 = insertelement <4 x float> %v0, float %b, i32 1
  %v2 = insertelement <4 x float> %v1, float %a, i32 2
  %v = insertelement <4 x float> %v2, float %b, i32 3
  %p2 = getelementptr i32, ptr addrspace(1) %o, i32 2
  %e = call <4 x i8> @llvm.nvvm.f32x4.to.e4m3x4.rs.satfinite(<4 x float> %v, i32 %r)
  store <4 x i8> %e, ptr addrspace(1) %p2
  %p3 = getelementptr i32, ptr addrspace(1) %o, i32 3
  %n = call i16 @llvm.nvvm.f32x4.to.e2m1x4.rs.relu.satfinite(<4 x float> %v, i32 %r)
  store i16 %n, ptr addrspace(1) %p3
  ret void
}
)");
  ASSERT_TRUE(program);
  auto run = [&](float a, float b, uint32_t random) {
    std::vector<uint32_t> out(4, 0);
    const Report report = program->launch(
        "k", block(1), {argument(out.data()), argument(a), argument(b), argument(random)});
    EXPECT_EQ(report.status, Report::Completed) << report.message;
    return out;
  };
  // A quarter of a step above 1, and below -1: up with three quarters or more of randomness.
  const float f16 = 1 + 0x1p-12f, bf16 = -(1 + 0x1p-9f), e4m3 = 1 + 0x1p-5f, e2m1 = 1.125f;
  EXPECT_EQ(run(f16, f16, 0x17ff1800)[0], 0x3c003c01u);    // 13 bits each: not quite, just
  EXPECT_EQ(run(f16, f16, 0xf7fff800)[0], 0x3c003c01u);    // the three bits on top do not count
  EXPECT_EQ(run(bf16, bf16, 0xc000bfff)[1], 0xbf81bf80u);  // the first operand is the upper half
  EXPECT_EQ(run(e4m3, -e4m3, 0xc000bfff)[2], 0x39b938b8u); // two halves of two elements
  EXPECT_EQ(run(e2m1, e2m1, 0xc0bfbfc0)[3], 0x3223u); // a byte for each, e and f from the low ones
  EXPECT_EQ(run(-e2m1, 100.0f, 0xffffffff)[3], 0x0707u);      // relu, saturation
  EXPECT_EQ(run(0x1p-25f, 1.0f, 0x0fffffff)[0], 0x00003c00u); // half of the smallest: 0.5 + 0.49..
  EXPECT_EQ(run(0x1p-25f, 1.0f, 0x1000ffff)[0], 0x00013c00u);
}

} // namespace
} // namespace tilesmith::emulator
