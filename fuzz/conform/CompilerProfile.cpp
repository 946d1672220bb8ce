//===- CompilerProfile.cpp - a program that is called as tileiras is --------------------------===//
#include "fuzz/conform/CompilerProfile.h"

#include "compiler/support/WriteFile.h"
#include "compiler/target/Targets.h"
#include "fuzz/conform/Contract.h"
#include "oracles/devices/emulator/Emulator.h"
#include "reference/testcase/Compare.h"
#include "reference/testcase/Launch.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Object/ELF.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

#include <deque>

extern char **environ;

using namespace tilesmith;
using namespace tilesmith::fuzz::conform;
using llvm::StringRef;
namespace json = llvm::json;

static constexpr size_t kMaxText = 4000;              ///< of a stream that is kept
static constexpr StringRef kGpu = target::kWidestGpu; ///< takes the whole language
static constexpr StringRef kOlder = "older\n";

StringRef tilesmith::fuzz::conform::toString(State state) {
  static constexpr StringRef kNames[] = {"pass", "fail", "waived", "unsupported by profile",
                                         "not run"};
  return kNames[static_cast<unsigned>(state)];
}

std::optional<State> tilesmith::fuzz::conform::parseState(StringRef text) {
  for (State state : {State::Pass, State::Fail, State::Waived, State::Unsupported, State::NotRun})
    if (toString(state) == text)
      return state;
  return std::nullopt;
}

llvm::ArrayRef<ObjectCheck> tilesmith::fuzz::conform::objectChecks() {
  static constexpr ObjectCheck kChecks[] = {
      {"header", "driver-elf"},
      {"symbol", "driver-elf"},
      {"registers", "driver-elf"},
      {"launch", "driver-launch"},
      {"parameters", "driver-parameters", 5},
      {"shared", "driver-shared-memory"},
  };
  return kChecks;
}

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

const ContractRow *findRow(const Requirement &requirement) {
  for (const ContractRow &row : contractRows())
    if (("cli/" + row.name).str() == requirement.id)
      return StringRef(requirement.source).ends_with(row.str()) ? &row : nullptr;
  return nullptr;
}

llvm::Expected<json::Object> runContract(const Requirement &requirement, const Archive &archive,
                                         Command &command) {
  const ContractRow *row = findRow(requirement);
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

/// Runs LLVM IR of a compiler on the emulated GPU; how it ended, and the buffers behind it.
json::Object emulate(const testcase::TestCase &testCase, StringRef ir) {
  auto failed = [](const llvm::Twine &text) { return json::Object{{"ended", text.str()}}; };
  auto program = emulator::Program::parse(ir);
  if (!program)
    return failed(llvm::toString(program.takeError()));
  // Function attributes of the kernel; all of them are of this compiler's own making.
  auto number = [&](StringRef name) {
    unsigned value = 0;
    StringRef at = ir.split(("\"" + name + "\"=\"").str()).second;
    at.take_while(llvm::isDigit).getAsInteger(10, value);
    return value;
  };
  std::deque<std::vector<uint8_t>> memory;
  std::vector<uint64_t> addresses;
  auto place = [&](llvm::ArrayRef<uint8_t> bytes) {
    std::vector<uint8_t> &block = memory.emplace_back(bytes.size() + 512);
    auto base = (reinterpret_cast<uint64_t>(block.data()) + 255) / 256 * 256;
    llvm::copy(bytes, reinterpret_cast<uint8_t *>(base));
    (*program)->addRange(reinterpret_cast<void *>(base), bytes.size(), "buffer");
    return base;
  };
  for (const testcase::Buffer &buffer : testCase.buffers)
    addresses.push_back(place(buffer.data));
  for (const testcase::Launch &launch : testCase.launches) {
    auto image =
        testcase::flattenLaunch(testCase, launch, addresses, [&](llvm::ArrayRef<uint64_t> words) {
          return llvm::Expected<uint64_t>(place(
              llvm::ArrayRef(reinterpret_cast<const uint8_t *>(words.data()), words.size() * 8)));
        });
    if (!image)
      return failed(llvm::toString(image.takeError()));
    emulator::LaunchConfig config;
    for (int i = 0; i < 3; ++i)
      config.grid[i] = static_cast<uint32_t>(image->grid[i]);
    config.block[0] = number("tilesmith-threads");
    config.dynamicSharedBytes = number("tilesmith-shared-bytes");
    std::vector<std::vector<uint8_t>> arguments;
    for (const testcase::KernelArgument &argument : image->arguments) {
      const auto *bytes = reinterpret_cast<const uint8_t *>(&argument.bits);
      arguments.emplace_back(bytes, bytes + argument.size);
    }
    emulator::Report report = (*program)->launch(image->entry, config, arguments);
    if (!report.ok())
      return failed(emulator::toString(report.status) + ": " + report.message);
  }
  json::Array buffers;
  for (auto [buffer, address] : llvm::zip(testCase.buffers, addresses)) {
    StringRef bytes(reinterpret_cast<const char *>(address), buffer.byteSize());
    json::Object facts{{"sha256", sha256(bytes)}};
    if (bytes != llvm::toStringRef(llvm::ArrayRef(buffer.expected())))
      facts["bytes"] = llvm::encodeBase64(bytes);
    buffers.push_back(std::move(facts));
  }
  return json::Object{{"ended", "completed"}, {"buffers", std::move(buffers)}};
}

} // namespace

llvm::Expected<json::Object>
tilesmith::fuzz::conform::runCompiler(const Requirement &requirement, const Archive &archive,
                                      const CompilerUnderTest &compiler, StringRef folder) {
  Command command(compiler, folder);
  StringRef kind = requirement.kind();
  std::string plain = ("{bc} --gpu-name " + kGpu + " -o {o}").str();
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
      raw = command.run(plain + " --emit=llvm", "o", false);
      if (raw.get("file"))
        raw["execution"] = emulate(*testCase, contentsOf(command.path("o")));
    } else {
      command.provide("bc", *module);
      raw = command.run(plain, "o", kind == "object");
    }
  }
  raw["id"] = requirement.id;
  return raw;
}

//===------------------------------------------------------------------------------------------===//
// Judging
//===------------------------------------------------------------------------------------------===//

namespace {

Verdict pass() {
  return {State::Pass, ""};
}
Verdict fail(const llvm::Twine &reason) {
  return {State::Fail, reason.str()};
}

StringRef text(const json::Object &object, StringRef key) {
  return object.getString(key).value_or("");
}

StringRef firstLine(const json::Object &raw) {
  StringRef line = text(raw, "err").ltrim().split('\n').first.rtrim();
  return line.empty() ? text(raw, "out").ltrim().split('\n').first.rtrim() : line;
}

/// Texts that blame the tool itself, not the module.
bool blamesItself(const json::Object &raw) {
  std::string lower = (text(raw, "err") + text(raw, "out")).str();
  lower = StringRef(lower).lower();
  return llvm::any_of(std::initializer_list<StringRef>{"internal error", "internal compiler error",
                                                       "assertion", "unreachable executed",
                                                       "please submit a bug report",
                                                       "out of memory"},
                      [&](StringRef words) { return StringRef(lower).contains(words); });
}

/// A reason is a line beside those that stand behind every failure.
bool givesReason(const json::Object &raw) {
  for (StringRef line : llvm::split(text(raw, "err"), '\n'))
    if (line = line.trim(); !line.empty() && line != "error: failed to compile Tile IR program" &&
                            line != "error: input does not correspond to Tile IR bytecode")
      return true;
  return false;
}

bool wroteElf(const json::Object &raw) {
  const json::Object *file = raw.getObject("file");
  return file && text(*file, "head").starts_with("7f454c46");
}

/// How it ended, where that is a failure whatever was asked for.
std::optional<Verdict> brokenDown(const json::Object &raw) {
  if (StringRef ended = text(raw, "ended"); !ended.empty()) {
    if (ended.starts_with("not started"))
      return Verdict{State::NotRun, ended.str()};
    return fail((ended.starts_with("no end") ? "hang: " : "crash: ") + ended);
  }
  if (!raw.getInteger("exit"))
    return Verdict{State::NotRun, "no exit code was written down"};
  if (*raw.getInteger("exit") != 0 && blamesItself(raw))
    return fail("internal error: " + firstLine(raw));
  return std::nullopt;
}

Verdict judgeAccept(const json::Object &raw) {
  int64_t code = *raw.getInteger("exit");
  if (code != 0)
    return fail(llvm::formatv("refused with exit code {0}: {1}", code, firstLine(raw)).str());
  return wroteElf(raw) ? pass() : fail("exit code 0, but no ELF file");
}

Verdict judgeReject(const Requirement &requirement, const json::Object &raw) {
  int64_t code = *raw.getInteger("exit");
  if (code == 0)
    return fail("accepted, expected a refusal by rule [" + requirement.rule + "]");
  if (code != 3)
    return fail(llvm::formatv("exit code {0}, expected 3: {1}", code, firstLine(raw)).str());
  if (text(raw, "err").trim().empty())
    return fail("refused without a word");
  return raw.get("file") ? fail("refused, but an output was written") : pass();
}

Verdict judgeRobust(const json::Object &raw) {
  if (*raw.getInteger("exit") == 0)
    return judgeAccept(raw);
  if (!givesReason(raw))
    return fail("refused without a reason: " + firstLine(raw));
  return raw.get("file") ? fail("refused, but an output was written") : pass();
}

/// Whether a stream is what the row asks for; else what is wrong.
std::string checkStream(StringRef name, StringRef got, StringRef want) {
  if (want == "*")
    return "";
  if (want.empty())
    return got.empty() ? ""
                       : ("expected no " + name + ", got '" + got.split('\n').first + "'").str();
  for (StringRef part : llvm::split(want, '|'))
    if (!got.contains(part))
      return ("expected " + name + " with '" + part.split('\n').first + "', got '" +
              got.split('\n').first + "'")
          .str();
  return "";
}

Verdict judgeContract(const Requirement &requirement, const json::Object &raw,
                      const RawOutputs &outputs) {
  const ContractRow *row = findRow(requirement);
  if (!row)
    return {State::NotRun, "a row of another tilesmith"};
  int64_t code = *raw.getInteger("exit");
  if (code != row->exit)
    return fail(
        llvm::formatv("expected exit code {0}, got {1}: {2}", row->exit, code, firstLine(raw))
            .str());
  for (auto [name, key, want] : {std::tuple{"standard output", "out", StringRef(row->out)},
                                 std::tuple{"standard error", "err", StringRef(row->err)}})
    if (std::string wrong = checkStream(name, text(raw, key), want); !wrong.empty())
      return fail(wrong);
  const json::Object *file = raw.getObject("file");
  StringRef want = row->file;
  std::string hash = file ? text(*file, "sha256").str() : "none";
  if (want.consume_front("clean-"))
    if (raw.getInteger("temporaries").value_or(0) != 0)
      return fail("a temporary file is left behind");
  if (want == "elf" && !wroteElf(raw))
    return fail("expected an ELF file, found none");
  if (want == "none" && file)
    return fail("expected no output, found a file");
  if (want == "older" && hash != sha256(kOlder))
    return fail("the older output did not stay");
  if (want.consume_front("same:")) {
    auto other = outputs.find(("cli/" + want).str());
    const json::Object *otherFile =
        other == outputs.end() ? nullptr : other->second.getObject("file");
    if (!otherFile)
      return {State::NotRun, ("the row '" + want + "' has no output to compare with").str()};
    if (text(*otherFile, "sha256") != hash)
      return fail("expected the bytes of the row '" + want + "', found others");
  }
  return pass();
}

/// An attribute of `.nv.info`: format, number, 16-bit value or size, payload.
struct Attribute {
  unsigned number;
  uint16_t value;
  std::string payload;
};

std::vector<Attribute> attributesOf(const json::Object &elf, StringRef section) {
  std::vector<Attribute> found;
  const json::Object *info = elf.getObject("info");
  std::string bytes;
  if (!info || !llvm::tryGetFromHex(info->getString(section).value_or(""), bytes))
    return found;
  for (size_t at = 0; at + 4 <= bytes.size();) {
    auto byte = [&](size_t i) { return static_cast<uint8_t>(bytes[at + i]); };
    Attribute attribute{byte(1), static_cast<uint16_t>(byte(2) | byte(3) << 8), ""};
    bool sized = byte(0) == 4;
    at += 4;
    if (sized) {
      attribute.payload = StringRef(bytes).substr(at, attribute.value).str();
      at += attribute.value;
    }
    found.push_back(std::move(attribute));
  }
  return found;
}

unsigned wordAt(StringRef payload, unsigned index) {
  unsigned value = 0;
  for (unsigned i = 0; i < 4 && index * 4 + i < payload.size(); ++i)
    value |= static_cast<unsigned>(static_cast<uint8_t>(payload[index * 4 + i])) << 8 * i;
  return value;
}

/// `corpus: kernel=NAME params=N bytes=M`.
StringRef fact(const Requirement &requirement, StringRef key) {
  return StringRef(requirement.source).split((key + "=").str()).second.split(' ').first;
}

Verdict judgeObject(const Requirement &requirement, const json::Object &raw) {
  enum { Reqntid = 0x10, CbankParamSize = 0x19, KparamInfo = 0x17, Regcount = 0x2f };
  if (Verdict accepted = judgeAccept(raw); accepted.state != State::Pass)
    return accepted;
  const json::Object *elf = raw.getObject("elf");
  if (!elf)
    return fail("the ELF file cannot be read");
  StringRef check = StringRef(requirement.id).split('/').second.split('/').first;
  std::string kernel = fact(requirement, "kernel").str();
  auto has = [&](StringRef key, const std::string &name) {
    const json::Array *list = elf->getArray(key);
    return list && llvm::is_contained(*list, json::Value(name));
  };
  std::vector<Attribute> own = attributesOf(*elf, ".nv.info." + kernel);
  auto find = [&](unsigned number) {
    return llvm::find_if(own, [&](const Attribute &a) { return a.number == number; });
  };
  if (check == "header") {
    int64_t machine = elf->getInteger("machine").value_or(0),
            type = elf->getInteger("type").value_or(0),
            flags = elf->getInteger("flags").value_or(0) >> 8 & 0xff,
            wanted = target::lookupGpuTarget(kGpu)->sm;
    if (machine != 190 || type != llvm::ELF::ET_EXEC || flags != wanted)
      return fail(llvm::formatv("expected machine 190, type 2, SM {0}, found {1}, {2}, {3}", wanted,
                                machine, type, flags)
                      .str());
  } else if (check == "symbol") {
    if (!has("kernels", kernel) || !has("sections", ".text." + kernel))
      return fail("expected a global function '" + kernel + "' in a section of its own");
  } else if (check == "registers") {
    if (llvm::none_of(attributesOf(*elf, ".nv.info"),
                      [](const Attribute &a) { return a.number == Regcount; }))
      return fail("expected a REGCOUNT in .nv.info, found none");
  } else if (check == "launch") {
    auto threads = find(Reqntid);
    if (threads == own.end() || wordAt(threads->payload, 0) % 32 != 0 ||
        wordAt(threads->payload, 0) == 0 || wordAt(threads->payload, 1) != 1 ||
        wordAt(threads->payload, 2) != 1)
      return fail("expected a REQNTID of (32 n, 1, 1)");
  } else if (check == "parameters") {
    auto count = llvm::count_if(own, [](const Attribute &a) { return a.number == KparamInfo; });
    auto size = find(CbankParamSize);
    std::string bytes = std::to_string(size == own.end() ? 0 : size->value);
    if (std::to_string(count) != fact(requirement, "params") || bytes != fact(requirement, "bytes"))
      return fail(llvm::formatv("expected {0} parameters in {1} bytes, found {2} in {3}",
                                fact(requirement, "params"), fact(requirement, "bytes"), count,
                                bytes)
                      .str());
  } else if (check == "shared") {
    // A kernel that needs shared memory at launch says so by an array without a size.
    if (has("sections", ".nv.shared." + kernel + ".dynamic"))
      return fail("expected static shared memory only");
  } else {
    return {State::NotRun, "an object rule of another tilesmith"};
  }
  return pass();
}

Verdict judgeExecution(const Requirement &requirement, const Archive &archive,
                       const json::Object &raw) {
  if (int64_t code = *raw.getInteger("exit"))
    return fail(llvm::formatv("refused with exit code {0}: {1}", code, firstLine(raw)).str());
  const json::Object *execution = raw.getObject("execution");
  if (!execution)
    return {State::NotRun, "nothing here runs its output"};
  if (text(*execution, "ended") != "completed")
    return fail("execution: " + text(*execution, "ended"));
  const std::string *packed = archive.find(requirement.sha256);
  llvm::SmallString<128> folder;
  if (!packed || llvm::sys::fs::createUniqueDirectory("tilesmith-conform", folder))
    return {State::NotRun, "the case is not in the archive"};
  auto testCase = unpackCase(*packed, folder);
  llvm::sys::fs::remove_directories(folder);
  if (!testCase)
    return {State::NotRun, llvm::toString(testCase.takeError())};
  const json::Array *buffers = execution->getArray("buffers");
  if (!buffers || buffers->size() != testCase->buffers.size())
    return fail("the buffers were not written down");
  for (auto [index, buffer] : llvm::enumerate(testCase->buffers)) {
    const json::Object *got = (*buffers)[index].getAsObject();
    if (got && text(*got, "sha256") == sha256(llvm::toStringRef(llvm::ArrayRef(buffer.expected()))))
      continue;
    std::vector<char> bytes;
    if (!got || llvm::decodeBase64(text(*got, "bytes"), bytes) ||
        sha256(StringRef(bytes.data(), bytes.size())) != text(*got, "sha256"))
      return fail(llvm::formatv("buffer {0} was not written down", index).str());
    llvm::ArrayRef<uint8_t> values(reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size());
    testcase::CompareResult compared =
        testcase::compareBuffer(buffer, values, buffer.expected(), buffer.compare);
    if (!compared.ok())
      return fail(
          llvm::formatv("buffer {0}: {1}", index, testcase::describe(buffer, compared)).str());
  }
  return pass();
}

} // namespace

Verdict tilesmith::fuzz::conform::judgeCompiler(const Requirement &requirement,
                                                const Archive &archive, const RawOutputs &outputs) {
  auto it = outputs.find(requirement.id);
  if (it == outputs.end())
    return {State::NotRun, "nothing was written down"};
  const json::Object &raw = it->second;
  StringRef kind = requirement.kind();
  if (std::optional<Verdict> verdict = brokenDown(raw))
    return *verdict;
  if (kind == "cli")
    return judgeContract(requirement, raw, outputs);
  if (kind == "accept")
    return judgeAccept(raw);
  if (kind == "reject")
    return judgeReject(requirement, raw);
  if (kind == "robust")
    return judgeRobust(raw);
  if (kind == "object")
    return judgeObject(requirement, raw);
  if (kind == "execute")
    return judgeExecution(requirement, archive, raw);
  return {State::NotRun, "a kind of requirement of another tilesmith"};
}
