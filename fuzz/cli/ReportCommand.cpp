//===- ReportCommand.cpp - tilesmith report --db F -o FILE.html | --serve=PORT ----------------===//
#include "compiler/support/WriteFile.h"
#include "fuzz/campaign/Interrupt.h"
#include "fuzz/cli/Commands.h"
#include "fuzz/report/Report.h"
#include "fuzz/report/Server.h"

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

static cl::opt<unsigned> serving("serve",
                                 cl::desc("show the pages of --db on 127.0.0.1, as they are now, "
                                          "until a signal comes (0: any port)"),
                                 cl::value_desc("PORT"), cl::sub(reportCommand()));

/// What compiled code cost, build by build.
static llvm::Error addPerfBuilds(const Store &store, ReportExtras &extras) {
  for (const PerfBuild &build : store.perfBuilds()) {
    auto values = countersOf(llvm::join(store.perfRows(build.build), "\n"));
    if (!values)
      return values.takeError();
    extras.nights.push_back({build.build, std::move(*values)});
  }
  return llvm::Error::success();
}

/// The page at a path: made from the store for each request, which may be a new server by now.
static llvm::Expected<Page> makePage(const std::string &path) {
  Page page;
  if (path != "/" && path != "/report.html" && path != "/report.json" && path != "/report.xml")
    return page;
  auto store = Store::openToRead(database);
  if (!store)
    return store.takeError();
  llvm::raw_string_ostream out(page.text);
  if (llvm::StringRef(path).ends_with(".json")) {
    page.type = "application/json";
    writeJson(out, *store);
  } else if (llvm::StringRef(path).ends_with(".xml")) {
    page.type = "application/xml";
    writeJunit(out, *store);
  } else {
    page.type = "text/html; charset=utf-8";
    ReportExtras extras;
    if (llvm::Error error = addPerfBuilds(*store, extras))
      return std::move(error);
    writeHtml(out, *store, title, extras);
  }
  if (!store->failure().empty())
    return llvm::createStringError(store->failure());
  return page;
}

static int servePages() {
  if (database.empty() || !outputs.empty() || !benchmarks.empty() || !attached.empty() ||
      serving > 65535)
    return usageError(
        "--serve=PORT needs --db and a port up to 65535, and goes without -o, --bench "
        "and --attach");
  if (auto page = makePage("/report.xml"); !page)
    return usageError(llvm::toString(page.takeError()));
  noteInterrupts();
  Database::patience().seconds = 5; // a browser does not wait for longer
  llvm::Error error = serve(
      serving, makePage,
      [](unsigned port) {
        llvm::outs() << "http://127.0.0.1:" << port << "/, report.json, report.xml; Ctrl-C ends\n";
        llvm::outs().flush();
      },
      interrupted);
  return error ? usageError(llvm::toString(std::move(error))) : 0;
}

int tilesmith::fuzz::runReport() {
  if (serving.getNumOccurrences())
    return servePages();
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
  if (llvm::Error error = addPerfBuilds(*store, extras))
    return usageError(llvm::toString(std::move(error)));
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
