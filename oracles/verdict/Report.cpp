//===- Report.cpp - what all oracles said of one module ---------------------------------------===//
#include "oracles/verdict/Report.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace tilesmith::oracles;
namespace json = llvm::json;

void tilesmith::oracles::addCounts(OracleCounts &counts, const ModuleReport &report) {
  for (const OracleReport &oracle : report.oracles)
    counts[oracle.oracle].add(oracle.verdict);
}

void tilesmith::oracles::addCounts(OracleCounts &counts, const OracleCounts &more) {
  for (const auto &[oracle, verdicts] : more)
    counts[oracle] += verdicts;
}

static json::Object toObject(const Verdict &verdict) {
  return json::Object{
      {"kind", toString(verdict.kind)},          {"oracle", json::fixUTF8(verdict.oracle)},
      {"engine", json::fixUTF8(verdict.engine)}, {"place", json::fixUTF8(verdict.place)},
      {"what", json::fixUTF8(verdict.what)},     {"byHowMuch", json::fixUTF8(verdict.byHowMuch)},
      {"reason", json::fixUTF8(verdict.reason)}, {"label", json::fixUTF8(verdict.label)},
      {"mathLibrary", verdict.mathLibrary}};
}

std::string tilesmith::oracles::toJson(const ModuleReport &report) {
  json::Array engines, oracles;
  for (const EngineReport &engine : report.engines)
    engines.push_back(json::Object{{"engine", json::fixUTF8(engine.engine)},
                                   {"verdict", toObject(engine.verdict)},
                                   {"seconds", engine.seconds},
                                   {"work", engine.work}});
  for (const OracleReport &oracle : report.oracles)
    oracles.push_back(json::Object{{"oracle", oracle.oracle},
                                   {"verdict", toObject(oracle.verdict)},
                                   {"seconds", oracle.seconds}});
  const FloatComparisons &floats = report.floats;
  json::Array counted{floats.points, floats.bounded, floats.vacuous, floats.open};
  llvm::append_range(counted, floats.widths);
  json::Array skipped;
  for (const auto &[cause, count] : floats.skipped)
    skipped.push_back(json::Array{cause, count});
  json::Object object{
      {"case", json::fixUTF8(report.caseName)}, {"version", report.version},
      {"oracles", std::move(oracles)},          {"engines", std::move(engines)},
      {"cross", toObject(report.cross)},        {"verdict", toObject(report.verdict)},
      {"floats", std::move(counted)},           {"skipped", std::move(skipped)}};
  return llvm::formatv("{0}", json::Value(std::move(object)));
}

namespace {

llvm::StringRef kindOf(const json::Value *value) {
  if (!value)
    return "nothing";
  switch (value->kind()) {
  case json::Value::Null:
    return "null";
  case json::Value::Boolean:
    return "a boolean";
  case json::Value::Number:
    return "a number";
  case json::Value::String:
    return "a string";
  case json::Value::Array:
    return "an array";
  case json::Value::Object:
    return "an object";
  }
  llvm_unreachable("all kinds are listed");
}

/// Takes the keys of one object and remembers the first thing that is wrong with them.
class Reader {
public:
  Reader(const json::Value *value, std::string path, std::string &wrong)
      : path(std::move(path)), wrong(wrong) {
    object = value ? value->getAsObject() : nullptr;
    if (!object)
      complain("", "an object", value);
  }

  const json::Value *take(llvm::StringRef key) {
    ++taken;
    return object ? object->get(key) : nullptr;
  }
  void text(llvm::StringRef key, std::string &result) {
    read(key, "a string", &json::Value::getAsString,
         [&](llvm::StringRef string) { result = string.str(); });
  }
  void number(llvm::StringRef key, double &result) {
    read(key, "a number", &json::Value::getAsNumber, [&](double number) { result = number; });
  }
  void count(llvm::StringRef key, uint64_t &result) {
    read(key, "a count", &json::Value::getAsUINT64, [&](uint64_t number) { result = number; });
  }
  void verdict(llvm::StringRef key, Verdict &result) {
    Reader inner(take(key), path + "." + key.str(), wrong);
    std::string kind;
    inner.text("kind", kind);
    using Kind = Verdict::Kind;
    static constexpr Kind kKinds[] = {Kind::Agree, Kind::Disagree, Kind::Inconclusive,
                                      Kind::Unavailable};
    const Kind *known = llvm::find_if(kKinds, [&](Kind k) { return toString(k) == kind; });
    if (known != std::end(kKinds))
      result.kind = *known;
    else if (wrong.empty())
      wrong = inner.path + ".kind: expected the kind of a verdict, found '" + kind + "'";
    inner.text("oracle", result.oracle);
    inner.text("engine", result.engine);
    inner.text("place", result.place);
    inner.text("what", result.what);
    inner.text("byHowMuch", result.byHowMuch);
    inner.text("reason", result.reason);
    inner.text("label", result.label);
    inner.text("mathLibrary", result.mathLibrary);
    inner.end();
  }
  template <typename Row>
  void rows(llvm::StringRef key, std::string Row::*name, std::vector<Row> &result) {
    const json::Value *value = take(key);
    const json::Array *array = value ? value->getAsArray() : nullptr;
    if (!array)
      return complain(key, "an array", value);
    for (auto [i, entry] : llvm::enumerate(*array)) {
      Reader inner(&entry, llvm::formatv("{0}.{1}[{2}]", path, key, i), wrong);
      Row &row = result.emplace_back();
      inner.text(key.drop_back(), row.*name);
      inner.verdict("verdict", row.verdict);
      inner.number("seconds", row.seconds);
      if constexpr (requires { row.work; })
        inner.count("work", row.work);
      inner.end();
    }
  }
  void floats(llvm::StringRef key, FloatComparisons &result) {
    const json::Value *value = take(key);
    const json::Array *array = value ? value->getAsArray() : nullptr;
    llvm::SmallVector<uint64_t *> fields{&result.points, &result.bounded, &result.vacuous,
                                         &result.open};
    for (uint64_t &width : result.widths)
      fields.push_back(&width);
    if (!array || array->size() != fields.size())
      return complain(key, llvm::formatv("an array of {0} numbers", fields.size()).str(), value);
    for (auto [field, entry] : llvm::zip(fields, *array))
      if (auto number = entry.getAsUINT64())
        *field = *number;
      else
        complain(key, "counts", &entry);
  }
  /// Pairs of a name and a count.
  void counts(llvm::StringRef key, std::map<std::string, uint64_t> &result) {
    const json::Value *value = take(key);
    const json::Array *pairs = value ? value->getAsArray() : nullptr;
    if (!pairs)
      return complain(key, "an array", value);
    for (const json::Value &entry : *pairs) {
      const json::Array *pair = entry.getAsArray();
      auto name = pair && pair->size() == 2 ? (*pair)[0].getAsString() : std::nullopt;
      auto number = name ? (*pair)[1].getAsUINT64() : std::nullopt;
      if (!number)
        return complain(key, "pairs of a name and a count", &entry);
      result[name->str()] = *number;
    }
  }
  /// Every key was asked for.
  void end() {
    if (wrong.empty() && object && object->size() != taken)
      wrong = llvm::formatv("{0}: expected {1} keys, found {2}", path, taken, object->size());
  }

private:
  template <typename T, typename Store>
  void read(llvm::StringRef key, llvm::StringRef expected,
            std::optional<T> (json::Value::*as)() const, Store store) {
    const json::Value *value = take(key);
    if (std::optional<T> read = value ? (value->*as)() : std::nullopt)
      store(*read);
    else
      complain(key, expected, value);
  }
  void complain(llvm::StringRef key, llvm::StringRef expected, const json::Value *found) {
    if (wrong.empty())
      wrong = llvm::formatv("{0}{1}{2}: expected {3}, found {4}", path, key.empty() ? "" : ".", key,
                            expected, kindOf(found));
  }

  const json::Object *object = nullptr;
  std::string path;
  std::string &wrong;
  size_t taken = 0;
};

} // namespace

llvm::Expected<ModuleReport> tilesmith::oracles::reportFromJson(llvm::StringRef text) {
  auto value = json::parse(text);
  if (!value)
    return value.takeError();
  ModuleReport report;
  std::string wrong;
  Reader reader(&*value, "report", wrong);
  reader.text("case", report.caseName);
  reader.text("version", report.version);
  reader.rows("oracles", &OracleReport::oracle, report.oracles);
  reader.rows("engines", &EngineReport::engine, report.engines);
  reader.verdict("cross", report.cross);
  reader.verdict("verdict", report.verdict);
  reader.floats("floats", report.floats);
  reader.counts("skipped", report.floats.skipped);
  reader.end();
  if (!wrong.empty())
    return llvm::createStringError(wrong);
  return report;
}
