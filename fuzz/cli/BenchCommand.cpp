//===- BenchCommand.cpp - tilesmith bench [--baseline FILE] [-o FILE] -------------------------===//
//
// Runs the benchmark programs that lie beside this build and prints the CPU time of each benchmark
// next to that of a stored baseline. Slower than the tolerance allows is exit code 1. What compiled
// code costs is the work of `tilesmith perf`.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/support/WriteFile.h"
#include "compiler/target/Targets.h"
#include "fuzz/cli/Commands.h"
#include "oracles/performance/Performance.h"

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

std::string inUnits(double nanoseconds) {
  if (nanoseconds >= 1e9)
    return llvm::formatv("{0:f2} s", nanoseconds / 1e9);
  if (nanoseconds >= 1e6)
    return llvm::formatv("{0:f2} ms", nanoseconds / 1e6);
  if (nanoseconds >= 1e3)
    return llvm::formatv("{0:f2} us", nanoseconds / 1e3);
  return llvm::formatv("{0:f1} ns", nanoseconds);
}

} // namespace

llvm::Expected<Times> tilesmith::fuzz::countersOf(llvm::StringRef perfRows) {
  auto rows = oracles::readBaseline(perfRows);
  if (!rows)
    return rows.takeError();
  Times counters;
  for (const oracles::CodeFigures &row : *rows)
    for (const auto &[name, value] : row.figures)
      if (llvm::StringRef rest = name;
          row.gpuName == target::kDefaultGpu && rest.consume_front("emulator/"))
        counters[("count/" + row.caseName + "/" + rest).str()] = value;
  return counters;
}

llvm::Expected<Times> tilesmith::fuzz::readBenchmarks(llvm::StringRef path) {
  Times times;
  if (path.ends_with(".jsonl")) {
    auto buffer = llvm::MemoryBuffer::getFile(path);
    if (!buffer)
      return llvm::createStringError("cannot read '" + path + "': " + buffer.getError().message());
    auto counters = countersOf((*buffer)->getBuffer());
    if (!counters)
      return llvm::createStringError("'" + path + "': " + llvm::toString(counters.takeError()));
    return counters;
  }
  auto value = readJson(path);
  if (!value)
    return value.takeError();
  const llvm::json::Object *object = value->getAsObject();
  const llvm::json::Object *measured = object ? object->getObject("cpu_ns") : nullptr;
  if (!measured)
    return llvm::createStringError("expected key cpu_ns in '" + path + "'");
  for (const auto &[name, time] : *measured)
    times[name.str()] = time.getAsNumber().value_or(0);
  return times;
}

int tilesmith::fuzz::runBench() {
  if (llvm::Error error = checkOutputFile(output, {baseline}))
    return usageError(std::move(error));
  Times before, after;
  if (!baseline.empty()) {
    auto times = readBenchmarks(baseline);
    if (!times)
      return usageError(times.takeError());
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
  if (paths.empty())
    return usageError("no benchmark programs in '" + programs +
                      "' (build them: ninja -C build/release benchmarks)");
  llvm::sort(paths);
  for (const std::string &path : paths)
    if (llvm::Error error = runProgram(path, after))
      return usageError(std::move(error));

  unsigned slower = 0;
  for (const auto &[name, time] : after) {
    llvm::outs() << llvm::left_justify(name, 60) << ' ' << llvm::right_justify(inUnits(time), 10);
    if (auto it = before.find(name); it != before.end() && it->second > 0) {
      double change = (std::max(time, 1.0) / std::max(it->second, 1.0) - 1) * 100;
      bool bad = change > tolerance;
      slower += bad;
      llvm::outs() << ' ' << llvm::right_justify(inUnits(it->second), 10)
                   << llvm::format(" %+6.1f %%", change) << (bad ? "  slower" : "");
    }
    llvm::outs() << '\n';
  }
  for (const auto &[name, time] : before)
    if (!after.count(name) && filter == ".")
      llvm::outs() << llvm::left_justify(name, 60) << " is gone\n";
  if (!output.empty()) {
    std::string text;
    llvm::raw_string_ostream out(text);
    llvm::json::OStream json(out, 1);
    json.object([&] {
      json.attributeObject("cpu_ns", [&] {
        for (const auto &[name, time] : after)
          json.attribute(name, time);
      });
    });
    out << '\n';
    if (llvm::Error error = writeFileAtomically(output, text))
      return usageError(std::move(error));
  }
  llvm::outs() << after.size() << " benchmarks, " << slower << " slower than the baseline allows\n";
  return slower ? 1 : 0;
}
