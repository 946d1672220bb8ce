// Correct kernels on the emulated GPU give the same results under every schedule.
#include "oracles/devices/emulator/TestKernels.h"

#include <atomic>
#include <set>
#include <thread>

namespace tilesmith::emulator {
namespace {

TEST(EmulatorTest, AddsVectors) {
  auto program = compile(kVectorAdd);
  ASSERT_TRUE(program);
  std::vector<float> a(1000), b(1000), c(1000, -1);
  for (int i = 0; i < 1000; ++i)
    a[i] = i, b[i] = 0.5f * i;
  declare(*program, a, "a"), declare(*program, b, "b"), declare(*program, c, "c");
  const Report report = program->launch(
      "add", config(8, 128),
      {argument(a.data()), argument(b.data()), argument(c.data()), argument(int32_t{1000})});
  ASSERT_EQ(report.status, Report::Completed) << report.message;
  for (int i = 0; i < 1000; ++i)
    EXPECT_EQ(c[i], 1.5f * i);
  EXPECT_EQ(report.counters.threads, 1024u);
  EXPECT_EQ(report.counters.checkedAccesses, 3000u);
  EXPECT_EQ(report.counters.switches, 2u); // a plain loop: in and out
}

TEST(EmulatorTest, ReducesInSharedMemoryUnderEverySchedule) {
  auto program = compile(sharedReduction(true));
  ASSERT_TRUE(program);
  std::vector<float> in(1024, 0), out(4);
  for (int i = 0; i < 1024; ++i)
    in[i] = i % 7;
  declare(*program, in, "in"), declare(*program, out, "out");
  for (Schedule schedule : kSchedules) {
    std::fill(out.begin(), out.end(), -1.f);
    const Report report = program->launch("reduce", config(4, 256, schedule),
                                          {argument(in.data()), argument(out.data())});
    ASSERT_EQ(report.status, Report::Completed) << report.message;
    EXPECT_EQ(report.counters.barriers, 4u * 8);
    for (int b = 0; b < 4; ++b) {
      float sum = 0;
      for (int i = 0; i < 256; ++i)
        sum += in[256 * b + i];
      EXPECT_EQ(out[b], sum);
    }
  }
}

TEST(EmulatorTest, ReducesWithShuffles) {
  auto program = compile(R"(
define ptx_kernel void @warpsum(ptr addrspace(1) %data) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr float, ptr addrspace(1) %data, i32 %t
  %x = load float, ptr addrspace(1) %p
  br label %loop
loop:
  %v = phi float [%x, %entry], [%w, %loop]
  %d = phi i32 [16, %entry], [%next, %loop]
  %y = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v, i32 %d, i32 31)
  %w = fadd float %v, %y
  %next = lshr i32 %d, 1
  %more = icmp ne i32 %next, 0
  br i1 %more, label %loop, label %done
done:
  store float %w, ptr addrspace(1) %p
  ret void
}
)");
  ASSERT_TRUE(program);
  for (Schedule schedule : kSchedules) {
    std::vector<float> data(96);
    for (int i = 0; i < 96; ++i)
      data[i] = i;
    program->clearRanges();
    declare(*program, data, "data");
    const Report report =
        program->launch("warpsum", config(1, 96, schedule), {argument(data.data())});
    ASSERT_EQ(report.status, Report::Completed) << report.message;
    EXPECT_EQ(report.counters.collectives, 15u);
    for (int i = 0; i < 96; ++i)
      EXPECT_EQ(data[i], 496.f + 1024.f * (i / 32)) << i;
  }
}

TEST(EmulatorTest, WarpOperationsFollowPtx) {
  auto program = compile(R"(
define ptx_kernel void @ops(ptr addrspace(1) %out) {
  %l = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %row = mul i32 %l, 8
  %p = getelementptr i32, ptr addrspace(1) %out, i32 %row
  %odd1 = and i32 %l, 1
  %odd = icmp eq i32 %odd1, 1
  %ballot = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %odd)
  store i32 %ballot, ptr addrspace(1) %p
  %sum = call i32 @llvm.nvvm.redux.sync.add(i32 %l, i32 -1)
  %p1 = getelementptr i32, ptr addrspace(1) %p, i32 1
  store i32 %sum, ptr addrspace(1) %p1
  %same = call i32 @llvm.nvvm.match.any.sync.i32(i32 -1, i32 %odd1)
  %p2 = getelementptr i32, ptr addrspace(1) %p, i32 2
  store i32 %same, ptr addrspace(1) %p2
  %down = call {i32, i1} @llvm.nvvm.shfl.sync.down.i32p(i32 -1, i32 %l, i32 3, i32 31)
  %dv = extractvalue {i32, i1} %down, 0
  %dp = extractvalue {i32, i1} %down, 1
  %dz = zext i1 %dp to i32
  %p3 = getelementptr i32, ptr addrspace(1) %p, i32 3
  store i32 %dv, ptr addrspace(1) %p3
  %p4 = getelementptr i32, ptr addrspace(1) %p, i32 4
  store i32 %dz, ptr addrspace(1) %p4
  %e = call {i32, i1} @llvm.nvvm.elect.sync(i32 -1)
  %ep = extractvalue {i32, i1} %e, 1
  %ez = zext i1 %ep to i32
  %p5 = getelementptr i32, ptr addrspace(1) %p, i32 5
  store i32 %ez, ptr addrspace(1) %p5
  br i1 %odd, label %a, label %b
a:
  %m1 = call i32 @llvm.nvvm.activemask()
  br label %c
b:
  br label %c
c:
  %m = phi i32 [%m1, %a], [0, %b]
  %p6 = getelementptr i32, ptr addrspace(1) %p, i32 6
  store i32 %m, ptr addrspace(1) %p6
  %seg = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %l, i32 0, i32 7199)
  %p7 = getelementptr i32, ptr addrspace(1) %p, i32 7
  store i32 %seg, ptr addrspace(1) %p7
  ret void
}
)");
  ASSERT_TRUE(program);
  for (Schedule schedule : kSchedules) {
    std::vector<uint32_t> out(32 * 8);
    program->clearRanges();
    declare(*program, out, "out");
    const Report report = program->launch("ops", config(1, 32, schedule), {argument(out.data())});
    ASSERT_EQ(report.status, Report::Completed) << report.message;
    for (uint32_t l = 0; l < 32; ++l) {
      const uint32_t *row = &out[8 * l];
      EXPECT_EQ(row[0], 0xaaaaaaaau);
      EXPECT_EQ(row[1], 496u);
      EXPECT_EQ(row[2], l & 1 ? 0xaaaaaaaau : 0x55555555u);
      EXPECT_EQ(row[3], l + 3 <= 31 ? l + 3 : l);
      EXPECT_EQ(row[4], l + 3 <= 31 ? 1u : 0u);
      EXPECT_EQ(row[5], l == 0 ? 1u : 0u);
      EXPECT_EQ(row[6], l & 1 ? 0xaaaaaaaau : 0u);
      EXPECT_EQ(row[7], l & ~3u); // segments of four lanes: 0x1c1f
    }
  }
}

TEST(EmulatorTest, ExitedThreadsDoNotBlockABarrier) {
  auto program = compile(R"(
define ptx_kernel void @early() {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp ult i32 %t, 40
  br i1 %c, label %a, label %d
a:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %d
d:
  ret void
}
)");
  ASSERT_TRUE(program);
  for (Schedule schedule : kSchedules)
    EXPECT_EQ(program->launch("early", config(2, 64, schedule), {}).status, Report::Completed);
}

TEST(EmulatorTest, BlocksMayWaitForEachOther) {
  // Block b waits until the counter is b: needs several resident blocks under LIFO, and yielding
  // spin loops.
  auto program = compile(R"(
define ptx_kernel void @chain(ptr addrspace(1) %counter) {
  %n = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %last = sub i32 %n, 1
  %turn = sub i32 %last, %b
  br label %l
l:
  %v = load atomic i32, ptr addrspace(1) %counter acquire, align 4
  %go = icmp eq i32 %v, %turn
  br i1 %go, label %d, label %l
d:
  %old = atomicrmw add ptr addrspace(1) %counter, i32 1 release
  ret void
}
)");
  ASSERT_TRUE(program);
  for (Schedule schedule : kSchedules) {
    int32_t counter = 0;
    LaunchConfig c = config(8, 1, schedule);
    c.maxSteps = 10'000'000;
    const Report report = program->launch("chain", c, {argument(&counter)});
    EXPECT_EQ(report.status, Report::Completed) << report.message;
    EXPECT_EQ(counter, 8);
  }
}

TEST(EmulatorTest, NamedBarriersSplitProducersAndConsumers) {
  auto program = compile(R"(
@slot = internal addrspace(3) global [32 x i32] poison, align 16
define ptx_kernel void @ring(ptr addrspace(1) %out) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %lane = and i32 %t, 31
  %s = getelementptr [32 x i32], ptr addrspace(3) @slot, i32 0, i32 %lane
  %producer = icmp ult i32 %t, 32
  br i1 %producer, label %p, label %c
p:
  %v = mul i32 %lane, 3
  store i32 %v, ptr addrspace(3) %s
  call void @llvm.nvvm.barrier.cta.arrive.aligned.count(i32 1, i32 64)
  br label %end
c:
  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 1, i32 64)
  %w = load i32, ptr addrspace(3) %s
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %lane
  store i32 %w, ptr addrspace(1) %o
  br label %end
end:
  %big = icmp ult i32 %t, 20
  %n = call i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32 0, i1 %big)
  %first = icmp eq i32 %t, 0
  br i1 %first, label %w1, label %x
w1:
  %o32 = getelementptr i32, ptr addrspace(1) %out, i32 32
  store i32 %n, ptr addrspace(1) %o32
  br label %x
x:
  ret void
}
)");
  ASSERT_TRUE(program);
  for (Schedule schedule : kSchedules) {
    std::vector<int32_t> out(33, -1);
    program->clearRanges();
    declare(*program, out, "out");
    const Report report = program->launch("ring", config(1, 64, schedule), {argument(out.data())});
    ASSERT_EQ(report.status, Report::Completed) << report.message;
    for (int i = 0; i < 32; ++i)
      EXPECT_EQ(out[i], 3 * i);
    EXPECT_EQ(out[32], 20);
  }
}

// Behind a barrier every thread writes its number to the next place of a log: the log is the
// schedule. It is a function of the seed, in a program that ran before as in a fresh one.
TEST(EmulatorTest, SameSeedSameRun) {
  const char *kOrder = R"(
define ptx_kernel void @order(ptr addrspace(1) %log, ptr addrspace(1) %count) {
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = atomicrmw add ptr addrspace(1) %count, i32 1 monotonic
  %p = getelementptr i32, ptr addrspace(1) %log, i32 %at
  store i32 %t, ptr addrspace(1) %p
  ret void
}
)";
  auto program = compile(kOrder);
  ASSERT_TRUE(program);
  std::vector<int32_t> log(64), count(1);
  auto run = [&](Program &program, uint64_t seed) {
    std::fill(log.begin(), log.end(), -1);
    count[0] = 0;
    declare(program, log, "log"), declare(program, count, "count");
    const Report report = program.launch("order", config(1, 64, Schedule::Random, seed),
                                         {argument(log.data()), argument(count.data())});
    EXPECT_EQ(report.status, Report::Completed) << report.message;
    return std::make_tuple(log, report.counters.instructions, report.counters.switches);
  };
  std::set<std::vector<int32_t>> logs;
  for (uint64_t seed = 2; seed < 8; ++seed) {
    auto first = run(*program, seed);
    EXPECT_EQ(first, run(*program, seed)) << seed;
    auto fresh = compile(kOrder);
    ASSERT_TRUE(fresh);
    EXPECT_EQ(first, run(*fresh, seed)) << seed;
    logs.insert(std::get<0>(first));
  }
  EXPECT_EQ(logs.size(), 6u) << "every seed has a schedule of its own";
}

TEST(EmulatorTest, ProgramsRunConcurrentlyOnHostThreads) {
  std::vector<std::thread> workers;
  std::atomic<unsigned> good = 0;
  for (int w = 0; w < 4; ++w)
    workers.emplace_back([&, w] {
      for (int i = 0; i < 10; ++i) {
        auto program = compile(sharedReduction(true));
        std::vector<float> in(256, 1.f + w), out(1);
        declare(*program, in, "in"), declare(*program, out, "out");
        const Report report = program->launch("reduce", config(1, 256, kSchedules[i % 3], i),
                                              {argument(in.data()), argument(out.data())});
        good += report.ok() && out[0] == 256.f * (1 + w);
        // A fault on one host thread must not disturb the others.
        good +=
            program->launch("reduce", config(2, 256), {argument(in.data()), argument(out.data())})
                .status == Report::Fault;
      }
    });
  for (std::thread &worker : workers)
    worker.join();
  EXPECT_EQ(good, 80u);
}

size_t residentKilobytes() {
  size_t pages = 0, resident = 0;
  if (FILE *file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%zu %zu", &pages, &resident) != 2)
      resident = 0;
    std::fclose(file);
  }
  return resident * 4;
}

TEST(EmulatorTest, ManyProgramsDoNotGrowTheProcess) {
#if __has_feature(address_sanitizer)
  GTEST_SKIP() << "the sanitizer keeps freed memory in quarantine";
#endif
  auto once = [] {
    auto program = compile(neighbour(true));
    std::vector<int32_t> out(64);
    LaunchConfig c = config(1, 64);
    c.dynamicSharedBytes = 256;
    ASSERT_TRUE(program->launch("neighbour", c, {argument(out.data())}).ok());
  };
  for (int i = 0; i < 100; ++i)
    once();
  const size_t before = residentKilobytes();
  for (int i = 0; i < 400; ++i)
    once();
  EXPECT_LT(residentKilobytes(), before + 3000);
}

// The grid of a kernel whose blocks are clusters counts clusters.
TEST(EmulatorTest, GridsMayCountClusters) {
  auto program = compile(R"(
define ptx_kernel void @where(ptr addrspace(1) %out) #0 {
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %blocks = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %cluster = call i32 @llvm.nvvm.read.ptx.sreg.clusterid.x()
  %clusters = call i32 @llvm.nvvm.read.ptx.sreg.nclusterid.x()
  %rank = call i32 @llvm.nvvm.read.ptx.sreg.cluster.ctaid.x()
  %ranks = call i32 @llvm.nvvm.read.ptx.sreg.cluster.nctaid.x()
  %first = mul i32 %block, 5
  %p0 = getelementptr i32, ptr addrspace(1) %out, i32 %first
  %p1 = getelementptr i32, ptr addrspace(1) %p0, i32 1
  %p2 = getelementptr i32, ptr addrspace(1) %p0, i32 2
  %p3 = getelementptr i32, ptr addrspace(1) %p0, i32 3
  %p4 = getelementptr i32, ptr addrspace(1) %p0, i32 4
  store i32 %blocks, ptr addrspace(1) %p0
  store i32 %cluster, ptr addrspace(1) %p1
  store i32 %clusters, ptr addrspace(1) %p2
  store i32 %rank, ptr addrspace(1) %p3
  store i32 %ranks, ptr addrspace(1) %p4
  ret void
}
attributes #0 = { "nvvm.reqntid"="1,1,1" "nvvm.cluster_dim"="4,1,1" "nvvm.blocksareclusters" }
)");
  ASSERT_TRUE(program);
  std::vector<int32_t> out(12 * 5, -1);
  declare(*program, out, "out");
  for (Schedule schedule : kSchedules) {
    std::fill(out.begin(), out.end(), -1);
    const Report report = program->launch("where", config(3, 1, schedule), {argument(out.data())});
    ASSERT_EQ(report.status, Report::Completed) << report.message;
    for (int32_t block = 0; block < 12; ++block) {
      const std::vector<int32_t> seen(out.begin() + 5 * block, out.begin() + 5 * block + 5);
      EXPECT_EQ(seen, (std::vector<int32_t>{12, block / 4, 3, block % 4, 4})) << block;
    }
  }
  LaunchConfig other = config(3, 1);
  other.cluster = {2, 1, 1};
  EXPECT_EQ(program->launch("where", other, {argument(out.data())}).status, Report::Fault);
}

TEST(EmulatorTest, IntegerCornersFollowTheGpu) {
  auto program = compile(R"(
define ptx_kernel void @corner(ptr addrspace(1) %out, i32 %zero, i32 %least, i32 %ones, i32 %big) {
  %a = udiv i32 7, %zero
  store i32 %a, ptr addrspace(1) %out
  %p1 = getelementptr i32, ptr addrspace(1) %out, i32 1
  %b = urem i32 7, %zero
  store i32 %b, ptr addrspace(1) %p1
  %p2 = getelementptr i32, ptr addrspace(1) %out, i32 2
  %c = sdiv i32 %least, %ones
  store i32 %c, ptr addrspace(1) %p2
  %p3 = getelementptr i32, ptr addrspace(1) %out, i32 3
  %d = shl i32 1, %big
  store i32 %d, ptr addrspace(1) %p3
  %p4 = getelementptr i32, ptr addrspace(1) %out, i32 4
  %e = ashr i32 %least, %big
  store i32 %e, ptr addrspace(1) %p4
  ret void
}
)");
  ASSERT_TRUE(program);
  std::vector<uint32_t> out(5);
  declare(*program, out, "out");
  const Report report = program->launch(
      "corner", config(1, 1),
      {argument(out.data()), argument(0), argument(INT32_MIN), argument(-1), argument(40)});
  ASSERT_EQ(report.status, Report::Completed) << report.message;
  EXPECT_EQ(out, (std::vector<uint32_t>{~0u, 7u, 0x80000000u, 0u, ~0u}));
}

} // namespace
} // namespace tilesmith::emulator
