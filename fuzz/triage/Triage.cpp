//===- Triage.cpp - findings become bugs ------------------------------------------------------===//
#include "fuzz/triage/Triage.h"

#include "compiler/support/WriteFile.h"
#include "fuzz/campaign/KernelCoverage.h"
#include "fuzz/reduce/Reducer.h"
#include "fuzz/triage/Bisect.h"
#include "fuzz/triage/BugReport.h"
#include "oracles/verdict/Signature.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/GlobPattern.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace tilesmith;
using namespace tilesmith::fuzz;

/// Hits of a bug after which a signature alone is enough, and how often to look anew.
static constexpr uint64_t kSureHits = 20, kLookAnew = 50;
/// Later runs in which a fixed bug did not come again, until its cases are forgotten.
static constexpr int64_t kRunsOfAFix = 10;

llvm::Expected<std::vector<Suppression>> tilesmith::fuzz::parseSuppressions(llvm::StringRef text) {
  std::vector<Suppression> result;
  llvm::SmallVector<llvm::StringRef> lines;
  text.split(lines, '\n');
  for (auto [number, line] : llvm::enumerate(lines)) {
    line = line.split('#').first.trim();
    if (line.empty())
      continue;
    auto [pattern, reason] = line.split("=>");
    pattern = pattern.trim();
    reason = reason.trim();
    auto wrong = [&](llvm::StringRef what) {
      return llvm::createStringError(
          llvm::formatv("line {0}: expected `PATTERN => REASON`, {1}", number + 1, what).str());
    };
    if (pattern.empty())
      return wrong("found no pattern");
    if (reason.empty())
      return wrong("found no reason");
    if (auto glob = llvm::GlobPattern::create(pattern); !glob)
      return wrong("the pattern is no glob: " + llvm::toString(glob.takeError()));
    result.push_back({pattern.str(), reason.str()});
  }
  return result;
}

llvm::Expected<std::vector<Suppression>> tilesmith::fuzz::readSuppressions(llvm::StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return llvm::createStringError("cannot read '" + path + "': " + buffer.getError().message());
  auto result = parseSuppressions((*buffer)->getBuffer());
  if (!result)
    return llvm::createStringError("'" + path + "', " + llvm::toString(result.takeError()));
  return result;
}

/// The reason of the first suppression that matches.
static std::string reasonFor(const StoredBug &bug, llvm::ArrayRef<Suppression> known) {
  std::string text = bug.pass + ": " + bug.signature + " [" + llvm::join(bug.features, " ") + "]";
  for (const Suppression &suppression : known)
    if (auto glob = llvm::GlobPattern::create(suppression.pattern)) {
      if (glob->match(text))
        return suppression.reason;
    } else {
      llvm::consumeError(glob.takeError());
    }
  return "";
}

llvm::Expected<testcase::TestCase>
tilesmith::fuzz::caseOf(const std::vector<std::pair<std::string, std::string>> &files) {
  llvm::SmallString<128> path;
  if (std::error_code code = llvm::sys::fs::createUniqueDirectory("tilesmith-finding", path))
    return llvm::createStringError("no folder for a case: " + code.message());
  llvm::scope_exit remove([&] { llvm::sys::fs::remove_directories(path); });
  for (const auto &[name, data] : files)
    if (llvm::Error error = writeFileAtomically((path + "/" + name).str(), data))
      return std::move(error);
  return testcase::loadTestCase(path);
}

const StoredBug *Triage::match(llvm::StringRef pass, llvm::StringRef signature,
                               const std::set<std::string> &features, bool anyPass) const {
  const StoredBug *best = nullptr;
  for (const StoredBug &bug : bugs)
    if ((anyPass || bug.pass == pass) && bug.signature == signature &&
        (fixed.contains(bug.id) ? features == bug.features
                                : std::includes(features.begin(), features.end(),
                                                bug.features.begin(), bug.features.end())) &&
        (!best || bug.hits > best->hits))
      best = &bug;
  return best;
}

static std::string idOf(const StoredBug &bug) {
  return oracles::stableHash(bug.pass + "|" + bug.signature + "|" + llvm::join(bug.features, " "));
}

llvm::Error Triage::writeFolder(BugReport &report, StoredBug &bug) const {
  bug.id = idOf(bug);
  report.blame = "Blamed: " + bug.blame;
  std::string directory = options.directory + "/bug-" + bug.id;
  bug.command = report.command;
  bug.judge = llvm::join(oracles::judgeWords(report.judge), "\n");
  if (size_t at = bug.command.find("CASE"); at != std::string::npos)
    bug.command.replace(at, 4, directory);
  return writeBugReport(report, directory);
}

BugReport Triage::reportOf(const testcase::TestCase &testCase, const JudgeOptions &judge) const {
  BugReport report;
  report.testCase = testCase;
  report.judge = judge;
  report.prepare = options.prepare;
  report.command = reproduceCommand(judge) + options.plants;
  return report;
}

llvm::Expected<const StoredBug *> Triage::fileInvalid(const testcase::TestCase &testCase,
                                                      StoredBug &bug) const {
  // Already small: one fault, and its place.
  std::string version = testCase.versions().front();
  bug.pass = "verifier";
  bug.blame = testCase.notes;
  if (auto blame = bisect(testCase, version, {options.judge, options.limits, options.prepare})) {
    bug.pass = blame->pass;
    bug.blame = blame->str();
  } else {
    llvm::consumeError(blame.takeError());
  }
  bug.features = {testCase.expectReject->rule};
  bug.text = textOf(testCase, version);
  if (const StoredBug *same = match(bug.pass, bug.signature, bug.features))
    return same;
  BugReport report = reportOf(testCase, options.judge);
  if (llvm::Error error = writeFolder(report, bug))
    return std::move(error);
  return nullptr;
}

llvm::Expected<const StoredBug *> Triage::fileKernel(const testcase::TestCase &testCase,
                                                     StoredBug &bug) const {
  std::set<std::string> features = featuresOf(testCase);
  for (const std::string &pair : coverageOf(testCase))
    features.insert(operationOf(pair).str());
  const StoredBug *sure = match("", bug.signature, features, /*anyPass=*/true);
  if (sure && sure->hits >= kSureHits && sure->hits % kLookAnew != 0)
    return sure;

  std::vector<std::string> versions = testCase.versions();
  auto blame = bisect(testCase, versions.empty() ? "" : versions.front(),
                      {options.judge, options.limits, options.prepare});
  if (!blame) {
    bug.pass = "unknown";
    bug.blame = "does not fail again: " + llvm::toString(blame.takeError());
    bug.features = {"flaky"};
    return match(bug.pass, bug.signature, bug.features);
  }
  const StoredBug *known = match(blame->pass, bug.signature, features);
  if (known && known->hits % kLookAnew != 0)
    return known;
  BugReport report = reduceFor(testCase, bug, *blame);
  bug.features = featuresOf(report.testCase);
  bug.pass = blame->pass;
  bug.blame = blame->str();
  if (const StoredBug *same = match(bug.pass, bug.signature, bug.features))
    return same;
  if (llvm::Error error = writeFolder(report, bug))
    return std::move(error);
  return nullptr;
}

BugReport Triage::reduceFor(const testcase::TestCase &testCase, StoredBug &bug,
                            oracles::Attribution &blame) const {
  ReduceOptions reduce;
  reduce.judge = options.judge;
  reduce.limits.memoryMiB = options.limits.memoryMiB;
  reduce.seconds = options.reduceSeconds;
  reduce.prepare = options.prepare;
  auto reduced = reduceCase(testCase, reduce);
  if (!reduced) {
    llvm::consumeError(reduced.takeError());
    bug.text = textOf(testCase, testCase.versions().front());
    return reportOf(testCase, options.judge);
  }
  // The small case says more than the large one.
  auto smaller = bisect(reduced->testCase, reduced->testCase.versions().front(),
                        {reduced->judge, options.limits, options.prepare});
  if (smaller)
    blame = std::move(*smaller);
  else
    llvm::consumeError(smaller.takeError());
  bug.text = reduced->text;
  bug.operationsBefore = reduced->operationsBefore;
  bug.operationsAfter = reduced->operationsAfter;
  bug.reduceSeconds = reduced->seconds;
  return reportOf(reduced->testCase, reduced->judge);
}

llvm::Expected<TriagedFinding> Triage::triage(const StoredFinding &finding) {
  bugs = store.bugs();
  fixed.clear();
  for (const auto &[bug, state] : store.states())
    if (state == BugState::Fixed)
      fixed.insert(bug);
  TriagedFinding result;
  result.finding = finding;
  StoredBug &bug = result.bug;
  bug.signature = finding.signature;

  auto testCase = caseOf(store.files(finding.id));
  llvm::Expected<const StoredBug *> known = nullptr;
  if (!testCase) {
    // Not even a case: the generator's own bug, or a file that could not be written.
    bug.pass = "generator";
    bug.blame = llvm::toString(testCase.takeError());
    known = match(bug.pass, bug.signature, bug.features);
  } else {
    known = testCase->expectReject ? fileInvalid(*testCase, bug) : fileKernel(*testCase, bug);
  }
  if (!known)
    return known.takeError();
  if (*known) {
    bug = **known;
    return result;
  }
  if (bug.id.empty())
    bug.id = idOf(bug);
  bug.known = reasonFor(bug, options.known);
  result.isNew = true;
  return result;
}

llvm::Error Triage::applySuppressions() {
  for (const StoredBug &bug : store.bugs())
    if (std::string reason = reasonFor(bug, options.known); reason != bug.known)
      if (llvm::Error error = store.setKnown(bug.id, reason))
        return error;
  return llvm::Error::success();
}

llvm::Expected<std::optional<AgainJudged>> Triage::judgeAgain(const StoredBug &bug) {
  // A bug of a store of schema 1 has the case that was found only.
  auto files = store.smallCase(bug.id);
  if (files.empty())
    files = store.firstFiles(bug.id);
  auto testCase = caseOf(files);
  if (!testCase) {
    llvm::consumeError(testCase.takeError());
    return std::nullopt; // the finding was no case
  }
  JudgeOptions judge = options.judge;
  if (!bug.judge.empty()) {
    llvm::SmallVector<llvm::StringRef> words;
    llvm::StringRef(bug.judge).split(words, '\n');
    auto stored = oracles::parseJudgeWords(std::vector<std::string>(words.begin(), words.end()));
    if (!stored)
      return stored.takeError();
    judge = std::move(*stored);
  }
  const std::vector<std::string> versions = testCase->versions();
  ForkedJudge forked(options.limits, options.prepare);
  AgainJudged result;
  result.verdict = forked.judge(*testCase, versions.empty() ? "" : versions.front(), judge).verdict;
  const std::vector<StoredEvent> life = store.lives()[bug.id];
  const bool wasFixed = !life.empty() && life.back().event == BugEvent::Fixed;
  if (wasFixed ? !result.verdict.isDisagree() : !result.verdict.isAgree())
    return std::nullopt;
  result.event = wasFixed ? BugEvent::Regressed : BugEvent::Fixed;
  return result;
}

llvm::Error Triage::runAgain(
    const std::function<void(const StoredBug &, BugEvent, const oracles::Verdict &)> &onEvent) {
  for (const StoredBug &bug : store.bugs()) {
    auto judged = judgeAgain(bug);
    if (!judged)
      return judged.takeError();
    if (!*judged)
      continue;
    if (llvm::Error error = store.addEvent(bug.id, (*judged)->event, utcNow()))
      return error;
    onEvent(bug, (*judged)->event, (*judged)->verdict);
  }
  return llvm::Error::success();
}

llvm::Expected<std::vector<std::string>> Triage::prunable(const std::string &bug) const {
  std::vector<std::string> findings = store.storedCases(bug);
  std::set<size_t> kept = {0};
  const std::vector<StoredEvent> life = store.lives()[bug];
  const bool isFixed = !life.empty() && life.back().event == BugEvent::Fixed;
  const auto since = llvm::count_if(
      store.runs(), [&](const StoredRun &run) { return isFixed && run.id > life.back().run; });
  if (since < kRunsOfAFix) {
    std::vector<Covering> coverings;
    for (const std::string &finding : findings) {
      const auto files = store.files(finding);
      auto testCase = caseOf(files);
      if (!testCase) {
        // Not a case: the generator's bug, of which nothing else tells.
        llvm::consumeError(testCase.takeError());
        kept.insert(coverings.size());
        coverings.emplace_back();
        continue;
      }
      uint64_t bytes = 0;
      for (const auto &[name, data] : files)
        bytes += data.size();
      coverings.push_back({coverageOf(*testCase), bytes});
    }
    for (const Picked &picked : pickCovering(coverings, kept))
      kept.insert(picked.index);
  }
  if (!store.failure().empty())
    return llvm::createStringError(store.failure());
  std::vector<std::string> result;
  for (auto [index, finding] : llvm::enumerate(findings))
    if (!kept.count(index))
      result.push_back(finding);
  return result;
}

llvm::Error Triage::file(const TriagedFinding &triaged) {
  return store.assign(triaged.finding.id, triaged.bug, utcNow(),
                      options.directory + "/bug-" + triaged.bug.id);
}

llvm::Error Triage::triageAll(const std::function<void(const TriagedFinding &)> &onTriaged) {
  for (const StoredFinding &finding : store.findings(/*untriagedOnly=*/true)) {
    auto triaged = triage(finding);
    if (!triaged)
      return triaged.takeError();
    if (llvm::Error error = file(*triaged))
      return error;
    onTriaged(*triaged);
  }
  return llvm::Error::success();
}
