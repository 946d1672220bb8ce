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
// What got worse is said until somebody accepts it (--accept="WHO: WHY"). --compare=A,B measures
// nothing and compares two builds of the store.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/support/WriteFile.h"
#include "fuzz/cli/Commands.h"
#include "fuzz/store/Store.h"
#include "oracles/performance/Performance.h"

#include "compiler/target/Targets.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
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

/// The rows of one build of the store.
llvm::Error readRows(const Store &store, const std::string &name, Rows &rows) {
  std::vector<std::string> lines = store.perfRows(name);
  if (!lines.empty())
    return parseRows(llvm::join(lines, "\n"), name, rows);
  std::vector<std::string> known;
  for (const PerfBuild &one : store.perfBuilds())
    known.push_back(one.build);
  return llvm::createStringError("expected a build of the store (" + llvm::join(known, ", ") +
                                 "), found '" + name + "'");
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
    word = same ? "same code" : "other code, nothing worse";
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
      return usageError(llvm::toString(std::move(error)));
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
  for (const auto &[key, row] : measured)
    if (llvm::Error error = store.addPerf(
            entry,
            llvm::formatv("{0}|{1}|{2}", std::get<0>(key), std::get<1>(key), std::get<2>(key)),
            llvm::StringRef(oracles::toJsonLine(row)).trim().str()))
      return std::move(error);
  if (!accept.empty())
    if (llvm::Error error = store.acceptPerf(name, accept, utcNow()))
      return std::move(error);
  std::string reason = store.perfAccepted(name);
  if (!reason.empty())
    llvm::outs() << "accepted: " << reason << '\n';
  return !reason.empty();
}

} // namespace

int tilesmith::fuzz::runPerf() {
  std::optional<RunOptions> options = readRunOptions();
  if (!options)
    return kUsageError;
  std::optional<Store> store;
  if (!database.empty()) {
    auto opened = Store::open(database);
    if (!opened)
      return usageError(llvm::toString(opened.takeError()));
    store.emplace(std::move(*opened));
  } else if (!since.empty() || !accept.empty() || !compare.empty()) {
    return usageError("--since, --accept and --compare need --db=FILE");
  }
  if (!accept.empty() && !llvm::StringRef(accept).contains(": "))
    return usageError("expected --accept=\"WHO: WHY\", found '" + accept + "'");
  if (!compare.empty())
    return compareBuilds(*store);
  if (inputs.empty())
    return usageError("expected at least one case or folder of cases");
  if (store && !baseline.empty())
    return usageError("expected --db or --baseline, found both");
  if (update && baseline.empty())
    return usageError("--update needs --baseline=FILE");
  std::vector<std::string> read(inputs.begin(), inputs.end());
  if (update) {
    if (llvm::Error error = checkOutputFile(baseline, read))
      return usageError(llvm::toString(std::move(error)));
  } else {
    read.push_back(baseline);
  }
  if (llvm::Error error = checkOutputFile(output, read))
    return usageError(llvm::toString(std::move(error)));
  if (gpus.empty())
    for (llvm::StringRef name : target::measuredGpus())
      gpus.push_back(name.str());
  for (const std::string &name : gpus)
    if (auto gpu = target::getGpuTarget(name); !gpu)
      return usageError(llvm::toString(gpu.takeError()));
  Rows stored, measured;
  // The first update makes the file.
  if (!baseline.empty() && !(update && !llvm::sys::fs::exists(baseline)))
    if (llvm::Error error = readRows(baseline, stored))
      return usageError(llvm::toString(std::move(error)));
  const std::string name = build.empty() ? thisBuild(kVersion) : build;
  const std::string before = !store ? "" : since.empty() ? buildBefore(*store, name) : since;
  if (!before.empty()) {
    if (llvm::Error error = readRows(*store, before, stored))
      return usageError(llvm::toString(std::move(error)));
    llvm::outs() << "compared with build " << before << '\n';
  }
  auto directories = findCases(inputs);
  if (!directories)
    return usageError(llvm::toString(directories.takeError()));

  Counts counts;
  std::set<std::string> missing, notCompared;
  for (const std::string &directory : *directories) {
    auto testCase = testcase::loadTestCase(directory);
    if (!testCase)
      return usageError(llvm::toString(testCase.takeError()));
    for (const std::string &gpu : gpus) {
      oracles::EngineOptions engine = options->campaign.judge.differential.engine;
      engine.compile.gpuName = gpu;
      std::vector<std::string> lacks;
      auto row = oracles::measureCode(*testCase, testCase->versions().back(), engine, lacks,
                                      {withEmulator, withPtxas});
      if (!row)
        return usageError("'" + directory + "' for " + gpu + ": " +
                          llvm::toString(row.takeError()));
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
      return usageError(llvm::toString(std::move(error)));
  if (update) {
    for (auto &[key, row] : measured)
      stored[key] = row;
    if (llvm::Error error = writeRows(baseline, stored))
      return usageError(llvm::toString(std::move(error)));
    llvm::outs() << llvm::formatv("wrote {0} rows to {1}\n", stored.size(), baseline);
  }
  printCounts(counts, measured.size());
  if (store) {
    auto accepted = keepRows(*store, name, measured);
    if (!accepted)
      return usageError(llvm::toString(accepted.takeError()));
    return counts.worse && !*accepted ? 1 : 0; // the first build has nothing to compare with
  }
  if (update || baseline.empty())
    return 0;
  if (counts.worse)
    return 1;
  return counts.unknown == measured.size() ? 3 : 0;
}
