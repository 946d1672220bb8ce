//===- Survey.h - what generated kernels are like ---------------------------------------------===//
//
// Figures about a run of generated kernels, for `tilesmith generate --distribution`: how large they
// are, how many tiles live at a time, which share of their float results is fully determined, and
// how often one wrong op shows (Mutation.h).
//
//===------------------------------------------------------------------------------------------===//
#ifndef FUZZ_CAMPAIGN_SURVEY_H
#define FUZZ_CAMPAIGN_SURVEY_H

#include "generators/program/ProgramGenerator.h"

#include "llvm/Support/raw_ostream.h"

#include <array>
#include <map>

namespace tilesmith::fuzz {

/// Figures of one kernel.
struct KernelFigures {
  uint64_t ops = 0;
  uint64_t liveTiles = 0; ///< most tiles of at least two elements that are needed at one time
  std::array<uint64_t, 13> tileSizes = {}; ///< results with 2^i elements
  uint64_t floats = 0, exactFloats = 0;    ///< elements of output buffers
  bool exactData = false;                  ///< no sum or product depends on its order
  bool aggregates = false;                 ///< has a float reduction, scan or matrix product
  bool completed = false;                  ///< on the reference
  std::string mutated;                     ///< op that was made wrong; empty: none
  bool mutationShows = false;
};

/// Sums of a run.
class Survey {
public:
  void add(const KernelFigures &figures);
  void print(llvm::raw_ostream &out) const;
  /// Of the kernels with a mutation, the share in percent whose results changed.
  double mutationsThatShow() const;

private:
  uint64_t kernels = 0, completed = 0, floats = 0, exactFloats = 0;
  uint64_t aggregating = 0, exactAggregating = 0, mutated = 0, shown = 0;
  std::vector<uint64_t> ops, liveTiles;
  std::array<uint64_t, 13> tileSizes = {};
  std::map<std::string, std::array<uint64_t, 2>> byOp; ///< mutations of an op: unseen, all
};

/// Measures one case; the mutation is a function of the case's name. Error: its module cannot be
/// read.
llvm::Expected<KernelFigures> measureKernel(const testcase::TestCase &testCase);

} // namespace tilesmith::fuzz

#endif // FUZZ_CAMPAIGN_SURVEY_H
