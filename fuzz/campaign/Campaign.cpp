//===- Campaign.cpp - judging many modules in worker processes --------------------------------===//
//
// One file, though long: a case goes one way from its seed to its verdict, and what a worker is given, prints and is
// counted for belongs together.
//
//===------------------------------------------------------------------------------------------===//
#include "fuzz/campaign/Campaign.h"

#include "compiler/support/Rewrites.h"
#include "fuzz/campaign/KernelCoverage.h"
#include "fuzz/campaign/StoredKernels.h"
#include "fuzz/campaign/WorkerPool.h"
#include "generators/invalid/InvalidGenerator.h"
#include "generators/mutate/Edits.h"
#include "generators/program/TileAAGenerator.h"
#include "oracles/engines/EngineSettings.h"
#include "oracles/metamorphic/Pinning.h"
#include "oracles/verdict/Signature.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"

#include <chrono>
#include <fcntl.h>
#include <unistd.h>

using namespace tilesmith;
using namespace tilesmith::fuzz;
using oracles::ModuleReport;
using oracles::Verdict;

namespace {

/// What a worker answered, or what became of it.
ModuleReport reportOf(const TaskResult &result, llvm::StringRef caseName, llvm::StringRef version) {
  ModuleReport report;
  if (result.status == TaskResult::Status::Done) {
    auto parsed = oracles::reportFromJson(llvm::StringRef(result.text).split('\n').first);
    if (parsed)
      return *parsed;
    report.verdict = harnessFault("campaign", "worker", llvm::toString(parsed.takeError()));
  } else {
    report.verdict = verdictOf({result.status, result.text});
  }
  report.caseName = caseName.str();
  report.version = version.str();
  return report;
}

std::string checkStored(const StoredModule &module, const CampaignOptions &options) {
  auto testCase = testcase::loadTestCase(module.directory);
  if (!testCase) {
    ModuleReport report;
    report.caseName = module.caseName;
    report.version = module.version;
    report.verdict = harnessFault("case", module.directory, llvm::toString(testCase.takeError()));
    return toJson(report);
  }
  ModuleReport report = oracles::judge(*testCase, module.version, options.judge);
  report.caseName = module.caseName;
  return toJson(report);
}

/// Saves a finding beside its verdict; returns the folder, or what went wrong.
std::string saveFinding(const std::string &folder, testcase::TestCase testCase,
                        const Verdict &verdict) {
  testCase.notes = verdict.str();
  std::string directory = folder + "/" + testCase.name;
  if (std::error_code code = llvm::sys::fs::create_directories(folder))
    return "(not saved: " + code.message() + ")";
  if (llvm::Error error = testcase::saveTestCase(testCase, directory))
    return "(not saved: " + llvm::toString(std::move(error)) + ")";
  return directory;
}

/// The kernel edited, and pinned to the results that it had before.
llvm::Expected<testcase::TestCase> editKernel(const FuzzOptions &fuzz,
                                              const testcase::TestCase &original,
                                              generators::ChoiceStream &stream) {
  static std::unique_ptr<mlir::MLIRContext> context;
  static unsigned uses = 0;
  static auto engines = llvm::cantFail(oracles::createEngines("reference"));
  if (uses++ % 1000 == 0)
    context = std::make_unique<mlir::MLIRContext>(mlir::MLIRContext::Threading::DISABLED);
  auto count = 1 + static_cast<unsigned>(stream.below(4));
  auto edited = generators::editCase(original, stream, count, *context);
  if (!edited || edited->edits.empty())
    return edited;
  // Where the original says nothing, the engines still have each other.
  oracles::pinToOriginal(*edited, original, original.versions().front(), *engines.front(), {});
  return edited;
}

/// What the case of an index is; drawn apart from its contents.
enum class CaseKind { Kernel, Invalid, TileAA, Stored };

CaseKind kindOfCase(const FuzzOptions &fuzz, uint64_t index) {
  if (!fuzz.generator.only.empty() || fuzz.generator.version)
    return CaseKind::Kernel;
  const uint64_t drawn = generators::streamOfCase(~fuzz.seed, index).bits(32);
  if (fuzz.invalidShare && drawn % fuzz.invalidShare == 0)
    return CaseKind::Invalid;
  // Other bits than those that chose between the two above.
  if (fuzz.tileaaShare && (drawn >> 16) % fuzz.tileaaShare == 0)
    return CaseKind::TileAA;
  if (fuzz.storedShare && !fuzz.storedFolders.empty() && (drawn >> 24) % fuzz.storedShare == 0)
    return CaseKind::Stored;
  return CaseKind::Kernel;
}

/// The end of a case's name that says what engines to draw: code for its products, or for its masks of rows, exists
/// for some targets alone.
llvm::StringRef suffixOf(const testcase::TestCase &testCase) {
  auto holds = [&](std::initializer_list<llvm::StringRef> wanted) {
    return llvm::any_of(testCase.features, [&](llvm::StringRef feature) {
      return llvm::is_contained(wanted, feature);
    });
  };
  if (holds({"scaled-loop", "half-byte-product"}))
    return oracles::kScaledSuffix;
  if (holds({"k-loop-directed", "k-loop-shifted-base", "k-loop-spoiled-depth"}))
    return oracles::kMapsSuffix;
  if (holds({"products-once", "sums-go-on", "fixed-operand", "two-pieces", "products-in-turn",
             "byte-products", "turns-that-write", "product-graph", "tiles-in-turn"}))
    return oracles::kLargeSuffix;
  if (holds({"k-loop", "attention-loop", "cluster-entry", "computed-operand", "tile-both-ways",
             "product-chain", "gathered-operand", "loaded-bounds", "batched-products",
             "row-bounds"}))
    return oracles::kProductsSuffix;
  return "";
}

/// A changed kernel of a stored case; nothing: none that means something was drawn.
std::optional<testcase::TestCase> changeStored(const FuzzOptions &fuzz, uint64_t index,
                                               Refusals &refusals) {
  static StoredKernels kernels(fuzz.storedFolders);
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  generators::ChoiceStream stream = generators::streamOfCase(~fuzz.seed, ~index);
  auto changed = kernels.draw(stream, context, refusals);
  if (changed) {
    changed->generator = llvm::json::Object{{"name", "stored"},
                                            {"of", changed->name},
                                            {"seed", static_cast<int64_t>(fuzz.seed)},
                                            {"index", static_cast<int64_t>(index)}};
    changed->name = generators::nameOfCase(fuzz.seed, index);
    changed->name += suffixOf(*changed);
  }
  return changed;
}

testcase::TestCase generateProgram(const FuzzOptions &fuzz, uint64_t index) {
  generators::ChoiceStream stream = generators::streamOfCase(fuzz.seed, index);
  testcase::TestCase testCase =
      generators::generateTileAA(stream, generators::nameOfCase(fuzz.seed, index)).testCase;
  testCase.generator = llvm::json::Object{{"name", "tileaa"},
                                          {"seed", static_cast<int64_t>(fuzz.seed)},
                                          {"index", static_cast<int64_t>(index)}};
  return testCase;
}

/// `choices`: changed ones of another case; empty: those of the number. `refusals`: of changed kernels.
llvm::Expected<testcase::TestCase> generateCase(const FuzzOptions &fuzz, uint64_t index,
                                                llvm::StringRef choices, Refusals &refusals) {
  const CaseKind kind = kindOfCase(fuzz, index);
  if (kind == CaseKind::TileAA)
    return generateProgram(fuzz, index);
  if (kind == CaseKind::Stored)
    if (auto changed = changeStored(fuzz, index, refusals))
      return std::move(*changed);
  static generators::ProgramGenerator generator;
  generators::ChoiceStream stream =
      choices.empty() ? generators::streamOfCase(fuzz.seed, index)
                      : generators::ChoiceStream::fromBytes(llvm::arrayRefFromStringRef(choices));
  auto testCase =
      generator.generate(stream, generators::nameOfCase(fuzz.seed, index), fuzz.generator);
  if (testCase)
    testCase->generator = llvm::json::Object{{"name", "program"},
                                             {"seed", static_cast<int64_t>(fuzz.seed)},
                                             {"index", static_cast<int64_t>(index)},
                                             {"guided", !choices.empty()}};
  if (testCase)
    testCase->name += suffixOf(*testCase);
  generators::ChoiceStream edits = generators::streamOfCase(~fuzz.seed, index);
  edits.bits(32); // drew the kind of case
  if (testCase && fuzz.editShare && edits.bits(32) % fuzz.editShare == 0)
    return editKernel(fuzz, *testCase, edits);
  return testCase;
}

/// Invalid modules of one case: together they take about as long as a kernel.
constexpr uint64_t kInvalidBatch = 16;

/// One invalid module of the batch, as `tilesmith generate --invalid` numbers them.
llvm::Expected<testcase::TestCase> generateInvalid(const FuzzOptions &fuzz, uint64_t index,
                                                   uint64_t part) {
  static generators::InvalidGenerator generator;
  uint64_t number = index * kInvalidBatch + part;
  generators::ChoiceStream stream = generators::streamOfCase(fuzz.seed, number);
  auto testCase = generator.generate(stream, generators::nameOfCase(fuzz.seed, index));
  if (testCase)
    testCase->generator = llvm::json::Object{{"name", "invalid"},
                                             {"seed", static_cast<int64_t>(fuzz.seed)},
                                             {"index", static_cast<int64_t>(number)}};
  return testCase;
}

/// What the modules of a batch said, as one report: of each oracle the weightiest verdict.
void addTo(std::vector<oracles::OracleReport> &all, llvm::ArrayRef<oracles::OracleReport> more) {
  for (const oracles::OracleReport &report : more) {
    auto same = llvm::find_if(all, [&](const auto &r) { return r.oracle == report.oracle; });
    if (same == all.end()) {
      all.push_back(report);
      continue;
    }
    same->verdict = combine(same->verdict, report.verdict);
    same->seconds += report.seconds;
  }
}

/// Judges a batch up to its first finding.
std::string fuzzInvalid(const FuzzOptions &fuzz, const CampaignOptions &options, uint64_t index) {
  ModuleReport report;
  report.caseName = generators::nameOfCase(fuzz.seed, index);
  for (uint64_t part = 0; part < kInvalidBatch && !report.verdict.isDisagree(); ++part) {
    auto testCase = generateInvalid(fuzz, index, part);
    if (!testCase) {
      report.verdict = harnessFault("generator", "module", llvm::toString(testCase.takeError()));
      break;
    }
    ModuleReport one = oracles::judge(*testCase, testCase->versions().front(), options.judge);
    report.version = one.version;
    addTo(report.oracles, one.oracles);
    report.verdict = combine(report.verdict, one.verdict);
  }
  return toJson(report);
}

/// The module of the batch that fails, found in a child that may die of it.
llvm::Expected<testcase::TestCase> findInvalid(const FuzzOptions &fuzz,
                                               const CampaignOptions &options, uint64_t index) {
  ForkedJudge forked(options.limits);
  for (uint64_t part = 0; part < kInvalidBatch; ++part) {
    auto testCase = generateInvalid(fuzz, index, part);
    if (!testCase)
      return testCase;
    auto report = forked.judge(*testCase, testCase->versions().front(), options.judge);
    if (report.verdict.isDisagree())
      return testCase;
  }
  return llvm::createStringError("no module of the batch fails again");
}

/// In place of an op in a worker's answer: an operation with its modes, the choices of the kernel, a
/// changed kernel of a stored case, and why another one was refused.
constexpr llvm::StringLiteral kMode = "op-mode", kChoices = "choices", kChanged = "changed-kernel",
                              kRefused = "refused-kernel";

/// One short write to the end of the file, so that lines of several workers never mix.
void logBegin(const std::string &path, uint64_t index) {
  int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  std::string line = std::to_string(index) + '\n';
  if (file < 0 || ::write(file, line.data(), line.size()) != static_cast<ssize_t>(line.size()))
    llvm::errs() << "warning: cannot write to " << path << '\n';
  if (file >= 0)
    ::close(file);
}

/// Lines behind a report: what the case covers and reached.
std::string reachedBy(const FuzzOptions &fuzz, const testcase::TestCase &testCase) {
  std::string lines;
  for (const std::string &pair : coverageOf(testCase))
    lines += '\n' + pair;
  const Rewrites rewrites = takeRewrites();
  for (const auto &[kind, names] :
       {std::pair(kRewriteFired, &rewrites.fired), {kRewriteFound, &rewrites.found}})
    for (const std::string &name : *names)
      lines += llvm::formatv("\n{0} {1}", kind, name).str();
  if (!fuzz.guidedShare && !fuzz.onCase)
    return lines;
  for (const std::string &mode : modesOf(testCase))
    lines += llvm::formatv("\n{0} {1}", kMode, mode).str();
  if (testCase.edits.empty() && testCase.choices)
    lines += llvm::formatv("\n{0} {1}", kChoices, llvm::toHex(*testCase.choices)).str();
  return lines;
}

std::string fuzzOne(const FuzzOptions &fuzz, const CampaignOptions &options, uint64_t index,
                    llvm::StringRef choices) {
  if (!fuzz.log.empty())
    logBegin(fuzz.log, index);
  if (kindOfCase(fuzz, index) == CaseKind::Invalid)
    return fuzzInvalid(fuzz, options, index);
  Refusals refusals;
  auto testCase = generateCase(fuzz, index, choices, refusals);
  if (!testCase) {
    ModuleReport report;
    report.caseName = generators::nameOfCase(fuzz.seed, index);
    report.verdict = harnessFault("generator", "module", llvm::toString(testCase.takeError()));
    return toJson(report);
  }
  countRewrites();
  // The text of a stored module may have numbered its types otherwise.
  const bool isStored = testCase->generator && testCase->generator->getString("name") == "stored";
  std::string answer = toJson(oracles::judge(*testCase, testCase->versions().front(),
                                             isStored ? options.judge : freshly(options.judge)));
  answer += reachedBy(fuzz, *testCase);
  if (isStored)
    answer += llvm::formatv("\n{0} 1", kChanged).str();
  for (const auto &[reason, count] : refusals)
    for (unsigned i = 0; i < count; ++i)
      answer += llvm::formatv("\n{0} {1}", kRefused, reason).str();
  return answer;
}

} // namespace

bool tilesmith::fuzz::isGuidedCase(const FuzzOptions &fuzz, uint64_t index) {
  if (fuzz.guidedShare == 0 || kindOfCase(fuzz, index) != CaseKind::Kernel)
    return false;
  generators::ChoiceStream draws = generators::streamOfCase(~fuzz.seed, index);
  draws.bits(64); // the kind of case, and whether it is edited
  return draws.bits(32) % fuzz.guidedShare == 0;
}

JudgeOptions tilesmith::fuzz::freshly(JudgeOptions options) {
  options.fresh = true;
  return options;
}

oracles::VerdictCounts tilesmith::fuzz::checkCases(llvm::ArrayRef<StoredModule> modules,
                                                   const CampaignOptions &options,
                                                   const OnReport &onReport) {
  oracles::VerdictCounts counts;
  std::map<uint64_t, ModuleReport> waiting; // finished ahead of their turn
  uint64_t handedOut = 0, printed = 0;
  WorkerPool pool(options.jobs, options.limits,
                  [&](uint64_t task) { return checkStored(modules[task], options); });
  pool.run(
      [&]() -> std::optional<uint64_t> {
        return handedOut < modules.size() ? std::optional<uint64_t>(handedOut++) : std::nullopt;
      },
      [&](const TaskResult &result) {
        const StoredModule &module = modules[result.task];
        waiting.emplace(result.task, reportOf(result, module.caseName, module.version));
        for (auto it = waiting.find(printed); it != waiting.end(); it = waiting.find(++printed)) {
          counts.add(it->second.verdict);
          counts.floats += it->second.floats;
          onReport(it->second);
          waiting.erase(it);
        }
        return true;
      });
  return counts;
}

namespace {

uint64_t residentKiB() {
  // The second number is pages.
  auto buffer = llvm::MemoryBuffer::getFileAsStream("/proc/self/statm");
  if (!buffer)
    return 0;
  uint64_t pages = 0;
  (*buffer)->getBuffer().split(' ').second.split(' ').first.getAsInteger(10, pages);
  return pages * static_cast<uint64_t>(::sysconf(_SC_PAGESIZE)) / 1024;
}

/// Findings of one signature that get a folder in one run.
constexpr unsigned kKeptAlike = 10;

/// New features of a kernel, over the last thirty or so.
struct Yield {
  double mean = 0;
  uint64_t count = 0;
  void add(double value) {
    mean += (value - mean) / static_cast<double>(std::min<uint64_t>(++count, 32));
  }
};

/// One run of fuzzCases.
class Run {
public:
  Run(const FuzzOptions &fuzz, const CampaignOptions &options,
      const std::function<bool(const FuzzFinding &)> &onFinding, const OnProgress &onProgress)
      : fuzz(fuzz), options(options), onFinding(onFinding), onProgress(onProgress) {
    if (fuzz.store && !fuzz.source) {
      finished = fuzz.store->finishedCases();
      earlier = fuzz.store->elapsed();
      before = fuzz.store->counts();
      Coverage all = fuzz.store->coverage();
      splitRewrites(all);
      for (const auto &[key, cases] : all)
        covered.insert(key);
    }
    readStreams();
  }

  llvm::Expected<FuzzResult> run();

private:
  double elapsed() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  std::optional<uint64_t> next();
  bool done(const TaskResult &task);
  /// `coverage`: of the case, for a source. `isAgain`: the case had ended otherwise before.
  bool keepFinding(uint64_t index, const Verdict &verdict, const Coverage &coverage, bool isAgain,
                   bool &goOn);
  Coverage noteCoverage(llvm::StringRef answer, CaseFeatures &reached);
  /// Changed choices for a case that is handed out; empty: it has those of its number.
  std::string choose(uint64_t index);
  void keepStream(CaseFeatures reached, bool isChanged);
  void readStreams();
  void flushSource(bool isEnd);
  void flush();
  bool store(llvm::Error error) {
    if (!error)
      return true;
    failure = llvm::joinErrors(std::move(failure), std::move(error));
    return false;
  }

  const FuzzOptions &fuzz;
  const CampaignOptions &options;
  const std::function<bool(const FuzzFinding &)> &onFinding;
  const OnProgress &onProgress;
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
  FuzzResult result;
  llvm::Error failure = llvm::Error::success();
  std::set<uint64_t> finished;
  oracles::VerdictCounts before;
  double earlier = 0, flushedAt = 0;
  uint64_t nextIndex = fuzz.first;
  Coverage pending;
  std::map<std::string, unsigned> alike; ///< findings by signature
  std::set<std::pair<std::string, std::string>> covered;
  StreamCorpus corpus;
  std::map<uint64_t, std::string> chosen; ///< of guided cases under way
  std::vector<StoredStream> unsaved;      ///< kept, not in the store yet
  int64_t lastStream = 0;                 ///< of the store that was read
  Yield freshYield, changedYield;
};

std::optional<uint64_t> Run::next() {
  if (fuzz.source)
    return failure ? std::nullopt : fuzz.source->next();
  if (fuzz.seconds > 0 && elapsed() >= fuzz.seconds)
    return std::nullopt;
  while (nextIndex % fuzz.shards != fuzz.shard || finished.count(nextIndex))
    ++nextIndex;
  if (fuzz.count && nextIndex - fuzz.first >= fuzz.count)
    return std::nullopt;
  return nextIndex++;
}

std::string Run::choose(uint64_t index) {
  if (!isGuidedCase(fuzz, index))
    return "";
  generators::ChoiceStream random = generators::streamOfCase(fuzz.seed, ~index);
  // As long as fresh kernels reach more, changed ones are only tried.
  constexpr uint64_t kTried = 8;
  if (changedYield.mean < freshYield.mean && random.below(kTried) != 0)
    return "";
  auto changed = corpus.draw(random.bits(64));
  if (!changed)
    return "";
  return chosen[index] = std::move(*changed);
}

void Run::keepStream(CaseFeatures reached, bool isChanged) {
  if (reached.choices.empty())
    return;
  const size_t before = corpus.features();
  std::vector<uint64_t> gained = corpus.add(reached.choices, hashesOf(reached));
  (isChanged ? changedYield : freshYield).add(static_cast<double>(corpus.features() - before));
  if (!gained.empty() && fuzz.store)
    unsaved.push_back({std::move(reached.choices), std::move(gained)});
  result.streams = corpus.streams();
  result.features = corpus.features();
}

/// What this process and others kept; streams of this one come again and gain nothing.
void Run::readStreams() {
  if (!fuzz.store || !fuzz.guidedShare)
    return;
  for (StoredStream &stream : fuzz.store->streams(lastStream))
    corpus.add(std::move(stream.choices), stream.features);
}

Coverage Run::noteCoverage(llvm::StringRef answer, CaseFeatures &reached) {
  Coverage coverage;
  llvm::SmallVector<llvm::StringRef> lines;
  answer.split('\n').second.split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef line : lines) {
    auto [op, type] = line.split(' ');
    std::pair<std::string, std::string> key(op.str(), type.str());
    if (op == kMode) {
      reached.modes.insert(type.str());
      continue;
    }
    if (op == kChanged || op == kRefused) {
      ++(op == kChanged ? result.changedKernels : result.refusals[type.str()]);
      continue;
    }
    if (op == kChoices) {
      reached.choices = llvm::fromHex(type);
      continue;
    }
    if (op == kRewriteFired) {
      reached.rewrites.insert(type.str());
    } else if (op != kRewriteFound) {
      reached.pairs.insert(line.str());
      covered.insert(key);
    }
    ++coverage[key];
  }
  result.coveredPairs = covered.size();
  return coverage;
}

/// Coverage and samples go to the store once a second: a kill may lose a second of these two.
void Run::flush() {
  flushedAt = elapsed();
  if (!fuzz.store)
    return;
  if (fuzz.guidedShare) {
    if (!store(fuzz.store->addStreams(unsaved)))
      return;
    unsaved.clear();
    readStreams();
  }
  if (fuzz.source)
    return;
  if (!store(fuzz.store->addCoverage(pending)))
    return;
  pending.clear();
  store(fuzz.store->addSample({earlier + elapsed(), before.total() + result.counts.total(),
                               before.failed + result.counts.failed,
                               before.inconclusive + result.counts.inconclusive, residentKiB()}));
}

/// Cases that ended in two ways are findings.
void Run::flushSource(bool isEnd) {
  auto differing = fuzz.source->flush(isEnd);
  if (!differing) {
    store(differing.takeError());
    return;
  }
  for (const auto &[one, before] : *differing) {
    if (isGuidedCase(fuzz, one.index))
      continue; // another kernel
    bool goOn = true;
    keepFinding(
        one.index,
        Verdict::disagree(
            "judged again", "verdict",
            llvm::formatv("{0} before, then {1}", toString(before), one.verdict.str()).str()),
        {}, /*isAgain=*/true, goOn);
  }
}

bool Run::keepFinding(uint64_t index, const Verdict &verdict, const Coverage &coverage,
                      bool isAgain, bool &goOn) {
  FuzzFinding finding;
  finding.name = generators::nameOfCase(fuzz.seed, index);
  finding.verdict = verdict;
  // Made again here: the worker may have died of it.
  Refusals ignored;
  auto testCase = kindOfCase(fuzz, index) == CaseKind::Invalid
                      ? findInvalid(fuzz, options, index)
                      : generateCase(fuzz, index, chosen[index], ignored);
  // Of many that look alike a few are enough; the store has them all, and their number makes each
  // again.
  std::string signature = signatureOf(verdict).str();
  llvm::SmallString<128> scratch;
  const bool isOneOfMany = ++alike[signature] > kKeptAlike;
  if (isOneOfMany && fuzz.store)
    llvm::sys::fs::createUniqueDirectory("tilesmith-finding", scratch);
  llvm::scope_exit remove([&] {
    if (!scratch.empty())
      llvm::sys::fs::remove_directories(scratch);
  });
  std::string saved;
  if (!testCase)
    saved = "(not saved: " + llvm::toString(testCase.takeError()) + ")";
  else if (!isOneOfMany || fuzz.store)
    saved = saveFinding(isOneOfMany ? scratch.str().str() : fuzz.findings, std::move(*testCase),
                        verdict);
  finding.directory = saved;
  if (isOneOfMany && testCase)
    finding.directory = llvm::formatv("(not saved: {0} that look like it are)", kKeptAlike);
  if (fuzz.store) {
    StoredFinding stored;
    stored.id = fuzz.store->findingId(fuzz.seed, index);
    if (isAgain)
      stored.id = oracles::stableHash(stored.id + " again");
    stored.name = finding.name;
    stored.verdict = verdict.str();
    stored.signature = std::move(signature);
    if (!store(fuzz.source ? fuzz.source->addFinding({index, verdict, coverage}, stored, saved)
                           : fuzz.store->addFinding(index, stored, verdict, saved)))
      return false;
    finding.id = stored.id;
  }
  if (onFinding(finding) && fuzz.stopAtFirst)
    goOn = false;
  return true;
}

bool Run::done(const TaskResult &task) {
  ModuleReport report = reportOf(task, generators::nameOfCase(fuzz.seed, task.task), "");
  Coverage coverage;
  CaseFeatures reached;
  if (task.status == TaskResult::Status::Done)
    coverage = noteCoverage(task.text, reached);
  if (fuzz.onCase)
    fuzz.onCase(task.task, reached, report.verdict);
  if (fuzz.guidedShare)
    keepStream(std::move(reached), chosen.count(task.task) != 0);
  llvm::scope_exit forget([&] { chosen.erase(task.task); });
  if (fuzz.store && !fuzz.source)
    for (const auto &[key, count] : coverage)
      pending[key] += count;
  result.counts.add(report.verdict);
  result.counts.floats += report.floats;
  addCounts(result.oracles, report);
  if (report.verdict.isInconclusive())
    ++result.inconclusiveReasons[llvm::StringRef(report.verdict.reason).split('\n').first.str()];
  bool goOn = true;
  if (report.verdict.isDisagree()) {
    if (!keepFinding(task.task, report.verdict, coverage, /*isAgain=*/false, goOn))
      return false;
  } else if (fuzz.source) {
    fuzz.source->add({task.task, report.verdict, std::move(coverage)});
  } else if (fuzz.store && !store(fuzz.store->addCase(task.task, report.verdict))) {
    return false;
  }
  result.seconds = elapsed();
  if (fuzz.source)
    flushSource(/*isEnd=*/false);
  if (failure)
    return false;
  if (result.seconds - flushedAt >= 1)
    flush();
  onProgress(result);
  return goOn;
}

llvm::Expected<FuzzResult> Run::run() {
  WorkerPool pool(
      options.jobs, options.limits,
      [&](uint64_t task, llvm::StringRef choices) { return fuzzOne(fuzz, options, task, choices); },
      [&](uint64_t task) { return choose(task); });
  pool.run([&] { return next(); }, [&](const TaskResult &task) { return done(task); });
  flush();
  if (fuzz.source && !failure)
    flushSource(/*isEnd=*/true);
  result.seconds = elapsed();
  if (failure)
    return std::move(failure);
  return std::move(result);
}

} // namespace

llvm::Expected<FuzzResult>
tilesmith::fuzz::fuzzCases(const FuzzOptions &fuzz, const CampaignOptions &options,
                           const std::function<bool(const FuzzFinding &)> &onFinding,
                           const OnProgress &onProgress) {
  return Run(fuzz, options, onFinding, onProgress).run();
}
