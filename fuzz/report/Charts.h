//===- Charts.h - series of numbers on a page -----------------------------------------------------===//
//
// A chart is an empty box that page.js draws with dygraphs, the same numbers as a table below it, for
// who has no script, no eyes or no mouse, and a part of the data that the page carries as JSON. Text
// of users only ever stands in that JSON, with `<` as an escape, and in escaped markup.
//
//===------------------------------------------------------------------------------------------===//
#ifndef FUZZ_REPORT_CHARTS_H
#define FUZZ_REPORT_CHARTS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace tilesmith::fuzz {

/// Where a chart has no value.
constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();

/// Lines over one axis.
struct Chart {
  std::string title, xLabel, yLabel;
  std::vector<std::string> lines;        ///< names of the lines
  std::vector<double> at;                ///< places on the axis, ascending
  std::vector<std::string> names = {};   ///< of the places, where they are not numbers
  std::vector<std::vector<double>> rows; ///< for each place the value of each line
  std::vector<std::pair<size_t, std::string>> marks = {}; ///< at a place: what happened
};

/// What a page carries for its script.
class PageData {
public:
  /// Writes the box and the table of a chart with at least two places; else nothing.
  void addChart(llvm::raw_ostream &out, Chart chart);
  /// The number of a small chart, without axes, of one line; `steps` are places of it.
  size_t addSparkline(llvm::ArrayRef<double> values, llvm::ArrayRef<size_t> steps);
  void set(llvm::StringRef key, llvm::json::Value value) { more[key] = std::move(value); }
  /// The data, the library and the script; last in the body.
  void write(llvm::raw_ostream &out) const;

private:
  llvm::json::Array charts, sparklines;
  llvm::json::Object more;
};

/// Text of JSON that may stand within a script element.
std::string scriptSafe(const llvm::json::Value &value);

/// The style of the page and of the library, for its head.
std::string pageStyle();

} // namespace tilesmith::fuzz

#endif // FUZZ_REPORT_CHARTS_H
