//===- HtmlPerformance.cpp - what code costs, on the page of a store -------------------------------===//
#include "fuzz/report/Page.h"
#include "fuzz/report/Sections.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <optional>
#include <set>

using namespace tilesmith;
using namespace tilesmith::fuzz;

namespace {

/// The figures of a kernel that its row shows, where they were measured.
constexpr llvm::StringLiteral kShown[] = {"emulator/instructions", "ptx/instructions",
                                          "sass/instructions", "ptxas/registers", "ptxas/spills"};

double lastOf(const PerfSeries &series) {
  return series.values.empty() ? kNoValue : series.values.back();
}

/// The geometric mean of a figure over all kernels that every build measured, the first build as 100;
/// a line for each GPU.
void writeTrend(llvm::raw_ostream &out, PageData &data, const PerfTable &table,
                llvm::StringRef title, llvm::ArrayRef<llvm::StringLiteral> figures) {
  std::map<std::string, std::vector<const PerfSeries *>> ofGpu;
  for (const PerfSeries &one : table.series)
    if (llvm::is_contained(figures, one.figure) &&
        llvm::none_of(one.values, [](double value) { return std::isnan(value) || value <= 0; }))
      ofGpu[llvm::StringRef(one.kernel).rsplit(' ').first.rsplit(' ').second.str()].push_back(&one);
  Chart chart{title.str(), "build", "first build = 100", {}, {}, {}, {}};
  std::map<size_t, std::string> marks;
  for (const auto &[gpu, all] : ofGpu)
    chart.lines.push_back(llvm::formatv("{0} ({1} kernels)", gpu, all.size()).str());
  for (size_t i = 0; i < table.builds.size() && !ofGpu.empty(); ++i) {
    chart.at.push_back(static_cast<double>(i));
    chart.names.push_back(table.builds[i].build);
    std::vector<double> &row = chart.rows.emplace_back();
    for (const auto &[gpu, all] : ofGpu) {
      double logarithms = 0;
      for (const PerfSeries *one : all)
        logarithms += std::log(one->values[i] / one->values.front());
      row.push_back(100 * std::exp(logarithms / static_cast<double>(all.size())));
    }
  }
  for (size_t line = 0; line < chart.lines.size(); ++line) {
    std::vector<double> values;
    for (const std::vector<double> &row : chart.rows)
      values.push_back(row[line]);
    const bool isExact = oracles::kindOf(figures.front()) == oracles::FigureKind::Exact;
    for (const oracles::ChangePoint &step :
         isExact ? oracles::exactSteps(values) : oracles::changePoints(values))
      if (std::abs(step.after - step.before) >= 0.1)
        marks[step.at] +=
            llvm::formatv("{0}{1}: {2:f1} to {3:f1}", marks[step.at].empty() ? "" : "; ",
                          chart.lines[line], step.before, step.after)
                .str();
  }
  for (const auto &[place, what] : marks)
    chart.marks.emplace_back(place, table.builds[place].build + ": " + what);
  data.addChart(out, std::move(chart));
}

void writeAlerts(llvm::raw_ostream &out, const PerfTable &table) {
  if (table.alerts.empty()) {
    out << "<p>No build got worse than the one before it, or than the last release.</p>\n";
    return;
  }
  out << "<ul>\n";
  for (const PerfAlert &alert : llvm::reverse(table.alerts)) {
    const PerfBuild &build = table.builds[alert.build];
    out << "<li" << (alert.isAccepted ? "" : " class=\"bad\"") << ">"
        << escapeMarkup(alert.str(build.build));
    if (alert.isAccepted)
      out << ": " << escapeMarkup(build.accepted);
    out << "</li>\n";
  }
  out << "</ul>\n";
}

/// A row for each kernel: figures now, and a small chart of the first of them.
void writeKernels(llvm::raw_ostream &out, PageData &data, const PerfTable &table) {
  std::map<std::string, std::map<std::string, const PerfSeries *>> kernels;
  for (const PerfSeries &one : table.series)
    if (!std::isnan(lastOf(one)))
      kernels[one.kernel][one.figure] = &one;
  out << "<h3>Kernels</h3>\n<div class=\"filters\" data-filters=\"#kernels tbody tr\" "
         "hidden><label>show "
         "<input type=\"search\" placeholder=\"words of a name\"></label><output></output></div>\n"
         "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"kernels\"><table "
         "id=\"kernels\"><thead><tr><th>kernel</th><th>over builds</th><th>steps</th>";
  for (llvm::StringRef figure : kShown)
    out << "<th>" << figure << "</th>";
  out << "</tr></thead><tbody>\n";
  for (const auto &[kernel, figures] : kernels) {
    const PerfSeries *drawn = nullptr;
    for (llvm::StringRef figure : kShown)
      if (auto it = figures.find(figure.str()); !drawn && it != figures.end())
        drawn = it->second;
    out << "<tr><td>" << escapeMarkup(kernel) << "</td><td>";
    std::string steps;
    if (drawn) {
      out << llvm::formatv(
          "<span class=\"spark\" data-spark=\"{0}\" role=\"img\" aria-label=\"{1} over "
          "builds\"></span>",
          data.addSparkline(drawn->values, drawn->steps), drawn->figure);
      for (size_t step : llvm::ArrayRef(drawn->steps).take_back(3))
        steps += (steps.empty() ? "" : ", ") + table.builds[step].build;
    }
    out << "</td><td>" << escapeMarkup(steps) << "</td>";
    for (llvm::StringRef figure : kShown) {
      auto it = figures.find(figure.str());
      out << "<td class=\"number\">";
      if (it != figures.end())
        out << llvm::formatv("{0:f0}", lastOf(*it->second));
      out << "</td>";
    }
    out << "</tr>\n";
  }
  out << "</tbody></table></div>\n";
}

/// The figures of machine code that the page shows; all of them: `tilesmith perf --engine=sass`.
constexpr llvm::StringLiteral kCounted[] = {
    "instructions",      "issue_cycles",   "longest_warp", "tensor_operations", "global_sectors",
    "shared_wavefronts", "bank_conflicts", "async_bytes",  "barriers"};

/// What the machine code of each kernel executes, ours beside another compiler's, as the last build
/// that was asked has it. Below the name: the geometric mean of the ratios.
void writeMachineCode(llvm::raw_ostream &out, const PerfTable &table) {
  std::map<std::string, std::map<std::string, double>> kernels;
  std::map<std::string, size_t> latest; // of kernel and figure
  std::set<std::string> others;
  for (const PerfSeries &one : table.series) {
    llvm::StringRef family = llvm::StringRef(one.figure).split('/').first;
    if (family != "machine" && family != "external")
      continue;
    for (size_t build = one.values.size(); build-- > 0;)
      if (!std::isnan(one.values[build])) {
        auto [it, isNew] = latest.try_emplace(one.kernel + " " + one.figure, build);
        if (isNew || it->second < build) {
          it->second = build;
          kernels[one.kernel][one.figure] = one.values[build];
        }
        break;
      }
    if (family == "external")
      others.insert(one.tool);
  }
  if (kernels.empty())
    return;
  out << "<h3 id=\"machine-code\">Machine code</h3>\n<p>What is executed on the CPU, instruction "
         "by "
         "instruction";
  if (!others.empty())
    out << ": ours / " << escapeMarkup(llvm::join(others, ", ")) << " (ratio)";
  out << ".</p>\n<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"machine "
         "code\"><table><tr><th>kernel</th>";
  for (llvm::StringRef figure : kCounted)
    out << "<th>" << figure << "</th>";
  out << "</tr>\n";
  std::map<std::string, std::pair<double, unsigned>> logarithms;
  for (const auto &[kernel, figures] : kernels) {
    out << "<tr><td>" << escapeMarkup(kernel) << "</td>";
    const std::vector<oracles::MachineFigure> counted = oracles::machineFigures(figures);
    for (llvm::StringRef name : kCounted) {
      auto it = llvm::find_if(counted, [&](const auto &one) { return one.name == name; });
      const std::optional<double> ratio = it == counted.end() ? std::nullopt : it->ratio();
      out << "<td class=\"number" << (ratio && *ratio > 1.1 ? " bad" : "") << "\">";
      if (it != counted.end())
        out << llvm::formatv("{0:f0}", it->ours);
      if (it != counted.end() && it->theirs)
        out << llvm::formatv(" / {0:f0}", *it->theirs);
      if (ratio) {
        out << llvm::formatv(" ({0:f2})", *ratio);
        if (*ratio > 0) {
          logarithms[name.str()].first += std::log(*ratio);
          ++logarithms[name.str()].second;
        }
      }
      out << "</td>";
    }
    out << "</tr>\n";
  }
  if (!logarithms.empty()) {
    out << "<tr><th>geometric mean of the ratios</th>";
    for (llvm::StringRef name : kCounted) {
      auto [sum, count] = logarithms[name.str()];
      out << "<td class=\"number\">"
          << (count ? llvm::formatv("{0:f2}", std::exp(sum / count)).str() : "") << "</td>";
    }
    out << "</tr>\n";
  }
  out << "</table></div>\n";
}

/// What the page's script compares builds by: a number where a figure never changed.
void addComparison(llvm::raw_ostream &out, PageData &data, const PerfTable &table) {
  llvm::json::Array builds, series;
  for (const PerfBuild &build : table.builds)
    builds.push_back(llvm::json::fixUTF8(build.build));
  for (const PerfSeries &one : table.series) {
    if (oracles::isAuxiliary(one.figure))
      continue;
    llvm::json::Array values;
    bool isConstant = true;
    for (double value : one.values) {
      isConstant = isConstant && value == one.values.front();
      values.push_back(std::isnan(value) ? llvm::json::Value(nullptr) : llvm::json::Value(value));
    }
    if (isConstant)
      continue; // never differs
    series.push_back(llvm::json::Array{llvm::json::fixUTF8(one.kernel),
                                       llvm::json::fixUTF8(one.figure), std::move(values)});
  }
  data.set("perf",
           llvm::json::Object{{"builds", std::move(builds)}, {"series", std::move(series)}});
  if (table.builds.size() > 1)
    out << "<h3>Two builds</h3>\n<div id=\"compare\" hidden><p class=\"filters\"><label>from "
           "<select></select></label><label>to <select></select></label></p><div class=\"wide "
           "result\" tabindex=\"0\" role=\"region\" aria-label=\"figures that differ\" "
           "aria-live=\"polite\"></div></div>\n<noscript><p>tilesmith perf --db=STORE "
           "--compare=A,B</p></noscript>\n";
}

/// Nanoseconds, or a plain count, in at most four digits.
std::string quantity(const std::string &name, double value) {
  const char *units[] = {" ns", " us", " ms", " s"};
  if (llvm::StringRef(name).starts_with("count/"))
    return llvm::formatv("{0:n0}", static_cast<int64_t>(value));
  unsigned unit = 0;
  for (; value >= 1000 && unit < 3; ++unit)
    value /= 1000;
  return llvm::formatv("{0:f2}{1}", value, units[unit]);
}

/// One row per benchmark, one column per night (the last eight), and the change since the first.
void writeNights(llvm::raw_ostream &out, llvm::ArrayRef<BenchmarkNight> all) {
  if (all.empty())
    return;
  out << "<h2 id=\"benchmarks\">Benchmarks over time</h2>\n";
  std::map<std::string, double> first;
  std::set<std::string> names;
  double logarithms = 0;
  size_t compared = 0;
  for (const BenchmarkNight &night : all)
    for (const auto &[name, value] : night.values) {
      first.try_emplace(name, value);
      names.insert(name);
    }
  auto changeOf = [&](const std::string &name) -> std::optional<double> {
    auto last = all.back().values.find(name);
    if (all.size() < 2 || last == all.back().values.end() || last->second <= 0 || first[name] <= 0)
      return std::nullopt;
    return last->second / first[name];
  };
  for (const std::string &name : names)
    if (std::optional<double> change = changeOf(name)) {
      logarithms += std::log(*change);
      ++compared;
    }
  out << llvm::formatv("<p>{0} measurements, {1} run{2}", names.size(), all.size(),
                       all.size() == 1 ? "" : "s");
  if (compared)
    out << llvm::format("; on average %+.1f %% since the first",
                        (std::exp(logarithms / static_cast<double>(compared)) - 1) * 100);
  out << ". CPU time; counts of the emulated GPU are marked <i>count/</i>.</p>\n"
      << "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"benchmarks\"><table>\n";
  llvm::ArrayRef<BenchmarkNight> shown = all.take_back(8);
  auto header = [&] {
    out << "<tr><th></th>";
    for (const BenchmarkNight &night : shown)
      out << "<th>" << escapeMarkup(night.name) << "</th>";
    out << "<th>change</th></tr>\n";
  };
  auto row = [&](const std::string &name, std::optional<double> change, llvm::StringRef mark) {
    out << "<tr><td>" << escapeMarkup(name) << "</td>";
    for (const BenchmarkNight &night : shown) {
      auto it = night.values.find(name);
      out << "<td class=\"number\">" << (it == night.values.end() ? "" : quantity(name, it->second))
          << "</td>";
    }
    out << "<td class=\"number" << mark << "\">";
    if (change)
      out << llvm::format("%+.1f %%", (*change - 1) * 100);
    out << "</td></tr>\n";
  };
  // What changed stands first; counts do not vary from run to run, times do.
  std::vector<std::string> steady;
  bool changed = false;
  auto changedRow = [&](const std::string &name, std::optional<double> change,
                        llvm::StringRef mark) {
    if (!std::exchange(changed, true))
      header();
    row(name, change, mark);
  };
  for (const std::string &name : names) {
    auto last = all.back().values.find(name);
    if (last == all.back().values.end())
      continue; // no longer measured
    std::optional<double> change = changeOf(name);
    double band = llvm::StringRef(name).starts_with("count/") ? 0.02 : 0.3;
    if (change ? *change > 1 + band : first[name] <= 0 && last->second > 0)
      changedRow(name, change, " bad");
    else if (change ? *change < 1 - band : first[name] > 0 && last->second <= 0)
      changedRow(name, change, " good");
    else
      steady.push_back(name);
  }
  out << "</table></div>\n<details><summary>" << steady.size()
      << " measurements without a notable change</summary><div class=\"wide\" tabindex=\"0\" "
         "role=\"region\" aria-label=\"benchmarks\"><table>\n";
  header();
  for (const std::string &name : steady)
    row(name, changeOf(name), "");
  out << "</table></div></details>\n";
}

} // namespace

void tilesmith::fuzz::writePerformance(llvm::raw_ostream &out, PageData &data,
                                       const ReportExtras &extras) {
  const PerfTable &table = extras.perf;
  if (!table.empty()) {
    out << "<h2 id=\"performance\">Performance</h2>\n"
        << llvm::formatv("<p>{0} build{1}, {2} series. Figures are exact but for the cost of "
                         "compilation, whose steps are change points.</p>\n",
                         table.builds.size(), table.builds.size() == 1 ? "" : "s",
                         table.series.size());
    writeAlerts(out, table);
    out << "<div class=\"charts\">\n";
    writeTrend(out, data, table, "Instructions that the emulated GPU executes",
               {"emulator/instructions"});
    writeTrend(out, data, table, "PTX instructions", {"ptx/instructions"});
    writeTrend(out, data, table, "Cost of compilation", {"compile/instructions", "compile/cpu-us"});
    out << "</div>\n";
    addComparison(out, data, table);
    writeKernels(out, data, table);
    writeMachineCode(out, table);
  }
  writeNights(out, extras.nights);
}
