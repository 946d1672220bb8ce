//===- ReportCommand.cpp - tilesmith report --db F -o FILE.html | --serve=PORT ----------------===//
#include "compiler/support/WriteFile.h"
#include "fuzz/campaign/Interrupt.h"
#include "fuzz/cli/Commands.h"
#include "fuzz/report/Report.h"
#include "fuzz/report/Server.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
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
static cl::list<std::string>
    outputs("o",
            cl::desc("FILE.html, FILE.json, FILE.xml (JUnit), FILE.bench.json "
                     "(github-action-benchmark) or FILE.csv (Otava); any "
                     "number of them"),
            cl::value_desc("FILE"), cl::sub(reportCommand()));
static cl::opt<std::string> title("title", cl::desc("heading of the page"),
                                  cl::init("tilesmith campaign"), cl::sub(reportCommand()));

static cl::list<std::string>
    benchmarks("bench",
               cl::desc("what tilesmith bench and perf wrote, oldest first; any "
                        "number of files for the performance history"),
               cl::value_desc("FILE.json[l]"), cl::sub(reportCommand()));
static cl::list<std::string> curveFiles(
    "curve", cl::desc("what tilesmith fuzz --curve wrote; any number of files, which are compared"),
    cl::value_desc("FILE.json"), cl::sub(reportCommand()));
static cl::list<std::string> attached("attach",
                                      cl::desc("show a text file in the page, under a heading"),
                                      cl::value_desc("HEADING=FILE"), cl::sub(reportCommand()));

static cl::opt<unsigned> serving("serve",
                                 cl::desc("show the pages of --db on 127.0.0.1, as they are now, "
                                          "until a signal comes (0: any port)"),
                                 cl::value_desc("PORT"), cl::sub(reportCommand()));

/// Endings of -o, and what they ask for. `.bench.json` is a `.json` that comes first.
enum class Form { Html, BenchmarkAction, Json, Junit, Otava };
static constexpr std::pair<llvm::StringLiteral, Form> kForms[] = {
    {".html", Form::Html},
    {".bench.json", Form::BenchmarkAction},
    {".json", Form::Json},
    {".xml", Form::Junit},
    {".csv", Form::Otava}};

static std::optional<Form> formOf(llvm::StringRef path) {
  for (const auto &[ending, form] : kForms)
    if (path.ends_with(ending))
      return form;
  return std::nullopt;
}

/// Report folders of bugs beside a page.
static void findFolders(const Store &store, llvm::StringRef page, ReportExtras &extras) {
  llvm::StringRef folder = llvm::sys::path::parent_path(page);
  for (const StoredBug &bug : store.bugs())
    for (const std::string &name :
         {"bug-" + bug.id + "/report.md", "findings/bug-" + bug.id + "/report.md"}) {
      llvm::SmallString<128> path = folder;
      llvm::sys::path::append(path, name);
      if (llvm::sys::fs::exists(path))
        extras.folders.try_emplace(bug.id, name);
    }
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
    auto perf = readPerf(*store);
    if (!perf)
      return perf.takeError();
    writeJson(out, *store, *perf);
  } else if (llvm::StringRef(path).ends_with(".xml")) {
    page.type = "application/xml";
    writeJunit(out, *store);
  } else {
    page.type = "text/html; charset=utf-8";
    ReportExtras extras;
    auto perf = readPerf(*store);
    if (!perf)
      return perf.takeError();
    extras.perf = std::move(*perf);
    writeHtml(out, *store, title, extras);
  }
  if (!store->failure().empty())
    return llvm::createStringError(store->failure());
  return page;
}

static int servePages() {
  if (database.empty() || !outputs.empty() || !benchmarks.empty() || !attached.empty() ||
      !curveFiles.empty() || serving > 65535)
    return usageError(
        "--serve=PORT needs --db and a port up to 65535, and goes without -o, --bench, --curve "
        "and --attach");
  if (auto page = makePage("/report.xml"); !page)
    return usageError(page.takeError());
  noteInterrupts();
  Database::patience().seconds = 5; // a browser does not wait for longer
  llvm::Error error = serve(
      serving, makePage,
      [](unsigned port) {
        llvm::outs() << "http://127.0.0.1:" << port << "/, report.json, report.xml; Ctrl-C ends\n";
        llvm::outs().flush();
      },
      interrupted);
  return error ? usageError(std::move(error)) : 0;
}

int tilesmith::fuzz::runReport() {
  if (serving.getNumOccurrences())
    return servePages();
  if ((database.empty() && benchmarks.empty() && curveFiles.empty()) || outputs.empty())
    return usageError("expected --db FILE, --bench FILE or --curve FILE, and -o FILE.html");
  for (const std::string &path : outputs) {
    if (!formOf(path))
      return usageError(
          "expected a file that ends in .html, .json, .xml, .bench.json or .csv, found '" + path +
          "'");
    std::vector<std::string> inputs(benchmarks.begin(), benchmarks.end());
    inputs.insert(inputs.end(), curveFiles.begin(), curveFiles.end());
    inputs.push_back(database);
    for (llvm::StringRef entry : attached)
      inputs.push_back(entry.split('=').second.str());
    if (llvm::Error error = checkOutputFile(path, inputs))
      return usageError(std::move(error));
  }
  // The performance history alone needs no store; one that may only be read is, and an older one is
  // taken along.
  auto store = database.empty() ? Store::open(":memory:") : Store::openToRead(database);
  if (!store) {
    llvm::consumeError(store.takeError());
    store = Store::open(database, /*create=*/false);
  }
  if (!store)
    return usageError(store.takeError());
  ReportExtras extras;
  auto perf = readPerf(*store);
  if (!perf)
    return usageError(perf.takeError());
  extras.perf = std::move(*perf);
  for (const std::string &path : benchmarks) {
    auto values = readBenchmarks(path);
    if (!values)
      return usageError(values.takeError());
    // FILE.json of `bench` and FILE.jsonl of `perf` are one night.
    std::string night = llvm::sys::path::stem(path).str();
    if (extras.nights.empty() || extras.nights.back().name != night)
      extras.nights.push_back({night, {}});
    extras.nights.back().values.merge(*values);
  }
  for (const std::string &path : curveFiles) {
    auto curve = readCurve(path);
    if (!curve)
      return usageError(curve.takeError());
    extras.curves.push_back(std::move(*curve));
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
    std::string text;
    llvm::raw_string_ostream out(text);
    const Form form = *formOf(path);
    if ((form == Form::BenchmarkAction || form == Form::Otava) && extras.perf.empty())
      return usageError("expected a store with rows of `tilesmith perf` for '" + path + "'");
    switch (form) {
    case Form::Html:
      extras.folders.clear();
      findFolders(*store, path, extras);
      writeHtml(out, *store, title, extras);
      break;
    case Form::Json:
      writeJson(out, *store, extras.perf);
      break;
    case Form::Junit:
      writeJunit(out, *store);
      break;
    case Form::BenchmarkAction:
      writeBenchmarkAction(out, extras.perf);
      break;
    case Form::Otava:
      writeOtava(out, extras.perf);
      break;
    }
    if (!store->failure().empty())
      return usageError(store->failure());
    if (llvm::Error error = writeFileAtomically(path, text))
      return usageError(std::move(error));
    llvm::outs() << "wrote " << path << '\n';
  }
  return 0;
}
