//===- Tcgen05Test.cpp - tcgen05.mma of every kind, against plain sums ------------------------===//
//
// The test writes the operand tiles in the layouts of the PTX ISA by formulas of its own, spells
// the descriptors from the PTX tables, multiplies twice (the second time onto the first sums) and
// reads D by rows of 32 bits. Data are small integers, so every result is exact.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/devices/emulator/Numeric.h"
#include "oracles/devices/emulator/TestKernels.h"

#include "llvm/Support/FormatVariadic.h"

#include <cmath>

namespace tilesmith::emulator {
namespace {

struct Type {
  const char *name;
  int bytes, kind, code;                             // code: in the instruction descriptor
  const Format *format;                              // null: integers
  bool isPacked() const { return format == &kE2M1; } // two to a byte
  int depth() const { return isPacked() ? 64 : 32 / bytes; }
};
constexpr Type kF16Type{"f16", 2, 0, 0, &kF16}, kBF16Type{"bf16", 2, 0, 1, &kBF16},
    kTF32Type{"tf32", 4, 1, 2, &kF32}, kE4M3Type{"e4m3", 1, 2, 0, &kE4M3},
    kE5M2Type{"e5m2", 1, 2, 1, &kE5M2}, kU8Type{"u8", 1, 3, 0, nullptr},
    kS8Type{"s8", 1, 3, 1, nullptr}, kE2M1Type{"e2m1", 1, 4, 1, &kE2M1};

/// Scales of a row (or column of B) that an instruction reads, of neighbours along K.
struct Scaling {
  const char *intrinsic;
  int vectors;
  bool areNumbers = false; ///< e4m3, else powers of two
};
constexpr Scaling kMxf8{"mxf8f6f4.block_scale", 1}, kMxf8Sized{"mxf8f6f4.block_scale.block32", 1},
    kMxf4{"mxf4.block_scale", 2}, kMxf4Sized{"mxf4.block_scale.block32", 2},
    kNvf4By32{"mxf4nvf4.block_scale.block32", 2}, kNvf4By16{"mxf4nvf4.block_scale.block16", 4},
    kNvf4Numbers{"mxf4nvf4.block_scale.block16", 4, true};

struct Case {
  Type a, b;
  int sum; // code of D's type: 0 f16, 1 f32, 2 s32
  int m, n, swizzle;
  bool transposesA = false, transposesB = false, aInTensor = false;
  const Scaling *scaling = nullptr;
  int scaleByte = 0; // of A's words, the first; B's come behind them, or at the start
  int scaleByteOfB() const { return (scaleByte + scaling->vectors) % 4; }
};

constexpr int kSharedB = 32768, kTileBytes = 65536;
/// Scales of A in columns 400 to 403 of tensor memory, of B in 408 to 415.
constexpr int kSharedScales = 49152, kScaleBytes = 512;

/// The two products; scales are copied to tensor memory first.
std::string products(const Case &c, uint32_t instruction) {
  std::string code;
  const bool scaled = c.scaling;
  const char *a = c.aInTensor ? "ptr addrspace(6) %ap" : "i64 %a";
  const char *space = c.aInTensor ? "tensor" : "shared";
  for (int piece = 0; scaled && piece < 3; ++piece)
    code += llvm::formatv(R"(
  %sb{0} = add i64 %low, {1}
  %sc{0} = lshr i64 %sb{0}, 4
  %sd{0} = or i64 %sc{0}, {2}
  %st{0} = add i32 %d, {3}
  %sp{0} = inttoptr i32 %st{0} to ptr addrspace(6)
  call void @llvm.nvvm.tcgen05.cp.32x128b_warpx4.cg1(ptr addrspace(6) %sp{0}, i64 %sd{0})
)",
                          piece, kSharedScales + kScaleBytes * piece,
                          uint64_t{1} << 46 | uint64_t{8} << 32, piece ? 404 + 4 * piece : 400);
  for (bool accumulates : {false, true})
    code += scaled ? llvm::formatv("  call void @llvm.nvvm.tcgen05.mma.{0}.{4}(ptr "
                                   "addrspace(6) %dp, {1}, i64 %b, i32 {2}, i1 {3}, ptr "
                                   "addrspace(6) %sp0, ptr addrspace(6) %sp1, i32 1, i32 0)\n",
                                   space, a, instruction, accumulates ? "true" : "false",
                                   c.scaling->intrinsic)
                         .str()
                   : llvm::formatv("  call void @llvm.nvvm.tcgen05.mma.{0}(ptr addrspace(6) %dp, "
                                   "{1}, i64 %b, i32 {2}, i1 {3}, i32 {4}, i32 1, i32 0)\n",
                                   space, a, instruction, accumulates ? "true" : "false", c.a.kind)
                         .str();
  return code;
}

/// All 128 threads copy the tiles, warp 0 allocates, thread 0 multiplies, every warp reads its rows.
std::string kernel(const Case &c, uint64_t a, uint64_t b, uint32_t instruction) {
  std::string loads;
  for (int column = 0; column < c.n; column += 8)
    loads += llvm::formatv(R"(
  %q{0} = add i32 %mine, {0}
  %t{0} = inttoptr i32 %q{0} to ptr addrspace(6)
  %v{0} = call <8 x i32> @llvm.nvvm.tcgen05.ld.32x32b.x8(ptr addrspace(6) %t{0}, i1 false)
  call void @llvm.nvvm.tcgen05.wait.ld()
  %o{0} = add i32 %place, {0}
  %p{0} = getelementptr i32, ptr addrspace(1) %out, i32 %o{0}
  store <8 x i32> %v{0}, ptr addrspace(1) %p{0}, align 4
)",
                           column);
  return llvm::formatv(R"(
declare void @llvm.nvvm.fence.proxy.async.shared_cta()
declare <8 x i32> @llvm.nvvm.tcgen05.ld.32x32b.x8(ptr addrspace(6), i1)
declare void @llvm.nvvm.tcgen05.st.32x32b.x8(ptr addrspace(6), <8 x i32>, i1)
@tiles = internal addrspace(3) global [16384 x i32] poison, align 1024
@where = internal addrspace(3) global i32 poison
@done = internal addrspace(3) global i64 poison, align 8
define ptx_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %rows, ptr addrspace(1) %out) {{
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = lshr i32 %t, 5
  %warp0 = icmp eq i32 %w, 0
  br i1 %warp0, label %alloc, label %begin
alloc:
  call void @llvm.nvvm.tcgen05.alloc.shared.cg1(ptr addrspace(3) @where, i32 512)
  br label %begin
begin:
  br label %copy
copy:
  %i = phi i32 [%t, %begin], [%j, %copy]
  %p = getelementptr i32, ptr addrspace(1) %in, i32 %i
  %s = getelementptr i32, ptr addrspace(3) @tiles, i32 %i
  %word = load i32, ptr addrspace(1) %p
  store i32 %word, ptr addrspace(3) %s
  %j = add i32 %i, 128
  %more = icmp ult i32 %j, 16384
  br i1 %more, label %copy, label %go
go:
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  %first = icmp eq i32 %t, 0
  br i1 %first, label %init, label %ready
init:
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) @done, i32 1)
  br label %ready
ready:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %d = load i32, ptr addrspace(3) @where
  %lanes = shl i32 %w, 21
  %mine = add i32 %d, %lanes
  %am = add i32 %mine, 300
  %amp = inttoptr i32 %am to ptr addrspace(6)
  %rowAt = mul i32 %t, 8
  %rowp = getelementptr i32, ptr addrspace(1) %rows, i32 %rowAt
  %row = load <8 x i32>, ptr addrspace(1) %rowp, align 4
  call void @llvm.nvvm.tcgen05.st.32x32b.x8(ptr addrspace(6) %amp, <8 x i32> %row, i1 false)
  call void @llvm.nvvm.tcgen05.wait.st()
  call void @llvm.nvvm.tcgen05.fence.before.thread.sync()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  call void @llvm.nvvm.tcgen05.fence.after.thread.sync()
  br i1 %first, label %multiply, label %wait
multiply:
  %dp = inttoptr i32 %d to ptr addrspace(6)
  %base = ptrtoint ptr addrspace(3) @tiles to i64
  %low = and i64 %base, 262143
  %a0 = lshr i64 %low, 4
  %a = or i64 %a0, {0}
  %b0 = add i64 %low, {3}
  %b1 = lshr i64 %b0, 4
  %b = or i64 %b1, {1}
  %ta = add i32 %d, 300
  %ap = inttoptr i32 %ta to ptr addrspace(6)
  {2}
  call void @llvm.nvvm.tcgen05.commit.shared.cg1(ptr addrspace(3) @done)
  br label %wait
wait:
  %ok = call i1 @llvm.nvvm.mbarrier.try.wait.parity.scope.cta.space.cta(ptr addrspace(3) @done, i32 0)
  br i1 %ok, label %read, label %wait
read:
  call void @llvm.nvvm.tcgen05.fence.after.thread.sync()
  %place = mul i32 %t, 256
)",
                       a, b, products(c, instruction), kSharedB)
             .str() +
         loads + R"(
  call void @llvm.nvvm.tcgen05.fence.before.thread.sync()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %warp0, label %free, label %end
free:
  %all = inttoptr i32 %d to ptr addrspace(6)
  call void @llvm.nvvm.tcgen05.fence.after.thread.sync()
  call void @llvm.nvvm.tcgen05.dealloc.cg1(ptr addrspace(6) %all, i32 512)
  br label %end
end:
  ret void
}
)";
}

uint32_t bitsOf(const Type &type, int value) {
  if (!type.format)
    return value & 0xff;
  return type.bytes == 4 ? __builtin_bit_cast(uint32_t, static_cast<float>(value))
                         : encode(value, *type.format);
}

/// 32-bit elements that are not contiguous along K.
bool isCoarse(const Type &type, bool transposes) {
  return transposes && type.bytes == 4;
}

/// Byte of (row or column `outer`, depth `k`), from the PTX ISA's canonical layouts.
int placeOf(const Type &type, int swizzle, bool transposes, int outer, int k) {
  const int along = (transposes ? outer : k) * type.bytes, across = transposes ? k : outer;
  if (swizzle == 0) // 8 lines of 16 bytes follow each other; 16-byte pieces, then groups of lines
    return transposes ? along / 16 * (32 / type.bytes * 16) + across / 8 * 128 + across % 8 * 16 +
                            along % 16
                      : across / 8 * 256 + along / 16 * 128 + across % 8 * 16 + along % 16;
  const int lines = transposes ? 32 / type.bytes : 256; // of a panel
  const int line = along / swizzle * lines + across, piece = along % swizzle / 16;
  if (isCoarse(type, transposes)) // pieces of 32 bytes, permuted among four lines
    return line * 128 + (along % 128 / 32 ^ line % 4) * 32 + along % 32;
  const int permuted = piece ^ (line * swizzle / 128 % (swizzle / 16));
  return line * swizzle + permuted * 16 + along % 16;
}

uint64_t descriptorOf(const Type &type, int swizzle, bool transposes) {
  const uint64_t mode = isCoarse(type, transposes) ? 1
                        : swizzle == 128           ? 2
                        : swizzle == 64            ? 4
                        : swizzle == 32            ? 6
                                                   : 0;
  const uint64_t panel = 32 / type.bytes * swizzle;
  const uint64_t leading = swizzle == 0 ? 128 : transposes ? panel : 16;
  const uint64_t stride = isCoarse(type, transposes) ? 4 * 128
                          : swizzle                  ? 8 * swizzle
                          : transposes               ? 32 / type.bytes * 16
                                                     : 256;
  return (leading >> 4) << 16 | (stride >> 4) << 32 | uint64_t{1} << 46 | mode << 61;
}

/// Writes element `p` of a row; `byteAt`: where the bytes of one begin.
void put(const Type &type, int p, int value, llvm::function_ref<uint8_t &(int)> byteAt) {
  const uint32_t bits = bitsOf(type, value);
  if (type.isPacked())
    byteAt(p / 2) |= bits << 4 * (p % 2);
  else
    std::memcpy(&byteAt(p), &bits, type.bytes);
}

/// The factor of a row of A or column of B (operand 1), for a run of neighbours along K.
double factorOf(const Scaling &scaling, int row, int operand, int vector) {
  constexpr double kNumbers[] = {0.5, 3, 1, 1.5, 2};
  const int choice = (row * (3 + operand) + row / 32 + 2 * vector) % 5;
  return scaling.areNumbers ? kNumbers[choice] : std::ldexp(1.0, choice - 2);
}

/// 2^100 in the bytes that nobody reads.
void putScales(const Case &c, uint8_t *memory) {
  for (int row = 0; row < 384; ++row)
    for (int byte = 0; byte < 4; ++byte) {
      const int operand = row >= 128, at = row % 128;
      const int vector = byte - (operand ? c.scaleByteOfB() : c.scaleByte);
      uint8_t bits = 227;
      if (vector >= 0 && vector < c.scaling->vectors) {
        const double factor = factorOf(*c.scaling, operand ? row - 128 : row, operand, vector);
        bits = static_cast<uint8_t>(c.scaling->areNumbers ? encode(factor, kE4M3)
                                                          : 127 + std::ilogb(factor));
      }
      memory[row / 128 * kScaleBytes + at % 32 * 16 + at / 32 * 4 + byte] = bits;
    }
}

void check(const Case &c) {
  SCOPED_TRACE(llvm::formatv("{0} x {1}, sums {2}, m {3}, n {4}, swizzle {5}, transposes {6}{7}, A "
                             "in tensor memory {8}, {9} from byte {10} on",
                             c.a.name, c.b.name, c.sum, c.m, c.n, c.swizzle, c.transposesA,
                             c.transposesB, c.aInTensor, c.scaling ? c.scaling->intrinsic : "",
                             c.scaleByte)
                   .str());
  auto isUnsigned = [](const Type &type) { return type.kind == 3 && type.code == 0; };
  auto valueA = [&](int row, int p) { return (row * 3 + p * 5) % 7 - (isUnsigned(c.a) ? 0 : 3); };
  auto valueB = [&](int column, int p) {
    return (column * 2 + p * 3) % 5 - (isUnsigned(c.b) ? 0 : 2);
  };
  const int k = c.a.depth();
  std::vector<uint8_t> memory(kTileBytes);
  std::vector<uint8_t> rows(128 * 32);
  for (int p = 0; p < k; ++p) {
    for (int row = 0; row < c.m; ++row) {
      const int lane = c.m == 128 ? row : row % 16 + row / 16 * 32;
      put(c.a, p, valueA(row, p), [&](int at) -> uint8_t & {
        return memory[placeOf(c.a, c.swizzle, c.transposesA, row, at)];
      });
      put(c.a, p, valueA(row, p),
          [&](int at) -> uint8_t & { return rows[32 * lane + at * c.a.bytes]; });
    }
    for (int column = 0; column < c.n; ++column)
      put(c.b, p, valueB(column, p), [&](int at) -> uint8_t & {
        return memory[kSharedB + placeOf(c.b, c.swizzle, c.transposesB, column, at)];
      });
  }
  uint32_t type = static_cast<uint32_t>(c.sum << 4);
  if (c.scaling) {
    putScales(c, memory.data() + kSharedScales);
    type = uint32_t{!c.scaling->areNumbers} << 23 | c.scaleByte << 29 | c.scaleByteOfB() << 4;
  }
  const uint32_t instruction = type | c.a.code << 7 | c.b.code << 10 | c.transposesA << 15 |
                               c.transposesB << 16 | c.n / 8 << 17 | c.m / 16 << 24;
  auto program = compile(kernel(c, descriptorOf(c.a, c.swizzle, c.transposesA),
                                descriptorOf(c.b, c.swizzle, c.transposesB), instruction));
  ASSERT_TRUE(program);
  std::vector<uint32_t> out(128 * 256);
  declare(*program, memory, "in");
  declare(*program, rows, "rows");
  declare(*program, out, "out");
  for (AsyncCompletion async : {AsyncCompletion::Eager, AsyncCompletion::Lazy}) {
    LaunchConfig launch = config(1, 128);
    launch.detectRaces = true;
    launch.async = async;
    const Report report = program->launch(
        "k", launch, {argument(memory.data()), argument(rows.data()), argument(out.data())});
    ASSERT_TRUE(report.ok()) << report.message;
    int wrong = 0;
    for (int row = 0; row < c.m; ++row)
      for (int column = 0; column < c.n; ++column) {
        double sum = 0;
        for (int p = 0; p < k; ++p) {
          double product = 2 * valueA(row, p) * valueB(column, p);
          if (const int vector = c.scaling ? p * c.scaling->vectors / k : 0; c.scaling)
            product *=
                factorOf(*c.scaling, row, 0, vector) * factorOf(*c.scaling, column, 1, vector);
          sum += product;
        }
        const int lane = c.m == 128 ? row : row / 16 * 32 + row % 16;
        const uint32_t found = out[256 * lane + column];
        const double value = c.sum == 0   ? decode(found, kF16)
                             : c.sum == 1 ? __builtin_bit_cast(float, found)
                                          : static_cast<int32_t>(found);
        wrong += value != sum;
      }
    EXPECT_EQ(wrong, 0);
  }
}

TEST(Tcgen05, MultipliesEveryKind) {
  for (int swizzle : {0, 32, 64, 128}) {
    check({kF16Type, kF16Type, 1, 128, 64, swizzle});
    check({kTF32Type, kTF32Type, 1, 128, 32, swizzle});
    check({kE4M3Type, kE5M2Type, 1, 128, 32, swizzle});
    check({kF16Type, kF16Type, 1, 128, 128, swizzle, true, true});
    check({kS8Type, kU8Type, 2, 128, 128, swizzle, true, true});
  }
  check({kBF16Type, kBF16Type, 1, 128, 256, 128});
  check({kF16Type, kF16Type, 0, 64, 8, 128});
  check({kBF16Type, kBF16Type, 1, 64, 64, 128, false, true});
  check({kU8Type, kS8Type, 2, 64, 24, 64});
  check({kS8Type, kS8Type, 2, 128, 48, 128});
  check({kE5M2Type, kE5M2Type, 0, 64, 16, 128});
  check({kF16Type, kF16Type, 1, 128, 16, 128, false, false, true});
  check({kF16Type, kF16Type, 1, 64, 16, 128, false, false, true});
  check({kTF32Type, kTF32Type, 1, 128, 16, 128, false, false, true});
  check({kTF32Type, kTF32Type, 1, 128, 64, 128, true, true});
  check({kTF32Type, kTF32Type, 1, 64, 128, 128, false, true});
}

TEST(Tcgen05, MultipliesByScales) {
  for (int byte = 0; byte < 4; ++byte)
    check({kE4M3Type, kE5M2Type, 1, 128, 256, 32, false, false, false, &kMxf8, byte});
  check({kE5M2Type, kE4M3Type, 1, 128, 32, 64, false, false, false, &kMxf8Sized, 2});
  check({kE4M3Type, kE4M3Type, 1, 128, 16, 128, false, false, true, &kMxf8, 1});
}

TEST(Tcgen05, MultipliesNumbersOfFourBits) {
  for (int swizzle : {0, 32, 64, 128})
    for (int byte : {0, 2})
      check({kE2M1Type, kE2M1Type, 1, 128, 64, swizzle, false, false, false, &kMxf4, byte});
  check({kE2M1Type, kE2M1Type, 1, 128, 16, 32, false, false, true, &kMxf4Sized, 2});
  check({kE2M1Type, kE2M1Type, 1, 128, 32, 64, false, false, false, &kNvf4By32, 2});
  check({kE2M1Type, kE2M1Type, 1, 128, 128, 128, false, false, false, &kNvf4By16, 0});
  check({kE2M1Type, kE2M1Type, 1, 128, 256, 64, false, false, false, &kNvf4Numbers, 0});
  check({kE2M1Type, kE2M1Type, 1, 128, 32, 128, false, false, true, &kNvf4Numbers, 0});
}

} // namespace
} // namespace tilesmith::emulator
