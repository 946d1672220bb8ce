//===- CompilerVerdicts.cpp - what follows from what a compiler's run wrote down --------------===//
#include "compiler/target/Targets.h"
#include "fuzz/conform/CompilerProfile.h"
#include "fuzz/conform/Contract.h"
#include "fuzz/conform/Runner.h"
#include "reference/testcase/Compare.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tilesmith;
using namespace tilesmith::fuzz::conform;
using llvm::StringRef;
namespace json = llvm::json;

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
  const ContractRow *row = findContractRow(requirement.id, requirement.source);
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
  if (want == "older" && hash != sha256(kOlderOutput))
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
            wanted = target::lookupGpuTarget(target::kWidestGpu)->sm;
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
  StringRef ended = text(*execution, "ended");
  if (ended.starts_with(kLimitOfRunner))
    return {State::NotRun, ended.str()};
  if (ended != "completed")
    return fail("execution: " + ended);
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
