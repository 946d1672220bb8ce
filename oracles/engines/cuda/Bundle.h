//===- Bundle.h - a test case made ready for a GPU machine ------------------------------------===//
//
// A bundle is a folder that `tile-gpu-replay` runs without LLVM or this repository: bundle.json,
// PTX or a cubin per launch, initial and expected contents of every buffer. README.md in this
// folder has the format.
//
// Where the case stores no expectation, the reference interpreter's result is one, compared by the
// buffer's own mode; a buffer whose contents the language leaves open is not judged.
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_ENGINES_CUDA_BUNDLE_H
#define ORACLES_ENGINES_CUDA_BUNDLE_H

#include "oracles/engines/Engine.h"
#include "oracles/verdict/Verdict.h"

namespace tilesmith::oracles {

struct BundleOptions {
  EngineOptions engine;
  std::string cubin;            ///< file of another compiler, launched as Tile IR; empty: ours
  std::string source;           ///< folder of the case, for who judges the results; may be empty
  bool withExpectations = true; ///< false: the caller judges the outputs itself
};

/// Writes the bundle of one case at one version to `directory`, which is replaced as a whole when
/// we wrote it (compiler/support/OutputFolder.h).
llvm::Error writeBundle(const testcase::TestCase &testCase, llvm::StringRef version,
                        const BundleOptions &options, llvm::StringRef directory);

/// What tile-gpu-replay left in a bundle.
struct ReplayResult {
  enum class Outcome {
    Agree,
    Disagree,    ///< other contents, or no trap where the case has one
    Failed,      ///< the code could not be loaded or run to its end
    Unavailable, ///< no GPU that runs it
  };
  std::string caseName, version, device, detail;
  std::string source; ///< folder of the case, as the bundle has it
  Outcome outcome = Outcome::Failed;
  double medianMs = 0, fastestMs = 0, slowestMs = 0;
  /// Whether the kernel wrote beside its buffers, whatever it left in them.
  bool wroteOutside = false;
  bool ofAnother = false; ///< ran a cubin of another compiler

  /// As a verdict of engine `cuda`.
  Verdict toVerdict() const;
};
/// Error: no result, or one that is not whole.
llvm::Expected<ReplayResult> readReplayResult(llvm::StringRef directory);

/// What an engine says of a case whose bundle was run: the buffers as tile-gpu-replay left them,
/// whatever it thought of their contents.
EngineResult readReplayedBuffers(const testcase::TestCase &testCase, const ReplayResult &replay,
                                 llvm::StringRef directory);

/// Engine `cuda` for one case that has been run elsewhere: its runs answer what stands in the
/// bundle. A cubin of another compiler is bound by public text alone.
std::unique_ptr<Engine> createRecordedEngine(ReplayResult replay, llvm::StringRef directory);

} // namespace tilesmith::oracles

#endif // ORACLES_ENGINES_CUDA_BUNDLE_H
