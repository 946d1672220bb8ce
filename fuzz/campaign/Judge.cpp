//===- Judge.cpp - one module judged in a child -----------------------------------------------===//
#include "fuzz/campaign/Judge.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace tilesmith;
using namespace tilesmith::fuzz;
using oracles::ModuleReport;
using oracles::Verdict;

/// Requests after which a child is replaced: its contexts grow with every module.
static constexpr unsigned kRequestsPerChild = 300;

Verdict tilesmith::fuzz::harnessFault(std::string what, std::string place, std::string text) {
  Verdict verdict = Verdict::disagree(std::move(what), std::move(place), std::move(text));
  verdict.oracle = "harness";
  return verdict;
}

Verdict tilesmith::fuzz::verdictOf(const WorkerAnswer &answer) {
  switch (answer.status) {
  case WorkerAnswer::Status::Done:
    return harnessFault("campaign", "worker", answer.text);
  case WorkerAnswer::Status::Crashed: {
    Verdict verdict = Verdict::disagree("crash", "compiling or running the case", answer.text);
    verdict.oracle = "crash";
    return verdict;
  }
  case WorkerAnswer::Status::TimedOut:
    return Verdict::inconclusive("time limit: " + answer.text);
  case WorkerAnswer::Status::OutOfMemory:
    return Verdict::inconclusive(answer.text);
  }
  llvm_unreachable("all statuses are listed");
}

ForkedJudge::ForkedJudge(WorkerLimits limits, std::function<void()> prepare)
    : limits(limits), prepare(std::move(prepare)) {
  llvm::SmallString<128> path;
  if (!llvm::sys::fs::createUniqueDirectory("tilesmith-judge", path))
    directory = path.str().str();
}

ForkedJudge::~ForkedJudge() {
  process.stop();
  if (!directory.empty())
    llvm::sys::fs::remove_directories(directory);
}

/// A request: the folder of the case, the version, and the options as words.
static std::string encode(const std::string &directory, llvm::StringRef version,
                          const JudgeOptions &options) {
  llvm::json::Array words;
  for (const std::string &word : oracles::judgeWords(options))
    words.push_back(llvm::json::fixUTF8(word));
  return llvm::formatv("{0}", llvm::json::Value(llvm::json::Object{{"case", directory},
                                                                   {"version", version},
                                                                   {"words", std::move(words)}}));
}

static std::string judgeRequest(llvm::StringRef request) {
  llvm::json::Value value = llvm::cantFail(llvm::json::parse(request));
  const llvm::json::Object &object = *value.getAsObject();
  std::string directory = object.getString("case")->str();
  ModuleReport report;
  std::vector<std::string> words;
  for (const llvm::json::Value &word : *object.getArray("words"))
    words.push_back(word.getAsString()->str());
  auto options = oracles::parseJudgeWords(words);
  if (!options) {
    report.verdict = harnessFault("campaign", "options", llvm::toString(options.takeError()));
    return toJson(report);
  }
  auto testCase = testcase::loadTestCase(directory);
  if (!testCase) {
    report.verdict = harnessFault("case", directory, llvm::toString(testCase.takeError()));
    return toJson(report);
  }
  return toJson(oracles::judge(*testCase, *object.getString("version"), *options));
}

ModuleReport ForkedJudge::judge(const testcase::TestCase &testCase, llvm::StringRef version,
                                const JudgeOptions &options) {
  ModuleReport report;
  report.caseName = testCase.name;
  report.version = version.str();
  if (llvm::Error error = testcase::saveTestCase(testCase, directory + "/case")) {
    report.verdict = Verdict::inconclusive("no case to judge: " + llvm::toString(std::move(error)));
    return report;
  }
  if (++served % kRequestsPerChild == 0)
    process.stop();
  auto work = [this, prepared = false](llvm::StringRef request) mutable {
    if (prepare && !prepared)
      prepare();
    prepared = true;
    return judgeRequest(request);
  };
  WorkerAnswer answer = process.ask(work, limits, encode(directory + "/case", version, options));
  if (answer.status != WorkerAnswer::Status::Done) {
    report.verdict = verdictOf(answer);
    return report;
  }
  auto parsed = oracles::reportFromJson(answer.text);
  if (parsed)
    return std::move(*parsed);
  report.verdict = harnessFault("campaign", "worker", llvm::toString(parsed.takeError()));
  return report;
}
