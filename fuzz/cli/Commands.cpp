//===- Commands.cpp - the list of subcommands and what they share -----------------------------===//
#include "fuzz/cli/Commands.h"

#include "compiler/support/Plants.h"
#include "fuzz/campaign/WorkerPool.h"
#include "generators/program/Rules.h"

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
      {explainCommand(), runExplain},
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

/// The options of oracles::engineOptionTable(), as far as a command has them; their values are read
/// by the table.
class EngineFlags {
public:
  EngineFlags() {
    for (const Row &row : oracles::engineOptionTable())
      flags.push_back(
          {&row, std::make_unique<cl::opt<std::string>>(
                     llvm::StringRef(row.name), cl::desc(row.description), In{commandsOf(row.name)},
                     row.name.size() == 1 ? cl::Prefix : cl::NormalFormatting,
                     row.isSwitch ? cl::ValueOptional : cl::ValueRequired)});
  }
  bool given(llvm::StringRef name) const {
    return llvm::any_of(flags, [&](const Flag &flag) {
      return flag.row->name == name && flag.option->getNumOccurrences() > 0;
    });
  }
  llvm::Error read(oracles::EngineOptions &options) const {
    std::vector<std::string> words;
    for (const auto &[row, option] : flags)
      if (option->getNumOccurrences())
        words.push_back(
            optionWord(row->name, row->isSwitch && option->empty() ? "true" : option->getValue()));
    return oracles::parseEngineOptions(words, options);
  }

private:
  using Row = OptionRow<oracles::EngineOptions>;
  struct Flag {
    const Row *row;
    std::unique_ptr<cl::opt<std::string>> option;
  };

  static llvm::SmallVector<cl::SubCommand *> commandsOf(llvm::StringRef name) {
    llvm::SmallVector<cl::SubCommand *> commands = {
        &checkCommand(), &reduceCommand(), &bisectCommand(), &fuzzCommand(), &replayCommand()};
    bool compiles = llvm::is_contained<llvm::StringRef>(
        {"O", "gpu-name", "warps", "strategies", "opt-bisect-limit", "cuda-path", "profile"}, name);
    if (compiles)
      commands.push_back(&bundleCommand());
    if (compiles && name != "gpu-name") // --gpus
      commands.push_back(&perfCommand());
    if (name == "seed")
      commands.push_back(&generateCommand());
    if (name == "counters") // has one that also prints them
      llvm::erase(commands, &checkCommand());
    return commands;
  }

  std::vector<Flag> flags;
};

llvm::StringRef helpOfEngines() {
  static const std::string text =
      "engines to run, separated by commas: " +
      llvm::join(llvm::map_range(oracles::engineRegistry(), [](auto &entry) { return entry.name; }),
                 ", ") +
      ", each with settings behind @, such as emulator@O0:w8:sm_80 (default reference,emulator; "
      "fuzz, replay, reduce and bisect: reference,emulator@O0,emulator@draw, which draws settings "
      "by the name of the case, unless a level, target or number of warps is given)";
  return text;
}

/// Options that several subcommands share.
struct SharedOptions {
  cl::SubCommand &check = checkCommand(), &fuzz = fuzzCommand(), &replay = replayCommand(),
                 &generate = generateCommand(), &reduce = reduceCommand(),
                 &bisect = bisectCommand(), &perf = perfCommand();

  cl::opt<std::string> engines{
      "engines",       cl::desc(helpOfEngines()), cl::value_desc("list"), cl::sub(check),
      cl::sub(reduce), cl::sub(bisect),           cl::sub(fuzz),          cl::sub(replay)};
  cl::opt<bool> thorough{
      "thorough", cl::desc("run every level, several targets and numbers of warps for each case"),
      cl::sub(check), cl::sub(fuzz), cl::sub(replay)};
  EngineFlags engine;
  cl::opt<std::string> externalCompiler{
      "external-compiler",
      cl::desc("also compile every module with this program, called as tileiras is"),
      cl::value_desc("PATH"),
      cl::sub(check),
      cl::sub(reduce),
      cl::sub(fuzz),
      cl::sub(replay)};
  cl::opt<std::string> externalVerifier{
      "external-verifier",
      cl::desc(
          "also verify the text of every module with this program, called as cuda-tile-opt is"),
      cl::value_desc("PATH"),
      cl::sub(check),
      cl::sub(reduce),
      cl::sub(fuzz),
      cl::sub(replay)};
  cl::opt<unsigned> compilationShare{
      "compilation-share",
      cl::desc("one case in N is also compiled twice and must give the same code within limits of "
               "time and size (default 8; 0: none)"),
      cl::init(8),
      cl::sub(check),
      cl::sub(reduce),
      cl::sub(fuzz),
      cl::sub(replay)};
  cl::opt<unsigned> hazardShare{
      "hazard-share",
      cl::desc("one case in N also runs with the race detector of the emulated GPU (default 16; "
               "0: none)"),
      cl::init(16),
      cl::sub(check),
      cl::sub(reduce),
      cl::sub(fuzz),
      cl::sub(replay)};
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
/// the case, so that a case that it kept replays alone.
std::string chosenEngines(SharedOptions &o) {
  if (o.thorough)
    return "reference,emulator@O0,emulator@O1,emulator@O2,emulator@O3,emulator@O3:sm_80,"
           "emulator@O3:sm_100,emulator@O0:w1,emulator@O3:w1,emulator@O3:w8";
  if (o.engines.getNumOccurrences())
    return o.engines;
  bool fixed = llvm::any_of(std::array{"O", "gpu-name", "warps", "strategies"},
                            [&](const char *name) { return o.engine.given(name); });
  return (o.fuzz || o.replay || o.reduce || o.bisect) && !fixed
             ? "reference,emulator@O0,emulator@draw"
             : "reference,emulator";
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
  if (o.thorough && o.engines.getNumOccurrences())
    return complain("expected --thorough or --engines, found both");
  result.campaign.judge.engines = chosenEngines(o);
  result.campaign.judge.compilationShare = o.compilationShare;
  result.campaign.judge.hazardShare = o.hazardShare;
  if (auto engines = oracles::createEngines(result.campaign.judge.engines); !engines)
    return complain(llvm::toString(engines.takeError()));
  std::optional<oracles::EngineOptions> engine = readEngineOptions();
  if (!engine)
    return std::nullopt;
  result.campaign.judge.differential.engine = *engine;
  oracles::ExternalTools &external = result.campaign.judge.external;
  external.compiler = o.externalCompiler;
  external.verifier = o.externalVerifier;
  external.gpuName = engine->compile.gpuName;
  external.optLevel = engine->compile.optLevel;
  external.draw =
      (o.fuzz || o.replay || o.reduce) && !o.engine.given("O") && !o.engine.given("gpu-name");
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
    return complain("expected a positive number of seconds for --timeout");
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
    std::string clean = path.rtrim('/').str();
    if (llvm::sys::path::filename(clean) == "case.json")
      clean = llvm::sys::path::parent_path(clean).str();
    std::vector<std::string> found;
    collectCases(clean, found);
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
  if (!terminal)
    return;
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
