//===- SassControlTest.cpp - branches, votes, traps -------------------------------------------===//
//
// Loops whose turns differ by lane, sums and votes of a warp, calls of vprintf and traps.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/devices/sass/Execute.h"
#include "oracles/devices/sass/SassSnippets.h"

#include "gmock/gmock.h"

using namespace tilesmith;
using namespace tilesmith::sass;

namespace {

constexpr Snippet kSnippets[] = {
    // Control: a loop whose trip count differs by lane.
    {"loop",
     "and.b32 %y, %x, 15; mov.u32 %w, 0;\n$L: setp.eq.u32 %p, %y, 0; @%p bra $E;\n"
     "add.u32 %w, %w, %y; sub.u32 %y, %y, 1; bra $L;\n$E:",
     [](uint64_t a, uint64_t, uint64_t) { return (a & 15) * ((a & 15) + 1) / 2; }},
    // Between lanes: the sum of the warp.
    {"redux",
     "and.b32 %x, %x, 1; redux.sync.add.u32 %y, %x, 0xffffffff;\n"
     "vote.sync.ballot.b32 %z, 1, 0xffffffff; popc.b32 %z, %z; sub.u32 %w, %z, 32;\n"
     "setp.gt.u32 %p, %y, 32; @%p add.u32 %w, %w, 1;",
     [](uint64_t, uint64_t, uint64_t) { return uint64_t{0}; }},
};

/// Rows with the function of a neighbour.
constexpr WrongRow kWrong[] = {
    {"VOTE",
     [](Warp &w, const Instruction &i) {
       Instruction j = i;
       j.ops[2].negative = !j.ops[2].negative;
       executeVote(w, j);
     }},
};

TEST(SassControlTest, AWrongFunctionInARowShows) {
  for (const WrongRow &wrong : kWrong)
    EXPECT_TRUE(isShown(wrong, kSnippets)) << wrong.name;
}

// What compilers make of an assertion: the text by vprintf, then a trap.
TEST(SassControlTest, ATrapSaysWhatWasPrintedBefore) {
  auto ptxas = findPtxas();
  if (!ptxas)
    GTEST_SKIP() << whyNoPtxas();
  constexpr llvm::StringLiteral kText = R"(
.version 8.0
.target sm_80
.address_size 64
.extern .func (.param .b32 result) vprintf (.param .b64 format, .param .b64 values);
.global .align 1 .b8 text[16] = {102, 105, 114, 115, 116, 10, 105, 110, 32, 37, 100, 32, 33, 61, 10, 0};
.visible .entry k() {
  .local .align 8 .b8 values[8];
  .reg .b64 %d<4>;
  .reg .b32 %r<4>;
  mov.b32 %r1, 7;
  st.local.b32 [values], %r1;
  mov.u64 %d1, text;
  cvta.global.u64 %d1, %d1;
  mov.u64 %d2, values;
  cvta.local.u64 %d2, %d2;
  {
    .param .b64 p0;
    st.param.b64 [p0], %d1;
    .param .b64 p1;
    st.param.b64 [p1], %d2;
    .param .b32 r0;
    call.uni (r0), vprintf, (p0, p1);
    ld.param.b32 %r2, [r0];
  }
  trap;
  ret;
}
)";
  for (llvm::StringRef level : {"-O0", "-O3"}) {
    auto program = Program::create(assemble(*ptxas, kText, "sm_80", level));
    ASSERT_TRUE(bool(program)) << llvm::toString(program.takeError());
    const Report report = (*program)->launch("k", LaunchConfig(), {});
    EXPECT_EQ(report.status, Report::Trapped) << report.message;
    EXPECT_THAT(report.message, testing::StartsWith("the kernel trapped: in 7 != (kernel 'k'"));
    EXPECT_EQ(report.printed, "first\nin 7 !=\n");
  }
}

} // namespace

llvm::ArrayRef<Snippet> tilesmith::sass::controlSnippets() {
  return kSnippets;
}
