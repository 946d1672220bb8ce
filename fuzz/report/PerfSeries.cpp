//===- PerfSeries.cpp - what compiled code cost over time -----------------------------------------===//
#include "fuzz/report/PerfSeries.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <limits>

using namespace tilesmith;
using namespace tilesmith::fuzz;
using oracles::CodeFigures;
using oracles::FigureKind;

namespace {

/// What is worse on one build, by cause.
struct Found {
  std::set<std::string> kernels;
  unsigned figures = 0;
  double most = 0;
  std::string worst;
};
using FoundAt = std::map<std::pair<size_t, std::string>, Found>;

void note(FoundAt &found, size_t build, const std::string &cause, const PerfSeries &series,
          double before, double after) {
  Found &here = found[{build, cause}];
  here.kernels.insert(series.kernel);
  ++here.figures;
  const double growth = before > 0 ? after / before : std::numeric_limits<double>::infinity();
  if (growth > here.most) {
    here.most = growth;
    here.worst =
        llvm::formatv("{0} {1} {2:f0} -> {3:f0}", series.kernel, series.figure, before, after)
            .str();
  }
}

/// Steps against the build before, and drift since `level` was set.
void findWorse(const PerfSeries &series, const PerfSeries *sigma, const PerfTable &table,
               FoundAt &found) {
  std::optional<size_t> before, level;
  double sigmaBefore = 0;
  const FigureKind kind = oracles::kindOf(series.figure);
  const bool isCost = kind == FigureKind::Cost;
  const std::string cause = isCost ? "compile" : kind == FigureKind::Time ? "gpu time" : "code";
  for (size_t i = 0; i < series.values.size(); ++i) {
    const double value = series.values[i];
    if (std::isnan(value))
      continue;
    const double spread = sigma && !std::isnan(sigma->values[i]) ? sigma->values[i] : 0;
    auto worse = [&](size_t at) {
      const double than = series.values[at];
      if (kind == FigureKind::Time)
        return oracles::compareSamples(series.samples[at], series.samples[i]).isSlower;
      if (isCost && spread > 0 && sigmaBefore > 0)
        return value > than && oracles::isBeyondNoise(than, sigmaBefore, value, spread);
      return oracles::isWorse(series.figure, than, value);
    };
    if (!before) {
      level = i;
    } else if (worse(*before)) {
      note(found, i, cause, series, series.values[*before], value);
      level = i;
    } else if (worse(*level)) {
      note(found, i, "drift", series, series.values[*level], value);
      level = i;
    }
    if (table.builds[i].isRelease)
      level = i;
    before = i;
    sigmaBefore = spread;
  }
}

std::vector<size_t> stepsOf(const PerfSeries &series) {
  std::vector<double> present;
  std::vector<size_t> places, result;
  for (auto [i, value] : llvm::enumerate(series.values))
    if (!std::isnan(value)) {
      present.push_back(value);
      places.push_back(i);
    }
  for (const oracles::ChangePoint &step : oracles::kindOf(series.figure) == FigureKind::Exact
                                              ? oracles::exactSteps(present)
                                              : oracles::changePoints(present))
    result.push_back(places[step.at]);
  return result;
}

} // namespace

std::string PerfAlert::str(llvm::StringRef buildName) const {
  return llvm::formatv("{0}: {1}: {2} of {3} kernel{4} got worse, most {5}{6}", buildName, cause,
                       figures == 1 ? "a figure" : llvm::formatv("{0} figures", figures).str(),
                       kernels, kernels == 1 ? "" : "s", worst, isAccepted ? " (accepted)" : "")
      .str();
}

PerfTable tilesmith::fuzz::makePerfTable(std::vector<PerfBuild> builds,
                                         const std::vector<std::vector<CodeFigures>> &rows) {
  PerfTable table;
  table.builds = std::move(builds);
  // Figures of another version of a tool are another series.
  using SeriesKey = std::tuple<std::string, std::string, std::string>;
  std::map<SeriesKey, std::vector<double>> values;
  std::map<SeriesKey, std::vector<std::vector<double>>> samples;
  const double none = std::numeric_limits<double>::quiet_NaN();
  for (auto [build, measured] : llvm::enumerate(rows))
    for (const CodeFigures &row : measured) {
      const std::string kernel =
          llvm::formatv("{0} {1} -O{2}", row.caseName, row.gpuName, row.optLevel).str();
      for (const auto &[figure, value] : row.figures) {
        auto tool = row.tools.find(llvm::StringRef(figure).split('/').first.str());
        const SeriesKey key{kernel, figure, tool == row.tools.end() ? "" : tool->second};
        std::vector<double> &series = values[key];
        series.resize(table.builds.size(), none);
        series[build] = value;
        if (oracles::kindOf(figure) != FigureKind::Time)
          continue;
        samples[key].resize(table.builds.size());
        if (auto rounds = row.samples.find(figure); rounds != row.samples.end())
          samples[key][build] = rounds->second;
      }
    }
  for (auto &[key, series] : values)
    table.series.push_back({std::get<0>(key),
                            std::get<1>(key),
                            std::get<2>(key),
                            std::move(series),
                            samples[key],
                            {}});
  FoundAt found;
  for (PerfSeries &series : table.series) {
    if (oracles::isAuxiliary(series.figure))
      continue;
    series.steps = stepsOf(series);
    auto sigma = llvm::find_if(table.series, [&](const PerfSeries &other) {
      return other.kernel == series.kernel && other.figure == "compile/sigma" &&
             other.tool == series.tool;
    });
    const bool isCost = oracles::kindOf(series.figure) == FigureKind::Cost;
    findWorse(series, isCost && sigma != table.series.end() ? &*sigma : nullptr, table, found);
  }
  for (const auto &[key, what] : found)
    table.alerts.push_back({key.first, key.second, static_cast<unsigned>(what.kernels.size()),
                            what.figures, what.worst, !table.builds[key.first].accepted.empty()});
  return table;
}

llvm::Expected<PerfTable> tilesmith::fuzz::readPerf(const Store &store, size_t mostBuilds) {
  std::vector<PerfBuild> builds = store.perfBuilds();
  if (builds.size() > mostBuilds)
    builds.erase(builds.begin(), builds.end() - static_cast<ptrdiff_t>(mostBuilds));
  std::vector<std::vector<CodeFigures>> rows;
  for (const PerfBuild &build : builds) {
    auto measured = oracles::readBaseline(llvm::join(store.perfRows(build.build), "\n"));
    if (!measured)
      return llvm::createStringError("build '" + build.build +
                                     "': " + llvm::toString(measured.takeError()));
    rows.push_back(std::move(*measured));
  }
  return makePerfTable(std::move(builds), rows);
}
