//===- Bisect.h - which pass is to blame ------------------------------------------------------===//
//
// Runs a failing case on engines that stop at different stages, and with fewer and fewer optional
// passes, until one step is left (or an interval of steps that no engine looks into).
//
// Steps
//  1. Bytecode or text that does not survive the round trip, or engines that agree with each other
//     against a stored expectation: the frontend, which all engines share. A wrong refusal is the
//     verifier's where the file, read without it, can be written again byte for byte; else the
//     reader's.
//     An engine that runs what left our LLVM IR (cuda, external) is to blame itself when the
//     emulator agrees with the reference; else what follows explains both.
//  2. reference against tileaa: convert-cudatile-to-tileaa.
//  3. reference against tileaa-opt, with the optional passes of that stage one by one.
//  4. reference against tileas, likewise: the optional passes over nv_tileas, or the conversion to
//     it. A hazard is a missing barrier: tileas-insert-barriers, or a token that got lost anywhere
//     before (the engines of nv_tileaa keep to program order and need none).
//  5. reference against emulator, with the optional passes of the whole pipeline one by one. A pass
//     of an earlier stage was cleared there and only shows the fault of what reads its result.
//     Where nv_tileas could not be run, a pass is cleared when its IR without layouts and
//     annotations is the same before and after (Erasure.h).
//     What these stages leave open disagrees with nobody: when all wrong elements are of that kind,
//     the first stage that leaves them open is to blame (OpenProbe.h).
//  6. The emulated GPU is asked for the shuffles that kernels use (EmulatorProbe.h).
//  7. Each scalar operation of the kernel at stage gpu is lowered and run by itself
//     (LoweringProbe.h): convert-gpu-to-nvvm, or what comes behind it.
//  8. What is left: convert-tileas-to-nvgpu, by far the most code behind nv_tileas. `decided` is
//     false then, and `interval` names all steps that it stands for.
//
//===------------------------------------------------------------------------------------------===//
#ifndef FUZZ_TRIAGE_BISECT_H
#define FUZZ_TRIAGE_BISECT_H

#include "fuzz/campaign/Judge.h"

namespace tilesmith::fuzz {

struct BisectStep {
  std::string what; ///< `reference,emulator -O3, 4 of 7 optional passes`
  oracles::Verdict verdict;
};

struct Blame {
  std::string
      component; ///< frontend, pass, emulator, PTX backend, external compiler, reference, unknown
  std::string pass;      ///< `convert-cudatile-to-tileaa`
  std::string interval;  ///< what could not be told apart; empty when decided
  std::string exposedBy; ///< optional pass without which the bug does not show; may be empty
  bool decided = true;
  std::vector<BisectStep> steps;

  /// `convert-tileas-to-nvgpu (pass; ...)`: one line.
  std::string str() const;
};

struct BisectOptions {
  JudgeOptions judge;
  WorkerLimits limits{60, 4096};
  std::function<void()> prepare; ///< runs in the judging child
};

/// Error: the case does not fail at this version.
llvm::Expected<Blame> bisect(const testcase::TestCase &testCase, llvm::StringRef version,
                             const BisectOptions &options);

/// What is to blame when this engine disagrees and the emulator does not; nothing for engines that
/// run no more than our own IR.
struct Attribution {
  std::string component, pass, interval;
};
std::optional<Attribution> attributionBeyond(llvm::StringRef engine);

/// The optional passes at this level, in order: those that --opt-bisect-limit counts.
std::vector<std::string> optionalPasses(const oracles::EngineOptions &options);

} // namespace tilesmith::fuzz

#endif // FUZZ_TRIAGE_BISECT_H
