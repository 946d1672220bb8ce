//===- CompilerProfile.cpp - running the cases of a compiler list -----------------------------===//
#include "fuzz/conform/CompilerProfile.h"

#include "compiler/support/WriteFile.h"
#include "compiler/target/Targets.h"
#include "fuzz/conform/Contract.h"
#include "fuzz/conform/Runner.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Object/ELF.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

extern char **environ;

using namespace tilesmith;
using namespace tilesmith::fuzz::conform;
using llvm::StringRef;
namespace json = llvm::json;

static constexpr size_t kMaxText = 4000; ///< of a stream that is kept

//===------------------------------------------------------------------------------------------===//
// Cases in the archive
//===------------------------------------------------------------------------------------------===//

std::string tilesmith::fuzz::conform::packCase(const testcase::TestCase &testCase) {
  llvm::SmallString<128> folder;
  std::string packed;
  if (llvm::sys::fs::createUniqueDirectory("tilesmith-conform", folder))
    return packed;
  if (llvm::Error error = testcase::saveTestCase(testCase, (folder + "/case").str()))
    llvm::report_fatal_error(std::move(error));
  std::vector<std::string> names;
  std::error_code code;
  for (llvm::sys::fs::directory_iterator it(folder + "/case", code), end; it != end && !code;
       it.increment(code))
    names.push_back(llvm::sys::path::filename(it->path()).str());
  llvm::sort(names);
  for (const std::string &name : names)
    if (auto buffer = llvm::MemoryBuffer::getFile(folder + "/case/" + name);
        buffer && name[0] != '.')
      packed +=
          llvm::formatv("{0} {1}\n{2}", name, (*buffer)->getBufferSize(), (*buffer)->getBuffer())
              .str();
  llvm::sys::fs::remove_directories(folder);
  return packed;
}

llvm::Expected<testcase::TestCase> tilesmith::fuzz::conform::unpackCase(StringRef packed,
                                                                        StringRef folder) {
  if (std::error_code code = llvm::sys::fs::create_directories(folder))
    return llvm::errorCodeToError(code);
  while (!packed.empty()) {
    auto [head, rest] = packed.split('\n');
    auto [name, number] = head.rsplit(' ');
    size_t size;
    if (number.getAsInteger(10, size) || size > rest.size() || name.contains('/'))
      return llvm::createStringError("expected a packed case, found '" + head + "'");
    if (llvm::Error error = writeFileAtomically((folder + "/" + name).str(), rest.take_front(size)))
      return error;
    packed = rest.drop_front(size);
  }
  return testcase::loadTestCase(folder);
}

//===------------------------------------------------------------------------------------------===//
// Running
//===------------------------------------------------------------------------------------------===//

namespace {

std::string contentsOf(const llvm::Twine &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  return buffer ? (*buffer)->getBuffer().str() : "";
}

/// The names and raw attributes that object rules are about.
std::optional<json::Object> elfFacts(StringRef bytes) {
  using ELF = llvm::object::ELFFile<llvm::object::ELF64LE>;
  auto file = ELF::create(bytes);
  if (!file) {
    llvm::consumeError(file.takeError());
    return std::nullopt;
  }
  auto sections = file->sections();
  if (!sections) {
    llvm::consumeError(sections.takeError());
    return std::nullopt;
  }
  json::Object info;
  json::Array names, symbols;
  for (const auto &section : *sections) {
    std::string name = llvm::expectedToOptional(file->getSectionName(section)).value_or("").str();
    names.push_back(name);
    if (StringRef(name).starts_with(".nv.info"))
      if (auto data = llvm::expectedToOptional(file->getSectionContents(section)))
        info[name] = llvm::toHex(*data, true);
    if (section.sh_type != llvm::ELF::SHT_SYMTAB)
      continue;
    auto table = llvm::expectedToOptional(file->symbols(&section));
    auto strings = llvm::expectedToOptional(file->getStringTableForSymtab(section));
    if (!table || !strings)
      continue;
    for (const auto &symbol : *table)
      if (symbol.getType() == llvm::ELF::STT_FUNC && symbol.getBinding() == llvm::ELF::STB_GLOBAL)
        if (auto symbolName = llvm::expectedToOptional(symbol.getName(*strings)))
          symbols.push_back(symbolName->str());
  }
  const auto &header = file->getHeader();
  return json::Object{{"machine", int64_t(header.e_machine)}, {"type", int64_t(header.e_type)},
                      {"flags", int64_t(header.e_flags)},     {"sections", std::move(names)},
                      {"kernels", std::move(symbols)},        {"info", std::move(info)}};
}

/// One command in a folder: words with placeholders in braces, which stand for files of the folder.
class Command {
public:
  Command(const CompilerUnderTest &compiler, StringRef folder)
      : compiler(compiler), folder(folder.str()) {}

  std::string path(StringRef name) const { return folder + "/" + name.str(); }
  void provide(StringRef name, StringRef bytes) {
    llvm::cantFail(writeFileAtomically(path(name), bytes));
  }

  json::Object run(StringRef arguments, StringRef output, bool elf);

private:
  std::string expand(StringRef text) const;
  std::string collapse(std::string text) const;

  const CompilerUnderTest &compiler;
  std::string folder;
};

std::string Command::expand(StringRef text) const {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i)
    if (text[i] == '{') {
      size_t end = text.find('}', i);
      result += path(text.slice(i + 1, end));
      i = end;
    } else {
      result += text[i];
    }
  return result;
}

/// Paths of the folder as placeholders again, so that texts do not depend on the machine.
std::string Command::collapse(std::string text) const {
  std::string result;
  std::string prefix = folder + "/";
  for (size_t at = 0; at < text.size();) {
    if (StringRef(text).substr(at).starts_with(prefix)) {
      StringRef name = StringRef(text).substr(at + prefix.size()).take_while([](char c) {
        return llvm::isAlnum(c);
      });
      result += ("{" + name + "}").str();
      at += prefix.size() + name.size();
    } else if (StringRef(text).substr(at).starts_with(compiler.path)) {
      result += "{tool}";
      at += compiler.path.size();
    } else {
      result += text[at++];
    }
  }
  if (result.size() > kMaxText)
    result = result.substr(0, kMaxText) + "...";
  return json::fixUTF8(result);
}

json::Object Command::run(StringRef arguments, StringRef output, bool elf) {
  std::string temporaries = path("tmp"), out = path("stdout"), err = path("stderr"), message;
  llvm::sys::fs::create_directories(temporaries);
  std::vector<std::string> words{compiler.path}, environment;
  for (StringRef word : llvm::split(arguments, ' '))
    if (!word.empty())
      words.push_back(expand(word));
  for (char **variable = environ; *variable; ++variable)
    if (!StringRef(*variable).starts_with("TMPDIR="))
      environment.push_back(*variable);
  environment.push_back("TMPDIR=" + temporaries);
  llvm::SmallVector<StringRef> wordRefs(words.begin(), words.end()),
      variableRefs(environment.begin(), environment.end());
  for (const std::string &log : {out, err})
    llvm::sys::fs::remove(log);
  std::optional<StringRef> redirects[] = {StringRef(), StringRef(out), StringRef(err)};
  bool notStarted = false;
  // The limit is of wall time: on a loaded machine the second try has four times as long.
  int code = -1;
  unsigned limit = compiler.seconds;
  for (unsigned factor : {1, 4}) {
    limit = compiler.seconds * factor;
    code = llvm::sys::ExecuteAndWait(compiler.path, wordRefs, llvm::ArrayRef(variableRefs),
                                     redirects, limit, compiler.mebibytes, &message, &notStarted);
    if (code != -2 || !StringRef(message).contains_insensitive("timed out"))
      break;
  }
  json::Object raw;
  for (auto [name, log] : {std::pair{"out", &out}, {"err", &err}})
    if (std::string text = collapse(contentsOf(*log)); !text.empty())
      raw[name] = std::move(text);
  if (notStarted || code == -1)
    raw["ended"] = "not started: " + message;
  else if (code == -2 && StringRef(message).contains_insensitive("timed out"))
    raw["ended"] = llvm::formatv("no end within {0} s", limit).str();
  else if (code == -2 || (code > 128 && code < 160)) // a shell's way to say it
    raw["ended"] = code == -2 ? message : llvm::formatv("signal {0}", code - 128).str();
  else
    raw["exit"] = code;
  int64_t left = 0;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator it(temporaries, error), end; it != end && !error;
       it.increment(error))
    ++left;
  if (left > 0)
    raw["temporaries"] = left;
  if (std::string file = path(output); llvm::sys::fs::is_regular_file(file)) {
    std::string bytes = contentsOf(file);
    raw["file"] = json::Object{{"size", static_cast<int64_t>(bytes.size())},
                               {"head", llvm::toHex(StringRef(bytes).take_front(20), true)},
                               {"sha256", sha256(bytes)}};
    if (elf)
      if (auto facts = elfFacts(bytes))
        raw["elf"] = std::move(*facts);
  }
  return raw;
}

/// The words behind a name in the source of a requirement: `bc HASH, probe HASH: ...`.
StringRef hashBehind(StringRef source, StringRef name) {
  size_t at = source.find((name + " ").str());
  return at == StringRef::npos ? "" : source.substr(at + name.size() + 1).take_while(llvm::isAlnum);
}

llvm::Expected<json::Object> runContract(const Requirement &requirement, const Archive &archive,
                                         Command &command) {
  const ContractRow *row = findContractRow(requirement.id, requirement.source);
  const std::string *module = archive.find(hashBehind(requirement.source, "bc"));
  const std::string *probe = archive.find(hashBehind(requirement.source, "probe"));
  if (!row || !module || !probe)
    return llvm::createStringError("'" + requirement.id + "' is a row of another tilesmith");
  llvm::sys::fs::create_directories(command.path("dir"));
  command.provide("probe", *probe);
  command.provide("response",
                  "--gpu-name sm_100 -o " + command.path("o") + " " + command.path("bc") + "\n");
  StringRef rest = row->arguments;
  while (rest.contains('{')) {
    rest = rest.split('{').second;
    StringRef name = rest.split('}').first;
    if (auto bytes = contractInput(name, *module))
      command.provide(name, *bytes);
  }
  command.provide("bc", *module);
  return command.run(row->arguments, row->arguments.contains("{older}") ? "older" : "o", false);
}

} // namespace

llvm::Expected<json::Object>
tilesmith::fuzz::conform::runCompiler(const Requirement &requirement, const Archive &archive,
                                      const CompilerUnderTest &compiler, StringRef folder) {
  Command command(compiler, folder);
  StringRef kind = requirement.kind();
  std::string plain = ("{bc} --gpu-name " + target::kWidestGpu + " -o {o}").str();
  json::Object raw;
  if (kind == "cli") {
    auto run = runContract(requirement, archive, command);
    if (!run)
      return run.takeError();
    raw = std::move(*run);
  } else {
    const std::string *module = archive.find(requirement.sha256);
    if (!module)
      return llvm::createStringError("the module of '" + requirement.id +
                                     "' is not in the archive");
    if (kind == "execute" && compiler.runner.empty()) {
      raw["ended"] = "not started: nothing here runs the output";
    } else if (kind == "execute") {
      auto testCase = unpackCase(*module, (folder + "/case").str());
      if (!testCase)
        return testCase.takeError();
      command.provide("bc", llvm::toStringRef(
                                llvm::ArrayRef(testCase->launches.front().modules.front().bytes)));
      const Runner *runner = findRunner(compiler.runner);
      if (!runner)
        return llvm::createStringError("no runner '" + compiler.runner + "' here");
      raw = command.run(plain + runner->arguments.str(), "o", false);
      if (raw.get("file"))
        raw["execution"] = runner->run(*testCase, contentsOf(command.path("o")));
    } else {
      command.provide("bc", *module);
      raw = command.run(plain, "o", kind == "object");
    }
  }
  raw["id"] = requirement.id;
  return raw;
}
