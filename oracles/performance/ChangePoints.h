//===- ChangePoints.h - where a series of figures has another level -----------------------------===//
//
// Three kinds of figures, which are never mixed (kindOf in Performance.h):
//
//  Exact   is the same again and again for the same code: every difference is a step (exactSteps);
//  Cost    of a compilation varies a little: a difference counts from three times the spread of
//          repeated measurements of one program on (isBeyondNoise), and in a series where changePoints
//          finds another level;
//  Time    of a GPU varies a lot: two sets of interleaved runs are compared by rank (compareSamples).
//
// changePoints is E-Divisive (Matteson and James, "A nonparametric approach for multiple change point
// analysis of multivariate data", 2014): the split of a segment with the largest energy distance
// between its sides is taken when fewer than one in a hundred permutations of the segment have a
// larger one, and then each side is split likewise. A level lasts for at least `minimum` values, so
// that a single spike is none, and differs from the one before by `relative`.
//
// compareSamples is the rank test of Mann and Whitney, exact up to 20 values a side without ties, else
// with the normal approximation and its correction for ties; the effect is that of Vargha and
// Delaney.
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_PERFORMANCE_CHANGEPOINTS_H
#define ORACLES_PERFORMANCE_CHANGEPOINTS_H

#include "llvm/ADT/ArrayRef.h"

#include <vector>

namespace tilesmith::oracles {

/// From this value of a series on.
struct ChangePoint {
  size_t at = 0;
  double before = 0, after = 0; ///< medians of the levels
};

/// Every value that is not the one before.
std::vector<ChangePoint> exactSteps(llvm::ArrayRef<double> series);

struct ChangeOptions {
  size_t minimum = 4;     ///< values of a level
  double relative = 0.01; ///< least difference of two levels
  unsigned permutations = 199;
  double significance = 0.01;
};
/// Of the last 100 values, oldest first. The same series has the same answer.
std::vector<ChangePoint> changePoints(llvm::ArrayRef<double> series,
                                      const ChangeOptions &options = {});

double medianOf(std::vector<double> values);

/// The spread of repeated measurements of one thing, as a share of their median; 0 for less than two.
double relativeSigma(llvm::ArrayRef<double> runs);

/// Whether two medians differ by more than three times the spread of both, and by `floor` of the
/// first.
bool isBeyondNoise(double before, double sigmaBefore, double after, double sigmaAfter,
                   double floor = 0.005);

struct SampleComparison {
  double probability = 1; ///< of ranks as unlike as these, if the two are alike; two-sided
  double effect = 0.5;    ///< how often a value of the second is the larger one; ties count half
  double ratio = 1;       ///< of the medians, second to first
  /// Four values a side and `probability` below 3 % (four by four that do not overlap), effect beyond
  /// 0.71, medians 1 % apart.
  bool isSlower = false, isFaster = false;
};
SampleComparison compareSamples(llvm::ArrayRef<double> first, llvm::ArrayRef<double> second);

} // namespace tilesmith::oracles

#endif // ORACLES_PERFORMANCE_CHANGEPOINTS_H
