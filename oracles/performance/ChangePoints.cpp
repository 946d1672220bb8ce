//===- ChangePoints.cpp - where a series of figures has another level ---------------------------===//
#include "oracles/performance/ChangePoints.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

using namespace tilesmith;
using namespace tilesmith::oracles;

namespace {

/// A split of a segment, and the energy distance of its sides, weighted by their sizes.
struct Split {
  size_t at = 0;
  double energy = 0;
};

/// Sums over pairs of values: of the left side, of the right side, and across; moved on value by
/// value.
Split bestSplit(llvm::ArrayRef<double> values, size_t minimum) {
  const size_t count = values.size();
  Split best;
  if (count < 2 * minimum)
    return best;
  double left = 0, right = 0, across = 0;
  for (size_t i = 0; i < count; ++i)
    for (size_t j = i + 1; j < count; ++j)
      right += std::abs(values[i] - values[j]);
  for (size_t at = 1; at + minimum <= count; ++at) {
    const double moved = values[at - 1];
    for (size_t i = 0; i < count; ++i) {
      const double distance = std::abs(values[i] - moved);
      if (i < at - 1) {
        left += distance;
        across -= distance;
      } else {
        right -= distance;
        across += distance;
      }
    }
    if (at < minimum)
      continue;
    const auto n = static_cast<double>(at), m = static_cast<double>(count - at);
    const double within = (n > 1 ? left / (n * (n - 1) / 2) : 0) + //
                          (m > 1 ? right / (m * (m - 1) / 2) : 0);
    const double energy = n * m / (n + m) * (2 * across / (n * m) - within);
    if (energy > best.energy)
      best = {at, energy};
  }
  return best;
}

bool isSignificant(llvm::ArrayRef<double> values, const Split &split,
                   const ChangeOptions &options) {
  std::mt19937_64 random(values.size()); // the same answer on every machine
  std::vector<double> shuffled(values.begin(), values.end());
  unsigned larger = 0;
  for (unsigned i = 0; i < options.permutations; ++i) {
    for (size_t j = shuffled.size() - 1; j > 0; --j)
      std::swap(shuffled[j], shuffled[random() % (j + 1)]);
    larger += bestSplit(shuffled, options.minimum).energy >= split.energy;
  }
  return (larger + 1.0) / (options.permutations + 1.0) <= options.significance;
}

void divide(llvm::ArrayRef<double> series, size_t from, size_t to, const ChangeOptions &options,
            std::vector<size_t> &cuts) {
  llvm::ArrayRef<double> segment = series.slice(from, to - from);
  const Split split = bestSplit(segment, options.minimum);
  if (split.at == 0 || !isSignificant(segment, split, options))
    return;
  divide(series, from, from + split.at, options, cuts);
  cuts.push_back(from + split.at);
  divide(series, from + split.at, to, options, cuts);
}

/// The chance of a rank sum as far from its middle as this one, both sides counted; no ties. Counts
/// the arrangements with each value of U.
double exactProbability(size_t n, size_t m, double u) {
  // ways[i][k]: of i values of the first and j of the second so far with U = k; j grows outside.
  const size_t most = n * m;
  std::vector<std::vector<double>> ways(n + 1, std::vector<double>(most + 1, 0));
  for (size_t i = 0; i <= n; ++i)
    ways[i][0] = 1;
  for (size_t j = 1; j <= m; ++j)
    for (size_t i = 1; i <= n; ++i)
      // The largest is of the first (above all j of the second), or of the second.
      for (size_t k = most + 1; k-- > 0;)
        ways[i][k] += k >= j ? ways[i - 1][k - j] : 0;
  const double all = std::accumulate(ways[n].begin(), ways[n].end(), 0.0);
  const double middle = static_cast<double>(most) / 2, away = std::abs(u - middle);
  double as = 0;
  for (size_t k = 0; k <= most; ++k)
    if (std::abs(static_cast<double>(k) - middle) >= away - 1e-9)
      as += ways[n][k];
  return as / all;
}

} // namespace

double tilesmith::oracles::medianOf(std::vector<double> values) {
  if (values.empty())
    return 0;
  const size_t middle = values.size() / 2;
  llvm::sort(values);
  return values.size() % 2 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

std::vector<ChangePoint> tilesmith::oracles::exactSteps(llvm::ArrayRef<double> series) {
  std::vector<ChangePoint> steps;
  for (size_t i = 1; i < series.size(); ++i)
    if (series[i] != series[i - 1])
      steps.push_back({i, series[i - 1], series[i]});
  return steps;
}

std::vector<ChangePoint> tilesmith::oracles::changePoints(llvm::ArrayRef<double> series,
                                                          const ChangeOptions &options) {
  constexpr size_t kWindow = 100;
  const size_t skipped = series.size() > kWindow ? series.size() - kWindow : 0;
  series = series.drop_front(skipped);
  std::vector<size_t> cuts;
  divide(series, 0, series.size(), options, cuts);
  // Levels that are too alike are one.
  std::vector<ChangePoint> result;
  size_t from = 0;
  for (size_t i = 0; i < cuts.size(); ++i) {
    const size_t to = i + 1 < cuts.size() ? cuts[i + 1] : series.size();
    const double before = medianOf(series.slice(from, cuts[i] - from).vec()),
                 after = medianOf(series.slice(cuts[i], to - cuts[i]).vec());
    if (std::abs(after - before) < options.relative * std::abs(before))
      continue;
    result.push_back({cuts[i] + skipped, before, after});
    from = cuts[i];
  }
  return result;
}

double tilesmith::oracles::relativeSigma(llvm::ArrayRef<double> runs) {
  const double median = medianOf(runs.vec());
  if (runs.size() < 2 || median == 0)
    return 0;
  const double mean =
      std::accumulate(runs.begin(), runs.end(), 0.0) / static_cast<double>(runs.size());
  double squares = 0;
  for (double run : runs)
    squares += (run - mean) * (run - mean);
  return std::sqrt(squares / static_cast<double>(runs.size() - 1)) / median;
}

bool tilesmith::oracles::isBeyondNoise(double before, double sigmaBefore, double after,
                                       double sigmaAfter, double floor) {
  const double change = std::abs(after - before);
  return change > floor * before &&
         change > 3 * std::hypot(sigmaBefore * before, sigmaAfter * after);
}

SampleComparison tilesmith::oracles::compareSamples(llvm::ArrayRef<double> first,
                                                    llvm::ArrayRef<double> second) {
  SampleComparison result;
  if (first.empty() || second.empty())
    return result;
  const size_t n = second.size(), m = first.size();
  double above = 0; // U of the second
  for (double b : second)
    for (double a : first)
      above += b > a ? 1 : b == a ? 0.5 : 0;
  const auto pairs = static_cast<double>(n * m), all = static_cast<double>(n + m);
  result.effect = above / pairs;
  std::vector<double> pooled(first.begin(), first.end());
  pooled.insert(pooled.end(), second.begin(), second.end());
  llvm::sort(pooled);
  double ties = 0;
  for (size_t i = 0; i < pooled.size();) {
    size_t j = i;
    while (j < pooled.size() && pooled[j] == pooled[i])
      ++j;
    const auto same = static_cast<double>(j - i);
    ties += same * same * same - same;
    i = j;
  }
  if (ties == 0 && n <= 20 && m <= 20) {
    result.probability = exactProbability(n, m, above);
  } else if (const double variance = pairs / 12 * (all + 1 - ties / (all * (all - 1)));
             variance > 0) {
    const double z = std::max(0.0, std::abs(above - pairs / 2) - 0.5) / std::sqrt(variance);
    result.probability = std::erfc(z / std::sqrt(2.0));
  }
  const double before = medianOf(first.vec()), after = medianOf(second.vec());
  result.ratio = before == 0 ? 1 : after / before;
  const bool isSure = n >= 4 && m >= 4 && result.probability < 0.03;
  result.isSlower = isSure && result.effect > 0.71 && result.ratio > 1.01;
  result.isFaster = isSure && result.effect < 0.29 && result.ratio < 0.99;
  return result;
}
