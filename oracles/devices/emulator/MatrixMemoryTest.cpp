//===- MatrixMemoryTest.cpp - ldmatrix and stmatrix of bytes, wrong operands of mma -----------===//
//
// The byte forms are compared with CUTLASS's maps from (lane, value) to bits, which are strides:
// both sides of a map are written here as such, not as the rows and columns of the implementation.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/devices/emulator/Emulator.h"
#include "oracles/devices/emulator/Numeric.h"

#include "llvm/Support/FormatVariadic.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>

namespace tilesmith::emulator {
namespace {

using testing::HasSubstr;

Report run(const std::string &text, std::vector<uint32_t> &in, std::vector<uint32_t> &out) {
  auto program = Program::parse("target triple = \"nvptx64-nvidia-cuda\"\n" + text);
  if (!program) {
    ADD_FAILURE() << llvm::toString(program.takeError()) << text;
    return {};
  }
  LaunchConfig config;
  config.block = {32, 1, 1};
  (*program)->addRange(in.data(), 4 * in.size(), "in");
  (*program)->addRange(out.data(), 4 * out.size(), "out");
  return (*program)->launch("k", config, {argument(in.data()), argument(out.data())});
}

std::string resultType(int registers) {
  std::string type = "{ i32";
  for (int i = 1; i < registers; ++i)
    type += ", i32";
  return registers == 1 ? "i32" : type + " }";
}

// Lane i writes its 16 bytes of `in` to row i, loads, and stores its registers to 4 words of `out`.
std::string loadKernel(const std::string &name, int registers) {
  const std::string type = resultType(registers);
  std::string body;
  for (int r = 0; r < registers; ++r)
    body +=
        (registers == 1 ? std::string("  %r0 = freeze i32 %m\n")
                        : llvm::formatv("  %r{0} = extractvalue {1} %m, {0}\n", r, type).str()) +
        llvm::formatv("  %q{0} = getelementptr i32, ptr addrspace(1) %dst, i32 {0}\n"
                      "  store i32 %r{0}, ptr addrspace(1) %q{0}\n",
                      r)
            .str();
  return llvm::formatv(R"(
@tile = internal addrspace(3) global [32 x [16 x i8]] poison, align 16
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare {0} @llvm.nvvm.{1}.p3(ptr addrspace(3))
define ptx_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {{
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %row = getelementptr [16 x i8], ptr addrspace(3) @tile, i32 %t
  %src = getelementptr [16 x i8], ptr addrspace(1) %in, i32 %t
  %dst = getelementptr [4 x i32], ptr addrspace(1) %out, i32 %t
  %v = load <4 x i32>, ptr addrspace(1) %src, align 4
  store <4 x i32> %v, ptr addrspace(3) %row, align 16
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %m = call {0} @llvm.nvvm.{1}.p3(ptr addrspace(3) %row)
{2}  ret void
}
)",
                       type, name, body);
}

std::vector<uint32_t> randomRows() {
  std::mt19937 random(5);
  std::vector<uint32_t> words(128);
  for (uint32_t &word : words)
    word = random();
  return words;
}

// Element `i` of a row of packed elements.
uint8_t elementOf(const uint8_t *row, int bits, int i) {
  uint32_t value = 0;
  for (int b = 0; b < bits; ++b)
    value |= (row[(i * bits + b) / 8] >> ((i * bits + b) % 8) & 1u) << b;
  return value;
}

TEST(MatrixMemoryTest, LoadsTransposedBytes) {
  for (auto [format, bits] : {std::pair{"b8", 8}, {"b8x16.b4x16_p64", 4}, {"b8x16.b6x16_p32", 6}})
    for (int count : {1, 2}) {
      std::vector<uint32_t> in = randomRows(), out(128);
      const std::string name =
          llvm::formatv("ldmatrix.sync.aligned.m16n16.x{0}.trans.{1}", count, format);
      const Report report = run(loadKernel(name, 2 * count), in, out);
      ASSERT_EQ(report.status, Report::Completed) << name << ": " << report.message;
      // Logical bits: lanes give rows at these strides, and get bytes at those.
      std::vector<uint8_t> logical(512);
      const auto *bytes = reinterpret_cast<const uint8_t *>(in.data());
      for (int lane = 0; lane < 32; ++lane) {
        const int base =
            (lane & 1) * 128 + (lane >> 1 & 1) * 1024 + (lane >> 2 & 3) * 256 + (lane >> 4) * 2048;
        for (int i = 0; i < 16; ++i)
          logical[base / 8 + i] = elementOf(bytes + 16 * lane, bits, i);
      }
      for (int lane = 0; lane < 32; ++lane)
        for (int value = 0; value < 8 * count; ++value) {
          const int bit = lane % 4 * 256 + lane / 4 * 8 + (value & 1) * 128 +
                          (value >> 1 & 1) * 64 + (value >> 2) * 1024;
          const uint32_t word = out[4 * lane + value / 4];
          ASSERT_EQ(word >> (8 * (value % 4)) & 255, logical[bit / 8])
              << name << " lane " << lane << " value " << value;
        }
    }
}

TEST(MatrixMemoryTest, LoadsPackedRows) {
  for (auto [format, bits] : {std::pair{"b4x16_p64", 4}, {"b6x16_p32", 6}})
    for (int count : {1, 2, 4}) {
      std::vector<uint32_t> in = randomRows(), out(128);
      const std::string name =
          llvm::formatv("ldmatrix.sync.aligned.m8n16.x{0}.b8x16.{1}", count, format);
      const Report report = run(loadKernel(name, count), in, out);
      ASSERT_EQ(report.status, Report::Completed) << name << ": " << report.message;
      const auto *bytes = reinterpret_cast<const uint8_t *>(in.data());
      for (int lane = 0; lane < 32; ++lane)
        for (int value = 0; value < 4 * count; ++value) {
          const int at = 32 * lane + value % 4 * 8 + value / 4 * 1024; // bits of unpacked rows
          ASSERT_EQ(out[4 * lane + value / 4] >> (8 * (value % 4)) & 255,
                    elementOf(bytes + at / 128 * 16, bits, at % 128 / 8))
              << name;
        }
    }
}

TEST(MatrixMemoryTest, StoresTransposedBytes) {
  for (int count : {1, 2, 4}) {
    std::string types, operands, loads;
    for (int r = 0; r < count; ++r) {
      types += ", i32", operands += ", i32 %r" + std::to_string(r);
      loads += llvm::formatv("  %p{0} = getelementptr i32, ptr addrspace(1) %src, i32 {0}\n"
                             "  %r{0} = load i32, ptr addrspace(1) %p{0}\n",
                             r);
    }
    const std::string name = llvm::formatv("stmatrix.sync.aligned.m16n8.x{0}.trans.b8", count);
    const std::string text = llvm::formatv(R"(
@tile = internal addrspace(3) global [32 x [16 x i8]] poison, align 16
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.{0}.p3(ptr addrspace(3){1})
define ptx_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {{
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %row = getelementptr [16 x i8], ptr addrspace(3) @tile, i32 %t
  %src = getelementptr [4 x i32], ptr addrspace(1) %in, i32 %t
  %dst = getelementptr [16 x i8], ptr addrspace(1) %out, i32 %t
{2}  call void @llvm.nvvm.{0}.p3(ptr addrspace(3) %row{3})
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v = load <4 x i32>, ptr addrspace(3) %row, align 16
  store <4 x i32> %v, ptr addrspace(1) %dst, align 4
  ret void
}
)",
                                           name, types, loads, operands);
    std::vector<uint32_t> in = randomRows(), out(128);
    const Report report = run(text, in, out);
    ASSERT_EQ(report.status, Report::Completed) << name << ": " << report.message;
    const auto *bytes = reinterpret_cast<const uint8_t *>(out.data());
    for (int lane = 0; lane < 32; ++lane)
      for (int value = 0; value < 4 * count; ++value) {
        const int bit = lane % 4 * 256 + lane / 4 * 8 + (value & 1) * 128 + (value >> 1 & 1) * 64 +
                        (value >> 2) * 1024;
        ASSERT_EQ(in[4 * lane + value / 4] >> (8 * (value % 4)) & 255, bytes[bit / 8])
            << name << " lane " << lane << " value " << value;
      }
  }
}

// ---- wrong operands ----

std::string sparseKernel(const std::string &name, int metadata) {
  return llvm::formatv(R"(
declare {{ float, float, float, float } @llvm.nvvm.{0}(i32, i32, i32, i32, float, float, float, float, i32, i32)
define ptx_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {{
  %m = call {{ float, float, float, float } @llvm.nvvm.{0}(i32 0, i32 0, i32 0, i32 0,
    float 0.0, float 0.0, float 0.0, float 0.0, i32 {1}, i32 0)
  ret void
}
)",
                       name, metadata);
}

TEST(MatrixMemoryTest, WrongSparsityMetadataIsAFault) {
  struct {
    const char *name;
    int metadata;
    const char *message; // null: fine
  } const cases[] = {
      {"mma.sp.m16n8k16.row.col.bf16", 0x44444444, nullptr},
      {"mma.sp.m16n8k16.row.col.bf16", 0x11111111, nullptr},
      {"mma.sp.m16n8k16.row.col.bf16", 0x44454444, "does not name two different elements"},
      {"mma.sp.ordered.metadata.m16n8k16.row.col.bf16", 0x11111111,
       "does not name two ascending elements"},
      {"mma.sp.m16n8k8.row.col.tf32", 0x4e4e4e4e, nullptr},
      {"mma.sp.m16n8k8.row.col.tf32", 0x4e4e4e41, "sparsity metadata 0x1 of row 0"},
  };
  for (const auto &c : cases) {
    std::vector<uint32_t> in(4), out(4);
    const Report report = run(sparseKernel(c.name, c.metadata), in, out);
    EXPECT_EQ(report.status, c.message ? Report::Fault : Report::Completed) << report.message;
    if (c.message)
      EXPECT_THAT(report.message, HasSubstr(c.message));
  }
}

TEST(MatrixMemoryTest, WrongScaleSelectorsAreFaults) {
  for (const char *selectors :
       {"i16 0, i16 0, i32 0, i16 2, i16 3", "i16 1, i16 0, i32 0, i16 0, i16 0",
        "i16 0, i16 2, i32 0, i16 0, i16 0"}) {
    const std::string name =
        "llvm.nvvm.mma.block.scale.m16n8k64.row.col.mxf4.f32.e2m1.e2m1.f32.ue8m0";
    std::vector<uint32_t> in(4), out(4);
    const Report report = run(
        "declare { float, float, float, float } @" + name +
            "(i32, i32, i32, i32, i32, i32, float, float, float, float, i32, i16, i16, i32, i16, "
            "i16)\ndefine ptx_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {\n"
            "  %m = call { float, float, float, float } @" +
            name +
            "(i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, float 0.0, float 0.0, float 0.0, float "
            "0.0, i32 0, " +
            selectors + ")\n  ret void\n}\n",
        in, out);
    const bool good = selectors == std::string("i16 0, i16 0, i32 0, i16 2, i16 3");
    EXPECT_EQ(report.status, good ? Report::Completed : Report::Fault)
        << selectors << ": " << report.message;
    if (!good)
      EXPECT_THAT(report.message, HasSubstr("selector"));
  }
}

TEST(MatrixMemoryTest, WmmaNeedsTheSameAlignedAddressInAllLanes) {
  for (auto [index, message] : {std::pair{"%t", "different addresses or strides"},
                                {"8", "misaligned access"},
                                {"16", static_cast<const char *>(nullptr)}}) {
    std::vector<uint32_t> storage(4096 + 16), out(4);
    const size_t skip = (64 - reinterpret_cast<uintptr_t>(storage.data()) % 64) % 64 / 4;
    auto program = Program::parse(llvm::formatv(R"(target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare {{ i32, i32, i32, i32 } @llvm.nvvm.wmma.m16n16k16.load.a.row.stride.bf16.p1(ptr addrspace(1), i32)
define ptx_kernel void @k(ptr addrspace(1) %in) {{
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i8, ptr addrspace(1) %in, i32 {0}
  %m = call {{ i32, i32, i32, i32 } @llvm.nvvm.wmma.m16n16k16.load.a.row.stride.bf16.p1(ptr addrspace(1) %p, i32 24)
  ret void
}
)",
                                                index)
                                      .str());
    ASSERT_TRUE(!!program) << llvm::toString(program.takeError());
    LaunchConfig config;
    config.block = {32, 1, 1};
    const Report report = (*program)->launch("k", config, {argument(storage.data() + skip)});
    EXPECT_EQ(report.status, message ? Report::Fault : Report::Completed) << report.message;
    if (message)
      EXPECT_THAT(report.message, HasSubstr(message));
  }
}

} // namespace
} // namespace tilesmith::emulator
