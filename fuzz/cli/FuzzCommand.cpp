//===- FuzzCommand.cpp - tilesmith fuzz --seed S [--count N] [--time T] -----------------------===//
//
// Generates kernels and judges each with all engines. A finding is saved as a case folder and named
// at once; the last line holds the counts. With a store (--db) the campaign goes on where it was
// stopped, and every finding is blamed, reduced and filed under a bug. On a new build the small cases
// of all bugs are judged first, then fresh cases; the exit code speaks of new and regressed bugs.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/support/Plants.h"
#include "compiler/support/WriteFile.h"
#include "fuzz/campaign/CurveCounter.h"
#include "fuzz/campaign/Interrupt.h"
#include "fuzz/campaign/ReportRows.h"
#include "fuzz/cli/CampaignSettings.h"
#include "fuzz/cli/Commands.h"
#include "fuzz/report/Curves.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace tilesmith;
using namespace tilesmith::fuzz;
namespace cl = llvm::cl;

cl::SubCommand &tilesmith::fuzz::fuzzCommand() {
  static cl::SubCommand command("fuzz", "generate kernels and compare engines on them");
  return command;
}

static constexpr llvm::StringLiteral kVersion =
#include "fuzz/cli/Version.inc"
    ;

static cl::opt<uint64_t> count("count", cl::desc("number of cases (default 1000 without --time)"),
                               cl::init(0), cl::sub(fuzzCommand()));
static cl::opt<double> seconds("time", cl::desc("seconds to run"), cl::init(0),
                               cl::sub(fuzzCommand()));
static cl::opt<std::string> output("o", cl::desc("folder of findings (default ./findings)"),
                                   cl::init("findings"), cl::sub(fuzzCommand()));
static cl::opt<bool> stopAtFirst("stop-at-first", cl::desc("end with the first finding"),
                                 cl::sub(fuzzCommand()));

static cl::opt<bool> listPlants("list-plants",
                                cl::desc("print the planted bugs, one a line, and end"),
                                cl::sub(fuzzCommand()));
static cl::list<std::string> features("features",
                                      cl::desc("use only these rules or families of rules"),
                                      cl::CommaSeparated, cl::sub(fuzzCommand()));

static cl::opt<unsigned>
    invalidShare("invalid-share",
                 cl::desc("one case in N is a batch of invalid modules (default 8; 0: none)"),
                 cl::init(8), cl::sub(fuzzCommand()));

static cl::opt<unsigned> editShare(
    "edit-share",
    cl::desc("one kernel in N is edited and judged against its original (default 8; 0: none)"),
    cl::init(8), cl::sub(fuzzCommand()));

static cl::opt<bool> guided("guided",
                            cl::desc("keep the choices of kernels that reach something new in the "
                                     "compiler, and make other kernels of them"),
                            cl::sub(fuzzCommand()));
static cl::opt<unsigned>
    guidedShare("guided-share",
                cl::desc("with --guided: one kernel in N is made of changed choices (default 2)"),
                cl::init(2), cl::sub(fuzzCommand()));

static cl::opt<std::string>
    curveFile("curve",
              cl::desc("run --count cases of each of --seeds seeds and write what they reached, by "
                       "number of cases"),
              cl::value_desc("FILE.json"), cl::sub(fuzzCommand()));
static cl::opt<unsigned> curveSeeds("seeds",
                                    cl::desc("with --curve: seeds, from --seed on (default 5)"),
                                    cl::init(5), cl::sub(fuzzCommand()));
static cl::opt<unsigned>
    tileaaShare("tileaa-share",
                cl::desc("one case in N is a program of nv_tileaa (default 32; 0: none)"),
                cl::init(32), cl::sub(fuzzCommand()));

static cl::opt<unsigned>
    storedShare("stored-share",
                cl::desc("one kernel in N is a changed one of a stored case (default 3; 0: none)"),
                cl::init(3), cl::sub(fuzzCommand()));
static cl::list<std::string>
    storedFolders("stored",
                  cl::desc("folders of these cases (default corpus/regressions, corpus/strategies "
                           "and corpus/perf/kinds, where they are)"),
                  cl::value_desc("DIR"), cl::CommaSeparated, cl::sub(fuzzCommand()));

static cl::opt<std::string> database("db",
                                     cl::desc("store that the campaign is kept in: a file, or "
                                              "postgresql://..."),
                                     cl::value_desc("FILE|URL"), cl::sub(fuzzCommand()));
static cl::opt<std::string>
    build("build",
          cl::desc("name of this tilesmith in the store (default: version and hash of the "
                   "program)"),
          cl::value_desc("NAME"), cl::sub(fuzzCommand()));
static cl::opt<std::string> shard("shard", cl::desc("run only part I of N of the cases (from 0)"),
                                  cl::value_desc("I/N"), cl::init("0/1"), cl::sub(fuzzCommand()));
static cl::opt<std::string> known("known", cl::desc("suppressions: lines PATTERN => REASON"),
                                  cl::value_desc("FILE"), cl::sub(fuzzCommand()));
static cl::opt<std::string> logFile("log", cl::desc("append the number of each case that is begun"),
                                    cl::value_desc("FILE"), cl::sub(fuzzCommand()));
static cl::opt<bool> noTriage("no-triage", cl::desc("do not blame and reduce what is found"),
                              cl::sub(fuzzCommand()));
static cl::opt<double> reduceTime("reduce-time",
                                  cl::desc("seconds to reduce a new bug (default 60)"),
                                  cl::init(60), cl::sub(fuzzCommand()));

static cl::opt<bool> planOnly("plan",
                              cl::desc("do not run: leave the cases in the store of --db for "
                                       "tilesmith worker"),
                              cl::sub(fuzzCommand()));
static cl::opt<std::string>
    workerRole("worker-role",
               cl::desc("with --plan: the server's role that the workers have; it gets the rights "
                        "that they need"),
               cl::value_desc("ROLE"), cl::sub(fuzzCommand()));

static cl::list<std::string>
    measured("measure",
             cl::desc("with --plan: the workers measure the code of these cases, too (tilesmith "
                      "perf compares)"),
             cl::value_desc("CASE|DIR"), cl::CommaSeparated, cl::sub(fuzzCommand()));

/// What decides the kernels and their verdicts, as words.
static std::string describe(const RunOptions &options, const FuzzOptions &fuzz) {
  std::string text =
      llvm::StringRef(shellWords(oracles::judgeWords(options.campaign.judge))).trim().str();
  if (fuzz.generator.version)
    text += llvm::formatv(" version=13.{0}", *fuzz.generator.version).str();
  if (!fuzz.generator.only.empty())
    text += " features=" + llvm::join(fuzz.generator.only, ",");
  if (fuzz.invalidShare != 8)
    text += llvm::formatv(" invalid-share={0}", fuzz.invalidShare).str();
  if (fuzz.editShare != 8)
    text += llvm::formatv(" edit-share={0}", fuzz.editShare).str();
  if (fuzz.guidedShare)
    text += llvm::formatv(" guided-share={0}", fuzz.guidedShare).str();
  if (fuzz.tileaaShare != 32)
    text += llvm::formatv(" tileaa-share={0}", fuzz.tileaaShare).str();
  if (!fuzz.storedFolders.empty() && fuzz.storedShare)
    text += llvm::formatv(" stored-share={0} stored={1}", fuzz.storedShare,
                          llvm::join(fuzz.storedFolders, ","))
                .str();
  for (const std::string &plant : options.plants)
    text += " plant=" + plant;
  return text;
}

/// I and N of "I/N".
static bool parseShard(llvm::StringRef text, FuzzOptions &fuzz) {
  auto [index, count] = text.split('/');
  return !index.getAsInteger(10, fuzz.shard) && !count.getAsInteger(10, fuzz.shards) &&
         fuzz.shards > 0 && fuzz.shard < fuzz.shards;
}

/// `H:MM:SS` or `M:SS`.
static std::string clock(double seconds) {
  auto whole = static_cast<uint64_t>(seconds);
  std::string text;
  llvm::raw_string_ostream sink(text);
  if (whole >= 3600)
    sink << whole / 3600 << ':' << llvm::format("%02u:", static_cast<unsigned>(whole / 60 % 60));
  else
    sink << whole / 60 << ':';
  sink << llvm::format("%02u", static_cast<unsigned>(whole % 60));
  return text;
}

/// One line of less than 80 columns.
static std::string liveLine(const FuzzResult &result, const FuzzOptions &fuzz, uint64_t earlier) {
  const oracles::VerdictCounts &counts = result.counts;
  double rate = static_cast<double>(counts.total()) / std::max(result.seconds, 0.001);
  uint64_t finished = counts.total() + earlier, wanted = fuzz.count / fuzz.shards;
  std::string line = llvm::formatv("{0}", finished);
  if (fuzz.count)
    line += llvm::formatv("/{0}", wanted).str();
  line += llvm::formatv(" cases {0:f1}/s, {1} failed, {2} inconclusive, {3} op-types", rate,
                        counts.failed, counts.inconclusive, result.coveredPairs)
              .str();
  double left = -1;
  if (fuzz.count && rate > 0)
    left = static_cast<double>(wanted > finished ? wanted - finished : 0) / rate;
  if (fuzz.seconds > 0)
    left = left < 0 ? fuzz.seconds - result.seconds : std::min(left, fuzz.seconds - result.seconds);
  if (left >= 0)
    line += ", ETA " + clock(left);
  return llvm::StringRef(line).take_front(79).str();
}

/// What the command line says of the cases. Error: what was expected and found.
static llvm::Expected<FuzzOptions> readFuzzOptions(RunOptions &options) {
  FuzzOptions fuzz;
  // Zero would mean without end.
  if (count.getNumOccurrences() && count == 0)
    return llvm::createStringError("expected at least one case, found --count=0");
  if (seconds.getNumOccurrences() && !(seconds > 0))
    return llvm::createStringError(
        llvm::formatv("expected a positive number of seconds for --time, found {0}",
                      seconds.getValue())
            .str());
  if (!(reduceTime >= 0))
    return llvm::createStringError(
        llvm::formatv("expected a number of seconds for --reduce-time, found {0}",
                      reduceTime.getValue())
            .str());
  if (llvm::Error error = checkOutputFile(logFile))
    return std::move(error);
  if (llvm::Error error = checkFeatures(features))
    return std::move(error);
  llvm::sys::fs::file_status status;
  if (!llvm::sys::fs::status(output, status) && !llvm::sys::fs::is_directory(status))
    return llvm::createStringError("expected a folder for findings, found the file '" + output +
                                   "'");
  // Random schedules of the engines belong to the case, not to the campaign.
  fuzz.seed = std::exchange(options.campaign.judge.differential.engine.seed, 0);
  fuzz.count = count.getNumOccurrences() == 0 && seconds <= 0 ? 1000 : count;
  fuzz.seconds = seconds;
  fuzz.stopAtFirst = stopAtFirst;
  fuzz.invalidShare = invalidShare;
  fuzz.editShare = editShare;
  if (guidedShare.getNumOccurrences() && (!guided || guidedShare == 0))
    return llvm::createStringError("expected --guided with --guided-share, and at least 1");
  fuzz.guidedShare = guided ? guidedShare : 0;
  fuzz.tileaaShare = tileaaShare;
  fuzz.storedShare = storedShare;
  fuzz.storedFolders.assign(storedFolders.begin(), storedFolders.end());
  for (llvm::StringRef folder : {"corpus/perf/kinds", "corpus/regressions", "corpus/strategies"})
    if (storedFolders.empty() && llvm::sys::fs::is_directory(folder))
      fuzz.storedFolders.push_back(folder.str());
  if (!parseShard(shard, fuzz))
    return llvm::createStringError("expected --shard=I/N with I below N, found '" + shard + "'");
  fuzz.findings = output;
  fuzz.log = logFile;
  if (options.version && (*options.version < 1 || *options.version > generators::kNewestVersion))
    return llvm::createStringError("the generator writes bytecode 13.1 to 13.5");
  fuzz.generator.version = options.version;
  fuzz.generator.only.assign(features.begin(), features.end());
  return fuzz;
}

/// How findings are filed. Error: the suppressions.
static llvm::Expected<TriageOptions> readTriageOptions(const RunOptions &options) {
  TriageOptions triage;
  if (!known.empty()) {
    if (database.empty() || noTriage)
      return llvm::createStringError("--known needs --db, and findings to be triaged");
    auto suppressions = readSuppressions(known);
    if (!suppressions)
      return suppressions.takeError();
    triage.known = std::move(*suppressions);
  }
  triage.judge = freshly(options.campaign.judge);
  triage.limits = options.campaign.limits;
  triage.reduceSeconds = reduceTime;
  triage.prepare = plantSwitch(options);
  triage.plants = plantWords(options);
  triage.directory = output;
  return triage;
}

/// Opens the store of --db and chooses its campaign; its seed, where none is given.
static llvm::Expected<Store> openStore(const RunOptions &options, FuzzOptions &fuzz) {
  auto store = Store::open(database);
  if (!store)
    return store.takeError();
  if (!engineOptionGiven("seed"))
    fuzz.seed = store->onlySeed().value_or(fuzz.seed);
  const RunInfo info{build.empty() ? thisBuild(kVersion) : build, hostName(), utcNow(), fuzz.count};
  if (llvm::Error error =
          store->begin({fuzz.seed, describe(options, fuzz), fuzz.shard, fuzz.shards}, info))
    return std::move(error);
  fuzz.first = store->firstCase();
  return store;
}

namespace {

/// Files the findings of a store while the campaign runs; without a store every finding is new.
class Clerk {
public:
  Clerk(Store *store, const TriageOptions &options, ProgressLine &progress)
      : store(noTriage ? nullptr : store), options(options), progress(progress) {}

  /// Judges the small cases of filed bugs again.
  void runAgain();
  /// False when what was found is known.
  bool fileAll();
  llvm::Error takeFailure() { return std::move(failure); }

private:
  void print(const TriagedFinding &filed) const;

  Store *store;
  const TriageOptions &options;
  ProgressLine &progress;
  llvm::Error failure = llvm::Error::success();
};

void Clerk::print(const TriagedFinding &filed) const {
  progress.clear();
  const StoredBug &bug = filed.bug;
  llvm::outs() << "  " << filed.finding.name << (filed.isNew ? " is new bug " : " is bug ")
               << bug.id << ": " << bug.blame << '\n';
  if (filed.isNew && bug.operationsBefore)
    llvm::outs() << llvm::formatv("  reduced from {0} operations to {1}: {2}/bug-{3}\n",
                                  bug.operationsBefore, bug.operationsAfter, output, bug.id);
  if (!bug.known.empty())
    llvm::outs() << "  known: " << bug.known << '\n';
  llvm::outs().flush();
}

void Clerk::runAgain() {
  if (!store || interrupted())
    return;
  failure = llvm::joinErrors(
      std::move(failure),
      Triage(*store, options)
          .runAgain([&](const StoredBug &bug, BugEvent event, const oracles::Verdict &verdict) {
            progress.clear();
            llvm::outs() << "bug " << bug.id
                         << (event == BugEvent::Fixed ? " is fixed: " : " has regressed: ")
                         << bug.pass << ": " << bug.signature << '\n';
            if (event == BugEvent::Regressed)
              llvm::outs() << "  " << verdict.str() << '\n';
          }));
}

bool Clerk::fileAll() {
  if (!store || interrupted()) // what is left is filed by the next run
    return true;
  bool unknown = false;
  // Edits and compiles in this process, where planted bugs must not act.
  deactivatePlants();
  Triage triage(*store, options);
  // The list may have grown since a bug was filed.
  llvm::Error error = triage.applySuppressions();
  error = llvm::joinErrors(std::move(error), triage.triageAll([&](const TriagedFinding &filed) {
    print(filed);
    unknown |= filed.bug.known.empty();
  }));
  options.prepare();
  failure = llvm::joinErrors(std::move(failure), std::move(error));
  return unknown;
}

} // namespace

/// The bugs of a store with what they are now. Failures for the exit code: those that are new or
/// have regressed, and findings that were not filed.
static uint64_t printBugs(const Store &store) {
  std::map<std::string, BugState> states = store.states();
  std::map<BugState, uint64_t> sums;
  for (const StoredBug &bug : store.bugs()) {
    const BugState state = states[bug.id];
    ++sums[state];
    llvm::outs() << llvm::formatv("bug {0}, {1}, {2} hits: {3}: {4}\n", bug.id, toString(state),
                                  bug.hits, bug.pass, bug.signature);
  }
  llvm::outs() << llvm::formatv("bugs: {0} new, {1} regressed, {2} open, {3} known, {4} fixed\n",
                                sums[BugState::New], sums[BugState::Regressed],
                                sums[BugState::Open], sums[BugState::Known], sums[BugState::Fixed]);
  return sums[BugState::New] + sums[BugState::Regressed] + store.unfiledFailures();
}

/// Leaves a campaign to workers: what it is, for how many cases, and how findings are filed.
static int plan(const RunOptions &options, const FuzzOptions &fuzz, const TriageOptions &triage) {
  if (database.empty() || fuzz.count == 0 || fuzz.shards != 1 || stopAtFirst || !logFile.empty())
    return usageError("--plan needs --db and --count, and goes without --time, --shard, --log and "
                      "--stop-at-first");
  constexpr uint64_t kMostPlanned = 100'000'000; // a row for each 256
  if (fuzz.count > kMostPlanned)
    return usageError("expected at most " + llvm::Twine(kMostPlanned) +
                      " cases with --plan, found " + llvm::Twine(fuzz.count));
  std::vector<std::string> perfCases;
  if (!measured.empty()) {
    auto found = findCases(std::vector<std::string>(measured.begin(), measured.end()));
    if (!found)
      return usageError(found.takeError());
    perfCases = std::move(*found);
    std::set<llvm::StringRef> names;
    for (const std::string &directory : perfCases)
      if (!names.insert(llvm::sys::path::filename(directory)).second)
        return usageError("two cases are called '" + llvm::sys::path::filename(directory) + "'");
  }
  auto store = Store::open(database);
  if (!store)
    return usageError(store.takeError());
  const std::string name = build.empty() ? thisBuild(kVersion) : build;
  Ledger ledger(*store, "", 0);
  CampaignSettings settings{options, fuzz, triage};
  if (llvm::Error error = ledger.plan({fuzz.seed, describe(options, fuzz), 0, 1},
                                      {name, hostName(), utcNow(), fuzz.count},
                                      writeSettings(settings), workerRole))
    return usageError(std::move(error));
  if (llvm::Error error = Triage(*store, triage).applySuppressions())
    return usageError(std::move(error));
  for (const std::string &directory : perfCases)
    if (llvm::Error error = ledger.planPerf(llvm::sys::path::filename(directory).str(), directory))
      return usageError(std::move(error));
  for (const PlannedRun &run : ledger.plannedRuns())
    if (run.id == store->chosenRun())
      llvm::outs() << llvm::formatv("campaign {0}, build {1}: {2} cases from {3} on, {4} tasks are "
                                    "open; tilesmith worker --db=URL works on them\n",
                                    run.campaign, run.build, fuzz.count, run.first, run.open);
  return 0;
}

/// What one seed of a curve came to.
static std::string describeSums(const CurveCounter &counter) {
  std::string text;
  for (auto [name, sums] : llvm::zip_equal(kCurveMeasures, counter.sums()))
    text += llvm::formatv("{0}{1} {2}", text.empty() ? "" : ", ",
                          sums.empty() ? 0 : static_cast<uint64_t>(sums.back()), name)
                .str();
  return text;
}

/// Campaigns of several seeds, each without a store, and the file of what they reached.
static int runCurve(const RunOptions &options, FuzzOptions fuzz) {
  constexpr unsigned kMostSeeds = 1000, kPlaces = 20;
  if (!database.empty() || planOnly || fuzz.seconds > 0 || fuzz.shards != 1 || stopAtFirst ||
      !logFile.empty())
    return usageError("--curve goes without --db, --plan, --time, --shard, --log and "
                      "--stop-at-first");
  if (curveSeeds == 0 || curveSeeds > kMostSeeds)
    return usageError("expected 1 to " + llvm::Twine(kMostSeeds) +
                      " seeds, found --seeds=" + llvm::Twine(curveSeeds));
  if (curveFile.empty())
    return usageError("expected the name of a file after --curve=");
  if (llvm::Error error = checkOutputFile(curveFile, {}))
    return usageError(std::move(error));
  Curve curve{"", describe(options, fuzz), {}, {}, {}};
  for (unsigned i = 1; i <= kPlaces; ++i)
    if (uint64_t place = fuzz.count * i / kPlaces; place > 0)
      if (curve.cases.empty() || curve.cases.back() < place)
        curve.cases.push_back(place);
  for (llvm::StringRef name : kCurveMeasures)
    curve.measures.push_back({name.str(), {}});
  oracles::VerdictCounts counts;
  ProgressLine progress;
  noteInterrupts();
  for (unsigned i = 0; i < curveSeeds; ++i, ++fuzz.seed) {
    CurveCounter counter;
    fuzz.onCase = [&](uint64_t index, const CaseFeatures &reached, const oracles::Verdict &v) {
      counter.add(index, reached, v);
    };
    auto result = fuzzCases(
        fuzz, options.campaign,
        [&](const FuzzFinding &finding) {
          progress.clear();
          llvm::outs() << "finding " << finding.name << ": " << finding.verdict.str() << '\n';
          return true;
        },
        [&](const FuzzResult &soFar) { progress.show(liveLine(soFar, fuzz, 0)); });
    progress.clear();
    if (!result)
      return usageError(result.takeError());
    if (interrupted()) {
      llvm::outs() << "interrupted: nothing is written\n";
      return kInterrupted;
    }
    curve.seeds.push_back(fuzz.seed);
    for (auto [measure, sums] : llvm::zip_equal(curve.measures, counter.sums())) {
      std::vector<double> &at = measure.sums.emplace_back();
      for (uint64_t place : curve.cases)
        at.push_back(sums[place - 1]);
    }
    llvm::outs() << "seed " << fuzz.seed << ": " << describeSums(counter) << '\n';
    llvm::outs().flush();
    counts += result->counts;
  }
  for (const CurveMeasure &measure : curve.measures) {
    const CurveSpread spread = spreadOf(measure, curve.cases.size() - 1);
    llvm::outs() << llvm::formatv("{0}: median {1}, {2} to {3}\n", measure.name, spread.median,
                                  spread.least, spread.most);
  }
  if (llvm::Error error = writeFileAtomically(curveFile, toJson(curve)))
    return usageError(std::move(error));
  llvm::outs() << counts.str() << "\nwrote " << curveFile << '\n';
  return oracles::exitCode(counts, options.exit);
}

/// The last lines. What is returned decides the exit code: with a store, what failed before and is
/// neither new nor regressed fails nothing.
static oracles::VerdictCounts printSummary(const FuzzOptions &fuzz, const FuzzResult &result,
                                           unsigned jobs) {
  for (const auto &[reason, times] : result.inconclusiveReasons)
    llvm::outs() << "inconclusive " << times << " times: " << reason << '\n';
  llvm::outs() << "seed " << fuzz.seed << ": " << result.counts.total() << " cases in "
               << llvm::format("%.1f s, %.1f cases per second with %u jobs\n", result.seconds,
                               static_cast<double>(result.counts.total()) /
                                   std::max(result.seconds, 0.001),
                               jobs);
  printOracleCounts(llvm::outs(), result.oracles);
  if (fuzz.guidedShare)
    llvm::outs() << llvm::formatv("guided: {0} streams reach {1} features\n", result.streams,
                                  result.features);
  if (!fuzz.storedFolders.empty() && fuzz.storedShare) {
    uint64_t refused = 0;
    for (const auto &[reason, times] : result.refusals)
      refused += times;
    llvm::outs() << "stored kernels: " << result.changedKernels << " changed, " << refused
                 << " refused";
    for (const auto &[reason, times] : result.refusals)
      llvm::outs() << ", " << times << ' ' << reason;
    llvm::outs() << '\n';
  }
  if (result.counts.floats.total())
    llvm::outs() << result.counts.floats.str() << '\n';
  oracles::VerdictCounts counts = fuzz.store ? fuzz.store->counts() : result.counts;
  const uint64_t failures = fuzz.store ? printBugs(*fuzz.store) : counts.failed;
  llvm::outs() << counts.str() << '\n';
  counts.failed = failures;
  return counts;
}

int tilesmith::fuzz::runFuzz() {
  if (listPlants) {
    for (const PlantInfo &plant : plantRegistry())
      llvm::outs() << plant.id << ' ' << plant.family << ' ' << plant.file << ": "
                   << plant.description << '\n';
    return 0;
  }
  std::optional<RunOptions> options = readRunOptions();
  if (!options)
    return kUsageError;
  auto fuzz = readFuzzOptions(*options);
  if (!fuzz)
    return usageError(fuzz.takeError());
  auto triage = readTriageOptions(*options);
  if (!triage)
    return usageError(triage.takeError());
  if (curveFile.getNumOccurrences())
    return runCurve(*options, *fuzz);
  if (curveSeeds.getNumOccurrences())
    return usageError("expected --curve with --seeds");
  if (planOnly)
    return plan(*options, *fuzz, *triage);
  if (!workerRole.empty() || !measured.empty())
    return usageError("expected --plan with --worker-role and --measure");
  std::optional<Store> store;
  uint64_t earlier = 0;
  if (!database.empty()) {
    auto opened = openStore(*options, *fuzz);
    if (!opened)
      return usageError(opened.takeError());
    store.emplace(std::move(*opened));
    fuzz->store = &*store;
    std::set<uint64_t> finished = store->finishedCases();
    earlier =
        static_cast<uint64_t>(std::distance(finished.lower_bound(fuzz->first), finished.end()));
    if (earlier)
      llvm::outs() << "going on after " << earlier << " finished cases\n";
    else if (fuzz->first)
      llvm::outs() << "a new build: the cases begin at " << fuzz->first << '\n';
  }

  ProgressLine progress;
  Clerk clerk(fuzz->store, *triage, progress);
  noteInterrupts();
  if (store && store->isNewRun())
    clerk.runAgain();
  clerk.fileAll(); // what an earlier run left
  auto result = fuzzCases(
      *fuzz, options->campaign,
      [&](const FuzzFinding &finding) {
        progress.clear();
        llvm::outs() << "finding " << finding.name << ": " << finding.verdict.str()
                     << (llvm::StringRef(finding.directory).starts_with("(") ? "\n  "
                                                                             : "\n  saved to ")
                     << finding.directory << '\n';
        llvm::outs().flush();
        return clerk.fileAll();
      },
      [&](const FuzzResult &soFar) { progress.show(liveLine(soFar, *fuzz, earlier)); });
  progress.clear();
  llvm::Error failure = clerk.takeFailure();
  if (!result)
    failure = llvm::joinErrors(std::move(failure), result.takeError());
  if (failure)
    return usageError(std::move(failure));
  oracles::VerdictCounts counts = printSummary(*fuzz, *result, options->campaign.jobs);
  if (store && !store->failure().empty())
    return usageError(store->failure());
  if (interrupted()) {
    llvm::outs() << "interrupted: the same command "
                 << (store ? "goes on after these cases\n"
                           : "begins anew; with --db=FILE it would go on\n");
    return kInterrupted;
  }
  if (store) {
    if (llvm::Error error = store->endRun(utcNow()))
      return usageError(std::move(error));
    if (result->counts.total() == 0 && counts.failed == 0) {
      llvm::outs() << "nothing is left to do for this build\n";
      return 0;
    }
  }
  return oracles::exitCode(counts, options->exit);
}
