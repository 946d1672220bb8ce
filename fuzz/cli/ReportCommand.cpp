//===- ReportCommand.cpp - tilesmith report --db F -o FILE.html -------------------------------===//
#include "compiler/support/WriteFile.h"
#include "fuzz/cli/Commands.h"
#include "fuzz/report/Report.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace tilesmith;
using namespace tilesmith::fuzz;
namespace cl = llvm::cl;

cl::SubCommand &tilesmith::fuzz::reportCommand() {
  static cl::SubCommand command("report", "write what a store holds as HTML, JSON or JUnit");
  return command;
}

static cl::opt<std::string> database("db", cl::desc("the store"), cl::value_desc("FILE|URL"),
                                     cl::sub(reportCommand()));
static cl::list<std::string> outputs("o",
                                     cl::desc("FILE.html, FILE.json or FILE.xml (JUnit); any "
                                              "number of them"),
                                     cl::value_desc("FILE"), cl::sub(reportCommand()));
static cl::opt<std::string> title("title", cl::desc("heading of the page"),
                                  cl::init("tilesmith campaign"), cl::sub(reportCommand()));

static cl::list<std::string>
    benchmarks("bench",
               cl::desc("what tilesmith bench and perf wrote, oldest first; any "
                        "number of files for the performance history"),
               cl::value_desc("FILE.json[l]"), cl::sub(reportCommand()));
static cl::list<std::string> attached("attach",
                                      cl::desc("show a text file in the page, under a heading"),
                                      cl::value_desc("HEADING=FILE"), cl::sub(reportCommand()));

int tilesmith::fuzz::runReport() {
  if ((database.empty() && benchmarks.empty()) || outputs.empty())
    return usageError("expected --db FILE or --bench FILE, and -o FILE.html");
  for (const std::string &path : outputs) {
    llvm::StringRef extension = llvm::sys::path::extension(path);
    if (extension != ".html" && extension != ".json" && extension != ".xml")
      return usageError("expected a file that ends in .html, .json or .xml, found '" + path + "'");
    std::vector<std::string> inputs(benchmarks.begin(), benchmarks.end());
    inputs.push_back(database);
    for (llvm::StringRef entry : attached)
      inputs.push_back(entry.split('=').second.str());
    if (llvm::Error error = checkOutputFile(path, inputs))
      return usageError(llvm::toString(std::move(error)));
  }
  // The performance history alone needs no store.
  auto store = database.empty() ? Store::open(":memory:") : Store::open(database, /*create=*/false);
  if (!store)
    return usageError(llvm::toString(store.takeError()));
  ReportExtras extras;
  for (const PerfBuild &build : store->perfBuilds()) {
    auto values = countersOf(llvm::join(store->perfRows(build.build), "\n"));
    if (!values)
      return usageError(llvm::toString(values.takeError()));
    extras.nights.push_back({build.build, std::move(*values)});
  }
  for (const std::string &path : benchmarks) {
    auto values = readBenchmarks(path);
    if (!values)
      return usageError(llvm::toString(values.takeError()));
    // FILE.json of `bench` and FILE.jsonl of `perf` are one night.
    std::string night = llvm::sys::path::stem(path).str();
    if (extras.nights.empty() || extras.nights.back().name != night)
      extras.nights.push_back({night, {}});
    extras.nights.back().values.merge(*values);
  }
  for (llvm::StringRef entry : attached) {
    auto [heading, path] = entry.split('=');
    auto text = llvm::MemoryBuffer::getFile(path);
    if (!text)
      return usageError("cannot read '" + path +
                        "' (expected --attach HEADING=FILE): " + text.getError().message());
    extras.texts.emplace_back(heading.str(), (*text)->getBuffer().str());
  }
  for (const std::string &path : outputs) {
    llvm::StringRef extension = llvm::sys::path::extension(path);
    std::string text;
    llvm::raw_string_ostream out(text);
    if (extension == ".html")
      writeHtml(out, *store, title, extras);
    else if (extension == ".json")
      writeJson(out, *store);
    else
      writeJunit(out, *store);
    if (!store->failure().empty())
      return usageError(store->failure());
    if (llvm::Error error = writeFileAtomically(path, text))
      return usageError(llvm::toString(std::move(error)));
    llvm::outs() << "wrote " << path << '\n';
  }
  return 0;
}
