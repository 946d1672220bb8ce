//===- SassAsyncTest.cpp - barriers that copies arrive at -------------------------------------===//
//
// Asynchronous copies of each lane that arrive at a barrier in shared memory (`cp.async.mbarrier.arrive`), and boxes by
// a tensor map, for one block or for those of a mask: what PTX says is there when the barrier's phase has ended.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/devices/sass/Execute.h"
#include "oracles/devices/sass/Instruction.h"
#include "oracles/devices/sass/Sass.h"
#include "oracles/devices/sass/SassTestSupport.h"
#include "oracles/devices/sass/SassWords.h"

#include "llvm/Support/FormatVariadic.h"

#include "gmock/gmock.h"

using namespace tilesmith;
using namespace tilesmith::sass;

namespace {

constexpr unsigned kColumns = 16, kRows = 8;

/// A copy of each lane, and the end of the phase that it belongs to.
std::string phase(const char *counted, const char *label) {
  return llvm::formatv(
      false,
      "cp.async.ca.shared.global [%c], [%in], 16;\n"
      "cp.async.mbarrier.arrive{0}.shared.b64 [%b]; mbarrier.arrive.shared.b64 %w, [%b];\n"
      "{1}: mbarrier.test_wait.shared.b64 %p, [%b], %w; @!%p bra {1};\n",
      counted, label);
}

/// `to`: 32 words; `in`: 32 words of 16 bytes, or a tensor map.
std::string text(llvm::StringRef gpu) {
  std::string text = llvm::formatv(".version 8.6\n.target {0}\n.address_size 64\n", gpu);
  static constexpr const char *kHead =
      ".visible .entry {0}(.param .u64 to, .param .u64 in) .maxntid 32 {{\n"
      ".shared .align 128 .b8 box[512]; .shared .align 8 .b64 bar; .reg .b64 %a, %in, %w;\n"
      ".reg .b32 %t, %s, %b, %v, %c, %x, %y; .reg .b16 %m; .reg .pred %p, %first;\n"
      "ld.param.u64 %a, [to]; ld.param.u64 %in, [in]; mov.u32 %t, %tid.x; mov.u32 %s, box;\n"
      "mov.u32 %b, bar; mad.wide.u32 %a, %t, 4, %a; setp.eq.u32 %first, %t, 0;\n"
      "@%first mbarrier.init.shared.b64 [%b], {1};\nbar.sync 0;\n";
  // Each lane copies 16 bytes and reads of its neighbour's; its own arrival is the second one, if the copies' is counted.
  for (const char *counted : {".noinc", ""})
    text += llvm::formatv(false, kHead, *counted ? "copied" : "counted", *counted ? 64 : 32).str() +
            "mad.wide.u32 %in, %t, 16, %in; mad.lo.u32 %c, %t, 16, %s;\n" +
            phase(counted, "FIRST") + phase(counted, "SECOND") +
            "xor.b32 %c, %t, 1; mad.lo.u32 %c, %c, 16, %s; ld.shared.b32 %v, [%c+4];\n"
            "st.global.b32 [%a], %v; bar.sync 0; @%first mbarrier.inval.shared.b64 [%b]; ret; }\n";
  // A box of 4 columns and 8 rows from (10, 3) on.
  for (const char *mask : {"", ".multicast::cluster"})
    if (gpu != "sm_80")
      text +=
          llvm::formatv(false, kHead, *mask ? "told" : "box", 1).str() +
          "mov.b32 %x, 10; mov.b32 %y, 3; mov.b16 %m, 1; @!%first bra WAIT; fence.proxy.async;\n"
          "mbarrier.arrive.expect_tx.shared.b64 _, [%b], 128;\n"
          "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes" +
          mask + " [%s], [%in, {%x, %y}], [%b]" + (*mask ? ", %m" : "") +
          ";\nWAIT: mbarrier.try_wait.parity.shared.b64 %p, [%b], 0; @!%p bra WAIT;\n"
          "mad.lo.u32 %c, %t, 4, %s; ld.shared.b32 %v, [%c]; st.global.b32 [%a], %v; ret; }\n";
  return text;
}

/// A matrix of 32-bit numbers, in boxes of 4 by 8.
std::array<uint8_t, 128> mapOf(const std::vector<uint32_t> &matrix) {
  std::array<uint8_t, 128> map{};
  auto put = [&map](unsigned at, uint32_t word) { std::memcpy(&map[at], &word, 4); };
  const uint32_t *address = matrix.data();
  std::memcpy(map.data(), &address, 8);
  put(8, 1u << 4 | 2u << 7); // rank 2, elements of u32
  put(0x0c, kColumns * 4 >> 4);
  put(0x20, kColumns - 1), put(0x24, kRows - 1);
  put(0x34, 3u << 24), put(0x38, 7);
  return map;
}

std::vector<std::string> check(llvm::ArrayRef<uint8_t> cubin) {
  auto program = Program::create(cubin);
  if (!program)
    return {llvm::toString(program.takeError())};
  std::vector<std::string> wrong;
  for (const std::string &kernel : (*program)->kernels())
    for (bool late : {false, true}) {
      const bool isBox = kernel == "box" || kernel == "told";
      std::vector<uint32_t> in(kColumns * kRows), out(32);
      for (unsigned n = 0; n < in.size(); ++n)
        in[n] = 1000 + n;
      alignas(64) std::array<uint8_t, 128> map = mapOf(in);
      (*program)->clearRanges();
      (*program)->addRange(in.data(), in.size() * 4, "in");
      (*program)->addRange(map.data(), map.size(), "map");
      (*program)->addRange(out.data(), out.size() * 4, "out");
      LaunchConfig config;
      config.block = {32, 1, 1};
      config.maxInstructions = 100'000;
      config.lateCopies = late;
      const void *source = isBox ? static_cast<const void *>(map.data()) : in.data();
      const Report report =
          (*program)->launch(kernel, config, {argument(out.data()), argument(source)});
      if (!report.ok())
        wrong.push_back(kernel + ": " + report.message);
      for (unsigned lane = 0; report.ok() && lane < 32; ++lane) {
        const unsigned row = 3 + lane / 4, column = 10 + lane % 4;
        const uint32_t want = !isBox        ? in[4 * (lane ^ 1) + 1]
                              : row < kRows ? in[row * kColumns + column]
                                            : 0;
        if (out[lane] != want) {
          wrong.push_back(llvm::formatv("{0}, lane {1}: expected {2}, found {3}", kernel, lane,
                                        want, out[lane]));
          break;
        }
      }
    }
  return wrong;
}

void expectRight(llvm::ArrayRef<uint8_t> cubin) {
  EXPECT_THAT(check(cubin), testing::IsEmpty());
}

constexpr const char *kChips[] = {"sm_80", "sm_90", "sm_100"};
std::string storedOf(llvm::StringRef gpu) {
  return ("async." + gpu + ".O3.cubin").str();
}

TEST(SassAsyncTest, WhatCopiesArriveAtIsThere) {
  if (const std::string why = whyNoPtxas("sm_100"); !why.empty())
    GTEST_SKIP() << why;
  for (const char *gpu : kChips)
    checkAtBothLevels(text(gpu), gpu, storedOf(gpu), expectRight);
}

TEST(SassAsyncTest, StoredCubinsRunWithoutCuda) {
  for (const char *gpu : kChips)
    expectRight(readBytes(corpusFile(storedOf(gpu))));
}

TEST(SassAsyncTest, AWrongFunctionInARowShows) {
  struct Planted {
    const char *name, *what, *gpu;
    Execute wrong;
  };
  const Planted kPlanted[] = {
      {"ARRIVES.LDGSTSBAR.64", "nobody arrives", "sm_80", [](Warp &, const Instruction &) {}},
      {"ARRIVES.LDGSTSBAR.64", "arrivals that are not counted", "sm_90",
       executeChanged<executeArrivesLdgsts90, [](Instruction &j) { j.mods[0] = 2; }>},
      {"ATOMS.ARRIVE.64", "nobody arrives", "sm_80", [](Warp &, const Instruction &) {}},
      {"UTMALDG", "nothing is copied", "sm_100", [](Warp &, const Instruction &) {}},
  };
  for (const Planted &planted : kPlanted) {
    PlantedRow row(planted.name, planted.wrong);
    EXPECT_THAT(check(readBytes(corpusFile(storedOf(planted.gpu)))),
                testing::Not(testing::IsEmpty()))
        << planted.name << ": " << planted.what;
  }
}

} // namespace
