//===- Report.h - what all oracles said of one module -----------------------------------------===//
//
// One module: one case at one bytecode version. Its JSON is what a worker process answers; it is
// strict, because a verdict that got lost must never read as an agreement: a missing, unknown or
// ill-typed key is an error.
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_VERDICT_REPORT_H
#define ORACLES_VERDICT_REPORT_H

#include "oracles/verdict/Verdict.h"

#include "llvm/Support/Error.h"

#include <map>
#include <vector>

namespace tilesmith::oracles {

/// What one engine contributed to the oracle that ran it.
struct EngineReport {
  std::string engine;
  Verdict verdict; ///< against itself and against the stored expectation
  double seconds = 0;
  uint64_t work = 0; ///< EngineResult::work

  bool operator==(const EngineReport &) const = default;
};

/// What one oracle said.
struct OracleReport {
  std::string oracle; ///< its name in the registry
  Verdict verdict;
  double seconds = 0;

  bool operator==(const OracleReport &) const = default;
};

/// The judgement of one module.
struct ModuleReport {
  std::string caseName;
  std::string version;
  std::vector<OracleReport> oracles; ///< that judged it, in the order of the registry
  std::vector<EngineReport> engines;
  Verdict cross;   ///< engines against each other; agree when fewer than two ran to the end
  Verdict verdict; ///< all of it
  FloatComparisons floats = {}; ///< of the buffers judged by enclosures

  bool operator==(const ModuleReport &) const = default;
};

/// How often each oracle judged, and what it said.
using OracleCounts = std::map<std::string, VerdictCounts>;
void addCounts(OracleCounts &counts, const ModuleReport &report);
void addCounts(OracleCounts &counts, const OracleCounts &more);

/// One line of JSON.
std::string toJson(const ModuleReport &report);

/// Error: text that toJson did not write, with the key and what was found there.
llvm::Expected<ModuleReport> reportFromJson(llvm::StringRef text);

} // namespace tilesmith::oracles

#endif // ORACLES_VERDICT_REPORT_H
