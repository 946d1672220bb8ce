//===- Curves.h - what campaigns of several seeds reached, by number of cases -----------------------===//
//
// `tilesmith fuzz --curve=FILE` writes such a file, `tilesmith report --curve FILE` draws it. Where a
// line is flat, more cases of the same generator reach nothing more.
//
//===------------------------------------------------------------------------------------------===//
#ifndef FUZZ_REPORT_CURVES_H
#define FUZZ_REPORT_CURVES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tilesmith::fuzz {

/// Something that is counted; the sum never falls.
struct CurveMeasure {
  std::string name;
  std::vector<std::vector<double>> sums; ///< for each seed, at each place
};

struct Curve {
  std::string name, options;
  std::vector<uint64_t> seeds;
  std::vector<uint64_t> cases; ///< places: after so many cases
  std::vector<CurveMeasure> measures;
};

/// At a place over the seeds.
struct CurveSpread {
  double median = 0, least = 0, most = 0;
};
CurveSpread spreadOf(const CurveMeasure &measure, size_t place);

std::string toJson(const Curve &curve);
/// Error: the file cannot be read, or holds no curve.
llvm::Expected<Curve> readCurve(const std::string &path);

} // namespace tilesmith::fuzz

#endif // FUZZ_REPORT_CURVES_H
