//===- Compilation.h - is compiling deterministic, and within its means -----------------------===//
//
// Compiles the modules of a case down to LLVM IR, twice, in contexts and at addresses of their own.
//
//   determinism   both texts are the same to the byte; what is ordered by addresses shows
//   resources     CPU time and size of the result stay within a base and an amount for each op
//
// The limits are far above anything that generated kernels and the corpus need (`kResourceLimits`),
// so that a loaded machine is no finding; the size does not depend on the machine at all. A module
// that does not compile is inconclusive here: the engines say more about it.
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_COMPILATION_COMPILATION_H
#define ORACLES_COMPILATION_COMPILATION_H

#include "oracles/engines/Engine.h"
#include "oracles/verdict/Verdict.h"

namespace tilesmith::oracles {

/// One compilation of all modules of a case.
struct CompilationFacts {
  std::string error;         ///< why it ended, or empty
  std::string text;          ///< LLVM IR
  uint64_t operations = 0;   ///< of cuda_tile
  uint64_t instructions = 0; ///< of LLVM IR
  double cpuSeconds = 0;     ///< of this thread
};

CompilationFacts compileOnce(const testcase::TestCase &testCase, llvm::StringRef version,
                             const EngineOptions &options);

/// What a compilation may use: a base, and so much for each operation.
struct ResourceLimits {
  double baseSeconds, secondsPerOperation;
  uint64_t baseInstructions, instructionsPerOperation;
};
/// Of 500 generated kernels (seed 31337) none needed more than a third of the instructions, nor
/// 40 ms.
inline constexpr ResourceLimits kResourceLimits = {5, 0.05, 3'000, 12};

/// Blocks of many sizes, so that what comes next finds none of the addresses free that a
/// compilation gave back.
class OtherAddresses {
public:
  OtherAddresses();

private:
  static constexpr unsigned kBlocks = 20'000;
  std::vector<std::unique_ptr<char[]>> blocks;
};

Verdict judgeDeterminism(const CompilationFacts &first, const CompilationFacts &second);
Verdict judgeResources(const CompilationFacts &facts, const ResourceLimits &limits);

/// Both of a case, at the level and target of the options.
Verdict judgeCompilation(const testcase::TestCase &testCase, llvm::StringRef version,
                         const EngineOptions &options);

} // namespace tilesmith::oracles

#endif // ORACLES_COMPILATION_COMPILATION_H
