//===- SassLeastTest.cpp - the least and the largest, beside loads and of integers ------------===//
//
// What only sm_103 and sm_110 have: loads of tensor memory that also say the least or largest of
// each lane (LDTM.STAT), and IMNMX in the place of VIMNMX. PTX becomes machine code by ptxas; the
// cubin for sm_110 is stored in corpus/sass and always run.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/devices/sass/Execute.h"
#include "oracles/devices/sass/Instruction.h"
#include "oracles/devices/sass/Sass.h"
#include "oracles/devices/sass/SassTestSupport.h"

#include "llvm/Support/FormatVariadic.h"

#include "gmock/gmock.h"

#include <bit>
#include <cmath>

using namespace tilesmith;
using namespace tilesmith::sass;

namespace {

constexpr unsigned kColumns = 4;

/// What `tcgen05.ld.red` says of the columns of a lane.
constexpr const char *kStatistics[] = {"max.f32",         "min.f32",         "max.abs.f32",
                                       "min.abs.f32",     "max.NaN.f32",     "min.NaN.f32",
                                       "max.abs.NaN.f32", "min.abs.NaN.f32", "max.u32",
                                       "min.u32",         "max.s32",         "min.s32"};
/// Of a number and of one that the instruction holds itself.
constexpr const char *kIntegers[] = {"min.s32", "max.s32", "min.u32", "max.u32"};
constexpr uint32_t kImmediate = 0x80000005;
constexpr unsigned kResults = std::size(kStatistics) + 2 * std::size(kIntegers);

std::string text(llvm::StringRef gpu) {
  std::string body;
  unsigned at = 0;
  auto store = [&] { body += llvm::formatv("st.global.b32 [%out+{0}], %s;\n", 4 * at++); };
  for (const char *statistic : kStatistics) {
    body +=
        llvm::formatv("tcgen05.ld.red.sync.aligned.32x32b.x4.{0} {{%r0,%r1,%r2,%r3}, %s, [%tm];\n"
                      "tcgen05.wait::ld.sync.aligned;\n"
                      "xor.b32 %x, %r0, %v0; or.b32 %bad, %bad, %x; xor.b32 %x, %r1, %v1; "
                      "or.b32 %bad, %bad, %x;\n"
                      "xor.b32 %x, %r2, %v2; or.b32 %bad, %bad, %x; xor.b32 %x, %r3, %v3; "
                      "or.b32 %bad, %bad, %x;\n",
                      statistic);
    store();
  }
  for (const char *integer : kIntegers) {
    body += llvm::formatv("{0} %s, %v0, %v1;\n", integer), store();
    body += llvm::formatv("{0} %s, %v2, {1};\n", integer, kImmediate), store();
  }
  return llvm::formatv(
      false,
      ".version 9.0\n.target {0}\n.address_size 64\n"
      ".visible .entry k(.param .u64 in, .param .u64 out) .maxntid 32 {{\n"
      ".shared .align 4 .b32 book;\n"
      ".reg .b64 %in, %out, %o; .reg .b32 %r<4>, %v<4>, %id, %tm, %book, %s, %x, %bad;\n"
      "ld.param.u64 %in, [in]; ld.param.u64 %out, [out]; mov.u32 %id, %tid.x; mov.u32 %book, "
      "book;\n"
      "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%book], 32; bar.warp.sync -1;\n"
      "ld.shared.b32 %tm, [%book]; mov.u32 %bad, 0; mul.wide.u32 %o, %id, 16;\n"
      "add.u64 %in, %in, %o; mul.wide.u32 %o, %id, {1}; add.u64 %out, %out, %o;\n"
      "ld.global.v4.b32 {{%v0,%v1,%v2,%v3}, [%in];\n"
      "tcgen05.st.sync.aligned.32x32b.x4.b32 [%tm], {{%v0,%v1,%v2,%v3};\n"
      "tcgen05.wait::st.sync.aligned;\n{2}st.global.b32 [%out+{3}], %bad;\n"
      "tcgen05.dealloc.cta_group::1.sync.aligned.b32 %tm, 32; ret; }\n",
      gpu, 4 * (kResults + 1), body, 4 * kResults);
}

/// Numbers of every kind: signs, zeros of both signs, NaN in some or all columns, infinities.
uint32_t valueOf(unsigned lane, unsigned column) {
  static constexpr uint32_t kValues[] = {0x00000000, 0x80000000, 0x3f800000, 0xbf800000,
                                         0x7f800000, 0xff800000, 0x7fc01234, 0xffffffff,
                                         0x40490fdb, 0xc2c80000, 0x00000001, 0x80000001,
                                         0x7f7fffff, 0x41200000, 0x80000000};
  return lane == 0 ? 0x7fc00000 + column : kValues[(lane * (column + 1) + 4 * column) % 15];
}

/// PTX: a NaN counts only by `.NaN` or where all are one, and is 0x7fffffff; -0 is below +0.
uint32_t expectedStatistic(llvm::StringRef name, unsigned lane) {
  const bool largest = name.starts_with("max"), absolute = name.contains(".abs");
  const bool floats = name.ends_with("f32"), isSigned = name.ends_with("s32");
  std::vector<std::pair<double, uint32_t>> order; // a key and the bits
  bool isNaN = false;
  for (unsigned c = 0; c < kColumns; ++c) {
    const uint32_t bits = valueOf(lane, c) & (absolute ? 0x7fffffff : ~0u);
    const auto value = std::bit_cast<float>(bits);
    if (floats && std::isnan(value)) {
      isNaN = true;
      continue;
    }
    const double key = floats     ? bits == 0x80000000 ? -1e-300 : double(value)
                       : isSigned ? double(static_cast<int32_t>(bits))
                                  : double(bits);
    order.emplace_back(key, bits);
  }
  if (order.empty() || (isNaN && name.contains("NaN")))
    return 0x7fffffff;
  return largest ? std::max_element(order.begin(), order.end())->second
                 : std::min_element(order.begin(), order.end())->second;
}

uint32_t expectedInteger(llvm::StringRef name, uint32_t a, uint32_t b) {
  const bool below =
      name.ends_with("s32") ? static_cast<int32_t>(a) < static_cast<int32_t>(b) : a < b;
  return below == name.starts_with("min") ? a : b;
}

std::vector<std::string> wrongOf(llvm::ArrayRef<uint8_t> cubin) {
  auto program = Program::create(cubin);
  if (!program)
    return {llvm::toString(program.takeError())};
  std::vector<uint32_t> in(32 * kColumns), out(32 * (kResults + 1), 0xdddddddd);
  for (unsigned n = 0; n < in.size(); ++n)
    in[n] = valueOf(n / kColumns, n % kColumns);
  (*program)->addRange(in.data(), in.size() * 4, "in");
  (*program)->addRange(out.data(), out.size() * 4, "out");
  LaunchConfig config;
  config.block = {32, 1, 1};
  config.maxInstructions = 100'000;
  const Report report =
      (*program)->launch("k", config, {argument(in.data()), argument(out.data())});
  if (!report.ok())
    return {report.message};
  std::vector<std::string> wrong;
  for (unsigned lane = 0; lane < 32; ++lane) {
    const uint32_t *found = &out[lane * (kResults + 1)];
    auto compare = [&](llvm::StringRef name, uint32_t expected) {
      if (*found++ != expected)
        wrong.push_back(llvm::formatv("{0}, lane {1}: expected {2:x}, found {3:x}", name, lane,
                                      expected, found[-1]));
    };
    for (const char *name : kStatistics)
      compare(name, expectedStatistic(name, lane));
    for (const char *name : kIntegers) {
      compare(name, expectedInteger(name, valueOf(lane, 0), valueOf(lane, 1)));
      compare(name, expectedInteger(name, valueOf(lane, 2), kImmediate));
    }
    compare("what was loaded beside it", 0);
  }
  return wrong;
}

void expectRight(llvm::ArrayRef<uint8_t> cubin) {
  EXPECT_THAT(wrongOf(cubin), testing::IsEmpty());
}

constexpr const char *kStored = "least.sm_110.O3.cubin";

TEST(SassLeastTest, StatisticsAndIntegersAreWhatPtxSays) {
  checkAtBothLevels(text("sm_110a"), "sm_110a", kStored, expectRight);
}
TEST(SassLeastTest, ForTheOtherChipToo) {
  checkAtBothLevels(text("sm_103a"), "sm_103a", "least.sm_103.O3.cubin", expectRight);
}
TEST(SassLeastTest, StoredCubinRunsWithoutCuda) {
  expectRight(readBytes(corpusFile(kStored)));
}

// Each row with a wrong function: the stored cubin must show it.
TEST(SassLeastTest, AWrongFunctionInARowShows) {
  static constexpr std::pair<const char *, Execute> kPlanted[] = {
      {"LDTM.STAT",
       [](Warp &w, const Instruction &i) { // -0 and NaN as if they were any number
         Instruction j = i;
         j.mods[3] ^= 2;
         i.execute == executeLoadTensorStatistic ? executeLoadTensorStatistic(w, j)
                                                 : executeLoadTensorStatisticInteger(w, j);
       }},
      {"IMNMX",
       [](Warp &w, const Instruction &i) { // without its sign
         Instruction j = i;
         j.mods[0] ^= 1;
         executeImnmx(w, j);
       }},
  };
  for (auto [name, wrong] : kPlanted) {
    PlantedRow planted(name, wrong);
    EXPECT_THAT(wrongOf(readBytes(corpusFile(kStored))), testing::Not(testing::IsEmpty())) << name;
  }
}

} // namespace
