//===- PerfSeries.h - what compiled code cost over time -------------------------------------------===//
//
// The rows of `tilesmith perf --db` as series over the builds, and what in them somebody should look
// at. A build has one alert per cause, however many kernels it is about:
//
//   code      figures that are exact got worse by more than their gate, against the build before
//   compile   a compilation costs more (the same, with the spread of its measurements)
//   drift     small steps, none of which passed a gate, do so together, since the last release or the
//             last step that was an alert
//
// After an alert its level is the one to compare with, so that it is said once.
//
//===------------------------------------------------------------------------------------------===//
#ifndef FUZZ_REPORT_PERFSERIES_H
#define FUZZ_REPORT_PERFSERIES_H

#include "fuzz/store/Store.h"
#include "oracles/performance/ChangePoints.h"
#include "oracles/performance/Performance.h"

#include "llvm/Support/Error.h"

namespace tilesmith::fuzz {

/// One figure of one kernel; NaN for builds that did not measure it.
struct PerfSeries {
  std::string kernel, figure; ///< `softmax sm_90 -O3`, `ptx/instructions`
  std::string tool;           ///< that measured it, if it is not ours
  std::vector<double> values;
  std::vector<std::vector<double>> samples; ///< of figures of kind Time: of each build
  std::vector<size_t> steps; ///< builds with another level: exact ones, or change points
};

struct PerfAlert {
  size_t build = 0;
  std::string cause;
  unsigned kernels = 0, figures = 0;
  std::string worst; ///< `softmax sm_90 -O3 ptx/barriers 4 -> 8`
  bool isAccepted = false;
  std::string str(llvm::StringRef buildName) const;
};

struct PerfTable {
  std::vector<PerfBuild> builds; ///< oldest first
  std::vector<PerfSeries> series;
  std::vector<PerfAlert> alerts; ///< oldest first
  bool empty() const { return builds.empty(); }
};

/// The last builds of a store.
llvm::Expected<PerfTable> readPerf(const Store &store, size_t mostBuilds = 60);

/// From the rows of builds as readPerf finds them; the last of each kernel stands for it.
PerfTable
makePerfTable(std::vector<PerfBuild> builds,
              const std::vector<std::vector<oracles::CodeFigures>> &rows); ///< of each build

} // namespace tilesmith::fuzz

#endif // FUZZ_REPORT_PERFSERIES_H
