//===- WorkerCommand.cpp - tilesmith worker --db URL ------------------------------------------===//
//
// Works on campaigns that `tilesmith fuzz --plan` left in a store, beside any number of others on
// any number of machines. All that they share is the store (fuzz/store/Ledger.h).
//
// Steps, until nothing is left to do: judge the small case of a bug again; file a finding; measure
// the code of a case; judge a range of cases until one of the first two is there; forget cases of a
// bug that has many. A signal ends it after what is under way was given back. Exit codes: 0 also when cases failed (`tilesmith fuzz` with the same options says what
// is new), 2 when the store cannot be used.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/support/Plants.h"
#include "compiler/target/Targets.h"
#include "fuzz/campaign/Interrupt.h"
#include "fuzz/campaign/LeasedCases.h"
#include "fuzz/cli/CampaignSettings.h"
#include "oracles/performance/Performance.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

#include <random>
#include <thread>
#include <unistd.h>

using namespace tilesmith;
using namespace tilesmith::fuzz;
namespace cl = llvm::cl;

cl::SubCommand &tilesmith::fuzz::workerCommand() {
  static cl::SubCommand command("worker", "work on the campaigns that fuzz --plan left in a store");
  return command;
}

static constexpr llvm::StringLiteral kVersion =
#include "fuzz/cli/Version.inc"
    ;

static cl::opt<std::string> database("db", cl::desc("the store: postgresql://..., or a file"),
                                     cl::value_desc("URL|FILE"), cl::sub(workerCommand()));
static cl::opt<int64_t> campaign("campaign", cl::desc("only this one (default: all, oldest first)"),
                                 cl::value_desc("N"), cl::init(0), cl::sub(workerCommand()));
static cl::opt<unsigned> jobs("jobs",
                              cl::desc("processes that judge (default 1: a worker for each core "
                                       "uses the cores best)"),
                              cl::init(1), cl::sub(workerCommand()));
static cl::opt<double> lease("lease",
                             cl::desc("seconds after which the work of a dead worker is given to "
                                      "others (default 60)"),
                             cl::init(60), cl::sub(workerCommand()));
static cl::opt<std::string> build("build", cl::desc("name of this tilesmith, as with fuzz --plan"),
                                  cl::value_desc("NAME"), cl::sub(workerCommand()));
static cl::opt<bool> stay("stay", cl::desc("wait for the next campaign when nothing is left to do"),
                          cl::sub(workerCommand()));
static cl::opt<std::string> output("o", cl::desc("folder of findings (default ./findings)"),
                                   cl::init("findings"), cl::sub(workerCommand()));

static void say(const llvm::Twine &what) {
  llvm::outs() << utcNow() << ' ' << what << '\n';
  llvm::outs().flush();
}

namespace {

class Worker {
public:
  Worker(Store &store, Heart &heart, Ledger &ledger, std::string build)
      : store(store), heart(heart), ledger(ledger), build(std::move(build)) {}

  /// Until no task of the chosen run is open, or a signal came.
  llvm::Error work(CampaignSettings settings);
  void printSummary() const;
  uint64_t tasksDone() const { return tasks; }

private:
  llvm::Expected<bool> judgeAgain(CampaignSettings &settings);
  llvm::Expected<bool> fileOne(CampaignSettings &settings);
  llvm::Expected<bool> measure(CampaignSettings &settings);
  llvm::Expected<bool> fuzz(CampaignSettings &settings);
  llvm::Expected<bool> prune(CampaignSettings &settings);
  /// Writes the end of a task, if nobody else has it.
  llvm::Error end(const Lease &lease, llvm::function_ref<llvm::Error()> write, bool isDone = true);

  Store &store;
  Heart &heart;
  Ledger &ledger;
  std::string build; ///< name of this tilesmith
  uint64_t tasks = 0, cases = 0, findings = 0, lost = 0;
  double judging = 0, waiting = 0;
};

llvm::Error Worker::end(const Lease &lease, llvm::function_ref<llvm::Error()> write, bool isDone) {
  auto holds = ledger.leave(lease, isDone, write);
  heart.drop(lease);
  if (!holds)
    return holds.takeError();
  ++tasks;
  if (!*holds) {
    ++lost;
    say(llvm::Twine("lost the lease of ") + toString(lease.kind) + " " + lease.subject +
        ": another worker has it");
  }
  return llvm::Error::success();
}

llvm::Expected<bool> Worker::judgeAgain(CampaignSettings &settings) {
  auto claimed = ledger.claim(TaskKind::Progression);
  if (!claimed || !*claimed)
    return claimed ? llvm::Expected<bool>(false) : claimed.takeError();
  const Lease &mine = **claimed;
  heart.hold(mine);
  std::optional<AgainJudged> judged;
  for (const StoredBug &bug : store.bugs())
    if (bug.id == mine.subject) {
      auto result = Triage(store, settings.triage).judgeAgain(bug);
      if (!result)
        return result.takeError();
      judged = *result;
    }
  if (judged && !interrupted())
    say("bug " + mine.subject +
        (judged->event == BugEvent::Fixed ? " is fixed" : " has regressed"));
  llvm::Error error = end(
      mine,
      [&] {
        return judged && !interrupted() ? store.addEvent(mine.subject, judged->event, utcNow())
                                        : llvm::Error::success();
      },
      !interrupted());
  return error ? llvm::Expected<bool>(std::move(error)) : true;
}

llvm::Expected<bool> Worker::fileOne(CampaignSettings &settings) {
  auto claimed = ledger.claim(TaskKind::Minimise);
  if (!claimed || !*claimed)
    return claimed ? llvm::Expected<bool>(false) : claimed.takeError();
  const Lease &mine = **claimed;
  heart.hold(mine);
  std::optional<StoredFinding> finding = store.finding(mine.subject);
  llvm::Error error = llvm::Error::success();
  if (!finding || !finding->bug.empty()) {
    error = end(mine, [] { return llvm::Error::success(); });
  } else {
    // Edits and compiles in this process, where planted bugs must not act.
    deactivatePlants();
    Triage triage(store, settings.triage);
    auto triaged = triage.triage(*finding);
    settings.triage.prepare();
    if (!triaged)
      return triaged.takeError();
    // What a signal cut short is done again by another worker.
    const bool isDone = !interrupted();
    if (isDone)
      say(finding->name + (triaged->isNew ? " is new bug " : " is bug ") + triaged->bug.id + ": " +
          triaged->bug.blame);
    error =
        end(mine, [&] { return isDone ? triage.file(*triaged) : llvm::Error::success(); }, isDone);
  }
  return error ? llvm::Expected<bool>(std::move(error)) : true;
}

/// What the code of a case costs on each target, for `tilesmith perf --compare`.
llvm::Expected<bool> Worker::measure(CampaignSettings &settings) {
  auto claimed = ledger.claim(TaskKind::Perf);
  if (!claimed || !*claimed)
    return claimed ? llvm::Expected<bool>(false) : claimed.takeError();
  const Lease &mine = **claimed;
  heart.hold(mine);
  auto testCase = caseOf(ledger.inputOf(mine));
  if (!testCase)
    return testCase.takeError();
  const PerfBuild entry{build, hostName(), utcNow()};
  std::vector<std::pair<std::string, std::string>> rows;
  for (llvm::StringRef gpu : target::measuredGpus()) {
    oracles::EngineOptions engine = settings.run.campaign.judge.differential.engine;
    engine.compile.gpuName = gpu.str();
    std::vector<std::string> lacks; // tools; the row says what was measured
    auto row = oracles::measureCode(*testCase, testCase->versions().back(), engine, lacks);
    if (!row) {
      say(mine.subject + " is not measured: " + llvm::toString(row.takeError()));
      continue;
    }
    rows.emplace_back(
        llvm::formatv("{0}|{1}|{2}", row->caseName, row->gpuName, row->optLevel).str(),
        llvm::StringRef(oracles::toJsonLine(*row)).trim().str());
  }
  llvm::Error error = end(mine, [&]() -> llvm::Error {
    for (const auto &[key, row] : rows)
      if (llvm::Error failed = store.addPerf(entry, key, row))
        return failed;
    return llvm::Error::success();
  });
  return error ? llvm::Expected<bool>(std::move(error)) : true;
}

llvm::Expected<bool> Worker::fuzz(CampaignSettings &settings) {
  LeasedCases source(
      ledger, heart,
      [this] {
        return ledger.isReady(TaskKind::Progression) || ledger.isReady(TaskKind::Minimise);
      },
      [&](uint64_t index) { return isGuidedCase(settings.fuzz, index); });
  settings.fuzz.store = &store;
  settings.fuzz.source = &source;
  ProgressLine progress;
  auto result = fuzzCases(
      settings.fuzz, settings.run.campaign,
      [&](const FuzzFinding &finding) {
        progress.clear();
        ++findings;
        say("finding " + finding.name + ": " + finding.verdict.str());
        return true;
      },
      [&](const FuzzResult &soFar) {
        progress.show(
            llvm::formatv("{0} cases, {1} failed", cases + soFar.counts.total(), findings));
      });
  if (!result)
    return result.takeError();
  if (source.lost())
    say(llvm::Twine(source.lost()) + " leases ran out: what was not written is done by others");
  tasks += source.claimed();
  lost += source.lost();
  cases += result->counts.total();
  judging += result->seconds;
  waiting += source.storeSeconds();
  return source.claimed() > 0;
}

llvm::Expected<bool> Worker::prune(CampaignSettings &settings) {
  auto claimed = ledger.claim(TaskKind::Prune);
  if (!claimed || !*claimed)
    return claimed ? llvm::Expected<bool>(false) : claimed.takeError();
  const Lease &mine = **claimed;
  heart.hold(mine);
  auto dropped = Triage(store, settings.triage).prunable(mine.subject);
  if (!dropped)
    return dropped.takeError();
  if (!dropped->empty())
    say(llvm::Twine("bug ") + mine.subject + ": " + llvm::Twine(dropped->size()) +
        " cases go, others cover what they do");
  llvm::Error error = end(mine, [&] { return store.dropCases(*dropped); });
  return error ? llvm::Expected<bool>(std::move(error)) : true;
}

llvm::Error Worker::work(CampaignSettings settings) {
  settings.run.campaign.jobs = jobs;
  settings.fuzz.findings = output;
  settings.triage.directory = output;
  std::minstd_rand pause(static_cast<unsigned>(::getpid()));
  while (!interrupted()) {
    bool isBusy = false;
    for (auto step :
         {&Worker::judgeAgain, &Worker::fileOne, &Worker::measure, &Worker::fuzz, &Worker::prune}) {
      auto did = (this->*step)(settings);
      if (!did)
        return did.takeError();
      isBusy |= *did;
      if (*did || interrupted())
        break;
    }
    if (llvm::Error error = ledger.sign(hostName(), "", tasks, false))
      return error;
    if (llvm::Error error = ledger.settle())
      return error;
    if (isBusy)
      continue;
    if (ledger.openTasks() == 0)
      break;
    // Others have what is left; some of them may be dead.
    std::this_thread::sleep_for(std::chrono::milliseconds(500 + pause() % 1000));
  }
  return llvm::Error::success();
}

void Worker::printSummary() const {
  say(llvm::formatv("{0} tasks, {1} cases, {2} findings, {3} leases lost", tasks, cases, findings,
                    lost)
          .str());
  if (judging > 0)
    say(llvm::formatv("with the store: {0:f2} of {1:f1} s ({2:f2} %), {3:f3} ms a case", waiting,
                      judging, 100 * waiting / judging,
                      1000 * waiting / std::max<double>(1, static_cast<double>(cases)))
            .str());
}

/// The oldest run of this build that is not done. Error: there is none of this build, or no such
/// campaign.
llvm::Expected<std::optional<PlannedRun>> chooseRun(const Ledger &ledger, const Store &store,
                                                    const std::string &name) {
  std::set<std::string> builds, campaigns;
  bool isOurs = false;
  std::optional<PlannedRun> result;
  for (const PlannedRun &run : ledger.plannedRuns()) {
    campaigns.insert(std::to_string(run.campaign));
    if (campaign && run.campaign != campaign)
      continue;
    builds.insert(run.build);
    if (run.build != name)
      continue;
    isOurs = true;
    if (run.open && !result)
      result = run;
  }
  if (!store.failure().empty())
    return llvm::createStringError(store.failure());
  if (isOurs || stay)
    return result;
  if (builds.empty())
    return llvm::createStringError(
        campaigns.empty()
            ? "expected a campaign that `tilesmith fuzz --plan` left and this user may see, found "
              "none"
            : "expected campaign " + llvm::join(campaigns, " or ") +
                  ", found --campaign=" + std::to_string(campaign));
  return llvm::createStringError("expected a campaign planned by build " + name + ", found build " +
                                 llvm::join(builds, ", ") + ": plan one with this tilesmith");
}

} // namespace

int tilesmith::fuzz::runWorker() {
  if (database.empty())
    return usageError("expected --db=URL");
  if (!(lease >= 1 && lease <= 86400) || jobs == 0)
    return usageError("expected --lease of 1 to 86400 seconds and at least one of --jobs");
  noteInterrupts();
  auto store = Store::open(database, /*create=*/false);
  if (!store)
    return usageError(store.takeError());
  auto second = Store::open(database, /*create=*/false);
  if (!second)
    return usageError(second.takeError());
  const std::string name = build.empty() ? thisBuild(kVersion) : build;
  const std::string self = llvm::formatv("{0}-{1}-{2}", hostName(), ::getpid(), utcNow());
  Ledger ledger(*store, self, lease);
  Heart heart(std::move(*second), self, lease);
  Worker worker(*store, heart, ledger, name);
  auto work = [&]() -> llvm::Error {
    bool isSigned = false, isToldToWait = false;
    while (!interrupted()) {
      auto run = chooseRun(ledger, *store, name);
      if (!run)
        return run.takeError();
      if (!*run && !stay)
        break;
      if (!*run) {
        if (!std::exchange(isToldToWait, true))
          say("waiting for a campaign of build " + name);
        std::this_thread::sleep_for(std::chrono::seconds(1));
        continue;
      }
      if (!isSigned)
        if (llvm::Error error = ledger.sign(hostName(), name, 0, false))
          return error;
      isSigned = true;
      deactivatePlants();
      auto settings = readSettings((*run)->settings);
      if (!settings)
        return settings.takeError();
      settings->fuzz.seed = (*run)->seed;
      ledger.choose(**run);
      say(llvm::formatv("{0}: campaign {1}, run {2}, {3} open tasks", self, (*run)->campaign,
                        (*run)->id, (*run)->open)
              .str());
      if (llvm::Error error = worker.work(std::move(*settings)))
        return error;
    }
    return isSigned ? ledger.sign(hostName(), name, worker.tasksDone(), true)
                    : llvm::Error::success();
  };
  if (llvm::Error error = work())
    return usageError(std::move(error));
  worker.printSummary();
  say(interrupted() ? "drained: what was under way goes to other workers"
                    : "nothing is left to do");
  return store->failure().empty() ? 0 : usageError(store->failure());
}
