//===- SassChainsTest.cpp - straight-line programs of snippets --------------------------------===//
//
// Programs drawn from the snippets of all families, each step of which takes results of those before it, by
// ptxas at -O0 and -O3.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/devices/sass/Execute.h"
#include "oracles/devices/sass/SassSnippets.h"

#include "llvm/Support/FormatVariadic.h"

#include <random>

using namespace tilesmith;
using namespace tilesmith::sass;

namespace {

/// A program of snippets: each takes three of the values before it, the first three are inputs.
struct Chain {
  struct Step {
    const Snippet *snippet;
    std::array<unsigned, 3> sources;
  };
  std::vector<Step> steps;
};

/// Draws programs of all snippets with one right result: of f64, any NaN will do.
std::vector<Chain> drawChains(llvm::ArrayRef<Snippet> snippets, uint64_t seed, unsigned programs,
                              unsigned steps) {
  std::mt19937_64 random(seed);
  std::vector<const Snippet *> usable;
  static constexpr llvm::StringLiteral kLeftOut[] = {"f64", "%lane", "$",  "%f",
                                                     "%g",  "%e",    "%h", "%o"};
  for (const Snippet &snippet : snippets)
    if (llvm::none_of(kLeftOut, [&](llvm::StringRef word) {
          return llvm::StringRef(snippet.body).contains(word);
        }))
      usable.push_back(&snippet);
  std::vector<Chain> chains(programs);
  for (Chain &chain : chains)
    for (unsigned n = 0; n < steps; ++n) {
      // Late values more often, so that steps depend on each other; two of one value never, as
      // ptxas gives a NaN back as it is for `min.f32 x, x` (oracles/external/notes.md, note 10).
      Chain::Step step{usable[random() % usable.size()], {}};
      for (size_t k = 0; k < step.sources.size();) {
        const auto range = static_cast<unsigned>(random() % (n + 3)) + 1;
        step.sources[k] = n + 2 - static_cast<unsigned>(random() % range);
        k += std::find(step.sources.begin(), step.sources.begin() + k, step.sources[k]) ==
             step.sources.begin() + k;
      }
      chain.steps.push_back(step);
    }
  return chains;
}

constexpr unsigned kChainThreads = 64;
constexpr const char *kRegisters = ".reg .b64 %a, %b, %c, %d; .reg .b32 %x, %y, %z, %w;\n"
                                   ".reg .pred %p; .reg .b16 %s, %t;";

/// Kernels `chain0`, ...: values of thread t to out[step * 64 + t].
std::string ptxOf(llvm::ArrayRef<Chain> chains, llvm::StringRef gpu) {
  std::string text = ".version 8.0\n.target " + gpu.str() + "\n.address_size 64\n";
  for (auto [number, chain] : llvm::enumerate(chains)) {
    text += llvm::formatv(
        false,
        ".visible .entry chain{0}(.param .u64 in, .param .u64 out) {{\n"
        ".reg .b64 %in, %out, %o, %v<{1}>; .reg .b32 %id;\n"
        "ld.param.u64 %in, [in]; ld.param.u64 %out, [out]; mov.u32 %id, %tid.x;\n"
        "mul.wide.u32 %o, %id, 24; add.u64 %in, %in, %o;\n"
        "mul.wide.u32 %o, %id, 8; add.u64 %out, %out, %o;\n"
        "ld.global.u64 %v0, [%in]; ld.global.u64 %v1, [%in+8]; ld.global.u64 %v2, [%in+16];\n",
        number, chain.steps.size() + 3);
    for (auto [n, step] : llvm::enumerate(chain.steps)) {
      const auto [a, b, c] = step.sources;
      text += llvm::formatv(false,
                            "{{ {0}\nmov.b64 %a, %v{1}; mov.b64 %b, %v{2}; mov.b64 %c, %v{3};\n"
                            "cvt.u32.u64 %x, %a; cvt.u32.u64 %y, %b; cvt.u32.u64 %z, %c;\n"
                            "{4}\n{5}mov.b64 %v{6}, %d; st.global.u64 [%out+{7}], %d; }\n",
                            kRegisters, a, b, c, step.snippet->body,
                            isWide(*step.snippet) ? "" : "cvt.u64.u32 %d, %w;\n", n + 3,
                            n * 8 * kChainThreads);
    }
    text += "ret;\n}\n";
  }
  return text;
}

/// What is wrong with the first step that is wrong; empty when none is.
std::string checkChain(Program &program, const Chain &chain, unsigned number) {
  std::vector<uint64_t> in = inputs(3 * kChainThreads, number),
                        out(chain.steps.size() * kChainThreads);
  program.clearRanges();
  program.addRange(in.data(), in.size() * 8, "in");
  program.addRange(out.data(), out.size() * 8, "out");
  LaunchConfig config;
  config.block = {kChainThreads, 1, 1};
  config.maxInstructions = 1'000'000;
  const Report report = program.launch("chain" + std::to_string(number), config,
                                       {argument(in.data()), argument(out.data())});
  if (!report.ok())
    return report.message;
  for (unsigned t = 0; t < kChainThreads; ++t) {
    std::vector<uint64_t> values(&in[3 * t], &in[3 * t] + 3);
    for (auto [n, step] : llvm::enumerate(chain.steps)) {
      const auto [a, b, c] = step.sources;
      values.push_back(step.snippet->expected(values[a], values[b], values[c]));
      if (const uint64_t found = out[n * kChainThreads + t]; found != values.back())
        return llvm::formatv("chain{0}, step {1}, {2} of {3:x} {4:x} {5:x}: expected {6:x}, "
                             "found {7:x}",
                             number, n, step.snippet->name, values[a], values[b], values[c],
                             values.back(), found);
    }
  }
  return "";
}

uint64_t numberFrom(const char *variable, uint64_t otherwise) {
  const char *text = getenv(variable);
  uint64_t value;
  return text && !llvm::StringRef(text).getAsInteger(10, value) ? value : otherwise;
}

// TILESMITH_PTX_SEED and TILESMITH_PTX_PROGRAMS draw others.
TEST(SassChainsTest, StraightLineProgramsGiveWhatPtxDefines) {
  auto ptxas = findPtxas();
  if (!ptxas)
    GTEST_SKIP() << whyNoPtxas();
  const std::vector<Snippet> snippets = allSnippets();
  const std::vector<Chain> chains =
      drawChains(snippets, numberFrom("TILESMITH_PTX_SEED", 1),
                 static_cast<unsigned>(numberFrom("TILESMITH_PTX_PROGRAMS", 12)), /*steps=*/16);
  for (llvm::StringRef gpu : {"sm_80", "sm_90"})
    for (llvm::StringRef level : {"-O0", "-O3"}) {
      SCOPED_TRACE((gpu + " " + level).str());
      const std::vector<uint8_t> cubin = assemble(*ptxas, ptxOf(chains, gpu), gpu, level);
      auto checkAll = [&] {
        auto program = Program::create(cubin);
        if (!program)
          return llvm::toString(program.takeError());
        std::string wrong;
        for (unsigned n = 0; n < chains.size() && wrong.empty(); ++n)
          wrong = checkChain(**program, chains[n], n);
        return wrong;
      };
      EXPECT_EQ(checkAll(), "");
      PlantedRow planted("LOP3.LUT", [](Warp &w, const Instruction &i) {
        Instruction j = i; // all bits set gives another bit
        j.ops[5].value ^= 0x80;
        executeLop3(w, j);
      });
      EXPECT_NE(checkAll(), "");
    }
}

} // namespace
