//===- ForgeryTest.cpp - packages that somebody made by hand ----------------------------------===//
//
// Fields of another type or that no package has, files that are none, results in another order,
// text that two readers understand in two ways: each is refused, with its reason.
//
//===------------------------------------------------------------------------------------------===//
#include "fuzz/cli/ConformFixture.h"

#include <filesystem>
#include <sys/stat.h>

using namespace tilesmith;
using namespace tilesmith::fuzz;
using namespace tilesmith::fuzz::conform;
using testing::HasSubstr;

namespace {

std::string contentsOf(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path, false, false);
  return buffer ? (*buffer)->getBuffer().str() : "";
}

class ForgeryTest : public ConformTest {
protected:
  std::string file(const std::string &name) const { return directory + "/package/" + name; }
  /// Puts another text into the package, with a manifest that says so.
  void rewrite(const std::string &name, llvm::StringRef text) {
    write("package/" + name, text);
    writeManifest();
  }
  void writeManifest() {
    Files files;
    for (const auto &[name, text] : packageTexts(package))
      files[name] = contentsOf(file(name));
    write("package/MANIFEST.sha256", manifestOf(files));
  }
  /// A package about the modules of one case, with the released lists.
  void useFrontend() {
    lists = sourceFolder("corpus/conform");
    list = llvm::cantFail(loadList(lists, "frontend", "13.3"));
    inputs = corpusFolder("frontends/reduce_sum_i32");
    package = Package();
    for (const FrontendModule &module : llvm::cantFail(findModules(inputs)))
      package.outputs[module.name] = llvm::cantFail(inspectModule(module, list));
    package.statement = json::Object{{"who", "a test"},
                                     {"what", "a case"},
                                     {"side", "frontend"},
                                     {"version", "13.3"},
                                     {"profile", "frontend 13.3"},
                                     {"list_sha256", sha256(printList(list))},
                                     {"inputs", inputsOf(package.outputs)}};
    judge(package);
  }
  std::string inputs;
};

TEST_F(ForgeryTest, AStatementHasItsFields) {
  const json::Object before = package.statement;
  const std::string hash(64, 'a');
  for (auto [key, value, reason] :
       std::initializer_list<std::tuple<const char *, json::Value, const char *>>{
           {"who", 5, "expected that 'who' is a text"},
           {"who", "", "there is no 'who'"},
           {"what", std::string("a\0b", 3), "'what' has characters that cannot be printed"},
           {"version", 13.5, "expected that 'version' is a text"},
           {"version", "../13.5", "there is no list compiler ../13.5"},
           {"side", "both", "a frontend has no 'tool'"},
           {"list_sha256", "abc", "expected that 'list_sha256' is a SHA-256"},
           {"list_sha256", hash, "another list than the released compiler 13.5"},
           {"counts", "all", "expected that 'counts' is an object"},
           {"counts", json::Object{{"pass", -1}}, "'counts.pass' is a number that is not negative"},
           {"counts", json::Array{}, "expected that 'counts' is an object"},
           {"options", json::Object{{"seconds", 60}}, "expected 'options.runner'"},
           {"options", json::Object{{"seconds", int64_t(1) << 62}, {"runner", ""}},
            "'options.seconds' up to 86400"},
           {"options", json::Object{{"seconds", 1e300}, {"runner", ""}},
            "'options.seconds' is a number"},
           {"tool", json::Object{{"name", "tileiras"}}, "there is no 'tool.sha256'"},
           {"tool", nullptr, "expected that 'tool' is an object"},
           {"inputs", json::Object{{"modules", 5}}, "a compiler has no 'inputs'"},
           {"verified", true, "no package has the field 'verified'"},
           {"machine", json::Object{{"gpu", "H200"}}, "no package has the field 'machine.gpu'"},
       }) {
    package.statement = before;
    package.statement[key] = value;
    expectInvalid(reason);
  }
}

TEST_F(ForgeryTest, ARawOutputHasItsFields) {
  const json::Object before = package.outputs["accept/one"];
  for (auto [key, value, reason] :
       std::initializer_list<std::tuple<const char *, json::Value, const char *>>{
           {"exit", "0", "expected that 'exit' is a number"},
           {"exit", 256, "expected an exit code up to 255"},
           {"exit", nullptr, "expected that 'exit' is a number"},
           {"ended", "Segmentation fault", "expected either 'exit' or 'ended'"},
           {"err", json::Array{}, "expected that 'err' is a text"},
           {"file", json::Array{}, "expected that 'file' is an object"},
           {"file", json::Object{}, "'file' says nothing"},
           {"file", json::Object{{"head", "7f454c46"}, {"size", "4"}}, "'file.size' is a number"},
           {"file", json::Object{{"head", "7F454C46"}}, "'file.head' is hexadecimal digits"},
           {"elf", json::Object{{"sections", json::Array{1}}}, "'elf.sections[0]' is a text"},
           {"execution", json::Object{{"buffers", json::Array{5}}},
            "expected that 'execution.buffers[0]' is an object"},
           {"execution", json::Object{{"buffers", json::Object{}}},
            "expected that 'execution.buffers' is an array"},
           {"state", "pass", "no package has the field 'state'"},
       }) {
    package.outputs["accept/one"] = before;
    package.outputs["accept/one"][key] = value;
    expectInvalid(reason);
  }
}

TEST_F(ForgeryTest, TextsHaveOneMeaning) {
  auto replaced = [&](const std::string &name, const char *from, const char *to) {
    std::string text = contentsOf(file(name));
    size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << name << ": " << from;
    return text.replace(at, std::strlen(from), to);
  };
  for (auto [name, from, to, reason] :
       std::initializer_list<std::tuple<const char *, const char *, const char *, const char *>>{
           {"results.jsonl", "\"state\":\"fail\"", "\"state\":\"pass\",\"state\":\"fail\"",
            "'results.jsonl' is not as conform writes it: line"},
           {"results.jsonl", "\"state\":\"fail\"", "\"note\":\"accepted\",\"state\":\"fail\"",
            "'results.jsonl' is not as conform writes it: line"},
           {"results.jsonl", "\"state\":\"fail\"", "\"state\":\"great\"",
            "expected an id and a state"},
           {"results.jsonl", "\"fail\"}", "\"fail\"}\n\n",
            "'results.jsonl' is not as conform writes it: line"},
           {"statement.json", "\"who\"", "\"who\": \"somebody else\",\n  \"who\"",
            "'statement.json' is not as conform writes it: line"},
           {"waivers.json", "[]", "[ ]", "'waivers.json' is not as conform writes it: line 1"},
           {"waivers.json", "[]", "{}", "expected an array of waivers"},
       }) {
    verify();
    rewrite(name, replaced(name, from, to));
    expectInvalid(reason, verifyFolder());
  }
  verify();
  rewrite("results.jsonl", contentsOf(file("results.jsonl")) + std::string(1, '\0'));
  expectInvalid("results.jsonl: ", verifyFolder());
}

TEST_F(ForgeryTest, ResultsHaveTheOrderOfTheList) {
  std::swap(package.results[1], package.results[2]);
  expectInvalid("expected the results in the order of the list: 'accept/two', found "
                "'reject/mma_k/1'");
  Outcome reported = run({"conform", "report", directory + "/package", "--lists=" + lists});
  EXPECT_EQ(reported.code, 2);
  EXPECT_THAT(reported.output, HasSubstr("the package is about another list"));
}

TEST_F(ForgeryTest, RawOutputsAreAsLongAsTheStatementSays) {
  verify();
  std::string text = contentsOf(file("statement.json"));
  size_t at = text.find("\"raw_bytes\": ") + 13;
  rewrite("statement.json", text.insert(at, "9"));
  expectInvalid("the statement says that raw outputs have 9", verifyFolder());
  rewrite("raw.jsonl.zst", "no archive");
  expectInvalid("raw.jsonl.zst: ", verifyFolder());
}

TEST_F(ForgeryTest, AManifestNamesTheFilesOfAPackage) {
  auto withManifest = [&](const std::string &more) {
    verify();
    write("package/MANIFEST.sha256", contentsOf(file("MANIFEST.sha256")) + more);
    return verifyFolder();
  };
  const std::string hash(64, '0');
  for (const char *name : {"../package/waivers.json", "/etc/passwd", "..", ".", "more.txt"})
    expectInvalid("which is of no file of a package", withManifest(hash + "  " + name + "\n"));
  expectInvalid("which is of no file of a package", withManifest(std::string(1, '\0') + "\n"));
  expectInvalid("'waivers.json' comes twice", withManifest(hash + "  waivers.json\n"));
  verify();
  write("package/MANIFEST.sha256", "");
  expectInvalid("'raw.jsonl.zst' is not in MANIFEST.sha256", verifyFolder());
}

TEST_F(ForgeryTest, OnlyFilesAreRead) {
  for (const char *name : {"MANIFEST.sha256", "waivers.json", "results.jsonl", ".tilesmith"}) {
    verify();
    std::filesystem::remove(file(name));
    ASSERT_FALSE(llvm::sys::fs::create_link("/dev/zero", file(name)));
    expectInvalid("is a link, expected a file", verifyFolder());
    std::filesystem::remove(file(name));
    ASSERT_EQ(::mkfifo(file(name).c_str(), 0600), 0);
    expectInvalid("is something else, expected a file", verifyFolder());
    std::filesystem::remove(file(name));
    ASSERT_FALSE(llvm::sys::fs::create_directory(file(name)));
    expectInvalid("is something else, expected a file", verifyFolder());
    std::filesystem::remove(file(name));
    if (llvm::StringRef(name) != ".tilesmith") {
      expectInvalid(("cannot read '" + std::string(name) + "'").c_str(), verifyFolder());
    }
  }
  std::filesystem::remove_all(directory + "/package");
  expectInvalid("cannot read 'MANIFEST.sha256'", verifyFolder());
}

TEST_F(ForgeryTest, AWaiverIsForOneFailureAndHasAnEnd) {
  const Waiver honest{"reject/mma_m/1", "https://example.org/1", "known", "13.6"};
  package.waivers = {honest};
  judge(package);
  for (auto [field, text, reason] :
       std::initializer_list<std::tuple<std::string Waiver::*, const char *, const char *>>{
           {&Waiver::expires, "", "a waiver has no expires"},
           {&Waiver::expires, "14.1", "expires with a version 13.N"},
           {&Waiver::expires, "13.06", "expires with a version 13.N"},
           {&Waiver::expires, "13.99999999999999999999", "expires with a version 13.N"},
           {&Waiver::url, "javascript:alert(1)", "begins with https://"},
           {&Waiver::requirement, "reject/all", "names 'reject/all', which is not in the list"},
       }) {
    package.waivers = {honest};
    package.waivers.front().*field = text;
    expectInvalid(reason);
  }
  package.waivers = {honest, honest};
  expectInvalid("the waiver of 'reject/mma_m/1' comes twice");
}

TEST_F(ForgeryTest, AFrontendIsNotHeldToAPart) {
  useFrontend();
  EXPECT_EQ(verify().outcome, Verification::Outcome::Valid) << verify().reason;
  package.statement["profile"] = "frontend-quick 13.3";
  expectInvalid("expected the profile 'frontend 13.3', found 'frontend-quick 13.3'");
  Outcome asked = run({"conform", "frontend", inputs, "--quick"});
  EXPECT_EQ(asked.code, 2);
  EXPECT_THAT(asked.output, HasSubstr("--quick is a profile of compilers"));
}

TEST_F(ForgeryTest, WhatIsSaidOfAModuleHasItsFields) {
  useFrontend();
  json::Object &raw = package.outputs.begin()->second;
  const json::Object before = raw;
  for (auto [key, value, reason] :
       std::initializer_list<std::tuple<const char *, json::Value, const char *>>{
           {"older", json::Array{5}, "expected that 'older[0]' is an object"},
           {"older", json::Object{}, "expected that 'older' is an array"},
           {"older", json::Array{json::Object{{"same", true}}}, "the field 'older[0].same'"},
           {"ran", "well", "no run ends as 'well'"},
           {"rows", "zz", "'rows' is hexadecimal digits"},
           {"rows", "ff", "expected that 'rows' has"},
           {"ops", json::Array{}, "expected that 'ops' is a text"},
           {"sha256", "", "'sha256' is a SHA-256"},
           {"sha256", std::string(64, '0'), "the inputs of the statement are not those"},
       }) {
    raw = before;
    raw[key] = value;
    expectInvalid(reason);
  }
}

TEST_F(ForgeryTest, WhatIsUndefinedFailsUnderAnyLabel) {
  useFrontend();
  json::Object &raw = package.outputs.begin()->second;
  raw["ran"] = "undefined";
  for (auto [label, failing, other] : {std::tuple{"data-race", "check/data-race", "check/results"},
                                       {"banana", "check/results", "check/data-race"}}) {
    raw["label"] = label;
    raw["why"] = "because";
    judge(package);
    EXPECT_EQ(result(failing).verdict.state, State::Fail) << label;
    EXPECT_EQ(result(other).verdict.state, State::Pass) << label;
  }
}

TEST_F(ForgeryTest, ADroppedModuleIsMissedAmongTheInputs) {
  useFrontend();
  std::string dropped = package.outputs.begin()->first;
  package.outputs.erase(package.outputs.begin());
  package.statement["inputs"] = inputsOf(package.outputs);
  judge(package);
  EXPECT_EQ(verify().outcome, Verification::Outcome::Valid);
  VerifyOptions options;
  options.lists = lists;
  options.inputs = inputs;
  expectInvalid(("'" + dropped + "' is in '" + inputs + "', but not in the package").c_str(),
                verifyPackage(directory + "/package", options));
}

TEST_F(ForgeryTest, WhatCouldNotBeLookedAtIsNoPass) {
  useFrontend();
  json::Object &raw = package.outputs.begin()->second;
  auto stateOf = [&](llvm::StringRef id) {
    judge(package);
    return result(id).verdict.state;
  };
  EXPECT_EQ(stateOf("check/round-trip"), State::Pass);
  std::string name = raw.getString("id")->str();
  raw = json::Object{{"id", name}, {"ended", "not started: the process died"}};
  EXPECT_EQ(stateOf("check/round-trip"), State::NotRun);
  for (auto &[id, one] : package.outputs)
    one = json::Object{{"id", id}, {"ran", "inconclusive"}};
  EXPECT_EQ(stateOf("check/data-race"), State::NotRun);
}

TEST_F(ForgeryTest, AnEditionAddsRowsAndKeepsOlderPackages) {
  RequirementList more{
      "compiler", "13.5", 2, {{"accept/three", "mma_k", "test", list.rows[0].sha256}}};
  write("lists/13.5/compiler-2.txt", printList(more));
  Verification got = verify();
  EXPECT_EQ(got.outcome, Verification::Outcome::Valid) << got.reason;
  EXPECT_THAT(llvm::join(got.notes, "\n"),
              HasSubstr("edition 1 of the list compiler 13.5, there is edition 2"));
  list = llvm::cantFail(loadList(lists, "compiler", "13.5"));
  EXPECT_EQ(list.edition, 2u);
  ASSERT_EQ(list.rows.size(), 7u);
  EXPECT_EQ(list.rows[1].id, "accept/three") << "in its place";
  package.statement["list_sha256"] = sha256(printList(list));
  expectInvalid("there is no result for 'accept/three'");
  more.rows.front().id = "accept/one";
  write("lists/13.5/compiler-2.txt", printList(more));
  expectInvalid("'accept/one' is in an older edition");
}

} // namespace
