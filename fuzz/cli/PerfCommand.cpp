//===- PerfCommand.cpp - tilesmith perf CASE|DIR... [--baseline FILE [--update]] --------------===//
//
// Measures what the code of cases costs (oracles/performance) for several targets and compares it
// with a baseline. The newest bytecode version of a case stands for it. Exit codes: 0 nothing got
// worse, 1 something did, 2 bad input, 3 no row of the baseline fits anything that was measured.
//
// An update keeps the rows of other cases and targets, and is written whole or not at all.
//
// With a store (--db) every build's rows are kept under its name, and compared with those of the
// build before, or of the one that --since names: against small steps that no gate sees, a release.
// What got worse is said until somebody accepts it (--accept="WHO: WHY"), and so is drift: steps
// below the gates that together pass one, since the last release (--release) or the last alarm.
// --compare=A,B measures nothing and compares two builds of the store.
//
// --times=FILE keeps times of a GPU that were measured elsewhere (ci/gpu-day), with the store, and
// compares their rounds by rank.
//
// --engine=sass counts what the machine code of the cases executes (by pipe, issue cycles, sectors,
// bank conflicts, ...), with --external-compiler beside that of another tileiras, kernel by kernel.
// With a store the counters join the rows of the build; the page of `tilesmith report` shows them.
//
// What a compilation costs is measured --repeat times, beside --reference=PROGRAM: a tilesmith that
// stays the same, asked before and after. --bisect=FIGURE says which pass, or with --db alone which
// build, changed a figure; ci/perf-bisect which commit.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/support/WriteFile.h"
#include "fuzz/cli/Commands.h"
#include "fuzz/report/PerfSeries.h"
#include "fuzz/store/Store.h"
#include "oracles/blame/EngineBisect.h"
#include "oracles/performance/Performance.h"

#include "compiler/target/Targets.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include <set>

using namespace tilesmith;
using namespace tilesmith::fuzz;
using oracles::CodeFigures;
namespace cl = llvm::cl;

cl::SubCommand &tilesmith::fuzz::perfCommand() {
  static cl::SubCommand command("perf",
                                "measure what compiled code costs, compare with a baseline");
  return command;
}

static constexpr llvm::StringLiteral kVersion =
#include "fuzz/cli/Version.inc"
    ;

static cl::list<std::string> inputs(cl::Positional, cl::desc("CASE|DIR..."),
                                    cl::sub(perfCommand()));
static cl::opt<std::string> baseline("baseline", cl::desc("compare with the rows of this file"),
                                     cl::value_desc("FILE.jsonl"), cl::sub(perfCommand()));
static cl::opt<bool> update("update", cl::desc("store what was measured in the baseline"),
                            cl::sub(perfCommand()));
static cl::opt<std::string> output("o", cl::desc("write the measured rows alone"),
                                   cl::value_desc("FILE.jsonl"), cl::sub(perfCommand()));
static cl::list<std::string> gpus("gpus", cl::desc("targets (default sm_80,sm_90,sm_100)"),
                                  cl::CommaSeparated, cl::sub(perfCommand()));
static cl::opt<bool> withEmulator("emulator", cl::init(true),
                                  cl::desc("count what runs on the emulated GPU (true)"),
                                  cl::sub(perfCommand()));
static cl::opt<bool> withPtxas("ptxas", cl::init(true),
                               cl::desc("ask ptxas, where it is found (true)"),
                               cl::sub(perfCommand()));
static cl::opt<bool> verbose("figures", cl::desc("print every figure, not only what changed"),
                             cl::sub(perfCommand()));

static cl::opt<std::string> database("db", cl::desc("store that keeps the rows of each build"),
                                     cl::value_desc("FILE"), cl::sub(perfCommand()));
static cl::opt<std::string> build("build",
                                  cl::desc("name of this build in the store (default: "
                                           "version and hash of the program)"),
                                  cl::value_desc("NAME"), cl::sub(perfCommand()));
static cl::opt<std::string> since("since", cl::desc("compare with this build of the store"),
                                  cl::value_desc("NAME"), cl::sub(perfCommand()));
static cl::opt<std::string> accept("accept",
                                   cl::desc("what got worse is known: who says so, and why"),
                                   cl::value_desc("WHO: WHY"), cl::sub(perfCommand()));
static cl::list<std::string> compare("compare", cl::desc("compare two builds of the store"),
                                     cl::value_desc("A,B"), cl::CommaSeparated,
                                     cl::sub(perfCommand()));

static cl::opt<bool> release("release",
                             cl::desc("this build is a release: later ones are held to it"),
                             cl::sub(perfCommand()));
static cl::opt<unsigned> repeat("repeat", cl::init(1),
                                cl::desc("compilations that are measured, for their spread (1)"),
                                cl::value_desc("N"), cl::sub(perfCommand()));
static cl::opt<std::string>
    reference("reference", cl::desc("measure the compilation by this program beside ours"),
              cl::value_desc("TILESMITH"), cl::sub(perfCommand()));
static cl::opt<std::string> bisect("bisect",
                                   cl::desc("name the pass, or with --db alone the builds, that "
                                            "changed a figure"),
                                   cl::value_desc("FIGURE"), cl::sub(perfCommand()));

static cl::opt<std::string> times("times",
                                  cl::desc("with --db: keep GPU times, the raw file of ci/gpu-day, "
                                           "and compare them by rank"),
                                  cl::value_desc("FILE.jsonl"), cl::sub(perfCommand()));

static cl::opt<std::string> countedEngine("engine",
                                          cl::desc("count what machine code executes: sass"),
                                          cl::value_desc("sass"), cl::sub(perfCommand()));
static cl::opt<std::string>
    otherCompiler("external-compiler",
                  cl::desc("with --engine: also count the code of this tileiras"),
                  cl::value_desc("PATH"), cl::sub(perfCommand()));

namespace {

/// Case, target, level.
using Key = std::tuple<std::string, std::string, unsigned>;
using Rows = std::map<Key, CodeFigures>;

Key keyOf(const CodeFigures &row) {
  return {row.caseName, row.gpuName, row.optLevel};
}

/// Rows as lines of JSON; `path` is where they come from.
llvm::Error parseRows(llvm::StringRef text, const std::string &path, Rows &rows) {
  auto list = oracles::readBaseline(text);
  if (!list)
    return llvm::createStringError("'" + path + "': " + llvm::toString(list.takeError()));
  for (CodeFigures &row : *list)
    if (Key key = keyOf(row); !rows.try_emplace(key, std::move(row)).second)
      return llvm::createStringError(llvm::formatv("'{0}': two rows for {1} at {2} -O{3}", path,
                                                   std::get<0>(key), std::get<1>(key),
                                                   std::get<2>(key))
                                         .str());
  return llvm::Error::success();
}

llvm::Error readRows(const std::string &path, Rows &rows) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return llvm::createStringError("cannot read '" + path + "': " + buffer.getError().message());
  return parseRows((*buffer)->getBuffer(), path, rows);
}

llvm::Error notInStore(llvm::StringRef what, llvm::ArrayRef<std::string> known,
                       llvm::StringRef found) {
  if (known.empty())
    return llvm::createStringError("expected a store with rows of `tilesmith perf`, found none");
  return llvm::createStringError("expected a " + what + " of the store (" +
                                 llvm::join(known, ", ") + "), found '" + found + "'");
}

/// The rows of one build of the store.
llvm::Error readRows(const Store &store, const std::string &name, Rows &rows) {
  std::vector<std::string> lines = store.perfRows(name);
  if (!lines.empty())
    return parseRows(llvm::join(lines, "\n"), name, rows);
  std::vector<std::string> known;
  for (const PerfBuild &one : store.perfBuilds())
    known.push_back(one.build);
  return notInStore("build", known, name);
}

/// The build before: the latest one of another name; empty: none.
std::string buildBefore(const Store &store, const std::string &name) {
  std::string last;
  for (const PerfBuild &one : store.perfBuilds())
    if (one.build == name)
      break;
    else
      last = one.build;
  return last;
}

llvm::Error writeRows(const std::string &path, const Rows &rows) {
  std::string text;
  for (const auto &[key, row] : rows)
    text += oracles::toJsonLine(row);
  return writeFileAtomically(path, text);
}

void printFigure(const std::string &name, double before, double after, bool compared,
                 bool isWorse) {
  llvm::outs() << "    " << llvm::left_justify(name, 28);
  if (compared)
    llvm::outs() << llvm::formatv("{0,12:f0} -> {1,12:f0}{2}\n", before, after,
                                  isWorse ? "  worse" : "");
  else
    llvm::outs() << llvm::formatv("{0,12:f0}\n", after);
}

struct Counts {
  unsigned unchanged = 0, within = 0, worse = 0, unknown = 0;
};

/// Judges one row and prints its line.
void judgeRow(const CodeFigures *stored, const CodeFigures &row, Counts &counts,
              std::set<std::string> &notCompared) {
  oracles::Verdict verdict = oracles::comparePerformance(stored, row);
  std::vector<oracles::FigureChange> changes;
  if (stored) {
    changes = oracles::changedFigures(*stored, row);
    for (const std::string &family : oracles::familiesNotCompared(*stored, row))
      notCompared.insert(family);
  }
  bool same = stored && stored->code == row.code;
  llvm::StringRef word = "no stored row";
  if (verdict.isInconclusive()) {
    ++counts.unknown;
  } else if (verdict.isDisagree()) {
    ++counts.worse;
    word = "worse";
  } else if (same && changes.empty()) {
    ++counts.unchanged;
    word = "unchanged";
  } else {
    ++counts.within;
    word = row.code.empty() ? "faster" : same ? "same code" : "other code, nothing worse";
  }
  llvm::outs() << llvm::formatv("{0,-32} {1,-7} -O{2} {3}\n", row.caseName, row.gpuName,
                                row.optLevel, word);
  for (const oracles::FigureChange &change : changes)
    printFigure(change.figure, change.before, change.after, /*compared=*/true, change.isWorse);
  if (verbose)
    for (const auto &[name, value] : row.figures)
      printFigure(name, 0, value, /*compared=*/false, false);
}

/// The last line.
void printCounts(const Counts &counts, size_t rows) {
  llvm::outs() << llvm::formatv("{0} rows: {1} unchanged, {2} changed and nothing worse, {3} "
                                "worse, {4} without a stored row\n",
                                rows, counts.unchanged, counts.within, counts.worse,
                                counts.unknown);
}

/// --compare=A,B.
int compareBuilds(const Store &store) {
  if (compare.size() != 2)
    return usageError("expected two builds, --compare=A,B");
  Rows before, after;
  for (auto [name, rows] : {std::pair(compare[0], &before), std::pair(compare[1], &after)})
    if (llvm::Error error = readRows(store, name, *rows))
      return usageError(std::move(error));
  Counts counts;
  std::set<std::string> notCompared;
  for (const auto &[key, row] : after) {
    auto it = before.find(key);
    judgeRow(it == before.end() ? nullptr : &it->second, row, counts, notCompared);
  }
  for (const std::string &family : notCompared)
    llvm::outs() << "note: not compared: " << family << "/* (not measured, or by another tool)\n";
  printCounts(counts, after.size());
  if (std::string reason = store.perfAccepted(compare[1]); counts.worse && !reason.empty()) {
    llvm::outs() << "accepted: " << reason << '\n';
    return 0;
  }
  return counts.worse ? 1 : counts.unknown == after.size() ? 3 : 0;
}

/// Keeps the rows under the name of this build. Whether what got worse is accepted.
llvm::Expected<bool> keepRows(Store &store, const std::string &name, const Rows &measured) {
  const PerfBuild entry{name, hostName(), utcNow()};
  Rows earlier; // what the same build was measured by before
  if (llvm::Error error = parseRows(llvm::join(store.perfRows(name), "\n"), name, earlier))
    return std::move(error);
  for (const auto &[key, row] : measured) {
    auto it = earlier.find(key);
    const CodeFigures whole = oracles::updatedRow(it == earlier.end() ? nullptr : &it->second, row);
    if (llvm::Error error = store.addPerf(
            entry,
            llvm::formatv("{0}|{1}|{2}", std::get<0>(key), std::get<1>(key), std::get<2>(key)),
            llvm::StringRef(oracles::toJsonLine(whole)).trim().str()))
      return std::move(error);
  }
  if (!accept.empty())
    if (llvm::Error error = store.acceptPerf(name, accept, utcNow()))
      return std::move(error);
  std::string reason = store.perfAccepted(name);
  if (!reason.empty())
    llvm::outs() << "accepted: " << reason << '\n';
  return !reason.empty();
}

/// What another program, which stays the same, takes for the same case.
llvm::Error addReference(const std::string &directory, CodeFigures &row) {
  llvm::SmallString<128> log;
  if (std::error_code code =
          llvm::sys::fs::createTemporaryFile("tilesmith-reference", "jsonl", log))
    return llvm::createStringError("no temporary file: " + code.message());
  llvm::scope_exit remove([&] { llvm::sys::fs::remove(log); });
  const std::string gpu = "--gpus=" + row.gpuName, level = "-O" + std::to_string(row.optLevel),
                    times = "--repeat=" + std::to_string(repeat), out = log.str().str();
  std::vector<llvm::StringRef> words{reference,          "perf",          directory, gpu, level,
                                     "--emulator=false", "--ptxas=false", "-o",      out};
  if (repeat > 1)
    words.push_back(times);
  std::optional<llvm::StringRef> redirects[] = {"", "", ""};
  std::string message;
  if (llvm::sys::ExecuteAndWait(reference, words, std::nullopt, redirects, 600, 0, &message) != 0)
    return llvm::createStringError("the reference '" + reference + "' does not measure '" +
                                   directory + "' " + message);
  Rows rows;
  if (llvm::Error error = readRows(out, rows))
    return error;
  for (const auto &[key, other] : rows)
    for (const auto &[figure, value] : other.figures)
      if (oracles::kindOf(figure) == oracles::FigureKind::Cost && !oracles::isAuxiliary(figure))
        row.figures["compile/reference"] = value;
  return llvm::Error::success();
}

/// --bisect with cases: the figure after each optional pass, where it changes.
int bisectPasses(const testcase::TestCase &testCase, oracles::EngineOptions engine) {
  const std::string version = testCase.versions().back();
  const oracles::MeasureOptions what{llvm::StringRef(bisect).starts_with("emulator/"),
                                     llvm::StringRef(bisect).starts_with("ptxas/") ||
                                         llvm::StringRef(bisect).starts_with("sass/")};
  const std::vector<std::string> passes = oracles::optionalPasses(engine);
  std::optional<double> before;
  double most = 0;
  std::string blamed = "no pass", table;
  std::set<std::string> known;
  bool wasMeasured = false;
  for (size_t i = 0; i <= passes.size(); ++i) {
    engine.compile.optBisectLimit = static_cast<int64_t>(i);
    std::vector<std::string> lacks;
    auto row = oracles::measureCode(testCase, version, engine, lacks, what);
    if (!row)
      return usageError(row.takeError());
    auto it = row->figures.find(bisect);
    const double value = it == row->figures.end() ? 0 : it->second;
    wasMeasured = wasMeasured || it != row->figures.end();
    for (const auto &[figure, ignored] : row->figures)
      known.insert(figure);
    if (!before || value != *before)
      table += llvm::formatv("{0,3} {1,-36} {2,12:f0}\n", i,
                             i == 0 ? "no optional pass" : passes[i - 1], value)
                   .str();
    if (before && value - *before > most) {
      most = value - *before;
      blamed = llvm::formatv("{0} ({1:f0} -> {2:f0})", passes[i - 1], *before, value).str();
    }
    before = value;
  }
  if (!wasMeasured)
    return usageError("expected a figure that is measured here (" + llvm::join(known, ", ") +
                      "), found '" + bisect + "'");
  llvm::outs() << table << "raised most by: " << blamed << '\n';
  return 0;
}

/// What a row cost on this machine: `machine: of a row compile 30.1 ms, decode 0.2 ms, …: 12.0 a second`.
void printSteps(llvm::StringRef family, unsigned rows,
                const std::map<std::string, double> &micros) {
  std::vector<std::string> steps;
  double all = 0;
  for (const auto &[step, sum] : micros)
    if (llvm::StringRef name = step; name.consume_front((family + "/").str())) {
      steps.push_back(llvm::formatv("{0} {1:f1} ms", name, sum / 1000 / rows).str());
      all += sum;
    }
  llvm::outs() << llvm::formatv("{0}: of a row {1}: {2:f1} rows a second\n", family,
                                llvm::join(steps, ", "), all > 0 ? 1e6 * rows / all : 0);
}

/// --engine: what the machine code of each case executes, ours beside that of another compiler. What
/// one of them does not run is said, and no error.
int countMachineCode(llvm::ArrayRef<std::string> directories, const oracles::EngineOptions &shared,
                     Store *store, const std::string &buildName) {
  Rows rows;
  unsigned counted = 0, asked = 0, others = 0;
  std::map<std::string, double> micros;
  for (const std::string &directory : directories) {
    auto testCase = testcase::loadTestCase(directory);
    if (!testCase)
      return usageError(testCase.takeError());
    for (const std::string &gpu : gpus) {
      oracles::EngineOptions engine = shared;
      engine.compile.gpuName = gpu;
      std::vector<std::string> lacks;
      CodeFigures row = oracles::measureMachineCode(*testCase, testCase->versions().back(), engine,
                                                    otherCompiler, lacks, micros);
      for (const std::string &line : lacks)
        llvm::outs() << llvm::formatv("{0} {1} {2}\n", row.caseName, gpu, line);
      const bool hasOurs = row.tools.contains("machine"),
                 hasTheirs = row.tools.contains("external");
      counted += hasOurs;
      others += hasTheirs;
      if (hasOurs) {
        llvm::outs() << llvm::formatv(
            "{0} {1} -O{2}\n  {3,-20} {4,14} {5,14} {6,8}\n", row.caseName, gpu, row.optLevel, "",
            "ours", otherCompiler.empty() ? "" : "theirs", hasTheirs ? "ratio" : "");
        for (const oracles::MachineFigure &figure : oracles::machineFigures(row.figures))
          llvm::outs() << llvm::formatv(
              "  {0,-20} {1,14:f0} {2,14} {3,8}\n", figure.name, figure.ours,
              figure.theirs ? llvm::formatv("{0:f0}", *figure.theirs).str() : "",
              figure.ratio() ? llvm::formatv("{0:f2}", *figure.ratio()).str() : "");
      }
      if (hasOurs || hasTheirs)
        rows.try_emplace(keyOf(row), std::move(row));
      ++asked;
      llvm::outs().flush();
    }
  }
  if (!output.empty())
    if (llvm::Error error = writeRows(output, rows))
      return usageError(std::move(error));
  llvm::outs() << llvm::formatv("{0} of {1} rows counted\n", counted, asked);
  for (auto [family, count] : {std::pair("machine", counted), std::pair("external", others)})
    if (count)
      printSteps(family, count, micros);
  if (store)
    if (auto accepted = keepRows(*store, buildName, rows); !accepted)
      return usageError(accepted.takeError());
  return counted || !asked ? 0 : 3;
}

/// --bisect with a store alone: the builds where a figure of a kernel has another level.
int bisectBuilds(const Store &store) {
  auto table = readPerf(store);
  if (!table)
    return usageError(table.takeError());
  std::set<std::string> known;
  for (const PerfSeries &series : table->series) {
    known.insert(series.figure);
    if (series.figure != bisect)
      continue;
    for (size_t step : series.steps)
      llvm::outs() << llvm::formatv("{0}: build {1}: {2:f0}\n", series.kernel,
                                    table->builds[step].build, series.values[step]);
  }
  if (!known.contains(bisect))
    return usageError(llvm::toString(
        notInStore("figure", std::vector<std::string>(known.begin(), known.end()), bisect)));
  return 0;
}

/// --times: the rounds of a day with a GPU, against those of the last build that has some.
int addTimes(Store &store, const std::string &name) {
  auto buffer = llvm::MemoryBuffer::getFile(times);
  if (!buffer)
    return usageError("cannot read '" + times + "': " + buffer.getError().message());
  std::vector<std::string> wrong;
  auto list = oracles::readTimes((*buffer)->getBuffer(), wrong);
  if (!list)
    return usageError("'" + times + "': " + llvm::toString(list.takeError()));
  if (list->empty() && wrong.empty())
    return usageError("expected rounds of ci/gpu-day in '" + times + "', found none");
  Rows measured, stored;
  for (CodeFigures &row : *list)
    measured.try_emplace(keyOf(row), row);
  for (const PerfBuild &one : store.perfBuilds()) {
    if (one.build == name)
      break;
    if (!since.empty() && one.build != since)
      continue;
    Rows rows;
    if (llvm::Error error = readRows(store, one.build, rows))
      return usageError(std::move(error));
    for (auto &[key, row] : rows)
      if (!row.samples.empty())
        stored[key] = std::move(row);
  }
  Counts counts;
  std::set<std::string> notCompared;
  for (const auto &[key, row] : measured) {
    auto it = stored.find(key);
    judgeRow(it == stored.end() ? nullptr : &it->second, row, counts, notCompared);
  }
  for (const std::string &one : wrong)
    llvm::outs() << one << " has a wrong result, and so no time\n";
  if (!notCompared.empty())
    llvm::outs() << "note: times of another device are not compared\n";
  printCounts(counts, measured.size());
  auto accepted = keepRows(store, name, measured);
  if (!accepted)
    return usageError(accepted.takeError());
  return !wrong.empty() || (counts.worse && !*accepted) ? 1 : 0;
}

/// Drift that shows on this build; what got worse against the build before was said already.
llvm::Expected<unsigned> sayDrift(const Store &store, const std::string &name) {
  auto table = readPerf(store);
  if (!table)
    return table.takeError();
  unsigned count = 0;
  for (const PerfAlert &alert : table->alerts)
    if (table->builds[alert.build].build == name && alert.cause == "drift") {
      llvm::outs() << alert.str(name) << '\n';
      ++count;
    }
  return count;
}

} // namespace

int tilesmith::fuzz::runPerf() {
  std::optional<RunOptions> options = readRunOptions();
  if (!options)
    return kUsageError;
  std::optional<Store> store;
  if (!database.empty()) {
    const bool onlyReads = !compare.empty() || (!bisect.empty() && inputs.empty());
    auto opened = onlyReads ? Store::openToRead(database) : Store::open(database);
    if (!opened)
      return usageError(opened.takeError());
    store.emplace(std::move(*opened));
  } else if (!since.empty() || !accept.empty() || !compare.empty() || release) {
    return usageError("--since, --accept, --release and --compare need --db=FILE");
  }
  if (repeat == 0 || repeat > 1000)
    return usageError("expected --repeat from 1 to 1000, found " + llvm::Twine(repeat));
  if (!accept.empty() && !llvm::StringRef(accept).contains(": "))
    return usageError("expected --accept=\"WHO: WHY\", found '" + accept + "'");
  if (!compare.empty())
    return compareBuilds(*store);
  if (!bisect.empty() && store && inputs.empty())
    return bisectBuilds(*store);
  if (!times.empty())
    return store && inputs.empty() ? addTimes(*store, build.empty() ? thisBuild(kVersion) : build)
                                   : usageError("expected --db=FILE and no cases with --times");
  if (inputs.empty())
    return usageError("expected at least one case or folder of cases");
  if (!bisect.empty()) {
    auto testCase = loadOneCase(inputs.front());
    if (!testCase)
      return usageError(testCase.takeError());
    oracles::EngineOptions engine = options->campaign.judge.differential.engine;
    if (!gpus.empty())
      engine.compile.gpuName = gpus.front();
    if (auto gpu = target::getGpuTarget(engine.compile.gpuName); !gpu)
      return usageError(gpu.takeError());
    return bisectPasses(*testCase, engine);
  }
  if (store && !baseline.empty())
    return usageError("expected --db or --baseline, found both");
  if (update && baseline.empty())
    return usageError("--update needs --baseline=FILE");
  std::vector<std::string> read(inputs.begin(), inputs.end());
  if (update) {
    if (llvm::Error error = checkOutputFile(baseline, read))
      return usageError(std::move(error));
  } else {
    read.push_back(baseline);
  }
  if (llvm::Error error = checkOutputFile(output, read))
    return usageError(std::move(error));
  if (gpus.empty())
    for (llvm::StringRef name : target::measuredGpus())
      gpus.push_back(name.str());
  for (const std::string &name : gpus)
    if (auto gpu = target::getGpuTarget(name); !gpu)
      return usageError(gpu.takeError());
  if (!countedEngine.empty()) {
    if (countedEngine != "sass")
      return usageError("expected --engine=sass, found '" + countedEngine + "'");
    auto directories = findCases(inputs);
    return directories ? countMachineCode(*directories, options->campaign.judge.differential.engine,
                                          store ? &*store : nullptr,
                                          build.empty() ? thisBuild(kVersion) : build)
                       : usageError(directories.takeError());
  }
  if (!otherCompiler.empty())
    return usageError("--external-compiler needs --engine=sass");
  Rows stored, measured;
  // The first update makes the file.
  if (!baseline.empty() && !(update && !llvm::sys::fs::exists(baseline)))
    if (llvm::Error error = readRows(baseline, stored))
      return usageError(std::move(error));
  const std::string name = build.empty() ? thisBuild(kVersion) : build;
  const std::string before = !store ? "" : since.empty() ? buildBefore(*store, name) : since;
  if (!before.empty()) {
    if (llvm::Error error = readRows(*store, before, stored))
      return usageError(std::move(error));
    llvm::outs() << "compared with build " << before << '\n';
  }
  auto directories = findCases(inputs);
  if (!directories)
    return usageError(directories.takeError());

  Counts counts;
  std::set<std::string> missing, notCompared;
  for (const std::string &directory : *directories) {
    auto testCase = testcase::loadTestCase(directory);
    if (!testCase)
      return usageError(testCase.takeError());
    for (const std::string &gpu : gpus) {
      oracles::EngineOptions engine = options->campaign.judge.differential.engine;
      engine.compile.gpuName = gpu;
      std::vector<std::string> lacks;
      auto row = oracles::measureCode(*testCase, testCase->versions().back(), engine, lacks,
                                      {withEmulator, withPtxas, repeat});
      if (!row)
        return usageError("'" + directory + "' for " + gpu + ": " +
                          llvm::toString(row.takeError()));
      if (!reference.empty())
        if (llvm::Error error = addReference(directory, *row))
          return usageError(std::move(error));
      missing.insert(lacks.begin(), lacks.end());
      Key key = keyOf(*row);
      auto it = stored.find(key);
      const CodeFigures *earlier = it == stored.end() ? nullptr : &it->second;
      judgeRow(earlier, *row, counts, notCompared);
      if (!measured.try_emplace(key, oracles::updatedRow(earlier, *row)).second)
        return usageError("two cases are called '" + row->caseName + "'");
      llvm::outs().flush();
    }
  }
  for (const std::string &line : missing)
    llvm::outs() << "note: not measured here: " << line << '\n';
  for (const std::string &family : notCompared)
    llvm::outs() << "note: not compared: " << family << "/* (not measured, or by another tool)\n";
  if (!output.empty())
    if (llvm::Error error = writeRows(output, measured))
      return usageError(std::move(error));
  if (update) {
    for (auto &[key, row] : measured)
      stored[key] = row;
    if (llvm::Error error = writeRows(baseline, stored))
      return usageError(std::move(error));
    llvm::outs() << llvm::formatv("wrote {0} rows to {1}\n", stored.size(), baseline);
  }
  printCounts(counts, measured.size());
  if (store) {
    auto accepted = keepRows(*store, name, measured);
    if (!accepted)
      return usageError(accepted.takeError());
    if (release)
      if (llvm::Error error = store->markRelease(name))
        return usageError(std::move(error));
    auto drift = sayDrift(*store, name);
    if (!drift)
      return usageError(drift.takeError());
    return (counts.worse || *drift) && !*accepted
               ? 1
               : 0; // the first build has nothing to compare with
  }
  if (update || baseline.empty())
    return 0;
  if (counts.worse)
    return 1;
  return counts.unknown == measured.size() ? 3 : 0;
}
