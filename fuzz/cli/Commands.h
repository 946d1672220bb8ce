//===- Commands.h - the subcommands of tilesmith ----------------------------------------------===//
//
// One file per subcommand: it declares its own options, registers itself in the list below and
// runs. Exit codes are those of oracles/verdict (0, 1, 3, 4) and 2 for usage errors and unreadable
// input.
//
//===------------------------------------------------------------------------------------------===//
#ifndef FUZZ_CLI_COMMANDS_H
#define FUZZ_CLI_COMMANDS_H

#include "compiler/support/ScratchFolder.h"
#include "fuzz/campaign/Campaign.h"

#include "llvm/Support/CommandLine.h"

#include <chrono>
#include <map>

namespace tilesmith::fuzz {

constexpr int kUsageError = 2;

struct Command {
  llvm::cl::SubCommand &subcommand;
  int (*run)();
};

/// All subcommands.
llvm::ArrayRef<Command> allCommands();

llvm::cl::SubCommand &benchCommand();
llvm::cl::SubCommand &bisectCommand();
llvm::cl::SubCommand &bundleCommand();
llvm::cl::SubCommand &checkCommand();
llvm::cl::SubCommand &conformCommand();
llvm::cl::SubCommand &corpusCommand();
llvm::cl::SubCommand &emulateCommand();
llvm::cl::SubCommand &explainCommand();
llvm::cl::SubCommand &fuzzCommand();
llvm::cl::SubCommand &generateCommand();
llvm::cl::SubCommand &importCommand();
llvm::cl::SubCommand &mergeCommand();
llvm::cl::SubCommand &oraclesCommand();
llvm::cl::SubCommand &perfCommand();
llvm::cl::SubCommand &plantsCommand();
llvm::cl::SubCommand &reduceCommand();
llvm::cl::SubCommand &replayCommand();
llvm::cl::SubCommand &reportCommand();
llvm::cl::SubCommand &runCommand();
llvm::cl::SubCommand &serveCommand();
llvm::cl::SubCommand &workerCommand();

/// The one of this command, made by the first call.
const ScratchFolder &scratchFolder();

int runBench();
int runBisect();
int runBundle();
int runCheck();
int runConform();
int runCorpus();
int runEmulate();
int runExplain();
int runFuzz();
int runGenerate();
int runImport();
int runMerge();
int runOracles();
int runPerf();
int runPlants();
/// How the stored case of a planted bug is judged: a line of `folder`/engines.txt names engines for
/// bugs in code that is compiled on request only. `thorough`: by every oracle, else by the quick.
JudgeOptions plantOptions(llvm::StringRef folder, llvm::StringRef id, bool thorough);
int runReduce();
int runReplay();
int runReport();
int runRun();
int runServe();
int runWorker();

/// Counters of the emulated GPU for the default target, `count/CASE/NAME`, from rows of
/// `tilesmith perf`, one a line.
llvm::Expected<std::map<std::string, double>> countersOf(llvm::StringRef perfRows);

/// The measurements in a file of `tilesmith bench`, or the counters of the emulated GPU for sm_90
/// in one of `tilesmith perf`, by name.
llvm::Expected<std::map<std::string, double>> readBenchmarks(llvm::StringRef path);

/// The options that every command has that compiles or runs something.
struct RunOptions {
  CampaignOptions campaign;
  oracles::ExitPolicy exit;
  std::optional<unsigned> version; ///< --version=13.N
  std::vector<std::string> plants; ///< --plant, switched on already
};

/// Reads and checks those options and switches planted bugs on. Prints what is wrong and returns
/// nothing then.
std::optional<RunOptions> readRunOptions();

/// Switches the planted bugs of the options on: for child processes of a command that switched them
/// off for itself.
std::function<void()> plantSwitch(const RunOptions &options);

/// The plants of the options as words, each with a blank in front.
std::string plantWords(const RunOptions &options);

/// The case at a path, or the first one below it (with a note when there are more); `directory`
/// gets its folder.
llvm::Expected<testcase::TestCase> loadOneCase(const std::string &path,
                                               std::string *directory = nullptr);

/// An error for a name that is no rule and no family of rules of the generator.
llvm::Error checkFeatures(llvm::ArrayRef<std::string> names);

/// The options of oracles::engineOptionTable() that the command has, over the defaults. Prints what
/// is wrong and returns nothing then.
std::optional<oracles::EngineOptions> readEngineOptions();
/// Whether the command line has the option.
bool engineOptionGiven(llvm::StringRef name);

/// `error: MESSAGE` on stderr, and the exit code for it.
int usageError(const llvm::Twine &message);
/// The same for every error that was joined into one; what several say alike is said once.
int usageError(llvm::Error error);

/// The case folders among and below the given paths, sorted within each path, numbers in names by
/// their value. A path that holds none is an error.
llvm::Expected<std::vector<std::string>> findCases(llvm::ArrayRef<std::string> paths);

/// A line that is rewritten in place on a terminal; elsewhere, in a log, a line a minute.
class ProgressLine {
public:
  ProgressLine();
  ~ProgressLine() { clear(); }
  void show(const std::string &text);
  void clear();

private:
  bool terminal;
  size_t width = 0;
  std::chrono::steady_clock::time_point shown = std::chrono::steady_clock::now();
};

} // namespace tilesmith::fuzz

#endif // FUZZ_CLI_COMMANDS_H
