//===- CliTest.cpp ----------------------------------------------------------------------------===//
//
// Runs the built command and checks exit codes and last lines: the surface that scripts rely on. One
// file, though long: a few tests for each command share how it is run (CommandTest.h).
//
//===------------------------------------------------------------------------------------------===//
#include "fuzz/cli/CommandTest.h"
#include "fuzz/store/Store.h"

#include "llvm/Support/JSON.h"

#include <filesystem>
#include <fstream>

using namespace tilesmith::fuzz;
using testing::HasSubstr;

namespace {

std::string corpus(const std::string &name) {
  return corpusFolder("frontends/" + name);
}

using Cli = CommandTest;

TEST_F(Cli, AnAgreeingCaseEndsWithZero) {
  const std::string engine = "emulator@O2:w4:sm_90:optimized";
  Outcome outcome =
      run({"check", corpus("ew_arith_f32"), "--engines=reference,emulator," + engine});
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr("3 passed, 0 failed, 0 inconclusive, 0 unavailable\n"));
  EXPECT_THAT(outcome.output, HasSubstr("13.2     emulator                agree"));
  EXPECT_THAT(outcome.output, HasSubstr("13.2     " + engine + " agree"));
}

TEST_F(Cli, ARunKeepsTheBuffersOfEveryEngine) {
  std::string folder = directory + "/results";
  Outcome outcome =
      run({"run", corpus("ew_intarith_i32"), "-o", folder, "--engine=reference,emulator@O0:sm_80"});
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr("2 of 2 engines completed"));
  auto bytes = [&](const std::string &path) {
    auto file = llvm::MemoryBuffer::getFile(path, false, false);
    return file ? (*file)->getBuffer().str() : "no " + path;
  };
  std::string expected = bytes(corpus("ew_intarith_i32/b2.out.bin"));
  EXPECT_EQ(bytes(folder + "/reference.b2.bin"), expected);
  EXPECT_EQ(bytes(folder + "/emulator-O0-sm_80.b2.bin"), expected);
  EXPECT_THAT(bytes(folder + "/run.json"), HasSubstr("\"status\": \"completed\""));
  EXPECT_EQ(run({"run", corpus("ew_intarith_i32"), "-o", folder, "--engine=nosuch"}).code, 2);
  EXPECT_EQ(run({"run", corpus("ew_intarith_i32"), "-o", folder, "--version=13.9"}).code, 2);
}

TEST_F(Cli, AnImportedKernelIsACaseThatPasses) {
  auto read = [](const std::string &path) {
    auto file = llvm::MemoryBuffer::getFile(path, false, false);
    return file ? (*file)->getBuffer().str() : "";
  };
  std::string from = corpus("ew_intarith_i32"), module = from + "/ew_intarith_i32.v13.3.tileirbc",
              array = directory + "/x.npy", folder = directory + "/imported";
  std::string header = "{'descr': '<i4', 'fortran_order': False, 'shape': (300,), }";
  header.resize(117, ' ');
  std::ofstream(array, std::ios::binary) << "\x93NUMPY\x01" << std::string(1, '\0') << char(118)
                                         << std::string(1, '\0') << header << '\n'
                                         << read(from + "/b0.bin");
  // Of the size of f64, and yet none.
  std::string complexArray = directory + "/complex.npy", words = read(array);
  words.replace(words.find("<i4"), 3, "<c8");
  std::ofstream(complexArray, std::ios::binary) << words;
  auto import = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"import", module, "-o", folder, "--grid=5,6"});
    return run(words);
  };
  Outcome outcome = import({"--arg=view:" + array, "--arg=view:raw:i32:300:" + from + "/b1.bin",
                            "--arg=view:zeros:i32:6x300"});
  ASSERT_EQ(outcome.code, 0) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr("int_arith: 11 parameters, 3 buffers"));
  EXPECT_EQ(read(folder + "/b2.out.bin"), read(from + "/b2.out.bin"));
  EXPECT_EQ(run({"check", folder, "--jobs=1", "--expect-passed=1"}).code, 0);

  std::string one = "--arg=view:" + array, zeros = "--arg=view:zeros:i32:6x300";
  for (auto [words, message] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{one}, "expected 11 parameters of 'int_arith'"},
           {{one, one, zeros, "--arg=3"}, "found '3'"},
           {{"--arg=3"}, "zeros:TYPE:EXTENTS) for parameter 0, found '3'"},
           {{"--arg=zeros:i64:300"}, "expected elements of 4 bytes (i32) for parameter 0"},
           {{"--arg=f64:" + complexArray}, "in front of '" + complexArray + "', found 'c8'"},
           {{"--arg=" + array, "--arg=" + array}, "expected a number for parameter 1"},
           {{"--arg=" + array, "--arg=1e3"}, "expected an integer"},
           {{"--arg=f64:" + array}, "elements of 8 bytes"},
           {{"--arg=raw:i32:7:" + array}, "expected 28 bytes"},
           {{"--arg=" + directory + "/no.npy"}, "cannot read"},
           {{"--entry=nothing"}, "expected --entry to be one of int_arith"},
           {{"--grid=0"}, "for --grid, found '0'"},
           {{one, one, "--arg=view:zeros:i32:300"}, "expected 11 parameters"}}) {
    Outcome refused = import(words);
    EXPECT_EQ(refused.code, 2) << message;
    EXPECT_THAT(refused.output, HasSubstr(message));
  }
  outcome = run({"check", module});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.output, HasSubstr("`tilesmith import " + module));
}

TEST_F(Cli, ImportKeepsWhatAKernelLeavesOpen) {
  // Four of eight elements are loaded; what is stored of the others is open, also where the reference
  // happens to store what lay there.
  std::string module = directory + "/open.mlir", folder = directory + "/open";
  std::ofstream(module) << R"(cuda_tile.module @m {
  entry @copy(%from: tile<ptr<i32>>, %to: tile<ptr<i32>>) {
    %lane = iota : tile<8xi32>
    %four = constant <i32: 4> : tile<8xi32>
    %known = cmpi less_than %lane, %four, signed : tile<8xi32> -> tile<8xi1>
    %from_1 = reshape %from : tile<ptr<i32>> -> tile<1xptr<i32>>
    %from_8 = broadcast %from_1 : tile<1xptr<i32>> -> tile<8xptr<i32>>
    %source = offset %from_8, %lane : tile<8xptr<i32>>, tile<8xi32> -> tile<8xptr<i32>>
    %to_1 = reshape %to : tile<ptr<i32>> -> tile<1xptr<i32>>
    %to_8 = broadcast %to_1 : tile<1xptr<i32>> -> tile<8xptr<i32>>
    %target = offset %to_8, %lane : tile<8xptr<i32>>, tile<8xi32> -> tile<8xptr<i32>>
    %x, %loaded = load_ptr_tko weak %source, %known : tile<8xptr<i32>>, tile<8xi1> -> tile<8xi32>, token
    %stored = store_ptr_tko weak %target, %x : tile<8xptr<i32>>, tile<8xi32> -> token
    return
  }
}
)";
  Outcome outcome = run({"import", module, "-o", folder, "--arg=zeros:i32:8", "--arg=zeros:i32:8"});
  ASSERT_EQ(outcome.code, 0) << outcome.output;
  auto open = llvm::MemoryBuffer::getFile(folder + "/b1.open.bin", false, false);
  ASSERT_TRUE(open);
  EXPECT_EQ((*open)->getBuffer(), std::string(16, '\0') + std::string(16, '\1'));
}

TEST_F(Cli, EveryOptionOfAnEngineReachesIt) {
  std::string counters = directory + "/counters";
  Outcome outcome =
      run({"replay", corpus("ew_arith_f32"), "--version=13.1", "-O1", "--gpu-name=sm_80",
           "--warps=8", "--strategies=tma", "--opt-bisect-limit=2", "--cuda-path=" + directory,
           "--profile=tileiras-13.1", "--seed=3", "--schedule=random", "--detect-races",
           "--counters=" + counters});
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  auto lines = llvm::MemoryBuffer::getFile(counters);
  ASSERT_TRUE(static_cast<bool>(lines)) << outcome.output;
  for (const char *what : {"\"opt_level\":1", "\"threads\":256", "\"schedule\":\"random (seed 3)"})
    EXPECT_THAT((*lines)->getBuffer().str(), HasSubstr(what));
  for (const char *wrong : {"-O4", "--warps=3", "--strategies=none", "--opt-bisect-limit=x",
                            "--profile=14", "--seed=x"})
    EXPECT_EQ(run({"replay", corpus("ew_arith_f32"), wrong}).code, 2) << wrong;
}

TEST_F(Cli, OneVersionCanBePicked) {
  Outcome outcome = run({"check", corpus("ew_arith_f32"), "--version=13.1", "--expect-passed=1"});
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr("1 passed, "));
}

TEST_F(Cli, AnotherNumberOfPassesThanExpectedIsAFailure) {
  EXPECT_EQ(run({"check", corpus("ew_arith_f32"), "--engines=reference", "--expect-passed=4"}).code,
            1);
}

TEST_F(Cli, AWrongExpectationIsAFailure) {
  // A copy of the case whose expectation has one bit flipped.
  std::error_code code;
  for (llvm::sys::fs::directory_iterator it(corpus("ew_arith_f32"), code), end; it != end && !code;
       it.increment(code))
    llvm::sys::fs::copy_file(it->path(),
                             directory + "/" + llvm::sys::path::filename(it->path()).str());
  std::fstream file(directory + "/b2.out.bin", std::ios::in | std::ios::out | std::ios::binary);
  file.seekg(400);
  char byte = static_cast<char>(file.get() ^ 1);
  file.seekp(400);
  file.put(byte);
  file.close();
  Outcome outcome = run({"check", directory, "--engines=reference"});
  EXPECT_EQ(outcome.code, 1) << outcome.output;
  EXPECT_THAT(outcome.output,
              HasSubstr("reference against the stored expectation, buffer 2: 1 of 1000 elements"));
}

TEST_F(Cli, UsageErrorsAndUnreadableInputEndWithTwo) {
  EXPECT_EQ(run({}).code, 2);
  EXPECT_EQ(run({"nonsense"}).code, 2);
  EXPECT_EQ(run({"check"}).code, 2);
  EXPECT_EQ(run({"check", "/nonexistent"}).code, 2);
  EXPECT_EQ(run({"check", corpus("ew_arith_f32"), "--engines=abacus"}).code, 2);
  EXPECT_EQ(run({"check", corpus("ew_arith_f32"), "--gpu-name=sm_1"}).code, 2);
  EXPECT_EQ(run({"check", corpus("ew_arith_f32"), "--plant=nobody"}).code, 2);
  EXPECT_EQ(run({"check", corpus("ew_arith_f32"), "--no-such-option"}).code, 2);
  EXPECT_EQ(run({"fuzz", "--schedule=sideways"}).code, 2);
  std::ofstream(directory + "/case.json") << "{\"name\": 3}";
  EXPECT_EQ(run({"check", directory}).code, 2);
}

TEST_F(Cli, AMissingEngineEndsWithThree) {
  Outcome outcome = run({"check", corpus("ew_arith_f32"), "--engines=reference,cuda"});
  EXPECT_EQ(outcome.code, 3) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr("0 passed, 0 failed, 0 inconclusive, 3 unavailable"));
}

TEST_F(Cli, NothingToPassEndsWithThree) {
  Outcome outcome = run({"check", corpus("ew_arith_f32"), "--version=13.9"});
  EXPECT_EQ(outcome.code, 3) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr("has no module of version 13.9"));
}

TEST_F(Cli, TooManyInconclusiveModulesEndWithFour) {
  // With almost no time for a module, the time limit makes all of them inconclusive, and nothing
  // passes.
  EXPECT_EQ(run({"check", corpus("matmul_f32_exact"), "--timeout=0.0001"}).code, 3);
  // One module in four: a case that asks for verifier rules of a profile that nobody knows.
  std::string unknown = directory + "/unknown";
  ASSERT_FALSE(llvm::sys::fs::create_directory(unknown));
  std::string from = corpusFolder("planted/verifier-cat-skips-last-dimension");
  for (const char *name : {"kernel.v13.3.tileirbc", "choices.bin"})
    ASSERT_FALSE(llvm::sys::fs::copy_file(from + "/" + name, unknown + "/" + name));
  auto text = llvm::MemoryBuffer::getFile(from + "/case.json");
  ASSERT_TRUE(bool(text));
  llvm::StringRef rest = (*text)->getBuffer();
  ASSERT_TRUE(rest.consume_front("{"));
  std::ofstream(unknown + "/case.json") << "{\"features\": [\"profile:nobody\"]," << rest.str();
  Outcome outcome = run({"check", corpus("ew_arith_f32"), unknown});
  EXPECT_EQ(outcome.code, 4) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr("3 passed, 0 failed, 1 inconclusive, 0 unavailable\n"));
  EXPECT_EQ(run({"check", corpus("ew_arith_f32"), unknown, "--max-inconclusive=24.9"}).code, 4);
  EXPECT_EQ(run({"check", corpus("ew_arith_f32"), unknown, "--max-inconclusive=25"}).code, 0);
}

TEST_F(Cli, FuzzingIsReproducibleAndFindsNothing) {
  // What was run and found, without how long it took; how many float results there were, and of
  // which kind, is a fingerprint of the kernels.
  auto fuzz = [&](const char *seed, const char *jobs) {
    Outcome outcome =
        run({"fuzz", std::string("--seed=") + seed, "--count=30", std::string("--jobs=") + jobs,
             "--max-inconclusive=4", "-o", directory + "/findings"});
    // Of 30 cases one may be inconclusive: a buffer may be left open by the language.
    EXPECT_EQ(outcome.code, 0) << outcome.output;
    EXPECT_THAT(outcome.output, HasSubstr(" passed, 0 failed, "));
    EXPECT_THAT(outcome.output, HasSubstr(" inconclusive, 0 unavailable\n"));
    EXPECT_THAT(outcome.output, HasSubstr(std::string("seed ") + seed + ": 30 cases"));
    EXPECT_THAT(outcome.output, HasSubstr("float results: "));
    return outcome.output.substr(outcome.output.find("float results: "));
  };
  std::string first = fuzz("1", "2");
  EXPECT_EQ(first, fuzz("1", "1"));
  EXPECT_NE(first, fuzz("2", "2"));
}

std::string readText(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  return buffer ? (*buffer)->getBuffer().str() : "";
}

TEST_F(Cli, CheckWritesForOtherPrograms) {
  const std::string json = directory + "/r.json", junit = directory + "/r.xml";
  std::vector<std::string> words = {"check",
                                    corpusFolder("regressions/view-index-beyond"),
                                    corpusFolder("planted/fma-addend-swapped"),
                                    "--quiet",
                                    "-o",
                                    json,
                                    "-o",
                                    junit};
  Outcome good = run(words);
  EXPECT_EQ(good.code, 0);
  EXPECT_EQ(good.output, "2 passed, 0 failed, 0 inconclusive, 0 unavailable\n");
  auto parsed = llvm::json::parse(readText(json));
  ASSERT_TRUE(static_cast<bool>(parsed));
  EXPECT_EQ(parsed->getAsObject()->getArray("modules")->size(), 2u);
  EXPECT_THAT(readText(junit), HasSubstr("tests=\"2\" failures=\"0\" skipped=\"0\""));
  if (!llvm::StringRef(run({"plants"}).output).starts_with("built without")) {
    words.push_back("--plant=fma-addend-swapped");
    Outcome bad = run(words);
    EXPECT_EQ(bad.code, 1);
    EXPECT_THAT(bad.output, testing::Not(HasSubstr("view-index-beyond")));
    EXPECT_THAT(readText(junit), HasSubstr("failures=\"1\""));
    EXPECT_THAT(readText(junit), HasSubstr("<failure message=\"disagree: emulator against"));
  }
  EXPECT_EQ(run({"check", corpusFolder("regressions/view-index-beyond"), "-o", "r.txt"}).code, 2);
}

TEST_F(Cli, AStoreGoesOnWhereItStopped) {
  std::string db = "--db=" + directory + "/a.db", out = directory + "/findings";
  Outcome first = run({"fuzz", db, "--seed=1", "--count=12", "--jobs=2", "-o", out});
  EXPECT_EQ(first.code, 0) << first.output;
  // The seed is the store's.
  Outcome second = run({"fuzz", db, "--count=20", "--jobs=2", "-o", out});
  EXPECT_EQ(second.code, 0) << second.output;
  EXPECT_THAT(second.output, HasSubstr("going on after 12 finished cases\n"));
  EXPECT_THAT(second.output, HasSubstr("seed 1: 8 cases in "));
  EXPECT_THAT(second.output, HasSubstr("20 passed, 0 failed"));
}

TEST_F(Cli, ShardsJoinToTheWholeCampaign) {
  for (std::string shard : {"0", "1"}) {
    Outcome outcome = run({"fuzz", "--db=" + directory + "/" + shard + ".db", "--seed=1",
                           "--count=12", "--shard=" + shard + "/2", "-o", directory + "/f"});
    EXPECT_EQ(outcome.code, 0) << outcome.output;
    EXPECT_THAT(outcome.output, HasSubstr("6 passed, 0 failed"));
  }
  Outcome merged =
      run({"merge", directory + "/0.db", directory + "/1.db", "-o", directory + "/all.db"});
  EXPECT_EQ(merged.code, 0) << merged.output;
  EXPECT_THAT(merged.output, HasSubstr("2 campaigns, 12 cases, 0 findings, 0 bugs\n"));
  EXPECT_EQ(run({"merge", directory + "/0.db", "-o", directory + "/all.db"}).code, 2)
      << "an old store is not overwritten";
  EXPECT_EQ(run({"fuzz", "--shard=2/2"}).code, 2);
  EXPECT_EQ(run({"report", "--db=" + directory + "/none.db", "-o", directory + "/r.html"}).code, 2);
  EXPECT_EQ(run({"report", "--db=" + directory + "/all.db", "-o", directory + "/r.txt"}).code, 2);
}

TEST_F(Cli, APlantedBugIsFoundBlamedReducedAndReported) {
  Outcome table = run({"plants"});
  if (llvm::StringRef(table.output).count('\n') < 2)
    GTEST_SKIP() << "built without planted bugs (preset dist)";
  const std::string plant = "--plant=itof-unsigned-as-signed", db = "--db=" + directory + "/a.db";
  Outcome found = run({"fuzz", db, "--seed=1", "--count=400", "--stop-at-first", plant, "-o",
                       directory + "/findings"});
  EXPECT_EQ(found.code, 1) << found.output;
  EXPECT_THAT(found.output, HasSubstr(" is new bug "));
  EXPECT_THAT(found.output, HasSubstr("convert-cudatile-to-tileaa (pass)"));
  Outcome report = run({"report", db, "-o", directory + "/r.html", "-o", directory + "/r.xml"});
  EXPECT_EQ(report.code, 0) << report.output;
  auto page = llvm::MemoryBuffer::getFile(directory + "/r.html");
  ASSERT_TRUE(static_cast<bool>(page));
  EXPECT_THAT((*page)->getBuffer().str(), HasSubstr("itof "));
  // Nothing new on the same build; a build without the bug has fixed it, and one with it has it again.
  const std::string once = "--count=4";
  Outcome open = run({"fuzz", db, "--seed=1", once, plant, "--build=A", "-o", directory + "/f"});
  EXPECT_EQ(open.code, 0) << open.output;
  EXPECT_THAT(open.output, HasSubstr("bugs: 0 new, 0 regressed, 1 open, 0 known, 0 fixed"));
  Outcome fixed = run({"fuzz", db, "--seed=1", once, "--build=B", "-o", directory + "/f"});
  EXPECT_EQ(fixed.code, 0) << fixed.output;
  EXPECT_THAT(fixed.output, HasSubstr(" is fixed: convert-cudatile-to-tileaa"));
  Outcome again = run({"fuzz", db, "--seed=1", once, plant, "--build=C", "-o", directory + "/f"});
  EXPECT_EQ(again.code, 1) << again.output;
  EXPECT_THAT(again.output, HasSubstr(" has regressed: convert-cudatile-to-tileaa"));
  // A suppression gets past it; what it matches fails nothing.
  std::ofstream(directory + "/known")
      << "convert-cudatile-to-tileaa: emulator against reference* => on purpose\n";
  Outcome known = run({"fuzz", "--db=" + directory + "/b.db", "--seed=1", "--count=12", plant,
                       "--known=" + directory + "/known", "-o", directory + "/known-findings"});
  EXPECT_THAT(known.output, HasSubstr("0 failed")) << known.output;
}

TEST_F(Cli, OfFindingsThatLookAlikeAFewAreKept) {
  if (llvm::StringRef(run({"plants"}).output).starts_with("built without"))
    GTEST_SKIP() << "built without planted bugs (preset dist)";
  Outcome found = run({"fuzz", "--seed=3", "--count=200", "--plant=addf-toward-zero", "--no-triage",
                       "--db=" + directory + "/a.db", "-o", directory + "/findings"});
  EXPECT_EQ(found.code, 1) << found.output;
  EXPECT_THAT(found.output, HasSubstr("\n  (not saved: 10 that look like it are)\n"));
  size_t folders = 0;
  std::error_code code;
  for (llvm::sys::fs::directory_iterator it(directory + "/findings", code), end; it != end && !code;
       it.increment(code))
    ++folders;
  const size_t findings = llvm::StringRef(found.output).count("finding s3-");
  EXPECT_GE(folders, 10u);
  EXPECT_LT(folders, findings);
  auto store = Store::open(directory + "/a.db");
  ASSERT_TRUE(static_cast<bool>(store));
  EXPECT_EQ(store->findings().size(), findings);
  Coverage coverage = store->coverage();
  std::map<std::string, uint64_t> rewrites = splitRewrites(coverage);
  EXPECT_GT(rewrites["tileaa-canonicalize/hoist-extract"], 0u);
  EXPECT_EQ(rewrites.count("tileaa-canonicalize/prune-queue-get-results"), 1u) << "never fires";
  for (const StoredFinding &finding : store->findings())
    EXPECT_FALSE(store->files(finding.id).empty()) << finding.name;
}

TEST_F(Cli, CurvesDependOnTheSeedsAloneAndStandOnThePage) {
  auto curve = [&](const std::string &name, std::vector<std::string> more) {
    std::vector<std::string> words{
        "fuzz", "--seed=4", "--count=12", "--curve=" + directory + name, "-o", directory + "/f"};
    words.insert(words.end(), more.begin(), more.end());
    Outcome outcome = run(words);
    EXPECT_EQ(outcome.code, 0) << outcome.output;
    auto buffer = llvm::MemoryBuffer::getFile(directory + name);
    return buffer ? (*buffer)->getBuffer().str() : "";
  };
  const std::string one = curve("/one.json", {"--seeds=2", "--jobs=1"});
  EXPECT_EQ(one, curve("/two.json", {"--seeds=2", "--jobs=2"}));
  const std::string guided = curve("/guided.json", {"--seeds=1", "--jobs=1", "--guided"});
  EXPECT_EQ(guided, curve("/again.json", {"--seeds=1", "--jobs=1", "--guided"}));
  EXPECT_THAT(guided, HasSubstr("guided-share=2"));
  Outcome page = run({"report", "--curve=" + directory + "/one.json",
                      "--curve=" + directory + "/guided.json", "-o", directory + "/r.html"});
  EXPECT_EQ(page.code, 0) << page.output;
  for (std::vector<std::string> wrong : {std::vector<std::string>{"--curve=x.json", "--seeds=0"},
                                         {"--curve=x.json", "--time=1"},
                                         {"--curve=x.json", "--db=x.db"},
                                         {"--curve="},
                                         {"--seeds=2"},
                                         {"--guided-share=2"},
                                         {"--guided", "--guided-share=0"},
                                         {"--curve=" + directory + "/none/x.json"}}) {
    wrong.insert(wrong.begin(), {"fuzz", "--count=1"});
    Outcome refused = run(wrong);
    EXPECT_EQ(refused.code, 2) << wrong.back() << refused.output;
    EXPECT_THAT(refused.output, testing::StartsWith("error: ")) << wrong.back();
  }
}

// With one worker the cases are a function of the seed; what was kept is there for the next campaign.
TEST_F(Cli, GuidedCampaignsKeepTheirStreams) {
  auto fuzz = [&](const std::string &seed, const std::string &db) {
    return run({"fuzz", "--guided", "--seed=" + seed, "--count=20", "--jobs=1",
                "--db=" + directory + db, "-o", directory + "/f"})
        .output;
  };
  auto streams = [&](const std::string &db) {
    auto store = Store::open(directory + db);
    EXPECT_TRUE(static_cast<bool>(store));
    llvm::cantFail(store->begin({99, "", 0, 1}, {store->runs().back().build, "", "", 0}));
    int64_t after = 0;
    std::vector<std::string> choices;
    for (StoredStream &stream : store->streams(after))
      choices.push_back(std::move(stream.choices));
    return choices;
  };
  EXPECT_THAT(fuzz("3", "/a.db"), HasSubstr("guided: "));
  fuzz("3", "/b.db");
  const std::vector<std::string> kept = streams("/a.db");
  EXPECT_GE(kept.size(), 5u);
  EXPECT_EQ(kept, streams("/b.db"));
  fuzz("8", "/a.db");
  EXPECT_GT(streams("/a.db").size(), kept.size());
}

TEST_F(Cli, ACorpusIsPickedByCoverageAndHasNoDuplicates) {
  EXPECT_EQ(run({"generate", "--seed=3", "--count=4", "-o", directory + "/a"}).code, 0);
  EXPECT_EQ(run({"generate", "--seed=3", "--count=4", "-o", directory + "/b"}).code, 0);
  Outcome checked = run({"corpus", "--check", directory + "/a", directory + "/b"});
  EXPECT_EQ(checked.code, 1) << checked.output;
  EXPECT_THAT(checked.output, HasSubstr("4 cases, 4 duplicates; 0 with a switch"));
  Outcome picked = run({"corpus", directory + "/a", "-o", directory + "/picked"});
  EXPECT_EQ(picked.code, 0) << picked.output;
  EXPECT_EQ(run({"check", directory + "/picked"}).code, 0);
  Outcome own = run({"corpus", "--check", corpusFolder("regressions"), corpusFolder("frontends")});
  EXPECT_EQ(own.code, 0) << own.output;
}

TEST_F(Cli, ReduceHandsTheTextToAnotherProgram) {
  if (llvm::StringRef(run({"plants"}).output).starts_with("built without"))
    GTEST_SKIP() << "built without planted bugs (preset dist)";
  // Takes lines away that the script can do without: a comment goes, the kernel must stay.
  std::string program = directory + "/shorten";
  std::ofstream(program) << "#!/bin/sh\n"
                            "./test.sh || exit 3\n"
                            "cp kernel.mlir whole; echo nonsense >kernel.mlir\n"
                            "./test.sh && exit 4\n"
                            "tr -s ' ' <whole >kernel.mlir; ./test.sh || exit 5\n";
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  std::vector<std::string> command = {"reduce",
                                      corpusFolder("planted/cmpi-bool-order"),
                                      "--plant=cmpi-bool-order",
                                      "--time=60",
                                      "--engines=reference,emulator",
                                      "-o",
                                      directory + "/small",
                                      "--text-reducer"};
  command.push_back(program);
  Outcome outcome = run(command);
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr("characters became"));
  EXPECT_EQ(run({"check", directory + "/small", "--plant=cmpi-bool-order"}).code, 1);
}

TEST_F(Cli, CorpusSeesACaseThatDoesNotShowItsBug) {
  if (llvm::StringRef(run({"plants"}).output).starts_with("built without"))
    GTEST_SKIP() << "built without planted bugs (preset dist)";
  Outcome right = run({"corpus", "--check", corpusFolder("planted/cmpi-bool-order"),
                       corpusFolder("planted/shri-signed-as-logical")});
  EXPECT_EQ(right.code, 0) << right.output;
  EXPECT_THAT(right.output, HasSubstr("2 with a switch that takes the fix back, 0 of them"));
  // The case of another bug, under a name that promises this one.
  std::string wrong = directory + "/planted/minmax-nan-swallowed";
  std::filesystem::create_directories(directory + "/planted");
  std::filesystem::copy(corpusFolder("planted/shri-signed-as-logical"), wrong);
  Outcome outcome = run({"corpus", "--check", wrong});
  EXPECT_EQ(outcome.code, 1) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr("with minmax-nan-swallowed agree, without it agree"));
}

TEST_F(Cli, EveryPlantedBugIsFoundNamedAndReplayed) {
  Outcome table = run({"plants"});
  EXPECT_EQ(table.code, 0);
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(table.output).split(lines, '\n', -1, /*KeepEmpty=*/false);
  if (lines.size() < 2)
    GTEST_SKIP() << "built without planted bugs (preset dist)";
  // Some that show soon; ci/recall measures all.
  for (const char *id : {"dim-map-ignored", "fold-mask-false-as-true", "nvvm-maxnum-as-minnum",
                         "padding-always-zero", "shri-signed-as-logical"}) {
    std::string plant = std::string("--plant=") + id;
    Outcome outcome = run({"fuzz", "--seed=1", "--count=2000", "--stop-at-first", plant, "-o",
                           directory + "/" + plant});
    EXPECT_EQ(outcome.code, 1) << plant << "\n" << outcome.output;
    size_t at = outcome.output.find("saved to ");
    ASSERT_NE(at, std::string::npos) << plant << "\n" << outcome.output;
    std::string saved = llvm::StringRef(outcome.output).drop_front(at + 9).split('\n').first.str();
    EXPECT_EQ(run({"replay", saved, plant}).code, 1) << saved;
    EXPECT_EQ(run({"replay", saved}).code, 0) << saved;
  }
}

TEST_F(Cli, EveryPlantedBugHasAStoredCaseThatCatchesIt) {
  Outcome outcome = run({"plants", "--check=" + corpusFolder("planted")});
  EXPECT_EQ(outcome.code, 0) << outcome.output;
}

TEST_F(Cli, ListedPlantsHaveAReasonAndNoCase) {
  std::string folder = directory + "/planted";
  ASSERT_FALSE(llvm::sys::fs::create_directories(folder + "/select-operands-swapped"));
  std::error_code code;
  llvm::raw_fd_ostream(folder + "/without-case.txt", code)
      << "# a remark\nno-such-plant is not found\ncmpi-bool-order\nselect-operands-swapped has "
         "one\n";
  ASSERT_FALSE(code);
  Outcome outcome = run({"plants", "--check=" + folder});
  EXPECT_EQ(outcome.code, 1);
  for (const char *line :
       {"no-such-plant: listed in without-case.txt, expected the id",
        "cmpi-bool-order: listed in without-case.txt, expected a reason",
        "select-operands-swapped: listed in without-case.txt, but has a stored case"})
    EXPECT_NE(outcome.output.find(line), std::string::npos) << outcome.output;
}

TEST_F(Cli, AFolderWithoutPlantsIsRefused) {
  if (llvm::StringRef(run({"plants"}).output).starts_with("built without"))
    GTEST_SKIP() << "built without planted bugs";
  for (const char *option : {"--check=", "--blame="}) {
    Outcome outcome = run({"plants", option + directory + "/nothing"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.output, HasSubstr("found '" + directory + "/nothing'"));
  }
}

TEST_F(Cli, SharesAndOraclesGivenAgainAddUp) {
  const std::string kernel = corpusFolder("regressions/twins-ahead-of-folds");
  Outcome shares = run({"check", "--share=cost:1", "--share=roundtrip:0", kernel});
  EXPECT_EQ(shares.code, 0) << shares.output;
  EXPECT_THAT(shares.output, HasSubstr("oracle cost: 1 agreed"));
  EXPECT_THAT(shares.output, Not(HasSubstr("oracle roundtrip")));
  Outcome oracles = run({"check", "--oracles=remarks", "--oracles=roundtrip", kernel});
  EXPECT_EQ(oracles.code, 0) << oracles.output;
  EXPECT_THAT(oracles.output, HasSubstr("oracle remarks: 1 agreed"));
  EXPECT_THAT(oracles.output, HasSubstr("oracle roundtrip: 1 agreed"));
  Outcome later = run({"check", "--timeout=1", "-O7", "-O1", kernel});
  EXPECT_EQ(later.code, 2) << later.output; // each is read
}

TEST_F(Cli, RegressionsStayFixed) {
  Outcome outcome = run({"check", corpusFolder("regressions")});
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  // Their results were right all the time: what they cost is judged in full.
  for (const char *name :
       {"vector-loads-taken-apart", "cluster-of-too-few-elements", "twins-ahead-of-folds",
        "cluster-beside-small-tiles", "sectors-for-tensor-cores", "negated-from-the-left"}) {
    outcome = run({"check", "--oracles=cost", corpusFolder("regressions") + "/" + name});
    EXPECT_EQ(outcome.code, 0) << outcome.output;
    EXPECT_NE(outcome.output.find("1 passed"), std::string::npos) << outcome.output;
  }
}

TEST_F(Cli, TheSameSeedWritesTheSameFiles) {
  EXPECT_EQ(run({"generate", "--seed=9", "--count=5", "-o", directory + "/a"}).code, 0);
  EXPECT_EQ(run({"generate", "--seed=9", "--count=5", "-o", directory + "/b"}).code, 0);
  unsigned files = 0;
  std::error_code code;
  for (llvm::sys::fs::recursive_directory_iterator it(directory + "/a", code), end;
       it != end && !code; it.increment(code)) {
    if (!llvm::sys::fs::is_regular_file(it->path()))
      continue;
    ++files;
    std::string other = directory + "/b" + it->path().substr(directory.size() + 2);
    auto x = llvm::MemoryBuffer::getFile(it->path()), y = llvm::MemoryBuffer::getFile(other);
    ASSERT_TRUE(x && y) << other;
    EXPECT_EQ((*x)->getBuffer(), (*y)->getBuffer()) << other;
  }
  EXPECT_GT(files, 20u);
  EXPECT_EQ(run({"check", directory + "/a"}).code, 0);
}

TEST_F(Cli, StoredExpectationsOfGeneratedCasesHold) {
  EXPECT_EQ(
      run({"generate", "--seed=9", "--count=5", "--with-expectation", "-o", directory + "/c"}).code,
      0);
  Outcome outcome = run({"check", directory + "/c", "--engines=emulator", "--expect-passed=5"});
  EXPECT_EQ(outcome.code, 0) << outcome.output;
}

TEST_F(Cli, OptionsThatWouldNeverEndOrTestNothingAreRefused) {
  for (const char *option : {"--features=x", "--count=0", "--time=-5", "--time=0"}) {
    Outcome outcome = run({"fuzz", "--jobs=1", option, "-o", directory + "/findings"});
    EXPECT_EQ(outcome.code, 2) << option;
    EXPECT_THAT(outcome.output, HasSubstr("error: expected ")) << option;
  }
  EXPECT_EQ(run({"generate", "--features=x", "-o", directory + "/out"}).code, 2);
}

TEST_F(Cli, TheHelpOfEnginesNamesThem) {
  std::string help = run({"check", "--help"}).output;
  EXPECT_THAT(help,
              HasSubstr("reference, tileaa, tileaa-opt, tileas, emulator, sass, external, cuda"));
  EXPECT_THAT(help, testing::Not(HasSubstr("check --help")));
}

TEST_F(Cli, TheFirstCaseIsTheOneWithTheLowestNumber) {
  std::filesystem::create_directory(directory + "/cases");
  for (const char *name : {"s1-10", "s1-9", "s1-100"})
    std::filesystem::copy(corpus("ew_arith_f32"), directory + "/cases/" + name,
                          std::filesystem::copy_options::recursive);
  Outcome outcome = run({"replay", directory + "/cases"});
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr("3 cases below '" + directory + "/cases', taking " +
                                        directory + "/cases/s1-9\n"));
}

TEST_F(Cli, AReportOfBenchmarksNeedsNoStore) {
  std::ofstream(directory + "/night.json") << "{\"cpu_ns\": {\"convert/softmax\": 1200}}";
  Outcome outcome =
      run({"report", "--bench", directory + "/night.json", "-o", directory + "/page.html"});
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  auto page = llvm::MemoryBuffer::getFile(directory + "/page.html");
  ASSERT_TRUE(bool(page));
  EXPECT_TRUE((*page)->getBuffer().contains("convert/softmax"));
  EXPECT_EQ(run({"report", "-o", directory + "/page.html"}).code, 2);
}

TEST_F(Cli, ALaunchThatDoesNotFitItsModuleIsAnUnreadableCase) {
  auto edit = [&](const std::string &from, const std::string &to) {
    std::filesystem::remove_all(directory + "/case");
    std::filesystem::copy(corpus("ew_arith_f32"), directory + "/case");
    std::string path = directory + "/case/case.json";
    std::string text = (*llvm::MemoryBuffer::getFile(path))->getBuffer().str();
    size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    std::ofstream(path) << text.replace(at, from.size(), to);
  };
  auto expectRefused = [&](const std::string &message, const std::string &more) {
    for (const char *command : {"check", "replay", "bisect"}) {
      Outcome outcome = run({command, directory + "/case"});
      EXPECT_EQ(outcome.code, 2) << command << ": " << outcome.output;
      EXPECT_THAT(outcome.output, HasSubstr("/case/case.json: " + message)) << command;
      EXPECT_THAT(outcome.output, HasSubstr(more)) << command;
    }
  };
  auto loaded = std::move(*llvm::MemoryBuffer::getFile(corpus("ew_arith_f32") + "/case.json"));
  auto object = llvm::cantFail(llvm::json::parse(loaded->getBuffer()));
  const std::string kernel = object.getAsObject()->getString("kernel")->str();
  edit('"' + kernel + '"', "\"no_such_kernel\"");
  expectRefused("expected an entry of ew_arith_f32.v13", "found kernel 'no_such_kernel'");
  edit("\"params\": [", "\"params\": [{\"scalar\": \"i32\", \"value\": 1},");
  expectRefused("expected ", " params for kernel '" + kernel + "' of ew_arith_f32.v13");
}

} // namespace
