//===- ConformTest.cpp - packages that say the truth, and packages that do not ----------------===//
//
// A list of six requirements, a compiler that is a script and has one fault, and its package; then
// somebody edits what the package says, and each lie is refused with its reason. Packages that are
// no packages: ForgeryTest.
//
//===------------------------------------------------------------------------------------------===//
#include "fuzz/cli/ConformFixture.h"
#include "fuzz/conform/Runner.h"

#include <filesystem>
#include <sys/stat.h>

using namespace tilesmith;
using namespace tilesmith::fuzz;
using namespace tilesmith::fuzz::conform;
using testing::HasSubstr;
namespace {

TEST_F(ConformTest, TheTruthIsValidAndTheFaultIsARow) {
  EXPECT_EQ(result("accept/one").verdict.state, State::Pass);
  EXPECT_EQ(result("reject/mma_k/1").verdict.state, State::Pass);
  EXPECT_EQ(result("reject/mma_m/1").verdict.state, State::Fail);
  EXPECT_THAT(result("reject/mma_m/1").verdict.reason, HasSubstr("accepted"));
  EXPECT_EQ(result("cli/version").verdict.state, State::Pass);
  Verification got = verify(/*again=*/true);
  EXPECT_EQ(got.outcome, Verification::Outcome::Valid) << got.reason;
  EXPECT_THAT(llvm::join(got.notes, "\n"), HasSubstr("6 cases run again"));
}

TEST_F(ConformTest, AFixedFaultTurnsItsRowAlone) {
  Package before = package;
  package.outputs["reject/mma_m/1"] =
      json::Object{{"id", "reject/mma_m/1"}, {"exit", 3}, {"err", "error: mma_m"}};
  judge(package);
  std::string changes;
  llvm::raw_string_ostream out(changes);
  EXPECT_TRUE(printDiff(out, before, package));
  EXPECT_EQ(changes, "reject/mma_m/1: fail -> pass\n");
}

TEST_F(ConformTest, EndsThatAreNoAnswersFail) {
  for (auto [id, bytes, reason] : {std::tuple{"accept/one", "crash", "crash: "},
                                   {"reject/mma_k/1", "crash", "crash: "},
                                   {"reject/mma_k/1", "mute", "exit code 5, expected 3"},
                                   {"robust/odd", "mute", "without a reason"},
                                   {"accept/one", "bad", "refused"}}) {
    Requirement row{id, "mma_k", "test", archive.add(bytes)};
    std::string scratch = directory + "/scratch";
    llvm::sys::fs::create_directories(scratch);
    RawOutputs outputs;
    outputs[id] = llvm::cantFail(runCompiler(row, archive, compiler, scratch));
    Verdict verdict = judgeCompiler(row, archive, outputs);
    EXPECT_EQ(verdict.state, State::Fail) << id << " " << bytes;
    EXPECT_THAT(verdict.reason, HasSubstr(reason));
    llvm::sys::fs::remove_directories(scratch);
  }
}

TEST_F(ConformTest, ADroppedFailureIsMissed) {
  llvm::erase_if(package.results, [](const Result &r) { return r.id == "reject/mma_m/1"; });
  expectInvalid("there is no result for 'reject/mma_m/1'");
}

TEST_F(ConformTest, AResultOfNothingIsNotBelieved) {
  package.results.push_back({"accept/three", {State::Pass, ""}});
  expectInvalid("'accept/three' is not in the list");
}

TEST_F(ConformTest, AResultIsGivenOnce) {
  package.results.push_back(package.results.front());
  expectInvalid("the result of 'accept/one' comes twice");
}

TEST_F(ConformTest, AStateFollowsFromTheRawOutput) {
  result("reject/mma_m/1").verdict = {State::Pass, ""};
  expectInvalid("'reject/mma_m/1' says pass, its raw output says fail");
}

TEST_F(ConformTest, AFailureIsNotCalledUnsupported) {
  result("reject/mma_m/1").verdict = {State::Unsupported, ""};
  expectInvalid("says unsupported by profile, its raw output says fail");
}

TEST_F(ConformTest, WithoutItsRawOutputNothingPasses) {
  package.outputs.erase("accept/one");
  expectInvalid("'accept/one' says pass, its raw output says not run");
}

TEST_F(ConformTest, AnEditedFileIsNotThatOfTheManifest) {
  verify();
  std::string path = directory + "/package/results.jsonl";
  std::string text = (*llvm::MemoryBuffer::getFile(path))->getBuffer().str();
  size_t at = text.find("fail");
  ASSERT_NE(at, std::string::npos);
  llvm::cantFail(writeFileAtomically(path, text.replace(at, 4, "pass")));
  expectInvalid("'results.jsonl' was changed", verifyFolder());
}

TEST_F(ConformTest, AnAddedFileIsNotThatOfTheManifest) {
  verify();
  write("package/more.txt", "more");
  expectInvalid("'more.txt' is in the package, but not in the manifest", verifyFolder());
}

TEST_F(ConformTest, ARawOutputThatWasEditedWithEverythingElseIsFoundByRunningAgain) {
  package.outputs["reject/mma_m/1"] =
      json::Object{{"id", "reject/mma_m/1"}, {"exit", 3}, {"err", "error: mma_m"}};
  judge(package);
  EXPECT_EQ(verify().outcome, Verification::Outcome::Valid);
  expectInvalid("'reject/mma_m/1' was run again and answers otherwise", /*again=*/true);
}

TEST_F(ConformTest, AShrunkListIsAnotherList) {
  llvm::erase_if(list.rows, [](const Requirement &row) { return row.id == "reject/mma_m/1"; });
  package.statement["list_sha256"] = sha256(printList(list));
  package.outputs.erase("reject/mma_m/1");
  judge(package);
  expectInvalid("another list than the released compiler 13.5");
}

TEST_F(ConformTest, AListThatWasNeverReleasedIsRefused) {
  package.statement["version"] = "13.4";
  expectInvalid("there is no list compiler 13.4");
}

TEST_F(ConformTest, AProfileIsThatOfTheList) {
  package.statement["profile"] = "compiler-smoke 13.5";
  expectInvalid("expected the profile 'compiler 13.5' or 'compiler-quick 13.5'");
}

TEST_F(ConformTest, CountsAreCounted) {
  json::Object counts = countStates(package.results);
  counts["requirements"] = 5;
  package.statement["counts"] = std::move(counts);
  expectInvalid("the counts of the statement are not those of the results");
}

TEST_F(ConformTest, AForgedHashIsThatOfNoTool) {
  package.statement["tool"] = json::Object{{"sha256", sha256("another")}};
  expectInvalid("the package is about another tool", /*again=*/true);
}

TEST_F(ConformTest, AWaiverHasAnEnd) {
  package.waivers = {{"reject/mma_m/1", "https://example.org/1", "known", "13.6"}};
  judge(package);
  EXPECT_EQ(result("reject/mma_m/1").verdict.state, State::Waived);
  EXPECT_EQ(verify().outcome, Verification::Outcome::Valid);
  package.waivers.front().expires = "13.5";
  Verification got = verify();
  EXPECT_EQ(got.outcome, Verification::Outcome::Expired);
  EXPECT_THAT(got.reason, HasSubstr("expired with 13.5"));
}

TEST_F(ConformTest, AWaiverHasAReasonAndAFailure) {
  package.waivers = {{"reject/mma_m/1", "https://example.org/1", "", "13.6"}};
  expectInvalid("a waiver has no reason");
  package.waivers = {{"accept/one", "https://example.org/1", "known", "13.6"}};
  expectInvalid("names 'accept/one', which does not fail");
}

TEST_F(ConformTest, AWaiverExpiresWithAVersion) {
  package.waivers = {{"reject/mma_m/1", "https://example.org/1", "known", "13.never"}};
  judge(package);
  expectInvalid("expires with a version 13.N, found '13.never'");
}

TEST_F(ConformTest, ALinkInAPackageIsNotRead) {
  verify();
  std::string path = directory + "/package/waivers.json";
  llvm::sys::fs::remove(path);
  ASSERT_FALSE(llvm::sys::fs::create_link("/dev/zero", path));
  expectInvalid("'waivers.json' is a link", verifyFolder());
}

TEST_F(ConformTest, BracketsWithoutEndAreRefused) {
  verify();
  for (const char *name : {"statement.json", "results.jsonl", "waivers.json"}) {
    std::string path = directory + "/package/" + name;
    std::string before = (*llvm::MemoryBuffer::getFile(path))->getBuffer().str();
    write(std::string("package/") + name, std::string(1000000, '['));
    auto read = readPackage(directory + "/package");
    ASSERT_FALSE(static_cast<bool>(read)) << name;
    EXPECT_THAT(llvm::toString(read.takeError()), HasSubstr("brackets nest deeper than 64"));
    write(std::string("package/") + name, before);
  }
}

TEST_F(ConformTest, ASignatureIsOneOfThisManifest) {
  auto keygen = llvm::sys::findProgramByName("ssh-keygen");
  if (!keygen)
    GTEST_SKIP() << "ssh-keygen is not here";
  verify();
  std::string key = directory + "/key", manifest = directory + "/package/MANIFEST.sha256";
  ASSERT_EQ(runProgram(*keygen, {"-q", "-t", "ed25519", "-N", "", "-f", key}).code, 0);
  ASSERT_EQ(
      runProgram(*keygen, {"-Y", "sign", "-f", key, "-n", "tilesmith-conform", manifest}).code, 0);
  Verification got = verifyFolder();
  EXPECT_EQ(got.outcome, Verification::Outcome::Valid) << got.reason;
  EXPECT_THAT(llvm::join(got.notes, "\n"), HasSubstr("signed, by whom was not asked"));
  std::string text = (*llvm::MemoryBuffer::getFile(manifest))->getBuffer().str();
  llvm::cantFail(writeFileAtomically(manifest, text + "\n"));
  expectInvalid("the signature is not one of this manifest", verifyFolder());
}

TEST_F(ConformTest, AFrontendIsHeldToEveryRow) {
  auto released = loadList(sourceFolder("corpus/conform"), "frontend", "13.3");
  ASSERT_TRUE(static_cast<bool>(released)) << llvm::toString(released.takeError());
  auto modules = findModules(corpusFolder("frontends/reduce_sum_i32"));
  ASSERT_TRUE(static_cast<bool>(modules)) << llvm::toString(modules.takeError());
  RawOutputs outputs;
  for (const FrontendModule &module : *modules)
    outputs[module.name] = llvm::cantFail(inspectModule(module, *released));
  auto stateOf = [&](llvm::StringRef id) {
    std::vector<Verdict> verdicts = judgeFrontend(*released, outputs);
    for (auto [row, verdict] : llvm::zip(released->rows, verdicts))
      if (row.id == id)
        return verdict;
    return Verdict{State::NotRun, "no such row"};
  };
  for (const char *id : {"check/results", "check/round-trip", "check/data-race", "check/identities",
                         "check/older-versions", "emit/op/reduce", "emit/element/reduce/i32"})
    EXPECT_EQ(stateOf(id).state, State::Pass) << id << ": " << stateOf(id).reason;
  EXPECT_EQ(stateOf("emit/op/mmaf").state, State::NotRun);
  // The last module is the newest one; a fault of each kind turns its row.
  json::Object &raw = outputs.rbegin()->second;
  for (auto [key, id] : {std::pair{"results", "check/results"},
                         {"identity", "check/identities"},
                         {"literal", "check/literals"},
                         {"assumption", "check/assumptions"},
                         {"hints", "check/hints"},
                         {"location", "check/locations"}}) {
    raw[key] = "wrong";
    EXPECT_EQ(stateOf(id).state, State::Fail) << id;
    raw.erase(key);
    EXPECT_EQ(stateOf(id).state, State::Pass) << id;
  }
  // A launch that was captured has no expectations, so that it neither passes nor fails them.
  for (auto &[id, one] : outputs)
    one["expects"] = "nothing";
  EXPECT_EQ(stateOf("check/results").state, State::NotRun);
  raw["refused"] = "wrong";
  raw["rule"] = "mma_k";
  EXPECT_EQ(stateOf("legal/mma_k").state, State::Fail);
}

// `add64` of one thread: out[0] = in[0] + in[1].
testcase::TestCase sumCase(uint64_t expected) {
  auto bytes = [](std::vector<uint64_t> words) {
    const auto *at = reinterpret_cast<const uint8_t *>(words.data());
    return testcase::Bytes(at, at + words.size() * 8);
  };
  testcase::TestCase sum;
  sum.buffers.resize(2);
  for (testcase::Buffer &buffer : sum.buffers) {
    buffer.dtype = testcase::DataType::I64;
    buffer.strides = {1};
  }
  sum.buffers[0].shape = {3};
  sum.buffers[0].data = bytes({40, 2, 0});
  sum.buffers[1].shape = {1};
  sum.buffers[1].data = bytes({0});
  sum.buffers[1].expect = bytes({expected});
  testcase::Launch launch;
  launch.kernel = "add64";
  launch.params = {testcase::Parameter::pointer(0, testcase::DataType::I64),
                   testcase::Parameter::pointer(1, testcase::DataType::I64)};
  sum.launches = {launch};
  return sum;
}

TEST_F(ConformTest, MachineCodeIsRunWithoutTheMachine) {
  const Runner *runner = findRunner("machine-code");
  ASSERT_TRUE(runner);
  auto cubin = llvm::MemoryBuffer::getFile(sourceFolder("corpus/sass/snippets.sm_80.O3.cubin"));
  ASSERT_TRUE(cubin);
  llvm::StringRef bytes = (*cubin)->getBuffer();
  auto wrongBytes = [&](uint64_t expected) {
    json::Object run = runner->run(sumCase(expected), bytes);
    EXPECT_EQ(run.getString("ended"), "completed");
    const json::Array *buffers = run.getArray("buffers");
    return buffers && buffers->back().getAsObject()->get("bytes") != nullptr;
  };
  EXPECT_FALSE(wrongBytes(42));
  EXPECT_TRUE(wrongBytes(43)) << "what is not as expected is written down";
  testcase::TestCase shorter = sumCase(42);
  shorter.buffers[1].shape = {0};
  shorter.buffers[1].data.clear();
  shorter.buffers[1].expect.reset();
  EXPECT_THAT(runner->run(shorter, bytes).getString("ended")->str(),
              testing::AllOf(HasSubstr("out of bounds"), HasSubstr("(address)"),
                             testing::Not(testing::ContainsRegex("0x[0-9a-f]{6}"))));
  testcase::TestCase other = sumCase(42);
  other.launches.front().kernel = "no such kernel";
  EXPECT_THAT(runner->run(other, bytes).getString("ended")->str(), HasSubstr("no such kernel"));
  EXPECT_FALSE(runner->run(sumCase(42), bytes.take_front(900)).getArray("buffers"));
}

TEST_F(ConformTest, ALimitOfTheRunnerIsNotAnAnswer) {
  std::string id = "execute/sum";
  Requirement row{id, "mma_k", "test", archive.add("sum")};
  auto judged = [&](llvm::StringRef ended) {
    RawOutputs outputs;
    outputs[id] =
        json::Object{{"id", id}, {"exit", 0}, {"execution", json::Object{{"ended", ended.str()}}}};
    return judgeCompiler(row, archive, outputs).state;
  };
  EXPECT_EQ(judged((kLimitOfRunner + "unsupported: HGMMA").str()), State::NotRun);
  EXPECT_EQ(judged("fault: out of bounds"), State::Fail);
}

TEST_F(ConformTest, EveryModuleOfTheReleasedListsIsInTheArchive) {
  std::string folder = sourceFolder("corpus/conform");
  auto modules = Archive::load(folder + "/modules.zst");
  ASSERT_TRUE(static_cast<bool>(modules)) << llvm::toString(modules.takeError());
  for (const char *version : {"13.1", "13.2", "13.3", "13.4", "13.5"})
    for (const char *side : {"compiler", "frontend"}) {
      auto released = loadList(folder, side, version);
      ASSERT_TRUE(static_cast<bool>(released)) << llvm::toString(released.takeError());
      EXPECT_GT(released->rows.size(), 1000u);
      size_t missing = 0;
      for (const Requirement &row : released->rows)
        if (row.kind() != "cli" && released->side == "compiler")
          missing += !modules->find(row.sha256);
      EXPECT_EQ(missing, 0u) << released->name();
    }
}

TEST_F(ConformTest, AReleasedListNeverChanges) {
  std::string folder = sourceFolder("corpus/conform");
  auto released = llvm::MemoryBuffer::getFile(folder + "/released.sha256");
  ASSERT_TRUE(released);
  size_t count = 0;
  for (llvm::StringRef line : llvm::split((*released)->getBuffer().rtrim(), '\n')) {
    auto [hash, name] = line.split("  ");
    auto text = llvm::MemoryBuffer::getFile(folder + "/" + name);
    ASSERT_TRUE(text) << name.str();
    EXPECT_EQ(sha256((*text)->getBuffer()), hash) << name.str();
    ++count;
  }
  size_t files = 0;
  for (const char *version : {"13.1", "13.2", "13.3", "13.4", "13.5"})
    for (const char *side : {"compiler", "frontend"})
      files += llvm::cantFail(loadEditions(folder, side, version)).size();
  EXPECT_EQ(count, files) << "a list is in no line of released.sha256";
}

TEST_F(ConformTest, AFullDiskIsAnError) {
  std::string work = directory + "/work";
  std::vector<std::string> words{"conform",          "compiler", compiler.path,
                                 "--lists=" + lists, "--jobs=1", "--work=" + work};
  ASSERT_EQ(run(words).code, 1);
  // Blank lines are no raw outputs; the file is as long as this process may write.
  write("work/raw-0-1.jsonl", std::string(4096, '\n'));
  std::vector<std::string> limited{"-c", "trap '' XFSZ; ulimit -f 4; exec \"$@\"", "sh",
                                   toolPath("tilesmith")};
  limited.insert(limited.end(), words.begin(), words.end());
  Outcome full = runProgram("/bin/sh", limited);
  EXPECT_EQ(full.code, 2) << full.output;
  EXPECT_THAT(full.output, HasSubstr("cannot write in '" + work + "': File too large"));
}

TEST_F(ConformTest, WhatCannotBeIsSaidBeforeAnythingRuns) {
  std::string plain = write("plain", "no program"), broken = write("waivers.json", "[{}]");
  auto said = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"conform", "compiler"});
    more.push_back("--lists=" + lists);
    Outcome outcome = run(more);
    EXPECT_EQ(outcome.code, 2);
    return outcome.output;
  };
  EXPECT_THAT(said({plain}), HasSubstr("cannot execute the compiler"));
  EXPECT_THAT(said({directory + "/none"}), HasSubstr("cannot read the compiler"));
  EXPECT_THAT(said({compiler.path, "--timeout=0"}),
              HasSubstr("--timeout from 1 to 86400, found 0"));
  EXPECT_THAT(said({compiler.path, "--waivers=" + broken}),
              HasSubstr("a waiver has no requirement"));
  EXPECT_THAT(said({compiler.path, "-o", directory}), HasSubstr("cannot write folder"));
  EXPECT_THAT(said({compiler.path, "-o", "a", "-o", "b"}), HasSubstr("expected one -o"));
  EXPECT_THAT(said({compiler.path, "--shard=2/2"}), HasSubstr("expected --shard=I/N"));
  std::string work = "--work=" + directory + "/work";
  EXPECT_EQ(run({"conform", "compiler", compiler.path, "--lists=" + lists, work}).code, 1);
  EXPECT_THAT(said({compiler.path, work, "--runner=emulator"}),
              HasSubstr("expected the raw outputs of compiler"))
      << "what one runner ran is not what another one did";
}

TEST_F(ConformTest, AFolderThatLinksToItselfIsReadOnce) {
  std::string folder = directory + "/modules";
  llvm::sys::fs::create_directories(folder);
  llvm::sys::fs::create_link(folder, folder + "/again");
  write("modules/cut.tileirbc", llvm::StringRef("\x7fTileIR\0", 8));
  auto modules = findModules(folder);
  ASSERT_TRUE(static_cast<bool>(modules)) << llvm::toString(modules.takeError());
  EXPECT_EQ(modules->size(), 1u);
}

TEST_F(ConformTest, AFolderHoldsMoreThanModules) {
  std::string folder = directory + "/modules", magic = std::string("\x7fTileIR\0", 8);
  std::filesystem::create_directories(folder + "/below");
  ASSERT_EQ(::mkfifo((folder + "/pipe").c_str(), 0600), 0);
  std::filesystem::create_symlink("/dev/zero", folder + "/zero");
  std::filesystem::create_symlink("nothing", folder + "/dangling");
  std::filesystem::create_symlink("turn", folder + "/turn");
  std::filesystem::create_symlink("../below", folder + "/below/again");
  for (const char *name : {"empty", "text"})
    write("modules/" + std::string(name), llvm::StringRef(name).drop_front(5 * (name[0] == 'e')));
  for (const char *name : {"below/bytes\xff", "new\nline", "quo\"te"})
    write("modules/" + std::string(name), magic);
  auto modules = findModules(folder);
  ASSERT_TRUE(static_cast<bool>(modules)) << llvm::toString(modules.takeError());
  std::vector<std::string> names;
  for (const FrontendModule &module : *modules)
    names.push_back(module.name);
  EXPECT_THAT(names, testing::ElementsAre("below/bytes%FF", "new\nline", "quo\"te"));
  std::string package = directory + "/made", released = "--lists=" + sourceFolder("corpus/conform");
  EXPECT_EQ(run({"conform", "frontend", folder, released, "-o", package}).code, 1);
  Outcome verified = run({"conform", "verify", package, released, "--inputs=" + folder});
  EXPECT_EQ(verified.code, 0) << verified.output;
}

TEST_F(ConformTest, TheCommandPacksVerifiesAndReports) {
  std::string folder = directory + "/made", page = directory + "/page.html";
  Outcome made = run({"conform", "compiler", compiler.path, "--lists=" + lists, "--jobs=2",
                      "--work=" + directory + "/work", "-o", folder});
  EXPECT_EQ(made.code, 1) << made.output;
  EXPECT_THAT(made.output, HasSubstr("compiler 13.5: 5 of 6 pass, 1 fail"));
  Outcome verified =
      run({"conform", "verify", folder, "--lists=" + lists, "--tool=" + compiler.path});
  EXPECT_EQ(verified.code, 0) << verified.output;
  EXPECT_THAT(verified.output, HasSubstr("1 cases run again"));
  Outcome reported = run({"conform", "report", folder, "--lists=" + lists, "-o", page, "-o",
                          directory + "/r.xml", "-o", directory + "/r.json"});
  EXPECT_EQ(reported.code, 0) << reported.output;
  std::string html = (*llvm::MemoryBuffer::getFile(page))->getBuffer().str();
  EXPECT_THAT(html, HasSubstr("reject/mma_m/1"));
  EXPECT_THAT(html, HasSubstr("accepted, expected a refusal by rule [mma_k]"));
  EXPECT_THAT((*llvm::MemoryBuffer::getFile(directory + "/r.xml"))->getBuffer().str(),
              HasSubstr("tests=\"6\" failures=\"1\""));
  EXPECT_EQ(run({"conform", "diff", folder, folder}).code, 0);
}

} // namespace
