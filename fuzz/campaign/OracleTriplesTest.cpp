//===- OracleTriplesTest.cpp - every oracle agrees, disagrees and abstains --------------------===//
//
// One row per oracle of OracleList.h: a module that it agrees on, a planted bug (in our compiler,
// in a stand-in tool, or in the kernel itself) that it calls wrong, and a module that it cannot
// decide. Each verdict comes from the oracle run on a real module. The modules are cases of
// corpus/planted, which differ in nothing but the switch, and kernels written here.
//
//===------------------------------------------------------------------------------------------===//
#include "fuzz/campaign/OracleList.h"

#include "compiler/bytecode/BytecodeWriter.h"
#include "compiler/support/Plants.h"
#include "fuzz/campaign/Judge.h"
#include "oracles/compilation/Compilation.h"
#include "oracles/devices/ptx/Checker.h"
#include "oracles/diagnostics/DiagnosticsOracle.h"
#include "oracles/engines/ModuleLoader.h"
#include "oracles/external/External.h"
#include "oracles/metamorphic/MetamorphicOracle.h"
#include "oracles/performance/Performance.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include "gtest/gtest.h"

#include <cstdlib>
#include <functional>
#include <set>

using namespace tilesmith;
using namespace tilesmith::fuzz;
using oracles::Verdict;
using testcase::DataType;
using testcase::TestCase;

namespace {

//===-- modules -------------------------------------------------------------------------------===//

TestCase stored(const std::string &name) {
  const char *root = std::getenv("TILESMITH_SOURCE_DIR");
  auto testCase = testcase::loadTestCase(std::string(root ? root : ".") + "/corpus/" + name);
  EXPECT_TRUE(static_cast<bool>(testCase)) << name << ": " << llvm::toString(testCase.takeError());
  return testCase ? std::move(*testCase) : TestCase();
}

/// A kernel that stores `%s`, a tile of 128 i32 that `body` computes of %x, 0 to 127.
TestCase kernel(llvm::StringRef body, int64_t blocks = 1) {
  std::string text = "cuda_tile.module @m { entry @k(%p: tile<ptr<i32>>) {\n"
                     "%x = iota : tile<128xi32>\n" +
                     body.str() +
                     "\n%r = reshape %p : tile<ptr<i32>> -> tile<1xptr<i32>>\n"
                     "%q = broadcast %r : tile<1xptr<i32>> -> tile<128xptr<i32>>\n"
                     "%o = offset %q, %x : tile<128xptr<i32>>, tile<128xi32> -> "
                     "tile<128xptr<i32>>\n"
                     "%t = store_ptr_tko weak %o, %s : tile<128xptr<i32>>, tile<128xi32> -> "
                     "token\nreturn } }";
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.getOrLoadDialect<cuda_tile::CudaTileDialect>();
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  EXPECT_TRUE(module) << text;
  std::string bytes;
  llvm::raw_string_ostream sink(bytes);
  if (module)
    llvm::cantFail(
        bytecode::writeBytecode(*module->getOps<cuda_tile::ModuleOp>().begin(), sink, {13, 3, 0}));
  TestCase result;
  result.name = "triple";
  result.generator = llvm::json::Object{{"name", "triple"}};
  testcase::Launch &launch = result.launches.emplace_back();
  launch.kernel = "k";
  launch.grid = {blocks, 1, 1};
  launch.modules.push_back({"13.3", "k.tileirbc", testcase::Bytes(bytes.begin(), bytes.end())});
  launch.params.push_back(testcase::Parameter::pointer(0, DataType::I32));
  testcase::Buffer &buffer = result.buffers.emplace_back();
  buffer.dtype = DataType::I32;
  buffer.shape = {128};
  buffer.strides = {1};
  buffer.data.assign(512, 0);
  buffer.compare.mode = testcase::Comparison::Mode::Enclosure;
  return result;
}

TestCase plain() {
  return kernel("%s = addi %x, %x : tile<128xi32>");
}
/// Division by zero: nothing that follows means anything.
TestCase undefined() {
  return kernel("%z = constant <i32: 0> : tile<128xi32>\n"
                "%s = divi %x, %z signed : tile<128xi32>");
}
/// As another writer would have made it.
/// The module under the name of a text, which is no round trip of bytecode.
TestCase asText(TestCase testCase) {
  testCase.launches.front().modules.front().file = "kernel.mlir";
  return testCase;
}

constexpr const char *kBroken = "cuda_tile.module @m {\n  entry @k() {\n"
                                "    %a = constant <f16: 1.0> : tile<4xf16>\n"
                                "    %b = mulf %a, %a flush_to_zero : tile<4xf16>\n  }\n}\n";

/// A text that breaks a rule.
TestCase broken(const char *profile = "tileiras-13.5") {
  TestCase result;
  result.name = "broken";
  testcase::Launch &launch = result.launches.emplace_back();
  std::string text = kBroken;
  launch.modules.push_back({"13.3", "kernel.mlir", testcase::Bytes(text.begin(), text.end())});
  result.features = {std::string("profile:") + profile};
  result.expectReject = testcase::ExpectedRejection{
      "flush_to_zero", "mulf", "4:10",
      "flush_to_zero modifier only supported for f32 data type, but got: 'f16'"};
  return result;
}

/// Bytecode that is cut off.
TestCase truncated() {
  TestCase result = plain();
  testcase::Bytes &bytes = result.launches.front().modules.front().bytes;
  bytes.resize(bytes.size() / 2);
  result.expectReject = testcase::ExpectedRejection{"file_tail", "", "", ""};
  return result;
}

//===-- running oracles -----------------------------------------------------------------------===//

std::string versionOf(const TestCase &testCase) {
  return testCase.versions().back();
}

/// Runs with a planted bug switched on.
Verdict planted(const char *plant, const std::function<Verdict()> &oracle) {
  llvm::cantFail(activatePlant(plant));
  oracles::ModuleLoader::forget();
  Verdict verdict = oracle();
  deactivatePlants();
  oracles::ModuleLoader::forget();
  return verdict;
}

Verdict engines(const char *list, const TestCase &testCase, bool self = false,
                bool checkPTX = false) {
  auto made = llvm::cantFail(oracles::createEngines(list));
  oracles::DifferentialOptions options;
  options.compareWithSelf = self;
  options.engine.checkPTX = checkPTX;
  return oracles::judgeModule(testCase, versionOf(testCase), made, options).verdict;
}

Verdict compilation(const TestCase &testCase, bool resources) {
  oracles::CompilationFacts first = oracles::compileOnce(testCase, versionOf(testCase), {});
  std::vector<std::unique_ptr<char[]>> elsewhere;
  for (unsigned i = 0; i < 20'000; ++i)
    elsewhere.push_back(std::make_unique<char[]>(16 + i * 16 % 1024));
  return resources ? oracles::judgeResources(first, oracles::kResourceLimits)
                   : oracles::judgeDeterminism(
                         first, oracles::compileOnce(testCase, versionOf(testCase), {}));
}

/// A small script in the place of a foreign tool; arguments are IN -o OUT ...
Verdict externally(const char *body, const TestCase &testCase) {
  llvm::SmallString<128> path;
  int descriptor;
  EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("tool", "sh", descriptor, path));
  {
    llvm::raw_fd_ostream out(descriptor, /*shouldClose=*/true);
    out << "#!/bin/sh\n" << body << '\n';
  }
  EXPECT_FALSE(llvm::sys::fs::setPermissions(path, llvm::sys::fs::all_all));
  oracles::ExternalTools tools;
  tools.compiler = body[0] ? path.str().str() : "/nonexistent/tileiras";
  Verdict verdict = oracles::judgeExternally(tools, testCase, versionOf(testCase));
  llvm::sys::fs::remove(path);
  return verdict;
}
constexpr const char *kTakesAll = "printf '\\177ELF and more' > \"$3\"";

/// build/PRESET/bin/tileiras, beside build/PRESET/tests of this test.
std::string compilerCommand() {
  std::string self =
      llvm::sys::fs::getMainExecutable("tests", reinterpret_cast<void *>(&compilerCommand));
  return llvm::sys::path::parent_path(llvm::sys::path::parent_path(self)).str() + "/bin/tileiras";
}

Verdict refusal(const TestCase &testCase, const std::string &tool) {
  llvm::SmallString<128> folder;
  EXPECT_FALSE(llvm::sys::fs::createUniqueDirectory("triple", folder));
  Verdict verdict = oracles::judgeToolRejection(testCase, versionOf(testCase), tool, folder);
  llvm::sys::fs::remove_directories(folder);
  return verdict;
}

Verdict forked(const TestCase &testCase, double seconds, bool dies) {
  ForkedJudge judge({seconds, 0}, [dies] {
    if (dies)
      std::abort();
  });
  JudgeOptions options;
  return judge.judge(testCase, versionOf(testCase), options).verdict;
}

/// The PTX parser on the code of a case, as `check` asks it.
Verdict parsedPTX(const TestCase &testCase) {
  return engines("reference,emulator", testCase, /*self=*/false, /*checkPTX=*/true);
}
/// A text with a mnemonic that does not exist.
Verdict wrongPTX() {
  ptx::CheckResult result = ptx::checkPTX(".version 8.0\n.target sm_90\n.address_size 64\n"
                                          ".visible .entry k()\n{\n  rat;\n}\n");
  return result.errors.empty() ? Verdict::agree() : Verdict::disagree("ptx", "text", result.str());
}

/// What the reference says of the accesses of a kernel: a race that it finds is a wrong kernel.
Verdict races(const TestCase &testCase) {
  auto reference = llvm::cantFail(oracles::createEngines("reference"));
  oracles::EngineResult result =
      reference.front()->run({testCase, versionOf(testCase), oracles::EngineOptions()});
  if (result.completed())
    return Verdict::agree();
  if (llvm::StringRef(result.message).contains("race"))
    return Verdict::disagree("races", "kernel", result.message);
  return Verdict::inconclusive(result.message);
}
/// Both blocks store their own number in the same place.
TestCase racing() {
  return kernel("%b, %c, %d = get_tile_block_id : tile<i32>\n"
                "%e = reshape %b : tile<i32> -> tile<1xi32>\n"
                "%s = broadcast %e : tile<1xi32> -> tile<128xi32>",
                2);
}

Verdict performance(int64_t limit, const char *gpu) {
  TestCase testCase = stored("planted/mma-drops-k-step");
  std::vector<std::string> missing;
  oracles::EngineOptions options;
  auto measure = [&] {
    return llvm::cantFail(oracles::measureCode(testCase, versionOf(testCase), options, missing,
                                               {/*emulator=*/false, /*ptxas=*/false}));
  };
  oracles::CodeFigures before = measure();
  options.compile.optBisectLimit = limit;
  options.compile.gpuName = gpu;
  return oracles::comparePerformance(&before, measure());
}

Verdict metamorphic(const TestCase &original, const TestCase &edited) {
  auto both = llvm::cantFail(oracles::createEngines("reference,emulator"));
  return oracles::judgeEdited(original, edited, "13.3", both, {}).verdict;
}
/// `plain` with its tile in two halves.
TestCase split() {
  return kernel("%0 = constant <i32: 0> : tile<i32>\n%1 = constant <i32: 1> : tile<i32>\n"
                "%a = extract %x[%0] : tile<128xi32> -> tile<64xi32>\n"
                "%b = extract %x[%1] : tile<128xi32> -> tile<64xi32>\n"
                "%c = addi %a, %a : tile<64xi32>\n%d = addi %b, %b : tile<64xi32>\n"
                "%s = cat %c, %d dim = 0 : tile<64xi32>, tile<64xi32> -> tile<128xi32>");
}
/// Rounds toward zero; the result is exact.
TestCase rounded() {
  return kernel("%f = itof %x signed : tile<128xi32> -> tile<128xf32>\n"
                "%g = addf %f, %f rounding<zero> : tile<128xf32>\n"
                "%s = ftoi %g signed : tile<128xf32> -> tile<128xi32>");
}
/// A constant of different elements: a table in the module.
TestCase table() {
  std::string elements;
  for (int i = 0; i < 128; ++i)
    elements += (i ? ", " : "") + std::to_string(i * i % 97);
  return kernel("%c = constant <i32: [" + elements +
                "]> : tile<128xi32>\n%s = addi %x, %c : tile<128xi32>");
}
/// Wide tiles: hundreds of registers for each thread.
TestCase wide() {
  std::string body = "%w0 = iota : tile<65536xi32>\n";
  for (int i = 1; i < 12; ++i)
    body += "%w" + std::to_string(i) + " = muli %w" + std::to_string(i - 1) + ", %w" +
            std::to_string(i - 1) + " : tile<65536xi32>\n";
  return kernel(body + "%0 = constant <i32: 0> : tile<i32>\n"
                       "%s = extract %w11[%0] : tile<65536xi32> -> tile<128xi32>");
}

//===-- the triples ---------------------------------------------------------------------------===//

struct Triple {
  const char *oracle;
  std::function<Verdict()> agrees, disagrees, abstains;
};

/// The case of corpus/planted with and without its bug; undefined behaviour is what engines cannot
/// decide.
Triple onEngines(const char *oracle, const char *list, const char *plant, bool self = false) {
  std::string name = std::string("planted/") + plant;
  return {oracle, [=] { return engines(list, stored(name), self); },
          [=] { return planted(plant, [&] { return engines(list, stored(name), self); }); },
          [=] {
            // The reference knows what is undefined; it stands first wherever it is not the oracle.
            std::string all = list;
            if (!llvm::StringRef(all).starts_with("reference"))
              all = "reference," + all;
            return engines(all.c_str(), undefined(), self);
          }};
}

/// One oracle, the module, and the bug that is planted.
Triple onModule(const char *oracle, const std::function<Verdict(const TestCase &)> &judge,
                TestCase (*module)(), const char *plant, TestCase (*undecided)()) {
  return {oracle, [=] { return judge(module()); },
          [=] { return planted(plant, [&] { return judge(module()); }); },
          [=] { return judge(undecided()); }};
}

std::vector<Triple> triples() {
  auto determinism = [](const TestCase &testCase) { return compilation(testCase, false); };
  auto resources = [](const TestCase &testCase) { return compilation(testCase, true); };
  auto roundTrips = [](const TestCase &testCase) {
    return judgeRoundTrips(testCase, versionOf(testCase), /*fresh=*/false);
  };
  auto hazards = [](const TestCase &testCase) {
    return judgeHazards(testCase, versionOf(testCase), {});
  };
  return {
      {"must-compile", [] { return engines("emulator", split()); },
       [] {
         return planted("verifier-cat-wants-shape-of-operands",
                        [module = split()] { return engines("emulator", module); });
       },
       [] { return forked(plain(), 0.0001, /*dies=*/false); }},
      {"must-reject", [] { return refusal(truncated(), compilerCommand()); },
       [] { return refusal(truncated(), "/bin/true"); },
       [] { return refusal(broken(), compilerCommand()); }},
      {"diagnostics", [] { return oracles::judgeRejection(broken(), "13.3"); },
       [] {
         return planted("verifier-forgets-flush-to-zero",
                        [] { return oracles::judgeRejection(broken(), "13.3"); });
       },
       [] { return oracles::judgeRejection(broken("nobody"), "13.3"); }},
      onEngines("expectation", "emulator", "swizzle-bit-flipped"),
      onEngines("tileaa", "reference,tileaa", "select-operands-swapped"),
      onEngines("tileaa-opt", "reference,tileaa-opt", "fold-mask-false-as-true"),
      onEngines("tileas", "reference,tileas", "select-operands-swapped"),
      onEngines("emulator", "reference,emulator", "swizzle-bit-flipped"),
      onEngines("schedules", "emulator", "barrier-dropped-in-convert-layout", /*self=*/true),
      onEngines("levels", "emulator@O0,emulator@O3", "swizzle-bit-flipped"),
      onEngines("targets", "emulator@O0:sm_100,emulator@O3:sm_80", "mma-drops-k-step"),
      onEngines("fast-path", "emulator@O0,emulator@O3", "mma-fragment-rows-swapped"),
      {"ptx", [] { return parsedPTX(plain()); }, wrongPTX, [] { return parsedPTX(undefined()); }},
      onModule("bytecode-round-trip", roundTrips, table, "reader-splats-constants",
               [] { return asText(table()); }),
      onModule("text-round-trip", roundTrips, rounded, "printer-drops-rounding-to-zero",
               [] { return asText(rounded()); }),
      onModule("determinism", determinism, table, "tables-named-by-address", truncated),
      onModule("resources", resources, wide, "register-loops-written-out", truncated),
      {"metamorphic", [] { return metamorphic(plain(), split()); },
       [] {
         TestCase original = plain(), edited = split();
         return planted("reader-swaps-cat", [&] { return metamorphic(original, edited); });
       },
       [] { return metamorphic(undefined(), plain()); }},
      onModule(
          "hazards", hazards, [] { return stored("planted/tile-broadcast-barrier-dropped"); },
          "tile-broadcast-barrier-dropped", truncated),
      {"races", [] { return races(plain()); }, [] { return races(racing()); },
       [] { return races(undefined()); }},
      {"crash", [] { return forked(plain(), 60, /*dies=*/false); },
       [] { return forked(plain(), 60, /*dies=*/true); },
       [] { return forked(plain(), 0.0001, /*dies=*/false); }},
      {"performance", [] { return performance(-1, "sm_90"); },
       [] { return performance(0, "sm_90"); }, [] { return performance(-1, "sm_80"); }},
      {"external", [] { return externally(kTakesAll, plain()); },
       [] { return externally(kTakesAll, truncated()); }, [] { return externally("", plain()); }},
  };
}

/// Oracles without a triple here, and where theirs is.
struct Elsewhere {
  const char *oracle, *test, *reason;
};
constexpr Elsewhere kElsewhere[] = {
    {"cuda", "oracles/engines/cuda/test", "needs a GPU; there a stand-in driver"},
};

class OracleTriples : public testing::TestWithParam<Triple> {};

// A module that a compiler may refuse has no round trip when ours does.
TEST(RoundTrips, MayBeRefused) {
  TestCase testCase = truncated();
  EXPECT_TRUE(judgeRoundTrips(testCase, versionOf(testCase), /*fresh=*/false).isDisagree());
  testCase.mayReject = true;
  EXPECT_TRUE(judgeRoundTrips(testCase, versionOf(testCase), /*fresh=*/false).isInconclusive());
}

TEST_P(OracleTriples, AgreesDisagreesAndAbstains) {
#ifndef TILESMITH_PLANTS
  GTEST_SKIP() << "built without planted bugs (preset dist)";
#endif
  const Triple &triple = GetParam();
  Verdict agrees = triple.agrees();
  EXPECT_TRUE(agrees.isAgree()) << agrees.str();
  Verdict disagrees = triple.disagrees();
  EXPECT_TRUE(disagrees.isDisagree()) << disagrees.str();
  Verdict abstains = triple.abstains();
  EXPECT_TRUE(abstains.isInconclusive() || abstains.isUnavailable()) << abstains.str();
  std::fprintf(stderr, "  %s\n  %s\n", disagrees.str().substr(0, 150).c_str(),
               abstains.str().substr(0, 150).c_str());
}

INSTANTIATE_TEST_SUITE_P(All, OracleTriples, testing::ValuesIn(triples()), [](const auto &info) {
  std::string name = info.param.oracle;
  for (char &c : name)
    c = c == '-' ? '_' : c;
  return name;
});

// Every oracle of the list has its triple, every triple its oracle.
TEST(OracleList, EveryOracleHasATriple) {
  std::set<std::string> tested, listed;
  for (const Triple &triple : triples())
    EXPECT_TRUE(tested.insert(triple.oracle).second) << triple.oracle;
  const char *root = std::getenv("TILESMITH_SOURCE_DIR");
  for (const Elsewhere &row : kElsewhere) {
    EXPECT_TRUE(tested.insert(row.oracle).second) << row.oracle;
    if (root)
      EXPECT_TRUE(llvm::sys::fs::exists(std::string(root) + "/" + row.test)) << row.test;
  }
  for (const OracleInfo &info : oracleList()) {
    listed.insert(info.name.str());
    std::fprintf(stderr, "%-20s %-66s %s\n", info.name.data(), info.question.data(),
                 info.runs.data());
  }
  EXPECT_EQ(tested, listed);
}

// Nothing under oracles/ judges without a row: every engine, every folder.
TEST(OracleList, NamesEveryEngineAndFolder) {
  std::set<std::string> names, places;
  for (const OracleInfo &info : oracleList()) {
    names.insert(info.name.str());
    places.insert(info.place.str());
  }
  for (const oracles::EngineEntry &engine : oracles::engineRegistry())
    EXPECT_TRUE(engine.name == "reference" || names.count(engine.name.str()))
        << engine.name.str() << " is an engine without a row";
  const char *root = std::getenv("TILESMITH_SOURCE_DIR");
  if (!root)
    GTEST_SKIP() << "needs the source folder in TILESMITH_SOURCE_DIR, as ctest sets it";
  for (const char *parent : {"", "engines/", "devices/"}) {
    std::error_code code;
    for (llvm::sys::fs::directory_iterator it(std::string(root) + "/oracles/" + parent, code), end;
         it != end && !code; it.increment(code))
      if (std::string name = parent + llvm::sys::path::filename(it->path()).str();
          llvm::sys::fs::is_directory(it->path()) && name != "verdict" && name != "devices")
        EXPECT_TRUE(places.count(name)) << "oracles/" << name << " is the place of no row";
  }
}

} // namespace
