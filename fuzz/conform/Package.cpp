//===- Package.cpp - a result that a stranger can verify --------------------------------------===//
#include "fuzz/conform/Package.h"

#include "compiler/support/OutputFolder.h"
#include "reference/testcase/Nesting.h"
#include "reference/testcase/TestCase.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"

#include <set>

using namespace tilesmith;
using namespace tilesmith::fuzz::conform;
using llvm::StringRef;
namespace json = llvm::json;

static constexpr uint64_t kMaxBytes = uint64_t(1) << 30; ///< of a file, packed or not

/// Of somebody else's text.
static llvm::Expected<json::Value> parseJson(StringRef text) {
  if (testcase::nestsTooDeep(text))
    return llvm::createStringError("brackets nest deeper than %u levels", testcase::kMaxNesting);
  return json::parse(text);
}

llvm::Expected<RawOutputs> tilesmith::fuzz::conform::parseOutputs(StringRef lines) {
  RawOutputs outputs;
  for (StringRef line : llvm::split(lines, '\n')) {
    if (line.empty())
      continue;
    auto value = parseJson(line);
    if (!value)
      return value.takeError();
    json::Object *object = value->getAsObject();
    auto id = object ? object->getString("id") : std::nullopt;
    if (!id)
      return llvm::createStringError("a raw output has no id: " + line.take_front(80));
    std::string name = id->str();
    if (!outputs.try_emplace(name, std::move(*object)).second)
      return llvm::createStringError("the raw output of '" + name + "' comes twice");
  }
  return outputs;
}

llvm::Expected<std::vector<Waiver>> tilesmith::fuzz::conform::parseWaivers(StringRef text) {
  auto value = parseJson(text);
  if (!value)
    return value.takeError();
  const json::Array *list = value->getAsArray();
  if (!list)
    return llvm::createStringError("expected an array of waivers");
  std::vector<Waiver> waivers;
  for (const json::Value &entry : *list) {
    const json::Object *object = entry.getAsObject();
    Waiver waiver;
    for (auto [key, field] : {std::pair{"requirement", &waiver.requirement},
                              {"url", &waiver.url},
                              {"reason", &waiver.reason},
                              {"expires", &waiver.expires}}) {
      *field = object ? object->getString(key).value_or("").str() : "";
      if (field->empty())
        return llvm::createStringError(llvm::formatv(
            "a waiver has no {0}, expected requirement, url, reason and expires", key));
    }
    if (!StringRef(waiver.url).starts_with("https://") &&
        !StringRef(waiver.url).starts_with("http://"))
      return llvm::createStringError("expected that the url of a waiver begins with https://, "
                                     "found '" +
                                     waiver.url + "'");
    StringRef minor = waiver.expires;
    unsigned number;
    if (!minor.consume_front("13.") || minor.getAsInteger(10, number) ||
        std::to_string(number) != minor)
      return llvm::createStringError("expected that a waiver expires with a version 13.N, found '" +
                                     waiver.expires + "'");
    waivers.push_back(std::move(waiver));
  }
  return waivers;
}

llvm::Expected<std::vector<Result>>
tilesmith::fuzz::conform::judgePackage(const RequirementList &list, const Archive &archive,
                                       bool quick, const RawOutputs &outputs,
                                       llvm::ArrayRef<Waiver> waivers) {
  std::vector<Result> results;
  if (list.side == "frontend") {
    for (auto [row, verdict] : llvm::zip(list.rows, judgeFrontend(list, outputs)))
      results.push_back({row.id, std::move(verdict)});
  } else {
    for (const Requirement &row : list.rows)
      results.push_back({row.id, quick && !isQuick(row) ? Verdict{State::Unsupported, ""}
                                                        : judgeCompiler(row, archive, outputs)});
  }
  std::set<StringRef> waived;
  for (const Waiver &waiver : waivers) {
    if (!waived.insert(waiver.requirement).second)
      return llvm::createStringError("the waiver of '" + waiver.requirement + "' comes twice");
    auto result =
        llvm::find_if(results, [&](const Result &r) { return r.id == waiver.requirement; });
    if (result == results.end())
      return llvm::createStringError("a waiver names '" + waiver.requirement +
                                     "', which is not in the list");
    if (result->verdict.state != State::Fail)
      return llvm::createStringError("a waiver names '" + waiver.requirement +
                                     "', which does not fail");
    result->verdict.state = State::Waived;
    result->verdict.reason += " (waived: " + waiver.reason + ", " + waiver.url + ")";
  }
  return results;
}

json::Object tilesmith::fuzz::conform::countStates(llvm::ArrayRef<Result> results) {
  json::Object counts{{"requirements", static_cast<int64_t>(results.size())}};
  for (State state : {State::Pass, State::Fail, State::Waived, State::Unsupported, State::NotRun})
    counts[toString(state)] = static_cast<int64_t>(
        llvm::count_if(results, [&](const Result &r) { return r.verdict.state == state; }));
  return counts;
}

json::Object tilesmith::fuzz::conform::inputsOf(const RawOutputs &outputs) {
  std::string all;
  for (const auto &[id, one] : outputs)
    all += id + " " + one.getString("sha256").value_or("").str() + "\n";
  return json::Object{{"modules", static_cast<int64_t>(outputs.size())}, {"sha256", sha256(all)}};
}

Files tilesmith::fuzz::conform::packageTexts(const Package &package) {
  Files files;
  std::string raw, results;
  llvm::raw_string_ostream rawOut(raw), resultsOut(results);
  for (const auto &[id, object] : package.outputs)
    rawOut << json::Value(json::Object(object)) << '\n';
  for (const Result &result : package.results) {
    json::Object line{{"id", result.id}, {"state", toString(result.verdict.state)}};
    if (!result.verdict.reason.empty())
      line["reason"] = json::fixUTF8(result.verdict.reason);
    resultsOut << json::Value(std::move(line)) << '\n';
  }
  json::Array waivers;
  for (const Waiver &waiver : package.waivers)
    waivers.push_back(json::Object{{"requirement", waiver.requirement},
                                   {"url", waiver.url},
                                   {"reason", waiver.reason},
                                   {"expires", waiver.expires}});
  json::Object statement = package.statement;
  statement["raw_bytes"] = static_cast<int64_t>(raw.size());
  files["raw.jsonl.zst"] = std::move(raw);
  files["results.jsonl"] = std::move(results);
  files["waivers.json"] = llvm::formatv("{0:2}\n", json::Value(std::move(waivers)));
  files["statement.json"] = llvm::formatv("{0:2}\n", json::Value(std::move(statement)));
  return files;
}

Files tilesmith::fuzz::conform::packageFiles(const Package &package) {
  Files files = packageTexts(package);
  std::string &raw = files["raw.jsonl.zst"];
  llvm::SmallVector<uint8_t, 0> packed;
  llvm::compression::zstd::compress(llvm::arrayRefFromStringRef(raw), packed, 19);
  raw = llvm::toStringRef(packed).str();
  return files;
}

std::string tilesmith::fuzz::conform::manifestOf(const Files &files) {
  std::string manifest;
  for (const auto &[name, contents] : files)
    manifest += sha256(contents) + "  " + name + "\n";
  return manifest;
}

llvm::Error tilesmith::fuzz::conform::writePackage(const Package &package, StringRef folder) {
  auto output = OutputFolder::create(folder);
  if (!output)
    return output.takeError();
  Files files = packageFiles(package);
  files.emplace(kManifest, manifestOf(files));
  for (const auto &[name, contents] : files)
    if (llvm::Error error = output->write(name, contents))
      return error;
  return output->keep({kSignature.str()});
}

llvm::Expected<std::string> tilesmith::fuzz::conform::readPackageFile(StringRef folder,
                                                                      StringRef name) {
  // Links and pipes may lead to something without an end.
  llvm::sys::fs::file_status status;
  std::string path = (folder + "/" + name).str();
  if (std::error_code code = llvm::sys::fs::status(path, status, /*follow=*/false))
    return llvm::createStringError("cannot read '" + name + "': " + code.message());
  if (status.type() != llvm::sys::fs::file_type::regular_file)
    return llvm::createStringError(
        "'" + name + "' is " +
        (status.type() == llvm::sys::fs::file_type::symlink_file ? "a link" : "something else") +
        ", expected a file");
  if (status.getSize() > kMaxBytes)
    return llvm::createStringError("'" + name + "' has more than 1 GiB");
  auto buffer =
      llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer)
    return llvm::createStringError("cannot read '" + name + "': " + buffer.getError().message());
  return (*buffer)->getBuffer().str();
}

static llvm::Error in(StringRef name, llvm::Error error) {
  return llvm::createStringError(name + ": " + llvm::toString(std::move(error)));
}

static llvm::Expected<std::vector<Result>> parseResults(StringRef lines) {
  std::vector<Result> results;
  for (StringRef line : llvm::split(lines, '\n')) {
    if (line.empty())
      continue;
    auto value = parseJson(line);
    if (!value)
      return value.takeError();
    const json::Object *object = value->getAsObject();
    auto id = object ? object->getString("id") : std::nullopt;
    auto state = object ? parseState(object->getString("state").value_or("")) : std::nullopt;
    if (!id || !state)
      return llvm::createStringError("expected an id and a state, found " + line.take_front(80));
    results.push_back({id->str(), {*state, object->getString("reason").value_or("").str()}});
  }
  return results;
}

llvm::Expected<Package> tilesmith::fuzz::conform::readPackage(StringRef folder) {
  Package package;
  std::string text[5];
  static constexpr StringRef kNames[] = {"statement.json", "results.jsonl", "raw.jsonl.zst",
                                         "waivers.json", kManifest};
  for (auto [name, contents] : llvm::zip(kNames, text)) {
    auto read = readPackageFile(folder, name);
    if (!read)
      return read.takeError();
    contents = std::move(*read);
  }
  auto statement = parseJson(text[0]);
  if (!statement)
    return in(kNames[0], statement.takeError());
  if (!statement->getAsObject())
    return llvm::createStringError("statement.json is no object");
  package.statement = std::move(*statement->getAsObject());
  auto results = parseResults(text[1]);
  if (!results)
    return in(kNames[1], results.takeError());
  package.results = std::move(*results);
  auto size = static_cast<uint64_t>(package.statement.getInteger("raw_bytes").value_or(0));
  llvm::SmallVector<uint8_t, 0> raw;
  if (size > kMaxBytes)
    return llvm::createStringError("the statement says that raw outputs have more than 1 GiB");
  if (llvm::Error error =
          llvm::compression::zstd::decompress(llvm::arrayRefFromStringRef(text[2]), raw, size))
    return in(kNames[2], std::move(error));
  if (raw.size() != size)
    return llvm::createStringError(
        llvm::formatv("the statement says that raw outputs have {0} bytes, they have {1}", size,
                      raw.size())
            .str());
  auto outputs = parseOutputs(llvm::toStringRef(raw));
  if (!outputs)
    return in(kNames[2], outputs.takeError());
  package.outputs = std::move(*outputs);
  auto waivers = parseWaivers(text[3]);
  if (!waivers)
    return in(kNames[3], waivers.takeError());
  package.waivers = std::move(*waivers);
  package.manifest = std::move(text[4]);
  text[2] = llvm::toStringRef(raw).str();
  for (auto [name, contents] : llvm::zip(kNames, text))
    if (name != kManifest)
      package.texts[name.str()] = std::move(contents);
  return package;
}
