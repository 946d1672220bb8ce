//===- SassBlockScaleTest.cpp - warp products with scales of blocks (sm_120) ------------------===//
//
// QMMA.SF and OMMA.SF: every type of operands and scales, and selectors that take the scales from every byte
// and from every lane of a group. All bytes of all lanes are scales of their own, so that one taken
// from elsewhere shows. Every form comes of PTX whose value the host computes, through ptxas at two levels.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/devices/sass/Execute.h"
#include "oracles/devices/sass/Machine.h"
#include "oracles/devices/sass/Sass.h"
#include "oracles/devices/sass/SassTestSupport.h"

#include "llvm/Support/FormatVariadic.h"

#include "gmock/gmock.h"

#include <cmath>

using namespace tilesmith;
using namespace tilesmith::sass;

namespace {

constexpr const char *kStored = "scales.sm_120.O3.cubin";

struct Kind {
  const char *kind, *a, *b, *scales;
  unsigned vector; ///< scales of a row
  bool isPacked() const { return a == llvm::StringRef("e2m1"); }
  unsigned depth() const { return isPacked() ? 64 : 32; }
};
constexpr Kind kKinds[] = {
    {"mxf8f6f4", "e4m3", "e4m3", "ue8m0", 1}, {"mxf8f6f4", "e5m2", "e4m3", "ue8m0", 1},
    {"mxf8f6f4", "e4m3", "e5m2", "ue8m0", 1}, {"mxf8f6f4", "e5m2", "e5m2", "ue8m0", 1},
    {"mxf4", "e2m1", "e2m1", "ue8m0", 2},     {"mxf4nvf4", "e2m1", "e2m1", "ue8m0", 2},
    {"mxf4nvf4", "e2m1", "e2m1", "ue4m3", 4}};

/// Of A and of B: the first byte, and which of the lanes.
struct Selector {
  unsigned byteA, lanesA, byteB, lanesB;
};
constexpr Selector kSelectors[] = {{0, 0, 0, 0}, {1, 1, 2, 3}, {3, 0, 1, 2}, {2, 1, 3, 1}};

Selector selectorOf(const Kind &kind, const Selector &s) {
  return {s.byteA & ~(kind.vector - 1), s.lanesA, s.byteB & ~(kind.vector - 1), s.lanesB};
}

std::string nameOf(size_t kind, size_t selector) {
  return llvm::formatv("k{0}_{1}", kind, selector).str();
}

std::string text() {
  std::string text = ".version 8.7\n.target sm_120a\n.address_size 64\n";
  for (auto [n, kind] : llvm::enumerate(kKinds))
    for (auto [m, selector] : llvm::enumerate(kSelectors)) {
      const Selector s = selectorOf(kind, selector);
      text += llvm::formatv(
          false,
          ".visible .entry {0}(.param .u64 in) .maxntid 32 {{\n"
          ".reg .b64 %p; .reg .b32 %t, %a<4>, %b<2>, %s<2>, %c<4>; ld.param.u64 %p, [in];\n"
          "mov.u32 %t, %tid.x; mad.wide.u32 %p, %t, 48, %p;\n"
          "ld.global.v4.b32 {{%a0, %a1, %a2, %a3}, [%p];\n"
          "ld.global.v4.b32 {{%b0, %b1, %s0, %s1}, [%p+16];\n"
          "ld.global.v4.b32 {{%c0, %c1, %c2, %c3}, [%p+32];\n"
          "mma.sync.aligned.m16n8k{1}.row.col.kind::{2}.block_scale.scale_vec::{3}X.f32.{4}.{5}.f32"
          ".{6} {{%c0, %c1, %c2, %c3}, {{%a0, %a1, %a2, %a3}, {{%b0, %b1}, {{%c0, %c1, %c2, %c3}, "
          "{{%s0}, {{{7}, {8}}, {{%s1}, {{{9}, {10}};\n"
          "st.global.v4.b32 [%p+32], {{%c0, %c1, %c2, %c3}; ret; }\n",
          nameOf(n, m), kind.depth(), kind.kind, kind.vector, kind.a, kind.b, kind.scales, s.byteA,
          s.lanesA, s.byteB, s.lanesB);
    }
  return text;
}

uint32_t encodeElement(llvm::StringRef type, int value) {
  return type == "e2m1" ? emulator::encode(value, emulator::kE2M1) : encodeAs(type, value);
}

/// The byte of a scale, all of which differ between the lanes of a group and the bytes of a word.
double scaleOf(const Kind &kind, bool ofB, unsigned lane, unsigned byte) {
  const unsigned number = (lane % 4 * 4 + byte + lane / 4 + (ofB ? 5 : 0)) % 16;
  return kind.vector == 4 ? number + 1 : std::ldexp(1.0, int(number) - 8);
}
uint32_t scaleBits(const Kind &kind, double scale) {
  return kind.vector == 4 ? emulator::encode(scale, emulator::kE4M3)
                          : uint32_t(127 + std::ilogb(scale));
}

struct Lane {
  uint32_t a[4]{}, b[2]{}, scaleA = 0, scaleB = 0;
  float c[4]{};
};

/// What is wrong; empty when nothing is. With `nan`, no scale of row 3 is a number.
std::string checkProduct(Program &program, size_t n, size_t m, bool nan) {
  const Kind &kind = kKinds[n];
  const Selector s = selectorOf(kind, kSelectors[m]);
  auto valueOfA = [](unsigned row, unsigned k) { return int(row * 5 + k * 3) % 7 - 3; };
  auto valueOfB = [](unsigned k, unsigned column) { return int(k * 2 + column * 4) % 7 - 3; };
  const unsigned width = kind.isPacked() ? 4 : 8, elements = 32 / width;
  auto laneOfRow = [&](unsigned row) { return 4 * (row % 8) + 2 * s.lanesA + row / 8; };
  std::vector<Lane> lanes(32);
  for (unsigned l = 0; l < 32; ++l) {
    Lane &lane = lanes[l];
    for (unsigned e = 0; e < elements; ++e) {
      const unsigned k = l % 4 * elements + e;
      for (unsigned r = 0; r < 4; ++r)
        lane.a[r] |=
            encodeElement(kind.a, valueOfA(l / 4 + 8 * (r & 1), k + 4 * elements * (r >> 1)))
            << (width * e);
      for (unsigned r = 0; r < 2; ++r)
        lane.b[r] |= encodeElement(kind.b, valueOfB(k + 4 * elements * r, l / 4)) << (width * e);
    }
    for (unsigned byte = 0; byte < 4; ++byte) {
      const bool isNaN = nan && l == laneOfRow(3);
      lane.scaleA |= (isNaN ? kind.vector == 4 ? 0x7fu : 0xffu
                            : scaleBits(kind, scaleOf(kind, false, l, byte)))
                     << (8 * byte);
      lane.scaleB |= scaleBits(kind, scaleOf(kind, true, l, byte)) << (8 * byte);
    }
    for (unsigned r = 0; r < 4; ++r)
      lane.c[r] = float(r + 1);
  }
  program.clearRanges();
  program.addRange(lanes.data(), sizeof(Lane) * lanes.size(), "lanes");
  LaunchConfig config;
  config.block = {32, 1, 1};
  const Report report = program.launch(nameOf(n, m), config, {argument(lanes.data())});
  if (!report.ok())
    return report.message;
  for (unsigned l = 0; l < 32; ++l)
    for (unsigned r = 0; r < 4; ++r) {
      const unsigned row = l / 4 + 8 * (r >> 1), column = 2 * (l % 4) + (r & 1);
      double sum = r + 1;
      for (unsigned k = 0; k < kind.depth(); ++k) {
        const unsigned block = k * kind.vector / kind.depth();
        sum += valueOfA(row, k) * valueOfB(k, column) *
               scaleOf(kind, false, laneOfRow(row), s.byteA + block) *
               scaleOf(kind, true, 4 * column + s.lanesB, s.byteB + block);
      }
      const bool right =
          nan && row == 3 ? std::isnan(lanes[l].c[r]) : lanes[l].c[r] == static_cast<float>(sum);
      if (!right)
        return llvm::formatv("{0}: row {1}, column {2}: {3} in place of {4}", nameOf(n, m), row,
                             column, lanes[l].c[r], sum);
    }
  return "";
}

std::vector<std::string> problems(llvm::ArrayRef<uint8_t> cubin) {
  auto program = llvm::cantFail(Program::create(cubin));
  std::vector<std::string> found;
  for (size_t n = 0; n < std::size(kKinds); ++n)
    for (size_t m = 0; m < std::size(kSelectors); ++m)
      for (bool nan : {false, true})
        if (std::string problem = checkProduct(*program, n, m, nan); !problem.empty())
          found.push_back(problem);
  return found;
}

void expectRight(llvm::ArrayRef<uint8_t> cubin) {
  EXPECT_THAT(problems(cubin), testing::IsEmpty());
}

TEST(SassBlockScaleTest, EveryKindAndSelector) {
  checkAtBothLevels(text(), "sm_120a", kStored, expectRight);
}

TEST(SassBlockScaleTest, StoredCubinRunsWithoutCuda) {
  expectRight(readBytes(corpusFile(kStored)));
}

// Each row with a wrong function: the stored cubin must show it.
TEST(SassBlockScaleTest, AWrongFunctionInARowShows) {
  static constexpr Execute kPlanted[] = {
      [](Warp &w, const Instruction &i) { // the scales of A for those of B
        Instruction j = i;
        j.ops[5] = i.ops[4];
        executeBlockScaledMma(w, j);
      },
      [](Warp &w, const Instruction &i) { // always the first byte and lanes
        Instruction j = i;
        j.ops[6].index = kURZ;
        executeBlockScaledMma(w, j);
      },
      [](Warp &w, const Instruction &i) { // operands in each other's place
        Instruction j = i;
        std::swap(j.ops[4], j.ops[5]);
        executeBlockScaledMma(w, j);
      },
  };
  const std::vector<uint8_t> cubin = readBytes(corpusFile(kStored));
  for (const char *name : {"QMMA.SF.16832.F32", "OMMA.SF.16864.F32.E2M1.E2M1"})
    for (Execute wrong : kPlanted) {
      PlantedRow planted(name, wrong);
      EXPECT_THAT(problems(cubin), testing::Not(testing::IsEmpty())) << name;
    }
}

} // namespace
