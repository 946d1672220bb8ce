//===- TileAAProgramsTest.cpp - random programs of nv_tileaa on engines --------------------------===//
//
// The interpreter of that stage says what a program of `generators/program` computes; the
// canonicalizers, nv_tileas and the emulated GPU at two levels must agree bit for bit.
//
// TILESMITH_TILEAA_PROGRAMS says how many programs run, TILESMITH_TILEAA_SEED the first one.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/support/Plants.h"
#include "generators/program/TileAAGenerator.h"
#include "oracles/engines/Engine.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include "gtest/gtest.h"

#include <cstdlib>
#include <set>

using namespace tilesmith;
using namespace tilesmith::oracles;
using llvm::formatv;

namespace {

using generators::TileAACase;

TileAACase programOf(uint64_t seed) {
  generators::ChoiceStream stream = generators::ChoiceStream::fromSeed(seed);
  return generators::generateTileAA(stream, llvm::formatv("tileaa-{0}", seed));
}

std::string textOf(const TileAACase &program) {
  const testcase::Bytes &bytes = program.testCase.launches[0].modules[0].bytes;
  return std::string(bytes.begin(), bytes.end());
}

/// Why the engines do not agree; empty when they do.
std::string disagreement(const TileAACase &program, Engine &first,
                         llvm::ArrayRef<std::unique_ptr<Engine>> others) {
  EngineResult want = first.run({program.testCase, "13.1", {}});
  if (!want.completed())
    return (first.name() + ": " + toString(want.status) + ": " + want.message).str();
  for (const std::unique_ptr<Engine> &engine : others) {
    EngineResult got = engine->run({program.testCase, "13.1", {}});
    if (!got.completed())
      return (engine->name() + ": " + toString(got.status) + ": " + got.message).str();
    for (size_t b = 0; b < want.buffers.size(); ++b)
      for (size_t i = 0; i < want.buffers[b].bytes.size(); ++i)
        if ((want.buffers[b].ignored.empty() || !want.buffers[b].ignored[i]) &&
            want.buffers[b].bytes[i] != got.buffers[b].bytes[i])
          return formatv("{0}: byte {1} of buffer {2} differs", engine->name(), i, b);
  }
  return "";
}

uint64_t setting(const char *name, uint64_t byDefault) {
  const char *given = std::getenv(name);
  return given ? std::strtoull(given, nullptr, 10) : byDefault;
}

std::vector<std::unique_ptr<Engine>> engines(llvm::StringRef list) {
  return llvm::cantFail(createEngines(list));
}

TEST(TileAAPrograms, EnginesAgree) {
  auto first = engines("tileaa"), others = engines("tileaa-opt,tileas,emulator,emulator@O0");
  uint64_t begin = setting("TILESMITH_TILEAA_SEED", 1),
           count = setting("TILESMITH_TILEAA_PROGRAMS", 40);
  std::map<std::string, unsigned> steps;
  unsigned failures = 0;
  for (uint64_t seed = begin; seed < begin + count && failures < 5; ++seed) {
    TileAACase program = programOf(seed);
    for (const std::string &name : std::set(program.trail.begin(), program.trail.end()))
      ++steps[name];
    std::string problem = disagreement(program, *first[0], others);
    failures += !problem.empty();
    EXPECT_EQ(problem, "") << "seed " << seed << "\n" << textOf(program);
  }
  for (auto &[name, programs] : steps)
    std::fprintf(stderr, "%-10s %u programs\n", name.c_str(), programs);
  if (count >= 40)
    EXPECT_EQ(steps.size(), generators::tileaaSteps().size()) << "every step is drawn";
}

/// The stored programs, and what was worked out for them.
TEST(TileAAPrograms, StoredOnesGiveTheirResults) {
  const char *root = std::getenv("TILESMITH_SOURCE_DIR");
  for (const char *name : {"structure", "agents", "agents_product"}) {
    auto testCase = llvm::cantFail(
        testcase::loadTestCase(std::string(root ? root : ".") + "/corpus/tileaa/" + name));
    for (const std::unique_ptr<Engine> &engine :
         engines("tileaa,tileaa-opt,tileas,emulator,emulator@O0,emulator@sm_100")) {
      EngineResult got = engine->run({testCase, "13.1", {}});
      ASSERT_TRUE(got.completed()) << engine->name().str() << ": " << got.message;
      for (auto [buffer, want] : llvm::zip_equal(got.buffers, testCase.buffers))
        EXPECT_EQ(buffer.bytes, want.expected()) << engine->name().str();
    }
    EngineResult refused = engines("reference")[0]->run({testCase, "13.1", {}});
    EXPECT_EQ(refused.status, EngineResult::Status::Unsupported);
  }
}

/// What the programs would notice.
TEST(TileAAPrograms, PlantedBugsAreFound) {
  if (plantRegistry().empty())
    GTEST_SKIP() << "built without planted bugs";
  for (const char *plant :
       {"clampf-bounds-swapped", "fold-addf-to-nearest", "gather-ignores-mask",
        "gather-ignores-other", "generate-coordinates-reversed", "histogram-ignores-mask",
        "in-bounds-of-any-dimension", "memref-stride-ignored", "queue-iterator-not-carried",
        "scan-always-inclusive"}) {
    llvm::cantFail(activatePlant(plant));
    auto first = engines("tileaa"), others = engines("tileaa-opt,emulator");
    bool found = false;
    for (uint64_t seed = 1; seed <= 200 && !found; ++seed)
      found = !disagreement(programOf(seed), *first[0], others).empty();
    EXPECT_TRUE(found) << plant;
    deactivatePlants();
  }
}

} // namespace
