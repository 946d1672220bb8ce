//===- SassVariablesTest.cpp - variables of a module, where the program or the caller has them --===//
#include "oracles/devices/sass/Sass.h"
#include "oracles/devices/sass/SassTestSupport.h"

#include "gmock/gmock.h"

using namespace tilesmith;
using namespace tilesmith::sass;
using testing::ElementsAre;

namespace {

constexpr const char *kStored = "variables.sm_90.O3.cubin";

/// A launch of one thread adds `step` to the first word of `counter`, and stores the sum, a word of
/// `table` and the generic address of `counter`.
constexpr const char *kText = R"(.version 8.0
.target sm_90
.address_size 64
.visible .global .align 4 .u32 counter[4] = {5, 7};
.visible .const .align 4 .u32 table[3] = {10, 20, 30};
.visible .entry add(.param .u64 out, .param .u32 step, .param .u32 index) {
.reg .b32 %r<4>; .reg .b64 %d<5>;
ld.param.u64 %d0, [out]; ld.param.u32 %r0, [step]; ld.param.u32 %r1, [index];
ld.global.u32 %r2, [counter]; add.u32 %r2, %r2, %r0; st.global.u32 [counter], %r2; st.global.u32 [%d0], %r2;
mul.wide.u32 %d1, %r1, 4; mov.u64 %d2, table; add.u64 %d2, %d2, %d1; ld.const.u32 %r3, [%d2];
st.global.u32 [%d0+4], %r3;
mov.u64 %d3, counter; cvta.global.u64 %d3, %d3; st.global.u64 [%d0+8], %d3; ret; }
)";

struct Left {
  uint32_t sum = 0, entry = 0;
  uint64_t address = 0;
};

Left add(Program &program, uint32_t step, uint32_t index = 1) {
  Left left;
  program.clearRanges();
  program.addRange(&left, sizeof left, "out");
  const Report report =
      program.launch("add", {}, {argument(&left), argument(step), argument(index)});
  EXPECT_TRUE(report.ok()) << report.message;
  return left;
}

std::vector<uint32_t> words(const std::optional<std::vector<uint8_t>> &bytes) {
  std::vector<uint32_t> list(bytes ? bytes->size() / 4 : 0);
  if (bytes)
    std::memcpy(list.data(), bytes->data(), 4 * list.size());
  return list;
}

void check(llvm::ArrayRef<uint8_t> cubin) {
  auto program = llvm::cantFail(Program::create(cubin));
  EXPECT_EQ(program->variable("nothing"), std::nullopt);
  EXPECT_THAT(words(program->variable("table")), ElementsAre(10, 20, 30));
  EXPECT_EQ(add(*program, 2).sum, 7u);
  EXPECT_THAT(words(program->variable("counter")), ElementsAre(7, 7, 0, 0));

  uint32_t counter[] = {100, 0, 0, 0}, table[] = {1, 2, 3};
  program->placeVariable("counter", counter);
  program->placeVariable("table", table);
  const Left left = add(*program, 3, 2);
  EXPECT_EQ(left.sum, 103u);
  EXPECT_EQ(left.entry, 3u);
  EXPECT_EQ(left.address, reinterpret_cast<uint64_t>(counter));
  EXPECT_EQ(counter[0], 103u);
  counter[0] = 50, table[0] = 9;
  EXPECT_EQ(add(*program, 1, 0).entry, 9u);
  EXPECT_THAT(words(program->variable("counter")), ElementsAre(51, 0, 0, 0));

  program->resetGlobals();
  EXPECT_EQ(add(*program, 2).sum, 7u);
  EXPECT_EQ(counter[0], 51u);
}

TEST(SassVariablesTest, LieWhereTheCallerWants) {
  checkAtBothLevels(kText, "sm_90", kStored, check);
}
TEST(SassVariablesTest, StoredCubinRunsWithoutCuda) {
  check(readBytes(corpusFile(kStored)));
}

} // namespace
