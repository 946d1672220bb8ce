// Device operations against independent definitions: matrix fragments as PTX tabulates them,
// rounding against the host's exact arithmetic, asynchronous copies and mbarriers under eager and
// lazy completion. One kernel and one formula per operation: long because the list is.
#include "oracles/devices/emulator/Emulator.h"
#include "oracles/devices/emulator/Intrinsics.h"
#include "oracles/devices/emulator/Numeric.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>

#include "llvm/Support/FormatVariadic.h"

namespace tilesmith::emulator {
namespace {

using testing::HasSubstr;

constexpr Schedule kSchedules[] = {Schedule::FIFO, Schedule::LIFO, Schedule::Random};

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

TEST(DeviceOpsTest, RoundingModesAndFlushing) {
  auto program = compile(R"(
declare float @llvm.nvvm.add.rm.f(float, float)
declare float @llvm.nvvm.add.rp.f(float, float)
declare float @llvm.nvvm.mul.rn.ftz.f(float, float)
declare float @llvm.nvvm.ex2.approx.ftz.f32(float)
declare i32 @llvm.nvvm.f2i.rz(float)
declare <2 x half> @llvm.nvvm.ff2f16x2.rn(float, float)
declare half @llvm.fma.f16(half, half, half)
declare bfloat @llvm.fma.bf16(bfloat, bfloat, bfloat)
define ptx_kernel void @k(ptr addrspace(1) %o, float %a, float %b, float %tiny) {
  %1 = call float @llvm.nvvm.add.rm.f(float %a, float %b)
  store float %1, ptr addrspace(1) %o
  %2 = call float @llvm.nvvm.add.rp.f(float %a, float %b)
  %p2 = getelementptr float, ptr addrspace(1) %o, i32 1
  store float %2, ptr addrspace(1) %p2
  %3 = call float @llvm.nvvm.mul.rn.ftz.f(float %tiny, float 1.0)
  %p3 = getelementptr float, ptr addrspace(1) %o, i32 2
  store float %3, ptr addrspace(1) %p3
  %4 = call float @llvm.nvvm.ex2.approx.ftz.f32(float 3.0)
  %p4 = getelementptr float, ptr addrspace(1) %o, i32 3
  store float %4, ptr addrspace(1) %p4
  %5 = call i32 @llvm.nvvm.f2i.rz(float 0x41F0000000000000)
  %p5 = getelementptr float, ptr addrspace(1) %o, i32 4
  store i32 %5, ptr addrspace(1) %p5
  %6 = call <2 x half> @llvm.nvvm.ff2f16x2.rn(float 1.0, float 2.0)
  %p6 = getelementptr float, ptr addrspace(1) %o, i32 5
  store <2 x half> %6, ptr addrspace(1) %p6
  %h = fptrunc float %a to half
  %7 = call half @llvm.fma.f16(half %h, half %h, half 0xH0001)
  %8 = fadd half %7, 0xH3C00
  %p7 = getelementptr float, ptr addrspace(1) %o, i32 6
  store half %8, ptr addrspace(1) %p7
  %bf = fptrunc float %a to bfloat
  %9 = call bfloat @llvm.fma.bf16(bfloat %bf, bfloat %bf, bfloat %bf)
  %p8 = getelementptr float, ptr addrspace(1) %o, i32 7
  store bfloat %9, ptr addrspace(1) %p8
  ret void
}
)");
  ASSERT_TRUE(program);
  std::vector<uint32_t> out(8);
  program->addRange(out.data(), 32, "out");
  const Report report = program->launch(
      "k", block(1),
      {argument(out.data()), argument(1.0f), argument(0x1p-40f), argument(0x1p-140f)});
  ASSERT_EQ(report.status, Report::Completed) << report.message;
  EXPECT_EQ(out[0], 0x3f800000u);
  EXPECT_EQ(out[1], 0x3f800001u);
  EXPECT_EQ(out[2], 0u);
  EXPECT_EQ(bitsTo<float>(out[3]), 8.0f);
  EXPECT_EQ(out[4], 0x7fffffffu);
  EXPECT_EQ(out[5], 0x3c004000u); // the first operand is the upper half
  EXPECT_EQ(out[6] & 0xffff, 0x4000u);
  EXPECT_EQ(out[7] & 0xffff, 0x4000u);
}

// PTX orders the zeros in min and max, and conversions from integers round once.
TEST(DeviceOpsTest, MinimaOrderZerosAndIntegersRoundOnce) {
  for (const char *type : {"half", "bfloat", "float", "double"}) {
    auto program = compile(llvm::formatv(R"(
declare {0} @llvm.minnum.{1}({0}, {0})
declare {0} @llvm.maxnum.{1}({0}, {0})
define ptx_kernel void @k(ptr addrspace(1) %o, i32 %i, i64 %l) {{
  %n = fneg {0} 0.0
  %z = load volatile {0}, ptr addrspace(1) %o
  %m = fneg {0} %z
  %a = call {0} @llvm.minnum.{1}({0} %z, {0} %m)
  %b = call {0} @llvm.minnum.{1}({0} %m, {0} %z)
  %c = call {0} @llvm.maxnum.{1}({0} %z, {0} %m)
  %d = call {0} @llvm.maxnum.{1}({0} %m, {0} %z)
  %e = sitofp i32 %i to {0}
  %f = uitofp i64 %l to {0}
  store {0} %a, ptr addrspace(1) %o
  %p1 = getelementptr i64, ptr addrspace(1) %o, i32 1
  store {0} %b, ptr addrspace(1) %p1
  %p2 = getelementptr i64, ptr addrspace(1) %o, i32 2
  store {0} %c, ptr addrspace(1) %p2
  %p3 = getelementptr i64, ptr addrspace(1) %o, i32 3
  store {0} %d, ptr addrspace(1) %p3
  %p4 = getelementptr i64, ptr addrspace(1) %o, i32 4
  store {0} %e, ptr addrspace(1) %p4
  %p5 = getelementptr i64, ptr addrspace(1) %o, i32 5
  store {0} %f, ptr addrspace(1) %p5
  ret void
})",
                                         type,
                                         std::string(type) == "half"     ? "f16"
                                         : std::string(type) == "bfloat" ? "bf16"
                                         : std::string(type) == "float"  ? "f32"
                                                                         : "f64"));
    ASSERT_TRUE(program) << type;
    std::vector<uint64_t> out(6, 0);
    // 2^24 + 2^16 + 1 lies just above the middle of two bf16 neighbours; f32 would drop the last
    // bit.
    const int32_t i = (1 << 24) + (1 << 16) + 1;
    const uint64_t l = (uint64_t{1} << 60) + (uint64_t{1} << 52) + 1;
    const Report report =
        program->launch("k", block(1), {argument(out.data()), argument(i), argument(l)});
    ASSERT_EQ(report.status, Report::Completed) << report.message;
    const int width = std::string(type) == "double" ? 64 : std::string(type) == "float" ? 32 : 16;
    for (int k = 0; k < 4; ++k)
      EXPECT_EQ((out[k] >> (width - 1)) & 1, k < 2 ? 1u : 0u) << type << " " << k;
    if (std::string(type) == "bfloat") {
      EXPECT_EQ(decode(out[4], kBF16), 0x1.02p24);
      EXPECT_EQ(decode(out[5], kBF16), 0x1.02p60);
    }
  }
}

TEST(DeviceOpsTest, FlushingFunctionsFlush) {
  auto program = compile(R"(
define ptx_kernel void @k(ptr addrspace(1) %o, float %tiny) #0 {
  %a = fadd float %tiny, %tiny
  store float %a, ptr addrspace(1) %o
  ret void
}
attributes #0 = { "denormal-fp-math-f32"="preserve-sign,preserve-sign" }
)");
  ASSERT_TRUE(program);
  float out = 1;
  ASSERT_TRUE(program->launch("k", block(1), {argument(&out), argument(0x1p-140f)}).ok());
  EXPECT_EQ(out, 0.0f);
}

// Compared with memory are the bits that were loaded: a move as a float would quiet a NaN, and the
// loop of the update would never end.
TEST(DeviceOpsTest, AtomicUpdatesOfNarrowFloatsEndOnSignallingNaNs) {
  for (const auto &[type, one, signalling] :
       {std::tuple{"half", uint16_t(0x3c00), uint16_t(0x7c01)}, {"bfloat", 0x3f80, 0x7f81}}) {
    auto program = compile(llvm::formatv(R"(
define ptx_kernel void @k(ptr addrspace(1) %a) {{
  %pb = getelementptr {0}, ptr addrspace(1) %a, i32 1
  %pc = getelementptr {0}, ptr addrspace(1) %a, i32 2
  %old = atomicrmw fadd ptr addrspace(1) %a, {0} 1.0 monotonic
  %sum = atomicrmw fadd ptr addrspace(1) %pb, {0} 1.0 monotonic
  store {0} %old, ptr addrspace(1) %pc
  ret void
})",
                                         type));
    ASSERT_TRUE(program);
    uint16_t words[] = {signalling, one, 0};
    program->addRange(words, sizeof(words), "words");
    LaunchConfig launch;
    launch.maxMillis = 20'000;
    const Report report = program->launch("k", launch, {argument(words)});
    ASSERT_EQ(report.status, Report::Completed) << type << ": " << report.message;
    EXPECT_GT(words[0] & 0x7fff, signalling & 0x7ffe) << "still a NaN";
    EXPECT_EQ(words[1], one + (one == 0x3c00 ? 0x400 : 0x80)) << "1 + 1";
    EXPECT_EQ(words[2], signalling) << "the bits that were there";
  }
}

// Half arithmetic in plain IR must round after every operation.
TEST(DeviceOpsTest, HalfAndBfloatArithmeticRoundsAfterEveryOperation) {
  for (const auto &[type, format] : {std::pair{"half", &kF16}, std::pair{"bfloat", &kBF16}}) {
    auto program = compile(llvm::formatv(R"(
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @k(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %o) {{
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %pa = getelementptr {0}, ptr addrspace(1) %a, i32 %t
  %pb = getelementptr {0}, ptr addrspace(1) %b, i32 %t
  %po = getelementptr {0}, ptr addrspace(1) %o, i32 %t
  %x = load {0}, ptr addrspace(1) %pa
  %y = load {0}, ptr addrspace(1) %pb
  %m = fmul {0} %x, %y
  %s = fadd {0} %m, %x
  %d = fdiv {0} %s, %y
  store {0} %d, ptr addrspace(1) %po
  ret void
})",
                                         type));
    ASSERT_TRUE(program);
    std::mt19937 random(3);
    for (int round = 0; round < 8; ++round) {
      std::vector<uint16_t> a(1024), b(1024), o(1024);
      for (int i = 0; i < 1024; ++i)
        a[i] = random(), b[i] = random();
      ASSERT_TRUE(program
                      ->launch("k", block(1024),
                               {argument(a.data()), argument(b.data()), argument(o.data())})
                      .ok());
      for (int i = 0; i < 1024; ++i) {
        const double x = decode(a[i], *format), y = decode(b[i], *format);
        const double m = decode(encode(x * y, *format), *format);
        const double s = decode(encode(addToOdd(m, x), *format), *format);
        const double d = decode(encode(divToOdd(s, y), *format), *format);
        const double got = decode(o[i], *format);
        ASSERT_TRUE((std::isnan(d) && std::isnan(got)) || encode(d, *format) == o[i])
            << type << " " << x << " " << y << ": " << got << " expected " << d;
      }
    }
  }
}

// ---- matrices ----

// Where element i of a lane's A, B or C fragment lies, typed in from the PTX ISA tables (row,
// column).
struct Place {
  int row, column;
};
using PlaceFn = Place (*)(int lane, int i);

struct MmaCase {
  const char *name; // after llvm.nvvm.mma.
  int m, n, k;
  const char *aType, *cType; // register types
  int aRegs, bRegs, cRegs;
  int aElements, bElements; // per lane
  PlaceFn a, b, c;
  enum Kind { Half, BFloat, Tf32, Double, Byte, E4M3 } kind;
};

int group(int lane) {
  return lane >> 2;
}
int inGroup(int lane) {
  return lane % 4;
}

const MmaCase kMmaCases[] = {
    {"m16n8k16.row.col.f32.f32", 16, 8, 16, "<2 x half>", "float", 4, 2, 4, 8, 4,
     [](int l, int i) {
       return Place{group(l) + ((i < 2 || (i >= 4 && i < 6)) ? 0 : 8),
                    inGroup(l) * 2 + (i & 1) + (i < 4 ? 0 : 8)};
     },
     [](int l, int i) { return Place{inGroup(l) * 2 + (i & 1) + (i < 2 ? 0 : 8), group(l)}; },
     [](int l, int i) { return Place{group(l) + (i < 2 ? 0 : 8), inGroup(l) * 2 + (i & 1)}; },
     MmaCase::Half},
    {"m16n8k8.row.col.f32.f32", 16, 8, 8, "<2 x half>", "float", 2, 1, 4, 4, 2,
     [](int l, int i) { return Place{group(l) + (i < 2 ? 0 : 8), inGroup(l) * 2 + (i & 1)}; },
     [](int l, int i) { return Place{inGroup(l) * 2 + i, group(l)}; },
     [](int l, int i) { return Place{group(l) + (i < 2 ? 0 : 8), inGroup(l) * 2 + (i & 1)}; },
     MmaCase::Half},
    {"m16n8k16.row.col.bf16", 16, 8, 16, "i32", "float", 4, 2, 4, 8, 4,
     [](int l, int i) {
       return Place{group(l) + ((i < 2 || (i >= 4 && i < 6)) ? 0 : 8),
                    inGroup(l) * 2 + (i & 1) + (i < 4 ? 0 : 8)};
     },
     [](int l, int i) { return Place{inGroup(l) * 2 + (i & 1) + (i < 2 ? 0 : 8), group(l)}; },
     [](int l, int i) { return Place{group(l) + (i < 2 ? 0 : 8), inGroup(l) * 2 + (i & 1)}; },
     MmaCase::BFloat},
    {"m16n8k8.row.col.tf32", 16, 8, 8, "i32", "float", 4, 2, 4, 4, 2,
     [](int l, int i) {
       return Place{group(l) + (i == 0 || i == 2 ? 0 : 8), inGroup(l) + (i < 2 ? 0 : 4)};
     },
     [](int l, int i) { return Place{inGroup(l) + 4 * i, group(l)}; },
     [](int l, int i) { return Place{group(l) + (i < 2 ? 0 : 8), inGroup(l) * 2 + (i & 1)}; },
     MmaCase::Tf32},
    {"m16n8k32.row.col.s8", 16, 8, 32, "i32", "i32", 4, 2, 4, 16, 8,
     [](int l, int i) {
       return Place{group(l) + ((i < 4 || (i >= 8 && i < 12)) ? 0 : 8),
                    inGroup(l) * 4 + (i & 3) + (i < 8 ? 0 : 16)};
     },
     [](int l, int i) { return Place{inGroup(l) * 4 + (i & 3) + (i < 4 ? 0 : 16), group(l)}; },
     [](int l, int i) { return Place{group(l) + (i < 2 ? 0 : 8), inGroup(l) * 2 + (i & 1)}; },
     MmaCase::Byte},
    {"m8n8k16.row.col.s8", 8, 8, 16, "i32", "i32", 1, 1, 2, 4, 4,
     [](int l, int i) { return Place{group(l), inGroup(l) * 4 + i}; },
     [](int l, int i) { return Place{inGroup(l) * 4 + i, group(l)}; },
     [](int l, int i) { return Place{group(l), inGroup(l) * 2 + i}; }, MmaCase::Byte},
    {"m16n8k32.row.col.f32.e4m3.e4m3.f32", 16, 8, 32, "i32", "float", 4, 2, 4, 16, 8,
     [](int l, int i) {
       return Place{group(l) + ((i < 4 || (i >= 8 && i < 12)) ? 0 : 8),
                    inGroup(l) * 4 + (i & 3) + (i < 8 ? 0 : 16)};
     },
     [](int l, int i) { return Place{inGroup(l) * 4 + (i & 3) + (i < 4 ? 0 : 16), group(l)}; },
     [](int l, int i) { return Place{group(l) + (i < 2 ? 0 : 8), inGroup(l) * 2 + (i & 1)}; },
     MmaCase::E4M3},
    {"m8n8k4.row.col.f64", 8, 8, 4, "double", "double", 1, 1, 2, 1, 1,
     [](int l, int) { return Place{group(l), inGroup(l)}; },
     [](int l, int) { return Place{inGroup(l), group(l)}; },
     [](int l, int i) { return Place{group(l), inGroup(l) * 2 + i}; }, MmaCase::Double},
};

// Kernel: load registers from a per-lane array, run the mma, store the results.
std::string mmaKernel(const MmaCase &c) {
  std::string d = "{", operands, types, body;
  for (int i = 0; i < c.cRegs; ++i)
    d += std::string(i ? ", " : "") + c.cType;
  d += "}";
  int slot = 0;
  auto load = [&](const char *type, int count) {
    for (int i = 0; i < count; ++i, ++slot) {
      body += llvm::formatv("  %p{0} = getelementptr i64, ptr addrspace(1) %base, i32 {0}\n"
                            "  %r{0} = load {1}, ptr addrspace(1) %p{0}, align 4\n",
                            slot, type);
      operands += llvm::formatv("{0}{1} %r{2}", slot ? ", " : "", type, slot);
      types += (slot ? ", " : "") + std::string(type);
    }
  };
  load(c.aType, c.aRegs), load(c.aType, c.bRegs), load(c.cType, c.cRegs);
  body += llvm::formatv("  %d = call {0} @llvm.nvvm.mma.{1}({2})\n", d, c.name, operands);
  for (int i = 0; i < c.cRegs; ++i)
    body += llvm::formatv(
        "  %d{0} = extractvalue {1} %d, {0}\n  store {2} %d{0}, ptr addrspace(1) %p{0}, align 4\n",
        i, d, c.cType);
  return llvm::formatv(
      "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\ndeclare {0} @llvm.nvvm.mma.{1}({2})\n"
      "define ptx_kernel void @k(ptr addrspace(1) %data) {{\n"
      "  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n  %o = mul i32 %t, 16\n"
      "  %base = getelementptr i64, ptr addrspace(1) %data, i32 %o\n{3}  ret void\n}\n",
      d, c.name, types, body);
}

void putElement(uint64_t *registers, const MmaCase &c, int i, int value) {
  auto put = [&](int perRegister, int bits, uint64_t encoded) {
    registers[i / perRegister] |= encoded << (bits * (i % perRegister));
  };
  switch (c.kind) {
  case MmaCase::Half:
    return put(2, 16, encode(value, kF16));
  case MmaCase::BFloat:
    return put(2, 16, encode(value, kBF16));
  case MmaCase::Tf32:
    return put(1, 32, bitsTo<uint32_t>(static_cast<float>(value)));
  case MmaCase::Double:
    return put(1, 64, bitsTo<uint64_t>(static_cast<double>(value)));
  case MmaCase::Byte:
    return put(4, 8, static_cast<uint8_t>(value));
  case MmaCase::E4M3:
    return put(4, 8, encode(value, kE4M3));
  }
}

TEST(DeviceOpsTest, MatrixFragmentsFollowPtx) {
  for (const MmaCase &c : kMmaCases) {
    auto program = compile(mmaKernel(c));
    ASSERT_TRUE(program) << c.name;
    std::mt19937 random(7);
    auto small = [&] { return static_cast<int>(random() % 9) - 4; };
    std::vector<std::vector<int>> a(c.m, std::vector<int>(c.k)), b(c.k, std::vector<int>(c.n)),
        acc(c.m, std::vector<int>(c.n));
    for (auto *matrix : {&a, &b, &acc})
      for (auto &row : *matrix)
        for (int &x : row)
          x = small();
    std::vector<uint64_t> data(32 * 16);
    auto fill = [&] {
      std::fill(data.begin(), data.end(), 0);
      for (int lane = 0; lane < 32; ++lane) {
        uint64_t *regs = &data[16 * lane];
        for (int i = 0; i < c.aElements; ++i)
          putElement(regs, c, i, a[c.a(lane, i).row][c.a(lane, i).column]);
        for (int i = 0; i < c.bElements; ++i)
          putElement(regs + c.aRegs, c, i, b[c.b(lane, i).row][c.b(lane, i).column]);
        for (int i = 0; i < c.cRegs; ++i) {
          const int value = acc[c.c(lane, i).row][c.c(lane, i).column];
          regs[c.aRegs + c.bRegs + i] =
              c.kind == MmaCase::Double ? bitsTo<uint64_t>(static_cast<double>(value))
              : c.kind == MmaCase::Byte ? static_cast<uint32_t>(value)
                                        : bitsTo<uint32_t>(static_cast<float>(value));
        }
      }
    };
    for (Schedule schedule : kSchedules) {
      fill();
      const Report report = program->launch("k", block(32, schedule), {argument(data.data())});
      ASSERT_EQ(report.status, Report::Completed) << c.name << ": " << report.message;
      for (int lane = 0; lane < 32; ++lane)
        for (int i = 0; i < c.cRegs; ++i) {
          const Place p = c.c(lane, i);
          int expected = acc[p.row][p.column];
          for (int k = 0; k < c.k; ++k)
            expected += a[p.row][k] * b[k][p.column];
          const uint64_t bits = data[16 * lane + i];
          const double got = c.kind == MmaCase::Double ? bitsTo<double>(bits)
                             : c.kind == MmaCase::Byte ? static_cast<int32_t>(bits)
                                                       : bitsTo<float>(static_cast<uint32_t>(bits));
          ASSERT_EQ(got, expected) << c.name << " lane " << lane << " value " << i;
        }
    }
    const Report partial = program->launch("k", block(16), {argument(data.data())});
    EXPECT_EQ(partial.status, Report::Fault);
    EXPECT_THAT(partial.message, HasSubstr("matrix operation with lanes 0xffff only"));
  }
}

TEST(DeviceOpsTest, LdmatrixTransposesAndStmatrixUndoesIt) {
  auto program = compile(R"(
@tile = internal addrspace(3) global [4 x [8 x [8 x i16]]] poison, align 128
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare {i32, i32, i32, i32} @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.trans.b16.p3(ptr addrspace(3))
declare void @llvm.nvvm.stmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3), i32, i32, i32, i32)
define ptx_kernel void @k(ptr addrspace(1) %data) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %row = getelementptr [8 x i16], ptr addrspace(3) @tile, i32 %t
  %src = getelementptr [8 x i16], ptr addrspace(1) %data, i32 %t
  %v = load <4 x i32>, ptr addrspace(1) %src, align 16
  store <4 x i32> %v, ptr addrspace(3) %row, align 16
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %m = call {i32, i32, i32, i32} @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.trans.b16.p3(ptr addrspace(3) %row)
  %a = extractvalue {i32, i32, i32, i32} %m, 0
  %b = extractvalue {i32, i32, i32, i32} %m, 1
  %c = extractvalue {i32, i32, i32, i32} %m, 2
  %d = extractvalue {i32, i32, i32, i32} %m, 3
  call void @llvm.nvvm.stmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) %row, i32 %a, i32 %b, i32 %c, i32 %d)
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %w = load <4 x i32>, ptr addrspace(3) %row, align 16
  store <4 x i32> %w, ptr addrspace(1) %src, align 16
  ret void
}
)");
  ASSERT_TRUE(program);
  struct alignas(16) Tile {
    uint16_t x[4][8][8];
  } tile;
  for (int m = 0; m < 4; ++m)
    for (int r = 0; r < 8; ++r)
      for (int c = 0; c < 8; ++c)
        tile.x[m][r][c] = 100 * m + 10 * r + c;
  const Report report = program->launch("k", block(32), {argument(&tile)});
  ASSERT_EQ(report.status, Report::Completed) << report.message;
  for (int m = 0; m < 4; ++m)
    for (int r = 0; r < 8; ++r)
      for (int c = 0; c < 8; ++c)
        ASSERT_EQ(tile.x[m][r][c], 100 * m + 10 * c + r);
}

// ---- asynchronous copies ----

std::string copyKernel(bool wait) {
  return std::string(R"(
@stage = internal addrspace(3) global [32 x i32] poison, align 16
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.cp.async.ca.shared.global.4(ptr addrspace(3), ptr addrspace(1))
declare void @llvm.nvvm.cp.async.commit.group()
declare void @llvm.nvvm.cp.async.wait.group(i32 immarg)
define ptx_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %s = getelementptr i32, ptr addrspace(3) @stage, i32 %t
  %p = getelementptr i32, ptr addrspace(1) %in, i32 %t
  call void @llvm.nvvm.cp.async.ca.shared.global.4(ptr addrspace(3) %s, ptr addrspace(1) %p)
  call void @llvm.nvvm.cp.async.commit.group()
)") + (wait ? "  call void @llvm.nvvm.cp.async.wait.group(i32 0)\n" : "") +
         R"(
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %o = sub i32 31, %t
  %q = getelementptr i32, ptr addrspace(3) @stage, i32 %o
  %v = load i32, ptr addrspace(3) %q
  %r = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %v, ptr addrspace(1) %r
  ret void
}
)";
}

TEST(DeviceOpsTest, LazyCompletionExposesAMissingWait) {
  for (bool wait : {true, false}) {
    auto program = compile(copyKernel(wait));
    ASSERT_TRUE(program);
    for (AsyncCompletion async : {AsyncCompletion::Eager, AsyncCompletion::Lazy}) {
      std::vector<int32_t> in(32), out(32, -7);
      for (int i = 0; i < 32; ++i)
        in[i] = i;
      LaunchConfig config = block(32);
      config.async = async;
      const Report report =
          program->launch("k", config, {argument(in.data()), argument(out.data())});
      ASSERT_EQ(report.status, Report::Completed) << report.message;
      EXPECT_EQ(report.counters.asyncBytes, 128u);
      EXPECT_EQ(out[0] == 31, wait || async == AsyncCompletion::Eager);
      config.reportUninitialised = true;
      const Report strict =
          program->launch("k", config, {argument(in.data()), argument(out.data())});
      EXPECT_EQ(strict.ok(), wait || async == AsyncCompletion::Eager) << strict.message;
    }
  }
}

std::string mbarrierKernel(int waitParity) {
  return llvm::formatv(R"(
@bar = internal addrspace(3) global i64 poison, align 8
@stage = internal addrspace(3) global [64 x i32] poison, align 128
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3), i32)
declare i64 @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta(ptr addrspace(3), i32)
declare i1 @llvm.nvvm.mbarrier.try.wait.parity.scope.cta.space.cta(ptr addrspace(3), i32)
declare void @llvm.nvvm.cp.async.bulk.global.to.shared.cta(ptr addrspace(3), ptr addrspace(3), ptr addrspace(1), i32, i64, i1)
define ptx_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {{
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp eq i32 %t, 0
  br i1 %first, label %init, label %ready
init:
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) @bar, i32 1)
  br label %ready
ready:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %first, label %issue, label %wait
issue:
  %tok = call i64 @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta(ptr addrspace(3) @bar, i32 256)
  call void @llvm.nvvm.cp.async.bulk.global.to.shared.cta(ptr addrspace(3) @stage, ptr addrspace(3) @bar, ptr addrspace(1) %in, i32 256, i64 0, i1 false)
  br label %wait
wait:
  %done = call i1 @llvm.nvvm.mbarrier.try.wait.parity.scope.cta.space.cta(ptr addrspace(3) @bar, i32 {0})
  br i1 %done, label %read, label %wait
read:
  %q = getelementptr i32, ptr addrspace(3) @stage, i32 %t
  %v = load i32, ptr addrspace(3) %q
  %r = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %v, ptr addrspace(1) %r
  ret void
}
)",
                       waitParity);
}

TEST(DeviceOpsTest, MbarriersWaitForBulkCopies) {
  struct alignas(16) Buffer {
    int32_t x[64];
  } in, out;
  for (int i = 0; i < 64; ++i)
    in.x[i] = i * i;
  for (int parity : {0, 1}) {
    auto program = compile(mbarrierKernel(parity));
    ASSERT_TRUE(program);
    unsigned wrong = 0;
    for (Schedule schedule : kSchedules)
      for (AsyncCompletion async : {AsyncCompletion::Eager, AsyncCompletion::Lazy}) {
        std::memset(&out, 0, sizeof out);
        LaunchConfig config = block(64, schedule);
        config.async = async;
        const Report report = program->launch("k", config, {argument(&in), argument(&out)});
        if (parity == 0) {
          EXPECT_EQ(report.status, Report::Completed) << report.message;
        }
        wrong += report.status != Report::Completed || std::memcmp(&in, &out, sizeof in) != 0;
      }
    if (parity == 0)
      EXPECT_EQ(wrong, 0u);
    else
      EXPECT_GT(wrong, 0u); // waiting for the wrong phase does not go unnoticed
  }
}

// A block writes who did its work; each goes on with blocks that have not started.
TEST(DeviceOpsTest, BlocksTakeTheWorkOfBlocksThatHaveNotStarted) {
  auto program = compile(R"(
@answer = internal addrspace(3) global [16 x i8] poison, align 16
@bar = internal addrspace(3) global i64 poison, align 8
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
declare void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3), i32)
declare void @llvm.nvvm.mbarrier.inval.shared(ptr addrspace(3))
declare i64 @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta(ptr addrspace(3), i32)
declare i1 @llvm.nvvm.mbarrier.try.wait.parity.scope.cta.space.cta(ptr addrspace(3), i32)
declare void @llvm.nvvm.clusterlaunchcontrol.try_cancel.async.shared(ptr addrspace(3), ptr addrspace(3))
declare i1 @llvm.nvvm.clusterlaunchcontrol.query_cancel.is_canceled(i128)
declare i32 @llvm.nvvm.clusterlaunchcontrol.query_cancel.get_first_ctaid.x(i128)
declare i32 @llvm.nvvm.clusterlaunchcontrol.query_cancel.get_first_ctaid.y(i128)
define ptx_kernel void @k(ptr addrspace(1) %out) {
entry:
  %x0 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %y0 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  br label %work
work:
  %x = phi i32 [%x0, %entry], [%x1, %next]
  %y = phi i32 [%y0, %entry], [%y1, %next]
  %row = mul i32 %y, 3
  %at = add i32 %row, %x
  %p = getelementptr i32, ptr addrspace(1) %out, i32 %at
  %old = load i32, ptr addrspace(1) %p
  %new = add i32 %old, 1
  store i32 %new, ptr addrspace(1) %p
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) @bar, i32 1)
  %tok = call i64 @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta(ptr addrspace(3) @bar, i32 16)
  call void @llvm.nvvm.clusterlaunchcontrol.try_cancel.async.shared(ptr addrspace(3) @answer, ptr addrspace(3) @bar)
  br label %wait
wait:
  %done = call i1 @llvm.nvvm.mbarrier.try.wait.parity.scope.cta.space.cta(ptr addrspace(3) @bar, i32 0)
  br i1 %done, label %read, label %wait
read:
  %a = load i128, ptr addrspace(3) @answer, align 16
  call void @llvm.nvvm.mbarrier.inval.shared(ptr addrspace(3) @bar)
  %more = call i1 @llvm.nvvm.clusterlaunchcontrol.query_cancel.is_canceled(i128 %a)
  br i1 %more, label %next, label %end
next:
  %x1 = call i32 @llvm.nvvm.clusterlaunchcontrol.query_cancel.get_first_ctaid.x(i128 %a)
  %y1 = call i32 @llvm.nvvm.clusterlaunchcontrol.query_cancel.get_first_ctaid.y(i128 %a)
  br label %work
end:
  ret void
}
)");
  ASSERT_TRUE(program);
  for (AsyncCompletion async : {AsyncCompletion::Eager, AsyncCompletion::Lazy}) {
    int32_t out[15] = {};
    LaunchConfig config = block(1);
    config.grid = {3, 5, 1};
    config.residentBlocks = 2;
    config.async = async;
    const Report report = program->launch("k", config, {argument(&out)});
    EXPECT_EQ(report.status, Report::Completed) << report.message;
    EXPECT_EQ(report.counters.threads, 2u); // the others never started
    EXPECT_THAT(out, testing::Each(1));
  }
}

TEST(DeviceOpsTest, ReportsAWaitThatNothingCompletes) {
  std::string text = mbarrierKernel(0);
  text.replace(text.find("i32 256)"), 8, "i32 512)"); // expects more bytes than are copied
  auto program = compile(text);
  ASSERT_TRUE(program);
  struct alignas(16) Buffer {
    int32_t x[64];
  } in{}, out{};
  const Report report = program->launch("k", block(64), {argument(&in), argument(&out)});
  EXPECT_EQ(report.status, Report::Deadlock);
  EXPECT_THAT(
      report.message,
      HasSubstr("64 of 64 threads (0-63) wait at mbarrier.try.wait.parity.scope.cta.space.cta"));
}

TEST(DeviceOpsTest, LandsCopiesWhenNothingElseCanRun) {
  std::string text = mbarrierKernel(0);
  text.replace(text.find("i32 256)"), 8,
               "i32 128)"); // more bytes arrive than expected, and the barrier never completes
  auto program = compile(text);
  ASSERT_TRUE(program);
  struct alignas(16) Buffer {
    int32_t x[64];
  } in{}, out{};
  LaunchConfig config = block(64);
  config.async = AsyncCompletion::Lazy;
  config.reportUninitialised = true;
  const Report report = program->launch("k", config, {argument(&in), argument(&out)});
  EXPECT_EQ(report.status, Report::Deadlock) << report.message;

  text = mbarrierKernel(0);
  text.replace(text.find("i32 256, i64 0"), 14, "i32 256, i64 1");
  program = compile(text);
  const Report good = program->launch("k", config, {argument(&in), argument(&out)});
  EXPECT_EQ(good.status, Report::Completed) << good.message;
}

TEST(DeviceOpsTest, EveryTableEntryHasAnImplementation) {
  for (const auto &entry : IntrinsicTable::get().entries()) {
    const Intrinsic &op = entry.second;
    EXPECT_TRUE(op.kind == Intrinsic::Expand ? static_cast<bool>(op.expand)
                                             : op.function != nullptr)
        << op.name;
    if (op.kind == Intrinsic::Warp)
      EXPECT_NE(op.compute, nullptr) << op.name;
  }
}

} // namespace
} // namespace tilesmith::emulator
