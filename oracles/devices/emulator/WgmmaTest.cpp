//===- WgmmaTest.cpp - wgmma of every element type, against plain sums ------------------------===//
//
// The test writes the operand tiles in the layouts of the PTX ISA by formulas of its own (an 8-row
// core matrix at a time, swizzles by rows), and places the results by the D fragment's table. Data
// are small integers, so every result is exact.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/devices/emulator/Fibers.h"
#include "oracles/devices/emulator/Numeric.h"
#include "oracles/devices/emulator/TestKernels.h"

#include "llvm/Support/FormatVariadic.h"

namespace tilesmith::emulator {
namespace {

struct Type {
  const char *name;
  int bytes;
  uint32_t (*bits)(int); // encoding of a small integer
};

uint32_t tf32(int v) {
  return __builtin_bit_cast(uint32_t, static_cast<float>(v));
}
uint32_t f16(int v) {
  return encode(v, kF16);
}
uint32_t bf16(int v) {
  return encode(v, kBF16);
}
uint32_t e4m3(int v) {
  return encode(v, kE4M3);
}
uint32_t e5m2(int v) {
  return encode(v, kE5M2);
}
uint32_t s8(int v) {
  return v & 0xff;
}

/// One warpgroup: both tiles are copied word by word to shared memory, then one wgmma.
std::string kernel(const std::string &shape, int registers, const std::string &type,
                   bool transposes, uint64_t a, uint64_t b, int selector = -1) {
  const bool sparse = selector >= 0;
  std::string outputs, ties, list, results;
  for (int i = 0; i < registers; ++i) {
    outputs += std::string(i ? "," : "") + (type == "float" ? "=f" : "=r");
    ties += "," + std::to_string(i);
    list += (i ? ", $" : "$") + std::to_string(i);
    results += (i ? ", " : "") + type;
  }
  std::string call;
  for (int i = 0; i < registers; ++i)
    call += type + (type == "float" ? " 0.0, " : " 0, ");
  std::string text = llvm::formatv(
      R"(
declare void @llvm.nvvm.wgmma.fence.sync.aligned()
declare void @llvm.nvvm.wgmma.commit_group.sync.aligned()
declare void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64)
declare void @llvm.nvvm.fence.proxy.async.shared_cta()
@tiles = internal addrspace(3) global [32768 x i32] poison, align 1024
define ptx_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {{
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %copy
copy:
  %i = phi i32 [%t, %entry], [%j, %copy]
  %p = getelementptr i32, ptr addrspace(1) %in, i32 %i
  %s = getelementptr i32, ptr addrspace(3) @tiles, i32 %i
  %w = load i32, ptr addrspace(1) %p
  store i32 %w, ptr addrspace(3) %s
  %j = add i32 %i, 128
  %more = icmp ult i32 %j, 16384
  br i1 %more, label %copy, label %go
go:
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %base = ptrtoint ptr addrspace(3) @tiles to i64
  %low = and i64 %base, 262143
  %a0 = lshr i64 %low, 4
  %a = or i64 %a0, {0}
  %b0 = add i64 %low, 32768
  %b1 = lshr i64 %b0, 4
  %b = or i64 %b1, {1}
  %mi = add i32 %t, 16384
  %mp = getelementptr i32, ptr addrspace(1) %in, i32 %mi
  %meta = load i32, ptr addrspace(1) %mp
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call {{ {2} } asm sideeffect "wgmma.mma_async.{11}sync.aligned.{3} {{{4}}, ${5}, ${6}, {12}1{7};", "{8},l,l{13}{9}"(i64 %a, i64 %b{14}{10})
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
)",
      a, b, results, shape, list, registers, registers + 1,
      shape.find("s32") != std::string::npos ? ""
      : transposes                           ? ", 1, 1, 0, 0"
                                             : ", 1, 1",
      outputs, ties, ", " + call.substr(0, call.size() - 2), sparse ? "sp." : "",
      sparse ? llvm::formatv("${0}, {1}, ", registers + 2, selector).str() : std::string(),
      sparse ? ",r" : "", sparse ? ", i32 %meta" : "");
  for (int i = 0; i < registers; ++i)
    text += llvm::formatv("  %v{0} = extractvalue {{ {1} } %d, {0}\n"
                          "  %x{0} = mul i32 %t, {2}\n  %y{0} = add i32 %x{0}, {0}\n"
                          "  %o{0} = getelementptr i32, ptr addrspace(1) %out, i32 %y{0}\n"
                          "  store {3} %v{0}, ptr addrspace(1) %o{0}\n",
                          i, results, registers, type);
  return text + "  ret void\n}\n";
}

/// `selector` below zero: dense.
void check(const Type &type, int n, int swizzle, const char *result, int selector = -1) {
  SCOPED_TRACE(llvm::formatv("{0}, n {1}, swizzle {2}, {3}, selector {4}", type.name, n, swizzle,
                             result, selector)
                   .str());
  const bool sparse = selector >= 0, isBits = std::string(type.name) == "b1";
  const int rowBytesB = sparse ? 64 : 32;
  const int k = rowBytesB / type.bytes; // of a b1 row: bytes
  auto valueA = [](int row, int p) { return (row * 3 + p * 5) % 7 - 3; };
  auto valueB = [](int column, int p) { return (column * 2 + p * 3) % 5 - 2; };
  std::vector<uint8_t> memory(65536 + 512);
  // Where the elements that are not zero stand: two of four, or one of two.
  const bool oneOfTwo = type.bytes == 4;
  const int chunk = !sparse ? 1 : oneOfTwo ? 2 : 4, kept = sparse ? chunk / 2 : 1;
  auto position = [&](int row, int c, int i) {
    if (!sparse)
      return 0;
    const int first = (row + c) % (oneOfTwo ? 2 : 3);
    return i == 0 ? first : first + 1 + (row * 5 + c) % (3 - first);
  };
  auto dense = [&](int row, int p) {
    for (int i = 0; i < kept; ++i)
      if (position(row, p / chunk, i) == p % chunk)
        return valueA(row, p);
    return 0;
  };
  // Row r, byte x along K. Rows come in groups of eight; 16-byte pieces are permuted by the row.
  auto place = [&](int base, int row, int x, uint32_t bits) {
    int at;
    if (swizzle == 0) {
      at = row / 8 * (base ? 8 * rowBytesB : 256) + x / 16 * 128 + row % 8 * 16 + x % 16;
    } else {
      const int pieces = swizzle / 16, rowsPerLine = 128 / swizzle;
      const int piece = (x / 16) ^ (row % 8 / rowsPerLine % pieces);
      at = row / 8 * 8 * swizzle + row % 8 * swizzle + piece * 16 + x % 16;
    }
    std::memcpy(&memory[base + at], &bits, type.bytes);
  };
  for (int c = 0; c < k / chunk; ++c)
    for (int row = 0; row < 64; ++row)
      for (int i = 0; i < kept; ++i)
        place(0, row, (c * kept + i) * type.bytes,
              type.bits(valueA(row, c * chunk + position(row, c, i))));
  if (sparse) {
    // CUTLASS's maps from (thread, bits) to (row, column): strides over [row][column] with 64 rows.
    for (int thread = 0; thread < 128; ++thread) {
      const int t0 = thread & 1, t1 = thread >> 1 & 1;
      const int base = thread / 4 % 8 + thread / 32 * 16;
      const bool contributes = type.bytes == 1 || t1 == selector;
      uint32_t bits = 0;
      for (int field = 0; field < 8; ++field) {
        int row = base, c = 0;
        if (type.bytes == 1)
          row += 8 * t0, c = 8 * t1 + field;
        else
          row += 8 * (field / 4), c = 4 * t0 + field % 4;
        const uint32_t entry = oneOfTwo ? (position(row, c, 0) ? 14 : 4)
                                        : position(row, c, 0) | position(row, c, 1) << 2;
        bits |= entry << (4 * field);
      }
      if (!contributes)
        bits = 0;
      std::memcpy(&memory[65536 + 4 * thread], &bits, 4);
    }
  }
  for (int p = 0; p < k; ++p) {
    for (int column = 0; column < n; ++column)
      place(32768, column, p * type.bytes, type.bits(valueB(column, p)));
  }
  const uint64_t mode = swizzle == 128 ? 1 : swizzle == 64 ? 2 : swizzle == 32 ? 3 : 0;
  const uint64_t stride = swizzle ? 8 * swizzle : 256;
  const uint64_t descriptor = uint64_t{128 >> 4} << 16 | (stride >> 4) << 32 | mode << 62;
  const uint64_t strideB = swizzle ? stride : 8 * rowBytesB;
  const uint64_t descriptorB = uint64_t{128 >> 4} << 16 | (strideB >> 4) << 32 | mode << 62;
  const std::string d = result;
  const int registers = d == "f16" ? n / 4 : n / 2;
  const std::string shape = llvm::formatv("m64n{0}k{1}.{2}.{3}.{3}{4}", n, isBits ? 8 * k : k, d,
                                          type.name, isBits ? ".and.popc" : "");
  auto program = compile(kernel(shape, registers, d == "f32" ? "float" : "i32", type.bytes == 2,
                                descriptor, descriptorB, selector));
  ASSERT_TRUE(program);
  std::vector<uint32_t> out(128 * registers);
  declare(*program, memory, "in");
  declare(*program, out, "out");
  LaunchConfig launch = config(1, 128);
  launch.detectRaces = true;
  Report report = program->launch("k", launch, {argument(memory.data()), argument(out.data())});
  ASSERT_TRUE(report.ok()) << report.message;
  int wrong = 0;
  for (int thread = 0; thread < 128; ++thread)
    for (int i = 0; i < n / 2; ++i) {
      const int row = 16 * (thread / 32) + thread % 32 / 4 + (i % 4 >= 2 ? 8 : 0);
      const int column = 8 * (i / 4) + 2 * (thread % 4) + i % 2;
      int sum = 0;
      for (int p = 0; p < k; ++p)
        sum += isBits ? __builtin_popcount(s8(valueA(row, p)) & s8(valueB(column, p)))
                      : dense(row, p) * valueB(column, p);
      double got;
      if (d == "f32")
        got = __builtin_bit_cast(float, out[thread * registers + i]);
      else if (d == "s32")
        got = static_cast<int32_t>(out[thread * registers + i]);
      else
        got = decode(out[thread * registers + i / 2] >> (16 * (i % 2)) & 0xffff, kF16);
      wrong += got != sum;
    }
  EXPECT_EQ(wrong, 0);
}

const Type kF16Type{"f16", 2, f16},
    kTypes[] = {kF16Type,          {"bf16", 2, bf16}, {"tf32", 4, tf32},
                {"e4m3", 1, e4m3}, {"e5m2", 1, e5m2}, {"s8", 1, s8}};

TEST(Wgmma, EveryTypeIsExactOnSmallIntegers) {
  for (const Type &type : kTypes)
    check(type, 16, 0, type.bits == s8 ? "s32" : "f32");
}
TEST(Wgmma, EverySwizzleFindsItsElements) {
  for (int swizzle : {0, 32, 64, 128})
    for (const Type &type : kTypes)
      check(type, 24, swizzle, type.bits == s8 ? "s32" : "f32");
}
TEST(Wgmma, EveryWidthPlacesItsResults) {
  for (int n = 8; n <= 256; n += 8)
    check(kF16Type, n, 128, "f32");
}
TEST(Wgmma, HalfResultsArePacked) {
  check(kF16Type, 32, 0, "f16");
  check(kTypes[3], 32, 64, "f16");
}

TEST(Wgmma, SparseOperandsStandWhereTheMetadataSays) {
  for (int swizzle : {0, 64, 128})
    for (const Type &type : kTypes)
      for (int selector = 0; selector < (type.bytes == 1 ? 1 : 2); ++selector)
        check(type, 32, swizzle, type.bits == s8 ? "s32" : "f32", selector);
  check(kF16Type, 16, 128, "f16", 1);
}
TEST(Wgmma, BitsAreCounted) {
  check({"b1", 1, s8}, 24, 32, "s32");
}

// Memory is bounded: programs and launches leave nothing behind.
TEST(Program, ThousandsOfLaunchesDoNotGrow) {
#ifdef TILESMITH_ASAN
  GTEST_SKIP() << "the sanitizer keeps freed memory in quarantine";
#endif
  auto resident = [] {
    long pages = 0, total = 0;
    std::FILE *file = std::fopen("/proc/self/statm", "r");
    if (file && std::fscanf(file, "%ld %ld", &total, &pages) != 2)
      pages = 0;
    if (file)
      std::fclose(file);
    return pages * 4;
  };
  const char *text = std::getenv("TILESMITH_KERNELS"); // 10000 by hand
  const int count = text ? std::atoi(text) : 300;
  long early = 0;
  for (int i = 0; i < count; ++i) {
    auto program = compile(neighbour(true));
    ASSERT_TRUE(program);
    std::vector<int32_t> out(64);
    declare(*program, out, "out");
    LaunchConfig launch = config(1, 64, kSchedules[i % 3], i);
    launch.dynamicSharedBytes = 256;
    launch.detectRaces = true;
    ASSERT_TRUE(program->launch("neighbour", launch, {argument(out.data())}).ok());
    if (i == count / 3)
      early = resident();
  }
  EXPECT_LT(resident(), early + 8 * 1024 + count) << "KiB";
}

} // namespace
} // namespace tilesmith::emulator
