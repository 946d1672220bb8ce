//===- BenchCommand.cpp - tilesmith bench [--baseline FILE] [-o FILE] -------------------------===//
//
// Runs the benchmark programs that lie beside this build and prints the CPU time of each benchmark
// next to that of a stored baseline; with --cases also what the code of some cases costs on the
// emulated GPU (instructions, memory sectors, bank conflicts), which never varies between two runs.
// Slower than the tolerances allow is exit code 1.
//
//===------------------------------------------------------------------------------------------===//
#include "fuzz/cli/Commands.h"
#include "oracles/engines/Engine.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include <map>

using namespace tilesmith;
using namespace tilesmith::fuzz;
namespace cl = llvm::cl;

cl::SubCommand &tilesmith::fuzz::benchCommand() {
  static cl::SubCommand command("bench", "run the benchmarks and compare with a baseline");
  return command;
}

static cl::opt<std::string> folder("bin-dir",
                                   cl::desc("folder of benchmark programs (default: ../benchmarks "
                                            "beside this program)"),
                                   cl::sub(benchCommand()));
static cl::opt<std::string> filter("filter", cl::desc("only benchmarks that match (regex)"),
                                   cl::init("."), cl::sub(benchCommand()));
static cl::opt<std::string> baseline("baseline", cl::desc("compare with this file"),
                                     cl::value_desc("FILE.json"), cl::sub(benchCommand()));
static cl::opt<std::string> output("o", cl::desc("write what was measured: the next baseline"),
                                   cl::value_desc("FILE.json"), cl::sub(benchCommand()));
static cl::opt<double> tolerance("tolerance",
                                 cl::desc("percentage that a benchmark may be slower (default 30)"),
                                 cl::init(30), cl::sub(benchCommand()));
static cl::list<std::string> cases("cases",
                                   cl::desc("count what the cases of a folder cost on the "
                                            "emulated GPU (any number of times)"),
                                   cl::value_desc("DIR"), cl::sub(benchCommand()));
static cl::opt<bool> countsOnly("counts-only", cl::desc("run no benchmark program"),
                                cl::sub(benchCommand()));
static cl::opt<double> countTolerance("count-tolerance",
                                      cl::desc("percentage that a count may be higher (default 2)"),
                                      cl::init(2), cl::sub(benchCommand()));
static cl::opt<double> minTime("min-time", cl::desc("seconds for each benchmark (default 0.2)"),
                               cl::init(0.2), cl::sub(benchCommand()));

namespace {

/// Benchmark to nanoseconds of CPU time.
using Times = std::map<std::string, double>;

llvm::Expected<llvm::json::Value> readJson(llvm::StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return llvm::createStringError("cannot read '" + path + "': " + buffer.getError().message());
  auto value = llvm::json::parse((*buffer)->getBuffer());
  if (!value)
    return llvm::createStringError("'" + path + "': " + llvm::toString(value.takeError()));
  return value;
}

llvm::Error readResults(llvm::StringRef path, llvm::StringRef program, Times &times) {
  auto value = readJson(path);
  if (!value)
    return value.takeError();
  const llvm::json::Object *object = value->getAsObject();
  const llvm::json::Array *all = object ? object->getArray("benchmarks") : nullptr;
  if (!all)
    return llvm::createStringError("expected key benchmarks in the output of " + program);
  for (const llvm::json::Value &entry : *all) {
    const llvm::json::Object *one = entry.getAsObject();
    if (!one || one->getString("run_type").value_or("iteration") != "iteration")
      continue;
    double scale = llvm::StringSwitch<double>(one->getString("time_unit").value_or("ns"))
                       .Case("us", 1e3)
                       .Case("ms", 1e6)
                       .Case("s", 1e9)
                       .Default(1);
    times[(program + "/" + one->getString("name").value_or("?")).str()] =
        one->getNumber("cpu_time").value_or(0) * scale;
  }
  return llvm::Error::success();
}

llvm::Error runProgram(const std::string &path, Times &times) {
  llvm::SmallString<128> log;
  if (std::error_code code = llvm::sys::fs::createTemporaryFile("tilesmith-bench", "json", log))
    return llvm::createStringError("no temporary file: " + code.message());
  std::string out = "--benchmark_out=" + log.str().str();
  std::string time = llvm::formatv("--benchmark_min_time={0}", double(minTime)).str();
  std::string only = "--benchmark_filter=" + filter;
  llvm::StringRef arguments[] = {path, out, "--benchmark_out_format=json", time, only};
  std::optional<llvm::StringRef> redirects[] = {"", "", std::nullopt};
  std::string message;
  int code = llvm::sys::ExecuteAndWait(path, arguments, std::nullopt, redirects, 0, 0, &message);
  llvm::Error error = code == 0 ? readResults(log, llvm::sys::path::filename(path), times)
                                : llvm::createStringError(path + " ended with code " +
                                                          std::to_string(code) + " " + message);
  llvm::sys::fs::remove(log);
  return error;
}

bool isCount(llvm::StringRef name) {
  return name.starts_with("count/");
}

/// Adds `count/CASE/WHAT` for every case below a folder.
llvm::Error countCosts(const std::string &folder, Times &times) {
  llvm::SmallString<128> log;
  if (std::error_code code = llvm::sys::fs::createTemporaryFile("tilesmith-counts", "json", log))
    return llvm::createStringError("no temporary file: " + code.message());
  llvm::scope_exit remove([&] { llvm::sys::fs::remove(log); });
  auto engines = oracles::createEngines("emulator");
  if (!engines)
    return engines.takeError();
  ::setenv("TILESMITH_EMULATOR_COUNTERS", log.c_str(), 1);
  auto directories = findCases({folder});
  if (!directories)
    return directories.takeError();
  for (const std::string &directory : *directories) {
    auto testCase = testcase::loadTestCase(directory);
    if (!testCase)
      return testCase.takeError();
    oracles::EngineResult result =
        engines->front()->run({*testCase, testCase->versions().back(), {}});
    if (!result.completed())
      return llvm::createStringError("'" + directory + "': " + result.message);
  }
  ::unsetenv("TILESMITH_EMULATOR_COUNTERS");
  auto buffer = llvm::MemoryBuffer::getFile(log);
  if (!buffer)
    return llvm::createStringError("no counters: " + buffer.getError().message());
  llvm::SmallVector<llvm::StringRef> lines;
  (*buffer)->getBuffer().split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef line : lines) {
    auto value = llvm::json::parse(line);
    if (!value)
      return value.takeError();
    const llvm::json::Object &object = *value->getAsObject();
    const llvm::json::Object &counters = *object.getObject("counters");
    for (llvm::StringRef what :
         {"instructions", "global_sectors", "shared_wavefronts", "bank_conflicts", "barriers"})
      times[("count/" + object.getString("case").value_or("?") + "/" + what).str()] +=
          static_cast<double>(counters.getInteger(what).value_or(0));
  }
  return llvm::Error::success();
}

std::string inUnits(llvm::StringRef name, double nanoseconds) {
  if (isCount(name))
    return std::to_string(static_cast<int64_t>(nanoseconds));
  if (nanoseconds >= 1e9)
    return llvm::formatv("{0:f2} s", nanoseconds / 1e9);
  if (nanoseconds >= 1e6)
    return llvm::formatv("{0:f2} ms", nanoseconds / 1e6);
  if (nanoseconds >= 1e3)
    return llvm::formatv("{0:f2} us", nanoseconds / 1e3);
  return llvm::formatv("{0:f1} ns", nanoseconds);
}

} // namespace

llvm::Expected<Times> tilesmith::fuzz::readBenchmarks(llvm::StringRef path) {
  auto value = readJson(path);
  if (!value)
    return value.takeError();
  const llvm::json::Object *object = value->getAsObject();
  const llvm::json::Object *measured = object ? object->getObject("cpu_ns") : nullptr;
  if (!measured)
    return llvm::createStringError("expected key cpu_ns in '" + path + "'");
  Times times;
  for (const char *key : {"cpu_ns", "counts"})
    if (const llvm::json::Object *part = object->getObject(key))
      for (const auto &[name, time] : *part)
        times[name.str()] = time.getAsNumber().value_or(0);
  return times;
}

int tilesmith::fuzz::runBench() {
  Times before, after;
  if (!baseline.empty()) {
    auto times = readBenchmarks(baseline);
    if (!times)
      return usageError(llvm::toString(times.takeError()));
    before = std::move(*times);
  }
  std::string programs = folder;
  if (programs.empty()) {
    std::string self =
        llvm::sys::fs::getMainExecutable("tilesmith", reinterpret_cast<void *>(&runBench));
    programs =
        llvm::sys::path::parent_path(llvm::sys::path::parent_path(self)).str() + "/benchmarks";
  }
  std::vector<std::string> paths;
  std::error_code code;
  for (llvm::sys::fs::directory_iterator it(programs, code), end; it != end && !code;
       it.increment(code))
    if (llvm::sys::fs::can_execute(it->path()))
      paths.push_back(it->path());
  if (countsOnly)
    paths.clear();
  else if (paths.empty())
    return usageError("no benchmark programs in '" + programs +
                      "' (build them: ninja -C build/release benchmarks)");
  llvm::sort(paths);
  for (const std::string &path : paths)
    if (llvm::Error error = runProgram(path, after))
      return usageError(llvm::toString(std::move(error)));

  for (const std::string &path : cases)
    if (llvm::Error error = countCosts(path, after))
      return usageError(llvm::toString(std::move(error)));

  unsigned slower = 0;
  for (const auto &[name, time] : after) {
    llvm::outs() << llvm::left_justify(name, 60) << ' '
                 << llvm::right_justify(inUnits(name, time), 10);
    if (auto it = before.find(name); it != before.end() && (it->second > 0 || isCount(name))) {
      double change = (std::max(time, 1.0) / std::max(it->second, 1.0) - 1) * 100;
      bool bad = change > (isCount(name) ? countTolerance : tolerance);
      slower += bad;
      llvm::outs() << ' ' << llvm::right_justify(inUnits(name, it->second), 10)
                   << llvm::format(" %+6.1f %%", change) << (bad ? "  slower" : "");
    }
    llvm::outs() << '\n';
  }
  for (const auto &[name, time] : before)
    if (!after.count(name) && filter == "." && (isCount(name) ? !cases.empty() : !countsOnly))
      llvm::outs() << llvm::left_justify(name, 60) << " is gone\n";
  if (!output.empty()) {
    std::error_code failure;
    llvm::raw_fd_ostream out(output, failure);
    if (failure)
      return usageError("cannot write '" + output + "': " + failure.message());
    llvm::json::OStream json(out, 1);
    json.object([&] {
      json.attributeObject("cpu_ns", [&] {
        for (const auto &[name, time] : after)
          if (!isCount(name))
            json.attribute(name, time);
      });
      json.attributeObject("counts", [&] {
        for (const auto &[name, time] : after)
          if (isCount(name))
            json.attribute(name, static_cast<int64_t>(time));
      });
    });
    out << '\n';
  }
  llvm::outs() << after.size() << " benchmarks, " << slower << " slower than the baseline allows\n";
  return slower ? 1 : 0;
}
