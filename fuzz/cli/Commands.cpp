//===- Commands.cpp - the list of subcommands and what they share -----------------------------===//
#include "fuzz/cli/Commands.h"

#include "compiler/support/Plants.h"
#include "fuzz/campaign/WorkerPool.h"
#include "fuzz/cli/LaunchCheck.h"
#include "generators/program/Rules.h"
#include "oracles/Registry.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <array>
#include <unistd.h>

using namespace tilesmith;
using namespace tilesmith::fuzz;
namespace cl = llvm::cl;

llvm::ArrayRef<Command> tilesmith::fuzz::allCommands() {
  static const Command commands[] = {
      {bisectCommand(), runBisect},   {bundleCommand(), runBundle},
      {checkCommand(), runCheck},     {emulateCommand(), runEmulate},
      {fuzzCommand(), runFuzz},       {generateCommand(), runGenerate},
      {benchCommand(), runBench},     {corpusCommand(), runCorpus},
      {mergeCommand(), runMerge},     {reportCommand(), runReport},
      {perfCommand(), runPerf},       {plantsCommand(), runPlants},
      {reduceCommand(), runReduce},   {replayCommand(), runReplay},
      {explainCommand(), runExplain}, {oraclesCommand(), runOracles},
      {conformCommand(), runConform}, {runCommand(), runRun},
      {serveCommand(), runServe},     {workerCommand(), runWorker},
      {importCommand(), runImport},
  };
  return commands;
}

namespace {

/// The subcommands that an option is declared for.
struct In {
  llvm::SmallVector<cl::SubCommand *> commands;
  void apply(cl::Option &option) const {
    for (cl::SubCommand *command : commands)
      option.addSubCommand(*command);
  }
};

/// The rows of an option table as options of commands; their values are read by the table.
template <typename Options> class TableFlags {
public:
  using Row = OptionRow<Options>;

  TableFlags(llvm::ArrayRef<Row> table,
             llvm::SmallVector<cl::SubCommand *> (*commandsOf)(llvm::StringRef name))
      : table(table) {
    for (const Row &row : table)
      flags.push_back(
          {&row, std::make_unique<cl::list<std::string>>(
                     llvm::StringRef(row.name), cl::desc(row.description), In{commandsOf(row.name)},
                     row.name.size() == 1 ? cl::Prefix : cl::NormalFormatting,
                     row.isSwitch ? cl::ValueOptional : cl::ValueRequired)});
  }
  bool given(llvm::StringRef name) const {
    return llvm::any_of(flags, [&](const Flag &flag) {
      return flag.row->name == name && flag.option->getNumOccurrences() > 0;
    });
  }
  llvm::Error read(Options &options) const {
    std::vector<std::string> words;
    // Given again, the later value counts; lists of names add up.
    for (const auto &[row, option] : flags)
      for (const std::string &value : *option)
        words.push_back(optionWord(row->name, row->isSwitch && value.empty() ? "true" : value));
    return parseOptions(table, words, options);
  }

private:
  struct Flag {
    const Row *row;
    std::unique_ptr<cl::list<std::string>> option;
  };

  llvm::ArrayRef<Row> table;
  std::vector<Flag> flags;
};

/// The commands that judge.
llvm::SmallVector<cl::SubCommand *> judges() {
  return {&checkCommand(), &reduceCommand(), &bisectCommand(), &fuzzCommand(), &replayCommand()};
}

llvm::SmallVector<cl::SubCommand *> commandsOfEngineOption(llvm::StringRef name) {
  llvm::SmallVector<cl::SubCommand *> commands = judges();
  bool compiles = llvm::is_contained<llvm::StringRef>(
      {"O", "gpu-name", "warps", "strategies", "opt-bisect-limit", "cuda-path", "profile"}, name);
  if (compiles)
    commands.push_back(&bundleCommand());
  commands.push_back(&runCommand());
  if (name == "profile") // all that the reference asks for
    commands.push_back(&importCommand());
  if (compiles && name != "gpu-name") // --gpus
    commands.push_back(&perfCommand());
  if (name == "seed")
    commands.push_back(&generateCommand());
  if (name == "counters") // has one that also prints them
    llvm::erase(commands, &checkCommand());
  return commands;
}

llvm::SmallVector<cl::SubCommand *> commandsOfJudgeOption(llvm::StringRef name) {
  llvm::SmallVector<cl::SubCommand *> commands = judges();
  if (name == "fresh") // what it generates always is
    llvm::erase(commands, &fuzzCommand());
  return commands;
}

/// Options that several subcommands share.
struct SharedOptions {
  cl::SubCommand &check = checkCommand(), &fuzz = fuzzCommand(), &replay = replayCommand(),
                 &generate = generateCommand(), &reduce = reduceCommand(),
                 &bisect = bisectCommand(), &perf = perfCommand();

  cl::opt<bool> thorough{
      "thorough", cl::desc("run every level, several targets and numbers of warps for each case"),
      cl::sub(check), cl::sub(fuzz), cl::sub(replay)};
  TableFlags<oracles::EngineOptions> engine{oracles::engineOptionTable(), commandsOfEngineOption};
  TableFlags<JudgeOptions> judge{oracles::judgeOptionTable(), commandsOfJudgeOption};
  cl::list<std::string> plants{"plant",
                               cl::desc("switch a planted bug on (see `tilesmith plants`)"),
                               cl::value_desc("ID"),
                               cl::sub(check),
                               cl::sub(reduce),
                               cl::sub(bisect),
                               cl::sub(fuzz),
                               cl::sub(replay),
                               cl::sub(perf)};
  cl::opt<std::string> version{"version",
                               cl::desc("only this bytecode version, 13.N"),
                               cl::value_desc("13.N"),
                               cl::sub(check),
                               cl::sub(reduce),
                               cl::sub(bisect),
                               cl::sub(fuzz),
                               cl::sub(replay),
                               cl::sub(generate)};
  cl::opt<unsigned> jobs{"jobs", cl::desc("worker processes (default: one per core)"), cl::init(0),
                         cl::sub(check), cl::sub(fuzz)};
  cl::opt<double> timeout{"timeout", cl::desc("seconds for one module (default 120)"),
                          cl::init(120), cl::sub(check), cl::sub(fuzz)};
  cl::opt<uint64_t> memory{
      "memory",       cl::desc("MiB that one worker may use (default 4096; 0: no limit)"),
      cl::init(4096), cl::sub(check),
      cl::sub(fuzz),  cl::sub(reduce),
      cl::sub(bisect)};
  cl::opt<int64_t> expectPassed{
      "expect-passed", cl::desc("fail unless exactly this many modules pass"),
      cl::init(-1),    cl::sub(check),
      cl::sub(fuzz),   cl::sub(replay)};
  cl::opt<double> maxInconclusive{
      "max-inconclusive", cl::desc("percentage of inconclusive modules allowed (default 2)"),
      cl::init(2),        cl::sub(check),
      cl::sub(fuzz),      cl::sub(replay)};
};

SharedOptions &shared() {
  static SharedOptions options;
  return options;
}

/// Registered before main parses the command line.
[[maybe_unused]] SharedOptions &registered = shared();

std::nullopt_t complain(const llvm::Twine &message) {
  usageError(message);
  return std::nullopt;
}

/// What runs when nobody asks for engines. A campaign draws level, target and warps by the name of
/// the case, so that a case that it kept replays alone; who has that case in hand runs -O0 as well.
std::string defaultEngines(SharedOptions &o) {
  if (o.thorough)
    return "reference,emulator@O0,emulator@O1,emulator@O2,emulator@O3,emulator@O3:sm_80,"
           "emulator@O3:sm_100,emulator@O0:w1,emulator@O3:w1,emulator@O3:w8";
  bool fixed = llvm::any_of(std::array{"O", "gpu-name", "warps", "strategies"},
                            [&](const char *name) { return o.engine.given(name); });
  if (fixed)
    return "reference,emulator";
  if (o.fuzz)
    return "reference,emulator@draw0";
  return o.replay || o.reduce || o.bisect ? "reference,emulator@O0,emulator@draw"
                                          : "reference,emulator";
}

/// Who has a case in hand wants to hear every oracle; `check` at least those that are cheap.
std::map<std::string, unsigned> defaultShares(SharedOptions &o) {
  std::map<std::string, unsigned> shares;
  for (const oracles::Oracle *oracle : oracles::oracleRegistry())
    if (o.replay || o.reduce || o.bisect || (o.check && !oracle->isSlow()))
      shares[oracle->name().str()] = 1;
  return shares;
}

/// N of "13.N".
std::optional<unsigned> parseMinor(llvm::StringRef text) {
  unsigned minor;
  if (!text.consume_front("13.") || text.getAsInteger(10, minor))
    return std::nullopt;
  return minor;
}

} // namespace

std::optional<oracles::EngineOptions> tilesmith::fuzz::readEngineOptions() {
  oracles::EngineOptions options;
  if (llvm::Error error = shared().engine.read(options))
    return complain(llvm::toString(std::move(error)));
  return options;
}

bool tilesmith::fuzz::engineOptionGiven(llvm::StringRef name) {
  return shared().engine.given(name);
}

std::optional<RunOptions> tilesmith::fuzz::readRunOptions() {
  SharedOptions &o = shared();
  RunOptions result;
  if (o.thorough && o.judge.given("engines"))
    return complain("expected --thorough or --engines, found both");
  JudgeOptions &judge = result.campaign.judge;
  judge.engines = defaultEngines(o);
  judge.shares = defaultShares(o);
  judge.external.draw =
      (o.fuzz || o.replay || o.reduce) && !o.engine.given("O") && !o.engine.given("gpu-name");
  if (llvm::Error error = o.judge.read(judge))
    return complain(llvm::toString(std::move(error)));
  std::optional<oracles::EngineOptions> engine = readEngineOptions();
  if (!engine)
    return std::nullopt;
  judge.differential.engine = *engine;
  if (llvm::Error error = oracles::probeExternalTools(judge.external, engine->compile))
    return complain(llvm::toString(std::move(error)));
  for (const std::string &plant : o.plants)
    if (llvm::Error error = activatePlant(plant))
      return complain(llvm::toString(std::move(error)));
  result.plants.assign(o.plants.begin(), o.plants.end());
  if (!o.version.empty()) {
    result.version = parseMinor(o.version);
    if (!result.version)
      return complain("expected a bytecode version 13.N, found '" + o.version + "'");
  }
  result.campaign.jobs = o.jobs ? o.jobs : defaultJobs();
  if (!(o.timeout > 0))
    return complain(llvm::formatv("expected a positive number of seconds for --timeout, found {0}",
                                  o.timeout.getValue()));
  if (!(o.maxInconclusive >= 0 && o.maxInconclusive <= 100))
    return complain(llvm::formatv("expected a percentage from 0 to 100 for --max-inconclusive, "
                                  "found {0}",
                                  o.maxInconclusive.getValue()));
  constexpr uint64_t kMostMemory = uint64_t{1} << 40; // MiB; beyond it bytes have no number
  if (o.memory > kMostMemory)
    return complain("expected at most " + llvm::Twine(kMostMemory) + " MiB for --memory, found " +
                    llvm::Twine(o.memory.getValue()));
  result.campaign.limits = {o.timeout, o.memory};
  result.exit.expectPassed = o.expectPassed;
  result.exit.maxInconclusivePercent = o.maxInconclusive;
  return result;
}

std::function<void()> tilesmith::fuzz::plantSwitch(const RunOptions &options) {
  return [plants = options.plants] {
    for (const std::string &plant : plants)
      llvm::cantFail(activatePlant(plant));
  };
}

std::string tilesmith::fuzz::plantWords(const RunOptions &options) {
  std::string words;
  for (const std::string &plant : options.plants)
    words += " --plant=" + plant;
  return words;
}

llvm::Expected<testcase::TestCase> tilesmith::fuzz::loadOneCase(const std::string &path,
                                                                std::string *directory) {
  auto directories = findCases({path});
  if (!directories)
    return directories.takeError();
  if (directories->size() != 1)
    llvm::errs() << "note: " << directories->size() << " cases below '" << path << "', taking "
                 << directories->front() << '\n';
  if (llvm::Error error = LaunchCheck().check(directories->front()))
    return error;
  if (directory)
    *directory = directories->front();
  return testcase::loadTestCase(directories->front());
}

llvm::Error tilesmith::fuzz::checkFeatures(llvm::ArrayRef<std::string> names) {
  for (const std::string &name : names) {
    bool known = false;
    for (const generators::RuleFamily &family : generators::ruleFamilies()) {
      known |= family.name == name;
      known |= llvm::any_of(family.rules, [&](auto &rule) { return rule.name == name; });
    }
    if (!known)
      return llvm::createStringError(
          "expected features of `tilesmith generate --list-features`, found '" + name + "'");
  }
  return llvm::Error::success();
}

int tilesmith::fuzz::usageError(const llvm::Twine &message) {
  llvm::errs() << "error: " << message << '\n';
  return kUsageError;
}

int tilesmith::fuzz::usageError(llvm::Error error) {
  std::vector<std::string> said;
  llvm::handleAllErrors(std::move(error), [&](const llvm::ErrorInfoBase &one) {
    if (std::string message = one.message(); !llvm::is_contained(said, message)) {
      usageError(message);
      said.push_back(message);
    }
  });
  return kUsageError;
}

static bool isCase(const std::string &path) {
  return llvm::sys::fs::exists(path + "/case.json");
}

/// Case folders at or below `path`; a case is not searched for further cases.
static void collectCases(const std::string &path, std::vector<std::string> &found) {
  if (isCase(path)) {
    found.push_back(path);
    return;
  }
  std::error_code code;
  for (llvm::sys::fs::directory_iterator it(path, code), end; it != end && !code;
       it.increment(code))
    if (llvm::sys::fs::is_directory(it->path()))
      collectCases(it->path(), found);
}

llvm::Expected<std::vector<std::string>>
tilesmith::fuzz::findCases(llvm::ArrayRef<std::string> paths) {
  std::vector<std::string> all;
  for (llvm::StringRef path : paths) {
    llvm::sys::fs::file_status status;
    if (std::error_code code = llvm::sys::fs::status(path, status))
      return llvm::createStringError("cannot read '" + path + "': " + code.message());
    std::string clean = path.rtrim('/').str();
    if (llvm::sys::path::filename(clean) == "case.json")
      clean = llvm::sys::path::parent_path(clean).str();
    std::vector<std::string> found;
    collectCases(clean, found);
    if (found.empty() && llvm::sys::fs::is_regular_file(clean))
      return llvm::createStringError("expected a case, found the file '" + path +
                                     "'; `tilesmith import " + path +
                                     " --grid=… --arg=… -o DIR` makes a case of a module");
    if (found.empty())
      return llvm::createStringError("no case.json in or below '" + path + "'");
    llvm::sort(found, [](llvm::StringRef a, llvm::StringRef b) {
      int order = a.compare_numeric(b);
      return order ? order < 0 : a < b;
    });
    all.insert(all.end(), found.begin(), found.end());
  }
  return all;
}

ProgressLine::ProgressLine() : terminal(::isatty(STDERR_FILENO)) {}

void ProgressLine::show(const std::string &text) {
  if (!terminal) {
    if (auto now = std::chrono::steady_clock::now(); now - shown >= std::chrono::minutes(1)) {
      shown = now;
      llvm::errs() << text << '\n';
    }
    return;
  }
  llvm::errs() << '\r' << text;
  if (text.size() < width)
    llvm::errs().indent(static_cast<unsigned>(width - text.size()));
  width = text.size();
}

void ProgressLine::clear() {
  if (width == 0)
    return;
  llvm::errs() << '\r';
  llvm::errs().indent(static_cast<unsigned>(width)) << '\r';
  width = 0;
}
