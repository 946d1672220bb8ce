// Broken kernels on the emulated GPU are reported, with the right kind, thread and place.
#include "oracles/devices/emulator/TestKernels.h"

#include <cstdio>
#include <sys/resource.h>

namespace tilesmith::emulator {
namespace {

using testing::HasSubstr;

TEST(FaultTest, ReportsAnAccessBehindABuffer) {
  auto program = compile(kVectorAdd);
  ASSERT_TRUE(program);
  std::vector<float> a(1001), b(1001), c(1001);
  program->addRange(a.data(), 4000, "a");
  program->addRange(b.data(), 4000, "b");
  program->addRange(c.data(), 4000, "c");
  const Report report = program->launch(
      "add", config(8, 128),
      {argument(a.data()), argument(b.data()), argument(c.data()), argument(int32_t{1001})});
  EXPECT_EQ(report.status, Report::Fault);
  EXPECT_THAT(report.message,
              HasSubstr("out of bounds access (0 bytes after the end of 'a' (4000 bytes"));
  EXPECT_THAT(report.message, HasSubstr("load in 'add' of 4 bytes"));
  EXPECT_THAT(report.message, HasSubstr("block (7,0,0) thread (104,0,0)"));
}

TEST(FaultTest, ReportsAnUnmappedAddressWithoutChecks) {
  auto program = compile(kVectorAdd, {false});
  ASSERT_TRUE(program);
  for (int round = 0; round < 3; ++round) {
    const Report report = program->launch("add", config(1, 32),
                                          {argument<uint64_t>(0x10), argument<uint64_t>(0x10),
                                           argument<uint64_t>(0x10), argument(int32_t{1000})});
    EXPECT_EQ(report.status, Report::Fault);
    EXPECT_THAT(report.message, HasSubstr("access to unmapped address 0x10"));
  }
}

TEST(FaultTest, RefusesWrongArguments) {
  auto program = compile(kVectorAdd);
  ASSERT_TRUE(program);
  EXPECT_EQ(program->launch("add", config(1, 32), {}).status, Report::Fault);
  EXPECT_EQ(program->launch("sub", config(1, 32), {}).message, "no kernel named 'sub'");
  EXPECT_THAT(program
                  ->launch("add", config(1, 2048),
                           {argument<uint64_t>(0), argument<uint64_t>(0), argument<uint64_t>(0),
                            argument(0)})
                  .message,
              HasSubstr("at most 1024"));
  LaunchConfig large = config(1, 32);
  large.dynamicSharedBytes = 100 * 1024;
  std::vector<std::vector<uint8_t>> arguments = {argument<uint64_t>(0), argument<uint64_t>(0),
                                                 argument<uint64_t>(0), argument(0)};
  EXPECT_TRUE(program->launch("add", large, arguments).ok());
  large.maxSharedBytes = 99 * 1024;
  EXPECT_EQ(program->launch("add", large, arguments).message,
            "102400 bytes of shared memory, at most 101376 are possible");
}

TEST(FaultTest, SchedulesExposeAMissingBarrier) {
  auto program = compile(sharedReduction(false));
  ASSERT_TRUE(program);
  std::vector<float> in(256, 1.f), out(1);
  declare(*program, in, "in"), declare(*program, out, "out");
  unsigned wrong = 0;
  for (Schedule schedule : kSchedules) {
    program->launch("reduce", config(1, 256, schedule),
                    {argument(in.data()), argument(out.data())});
    wrong += !(out[0] == 256.f);
  }
  EXPECT_GE(wrong, 1u);
}

TEST(FaultTest, FifoAndLifoDisagreeWithoutABarrier) {
  std::vector<int32_t> out(64);
  std::vector<std::vector<int32_t>> results;
  for (bool barrier : {true, false}) {
    auto program = compile(neighbour(barrier));
    ASSERT_TRUE(program);
    declare(*program, out, "out");
    std::vector<std::vector<int32_t>> seen;
    for (Schedule schedule : {Schedule::FIFO, Schedule::LIFO}) {
      LaunchConfig c = config(1, 64, schedule);
      c.dynamicSharedBytes = 256;
      const Report report = program->launch("neighbour", c, {argument(out.data())});
      ASSERT_EQ(report.status, Report::Completed) << report.message;
      seen.push_back(out);
    }
    EXPECT_EQ(seen[0] == seen[1], barrier);
    if (barrier)
      for (int i = 0; i < 64; ++i)
        EXPECT_EQ(seen[0][i], (i + 1) % 64);
  }
}

TEST(FaultTest, ReportsUninitialisedSharedReadsWhenAsked) {
  for (bool barrier : {true, false}) {
    auto program = compile(neighbour(barrier));
    ASSERT_TRUE(program);
    std::vector<int32_t> out(64);
    declare(*program, out, "out");
    for (Schedule schedule : kSchedules) {
      LaunchConfig c = config(3, 64, schedule);
      c.dynamicSharedBytes = 256;
      c.reportUninitialised = true;
      const Report report = program->launch("neighbour", c, {argument(out.data())});
      EXPECT_EQ(report.status, barrier ? Report::Completed : Report::Fault) << report.message;
      if (!barrier)
        EXPECT_THAT(report.message, HasSubstr("uninitialised shared memory is read"));
    }
  }
}

TEST(FaultTest, ReportsReadsOfDeviceMemoryThatNobodyWrote) {
  auto program = compile(kVectorAdd);
  ASSERT_TRUE(program);
  std::vector<float> a(100'000, 1.f), b(100'000, 2.f), c(100'000);
  declare(*program, a, "a"), declare(*program, b, "b"), declare(*program, c, "c");
  program->addUnwritten(c.data(), 400'000); // which is only written
  program->addUnwritten(b.data() + 70'000, 8);
  LaunchConfig c1 = config(800, 128);
  auto launch = [&](int32_t n) {
    return program->launch(
        "add", c1, {argument(a.data()), argument(b.data()), argument(c.data()), argument(n)});
  };
  EXPECT_EQ(launch(100'000).status, Report::Completed); // not asked for
  c1.reportUninitialised = true;
  EXPECT_EQ(launch(70'000).status, Report::Completed);
  using Spans = std::vector<std::pair<uint64_t, uint64_t>>;
  auto at = [](const std::vector<float> &v, size_t i) {
    return reinterpret_cast<uint64_t>(v.data() + i);
  };
  auto sorted = [](Spans spans) {
    llvm::sort(spans);
    return spans;
  };
  EXPECT_EQ(program->unwritten(), sorted({{at(b, 70'000), 8}, {at(c, 70'000), 120'000}}));
  const Report report = launch(100'000);
  EXPECT_EQ(report.status, Report::Fault);
  EXPECT_THAT(report.message,
              HasSubstr("uninitialised device memory is read (byte 280000 of 'b'), load in 'add'"));
  EXPECT_THAT(report.message, HasSubstr("block (546,0,0) thread (112,0,0)"));
  program->clearRanges();
  EXPECT_EQ(program->unwritten(), Spans());
}

TEST(FaultTest, ReportsSharedMemoryOverflow) {
  auto program = compile(neighbour(true));
  ASSERT_TRUE(program);
  std::vector<int32_t> out(64);
  declare(*program, out, "out");
  LaunchConfig c = config(1, 64);
  c.dynamicSharedBytes = 252;
  const Report report = program->launch("neighbour", c, {argument(out.data())});
  EXPECT_EQ(report.status, Report::Fault);
  EXPECT_THAT(report.message,
              HasSubstr("shared memory access out of bounds (offset 252 of 252 bytes)"));
  EXPECT_THAT(report.message, HasSubstr("thread (63,0,0)"));
  c.dynamicSharedBytes = 1 << 20;
  EXPECT_EQ(program->launch("neighbour", c, {argument(out.data())}).status, Report::Fault);
}

TEST(FaultTest, ReportsADivergentAlignedBarrier) {
  auto program = compile(R"(
define ptx_kernel void @bad() {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp ult i32 %t, 16
  br i1 %c, label %a, label %b
a:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %d
b:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %d
d:
  ret void
}
)");
  ASSERT_TRUE(program);
  const Report report = program->launch("bad", config(1, 32), {});
  EXPECT_EQ(report.status, Report::Fault);
  EXPECT_THAT(report.message, HasSubstr("divergent aligned barrier"));
}

TEST(FaultTest, ReportsADeadlockWithTheWaitingSites) {
  auto program = compile(R"(
define ptx_kernel void @bad() {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp ult i32 %t, 16
  br i1 %c, label %a, label %b
a:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %d
b:
  %s = call i32 @llvm.nvvm.redux.sync.add(i32 1, i32 -1)
  br label %d
d:
  ret void
}
)");
  ASSERT_TRUE(program);
  for (Schedule schedule : kSchedules) {
    const Report report = program->launch("bad", config(1, 32, schedule), {});
    EXPECT_EQ(report.status, Report::Deadlock);
    EXPECT_THAT(report.message,
                HasSubstr("16 of 32 threads (0-15) wait at barrier.cta.sync.aligned.all in 'bad'"));
    EXPECT_THAT(report.message,
                HasSubstr("16 of 32 threads (16-31) wait at redux.sync.add in 'bad'"));
  }
}

TEST(FaultTest, EndsInfiniteLoops) {
  auto program = compile(R"(
define ptx_kernel void @spin() {
  br label %l
l:
  br label %l
}
define ptx_kernel void @wait(ptr addrspace(1) %flag) {
  br label %l
l:
  %v = load atomic i32, ptr addrspace(1) %flag acquire, align 4
  %z = icmp eq i32 %v, 0
  br i1 %z, label %l, label %d
d:
  ret void
}
)");
  ASSERT_TRUE(program);
  LaunchConfig c = config(1, 32);
  c.maxSteps = 1'000'000;
  EXPECT_EQ(program->launch("spin", c, {}).status, Report::Timeout);
  int32_t flag = 0;
  EXPECT_EQ(program->launch("wait", c, {argument(&flag)}).status, Report::Timeout);
  c.maxSteps = 0;
  c.maxMillis = 50;
  const Report report = program->launch("spin", c, {});
  EXPECT_EQ(report.status, Report::Timeout);
  EXPECT_THAT(report.message, HasSubstr("more than 50 ms"));
}

TEST(FaultTest, PrintsAndTraps) {
  auto program = compile(R"(
@format = private addrspace(4) constant [24 x i8] c"t=%d x=%.2f s=%s n=%lld\00"
@text = private constant [3 x i8] c"hi\00"
define ptx_kernel void @hello() {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %buffer = alloca {i32, double, ptr, i64}
  store i32 %t, ptr %buffer
  %p1 = getelementptr {i32, double, ptr, i64}, ptr %buffer, i32 0, i32 1
  store double 2.5, ptr %p1
  %p2 = getelementptr {i32, double, ptr, i64}, ptr %buffer, i32 0, i32 2
  store ptr @text, ptr %p2
  %p3 = getelementptr {i32, double, ptr, i64}, ptr %buffer, i32 0, i32 3
  store i64 -7, ptr %p3
  %r = call i32 @vprintf(ptr addrspacecast (ptr addrspace(4) @format to ptr), ptr %buffer)
  %c = icmp eq i32 %t, 1
  br i1 %c, label %bad, label %ok
bad:
  call void @llvm.trap()
  unreachable
ok:
  ret void
}
)");
  ASSERT_TRUE(program);
  const Report report = program->launch("hello", config(1, 4), {});
  EXPECT_EQ(report.status, Report::Trapped);
  EXPECT_EQ(report.printed, "t=0 x=2.50 s=hi n=-7t=1 x=2.50 s=hi n=-7");
  EXPECT_THAT(report.message,
              HasSubstr("trap, llvm.trap in 'hello', block (0,0,0) thread (1,0,0)"));
}

TEST(FaultTest, NamesWhatItDoesNotSupport) {
  auto program = compile(R"(
declare void @llvm.nvvm.tcgen05.relinquish.alloc.permit.cg1()
declare void @mystery()
define ptx_kernel void @k() {
  call void @llvm.nvvm.tcgen05.relinquish.alloc.permit.cg1()
  call void @mystery()
  call void asm sideeffect "bar.arrive 1, 2;", ""()
  ret void
}
define ptx_kernel void @fine() {
  ret void
}
)");
  ASSERT_TRUE(program);
  const Report report = program->launch("k", config(1, 1), {});
  EXPECT_EQ(report.status, Report::Unsupported);
  EXPECT_THAT(report.message,
              HasSubstr("device intrinsic llvm.nvvm.tcgen05.relinquish.alloc.permit.cg1"));
  EXPECT_THAT(report.message, HasSubstr("external function mystery"));
  EXPECT_THAT(report.message, HasSubstr("inline asm 'bar.arrive 1,2'"));
  EXPECT_EQ(program->launch("fine", config(1, 1), {}).status, Report::Completed);
}

/// The bytes of data that this process has mapped: what RLIMIT_DATA counts.
rlim_t dataBytes() {
  long pages = 0, data = 0;
  if (FILE *file = std::fopen("/proc/self/statm", "r")) {
    for (int i = 0; i < 6 && std::fscanf(file, "%ld", &pages) == 1; ++i)
      data = pages;
    std::fclose(file);
  }
  return static_cast<rlim_t>(data) * 4096;
}

TEST(FaultTest, AMemoryLimitEndsALaunchByName) {
#if __has_feature(address_sanitizer)
  GTEST_SKIP() << "the sanitizer reserves more than any limit";
#endif
  auto program = compile(R"(
define ptx_kernel void @k() {
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  ret void
})");
  ASSERT_TRUE(program);
  // In a process of its own: a limit stays.
  auto judge = [&] {
    const rlim_t mebibytes = (dataBytes() >> 20) + 64;
    const rlimit limit{mebibytes << 20, mebibytes << 20};
    setrlimit(RLIMIT_DATA, &limit);
    const Report large = program->launch("k", config(1, 1024), {});
    if (large.status != Report::OutOfMemory ||
        large.message != "memory limit of " + std::to_string(mebibytes) +
                             " MiB reached while mapping stacks of the emulated GPU") {
      std::fprintf(stderr, "found %s: %s\n", toString(large.status).str().c_str(),
                   large.message.c_str());
      std::_Exit(1);
    }
    // The stacks are given back, so that the next launch has room.
    const Report small = program->launch("k", config(1, 32), {});
    std::_Exit(small.ok() ? 0 : 2);
  };
  EXPECT_EXIT(judge(), testing::ExitedWithCode(0), "");
}

} // namespace
} // namespace tilesmith::emulator
