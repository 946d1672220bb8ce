//===- SassSnippets.cpp - PTX of one operation: kernels, inputs, what is wrong ----------------===//
#include "oracles/devices/sass/SassSnippets.h"

#include "llvm/Support/FormatVariadic.h"

#include <random>

using namespace tilesmith;
using namespace tilesmith::sass;

std::vector<Snippet> tilesmith::sass::allSnippets() {
  std::vector<Snippet> all;
  for (llvm::ArrayRef<Snippet> family :
       {integerSnippets(), floatSnippets(), conversionSnippets(), controlSnippets()})
    all.insert(all.end(), family.begin(), family.end());
  return all;
}

bool tilesmith::sass::isWide(const Snippet &snippet) {
  return llvm::StringRef(snippet.body).contains("%d");
}

std::string tilesmith::sass::ptxOfSnippets(llvm::StringRef gpu) {
  std::string text = llvm::formatv(".version 8.6\n.target {0}\n.address_size 64\n", gpu);
  unsigned number = 0;
  for (const Snippet &snippet : allSnippets()) {
    std::string body = snippet.body, label = std::to_string(number++);
    for (size_t at; (at = body.find("$L")) != std::string::npos;)
      body.replace(at, 2, "LOOP" + label);
    for (size_t at; (at = body.find("$E")) != std::string::npos;)
      body.replace(at, 2, "END" + label);
    text += llvm::formatv(
        false,
        ".visible .entry {0}(.param .u64 in, .param .u64 out) .maxntid 64 {{\n"
        ".reg .b64 %in, %out, %a, %b, %c, %d; .reg .b32 %x, %y, %z, %w, %lane; .reg .pred %p;\n"
        ".reg .f64 %e, %f, %g, %h; .reg .b16 %s, %t; .reg .b64 %o;\n"
        "ld.param.u64 %in, [in]; ld.param.u64 %out, [out];\n"
        "cvta.to.global.u64 %in, %in; cvta.to.global.u64 %out, %out;\n"
        "mov.u32 %lane, %tid.x; mul.wide.u32 %o, %lane, 24; add.u64 %in, %in, %o;\n"
        "ld.global.u64 %a, [%in]; ld.global.u64 %b, [%in+8]; ld.global.u64 %c, [%in+16];\n"
        "cvt.u32.u64 %x, %a; cvt.u32.u64 %y, %b; cvt.u32.u64 %z, %c;\n"
        "mov.b64 %f, %a; mov.b64 %g, %b; mov.b64 %h, %c;\n"
        "{1}\n{2}"
        "mul.wide.u32 %o, %lane, 8; add.u64 %out, %out, %o; st.global.u64 [%out], %d;\nret;\n}\n",
        snippet.name, body, isWide(snippet) ? "" : "cvt.u64.u32 %d, %w;\n");
  }
  return text;
}

std::vector<uint64_t> tilesmith::sass::inputs(unsigned count, uint64_t seed) {
  std::mt19937_64 random(seed);
  static constexpr uint64_t kSpecial[] = {0,
                                          1,
                                          2,
                                          ~uint64_t{0},
                                          0x80000000,
                                          0x7fffffff,
                                          0x7f800000,
                                          0xff800000,
                                          0x7fc00000,
                                          1,
                                          0x3f800000,
                                          0xbf800000,
                                          0x00800000,
                                          0x007fffff,
                                          0x7f7fffff,
                                          0x7c00,
                                          0x3c00,
                                          0x0400,
                                          0x8000,
                                          0x7ff0000000000000,
                                          0xfff8000000000000,
                                          0x3ff0000000000000,
                                          0x0010000000000000,
                                          0x8000000000000000,
                                          31,
                                          32,
                                          33,
                                          63,
                                          64,
                                          65};
  std::vector<uint64_t> values;
  for (unsigned n = 0; n < count; ++n)
    switch (random() % 4) {
    case 0:
      values.push_back(kSpecial[random() % std::size(kSpecial)]);
      break;
    case 1:
      values.push_back(random() % 100);
      break;
    case 2:
      values.push_back(std::bit_cast<uint32_t>(static_cast<float>(random() % 1000) / 8) |
                       random() << 52 << 3);
      break;
    default:
      values.push_back(random());
    }
  return values;
}

std::string tilesmith::sass::checkSnippet(Program &program, const Snippet &snippet, uint64_t seed) {
  constexpr unsigned kThreads = 64;
  std::vector<uint64_t> in = inputs(3 * kThreads, seed), out(kThreads);
  program.clearRanges();
  program.addRange(in.data(), in.size() * 8, "in");
  program.addRange(out.data(), out.size() * 8, "out");
  LaunchConfig config;
  config.block = {kThreads, 1, 1};
  config.maxInstructions = 100'000;
  const Report report =
      program.launch(snippet.name, config, {argument(in.data()), argument(out.data())});
  if (!report.ok())
    return std::string(snippet.name) + ": " + report.message;
  for (unsigned n = 0; n < kThreads; ++n) {
    const uint64_t want = snippet.expected(in[3 * n], in[3 * n + 1], in[3 * n + 2]);
    if (out[n] != want)
      return llvm::formatv("{0} of {1:x} {2:x} {3:x}: expected {4:x}, found {5:x}", snippet.name,
                           in[3 * n], in[3 * n + 1], in[3 * n + 2], want, out[n]);
  }
  return "";
}

std::vector<std::string> tilesmith::sass::checkSnippets(llvm::ArrayRef<uint8_t> cubin,
                                                        llvm::ArrayRef<Snippet> snippets) {
  std::vector<std::string> wrong;
  auto program = Program::create(cubin);
  if (!program)
    return {llvm::toString(program.takeError())};
  uint64_t seed = 1;
  for (const Snippet &snippet : snippets)
    if (std::string why = checkSnippet(**program, snippet, seed++); !why.empty())
      wrong.push_back(why);
  return wrong;
}

bool tilesmith::sass::isShown(const WrongRow &row, llvm::ArrayRef<Snippet> snippets) {
  const std::vector<uint8_t> cubin = readBytes(corpusFile("snippets.sm_80.O3.cubin"));
  PlantedRow planted(row.name, row.wrong);
  return !checkSnippets(cubin, snippets).empty();
}
