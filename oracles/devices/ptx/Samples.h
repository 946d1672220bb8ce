//===- Samples.h - PTX text for every row of the instruction table -----------------------------===//
//
// For tests: what the table accepts, written out, so that ptxas can be asked about it.
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_DEVICES_PTX_SAMPLES_H
#define ORACLES_DEVICES_PTX_SAMPLES_H

#include "oracles/devices/ptx/InstructionTable.h"

#include <string>
#include <vector>

namespace tilesmith::ptx {

struct Sample {
  std::string text; ///< one instruction with its semicolon
  const Row *row;
  std::string target; ///< the first of sm_90a, sm_100a, sm_120a that has it
};

/// Every word of every segment of every row at least once.
std::vector<Sample> instructionSamples();

/// A kernel for `target` with the registers that samples use, `body` on line kSampleLine.
std::string sampleKernel(llvm::StringRef target, llvm::StringRef version, llvm::StringRef body);
inline constexpr unsigned kSampleLine = 18;

/// Whether a module of `version` ("9.0") for `target` is accepted by the ptxas at `path`; what it
/// prints goes to `output`.
bool ptxasAccepts(llvm::StringRef path, llvm::StringRef ptx, llvm::StringRef target,
                  std::string &output);

/// The ptxas of CUDA_ROOT, CUDA_HOME, CUDA_PATH, /usr/local/cuda or PATH; empty where there is
/// none.
std::string findPtxas();

} // namespace tilesmith::ptx

#endif // ORACLES_DEVICES_PTX_SAMPLES_H
