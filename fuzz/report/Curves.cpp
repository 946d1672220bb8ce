//===- Curves.cpp - what campaigns of several seeds reached, by number of cases ---------------------===//
#include "fuzz/report/Page.h"
#include "fuzz/report/Sections.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <set>

using namespace tilesmith;
using namespace tilesmith::fuzz;

/// Number of the form; another one is refused.
static constexpr int64_t kForm = 1;

CurveSpread tilesmith::fuzz::spreadOf(const CurveMeasure &measure, size_t place) {
  std::vector<double> values;
  for (const std::vector<double> &sums : measure.sums)
    values.push_back(sums[place]);
  llvm::sort(values);
  const size_t middle = values.size() / 2;
  const double median =
      values.size() % 2 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
  return {median, values.front(), values.back()};
}

std::string tilesmith::fuzz::toJson(const Curve &curve) {
  llvm::json::Array measures;
  for (const CurveMeasure &measure : curve.measures) {
    llvm::json::Array sums, median, least, most;
    for (const std::vector<double> &one : measure.sums)
      sums.push_back(llvm::json::Array(one));
    for (size_t place = 0; place < curve.cases.size(); ++place) {
      const CurveSpread spread = spreadOf(measure, place);
      median.push_back(spread.median);
      least.push_back(spread.least);
      most.push_back(spread.most);
    }
    measures.push_back(llvm::json::Object{{"name", measure.name},
                                          {"sums", std::move(sums)},
                                          {"median", std::move(median)},
                                          {"least", std::move(least)},
                                          {"most", std::move(most)}});
  }
  return llvm::formatv(
      "{0:2}\n", llvm::json::Value(llvm::json::Object{{"form", kForm},
                                                      {"options", curve.options},
                                                      {"seeds", llvm::json::Array(curve.seeds)},
                                                      {"cases", llvm::json::Array(curve.cases)},
                                                      {"measures", std::move(measures)}}));
}

/// What an object holds, if it is a curve.
static bool parse(const llvm::json::Value &value, Curve &curve) {
  llvm::json::Path::Root root;
  llvm::json::ObjectMapper map(value, root);
  int64_t form = 0;
  if (!map || !map.map("form", form) || form != kForm || !map.map("options", curve.options) ||
      !map.map("seeds", curve.seeds) || !map.map("cases", curve.cases))
    return false;
  const llvm::json::Array *measures = value.getAsObject()->getArray("measures");
  if (!measures || curve.seeds.empty() || curve.cases.empty() || !llvm::is_sorted(curve.cases))
    return false;
  for (const llvm::json::Value &one : *measures) {
    CurveMeasure &measure = curve.measures.emplace_back();
    llvm::json::ObjectMapper fields(one, root);
    if (!fields || !fields.map("name", measure.name) || !fields.map("sums", measure.sums) ||
        measure.sums.size() != curve.seeds.size() ||
        llvm::any_of(measure.sums,
                     [&](const auto &sums) { return sums.size() != curve.cases.size(); }))
      return false;
  }
  return true;
}

llvm::Expected<Curve> tilesmith::fuzz::readCurve(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return llvm::createStringError("cannot read '" + path + "': " + buffer.getError().message());
  auto value = llvm::json::parse((*buffer)->getBuffer());
  Curve curve;
  if (!value || !parse(*value, curve)) {
    llvm::consumeError(value.takeError());
    return llvm::createStringError("expected a curve of tilesmith fuzz --curve in '" + path +
                                   "', found something else");
  }
  curve.name = llvm::sys::path::stem(path).str();
  return curve;
}

void tilesmith::fuzz::writeCurves(llvm::raw_ostream &out, PageData &data,
                                  llvm::ArrayRef<Curve> curves) {
  if (curves.empty())
    return;
  out << "<h2 id=\"curves\">Curves</h2>\n<ul>\n";
  std::vector<std::string> names; // of measures, in the order of the files
  std::set<uint64_t> places;
  for (const Curve &curve : curves) {
    out << llvm::formatv("<li>{0}: {1} seeds, {2} cases each{3}</li>\n", escapeMarkup(curve.name),
                         curve.seeds.size(), curve.cases.back(),
                         curve.options.empty() ? "" : ", " + escapeMarkup(curve.options));
    places.insert(curve.cases.begin(), curve.cases.end());
    for (const CurveMeasure &measure : curve.measures)
      if (!llvm::is_contained(names, measure.name))
        names.push_back(measure.name);
  }
  out << "</ul>\n<div class=\"charts\">\n";
  for (const std::string &name : names) {
    Chart chart{name, "cases", name, {}, {places.begin(), places.end()}, {}, {}};
    chart.rows.resize(places.size());
    for (const Curve &curve : curves)
      for (const CurveMeasure &measure : curve.measures) {
        if (measure.name != name)
          continue;
        for (llvm::StringRef what : {"median", "least", "most"})
          chart.lines.push_back((curve.name + " " + what).str());
        for (auto [row, at] : llvm::enumerate(chart.at)) {
          const auto place = llvm::find(curve.cases, static_cast<uint64_t>(at));
          CurveSpread spread{kNoValue, kNoValue, kNoValue};
          if (place != curve.cases.end())
            spread = spreadOf(measure, static_cast<size_t>(place - curve.cases.begin()));
          llvm::append_values(chart.rows[row], spread.median, spread.least, spread.most);
        }
      }
    data.addChart(out, std::move(chart));
  }
  out << "</div>\n";
}
