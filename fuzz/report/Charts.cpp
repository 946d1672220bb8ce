//===- Charts.cpp - series of numbers on a page ---------------------------------------------------===//
//
// The script and the style are files beside this one, the library those of Debian's libjs-dygraphs;
// CMakeLists.txt makes Assets.inc of them. Without the package the page says so and has its tables.
//
//===------------------------------------------------------------------------------------------===//
#include "fuzz/report/Charts.h"

#include "fuzz/report/Page.h"

#include "llvm/Support/FormatVariadic.h"

#include <map>

using namespace tilesmith;
using namespace tilesmith::fuzz;

static constexpr llvm::StringLiteral kPageScript =
#include "fuzz/report/PageScript.inc"
    ;
static constexpr llvm::StringLiteral kPageStyle =
#include "fuzz/report/PageStyle.inc"
    ;
static constexpr llvm::StringLiteral kLibraryScript =
#include "fuzz/report/LibraryScript.inc"
    ;
static constexpr llvm::StringLiteral kLibraryStyle =
#include "fuzz/report/LibraryStyle.inc"
    ;

/// At most this many places of a chart; more are thinned.
static constexpr size_t kMaxPlaces = 600, kMaxTableRows = 60;

static llvm::json::Value numberOrNull(double value) {
  if (std::isnan(value))
    return nullptr;
  return value;
}

static std::string text(double value) {
  if (std::isnan(value))
    return "";
  if (value == std::floor(value) && std::abs(value) < 1e15)
    return llvm::formatv("{0}", static_cast<int64_t>(value)).str();
  return llvm::formatv("{0:f3}", value).str();
}

std::string tilesmith::fuzz::scriptSafe(const llvm::json::Value &value) {
  std::string result;
  for (char c : llvm::formatv("{0}", value).str())
    if (c == '<' || c == '>' || c == '&')
      result += llvm::formatv("\\u00{0:x-2}", static_cast<unsigned>(c)).str();
    else
      result += c;
  return result;
}

std::string tilesmith::fuzz::pageStyle() {
  // Nothing from elsewhere, whatever stands in a page.
  return ("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
          "'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
          "form-action "
          "'none'\">\n<style>\n" +
          kLibraryStyle + "\n" + kPageStyle + "</style>\n")
      .str();
}

void PageData::addChart(llvm::raw_ostream &out, Chart chart) {
  if (chart.at.size() < 2)
    return;
  const size_t step = chart.at.size() / kMaxPlaces + 1, id = charts.size();
  auto nameOf = [&](size_t i) { return chart.names.empty() ? text(chart.at[i]) : chart.names[i]; };
  const std::string title = escapeMarkup(chart.title);
  out << "<figure><figcaption>" << title << "</figcaption>\n"
      << llvm::formatv(
             "<div class=\"chart\" data-chart=\"{0}\" role=\"img\" aria-label=\"{1}, {2} to "
             "{3}; the numbers follow as a table\"></div>\n",
             id, title, escapeMarkup(nameOf(0)), escapeMarkup(nameOf(chart.at.size() - 1)))
      << "<details class=\"numbers\"><summary>numbers</summary><div class=\"wide\" tabindex=\"0\" "
         "role=\"region\" aria-label=\""
      << title << "\"><table><tr><th>" << escapeMarkup(chart.xLabel) << "</th>";
  for (const std::string &line : chart.lines)
    out << "<th>" << escapeMarkup(line) << "</th>";
  std::map<size_t, std::string> happened(chart.marks.begin(), chart.marks.end());
  out << (happened.empty() ? "</tr>\n" : "<th>what happened</th></tr>\n");
  llvm::json::Array rows, names, marks, labels;
  const size_t tableStep = chart.at.size() / kMaxTableRows + 1;
  for (size_t i = 0; i < chart.at.size(); ++i) {
    const bool isLast = i + 1 == chart.at.size();
    if (i % tableStep == 0 || isLast || happened.contains(i)) {
      out << "<tr><td>" << escapeMarkup(nameOf(i)) << "</td>";
      for (double value : chart.rows[i])
        out << "<td class=\"number\">" << text(value) << "</td>";
      if (happened.contains(i))
        out << "<td>" << escapeMarkup(happened[i]) << "</td>";
      out << "</tr>\n";
    }
    if (i % step != 0 && !isLast && !happened.contains(i))
      continue;
    llvm::json::Array row{chart.at[i]};
    for (double value : chart.rows[i])
      row.push_back(numberOrNull(value));
    rows.push_back(std::move(row));
  }
  out << "</table></div></details></figure>\n";
  for (const std::string &name : chart.names)
    names.push_back(llvm::json::fixUTF8(name));
  for (const auto &[place, what] : chart.marks)
    marks.push_back(llvm::json::Array{chart.at[place], llvm::json::fixUTF8(what)});
  labels.push_back(llvm::json::fixUTF8(chart.xLabel));
  for (const std::string &line : chart.lines)
    labels.push_back(llvm::json::fixUTF8(line));
  charts.push_back(llvm::json::Object{{"labels", std::move(labels)},
                                      {"x", chart.xLabel},
                                      {"y", chart.yLabel},
                                      {"names", std::move(names)},
                                      {"marks", std::move(marks)},
                                      {"rows", std::move(rows)}});
}

size_t PageData::addSparkline(llvm::ArrayRef<double> values, llvm::ArrayRef<size_t> steps) {
  llvm::json::Array all, places;
  for (double value : values)
    all.push_back(numberOrNull(value));
  for (size_t step : steps)
    places.push_back(static_cast<int64_t>(step));
  sparklines.push_back(llvm::json::Array{std::move(all), std::move(places)});
  return sparklines.size() - 1;
}

void PageData::write(llvm::raw_ostream &out) const {
  llvm::json::Object data = more;
  data["charts"] = llvm::json::Array(charts);
  data["sparklines"] = llvm::json::Array(sparklines);
  out << "<script type=\"application/json\" id=\"data\">" << scriptSafe(std::move(data))
      << "</script>\n";
  if (kLibraryScript.empty())
    out << "<p class=\"note\">This build has no chart library (Debian's libjs-dygraphs); the "
           "numbers "
           "stand in tables.</p>\n";
  else
    out << "<script>" << kLibraryScript << "</script>\n";
  out << "<script>\n" << kPageScript << "</script>\n";
}
