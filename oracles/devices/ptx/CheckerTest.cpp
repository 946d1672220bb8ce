//===- CheckerTest.cpp - what the checker rejects, and hostile texts --------------------------===//
//
// negative.txt holds single broken instructions; each is rejected with its message, and by ptxas
// where there is one. Hostile texts are cut, shuffled and repeated modules: nothing may crash.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/devices/ptx/Checker.h"
#include "oracles/devices/ptx/Samples.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

#include <iostream>
#include <random>

using namespace tilesmith::ptx;
using llvm::StringRef;

namespace {

struct NegativeCase {
  std::string target, version, message, text;
};

std::vector<NegativeCase> negativeCases() {
  auto file = llvm::MemoryBuffer::getFile(std::string(std::getenv("TILESMITH_SOURCE_DIR")) +
                                          "/oracles/devices/ptx/negative.txt");
  std::vector<NegativeCase> cases;
  if (!file)
    return cases;
  llvm::SmallVector<StringRef> lines;
  (*file)->getBuffer().split(lines, '\n', -1, false);
  StringRef target, version;
  for (StringRef line : lines) {
    if (line.starts_with("#"))
      continue;
    if (line.consume_front("@sm_")) {
      std::tie(target, version) = line.split(' ');
      continue;
    }
    auto [message, text] = line.split(" => ");
    cases.push_back({("sm_" + target).str(), version.str(), message.str(), text.str()});
  }
  return cases;
}

TEST(Checker, EveryNegativeCaseIsRejectedForItsReason) {
  const std::vector<NegativeCase> cases = negativeCases();
  EXPECT_GT(cases.size(), 70u);
  for (const NegativeCase &negative : cases) {
    const CheckResult result =
        checkPTX(sampleKernel(negative.target, negative.version, negative.text));
    ASSERT_FALSE(result.errors.empty()) << negative.text;
    EXPECT_NE(result.errors[0].message.find(negative.message), std::string::npos)
        << negative.text << '\n'
        << result.str();
    EXPECT_EQ(result.errors[0].location.line, kSampleLine) << result.str();
  }
}

TEST(Checker, PtxasRejectsEveryNegativeCase) {
  const std::string ptxas = findPtxas();
  if (ptxas.empty())
    GTEST_SKIP() << "unavailable: no ptxas";
  unsigned rejected = 0;
  for (const NegativeCase &negative : negativeCases()) {
    std::string output;
    const bool accepts =
        ptxasAccepts(ptxas, sampleKernel(negative.target, negative.version, negative.text),
                     negative.target, output);
    EXPECT_FALSE(accepts) << negative.text;
    rejected += !accepts;
  }
  std::cout << rejected << " negative cases rejected by " << ptxas << '\n';
}

// Releases of ptxas differ: 13.0 takes the first four, 13.5 the last. We take what all of them do.
TEST(Checker, WhatOneReleaseOfPtxasRefusesIsRefused) {
  const NegativeCase cases[] = {
      {"sm_89", "9.0", "needs sm_90", "fence.acquire.gpu;"},
      {"sm_90a", "8.3", "needs PTX 8.6", "fence.release.cta;"},
      {"sm_90a", "9.0", "an entry has no parameters of a function behind a register",
       "ld.param::func.b8 %h0, [%d0];"},
      {"sm_90a", "9.0", "an entry has no parameters of a function behind a register",
       "st.param::func.b8 [%d0], %h0;"},
      {"sm_100a", "8.6", "needs PTX 8.8",
       "tcgen05.mma.cta_group::1.kind::mxf8f6f4.block_scale [%r1], %d2, %d3, %r1, [%r3], [%r4], "
       "%p1;"},
  };
  for (const NegativeCase &refused : cases) {
    const CheckResult result =
        checkPTX(sampleKernel(refused.target, refused.version, refused.text));
    ASSERT_FALSE(result.errors.empty()) << refused.text;
    EXPECT_NE(result.errors[0].message.find(refused.message), std::string::npos) << result.str();
  }
  // Inside of a function a register may hold the address of its parameter.
  EXPECT_EQ(checkPTX(".version 9.0\n.target sm_90\n.address_size 64\n.func f(.param .b32 x) {\n"
                     ".reg .b32 %r<2>; .reg .b64 %d<2>;\nmov.b64 %d1, x;\n"
                     "ld.param::func.b32 %r1, [%d1];\nret;\n}\n")
                .str(),
            "");
}

TEST(Checker, AKernelOfEverythingTheHarnessDeclaresIsAccepted) {
  const CheckResult result = checkPTX(sampleKernel("sm_90a", "9.0", R"(
    st.param.b64 [a0], %d1;
    st.param.v2.b32 [a1+8], {%r1, %r2};
    call.uni (r0), callee, (a0, a1);
    ld.param.b32 %r3, [r0];
    mov.u64 %d2, gv;
    mov.b64 %d3, {%r1, %r2};
    mov.b64 {%r4, _}, %d3;
    @!%p1 bra.uni LABEL;
    { .reg .b32 %inner<2>; INNER: add.s32 %inner0, %r1, -1; @%p2 bra INNER; })"));
  EXPECT_TRUE(result.errors.empty()) << result.str();
  EXPECT_EQ(result.entries, 1u);
  EXPECT_EQ(result.functions, 1u);
}

TEST(Checker, EveryProductInTensorMemoryTakesItsLeftOperandFromThereToo) {
  for (StringRef kind : {"f16", "tf32", "f8f6f4", "i8"}) {
    const CheckResult result = checkPTX(sampleKernel(
        "sm_100a", "8.6",
        ("tcgen05.mma.cta_group::1.kind::" + kind + " [%r1], [%r2], %d3, %r1, %p1;").str()));
    EXPECT_TRUE(result.errors.empty()) << result.str();
  }
}

// Stricter than ptxas: accesses outside of a variable and unaligned ones, and immediates that are
// cut.
TEST(Checker, IsStricterThanPtxasAboutVariablesAndImmediates) {
  for (StringRef text : {"ld.global.b32 %r1, [gv+64];", "ld.global.b32 %r1, [gv+2];",
                         "ld.param.b64 %d1, [number];", "add.s16 %h1, %h2, 70000;"}) {
    const CheckResult result = checkPTX(sampleKernel("sm_90a", "9.0", text));
    EXPECT_FALSE(result.errors.empty()) << text.str();
  }
}

TEST(Checker, ParametersOfAnEntryHaveALimit) {
  auto module = [](StringRef version, StringRef bytes) {
    return (".version " + version + "\n.target sm_90\n.address_size 64\n.entry k(.param .b8 p[" +
            bytes + "]) { ret; }\n")
        .str();
  };
  EXPECT_TRUE(checkPTX(module("8.1", "32764")).errors.empty());
  EXPECT_FALSE(checkPTX(module("8.1", "32765")).errors.empty());
  EXPECT_TRUE(checkPTX(module("7.8", "4352")).errors.empty());
  EXPECT_FALSE(checkPTX(module("7.8", "4353")).errors.empty());
}

TEST(Checker, NestingIsBounded) {
  for (StringRef open : {"{", "[", "(", "@", "!", "{ {"}) {
    std::string text;
    for (unsigned i = 0; i < 100000; ++i)
      text += open;
    EXPECT_FALSE(checkPTX(sampleKernel("sm_90a", "9.0", text)).errors.empty());
    EXPECT_FALSE(checkPTX(sampleKernel("sm_90a", "9.0", "mov.b32 %r1, " + text)).errors.empty());
    EXPECT_FALSE(
        checkPTX(".version 9.0\n.target sm_90\n.address_size 64\n.global .b8 x[4] = " + text)
            .errors.empty());
  }
}

TEST(Checker, HostileTextsAreErrorsOrAccepted) {
  std::string body;
  for (const Sample &sample : instructionSamples())
    if (sample.target == "sm_90a" && body.size() < 20000)
      body += sample.text + "\n";
  const std::string whole = sampleKernel("sm_90a", "9.0", body);
  for (size_t length = 0; length < whole.size(); length += 37)
    EXPECT_FALSE(checkPTX(StringRef(whole).take_front(length)).errors.empty());
  std::mt19937 random(1);
  const StringRef pieces[] = {
      "}", "{", ";", "%r<3>", ".reg",   "0f", "\"", "/*",       ".",   "99999999999999999999",
      "%", "[", "-", "<",     "\0\xff", "|",  "_",  ".align 0", "<0>", "::"};
  unsigned rejected = 0;
  for (unsigned round = 0; round < 2000; ++round) {
    std::string text = whole;
    for (unsigned change = 0; change <= round % 3; ++change) {
      const size_t at = random() % text.size();
      if (random() % 2)
        text.erase(at, random() % 8);
      else
        text.insert(at, pieces[random() % std::size(pieces)].str());
    }
    rejected += !checkPTX(text).errors.empty();
  }
  EXPECT_GT(rejected, 1500u);
}

} // namespace
