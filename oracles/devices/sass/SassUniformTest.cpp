//===- SassUniformTest.cpp - what a warp does once: operands that lanes do not agree on, masks ---===//
//
// A copy by the unit for tensor or bulk copies takes uniform registers. Where PTX lets every lane
// name its own operands, ptxas makes a loop: `R2UR P, UR, R` takes one lane's value and tells who
// holds another one, `R2UR.OR` adds to that, and the others take another turn (`BRA.U.ANY`). A mask
// of the blocks that get a copy or are told of finished products may be empty.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/devices/sass/Execute.h"
#include "oracles/devices/sass/Instruction.h"
#include "oracles/devices/sass/Machine.h"
#include "oracles/devices/sass/Sass.h"
#include "oracles/devices/sass/SassTestSupport.h"

#include "llvm/Support/FormatVariadic.h"

#include "gmock/gmock.h"

using namespace tilesmith;
using namespace tilesmith::sass;

namespace {

constexpr unsigned kBoxes = 3, kBoxWords = 8, kColumns = 16, kRows = 8, kPieces = 16;

/// Lanes that copy; the others go around it.
bool copies(unsigned lane) {
  return lane % 5 != 4;
}

std::string text(llvm::StringRef gpu) {
  // Both fill the boxes with `in`, 128 bytes apart.
  static constexpr const char *kFill =
      ".shared .align 128 .b8 box[384]; .reg .b64 %a, %in; .reg .b32 %t, %s, %v, %c, %r, %k;\n"
      ".reg .pred %p; ld.param.u64 %a, [to]; ld.param.u64 %in, [in]; mov.u32 %t, %tid.x;\n"
      "setp.ge.u32 %p, %t, 24; @%p bra FILLED;\n"
      "mad.wide.u32 %in, %t, 4, %in; ld.global.b32 %v, [%in]; mov.u32 %s, box;\n"
      "shr.u32 %r, %t, 3; mad.lo.u32 %s, %r, 128, %s; and.b32 %c, %t, 7;\n"
      "mad.lo.u32 %s, %c, 4, %s; st.shared.b32 [%s], %v;\n"
      "FILLED: fence.proxy.async; bar.sync 0;\n"
      "rem.u32 %r, %t, 5; setp.eq.u32 %p, %r, 4; @%p bra DONE;\n";
  static constexpr const char *kEnd =
      "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;\nDONE: ret; }\n";
  // The first word of `in` where the mask has this block, else the word that was there.
  static constexpr const char *kMasked =
      ".visible .entry masked(.param .u64 to, .param .u64 in, .param .u32 mask) .maxntid 32 {\n"
      ".shared .align 128 .b8 box[16]; .shared .align 8 .b64 bar; .reg .b64 %a, %in;\n"
      ".reg .b32 %t, %s, %b, %v, %k; .reg .b16 %m; .reg .pred %p;\n"
      "ld.param.u64 %a, [to]; ld.param.u64 %in, [in]; ld.param.u32 %k, [mask];\n"
      "cvt.u16.u32 %m, %k; mov.u32 %t, %tid.x; mov.u32 %s, box; mov.u32 %b, bar;\n"
      "setp.ne.u32 %p, %t, 0; @%p bra DONE;\n"
      "mov.b32 %v, 77; st.shared.b32 [%s], %v; mbarrier.init.shared.b64 [%b], 1;\n"
      "fence.proxy.async; mbarrier.arrive.expect_tx.shared.b64 _, [%b], 16;\n"
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster\n"
      "  [%s], [%in], 16, [%b], %m;\n"
      "setp.eq.u32 %p, %k, 0; @%p bra KEEP;\n"
      "WAIT: mbarrier.try_wait.parity.shared.b64 %p, [%b], 0; @!%p bra WAIT;\n"
      "KEEP: ld.shared.b32 %v, [%s]; st.global.b32 [%a], %v;\nDONE: ret; }\n";
  // Whether the barrier is through after products have told the blocks of the mask.
  static constexpr const char *kTold =
      ".visible .entry told(.param .u64 to, .param .u64 in, .param .u32 mask) .maxntid 32 {\n"
      ".shared .align 8 .b64 bar; .reg .b64 %a; .reg .b32 %t, %b, %v, %k; .reg .b16 %m;\n"
      ".reg .pred %p; ld.param.u64 %a, [to]; ld.param.u32 %k, [mask]; cvt.u16.u32 %m, %k;\n"
      "mov.u32 %t, %tid.x; mov.u32 %b, bar; setp.ne.u32 %p, %t, 0; @%p bra DONE;\n"
      "mbarrier.init.shared.b64 [%b], 1;\n"
      "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64\n"
      "  [%b], %m;\n"
      "mbarrier.test_wait.parity.shared.b64 %p, [%b], 0; selp.b32 %v, 1, 0, %p;\n"
      "st.global.b32 [%a], %v;\nDONE: ret; }\n";
  // Four rows of a matrix, of eight words from column 4 on; row 9 is outside of it.
  static constexpr const char *kGathered =
      ".visible .entry gathered(.param .u64 map, .param .u64 to, .param .u32 cut) .maxntid 32 {\n"
      ".shared .align 128 .b8 box[128]; .shared .align 8 .b64 bar; .reg .b64 %m, %a;\n"
      ".reg .b32 %t, %s, %b, %v, %c, %r<4>; .reg .pred %p;\n"
      "ld.param.u64 %m, [map]; ld.param.u64 %a, [to]; ld.param.u32 %c, [cut]; mov.u32 %t, %tid.x;\n"
      "mov.u32 %s, box; mov.u32 %b, bar; setp.ne.u32 %p, %t, 0; @%p bra WAIT;\n"
      "mbarrier.init.shared.b64 [%b], 1; fence.proxy.async;\n"
      "mbarrier.arrive.expect_tx.shared.b64 _, [%b], 128;\n"
      "mov.u32 %r0, 5; mov.u32 %r1, 0; mov.u32 %r2, 9; mov.u32 %r3, 2;\n"
      "cp.async.bulk.tensor.2d.shared::cta.global.tile::gather4.mbarrier::complete_tx::bytes\n"
      "  [%s], [%m, {%c, %r0, %r1, %r2, %r3}], [%b];\n"
      "WAIT: bar.sync 0;\n"
      "AGAIN: mbarrier.try_wait.parity.shared.b64 %p, [%b], 0; @!%p bra AGAIN;\n"
      "mad.lo.u32 %s, %t, 4, %s; ld.shared.b32 %v, [%s]; mad.wide.u32 %a, %t, 4, %a;\n"
      "st.global.b32 [%a], %v; ret; }\n";
  // The same places, from there on; row 9 is left out.
  static constexpr const char *kScattered =
      ".visible .entry scattered(.param .u64 map, .param .u64 in, .param .u32 cut) .maxntid 32 {\n"
      ".shared .align 128 .b8 box[128]; .reg .b64 %m, %a;\n"
      ".reg .b32 %t, %s, %b, %v, %c, %r<4>; .reg .pred %p;\n"
      "ld.param.u64 %m, [map]; ld.param.u64 %a, [in]; ld.param.u32 %c, [cut]; mov.u32 %t, %tid.x;\n"
      "mad.wide.u32 %a, %t, 4, %a; ld.global.b32 %v, [%a]; mov.u32 %s, box;\n"
      "mad.lo.u32 %b, %t, 4, %s; st.shared.b32 [%b], %v; fence.proxy.async; bar.sync 0;\n"
      "setp.ne.u32 %p, %t, 0; @%p bra DONE;\n"
      "mov.u32 %r0, 5; mov.u32 %r1, 0; mov.u32 %r2, 9; mov.u32 %r3, 2;\n"
      "cp.async.bulk.tensor.2d.global.shared::cta.tile::scatter4.bulk_group\n"
      "  [%m, {%c, %r0, %r1, %r2, %r3}], [%s];\n"
      "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;\nDONE: ret; }\n";
  return llvm::formatv(
             false,
             ".version 8.6\n.target {0}\n.address_size 64\n"
             // Lane l: box l % 3 goes to columns 4 (l % 4), row l / 4.
             ".visible .entry boxes(.param .u64 to, .param .u64 in) .maxntid 32 {{\n{1}"
             "mov.u32 %s, box; rem.u32 %r, %t, 3; mad.lo.u32 %s, %r, 128, %s;\n"
             "and.b32 %c, %t, 3; shl.b32 %c, %c, 2; shr.u32 %r, %t, 2;\n"
             "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%a, {{%c, %r}], [%s];\n"
             "{2}"
             // Lanes l and l + 16: 16 or 32 bytes of box l % 3 to place l.
             ".visible .entry pieces(.param .u64 to, .param .u64 in) .maxntid 32 {{\n{1}"
             "and.b32 %t, %t, 15; mov.u32 %s, box; rem.u32 %r, %t, 3;\n"
             "mad.lo.u32 %s, %r, 128, %s; and.b32 %k, %t, 1; add.u32 %k, %k, 1;\n"
             "shl.b32 %k, %k, 4; mad.wide.u32 %a, %t, 32, %a;\n"
             "cp.async.bulk.global.shared::cta.bulk_group [%a], [%s], %k;\n{2}",
             gpu, kFill, kEnd)
             .str() +
         kMasked + (gpu == "sm_100a" ? kTold + std::string(kGathered) + kScattered : "");
}

uint32_t wordOf(unsigned box, unsigned word) {
  return 0x100 * (box + 1) + word;
}

/// Runs a kernel that copies boxes to `to`, of which `memory` is what it leaves.
std::string launch(Program &program, const char *kernel, const void *to,
                   std::vector<uint32_t> &memory, const std::vector<uint32_t> &expected) {
  std::vector<uint32_t> in(kBoxes * kBoxWords);
  for (unsigned n = 0; n < in.size(); ++n)
    in[n] = wordOf(n / kBoxWords, n % kBoxWords);
  program.clearRanges();
  program.addRange(const_cast<void *>(to), 128, "map");
  program.addRange(memory.data(), memory.size() * 4, "memory");
  program.addRange(in.data(), in.size() * 4, "in");
  LaunchConfig config;
  config.block = {32, 1, 1};
  config.maxInstructions = 100'000; // a wrong predicate may never leave the loop
  const Report report = program.launch(kernel, config, {argument(to), argument(in.data())});
  if (!report.ok())
    return report.message;
  for (size_t n = 0; n < memory.size(); ++n)
    if (memory[n] != expected[n])
      return llvm::formatv("{0}: word {1}: expected {2:x}, found {3:x}", kernel, n, expected[n],
                           memory[n]);
  return "";
}

std::string checkBoxes(Program &program) {
  std::vector<uint32_t> memory(kColumns * kRows, ~0u), expected = memory;
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned word = 0; copies(lane) && word < 4; ++word)
      expected[lane / 4 * kColumns + 4 * (lane % 4) + word] = wordOf(lane % kBoxes, word);
  alignas(64) uint8_t map[128] = {};
  auto put = [&map](unsigned at, uint32_t word) { std::memcpy(map + at, &word, 4); };
  const uint32_t *address = memory.data();
  std::memcpy(map, &address, 8);
  put(8, 1u << 4 | 2u << 7); // rank 2, elements of u32
  put(0x0c, kColumns * 4 >> 4);
  put(0x20, kColumns - 1), put(0x24, kRows - 1);
  put(0x34, 3u << 24); // boxes of four elements in a row
  return launch(program, "boxes", map, memory, expected);
}

std::string checkPieces(Program &program) {
  // 128 bytes at least, as every range here.
  std::vector<uint32_t> memory(kPieces * kBoxWords, ~0u), expected = memory;
  for (unsigned lane = 0; lane < 32; ++lane) {
    const unsigned piece = lane % kPieces;
    for (unsigned word = 0; copies(lane) && word < 4 * (1 + piece % 2); ++word)
      expected[piece * kBoxWords + word] = wordOf(piece % kBoxes, word);
  }
  return launch(program, "pieces", memory.data(), memory, expected);
}

/// Gathers or scatters rows 5, 0, 9 and 2 of a matrix of eight rows, from column 4 on.
std::string checkFourRows(Program &program, const char *kernel, bool gathers) {
  if (!llvm::is_contained(program.kernels(), kernel))
    return "";
  std::vector<uint32_t> matrix(kColumns * kRows), rows(32);
  for (unsigned n = 0; n < matrix.size(); ++n)
    matrix[n] = 1000 + n;
  for (unsigned n = 0; n < rows.size(); ++n)
    rows[n] = 2000 + n;
  std::vector<uint32_t> wantedRows = rows, wantedMatrix = matrix;
  constexpr unsigned kCut = 4, kFour[] = {5, 0, 9, 2};
  for (unsigned n = 0; n < rows.size(); ++n) {
    const unsigned row = kFour[n / 8], place = row * kColumns + kCut + n % 8;
    if (gathers)
      wantedRows[n] = row < kRows ? matrix[place] : 0;
    else if (row < kRows)
      wantedMatrix[place] = rows[n];
  }
  alignas(64) uint8_t map[128] = {};
  auto put = [&map](unsigned at, uint32_t word) { std::memcpy(map + at, &word, 4); };
  const uint32_t *address = matrix.data();
  std::memcpy(map, &address, 8);
  put(8, 1u << 4 | 2u << 7); // rank 2, elements of u32
  put(0x0c, kColumns * 4 >> 4);
  put(0x20, kColumns - 1), put(0x24, kRows - 1);
  put(0x34, 7u << 24); // a row of eight elements
  program.clearRanges();
  program.addRange(map, 128, "map");
  program.addRange(matrix.data(), matrix.size() * 4, "matrix");
  program.addRange(rows.data(), rows.size() * 4, "rows");
  LaunchConfig config;
  config.block = {32, 1, 1};
  config.maxInstructions = 100'000;
  const Report report =
      program.launch(kernel, config, {argument(&map[0]), argument(rows.data()), argument(kCut)});
  if (!report.ok())
    return report.message;
  const auto differing = [&](const char *what, const std::vector<uint32_t> &found,
                             const std::vector<uint32_t> &wanted) -> std::string {
    for (size_t n = 0; n < found.size(); ++n)
      if (found[n] != wanted[n])
        return llvm::formatv("{0}: word {1} of {2}: expected {3}, found {4}", kernel, n, what,
                             wanted[n], found[n]);
    return "";
  };
  const std::string wrong = differing("the rows", rows, wantedRows);
  return wrong.empty() ? differing("the matrix", matrix, wantedMatrix) : wrong;
}

std::string checkMasks(Program &program) {
  std::string wrong;
  for (const std::string &kernel : program.kernels()) {
    if (kernel != "masked" && kernel != "told")
      continue;
    for (uint32_t mask : {0, 1})
      for (bool late : {false, true}) {
        std::vector<uint32_t> out(4, ~0u), in(4, 55);
        program.clearRanges();
        program.addRange(out.data(), 16, "out");
        program.addRange(in.data(), 16, "in");
        LaunchConfig config;
        config.block = {32, 1, 1};
        config.maxInstructions = 100'000;
        config.lateCopies = late;
        const Report report = program.launch(
            kernel, config, {argument(out.data()), argument(in.data()), argument(mask)});
        const uint32_t want = kernel == "told" ? mask : mask ? 55 : 77;
        if (!report.ok())
          wrong += report.message + "\n";
        else if (out[0] != want)
          wrong += llvm::formatv("{0} with mask {1}: expected {2}, found {3}\n", kernel, mask, want,
                                 out[0]);
      }
  }
  return wrong;
}

std::vector<std::string> checkAll(llvm::ArrayRef<uint8_t> cubin) {
  auto program = Program::create(cubin);
  if (!program)
    return {llvm::toString(program.takeError())};
  std::vector<std::string> wrong;
  for (const std::string &why :
       {checkBoxes(**program), checkPieces(**program), checkMasks(**program),
        checkFourRows(**program, "gathered", true), checkFourRows(**program, "scattered", false)})
    if (!why.empty())
      wrong.push_back(why);
  return wrong;
}

constexpr const char *kStored[] = {"uniform.sm_90.O3.cubin", "uniform.sm_100.O3.cubin"};

TEST(SassUniformTest, EveryLaneCopiesWhatItNamesOnHopper) {
  checkAtBothLevels(text("sm_90a"), "sm_90a", kStored[0], [](llvm::ArrayRef<uint8_t> cubin) {
    EXPECT_THAT(checkAll(cubin), testing::IsEmpty());
  });
}

TEST(SassUniformTest, EveryLaneCopiesWhatItNamesOnBlackwell) {
  checkAtBothLevels(text("sm_100a"), "sm_100a", kStored[1], [](llvm::ArrayRef<uint8_t> cubin) {
    EXPECT_THAT(checkAll(cubin), testing::IsEmpty());
  });
}

TEST(SassUniformTest, StoredCubinsRunWithoutCuda) {
  for (const char *stored : kStored) {
    const std::vector<uint8_t> cubin = readBytes(corpusFile(stored));
    EXPECT_THAT(checkAll(cubin), testing::IsEmpty()) << stored;
    auto program = Program::create(cubin);
    ASSERT_TRUE(bool(program)) << llvm::toString(program.takeError());
    EXPECT_THAT((*program)->disassemble("boxes"),
                testing::AllOf(testing::Contains(testing::HasSubstr("R2UR P")),
                               testing::Contains(testing::HasSubstr("R2UR.OR P"))));
  }
}

// Four times the first row: the stored cubin must show it.
template <auto execute, unsigned kFirst> void executeWithOneRow(Warp &w, const Instruction &i) {
  for (unsigned n = 1; n < 4; ++n)
    w.u[i.ops[0].index + kFirst + n] = w.u[i.ops[0].index + kFirst];
  execute(w, i);
}
TEST(SassUniformTest, AWrongRowShows) {
  const std::vector<uint8_t> cubin = readBytes(corpusFile(kStored[1]));
  {
    PlantedRow planted("UTMALDG", executeWithOneRow<executeUtmaldg, 3>);
    EXPECT_THAT(checkAll(cubin), testing::ElementsAre(testing::HasSubstr("gathered")));
  }
  PlantedRow planted("UTMASTG", [](Warp &w, const Instruction &i) {
    i.mods[1] ? executeWithOneRow<executeUtmastg, 2>(w, i) : executeUtmastg(w, i);
  });
  EXPECT_THAT(checkAll(cubin), testing::ElementsAre(testing::HasSubstr("scattered")));
}

// The rows with a predicate, each time with a wrong function: the stored cubins must show it.
TEST(SassUniformTest, AWrongPredicateShows) {
  static constexpr std::pair<const char *, Execute> kPlanted[] = {
      {"nobody holds another value",
       [](Warp &w, const Instruction &i) {
         if (i.numOps != 3)
           return executeR2UR(w, i);
         executeR2URDiffers(w, i);
         w.putMask(i.ops[0], 0);
       }},
      {"the last value alone decides",
       [](Warp &w, const Instruction &i) {
         if (i.numOps != 3)
           return executeR2UR(w, i);
         Instruction j = i;
         j.mods[0] = 0;
         executeR2URDiffers(w, j);
       }},
      {"true in lanes that agree",
       [](Warp &w, const Instruction &i) {
         if (i.numOps != 3)
           return executeR2UR(w, i);
         executeR2URDiffers(w, i);
         w.putMask(i.ops[0], ~w.getMask(i.ops[0]));
       }},
  };
  for (const char *stored : kStored)
    for (auto [name, wrong] : kPlanted) {
      PlantedRow planted("R2UR", wrong);
      EXPECT_THAT(checkAll(readBytes(corpusFile(stored))), testing::Not(testing::IsEmpty()))
          << stored << ": " << name;
    }
}

} // namespace
