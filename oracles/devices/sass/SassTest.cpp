//===- SassTest.cpp - the snippets of all families, as ptxas makes them -----------------------===//
//
// Without ptxas those tests are skipped that need it; the stored cubins of corpus/sass are executed always. The
// snippets of a family, and rows with wrong functions: SassIntegerTest, SassFloatTest, SassConversionTest,
// SassControlTest.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/devices/sass/Cubin.h"
#include "oracles/devices/sass/SassSnippets.h"

#include "llvm/Support/FormatVariadic.h"

#include "gmock/gmock.h"

using namespace tilesmith;
using namespace tilesmith::sass;

namespace {

class Snippets : public testing::TestWithParam<std::pair<const char *, const char *>> {};

TEST_P(Snippets, GiveWhatPtxDefinesAtBothLevels) {
  auto ptxas = findPtxas();
  if (!ptxas)
    GTEST_SKIP() << whyNoPtxas();
  auto [gpu, level] = GetParam();
  EXPECT_THAT(checkSnippets(assemble(*ptxas, ptxOfSnippets(gpu), gpu, level), allSnippets()),
              testing::IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Sass, Snippets,
                         testing::Values(std::pair("sm_80", "-O0"), std::pair("sm_80", "-O3"),
                                         std::pair("sm_90", "-O0"), std::pair("sm_90", "-O3")));

TEST(SassTest, StoredCubinsRunWithoutCuda) {
  for (const char *name :
       {"snippets.sm_80.O0.cubin", "snippets.sm_80.O3.cubin", "snippets.sm_90.O3.cubin"}) {
    SCOPED_TRACE(name);
    EXPECT_THAT(checkSnippets(readBytes(corpusFile(name)), allSnippets()), testing::IsEmpty());
  }
}

// Where a wait for a scoreboard is missing, a register is used too early. A wait may be there for
// another one's sake, so not every missing one shows.
TEST(SassTest, AMissingWaitIsAFault) {
  for (const char *name : {"snippets.sm_80.O3.cubin", "snippets.sm_90.O3.cubin"}) {
    const std::vector<uint8_t> cubin = readBytes(corpusFile(name));
    auto read = Cubin::read(cubin);
    ASSERT_TRUE(bool(read)) << llvm::toString(read.takeError());
    unsigned waits = 0, faults = 0;
    for (const Snippet &snippet : allSnippets()) {
      const std::vector<uint8_t> &code = read->find(snippet.name)->code;
      const auto at = static_cast<size_t>(
          std::search(cubin.begin(), cubin.end(), code.begin(), code.end()) - cubin.begin());
      for (size_t n = 0; n < code.size(); n += 16) {
        // Bits 116 to 121 of the instruction, the upper six of bytes 14 and 15.
        const unsigned mask = (code[n + 14] >> 4 | code[n + 15] << 4) & 0x3f;
        if (!mask)
          continue;
        std::vector<uint8_t> damaged = cubin;
        damaged[at + n + 14] &= 0x0f, damaged[at + n + 15] &= 0xfc;
        auto program = Program::create(damaged);
        ASSERT_TRUE(bool(program)) << llvm::toString(program.takeError());
        const std::string why = checkSnippet(**program, snippet, 1);
        ++waits;
        faults += llvm::StringRef(why).contains("before the instruction at");
        if (!why.empty())
          EXPECT_THAT(why, testing::HasSubstr("before the instruction at"));
      }
    }
    EXPECT_GT(waits, 100u);
    EXPECT_GT(faults * 10, waits * 8) << faults << " of " << waits;
  }
}

// Set TILESMITH_UPDATE to store the cubins anew.
TEST(SassTest, StoredCubinsAreWritten) {
  auto ptxas = findPtxas();
  if (!ptxas || !getenv("TILESMITH_UPDATE"))
    GTEST_SKIP() << "TILESMITH_UPDATE is not set, or there is no ptxas";
  for (auto [gpu, level] : {std::pair("sm_80", "O0"), {"sm_80", "O3"}, {"sm_90", "O3"}}) {
    const std::vector<uint8_t> cubin =
        assemble(*ptxas, ptxOfSnippets(gpu), gpu, ("-" + llvm::StringRef(level)).str());
    EXPECT_THAT(checkSnippets(cubin, allSnippets()), testing::IsEmpty());
    storeCubin(llvm::formatv("snippets.{0}.{1}.cubin", gpu, level).str(), cubin);
  }
}

} // namespace
