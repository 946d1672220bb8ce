//===- SassSweepTest.cpp - kernels of sweeps, their inputs, what is wrong ---------------------===//
#include "oracles/devices/sass/SassSweep.h"

#include "llvm/Support/FormatVariadic.h"

#include "gmock/gmock.h"

using namespace tilesmith;
using namespace tilesmith::sass;

namespace {

constexpr unsigned kThreads = 64;

/// Where the inputs come from: `b` and `c` are registers, numbers in the text, or parameters.
struct Variant {
  char b, c;
};
constexpr Variant kVariants[] = {{'r', 'r'}, {'n', 'r'}, {'r', 'n'}, {'p', 'r'}, {'r', 'p'}};

/// The number of one that is no register: another one for each operation.
uint64_t numberOf(size_t operation, unsigned seed) {
  return inputs(1, 1000 * seed + operation + 1)[0];
}
uint64_t parameterOf(unsigned seed) {
  return 0xc0123456bf9d8000 ^ uint64_t { seed } << 20;
}

/// The operations that this GPU has.
Sweep operationsOf(const NamedSweep &sweep, unsigned sm) {
  Sweep all = sweep.make();
  llvm::erase_if(all, [&](const SweepOperation &one) { return one.firstSm > sm; });
  return all;
}

std::string kernelOf(const NamedSweep &sweep, unsigned sm, size_t variant) {
  std::string text = llvm::formatv(
      false,
      ".visible .entry {0}{1}(.param .u64 in, .param .u64 out, .param .u64 k, .param .u64 l) "
      ".maxntid 64 {{\n"
      ".reg .b64 %in, %out, %A, %B, %C, %K, %L, %O; .reg .b32 %lane;\n"
      "ld.param.u64 %in, [in]; ld.param.u64 %out, [out]; ld.param.u64 %K, [k]; ld.param.u64 %L, "
      "[l];\n"
      "cvta.to.global.u64 %in, %in; cvta.to.global.u64 %out, %out;\n"
      "mov.u32 %lane, %tid.x; mul.wide.u32 %O, %lane, 24; add.u64 %in, %in, %O;\n"
      "ld.global.u64 %A, [%in]; ld.global.u64 %B, [%in+8]; ld.global.u64 %C, [%in+16];\n"
      "mul.wide.u32 %O, %lane, 8; add.u64 %out, %out, %O;\n",
      sweep.name, variant);
  size_t number = 0;
  for (const SweepOperation &one : operationsOf(sweep, sm)) {
    auto source = [&](char kind, const char *reg, const char *parameter, unsigned seed) {
      return kind == 'n'   ? llvm::formatv("0x{0:x-16}", numberOf(number, seed)).str()
             : kind == 'p' ? std::string(parameter)
                           : std::string(reg);
    };
    const bool isWide = llvm::StringRef(one.body).contains("%d");
    text += llvm::formatv(
        false,
        "{{ .reg .b64 %a, %b, %c, %d, %q; .reg .b32 %x, %y, %z, %w, %o; .reg .f64 %e, %f, %g, %h;\n"
        ".reg .b16 %s, %t, %u, %v, %S, %T, %U; .reg .pred %p, %r, %m; mov.b32 %w, 0; mov.b64 %a, "
        "%A; "
        "mov.b64 %b, {0}; mov.b64 %c, {1};\n"
        "cvt.u32.u64 %x, %a; cvt.u32.u64 %y, %b; cvt.u32.u64 %z, %c;\n"
        "mov.b64 %f, %a; mov.b64 %g, %b; mov.b64 %h, %c;\n"
        "mov.b32 {{%s, %S}, %x; mov.b32 {{%t, %T}, %y; mov.b32 {{%u, %U}, %z;\n"
        "{2}\n{3} st.global.u64 [%out+{4}], %d; }\n",
        source(kVariants[variant].b, "%B", "%K", 1), source(kVariants[variant].c, "%C", "%L", 2),
        one.body, isWide ? "" : "cvt.u64.u32 %d, %w;", number * kThreads * 8);
    ++number;
  }
  return text + "ret;\n}\n";
}

bool isSame(uint64_t found, uint64_t want, const SweepOperation &one) {
  auto isNaNOf = [&](uint64_t v) {
    return one.anyNaN == 64   ? isNaN(v)
           : one.anyNaN == 32 ? asFloat(v) != asFloat(v)
                              : one.anyNaN == 16 && (v & 0x7fff) > 0x7c00;
  };
  return found == want || (isNaNOf(found) && isNaNOf(want));
}

void checkSweep(Program &program, const NamedSweep &sweep, unsigned sm, size_t variant,
                std::vector<std::string> &wrong) {
  const Sweep all = operationsOf(sweep, sm);
  const std::string name = sweep.name + std::to_string(variant);
  for (uint64_t seed = 1; seed <= 4; ++seed) {
    std::vector<uint64_t> in = inputs(3 * kThreads, seed), out(kThreads * all.size());
    program.clearRanges();
    program.addRange(in.data(), in.size() * 8, "in");
    program.addRange(out.data(), out.size() * 8, "out");
    LaunchConfig config;
    config.block = {kThreads, 1, 1};
    config.maxInstructions = 10'000'000;
    const Report report = program.launch(name, config,
                                         {argument(in.data()), argument(out.data()),
                                          argument(parameterOf(1)), argument(parameterOf(2))});
    if (!report.ok()) {
      wrong.push_back(name + ": " + report.message);
      return;
    }
    for (size_t n = 0; n < all.size() && wrong.size() < 12; ++n)
      for (unsigned lane = 0; lane < kThreads; ++lane) {
        auto source = [&](char kind, unsigned place) {
          return kind == 'n'   ? numberOf(n, place)
                 : kind == 'p' ? parameterOf(place)
                               : in[3 * lane + place];
        };
        const uint64_t a = in[3 * lane], b = source(kVariants[variant].b, 1),
                       c = source(kVariants[variant].c, 2), found = out[n * kThreads + lane],
                       want = all[n].expected(a, b, c);
        if (isSame(found, want, all[n]))
          continue;
        wrong.push_back(llvm::formatv("{0}: {1} of {2:x} {3:x} {4:x}: expected {5:x}, found {6:x}",
                                      name, all[n].body, a, b, c, want, found));
        break;
      }
  }
}

class Sweeps : public testing::TestWithParam<std::tuple<unsigned, const char *>> {};

TEST_P(Sweeps, GiveWhatPtxDefinesAtBothLevels) {
  auto ptxas = findPtxas();
  auto [sm, level] = GetParam();
  const std::string gpu = "sm_" + std::to_string(sm);
  if (const std::string why = whyNoPtxas(gpu); !why.empty())
    GTEST_SKIP() << why;
  EXPECT_THAT(checkSweeps(assemble(*ptxas, ptxOfSweeps(gpu, sm), gpu, level), sm),
              testing::IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Sass, Sweeps,
                         testing::Values(std::tuple(80, "-O0"), std::tuple(90, "-O0"),
                                         std::tuple(100, "-O0"), std::tuple(80, "-O3"),
                                         std::tuple(86, "-O3"), std::tuple(90, "-O3"),
                                         std::tuple(100, "-O3"), std::tuple(120, "-O3")));

constexpr unsigned kStored[] = {80, 90, 100};

// Set TILESMITH_UPDATE to store the cubins anew.
TEST(SassSweepTest, StoredCubinsRunWithoutCuda) {
  for (unsigned sm : kStored) {
    const std::string gpu = "sm_" + std::to_string(sm), name = "sweeps." + gpu + ".O3.cubin";
    SCOPED_TRACE(name);
    if (auto ptxas = findPtxas(); ptxas && getenv("TILESMITH_UPDATE"))
      storeCubin(name, assemble(*ptxas, ptxOfSweeps(gpu, sm), gpu, "-O3"));
    EXPECT_THAT(checkSweeps(readBytes(corpusFile(name)), sm), testing::IsEmpty());
  }
}

} // namespace

llvm::ArrayRef<NamedSweep> tilesmith::sass::allSweeps() {
  static constexpr NamedSweep kSweeps[] = {
      {"floats", floatSweep}, {"doubles", doubleSweep},         {"halves", halfSweep},
      {"brains", brainSweep}, {"conversions", conversionSweep}, {"integers", integerSweep}};
  return kSweeps;
}

std::string tilesmith::sass::ptxOfSweeps(llvm::StringRef gpu, unsigned sm) {
  std::string text = llvm::formatv(".version 8.8\n.target {0}\n.address_size 64\n", gpu);
  for (const NamedSweep &sweep : allSweeps())
    for (size_t variant = 0; variant < std::size(kVariants); ++variant)
      text += kernelOf(sweep, sm, variant);
  return text;
}

std::vector<std::string> tilesmith::sass::checkSweeps(llvm::ArrayRef<uint8_t> cubin, unsigned sm) {
  std::vector<std::string> wrong;
  auto program = Program::create(cubin);
  if (!program)
    return {llvm::toString(program.takeError())};
  for (const NamedSweep &sweep : allSweeps())
    for (size_t variant = 0; variant < std::size(kVariants); ++variant)
      checkSweep(**program, sweep, sm, variant, wrong);
  return wrong;
}
