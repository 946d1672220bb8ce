//===- ReportFormat.cpp - judgements as text --------------------------------------------------===//
#include "fuzz/campaign/ReportFormat.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace tilesmith;
using namespace tilesmith::fuzz;
using oracles::EngineReport;
using oracles::ModuleReport;
using oracles::Verdict;

static llvm::json::Object toObject(const Verdict &verdict) {
  return llvm::json::Object{{"kind", static_cast<int64_t>(verdict.kind)},
                            {"what", llvm::json::fixUTF8(verdict.what)},
                            {"where", llvm::json::fixUTF8(verdict.where)},
                            {"byHowMuch", llvm::json::fixUTF8(verdict.byHowMuch)},
                            {"reason", llvm::json::fixUTF8(verdict.reason)}};
}

static Verdict verdictFrom(const llvm::json::Object *object) {
  Verdict verdict;
  if (!object)
    return Verdict::disagree("campaign", "worker", "answer without a verdict");
  verdict.kind = static_cast<Verdict::Kind>(object->getInteger("kind").value_or(0));
  verdict.what = object->getString("what").value_or("").str();
  verdict.where = object->getString("where").value_or("").str();
  verdict.byHowMuch = object->getString("byHowMuch").value_or("").str();
  verdict.reason = object->getString("reason").value_or("").str();
  return verdict;
}

std::string tilesmith::fuzz::toJson(const ModuleReport &report) {
  llvm::json::Array engines;
  for (const EngineReport &engine : report.engines)
    engines.push_back(llvm::json::Object{{"engine", engine.engine},
                                         {"verdict", toObject(engine.verdict)},
                                         {"seconds", engine.seconds}});
  const oracles::FloatComparisons &floats = report.floats;
  llvm::json::Array counted{floats.points, floats.bounded, floats.vacuous, floats.open};
  llvm::append_range(counted, floats.widths);
  llvm::json::Object object{
      {"case", report.caseName},         {"floats", std::move(counted)},
      {"version", report.version},       {"engines", std::move(engines)},
      {"cross", toObject(report.cross)}, {"verdict", toObject(report.verdict)}};
  return llvm::formatv("{0}", llvm::json::Value(std::move(object)));
}

llvm::Expected<ModuleReport> tilesmith::fuzz::reportFromJson(llvm::StringRef text) {
  auto value = llvm::json::parse(text);
  if (!value)
    return value.takeError();
  const llvm::json::Object *object = value->getAsObject();
  if (!object)
    return llvm::createStringError("expected a JSON object from the worker");
  ModuleReport report;
  report.caseName = object->getString("case").value_or("").str();
  report.version = object->getString("version").value_or("").str();
  if (const llvm::json::Array *engines = object->getArray("engines"))
    for (const llvm::json::Value &entry : *engines)
      if (const llvm::json::Object *engine = entry.getAsObject())
        report.engines.push_back({engine->getString("engine").value_or("").str(),
                                  verdictFrom(engine->getObject("verdict")),
                                  engine->getNumber("seconds").value_or(0)});
  if (const llvm::json::Array *counted = object->getArray("floats")) {
    oracles::FloatComparisons &floats = report.floats;
    auto number = [&](size_t i) -> uint64_t {
      return i < counted->size() ? (*counted)[i].getAsUINT64().value_or(0) : 0;
    };
    floats.points = number(0);
    floats.bounded = number(1);
    floats.vacuous = number(2);
    floats.open = number(3);
    for (size_t i = 0; i < floats.widths.size(); ++i)
      floats.widths[i] = number(4 + i);
  }
  report.cross = verdictFrom(object->getObject("cross"));
  report.verdict = verdictFrom(object->getObject("verdict"));
  return report;
}

static llvm::StringRef kindName(Verdict::Kind kind) {
  switch (kind) {
  case Verdict::Kind::Agree:
    return "agree";
  case Verdict::Kind::Disagree:
    return "disagree";
  case Verdict::Kind::Inconclusive:
    return "inconclusive";
  case Verdict::Kind::Unavailable:
    return "unavailable";
  }
  llvm_unreachable("all kinds are listed");
}

void tilesmith::fuzz::printRowHeader(llvm::raw_ostream &out) {
  out << llvm::left_justify("case", 26) << llvm::left_justify("version", 9)
      << llvm::left_justify("engine", 12) << llvm::left_justify("verdict", 14) << "seconds\n";
}

void tilesmith::fuzz::printRows(llvm::raw_ostream &out, const ModuleReport &report) {
  auto row = [&](llvm::StringRef engine, const Verdict &verdict, double seconds) {
    out << llvm::left_justify(report.caseName, 25) << ' ' << llvm::left_justify(report.version, 9)
        << llvm::left_justify(engine, 12) << llvm::left_justify(kindName(verdict.kind), 14)
        << llvm::format("%7.3f", seconds) << '\n';
    if (!verdict.isAgree())
      out << "    " << verdict.str() << '\n';
  };
  for (const EngineReport &engine : report.engines)
    row(engine.engine, engine.verdict, engine.seconds);
  if (!report.cross.isAgree())
    row("all", report.cross, 0);
  // A verdict that no row shows: a crash of the worker, or what an oracle besides the engines says.
  bool shown = !report.cross.isAgree() || llvm::any_of(report.engines, [](const auto &engine) {
    return engine.verdict.isDisagree();
  });
  if (report.engines.empty() || (report.verdict.isDisagree() && !shown))
    row("-", report.verdict, 0);
}
