//===- Verify.cpp - is a package what it says -------------------------------------------------===//
//
// Steps: the files are those of a package and of the manifest; the signature, if there is one; the
// list is a released one; a result for each of its requirements, once and in its order; the fields
// of statement and raw outputs; every file as conform would write what was read from it; every
// state computed again from the raw outputs; the counts of the statement; the waivers; 2 % of the
// cases run again, drawn from the hash of the manifest, if the tool or the inputs are here.
//
//===------------------------------------------------------------------------------------------===//
#include "fuzz/conform/Package.h"

#include "compiler/support/OutputFolder.h"
#include "generators/entropy/ChoiceStream.h"
#include "reference/testcase/TestCase.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

#include <cmath>
#include <set>

using namespace tilesmith;
using namespace tilesmith::fuzz::conform;
using llvm::StringRef;
namespace json = llvm::json;

namespace {

class Verifier {
public:
  Verifier(StringRef folder, const VerifyOptions &options) : folder(folder), options(options) {}

  Verification run();

private:
  /// Whether the package is refused; the reason is in `result` then.
  bool invalid(const llvm::Twine &reason) {
    result = {Verification::Outcome::Invalid, reason.str(), std::move(result.notes)};
    return true;
  }
  void note(const llvm::Twine &text) { result.notes.push_back(text.str()); }

  bool checkFiles();
  bool checkSignature();
  bool checkList();
  bool checkResults();
  bool checkOutputs();
  bool checkRerun();
  bool rerunCompiler(llvm::ArrayRef<const json::Object *> drawn);
  bool rerunFrontend(llvm::ArrayRef<const json::Object *> drawn);

  StringRef folder;
  const VerifyOptions &options;
  Verification result;
  Package package;
  RequirementList list;
  Archive archive;
  std::vector<Result> judged;
};

bool Verifier::checkFiles() {
  auto manifest = readPackageFile(folder, kManifest);
  if (!manifest)
    return invalid(llvm::toString(manifest.takeError()));
  const Files expected = packageTexts(Package());
  std::set<std::string> listed;
  for (StringRef line : llvm::split(*manifest, '\n')) {
    if (line.empty())
      continue;
    auto [hash, name] = line.split("  ");
    if (!expected.count(name.str()))
      return invalid(kManifest + " has a line '" + line.take_front(200) +
                     "', which is of no file of a package");
    if (!listed.insert(name.str()).second)
      return invalid("'" + name + "' comes twice in " + kManifest);
    auto contents = readPackageFile(folder, name);
    if (!contents)
      return invalid(llvm::toString(contents.takeError()));
    if (sha256(*contents) != hash)
      return invalid("'" + name + "' was changed: its SHA-256 is not that of the manifest");
  }
  for (const auto &[name, contents] : expected)
    if (!listed.count(name))
      return invalid("'" + name + "' is not in " + kManifest);
  std::error_code code;
  for (llvm::sys::fs::directory_iterator it(folder, code, /*follow_symlinks=*/false), end;
       it != end && !code; it.increment(code)) {
    std::string name = llvm::sys::path::filename(it->path()).str();
    if (name == kManifest || listed.count(name))
      continue;
    if (name != kSignature && name != kFolderMark)
      return invalid("'" + name + "' is in the package, but not in the manifest");
    if (auto contents = readPackageFile(folder, name); !contents)
      return invalid(llvm::toString(contents.takeError()));
  }
  return false;
}

bool Verifier::checkSignature() {
  std::string signature = (folder + "/" + kSignature).str();
  if (!llvm::sys::fs::exists(signature)) {
    note("not signed");
    return options.allowedSigners.empty() ? false : invalid("expected a signature, found none");
  }
  auto program = llvm::sys::findProgramByName("ssh-keygen");
  if (!program) {
    note("signed; ssh-keygen is not here, the signature was not checked");
    return false;
  }
  std::vector<std::string> words{*program, "-Y"};
  if (options.allowedSigners.empty())
    llvm::append_values(words, "check-novalidate");
  else
    llvm::append_values(words, "verify", "-f", options.allowedSigners, "-I", options.identity);
  llvm::append_values(words, "-n", "tilesmith-conform", "-s", signature);
  llvm::SmallVector<StringRef> refs(words.begin(), words.end());
  std::string input = (folder + "/" + kManifest).str();
  std::optional<StringRef> redirects[] = {StringRef(input), StringRef(""), StringRef("")};
  if (llvm::sys::ExecuteAndWait(*program, refs, std::nullopt, redirects, 60) != 0)
    return invalid("the signature is not one of this manifest");
  note(options.allowedSigners.empty() ? "signed, by whom was not asked (--allowed-signers)"
                                      : "signed by " + options.identity);
  return false;
}

bool Verifier::checkList() {
  auto read = readPackage(folder);
  if (!read)
    return invalid(llvm::toString(read.takeError()));
  package = std::move(*read);
  if (std::string wrong = wrongStatement(package.statement); !wrong.empty())
    return invalid("statement.json: " + wrong);
  auto folderOfLists = listFolder(options.lists);
  if (!folderOfLists)
    return invalid(llvm::toString(folderOfLists.takeError()));
  auto editions = loadEditions(*folderOfLists, package.text("side"), package.text("version"));
  if (!editions)
    return invalid(llvm::toString(editions.takeError()));
  auto own = llvm::find_if(*editions, [&](const RequirementList &one) {
    return sha256(printList(one)) == package.text("list_sha256");
  });
  if (own == editions->end())
    return invalid("the package is about another list than the released " +
                   editions->back().name());
  list = *own;
  if (list.edition != editions->back().edition)
    note(llvm::formatv("edition {0} of the list {1}, there is edition {2}", list.edition,
                       list.name(), editions->back().edition)
             .str());
  std::string name = list.name(), quick = list.side + "-quick " + list.version;
  bool isCompiler = list.side == "compiler";
  if (package.text("profile") != name && !(isCompiler && package.text("profile") == quick))
    return invalid("expected the profile '" + name + (isCompiler ? "' or '" + quick : "") +
                   "', found '" + package.text("profile") + "'");
  if (list.side == "compiler") {
    auto modules = Archive::load(*folderOfLists + "/modules.zst");
    if (!modules)
      return invalid(llvm::toString(modules.takeError()));
    archive = std::move(*modules);
  }
  return false;
}

bool Verifier::checkOutputs() {
  std::set<StringRef> ids;
  for (const Requirement &row : list.rows)
    ids.insert(row.id);
  for (const auto &[id, raw] : package.outputs) {
    if (list.side == "compiler" && !ids.count(id))
      return invalid("there is a raw output of '" + id + "', which is not in the list");
    if (std::string wrong = wrongOutput(raw, list); !wrong.empty())
      return invalid("the raw output of '" + id + "': " + wrong);
  }
  if (list.side == "frontend" &&
      json::Value(json::Object(*package.statement.getObject("inputs"))) !=
          json::Value(inputsOf(package.outputs)))
    return invalid("the inputs of the statement are not those of the raw outputs");
  // What two readers of JSON may understand in two ways is refused, such as a name that comes twice.
  for (const auto &[name, text] : packageTexts(package)) {
    llvm::SmallVector<StringRef> ours, theirs;
    StringRef(text).split(ours, '\n');
    StringRef(package.texts[name]).split(theirs, '\n');
    for (size_t line = 0; line < std::max(ours.size(), theirs.size()); ++line)
      if (line >= ours.size() || line >= theirs.size() || ours[line] != theirs[line])
        return invalid(
            llvm::formatv("'{0}' is not as conform writes it: line {1}", name, line + 1).str());
  }
  return false;
}

bool Verifier::checkResults() {
  std::set<std::string> seen;
  for (const Result &given : package.results)
    if (!seen.insert(given.id).second)
      return invalid("the result of '" + given.id + "' comes twice");
  for (const Requirement &row : list.rows)
    if (!seen.erase(row.id))
      return invalid("there is no result for '" + row.id + "'");
  if (!seen.empty())
    return invalid("'" + *seen.begin() + "' is not in the list");
  for (auto [given, row] : llvm::zip(package.results, list.rows))
    if (given.id != row.id)
      return invalid("expected the results in the order of the list: '" + row.id + "', found '" +
                     given.id + "'");
  if (checkOutputs())
    return true;
  bool quick = StringRef(package.text("profile")).contains("-quick ");
  auto again = judgePackage(list, archive, quick, package.outputs, package.waivers);
  if (!again)
    return invalid(llvm::toString(again.takeError()));
  judged = std::move(*again);
  std::map<StringRef, const Result *> given;
  for (const Result &one : package.results)
    given[one.id] = &one;
  for (const Result &own : judged) {
    const Verdict &theirs = given[own.id]->verdict;
    if (theirs.state != own.verdict.state)
      return invalid(llvm::formatv("'{0}' says {1}, its raw output says {2}{3}{4}", own.id,
                                   toString(theirs.state), toString(own.verdict.state),
                                   own.verdict.reason.empty() ? "" : ": ", own.verdict.reason)
                         .str());
    if (theirs.reason != own.verdict.reason)
      return invalid("'" + own.id + "' gives the reason '" + theirs.reason +
                     "', its raw output gives '" + own.verdict.reason + "'");
  }
  const json::Object *counts = package.statement.getObject("counts");
  if (!counts || json::Value(json::Object(*counts)) != json::Value(countStates(judged)))
    return invalid("the counts of the statement are not those of the results");
  note(llvm::formatv("{0} verdicts computed again from {1} raw outputs", judged.size(),
                     package.outputs.size())
           .str());
  return false;
}

/// Whether two runs of one case say the same, as far as two machines can.
bool sameAnswer(const json::Object &a, const json::Object &b) {
  auto hash = [](const json::Object &raw) {
    const json::Object *file = raw.getObject("file");
    return file ? file->getString("sha256").value_or("").str() : "";
  };
  auto execution = [](const json::Object &raw) {
    const json::Object *ran = raw.getObject("execution");
    return json::Value(ran ? json::Object(*ran) : json::Object());
  };
  return a.getInteger("exit") == b.getInteger("exit") && hash(a) == hash(b) &&
         execution(a) == execution(b);
}

bool Verifier::rerunCompiler(llvm::ArrayRef<const json::Object *> drawn) {
  const json::Object *tool = package.statement.getObject("tool");
  auto program = llvm::MemoryBuffer::getFile(options.tool, false, false);
  if (!program)
    return invalid("cannot read the tool '" + options.tool + "'");
  if (!tool || sha256((*program)->getBuffer()) != tool->getString("sha256").value_or(""))
    return invalid("the package is about another tool than '" + options.tool +
                   "': the SHA-256 differs");
  CompilerUnderTest compiler;
  compiler.path = options.tool;
  if (const json::Object *limits = package.statement.getObject("options")) {
    compiler.seconds = static_cast<unsigned>(limits->getInteger("seconds").value_or(60));
    compiler.runner = limits->getString("runner").value_or("").str();
  }
  for (const json::Object *raw : drawn) {
    std::string id = raw->getString("id").value_or("").str();
    auto row = llvm::find_if(list.rows, [&](const Requirement &r) { return r.id == id; });
    llvm::SmallString<128> scratch;
    if (llvm::sys::fs::createUniqueDirectory("tilesmith-conform", scratch))
      return invalid("no temporary folder");
    auto again = runCompiler(*row, archive, compiler, scratch);
    llvm::sys::fs::remove_directories(scratch);
    if (!again)
      return invalid(llvm::toString(again.takeError()));
    RawOutputs others = package.outputs;
    bool same = sameAnswer(*raw, *again);
    others[id] = std::move(*again);
    State now = judgeCompiler(*row, archive, others).state;
    if (!same || now != judgeCompiler(*row, archive, package.outputs).state)
      return invalid("'" + id + "' was run again and answers otherwise");
  }
  return false;
}

bool Verifier::rerunFrontend(llvm::ArrayRef<const json::Object *> drawn) {
  auto modules = findModules(options.inputs);
  if (!modules)
    return invalid(llvm::toString(modules.takeError()));
  for (const FrontendModule &module : *modules)
    if (!package.outputs.count(module.name))
      return invalid("'" + module.name + "' is in '" + options.inputs +
                     "', but not in the package");
  for (const json::Object *raw : drawn) {
    std::string id = raw->getString("id").value_or("").str();
    auto module = llvm::find_if(*modules, [&](const FrontendModule &m) { return m.name == id; });
    if (module == modules->end())
      return invalid("'" + id + "' is not in '" + options.inputs + "'");
    auto again = inspectModule(*module, list);
    if (!again)
      return invalid(llvm::toString(again.takeError()));
    if (json::Value(json::Object(*raw)) != json::Value(std::move(*again)))
      return invalid("'" + id + "' was looked at again and is found otherwise");
  }
  return false;
}

bool Verifier::checkRerun() {
  bool isCompiler = list.side == "compiler";
  if (isCompiler ? options.tool.empty() : options.inputs.empty()) {
    note(isCompiler ? "nothing was run again: --tool was not given"
                    : "nothing was looked at again: --inputs was not given");
    return false;
  }
  std::vector<const json::Object *> ran, drawn;
  for (const auto &[id, raw] : package.outputs)
    ran.push_back(&raw);
  auto count =
      static_cast<size_t>(std::ceil(static_cast<double>(ran.size()) * options.rerunPercent / 100));
  uint64_t seed = 0;
  StringRef(sha256(package.manifest)).take_front(16).getAsInteger(16, seed);
  generators::ChoiceStream stream = generators::ChoiceStream::fromSeed(seed);
  for (size_t i = 0; i < count && !ran.empty(); ++i) {
    size_t index = stream.below(ran.size());
    drawn.push_back(ran[index]);
    ran.erase(ran.begin() + static_cast<ptrdiff_t>(index));
  }
  if (isCompiler ? rerunCompiler(drawn) : rerunFrontend(drawn))
    return true;
  note(llvm::formatv("{0} cases {1} again, with the same answers", drawn.size(),
                     isCompiler ? "run" : "looked at")
           .str());
  return false;
}

Verification Verifier::run() {
  if (checkFiles() || checkSignature() || checkList() || checkResults() || checkRerun())
    return result;
  for (const Waiver &waiver : package.waivers)
    if (!testcase::versionLess(list.version, waiver.expires)) {
      result.outcome = Verification::Outcome::Expired;
      result.reason = "the waiver of '" + waiver.requirement + "' expired with " + waiver.expires;
    }
  return result;
}

} // namespace

Verification tilesmith::fuzz::conform::verifyPackage(StringRef folder,
                                                     const VerifyOptions &options) {
  return Verifier(folder, options).run();
}
