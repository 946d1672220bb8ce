//===- ConformCommand.cpp - tilesmith conform VERB ... ----------------------------------------===//
//
// Holds a compiler or a frontend to the lists of corpus/conform and packs the result so that others
// can verify it (fuzz/conform). Verbs: compiler, frontend, verify, report, diff, show, lists.
//
// What was written down of a run goes into a work folder, a line at a time: a run that is killed
// goes on where it was, and shards of several machines are packed from one folder that holds the
// files of all of them. Exit codes: 0 all pass (verify: valid), 1 something fails (invalid), 2
// usage, 3 nothing ran, 4 a waiver has expired, 130 interrupted.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/support/OutputFolder.h"
#include "compiler/support/WriteFile.h"
#include "compiler/target/Targets.h"
#include "fuzz/campaign/Interrupt.h"
#include "fuzz/campaign/WorkerPool.h"
#include "fuzz/cli/Commands.h"
#include "fuzz/cli/ConformWork.h"
#include "fuzz/cli/Rules.h"
#include "fuzz/conform/Package.h"
#include "fuzz/conform/Runner.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Chrono.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include <sys/utsname.h>

using namespace tilesmith;
using namespace tilesmith::fuzz;
using namespace tilesmith::fuzz::conform;
using llvm::StringRef;
namespace cl = llvm::cl;
namespace json = llvm::json;

cl::SubCommand &tilesmith::fuzz::conformCommand() {
  static cl::SubCommand command("conform", "hold a compiler or frontend to the language; verify "
                                           "such a result");
  return command;
}

namespace {

template <typename T> using opt = cl::opt<T>;

cl::list<std::string> words(cl::Positional,
                            cl::desc("compiler TILEIRAS | frontend FOLDER | verify PACKAGE | "
                                     "report PACKAGE | diff PACKAGE PACKAGE | "
                                     "show 13.N REQUIREMENT | lists"),
                            cl::sub(conformCommand()));
opt<std::string> profile("profile", cl::desc("version of the lists (default 13.5)"),
                         cl::value_desc("13.N"), cl::init("13.5"), cl::sub(conformCommand()));
opt<bool> quick("quick", cl::desc("the quick profile: a fixed part of the modules"),
                cl::sub(conformCommand()));
opt<std::string> runner("runner",
                        cl::desc("what runs the compiler's output: emulator (reads --emit=llvm) or "
                                 "machine-code (its cubins)"),
                        cl::value_desc("NAME"), cl::sub(conformCommand()));
opt<std::string> work("work", cl::desc("folder of raw outputs, to go on later or to join shards"),
                      cl::value_desc("DIR"), cl::sub(conformCommand()));
opt<std::string> shard("shard", cl::desc("run this part only"), cl::value_desc("I/N"),
                       cl::init("0/1"), cl::sub(conformCommand()));
opt<unsigned> jobCount("jobs", cl::desc("worker processes (default: one per core)"), cl::init(0),
                       cl::sub(conformCommand()));
opt<unsigned> seconds("timeout", cl::desc("seconds until a run hangs (default 60)"), cl::init(60),
                      cl::sub(conformCommand()));
opt<std::string> waiverFile("waivers", cl::desc("failures that a user accepts"),
                            cl::value_desc("FILE.json"), cl::sub(conformCommand()));
opt<std::string> who("who", cl::desc("who says so"), cl::init("unnamed"),
                     cl::sub(conformCommand()));
opt<std::string> what("what", cl::desc("name and version of what is held to the list"),
                      cl::sub(conformCommand()));
opt<std::string> lists("lists", cl::desc("folder of the lists (default: the installed ones)"),
                       cl::value_desc("DIR"), cl::sub(conformCommand()));
opt<std::string> corpus("corpus", cl::desc("with lists: folder of the corpus"), cl::init("corpus"),
                        cl::sub(conformCommand()));
cl::list<std::string> added("add",
                            cl::desc("with lists: rows that begin so, as the next edition of the "
                                     "compiler lists"),
                            cl::value_desc("START"), cl::sub(conformCommand()));
opt<std::string> tool("tool", cl::desc("with verify: the compiler, to run 2 % again"),
                      cl::sub(conformCommand()));
opt<std::string> inputs("inputs", cl::desc("with verify: the modules, to look at 2 % again"),
                        cl::value_desc("DIR"), cl::sub(conformCommand()));
opt<std::string> allowedSigners("allowed-signers",
                                cl::desc("with verify: who may sign, as ssh-keygen takes it"),
                                cl::value_desc("FILE"), cl::sub(conformCommand()));
opt<std::string> identity("identity", cl::desc("with verify: the signer"),
                          cl::sub(conformCommand()));
opt<std::string> previous("previous", cl::desc("with report: the package before"),
                          cl::value_desc("PACKAGE"), cl::sub(conformCommand()));
cl::list<std::string> outputs("o",
                              cl::desc("the package, or a report FILE.html, .xml, .json or .txt"),
                              cl::sub(conformCommand()));

int failed(llvm::Error error) {
  return usageError(std::move(error));
}

/// `I/N`.
std::optional<std::pair<unsigned, unsigned>> readShard() {
  auto [left, right] = StringRef(shard).split('/');
  unsigned index, count;
  if (left.getAsInteger(10, index) || right.getAsInteger(10, count) || index >= count)
    return std::nullopt;
  return std::pair(index, count);
}

WorkOptions workOptions() {
  auto [index, count] = *readShard();
  return {jobCount ? jobCount : defaultJobs(), seconds, index, count};
}

template <typename T> void keepShard(std::vector<T> &items) {
  auto [index, count] = *readShard();
  size_t number = 0;
  llvm::erase_if(
      items, [&, index = index, count = count](const T &) { return number++ % count != index; });
}

json::Object machine() {
  utsname name{};
  ::uname(&name);
  return json::Object{{"system", std::string(name.sysname) + " " + name.release},
                      {"architecture", std::string(name.machine)},
                      {"cores", static_cast<int64_t>(defaultJobs())}};
}

std::string hashOfFile(const llvm::Twine &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path, false, false);
  return buffer ? sha256((*buffer)->getBuffer()) : "";
}

json::Object beginStatement(const RequirementList &list, StringRef subject) {
  return json::Object{
      {"who", who},
      {"what", what.empty() ? subject.str() : what.getValue()},
      {"side", list.side},
      {"version", list.version},
      {"profile", list.side + (quick ? "-quick " : " ") + list.version},
      {"list_sha256", sha256(printList(list))},
      {
          "tilesmith",
#include "fuzz/cli/Version.inc"
      },
      {"machine", machine()},
      {"date",
       llvm::formatv("{0}", llvm::sys::toTimePoint(std::time(nullptr))).str().substr(0, 10)}};
}

llvm::Expected<std::vector<Waiver>> readWaivers() {
  if (waiverFile.empty())
    return std::vector<Waiver>();
  auto text = llvm::MemoryBuffer::getFile(waiverFile);
  if (!text)
    return llvm::createStringError("cannot read '" + waiverFile +
                                   "': " + text.getError().message());
  return parseWaivers((*text)->getBuffer());
}

/// Before anything runs: whether there is at most one package, in a place where one may be written,
/// the waivers can be read, and the limit is one that a package may have.
llvm::Error checkOptions(llvm::ArrayRef<std::string> inputFolders) {
  if (auto waivers = readWaivers(); !waivers)
    return waivers.takeError();
  if (seconds == 0 || seconds > kMostSeconds)
    return llvm::createStringError(
        llvm::formatv("expected --timeout from 1 to {0}, found {1}", kMostSeconds, seconds).str());
  if (outputs.size() > 1)
    return llvm::createStringError("expected one -o, the package; `conform report` writes reports");
  if (outputs.empty())
    return llvm::Error::success();
  return OutputFolder::check(outputs.front(), inputFolders);
}

/// Judges, writes the package and says what came out.
int finish(const RequirementList &list, const Archive &archive, json::Object statement,
           RawOutputs raw) {
  Package package;
  package.statement = std::move(statement);
  for (const Requirement &row : list.rows)
    if (auto it = raw.find(row.id); it != raw.end() && list.side == "compiler")
      package.outputs.insert(raw.extract(it));
  if (list.side == "frontend")
    package.outputs = std::move(raw);
  auto waivers = readWaivers();
  if (!waivers)
    return failed(waivers.takeError());
  package.waivers = std::move(*waivers);
  auto results = judgePackage(list, archive, quick, package.outputs, package.waivers);
  if (!results)
    return failed(results.takeError());
  package.results = std::move(*results);
  package.statement["counts"] = countStates(package.results);
  size_t shown = 0, fails = 0, passed = 0;
  for (const Result &result : package.results) {
    passed += result.verdict.state == State::Pass;
    fails += result.verdict.state == State::Fail;
    if (result.verdict.state == State::Fail && ++shown <= 20)
      llvm::outs() << "fail " << result.id << ": " << result.verdict.reason << '\n';
  }
  if (shown > 20)
    llvm::outs() << "and " << shown - 20 << " more\n";
  llvm::outs() << badge(package) << '\n';
  if (!outputs.empty())
    if (llvm::Error error = writePackage(package, outputs.front()))
      return failed(std::move(error));
  return fails ? 1 : passed ? 0 : 3;
}

int conformCompiler() {
  if (words.size() != 2)
    return usageError("expected the path of a compiler that is called as tileiras is");
  CompilerUnderTest compiler;
  compiler.seconds = seconds;
  compiler.runner = runner;
  if (!runner.empty() && !findRunner(runner))
    return usageError("expected the runner emulator or machine-code, found '" + runner + "'");
  llvm::SmallString<128> path(words[1]);
  llvm::sys::fs::make_absolute(path);
  compiler.path = path.str().str();
  std::string hash = hashOfFile(compiler.path);
  if (hash.empty())
    return usageError("cannot read the compiler '" + words[1] + "'");
  if (!llvm::sys::fs::can_execute(compiler.path))
    return usageError("cannot execute the compiler '" + words[1] + "'");
  if (llvm::Error error = checkOptions({work}))
    return failed(std::move(error));
  auto folder = listFolder(lists);
  if (!folder)
    return failed(folder.takeError());
  auto list = loadList(*folder, "compiler", profile);
  if (!list)
    return failed(list.takeError());
  auto archive = Archive::load(*folder + "/modules.zst");
  if (!archive)
    return failed(archive.takeError());
  auto raw =
      Work::open(work, llvm::formatv("compiler {0}, runner '{1}'\n", hash, runner.getValue()));
  if (!raw)
    return failed(raw.takeError());
  // What may hang first, so that no worker waits for it alone at the end.
  std::vector<Task> tasks;
  for (bool isRobust : {true, false})
    for (const Requirement &row : list->rows)
      if ((row.kind() == "robust") == isRobust && (!quick || isQuick(row)))
        tasks.push_back({row.id, [&row, &archive, &compiler](StringRef scratch) {
                           return runCompiler(row, *archive, compiler, scratch);
                         }});
  keepShard(tasks);
  if (llvm::Error error = raw->run(std::move(tasks), workOptions()))
    return failed(std::move(error));
  if (interrupted())
    return kInterrupted;
  json::Object tools{{"name", llvm::sys::path::filename(compiler.path).str()}, {"sha256", hash}};
  if (auto it = raw->outputs.find("cli/version"); it != raw->outputs.end())
    tools["version"] = it->second.getString("out").value_or("").str();
  for (const char *variable : {"CUDA_ROOT", "CUDA_HOME", "CUDA_PATH"})
    if (const char *root = std::getenv(variable))
      if (std::string assembler = hashOfFile(llvm::Twine(root) + "/bin/ptxas"); !assembler.empty())
        tools["ptxas_sha256"] = assembler;
  json::Object statement = beginStatement(*list, llvm::sys::path::filename(compiler.path));
  statement["tool"] = std::move(tools);
  statement["options"] = json::Object{
      {"seconds", static_cast<int64_t>(seconds)}, {"runner", runner}, {"gpu", target::kWidestGpu}};
  return finish(*list, *archive, std::move(statement), std::move(raw->outputs));
}

/// Removes what was written down of modules that are no longer there, or other ones by now.
size_t dropStale(RawOutputs &outputs, llvm::ArrayRef<FrontendModule> modules) {
  std::map<StringRef, const FrontendModule *> known;
  for (const FrontendModule &module : modules)
    known[module.name] = &module;
  return std::erase_if(outputs, [&](const auto &entry) {
    auto module = known.find(entry.first);
    if (module == known.end())
      return true;
    auto bytes = bytesOf(*module->second);
    if (bytes)
      return sha256(*bytes) != entry.second.getString("sha256").value_or("");
    llvm::consumeError(bytes.takeError());
    return true;
  });
}

int conformFrontend() {
  if (words.size() != 2)
    return usageError("expected a folder with the bytecode or the cases of a frontend");
  if (quick)
    return usageError("--quick is a profile of compilers: a frontend is held to its whole list");
  if (llvm::Error error = checkOptions({words[1], work}))
    return failed(std::move(error));
  auto folder = listFolder(lists);
  if (!folder)
    return failed(folder.takeError());
  auto list = loadList(*folder, "frontend", profile);
  if (!list)
    return failed(list.takeError());
  auto modules = findModules(words[1]);
  if (!modules)
    return failed(modules.takeError());
  auto raw = Work::open(work, llvm::formatv("modules under the list {0}, edition {1}\n",
                                            list->name(), list->edition));
  if (!raw)
    return failed(raw.takeError());
  std::vector<Task> tasks;
  for (const FrontendModule &module : *modules)
    tasks.push_back({module.name, [&](StringRef) { return inspectModule(module, *list); }});
  if (size_t gone = dropStale(raw->outputs, *modules))
    llvm::outs() << gone << " raw outputs in '" << work
                 << "' are of modules that changed or are gone: left out\n";
  keepShard(tasks);
  if (llvm::Error error = raw->run(std::move(tasks), workOptions()))
    return failed(std::move(error));
  if (interrupted())
    return kInterrupted;
  json::Object statement =
      beginStatement(*list, llvm::sys::path::filename(StringRef(words[1]).rtrim('/')));
  statement["inputs"] = inputsOf(raw->outputs);
  return finish(*list, Archive(), std::move(statement), std::move(raw->outputs));
}

int conformVerify() {
  if (words.size() != 2)
    return usageError("expected a package");
  VerifyOptions options;
  options.lists = lists;
  options.tool = tool;
  options.inputs = inputs;
  options.allowedSigners = allowedSigners;
  options.identity = identity;
  Verification result = verifyPackage(words[1], options);
  for (const std::string &note : result.notes)
    llvm::outs() << "note: " << note << '\n';
  using Outcome = Verification::Outcome;
  if (result.outcome == Outcome::Valid) {
    llvm::outs() << "valid\n";
    return 0;
  }
  bool expired = result.outcome == Outcome::Expired;
  llvm::outs() << (expired ? "expired: " : "invalid: ") << result.reason << '\n';
  return expired ? 4 : 1;
}

std::string textOfRule(StringRef label) {
  for (const SpecRule &rule : llvm::ArrayRef(kSpecRules, kSpecRuleCount))
    if (label == rule.label)
      return rule.text;
  return "";
}

/// The list that a package is about; `conform verify` asks for more.
llvm::Expected<RequirementList> listOf(const Package &package) {
  auto folder = listFolder(lists);
  if (!folder)
    return folder.takeError();
  auto editions = loadEditions(*folder, package.text("side"), package.text("version"));
  if (!editions)
    return editions.takeError();
  for (RequirementList &list : *editions)
    if (sha256(printList(list)) == package.text("list_sha256") &&
        llvm::equal(list.rows, package.results, [](const Requirement &row, const Result &result) {
          return row.id == result.id;
        }))
      return std::move(list);
  return llvm::createStringError("the package is about another list, `conform verify` says more");
}

int conformReport() {
  if (words.size() != 2)
    return usageError("expected a package");
  auto package = readPackage(words[1]);
  if (!package)
    return failed(package.takeError());
  auto list = listOf(*package);
  if (!list)
    return failed(list.takeError());
  std::optional<Package> before;
  if (!previous.empty()) {
    auto read = readPackage(previous);
    if (!read)
      return failed(read.takeError());
    before = std::move(*read);
  }
  llvm::outs() << badge(*package) << '\n';
  for (StringRef path : outputs) {
    std::string text;
    llvm::raw_string_ostream out(text);
    if (path.ends_with(".html"))
      conform::writeHtml(out, *package, *list, before ? &*before : nullptr, textOfRule);
    else if (path.ends_with(".json"))
      conform::writeJson(out, *package, *list);
    else if (path.ends_with(".xml"))
      conform::writeJunit(out, *package, *list);
    else if (path.ends_with(".txt"))
      out << badge(*package) << '\n';
    else
      return usageError("expected FILE.html, .xml, .json or .txt, found '" + path + "'");
    if (llvm::Error error = writeFileAtomically(path, text))
      return failed(std::move(error));
  }
  return 0;
}

int conformDiff() {
  if (words.size() != 3)
    return usageError("expected two packages");
  auto before = readPackage(words[1]);
  if (!before)
    return failed(before.takeError());
  auto after = readPackage(words[2]);
  if (!after)
    return failed(after.takeError());
  return printDiff(llvm::outs(), *before, *after) ? 1 : 0;
}

/// Writes the module of a requirement, and says what it asks for.
int conformShow() {
  if (words.size() != 3)
    return usageError("expected a version 13.N and a requirement");
  auto folder = listFolder(lists);
  if (!folder)
    return failed(folder.takeError());
  auto list = loadList(*folder, "compiler", words[1]);
  if (!list)
    return failed(list.takeError());
  auto archive = Archive::load(*folder + "/modules.zst");
  if (!archive)
    return failed(archive.takeError());
  auto row = llvm::find_if(list->rows, [](const Requirement &r) { return r.id == words[2]; });
  if (row == list->rows.end())
    return usageError("no requirement is called '" + words[2] + "'");
  llvm::outs() << row->id << "\n[" << row->rule << "] " << textOfRule(row->rule)
               << "\ncase: " << row->source << '\n';
  const std::string *module = archive->find(row->sha256);
  if (outputs.empty() || !module)
    return 0;
  if (row->kind() == "execute") {
    auto testCase = unpackCase(*module, outputs.front());
    return testCase ? 0 : failed(testCase.takeError());
  }
  if (std::error_code code = llvm::sys::fs::create_directories(outputs.front()))
    return usageError("cannot make '" + outputs.front() + "': " + code.message());
  if (llvm::Error error = writeFileAtomically(outputs.front() + "/module.tileirbc", *module))
    return failed(std::move(error));
  return 0;
}

} // namespace

int tilesmith::fuzz::runConform() {
  if (!readShard())
    return usageError("expected --shard=I/N with I below N, found '" + shard + "'");
  StringRef verb = words.empty() ? StringRef() : StringRef(words.front());
  if (verb == "compiler")
    return conformCompiler();
  if (verb == "frontend")
    return conformFrontend();
  if (verb == "verify")
    return conformVerify();
  if (verb == "report")
    return conformReport();
  if (verb == "diff")
    return conformDiff();
  if (verb == "show")
    return conformShow();
  if (verb == "lists") {
    if (outputs.size() != 1)
      return usageError("expected -o and the folder of the lists");
    llvm::Error error = generateLists(corpus, outputs.front(), added, llvm::outs());
    return error ? failed(std::move(error)) : 0;
  }
  return usageError("expected compiler, frontend, verify, report, diff, show or lists, found '" +
                    verb + "'");
}
